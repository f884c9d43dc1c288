//! `review`: a person's word on what runs propose, singly or in bulk. Each decision is one commit; what
//! stands against one is told, and the others go on.

use super::arguments::{FieldChanges, ReviewVerb, Which};
use super::context::Context;
use super::editor::check_terminal;
use super::hand_over::or_hand_over;
use super::notes_change::{changes_of, in_editor};
use super::output::Answer;
use super::record;
use super::short_ids::ShortIds;
use super::table::{Column, Table};
use super::text::{one_line, pairs, visible};
use super::undo::conflict_text;
use super::when::{at, when};
use crate::core::journal::State;
use crate::core::journal::event::ProposalsChanged;
use crate::core::journal::{Cause, Event, REVIEW};
use crate::core::notes::Note;
use crate::core::review::{Asked, Decided, Edits, Proposal, Reviewed, check_editable, review};
use crate::core::undo::Conflict;
use crate::daemon::{ChangeContext, DraftParts};
use crate::failure::{Code, Failure};
use crate::service::{List, change_each, check_reachable, warn_of_ids};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Characters of a title that a row shows.
const CELL_CHARACTERS_MAX: usize = 60;

/// What the list of proposals shows.
const COLUMNS: [Column; 6] = [
    Column::text("TITLE"),
    Column::fixed("NUMBER"),
    Column::fixed("WANTED"),
    Column::fixed("MADE"),
    Column::fixed("WORKSPACE"),
    Column::spare("RUN"),
];

/// A proposal beside the note as it is.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    proposal: &'a Proposal,
    present: Option<&'a Note>,
}

/// What came of a person's word.
#[derive(Debug, Default, Serialize)]
struct Report {
    decided: Vec<Decided>,
    /// Those that go on waiting: both texts.
    conflicts: Vec<Stale>,
    /// Those that could not be decided, and why.
    refused: Vec<Refused>,
    /// That of the first that stands against one of them.
    code: Option<Code>,
}

#[derive(Debug, Serialize)]
struct Refused {
    number: u64,
    code: Code,
    message: String,
}

/// What came of a person's word on one proposal.
enum Outcome {
    Done(Decided),
    Stale(Stale),
    Refused(Refused),
}

#[derive(Debug, Serialize)]
struct Stale {
    number: u64,
    #[serde(flatten)]
    conflict: Conflict,
}

/// Answers one of the verbs.
pub(super) fn run(context: &Context, verb: ReviewVerb) -> Result<Answer, Failure> {
    match verb {
        ReviewVerb::List(page) => {
            let state = context.session.present()?;
            let all: Vec<&Proposal> = state.proposals.pending().collect();
            let list = List::page(all, page.into());
            warn_of_ids(
                &context.session,
                &state,
                list.items.iter().map(|it| it.note.id),
            )?;
            context.list(&list, || {
                let runs = state.proposals.pending().map(|it| it.run_id);
                let spaces = state.proposals.pending().map(|it| it.note.workspace_id);
                let ids = [ShortIds::of(runs), ShortIds::of(spaces)];
                Table::new(COLUMNS, list.items.iter().map(|it| row(it, &ids)))
            })
        }
        ReviewVerb::Show { number } => {
            let state = context.session.present()?;
            let proposal = waiting(&state, number)?;
            let present = state.notes.get(proposal.note.id);
            warn_of_ids(&context.session, &state, std::iter::once(proposal.note.id))?;
            let shown = Shown { proposal, present };
            context.answer(&shown, || text_of(&shown))
        }
        ReviewVerb::Approve(which) => decide(context, which, Asked::Approve),
        ReviewVerb::Reject { which, reason } => decide(context, which, Asked::Reject { reason }),
        ReviewVerb::Edit { number, changes } => {
            if changes.is_empty() {
                edit_in_editor(context, number)
            } else {
                edit(context, number, changes)
            }
        }
    }
}

/// Lets a proposal happen with a person's changes.
fn edit(context: &Context, number: u64, changes: FieldChanges) -> Result<Answer, Failure> {
    let written = changes_of(context, changes)?.written()?;
    let edits = Edits {
        title: written.title,
        keywords: written.keywords,
        value: written.value,
        kind: written.kind,
    };
    let which = Which {
        numbers: vec![number],
        all: false,
    };
    decide(context, which, Asked::Edit(edits))
}

/// The same with what the person makes of the proposed note in an editor.
fn edit_in_editor(context: &Context, number: u64) -> Result<Answer, Failure> {
    check_terminal()?;
    check_reachable(&context.session)?;
    let state = context.session.present()?;
    let proposal = waiting(&state, number)?;
    check_edit(proposal)?;
    let edited = in_editor(context, &proposal.note, |text| {
        let context = &context.with_input(text);
        let number_text = number.to_string();
        let words = ["review", "edit", &number_text, "--markdown", "-"];
        let edited = edit(context, number, FieldChanges::of_input());
        or_hand_over(context, edited, &words)
    })?;
    edited.ok_or_else(|| {
        let failure = Failure::new(
            Code::Usage,
            "nothing was changed; the proposal goes on waiting",
        );
        failure.only_hint("`review approve` takes it as it is.")
    })
}

