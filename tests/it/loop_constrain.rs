//! Answers that the server keeps to form, in the real loop: what it is told, what is made of its
//! answers, and what happens at a server that cannot.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ask, messages, succeeded};
use crate::loop_calls::{spent, told};
use crate::peer::{Peer, Request, Step};
use crate::wait::DEADLINE;
use kjxlkj_agent::config::{Constrain, ProviderKind};
use kjxlkj_agent::core::protocol::{ConstraintKind, json_of_xml};
use kjxlkj_agent::core::route::{CircuitState, ModelEntry};
use kjxlkj_agent::core::run::Run;
use kjxlkj_agent::daemon::replay;
use kjxlkj_agent::failure::Code;
use kjxlkj_agent::store::disk::RealDisk;
use serde_json::{Value, json};

const MARK_XML: &str = "<kjx_mark></kjx_mark>";
const MARK_JSON: &str = "{ \"op\": \"kjx_mark\" }";

fn replies() -> [String; 3] {
    [
        ram_add("plan", "a < b & c"),
        record_add("T", "v"),
        ram_add("think_log", "ok"),
    ]
}

fn in_json(reply: &str) -> String {
    json_of_xml(&reply.replace("a < b & c", "a &lt; b &amp; c")).unwrap()
}

/// A laboratory whose peer is a server that keeps to `wanted` as far as it can.
fn lab_with(constrain: Constrain) -> Lab {
    let mut lab = Lab::new();
    lab.config.r#loop.loop_delay_ms = 0;
    lab.config.retry.max_retries = 0;
    lab.config.provider.constrain = constrain;
    lab
}

fn is_llama(peer: &Peer) {
    peer.tell("/props", Step::window(8192));
}

fn bodies(lab: &Lab) -> Vec<Value> {
    lab.peer.requests().iter().map(Request::json).collect()
}

fn grammar_of(body: &Value) -> &str {
    body["grammar"].as_str().unwrap_or_default()
}

fn schema_of(body: &Value) -> &Value {
    &body["response_format"]["json_schema"]["schema"]
}

fn refusal(field: &str) -> Step {
    Step::status(400).body(json!({"error": format!("'{field}' is not supported")}).to_string())
}

fn is_done(lab: &Lab, run: &Run) {
    is_done_beside(lab, run, 0);
}

/// The same, where so many replies were no use.
fn is_done_beside(lab: &Lab, run: &Run, useless: u64) {
    assert!(succeeded(run), "{:?}", run.error_code);
    assert_eq!(
        run.usage.calls,
        3 + useless,
        "a short question is no reply of the run"
    );
    assert_eq!(lab.notes()[0]["value"], "v");
}

fn constraints_in_journal(lab: &Lab) -> Vec<Value> {
    let calls = told(lab, "call.made").into_iter();
    calls.map(|call| call["rung"].clone()).collect()
}

#[tokio::test]
async fn a_llama_server_is_told_a_grammar_of_the_state_and_the_journal_says_so() {
    for streamed in [false, true] {
        let step = if streamed {
            Step::streamed
        } else {
            Step::reply
        };
        let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
        lab.config.budget.day.calls = Some(10);
        is_llama(&lab.peer);
        lab.peer.push(step(MARK_XML));
        for reply in replies() {
            lab.peer.push(step(&reply));
        }
        let run = lab.run("keep this").await;
        is_done(&lab, &run);
        let bodies = bodies(&lab);
        assert_eq!(grammar_of(&bodies[0]), "root ::= \"<kjx_mark></kjx_mark>\"");
        assert!(bodies[0]["max_tokens"].as_u64().unwrap() < 64);
        for body in &bodies {
            assert!(body.get("response_format").is_none());
            assert_eq!(
                body["chat_template_kwargs"],
                json!({"enable_thinking": false})
            );
        }
        let leaves = |state: &str| format!("\"<state>\" (\"{state}\") \"</state>\"");
        for (body, state) in bodies[1..]
            .iter()
            .zip(["planning", "executing", "evaluating"])
        {
            assert!(grammar_of(body).starts_with("root ::= item"));
            assert!(grammar_of(body).contains(&leaves(state)), "{state}");
        }
        assert_eq!(constraints_in_journal(&lab), vec![json!("gbnf"); 3]);
        // The short question is paid for like any other.
        let spent = told(&lab, "budget.settled").into_iter();
        let calls: u64 = spent.map(|it| it["spent"]["calls"].as_u64().unwrap()).sum();
        assert_eq!(calls, 4);
    }
}

