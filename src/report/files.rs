//! Files that appear complete or not at all.
//!
//! A file is written under a temporary name in its own directory, synced, and renamed to its final name. Whatever
//! happens before the rename (a full disk, a failing exporter, `kill -9`), an existing file stays unchanged. Errors
//! remove the temporary file; the thread of a signal handler removes it by [`remove_unfinished`]. Temporary files of
//! a killed program are removed by the next program that writes to the directory: each program locks its temporary
//! files, and the system releases the locks when the program ends.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Why something could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The directory does not exist and cannot be created, or is not writable.
    #[error("cannot write in `{}`: {cause}", path.display())]
    Directory {
        /// The requested directory.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// The file's content could not be written; an existing file is unchanged.
    #[error("cannot write `{}`: {cause}", path.display())]
    File {
        /// The requested file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
}

impl WriteError {
    /// The system's error.
    pub fn cause(&self) -> &io::Error {
        match self {
            Self::Directory { cause, .. } | Self::File { cause, .. } => cause,
        }
    }
}

/// The temporary files that exist now.
struct Unfinished {
    paths: Vec<PathBuf>,
    /// Directories from which the files of killed programs were removed.
    swept: Vec<PathBuf>,
    /// Set once the program is about to end: no further temporary file may be created.
    closed: bool,
}

static UNFINISHED: Mutex<Unfinished> =
    Mutex::new(Unfinished { paths: Vec::new(), swept: Vec::new(), closed: false });

fn unfinished() -> MutexGuard<'static, Unfinished> {
    // The list is consistent whenever the lock is free, even after a panic in another thread.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all writes in progress, for a program that is about to end.
///
/// Any thread may call it, but not a signal handler (it locks and allocates). Writes in progress, and writes that
/// begin later, fail with [`io::ErrorKind::Interrupted`] or because their file is missing.
pub fn remove_unfinished() {
    remove(unfinished());
}

/// As [`remove_unfinished`], for a thread that may itself hold the lock of the list and must not allocate: if the
/// lock is not free within a tenth of a second, the next program that writes to the directory removes the files.
pub fn remove_unfinished_or_leave() {
    for _ in 0..100 {
        match UNFINISHED.try_lock() {
            Ok(unfinished) => return remove(unfinished),
            Err(TryLockError::Poisoned(unfinished)) => return remove(unfinished.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn remove(mut unfinished: MutexGuard<'_, Unfinished>) {
    unfinished.closed = true;
    for path in unfinished.paths.drain(..) {
        // The error cannot be reported any more, and the file may just have been renamed.
        let _ = fs::remove_file(path);
    }
}

/// The directory for the results of a task-set file: `<root>/<stem of the file>`.
///
/// Names *in* the file never form a path. A file without a stem gives `<root>/taskset`.
///
/// ```
/// use isx_report::files::output_directory;
/// use std::path::Path;
/// let directory = output_directory(Path::new("output"), Path::new("sets/autopilot.yaml"));
/// assert_eq!(directory, Path::new("output/autopilot"));
/// ```
pub fn output_directory(root: &Path, taskset_file: &Path) -> PathBuf {
    // `file_stem` is None or one plain component, never `..` or an absolute path.
    root.join(taskset_file.file_stem().unwrap_or(OsStr::new("taskset")))
}

/// Checks, before a long computation, whether files can be written in `directory`, which is created if necessary.
///
/// Leaves nothing behind: it creates and removes a temporary file in the directory, or in its nearest existing
/// parent.
pub fn check_writable(directory: &Path) -> Result<(), WriteError> {
    let failed = |cause| WriteError::Directory { path: directory.to_owned(), cause };
    let mut existing = directory;
    loop {
        match fs::metadata(here_if_empty(existing)) {
            Ok(about) if about.is_dir() => break,
            Ok(_) => return Err(failed(io::ErrorKind::NotADirectory.into())),
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(failed(cause)),
            Err(cause) => match existing.parent() {
                Some(parent) if !is_dangling(existing) => existing = parent,
                _ => return Err(failed(cause)),
            },
        }
    }
    create_temporary(here_if_empty(existing)).map(drop).map_err(failed)
}

/// Checks, before a long computation, that the path of an output file is not a directory.
pub fn check_replaceable(path: &Path) -> Result<(), WriteError> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            Err(WriteError::File { path: path.to_owned(), cause: io::ErrorKind::IsADirectory.into() })
        }
        _ => Ok(()),
    }
}

/// Checks, before a long computation, whether a file can be written. Existing paths that are not regular files (a
/// pipe, a device) are written in place.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
    check_replaceable(path)?;
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Ok(()),
        _ => check_writable(directory_of(path)),
    }
}

