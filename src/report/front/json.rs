//! The front as JSON, schema `isx.front/3`: all information about it, exactly.
//!
//! ```json
//! {
//!   "schema": "isx.front/3", "taskset": "demo", "area_unit": "NAND2", "resources": ["NAND2"], "objectives": ["NAND2"],
//!   "scheduler": "edf", "ties": false,
//!   "engine": {"ran_on": "list (1 thread)", "arithmetic": "i32", "why": ".."},
//!   "base": {"cost": {"NAND2": "0"}, "area": "0", "utilization": {"num": "5", "den": "4", "approx": 1.25},
//!            "schedulable": false, "schedulable_within": false, "choices": {"aes": null}},
//!   "points": [..],
//!   "min_schedulable_area": "1157", "min_schedulable": [{"NAND2": "1157"}], "min_schedulable_designs": [{..}],
//!   "min_schedulable_unknown": null,
//!   "margins": [{"margin": "0.1", "min_schedulable_area": "1321", "min_schedulable_unknown": null}, ..],
//!   "status": "proved", "complete": true
//! }
//! ```
//!
//! `area_unit` is there if the set counts one area, which may have no unit. `device` (its name) and `limits`
//! (`{"LUT": "5280", ..}`, only what is limited) follow the objectives if there are any. `scheduler` is as in the task set:
//! edf, rm, dm or fixed; `ties` says whether tasks of equal priority count as interference of each other.
//!
//! `base`, every point and the designs in `min_schedulable_designs` have the same fields. `cost` has every resource; `area` is
//! the same figure where there is one resource. Points are in lexicographic order of their costs in the objectives.
//! `schedulable` says whether this design meets all deadlines, `schedulable_within` whether any design does that costs no more
//! of any objective; null is undecided. `min_schedulable` is the list of the minimal schedulable costs, that of the smallest
//! alone with one objective, and `min_schedulable_designs` has their designs (which need not be on the front); if there may be
//! others, `min_schedulable_unknown` gives the reason. With one resource, `min_schedulable_area` is the smallest as a number,
//! or null. Numbers that must be exact are strings, since most JSON readers convert numbers to floats.
//!
//! `margins`, for one area, says the same of the set with all WCETs 10, 20 and 30 % longer: the smallest schedulable area, null
//! if there is none, or null with the reason why it is not known.
//!
//! If the task set has blocks, these objects have another field after `choices`: `"blocks": ["sbox", ..]`, the names of the
//! blocks that the design builds, in file order. If the processor has variants, `"variant": "small"` follows, the name of the
//! one that the design is built with; in `base` it is the first that the limits allow. If a block or variant limits the clock
//! (`fmax`), a field `"clock_hz": "123000000"` follows: the clock that the design runs at, in hertz.
//!
//! If the set has modes, `"modes": ["cruise", ..]` stands before `scheduler`, and every design ends with `"mode_utilization":
//! {"cruise": {"num": .., "den": .., "approx": ..}, ..}` and `"critical_mode": "cruise"`, the mode of the largest, which is
//! its `utilization`. `mode_areas` says for every set of up to 6 modes at which area they are schedulable without the
//! others: `[{"modes": ["cruise"], "min_schedulable_area": "120", "min_schedulable_unknown": null}, ..]`.
//!
//! On a front of area against margin, `"front": "margin"` stands after `ties`, and every point has `"margin": {"num": ..,
//! "den": .., "approx": ..}` after its utilization, which need not fall from point to point. If designs of larger margins are
//! not known, `larger_margins_unknown` gives the reason.
//!
//! If the set has a clock that no block or variant lowers, `"clock_hz": "100000000"` follows where the lowest clock of every
//! point is that times its utilization (where utilization decides), or divided by its margin.
//!
//! If the set was changed for a what-if question, `what_if` stands before `base`: a list of the changes in words.
//!
//! The document is written some points at a time. A name is escaped once, not once per point: each task keeps the bytes
//! `"task":"choice"` of all its choices, and each block those of its name.

