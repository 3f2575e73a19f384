//! Errors of requests: an HTTP status and one sentence.

use crate::remedy::told;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hippodrome::error::Diagnostic;
use serde_json::json;

/// The error of a request.
#[derive(Debug)]
pub(crate) struct ApiError(pub(crate) StatusCode, pub(crate) String);

impl ApiError {
    /// The request cannot be parsed.
    pub(crate) fn malformed(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::BAD_REQUEST, reason.to_string())
    }

    /// The request was parsed, and a value in it is invalid.
    pub(crate) fn unprocessable(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::UNPROCESSABLE_ENTITY, reason.to_string())
    }

    /// The library refuses the request; the remedy is in the words of the page.
    pub(crate) fn of(error: impl Diagnostic) -> ApiError {
        ApiError::unprocessable(told(&error))
    }

    /// The request exceeds a limit of the server.
    pub(crate) fn too_large(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::PAYLOAD_TOO_LARGE, reason.to_string())
    }

    /// The server has no capacity now.
    pub(crate) fn busy(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::TOO_MANY_REQUESTS, reason.to_string())
    }

    /// The client may not make this request.
    pub(crate) fn forbidden(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::FORBIDDEN, reason.to_string())
    }

    /// There is no such resource.
    pub(crate) fn not_found(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::NOT_FOUND, reason.to_string())
    }
}

impl IntoResponse for ApiError {
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
