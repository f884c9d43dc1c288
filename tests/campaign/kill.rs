//! SIGKILL at the real program, again and again, at moments drawn from a seed, while a scripted
//! model orders writes with numbers of their own, a person edits the KV file and drops requests, a client
//! writes over the control socket, a rule opens a run each second, and a journal of days ago is let go of.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a campaign may stop at once; it plays the machine, the person and the model"
)]

use crate::kill_client::Client;
use crate::peer::{Peer, Request, Step};
use crate::random::Random;
use crate::store_lab::{KV, by_agent, create, note_id, options};
use kjxlkj_agent::core::journal::{CommitDraft, State};
use kjxlkj_agent::core::memory::StorePath;
use kjxlkj_agent::daemon::{Clock as _, SystemClock};
use kjxlkj_agent::ids::{EventId, RunId, WorkspaceId};
use kjxlkj_agent::store::disk::RealDisk;
use kjxlkj_agent::store::inbox::drop_request;
use kjxlkj_agent::store::{Options, Store, audit_entries, read_state, reconcile, verify};
use kjxlkj_agent::time::Timestamp;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};
use uuid::Uuid;

/// Longest life of one process, in microseconds: several iterations.
const LIFE_US_MAX: u64 = 150_000;

/// How long the program may take until its model is asked for the first time.
const START_DEADLINE: Duration = Duration::from_secs(30);

/// How long it may take at the end until everything that was asked for is under way.
const END_DEADLINE: Duration = Duration::from_mins(2);

/// The rule that opens a run each second.
const RULE: &str = "55555555-5555-4555-8555-555555555555";

/// Notes that were written days ago.
const PAST_NOTES: u64 = 60;

/// Requests of one campaign: fewer than may wait at once.
const REQUESTS_MAX: usize = 40;

/// What the person writes into a key of their own.
const EDIT: &str = "a person was here";

/// What the model has said, and what it was shown.
#[derive(Debug, Default)]
struct Said {
    /// Replies given so far: the number in the last one.
    replies: AtomicU64,
    /// The largest number that stood in a prompt: its commit was acknowledged.
    shown: AtomicU64,
}

/// The largest number behind `mark` in a text.
pub(crate) fn largest(text: &str, mark: &str) -> u64 {
    let numbers = text.split(mark).skip(1).map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    });
    numbers.max().unwrap_or(0)
}

fn answer(said: &Said, request: &Request) -> Step {
    let prompt = String::from_utf8_lossy(&request.body).into_owned();
    said.shown
        .fetch_max(largest(&prompt, "number-"), Ordering::SeqCst);
    let number = said.replies.fetch_add(1, Ordering::SeqCst) + 1;
    Step::reply(&format!(
        "<ram_add><key>count</key><value>number-{number}</value></ram_add>\n\
         <record_add><title>note-{number}</title><keywords>k{number}</keywords>\
         <value>The text of note {number}.</value></record_add>"
    ))
}

/// A root whose model is the peer, and which never pauses.
fn write_root(root: &Path, peer: &Peer) {
    let data = root.join("data");
    std::fs::create_dir(&data).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let prompt = "agent-prompt.json";
    std::fs::copy(shipped.join(prompt), data.join(prompt)).unwrap();
    let text = std::fs::read(shipped.join("config.json")).unwrap();
    let mut config: Value = serde_json::from_slice(&text).unwrap();
    config["provider"]["provider_kind"] = json!("openai");
    config["provider"]["base_url"] = json!(peer.base_url());
    config["provider"]["model"] = json!("scripted");
    config["loop"]["loop_delay_ms"] = json!(0);
    config["loop"]["protocol"] = json!("xml");
    config["loop"]["max_iterations"] = json!(-1);
    config["memory"]["working_memory_character_max"] = json!(50_000);
    // Small segments, so that rotation is hit too.
    config["journal"]["segment_bytes"] = json!(65_536);
    config["journal"]["retention_days"] = json!(1);
    let rule = json!([{
        "rule_id": RULE, "workspace_id": config["scope"]["workspace_id"],
        "trigger": "automation_schedule.cron", "condition_json": {"cron": "* * * * * *"},
        "action_json": {"kind": "kjxlkj_agent"}, "enabled": true,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }]);
    std::fs::write(data.join("rules.json"), rule.to_string()).unwrap();
    std::fs::write(data.join("config.json"), config.to_string()).unwrap();
}

