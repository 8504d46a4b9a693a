//! Many small computations at the same time, one thread each, within the limits of one large computation.

use super::{Machine, allocated};

impl Machine {
    /// One of `of` machines that together are this one: one thread, and an equal share of the memory.
    pub fn part(&self, of: usize) -> Self {
        if of < 2 {
            return self.clone();
        }
        let all = self.max_memory().saturating_sub(allocated::beyond_the_program());
        self.clone().with_threads(1).with_max_memory(all / of as u64)
    }

    /// Calls `work` for every number below `count` and returns the results in order. As many calls run at the same
    /// time as there are threads, each on a machine with one thread and its share of the memory. Results that are
    /// `too_large` for that are computed again afterwards, one after the other, on the whole machine.
    ///
    /// ```
    /// use isx_machine::Machine;
    /// let machine = Machine::default().with_threads(4).with_max_memory(4000);
    /// let needed = [500u64, 3000, 1000];
    /// let done = machine.map_in_shares(3, |at, machine| machine.allow(needed[at]).is_ok(), |&done| !done);
    /// assert_eq!(done, [true, true, true]);
    /// ```
    pub fn map_in_shares<T: Send>(
        &self,
        count: usize,
        work: impl Fn(usize, &Self) -> T + Sync,
        too_large: impl Fn(&T) -> bool,
    ) -> Vec<T> {
        let at_once = self.threads().min(count);
        if at_once < 2 {
            return (0..count).map(|at| work(at, self)).collect();
        }
        let part = self.part(at_once);
        let mut done = self.workers().map(count as u64, true, |at| work(at as usize, &part));
        for (at, done) in done.iter_mut().enumerate() {
            if too_large(done) {
                *done = work(at, self);
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn shares_together_stay_within_the_limit() {
        let machine = Machine::default().with_threads(3).with_max_memory(999);
        let held = AtomicU64::new(0);
        let needed = |at: usize| if at % 5 == 4 { 900 } else { 300 };
        let work = |at: usize, machine: &Machine| {
            machine.allow(needed(at))?;
            assert!(held.fetch_add(needed(at), Ordering::SeqCst) + needed(at) <= 999);
            std::thread::sleep(std::time::Duration::from_micros(50));
            held.fetch_sub(needed(at), Ordering::SeqCst);
            Ok::<usize, crate::OverMemory>(at)
        };
        let done = machine.map_in_shares(100, work, Result::is_err);
        assert!(done.into_iter().enumerate().all(|(at, done)| done == Ok(at)));
        assert_eq!(machine.map_in_shares(1, work, Result::is_err), [Ok(0)]);
        assert!(machine.map_in_shares(0, work, Result::is_err).is_empty());
    }
}
