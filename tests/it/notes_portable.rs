//! Notes as Markdown and back: to the byte for what this program writes, and sensibly for what people
//! write.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use kjxlkj_agent::core::notes::{
    CreatedBy, Issue, Note, NoteAuthor, PortableNote, file_names, from_markdown, links_in,
    to_markdown,
};
use kjxlkj_agent::ids::NoteId;
use kjxlkj_agent::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

fn note(number: u128, title: &str, value: &str) -> Note {
    Note {
        id: NoteId(Uuid::from_u128(number)),
        workspace_id: "6f0d3c52-8a5e-4d7b-9a41-2c7be1f05d38".parse().unwrap(),
        note_kind: "note".to_owned(),
        title: title.to_owned(),
        keywords: Vec::new(),
        links: links_in(value),
        value: value.to_owned(),
        issues: Vec::new(),
        version: 1,
        created_at: Timestamp::from_millis(1_700_000_000_123),
        updated_at: Timestamp::from_millis(1_700_000_100_456),
        created_by: CreatedBy {
            actor_type: NoteAuthor::User,
            run_id: None,
        },
        deleted_at: None,
    }
}

/// What a file brings back of a note: everything that the file can hold.
fn assert_same(read: &PortableNote, note: &Note) {
    assert_eq!(read.id, Some(note.id));
    assert_eq!(read.written.title.as_deref(), Some(note.title.as_str()));
    assert_eq!(read.written.keywords.as_ref(), Some(&note.keywords));
    assert_eq!(read.written.value.as_deref(), Some(note.value.as_str()));
    assert_eq!(read.written.kind.as_deref(), Some(note.note_kind.as_str()));
    assert_eq!(read.written.version, Some(note.version));
    assert_eq!(read.written.links.as_ref(), Some(&note.links));
    assert_eq!(read.created_at, Some(note.created_at));
    assert_eq!(read.updated_at, Some(note.updated_at));
    assert_eq!(read.issues, note.issues);
    assert!(read.is_like(note));
}

#[test]
fn an_exported_note_reads_like_a_page_with_a_head() {
    let mut tea = note(1, "Tea: green", "Buy tea.\n\n- sencha");
    tea.keywords = vec!["tea".to_owned(), "a, b".to_owned(), "true".to_owned()];
    let text = to_markdown(&tea);
    assert_eq!(
        text,
        "---\nid: 00000000-0000-0000-0000-000000000001\ntitle: \"Tea: green\"\n\
         keywords: [tea, \"a, b\", \"true\"]\nkind: note\nversion: 1\n\
         created_at: 2023-11-14T22:13:20.123Z\nupdated_at: 2023-11-14T22:15:00.456Z\n\
         links: []\n---\nBuy tea.\n\n- sencha\n"
    );
    assert_same(&from_markdown(&text).unwrap(), &tea);
}

#[test]
fn texts_that_look_like_heads_and_ends_come_back_to_the_byte() {
    for value in [
        "",
        "\n",
        "\n\n",
        "one line",
        "one line\n",
        "\r\n",
        "a\r\nb\r\n",
        "ends in a return\r",
        "---",
        "---\n",
        "---\ntitle: other\n---\ntext",
        "...\n---\n...",
        "\u{feff}text",
        "```\n---\n# no heading\n```\n",
        "\n\n# heading\n",
        "\ttab \u{1b}[2J",
    ] {
        let mut note = note(2, "t", value);
        note.issues.push(Issue {
            text: "odd: \"#\" }\n\u{2028}".to_owned(),
            metadata: json!({"a": [1, null, "}"]}).as_object().unwrap().clone(),
            created_at: Timestamp::from_millis(5),
            open: false,
        });
        assert_same(&from_markdown(&to_markdown(&note)).unwrap(), &note);
    }
}

