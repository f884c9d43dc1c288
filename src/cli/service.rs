//! `service unit`: a unit file for systemd that gives the daemon what it needs and nothing else. Prints
//! only: where it goes is the administrator's business.

use super::arguments::ServiceVerb;
use super::context::Context;
use super::environment;
use super::output::Answer;
use crate::config::{Environment as _, ProviderKind};
use crate::failure::{Code, Failure};
use std::fmt::Write as _;
use std::path::Path;

/// The account of a system service where the person at the keyboard is the administrator.
const ACCOUNT: &str = "kjxlkj-agent";

/// What both kinds of service have. A loop that takes no step for long is started again; a start waits
/// for the model server for as long as it takes. Nobody looks after it, so it is tried again for as long as
/// it takes, as while somebody's `run` holds the folder; the pause keeps that cheap.
const LIFE: &str = "\
Type=notify
NotifyAccess=main
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=5s
RestartPreventExitStatus=2 65 78
TimeoutStartSec=infinity
TimeoutStopSec=30s
WatchdogSec=60s
KillMode=mixed
UMask=0077
LimitCORE=0
";

/// What a service may be denied without an administrator, whatever it starts.
const FENCE: &str = "\
NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
";

/// What it may be denied as well where it starts no foreign program: many translate what they run as they
/// run it, and look around in the machine.
const OWN_FENCE: &str = "\
MemoryDenyWriteExecute=yes
SystemCallFilter=~@privileged @resources
";

/// What else the administrator can deny it.
const SYSTEM_FENCE: &str = "\
CapabilityBoundingSet=
AmbientCapabilities=
DevicePolicy=closed
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
";

/// What else of that where it starts no foreign program.
const OWN_SYSTEM_FENCE: &str = "\
PrivateUsers=yes
ProcSubset=pid
";

/// Why some of it is missing where it does.
const OPENED: &str = "\
# A provider is a program (`provider_kind: cli`), or is started by one (`provider.launch`): it may make code
# as it runs, and see the machine.
";

/// Where a launched server may keep what it fetches; the shipped launcher heeds `LLM_DIR`.
const CACHE: &str = "\
CacheDirectory=kjxlkj-agent
Environment=LLM_DIR=%C/kjxlkj-agent/small-llm
";

/// What a person may want to add.
const WISHES: &str = "\
# A key that only this service sees:
#LoadCredential=openrouter_api_key:/etc/kjxlkj-agent/openrouter_api_key
#LoadCredential=kjxlkj_api_token:/etc/kjxlkj-agent/api_token
# Where the model server stands on this machine, nothing else need be reached:
#IPAddressDeny=any
#IPAddressAllow=localhost
";

/// Answers the verb.
pub(super) fn run(context: &Context, verb: ServiceVerb) -> Result<Answer, Failure> {
    let ServiceVerb::Unit { user } = verb;
    let program = environment::program().ok_or_else(|| {
        Failure::new(
            Code::Internal,
            "the system does not tell where this program is",
        )
    })?;
    let started = Started::of(context);
    let [beside, own, own_system] = if started.any {
        [OPENED, "", ""]
    } else {
        ["", OWN_FENCE, OWN_SYSTEM_FENCE]
    };
    let cache = if started.server { CACHE } else { "" };
    let fence = [beside, FENCE, own, cache].concat();
    let text = if user {
        unit(context, &program, "", &fence, "default.target")?
    } else {
        let account = format!("User={}\n", account(context));
        let fence = [&fence, SYSTEM_FENCE, own_system].concat();
        unit(context, &program, &account, &fence, "multi-user.target")?
    };
    Ok(Answer { text, exit: 0 })
}

/// What the daemon starts beside itself. Where the files cannot be read that is nothing, so far.
#[derive(Clone, Copy, Debug, Default)]
struct Started {
    /// Some program.
    any: bool,
    /// A server, which keeps things.
    server: bool,
}

impl Started {
    fn of(context: &Context) -> Self {
        let Ok(loaded) = context.session.load() else {
            return Self::default();
        };
        let mut all = loaded.config.all_providers();
        let server = loaded.config.provider.launch.is_some();
        Self {
            any: server || all.any(|provider| provider.kind == ProviderKind::Cli),
            server,
        }
    }
}

fn unit(
    context: &Context,
    program: &Path,
    account: &str,
    fence: &str,
    target: &str,
) -> Result<String, Failure> {
    let root = quoted(context.session.root())?;
    let mut text = String::from(
        "[Unit]\nDescription=A note-keeping agent beside a small local language model\n\
         After=network.target\nStartLimitIntervalSec=0\n",
    );
    // Writing into a text cannot fail.
    if !account.is_empty() {
        writeln!(text, "RequiresMountsFor={root}").unwrap_or_default();
    }
    text.push_str("\n[Service]\n");
    let start = quoted(program)?.replace('$', "$$");
    let argument = root.replace('$', "$$");
    writeln!(text, "ExecStart={start} --root {argument} daemon").unwrap_or_default();
    text.push_str(account);
    text.push_str(LIFE);
    text.push_str(fence);
    if !account.is_empty() {
        writeln!(text, "ReadWritePaths={root}").unwrap_or_default();
    }
    text.push_str(WISHES);
    writeln!(text, "\n[Install]\nWantedBy={target}").unwrap_or_default();
    Ok(text)
}

/// Whoever asks; but a service of the administrator is nobody's but its own.
fn account(context: &Context) -> String {
    let name = context.environment.get("USER");
    name.filter(|name| !name.is_empty() && name != "root" && is_name(name))
        .unwrap_or_else(|| ACCOUNT.to_owned())
}

fn is_name(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// A path as a unit file spells it.
fn quoted(path: &Path) -> Result<String, Failure> {
    let text = path
        .to_str()
        .filter(|text| !text.contains(char::is_control));
    let text = text.ok_or_else(|| {
        let message = format!("{} cannot stand in a unit file", path.display());
        Failure::new(Code::PathInvalid, message)
    })?;
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('%', "%%");
    Ok(format!("\"{escaped}\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::path::Path;

    #[test]
    fn a_path_is_spelt_so_that_systemd_reads_it_back() {
        for (path, spelt) in [
            ("/a/b", Some("\"/a/b\"")),
            ("/a b/100%", Some("\"/a b/100%%\"")),
            ("/a\"\\", Some("\"/a\\\"\\\\\"")),
            ("/a\nExecStart=/bin/sh", None),
        ] {
            assert_eq!(quoted(Path::new(path)).ok().as_deref(), spelt, "{path}");
        }
    }
}
