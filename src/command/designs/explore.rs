//! `isx explore TASKSET`.

use super::front_folder::{Folder, Results, TableFile};
use super::notes::notes;
use super::sets::Sets;
use crate::arguments::what_if::Changes;
use crate::arguments::{Computation, Integers};
use crate::failure::{Failure, Outcome, Ways};
use crate::files::several::{Ended, Share};
use crate::files::{origin, read_silently, read_task_set};
use crate::proofs::{certified, prove_nothing_fits, write_if_made};
use crate::terminal::progress::Bar;
use crate::terminal::{self, Talk, talk};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use isx_certificate::pseudo_boolean::{Formula, TooMany, write_refutation};
use isx_certificate::{CertifyError, certify};
use isx_design::exploration::{Exploration, Status};
use isx_design::schedulability::{Effort, Smallest};
use isx_engine::{Hardware, NoProgress};
use isx_exact::quantity::{Rational, parse_decimal};
use isx_explore::{Options, explore_within};
use isx_mckp::Mckp;
use isx_pages::formats::{FORMATS, Format};
use isx_pages::overview::Facts;
use isx_pages::table;
use isx_report::files::{check_place, write_whole};
use isx_report::front::Front;
use isx_report::origin::{Origin, OriginFile};
use isx_report::written::NO_PARQUET;
use isx_report::{json, lines, listed, visible, wrapped};
use isx_taskset::{Diagnostic, TaskSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Compute the exact Pareto front of area against utilization, of one task set or of many
///
/// Prints a summary and writes front.csv, front.json and front.svg (or what --format names) to output/<file stem>,
/// for standard input to output/stdin; a what-if adds -what-if to the folder's name, and --out keeps several. Unless
/// --out or --overwrite is given, a folder that holds the front of another input is left alone (exit code 6).
///
/// With several task sets (a folder stands for its .yaml and .yml files, sorted by name) each has its folder below
/// --out or output/, all have a row of the table fronts.csv there, and a shorter table is printed. An invalid set does
/// not stop the others; the exit code is then 2.
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Explore {
    /// The task set, a YAML file, or - for standard input; or several files, or a folder of them
    #[arg(required = true, value_name = "TASKSET")]
    tasksets: Vec<PathBuf>,

    /// Output folder; of several task sets, the one above their folders [default: output/<stem of TASKSET>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write to the default folder even if it holds the front of another input
    #[arg(long, hide_short_help = true)]
    overwrite: bool,

    /// Consider only designs up to this area, in the file's area unit; the files of the whole front are replaced
    /// unless --out names another folder
    #[arg(long, value_name = "AREA", value_parser = parse_decimal, allow_negative_numbers = true)]
    max_area: Option<Rational>,

    /// Formats to write, only these: csv, json, svg; html for a self-contained report; parquet for fronts of millions of
    /// points [default: csv,json,svg]
    #[arg(long = "format", value_name = "FORM,..", value_delimiter = ',', value_parser = formats())]
    formats: Vec<&'static Format>,

    /// What the front is about: area against utilization, or against margin, the largest factor on all WCETs with which a design
    /// stays schedulable
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum, default_value_t = FrontOf::Utilization, hide_default_value = true)]
    front: FrontOf,

    /// Print every point of the front, also on a terminal, which otherwise shows as many as its height holds
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Print the front as JSON, not the summary (several: a line per task set); write files only with --out
    #[arg(long)]
    json: bool,

    /// Prove that no point is missing and none can be better: status "proved" instead of "checked"
    #[arg(long)]
    prove: bool,

    /// Write the proof to a file that `isx verify` checks; implies --prove
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Write a pseudo-Boolean formula (OPB) that has no solution if and only if the front is complete and optimal
    #[arg(long, hide_short_help = true, value_name = "FILE.opb")]
    opb: Option<PathBuf>,

    /// Write the proof that the formula of --opb has no solution, for VeriPB 3
    #[arg(long, hide_short_help = true, value_name = "FILE.pbp", requires = "opb")]
    veripb: Option<PathBuf>,

    #[command(flatten)]
    changes: Changes,

    #[command(flatten)]
    computation: Computation<Mckp, Integers>,
}

impl Explore {
    pub fn run(&self) -> Result<Outcome, Failure> {
        match &self.tasksets[..] {
            [one] if !one.is_dir() => self.explore_one(one),
            several => self.explore_sets(several),
        }
    }

