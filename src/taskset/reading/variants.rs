//! Reads the variants of the processor and the modes of a task set, and times that differ between them.
//!
//! ```yaml
//! variants:                                   # exactly one is built
//!   - {name: small, cost: {LUT: 504}, fmax: 243 MHz}
//!   - {name: cached, cost: {LUT: 730, BRAM: 1}, fmax: 220 MHz}
//! modes: [cruise, landing]                    # one runs at a time, all on one hardware
//! tasks:
//!   - name: fir
//!     wcet: {small: 9100, cached: 6700}       # or one WCET, the same in all
//!   - name: radar
//!     wcet: {cruise: 9100, landing: 6700}
//!     period: {cruise: 40 ms, landing: 10 ms} # a mode left out is one in which the task does not run
//!   - name: iir
//!     wcet: {small: {cruise: 9100, landing: 6700}, cached: 5000}
//! ```

use std::sync::Arc;

use isx_exact::quantity::Rational;

use super::fields::{Field, Fields, Least, clock_rate};
use super::keys::VARIANT_KEYS;
use super::resources::{self, listed};
use super::task_set::Reader;
use super::tree::{Node, Value};
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::{MAX_MODES, MAX_VARIANTS, Resources, Task, Timing, Variant};

/// How many modes there may be.
const MOST_MODES: (usize, &str) = (MAX_MODES, "up to 16 are computed");

/// The maximum number of variants or modes listed in a message.
const MAX_LISTED: usize = 10;

