//! `doctor`: formats the checks of everything that a run needs.

use super::server::{provider_of, unless_stopped};
use super::text::{count, one_line, word};
use super::{Context, VerbOutput};
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
    context.answer_if(ok, &report, text_of)
}

fn text_of(report: &DoctorReport) -> String {
    let checks = report.checks.iter().map(|check| {
        let hint = check.hint.as_ref();
        let hint = hint.map(|hint| format!("      hint: {}\n", one_line(hint, 500)));
        let (status, message) = (word(&check.status), one_line(&check.message, 1000));
        let (name, hint) = (check.name, hint.unwrap_or_default());
        format!("{status:4}  {name:10}  {message}\n{hint}")
    });
    let with = |status, noun| {
        let same = report.checks.iter().filter(|check| check.status == status);
        count(same.count(), noun)
    };
    let failed = with(CheckStatus::Fail, "failure");
    let warned = with(CheckStatus::Warn, "warning");
    format!("{}{failed}, {warned}\n", checks.collect::<String>())
}
