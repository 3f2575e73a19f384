//! What a method remembers besides its path: chosen moves, decided edges, pheromone, a population, a queue.
//!
//! Each state is the latest one, so a viewer needs no earlier message.

use super::curve::LearningCurve;
use hippodrome::board::move_weights::MoveWeight;
use hippodrome::board::{Graph, Square};
use hippodrome::search::{EventKind, Link, SearchEvent};
use serde_json::{Value, json};

/// Maximum number of bars that show a population: as many as fit in the figure on the page.
const MAX_BARS: usize = 400;
/// Maximum number of excluded edges that are sent. More cannot be distinguished on a board.
const MAX_EXCLUDED: usize = 1 << 13;
/// Maximum number of counts of cycles that are sent for one trial.
const MAX_CYCLES: usize = 100;

/// The latest memory of a method.
#[derive(Default)]
pub(super) struct MethodContext {
    moves: Option<Vec<(Square, Square)>>,
    pheromone: Option<Vec<MoveWeight>>,
    fitness: Option<Vec<u32>>,
    members: Option<Value>,
    edges: Option<[Vec<Link>; 3]>,
    queue: Option<Vec<u64>>,
    /// Lengths of the parts of the rows and of the columns of a divided board.
    parts: Option<[Vec<u32>; 2]>,
    /// Numbers of cycles in this trial.
    cycles: Vec<u64>,
    curve: LearningCurve,
    /// The value of the curve that a tour has.
    whole: u64,
    /// Number of rounds so far. `Info::rounds` says what a round is for each solver.
    pub(super) rounds: u64,
    is_changed: bool,
}

impl MethodContext {
    /// Updates the context from an event that is not a step. Only events that show the memory of a method matter.
    pub(super) fn update(&mut self, graph: &Graph, event: &SearchEvent<'_>) {
        self.rounds += u64::from(is_round(event.kind()));
        match event {
            SearchEvent::Moves(moves) => overwrite(&mut self.moves, moves),
            SearchEvent::MoveWeights(laid) => overwrite(&mut self.pheromone, laid),
            SearchEvent::Population(fitness) => overwrite(&mut self.fitness, fitness),
            SearchEvent::Queue(lengths) => overwrite(&mut self.queue, lengths),
            SearchEvent::Division { parts } => self.parts = Some(parts.map(<[u32]>::to_vec)),
            SearchEvent::Members { best, median, worst } => {
                self.members = Some(json!({ "best": best, "median": median, "worst": worst }));
            }
            SearchEvent::Edges { forced, chosen, excluded } => {
                let lists = self.edges.get_or_insert_default();
                for (list, links) in lists.iter_mut().zip([forced, chosen, excluded]) {
                    list.clear();
                    list.extend_from_slice(links);
                }
            }
            SearchEvent::Cycle(report) => {
                self.whole = graph.order() as u64;
                self.curve.push(self.rounds, report.longest as f64, report.mean);
            }
            SearchEvent::Generation(report) => {
                self.whole = report.needed.into();
                self.curve.push(self.rounds, f64::from(report.best), report.mean);
            }
            SearchEvent::Sweep { number, cycles, .. } => {
                if *number == 1 {
                    self.cycles.clear();
                }
                self.count_cycles(*cycles as u64);
            }
            SearchEvent::Rest { sweeps, cycles } => {
                // Networks of blocks send no sweeps.
                if sweeps.is_none() {
                    self.cycles.clear();
                }
                cycles.iter().for_each(|&cycles| self.count_cycles(cycles));
            }
            SearchEvent::Factor { cycles, .. } => {
                self.cycles.clear();
                self.count_cycles(*cycles);
            }
            SearchEvent::Joined { cycles, left, .. } => {
                self.count_cycles(*cycles);
                self.count_cycles(*left);
            }
            _ => return,
        }
        self.is_changed = true;
    }

    /// Adds a number of cycles, unless it has not changed.
    fn count_cycles(&mut self, cycles: u64) {
        if self.cycles.last() != Some(&cycles) && (cycles > 0 || !self.cycles.is_empty()) {
            if self.cycles.len() == MAX_CYCLES {
                self.cycles.remove(0);
            }
            self.cycles.push(cycles);
        }
    }

    /// Returns the context as JSON if it has changed since the last call.
    pub(super) fn take_change(&mut self, graph: &Graph) -> Option<Value> {
        if !std::mem::take(&mut self.is_changed) {
            return None;
        }
        let mut context = json!({ "round": self.rounds });
        if let Some(moves) = &self.moves {
            context["moves"] = json!(moves);
        }
        if let Some(laid) = &self.pheromone {
            let most = laid.iter().map(|l| l.2).fold(0.0, f64::max);
            context["most"] = json!(most);
            context["laid"] = json!(levels(graph, laid, most));
        }
        if let Some(fitness) = &self.fitness {
            let sum: f64 = fitness.iter().map(|&f| f64::from(f)).sum();
            context["fitness"] = json!(quantiles(fitness));
            context["size"] = json!(fitness.len());
            context["mean"] = json!(sum / fitness.len().max(1) as f64);
        }
        if let Some(members) = &self.members {
            context["members"] = members.clone();
        }
        if let Some([forced, chosen, excluded]) = &self.edges {
            let few = excluded.len() <= MAX_EXCLUDED;
            let excluded = if few { &excluded[..] } else { &[] };
            context["edges"] = json!({ "forced": forced, "chosen": chosen, "excluded": excluded });
        }
        if let Some(queue) = &self.queue {
            context["queue"] = json!(queue);
        }
        if let Some(parts) = &self.parts {
            context["parts"] = json!(parts);
        }
        if !self.cycles.is_empty() {
            context["cycles"] = json!(self.cycles);
        }
        if let Some(points) = self.curve.points() {
            context["curve"] = json!(points);
            context["whole"] = json!(self.whole);
        }
        Some(context)
    }
}

