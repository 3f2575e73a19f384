//! Edge lists: two vertex names per line, separated by blanks, a tab or a comma; a single name
//! declares a vertex.
//!
//! `#` and `%` begin a comment anywhere. A line that begins with the word `c` is a comment if it has
//! more than two words; otherwise `c` is an ordinary vertex. Vertices are in numeric order if all names
//! are numbers, otherwise in the order of their first appearance.

use super::{GraphFault, GraphParts, Located, MAX_VERTICES, shorten};
use std::collections::HashMap;

/// Returns whether a word belongs to another notation: an arrow, brackets, quotes.
fn is_foreign(word: &str) -> bool {
    word.contains(['{', '}', '[', ']', '"', ';']) || word.contains("->") || word.contains("--")
}

/// Returns the words of a line without its comment.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let end = line.find(['#', '%']).unwrap_or(line.len());
    line[..end].split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty())
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    let mut edges = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut vertex = |name| {
            *numbers.entry(name).or_insert_with(|| {
                names.push(name);
                (names.len() - 1) as u32
            })
        };
        let mut words = words(content);
        let (first, second, more) = (words.next(), words.next(), words.count());
        if let Some(word) = [first, second].into_iter().flatten().find(|word| is_foreign(word)) {
            return Err((line, GraphFault::Foreign(shorten(word))));
        }
        match (first, second, more) {
            (None, ..) => {}
            (Some("c"), _, 1..) => {}
            (Some(only), None, _) => {
                vertex(only);
            }
            (Some(u), Some(v), 0) => edges.push((vertex(u), vertex(v))),
            (Some(_), Some(_), more) => return Err((line, GraphFault::Words(more + 2))),
        }
        if names.len() as u64 > MAX_VERTICES {
            let found = format!("more than {MAX_VERTICES}");
            return Err((line, GraphFault::TooManyVertices { found, limit: MAX_VERTICES }));
        }
    }
    // Lines without blanks or commas may be edges of another notation; nothing is proved of them.
    if edges.is_empty() && names.len() > 1 {
        return Err((1, GraphFault::NoEdge));
    }
    if !names.iter().all(|name| name.bytes().all(|b| b.is_ascii_digit())) {
        return Ok((names.into_iter().map(String::from).collect(), edges));
    }
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by_key(|&v| {
        let name = names[v as usize];
        let digits = name.trim_start_matches('0');
        (digits.len(), digits, name.len())
    });
    let mut place = vec![0; names.len()];
    for (at, &v) in (0..).zip(&order) {
        place[v as usize] = at;
    }
    for (u, v) in &mut edges {
        (*u, *v) = (place[*u as usize], place[*v as usize]);
    }
    Ok((order.iter().map(|&v| names[v as usize].to_string()).collect(), edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_and_words_keep_their_order() {
        let (names, edges) = read("10 2\n2 1 # the last\n7\n").unwrap();
        assert_eq!(names, ["1", "2", "7", "10"]);
        assert_eq!(edges, [(3, 1), (1, 0)]);
        let (names, edges) = read("10 x\nx,1\n").unwrap();
        assert_eq!(names, ["10", "x", "1"]);
        assert_eq!(edges, [(0, 1), (1, 2)]);
    }

    #[test]
    fn c_is_a_vertex_unless_the_line_is_a_comment() {
        let (names, edges) = read("c a graph of mine\na b\nb c\nc a\n").unwrap();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(edges.len(), 3);
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(read("a b\n\nb c 2.5\n"), Err((3, GraphFault::Words(3))));
    }
}
