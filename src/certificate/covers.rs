//! The lists of a proof about several resources or modes: for each class the entries that the classes so far can reach and none
//! of them covers, and for every sum which entry covers it. See [`isx_checker::covers`].

use super::lists::by_blocks;
use super::numbers::Numbers;
use super::unproved::{MOST_SUMS, Unproved};
use isx_checker::cost::{Cost, Width};
use isx_checker::covers::{Counted, width};
use isx_checker::limits::{Limits, Meter};
use isx_checker::modes::Modes;
use isx_checker::problem::Problem;
use isx_checker::scenario::Scenario;
use isx_checker::sharing::{BlockSet, Sharing, contains};
use isx_checker::undominated::Undominated;
use isx_exact::order::{sort, sort_by};
use isx_machine::{OverMemory, allocated};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// A point of the claim.
pub(super) struct Claimed {
    /// The amounts of the objectives.
    pub amounts: Vec<u64>,
    /// The full cost.
    pub cost: BigInt,
}

/// What a proof is about, see [`isx_checker::covers`].
pub(super) struct Asked<'a> {
    pub problem: &'a Problem,
    pub scenario: &'a Scenario<'a>,
    pub most: Option<&'a BigUint>,
    pub claimed: &'a [Claimed],
    pub max_bytes: u64,
}

/// An upper bound on the bytes of a scenario's proof, including its checker.
pub(super) fn most_bytes(problem: &Problem, scenario: &Scenario) -> u64 {
    let counted = Counted::of(problem);
    let classes = &scenario.classes;
    let designs = classes.iter().fold(1u64, |designs, class| designs.saturating_mul(class.len() as u64));
    let cells =
        counted.limits.iter().fold(1u64, |cells, limit| cells.saturating_mul(limit.saturating_add(1)));
    let sets = 1u64.checked_shl(scenario.blocks.len() as u32).unwrap_or(u64::MAX);
    let entries = designs.min(cells.saturating_mul(sets));
    let options = classes.iter().map(Vec::len).max().unwrap_or(0) as u64;
    entries.saturating_mul((options + 4).saturating_mul(sum_bytes(scenario, counted.limits.len())))
}

/// Bytes of a sum with what is derived from it.
fn sum_bytes(scenario: &Scenario, resources: usize) -> u64 {
    let cost = match width(scenario) {
        Width::Any => size_of::<BigUint>() as u64 + 16 + 8 * scenario.most.bits().div_ceil(64),
        _ => 8,
    };
    8 * resources as u64 + 2 * cost + 64
}

impl Asked<'_> {
    /// Writes the proof; returns whether the last list has no entries.
    pub fn write(&self, numbers: &mut Numbers) -> Result<bool, Unproved> {
        match width(self.scenario) {
            Width::Any => Prover::<BigUint>::new(self, MOST_SUMS).write(numbers),
            _ => Prover::<u64>::new(self, MOST_SUMS).write(numbers),
        }
    }
}

/// The entries of a list with the same blocks.
struct Group<C> {
    blocks: BlockSet,
    /// In lexicographic order.
    entries: Vec<(Vec<u64>, C)>,
    /// The position of the first one in the whole list.
    first: u64,
}

/// A sum: the set of blocks it has, its amounts and its cost.
struct Sum<C> {
    state: usize,
    amounts: Vec<u64>,
    cost: C,
}

struct Prover<'a, C> {
    asked: &'a Asked<'a>,
    counted: Counted,
    most: C,
    /// Of a set with several modes.
    modes: Option<Modes>,
    /// Sums so far, and the most.
    sums: u64,
    most_sums: u64,
}

impl<'a, C: Cost> Prover<'a, C> {
    fn new(asked: &'a Asked<'a>, most_sums: u64) -> Self {
        let scenario = asked.scenario;
        let most = C::from_big(asked.most.unwrap_or(&scenario.most).min(&scenario.most));
        let counted = Counted::of(asked.problem);
        Self { asked, counted, most: most.unwrap_or_else(C::zero), modes: None, sums: 0, most_sums }
    }

    fn write(&mut self, numbers: &mut Numbers) -> Result<bool, Unproved> {
        let order = by_blocks(self.asked.scenario, self.asked.problem.modes.len());
        order.iter().try_for_each(|&class| numbers.count(class))?;
        let sharing = Sharing::new(self.asked.scenario, &order);
        self.modes = self.modes(&order)?;
        let amounts = sharing.amounts_at_first(&self.counted.resources);
        let entries = amounts.filter(|amounts| self.is_within(amounts)).map(|amounts| (amounts, C::zero()));
        let first = Group { blocks: sharing.none(), entries: entries.into_iter().collect(), first: 0 };
        let mut list = vec![first];
        for (number, &class) in (1..).zip(&order) {
            // By option and group of the list before.
            let runs = self.sums(&sharing, &list, class, number)?;
            let (next, covers) = next(&runs, &sharing, &self.counted);
            write_list(numbers, &next, self.counted.limits.len())?;
            write_covers(numbers, &runs, &covers, &next)?;
            list = next;
        }
        let mut last = Vec::new();
        list.iter().for_each(|group| last.extend(&group.entries));
        self.write_claimed(numbers, &last)?;
        Ok(last.is_empty())
    }

