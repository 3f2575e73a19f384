//! Tests of interrupts, damage, locks and conflicts, with a job that squares numbers.

use super::*;
use crate::store::monitor::JobEvent;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// A job whose unit n writes n squared; merging adds up the squares.
struct Squares {
    units: u64,
    seed: u64,
    share: u64,
    /// The progress after which units are interrupted, if they are.
    cut: Option<u64>,
    ran: AtomicUsize,
}

impl Squares {
    fn new(units: u64) -> Squares {
        Squares { units, seed: 7, share: 1, cut: None, ran: AtomicUsize::new(0) }
    }

    fn folder(&self, name: &str) -> (PathBuf, JobFolder) {
        // Use a memory file system if there is one: thousands of damaged files are written.
        let own = format!("hippodrome-{}-{name}", std::process::id());
        let memory = Path::new("/dev/shm").join(&own);
        let writable = fs::create_dir_all(&memory).is_ok();
        let path = if writable { memory } else { std::env::temp_dir().join(own) };
        let _ = fs::remove_dir_all(&path);
        let folder = JobFolder::create(&path, (self.kind(), self.identity()), json!({})).unwrap();
        (path, folder)
    }

    fn ran(&self) -> usize {
        self.ran.swap(0, Relaxed)
    }
}

impl Job for Squares {
    type Summary = u64;

    fn kind(&self) -> &'static str {
        "squares"
    }

    fn identity(&self) -> Identity {
        [("seed".to_string(), self.seed.into())].into_iter().collect()
    }

    fn units(&self) -> u64 {
        self.units
    }

    fn terms(&self, _: u64) -> Value {
        self.share.into()
    }

    fn run_unit(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError> {
        self.ran.fetch_add(1, Relaxed);
        let reached = self.cut.unwrap_or(self.share);
        out.write(&(unit * unit * reached).to_le_bytes())?;
        out.end_section();
        out.write(b"and something after it")?;
        let whole = self.cut.is_none() && !watch.stopped();
        Ok(UnitResult { whole, reached, note: json!({ "n": unit }) })
    }

    fn merge(&self, folder: &JobFolder, watch: JobMonitor<'_>) -> Result<u64, StoreError> {
        let mut sum = 0;
        for (_, state) in folder.results(self, watch)? {
            if let UnitState::Done(sealed) | UnitState::Unfinished(sealed) = state {
                sum += u64::from_le_bytes(sealed.bytes(0)?.try_into().unwrap());
            }
        }
        Ok(sum)
    }
}

