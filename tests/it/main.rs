//! The one test binary: pure core, the real loop in-process, and a few tests of the real program.

mod protocol;
