//! Expressions of CEL, the Common Expression Language, over named variables.
//! They see only the variables, so equal values give equal answers. Their loops only go over lists
//! of the variables, so they always end. No other module uses the `cel` crate.

use crate::core::guard::depth_of;
use crate::core::prompt::shorten;
use crate::limits::{
    CONDITION_CHARS_MAX, CONDITION_DEPTH_MAX, CONDITION_ERROR_CHARS_MAX, CONDITION_STACK_BYTES,
    JSON_DEPTH_MAX,
};
use crate::stack::with_stack;
use cel::common::ast::operators::{ADD, INDEX, OPT_INDEX, OPT_SELECT};
use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedExpr, LiteralValue};
use cel::objects::{Key, Map as CelMap};
use cel::{Context, Env, Program, Value as CelValue};
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The functions that stand in the namespace `optional`, which is no variable then.
const OPTIONAL_FUNCTIONS: [&str; 3] = ["none", "of", "ofNonZeroValue"];

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// The values of the variables of an expression.
/// A whole number of JSON is an `int` of CEL, so that `n + 1` adds; one beyond that is a `uint`.
pub type Variables<'a> = [(&'a str, &'a Value)];

/// An expression of CEL, the Common Expression Language, over named variables.
#[derive(Clone)]
pub struct Expression {
    parsed: Arc<ParsedExpression>,
}

struct ParsedExpression {
    text: String,
    program: Program,
}

impl Expression {
    /// Parses an expression.
    /// The crate parses by recursion, so the parser gets a stack that the longest text does not
    /// fill. The depth of the result is bounded, so that any thread can evaluate and drop it.
    ///
    /// # Errors
    /// A message for a person.
    /// If the expression cannot be parsed, it shows the place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let characters = text.chars().count();
        if characters > CONDITION_CHARS_MAX {
            return Err(format!(
                "it has {characters} characters; {CONDITION_CHARS_MAX} are allowed"
            ));
        }
        let read = || {
            // The first error tells the line, with a mark under the place.
            let first = |errors: cel::ParseErrors| {
                let first = errors.errors.first();
                let text = first.map(|error| short(&error.to_string()));
                text.unwrap_or_else(|| "it cannot be read".to_owned())
            };
            let program = ENVIRONMENT.compile(text).map_err(first)?;
            fault_of(&program).map_or(Ok(program), Err)
        };
        let program = with_stack(CONDITION_STACK_BYTES, read)
            .ok_or_else(|| "there is no room to read it".to_owned())??;
        let text = text.to_owned();
        Ok(Self {
            parsed: Arc::new(ParsedExpression { text, program }),
        })
    }

    /// Returns the result as JSON.
    ///
    /// # Errors
    /// The reason why there is no result, such as a member that a variable does not have.
    /// A result that JSON does not have is an error too, and one that is nested too deep to be
    /// kept.
    pub fn value(&self, variables: &Variables<'_>) -> Result<Value, String> {
        let value = json_of(&self.answer(variables)?)?;
        if depth_of(&value) > JSON_DEPTH_MAX {
            return Err(format!(
                "it gives a value that is nested deeper than {JSON_DEPTH_MAX} levels"
            ));
        }
        Ok(value)
    }

    /// Returns whether the result is true.
    ///
    /// # Errors
    /// The reason why there is no result, or that it is not true or false.
    pub fn holds(&self, variables: &Variables<'_>) -> Result<bool, String> {
        let answer = self.answer(variables)?;
        let CelValue::Bool(holds) = answer else {
            return Err(format!(
                "it gives {}, where true or false is wanted",
                answer.type_of()
            ));
        };
        Ok(holds)
    }

    /// Returns the text of the expression.
    pub fn text(&self) -> &str {
        &self.parsed.text
    }

    /// Returns the chains of members that the expression reads from variables, sorted.
    /// `steps.draft.output` is `["steps", "draft", "output"]`, and so is `steps["draft"].output`.
    /// A chain ends before any other index. The names that loops bind are left out.
    pub fn references(&self) -> Vec<Vec<String>> {
        let (mut chains, mut inner_ids) = (BTreeSet::new(), BTreeSet::new());
        let look = |it: &IdedExpr, place: LoopPosition<'_>, _| -> Option<()> {
            inner_ids.extend(optional_namespace(it));
            // The outer parts of a chain come first.
            if inner_ids.contains(&it.id) {
                return None;
            }
            let chain = chain_of(it)?;
            inner_ids.extend(chain.inner_ids);
            let (variable, members) = chain.names.split_first()?;
            if place.binds(variable) || members.is_empty() && is_type(it) {
                return None;
            }
            // A dot before a variable says only that it is none of a loop.
            let variable = variable.trim_start_matches('.');
            let names = std::iter::once(variable).chain(members.iter().copied());
            chains.insert(names.map(str::to_owned).collect());
            None
        };
        walk(self.parsed.program.expression(), look);
        chains.into_iter().collect()
    }

    fn answer(&self, variables: &Variables<'_>) -> Result<CelValue, String> {
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        for (name, value) in variables {
            context.add_variable_from_value(*name, cel_of(value));
        }
        let program = &self.parsed.program;
        let ordered = |it, _, _| is_over_map(it, &context).then_some(());
        if walk(program.expression(), ordered).is_some() {
            return Err("it goes through a map, whose members have no order".to_owned());
        }
        program
            .execute(&context)
            .map_err(|error| short(&error.to_string()))
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.text()).finish()
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Expression {}

