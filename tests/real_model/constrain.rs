//! What keeping a model's answers to form is worth: the same first questions, answered freely, under a
//! grammar, and under a schema. An answer is valid if there is something to execute in it, and right if
//! it writes down the step that was asked for in the words of the request: form alone is worth nothing.

use crate::root::{Root, instructions, reads};
use crate::server::Server;
use crate::task::Task;
use kjxlkj_agent::core::protocol::Instruction;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// The window that questions are made for, in tokens.
const WINDOW: u32 = 4096;

/// The forms, as the configuration names them.
const FORMS: [&str; 3] = ["off", "gbnf", "json_schema"];

/// Requests, each with words of it that a step has to keep. Some hold what markup is made of.
const REQUESTS: [(&str, &[&str]); 8] = [
    (
        "Save a note that the dentist appointment is on Tuesday at 9.",
        &["dentist", "tuesday", "9"],
    ),
    (
        "Note down: Anna has the spare key. The boiler is serviced in March.",
        &["anna", "boiler", "march"],
    ),
    (
        "Find my note about the bicycle and add that the pump is in the cellar.",
        &["bicycle", "pump", "cellar"],
    ),
    (
        "Save a note titled Door code with the text 2580.",
        &["door code", "2580"],
    ),
    (
        "Save this as a note titled Shell trick: if a < b && c > d then wait",
        &["a < b && c > d"],
    ),
    (
        "Save the address of the wiki: http://wiki.local/start?page=1&lang=de",
        &["page=1&lang=de"],
    ),
    (
        "Notiere: Der Schl\u{fc}ssel f\u{fc}r den Keller liegt im blauen Topf.",
        &["schl\u{fc}ssel", "blauen topf"],
    ),
    ("Remember that my favourite tea is sencha.", &["sencha"]),
];

/// What a model came to under one form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    model: String,
    form: String,
    asked: u64,
    strict: u64,
    repaired: u64,
    right: u64,
    tokens: u64,
    seconds: u64,
}

/// Measures every model under every form, and gives the table. With `results`, what stands there is
/// not measured again, and what is new is added.
pub(crate) fn table(models: &[String], results: Option<&Path>) -> String {
    let kept = results.and_then(|path| std::fs::read_to_string(path).ok());
    let kept = kept.unwrap_or_default();
    let lines = kept.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut known: Vec<Measured> = lines.collect();
    for model in models {
        let is_known = |form: &&str| {
            let mut known = known.iter();
            known.any(|it: &Measured| it.model == *model && it.form == **form)
        };
        let open: Vec<&str> = FORMS.into_iter().filter(|form| !is_known(form)).collect();
        if open.is_empty() {
            continue;
        }
        let server = match Server::start(model, WINDOW) {
            Ok(server) => server,
            Err(reason) => {
                println!("skipped {model}: {reason}");
                continue;
            }
        };
        for form in open {
            let measured = measure(model, form, &server.base_url);
            println!("{measured:?}");
            if let Some(path) = results {
                let line = serde_json::to_string(&measured).unwrap();
                let file = std::fs::OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(path);
                writeln!(file.unwrap(), "{line}").unwrap();
            }
            known.push(measured);
        }
    }
    let place = |model: &str| known.iter().position(|it| it.model == model);
    let mut rows = known.clone();
    rows.sort_by_key(|it| {
        let form = FORMS.iter().position(|form| *form == it.form);
        (place(&it.model), form)
    });
    markdown(&rows)
}

fn measure(model: &str, form: &str, base_url: &str) -> Measured {
    let mut measured = Measured {
        model: model.to_owned(),
        form: form.to_owned(),
        asked: 0,
        strict: 0,
        repaired: 0,
        right: 0,
        tokens: 0,
        seconds: 0,
    };
    for (request, words) in REQUESTS {
        let task = Task::bare(request);
        let root = Root::prepare(&task, model, base_url);
        root.configure("provider", "constrain", form.into());
        root.configure("loop", "parse_retries", 0.into());
        let begun = Instant::now();
        let replies = root.step(request);
        measured.seconds += begun.elapsed().as_secs();
        assert_eq!(root.was_kept_to(form), form != "off", "{model} {form}");
        measured.asked += 1;
        // A call that brought no text at all leaves nothing to read.
        let Some(reply) = replies.first() else {
            continue;
        };
        measured.strict += u64::from(reads(reply, true));
        measured.repaired += u64::from(reads(reply, false));
        let is_right = instructions(reply, false).iter().any(|it| keeps(it, words));
        measured.right += u64::from(is_right);
        measured.tokens += reply["usage"]["output_tokens"].as_u64().unwrap();
        println!("{model} {form} right={is_right}: {}", reply["text"]);
    }
    measured
}

/// Whether an instruction writes the step down, or does it at once, in these words.
fn keeps(instruction: &Instruction, words: &[&str]) -> bool {
    let text = if let Instruction::RamAdd { key, value } = instruction
        && key.contains("steps")
    {
        value.clone()
    } else if let Instruction::RecordAdd { title, value, .. } = instruction {
        format!("{} {value}", title.clone().unwrap_or_default())
    } else if let Instruction::RecordUpdate { key, value, .. } = instruction {
        format!("{key} {value}")
    } else {
        return false;
    };
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn markdown(known: &[Measured]) -> String {
    let mut table = String::from(
        "| model | kept to | first answers | strict | after repair | right first action | tokens/answer |\n\
         |---|---|--:|--:|--:|--:|--:|\n",
    );
    for it in known {
        let asked = it.asked.max(1);
        let percent = |part: u64| part * 100 / asked;
        let (model, form, tokens) = (&it.model, &it.form, it.tokens / asked);
        writeln!(
            table,
            "| {model} | {form} | {} | {} % | {} % | {} % | {tokens} |",
            it.asked,
            percent(it.strict),
            percent(it.repaired),
            percent(it.right),
        )
        .unwrap();
    }
    table
}
