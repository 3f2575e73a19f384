//! How a run ended, which follows from how its units ended.

use super::End;
use serde::{Deserialize, Serialize};

/// How a whole run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every tour was found. If none was found, no tour exists.
    Complete,
    /// The method exhausted its own search space, but that proves nothing.
    Exhausted,
    /// A limit of the budget was reached, or enough tours were found.
    Limit,
    /// The run was stopped from outside.
    Interrupted,
}

impl Status {
    /// Returns the word for the status, as used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::Exhausted => "exhausted",
            Status::Limit => "limit",
            Status::Interrupted => "interrupted",
        }
    }

    /// Returns the word for a run with this status that found `tours` tours. A complete run without tours
    /// proves that the problem is `impossible`.
    pub fn verdict(self, tours: u64) -> &'static str {
        match (self, tours) {
            (Status::Complete, 0) => "impossible",
            _ => self.word(),
        }
    }
}

/// How several units ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Ends {
    /// Whether a unit ended without having found every tour of its part.
    pub(crate) unproved: bool,
    /// Whether a unit ended at a limit or did not begin.
    pub(crate) limit: bool,
}

impl Ends {
    /// Records how one more unit ended.
    pub(crate) fn add(&mut self, end: End) {
        match end {
            End::Exhausted { proof } => self.unproved |= !proof,
            End::Limit => self.limit = true,
        }
    }

    /// Returns the status of the run that consists of these units.
    pub(crate) fn status(self, interrupted: bool) -> Status {
        match (self.limit, self.unproved) {
            (true, _) if interrupted => Status::Interrupted,
            (true, _) => Status::Limit,
            (false, true) => Status::Exhausted,
            (false, false) => Status::Complete,
        }
    }
}

impl std::ops::BitOrAssign for Ends {
    fn bitor_assign(&mut self, other: Ends) {
        self.unproved |= other.unproved;
        self.limit |= other.limit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unproved_or_unfinished_unit_decides_the_status() {
        let status = |units: &[End], interrupted| {
            let mut ends = Ends::default();
            units.iter().for_each(|&end| ends.add(end));
            ends.status(interrupted)
        };
        let [proof, seen] = [true, false].map(|proof| End::Exhausted { proof });
        assert_eq!(status(&[], false), Status::Complete);
        assert_eq!(status(&[proof, proof], true), Status::Complete);
        assert_eq!(status(&[proof, seen, proof], false), Status::Exhausted);
        assert_eq!(status(&[proof, seen, End::Limit], false), Status::Limit);
        assert_eq!(status(&[End::Limit, proof], true), Status::Interrupted);
        assert_eq!(Status::Complete.verdict(0), "impossible");
        assert_eq!([Status::Complete.verdict(1), Status::Limit.verdict(0)], ["complete", "limit"]);
    }
}
