//! What a run owes for what was refused, and what settles it.

use super::{Bench, Refused, tools};
use crate::core::journal::event::Outcome;
use crate::core::notes::{Matcher, Note, Query, answers_to};
use crate::core::protocol::Tag;
use crate::core::run::Unsettled;
use crate::failure::Code;

impl Bench<'_> {
    /// Writes a refusal down: in the audit, in what the run owes, and for the model.
    pub(super) fn refuse(&mut self, entry: usize, refused: Refused) {
        let Refused {
            refusal,
            items,
            instead,
        } = refused;
        let Some(noted) = self.entries.get_mut(entry) else {
            return;
        };
        noted.outcome = Outcome::Rejected;
        noted.code = Some(refusal.code);
        let (op, target) = (noted.op.clone(), noted.target.clone());
        let owed = Unsettled {
            op: op.clone(),
            target: target.clone(),
            code: refusal.code,
            instead,
        };
        // Nothing is lost by a look that found nothing, so nothing is owed for it.
        if !tools::is_look(&op) && !self.progress.unsettled.contains(&owed) {
            self.progress.unsettled.push(owed);
        }
        self.tell(&op, target, Some(refusal.code), refusal.message, items);
    }

    /// Crosses off what was owed under this target, by whatever name the note was called then. A
    /// name that meant no single note meant one that a search for it finds. An update of the note
    /// that a new one was refused for settles that one.
    pub(super) fn settle_owed(&mut self, op: &str, target: &str, base: Option<&Note>) {
        self.progress.unsettled.retain(|owed| {
            let unresolved = matches!(owed.code, Code::RecordNotFound | Code::RecordKeyAmbiguous);
            let is_meant = |note: &Note| {
                let query = Query::parse(&owed.target);
                answers_to(note, &owed.target)
                    || unresolved && Matcher::new(&query).score(note).is_some()
            };
            let same = owed.op == op && (owed.target == target || base.is_some_and(is_meant));
            let instead = op == Tag::RecordUpdate.name()
                && owed
                    .instead
                    .is_some_and(|id| base.is_some_and(|base| base.id == id));
            !same && !instead
        });
    }
}
