//! Refusals that list the invalid members of a request, each with its place and a sentence, as
//! `FastAPI` and pydantic write them. Only the first is shown: the others have the same cause.

use serde_json::Value;

/// The places where such a list may stand, below the value that holds the error.
const PLACES: [&str; 4] = ["", "/detail", "/message/detail", "/message"];

/// Returns the first entry of the list, as `PLACE: SENTENCE`; `None` where there is no such list.
pub(super) fn first(error: &Value) -> Option<String> {
    let mut lists = PLACES.iter().filter_map(|place| error.pointer(place));
    let entry = lists.find_map(|list| list.as_array()?.first())?;
    if let Some(text) = entry.as_str() {
        return Some(text.to_owned());
    }
    let mut words = ["msg", "message"].into_iter();
    let sentence = words.find_map(|name| entry.get(name)?.as_str())?;
    let place = entry.get("loc").and_then(Value::as_array);
    let steps = place.into_iter().flatten().filter_map(|step| match step {
        Value::String(name) => Some(name.clone()),
        Value::Number(index) => Some(index.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    });
    let place = steps.collect::<Vec<_>>().join(".");
    Some(if place.is_empty() {
        sentence.to_owned()
    } else {
        format!("{place}: {sentence}")
    })
}
