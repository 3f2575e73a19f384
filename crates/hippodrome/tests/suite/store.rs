//! Tests that jobs in folders find the same tours as enumerations in memory, despite interrupts and damage.

mod damage;
mod merging;
mod resuming;

use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Graph, Square};
use hippodrome::lab::distinct::Bloom;
use hippodrome::lab::enumerate::{Dedup, Enumeration, TourFilter};
use hippodrome::problem::Problem;
use hippodrome::search::{Budget, Control};
use hippodrome::solvers::registry::Choice;
use hippodrome::store::{
    EnumerationJob, Job, JobChange, JobEvent, JobFolder, JobMonitor, JobPhase, Merged,
    SetOperation, StoreError, TourSet, UnitState, check_record, complete, encode_part, merge_part,
    run_missing, run_unit,
};
use hippodrome::tour::{Distinct, Packer, Verified, verify};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A temporary folder for one test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        // Use a memory file system if there is one, because thousands of damaged files are written.
        let own = format!("hippodrome-store-{}-{name}", std::process::id());
        let memory = Path::new("/dev/shm").join(&own);
        let writable = fs::create_dir_all(&memory).is_ok();
        let path = if writable { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")).join(own) };
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Place(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

fn enumeration(problem: Problem, solver: &str, params: &[&str]) -> Enumeration {
    Enumeration { threads: 2, ..Enumeration::new(problem, Choice::new(solver, params).unwrap()) }
}

fn attempts(n: u64) -> Budget {
    Budget { attempts: Some(n), ..Budget::UNLIMITED }
}

/// Returns the sorted, packed canonical forms of the tours that an enumeration finds in memory, and
/// its counts.
fn in_memory(run: &Enumeration) -> (Vec<Vec<u64>>, hippodrome::lab::enumerate::Totals) {
    let packer = Packer::new(run.problem.graph());
    let mut canon = run.problem.canon(run.distinct);
    let mut keys = Vec::new();
    let mut take = |tour: Verified<'_>| {
        let mut key = Vec::new();
        packer.pack(canon.form(&tour), &mut key);
        keys.push(key);
        ControlFlow::Continue(())
    };
    let total = run.run(&Control::default(), Some(&mut take)).unwrap().total;
    keys.sort();
    (keys, total)
}

fn in_folder(run: &Enumeration, path: &Path) -> Merged {
    let control = Arc::<Control>::default();
    let (folder, job) = EnumerationJob::create(path, run.clone(), &control).unwrap();
    complete(&job, &folder, run.threads, JobMonitor::silent()).unwrap().1.unwrap()
}

fn go_on(path: &Path, change: JobChange) -> Merged {
    let control = Arc::<Control>::default();
    let mut folder = JobFolder::open(path).unwrap();
    let job = EnumerationJob::resume(&mut folder, change, &control).unwrap();
    complete(&job, &folder, 2, JobMonitor::silent()).unwrap().1.unwrap()
}

fn grown_to(n: u64) -> JobChange {
    JobChange { budget: attempts(n), ..JobChange::default() }
}

fn keys(path: &Path) -> Vec<Vec<u64>> {
    let set = TourSet::open(path).unwrap();
    let packer = Packer::new(set.graph());
    let mut keys = Vec::new();
    set.visit(1..=set.len(), |row, tour| {
        let mut key = Vec::new();
        packer.pack(tour.squares(), &mut key);
        keys.push(key);
        assert_eq!(row, keys.len() as u64);
        ControlFlow::Continue(())
    })
    .unwrap();
    keys
}

fn bytes(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("tours.parquet")).unwrap()
}

