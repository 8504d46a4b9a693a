//! A kind of report, and a file's content as its reader uses it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::json::{self, Entries};
use crate::report::Report;
use isx_exact::quantity::Rational;
use isx_text::Found;
use isx_text::ReadError;
use isx_text::figures::{Figure, error};
use isx_text::{Source, printable, shortened};
use jsonc_parser::ast::{Object, ObjectProp, Value};

/// A kind of report.
pub struct Reader {
    /// The tool in words; also [`Report::tool`].
    pub name: &'static str,
    /// What its reports are, in words.
    pub what: &'static str,
    pub(crate) recognizes: fn(&Content<'_>) -> Option<Kind>,
    pub(crate) read: fn(&Content<'_>, &mut Report) -> Result<(), ReadError>,
}

/// What a file of a tool is.
pub enum Kind {
    /// The report that is read.
    Report,
    /// Another file of the tool: what it is, and which file to give in its place.
    Other { what: String, instead: String },
}

impl Kind {
    pub fn report_if(is_it: bool) -> Option<Self> {
        is_it.then_some(Self::Report)
    }

    pub fn other(what: impl Into<String>, instead: impl Into<String>) -> Option<Self> {
        Some(Self::Other { what: what.into(), instead: instead.into() })
    }
}

/// A decoded report.
pub struct Content<'t> {
    pub source: &'t Arc<Source>,
    /// The file's object, if it is JSON.
    pub root: Option<&'t Object<'t>>,
}

impl Content<'_> {
    /// The text of a file that is no JSON object.
    pub fn text(&self) -> Option<&str> {
        self.root.is_none().then_some(self.source.text.as_str())
    }

    /// The file's object with what it is of.
    pub fn entries(&self) -> Option<Entries<'_>> {
        Some(Entries { source: self.source, object: self.root?, owner: "the report" })
    }

    /// The property of the file's object with this name.
    pub fn property(&self, key: &str) -> Option<&ObjectProp<'_>> {
        self.root?.get(key)
    }

    /// The properties of the file's object.
    pub fn properties(&self) -> &[ObjectProp<'_>] {
        self.root.map_or(&[], |root| &root.properties)
    }

    /// Stores a figure under a name, which a report gives once.
    pub fn put(
        &self,
        figures: &mut BTreeMap<String, Rational>,
        name: &str,
        value: Rational,
        place: Range<usize>,
    ) -> Found<()> {
        // Names are printed, and may hold anything.
        match figures.insert(printable(name), value) {
            None => Ok(()),
            Some(_) => {
                let message = format!("the report gives `{}` twice", shortened(name));
                Err(error(self.source, place, message).label("given again here").help("keep one of them"))
            }
        }
    }

    /// An amount: a number that is not negative, perhaps with a half.
    pub fn amount(&self, value: &Value<'_>, name: &str) -> Found<Rational> {
        json::figure(self.source, value, format!("`{}`", shortened(name)))?.not_negative()
    }

    /// The error for a report that lacks what isx reads from it.
    pub fn lacks(&self, what: &str, help: &str) -> ReadError {
        let text = &self.source.text;
        let at = text.len() - text.trim_start().len();
        error(self.source, at..at, format!("the report has no {what}"))
            .label("none in the whole file")
            .help(help)
            .into()
    }

    /// The figure of a cell of a table.
    pub fn figure<'f>(&'f self, text: &'f str, place: Range<usize>, name: &str) -> Figure<'f> {
        Figure { source: self.source, text, place, what: format!("`{}`", shortened(name)) }
    }
}
