//! The constraint of the reply to a question, for servers that support it.
//! Each question has its own, so that only a note that exists can be named and only words of a line
//! can be replaced.

use super::plan::can_begin_with;
use super::question::{Question, Subject};
use super::request_questions::is_question;
use super::step_question::{NO, StepQuestion, YES};
use serde_json::{Value, json};

/// The maximum number of steps in one plan beyond the first.
const MORE_STEPS_MAX: usize = 5;

/// The maximum number of replacements beyond the first.
const MORE_REPLACEMENTS_MAX: usize = 2;

/// The rule for the verbs that edit a note, which may be named.
const EDIT: &str = "(\"add\" | \"change\" | \"remove\") (\" \" key)? \": \" text";

impl Question {
    /// Returns a GBNF grammar of the replies, as llama.cpp reads it.
    pub fn gbnf(&self) -> String {
        match &self.subject {
            Subject::Plan {
                request,
                titles,
                named,
                verb,
            } => plan_gbnf(
                editable_titles(titles, named),
                is_question(request),
                verb.as_deref(),
            ),
            Subject::Step(StepQuestion::Choose { options, .. }) => {
                let numbers: Vec<String> = (1..=options.len())
                    .map(|number| format!("\"{number}\""))
                    .collect();
                format!("root ::= {}\n", numbers.join(" | "))
            }
            Subject::Step(StepQuestion::Replace { spans, .. }) if !spans.is_empty() => {
                let spans: Vec<String> = spans.iter().map(|span| literal(span)).collect();
                format!(
                    "root ::= one (\"\\n\" one){{0,{MORE_REPLACEMENTS_MAX}}}\n\
                     one ::= old \" > \" new\nnew ::= [^\\n>]{{1,60}}\nold ::= {}\n",
                    spans.join(" | ")
                )
            }
            Subject::Step(StepQuestion::Confirm { .. }) => {
                format!("root ::= \"{YES}\" | \"{NO}\"\n")
            }
            Subject::Step(StepQuestion::Replace { .. } | StepQuestion::Answer { .. }) => {
                "root ::= [^\\n]+\n".to_owned()
            }
        }
    }

    /// Returns a JSON schema of the replies: an object whose `lines` hold the lines of the reply.
    pub fn json_schema(&self) -> String {
        let (items, most) = match &self.subject {
            Subject::Plan {
                titles,
                named,
                verb,
                ..
            } => (
                plan_schema(editable_titles(titles, named), verb.as_deref()),
                MORE_STEPS_MAX + 1,
            ),
            Subject::Step(StepQuestion::Choose { options, .. }) => {
                let numbers: Vec<String> = (1..=options.len()).map(|it| it.to_string()).collect();
                (json!({ "type": "string", "enum": numbers }), 1)
            }
            Subject::Step(StepQuestion::Replace { .. }) => (
                json!({ "type": "string", "pattern": "^[^>]+ > [^>]+$" }),
                MORE_REPLACEMENTS_MAX + 1,
            ),
            Subject::Step(StepQuestion::Answer { .. }) => (json!({ "type": "string" }), 1),
            Subject::Step(StepQuestion::Confirm { .. }) => {
                (json!({ "type": "string", "enum": [YES, NO] }), 1)
            }
        };
        json!({
            "type": "object",
            "properties": {
                "lines": { "type": "array", "items": items, "minItems": 1, "maxItems": most }
            },
            "required": ["lines"],
            "additionalProperties": false,
        })
        .to_string()
    }
}

/// Returns the titles that a step may mean: the named ones if there are any.
const fn editable_titles<'a>(titles: &'a [String], named: &'a [String]) -> &'a [String] {
    if named.is_empty() { titles } else { named }
}

/// Returns the grammar of a plan. If `first` is a verb that can be used, the plan begins with it.
fn plan_gbnf(titles: &[String], is_question: bool, first: Option<&str>) -> String {
    let mut verbs = vec!["new", "answer", "overview", "nothing"];
    // A request that only asks is answered; a note that keeps the answer has a name from the
    // request.
    let named = if is_question { "" } else { " (\" \" name)?" };
    let mut rules = format!(
        "text ::= [^\\n]+\nname ::= [^\\n:>]{{1,60}}\nnew ::= \"new \" name \": \" text\n\
         answer ::= \"answer\"{named} \": \" text\n\
         overview ::= \"overview\"{named} \": \" text\nnothing ::= \"nothing\"\n",
    );
    if !titles.is_empty() {
        let keys: Vec<String> = titles.iter().map(|title| literal(title)).collect();
        let edits = format!(
            "key ::= {}\nedit ::= {EDIT}\nrename ::= \"rename \" key \" > \" name\n\
             delete ::= \"delete \" key\nissue ::= \"issue \" key \": \" text\n",
            keys.join(" | ")
        );
        rules.push_str(&edits);
        verbs.extend(["edit", "rename", "delete", "issue"]);
    }
    if titles.len() > 1 {
        rules += "pair ::= (\"link \" | \"merge \") key \" > \" key\n";
        verbs.push("pair");
    }
    let first = match first.filter(|verb| can_begin_with(verb, titles.len())) {
        Some(verb @ ("add" | "change" | "remove")) => {
            format!("\"{verb}\" (\" \" key)? \": \" text")
        }
        Some(verb @ ("link" | "merge")) => format!("\"{verb} \" key \" > \" key"),
        verb => verb.unwrap_or("op").to_owned(),
    };
    format!(
        "root ::= {first} (\"\\n\" op){{0,{MORE_STEPS_MAX}}}\nop ::= {}\n{rules}",
        verbs.join(" | ")
    )
}

