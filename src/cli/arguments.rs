//! The grammar of the command line. Its doc comments are the help texts. Checks forms only; the
//! verbs check existence and permission.

mod examples;
mod forms;
mod init;
mod notes;
mod reading;
mod rehearse;
mod review;
mod rules;
mod runs;

#[cfg(test)]
pub(super) use examples::words_of;
pub(super) use forms::Since;
pub(super) use init::InitOptions;
pub(super) use notes::{ExportOptions, FieldChanges, ImportOptions, NoteFields, NotesVerb};
pub(super) use reading::{grammar, read};
pub(super) use rehearse::RehearseOptions;
pub(super) use review::{ReviewVerb, Which};
pub(super) use rules::{NewRule, RuleEvent, RulesVerb};
pub(super) use runs::RunsVerb;

use crate::core::agent::LoopState;
use crate::service::{self, PAGE_ITEMS};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use forms::{loop_state, since};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading of the options of every verb in the help of each.
const GLOBAL: &str = "Global options";

/// A note-keeping agent beside a small local language model
///
/// Without a verb it runs as `daemon`. Data goes to standard output, talk to standard error. Warnings are said
/// there in both formats; with `--format json` each is a line {"warning": {"message": ...}}.
#[derive(Debug, Parser)]
#[command(name = "kjxlkj-agent", version, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// The folder to work in; else `$KJXLKJ_ROOT`, else the nearest folder from the working directory
    /// upwards that holds `data/config.json`, else the working directory
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// How data and errors are printed
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Say more; may be repeated
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Say less; may be repeated
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(super) quiet: u8,
    /// The verb and its options
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

/// How data and errors are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