/// Notes of days ago, in segments that are past their age.
fn write_past(root: &Path) {
    let now = SystemClock.now();
    let disk = Box::new(RealDisk::open(root, true).unwrap());
    let options = Options {
        segment_bytes: 2000,
        ..options()
    };
    let days_ago = |number: u64| {
        let hours = i64::try_from(PAST_NOTES - number).unwrap();
        now.plus_millis(-(100 + hours) * 60 * 60 * 1000)
    };
    let (mut store, _) = Store::open(disk, options, days_ago(0)).unwrap();
    for number in 0..PAST_NOTES {
        let event = create(note_id(number), &format!("old-{number}"), "of days ago");
        let draft = CommitDraft {
            ts: days_ago(number),
            ..by_agent(vec![event])
        };
        store.commit(draft).unwrap();
    }
    store.checkpoint(true, days_ago(PAST_NOTES)).unwrap();
    drop(store);
    // A look at a file's age spares the reading of what is young.
    let age = Duration::from_hours(100);
    for segment in segments(root) {
        let file = std::fs::File::options().write(true).open(segment).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }
}

/// The names of the segments, in order.
fn segments(root: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root.join("data/journal")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut segments: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    segments.sort();
    segments
}

/// Runs that the kept journal opens, each as often as it does.
fn opened(root: &Path) -> BTreeMap<String, u64> {
    let mut opened = BTreeMap::new();
    for run in queued(root) {
        *opened.entry(run["run_id"].to_string()).or_default() += 1;
    }
    opened
}

/// The records of the runs that the kept journal opens, as they stand there.
fn queued(root: &Path) -> Vec<Value> {
    let mut queued = Vec::new();
    for segment in segments(root) {
        let read = std::fs::read(segment);
        // A living program lets go of what is old, also after it was listed here.
        if read
            .as_ref()
            .is_err_and(|error| error.kind() == ErrorKind::NotFound)
        {
            continue;
        }
        let text = read.unwrap();
        for line in text.split(|byte| *byte == b'\n') {
            // A torn last line says nothing.
            let line: Value = serde_json::from_slice(line).unwrap_or_default();
            let events = line["events"].as_array().cloned().unwrap_or_default();
            for (place, event) in events.iter().enumerate() {
                if event["type"] == "run.queued" {
                    queued.push(line["data"][place]["run"].clone());
                }
            }
        }
    }
    queued
}

/// What is wrong with what the client has written.
fn check_client(root: &Path, client: &Client) -> Vec<String> {
    let mut disk = RealDisk::open(root, false).unwrap();
    let Ok(state) = read_state(&mut disk, Path::new(KV)) else {
        // Told of already.
        return Vec::new();
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let runs = queued(root).into_iter();
    let runs: Vec<(String, String)> = runs
        .map(|run| (text(&run["triggering_event_id"]), text(&run["request"])))
        .collect();
    client.check(&state, &runs)
}

/// A life: the client writes while the program lives, and then it is killed. Gives whether it came as far
/// as it had to.
fn live(root: &Path, client: &mut Client, said: &Said, random: &mut Random) -> Result<(), String> {
    let before = said.replies.load(Ordering::SeqCst);
    let mut child = spawn(root);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| client.write(root, &is_over));
        // Every fourth dies during its start, wherever that may be.
        let lived = if random.below(4) == 0 {
            Ok(())
        } else {
            wait_until_asked(&mut child, said, before)
        };
        std::thread::sleep(Duration::from_micros(random.below(LIFE_US_MAX)));
        child.kill().unwrap();
        child.wait().unwrap();
        is_over.store(true, Ordering::SeqCst);
        lived
    })
}

