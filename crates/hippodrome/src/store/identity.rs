//! Conversion of an enumeration's identity to JSON and back.

use super::StoreError;
use super::job::Identity;
use crate::board::{Board, Csr, Graph, Square};
use crate::lab::enumerate::{Enumeration, TourFilter};
use crate::problem::{Goal, Problem};
use crate::solvers::registry::Choice;
use crate::tour::Distinct;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Fields for required and forbidden moves. No job folder has them, because enumerations with such moves are
/// rejected.
const CONSTRAINTS: [&str; 2] = ["required", "forbidden"];

/// Returns the name of a value in a table of choices.
fn word<T: PartialEq>(table: &[(&'static str, T, &str)], value: &T) -> Option<&'static str> {
    table.iter().find(|row| row.1 == *value).map(|row| row.0)
}

/// Describes a graph so that it can be rebuilt; a graph from a file is written out in full.
pub(super) fn describe_graph(graph: &Graph) -> Identity {
    let mut object = json!({});
    graph.describe_in(&mut object);
    if let Graph::File(csr) = graph {
        let edges = graph
            .vertices()
            .flat_map(|u| graph.neighbours(u).filter(move |&v| u < v).map(move |v| json!([u, v])));
        object["edges"] = edges.collect();
        object["vertices"] = csr.names().iter().map(String::as_str).collect();
    }
    object.as_object().cloned().unwrap_or_default()
}

/// Returns whether two identities describe the same graph, ignoring the names of graph files.
pub(super) fn same_graph(one: &Identity, other: &Identity) -> bool {
    let fields = ["board", "holes", "leaper", "edges", "vertices"];
    fields.iter().all(|&key| one.get(key) == other.get(key))
}

/// Returns the identity of an enumeration: all settings that determine which tours it finds, except the
/// budget.
pub fn identity(run: &Enumeration) -> Identity {
    let (problem, graph) = (&run.problem, run.problem.graph());
    let name = |v: Option<Square>| v.map(|v| graph.name(v));
    let params = run.choice.values.iter().map(|(name, v)| (name.into(), v.to_string().into()));
    let mut identity = describe_graph(graph);
    let facts = [
        ("closed", problem.is_closed().into()),
        ("start", json!(name(problem.start()))),
        ("end", json!(name(problem.end()))),
        ("solver", run.choice.name().into()),
        ("params", Value::Object(params.collect())),
        ("seed", run.seed.into()),
        ("distinct", word(Distinct::CHOICES, &run.distinct).into()),
        ("where", run.keep.and_then(|keep| word(TourFilter::CHOICES, &keep)).into()),
    ];
    identity.extend(facts.map(|(name, value)| (name.to_string(), value)));
    for (key, edges) in CONSTRAINTS.into_iter().zip([problem.required(), problem.forbidden()]) {
        if !edges.is_empty() {
            let names = edges.iter().map(|&(u, v)| json!([graph.name(u), graph.name(v)]));
            identity.insert(key.into(), names.collect());
        }
    }
    identity
}

/// Returns selected fields of an enumeration's identity, and selected parameters of its solver, for
/// [`JobChange::restated`](crate::store::JobChange::restated).
pub fn restated(run: &Enumeration, fields: &[&str], params: &[&str]) -> Identity {
    let all = identity(run);
    let value = |field: &str| all.get(field).cloned().unwrap_or_default();
    let mut stated: Identity = fields.iter().map(|&f| (f.to_string(), value(f))).collect();
    if !params.is_empty() {
        let known =
            params.iter().filter_map(|&p| Some((p.to_string(), all["params"].get(p)?.clone())));
        stated.insert("params".into(), Value::Object(known.collect()));
    }
    stated
}

fn wrong(what: &str) -> StoreError {
    StoreError::Job(format!(
        "the job's {what} cannot be read; plan the job again in another folder"
    ))
}

/// Rebuilds the graph that an identity describes.
pub(super) fn graph(identity: &Identity) -> Result<Graph, StoreError> {
    let text = |key: &str| identity.get(key).and_then(Value::as_str);
    let list = |key: &str| identity.get(key).and_then(Value::as_array);
    if let Some(title) = text("graph") {
        let names = list("vertices").ok_or_else(|| wrong("vertices"))?;
        let names: Option<Vec<String>> = names.iter().map(|n| Some(n.as_str()?.into())).collect();
        let edge = |e: &Value| Some((e.get(0)?.as_u64()? as u32, e.get(1)?.as_u64()? as u32));
        let edges: Option<Vec<_>> = list("edges").and_then(|e| e.iter().map(edge).collect());
        let (Some(names), Some(edges)) = (names, edges) else { return Err(wrong("graph")) };
        if edges.iter().any(|&(u, v)| u.max(v) as usize >= names.len()) {
            return Err(wrong("edges"));
        }
        return Ok(Graph::File(Arc::new(Csr::new(title.into(), names, &edges))));
    }
    let board = text("board").and_then(|b| Board::parse(b).ok()).ok_or_else(|| wrong("board"))?;
    let holes = list("holes").map_or(&[][..], Vec::as_slice).iter();
    let holes = holes.map(|h| h.as_str().and_then(|h| board.place(h).ok()));
    let holes: Option<Vec<Square>> = holes.collect();
    let holes = holes.ok_or_else(|| wrong("holes"))?;
    let board = if holes.is_empty() {
        board
    } else {
        board.with_holes(holes).map_err(|_| wrong("holes"))?
    };
    let leaper = text("leaper").unwrap_or("1,2").parse().map_err(|_| wrong("leaper"))?;
    Ok(Graph::leaper(board, leaper))
}

/// Returns the rule by which an identity counts tours as duplicates.
pub(super) fn distinct(identity: &Identity) -> Result<Distinct, StoreError> {
    let said = identity.get("distinct").and_then(Value::as_str);
    let row = Distinct::CHOICES.iter().find(|row| Some(row.0) == said);
    row.map(|row| row.1).ok_or_else(|| wrong("distinct"))
}

/// Rebuilds the enumeration that an identity describes, without a budget.
pub fn enumeration(identity: &Identity) -> Result<Enumeration, StoreError> {
    if let Some(key) = CONSTRAINTS.into_iter().find(|&key| identity.contains_key(key)) {
        return Err(wrong(&format!("{key} moves")));
    }
    let graph = graph(identity)?;
    let text = |key: &str| identity.get(key).and_then(Value::as_str);
    let vertex = |key: &'static str| {
        text(key).map(|name| graph.vertex(name)).transpose().map_err(|_| wrong(key))
    };
    let goal = match identity.get("closed").and_then(Value::as_bool) {
        Some(true) => Goal::Closed,
        Some(false) => Goal::Open,
        None => return Err(wrong("closed")),
    };
    let (start, end) = (vertex("start")?, vertex("end")?);
    let problem = Problem::new(graph.clone(), goal, start, end).map_err(|_| wrong("ends"))?;
    let empty = Map::new();
    let params = identity.get("params").and_then(Value::as_object).unwrap_or(&empty).iter();
    let params: Vec<String> =
        params.map(|(name, v)| format!("{name}={}", v.as_str().unwrap_or_default())).collect();
    let choice = text("solver").and_then(|name| Choice::new(name, &params).ok());
    let keep = match text("where") {
        None => None,
        Some(said) => {
            let row = TourFilter::CHOICES.iter().find(|row| row.0 == said);
            Some(row.map(|row| row.1).ok_or_else(|| wrong("where"))?)
        }
    };
    Ok(Enumeration {
        seed: identity.get("seed").and_then(Value::as_u64).ok_or_else(|| wrong("seed"))?,
        distinct: distinct(identity)?,
        keep,
        ..Enumeration::new(problem, choice.ok_or_else(|| wrong("solver"))?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::graph_file::read_graph;

    #[test]
    fn an_enumeration_is_rebuilt_from_its_identity() {
        let holed = Board::parse("5x6").unwrap().with_holes([7, 11].map(Square::new)).unwrap();
        let path = read_graph("path.txt", "b a\na c\n").unwrap();
        let graphs = [
            Graph::knight(Board::parse("8x8").unwrap()),
            Graph::leaper(holed, "1,2+0,1".parse().unwrap()),
            path,
        ];
        for graph in graphs {
            let (first, last) = (graph.vertices().next(), graph.vertices().last());
            for (goal, keep, solver) in [
                (Goal::Open, None, "mace"),
                (Goal::Closed, Some(TourFilter::Magic), "exact"),
                (Goal::Open, Some(TourFilter::Closed), "backtrack"),
            ] {
                let problem = Problem::new(graph.clone(), goal, first, last).unwrap();
                let run = Enumeration {
                    seed: u64::MAX,
                    distinct: Distinct::Undirected,
                    keep,
                    ..Enumeration::new(problem, Choice::new::<&str>(solver, &[]).unwrap())
                };
                let described = identity(&run);
                let again = enumeration(&described).unwrap();
                assert_eq!(identity(&again), described);
                let neighbours = |g: &Graph| -> Vec<Vec<Square>> {
                    g.vertices().map(|v| g.neighbours(v).collect()).collect()
                };
                assert_eq!(neighbours(again.problem.graph()), neighbours(&graph));
            }
        }
    }
}
