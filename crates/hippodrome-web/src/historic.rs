//! The tours that ship with the program: historic ones with their sources, and semi-magic tours of 8x8.
//!
//! Every tour is verified when it is read; a line that contains no tour is left out. Tests require that there
//! is no such line.

use crate::tours::describe;
use hippodrome::board::{Board, Graph};
use hippodrome::tour::{Hints, Tour, read_tours, verify};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// Lines of id, title, year, author, source, board, kind and tour.
const HISTORIC: &str = include_str!("../data/historic.tsv");
/// Tours of 8x8, one per line.
const SEMI_MAGIC: &str = include_str!("../data/semi-magic-8x8.txt");
/// The source of [`SEMI_MAGIC`].
const SEMI_MAGIC_SOURCE: &str = "Stertenbrink, Meyrignac & Mackay 2003";

/// A tour that ships with the program.
pub(crate) struct ShippedTour {
    pub(crate) tour: Tour,
    pub(crate) source: &'static str,
}

/// A historic tour with what is known about it.
struct HistoricTour {
    id: &'static str,
    title: &'static str,
    year: &'static str,
    author: &'static str,
    board: &'static str,
    kind: &'static str,
    shipped: ShippedTour,
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

/// Reads and verifies a tour; returns `None` if it is none.
fn tour(board: &str, text: &str) -> Option<Tour> {
    let graph = Some(Graph::knight(Board::parse(board).ok()?));
    let hints = Hints { graph, ..Hints::default() };
    let claim = read_tours(text, &hints).swap_remove(0).ok()?;
    verify(&claim.graph, claim.squares).ok()
}

fn read_historic() -> Vec<HistoricTour> {
    let read = |line: &'static str| {
        let columns: [&'static str; 8] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let [id, title, year, author, source, board, kind, text] = columns;
        let shipped = ShippedTour { tour: tour(board, text)?, source };
        Some(HistoricTour { id, title, year, author, board, kind, shipped })
    };
    lines(HISTORIC).filter_map(read).collect()
}

fn historic() -> &'static [HistoricTour] {
    static TOURS: OnceLock<Vec<HistoricTour>> = OnceLock::new();
    TOURS.get_or_init(read_historic)
}

/// Describes the historic tours as JSON.
pub(crate) fn describe_historic() -> Value {
    let described = |tour: &HistoricTour| {
        json!({
            "id": tour.id,
            "title": tour.title,
            "year": tour.year,
            "author": tour.author,
            "source": tour.shipped.source,
            "board": tour.board,
            "kind": tour.kind,
            "tour": describe(&tour.shipped.tour.view()),
        })
    };
    historic().iter().map(described).collect()
}

/// Returns all tours of a graph that ship with the program.
pub(crate) fn shipped(graph: &Graph) -> impl Iterator<Item = &'static ShippedTour> {
    static SEMI: OnceLock<Vec<ShippedTour>> = OnceLock::new();
    let semi = SEMI.get_or_init(|| {
        let tours = lines(SEMI_MAGIC).filter_map(|text| tour("8x8", text));
        tours.map(|tour| ShippedTour { tour, source: SEMI_MAGIC_SOURCE }).collect()
    });
    let all = historic().iter().map(|tour| &tour.shipped).chain(semi);
    all.filter(move |shipped| {
        let own = shipped.tour.graph();
        own.board() == graph.board() && own.piece() == graph.piece()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::board::{Square, Symmetry};
    use hippodrome::tour::Magic;
    use std::collections::BTreeSet;

    #[test]
    fn every_historic_tour_verifies_and_is_what_it_claims() {
        let tours = historic();
        assert_eq!(tours.len(), lines(HISTORIC).count(), "each line is a tour");
        let ids: BTreeSet<_> = tours.iter().map(|tour| tour.id).collect();
        assert_eq!(ids.len(), tours.len(), "each has its own id");
        for tour in tours {
            let class = tour.shipped.tour.classify();
            let (id, kind) = (tour.id, tour.kind);
            match kind {
                "historic" => {}
                "symmetric" => assert_ne!(class.symmetry(), "none", "{id}"),
                "semi-magic" => assert_ne!(class.magic, Magic::None, "{id}"),
                other => panic!("{id} is of an unknown kind {other}"),
            }
            assert!(!tour.title.is_empty() && !tour.shipped.source.is_empty(), "{id}");
        }
        let beverley = tours.iter().find(|tour| tour.id == "beverley").unwrap();
        assert_eq!((beverley.year, beverley.kind), ("1848", "semi-magic"));
    }

    /// Returns the least of the images of a tour under the symmetries of the board and reversal.
    fn class(tour: &Tour) -> Vec<Square> {
        let image = |s: Symmetry| tour.image(s).unwrap();
        let images = Symmetry::ALL.into_iter().map(image);
        let both = images.flat_map(|t| [t.reversed().unwrap(), t]);
        both.map(|t| t.squares().to_vec()).min().unwrap()
    }

    #[test]
    fn semi_magic_tours_of_111_classes_ship() {
        let graph = Graph::knight(Board::parse("8x8").unwrap());
        let semi: Vec<_> =
            shipped(&graph).filter(|shipped| shipped.source == SEMI_MAGIC_SOURCE).collect();
        assert!(semi.iter().all(|shipped| shipped.tour.view().magic() != Magic::None));
        let classes: BTreeSet<_> = semi.iter().map(|shipped| class(&shipped.tour)).collect();
        assert_eq!((semi.len(), classes.len(), lines(SEMI_MAGIC).count()), (111, 111, 111));
    }
}
