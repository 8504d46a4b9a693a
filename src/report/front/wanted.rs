//! A written front: one reader for `front.json` and `front.parquet`, and which parts of it are read.
//!
//! JSON is read from beginning to end. Of a Parquet file only the columns that are needed are read.

use super::head::Whole;
pub use super::unreadable::NO_PARQUET;
use super::unreadable::PlotError;
use super::{Head, Point, read_json};
use isx_exact::quantity::Rational;
use isx_taskset::Resources;
use std::fs::File;
use std::io::{Cursor, Read, Seek};

/// How a Parquet file begins.
pub const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Which point of a front is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The point of least utilization within an area.
    Area(Rational),
    /// The point with this index, counted from 0.
    Point(usize),
    /// The point of least area with at most this utilization.
    MaxUtilization(Rational),
    /// The design of least utilization within the limits of several resources, which needs no front.
    Least,
    /// The first point of least utilization within the limits of these resources, which are those of the front.
    Within(Resources),
    /// The smallest schedulable design, which need not be on the front.
    Smallest,
}

/// Whether a cost is within the limits.
pub fn fits(cost: &[Rational], limits: &[Option<Rational>]) -> bool {
    cost.iter().zip(limits).all(|(cost, limit)| limit.as_ref().is_none_or(|limit| cost <= limit))
}

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
    /// Reads the front.
    /// Fails with [`PlotError`]: the input cannot be read, is not a front, or contradicts itself.
    pub(super) fn points(self, whole: Whole) -> Result<(Head, Vec<Point>), PlotError> {
        let in_json = match whole {
            Whole::First(count) => count,
            Whole::Found(_) => usize::MAX,
        };
        let mut magic = Vec::new();
        match self.0 {
            Source::Stream(mut stream) => {
                begin(&mut stream, &mut magic)?;
                let is_parquet = magic == PARQUET_MAGIC;
                let mut stream = Cursor::new(magic).chain(stream);
                if !is_parquet {
                    return read_json::read(&mut stream, in_json);
                }
                read_parquet(Parquet::Stream(&mut stream), whole)
            }
            Source::File(mut file) => {
                begin(&mut file, &mut magic)?;
                file.rewind().map_err(PlotError::Read)?;
                if magic != PARQUET_MAGIC {
                    return read_json::read(&mut file, in_json);
                }
                read_parquet(Parquet::File(file), whole)
            }
        }
    }
}

fn begin(stream: &mut dyn Read, magic: &mut Vec<u8>) -> Result<(), PlotError> {
    let length = PARQUET_MAGIC.len() as u64;
    stream.take(length).read_to_end(magic).map(drop).map_err(PlotError::Read)
}

/// The bytes of a Parquet file.
#[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "this build only tells them from JSON"))]
enum Parquet<'a> {
    Stream(&'a mut dyn Read),
    File(File),
}

#[cfg(feature = "parquet")]
fn read_parquet(bytes: Parquet, whole: Whole) -> Result<(Head, Vec<Point>), PlotError> {
    use super::read_parquet::{Stored, read};
    let stored = match bytes {
        Parquet::File(file) => Stored::File(file),
        Parquet::Stream(stream) => {
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).map_err(PlotError::Read)?;
            Stored::Memory(bytes.into())
        }
    };
    read(stored, whole)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: Parquet, _: Whole) -> Result<(Head, Vec<Point>), PlotError> {
    Err(PlotError::NoParquet)
}

/// Whether this thread is in code that panics on some damaged Parquet files. Such a panic becomes an error of
/// [`Front::read`](super::Front::read), so a program's panic hook need not report it.
pub fn is_guarded() -> bool {
    #[cfg(feature = "parquet")]
    return super::guard::is_guarded();
    #[cfg(not(feature = "parquet"))]
    false
}
