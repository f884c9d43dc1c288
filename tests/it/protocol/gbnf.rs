//! A reader of the part of GBNF that the program writes: rules, texts, sets, groups, `?` and
//! `{m,n}`. It says whether a text follows a grammar, and makes up texts that do.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

enum Part {
    Text(String),
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Rule(String),
    Any(Vec<Vec<Self>>),
    Times {
        part: Box<Self>,
        least: usize,
        most: usize,
    },
}

pub(super) struct Grammar {
    rules: BTreeMap<String, Vec<Vec<Part>>>,
}

impl Grammar {
    pub(super) fn read(text: &str) -> Self {
        let rules = text.lines().filter(|line| !line.is_empty()).map(|line| {
            let (name, body) = line.split_once(" ::= ").unwrap();
            let mut chars = body.chars().peekable();
            let choice = choice(&mut chars);
            assert_eq!(chars.next(), None, "{line}");
            (name.to_owned(), choice)
        });
        let rules: BTreeMap<_, _> = rules.collect();
        Self { rules }
    }

    pub(super) fn accepts(&self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        // Every way to go on is a stack of what is still to come; shared tails would be faster.
        let mut ways = vec![(vec![self.rule("root")], 0_usize)];
        while let Some((mut stack, at)) = ways.pop() {
            let Some(part) = stack.pop() else {
                if at == chars.len() {
                    return true;
                }
                continue;
            };
            match part {
                Part::Text(text) => {
                    let length = text.chars().count();
                    if chars[at..].iter().take(length).copied().eq(text.chars()) {
                        ways.push((stack, at + length));
                    }
                }
                Part::Set { negated, ranges } => {
                    if chars.get(at).is_some_and(|c| holds(*negated, ranges, *c)) {
                        ways.push((stack, at + 1));
                    }
                }
                Part::Rule(name) => {
                    for sequence in &self.rules[name] {
                        ways.push((pushed(&stack, sequence), at));
                    }
                }
                Part::Any(choice) => {
                    for sequence in choice {
                        ways.push((pushed(&stack, sequence), at));
                    }
                }
                Part::Times { part, least, most } => {
                    for times in *least..=*most {
                        let mut stack = stack.clone();
                        stack.extend(std::iter::repeat_n(&**part, times));
                        ways.push((stack, at));
                    }
                }
            }
        }
        false
    }

    /// A text that follows the grammar, always the same for a seed.
    pub(super) fn sample(&self, mut seed: u64) -> String {
        let mut draw = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        let mut out = String::new();
        let mut stack = vec![self.rule("root")];
        while let Some(part) = stack.pop() {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Set { negated, ranges } => {
                    let pool: Vec<char> = "</>abvkey &\u{8336}\n013"
                        .chars()
                        .filter(|c| holds(*negated, ranges, *c))
                        .collect();
                    out.push(pool[draw(pool.len())]);
                }
                Part::Rule(name) => {
                    let choice = &self.rules[name];
                    // The first way of a rule leads to its end; long texts prove no more.
                    let pick = if out.len() > 2000 || draw(3) > 0 {
                        0
                    } else {
                        draw(choice.len())
                    };
                    stack = pushed(&stack, &choice[pick]);
                }
                Part::Any(choice) => stack = pushed(&stack, &choice[draw(choice.len())]),
                Part::Times { part, least, most } => {
                    let times = least + draw(most - least + 1);
                    stack.extend(std::iter::repeat_n(&**part, times));
                }
            }
        }
        out
    }

    fn rule(&self, name: &str) -> &Part {
        // A rule with one way is that way's only part, or a choice of its own.
        match self.rules[name].as_slice() {
            [sequence] if sequence.len() == 1 => &sequence[0],
            _ => Box::leak(Box::new(Part::Rule(name.to_owned()))),
        }
    }
}

fn pushed<'a>(stack: &[&'a Part], sequence: &'a [Part]) -> Vec<&'a Part> {
    stack.iter().copied().chain(sequence.iter().rev()).collect()
}

fn holds(negated: bool, ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != negated
}

fn choice(chars: &mut Peekable<Chars<'_>>) -> Vec<Vec<Part>> {
    let mut choice = vec![Vec::new()];
    while let Some(next) = chars.peek().copied() {
        match next {
            ' ' => drop(chars.next()),
            ')' => break,
            '|' => {
                chars.next();
                choice.push(Vec::new());
            }
            _ => {
                let part = part(chars);
                let part = times(chars, part);
                choice.last_mut().unwrap().push(part);
            }
        }
    }
    choice
}

fn times(chars: &mut Peekable<Chars<'_>>, part: Part) -> Part {
    let (least, most) = match chars.peek() {
        Some('?') => {
            chars.next();
            (0, 1)
        }
        Some('{') => {
            chars.next();
            let bounds: String = chars.by_ref().take_while(|c| *c != '}').collect();
            let (least, most) = bounds.split_once(',').unwrap();
            (least.parse().unwrap(), most.parse().unwrap())
        }
        _ => return part,
    };
    Part::Times {
        part: Box::new(part),
        least,
        most,
    }
}

fn part(chars: &mut Peekable<Chars<'_>>) -> Part {
    match chars.peek().copied() {
        Some('"') => {
            chars.next();
            let mut text = String::new();
            while let Some(c) = chars.next().filter(|c| *c != '"') {
                text.push(unescaped(c, chars));
            }
            Part::Text(text)
        }
        Some('[') => {
            chars.next();
            let negated = chars.next_if_eq(&'^').is_some();
            let mut ranges = Vec::new();
            while let Some(c) = chars.next().filter(|c| *c != ']') {
                let from = unescaped(c, chars);
                let to = match chars.next_if_eq(&'-') {
                    Some(_) => chars.next().unwrap(),
                    None => from,
                };
                ranges.push((from, to));
            }
            Part::Set { negated, ranges }
        }
        Some('(') => {
            chars.next();
            let choice = choice(chars);
            assert_eq!(chars.next(), Some(')'));
            Part::Any(choice)
        }
        _ => {
            let mut name = String::new();
            while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
                name.push(c);
            }
            assert!(!name.is_empty(), "{:?}", chars.peek());
            Part::Rule(name)
        }
    }
}

fn unescaped(c: char, chars: &mut Peekable<Chars<'_>>) -> char {
    if c != '\\' {
        return c;
    }
    match chars.next() {
        Some('n') => '\n',
        other => other.unwrap(),
    }
}
