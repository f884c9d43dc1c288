//! The closed list of error codes. A published code keeps its spelling and its meaning. The page
//! that `explain CODE` prints is `src/help/errors/CODE.md`.

/// Declares the codes: name, spelling, exit code and whether a repeat may work later.
macro_rules! codes {
    ($($variant:ident $text:literal $exit:ident $retryable:literal)*) => {
        /// A stable error code.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub enum Code {
            $(#[doc = concat!("`", $text, "`")] #[serde(rename = $text)] $variant,)*
        }

        impl Code {
            /// All codes, in the order of `explain`'s list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Finds the code with that spelling, whatever its case.
            pub fn parse(text: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                all.find(|code| code.as_str().eq_ignore_ascii_case(text.trim()))
            }

            /// Returns the code as it is printed.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Returns the exit code of a process that ends with this error.
            pub const fn exit(self) -> $crate::failure::Exit {
                match self { $(Self::$variant => $crate::failure::Exit::$exit,)* }
            }

            /// Returns whether a repeat may work later without any change.
            pub const fn retryable(self) -> bool {
                match self { $(Self::$variant => $retryable,)* }
            }

            /// Returns the page that explains the code.
            pub fn page(self) -> $crate::failure::ErrorPage {
                $crate::failure::ErrorPage::read(match self {
                    $(Self::$variant => include_str!(concat!("../help/errors/", $text, ".md")),)*
                })
            }
        }

        impl std::fmt::Display for Code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

codes! {
    PromptJsonInvalid "PROMPT_JSON_INVALID" Config false
    PromptSchemaInvalid "PROMPT_SCHEMA_INVALID" Config false
    PromptSegmentEmpty "PROMPT_SEGMENT_EMPTY" Config false
    ConfigJsonInvalid "CONFIG_JSON_INVALID" Config false
    ConfigSchemaInvalid "CONFIG_SCHEMA_INVALID" Config false
    RulesInvalid "RULES_INVALID" Config false
    XmlParseError "XML_PARSE_ERROR" Failed true
    InstructionInvalid "INSTRUCTION_INVALID" Failed false
    TextCut "TEXT_CUT" Failed false
    StateTransitionInvalid "STATE_TRANSITION_INVALID" Failed false
    ScopeViolation "SCOPE_VIOLATION" Failed false
    CrossWorkspaceRejected "CROSS_WORKSPACE_REJECTED" Failed false
    VersionConflict "VERSION_CONFLICT" Failed true
    DaemonBusy "DAEMON_BUSY" Failed true
    AnswerLost "ANSWER_LOST" Failed false
    AccessDenied "ACCESS_DENIED" Failed false
    ControlUnavailable "CONTROL_UNAVAILABLE" Failed true
    IdempotencyKeyReused "IDEMPOTENCY_KEY_REUSED" Failed false
    RecordNotFound "RECORD_NOT_FOUND" Failed false
    RecordKeyAmbiguous "RECORD_KEY_AMBIGUOUS" Failed false
    LimitExceeded "LIMIT_EXCEEDED" Failed false
    TargetExists "TARGET_EXISTS" Failed false
    PathInvalid "PATH_INVALID" Failed false
    NearDuplicate "NEAR_DUPLICATE" Failed false
    LlmTimeout "LLM_TIMEOUT" Failed true
    LlmUnavailable "LLM_UNAVAILABLE" Failed true
    RateLimited "RATE_LIMITED" Failed true
    LlmEmptyReply "LLM_EMPTY_REPLY" Failed true
    LlmReplyTruncated "LLM_REPLY_TRUNCATED" Failed true
    LlmReplyRunaway "LLM_REPLY_RUNAWAY" Failed true
    ProviderAuthError "PROVIDER_AUTH_ERROR" Failed false
    ProviderInvalidRequest "PROVIDER_INVALID_REQUEST" Failed false
    ProviderNetworkError "PROVIDER_NETWORK_ERROR" Failed true
    ProviderTimeout "PROVIDER_TIMEOUT" Failed true
    ProviderRateLimited "PROVIDER_RATE_LIMITED" Failed true
    ProviderInvalidInput "PROVIDER_INVALID_INPUT" Failed false
    ProviderUnavailable "PROVIDER_UNAVAILABLE" Failed true
    RoutingInvalidInput "ROUTING_INVALID_INPUT" Failed false
    RoutingCapabilityNotFound "ROUTING_CAPABILITY_NOT_FOUND" Failed false
    RoutingNoSuitableModel "ROUTING_NO_SUITABLE_MODEL" Failed false
    ProviderContextExceeded "PROVIDER_CONTEXT_EXCEEDED" Failed false
    ProviderNotFound "PROVIDER_NOT_FOUND" Failed false
    ProviderServerError "PROVIDER_SERVER_ERROR" Failed true
    ProviderBadResponse "PROVIDER_BAD_RESPONSE" Failed true
    IterationLimit "ITERATION_LIMIT" Failed false
    NoProgress "NO_PROGRESS" Failed false
    BudgetExceeded "BUDGET_EXCEEDED" Failed false
    ContextOverflow "CONTEXT_OVERFLOW" Failed false
    TokenBudgetExceeded "TOKEN_BUDGET_EXCEEDED" Failed false
    TokenTypeLimitExceeded "TOKEN_TYPE_LIMIT_EXCEEDED" Failed false
    TokenCriticalDropped "TOKEN_CRITICAL_DROPPED" Failed false
    TokenEstimationFailed "TOKEN_ESTIMATION_FAILED" Failed true
    RunCancelled "RUN_CANCELLED" Failed false
    RunNotFound "RUN_NOT_FOUND" Failed false
    RuleNotFound "RULE_NOT_FOUND" Failed false
    RuleNotFired "RULE_NOT_FIRED" Failed false
    AgentValidationError "AGENT_VALIDATION_ERROR" Config false
    AgentNotFound "AGENT_NOT_FOUND" Failed false
    AgentAlreadyRunning "AGENT_ALREADY_RUNNING" Failed false
    AgentPermissionDenied "AGENT_PERMISSION_DENIED" Failed false
    RunStateInvalid "RUN_STATE_INVALID" Failed false
    HistoryRetired "HISTORY_RETIRED" Failed false
    RunNotFinished "RUN_NOT_FINISHED" Failed true
    ConversationNotKept "CONVERSATION_NOT_KEPT" Failed false
    ProposalNotFound "PROPOSAL_NOT_FOUND" Failed false
    KeyNotFound "KEY_NOT_FOUND" Failed false
    RequestInvalid "REQUEST_INVALID" Failed false
    Usage "USAGE" Usage false
    DataLocked "DATA_LOCKED" Locked true
    DataCorrupt "DATA_CORRUPT" Corrupt false
    JournalTampered "JOURNAL_TAMPERED" Corrupt false
    FormatUnsupported "FORMAT_UNSUPPORTED" Corrupt false
    JournalWriteFailed "JOURNAL_WRITE_FAILED" Disk false
    DiskFull "DISK_FULL" Disk true
    DiskError "DISK_ERROR" Disk false
    TooManyOpenFiles "TOO_MANY_OPEN_FILES" Disk true
    DataFolderLinked "DATA_FOLDER_LINKED" Config false
    EditInvalid "EDIT_INVALID" Failed false
    ImportInvalid "IMPORT_INVALID" Failed false
    FileExists "FILE_EXISTS" Failed false
    EditorFailed "EDITOR_FAILED" Failed false
    StopOverdue "STOP_OVERDUE" Failed true
    Internal "INTERNAL" Failed false
    NotShown "NOT_SHOWN" Failed false
    NotSure "NOT_SURE" Failed false
    NotPlanned "NOT_PLANNED" Failed false
    NotAnswered "NOT_ANSWERED" Failed false
    TextLost "TEXT_LOST" Failed false
    ExampleCopied "EXAMPLE_COPIED" Failed true
}