    /// What the checker knows of the modes, if there are several.
    fn modes(&self, order: &[usize]) -> Result<Option<Modes>, Unproved> {
        let Asked { problem, scenario, most, claimed, max_bytes } = *self.asked;
        if problem.modes.is_empty() {
            return Ok(None);
        }
        let points = claimed.iter().map(|point| (point.amounts[0], scenario.at_least(&point.cost)));
        let meter = &mut Meter::new(Limits { memory: max_bytes, ..Limits::NONE });
        let modes = Modes::new(scenario, order, points.collect(), most, meter);
        // Only memory is limited.
        let over = |_| OverMemory { needed: OverMemory::UNKNOWN, allowed: max_bytes };
        let over = |wrong| Unproved::Memory { classes: 0, all: order.len(), over: over(wrong) };
        modes.map(Some).map_err(over)
    }

    fn is_within(&self, amounts: &[u64]) -> bool {
        amounts.iter().zip(&self.counted.limits).all(|(amount, limit)| amount <= limit)
    }

    /// The sums of a list's entries and a class's options, in the order in which the checker makes them.
    fn sums(
        &mut self,
        sharing: &Sharing,
        list: &[Group<C>],
        class: usize,
        number: usize,
    ) -> Result<Runs<C>, Unproved> {
        let entries: usize = list.iter().map(|group| group.entries.len()).sum();
        let options = &self.asked.scenario.classes[class];
        let most = (entries as u64).saturating_mul(options.len() as u64);
        self.room(most, number)?;
        let mut states: BTreeMap<BlockSet, usize> = BTreeMap::new();
        let mut runs = Vec::new();
        for option in options {
            let Some(cost) = C::from_big(&option.cost) else { continue };
            for group in list {
                let resources = &self.counted.resources;
                let Some((blocks, extra)) = sharing.with_amounts(&group.blocks, option, number, resources)
                else {
                    continue;
                };
                let count = states.len();
                let state = *states.entry(blocks).or_insert(count);
                let sum = |(amounts, own): &(Vec<u64>, C)| {
                    let amounts: Option<Vec<u64>> = amounts
                        .iter()
                        .zip(&extra)
                        .map(|(amount, extra)| amount.checked_add(*extra))
                        .collect();
                    let mut amounts = amounts.filter(|amounts| self.is_within(amounts))?;
                    let mut cost = own.plus(&cost);
                    if let Some(modes) = &self.modes {
                        let closed = modes.close(number, &mut amounts[1..], cost.small().unwrap_or(u64::MAX));
                        if modes.is_beaten(number, amounts[0], &amounts[1..], closed, &mut 0) {
                            return None;
                        }
                        cost = C::of(closed);
                    }
                    (cost <= self.most).then_some(Sum { state, amounts, cost })
                };
                runs.push(group.entries.iter().filter_map(sum).collect::<Vec<_>>());
            }
        }
        self.sums += runs.iter().map(|run| run.len() as u64).sum::<u64>();
        let mut blocks = vec![BlockSet::new(); states.len()];
        states.into_iter().for_each(|(set, state)| blocks[state] = set);
        Ok(Runs { runs, blocks })
    }

    /// Whether this many more sums are allowed, and fit in memory.
    fn room(&self, sums: u64, number: usize) -> Result<(), Unproved> {
        let (classes, all) = (number - 1, self.asked.scenario.classes.len());
        if self.sums.saturating_add(sums) > self.most_sums {
            return Err(Unproved::Sums { classes, all });
        }
        let Asked { problem, scenario, max_bytes, .. } = *self.asked;
        let bytes = sums.saturating_mul(sum_bytes(scenario, self.counted.limits.len()));
        if bytes.saturating_add(allocated::beyond_the_program()) <= max_bytes {
            return Ok(());
        }
        let needed = max_bytes.saturating_add(most_bytes(problem, scenario));
        Err(Unproved::Memory { classes, all, over: OverMemory { needed, allowed: max_bytes } })
    }

