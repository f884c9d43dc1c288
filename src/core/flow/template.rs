//! Templates: JSON values whose texts may hold `{{ expression }}`.
//! Parsing finds every mistake at once; rendering puts the values of variables in. Keys are taken
//! as they are.

use crate::core::guard::depth_of;
use crate::core::predicate::{Expression, Variables};
use crate::core::prompt::shorten;
use crate::limits::{CONDITION_ERROR_CHARS_MAX, JSON_DEPTH_MAX, RENDERED_TEXT_BYTES_MAX};
use crate::strict_json::JsonPath;
use serde_json::Value;
use std::collections::BTreeMap;

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

/// A JSON value whose texts may hold templates.
/// It is walked by recursion: JSON that was read has at most 128 levels.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// A value without any template.
    Literal(Value),
    /// A text that is one template; the value keeps its type.
    Whole(Expression),
    /// A text with templates in it.
    Text(Vec<TextPart>),
    /// A list with templates in it.
    List(Vec<Self>),
    /// An object with templates in it.
    Object(BTreeMap<String, Self>),
}

/// A part of a text with templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// The author's own words.
    Own(String),
    /// An expression whose value is inserted.
    Inserted(Expression),
}

/// The place and reason of a template that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateProblem {
    /// The path of the text, from the value that was parsed.
    pub path: JsonPath,
    /// The reason, with the place in the text.
    pub message: String,
}

/// A part of a rendered text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPart {
    /// The text of the part.
    pub text: String,
    /// Whether it is the value of an expression, and not the author's own words.
    pub is_inserted: bool,
}

impl Template {
    /// Parses the templates in a value.
    /// A value without any is one literal, also a list and an object.
    ///
    /// # Errors
    /// Every template that cannot be read, in the order of the value.
    pub fn parse(value: &Value) -> Result<Self, Vec<TemplateProblem>> {
        let mut problems = Vec::new();
        let template = parse_value(value, &JsonPath::default(), &mut problems);
        if problems.is_empty() {
            Ok(template)
        } else {
            Err(problems)
        }
    }

    /// Returns the value with the values of all expressions in it.
    /// A text that is one template becomes a value of any type. Inside a longer text, a string is
    /// inserted as it is, and everything else as compact JSON.
    ///
    /// # Errors
    /// The first expression without a value, and the reason.
    /// A text, or a value in place of one, that is too long is an error, and so is a result that is
    /// nested too deep to be kept.
    pub fn render(&self, variables: &Variables<'_>) -> Result<Value, String> {
        let value = self.filled(variables)?;
        if !self.is_literal() && depth_of(&value) > JSON_DEPTH_MAX {
            return Err(format!(
                "the value would be nested deeper than {JSON_DEPTH_MAX} levels"
            ));
        }
        Ok(value)
    }

    fn filled(&self, variables: &Variables<'_>) -> Result<Value, String> {
        match self {
            Self::Literal(value) => Ok(value.clone()),
            Self::Whole(expression) => value_of(expression, variables),
            Self::Text(parts) => {
                let parts = render_text(parts, variables)?.into_iter();
                Ok(Value::String(parts.map(|part| part.text).collect()))
            }
            Self::List(items) => {
                let items: Result<_, _> = items.iter().map(|it| it.filled(variables)).collect();
                items.map(Value::Array)
            }
            Self::Object(members) => {
                let members = members.iter();
                let members: Result<_, String> = members
                    .map(|(key, it)| Ok((key.clone(), it.filled(variables)?)))
                    .collect();
                members.map(Value::Object)
            }
        }
    }

    /// Returns every expression with the path of its text, in the order of the value.
    pub fn expressions(&self) -> Vec<(JsonPath, &Expression)> {
        let mut found = Vec::new();
        self.add_expressions(&JsonPath::default(), &mut found);
        found
    }

