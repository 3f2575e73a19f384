//! A count of open tours as a job, with one unit per class of pairs of ends, for boards that take hours.
//!
//! Pairs of ends that a symmetry of the board maps to each other have equal numbers of tours, so only one
//! pair of each class is counted and checked. Merging adds up the counts of all classes and checks the sum.

use super::identity::{describe_graph, graph};
use super::record::write_record;
use super::{
    Identity, Job, JobFolder, JobMonitor, SealedWriter, StoreError, UnitResult, UnitState,
};
use crate::count::{
    self, BigUint, Check, Count, CountError, CountKind, CountPlan, Counted, EndClass, Forecast,
};
use crate::error::{Argument, Remedy};
use crate::search::Status;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, OnceLock};

const KIND: &str = "count";

/// A count in a job folder.
pub struct CountJob {
    count: Count,
    classes: Vec<EndClass>,
    watch: Arc<count::CountMonitor>,
    /// The plan of the first unit, if the forecast has made it.
    first: OnceLock<CountPlan>,
}

/// The result of merging a count.
pub struct CountJobSummary {
    /// The classes counted so far.
    pub classes: Vec<EndClass>,
    /// Total number of classes.
    pub units: u64,
    /// The sum with its checks, if all classes are counted.
    pub counted: Option<Counted>,
    /// Running time in seconds, by the wall clock.
    pub seconds: f64,
}

fn refused(matter: &str, leave_out: &[Argument]) -> StoreError {
    StoreError::Refused(matter.into(), vec![Remedy::LeaveOut(leave_out.into())])
}

fn failed(error: CountError) -> StoreError {
    match error {
        CountError::Interrupted => StoreError::Stopped,
        error => StoreError::Count(error),
    }
}

impl CountJob {
    /// Creates the folder of a new job. The monitor can interrupt the planning, and later the job.
    pub fn create(
        path: &Path,
        count: Count,
        watch: &Arc<count::CountMonitor>,
    ) -> Result<(JobFolder, CountJob), StoreError> {
        let job = CountJob::new(count, watch)?;
        // Reject a count that is too large before creating the folder.
        job.forecast()?;
        let folder = JobFolder::create(path, (KIND, job.identity()), job.plan())?;
        Ok((folder, job))
    }

    /// Returns the number of units that the job of a count would have, and the forecast for its first unit.
    pub fn foresee(
        count: Count,
        watch: &Arc<count::CountMonitor>,
    ) -> Result<(u64, Option<Forecast>), StoreError> {
        let job = CountJob::new(count, watch)?;
        Ok((job.units(), job.forecast()?))
    }

    fn forecast(&self) -> Result<Option<Forecast>, StoreError> {
        let Some(class) = self.classes.first() else { return Ok(None) };
        let plan = self.one(class).plan(&self.watch).map_err(failed)?;
        let plan = self.first.get_or_init(|| plan);
        plan.forecast(&self.watch).map(Some).map_err(failed)
    }

    /// Opens the job in a folder. If `confirm` is set and was not set before, all units are run again.
    pub fn resume(
        folder: &mut JobFolder,
        (threads, confirm): (usize, bool),
        watch: &Arc<count::CountMonitor>,
    ) -> Result<CountJob, StoreError> {
        let mut job = CountJob::of(folder, threads, watch)?;
        job.count.confirm |= confirm;
        folder.revise(job.plan())?;
        Ok(job)
    }

    /// Opens the job like [`CountJob::resume`], but does not change the folder.
    pub fn of(
        folder: &JobFolder,
        threads: usize,
        watch: &Arc<count::CountMonitor>,
    ) -> Result<CountJob, StoreError> {
        folder.expect(KIND, &Identity::new())?;
        let confirm = folder.plan()["confirm"] == true;
        let count =
            Count { threads, confirm, ..Count::new(graph(folder.identity())?, CountKind::Open) };
        CountJob::new(count, watch)
    }