#[test]
fn a_folder_contains_the_tours_of_the_same_run_in_memory() {
    let place = Place::new("same");
    let holed = Board::parse("5x6").unwrap().with_holes([0].map(Square::new)).unwrap();
    let petersen = read_graph(
        "p",
        "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n",
    );
    let king = Graph::leaper(Board::parse("3x4").unwrap(), "0,1+1,1".parse().unwrap());
    let ten = Problem::closed(knight("10x10"));
    let some = attempts(3000);
    let runs = [
        enumeration(Problem::open(knight("5x5")), "exact", &[]),
        enumeration(Problem::open(Graph::knight(holed)), "exact", &[]),
        enumeration(Problem::open(petersen.unwrap()), "exact", &[]),
        Enumeration {
            distinct: Distinct::Symmetry,
            ..enumeration(Problem::open(king), "backtrack", &[])
        },
        Enumeration {
            budget: attempts(60_000),
            ..enumeration(Problem::open(knight("5x5")), "mace", &[])
        },
        Enumeration {
            budget: some,
            ..enumeration(Problem::open(knight("8x8")), "warnsdorff", &["ties=random"])
        },
        Enumeration {
            budget: some,
            ..enumeration(Problem::open(knight("8x8")), "ga-heuristic", &[])
        },
        Enumeration { budget: attempts(300), ..enumeration(ten, "neural", &[]) },
        Enumeration {
            keep: Some(TourFilter::Closed),
            distinct: Distinct::Cycle,
            budget: attempts(30_000),
            ..enumeration(Problem::open(knight("6x6")), "mace", &[])
        },
    ];
    for (number, run) in runs.iter().enumerate() {
        let path = place.at(&number.to_string());
        let merged = in_folder(run, &path);
        let (expected, total) = in_memory(run);
        assert!(total.distinct > 0, "{number}");
        assert_eq!(merged.summary.total, total, "{number}");
        assert_eq!(keys(&path), expected, "{number}");
        let set = TourSet::open(&path).unwrap();
        let checked = set.check(2, JobMonitor::silent()).unwrap();
        assert_eq!(
            (checked.valid, checked.closed, checked.wrong),
            (total.distinct, total.closed, 0)
        );
        let curve = fs::read_to_string(path.join("curve.csv")).unwrap();
        let repeated = curve.lines().last().unwrap().split(',').nth(3).unwrap().to_string();
        let last = format!(
            "{},{},{},{repeated},{}",
            total.attempts, total.tours, total.distinct, total.closed
        );
        assert_eq!(curve.lines().last(), Some(last.as_str()), "{number}");
    }
}

#[test]
fn a_budget_raised_later_gives_the_same_tours() {
    let place = Place::new("larger");
    for (number, (solver, params)) in
        [("mace", &[][..]), ("warnsdorff", &["ties=random"]), ("backtrack", &[]), ("exact", &[])]
            .into_iter()
            .enumerate()
    {
        let path = place.at(&number.to_string());
        let run = Enumeration {
            budget: attempts(20_000),
            ..enumeration(Problem::open(knight("6x6")), solver, params)
        };
        in_folder(&run, &path);
        let larger = Enumeration { budget: attempts(55_000), ..run };
        let merged = go_on(&path, grown_to(55_000));
        let (expected, total) = in_memory(&larger);
        assert_eq!((keys(&path), merged.summary.total), (expected, total), "{solver}");
        let control = Arc::<Control>::default();
        let mut folder = JobFolder::open(&path).unwrap();
        let smaller = EnumerationJob::resume(&mut folder, grown_to(54_999), &control);
        let refused = smaller.map(drop).unwrap_err().to_string();
        assert!(refused.contains("already has a budget of 55000 attempts"), "{refused}");
    }
}

