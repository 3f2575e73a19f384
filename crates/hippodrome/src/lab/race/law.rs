//! The start squares of uniform tours, with which the start squares of the entrants' tours are compared.
//!
//! Uniform closed tours start on every square equally often. For open tours, the start squares are taken from
//! a uniform sample if its table is small or if an entrant needs the table anyway; otherwise the bias is not
//! reported. The distance between two samples is never zero, so the mean distance expected by chance is also
//! reported.

use super::{Race, RaceRun};
use crate::board::Square;
use crate::lab::bias::start_bias;
use crate::lab::chi_square::distance;
use crate::search::{BadClaim, Control, Resources};
use crate::tour::Verified;
use crate::uniform::{TableError, TourStream, shared_table};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

/// Maximum memory of a table that is built only to measure the bias; such a table takes a second or two.
const MEMORY: usize = 64 << 20;
/// Number of uniform tours to sample. Their shares are accurate to 0.3%, which is 1 over the square root of
/// this number.
const TOURS: u64 = 100_000;

/// Distribution of the start squares of uniform tours.
#[derive(Clone, Debug)]
pub enum Law {
    /// All of these squares have equal shares.
    Equal(Vec<Square>),
    /// Number of tours per start square in a uniform sample.
    Sampled(Vec<u64>),
    /// The distribution is not available, for the given reason.
    Unknown(String),
}

/// How far an entrant's start squares are from those of uniform tours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartBias {
    /// Total variation distance.
    pub distance: f64,
    /// Mean distance that would be expected by chance if the tours were uniform and independent.
    pub by_chance: f64,
}

impl Law {
    /// Determines the distribution of the start squares for a race's problem. Does not build a large table
    /// for this purpose alone.
    pub(super) fn of(race: &Race, control: &Control) -> Result<Law, BadClaim> {
        let problem = &race.problem;
        if problem.start().is_some() || problem.end().is_some() {
            return Ok(Law::Unknown("the start or end of the tours is fixed".into()));
        }
        if problem.is_closed() {
            return Ok(Law::Equal(problem.graph().vertices().collect()));
        }
        let stop = || control.interrupt.load(Relaxed);
        let resources = Resources {
            threads: race.threads,
            memory: MEMORY,
            stop: &stop,
            ..Resources::default()
        };
        let sampler = match shared_table(problem, &resources) {
            Ok(sampler) => sampler,
            Err(TableError::Memory { .. }) => {
                return Ok(Law::Unknown(
                    "the table of uniform tours is too large; add uniform to the race to build it"
                        .into(),
                ));
            }
            Err(error) => return Ok(Law::Unknown(error.to_string())),
        };
        let mut starts = vec![0; problem.graph().len()];
        let stream = TourStream { tours: TOURS, seed: race.seed, threads: race.threads };
        stream.run(&sampler, control, &mut |tour: Verified<'_>| {
            starts[tour.squares()[0].index()] += 1;
            ControlFlow::Continue(())
        })?;
        Ok(match stop() || starts.iter().all(|&n| n == 0) {
            true => Law::Unknown("sampling uniform tours was interrupted".into()),
            false => Law::Sampled(starts),
        })
    }

    /// Returns the bias over all runs together; `None` if there are no tours or the distribution is not
    /// available.
    pub(super) fn bias(&self, laps: &[RaceRun]) -> Option<StartBias> {
        let tours: u64 = laps.iter().flat_map(|lap| lap.starts.values()).sum();
        let count = |square: Square| laps.iter().filter_map(|lap| lap.starts.get(&square)).sum();
        match self {
            _ if tours == 0 => None,
            Law::Unknown(_) => None,
            Law::Equal(squares) => {
                let counts: Vec<u64> = squares.iter().map(|&square| count(square)).collect();
                let share = 1.0 / squares.len() as f64;
                let spread = (share * (1.0 - share) / tours as f64).sqrt();
                // Half the sum of the mean absolute deviations, each for a normal variable.
                let by_chance =
                    (2.0 / std::f64::consts::PI).sqrt() / 2.0 * spread * squares.len() as f64;
                let law = vec![1.0; squares.len()];
                Some(StartBias { distance: distance(&counts, &law).variation, by_chance })
            }
            Law::Sampled(uniform) => {
                let counts: Vec<u64> = Square::below(uniform.len()).map(count).collect();
                let (distance, by_chance) = start_bias(&counts, uniform);
                Some(StartBias { distance: distance.variation, by_chance })
            }
        }
    }

    /// Returns the reason why the distribution is not available, if it is not.
    pub fn silence(&self) -> Option<&str> {
        match self {
            Law::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}