use super::chunks::{estimated, write_rows};
use super::head::SCHEMA;
use super::margins::MarginWords;
use super::{Front, Head, NamedTask, Number, Point, costs};
use isx_exact::quantity::format_decimal;
use isx_machine::cpu::Workers;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::ops::Range;

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// Writes the front as a JSON document that ends with a line feed.
///
/// Takes time proportional to points times tasks, divided among the threads, and memory for several thousand points.
pub fn write(front: &Front, workers: &Workers, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let names = Names::new(&front.head)?;
    let mut fields = fields(&front.head, &names)?;
    let after =
        fields.split_off(fields.iter().position(|(name, _)| *name == "base").map_or(0, |base| base + 1));
    out.write_all(b"{\n")?;
    fields.iter().try_for_each(|(name, value)| writeln!(out, "  \"{name}\": {value},"))?;
    out.write_all(b"  \"points\": [")?;
    let rows = |points, out: &mut Vec<u8>| write_points(front, &names, points, out);
    write_rows(front.len(), workers, &mut out, &rows)?;
    out.write_all(b"\n  ]")?;
    after.iter().try_for_each(|(name, value)| write!(out, ",\n  \"{name}\": {value}"))?;
    out.write_all(b"\n}\n")?;
    out.flush()
}

/// A field of the document: its name, and its value as JSON.
pub type Field = (&'static str, String);

/// All fields of the document except its points.
pub fn head(head: &Head) -> io::Result<Vec<Field>> {
    fields(head, &Names::new(head)?)
}

/// All fields except the points, which follow `base`.
fn fields(head: &Head, names: &Names) -> io::Result<Vec<Field>> {
    let design = |point: &Point| {
        let mut text = Vec::new();
        names.write_point(point, &mut text)?;
        String::from_utf8(text).map_err(io::Error::other)
    };
    let (resources, mut list) = (&head.resources, Vec::new());
    let mut add = |name: &'static str, value: io::Result<String>| value.map(|value| list.push((name, value)));
    let objectives: Vec<&String> =
        resources.objectives.iter().filter_map(|&at| resources.names.get(at)).collect();
    let limits = costs::limits(resources);
    add("schema", quoted(SCHEMA))?;
    add("taskset", quoted(&head.taskset))?;
    resources.area_unit.as_ref().map_or(Ok(()), |unit| add("area_unit", quoted(unit)))?;
    add("resources", quoted(&resources.names))?;
    add("objectives", quoted(&objectives))?;
    resources.device.as_ref().map_or(Ok(()), |device| add("device", quoted(device)))?;
    if !limits.0.is_empty() {
        add("limits", quoted(&limits))?;
    }
    if !head.modes.is_empty() {
        add("modes", quoted(&head.modes))?;
    }
    add("scheduler", quoted(head.scheduler.name()))?;
    add("ties", quoted(&head.ties))?;
    if head.by_margin {
        add("front", quoted("margin"))?;
    }
    head.clock.as_ref().map_or(Ok(()), |hertz| add("clock_hz", quoted(&format_decimal(hertz))))?;
    head.engine.as_ref().map_or(Ok(()), |engine| add("engine", quoted(engine)))?;
    if !head.what_if.is_empty() {
        add("what_if", quoted(&head.what_if))?;
    }
    head.overruns.map_or(Ok(()), |most| add("overruns", quoted(&most)))?;
    add("base", design(&head.base))?;
    if let [_] = resources.names.as_slice() {
        let smallest = head.minimal.first().map(|design| design.cost[0].decimal());
        add("min_schedulable_area", quoted(&smallest))?;
    }
    let minimal = head.minimal.iter().map(|design| costs::object(resources, &design.exact_cost()));
    add("min_schedulable", quoted(&minimal.collect::<Vec<_>>()))?;
    let designs = head.minimal.iter().map(design).collect::<io::Result<Vec<_>>>()?.join(",");
    add("min_schedulable_designs", Ok(format!("[{designs}]")))?;
    add("min_schedulable_unknown", quoted(&head.minimal_unknown))?;
    if !head.margins.is_empty() || costs::is_area(resources) {
        let margins: Vec<MarginWords> = head.margins.iter().map(MarginWords::from).collect();
        add("margins", quoted(&margins))?;
    }
    if !head.mode_areas.is_empty() {
        add("mode_areas", quoted(&head.mode_areas))?;
    }
    head.larger_margins_unknown.as_ref().map_or(Ok(()), |why| add("larger_margins_unknown", quoted(why)))?;
    head.status.as_ref().map_or(Ok(()), |status| add("status", quoted(status)))?;
    add("complete", quoted(&head.complete))?;
    Ok(list)
}

/// The expected size of the front in bytes.
pub fn bytes(front: &Front) -> u64 {
    // Names that cannot be written cause an error when they are written.
    let Ok(names) = Names::new(&front.head) else { return 0 };
    estimated(front.len(), &|points, out| write_points(front, &names, points, out))
}

/// The points in these ranges as a list.
pub fn points(front: &Front, ranges: impl IntoIterator<Item = Range<usize>>) -> io::Result<Vec<u8>> {
    let (names, mut out) = (Names::new(&front.head)?, b"[".to_vec());
    for points in ranges {
        front.each(points, &mut |_, point| {
            out.extend_from_slice(if out.len() == 1 { b"" } else { b"," });
            names.write_point(point, &mut out)
        })?;
    }
    out.push(b']');
    Ok(out)
}

/// Appends points, each on a line of its own.
fn write_points(front: &Front, names: &Names, points: Range<usize>, out: &mut Vec<u8>) -> io::Result<()> {
    front.each(points, &mut |index, point| {
        out.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
        names.write_point(point, out)
    })
}

/// A value as JSON.
fn quoted<T: Serialize + ?Sized>(value: &T) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

fn in_json(verdict: Option<bool>) -> &'static [u8] {
    match verdict {
        Some(true) => b"true",
        Some(false) => b"false",
        None => b"null",
    }
}

