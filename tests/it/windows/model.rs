//! The model: what it says is drawn from a seed. It writes long notes, long thoughts, ever more keys;
//! it pages now and then as it was told, and now and then it forgets to. What it orders is remembered,
//! so that it can be looked for afterwards. It never throws a value away that is nowhere else.

use super::text::draw;
use crate::random::Random;
use kjxlkj_agent::core::protocol::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What an instruction ordered: its operation and its target, as the audit names them.
pub(crate) type Order = (&'static str, String);

/// The model.
#[derive(Debug)]
pub(crate) struct Model {
    random: Random,
    /// The longest text that it writes, in characters.
    longest: usize,
    /// Whether it knows the blocks and the tools beside the eight tags.
    knows_blocks: bool,
    /// Every value ordered so far. No order is given twice.
    pub(crate) ordered: BTreeMap<Order, String>,
    /// Keys that it has put into RAM, with their values.
    keys: Vec<(String, String)>,
    /// Titles of notes that it has written and not changed yet.
    titles: Vec<String>,
    /// Keys that the last reply archives or moves away.
    pub(crate) paged: BTreeSet<String>,
    /// Keys that it has ever put into a place of its own choice: a note, or a shelf in `/storage`.
    pub(crate) moved: BTreeSet<String>,
    count: u64,
}

impl Model {
    pub(crate) fn new(seed: u64, longest: usize, knows_blocks: bool) -> Self {
        Self {
            random: Random(seed),
            longest,
            knows_blocks,
            ordered: BTreeMap::new(),
            keys: Vec::new(),
            titles: Vec::new(),
            paged: BTreeSet::new(),
            moved: BTreeSet::new(),
            count: 0,
        }
    }

    /// What it says to a prompt.
    pub(crate) fn says(&mut self, prompt: &str) -> String {
        self.paged.clear();
        let (_, rest) = prompt.rsplit_once("<state>").unwrap();
        let state = rest.split('<').next().unwrap();
        match self.random.below(40) {
            0 => return "I shall think about that some more.".to_owned(),
            1 => return format!("<unheard_of><key>{}</key></unheard_of>", self.count),
            _ => {}
        }
        let mut reply = match state {
            "planning" => self.plans(),
            "executing" => self.works(),
            "evaluating" => self.judges(),
            "paging" => self.pages(prompt),
            _ => String::new(),
        };
        if self.random.below(3) > 0 {
            let thought = self.text(3000);
            reply += &instruction("ram_add", &[("key", "think_log"), ("value", &thought)]);
        }
        if reply.is_empty() {
            reply = instruction("ram_add", &[("key", "think_log"), ("value", "nothing")]);
        }
        reply
    }

    fn text(&mut self, characters_max: usize) -> String {
        let most = u64::try_from(characters_max.min(self.longest)).unwrap();
        // Short ones are more common than long ones, as with people.
        let bound = 20 + self.random.below(most);
        let length = 10 + self.random.below(bound);
        draw(&mut self.random, usize::try_from(length).unwrap())
    }

    fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    fn order(&mut self, op: &'static str, target: &str, value: &str) {
        let new = self
            .ordered
            .insert((op, target.to_owned()), value.to_owned());
        assert_eq!(new, None, "{op} {target} was ordered before");
    }

    fn plans(&mut self) -> String {
        let count = 1 + self.random.below(6);
        let steps: Vec<String> = (0..count)
            .map(|_| self.text(300).replace('\n', " "))
            .collect();
        let steps = instruction(
            "ram_add",
            &[("key", "plan,steps"), ("value", &steps.join("\n"))],
        );
        steps + &self.searches()
    }

    fn searches(&mut self) -> String {
        // Words that stand in very many notes.
        let query = ["lantern", "台所の", "note", "b", "Schlüssel", "long list"];
        let query = query[self.random.index(query.len())];
        instruction("record_search", &[("query", query)])
    }

    fn works(&mut self) -> String {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.does_something()).collect()
    }

    fn does_something(&mut self) -> String {
        match self.random.below(10) {
            0 if self.knows_blocks => self.stores(),
            1 if self.knows_blocks => self.retrieves(),
            0..=4 => self.remembers(),
            5 | 6 => self.notes(),
            7 => self.changes_a_note(),
            _ => self.searches(),
        }
    }

    fn remembers(&mut self) -> String {
        let key = format!("fact_{}", self.number());
        let value = self.text(1500);
        self.order("ram_add", &key, &value);
        self.keys.push((key.clone(), value.clone()));
        instruction("ram_add", &[("key", &key), ("value", &value)])
    }

    fn notes(&mut self) -> String {
        let title = format!("Note {}", self.number());
        let value = self.text(12_000);
        self.order("record_add", &title, &value);
        self.titles.push(title.clone());
        let inner = [
            ("title", title.as_str()),
            ("keywords", "note, b"),
            ("value", &value),
        ];
        instruction("record_add", &inner)
    }

    /// Each note is changed once at most, so that what must stand there at the end is known.
    fn changes_a_note(&mut self) -> String {
        if self.titles.is_empty() {
            return self.notes();
        }
        let index = self.random.index(self.titles.len());
        let title = self.titles.swap_remove(index);
        let value = self.text(12_000);
        self.order("record_update", &title, &value);
        instruction("record_update", &[("key", &title), ("value", &value)])
    }

    fn stores(&mut self) -> String {
        let path = format!("/storage/{}/book_{}", self.shelf(), self.number());
        let value = self.text(4000);
        self.order("set", &path, &value);
        let inner = [
            ("kind", "set"),
            ("target_path", path.as_str()),
            ("content", &value),
        ];
        tool(&inner)
    }

    /// A directory that always has room.
    fn shelf(&mut self) -> String {
        format!("shelf_{}", self.number() / 8)
    }

    /// Wants a key back, wherever it is now.
    fn retrieves(&mut self) -> String {
        if self.keys.is_empty() {
            return self.remembers();
        }
        let (key, _) = &self.keys[self.random.index(self.keys.len())];
        format!("<paging><retrieve>{key}</retrieve></paging>")
    }

    fn judges(&mut self) -> String {
        match self.random.below(4) {
            0 => instruction("ram_delete", &[("key", "plan,steps")]),
            1 => instruction("state_add", &[("state", "executing")]),
            2 => self.searches(),
            _ => String::new(),
        }
    }

    /// Most of the time it does what the prompt asks for: it archives some keys, moves one to a shelf,
    /// or writes a note and deletes the key. It sees only what the prompt shows.
    fn pages(&mut self, prompt: &str) -> String {
        let shown = |key: &str| prompt.contains(&format!("\n{key}:"));
        let known = self.keys.iter().filter(|(key, _)| shown(key));
        let known: Vec<(String, String)> = known.take(3).cloned().collect();
        let Some((key, value)) = known.first() else {
            return String::new();
        };
        match self.random.below(4) {
            0 if self.knows_blocks => {
                let keys: Vec<&str> = known.iter().map(|(key, _)| key.as_str()).collect();
                self.paged.extend(keys.iter().map(|key| (*key).to_owned()));
                format!("<paging><archive>{}</archive></paging>", keys.join(", "))
            }
            1 if self.knows_blocks => {
                self.moves_away(key);
                let source = format!("/working_memory/{key}");
                let target = format!("/storage/{}/moved_{}", self.shelf(), self.number());
                let inner = [
                    ("kind", "mv"),
                    ("source_path", source.as_str()),
                    ("target_path", &target),
                ];
                tool(&inner)
            }
            0..=2 if value.chars().count() < self.longest => {
                self.moves_away(key);
                let title = format!("Moved {}", self.number());
                self.order("record_add", &title, value);
                let note = [
                    ("title", title.as_str()),
                    ("keywords", "moved"),
                    ("value", value),
                ];
                instruction("record_add", &note) + &instruction("ram_delete", &[("key", key)])
            }
            _ => String::new(),
        }
    }

    fn moves_away(&mut self, key: &str) {
        self.paged.insert(key.to_owned());
        self.moved.insert(key.to_owned());
    }
}

fn tool(inner: &[(&str, &str)]) -> String {
    format!("<actions>{}</actions>\n", instruction("action", inner))
}

fn instruction(tag: &str, inner: &[(&str, &str)]) -> String {
    let mut text = format!("<{tag}>");
    for (name, value) in inner {
        write!(text, "<{name}>{}</{name}>", escape(value)).unwrap();
    }
    text + &format!("</{tag}>\n")
}
