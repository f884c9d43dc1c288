//! Checks of the model server: whether it answers, has the model, and replies to the next prompt;
//! and of the window: whether it is known and true, and whether the next prompt fits.
//!
//! Applies nothing of a reply.

use super::super::budget_report::{self, ConfiguredProvider, PromptBudgetReport};
use super::super::next_prompt;
use super::super::session::now;
use super::{Check, DoctorEnvironment};
use crate::config::{Config, Constrain, LoadedConfig, ProviderKind, UNNAMED_MODEL};
use crate::core::journal::State;
use crate::core::prompt::{PromptCount, PromptMessage, WINDOW_ASSUMED_TOKENS};
use crate::core::protocol::ConstraintKind;
use crate::core::route::{ErrorClass, HealthTracker, ModelChoice, ProviderHealth};
use crate::daemon::{self, ServerModels};
use crate::failure::{Code, Failure};
use crate::plain_text::{count, joined, one_line};
use crate::provider::{Contact, LlmProvider, LlmRequest, ProviderError, ServedModel, ask_alone};

/// The most tokens of the reply that is asked for: enough to see that some come.
const ANSWER_TOKENS: u32 = 32;

/// The time above which a reply of so few tokens is slow, in milliseconds.
///
/// A run takes many minutes then.
const SLOW_MS: i64 = 60_000;

/// The most models that are named when the configured one is not among them.
const MODELS_NAMED_MAX: usize = 10;

/// Records the outcome of a request to a provider.
fn note_outcome<T>(vitals: &mut HealthTracker, outcome: &Result<T, ProviderError>) {
    let outcome = outcome.as_ref().map(|_| ());
    vitals.ended(outcome.map_err(ProviderError::class), now());
}

/// Records the beginning of a request. Nothing is held back: so few requests open no breaker.
fn begin(vitals: &mut HealthTracker) {
    if let Err(until) = vitals.begin(now()) {
        tracing::debug!(%until, "asked all the same");
    }
}

fn health(vitals: &HealthTracker, name: &str, model: &str) -> ProviderHealth {
    ProviderHealth {
        provider: name.to_owned(),
        model: model.to_owned(),
        health: vitals.health(now()),
    }
}

/// Checks whether the command that would start a server is there; `None` where none is configured.
pub fn launch(around: &impl DoctorEnvironment, loaded: &LoadedConfig) -> Option<Check> {
    let config = &loaded.config;
    let (program, arguments) = config.provider.launch.as_ref()?.command.split_first()?;
    let is_there = |path: &str| config.root.join(path).is_file();
    let hint = "Set `provider.launch` to a command that starts a server, or to null.";
    if !around.has_program(config, program) {
        let message = format!("there is no program `{}`", one_line(program, 200));
        return Some(Check::fail("launch", message, hint));
    }
    let looks_like_a_file = |word: &&String| word.contains('/') && !word.contains([':', '{', '=']);
    let mut files = arguments.iter().filter(looks_like_a_file);
    Some(match files.find(|file| !is_there(file)) {
        Some(missing) => {
            let message = format!("there is no file `{}`", one_line(missing, 200));
            Check::warn("launch", message, hint)
        }
        None => Check::ok("launch", format!("`{}` is there", one_line(program, 200))),
    })
}

/// Asks each provider that a run may ask; each check goes after the one that it needs.
pub async fn ask_all(
    around: &impl DoctorEnvironment,
    loaded: &LoadedConfig,
    state: &State,
) -> (Vec<Check>, Vec<ProviderHealth>) {
    let mut healths = Vec::new();
    if loaded.config.providers.is_empty() {
        let mut one = HealthTracker::default();
        let checks = ask(around, loaded, None, state, &mut one).await;
        let provider = &loaded.config.provider;
        healths.push(health(&one, provider.kind.name(), &provider.model));
        return (checks, healths);
    }
    let mut checks = Vec::new();
    for (place, listed) in loaded.config.providers.iter().enumerate() {
        let mut loaded = loaded.clone();
        loaded.config.provider = listed.config.clone();
        let mut one = HealthTracker::default();
        let asked = ask(around, &loaded, Some(place), state, &mut one).await;
        healths.push(health(&one, &listed.name, &listed.config.model));
        checks.extend(asked.into_iter().map(|check| check.of(&listed.name)));
    }
    (checks, healths)
}

