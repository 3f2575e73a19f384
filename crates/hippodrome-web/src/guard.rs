//! Checks every request: its host name must be allowed, and it must come from a page of this server.
//!
//! In a DNS rebinding attack, a page on another site makes the name of that site resolve to this machine, and
//! sends the name as `Host`. A form or script on another site sends its own `Origin`. Both are rejected.
//! Requests that change state or do work must also carry the token that is embedded in the page.

use crate::AppState;
use crate::api_error::ApiError;
use crate::limits::MAX_BODY;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The header that carries the token.
const TOKEN: &str = "x-hippodrome-token";

/// The content security policy: the page may load its own files, and images that it created.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The secret that state-changing requests must carry.
pub struct Token(String);

impl Token {
    pub(crate) fn new() -> io::Result<Token> {
        random().map(Token)
    }

    /// Returns the token as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the given token equals this one. The comparison takes constant time.
    fn is(&self, given: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differ = own.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
        own.len() == given.len() && differ == 0
    }
}

/// Returns 128 random bits, too many to guess, as hexadecimal digits.
pub(crate) fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The host names under which the server accepts requests.
pub(crate) struct AllowedHosts {
    port: u16,
    /// Whether any IP address is allowed, because the server listens on addresses other than loopback.
    any_address: bool,
}

impl AllowedHosts {
    pub(crate) fn new(address: SocketAddr) -> AllowedHosts {
        AllowedHosts { port: address.port(), any_address: !address.ip().is_loopback() }
    }

    /// Returns whether a `Host` is allowed: it must be `localhost` or an address, never another name.
    fn is_allowed(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !name.ends_with(':') && !port.ends_with(']') => (name, port),
            _ => (host, "80"),
        };
        let name = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
        let allowed = match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || self.any_address,
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        allowed && port.parse() == Ok(self.port)
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let one = headers.get_all(header::HOST).iter().count() == 1 && uri.authority().is_none();
        let Some(host) = host.filter(|host| one && self.is_allowed(host)) else {
            return Err(ApiError::forbidden(
                "unknown host name; use localhost or the IP address of the server",
            ));
        };
        for origin in headers.get_all(header::ORIGIN) {
            let same = origin.to_str().ok().and_then(|o| o.strip_prefix("http://"));
            if !same.is_some_and(|same| same.eq_ignore_ascii_case(host)) {
                return Err(cross_site());
            }
        }
        Ok(())
    }
}

fn cross_site() -> ApiError {
    ApiError::forbidden("requests from other sites are not allowed")
}

/// Returns whether the headers say that another site made the request.
fn is_cross_site(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    site.is_some_and(|site| site != "same-origin" && site != "none")
}

fn check(app: &AppState, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    app.hosts.check(request.uri(), headers)?;
    // Other sites may link to the page itself.
    if request.uri().path().starts_with("/api/") && is_cross_site(headers) {
        return Err(cross_site());
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if length.is_some_and(|length| length.parse().is_ok_and(|length: u64| length > MAX_BODY as u64))
    {
        return Err(ApiError::long_body());
    }
    match *request.method() {
        Method::GET | Method::HEAD => Ok(()),
        _ => check_token(app, headers),
    }
}

/// Checks that a request carries the token.
pub(crate) fn check_token(app: &AppState, headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get(TOKEN) {
        Some(token) if app.token.is(token.as_bytes()) => Ok(()),
        _ => Err(ApiError::forbidden("missing or outdated token; reload the page")),
    }
}

/// Passes a request on if it is allowed, and adds the security headers to the response.
pub(crate) async fn guard(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_and_addresses_are_allowed() {
        let loopback = AllowedHosts::new("127.0.0.1:4747".parse().unwrap());
        for allowed in ["127.0.0.1:4747", "localhost:4747", "LOCALHOST:4747", "[::1]:4747"] {
            assert!(loopback.is_allowed(allowed), "{allowed}");
        }
        for other in [
            "127.0.0.1",
            "localhost:80",
            "evil.example:4747",
            "10.0.0.1:4747",
            "",
            ":4747",
            "[::1]",
            "localhost.evil.example:4747",
            "127.0.0.1:4747:1",
            "127.0.0.1.nip.io:4747",
        ] {
            assert!(!loopback.is_allowed(other), "{other}");
        }
        let any = AllowedHosts::new("0.0.0.0:4747".parse().unwrap());
        assert!(any.is_allowed("10.0.0.1:4747") && !any.is_allowed("evil.example:4747"));
    }

    #[test]
    fn a_token_equals_only_itself() {
        let token = Token("abc".into());
        assert!(token.is(b"abc"));
        for other in [&b""[..], b"ab", b"abd", b"abcd"] {
            assert!(!token.is(other));
        }
    }
}
