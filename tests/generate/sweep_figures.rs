//! What is recorded of a set: what an exploration says of it.

use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::quantity::Rational;
use isx::sweep::Spec;
use isx::sweep::chunk::{Memory, record};
use isx::sweep::measure::measure;
use isx::sweep::spec::Asked;
use isx::taskset::generate::{Sums, generate_set, recipe_of};
use isx::taskset::recipe::TaskSetRecipe;
use std::path::Path;

fn asked(steps: u64) -> Asked {
    let budgets = [0, 700, 2500].map(|area| Rational::from_integer(area.into())).to_vec();
    Asked { min_area: true, least_utilization: true, breakdown: true, points: true, budgets, steps }
}

#[test]
fn figures_of_every_kind_of_set_are_those_of_an_exploration() {
    let kinds: [&[(&str, &str)]; 6] = [
        &[("deadlines", "implicit")],
        &[("deadlines", "constrained:0.50..1.00")],
        &[("scheduler", "dm"), ("deadlines", "arbitrary:0.60..1.50")],
        &[("blocks", "3"), ("uses", "0..2"), ("fmax", "80..120")],
        &[("blocks", "3"), ("scheduler", "rm")],
        &[
            ("switch", "2000"),
            ("jitter", "0.00..0.20"),
            ("nonpreemptive", "0.00..0.30"),
            ("scheduler", "fixed"),
        ],
    ];
    let machine = Machine::default().with_threads(1);
    let (mut decided, mut none, mut short, mut too_little) = (0, 0, 0, 0);
    for kind in kinds {
        for seed in 0..90 {
            let load = ["0.7", "1", "1.3"][seed as usize % 3];
            let usual = [("tasks", "4"), ("choices", "0..3"), ("utilization", load)];
            let recipe = recipe_of(&[&usual, kind].concat()).unwrap();
            let set = generate_set(&TaskSetRecipe { seed, ..recipe }).unwrap();
            let explored = explore(&set, &Options::default()).unwrap();
            let figures = measure(&set, &asked(50_000_000), &machine).unwrap();
            assert!(!figures.unknown, "{kind:?} {seed}");
            assert_eq!(figures.utilization, explored.base().utilization);
            assert_eq!(figures.least_utilization, explored.front.least_utilization());
            assert_eq!(figures.points, Some(explored.front.len() as u64));
            let smallest = explored.smallest().map(|design| design.design.area().clone());
            assert_eq!(figures.min_area, smallest, "{kind:?} {seed}");
            assert_eq!(figures.accepted_any, Some(smallest.is_some()));
            assert_eq!(figures.area_bounds, [&smallest, &smallest].map(Option::clone));
            let within = |budget: &Rational| Some(smallest.as_ref().is_some_and(|area| area <= budget));
            let budgets = asked(1).budgets;
            assert_eq!(figures.accepted, budgets.iter().map(within).collect::<Vec<_>>());
            let alone = Asked { min_area: false, ..asked(50_000_000) };
            assert_eq!(
                measure(&set, &alone, &machine).unwrap().accepted,
                figures.accepted,
                "a smaller search"
            );
            decided += usize::from(figures.min_area.as_ref().is_some_and(|area| *area > Rational::default()));
            none += usize::from(figures.min_area.is_none());
            // What is known with few steps is the same.
            let few = measure(&set, &asked([300, 4000, 50_000][seed as usize / 3 % 3]), &machine).unwrap();
            short += usize::from(few.unknown);
            // Utilization alone tells that the least budgets are too little.
            too_little += usize::from(few.accepted.contains(&None) && few.accepted.contains(&Some(false)));
            let agrees = few.accepted.iter().zip(&figures.accepted);
            assert!(agrees.clone().all(|(few, all)| few.is_none() || few == all));
            assert!(few.min_area.is_none() || few.min_area == figures.min_area);
            assert!(few.breakdown.is_none() || few.breakdown == figures.breakdown);
            // Its bounds hold what is true, and what is accepted within an area is accepted with any.
            let [low, high] = &few.area_bounds;
            if let Some(area) = &smallest {
                assert!(low.as_ref().is_some_and(|low| low <= area));
                assert!(high.as_ref().is_none_or(|high| area <= high));
            }
            assert_eq!(few.accepted_any == Some(true), high.is_some());
            assert!(few.accepted_any.is_none_or(|any| any == smallest.is_some()));
            assert!(!few.accepted.contains(&Some(true)) || few.accepted_any == Some(true));
            let [low, high] = few.breakdown_bounds.clone().map(Option::unwrap);
            let breakdown = figures.breakdown.as_ref().unwrap();
            assert!(low <= *breakdown && *breakdown <= high);
            let is_known = agrees.clone().all(|(few, _)| few.is_some()) && few.min_area == figures.min_area;
            assert!(few.unknown || (is_known && few.breakdown == figures.breakdown));
        }
    }
    assert!(
        decided > 100 && none > 20 && (60..300).contains(&short) && too_little > 5,
        "{decided} {none} {short} {too_little}"
    );
}

