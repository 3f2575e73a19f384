//! News of a job as server-sent events. All who watch are handed the same bytes.

use crate::Shared;
use crate::jobs::Job;
use crate::refusal::Refusal;
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

/// How often something is sent even if there is no news, so that dead connections are noticed.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Somebody who watches; leaves when dropped.
struct Viewer {
    shared: Arc<Shared>,
    job: Arc<Job>,
    changes: Receiver<u64>,
    seen: u64,
    over: bool,
}

impl Viewer {
    fn new(shared: Arc<Shared>, job: Arc<Job>) -> Viewer {
        shared.streams.fetch_add(1, Relaxed);
        job.arrive();
        let changes = job.news.follow();
        Viewer { shared, job, changes, seen: 0, over: false }
    }

    /// The next thing to send; `None` when all is said.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Viewer)> {
        loop {
            if self.over {
                return None;
            }
            let fresh = self.job.news.since(self.seen);
            (self.seen, self.over) = (fresh.version, fresh.over);
            match &fresh.texts[..] {
                [] => {}
                [one] => return Some((Ok(one.clone()), self)),
                several => return Some((Ok(several.concat().into()), self)),
            }
            let waiting = tokio::time::timeout(HEARTBEAT, self.changes.changed());
            if !self.over && waiting.await.is_err() {
                return Some((Ok(Bytes::from_static(b":\n\n")), self));
            }
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.shared.streams.fetch_sub(1, Relaxed);
        self.job.leave();
    }
}

/// The stream of a job.
pub(crate) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let job = shared.jobs.get(&id)?;
    if shared.streams.load(Relaxed) >= shared.limits.streams {
        return Err(Refusal::busy("too many are watching; close some pages"));
    }
    let body = Body::from_stream(unfold(Viewer::new(shared, job), Viewer::next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}
