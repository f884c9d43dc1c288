//! A change by a person through a verb: the folder is held, hand edits go first, the guard is asked,
//! one commit is made, and the stop is in good order. The verbs only say what is to change.

use super::context::{Context, now};
use crate::config::Config;
use crate::core::guard::{Approved, Edited, Guard};
use crate::core::journal::{Actor, ActorType, Cause, Change, Draft, State};
use crate::daemon::{
    Desk, Done, Errand, Errands, Part, Purpose, hold_for, run_alone, store_options,
};
use crate::failure::{Code, Failure};
use crate::limits::EDIT_WAIT_MS_MAX;
use crate::store::Store;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How often a hand edit that is being written is looked at again.
const EDIT_POLL: Duration = Duration::from_millis(50);

/// How long such an edit is waited for.
const EDIT_WAIT_MAX: Duration = Duration::from_millis(EDIT_WAIT_MS_MAX);

/// Makes the changes that `decide` asks for in one commit, and answers with what it has to say. Inside
/// a daemon its loop makes them. `DATA_LOCKED` while another process holds the folder.
pub(super) fn change<T: Send + 'static>(
    context: &Context,
    decide: impl FnOnce(&mut Desk<'_>) -> Result<(Vec<Approved<Change>>, T), Failure> + Send + 'static,
) -> Result<T, Failure> {
    change_by_part(context, move |desk| {
        let (changes, answer) = decide(desk)?;
        Ok((Part::of(&Cause::plain("verb"), changes), answer))
    })
}

/// The same because of something that the journal names, with facts that are no changes.
pub(super) fn change_by_part<T: Send + 'static>(
    context: &Context,
    decide: impl FnOnce(&mut Desk<'_>) -> Result<(Part, T), Failure> + Send + 'static,
) -> Result<T, Failure> {
    if let Some(errands) = &context.errands {
        return part_by_loop(errands, decide);
    }
    let (mut decide, mut said) = (Some(decide), None);
    commit_in_parts(context, |desk| {
        let Some(decide) = decide.take() else {
            return Ok(None);
        };
        let (part, answer) = decide(desk)?;
        said = Some(answer);
        Ok(Some(part))
    })?;
    said.ok_or_else(undecided)
}

