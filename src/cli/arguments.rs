//! The grammar of the command line. Its doc comments are the help texts, also those of the
//! services' requests. Checks forms only; the verbs check existence and permission.

mod examples;
mod reading;

#[cfg(test)]
pub(super) use examples::words_of;
pub(super) use reading::{SpanStart, grammar, read};

use crate::core::agent::LoopState;
use crate::limits::{REHEARSAL_CALL_SECONDS_MAX, REHEARSAL_DAYS, REHEARSAL_DAYS_MAX};
use crate::service::PageQuery;
use crate::service::agents::NamedAgent;
use crate::service::audit::ListAudit;
use crate::service::import::ImportNotes;
use crate::service::notes::{
    AddNote, DiffNote, EditNote, NamedNote, NoteChanges, NoteHistory, NoteSelector, SearchNotes,
};
use crate::service::ram::{NamedKey, SetKey};
use crate::service::review::WhichProposals;
use crate::service::rules::{NamedRule, RuleParts, TriggerRule};
use crate::service::runs::{LaunchRun, ListRuns, NamedRun};
use crate::time::Timestamp;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use reading::{loop_state, since, time};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading of the options of every verb in the help of each.
const GLOBAL: &str = "Global options";

/// A note-keeping agent beside a small local language model
///
/// Without a verb it runs as `daemon`. Data goes to standard output, messages to standard error. Warnings are
/// printed there in both formats; with `--format json` each is a line {"warning": {"message": ...}}.
#[derive(Debug, Parser)]
#[command(name = "kjxlkj-agent", version, disable_help_subcommand = true)]
pub(super) struct Arguments {
    /// The folder to work in; else `$KJXLKJ_ROOT`, else the nearest folder from the working directory
    /// upwards that holds `data/config.json`, else the working directory
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(super) root: Option<PathBuf>,
    /// The format of data and errors
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Print more messages; may be repeated
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Print fewer messages; may be repeated
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(super) quiet: u8,
    /// The verb and its options
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

/// The format of data and errors.
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
    /// Stop the daemon of this root and wait until it has ended; no error if none runs
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
    Run(RunOptions),
    /// Put a request into the inbox and print the id that its run will have
    Ask {
        /// Wait until its run has ended, and print its answer, or the notes that it created (+), changed (~)
        /// and deleted (-)
        #[arg(long)]
        wait: bool,
        /// The request, in one word or several, behind `--` where it begins with a hyphen; `-` reads
        /// standard input
        #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Show what the program does, in a scratch folder
    Demo(DemoOptions),
    /// Show state, runs, RAM size, prompt size and the last failures
    Status,
    /// Check the configuration, the folder and its permissions, the model server and the clock
    Doctor {
        /// Try each forbidden action in a scratch folder and report which guard stopped it
        #[arg(long)]
        prove: bool,
    },
    /// Ask a provider directly and print its answer; nothing in it takes effect
    Call(CallOptions),
    /// Show, check and describe the configuration
    #[command(subcommand)]
    Config(ConfigVerb),
    /// Show and change RAM
    #[command(subcommand)]
    Ram(RamVerb),
    /// Show and change notes
    #[command(subcommand)]
    Notes(NotesVerb),
    /// Show, change and launch automation rules
    #[command(subcommand)]
    Rules(RulesVerb),
    /// Show agents, and give them tasks
    #[command(subcommand, visible_alias = "agent")]
    Agents(AgentsVerb),
    /// Show, cancel and retry runs
    #[command(subcommand)]
    Runs(RunsVerb),
    /// Decide on the changes that runs propose in mode `reviewed`
    #[command(subcommand)]
    Review(ReviewVerb),
    /// Show and check the tamper-evident audit trail
    #[command(subcommand)]
    Audit(AuditVerb),
    /// Show what happened in a run, step by step: calls, instructions, refusals, and what was written
    Trace(NamedRun),
    /// Parse and decide the retained replies of a run again, and compare the result with the journal
    Replay(NamedRun),
    /// Try the rules and the configuration on the days to come, without waiting, calling a model or
    /// changing anything: on a copy in memory, with a scripted model
    Rehearse(RehearseOptions),
    /// Undo the changes of runs to notes, RAM and /storage since a time; changes by people stay
    Undo {
        /// RFC 3339, as 2026-01-31T08:00:00Z; or how long ago, as 90s, 30m, 2h, 7d
        #[arg(long, value_name = "TIME", value_parser = since)]
        since: SpanStart,
        /// Print what would be changed, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Show where each version of a note comes from: its run, model, prompt and instruction, and the
    /// later prompts that contained it; also of a deleted note by its id
    Why(NamedNote),
    /// Parse model text without applying it
    Parse(ParseOptions),
    /// Show the next prompt with an estimate of its tokens
    Prompt {
        /// The prompt of this state instead of the current one
        #[arg(long, value_parser = loop_state)]
        state: Option<LoopState>,
    },
    /// Print files for a service manager
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
        /// Print a unit file for a user service, which needs no administrator
        #[arg(long)]
        user: bool,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum ConfigVerb {
    /// Show every key with its value in force and its source
    Show,
    /// Print the value in force of one key
    Get {
        /// The key with dots, as provider.model
        key: String,
    },
    /// Set one key in data/config.json after a check of the whole file; nothing else in it changes
    ///
    /// A running daemon uses it before its next step; keys that wait for its next start are named.
    Set {
        /// The key with dots, as provider.model
        key: String,
        /// The value: text as it stands, anything else as JSON; `-` reads standard input
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Check configuration and prompt, and report every problem at once
    Check,
    /// Print a JSON Schema of the configuration
    Schema,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum RamVerb {
    /// List keys and values
    List(PageQuery),
    /// Print the value of a key
    Get(NamedKey),
    /// Set a key
    Set(SetKey),
    /// Delete a key; a required key is emptied
    Delete(NamedKey),
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
    /// A system message that goes before it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) system: Option<String>,
    /// Ask this model
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// The sampling temperature, from 0 to 2
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(super) temperature: Option<f64>,
    /// The maximum number of tokens of the answer
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(super) max_tokens: Option<u32>,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum AuditVerb {
    /// List the outcome of each instruction, oldest first; without `--offset`, the last ones
    List(ListAudit),
    /// Check every line of the journal
    Verify,
    /// Print the number and hash of the last commit, to be kept elsewhere
    Head,
}

#[derive(Clone, Debug, Args)]
pub(super) struct RunOptions {
    /// Open a run for this request
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) task: Option<String>,
    /// The maximum number of iterations, in place of `loop.max_iterations`
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(super) max_iterations: Option<u32>,
    // Whether it ends after one iteration, which is the verb `once`.
    #[arg(skip)]
    pub(super) is_once: bool,
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct DemoOptions {
    /// Play the recorded conversation, even if a model is available
    #[arg(long)]
    pub(super) recorded: bool,
    /// Keep the conversation, in `data/conversations` of the scratch folder
    #[arg(long)]
    pub(super) retain: bool,
}

#[derive(Clone, Debug, Args)]
pub(super) struct InitOptions {
    /// The folder; else the root
    pub(super) dir: Option<PathBuf>,
    /// Have the daemon start a small local model itself; the first time 1.1 GB are downloaded
    #[arg(long)]
    pub(super) small_model: bool,
    /// Do not look for a model server
    #[arg(long, conflicts_with = "small_model")]
    pub(super) offline: bool,
    /// Try these addresses in this order, in place of the three usual ones
    #[arg(long, hide = true, value_name = "URL", conflicts_with_all = ["offline", "small_model"])]
    pub(super) look_at: Vec<String>,
}

#[derive(Clone, Debug, Args)]
pub(super) struct RehearseOptions {
    /// The number of days
    #[arg(long, value_name = "N", default_value_t = REHEARSAL_DAYS,
          value_parser = value_parser!(u32).range(1..=i64::from(REHEARSAL_DAYS_MAX)))]
    pub(super) days: u32,
    /// The time of the beginning, as 2026-02-15T08:30:00Z; else now
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) from: Option<Timestamp>,
    /// Play the replies of a script or of a conversation file, over and over; without FILE, the
    /// retained replies of this root, by their rules. By default each run plans a step, writes a note
    /// and ends
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "the option stands alone or before a file"
    )]
    pub(super) recorded: Option<Option<PathBuf>>,
    /// The duration of a call; else the usual one of this root
    #[arg(long, value_name = "S", value_parser = value_parser!(u64).range(..=REHEARSAL_CALL_SECONDS_MAX))]
    pub(super) call_seconds: Option<u64>,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum NotesVerb {
    /// List the notes, last changed first
    List {
        /// The deleted ones, last deleted first, as far back as the journal is kept
        #[arg(long)]
        deleted: bool,
        #[command(flatten)]
        page: PageQuery,
    },
    /// Print a note
    Show(NoteSelector),
    /// Find the notes that contain every word of a query, best first; if there is none, those with most
    /// of the words
    Search(SearchNotes),
    /// Add a note and print it
    Add(AddNote),
    /// Change fields of a note and print it; without any, edit it in `$VISUAL` or `$EDITOR`
    Edit(EditNote),
    /// Delete a note; its history stays, and the command that restores it is printed
    Delete(NamedNote),
    /// List every version of a note, oldest first, also of a deleted one by its id
    History(NoteHistory),
    /// Print the unified diff between two versions of a note, also of a deleted one by its id
    Diff(DiffNote),
    /// Restore an earlier version of a note as its next one, also of a deleted note by its id
    Restore {
        /// Its id, title or exact keywords
        #[arg(allow_hyphen_values = true)]
        note: String,
        /// The version; else the one before the last change
        #[arg(long, value_name = "N")]
        version: Option<u64>,
    },
    /// List the issues that were flagged in notes
    Issues(PageQuery),
    /// Export notes as Markdown with front matter or as JSON Lines
    Export(ExportOptions),
    /// Import notes from Markdown files, from folders of them, or from JSON
    Import(ImportNotes),
}

#[derive(Clone, Debug, Args)]
pub(super) struct ExportOptions {
    /// Only these notes: id, title or exact keywords
    #[arg(value_name = "NOTE")]
    pub(super) notes: Vec<String>,
    /// The target: a folder for Markdown, a file for JSON or for one note; `-` is standard output
    #[arg(long, value_name = "PLACE")]
    pub(super) to: Option<PathBuf>,
    /// JSON Lines: one note a line, as its file holds it
    #[arg(long)]
    pub(super) json: bool,
    /// Replace existing files
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum RulesVerb {
    /// List the rules, with the next time of each schedule
    List(PageQuery),
    /// Print a rule
    Show(NamedRule),
    /// Add a rule and print it; ids and times that are left out are filled in
    Add(NewRule),
    /// Remove a rule; its runs that have not ended fail
    Remove(NamedRule),
    /// Enable a rule
    Enable(NamedRule),
    /// Disable a rule: it opens no runs
    Disable(NamedRule),
    /// Open a run by a rule, and print its record; the same event again prints the same run
    Trigger(TriggerRule),
    /// Compute the times of all schedules again and compare them with their records
    Reconcile {
        /// After this time, or after a time so long ago, such as 2h; else from the beginning of the journal
        #[arg(long, value_name = "TIME", value_parser = since)]
        from: Option<SpanStart>,
        /// Up to this time, or to a time so long ago; else now
        #[arg(long, value_name = "TIME", value_parser = since)]
        to: Option<SpanStart>,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum AgentsVerb {
    /// List the agents in `data/agents`
    List(PageQuery),
    /// Print an agent, with the words that its prompts begin with
    #[command(visible_alias = "info")]
    Show(NamedAgent),
    /// Open a run of an agent and print its record; it is worked on in its turn
    Run {
        /// The agent's id: the name of its file without the ending
        agent: String,
        /// The task, in one word or several, behind `--` where it begins with a hyphen; `-` reads standard
        /// input
        #[arg(required = true, value_name = "TASK", allow_negative_numbers = true)]
        words: Vec<String>,
        /// The idempotency key: the same key never opens two runs of one agent
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
        /// Let the run wait while another run of the agent is open
        #[arg(long)]
        queue: bool,
        /// Wait until the run has ended, and print its result
        #[arg(long)]
        wait: bool,
    },
}

/// A rule to add: as a whole, or by its parts.
#[derive(Clone, Debug, Args)]
pub(super) struct NewRule {
    /// The rule, a JSON object as it stands in the file; `-` reads standard input
    #[arg(
        required_unless_present_any = ["cron", "on"],
        conflicts_with_all = ["cron", "on", "timezone", "ask"]
    )]
    pub(super) rule: Option<String>,
    #[command(flatten)]
    pub(super) parts: RuleParts,
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum RunsVerb {
    /// List the open runs, then the finished ones, each newest first, with their results: notes created
    /// (+), changed (~) and deleted (-), or the answer (?)
    List(ListRuns),
    /// Print a run record with the outcome of each instruction
    Show(NamedRun),
    /// Follow a run until it has ended, and print its result
    Watch {
        /// The id of the run; else the run that is under way, or the next one
        run: Option<String>,
    },
    /// Launch a run by hand and print its record; it is worked on in its turn
    Launch(LaunchRun),
    /// Cancel a run that waits or is under way; its changes stay
    Cancel(NamedRun),
    /// Retry a failed run, under the same id
    Retry(NamedRun),
    /// Undo the changes of a run to notes, RAM and /storage; later changes are kept, or reported as
    /// conflicts
    Undo {
        #[command(flatten)]
        run: NamedRun,
        /// Print what would be changed, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Clone, Debug, Subcommand)]
pub(super) enum ReviewVerb {
    /// List the proposals that wait, oldest first
    List(PageQuery),
    /// Print a proposal and the note as it is now
    Show {
        /// Its number
        number: u64,
    },
    /// Approve proposals; if a note has changed since, both changes are merged, or both texts are
    /// shown and the proposal goes on waiting
    Approve(WhichProposals),
    /// Approve a proposal with changes of your own; without any, edit it in `$VISUAL` or `$EDITOR`
    Edit {
        /// Its number
        number: u64,
        #[command(flatten)]
        changes: NoteChanges,
    },
    /// Reject proposals
    Reject {
        #[command(flatten)]
        which: WhichProposals,
        /// The reason, which the model is told
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
}

#[derive(Clone, Debug, Args)]
pub(super) struct ParseOptions {
    /// The file; else standard input
    pub(super) file: Option<PathBuf>,
    /// Refuse everything that would have to be repaired
    #[arg(long)]
    pub(super) strict: bool,
    /// Parse the text as one that the server cut off
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
