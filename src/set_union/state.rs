//! The checkpoint that the list engine saves between two classes: the lists of all states. The schedule determines
//! which elements are open. What the checkpoints of all engines contain is here, too.

use super::entry::Entry;
use super::layer::{Chunk, Layer};
use super::list::Growth;
use super::order::{Schedule, Step};
use isx_engine::{Context, EngineError, StateReader, StateStore, StateWriter, unfit};
use isx_machine::Machine;
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use std::io::{self, Write};

/// Writes the problem, to check that a checkpoint belongs to it.
fn written(problem: &Reduced, tier: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut out = StateWriter(out);
    for figure in [tier, problem.capacity, problem.elements.len() as u64, problem.classes.len() as u64] {
        out.number(figure)?;
    }
    for element in &problem.elements {
        out.number(element.weight)?;
        out.number(element.group.map_or(0, |group| u64::from(group) + 1))?;
    }
    for class in &problem.classes {
        out.number(class.len() as u64)?;
        for item in class {
            out.number(item.weight)?;
            out.big(&item.value)?;
            out.number(item.uses.len() as u64)?;
            out.values(&item.uses)?;
        }
    }
    Ok(())
}

/// The checkpoint of an earlier run of this problem.
pub(super) fn stored<'a>(
    problem: &Reduced,
    tier: Tier,
    context: &Context<'a>,
) -> Result<Option<StateReader<'a>>, EngineError> {
    let Some(store) = context.store else { return Ok(None) };
    let state = store.begin(&|out: &mut dyn Write| written(problem, tier as u64, out))?;
    Ok(state.map(StateReader))
}

/// Steps done, updates made, whether the capacity excluded a sum.
pub(super) fn header(parts: &mut StateReader<'_>, context: &Context) -> Result<[u64; 3], EngineError> {
    let header = [parts.number()?, parts.number()?, parts.number()?];
    if parts.number()? > 0 {
        // The report counts the threads of both runs.
        context.machine.workers().run(|| ());
    }
    Ok(header)
}

/// Writes what [`header`] reads.
pub(super) fn write_header(out: &mut StateWriter<'_>, header: [u64; 3], context: &Context) -> io::Result<()> {
    header.into_iter().try_for_each(|figure| out.number(figure))?;
    out.number(context.machine.workers().are_started().into())
}

/// An upper bound on the value of any selection.
pub(super) fn most_value(problem: &Reduced) -> BigInt {
    problem.classes.iter().filter_map(|class| class.iter().map(|item| &item.value).max()).sum()
}

/// The end of each of `states` lists, and the last of these ends.
fn read_ends(parts: &mut StateReader<'_>, states: usize) -> Result<(Vec<usize>, usize), EngineError> {
    let ends: Vec<usize> = parts.values::<u64>(states)?.into_iter().map(|end| end as usize).collect();
    let count = ends.last().copied().unwrap_or(0);
    Ok((ends, count))
}

impl Schedule {
    /// The first steps.
    pub(super) fn done(&self, done: u64) -> Result<&[Step], EngineError> {
        self.steps.get(..done as usize).ok_or_else(|| unfit("it has other classes"))
    }
}

impl<V: Value, const W: usize> Growth<'_, V, W> {
    /// Resumes from saved lists, if there are any; returns the number of steps that they already include.
    pub fn resume(&mut self) -> Result<usize, EngineError> {
        let (problem, context) = (self.run.problem, self.run.context);
        let Some(mut parts) = stored(problem, V::TIER, context)? else { return Ok(0) };
        let [done, updates, cut] = header(&mut parts, context)?;
        (self.updates, self.cut) = (updates, cut > 0);
        for step in self.run.schedule.done(done)? {
            self.begin(step);
            self.open.retain(|element| !step.closes.contains(element));
        }
        self.layer = Layer::read(self.open.len(), &mut parts, problem, context.machine)?;
        context.progress.advance(done);
        Ok(done as usize)
    }

    /// Saves the lists after `done` steps, if a checkpoint is due.
    pub fn keep_if_due(&self, done: usize) {
        let due = |store: &&dyn StateStore| store.is_due();
        let Some(store) = self.run.context.store.filter(due) else { return };
        store.keep(&|out| {
            let mut out = StateWriter(out);
            write_header(&mut out, [done as u64, self.updates, self.cut.into()], self.run.context)?;
            self.layer.write(&mut out)
        });
    }
}

impl<V: Value, const W: usize> Layer<V, W> {
    fn write(&self, out: &mut StateWriter<'_>) -> io::Result<()> {
        for Chunk { ends, entries } in &self.chunks {
            ends.iter().try_for_each(|&end| out.number(end as u64))?;
            for entry in entries {
                out.number(entry.weight)?;
                out.big(&entry.value.to_big())?;
                out.values(&entry.items)?;
            }
        }
        Ok(())
    }

    /// Reads the lists for a number of open elements; no number in them exceeds the problem's bounds.
    fn read(
        open: usize,
        parts: &mut StateReader<'_>,
        problem: &Reduced,
        machine: &Machine,
    ) -> Result<Self, EngineError> {
        let most = most_value(problem);
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        for at in 0..Self::chunks_of(open) {
            let states = Self::states_of(at, open);
            let (ends, count) = read_ends(parts, states)?;
            bytes += (count as u64).saturating_mul(size_of::<Entry<V, W>>() as u64);
            machine.allow(bytes)?;
            if !ends.is_sorted() {
                return Err(unfit("its lists are of other lengths"));
            }
            let mut entries = Vec::new();
            for _ in 0..count {
                let (weight, value) = (parts.number()?, parts.big()?);
                let items = parts.values(W)?.try_into().map_err(|_| unfit("it ends early"))?;
                let fits = weight <= problem.capacity && value <= most && value >= BigInt::ZERO;
                let value =
                    V::from_big(&value).filter(|_| fits).ok_or_else(|| unfit("a sum is too large"))?;
                entries.push(Entry { weight, value, items });
            }
            chunks.push(Chunk { ends, entries });
        }
        Ok(Self::of(open, chunks))
    }
}