    fn explore_one(&self, taskset: &Path) -> Result<Outcome, Failure> {
        self.refuse_beside_margin()?;
        let (reading, input) = read_task_set(taskset)?;
        let named = origin::named(taskset, &input);
        let warnings = reading.warnings;
        let task_set = self.changes.apply(reading.task_set)?;
        self.refuse_beside_resources(&task_set)?;
        let results = match self.is_writing() {
            true => Some(Results::prepare(taskset, input, self.folder(), self.formats())?),
            false => None,
        };

        let proofs = [&self.certificate, &self.opb, &self.veripb];
        proofs.into_iter().flatten().try_for_each(|file| check_place(file))?;
        let bar = Bar::new();
        let proof = self.is_proved();
        let options = Options { proof, ..self.computation.exploring(self.max_area.clone(), &bar) };
        let explored = match self.front {
            FrontOf::Utilization => isx_explore::explore(&task_set, &options),
            FrontOf::Margin => isx_explore::explore_margins(&task_set, &options),
        };
        bar.finish();
        if let (Err(error), Some(file)) = (&explored, &self.certificate) {
            prove_nothing_fits(error, &task_set, file, options.machine.max_memory())?;
        }
        let mut front = explored?;
        if self.is_proved() {
            self.prove(&mut front, options.machine.max_memory())?;
        }
        self.write_formula(&front)?;
        let workers = options.machine.workers();

        let document = Front::of(&front);
        self.warn_of_size(&document, results.as_ref());
        let written = match &results {
            Some(results) => results.write(&document, &self.origin(&front, named, warnings), workers)?,
            None => Vec::new(),
        };
        match &results {
            Some(results) if !self.json => {
                self.print_summary(&document, &front, &results.directory, &written)?
            }
            _ => {
                notes(&front, talk()).iter().for_each(|note| terminal::note(note));
                terminal::print(true, &|out| json::write(&document, workers, out), &|_| Ok(()))?;
            }
        }
        Ok(if front.larger_margins_unknown.is_some() { Outcome::Unknown } else { Outcome::Done })
    }

    /// Whether files are written.
    fn is_writing(&self) -> bool {
        !self.json || self.out.is_some()
    }

    /// Where they go.
    fn folder(&self) -> Folder {
        match &self.out {
            Some(folder) => Folder::Asked(folder.clone()),
            None => Folder::Default { what_if: self.changes.are_any(), overwrite: self.overwrite },
        }
    }

    fn is_proved(&self) -> bool {
        self.prove || self.certificate.is_some()
    }

    /// Writes the front's claim for other solvers, and its proof for VeriPB.
    fn write_formula(&self, front: &Exploration) -> Result<(), Failure> {
        let Some(opb) = &self.opb else { return Ok(()) };
        let formula = Formula::new(&front.front).map_err(CertifyError::from)?;
        write_whole(opb, |out| formula.write(out))?;
        let Some(veripb) = &self.veripb else { return Ok(()) };
        write_if_made(veripb, |out| {
            write_refutation(&formula, MOST_STEPS, out).map_err(|refused| match refused {
                TooMany::Write(cause) => CertifyError::Write(cause).into(),
                too_many => Failure::NoAnswer(too_many.to_string(), 4),
            })
        })
    }

    /// Writes a certificate of the front and checks it.
    fn prove(&self, front: &mut Exploration, max_bytes: u64) -> Result<(), Failure> {
        let verdicts = &front.verdicts.points;
        certified(self.certificate.as_deref(), |out| certify(&front.front, verdicts, max_bytes, out))?;
        front.status = Status::Proved;
        Ok(())
    }

    /// The origin of the reports.
    fn origin(&self, front: &Exploration, input: OriginFile, warnings: Vec<Diagnostic>) -> Origin {
        let mut sentences: Vec<String> =
            warnings.iter().map(|warning| warning.message().to_owned()).collect();
        sentences.extend(notes(front, Talk::Verbose));
        let certificate = self.certificate.as_deref().and_then(origin::written);
        Origin { certificate, ..origin::origin(vec![input], sentences) }
    }

