//! Files that appear complete or not at all.
//!
//! A file is written under a temporary name in its own directory, synced, and renamed over its final name. Whatever
//! happens before the rename (a full disk, a failing exporter, `kill -9`), a file that stood there stays as it was.
//! Errors remove the temporary file; a signal handler's thread does it by [`remove_unfinished`].

use crate::machine::faults;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile};

/// Why something could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The directory does not exist and cannot be made, or takes no files.
    #[error("cannot write in `{}`: {cause}", path.display())]
    Directory {
        /// The directory that was wanted.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
    /// The file's content could not be written; what stood there before is untouched.
    #[error("cannot write `{}`: {cause}", path.display())]
    File {
        /// The file that was wanted.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
}

impl WriteError {
    /// What the system says.
    #[must_use]
    pub fn cause(&self) -> &io::Error {
        match self {
            Self::Directory { cause, .. } | Self::File { cause, .. } => cause,
        }
    }
}

/// The temporary files that exist now.
struct Unfinished {
    paths: Vec<PathBuf>,
    /// Set once the program is about to end: no temporary file may come after.
    closed: bool,
}

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { paths: Vec::new(), closed: false });

fn unfinished() -> MutexGuard<'static, Unfinished> {
    // A list of paths is whole whenever the lock is free, even after a panic elsewhere.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of every write in progress, for a program that is about to end.
///
/// Any thread may call it, a signal handler may not (it locks and allocates). Writes in progress, and those begun
/// after, fail with [`io::ErrorKind::Interrupted`] or for want of their file.
pub fn remove_unfinished() {
    let mut unfinished = unfinished();
    unfinished.closed = true;
    for path in unfinished.paths.drain(..) {
        // Nobody is left to tell, and the file may just have been renamed.
        let _ = fs::remove_file(path);
    }
}

/// The directory for the results of a task-set file: `<root>/<stem of the file>`.
///
/// Names *in* the file never form a path. A file without a stem gives `<root>/taskset`.
///
/// ```
/// use isx::report::files::output_directory;
/// use std::path::Path;
/// let directory = output_directory(Path::new("output"), Path::new("sets/autopilot.yaml"));
/// assert_eq!(directory, Path::new("output/autopilot"));
/// ```
#[must_use]
pub fn output_directory(root: &Path, taskset_file: &Path) -> PathBuf {
    // `file_stem` is None or one plain component, never `..` or an absolute path.
    root.join(taskset_file.file_stem().unwrap_or(OsStr::new("taskset")))
}

/// Finds out, before a long computation, whether files can be written in `directory`, made if need be.
///
/// Leaves nothing behind: it makes and removes a temporary file in the directory, or in the nearest one above it
/// that exists.
///
/// # Errors
///
/// [`WriteError::Directory`].
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

/// Finds out, before a long computation, that nothing but a file stands where one is to be written.
///
/// # Errors
///
/// [`WriteError::File`] where a directory stands.
pub fn check_replaceable(path: &Path) -> Result<(), WriteError> {
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            Err(WriteError::File { path: path.to_owned(), cause: io::ErrorKind::IsADirectory.into() })
        }
        _ => Ok(()),
    }
}

/// Finds out, before a long computation, whether a file can be written; what is there and is no regular file (a pipe,
/// a device) is written as it is.
///
/// # Errors
///
/// As [`check_replaceable`] and [`check_writable`] of the directory.
pub fn check_place(path: &Path) -> Result<(), WriteError> {
    check_replaceable(path)?;
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Ok(()),
        _ => check_writable(path.parent().unwrap_or(Path::new(""))),
    }
}

/// Whether the path is a symbolic link to nothing: a directory cannot be made there.
fn is_dangling(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn here_if_empty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Writes a file by `content`, whole or not at all, and makes its directory if need be.
///
/// A symbolic link is followed, so the file it points at is replaced. What is there and is no regular file (a pipe,
/// `/dev/stdout`) cannot be replaced; it is written as it is.
///
/// # Errors
///
/// When the directory cannot be made or takes no files, when `content` fails, when the file cannot be synced or
/// renamed. No temporary file is left.
pub fn write_whole<F>(path: &Path, content: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
{
    write(path, true, content)
}

/// As [`write_whole`], for what can be had again: the file does not wait for the disk. It may be gone or empty after a
/// crash of the machine, not of the program.
///
/// # Errors
///
/// As [`write_whole`].
pub fn write_whole_unsynced<F>(path: &Path, content: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
{
    write(path, false, content)
}

fn write<F>(path: &Path, synced: bool, content: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
{
    let failed = |cause| WriteError::File { path: path.to_owned(), cause };
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(about) if !about.is_file() => return write_through(path, content).map_err(failed),
        Ok(_) => {
            let target = fs::canonicalize(path).map_err(failed)?;
            return replace(&target, synced, content).map_err(failed);
        }
        Err(_) => {}
    }
    let directory = here_if_empty(path.parent().unwrap_or(Path::new("")));
    faults::disk()
        .and_then(|()| fs::create_dir_all(directory))
        .map_err(|cause| WriteError::Directory { path: directory.to_owned(), cause })?;
    replace(path, synced, content).map_err(failed)
}

fn write_through<F>(path: &Path, content: F) -> io::Result<()>
where
    F: FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
{
    let mut file = OpenOptions::new().write(true).open(path)?;
    let mut out = BufWriter::new(Written(&mut file));
    content(&mut out)?;
    out.flush()
}

/// A file as it is written, where a test may have the disk be full.
struct Written<'a>(&'a mut File);

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        faults::disk()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn replace<F>(path: &Path, synced: bool, content: F) -> io::Result<()>
where
    F: FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
{
    let directory = here_if_empty(path.parent().unwrap_or(Path::new("")));
    let mut temporary = create_temporary(directory)?;
    let mut out = BufWriter::new(Written(temporary.file.as_file_mut()));
    content(&mut out)?;
    out.flush()?;
    drop(out);
    if synced {
        faults::disk()?;
        temporary.file.as_file().sync_all()?;
    }
    faults::disk()?;
    temporary.rename(path)?;
    // The rename itself reaches the disk with the directory. Some file systems cannot sync one, and the file is
    // whole either way.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// A temporary file that is on the list of unfinished ones; dropping it removes it unless it was renamed.
struct Temporary {
    file: NamedTempFile,
    renamed: bool,
}

fn create_temporary(directory: &Path) -> io::Result<Temporary> {
    let mut builder = Builder::new();
    builder.prefix(".isx-").suffix(".tmp");
    // Locked across both steps, so that no file exists that is not on the list.
    let mut unfinished = unfinished();
    if unfinished.closed {
        return Err(io::ErrorKind::Interrupted.into());
    }
    // Made here: a result is as readable as the user's umask makes files, and an error is the system's own.
    faults::disk()?;
    let file = builder.make_in(directory, |path| File::create_new(path))?;
    unfinished.paths.push(file.path().to_owned());
    Ok(Temporary { file, renamed: false })
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
        // Off the list only once it is gone, else a signal between the two would leave it.
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
    fn a_file_that_cannot_be_made_is_told_in_the_words_of_the_system_alone() {
        let nowhere = Path::new("/nonexistent-directory-of-isx");
        let error = create_temporary(nowhere).err().unwrap();
        let system = fs::read_dir(nowhere).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (system.kind(), system.to_string()));
    }
}
