//! A hostile model and servers that lie, script by script on every core, and a canary for a key through
//! every error path of the program.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a campaign may stop at once, and its account is what it is for"
)]

use crate::on_every_core;
use crate::shared::canary;
use crate::shared::hostile::{Account, Base, script};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Violations that are printed in full.
const SHOWN_MAX: usize = 20;

/// Plays that many scripts; gives the number of violations.
pub(crate) fn campaign(scripts: u64, seed: u64) -> u64 {
    let account = together(scripts, seed);
    println!(
        "{scripts} scripts, {} of them over HTTP; {} commits judged",
        account.over_http, account.commits
    );
    for (outcome, count) in &account.outcomes {
        println!("  {outcome}: {count} instructions");
    }
    for what in account.wrong.iter().take(SHOWN_MAX) {
        println!("{what}");
    }
    let searched = canary::search_one_in(1);
    for what in searched.leaks.iter().take(SHOWN_MAX) {
        println!("{what}");
    }
    println!(
        "{} error paths, {} leaks; {} texts and files of {} bytes were searched",
        searched.paths,
        searched.leaks.len(),
        searched.texts,
        searched.bytes
    );
    let violations = account.wrong.len() + searched.leaks.len() + searched.missed.len();
    for what in &searched.missed {
        println!("{what}");
    }
    println!("{scripts} performed, {violations} violations, seed {seed}");
    u64::try_from(violations).unwrap()
}

/// Plays scripts on every core and adds up their accounts.
fn together(scripts: u64, seed: u64) -> Account {
    let base = Base::new();
    let sum = Mutex::new(Account::default());
    on_every_core(seed..seed + scripts, |number| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        let played = || runtime.block_on(script(&base, number));
        let account = catch_unwind(AssertUnwindSafe(played)).unwrap_or_else(|_| Account {
            wrong: vec![format!("script {number}: something panicked")],
            ..Account::default()
        });
        sum.lock().unwrap().add(account);
    });
    sum.into_inner().unwrap()
}
