//! The pulse of the server: a stream of events by which a page notices that the server is gone, that another
//! one has taken its place, or that the list of jobs has changed.
//!
//! A pulse contains no secrets: neither the token nor the ids of jobs. A page that needs more asks for it.

use crate::AppState;
use crate::api_error::ApiError;
use crate::jobs::ListVersion;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Maximum time between two pulses. A page that misses two of them says that the server is gone.
const INTERVAL: Duration = Duration::from_secs(1);
/// Minimum time between two pulses, so that many changes of the list make few pulses.
const GAP: Duration = Duration::from_millis(100);

/// A page that receives pulses.
struct PulseReceiver {
    app: Arc<AppState>,
    changes: Receiver<ListVersion>,
    /// Whether the first pulse was sent.
    begun: bool,
}

impl PulseReceiver {
    /// Adds a receiver, unless there are too many.
    fn new(app: Arc<AppState>) -> Option<PulseReceiver> {
        let most = app.limits.pulses;
        let more = |open: usize| (open < most).then_some(open + 1);
        app.pulses.fetch_update(Relaxed, Relaxed, more).ok()?;
        let changes = app.jobs.list_versions();
        Some(PulseReceiver { app, changes, begun: false })
    }

    /// Returns the next pulse to send, or `None` when the server shuts down.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, PulseReceiver)> {
        if self.begun {
            tokio::time::sleep(GAP).await;
            let _ = tokio::time::timeout(INTERVAL - GAP, self.changes.changed()).await;
        }
        self.begun = true;
        let ListVersion { number, closed } = *self.changes.borrow_and_update();
        if closed {
            return None;
        }
        let pulse = json!({
            "server": self.app.id,
            "version": env!("CARGO_PKG_VERSION"),
            "jobs": number,
        });
        Some((Ok(Bytes::from(format!("event: pulse\ndata: {pulse}\n\n"))), self))
    }
}

impl Drop for PulseReceiver {
    fn drop(&mut self) {
        self.app.pulses.fetch_sub(1, Relaxed);
    }
}

/// Streams pulses.
pub(crate) async fn pulse(State(app): State<Arc<AppState>>) -> Result<Response, ApiError> {
    let receiver = PulseReceiver::new(app);
    let receiver =
        receiver.ok_or_else(|| ApiError::busy("too many open pages; close some of them"))?;
    let body = Body::from_stream(unfold(receiver, PulseReceiver::next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}
