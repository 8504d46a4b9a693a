//! Measured rates as a file: read when a program starts, written by `isx devices --calibrate`.
//!
//! ```text
//! isx calibration 1
//! cpu AMD EPYC 9654 96-Core Processor
//! vectors avx512
//! cores 2
//! gpu none
//! rate mckp.dense.cell 1.5e-10 s/cell
//! ```
//!
//! The lines above the rates say which machine was measured; on another one the file is *stale*. All rates stand in it:
//! a file with more, fewer or impossible ones is damaged, or of another version of isx. Both are ignored, so a file can
//! make a plan worse, but never an answer wrong.

use crate::cpu::{cores, lanes::Isa};
use crate::rates::{ROWS, Rates};
use std::io::Read;
use std::path::PathBuf;
use std::{env, fmt, fs, io};

/// The environment variable that names the file; if it is empty, none is read or written.
pub const PLACE: &str = "ISX_CALIBRATION";

/// The first line.
const HEADER: &str = "isx calibration 1";

/// Measured rates are within this factor of the default ones; others are taken for damage.
pub const FARTHEST: f64 = 1e4;

/// Bytes from which on a file is certainly none of ours.
const MOST_BYTES: u64 = 1 << 16;

/// What a calibration is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The processor's name, as the system reports it.
    pub cpu: String,
    /// The widest vectors.
    pub vectors: &'static str,
    /// Cores that the program may use.
    pub cores: usize,
    /// The models of the NVIDIA GPUs that the Linux driver lists, or `none`.
    pub gpu: String,
}

impl Identity {
    /// This machine. No driver is loaded for it, since that takes longer than many problems.
    pub fn of_this_machine() -> Self {
        Self { cpu: cpu_name(), vectors: Isa::best().name(), cores: cores(), gpu: gpu_names() }
    }

    fn lines(&self) -> [String; 4] {
        let Self { cpu, vectors, cores, gpu } = self;
        [format!("cpu {cpu}"), format!("vectors {vectors}"), format!("cores {cores}"), format!("gpu {gpu}")]
    }
}

/// Why a calibration is not used. The texts continue the phrase "the calibration FILE".
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum Unused {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("is damaged, or of another version of isx: {0}")]
    Damaged(String),
    #[error("is of another machine: it says `{found}` where this one has `{here}`")]
    Stale { found: String, here: String },
}

/// Where the calibration is: what [`PLACE`] names, else `isx/calibration` in the user's folder for caches; `None` if there
/// is no such folder or the variable is empty.
pub fn place() -> Option<PathBuf> {
    if let Some(named) = env::var_os(PLACE) {
        return (!named.is_empty()).then(|| named.into());
    }
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let caches = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".cache")));
    Some(caches?.join("isx").join("calibration"))
}

/// The rates in this machine's calibration; `None` if there is no file.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or is of another machine.
pub fn load(place: &std::path::Path) -> Result<Option<Rates>, Unused> {
    let unreadable = |error: io::Error| Unused::Unreadable(error.to_string());
    let file = match fs::File::open(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(file) => file,
    };
    let mut text = String::new();
    // A device has no length, and need not end.
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Unused::Damaged(format!("it has more than {MOST_BYTES} bytes")));
    }
    parse(&text, &Identity::of_this_machine()).map(Some)
}

/// The rates of a text, which must be a calibration of this machine.
fn parse(text: &str, here: &Identity) -> Result<Rates, Unused> {
    let damaged = |what: String| Unused::Damaged(what);
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(damaged(format!("it does not begin with `{HEADER}`")));
    }
    for here in here.lines() {
        let found = lines.next().unwrap_or_default();
        if found != here {
            return Err(Unused::Stale { found: found.chars().take(80).collect(), here });
        }
    }
    let mut rates = Rates::DEFAULT;
    for row in &ROWS {
        let line = lines.next().unwrap_or_default();
        let figure = line
            .strip_prefix("rate ")
            .and_then(|rest| rest.strip_prefix(row.name))
            .and_then(|rest| rest.strip_suffix(row.unit))
            .and_then(|figure| figure.trim().parse::<f64>().ok())
            .filter(|figure| (row.default / FARTHEST..=row.default * FARTHEST).contains(figure));
        let Some(figure) = figure else {
            return Err(damaged(format!("it has no possible figure of {}", row.name)));
        };
        rates = rates.with(row.rate, figure);
    }
    match lines.next() {
        None => Ok(rates),
        Some(_) => Err(damaged("it goes on after the last rate".into())),
    }
}

/// The rates as a text of [`load`].
pub struct Text<'a>(pub &'a Identity, pub &'a Rates);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        self.0.lines().iter().try_for_each(|line| writeln!(f, "{line}"))?;
        ROWS.iter().try_for_each(|row| writeln!(f, "rate {} {:e} {}", row.name, self.1[row.rate], row.unit))
    }
}

/// The processor's name, or that of its architecture where the system gives none.
fn cpu_name() -> String {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| env::consts::ARCH.into(), |(_, name)| one_line(name))
}

fn gpu_names() -> String {
    let folders = fs::read_dir("/proc/driver/nvidia/gpus").into_iter().flatten().flatten();
    let described = folders.filter_map(|gpu| fs::read_to_string(gpu.path().join("information")).ok());
    let model = |text: String| Some(one_line(text.lines().find_map(|line| line.strip_prefix("Model:"))?));
    let mut models: Vec<String> = described.filter_map(model).collect();
    models.sort_unstable();
    if models.is_empty() { "none".into() } else { models.join(", ") }
}

fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::Rate;

    fn identity() -> Identity {
        Identity { cpu: "a processor".into(), vectors: "avx2", cores: 2, gpu: "none".into() }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let rates = Rates::default().scaled("mckp.dense", 1.0 / 3.0).with(Rate::Fork, 7e-6);
        let text = Text(&identity(), &rates).to_string();
        assert_eq!(parse(&text, &identity()), Ok(rates));
    }

    #[test]
    fn another_machine_makes_it_stale() {
        let text = Text(&identity(), &Rates::DEFAULT).to_string();
        for other in [
            Identity { cpu: "another".into(), ..identity() },
            Identity { vectors: "avx512", ..identity() },
            Identity { cores: 3, ..identity() },
            Identity { gpu: "NVIDIA H200".into(), ..identity() },
        ] {
            assert!(matches!(parse(&text, &other), Err(Unused::Stale { .. })), "{other:?}");
        }
    }

    #[test]
    fn every_damage_is_noticed() {
        let text = Text(&identity(), &Rates::DEFAULT).to_string();
        let first = format!("rate {} ", ROWS[0].name);
        for (from, to) in [
            (HEADER, "isx calibration 2"),
            (&*first, "rate other "),
            ("1e-4 s/thread", "-1e-4 s/thread"),
            ("1e-4 s/thread", "NaN s/thread"),
            ("1e-4 s/thread", "inf s/thread"),
            ("1e-4 s/thread", "1e3 s/thread"),
            ("1e-4 s/thread", "1e-4 s/piece"),
        ] {
            assert!(text.contains(from), "{from}");
            let spoilt = text.replacen(from, to, 1);
            assert!(matches!(parse(&spoilt, &identity()), Err(Unused::Damaged(_))), "{to}");
        }
        assert!(parse(&format!("{text}\n"), &identity()).is_err());
        // Cut anywhere, but for the last end of line.
        for end in 0..text.len() - 1 {
            assert!(parse(&text[..end], &identity()).is_err(), "cut after {end} bytes");
        }
    }
}
