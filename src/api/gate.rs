//! Who may speak: the checks that come before anything of a request is looked at. A page in a browser
//! must reach nothing, whatever name it gave to this machine; over TCP a token is needed as well.

use super::problem::Problem;
use crate::config::Secret;
use crate::core::journal::Hash;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use std::fmt;

/// What a browser says of the page that asks.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// How the token is announced.
const SCHEME: &[u8] = b"Bearer ";

/// Names that this machine has for itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The addresses that anybody may look at who comes as far: they tell nothing.
pub(super) const OPEN: [&str; 1] = ["/healthz"];

/// The checks of one door.
#[derive(Clone)]
pub(super) struct Gate {
    /// The digest of the token that is asked for; none at a door that only the owner can come to.
    token: Option<Hash>,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gate")
    }
}

impl Gate {
    /// The gate of a door; with a token, it is asked for.
    pub(super) fn with(token: Option<&Secret>) -> Self {
        Self {
            token: token.map(|token| Hash::of(token.expose().as_bytes())),
        }
    }

    /// Lets a request through, or says why not.
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

    /// Whether the token is right. Digests are compared, so that time tells nothing of it.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(expected) = self.token else {
            return true;
        };
        let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
        // A scheme is a name that has no case.
        let given = given.and_then(|value| {
            let (scheme, token) = value.split_at_checked(SCHEME.len())?;
            scheme.eq_ignore_ascii_case(SCHEME).then_some(token)
        });
        given.is_some_and(|token| Hash::of(token) == expected)
    }
}

/// One Host, and a name of this machine.
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

/// No page of a browser: there is none of our own.
fn check_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get(SEC_FETCH_SITE);
    let is_page = site.is_some_and(|site| site != "none") || headers.contains_key(ORIGIN);
    if is_page {
        let message = "pages of a browser may not ask anything";
        return Err(Problem::denied(StatusCode::FORBIDDEN, message));
    }
    Ok(())
}
