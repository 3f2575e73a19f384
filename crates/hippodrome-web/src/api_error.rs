//! Why a request is not granted: a status and one sentence.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) StatusCode, pub(crate) String);

impl Refusal {
    /// What was sent cannot be read.
    pub(crate) fn malformed(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::BAD_REQUEST, reason.to_string())
    }

    /// It was read and is not possible.
    pub(crate) fn wrong(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::UNPROCESSABLE_ENTITY, reason.to_string())
    }

    /// It is more than the page takes.
    pub(crate) fn large(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::PAYLOAD_TOO_LARGE, reason.to_string())
    }

    /// Too much is going on already.
    pub(crate) fn busy(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::TOO_MANY_REQUESTS, reason.to_string())
    }

    /// Whoever asks may not.
    pub(crate) fn forbidden(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::FORBIDDEN, reason.to_string())
    }

    /// There is no such thing.
    pub(crate) fn missing(reason: impl ToString) -> Refusal {
        Refusal(StatusCode::NOT_FOUND, reason.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "schema": 1, "error": self.1 }).to_string();
        let mut response =
            (self.0, [(header::CONTENT_TYPE, "application/json")], body).into_response();
        if self.0 == StatusCode::TOO_MANY_REQUESTS {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, header::HeaderValue::from_static("2"));
        }
        response
    }
}
