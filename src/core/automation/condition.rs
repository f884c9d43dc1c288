//! The condition of a rule: an expression over the event that the rule listens to.
//! It sees only the event, so equal events give equal answers.

use crate::core::predicate::Expression;
use serde_json::Value;
use std::fmt;

/// The only variable of an expression.
const EVENT: &str = "event";

/// The condition under which a rule holds for an event.
#[derive(Clone, Default)]
pub struct Condition {
    /// The expression; `None` always holds.
    expression: Option<Expression>,
}

impl Condition {
    /// Parses an expression, and evaluates it on a sample event.
    /// That finds a misspelt name, or a result that is not true or false.
    ///
    /// # Errors
    /// A message for a person.
    /// If the expression cannot be parsed, it shows the place.
    pub fn parse(text: &str, sample: &Value) -> Result<Self, String> {
        let condition = Self {
            expression: Some(Expression::parse(text)?),
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
        let expression = self.expression.as_ref();
        expression.map_or(Ok(true), |it| it.holds(&[(EVENT, event)]))
    }

    /// Returns the text of the expression; `None` if the rule always holds.
    pub fn text(&self) -> Option<&str> {
        self.expression.as_ref().map(Expression::text)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Condition").field(&self.text()).finish()
    }
}
