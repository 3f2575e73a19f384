//! The ways in which a block of numbers or squares can be read as a tour, as data.
//!
//! [`readings`] lists them in tiers. The verifier decides: the first tier with a tour is taken. The
//! layout itself is the first tier, so texts in our own notations are never read in another way. If
//! readings of one tier are different tours, nothing is guessed: that is an error which names them.
//! Without a tour, the layout is reported, or the reading that fails last.

use super::block::Block;
use super::grid::{self, CoordinateEdges};
use super::ground::Ground;
use super::row::Cells;
use super::{Claim, ReadError, ReadFault, coords, list, names};
use crate::board::{Graph, Square, Symmetry};
use crate::tour::{GridOrigin, Notation, TourFault};
use std::fmt;

/// How the text of a tour was read; formats as a phrase such as "a grid of numbers from 1".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TourReading {
    pub(super) form: Form,
    marks: &'static str,
}

/// What the entries of a text mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Numbers at their squares.
    Grid {
        from: u32,
        zero_holes: bool,
        top: bool,
        edges: CoordinateEdges,
    },
    /// The numbers of a grid in one list.
    Flat {
        from: u32,
        top: bool,
    },
    /// Numbers of squares in the order of the visit.
    Order {
        from: u32,
        top: bool,
        steps: Steps,
    },
    /// Pairs of coordinates in the order of the visit.
    Pairs {
        from: u32,
        top: bool,
        row_first: bool,
        steps: Steps,
    },
    /// Names of squares in the order of the visit.
    Names {
        pieces: bool,
        steps: Steps,
    },
    /// Names of the vertices of a graph.
    Vertices,
    Digits,
    Json,
    Tsplib,
    Svg,
}

/// How a list of squares becomes a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Steps {
    /// Each entry is a step.
    Each,
    /// The last entry is the first again.
    Return,
    /// Entries are moves: from, to, from, to.
    FromTo,
    /// Moves, the last of which returns to the start.
    FromToReturn,
}

const SPACES: &str = ", separated by spaces";

/// Claimed squares with their graph, or the error with its line.
pub(super) type Applied = Result<(Graph, Vec<Square>), ReadError>;

impl TourReading {
    pub(super) const fn of(form: Form) -> TourReading {
        TourReading { form, marks: "" }
    }

    /// Returns whether the text is in one of the notations grid, moves, digits, json and tsplib as we write
    /// them, so that nothing had to be interpreted.
    pub fn is_plain(&self) -> bool {
        match self.form {
            Form::Grid { from: 1, zero_holes: false, top: true, edges } => {
                edges == CoordinateEdges::default() && self.marks == SPACES
            }
            Form::Names { pieces: false, steps: Steps::Each } => self.marks == SPACES,
            Form::Digits | Form::Json | Form::Tsplib | Form::Svg | Form::Vertices => true,
            _ => false,
        }
    }

    /// Returns whether both differ only in where they count from.
    pub(super) fn is_like(&self, other: &TourReading) -> bool {
        std::mem::discriminant(&self.form) == std::mem::discriminant(&other.form)
    }

    /// Returns whether numbers are a list, not a layout.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.form, Form::Flat { .. } | Form::Order { .. })
    }

    /// Returns whether both read the same kind of entries: numbers, pairs or names.
    pub(super) fn is_of_kind(&self, other: &TourReading) -> bool {
        let kind = |reading: &TourReading| match reading.form {
            Form::Grid { .. } | Form::Flat { .. } | Form::Order { .. } => 0,
            Form::Pairs { .. } => 1,
            Form::Names { .. } => 2,
            _ => 3,
        };
        kind(self) == kind(other)
    }

    fn apply(&self, block: &Block, ground: &mut Ground<'_>) -> Applied {
        match self.form {
            Form::Grid { from, zero_holes, top, edges } => {
                grid::read(block, from, zero_holes, top, edges, ground)
            }
            Form::Flat { from, top } => list::read_flat(block, from, top, ground),
            Form::Order { from, top, steps } => list::read_order(block, from, top, steps, ground),
            Form::Pairs { from, top, row_first, steps } => {
                coords::read(block, from, top, row_first, steps, ground)
            }
            Form::Names { pieces, steps } => names::read(block, pieces, steps, ground),
            _ => Err(ReadError { line: block.line(), fault: ReadFault::Nothing }),
        }
    }

    /// Returns whether the tour must be closed, because the text returns to its start.
    fn returns(&self) -> bool {
        let (Form::Order { steps, .. } | Form::Pairs { steps, .. } | Form::Names { steps, .. }) =
            self.form
        else {
            return false;
        };
        matches!(steps, Steps::Return | Steps::FromToReturn)
    }

    /// Returns whether the reading belongs to a notation.
    fn is_in(&self, notation: Option<Notation>) -> bool {
        match notation {
            None | Some(Notation::Json) => true,
            Some(Notation::Grid | Notation::Csv | Notation::Latex) => {
                matches!(self.form, Form::Grid { .. })
            }
            Some(Notation::Numbers) => matches!(self.form, Form::Flat { .. }),
            Some(Notation::Coords) => matches!(self.form, Form::Pairs { .. }),
            Some(Notation::Moves) => matches!(self.form, Form::Names { .. } | Form::Order { .. }),
            Some(Notation::Digits | Notation::Tsplib) => false,
        }
    }
}

