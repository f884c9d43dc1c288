//! `config`: what is in force, whether it is valid, and what would be.

use super::arguments::ConfigVerb;
use super::context::{Context, now};
use super::holder::unread;
use super::output::Answer;
use crate::config::{self, Loaded, rules_warning};
use crate::core::automation::all_judged_ahead;
use crate::failure::Failure;

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: ConfigVerb) -> Result<Answer, Failure> {
    match verb {
        ConfigVerb::Show => {
            let loaded = context.load_without_key()?;
            if let Some(said) = unread(context, &loaded.config) {
                context.warn(&said);
            }
            context.answer(&config::show_json(&loaded), || config::show_text(&loaded))
        }
        ConfigVerb::Check => {
            let mut outcome = config::load(&context.root, &context.environment);
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

/// Tells of schedules that a wrong clock has judged far ahead. A journal that cannot be read says nothing
/// of that; `doctor` tells why.
fn warn_of_clock(context: &Context, loaded: &mut Loaded) {
    let Ok(state) = context.state(&loaded.config) else {
        return;
    };
    let said = all_judged_ahead(&loaded.config.rules, &state, now());
    loaded.warnings.extend(said.map(rules_warning));
}
