//! The mappings of a task-set file: the allowed keys of each kind, and their entries as names, texts and quantities.
//! Every error is reported at its location, with what was expected.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use isx_exact::quantity::{QuantityError, Rational, parse_rate};
use num_traits::Zero;

use super::keys::{KINDS, Keys, listed};
use super::tree::{Node, Value};
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::{LabelProblem, name_problem, text_problem};

impl Keys {
    /// The name of a key, if mappings of this kind allow it; `value` is its value.
    fn known(
        &self,
        source: &Arc<Source>,
        key: &Node<'_>,
        value: &Node<'_>,
        owner: &str,
    ) -> Found<&'static str> {
        let names = || self.names.iter().copied();
        let Some(text) = key.text() else {
            return Err(Diagnostic::error(
                source,
                key.bytes.clone(),
                format!("a key of {owner} is not a word"),
            )
            .help(format!("its keys are {}", listed(names()))));
        };
        if let Some(name) = names().find(|&name| name == text) {
            return Ok(name);
        }
        let message = format!("unknown key `{}` in {owner}", shortened(text));
        let error = Diagnostic::error(source, key.bytes.clone(), message);
        if value.is_null() && text.starts_with(|c: char| c.is_ascii_digit()) {
            // YAML reads `{wcet: 1,200}` as an entry `wcet: 1` and a key `200`.
            return Err(error
                .label("the comma before it begins a new entry")
                .help("write numbers without commas: `1200` for 1,200 and `0.5` for 0,5"));
        }
        if let Some((name, value)) =
            text.split_once(':').filter(|(name, _)| names().any(|known| known == *name))
        {
            let error = error.label("a space is missing behind the colon");
            return Err(error.help(format!("write `{name}: {}`", shortened(value))));
        }
        let elsewhere = KINDS.into_iter().find(|keys| keys.names.contains(&text));
        let label = match (meant(text, names()), elsewhere) {
            (Some(meant), _) => meant,
            (None, Some(keys)) => format!("this is a key of {}", keys.of),
            (None, None) => format!("not a key of {}", self.of),
        };
        Err(error.label(label).help(format!("the keys of {} are {}", self.of, listed(names()))))
    }
}

/// A mapping whose keys are all known and unique.
pub struct Fields<'t> {
    /// The file.
    pub source: &'t Arc<Source>,
    /// What the mapping describes, for messages, such as "task `radio`".
    pub owner: String,
    entries: Vec<(&'t str, &'t Node<'t>, &'t Node<'t>)>,
    /// The location to report when a key is missing.
    pub anchor: Range<usize>,
}

impl<'t> Fields<'t> {
    /// Checks a mapping's keys.
    pub fn new(source: &'t Arc<Source>, node: &'t Node<'t>, owner: String, keys: &Keys) -> Found<Self> {
        let Value::Map(pairs) = &node.value else {
            return Err(Diagnostic::error(source, node.bytes.clone(), format!("{owner} is not a mapping"))
                .label("expected a mapping such as `name: value`")
                .help(format!("its keys are {}", listed(keys.names.iter().copied()))));
        };
        let known = |key, value, owner: &str| -> Found<&'t str> { keys.known(source, key, value, owner) };
        Self::of_pairs(source, node, pairs, owner, &known)
    }

    /// The mapping that is a field's value, whose keys are names that the file declares elsewhere; `named` returns the
    /// name, or the error for an unknown one.
    pub fn of_names(field: Field<'t>, named: &dyn Fn(&'t Node<'t>) -> Found<&'t str>) -> Found<Self> {
        let Value::Map(pairs) = &field.node.value else {
            return Err(field.error("is not a mapping").label("expected names with their values"));
        };
        let named = |key, _: &'t Node<'t>, _: &str| named(key);
        Self::of_pairs(field.fields.source, field.node, pairs, field.to_string(), &named)
    }

    fn of_pairs(
        source: &'t Arc<Source>,
        node: &'t Node<'t>,
        pairs: &'t [(Node<'t>, Node<'t>)],
        owner: String,
        name: &dyn Fn(&'t Node<'t>, &'t Node<'t>, &str) -> Found<&'t str>,
    ) -> Found<Self> {
        let mut entries: Vec<(&'t str, &Node<'_>, &Node<'_>)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let name = name(key, value, &owner)?;
            if let Some((_, first, _)) = entries.iter().find(|(earlier, ..)| *earlier == name) {
                let line = source.line(first.bytes.start);
                let name = shortened(name);
                let message = format!("`{name}` is given twice in {owner}, first in line {line}");
                return Err(Diagnostic::error(source, key.bytes.clone(), message)
                    .label("given again here")
                    .also(first.bytes.clone(), "first given here"));
            }
            entries.push((name, key, value));
        }
        let anchor = entries.iter().find(|(name, ..)| *name == "name").or(entries.first());
        let anchor =
            anchor.map_or_else(|| node.bytes.clone(), |(_, key, value)| key.bytes.start..value.bytes.end);
        Ok(Fields { source, owner, entries, anchor })
    }

    /// An error at a node of the file.
    pub fn error_at(&self, node: &Node<'_>, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(self.source, node.bytes.clone(), message)
    }

