//! What a method remembers besides its path: chosen moves, pheromone, or the fitness of a population.
//!
//! Only this module turns search events other than steps into JSON.

use hippodrome::board::move_weights::MoveWeight;
use hippodrome::board::{Graph, Square};
use hippodrome::search::SearchEvent;
use serde_json::{Value, json};

/// Maximum number of bars that show a population: as many as fit in the figure on the page.
const MAX_BARS: usize = 400;

/// The latest memory of a method.
#[derive(Default)]
pub(super) struct MethodContext {
    known: Known,
    /// Number of rounds so far. `Info::rounds` says what a round is for each solver.
    pub(super) rounds: u64,
    rounds_published: u64,
}

#[derive(Default)]
enum Known {
    #[default]
    Nothing,
    Moves(Vec<(Square, Square)>),
    Pheromone(Vec<MoveWeight>),
    Fitness(Vec<u32>),
}

impl MethodContext {
    /// Updates the context from an event that is not a step. Only events that show the memory of a method matter.
    pub(super) fn update(&mut self, event: &SearchEvent<'_>) {
        self.known = match event {
            SearchEvent::Moves(moves) => Known::Moves(moves.to_vec()),
            SearchEvent::MoveWeights(laid) => Known::Pheromone(laid.to_vec()),
            SearchEvent::Population(fitness) => Known::Fitness(fitness.to_vec()),
            _ => return,
        };
        self.rounds += 1;
    }

    /// Returns the context as JSON if it has changed since the last call.
    pub(super) fn take_change(&mut self, graph: &Graph) -> Option<Value> {
        if self.rounds_published == self.rounds {
            return None;
        }
        self.rounds_published = self.rounds;
        let mut context = json!({ "round": self.rounds });
        match &self.known {
            Known::Nothing => {}
            Known::Moves(moves) => context["moves"] = json!(moves),
            Known::Fitness(fitness) => {
                let sum: f64 = fitness.iter().map(|&f| f64::from(f)).sum();
                context["fitness"] = json!(quantiles(fitness));
                context["size"] = json!(fitness.len());
                context["mean"] = json!(sum / fitness.len().max(1) as f64);
            }
            Known::Pheromone(laid) => {
                let most = laid.iter().map(|l| l.2).fold(0.0, f64::max);
                context["most"] = json!(most);
                context["laid"] = json!(levels(graph, laid, most));
            }
        }
        Some(context)
    }
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
        context.update(&SearchEvent::Population(&[1, 3]));
        context.update(&SearchEvent::Population(&[4, 2, 3]));
        let expected = json!({ "round": 2, "fitness": [4, 3, 2], "size": 3, "mean": 3.0 });
        assert_eq!(context.take_change(&graph), Some(expected));
        assert_eq!(context.take_change(&graph), None);
        context.update(&SearchEvent::Moves(&[(Square::new(0), Square::new(5))]));
        let expected = json!({ "round": 3, "moves": [[0, 5]] });
        assert_eq!(context.take_change(&graph), Some(expected));
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