/// Returns a JSON value as one of CEL.
/// The recursion is as deep as the value, which has at most 128 levels.
fn cel_of(value: &Value) -> CelValue {
    match value {
        Value::Null => CelValue::Null,
        Value::Bool(it) => CelValue::Bool(*it),
        Value::Number(it) => match (it.as_i64(), it.as_u64()) {
            (Some(whole), _) => CelValue::Int(whole),
            (None, Some(large)) => CelValue::UInt(large),
            (None, None) => CelValue::Float(it.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(it) => CelValue::String(Arc::new(it.clone())),
        Value::Array(items) => CelValue::List(Arc::new(items.iter().map(cel_of).collect())),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(key, it)| (Key::String(Arc::new(key.clone())), cel_of(it)));
            CelValue::Map(CelMap {
                map: Arc::new(members.collect()),
            })
        }
    }
}

/// Returns a result as JSON.
/// The recursion is as deep as the values of the variables and the expression together.
fn json_of(value: &CelValue) -> Result<Value, String> {
    match value {
        CelValue::Null => Ok(Value::Null),
        CelValue::Bool(it) => Ok(Value::from(*it)),
        CelValue::Int(it) => Ok(Value::from(*it)),
        CelValue::UInt(it) => Ok(Value::from(*it)),
        CelValue::Float(it) => Number::from_f64(*it)
            .map(Value::Number)
            .ok_or_else(|| format!("it gives {it}, which is no number of JSON")),
        CelValue::String(it) => Ok(Value::from(it.as_str())),
        CelValue::List(items) => {
            let items: Result<_, _> = items.iter().map(json_of).collect();
            items.map(Value::Array)
        }
        CelValue::Map(map) => object_of(map).map(Value::Object),
        CelValue::Function(..) | CelValue::Bytes(_) | CelValue::Opaque(_) | CelValue::Struct(_) => {
            Err(format!(
                "it gives {}, which JSON does not have",
                value.type_of()
            ))
        }
    }
}

fn object_of(map: &CelMap) -> Result<Map<String, Value>, String> {
    // The map has no order of its own, and the first error must not depend on chance.
    let mut members = BTreeMap::new();
    for (key, value) in map.map.iter() {
        let Key::String(key) = key else {
            return Err("it gives a map with a key that is no text".to_owned());
        };
        members.insert(key.as_str(), value);
    }
    let members = members.into_iter();
    members
        .map(|(key, value)| Ok((key.to_owned(), json_of(value)?)))
        .collect()
}

