//! The budget of a run, and how it is split among the units.

use crate::board::Square;
use crate::problem::Starts;
use std::time::Duration;

/// Limits on a run. The run ends when it reaches the first of them; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of attempts in total, split evenly among the start squares.
    pub attempts: Option<u64>,
    /// Maximum number of attempts per start square.
    pub attempts_per_start: Option<u64>,
    /// Maximum number of distinct tours in total; must be at least 1.
    pub tours: Option<u64>,
    /// Maximum number of moves in total, split evenly among the start squares.
    pub moves: Option<u64>,
    /// Maximum wall-clock time. This is the only limit whose effect depends on the machine.
    pub time: Option<Duration>,
}

/// The part of a budget that one unit may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// The unit's start square, if it has one.
    pub start: Option<Square>,
    /// Maximum number of attempts.
    pub attempts: u64,
    /// Maximum number of moves.
    pub moves: u64,
}

/// Divides `total` into `parts` nearly equal parts and returns part `index`; `u64::MAX` if there is no total.
fn part(total: Option<u64>, index: u64, parts: u64) -> u64 {
    total.map_or(u64::MAX, |total| total / parts + u64::from(index < total % parts))
}

impl Budget {
    /// A budget without limits.
    pub const UNLIMITED: Budget =
        Budget { attempts: None, attempts_per_start: None, tours: None, moves: None, time: None };

    /// Returns whether the budget has no limits.
    pub fn is_unlimited(&self) -> bool {
        *self == Budget::UNLIMITED
    }

    /// Returns the share of unit `index` when `units` units split the budget evenly. `starts` is the number
    /// of start squares in the run.
    pub fn split(&self, index: u64, units: u64, starts: u64, start: Option<Square>) -> Allotment {
        let per_start = self.attempts_per_start.map(|n| n.saturating_mul(starts));
        Allotment {
            start,
            attempts: part(self.attempts, index, units).min(part(per_start, index, units)),
            moves: part(self.moves, index, units),
        }
    }

    /// Returns the share of unit `unit` when there is one unit per start square; `None` if there is no such
    /// unit.
    pub fn each(&self, unit: u64, starts: &Starts) -> Option<Allotment> {
        let start = starts.get(unit)?;
        Some(self.split(unit, starts.count(), starts.count(), Some(start)))
    }

    /// Returns the share of unit `unit` when the units work in rounds: each round has one unit per start
    /// square, each unit makes at most `chunk` attempts, and unit = round x squares + square. Returns `None`
    /// once the shares of all start squares are spent. The number of moves per attempt is not known in
    /// advance, so a limit on moves allows only one round.
    pub fn rounds(&self, unit: u64, starts: &Starts, chunk: u64) -> Option<Allotment> {
        let squares = starts.count();
        let (round, index) = (unit / squares, unit % squares);
        let whole = self.split(index, squares, squares, starts.get(index));
        let chunk = if self.moves.is_some() { u64::MAX } else { chunk };
        let spent = round.saturating_mul(chunk);
        let left = whole.attempts.saturating_sub(spent);
        // A square with one attempt fewer may finish a round earlier; its last unit is empty.
        let most = self.split(0, squares, squares, None).attempts.saturating_sub(spent);
        (most > 0).then_some(Allotment { attempts: left.min(chunk), ..whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_total() {
        let budget = Budget { attempts: Some(1003), ..Budget::UNLIMITED };
        let parts: Vec<u64> = (0..64).map(|i| budget.split(i, 64, 64, None).attempts).collect();
        assert_eq!(parts.iter().sum::<u64>(), 1003);
        assert_eq!(parts.iter().max().unwrap() - parts.iter().min().unwrap(), 1);
    }

    #[test]
    fn rounds_spend_the_whole_budget_and_end() {
        let starts = Starts::First(5);
        for total in [0, 1, 4, 5, 23, 100] {
            let budget = Budget { attempts: Some(total), ..Budget::UNLIMITED };
            let spent: u64 =
                (0..).map_while(|u| budget.rounds(u, &starts, 3)).map(|a| a.attempts).sum();
            assert_eq!(spent, total);
        }
        assert_eq!(Budget::UNLIMITED.rounds(1_000_003, &starts, 3).unwrap().attempts, 3);
        let each = Budget { attempts_per_start: Some(7), ..Budget::UNLIMITED };
        let spent: u64 = (0..).map_while(|u| each.rounds(u, &starts, 3)).map(|a| a.attempts).sum();
        assert_eq!(spent, 35);
        let moves = Budget { moves: Some(12), ..Budget::UNLIMITED };
        let spent: u64 = (0..).map_while(|u| moves.rounds(u, &starts, 3)).map(|a| a.moves).sum();
        assert_eq!(spent, 12);
    }
}
