//! `isx confirm SET FRONT`.

use crate::failure::{Failure, Outcome};
use crate::files::{is_stdin, name, read_beginning, read_silently, unreadable};
use crate::fronts::plot::open_front;
use crate::terminal::{Talk, talk};
use clap::Args;
use isx_design::schedulability::{Effort, Limits, lowest_clock};
use isx_exact::quantity::{Rational, format_decimal, printable, shortened};
use isx_explore::ExploreError;
use isx_import::MAX_BYTES;
use isx_import::confirm::{AsBuilt, Confirmed, Counting, Reached, Row, parse_share};
use isx_report::front::costs;
use isx_report::front::{Front, WithChoices};
use isx_report::written::Written;
use isx_taskset::formulate::formulate_variants;
use isx_taskset::{Measured, Reading, TaskSet, TimeBase, in_percent};
use num_traits::Zero;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Compare designs of a front with what was built: reports of synthesis against the costs that the front predicts
///
/// A row per design that was built: predicted and built amounts of each resource, and their difference. Where designs are
/// off by more than the tolerance, the blocks that do not add up are named. Of several reports of a design the best counts.
/// Where reports have clocks, the slowest must reach the lowest clock at which the design meets its deadlines.
/// Where the task set names reports itself, the combinations under its `check` are compared with the designs that have just
/// these blocks. --list says which designs to build.
///
/// Exit code 0: all designs are within the tolerance and fast enough; 1: one is not.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    override_usage = "isx confirm [OPTIONS] <TASKSET> <FRONT> <--report POINT=FILE[,FILE]..|--list>"
)]
pub struct Confirm {
    /// The task set, a YAML file, or - for standard input
    #[arg(value_name = "TASKSET")]
    taskset: PathBuf,

    /// The front of it, a front.json or front.parquet
    #[arg(value_name = "FRONT")]
    front: PathBuf,

    /// Reports of the design with this number on the front, counted from 0; may be repeated
    #[arg(long, value_name = "POINT=FILE[,FILE]", value_parser = parse_reports)]
    report: Vec<PointReports>,

    /// The clock of this name in the reports is that of the processor [default: the slowest]
    #[arg(long, value_name = "NAME", conflicts_with = "list")]
    clock_name: Option<String>,

    /// The share of its prediction by which a design may be off
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = parse_share)]
    tolerance: Rational,

    /// Print the number of every design of the front, a tab, and its blocks with commas between them; then, if the processor has
    /// variants, a tab and the variant
    #[arg(long, conflicts_with_all = ["report", "json"])]
    list: bool,

    /// Print the rows as JSON
    #[arg(long)]
    json: bool,
}

/// The reports of a design.
#[derive(Clone)]
struct PointReports {
    point: usize,
    files: Vec<PathBuf>,
}

fn parse_reports(text: &str) -> Result<PointReports, String> {
    let example = "write POINT=FILE, for example 3=build/3.json, several files with commas between them";
    let (point, files) = text.split_once('=').ok_or(example)?;
    let point = point
        .trim()
        .parse()
        .map_err(|_| format!("`{}` is not the number of a design; {example}", shortened(point)))?;
    let files: Vec<PathBuf> = files.split(',').filter(|file| !file.is_empty()).map(PathBuf::from).collect();
    if files.is_empty() { Err(example.to_owned()) } else { Ok(PointReports { point, files }) }
}

/// A design as the front has it.
struct Predicted {
    cost: Vec<Rational>,
    utilization: Rational,
    blocks: Vec<String>,
    /// The number of the variant and its name.
    variant: Option<(usize, String)>,
    choices: Vec<Option<u32>>,
}

impl Confirm {
    pub fn run(&self) -> Result<Outcome, Failure> {
        if is_stdin(&self.taskset) && is_stdin(&self.front) {
            bail!("only one of task set and front can be standard input");
        }
        let Reading { task_set: set, measured, .. } = read_silently(&self.taskset)?.0;
        let points = self.points(&set, open_front(&self.front, "")?)?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        if self.list {
            for (at, point) in points.iter().enumerate() {
                let variant = point.variant.as_ref().map(|(_, name)| format!("\t{}", printable(name)));
                writeln!(out, "{at}\t{}{}", printable(&point.blocks.join(",")), variant.unwrap_or_default())?;
            }
            out.flush()?;
            return Ok(Outcome::Done);
        }
        let confirmed = self.confirmed(&set, measured.as_deref(), &points)?;
        if self.json {
            writeln!(out, "{:#}", as_json(&confirmed, &set))?;
        } else if talk() == Talk::Quiet {
            confirmed.write_line(&mut out)?;
        } else {
            confirmed.write_text(&mut out)?;
        }
        out.flush()?;
        Ok(if confirmed.holds() { Outcome::Done } else { Outcome::Negative })
    }

