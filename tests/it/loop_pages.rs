//! A model that does nothing but follow the marks in its prompts: what is too long for a window is read to
//! its end, byte for byte, whatever it is.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::tools::set;
use crate::agent::{ram_add, record_add, record_update, search};
use crate::lab::{Lab, messages};
use crate::peer::{Peer, Step};
use kjxlkj_agent::core::protocol::{Tag, escape};
use std::sync::{Arc, Mutex};

/// What a reader of marks has so far.
#[derive(Default)]
struct Reading {
    asked: String,
    text: String,
    is_whole: bool,
    pages: usize,
}

impl Reading {
    /// Takes the part in that a prompt shows, and asks on as its mark says.
    fn read(&mut self, prompt: &str, name: &str) {
        let Some(shown) = part_in(prompt, name, self.text.chars().count()) else {
            return;
        };
        self.pages += 1;
        let Some(marked) = shown.strip_suffix(" goes on)") else {
            self.text += &shown;
            self.is_whole = true;
            return;
        };
        let (kept, mark) = marked.rsplit_once("... (").unwrap();
        let (left_out, asked) = mark.split_once(" more characters; record_search ").unwrap();
        self.text += kept;
        let next = self.text.chars().count();
        assert!(asked.ends_with(&format!(" {next}")), "{mark}");
        assert!(left_out.parse::<usize>().unwrap() > 0);
        asked.clone_into(&mut self.asked);
    }
}

/// What a prompt shows of that key, path or title from a character on.
fn part_in(prompt: &str, name: &str, from: usize) -> Option<String> {
    let target = format!("<target>{}</target><message>", escape(name));
    let title = format!("<title>{}</title><text>", escape(name));
    let before = format!("({from} characters before) ...");
    let (searched, got) = ["record_search", "get"]
        .map(|op| format!("<op>{op}</op>{target}"))
        .into();
    let of_key = prompt.split(&searched).skip(1);
    let of_key = of_key.filter_map(|part| {
        let (_, shown) = part.split_once(" characters: ")?;
        Some(shown.split_once("</message>")?.0)
    });
    let of_tool = prompt.split(&got).skip(1);
    let of_tool = of_tool.filter_map(|part| Some(part.split_once("</message>")?.0));
    let of_note = prompt.split(&title).skip(1);
    let of_note = of_note.filter_map(|part| Some(part.split_once("</text>")?.0));
    let mut shown = of_key.chain(of_tool).chain(of_note);
    let plain = |shown: &str| {
        let text = shown.replace("&lt;", "<").replace("&gt;", ">");
        text.replace("&amp;", "&")
    };
    shown.find_map(|shown| match from {
        0 => (!shown.starts_with('(')).then(|| plain(shown)),
        _ => shown.strip_prefix(&before).map(plain),
    })
}

/// Lets a model store a text, ask for it, follow the marks to its end, and then do one more thing.
async fn followed(
    window: u32,
    request: &str,
    name: &str,
    [store, ask, then]: [&str; 3],
) -> (Lab, Reading) {
    let reading = Arc::new(Mutex::new(Reading::default()));
    let (seen, name) = (Arc::clone(&reading), name.to_owned());
    let [store, ask, then] = [store, ask, then].map(str::to_owned);
    let peer = Peer::answering(move |request, index| {
        let mut reading = seen.lock().unwrap();
        let prompt = messages(&request.json()).concat();
        // Something is always done, so that the run goes on.
        let done = ram_add("turn", &index.to_string());
        let reply = match index {
            0 => store.clone(),
            1 => ask.clone(),
            _ if reading.is_whole => then.clone(),
            _ => {
                reading.read(&prompt, &name);
                if reading.is_whole {
                    then.clone()
                } else if reading.asked.is_empty() {
                    ask.clone()
                } else {
                    search(&escape(&reading.asked))
                }
            }
        };
        Step::reply(&(reply + &done))
    });
    let mut lab = Lab::with_peer(peer);
    lab.config.provider.context_tokens = Some(window);
    lab.prompt.allowed_tags = Tag::ALL.into_iter().collect();
    lab.run(request).await;
    let reading = std::mem::take(&mut *reading.lock().unwrap());
    (lab, reading)
}

fn long(words: &str, chars: usize) -> String {
    let numbered = (0..).map(|number| format!("{words} {number}; "));
    let text: String = numbered.take(chars).collect();
    let text: String = text.chars().take(chars).collect();
    text.trim_end().to_owned()
}

fn get(path: &str) -> String {
    format!("<actions><action><kind>get</kind><target_path>{path}</target_path></action></actions>")
}

/// Keys of RAM, values deep in `/storage`, notes by title and by id: in any script, at both windows.
#[tokio::test]
async fn a_model_that_follows_the_marks_reads_all_of_it() {
    let english = long("a <word> & \"more\" of it", 7500);
    let plain = long("a word of it", 7500);
    let lines = long("milk\nand ... (7 more characters)\n", 6000);
    let japanese = long("日本語の長い文章です。", 5000);
    let path = "/storage/tea/green";
    let path_ja = "/storage/お茶/緑茶";
    let in_ram = |key: &str, text: &str| ram_add(key, &escape(text));
    let stored = set;
    let noted = |title: &str, text: &str| record_add(title, &escape(text));
    let request = "context.user_request";
    let cases = [
        (request, &english, String::new(), search(request)),
        ("e", &plain, in_ram("e", &plain), search("e")),
        (
            "お茶の話",
            &japanese,
            in_ram("お茶の話", &japanese),
            search("お茶の話"),
        ),
        (path, &english, stored(path, &english), get(path)),
        (path, &lines, stored(path, &lines), search("milk")),
        (path_ja, &japanese, stored(path_ja, &japanese), get(path_ja)),
        ("Tea", &english, noted("Tea", &english), search("Tea")),
        (
            "Oven list",
            &lines,
            noted("Oven list", &lines),
            search("oven"),
        ),
        (
            "茶の手引き",
            &japanese,
            noted("茶の手引き", &japanese),
            search("茶の手引き"),
        ),
    ];
    for window in [4096, 8192] {
        for (name, text, store, ask) in &cases {
            let asked_for = if *name == request { text } else { "Read it." };
            let (_, reading) = followed(window, asked_for, name, [store, ask, ""]).await;
            assert!(reading.is_whole, "{name} at {window}: {}", reading.asked);
            assert!(reading.pages > 2, "{name} at {window}");
            assert!(
                reading.text == **text,
                "{name} at {window}: {}",
                reading.text
            );
        }
    }
}

/// A note that no prompt can hold is read to its end, and then written anew with all that it says.
#[tokio::test]
async fn a_long_note_that_was_read_in_pages_can_be_updated() {
    let text = long("a word of the note", 5000);
    let new = format!("{text} And an end.");
    let store = record_add("Long note", &text);
    let update = record_update("Long note", &new);
    let replies = [&*store, &search("Long note"), &update];
    let (lab, reading) = followed(4096, "Read it.", "Long note", replies).await;
    assert_eq!(reading.text, text);
    assert_eq!(lab.notes()[0]["value"], new);
}