/// What `decide` says of the state as it is read. Nothing is held, taken in or written.
pub(super) fn without_change<T>(
    context: &Context,
    config: &Config,
    decide: impl FnOnce(&mut Desk<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (state, nothing) = (context.state(config)?, Edited::default());
    decide(&mut Desk {
        state: &state,
        config,
        guard: Guard::for_user(&config.scope, &nothing),
        now: now(),
    })
}

/// Has the loop of this very process make one commit.
fn part_by_loop<T: Send + 'static>(
    errands: &Errands,
    decide: impl FnOnce(&mut Desk<'_>) -> Result<(Part, T), Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (say, said) = channel();
    errands.run(Errand::Change(Box::new(move |desk| {
        let (part, answer) = decide(desk)?;
        say.send(answer).unwrap_or_default();
        Ok(part)
    })))?;
    said.try_recv().map_err(|_| undecided())
}

/// Decides upon one thing after the other, each in a commit of its own and upon what the one before left,
/// and answers with what there is to say of each. After a failure the commits before it stand.
pub(super) fn change_each<I: Send + 'static, T: Send + 'static>(
    context: &Context,
    list: impl FnOnce(&State) -> Vec<I> + Send + 'static,
    decide: impl Fn(&mut Desk<'_>, I) -> Result<(Part, T), Failure> + Send + Sync + 'static,
) -> Result<Vec<T>, Failure> {
    let mut said = Vec::new();
    if let Some(errands) = &context.errands {
        let nothing = Part::of(&Cause::plain("verb"), Vec::new());
        let things = part_by_loop(errands, move |desk| Ok((nothing, list(desk.state))))?;
        let decide = Arc::new(decide);
        for thing in things {
            let decide = Arc::clone(&decide);
            said.push(part_by_loop(errands, move |desk| decide(desk, thing))?);
        }
        return Ok(said);
    }
    let (mut list, mut things) = (Some(list), Vec::new().into_iter());
    commit_in_parts(context, |desk| {
        if let Some(list) = list.take() {
            things = list(desk.state).into_iter();
        }
        let Some(thing) = things.next() else {
            return Ok(None);
        };
        let (part, answer) = decide(desk, thing)?;
        said.push(answer);
        Ok(Some(part))
    })?;
    Ok(said)
}

fn undecided() -> Failure {
    Failure::new(Code::Internal, "a change was not decided")
}

/// Changes a file that a person writes, while nobody else works in the folder. A daemon reads its files
/// again then.
pub(super) fn change_file<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let Some(errands) = &context.errands else {
        let _held = hold_for(&context.root, Purpose::Change)?;
        return work();
    };
    let (say, said) = channel();
    errands.run(Errand::File(Box::new(move || {
        say.send(work()?).unwrap_or_default();
        Ok(())
    })))?;
    said.try_recv().map_err(|_| undecided())
}

/// Has an errand done: by the loop of this process, or where nobody holds the folder, right here.
pub(super) fn errand_by(context: &Context, errand: Errand) -> Result<Done, Failure> {
    if let Some(errands) = &context.errands {
        return errands.run(errand);
    }
    let mut outcome = None;
    with_store(context, |store, config| {
        outcome = Some(run_alone(store, config, now(), errand)?);
        Ok(())
    })?;
    outcome.ok_or_else(undecided)
}

/// Makes changes part by part, one commit each, until `next` has no more. Each part sees the state
/// after the one before. After a failure the parts before it stand.
pub(super) fn change_in_parts(
    context: &Context,
    cause: &Cause,
    mut next: impl FnMut(&mut Desk<'_>) -> Result<Option<Vec<Approved<Change>>>, Failure>,
) -> Result<(), Failure> {
    commit_in_parts(context, |desk| {
        let changes = next(desk)?;
        Ok(changes.map(|changes| Part::of(cause, changes)))
    })
}

/// Commits part by part until `next` has no more, as [`change_in_parts`] does.
fn commit_in_parts(
    context: &Context,
    mut next: impl FnMut(&mut Desk<'_>) -> Result<Option<Part>, Failure>,
) -> Result<(), Failure> {
    with_store(context, |store, config| {
        let nothing = Edited::default();
        loop {
            let mut desk = Desk {
                state: store.state(),
                config,
                guard: Guard::for_user(&config.scope, &nothing),
                now: now(),
            };
            match next(&mut desk)? {
                Some(part) => commit(store, part)?,
                None => return Ok(()),
            }
        }
    })
}

/// Does something to the store of the root, which is held meanwhile: hand edits go first, and the stop is
/// in good order. After a failure what was committed stands.
fn with_store(
    context: &Context,
    work: impl FnOnce(&mut Store, &Config) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let config = context.load_without_key()?.config;
    // The lock inside `held` is let go at the end of this function, after the store.
    let held = hold_for(&context.root, Purpose::Change)?;
    let (mut store, notices) = Store::open(held.disk, store_options(&config), now())?;
    for notice in &notices {
        context.talk(&notice.message);
    }
    for message in store.read_notes(now())? {
        context.talk(&message);
    }
    take_edits(context, &mut store)?;
    let before = store.head();
    let outcome = work(&mut store, &config);
    if outcome.is_ok() {
        // An edit made at this very instant came out of the exchange; it is taken in, too.
        take_edits(context, &mut store)?;
    }
    // Where nothing came of it, the last checkpoint still says everything.
    if store.head() != before || outcome.is_ok() {
        store.checkpoint(true, now())?;
    }
    outcome
}

fn commit(store: &mut Store, part: Part) -> Result<(), Failure> {
    if part.events.is_empty() {
        return Ok(());
    }
    store.commit(Draft {
        ts: now(),
        actor: Actor {
            actor_type: ActorType::User,
        },
        cause: part.cause,
        events: part.events,
    })?;
    Ok(())
}

fn take_edits(context: &Context, store: &mut Store) -> Result<(), Failure> {
    let mut waited = Duration::ZERO;
    loop {
        let report = store.take_edits(now())?;
        for message in report.taken.iter().chain(&report.notices) {
            context.talk(message);
        }
        if !report.waiting || waited >= EDIT_WAIT_MAX {
            return Ok(());
        }
        std::thread::sleep(EDIT_POLL);
        waited += EDIT_POLL;
    }
}
