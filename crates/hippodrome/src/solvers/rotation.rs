//! Pósa's rotation (1976): a part of a path at one of its ends is reversed.

use crate::board::Square;
use std::ops::Range;

/// Reverses a part of a path and keeps the place of each of its squares up to date.
#[inline]
pub(crate) fn rotate(path: &mut [Square], place: &mut [u32], part: Range<usize>) {
    path[part.clone()].reverse();
    for at in part {
        place[path[at].index()] = at as u32;
    }
}
