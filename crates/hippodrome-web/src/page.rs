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

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The name and text of every file that is served.
const FILES: &[(&str, &str)] = files![
    "api.js",
    "board.js",
    "caption.js",
    "chart.js",
    "colours.js",
    "curve.js",
    "dom.js",
    "events.js",
    "export.js",
    "facts.js",
    "fields.js",
    "figure.js",
    "form.js",
    "gallery.js",
    "gallery_text.js",
    "gallery_wall.js",
    "history.js",
    "job_list.js",
    "keys.js",
    "legend.js",
    "link.js",
    "main.js",
    "messages.js",
    "names.js",
    "numbers.js",
    "outcome.js",
    "paint.js",
    "panel.js",
    "parse.js",
    "piles.js",
    "player.js",
    "pulse.js",
    "race.js",
    "race_boards.js",
    "race_results.js",
    "race_setup.js",
    "race_table.js",
    "reel.js",
    "scene.js",
    "setup.js",
    "shapes.js",
    "small_board.js",
    "squares.js",
    "still.js",
    "stories.js",
    "stories_data.js",
    "story_stage.js",
    "sums.js",
    "table_progress.js",
    "table_size.js",
    "thumbnail.js",
    "tourview.js",
    "view_choice.js",
    "view_cycles.js",
    "view_dead_end.js",
    "view_division.js",
    "view_edges.js",
    "view_layer.js",
    "view_members.js",
    "view_pheromone.js",
    "view_queue.js",
    "view_reversal.js",
    "view_stack.js",
    "views.js",
    "watch.js",
    "watch_link.js",
    "base.css",
    "gallery.css",
    "parts.css",
    "race.css",
    "stage.css",
    "stories.css",
    "views.css",
    "icon.svg",
];

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

/// Returns a file that the page loads.
pub(crate) async fn file(Path(name): Path<String>) -> Result<Response, ApiError> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (name, text) = found.ok_or_else(|| ApiError::not_found("no such file"))?;
    Ok(([(header::CONTENT_TYPE, content_type(name)), (header::CACHE_CONTROL, "no-cache")], *text)
        .into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let there: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| {
                name != "index.html" && !name.ends_with(".ts") && !name.ends_with(".json")
            })
            .collect();
        assert_eq!(there, FILES.iter().map(|(name, _)| name.to_string()).collect());
    }

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