/// Forms of one key in the heads that people write, and what is read; `None`: refused in that line.
type Form = (
    &'static str,
    Option<(&'static str, &'static [&'static str])>,
);

const FORMS: &[Form] = &[
    ("title: Tea\ntags: [a, b]", Some(("Tea", &["a", "b"]))),
    ("title: Tea # green\ntags: a, b", Some(("Tea", &["a", "b"]))),
    (
        "title: 'It''s'\ntags:\n  - a\n  - 'b c'",
        Some(("It's", &["a", "b c"])),
    ),
    (
        "title: \"a\\tb \\u00e9\\x41\"\ntags:\n- a",
        Some(("a\tb \u{e9}A", &["a"])),
    ),
    ("title: \"\\ud83d\\ude00\"", Some(("\u{1f600}", &[]))),
    (
        "title: a: b\nkeywords: [\"x, y\", 'z', w]",
        Some(("a: b", &["x, y", "z", "w"])),
    ),
    (
        "title: http://x.org/#a\ntags: ['#a', \"#b\"]",
        Some(("http://x.org/#a", &["a", "b"])),
    ),
    (
        "title: 2024\ntags: [2024, true]",
        Some(("2024", &["2024", "true"])),
    ),
    ("title: long\n  words\ntags: []", Some(("long words", &[]))),
    (
        "# all of it\n\ntitle: T\ntags:\n\n  # none\n  - a # one\n",
        Some(("T", &["a"])),
    ),
    (
        "title: T\ntags: [a,\n  b,\n  c]",
        Some(("T", &["a", "b", "c"])),
    ),
    (
        "keywords: [k]\ntags: [t, k]\ntitle: T",
        Some(("T", &["k", "t"])),
    ),
    (
        "title: T\nauthor:\n  name: A\n  mail: b\ndraft: true\ntext: |\n  a\n  b",
        Some(("T", &[])),
    ),
    ("\"title\": T\n'tags': x", Some(("T", &["x"]))),
    ("title: T\ntags: ~", Some(("T", &[]))),
    (
        "title: T\nid: 202401011200\nversion: 1.0\nlinks: {}",
        Some(("T", &[])),
    ),
    ("title: T\ntags: [\n  a,\n  b,\n]", Some(("T", &["a", "b"]))),
    ("title: T\ntags:\n  [a, b]", Some(("T", &["a", "b"]))),
    ("title: [a]", None),
    ("title: |\n  a", None),
    ("title: \"a", None),
    ("title: \"a\" b", None),
    ("title: 'a", None),
    ("title: \"\\q\"", None),
    ("title: \"\\ud800\"", None),
    ("title: \"\\ud83d\\u0041\"", None),
    ("title: \"\\ud83d\\uffff\"", None),
    ("title: T\ntitle: U", None),
    ("tags: [a", None),
    ("tags: [a] b", None),
    ("tags: [[a], b]", None),
    ("tags: {a: b}", None),
    ("tags:\n  a: b", None),
    ("no colon here", None),
    ("  indented: x", None),
    ("- item", None),
    ("id: 00000000-0000-0000-0000-000000000009\nversion: x", None),
    ("id: 00000000-0000-0000-0000-000000000009\nversion: 0", None),
    (
        "id: 00000000-0000-0000-0000-000000000009\nversion: 18446744073709551615",
        None,
    ),
    ("id: 00000000-0000-0000-0000-000000000009\nlinks: [x]", None),
    (
        "id: 00000000-0000-0000-0000-000000000009\ncreated_at: yesterday",
        None,
    ),
    (
        "id: 00000000-0000-0000-0000-000000000009\nissues: [x]",
        None,
    ),
];

#[test]
fn heads_in_the_forms_that_people_write_are_read_or_refused_with_their_line() {
    for end in ["\n", "\r\n"] {
        for (head, expected) in FORMS {
            let text = format!("---\n{head}\n---\n\nbody\n").replace('\n', end);
            match (from_markdown(&text), expected) {
                (Ok(read), Some((title, keywords))) => {
                    assert_eq!(read.title().as_deref(), Some(*title), "{head}");
                    let found = read.written.keywords.unwrap_or_default();
                    assert_eq!(found, *keywords, "{head}");
                    assert_eq!(read.written.value.as_deref(), Some("body"), "{head}");
                    assert_eq!(read.id, None, "{head}");
                }
                (Err(problem), None) => {
                    let lines = 2..2 + head.lines().count();
                    assert!(lines.contains(&problem.line), "{head}: {problem:?}");
                    assert!(!problem.reason.is_empty());
                }
                (read, _) => panic!("{head}: {read:?}"),
            }
        }
    }
}

#[test]
fn without_a_head_the_first_heading_is_the_title() {
    for (text, title, value) in [
        ("# Tea #\n\nBuy.\n", Some("Tea"), "# Tea #\n\nBuy."),
        ("words\n\n### Deep\n", Some("Deep"), "words\n\n### Deep"),
        (
            "```\n# code\n```\n# Real\n",
            Some("Real"),
            "```\n# code\n```\n# Real",
        ),
        ("#tag\nwords", None, "#tag\nwords"),
        ("####### seven\n", None, "####### seven"),
        ("---\n\nnever a head\n", None, "---\n\nnever a head"),
        ("\u{feff}---\ntitle: T\n---\nx", Some("T"), "x"),
        ("---\ntitle: T\n...\nx\n", Some("T"), "x"),
        ("---\n---\nx\n", None, "x"),
        ("", None, ""),
    ] {
        let read = from_markdown(text).unwrap();
        assert_eq!(read.title().as_deref(), title, "{text}");
        assert_eq!(read.written.value.as_deref(), Some(value), "{text}");
    }
    let binary = from_markdown("a\nb\0c").unwrap_err();
    assert_eq!(binary.line, 2);
    let long = from_markdown(&format!("# {}", "x".repeat(5000))).unwrap();
    assert_eq!(long.title().unwrap().len(), 120);
    let cut_at_a_blank = from_markdown(&format!("# {}", "Yes ".repeat(40))).unwrap();
    assert!(cut_at_a_blank.title().unwrap().ends_with("Yes"));
}

#[test]
fn no_two_notes_share_a_file_name_where_case_does_not_count() {
    let titles = [
        "Tea",
        "tea",
        "TEA",
        "",
        "..",
        "a/b",
        "a-b",
        "Stra\u{df}e",
        "STRA\u{df}E",
    ];
    let notes: Vec<Note> = titles
        .iter()
        .zip(1..)
        .map(|(title, number)| note(number, title, ""))
        .collect();
    let names = file_names(&notes.iter().collect::<Vec<_>>());
    assert_eq!(names[0], "Tea.md");
    assert_eq!(names[1], "tea 00000000-0000-0000-0000-000000000002.md");
    assert_eq!(names[3], "00000000-0000-0000-0000-000000000004.md");
    let folded: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), titles.len(), "{names:?}");
    for name in names {
        assert!(
            !name.contains(['/', '\\', '\0']) && !name.starts_with('.'),
            "{name}"
        );
    }
}

