//! The condition of a rule: an expression of CEL, the Common Expression Language, over the event. It
//! sees nothing but the event, so the same event always gets the same answer; it has no loops but over
//! the event's own lists, so it always ends. The only place that knows the `cel` crate.

use crate::core::prompt::shorten;
use crate::limits::{
    CONDITION_CHARS_MAX, CONDITION_ERROR_CHARS_MAX, CONDITION_NESTING_MAX, CONDITION_TERMS_MAX,
};
use cel::common::ast::operators::ADD;
use cel::common::ast::{CallExpr, EntryExpr, Expr, IdedExpr};
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
        if terms(text) > CONDITION_TERMS_MAX {
            return Err(format!(
                "more than {CONDITION_TERMS_MAX} terms stand in one chain; `&&`, `||` and `,` begin \
                 a new one"
            ));
        }
        let program = ENVIRONMENT.compile(text).map_err(|errors| told(&errors))?;
        if let Some((id, fault)) = walk(program.expression(), fault_of_loops) {
            let at = program.source_info().offset_for(id);
            let place = at.map_or_else(String::new, |(line, column)| {
                format!(" (line {line}, column {column})")
            });
            return Err(format!("{fault}{place}"));
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
        let ordered = |it, _| is_over_map(it, &context).then_some(());
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

/// How many terms hang on each other at most, as in `1 + 1 + 1` or `a[0][0]`: the crate reads and answers
/// them by recursion, so this is found out before.
fn terms(text: &str) -> usize {
    let (mut level, mut around) = (Level::default(), Vec::new());
    let (mut quote, mut before, mut word) = (None, ' ', String::new());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if let Some(mark) = quote {
            if character == '\\' {
                characters.next();
            } else if character == mark {
                quote = None;
            }
            continue;
        }
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
        } else {
            level.terms += usize::from(word == "in");
            word.clear();
        }
        match character {
            '\'' | '"' => quote = Some(character),
            '(' | '[' | '{' => {
                level.terms += 1;
                around.push(std::mem::take(&mut level));
            }
            ')' | ']' | '}' => {
                let within = level.longest();
                level = around.pop().unwrap_or_default();
                level.within = level.within.max(within);
            }
            '&' | '|' | '?' | ':' | ',' => {
                let done = level.longest();
                level = Level {
                    done,
                    ..Level::default()
                };
            }
            '+' | '-' | '*' | '/' | '%' | '<' | '>' => level.terms += 1,
            '=' if !matches!(before, '<' | '>' | '=') => level.terms += 1,
            _ => {}
        }
        before = character;
    }
    around.push(level);
    around.iter().map(Level::longest).sum()
}

/// A stretch of terms between two brackets.
#[derive(Default)]
struct Level {
    /// Those of the chain that is being read.
    terms: usize,
    /// The longest chain in brackets that is part of it.
    within: usize,
    /// The longest of the chains before it.
    done: usize,
}

impl Level {
    fn longest(&self) -> usize {
        self.done.max(self.terms + self.within)
    }
}

/// Where a part of an expression stands.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// Where it is worked out once.
    Once,
    /// In what a loop goes through.
    Range,
    /// In what is worked out for each member, under this name.
    Each(&'a str),
}

/// What is wrong with a loop: two of them multiply the work that an event can cause, and what is built in
/// one is as many times as large as the event.
fn fault_of_loops(it: &IdedExpr, place: Place<'_>) -> Option<(u64, &'static str)> {
    let fault = match (&it.expr, place) {
        (Expr::Comprehension(_), Place::Range | Place::Each(_)) => {
            "one of `all exists exists_one filter` stands inside another; that could take for ever"
        }
        (Expr::Call(call), Place::Each(member))
            if call.func_name == ADD && !keeps_as_it_is(call, member) =>
        {
            "`map` and `+` cannot make anything out of the members of a list"
        }
        _ => return None,
    };
    Some((it.id, fault))
}

/// Whether this is how a loop keeps members or counts them; a person cannot write its name for what it
/// has got so far.
fn keeps_as_it_is(call: &CallExpr, member: &str) -> bool {
    let [so_far, more] = &*call.args else {
        return false;
    };
    let is_member = |it: &IdedExpr| matches!(&it.expr, Expr::Ident(name) if name == member);
    let is_more = matches!(&more.expr, Expr::Literal(_))
        || matches!(&more.expr, Expr::List(list) if list.elements.iter().all(is_member));
    is_more && matches!(&so_far.expr, Expr::Ident(name) if name.starts_with('@'))
}

/// Whether a loop goes through a map, whose members come in any order.
fn is_over_map(it: &IdedExpr, context: &Context<'_, '_>) -> bool {
    let Expr::Comprehension(it) = &it.expr else {
        return false;
    };
    // With an error there is no answer anyway, unless it is not asked for.
    matches!(context.resolve(&it.iter_range), Ok(CelValue::Map(_)))
}

/// Looks at every part of an expression until one gives something.
fn walk<'a, T>(
    expression: &'a IdedExpr,
    mut look: impl FnMut(&'a IdedExpr, Place<'a>) -> Option<T>,
) -> Option<T> {
    let mut left = vec![(expression, Place::Once)];
    while let Some((expression, place)) = left.pop() {
        let found = look(expression, place);
        if found.is_some() {
            return found;
        }
        let mut inner = |it| left.push((it, place));
        match &expression.expr {
            Expr::Comprehension(it) => {
                let each = Place::Each(&it.iter_var);
                left.push((&it.iter_range, Place::Range));
                left.push((&it.accu_init, place));
                left.extend([&it.loop_cond, &it.loop_step, &it.result].map(|it| (it, each)));
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
