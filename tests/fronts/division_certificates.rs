//! Certificates of tasks divided among cores, compared with brute force: what is proved is true, also of a changed
//! certificate, and every answer that all cores together show is proved.

use crate::certificates::{Tally, moved, mutants};
use crate::common::designs::cases;
use crate::common::random::Random;
use crate::partition::{Instance, MOST_CORES, area, asked, instance, rows};
use isx::certificate::problem::{hash, of_division};
use isx::certificate::{CertifyError, Limits, Prices, Proved, Statement, certify_division, verify};
use isx::explore::partition::{TaskPrices, prices};
use isx::formulate::formulate;
use isx::partition::Row;
use isx::quantity::Rational;
use isx::taskset::{TaskSet, read_str};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

const MUCH: u64 = 1 << 40;

fn certificate(set: &TaskSet, row: &Row) -> Result<Vec<u8>, CertifyError> {
    let of_clock = |clock, decided: &[Option<bool>]| {
        let TaskPrices { worth, shift, largest } =
            prices(set, row, clock, decided, &asked((1, MOST_CORES))).unwrap()?;
        let worth = worth.into_iter().map(|worth| worth.try_into().unwrap()).collect();
        Some(Prices { shift, largest: largest.try_into().unwrap(), worth })
    };
    let mut bytes = Vec::new();
    certify_division(set, &formulate(set, None).unwrap(), row, &of_clock, MUCH, &mut bytes).map(|_| bytes)
}

fn problem(set: &TaskSet, cores: u32) -> Vec<u8> {
    of_division(set, &formulate(set, None).unwrap(), cores)
}

/// The area with that of the cores, if there is a division.
fn proved_area(proved: &Proved) -> Option<Rational> {
    let ratio = |(num, den): &(num_bigint::BigUint, num_bigint::BigUint)| {
        Rational::new(BigInt::from(num.clone()), BigInt::from(den.clone()))
    };
    let unit = ratio(&proved.problem.resources.columns[0].unit);
    let chip = proved.problem.chip.as_ref().unwrap();
    match &proved.statement {
        Statement::LeastDivision(division) => {
            assert_eq!(division.demands.len(), chip.cores);
            let cores = ratio(&chip.core_area) * BigInt::from(chip.cores);
            Some(Rational::from(BigInt::from(division.area)) * unit + cores)
        }
        Statement::NoDivision => None,
        other => panic!("{other:?}"),
    }
}

/// The least area with which all cores together are fast enough, and every task alone.
fn together(instance: &Instance, cores: u32) -> Option<u64> {
    let all: u64 = instance.tasks.iter().map(|task| task.choices.len() as u64 + 1).product();
    let area = |mut number: u64| {
        let (mut area, mut sum, mut built) = (0, Rational::default(), Vec::new());
        for task in &instance.tasks {
            let count = task.choices.len() as u64 + 1;
            let choice = (number % count).checked_sub(1).map(|at| &task.choices[at as usize]);
            number /= count;
            let wcet = choice.map_or(task.wcet, |choice| choice.1);
            if wcet > task.period {
                return None;
            }
            sum += Rational::new(wcet.into(), task.period.into());
            area += choice.map_or(0, |choice| choice.0);
            built.extend(choice.iter().flat_map(|choice| &choice.2));
        }
        built.sort_unstable();
        built.dedup();
        let slots =
            built.iter().filter(|&&&block| instance.blocks[block].1 && instance.blocks[block].2).count();
        let fits = slots < 2 && sum <= Rational::from(BigInt::from(cores));
        fits.then(|| area + built.iter().map(|&&block| instance.blocks[block].0).sum::<u64>())
    };
    (0..all).filter_map(area).min().map(|area| area + u64::from(cores) * instance.core_area)
}

fn whole(area: u64) -> Rational {
    Rational::from(BigInt::from(area))
}

#[test]
fn divisions_are_proved_as_brute_force_has_them() {
    let cases = cases(1_000);
    let [least, by_prices, none, unproved] = [(); 4].map(|()| AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let instance = instance(&mut Random(seed ^ 0xd1f));
        let (set, mut verdicts) = (instance.set(), HashMap::new());
        for row in rows(&set) {
            let wanted = instance.brute_force(row.cores, &mut verdicts).map(whole);
            let together = together(&instance, row.cores).map(whole);
            assert_eq!(area(&row), wanted);
            match certificate(&set, &row) {
                Ok(bytes) => {
                    let input = hash(&problem(&set, row.cores));
                    let proved = verify(&bytes[..], &input, Limits::default()).unwrap();
                    assert_eq!(proved_area(&proved), wanted, "seed {seed}, {} cores", row.cores);
                    (if wanted.is_some() { &least } else { &none }).fetch_add(1, Ordering::Relaxed);
                    by_prices.fetch_add(u64::from(together != wanted), Ordering::Relaxed);
                }
                Err(CertifyError::Refused(why)) => {
                    assert!(why.ends_with("rests on the search alone"), "{why}");
                    assert_ne!(together, wanted, "seed {seed}, {} cores: {why}", row.cores);
                    unproved.fetch_add(1, Ordering::Relaxed);
                }
                Err(error) => panic!("{error}"),
            }
        }
    });
    let [least, by_prices, none, unproved] = [least, by_prices, none, unproved].map(AtomicU64::into_inner);
    println!(
        "{least} least areas, {none} sets without a division, {by_prices} of both not by all cores together; {unproved} unproved"
    );
    assert!(least > cases && none > cases / 4 && by_prices > cases / 3 && unproved < cases / 4);
}