/// Whether the path is a symbolic link to nothing: no directory can be created there.
fn is_dangling(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn here_if_empty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Writes a file by `content`, completely or not at all, and creates its directory if necessary.
///
/// A symbolic link is followed, so its target is replaced. A path that is not a regular file (a pipe, `/dev/stdout`)
/// cannot be replaced; it is written in place.
/// Fails when the directory cannot be created or is not writable, when `content` fails, when the file cannot be synced or
/// renamed. No temporary file remains.
pub fn write_whole(
    path: &Path,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), WriteError> {
    Staged::write(path, true, content)?.put_in_place()
}

/// A file that is complete under its temporary name and not yet renamed, so that several files change together. If
/// dropped before the rename, it is removed.
pub struct Staged {
    path: PathBuf,
    /// The file to replace, after following a symbolic link; `None` if `path` is not a regular file and was written
    /// in place.
    replaces: Option<(PathBuf, Temporary)>,
}

impl Staged {
    /// Writes `content`; the directory is created if necessary. A file that can be recomputed need not be `synced`:
    /// it may be missing or empty after a crash of the machine, but not of the program.
    pub fn write(
        path: &Path,
        synced: bool,
        content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<Self, WriteError> {
        let mut content = Some(content);
        Self::write_once(path, synced, &mut |out| content.take().map_or(Ok(()), |content| content(out)))
    }

    fn write_once(path: &Path, synced: bool, content: Content<'_>) -> Result<Self, WriteError> {
        let failed = |cause| WriteError::File { path: path.to_owned(), cause };
        let target = match fs::metadata(path) {
            Ok(about) if about.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(about) if !about.is_file() => {
                write_through(path, content).map_err(failed)?;
                return Ok(Self { path: path.to_owned(), replaces: None });
            }
            Ok(_) => fs::canonicalize(path).map_err(failed)?,
            Err(_) => {
                let directory = directory_of(path);
                fs::create_dir_all(directory)
                    .map_err(|cause| WriteError::Directory { path: directory.to_owned(), cause })?;
                path.to_owned()
            }
        };
        let temporary = complete(&target, synced, content).map_err(failed)?;
        Ok(Self { path: path.to_owned(), replaces: Some((target, temporary)) })
    }

    /// Renames the file to its final name.
    pub fn put_in_place(self) -> Result<(), WriteError> {
        let Self { path, replaces } = self;
        let Some((target, temporary)) = replaces else { return Ok(()) };
        temporary.rename(&target).map_err(|cause| WriteError::File { path, cause })?;
        // The rename reaches the disk with the directory. Some file systems cannot sync a directory; the file is
        // complete either way.
        let _ = File::open(directory_of(&target)).and_then(|directory| directory.sync_all());
        Ok(())
    }
}

/// Writes the content of a file; called once.
type Content<'a> = &'a mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>;

fn directory_of(path: &Path) -> &Path {
    here_if_empty(path.parent().unwrap_or(Path::new("")))
}

fn write_through(path: &Path, content: Content<'_>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let mut out = BufWriter::new(&mut file);
    content(&mut out)?;
    out.flush()
}

/// A temporary file next to `target` with all of `content`.
fn complete(target: &Path, synced: bool, content: Content<'_>) -> io::Result<Temporary> {
    let mut temporary = create_temporary(directory_of(target))?;
    let mut out = BufWriter::new(temporary.file.as_file_mut());
    content(&mut out)?;
    out.flush()?;
    drop(out);
    if synced {
        temporary.file.as_file().sync_all()?;
    }
    Ok(temporary)
}

/// A temporary file on the list of unfinished ones; dropping it removes it unless it was renamed.
struct Temporary {
    file: NamedTempFile,
    renamed: bool,
}

const PREFIX: &str = ".isx-";
const SUFFIX: &str = ".tmp";

fn create_temporary(directory: &Path) -> io::Result<Temporary> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Locked across both steps, so that every existing file is on the list.
    let mut unfinished = unfinished();
    if unfinished.closed {
        return Err(io::ErrorKind::Interrupted.into());
    }
    if !unfinished.swept.iter().any(|swept| swept == directory) {
        unfinished.swept.push(directory.to_owned());
        remove_abandoned(directory);
    }
    // Created here: a result gets the permissions of the user's umask, and an error is the system's own.
    let file = builder.make_in(directory, |path| {
        let file = File::create_new(path)?;
        match file.try_lock() {
            // Another program saw the file before it was locked, and removes it: try another name.
            Err(fs::TryLockError::WouldBlock) => Err(io::ErrorKind::AlreadyExists.into()),
            Ok(()) if fs::symlink_metadata(path).is_err() => Err(io::ErrorKind::AlreadyExists.into()),
            // On a file system without locks, no file can be shown to be abandoned.
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(file),
        }
    })?;
    unfinished.paths.push(file.path().to_owned());
    Ok(Temporary { file, renamed: false })
}

/// Removes the temporary files of killed programs from `directory`: those named as ours that no program has locked. A
/// file that cannot be removed does no harm.
fn remove_abandoned(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.filter_map(Result::ok) {
        let is_ours = entry.file_name().to_str().is_some_and(is_temporary);
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the name is that of a temporary file: six letters or digits that [`Builder`] chose.
fn is_temporary(name: &str) -> bool {
    let chosen = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    chosen.is_some_and(|chosen| chosen.len() == 6 && chosen.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

impl Temporary {
    fn rename(mut self, path: &Path) -> io::Result<()> {
        fs::rename(self.file.path(), path)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Removed from the list only after the file is gone, else a signal between the two steps would leave the
        // file.
        if !self.renamed {
            let _ = fs::remove_file(self.file.path());
        }
        self.file.disable_cleanup(true);
        unfinished().paths.retain(|path| path != self.file.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_file_that_cannot_be_created_is_that_of_the_system() {
        let nowhere = Path::new("/nonexistent-directory-of-isx");
        let error = create_temporary(nowhere).err().unwrap();
        let system = fs::read_dir(nowhere).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (system.kind(), system.to_string()));
    }
}