    fn new(count: Count, watch: &Arc<count::CountMonitor>) -> Result<CountJob, StoreError> {
        if count.kind != CountKind::Open || count.start.is_some() || count.end.is_some() {
            return Err(refused(
                "a job folder counts only open tours with free ends",
                &[Argument::Closed, Argument::Kind, Argument::Start, Argument::End],
            ));
        }
        if count.by.is_some() || count.classes {
            let matter = "a job folder always breaks the count down by ends";
            return Err(refused(matter, &[Argument::By, Argument::Classes]));
        }
        let classes = count.end_classes(watch).map_err(failed)?;
        Ok(CountJob { count, classes, watch: Arc::clone(watch), first: OnceLock::new() })
    }

    fn plan(&self) -> Value {
        json!({ "confirm": self.count.confirm })
    }

    /// Returns the same job with another monitor.
    pub fn watched(&self, watch: &Arc<count::CountMonitor>) -> CountJob {
        let (count, classes) = (self.count.clone(), self.classes.clone());
        CountJob { count, classes, watch: Arc::clone(watch), first: OnceLock::new() }
    }

    /// Returns the count.
    pub fn count(&self) -> &Count {
        &self.count
    }

    /// Returns the count of the tours between the ends of one class.
    fn one(&self, class: &EndClass) -> Count {
        let [start, end] = class.ends.map(Some);
        Count { start, end, ..self.count.clone() }
    }

    fn names(&self, class: &EndClass) -> [String; 2] {
        class.ends.map(|end| self.count.graph.name(end))
    }
}

impl CountJobSummary {
    /// Describes the count, its running time and its memory as JSON.
    pub fn describe(&self, job: &CountJob, peak: u64) -> Value {
        let mut described = match &self.counted {
            Some(counted) => counted.describe(&job.count, self.seconds, peak),
            None => json!({ "directed": null, "undirected": null }),
        };
        described["units"] = self.units.into();
        described["units_done"] = self.classes.len().into();
        described
    }

    fn write_record(&self, job: &CountJob, folder: &JobFolder) -> Result<(), StoreError> {
        let counted = self.counted.as_ref();
        let number = |n: Option<&BigUint>| n.map(ToString::to_string);
        let checks = counted.map_or(&[][..], |counted| &counted.checks[..]);
        let check = |c: &Check| json!({ "name": c.name, "detail": c.detail });
        let by_ends: Vec<Value> =
            self.classes.iter().map(|class| class.describe(&job.count)).collect();
        let result = json!({
            "directed": number(counted.and_then(|counted| counted.directed.as_ref())),
            "undirected": number(counted.map(|counted| &counted.undirected)),
            "checks": checks.iter().map(check).collect::<Vec<Value>>(), "by_ends": by_ends,
        });
        let status = if counted.is_some() { Status::Complete } else { Status::Limit };
        let units = (Some(self.units), self.classes.len() as u64);
        write_record(folder, status.word(), units, (self.seconds, job.count.threads), result)
    }
}

impl Job for CountJob {
    type Summary = CountJobSummary;

