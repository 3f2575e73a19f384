//! Sets of tours on disk: reading, checking, searching, union and difference.

use super::keys::{TourKey, with_key};
use super::table::{TableLayout, TableWriter, TourRows, TourTable};
use super::{Identity, JobFolder, JobMonitor, StoreError, identity};
use crate::board::{Graph, Square};
use crate::durable::DurableFile;
use crate::error::Remedy;
use crate::problem::{Goal, Problem};
use crate::search::on_each;
use crate::tour::{Distinct, Packer, Verified, Verifier};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A set of tours, stored as a table with metadata.
pub struct TourSet {
    path: PathBuf,
    table: TourTable,
    packer: Packer,
    problem: Problem,
    distinct: Distinct,
    identity: Identity,
}

/// The result of checking every tour of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of valid tours.
    pub valid: u64,
    /// Number of closed tours among the valid ones.
    pub closed: u64,
    /// Number of invalid rows.
    pub wrong: u64,
    /// The first invalid row, counting from 1, and why it is invalid.
    pub first: Option<(u64, String)>,
}

/// An operation on two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperation {
    /// Tours in either set.
    Union,
    /// Tours in the first set but not in the second.
    Difference,
}

impl TourSet {
    /// Opens the table of a job folder, or a table file itself.
    pub fn open(path: &Path) -> Result<TourSet, StoreError> {
        let file = if path.is_dir() { path.join("tours.parquet") } else { path.to_path_buf() };
        if path.is_dir() && !file.exists() {
            let name = path.display().to_string();
            if !path.join("job.json").exists() {
                return Err(StoreError::NoJob(name));
            }
            return Err(match JobFolder::look(path)?.kind() {
                "count" => StoreError::Refused(
                    format!("{name} contains a count, which has no tours"),
                    vec![Remedy::Do("read its number in record.json after merging")],
                ),
                _ => StoreError::NotMerged(name),
            });
        }
        let table = TourTable::open(&file)?;
        let job = table.about.get("job").and_then(|text| serde_json::from_str(text).ok());
        let Some(Value::Object(identity)) = job else {
            let what = "it does not name the board of its tours";
            return Err(StoreError::damaged(&file, what));
        };
        let graph = identity::graph(&identity)?;
        let distinct = identity::distinct(&identity)?;
        let goal = match identity.get("closed") {
            Some(Value::Bool(true)) => Goal::Closed,
            _ => Goal::Open,
        };
        let vertex = |key: &str| {
            let name = identity.get(key).and_then(Value::as_str)?;
            graph.vertex(name).ok()
        };
        // A canonical form may have other ends than the tour that was found.
        let ends = if distinct == Distinct::Directed {
            [vertex("start"), vertex("end")]
        } else {
            [None; 2]
        };
        let problem = Problem::new(graph.clone(), goal, ends[0], ends[1])
            .map_err(|e| StoreError::Job(e.to_string()))?;
        let packer = Packer::new(&graph);
        if packer.words() != table.width {
            let what = format!("it has {} words per tour, not {}", table.width, packer.words());
            return Err(StoreError::damaged(&file, what));
        }
        Ok(TourSet { path: file, table, packer, problem, distinct, identity })
    }

    /// Returns the path of the table.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the graph that the tours visit.
    pub fn graph(&self) -> &Graph {
        self.problem.graph()
    }

    /// Returns the number of tours.
    #[expect(clippy::len_without_is_empty, reason = "no caller needs it")]
    pub fn len(&self) -> u64 {
        self.table.rows()
    }

    /// Returns the rule by which tours of the set count as duplicates.
    pub fn distinct(&self) -> Distinct {
        self.distinct
    }

    /// Returns the identity of the job that made the set.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the metadata of the table.
    pub fn about(&self) -> &BTreeMap<String, String> {
        &self.table.about
    }

