//! The routes of the server. Requests are in JSON; responses are in JSON or are files.

use crate::api_error::{ApiError, json_response};
use crate::find::{CancelOnDrop, FindRequest};
use crate::historic::describe_historic;
use crate::jobs::Submission;
use crate::jobs::race::RaceRequest;
use crate::jobs::sample::SampleRequest;
use crate::jobs::watch::WatchRequest;
use crate::sheet::SheetRequest;
use crate::spec::{ProblemSpec, impossible};
use crate::tours::{Format, ImageOptions, TourRequest, describe, render};
use crate::{AppState, guard, limits, page, pulse, registry, stream};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use hippodrome::count::{KnownCount, KnownCounts};
use hippodrome::problem::theorems::facts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

type App = State<Arc<AppState>>;
type Answer = Result<Response, ApiError>;

/// Returns all routes, behind the guard.
pub(crate) fn router(app: Arc<AppState>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/page/{file}", get(page::file))
        .route("/api/pulse", get(pulse::pulse))
        .route("/api/solvers", get(async || json_response(registry::describe())))
        .route("/api/historic", get(historic))
        .route("/api/board", post(board))
        .route("/api/find", post(find))
        .route("/api/tour", post(tour))
        .route("/api/draw", post(draw))
        .route("/api/sheet", post(sheet))
        .route("/api/jobs", post(submit).get(list))
        .route("/api/jobs/{id}", delete(stop))
        .route("/api/jobs/{id}/pace", post(pace))
        .route("/api/jobs/{id}/events", get(stream::events))
        .fallback(async || ApiError::not_found("not found; the page is at /"))
        .layer(DefaultBodyLimit::max(limits::MAX_BODY))
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

/// The body of a request, which must be JSON.
struct JsonBody<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).cloned();
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::long_body(),
            _ => ApiError::malformed("incomplete request"),
        })?;
        let kind = kind.as_ref().and_then(|kind| kind.to_str().ok());
        if kind.is_none_or(|kind| kind.split(';').next() != Some("application/json")) {
            let reason = "unsupported content type: expected application/json".to_string();
            return Err(ApiError(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
        }
        let parsed = serde_json::from_slice(&body);
        parsed.map(JsonBody).map_err(|e| ApiError::malformed(format!("invalid request: {e}")))
    }
}

/// Returns the facts about a board that need no search.
async fn board(State(app): App, JsonBody(spec): JsonBody<ProblemSpec>) -> Answer {
    let known = move || {
        let problem = spec.large_problem()?;
        let mut answer = json!(facts(problem.graph()));
        answer["schema"] = json!(1);
        answer["title"] = json!(problem.graph().to_string());
        answer["impossible"] = json!(impossible(&problem));
        add_counts(&mut answer, &KnownCounts::of(problem.graph()));
        Ok(answer)
    };
    Ok(json_response(run_blocking(&app, known).await?))
}

/// Adds the known numbers of directed tours. They are strings, because they may exceed the range that
/// JavaScript represents exactly.
fn add_counts(answer: &mut Value, known: &KnownCounts) {
    let mut sources = Vec::new();
    for (kind, known) in [("open", &known.open), ("closed", &known.closed)] {
        if let Some(KnownCount { directed, source }) = known {
            answer["counts"][kind] = json!(directed.to_string());
            sources.push(format!("{kind}: {source}"));
        }
    }
    if !sources.is_empty() {
        answer["counts_source"] = json!(sources.join("; "));
    }
}

/// Runs slow work on a thread for blocking work. Refuses the request if too many others already wait for a
/// slot.
async fn run_blocking<T: Send + 'static>(
    app: &AppState,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let busy = || ApiError::busy("too many requests in progress; try again in a moment");
    let _queued = app.blocking_queue.try_acquire().map_err(|_| busy())?;
    let _slot = app.blocking_slots.acquire().await.map_err(|_| busy())?;
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|_| {
        Err(ApiError::unprocessable("the request failed because of a bug; please report it"))
    })
}

