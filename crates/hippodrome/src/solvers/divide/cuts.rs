//! Divides one side of a board into parts of length eight and one special part, which takes the
//! remainder.

/// The length of all parts except the special one. Chosen by hand; Parberry (1997) divides into
/// quadrants down to base boards with sides from 6 to 12.
const UNIT: u32 = 8;

/// Returns the number of parts of a side when the special part is as short as possible.
pub(super) fn parts(side: u32) -> u32 {
    (side / UNIT).max(1)
}

/// One side of a board, divided into parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideCuts {
    /// Number of units before the special part.
    pub(super) before: u32,
    pub(super) special: u32,
    pub(super) after: u32,
}

impl SideCuts {
    /// Divides a side so that the special part contains everything from `low` to `high`. It is as
    /// short as possible, but not shorter than a unit.
    pub(super) fn new(side: u32, low: u32, high: u32) -> SideCuts {
        let units = (side / UNIT).saturating_sub(1);
        let before = units.min(low / UNIT);
        let least = side - units * UNIT;
        let more = (high + 1).saturating_sub(before * UNIT + least).div_ceil(UNIT);
        SideCuts { before, special: least + more * UNIT, after: units - before - more }
    }

    /// Returns the number of parts.
    pub(super) fn parts(&self) -> u32 {
        self.before + 1 + self.after
    }

    pub(super) fn last(&self) -> u32 {
        self.before + self.after
    }

    /// Returns the length of a part.
    pub(super) fn length(&self, part: u32) -> u32 {
        if part == self.before { self.special } else { UNIT }
    }

    /// Returns the first row or column of a part.
    pub(super) fn origin(&self, part: u32) -> u32 {
        part * UNIT + if part > self.before { self.special - UNIT } else { 0 }
    }

    /// Returns the part that contains a row or column.
    pub(super) fn holding(&self, at: u32) -> u32 {
        let beyond = self.before * UNIT + self.special;
        if at >= beyond {
            self.before + 1 + (at - beyond) / UNIT
        } else {
            self.before.min(at / UNIT)
        }
    }

    pub(super) fn reversed(self) -> SideCuts {
        SideCuts { before: self.after, after: self.before, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_contiguous_and_contain_the_given_range() {
        for side in 1..=100 {
            for low in 0..side {
                for high in low..side.min(low + 30) {
                    let cuts = SideCuts::new(side, low, high);
                    let mut next = 0;
                    for part in 0..cuts.parts() {
                        assert_eq!(cuts.origin(part), next);
                        next += cuts.length(part);
                        assert!((cuts.origin(part)..next).all(|at| cuts.holding(at) == part));
                    }
                    assert_eq!(next, side);
                    assert!([low, high].iter().all(|&at| cuts.holding(at) == cuts.before));
                }
            }
        }
    }
}
