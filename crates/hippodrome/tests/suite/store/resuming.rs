//! Tests of changes between two runs of a job, and of the state of a stopped job.

use super::*;
use hippodrome::error::Argument;
use hippodrome::store::restated;

fn mace(params: &[&str]) -> Enumeration {
    Enumeration {
        budget: attempts(2000),
        ..enumeration(Problem::open(knight("6x6")), "mace", params)
    }
}

#[test]
fn a_folder_rejects_only_contradicting_options() {
    let place = Place::new("restated");
    let path = place.at("job");
    in_folder(&mace(&[]), &path);
    let control = Arc::<Control>::default();
    let folder = JobFolder::open(&path).unwrap();
    let wrong = |here: &Enumeration, fields: &[&str], params: &[&str]| {
        let change = JobChange { restated: restated(here, fields, params), ..JobChange::default() };
        match EnumerationJob::of(&folder, change, &control).map(drop) {
            Ok(()) => None,
            Err(StoreError::Other { field, there, here, .. }) => Some([field, there, here]),
            Err(error) => panic!("{error}"),
        }
    };
    let seeded = Enumeration { seed: 2, ..mace(&["alpha=2"]) };
    assert_eq!(wrong(&seeded, &["board", "solver", "holes"], &["beta"]), None);
    assert_eq!(wrong(&seeded, &["board", "seed"], &[]).unwrap(), ["seed", "1", "2"]);
    let [field, there, here] = wrong(&seeded, &["board"], &["alpha"]).unwrap();
    assert_eq!((field.as_str(), here.as_str()), ("params", "alpha=2"));
    assert!(there.starts_with("alpha=") && !there.contains(','), "{there}");
    let holed = Graph::knight(Board::parse("6x6").unwrap().with_holes([Square::new(0)]).unwrap());
    let holed = enumeration(Problem::open(holed), "mace", &[]);
    assert_eq!(wrong(&holed, &["board", "holes"], &[]).unwrap()[0], "holes");
    assert!(EnumerationJob::of(&folder, JobChange::default(), &control).is_ok());
}

#[test]
fn requesting_all_tours_removes_the_limits_of_a_job() {
    let place = Place::new("all");
    let path = place.at("job");
    let some = Enumeration {
        budget: attempts(50),
        ..enumeration(Problem::open(knight("5x5")), "exact", &[])
    };
    assert!(in_folder(&some, &path).summary.total.distinct < 1728);
    let merged = go_on(&path, JobChange { all: true, ..JobChange::default() });
    assert_eq!(merged.summary.total.distinct, 1728);
    let folder = JobFolder::look(&path).unwrap();
    assert!(folder.plan()["attempts"].is_null());
    let limited = EnumerationJob::of(&folder, grown_to(u64::MAX - 1), &Arc::default());
    assert!(matches!(
        limited.map(drop),
        Err(StoreError::Smaller { argument: Argument::Attempts, .. })
    ));
}

#[test]
fn a_job_that_cannot_begin_leaves_no_folder() {
    let place = Place::new("begin");
    let path = place.at("job");
    let stopped = Arc::<Control>::default();
    stopped.interrupt.store(true, Relaxed);
    let run = Enumeration {
        budget: attempts(40_000),
        ..enumeration(Problem::open(knight("5x6")), "uniform", &[])
    };
    let begun = EnumerationJob::begin(&path, run.clone(), &stopped);
    assert!(matches!(begun.map(drop), Err(StoreError::Stopped)) && !path.exists());
    let control = Arc::<Control>::default();
    drop(EnumerationJob::begin(&path, run.clone(), &control).unwrap());
    let again = EnumerationJob::begin(&path, run, &control);
    assert!(matches!(again.map(drop), Err(StoreError::Exists(_))));
}

#[test]
fn a_job_stopped_with_few_tours_is_merged_and_recorded() {
    let place = Place::new("few");
    let path = place.at("job");
    let control = Arc::<Control>::default();
    let run = Enumeration { budget: attempts(500_000), ..mace(&[]) };
    let (folder, job) = EnumerationJob::begin(&path, run, &control).unwrap();
    assert!(job.units() > 16);
    let tell = |event: JobEvent<'_>| {
        if matches!(event, JobEvent::Done(3)) {
            control.interrupt.store(true, Relaxed);
        }
    };
    let watch = JobMonitor::new(&control.interrupt, &tell).taking(Some(1.5));
    let merged = job.run(&folder, watch).unwrap().unwrap();
    assert_eq!(merged.summary.status, hippodrome::search::Status::Interrupted);
    assert!(merged.done >= 3 && Some(merged.done) < merged.units, "{}", merged.done);
    assert_eq!(
        (merged.summary.total.distinct, merged.summary.seconds),
        (keys(&path).len() as u64, 1.5)
    );
    let record = fs::read_to_string(path.join("record.json")).unwrap();
    assert!(record.contains("\"status\": \"interrupted\"") && record.contains("\"seconds\": 1.5"));
    check_record(&path).unwrap();
}
