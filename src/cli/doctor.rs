//! `doctor`: formats the checks of everything that a run needs.

use super::context::Context;
use super::output::VerbOutput;
use super::server::{provider_of, unless_stopped};
use super::text::{add_line, count, one_line};
use crate::config::{Config, Environment as _, ProviderKind};
use crate::core::journal::State;
use crate::core::route::ProviderHealth;
use crate::failure::Failure;
use crate::provider::LlmProvider;
use crate::service::doctor::{Check, CheckStatus, DoctorEnvironment, ask_all, launch, of_root};
use serde::Serialize;
use std::path::Path;

#[derive(Debug, Serialize)]
struct DoctorReport {
    ok: bool,
    checks: Vec<Check>,
    health: Vec<ProviderHealth>,
}

impl DoctorEnvironment for Context {
    fn provider(&self, config: &Config) -> Result<Box<dyn LlmProvider>, Failure> {
        provider_of(config, &self.environment)
    }

    fn has_program(&self, config: &Config, program: &str) -> bool {
        if program.contains('/') {
            return config.root.join(program).is_file();
        }
        let path = self.environment.get("PATH").unwrap_or_default();
        let mut folders = path.split(':').filter(|folder| !folder.is_empty());
        folders.any(|folder| Path::new(folder).join(program).is_file())
    }
}

/// Runs the checks, and fails if one fails.
pub(super) fn run(context: &Context) -> Result<VerbOutput, Failure> {
    let outcome = context.session.files.load();
    let (mut checks, state) = of_root(&context.session, &outcome);
    let mut health = Vec::new();
    if let Ok(loaded) = &outcome {
        if loaded.config.provider.kind != ProviderKind::Scripted {
            context.inform("asking the model; one that has to be loaded first may take minutes");
        }
        let state = state.unwrap_or_else(State::empty);
        checks.extend(launch(context, loaded));
        match unless_stopped(Box::pin(ask_all(context, loaded, &state))) {
            Ok(Some((asked, healths))) => {
                checks.extend(asked);
                health = healths;
            }
            Ok(None) => return Ok(context.interrupted()),
            Err(failure) => checks.push(Check::failed("provider", failure)),
        }
    }
    let ok = !checks.iter().any(|check| check.status == CheckStatus::Fail);
    let report = DoctorReport { ok, checks, health };
    Ok(context.answer(&report, || text_of(&report))?.ok_if(ok))
}

fn text_of(report: &DoctorReport) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let status = super::record::word(&check.status);
        let message = one_line(&check.message, 1000);
        let name = check.name;
        add_line(&mut text, format_args!("{status:4}  {name:10}  {message}"));
        if let Some(hint) = &check.hint {
            let hint = one_line(hint, 500);
            add_line(&mut text, format_args!("      hint: {hint}"));
        }
    }
    let with = |status| {
        let same = report.checks.iter().filter(|check| check.status == status);
        same.count()
    };
    let failed = count(with(CheckStatus::Fail), "failure");
    let warned = count(with(CheckStatus::Warn), "warning");
    text + &format!("{failed}, {warned}\n")
}
