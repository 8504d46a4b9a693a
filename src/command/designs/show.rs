//! `isx show TASKSET|FRONT`.

use super::notes::one_core_note;
use crate::arguments::what_if::Changes;
use crate::arguments::{Computation, Integers};
use crate::failure::{Failure, Outcome};
use crate::files::{STDIN, deliver, is_stdin, open_front, parquet_file, read_task_set, unreadable, warn};
use crate::fronts::plot::{Kind, check_ending, looked_at};
use crate::terminal;
use crate::terminal::progress::Bar;
use clap::{ArgGroup, Args};
use isx_design::schedulability::{Effort, NoSchedule, schedule};
use isx_exact::quantity::{Rational, parse_decimal, parse_fraction, shortened};
use isx_explore::refuse_area;
use isx_explore::resources::least;
use isx_import::solution_numbers;
use isx_mckp::Mckp;
use isx_pages::plot::PlotError;
use isx_pages::show::{
    NoSuchPoint, Pick, Schedulability, Shown, find, from_front, near, write_json, write_text,
};
use isx_pages::svg::{Scheduled, draw_gantt};
use isx_report::front::{Front, WithChoices};
use isx_report::written::Written;
use isx_taskset::formulate::Formulation;
use isx_taskset::{Reading, TaskSet, read_from};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Show one design task by task, with its margin and the next design of the front
///
/// The design is chosen by area, by its number on the front, by utilization, or as the smallest schedulable design,
/// which may be off the front; of several resources, --within or --device alone chooses the one of least utilization within
/// the limits, and --smallest the first of the minimal costs. From a front.json or front.parquet, which holds no WCETs and deadlines, only the
/// choices and figures are shown. Exit code 1 where there is no such design, 3 where the smallest one cannot be
/// determined.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    group(ArgGroup::new("wanted").args(WANTED).required(true).multiple(true)),
    override_usage = "isx show [OPTIONS] <--area A|--within R|--point K|--max-utilization U|--smallest> <INPUT>"
)]
pub struct Show {
    /// The task set, a YAML file, or the front.json or front.parquet that `isx explore` wrote; - for standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    #[command(flatten)]
    pick: Which,

    /// Show the tasks of this mode; of the one with the largest utilization unless given
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    mode: Option<String>,

    /// Print the design as JSON
    #[arg(long)]
    json: bool,

    /// Draw the schedule that decides, from the critical instant to the first deadline that is missed or, if none is, to the
    /// one that is nearest to it; - for standard output, in place of the text
    #[arg(long, value_name = "FILE.svg")]
    gantt: Option<PathBuf>,

    /// Write which solution of each sharing group the design builds, as the selected_solutions.yaml of ISAAC and Longnail
    #[arg(long, hide_short_help = true, value_name = "FILE.yaml")]
    write_selection: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    #[command(flatten)]
    computation: Computation<Mckp, Integers>,
}

/// The flags of which at least one is given: those of [`Which`], and the limits of several resources.
const WANTED: [&str; 6] = ["area", "point", "max_utilization", "smallest", "within", "device"];

/// Which design to show.
#[derive(Args)]
#[group(required = false, multiple = false)]
struct Which {
    /// The design of least utilization within this area, in the file's area unit
    #[arg(long, value_name = "AREA", value_parser = parse_decimal, allow_negative_numbers = true)]
    area: Option<Rational>,

    /// The design with this number on the front, counted from 0
    #[arg(long, value_name = "K")]
    point: Option<usize>,

    /// The design of least area with at most this utilization: a decimal or a fraction such as 9/10
    #[arg(long, value_name = "U", value_parser = parse_fraction, allow_negative_numbers = true)]
    max_utilization: Option<Rational>,

    /// The smallest schedulable design; with short deadlines or fixed priorities it may be off the front
    #[arg(long)]
    smallest: bool,
}

impl Which {
    /// The design asked for; with limits alone, that of least utilization within them.
    fn pick(&self) -> Pick {
        match self {
            Self { area: Some(area), .. } => Pick::Area(area.clone()),
            Self { max_utilization: Some(most), .. } => Pick::MaxUtilization(most.clone()),
            Self { smallest: true, .. } => Pick::Smallest,
            Self { point: Some(point), .. } => Pick::Point(*point),
            _ => Pick::Least,
        }
    }
}

