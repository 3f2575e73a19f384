//! Pósa's rotation (1976): reverses a part at one end of a path.

use crate::board::Square;
use std::ops::Range;

/// Reverses a part of a path and updates the index of each of its squares.
#[inline]
pub(crate) fn rotate(path: &mut [Square], place: &mut [u32], part: Range<usize>) {
    path[part.clone()].reverse();
    for at in part {
        place[path[at].index()] = at as u32;
    }
}
