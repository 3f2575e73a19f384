//! Sends the messages of a job as server-sent events. All viewers receive the same bytes.

use crate::AppState;
use crate::api_error::ApiError;
use crate::jobs::Job;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Interval between the comments that are sent while there are no messages. They reveal a dead connection
/// within seconds.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A viewer of a job. It is removed from the job when dropped.
struct Viewer {
    app: Arc<AppState>,
    job: Arc<Job>,
    changes: Receiver<u64>,
    seen: u64,
    closed: bool,
}

impl Viewer {
    fn new(app: Arc<AppState>, job: Arc<Job>) -> Viewer {
        app.streams.fetch_add(1, Relaxed);
        job.add_viewer();
        let changes = job.snapshot.subscribe();
        Viewer { app, job, changes, seen: 0, closed: false }
    }

    /// Returns the next messages to send, or `None` after the last one.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Viewer)> {
        loop {
            if self.closed {
                return None;
            }
            let fresh = self.job.snapshot.since(self.seen);
            (self.seen, self.closed) = (fresh.version, fresh.closed);
            match &fresh.texts[..] {
                [] => {}
                [one] => return Some((Ok(one.clone()), self)),
                several => return Some((Ok(several.concat().into()), self)),
            }
            let waiting = tokio::time::timeout(HEARTBEAT, self.changes.changed());
            if !self.closed && waiting.await.is_err() {
                return Some((Ok(Bytes::from_static(b":\n\n")), self));
            }
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.app.streams.fetch_sub(1, Relaxed);
        self.job.remove_viewer();
    }
}

/// Streams the messages of a job.
pub(crate) async fn events(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let job = app.jobs.get(&id)?;
    if app.streams.load(Relaxed) >= app.limits.streams {
        return Err(ApiError::busy("too many open streams; close some pages"));
    }
    let body = Body::from_stream(unfold(Viewer::new(app, job), Viewer::next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}