    /// Verifies the tours in a range of rows, counting from 1, and visits each.
    pub fn visit(
        &self,
        rows: RangeInclusive<u64>,
        mut see: impl FnMut(u64, Verified<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let verifier = Verifier::new(self.graph());
        let mut squares = Vec::new();
        let mut first = 1;
        for group in 0..self.table.groups() {
            let last = first + self.table.rows_of(group) - 1;
            if last >= *rows.start() && first <= *rows.end() {
                with_key!(self.packer.words(), K => {
                    let keys = self.table.read::<K>(group)?.keys;
                    for (row, key) in (first..).zip(&keys) {
                        if !rows.contains(&row) {
                            continue;
                        }
                        let wrong =
                            |e: String| StoreError::damaged(&self.path, format!("row {row}: {e}"));
                        let unpacked = self.packer.unpack_into(key.words(), &mut squares);
                        unpacked.map_err(|e| wrong(e.to_string()))?;
                        let tour = verifier.check(Cow::Borrowed(&squares));
                        if see(row, tour.map_err(|e| wrong(e.to_string()))?).is_break() {
                            return Ok(());
                        }
                    }
                });
            }
            first = last + 1;
        }
        Ok(())
    }

    /// Compares every byte of the table with its checksum, without decoding tours.
    pub fn verify(&self) -> Result<(), StoreError> {
        (0..self.table.groups()).try_for_each(|group| self.table.verify(group))
    }

    /// Returns whether the tours are on the given graph. Graphs are compared by their squares, holes and
    /// moves, or by their vertices and edges.
    pub fn is_on(&self, graph: &Graph) -> bool {
        identity::same_graph(
            &identity::describe_graph(self.graph()),
            &identity::describe_graph(graph),
        )
    }

    /// Returns for each tour the row of it or of an equivalent one, from 1, if the set contains one.
    pub fn ranks(&self, tours: &[Verified<'_>]) -> Result<Vec<Option<u64>>, StoreError> {
        let mut canon = self.problem.canon(self.distinct);
        let mut packed = Vec::new();
        let mut asked: Vec<(Vec<u64>, usize)> = Vec::with_capacity(tours.len());
        for (index, tour) in tours.iter().enumerate() {
            self.packer.pack(canon.form(tour), &mut packed);
            asked.push((packed.clone(), index));
        }
        asked.sort_unstable();
        let mut rows = vec![None; tours.len()];
        let mut before = 0;
        for group in 0..self.table.groups() {
            let (Some(first), Some(last)) = (asked.first(), asked.last()) else { break };
            let first_row = before + 1;
            before += self.table.rows_of(group);
            let (least, most) = self.table.bounds(group);
            if last.0[0] < least || first.0[0] > most {
                continue;
            }
            with_key!(self.packer.words(), K => {
                let keys = self.table.read::<K>(group)?.keys;
                for (words, index) in &asked {
                    if let Ok(at) = keys.binary_search_by(|key| key.words().cmp(words)) {
                        rows[*index] = Some(first_row + at as u64);
                    }
                }
            });
        }
        Ok(rows)
    }

    /// Returns for each tour whether the set contains it or an equivalent one.
    pub fn contains(&self, tours: &[Verified<'_>]) -> Result<Vec<bool>, StoreError> {
        Ok(self.ranks(tours)?.into_iter().map(|row| row.is_some()).collect())
    }

    /// Verifies every tour on `threads` threads, and checks that the rows are sorted, unique and correct in
    /// every column.
    pub fn check(&self, threads: usize, watch: JobMonitor<'_>) -> Result<Checked, StoreError> {
        with_key!(self.packer.words(), K => self.check_all::<K>(threads, watch))
    }

    fn check_all<K: TourKey>(
        &self,
        threads: usize,
        watch: JobMonitor<'_>,
    ) -> Result<Checked, StoreError> {
        let groups = self.table.groups();
        let first_rows: Vec<u64> = (0..groups)
            .scan(1, |next, group| {
                let first = *next;
                *next += self.table.rows_of(group);
                Some(first)
            })
            .collect();
        let next = AtomicUsize::new(0);
        let results = Mutex::new(BTreeMap::new());
        on_each(threads.min(groups), || {
            // Cloned file handles share a position, so each thread opens the file.
            let table = TourTable::open(&self.path);
            loop {
                let group = next.fetch_add(1, Relaxed);
                if group >= groups || watch.stopped() {
                    return;
                }
                let checked = match &table {
                    Ok(table) => table.read::<K>(group),
                    Err(_) => {
                        Err(StoreError::damaged(&self.path, "it has changed since it was opened"))
                    }
                };
                let checked = checked.map(|rows| self.check_rows(&rows, first_rows[group]));
                results.lock().unwrap_or_else(PoisonError::into_inner).insert(group, checked);
            }
        });
        watch.check()?;
        let mut all = Checked::default();
        let mut before: Option<K> = None;
        for (group, checked) in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let (checked, ends) = checked?;
            all.valid += checked.valid;
            all.closed += checked.closed;
            all.wrong += checked.wrong;
            all.first = all.first.or(checked.first);
            if let Some((first, last)) = ends {
                if before.as_ref().is_some_and(|before| *before >= first) {
                    let what = "it is not sorted after the row before".to_string();
                    all.wrong += 1;
                    all.first.get_or_insert((first_rows[group], what));
                }
                before = Some(last);
            }
        }
        Ok(all)
    }

    /// Checks a group of rows; also returns the smallest and the largest key.
    fn check_rows<K: TourKey>(&self, rows: &TourRows<K>, first: u64) -> (Checked, Option<(K, K)>) {
        let verifier = Verifier::new(self.graph());
        let mut canon = self.problem.canon(self.distinct);
        let (mut squares, mut packed) = (Vec::new(), Vec::new());
        let mut checked = Checked::default();
        for (index, key) in rows.keys.iter().enumerate() {
            let mut judge = || {
                self.packer.unpack_into(key.words(), &mut squares).map_err(|e| e.to_string())?;
                let tour = verifier.check(Cow::Borrowed(&squares)).map_err(|e| e.to_string())?;
                self.packer.pack(canon.form(&tour), &mut packed);
                let wrong = if packed != key.words() {
                    "it is not in canonical form"
                } else if tour.squares()[0] != rows.start[index] {
                    "its column start is wrong"
                } else if tour.is_closed() != rows.closed[index] {
                    "its column closed is wrong"
                } else if !self.problem.admits(&tour) {
                    "it does not match the job's constraints"
                } else if index > 0 && rows.keys[index - 1] >= *key {
                    "it is not sorted after the row before"
                } else {
                    return Ok(tour.is_closed());
                };
                Err(wrong.to_string())
            };
            match judge() {
                Ok(closed) => {
                    checked.valid += 1;
                    checked.closed += u64::from(closed);
                }
                Err(why) => {
                    checked.wrong += 1;
                    checked.first.get_or_insert((first + index as u64, why));
                }
            }
        }
        let ends = rows.keys.first().cloned().zip(rows.keys.last().cloned());
        (checked, ends)
    }

    /// Writes the union or difference of two sets as a new table, unless `watch` stops it. Returns the number
    /// of tours in the new table.
    pub fn join(
        &self,
        other: &TourSet,
        how: SetOperation,
        path: &Path,
        watch: JobMonitor<'_>,
    ) -> Result<u64, StoreError> {
        let same = identity::same_graph(&self.identity, &other.identity);
        if !same || self.distinct != other.distinct {
            let names = [self, other].map(|set| {
                let kind = set.table.about.get("distinct").map_or("", String::as_str);
                format!("{} contains {kind} tours of {}", set.path.display(), set.graph())
            });
            let remedy = Remedy::Do("join sets of the same board and kind");
            return Err(StoreError::Refused(names.join(" and "), vec![remedy]));
        }
        with_key!(self.packer.words(), K => self.join_all::<K>(other, how, path, watch))
    }

    fn join_all<K: TourKey>(
        &self,
        other: &TourSet,
        how: SetOperation,
        path: &Path,
        watch: JobMonitor<'_>,
    ) -> Result<u64, StoreError> {
        let layout = TableLayout::new(self.packer.words(), self.len() + other.len())?;
        let mut table = TableWriter::new(&layout, DurableFile::lenient(path)?)?;
        let (mut left, mut right) = (Cursor::<K>::new(self), Cursor::<K>::new(other));
        let mut rows = TourRows::of(Vec::new());
        let (mut count, mut closed) = (0, 0);
        for step in 0u64.. {
            if step.is_multiple_of(1 << 16) {
                watch.check()?;
            }
            let order = match (left.key()?, right.key()?) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(a), Some(b)) => a.cmp(b),
            };
            let keeps = match how {
                SetOperation::Union => true,
                SetOperation::Difference => order.is_lt(),
            };
            if keeps {
                let (key, start, is_closed) = if order.is_le() { left.row() } else { right.row() };
                rows.keys.push(key);
                rows.start.push(start);
                rows.closed.push(is_closed);
                closed += u64::from(is_closed);
                count += 1;
            }
            left.at += usize::from(order.is_le());
            right.at += usize::from(order.is_ge());
            if rows.keys.len() == layout.rows {
                table.append(&layout.encode(&rows)?, path)?;
                rows = TourRows::of(Vec::new());
            }
        }
        if !rows.keys.is_empty() {
            table.append(&layout.encode(&rows)?, path)?;
        }
        watch.finish(table.finish(self.joined_about(other, how, (count, closed)), path)?)?;
        Ok(count)
    }

