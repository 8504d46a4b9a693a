//! The folder to which `explore` writes, and the front in it.
//!
//! Task sets with equal file names share a default folder, so the folder records its input: the hidden file
//! `.isx-input.json` contains the path and the SHA-256 of the explored file. The same path or the same bytes may
//! write there again; another input is refused unless the user names a folder or permits overwriting. The table of
//! several task sets has such a record too.

use crate::failure::Failure;
use crate::files::{Identity, is_stdin};
use crate::terminal;
use crate::terminal::progress::Shown;
use isx_machine::cpu::Workers;
use isx_pages::formats::{FORMATS, Format};
use isx_pages::overview::{Row, write_csv};
use isx_report::files::{Staged, check_replaceable, check_writable, output_directory};
use isx_report::front::Front;
use isx_report::origin::Origin;
use serde_json::{Value, json};
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::thread::Builder;

const RECORD: &str = ".isx-input.json";
const SCHEMA: &str = "isx.input/1";

/// Where results are to go.
pub enum Folder {
    /// Where the user says.
    Asked(PathBuf),
    /// The folder that is named after the task set.
    Default {
        /// Whether the set was changed to see what would happen: such a front has a folder beside the set's own.
        what_if: bool,
        /// Whether the front of another input may be replaced.
        overwrite: bool,
    },
}

impl Folder {
    /// Where the results of one of several task sets are to go.
    pub fn of_one(self, taskset: &Path) -> Self {
        match self {
            Self::Asked(directory) => Self::Asked(output_directory(&directory, taskset)),
            default => default,
        }
    }
}

/// A folder that takes the results.
pub struct Results {
    /// The folder.
    pub directory: PathBuf,
    /// What is written there.
    pub formats: Vec<&'static Format>,
    input: Identity,
}

/// Fronts of more points are written one form after the other, so that only one is in memory.
const MOST_POINTS_AT_ONCE: usize = 10_000;

impl Results {
    /// Chooses the folder for the results of `taskset` and checks, before any long work, that it is writable and may
    /// be overwritten: the requested folder, else `output/<stem>` if it contains no other input's front or may be
    /// overwritten.
    pub fn prepare(
        taskset: &Path,
        input: Identity,
        folder: Folder,
        formats: Vec<&'static Format>,
    ) -> Result<Self, Failure> {
        let (directory, guarded) = match folder {
            Folder::Asked(directory) => (directory, false),
            Folder::Default { what_if, overwrite } => (default_directory(taskset, what_if), !overwrite),
        };
        check_writable(&directory)?;
        for file in formats.iter().map(|format| format.file()).chain([RECORD.into()]) {
            check_replaceable(&directory.join(file))?;
        }
        if guarded {
            refuse_another(&directory, &input)?;
        }
        Ok(Self { directory, formats, input })
    }

    /// Writes the front in every format; returns the names of the files. If a front cannot be written in some format
    /// (its figures exceed a double, so it cannot be drawn), the others are written, and a note gives the reason. The
    /// files are renamed once all are complete, and the record of the input last: it never names an input whose files
    /// are not those in the folder.
    pub fn write(&self, front: &Front, origin: &Origin, workers: &Workers) -> Result<Vec<String>, Failure> {
        let staged = self.stage(front, origin, workers)?;
        let record = record(&self.directory.join(RECORD), &self.input)?;
        let mut names = Vec::new();
        for (name, file) in staged.into_iter().flatten() {
            file.put_in_place()?;
            names.push(name);
        }
        record.map_or(Ok(()), Staged::put_in_place)?;
        Ok(names)
    }

    /// Writes the files under temporary names, in the formats that can represent the front.
    fn stage(
        &self,
        front: &Front,
        origin: &Origin,
        workers: &Workers,
    ) -> Result<Vec<Option<(String, Staged)>>, Failure> {
        let write = |format: &Format| self.stage_in(format, front, origin, workers);
        if front.len() > MOST_POINTS_AT_ONCE {
            return self.formats.iter().map(|format| write(format)).collect();
        }
        let Some((last, others)) = self.formats.split_last() else { return Ok(Vec::new()) };
        // Small files take less time to format than to reach the disk, so they wait for the disk together. The last
        // format is the picture, if there is one: it takes longest and should not wait for a thread to start.
        std::thread::scope(|scope| {
            let write = &write;
            let begin = |format: &'static Format| {
                // If the system starts no thread, the work is done here.
                Builder::new().spawn_scoped(scope, move || write(format)).map_err(|_| format)
            };
            let begun: Vec<_> = others.iter().map(|format| begin(format)).collect();
            let last = write(last);
            let ended = |begun: Result<std::thread::ScopedJoinHandle<_>, &Format>| match begun {
                Ok(begun) => begun.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(format) => write(format),
            };
            begun.into_iter().map(ended).chain([last]).collect()
        })
    }

    /// The file's name and the file, if this format can represent the front.
    fn stage_in(
        &self,
        format: &Format,
        front: &Front,
        origin: &Origin,
        workers: &Workers,
    ) -> Result<Option<(String, Staged)>, Failure> {
        match (format.prepare)(front, origin, workers) {
            Ok(write) => {
                let bytes = Some((format.bytes)(front));
                let staged = Staged::write(&self.directory.join(format.file()), true, |out| {
                    write(&mut Shown::new(out, format!("writing {}", format.file()), bytes))
                })?;
                Ok(Some((format.file(), staged)))
            }
            Err(problem) => {
                terminal::note(&format!("no {} was written: {problem}", format.file()));
                Ok(None)
            }
        }
    }
}

