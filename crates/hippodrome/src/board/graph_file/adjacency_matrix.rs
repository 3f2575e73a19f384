//! Adjacency matrices: one row of 0 and 1 per vertex, with blanks, commas, semicolons or nothing between.
//!
//! The matrix must be square and symmetric. Vertices are named from 0, like rows of an array.

use super::{GraphFault, GraphParts, Located, data_lines, few_enough, limited, numbered, shorten};

/// Maximum number of vertices, whose matrix has 400 million entries.
const LIMIT: u64 = 20_000;

fn entries(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .filter(|entry| !entry.is_empty())
}

fn is_bit(entry: &str) -> bool {
    matches!(entry, "0" | "1")
}

/// Returns whether rows are single words of as many digits as there are rows.
fn is_dense(text: &str) -> bool {
    let rows = data_lines(text).count();
    rows > 1
        && data_lines(text)
            .all(|(_, row)| row.len() == rows && row.bytes().all(|b| matches!(b, b'0' | b'1')))
}

/// Returns whether all entries are 0 or 1, and rows of two entries are not edges.
pub(super) fn looks_like(text: &str) -> bool {
    let bits = || data_lines(text).all(|(_, row)| entries(row).all(is_bit));
    let wide = || data_lines(text).any(|(_, row)| entries(row).nth(2).is_some());
    let two = || {
        let rows: Vec<Vec<&str>> =
            data_lines(text).take(3).map(|(_, row)| entries(row).collect()).collect();
        rows.len() == 2 && rows.iter().all(|row| row.len() == 2) && rows != [["0", "1"], ["1", "0"]]
    };
    is_dense(text) || bits() && (wide() || two())
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let rows = data_lines(text).count();
    limited(rows as u64, LIMIT).map_err(|fault| (1, fault))?;
    let dense = is_dense(text);
    let mut edges = Vec::new();
    let mut bits: Vec<bool> = Vec::new();
    for (at, (line, row)) in data_lines(text).enumerate() {
        let before = bits.len();
        if dense {
            bits.extend(row.bytes().map(|b| b == b'1'));
        } else {
            for entry in entries(row).take(rows + 1) {
                if !is_bit(entry) {
                    return Err((line, GraphFault::Entry(shorten(entry))));
                }
                bits.push(entry == "1");
            }
        }
        let found = if dense { rows } else { entries(row).count() };
        if found != rows {
            return Err((line, GraphFault::NotSquare { found, rows }));
        }
        for column in 0..at {
            if bits[before + column] != bits[column * rows + at] {
                let (row, column) = (at + 1, column + 1);
                return Err((line, GraphFault::Asymmetric { row, column }));
            }
        }
        let set = (0..=at).filter(|&column| bits[before + column]);
        edges.extend(set.map(|column| (column as u32, at as u32)));
        few_enough(edges.len() as u64).map_err(|fault| (line, fault))?;
    }
    Ok(GraphParts::new(numbered(0, rows as u64), edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_separator_is_read() {
        for text in [
            "0 1 1\n1 0 0\n1 0 0\n",
            "0,1,1\n1,0,0\n1,0,0",
            "0; 1; 1\n1;0;0\n1;0;0\n",
            "# m\n011\n100\n100\n",
        ] {
            assert!(looks_like(text), "{text}");
            assert_eq!(
                read(text),
                Ok(GraphParts::new(numbered(0, 3), vec![(0, 1), (0, 2)])),
                "{text}"
            );
        }
        assert_eq!(read("1 1 0\n1 0 0\n0 0 0\n").unwrap().edges, [(0, 0), (0, 1)]);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, fault) in [
            ("0 1 1\n1 0\n1 0 0\n", 2, GraphFault::NotSquare { found: 2, rows: 3 }),
            ("0 1 1 0\n1 0 0 0\n1 0 0 0\n", 1, GraphFault::NotSquare { found: 4, rows: 3 }),
            ("0 1 1\n0 0 0\n1 0 0\n", 2, GraphFault::Asymmetric { row: 2, column: 1 }),
            ("0 1 2\n1 0 0\n2 0 0\n", 1, GraphFault::Entry("2".into())),
        ] {
            assert_eq!(read(text), Err((line, fault)), "{text}");
        }
    }
}