/// What is wrong with what rules and requests opened, and with what is kept of days ago.
fn check_runs(root: &Path, state: &State) -> Vec<String> {
    let mut wrong = Vec::new();
    for (run, times) in opened(root).iter().filter(|(_, times)| **times > 1) {
        wrong.push(format!("run {run} was opened {times} times"));
    }
    let begin = Timestamp::from_millis(i64::MIN);
    let mut disk = RealDisk::open(root, false).unwrap();
    match reconcile(&mut disk, begin, SystemClock.now()) {
        Ok(found) if found.is_clean() => {}
        Ok(found) => wrong.push(format!("slots: {found:?}")),
        Err(error) => wrong.push(format!("slots: {error}")),
    }
    let kept = state.notes.iter().filter(|it| it.title.starts_with("old-"));
    let kept = u64::try_from(kept.count()).unwrap();
    if kept != PAST_NOTES {
        wrong.push(format!("{kept} notes of days ago are left"));
    }
    wrong
}

/// Lets the program live until every request has opened its run, and ends it well.
fn conclude(root: &Path, asked: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut child = spawn(root);
    let deadline = Instant::now() + END_DEADLINE;
    while asked.iter().any(|run| !opened(root).contains_key(run)) {
        if Instant::now() > deadline {
            wrong.push("a request never opened its run".to_owned());
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let is_kept = |first: &PathBuf| first.ends_with("00000001.jsonl");
    while segments(root).first().is_some_and(is_kept) {
        if Instant::now() > deadline {
            wrong.push("nothing of days ago was let go of".to_owned());
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let process = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(process, Signal::TERM).unwrap();
    if !child.wait().unwrap().success() {
        wrong.push("the program did not end well".to_owned());
    }
    wrong
}

fn spawn(root: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_kjxlkj-agent"))
        .arg("--root")
        .arg(root)
        .arg("daemon")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the process has asked its model, or died by itself.
fn wait_until_asked(child: &mut Child, said: &Said, before: u64) -> Result<(), String> {
    let deadline = Instant::now() + START_DEADLINE;
    while said.replies.load(Ordering::SeqCst) == before {
        if let Some(status) = child.try_wait().unwrap() {
            return Err(format!("the program ended by itself: {status}"));
        }
        if Instant::now() > deadline {
            return Err("the program never asked its model".to_owned());
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(())
}

/// A person's edit of the KV file: read, changed, written beside it, moved into place.
fn edit_kv(root: &Path, key: &str) -> bool {
    let file = root.join(KV);
    let Ok(bytes) = std::fs::read(&file) else {
        return false;
    };
    let Ok(mut members) = serde_json::from_slice::<Value>(&bytes) else {
        return false;
    };
    members[key] = json!(EDIT);
    let beside = root.join("data/edited~");
    std::fs::write(&beside, members.to_string()).unwrap();
    std::fs::rename(&beside, &file).unwrap();
    true
}

/// Drops a request, and gives the run that it has to open.
fn ask(root: &Path, random: &mut Random) -> String {
    let id = Uuid::from_u128(u128::from(random.next()) << 64 | u128::from(random.next()));
    let config: Value =
        serde_json::from_slice(&std::fs::read(root.join("data/config.json")).unwrap()).unwrap();
    let workspace: WorkspaceId = config["scope"]["workspace_id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    drop_request(
        &mut RealDisk::open(root, false).unwrap(),
        id,
        "write it down",
    )
    .unwrap();
    json!(RunId::derive(workspace, &EventId(id.to_string()))).to_string()
}

/// Whether the person's value stands in RAM, or in the archive, where the program moves what nobody
/// has used for long.
fn has_edit(state: &State, key: &str) -> bool {
    let in_ram = state.main.ram.get(key).cloned();
    let value = in_ram.or_else(|| state.storage.value(StorePath::archive(key).parts()));
    value == Some(json!(EDIT))
}

/// What is wrong with what the last process left.
fn check(root: &Path, shown: u64, edited: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut disk = RealDisk::open(root, false).unwrap();
    match verify(&mut disk) {
        Ok(verified) if verified.ok => {}
        Ok(verified) => wrong.push(format!("the journal: {:?}", verified.first_bad)),
        Err(error) => wrong.push(format!("the journal: {error}")),
    }
    let state = match read_state(&mut disk, Path::new(KV)) {
        Ok(state) => state,
        Err(error) => {
            wrong.push(format!("the state: {error}"));
            return wrong;
        }
    };
    wrong.extend(check_numbers(&state, shown));
    wrong.extend(check_runs(root, &state));
    for key in edited.iter().filter(|key| !has_edit(&state, key)) {
        wrong.push(format!("the person's {key} is lost"));
    }
    let mut commits: BTreeMap<(String, u32), u64> = BTreeMap::new();
    for entry in audit_entries(&mut disk).unwrap_or_default() {
        if let (Some(run_id), Some(iteration)) = (entry.run_id, entry.iteration) {
            let first = *commits
                .entry((run_id.to_string(), iteration))
                .or_insert(entry.seq);
            if first != entry.seq {
                wrong.push(format!("{run_id} committed iteration {iteration} twice"));
            }
        }
    }
    wrong
}

/// Every acknowledged number is there, and none is there twice.
pub(crate) fn check_numbers(state: &State, shown: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let count = state.main.ram.get("count").and_then(Value::as_str);
    let count = largest(count.unwrap_or_default(), "number-");
    if count < shown {
        wrong.push(format!("number {shown} was acknowledged, RAM has {count}"));
    }
    let mut titles = BTreeSet::new();
    for note in state.notes.iter() {
        if !titles.insert(note.title.clone()) {
            wrong.push(format!("{} is there twice", note.title));
        }
    }
    if count > 0 && !titles.contains(&format!("note-{count}")) {
        wrong.push(format!("number {count} was committed without its note"));
    }
    if shown > 0 && !titles.contains(&format!("note-{shown}")) {
        wrong.push(format!("note {shown} was acknowledged and is lost"));
    }
    wrong
}

/// Kills the program that often; gives how often it was done, and how many checks failed.
pub(crate) fn campaign(kills: u64, seed: u64) -> (u64, u64) {
    let said = Arc::new(Said::default());
    let peer = Peer::answering({
        let said = Arc::clone(&said);
        move |request, _| answer(&said, request)
    });
    let folder = tempfile::tempdir().unwrap();
    write_root(folder.path(), &peer);
    write_past(folder.path());
    let mut asked = BTreeSet::new();
    let mut random = Random(seed);
    let mut violations = 0;
    // Edits that the program has had the time to see, and those that it may not have.
    let (mut seen, mut fresh) = (BTreeSet::new(), BTreeSet::new());
    let mut client = Client::new(seed, RULE);
    for kill in 0..kills {
        if random.below(4) == 0 {
            let key = format!("person_{kill}");
            if edit_kv(folder.path(), &key) {
                fresh.insert(key);
            }
        }
        if random.below(3) == 0 && asked.len() < REQUESTS_MAX {
            asked.insert(ask(folder.path(), &mut random));
        }
        let before = said.replies.load(Ordering::SeqCst);
        let lived = live(folder.path(), &mut client, &said, &mut random);
        if said.replies.load(Ordering::SeqCst) > before {
            // The first question came after a look at the files.
            seen.append(&mut fresh);
        }
        let shown = said.shown.load(Ordering::SeqCst);
        let mut wrong = check(folder.path(), shown, &seen);
        wrong.extend(check_client(folder.path(), &client));
        wrong.extend(lived.err());
        for what in &wrong {
            println!("kill {kill}: {what}");
        }
        violations += u64::try_from(wrong.len()).unwrap();
        if !wrong.is_empty() {
            let kept = folder.keep();
            println!("the root is kept as {}", kept.display());
            return (kill + 1, violations);
        }
    }
    let mut wrong = conclude(folder.path(), &asked);
    wrong.extend(check(
        folder.path(),
        said.shown.load(Ordering::SeqCst),
        &seen,
    ));
    wrong.extend(check_client(folder.path(), &client));
    for what in &wrong {
        println!("at the end: {what}");
    }
    let (sent, acknowledged, open) = client.counts();
    println!(
        "{sent} writes over HTTP, {acknowledged} acknowledged, {open} without an answer, {} put again",
        client.repeated
    );
    (kills, violations + u64::try_from(wrong.len()).unwrap())
}
