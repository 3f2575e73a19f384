//! What a watched colony sends: the path of every ant, and a report with the pheromone after each cycle.

use crate::board::Square;
use crate::board::move_weights::MoveWeight;
use crate::search::{CycleReport, Run, SearchEvent};
use std::ops::ControlFlow;

/// The events of one colony. Nothing is counted unless the run is watched.
pub(super) struct ColonyWatch {
    /// Squares of a tour.
    order: usize,
    report: CycleReport,
    /// Squares of all paths of the cycle.
    squares: usize,
}

impl ColonyWatch {
    /// Watches a colony, which has a number if there are several.
    pub(super) fn new(order: usize, colony: Option<u64>) -> ColonyWatch {
        let report = CycleReport {
            number: 0,
            colony,
            ants: 0,
            longest: 0,
            mean: 0.0,
            whole: 0,
            total: (0.0, 0.0),
            strongest: None,
        };
        ColonyWatch { order, report, squares: 0 }
    }

    /// Notes the pheromone before the first cycle.
    pub(super) fn begin(&mut self, run: &Run<'_>, amounts: impl FnOnce() -> Vec<MoveWeight>) {
        if run.is_watched() {
            self.report.total.1 = total(&amounts());
        }
    }

    /// Sends the path of an ant step by step.
    pub(super) fn path(&mut self, path: &[Square], run: &mut Run<'_>) -> ControlFlow<()> {
        self.report.ants += 1;
        self.report.longest = self.report.longest.max(path.len());
        self.report.whole += u64::from(path.len() == self.order);
        self.squares += path.len();
        (1..=path.len()).try_for_each(|length| run.event(&SearchEvent::Path(&path[..length])))
    }

    /// Sends the report of a cycle and the pheromone after it, if the run is watched.
    pub(super) fn end(
        &mut self,
        run: &mut Run<'_>,
        amounts: impl FnOnce() -> Vec<MoveWeight>,
    ) -> ControlFlow<()> {
        if !run.is_watched() {
            return ControlFlow::Continue(());
        }
        let amounts = amounts();
        let CycleReport { number, colony, ants, total: (_, before), .. } = self.report;
        let strongest = amounts.iter().copied().reduce(|a, b| if b.2 > a.2 { b } else { a });
        let report = CycleReport {
            number: number + 1,
            mean: self.squares as f64 / ants.max(1) as f64,
            total: (before, total(&amounts)),
            strongest,
            ..self.report
        };
        run.event(&SearchEvent::Cycle(report))?;
        *self = ColonyWatch::new(self.order, colony);
        (self.report.number, self.report.total) = (report.number, report.total);
        run.event(&SearchEvent::MoveWeights(&amounts))
    }
}

fn total(amounts: &[MoveWeight]) -> f64 {
    amounts.iter().map(|amount| amount.2).sum()
}
