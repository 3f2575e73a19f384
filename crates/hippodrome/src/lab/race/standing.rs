//! Statistics of an entrant's runs, with confidence intervals.

use super::law::{Law, StartBias};
use super::{Entrant, Race, RaceRun, Raced};
use crate::lab::statistics::{Spread, quartiles, share_interval};

/// Confidence level of the intervals that are shown, and of comparisons between entrants.
pub const CONFIDENCE: (f64, f64) = (0.95, 0.99);

/// Statistics of one entrant's runs.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Name of the entrant.
    pub name: String,
    /// Number of finished runs.
    pub runs: u64,
    /// Number of attempts, summed over the runs.
    pub attempts: u64,
    /// Number of moves, summed over the runs.
    pub moves: u64,
    /// Number of tours including duplicates, summed over the runs.
    pub tours: u64,
    /// Sum over the runs of the number of distinct tours in each run.
    pub distinct: u64,
    /// Sum over the runs of the number of closed tours among the distinct tours of each run.
    pub closed: u64,
    /// Number of runs that found no tour.
    pub failed_runs: u64,
    /// Number of distinct tours in a run.
    pub distinct_a_run: Option<Spread>,
    /// Number of distinct tours per attempt in a run.
    pub hit_ratio: Option<Spread>,
    /// Share of closed tours among the distinct tours of a run; runs without tours are left out.
    pub closed_share: Option<Spread>,
    /// Number of distinct tours per second in a run.
    pub rate: Option<Spread>,
    /// Distance between the start squares of all distinct tours and those of uniform tours.
    pub start_bias: Option<StartBias>,
    /// Number of attempts up to the first tour: minimum, quartiles and maximum over the runs that found one.
    pub attempts_to_first: Option<[f64; 5]>,
    /// Number of moves up to the first tour, in the same form.
    pub moves_to_first: Option<[f64; 5]>,
    /// Seconds up to the first tour, in the same form.
    pub seconds_to_first: Option<[f64; 5]>,
}

impl Standing {
    /// Computes the statistics of an entrant's runs.
    pub fn of(entrant: &Entrant, laps: &[RaceRun], law: &Law) -> Standing {
        let sum = |of: fn(&RaceRun) -> u64| laps.iter().map(of).sum();
        let values = |of: fn(&RaceRun) -> f64| laps.iter().map(of).collect::<Vec<_>>();
        let firsts = |of: fn(&super::TimeToFirst) -> f64| {
            let found: Vec<f64> =
                laps.iter().filter_map(|lap| lap.first.as_ref().map(of)).collect();
            quartiles(&found)
        };
        let non_negative =
            |values: &[f64]| Spread::of(values).map(|s| s.within(0.0, f64::INFINITY));
        let closed: Vec<f64> = laps
            .iter()
            .filter(|lap| lap.total.distinct > 0)
            .map(|lap| lap.total.closed as f64 / lap.total.distinct as f64)
            .collect();
        Standing {
            name: entrant.name.clone(),
            runs: laps.len() as u64,
            attempts: sum(|lap| lap.total.attempts),
            moves: sum(|lap| lap.total.moves),
            tours: sum(|lap| lap.total.tours),
            distinct: sum(|lap| lap.total.distinct),
            closed: sum(|lap| lap.total.closed),
            failed_runs: sum(|lap| u64::from(lap.first.is_none())),
            distinct_a_run: non_negative(&values(|lap| lap.total.distinct as f64)),
            hit_ratio: non_negative(&values(hit_ratio)),
            closed_share: Spread::of(&closed).map(|s| s.within(0.0, 1.0)),
            rate: non_negative(&values(|lap| lap.total.distinct as f64 / lap.seconds.max(1e-9))),
            start_bias: law.bias(laps),
            attempts_to_first: firsts(|first| first.stats.attempts as f64),
            moves_to_first: firsts(|first| first.stats.moves as f64),
            seconds_to_first: firsts(|first| first.seconds),
        }
    }

    /// Returns the share of runs that found a tour, with its confidence interval.
    pub fn success(&self) -> (f64, (f64, f64)) {
        let found = self.runs - self.failed_runs;
        let share = found as f64 / self.runs.max(1) as f64;
        (share, share_interval(found, self.runs, CONFIDENCE.0))
    }
}

// Defined here because it only needs standings.
impl Race {
    /// Returns the statistics of every entrant.
    pub fn standings(&self, raced: &Raced) -> Vec<Standing> {
        let of = |(e, laps): (_, &Vec<RaceRun>)| Standing::of(e, laps, &raced.law);
        self.entrants.iter().zip(&raced.laps).map(of).collect()
    }
}

fn hit_ratio(lap: &RaceRun) -> f64 {
    lap.total.distinct as f64 / lap.total.attempts.max(1) as f64
}

/// Returns whether the runs show that the first entrant finds more distinct tours than the second.
pub fn ahead(first: &Standing, second: &Standing) -> bool {
    let pair = first.distinct_a_run.zip(second.distinct_a_run);
    let difference = pair.and_then(|(a, b)| a.less(&b, CONFIDENCE.1));
    difference.is_some_and(|(low, _)| low > 0.0)
}

/// Returns one sentence for each entrant that is ahead of another.
pub fn verdicts(standings: &[Standing]) -> Vec<String> {
    let mut order: Vec<&Standing> = standings.iter().collect();
    let mean = |s: &Standing| s.distinct_a_run.map_or(0.0, |spread| spread.mean);
    order.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let sentence = |first: &&Standing| {
        let behind: Vec<&str> =
            order.iter().filter(|s| ahead(first, s)).map(|s| s.name.as_str()).collect();
        (!behind.is_empty())
            .then(|| format!("{} finds more distinct tours than {}", first.name, behind.join(", ")))
    };
    let mut all: Vec<String> = order.iter().filter_map(sentence).collect();
    if all.is_empty() {
        all.push("no solver is shown to find more distinct tours than another".into());
    }
    all
}
