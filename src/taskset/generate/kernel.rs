//! What a kernel costs in generated sets.

use super::drawn::{GeneratedTask, GeneratedTiming};
use isx_exact::sampling::{DecimalRange, Sampler};
use std::fmt;

/// Costs besides the WCETs. They are drawn after everything else: the same recipe without them gives the same tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeneratedKernel {
    /// The cycles of a context switch; 0 for none.
    pub switch: u64,
    /// Release jitter, as parts of the deadline.
    pub jitter: Option<DecimalRange>,
    /// Blocking, as parts of the WCET in software.
    pub blocking: Option<DecimalRange>,
    /// Parts that cannot be interrupted, as parts of the WCET in software.
    pub nonpreemptive: Option<DecimalRange>,
}

impl GeneratedKernel {
    /// The ranges, each with its flag.
    pub(super) fn ranges(&self) -> [(&'static str, Option<DecimalRange>); 3] {
        [("jitter", self.jitter), ("blocking", self.blocking), ("nonpreemptive", self.nonpreemptive)]
    }

    pub(super) fn draw(&self, tasks: &mut [GeneratedTask], sampler: &mut Sampler) {
        for (number, (_, range)) in self.ranges().into_iter().enumerate() {
            let Some(range) = range else { continue };
            for task in tasks.iter_mut() {
                let GeneratedTiming { wcet, period_us, deadline_us } = task.timing;
                let of = if number == 0 { deadline_us.unwrap_or(period_us) } else { wcet };
                let part = u128::from(of) * u128::from(sampler.uniform(range.low, range.high));
                task.kernel[number] = (part / u128::from(range.unit())) as u64;
            }
        }
    }
}

impl fmt::Display for GeneratedKernel {
    /// The flags, each after a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.switch > 0 {
            write!(f, " --switch {}", self.switch)?;
        }
        let given = self.ranges().into_iter().filter_map(|(flag, range)| Some((flag, range?)));
        given.into_iter().try_for_each(|(flag, range)| write!(f, " --{flag} {range}"))
    }
}
