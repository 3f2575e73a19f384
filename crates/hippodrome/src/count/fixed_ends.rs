//! The fixed ends of the tours that are counted.

use crate::board::Square;

/// Which ends are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FixedEnds {
    Free,
    One(Square),
    Both(Square, Square),
}

impl FixedEnds {
    /// Returns the start and the end.
    pub fn pair(self) -> (Option<Square>, Option<Square>) {
        match self {
            FixedEnds::Free => (None, None),
            FixedEnds::One(s) => (Some(s), None),
            FixedEnds::Both(s, e) => (Some(s), Some(e)),
        }
    }
}
