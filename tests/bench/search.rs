//! Goals 10 and 12: searches over a hundred thousand notes, beside `SQLite`'s FTS5 and the bare search
//! library over the same texts, and the memory that the program takes with them.

use crate::measure::{Outcome, Pairs, float, float_len, median, now_ns};
use crate::peer::Peer;
use crate::product::{self, Program, Work};
use crate::random::Random;
use crate::report::{Goal, Question, Row};
use kjxlkj_agent::core::guard::{EditedItems, Guard, NewNote, Scope};
use kjxlkj_agent::core::journal::{Actor, ActorType, Cause, CommitDraft, Event};
use kjxlkj_agent::core::notes::{Note, Query, named_in, search_indexed, similar_to};
use kjxlkj_agent::daemon::store_options;
use kjxlkj_agent::ids::{NoteId, RunId};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::{Store, index_covers};
use kjxlkj_agent::time::Timestamp;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{FAST, Schema, TEXT};
use tantivy::{Index, IndexReader, TantivyDocument};
use uuid::Uuid;

const ONE_SQLITE: Question = Question {
    number: 10,
    what: "search for one word over 100,000 notes, best 10, p50",
    against: "SQLite FTS5, the same notes and word",
    unit: "\u{b5}s",
    goal: Goal::AtMost(0.1),
};

const ONE_BARE: Question = Question {
    against: "bare tantivy, the same notes and word",
    goal: Goal::AtMost(1.5),
    ..ONE_SQLITE
};

const TWO_SQLITE: Question = Question {
    what: "search for two words over 100,000 notes, best 10, p50",
    against: "SQLite FTS5, the same notes and words",
    ..ONE_SQLITE
};

const TWO_BARE: Question = Question {
    what: TWO_SQLITE.what,
    against: "bare tantivy, the same notes and words",
    ..ONE_BARE
};

const MEMORY: Question = Question {
    number: 12,
    what: "resident memory with 100,000 notes, at rest after a start",
    against: "nothing: the number itself",
    unit: "MB",
    goal: Goal::AtMost(100.0),
};

/// Different words in the notes, the most frequent first.
const WORDS: u32 = 30_000;

/// How long the index may take: in a release build it takes some seconds.
const INDEX_WAIT: Duration = Duration::from_mins(5);

/// Words of a note's text: about 500 bytes.
const WORDS_PER_NOTE: u32 = 70;

/// How alike notes are that a new one is compared with: what the configuration has by itself.
const THRESHOLD: f64 = 0.8;

/// Measures both goals.
pub(crate) fn measure(quick: bool) -> Outcome<Vec<Row>> {
    let notes = if quick { 5000 } else { 100_000 };
    let mut peer = Peer::start()?;
    let folder = product::folder()?;
    let root = folder.path().join("root");
    product::prepare(&root, &peer.base_url(), Work::Nothing)?;
    let store = fill(&root, notes)?;
    let mut rows = compare(&store, folder.path(), if quick { 20 } else { 400 })?;
    drop(store);
    rows.push(memory(&mut peer, &root)?);
    Ok(rows)
}

// === the notes ===

/// The rank of a word: each is as frequent as its rank's inverse, as in any language.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank lies between 1 and WORDS"
)]
fn rank(random: &mut Random) -> u32 {
    let part = float(random.next() >> 12) / float(1 << 52);
    f64::from(WORDS).powf(part) as u32
}

/// The word of a rank: three syllables, so that none is the beginning of another.
fn word(rank: u32) -> String {
    const FIRST: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
    const SECOND: &[u8; 5] = b"aeiou";
    let mut number = rank.wrapping_mul(7919) % 1_000_000;
    let mut word = String::new();
    for _ in 0..3 {
        let at = |letters: &[u8], index: u32| {
            let index = usize::try_from(index).unwrap_or_default();
            char::from(letters[index % letters.len()])
        };
        word.push(at(FIRST, number % 100 / 5));
        word.push(at(SECOND, number % 5));
        number /= 100;
    }
    word
}

fn words(random: &mut Random, count: u32) -> String {
    let words: Vec<String> = (0..count).map(|_| word(rank(random))).collect();
    words.join(" ")
}

