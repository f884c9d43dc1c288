//! What the program prints, in both formats, on a lived-in root.

use super::Goldens;
use super::life::note_id;
use super::root::Root;
use crate::cli::sandbox::{answer, state_in};
use crate::lab::{WORKSPACE, names, read};
use crate::peer::{Peer, Step};
use kjxlkj_agent::ids::{EventId, RunId};

/// Verbs that read, by the file that their output is kept in. `RUN0` to `RUN8` are the runs of the life,
/// oldest first.
const READERS: &[(&str, &[&str])] = &[
    (
        "status",
        &[
            "status",
            "doctor",
            "prompt",
            "prompt --state planning",
            "prompt --state idle",
            "stop",
        ],
    ),
    (
        "memory",
        &[
            "ram list",
            "ram list --limit 2 --offset 1",
            "ram get list",
            "ram get none",
            "ram export",
        ],
    ),
    (
        "notes",
        &[
            "notes list",
            "notes list --limit 1",
            "notes list --deleted",
            "notes show Bus",
            "notes show Bus --version 1",
            "notes show none",
            "notes search line",
            "notes search nothing-of-that-kind",
            "notes history Bus",
            "notes history Bus --limit 1",
            "notes diff Bus",
            "notes diff Bus 1 3",
            "notes issues",
            "notes export --to -",
            "notes export --json",
            "notes export Kayak --to -",
            "why Bus",
            "why none",
        ],
    ),
    (
        "rules",
        &[
            "rules list",
            "rules show 5555",
            "rules show 9999",
            "rules reconcile",
        ],
    ),
    (
        "runs",
        &[
            "runs list",
            "runs list --state failed",
            "runs list --limit 1 --offset 2",
            "runs show RUN2",
            "runs show RUN4",
            "runs show ffffffff",
            "runs watch RUN3",
            "runs watch RUN4",
            "runs undo RUN1 --dry-run",
            "trace RUN2",
            "trace RUN7",
            "replay RUN2",
            "replay RUN3",
            "undo --since 2026-03-02T09:25:00Z --dry-run",
        ],
    ),
    ("review", &["review list", "review show 1", "review show 9"]),
    (
        "audit",
        &[
            "audit list",
            "audit list --run RUN2",
            "audit list --limit 2",
            "audit verify",
            "audit head",
        ],
    ),
    (
        "config",
        &[
            "config show",
            "config check",
            "config get provider.model",
            "config get scope",
            "config get none.such",
            "service unit --user",
            "service unit",
        ],
    ),
    (
        "rehearse",
        &[
            "rehearse -q --days 2 --from 2026-02-15T08:30:00Z",
            "rehearse -q --days 2 --from 2026-02-15T08:30:00Z --recorded --call-seconds 20",
        ],
    ),
    (
        "usage",
        &[
            "nothing",
            "notes",
            "notes shwo Bus",
            "runs list --state done",
            "undo --since never",
            "ram set",
        ],
    ),
];

/// What the program tells of each of these, in one format.
fn told(root: &Root, verbs: &[&str], format: &[&str]) -> String {
    let mut told = String::new();
    for verb in verbs {
        let words = words_of(root, verb);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        told += &root.told(&[&words[..], format].concat(), b"");
    }
    told
}

/// The words of a command line; `'` holds some together.
fn words_of(root: &Root, verb: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in verb.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    for word in &mut words {
        if word == "QUEUED" {
            let event = EventId("key:one".to_owned());
            *word = RunId::derive(WORKSPACE.parse().unwrap(), &event).to_string();
        } else if word == "KAYAK" {
            *word = note_id(1);
        } else if let Some(number) = word.strip_prefix("RUN") {
            let number: usize = number.parse().unwrap();
            word.clone_from(&root.runs[number]);
        }
    }
    words
}

#[tokio::test]
async fn verbs_that_read_say_what_they_said() {
    let mut goldens = Goldens::of("verbs_that_read");
    let root = Root::lived_in().await;
    let before = root.sandbox.snapshot();
    for (name, verbs) in READERS {
        goldens.check(&format!("{name}.txt"), &told(&root, verbs, &[]));
        let json = told(&root, verbs, &["--format", "json"]);
        goldens.check(&format!("{name}.json.txt"), &json);
    }
    goldens.check("schema.txt", &told(&root, &["config schema"], &[]));
    assert_eq!(root.sandbox.snapshot(), before, "nothing was written");
    goldens.end();
}

