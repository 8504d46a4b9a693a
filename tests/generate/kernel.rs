//! Context switches, jitter, blocking and parts that cannot be interrupted of a generated task set.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::blocks::read;
use isx::quantity::Rational;
use isx::taskset::generate::generate;
use isx::taskset::recipe::{GeneratedKernel, RecipeError, TaskSetRecipe};
use isx::taskset::{KernelCosts, Nonpreemptive, TaskSet};

fn recipe(kernel: GeneratedKernel, seed: u64) -> TaskSetRecipe {
    let deadlines = "constrained:0.40..1.00".parse().unwrap();
    TaskSetRecipe { kernel, deadlines, seed, ..TaskSetRecipe::default() }
}

#[test]
fn the_terms_lie_in_their_ranges_and_change_nothing_else_of_a_recipe() {
    let range = |text: &str| Some(text.parse().unwrap());
    let kernel = GeneratedKernel {
        switch: 250,
        jitter: range("0.10..1.00"),
        blocking: range("0..0.2"),
        nonpreemptive: range("0.1..0.3"),
    };
    let (mut long, mut none) = (0, 0);
    for seed in 0..20 {
        let text = generate(&recipe(kernel, seed)).unwrap();
        let flags = " --switch 250 --jitter 0.10..1.00 --blocking 0.0..0.2 --nonpreemptive 0.1..0.3 --seed";
        assert!(text.contains(flags), "{text}");
        let mut set = read(&recipe(kernel, seed));
        assert_eq!(set.switch, Rational::from_integer(250.into()));
        for task in &mut set.tasks {
            let KernelCosts { jitter, blocking, nonpreemptive, .. } = std::mem::take(&mut task.kernel);
            let Nonpreemptive::Part(nonpreemptive) = nonpreemptive else { panic!("{text}") };
            let part = |part: &Rational, of: &Rational, percent: i64| {
                part * Rational::from_integer(100.into()) <= of * Rational::from_integer(percent.into())
            };
            assert!(
                jitter <= *task.deadline()
                    && part(&blocking, &task.wcets[0], 20)
                    && part(&nonpreemptive, &task.wcets[0], 30)
            );
            long += u32::from(!part(&jitter, task.deadline(), 50));
            none += u32::from(blocking == Rational::default());
        }
        set.switch = Rational::default();
        let plain = read(&recipe(GeneratedKernel::default(), seed));
        assert_eq!(set, TaskSet { description: set.description.clone(), ..plain });
    }
    assert!(long > 50 && none > 20, "{long} {none}");
}

#[test]
fn terms_out_of_range_name_the_flag() {
    let field_of = |kernel| match generate(&recipe(kernel, 1)) {
        Err(RecipeError::Field { field, .. }) => Some(field),
        other => other.is_err().then(|| panic!("{other:?}")),
    };
    let jitter =
        |text: &str| GeneratedKernel { jitter: Some(text.parse().unwrap()), ..GeneratedKernel::default() };
    assert_eq!(field_of(jitter("0.5..1.1")), Some("jitter"));
    assert_eq!(field_of(jitter("0.5..1.0")), None);
    let switch = |switch| GeneratedKernel { switch, ..GeneratedKernel::default() };
    assert_eq!((field_of(switch(1_000_000_000)), field_of(switch(1_000_000_001))), (None, Some("switch")));
}

#[test]
fn modes_change_nothing_in_the_first_and_have_the_same_utilization_in_each() {
    let of = |modes, seed| TaskSetRecipe { modes, ..recipe(GeneratedKernel::default(), seed) };
    let text = generate(&of(3, 1)).unwrap();
    assert!(text.contains(" --modes 3 --seed 1\n") && text.contains("\nmodes: [mode-1, mode-2, mode-3]\n"));
    let mut periods = 0;
    for seed in 0..20 {
        let (one, several) = (read(&of(1, seed)), read(&of(3, seed)));
        let modes: Vec<TaskSet> = (0..3).map(|number| several.in_mode(number).unwrap()).collect();
        assert_eq!(modes[0].tasks, one.tasks, "seed {seed}");
        let sum =
            |set: &TaskSet| -> Rational { set.tasks.iter().map(|task| &task.wcets[0] / task.period()).sum() };
        for mode in &modes {
            let difference = sum(mode) - Rational::new(3.into(), 2.into());
            assert!(
                difference.clone() * difference < Rational::new(1.into(), 1_000_000.into()),
                "seed {seed}"
            );
            periods += usize::from(mode.tasks.iter().zip(&one.tasks).any(|(a, b)| a.period() != b.period()));
        }
    }
    assert!(periods > 30);
    let refused = |recipe: TaskSetRecipe| generate(&recipe).unwrap_err().to_string();
    assert_eq!(refused(of(17, 1)), "modes 17: a set has 1 to 16 modes");
    let kernel = GeneratedKernel { jitter: Some("0.1..0.2".parse().unwrap()), ..GeneratedKernel::default() };
    assert_eq!(
        refused(TaskSetRecipe { kernel, ..of(2, 1) }),
        "modes 2: sets with modes are drawn without jitter, blocking and parts that cannot be interrupted"
    );
}
