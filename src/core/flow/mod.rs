//! Workflows: what a person wrote as steps, and the pure decision what comes next.

pub mod template;
