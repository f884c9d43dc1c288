//! What a run owes for what was refused, and what settles it.

use super::{ActionResult, Bench, ResultItem, TARGET_CHARS, tools};
use crate::core::agent::result::REPLY;
use crate::core::journal::event::{InstructionDecided, Outcome};
use crate::core::notes::{Matcher, Note, Query, answers_to};
use crate::core::prompt::shorten;
use crate::core::protocol::{Diagnostic, Severity, Tag};
use crate::core::run::{Refused, Unsettled};
use crate::failure::Code;

impl Bench<'_> {
    /// Writes a refusal down: in the audit, in what the run owes, and for the model.
    pub(super) fn refuse(&mut self, entry: usize, refused: super::Refused) {
        let super::Refused {
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
        self.tell_refusal(&op, &target, refusal.code, refusal.message, items);
    }

    /// Writes down an instruction that the parser dropped, and tells the model, unless it only
    /// said again what another one says.
    pub(in crate::core::agent) fn dropped(&mut self, op: &str, diagnostic: &Diagnostic) {
        let op = shorten(op, TARGET_CHARS);
        let code = diagnostic.code;
        self.entries.push(InstructionDecided {
            op: op.clone(),
            target: String::new(),
            outcome: Outcome::Ignored,
            repaired: false,
            code: Some(code),
            proposed: false,
        });
        if diagnostic.severity <= Severity::Info {
            return;
        }
        let op = Tag::parse(&op).map_or(REPLY, Tag::name);
        let example = diagnostic.example.as_ref();
        let example = example.map(|example| example.text.to_string());
        let told = ActionResult::complaint(op, code, &diagnostic.message, example);
        let problem = shorten(&told.message, TARGET_CHARS);
        if let Some(told) = self.in_another_form(&problem, told) {
            self.told.add(told);
        }
    }

    /// Tells the model of a refusal.
    pub(super) fn tell_refusal(
        &mut self,
        op: &str,
        target: &str,
        code: Code,
        message: String,
        items: Vec<ResultItem>,
    ) {
        let told = ActionResult {
            op: op.to_owned(),
            target: target.to_owned(),
            code: Some(code),
            message,
            items,
            example: None,
            page: None,
        };
        if let Some(told) = self.in_another_form(target, told) {
            self.told.add(told);
        }
    }

    /// What is told of a refusal: the first time as it is, the second time that it is the second, and
    /// then nothing any more. Who reads the same again does the same again.
    fn in_another_form(&mut self, target: &str, told: ActionResult) -> Option<ActionResult> {
        let code = told.code?;
        let before = self.run.progress.times_refused(&told.op, target, code);
        self.progress.note_refusal(Refused {
            op: told.op.clone(),
            target: target.to_owned(),
            code,
            times: before.saturating_add(1),
        });
        self.refused_again |= before > 0;
        match before {
            0 => Some(told),
            1 => Some(told.told_again(code)),
            _ => None,
        }
    }

    /// Something was changed that the run has to show.
    pub(super) const fn note_change(&mut self) {
        self.has_changed = true;
        self.progress.note_change();
    }

    /// Counts an iteration that only repeated what had been refused before.
    pub(in crate::core::agent) const fn count_in_vain(&mut self) {
        let is_in_vain = self.refused_again && !self.has_changed;
        self.progress.in_vain = if is_in_vain {
            self.progress.in_vain.saturating_add(1)
        } else {
            0
        };
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
