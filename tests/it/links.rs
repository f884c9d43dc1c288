//! Links, both ways: what a text names, what points back, and what is missing, through changes of
//! every sort.

use crate::agent::{ABROAD, HOME, Sim, note, note_id, record_update, search};
use crate::lab::{Lab, ask};
use kjxlkj_agent::core::agent::LoopState::Executing;
use kjxlkj_agent::core::notes::{Link, Note, Notes};
use proptest::prelude::*;
use serde_json::{Value, json};

fn linking(number: u128, title: &str, value: &str, links: &[u128]) -> Note {
    let mut made = note(number, title, value);
    made.links = links.iter().map(|number| note_id(*number)).collect();
    made
}

fn all(notes: impl IntoIterator<Item = Note>) -> Notes {
    let mut all = Notes::complete();
    all.fill(notes);
    all
}

fn to(notes: &Notes, number: u128) -> Vec<Link> {
    notes
        .get(note_id(number))
        .map_or_else(Vec::new, |note| notes.links_of(note))
}

fn from(notes: &Notes, number: u128) -> Vec<u128> {
    let note = notes.get(note_id(number));
    let ids = note.map_or_else(Vec::new, |note| notes.linked_from(note));
    ids.into_iter().map(|id| id.0.as_u128()).collect()
}

#[test]
fn links_lead_both_ways_through_every_change() {
    let mut notes = all([
        linking(1, "Oven", "See [[Kitchen]] and [[ kitchen ]].", &[]),
        linking(2, "Kitchen", "", &[1, 9]),
        linking(3, "Self", "[[Self]] and [[]] and [[open", &[3]),
    ]);
    let there = |number| Link::To(note_id(number));
    assert_eq!(to(&notes, 1), [there(2)]);
    assert_eq!(from(&notes, 2), [1]);
    assert_eq!(to(&notes, 2), [there(1), Link::GoneNote(note_id(9))]);
    assert_eq!(from(&notes, 1), [2]);
    assert_eq!((to(&notes, 3), from(&notes, 3)), (vec![], vec![]));
    // A note that comes later is found, by its id and by its title.
    notes.put(linking(4, "Lamp", "[[Cellar]]", &[]));
    assert_eq!(to(&notes, 4), [Link::NoSuchTitle("Cellar".to_owned())]);
    notes.put(linking(5, "cellar", "", &[]));
    assert_eq!((to(&notes, 4), from(&notes, 5)), (vec![there(5)], vec![4]));
    notes.put(linking(9, "Ninth", "", &[]));
    assert_eq!(from(&notes, 9), [2]);
    // A title of two notes names none of them.
    notes.put(linking(6, "Cellar", "", &[]));
    assert_eq!(to(&notes, 4), [Link::NoSuchTitle("Cellar".to_owned())]);
    assert_eq!((from(&notes, 5), from(&notes, 6)), (vec![], vec![]));
    // With another title one of them is the only one; a note that goes is missing.
    notes.put(linking(5, "Attic", "", &[]));
    assert_eq!((to(&notes, 4), from(&notes, 6)), (vec![there(6)], vec![4]));
    notes.remove(note_id(1));
    assert_eq!(to(&notes, 2)[0], Link::GoneNote(note_id(1)));
    assert_eq!(from(&notes, 2), Vec::<u128>::new());
    // Without the link nothing points there any more.
    notes.put(linking(2, "Kitchen", "plain", &[]));
    assert_eq!(from(&notes, 9), Vec::<u128>::new());
}

/// What a person wrote in a list stays, what only the text named goes with it.
#[test]
fn a_written_note_links_what_its_list_and_its_text_name() {
    let notes = all([
        linking(1, "Oven", "[[Kitchen]]", &[2, 3]),
        linking(2, "Kitchen", "", &[]),
        linking(3, "Cellar", "", &[]),
        linking(4, "Lamp", "", &[]),
    ]);
    let oven = notes.get(note_id(1));
    let by_id = format!("[[{}]]", note_id(4));
    for (before, list, text, expected) in [
        (oven, None, "[[Kitchen]] [[lamp]]", vec![3, 2, 4]),
        (oven, Some(vec![2, 3]), "[[Lamp]]", vec![3, 4]),
        (oven, Some(vec![2]), "nothing", vec![2]),
        (oven, Some(vec![]), "[[Attic]]", vec![]),
        (None, None, &by_id, vec![4]),
        (None, Some(vec![3]), "[[Cellar]] [[Kitchen]]", vec![3, 2]),
    ] {
        let ids =
            |numbers: &Vec<u128>| -> Vec<_> { numbers.iter().map(|it| note_id(*it)).collect() };
        let links = notes.links_written(before, list.as_ref().map(ids), text, HOME);
        assert_eq!(links, ids(&expected), "{list:?} {text}");
    }
}