impl Show {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let pick = self.pick.pick();
        check_ending(self.gantt.as_deref())?;
        let is_picture_printed = self.gantt.as_deref().is_some_and(is_stdin);
        if is_picture_printed && self.json {
            bail!("--gantt - and --json both write to standard output; give --gantt a file");
        }
        let shown = match Input::of(&self.input)? {
            Input::Front(front) => self.of_front(front, &pick)?,
            Input::TaskSet(reading) => self.of_task_set(*reading, &pick)?,
        };
        let shown = shown
            .map_err(|none| Failure::NoAnswer(none.to_string(), if none.is_undecided { 3 } else { 1 }))?;
        if is_picture_printed {
            return Ok(Outcome::Done);
        }
        terminal::print(self.json, &|out| write_json(&shown, out), &|out| {
            write_text(&shown, &terminal::printing(), out)
        })?;
        Ok(Outcome::Done)
    }

    fn of_front(&self, front: Written, pick: &Pick) -> Result<Result<Shown, NoSuchPoint>, Failure> {
        let refused = |why: &str| Err(unreadable(&self.input, &why));
        if self.mode.is_some() {
            return refused("--mode shows a mode of a task set, and this is a front");
        }
        if self.gantt.is_some() {
            return refused(
                "--gantt needs WCETs and deadlines, and this is a front, which has none; give the task set",
            );
        }
        if self.write_selection.is_some() {
            return refused("--write-selection needs the task set that was imported, and this is a front");
        }
        let wrong = |problem: PlotError| unreadable(&self.input, &problem);
        if !self.changes.are_any() {
            let near = |front: &Front| near(front, pick);
            return Ok(from_front(&Front::read(front, &WithChoices::Of(&near)).map_err(wrong)?, pick));
        }
        let front = Front::read(front, &WithChoices::First(usize::MAX)).map_err(wrong)?;
        if !self.changes.are_only_limits() {
            return refused(
                "--force, --forbid, --variant, --scale-wcet, --margin, --objectives and --price change a task set, and this is a front",
            );
        }
        if *pick != Pick::Least {
            return refused(
                "--within and --device choose a design of a front by themselves; leave out the other flag that chooses one",
            );
        }
        let resources = front.head.resources.clone();
        if resources.area_unit.is_some() {
            return refused("this front has one area and no resources by name; choose a design with --area");
        }
        let (resources, mut limits) = self.changes.limit(resources)?;
        Ok(from_front(&front, &Pick::Within(resources)).map(|mut shown| {
            shown.head.what_if.append(&mut limits);
            shown
        }))
    }

    fn of_task_set(&self, reading: Reading, pick: &Pick) -> Result<Result<Shown, NoSuchPoint>, Failure> {
        let task_set = self.changes.apply(reading.task_set)?;
        if self.gantt.is_some() {
            refuse_schedule(&task_set)?;
        }
        one_core_note(&task_set).iter().for_each(|note| terminal::note(note));
        let mode = self.mode.as_ref().map(|name| mode_of(&task_set, name)).transpose()?;
        let bar = Bar::new();
        let options = self.computation.exploring(None, &bar);
        refuse_area(&task_set, matches!(pick, Pick::Area(_)))?;
        let explored = match pick {
            Pick::Least => least(&task_set, &options, &mut Effort::new(options.limits)),
            _ => isx_explore::explore(&task_set, &options),
        };
        bar.finish();
        let explored = explored?;
        let front = Front::of(&explored);
        let found = match find(&front, pick) {
            Ok(found) => found,
            Err(none) => return Ok(Err(none)),
        };
        let choices = &found.design.choices;
        let formulation = explored.front.formulation_in(found.variant());
        let mut effort = Effort::new(options.limits);
        let schedulability = Schedulability::of_choices(&task_set, formulation, choices, mode, &mut effort);
        if let Some(file) = &self.write_selection {
            write_selection(file, &task_set, choices)?;
        }
        if let Some(picture) = &self.gantt {
            self.draw_schedule(picture, &task_set, formulation, choices, schedulability.mode, &mut effort)?;
        }
        Ok(Ok(Shown::new(&front, pick, &found).with_set(&explored, &found, schedulability)))
    }

    fn draw_schedule(
        &self,
        picture: &Path,
        set: &TaskSet,
        formulation: &Formulation,
        choices: &[Option<u32>],
        mode: usize,
        effort: &mut Effort,
    ) -> Result<(), Failure> {
        let formulation = formulation.modes.get(mode).unwrap_or(formulation);
        let schedule = schedule(formulation, choices, effort).map_err(|why| {
            let code = match why {
                NoSchedule::Undecided(_) => 3,
                NoSchedule::Disagreement(_) => 7,
                _ => 4,
            };
            Failure::NoAnswer(format!("--gantt: {why}"), code)
        })?;
        let mode = set.modes.get(mode).map(String::as_str);
        let drawn = draw_gantt(&schedule, &Scheduled { set, formulation, mode, choices });
        deliver(Some(picture), |out| out.write_all(drawn.as_bytes()))
    }
}

