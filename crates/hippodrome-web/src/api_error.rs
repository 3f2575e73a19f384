//! JSON responses, and errors of requests: an HTTP status with one sentence.

use crate::limits::MAX_BODY;
use crate::remedy::message;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hippodrome::error::{Diagnostic, ErrorKind};
use serde_json::{Value, json};

/// Returns a response with a JSON body.
pub(crate) fn json_response(value: Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// The error with which a request is answered.
#[derive(Debug)]
pub(crate) struct ApiError(pub(crate) StatusCode, pub(crate) String);

impl ApiError {
    /// Returns the error for a request that cannot be parsed.
    pub(crate) fn malformed(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::BAD_REQUEST, reason.to_string())
    }

    /// Returns the error for a request that was parsed but contains an invalid value.
    pub(crate) fn unprocessable(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::UNPROCESSABLE_ENTITY, reason.to_string())
    }

    /// Returns the error for a request that exceeds a limit of the server.
    pub(crate) fn too_large(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::PAYLOAD_TOO_LARGE, reason.to_string())
    }

    /// Returns the error for a request with a body that is too long.
    pub(crate) fn long_body() -> ApiError {
        ApiError::too_large(format!("request too large: the limit is {MAX_BODY} bytes"))
    }

    /// Returns the error for a request for which the server has no capacity at the moment.
    pub(crate) fn busy(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::TOO_MANY_REQUESTS, reason.to_string())
    }

    /// Returns the error for a request that the client is not allowed to make.
    pub(crate) fn forbidden(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::FORBIDDEN, reason.to_string())
    }

    /// Returns the error for a request for a resource that does not exist.
    pub(crate) fn not_found(reason: impl ToString) -> ApiError {
        ApiError(StatusCode::NOT_FOUND, reason.to_string())
    }
}

/// Converts a library error, and adds a remedy that names controls of the page.
impl<E: Diagnostic> From<E> for ApiError {
    fn from(error: E) -> ApiError {
        ApiError(status(error.kind()), message(&error))
    }
}

/// Returns the HTTP status for a library error.
fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Exists => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ErrorKind::Missing => StatusCode::NOT_FOUND,
        ErrorKind::Memory => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::InUse | ErrorKind::NotReady => StatusCode::CONFLICT,
        ErrorKind::Io
        | ErrorKind::Damaged
        | ErrorKind::Bug
        | ErrorKind::Failed
        | ErrorKind::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json_response(json!({ "schema": 1, "error": self.1 }));
        *response.status_mut() = self.0;
        if self.0 == StatusCode::TOO_MANY_REQUESTS {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, header::HeaderValue::from_static("2"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Failure(ErrorKind);

    impl std::fmt::Display for Failure {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} failure", self.0.name())
        }
    }

    impl std::error::Error for Failure {}

    impl Diagnostic for Failure {
        fn kind(&self) -> ErrorKind {
            self.0
        }
    }

    #[test]
    fn every_kind_of_error_has_its_status() {
        for (kind, status) in [
            (ErrorKind::Invalid, 422),
            (ErrorKind::Unsupported, 422),
            (ErrorKind::Exists, 422),
            (ErrorKind::Missing, 404),
            (ErrorKind::NotReady, 409),
            (ErrorKind::InUse, 409),
            (ErrorKind::Damaged, 500),
            (ErrorKind::Io, 500),
            (ErrorKind::Memory, 413),
            (ErrorKind::Interrupted, 500),
            (ErrorKind::Bug, 500),
            (ErrorKind::Failed, 500),
        ] {
            let ApiError(answered, reason) = ApiError::from(Failure(kind));
            assert_eq!((answered.as_u16(), reason), (status, format!("{} failure", kind.name())));
        }
    }
}
