//! CSV: two columns with vertex names, separated by commas, semicolons or tabs, with or without a header.
//!
//! A header with known names of columns (`source,target`, `from;to`) may have further columns; they are left
//! out and named in the reading. A column `Type` with the value `Directed`, as Gephi writes it, makes the edges
//! directed. Without such a header there are exactly two columns, and `pairs.rs` decides whether the first row is
//! an edge. Quoted fields are those of RFC 4180, by the crate csv.

use super::pairs::{PairTable, are_columns};
use super::{GraphFault, GraphParts, Located, shorten};
use csv::{ReaderBuilder, StringRecord, Trim};

/// Returns the separator of a row: a semicolon, a comma, or a tab unless the row is two plain words.
pub(super) fn separator(row: &str) -> Option<u8> {
    let mut quoted = false;
    let mut found = [false; 3];
    for c in row.chars() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => found[0] = true,
            ',' if !quoted => found[1] = true,
            '\t' if !quoted => found[2] = true,
            _ => {}
        }
    }
    let plain = !row.contains('"') && row.split_whitespace().count() == 2;
    match found {
        [true, ..] => Some(b';'),
        [_, true, _] => Some(b','),
        [_, _, true] if !plain => Some(b'\t'),
        _ => None,
    }
}

/// The columns that a header names.
struct EdgeColumns {
    ends: [usize; 2],
    kind: Option<usize>,
    ignored: Vec<String>,
}

/// Finds the columns of the two ends; `None` if the row is not a header with more than two columns.
fn columns(row: &StringRecord) -> Option<EdgeColumns> {
    let pairs = (0..row.len()).flat_map(|u| (0..row.len()).map(move |v| (u, v)));
    let mut pairs = pairs.filter(|&(u, v)| are_columns(&row[u], &row[v]));
    let (u, v) = pairs.next().filter(|_| (3..=1000).contains(&row.len()))?;
    let kind = row.iter().position(|name| name.eq_ignore_ascii_case("type"));
    let others = (0..row.len()).filter(|&at| at != u && at != v && Some(at) != kind);
    let ignored = others.map(|at| shorten(&row[at])).collect();
    Some(EdgeColumns { ends: [u, v], kind, ignored })
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with(['#', '%']));
    let separator = first.and_then(separator).unwrap_or(b'\t');
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut table = PairTable::default();
    let mut width: Option<(usize, usize)> = None;
    let mut chosen = EdgeColumns { ends: [0, 1], kind: None, ignored: Vec::new() };
    let mut directed = false;
    let mut row = StringRecord::new();
    loop {
        let next = reader.position().line() as usize;
        match reader.read_record(&mut row) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) => return Err((next, GraphFault::Parser(error.to_string()))),
        }
        let line = row.position().map_or(next, |at| at.line() as usize);
        if row.iter().all(str::is_empty) || row.get(0).is_some_and(|field| field.starts_with('%')) {
            continue;
        }
        let Some((expected, line_of_first)) = width else {
            width = Some((row.len(), line));
            match (columns(&row), row.len()) {
                (Some(known), _) => chosen = known,
                (None, 2) => add(&mut table, line, &row, [0, 1])?,
                (None, found) => return Err((line, GraphFault::Columns(found))),
            }
            continue;
        };
        if row.len() != expected {
            let found = row.len();
            return Err((line, GraphFault::Ragged { found, expected, line: line_of_first }));
        }
        directed |= chosen.kind.is_some_and(|at| row[at].eq_ignore_ascii_case("directed"));
        add(&mut table, line, &row, chosen.ends)?;
    }
    Ok(GraphParts { ignored: chosen.ignored, ..table.finish(directed)? })
}

fn add(
    table: &mut PairTable<'_>,
    line: usize,
    row: &StringRecord,
    ends: [usize; 2],
) -> Result<(), Located> {
    table.pair(line, ends.map(|at| row[at].to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_quotes_and_headers_are_read() {
        for text in [
            "a,b\nb,c\n",
            "a;b\nb;c\n",
            "\"a\"\t\"b\"\n\"b\"\t\"c\"\n",
            "source,target\na,b\nb,c\n",
            "Source;Target\r\na;b\r\nb;c\r\n",
            "# a comment\n\n from , to \n a , b\nb,c\n",
            "id,source,target,weight\n1,a,b,0.5\n2,b,c,7\n",
            "Source,Target,Type\na,b,Undirected\nb,c,Undirected\n",
            "\"source\",\"target\"\n\"a\",\"b\"\nb,c",
        ] {
            let parts =
                read(text).unwrap_or_else(|(line, fault)| panic!("{text}: {line}: {fault}"));
            assert_eq!(parts.names, ["a", "b", "c"], "{text}");
            assert_eq!(parts.edges, [(0, 1), (1, 2)], "{text}");
        }
        let parts = read("source,target,weight\n\"New York, NY\",Boston,1\n").unwrap();
        assert_eq!(parts.names, ["New York, NY", "Boston"]);
        assert_eq!(parts.ignored, ["weight"]);
        let parts = read("New York\tLos Angeles\nLos Angeles\tSan Jose\n").unwrap();
        assert_eq!(parts.names.len(), 3);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, said) in [
            ("1,2,0.5\n2,3,1.5\n", 1, "found 3 columns"),
            ("1;2;0,5\n", 1, "found 3 columns"),
            ("a,b\nb\n", 2, "found 1, but line 1 has 2"),
            ("a,b\nb,c,d\n", 2, "found 3, but line 1 has 2"),
            ("a,b\nb,\n", 2, "a vertex name is empty"),
            ("a,b\nb,\"c\nd,e\n", 2, "hidden character"),
            ("source,target\nsource,b\n", 1, "a header or an edge"),
            ("Source,Target,Type\na,b,Directed\n", 2, "none back"),
            ("x,0.5\ny,1.5\n", 1, "decimal"),
        ] {
            let (at, fault) = read(text).unwrap_err();
            assert!(fault.to_string().contains(said), "{text}: {fault}");
            assert_eq!(at, line, "{text}: {fault}");
        }
    }
}
