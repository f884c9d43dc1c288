//! The journal's language: events, commits and their chain, and how an event changes the state.
