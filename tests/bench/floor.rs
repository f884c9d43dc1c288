//! The reference floor loop: the least that any program must do to ask a model over HTTP and to keep
//! the answer durably. It uses no product code: an 8 KB prompt goes to the peer by a current-thread
//! client, the reply is read as JSON and XML into a map, a record is linked by SHA-256, appended and
//! synced.

use crate::measure::{Outcome, rss_kib};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use reqwest::Client;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What one turn of the floor has to carry, so that it carries what the other side does.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// The messages as role and text. A counter is added to the last one.
    pub(crate) messages: Vec<(&'static str, String)>,
    /// Bytes of a record.
    pub(crate) record_bytes: usize,
    /// Bytes hashed in a turn, the record among them.
    pub(crate) hashed_bytes: usize,
}

impl Load {
    /// A load for a process that stands alone: 8 KB and a record of usual size.
    fn usual() -> Self {
        let words = "You keep notes for a person. Answer with instructions only. ";
        let standing = words.repeat(8 * 1024 / words.len());
        let messages = vec![
            ("system", standing),
            ("user", "What is the next step?".to_owned()),
        ];
        Self {
            messages,
            record_bytes: 1024,
            hashed_bytes: 2048,
        }
    }
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    messages: Vec<Said<'a>>,
    max_tokens: u32,
    temperature: f64,
    stream: bool,
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'a str,
    content: &'a str,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    choices: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    message: Content<'a>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
}

/// The loop between two turns.
#[derive(Debug)]
pub(crate) struct Floor {
    client: Client,
    url: String,
    load: Load,
    journal: File,
    kept: BTreeMap<String, String>,
    link: [u8; 32],
    turns: u64,
}

impl Floor {
    /// Opens the journal and prepares the client; connects to nothing.
    pub(crate) fn open(base_url: &str, journal: &Path, load: Load) -> Outcome<Self> {
        Ok(Self {
            client: client()?,
            url: format!("{base_url}/chat/completions"),
            load,
            journal: OpenOptions::new().create(true).append(true).open(journal)?,
            kept: BTreeMap::new(),
            link: [0; 32],
            turns: 0,
        })
    }

    /// One whole turn.
    pub(crate) async fn turn(&mut self) -> Outcome<()> {
        self.turns += 1;
        let question = self.question()?;
        let answer = ask(&self.client, &self.url, question).await?;
        let answer: Answer<'_> = serde_json::from_slice(&answer)?;
        let choice = answer.choices.first().ok_or("an answer without a choice")?;
        for (key, value) in pairs_in(&choice.message.content)? {
            self.kept.insert(key, value);
        }
        self.record()
    }

    /// The body of the next question.
    pub(crate) fn question(&self) -> Outcome<Vec<u8>> {
        let mut messages = Vec::with_capacity(self.load.messages.len() + 1);
        for (role, content) in &self.load.messages {
            messages.push(Said { role, content });
        }
        let counter = format!("Turn {}.", self.turns);
        messages.push(Said {
            role: "user",
            content: &counter,
        });
        let (model, max_tokens, temperature, stream) = (crate::peer::MODEL, 4096, 0.1, false);
        let question = Question {
            model,
            messages,
            max_tokens,
            temperature,
            stream,
        };
        Ok(serde_json::to_vec(&question)?)
    }

    /// A bare round trip and a bare append: what goal 1 sets the loop against.
    pub(crate) async fn bare_turn(&mut self, question: &[u8], record: &[u8]) -> Outcome<()> {
        ask(&self.client, &self.url, question.to_vec()).await?;
        self.append(record)
    }

