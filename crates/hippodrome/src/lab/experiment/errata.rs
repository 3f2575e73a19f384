//! Places where the papers contradict themselves, each other, or exact counts.

use super::DefinitionError;
use serde::Deserialize;

/// A place in a paper that is wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Identifier of the paper, as in `hk2005`.
    pub paper: String,
    /// The section, table or figure.
    pub place: String,
    /// What the paper says.
    pub printed: String,
    /// What is correct.
    pub right: String,
    /// The evidence for the correction.
    pub evidence: String,
    /// Identifiers of the experiments that show the error.
    #[serde(default)]
    pub shown_by: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    erratum: Vec<Erratum>,
}

/// Parses a list of errata.
pub fn parse_errata(text: &str) -> Result<Vec<Erratum>, DefinitionError> {
    let list: Result<List, _> = toml::from_str(text);
    Ok(list.map_err(|e| DefinitionError::Text("errata".into(), Box::new(e)))?.erratum)
}
