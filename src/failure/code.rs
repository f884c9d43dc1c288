//! The closed list of error codes, and the page that `explain CODE` prints for each.
//! A code, once published, keeps its spelling and its meaning for ever.

super::of_requests::codes_with_those_of_requests! {
    PromptJsonInvalid "PROMPT_JSON_INVALID" Config false {
        "The prompt file is missing or is not valid JSON."
        "It must be one UTF-8 JSON document without repeated keys."
        "Repair the place that the message names, or run `init` in an empty folder and compare."
    }
    PromptSchemaInvalid "PROMPT_SCHEMA_INVALID" Config false {
        "The prompt file is JSON, but a field has the wrong shape."
        "`agent_name`, `version`, `default_mode`, `protocol`, `allowed_tags` and `segments` are checked before anything else happens."
        "Compare with the shipped `data/agent-prompt.json`; the message names field and line."
    }
    PromptSegmentEmpty "PROMPT_SEGMENT_EMPTY" Config false {
        "A prompt segment has no text."
        "An empty segment is nearly always a slip of the editor, and would silently change what the model is told."
        "Write the text or remove the segment."
    }
    ConfigJsonInvalid "CONFIG_JSON_INVALID" Config false {
        "The configuration file is missing or is not valid JSON."
        "It must be one UTF-8 JSON document without repeated keys."
        "Repair the place that the message names, or run `init` to write the defaults."
    }
    ConfigSchemaInvalid "CONFIG_SCHEMA_INVALID" Config false {
        "The configuration is JSON, but a value has the wrong type or range."
        "All problems are listed at once; nothing was started and nothing written."
        "`config schema` prints what is accepted, `config show` what is in force."
    }
    RulesInvalid "RULES_INVALID" Config false {
        "The rules file does not hold a valid list of rules."
        "A rule that is half understood could fire at the wrong time, so none is loaded."
        "The message names the place: line and column, or rule and field. Repair it there."
    }
    XmlParseError "XML_PARSE_ERROR" Failed true {
        "The model's reply could not be read as instructions."
        "It held markup that cannot be repaired without guessing, or no instruction at all. Nothing of it was applied."
        "`parse` on the text shows what is wrong; a larger model, or shorter requests, help most."
    }
    InstructionInvalid "INSTRUCTION_INVALID" Failed false {
        "One instruction of a reply was dropped."
        "Its tag is unknown or not allowed, or its children are missing, repeated or wrong. Its neighbours stand."
        "`audit list` shows which; the model is told in its next prompt."
    }
    TextCut "TEXT_CUT" Failed false {
        "The model would have replaced a long text by the cut copy of it that its prompt showed."
        "The new text held the mark of a cut, as `... (812 more characters)`, and the rest would have been lost. Nothing was changed."
        "The model is told. A larger window shows more of a text; `notes edit` and `ram set` change it whole."
    }
    StateTransitionInvalid "STATE_TRANSITION_INVALID" Failed false {
        "The model asked for a state that cannot follow the present one."
        "The order is planning, executing, evaluating, then planning or idle."
        "Nothing to do: the daemon advances by itself."
    }
    ScopeViolation "SCOPE_VIOLATION" Failed false {
        "A note of a kind that the scope does not allow was refused."
        "`scope.allowed_note_kinds` lists what the agent may write."
        "Add the kind to the list if it should be allowed."
    }
    CrossWorkspaceRejected "CROSS_WORKSPACE_REJECTED" Failed false {
        "A write into another workspace was refused."
        "The agent writes in `scope.workspace_id` only; in mode `reviewed`, `scope.cross_workspace_writes` lets it propose."
        "Notes of other workspaces are changed by a person."
    }
    VersionConflict "VERSION_CONFLICT" Failed true {
        "A change was made to something that had moved on since it was read."
        "The note or the RAM key was edited in between; the newer text was kept."
        "Read it again and repeat the change."
    }
    DaemonBusy "DAEMON_BUSY" Failed true {
        "The daemon did not get to what was asked in time."
        "It waits for room on the disk, starts a model server, or reads many notes; what was asked was dropped, and nothing was changed."
        "Repeat it later; `status` says what the daemon waits for."
    }
    AnswerLost "ANSWER_LOST" Failed false {
        "The daemon was asked to do something, and its answer did not come."
        "It was stopped in the middle, or took longer than anybody waits; what was asked may have been done."
        "Look first what stands there, and repeat it only if it was not done."
    }
    AccessDenied "ACCESS_DENIED" Failed false {
        "A request to the control interface was turned away before it was looked at."
        "Its Host or Origin is not this machine's, or the token is missing or wrong: pages of a browser must not reach it."
        "Send a Host of this machine and no foreign Origin; at `api.tcp` also `Authorization: Bearer` with the token of `KJXLKJ_API_TOKEN`."
    }
    ControlUnavailable "CONTROL_UNAVAILABLE" Failed true {
        "The control interface could not be opened."
        "Another program listens at its address, or something else stands where its socket belongs. Nothing was started."
        "Free the place that the message names, or set `api.socket` to false and `api.tcp` to null."
    }
    IdempotencyKeyReused "IDEMPOTENCY_KEY_REUSED" Failed false {
        "An idempotency key was used for something else before."
        "A key stands for one launch: the same key gives the same run, however often it is sent."
        "Draw a new key for a new launch."
    }
    RecordNotFound "RECORD_NOT_FOUND" Failed false {
        "Nothing answers to that key."
        "A note is found by its id, else its exact title, else its exact keyword list; a value in /storage by its path."
        "`notes search` finds what there is; `runs show ID` shows what a run was refused."
    }
    RecordKeyAmbiguous "RECORD_KEY_AMBIGUOUS" Failed false {
        "Several notes, runs or rules answer to that key."
        "A change to the wrong note is worse than none."
        "Use the note's id; `runs show ID` shows what a run was refused."
    }
    LimitExceeded "LIMIT_EXCEEDED" Failed false {
        "A limit was reached and the instruction beyond it refused."
        "Per-iteration limits, sizes and counts keep one bad reply from doing much harm."
        "Give less at once; of a limit that can be set, `config show` has the value."
    }
    TargetExists "TARGET_EXISTS" Failed false {
        "Something stands where a value was to be moved, or a directory made."
        "A move never replaces anything: what it replaced could not be brought back by moving again."
        "Name a free place, or remove what stands there first."
    }
    PathInvalid "PATH_INVALID" Failed false {
        "A path or key has a form that is not accepted."
        "A key is a name for people and models alike: any text that can be seen, but not blank, not very long, and with no way to climb out of a folder."
        "Use another name: one that the program does not keep for itself, without control and invisible characters, and without `.` or `..` between slashes."
    }
    NearDuplicate "NEAR_DUPLICATE" Failed false {
        "A note very much like an existing one was refused."
        "Two notes that say the same make both harder to find: with `notes.refuse_near_duplicates` a new one is refused, and what waits for a decision is never proposed twice."
        "Update the existing note, or decide on the proposal; `notes.similar_threshold` says how much is too much."
    }
    LlmTimeout "LLM_TIMEOUT" Failed true {
        "The model server did not answer in time."
        "The call was repeated with growing pauses, then given up. The work done so far is kept."
        "Raise `provider.timeout_ms`, or use a smaller model or window."
    }
    LlmUnavailable "LLM_UNAVAILABLE" Failed true {
        "The model server cannot be reached."
        "Nothing listens at `provider.base_url`, or the connection broke."
        "Start the server (in LM Studio: Developer, Start Server), or correct `provider.base_url`; install a program that is asked. `doctor` checks it."
    }
    RateLimited "RATE_LIMITED" Failed true {
        "The provider asked to slow down."
        "Too many requests or tokens in its window. It is asked again when it says, after 32 days at the latest."
        "Wait: `status` says until when; or lower the load with `loop.loop_delay_ms`."
    }
    LlmEmptyReply "LLM_EMPTY_REPLY" Failed true {
        "The server answered, but with no text."
        "Servers do this when the prompt is too long for the loaded window, or when a model only reasons."
        "Load the model with a larger context, or turn reasoning off; `doctor` shows the window."
    }
    LlmReplyTruncated "LLM_REPLY_TRUNCATED" Failed true {
        "The reply was cut off at the token limit."
        "Whatever was still open when it ended is never applied."
        "Raise `provider.max_tokens`, or ask for less at a time."
    }
    LlmReplyRunaway "LLM_REPLY_RUNAWAY" Failed true {
        "The reply grew past every bound."
        "A model that repeats itself without end is cut off."
        "Lower `provider.temperature` slightly or change the model."
    }
    ProviderAuthError "PROVIDER_AUTH_ERROR" Failed false {
        "The provider refused the key."
        "It is missing, wrong or has no right to this model."
        "Set the environment variable that `provider.api_key_env` names (`OPENROUTER_API_KEY` for OpenRouter)."
    }
    ProviderInvalidRequest "PROVIDER_INVALID_REQUEST" Failed false {
        "The provider refused the request as malformed."
        "Often a model name that it does not know, a field that it does not accept, or an account without credit."
        "The message says what it was; for a model, `doctor` lists those that the server offers."
    }
    ProviderNetworkError "PROVIDER_NETWORK_ERROR" Failed true {
        "There was no connection to the provider, or it broke."
        "The class of such errors: the same provider is asked again, no other one is, until its breaker opens. A run that ends so has `LLM_UNAVAILABLE`."
        "Start the server or look at the network; `doctor` checks both."
    }
    ProviderTimeout "PROVIDER_TIMEOUT" Failed true {
        "The provider did not answer in time."
        "The class of such errors: asked again, then the next provider. A run that ends so has `LLM_TIMEOUT`."
        "Raise `provider.timeout_ms`, or use a smaller model or window."
    }
    ProviderRateLimited "PROVIDER_RATE_LIMITED" Failed true {
        "The provider, or `budget.calls_per_minute`, asked to slow down."
        "The class of such errors: asked again after the time that the provider names, then the next provider. A run that ends so has `RATE_LIMITED`."
        "Wait; or lower the load with `loop.loop_delay_ms`."
    }
    ProviderInvalidInput "PROVIDER_INVALID_INPUT" Failed false {
        "What was to be asked is nothing that a provider could answer."
        "The class of such errors: no provider is asked again, since the answer would be the same."
        "The message names the value; `doctor` lists the models that the server offers."
    }
    ProviderUnavailable "PROVIDER_UNAVAILABLE" Failed true {
        "The provider is there but cannot answer, or is left alone after failures, or its program is not installed."
        "The class of such errors: asked again, then the next provider. A run that ends so has `LLM_UNAVAILABLE`."
        "Wait until it is ready; `doctor` says how it stands."
    }
    RoutingInvalidInput "ROUTING_INVALID_INPUT" Failed false {
        "What is asked of a model could not be read."
        "A field has a word or a number that routing does not know, and a guess could choose a model that must not be asked."
        "The message names the field; `explain` and the README list the words."
    }
    RoutingCapabilityNotFound "ROUTING_CAPABILITY_NOT_FOUND" Failed false {
        "No model of the registry has a required capability."
        "A model without it would fail later, and in worse ways."
        "Add a model that has it to `data/models.json`, or ask for less."
    }
    RoutingNoSuitableModel "ROUTING_NO_SUITABLE_MODEL" Failed false {
        "No model of the registry meets every condition."
        "Each was shut out by its window, its capabilities, its latency, the risk, or by name."
        "Loosen a condition, or add a model to `data/models.json`."
    }
    ProviderContextExceeded "PROVIDER_CONTEXT_EXCEEDED" Failed false {
        "The prompt is longer than the window of the loaded model."
        "The server counted more tokens than it can hold."
        "Load the model with a larger context, or shorten RAM and request."
    }
    ProviderNotFound "PROVIDER_NOT_FOUND" Failed false {
        "The provider does not know the model or the path."
        "The server answered 404."
        "Check `provider.base_url` (it ends in /v1) and `provider.model`."
    }
    ProviderServerError "PROVIDER_SERVER_ERROR" Failed true {
        "The provider failed inside."
        "It answered with a server error, or with an error inside a good answer."
        "Look at the server's own log; the call is repeated by itself, except what a content filter withheld: put that in other words."
    }
    ProviderBadResponse "PROVIDER_BAD_RESPONSE" Failed true {
        "The provider's answer has a form that is not understood."
        "Not JSON, not UTF-8, cut short, too large, encoded or redirected elsewhere."
        "What is not JSON or cut short is asked for again by itself. Check that `provider.base_url` points at an OpenAI-compatible server; a program must print lines of JSON, as the README says."
    }
    IterationLimit "ITERATION_LIMIT" Failed false {
        "The run used up its iterations with work still pending."
        "`loop.max_iterations` bounds every run."
        "Raise the bound, or ask for less in one request."
    }
    NoProgress "NO_PROGRESS" Failed false {
        "A whole cycle passed in which nothing was applied but notes to self."
        "A model that only talks about work is stopped."
        "Word the request more plainly, or use a larger model."
    }
    BudgetExceeded "BUDGET_EXCEEDED" Failed false {
        "A budget of calls or tokens is used up: of the day, or of one run."
        "Budgets bind before a call is made."
        "A day's budget begins anew at midnight (UTC), that of a run does not; else raise the key of `budget` that the message names."
    }
    ContextOverflow "CONTEXT_OVERFLOW" Failed false {
        "What must be in the prompt does not fit the model's window."
        "The words of the prompt file, the request and the step to do are never left out silently, so nothing was asked."
        "Load the model with a larger context, or shorten the prompt file; `prompt` shows what takes how much."
    }
    TokenBudgetExceeded "TOKEN_BUDGET_EXCEEDED" Failed false {
        "A part of the prompt was left out: the budget of the whole prompt is used up."
        "What matters more goes first, and the window must never overflow."
        "`prompt` shows what takes how much; raise `token_budget.max_total` if the window allows it."
    }
    TokenTypeLimitExceeded "TOKEN_TYPE_LIMIT_EXCEEDED" Failed false {
        "A part of the prompt was left out: the parts of its type have used up their limit."
        "No type may crowd the others out."
        "`prompt` shows what takes how much; raise the limit of that type in `token_budget`."
    }
    TokenCriticalDropped "TOKEN_CRITICAL_DROPPED" Failed false {
        "What must be in the prompt is larger than `token_budget.max_total`."
        "Critical parts are never left out silently, so nothing was asked."
        "Raise `token_budget.max_total` or shorten the prompt file; `prompt` shows what takes how much."
    }
    TokenEstimationFailed "TOKEN_ESTIMATION_FAILED" Failed true {
        "The tokens of a part of the prompt could not be counted."
        "The measure learnt from the model's server makes no sense; without a count nothing can be said to fit."
        "It is counted again by the bare estimate; the next answers of the server correct the measure."
    }
    RunCancelled "RUN_CANCELLED" Failed false {
        "The run was cancelled."
        "A person asked for it."
        "`runs show` tells what it had done."
    }
    RunNotFound "RUN_NOT_FOUND" Failed false {
        "No run has that id."
        "Runs whose journal was retired are gone."
        "`runs list` shows the known ones."
    }
    RuleNotFound "RULE_NOT_FOUND" Failed false {
        "No rule has that id."
        "Rules stand in `data/rules.json`."
        "`rules list` shows them."
    }
    RuleNotFired "RULE_NOT_FIRED" Failed false {
        "A rule opened no run."
        "It is disabled, belongs to another workspace, or its condition does not hold."
        "`rules show ID` prints it; `rules enable ID` enables it."
    }
    RunStateInvalid "RUN_STATE_INVALID" Failed false {
        "The run does not stand so that this can be done with it."
        "Only a run that waits or is under way can be cancelled, and only a failed one tried again."
        "`runs show ID` says how it stands."
    }
    HistoryRetired "HISTORY_RETIRED" Failed false {
        "What is asked about is older than the kept journal."
        "Journal segments past `journal.retention_days` are removed; what is live is kept, how it came to be is not."
        "Raise `journal.retention_days` for the time to come; what is gone cannot be told or undone."
    }
    RunNotFinished "RUN_NOT_FINISHED" Failed true {
        "The run has not ended yet."
        "What is still being written cannot be taken back."
        "Wait for its end, which `runs show` tells, or cancel it first."
    }
    ConversationNotKept "CONVERSATION_NOT_KEPT" Failed false {
        "No reply of the run was retained, so there is nothing to read again."
        "Replies are kept only with `memory.retain_full_conversation_logs`, and only from then on."
        "Set `memory.retain_full_conversation_logs` to true for runs to come; `trace` tells what happened in any run."
    }
    ProposalNotFound "PROPOSAL_NOT_FOUND" Failed false {
        "No proposal of that number waits."
        "It was decided already, or there never was one."
        "`review list` shows those that wait."
    }
    KeyNotFound "KEY_NOT_FOUND" Failed false {
        "RAM has no such key."
        "`ram list` shows the keys that exist."
        "Check the spelling; keys are case-sensitive."
    }
    RequestInvalid "REQUEST_INVALID" Failed false {
        "A request in the inbox could not be read."
        "It must be UTF-8 text, or JSON of the form {\"request\": \"...\"}."
        "The file was moved to `data/inbox/rejected/`; correct it and drop it in again."
    }
    Usage "USAGE" Usage false {
        "What was asked for was not understood."
        "A verb or an option, an address or a member, is wrong or missing."
        "`--help` lists the verbs, `VERB --help` its options."
    }
    DataLocked "DATA_LOCKED" Locked true {
        "Another process holds this data folder."
        "Only one may write at a time; the message names its process id."
        "Repeat it when that process has ended, or end it. Beside a daemon, requests go in with `ask`, and RAM and notes can be edited in their files."
    }
    DataCorrupt "DATA_CORRUPT" Corrupt false {
        "The journal is damaged in a way that is not a torn last line."
        "Guessing would lose data silently, so nothing was started and nothing changed."
        "`audit verify` shows the first bad place; restore the journal from a backup."
    }
    JournalTampered "JOURNAL_TAMPERED" Corrupt false {
        "The hash chain of the journal does not hold."
        "A line was changed, removed or exchanged after it was written."
        "Restore the journal from a backup; `audit verify` shows the first bad place."
    }
    FormatUnsupported "FORMAT_UNSUPPORTED" Corrupt false {
        "The data was written by a newer version."
        "An older program must not rewrite what it does not understand."
        "Use the newer program."
    }
    JournalWriteFailed "JOURNAL_WRITE_FAILED" Disk false {
        "The journal could not be written or synced."
        "After a failed sync nobody knows what the disk holds, so the program stopped at once. Everything acknowledged before is kept."
        "Check the disk and its free space, then start again."
    }
    DiskFull "DISK_FULL" Disk true {
        "The disk is full."
        "The last write was taken back cleanly; a daemon waits and tries again."
        "Free some space; a running daemon goes on by itself, any other command has to be repeated."
    }
    DiskError "DISK_ERROR" Disk false {
        "The disk refused an operation on a file."
        "Permissions, a missing folder, a failing disk, or a system that has run out of something."
        "The message names file and operation. What the system ran out of may be there again later."
    }
    TooManyOpenFiles "TOO_MANY_OPEN_FILES" Disk true {
        "The process may not open as many files as it needs."
        "The journal, the files and the model's connection each take one; nothing was started, so that nothing fails half way."
        "Raise the limit: `ulimit -n 1024` in the shell, `LimitNOFILE=1024` in the unit of a service."
    }
    DataFolderLinked "DATA_FOLDER_LINKED" Config false {
        "`data` is a link."
        "Below the root no link is followed: what is checked, locked and written must be one and the same folder. Nothing was started and nothing written."
        "Give the real place with `--root`, put the folder itself where the link is, or mount it there with `mount --bind`."
    }
    EditInvalid "EDIT_INVALID" Failed false {
        "A hand edit of a file could not be read."
        "The broken text was kept beside it under a `.broken-` name and the last good state written back."
        "Correct the copy and put it in place again."
    }
    ImportInvalid "IMPORT_INVALID" Failed false {
        "A file could not be read as a note."
        "It is no UTF-8 text, too large, a link, or its head or its JSON has a form that is not read. The other files were imported."
        "The message names file and line; correct it and import it again: what is here already stays as it is."
    }
    FileExists "FILE_EXISTS" Failed false {
        "An export would have written over a file."
        "What a person keeps is never replaced unasked; nothing was written."
        "Name another place with `--to`, or replace the files with `--force`."
    }
    EditorFailed "EDITOR_FAILED" Failed false {
        "The editor could not be started, or ended with an error."
        "`$VISUAL`, else `$EDITOR`, names it: a program and its arguments, started without a shell. The note was not changed."
        "Set EDITOR to a program that ends when the text is finished, as `code --wait`; or change the note with --title, --keywords, --value or --kind."
    }
    StopOverdue "STOP_OVERDUE" Failed true {
        "A stop was not done in time, and the process ended without it."
        "Something that the loop waited for hung: a disk, a network share, a log that nobody reads. What was acknowledged is in the journal."
        "Start it again: it goes on from there. `doctor` looks at folder and disk."
    }
    Internal "INTERNAL" Failed false {
        "The program met a state that must not exist."
        "This is a bug."
        "Please report it with the output of `-v`."
    }
}