/// Verbs that change something, in their order, with what they read from standard input.
const CHANGERS: &[(&str, &[(&str, &str)])] = &[
    (
        "memory",
        &[
            ("ram set mood wild", ""),
            ("ram set list '[1, 2]'", ""),
            ("ram set note -", "from standard input\n"),
            ("ram delete note", ""),
            ("ram delete plan", ""),
            ("ram delete none", ""),
        ],
    ),
    (
        "notes",
        &[
            (
                "notes add 'Number 27, see [[Kayak]].' --title 'Boat house' --keywords boat,house",
                "",
            ),
            (
                "notes edit 'Boat house' --value 'Number 28.' --title Hut",
                "",
            ),
            ("notes edit Hut --value x --version 1", ""),
            ("notes edit Hut", ""),
            ("notes edit none --value x", ""),
            ("notes restore Hut --version 9", ""),
            ("notes restore Hut --version 1", ""),
            ("notes history 'Boat house'", ""),
            (
                "notes add 'Number 28.' --title 'Boat house' --kind template",
                "",
            ),
            ("notes edit 'Boat house' --value x", ""),
            ("notes delete Kayak", ""),
            ("notes delete Kayak", ""),
            ("notes restore KAYAK", ""),
            (
                "notes import --json - --dry-run",
                "{\"id\": \"01960001-0000-7000-8000-000000000001\", \"title\": \"Mill\", \"value\": \"Old.\"}\n",
            ),
            (
                "notes import --json -",
                "{\"id\": \"01960001-0000-7000-8000-000000000001\", \"title\": \"Mill\", \"value\": \"Old.\"}\n{\"title\": 7}\n",
            ),
            ("notes list", ""),
        ],
    ),
    (
        "rules",
        &[
            (
                "rules add '{\"rule_id\": \"77777777-7777-4777-8777-777777777777\", \"trigger\": \"manual\", \"action_json\": {\"kind\": \"kjxlkj_agent\"}}'",
                "",
            ),
            ("rules add '{\"trigger\": \"never\"}'", ""),
            ("rules add --cron '61 9 * * *'", ""),
            ("rules disable 77777777", ""),
            ("rules trigger 77777777 --event-id off", ""),
            ("rules enable 77777777", ""),
            ("rules trigger 77777777 --event-id monday", ""),
            ("rules trigger 77777777 --event-id monday", ""),
            ("rules remove 77777777", ""),
            ("rules remove 77777777", ""),
        ],
    ),
    (
        "review",
        &[
            ("review approve 1", ""),
            ("review edit 2 --title 'Sea salt'", ""),
            ("review reject 3 --reason 'nobody needs it'", ""),
            ("review approve 3", ""),
            ("review list", ""),
        ],
    ),
    (
        "runs",
        &[
            ("runs launch --request 'Keep rice' --key one", ""),
            ("runs launch --request 'Keep rice' --key one", ""),
            ("runs launch --request 'Keep peas' --key one", ""),
            ("runs cancel QUEUED", ""),
            ("runs cancel RUN1", ""),
            ("runs retry RUN4", ""),
            ("runs retry RUN1", ""),
            ("runs cancel RUN4", ""),
            ("runs undo RUN2", ""),
            ("runs undo RUN2", ""),
            ("undo --since 2026-03-02T09:25:00Z", ""),
            ("status", ""),
        ],
    ),
    (
        "config",
        &[
            ("config set loop.max_stay 7", ""),
            ("config set loop.max_stay -1", ""),
            ("config set log.format -", "text\n"),
            ("config set none.such 1", ""),
            ("init --offline", ""),
        ],
    ),
    (
        "model",
        &[
            ("run --task 'Keep tea'", ""),
            ("once --task 'Keep milk'", ""),
            ("once", ""),
            ("call lmstudio 'What is a tern?'", ""),
            ("audit verify", ""),
        ],
    ),
    (
        "elsewhere",
        &[
            ("init --offline ../home/new", ""),
            ("config check --root ../home/new", ""),
            ("notes export --to ../home/markdown", ""),
            ("notes export --to ../home/markdown", ""),
            ("notes export --json --to ../home/notes.jsonl", ""),
            ("notes import ../home/markdown --dry-run", ""),
            ("notes import ../home/markdown --root ../home/new", ""),
            ("notes import ../home/none", ""),
            (
                "parse",
                "<ram_add><key>a</key><value>1</value></ram_add><b>",
            ),
            (
                "parse --strict",
                "Hm. <ram_delete><key>a</key></ram_delete>",
            ),
            ("parse --truncated", "<ram_delete><key>a</key></ram_del"),
        ],
    ),
    (
        "request",
        &[
            ("ask Keep the milk", ""),
            ("ask -", "Keep the rice\n"),
            ("status", ""),
        ],
    ),
];

