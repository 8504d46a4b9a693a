//! The least areas of many sets at a time, on a GPU.
//!
//! The engines of batches find the most value within a capacity, so each problem is turned round. Of a class whose greatest
//! weight is W and greatest value V, an item (w, v) leaves out the weight W - w and misses the value V - v. A selection
//! reaches a value if it misses no more than the sum of all V less that value, and the lightest leaves out most.
//!
//! Worked instance: classes {0, (1,3), (3,4)} and {0, (1,2)} as (weight, value), value 5 wanted. Left out and missed are
//! {(3,4), (2,1), (0,0)} and {(1,2), (0,0)}; 4 + 2 - 5 = 1 may be missed, which leaves out 2 of 3 + 1: the least weight is 2.

use crate::record::Record;
use crate::spec::{Asked, SweepError};
use isx_batch::cuda::{MOST, MOST_SLOTS};
use isx_batch::{Batch, ENGINES, MckpBatch, Options, solve_many};
use isx_engine::{Choice as Engine, Hardware};
use isx_machine::Machine;
use isx_problems::mckp::Choice;
use isx_taskset::generate::{Sums, in_units};

/// Sets whose least areas are still to be computed.
pub struct Together {
    batch: Batch,
    /// The place of each among the records, its greatest area, and the parts of a unit that areas are counted in.
    sets: Vec<(usize, u64, u64)>,
}

impl Default for Together {
    fn default() -> Self {
        Self { batch: Batch::new(Choice::ExactlyOne), sets: Vec::new() }
    }
}

impl Together {
    /// Adds a set some design of which saves at least `needed` cycles; `false` if it is too large for the GPU.
    pub fn add(&mut self, place: usize, sums: &Sums, needed: u64) -> bool {
        let most = |choices: &[(u64, u64)]| {
            choices.iter().fold((0, 0), |(area, saved), choice| (area.max(choice.0), saved.max(choice.1)))
        };
        let all =
            sums.classes().map(most).fold((0, 0), |(area, saved), most| (area + most.0, saved + most.1));
        let slots = sums.choices.len() + 2 * sums.ends.len();
        if slots > MOST_SLOTS || all.0.max(all.1) >= MOST {
            return false;
        }
        for choices in sums.classes() {
            let most = most(choices);
            let turned = |&(area, saved): &(u64, u64)| ((most.0 - area) as i64, most.1 - saved);
            self.batch.class(choices.iter().chain(&[(0, 0)]).map(turned));
        }
        self.batch.problem(all.1 - needed);
        self.sets.push((place, all.0, sums.parts));
        true
    }

    /// Computes the least areas, and completes the records.
    pub fn solve(self, machine: &Machine, asked: &Asked, records: &mut [Record]) -> Result<(), SweepError> {
        let engine = ENGINES.iter().find(|entry| entry.hardware == Hardware::Gpu);
        self.solve_by(engine.map_or(Engine::Auto, Engine::Named), machine, asked, records)
    }

    fn solve_by(
        self,
        engine: Engine<MckpBatch>,
        machine: &Machine,
        asked: &Asked,
        records: &mut [Record],
    ) -> Result<(), SweepError> {
        let options = Options { engine, machine: machine.clone(), ..Options::default() };
        let mut failed = None;
        solve_many(&self.batch, &options, |at, best| match best {
            Ok(best) => {
                let (place, most, parts) = self.sets[at];
                records[place].set_area(asked, Some(in_units(most - best.value as u64, parts)));
            }
            Err(error) => failed = Some(error),
        })?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{Memory, record};
    use crate::spec::Spec;
    use std::path::Path;

    #[test]
    fn together_the_records_are_those_of_sets_one_by_one() {
        let text = "{schema: isx.sweep/1, seed: 3, sets_per_point: 60, grid: {utilization: [0.9, 1.2, 1.7], savings: \
                    ['uncorrelated:0.05..0.60', 'correlated:0.05..0.60'], area: [0..3, 0.25..90.5]}, recipe: {tasks: 6, \
                    choices: 0..5}, measure: [min_area, least_utilization], budgets: [2, 40]}";
        let spec = Spec::read("sweep.yaml", text.as_bytes(), Path::new("")).unwrap();
        let machine = Machine::default().with_threads(1);
        let (mut together, mut alone, mut open) = (Vec::new(), Vec::new(), 0);
        for point in 0..spec.points() {
            let drawn = |memory: &mut Memory| -> Vec<Record> {
                (0..60).map(|index| record(&spec, point, index, 0, &machine, memory).unwrap()).collect()
            };
            let mut memory = Memory::default();
            memory.together = Some(Together::default());
            let mut records = drawn(&mut memory);
            let waiting = memory.together.unwrap();
            open += waiting.sets.len();
            let judge = ENGINES.judge().map_or(Engine::Auto, Engine::Named);
            waiting.solve_by(judge, &machine, &spec.asked, &mut records).unwrap();
            together.extend(records);
            alone.extend(drawn(&mut Memory::default()));
        }
        assert_eq!(together, alone);
        assert!((200..600).contains(&open), "{open}");
    }

    #[test]
    fn sets_beyond_the_room_of_a_warp_are_left_to_the_processor() {
        let mut sums = Sums::default();
        (sums.choices, sums.ends) = (vec![(1, 1); 510], vec![510]);
        assert!(Together::default().add(0, &sums, 1));
        (sums.choices, sums.ends) = (vec![(1, 1); 511], vec![511]);
        assert!(!Together::default().add(0, &sums, 1));
        (sums.choices, sums.ends) = (vec![(1, MOST)], vec![1]);
        assert!(!Together::default().add(0, &sums, 1));
        sums.choices = vec![(MOST - 1, MOST - 1)];
        assert!(Together::default().add(0, &sums, 1));
    }
}
