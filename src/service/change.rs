//! A change by a person through a verb.
//!
//! The folder is held, edits in files go first, the guard is asked, one commit is made, and the
//! stop is in good order. The verbs only say what is to change.

use super::holder::hold;
use super::session::{Session, now};
use crate::config::Config;
use crate::core::guard::Approved;
use crate::core::journal::{Cause, Change, State};
use crate::daemon::{
    ChangeContext, Command, CommandOutcome, CommandReply, CommandSender, DraftParts, Purpose,
    run_alone, store_options,
};
use crate::failure::{Code, Failure};
use crate::limits::EDIT_WAIT_MS_MAX;
use crate::store::{Error, Store};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// The interval at which an edit that is being written is looked at.
const EDIT_POLL: Duration = Duration::from_millis(50);

/// The longest wait for such an edit.
const EDIT_WAIT_MAX: Duration = Duration::from_millis(EDIT_WAIT_MS_MAX);

/// Makes the changes that `decide` returns in one commit, and returns its answer.
///
/// Within a daemon the loop makes them.
///
/// # Errors
/// `DATA_LOCKED` while another process holds the folder; the failure of `decide`.
pub(super) fn change<T: Send + 'static>(
    session: &Session,
    decide: impl FnOnce(&mut ChangeContext<'_>) -> Result<(Vec<Approved<Change>>, T), Failure>
    + Send
    + 'static,
) -> Result<T, Failure> {
    change_by_part(session, move |cx| {
        let (changes, answer) = decide(cx)?;
        Ok((DraftParts::of(&Cause::plain("verb"), changes), answer))
    })
}

/// Like [`change`], but with a cause of its own, and with events that are no changes.
pub(super) fn change_by_part<T: Send + 'static>(
    session: &Session,
    decide: impl FnOnce(&mut ChangeContext<'_>) -> Result<(DraftParts, T), Failure> + Send + 'static,
) -> Result<T, Failure> {
    with_writer(session, |writer| writer.change(session, decide))
}

/// Decides several items, each in a commit of its own, and returns the answers.
///
/// Each item is decided upon the state that the one before left. After a failure the commits before
/// it stand.
pub(super) fn change_each<I: Send + 'static, T: Send + 'static>(
    session: &Session,
    list: impl FnOnce(&State) -> Vec<I> + Send + 'static,
    decide: impl Fn(&mut ChangeContext<'_>, I) -> Result<(DraftParts, T), Failure>
    + Send
    + Sync
    + 'static,
) -> Result<Vec<T>, Failure> {
    let decide = Arc::new(decide);
    with_writer(session, |writer| {
        let nothing = DraftParts::of(&Cause::plain("verb"), Vec::new());
        let items = writer.change(session, move |cx| Ok((nothing, list(cx.state))))?;
        let decided = items.into_iter().map(|item| {
            let decide = Arc::clone(&decide);
            writer.change(session, move |cx| decide(cx, item))
        });
        decided.collect()
    })
}

/// Carries out a command, by the loop of this process or, where nobody holds the folder, without.
pub(super) fn command_by(session: &Session, command: Command) -> Result<CommandOutcome, Failure> {
    with_writer(session, |writer| {
        let settled = match writer {
            Writer::Loop(commands) => commands.run(command)?,
            Writer::Alone(store, config) => run_alone(store, config, now(), command)?,
        };
        Ok(done(session, settled))
    })
}

/// Whoever makes changes: the loop of this process, or this verb on the store that it holds.
enum Writer<'a> {
    Loop(&'a CommandSender),
    Alone(&'a mut Store, &'a Config),
}

fn with_writer<T>(
    session: &Session,
    work: impl FnOnce(&mut Writer<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match &session.commands {
        Some(commands) => work(&mut Writer::Loop(commands)),
        None => with_store(session, |store, config| {
            work(&mut Writer::Alone(store, config))
        }),
    }
}

impl Writer<'_> {
    /// Makes one commit of what `decide` returns, and returns its answer.
    fn change<T: Send + 'static>(
        &mut self,
        session: &Session,
        decide: impl FnOnce(&mut ChangeContext<'_>) -> Result<(DraftParts, T), Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        match self {
            Self::Loop(commands) => by_loop(session, commands, |answer| {
                Command::Change(Box::new(move |cx| {
                    let (part, given) = decide(cx)?;
                    answer.send(given).unwrap_or_default();
                    Ok(part)
                }))
            }),
            Self::Alone(store, config) => {
                let mut cx = ChangeContext::new(store.state(), config, now());
                let (part, answer) = decide(&mut cx)?;
                commit(session, store, part)?;
                Ok(answer)
            }
        }
    }
}

