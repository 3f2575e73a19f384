//! What can be asked.

use crate::find::{Answer, Leash, Sought};
use crate::jobs::race::Race;
use crate::jobs::sample::Sample;
use crate::jobs::watch::{Ready, Watch};
use crate::refusal::Refusal;
use crate::setup::{Ground, impossible, verdict};
use crate::tours::{Form, Look, Told, describe, render};
use crate::{Shared, guard, limits, page, registry, stream};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use hippodrome::problem::theorems::facts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

type All = State<Arc<Shared>>;
type Sent = Result<Bytes, BytesRejection>;

/// The whole server.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/page/{file}", get(page::file))
        .route("/api/solvers", get(async || told(registry::describe())))
        .route("/api/board", post(board))
        .route("/api/find", post(find))
        .route("/api/tour", post(tour))
        .route("/api/draw", post(draw))
        .route("/api/jobs", post(submit).get(list))
        .route("/api/jobs/{id}", delete(end))
        .route("/api/jobs/{id}/pace", post(pace))
        .route("/api/jobs/{id}/events", get(stream::events))
        .fallback(async || Refusal::missing("there is nothing here; the page is at /"))
        .layer(DefaultBodyLimit::max(limits::BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), guard::watch_over))
        .with_state(shared)
}

fn told(value: Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Reads a request of JSON.
fn read<T: DeserializeOwned>(headers: &HeaderMap, sent: Sent) -> Result<T, Refusal> {
    let body = sent.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Refusal::large(format!("a request has at most {} bytes", limits::BODY))
        }
        _ => Refusal::malformed("the request broke off"),
    })?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_none_or(|kind| kind.split(';').next() != Some("application/json")) {
        let reason = "requests are of application/json".to_string();
        return Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    serde_json::from_slice(&body)
        .map_err(|e| Refusal::malformed(format!("the request cannot be read: {e}")))
}

/// What is known of a board without search.
async fn board(State(shared): All, headers: HeaderMap, sent: Sent) -> Result<Response, Refusal> {
    let ground: Ground = read(&headers, sent)?;
    let known = move || {
        let problem = ground.large_problem()?;
        let mut answer = json!(facts(problem.graph()));
        answer["schema"] = json!(1);
        answer["title"] = json!(problem.graph().to_string());
        answer["impossible"] = json!(impossible(&problem).as_ref().map(verdict));
        Ok(answer)
    };
    Ok(told(apart(&shared, known).await?))
}

/// Work that takes a moment, on a thread of its own, if there is one.
async fn apart<T: Send + 'static>(
    shared: &Shared,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let busy = || Refusal::busy("too many pictures are being drawn; try again in a moment");
    let _chair = shared.chairs.try_acquire().map_err(|_| busy())?;
    let _desk = shared.desks.acquire().await.map_err(|_| busy())?;
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|_| {
        Err(Refusal::wrong("that has failed, which is a bug; please report it"))
    })
}

async fn find(State(shared): All, headers: HeaderMap, sent: Sent) -> Result<Response, Refusal> {
    let sought: Sought = read(&headers, sent)?;
    let interrupt = Arc::new(AtomicBool::new(false));
    let _leash = Leash(Arc::clone(&interrupt));
    let memory = shared.limits.memory;
    Ok(match apart(&shared, move || sought.find(memory, interrupt)).await? {
        Answer::Told(value) => told(value),
        Answer::Shown(kind, bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
    })
}

/// Reads, verifies and classifies a tour.
async fn tour(State(shared): All, headers: HeaderMap, sent: Sent) -> Result<Response, Refusal> {
    let tour: Told = read(&headers, sent)?;
    let mut answer = apart(&shared, move || tour.tour().map(|tour| describe(&tour.view()))).await?;
    answer["schema"] = json!(1);
    Ok(told(answer))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawing {
    ground: Ground,
    tour: String,
    form: Form,
    #[serde(default)]
    look: Look,
}

/// A tour to take home.
async fn draw(State(shared): All, headers: HeaderMap, sent: Sent) -> Result<Response, Refusal> {
    let Drawing { ground, tour, form, look } = read(&headers, sent)?;
    let told = Told::new(ground, tour);
    let (kind, bytes) = apart(&shared, move || render(&told.tour()?.view(), form, look)).await?;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Asked {
    Watch(Watch),
    Race(Race),
    Sample(Sample),
}

async fn submit(State(shared): All, headers: HeaderMap, sent: Sent) -> Result<Response, Refusal> {
    let asked: Asked = read(&headers, sent)?;
    let memory = shared.limits.memory;
    let ready = match asked {
        Asked::Watch(watch) => watch.ready(memory)?,
        Asked::Race(race) => race.ready(memory)?,
        Asked::Sample(sample) => sample.ready(&shared.limits)?,
    };
    match ready {
        Ready::Impossible(finding) => Ok(told(json!({ "schema": 1, "impossible": finding }))),
        Ready::Job(task) => {
            let job = shared.jobs.submit(task)?;
            let answer = told(json!({ "schema": 1, "id": job.id }));
            Ok((StatusCode::CREATED, answer).into_response())
        }
    }
}

async fn list(State(shared): All, headers: HeaderMap) -> Result<Response, Refusal> {
    // The numbers of jobs open their streams, so they are for the page alone.
    match headers.get(guard::TOKEN) {
        Some(token) if shared.token.is(token.as_bytes()) => Ok(told(shared.jobs.list())),
        _ => Err(Refusal::forbidden("the token is missing or old; load the page again")),
    }
}

async fn end(State(shared): All, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    let job = shared.jobs.get(&id)?;
    shared.jobs.end(&job);
    Ok(StatusCode::NO_CONTENT)
}

/// What is asked of a running job.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Order {
    Pause(bool),
    /// Steps a second; none is full speed.
    Speed(Option<f64>),
    Step(u64),
    /// Rests at every tour.
    Rest(bool),
    /// Goes on though nobody watches.
    Pin(bool),
}

async fn pace(
    State(shared): All,
    Path(id): Path<String>,
    headers: HeaderMap,
    sent: Sent,
) -> Result<StatusCode, Refusal> {
    let order: Order = read(&headers, sent)?;
    let job = shared.jobs.get(&id)?;
    match order {
        Order::Pause(paused) => job.pace.pause(paused),
        Order::Speed(speed) => job.pace.hurry(speed),
        Order::Step(steps) => job.pace.step(steps),
        Order::Rest(rests) => job.pace.rest_at_tours(rests),
        Order::Pin(pinned) => job.pin(pinned),
    }
    Ok(StatusCode::NO_CONTENT)
}
