//! The front as JSON, schema `isx.front/1`: all information about it, exactly.
//!
//! ```json
//! {
//!   "schema": "isx.front/1", "taskset": "demo", "area_unit": "NAND2", "scheduler": "edf",
//!   "engine": {"ran_on": "list (1 thread)", "arithmetic": "i32", "why": ".."},
//!   "base": {"area": "0", "utilization": {"num": "5", "den": "4", "approx": 1.25},
//!            "schedulable": false, "schedulable_within": false, "choices": {"aes": null}},
//!   "points": [..],
//!   "min_schedulable_area": "1157", "min_schedulable": {..}, "min_schedulable_unknown": null,
//!   "margins": [{"margin": "0.1", "min_schedulable_area": "1321", "min_schedulable_unknown": null}, ..],
//!   "status": "proved", "complete": true
//! }
//! ```
//!
//! `scheduler` is as in the task set: edf, rm, dm or fixed.
//!
//! `base`, every point and `min_schedulable` have the same fields. `schedulable` says whether this design meets all
//! deadlines, `schedulable_within` whether any design of no more area does; null is undecided. `min_schedulable` is
//! the design with the smallest schedulable area (with deadlines shorter than periods it need not be on the front);
//! if that area was not decided, it is null and `min_schedulable_unknown` gives the reason. Numbers that must be
//! exact are strings, since most JSON readers convert numbers to floats.
//!
//! `margins` says the same of the set with all WCETs 10, 20 and 30 % longer: the smallest schedulable area, null if
//! there is none, or null with the reason why it is not known.
//!
//! If the task set has blocks, these objects have another field after `choices`: `"blocks": ["sbox", ..]`, the names
//! of the blocks that the design builds, in file order. If one of them limits the clock (`fmax`), a field
//! `"clock_hz": "123000000"` follows: the clock that the design runs at, in hertz.
//!
//! If the processor has variants, `"variant": "small"` follows, the name of the one that the design is built with; in `base`
//! it is the first that the limits allow. A field `clock_hz` also stands where a variant limits the clock.
//!
//! If the set has modes, `"modes": ["cruise", ..]` stands after `area_unit`, and every design ends with `"mode_utilization":
//! {"cruise": {"num": .., "den": .., "approx": ..}, ..}` and `"critical_mode": "cruise"`, the mode of the largest, which is
//! its `utilization`. `mode_areas` says for every set of up to 6 modes at which area they are schedulable without the
//! others: `[{"modes": ["cruise"], "min_schedulable_area": "120", "min_schedulable_unknown": null}, ..]`.
//!
//! On a front of area against margin, `"front": "margin"` stands after `scheduler`, and every point has `"margin": {"num": ..,
//! "den": .., "approx": ..}` after its utilization, which need not fall from point to point. If designs of larger margins are not known, `larger_margins_unknown` gives the reason.
//!
//! If the set has a clock that no block or variant lowers, `"clock_hz": "100000000"` follows where the lowest clock of every
//! point is that times its utilization (where utilization decides), or divided by its margin.
//!
//! If the set was changed for a what-if question, `what_if` stands before `base`: a list of the changes in words.
//!
//! If the set has several resources, the schema is `isx.front/2`. `resources` and `objectives` (names) stand in place of
//! `area_unit`, then `device` (its name) and `limits` (`{"LUT": "5280", ..}`, only what is limited) if there are any. Every
//! design has `"cost": {"LUT": "4676", "DSP": "4"}` in place of `area`; points are in lexicographic order of their costs in
//! the objectives, and `schedulable_within` is about the designs that cost no more of any objective. `min_schedulable`
//! is the list of the minimal schedulable costs, `min_schedulable_designs` that of their designs in full; if there may be
//! others, `min_schedulable_unknown` gives the reason. There are no `margins`.
//!
//! The document is written some points at a time. A name is escaped once, not once per point: each task keeps the
//! bytes `"task":"choice"` of all its choices, and each block those of its name.

