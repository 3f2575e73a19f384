//! Tests that the table has the same bytes no matter how units are run and merged.

use super::*;
use hippodrome::error::{Diagnostic, Remedy};

#[test]
fn the_bytes_depend_only_on_the_job() {
    let place = Place::new("bytes");
    let run = Enumeration {
        budget: attempts(40_000),
        ..enumeration(Problem::open(knight("6x6")), "mace", &[])
    };
    let path = place.at("plain");
    in_folder(&run, &path);
    let plain = bytes(&path);
    // Use one thread, and so little memory that a unit writes several runs.
    let path = place.at("small");
    let small = Enumeration { threads: 1, memory: 1 << 10, ..run.clone() };
    let merged = in_folder(&small, &path);
    assert_eq!((bytes(&path) == plain, merged.bytes), (true, plain.len() as u64));
    assert_eq!(merged.checksum, xxhash_rust::xxh3::xxh3_64(&plain));
    // Run the units one by one in reverse order, then merge some parts separately.
    let path = place.at("apart");
    let control = Arc::<Control>::default();
    let (folder, job) = EnumerationJob::create(&path, run.clone(), &control).unwrap();
    assert!(job.units() > 4);
    drop(folder);
    let folder = JobFolder::share(&path).unwrap();
    for unit in (0..job.units()).rev() {
        assert!(run_unit(&job, &folder, unit, JobMonitor::silent()).unwrap());
    }
    // A part cannot be merged while a unit is missing, even if that unit may have no tours.
    fs::rename(folder.unit_path(2), path.join("hidden")).unwrap();
    let early = merge_part(&job, &folder, 3, JobMonitor::silent()).unwrap_err().to_string();
    assert!(early.starts_with("1 unit of") && early.ends_with("is not done (the first is 2)"));
    fs::rename(path.join("hidden"), folder.unit_path(2)).unwrap();
    for part in [3, 17, 40, 63] {
        assert!(merge_part(&job, &folder, part, JobMonitor::silent()).unwrap());
        assert!(!merge_part(&job, &folder, part, JobMonitor::silent()).unwrap());
    }
    let part = path.join("parts/17.part");
    let mut damaged = fs::read(&part).unwrap();
    damaged[9] ^= 1;
    fs::write(&part, damaged).unwrap();
    job.merge(&folder, JobMonitor::silent()).unwrap();
    assert!(bytes(&path) == plain);
    assert!(merge_part(&job, &folder, 17, JobMonitor::silent()).unwrap());
    let curve = |name: &str| fs::read(place.at(name).join("curve.csv")).unwrap();
    assert!(curve("apart") == curve("plain") && curve("small") == curve("plain"));
}

#[test]
fn many_runs_of_a_unit_are_merged_into_one() {
    let place = Place::new("runs");
    let run = Enumeration {
        budget: attempts(1_300_000),
        ..enumeration(Problem::open(knight("8x8")), "warnsdorff", &["ties=random"])
    };
    let plain = place.at("plain");
    in_folder(&run, &plain);
    // Use so little memory that a unit has to write its tours in many pieces.
    let small = Enumeration { threads: 1, memory: 1 << 10, ..run };
    let control = Arc::<Control>::default();
    let path = place.at("small");
    let (folder, job) = EnumerationJob::create(&path, small, &control).unwrap();
    let runs = |unit| match folder.state(&job, unit).unwrap() {
        UnitState::Done(sealed) => sealed.sections.len() / 64,
        other => panic!("{other:?}"),
    };
    // A stop while the unit is written leaves its runs unchanged: nothing is lost.
    let stop = AtomicBool::new(false);
    let tell = |event: JobEvent<'_>| {
        if let JobEvent::Phase(JobPhase::Write, _) = event {
            stop.store(true, Relaxed);
        }
    };
    assert!(run_unit(&job, &folder, 0, JobMonitor::new(&stop, &tell)).unwrap());
    assert!(runs(0) > 16, "{}", runs(0));
    for unit in 0..job.units() {
        assert!(run_unit(&job, &folder, unit, JobMonitor::silent()).unwrap());
    }
    assert!(runs(0) > 16 && (1..job.units()).all(|unit| runs(unit) == 1));
    job.merge(&folder, JobMonitor::silent()).unwrap();
    assert!(bytes(&path) == bytes(&plain));
    let curve = |path: &Path| fs::read(path.join("curve.csv")).unwrap();
    assert!(curve(&path) == curve(&plain));
}