/// Overwrites a list, and keeps its memory.
fn overwrite<T: Clone>(list: &mut Option<Vec<T>>, new: &[T]) {
    let list = list.get_or_insert_default();
    list.clear();
    list.extend_from_slice(new);
}

/// Returns whether an event of this kind ends what `Info::rounds` counts.
fn is_round(kind: EventKind) -> bool {
    matches!(kind, EventKind::Cycle | EventKind::Generation | EventKind::Sweep | EventKind::Cover)
}

/// Returns whether an event shows a state that the frame or the context contains.
pub(super) fn is_in_context(kind: EventKind) -> bool {
    kind.is_drawn() || kind == EventKind::Stack
}

/// Returns the values in descending order: all of them, or [`MAX_BARS`] evenly spaced ones.
fn quantiles(fitness: &[u32]) -> Vec<u32> {
    let mut sorted = fitness.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    if sorted.len() <= MAX_BARS {
        return sorted;
    }
    let last = sorted.len() - 1;
    (0..MAX_BARS).map(|bar| sorted[bar * last / (MAX_BARS - 1)]).collect()
}

/// Encodes the pheromone on every move from every square, as a share of the greatest amount.
///
/// Each move takes two hexadecimal digits, or `..` if it leaves the board. This is a quarter of the size of a
/// JSON array.
fn levels(graph: &Graph, laid: &[MoveWeight], most: f64) -> String {
    let moves = graph.piece().map_or(0, |piece| piece.moves().len());
    let mut digits = vec![b'.'; 2 * moves * graph.len()];
    for &(from, to, amount) in laid {
        let Some(code) = graph.code(from, to) else { continue };
        let share = if most > 0.0 { amount / most } else { 0.0 };
        let place = 2 * (from.index() * moves + code);
        let text = format!("{:02x}", (share * 255.0) as u8);
        digits[place..place + 2].copy_from_slice(text.as_bytes());
    }
    String::from_utf8_lossy(&digits).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::board::Board;

    #[test]
    fn a_context_is_returned_once_per_change() {
        let graph = Graph::knight(Board::parse("3x3").unwrap());
        let mut context = MethodContext::default();
        assert_eq!(context.take_change(&graph), None);
        context.update(&graph, &SearchEvent::Population(&[1, 3]));
        context.update(&graph, &SearchEvent::Population(&[4, 2, 3]));
        let mut expected = json!({ "round": 0, "fitness": [4, 3, 2], "size": 3, "mean": 3.0 });
        assert_eq!(context.take_change(&graph), Some(expected.clone()));
        assert_eq!(context.take_change(&graph), None);
        context.update(&graph, &SearchEvent::Moves(&[(Square::new(0), Square::new(5))]));
        expected["moves"] = json!([[0, 5]]);
        assert_eq!(context.take_change(&graph), Some(expected), "the latest message is complete");
    }

    #[test]
    fn cycles_are_counted_within_a_trial() {
        let graph = Graph::knight(Board::parse("6x6").unwrap());
        let mut context = MethodContext::default();
        let sweep =
            |number, cycles| SearchEvent::Sweep { number, active: 30, satisfied: 20, cycles };
        let joined = SearchEvent::Joined { cycles: 3, pairs: 2, longer: 0, left: 1 };
        let events = [
            sweep(1, 4),
            sweep(1, 0),
            sweep(2, 7),
            sweep(3, 7),
            SearchEvent::Rest { sweeps: Some(3), cycles: Some(3) },
            joined,
        ];
        events.iter().for_each(|event| context.update(&graph, event));
        let shown = context.take_change(&graph).unwrap();
        assert_eq!((&shown["cycles"], &shown["round"]), (&json!([7, 3, 1]), &json!(4)));
        let link = |u, v: Option<u32>| (Some(Square::new(u)), v.map(Square::new));
        context.update(
            &graph,
            &SearchEvent::Edges {
                forced: &[link(0, Some(8))],
                chosen: &[link(3, None)],
                excluded: &[],
            },
        );
        let shown = context.take_change(&graph).unwrap();
        let edges = json!({ "forced": [[0, 8]], "chosen": [[3, null]], "excluded": [] });
        assert_eq!(shown["edges"], edges);
    }

    #[test]
    fn a_large_population_is_shown_by_its_quantiles() {
        assert_eq!(quantiles(&[3, 9, 5]), [9, 5, 3]);
        let many: Vec<u32> = (0..100_000).collect();
        let shown = quantiles(&many);
        assert_eq!((shown.len(), shown[0], shown[MAX_BARS - 1]), (MAX_BARS, 99_999, 0));
        assert!(shown.windows(2).all(|pair| pair[0] - pair[1] <= 251));
    }

    #[test]
    fn levels_name_every_move_of_every_square() {
        let graph = Graph::knight(Board::parse("3x3").unwrap());
        let laid = [(5, 1.0), (7, 0.5)].map(|(to, laid)| (Square::new(0), Square::new(to), laid));
        let text = levels(&graph, &laid, 1.0);
        assert_eq!(text.len(), 2 * 8 * 9);
        assert_eq!(
            &text[..16],
            "....ff7f........",
            "one up and two right, then two up and one right"
        );
        assert!(text[16..].bytes().all(|b| b == b'.'));
    }
}
