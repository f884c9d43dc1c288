//! The condition of a rule: an expression of CEL, the Common Expression Language.
//! It sees only the event, so equal events give equal answers. Its loops only go over lists of the
//! event, so it always ends. No other module uses the `cel` crate.

use crate::core::prompt::shorten;
use crate::limits::{
    CONDITION_CHARS_MAX, CONDITION_DEPTH_MAX, CONDITION_ERROR_CHARS_MAX, CONDITION_STACK_BYTES,
};
use crate::stack::with_stack;
use cel::common::ast::operators::ADD;
use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr};
use cel::{Context, Env, Program, Value as CelValue};
use serde_json::Value;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The only variable of an expression.
const EVENT: &str = "event";

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// The condition under which a rule holds for an event.
#[derive(Clone, Default)]
pub struct Condition {
    /// The expression; `None` always holds.
    expression: Option<Arc<Expression>>,
}

struct Expression {
    text: String,
    program: Program,
}

impl Condition {
    /// Parses an expression, and evaluates it on a sample event.
    /// That finds a misspelt name, or a result that is not true or false. The crate parses by
    /// recursion, so the parser gets a stack that the longest text does not fill. The depth of the
    /// result is bounded, so that any thread can evaluate and drop it.
    ///
    /// # Errors
    /// A message for a person.
    /// If the expression cannot be parsed, it shows the place.
    pub fn parse(text: &str, sample: &Value) -> Result<Self, String> {
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
        let condition = Self {
            expression: Some(Arc::new(Expression {
                text: text.to_owned(),
                program,
            })),
        };
        condition.holds(sample)?;
        Ok(condition)
    }

    /// Returns whether the rule holds for an event.
    ///
    /// # Errors
    /// The reason why there is no answer, such as a field that this event does not have.
    /// The rule then does not hold.
    pub fn holds(&self, event: &Value) -> Result<bool, String> {
        let Some(expression) = &self.expression else {
            return Ok(true);
        };
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        context
            .add_variable(EVENT, event)
            .map_err(|error| short(&error.to_string()))?;
        let ordered = |it, _, _| is_over_map(it, &context).then_some(());
        if walk(expression.program.expression(), ordered).is_some() {
            return Err("it goes through a map, whose members have no order".to_owned());
        }
        match expression.program.execute(&context) {
            Ok(CelValue::Bool(holds)) => Ok(holds),
            Ok(other) => Err(format!(
                "it gives {}, where true or false is wanted",
                other.type_of()
            )),
            Err(error) => Err(short(&error.to_string())),
        }
    }

    /// Returns the text of the expression; `None` if the rule always holds.
    pub fn text(&self) -> Option<&str> {
        self.expression.as_ref().map(|it| it.text.as_str())
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Condition").field(&self.text()).finish()
    }
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
    /// A place that is evaluated for each member, which has this name.
    Each(&'a str),
}

/// Returns the fault of a loop or of a call inside one.
/// Nested loops multiply the work that an event can cause, and a value that is built in a loop
/// grows with the event.
fn fault_of_loops(it: &IdedExpr, place: LoopPosition<'_>) -> Option<(u64, &'static str)> {
    let fault = match (&it.expr, place) {
        (Expr::Comprehension(_), LoopPosition::Range | LoopPosition::Each(_)) => {
            "one of `all exists exists_one filter` stands inside another; that could take for ever"
        }
        (Expr::Call(call), LoopPosition::Each(member))
            if call.func_name == ADD && !keeps_as_it_is(call, member) =>
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
                let each = LoopPosition::Each(&it.iter_var);
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
