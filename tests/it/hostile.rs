//! A hostile model and servers that lie, in front of the real loop, store and parser: what a seed draws
//! is replayed by that seed. A script is one life of a root: some requests that the enemy answers, a
//! restart now and then, and an honest request at the end. Afterwards the bytes of the journal and of
//! every file are compared with what was granted, by code that shares nothing with the guard.

#![expect(clippy::unwrap_used, reason = "a campaign may stop at once")]

mod attack;
mod fields;
mod grant;
mod ledger;
mod life;
mod over_http;
mod planted;
mod server;
mod small;
mod stage;

pub(crate) use grant::Grant;
pub(crate) use life::{Account, Base, play_under};
pub(crate) use planted::{Planted, judged};

use over_http::play_over_http;

/// One script in so many is played over HTTP: sockets take more time.
const OVER_HTTP_EVERY: u64 = 50;

/// Plays the script of a seed and gives the account of it.
pub(crate) async fn script(base: &Base, seed: u64) -> Account {
    if seed.is_multiple_of(OVER_HTTP_EVERY) {
        Box::pin(play_over_http(seed)).await
    } else {
        Box::pin(play_under(base, seed, |_| {})).await
    }
}