/// Returns the fault of an expression that could be parsed, and its place.
/// The depth is that of the parsed expression, not of the text: no quotation mark, comment or
/// repaired mistake hides anything.
fn fault_of(program: &Program) -> Option<String> {
    let mut depth_max = 0;
    let fault = walk(program.expression(), |it, place, depth| {
        depth_max = depth_max.max(depth);
        fault_of_loops(it, place)
    });
    if depth_max > CONDITION_DEPTH_MAX {
        return Some(format!(
            "more than {CONDITION_DEPTH_MAX} of its parts hang on each other, as in `1 + 1 + 1` or \
             `a.b[0][0]`; `&&`, `||` and `,` begin a new row"
        ));
    }
    let (id, fault) = fault?;
    let at = program.source_info().offset_for(id);
    let place = at.map_or_else(String::new, |(line, column)| {
        format!(" (line {line}, column {column})")
    });
    Some(format!("{fault}{place}"))
}

fn short(text: &str) -> String {
    shorten(text, CONDITION_ERROR_CHARS_MAX)
}

/// The place of a part of an expression.
#[derive(Clone, Copy)]
enum LoopPosition<'a> {
    /// A place that is evaluated once.
    Once,
    /// The range of a loop.
    Range,
    /// A place that is evaluated for each member of this loop.
    Each(&'a ComprehensionExpr),
}

impl LoopPosition<'_> {
    /// Returns whether a name stands for what a loop binds here, and not for a variable.
    fn binds(self, name: &str) -> bool {
        match self {
            LoopPosition::Once | LoopPosition::Range => false,
            LoopPosition::Each(it) => {
                it.iter_var == name || it.iter_var2.as_deref() == Some(name) || it.accu_var == name
            }
        }
    }
}

/// Returns the fault of a loop or of a call inside one.
/// Nested loops multiply the work that an event can cause, and a value that is built in a loop
/// grows with the event.
fn fault_of_loops(it: &IdedExpr, place: LoopPosition<'_>) -> Option<(u64, &'static str)> {
    let fault = match (&it.expr, place) {
        (Expr::Comprehension(_), LoopPosition::Range | LoopPosition::Each(_)) => {
            "one of `all exists exists_one filter` stands inside another; that could take for ever"
        }
        (Expr::Call(call), LoopPosition::Each(it))
            if call.func_name == ADD && !keeps_as_it_is(call, &it.iter_var) =>
        {
            "`map` and `+` cannot make anything out of the members of a list"
        }
        _ => return None,
    };
    Some((it.id, fault))
}

/// Returns whether a call is how a loop keeps or counts members.
/// A person cannot write the name of its accumulator.
fn keeps_as_it_is(call: &CallExpr, member: &str) -> bool {
    let [so_far, more] = &*call.args else {
        return false;
    };
    let is_member = |it: &IdedExpr| matches!(&it.expr, Expr::Ident(name) if name == member);
    let is_more = matches!(&more.expr, Expr::Literal(_))
        || matches!(&more.expr, Expr::List(list) if list.elements.iter().all(is_member));
    is_more && matches!(&so_far.expr, Expr::Ident(name) if name.starts_with('@'))
}

/// Returns whether a loop goes over a map, whose members have no order.
fn is_over_map(it: &IdedExpr, context: &Context<'_, '_>) -> bool {
    let Expr::Comprehension(it) = &it.expr else {
        return false;
    };
    // A range with an error gives no answer anyway, unless it is never evaluated.
    matches!(context.resolve(&it.iter_range), Ok(CelValue::Map(_)))
}

