//! Requests are worked on apart: what a model made for one is not told in the prompts of the next. What a
//! person wrote always is.

use crate::agent::{ram_add, record_add};
use crate::lab::{Lab, ask, edit_kv, succeeded};
use serde_json::json;

/// The model's replies to a request that leaves traces behind: keys of RAM, a plan, a refusal.
fn leaves_traces(lab: &Lab) {
    let keys = ram_add("scratch", "zebra one") + &ram_add("plan", "zebra two");
    lab.says(&(keys + &ram_add("steps", "New note: zebra three")));
    lab.says(&(record_add("Harbour", "The ferry leaves at six.") + &ram_add("house", "green")));
    lab.says(&ram_add("think_log", "zebra four"));
}

fn serves(lab: &Lab) {
    lab.says(&(ram_add("plan", "own plan") + &ram_add("own", "kept")));
    lab.says(&record_add("Kettle", "The kettle is blue."));
    lab.says(&ram_add("think_log", "own thought"));
}

#[tokio::test]
async fn the_prompts_of_a_request_hold_nothing_of_the_one_before() {
    let mut lab = Lab::new();
    leaves_traces(&lab);
    serves(&lab);
    lab.start().close().unwrap();
    lab.edit_kv(&[
        ("house", json!("red")),
        ("context", json!({"place": "Graz"})),
    ]);
    let mut agent = lab.start();
    assert!(succeeded(&ask(&mut agent, "Keep the ferry.").await));
    assert!(succeeded(&ask(&mut agent, "Keep the kettle.").await));
    agent.close().unwrap();
    assert!(
        lab.prompt_text(1).contains("zebra one"),
        "{}",
        lab.prompt_text(1)
    );
    for index in 3..6 {
        let prompt = lab.prompt_text(index);
        for trace in ["zebra", "Harbour", "ferry"] {
            assert!(!prompt.contains(trace), "{index}: {trace} in {prompt}");
        }
        // A person's keys stay, and so does what the model has changed in one.
        assert!(
            prompt.contains("place") && prompt.contains("Graz"),
            "{prompt}"
        );
        assert!(prompt.contains("house: green"), "{prompt}");
    }
    // What was made for the request itself is told.
    for told in ["own plan", "own: kept"] {
        assert!(lab.prompt_text(5).contains(told), "{}", lab.prompt_text(5));
    }
    // Nothing is lost.
    assert_eq!(lab.kv()["scratch"], "zebra one");
    assert_eq!(lab.kv()["plan"], "own plan");
}

#[tokio::test]
async fn what_a_person_writes_is_told_from_then_on_and_a_restart_forgets_nothing() {
    let mut lab = Lab::new();
    leaves_traces(&lab);
    lab.run("Keep the ferry.").await;
    edit_kv(lab.root(), &[("scratch", json!("mine now"))]);
    serves(&lab);
    lab.run("Keep the kettle.").await;
    let prompt = lab.prompt_text(3);
    assert!(prompt.contains("scratch: mine now"), "{prompt}");
    assert!(!prompt.contains("zebra"), "{prompt}");
}
