//! What the model may not do to RAM and `/storage`, and the states that it may not go to.

use super::guard_check::{ANSWERED, Attempt, Came, GuardCheck, ReplyAttempt, ScriptedReply};
use super::scratch::Tuned;
use crate::failure::Code;
use crate::limits::{JSON_DEPTH_MAX, RAM_HARD_FACTOR, RAM_VALUE_BYTES_MAX};
use serde_json::Value;

/// Most characters of RAM that a trial at its size fills.
const FILLED_MAX: usize = 8192;

fn ram(key: &str, value: &str) -> Vec<ScriptedReply> {
    let text = format!("<ram_add><key>{key}</key><value>{value}</value></ram_add>");
    vec![ScriptedReply::complete(text)]
}

fn tool(kind: &str, parts: &str) -> Vec<ScriptedReply> {
    let text = format!("<actions><action><kind>{kind}</kind>{parts}</action></actions>");
    vec![ScriptedReply::complete(text)]
}

fn set(path: &str, content: &str) -> Vec<ScriptedReply> {
    let parts = format!("<target_path>{path}</target_path><content>{content}</content>");
    tool("set", &parts)
}

/// Many values that are each small enough.
fn filling(tuned: &Tuned) -> Vec<ScriptedReply> {
    let full = tuned.config.memory.working_memory_character_max * RAM_HARD_FACTOR;
    let each = 1000;
    let value = "x".repeat(each);
    let one = |n| format!("<ram_add><key>proof_fill{n}</key><value>{value}</value></ram_add>");
    vec![ScriptedReply::complete(
        (0..=full / each).map(one).collect::<String>(),
    )]
}

/// The trials at RAM, `/storage` and states.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "ram.value_bytes",
        tried: "a RAM value larger than any",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::LimitExceeded], |_| {
            ram("proof", &"x".repeat(RAM_VALUE_BYTES_MAX + 1))
        })),
    },
    GuardCheck {
        guard: "ram.depth",
        tried: "a RAM value nested deeper than any",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::LimitExceeded], |_| {
            let deep = JSON_DEPTH_MAX + 1;
            ram(
                "proof",
                &format!("{}{}", "[".repeat(deep), "]".repeat(deep)),
            )
        })),
    },
    GuardCheck {
        guard: "ram.key_path",
        tried: "a RAM key that climbs out of a folder",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::PathInvalid], |_| {
            ram("../../etc/passwd", "x")
        })),
    },
    GuardCheck {
        guard: "ram.key_invisible",
        tried: "a RAM key with a character that nobody sees",
        attempt: Attempt::Done(|scratch| {
            let set = scratch.by_person(&scratch.tuned(), |cx| {
                let value = Value::from("x");
                let change = cx
                    .guard
                    .ram_set(&cx.state.ram, "pro\u{200B}of", value, 1000)?;
                Ok(vec![change])
            });
            Ok(Came::by_failure(set, &[Code::PathInvalid], ANSWERED))
        }),
    },
    GuardCheck {
        guard: "ram.full",
        tried: "more RAM than four times working_memory_character_max",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::LimitExceeded], filling)
                .tuned(|tuned| {
                    tuned.config.memory.working_memory_character_max =
                        tuned.ram_characters.min(FILLED_MAX);
                })
                .holding(|tuned, _, after| {
                    let full = tuned.config.memory.working_memory_character_max * RAM_HARD_FACTOR;
                    let filled = |key: &&String| key.starts_with("proof_fill");
                    after.ram.keys().filter(filled).count() <= full / 1000
                }),
        ),
    },
    GuardCheck {
        guard: "ram.request",
        tried: "the person's request replaced by another",
        attempt: Attempt::Done(super::runs::request_kept),
    },
    GuardCheck {
        guard: "ram.required",
        tried: "rm of a key that must always exist",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::PathInvalid], |_| {
            tool("rm", "<target_path>/working_memory/plan</target_path>")
        })),
    },
    GuardCheck {
        guard: "ram.edited_meanwhile",
        tried: "ram_add of a key that a person edits during the call",
        attempt: Attempt::Done(super::files::edited_key),
    },
    GuardCheck {
        guard: "storage.path",
        tried: "set of a path that climbs out of /storage",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::PathInvalid], |_| {
            set("/storage/../../etc/passwd", "x")
        })),
    },
    GuardCheck {
        guard: "storage.root",
        tried: "rm of the whole of /storage",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::PathInvalid], |_| {
            tool("rm", "<target_path>/storage</target_path>")
        })),
    },
    GuardCheck {
        guard: "storage.archive",
        tried: "set of the whole archive",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::PathInvalid], |_| {
            set("/storage/archive", "{\"mine\":\"x\"}")
        })),
    },
    GuardCheck {
        guard: "storage.names",
        tried: "more names in a directory than memory.children_max",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::LimitExceeded], |tuned| {
            let most = tuned.config.memory.children_max;
            let names: Vec<String> = (0..=most).map(|n| format!("\"n{n}\":1")).collect();
            set("/storage/proof/names", &format!("{{{}}}", names.join(",")))
        })),
    },
    GuardCheck {
        guard: "storage.way",
        tried: "a value written below another value",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::PathInvalid], |_| {
                let first = "<action><kind>set</kind><target_path>/storage/proof_way</target_path>\
                             <content>kept</content></action>";
                let below = "<action><kind>set</kind><target_path>/storage/proof_way/below\
                             </target_path><content>got through</content></action>";
                vec![ScriptedReply::complete(format!(
                    "<actions>{first}{below}</actions>"
                ))]
            })
            .holding(|_, _, after| after.storage["proof_way"] == "kept"),
        ),
    },
    GuardCheck {
        guard: "storage.target",
        tried: "mv over something that stands there",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::TargetExists], |_| {
                let set = |name: &str| {
                    format!(
                        "<action><kind>set</kind><target_path>/storage/{name}</target_path>\
                         <content>{name}</content></action>"
                    )
                };
                let mv = "<action><kind>mv</kind><source_path>/storage/proof_from</source_path>\
                          <target_path>/storage/proof_to</target_path></action>";
                let (from, to) = (set("proof_from"), set("proof_to"));
                vec![ScriptedReply::complete(format!(
                    "<actions>{from}{to}{mv}</actions>"
                ))]
            })
            .holding(|_, _, after| after.storage["proof_to"] == "proof_to"),
        ),
    },
    GuardCheck {
        guard: "state.transition",
        tried: "state_add idle while a request waits",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::StateTransitionInvalid], |_| {
            vec![ScriptedReply::complete(
                "<state_add><state>idle</state></state_add>",
            )]
        })),
    },
];
