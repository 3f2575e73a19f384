//! GraphML: nodes and edges in XML, by the crate roxmltree.
//!
//! Vertices are named by their ids. Coordinates are those of keys named `x` and `y`, or of yEd's `Geometry`. A
//! directed edge needs its opposite. Hyperedges and graphs within nodes are refused; other data are skipped.

use super::vertices::{LocatedEdges, Places, VertexNames};
use super::{GraphFault, GraphParts, Located, line_at, shorten};
use roxmltree::{Document, Node, ParsingOptions};

/// Ids of the keys of the two coordinates.
struct CoordinateKeys<'t>([Option<&'t str>; 2]);

impl<'t> CoordinateKeys<'t> {
    fn of(root: Node<'t, 't>) -> CoordinateKeys<'t> {
        let key = |name: &str| {
            let named = |key: &Node<'_, '_>| {
                key.has_tag_name_local("key")
                    && key.attribute("attr.name") == Some(name)
                    && key.attribute("for").is_none_or(|of| of == "node" || of == "all")
            };
            root.children().find(named).and_then(|key| key.attribute("id"))
        };
        CoordinateKeys([key("x"), key("y")])
    }

    /// Returns the position of a node.
    fn place(&self, node: Node<'_, '_>) -> Option<(f64, f64)> {
        let data = |key: Option<&str>| -> Option<f64> {
            let has = |data: &Node<'_, '_>| {
                data.has_tag_name_local("data") && data.attribute("key") == key
            };
            node.children().find(|data| key.is_some() && has(data))?.text()?.trim().parse().ok()
        };
        let [x, y] = self.0;
        if let (Some(x), Some(y)) = (data(x), data(y)) {
            return Some((x, y));
        }
        let shape = node.descendants().find(|inner| inner.has_tag_name_local("Geometry"))?;
        let number = |name| shape.attribute(name)?.parse().ok();
        Some((number("x")?, number("y")?))
    }
}

/// Comparison of tags without their namespace.
trait LocalName {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| (error.pos().row as usize, GraphFault::Parser(error.to_string())))?;
    let line = |node: Node<'_, '_>| line_at(text, node.range().start);
    let root = document.root_element();
    if !root.has_tag_name_local("graphml") {
        let found = format!("<{}>", shorten(root.tag_name().name()));
        return Err((line(root), GraphFault::Syntax { expected: "<graphml>", found }));
    }
    let mut graphs = root.children().filter(|child| child.has_tag_name_local("graph"));
    let Some(graph) = graphs.next() else {
        return Err((line(root), GraphFault::Syntax { expected: "<graph>", found: "none".into() }));
    };
    if let Some(second) = graphs.next() {
        return Err((line(second), GraphFault::SecondGraph));
    }
    let keys = CoordinateKeys::of(root);
    let mut names = VertexNames::default();
    let mut places = Places::default();
    for node in graph.children().filter(Node::is_element) {
        match node.tag_name().name() {
            "node" => {
                if let Some(inner) =
                    node.descendants().find(|inner| inner.has_tag_name_local("graph"))
                {
                    let fault = GraphFault::Unsupported(
                        "a graph within a node",
                        "give one graph without nested ones",
                    );
                    return Err((line(inner), fault));
                }
                let id =
                    needed(node, "id", "an id of the node").map_err(|fault| (line(node), fault))?;
                let vertex = names.declare(id.into()).map_err(|fault| (line(node), fault))?;
                if let Some((x, y)) = keys.place(node) {
                    places.set(vertex, x, y);
                }
            }
            "edge" | "data" | "desc" | "port" | "locator" => {}
            "hyperedge" => {
                let fault =
                    GraphFault::Unsupported("a hyperedge", "give a graph with edges of two ends");
                return Err((line(node), fault));
            }
            other => {
                let found = format!("<{}>", shorten(other));
                return Err((
                    line(node),
                    GraphFault::Syntax { expected: "<node> or <edge>", found },
                ));
            }
        }
    }
    let default = graph.attribute("edgedefault") == Some("directed");
    let (mut edges, mut arcs) = (LocatedEdges::default(), LocatedEdges::default());
    for edge in graph.children().filter(|child| child.has_tag_name_local("edge")) {
        let end = |name, expected| names.find(needed(edge, name, expected)?);
        let ends = end("source", "a source of the edge")
            .and_then(|source| Ok((source, end("target", "a target of the edge")?)));
        let ends = ends.map_err(|fault| (line(edge), fault))?;
        let directed = edge.attribute("directed").map_or(default, |value| value == "true");
        // The line of an edge is searched for only if it is in a message.
        edges.push(0, ends).map_err(|fault| (line(edge), fault))?;
        if directed {
            arcs.push(edge.range().start, ends).map_err(|fault| (line(edge), fault))?;
        }
    }
    arcs.check_symmetric(&names).map_err(|(offset, fault)| (line_at(text, offset), fault))?;
    let positions = places.complete(names.len());
    Ok(GraphParts { positions, ..GraphParts::new(names.into_names(), edges.edges) })
}

