//! `isx import`: files of other tools as task sets in YAML.

use super::failure::{Failure, Outcome};
use super::files::kinds::quoted;
use super::files::{files_beside, is_stdin, name, read_beginning, refuse_to_replace};
use super::terminal::{self, progress::Bar};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use isx_exact::quantity::{Rational, parse_rate, parse_time, shortened};
use isx_import::{
    DecimalMark, FORMATS, Format, MAX_BYTES, Measured, Options, Refusal, TIME_UNITS, Tables, Time, import,
    replaced, reports,
};
use isx_report::files::{check_place, write_whole};
use num_traits::Zero;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Convert another tool's file into a task set: CSV, SchedCAT, rt-app, SimSo, AMALTHEA, ISAAC; or write a task set's reports out as numbers
///
/// The YAML names the source of every figure. Its header lists what the file contains but a task set cannot express;
/// the same list goes to standard error. Figures are read exactly, as text. Add choices by hand or with --choices from
/// a second CSV, and with --blocks from a third the hardware that they share.
///
/// A CSV has a header and one row per task: name, period, wcet, and optionally deadline, priority, jitter, blocking,
/// nonpreemptive, core, source. Units are in the header (period_ms, wcet [us]) or after the number; the separator is a comma, semicolon or tab. Numbers have
/// a decimal point or a decimal comma; a file that mixes them, or where 1.500 may be 1500, is refused.
///
/// Of ISAAC's index of candidate instructions each program becomes a task, and each candidate a part of it.
///
/// A task set that names reports of synthesis tools and counted cycles, such as `cost: {reports: [crc.json], less: base}`, is
/// written with their numbers, each with its source; every other line stays as it is.
#[derive(Args)]
pub struct Import {
    /// File to import, or - for standard input
    file: PathBuf,

    /// Format of the file [default: found from its content, then from its ending]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<String>,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.yaml")]
    output: Option<PathBuf>,

    /// Replace the output file if it exists and has no key, item or comment that the new one lacks
    #[arg(long, hide_short_help = true, requires = "output")]
    overwrite: bool,

    /// CSV with choices: task, choice, area, wcet or saves, and optionally uses (names of blocks), source
    #[arg(long, value_name = "FILE.csv")]
    choices: Option<PathBuf>,

    /// CSV with blocks, hardware that choices share: block, area, and optionally slot, fmax, source
    #[arg(long, value_name = "FILE.csv", requires = "choices")]
    blocks: Option<PathBuf>,

    /// Reports of the design with this block or choice, which give its area less that of base=FILE; may be repeated
    ///
    /// Reports of Yosys (stat -json), nextpnr (--report), Vivado, Quartus, OpenROAD and edalize are read. Of several, by
    /// other recipes or seeds, the smallest counts. The table leaves the area empty and names the resource in
    /// the head: area [LUT], or cost.LUT.
    #[arg(long, value_name = "NAME=FILE[,FILE]", requires = "choices")]
    area_report: Vec<String>,

    /// Schedules of ISAAC's candidates, hls_schedules.csv: of the solutions of a sharing group one is built
    #[arg(long, value_name = "FILE.csv")]
    schedules: Option<PathBuf>,

    /// Instructions that each program executes in software and with each of ISAAC's candidates: Model, Arch, Run Instructions
    #[arg(long, hide_short_help = true, value_name = "FILE.csv")]
    benefits: Option<PathBuf>,

    /// Which of ISAAC's candidates are specialisations of another, as a graph in DOT: a design has only one of the two
    #[arg(long, hide_short_help = true, value_name = "FILE.dot")]
    specializations: Option<PathBuf>,

    /// Period of one of the programs that ISAAC's candidates are for [default: all in software is utilization 1, in equal shares]
    #[arg(long, hide_short_help = true, value_name = "PROGRAM=TIME", value_parser = period)]
    period: Vec<(String, Time)>,

    /// Core, or kind of cores, that the tasks run on, where the file has several
    #[arg(long, value_name = "NAME")]
    core: Option<String>,

    /// Clock for WCETs in cycles, such as 100MHz, where the file names none; for AMALTHEA it replaces the file's
    #[arg(long, value_name = "RATE", value_parser = parse_clock)]
    clock: Option<Rational>,

    /// Unit of times that have none in the file
    #[arg(long, value_parser = PossibleValuesParser::new(TIME_UNITS))]
    unit: Option<String>,

    /// Decimal mark of the figures in CSV [default: found from the figures]
    #[arg(long, value_name = "MARK", value_parser = marks())]
    decimal: Option<DecimalMark>,

    /// Which task set of a file that holds several, counted from 1
    #[arg(long, hide_short_help = true, value_name = "NUMBER")]
    set: Option<usize>,