/// Asks one provider, which stands at `place` in `providers` where there are any.
async fn ask(
    around: &impl DoctorEnvironment,
    loaded: &LoadedConfig,
    place: Option<usize>,
    state: &State,
    vitals: &mut HealthTracker,
) -> Vec<Check> {
    let config = &loaded.config;
    let one = ConfiguredProvider {
        provider: &config.provider,
        place,
    };
    let known = || window_unasked(config, one, state);
    let provider = match around.provider(config) {
        Ok(provider) => provider,
        Err(failure) => {
            vitals.ended(Err(Some(ErrorClass::Unavailable)), now());
            return vec![known(), Check::failed("provider", failure)];
        }
    };
    begin(vitals);
    let offer = daemon::offer(provider.as_ref(), &config.provider).await;
    note_outcome(vitals, &offer);
    let offer = match offer {
        Ok(offer) => offer,
        Err(error) => return vec![known(), unreachable(loaded, error)],
    };
    let mut checks = vec![reached(around, config, &offer)];
    let in_memory = provider.loaded_models().await.unwrap_or_default();
    checks.push(model(loaded, &offer, &in_memory));
    let Some((asked, name)) = chosen(provider, &config.provider.model, &offer.choice) else {
        checks.push(known());
        return checks;
    };
    let report_of = |served: &ServedModel| {
        PromptBudgetReport::with(config, one, state, name, served.window_tokens)
    };
    let mut served = asked.served().await.unwrap_or_default();
    let messages = match next_prompt::messages(loaded, state, report_of(&served)) {
        Ok(messages) => messages,
        Err(failure) => {
            checks.extend([
                window_check(&report_of(&served)),
                Check::failed("tokens", failure),
            ]);
            return checks;
        }
    };
    let mut read = None;
    if config.provider.kind != ProviderKind::Scripted {
        let (check, tokens) = generate(config, messages.clone(), asked.as_ref(), vitals).await;
        checks.push(check);
        read = tokens.filter(|_| config.provider.kind != ProviderKind::Cli);
    }
    if served.window_tokens.is_none() {
        // Only the request may have loaded the model.
        served = asked.served().await.unwrap_or_default();
    }
    let report_of = report_of(&served);
    let read = read.map(|tokens| PromptCount::of(&messages, tokens));
    checks.push(confirmed(config, one, state, &report_of, read));
    let counted = match served.counter {
        Some(counter) => asked.count_tokens(&messages, counter).await,
        None => None,
    };
    checks.push(prompt_length(&report_of, &messages, counted));
    checks.extend(kept_to_form(loaded, name, &served, asked.as_ref()).await);
    checks
}

/// Returns the provider and the model that a run asks; `None` where it asks none.
fn chosen<'a>(
    provider: Box<dyn LlmProvider>,
    configured: &'a String,
    choice: &'a ModelChoice,
) -> Option<(Box<dyn LlmProvider>, &'a String)> {
    match choice {
        ModelChoice::Configured => Some((provider, configured)),
        ModelChoice::Other(other) => provider.with_model(other).map(|it| (it, other)),
        ModelChoice::Unclear => None,
    }
}

/// Checks which constraint the server keeps replies to, found out as a run does.
///
/// Returns `None` for a kind of provider that has none. Where a run leaves replies free because
/// nothing was measured, the check says what the server could do.
async fn kept_to_form(
    loaded: &LoadedConfig,
    model: &str,
    served: &ServedModel,
    provider: &dyn LlmProvider,
) -> Option<Check> {
    let config = &loaded.config.provider;
    if matches!(config.kind, ProviderKind::Cli | ProviderKind::Scripted) {
        return None;
    }
    let known = loaded.config.known_form(model);
    let wanted = daemon::constraint_kinds(config.constrain, known, config.kind);
    let is_unmeasured = wanted.is_empty() && config.constrain == Constrain::Auto;
    let tried = if is_unmeasured {
        daemon::constraint_kinds(Constrain::From(ConstraintKind::Gbnf), None, config.kind)
    } else {
        wanted
    };
    let (mut possible, mut passed_over) = (Vec::new(), Vec::new());
    for constraint_kind in &tried {
        let question = daemon::probe(*constraint_kind, served.counter, &loaded.prompt);
        let reply = ask_alone(provider, &question).await;
        match daemon::probed(*constraint_kind, &reply).why_not() {
            None if is_unmeasured => possible.push(format!("`{}`", constraint_kind.name())),
            None => {
                let message = format!("answers are kept to `{}`", constraint_kind.name());
                return Some(Check::ok("form", message));
            }
            Some(why) => {
                passed_over.push(format!("`{}`: the server {why}", constraint_kind.name()));
            }
        }
    }
    if !is_unmeasured && !tried.is_empty() {
        let message = format!("answers are free; {}", passed_over.join(", "));
        let hint = "Set `provider.constrain` to a form that the server knows, or to `off`.";
        return Some(Check::warn("form", message, hint));
    }
    let mut remarks = vec!["answers are free, and repaired where that is safe".to_owned()];
    if !possible.is_empty() {
        let possible = possible.join(" or ");
        remarks.push(format!("the server could keep them to {possible}"));
    }
    remarks.extend(passed_over);
    Some(Check::ok("form", remarks.join("; ")))
}