#[test]
fn units_run_once_on_any_number_of_threads() {
    let job = Squares::new(10);
    let (path, folder) = job.folder("once");
    assert!(run_unit(&job, &folder, 3, JobMonitor::silent()).unwrap());
    assert_eq!(job.ran(), 1);
    let (ran, sum) = complete(&job, &folder, 4, JobMonitor::silent()).unwrap();
    assert_eq!((ran, sum), (Ran { done: 10, all: true }, Some(285)));
    assert_eq!(job.ran(), 9);
    assert_eq!(complete(&job, &folder, 1, JobMonitor::silent()).unwrap().1, Some(285));
    assert_eq!(job.ran(), 0);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn an_interrupted_unit_is_kept_and_run_again() {
    let job = Squares::new(4);
    let (path, folder) = job.folder("stopped");
    let stop = AtomicBool::new(false);
    let tell = |event: JobEvent<'_>| {
        if matches!(event, JobEvent::Done(1)) {
            stop.store(true, Relaxed);
        }
    };
    let (ran, sum) = complete(&job, &folder, 1, JobMonitor::new(&stop, &tell)).unwrap();
    assert_eq!((ran, sum), (Ran { done: 2, all: false }, None));
    let (ran, sum) = complete(&job, &folder, 1, JobMonitor::silent()).unwrap();
    assert_eq!((ran.all, sum), (true, Some(14)));
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_unit_interrupted_sooner_loses_nothing() {
    let cut = |reached| Squares { cut: Some(reached), ..Squares::new(3) };
    let (path, folder) = cut(10).folder("sooner");
    let stopped_after = |reached| {
        let job = cut(reached);
        assert!(!run_unit(&job, &folder, 2, JobMonitor::silent()).unwrap());
        job.merge(&folder, JobMonitor::silent()).unwrap()
    };
    assert_eq!([10, 3, 10, 20].map(stopped_after), [40, 40, 40, 80]);
    // An interrupted run does not replace a result that is complete for a smaller share either.
    assert!(run_unit(&Squares::new(3), &folder, 1, JobMonitor::silent()).unwrap());
    let larger = Squares { share: 5, cut: Some(1), ..Squares::new(3) };
    assert!(!run_unit(&larger, &folder, 1, JobMonitor::silent()).unwrap());
    assert!(matches!(folder.state(&Squares::new(3), 1).unwrap(), UnitState::Done(_)));
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_result_of_another_job_is_rejected() {
    let (one, two) = (Squares::new(2), Squares { seed: 8, ..Squares::new(2) });
    let ((from, first), (to, second)) = (one.folder("mine"), two.folder("yours"));
    assert!(run_unit(&one, &first, 1, JobMonitor::silent()).unwrap());
    fs::copy(first.unit_path(1), second.unit_path(1)).unwrap();
    assert!(matches!(second.state(&two, 1).unwrap(), UnitState::Damaged(_)));
    fs::remove_dir_all(from).unwrap();
    fs::remove_dir_all(to).unwrap();
}

#[test]
fn a_unit_with_a_larger_share_is_run_again() {
    let job = Squares::new(3);
    let (path, folder) = job.folder("share");
    complete(&job, &folder, 2, JobMonitor::silent()).unwrap();
    let larger = Squares { share: 10, ..Squares::new(4) };
    assert!(matches!(folder.state(&larger, 1).unwrap(), UnitState::Unfinished(_)));
    assert!(matches!(folder.state(&larger, 3).unwrap(), UnitState::Missing));
    assert_eq!(complete(&larger, &folder, 2, JobMonitor::silent()).unwrap().1, Some(140));
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn every_truncation_and_flipped_bit_is_detected_and_repaired() {
    let job = Squares::new(2);
    let (path, folder) = job.folder("damaged");
    run_missing(&job, &folder, 1, JobMonitor::silent()).unwrap();
    let file = folder.unit_path(1);
    let whole = fs::read(&file).unwrap();
    let damage = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        match folder.state(&job, 1).unwrap() {
            UnitState::Damaged(error) => {
                assert!(error.to_string().contains("00000001.unit"), "{error}")
            }
            state => panic!("{state:?}"),
        }
    };
    (0..whole.len()).for_each(|length| damage(&whole[..length]));
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        damage(&flipped);
    }
    damage(&[&whole[..], b"x"].concat());
    let named = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let tell = |event: JobEvent<'_>| {
        named.fetch_add(usize::from(matches!(event, JobEvent::Damaged(_))), Relaxed);
    };
    assert_eq!(complete(&job, &folder, 1, JobMonitor::new(&stop, &tell)).unwrap().1, Some(1));
    assert_eq!((named.into_inner(), fs::read(&file).unwrap()), (1, whole));
    // A valid file in the wrong place is damage, too.
    fs::copy(folder.unit_path(0), &file).unwrap();
    assert!(matches!(folder.state(&job, 1).unwrap(), UnitState::Damaged(_)));
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_folder_belongs_to_one_process_and_one_job() {
    let job = Squares::new(2);
    let (path, folder) = job.folder("owned");
    assert!(matches!(JobFolder::open(&path), Err(StoreError::InUse(_))));
    assert!(matches!(JobFolder::share(&path), Err(StoreError::InUse(_))));
    drop(folder);
    let (one, two) = (JobFolder::share(&path).unwrap(), JobFolder::share(&path).unwrap());
    assert!(matches!(JobFolder::open(&path), Err(StoreError::InUse(_))));
    drop((one, two));
    fs::write(path.join("units/.00000001.unit.9-9-9.part"), "left by a killed process").unwrap();
    let mut folder = JobFolder::open(&path).unwrap();
    assert_eq!(fs::read_dir(path.join("units")).unwrap().count(), 0);
    folder.expect("squares", &job.identity()).unwrap();
    let other = Squares { seed: 8, ..Squares::new(2) };
    let refused = folder.expect("squares", &other.identity()).unwrap_err().to_string();
    assert!(refused.contains("its seed is 7, not 8"), "{refused}");
    folder.expect("squares", &Identity::new()).unwrap();
    let refused = folder.expect("cubes", &job.identity()).unwrap_err().to_string();
    assert!(refused.contains("its kind is squares, not cubes"), "{refused}");
    folder.revise(json!({ "attempts": 5 })).unwrap();
    drop(folder);
    assert_eq!(*JobFolder::look(&path).unwrap().plan(), json!({ "attempts": 5 }));
    let create = |at: &Path| JobFolder::create(at, ("squares", job.identity()), json!({}));
    assert!(matches!(create(&path), Err(StoreError::Exists(_))));
    assert!(matches!(create(&path.join("units")).map(drop), Ok(())));
    assert!(matches!(create(path.parent().unwrap()), Err(StoreError::NotEmpty(_))));
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn another_version_and_an_altered_description_are_rejected() {
    let job = Squares::new(2);
    let (path, folder) = job.folder("version");
    drop(folder);
    let file = path.join("job.json");
    let text = fs::read_to_string(&file).unwrap();
    let refused = |text: &str| {
        fs::write(&file, text).unwrap();
        JobFolder::open(&path).map(drop).unwrap_err().to_string()
    };
    let newer = text.replace(&format!("\"format\": {FORMAT}"), "\"format\": 2");
    assert!(refused(&newer).contains("a format of version 2, but this version supports 1"));
    assert!(refused(&text.replace("\"seed\": 7", "\"seed\": 8")).contains("job.json is damaged"));
    assert!(refused(&text[..text.len() / 2]).contains("job.json is damaged"));
    fs::write(&file, &text).unwrap();
    JobFolder::open(&path).map(drop).unwrap();
    fs::remove_dir_all(path).unwrap();
}
