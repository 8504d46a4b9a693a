//! Answers as JSON objects.

use isx_design::schedulability::ModeVerdict;
use isx_report::front::fields::{InOrder, Ratio};
use isx_taskset::formulate::critical_mode;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// A JSON object, built field by field in the order in which it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Document(Map<String, Value>);

impl Document {
    /// The beginning of the document of an answer about a task set.
    pub fn new(schema: &str, taskset: &str) -> Self {
        Self::default().add("schema", schema).add("taskset", taskset)
    }

    pub fn add(mut self, name: &str, value: impl Serialize) -> Self {
        self.0.insert(name.to_owned(), json!(value));
        self
    }

    /// Adds a field if there is a value.
    pub fn some(self, name: &str, value: Option<impl Serialize>) -> Self {
        if let Some(value) = value { self.add(name, value) } else { self }
    }

    /// Adds the changes for a what-if question, if there are any.
    pub fn what_if(self, changes: &[String]) -> Self {
        self.some("what_if", Some(changes).filter(|changes| !changes.is_empty()))
    }

    /// Adds all fields of something that is an object.
    pub fn with(mut self, fields: impl Serialize) -> Self {
        if let Value::Object(fields) = json!(fields) {
            self.0.extend(fields);
        }
        self
    }

    /// Writes the object and a line break.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }
}

/// The fields of a design in every mode; none if the set has no modes.
pub(crate) fn in_modes(names: &[String], modes: &[ModeVerdict]) -> Document {
    let utilizations: Vec<_> = modes.iter().map(|mode| mode.utilization.clone()).collect();
    let Some(critical) = names.get(critical_mode(&utilizations)).filter(|_| !modes.is_empty()) else {
        return Document::default();
    };
    let named = || names.iter().cloned().zip(modes);
    let utilization = named().map(|(name, mode)| (name, Ratio::from(&mode.utilization)));
    let schedulable = named().map(|(name, mode)| (name, mode.schedulable));
    Document::default()
        .add("mode_utilization", utilization.collect::<InOrder<_>>())
        .add("mode_schedulable", schedulable.collect::<InOrder<_>>())
        .add("critical_mode", critical)
}