fn unreachable(loaded: &LoadedConfig, error: ProviderError) -> Check {
    if error.is_nobody_there() && loaded.config.provider.launch.is_some() {
        let hint = "Nothing to do: `daemon` and `run` start it with `provider.launch`.";
        return Check::warn("provider", error.message, hint);
    }
    let is_loading = error.code == Code::LlmUnavailable && error.contact == Contact::Made;
    let failure = Failure::new(error.code, error.message);
    if is_loading {
        let hint = "It is there and not ready: wait until it has loaded its model, and ask again.";
        return Check::failed("provider", failure.only_hint(hint));
    }
    Check::failed("provider", failure)
}

/// Makes the check of a provider that was reached. A program has listed nothing yet.
fn reached(around: &impl DoctorEnvironment, config: &Config, offer: &ServerModels) -> Check {
    let kind = config.provider.kind;
    if kind != ProviderKind::Cli {
        let listed_models = count(offer.listed.len(), "model");
        let message = format!("{} answers, {listed_models} listed", kind.name());
        return Check::ok("provider", message);
    }
    let program = config.provider.command.first().map_or("", String::as_str);
    let named = one_line(program, 200);
    if around.has_program(config, program) {
        return Check::ok("provider", format!("the program `{named}` is there"));
    }
    let hint = "Install it, or name another program in `provider.command`.";
    Check::fail("provider", format!("there is no program `{named}`"), hint)
}

/// Checks whether the model is there; only some servers list the models in memory.
fn model(loaded: &LoadedConfig, offer: &ServerModels, in_memory: &[String]) -> Check {
    let configured = &loaded.config.provider.model;
    let wanted = one_line(configured, 200);
    if loaded.config.provider.kind == ProviderKind::Cli {
        if configured == UNNAMED_MODEL {
            let message = "none is configured: the program takes its own";
            return Check::ok("model", message);
        }
        let message = format!("`{wanted}` will be asked for; a program lists no models");
        return Check::ok("model", message);
    }
    if offer.listed.contains(configured) {
        let memory = if in_memory.contains(configured) {
            " and loaded"
        } else if in_memory.is_empty() {
            ""
        } else {
            ", but others are loaded: the first question loads it"
        };
        return Check::ok("model", format!("`{wanted}` is listed{memory}"));
    }
    if let ModelChoice::Other(other) = &offer.choice {
        let other = one_line(other, 200);
        let message = format!("`{other}` is asked instead, since `{wanted}` is not listed");
        let hint = format!("Set `provider.model` to `{other}`, or load `{wanted}`.");
        return Check::warn("model", message, hint);
    }
    let message = format!("`{wanted}` is not listed");
    let hint = if offer.listed.is_empty() {
        "Load a model in the server.".to_owned()
    } else {
        let named = offer.listed.iter().take(MODELS_NAMED_MAX);
        let named = joined(named.map(|name| one_line(name, 200)), ", ");
        format!("Set `provider.model` to one of: {named}.")
    };
    if offer.choice == ModelChoice::Unclear {
        let failure = Failure::new(Code::ProviderNotFound, message + ", and several others are");
        return Check::failed("model", failure.hint(hint));
    }
    Check::warn("model", message, hint)
}

/// Asks for the first tokens of a reply to the next prompt, and measures the time.
///
/// Returns the tokens of the prompt as well, where the server counted them.
async fn generate(
    config: &Config,
    messages: Vec<PromptMessage>,
    provider: &dyn LlmProvider,
    vitals: &mut HealthTracker,
) -> (Check, Option<u64>) {
    let request = LlmRequest {
        messages,
        max_tokens: config.provider.max_tokens.min(ANSWER_TOKENS),
        ..LlmRequest::default()
    };
    let began = now();
    begin(vitals);
    let reply = ask_alone(provider, &request).await;
    note_outcome(vitals, &reply);
    let took_ms = now().millis.saturating_sub(began.millis).max(0);
    let seconds = format!("{}.{:01} s", took_ms / 1000, took_ms % 1000 / 100);
    let reply_counted = reply.as_ref().ok();
    let reply_counted = reply_counted.filter(|reply| !reply.arrival.usage_is_estimated);
    let counted = reply_counted.map(|reply| reply.usage.input_tokens);
    let counted = counted.filter(|tokens| *tokens > 0);
    let check = match reply {
        Ok(reply) => {
            let (input, output) = (reply.usage.input_tokens, reply.usage.output_tokens);
            let is_estimated = reply.arrival.usage_is_estimated;
            let about = if is_estimated { "about " } else { "" };
            let speed = speed_of(output, took_ms, about);
            let message = format!(
                "the next prompt ({about}{input} tokens) gave {about}{output} tokens in {seconds}{speed}"
            );
            let check = if took_ms > SLOW_MS {
                let hint = "A first answer may load the model; else take a smaller one or the GPU.";
                Check::warn("generation", message, hint)
            } else {
                Check::ok("generation", message)
            };
            check.estimated(is_estimated)
        }
        // A model that reasons first spends so few tokens on that alone.
        Err(error) if error.is_wordless() => Check::warn(
            "generation",
            format!("{seconds}: {}", error.message),
            "A model that only reasons at first does this; else load it with a larger context.",
        ),
        Err(error) => Check::failed("generation", Failure::new(error.code, error.message)),
    };
    (check, counted)
}

