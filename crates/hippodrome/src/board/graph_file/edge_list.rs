//! Edge lists: two vertex names per line, separated by blanks, tabs or a comma; a single name declares a
//! vertex.
//!
//! `#` and `%` begin a comment at the start of a word. A line that begins with the word `c` is a comment if it has
//! more than two words; otherwise `c` is an ordinary vertex. networkx writes a dictionary after each edge
//! (`0 1 {}`), which is left out. `pairs.rs` decides which lines are edges.

use super::pairs::PairTable;
use super::{GraphFault, GraphParts, Located, data_lines, shorten};

/// Returns whether a word belongs to another notation: an arrow, brackets, quotes.
pub(super) fn is_foreign(word: &str) -> bool {
    let sign = |c: char| {
        matches!(c, '-' | '<' | '>' | '=' | '|' | '/' | '~' | ':' | '–' | '—' | '→' | '↔')
    };
    word.contains(['{', '}', '[', ']', '(', ')', '"', ';'])
        || ["->", "--", "=>", "→", "↔"].iter().any(|arrow| word.contains(arrow))
        || word.chars().all(sign)
}

/// Returns the words of a row.
pub(super) fn words(row: &str) -> impl Iterator<Item = &str> + Clone {
    row.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty())
}

/// Returns whether a row is a comment of DIMACS: the word `c`, then at least two more.
pub(super) fn is_comment(row: &str) -> bool {
    let mut words = words(row);
    words.next() == Some("c") && words.nth(1).is_some()
}

/// Returns the row without the dictionary that networkx appends.
fn without_data(row: &str) -> &str {
    match row.split_once('{') {
        Some((edge, data)) if data.ends_with('}') && words(edge).count() == 2 => edge,
        _ => row,
    }
}

/// Returns whether a row is an edge with a dictionary.
pub(super) fn is_edge_with_data(row: &str) -> bool {
    without_data(row).len() < row.len()
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut table = PairTable::default();
    let mut comments = Vec::new();
    let three = data_lines(text).all(|(_, row)| words(without_data(row)).count() == 3);
    for (line, row) in data_lines(text) {
        if is_comment(row) {
            comments.push((line, row));
            continue;
        }
        let mut words = words(without_data(row));
        let (first, second) = (words.next(), words.next());
        if let Some(word) = first.into_iter().chain(second).find(|word| is_foreign(word)) {
            return Err((line, GraphFault::Foreign(shorten(word))));
        }
        if let Some(word) = first.into_iter().chain(second).find(|w| w.contains(['#', '%'])) {
            return Err((line, GraphFault::InnerComment(shorten(word))));
        }
        match (first, second, words.count()) {
            (None, ..) => return Err((line, GraphFault::NoName)),
            (Some(only), None, _) => table.lone(line, only)?,
            (Some(u), Some(v), 0) => table.pair(line, [u.into(), v.into()])?,
            (Some(_), Some(_), _) if three => return Err((line, GraphFault::ThreeWords)),
            (Some(_), Some(_), more) => return Err((line, GraphFault::Words(more + 2))),
        }
    }
    // The list of neighbours of a vertex `c` is no comment.
    let listed = |row: &&(usize, &str)| words(row.1).skip(1).all(|word| table.has(word));
    if let Some(&(line, _)) = comments.iter().find(listed) {
        return Err((line, GraphFault::CommentOrList));
    }
    table.finish(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_and_words_keep_their_order() {
        let GraphParts { names, edges, .. } = read("10 2\n2 1 # the last\n7\n").unwrap();
        assert_eq!(names, ["1", "2", "7", "10"]);
        assert_eq!(edges, [(3, 1), (1, 0)]);
        let GraphParts { names, edges, .. } = read("10 x\nx 1\n").unwrap();
        assert_eq!(names, ["10", "x", "1"]);
        assert_eq!(edges, [(0, 1), (1, 2)]);
    }

    #[test]
    fn c_is_a_vertex_unless_the_line_is_a_comment() {
        let GraphParts { names, edges, .. } = read("c a graph of mine\na b\nb c\nc a\n").unwrap();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(edges.len(), 3);
        assert_eq!(read("a b\nb\nc a b\n"), Err((3, GraphFault::CommentOrList)));
    }

    #[test]
    fn dictionaries_of_networkx_are_left_out() {
        let parts = read("0 1 {}\n1 2 {'weight': 0.5, 'name': 'x y'}\n").unwrap();
        assert_eq!((parts.names.len(), parts.edges.len()), (3, 2));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, fault) in [
            ("a b\n\nb c 2.5\n", 3, GraphFault::Words(3)),
            ("1 2 7\n1 3 8\n", 1, GraphFault::ThreeWords),
            ("1 2\n2 -> 3\n", 2, GraphFault::Foreign("->".into())),
            ("1 2\n2->3\n", 2, GraphFault::Foreign("2->3".into())),
            ("1 - 2\n", 1, GraphFault::Foreign("-".into())),
            ("1 2\n2;3\n", 2, GraphFault::Foreign("2;3".into())),
            ("(1 2)\n", 1, GraphFault::Foreign("(1".into())),
            ("A C#\nC D\n", 1, GraphFault::InnerComment("C#".into())),
            ("1 2#last\n", 1, GraphFault::InnerComment("2#last".into())),
        ] {
            assert_eq!(read(text), Err((line, fault)), "{text}");
        }
    }
}