/// Has the loop carry out a command that sends its answer, and returns the answer.
fn by_loop<T>(
    session: &Session,
    commands: &CommandSender,
    command: impl FnOnce(Sender<T>) -> Command,
) -> Result<T, Failure> {
    let (sender, answer) = channel();
    done(session, commands.run(command(sender))?);
    let undecided = |_| Failure::new(Code::Internal, "a change was not decided");
    answer.try_recv().map_err(undecided)
}

/// Returns the answer of `decide` about the state as it is read.
///
/// Nothing is held, taken in or written.
pub(super) fn without_change<T>(
    session: &Session,
    config: &Config,
    decide: impl FnOnce(&mut ChangeContext<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let state = session.state(config)?;
    decide(&mut ChangeContext::new(&state, config, now()))
}

/// Changes a file that a person writes, while nobody else works in the folder.
///
/// A daemon then reads its files again.
pub(super) fn change_file<T: Send + 'static>(
    session: &Session,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let Some(commands) = &session.commands else {
        let _held = hold(session, Purpose::Change)?;
        return work();
    };
    by_loop(session, commands, |answer| {
        Command::File(Box::new(move || {
            answer.send(work()?).unwrap_or_default();
            Ok(())
        }))
    })
}

/// Returns the result of a command, after a warning about a failure behind its commit.
fn done(session: &Session, settled: CommandReply) -> CommandOutcome {
    if let Some(warning) = settled.warning {
        warn_after(session, &warning);
    }
    settled.done
}

/// Warns that a change is made although something failed after it, so that nobody repeats it.
pub fn warn_after(session: &Session, failure: &Failure) {
    session.warn(&format!(
        "{}: {}. The next start writes such files again; the disk is worth a look: `doctor`",
        failure.code, failure.message
    ));
}

/// Makes changes part by part, one commit each, until `next` has no more.
///
/// Each part sees the state after the one before. After a failure the parts before it stand.
pub(super) fn commit_in_parts(
    session: &Session,
    mut next: impl FnMut(&mut ChangeContext<'_>) -> Result<Option<DraftParts>, Failure>,
) -> Result<(), Failure> {
    with_store(session, |store, config| {
        loop {
            let mut cx = ChangeContext::new(store.state(), config, now());
            match next(&mut cx)? {
                Some(part) => commit(session, store, part)?,
                None => return Ok(()),
            }
        }
    })
}

/// Works on the store of the root, which is held meanwhile.
///
/// Edits in files go first, and the stop is in good order. After a failure, what was committed
/// stands. A failure after the work is committed is only a warning: the next start repairs it.
fn with_store<T>(
    session: &Session,
    work: impl FnOnce(&mut Store, &Config) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let config = session.load()?.config;
    // The lock inside `held` is released at the end of this function, after the store.
    let held = hold(session, Purpose::Change)?;
    let (mut store, notices) = Store::open(held.disk, store_options(&config), now())?;
    for notice in &notices {
        if notice.is_progress {
            session.inform(&notice.message);
        } else {
            session.warn(&notice.message);
        }
    }
    for message in store.read_notes(now())? {
        session.warn(&message);
    }
    take_edits(session, &mut store).map_err(Error::before_work)?;
    let before = store.head();
    let outcome = work(&mut store, &config);
    let head = store.head();
    let is_changed = head != before;
    let concluded = conclude(session, &mut store, is_changed, outcome.is_ok());
    let answer = outcome?;
    match concluded.map_err(Error::before_work) {
        Err(error) if is_changed => warn_after(session, &error.after_commit(head.seq).into()),
        other => other?,
    }
    Ok(answer)
}

/// Ends work on the store in good order, unless an error has ended all writing.
fn conclude(
    session: &Session,
    store: &mut Store,
    is_changed: bool,
    is_done: bool,
) -> Result<(), Error> {
    if store.is_stopped() {
        return Ok(());
    }
    if is_done {
        // An edit that is made at this moment may come out of the exchange; it is taken in, too.
        take_edits(session, store)?;
    }
    // Where nothing was done, the last checkpoint is still complete.
    if is_changed || is_done {
        store.checkpoint(true, now())?;
    }
    Ok(())
}

/// Commits a part. A failure after the commit is a warning: the change is made.
fn commit(session: &Session, store: &mut Store, part: DraftParts) -> Result<(), Failure> {
    if part.events.is_empty() {
        return Ok(());
    }
    match store.commit(part.draft(now())) {
        Err(error @ Error::AfterCommit { .. }) => warn_after(session, &error.into()),
        other => drop(other?),
    }
    Ok(())
}

fn take_edits(session: &Session, store: &mut Store) -> Result<(), Error> {
    let mut waited = Duration::ZERO;
    loop {
        let report = store.take_edits(now())?;
        report.taken.iter().for_each(|it| session.inform(it));
        report.notices.iter().for_each(|it| session.warn(it));
        if !report.waiting || waited >= EDIT_WAIT_MAX {
            return Ok(());
        }
        std::thread::sleep(EDIT_POLL);
        waited += EDIT_POLL;
    }
}
