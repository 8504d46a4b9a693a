//! Reads the variants of the processor, and times that differ between them.
//!
//! ```yaml
//! variants:                                   # exactly one is built
//!   - {name: small, cost: {LUT: 504}, fmax: 243 MHz}
//!   - {name: cached, cost: {LUT: 730, BRAM: 1}, fmax: 220 MHz}
//! tasks:
//!   - name: fir
//!     wcet: {small: 9100, cached: 6700}       # or one WCET, the same in all
//! ```

use std::sync::Arc;

use isx_exact::quantity::Rational;

use super::fields::{Field, Fields, Least};
use super::hardware::fmax;
use super::keys::VARIANT_KEYS;
use super::price::Price;
use super::task_set::Reader;
use super::tree::{Node, Value};
use crate::diagnostics::{Diagnostic, Found, Source, nearest, shortened};
use crate::model::{MAX_VARIANTS, Resources, Variant};

/// The maximum number of variants listed in a message.
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
            variant(reader.source, reader.clock.is_some(), reader.resources.as_ref(), owner, node)
        };
        let name: fn(&Variant) -> &String = |variant| &variant.name;
        self.variants = self.unique(nodes, read, name, "variant", "")?;
        self.variants_listed = nodes.len();
        Ok(())
    }

    /// A time that is the same in all variants, or one for each of them.
    pub fn times(&mut self, field: Field<'_>, least: Least) -> Found<Vec<Rational>> {
        if !matches!(field.node.value, Value::Map(_)) || self.variants_listed == 0 {
            return Ok(vec![self.time(field, field.key, least)?]);
        }
        // A refused variant is reported already: what is given for it means nothing.
        if self.variants.len() < self.variants_listed {
            return Ok(vec![isx_exact::quantity::ToRational::to_rational(1)]);
        }
        let names: Vec<String> = self.variants.iter().map(|variant| variant.name.clone()).collect();
        let source = self.source;
        let named = |key| {
            let key: &Node<'_> = key;
            key.text()
                .filter(|text| names.iter().any(|name| name == text))
                .ok_or_else(|| unknown_variant(source, key, &field, &names))
        };
        let given = Fields::of_names(field, &named)?;
        let time = |name: &String| {
            let Some(time) = given.get(name) else {
                let error = field.refused(format!("{field} is not given for variant `{}`", shortened(name)));
                return Err(error.label("one is missing here").help(listed(&names)));
            };
            self.time(time, field.key, least)
        };
        names.iter().map(time).collect()
    }
}

fn variant(
    source: &Arc<Source>,
    has_clock: bool,
    resources: Option<&Resources>,
    owner: String,
    node: &Node<'_>,
) -> Found<Variant> {
    let fields = Fields::new(source, node, owner, VARIANT_KEYS)?;
    let name = fields.required("name")?.label()?;
    let origin = fields.free_text("source")?;
    let price = Price::read(source, resources, &fields)?.unwrap_or_else(|| Price::nothing(resources));
    let fmax = fields.get("fmax").map(|field| fmax(field, has_clock)).transpose()?;
    // Without resources the only cost is the area.
    let cost = if resources.is_some() { price.cost } else { vec![price.area] };
    Ok(Variant { name, cost, fmax, source: origin })
}

fn unknown_variant(
    source: &Arc<Source>,
    key: &Node<'_>,
    field: &Field<'_>,
    names: &[String],
) -> Box<Diagnostic> {
    let text = key.text().unwrap_or("..");
    let label = nearest(text, names.iter().map(String::as_str)).map_or_else(
        || "no variant has this name".to_owned(),
        |nearest| format!("did you mean `{}`?", shortened(nearest)),
    );
    let message = format!("{field} names an unknown variant `{}`", shortened(text));
    Diagnostic::error(source, key.bytes.clone(), message).label(label).help(listed(names))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> =
        names.iter().take(MAX_LISTED).map(|name| format!("`{}`", shortened(name))).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("give a time for each variant: {}{more}", shown.join(", "))
}
