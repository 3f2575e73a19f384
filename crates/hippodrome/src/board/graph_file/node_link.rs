//! Node-link JSON, as networkx and d3 write it: `{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 1}]}`.
//!
//! The edges are `edges` or `links`. A node is an object with an `id` (or `name`), a string or a number; an edge is an
//! object with `source` and `target`, or an array of two ends. Numbers and strings with the same characters are the
//! same name, and an array such as [0, 1] is named (0, 1), as networkx does. Coordinates are `x` and `y`, or `pos`.
//! With `"directed": true` every edge needs its opposite. Lists are kept as slices of the text, so errors have lines.

use super::vertices::{LocatedEdges, Places, VertexNames};
use super::{GraphFault, GraphParts, Located, line_at, shorten};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The keys of the outermost object that matter.
#[derive(Deserialize)]
struct NodeLink<'t> {
    directed: Option<bool>,
    #[serde(borrow)]
    nodes: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    edges: Option<Vec<&'t RawValue>>,
    #[serde(borrow)]
    links: Option<Vec<&'t RawValue>>,
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    if text.trim_start().starts_with('[') {
        return Err((1, syntax("an object with nodes and edges", "an array")));
    }
    let outer: NodeLink<'_> = serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or(&said);
        (error.line().max(1), GraphFault::Parser(format!("invalid JSON: {said}")))
    })?;
    let line =
        |item: &RawValue| line_at(text, item.get().as_ptr() as usize - text.as_ptr() as usize);
    let nodes = outer.nodes.ok_or((1, syntax("the key \"nodes\"", "none")))?;
    let links = match (outer.edges, outer.links) {
        (Some(edges), None) | (None, Some(edges)) => edges,
        (None, None) => return Err((1, syntax("the key \"edges\" or \"links\"", "none"))),
        (Some(_), Some(_)) => return Err((1, syntax("one of \"edges\" and \"links\"", "both"))),
    };
    let mut names = VertexNames::default();
    let mut places = Places::default();
    for node in nodes {
        let located = |fault| (line(node), fault);
        let value = parsed(node).map_err(located)?;
        let id = match &value {
            Value::Object(object) => object.get("id").or_else(|| object.get("name")),
            other => Some(other),
        };
        let id =
            id.and_then(named).ok_or_else(|| located(syntax("an id of the node", shown(node))))?;
        let vertex = names.declare(id.into()).map_err(located)?;
        if let Some((x, y)) = place(&value) {
            places.set(vertex, x, y);
        }
    }
    let directed = outer.directed.unwrap_or(false);
    let mut edges = LocatedEdges::default();
    for link in links {
        let value = parsed(link).map_err(|fault| (line(link), fault))?;
        let ends = match &value {
            Value::Object(object) => [object.get("source"), object.get("target")],
            Value::Array(ends) if ends.len() == 2 => [ends.first(), ends.get(1)],
            _ => [None, None],
        };
        let end = |end: Option<&Value>| {
            let wrong = || syntax("a source and a target of the edge", shown(link));
            names.find(&end.and_then(named).ok_or_else(wrong)?)
        };
        let ends = end(ends[0]).and_then(|source| Ok((source, end(ends[1])?)));
        let ends = ends.map_err(|fault| (line(link), fault))?;
        // The line of an edge is searched for only if it is in a message.
        let offset = link.get().as_ptr() as usize - text.as_ptr() as usize;
        edges.push(offset, ends).map_err(|fault| (line(link), fault))?;
    }
    if directed {
        edges.check_symmetric(&names).map_err(|(offset, fault)| (line_at(text, offset), fault))?;
    }
    let positions = places.complete(names.len());
    Ok(GraphParts { positions, ..GraphParts::new(names.into_names(), edges.edges) })
}

fn syntax(expected: &'static str, found: impl Into<String>) -> GraphFault {
    GraphFault::Syntax { expected, found: found.into() }
}

fn shown(item: &RawValue) -> String {
    shorten(item.get())
}

fn parsed(item: &RawValue) -> Result<Value, GraphFault> {
    serde_json::from_str(item.get()).map_err(|error| GraphFault::Parser(error.to_string()))
}

/// Returns the name that a value stands for.
fn named(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(named).collect();
            Some(format!("({})", parts?.join(", ")))
        }
        _ => None,
    }
}

/// Returns the coordinates of a node.
fn place(node: &Value) -> Option<(f64, f64)> {
    let pair = |x: Option<&Value>, y: Option<&Value>| Some((x?.as_f64()?, y?.as_f64()?));
    let pos = node.get("pos");
    pair(node.get("x"), node.get("y")).or_else(|| pair(pos?.get(0), pos?.get(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_nodes_and_edges_is_read() {
        for text in [
            r#"{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}"#,
            r#"{"nodes": [{"id": "0"}, {"id": 1}], "edges": [{"source": 0, "target": "1", "weight": 2}]}"#,
            r#"{"nodes": [0, "1"], "edges": [[0, 1]]}"#,
            r#"{"nodes": [{"name": "0"}, {"name": "1"}], "edges": [["0", "1"]]}"#,
            r#"{"directed": true, "nodes": [0, 1], "edges": [[0, 1], [1, 0]]}"#,
        ] {
            let parts =
                read(text).unwrap_or_else(|(line, fault)| panic!("{text}: {line}: {fault}"));
            assert_eq!(
                (parts.names, parts.edges[0]),
                (vec!["0".into(), "1".into()], (0, 1)),
                "{text}"
            );
        }
        let grid = r#"{"nodes": [{"id": [0, 1], "x": 1, "y": 2.5}, {"id": [0, 2], "pos": [3, 4]}], "edges": [[[0, 1], [0, 2]]]}"#;
        let parts = read(grid).unwrap();
        assert_eq!(parts.names, ["(0, 1)", "(0, 2)"]);
        assert_eq!(parts.positions, Some(vec![(1.0, 2.5), (3.0, 4.0)]));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, said) in [
            ("{\"nodes\": [0, 1],\n\"edges\": [[0, 1],\n[1, 7]]}", 3, "no vertex '7'"),
            (
                "{\"nodes\": [0, 1],\n\"edges\": [{\"source\": 0}]}",
                2,
                "expected a source and a target",
            ),
            ("{\"nodes\": [0,\n0], \"edges\": []}", 2, "declared twice"),
            ("{\"nodes\": [{}], \"edges\": []}", 1, "expected an id"),
            ("{\"nodes\": [0]}", 1, "\"edges\" or \"links\""),
            ("{\"nodes\": [0], \"edges\": [], \"links\": []}", 1, "both"),
            ("{\"edges\": []}", 1, "\"nodes\""),
            ("{\"nodes\": [0,\n", 2, "invalid JSON: EOF"),
            ("[[0, 1]]", 1, "found an array"),
            ("{\"directed\": true, \"nodes\": [0, 1],\n\"edges\":\n[[0, 1]]}", 3, "none back"),
        ] {
            let (at, fault) = read(text).unwrap_err();
            assert!(fault.to_string().contains(said), "{text}: {fault}");
            assert_eq!(at, line, "{text}: {fault}");
        }
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read(&format!("{{\"nodes\": {}", "[".repeat(100_000))).is_err());
    }
}
