//! Takes back what runs did to notes, RAM and `/storage`.

use super::change::{change_by_part, without_change};
use super::runs::{NamedRun, run_id_of};
use super::session::{Session, disk_of, now};
use crate::daemon::{ChangeContext, UndoReport, undo};
use crate::failure::{Code, Failure};
use crate::store::{UndoScope, past_of};
use crate::time::Timestamp;

/// Takes back what a run did. A dry run only reports what would happen.
pub fn of_run(
    session: &Session,
    NamedRun { run }: &NamedRun,
    dry_run: bool,
) -> Result<UndoReport, Failure> {
    session.checked_disk()?;
    take_back(session, UndoScope::Run(run_id_of(session, run)?), dry_run)
}

/// Takes back what runs did since a time. A dry run only reports what would happen.
pub fn since(session: &Session, since: Timestamp, dry_run: bool) -> Result<UndoReport, Failure> {
    if since > now() {
        let failure = Failure::new(Code::Usage, "--since names a time that has not come yet");
        return Err(failure);
    }
    take_back(session, UndoScope::Since(since), dry_run)
}

fn take_back(session: &Session, undone: UndoScope, dry_run: bool) -> Result<UndoReport, Failure> {
    let root = session.root().to_owned();
    let decide = move |cx: &mut ChangeContext<'_>| {
        let past = past_of(&mut disk_of(&root)?, undone)?;
        let memory = &cx.config.memory;
        undo(&past, undone, cx.state, &cx.guard, memory, cx.now)
    };
    if !dry_run {
        return change_by_part(session, decide);
    }
    let config = session.load()?.config;
    let (_, report) = without_change(session, &config, decide)?;
    Ok(UndoReport {
        dry_run,
        undone_at: None,
        ..report
    })
}
