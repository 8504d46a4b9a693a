//! The folder that `explore` writes to, and whose front is in it.
//!
//! Two task sets of the same file name share a default folder, so the folder remembers its input: the hidden file
//! `.isx-input.json` holds the path and the SHA-256 of the file that was explored. The same path or the same bytes
//! may write there again; another input is refused unless the user says where, or that it may.

use super::failure::Failure;
use super::input::{Identity, is_stdin};
use super::terminal;
use isx::exploration::Exploration;
use isx::machine::cpu::Workers;
use isx::report::files::{
    check_replaceable, check_writable, output_directory, write_whole, write_whole_unsynced,
};
use isx::report::formats::{FORMATS, Format};
use isx::report::origin::Origin;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

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
    /// Finds the folder for the results of `taskset` and makes sure, before any long work, that they may and can be
    /// written: in the folder asked for, else in `output/<stem>` if no other input's front is in it or it may be
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

    /// Writes the front in every form; gives the names of the files. A front that cannot be written in some form (its
    /// figures pass a double, so it cannot be drawn) has the others, and a note says why.
    pub fn write(
        &self,
        front: &Exploration,
        origin: &Origin,
        workers: &Workers,
    ) -> Result<Vec<String>, Failure> {
        self.remember()?;
        let write = |format: &Format| self.write_in(format, front, origin, workers);
        if front.front.len() > MOST_POINTS_AT_ONCE {
            let files = self.formats.iter().map(|format| write(format));
            return Ok(files.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
        }
        let Some((last, others)) = self.formats.split_last() else { return Ok(Vec::new()) };
        // Small files take no longer to make than the disk takes to have them, so they wait for it together. The last
        // one is the picture where there is one, which takes longest: it is not to wait for a thread's start.
        let files = std::thread::scope(|scope| {
            let write = &write;
            let begun: Vec<_> = others.iter().map(|format| scope.spawn(move || write(format))).collect();
            let last = write(last);
            let ended = |begun: std::thread::ScopedJoinHandle<_>| {
                begun.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            let others = begun.into_iter().map(ended);
            others.chain([last]).collect::<Result<Vec<Option<String>>, Failure>>()
        });
        Ok(files?.into_iter().flatten().collect())
    }

    /// The file's name, if the front can be written in this form.
    fn write_in(
        &self,
        format: &Format,
        front: &Exploration,
        origin: &Origin,
        workers: &Workers,
    ) -> Result<Option<String>, Failure> {
        match (format.prepare)(front, origin, workers) {
            Ok(write) => {
                write_whole(&self.directory.join(format.file()), write)?;
                Ok(Some(format.file()))
            }
            Err(problem) => {
                terminal::note(&format!("no {} was written: {problem}", format.file()));
                Ok(None)
            }
        }
    }

    /// Remembers the input. To be called before the first file is replaced: should the writing be cut short, the same
    /// input may try again. A record that does not outlive a crash of the machine makes the front one of unknown
    /// origin, so it need not be synced as results are.
    fn remember(&self) -> Result<(), Failure> {
        if remembered(&self.directory).as_ref() == Some(&self.input) {
            return Ok(());
        }
        let path = self.input.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let record = json!({ "schema": SCHEMA, "path": path, "sha256": self.input.sha256 });
        let content = format!("{record:#}\n");
        write_whole_unsynced(&self.directory.join(RECORD), |out| out.write_all(content.as_bytes()))?;
        Ok(())
    }
}

fn default_directory(taskset: &Path, what_if: bool) -> PathBuf {
    let stem = if is_stdin(taskset) { Path::new("stdin") } else { taskset };
    let mut directory = output_directory(Path::new("output"), stem);
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
    let whose = match remembered(directory) {
        Some(held) if held.sha256 == input.sha256 || (held.path.is_some() && held.path == input.path) => {
            return Ok(());
        }
        Some(Identity { path: Some(path), .. }) => format!("the front of `{}`", path.display()),
        Some(Identity { path: None, .. }) => "the front of another standard input".into(),
        None => "a front of unknown origin".into(),
    };
    Err(Failure::Occupied(format!("`{}` holds {whose}", directory.display())))
}

/// The input whose front is in the folder, where that is known.
fn remembered(directory: &Path) -> Option<Identity> {
    let record = fs::read(directory.join(RECORD)).ok()?;
    let record: Value = serde_json::from_slice(&record).ok()?;
    if record["schema"] != SCHEMA {
        return None;
    }
    let path = record["path"].as_str().map(PathBuf::from);
    Some(Identity { path, sha256: record["sha256"].as_str()?.to_owned() })
}
