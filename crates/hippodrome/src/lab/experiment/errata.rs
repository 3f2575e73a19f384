//! Where the papers contradict themselves, each other, or what can be counted.

use super::DefinitionError;
use serde::Deserialize;

/// One of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The paper, as in `hk2005`.
    pub paper: String,
    /// Where in it.
    pub place: String,
    /// What is printed.
    pub printed: String,
    /// What is right.
    pub right: String,
    /// What shows it.
    pub evidence: String,
    /// Experiments that show it.
    #[serde(default)]
    pub shown_by: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    erratum: Vec<Erratum>,
}

/// Reads the list.
pub fn parse_errata(text: &str) -> Result<Vec<Erratum>, DefinitionError> {
    let list: Result<List, _> = toml::from_str(text);
    Ok(list.map_err(|e| DefinitionError::Text("errata".into(), Box::new(e)))?.erratum)
}
