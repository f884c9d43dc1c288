//! Reads a request into words and marks whose features are learnt.
//! Pure.

use super::verbs::stem;
use super::words::titles_and_request;
use std::collections::BTreeSet;
use std::ops::Range;

/// The number of characters by which words of plans, titles and requests are compared.
const COMPARED_CHARS: usize = 5;

/// The number of characters of a word that is a feature.
const FEATURE_CHARS: usize = 6;

/// The minimum length of a word that tells where something stands, in characters.
const TELLING_CHARS_MIN: usize = 3;

/// The number of titles whose words are known.
const TITLES_MAX: usize = 4;

/// The features of all words of titles, and of all numbers.
pub(super) const TITLE_WORD: &str = "\u{1}";
pub(super) const NUMBER: &str = "0";

/// A word or a mark of a text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// Its bytes in the text.
    pub(super) place: Range<usize>,
    /// Its characters, in lower case.
    pub(super) text: String,
    pub(super) is_word: bool,
}

impl Token {
    pub(super) fn compared(&self) -> &str {
        stem(&self.text, COMPARED_CHARS)
    }

    pub(super) fn is_number(&self) -> bool {
        self.text.chars().all(|it| it.is_ascii_digit())
    }

    pub(super) fn is_telling(&self) -> bool {
        let is_long = self.text.chars().count() >= TELLING_CHARS_MIN;
        self.is_word && (is_long || self.is_number())
    }
}

/// A request as its words are judged.
pub(super) struct Reading {
    /// The telling words of each title.
    pub(super) titles: Vec<BTreeSet<String>>,
    pub(super) tokens: Vec<Token>,
    /// The feature of each token. Words of titles are equal, and so are all numbers.
    pub(super) words: Vec<String>,
}

impl Reading {
    pub(super) fn of(titles: &[&str], request: &str) -> Self {
        let titles: Vec<BTreeSet<String>> = titles.iter().map(|it| telling_words(it)).collect();
        let tokens = tokens_of(request);
        let is_of_title = |token: &Token| titles.iter().any(|it| it.contains(token.compared()));
        let words = tokens.iter().map(|token| {
            if is_of_title(token) {
                TITLE_WORD.to_owned()
            } else if token.is_number() {
                NUMBER.to_owned()
            } else {
                stem(&token.text, FEATURE_CHARS).to_owned()
            }
        });
        Self {
            words: words.collect(),
            tokens,
            titles,
        }
    }

    /// Returns the tokens before and behind a place.
    pub(super) fn sides(&self, at: usize) -> (&[Token], &[Token]) {
        self.tokens
            .split_at_checked(at)
            .unwrap_or((&self.tokens, &[]))
    }
}

/// Splits a question into the first titles of its notes and its request.
pub(super) fn known_titles(question: &str) -> (Vec<&str>, &str) {
    let (titles, request) = titles_and_request(question);
    (titles.take(TITLES_MAX).collect(), request)
}

/// Returns the words and numbers of a text that tell where something stands.
pub(super) fn telling_words(text: &str) -> BTreeSet<String> {
    let tokens = tokens_of(text);
    let telling = tokens.iter().filter(|it| it.is_telling());
    telling.map(|it| it.compared().to_owned()).collect()
}

pub(super) fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (at, character) in text.char_indices() {
        if character.is_whitespace() {
            continue;
        }
        let end = at + character.len_utf8();
        let is_word = character.is_alphanumeric();
        match tokens.last_mut() {
            Some(last) if is_word && last.is_word && last.place.end == at => {
                last.place.end = end;
                last.text.extend(character.to_lowercase());
            }
            _ => tokens.push(Token {
                place: at..end,
                text: character.to_lowercase().collect(),
                is_word,
            }),
        }
    }
    tokens
}
