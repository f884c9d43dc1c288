//! Normalises the address of a model server, and refuses one that could hold a secret or lead to an
//! unexpected place. Never repeats an address in a message; it may hold a password.

use serde_json::Value;
use std::net::{IpAddr, SocketAddr};

/// The endpoint that people often paste along with the base.
const CHAT_ENDPOINT: &str = "/chat/completions";

/// Returns an address that only this machine can reach; `None` for any other value.
pub(super) fn own_address(value: &Value) -> Option<SocketAddr> {
    let address: SocketAddr = value.as_str()?.parse().ok()?;
    address.ip().is_loopback().then_some(address)
}

/// Returns the base address without a trailing slash or `/chat/completions`, or the error in it.
pub(super) fn normalise(text: &str) -> Result<String, String> {
    let text = text.trim();
    let (scheme, rest) = text
        .split_once("://")
        .ok_or("must begin with http:// or https://")?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "http" && scheme != "https" {
        return Err("must begin with http:// or https://".to_owned());
    }
    if rest.contains(['?', '#']) {
        return Err("must not have a query or a fragment".to_owned());
    }
    if rest.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return Err("must not hold blanks, control characters or backslashes".to_owned());
    }
    let (authority, path) = match rest.find('/') {
        Some(slash) => rest.split_at(slash),
        None => (rest, ""),
    };
    if authority.contains('@') {
        return Err(
            "must not hold a user name or password; keys come from the environment only".to_owned(),
        );
    }
    check_authority(authority)?;
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(CHAT_ENDPOINT).unwrap_or(path);
    let path = path.trim_end_matches('/');
    Ok(format!("{scheme}://{authority}{path}"))
}

/// Returns whether requests to a normalised address cross a network unencrypted.
pub(super) fn is_open_to_listeners(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = host_and_port(authority).0;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let local = host.eq_ignore_ascii_case("localhost")
        || host.to_ascii_lowercase().ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    !local
}

fn check_authority(authority: &str) -> Result<(), String> {
    let (host, port) = host_and_port(authority);
    let inside = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let valid_host = match inside {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
        }
    };
    if !valid_host {
        return Err("must name a host".to_owned());
    }
    match port {
        Some(port) if !port.parse::<u16>().is_ok_and(|port| port > 0) => {
            Err("must have a port from 1 to 65535".to_owned())
        }
        _ => Ok(()),
    }
}

fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    // The colons of an IPv6 address are inside brackets.
    match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => {
            (&authority[..colon], Some(&authority[colon + 1..]))
        }
        _ => (authority, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_open_to_listeners, normalise};

    #[test]
    fn every_form_of_an_address_becomes_the_base() {
        let cases = [
            ("http://127.0.0.1:1234/v1", "http://127.0.0.1:1234/v1"),
            ("http://127.0.0.1:1234/v1/", "http://127.0.0.1:1234/v1"),
            ("HTTP://h/v1/chat/completions", "http://h/v1"),
            ("https://h/v1/chat/completions/", "https://h/v1"),
            (" http://[::1]:1/v1 ", "http://[::1]:1/v1"),
            ("http://localhost", "http://localhost"),
        ];
        for (given, expected) in cases {
            assert_eq!(normalise(given).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn dangerous_and_broken_addresses_are_refused_without_repeating_them() {
        let cases = [
            "file:///etc/passwd",
            "127.0.0.1:1234/v1",
            "http://user:hunter2@h/v1",
            "http://h/v1?key=hunter2",
            "http://h/v1#hunter2",
            "http://",
            "http:///v1",
            "http://h:0/",
            "http://h:70000/",
            "http://h:/",
            "http://[::1/",
            "http://[hunter2]/",
            "http://a b/",
            "http://h\\hunter2",
        ];
        for given in cases {
            let message = normalise(given).unwrap_err();
            assert!(!message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn only_plain_http_to_another_machine_is_open_to_listeners() {
        for (address, open) in [
            ("http://127.0.0.1:1234/v1", false),
            ("http://localhost:1234/v1", false),
            ("http://[::1]:1234/v1", false),
            ("https://example.org/v1", false),
            ("http://192.168.1.5:1234/v1", true),
            ("http://localhost.example.org/v1", true),
        ] {
            assert_eq!(is_open_to_listeners(address), open, "{address}");
        }
    }
}
