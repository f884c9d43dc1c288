//! `service unit`: a unit file for systemd that gives the daemon what it needs and nothing else.
//! Prints only: the administrator installs it.

use super::arguments::ServiceVerb;
use super::{Context, VerbOutput, environment};
use crate::config::{Environment as _, ProviderKind};
use crate::failure::{Code, Failure};
use std::path::Path;

const ACCOUNT: &str = "kjxlkj-agent";

/// The settings of both kinds of service.
// A loop without a step for long is restarted. The start may wait for the model server, and
// restarts never stop, for example while a `run` holds the folder; the pause keeps them cheap.
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

/// The restrictions that need no administrator, for any provider.
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

/// The further restrictions without foreign programs.
// Many of those compile code at run time and inspect the machine.
const OWN_FENCE: &str = "\
MemoryDenyWriteExecute=yes
SystemCallFilter=~@privileged @resources
";

/// The restrictions that only the administrator can set.
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

/// The further ones of these without foreign programs.
const OWN_SYSTEM_FENCE: &str = "\
PrivateUsers=yes
ProcSubset=pid
";

/// The reason why some are missing with foreign programs.
const OPENED: &str = "\
# A provider is a program (`provider_kind: cli`), or is started by one (`provider.launch`): it may make code
# as it runs, and see the machine.
";

/// The cache of a launched server; the shipped launcher uses `LLM_DIR`.
const CACHE: &str = "\
CacheDirectory=kjxlkj-agent
Environment=LLM_DIR=%C/kjxlkj-agent/small-llm
";

const WISHES: &str = "\
# A key that only this service sees:
#LoadCredential=openrouter_api_key:/etc/kjxlkj-agent/openrouter_api_key
#LoadCredential=kjxlkj_api_token:/etc/kjxlkj-agent/api_token
# Where the model server stands on this machine, nothing else need be reached:
#IPAddressDeny=any
#IPAddressAllow=localhost
";

pub(super) fn run(context: &Context, verb: ServiceVerb) -> Result<VerbOutput, Failure> {
    let ServiceVerb::Unit { user } = verb;
    let program = environment::program().ok_or_else(|| {
        let message = "the system does not tell where this program is";
        Failure::new(Code::Internal, message)
    })?;
    let started = StartedPrograms::of(context);
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
    Ok(VerbOutput::of_text(text))
}

/// The programs that the daemon starts; none where the files cannot be read.
#[derive(Clone, Copy, Debug, Default)]
struct StartedPrograms {
    /// Whether it starts any program.
    any: bool,
    /// Whether it starts a server, which needs a cache.
    server: bool,
}

impl StartedPrograms {
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
    let start = quoted(program)?.replace('$', "$$");
    let argument = root.replace('$', "$$");
    let [mounts, writable] = if account.is_empty() {
        [String::new(), String::new()]
    } else {
        ["RequiresMountsFor", "ReadWritePaths"].map(|key| format!("{key}={root}\n"))
    };
    Ok(format!(
        "[Unit]\nDescription=A note-keeping agent beside a small local language model\n\
         After=network.target\nStartLimitIntervalSec=0\n{mounts}\n\
         [Service]\nExecStart={start} --root {argument} daemon\n{account}{LIFE}{fence}{writable}\
         {WISHES}\n[Install]\nWantedBy={target}\n"
    ))
}

/// Returns the account of the caller; for root the service's own account.
fn account(context: &Context) -> String {
    let name = context.environment.get("USER");
    name.filter(|name| !name.is_empty() && name != "root" && is_name(name))
        .unwrap_or_else(|| ACCOUNT.to_owned())
}

fn is_name(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Quotes a path for a unit file.
fn quoted(path: &Path) -> Result<String, Failure> {
    let text = path.to_str();
    let text = text.filter(|text| !text.contains(char::is_control));
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
