//! Which points of a written front are read, and what tells a Parquet file.

use isx_exact::quantity::Rational;
use isx_taskset::Resources;

/// How a Parquet file begins.
pub const PARQUET_MAGIC: &[u8] = b"PAR1";

/// What a build without Parquet says of it.
pub const NO_PARQUET: &str =
    "this isx was built without Parquet; `cargo install --path . --features full` builds it with";

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

/// Which points of a front are read.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a> {
    /// All of them.
    All {
        /// Choices are read for this many points from the first on; the others have none.
        told: usize,
    },
    /// At least the wanted point with its choices and those of its neighbors, and the first and the last point. For
    /// [`Pick::Smallest`] it is the first schedulable point. What the other points would contradict is not noticed.
    Near(&'a Pick),
}
