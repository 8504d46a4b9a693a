//! A front that was written before: one reader for `front.json` and `front.parquet`.
//!
//! JSON is read from beginning to end. Of a Parquet file only the columns that are needed are read, and only the row
//! groups with the points that are needed.
//!
//! ```
//! use isx_report::written::{Points, Written};
//! let text = "{name: one, tasks: [{name: a, wcet: 6, period: 5, choices: [{name: mac, area: 120, wcet: 4}]}]}";
//! let task_set = isx_taskset::read_str("one.yaml", text)?.task_set;
//! let explored = isx_explore::explore(&task_set, &isx_explore::Options::default())?;
//! let mut document = Vec::new();
//! isx_report::json::write(&explored, &isx_machine::cpu::Workers::new(1), &mut document)?;
//! let mut choices = Vec::new();
//! let wanted = Points::All { told: usize::MAX };
//! let head = Written::from(document.as_slice()).read(&wanted, &mut |_, point| choices.push(point.choices.0))?;
//! assert_eq!((head.taskset.as_str(), head.points), ("one", 2));
//! assert_eq!(choices[1][0].1.as_deref(), Some("mac"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::front::read_json::{self, Head, Visit};
use crate::front::unreadable::PlotError;
pub use crate::front::wanted::{NO_PARQUET, PARQUET_MAGIC, Pick, Points};
use isx_taskset::Resources;
use std::fs::File;
use std::io::{Cursor, Read, Seek};

/// A front that was written before, as JSON or as Parquet; its first bytes tell which.
pub struct Written<'a>(Source<'a>);

enum Source<'a> {
    Stream(Box<dyn Read + 'a>),
    /// A regular file, which can be read from any place.
    File(File),
}

impl<'a, R: Read + 'a> From<R> for Written<'a> {
    /// A front in a stream. Parquet, whose head is at its end, is read into memory.
    fn from(stream: R) -> Self {
        Self(Source::Stream(Box::new(stream)))
    }
}

impl Written<'static> {
    /// A front in a file. Parts of a regular file are read without the others; anything else is a stream.
    pub fn in_file(file: File) -> Self {
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        Self(if is_regular { Source::File(file) } else { Source::Stream(Box::new(file)) })
    }
}

impl Written<'_> {
    /// The resources of the front, which can be read in full afterwards; `None` if there is one area, or no front.
    /// Fails with [`PlotError::Read`].
    pub fn resources(&mut self) -> Result<Option<Resources>, PlotError> {
        let mut magic = Vec::new();
        match &mut self.0 {
            Source::Stream(stream) => {
                begin(stream, &mut magic)?;
                let is_parquet = magic == PARQUET_MAGIC;
                let whole = Cursor::new(magic).chain(std::mem::replace(stream, Box::new(std::io::empty())));
                let mut tee = Tee { stream: whole, passed: Vec::new() };
                let found = if is_parquet {
                    resources_in_parquet(Parquet::Stream(&mut tee))
                } else {
                    Ok(read_json::resources(&mut tee))
                };
                *stream = Box::new(Cursor::new(tee.passed).chain(tee.stream));
                found
            }
            Source::File(file) => {
                begin(file, &mut magic)?;
                file.rewind().map_err(PlotError::Read)?;
                let found = if magic == PARQUET_MAGIC {
                    resources_in_parquet(Parquet::File(file.try_clone().map_err(PlotError::Read)?))
                } else {
                    Ok(read_json::resources(file))
                };
                file.rewind().map_err(PlotError::Read)?;
                found
            }
        }
    }

    /// Reads the front and passes points with their indices, in order, to `visit`.
    /// Fails with [`PlotError`]: the input cannot be read, is not a front, or contradicts itself.
    pub fn read(self, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
        let told = match wanted {
            Points::All { told } => *told,
            Points::Near(_) => usize::MAX,
        };
        let mut magic = Vec::new();
        match self.0 {
            Source::Stream(mut stream) => {
                begin(&mut stream, &mut magic)?;
                let is_parquet = magic == PARQUET_MAGIC;
                let mut whole = Cursor::new(magic).chain(stream);
                if !is_parquet {
                    return read_json::read(&mut whole, told, visit);
                }
                read_parquet(Parquet::Stream(&mut whole), wanted, visit)
            }
            Source::File(mut file) => {
                begin(&mut file, &mut magic)?;
                file.rewind().map_err(PlotError::Read)?;
                if magic != PARQUET_MAGIC {
                    return read_json::read(&mut file, told, visit);
                }
                read_parquet(Parquet::File(file), wanted, visit)
            }
        }
    }
}

fn begin(stream: &mut dyn Read, magic: &mut Vec<u8>) -> Result<(), PlotError> {
    let length = PARQUET_MAGIC.len() as u64;
    stream.take(length).read_to_end(magic).map(drop).map_err(PlotError::Read)
}

/// A stream that keeps what was read from it.
struct Tee<R> {
    stream: R,
    passed: Vec<u8>,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(into)?;
        self.passed.extend_from_slice(&into[..count]);
        Ok(count)
    }
}

/// The bytes of a Parquet file.
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "this build only tells them from JSON"))]
enum Parquet<'a> {
    Stream(&'a mut dyn Read),
    File(File),
}

#[cfg(feature = "parquet")]
fn read_parquet(bytes: Parquet, wanted: &Points, visit: Visit) -> Result<Head, PlotError> {
    crate::front::parquet::read::read(stored(bytes)?, wanted, visit)
}

#[cfg(feature = "parquet")]
fn resources_in_parquet(bytes: Parquet) -> Result<Option<Resources>, PlotError> {
    Ok(crate::front::parquet::read::resources(stored(bytes)?))
}

#[cfg(feature = "parquet")]
fn stored(bytes: Parquet) -> Result<crate::front::parquet::read::Stored, PlotError> {
    use crate::front::parquet::read::Stored;
    Ok(match bytes {
        Parquet::File(file) => Stored::File(file),
        Parquet::Stream(stream) => {
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).map_err(PlotError::Read)?;
            Stored::Memory(bytes.into())
        }
    })
}

/// Whether this thread is in code that panics on some damaged Parquet files. Such a panic becomes an error of
/// [`Written::read`], so a program's panic hook need not report it.
pub fn is_guarded() -> bool {
    #[cfg(feature = "parquet")]
    return crate::front::parquet::guard::is_guarded();
    #[cfg(not(feature = "parquet"))]
    false
}

#[cfg(not(feature = "parquet"))]
fn resources_in_parquet(_: Parquet) -> Result<Option<Resources>, PlotError> {
    Err(PlotError::NoParquet)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: Parquet, _: &Points, _: Visit) -> Result<Head, PlotError> {
    Err(PlotError::NoParquet)
}