    /// The designs of the front, which must be those of the set.
    fn points(&self, set: &TaskSet, front: Written<'_>) -> Result<Vec<Predicted>, Failure> {
        let (mut points, mut wrong) = (Vec::new(), None);
        let front = Front::read(front, &WithChoices::First(usize::MAX));
        let front = front.map_err(|problem| unreadable(&self.front, &problem))?;
        let head = &front.head;
        front.visit(0..front.len(), &mut |at, point| match cost_in(
            set,
            (head.chosen(point), &head.built(point)),
            head.variant(point),
        ) {
            Some(own) if own.cost == point.exact_cost() => {
                points.push(Predicted { utilization: point.utilization.exact(), ..own });
            }
            _ => wrong = wrong.or(Some(at)),
        });
        match wrong {
            None if head.taskset == set.name => Ok(points),
            Some(at) if head.taskset == set.name => {
                let set = name(&self.taskset);
                Err(self.is_of_another_set(&format!("design {at} costs something else in {set}")))
            }
            _ => {
                let [own, this] = [&head.taskset, &set.name].map(|name| shortened(name));
                Err(self.is_of_another_set(&format!("it is the front of `{own}`, and this is `{this}`")))
            }
        }
    }

    fn confirmed(
        &self,
        set: &TaskSet,
        measured: Option<&Measured>,
        points: &[Predicted],
    ) -> Result<Confirmed, Failure> {
        let mut counting = counting(set, measured)?.for_device(set.resources.device.as_deref());
        let mut reports: BTreeMap<usize, Vec<PathBuf>> = BTreeMap::new();
        for PointReports { point, files } in &self.report {
            if reports.insert(*point, files.clone()).is_some() {
                bail!("--report names design {point} twice: put commas between its files");
            }
        }
        for (point, design) in points.iter().enumerate() {
            if let Some(files) = measured.and_then(|measured| self.combination(set, measured, design)) {
                reports.entry(point).or_insert(files);
            }
        }
        if reports.is_empty() {
            bail!(
                "give --report <POINT=FILE[,FILE]>: no design of the front is a combination under `check` of the task set"
            );
        }
        let has_clock = matches!(set.time_base, TimeBase::Cycles { .. });
        let mut rows = Vec::with_capacity(reports.len());
        for (point, files) in reports {
            let Some(design) = points.get(point) else {
                let last = points.len().saturating_sub(1);
                bail!("--report {point}=..: the front has no design {point}, its designs are 0 to {last}");
            };
            let read = |file: &PathBuf| Ok((name(file), read_beginning(file, MAX_BYTES + 1)?));
            let files = files.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
            let built = counting.built(&files, self.clock_name.as_deref())?;
            let Some(AsBuilt { amounts: built, clock }) = built else { continue };
            if built.is_empty() && !has_clock {
                bail!(
                    "the reports of design {point} are of another tool than the base, and without `clock` in the task set \
                     there is nothing to compare"
                );
            }
            let clock = match clock.filter(|_| has_clock) {
                Some(built) => Some(Reached { needed: self.needed(set, point, design)?, built }),
                None => None,
            };
            let (blocks, predicted) = (design.blocks.clone(), design.cost.clone());
            let variant = design.variant.as_ref().map(|(_, name)| name.clone());
            rows.push(Row { point, blocks, predicted, built, variant, clock });
        }
        let resources = counting.names().into_iter().map(str::to_owned).collect();
        let (taskset, tolerance) = (set.name.clone(), self.tolerance.clone());
        Ok(Confirmed { taskset, resources, points: points.len(), tolerance, rows })
    }

    /// The lowest clock at which a design meets its deadlines; `None` if that could not be decided.
    fn needed(&self, set: &TaskSet, point: usize, design: &Predicted) -> Result<Option<Rational>, Failure> {
        let number = design.variant.as_ref().map_or(0, |(number, _)| *number);
        let mut all = formulate_variants(set, None).map_err(ExploreError::from)?;
        let formulation = all.swap_remove(number).map_err(ExploreError::from)?;
        if formulation.utilization(&design.choices) != design.utilization {
            return Err(self.is_of_another_set(&format!(
                "design {point} has another utilization in {}",
                name(&self.taskset)
            )));
        }
        let mut effort = Effort::new(Limits::default());
        Ok(lowest_clock(set, &formulation, &design.choices, &mut effort))
    }

    /// The error for a front that is not that of the set as it is.
    fn is_of_another_set(&self, why: &str) -> Failure {
        let explore = format!("`isx explore {}`", name(&self.taskset));
        Failure::Usage(format!(
            "{}: {why}: compute the front of this task set, as it is, by {explore}",
            name(&self.front)
        ))
    }

