//! Reads names of the vertices of a graph, one tour per line: blanks or commas between, or a list in JSON.

use super::ground::{Ground, Said};
use super::json::Names;
use super::reading::Form;
use super::source::TextSource;
use super::{Queue, ReadError, claim_at};

/// Reads the next line. Returns whether there may be more.
pub(super) fn advance(
    source: &mut TextSource<'_>,
    ground: &mut Ground<'_>,
    queue: &mut Queue,
) -> Result<bool, ReadError> {
    let Some(whole) = source.next_entry()? else { return Ok(false) };
    let content = whole.text.trim();
    let said = Said::default();
    let read = match serde_json::from_str::<Names>(content) {
        Ok(names) => ground.named(&said, names.iter()),
        Err(_) => {
            let names = content.split(|c: char| c.is_whitespace() || c == ',');
            ground.named(&said, names.filter(|name| !name.is_empty()))
        }
    };
    queue.push_back(claim_at(whole.line, Form::Vertices, read));
    Ok(true)
}
