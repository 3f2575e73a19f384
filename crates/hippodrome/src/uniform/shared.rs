//! Tables in memory: runs of one problem share a table, which is dropped after its last use.
//!
//! [`SharedTables`] holds weak references, so a table lives while a run uses it. A [`Lease`] keeps the last
//! table used for longer: a race holds a lease during all its runs, and a server holds one for some time
//! after the last use. The lock is not held while a table is made: runs of other problems do not wait, and
//! runs of the same problem wait but can be stopped.

use super::sampler::Sampler;
use super::sweep::Sweep;
use super::table::TableError;
use crate::board::Square;
use crate::problem::Problem;
use crate::search::Resources;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Time between two stop checks while another run makes the table.
const POLL: Duration = Duration::from_millis(10);

static TABLES: SharedTables = SharedTables::new();

/// Returns the table of a problem: either one that is in use, or a new one.
pub fn shared_table(
    problem: &Problem,
    resources: &Resources<'_>,
) -> Result<Arc<Sampler>, TableError> {
    TABLES.get(problem, resources)
}

/// Returns the table of a problem if one is in use.
pub fn in_use(problem: &Problem) -> Option<Arc<Sampler>> {
    TABLES.find(&TableKey::of(problem).ok()?)
}

/// A guard: while it exists, the last table used stays in memory.
#[derive(Debug)]
pub struct Lease(&'static SharedTables);

impl Lease {
    /// Takes a lease.
    pub fn new() -> Lease {
        TABLES.lease()
    }
}

impl Default for Lease {
    fn default() -> Lease {
        Lease::new()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.leases -= 1;
        let unused = if state.leases == 0 { state.kept.take() } else { None };
        drop(state);
        drop(unused);
    }
}

/// Identity of a table. Equal keys mean equal tables and equal tours.
#[derive(Clone, PartialEq)]
struct TableKey {
    signature: Vec<u8>,
    closed: bool,
    ends: (Option<Square>, Option<Square>),
    vertices: Vec<Square>,
}

impl TableKey {
    fn of(problem: &Problem) -> Result<TableKey, TableError> {
        Ok(TableKey {
            signature: Sweep::new(problem)?.signature,
            closed: problem.is_closed(),
            ends: (problem.start(), problem.end()),
            vertices: problem.graph().vertices().collect(),
        })
    }
}

/// The tables of a process.
struct SharedTables {
    state: Mutex<SharedState>,
    changed: Condvar,
}

struct SharedState {
    /// The tables in use.
    made: Vec<(TableKey, Weak<Sampler>)>,
    /// The tables that are being made.
    making: Vec<TableKey>,
    /// The last table used, while there is a lease.
    kept: Option<Arc<Sampler>>,
    leases: usize,
}

impl SharedState {
    /// Returns a table in use, and marks it as the last table used.
    fn find(&mut self, key: &TableKey) -> Option<Arc<Sampler>> {
        let found = self.made.iter().find(|(known, _)| known == key)?.1.upgrade()?;
        self.keep(&found);
        Some(found)
    }

    fn keep(&mut self, sampler: &Arc<Sampler>) {
        if self.leases > 0 {
            self.kept = Some(Arc::clone(sampler));
        }
    }
}

impl std::fmt::Debug for SharedTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedTables")
    }
}

