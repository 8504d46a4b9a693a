//! Reads what a kernel and shared data cost besides the WCETs.
//!
//! ```yaml
//! switch: 120                      # one context switch, in WCET units
//! blocks:
//!   - {name: fpu, area: 900, switch: 64}       # its registers, saved by tasks that use it
//! tasks:
//!   - name: control
//!     jitter: 0.2 ms               # released up to this long after it arrives
//!     blocking: 50 us              # waits this long for what others hold
//!     nonpreemptive: 80 us         # its longest part that cannot be interrupted
//! ```

use isx_exact::quantity::Rational;

use super::fields::{Fields, Least};
use super::task_set::Reader;
use crate::diagnostics::Found;
use crate::model::{KernelCosts, Timing};

impl Reader<'_> {
    /// The cost of a context switch, of every task or of those that use a block; 0 if absent.
    pub fn switch(&mut self, fields: &Fields<'_>) -> Found<Rational> {
        self.kernel_time(fields, "switch")
    }

    /// What delays the jobs of a task, whose deadlines are these.
    pub fn kernel_costs(
        &mut self,
        task: &Fields<'_>,
        deadline: &Rational,
        timings: &[Option<Timing>],
    ) -> Found<KernelCosts> {
        let jitter = self.kernel_time(task, "jitter")?;
        let blocking = self.kernel_time(task, "blocking")?;
        let nonpreemptive = self.kernel_time(task, "nonpreemptive")?;
        let deadlines = timings.iter().flatten().map(|timing| &timing.deadline);
        let shortest = deadlines.chain([deadline]).min().unwrap_or(deadline);
        if let Some(field) = task.get("jitter").filter(|_| jitter > *shortest)
            && self.mixed_units().is_none()
        {
            let deadline = self.in_file_unit(shortest);
            return Err(field
                .error("is above the deadline")
                .label(format!("the deadline is {deadline}"))
                .help("a deadline counts from the arrival of a job, and the job is released up to the jitter later"));
        }
        Ok(KernelCosts { jitter, blocking, nonpreemptive })
    }

    fn kernel_time(&mut self, fields: &Fields<'_>, key: &'static str) -> Found<Rational> {
        fields.get(key).map_or(Ok(Rational::default()), |field| self.time(field, key, Least::Zero))
    }
}
