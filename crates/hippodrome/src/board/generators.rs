//! Graphs made from numbers: families such as `petersen:101,2` and named graphs such as `coxeter`.
//!
//! [`GENERATORS`] lists them; help, errors and the guide are made from that table. The vertices of a
//! generated graph are named 1, 2, 3, ... in the order that the table states. The size of a graph is
//! computed first, so that one that is too large is refused before anything is allocated.

mod boards;
mod boxes;
mod families;
mod named;
mod random;

#[cfg(test)]
mod tests;

use crate::board::graph_file::{MAX_EDGES, MAX_VERTICES, shorten};
use crate::board::{Csr, Graph};
use crate::error::{Diagnostic, ErrorKind};
use crate::numerals::{counted, grouped, grouped_digits, in_bytes};
use std::sync::Arc;
use thiserror::Error;

/// Bytes per vertex of a graph in memory, for its name and its row.
const BYTES_PER_VERTEX: u128 = 64;
/// Bytes per edge while a graph is built: the list of edges, the sorted arcs and the rows, or the hash set of a
/// random graph.
const BYTES_PER_EDGE: u128 = 40;

/// Maximum number of arguments that repeat: more sides than 23 of two vertices are too many vertices.
const DIMENSIONS: usize = 32;

/// A family of graphs, or a single graph.
pub struct Generator {
    /// Name before the colon.
    pub name: &'static str,
    /// Names of the arguments.
    pub parameters: &'static [&'static str],
    /// Values of the last arguments if they are left out.
    defaults: &'static [u64],
    /// Whether more arguments of the last kind may follow.
    repeats: bool,
    /// Character between the arguments.
    separator: char,
    /// A graph of this kind, as users write it.
    pub example: &'static str,
    /// What the graph is.
    pub summary: &'static str,
    /// The order of the vertices, which are named by the numbers from 1.
    pub vertices: &'static str,
    /// Returns the size for these arguments, or what is wrong with them.
    size: fn(&[u64]) -> Result<GraphSize, &'static str>,
    /// Lists the edges between vertices from 0.
    edges: fn(&[u64]) -> Vec<(u32, u32)>,
}

/// The number of vertices and edges of a graph that is not built yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphSize {
    /// Number of vertices.
    pub vertices: u128,
    /// Number of edges.
    pub edges: u128,
}

impl GraphSize {
    /// Returns the memory needed to build the graph.
    pub fn bytes(self) -> u128 {
        let vertices = self.vertices.saturating_mul(BYTES_PER_VERTEX);
        vertices.saturating_add(self.edges.saturating_mul(BYTES_PER_EDGE))
    }
}

/// A graph that cannot be generated.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum GeneratorError {
    /// No generator has this name.
    #[error("there is no generator '{name}'; {hint}")]
    Unknown {
        /// The name given.
        name: String,
        /// The nearest name, or all of them.
        hint: String,
    },
    /// Arguments that are missing, surplus or not numbers.
    #[error("'{given}' is not of the form {form}; write whole numbers, as in {example}")]
    Form {
        /// The text given.
        given: String,
        /// What it should look like.
        form: String,
        /// A valid text.
        example: &'static str,
    },
    /// Numbers without such a graph.
    #[error("invalid graph {given}: {rule}; write {form}, as in {example}")]
    Value {
        /// The text given.
        given: String,
        /// What is required of the numbers.
        rule: &'static str,
        /// What the text should look like.
        form: String,
        /// A valid text.
        example: &'static str,
    },
    /// More vertices or edges than any graph may have.
    #[error(
        "{given} has {} vertices and {} edges; the limit is {} vertices and {} edges, so choose a smaller graph",
        grouped_digits(&.size.vertices.to_string()),
        grouped_digits(&.size.edges.to_string()),
        grouped(MAX_VERTICES),
        grouped(MAX_EDGES)
    )]
    TooLarge {
        /// The text given.
        given: String,
        /// The size of the graph.
        size: GraphSize,
    },
    /// More memory than is available.
    #[error(
        "{given} has {} and needs about {} of memory, but only {} is available; choose a smaller graph",
        counted(.size.edges as u64, "edge"),
        in_bytes(.size.bytes()),
        in_bytes(*.available)
    )]
    Memory {
        /// The text given.
        given: String,
        /// The size of the graph.
        size: GraphSize,
        /// Available memory in bytes.
        available: u128,
    },
}

impl Diagnostic for GeneratorError {
    fn kind(&self) -> ErrorKind {
        match self {
            GeneratorError::Memory { .. } => ErrorKind::Memory,
            _ => ErrorKind::Invalid,
        }
    }
}

