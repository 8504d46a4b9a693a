//! `isx partition TASKSET [--cores 1..8]`.

use super::notes::print_set_notes;
use crate::arguments::parse_seconds;
use crate::arguments::what_if::Changes;
use crate::failure::{Failure, Outcome};
use crate::files::{deliver, origin, read_task_set};
use crate::proofs::certified;
use crate::terminal;
use crate::terminal::progress::Bar;
use crate::terminal::signals;
use clap::Args;
use isx_certificate::{CertifyError, Prices, certify_division};
use isx_design::partition::{Row, Status};
use isx_design::schedulability::Limits;
use isx_engine::Progress;
use isx_exact::quantity::{Rational, format_rounded};
use isx_explore::partition::{CORES, PartitionOptions, STEPS, TaskPrices, front, partition, prices};
use isx_machine::Machine;
use isx_pages::html::write_partitions;
use isx_pages::svg::{draw_core_front, draw_cores};
use isx_pages::{core_front, partition as report};
use isx_report::files::check_place;
use isx_report::origin::Origin;
use isx_taskset::formulate::formulate;
use isx_taskset::{Joined, TaskSet, cores_in};
use num_traits::Zero;
use std::path::PathBuf;
use std::time::Duration;

/// Distribute the tasks among several equal cores, at the least area with which all deadlines are met
///
/// A row per number of cores: the least area with every core, choice and block counted, and whether it is proved. Each
/// task runs on one core and takes one choice; a block is built on every core with a task that uses it or, with `scope:
/// chip`, once. Under the table the cheapest design, core by core. The margin is by how much all WCETs may grow.
///
/// The file may say `cores: {count: 1..4, area: 1614}`, and of a task `core: 0` or `apart: [other]`. Of several resources each
/// core costs the `base` of the file; where `cores` has a `cost`, a core costs that, and `base` is built once for the chip.
///
/// Of several resources `--price LUT=1,DSP=80` makes the area, or `--objectives LUT` names the one to be least; the limits of
/// `--within`, `--device` or the file's device hold for the chip with all cores.
///
/// Exit code 0: a design for one of the numbers of cores; 1: none has a design; 3: unknown.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Partition {
    /// The task set, a YAML file, or - for standard input
    #[arg(value_name = "TASKSET")]
    taskset: PathBuf,

    /// The number of cores, or a range to compare [default: that of the file, or 1..4]
    #[arg(long, value_name = "N|N..N", value_parser = cores_in)]
    cores: Option<(u32, u32)>,

    /// The trade-off on one number of cores: the least area against the largest utilization of a core
    #[arg(long)]
    front: bool,

    /// Print the rows as JSON
    #[arg(long)]
    json: bool,

    /// Write a page with every number of cores (FILE.html), or draw the cheapest design, a column per core, or the front
    /// (FILE.svg); - draws it to standard output
    #[arg(short, long, value_name = "FILE.html|FILE.svg", conflicts_with = "json")]
    output: Option<PathBuf>,

    /// Prove the answer for one number of cores, and write the proof to a file that `isx verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "front")]
    certificate: Option<PathBuf>,

    /// Stop after this many seconds; what is not decided by then is unknown, with both bounds [default: a limit of work]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    max_time: Option<Duration>,

    #[command(flatten)]
    changes: Changes,
}

fn short(area: &Rational) -> String {
    format_rounded(area, if area.is_integer() { 0 } else { 3 })
}