    fn add_expressions<'a>(&'a self, path: &JsonPath, found: &mut Vec<(JsonPath, &'a Expression)>) {
        match self {
            Self::Literal(_) => {}
            Self::Whole(expression) => found.push((path.clone(), expression)),
            Self::Text(parts) => {
                for part in parts {
                    match part {
                        TextPart::Own(_) => {}
                        TextPart::Inserted(expression) => found.push((path.clone(), expression)),
                    }
                }
            }
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.add_expressions(&path.index(index), found);
                }
            }
            Self::Object(members) => {
                for (key, member) in members {
                    member.add_expressions(&path.key(key), found);
                }
            }
        }
    }

    /// Returns whether the value holds no template.
    pub fn is_literal(&self) -> bool {
        matches!(self, Self::Literal(_))
    }
}

/// Returns a text for a prompt, with the author's own words and the inserted values apart.
/// A literal is the author's own. A value that is no text is compact JSON; a list or an object with
/// any template in it counts as inserted.
///
/// # Errors
/// The same as those of [`Template::render`].
pub fn render_parts(
    template: &Template,
    variables: &Variables<'_>,
) -> Result<Vec<RenderedPart>, String> {
    let text = match template {
        Template::Text(parts) => return render_text(parts, variables),
        Template::Literal(_) | Template::Whole(_) => text_of(template.render(variables)?),
        Template::List(_) | Template::Object(_) => {
            let text = text_of(template.render(variables)?);
            check_length(text.len())?;
            text
        }
    };
    Ok(vec![RenderedPart {
        text,
        is_inserted: !template.is_literal(),
    }])
}

fn render_text(parts: &[TextPart], variables: &Variables<'_>) -> Result<Vec<RenderedPart>, String> {
    let (mut rendered, mut bytes) = (Vec::with_capacity(parts.len()), 0);
    for part in parts {
        let (text, is_inserted) = match part {
            TextPart::Own(text) => (text.clone(), false),
            TextPart::Inserted(expression) => (text_of(value_of(expression, variables)?), true),
        };
        bytes += text.len();
        check_length(bytes)?;
        rendered.push(RenderedPart { text, is_inserted });
    }
    Ok(rendered)
}

fn value_of(expression: &Expression, variables: &Variables<'_>) -> Result<Value, String> {
    let value = expression.value(variables).and_then(|value| {
        let bytes = match &value {
            Value::String(text) => text.len(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => value.to_string().len(),
        };
        check_length(bytes).map(|()| value)
    });
    value.map_err(|reason| {
        let text = shorten(expression.text(), CONDITION_ERROR_CHARS_MAX);
        format!("`{OPEN} {text} {CLOSE}` has no value: {reason}")
    })
}

fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

fn check_length(bytes: usize) -> Result<(), String> {
    if bytes > RENDERED_TEXT_BYTES_MAX {
        return Err(format!(
            "it would have at least {bytes} bytes; {RENDERED_TEXT_BYTES_MAX} are allowed"
        ));
    }
    Ok(())
}

// === parsing ===

fn parse_value(value: &Value, path: &JsonPath, problems: &mut Vec<TemplateProblem>) -> Template {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Template::Literal(value.clone()),
        Value::String(text) => parse_text(text, |message| {
            let path = path.clone();
            problems.push(TemplateProblem { path, message });
        }),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items: Vec<_> = items
                .map(|(index, it)| parse_value(it, &path.index(index), problems))
                .collect();
            if items.iter().all(Template::is_literal) {
                return Template::Literal(value.clone());
            }
            Template::List(items)
        }
        Value::Object(members) => {
            let members = members.iter();
            let members: BTreeMap<_, _> = members
                .map(|(key, it)| (key.clone(), parse_value(it, &path.key(key), problems)))
                .collect();
            if members.values().all(Template::is_literal) {
                return Template::Literal(value.clone());
            }
            Template::Object(members)
        }
    }
}