/// All generators.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "petersen",
        parameters: &["N", "K"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "petersen:101,2",
        summary: "generalized Petersen graph, 2N vertices of degree 3; petersen:5,2 is the Petersen graph",
        vertices: "the outer cycle, then the inner vertices in the same order",
        size: families::petersen_size,
        edges: families::petersen,
    },
    Generator {
        name: "cube",
        parameters: &["D"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "cube:8",
        summary: "hypercube of D dimensions, 2^D vertices of degree D",
        vertices: "by the binary number of their coordinates",
        size: families::cube_size,
        edges: families::cube,
    },
    Generator {
        name: "grid",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: true,
        separator: 'x',
        example: "grid:10x10",
        summary: "grid of R rows and C columns, or of more dimensions, as in grid:4x4x4",
        vertices: "row by row",
        size: boxes::grid_size,
        edges: boxes::grid,
    },
    Generator {
        name: "torus",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: true,
        separator: 'x',
        example: "torus:5x6",
        summary: "grid on a torus: the last vertex of every line is joined to the first",
        vertices: "row by row",
        size: boxes::torus_size,
        edges: boxes::torus,
    },
    Generator {
        name: "knight",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: true,
        separator: 'x',
        example: "knight:4x4x4",
        summary: "knight's moves in a box of two or more dimensions: one step along one axis and two along another",
        vertices: "row by row",
        size: boxes::knight_size,
        edges: boxes::knight,
    },
    Generator {
        name: "king",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: false,
        separator: 'x',
        example: "king:8x8",
        summary: "king's moves on a board",
        vertices: "row by row",
        size: boards::king_size,
        edges: boards::king,
    },
    Generator {
        name: "queen",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: false,
        separator: 'x',
        example: "queen:8x8",
        summary: "queen's moves on a board",
        vertices: "row by row",
        size: boards::queen_size,
        edges: boards::queen,
    },
    Generator {
        name: "rook",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: false,
        separator: 'x',
        example: "rook:8x8",
        summary: "rook's moves on a board",
        vertices: "row by row",
        size: boards::rook_size,
        edges: boards::rook,
    },
    Generator {
        name: "bishop",
        parameters: &["R", "C"],
        defaults: &[],
        repeats: false,
        separator: 'x',
        example: "bishop:8x8",
        summary: "bishop's moves on a board, which never leave a colour",
        vertices: "row by row",
        size: boards::bishop_size,
        edges: boards::bishop,
    },
    Generator {
        name: "random-regular",
        parameters: &["N", "D", "SEED"],
        defaults: &[1],
        repeats: false,
        separator: ',',
        example: "random-regular:100,3",
        summary: "random graph of N vertices of degree D; the same seed gives the same graph",
        vertices: "in no particular order",
        size: random::size,
        edges: random::edges,
    },
    Generator {
        name: "flower",
        parameters: &["N"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "flower:5",
        summary: "flower snark J_N, 4N vertices of degree 3, no Hamiltonian cycle; N is odd",
        vertices: "the N centres, the N vertices of the short cycle, the 2N of the long cycle",
        size: families::flower_size,
        edges: families::flower,
    },
    Generator {
        name: "coxeter",
        parameters: &[],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "coxeter",
        summary: "Coxeter graph, 28 vertices of degree 3, girth 7, no Hamiltonian cycle",
        vertices: "the triples of 7 points that are not lines of the Fano plane, in lexicographic order",
        size: named::coxeter_size,
        edges: named::coxeter,
    },
    Generator {
        name: "tutte",
        parameters: &[],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "tutte",
        summary: "Tutte graph, 46 vertices of degree 3, planar, no Hamiltonian cycle",
        vertices: "the centre, then its neighbours and the rest in an arbitrary order",
        size: named::tutte_size,
        edges: named::tutte,
    },
    Generator {
        name: "meredith",
        parameters: &[],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "meredith",
        summary: "Meredith graph, 70 vertices of degree 4, no Hamiltonian cycle",
        vertices: "a group of 7 for each vertex of `petersen:5,2`; in each group, the 4 with edges to other groups come first",
        size: named::meredith_size,
        edges: named::meredith,
    },
    Generator {
        name: "cycle",
        parameters: &["N"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "cycle:12",
        summary: "cycle of N vertices",
        vertices: "around the cycle",
        size: families::cycle_size,
        edges: families::cycle,
    },
    Generator {
        name: "path",
        parameters: &["N"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "path:12",
        summary: "path of N vertices",
        vertices: "along the path",
        size: families::path_size,
        edges: families::path,
    },
    Generator {
        name: "complete",
        parameters: &["N"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "complete:12",
        summary: "complete graph of N vertices",
        vertices: "in any order",
        size: families::complete_size,
        edges: families::complete,
    },
    Generator {
        name: "bipartite",
        parameters: &["A", "B"],
        defaults: &[],
        repeats: false,
        separator: ',',
        example: "bipartite:6,6",
        summary: "complete bipartite graph of A and B vertices",
        vertices: "the A vertices, then the B vertices",
        size: families::bipartite_size,
        edges: families::bipartite,
    },
];

impl Generator {
    /// Returns what users write, as in `petersen:N,K`; brackets enclose what may be left out.
    pub fn form(&self) -> String {
        let mut text = self.name.to_string();
        let needed = self.parameters.len() - self.defaults.len();
        for (at, parameter) in self.parameters.iter().enumerate() {
            let between = if at == 0 { ':' } else { self.separator };
            text += &match at < needed {
                true => format!("{between}{parameter}"),
                false => format!("[{between}{parameter}]"),
            };
        }
        if self.repeats {
            text += &format!("[{}…]", self.separator);
        }
        text
    }

    /// Parses the arguments; defaults stand for the last ones.
    fn values(&self, arguments: Option<&str>) -> Option<Vec<u64>> {
        let number = |word: &str| {
            let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            word.parse::<u64>().ok().filter(|_| digits)
        };
        let words = arguments.into_iter().flat_map(|text| text.split(self.separator));
        let mut values = words.map(number).collect::<Option<Vec<u64>>>()?;
        if self.repeats && (self.parameters.len()..=DIMENSIONS).contains(&values.len()) {
            return Some(values);
        }
        let missing = self.parameters.len().checked_sub(values.len())?;
        let defaults = self.defaults.len().checked_sub(missing)?;
        values.extend(&self.defaults[defaults..]);
        Some(values)
    }
}

/// Returns the forms of all generators in one line.
pub fn forms() -> String {
    GENERATORS.iter().map(Generator::form).collect::<Vec<_>>().join(", ")
}

/// Splits a text into the name of a generator and its arguments.
fn parts(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(name, arguments)| (name, Some(arguments)))
}

fn named(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.name == name)
}

/// Returns whether a text is meant as a generator: the name of one, or a word, a colon and no path.
pub fn is_generator(text: &str) -> bool {
    let (name, arguments) = parts(text);
    // A single letter before the colon is a drive.
    let word = name.len() > 1 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
    let plain = |arguments: &str| !arguments.contains(['/', '\\', '.']);
    named(name).is_some() || word && arguments.is_some_and(plain)
}

fn unknown(name: &str) -> GeneratorError {
    let distance = |known: &&Generator| strsim::damerau_levenshtein(name, known.name);
    let near = GENERATORS.iter().min_by_key(distance).filter(|known| distance(known) <= 2);
    let hint = match near {
        Some(known) => format!("did you mean {}?", known.form()),
        None => format!("write one of {}", forms()),
    };
    GeneratorError::Unknown { name: shorten(name), hint }
}

/// Generates a graph from a text such as `petersen:101,2`; `available` is the memory in bytes, if known.
pub fn generate(text: &str, available: Option<u128>) -> Result<Graph, GeneratorError> {
    let (name, arguments) = parts(text);
    let generator = named(name).ok_or_else(|| unknown(name))?;
    let (form, example) = (generator.form(), generator.example);
    let Some(values) = generator.values(arguments) else {
        return Err(GeneratorError::Form { given: shorten(text), form, example });
    };
    let given = title(generator, &values);
    let size = (generator.size)(&values);
    let size =
        size.map_err(|rule| GeneratorError::Value { given: given.clone(), rule, form, example })?;
    if size.vertices > MAX_VERTICES.into() || size.edges > MAX_EDGES.into() {
        return Err(GeneratorError::TooLarge { given, size });
    }
    if let Some(available) = available.filter(|&bytes| bytes < size.bytes()) {
        return Err(GeneratorError::Memory { given, size, available });
    }
    let names = (1..=size.vertices as u64).map(|n| n.to_string()).collect();
    Ok(Graph::File(Arc::new(Csr::new(given, names, &(generator.edges)(&values)))))
}

/// The graph as users write it, with every argument.
fn title(generator: &Generator, values: &[u64]) -> String {
    let numbers: Vec<String> = values.iter().map(u64::to_string).collect();
    let colon = if numbers.is_empty() { "" } else { ":" };
    let separator = generator.separator.to_string();
    format!("{}{colon}{}", generator.name, numbers.join(&separator))
}