    /// Name of the task set [default: that of the file]
    #[arg(long)]
    name: Option<String>,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
}

fn marks() -> impl TypedValueParser<Value = DecimalMark> {
    PossibleValuesParser::new(["point", "comma"])
        .map(|mark| DecimalMark::named(&mark).unwrap_or(DecimalMark::Point))
}

fn parse_clock(text: &str) -> Result<Rational, String> {
    let hertz = parse_rate(text).map_err(|error| error.to_string())?;
    if hertz.is_zero() { Err("a clock is greater than 0".into()) } else { Ok(hertz) }
}

fn period(given: &str) -> Result<(String, Time), String> {
    let (program, time) = given.rsplit_once('=').ok_or("expected PROGRAM=TIME")?;
    let (value, unit) = parse_time(time).map_err(|error| error.to_string())?;
    Ok((program.to_owned(), Time { value, unit }))
}

/// The reports that `NAME=FILE[,FILE]` names.
fn measured(given: &str) -> Result<Measured, Failure> {
    let Some((of, files)) = given.split_once('=').filter(|(of, files)| !of.is_empty() && !files.is_empty())
    else {
        bail!("`--area-report {}` is no NAME=FILE", shortened(given));
    };
    let report = |file: &str| -> Result<_, Failure> {
        let file = Path::new(file);
        Ok((name(file), reports::read(&name(file), &read_beginning(file, MAX_BYTES + 1)?)?))
    };
    Ok(Measured { name: of.to_owned(), reports: files.split(',').map(report).collect::<Result<_, _>>()? })
}

fn lent(table: &Option<(String, Vec<u8>)>) -> Option<(&str, &[u8])> {
    table.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
}

impl Import {
    pub fn run(self) -> Result<Outcome, Failure> {
        let output = self.output.as_deref().filter(|output| !is_stdin(output));
        // Whoever imported it may have added choices by hand.
        match output {
            Some(output) if self.overwrite => check_place(output)?,
            Some(output) => refuse_to_replace(output)?,
            None => {}
        }
        let tables = [&self.choices, &self.blocks, &self.schedules, &self.benefits, &self.specializations];
        let tables = tables.map(Option::as_deref);
        let files = [Some(self.file.as_path())].into_iter().chain(tables).flatten();
        if files.filter(|file| is_stdin(file)).count() > 1 {
            bail!("only one of the files can be standard input");
        }
        // One byte more than the limit, so that longer files are refused.
        let read = |file: &Path| read_beginning(file, MAX_BYTES + 1);
        let bytes = read(&self.file)?;
        let table = |file: Option<&Path>| -> Result<Option<(String, Vec<u8>)>, Failure> {
            file.map(|file| Ok((name(file), read(file)?))).transpose()
        };
        let [choices, blocks, schedules, benefits, specializations] = tables.map(table);
        let (choices, blocks) = (choices?, blocks?);
        let tables = Tables { choices: lent(&choices), blocks: lent(&blocks) };
        let format = self.from.as_deref().and_then(Format::named);
        let options = Options {
            core: self.core.clone(),
            clock: self.clock.clone(),
            unit: self.unit.clone(),
            set: self.set,
            decimal: self.decimal,
            measured: self.area_report.iter().map(|given| measured(given)).collect::<Result<_, _>>()?,
            schedules: schedules?,
            benefits: benefits?,
            specializations: specializations?,
            periods: self.period.clone(),
            name: self.name.clone(),
            files: files_beside(&self.file),
        };
        let bar = Bar::waiting("importing");
        let imported = import(&name(&self.file), &bytes, format, tables, &options);
        bar.finish();
        let imported = imported?;
        terminal::warn(&imported.warnings);
        for sentence in &imported.left_out {
            terminal::warning(&format!("left out: {sentence}"));
        }
        match output {
            None => io::stdout().write_all(imported.yaml.as_bytes())?,
            Some(file) => {
                if self.overwrite && file.is_file() {
                    let old = read_beginning(file, MAX_BYTES + 1)?;
                    let changed = replaced(&name(file), &old, &imported.yaml).map_err(Refusal::from)?;
                    changed.iter().for_each(|changed| terminal::note(changed));
                }
                write_whole(file, |out| out.write_all(imported.yaml.as_bytes()))?;
                let tasks = imported.reading.task_set.tasks.iter().filter(|task| task.part.is_none()).count();
                let tasks = if tasks == 1 { "1 task".to_owned() } else { format!("{tasks} tasks") };
                terminal::note(&format!("wrote {}: {tasks}, read as {}", file.display(), imported.format));
                terminal::note(&format!("next: isx explore {}", quoted(file)));
            }
        }
        Ok(Outcome::Done)
    }
}