    /// Writes which point of the claim covers each entry of the last list; any, if none does.
    fn write_claimed(&self, numbers: &mut Numbers, last: &[&(Vec<u64>, C)]) -> Result<(), Unproved> {
        let Asked { problem, scenario, claimed, .. } = *self.asked;
        let objectives = problem.resources.as_ref().map_or(1, |resources| resources.objectives);
        if claimed.is_empty() {
            return Ok(());
        }
        let mut order: Vec<(usize, BigUint)> =
            claimed.iter().map(|point| scenario.at_least(&point.cost)).enumerate().collect();
        sort_by(&mut order, |(a, _), (b, _)| claimed[*a].amounts.cmp(&claimed[*b].amounts));
        let own = last.iter().map(|(_, cost)| cost.to_big());
        let values = ranks(&order.iter().map(|(_, cost)| cost.clone()).chain(own).collect::<Vec<_>>());
        let (points, entries) = values.split_at(order.len());
        let mut seen = Undominated::new(&self.counted.limits[1..objectives]);
        let (mut at, mut expected) = (0, 0);
        for ((amounts, _), &value) in last.iter().zip(entries) {
            while let Some((point, _)) =
                order.get(at).filter(|(point, _)| claimed[*point].amounts[0] <= amounts[0])
            {
                seen.insert(&claimed[*point].amounts[1..], points[at], *point);
                at += 1;
            }
            let position = seen.dominating(&amounts[1..objectives], value).unwrap_or(0) as u64;
            numbers.after(expected, position)?;
            expected = position + 1;
        }
        Ok(())
    }
}

/// Sums in the order in which the checker makes them, each run of an option and a group; and the sets of blocks that
/// they have.
struct Runs<C> {
    runs: Vec<Vec<Sum<C>>>,
    blocks: Vec<BlockSet>,
}

/// Numbers that are ordered like these costs, and are equal where they are.
fn ranks<C: Cost>(costs: &[C]) -> Vec<u64> {
    if let Some(small) = costs.iter().map(C::small).collect() {
        return small;
    }
    let mut sorted: Vec<&C> = costs.iter().collect();
    sort(&mut sorted);
    costs.iter().map(|cost| sorted.partition_point(|other| *other < cost) as u64).collect()
}

/// A list of the entries that none of these sums covers, and for every sum the group and the place there of what covers
/// it. An entry of a group may also be covered by one of a group with one block more; what groups with still more blocks
/// would cover stays in the list.
fn next<C: Cost>(
    runs: &Runs<C>,
    sharing: &Sharing,
    counted: &Counted,
) -> (Vec<Group<C>>, Vec<(usize, usize)>) {
    let mut sums: Vec<&Sum<C>> = Vec::new();
    runs.runs.iter().for_each(|run| sums.extend(run));
    let values = match sums.iter().map(|sum| sum.cost.small()).collect::<Option<Vec<u64>>>() {
        Some(values) => values,
        None => ranks(&sums.iter().map(|sum| sum.cost.clone()).collect::<Vec<_>>()),
    };
    let mut of_state: Vec<Vec<usize>> = vec![Vec::new(); runs.blocks.len()];
    (0..).zip(&sums).for_each(|(at, sum)| of_state[sum.state].push(at));
    // Loads of modes that are closed or have not begun are 0.
    let columns: Vec<usize> =
        (1..counted.limits.len()).filter(|&at| sums.iter().any(|sum| sum.amounts[at] > 0)).collect();
    // Small numbers in the same order are compared faster.
    let distinct = |&at: &usize| {
        let mut all: Vec<u64> = sums.iter().map(|sum| sum.amounts[at]).collect();
        sort(&mut all);
        all.dedup();
        (at, all)
    };
    let columns: Vec<(usize, Vec<u64>)> = columns.iter().map(distinct).collect();
    let limits: Vec<u64> = columns.iter().map(|(_, all)| all.len() as u64).collect();
    let rank = |(at, all): &(usize, Vec<u64>), amounts: &[u64]| {
        all.partition_point(|other| *other < amounts[*at]) as u64
    };
    let tail = |amounts: &[u64]| columns.iter().map(|column| rank(column, amounts)).collect::<Vec<u64>>();
    let size = |set: &BlockSet| set.iter().map(|word| word.count_ones()).sum::<u32>();
    let mut order: Vec<usize> = (0..runs.blocks.len()).collect();
    let set = |state: usize| (std::cmp::Reverse(size(&runs.blocks[state])), &runs.blocks[state]);
    sort_by(&mut order, |&a, &b| set(a).cmp(&set(b)));
    let mut covers = vec![(0, 0); sums.len()];
    let mut groups: Vec<Group<C>> = Vec::new();
    // The values of each group's entries.
    let mut kept: Vec<Vec<u64>> = Vec::new();
    for state in order {
        let (blocks, own) = (&runs.blocks[state], groups.len());
        let more = |group: &&usize| {
            let other = &groups[**group].blocks;
            size(other) == size(blocks) + 1 && sharing.stands_for(other, blocks)
        };
        let more: Vec<usize> = (0..own).collect::<Vec<_>>().iter().filter(more).copied().collect();
        let mut read = vec![0; more.len()];
        let mut seen = Undominated::new(&limits);
        let mut names: Vec<(usize, usize)> = Vec::new();
        let (mut entries, mut entry_values) = (Vec::new(), Vec::new());
        let mut all = std::mem::take(&mut of_state[state]);
        sort_by(&mut all, |&a, &b| {
            sums[a].amounts.cmp(&sums[b].amounts).then(values[a].cmp(&values[b])).then(a.cmp(&b))
        });
        for at in all {
            let (amounts, value) = (&sums[at].amounts, values[at]);
            for (&group, read) in more.iter().zip(&mut read) {
                while let Some((other, _)) = groups[group].entries.get(*read).filter(|e| e.0[0] <= amounts[0])
                {
                    seen.insert(&tail(other), kept[group][*read], names.len());
                    names.push((group, *read));
                    *read += 1;
                }
            }
            let tail = tail(amounts);
            covers[at] = match seen.dominating(&tail, value) {
                Some(name) => names[name],
                None => {
                    seen.insert(&tail, value, names.len());
                    names.push((own, entries.len()));
                    entries.push((amounts.clone(), sums[at].cost.clone()));
                    entry_values.push(value);
                    (own, entries.len() - 1)
                }
            };
        }
        groups.push(Group { blocks: blocks.clone(), entries, first: 0 });
        kept.push(entry_values);
    }
    let mut first = 0;
    for group in &mut groups {
        group.first = first;
        first += group.entries.len() as u64;
    }
    (groups, covers)
}