impl SharedTables {
    const fn new() -> SharedTables {
        let state = SharedState { made: Vec::new(), making: Vec::new(), kept: None, leases: 0 };
        SharedTables { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lease(&'static self) -> Lease {
        self.state().leases += 1;
        Lease(self)
    }

    fn find(&self, key: &TableKey) -> Option<Arc<Sampler>> {
        self.state().find(key)
    }

    fn get(
        &self,
        problem: &Problem,
        resources: &Resources<'_>,
    ) -> Result<Arc<Sampler>, TableError> {
        let key = TableKey::of(problem)?;
        let mut state = self.state();
        loop {
            if let Some(found) = state.find(&key) {
                return Ok(found);
            }
            if !state.making.contains(&key) {
                break;
            }
            // The stop check is the caller's code, so release the lock before calling it.
            drop(state);
            if (resources.stop)() {
                return Err(TableError::Stopped);
            }
            let waited = self.changed.wait_timeout(self.state(), POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.making.push(key.clone());
        // Free the kept table before the new one takes memory.
        let unused = state.kept.take();
        drop(state);
        drop(unused);
        let mark = InProgress { tables: self, key: &key };
        let made = Arc::new(Sampler::new(problem, resources)?);
        let mut state = self.state();
        state.made.retain(|(_, table)| table.strong_count() > 0);
        state.made.push((key.clone(), Arc::downgrade(&made)));
        state.keep(&made);
        drop(state);
        drop(mark);
        Ok(made)
    }
}

/// A mark that a table is being made. It is removed on drop, even after an error.
struct InProgress<'t> {
    tables: &'t SharedTables,
    key: &'t TableKey,
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.tables.state().making.retain(|key| key != self.key);
        self.tables.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::problem::Goal;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    fn closed(board: &str) -> Problem {
        let graph = Graph::knight(Board::parse(board).unwrap());
        Problem::new(graph, Goal::Closed, None, None).unwrap()
    }

    #[test]
    fn another_board_does_not_wait_and_the_same_board_can_be_stopped() {
        static TABLES: SharedTables = SharedTables::new();
        let (begun, proceed) = (AtomicBool::new(false), AtomicBool::new(false));
        let started = std::time::Instant::now();
        let hold = || {
            begun.store(true, SeqCst);
            // The deadline makes the test fail instead of hanging.
            while !proceed.load(SeqCst) && started.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            false
        };
        std::thread::scope(|scope| {
            let slow = Resources { threads: 1, stop: &hold, ..Resources::default() };
            let first = scope.spawn(move || TABLES.get(&closed("6x6"), &slow).map(|s| s.covers()));
            while !begun.load(SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
            let other = TABLES.get(&closed("5x6"), &Resources::default()).unwrap();
            assert_eq!(other.problem().graph().order(), 30);
            let stop = || true;
            let stopped =
                TABLES.get(&closed("6x6"), &Resources { stop: &stop, ..Resources::default() });
            assert!(matches!(stopped.map(|_| ()), Err(TableError::Stopped)));
            assert!(!first.is_finished(), "the first is still being made");
            let second = scope.spawn(|| TABLES.get(&closed("6x6"), &Resources::default()));
            proceed.store(true, SeqCst);
            assert_eq!(first.join().unwrap().unwrap(), 36_236);
            assert_eq!(second.join().unwrap().unwrap().covers(), 36_236);
        });
        assert!(TABLES.state().making.is_empty());
    }

    #[test]
    fn a_table_is_dropped_after_its_last_use_unless_leased() {
        static TABLES: SharedTables = SharedTables::new();
        let get = |board| TABLES.get(&closed(board), &Resources::default()).unwrap();
        let six = get("6x6");
        assert!(Arc::ptr_eq(&six, &get("6x6")), "runs of one problem share a table");
        let alive = Arc::downgrade(&six);
        drop(six);
        assert!(alive.upgrade().is_none());
        let (one, other) = (TABLES.lease(), TABLES.lease());
        let alive = Arc::downgrade(&get("6x6"));
        drop(one);
        assert!(alive.upgrade().is_some(), "the other lease keeps it");
        let next = Arc::downgrade(&get("5x6"));
        assert!(alive.upgrade().is_none(), "only the last table is kept");
        drop(other);
        assert!(next.upgrade().is_none());
    }

    #[test]
    fn a_failed_table_is_not_marked_as_in_progress() {
        static TABLES: SharedTables = SharedTables::new();
        let small = Resources { memory: 1, ..Resources::default() };
        assert!(TABLES.get(&closed("6x6"), &small).is_err());
        assert!(TABLES.get(&closed("6x6"), &Resources::default()).is_ok());
    }
}