impl Format {
    /// Returns the word that selects it on the command line.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum Verb {
    /// Run in the foreground until SIGTERM or SIGINT; SIGHUP reads configuration and prompt again
    Daemon,
    /// End the daemon of this root and wait until it has ended; fine where none runs
    Stop,
    /// Write the default configuration, prompt, rules and launcher; never overwrites
    ///
    /// A new configuration names the model server that answers on this machine: LM Studio at port 1234, Ollama
    /// at 11434 or llama-server at 8080, in this order.
    Init(InitOptions),
    /// Run exactly one iteration of the open run, or of a new one, and print the run record
    Once {
        /// Open a run for this request
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        task: Option<String>,
    },
    /// Run one run to its end and print the run record
    Run {
        /// Open a run for this request
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        task: Option<String>,
        /// Bound the run's iterations, whatever the configuration says
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        max_iterations: Option<u32>,
    },
    /// Drop a request into the inbox and print the id that its run will have
    Ask {
        /// Wait until its run has ended, and print its answer, or the notes that it made (+), changed (~)
        /// and deleted (-)
        #[arg(long)]
        wait: bool,
        /// The request, in one word or several, behind `--` where it begins with a hyphen; `-` reads
        /// standard input
        #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Show the main job on a scratch folder
    Demo {
        /// Use the recording, even where a model could be had
        #[arg(long)]
        recorded: bool,
        /// Keep the conversation, in `data/conversations` of the scratch folder
        #[arg(long)]
        retain: bool,
    },
    /// Show state, runs, RAM size, prompt size and the last failures
    Status,
    /// Check configuration, folder and what can be written in it, model server and clock
    Doctor {
        /// Try each forbidden thing in a scratch folder and tell which guard fired
        #[arg(long)]
        prove: bool,
    },
    /// Ask a provider directly and print its answer; nothing of it takes effect
    Call(CallOptions),
    /// Show, check and describe the configuration
    #[command(subcommand)]
    Config(ConfigVerb),
    /// Look into RAM and change it
    #[command(subcommand)]
    Ram(RamVerb),
    /// Look into the notes and change them
    #[command(subcommand)]
    Notes(NotesVerb),
    /// Look at automation rules, change and launch them
    #[command(subcommand)]
    Rules(RulesVerb),
    /// Look at runs, cancel them, try them again
    #[command(subcommand)]
    Runs(RunsVerb),
    /// Decide on what runs propose in mode `reviewed`
    #[command(subcommand)]
    Review(ReviewVerb),
    /// Read and check the tamper-evident trail
    #[command(subcommand)]
    Audit(AuditVerb),
    /// Show what happened in a run, step by step: calls, instructions, refusals, and what was written
    Trace {
        /// The run's id, or the beginning of it
        run: String,
    },
    /// Read and decide the retained replies of a run again, and compare with the journal
    Replay {
        /// The run's id, or the beginning of it
        run: String,
    },
    /// Run the rules and the configuration through the days to come, without waiting, asking or
    /// changing anything: on a copy in memory, with a model that plays a script
    Rehearse(RehearseOptions),
    /// Take back what runs did to notes, RAM and /storage since a time; what people did stands
    Undo {
        /// RFC 3339, as 2026-01-31T08:00:00Z; or how long ago, as 90s, 30m, 2h, 7d
        #[arg(long, value_name = "TIME", value_parser = since)]
        since: Since,
        /// Say what would happen, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Show why a note is as it is: for each version run, model, prompt and instruction, and the
    /// later prompts that it stood in; also of a deleted note by its id
    Why {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
    },
    /// Parse model text without applying it
    Parse(ParseOptions),
    /// Show the next prompt with an estimate of its tokens
    Prompt {
        /// The prompt of this state instead of the present one
        #[arg(long, value_parser = loop_state)]
        state: Option<LoopState>,
    },
    /// Files for a service manager
    #[command(subcommand)]
    Service(ServiceVerb),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Explain an error code; without one, list all
    Explain {
        /// The code
        code: Option<String>,
    },
    /// Print the help of a verb or a topic; without a word, list both
    Help {
        /// A verb with its parts, as `notes add`, or a topic, as `start`
        #[arg(value_name = "VERB|TOPIC")]
        words: Vec<String>,
    },
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum ServiceVerb {
    /// Print a hardened unit file for systemd, for this program and this root
    Unit {
        /// One that runs without an administrator, as a service of your own
        #[arg(long)]
        user: bool,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum ConfigVerb {
    /// Show every key with its value in force and where it came from
    Show,
    /// Print the value in force of one key
    Get {
        /// The key with dots, as provider.model
        key: String,
    },
    /// Set one key in data/config.json, once the whole file was checked; nothing else in it changes
    ///
    /// A daemon that runs takes it before its next step; keys that wait for its next start are named.
    Set {
        /// The key with dots, as provider.model
        key: String,
        /// The value: text as it stands, anything else as JSON; `-` reads standard input
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Check configuration and prompt; tell every problem at once
    Check,
    /// Print a JSON Schema of the configuration
    Schema,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum RamVerb {
    /// List keys and values
    List(Page),
    /// Print the value of a key
    Get {
        /// The key
        key: String,
    },
    /// Set a key
    Set {
        /// The key
        key: String,
        /// The value: text, or a JSON object or array; `-` reads standard input
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Delete a key; a required key is emptied
    Delete {
        /// The key
        key: String,
    },
    /// Print RAM and /storage as one JSON document
    Export,
}

#[derive(Clone, Debug, Args)]
pub(super) struct CallOptions {
    /// A name from `providers`, the kind of `provider`, or a known program such as `claude`
    pub(super) provider: String,
    /// The question; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    pub(super) prompt: String,
    /// Words that go before it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) system: Option<String>,
    /// Ask this model
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// The sampling temperature, from 0 to 2
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(super) temperature: Option<f64>,
    /// The most tokens of the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_tokens: Option<u32>,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum AuditVerb {
    /// List what became of each instruction, oldest first; without `--offset`, the last ones
    List {
        /// Only those of this run
        #[arg(long)]
        run: Option<String>,
        #[command(flatten)]
        page: Page,
    },
    /// Check every line of the journal
    Verify,
    /// Print the last commit's number and hash, to be kept elsewhere
    Head,
}

/// The part of a list to show.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Page {
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = PAGE_ITEMS)]
    pub(super) limit: usize,
    /// Leave out so many first
    #[arg(long, value_name = "N")]
    pub(super) offset: Option<usize>,
}

impl From<Page> for service::Page {
    fn from(page: Page) -> Self {
        let Page { limit, offset } = page;
        Self { limit, offset }
    }
}

#[derive(Clone, Debug, Args)]
pub(super) struct ParseOptions {
    /// The file; else standard input
    pub(super) file: Option<PathBuf>,
    /// Refuse whatever would have to be repaired
    #[arg(long)]
    pub(super) strict: bool,
    /// Read the text as one that the server cut off
    #[arg(long)]
    pub(super) truncated: bool,
}

/// Returns whether the words ask for JSON, for a command line that cannot be parsed.
pub(super) fn wants_json(words: &[OsString]) -> bool {
    let follows =
        |pair: &[OsString]| matches!(pair, [name, value] if name == "--format" && value == "json");
    words.iter().any(|word| word == "--format=json") || words.windows(2).any(follows)
}

#[cfg(test)]
mod tests {
    use super::grammar;

    #[test]
    fn the_grammar_is_sound() {
        grammar().debug_assert();
    }
}
