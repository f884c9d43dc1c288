//! How alike two notes are, and that the index finds what a comparison with every note finds.

use crate::agent::{note, note_id};
use kjxlkj_agent::core::notes::{
    Note, NoteFeatures, Notes, OrganizeScan, OrganizeState, OrganizeTask, scan_notes, similar_to,
};
use proptest::prelude::*;
use std::fmt::Write as _;

fn similarity(left: &Note, right: &Note) -> f64 {
    NoteFeatures::of(left).similarity(&NoteFeatures::of(right))
}

fn collection(notes: impl IntoIterator<Item = Note>, threshold: Option<f64>) -> Notes {
    let mut all = Notes::complete();
    all.fill(notes);
    if let Some(threshold) = threshold {
        all.prepare(threshold);
    }
    all
}

/// The ids of the notes like a draft, and how many notes were compared.
fn found(notes: &Notes, draft: &Note, threshold: f64) -> (Vec<u128>, usize) {
    let similar = similar_to(draft, notes, threshold, usize::MAX, |_| true);
    let ids = similar.notes.iter().map(|(_, note)| note.id.0.as_u128());
    (ids.collect(), similar.compared)
}

/// Two texts each, and the words that they share of all that they have.
const TEXTS: &[(&str, &str, f64)] = &[
    (
        "The bins go out on Friday.",
        "the BINS go out: on friday",
        1.0,
    ),
    (
        "The bins go out on Friday.",
        "The bins go out on Monday.",
        5.0 / 7.0,
    ),
    ("milk", "Milk!", 1.0),
    ("milk", "bread", 0.0),
    ("milk", "milk, bread, eggs", 1.0 / 3.0),
    ("", "", 0.0),
    ("!!!", "!!!", 1.0),
    ("!!!", "???", 0.0),
    ("don't", "don\u{2019}t", 1.0),
    ("Die T\u{fc}r klemmt", "die t\u{fc}r KLEMMT", 1.0),
    (
        "\u{41f}\u{430}\u{440}\u{43e}\u{43b}\u{44c} \u{43e}\u{442} wifi",
        "\u{43f}\u{430}\u{440}\u{43e}\u{43b}\u{44c} \u{43e}\u{442} Wifi",
        1.0,
    ),
    // Chinese, Japanese and Korean are read in pairs of characters; four pairs, three of them shared.
    (
        "\u{5783}\u{573e}\u{661f}\u{671f}\u{4e94}",
        "\u{5783}\u{573e}\u{661f}\u{671f}\u{4e00}",
        3.0 / 5.0,
    ),
    (
        "\u{81ea}\u{8ee2}\u{8eca}",
        "\u{81ea}\u{8ee2}\u{8eca}\u{3002}",
        1.0,
    ),
    ("\u{732b}", "\u{732b}", 1.0),
    ("\u{732b}", "\u{72ac}", 0.0),
    (
        "\u{c790}\u{c804}\u{ac70}\u{b97c}",
        "\u{c790}\u{c804}\u{ac70}\u{ac00}",
        2.0 / 4.0,
    ),
    (
        "\u{e1a}\u{e49}\u{e32}\u{e19}",
        "\u{e1a}\u{e49}\u{e32}\u{e19}",
        1.0,
    ),
];

#[test]
fn texts_are_alike_by_the_words_that_they_share() {
    for (left, right, expected) in TEXTS {
        let (one, other) = (
            note(1, "2026-11-21 09:30", left),
            note(2, "2026-11-21 09:31", right),
        );
        let got = similarity(&one, &other);
        assert!((got - expected).abs() < 1e-9, "{left} / {right}: {got}");
    }
}

#[test]
fn the_same_title_is_enough_and_a_date_is_no_title() {
    for (left, right, same) in [
        ("Bins", "bins", true),
        ("Bins and bags", "Bins, and bags!", true),
        ("Bins", "Bin", false),
        ("and bags Bins", "Bins and bags", false),
        ("2026-11-21 09:30", "2026-11-21 09:30", false),
        ("\u{5783}\u{573e}", "\u{5783}\u{573e}", true),
        ("", "", false),
    ] {
        let (one, other) = (
            note(1, left, "first words"),
            note(2, right, "quite different"),
        );
        assert_eq!(similarity(&one, &other) >= 1.0, same, "{left} / {right}");
    }
}