#[test]
fn a_thousandfold_budget_does_not_create_a_thousandfold_of_files() {
    let place = Place::new("regrouped");
    let run = Enumeration {
        budget: attempts(2000),
        ..enumeration(Problem::open(knight("8x8")), "warnsdorff", &["ties=random"])
    };
    let path = place.at("job");
    in_folder(&run, &path);
    let control = Arc::<Control>::default();
    let mut folder = JobFolder::open(&path).unwrap();
    let larger = EnumerationJob::of(&folder, grown_to(200_000), &control).unwrap();
    assert_eq!(larger.units(), 64);
    let huge = EnumerationJob::resume(&mut folder, grown_to(20_000_000_000), &control).unwrap();
    assert!((64..=1100).contains(&huge.units()), "{}", huge.units());
    assert!(matches!(folder.state(&huge, 0).unwrap(), UnitState::Unfinished(_)));
    assert_eq!(huge.merge(&folder, JobMonitor::silent()).unwrap().summary.total.attempts, 2000);
    let again = EnumerationJob::of(&folder, JobChange::default(), &control).unwrap();
    assert_eq!((again.units(), again.terms(7)), (huge.units(), huge.terms(7)));
}

#[test]
fn a_stopped_job_keeps_its_tours() {
    let place = Place::new("stopped");
    let run = Enumeration {
        budget: attempts(50_000_000),
        ..enumeration(Problem::open(knight("6x6")), "mace", &[])
    };
    let control = Arc::<Control>::default();
    let path = place.at("job");
    let (folder, job) = EnumerationJob::create(&path, run, &control).unwrap();
    let found = AtomicU64::new(0);
    let tell = |event: JobEvent<'_>| {
        if matches!(event, JobEvent::Done(_)) && found.fetch_add(1, Relaxed) == 2 {
            control.interrupt.store(true, Relaxed);
        }
    };
    let (ran, merged) =
        complete(&job, &folder, 2, JobMonitor::new(&control.interrupt, &tell)).unwrap();
    assert!(ran.done >= 3 && !ran.all && merged.is_none());
    let merged = job.merge(&folder, JobMonitor::silent()).unwrap();
    let states = folder.results(&job, JobMonitor::silent()).unwrap();
    assert!(states.iter().all(|(_, s)| matches!(s, UnitState::Done(_) | UnitState::Unfinished(_))));
    assert!(states.len() as u64 >= ran.done);
    assert_eq!(merged.summary.status, hippodrome::search::Status::Interrupted);
    assert_eq!(merged.summary.total.attempts, control.attempts.load(Relaxed));
    assert_eq!(merged.summary.total.tours, control.tours.load(Relaxed));
    assert_eq!(merged.summary.total.distinct, TourSet::open(&path).unwrap().len());
}

#[test]
fn a_set_knows_its_own_board() {
    let place = Place::new("ground");
    let of = |board: Board, piece: &str, name: &str| {
        let graph = Graph::leaper(board, piece.parse().unwrap());
        let run = enumeration(Problem::open(graph.clone()), "exact", &[]);
        in_folder(&run, &place.at(name));
        (TourSet::open(&place.at(name)).unwrap(), graph)
    };
    let holed = |hole| Board::parse("3x4").unwrap().with_holes([Square::new(hole)]).unwrap();
    let sets = [
        of(Board::parse("3x4").unwrap(), "1,2", "full"),
        of(holed(0), "1,2", "a"),
        of(holed(3), "1,2", "b"),
        of(Board::parse("3x4").unwrap(), "1,2+0,1", "piece"),
    ];
    for (i, (set, _)) in sets.iter().enumerate() {
        for (j, (_, graph)) in sets.iter().enumerate() {
            assert_eq!(set.is_on(graph), i == j, "{i} {j}");
        }
    }
}