/// Calls `look` for each part of an expression with its depth, and returns the first result.
fn walk<'a, T>(
    expression: &'a IdedExpr,
    mut look: impl FnMut(&'a IdedExpr, LoopPosition<'a>, usize) -> Option<T>,
) -> Option<T> {
    let (mut left, mut first) = (vec![(expression, LoopPosition::Once, 1)], None);
    while let Some((expression, place, depth)) = left.pop() {
        let found = look(expression, place, depth);
        first = first.or(found);
        let below = depth + 1;
        let mut inner = |it| left.push((it, place, below));
        match &expression.expr {
            Expr::Comprehension(it) => {
                let each = LoopPosition::Each(it);
                left.push((&it.iter_range, LoopPosition::Range, below));
                left.push((&it.accu_init, place, below));
                left.extend([&it.loop_cond, &it.loop_step, &it.result].map(|it| (it, each, below)));
            }
            Expr::Call(call) => {
                call.target.as_deref().into_iter().for_each(&mut inner);
                call.args.iter().for_each(inner);
            }
            Expr::List(list) => list.elements.iter().for_each(inner),
            Expr::Select(select) => inner(&select.operand),
            Expr::Map(map) => {
                for entry in &map.entries {
                    entry_parts(&entry.expr, &mut inner);
                }
            }
            Expr::Struct(it) => {
                for entry in &it.entries {
                    entry_parts(&entry.expr, &mut inner);
                }
            }
            Expr::Unspecified | Expr::Ident(_) | Expr::Literal(_) => {}
        }
    }
    first
}

fn entry_parts<'a>(entry: &'a EntryExpr, inner: &mut impl FnMut(&'a IdedExpr)) {
    match entry {
        EntryExpr::StructField(field) => inner(&field.value),
        EntryExpr::MapEntry(entry) => {
            inner(&entry.key);
            inner(&entry.value);
        }
    }
}

/// Members that are read one after the other.
struct MemberChain<'a> {
    /// The variable, as it is written, and the members.
    names: Vec<&'a str>,
    /// The parts of the expression inside its outermost one.
    inner_ids: Vec<u64>,
}

/// Returns the chain of members that a part of an expression reads; `None` if it is no chain.
fn chain_of(expression: &IdedExpr) -> Option<MemberChain<'_>> {
    let (mut names, mut inner_ids, mut it) = (Vec::new(), Vec::new(), expression);
    loop {
        let (outer, member) = match &it.expr {
            Expr::Ident(name) => {
                names.push(name.as_str());
                names.reverse();
                return Some(MemberChain { names, inner_ids });
            }
            Expr::Select(select) => (&*select.operand, select.field.as_str()),
            Expr::Call(call) => indexed_member(call)?,
            Expr::Unspecified
            | Expr::Comprehension(_)
            | Expr::List(_)
            | Expr::Literal(_)
            | Expr::Map(_)
            | Expr::Struct(_) => return None,
        };
        names.push(member);
        inner_ids.push(outer.id);
        it = outer;
    }
}

/// Returns the member that an index with a constant text reads, and from what.
fn indexed_member(call: &CallExpr) -> Option<(&IdedExpr, &str)> {
    let [outer, index] = &*call.args else {
        return None;
    };
    let Expr::Literal(LiteralValue::String(member)) = &index.expr else {
        return None;
    };
    let is_index = [INDEX, OPT_INDEX, OPT_SELECT].contains(&call.func_name.as_str());
    is_index.then(|| (outer, member.inner()))
}

/// Returns the part of a call such as `optional.of(1)` that looks like a variable.
fn optional_namespace(it: &IdedExpr) -> Option<u64> {
    let Expr::Call(call) = &it.expr else {
        return None;
    };
    let target = call.target.as_deref()?;
    let is_namespace = matches!(&target.expr, Expr::Ident(name) if name == "optional");
    let is_known = OPTIONAL_FUNCTIONS.contains(&call.func_name.as_str());
    (is_namespace && is_known).then_some(target.id)
}

