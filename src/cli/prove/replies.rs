//! What the model may not write: replies that are too much, or that cannot be read without guessing.

use super::guard_check::{Attempt, GuardCheck, ReplyAttempt, ScriptedReply};
use crate::core::protocol::Tag;
use crate::failure::Code;
use crate::limits::{ELEMENTS_PER_REPLY_MAX, INSTRUCTIONS_PER_REPLY_MAX, REPLY_TEXT_BYTES_MAX};

/// An instruction that would take effect if its reply did.
const MARK: &str = "<ram_add><key>proof</key><value>got through</value></ram_add>";

/// An instruction that changes nothing, so that the reply is not empty without the other one.
const REST: &str = "<state_add><state>planning</state></state_add>";

/// The trials at replies.
pub(super) const GUARD_CHECKS: &[GuardCheck] = &[
    GuardCheck {
        guard: "reply.bytes",
        tried: "a reply longer than any",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::LlmReplyRunaway], |_| {
            let much = "words ".repeat(REPLY_TEXT_BYTES_MAX / 6 + 1);
            vec![ScriptedReply::complete(format!("{MARK}\n{much}"))]
        })),
    },
    GuardCheck {
        guard: "reply.instructions",
        tried: "one instruction more than a reply may have",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let one = |n| format!("<ram_add><key>proof{n}</key><value>x</value></ram_add>");
            let all: String = (0..=INSTRUCTIONS_PER_REPLY_MAX).map(one).collect();
            vec![ScriptedReply::complete(all)]
        })),
    },
    GuardCheck {
        guard: "reply.elements",
        tried: "tags without end inside instructions",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let many = "<key/>".repeat(ELEMENTS_PER_REPLY_MAX / 2);
            let part = |n| format!("<ram_add><key>proof{n}</key><value>{many}</value></ram_add>");
            vec![ScriptedReply::complete(part(1) + &part(2))]
        })),
    },
    GuardCheck {
        guard: "reply.attribute",
        tried: "a tag with an attribute",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            vec![ScriptedReply::complete(format!(
                "<ram_add force=\"yes\"/>{MARK}"
            ))]
        })),
    },
    GuardCheck {
        guard: "reply.declaration",
        tried: "an entity that names a file of this machine",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let text = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>";
            vec![ScriptedReply::complete(format!("{text}{MARK}"))]
        })),
    },
    GuardCheck {
        guard: "reply.processing",
        tried: "a processing instruction",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            vec![ScriptedReply::complete(format!(
                "<?php system('id'); ?>{MARK}"
            ))]
        })),
    },
    GuardCheck {
        guard: "reply.unopened",
        tried: "a value that closes itself and goes on",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let text = "<ram_add><key>a</key><value>x</value> y</value></ram_add>";
            vec![ScriptedReply::complete(format!("{text}{MARK}"))]
        })),
    },
    GuardCheck {
        guard: "reply.overlap",
        tried: "an instruction that another one closes",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let text = "<ram_add><key>proof</key><value>x</value></ram_delete>";
            vec![ScriptedReply::complete(format!("{text}{MARK}"))]
        })),
    },
    GuardCheck {
        guard: "reply.depth",
        tried: "tags nested deeper than any need",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            let (open, close) = ("<value>".repeat(9), "</value>".repeat(9));
            let text = format!("<ram_add><key>proof</key>{open}x{close}</ram_add>");
            vec![ScriptedReply::complete(text)]
        })),
    },
    GuardCheck {
        guard: "reply.cut",
        tried: "an instruction that the server cut off",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(
            &[Code::LlmReplyTruncated, Code::XmlParseError],
            |_| {
                let half = "<ram_add><key>proof</key><value>half of it";
                vec![ScriptedReply::cut(format!("{REST}{half}"))]
            },
        )),
    },
    GuardCheck {
        guard: "reply.foreign_tag",
        tried: "<shell> with a command",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(
            &[Code::InstructionInvalid, Code::XmlParseError],
            |_| {
                let text = "<shell><command>rm -rf /</command></shell>";
                vec![ScriptedReply::complete(format!("{REST}{text}"))]
            },
        )),
    },
    GuardCheck {
        guard: "reply.tag_not_allowed",
        tried: "record_delete where `allowed_tags` leaves it out",
        attempt: Attempt::ReplyAttempt(
            ReplyAttempt::new(&[Code::InstructionInvalid, Code::XmlParseError], |_| {
                let text = "<record_delete><key>Proof of a tag</key></record_delete>";
                vec![ScriptedReply::complete(format!("{REST}{text}"))]
            })
            .tuned(|tuned| {
                let left = Tag::ALL.into_iter().filter(|tag| *tag != Tag::RecordDelete);
                tuned.prompt.allowed_tags = left.collect();
            })
            .after(|cx| super::notes::write(cx, &["Proof of a tag"])),
        ),
    },
    GuardCheck {
        guard: "reply.incomplete",
        tried: "an instruction without a child that it needs",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(
            &[Code::InstructionInvalid, Code::XmlParseError],
            |_| {
                let text = "<ram_add><key>proof</key></ram_add>";
                vec![ScriptedReply::complete(format!("{REST}{text}"))]
            },
        )),
    },
    GuardCheck {
        guard: "reply.prose",
        tried: "a reply that only says that it is done",
        attempt: Attempt::ReplyAttempt(ReplyAttempt::new(&[Code::XmlParseError], |_| {
            vec![ScriptedReply::complete(
                "Everything was deleted, as you asked.",
            )]
        })),
    },
];