#[test]
fn separately_encoded_rows_are_concatenated() {
    // Write more rows than fit in a row group, in 64 parts, so that groups begin and end within
    // parts.
    let place = Place::new("rows");
    let run = enumeration(Problem::open(knight("5x6")), "exact", &[]);
    let many = Enumeration {
        budget: attempts(800_000),
        ..enumeration(Problem::open(knight("8x8")), "warnsdorff", &["ties=random"])
    };
    for (run, name) in [(run, "few"), (many, "many")] {
        let path = place.at(name);
        in_folder(&run, &path);
        let (plain, curve) = (bytes(&path), fs::read(path.join("curve.csv")).unwrap());
        let rows = TourSet::open(&path).unwrap().len();
        assert_eq!(rows > 1 << 19, name == "many", "{rows}");
        let control = Arc::<Control>::default();
        let mut folder = JobFolder::open(&path).unwrap();
        let job = EnumerationJob::resume(&mut folder, JobChange::default(), &control).unwrap();
        let silent = JobMonitor::silent();
        // A part cannot be encoded before all parts are merged.
        for part in 1..64 {
            assert!(merge_part(&job, &folder, part, silent).unwrap());
        }
        let early = encode_part(&job, &folder, 5, silent).unwrap_err();
        let said = early.to_string();
        assert!(said.starts_with("part 0 of") && said.ends_with("is not merged"), "{said}");
        assert_eq!(early.remedies(), [Remedy::MergePart(path.display().to_string(), 0)]);
        assert!(merge_part(&job, &folder, 0, silent).unwrap());
        for part in (0..64).rev() {
            assert!(encode_part(&job, &folder, part, silent).unwrap());
            assert!(!encode_part(&job, &folder, part, silent).unwrap());
        }
        assert!(encode_part(&job, &folder, 64, silent).is_err());
        // These files are concatenated: an altered one is detected and not used again.
        let largest = |folder: &Path| {
            let files = fs::read_dir(folder.join("parts")).unwrap().map(|e| e.unwrap().path());
            let rows = files.filter(|f| f.extension().is_some_and(|e| e == "rows"));
            rows.max_by_key(|f| f.metadata().unwrap().len()).unwrap()
        };
        let altered = largest(&path);
        let whole = fs::read(&altered).unwrap();
        let mut spoiled = whole.clone();
        spoiled[100] ^= 1;
        fs::write(&altered, &spoiled).unwrap();
        let damage = job.merge(&folder, silent).unwrap_err();
        assert!(damage.is_damage() && !altered.exists(), "{damage}");
        assert!(bytes(&path) == plain, "the table is left as it was");
        let part = altered.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        assert!(encode_part(&job, &folder, part, silent).unwrap());
        assert!(fs::read(&altered).unwrap() == whole);
        fs::remove_file(path.join("tours.parquet")).unwrap();
        job.merge(&folder, silent).unwrap();
        assert!(bytes(&path) == plain && fs::read(path.join("curve.csv")).unwrap() == curve);
        assert!(!path.join("parts").exists());
    }
}

#[test]
fn merging_can_be_stopped() {
    let place = Place::new("merging");
    let path = place.at("job");
    let run = enumeration(Problem::open(knight("5x5")), "exact", &[]);
    let control = Arc::<Control>::default();
    let (folder, job) = EnumerationJob::create(&path, run, &control).unwrap();
    run_missing(&job, &folder, 2, JobMonitor::silent()).unwrap();
    let stop = AtomicBool::new(true);
    let watch = JobMonitor::new(&stop, &|_| {});
    assert!(matches!(merge_part(&job, &folder, 3, watch), Err(StoreError::Stopped)));
    for part in 0..64 {
        merge_part(&job, &folder, part, JobMonitor::silent()).unwrap();
    }
    assert!(matches!(encode_part(&job, &folder, 3, watch), Err(StoreError::Stopped)));
    fs::remove_dir_all(path.join("parts")).unwrap();
    assert!(matches!(job.merge(&folder, watch), Err(StoreError::Stopped)));
    let left = |name: &str| fs::read_dir(path.join(name)).unwrap().count();
    assert!(!path.join("parts").exists() && !path.join("tours.parquet").exists());
    job.merge(&folder, JobMonitor::silent()).unwrap();
    let set = TourSet::open(&path).unwrap();
    let joined = set.join(&set, SetOperation::Union, &place.at("joined.parquet"), watch);
    assert!(matches!(joined, Err(StoreError::Stopped)) && left("..") == 1);
}
