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
//!     nonpreemptive: 80 us         # its longest part that cannot be interrupted; or all
//!     locks: {bus: 20 us}          # its longest critical section on each shared resource
//! ```

use isx_exact::quantity::Rational;

use super::fields::{Field, Fields, Least};
use super::task_set::Reader;
use super::tree::Node;
use crate::diagnostics::Found;
use crate::model::{KernelCosts, Lock, Nonpreemptive, name_problem};

impl Reader<'_> {
    /// The critical sections of a task, or of a task with a choice; `None` if the key is absent.
    pub fn locks(&mut self, fields: &Fields<'_>) -> Found<Option<Vec<Lock>>> {
        let Some(field) = fields.get("locks") else { return Ok(None) };
        let given = Fields::of_names(field, &|key| resource_name(field, key)).map_err(|error| {
            error.help("write for example `locks: {bus: 20 us}`; `{}` where there is none")
        })?;
        let lock = |lock: Field<'_>| {
            Ok(Lock { name: lock.key.to_owned(), time: self.time(lock, "locks", Least::Zero)? })
        };
        Ok(Some(given.all().map(lock).collect::<Found<_>>()?))
    }

    /// What delays the jobs of a task.
    pub fn kernel_costs(&mut self, task: &Fields<'_>) -> Found<KernelCosts> {
        let jitter = self.kernel_time(task, "jitter")?;
        let blocking = self.kernel_time(task, "blocking")?;
        let nonpreemptive = match task.get("nonpreemptive") {
            Some(field) if field.node.text() == Some("all") => Nonpreemptive::All,
            _ => Nonpreemptive::Part(self.kernel_time(task, "nonpreemptive")?),
        };
        Ok(KernelCosts { jitter, blocking, nonpreemptive, locks: self.locks(task)?.unwrap_or_default() })
    }

    /// The time of this key; 0 if absent.
    pub fn kernel_time(&mut self, fields: &Fields<'_>, key: &'static str) -> Found<Rational> {
        fields.get(key).map_or(Ok(Rational::default()), |field| self.time(field, key, Least::Zero))
    }
}

/// The name of a shared resource.
fn resource_name<'t>(field: Field<'_>, key: &'t Node<'t>) -> Found<&'t str> {
    let problem = |what: &str| field.fields.error_at(key, format!("a name in {field} {what}"));
    let name = key.text().ok_or_else(|| problem("is not a word"))?;
    name_problem(name).map_or(Ok(name), |why| Err(problem(&why.to_string())))
}