fn parse_text(text: &str, mut report: impl FnMut(String)) -> Template {
    let (mut parts, mut left) = (Vec::new(), text);
    while let Some((own, behind)) = left.split_once(OPEN) {
        let before = text.len() - behind.len() - OPEN.len();
        let before = text.get(..before).unwrap_or_default();
        let place = format!("the `{OPEN}` at character {}", before.chars().count() + 1);
        let Some((inner, behind)) = split_expression(behind) else {
            report(format!(
                "{place} has no `{CLOSE}` behind it, outside of quotation marks and other braces; \
                 a text gets a plain `{OPEN}` by `{OPEN} \"{OPEN}\" {CLOSE}`"
            ));
            break;
        };
        if !own.is_empty() {
            parts.push(TextPart::Own(own.to_owned()));
        }
        let inner = inner.trim();
        if inner.is_empty() {
            report(format!("{place} has no expression before its `{CLOSE}`"));
        } else {
            match Expression::parse(inner) {
                Ok(expression) => parts.push(TextPart::Inserted(expression)),
                Err(reason) => report(format!("{place} begins no expression: {reason}")),
            }
        }
        left = behind;
    }
    if parts.is_empty() {
        return Template::Literal(Value::from(text));
    }
    if let ([TextPart::Inserted(expression)], true) = (&*parts, left.is_empty()) {
        return Template::Whole(expression.clone());
    }
    if !left.is_empty() {
        parts.push(TextPart::Own(left.to_owned()));
    }
    Template::Text(parts)
}

/// Returns the expression before the first `}}` and the text behind that; `None` if there is none.
/// Marks of CEL itself do not count: what stands in quotation marks, and the ends of its maps.
fn split_expression(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let (mut at, mut maps_open) = (0, 0_usize);
    loop {
        at = match bytes.get(at)? {
            b'"' | b'\'' => quotation_end(bytes, at)?,
            b'{' => {
                maps_open += 1;
                at + 1
            }
            b'}' if maps_open > 0 => {
                maps_open -= 1;
                at + 1
            }
            b'}' if bytes.get(at + 1) == Some(&b'}') => {
                return Some((text.get(..at)?, text.get(at + CLOSE.len()..)?));
            }
            _ => at + 1,
        };
    }
}