#[test]
fn json_is_read_strictly_where_it_names_one_of_ours() {
    let good = json!({"id": Uuid::from_u128(7), "title": "T", "keywords": "a, b", "value": "v",
        "note_kind": "template", "version": 3, "created_at": "2024-01-02T03:04:05Z"});
    let read = PortableNote::from_json(good.as_object().unwrap()).unwrap();
    assert_eq!(read.written.keywords.as_deref().unwrap(), ["a", "b"]);
    assert_eq!(read.written.version, Some(3));
    for (key, bad) in [
        ("id", json!("x")),
        ("title", json!(1)),
        ("keywords", json!([1])),
        ("value", Value::Null),
        ("version", json!(u64::MAX)),
        ("created_at", json!("soon")),
        ("links", json!(["x"])),
        ("issues", json!([{}])),
    ] {
        let mut members = good.as_object().unwrap().clone();
        members.insert(key.to_owned(), bad);
        assert!(PortableNote::from_json(&members).is_err(), "{key}");
    }
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("---".to_owned()),
        Just("...".to_owned()),
        Just("```".to_owned()),
        Just("# h".to_owned()),
        Just("title: x".to_owned()),
        Just("[[00000000-0000-0000-0000-000000000003]]".to_owned()),
        "\\PC{0,12}",
        ".{0,12}",
    ]
}

proptest! {
    /// Whatever a note says, its file says it too, also beside any head that is not ours.
    #[test]
    fn what_is_exported_is_imported_as_it_was(
        title in "\\PC{1,40}|.{1,20}",
        keywords in prop::collection::vec(".{0,12}|\\PC{1,12}", 0..5),
        lines in prop::collection::vec((line(), prop_oneof!["\n", "\r\n", "\r"]), 0..8),
        last in line(),
        version in 1_u64..1000,
    ) {
        // The guard cuts blanks off a title, and a note is never without one.
        let title = title.trim();
        prop_assume!(!title.is_empty());
        let mut value: String = lines.into_iter().map(|(line, end)| line + &end).collect();
        value.push_str(&last);
        // The guard lets no note have one.
        let value = value.replace('\0', "");
        let mut made = note(11, title, &value);
        made.keywords = keywords;
        made.version = version;
        let text = to_markdown(&made);
        prop_assume!(!text.contains('\0'));
        assert_same(&from_markdown(&text).unwrap(), &made);
    }

    /// No text makes the reader stop in another way than with a line.
    #[test]
    fn no_head_is_too_odd_to_be_judged(text in "(---\n)?([a-z\"'\\[\\]{}#:, \n\\\\-]{0,80})(\n---\n)?.{0,20}") {
        if let Err(problem) = from_markdown(&text) {
            prop_assert!(problem.line >= 1);
        }
    }
}