    /// Returns the metadata of a joined table: the common graph, but no solver or seed, because the tours do
    /// not come from a single job.
    fn joined_about(
        &self,
        other: &TourSet,
        how: SetOperation,
        (count, closed): (u64, u64),
    ) -> Vec<(String, String)> {
        let kept = ["board", "graph", "holes", "leaper", "edges", "vertices", "distinct"];
        let mut job: Identity = self.identity.clone();
        job.retain(|key, _| kept.contains(&key.as_str()));
        let both = |set: &TourSet| set.identity.get("closed") == Some(&true.into());
        let closed_only = both(self) && (both(other) || how == SetOperation::Difference);
        job.insert("closed".into(), closed_only.into());
        let shown = ["board", "graph", "holes", "leaper", "distinct", "bits", "moves_up_right"];
        let facts = self.table.about.iter().filter(|(key, _)| shown.contains(&key.as_str()));
        let mut about: Vec<(String, String)> =
            facts.map(|(key, value)| (key.clone(), value.clone())).collect();
        let made = match how {
            SetOperation::Union => "union",
            SetOperation::Difference => "difference",
        };
        about.push(("job".into(), Value::Object(job).to_string()));
        about.push(("made".into(), made.into()));
        about.push(("version".into(), env!("CARGO_PKG_VERSION").into()));
        about.push(("tours_distinct".into(), count.to_string()));
        about.push(("tours_closed".into(), closed.to_string()));
        about
    }
}

/// A cursor over the rows of a set.
struct Cursor<'s, K> {
    set: &'s TourSet,
    group: usize,
    rows: TourRows<K>,
    at: usize,
}

impl<'s, K: TourKey> Cursor<'s, K> {
    fn new(set: &'s TourSet) -> Cursor<'s, K> {
        Cursor { set, group: 0, rows: TourRows::of(Vec::new()), at: 0 }
    }

    fn key(&mut self) -> Result<Option<&K>, StoreError> {
        while self.at == self.rows.keys.len() && self.group < self.set.table.groups() {
            self.rows = self.set.table.read(self.group)?;
            (self.group, self.at) = (self.group + 1, 0);
        }
        Ok(self.rows.keys.get(self.at))
    }

    fn row(&self) -> (K, Square, bool) {
        let TourRows { keys, start, closed } = &self.rows;
        (keys[self.at].clone(), start[self.at], closed[self.at])
    }
}