/// Names as JSON.
struct Names {
    /// What stands before the cost in each resource: `"cost":{"LUT":"`, then `","DSP":"`, and so on.
    costs: Vec<String>,
    /// For every task and part, each of its choices: `"task":null`, `"task":"first choice"`, and so on; parts in an object.
    choices: Vec<Vec<String>>,
    blocks: Option<Vec<String>>,
    variants: Vec<String>,
    modes: Vec<String>,
    clocks: Vec<String>,
}

impl Names {
    fn new(head: &Head) -> io::Result<Self> {
        let all = |names: &[String]| names.iter().map(quoted).collect::<io::Result<Vec<String>>>();
        let choices = |(at, task): (usize, &NamedTask)| {
            let is_part = |at: usize| head.tasks.get(at).is_some_and(|task| task.part.is_some());
            let begins = at == 0 || (is_part(at) && !is_part(at - 1));
            let comma = if begins { "" } else { "," };
            let name = quoted(task.part.as_ref().unwrap_or(&task.name))?;
            if !is_part(at) && is_part(at + 1) {
                return Ok(vec![format!("{comma}{name}:{{")]);
            }
            let end = if is_part(at) && !is_part(at + 1) { "}" } else { "" };
            let choice = |choice: String| format!("{comma}{name}:{choice}{end}");
            let choices = all(&task.choices)?.into_iter().map(choice);
            Ok(std::iter::once(format!("{comma}{name}:null{end}")).chain(choices).collect())
        };
        let before = |at: usize| if at == 0 { "\"cost\":{" } else { "\"," };
        let costs = all(&head.resources.names)?.into_iter().enumerate();
        Ok(Self {
            costs: costs.map(|(at, name)| format!("{}{name}:\"", before(at))).collect(),
            choices: head.tasks.iter().enumerate().map(choices).collect::<io::Result<_>>()?,
            blocks: if head.has_blocks { Some(all(&head.blocks)?) } else { None },
            variants: all(&head.variants)?,
            modes: all(&head.modes)?,
            clocks: all(&head.clocks)?,
        })
    }

    fn write_point(&self, point: &Point, out: &mut Vec<u8>) -> io::Result<()> {
        out.push(b'{');
        for (before, cost) in self.costs.iter().zip(&point.cost) {
            out.extend_from_slice(before.as_bytes());
            cost.write_decimal(out)?;
        }
        out.extend_from_slice(b"\"}");
        if let [area] = point.cost.as_slice() {
            out.extend_from_slice(b",\"area\":\"");
            area.write_decimal(out)?;
            out.push(b'"');
        }
        out.extend_from_slice(b",\"utilization\":");
        write_ratio(&point.utilization, out)?;
        if let Some(margin) = &point.margin {
            out.extend_from_slice(b",\"margin\":");
            write_ratio(margin, out)?;
        }
        out.extend_from_slice(b",\"schedulable\":");
        out.extend_from_slice(in_json(point.schedulable));
        out.extend_from_slice(b",\"schedulable_within\":");
        out.extend_from_slice(in_json(point.schedulable_within));
        out.extend_from_slice(b",\"choices\":{");
        for (task, choice) in self.choices.iter().zip(&point.choices) {
            out.extend_from_slice(task[choice.map_or(0, |choice| choice as usize + 1)].as_bytes());
        }
        out.push(b'}');
        if let Some(names) = &self.blocks {
            out.extend_from_slice(b",\"blocks\":[");
            for (at, &block) in point.blocks.iter().enumerate() {
                out.extend_from_slice(if at == 0 { b"" } else { b"," });
                out.extend_from_slice(names[block as usize].as_bytes());
            }
            out.push(b']');
        }
        let name = |names: &'_ [String], at: Option<u32>| names.get(at? as usize).cloned();
        if let Some(variant) = name(&self.variants, point.variant) {
            write!(out, ",\"variant\":{variant}")?;
        }
        if let Some(clock) = name(&self.clocks, point.clock) {
            write!(out, ",\"clock_hz\":{clock}")?;
        }
        for (at, (mode, utilization)) in self.modes.iter().zip(&point.modes).enumerate() {
            write!(out, "{}{mode}:", if at == 0 { ",\"mode_utilization\":{" } else { "," })?;
            write_ratio(utilization, out)?;
        }
        if let Some(critical) = point.critical_mode().and_then(|mode| self.modes.get(mode)) {
            write!(out, "}},\"critical_mode\":{critical}")?;
        }
        out.push(b'}');
        Ok(())
    }
}