    /// All entries, in file order.
    pub fn all(&self) -> impl Iterator<Item = Field<'_>> {
        self.entries.iter().map(|&(key, key_node, node)| Field { fields: self, key, key_node, node })
    }

    /// The entry of a key, if present.
    pub fn get(&self, key: &str) -> Option<Field<'_>> {
        self.all().find(|field| field.key == key)
    }

    /// The entry of a key, unless it is absent or empty.
    pub fn get_filled(&self, key: &str) -> Option<Field<'_>> {
        self.get(key).filter(|field| !field.node.is_null())
    }

    /// The entry of a required key.
    pub fn required(&self, key: &str) -> Found<Field<'_>> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    /// The error for a missing key.
    pub fn missing(&self, key: &str) -> Box<Diagnostic> {
        Diagnostic::error(self.source, self.anchor.clone(), format!("{} has no `{key}`", self.owner))
            .help(format!("add `{key}: ..` to it"))
    }

    /// A text of any number of lines; `None` if the key is absent or has no value.
    pub fn free_text(&self, key: &str) -> Found<Option<String>> {
        self.get_filled(key).map(|field| field.printed(text_problem)).transpose()
    }
}

/// The minimum of a quantity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Least {
    /// Any number, negative ones too.
    Any,
    /// 0 or greater.
    Zero,
    /// Greater than 0.
    AboveZero,
}

/// An entry of a mapping; prints as "`wcet` of task `radio`".
#[derive(Clone, Copy)]
pub struct Field<'f> {
    /// The mapping.
    pub fields: &'f Fields<'f>,
    /// The key.
    pub key: &'f str,
    key_node: &'f Node<'f>,
    /// The value.
    pub node: &'f Node<'f>,
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}", shortened(self.key), self.fields.owner)
    }
}

impl<'f> Field<'f> {
    /// The location of the value; an empty value has none of its own, so its key is used.
    pub fn place(self) -> Range<usize> {
        if self.node.bytes.is_empty() { self.key_node.bytes.clone() } else { self.node.bytes.clone() }
    }

    /// An error at the value, with the full message.
    pub fn refused(self, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(self.fields.source, self.place(), message)
    }

    /// An error at the value; `what` continues the field's description.
    pub fn error(self, what: impl fmt::Display) -> Box<Diagnostic> {
        self.refused(format!("{self} {what}"))
    }

    fn blank(self) -> Box<Diagnostic> {
        self.error("is empty")
            .label("expected a text")
            .help("quote a word that YAML takes for no value, such as \"null\" or \"~\"")
    }

    /// The value as written; `due` says what was expected.
    pub fn text(self, due: &str) -> Found<&'f str> {
        let found = match &self.node.value {
            Value::Scalar { text, .. } => return Ok(text),
            Value::List(_) => "list",
            Value::Map(_) => "mapping",
        };
        let message = format!("{self} is a {found}, not {due}");
        Err(Diagnostic::error(self.fields.source, self.node.bytes.clone(), message)
            .label(format!("expected {due}")))
    }

    /// The text of a required value.
    pub fn filled_text(self, due: &str) -> Found<&'f str> {
        if self.node.is_null() { Err(self.blank()) } else { self.text(due) }
    }

    /// A one-line text, printed in tables and drawings.
    pub fn label(self) -> Found<String> {
        if self.node.is_null() { Err(self.blank()) } else { self.printed(name_problem) }
    }

    fn printed(self, problem: fn(&str) -> Option<LabelProblem>) -> Found<String> {
        let text = self.text("a text")?;
        let Some(problem) = problem(text) else { return Ok(text.to_owned()) };
        Err(match problem {
            LabelProblem::Empty => self.blank(),
            LabelProblem::Control(_) => self.error(problem).label("a control character is not allowed here"),
            LabelProblem::Bidirectional(_) => {
                self.error(problem).label("a bidirectional mark is not allowed here")
            }
        })
    }

    /// A quantity, parsed by `parse`; `due` says which kind was expected.
    pub fn quantity<T>(
        self,
        due: &str,
        least: Least,
        parse: fn(&str) -> Result<T, QuantityError>,
    ) -> Found<T> {
        parse(self.text(due)?).map_err(|error| {
            let label = match &error {
                _ if least == Least::Any => "expected a plain decimal number",
                QuantityError::Negative(_) | QuantityError::NotFinite(_) | QuantityError::Empty => {
                    match least {
                        Least::Zero => "must be 0 or greater",
                        _ => "must be greater than 0",
                    }
                }
                QuantityError::Unit { .. } => "expected another unit",
                QuantityError::NoUnit { .. } => "expected a number with its unit",
                _ => "expected a plain decimal number",
            };
            self.refused(format!("{self}: {error}")).label(label)
        })
    }

    /// Rejects 0.
    pub fn not_zero(self, value: &Rational) -> Found<()> {
        if value.is_zero() { Err(self.error("must be greater than 0").label("this is 0")) } else { Ok(()) }
    }

    /// The items of a list of names; none if the value is empty.
    pub fn names(self) -> Found<&'f [Node<'f>]> {
        self.list().map_err(|error| match self.node.text() {
            Some(text) if shortened(text) == text => error.help(format!("write `{}: [{text}]`", self.key)),
            _ => error,
        })
    }

    /// The name that an item of this list is; `due` says whose.
    pub fn name_of(self, at: usize, item: &'f Node<'f>, due: &str) -> Found<&'f str> {
        item.text().filter(|_| !item.is_null()).ok_or_else(|| {
            let message = format!("item {} of {self} is not a name", at + 1);
            self.fields.error_at(item, message).label(format!("expected {due}"))
        })
    }

    /// The items of a list; none if the value is empty.
    pub fn list(self) -> Found<&'f [Node<'f>]> {
        match &self.node.value {
            Value::List(items) => Ok(items),
            _ if self.node.is_null() => Ok(&[]),
            _ => Err(self.error("is not a list").label("expected a list: each item begins with `- `")),
        }
    }
}

/// A `clock` or `fmax`, in hertz.
pub fn clock_rate(field: Field<'_>) -> Found<Rational> {
    let rate = field.quantity("a clock rate", Least::AboveZero, parse_rate)?;
    field.not_zero(&rate)?;
    Ok(rate)
}