/// A template is made to be repeated: what was made from it is not its double.
#[test]
fn notes_of_another_kind_are_never_alike() {
    let mut template = note(1, "Meeting", "Who: What: When:");
    "template".clone_into(&mut template.note_kind);
    let filled = note(2, "Meeting", "Who: What: When:");
    assert!(similarity(&template, &filled) <= 0.0);
}

#[test]
fn the_note_itself_and_those_that_do_not_count_are_passed_over() {
    let notes = collection(
        [note(1, "A", "one two"), note(2, "B", "one two")],
        Some(0.8),
    );
    assert_eq!(found(&notes, &note(1, "A", "one two"), 0.8).0, [2]);
    let draft = note(3, "C", "one two");
    let similar = similar_to(&draft, &notes, 0.8, 9, |note| note.id == note_id(2));
    assert_eq!(similar.notes.len(), 1);
    assert_eq!(similar_to(&draft, &notes, 0.8, 1, |_| true).notes.len(), 1);
}

/// A text of words out of a few, so that some texts are alike.
fn words(vocabulary: u32, most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(0..vocabulary, 0..most).prop_map(|words| {
        let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        words.join(" ")
    })
}

/// Notes, some of them near-copies of others.
fn notes_to_compare() -> impl Strategy<Value = Vec<Note>> {
    let text = (words(60, 40), words(60, 4), 0_usize..6);
    proptest::collection::vec(text, 1..28).prop_map(|texts| {
        let mut made: Vec<String> = Vec::new();
        for (text, tail, back) in texts {
            let copied = made.len().checked_sub(back + 1).and_then(|at| made.get(at));
            let text = copied
                .filter(|_| back < 3)
                .map_or(text, |old| format!("{old} {tail}"));
            made.push(text);
        }
        let numbered = made.iter().zip(1..);
        numbered
            .map(|(text, number)| note(number, &format!("T{}", number % 9), text))
            .collect()
    })
}

proptest! {
    #[test]
    fn similarity_is_symmetrical_whole_for_the_same_and_a_share(
        left in words(12, 12), right in words(12, 12),
    ) {
        let (one, other) = (note(1, "1", &left), note(2, "2", &right));
        let there = similarity(&one, &other);
        prop_assert!((there - similarity(&other, &one)).abs() < f64::EPSILON);
        prop_assert!((0.0..=1.0).contains(&there));
        let whole = if left.is_empty() { 0.0 } else { 1.0 };
        prop_assert!((similarity(&one, &note(3, "3", &left)) - whole).abs() < f64::EPSILON);
    }

    /// The index finds whatever a comparison with every note finds, also after changes, and a higher
    /// threshold finds a part of it.
    #[test]
    fn the_index_finds_what_comparing_everything_finds(
        all in notes_to_compare(), threshold in 5_u32..=10, moved in 0_usize..28,
    ) {
        let threshold = f64::from(threshold) / 10.0;
        let plain = collection(all.clone(), None);
        // Half are there when the index is built; some come later, change, and go.
        let mut indexed = collection(all.iter().take(all.len() / 2).cloned(), Some(threshold));
        for late in all.iter().skip(all.len() / 2) {
            indexed.put(Note { value: "other words".to_owned(), ..late.clone() });
            indexed.put(late.clone());
        }
        if let Some(gone) = all.get(moved) {
            indexed.remove(gone.id);
            indexed.put(gone.clone());
        }
        for draft in &all {
            let (mut slow, mut fast) = (
                found(&plain, draft, threshold).0,
                found(&indexed, draft, threshold).0,
            );
            slow.sort_unstable();
            fast.sort_unstable();
            prop_assert_eq!(&fast, &slow);
            let stricter = found(&indexed, draft, threshold + 0.1).0;
            prop_assert!(stricter.iter().all(|id| slow.contains(id)));
        }
    }
}

