//! Notes as pure data: keywords, links, how they are found and in which order.

use crate::agent::{note, note_id};
use kjxlkj_agent::core::notes::{
    KeyMatch, Note, Query, answers_to, links_in, resolve, search, split_keywords, title_and_text,
};
use kjxlkj_agent::limits::NOTE_KEYWORDS_MAX;
use kjxlkj_agent::time::Timestamp;

fn found(notes: &[Note], query: &str) -> Vec<String> {
    let hits = search(notes.iter(), &Query::parse(query), 10);
    hits.into_iter().map(|note| note.title.clone()).collect()
}

fn keyworded(number: u128, title: &str, keywords: &str, value: &str) -> Note {
    let mut made = note(number, title, value);
    made.keywords = split_keywords(keywords);
    made
}

fn joined(count: u128, part: impl Fn(u128) -> String) -> String {
    let parts: Vec<String> = (0..count).map(part).collect();
    parts.concat()
}

#[test]
fn every_word_must_occur_and_the_title_counts_most() {
    let notes = [
        keyworded(1, "Green tea", "", "brew at 80 degrees"),
        keyworded(2, "Kitchen", "tea, shopping", "buy green cups"),
        keyworded(3, "Diary", "", "drank green tea with Ann"),
        keyworded(4, "Coffee", "", "black"),
    ];
    for (query, titles) in [
        ("tea", vec!["Green tea", "Kitchen", "Diary"]),
        ("GREEN Tea", vec!["Green tea", "Kitchen", "Diary"]),
        ("tea ann", vec!["Diary"]),
        ("\"green tea\"", vec!["Green tea", "Diary"]),
        ("\u{201c}green tea\u{201d} ann", vec!["Diary"]),
        ("tea, black", vec![]),
        ("bl", vec!["Coffee"]),
        ("\"bl\"", vec![]),
        ("\"green te\"", vec![]),
        ("lack", vec![]),
        ("...", vec![]),
        ("milk", vec![]),
        ("tea tea tea", vec!["Green tea", "Kitchen", "Diary"]),
    ] {
        assert_eq!(found(&notes, query), titles, "{query}");
    }
    assert_eq!(
        search(notes.iter(), &Query::parse(""), 2).len(),
        2,
        "the newest"
    );
}

/// A letter in parts, whole, wide or narrow is one letter.
#[test]
fn a_word_is_found_in_every_spelling_of_its_letters() {
    let spellings: [&[&str]; 6] = [
        &[
            "\u{c11c}\u{c6b8}",
            "\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}",
        ],
        &["\u{304c}\u{3063}", "\u{304b}\u{3099}\u{3063}"],
        &[
            "\u{30c7}\u{30fc}",
            "\u{30c6}\u{3099}\u{30fc}",
            "\u{ff83}\u{ff9e}\u{ff70}",
        ],
        &["\u{30ab}\u{30bf}", "\u{ff76}\u{ff80}"],
        &[
            "\u{dc}bung",
            "U\u{308}bung",
            "ubung",
            "\u{ff35}\u{ff22}\u{ff35}\u{ff2e}\u{ff27}",
        ],
        &["fish", "\u{fb01}sh"],
    ];
    for spellings in spellings {
        for written in spellings {
            let text = format!("it says {written} there");
            let notes = [note(1, "Page", &text), note(2, written, "x")];
            for sought in spellings {
                assert_eq!(
                    found(&notes, sought),
                    [*written, "Page"],
                    "{sought} {written}"
                );
                let places = Query::parse(sought).places(&text);
                assert_eq!(places.first(), Some(&(8, 0)), "{sought} {written}");
            }
        }
    }
    let notes = [keyworded(1, "U\u{308}bung", "\u{304b}\u{3099}", "x")];
    for key in ["\u{dc}bung", "U\u{308}bung", "\u{304c}"] {
        assert_eq!(
            resolve(notes.iter(), key),
            KeyMatch::One(notes[0].id),
            "{key}"
        );
    }
}