/// Writes the solutions that a design builds, and says which groups it builds none of.
fn write_selection(file: &Path, set: &TaskSet, choices: &[Option<u32>]) -> Result<(), Failure> {
    let all = set.tasks.iter().flat_map(|task| &task.choices);
    let mut groups: BTreeMap<u64, Option<u64>> =
        all.filter_map(|choice| Some((solution_numbers(&choice.name)?.0, None))).collect();
    if groups.is_empty() {
        let why = "names no solutions of sharing groups, such as `CUSTOM0.SG_1_SOL_IDX_0`; import an index with --schedules";
        bail!("--write-selection: `{}` {why}", shortened(&set.name));
    }
    let taken =
        set.tasks.iter().zip(choices).filter_map(|(task, at)| task.choices.get(at.as_ref()?.to_usize()?));
    groups.extend(
        taken.filter_map(|choice| solution_numbers(&choice.name)).map(|(group, at)| (group, Some(at))),
    );
    let (built, left): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, solution)| solution.is_some());
    let line = |(group, solution): (u64, Option<u64>)| {
        format!("- sharing_group: {group}\n  solution_idx: {}\n", solution.unwrap_or_default())
    };
    let text = if built.is_empty() { "[]\n".to_owned() } else { built.into_iter().map(line).collect() };
    deliver(Some(file), |out| out.write_all(text.as_bytes()))?;
    if !left.is_empty() {
        let left: Vec<String> = left.iter().map(|(group, _)| group.to_string()).collect();
        terminal::note(&format!("no instruction of these sharing groups is built: {}", left.join(", ")));
    }
    Ok(())
}

/// Refuses sets of which one processor alone has no schedule to draw.
fn refuse_schedule(set: &TaskSet) -> Result<(), Failure> {
    let why = if set.cores.is_some() {
        "has `cores`, and --gantt draws the schedule of one processor: write a set of the tasks of one core"
    } else if set.overruns.is_some() {
        "is asked about with --overruns, and --gantt draws a schedule without: leave one of them out"
    } else {
        return Ok(());
    };
    bail!("`{}` {why}", shortened(&set.name))
}

/// The number of the mode of this name.
fn mode_of(set: &TaskSet, name: &str) -> Result<usize, Failure> {
    set.modes.iter().position(|mode| mode == name).ok_or_else(|| {
        let known: Vec<String> = set.modes.iter().map(|mode| format!("`{}`", shortened(mode))).collect();
        let known = match known.as_slice() {
            [] => "the task set has no modes".to_owned(),
            known => format!("the modes are {}", known.join(", ")),
        };
        Failure::Usage(format!("--mode: there is no mode `{}`; {known}", shortened(name)))
    })
}

/// What there is to show a design of.
enum Input {
    Front(Written<'static>),
    TaskSet(Box<Reading>),
}

impl Input {
    fn of(file: &Path) -> Result<Self, Failure> {
        if let Some(parquet) = parquet_file(file) {
            return Ok(Self::Front(Written::in_file(parquet)));
        }
        // The reader of task sets reports a file that cannot be read itself.
        let Ok(Ok((kind, document))) = open_front(file).map(looked_at) else { return Self::task_set(file) };
        if matches!(kind, Kind::Front | Kind::Chart) {
            return Ok(Self::Front(Written::from(document)));
        }
        if !is_stdin(file) {
            return Self::task_set(file);
        }
        let reading = read_from(STDIN, document)?;
        warn(&reading);
        Ok(Self::TaskSet(Box::new(reading)))
    }

    fn task_set(file: &Path) -> Result<Self, Failure> {
        Ok(Self::TaskSet(Box::new(read_task_set(file)?.0)))
    }
}
