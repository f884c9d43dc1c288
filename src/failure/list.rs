//! The macro that turns the list of error codes into an enum.

macro_rules! codes {
    ($($variant:ident $text:literal $exit:ident $retryable:literal)*) => {
        /// A stable error code.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub enum Code {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $variant,)*
        }

        impl Code {
            /// All codes, in the order of `explain`'s list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Finds the code with that spelling, whatever its case.
            pub fn parse(text: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                all.find(|code| code.as_str().eq_ignore_ascii_case(text.trim()))
            }

            /// Returns the code as it is printed.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Returns the exit code of a process that ends with this error.
            pub const fn exit(self) -> $crate::failure::Exit {
                match self { $(Self::$variant => $crate::failure::Exit::$exit,)* }
            }

            /// Returns whether a repeat may work later without any change.
            pub const fn retryable(self) -> bool {
                match self { $(Self::$variant => $retryable,)* }
            }

            /// Returns the page that explains the code.
            pub fn page(self) -> $crate::failure::ErrorPage {
                $crate::failure::ErrorPage::read(match self {
                    $(Self::$variant => include_str!(concat!("../help/errors/", $text, ".md")),)*
                })
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