    /// The reports of the combination under `check` that a design is: just its blocks, and no hardware of choices.
    fn combination(&self, set: &TaskSet, measured: &Measured, design: &Predicted) -> Option<Vec<PathBuf>> {
        let mut cost = set.resources.base.clone();
        for block in set.blocks.iter().filter(|block| design.blocks.contains(&block.name)) {
            cost.iter_mut().zip(&block.cost).for_each(|(cost, own)| *cost += own);
        }
        let mut all =
            measured.combinations.iter().filter(|_| design.variant.is_none() && cost == design.cost);
        let found = all.find(|built| built.blocks == design.blocks)?;
        let folder = self.taskset.parent().unwrap_or(Path::new(""));
        Some(found.files.iter().map(|file| folder.join(file)).collect())
    }
}

/// What counts as the resources of the set: what it says of its own reports, or each tool's usual words.
fn counting(set: &TaskSet, measured: Option<&Measured>) -> Result<Counting, Failure> {
    if set.is_one_area() && set.resources.base[0].is_zero() {
        bail!(
            "the task set has areas, without that of the processor, and reports are of the whole design: give it \
             `resources: [LUT]` with a `base`, and costs instead of areas"
        );
    }
    Ok(measured
        .map_or_else(|| Counting::usual(set.resources.names.iter().map(String::as_str)), Counting::of_set))
}

/// The design with these choices; `None` if the set has none.
fn cost_in<'c>(
    set: &TaskSet,
    (choices, blocks): (impl Iterator<Item = (&'c str, Option<&'c str>)>, &[&str]),
    variant: Option<&str>,
) -> Option<Predicted> {
    let mut total = set.resources.base.clone();
    let mut add = |cost: &[Rational]| total.iter_mut().zip(cost).for_each(|(total, own)| *total += own);
    let mut named = None;
    if let Some(variant) = variant {
        let number = set.variants.iter().position(|other| other.name == variant)?;
        add(&set.variants[number].cost);
        named = Some((number, variant.to_owned()));
    }
    let mut used = vec![false; set.blocks.len()];
    let mut taken = Vec::with_capacity(set.tasks.len());
    let mut tasks = set.tasks.iter();
    for (task, choice) in choices {
        let task = tasks.next().filter(|other| other.name == task)?;
        let Some(choice) = choice else {
            taken.push(None);
            continue;
        };
        let is_built = |block: u32| blocks.contains(&set.blocks[block as usize].name.as_str());
        let number = task.choice_named(choice, &is_built)?;
        let choice = &task.choices[number];
        taken.push(Some(number as u32));
        add(&choice.cost);
        choice.uses.iter().for_each(|&block| used[block as usize] = true);
    }
    let built: Vec<_> =
        set.blocks.iter().zip(used).filter(|(_, used)| *used).map(|(block, _)| block).collect();
    built.iter().for_each(|block| add(&block.cost));
    let blocks = built.iter().map(|block| block.name.clone()).collect();
    let is_whole = taken.len() == set.tasks.len() && named.is_some() != set.variants.is_empty();
    let design =
        Predicted { cost: total, utilization: Rational::default(), blocks, variant: named, choices: taken };
    is_whole.then_some(design)
}

/// The schema's name.
const SCHEMA: &str = "isx.confirm/1";

fn as_json(confirmed: &Confirmed, set: &TaskSet) -> Value {
    let amounts = |amounts: &[Rational]| match amounts {
        [] => Value::Null,
        [area] if costs::is_area(&set.resources) => format_decimal(area).into(),
        amounts => json!(costs::object(&set.resources, amounts)),
    };
    let row = |row: &Row| {
        let mut value = json!({
            "point": row.point,
            "blocks": row.blocks,
            "predicted": amounts(&row.predicted),
            "built": amounts(&row.built),
            "difference": amounts(&row.differences()),
            "within_tolerance": (!row.built.is_empty()).then(|| !confirmed.is_off(row)),
        });
        if let Some(variant) = &row.variant {
            value["variant"] = variant.clone().into();
        }
        if let Some(Reached { needed, built }) = &row.clock {
            value["clock_hz"] =
                json!({"needed": needed.as_ref().map(format_decimal), "built": format_decimal(built)});
        }
        value
    };
    json!({
        "schema": SCHEMA,
        "taskset": confirmed.taskset,
        "points": confirmed.points,
        "tolerance": in_percent(&confirmed.tolerance),
        "within_tolerance": confirmed.is_within(),
        "largest": confirmed.largest().map(|row| row.point),
        "not_additive": confirmed.not_additive().iter().map(|row| &row.blocks).collect::<Vec<_>>(),
        "rows": confirmed.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}