async fn find(State(app): App, JsonBody(request): JsonBody<FindRequest>) -> Answer {
    let interrupt = Arc::new(AtomicBool::new(false));
    let _cancel = CancelOnDrop(Arc::clone(&interrupt));
    let memory = app.limits.memory;
    run_blocking(&app, move || request.find(memory, interrupt)).await
}

/// Returns the historic tours that ship with the program.
async fn historic(State(app): App) -> Answer {
    Ok(json_response(run_blocking(&app, || Ok(describe_historic())).await?))
}

/// Reads a tour, verifies it and classifies it.
async fn tour(State(app): App, JsonBody(request): JsonBody<TourRequest>) -> Answer {
    let described = move || request.tour().map(|tour| describe(&tour.view()));
    let mut answer = run_blocking(&app, described).await?;
    answer["schema"] = json!(1);
    Ok(json_response(answer))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRequest {
    ground: ProblemSpec,
    tour: String,
    form: Format,
    #[serde(default)]
    look: ImageOptions,
}

/// Returns a tour as a file.
async fn draw(
    State(app): App,
    JsonBody(DrawRequest { ground, tour, form, look }): JsonBody<DrawRequest>,
) -> Answer {
    let request = TourRequest { ground, tour };
    run_blocking(&app, move || render(&request.tour()?.view(), form, &look)).await
}

/// Returns several tours on a sheet.
async fn sheet(State(app): App, JsonBody(request): JsonBody<SheetRequest>) -> Answer {
    run_blocking(&app, move || request.render()).await
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JobRequest {
    Watch(WatchRequest),
    Race(RaceRequest),
    Sample(SampleRequest),
}

async fn submit(State(app): App, JsonBody(request): JsonBody<JobRequest>) -> Answer {
    let memory = app.limits.memory;
    let submission = match request {
        JobRequest::Watch(watch) => watch.prepare(memory)?,
        JobRequest::Race(race) => race.prepare(&app.limits)?,
        JobRequest::Sample(sample) => sample.prepare(&app.limits)?,
    };
    match submission {
        Submission::Impossible(finding) => {
            Ok(json_response(json!({ "schema": 1, "impossible": finding })))
        }
        Submission::Task(task) => {
            let job = app.jobs.submit(task)?;
            let answer = json_response(json!({ "schema": 1, "id": job.id }));
            Ok((StatusCode::CREATED, answer).into_response())
        }
    }
}

async fn list(State(app): App, headers: HeaderMap) -> Answer {
    // The id of a job gives access to its stream, so only the page may list ids.
    guard::check_token(&app, &headers)?;
    Ok(json_response(app.jobs.list()))
}

async fn stop(State(app): App, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    let job = app.jobs.get(&id)?;
    app.jobs.stop(&job);
    Ok(StatusCode::NO_CONTENT)
}

/// A change to the pace of a job.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum PaceChange {
    Pause(bool),
    /// Sets the steps per second; `None` means full speed.
    Speed(Option<f64>),
    Step(u64),
    /// Sets whether the search pauses at every tour.
    Rest(bool),
    /// Sets whether the job continues without viewers.
    Pin(bool),
}

async fn pace(
    State(app): App,
    Path(id): Path<String>,
    JsonBody(change): JsonBody<PaceChange>,
) -> Result<StatusCode, ApiError> {
    let job = app.jobs.get(&id)?;
    match change {
        PaceChange::Pause(paused) => job.change_pace(|pace| pace.pause(paused)),
        PaceChange::Speed(speed) => job.change_pace(|pace| pace.set_speed(speed)),
        PaceChange::Step(steps) => job.change_pace(|pace| pace.step(steps)),
        PaceChange::Rest(pauses) => job.change_pace(|pace| pace.pause_at_tours = pauses),
        PaceChange::Pin(pinned) => job.pin(pinned),
    }
    Ok(StatusCode::NO_CONTENT)
}
