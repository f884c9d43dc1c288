//! The daemon as a service: what it tells its manager, the unit file, the journal, the manual.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test may stop at once, and it runs what a service manager runs"
)]

use super::sandbox::{DEADLINE, RULE_ID, Sandbox, started, until, worker};
use rustix::process::Signal;
use serde_json::json;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

/// A service manager that listens.
struct Manager {
    folder: tempfile::TempDir,
    socket: UnixDatagram,
}

impl Manager {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        socket.set_read_timeout(Some(DEADLINE)).unwrap();
        Self { folder, socket }
    }

    fn command(&self, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&["daemon"]);
        command.env("NOTIFY_SOCKET", self.folder.path().join("notify"));
        command
    }

    /// The next message that begins with this; those before it are passed over.
    fn hear(&self, beginning: &str) -> String {
        loop {
            let mut bytes = [0; 4096];
            let length = self.socket.recv(&mut bytes).unwrap();
            let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
            if text.starts_with(beginning) {
                return text;
            }
        }
    }
}

#[test]
fn the_manager_hears_of_the_start_of_work_of_a_reload_and_of_the_end() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let manager = Manager::start();
    sandbox.give_work();
    let daemon = started(manager.command(&sandbox));
    assert_eq!(manager.hear("READY"), "READY=1\n");
    // Whoever is told so can already speak with it.
    assert!(sandbox.path("data/control.sock").exists());
    assert!(manager.hear("STATUS=run ").contains(": planning"));
    manager.hear("STATUS=idle");
    daemon.signal(Signal::HUP);
    let reloading = manager.hear("RELOADING");
    let (_, time) = reloading
        .split_once("RELOADING=1\nMONOTONIC_USEC=")
        .unwrap();
    assert!(time.trim().parse::<u64>().unwrap() > 0);
    manager.hear("READY=1");
    // With a file that is broken it goes on as it was, and says so.
    let good = sandbox.read("data/config.json");
    sandbox.write("data/config.json", "{");
    daemon.signal(Signal::HUP);
    manager.hear("RELOADING");
    manager.hear("READY=1");
    assert!(
        manager
            .hear("STATUS=reload failed")
            .contains("last good configuration")
    );
    daemon.wait_for("CONFIG_JSON_INVALID", 1);
    sandbox.write("data/config.json", &good);
    daemon.signal(Signal::TERM);
    assert_eq!(manager.hear("STOPPING"), "STOPPING=1\n");
    let (status, said) = daemon.wait();
    assert_eq!(status.code(), Some(0), "{said}");
}

#[test]
fn the_watchdog_is_told_as_long_as_the_loop_takes_its_steps() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let manager = Manager::start();
    let mut command = manager.command(&sandbox);
    command.env("WATCHDOG_USEC", "20000");
    let daemon = started(command);
    manager.hear("STATUS=idle");
    for _ in 0..3 {
        assert_eq!(manager.hear("WATCHDOG"), "WATCHDOG=1\n");
    }
    drop(daemon);
}

#[test]
fn a_manager_that_is_not_there_and_a_deaf_one_hold_nothing_up() {
    let peer = worker();
    let sandbox = Sandbox::with(&peer);
    let mut command = sandbox.command(&["daemon"]);
    command.env("NOTIFY_SOCKET", sandbox.path("nobody"));
    sandbox.give_work();
    let daemon = started(command);
    daemon.wait_for("run ended", 1);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));

    // One that is there and never listens: nothing more fits into its queue.
    let deaf = Manager::start();
    let path = deaf.folder.path().join("notify");
    loop {
        // What one sender may have under way is limited as well.
        let filler = UnixDatagram::unbound().unwrap();
        filler.set_nonblocking(true).unwrap();
        if filler.send_to(b"x", &path).is_err() {
            break;
        }
        while filler.send_to(b"x", &path).is_ok() {}
    }
    let daemon = started(deaf.command(&sandbox));
    sandbox.cli(&["ask", "buy tea"]).ended(0);
    daemon.wait_for("run ended", 1);
    assert_eq!(daemon.end_by(Signal::TERM).0.code(), Some(0));
}

/// What `systemd-analyze` says of a unit, where there is one.
fn analyse(arguments: &[&str], unit: &std::path::Path) -> Option<(bool, String)> {
    let output = Command::new("systemd-analyze")
        .args(arguments)
        .arg(unit)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    Some((output.status.success(), said))
}