/// A root with so many notes, stopped in good order, and its store with an index.
fn fill(root: &Path, notes: u32) -> Outcome<Store> {
    let (config, _) = product::load(root)?;
    let scope = Scope {
        max_notes_per_loop: u32::MAX,
        ..config.scope.clone()
    };
    let now = Timestamp::from_millis(1_700_000_000_000);
    let open = || {
        Store::open(
            Box::new(RealDisk::open(root, true)?),
            store_options(&config),
            now,
        )
        .map_err(Box::<dyn std::error::Error>::from)
    };
    let (mut store, _) = open()?;
    let mut random = Random(1);
    let mut events = Vec::new();
    for number in 0..notes {
        let edited = EditedItems::default();
        let mut guard = Guard::for_run(&scope, RunId(Uuid::nil()), &edited);
        let ts = now.plus_millis(i64::from(number) * 1000);
        let id = 0x0198_0000_0000_7000_8000_0000_0000_0000 + u128::from(number);
        let new = NewNote {
            workspace_id: None,
            kind: None,
            title: Some(words(&mut random, 3)),
            keywords: vec![words(&mut random, 1), words(&mut random, 1)],
            value: words(&mut random, WORDS_PER_NOTE),
            links: Vec::new(),
        };
        let change = guard.note_create(new, NoteId(Uuid::from_u128(id)), ts);
        let change = change.map_err(|refusal| format!("a note was refused: {refusal:?}"))?;
        events.push(Event::Change(change));
        if events.len() == 250 || number + 1 == notes {
            store.commit(CommitDraft {
                ts,
                actor: Actor {
                    actor_type: ActorType::User,
                },
                cause: Cause::plain("bench"),
                events: std::mem::take(&mut events),
            })?;
        }
    }
    store.checkpoint(true, now)?;
    drop(store);
    let (mut store, _) = open()?;
    store.read_notes(now)?;
    store.keep_index(RealDisk::open(root, false)?);
    let tea = Query::parse("tea");
    let end = Instant::now() + INDEX_WAIT;
    while store.search_index().candidates(&tea).is_none() {
        if Instant::now() > end {
            return Err("the index never came".into());
        }
        for line in store.tend_index(now)? {
            crate::say(&line.message)?;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(store)
}

// === searches ===

/// How the same question is put to one side: gives the ids of the best, as far as that side knows.
type Ask<'a> = &'a dyn Fn(&str) -> Outcome<usize>;

fn compare(store: &Store, folder: &Path, rounds: usize) -> Outcome<Vec<Row>> {
    let sqlite = sqlite(store, &folder.join("fts5.db"))?;
    let mut statement = sqlite.prepare(
        "SELECT id FROM notes WHERE notes MATCH ? ORDER BY bm25(notes, 0.0, 3.0, 2.0, 1.0) LIMIT 10",
    )?;
    let statement = std::cell::RefCell::new(&mut statement);
    let (index, reader) = bare(store)?;
    let searcher = reader.searcher();
    let fields: Vec<_> = ["title", "keywords", "text"]
        .iter()
        .map(|name| index.schema().get_field(name))
        .collect::<Result<_, _>>()?;
    let mut parser = QueryParser::for_index(&index, fields.clone());
    parser.set_conjunction_by_default();
    for (field, boost) in fields.iter().zip([3.0, 2.0, 1.0]) {
        parser.set_field_boost(*field, boost);
    }
    let ours: Ask<'_> = &|words| Ok(find(store, words).len());
    let fts5: Ask<'_> = &|words| {
        let mut statement = statement.borrow_mut();
        let mut rows = statement.query([words])?;
        let mut ids = Vec::new();
        while let Some(row) = rows.next()? {
            ids.push(row.get::<_, String>(0)?);
        }
        Ok(ids.len())
    };
    let bare: Ask<'_> = &|words| {
        let query = parser.parse_query(words)?;
        let best = searcher.search(&query, &TopDocs::with_limit(10).order_by_score())?;
        let mut ids = BTreeSet::new();
        for (_, address) in best {
            let columns = searcher.segment_reader(address.segment_ord).fast_fields();
            ids.insert(columns.u64("number")?.first(address.doc_id));
        }
        Ok(ids.len())
    };
    let mut random = Random(2);
    let one: Vec<String> = (0..rounds).map(|_| word(one_rank(&mut random))).collect();
    let pair =
        |random: &mut Random| format!("{} {}", word(two_rank(random)), word(two_rank(random)));
    let two: Vec<String> = (0..rounds).map(|_| pair(&mut random)).collect();
    Ok(vec![
        alike(store, &one, row(ONE_SQLITE, &one, store, ours, fts5)?),
        row(ONE_BARE, &one, store, ours, bare)?,
        row(TWO_SQLITE, &two, store, ours, fts5)?,
        row(TWO_BARE, &two, store, ours, bare)?,
    ])
}

/// Beside that: what a new note and a prompt ask of all notes without the index.
fn alike(store: &Store, words: &[String], row: Row) -> Row {
    const SHOWN: usize = 3;
    let mut notes = store.state().notes.clone();
    let timed = |work: &mut dyn FnMut()| {
        let since = now_ns();
        work();
        float(now_ns() - since) / 1e3
    };
    let prepared = timed(&mut || notes.prepare(THRESHOLD));
    let all: Vec<&Note> = notes.iter().collect();
    let each = |work: &dyn Fn(usize, &str)| {
        let rounds = words.iter().take(100).enumerate();
        let took = rounds.map(|(round, word)| timed(&mut || work(round * all.len() / 100, word)));
        median(&took.collect::<Vec<_>>())
    };
    let similar = each(&|at, _| {
        std::hint::black_box(similar_to(all[at], &notes, THRESHOLD, SHOWN, |_| true));
    });
    let named = each(&|_, word| {
        let request = format!("Put {word} on the shopping list.");
        std::hint::black_box(named_in(&request, notes.iter(), SHOWN));
    });
    row.with("made_ready_to_compare_ms", prepared / 1e3)
        .with("alike_one_new_note_us", similar)
        .with("named_in_a_request_us", named)
}