/// A text of so many words out of a large vocabulary, of which some are common; `from` seeds it.
fn prose(words: usize, from: u64) -> Vec<u64> {
    let mut seed = from.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    (0..words)
        .map(|_| {
            let (one, other) = (next() % 20_000, next() % 20_000);
            // The product makes small numbers common, as words are in speech.
            one * other / 20_000
        })
        .collect()
}

fn spelled(words: &[u64]) -> String {
    words.iter().fold(String::new(), |mut text, word| {
        write!(text, "w{word} ").unwrap_or_default();
        text
    })
}

/// Long texts keep only some of their words in the index. Of near-copies, changed at random, none of
/// a thousand is missed.
#[test]
fn long_near_copies_are_not_missed() {
    let texts: Vec<Vec<u64>> = (1..=1000).map(|from| prose(400, from)).collect();
    let numbered = texts.iter().zip(1..);
    let all = numbered.map(|(text, number)| note(number, "1", &spelled(text)));
    let notes = collection(all, Some(0.8));
    let mut missed = 0;
    for (text, number) in texts.iter().zip(1_u64..) {
        let changed = prose(20, number + 5000);
        let mut copy = text.clone();
        let places = copy.iter_mut().step_by(19);
        places
            .zip(&changed)
            .for_each(|(place, word)| *place = *word);
        let draft = note(99_999, "2", &spelled(&copy));
        let expected = note(u128::from(number), "1", &spelled(text));
        assert!(similarity(&draft, &expected) >= 0.8);
        let ids = found(&notes, &draft, 0.8).0;
        missed += usize::from(!ids.contains(&u128::from(number)));
    }
    assert_eq!(missed, 0);
}

/// What one new note costs does not grow with the notes that there are.
#[test]
fn a_new_note_is_compared_with_few_of_ten_thousand() {
    let all = (1..=10_000_u64).map(|from| {
        note(
            u128::from(from),
            &format!("T{from}"),
            &spelled(&prose(60, from)),
        )
    });
    let notes = collection(all, Some(0.8));
    let mut compared_with = 0;
    for from in (1..=10_000).step_by(97) {
        let mut words = prose(60, from);
        words.truncate(58);
        let draft = note(99_999, "new", &spelled(&words));
        let (ids, compared) = found(&notes, &draft, 0.8);
        assert!(ids.contains(&u128::from(from)), "{from}");
        compared_with += compared;
    }
    // The one that it is a copy of, and hardly any other.
    assert!(compared_with <= 2 * 104, "{compared_with}");
    // A form that was filled in ten thousand times is not looked at ten thousand times.
    let form = |number: u64| format!("weather mood sleep steps water mail read called {number}");
    let all = (1..=10_000_u64).map(|number| note(u128::from(number), "1", &form(number)));
    let notes = collection(all, Some(0.8));
    let (ids, compared) = found(&notes, &note(99_999, "2", &form(77)), 0.8);
    assert!(ids.contains(&77) && compared <= 32, "{compared}");
}

// === what there is to put in order ===

fn look(notes: &Notes, memory: &OrganizeState) -> OrganizeScan {
    scan_notes(notes, memory, 0.8, |_| true)
}

fn offered(look: &OrganizeScan) -> Vec<(OrganizeTask, Vec<u128>)> {
    let ids = |offer: &kjxlkj_agent::core::notes::OrganizeOffer| {
        let ids = offer.notes.iter().map(|note| note.id.0.as_u128());
        (offer.chore, ids.collect())
    };
    look.offers.iter().map(ids).collect()
}

fn keyed(number: u128, title: &str, value: &str) -> Note {
    let mut made = note(number, title, value);
    made.keywords = vec!["k".to_owned()];
    made
}

