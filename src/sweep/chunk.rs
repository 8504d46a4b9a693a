//! The records of a chunk: a pure function of the specification and its number.

use crate::measure::{Figures, measure};
use crate::record::{self, Record};
use crate::spec::{Spec, SweepError};
use isx_machine::Machine;
use isx_mckp::least::Search;
use isx_taskset::generate::{Sums, in_units};

/// The file of a chunk. `watch` is asked after every set whether to go on.
/// Fails if there is no such chunk, a set of it cannot be drawn or measured, or `watch` calls it off.
///
/// ```
/// use isx_sweep::{Spec, chunk};
/// let text = b"{schema: isx.sweep/1, seed: 1, sets_per_point: 3, measure: [min_area]}";
/// let spec = Spec::read("sweep.yaml", text, std::path::Path::new("")).unwrap();
/// let machine = isx_machine::Machine::default().with_threads(1);
/// let bytes = chunk::bytes(&spec, 0, &machine, &|| true).unwrap();
/// assert_eq!((spec.chunks(), &bytes[..4]), (1, &b"PAR1"[..]));
/// ```
pub fn bytes(
    spec: &Spec,
    number: u64,
    machine: &Machine,
    watch: &dyn Fn() -> bool,
) -> Result<Vec<u8>, SweepError> {
    if number >= spec.chunks() {
        let last = spec.chunks() - 1;
        return Err(SweepError::Asked(format!("there is no chunk {number}: they are numbered 0 to {last}")));
    }
    let (point, sets) = spec.sets_of(number);
    let memory = &mut Memory::default();
    let mut records = Vec::with_capacity((sets.end - sets.start) as usize * spec.pairs() as usize);
    for index in sets {
        for pair in 0..spec.pairs() {
            records.push(record(spec, point, index, pair, machine, memory)?);
        }
        if !watch() {
            return Err(SweepError::Cancelled);
        }
    }
    record::file(spec, number, &records)
}

/// What records need, for one after the other.
#[derive(Default)]
pub struct Memory {
    sums: Sums,
    search: Search,
}

/// The record of a set.
/// Fails if there is no such set, or it cannot be drawn or measured.
pub fn record(
    spec: &Spec,
    point: u64,
    index: u64,
    pair: u64,
    machine: &Machine,
    memory: &mut Memory,
) -> Result<Record, SweepError> {
    let asked = &spec.asked;
    if !asked.breakdown
        && !asked.points
        && spec.sums(point, index, pair, &mut memory.sums)?
        && let Some(record) = record_of_sums(spec, point, index, pair, memory)
    {
        return Ok(record);
    }
    let figures = measure(&spec.task_set(point, index, pair)?, asked, machine);
    let figures = figures.map_err(|error| SweepError::Set { point, index, why: error.to_string() })?;
    Ok(Record { point, index, pair, figures })
}

/// The record of the set whose sums are in the memory; `None` if they are too large.
fn record_of_sums(spec: &Spec, point: u64, index: u64, pair: u64, memory: &mut Memory) -> Option<Record> {
    let (asked, Memory { sums, search }) = (&spec.asked, memory);
    let figures = Figures {
        utilization: sums.utilization(0),
        least_utilization: asked.least_utilization.then(|| sums.utilization(sums.most_saved())),
        ..Figures::default()
    };
    let mut record = Record { point, index, pair, figures };
    if !asked.area() {
        return Some(record);
    }
    let needed = sums.demand as i64 - sums.hyperperiod as i64;
    let least = search.least_weight(&sums.choices, &sums.ends, needed)?;
    record.figures.set_area(asked, least.map(|area| in_units(area, sums.parts)));
    Some(record)
}
