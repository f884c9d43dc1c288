//! Runs: what opened them, how far they are, how they ended.