/// Returns whether a name is that of a type, such as `int`.
fn is_type(it: &IdedExpr) -> bool {
    let context = Context::with_env(Arc::clone(&ENVIRONMENT));
    CelValue::resolve_val(it, &context).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Expression, Variables};
    use crate::limits::JSON_DEPTH_MAX;
    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
    use serde_json::{Value, json};

    fn value(text: &str, variables: &Variables<'_>) -> Result<Value, String> {
        Expression::parse(text)?.value(variables)
    }

    /// A value that is nested as deep as `levels`.
    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::from(1), |inner, _| json!([inner]))
    }

    #[test]
    fn a_result_is_given_as_json() {
        let steps = json!({
            "draft": {"output": {"title": "Tea", "minutes": 3, "below": -3, "tags": ["a", "b"]}},
            "odd-name": {"output": null},
        });
        let settings = json!({"limit": 2.5, "is_on": true});
        let cases = [
            ("steps.draft.output.title", json!("Tea")),
            ("steps['draft'].output.tags[1]", json!("b")),
            ("steps.draft.output", steps["draft"]["output"].clone()),
            ("steps['odd-name'].output", Value::Null),
            ("settings.limit * 2.0", json!(5.0)),
            ("!settings.is_on", json!(false)),
            ("steps.draft.output.title + '!'", json!("Tea!")),
            ("steps.draft.output.minutes + 1", json!(4)),
            ("steps.draft.output.below + 1", json!(-2)),
            (
                "steps.draft.output.tags.filter(it, it != 'a')",
                json!(["b"]),
            ),
            ("size(steps.draft.output.tags)", json!(2)),
            (
                "{'title': steps.draft.output.title, 'inner': {'n': [1, 2u, 3.5, null]}}",
                json!({"title": "Tea", "inner": {"n": [1, 2, 3.5, null]}}),
            ),
            ("steps.?review.output.orValue('none')", json!("none")),
            (
                "has(steps.review) ? 1 : 18446744073709551615u",
                json!(u64::MAX),
            ),
        ];
        let variables = [("steps", &steps), ("settings", &settings)];
        for (text, expected) in cases {
            assert_eq!(value(text, &variables), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        let input = json!({"n": 3, "text": "a", "map": {"a": 1}});
        let cases = [
            ("b'abc'", "bytes, which JSON does not have"),
            ("[1, b'abc']", "bytes, which JSON does not have"),
            ("0.0 / 0.0", "NaN, which is no number of JSON"),
            ("{'a': 1.0 / 0.0}", "inf, which is no number of JSON"),
            ("{1: 'a'}", "a key that is no text"),
            ("optional.of(1)", "opaque, which JSON does not have"),
            ("input.absent", "No such key: absent"),
            ("inputs.n", "inputs"),
            ("input.n + 1u", "add"),
            ("input.map.all(it, it != '')", "no order"),
        ];
        for (text, expected) in cases {
            let reason = value(text, &[("input", &input)]).unwrap_err();
            assert!(reason.contains(expected), "{text}: {reason}");
        }
    }

    #[test]
    fn the_first_of_several_errors_is_always_the_same() {
        let text = "{'b': b'x', 'a': 0.0 / 0.0, 'c': b'x', 'd': b'x', 'e': b'x'}";
        for _ in 0..50 {
            assert!(value(text, &[]).unwrap_err().contains("NaN"));
        }
    }

    #[test]
    fn an_expression_holds_if_it_gives_true() {
        let n = json!(3);
        let holds = |text: &str| Expression::parse(text)?.holds(&[("n", &n)]);
        assert_eq!(holds("n > 2"), Ok(true));
        assert_eq!(holds("n > 3"), Ok(false));
        let reason = holds("n").unwrap_err();
        assert_eq!(reason, "it gives int, where true or false is wanted");
    }

    #[test]
    fn what_an_expression_reads_is_known_before_it_is_evaluated() {
        let cases: [(&str, &[&str]); 20] = [
            ("1 + 2", &[]),
            ("steps.draft.output", &["steps/draft/output"]),
            (
                "steps['draft'].output + steps.draft[\"output\"]",
                &["steps/draft/output"],
            ),
            (
                "steps.b.output + steps.a.output + steps.b",
                &["steps/a/output", "steps/b", "steps/b/output"],
            ),
            (
                "steps.draft.output.items[0].name",
                &["steps/draft/output/items"],
            ),
            ("steps[input.key].output", &["input/key", "steps"]),
            (
                "steps.?draft[?'output'].orValue('')",
                &["steps/draft/output"],
            ),
            ("has(input.title) ? input.title : ''", &["input/title"]),
            (
                "input.title.size() > size(input.text)",
                &["input/text", "input/title"],
            ),
            (
                "input.items.all(x, x.title != input.title)",
                &["input/items", "input/title"],
            ),
            (
                "input.items.filter(x, x > 1) == x.y",
                &["input/items", "x/y"],
            ),
            ("x.all(x, x.a == .x.b)", &["x", "x/b"]),
            ("[1].exists_one(it, it == n)", &["n"]),
            ("input.map(it, it)", &["input"]),
            ("o.optMap(v, v.name == w.name)", &["o", "w/name"]),
            ("{'a': a.b, c: [d]}", &["a/b", "c", "d"]),
            ("optional.of(a).orValue(b)", &["a", "b"]),
            ("optional.name", &["optional/name"]),
            ("type(a) == int && int(b) > 1", &["a", "b"]),
            ("event['a b']['c']", &["event/a b/c"]),
        ];
        for (text, expected) in cases {
            let expression = Expression::parse(text).unwrap();
            let chains = expression.references();
            let chains: Vec<String> = chains.iter().map(|names| names.join("/")).collect();
            assert_eq!(chains, expected, "{text}");
        }
    }

    #[test]
    fn the_limits_of_conditions_hold() {
        let long = format!("{}1", "1 + ".repeat(300));
        let deep = format!("{}1", "1+".repeat(30));
        let cases = [
            (long.as_str(), "1000 are allowed"),
            (&deep, "hang on each other"),
            ("a.all(x, b.all(y, x == y))", "inside another"),
            ("a.map(x, x + x)", "`map` and `+`"),
            ("a +", "Syntax error"),
        ];
        for (text, expected) in cases {
            let reason = Expression::parse(text).unwrap_err();
            assert!(reason.contains(expected), "{text}: {reason}");
        }
    }

    #[test]
    fn equal_texts_are_equal_expressions() {
        let one = Expression::parse("a.b").unwrap();
        assert_eq!(one, Expression::parse("a.b").unwrap());
        assert_eq!(one, one.clone());
        assert_ne!(one, Expression::parse("a . b").unwrap());
        assert_eq!(format!("{one:?}"), "Expression(\"a.b\")");
    }

    /// On a stack that is smaller than any thread of the program has: an overflow would end the
    /// test.
    #[test]
    fn deep_values_need_no_more_stack_than_there_is() {
        let text = format!("{}a{}", "[".repeat(20), "]".repeat(20));
        let work = move || {
            let refused = "it gives a value that is nested deeper than 64 levels";
            let allowed = nested(JSON_DEPTH_MAX);
            assert_eq!(value("a", &[("a", &allowed)]), Ok(allowed));
            for levels in [JSON_DEPTH_MAX + 1, 127] {
                for text in ["a", &text] {
                    let deep = nested(levels);
                    assert_eq!(value(text, &[("a", &deep)]), Err(refused.to_owned()));
                }
            }
            let deep = nested(127);
            assert_eq!(value("a == a", &[("a", &deep)]), Ok(json!(true)));
        };
        let thread = std::thread::Builder::new().stack_size(1536 * 1024);
        thread.spawn(work).unwrap().join().unwrap();
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 6, |inner| {
            let members = prop::collection::btree_map(any::<String>(), inner.clone(), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(Value::from),
                members.prop_map(|it| Value::Object(it.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_variable_gives_its_own_value(given in any_json()) {
            assert_eq!(value("given", &[("given", &given)]), Ok(given.clone()));
            let boxed = json!({"inner": [given]});
            assert_eq!(value("boxed.inner[0]", &[("boxed", &boxed)]), Ok(given));
        }
    }
}
