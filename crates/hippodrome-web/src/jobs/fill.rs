//! Tours that fill a gallery of a rare kind, if the search finds too few of them: those that ship with the
//! program, and symmetric ones that are constructed.

use crate::historic::shipped;
use hippodrome::board::{Square, Symmetry};
use hippodrome::lab::enumerate::TourFilter;
use hippodrome::lab::half_turn::HalfTurnTours;
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::seeds;
use hippodrome::tour::Tour;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The source of a tour that is constructed.
const CONSTRUCTED: &str = "constructed: each square is chosen together with its half-turn image";
/// Maximum time to construct the next tour.
const TIME: Duration = Duration::from_millis(500);

/// A supply of tours of one kind for one problem.
pub(super) struct Fill {
    problem: Problem,
    keep: TourFilter,
    /// Images of shipped tours, each with its source; the next one is the last.
    images: Vec<(Tour, &'static str)>,
    constructed: Option<HalfTurnTours>,
    /// The first constructed tour, which shows that there are some.
    first: Option<Tour>,
    seen: HashSet<Vec<Square>>,
}

impl Fill {
    /// Returns a supply; `None` if there is none for this kind and problem.
    pub(super) fn new(problem: &Problem, keep: Option<TourFilter>, seed: u64) -> Option<Fill> {
        let keep = keep.filter(|k| matches!(k, TourFilter::Symmetric | TourFilter::SemiMagic))?;
        let images = images(problem, keep, seed);
        let mut fill = Fill {
            problem: problem.clone(),
            keep,
            images,
            constructed: constructed(problem, keep, seed),
            first: None,
            seen: HashSet::new(),
        };
        fill.first = fill.construct();
        (fill.first.is_some() || !fill.images.is_empty()).then_some(fill)
    }

    /// Notes a tour that the gallery has already.
    pub(super) fn exclude(&mut self, squares: &[Square]) {
        self.seen.insert(squares.to_vec());
    }

    /// Returns the next tour and its source.
    pub(super) fn next(&mut self) -> Option<(Tour, &'static str)> {
        while let Some((tour, source)) = self.images.pop() {
            if self.seen.insert(tour.squares().to_vec()) {
                return Some((tour, source));
            }
        }
        let tour = match self.first.take() {
            Some(tour) if self.seen.insert(tour.squares().to_vec()) => tour,
            _ => {
                let tour = self.construct()?;
                self.seen.insert(tour.squares().to_vec());
                tour
            }
        };
        Some((tour, CONSTRUCTED))
    }

    /// Constructs a tour that the gallery does not have.
    fn construct(&mut self) -> Option<Tour> {
        let deadline = Instant::now() + TIME;
        let late = || Instant::now() > deadline;
        let tours = self.constructed.as_mut()?;
        while let Some(tour) = tours.next_tour(late) {
            let tour = match self.problem.start() {
                Some(start) => tour.from_start(start).ok()?,
                None => tour,
            };
            let view = tour.view();
            if self.problem.admits(&view)
                && self.keep.keeps(&view)
                && !self.seen.contains(tour.squares())
            {
                return Some(tour);
            }
            if late() {
                break;
            }
        }
        None
    }
}

/// Returns the generator of symmetric tours, if the board may have some.
fn constructed(problem: &Problem, keep: TourFilter, seed: u64) -> Option<HalfTurnTours> {
    let closed = Problem::closed(problem.graph().clone());
    let hopeless = matches!(known(&closed), Existence::Impossible(_));
    let asked = keep == TourFilter::Symmetric && !hopeless;
    asked.then(|| HalfTurnTours::new(problem.graph(), seed)).flatten()
}

/// Returns an image of each shipped tour that answers the problem, in random order.
fn images(problem: &Problem, keep: TourFilter, seed: u64) -> Vec<(Tour, &'static str)> {
    let graph = problem.graph();
    let Some(board) = graph.board() else { return Vec::new() };
    let symmetries = Symmetry::of(board);
    let shipped: Vec<_> = shipped(graph).collect();
    let mut all = Vec::new();
    for (shipped, key) in shipped.iter().zip(seeds(seed, shipped.len() as u64)) {
        // Try the images in an order that begins at random, until one answers the problem.
        let count = 2 * symmetries.len();
        let admitted = (0..count).find_map(|turn| {
            let turn = (key as usize + turn) % count;
            let image = shipped.tour.image(symmetries[turn / 2]).ok()?;
            let image = if turn.is_multiple_of(2) { image } else { image.reversed().ok()? };
            let view = image.view();
            (problem.admits(&view) && keep.keeps(&view)).then_some(image)
        });
        if let Some(image) = admitted {
            all.push((key, image, shipped.source));
        }
    }
    all.sort_by_key(|&(key, ..)| key);
    all.into_iter().map(|(_, image, source)| (image, source)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::ProblemSpec;

    fn fill(ground: &str, keep: TourFilter, seed: u64) -> Option<Fill> {
        let ground: ProblemSpec = serde_json::from_str(ground).unwrap();
        Fill::new(&ground.problem().unwrap(), Some(keep), seed)
    }

    #[test]
    fn symmetric_and_semi_magic_tours_are_never_missing_where_they_are_known() {
        for (ground, keep) in [
            (r#"{"board":"8x8","closed":true}"#, TourFilter::Symmetric),
            (r#"{"board":"8x8"}"#, TourFilter::Symmetric),
            (r#"{"board":"6x6","closed":true}"#, TourFilter::Symmetric),
            (r#"{"board":"8x8","closed":true,"start":"e4"}"#, TourFilter::Symmetric),
            (r#"{"board":"20x20","closed":true}"#, TourFilter::Symmetric),
            (r#"{"board":"8x8"}"#, TourFilter::SemiMagic),
            (r#"{"board":"8x8","closed":true}"#, TourFilter::SemiMagic),
        ] {
            for seed in 0..5 {
                let mut fill = fill(ground, keep, seed).unwrap();
                let mut seen = HashSet::new();
                for _ in 0..12 {
                    let Some((tour, source)) = fill.next() else { break };
                    assert!(fill.problem.admits(&tour.view()) && keep.keeps(&tour.view()));
                    assert!(seen.insert(tour.squares().to_vec()) && !source.is_empty());
                }
                let least =
                    if ground.contains("closed") && keep == TourFilter::SemiMagic { 1 } else { 12 };
                assert!(seen.len() >= least, "{ground}: {}", seen.len());
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_tours_and_other_boards_have_none() {
        let first = |seed| {
            let mut fill = fill(r#"{"board":"8x8"}"#, TourFilter::SemiMagic, seed).unwrap();
            fill.next().unwrap().0.squares().to_vec()
        };
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
        assert!(fill(r#"{"board":"7x8"}"#, TourFilter::SemiMagic, 1).is_none());
        assert!(fill(r#"{"board":"5x5"}"#, TourFilter::Symmetric, 1).is_none());
        assert!(fill(r#"{"board":"8x8","holes":["a1","h8"]}"#, TourFilter::Symmetric, 1).is_none());
        assert!(fill(r#"{"board":"8x8"}"#, TourFilter::Magic, 1).is_none());
    }

    #[test]
    fn tours_that_the_gallery_has_are_not_repeated() {
        let mut one = fill(r#"{"board":"8x8"}"#, TourFilter::SemiMagic, 1).unwrap();
        let mut other = fill(r#"{"board":"8x8"}"#, TourFilter::SemiMagic, 1).unwrap();
        let (tour, _) = one.next().unwrap();
        other.exclude(tour.squares());
        assert_ne!(other.next().unwrap().0.squares(), tour.squares());
    }
}
