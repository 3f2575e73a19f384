//! Places where the papers contradict themselves, each other, or exact counts.

use super::DefinitionError;
use serde::Deserialize;

/// One erratum.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The paper, as in `hk2005`.
    pub paper: String,
    /// Section, table or figure.
    pub place: String,
    /// The printed statement.
    pub printed: String,
    /// The correct statement.
    pub right: String,
    /// The evidence.
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

/// Parses a list of errata.
pub fn parse_errata(text: &str) -> Result<Vec<Erratum>, DefinitionError> {
    let list: Result<List, _> = toml::from_str(text);
    Ok(list.map_err(|e| DefinitionError::Text("errata".into(), Box::new(e)))?.erratum)
}