#[test]
fn words_without_blanks_are_found_as_well() {
    let notes = [
        keyworded(
            1,
            "\u{4f1a}\u{8b70}\u{30e1}\u{30e2}",
            "\u{8cb7}\u{3044}\u{7269}\u{3001}\u{304a}\u{8336}",
            "\u{6765}\u{9031}\u{306e}\u{4f1a}\u{8b70}",
        ),
        keyworded(2, "Caf\u{c9}", "", "\u{dc}ber"),
    ];
    assert_eq!(
        notes[0].keywords.len(),
        2,
        "an ideographic comma parts keywords"
    );
    for (query, hits) in [
        ("\u{4f1a}\u{8b70}", 1),
        ("\u{4f1a}\u{8b70}\u{3000}\u{304a}\u{8336}", 1),
        ("\u{4f1a}\u{8b70}\u{3001}\u{304a}\u{8336}", 1),
        ("\u{304a}\u{9152}", 0),
        ("caf\u{e9} \u{fc}BER", 1),
        ("cafe\u{301} uber", 1),
        ("\u{8b70}\u{4f1a}", 0),
        ("\"\u{8b70}\u{30e1}\"", 1),
    ] {
        assert_eq!(found(&notes, query).len(), hits, "{query}");
    }
}

#[test]
fn ties_go_to_the_newest_and_then_to_the_smaller_id() {
    let mut notes = [
        note(3, "c", "tea"),
        note(1, "a", "tea"),
        note(2, "b", "tea"),
    ];
    assert_eq!(found(&notes, "tea"), ["a", "b", "c"]);
    notes[0].updated_at = Timestamp::from_millis(1);
    assert_eq!(found(&notes, "tea"), ["c", "a", "b"]);
}

#[test]
fn a_key_means_an_id_before_a_title_before_keywords() {
    let id = note_id(1).to_string();
    let notes = [
        note(1, "One", "v"),
        note(2, &id, "titled like an id"),
        keyworded(3, "Three", "One", "v"),
        keyworded(4, "Four", "b, a", "v"),
        keyworded(5, "Five", "x", "v"),
        keyworded(6, "Six", "x", "v"),
    ];
    for (key, expected) in [
        (id.as_str(), KeyMatch::One(note_id(1))),
        ("One", KeyMatch::One(note_id(1))),
        ("a,b", KeyMatch::One(note_id(4))),
        ("a", KeyMatch::None),
        ("x", KeyMatch::Many),
        ("", KeyMatch::None),
        (" , ", KeyMatch::None),
        (&note_id(9).to_string(), KeyMatch::None),
    ] {
        assert_eq!(resolve(notes.iter(), key), expected, "{key}");
    }
    assert!(answers_to(&notes[2], "One") && answers_to(&notes[2], "Three"));
    assert!(!answers_to(&notes[2], "Four"));
}

#[test]
fn keywords_are_parted_trimmed_and_bounded() {
    assert_eq!(split_keywords(" a, b ;a\n c,, "), ["a", "b", "c"]);
    // A hostile list costs no more than it takes to refuse it.
    let hostile = joined(100_000, |word| format!("{word},"));
    assert_eq!(split_keywords(&hostile).len(), NOTE_KEYWORDS_MAX + 1);
}

#[test]
fn a_hostile_query_or_text_is_worked_in_bounded_time() {
    let notes: Vec<Note> = (0..200).map(|id| note(id, "t", "tea ")).collect();
    let query = joined(50_000, |word| format!("t{word} "));
    assert_eq!(found(&notes, &query), Vec::<String>::new());
    let links = joined(6000, |id| format!("[[{}]]", note_id(id)));
    assert_eq!(links_in(&links).len(), 6000);
    assert_eq!(links_in("[[[[[[").len(), 0);
}

#[test]
fn a_value_may_bring_its_title_along() {
    for (value, title, text) in [
        ("plain", None, "plain"),
        ("{\"title\": \"T\", \"markdown\": \"m\"}", Some("T"), "m"),
        ("{\"title\": \"  \", \"markdown\": \"m\"}", None, "m"),
        ("{\"markdown\": \"m\"}", None, "m"),
        ("{\"title\": \"T\"}", None, "{\"title\": \"T\"}"),
        ("{broken", None, "{broken"),
    ] {
        assert_eq!(
            title_and_text(value),
            (title.map(str::to_owned), text.to_owned()),
            "{value}"
        );
    }
}
