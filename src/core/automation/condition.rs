//! The condition of a rule: an expression of CEL, the Common Expression Language, over the event. It
//! sees nothing but the event, so the same event always gets the same answer; it has no loops but over
//! the event's own lists, so it always ends. The only place that knows the `cel` crate.

use crate::core::prompt::shorten;
use crate::limits::{CONDITION_CHARS_MAX, CONDITION_ERROR_CHARS_MAX, CONDITION_NESTING_MAX};
use cel::common::ast::{EntryExpr, Expr, IdedExpr};
use cel::{Context, Env, Program, Value as CelValue};
use serde_json::Value;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The one name that an expression may ask for.
const EVENT: &str = "event";

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// Whether a rule holds for an event.
#[derive(Clone, Default)]
pub struct Condition {
    /// None holds always.
    expression: Option<Arc<Expression>>,
}

struct Expression {
    text: String,
    program: Program,
}

impl Condition {
    /// Reads an expression, and tries it on an event of the kind that it will see: a misspelt
    /// name or a number where yes or no is wanted is found here.
    ///
    /// # Errors
    /// What is wrong, in words for a person; with the place under a line of the expression where it
    /// cannot be read.
    pub fn parse(text: &str, sample: &Value) -> Result<Self, String> {
        let characters = text.chars().count();
        if characters > CONDITION_CHARS_MAX {
            return Err(format!(
                "it has {characters} characters; {CONDITION_CHARS_MAX} are allowed"
            ));
        }
        if nesting(text) > CONDITION_NESTING_MAX {
            return Err(format!(
                "its brackets are nested deeper than {CONDITION_NESTING_MAX}"
            ));
        }
        let program = ENVIRONMENT.compile(text).map_err(|errors| told(&errors))?;
        if let Some(deep) = loop_in_loop(program.expression()) {
            let at = program.source_info().offset_for(deep);
            let place = at.map_or_else(String::new, |(line, column)| {
                format!(" (line {line}, column {column})")
            });
            return Err(format!(
                "one of `all exists exists_one filter map` stands inside another{place}; that could \
                 take for ever"
            ));
        }
        let condition = Self {
            expression: Some(Arc::new(Expression {
                text: text.to_owned(),
                program,
            })),
        };
        condition.holds(sample)?;
        Ok(condition)
    }

    /// Whether the rule holds for an event.
    ///
    /// # Errors
    /// Why there is no answer, such as a field that this event does not have. The rule does not
    /// hold then.
    pub fn holds(&self, event: &Value) -> Result<bool, String> {
        let Some(expression) = &self.expression else {
            return Ok(true);
        };
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        context
            .add_variable(EVENT, event)
            .map_err(|error| short(&error.to_string()))?;
        match expression.program.execute(&context) {
            Ok(CelValue::Bool(holds)) => Ok(holds),
            Ok(other) => Err(format!(
                "it gives {}, where true or false is wanted",
                other.type_of()
            )),
            Err(error) => Err(short(&error.to_string())),
        }
    }

    /// The expression; none where the rule always holds.
    pub fn text(&self) -> Option<&str> {
        self.expression.as_ref().map(|it| it.text.as_str())
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Condition").field(&self.text()).finish()
    }
}

/// How deep brackets are nested: the crate reads them by recursion, so this is found out before. Those
/// inside of texts count too; nobody needs as many.
fn nesting(text: &str) -> usize {
    let depths = text.chars().scan(0_usize, |open, character| {
        match character {
            '(' | '[' | '{' => *open += 1,
            ')' | ']' | '}' => *open = open.saturating_sub(1),
            _ => {}
        }
        Some(*open)
    });
    depths.max().unwrap_or_default()
}

/// The first thing that cannot be read, with the line and a mark under the place.
fn told(errors: &cel::ParseErrors) -> String {
    errors.errors.first().map_or_else(
        || "it cannot be read".to_owned(),
        |error| short(&error.to_string()),
    )
}

fn short(text: &str) -> String {
    shorten(text, CONDITION_ERROR_CHARS_MAX)
}

/// The first loop over a list that stands inside another; two would multiply the work that an event
/// can cause.
fn loop_in_loop(expression: &IdedExpr) -> Option<u64> {
    let mut left = vec![(expression, false)];
    while let Some((expression, is_inside)) = left.pop() {
        let mut inner = |it| left.push((it, is_inside));
        match &expression.expr {
            Expr::Comprehension(_) if is_inside => return Some(expression.id),
            Expr::Comprehension(it) => {
                // What it runs over is worked out once; the rest for each member.
                inner(&it.iter_range);
                inner(&it.accu_init);
                let each = [&it.loop_cond, &it.loop_step, &it.result];
                left.extend(each.map(|it| (it, true)));
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
    None
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
