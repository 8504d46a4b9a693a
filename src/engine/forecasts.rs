//! What engines are expected to need for a problem: the planner's view, without an answer.

use isx_machine::rates::Rate;
use std::time::Duration;

/// Points that a front is expected to have: `share` times the square of the logarithm of the number of selections of one
/// item per class, of which there are `sizes`, and no more than selections and `cells`.
///
/// Of N vectors with independent random figures in three dimensions, (ln N)^2 / 2 are expected to be undominated (J.
/// Bentley, H. Kung, M. Schkolnick and C. Thompson, "On the average number of maxima in a set of vectors", Journal of the
/// ACM 25(4), 1978). Sums of the figures of classes have more: about (ln N)^2 in random problems with two resources.
pub fn expected_points(sizes: impl Iterator<Item = usize>, share: f64, cells: f64) -> f64 {
    let logarithm: f64 = sizes.map(|size| (size.max(1) as f64).ln()).sum();
    (share * logarithm * logarithm).min(logarithm.exp()).min(cells).max(1.0)
}

/// What the engines of a registry are expected to need for a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecasts {
    /// The family's name.
    pub family: &'static str,
    /// Every engine, in the registry's order.
    pub engines: Vec<Forecast>,
}

/// What an engine is expected to need, or why it does not solve the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The engine's name.
    pub engine: &'static str,
    /// Its place in this run.
    pub role: Role,
    /// Its expected needs, or why it does not solve the problem, as a clause after its name.
    pub needs: Result<Needs, String>,
}

/// The place of an engine in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It starts, and goes on as long as it expects to end before the one that runs otherwise.
    TriedFirst,
    /// It solves the problem, unless one that is tried first does.
    Runs,
    /// It is not used.
    Idle,
}

/// Expected needs of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Wall-clock time.
    pub time: Duration,
    /// Whether the time is only a lower bound, since how much work there is becomes known as it is done.
    pub at_least: bool,
    /// Peak bytes of the tables; `None` if no amount is known to be enough.
    pub bytes: Option<u64>,
    /// The work of one thread, most time first.
    pub work: Vec<Work>,
}

/// An amount of work of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Its rate.
    pub rate: Rate,
    /// How much there is of it, in the rate's unit.
    pub amount: u64,
    /// The time that it takes one thread.
    pub time: Duration,
}
