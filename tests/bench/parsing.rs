//! Goal 8: how fast model text becomes instructions, repairs and checks included, beside the bare XML
//! library reading the same documents.

use crate::measure::{Outcome, Pairs, float, float_len, median, now_ns};
use crate::product::{self, Work};
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::core::protocol::{ParseOptions, parse};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::fs;
use std::path::Path;

const PARSING: Question = Question {
    number: 8,
    what: "instructions read from clean documents, throughput",
    against: "bare quick-xml events of the same documents",
    unit: "MB/s",
    goal: Goal::AtLeast(0.4),
};

const LARGEST: Question = Question {
    number: 8,
    what: "one reply of 100 KB, the slowest of its kinds",
    against: "nothing: the number itself",
    unit: "ms",
    goal: Goal::AtMost(10.0),
};

/// What replies of 100 KB are full of.
const FILLINGS: &[&str] = &[
    "plain text ",
    "a & b ",
    "a < b ",
    "x <b>y</b> ",
    "<ram_add><key>k</key><value>v</value></ram_add>",
    "<ram_add><key>",
    "<value>",
    "</value>",
    "<unknown>x</unknown>",
    "<![CDATA[",
    "```\n",
];

/// Real outputs of models, if the tree has some.
const OUTPUTS: &str = "tests/corpus/model-outputs";

/// Replies as a model that keeps to the format writes them.
const DOCUMENTS: &[&str] = &[
    "<ram_add><key>plan,steps</key><value>Change the note Wifi password: guests may use the wifi.\n\
     Tell the neighbours.</value></ram_add>\n<record_search><query>wifi</query></record_search>",
    "<record_add><title>Wifi password</title><keywords>wifi, password, router, guests</keywords>\
     <value>The wifi password is tea&amp;coffee&lt;3. It is written on the back of the router in the \
     hall, which has to be switched off and on again about once a month.</value></record_add>\n\
     <ram_add><key>think_log</key><value>The password is written down.</value></ram_add>",
    "<record_update><key>Oven</key><value>See [[Kitchen]]. The oven is 60 cm wide and stands left of \
     the sink; its fuse is number four.</value><title>Oven</title><keywords>oven, kitchen</keywords>\
     <version>3</version></record_update>\n<ram_delete><key>draft</key></ram_delete>\n\
     <state_add><state>evaluating</state></state_add>",
    "<record_issue><key>Spare key</key><value>Which shed? The note names two of them.</value>\
     <metadata>{\"severity\": \"low\", \"seen\": 2}</metadata></record_issue>\n\
     <ram_add><key>think_log</key><value>Asked about the shed.</value></ram_add>",
    "<ram_add><key>context</key><value>{\"topic\": \"garden\", \"season\": \"spring\"}</value></ram_add>\n\
     <ram_add><key>think_log</key><value>Nothing is open; the garden comes next.</value></ram_add>\n\
     <state_add><state>executing</state></state_add>",
];

/// A long note, as one reply can hold it.
fn long_note() -> String {
    let text = "Water the tomatoes in the morning, never in the evening & never on the leaves. "
        .replace('&', "&amp;");
    format!(
        "<record_add><title>Garden</title><keywords>garden, tomatoes</keywords><value>{}</value>\
         </record_add>",
        text.repeat(40)
    )
}

/// Measures the goal.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let folder = product::folder()?;
    product::prepare(folder.path(), "http://127.0.0.1:9/v1", Work::Nothing)?;
    let allowed_tags = product::load(folder.path())?.1.allowed_tags;
    let options = ParseOptions {
        strict: false,
        allowed_tags,
        truncated: false,
    };

    let mut documents: Vec<String> = DOCUMENTS.iter().map(|it| (*it).to_owned()).collect();
    documents.push(long_note());
    for document in &documents {
        let parsed = parse(document, &options);
        if !parsed.ok || !parsed.diagnostics.is_empty() {
            return Err(format!("not clean: {:?}", parsed.diagnostics).into());
        }
    }
    let passes = if quick { 400 } else { 2000 };
    let ours = |documents: &[String]| {
        speed(documents, passes, |text| {
            std::hint::black_box(parse(text, &options))
                .instructions
                .len()
        })
    };
    let mut pairs = Pairs::default();
    for round in 0..=if quick { 7_u32 } else { 31 } {
        let mine = ours(&documents);
        let bare = speed(&documents, passes, events);
        if round > 0 {
            pairs.push(mine, bare);
        }
    }
    let bytes: usize = documents.iter().map(String::len).sum();
    let row = Row::of(PARSING, &pairs)
        .with("documents", documents.len())
        .with("bytes", bytes);

    let largest = Row::of_number(LARGEST, slowest_ms(options), FILLINGS.len());
    let outputs = texts_below(Path::new(OUTPUTS))?;
    if outputs.is_empty() {
        return Ok(vec![row, largest]);
    }
    let passes = 1 + 20_000_000 / outputs.iter().map(String::len).sum::<usize>().max(1);
    let rounds: Vec<f64> = (0..5)
        .map(|_| {
            speed(&outputs, passes, |text| {
                parse(text, &options).instructions.len()
            })
        })
        .collect();
    Ok(vec![
        row.with("model_outputs", outputs.len())
            .with("model_outputs_mb_s", median(&rounds)),
        largest,
    ])
}

/// The longest that a reply of 100 KB takes, of each kind the median of several rounds, inside a value
/// and by itself.
fn slowest_ms(options: ParseOptions) -> f64 {
    let texts = FILLINGS.iter().flat_map(|filling| {
        let text = filling.repeat(100_000 / filling.len() + 1);
        let value = format!("<ram_add><key>k</key><value>{text}</value></ram_add>");
        [text, value]
    });
    let times = texts.map(|text| {
        let rounds: Vec<f64> = (0..9)
            .map(|_| {
                let since = now_ns();
                std::hint::black_box(parse(std::hint::black_box(&text), &options));
                float(now_ns() - since) / 1e6
            })
            .collect();
        median(&rounds)
    });
    times.fold(0.0, f64::max)
}

/// Megabytes of documents a second.
fn speed(documents: &[String], passes: usize, read: impl Fn(&str) -> usize) -> f64 {
    let bytes: usize = documents.iter().map(String::len).sum();
    let since = now_ns();
    for _ in 0..passes {
        for document in documents {
            std::hint::black_box(read(std::hint::black_box(document)));
        }
    }
    let took_ns = usize::try_from(now_ns() - since).unwrap_or(usize::MAX);
    float_len(bytes * passes) / float_len(took_ns) * 1e3
}

fn events(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return count,
            Ok(event) => {
                std::hint::black_box(event);
                count += 1;
            }
        }
    }
}

fn texts_below(folder: &Path) -> Outcome<Vec<String>> {
    let mut open = vec![folder.to_path_buf()];
    let mut texts = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else if path.exists() {
            texts.push(fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}
