//! `config`: formats settings and their problems.

use super::arguments::ConfigVerb;
use super::context::Context;
use super::output::VerbOutput;
use super::text::text_of_value;
use crate::config;
use crate::failure::Failure;
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::settings;

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: ConfigVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        ConfigVerb::Show => {
            let loaded = settings::show(session)?;
            context.answer(&config::show_json(&loaded), || config::show_text(&loaded))
        }
        ConfigVerb::Get { key } => {
            let setting = settings::get(session, &key)?;
            context.answer(&setting, || text_of_value(&setting.value))
        }
        ConfigVerb::Set { key, value } => {
            config::known_key(&key)?;
            let value = context.value_or_input(value, CONFIG_FILE_BYTES_MAX)?;
            let value = value.trim_end_matches('\n').to_owned();
            let set = settings::set(session, key, value)?;
            let (key, value) = (set.key, &set.value);
            context.answer(&set, || match &set.before {
                Some(before) if before != value => format!("{key} = {value}  (was {before})"),
                Some(_) | None => format!("{key} = {value}"),
            })
        }
        ConfigVerb::Check => {
            let outcome = settings::check(session);
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
