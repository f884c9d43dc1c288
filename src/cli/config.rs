//! `config`: what is in force, whether it is valid, what would be, and a change of one key.

use super::arguments::ConfigVerb;
use super::context::Context;
use super::output::Answer;
use crate::config::{self, KeySet, Loaded, rules_warning};
use crate::core::automation::all_judged_ahead;
use crate::failure::Failure;
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::{change_file, now, unread};
use serde_json::json;

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: ConfigVerb) -> Result<Answer, Failure> {
    match verb {
        ConfigVerb::Show => {
            let loaded = context.session.load()?;
            if let Some(said) = unread(&context.session, &loaded.config) {
                context.warn(&said);
            }
            context.answer(&config::show_json(&loaded), || config::show_text(&loaded))
        }
        ConfigVerb::Get { key } => get(context, &key),
        ConfigVerb::Set { key, value } => set(context, key, value),
        ConfigVerb::Check => {
            let mut outcome = config::load(context.session.root(), &context.environment);
            if let Ok(loaded) = &mut outcome {
                warn_of_clock(context, loaded);
            }
            let answer = context.answer(&config::check_json(&outcome), || {
                config::check_text(&outcome)
            })?;
            Ok(match &outcome {
                Ok(_) => answer,
                Err(problems) => answer.with_exit(config::failure(problems).exit()),
            })
        }
        ConfigVerb::Schema => {
            let schema = config::schema();
            context.answer(&schema, || format!("{schema:#}"))
        }
    }
}

/// One key as it is in force, and where its value came from.
fn get(context: &Context, name: &str) -> Result<Answer, Failure> {
    let key = config::known_key(name)?;
    let loaded = context.session.load()?;
    if let Some(said) = unread(&context.session, &loaded.config) {
        context.warn(&said);
    }
    let mut all = loaded.settings.all().iter();
    let setting = all.find(|it| it.key.path == key.path);
    let value = setting.map(|it| it.value.clone()).unwrap_or_default();
    let source = setting.map(|it| it.source.name());
    let data = json!({"key": key.path, "value": value, "source": source});
    let text = value.as_str().map(str::to_owned);
    context.answer(&data, || text.unwrap_or_else(|| value.to_string()))
}

/// Sets one key, and says when it counts.
fn set(context: &Context, key: String, value: String) -> Result<Answer, Failure> {
    config::known_key(&key)?;
    let value = context.value_or_input(value, CONFIG_FILE_BYTES_MAX)?;
    let (root, environment) = (context.session.root().to_owned(), context.environment);
    let work = move || config::set_key(&root, &environment, &key, value.trim_end_matches('\n'));
    let set = change_file(&context.session, work)?;
    for warning in &set.warnings {
        context.warn(&warning.to_string());
    }
    let taken = taken(context, &set);
    let path = set.key.path;
    let data = json!({
        "key": path, "before": set.before, "value": set.after, "taken": taken,
    });
    context.answer(&data, || match &set.before {
        Some(before) if *before != set.after => format!("{path} = {}  (was {before})", set.after),
        Some(_) | None => format!("{path} = {}", set.after),
    })
}

/// When a new value counts, in a word; a person is told in a sentence.
fn taken(context: &Context, set: &KeySet) -> &'static str {
    if context.session.commands.is_none() {
        return "next_command";
    }
    // The daemon reads its files again before its next step, as a start would.
    if let Err(found) = config::load(context.session.root(), &context.environment) {
        let why = config::failure(&found).message;
        context.warn(&format!(
            "the daemon goes on with what was last good until this is mended: {why}"
        ));
        return "when_mended";
    }
    if set.waits_for_start() {
        context.talk("hint: the daemon takes this key at its next start");
        return "next_start";
    }
    context.talk("the daemon takes it before its next step");
    "next_step"
}

/// Tells of schedules that a wrong clock has judged far ahead. A journal that cannot be read says nothing
/// of that; `doctor` tells why.
fn warn_of_clock(context: &Context, loaded: &mut Loaded) {
    let Ok(state) = context.session.state(&loaded.config) else {
        return;
    };
    let said = all_judged_ahead(&loaded.config.rules, &state, now());
    loaded.warnings.extend(said.map(rules_warning));
}