fn write_list<C: Cost>(numbers: &mut Numbers, list: &[Group<C>], width: usize) -> Result<(), Unproved> {
    numbers.count(list.len())?;
    for Group { blocks, entries, .. } in list {
        let blocks: Vec<u32> =
            (0..blocks.len() as u32 * 64).filter(|&block| contains(blocks, block)).collect();
        numbers.count(blocks.len())?;
        blocks.iter().try_for_each(|&block| numbers.small(block.into()))?;
        numbers.count(entries.len())?;
        let start = (vec![0; width], C::zero());
        let before = std::iter::once(&start).chain(entries);
        for ((last, more), (amounts, cost)) in before.zip(entries) {
            for (&before, &amount) in last.iter().zip(amounts) {
                numbers.after(before, amount)?;
            }
            numbers.cost_after(more, cost)?;
        }
    }
    Ok(())
}

fn write_covers<C: Cost>(
    numbers: &mut Numbers,
    runs: &Runs<C>,
    covers: &[(usize, usize)],
    next: &[Group<C>],
) -> Result<(), Unproved> {
    let mut covers = covers.iter();
    for run in &runs.runs {
        let mut expected = 0;
        for (group, at) in covers.by_ref().take(run.len()) {
            let position = next[*group].first + *at as u64;
            numbers.after(expected, position)?;
            expected = position + 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::of_task_set;
    use isx_taskset::formulate::formulate;

    #[test]
    fn a_proof_takes_as_many_sums_as_are_allowed_and_no_more() {
        let task = |at: usize| {
            format!(
                "  - {{name: t{at}, wcet: 9, period: 10, choices: [{{name: c, cost: {{A: {at}, B: 1}}, saves: 1}}]}}\n"
            )
        };
        let tasks: String = (1..6).map(task).collect();
        let set = isx_taskset::read_str("x", &format!("name: x\nresources: [A, B]\ntasks:\n{tasks}"));
        let formulation = formulate(&set.unwrap().task_set, None).unwrap();
        let problem = Problem::read(&of_task_set(&formulation)).unwrap();
        let scenario = &Scenario::new(&problem, 0);
        let asked = |max_bytes| Asked { problem: &problem, scenario, most: None, claimed: &[], max_bytes };
        let written = |asked: &Asked, most_sums| {
            let mut nowhere = std::io::sink();
            let mut prover = Prover::<u64>::new(asked, most_sums);
            prover.write(&mut Numbers::new(&mut nowhere)).map(|_| prover.sums)
        };
        let sums = written(&asked(1 << 30), MOST_SUMS).unwrap();
        assert_eq!(written(&asked(1 << 30), sums).unwrap(), sums);
        let refused = written(&asked(1 << 30), sums - 1).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the proof, after 4 of 5 classes, takes more than 200000000 sums of costs; a certificate of that size is not \
             made"
        );
        let Err(Unproved::Memory { over, .. }) = written(&asked(1), MOST_SUMS) else { panic!() };
        assert_eq!(written(&asked(over.needed), MOST_SUMS).unwrap(), sums);
    }
}
