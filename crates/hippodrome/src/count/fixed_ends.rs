//! The ends that are fixed for the tours that are counted.

use crate::board::Square;

/// Which ends of the tours are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FixedEnds {
    Free,
    One(Square),
    Both(Square, Square),
}

impl FixedEnds {
    /// Returns the fixed start and the fixed end, if any.
    pub fn pair(self) -> (Option<Square>, Option<Square>) {
        match self {
            FixedEnds::Free => (None, None),
            FixedEnds::One(s) => (Some(s), None),
            FixedEnds::Both(s, e) => (Some(s), Some(e)),
        }
    }
}
