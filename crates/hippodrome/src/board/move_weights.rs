//! Weights on the moves of a board, such as the pheromone of an ant colony, stored in a JSON file.
//!
//! ```text
//! {"schema":1,"board":"8x8",…,"pheromone":[["a1","b3",0.25],["a1","c2",1.5],…]}
//! ```

use crate::board::{Board, BoardError, Graph, Leaper, LeaperError, Square, VertexError};
use crate::error::{Diagnostic, Remedy};
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

/// Largest number of squares, holes included, of a board in a file. Ant solvers support at most 2^20 squares.
const MOST_SQUARES: usize = 1 << 24;

/// A move from one square to another, and its weight.
pub type MoveWeight = (Square, Square, f64);

/// Nonnegative weights on moves of a board or graph.
#[derive(Clone, Debug)]
pub struct MoveWeights {
    graph: Graph,
    weights: Vec<MoveWeight>,
}

/// An error in a file or list of move weights.
#[derive(Error, Debug, PartialEq, Eq)]
pub enum MoveWeightsError {
    /// The text is not JSON, or required entries are missing.
    #[error("this is not a pheromone file: {0}")]
    Json(String),
    /// The file is for a graph, which has no board to draw.
    #[error("this pheromone file is for a graph; use one for a board")]
    Graph,
    /// The board is too large.
    #[error("board {0} is too large for the solvers with ants")]
    Large(String),
    /// The description of the board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The description of the leaper is invalid.
    #[error(transparent)]
    Leaper(#[from] LeaperError),
    /// A square is not on the board.
    #[error(transparent)]
    Square(#[from] VertexError),
    /// There is no move between two squares.
    #[error("there is no move from {0} to {1}")]
    NoMove(String, String),
    /// A weight is below 0.
    #[error("the pheromone from {0} to {1} is negative; write 0 or a positive number")]
    Negative(String, String),
}

impl Diagnostic for MoveWeightsError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            MoveWeightsError::Json(_) => vec![Remedy::RecordPheromone],
            _ => Vec::new(),
        }
    }
}

/// The fields that are read from a file.
#[derive(Deserialize)]
struct PheromoneFile {
    board: Option<String>,
    #[serde(default)]
    holes: Vec<String>,
    leaper: Option<String>,
    pheromone: Vec<(String, String, f64)>,
}

impl MoveWeights {
    /// Creates weights on moves of a graph. Returns an error if a move is invalid or a weight is negative.
    pub fn new(graph: Graph, weights: Vec<MoveWeight>) -> Result<MoveWeights, MoveWeightsError> {
        for &(from, to, amount) in &weights {
            let names = || (graph.name(from), graph.name(to));
            if !graph.adjacent(from, to) {
                let (from, to) = names();
                return Err(MoveWeightsError::NoMove(from, to));
            }
            if amount < 0.0 {
                let (from, to) = names();
                return Err(MoveWeightsError::Negative(from, to));
            }
        }
        Ok(MoveWeights { graph, weights })
    }

    /// Returns the board or graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the moves with their weights.
    pub fn weights(&self) -> &[MoveWeight] {
        &self.weights
    }

    /// Returns a JSON object, to which callers may add fields.
    pub fn to_json(&self) -> Value {
        let name = |square| self.graph.name(square);
        let entry = |&(from, to, amount): &MoveWeight| json!([name(from), name(to), amount]);
        let mut object = json!({ "schema": 1 });
        self.graph.describe_in(&mut object);
        object["pheromone"] = self.weights.iter().map(entry).collect();
        object
    }

    /// Parses a file in the format of [`MoveWeights::to_json`].
    pub fn read(text: &str) -> Result<MoveWeights, MoveWeightsError> {
        let object: PheromoneFile =
            serde_json::from_str(text).map_err(|e| MoveWeightsError::Json(e.to_string()))?;
        let board = Board::parse(object.board.as_deref().ok_or(MoveWeightsError::Graph)?)?;
        if board.len() > MOST_SQUARES {
            return Err(MoveWeightsError::Large(board.shape()));
        }
        let holes = object.holes.iter().map(|name| board.place(name));
        let board = board.with_holes(holes.collect::<Result<Vec<_>, _>>()?)?;
        let leaper = match &object.leaper {
            Some(text) => text.parse()?,
            None => Leaper::knight(),
        };
        let graph = Graph::leaper(board, leaper);
        let amount = |(from, to, amount): &(String, String, f64)| {
            Ok((graph.vertex(from)?, graph.vertex(to)?, *amount))
        };
        let weights =
            object.pheromone.iter().map(amount).collect::<Result<_, MoveWeightsError>>()?;
        MoveWeights::new(graph, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_weights_are_read_back() {
        let board = Board::parse("3x4").unwrap();
        let hole = board.place("b2").unwrap();
        let graph = Graph::knight(board.with_holes([hole]).unwrap());
        let weights = graph.vertices().flat_map(|v| graph.neighbours(v).map(move |w| (v, w)));
        let weights: Vec<MoveWeight> =
            weights.map(|(v, w)| (v, w, 1.0 / f64::from(1 + w.number()))).collect();
        let written = MoveWeights::new(graph, weights).unwrap();
        let read = MoveWeights::read(&written.to_json().to_string()).unwrap();
        assert_eq!(read.weights(), written.weights());
        assert_eq!(read.graph().to_string(), "3x4 with 1 hole");
    }

    #[test]
    fn errors_name_the_problem() {
        let read = |text: &str| MoveWeights::read(text).unwrap_err().to_string();
        let on = |weights: &str| read(&format!("{{\"board\":\"3x4\",\"pheromone\":[{weights}]}}"));
        assert!(read("a1 b3").contains("not a pheromone file"));
        assert!(read("{\"graph\":\"petersen\",\"pheromone\":[]}").contains("a graph"));
        assert_eq!(on("[\"a1\",\"a2\",1]"), "there is no move from a1 to a2");
        assert!(on("[\"a1\",\"b3\",-1]").contains("from a1 to b3 is negative"));
        assert!(on("[\"a1\",\"z9\",1]").contains("z9"));
        assert!(on("[\"a1\",\"b3\"]").contains("not a pheromone file"));
    }
}