/// Returns the tokens a second, prompt included in the time; empty where no time was taken.
fn speed_of(tokens: u64, took_ms: i64, about: &str) -> String {
    let took_ms = u64::try_from(took_ms).unwrap_or_default();
    let Some(tenths) = tokens.saturating_mul(10_000).checked_div(took_ms) else {
        return String::new();
    };
    format!(", {about}{}.{} tokens a second", tenths / 10, tenths % 10)
}

fn window_check(known: &PromptBudgetReport) -> Check {
    match budget_report::text_of(known.prompt_budget.window) {
        Some(window) => Check::ok("window", window),
        None => Check::warn(
            "window",
            format!("unknown; {WINDOW_ASSUMED_TOKENS} tokens are assumed"),
            format!(
                "Set `{}` to the window that the model was loaded with.",
                known.key
            ),
        ),
    }
}

/// Checks the window by the server's own count of the next prompt, or of the last one.
fn confirmed(
    config: &Config,
    asked: ConfiguredProvider<'_>,
    state: &State,
    known: &PromptBudgetReport,
    read: Option<PromptCount>,
) -> Check {
    match read.and_then(|read| read.cut_at(known.last)) {
        Some(tokens) => cut(known, tokens),
        None => last_cut(config, asked, state).unwrap_or_else(|| window_check(known)),
    }
}

/// Makes the check of a server that has not read a whole prompt, as far as its count shows.
fn cut(known: &PromptBudgetReport, tokens: u32) -> Check {
    let key = &known.key;
    let window =
        budget_report::text_of(known.prompt_budget.window).unwrap_or_else(|| "unknown".to_owned());
    let message = format!(
        "{window}; but the server counted only {tokens} tokens of the next prompt, which has more: it \
         cuts prompts and does not say so, or counts only what its cache lacked"
    );
    let hint = format!("Load the model with a larger window, or set `{key}` to its own.");
    Check::warn("window", message, hint)
}

/// Checks whether the server cut a prompt of the last run: the next one may be short enough.
fn last_cut(config: &Config, asked: ConfiguredProvider<'_>, state: &State) -> Option<Check> {
    let known = PromptBudgetReport::of_asked(config, asked, state);
    let message = budget_report::cut_warning(known.prompt_budget.window, &known.key)?;
    Some(Check::warn(
        "window",
        message,
        "The next run finds out anew.",
    ))
}

/// Checks the window without an answer of the server: what it reported before is not sure any more.
fn window_unasked(config: &Config, asked: ConfiguredProvider<'_>, state: &State) -> Check {
    let now = PromptBudgetReport::with(config, asked, state, &asked.provider.model, None);
    let before = PromptBudgetReport::of_asked(config, asked, state)
        .prompt_budget
        .window;
    if now.prompt_budget.window.is_known() || !before.is_known() {
        return window_check(&now);
    }
    let tokens = before.tokens;
    let message = format!("not told now; it was {tokens} tokens in the last run");
    let hint = "Nothing to do, if it tells it again: a run asks for it before its first question.";
    Check::warn("window", message, hint)
}

/// Checks whether the next prompt fits, by the server's own count where there is one.
fn prompt_length(
    known: &PromptBudgetReport,
    messages: &[PromptMessage],
    counted: Option<u64>,
) -> Check {
    let counted = counted.and_then(|tokens| usize::try_from(tokens).ok());
    let tokens = counted.unwrap_or_else(|| known.prompt_budget.meter.messages(messages));
    let method = match counted {
        Some(_) => "counted by the server".to_owned(),
        None => format!("an estimate: {}", known.method),
    };
    let message = format!("{tokens} tokens, {method}");
    let most = known.prompt_budget.prompt_tokens();
    if tokens <= most {
        return Check::ok("tokens", message);
    }
    let message = format!("{message}; {most} are left for it beside the answer");
    let hint = "Load the model with a larger window, or shorten the prompt file or RAM.";
    Check::warn("tokens", message, hint)
}

#[cfg(test)]
mod tests {
    use super::speed_of;

    #[test]
    fn speed_is_tokens_by_time() {
        assert_eq!(speed_of(32, 2000, ""), ", 16.0 tokens a second");
        assert_eq!(speed_of(1, 3000, "about "), ", about 0.3 tokens a second");
        assert_eq!(speed_of(7, 0, ""), "");
    }
}