/// Lists the readings of a block in tiers, the layout first.
fn readings(
    block: &Block,
    origin: GridOrigin,
    notation: Option<Notation>,
) -> Vec<Vec<TourReading>> {
    let steps: &[Steps] = match &block.cells {
        Cells::Names(names) => possible_steps(names),
        Cells::Numbers(_) if block.round => possible_steps(&coords::pairs(block)),
        Cells::Numbers(numbers) => possible_steps(numbers),
    };
    let forms: Vec<Vec<Form>> = match &block.cells {
        Cells::Names(_) => {
            let form = |pieces| steps.iter().map(move |&steps| Form::Names { pieces, steps });
            let (plain, pieces) = (form(false).collect(), form(true).collect());
            if block.pieces { vec![plain, pieces] } else { vec![plain] }
        }
        Cells::Numbers(_) if block.round => vec![coords::forms(block, origin, steps)],
        Cells::Numbers(_) => {
            let mut lists = list::forms(block, origin, steps);
            if block.numbers().all(|row| row.len() == 2) && block.rows() > 1 {
                let steps = possible_steps(&coords::pairs(block));
                lists.extend(coords::forms(block, origin, steps));
            }
            let [plain, zero_hole] = grid::forms(block, origin);
            vec![plain, zero_hole, grid::framed_forms(block, origin), lists]
        }
    };
    let marks = block.marks_in_words();
    let tiers = forms.into_iter().map(|tier| {
        let readings = tier.into_iter().map(|form| TourReading { form, marks });
        readings.filter(|reading| reading.is_in(notation)).collect::<Vec<_>>()
    });
    tiers.filter(|tier| !tier.is_empty()).collect()
}

/// Returns how a list may become a path: as it is, and without the repetitions of moves and closed tours.
fn possible_steps<T: PartialEq>(entries: &[T]) -> &'static [Steps] {
    let closes = entries.len() > 3 && entries.first() == entries.last();
    let chained = entries.len() > 3
        && entries.len().is_multiple_of(2)
        && entries[1..entries.len() - 1].chunks(2).all(|pair| pair[0] == pair[1]);
    match (chained, closes) {
        (true, true) => &[Steps::Each, Steps::FromToReturn],
        (true, false) => &[Steps::Each, Steps::FromTo],
        (false, true) => &[Steps::Each, Steps::Return],
        (false, false) => &[Steps::Each],
    }
}

/// Returns the steps of a path without the repetitions.
pub(super) fn path<T: Copy>(entries: &[T], steps: Steps) -> Vec<T> {
    let mut path: Vec<T> = match steps {
        Steps::Each | Steps::Return => entries.to_vec(),
        Steps::FromTo | Steps::FromToReturn => {
            let ends = entries.iter().skip(1).step_by(2);
            entries.iter().take(1).chain(ends).copied().collect()
        }
    };
    if matches!(steps, Steps::Return | Steps::FromToReturn) {
        path.pop();
    }
    path
}

/// The rules by which readings are chosen.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules {
    pub(super) notation: Option<Notation>,
    pub(super) origin: GridOrigin,
    /// Whether images under rotation and reflection count as the same tour.
    pub(super) up_to_symmetry: bool,
}

/// Reads a block. The flag says whether the claim is a tour.
pub(super) fn choose(
    block: &Block,
    ground: &mut Ground<'_>,
    rules: Rules,
) -> (Result<Claim, ReadError>, bool) {
    let line = block.line();
    let origin = match rules.notation {
        Some(Notation::Coords) if rules.origin == GridOrigin::default() => GridOrigin::WRITTEN,
        _ => rules.origin,
    };
    let tiers = readings(block, origin, rules.notation);
    let claim = |reading, (graph, squares)| Claim { line, graph, squares, reading };
    // The layout, or what fails later than it.
    let mut best: Option<(usize, Result<Claim, ReadError>)> = None;
    for tier in tiers {
        let mut tour: Option<Claim> = None;
        let mut others = Vec::new();
        for reading in tier {
            let applied = reading.apply(block, ground);
            let progress = match &applied {
                Err(_) => None,
                Ok((graph, squares)) => match ground.progress(graph, squares) {
                    Ok(closed) if closed || !reading.returns() => {
                        match &tour {
                            None => tour = applied.ok().map(|read| claim(reading, read)),
                            Some(first) if is_same(first, graph, squares) => {}
                            Some(first) => {
                                let image = is_image(first, graph, squares);
                                others.push((reading, image && rules.up_to_symmetry));
                            }
                        }
                        continue;
                    }
                    Ok(_) => Some(0),
                    Err(steps) => Some(steps),
                },
            };
            let better = match (&best, progress) {
                (None, _) => true,
                (Some((most, Ok(_))), Some(steps)) => steps > *most,
                _ => false,
            };
            if better {
                best = Some((progress.unwrap_or(0), applied.map(|read| claim(reading, read))));
            }
        }
        if let Some(claim) = tour {
            let other = others.into_iter().find(|(_, harmless)| !harmless);
            return match other {
                None => (Ok(claim), true),
                Some((other, _)) => {
                    let fault = ReadFault::Ambiguous(claim.reading, other);
                    (Err(ReadError { line, fault }), true)
                }
            };
        }
    }
    let none = || Err(ReadError { line, fault: ReadFault::NotIn(rules.notation) });
    (best.map_or_else(none, |(_, read)| read), false)
}

