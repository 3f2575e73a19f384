//! Canonical forms, which decide whether two tours count as the same.

use super::Verified;
use crate::board::{Graph, Square, Symmetry};

/// The rule that decides which tours count as the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distinct {
    /// Tours are the same if they visit the same squares in the same order.
    Directed,
    /// Tours are the same if they follow the same line, in either direction.
    Undirected,
    /// Like `Undirected`, but closed tours are also the same if they differ only in their start.
    Cycle,
    /// Like `Undirected` (or like `Cycle`, if closed tours are requested), but tours that a symmetry of the
    /// board maps to each other are also the same.
    Symmetry,
}

impl Distinct {
    /// All rules, each with its name and meaning.
    pub const CHOICES: &[(&str, Distinct, &str)] = &[
        ("directed", Distinct::Directed, "The same squares in the same order"),
        ("undirected", Distinct::Undirected, "The same line, in either direction"),
        ("cycle", Distinct::Cycle, "Like undirected; closed tours also with any start"),
        (
            "symmetry",
            Distinct::Symmetry,
            "Like undirected (like cycle, if closed tours are requested), up to the board's symmetries",
        ),
    ];
}

/// A converter of tours of one problem to canonical form.
pub struct Canon {
    kind: Distinct,
    cycles: bool,
    maps: Vec<Vec<Square>>,
    image: Vec<Square>,
    form: Vec<Square>,
}

impl Canon {
    /// Creates the converter for tours of a graph; set `closed` if only closed tours are requested.
    pub fn new(kind: Distinct, graph: &Graph, closed: bool) -> Canon {
        let cycles = kind == Distinct::Cycle || (kind == Distinct::Symmetry && closed);
        let maps = match kind {
            Distinct::Symmetry => Symmetry::maps(graph),
            _ => Vec::new(),
        };
        Canon { kind, cycles, maps, image: Vec::new(), form: Vec::new() }
    }

    /// Returns the canonical form of a tour. Two tours have equal forms exactly if they count as the same.
    pub fn form(&mut self, tour: &Verified<'_>) -> &[Square] {
        let cycle = self.cycles && tour.is_closed();
        match self.kind {
            Distinct::Directed => {
                self.form.clear();
                self.form.extend_from_slice(tour.squares());
            }
            Distinct::Undirected | Distinct::Cycle => line(tour.squares(), cycle, &mut self.form),
            Distinct::Symmetry => {
                self.form.clear();
                let mut best = Vec::new();
                for map in &self.maps {
                    self.image.clear();
                    self.image.extend(tour.squares().iter().map(|&s| map[s.index()]));
                    line(&self.image, cycle, &mut best);
                    if self.form.is_empty() || best < self.form {
                        std::mem::swap(&mut best, &mut self.form);
                    }
                }
            }
        }
        &self.form
    }
}

/// Writes the smaller of the two directions of a line to `out`; a cycle begins at its lowest square.
pub(super) fn line(squares: &[Square], cycle: bool, out: &mut Vec<Square>) {
    out.clear();
    let n = squares.len();
    if !cycle {
        if squares[0] <= squares[n - 1] {
            out.extend_from_slice(squares);
        } else {
            out.extend(squares.iter().rev());
        }
        return;
    }
    let least = (0..n).min_by_key(|&i| squares[i]).unwrap_or(0);
    if squares[(least + 1) % n] <= squares[(least + n - 1) % n] {
        out.extend((0..n).map(|i| squares[(least + i) % n]));
    } else {
        out.extend((0..n).map(|i| squares[(least + n - i) % n]));
    }
}
