//! The seal of a value that passed the guard.
//! Its field is private to this file, so nothing else can make one, and only sealed changes can
//! become events.

/// A value that the guard approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved<T>(T);

impl<T> Approved<T> {
    /// Returns the value.
    pub const fn get(&self) -> &T {
        &self.0
    }

    /// Returns the value without its seal.
    pub(super) fn into_inner(self) -> T {
        self.0
    }

    /// Seals a value that has just been checked.
    pub(super) const fn seal(value: T) -> Self {
        Self(value)
    }
}

/// Seals a value from the journal.
/// It was checked before it was committed, and the hash chain shows that nobody has changed it
/// since.
pub(in crate::core) const fn replayed<T>(value: T) -> Approved<T> {
    Approved(value)
}
