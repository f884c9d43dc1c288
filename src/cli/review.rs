//! `review`: formats proposals and the results of decisions about them.

use super::arguments::ReviewVerb;
use super::editor::{check_terminal, in_editor};
use super::notes::with_input;
use super::table::Column;
use super::table::Kind::{Fixed, Spare, Text};
use super::text::{ShortIds, at, one_line, pairs, visible, when, word};
use super::trace::conflict_text;
use super::{Context, VerbOutput};
use crate::core::notes::Note;
use crate::core::review::ReviewDecision;
use crate::failure::{Code, Failure};
use crate::service::review::{self, ReviewReport, ShownProposal};
use crate::service::{PageQuery, check_reachable};

const CELL_CHARACTERS_MAX: usize = 60;

const COLUMNS: [Column; 6] = [
    ("TITLE", Text),
    ("NUMBER", Fixed),
    ("WANTED", Fixed),
    ("MADE", Fixed),
    ("WORKSPACE", Fixed),
    ("RUN", Spare),
];

pub(super) fn run(context: &Context, verb: ReviewVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        ReviewVerb::List(page) => list(context, page),
        ReviewVerb::Show { number } => context.answer(&review::show(session, number)?, text_of),
        ReviewVerb::Approve(which) => {
            let report = review::decide(session, which, ReviewDecision::Approve)?;
            reported(context, &report)
        }
        ReviewVerb::Reject { which, reason } => {
            let report = review::decide(session, which, ReviewDecision::Reject { reason })?;
            reported(context, &report)
        }
        ReviewVerb::Edit { number, changes } if changes.is_empty() => {
            edit_in_editor(context, number)
        }
        ReviewVerb::Edit { number, changes } => {
            let changes = with_input(context, changes)?;
            reported(context, &review::edit(session, number, changes)?)
        }
    }
}

fn list(context: &Context, page: PageQuery) -> Result<VerbOutput, Failure> {
    let waiting = review::list(&context.session, page)?;
    let runs = ShortIds::of(&waiting.runs);
    let workspaces = ShortIds::of(&waiting.workspaces);
    context.list(&waiting, &waiting.list, COLUMNS, |proposal| {
        [
            one_line(&proposal.note.title, CELL_CHARACTERS_MAX),
            proposal.number.to_string(),
            word(&proposal.wanted),
            when(proposal.made_at),
            workspaces.short(&proposal.note.workspace_id),
            runs.short(&proposal.run_id),
        ]
    })
}

fn reported(context: &Context, report: &ReviewReport) -> Result<VerbOutput, Failure> {
    context.answer_if(report.code.is_none(), report, report_text)
}

/// Approves a proposal with the edits that the person makes in an editor.
fn edit_in_editor(context: &Context, number: u64) -> Result<VerbOutput, Failure> {
    check_terminal()?;
    check_reachable(&context.session)?;
    let proposal = review::editable(&context.session, number)?;
    let edited = in_editor(context, &proposal.note, |text| {
        let number = number.to_string();
        let words = ["review", "edit", &number, "--markdown", "-"];
        super::answer_words(&context.with_input(text), &words)
    })?;
    edited.ok_or_else(|| {
        let message = "nothing was changed; the proposal goes on waiting";
        Failure::new(Code::Usage, message).only_hint("`review approve` takes it as it is.")
    })
}

fn text_of(shown: &ShownProposal) -> String {
    let (proposal, present) = (&shown.proposal, shown.present.as_ref());
    let note = &proposal.note;
    let version =
        |note: Option<&Note>| note.map_or_else(String::new, |note| note.version.to_string());
    let head = pairs(&[
        ("proposal", proposal.number.to_string()),
        ("wanted", word(&proposal.wanted)),
        ("note", note.id.to_string()),
        ("based on", version(proposal.base.as_ref())),
        ("is now", version(present)),
        ("run", proposal.run_id.to_string()),
        ("made", at(proposal.made_at)),
        ("title", visible(&note.title)),
        ("keywords", visible(&note.keywords.join(", "))),
        ("kind", visible(&note.note_kind)),
        ("workspace", note.workspace_id.to_string()),
    ]);
    let present = present.map(|note| format!("\n--- is now:\n{}", visible(&note.value)));
    let value = visible(&note.value);
    format!("{head}\n{value}\n{}", present.unwrap_or_default())
}

fn report_text(report: &ReviewReport) -> String {
    let decided = report.decided.iter().map(|decided| {
        let version = decided
            .version
            .map(|version| format!(", version {version}"));
        let (verdict, version) = (word(&decided.verdict), version.unwrap_or_default());
        format!("proposal {}: {verdict}{version}\n", decided.number)
    });
    let conflicts = report.conflicts.iter().map(|stale| {
        let number = stale.number;
        let conflict = conflict_text(&stale.conflict, "is proposed");
        format!(
            "proposal {number} waits (VERSION_CONFLICT): the note has changed in the same place\n\
             {conflict}\n\nhint: a note that was deleted comes back by `notes restore`; `review \
             reject {number}` lets the note be as it is; take over by `notes edit` what you want \
             of the proposal\n"
        )
    });
    let refused = report.refused.iter().map(|refused| {
        let (number, code, message) = (refused.number, refused.code, &refused.message);
        format!("proposal {number} is not decided ({code}): {message}\n")
    });
    let out: String = decided.chain(conflicts).chain(refused).collect();
    if out.is_empty() {
        return "nothing waits".to_owned();
    }
    out
}
