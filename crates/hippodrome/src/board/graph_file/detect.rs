//! Which format a text is in.
//!
//! Marks come first: `<` of XML, `{` of JSON, keywords of TSPLIB, DOT and GML, headers of DIMACS, a single word
//! of graph6 or sparse6. Rows of words remain, and their shape decides: rows of 0 and 1 as long as there are
//! rows, a separator, a colon after the first word, more than two words. The reader of the format then checks
//! the whole text, so a wrong guess is an error and never another graph.

use super::{
    adjacency_list, adjacency_matrix, data_lines, dimacs, dot, edge_list, gml, graph6, hcp,
    separated,
};
use crate::board::graph_format::GraphFormat;
use std::collections::HashSet;

/// Returns the format that a text looks like.
pub(super) fn format(text: &str) -> GraphFormat {
    let begin = text.trim_start();
    if begin.starts_with(">>sparse6<<") || begin.starts_with([':', ';']) {
        GraphFormat::Sparse6
    } else if begin.starts_with(['{', '[']) {
        GraphFormat::NodeLink
    } else if begin.starts_with('<') {
        GraphFormat::GraphMl
    } else if graph6::looks_like(text) {
        GraphFormat::Graph6
    } else if hcp::begins_tsplib(text) {
        GraphFormat::Tsplib
    } else if dot::looks_like(text) {
        GraphFormat::Dot
    } else if gml::looks_like(text) {
        GraphFormat::Gml
    } else if dimacs::looks_like(text) {
        GraphFormat::Dimacs
    } else {
        of_rows(text)
    }
}

/// Returns the format of rows of words.
fn of_rows(text: &str) -> GraphFormat {
    let Some((_, first)) = data_lines(text).next() else { return GraphFormat::EdgeList };
    if data_lines(text).all(|(_, row)| adjacency_list::head(row).is_some()) {
        return GraphFormat::AdjacencyList;
    }
    if adjacency_matrix::looks_like(text) {
        return GraphFormat::AdjacencyMatrix;
    }
    if separated::separator(first).is_some() {
        return GraphFormat::Csv;
    }
    let long =
        |row: &str| edge_list::words(row).nth(2).is_some() && !edge_list::is_edge_with_data(row);
    let mut rows = data_lines(text).map(|(_, row)| row).filter(|row| !edge_list::is_comment(row));
    let arrows = edge_list::words(first).any(edge_list::is_foreign);
    if arrows || !rows.clone().any(long) {
        return GraphFormat::EdgeList;
    }
    // Lists of neighbours have one line per vertex; edges with weights repeat the first vertex.
    let three = rows.clone().all(|row| edge_list::words(row).count() == 3);
    let mut heads = HashSet::new();
    let distinct =
        rows.clone().all(|row| edge_list::words(row).next().is_none_or(|head| heads.insert(head)));
    let mut listed = rows.find(|row| long(row)).into_iter().flat_map(edge_list::words);
    match distinct && !three && listed.all(|word| heads.contains(word)) {
        true => GraphFormat::AdjacencyList,
        false => GraphFormat::EdgeList,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_decides() {
        use GraphFormat::*;
        for (text, expected) in [
            ("1 2\n2 3\n", EdgeList),
            ("1 2 {}\n2 3 {'weight': 4}\n", EdgeList),
            ("1 -> 2\n", EdgeList),
            ("1 2 5\n1 3 7\n", EdgeList),
            ("1 2 3\n2 3 1\n3 1 2\n", EdgeList),
            ("c a graph of mine\na b\n", EdgeList),
            ("", EdgeList),
            ("1,2\n2,3\n", Csv),
            ("1;2\n", Csv),
            ("\"a b\"\tc\n", Csv),
            ("New York\tBoston\n", Csv),
            ("1\t2\n2\t3\n", EdgeList),
            ("# written by networkx\n0 1 2\n1 2\n2\n", AdjacencyList),
            ("0: 1 2\n1: 0\n2: 0\n", AdjacencyList),
            ("a :\nb : a\n", AdjacencyList),
            ("0 1 1\n1 0 1\n1 1 0\n", AdjacencyMatrix),
            ("0,1,1\n1,0,1\n1,1,0\n", AdjacencyMatrix),
            ("011\n101\n110\n", AdjacencyMatrix),
            ("0 1 1\n1 0 1\n", AdjacencyMatrix),
            ("0 1\n1 0\n", EdgeList),
            ("IheA@GUAo\n", Graph6),
            (">>graph6<<A_", Graph6),
            ("&AO", Graph6),
            (":An", Sparse6),
            (">>sparse6<<:An", Sparse6),
            ("NAME : x\n", Tsplib),
            ("p edge 3 2\n", Dimacs),
            ("e 1 2\ne 2 3\n", Dimacs),
            ("graph { a -- b }", Dot),
            ("// a comment\nstrict digraph \"x\" {", Dot),
            ("graph [\n node [ id 1 ]\n]\n", Gml),
            ("Creator \"x\"\ngraph\n[\n", Gml),
            ("<?xml version='1.0'?><graphml/>", GraphMl),
            ("{\"nodes\": []}", NodeLink),
            ("graph a\na b\n", EdgeList),
        ] {
            assert_eq!(format(text), expected, "{text}");
        }
    }
}