use super::chunks::{estimated, write_rows};
use super::costs;
use super::facts::{Facts, Finder};
use super::margins::MarginWords;
use super::modes::{ModeAreaWords, mode_areas};
use isx_design::exploration::Exploration;
use isx_design::front::{ChosenDesign, Design};
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::{approx, format_decimal};
use isx_machine::cpu::Workers;
use isx_taskset::formulate::critical_mode;
use isx_taskset::{Choice, Resources, Task, TaskSet};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, BufWriter, Write};
use std::ops::Range;

/// The value of the field `schema`.
pub const SCHEMA: &str = "isx.front/1";
/// The value of the field `schema` for a task set with several resources.
pub const SCHEMA_OF_RESOURCES: &str = "isx.front/2";

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// Writes the front as a JSON document that ends with a line feed.
///
/// Takes time proportional to points times tasks, divided among the threads, and memory for several thousand points.
pub fn write(explored: &Exploration, workers: &Workers, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let (names, finder) = (Names::new(explored.task_set())?, Finder::new(explored));
    let (before, after) = fields(explored, &names, &finder)?;
    out.write_all(b"{\n")?;
    before.iter().try_for_each(|(name, value)| writeln!(out, "  \"{name}\": {value},"))?;
    out.write_all(b"  \"points\": [")?;
    write_rows(explored.front.len(), workers, &mut out, &|points, out| {
        write_points(&finder, &names, points, out)
    })?;
    out.write_all(b"\n  ]")?;
    after.iter().try_for_each(|(name, value)| write!(out, ",\n  \"{name}\": {value}"))?;
    out.write_all(b"\n}\n")?;
    out.flush()
}