/// Returns the offset behind a quotation of CEL that begins at `start`; `None` if it has no end.
/// Three marks in a row begin a quotation that three end. An `r` before it takes backslashes as
/// they are.
fn quotation_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mark = bytes.get(start..=start)?;
    let mark = bytes
        .get(start..start + 3)
        .filter(|three| three.iter().all(|byte| mark.contains(byte)))
        .unwrap_or(mark);
    let before = start.checked_sub(1).and_then(|before| bytes.get(before));
    let is_raw = matches!(before, Some(b'r' | b'R'));
    let mut at = start + mark.len();
    loop {
        let left = bytes.get(at..)?;
        if left.starts_with(mark) {
            return Some(at + mark.len());
        }
        at += match left.first()? {
            b'\\' if !is_raw => 2,
            _ => 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{RenderedPart, Template, TextPart, render_parts};
    use crate::core::predicate::{Expression, Variables};
    use crate::limits::RENDERED_TEXT_BYTES_MAX;
    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
    use serde_json::{Value, json};

    fn render(value: &Value, variables: &Variables<'_>) -> Result<Value, String> {
        Template::parse(value).unwrap().render(variables)
    }

    #[test]
    fn a_template_keeps_its_type_alone_and_is_text_among_words() {
        let input = json!({
            "title": "Tea", "minutes": 3, "limit": 2.5, "is_on": true, "none": null,
            "tags": ["a", "b"], "inner": {"b": 1, "a": "x"},
        });
        let cases = [
            (json!("{{ input.minutes }}"), json!(3)),
            (json!("{{input.tags}}"), json!(["a", "b"])),
            (json!("{{\n input.inner\t}}"), input["inner"].clone()),
            (json!("{{ input.none }}"), Value::Null),
            (json!("{{ input.title }}"), json!("Tea")),
            (json!(" {{ input.minutes }}"), json!(" 3")),
            (json!("{{ input.minutes }}\n"), json!("3\n")),
            (json!("{{ input.title }}{{ input.minutes }}"), json!("Tea3")),
            (
                json!("Brew {{ input.title }} for {{ input.limit }} minutes."),
                json!("Brew Tea for 2.5 minutes."),
            ),
            (
                json!("{{ input.tags }} {{ input.inner }} {{ input.none }} {{ input.is_on }}"),
                json!("[\"a\",\"b\"] {\"a\":\"x\",\"b\":1} null true"),
            ),
            (
                json!({"a": [1, "{{ input.minutes }}", {"b": "é {{ input.title }}"}], "c": null}),
                json!({"a": [1, 3, {"b": "é Tea"}], "c": null}),
            ),
            (json!({"{{ key }}": "{{ 1 }}"}), json!({"{{ key }}": 1})),
        ];
        for (template, expected) in cases {
            let rendered = render(&template, &[("input", &input)]);
            assert_eq!(rendered, Ok(expected), "{template}");
        }
    }

    #[test]
    fn marks_of_cel_do_not_end_a_template() {
        let cases = [
            (r#"{{ "{{" }}"#, json!("{{")),
            (r#"a {{ "{{" }} b {{ '}}' }}"#, json!("a {{ b }}")),
            (r#"{{ "a\"}}" }}"#, json!("a\"}}")),
            (r"{{ 'a\'}}' }}", json!("a'}}")),
            (r"{{ 'a\\' }}", json!("a\\")),
            (r"{{ r'a\' + '}}' }}", json!("a\\}}")),
            (r#"{{ '"' + "'}}" }}"#, json!("\"'}}")),
            ("{{ '''it's }}''' }}", json!("it's }}")),
            ("{{ \"\"\"a \" }} b\"\"\" }}", json!("a \" }} b")),
            ("{{ '' + '}}' }}", json!("}}")),
            ("{{ {'a': {'b': 1}} }}", json!({"a": {"b": 1}})),
            ("{{{'a': {'b': 1}}}}", json!({"a": {"b": 1}})),
            ("{\"a\": {{ 1 }}}", json!("{\"a\": 1}")),
            ("a }} b {{ 1 }} }}", json!("a }} b 1 }}")),
        ];
        for (template, expected) in cases {
            let rendered = render(&Value::from(template), &[]);
            assert_eq!(rendered, Ok(expected), "{template}");
        }
    }

    #[test]
    fn every_problem_is_reported_with_its_place() {
        let value = json!({
            "a": ["{{ 1 }}", "é {{ 1", {"b": "{{ }} and {{ 1 + }} and {{ 2 }}"}],
            "c": "{{ 'a }}",
            "d": "{{ { }}",
            "e": "{{}}",
            "f": format!("{{{{ {} }}}}", "x".repeat(1001)),
        });
        let problems = Template::parse(&value).unwrap_err();
        let expected = [
            ("a[1]", "the `{{` at character 3 has no `}}`"),
            ("a[2].b", "the `{{` at character 1 has no expression"),
            ("a[2].b", "the `{{` at character 11 begins no expression"),
            ("c", "a plain `{{` by `{{ \"{{\" }}`"),
            ("d", "the `{{` at character 1 has no `}}`"),
            ("e", "the `{{` at character 1 has no expression"),
            ("f", "1000 are allowed"),
        ];
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, (path, message)) in problems.iter().zip(expected) {
            assert_eq!(problem.path.to_string(), path, "{problem:?}");
            assert!(problem.message.contains(message), "{problem:?}");
        }
    }

    #[test]
    fn the_forms_of_a_template() {
        let expression = |text: &str| Expression::parse(text).unwrap();
        let value = json!({"a": "x {{ a.b }}", "b": ["{{ c }}", [1, "y"]], "c": {"d": "z"}});
        let template = Template::parse(&value).unwrap();
        let text = vec![
            TextPart::Own("x ".to_owned()),
            TextPart::Inserted(expression("a.b")),
        ];
        let list = vec![
            Template::Whole(expression("c")),
            Template::Literal(json!([1, "y"])),
        ];
        let members = [
            ("a".to_owned(), Template::Text(text)),
            ("b".to_owned(), Template::List(list)),
            ("c".to_owned(), Template::Literal(json!({"d": "z"}))),
        ];
        assert_eq!(template, Template::Object(members.into()));
        assert!(!template.is_literal());
        let found = template.expressions();
        let found: Vec<_> = found
            .iter()
            .map(|(at, it)| (at.to_string(), it.text()))
            .collect();
        assert_eq!(found, [("a".to_owned(), "a.b"), ("b[0]".to_owned(), "c")]);
    }

    #[test]
    fn an_expression_without_a_value_is_named() {
        let input = json!({});
        let value = json!(["{{ 1 }}", "for {{ input.title }}"]);
        assert_eq!(
            render(&value, &[("input", &input)]),
            Err("`{{ input.title }}` has no value: No such key: title".to_owned())
        );
    }

    #[test]
    fn what_is_rendered_is_bounded() {
        let input = json!("x".repeat(RENDERED_TEXT_BYTES_MAX));
        let variables = [("input", &input)];
        assert_eq!(render(&json!("{{ input }}"), &variables), Ok(input.clone()));
        for text in [
            "{{ input }}.",
            "{{ input + '.' }}",
            "{{ [input] }}",
            "{{ input }}{{ input }}",
        ] {
            let reason = render(&json!(text), &variables).unwrap_err();
            assert!(reason.contains("1048576 are allowed"), "{reason}");
        }
        let parts = Template::parse(&json!(["{{ input }}"])).unwrap();
        assert!(render_parts(&parts, &variables).is_err());

        let nested = |levels: usize| (0..levels).fold(json!("{{ a }}"), |it, _| json!([it]));
        let a = (0..40).fold(json!(1), |it, _| json!([it]));
        assert!(render(&nested(24), &[("a", &a)]).is_ok());
        let reason = render(&nested(25), &[("a", &a)]).unwrap_err();
        assert!(reason.contains("deeper than 64 levels"), "{reason}");
    }

    #[test]
    fn own_words_and_inserted_values_stay_apart() {
        let input = json!({"title": "Tea {{ x }}", "tags": ["a"]});
        let cases: [(Value, &[(&str, bool)]); 8] = [
            (json!("plain"), &[("plain", false)]),
            (json!(""), &[("", false)]),
            (json!(7), &[("7", false)]),
            (json!("{{ input.title }}"), &[("Tea {{ x }}", true)]),
            (json!("{{ input.tags }}"), &[("[\"a\"]", true)]),
            (
                json!("For {{ input.title }}: {{ input.tags }}!"),
                &[
                    ("For ", false),
                    ("Tea {{ x }}", true),
                    (": ", false),
                    ("[\"a\"]", true),
                    ("!", false),
                ],
            ),
            (json!(["a", 1]), &[("[\"a\",1]", false)]),
            (json!(["{{ input.tags }}"]), &[("[[\"a\"]]", true)]),
        ];
        for (value, expected) in cases {
            let template = Template::parse(&value).unwrap();
            let parts = render_parts(&template, &[("input", &input)]).unwrap();
            let expected = expected.iter().map(|(text, is_inserted)| RenderedPart {
                text: (*text).to_owned(),
                is_inserted: *is_inserted,
            });
            assert_eq!(parts, expected.collect::<Vec<_>>(), "{value}");
        }
    }

    fn literals() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[a-z}{ '\"é]{0,12}".prop_map(|text| Value::from(text.replace("{{", "{"))),
        ];
        leaf.prop_recursive(4, 24, 6, |inner| {
            let members = prop::collection::btree_map("[a-z{}]{0,4}", inner.clone(), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(Value::from),
                members.prop_map(|it| Value::Object(it.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_rendered_literal_is_the_value_itself(value in literals()) {
            // Three marks in a row leave two, and two levels of JSON may begin together.
            let text = value.to_string();
            if !text.contains("{{") {
                let template = Template::parse(&value).unwrap();
                assert_eq!(template, Template::Literal(value.clone()));
                assert!(template.expressions().is_empty());
                assert_eq!(template.render(&[]), Ok(value));
            }
        }

        #[test]
        fn own_and_inserted_parts_make_up_the_rendered_text(
            words in prop::collection::vec("[a-z \n}é]{0,6}", 1..6),
            inserted in any::<String>(),
        ) {
            let text = words.join("{{ a }}");
            let a = Value::from(inserted.clone());
            let template = Template::parse(&Value::from(text)).unwrap();
            let parts = render_parts(&template, &[("a", &a)]).unwrap();
            let joined: String = parts.iter().map(|part| part.text.as_str()).collect();
            assert_eq!(joined, words.join(&inserted));
            assert_eq!(template.render(&[("a", &a)]), Ok(Value::from(joined)));
            assert_eq!(parts.iter().filter(|it| it.is_inserted).count(), words.len() - 1);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[{}a'\"r\\\\ é\n]{0,30}") {
            if let Ok(template) = Template::parse(&Value::from(text)) {
                drop(template.render(&[]));
            }
        }
    }
}
