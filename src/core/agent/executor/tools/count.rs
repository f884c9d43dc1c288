//! `count`: the number of values below a path.
//! It exists only in tests, and shows that a tool is a module and one line of the registry.

use super::super::{Done, Refused};
use super::view::look;
use super::{Executor, Tool, feedback, nothing_at};
use crate::core::memory::StorePath;
use crate::core::protocol::ToolArgument;

pub(super) const TOOL: Tool = Tool {
    name: "count",
    takes: ToolArgument::Nothing,
    is_look: true,
    sample: "<actions><action><kind>count</kind><target_path>/storage</target_path></action></actions>",
    run: |executor, path, _| run(executor, path),
};

fn run(executor: &Executor<'_>, path: &StorePath) -> Result<Done, Refused> {
    let node = look(executor, path).ok_or_else(|| nothing_at(path))?;
    let count = node.as_directory().map_or(1, |it| it.leaves().count());
    Ok(feedback(format!("{count} values")))
}

#[cfg(test)]
mod tests {
    use super::super::super::{ExecContext, Executor};
    use crate::core::agent::LoopState;
    use crate::core::guard::{EditedItems, Permit, Scope};
    use crate::core::journal::State;
    use crate::core::memory::MemoryPolicy;
    use crate::core::notes::{NoIndex, NotePolicy};
    use crate::core::prompt::Mode;
    use crate::core::protocol::{AllowedTags, Outline, ParseOptions, Tag, gbnf, parse};
    use crate::core::run::{Run, Trigger};
    use crate::failure::Code;
    use crate::ids::{EventId, IdSource, NoteId, RunId, WorkspaceId};
    use crate::time::Timestamp;
    use serde_json::json;
    use uuid::Uuid;

    const HOME: WorkspaceId = WorkspaceId(Uuid::nil());

    /// Nothing here makes a note.
    #[derive(Debug)]
    struct NoIds;

    impl IdSource for NoIds {
        fn next_note_id(&mut self) -> NoteId {
            NoteId(Uuid::nil())
        }
    }

    /// Returns the results that the next prompt shows for a reply: name, code and message.
    fn feedback(reply: &str) -> Vec<(String, Option<Code>, String)> {
        let options = ParseOptions {
            allowed_tags: Tag::ALL.into_iter().collect(),
            ..ParseOptions::default()
        };
        let parsed = parse(reply, &options);
        let now = Timestamp::from_millis(0);
        let event = EventId("e".to_owned());
        let run = Run::queued(RunId::derive(HOME, &event), event, Trigger::Manual, now);
        let mut state = State::empty();
        let tree = json!({"size": 3, "tags": {"a": 1, "b": 2}});
        state.main.ram.set("user_data".to_owned(), tree);
        let scope = Scope {
            workspace_id: HOME,
            can_read_workspaces: Vec::new(),
            cross_workspace_writes: false,
            allowed_note_kinds: Vec::new(),
            max_notes_per_loop: 1,
            max_edits_per_loop: 1,
        };
        let memory = MemoryPolicy::sample();
        let note_policy = NotePolicy {
            similar_threshold: 0.8,
            refuse_near_duplicates: false,
            organize_every: 50,
        };
        let (mut ids, edited) = (NoIds, EditedItems::default());
        let context = ExecContext {
            state: &state,
            working: &state.main,
            index: &NoIndex,
            permit: &Permit::everything(),
            scope: &scope,
            edited: &edited,
            memory: &memory,
            note_policy: &note_policy,
            shown: &[],
            mode: Mode::Yolo,
            is_stepwise: false,
            run: &run,
            ran_in: LoopState::Executing,
            now,
        };
        let mut executor = Executor::new(&context, &mut ids);
        for located in &parsed.instructions {
            executor.work(located);
        }
        let results = executor.take_results().into_iter();
        results.map(|it| (it.op, it.code, it.message)).collect()
    }

    /// Parser, samples, grammars and executor know the tool by its entry alone.
    #[test]
    fn a_tool_that_is_an_entry_and_a_module_works() {
        let found = feedback(
            &super::TOOL
                .sample
                .replace("/storage", "/working_memory/user_data"),
        );
        assert_eq!(found, [("count".to_owned(), None, "3 values".to_owned())]);
        let missing = feedback(&super::TOOL.sample.replace("/storage", "/storage/none"));
        assert_eq!(missing[0].1, Some(Code::RecordNotFound));
        let all: AllowedTags = Tag::ALL.into_iter().collect();
        let grammar = gbnf(&Outline::new(all, LoopState::Executing, &[]));
        assert!(grammar.contains("<kind>count</kind>"), "{grammar}");
    }
}