#[expect(clippy::too_many_lines, reason = "one unit, line by line")]
#[test]
fn the_unit_is_sound_and_hardened() {
    let sandbox = Sandbox::quiet();
    for (arguments, target) in [
        (&["service", "unit"][..], "multi-user.target"),
        (&["service", "unit", "--user"], "default.target"),
    ] {
        let text = sandbox.cli(arguments).ended(0).stdout;
        for line in [
            "Type=notify",
            "ExecReload=/bin/kill -HUP $MAINPID",
            "RestartPreventExitStatus=2 65 78",
            "NoNewPrivileges=yes",
            "MemoryDenyWriteExecute=yes",
            // It never gives up: nobody looks after it.
            "StartLimitIntervalSec=0",
            "RestartSec=5s",
            &format!("WantedBy={target}"),
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
        let root = sandbox.root();
        assert!(text.contains(&format!("--root \"{}\" daemon", root.display())));
        let unit = sandbox.path("kjxlkj-agent.service");
        std::fs::write(&unit, &text).unwrap();
        let Some((well, said)) = analyse(&["verify"], &unit) else {
            continue;
        };
        let about_it = said
            .lines()
            .any(|line| line.contains("kjxlkj-agent.service"));
        assert!(well && !about_it, "{said}");
        if target == "multi-user.target" {
            let wanted = ["security", "--offline=true", "--threshold=13"];
            let (well, said) = analyse(&wanted, &unit).unwrap();
            assert!(well, "{said}");
        }
    }
    // A program that is asked for answers may need what is denied else, whoever asks it.
    let whole: serde_json::Value = serde_json::from_str(&sandbox.read("data/config.json")).unwrap();
    let program = json!({"provider_kind": "cli", "command": ["sh", "-c", "cat"]});
    for place in ["provider", "launch", "providers", "a rule"] {
        let (mut config, mut rules) = (whole.clone(), json!([]));
        if place == "provider" {
            config["provider"] = program.clone();
        } else if place == "launch" {
            config["provider"]["launch"] = json!({"command": ["data/small-model", "1234"]});
        } else if place == "providers" {
            config["providers"] = json!([program]);
            config["providers"][0]["name"] = json!("program");
        } else {
            rules = json!([{
                "rule_id": RULE_ID,
                "workspace_id": whole["scope"]["workspace_id"],
                "trigger": "manual", "condition_json": {}, "enabled": true,
                "action_json": {"kind": "kjxlkj_agent", "provider": program},
                "created_at": "2026-02-15T00:00:00Z", "updated_at": "2026-02-15T00:00:00Z",
            }]);
        }
        sandbox.write("data/config.json", &config.to_string());
        sandbox.write("data/rules.json", &rules.to_string());
        sandbox.cli(&["config", "check"]).ended(0);
        for arguments in [&["service", "unit"][..], &["service", "unit", "--user"]] {
            let text = sandbox.cli(arguments).ended(0).stdout;
            assert!(text.contains("provider_kind: cli"), "{place}: {text}");
            // What it fetches has a place where it may write, wherever its home is.
            for line in [
                "CacheDirectory=kjxlkj-agent",
                "Environment=LLM_DIR=%C/kjxlkj-agent/small-llm",
            ] {
                let is_there = text.lines().any(|one| one == line);
                assert_eq!(is_there, place == "launch", "{place}: {text}");
            }
            let launcher = sandbox.read("data/small-model");
            assert!(launcher.contains("dir=${LLM_DIR:-"), "{launcher}");
            for denied in ["MemoryDeny", "PrivateUsers", "ProcSubset", "@privileged"] {
                assert!(!text.contains(denied), "{place}: {text}");
            }
            let unit = sandbox.path("kjxlkj-agent.service");
            std::fs::write(&unit, &text).unwrap();
            if let Some((well, said)) = analyse(&["verify"], &unit) {
                assert!(well, "{said}");
            }
            if arguments.len() == 2 {
                let wanted = ["security", "--offline=true", "--threshold=20"];
                if let Some((well, said)) = analyse(&wanted, &unit) {
                    assert!(well, "{said}");
                }
            }
        }
    }
    sandbox.write("data/config.json", &whole.to_string());
    sandbox.write("data/rules.json", "[]");
    // An account is asked for where the administrator prints it, and a person's own where not.
    let mut command = sandbox.command(&["service", "unit"]);
    command.env("USER", "anna");
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(text.contains("\nUser=anna\n"), "{text}");
}

#[test]
fn lines_for_the_journal_tell_their_weight() {
    let sandbox = Sandbox::quiet();
    let path = sandbox.path("stderr");
    let file = std::fs::File::create(&path).unwrap();
    let about = file.metadata().unwrap();
    for (stream, weighs) in [
        (format!("{}:{}", about.dev(), about.ino()), true),
        ("1:2".to_owned(), false),
    ] {
        file.set_len(0).unwrap();
        sandbox.give_work();
        let mut command = sandbox.command(&["daemon"]);
        command
            .env("JOURNAL_STREAM", stream)
            .stdout(Stdio::null())
            .stderr(
                std::fs::OpenOptions::new()
                    .append(true)
                    .open(&path)
                    .unwrap(),
            );
        let mut child = command.spawn().unwrap();
        let said = until("both lines", || {
            let said = std::fs::read_to_string(&path).unwrap();
            (said.contains("started") && said.contains("LLM_UNAVAILABLE")).then_some(said)
        });
        child.kill().unwrap();
        child.wait().unwrap();
        let line_of = |word: &str| said.lines().find(|line| line.contains(word)).unwrap();
        assert_eq!(line_of("started").starts_with("<6>"), weighs, "{said}");
        assert_eq!(
            line_of("LLM_UNAVAILABLE").starts_with("<4>"),
            weighs,
            "{said}"
        );
    }
}

#[test]
fn the_journal_is_told_as_an_error_with_its_code_why_a_daemon_does_not_start() {
    let sandbox = Sandbox::quiet();
    sandbox.write("data/config.json", "{");
    let path = sandbox.path("stderr");
    let file = std::fs::File::create(&path).unwrap();
    let about = file.metadata().unwrap();
    let mut command = sandbox.command(&["daemon"]);
    let stream = format!("{}:{}", about.dev(), about.ino());
    command.env("JOURNAL_STREAM", stream).stderr(file);
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(78));
    let said = std::fs::read_to_string(&path).unwrap();
    let told = said.strip_prefix("<3>").unwrap();
    // In one line: what is said is said once.
    let told: serde_json::Value = serde_json::from_str(told).unwrap();
    assert_eq!(told["code"], json!("CONFIG_JSON_INVALID"));
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .contains("data/config.json:1:1")
    );
}