/// Returns the schema of a line of a plan. If `first` is a verb that can be used, the line begins
/// with it.
fn plan_schema(titles: &[String], first: Option<&str>) -> Value {
    let text = "[^\\n]+";
    let name = "[^\\n:>]{1,60}";
    let mut forms: Vec<(&[&str], String)> = vec![
        (&["new"], format!(" {name}: {text}")),
        (&["answer", "overview"], format!("( {name})?: {text}")),
        (&["nothing"], String::new()),
    ];
    if !titles.is_empty() {
        let keys: Vec<String> = titles.iter().map(|title| escaped(title)).collect();
        let key = format!("({})", keys.join("|"));
        forms.push((&["add", "change", "remove"], format!("( {key})?: {text}")));
        forms.push((&["rename"], format!(" {key} > {name}")));
        forms.push((&["delete"], format!(" {key}")));
        forms.push((&["issue"], format!(" {key}: {text}")));
        if titles.len() > 1 {
            forms.push((&["link", "merge"], format!(" {key} > {key}")));
        }
    }
    let first = first.filter(|verb| can_begin_with(verb, titles.len()));
    let patterns = forms
        .iter()
        .filter_map(|(verbs, rest)| match (first, verbs) {
            (Some(verb), verbs) => verbs.contains(&verb).then(|| format!("^{verb}{rest}$")),
            (None, [verb]) => Some(format!("^{verb}{rest}$")),
            (None, verbs) => Some(format!("^({}){rest}$", verbs.join("|"))),
        });
    let any: Vec<Value> = patterns
        .map(|pattern| json!({ "type": "string", "pattern": pattern }))
        .collect();
    json!({ "anyOf": any })
}

/// Returns a text as a literal of a grammar.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    let one_line = escaped.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
    format!("\"{one_line}\"")
}

/// Returns a regular expression that matches exactly a text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\^$.|?*+()[]{}/".contains(character) {
            out.push('\\');
        }
        out.push(if character.is_control() {
            ' '
        } else {
            character
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::question::{Question, Subject};
    use super::super::step_question::StepQuestion;

    fn plan(titles: &[&str], named: &[&str]) -> Question {
        let owned = |titles: &[&str]| titles.iter().map(|&it| it.to_owned()).collect();
        Question {
            subject: Subject::Plan {
                request: String::new(),
                titles: owned(titles),
                named: owned(named),
                verb: None,
            },
            fault: None,
        }
    }

    #[test]
    fn a_plan_may_only_name_what_exists() {
        let none = plan(&[], &[]).gbnf();
        assert!(!none.contains("edit") && !none.contains("key"), "{none}");
        let one = plan(&["A \"b\"\\c"], &[]).gbnf();
        assert!(one.contains("key ::= \"A \\\"b\\\"\\\\c\"\n"), "{one}");
        assert!(!one.contains("pair"), "{one}");
        let named = plan(&["Bus", "Kite", "Boat"], &["Bus", "Kite"]);
        assert!(named.gbnf().contains("key ::= \"Bus\" | \"Kite\"\n"));
        assert!(named.gbnf().contains("pair ::= "));
        let schema: serde_json::Value = serde_json::from_str(&named.json_schema()).unwrap();
        let patterns = schema["properties"]["lines"]["items"]["anyOf"].to_string();
        assert!(patterns.contains("delete (Bus|Kite)"), "{patterns}");
    }

    #[test]
    fn a_plan_may_have_to_begin_with_a_verb() {
        let begun = |titles: &[&str], with: &str| {
            let mut question = plan(titles, &[]);
            if let Subject::Plan { verb, .. } = &mut question.subject {
                *verb = Some(with.to_owned());
            }
            question
        };
        let root = |question: Question| {
            let gbnf = question.gbnf();
            gbnf.lines().next().unwrap().to_owned()
        };
        let rest = " (\"\\n\" op){0,5}";
        for (titles, verb, first) in [
            (&["Bus"][..], "remove", r#""remove" (" " key)? ": " text"#),
            (&["Bus"], "rename", "rename"),
            (&["Bus"], "merge", "op"),
            (&["Bus", "Kite"], "merge", r#""merge " key " > " key"#),
            (&[], "remove", "op"),
            (&[], "new", "new"),
        ] {
            let question = begun(titles, verb);
            let schema = question.json_schema();
            let can = first != "op";
            assert_eq!(root(question), format!("root ::= {first}{rest}"));
            assert_eq!(schema.contains("nothing"), !can, "{schema}");
            assert_eq!(schema.contains(&format!("\"^{verb}")), can, "{schema}");
        }
    }

    #[test]
    fn a_choice_is_a_number_and_what_goes_stands_in_the_line() {
        let ask = |ask| Question {
            subject: Subject::Step(ask),
            fault: None,
        };
        let choose = ask(StepQuestion::Choose {
            request: String::new(),
            options: vec!["a".to_owned(), "b".to_owned()],
        });
        assert_eq!(choose.gbnf(), "root ::= \"1\" | \"2\"\n");
        let replace = ask(StepQuestion::Replace {
            line: "at 8:10".to_owned(),
            change: String::new(),
            spans: vec!["at".to_owned(), "8:10".to_owned()],
        });
        assert!(replace.gbnf().contains("old ::= \"at\" | \"8:10\"\n"));
    }
}
