//! The values of a task set: names, texts and quantities, each refused with its place and what is due there.

use num_traits::Zero;

use super::diagnostic::Diagnostic;
use super::fields::Fields;
use super::labels::{LabelProblem, name_problem, text_problem};
use super::reader::{Found, Reader};
use super::tree::{Node, Value};
use isx_exact::quantity::{QuantityError, Rational, TimeUnit, parse_decimal, parse_rate, parse_time};

/// The least value a quantity may have.
#[derive(Clone, Copy)]
pub(super) enum Least {
    Zero,
    AboveZero,
}

impl Least {
    fn requirement(self) -> &'static str {
        match self {
            Least::Zero => "must be 0 or greater",
            Least::AboveZero => "must be greater than 0",
        }
    }
}

impl Reader<'_> {
    /// A WCET, period, deadline or saving; in cycles where there is a clock.
    pub(super) fn time(
        &mut self,
        fields: &Fields<'_>,
        node: &Node<'_>,
        key: &str,
        least: Least,
    ) -> Found<Rational> {
        let text = self.scalar(fields, node, key, "a time")?;
        let (value, unit) =
            parse_time(text).map_err(|error| self.quantity_error(fields, node, key, &error, least))?;
        self.at_least(fields, node, key, &value, least)?;
        self.units.note(unit, &node.bytes, key, fields.owner());
        Ok(match &self.clock {
            Some(hertz) if unit == TimeUnit::Seconds => value * hertz,
            _ => value,
        })
    }

    pub(super) fn area(&self, fields: &Fields<'_>) -> Found<Rational> {
        let node = fields.required(self.source, "area")?;
        let text = self.scalar(fields, node, "area", "a number")?;
        parse_decimal(text).map_err(|error| {
            let diagnostic = self.quantity_error(fields, node, "area", &error, Least::Zero);
            if text.contains(char::is_alphabetic) {
                diagnostic
                    .help("areas are plain numbers; name their unit once, as `area_unit` of the task set")
            } else {
                diagnostic
            }
        })
    }

    /// A `clock` or `fmax`, in hertz.
    pub(super) fn clock_rate(&self, fields: &Fields<'_>, node: &Node<'_>, key: &str) -> Found<Rational> {
        let text = self.scalar(fields, node, key, "a clock rate")?;
        let rate = parse_rate(text)
            .map_err(|error| self.quantity_error(fields, node, key, &error, Least::AboveZero))?;
        self.at_least(fields, node, key, &rate, Least::AboveZero)?;
        Ok(rate)
    }

    pub(super) fn at_least(
        &self,
        fields: &Fields<'_>,
        node: &Node<'_>,
        key: &str,
        value: &Rational,
        least: Least,
    ) -> Found<()> {
        if matches!(least, Least::Zero) || !value.is_zero() {
            return Ok(());
        }
        let message = format!("`{key}` of {} {}", fields.owner(), least.requirement());
        Err(Diagnostic::error(self.source, fields.place(node), message).label("this is 0"))
    }

    pub(super) fn quantity_error(
        &self,
        fields: &Fields<'_>,
        node: &Node<'_>,
        key: &str,
        error: &QuantityError,
        least: Least,
    ) -> Box<Diagnostic> {
        let message = format!("`{key}` of {}: {error}", fields.owner());
        let label = match error {
            QuantityError::Negative(_) | QuantityError::NotFinite(_) | QuantityError::Empty => {
                least.requirement()
            }
            QuantityError::Unit { .. } => "another unit is due here",
            QuantityError::NoUnit { .. } => "a number with its unit is due here",
            _ => "a plain decimal number is due here",
        };
        Diagnostic::error(self.source, fields.place(node), message).label(label)
    }

    /// The `name` of a task set, task or choice.
    pub(super) fn name(&self, fields: &Fields<'_>) -> Found<String> {
        let node = fields.required(self.source, "name")?;
        if node.is_null() {
            return Err(self.blank(fields, node, "name"));
        }
        self.label_text(fields, node, "name")
    }

    /// A text that is printed in tables and drawings.
    pub(super) fn label_text(&self, fields: &Fields<'_>, node: &Node<'_>, key: &str) -> Found<String> {
        let text = self.scalar(fields, node, key, "a text")?;
        self.refuse_text(fields, node, key, name_problem(text))?;
        Ok(text.to_owned())
    }

    /// A text of any number of lines; absent when the key is, or has no value.
    pub(super) fn free_text(&self, fields: &Fields<'_>, key: &str) -> Found<Option<String>> {
        let Some(node) = fields.get_filled(key) else { return Ok(None) };
        let text = self.scalar(fields, node, key, "a text")?;
        self.refuse_text(fields, node, key, text_problem(text))?;
        Ok(Some(text.to_owned()))
    }

    fn refuse_text(
        &self,
        fields: &Fields<'_>,
        node: &Node<'_>,
        key: &str,
        problem: Option<LabelProblem>,
    ) -> Found<()> {
        let label = match problem {
            None => return Ok(()),
            Some(LabelProblem::Empty) => return Err(self.blank(fields, node, key)),
            Some(LabelProblem::Control(_)) => "a control character is not allowed here",
            Some(LabelProblem::Bidirectional(_)) => "a bidirectional mark is not allowed here",
        };
        let problem = problem.map(|problem| problem.to_string()).unwrap_or_default();
        let message = format!("`{key}` of {} {problem}", fields.owner());
        Err(Diagnostic::error(self.source, fields.place(node), message).label(label))
    }

    pub(super) fn blank(&self, fields: &Fields<'_>, node: &Node<'_>, key: &str) -> Box<Diagnostic> {
        Diagnostic::error(self.source, fields.place(node), format!("`{key}` of {} is empty", fields.owner()))
            .label("a text is due here")
            .help("quote a word that YAML takes for no value, such as \"null\" or \"~\"")
    }

    pub(super) fn scalar<'t>(
        &self,
        fields: &Fields<'_>,
        node: &'t Node<'_>,
        key: &str,
        due: &str,
    ) -> Found<&'t str> {
        let found = match &node.value {
            Value::Scalar { text, .. } => return Ok(text),
            Value::List(_) => "list",
            Value::Map(_) => "mapping",
        };
        let message = format!("`{key}` of {} is a {found}, not {due}", fields.owner());
        Err(Diagnostic::error(self.source, node.bytes.clone(), message).label(format!("{due} is due here")))
    }

    pub(super) fn list<'t>(
        &self,
        fields: &Fields<'_>,
        node: &'t Node<'t>,
        key: &str,
    ) -> Found<&'t [Node<'t>]> {
        match &node.value {
            Value::List(items) => Ok(items),
            _ if node.is_null() => Ok(&[]),
            _ => {
                let message = format!("`{key}` of {} is not a list", fields.owner());
                Err(Diagnostic::error(self.source, fields.place(node), message)
                    .label("a list is due here: each item begins with `- `"))
            }
        }
    }
}
