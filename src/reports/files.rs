//! How files that another file names are read.

use crate::decode::MAX_BYTES;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type ReadFile = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// Reads files by their paths as another file names them, from the folder of that file on.
///
/// ```
/// let files = isx_reports::Files::new(|path| match path {
///     "base.json" => Ok(b"{}".to_vec()),
///     _ => Err("no such file".to_owned()),
/// });
/// assert_eq!(files.read("base.json"), Ok(b"{}".to_vec()));
/// assert!(isx_reports::Files::default().read("base.json").is_err());
/// ```
#[derive(Clone, Default)]
pub struct Files(Option<Arc<ReadFile>>);

impl Files {
    /// Reads files by this function, whose error is the problem in words.
    pub fn new(read: impl Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(read)))
    }

    /// Reads files by their paths from the folder of this file; at most [`MAX_BYTES`] and one byte more of each.
    pub fn beside(file: &Path) -> Self {
        let folder = file.parent().map_or_else(PathBuf::new, Path::to_owned);
        Self::new(move |path| {
            let mut bytes = Vec::new();
            let opened = File::open(folder.join(path));
            let read = opened.and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
            read.map(|_| bytes).map_err(|problem| problem.to_string())
        })
    }

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// The problem in words; also if files cannot be read at all.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.as_ref().map_or_else(|| Err("files are not read here".to_owned()), |read| read(path))
    }

    /// Whether files can be read at all.
    pub fn are_given(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_given() { "Files(..)" } else { "Files(none)" })
    }
}
