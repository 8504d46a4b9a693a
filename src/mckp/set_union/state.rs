//! What the list engine keeps between two classes so that another run goes on from there: the lists of all states. Which
//! elements are open is told by the schedule.

use super::entry::Entry;
use super::layer::{Chunk, Layer};
use super::list::Growth;
use isx_engine::{EngineError, Figures, Keeper, Parts, unfit};
use isx_machine::Machine;
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::Value;
use num_bigint::BigInt;
use std::io::{self, Write};

/// Writes a problem, by which a state is known to belong to it.
fn written(problem: &Reduced, tier: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut out = Figures(out);
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

impl<V: Value, const W: usize> Growth<'_, V, W> {
    /// Goes on from lists that were kept, if there are some; gives the number of steps that they come after.
    pub fn resume(&mut self) -> Result<usize, EngineError> {
        let (problem, context) = (self.run.problem, self.run.context);
        let Some(keeper) = context.keeper else { return Ok(0) };
        let subject = |out: &mut dyn Write| written(problem, V::TIER as u64, out);
        let Some(state) = keeper.begin(&subject)? else { return Ok(0) };
        let mut parts = Parts(state);
        let done = parts.number()? as usize;
        self.updates = parts.number()?;
        self.cut = parts.number()? > 0;
        if parts.number()? > 0 {
            // The account tells of the threads of both runs.
            context.machine.workers().run(|| ());
        }
        let steps = self.run.schedule.steps.get(..done).ok_or_else(|| unfit("it has other classes"))?;
        for step in steps {
            self.unopened.retain(|element| !step.opens.contains(element));
            self.open.extend(&step.opens);
            self.open.retain(|element| !step.closes.contains(element));
        }
        let most: BigInt =
            problem.classes.iter().filter_map(|class| class.iter().map(|item| &item.value).max()).sum();
        self.layer = Layer::read(self.open.len(), &mut parts, problem.capacity, &most, context.machine)?;
        context.progress.advance(done as u64);
        Ok(done)
    }

    /// Keeps the lists after so many steps, if it is time to.
    pub fn keep_if_due(&self, done: usize) {
        let due = |keeper: &&dyn Keeper| keeper.is_due();
        let Some(keeper) = self.run.context.keeper.filter(due) else { return };
        keeper.keep(&|out| {
            let mut out = Figures(out);
            let started = self.run.context.machine.workers().are_started();
            for figure in [done as u64, self.updates, u64::from(self.cut), u64::from(started)] {
                out.number(figure)?;
            }
            self.layer.write(&mut out)
        });
    }
}

impl<V: Value, const W: usize> Layer<V, W> {
    fn write(&self, out: &mut Figures<'_>) -> io::Result<()> {
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

    /// Reads the lists of so many open elements; no figure in them is beyond the problem's.
    fn read(
        open: usize,
        parts: &mut Parts<'_>,
        capacity: u64,
        most: &BigInt,
        machine: &Machine,
    ) -> Result<Self, EngineError> {
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        for at in 0..Self::chunks_of(open) {
            let states = Self::states_of(at, open);
            let ends: Vec<u64> = parts.values(states)?;
            let ends: Vec<usize> = ends.into_iter().map(|end| end as usize).collect();
            let count = ends.last().copied().unwrap_or(0);
            bytes += (count as u64).saturating_mul(size_of::<Entry<V, W>>() as u64);
            machine.allow(bytes)?;
            if !ends.is_sorted() {
                return Err(unfit("its lists are of other lengths"));
            }
            let mut entries = Vec::new();
            for _ in 0..count {
                let (weight, value) = (parts.number()?, parts.big()?);
                let items = parts.values(W)?.try_into().map_err(|_| unfit("it ends early"))?;
                let fits = weight <= capacity && value <= *most && value >= BigInt::ZERO;
                let value =
                    V::from_big(&value).filter(|_| fits).ok_or_else(|| unfit("a sum is too large"))?;
                entries.push(Entry { weight, value, items });
            }
            chunks.push(Chunk { ends, entries });
        }
        Ok(Self::of(open, chunks))
    }
}
