//! The files of the page, embedded in the program.

use crate::AppState;
use crate::api_error::ApiError;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use std::sync::Arc;

/// Placeholder in the page for the token.
const TOKEN_PLACEHOLDER: &str = "{{token}}";

/// Placeholder in the page for the links that load all modules at once, instead of level by level.
const MODULES_PLACEHOLDER: &str = "{{modules}}";

const INDEX: &str = include_str!("../page/index.html");

/// The name of every file that is served, and its text in gzip format.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    }
}

/// Returns the page, with the token and the names of its modules in it.
pub(crate) async fn index(State(app): State<Arc<AppState>>) -> Html<String> {
    let modules = FILES.iter().filter(|(name, _)| name.ends_with(".js"));
    let links = modules
        .map(|(name, _)| format!("<link rel=\"modulepreload\" href=\"/page/{name}\">\n"))
        .collect::<String>();
    Html(INDEX.replace(TOKEN_PLACEHOLDER, app.token.as_str()).replace(MODULES_PLACEHOLDER, &links))
}

/// Returns a file that the page loads. Every browser reads gzip.
pub(crate) async fn file(Path(name): Path<String>) -> Result<Response, ApiError> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (name, packed) = found.ok_or_else(|| ApiError::not_found("no such file"))?;
    let headers = [
        (header::CONTENT_TYPE, content_type(name)),
        (header::CONTENT_ENCODING, "gzip"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, *packed).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_no_inline_script_or_style() {
        assert_eq!(INDEX.matches(TOKEN_PLACEHOLDER).count(), 1);
        assert_eq!(INDEX.matches(MODULES_PLACEHOLDER).count(), 1);
        assert!(
            !INDEX.contains("style=") && !INDEX.contains("<style") && !INDEX.contains(" onclick")
        );
        for script in INDEX.split("<script").skip(1) {
            assert!(script.split('>').next().unwrap().contains("src="));
        }
    }
}