fn waiting(state: &State, number: u64) -> Result<&Proposal, Failure> {
    state.proposals.get(number).ok_or_else(|| {
        let message = format!("no proposal {number} waits");
        Failure::new(Code::ProposalNotFound, message)
    })
}

/// Decides one after the other, each upon what the one before left; what stands against one of several
/// holds back none of the others.
fn decide(context: &Context, mut which: Which, asked: Asked) -> Result<Answer, Failure> {
    // Who names one twice means it once.
    let mut named = BTreeSet::new();
    which.numbers.retain(|number| named.insert(*number));
    let is_single = which.numbers.len() == 1;
    let list = move |state: &State| {
        let pending = state.proposals.pending().map(|it| it.number);
        if which.all {
            pending.collect()
        } else {
            which.numbers
        }
    };
    let outcomes = change_each(&context.session, list, move |cx, number| {
        decide_one(cx, number, &asked).or_else(|failure| {
            if is_single {
                return Err(failure);
            }
            let Failure { code, message, .. } = failure;
            let refused = Refused {
                number,
                code,
                message,
            };
            let nothing = DraftParts::of(&Cause::plain(REVIEW), Vec::new());
            Ok((nothing, Outcome::Refused(refused)))
        })
    })?;
    let mut report = Report::default();
    for outcome in outcomes {
        let code = match &outcome {
            Outcome::Done(_) => None,
            Outcome::Stale(_) => Some(Code::VersionConflict),
            Outcome::Refused(refused) => Some(refused.code),
        };
        report.code = report.code.or(code);
        match outcome {
            Outcome::Done(decided) => report.decided.push(decided),
            Outcome::Stale(stale) => report.conflicts.push(stale),
            Outcome::Refused(refused) => report.refused.push(refused),
        }
    }
    let answer = context.answer(&report, || report_text(&report))?;
    Ok(answer.ok_if(report.code.is_none()))
}

fn decide_one(
    cx: &ChangeContext<'_>,
    number: u64,
    asked: &Asked,
) -> Result<(DraftParts, Outcome), Failure> {
    let proposal = waiting(cx.state, number)?;
    if matches!(asked, Asked::Edit(_)) {
        check_edit(proposal)?;
    }
    let cause = Cause::run(REVIEW, proposal.run_id);
    let mut events = Vec::new();
    let outcome = match review(cx.state, proposal, asked, &cx.guard, cx.now)? {
        Reviewed::Done { changes, decided } => {
            events.extend(changes.into_iter().map(Event::Change));
            let fact = ProposalsChanged::Decided(decided.clone());
            events.push(Event::ProposalsChanged(fact));
            Outcome::Done(decided)
        }
        Reviewed::Conflict(conflict) => Outcome::Stale(Stale { number, conflict }),
    };
    Ok((DraftParts { cause, events }, outcome))
}

fn check_edit(proposal: &Proposal) -> Result<(), Failure> {
    let number = proposal.number;
    check_editable(proposal).map_err(|refusal| {
        Failure::from(refusal).only_hint(format!(
            "`review reject {number}` keeps the note, and `notes edit` changes it."
        ))
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

fn text_of(shown: &Shown<'_>) -> String {
    let proposal = shown.proposal;
    let base = proposal.base.as_ref();
    let version = |note: &Note| note.version.to_string();
    let head = pairs(&[
        ("proposal", proposal.number.to_string()),
        ("wanted", record::word(&proposal.wanted)),
        ("note", proposal.note.id.to_string()),
        ("based on", base.map(version).unwrap_or_default()),
        ("is now", shown.present.map(version).unwrap_or_default()),
        ("run", proposal.run_id.to_string()),
        ("made", at(proposal.made_at)),
        ("title", visible(&proposal.note.title)),
        ("keywords", visible(&proposal.note.keywords.join(", "))),
        ("kind", visible(&proposal.note.note_kind)),
        ("workspace", proposal.note.workspace_id.to_string()),
    ]);
    let present = shown
        .present
        .map(|note| format!("\n--- is now:\n{}", visible(&note.value)));
    let value = visible(&proposal.note.value);
    format!("{head}\n{value}\n{}", present.unwrap_or_default())
}

fn report_text(report: &Report) -> String {
    let mut out = String::new();
    for decided in &report.decided {
        let verdict = record::word(&decided.verdict);
        let version = decided
            .version
            .map(|version| format!(", version {version}"));
        let version = version.unwrap_or_default();
        // Writing into a string cannot fail.
        writeln!(out, "proposal {}: {verdict}{version}", decided.number).unwrap_or_default();
    }
    for stale in &report.conflicts {
        let number = stale.number;
        let why = "the note has changed in the same place";
        writeln!(out, "proposal {number} waits (VERSION_CONFLICT): {why}").unwrap_or_default();
        out.push_str(&conflict_text(&stale.conflict, "is proposed"));
        writeln!(
            out,
            "\nhint: a note that was deleted comes back by `notes restore`; `review reject {number}` lets the note be as it is; take over by `notes edit` what you want of the proposal"
        )
        .unwrap_or_default();
    }
    for refused in &report.refused {
        let Refused {
            number,
            code,
            message,
        } = refused;
        writeln!(out, "proposal {number} is not decided ({code}): {message}").unwrap_or_default();
    }
    if out.is_empty() {
        "nothing waits".clone_into(&mut out);
    }
    out
}