#[tokio::test]
async fn a_server_that_passes_over_a_grammar_is_told_a_schema_and_its_json_means_the_same() {
    for streamed in [false, true] {
        let step = if streamed {
            Step::streamed
        } else {
            Step::reply
        };
        let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
        lab.prompt.examples.truncate(0);
        lab.prompt
            .examples
            .push(kjxlkj_agent::core::prompt::Example {
                condition: kjxlkj_agent::core::prompt::Condition::Default,
                input: "Note it".to_owned(),
                output: record_add("E", "e"),
            });
        lab.peer.push(step("Sure, here you are."));
        lab.peer.push(step(MARK_JSON));
        for reply in replies() {
            lab.peer.push(step(&in_json(&reply)));
        }
        let run = lab.run("keep this").await;
        is_done(&lab, &run);
        assert_eq!(lab.kv()["plan"], "a < b & c");
        let bodies = bodies(&lab);
        let is_bare = |body: &Value| body.get("grammar").is_none();
        assert!(!is_bare(&bodies[0]) && bodies[1..].iter().all(is_bare));
        let body = &bodies[2];
        assert_eq!(body["response_format"]["type"], "json_schema");
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert_eq!(schema_of(body)["required"], json!(["instructions"]));
        assert!(body.get("chat_template_kwargs").is_none() && body.get("provider").is_none());
        // What the model is shown is in the form that it has to answer in.
        assert!(messages(body).contains(&in_json(&record_add("E", "e"))));
        assert_eq!(constraints_in_journal(&lab), vec![json!("json_schema"); 3]);
        let notices = lab.eyes.notices();
        assert_eq!(
            notices,
            ["answers are not kept to `gbnf`: lmstudio passes over it"]
        );
    }
}