/// A word that some hundred notes hold.
fn one_rank(random: &mut Random) -> u32 {
    1000 + u32::try_from(random.next() % 1000).unwrap_or_default()
}

/// A word that some thousand notes hold: two of them meet in some dozen.
fn two_rank(random: &mut Random) -> u32 {
    150 + u32::try_from(random.next() % 250).unwrap_or_default()
}

fn find<'a>(store: &'a Store, words: &str) -> Vec<&'a Note> {
    let query = Query::parse(words);
    let Some(candidates) = store.search_index().candidates(&query) else {
        return Vec::new();
    };
    let stored = |id| store.state().notes.get(id);
    search_indexed(candidates, &query, 10, stored, std::iter::empty())
}

/// Both sides in turn on each question, several times each, and each once before that.
fn row(
    question: Question,
    questions: &[String],
    store: &Store,
    ours: Ask<'_>,
    theirs: Ask<'_>,
) -> Outcome<Row> {
    const TIMES: u32 = 10;
    let mut pairs = Pairs::default();
    let mut hits = Vec::new();
    for words in questions {
        let took = |ask: Ask<'_>| {
            ask(words)?;
            let since = now_ns();
            for _ in 0..TIMES {
                std::hint::black_box(ask(words)?);
            }
            Ok::<f64, Box<dyn std::error::Error>>(float(now_ns() - since) / 1e3 / f64::from(TIMES))
        };
        if ours(words)? != theirs(words)? {
            return Err(format!("the sides find different numbers of notes for `{words}`").into());
        }
        let candidates = store.search_index().candidates(&Query::parse(words));
        let count = candidates.map_or(0, |candidates| candidates.ranked.count());
        hits.push(float_len(count));
        pairs.push(took(ours)?, took(theirs)?);
    }
    Ok(Row::of(question, &pairs).with("notes_that_hold_it_p50", median(&hits)))
}

/// The same notes in `SQLite`.
fn sqlite(store: &Store, path: &Path) -> Outcome<rusqlite::Connection> {
    let mut connection = rusqlite::Connection::open(path)?;
    connection.execute_batch(
        "CREATE VIRTUAL TABLE notes USING fts5(id UNINDEXED, title, keywords, text)",
    )?;
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO notes VALUES (?, ?, ?, ?)")?;
        for note in store.state().notes.iter() {
            let keywords = note.keywords.join("\n");
            insert.execute([&note.id.to_string(), &note.title, &keywords, &note.value])?;
        }
    }
    transaction.execute("INSERT INTO notes(notes) VALUES ('optimize')", [])?;
    transaction.commit()?;
    Ok(connection)
}

/// The same notes in the bare search library, in memory and in one piece.
fn bare(store: &Store) -> Outcome<(Index, IndexReader)> {
    let mut schema = Schema::builder();
    let title = schema.add_text_field("title", TEXT);
    let keywords = schema.add_text_field("keywords", TEXT);
    let text = schema.add_text_field("text", TEXT);
    let number = schema.add_u64_field("number", FAST);
    let index = Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, 1_000_000_000)?;
    for note in store.state().notes.iter() {
        let mut document = TantivyDocument::new();
        document.add_text(title, &note.title);
        document.add_text(keywords, note.keywords.join("\n"));
        document.add_text(text, &note.value);
        document.add_u64(number, note.id.0.as_u64_pair().1);
        writer.add_document(document)?;
    }
    writer.commit()?;
    let reader = index.reader()?;
    Ok((index, reader))
}

// === memory ===

/// The real program on these notes: with an index that it finds, and with one that it has to build.
fn memory(peer: &mut Peer, root: &Path) -> Outcome<Row> {
    let found = rest(peer, root)?;
    fs::remove_dir_all(root.join("data/index"))?;
    let built = rest(peer, root)?;
    let without = {
        // A file in its place keeps it away.
        fs::remove_dir_all(root.join("data/index"))?;
        fs::write(root.join("data/index"), "")?;
        rest(peer, root)?
    };
    fs::remove_file(root.join("data/index"))?;
    let megabytes = |kib: u64| (float(kib) * 1.024 / 1000.0 * 10.0).round() / 10.0;
    Ok(Row::of_number(MEMORY, megabytes(found), 1)
        .with("after_building_the_index_MB", megabytes(built))
        .with("without_an_index_MB", megabytes(without)))
}

/// What it takes once it has come to rest.
fn rest(peer: &mut Peer, root: &Path) -> Outcome<u64> {
    peer.answer_from_now()?;
    let mut program = Program::start(root)?;
    program.wait(peer, 1)?;
    let mut last = 0;
    let mut same = 0;
    // Reading and indexing takes some seconds; then nothing happens any more.
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(100));
        let kib = program.rss_kib()?;
        let is_done = root.join("data/index").is_file()
            || index_covers(RealDisk::open(root, false)?).is_some();
        same = if kib == last && is_done { same + 1 } else { 0 };
        last = kib;
        if same == 20 {
            return Ok(kib);
        }
    }
    Err("the program never came to rest".into())
}