fn write_ratio(number: &Number, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend_from_slice(b"{\"num\":\"");
    number.write_numerator(out)?;
    out.extend_from_slice(b"\",\"den\":\"");
    number.write_denominator(out)?;
    out.extend_from_slice(b"\",\"approx\":");
    serde_json::to_writer(&mut *out, &number.approx())?;
    out.push(b'}');
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::front::WithChoices;
    use crate::testing::{Full, all_fronts, demo, front_of, slowed_tasks};
    use isx_design::exploration::Exploration;
    use isx_design::schedulability::{Smallest, SmallestSchedulable};
    use serde_json::Value;

    fn text(front: &Exploration) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&Front::of(front), &Workers::new(2), &mut bytes).unwrap();
        bytes
    }

    fn document(front: &Exploration) -> Value {
        let bytes = text(front);
        assert_eq!(bytes.last(), Some(&b'\n'));
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn a_front_has_the_fields_of_the_schema() {
        let json = document(&front_of(&slowed_tasks()));
        let fields: Vec<&String> = json.as_object().unwrap().keys().collect();
        let wanted = [
            "schema",
            "taskset",
            "area_unit",
            "resources",
            "objectives",
            "scheduler",
            "ties",
            "engine",
            "base",
            "points",
            "min_schedulable_area",
            "min_schedulable",
            "min_schedulable_designs",
            "min_schedulable_unknown",
            "margins",
            "status",
            "complete",
        ];
        assert!(fields.iter().copied().eq(wanted), "{fields:?}");
        assert_eq!(json["schema"], "isx.front/3");
        assert_eq!((&json["area_unit"], &json["resources"]), (&"LE".into(), &serde_json::json!(["LE"])));
        assert_eq!((&json["objectives"], &json["ties"]), (&json["resources"], &false.into()));
        let point = serde_json::json!({
            "cost": {"LE": "1263"}, "area": "1263",
            "utilization": {"num": "1984", "den": "3075", "approx": 0.6452032520325204},
            "schedulable": true, "schedulable_within": true, "choices": {"fir": "float", "aes": null},
            "blocks": ["fpu"], "clock_hz": "123000000",
        });
        // As text, since the order of fields counts too.
        assert_eq!(json["points"][3].to_string(), point.to_string());
    }

    #[test]
    fn the_smallest_schedulable_design_is_given_in_full_or_why_not() {
        let mut front = demo();
        let json = document(&front);
        let SmallestSchedulable::At(smallest) = front.verdicts.smallest.clone() else {
            panic!("the demo is schedulable")
        };
        assert_eq!(json["min_schedulable_area"], format_decimal(smallest.design.area()));
        assert_eq!(json["min_schedulable"], serde_json::json!([{"NAND2": json["min_schedulable_area"]}]));
        let is_it = |point: &&Value| point["area"] == json["min_schedulable_area"];
        let design = json["points"].as_array().unwrap().iter().find(is_it).unwrap();
        assert_eq!(json["min_schedulable_designs"], serde_json::json!([design]));
        assert_eq!(json["min_schedulable_unknown"], Value::Null);
        front.verdicts.smallest = SmallestSchedulable::Unknown("too \"long\"".into());
        let json = document(&front);
        assert_eq!(json["min_schedulable_area"], Value::Null);
        assert_eq!(json["min_schedulable"], serde_json::json!([]));
        assert_eq!(json["min_schedulable_unknown"], "too \"long\"");
    }

    #[test]
    fn the_smallest_area_with_each_margin_is_given_or_why_not() {
        let mut front = demo();
        let at = |margin: &str, area: Option<&str>, why: Option<&str>| serde_json::json!({"margin": margin, "min_schedulable_area": area, "min_schedulable_unknown": why});
        let [ten, twenty, thirty] =
            [at("0.1", Some("640"), None), at("0.2", Some("640"), None), at("0.3", Some("640"), None)];
        assert_eq!(document(&front)["margins"], serde_json::json!([ten, twenty, thirty]));
        front.margins[1].smallest = Smallest::Unknown("too \"long\"".into());
        front.margins[2].smallest = Smallest::None;
        let (twenty, thirty) = (at("0.2", None, Some("too \"long\"")), at("0.3", None, None));
        assert_eq!(document(&front)["margins"], serde_json::json!([ten, twenty, thirty]));
    }

    #[test]
    fn a_failing_writer_is_reported() {
        assert_eq!(
            write(&Front::of(&demo()), &Workers::new(1), &mut Full).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }

    /// A point without the indices of names, and the names.
    pub fn named(front: &Front, point: &Point) -> (Point, Vec<String>) {
        let head = &front.head;
        let choices = head.chosen(point).map(|(task, choice)| format!("{task}={choice:?}"));
        let blocks = head.built(point).into_iter().map(str::to_owned);
        let others = [head.variant(point), head.clock_hz(point), head.critical_mode(point)];
        let names = choices.chain(blocks).chain(others.map(|name| format!("{name:?}"))).collect();
        let none = Point { choices: Vec::new(), blocks: Vec::new(), ..point.clone() };
        (Point { variant: None, clock: None, ..none }, names)
    }

    #[test]
    fn what_is_read_is_what_was_written_exactly() {
        for explored in all_fronts() {
            let front = Front::of(&explored);
            let read = Front::read(text(&explored).as_slice(), &WithChoices::First(usize::MAX)).unwrap();
            assert_eq!(read.len(), front.len());
            for index in 0..front.len() {
                assert_eq!(named(&read, &read.point(index)), named(&front, &front.point(index)));
            }
            let (mut head, mut wanted) = (read.head.clone(), front.head.clone());
            assert_eq!(named(&read, &head.base), named(&front, &wanted.base));
            for (one, other) in head.minimal.iter().zip(&wanted.minimal) {
                assert_eq!(named(&read, one), named(&front, other));
            }
            // Names stand in the order of their appearance.
            for head in [&mut head, &mut wanted] {
                head.tasks.iter_mut().for_each(|task| task.choices.clear());
                (head.blocks, head.clocks, head.variants) = (Vec::new(), Vec::new(), Vec::new());
                (head.base, head.minimal) = (Point::default(), Vec::new());
                head.resources.fill.clear();
            }
            assert_eq!(head, wanted);
        }
    }

    #[test]
    fn what_is_no_front_is_refused() {
        let text = String::from_utf8(text(&demo())).unwrap();
        let refused =
            |text: String| Front::read(text.as_bytes(), &WithChoices::First(0)).err().unwrap().to_string();
        assert!(refused(text.replace("isx.front/3", "isx.front/9")).contains("isx.front/9"));
        assert_eq!(
            refused(text.replace("isx.front/3", "isx.front/2")),
            "schema isx.front/2 is of an earlier isx; explore the task set again"
        );
        assert!(
            refused(text.replace("\"resources\"", "\"sources\""))
                .contains("the field `resources` must stand")
        );
        assert!(refused(text.replace("\"den\":\"", "\"den\":\"x")).contains("no fraction"));
        assert!(refused(text.replace("\"area\":\"", "\"area\":\"x")).contains("no exact number"));
        assert!(refused(text.replace("\"area\":\"", "\"area\":\"1")).contains("`area` is not the `cost`"));
        assert!(refused(text.replace("\"complete\"", "\"finished\"")).contains("complete"));
        assert!(refused("name: a".into()).contains("not a JSON document"));
        for field in
            ["schema", "taskset", "base", "points", "min_schedulable", "min_schedulable_designs", "complete"]
        {
            let missing = refused(text.replace(&format!("\"{field}\":"), "\"other\":"));
            assert!(missing.ends_with(&format!("the field `{field}` is missing")), "{missing}");
        }
        let cheap = text.replace("{\"NAND2\":\"300\"},\"area\":\"300\"", "{\"NAND2\":\"0\"},\"area\":\"0\"");
        assert!(refused(cheap).contains("area does not rise"));
        // Found by fuzzing: with two lists of points the steps of both were kept, in any order.
        let points = &text[text.find("\"points\"").unwrap()..text.rfind("\"min_schedulable_area\"").unwrap()];
        let twice = text.replace("\"complete\"", &format!("{points}\"complete\""));
        assert!(refused(twice).contains("the field `points` appears twice"));
    }
}