/// Returns an attribute.
fn needed<'t>(
    node: Node<'t, '_>,
    name: &str,
    expected: &'static str,
) -> Result<&'t str, GraphFault> {
    node.attribute(name).ok_or(GraphFault::Syntax { expected, found: "none".into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(kind: &str, rest: &str) -> Result<GraphParts, Located> {
        let keys = "<key id=\"d0\" for=\"node\" attr.name=\"x\"/><key id=\"d1\" for=\"node\" attr.name=\"y\"/>";
        read(&format!(
            "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">{keys}\n<graph edgedefault=\"{kind}\">\n{rest}\n</graph></graphml>"
        ))
    }

    #[test]
    fn nodes_edges_and_coordinates_are_read() {
        let nodes = "<node id=\"a\"><data key=\"d0\">1</data><data key=\"d1\"> 2.5 </data></node>\n<node id=\"b &amp; c\"><data key=\"d7\"><y:Geometry xmlns:y=\"y\" x=\"3\" y=\"4\"/></data></node>";
        let parts =
            document("undirected", &format!("<edge source=\"a\" target=\"b &amp; c\"/>{nodes}"))
                .unwrap();
        assert_eq!((parts.names, parts.edges), (vec!["a".into(), "b & c".into()], vec![(0, 1)]));
        assert_eq!(parts.positions, Some(vec![(1.0, 2.5), (3.0, 4.0)]));
    }

    #[test]
    fn faults_name_their_line() {
        let nodes = "<node id=\"a\"/>\n<node id=\"b\"/>";
        for (kind, rest, line, said) in [
            (
                "undirected",
                format!("{nodes}\n<edge source=\"a\" target=\"c\"/>"),
                6,
                "no vertex 'c'",
            ),
            ("undirected", format!("{nodes}\n<edge source=\"a\"/>"), 6, "expected a target"),
            ("undirected", format!("{nodes}\n<node id=\"a\"/>"), 6, "declared twice"),
            ("undirected", format!("{nodes}\n<hyperedge/>"), 6, "hyperedge is not supported"),
            ("undirected", format!("{nodes}\n<edges/>"), 6, "<node> or <edge>"),
            ("undirected", format!("{nodes}\n<edge"), 7, "name its format"),
            ("undirected", "<node id=\"a\">\n<graph/></node>".into(), 5, "within a node"),
            (
                "directed",
                format!("{nodes}\n\n<edge source=\"a\" target=\"b\"/>"),
                7,
                "from a to b but none back",
            ),
        ] {
            let (at, fault) = document(kind, &rest).unwrap_err();
            assert!(fault.to_string().contains(said), "{rest}: {fault}");
            assert_eq!(at, line, "{rest}: {fault}");
        }
        let (line, fault) = read("<svg></svg>").unwrap_err();
        assert_eq!((line, fault.to_string()), (1, "expected <graphml>, but found <svg>".into()));
        assert!(read("<!DOCTYPE x [<!ENTITY a \"b\">]><graphml/>").is_err());
        assert!(read(&"<graphml>".repeat(200_000)).is_err());
    }
}
