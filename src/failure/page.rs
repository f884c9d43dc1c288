//! The page of an error code, and the exit codes of the process.

/// The exit code of a process that ends with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Failed = 1,
    /// The command line was wrong.
    Usage = 2,
    /// The data is damaged.
    Corrupt = 65,
    Disk = 74,
    /// Another process holds the data folder.
    Locked = 75,
    /// Configuration, prompt or rules are invalid, or `data` is a link.
    Config = 78,
}

impl Exit {
    /// All exit codes, by number.
    pub const ALL: [Self; 6] = [
        Self::Failed,
        Self::Usage,
        Self::Corrupt,
        Self::Disk,
        Self::Locked,
        Self::Config,
    ];

    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the meaning in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Failed => "the thing asked for failed",
            Self::Usage => "the command line was wrong",
            Self::Corrupt => "the data is damaged",
            Self::Disk => "the disk failed",
            Self::Locked => "another process holds the data folder",
            Self::Config => "configuration, prompt or rules are invalid, or `data` is a link",
        }
    }
}

/// The page of one code: three paragraphs of a Markdown file.
#[derive(Clone, Copy, Debug)]
pub struct ErrorPage {
    pub what: &'static str,
    /// The reason why the program behaves so.
    pub why: &'static str,
    /// The advice; also the default hint of an error.
    pub hint: &'static str,
}

impl ErrorPage {
    /// Splits a page into its paragraphs: heading, error, reason, advice.
    // A test checks the form of every page.
    pub(super) fn read(text: &'static str) -> Self {
        let mut parts = text.trim_end().split("\n\n").skip(1);
        let mut next = || parts.next().unwrap_or_default();
        let (what, why, hint) = (next(), next(), next());
        Self {
            what,
            why,
            hint: hint.strip_prefix("Try: ").unwrap_or(hint),
        }
    }
}
