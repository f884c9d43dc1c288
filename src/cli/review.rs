//! `review`: formats proposals and the results of decisions about them.

use super::arguments::ReviewVerb;
use super::context::Context;
use super::editor::{check_terminal, in_editor};
use super::notes::with_input;
use super::output::VerbOutput;
use super::record;
use super::short_ids::ShortIds;
use super::table::Kind::{Fixed, Spare, Text};
use super::table::{Column, Table};
use super::text::{add_line, one_line, pairs, visible};
use super::time_text::{at, when};
use super::undo::conflict_text;
use crate::core::notes::Note;
use crate::core::review::{Proposal, ReviewDecision};
use crate::failure::{Code, Failure};
use crate::service::check_reachable;
use crate::service::review::{self, ReviewReport, ShownProposal, WaitingProposals, WhichProposals};

/// The most characters of a title in a row.
const CELL_CHARACTERS_MAX: usize = 60;

/// The columns of the list of proposals.
const COLUMNS: [Column; 6] = [
    ("TITLE", Text),
    ("NUMBER", Fixed),
    ("WANTED", Fixed),
    ("MADE", Fixed),
    ("WORKSPACE", Fixed),
    ("RUN", Spare),
];

/// Runs one of the verbs.
pub(super) fn run(context: &Context, verb: ReviewVerb) -> Result<VerbOutput, Failure> {
    let session = &context.session;
    match verb {
        ReviewVerb::List(page) => list(context, &review::list(session, page)?),
        ReviewVerb::Show { number } => {
            let shown = review::show(session, number)?;
            context.answer(&shown, || text_of(&shown))
        }
        ReviewVerb::Approve(which) => decide(context, which, ReviewDecision::Approve),
        ReviewVerb::Reject { which, reason } => {
            decide(context, which, ReviewDecision::Reject { reason })
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

fn list(context: &Context, waiting: &WaitingProposals) -> Result<VerbOutput, Failure> {
    let list = &waiting.list;
    context.list_with(waiting, list, "", || {
        let ids = [
            ShortIds::of(&waiting.runs),
            ShortIds::of(&waiting.workspaces),
        ];
        Table::new(COLUMNS, list.items.iter().map(|it| row(it, &ids)))
    })
}

fn decide(
    context: &Context,
    which: WhichProposals,
    asked: ReviewDecision,
) -> Result<VerbOutput, Failure> {
    reported(context, &review::decide(&context.session, which, asked)?)
}

fn reported(context: &Context, report: &ReviewReport) -> Result<VerbOutput, Failure> {
    let answer = context.answer(report, || report_text(report))?;
    Ok(answer.ok_if(report.code.is_none()))
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
        let failure = Failure::new(
            Code::Usage,
            "nothing was changed; the proposal goes on waiting",
        );
        failure.only_hint("`review approve` takes it as it is.")
    })
}

fn row(proposal: &Proposal, [runs, spaces]: &[ShortIds; 2]) -> [String; 6] {
    [
        one_line(&proposal.note.title, CELL_CHARACTERS_MAX),
        proposal.number.to_string(),
        record::word(&proposal.wanted),
        when(proposal.made_at),
        spaces.short(&proposal.note.workspace_id),
        runs.short(&proposal.run_id),
    ]
}

fn text_of(shown: &ShownProposal) -> String {
    let proposal = &shown.proposal;
    let base = proposal.base.as_ref();
    let version = |note: &Note| note.version.to_string();
    let head = pairs(&[
        ("proposal", proposal.number.to_string()),
        ("wanted", record::word(&proposal.wanted)),
        ("note", proposal.note.id.to_string()),
        ("based on", base.map(version).unwrap_or_default()),
        (
            "is now",
            shown.present.as_ref().map(version).unwrap_or_default(),
        ),
        ("run", proposal.run_id.to_string()),
        ("made", at(proposal.made_at)),
        ("title", visible(&proposal.note.title)),
        ("keywords", visible(&proposal.note.keywords.join(", "))),
        ("kind", visible(&proposal.note.note_kind)),
        ("workspace", proposal.note.workspace_id.to_string()),
    ]);
    let present = shown.present.as_ref();
    let present = present.map(|note| format!("\n--- is now:\n{}", visible(&note.value)));
    let value = visible(&proposal.note.value);
    format!("{head}\n{value}\n{}", present.unwrap_or_default())
}

fn report_text(report: &ReviewReport) -> String {
    let mut out = String::new();
    for decided in &report.decided {
        let verdict = record::word(&decided.verdict);
        let (number, version) = (decided.number, decided.version);
        let version = version.map(|version| format!(", version {version}"));
        let version = version.unwrap_or_default();
        let line = format_args!("proposal {number}: {verdict}{version}");
        add_line(&mut out, line);
    }
    for stale in &report.conflicts {
        let number = stale.number;
        let conflict = conflict_text(&stale.conflict, "is proposed");
        add_line(
            &mut out,
            format_args!(
                "proposal {number} waits (VERSION_CONFLICT): the note has changed in the same place\n{conflict}\n\
             hint: a note that was deleted comes back by `notes restore`; `review reject {number}` lets the \
             note be as it is; take over by `notes edit` what you want of the proposal"
            ),
        );
    }
    for refused in &report.refused {
        let (number, code, message) = (refused.number, refused.code, &refused.message);
        let line = format_args!("proposal {number} is not decided ({code}): {message}");
        add_line(&mut out, line);
    }
    if out.is_empty() {
        "nothing waits".clone_into(&mut out);
    }
    out
}
