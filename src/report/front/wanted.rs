//! A written front: one reader for `front.json` and `front.parquet`, and which parts of it are read.
//!
//! JSON is read from beginning to end. Of a Parquet file only the columns that are needed are read.

pub use super::unreadable::NO_PARQUET;
use super::unreadable::PlotError;
use super::{Front, WithChoices, read_json};
use isx_exact::quantity::Rational;
use isx_taskset::Resources;
use std::fs::File;
use std::io::{Cursor, Read};

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

/// A front that was written before, as JSON or as Parquet; its first bytes show which.
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

impl Front<'_> {
    /// Reads a front that was written as JSON or as Parquet.
    /// Fails with [`PlotError`]: the input cannot be read, is not a front, or contradicts itself.
    pub fn read<'w>(written: impl Into<Written<'w>>, which: &WithChoices) -> Result<Self, PlotError> {
        let Written(mut source) = written.into();
        let stream: &mut dyn Read = match &mut source {
            Source::Stream(stream) => stream,
            Source::File(file) => file,
        };
        let mut magic = Vec::new();
        let length = PARQUET_MAGIC.len() as u64;
        stream.take(length).read_to_end(&mut magic).map_err(PlotError::Read)?;
        if magic == PARQUET_MAGIC {
            return read_parquet(source, magic, which);
        }
        let first = match which {
            WithChoices::First(count) => *count,
            WithChoices::Of(_) => usize::MAX,
        };
        read_json::read(&mut Cursor::new(magic).chain(stream), first)
    }
}

#[cfg(feature = "parquet")]
fn read_parquet<'f>(source: Source, magic: Vec<u8>, which: &WithChoices) -> Result<Front<'f>, PlotError> {
    use super::read_parquet::{Stored, read};
    let stored = match source {
        Source::File(file) => Stored::File(file),
        Source::Stream(mut stream) => {
            let mut bytes = magic;
            stream.read_to_end(&mut bytes).map_err(PlotError::Read)?;
            Stored::Memory(bytes.into())
        }
    };
    read(stored, which)
}

#[cfg(not(feature = "parquet"))]
fn read_parquet<'f>(_: Source, _: Vec<u8>, _: &WithChoices) -> Result<Front<'f>, PlotError> {
    Err(PlotError::NoParquet)
}

/// Whether this thread is in code that panics on some damaged Parquet files. Such a panic becomes an error of
/// [`Front::read`], so a program's panic hook need not report it.
pub fn is_guarded() -> bool {
    #[cfg(feature = "parquet")]
    return super::guard::is_guarded();
    #[cfg(not(feature = "parquet"))]
    false
}
