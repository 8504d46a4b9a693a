//! The description of a file format, and the options of an import.

use crate::Files;
use crate::decimals::DecimalMark;
use crate::draft::Draft;
use crate::figures::Time;
use crate::measured::Measured;
use crate::refusal::{Need, Refusal};
use crate::xml_limits::root_name;
use isx_exact::quantity::Rational;
use isx_taskset::Source;
use std::sync::Arc;

/// The units of times that [`Options::unit`] may name.
pub const TIME_UNITS: [&str; 5] = ["s", "ms", "us", "ns", "ps"];

/// A supported file format.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// The file name extension, without its dot.
    pub ending: &'static str,
    /// Whether the start of a file matches this format.
    pub(crate) recognises: fn(&Head<'_>) -> bool,
    /// Which options apply to such files.
    pub(crate) takes: &'static [Need],
    pub(crate) read: fn(&Arc<Source>, &Options) -> Result<Draft, Refusal>,
}

/// The start of a file.
pub(crate) struct Head<'t> {
    /// Its text, from the first character that is not white space.
    pub text: &'t str,
    /// The name of its root element, without a prefix, if it looks like XML.
    pub root: Option<&'t str>,
}

impl<'t> Head<'t> {
    pub fn of(source: &'t Source) -> Self {
        let text = source.text.trim_start();
        Self { text, root: root_name(text) }
    }
}

/// Task sets that name reports: they are not drafted, and known by their tasks alone.
pub(crate) const TASK_SET: Format = Format {
    name: "task set",
    ending: "yaml",
    recognises: |_| false,
    takes: &[],
    read: |source, _| Ok(Draft::new(source, "a task set")),
};

/// A further input file: its name and its bytes.
pub type FurtherFile = Option<(String, Vec<u8>)>;

/// Options given in addition to the file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The core, or kind of core, that runs the tasks, if the file has several.
    pub core: Option<String>,
    /// The clock of which WCETs are cycles, in hertz and above 0, if the file names none.
    pub clock: Option<Rational>,
    /// The unit of times without a unit in the file, one of [`TIME_UNITS`].
    pub unit: Option<String>,
    /// The number of the task set in a file that holds several, counted from 1.
    pub set: Option<usize>,
    /// The decimal mark of figures in CSV; by default, it is found out.
    pub decimal: Option<DecimalMark>,
    /// Reports of designs with a block or choice of the tables, and of the base, which give their areas.
    pub measured: Vec<Measured>,
    /// ISAAC's `hls_schedules.csv`: the solutions of each sharing group.
    pub schedules: FurtherFile,
    /// ISAAC's `compare_multi_per_instr.csv`: the instructions of each program, in software and with each candidate alone.
    pub benefits: FurtherFile,
    /// ISAAC's graph of specialisations, in DOT.
    pub specializations: FurtherFile,
    /// Periods of programs, by their names.
    pub periods: Vec<(String, Time)>,
    /// The name of the task set; by default the name given in the file, or the file's name.
    pub name: Option<String>,
    /// How the files that the file names are read, if it names any.
    pub files: Files,
}
