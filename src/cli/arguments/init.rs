//! The grammar of `init`. Its doc comments are the help.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct InitOptions {
    /// The folder; else the root
    pub(in crate::cli) dir: Option<PathBuf>,
    /// Have the daemon start a small local model itself; the first time 1.1 GB are downloaded
    #[arg(long)]
    pub(in crate::cli) small_model: bool,
}
