//! Texts drawn from a seed, of the sorts that tokenizers take apart in very different ways.

use crate::random::Random;

const WORDS: [&str; 16] = [
    "the",
    "lantern",
    "of",
    "harbour",
    "keeps",
    "a",
    "very",
    "long",
    "list",
    "and",
    "nobody",
    "remembers",
    "where",
    "it",
    "began",
    "understandably",
];

const JAPANESE: [&str; 8] = [
    "今日は",
    "台所の",
    "窓を",
    "掃除した",
    "。",
    "明日は",
    "図書館へ",
    "行く予定です",
];

const MARKUP: [&str; 8] = [
    "<b>",
    "</b>",
    "&amp;",
    "{\"id\": [",
    "]}",
    "if (a < b && c > d) { x += 1; }",
    "\"quoted\"",
    "// --- ===",
];

const EUROPEAN: [&str; 8] = [
    "Schlüssel",
    "größer",
    "été",
    "naïve",
    "żółć",
    "Ærø",
    "\u{1f511}",
    "čtvrtek",
];

/// A text of at most so many characters, and of some: one sort, or several in turn. It begins and
/// ends with something that is no blank.
pub(crate) fn draw(random: &mut Random, characters: usize) -> String {
    let sort = random.below(6);
    let mut text = String::from("-");
    let mut length = 1;
    while length < characters {
        let sort = if sort == 5 { random.below(5) } else { sort };
        let piece = piece(random, sort);
        let more = piece.chars().count() + 1;
        if length + more > characters {
            break;
        }
        // A line break now and then.
        text.push(if random.below(16) == 0 { '\n' } else { ' ' });
        text.push_str(&piece);
        length += more;
    }
    text
}

fn piece(random: &mut Random, sort: u64) -> String {
    let mut one_of = |pieces: &[&str]| pieces[random.index(pieces.len())].to_owned();
    match sort {
        0 => one_of(&WORDS),
        1 => one_of(&JAPANESE),
        2 => one_of(&MARKUP),
        3 => one_of(&EUROPEAN),
        _ => format!("{:05}", random.below(100_000)),
    }
}
