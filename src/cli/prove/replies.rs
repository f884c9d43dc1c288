//! What the model may not write: replies that are too much, or that cannot be read without guessing.

use super::trial::{Attempt, Reply, Said, Trial};
use crate::core::protocol::Tag;
use crate::failure::Code;
use crate::limits::{ELEMENTS_PER_REPLY_MAX, INSTRUCTIONS_PER_REPLY_MAX, REPLY_TEXT_BYTES_MAX};

/// An instruction that would take effect if its reply did.
const MARK: &str = "<ram_add><key>proof</key><value>got through</value></ram_add>";

/// An instruction that changes nothing, so that the reply is not empty without the other one.
const REST: &str = "<state_add><state>planning</state></state_add>";

/// The trials at replies.
pub(super) const TRIALS: &[Trial] = &[
    Trial {
        guard: "reply.bytes",
        tried: "a reply longer than any",
        attempt: Attempt::Said(Said::new(&[Code::LlmReplyRunaway], |_| {
            let much = "words ".repeat(REPLY_TEXT_BYTES_MAX / 6 + 1);
            vec![Reply::whole(format!("{MARK}\n{much}"))]
        })),
    },
    Trial {
        guard: "reply.instructions",
        tried: "one instruction more than a reply may have",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let one = |n| format!("<ram_add><key>proof{n}</key><value>x</value></ram_add>");
            let all: String = (0..=INSTRUCTIONS_PER_REPLY_MAX).map(one).collect();
            vec![Reply::whole(all)]
        })),
    },
    Trial {
        guard: "reply.elements",
        tried: "tags without end inside instructions",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let many = "<key/>".repeat(ELEMENTS_PER_REPLY_MAX / 2);
            let part = |n| format!("<ram_add><key>proof{n}</key><value>{many}</value></ram_add>");
            vec![Reply::whole(part(1) + &part(2))]
        })),
    },
    Trial {
        guard: "reply.attribute",
        tried: "a tag with an attribute",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            vec![Reply::whole(format!("<ram_add force=\"yes\"/>{MARK}"))]
        })),
    },
    Trial {
        guard: "reply.declaration",
        tried: "an entity that names a file of this machine",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let text = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>";
            vec![Reply::whole(format!("{text}{MARK}"))]
        })),
    },
    Trial {
        guard: "reply.processing",
        tried: "a processing instruction",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            vec![Reply::whole(format!("<?php system('id'); ?>{MARK}"))]
        })),
    },
    Trial {
        guard: "reply.unopened",
        tried: "a value that closes itself and goes on",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let text = "<ram_add><key>a</key><value>x</value> y</value></ram_add>";
            vec![Reply::whole(format!("{text}{MARK}"))]
        })),
    },
    Trial {
        guard: "reply.overlap",
        tried: "an instruction that another one closes",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let text = "<ram_add><key>proof</key><value>x</value></ram_delete>";
            vec![Reply::whole(format!("{text}{MARK}"))]
        })),
    },
    Trial {
        guard: "reply.depth",
        tried: "tags nested deeper than any need",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            let (open, close) = ("<value>".repeat(9), "</value>".repeat(9));
            let text = format!("<ram_add><key>proof</key>{open}x{close}</ram_add>");
            vec![Reply::whole(text)]
        })),
    },
    Trial {
        guard: "reply.cut",
        tried: "an instruction that the server cut off",
        attempt: Attempt::Said(Said::new(
            &[Code::LlmReplyTruncated, Code::XmlParseError],
            |_| {
                let half = "<ram_add><key>proof</key><value>half of it";
                vec![Reply::cut(format!("{REST}{half}"))]
            },
        )),
    },
    Trial {
        guard: "reply.foreign_tag",
        tried: "<shell> with a command",
        attempt: Attempt::Said(Said::new(
            &[Code::InstructionInvalid, Code::XmlParseError],
            |_| {
                let text = "<shell><command>rm -rf /</command></shell>";
                vec![Reply::whole(format!("{REST}{text}"))]
            },
        )),
    },
    Trial {
        guard: "reply.tag_not_allowed",
        tried: "record_delete where `allowed_tags` leaves it out",
        attempt: Attempt::Said(
            Said::new(&[Code::InstructionInvalid, Code::XmlParseError], |_| {
                let text = "<record_delete><key>Proof of a tag</key></record_delete>";
                vec![Reply::whole(format!("{REST}{text}"))]
            })
            .tuned(|tuned| {
                let left = Tag::ALL.into_iter().filter(|tag| *tag != Tag::RecordDelete);
                tuned.prompt.allowed_tags = left.collect();
            })
            .after(|cx| super::notes::write(cx, &["Proof of a tag"])),
        ),
    },
    Trial {
        guard: "reply.incomplete",
        tried: "an instruction without a child that it needs",
        attempt: Attempt::Said(Said::new(
            &[Code::InstructionInvalid, Code::XmlParseError],
            |_| {
                let text = "<ram_add><key>proof</key></ram_add>";
                vec![Reply::whole(format!("{REST}{text}"))]
            },
        )),
    },
    Trial {
        guard: "reply.prose",
        tried: "a reply that only says that it is done",
        attempt: Attempt::Said(Said::new(&[Code::XmlParseError], |_| {
            vec![Reply::whole("Everything was deleted, as you asked.")]
        })),
    },
];