    fn kind(&self) -> &'static str {
        KIND
    }

    fn identity(&self) -> Identity {
        describe_graph(&self.count.graph)
    }

    fn units(&self) -> u64 {
        self.classes.len() as u64
    }

    fn terms(&self, _: u64) -> Value {
        self.plan()
    }

    fn run_unit(
        &self,
        unit: u64,
        _: &mut SealedWriter<'_>,
        _: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError> {
        let class = &self.classes[unit as usize];
        let counted = match self.first.get().filter(|_| unit == 0) {
            Some(plan) => plan.run(&self.watch),
            None => self.one(class).run(&self.watch),
        };
        let counted = counted.map_err(failed)?;
        let checks: Vec<&str> = counted.checks.iter().map(|check| check.name).collect();
        let note = json!({
            "ends": self.names(class), "pairs": class.pairs,
            "undirected": counted.undirected.to_string(), "checks": checks,
        });
        Ok(UnitResult { whole: true, reached: 0, note })
    }

    fn merge(
        &self,
        folder: &JobFolder,
        watch: JobMonitor<'_>,
    ) -> Result<CountJobSummary, StoreError> {
        let mut classes = Vec::new();
        for (unit, state) in folder.results(self, watch)? {
            let UnitState::Done(sealed) = state else { continue };
            let class = &self.classes[unit as usize];
            let note = &sealed.note["note"];
            let tours = note["undirected"].as_str().and_then(|text| text.parse().ok());
            match tours {
                Some(tours) if note["ends"] == json!(self.names(class)) => {
                    classes.push(EndClass { tours, ..class.clone() });
                }
                _ => {
                    return Err(StoreError::damaged(&sealed.path, "it belongs to another class"));
                }
            }
        }
        let all = classes.len() == self.classes.len();
        let counted = all.then(|| self.count.sum_up(classes.clone(), &self.watch)).transpose();
        let (units, counted) = (self.units(), counted.map_err(failed)?);
        let summary = CountJobSummary { classes, units, counted, seconds: watch.seconds() };
        summary.write_record(self, folder)?;
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{complete, run_unit};
    use super::*;
    use crate::board::{Board, Graph, Square};
    use std::path::PathBuf;

    fn fresh(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hippodrome-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        path
    }

    fn open(board: &str) -> Count {
        Count::new(Graph::knight(Board::parse(board).unwrap()), CountKind::Open)
    }

    #[test]
    fn a_count_in_a_folder_equals_the_count_in_memory() {
        for board in ["1x1", "3x4", "4x5", "5x5", "3x3"] {
            let path = fresh(board);
            let watch = Arc::new(count::CountMonitor::default());
            let plain = open(board).run(&watch).unwrap();
            let (folder, job) = CountJob::create(&path, open(board), &watch).unwrap();
            let (ran, census) = complete(&job, &folder, 1, JobMonitor::silent()).unwrap();
            let CountJobSummary { units, counted, .. } = census.unwrap();
            let counted = counted.unwrap();
            assert!(ran.all && ran.done == units, "{board}");
            assert_eq!(counted.directed, plain.directed, "{board}");
            assert_eq!(counted.undirected, plain.undirected, "{board}");
            std::fs::remove_dir_all(path).unwrap();
        }
    }

    #[test]
    fn separate_units_add_up_and_a_wrong_one_is_detected() {
        let path = fresh("count-apart");
        let watch = Arc::new(count::CountMonitor::default());
        let (folder, job) = CountJob::create(&path, open("5x6"), &watch).unwrap();
        for unit in (0..job.units()).rev() {
            assert!(job.merge(&folder, JobMonitor::silent()).unwrap().counted.is_none());
            assert!(run_unit(&job, &folder, unit, JobMonitor::silent()).unwrap());
        }
        let census = job.merge(&folder, JobMonitor::silent()).unwrap();
        let counted = census.counted.unwrap();
        assert_eq!(counted.undirected, open("5x6").run(&watch).unwrap().undirected);
        assert!(counted.checks.iter().any(|check| check.name == "cycles"));
        let mut classes = census.classes;
        let joined = |class: &&mut EndClass| {
            let [s, e] = class.ends;
            job.count.graph.neighbours(s).any(|n| n == e)
        };
        let wrong = classes.iter_mut().find(joined).unwrap();
        wrong.tours += 1u32;
        assert!(matches!(job.count.sum_up(classes, &watch), Err(CountError::Check(_))));
        std::fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn only_open_tours_with_free_ends_are_counted_in_a_folder() {
        let path = fresh("count-refused");
        let watch = Arc::new(count::CountMonitor::default());
        for count in [
            Count { kind: CountKind::Closed, ..open("6x6") },
            Count { start: Some(Square::new(0)), ..open("5x5") },
            Count { classes: true, ..open("5x5") },
        ] {
            assert!(matches!(CountJob::create(&path, count, &watch), Err(StoreError::Refused(..))));
            assert!(!path.exists());
        }
    }
}
