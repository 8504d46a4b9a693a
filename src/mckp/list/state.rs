//! The checkpoint that the engine saves between two classes: the list, and the items and parents of all earlier
//! lists.

use super::{Growth, KEPT_BYTES, Pace};
use crate::answer::{ItemIndices, LayerPicks, Value};
use crate::family::{Wanted, written};
use isx_engine::{EngineError, StateReader, StateWriter, unfit};
use isx_machine::Machine;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::io::{self, Write};

impl<V: Value + ToPrimitive> Growth<'_, V> {
    /// Resumes from a saved state, if there is one.
    pub fn resume(&mut self) -> Result<(), EngineError> {
        let Some(store) = self.context.store else { return Ok(()) };
        let subject = |out: &mut dyn Write| written(self.problem, self.wanted, self.context, out);
        if let Some(state) = store.begin(&subject)? {
            self.read(&mut StateReader(state))?;
            self.context.progress.advance(self.done as u64);
        }
        Ok(())
    }

    /// Saves the state, if a checkpoint is due.
    pub fn keep_if_due(&self) {
        if let Some(store) = self.context.store.filter(|store| store.is_due()) {
            store.keep(&|out| self.write(out));
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = StateWriter(out);
        let Pace { looked_at, sorted } = self.pace;
        let shared = u64::from(self.team.took_part() > 1);
        let figures = [
            self.done as u64,
            self.updates,
            self.longest as u64,
            looked_at.to_bits(),
            sorted.to_bits(),
            shared,
        ];
        figures.into_iter().try_for_each(|figure| out.number(figure))?;
        write_picks(&self.kept, &mut out)?;
        out.number(self.layer.len() as u64)?;
        out.values(&self.layer.weights)?;
        for value in &self.layer.values {
            out.big(&value.to_big())?;
        }
        Ok(())
    }

    /// Restores what [`Growth::write`] wrote. Whatever the bytes are, no traceback leaves the lists.
    fn read(&mut self, parts: &mut StateReader<'_>) -> Result<(), EngineError> {
        let done = parts.number()? as usize;
        (self.updates, self.longest) = (parts.number()?, parts.number()? as usize);
        self.pace =
            Pace { looked_at: f64::from_bits(parts.number()?), sorted: f64::from_bits(parts.number()?) };
        if parts.number()? > 0 {
            self.team.was_used();
        }
        if done == 0 || done > self.problem.classes.len() {
            return Err(unfit("it has other classes"));
        }
        let mut length = 1;
        let machine = self.context.machine;
        if self.wanted != Wanted::Values {
            let items: Vec<usize> =
                self.problem.classes[..done].iter().map(|class| class.items.len()).collect();
            (length, self.kept_bytes) = read_picks(parts, &items, machine, &mut self.kept)?;
        }
        let pairs = parts.number()? as usize;
        if pairs == 0 || (self.wanted != Wanted::Values && pairs != length) {
            return Err(unfit("its lists are of other lengths"));
        }
        let list = (pairs as u64).saturating_mul((size_of::<u64>() + size_of::<V>()) as u64);
        machine.allow(self.kept_bytes.saturating_add(list))?;
        let weights: Vec<u64> = parts.values(pairs)?;
        let most =
            self.problem.classes.iter().filter_map(|class| class.items.iter().map(|item| &item.value).max());
        let most: BigInt = most.map(V::to_big).sum();
        let values = (0..pairs).map(|_| {
            let value = parts.big()?;
            let fits = value >= BigInt::ZERO && value <= most;
            V::from_big(&value).filter(|_| fits).ok_or_else(|| unfit("a value is too large"))
        });
        let values = values.collect::<Result<Vec<V>, EngineError>>()?;
        let rises = weights.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || !values.is_sorted() || weights[pairs - 1] > self.problem.capacity {
            return Err(unfit("its list does not rise"));
        }
        let without = self.wanted != Wanted::Values;
        let unread = if without { Vec::new() } else { vec![0; pairs] };
        (self.layer.items, self.layer.parents) = (unread.clone(), unread);
        (self.layer.weights, self.layer.values, self.done) = (weights, values, done);
        Ok(())
    }
}

fn write_picks(layers: &[LayerPicks], out: &mut StateWriter<'_>) -> io::Result<()> {
    for picks in layers {
        let LayerPicks::States { item, parent } = picks else { continue };
        out.number(parent.len() as u64)?;
        out.values(parent)?;
        match item {
            ItemIndices::U8(items) => out.values(items)?,
            ItemIndices::U16(items) => out.values(items)?,
            ItemIndices::U32(items) => out.values(items)?,
        }
    }
    Ok(())
}

/// Reads the layers of classes with these numbers of items; returns the length of the last list, and the bytes of
/// all.
fn read_picks(
    parts: &mut StateReader<'_>,
    items: &[usize],
    machine: &Machine,
    layers: &mut Vec<LayerPicks>,
) -> Result<(usize, u64), EngineError> {
    let (mut length, mut bytes) = (1, 0u64);
    for &items in items {
        let before = std::mem::replace(&mut length, parts.number()? as usize);
        // The file may contain any number.
        bytes = bytes.saturating_add((length as u64).saturating_mul(KEPT_BYTES));
        machine.allow(bytes)?;
        let parent: Vec<u32> = parts.values(length)?;
        let item = match ItemIndices::zeros(0, items) {
            ItemIndices::U8(_) => ItemIndices::U8(parts.values(length)?),
            ItemIndices::U16(_) => ItemIndices::U16(parts.values(length)?),
            ItemIndices::U32(_) => ItemIndices::U32(parts.values(length)?),
        };
        if (0..length).any(|at| parent[at] as usize >= before || item.get(at) >= items) {
            return Err(unfit("a pair comes from none before it"));
        }
        layers.push(LayerPicks::States { item, parent });
    }
    Ok((length, bytes))
}
