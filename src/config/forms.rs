//! The best constraint of replies, by model: that of the registry, else the measured one. A
//! measured form counts only for the very model that it was measured with, only where that model
//! solved no fewer tasks under it than without, and only on enough tasks: correct first replies say
//! too little.

use super::resolved::Config;
use crate::core::protocol::ConstraintKind;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The measurements that ship with the program.
const MEASURED: &str = include_str!("../../data/measured-forms.json");

/// The fewest tasks of a comparison: of eight, one or two more or less are noise.
const TASKS_MIN: u32 = 32;

/// The measurement of one form with one model.
/// It has the tasks, and the solved ones with and without the form.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    form: ConstraintKind,
    tasks: u32,
    solved: u32,
    solved_free: u32,
}

impl Measured {
    const fn is_no_worse(&self) -> bool {
        self.tasks >= TASKS_MIN && self.solved >= self.solved_free
    }
}

impl Config {
    /// Returns the form that is known not to make a model's replies worse, if there is one.
    pub fn known_form(&self, model: &str) -> Option<ConstraintKind> {
        let entry = self.models.iter().find(|entry| entry.model_id == model);
        let configured = entry.and_then(|entry| entry.constrain);
        configured.or_else(|| best(&table(MEASURED), model))
    }
}

/// Reads the table; an unreadable one is empty.
fn table(text: &str) -> BTreeMap<String, Measured> {
    serde_json::from_str(text).unwrap_or_default()
}

fn best(table: &BTreeMap<String, Measured>, model: &str) -> Option<ConstraintKind> {
    let measured = table.get(model).filter(|measured| measured.is_no_worse());
    measured.map(|measured| measured.form)
}

#[cfg(test)]
mod tests {
    use super::{MEASURED, TASKS_MIN, best, table};
    use crate::core::protocol::ConstraintKind;

    #[test]
    fn the_measured_table_is_read() {
        let count = MEASURED.matches("\"form\"").count();
        assert_eq!(table(MEASURED).len(), count);
        for measured in table(MEASURED).values() {
            assert!(measured.solved <= measured.tasks);
            assert!(measured.solved_free <= measured.tasks);
        }
    }

    #[test]
    fn a_form_is_taken_only_on_enough_tasks_of_which_no_fewer_are_solved() {
        let best = |tasks: u32, solved: u32| {
            let text = format!(
                "{{\"m\":{{\"form\":\"gbnf\",\"tasks\":{tasks},\"solved\":{solved},\
                 \"solved_free\":20}}}}"
            );
            let table = table(&text);
            assert_eq!(best(&table, "n"), None, "of the very model only");
            best(&table, "m")
        };
        assert_eq!(best(TASKS_MIN, 20), Some(ConstraintKind::Gbnf));
        assert_eq!(best(TASKS_MIN - 1, 20), None);
        assert_eq!(best(TASKS_MIN, 19), None);
    }
}