#[test]
fn completions_and_the_manual_know_every_verb() {
    let sandbox = Sandbox::quiet();
    let help = sandbox.cli(&["help"]).ended(0).stdout;
    let (_, verbs) = help.split_once("Commands:\n").unwrap();
    let verbs = verbs.split("\n\n").next().unwrap();
    let verbs: Vec<&str> = verbs
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(verbs.len() > 15);
    let manual = sandbox.cli(&["man"]).ended(0).stdout;
    let said =
        ["bash", "zsh", "fish"].map(|shell| sandbox.cli(&["completions", shell]).ended(0).stdout);
    for verb in &verbs {
        assert!(manual.contains(verb), "{verb}");
        assert!(said.iter().all(|said| said.contains(verb)), "{verb}");
    }
    // What a part of a verb takes stands there as well.
    for (verb, part, option) in [
        ("notes", "edit", "--markdown"),
        ("rules", "reconcile", "--from"),
        ("runs", "launch", "--key"),
        ("service", "unit", "--user"),
    ] {
        let (_, page) = manual
            .split_once(&format!("kjxlkj\\-agent {verb} {part}"))
            .unwrap();
        let page = page.split("Usage: ").next().unwrap();
        assert!(
            page.contains(&option.replace('-', "\\-")),
            "{verb} {part}: {page}"
        );
        assert!(
            said.iter().all(|said| said.contains(&option[2..])),
            "{option}"
        );
    }
    for code in ["65", "74", "75", "78"] {
        assert!(manual.contains(code));
    }
    assert!(manual.contains("EXIT STATUS"));
    sandbox.cli(&["completions", "nushell"]).ended(2);
    assert_eq!(json!(sandbox.cli(&["help", "man"]).code), json!(0));
}
