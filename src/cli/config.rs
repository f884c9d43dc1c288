//! `config`: formats settings and their problems.

use super::arguments::ConfigVerb;
use super::text::text_of_value;
use super::{Context, VerbOutput};
use crate::config;
use crate::failure::Failure;
use crate::limits::CONFIG_FILE_BYTES_MAX;
use crate::service::settings;

pub(super) fn run(context: &Context, verb: ConfigVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        ConfigVerb::Show => {
            let loaded = settings::show(session)?;
            context.answer(&config::show_json(&loaded), |_| config::show_text(&loaded))
        }
        ConfigVerb::Get { key } => context.answer(&settings::get(session, &key)?, |setting| {
            text_of_value(&setting.value)
        }),
        ConfigVerb::Set { key, value } => {
            config::known_key(&key)?;
            let value = context.value_or_input(value, CONFIG_FILE_BYTES_MAX)?;
            let value = value.trim_end_matches('\n').to_owned();
            context.answer(&settings::set(session, key, value)?, |set| {
                let (key, value) = (set.key, &set.value);
                match &set.before {
                    Some(before) if before != value => format!("{key} = {value}  (was {before})"),
                    Some(_) | None => format!("{key} = {value}"),
                }
            })
        }
        ConfigVerb::Check => {
            let outcome = settings::check(session);
            let data = config::check_json(&outcome);
            let answer = context.answer(&data, |_| config::check_text(&outcome))?;
            Ok(match &outcome {
                Ok(_) => answer,
                Err(problems) => answer.with_exit(config::failure(problems).exit()),
            })
        }
        ConfigVerb::Schema => context.answer(&config::schema(), |schema| format!("{schema:#}")),
    }
}
