//! How the list of error codes becomes an enum with a page for each. Holds no code itself.

macro_rules! codes {
    ($($variant:ident $text:literal $exit:ident $retryable:literal { $what:literal $why:literal $hint:literal })*) => {
        /// A stable error code.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub enum Code {
            $(#[doc = $what] #[serde(rename = $text)] $variant,)*
        }

        impl Code {
            /// Every code, in the order of `explain`'s list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code with that spelling.
            pub fn parse(text: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                all.find(|code| code.as_str().eq_ignore_ascii_case(text.trim()))
            }

            /// The code as it is printed.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The page that explains it.
            pub const fn page(self) -> $crate::failure::Page {
                match self {
                    $(Self::$variant => $crate::failure::Page {
                        what: $what, why: $why, hint: $hint,
                        retryable: $retryable, exit: $crate::failure::Exit::$exit,
                    },)*
                }
            }
        }

        impl std::fmt::Display for Code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(super) use codes;
