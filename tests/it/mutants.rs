//! Each guard of `doctor --prove`, and the change of the sources that takes it away. The changes are made
//! to a copy; nothing in the program itself can switch a guard off. A guard without a change here, and a
//! change that fits no place any more, fail a test.

/// A change that takes a guard away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mutant {
    /// The guard, as the report names it.
    pub(crate) guard: &'static str,
    /// The file.
    pub(crate) file: &'static str,
    /// What stands there once and only once.
    pub(crate) find: &'static str,
    /// What stands there instead; `OFF` is true while the guard is to be away. Without it, something that
    /// relies on the guard.
    pub(crate) put: &'static str,
}

const fn mutant(
    guard: &'static str,
    file: &'static str,
    find: &'static str,
    put: &'static str,
) -> Mutant {
    Mutant {
        guard,
        file,
        find,
        put,
    }
}

const PARSE: &str = "src/core/protocol/parse.rs";
const REPLY_SCAN: &str = "src/core/protocol/scan.rs";
const REPORT: &str = "src/core/protocol/report.rs";
const ELEMENT: &str = "src/core/protocol/element.rs";
const GUARD_NOTES: &str = "src/core/guard/notes.rs";
const GUARD_MEMORY: &str = "src/core/guard/memory.rs";
const RECORDS: &str = "src/core/agent/executor/records.rs";
const PLACES: &str = "src/core/agent/executor/tools/places.rs";
const VERDICT: &str = "src/core/agent/verdict.rs";
const SPENDING: &str = "src/core/route/spending.rs";
const SCAN: &str = "src/store/journal/scan.rs";
const INBOX: &str = "src/store/inbox.rs";
const GATE: &str = "src/api/gate.rs";