/// A new text by the model leaves what a person listed, and takes away what only the old text named.
#[test]
fn an_update_by_the_model_keeps_the_list_of_a_person() {
    let mut sim = Sim::in_state(Executing, Some("x"));
    for note in [
        linking(1, "Oven", "[[Kitchen]]", &[2, 3]),
        linking(2, "Kitchen", "", &[]),
        linking(3, "Cellar", "", &[]),
        linking(4, "Lamp", "", &[]),
    ] {
        sim.state.notes.put(note);
    }
    for (text, links) in [("Now [[lamp]].", vec![3, 4]), ("Nothing.", vec![3])] {
        sim.set("state", json!("executing"));
        sim.turn(&record_update("Oven", text));
        let links: Vec<_> = links.into_iter().map(note_id).collect();
        assert_eq!(sim.the_note(1).links, links, "{text}");
    }
}

/// What another workspace calls its notes makes no title here ambiguous, and links nothing.
#[test]
fn titles_are_those_of_the_own_workspace() {
    let abroad = |number, title, value| Note {
        workspace_id: ABROAD,
        ..linking(number, title, value, &[])
    };
    let notes = all([
        linking(1, "Tea", "", &[]),
        linking(2, "Pot", "[[Tea]] [[Tin]]", &[]),
        abroad(3, "Tea", ""),
        abroad(4, "Tin", "[[Tea]]"),
    ]);
    let there = |number| Link::To(note_id(number));
    let missing = Link::NoSuchTitle("Tin".to_owned());
    assert_eq!(to(&notes, 2), [there(1), missing]);
    assert_eq!(to(&notes, 4), [there(3)]);
    assert_eq!((from(&notes, 1), from(&notes, 3)), (vec![2], vec![4]));
    assert_eq!(from(&notes, 4), Vec::<u128>::new());
    assert_eq!(notes.titles_in("[[tea]] [[tin]]", HOME), [note_id(1)]);
}

proptest! {
    /// Whatever happened to a collection, what points to a note is what a look at every note finds.
    #[test]
    fn the_way_back_is_what_a_look_at_every_note_finds(
        changes in proptest::collection::vec((1_u128..8, 0_u128..6, 0_u128..8, any::<bool>()), 0..40),
    ) {
        let mut notes = all([]);
        for (number, title, target, keep) in changes {
            let text = format!("[[T{target}]]");
            if keep {
                notes.put(linking(number, &format!("t{title}"), &text, &[target]));
            } else {
                notes.remove(note_id(number));
            }
        }
        for number in 1..8 {
            let points = |other: &&Note| {
                other.id != note_id(number) && notes.links_of(other).contains(&Link::To(note_id(number)))
            };
            let expected: Vec<u128> = notes.iter().filter(points).map(|it| it.id.0.as_u128()).collect();
            let exists = notes.get(note_id(number)).is_some();
            prop_assert_eq!(from(&notes, number), if exists { expected } else { vec![] });
        }
    }
}

fn file_of(lab: &Lab, title: &str) -> (String, Value) {
    let notes = lab.notes();
    let note = notes.into_iter().find(|note| note["title"] == title);
    let note = note.unwrap_or(Value::Null);
    let id = note["id"].as_str().unwrap_or_default().to_owned();
    (format!("data/notes/{id}.json"), note)
}

/// Through the loop: a hand edit, a restart and a change by the model, and the model sees with a
/// found note what it is linked with.
#[tokio::test]
async fn links_stay_right_over_a_life_with_hand_edits_and_restarts() {
    let mut lab = Lab::new();
    for title in ["Oven", "Kitchen", "Cellar"] {
        lab.says(&crate::agent::record_add(title, &format!("about {title}")));
        lab.says(&crate::agent::ram_add("think_log", "-"));
        lab.says(&crate::agent::ram_add("think_log", "-"));
        lab.run(title).await;
    }
    // A person writes a link by title into one note; the next start takes it in.
    let (path, mut oven) = file_of(&lab, "Oven");
    oven["value"] = json!("Stands in the [[Kitchen]].");
    lab.write(&path, &oven.to_string());
    let mut agent = lab.start();
    lab.says(&search("kitchen"));
    lab.says(&record_update("Kitchen", "Next to it: [[Cellar]]."));
    lab.says(&crate::agent::ram_add("think_log", "-"));
    let first = lab.peer.request_count();
    let run = ask(&mut agent, "look").await;
    assert_eq!(run.error_code, None);
    agent.close().unwrap();
    // The search found both, and tells of each what it is linked with.
    let told = lab.prompt_text(first + 1);
    assert!(
        told.contains("<title>Kitchen</title><text>about Kitchen</text><links>Oven</links>"),
        "{told}"
    );
    assert!(
        told.contains("[[Kitchen]].</text><links>Kitchen</links>"),
        "{told}"
    );
    let (_, kitchen) = file_of(&lab, "Kitchen");
    let (_, cellar) = file_of(&lab, "Cellar");
    assert_eq!(kitchen["links"], json!([cellar["id"]]));
    assert!(
        kitchen.get("linked_from").is_none(),
        "the way back stands in no file"
    );
    let notes = lab.state().notes;
    let titled = |title: &str| notes.all_titled(title).next().unwrap();
    let back = |title: &str| notes.linked_from(titled(title));
    assert_eq!(back("Cellar"), [titled("Kitchen").id]);
    assert_eq!(back("Kitchen"), [titled("Oven").id]);
    assert_eq!(back("Oven"), []);
}
