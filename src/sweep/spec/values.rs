//! Reads values of a specification: one, a list, or a range of numbers with a step.

use super::axis::Axis;
use isx_exact::quantity::{Rational, format_decimal, parse_decimal, shortened};
use isx_taskset::document::{Field, Fields, Found, Keys, Node, Value};
use isx_taskset::{Diagnostic, Source};
use num_traits::{ToPrimitive, Zero};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Keys whose values are numbers, so that a range with a step is one of values.
const NUMBERS: [&str; 7] =
    ["tasks", "utilization", "max_task_utilization", "clock_mhz", "blocks", "core_area", "switch"];

/// The most values of a key.
const MOST_VALUES: usize = 10_000;

/// Reads a specification.
pub struct Reader<'s> {
    /// Its text.
    pub source: &'s Arc<Source>,
    /// Where its files are named from.
    pub folder: &'s Path,
}

/// An axis with the places of its values.
pub struct PlacedAxis {
    pub axis: Axis,
    pub places: Vec<Range<usize>>,
}

impl Reader<'_> {
    pub fn error(&self, bytes: Range<usize>, message: String) -> Box<Diagnostic> {
        Diagnostic::error(self.source, bytes, message)
    }

    pub fn whole(&self, field: Field<'_>, least: u64, most: u64) -> Found<u64> {
        let number = field.text("a whole number")?.parse::<u64>().ok();
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let due = format!("a whole number from {least} to {most} is due here");
            field.error("is not such a number").label(due)
        })
    }

    pub fn axes(&self, fields: &Fields<'_>, key: &str, keys: &Keys) -> Found<Vec<PlacedAxis>> {
        let Some(field) = fields.get_filled(key) else { return Ok(Vec::new()) };
        let axes = Fields::new(self.source, field.node, format!("`{key}`"), keys)?;
        let axis = |field: Field<'_>| {
            let (values, places) = self.values(field, NUMBERS.contains(&field.key))?;
            Ok(PlacedAxis { axis: Axis { key: field.key.to_owned(), values }, places })
        };
        axes.all().map(axis).collect()
    }

    /// The values of a key with their places: a list, or of numbers a range with a step.
    pub fn values(&self, field: Field<'_>, of_numbers: bool) -> Found<(Vec<String>, Vec<Range<usize>>)> {
        let example = if of_numbers { "`[1, 2, 4]` or `0.8..2.4/0.1`" } else { "`[a, b]`" };
        let Value::List(nodes) = &field.node.value else {
            let text = field.filled_text("a list of values")?;
            if !of_numbers || !text.contains("..") {
                return Err(field
                    .error("is not a list")
                    .label(format!("a list of values is due here, such as {example}"))
                    .help("a key with one value stands in `recipe`"));
            }
            let texts = self.range(field, text)?;
            let places = vec![field.place(); texts.len()];
            return Ok((texts, places));
        };
        if nodes.is_empty() {
            return Err(field.error("is empty").label(format!("values are due here, such as {example}")));
        }
        if nodes.len() > MOST_VALUES {
            return Err(field.error(format!("has {} values", nodes.len())).label("up to 10000 are measured"));
        }
        let (mut texts, mut places): (Vec<String>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for node in nodes {
            let mut text = self.value(node)?;
            if of_numbers && let Ok(number) = parse_decimal(&text) {
                text = format_decimal(&number);
            }
            if let Some(first) = texts.iter().position(|other| *other == text) {
                return Err(self
                    .error(node.bytes.clone(), format!("{field} has `{}` twice", shortened(&text)))
                    .label("given again here")
                    .also(places[first].clone(), "first given here"));
            }
            texts.push(text);
            places.push(node.bytes.clone());
        }
        Ok((texts, places))
    }

    /// The numbers of `LOW..HIGH/STEP`.
    fn range(&self, field: Field<'_>, text: &str) -> Found<Vec<String>> {
        let due =
            || field.error("is not a range of numbers").label("write LOW..HIGH/STEP, such as 0.8..2.4/0.1");
        let (low, rest) = text.split_once("..").ok_or_else(due)?;
        let (high, step) = rest.split_once('/').ok_or_else(due)?;
        let number = |text: &str| parse_decimal(text).map_err(|_| due());
        let (low, high, step) = (number(low)?, number(high)?, number(step)?);
        if step.is_zero() || low > high {
            return Err(due());
        }
        let steps: Rational = (&high - &low) / &step;
        if !steps.is_integer() {
            let message = format!("ends between two steps of {}", format_decimal(&step));
            let last = &low + steps.floor() * &step;
            let label = format!("the last step below is {}", format_decimal(&last));
            return Err(field.error(message).label(label));
        }
        let steps = steps.to_integer().to_usize().filter(|&steps| steps < MOST_VALUES);
        let steps =
            steps.ok_or_else(|| field.error("has more than 10000 values").label("take a larger step"))?;
        let value = |at: usize| format_decimal(&(&low + &step * Rational::from_integer(at.into())));
        Ok((0..=steps).map(value).collect())
    }

    /// A value: a scalar, or a list of them, as a flag has it with commas.
    pub fn value(&self, node: &Node<'_>) -> Found<String> {
        let items = match &node.value {
            Value::List(items) => items.iter().map(Node::text).collect::<Option<Vec<_>>>(),
            _ => node.text().map(|text| vec![text]),
        };
        let text = items.map(|items| items.join(",")).filter(|text| !text.trim().is_empty());
        let due = || {
            self.error(node.bytes.clone(), "a value is missing".to_owned())
                .label("a number or a word is due here")
        };
        text.map(|text| text.trim().to_owned()).ok_or_else(due)
    }
}