fn is_same(claim: &Claim, graph: &Graph, squares: &[Square]) -> bool {
    claim.graph.board() == graph.board() && claim.squares == squares
}

/// Returns whether squares are an image of a claim's under a rotation or reflection.
fn is_image(claim: &Claim, graph: &Graph, squares: &[Square]) -> bool {
    let (Some(board), Some(other)) = (claim.graph.board(), graph.board()) else { return false };
    Symmetry::ALL.into_iter().any(|symmetry| {
        symmetry.image(board).is_ok_and(|image| image == *other)
            && claim.squares.iter().zip(squares).all(|(&s, &t)| symmetry.apply(board, s) == t)
    })
}

/// Returns the step at which a list fails to be a tour.
pub(super) fn failing_step(fault: &TourFault) -> usize {
    match fault {
        TourFault::NotASquare { step, .. }
        | TourFault::NotAMove { step, .. }
        | TourFault::Repeat { step, .. } => *step,
        TourFault::Short { step, .. } => step + 1,
        TourFault::Foreign | TourFault::Empty => 0,
    }
}

impl Block {
    /// Returns how the entries are separated, in words.
    fn marks_in_words(&self) -> &'static str {
        let marks = self.marks;
        match () {
            () if marks.ampersand => ", separated by ampersands",
            () if marks.bar => ", separated by bars",
            () if marks.semicolon => ", separated by semicolons",
            () if marks.comma && marks.bracket => ", separated by commas, in brackets",
            () if marks.comma => ", separated by commas",
            () if marks.bracket => ", in brackets",
            () if self.rows() > 1 && self.rows() == self.cells.len() => ", one per line",
            () => SPACES,
        }
    }
}

impl fmt::Display for TourReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |top: bool| if top { "top" } else { "bottom" };
        let marks = self.marks;
        match self.form {
            Form::Grid { from, zero_holes, top, edges } => {
                write!(f, "a grid of numbers from {from}{marks}")?;
                if zero_holes {
                    f.write_str(", 0 for holes")?;
                }
                if edges != CoordinateEdges::default() {
                    f.write_str(", with coordinates at its edges")?;
                }
                f.write_str(if top { "" } else { ", bottom row first" })
            }
            Form::Flat { from, top } => {
                write!(f, "a grid of numbers from {from} in one list, {} row first", side(top))?;
                f.write_str(marks)
            }
            Form::Order { from, top, .. } => write!(
                f,
                "numbers of squares in order, counted from {from} at the {} left{marks}{}",
                side(top),
                self.steps()
            ),
            Form::Pairs { from, top, row_first, .. } => {
                let pair = if row_first { "(row,column)" } else { "(column,row)" };
                write!(f, "coordinates {pair} from {from}, rows counted from the {}", side(top))?;
                f.write_str(self.steps())
            }
            Form::Names { pieces, .. } => {
                let piece = if pieces { " with the letter of the piece" } else { "" };
                write!(f, "names of squares in order{piece}{marks}{}", self.steps())
            }
            Form::Vertices => f.write_str("names of vertices in order"),
            Form::Digits => f.write_str("a start square and one digit per move"),
            Form::Json => f.write_str("JSON objects"),
            Form::Tsplib => f.write_str("TSPLIB tours"),
            Form::Svg => f.write_str("tours carried by an SVG"),
        }
    }
}

impl TourReading {
    fn steps(&self) -> &'static str {
        let (Form::Order { steps, .. } | Form::Pairs { steps, .. } | Form::Names { steps, .. }) =
            self.form
        else {
            return "";
        };
        match steps {
            Steps::Each => "",
            Steps::Return => ", with the return to the start",
            Steps::FromTo => ", from and to for each move",
            Steps::FromToReturn => ", from and to for each move, with the return to the start",
        }
    }
}