#[test]
fn at_breakdown_a_set_is_schedulable_and_a_little_beyond_it_is_not() {
    let machine = Machine::default();
    for seed in 0..40 {
        let given = [
            ("tasks", "4"),
            ("choices", "0"),
            ("utilization", "0.8"),
            ("scheduler", "rm"),
            ("switch", "900"),
        ];
        let recipe = recipe_of(&given).unwrap();
        let mut set = generate_set(&TaskSetRecipe { seed, ..recipe }).unwrap();
        let only = Asked {
            breakdown: true,
            budgets: vec![Rational::default()],
            steps: 50_000_000,
            ..Asked::default()
        };
        let figures = measure(&set, &only, &machine).unwrap();
        let switches: Rational =
            set.tasks.iter().map(|task| &set.switch * Rational::from_integer(2.into()) / task.period()).sum();
        let breakdown = figures.breakdown.unwrap();
        let factor = (&breakdown - &switches) / (&figures.utilization - &switches);
        let wcets: Vec<Rational> = set.tasks.iter().map(|task| task.wcets[0].clone()).collect();
        for (more, expected) in
            [(Rational::default(), true), (Rational::new(1.into(), 10_000_000.into()), false)]
        {
            for (task, wcet) in set.tasks.iter_mut().zip(&wcets) {
                task.wcets[0] = wcet * (&factor + &more);
            }
            let at = measure(&set, &only, &machine).unwrap();
            assert_eq!(at.accepted, [Some(expected)], "{seed}");
            assert!(more > Rational::default() || at.utilization == breakdown);
        }
    }
}

#[test]
fn sets_of_several_resources_variants_or_modes_are_refused() {
    let text = "{name: x, modes: [a, b], tasks: [{name: t, wcet: 1, period: {a: 5, b: 9}}]}";
    let set = isx_taskset::read_str("x", text).unwrap().task_set;
    let refused = measure(&set, &asked(1000), &Machine::default()).unwrap_err().to_string();
    assert_eq!(refused, "the set has modes: a sweep asks about one area, one processor and one mode");
}

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
        assert_eq!((&drawn.figures, drawn.figures.unknown), (&figures, false));
        found += usize::from(drawn.figures.min_area.as_ref().is_some_and(|area| *area > Default::default()));
        none += usize::from(drawn.figures.min_area.is_none());
        large += usize::from(!spec.sums(point, index, 0, &mut Sums::default()).unwrap());
    }
    assert!(found > 400 && none > 200 && large > 100, "{found} {none} {large}");
}

#[test]
fn sets_with_more_to_them_have_no_sums() {
    let sums = |key: &str| {
        let text =
            format!("{{schema: isx.sweep/1, seed: 5, sets_per_point: 1, recipe: {{{key}}}, budgets: [0]}}");
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
