//! The grammar of `runs`. Its doc comments are the help texts.

use super::Page;
use super::forms::run_state;
use crate::core::run::RunState;
use clap::Subcommand;

#[derive(Clone, Debug, Subcommand)]
pub(in crate::cli) enum RunsVerb {
    /// List the open runs, then the finished ones, each newest first, with what came of them: notes made
    /// (+), changed (~) and deleted (-), or the answer (?)
    List {
        /// Only those that stand so: queued, running, succeeded or failed
        #[arg(long, value_parser = run_state)]
        state: Option<RunState>,
        #[command(flatten)]
        page: Page,
    },
    /// Print a run record with what became of each instruction
    Show {
        /// The run's id, or the beginning of it
        run: String,
    },
    /// Follow a run until it has ended, and print what came of it
    Watch {
        /// The run's id; else the run that is under way, or the next one
        run: Option<String>,
    },
    /// Launch a run by hand and print its record; the loop gets to it in its turn
    Launch {
        /// What is asked for; `-` reads standard input
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        request: Option<String>,
        /// Stands for this launch: the same key never launches two
        #[arg(long, value_name = "KEY")]
        key: Option<String>,
    },
    /// End a run that waits or is under way; what it has done stands
    Cancel {
        /// The run's id, or the beginning of it
        run: String,
    },
    /// Try a failed run once more, under the same id
    Retry {
        /// The run's id, or the beginning of it
        run: String,
    },
    /// Take back what a run did to notes, RAM and /storage; what was written there since is kept, or
    /// stands against it
    Undo {
        /// The run's id, or the beginning of it
        run: String,
        /// Say what would happen, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}