/// What the program tells of changes in one format, step after step on one root, and what the journal has
/// of them.
async fn changed(goldens: &mut Goldens, format: &[&str]) {
    let mut root = Root::lived_in().await;
    let before = journal(&root).lines().count();
    let peer = worker();
    let base_url = peer.base_url();
    root.hide(&base_url, "<peer>");
    for (name, verbs) in CHANGERS {
        if *name == "model" {
            root.sandbox
                .cli(&["config", "set", "provider.base_url", &base_url])
                .ended(0);
        }
        let mut told = String::new();
        for (verb, input) in *verbs {
            let words = words_of(&root, verb);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            told += &root.told(&[&words[..], format].concat(), input.as_bytes());
        }
        goldens.check(&format!("{name}.txt"), &told);
    }
    if !format.is_empty() {
        return;
    }
    let lines = journal(&root);
    let lines: Vec<&str> = lines.lines().skip(before).collect();
    goldens.check("journal.jsonl", &root.masked(&(lines.join("\n") + "\n")));
}

/// A model that does the main job, and knows what a tern is.
fn worker() -> Peer {
    Peer::answering(|request, index| {
        if request.json().to_string().contains("tern") {
            return Step::reply("A bird.");
        }
        Step::reply(&answer(&state_in(request), index))
    })
}

/// The journal as it is.
fn journal(root: &Root) -> String {
    let folder = root.sandbox.path("data/journal");
    let names = names(&folder).into_iter();
    let names = names.filter(|name| name.ends_with("0.jsonl") || name.ends_with("1.jsonl"));
    names.map(|name| read(&folder.join(name))).collect()
}

#[tokio::test]
async fn verbs_that_change_say_what_they_said() {
    let mut goldens = Goldens::of("verbs_that_change");
    changed(&mut goldens, &[]).await;
    goldens.end();
}

#[tokio::test]
async fn verbs_that_change_say_the_same_to_programs() {
    let mut goldens = Goldens::of("verbs_that_change_in_json");
    changed(&mut goldens, &["--format", "json"]).await;
    goldens.end();
}

/// Verbs that a living daemon has a part in, in their order.
const BESIDE_A_DAEMON: [&str; 14] = [
    "ask --wait 'Keep the honey' -q",
    "ask --wait 'Keep the wax' -q",
    "ram set mood wild",
    "ram get mood",
    "notes edit Kayak --value 'It is green.'",
    "notes restore Kayak",
    "rules disable 5555",
    "rules enable 5555",
    "review approve 1",
    "config set loop.max_stay 7",
    "run --task 'Keep tea'",
    "runs list --limit 2",
    "runs undo RUN2 --dry-run",
    "stop",
];

#[tokio::test]
async fn verbs_beside_a_daemon_say_what_they_said() {
    let mut goldens = Goldens::of("verbs_beside_a_daemon");
    for (name, format) in [
        ("text.txt", &[][..]),
        ("json.txt", &["--format", "json"][..]),
    ] {
        let mut root = Root::lived_in().await;
        let peer = worker();
        let base_url = peer.base_url();
        root.hide(&base_url, "<peer>");
        root.sandbox
            .cli(&["config", "set", "provider.base_url", &base_url])
            .ended(0);
        let daemon = root.sandbox.start(&["daemon"]);
        drop(root.sandbox.connect());
        goldens.check(name, &told(&root, &BESIDE_A_DAEMON, format));
        assert_eq!(daemon.wait().0.code(), Some(0));
    }
    goldens.end();
}