    fn record(&mut self) -> Outcome<()> {
        let mut line = format!("{{\"seq\":{},\"link\":\"", self.turns);
        for byte in self.link {
            for digit in [byte >> 4, byte & 15] {
                line.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
            }
        }
        line.push_str("\",\"data\":");
        let mut line = line.into_bytes();
        serde_json::to_writer(&mut line, &self.kept)?;
        let filled = self.load.record_bytes.saturating_sub("}\n".len());
        line.resize(filled.max(line.len()), b' ');
        line.extend_from_slice(b"}\n");
        let mut hasher = Sha256::new();
        hasher.update(&line);
        let mut rest = self.load.hashed_bytes.saturating_sub(line.len());
        let standing = self
            .load
            .messages
            .first()
            .map_or("", |(_, text)| text.as_str());
        while rest > 0 && !standing.is_empty() {
            let part = rest.min(standing.len());
            hasher.update(&standing.as_bytes()[..part]);
            rest -= part;
        }
        self.link = hasher.finalize().into();
        self.append(&line)
    }

    fn append(&mut self, line: &[u8]) -> Outcome<()> {
        self.journal.write_all(line)?;
        Ok(self.journal.sync_data()?)
    }
}

fn client() -> Outcome<Client> {
    let client = Client::builder().no_proxy().http1_only().tls_certs_only([]);
    Ok(client.build()?)
}

async fn ask(client: &Client, url: &str, question: Vec<u8>) -> Outcome<Vec<u8>> {
    let request = client.post(url).header("content-type", "application/json");
    let response = request.body(question).send().await?;
    Ok(response.error_for_status()?.bytes().await?.to_vec())
}

/// Keys and values of an instruction document, by the bare library.
fn pairs_in(text: &str) -> Outcome<Vec<(String, String)>> {
    let mut reader = Reader::from_str(text);
    let mut pairs = Vec::new();
    let mut open = Vec::new();
    let (mut key, mut value) = (String::new(), String::new());
    loop {
        let piece = match reader.read_event()? {
            Event::Start(tag) => {
                open.push(tag.name().as_ref().to_owned());
                continue;
            }
            Event::End(_) => {
                open.pop();
                if open.is_empty() {
                    pairs.push((std::mem::take(&mut key), std::mem::take(&mut value)));
                }
                continue;
            }
            Event::Text(piece) => piece.xml10_content(),
            Event::GeneralRef(name) => {
                let text = resolve_predefined_entity(&name.xml10_content());
                Cow::Borrowed(text.ok_or("an entity that XML does not know")?)
            }
            Event::Eof => return Ok(pairs),
            Event::Empty(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => return Err("no part of an instruction".into()),
        };
        match open.last() {
            Some(name) if name.eq("key") => key.push_str(&piece),
            Some(name) if name.eq("value") => value.push_str(&piece),
            Some(_) | None => {}
        }
    }
}

/// A current-thread runtime.
pub(crate) fn runtime() -> Outcome<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?)
}

// === the floor as a process of its own ===

/// A start: the keys on disk are read and stand in the first question. Then it waits to be killed.
pub(crate) fn start(arguments: &[String]) -> Outcome<()> {
    let [base_url, keys] = arguments else {
        return Err("needed: an address and a file of keys".into());
    };
    let kept: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&std::fs::read(keys)?)?;
    let mut load = Load::usual();
    let mut shown = String::new();
    for (key, value) in &kept {
        shown.push_str(key);
        shown.push_str(": ");
        match value.as_str() {
            Some(text) => shown.push_str(text),
            None => shown.push_str(&value.to_string()),
        }
        shown.push('\n');
    }
    load.messages.push(("user", shown));
    let journal = Path::new(keys).with_extension("floor");
    runtime()?.block_on(async {
        let mut floor = Floor::open(base_url, &journal, load)?;
        floor.turn().await
    })
}

/// So many turns; prints resident memory after the first and after the last.
pub(crate) fn run(arguments: &[String]) -> Outcome<()> {
    let [base_url, folder, turns] = arguments else {
        return Err("needed: an address, a folder and a number of turns".into());
    };
    let turns: u64 = turns.parse()?;
    let journal = PathBuf::from(folder).join("floor.jsonl");
    runtime()?.block_on(async {
        let mut floor = Floor::open(base_url, &journal, Load::usual())?;
        for turn in 1..=turns {
            floor.turn().await?;
            if turn == 1 || turn == turns {
                let mut stdout = std::io::stdout().lock();
                writeln!(stdout, "{}", rss_kib("self")?)?;
            }
        }
        Ok(())
    })
}
