//! What stands on the page of a code, and the exit codes of the process. Holds no texts.

/// What a process that ends with an error tells its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 1: the thing asked for failed.
    Failed,
    /// 2: the command line was wrong.
    Usage,
    /// 65: the data is damaged.
    Corrupt,
    /// 74: the disk failed.
    Disk,
    /// 75: another process holds the data folder.
    Locked,
    /// 78: configuration, prompt or rules are invalid, or `data` is a link.
    Config,
}

impl Exit {
    /// The number that the process returns.
    pub const fn number(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Corrupt => 65,
            Self::Disk => 74,
            Self::Locked => 75,
            Self::Config => 78,
        }
    }
}

/// The page of one code.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// What happened, in one sentence.
    pub what: &'static str,
    /// Why the program behaves so.
    pub why: &'static str,
    /// What to try; also the default hint of an error.
    pub hint: &'static str,
    /// Whether the same thing may work later without any change.
    pub retryable: bool,
    /// The exit code of a process that ends with it.
    pub exit: Exit,
}
