//! What the command line asks for.

use crate::everyday;
use crate::outcome::Side;
use crate::sets::Set;
use crate::task::Task;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// How the program is called.
pub(crate) const USAGE: &str = "[--constrain] [--check] [--quick] [--show] [--set tuned|practice|unseen|everyday] [--minutes N] [--tasks NAME,NAME] [--window TOKENS,TOKENS] \
     [--side ours|history] [--form off|gbnf|json_schema] [--results FILE] [--table-from FILE] [--readme FILE] [MODEL ...]";

/// The models that are asked when none is named.
const MODELS: [&str; 2] = ["smollm2", "qwen0.5b"];

/// The windows that the certificate is for, in tokens.
const WINDOWS: [u32; 2] = [4096, 8192];

/// The tasks of a quick look.
const QUICK_TASKS: usize = 2;

/// The choice.
pub(crate) struct Options {
    pub(crate) models: Vec<String>,
    pub(crate) windows: Vec<u32>,
    pub(crate) sides: Vec<Side>,
    pub(crate) set: Set,
    /// Those with a root of their own.
    pub(crate) tasks: Vec<Task>,
    pub(crate) limit: Duration,
    /// Where the results are kept, and where those of an earlier start are found.
    pub(crate) results: Option<PathBuf>,
    /// The results to show in place of running anything.
    pub(crate) table_from: Option<PathBuf>,
    pub(crate) readme: Option<PathBuf>,
    /// The form that answers are kept to; the program's own choice if there is none.
    pub(crate) form: Option<String>,
    /// Whether forms of answers are measured, in place of tasks.
    pub(crate) constrain: bool,
    /// Whether only the tasks' own checks are checked, without any model.
    pub(crate) check: bool,
    /// Whether the talk and the notes of each task are shown.
    pub(crate) shows: bool,
}

impl Options {
    /// Reads the words behind the program's name.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            models: Vec::new(),
            windows: WINDOWS.to_vec(),
            sides: Vec::new(),
            set: Set::default(),
            tasks: Vec::new(),
            limit: Duration::from_hours(4),
            results: None,
            table_from: None,
            readme: None,
            form: None,
            constrain: false,
            check: false,
            shows: false,
        };
        let mut words = words.peekable();
        let (mut is_quick, mut names) = (false, None);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                options.models.push(word);
                continue;
            }
            match word.as_str() {
                "--constrain" => options.constrain = true,
                "--check" => options.check = true,
                "--show" => options.shows = true,
                "--quick" => {
                    is_quick = true;
                    options.quick();
                }
                _ => {
                    let value = words
                        .next()
                        .ok_or_else(|| format!("{word} needs a value"))?;
                    if word == "--tasks" {
                        names = Some(value);
                    } else {
                        options.set(&word, &value)?;
                    }
                }
            }
        }
        if options.shows && options.set == Set::Unseen {
            return Err("what is said to the set unseen is not shown".to_owned());
        }
        options.choose_tasks(names.as_deref())?;
        if is_quick {
            options.tasks.truncate(QUICK_TASKS);
        }
        if options.models.is_empty() {
            options.models = MODELS.map(str::to_owned).to_vec();
        }
        Ok(options)
    }

    /// Takes the tasks of the set, those of the names if there are any, and the sides that the set is
    /// measured on.
    fn choose_tasks(&mut self, names: Option<&str>) -> Result<(), String> {
        self.tasks = self.set.tasks();
        if self.sides.is_empty() {
            self.sides = match self.set {
                Set::Tuned => Side::ALL.to_vec(),
                Set::Practice | Set::Unseen | Set::Everyday => vec![Side::Ours],
            };
        }
        let Some(names) = names else {
            return Ok(());
        };
        let wanted: Vec<&str> = names.split(',').collect();
        let known = |name: &&&str| self.tasks.iter().any(|task| task.name == **name);
        if let Some(stranger) = wanted.iter().find(|name| !known(name)) {
            let names: Vec<&str> = self.tasks.iter().map(|task| task.name).collect();
            return Err(format!(
                "no task {stranger} to choose in the set {}; there are: {}",
                self.set.name(),
                names.join(", ")
            ));
        }
        self.tasks.retain(|task| wanted.contains(&task.name));
        Ok(())
    }

    /// Returns the names of the tasks, in their order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        match self.set {
            Set::Everyday => everyday::all().iter().map(|it| it.name).collect(),
            Set::Tuned | Set::Practice | Set::Unseen => {
                self.tasks.iter().map(|it| it.name).collect()
            }
        }
    }

    /// The smallest model, the smallest window, a few tasks.
    fn quick(&mut self) {
        self.models = vec![MODELS[0].to_owned()];
        self.windows.truncate(1);
        self.limit = Duration::from_mins(3);
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--form" => self.form = Some(value.to_owned()),
            "--minutes" => self.limit = Duration::from_mins(number(value)?),
            "--window" => {
                let windows = value.split(',').map(number);
                self.windows = windows.collect::<Result<_, _>>()?;
            }
            "--side" => {
                self.sides = Side::ALL.to_vec();
                self.sides.retain(|side| side.name() == value);
                if self.sides.is_empty() {
                    return Err(format!("no side {value}"));
                }
            }
            "--set" => {
                self.set = Set::of_name(value).ok_or_else(|| format!("no set {value}"))?;
            }
            "--results" => self.results = Some(value.into()),
            "--table-from" => self.table_from = Some(value.into()),
            "--readme" => self.readme = Some(value.into()),
            _ => return Err(format!("unknown option {name}")),
        }
        Ok(())
    }
}

fn number<N: FromStr<Err: Display>>(text: &str) -> Result<N, String> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}
