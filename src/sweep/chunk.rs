//! The records of a chunk: a pure function of the specification and its number.

use crate::least::Search;
use crate::measure::{Figures, measure};
use crate::record::Record;
use crate::spec::{Spec, SweepError};
use crate::stored;
use isx_machine::Machine;
use isx_taskset::generate::{Sums, in_units};

/// The file of a chunk. `watch` is asked after every set whether to go on.
///
/// # Errors
///
/// If there is no such chunk, a set of it cannot be drawn or measured, or `watch` calls it off.
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
    stored::chunk(spec, number, records)
}

/// What records need, for one after the other.
#[derive(Default)]
pub struct Memory {
    sums: Sums,
    search: Search,
}

/// The record of a set.
///
/// # Errors
///
/// If there is no such set, or it cannot be drawn or measured.
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
    let Figures { utilization, least_utilization, min_area, area_bounds, accepted_any, accepted, .. } =
        figures;
    let Figures { breakdown, breakdown_bounds, points, unknown, .. } = figures;
    Ok(Record {
        point,
        index,
        pair,
        utilization,
        least_utilization,
        min_area,
        area_bounds,
        accepted_any,
        accepted,
        breakdown,
        breakdown_bounds,
        points,
        unknown,
    })
}

/// The record of the set whose sums are in the memory; `None` if they are too large.
fn record_of_sums(spec: &Spec, point: u64, index: u64, pair: u64, memory: &mut Memory) -> Option<Record> {
    let (asked, Memory { sums, search }) = (&spec.asked, memory);
    let mut record = Record {
        point,
        index,
        pair,
        utilization: sums.utilization(0),
        least_utilization: asked.least_utilization.then(|| sums.utilization(sums.most_saved())),
        ..Record::default()
    };
    if !asked.area() {
        return Some(record);
    }
    let needed = sums.demand as i64 - sums.hyperperiod as i64;
    let least = search.least_weight(&sums.choices, &sums.ends, needed)?;
    record.set_area(asked, least.map(|area| in_units(area, sums.parts)));
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn sums_tell_what_the_set_itself_does() {
        let text = "{schema: isx.sweep/1, seed: 5, sets_per_point: 40, grid: {utilization: [0.8, 1, 1.4, 2.1], periods: \
                    [automotive, '10ms,20ms', '1ms..1s/1us', 'harmonic:1us..1s'], area: [0..3, 100..5000, 0.25..90.5]}, \
                    recipe: {tasks: 5, choices: 0..4}, measure: [min_area, least_utilization], budgets: [2, 40, 2000]}";
        let spec = Spec::read("sweep.yaml", text.as_bytes(), Path::new("")).unwrap();
        let (machine, memory) = (Machine::default().with_threads(1), &mut Memory::default());
        let (mut found, mut none, mut large) = (0, 0, 0);
        for (point, index) in (0..spec.points()).flat_map(|point| (0..40).map(move |index| (point, index))) {
            let drawn = record(&spec, point, index, 0, &machine, memory).unwrap();
            let set = spec.task_set(point, index, 0).unwrap();
            let figures = measure(&set, &spec.asked, &machine).unwrap();
            assert_eq!(drawn.utilization, figures.utilization);
            assert_eq!(drawn.least_utilization, figures.least_utilization);
            assert_eq!((&drawn.min_area, &drawn.accepted), (&figures.min_area, &figures.accepted));
            assert_eq!((drawn.unknown, figures.unknown), (false, false));
            found += usize::from(drawn.min_area.as_ref().is_some_and(|area| *area > Default::default()));
            none += usize::from(drawn.min_area.is_none());
            large += usize::from(!spec.sums(point, index, 0, &mut memory.sums).unwrap());
        }
        assert!(found > 400 && none > 200 && large > 100, "{found} {none} {large}");
    }

    #[test]
    fn sets_with_more_to_them_have_no_sums() {
        let sums = |key: &str| {
            let text = format!(
                "{{schema: isx.sweep/1, seed: 5, sets_per_point: 1, recipe: {{{key}}}, budgets: [0]}}"
            );
            let spec = Spec::read("sweep.yaml", text.as_bytes(), Path::new("")).unwrap();
            spec.sums(0, 0, 0, &mut Sums::default()).unwrap()
        };
        assert!(sums("tasks: 4") && sums("utilizations: exp-light"));
        for key in
            ["scheduler: rm", "blocks: 2", "deadlines: 'constrained:0.50..1.00'", "switch: 9", "cores: 1..2"]
        {
            assert!(!sums(key), "{key}");
        }
    }
}