#[test]
fn one_sort_of_work_is_offered_at_a_time_and_none_twice() {
    let mut notes = collection(
        [
            keyed(1, "Bins", "The bins go out on Friday"),
            keyed(2, "Waste", "the bins go out on friday"),
            keyed(3, "Oven", "It was repaired in May"),
            keyed(4, "Kitchen", "Here stands the oven"),
            note(5, "Shed", "Paint it green"),
        ],
        Some(0.8),
    );
    let mut memory = OrganizeState::default();
    let mut rounds = Vec::new();
    for _ in 0..4 {
        let look = look(&notes, &memory);
        memory.take(&look);
        rounds.push((offered(&look), look.more));
    }
    let expected = [
        (vec![(OrganizeTask::Alike, vec![2, 1])], true),
        (vec![(OrganizeTask::Unlinked, vec![4, 3])], true),
        (vec![(OrganizeTask::NoKeywords, vec![5])], false),
        (vec![], false),
    ];
    assert_eq!(rounds, expected);
    // Once a note of a pair changes, the pair is worth a look again.
    let mut changed = keyed(1, "Bins", "The bins go out on Friday!");
    changed.version = 2;
    notes.put(changed);
    let again = look(&notes, &memory);
    assert_eq!(offered(&again), [(OrganizeTask::Alike, vec![2, 1])]);
}

/// What a model has seen and left alone hides no other pair, however much more alike the two are.
#[test]
fn a_known_pair_hides_no_other() {
    let same = "The bins go out on Friday";
    let others = (1..6).map(|number| keyed(number, &format!("N{number}"), same));
    let less = keyed(9, "N9", "The bins go out on Friday night");
    let notes = collection(others.chain([less]), Some(0.8));
    let mut memory = OrganizeState::default();
    let mut pairs = Vec::new();
    loop {
        let look = look(&notes, &memory);
        let Some((chore, pair)) = offered(&look).pop() else {
            break;
        };
        assert_eq!(chore, OrganizeTask::Alike);
        pairs.push(pair);
        memory.take(&look);
    }
    pairs.sort_unstable();
    let numbers = [1, 2, 3, 4, 5, 9];
    let all = numbers.iter().flat_map(|newer| {
        let older = numbers.iter().take_while(move |older| *older < newer);
        older.map(move |older| vec![*newer, *older])
    });
    assert_eq!(pairs, all.collect::<Vec<Vec<u128>>>());
}

#[test]
fn what_is_linked_or_not_named_is_no_candidate() {
    let linked = Note {
        links: vec![note_id(3)],
        ..keyed(1, "Kitchen", "Here stands the oven, see the list")
    };
    let by_title = keyed(2, "Cellar", "The oven came from here: [[Oven]]");
    let oven = keyed(3, "Oven", "It was repaired");
    let twins = [keyed(4, "Lamp", "Bright"), keyed(5, "Lamp", "Dim one")];
    let ambiguous = keyed(6, "Hall", "Two with a lamp");
    let short = [keyed(7, "The cat", "Grey"), keyed(8, "Walk", "the dog")];
    let all = [linked, by_title, oven, ambiguous]
        .into_iter()
        .chain(twins)
        .chain(short);
    let notes = collection(all, Some(0.8));
    let mut memory = OrganizeState::default();
    let first = look(&notes, &memory);
    assert_eq!(offered(&first), [(OrganizeTask::Alike, vec![5, 4])]);
    memory.take(&first);
    assert_eq!(offered(&look(&notes, &memory)), []);
}

/// In a large collection each look covers a part, and the looks together cover everything.
#[test]
fn looks_go_round_the_whole_collection() {
    let filler =
        (10..2000).map(|number| keyed(number, &format!("N{number}"), &format!("x{number}")));
    let mut old = [note(1, "A", "a1"), note(2, "B", "b1")];
    old[1].updated_at = kjxlkj_agent::time::Timestamp::from_millis(5);
    let late = note(1500, "Late", "z1");
    let all = filler
        .filter(|note| note.id != late.id)
        .chain(old)
        .chain([late.clone()]);
    let notes = collection(all, Some(0.8));
    let mut memory = OrganizeState::default();
    let mut met = Vec::new();
    for _ in 0..5 {
        let look = look(&notes, &memory);
        met.extend(offered(&look).into_iter().flat_map(|(_, ids)| ids));
        memory.take(&look);
    }
    assert_eq!(met, [2, 1, 1500]);
}