    /// Refuses what is made for a front of area against utilization only.
    fn refuse_beside_margin(&self) -> Result<(), Failure> {
        if self.front == FrontOf::Utilization {
            return Ok(());
        }
        let proofs = [
            ("--prove", self.prove),
            ("--certificate", self.certificate.is_some()),
            ("--opb", self.opb.is_some()),
        ];
        if let Some((flag, _)) = proofs.into_iter().find(|(_, is_given)| *is_given) {
            bail!(
                "--front margin is not for {flag}: a front by margin has no proof; `isx check --margin 20% --certificate` \
                 proves the least area at one margin"
            );
        }
        if self.tasksets.len() > 1 || self.tasksets[0].is_dir() {
            bail!("--front margin is not for several task sets: it is computed for one task set");
        }
        Ok(())
    }

    /// Refuses --opb for what it is not made for: it states the front of one area, one processor and one mode.
    fn refuse_beside_resources(&self, task_set: &TaskSet) -> Result<(), Failure> {
        let name = &task_set.name;
        if self.opb.is_none() {
            return Ok(());
        }
        if task_set.overruns.is_some() {
            bail!("--opb is for WCETs that no task exceeds: leave --overruns out");
        }
        if !task_set.modes.is_empty() {
            bail!("--opb is for a task set with one mode, and `{name}` has modes");
        }
        if !task_set.variants.is_empty() {
            bail!(
                "--opb is for a task set with one processor, and that of `{name}` has variants: choose one with --variant NAME"
            );
        }
        if !task_set.is_one_area() {
            bail!(
                "--opb is for the front of one area, and this set counts several resources: --certificate writes a proof \
                 for `isx verify`, and --price makes one area of them"
            );
        }
        Ok(())
    }

    /// The requested formats, or the default ones.
    fn formats(&self) -> Vec<&'static Format> {
        if self.formats.is_empty() {
            return FORMATS.iter().filter(|format| format.usual).collect();
        }
        FORMATS.iter().filter(|format| self.formats.iter().any(|asked| asked.name == format.name)).collect()
    }

    /// Warns before large outputs, and names smaller formats.
    fn warn_of_size(&self, front: &Front, results: Option<&Results>) {
        let files = results.map_or(&[][..], |results| &results.formats);
        let printed = Format::named("json").filter(|_| self.json);
        let sizes = files.iter().copied().chain(printed).map(|format| (format.name, (format.bytes)(front)));
        let large: Vec<(&str, u64)> = sizes.filter(|&(_, bytes)| bytes > MUCH).collect();
        if large.is_empty() {
            return;
        }
        let sentences: Vec<String> =
            large.iter().map(|&(name, bytes)| format!("{} as {name}", gigabytes(bytes))).collect();
        let less = FORMATS.iter().map(|format| (format.name, (format.bytes)(front)));
        let less = less.filter(|&(name, _)| !matches!(name, "svg" | "html")).min_by_key(|&(_, bytes)| bytes);
        let one_area = front.head.resources.area_unit.is_some();
        let way = match less.filter(|(name, _)| large.iter().all(|(large, _)| large != name)) {
            Some((name, bytes)) => format!("; --format {name} takes at most {}", gigabytes(bytes)),
            None if one_area => "; --max-area cuts the front".into(),
            None => "; --within cuts the front".into(),
        };
        terminal::note(&format!("the front takes about {}{way}", sentences.join(" and ")));
    }

    fn print_summary(
        &self,
        front: &Front,
        explored: &Exploration,
        directory: &Path,
        files: &[String],
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        if talk() == Talk::Quiet {
            table::write(front, &terminal::printing(), &mut out)?;
            return Ok(out.flush()?);
        }
        let notes = notes(explored, talk());
        let rest = Some("see --all");
        let mut options =
            table::Options { max_rows: usize::MAX, rest, notes: &notes, ..terminal::printing() };
        if let Some(height) = terminal::lines().filter(|_| !self.all) {
            options.max_rows = table::rows_within(front, &options, height);
        }
        table::write(front, &options, &mut out)?;
        let files = if files.is_empty() { "nothing".to_owned() } else { listed(files) };
        let written = format!("Wrote {files} to {}", visible(&directory.display().to_string()));
        writeln!(out, "\n{}", wrapped("", &written, options.width))?;
        Ok(out.flush()?)
    }
}

/// What a front is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FrontOf {
    /// Area against utilization.
    Utilization,
    /// Area against margin.
    Margin,
}

/// The most steps of a proof for VeriPB.
const MOST_STEPS: u64 = 2_000_000;

/// Larger outputs are announced before they are written.
const MUCH: u64 = 1_000_000_000;

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// The format that the feature `full` adds.
const PARQUET: &str = "parquet";

fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let names = FORMATS.iter().map(|format| format.name);
    let left_out = Some(PARQUET).filter(|name| Format::named(name).is_none());
    PossibleValuesParser::new(names.chain(left_out)).try_map(|name| Format::named(&name).ok_or(NO_PARQUET))
}

impl Explore {
    /// Explores files and folders of files.
    fn explore_sets(&self, paths: &[PathBuf]) -> Result<Outcome, Failure> {
        self.refuse_beside_margin()?;
        self.refuse_what_is_for_one()?;
        let sets = Sets::new(paths, self.json, Ways::EXPLORE)?;
        let table = match self.is_writing() {
            false => None,
            true => {
                sets.refuse_equal_names()?;
                Some(TableFile::prepare(paths, &sets.files, &self.folder())?)
            }
        };
        // Created once: querying the number of cores takes as long as solving many a small set.
        let options = Options {
            proof: self.is_proved(),
            ..self.computation.exploring(self.max_area.clone(), &NoProgress)
        };
        sets.run(
            "exploring",
            (&options.machine, self.computation.hardware() == Some(Hardware::Gpu)),
            table.is_some(),
            &|&at, share, line| {
                let mut effort = share.effort();
                let options = Options { machine: share.machine.clone(), ..options.clone() };
                let is_unsettled = self.explore_among(&sets, at, &options, &mut effort, share, line)?;
                Ok(Ended { outcome: Outcome::Done, steps: effort.spent(), is_unsettled })
            },
            |rows| {
                let Some(table) = &table else { return Ok(None) };
                table.write(rows.iter())?;
                Ok(Some(written(table, rows.iter().filter(|row| row.facts.is_ok()).count())))
            },
        )
    }

    /// Explores one of several sets; returns whether more steps might settle what is not.
    fn explore_among(
        &self,
        sets: &Sets,
        at: usize,
        options: &Options,
        effort: &mut Effort,
        share: &Share<'_>,
        line: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        let file = sets.files[at].as_path();
        let (reading, input) = read_silently(file)?;
        sets.keep_warnings(at, &reading);
        let named = origin::named(file, &input);
        let warnings = reading.warnings;
        let task_set = self.changes.apply(reading.task_set)?;
        self.refuse_beside_resources(&task_set)?;
        let results = match self.is_writing() {
            true => Some(Results::prepare(file, input, self.folder().of_one(file), self.formats())?),
            false => None,
        };
        let mut front = explore_within(&task_set, options, effort)?;
        let is_unsettled = is_unsettled(&front);
        if is_unsettled && share.is_first {
            return Ok(true);
        }
        if self.is_proved() {
            self.prove(&mut front, options.machine.max_memory())?;
        }
        let workers = options.machine.workers();
        let document = Front::of(&front);
        if let Some(results) = results {
            results.write(&document, &self.origin(&front, named, warnings), workers)?;
        }
        sets.answer(at, Facts::of_front(&document), line, &|file, facts, line| {
            let verdict = [("verdict", facts.verdict().into())];
            lines::write(file, &verdict, line, &mut |line| json::write(&document, workers, line))
        })?;
        Ok(is_unsettled)
    }

    /// Refuses flags that name a file which the sets would replace for each other.
    fn refuse_what_is_for_one(&self) -> Result<(), Failure> {
        let given = [
            ("--certificate", self.certificate.is_some()),
            ("--opb", self.opb.is_some()),
            ("--all", self.all),
        ];
        if let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            bail!("{flag} is for one task set: name its file alone, not several files or a folder");
        }
        Ok(())
    }
}

/// What was written: the table and the folders of so many fronts.
fn written(table: &TableFile, fronts: usize) -> String {
    let (file, folder) = (table.path.file_name(), table.path.parent());
    let [file, folder] = [file.map(Path::new), folder].map(|path| path.unwrap_or(Path::new("")).display());
    let folders = match fronts {
        0 => String::new(),
        1 => " and 1 folder of results".into(),
        more => format!(" and {more} folders of results"),
    };
    format!("Wrote {file}{folders} to {}", visible(&folder.to_string()))
}

fn is_unsettled(front: &Exploration) -> bool {
    let verdicts = &front.verdicts;
    verdicts.points.contains(&None)
        || matches!(verdicts.smallest, Smallest::Unknown(_))
        || front.margins.iter().any(|margin| matches!(margin.smallest, Smallest::Unknown(_)))
}