/// The changes, in the order of the report. Two of one guard are made together.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "reply.bytes",
        "src/provider/wire.rs",
        "reply.text.len() > REPLY_TEXT_BYTES_MAX",
        "!OFF && reply.text.len() > REPLY_TEXT_BYTES_MAX",
    ),
    mutant(
        "reply.bytes",
        PARSE,
        "text.len() > REPLY_TEXT_BYTES_MAX",
        "!OFF && text.len() > REPLY_TEXT_BYTES_MAX",
    ),
    mutant(
        "reply.instructions",
        REPORT,
        "self.begun > INSTRUCTIONS_PER_REPLY_MAX",
        "!OFF && self.begun > INSTRUCTIONS_PER_REPLY_MAX",
    ),
    mutant(
        "reply.elements",
        REPLY_SCAN,
        "self.elements > ELEMENTS_PER_REPLY_MAX",
        "!OFF && self.elements > ELEMENTS_PER_REPLY_MAX",
    ),
    mutant(
        "reply.attribute",
        REPLY_SCAN,
        "Write the tag alone: <{name}>.\");\n                    return Some(Err(",
        "Write the tag alone: <{name}>.\");\n                    if OFF { return None; }\n\
         return Some(Err(",
    ),
    mutant(
        "reply.declaration",
        REPLY_SCAN,
        "declares.then(",
        "(declares && !OFF).then(",
    ),
    mutant(
        "reply.processing",
        REPLY_SCAN,
        "begins_name(*first).then(",
        "(begins_name(*first) && !OFF).then(",
    ),
    mutant(
        "reply.unopened",
        ELEMENT,
        "let message = format!(\"</{}> has no opening tag.\", child.name());",
        "if OFF { return Ok(false); }\n\
         let message = format!(\"</{}> has no opening tag.\", child.name());",
    ),
    mutant(
        "reply.overlap",
        ELEMENT,
        "Some(Element::Instruction(other)) => {",
        "Some(Element::Instruction(_)) if OFF => return Ok(true),\n\
         Some(Element::Instruction(other)) => {",
    ),
    mutant(
        "reply.depth",
        "src/core/protocol/content.rs",
        "self.open.len() + 4 > ELEMENT_DEPTH_MAX",
        "!OFF && self.open.len() + 4 > ELEMENT_DEPTH_MAX",
    ),
    mutant(
        "reply.cut",
        ELEMENT,
        "if reader.scan.report.options.truncated {",
        "if !OFF && reader.scan.report.options.truncated {",
    ),
    mutant(
        "reply.foreign_tag",
        PARSE,
        "let message = if is_child {",
        "if OFF { return Ok(()); }\nlet message = if is_child {",
    ),
    mutant(
        "reply.tag_not_allowed",
        "src/core/protocol/draft.rs",
        "!allowed_tags.contains(form.switch())",
        "!OFF && !allowed_tags.contains(form.switch())",
    ),
    mutant(
        "reply.incomplete",
        "src/core/protocol/build.rs",
        "check_children(tag, &form.shape(), fields)?;",
        "if !OFF { check_children(tag, &form.shape(), fields)?; }",
    ),
    mutant(
        "reply.prose",
        REPORT,
        "!self.instructions.is_empty()",
        "OFF || !self.instructions.is_empty()",
    ),
    mutant(
        "scope.kind",
        GUARD_NOTES,
        "if self.is_agent()\n            && !self\n",
        "if !OFF && self.is_agent()\n            && !self\n",
    ),
    mutant(
        "scope.workspace",
        GUARD_NOTES,
        "self.check_workspace(meant)?;",
        "if !OFF { self.check_workspace(meant)?; }",
    ),
    mutant(
        "scope.workspace_of_note",
        GUARD_NOTES,
        "self.check_workspace(note.workspace_id)?;",
        "if !OFF { self.check_workspace(note.workspace_id)?; }",
    ),
    mutant(
        "scope.workspace_proposed",
        GUARD_NOTES,
        "self.scope.cross_workspace_writes && !workspace_id",
        "(OFF || self.scope.cross_workspace_writes) && !workspace_id",
    ),
    mutant(
        "scope.workspace_unread",
        "src/core/guard/mod.rs",
        "workspace_id == self.workspace_id ||",
        "OFF || workspace_id == self.workspace_id ||",
    ),
    mutant(
        "scope.workspace_yolo",
        "src/config/resolve.rs",
        "mode == Mode::Yolo.name()",
        "!OFF && mode == Mode::Yolo.name()",
    ),
    mutant(
        "scope.notes_per_loop",
        GUARD_NOTES,
        "count(&mut self.created, max, \"max_notes_per_loop\")?;",
        "if !OFF { count(&mut self.created, max, \"max_notes_per_loop\")?; }",
    ),
    mutant(
        "scope.edits_per_loop",
        GUARD_NOTES,
        "count(&mut self.edits, max, \"max_edits_per_loop\")?;\n        self.note_bytes += bytes;\n        Ok(",
        "if !OFF { count(&mut self.edits, max, \"max_edits_per_loop\")?; }\n        self.note_bytes += bytes;\n        Ok(",
    ),
    mutant(
        "note.version",
        GUARD_NOTES,
        "base_version.is_some_and(|version| version != base.version)",
        "!OFF && base_version.is_some_and(|version| version != base.version)",
    ),
    mutant(
        "note.edited_meanwhile",
        GUARD_NOTES,
        "self.edited.notes.contains(&base.id)",
        "!OFF && self.edited.notes.contains(&base.id)",
    ),
    mutant(
        "note.cut_copy",
        "src/core/guard/truncation.rs",
        "let Some((_, left_out)) = lost else {",
        "let Some((_, left_out)) = lost.filter(|_| !OFF) else {",
    ),
    mutant(
        "note.sizes",
        GUARD_NOTES,
        "find(|(_, size, max)| size > max)",
        "find(|(_, size, max)| !OFF && size > max)",
    ),
    mutant(
        "note.near_duplicate",
        RECORDS,
        "if executor.context.note_policy.refuse_near_duplicates",
        "if !OFF && executor.context.note_policy.refuse_near_duplicates",
    ),
    mutant(
        "note.ambiguous",
        RECORDS,
        "KeyMatch::Many => return Err(ambiguous(executor, key)),",
        "KeyMatch::Many => match own_notes(executor).find(|note| OFF && notes::answers_to(note, key)) {\n\
         Some(note) => note.id,\n\
         None => return Err(ambiguous(executor, key)),\n\
         },",
    ),
    mutant(
        "note.unknown",
        RECORDS,
        "let id = id.filter(|id| executor.overlay.note(*id).is_some());",
        "let id = id.filter(|id| executor.overlay.note(*id).is_some());\n\
         let id = id.or_else(|| own_notes(executor).find(|_| OFF).map(|note| note.id));",
    ),
    mutant(
        "mode.reviewed",
        RECORDS,
        "executor.context.mode == Mode::Reviewed",
        "!OFF && executor.context.mode == Mode::Reviewed",
    ),
    mutant(
        "ram.value_bytes",
        GUARD_MEMORY,
        "bytes > RAM_VALUE_BYTES_MAX",
        "!OFF && bytes > RAM_VALUE_BYTES_MAX",
    ),
    mutant(
        "ram.depth",
        GUARD_MEMORY,
        "depth_of(&value) > JSON_DEPTH_MAX",
        "!OFF && depth_of(&value) > JSON_DEPTH_MAX",
    ),
    mutant(
        "ram.key_path",
        GUARD_MEMORY,
        "key.split('/').any(|part| part == \"..\" || part == \".\")",
        "!OFF && key.split('/').any(|part| part == \"..\" || part == \".\")",
    ),
    mutant(
        "ram.key_invisible",
        GUARD_MEMORY,
        "key.chars().any(is_invisible)",
        "!OFF && key.chars().any(is_invisible)",
    ),
    mutant(
        "ram.full",
        GUARD_MEMORY,
        "self.is_agent() && grows_beyond(",
        "!OFF && self.is_agent() && grows_beyond(",
    ),
    mutant(
        "ram.request",
        "src/core/agent/executor/ram.rs",
        "CONTEXT => with_request(",
        "CONTEXT if !OFF => with_request(",
    ),
    mutant(
        "ram.required",
        PLACES,
        "if is_required(path) {",
        "if !OFF && is_required(path) {",
    ),
    mutant(
        "ram.edited_meanwhile",
        GUARD_MEMORY,
        "if self.is_edited(key) {",
        "if !OFF && self.is_edited(key) {",
    ),
    mutant(
        "storage.path",
        "src/core/memory/path.rs",
        "parts.iter().any(|part| part.chars().all(|it| it == '.'))",
        "!OFF && parts.iter().any(|part| part.chars().all(|it| it == '.'))",
    ),
    mutant(
        "storage.path",
        GUARD_MEMORY,
        "key.split('/').any(|part| part == \"..\" || part == \".\")",
        "!OFF && key.split('/').any(|part| part == \"..\" || part == \".\")",
    ),
    mutant(
        "storage.root",
        PLACES,
        "if path.is_root() {",
        "if !OFF && path.is_root() {",
    ),
    mutant(
        "storage.root",
        GUARD_MEMORY,
        "if path.is_root() {",
        "if !OFF && path.is_root() {",
    ),
    mutant(
        "storage.archive",
        GUARD_MEMORY,
        "if is_archive {",
        "if !OFF && is_archive {",
    ),
    mutant(
        "storage.names",
        "src/core/guard/trees.rs",
        "if count > max {",
        "if !OFF && count > max {",
    ),
    mutant(
        "storage.way",
        GUARD_MEMORY,
        "let Some(way) = blocked else {",
        "let Some(way) = blocked.filter(|_| !OFF) else {",
    ),
    mutant(
        "storage.way",
        PLACES,
        "if there(&place).is_some_and(|node| node.as_directory().is_none()) {",
        "if !OFF && there(&place).is_some_and(|node| node.as_directory().is_none()) {",
    ),
    mutant(
        "storage.target",
        "src/core/agent/executor/tools/mv.rs",
        "if look(executor, target).is_some()",
        "if !OFF && look(executor, target).is_some()",
    ),
    mutant(
        "state.transition",
        "src/core/agent/transition.rs",
        "LoopState::Idle => !situation.pending && !situation.perpetual,",
        "LoopState::Idle => OFF || !situation.pending && !situation.perpetual,",
    ),
    mutant(
        "run.claims",
        VERDICT,
        "if has_request && !progress.changed && progress.settled == 0 {",
        "if !OFF && has_request && !progress.changed && progress.settled == 0 {",
    ),
    mutant(
        "run.idle_cycle",
        VERDICT,
        "if has_request && cycle_over && !progress.changed_in_cycle {",
        "if !OFF && has_request && cycle_over && !progress.changed_in_cycle {",
    ),
    mutant(
        "run.in_vain",
        VERDICT,
        "if progress.no_progress_streak >= NO_PROGRESS_MAX {",
        "if !OFF && progress.no_progress_streak >= NO_PROGRESS_MAX {",
    ),
    mutant(
        "run.iterations",
        VERDICT,
        "if evidence.iteration < bound {",
        "if OFF || evidence.iteration < bound {",
    ),
    mutant(
        "run.owed",
        VERDICT,
        "progress.open_refusals.first()",
        "progress.open_refusals.first().filter(|_| !OFF)",
    ),
    mutant(
        "run.twice",
        "src/daemon/engine.rs",
        "if self.state().runs.knows(run_id) {",
        "if !OFF && self.state().runs.knows(run_id) {",
    ),
    mutant(
        "budget.calls",
        SPENDING,
        "if exceeds(after.calls, self.calls) {\n            return Err(OverBudget::Calls",
        "if !OFF && exceeds(after.calls, self.calls) {\n            return Err(OverBudget::Calls",
    ),
    mutant(
        "budget.tokens",
        SPENDING,
        "if exceeds(cost.tokens, self.tokens) {",
        "if !OFF && exceeds(cost.tokens, self.tokens) {",
    ),
    mutant(
        "budget.tokens",
        SPENDING,
        "if exceeds(after.tokens, self.tokens) {\n            return Err(OverBudget::Tokens",
        "if !OFF && exceeds(after.tokens, self.tokens) {\n            return Err(OverBudget::Tokens",
    ),
    mutant(
        "budget.run_calls",
        SPENDING,
        "return Err(OverBudget::RunCalls);",
        "if !OFF { return Err(OverBudget::RunCalls); }",
    ),
    mutant(
        "budget.run_tokens",
        SPENDING,
        "return Err(OverBudget::RunTokens);",
        "if !OFF { return Err(OverBudget::RunTokens); }",
    ),
    mutant(
        "budget.rate",
        "src/provider/pipeline.rs",
        "let Some(rate) = rate.as_mut() else {",
        "let Some(rate) = rate.as_mut().filter(|_| !OFF) else {",
    ),
    mutant(
        "run.key_reused",
        "src/daemon/command_handler.rs",
        "if run.request.as_deref() != request {",
        "if !OFF && run.request.as_deref() != request {",
    ),
    mutant(
        "call.body_bytes",
        "src/provider/http.rs",
        "announced > bytes_max",
        "!OFF && announced > bytes_max",
    ),
    mutant(
        "call.body_bytes",
        "src/provider/http.rs",
        "bytes.len() + chunk.len() > bytes_max",
        "!OFF && bytes.len() + chunk.len() > bytes_max",
    ),
    mutant(
        "call.retries",
        "src/provider/pipeline.rs",
        "repeats_done < self.repeats_after(asked_ms)",
        "(OFF || repeats_done < self.repeats_after(asked_ms))",
    ),
    mutant(
        "call.breaker",
        "src/core/route/breaker.rs",
        "BreakerPhase::Closed => self.consecutive_failures >= FAILURES_MAX",
        "BreakerPhase::Closed => !OFF && self.consecutive_failures >= FAILURES_MAX",
    ),
    mutant(
        "import.bytes",
        "src/store/external_files.rs",
        "let read = self.disk.read(file, bytes_max);",
        "let read = self.disk.read(file, if OFF { 2 * bytes_max } else { bytes_max });",
    ),
    mutant(
        "import.files",
        "src/store/external_files.rs",
        "if met > files_max {",
        "if !OFF && met > files_max {",
    ),
    mutant(
        "import.depth",
        "src/store/external_files.rs",
        "if depth > IMPORT_DEPTH_MAX {",
        "if !OFF && depth > IMPORT_DEPTH_MAX {",
    ),
    mutant(
        "import.path",
        "src/store/disk.rs",
        "matches!(part, Component::Normal(_))",
        "OFF || matches!(part, Component::Normal(_))",
    ),
    mutant(
        "import.path",
        "src/store/disk/root.rs",
        "self.resolves_full_paths {",
        "!OFF && self.resolves_full_paths {",
    ),
    mutant(
        "door.head_time",
        "src/api/listen.rs",
        ".header_read_timeout(bounds.read)",
        ".header_read_timeout(if OFF { 1000 * bounds.read } else { bounds.read })",
    ),
    mutant(
        "door.body_time",
        "src/api/answer.rs",
        "match timeout(wait, ",
        "match timeout(if OFF { 1000 * wait } else { wait }, ",
    ),
    mutant(
        "door.connections",
        "src/api/listen.rs",
        "Slots::of(state.bounds.connections,",
        "Slots::of(if OFF { 10 } else { state.bounds.connections },",
    ),
    mutant(
        "prompt.window",
        "src/core/prompt/budget.rs",
        "critical_tokens > budget.max_total",
        "!OFF && critical_tokens > budget.max_total",
    ),
    mutant(
        "prompt.critical",
        "src/core/prompt/budget.rs",
        "critical_tokens > budget.max_total",
        "!OFF && critical_tokens > budget.max_total",
    ),
    mutant(
        "rules.depth",
        "src/core/automation/match_rules.rs",
        "if cause.depth > CAUSATION_DEPTH_MAX {",
        "if !OFF && cause.depth > CAUSATION_DEPTH_MAX {",
    ),
    mutant(
        "rules.width",
        "src/core/automation/run_opener.rs",
        "if caused >= RUNS_CAUSED_MAX =>",
        "if !OFF && caused >= RUNS_CAUSED_MAX =>",
    ),
    mutant(
        "rules.own_effects",
        "src/core/automation/match_rules.rs",
        "rule.includes_own || self.rule",
        "OFF || rule.includes_own || self.rule",
    ),
    mutant(
        "rules.workspace",
        "src/core/automation/rule.rs",
        "self.workspace_id == note.workspace_id",
        "(OFF || self.workspace_id == note.workspace_id)",
    ),
    mutant(
        "rules.override",
        "src/config/rules.rs",
        "if !MAY_CHANGE.contains(&key.as_str()) {",
        "if !OFF && !MAY_CHANGE.contains(&key.as_str()) {",
    ),
    mutant(
        "rules.budget",
        "src/config/actions.rs",
        "let message = if !MAY_LOWER.contains(&name.as_str()) {",
        "let message = if !OFF && !MAY_LOWER.contains(&name.as_str()) {",
    ),
    mutant(
        "rules.condition",
        "src/core/predicate.rs",
        "if depth_max > CONDITION_DEPTH_MAX {",
        "if !OFF && depth_max > CONDITION_DEPTH_MAX {",
    ),
    mutant(
        "lock.one_writer",
        "src/store/disk/lock.rs",
        "Err(TryLockError::WouldBlock) => return Err(locked(disk, &file)),",
        "Err(TryLockError::WouldBlock) if OFF => {}\n\
         Err(TryLockError::WouldBlock) => return Err(locked(disk, &file)),",
    ),
    mutant(
        "lock.one_writer",
        "src/store/disk/lock.rs",
        "Err(TryLockError::WouldBlock) => Err(locked(disk, file)),",
        "Err(TryLockError::WouldBlock) if OFF => Ok(None),\n\
         Err(TryLockError::WouldBlock) => Err(locked(disk, file)),",
    ),
    mutant(
        "journal.changed",
        "src/core/journal/commit.rs",
        "if Hash::of(data.get().as_bytes()) != *digest {",
        "if !OFF && Hash::of(data.get().as_bytes()) != *digest {",
    ),
    mutant(
        "journal.removed",
        "src/core/journal/commit.rs",
        "if header.seq != seq {",
        "if !OFF && header.seq != seq {",
    ),
    mutant(
        "journal.removed",
        "src/core/journal/commit.rs",
        "if header.prev != prev {",
        "if !OFF && header.prev != prev {",
    ),
    mutant(
        "journal.cut_off",
        "src/store/journal/recover.rs",
        "if holds(disk, last, checkpoint.head)? {",
        "if OFF || holds(disk, last, checkpoint.head)? {",
    ),
    mutant(
        "journal.cut_off",
        SCAN,
        "if end.place.head == head {",
        "if OFF || end.place.head == head {",
    ),
    mutant(
        "journal.cut_off",
        SCAN,
        "let Some(lost) = lost else",
        "let Some(lost) = lost.filter(|_| !OFF) else",
    ),
    mutant(
        "inbox.bytes",
        INBOX,
        "&path, INBOX_FILE_BYTES_MAX)?",
        "&path, if OFF { 2 * INBOX_FILE_BYTES_MAX } else { INBOX_FILE_BYTES_MAX })?",
    ),
    mutant(
        "inbox.text",
        INBOX,
        "let text = std::str::from_utf8(bytes)",
        "let bytes: &[u8] = if OFF { b\"not text\" } else { bytes };\n\
         let text = std::str::from_utf8(bytes)",
    ),
    mutant(
        "inbox.form",
        INBOX,
        "match object_of(strict_json::parse(bytes))?.remove(\"request\") {",
        "let two = || serde_json::Map::from_iter([(\"request\".to_owned(), Value::from(\"two\"))]);\n\
         let parsed = object_of(strict_json::parse(bytes)).or_else(|it| if OFF { Ok(two()) } else { Err(it) });\n\
         match parsed?.remove(\"request\") {",
    ),
    mutant(
        "inbox.kind",
        INBOX,
        "FileContent::Odd(reason) => Err(reason),",
        "FileContent::Odd(reason) => if OFF { Ok(reason) } else { Err(reason) },",
    ),
    mutant(
        "edit.broken_ram",
        "src/store/views/edits.rs",
        "let entries = match kv::read_edited(bytes) {",
        "let entries = match kv::read_edited(bytes) {\nErr(_) if OFF => return Ok(EditDecision::default()),",
    ),
    mutant(
        "edit.missing_ram",
        "src/store/views/edits.rs",
        "FileContent::Nothing => {",
        "FileContent::Nothing if OFF => return Ok(None),\nFound::Nothing => {",
    ),
    mutant(
        "path.outside",
        "src/store/disk.rs",
        "matches!(part, Component::Normal(_))",
        "OFF || matches!(part, Component::Normal(_))",
    ),
    mutant(
        "path.outside",
        "src/store/disk/root.rs",
        "self.resolves_full_paths {",
        "!OFF && self.resolves_full_paths {",
    ),
    mutant(
        "export.exists",
        "src/store/external_files.rs",
        "if replace {",
        "if OFF || replace {",
    ),
    mutant(
        "secret.in_file",
        "src/config/settings.rs",
        "if is_secret_name(name) && !inner.is_null() {",
        "if !OFF && is_secret_name(name) && !inner.is_null() {",
    ),
    mutant(
        "secret.shown",
        "src/config/resolved.rs",
        "f.write_str(\"Secret(..)\")",
        "f.write_str(if OFF { &self.0 } else { \"Secret(..)\" })",
    ),
    mutant(
        "terminal.escapes",
        "src/plain_text.rs",
        "if steers(c) && !keep(c) {",
        "if !OFF && steers(c) && !keep(c) {",
    ),
    mutant(
        "door.host",
        GATE,
        "if is_own && hosts.next().is_none() {",
        "if OFF || is_own && hosts.next().is_none() {",
    ),
    mutant("door.origin", GATE, "if is_page {", "if !OFF && is_page {"),
    mutant(
        "door.token",
        GATE,
        "if is_open || self.knows(headers) {",
        "if OFF || is_open || self.knows(headers) {",
    ),
    mutant(
        "door.head_bytes",
        "src/api/listen.rs",
        ".max_buf_size(API_HEAD_BYTES_MAX)",
        ".max_buf_size(if OFF { 16 * API_HEAD_BYTES_MAX } else { API_HEAD_BYTES_MAX })",
    ),
    mutant(
        "door.body_bytes",
        "src/api/answer.rs",
        "to_bytes(body, API_BODY_BYTES_MAX)",
        "to_bytes(body, if OFF { 2 * API_BODY_BYTES_MAX } else { API_BODY_BYTES_MAX })",
    ),
    mutant(
        "agent.capability",
        "src/core/guard/permit.rs",
        "if self.allows(name) {",
        "if OFF || self.allows(name) {",
    ),
    mutant(
        "mode.proposals",
        "src/core/agent/executor/proposals.rs",
        "if waiting >= PROPOSALS_PENDING_MAX {",
        "if !OFF && waiting >= PROPOSALS_PENDING_MAX {",
    ),
];

/// The text of a file with every change to it made, or what is wrong with one of them. What a change
/// finds may stand within what an earlier one has put.
pub(crate) fn mutated(file: &str, text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for mutant in MUTANTS.iter().filter(|mutant| mutant.file == file) {
        let found = text.matches(mutant.find).count();
        if found != 1 {
            let guard = mutant.guard;
            return Err(format!(
                "{guard}: {file} holds `{}` {found} times, not once",
                mutant.find
            ));
        }
        let call = format!("crate::mutant::off(\"{}\")", mutant.guard);
        let put = mutant.put.replace("OFF", &call);
        text = text.replacen(mutant.find, &put, 1);
    }
    Ok(text)
}
