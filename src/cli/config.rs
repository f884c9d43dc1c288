//! `config`: what is in force, whether it is valid, and what would be.

use super::arguments::ConfigVerb;
use super::context::Context;
use super::output::Answer;
use crate::config;
use crate::failure::{Exit, Failure};

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: ConfigVerb) -> Result<Answer, Failure> {
    match verb {
        ConfigVerb::Show => {
            let loaded = context.load_without_key()?;
            context.answer(&config::show_json(&loaded), || config::show_text(&loaded))
        }
        ConfigVerb::Check => {
            let outcome = config::load(&context.root, &context.environment);
            let answer = context.answer(&config::check_json(&outcome), || {
                config::check_text(&outcome)
            })?;
            Ok(if outcome.is_ok() {
                answer
            } else {
                answer.with_exit(Exit::Config)
            })
        }
        ConfigVerb::Schema => {
            let schema = config::schema();
            context.answer(&schema, || format!("{schema:#}"))
        }
    }
}
