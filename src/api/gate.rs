//! The checks that come before anything else of a request is read.
//!
//! A page in a browser must not reach anything, whatever name it gives to this machine. Over TCP a
//! token is needed as well.

use super::problem::Problem;
use crate::config::Secret;
use crate::core::journal::Hash;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};

/// The header in which a browser says which site a request comes from.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SCHEME: &[u8] = b"Bearer ";
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The paths that need no token: they reveal nothing.
pub(super) const OPEN: [&str; 1] = ["/healthz"];

/// The checks of one listening socket.
#[derive(Clone)]
pub(super) struct Gate {
    /// The digest of the expected token; `None` at a socket that only the owner can reach.
    token: Option<Hash>,
}

impl Gate {
    /// Makes a gate that requires the token, if there is one.
    pub(super) fn with(token: Option<&Secret>) -> Self {
        Self {
            token: token.map(|token| Hash::of(token.expose().as_bytes())),
        }
    }

    /// Refuses a request for another host, from a page of a browser, or without the token.
    pub(super) fn check(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), Problem> {
        check_host(headers)?;
        check_origin(headers)?;
        let is_open = method == Method::GET && OPEN.contains(&path);
        if is_open || self.knows(headers) {
            return Ok(());
        }
        let message = "the token is missing or wrong";
        Err(Problem::denied(StatusCode::UNAUTHORIZED, message))
    }

    /// Returns whether the token is right.
    ///
    /// Compares digests, so that the time taken reveals nothing of the token.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(expected) = self.token else {
            return true;
        };
        let given = headers.get(AUTHORIZATION).and_then(|value| {
            let (scheme, token) = value.as_bytes().split_at_checked(SCHEME.len())?;
            // The name of a scheme has no case.
            scheme.eq_ignore_ascii_case(SCHEME).then_some(token)
        });
        given.is_some_and(|token| Hash::of(token) == expected)
    }
}

/// Refuses a request whose `Host` is not exactly one name of this machine.
fn check_host(headers: &HeaderMap) -> Result<(), Problem> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|value| value.to_str().ok());
    let is_own = host.is_some_and(|host| {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            _ => host,
        };
        OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(name))
    });
    if is_own && hosts.next().is_none() {
        return Ok(());
    }
    let message = "the request is not for this machine: Host must be localhost";
    Err(Problem::denied(StatusCode::MISDIRECTED_REQUEST, message))
}

/// Refuses a request from a page of a browser: the program has no pages.
fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get(SEC_FETCH_SITE);
    let is_page = site.is_some_and(|site| site != "none") || headers.contains_key(ORIGIN);
    if is_page {
        let message = "pages of a browser may not ask anything";
        return Err(Problem::denied(StatusCode::FORBIDDEN, message));
    }
    Ok(())
}
