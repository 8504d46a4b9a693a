//! How the files are read that another file names.

use std::fmt;
use std::sync::Arc;

type ReadFile = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// Reads files by their paths as another file names them, from the folder of that file on.
///
/// ```
/// let files = isx_import::Files::new(|path| match path {
///     "base.json" => Ok(b"{}".to_vec()),
///     _ => Err("no such file".to_owned()),
/// });
/// assert_eq!(files.read("base.json"), Ok(b"{}".to_vec()));
/// assert!(isx_import::Files::default().read("base.json").is_err());
/// ```
#[derive(Clone, Default)]
pub struct Files(Option<Arc<ReadFile>>);

impl Files {
    /// Reads files by this function, whose error is the problem in words.
    pub fn new(read: impl Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(read)))
    }

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// The problem in words; also if files cannot be read at all.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.as_ref().map_or_else(|| Err("files are not read here".to_owned()), |read| read(path))
    }

    pub(crate) fn are_given(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_given() { "Files(..)" } else { "Files(none)" })
    }
}
