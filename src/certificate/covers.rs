//! Lists of several amounts, loads or blocks, with what covers each sum.

use super::asked::{Asked, by_blocks, most_bytes, sum_bytes};
use super::error::{CertifyError, MOST_SUMS};
use super::numbers::Numbers;
use isx_checker::shared::cost::Cost;
use isx_checker::shared::limits::{Limits, Meter};
use isx_checker::shared::modes::Modes;
use isx_checker::shared::sharing::{BlockSet, Sharing, Step, contains};
use isx_checker::shared::undominated::Undominated;
use isx_exact::order::{sort, sort_by};
use isx_machine::{OverMemory, allocated};
use std::collections::BTreeMap;

/// Writes the proof; returns whether the last list has no entries.
pub(super) fn write<C: Cost>(asked: &Asked, numbers: &mut Numbers) -> Result<bool, CertifyError> {
    Prover::<C>::new(asked, MOST_SUMS).write(numbers)
}

/// Rows of amounts, each with a cost.
struct Rows<C> {
    width: usize,
    amounts: Vec<u64>,
    costs: Vec<C>,
}

impl<C> Rows<C> {
    fn new(width: usize) -> Self {
        Self { width, amounts: Vec::new(), costs: Vec::new() }
    }

    fn len(&self) -> usize {
        self.costs.len()
    }

    fn amounts(&self, at: usize) -> &[u64] {
        &self.amounts[at * self.width..(at + 1) * self.width]
    }

    fn push(&mut self, amounts: &[u64], cost: C) {
        self.amounts.extend_from_slice(amounts);
        self.costs.push(cost);
    }
}

/// The entries of a list with the same blocks, in lexicographic order.
struct Group<C> {
    blocks: BlockSet,
    entries: Rows<C>,
    /// The position of the first one in the whole list.
    first: u64,
}

/// Sums in the order in which the checker makes them.
struct Sums<C> {
    rows: Rows<C>,
    /// Where each run of a group and an option ends, and the set of blocks of its sums.
    runs: Vec<(usize, usize)>,
    sets: Vec<BlockSet>,
}

