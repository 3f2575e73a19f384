//! Where uniform tours start, for the start bias of entrants.
//!
//! Closed tours start on every square equally often, exactly. Open ones are drawn uniformly, where the
//! table that takes is small or was made for an entrant anyhow; else the bias is not told. A distance of
//! samples is never zero, so that beside it stands the one that chance alone makes in the mean.

use super::{Lap, Race};
use crate::board::Square;
use crate::lab::bias::start_bias;
use crate::lab::chi_square::distance;
use crate::search::{BadClaim, Control, Resources};
use crate::tour::Verified;
use crate::uniform::{TableError, TourStream, shared_table};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

/// Tables made for the bias alone take no more memory than this.
const MEMORY: usize = 64 << 20;
/// Uniform tours that are drawn.
const TOURS: u64 = 100_000;

/// Where uniform tours start.
#[derive(Clone, Debug)]
pub enum Law {
    /// On each of these squares equally often.
    Equal(Vec<Square>),
    /// So many times on each square, in a uniform sample.
    Sampled(Vec<u64>),
    /// It is not told, for this reason.
    Unknown(String),
}

/// How far the start squares of an entrant's tours are from uniform ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartBias {
    /// Total variation distance.
    pub distance: f64,
    /// What it would be in the mean if the tours were uniform and independent.
    pub by_chance: f64,
}

impl Race {
    /// Where uniform tours of the problem start. Large tables are never made for it.
    pub fn law(&self, control: &Control) -> Result<Law, BadClaim> {
        let problem = &self.problem;
        if problem.start().is_some() || problem.end().is_some() {
            return Ok(Law::Unknown("an end of the tours is given".into()));
        }
        if problem.is_closed() {
            return Ok(Law::Equal(problem.graph().vertices().collect()));
        }
        let stop = || control.interrupt.load(Relaxed);
        let resources = Resources {
            threads: self.threads,
            memory: MEMORY,
            stop: &stop,
            ..Resources::default()
        };
        let sampler = match shared_table(problem, &resources) {
            Ok(sampler) => sampler,
            Err(TableError::Memory { .. }) => {
                return Ok(Law::Unknown(
                    "the table of uniform tours is too large to be made for it alone; let uniform race, too"
                        .into(),
                ));
            }
            Err(error) => return Ok(Law::Unknown(error.to_string())),
        };
        let mut starts = vec![0; problem.graph().len()];
        let stream = TourStream { tours: TOURS, seed: self.seed, threads: self.threads };
        stream.run(&sampler, control, &mut |tour: Verified<'_>| {
            starts[tour.squares()[0].index()] += 1;
            ControlFlow::Continue(())
        })?;
        Ok(match stop() || starts.iter().all(|&n| n == 0) {
            true => Law::Unknown("the uniform tours were not drawn to their end".into()),
            false => Law::Sampled(starts),
        })
    }
}

impl Law {
    /// The bias of some runs together; none without tours or without a law.
    pub(super) fn bias(&self, laps: &[Lap]) -> Option<StartBias> {
        let tours: u64 = laps.iter().flat_map(|lap| lap.starts.values()).sum();
        let count = |square: Square| laps.iter().filter_map(|lap| lap.starts.get(&square)).sum();
        match self {
            _ if tours == 0 => None,
            Law::Unknown(_) => None,
            Law::Equal(squares) => {
                let counts: Vec<u64> = squares.iter().map(|&square| count(square)).collect();
                let share = 1.0 / squares.len() as f64;
                let spread = (share * (1.0 - share) / tours as f64).sqrt();
                // Half of the sum of the means of absolute normal deviations.
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

    /// Why it is not told, if it is not.
    pub fn silence(&self) -> Option<&str> {
        match self {
            Law::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}
