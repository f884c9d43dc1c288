//! Values that an undo never restores: state, requests, tasks, and the rest of a run's plan.
//! A run would otherwise repeat the work that was just undone.

use super::{Held, Place, Step};
use crate::core::memory::directory::is_kept;
use crate::core::memory::ram::{CONTEXT, PLAN, STATE, STEPS, TASK, THINK_LOG, USER_REQUEST};
use serde_json::{Map, Value};

/// The members of `context` that open a run.
const WISHES: [&str; 2] = [USER_REQUEST, TASK];

/// The keys that hold the pending work of a run.
const OF_RUN: [&str; 3] = [PLAN, STEPS, THINK_LOG];

/// Returns whether an undo skips a change.
/// It skips keys that only the program writes, and values with which the loop would continue the
/// run.
pub(super) fn is_closed(step: &Step) -> bool {
    let Place::Ram { key } = &step.place else {
        return false;
    };
    is_kept(key) || key == STATE || step.is_of_part && OF_RUN.contains(&key.as_str())
}

/// Returns the value before a change, without a request or task that the change took away.
pub(super) fn reopening_nothing(step: &Step) -> Held {
    let (Some(before), Some(after)) = (context(step, &step.before), context(step, &step.after))
    else {
        return step.before.clone();
    };
    let mut before = before.clone();
    for name in WISHES {
        // An earlier request or task is not restored; one that is there since stays.
        let cleared = before.remove(name).is_some();
        if let Some(wish) = after.get(name).filter(|_| cleared) {
            before.insert(name.to_owned(), wish.clone());
        }
    }
    Held::Value(Value::Object(before))
}

/// Removes requests and tasks from the value of `context`; leaves other places as they are.
pub(super) fn without_wishes(place: &Place, held: Held) -> Held {
    match held {
        Held::Value(Value::Object(mut members)) if is_context(place) => {
            for name in WISHES {
                members.remove(name);
            }
            Held::Value(Value::Object(members))
        }
        other @ (Held::Nothing | Held::Value(_) | Held::Note(_)) => other,
    }
}

fn context<'a>(step: &Step, held: &'a Held) -> Option<&'a Map<String, Value>> {
    match held {
        Held::Value(Value::Object(members)) if is_context(&step.place) => Some(members),
        Held::Nothing | Held::Value(_) | Held::Note(_) => None,
    }
}

fn is_context(place: &Place) -> bool {
    matches!(place, Place::Ram { key } if key == CONTEXT)
}

#[cfg(test)]
mod tests {
    use super::{Held, Place, Step, is_closed, reopening_nothing};
    use serde_json::{Value, json};

    fn step(key: &str, before: Value, after: Value) -> Step {
        Step {
            is_of_part: false,
            place: Place::Ram {
                key: key.to_owned(),
            },
            before: Held::Value(before),
            after: Held::Value(after),
        }
    }

    #[test]
    fn a_request_or_a_task_goes_and_never_comes_back() {
        for (before, after, again) in [
            (json!({"user_request": "x"}), json!({}), json!({})),
            (
                json!({"task": "x", "a": 1}),
                json!({"a": 2}),
                json!({"a": 1}),
            ),
            // Another request replaced it.
            (
                json!({"user_request": "x", "a": 1}),
                json!({"user_request": "y"}),
                json!({"user_request": "y", "a": 1}),
            ),
            // The run wrote it.
            (json!({"a": 1}), json!({"task": "x"}), json!({"a": 1})),
            (json!("odd"), json!({}), json!("odd")),
        ] {
            let of_context = step("context", before.clone(), after.clone());
            assert_eq!(reopening_nothing(&of_context), Held::Value(again));
            // Under any other key they are plain text.
            let other = step("mood", before.clone(), after);
            assert_eq!(reopening_nothing(&other), Held::Value(before));
        }
    }

    #[test]
    fn the_loop_stays_where_it_is_and_half_a_run_has_nothing_left_to_do() {
        for (key, of_whole, of_part) in [
            ("state", true, true),
            ("metrics", true, true),
            ("steps", false, true),
            ("plan", false, true),
            ("think_log", false, true),
            ("context", false, false),
            ("mood", false, false),
        ] {
            let whole = step(key, json!("a"), json!("b"));
            let part = Step {
                is_of_part: true,
                ..whole.clone()
            };
            assert_eq!(
                (is_closed(&whole), is_closed(&part)),
                (of_whole, of_part),
                "{key}"
            );
        }
    }
}