/// The file with one row per task set, above the folders of their fronts.
pub struct TableFile {
    /// The file.
    pub path: PathBuf,
    record: PathBuf,
    inputs: Identity,
}

/// The folder of results, if none is named.
const DEFAULT: &str = "output";

impl TableFile {
    /// Chooses the file for a table of these task sets, given as `arguments`: `fronts.csv` in the requested folder, or in
    /// the default one unless the table of others is there. A table of what-if fronts has its own name there, as those
    /// have.
    pub fn prepare(arguments: &[PathBuf], files: &[PathBuf], folder: &Folder) -> Result<Self, Failure> {
        let (directory, what_if, guarded) = match folder {
            Folder::Asked(directory) => (directory.as_path(), false, false),
            Folder::Default { what_if, overwrite } => (Path::new(DEFAULT), *what_if, !overwrite),
        };
        let name = if what_if { "fronts-what-if" } else { "fronts" };
        let path = directory.join(format!("{name}.csv"));
        let record = directory.join(format!(".isx-{name}.json"));
        check_writable(directory)?;
        [&path, &record].into_iter().try_for_each(|file| check_replaceable(file))?;
        let inputs = Identity::of_several(arguments, files);
        if guarded && path.exists() && remembered(&record).is_none_or(|held| !held.is_as(&inputs)) {
            let why = "holds the table of other task sets";
            return Err(Failure::Occupied(format!("`{}` {why}", path.display())));
        }
        Ok(Self { path, record, inputs })
    }

    /// Writes the rows, and which task sets they are of.
    pub fn write<'r>(&self, rows: impl Iterator<Item = &'r Row> + Send) -> Result<(), Failure> {
        let table = Staged::write(&self.path, true, |out| write_csv(rows, &mut BufWriter::new(out)))?;
        let record = record(&self.record, &self.inputs)?;
        table.put_in_place()?;
        Ok(record.map_or(Ok(()), Staged::put_in_place)?)
    }
}

/// The record of an input, if it is not there already. It need not be synced as results are: if a crash of the machine loses
/// it, the front is one of unknown origin.
fn record(file: &Path, input: &Identity) -> Result<Option<Staged>, Failure> {
    if remembered(file).as_ref() == Some(input) {
        return Ok(None);
    }
    let path = input.path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let record = json!({ "schema": SCHEMA, "path": path, "sha256": input.sha256 });
    let content = format!("{record:#}\n");
    Ok(Some(Staged::write(file, false, |out| out.write_all(content.as_bytes()))?))
}

fn default_directory(taskset: &Path, what_if: bool) -> PathBuf {
    let stem = if is_stdin(taskset) { Path::new("stdin") } else { taskset };
    let mut directory = output_directory(Path::new(DEFAULT), stem);
    if let Some(name) = directory.file_name().filter(|_| what_if) {
        let mut name = name.to_owned();
        name.push("-what-if");
        directory.set_file_name(name);
    }
    directory
}

fn refuse_another(directory: &Path, input: &Identity) -> Result<(), Failure> {
    if !FORMATS.iter().any(|format| directory.join(format.file()).exists()) {
        return Ok(());
    }
    let whose = match remembered(&directory.join(RECORD)) {
        Some(held) if held.is_as(input) => return Ok(()),
        Some(Identity { path: Some(path), .. }) => format!("the front of `{}`", path.display()),
        Some(Identity { path: None, .. }) => "the front of another standard input".into(),
        None => "a front of unknown origin".into(),
    };
    Err(Failure::Occupied(format!("`{}` holds {whose}", directory.display())))
}

/// The input that a record names.
fn remembered(record: &Path) -> Option<Identity> {
    let record = fs::read(record).ok()?;
    let record: Value = serde_json::from_slice(&record).ok()?;
    if record["schema"] != SCHEMA {
        return None;
    }
    let path = record["path"].as_str().map(PathBuf::from);
    Some(Identity { path, sha256: record["sha256"].as_str()?.to_owned() })
}