/// A deadline leaves its first task no option of less area than the least, so all cores together have no design below.
#[test]
fn a_task_without_an_option_of_less_area_proves_the_least() {
    let instance = instance(&mut Random(19468 ^ 0xd1f));
    let set = instance.set();
    let row = rows(&set).into_iter().find(|row| row.cores == 2).unwrap();
    let bytes = certificate(&set, &row).unwrap();
    let proved = verify(&bytes[..], &hash(&problem(&set, 2)), Limits::default()).unwrap();
    assert_eq!(proved_area(&proved), instance.brute_force(2, &mut HashMap::new()).map(whole));
    // 4 for the choice, 1 for each core.
    assert_eq!(proved_area(&proved), Some(whole(6)));
}

#[test]
fn no_changed_certificate_of_a_division_proves_what_is_false() {
    let cases = cases(1_000);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let random = &mut Random(seed ^ 0xd1f);
        let instance = instance(random);
        let (set, mut verdicts) = (instance.set(), HashMap::new());
        let row = &rows(&set)[random.within(0, MOST_CORES as usize - 1)];
        let wanted = instance.brute_force(row.cores, &mut verdicts).map(whole);
        let Ok(bytes) = certificate(&set, row) else { return };
        let problem = problem(&set, row.cores);
        let own = mutants(&problem, &bytes, random, &|mutant| {
            let holds = |proved| assert_eq!(proved_area(&proved), wanted, "seed {seed}");
            verify(mutant, &hash(&problem), Limits::default()).map(holds).is_ok()
        });
        tally.add(own);
    });
    let (refused, same) = tally.total();
    println!("{refused} mutants refused, {same} prove the same");
    assert!(refused > cases * 30);
}

/// A certificate that is put to another number of cores, other pins, pairs or scopes proves the answer there, or nothing.
#[test]
fn put_to_other_cores_a_certificate_proves_their_answer_or_nothing() {
    let cases = cases(1_000);
    let tally = Tally::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let random = &mut Random(seed ^ 0xd1f);
        let instance = instance(random);
        let set = instance.set();
        let row = &rows(&set)[random.within(0, MOST_CORES as usize - 1)];
        let Ok(bytes) = certificate(&set, row) else { return };
        let from = problem(&set, row.cores);
        for _ in 0..6 {
            let (mut other, mut cores) = (instance.clone(), row.cores);
            let at = random.within(0, other.tasks.len() - 1);
            match random.within(0, 4u32) {
                0 => cores = random.within(1, MOST_CORES),
                1 => other.tasks[at].pin = Some(random.within(0, 2)),
                2 => other.tasks[at].wcet += 1,
                3 if !other.blocks.is_empty() => other.blocks[0].1 = !other.blocks[0].1,
                _ => other.core_area += 1,
            }
            let to = problem(&other.set(), cores);
            let moved = moved(&bytes, &from, &to);
            match verify(&moved[..], &hash(&to), Limits::default()) {
                Err(_) => tally.add((1, 0)),
                Ok(proved) => {
                    let wanted = other.brute_force(cores, &mut HashMap::new()).map(whole);
                    assert_eq!(proved_area(&proved), wanted, "seed {seed}\n{}", other.yaml());
                    tally.add((0, 1));
                }
            };
        }
    });
    let (refused, same) = tally.total();
    println!("{refused} refused, {same} with the same lists");
    assert!(refused > cases / 2 && same > cases / 2);
}

/// Three tasks, of which two must share a core: all cores together would be fast enough in software, and prices show that
/// two choices are needed. With a block that slows the clock there are two clocks to prove it at.
#[test]
fn what_two_cores_cannot_do_although_together_they_are_fast_enough_is_proved_by_prices() {
    let task = |name| {
        format!(
            "- {{name: {name}, wcet: 6 s, period: 10 s, choices: [{{name: c, area: 4, wcet: 5 s}}, {{name: d, uses: [b], wcet: 4 s}}]}}\n"
        )
    };
    for (fmax, least) in [("70 Hz", 14), ("40 Hz", 14), ("80 Hz", 10)] {
        let text = format!(
            "name: x\nclock: 100 Hz\nblocks: [{{name: b, area: 4, fmax: {fmax}}}]\ncores: {{count: 2, area: 3}}\ntasks:\n{}{}{}",
            task("a"),
            task("b"),
            task("c")
        );
        let set = read_str("x.yaml", &text).unwrap().task_set;
        let row = &rows(&set)[1];
        assert_eq!(area(row), Some(whole(least)), "{fmax}");
        let bytes = certificate(&set, row).unwrap();
        let proved = verify(&bytes[..], &hash(&problem(&set, 2)), Limits::default()).unwrap();
        assert_eq!(proved_area(&proved), Some(whole(least)));
    }
}