/// What was kept is read again in the form that it was asked for in: markup in a value of a grammar is
/// text, and JSON is no prose.
#[tokio::test]
async fn a_replay_reads_each_answer_in_the_form_that_it_was_asked_for_in() {
    for constraint_kind in [ConstraintKind::JsonSchema, ConstraintKind::Gbnf] {
        let mut lab = lab_with(Constrain::From(constraint_kind));
        lab.config.memory.retain_full_conversation_logs = true;
        let quoting = "<ram_add><key>plan</key><value>say </ram_add> at the end</value></ram_add>";
        let [_, add, think] = replies();
        match constraint_kind {
            ConstraintKind::JsonSchema => {
                lab.says(MARK_JSON);
                let escaped = quoting.replace("say </ram_add>", "say &lt;/ram_add&gt;");
                for reply in [escaped, add, think] {
                    lab.says(&in_json(&reply));
                }
            }
            ConstraintKind::Gbnf => {
                lab.says(MARK_XML);
                for reply in [quoting, &add, &think] {
                    lab.says(reply);
                }
            }
        }
        let run = lab.run("keep this").await;
        is_done(&lab, &run);
        assert_eq!(
            lab.kv()["plan"],
            "say </ram_add> at the end",
            "{constraint_kind:?}"
        );
        let mut disk = RealDisk::open(lab.root(), false).unwrap();
        let again = replay(&mut disk, &lab.config, &lab.prompt, run.run_id).unwrap();
        let same: Vec<Option<bool>> = again.iter().map(|it| it.same).collect();
        assert_eq!(same, vec![Some(true); 3], "{constraint_kind:?} {again:#?}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_both_is_asked_plainly_and_not_again() {
    let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
    lab.peer.push(refusal("grammar"));
    lab.peer.push(refusal("response_format"));
    for reply in replies() {
        lab.says(&reply);
    }
    let run = lab.run("keep this").await;
    is_done(&lab, &run);
    for body in &bodies(&lab)[2..] {
        assert!(body.get("grammar").is_none() && body.get("response_format").is_none());
    }
    assert_eq!(lab.eyes.notices().len(), 2);
    assert_eq!(constraints_in_journal(&lab), Vec::<Value>::new());
}

#[tokio::test]
async fn a_grammar_that_is_refused_later_is_left_out_and_the_question_put_once_more() {
    let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
    is_llama(&lab.peer);
    lab.says(MARK_XML);
    lab.peer.push(refusal("grammar"));
    for reply in replies() {
        lab.says(&reply);
    }
    let run = lab.run("keep this").await;
    is_done(&lab, &run);
    let with_grammar = bodies(&lab)
        .iter()
        .filter(|body| !grammar_of(body).is_empty())
        .count();
    assert_eq!(with_grammar, 2);
    let notices = lab.eyes.notices();
    assert!(notices[0].ends_with("lmstudio refuses it"), "{notices:?}");
}

/// Runs a request that comes to nothing, and then one that is served and kept to a grammar as before.
async fn fails_and_keeps_the_grammar(steps: Vec<Step>, code: Code, is_found_before: bool) {
    let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
    is_llama(&lab.peer);
    if is_found_before {
        lab.says(MARK_XML);
    }
    let refused = steps.len();
    for step in steps {
        lab.peer.push(step);
    }
    let mut agent = lab.start();
    assert_eq!(ask(&mut agent, "refused").await.error_code, Some(code));
    let asked = refused + usize::from(is_found_before);
    assert_eq!(lab.peer.request_count(), asked, "{code}");
    if !is_found_before {
        lab.says(MARK_XML);
    }
    for reply in replies() {
        lab.says(&reply);
    }
    assert!(succeeded(&ask(&mut agent, "keep this").await));
    for body in &bodies(&lab)[asked..] {
        assert!(!grammar_of(body).is_empty(), "{code}: {body}");
    }
}

/// An answer that a filter withheld.
fn filtered() -> Step {
    let message = json!({"role": "assistant", "content": ""});
    let choice = json!({"index": 0, "finish_reason": "content_filter", "message": message});
    Step::json(&json!({ "choices": [choice] }))
}

#[tokio::test]
async fn one_refusal_for_another_reason_ends_no_kept_form() {
    let unpaid = || Step::status(402);
    let unloaded = || Step::status(400).body(r#"{"error": "No models loaded"}"#.to_owned());
    let vague = || Step::status(400).body(r#"{"error": "bad request"}"#.to_owned());
    let (invalid, unknown) = (Code::ProviderInvalidRequest, Code::ProviderNotFound);
    let withheld = Code::ProviderServerError;
    fails_and_keeps_the_grammar(vec![filtered()], withheld, true).await;
    fails_and_keeps_the_grammar(vec![unpaid()], invalid, true).await;
    // Without the form it is refused as well.
    fails_and_keeps_the_grammar(vec![vague(), vague()], invalid, true).await;
    fails_and_keeps_the_grammar(vec![unloaded()], unknown, true).await;
    // The same when it was to be found out. An empty account is one for the question too; what has no
    // model may have another; and what is vague is tried in two forms and without.
    fails_and_keeps_the_grammar(vec![unpaid()], invalid, false).await;
    fails_and_keeps_the_grammar(vec![unloaded(), unloaded()], unknown, false).await;
    fails_and_keeps_the_grammar(vec![vague(), vague(), vague()], invalid, false).await;
}

/// Each call costs, and a small model takes long: only what may be about the form is asked without it.
#[tokio::test]
async fn only_what_may_be_about_the_form_is_answered_by_asking_without_one() {
    let told = |status: u16, message: &str| {
        let error = json!({"error": {"message": message, "code": status}});
        Step::status(status).body(error.to_string())
    };
    let unnamed = |status| told(status, "no");
    let inside = |status| unnamed(status).with_good_status();
    let no_host = "No endpoints found that can handle the requested parameters.";
    let (local, market) = (ProviderKind::OpenAi, ProviderKind::OpenRouter);
    let mut cases = vec![
        (unnamed(400), local, true),
        (unnamed(415), local, true),
        (unnamed(422), local, true),
        (inside(400), local, true),
        (inside(422), local, true),
        (told(404, no_host), market, true),
        (
            told(404, "No endpoints found for peer-model."),
            market,
            false,
        ),
        (inside(402), local, false),
        (told(400, "No models loaded"), local, false),
    ];
    let others = [
        401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 418, 429, 451, 503, 504,
    ];
    cases.extend(others.map(|status| (unnamed(status), local, false)));
    // A server that fails at the form fails until its repeats are used up.
    cases.extend([500, 501, 502, 505, 520, 529].map(|status| (unnamed(status), local, true)));
    for (step, kind, is_asked_without) in cases {
        let refusal = step.clone();
        let peer = Peer::answering(move |request, index| match index {
            0 => Step::reply(MARK_JSON),
            1 => refusal.clone(),
            index => {
                let reply = &replies()[(index - 2) % 3];
                let is_bare = request.json().get("response_format").is_none();
                Step::reply(&if is_bare {
                    reply.clone()
                } else {
                    in_json(reply)
                })
            }
        });
        let mut lab = lab_with(Constrain::From(ConstraintKind::JsonSchema));
        lab.peer = peer;
        lab.config.provider.base_url = lab.peer.base_url();
        lab.config.provider.kind = kind;
        let run = lab.run("keep this").await;
        let bodies = bodies(&lab);
        let is_bare = |body: &Value| body.get("response_format").is_none();
        assert_eq!(bodies.iter().any(is_bare), is_asked_without, "{step:?}");
        // A server that is not ready is waited for; nothing else is asked again.
        let asked = if succeeded(&run) { 5 } else { 2 };
        assert_eq!(bodies.len(), asked, "{step:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_too_slow_for_the_mark_is_not_asked_the_question_as_well() {
    let mut lab = lab_with(Constrain::From(ConstraintKind::Gbnf));
    lab.config.retry.max_retries = 1;
    lab.config.provider.timeout_ms = 500;
    lab.peer.push(Step::hang());
    lab.peer.push(Step::hang());
    let run = lab.run("keep this").await;
    assert_eq!(run.error_code, Some(Code::LlmTimeout));
    lab.peer.wait_for_requests(2, DEADLINE);
    assert_eq!(lab.peer.request_count(), 2);
    let failures = told(&lab, "call.made")[0]["failures"].clone();
    assert_eq!(failures, json!(["PROVIDER_TIMEOUT", "PROVIDER_TIMEOUT"]));
}

#[tokio::test]
async fn answers_that_a_filter_withheld_leave_no_server_alone() {
    let mut lab = Lab::new();
    let mut agent = lab.start();
    for asked in 1..=6 {
        lab.peer.push(filtered());
        let run = ask(&mut agent, &asked.to_string()).await;
        assert_eq!(run.error_code, Some(Code::ProviderServerError));
        assert_eq!(lab.peer.request_count(), asked);
    }
    assert_eq!(agent.health().circuit_state, CircuitState::Closed);
}

#[tokio::test]
async fn the_json_of_a_reasoning_model_is_found_where_its_reasoning_belongs() {
    let mut lab = lab_with(Constrain::From(ConstraintKind::JsonSchema));
    let misplaced = |text: &str, field| Step::reply_with_reasoning("", field, text);
    let mark = "{\"op\":\"kjx_mark\"}";
    lab.peer.push(misplaced(mark, "reasoning_content"));
    for reply in replies() {
        lab.peer.push(misplaced(&in_json(&reply), "reasoning"));
    }
    let run = lab.run("keep this").await;
    is_done(&lab, &run);
    assert_eq!(constraints_in_journal(&lab), vec![json!("json_schema"); 3]);

    // One that only reasons is not kept to anything.
    let mut lab = lab_with(Constrain::From(ConstraintKind::JsonSchema));
    lab.peer
        .push(misplaced("What could be meant?", "reasoning"));
    for reply in replies() {
        lab.says(&reply);
    }
    let run = lab.run("keep this").await;
    is_done(&lab, &run);
    let notices = lab.eyes.notices();
    assert!(
        notices[0].ends_with("has a model that only reasons under it"),
        "{notices:?}"
    );
}

/// The short question is kept to form, and the real one is not answered under it.
#[tokio::test]
async fn a_form_under_which_nothing_comes_is_given_up_and_the_question_put_freely() {
    let wordless = || Step::reply_with_reasoning("", "reasoning", "What could be meant?");
    let broken = || Step::status(500).body(r#"{"error": "Failed to parse grammar"}"#);
    let no_words = "has a model that has no answer under it";
    let cases = [(wordless(), no_words, 2), (broken(), "fails under it", 0)];
    for (step, why, useless) in cases {
        let mut lab = lab_with(Constrain::From(ConstraintKind::JsonSchema));
        lab.config.retry.max_retries = 1;
        lab.config.budget.day.calls = Some(10);
        lab.says(MARK_JSON);
        lab.peer.push(step.clone());
        lab.peer.push(step);
        for reply in replies() {
            lab.says(&reply);
        }
        let run = lab.run("keep this").await;
        is_done_beside(&lab, &run, useless);
        let formed: Vec<bool> = bodies(&lab)
            .iter()
            .map(|body| body.get("response_format").is_some())
            .collect();
        assert_eq!(formed, [true, true, true, false, false, false]);
        assert_eq!(spent(&lab).calls, 6);
        let told = format!("answers are not kept to `json_schema`: lmstudio {why}");
        assert_eq!(lab.eyes.notices(), [told]);
        let calls = take_calls_made(&lab);
        assert_eq!(calls[0]["failures"].as_array().unwrap().len(), 2);
        assert_eq!(calls[0]["rung"], Value::Null);
    }
}

#[tokio::test]
async fn a_form_is_not_to_blame_where_nothing_comes_without_it_either() {
    let mut lab = lab_with(Constrain::From(ConstraintKind::JsonSchema));
    lab.says(MARK_JSON);
    lab.peer.push(Step::status(500));
    lab.peer.push(Step::status(500));
    let mut agent = lab.start();
    let run = ask(&mut agent, "fails").await;
    assert_eq!(run.error_code, Some(Code::ProviderServerError));
    for reply in replies() {
        lab.says(&in_json(&reply));
    }
    assert!(succeeded(&ask(&mut agent, "keep this").await));
    let formed: Vec<bool> = bodies(&lab)
        .iter()
        .map(|body| body.get("response_format").is_some())
        .collect();
    assert_eq!(formed, [true, true, false, true, true, true]);
}

fn take_calls_made(lab: &Lab) -> Vec<Value> {
    told(lab, "call.made")
}

#[tokio::test]
async fn constrain_is_what_a_server_is_told_and_what_it_cannot_do_is_left_out() {
    let measured = |constraint_kind| ModelEntry {
        constrain: Some(constraint_kind),
        model_id: "peer-model".to_owned(),
        ..shipped_entry()
    };
    let off = Constrain::Off;
    let (gbnf, schema) = (ConstraintKind::Gbnf, ConstraintKind::JsonSchema);
    let cases = [
        (off, Some(gbnf), ProviderKind::OpenAi, None),
        (Constrain::Auto, None, ProviderKind::OpenAi, None),
        (
            Constrain::Auto,
            Some(gbnf),
            ProviderKind::OpenAi,
            Some(gbnf),
        ),
        (
            Constrain::Auto,
            Some(schema),
            ProviderKind::LmStudio,
            Some(schema),
        ),
        (
            Constrain::From(schema),
            Some(gbnf),
            ProviderKind::OpenAi,
            Some(schema),
        ),
        // A grammar is nothing that the market knows.
        (
            Constrain::From(gbnf),
            None,
            ProviderKind::OpenRouter,
            Some(schema),
        ),
        (Constrain::Auto, Some(gbnf), ProviderKind::OpenRouter, None),
    ];
    for (constrain, known, kind, expected) in cases {
        let mut lab = lab_with(constrain);
        lab.config.provider.kind = kind;
        lab.config.models = known.map(measured).into_iter().collect();
        if expected.is_some() {
            lab.says(if expected == Some(gbnf) {
                MARK_XML
            } else {
                MARK_JSON
            });
        }
        for reply in replies() {
            lab.says(&reply);
        }
        let run = lab.run("keep this").await;
        is_done(&lab, &run);
        let last = bodies(&lab).pop().unwrap();
        let told = match (last.get("grammar"), last.get("response_format")) {
            (Some(_), None) => Some(gbnf),
            (None, Some(_)) => Some(schema),
            _ => None,
        };
        assert_eq!(told, expected, "{constrain:?} {known:?} {kind:?}");
        // Others than the market know no such field.
        let is_market = kind == ProviderKind::OpenRouter && told == Some(schema);
        let rules = json!({"require_parameters": true});
        assert_eq!(last.get("provider"), is_market.then_some(&rules));
        if is_market {
            // Hosts that keep strictly to a schema want every member in it.
            let schema = schema_of(&last);
            let form = &schema["properties"]["instructions"]["items"]["anyOf"][4];
            let all = form["properties"].as_object().unwrap().len();
            assert_eq!(form["required"].as_array().unwrap().len(), all);
        }
    }
}

fn shipped_entry() -> ModelEntry {
    let text = json!({
        "modelId": "", "provider": "local", "contextLength": 8192,
        "capabilities": [], "optimizedFor": [],
    });
    serde_json::from_value(text).unwrap()
}