impl Reader<'_> {
    /// Reads the task set's `variants`.
    pub fn read_variants(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get_filled("variants") else { return Ok(()) };
        let nodes = field.list()?;
        if nodes.len() > MAX_VARIANTS {
            return Err(field
                .error(format!("lists {} variants", nodes.len()))
                .label(format!("up to {MAX_VARIANTS} are compared")));
        }
        let read = |reader: &mut Self, owner, node: &Node<'_>| {
            variant(reader.source, &reader.resources, owner, node)
        };
        (self.variants, self.places.variants) = self.each(nodes, read, "variant", "");
        self.variants_listed = nodes.len();
        Ok(())
    }

    /// A time that is the same in all variants or modes, or one for each of them; `runs` says in which modes a time is due.
    pub fn times(&mut self, field: Field<'_>, least: Least, runs: &[bool]) -> Found<Vec<Rational>> {
        let variants: Vec<String> = self.variants.iter().map(|variant| variant.name.clone()).collect();
        let modes = self.modes.clone();
        if !matches!(field.node.value, Value::Map(_)) || modes.len().max(self.variants_listed) == 0 {
            return Ok(vec![self.time(field, field.key, least)?]);
        }
        // A refused variant is reported already: what is given for it means nothing.
        if self.variants.len() < self.variants_listed {
            return Ok(vec![isx_exact::quantity::ToRational::to_rational(1)]);
        }
        if !modes.is_empty() && !variants.iter().any(|name| field.node.entry(name).is_some()) {
            let times = self.filled_in_modes(field, field.key, least, runs)?;
            return Ok((0..variants.len().max(1)).flat_map(|_| times.clone()).collect());
        }
        let given = self.by_name(&field, &variants, "variant")?;
        let mut times = Vec::with_capacity(variants.len() * modes.len().max(1));
        for name in &variants {
            let time = given.get(name).ok_or_else(|| not_given(&field, name, &variants, "variant"))?;
            if matches!(time.node.value, Value::Map(_)) && !modes.is_empty() {
                times.extend(self.filled_in_modes(time, field.key, least, runs)?);
            } else {
                let time = self.time(time, field.key, least)?;
                times.extend(std::iter::repeat_n(time, modes.len().max(1)));
            }
        }
        Ok(times)
    }

    /// A time for each mode; where none is due, any will do.
    fn filled_in_modes(
        &mut self,
        field: Field<'_>,
        key: &str,
        least: Least,
        runs: &[bool],
    ) -> Found<Vec<Rational>> {
        let times = self.times_in_modes(field, key, least, Some(runs))?;
        let some = times.iter().flatten().next().cloned().unwrap_or_default();
        Ok(times.into_iter().map(|time| time.unwrap_or_else(|| some.clone())).collect())
    }

    /// A time for each mode; `due` says in which there must be one or none, and the others may have one.
    fn times_in_modes(
        &mut self,
        field: Field<'_>,
        key: &str,
        least: Least,
        due: Option<&[bool]>,
    ) -> Found<Vec<Option<Rational>>> {
        let modes = self.modes.clone();
        let given = self.by_name(&field, &modes, "mode")?;
        let time = |(number, name): (usize, &String)| {
            let is_due = due.map(|due| due.get(number).is_none_or(|due| *due));
            match (given.get(name), is_due) {
                (Some(_), Some(false)) => Err(without_period(field, name)),
                (Some(time), _) => self.time(time, key, least).map(Some),
                (None, Some(true)) => Err(not_given(&field, name, &modes, "mode")),
                (None, _) => Ok(None),
            }
        };
        modes.iter().enumerate().map(time).collect()
    }

    /// Reads the task set's `modes`.
    pub fn read_modes(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get_filled("modes") else { return Ok(()) };
        let names = listed(field, "the name of a mode", "cruise", MOST_MODES)?;
        self.modes.extend(names.into_iter().map(|(name, _)| name.to_owned()));
        Ok(())
    }

    /// For each mode whether a task runs in it, by the keys of its period; empty if it runs in all.
    pub fn runs_in(&self, task: &Fields<'_>) -> Vec<bool> {
        match task.get("period") {
            Some(field) if matches!(field.node.value, Value::Map(_)) => {
                self.modes.iter().map(|name| field.node.entry(name).is_some()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The period and deadline of a task.
    pub fn timings(&mut self, task: &Fields<'_>) -> Found<Vec<Option<Timing>>> {
        let period_field = task.required("period")?;
        let periods = self.in_modes(period_field)?;
        let deadline_field = task.get("deadline");
        let deadlines = deadline_field.map(|field| self.in_modes(field)).transpose()?;
        let count = periods.len().max(deadlines.as_ref().map_or(1, Vec::len));
        let in_mode = |times: &[Option<Rational>], number: usize| times[number.min(times.len() - 1)].clone();
        let mut timings = Vec::with_capacity(count);
        for number in 0..count {
            let given = deadlines.as_ref().and_then(|deadlines| in_mode(deadlines, number));
            let Some(period) = in_mode(&periods, number) else {
                let mode = self.modes.get(number);
                if let Some((field, mode)) = deadline_field.filter(|_| given.is_some()).zip(mode)
                    && field.node.entry(mode).is_some()
                {
                    return Err(without_period(field, mode));
                }
                timings.push(None);
                continue;
            };
            timings.push(Some(Timing { deadline: given.unwrap_or_else(|| period.clone()), period }));
        }
        if timings.iter().all(Option::is_none) {
            let error = period_field.error("names no mode").label("expected a period");
            return Err(error.help(times_due(&self.modes, "mode")));
        }
        Ok(timings)
    }

    /// A time, or one for some of the modes.
    fn in_modes(&mut self, field: Field<'_>) -> Found<Vec<Option<Rational>>> {
        if !matches!(field.node.value, Value::Map(_)) || self.modes.is_empty() {
            return Ok(vec![Some(self.time(field, field.key, Least::AboveZero)?)]);
        }
        self.times_in_modes(field, field.key, Least::AboveZero, None)
    }

    /// A mapping from variants or modes.
    fn by_name<'f>(&self, field: &Field<'f>, names: &[String], kind: &str) -> Found<Fields<'f>> {
        let named = |key| {
            let key: &Node<'_> = key;
            let known = key.text().filter(|text| names.iter().any(|name| name == text));
            known.ok_or_else(|| unknown(key, field, names, kind))
        };
        Fields::of_names(*field, &named)
    }
}

fn variant(source: &Arc<Source>, resources: &Resources, owner: String, node: &Node<'_>) -> Found<Variant> {
    let fields = Fields::new(source, node, owner, VARIANT_KEYS)?;
    let name = fields.required("name")?.label()?;
    let origin = fields.free_text("source")?;
    let cost = resources::cost(resources, &fields)?.unwrap_or_else(|| resources.nothing());
    let fmax = fields.get("fmax").map(clock_rate).transpose()?;
    Ok(Variant { name, cost, fmax, source: origin })
}

/// The error for a variant or mode without a time.
fn not_given(field: &Field<'_>, name: &str, names: &[String], kind: &str) -> Box<Diagnostic> {
    let error = field.refused(format!("{field} is not given for {kind} `{}`", shortened(name)));
    error.label("one is missing here").help(times_due(names, kind))
}

fn unknown(key: &Node<'_>, field: &Field<'_>, names: &[String], kind: &str) -> Box<Diagnostic> {
    let text = key.text().unwrap_or("..");
    let label =
        meant(text, names.iter().map(String::as_str)).unwrap_or_else(|| format!("no {kind} has this name"));
    let message = format!("{field} names an unknown {kind} `{}`", shortened(text));
    field.fields.error_at(key, message).label(label).help(times_due(names, kind))
}

/// The error for a time in a mode without the task.
fn without_period(field: Field<'_>, mode: &str) -> Box<Diagnostic> {
    let mode = shortened(mode);
    field
        .error(format!("is given for mode `{mode}`, in which the task has no period"))
        .label("the task does not run in this mode")
        .help(format!("leave it out, or give `period` for `{mode}` too"))
}

fn times_due(names: &[String], kind: &str) -> String {
    let shown: Vec<String> =
        names.iter().take(MAX_LISTED).map(|name| format!("`{}`", shortened(name))).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let due = if kind == "mode" { "each mode that the task runs in" } else { "each variant" };
    format!("give a time for {due}: {}{more}", shown.join(", "))
}

impl Task {
    /// For each mode whether it runs in it, one for all modes if its timing is the same in all.
    pub(super) fn runs(&self) -> Vec<bool> {
        self.timings.iter().map(Option::is_some).collect()
    }
}