/// A field of the document: its name, and its value as JSON.
pub type Field = (&'static str, String);

/// All fields of the document except its points.
#[cfg(feature = "parquet")]
pub fn head(explored: &Exploration) -> io::Result<Vec<Field>> {
    let (mut before, after) = fields(explored, &Names::new(explored.task_set())?, &Finder::new(explored))?;
    before.extend(after);
    Ok(before)
}

/// The fields before the points, and those after them.
fn fields(explored: &Exploration, names: &Names, finder: &Finder) -> io::Result<(Vec<Field>, Vec<Field>)> {
    let set = explored.task_set();
    let write_design = |design: &Design, choices: &[Option<u32>]| {
        let mut text = Vec::new();
        finder.of_design(design, choices, &mut |facts| names.write_point(facts, &mut text))?;
        String::from_utf8(text).map_err(io::Error::other)
    };
    let account = explored.front.account();
    let engine = format!(
        "{{\"ran_on\": {}, \"arithmetic\": {}, \"why\": {}}}",
        quoted(&account.ran_on())?,
        quoted(&account.arithmetic.to_string())?,
        quoted(&account.why)?
    );
    let mut before = vec![
        ("schema", quoted(set.named_resources().map_or(SCHEMA, |_| SCHEMA_OF_RESOURCES))?),
        ("taskset", quoted(&set.name)?),
    ];
    match set.named_resources() {
        None => before.push(("area_unit", quoted(set.area_unit())?)),
        Some(resources) => before.extend(resource_fields(resources)?),
    }
    if !set.modes.is_empty() {
        before.push(("modes", quoted(&set.modes)?));
    }
    before.push(("scheduler", quoted(set.scheduler.name())?));
    if !explored.point_margins.is_empty() {
        before.push(("front", quoted("margin")?));
    }
    if let Some(hertz) = explored.clock_of_measure() {
        before.push(("clock_hz", quoted(&format_decimal(&hertz))?));
    }
    before.push(("engine", engine));
    if !set.what_if.is_empty() {
        before.push(("what_if", quoted(&set.what_if)?));
    }
    if let Some(most) = set.overruns {
        before.push(("overruns", most.to_string()));
    }
    before.push(("base", write_design(&explored.base(), &vec![None; set.tasks.len()])?));
    let (area, design, why) = match &explored.verdicts.smallest {
        SmallestSchedulable::At(ChosenDesign { design, choices }) => {
            (Some(format_decimal(&design.cost[0])), write_design(design, choices)?, None)
        }
        SmallestSchedulable::None => (None, "null".into(), None),
        SmallestSchedulable::Unknown(why) => (None, "null".into(), Some(why)),
    };
    let mut after = match set.named_resources() {
        None => vec![("min_schedulable_area", quoted(&area)?), ("min_schedulable", design)],
        Some(resources) => {
            let minimal = &explored.verdicts.minimal;
            let costs: Vec<Map<String, Value>> =
                minimal.iter().map(|chosen| costs::object(resources, &chosen.design.cost)).collect();
            let designs =
                minimal.iter().map(|ChosenDesign { design, choices }| write_design(design, choices));
            let designs = designs.collect::<io::Result<Vec<_>>>()?.join(",");
            vec![("min_schedulable", quoted(&costs)?), ("min_schedulable_designs", format!("[{designs}]"))]
        }
    };
    after.push(("min_schedulable_unknown", quoted(&why)?));
    if set.is_one_area() {
        let margins: Vec<MarginWords> = explored.margins.iter().map(MarginWords::from).collect();
        after.push(("margins", quoted(&margins)?));
    }
    if !explored.mode_areas.is_empty() {
        let areas: Vec<ModeAreaWords> = mode_areas(explored).collect();
        after.push(("mode_areas", quoted(&areas)?));
    }
    if let Some(why) = &explored.larger_margins_unknown {
        after.push(("larger_margins_unknown", quoted(why)?));
    }
    after.push(("status", quoted(explored.status.name())?));
    after.push(("complete", explored.front.is_complete().to_string()));
    Ok((before, after))
}

/// The fields that say what is counted and what there is of it.
fn resource_fields(resources: &Resources) -> io::Result<Vec<Field>> {
    let objectives: Vec<&String> =
        resources.objectives.iter().filter_map(|&at| resources.names.get(at)).collect();
    let mut fields = vec![("resources", quoted(&resources.names)?), ("objectives", quoted(&objectives)?)];
    if let Some(device) = &resources.device {
        fields.push(("device", quoted(device)?));
    }
    let limits = costs::limits(resources);
    if !limits.is_empty() {
        fields.push(("limits", quoted(&limits)?));
    }
    Ok(fields)
}

/// The expected size of the front in bytes.
pub fn bytes(explored: &Exploration) -> u64 {
    // Names that cannot be written cause an error when they are written.
    let Ok(names) = Names::new(explored.task_set()) else { return 0 };
    let finder = Finder::new(explored);
    estimated(explored.front.len(), &|points, out| write_points(&finder, &names, points, out))
}

/// Appends points, each on a line of its own.
fn write_points(finder: &Finder, names: &Names, points: Range<usize>, out: &mut Vec<u8>) -> io::Result<()> {
    finder.of_points(points, &mut |index, facts| {
        out.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
        names.write_point(facts, out)
    })
}

/// A string, or null, as JSON.
fn quoted<T: Serialize + ?Sized>(text: &T) -> io::Result<String> {
    Ok(serde_json::to_string(text)?)
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
    /// What stands before the cost in each column: `"area":"`, or `"cost":{"LUT":"`, then `,"DSP":"`, and so on.
    costs: Vec<String>,
    /// What ends the last of them.
    end_of_costs: &'static [u8],
    /// For every task, each of its choices: `"task":null`, `"task":"first choice"`, and so on.
    choices: Vec<Vec<String>>,
    blocks: Vec<String>,
    variants: Vec<String>,
    modes: Vec<String>,
}

impl Names {
    fn new(task_set: &TaskSet) -> io::Result<Self> {
        let choices = |(at, task): (usize, &Task)| {
            let comma = if at == 0 { "" } else { "," };
            let name = quoted(&task.name)?;
            let choice = |choice: &Choice| Ok(format!("{comma}{name}:{}", quoted(&choice.name)?));
            let software = Ok(format!("{comma}{name}:null"));
            std::iter::once(software).chain(task.choices.iter().map(choice)).collect()
        };
        let choices = task_set.tasks.iter().enumerate().map(choices).collect::<io::Result<_>>()?;
        let blocks = task_set.blocks.iter().map(|block| quoted(&block.name)).collect::<io::Result<_>>()?;
        let (costs, end_of_costs) = match task_set.named_resources() {
            None => (vec!["\"area\":\"".to_owned()], &b"\""[..]),
            Some(resources) => {
                let before = |at: usize| if at == 0 { "\"cost\":{" } else { "," };
                let name = |(at, name): (usize, &String)| Ok(format!("{}{}:\"", before(at), quoted(name)?));
                let names = resources.names.iter().enumerate().map(name).collect::<io::Result<_>>()?;
                (names, &b"\"}"[..])
            }
        };
        let variants = task_set.variants.iter().map(|variant| quoted(&variant.name));
        let variants = variants.collect::<io::Result<_>>()?;
        let modes = task_set.modes.iter().map(quoted).collect::<io::Result<_>>()?;
        Ok(Self { costs, end_of_costs, choices, blocks, variants, modes })
    }

    fn write_point(&self, facts: &Facts, out: &mut Vec<u8>) -> io::Result<()> {
        out.push(b'{');
        for (at, (before, cost)) in self.costs.iter().zip(facts.costs).enumerate() {
            out.extend_from_slice(if at == 0 { b"" } else { b"\"" });
            out.extend_from_slice(before.as_bytes());
            out.extend_from_slice(cost);
        }
        out.extend_from_slice(self.end_of_costs);
        let figures = [("utilization", Some(&facts.utilization)), ("margin", facts.margin.as_ref())];
        for (name, figure) in figures.into_iter().filter_map(|(name, figure)| Some((name, figure?))) {
            write!(out, ",\"{name}\":{{\"num\":\"")?;
            figure.write_numerator(out)?;
            out.extend_from_slice(b"\",\"den\":\"");
            figure.write_denominator(out)?;
            out.extend_from_slice(b"\",\"approx\":");
            serde_json::to_writer(&mut *out, &figure.approx())?;
            out.push(b'}');
        }
        out.extend_from_slice(b",\"schedulable\":");
        out.extend_from_slice(in_json(facts.verdicts[0]));
        out.extend_from_slice(b",\"schedulable_within\":");
        out.extend_from_slice(in_json(facts.verdicts[1]));
        out.extend_from_slice(b",\"choices\":{");
        for (task, choice) in self.choices.iter().zip(facts.choices) {
            out.extend_from_slice(task[choice.map_or(0, |choice| choice as usize + 1)].as_bytes());
        }
        out.push(b'}');
        if let Some(blocks) = facts.blocks {
            out.extend_from_slice(b",\"blocks\":[");
            for (at, &block) in blocks.iter().enumerate() {
                out.extend_from_slice(if at == 0 { b"" } else { b"," });
                out.extend_from_slice(self.blocks[block].as_bytes());
            }
            out.push(b']');
        }
        if let Some(variant) = facts.variant.and_then(|number| self.variants.get(number)) {
            write!(out, ",\"variant\":{variant}")?;
        }
        if let Some(clock) = facts.clock {
            write!(out, ",\"clock_hz\":\"{clock}\"")?;
        }
        for (at, (mode, utilization)) in self.modes.iter().zip(facts.modes).enumerate() {
            let before = if at == 0 { ",\"mode_utilization\":{" } else { "," };
            let (num, den, approx) = (utilization.numer(), utilization.denom(), approx(utilization));
            write!(out, "{before}{mode}:{{\"num\":\"{num}\",\"den\":\"{den}\",\"approx\":")?;
            serde_json::to_writer(&mut *out, &approx)?;
            out.push(b'}');
        }
        if let Some(critical) = self.modes.get(critical_mode(facts.modes)) {
            write!(out, "}},\"critical_mode\":{critical}")?;
        }
        out.push(b'}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        Full, built, correlated, correlated_with_blocks, demo, front_of, nasty, random, shared,
        sharing_fronts, slowed_tasks, unlike_fronts,
    };
    use isx_design::schedulability::Smallest;
    use isx_exact::quantity::{Rational, approx};

    fn document(front: &Exploration) -> Value {
        let mut bytes = Vec::new();
        write(front, &Workers::new(2), &mut bytes).unwrap();
        assert_eq!(bytes.last(), Some(&b'\n'));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The point as the schema requires it, built in the simple, slow way.
    fn expected(front: &Exploration, design: &Design, choices: &[Option<u32>]) -> Value {
        let tasks = front.task_set().tasks.iter().zip(choices);
        let choice = |(task, choice): (&isx_taskset::Task, &Option<u32>)| {
            (
                task.name.clone(),
                choice.map_or(Value::Null, |at| task.choices[at as usize].name.clone().into()),
            )
        };
        let mut value = serde_json::json!({
            "area": format_decimal(design.area()),
            "utilization": {
                "num": design.utilization.numer().to_string(),
                "den": design.utilization.denom().to_string(),
                "approx": approx(&design.utilization),
            },
            "schedulable": design.schedulable,
            "schedulable_within": design.schedulable_within,
            "choices": tasks.map(choice).collect::<serde_json::Map<_, _>>(),
        });
        if !front.task_set().blocks.is_empty() {
            value["blocks"] = built(front, choices).into();
        }
        if front.task_set().limits_clock() {
            let clock = front.front.formulation().clock_of(choices).unwrap();
            value["clock_hz"] = format_decimal(clock).into();
        }
        value
    }

    #[test]
    fn every_field_is_that_of_the_front() {
        let mut points = 0;
        for front in unlike_fronts().into_iter().chain(sharing_fronts()) {
            let json = document(&front);
            assert_eq!(json["schema"], "isx.front/1");
            assert_eq!(json["taskset"], front.task_set().name);
            assert_eq!(json["area_unit"], front.task_set().area_unit());
            assert_eq!(json["engine"]["ran_on"], front.front.account().ran_on());
            assert_eq!(json["engine"]["arithmetic"], front.front.account().arithmetic.to_string());
            assert_eq!(json["engine"]["why"], front.front.account().why);
            assert_eq!(json["status"], front.status.name());
            assert_eq!(json["complete"], front.front.is_complete());
            let software = vec![None; front.task_set().tasks.len()];
            assert_eq!(json["base"], expected(&front, &front.base(), &software));
            assert_eq!(json["points"].as_array().unwrap().len(), front.front.len());
            for index in 0..front.front.len() {
                let wanted = expected(
                    &front,
                    &front.design(index).unwrap(),
                    &front.front.get(index).unwrap().choices().unwrap(),
                );
                assert_eq!(json["points"][index], wanted);
                points += 1;
            }
        }
        assert!(points > 100, "only {points} points were compared");
    }

    #[test]
    fn the_blocks_of_every_design_follow_its_choices_where_the_set_has_any() {
        let json = document(&shared());
        let names = |design: &Value| {
            let names = design["blocks"].as_array().unwrap().iter();
            names.map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(names(&json["base"]).is_empty());
        assert_eq!(names(&json["min_schedulable"]), ["sbox"]);
        assert_eq!(json["min_schedulable_area"], "486", "464 is paid once");
        let last = json["points"].as_array().unwrap().last().unwrap();
        assert_eq!(names(last), ["sbox", "mul32"]);
        let fields: Vec<&String> = last.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["area", "utilization", "schedulable", "schedulable_within", "choices", "blocks"]);
        let mut bytes = Vec::new();
        write(&demo(), &Workers::new(1), &mut bytes).unwrap();
        assert!(!String::from_utf8(bytes).unwrap().contains("blocks"));
    }

    #[test]
    fn the_clock_of_every_design_comes_last_where_a_block_limits_it() {
        let json = document(&front_of(&slowed_tasks()));
        let clock = |design: &Value| design["clock_hz"].as_str().unwrap().to_owned();
        assert_eq!([clock(&json["base"]), clock(&json["min_schedulable"])], ["128000000", "128000000"]);
        let clocks: Vec<String> = json["points"].as_array().unwrap().iter().map(clock).collect();
        assert_eq!(clocks[..3], ["128000000"; 3]);
        assert_eq!(clocks[3..], ["123000000"; 3]);
        let fields: Vec<&String> = json["points"][0].as_object().unwrap().keys().collect();
        assert_eq!(
            fields,
            ["area", "utilization", "schedulable", "schedulable_within", "choices", "blocks", "clock_hz"]
        );
        let mut bytes = Vec::new();
        write(&shared(), &Workers::new(1), &mut bytes).unwrap();
        assert!(!String::from_utf8(bytes).unwrap().contains("clock_hz"));
    }

    #[test]
    fn the_smallest_schedulable_design_is_given_in_full_or_why_not() {
        let mut front = demo();
        let json = document(&front);
        let SmallestSchedulable::At(smallest) = front.verdicts.smallest.clone() else {
            panic!("the demo is schedulable")
        };
        assert_eq!(json["min_schedulable_area"], format_decimal(smallest.design.area()));
        assert_eq!(json["min_schedulable"], expected(&front, &smallest.design, &smallest.choices));
        assert_eq!(json["min_schedulable_unknown"], Value::Null);
        front.verdicts.smallest = SmallestSchedulable::Unknown("too \"long\"".into());
        let json = document(&front);
        assert_eq!(json["min_schedulable_area"], Value::Null);
        assert_eq!(json["min_schedulable"], Value::Null);
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
    fn numbers_that_floats_cannot_hold_are_exact() {
        let mut taskset = random(3, 1, 1);
        taskset.tasks[0].choices[0].cost[0] = Rational::from(num_bigint::BigInt::from((1_i64 << 53) + 1));
        let front = front_of(&taskset);
        let json = document(&front);
        let areas: Vec<&str> =
            json["points"].as_array().unwrap().iter().map(|p| p["area"].as_str().unwrap()).collect();
        let sums: Vec<String> = front.front.iter().map(|point| format_decimal(&point.area())).collect();
        assert_eq!(areas, sums);
        assert!(areas.contains(&"9007199254742078.5"), "{areas:?}");
    }

    #[test]
    fn nasty_names_survive() {
        let front = front_of(&nasty());
        let json = document(&front);
        assert_eq!(json["taskset"], front.task_set().name);
        for task in &front.task_set().tasks {
            assert!(json["points"][0]["choices"].get(&task.name).is_some(), "{}", task.name);
        }
    }

    #[test]
    fn a_failing_writer_is_reported() {
        assert_eq!(
            write(&demo(), &Workers::new(1), &mut Full).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }

    /// `cargo test --release json_throughput -- --ignored --nocapture`
    #[test]
    #[ignore = "measures"]
    fn json_throughput() {
        struct Count(u64);
        impl Write for Count {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 += bytes.len() as u64;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let front = front_of(&correlated(50, 3, 1));
        for front in [&front, &front_of(&correlated_with_blocks(25, 3, 1))] {
            let mut count = Count(0);
            let start = std::time::Instant::now();
            write(front, &Workers::new(2), &mut count).unwrap();
            let seconds = start.elapsed().as_secs_f64();
            let rate = count.0 as f64 / seconds / 1e6;
            println!("{} points, {} bytes, {seconds:.3} s, {rate:.0} MB/s", front.front.len(), count.0);
        }
        let mut bytes = Vec::new();
        write(&front, &Workers::new(2), &mut bytes).unwrap();
        let start = std::time::Instant::now();
        let read = isx_pages::plot::PlotData::from_written(bytes.as_slice()).unwrap();
        println!("read {} points in {:.3} s", read.points.len(), start.elapsed().as_secs_f64());
        assert_eq!(read.points.len(), front.front.len());
    }
}