impl Partition {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let is_page = self.is_page()?;
        let (reading, input) = read_task_set(&self.taskset)?;
        let warnings: Vec<String> =
            reading.warnings.iter().map(|warning| warning.message().to_owned()).collect();
        let set = self.changes.apply_with_limits(&reading.task_set)?;
        refuse(&set)?;
        let of_file = set.cores.as_ref().and_then(|cores| cores.count);
        let cores = self.cores.or(of_file).unwrap_or(CORES);
        let (least, most) = cores;
        if self.front && least != most {
            bail!(
                "--front is about one number of cores, and these are {least} to {most}: name one with --cores {most}"
            );
        }
        if let Some(file) = &self.certificate {
            if least != most {
                bail!(
                    "--certificate proves the answer for one number of cores, not for {least}..{most}: choose one with --cores N"
                );
            }
            let limits = set.priced.as_ref().and_then(|priced| priced.resources.limits_in_words());
            if let Some(limits) = limits {
                bail!(
                    "--certificate proves a least area without limits of resources, and here they are {limits}: such an \
                     answer rests on the search"
                );
            }
            if set.priced.is_some() && !self.changes.has_price() {
                bail!(
                    "--certificate needs the price too, for `isx verify`: give --price {}=1",
                    set.area_unit()
                );
            }
            check_place(file)?;
        }
        let bar = Bar::counting(if self.front { "designs" } else { "numbers of cores" });
        bar.begin("distributing", u64::from(most - least + 1));
        let report = |_: &Row| bar.advance(1);
        let searching = |count: u32, bound: &Rational, best: Option<&Rational>| {
            let best = best.map_or_else(|| "none found".to_owned(), |best| format!("found {}", short(best)));
            bar.say(format!("cores {count}: at least {}, {best}", short(bound)));
        };
        // An interrupt ends the search, and what is known is printed.
        signals::wait_for_answer();
        let options = PartitionOptions {
            cores,
            engine: None,
            steps: if self.max_time.is_some() { u64::MAX } else { STEPS },
            max_time: self.max_time,
            limits: Limits::default(),
            go_on: &|| !signals::is_answer_wanted(),
            searching: &searching,
            report: &report,
        };
        let shown = terminal::printing();
        let outcome = if self.front {
            let found = front(&set, &options);
            bar.finish();
            let found = found.map_err(|error| Failure::Usage(error.to_string()))?;
            signals::answer_begins();
            self.draw(draw_core_front(&found))?;
            self.print(&|out| core_front::write_json(&found, out), &|out| {
                core_front::write_text(&found, &shown, out)
            })?;
            match (&found.points[..], &found.open) {
                ([_, ..], _) => Outcome::Done,
                ([], Some(_)) => Outcome::Unknown,
                ([], None) => Outcome::Negative,
            }
        } else {
            let found = partition(&set, &options);
            bar.finish();
            let found = found?;
            signals::answer_begins();
            self.certify(&set, &found.rows, &options)?;
            match &self.output {
                Some(file) if is_page => {
                    let certificate = self.certificate.as_deref().and_then(origin::written);
                    let inputs = vec![origin::named(&self.taskset, &input)];
                    let origin = Origin { certificate, ..origin::origin(inputs, warnings) };
                    deliver(Some(file), |out| write_partitions(&found, &origin, out))?;
                }
                _ => self.draw(draw_cores(&found))?,
            }
            self.print(&|out| report::write_json(&found, out), &|out| {
                report::write_text(&found, &shown, out)
            })?;
            let is_unknown = |row: &Row| matches!(row.status, Status::Unknown(_));
            if found.rows.iter().any(|row| row.best.is_some()) {
                Outcome::Done
            } else if found.rows.iter().any(is_unknown) {
                Outcome::Unknown
            } else {
                Outcome::Negative
            }
        };
        signals::answer_ends();
        if set.core_area().is_zero() {
            terminal::note(&free_core_note(&reading.task_set));
        }
        print_set_notes(&TaskSet { cores: None, ..set });
        Ok(outcome)
    }

    fn certify(&self, set: &TaskSet, rows: &[Row], options: &PartitionOptions) -> Result<(), Failure> {
        let (Some(file), [row]) = (&self.certificate, rows) else { return Ok(()) };
        // The combinations of parts are choices there.
        let joined = set.joined();
        let own = joined.as_ref().map(|joined| (&joined.task_set, of_joined(row, joined)));
        let (set, row) = own.as_ref().map_or((set, row), |(set, row)| (*set, row));
        certified(Some(file), |out| {
            let formulation =
                formulate(set, None).map_err(|error| CertifyError::Refused(error.to_string()))?;
            let of_clock = |clock, decided: &[Option<bool>]| {
                let TaskPrices { worth, shift, largest } =
                    prices(set, row, clock, decided, options).ok()??;
                let unsigned = |number: &i64| u64::try_from(*number).ok();
                let worth = worth.iter().map(unsigned).collect::<Option<_>>()?;
                Some(Prices { shift, largest: unsigned(&largest)?, worth })
            };
            certify_division(set, &formulation, row, &of_clock, Machine::default().max_memory(), out)
        })
        .map(drop)
    }

    fn draw(&self, picture: Option<String>) -> Result<(), Failure> {
        match (&self.output, picture) {
            (Some(file), Some(picture)) => deliver(Some(file), |out| out.write_all(picture.as_bytes())),
            (Some(_), None) => {
                terminal::note("nothing is drawn: no number of cores has a design");
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// Prints the answer, unless its picture is on standard output.
    fn print(&self, json: terminal::Write, text: terminal::Write) -> Result<(), Failure> {
        let is_drawn = self.output.as_ref().is_some_and(|file| file.as_os_str() == "-");
        let text: terminal::Write = if is_drawn { &|_| Ok(()) } else { text };
        Ok(terminal::print(self.json, json, text)?)
    }
}

impl Partition {
    /// Whether a page is wanted, not a picture.
    fn is_page(&self) -> Result<bool, Failure> {
        let Some(file) = &self.output else { return Ok(false) };
        match file.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("html") && self.front => {
                bail!(
                    "the front of areas and largest utilizations is drawn as SVG, so `{}` must end in .svg",
                    file.display()
                )
            }
            Some(ending) if ending.eq_ignore_ascii_case("html") => Ok(true),
            Some(ending) if !ending.eq_ignore_ascii_case("svg") => bail!(
                "isx writes a page or draws SVG here, so `{}` must end in .html or .svg",
                file.display()
            ),
            _ => Ok(false),
        }
    }
}

/// A row as one of the set without parts.
fn of_joined(row: &Row, joined: &Joined) -> Row {
    let mut row = row.clone();
    if let Some(best) = &mut row.best {
        best.choices = joined.together(&best.choices).unwrap_or_default();
        best.assignment = joined.of_tasks(&best.assignment);
        let (blocks, chip_blocks) = joined.built(&best.choices, &best.assignment, best.blocks.len());
        (best.blocks, best.chip_blocks) = (blocks, chip_blocks);
    }
    row
}

/// The note on cores that cost nothing, with what gives them a cost in the file.
fn free_core_note(of_file: &TaskSet) -> String {
    let has_chip = of_file.cores.as_ref().is_some_and(|cores| !cores.chip_cost.is_empty());
    let name = &of_file.resources.names[0];
    let key = match () {
        () if of_file.is_one_area() => "`cores: {area: ..}`".to_owned(),
        () if has_chip => format!("`cores: {{cost: {{{name}: ..}}}}`"),
        () => format!("`base: {{{name}: ..}}`"),
    };
    format!("a core costs nothing here; {key} in the file says what one takes")
}

/// Refuses what is not one area of one processor in one mode, and says what to do.
fn refuse(set: &TaskSet) -> Result<(), Failure> {
    if let Some(resources) = set.named_resources() {
        let prices: Vec<String> = resources.names.iter().map(|name| format!("{name}=..")).collect();
        bail!(
            "`{}` counts {}: cores are compared by one area, so give each resource a price with --price {}, or name the one \
             to be least with --objectives {}; --within and --device limit all of them",
            set.name,
            resources.names.join(", "),
            prices.join(","),
            resources.names[0]
        );
    }
    if let Some((lock, tasks)) = set.users_of_locks().into_iter().find(|(_, tasks)| tasks.len() > 1) {
        bail!(
            "tasks `{}` and `{}` of `{}` share the lock `{lock}`, and what a task waits for that is held on another core is not \
             computed: leave `locks` out, count each wait in the WCETs, or decide the tasks of one core with `isx check`",
            set.tasks[tasks[0]].name,
            set.tasks[tasks[1]].name,
            set.name
        );
    }
    if !set.modes.is_empty() {
        bail!(
            "`{}` has several modes, and tasks are divided among cores for one: write a set of the tasks of a mode",
            set.name
        );
    }
    if let Some(first) = set.variants.first() {
        bail!(
            "the processor of `{}` has variants, and all cores are of one: choose it with --variant {}",
            set.name,
            first.name
        );
    }
    Ok(())
}
