//! The grammar of `init`. Its doc comments are the help texts.

use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct InitOptions {
    /// The folder; else the root
    pub(in crate::cli) dir: Option<PathBuf>,
    /// Have the daemon start a small local model itself; the first time 1.1 GB are downloaded
    #[arg(long)]
    pub(in crate::cli) small_model: bool,
    /// Look for no model server
    #[arg(long, conflicts_with = "small_model")]
    pub(in crate::cli) offline: bool,
    /// Look at these addresses in place of the three usual ones, in their order
    #[arg(long, hide = true, value_name = "URL", conflicts_with_all = ["offline", "small_model"])]
    pub(in crate::cli) look_at: Vec<String>,
}
