//! The grammar of `rehearse`. Its doc comments are the help texts.

use super::rules::time;
use crate::limits::{REHEARSAL_CALL_SECONDS_MAX, REHEARSAL_DAYS, REHEARSAL_DAYS_MAX};
use crate::time::Timestamp;
use clap::{Args, value_parser};
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct RehearseOptions {
    /// How many days
    #[arg(long, value_name = "N", default_value_t = REHEARSAL_DAYS,
          value_parser = value_parser!(u32).range(1..=i64::from(REHEARSAL_DAYS_MAX)))]
    pub(in crate::cli) days: u32,
    /// Begin at this time, as 2026-02-15T08:30:00Z; else now
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(in crate::cli) from: Option<Timestamp>,
    /// Play the replies of a script or of a conversation file, over and over; without FILE, those that
    /// this root has retained, by their rules. Else each run plans a step, writes a note and is content
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "the option stands alone or before a file"
    )]
    pub(in crate::cli) recorded: Option<Option<PathBuf>>,
    /// Take a call to last so long; else what those of this root have taken
    #[arg(long, value_name = "S", value_parser = value_parser!(u64).range(..=REHEARSAL_CALL_SECONDS_MAX))]
    pub(in crate::cli) call_seconds: Option<u64>,
}