#[test]
fn the_status_of_a_job_needs_no_solver_tables() {
    let place = Place::new("outline");
    let path = place.at("job");
    let tables = place.at("tables");
    let problem = Problem::open(knight("5x6"));
    let run = Enumeration {
        budget: attempts(40_000),
        tables: Some(tables.clone()),
        ..enumeration(problem, "uniform", &[])
    };
    let stopped = Arc::<Control>::default();
    stopped.interrupt.store(true, Relaxed);
    // A stopped job writes no table, but its units are known.
    let (folder, job) = EnumerationJob::create(&path, run.clone(), &stopped).unwrap();
    assert_eq!(job.units(), 10);
    assert!(matches!(folder.glance(&job, 3).unwrap(), UnitState::Missing));
    assert!(matches!(job.prepare().map(drop), Err(StoreError::Stopped)));
    let ran = run_unit(&job, &folder, 0, JobMonitor::silent());
    assert!(matches!(ran, Err(StoreError::Stopped)));
    drop(folder);
    let merged = go_on(&path, JobChange { tables: Some(tables), ..JobChange::default() });
    let (expected, total) = in_memory(&run);
    assert_eq!((keys(&path), merged.summary.total), (expected, total));
    let summary = run.run(&stopped, None).unwrap();
    assert_eq!(summary.status, hippodrome::search::Status::Interrupted);
}

#[test]
fn sets_support_union_difference_and_membership() {
    let place = Place::new("sets");
    let mace = |seed: u64| Enumeration {
        seed,
        budget: attempts(100_000),
        ..enumeration(Problem::open(knight("5x5")), "mace", &[])
    };
    let (one, two) = (place.at("one"), place.at("two"));
    in_folder(&mace(1), &one);
    in_folder(&mace(2), &two);
    let (first, second) = (TourSet::open(&one).unwrap(), TourSet::open(&two).unwrap());
    let (a, b) = (keys(&one), keys(&two));
    for (how, name) in [(SetOperation::Union, "union"), (SetOperation::Difference, "difference")] {
        let path = place.at(&format!("{name}.parquet"));
        let count = first.join(&second, how, &path, JobMonitor::silent()).unwrap();
        let mut expected: Vec<_> = match how {
            SetOperation::Union => a.iter().chain(&b).cloned().collect(),
            SetOperation::Difference => a.iter().filter(|key| !b.contains(key)).cloned().collect(),
        };
        expected.sort();
        expected.dedup();
        assert_eq!((keys(&path), count), (expected.clone(), expected.len() as u64));
        let joined = TourSet::open(&path).unwrap();
        assert_eq!(joined.check(2, JobMonitor::silent()).unwrap().wrong, 0);
    }
    assert!(a.len() > b.iter().filter(|key| a.contains(key)).count());
    let graph = first.graph().clone();
    let packer = Packer::new(&graph);
    let tours: Vec<_> =
        b.iter().map(|key| verify(&graph, packer.unpack(key).unwrap()).unwrap()).collect();
    let views: Vec<_> = tours.iter().map(|tour| tour.view()).collect();
    let found = first.contains(&views).unwrap();
    assert_eq!(found, b.iter().map(|key| a.contains(key)).collect::<Vec<_>>());
    assert!(found.contains(&true) && found.contains(&false));
    let six = place.at("six");
    in_folder(
        &Enumeration {
            budget: attempts(9000),
            ..enumeration(Problem::open(knight("6x6")), "mace", &[])
        },
        &six,
    );
    let other = TourSet::open(&six).unwrap();
    let refused =
        first.join(&other, SetOperation::Union, &place.at("no.parquet"), JobMonitor::silent());
    assert!(matches!(refused, Err(StoreError::Refused(..))) && !place.at("no.parquet").exists());
}

#[test]
fn the_error_of_the_bitmaps_is_measured_against_the_exact_set() {
    let run = Enumeration {
        dedup: Dedup::Bloom,
        bloom: Bloom { hashes: 2, bits: 2000, measure: true },
        budget: attempts(200_000),
        ..enumeration(Problem::open(knight("5x5")), "mace", &[])
    };
    let bloom = run.run(&Control::default(), None).unwrap();
    let exact = Enumeration { dedup: Dedup::Exact, ..run }.run(&Control::default(), None).unwrap();
    let lost = bloom.lost.unwrap();
    assert!(lost > 100 && exact.lost.is_none());
    assert_eq!(bloom.total.distinct + lost, exact.total.distinct);
}