struct Prover<'a, C> {
    asked: &'a Asked<'a>,
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
        let most = C::narrowed(asked.most.unwrap_or(&scenario.most).min(&scenario.most));
        Self { asked, most, modes: None, sums: 0, most_sums }
    }

    fn write(&mut self, numbers: &mut Numbers) -> Result<bool, CertifyError> {
        let Asked { scenario, most, claimed, max_bytes } = *self.asked;
        let order = by_blocks(scenario);
        order.iter().try_for_each(|&class| numbers.count(class))?;
        let sharing = Sharing::new(scenario, &order);
        let meter = &mut Meter::new(Limits { memory: max_bytes, ..Limits::NONE });
        // Only memory is limited.
        let over = |_| CertifyError::memory(0, order.len(), OverMemory::UNKNOWN, max_bytes);
        self.modes = Modes::new(scenario, &order, claimed, most, meter).map_err(over)?;
        let mut first = Group { blocks: sharing.none(), entries: Rows::new(scenario.limits.len()), first: 0 };
        sharing.at_first().iter().for_each(|amounts| first.entries.push(amounts, C::zero()));
        let mut list = vec![first];
        for (number, &class) in (1..).zip(&order) {
            let sums = self.sums(&sharing, &list, class, number)?;
            let (next, covers) = next(&sums, &sharing);
            write_list(numbers, &next)?;
            let mut start = 0;
            for &(end, _) in &sums.runs {
                let mut expected = 0;
                for &(group, at) in &covers[start..end] {
                    let position = next[group as usize].first + u64::from(at);
                    numbers.after(expected, position)?;
                    expected = position + 1;
                }
                start = end;
            }
            list = next;
        }
        Ok(list.iter().all(|group| group.entries.len() == 0))
    }

    /// The sums of a list's entries and a class's options.
    fn sums(
        &mut self,
        sharing: &Sharing,
        list: &[Group<C>],
        class: usize,
        number: usize,
    ) -> Result<Sums<C>, CertifyError> {
        let scenario = self.asked.scenario;
        let (width, own) = (scenario.limits.len(), scenario.limits.len() - scenario.loads);
        let entries: usize = list.iter().map(|group| group.entries.len()).sum();
        self.room((entries as u64).saturating_mul(scenario.classes[class].len() as u64), number)?;
        let mut sets: BTreeMap<BlockSet, usize> = BTreeMap::new();
        let (mut rows, mut runs) = (Rows::new(width), Vec::new());
        let mut sum = vec![0; width];
        for Group { blocks, entries, .. } in list {
            for Step { option, blocks, extra } in sharing.steps(blocks, class, number, entries.len()) {
                let cost = C::narrowed(&option.cost);
                let count = sets.len();
                let set = *sets.entry(blocks).or_insert(count);
                for at in 0..entries.len() {
                    let amounts = entries.amounts(at).iter().zip(&extra).zip(&scenario.limits);
                    let mut within = true;
                    for (sum, ((amount, extra), limit)) in sum.iter_mut().zip(amounts) {
                        let total = amount.checked_add(*extra).filter(|total| total <= limit);
                        within &= total.is_some();
                        *sum = total.unwrap_or(u64::MAX);
                    }
                    let mut total = entries.costs[at].plus(&cost);
                    if !within || total > self.most {
                        continue;
                    }
                    if let Some(modes) = &self.modes {
                        let (amounts, loads) = sum.split_at_mut(own);
                        let closed = modes.close(number, loads, total.to_u64().unwrap_or(u64::MAX));
                        total = C::from(closed);
                        if modes.is_beaten(number, amounts[0], loads, closed, &mut 0) || total > self.most {
                            continue;
                        }
                    }
                    rows.push(&sum, total);
                }
                runs.push((rows.len(), set));
            }
        }
        self.sums += rows.len() as u64;
        let mut all = vec![BlockSet::new(); sets.len()];
        sets.into_iter().for_each(|(set, number)| all[number] = set);
        Ok(Sums { rows, runs, sets: all })
    }

    /// Whether this many more sums are allowed, and fit in memory.
    fn room(&self, sums: u64, number: usize) -> Result<(), CertifyError> {
        let (classes, all) = (number - 1, self.asked.scenario.classes.len());
        if self.sums.saturating_add(sums) > self.most_sums {
            return Err(CertifyError::sums(classes, all));
        }
        let Asked { scenario, max_bytes, .. } = *self.asked;
        let bytes = sums.saturating_mul(sum_bytes(scenario));
        if bytes.saturating_add(allocated::beyond_the_program()) <= max_bytes {
            return Ok(());
        }
        Err(CertifyError::memory(classes, all, most_bytes(scenario), max_bytes))
    }
}

/// Numbers that are ordered like these costs, and are equal where they are.
fn ranks<C: Cost>(costs: &[C]) -> Vec<u64> {
    if let Some(small) = costs.iter().map(C::to_u64).collect() {
        return small;
    }
    let mut sorted: Vec<&C> = costs.iter().collect();
    sort(&mut sorted);
    costs.iter().map(|cost| sorted.partition_point(|other| *other < cost) as u64).collect()
}

