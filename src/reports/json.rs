//! JSON with the place of every value, and comments and trailing commas, which the tools' own readers accept.

use isx_text::Found;
use isx_text::figures::{Figure, error};
use isx_text::{Diagnostic, Source, shortened};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;
use std::sync::Arc;

/// The value of a file.
pub fn parse(source: &Arc<Source>) -> Found<Value<'_>> {
    let collect = CollectOptions::default();
    // The extensions that json-c accepts: comments and trailing commas, and nothing else of JSON5.
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(&source.text, &collect, &options).map_err(|problem| {
        let range = problem.range();
        let words = problem.kind().to_string();
        let refused = error(source, range.start..range.end, format!("this is not JSON: {words}"));
        if words.starts_with("Unterminated") { refused.label("opened here") } else { refused }
    })?;
    let nothing = || error(source, 0..0, "the file has comments and no JSON").label("expected an object");
    parsed.value.ok_or_else(nothing)
}

/// The byte range of a node.
pub fn bytes(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// An object with its file.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// The file.
    pub source: &'a Arc<Source>,
    /// The object.
    pub object: &'a Object<'a>,
    /// What it is of, for messages.
    pub owner: &'a str,
}

impl<'a> Entries<'a> {
    /// The object that is the value of a property of `owner`.
    pub fn of(source: &'a Arc<Source>, property: &'a ObjectProp<'a>, owner: &'a str) -> Found<Self> {
        match &property.value {
            Value::Object(object) => Ok(Self { source, object, owner }),
            other => {
                let message = format!("`{}` of {owner} is no object", shortened(property.name.as_str()));
                Err(error(source, bytes(other), message).label("expected `{ .. }`"))
            }
        }
    }

    /// Its properties, in file order.
    pub fn all(self) -> impl Iterator<Item = &'a ObjectProp<'a>> {
        self.object.properties.iter()
    }

    /// A property that may occur once.
    pub fn once(self, key: &str) -> Found<Option<&'a ObjectProp<'a>>> {
        once(self.source, self.object, key, self.owner)
    }

    /// The object under a key, which is called `owner`.
    pub fn object(self, key: &str, owner: &'a str) -> Found<Option<Self>> {
        let object = |property| Ok(Self { owner, ..Self::of(self.source, property, self.owner)? });
        self.once(key)?.map(object).transpose()
    }

    /// The text under a key, if its value is a text.
    pub fn text(self, key: &str) -> Option<&'a str> {
        self.object.get_string(key).map(|literal| literal.value.as_ref())
    }
}

/// The error for a property that is given again.
pub fn twice(source: &Arc<Source>, again: &ObjectProp<'_>, owner: &str) -> Box<Diagnostic> {
    let message = format!("`{}` of {owner} is given twice", shortened(again.name.as_str()));
    error(source, bytes(&again.name), message).label("given again here").help("keep one of them")
}

fn once<'a>(
    source: &Arc<Source>,
    object: &'a Object<'a>,
    key: &str,
    owner: &str,
) -> Found<Option<&'a ObjectProp<'a>>> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == key);
    let first = found.next();
    found.next().map_or(Ok(first), |again| Err(twice(source, again, owner)))
}

/// The value under a key that an object of `owner` must have, once.
pub fn required<'a>(
    source: &Arc<Source>,
    object: &'a Object<'a>,
    key: &str,
    owner: &str,
) -> Found<&'a Value<'a>> {
    let missing = || error(source, bytes(object), format!("{owner} has no `{key}`"));
    let found = once(source, object, key, owner)?.map(|property| &property.value);
    found.ok_or_else(|| missing().label(format!("expected `{key}` in it")))
}

/// The number of a value, which may also be a text that is one.
pub fn figure<'t>(source: &'t Arc<Source>, value: &'t Value<'_>, what: String) -> Found<Figure<'t>> {
    let place = bytes(value);
    let text = match value {
        Value::NumberLit(literal) => literal.value,
        Value::StringLit(literal) => literal.value.as_ref(),
        _ => return Err(error(source, place, format!("{what} is no number")).label("expected a number")),
    };
    Ok(Figure { source, text, place, what })
}