/// A list of the entries that none of these sums covers, and for every sum the group and the place there of what covers
/// it. An entry of a group may also be covered by one of a group with one block more; what groups with still more blocks
/// would cover stays in the list.
fn next<C: Cost>(sums: &Sums<C>, sharing: &Sharing) -> (Vec<Group<C>>, Vec<(u32, u32)>) {
    let Sums { rows, runs, sets } = sums;
    let values = ranks(&rows.costs);
    let mut of_set: Vec<Vec<usize>> = vec![Vec::new(); sets.len()];
    let mut start = 0;
    for &(end, set) in runs {
        of_set[set].extend(start..end);
        start = end;
    }
    // Loads of modes that are closed or have not begun are 0.
    let is_used = |&at: &usize| rows.amounts.iter().skip(at).step_by(rows.width).any(|amount| *amount > 0);
    // Small numbers in the same order are compared faster.
    let distinct = |at: usize| {
        let mut all: Vec<u64> = rows.amounts.iter().skip(at).step_by(rows.width).copied().collect();
        all.sort_unstable();
        all.dedup();
        (at, all)
    };
    let columns: Vec<(usize, Vec<u64>)> = (1..rows.width).filter(is_used).map(distinct).collect();
    let limits: Vec<u64> = columns.iter().map(|(_, all)| all.len() as u64).collect();
    let tail = |amounts: &[u64], tail: &mut Vec<u64>| {
        let rank = |(at, all): &(usize, Vec<u64>)| all.partition_point(|other| *other < amounts[*at]) as u64;
        tail.clear();
        tail.extend(columns.iter().map(rank));
    };
    let size = |set: &BlockSet| set.iter().map(|word| word.count_ones()).sum::<u32>();
    let mut order: Vec<usize> = (0..sets.len()).collect();
    let key = |set: usize| (std::cmp::Reverse(size(&sets[set])), &sets[set]);
    sort_by(&mut order, |&a, &b| key(a).cmp(&key(b)));
    let mut covers = vec![(0, 0); rows.len()];
    let mut groups: Vec<Group<C>> = Vec::new();
    // The values of each group's entries.
    let mut kept: Vec<Vec<u64>> = Vec::new();
    let mut own_tail = Vec::new();
    for set in order {
        let (blocks, own) = (&sets[set], groups.len());
        let has_more = |group: &usize| {
            let other = &groups[*group].blocks;
            size(other) == size(blocks) + 1 && sharing.stands_for(other, blocks)
        };
        let more: Vec<usize> = (0..own).filter(has_more).collect();
        let mut read = vec![0; more.len()];
        let mut seen = Undominated::new(&limits);
        let mut names: Vec<(u32, u32)> = Vec::new();
        let (mut entries, mut entry_values) = (Rows::new(rows.width), Vec::new());
        let mut all = std::mem::take(&mut of_set[set]);
        // Runs are in order already, which this sort uses.
        all.sort_by(|&a, &b| rows.amounts(a).cmp(rows.amounts(b)).then(values[a].cmp(&values[b])));
        for at in all {
            let (amounts, value) = (rows.amounts(at), values[at]);
            for (&group, read) in more.iter().zip(&mut read) {
                let others = &groups[group].entries;
                while *read < others.len() && others.amounts(*read)[0] <= amounts[0] {
                    tail(others.amounts(*read), &mut own_tail);
                    seen.insert(&own_tail, kept[group][*read], names.len());
                    names.push((group as u32, *read as u32));
                    *read += 1;
                }
            }
            tail(amounts, &mut own_tail);
            covers[at] = match seen.dominating(&own_tail, value) {
                Some(name) => names[name],
                None => {
                    let name = (own as u32, entries.len() as u32);
                    seen.insert(&own_tail, value, names.len());
                    names.push(name);
                    entries.push(amounts, rows.costs[at].clone());
                    entry_values.push(value);
                    name
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

fn write_list<C: Cost>(numbers: &mut Numbers, list: &[Group<C>]) -> Result<(), CertifyError> {
    numbers.count(list.len())?;
    for Group { blocks, entries, .. } in list {
        let blocks: Vec<u32> =
            (0..blocks.len() as u32 * 64).filter(|&block| contains(blocks, block)).collect();
        numbers.count(blocks.len())?;
        blocks.iter().try_for_each(|&block| numbers.small(block.into()))?;
        numbers.count(entries.len())?;
        let (mut before, mut cost) = (vec![0; entries.width], &C::zero());
        for at in 0..entries.len() {
            for (before, &amount) in before.iter_mut().zip(entries.amounts(at)) {
                numbers.after(*before, amount)?;
                *before = amount;
            }
            numbers.cost_after(cost, &entries.costs[at])?;
            cost = &entries.costs[at];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::of_task_set;
    use isx_checker::shared::problem::Problem;
    use isx_checker::shared::scenario::Scenario;
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
        let scenario = &Scenario::of(&problem, 0).unwrap();
        let asked = |max_bytes| Asked { scenario, most: None, claimed: &[], max_bytes };
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
            "the proof, after 4 of 5 classes, takes more than 200000000 sums of costs; certificates of that size are \
             not written"
        );
        let enough = 1 + most_bytes(scenario);
        let refused = written(&asked(1), MOST_SUMS).unwrap_err().to_string();
        assert!(refused.ends_with(&format!("; {enough} are enough")), "{refused}");
        assert_eq!(written(&asked(enough), MOST_SUMS).unwrap(), sums);
    }
}
