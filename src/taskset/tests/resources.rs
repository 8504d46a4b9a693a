//! Task sets whose hardware costs several resources: how they are read, and what their designs cost.

use super::{number, read};
use crate::formulate::formulate;
use crate::{Block, Resources, Task, TaskSet, UnusedReason};
use isx_exact::quantity::{Rational, format_decimal};

/// A set with this head and these choices, whose only task takes 10 every 100.
fn with(head: &str, choices: &str) -> TaskSet {
    read(&format!("name: x\n{head}\ntasks: [{{name: fir, wcet: 10, period: 100, choices: [{choices}]}}]\n"))
}

fn numbers(texts: &[&str]) -> Vec<Rational> {
    texts
        .iter()
        .map(|text| if let Some(text) = text.strip_prefix('-') { -number(text) } else { number(text) })
        .collect()
}

#[test]
fn objectives_base_device_and_fill_are_read() {
    let choice = "{name: mac, cost: {LUT: 41}, wcet: 4}";
    let head = "resources: [LUT, DSP, BRAM]\nobjectives: [BRAM, LUT]\nbase: {LUT: 4635, BRAM: 14.5}\n";
    let set = with(
        &format!("{head}device: {{name: mine, LUT: 5280, DSP: 8, BRAM: 31, FF: 9}}\nfill: {{LUT: 90 %}}"),
        choice,
    );
    let resources = set.resources;
    assert_eq!(resources.objectives, [2, 0]);
    assert_eq!(resources.base, numbers(&["4635", "0", "14.5"]));
    assert_eq!(resources.device.as_deref(), Some("mine"));
    assert_eq!(resources.limits, numbers(&["4752", "8", "31"]).into_iter().map(Some).collect::<Vec<_>>());
    assert_eq!(resources.fill, numbers(&["0.9", "1", "1"]));

    let known = with(&format!("{head}device: ice40up5k\nfill: 93.75%"), choice).resources;
    assert_eq!(known.device.as_deref(), Some("iCE40UP5K"), "as its vendor writes it");
    assert_eq!(known.limits, numbers(&["4950", "7.5", "28.125"]).into_iter().map(Some).collect::<Vec<_>>());
    let nameless =
        with(&format!("{head}device: {{LUT: 5280, DSP: 8, BRAM: 31}}\nfill: 0.95"), choice).resources;
    assert_eq!((nameless.device, &nameless.limits[1]), (None, &Some(number("7.6"))));
}

#[test]
fn one_resource_alone_is_an_area_in_its_unit() {
    let blocks = "blocks: [{name: mul, cost: {LUT: 30}}]";
    let choices = "{name: mac, cost: {LUT: 41}, uses: [mul], wcet: 4}";
    let one = with(&format!("resources: [LUT]\n{blocks}"), choices);
    let area =
        |text: &str| text.replace("cost: {LUT: 30}", "area: 30").replace("cost: {LUT: 41}", "area: 41");
    assert_eq!(one, with(&format!("area_unit: LUT\n{}", area(blocks)), &area(choices)));
    assert_eq!(
        one,
        with(&format!("resources: [LUT]\nobjectives: [LUT]\nbase: {{LUT: 0}}\n{blocks}"), choices)
    );
    let stays = |head: &str, blocks: &str| {
        let set = with(&format!("resources: [LUT]\n{head}\n{blocks}"), choices);
        (set.is_one_area(), set.area_unit()) == (false, "")
    };
    assert!(stays("base: {LUT: 1}", blocks) && stays("device: {LUT: 99}", blocks));
    assert!(stays("", "blocks: [{name: mul, cost: {LUT: -0.5}}]"));
}

#[test]
fn the_worked_instance_of_costs_is_as_described() {
    let set =
        with("resources: [LUT, DSP]\nbase: {LUT: 1000}", "{name: mul, cost: {LUT: -30, DSP: 4}, wcet: 4}");
    let formulation = formulate(&set, None).unwrap();
    let costs = &formulation.costs;
    assert_eq!((&costs.offset, &costs.units), (&numbers(&["970", "0"]), &numbers(&["30", "4"])));
    assert_eq!(formulation.amounts(&[None]), Some(vec![1, 0]));
    assert_eq!(formulation.amounts(&[Some(0)]), Some(vec![0, 1]));
    assert_eq!(formulation.cost(&[Some(0)]), Some(numbers(&["970", "4"])));
    assert_eq!(formulation.cost(&[Some(1)]), None, "no such choice");
    assert_eq!(costs.limits, Some(vec![1, 1]), "what all together may need");
}

#[test]
fn sets_built_in_code_are_checked() {
    let task = |cost: &[i64]| Task::new("a", 1, 2).with_choice_costing("c", cost.to_vec(), [], 1);
    let set = |resources: Resources, cost: &[i64]| TaskSet::with_resources("x", resources, [], [task(cost)]);
    let two = || Resources::new(["LUT", "DSP"]);
    assert_eq!(set(two(), &[-1, 4]).unwrap().validate(), Ok(()));
    let refused = |resources: Resources| set(resources, &[1, 2]).unwrap_err().to_string();
    assert_eq!(
        set(two(), &[1]).unwrap_err().to_string(),
        "`cost` of choice `c` of task `a` has 1 amounts, and the task set has 2 resources"
    );
    assert_eq!(
        TaskSet::new("x", [task(&[1, 2])]).unwrap_err().to_string(),
        "`cost` of choice `c` of task `a` has 2 amounts, and the task set has 1 resources"
    );
    let with_area = TaskSet::with_resources("x", two(), [Block::new("b", 1)], [task(&[1, 2])]).unwrap_err();
    assert_eq!(with_area.path.field, "cost");
    assert_eq!(refused(Resources::new(["LUT", "LUT"])), "a second resource is named `LUT`");
    assert_eq!(
        refused(Resources::new(["L U", "DSP"])),
        "`name` of resource `L U` contains a space, `=` or `,`"
    );
    assert_eq!(refused(two().with_base([1])), "`base` of the task set has 1 amounts for 2 resources");
    let refused_after = |change: &dyn Fn(&mut Resources)| {
        let mut resources = two();
        change(&mut resources);
        refused(resources)
    };
    let objectives = "`objectives` of the task set must name some of the resources, each once";
    assert_eq!(refused_after(&|resources| resources.objectives = vec![]), objectives);
    assert_eq!(refused_after(&|resources| resources.objectives = vec![1, 1]), objectives);
    assert_eq!(refused_after(&|resources| resources.objectives = vec![2]), objectives);
    assert_eq!(
        refused_after(&|resources| resources.fill[1] = number("1.5")),
        "`fill` of the task set must be above 0 and at most 1"
    );
    assert_eq!(
        refused_after(&|resources| resources.limits[0] = Some(-number("1"))),
        "`device` of the task set has a limit below 0"
    );
    assert_eq!(
        refused_after(&|resources| resources.names.clear()),
        "`resources` of the task set has 0 names, and 1 to 16 are counted"
    );
}

#[test]
fn costs_that_span_too_many_digits_are_refused_with_their_resource() {
    let set = with(
        "resources: [LUT, DSP]",
        "{name: a, cost: {DSP: 1e18}, wcet: 4}, {name: b, cost: {DSP: 1e-9}, wcet: 5}",
    );
    assert_eq!(
        formulate(&set, None).unwrap_err().to_string(),
        "the costs of `x` in DSP span too many digits: in their common unit of 0.000000001 they add up to more than \
         2^62; round the finest costs or take the largest choices out"
    );
    assert_eq!(format_decimal(&number("1e-9")), "0.000000001");
}

#[test]
fn variants_have_costs_clocks_and_wcets_of_their_own() {
    let set = read(
        "name: x\nclock: 100 MHz\nresources: [LUT, DSP]\nvariants:\n- {name: small, cost: {LUT: 504}, fmax: 90 MHz}\n\
         - {name: big, cost: {LUT: 1418, DSP: -1}}\n- {name: free}\ntasks:\n- name: a\n  wcet: {big: 20 us, small: 30 us, free: 9 us}\n  \
         period: 1 ms\n  choices:\n  - {name: c, cost: {LUT: 1}, saves: 3 us}\n  - {name: d, cost: {LUT: 2}, wcet: 1 us}\n  \
         - {name: e, cost: {LUT: 3}, saves: {small: 3 us, big: 1 us, free: 0 us}}\n",
    );
    let task = &set.tasks[0];
    assert_eq!(task.wcets, numbers(&["3000", "2000", "900"]));
    // In every variant `d` is faster than `e`, and it costs less.
    assert_eq!(set.unused_reasons(task), [None, None, Some(UnusedReason::DominatedBy("d"))]);

    let mut what_if = crate::WhatIf::default();
    what_if.scale_wcets(number("2")).unwrap();
    what_if.price("LUT=1,DSP=100", &set).unwrap();
    let changed = what_if.apply(&set).unwrap();
    assert_eq!(changed.tasks[0].choices[0].wcets, numbers(&["5400", "3400", "1200"]));
    let costs: Vec<_> = changed.variants.iter().map(|variant| variant.cost.clone()).collect();
    assert_eq!(costs, [["504"], ["1318"], ["0"]].map(|cost| numbers(&cost)));
    assert_eq!(changed.validate(), Ok(()));
}

#[test]
fn one_variant_at_most_can_be_chosen_as_the_processor() {
    let text = "name: x\nvariants: [{name: small, area: 1}, {name: big, area: 2}]\ntasks: [{name: a, wcet: 1, period: 2}]";
    let (mut what_if, set) = (crate::WhatIf::default(), read(text));
    let none = TaskSet::new("x", [Task::new("a", 1, 2)]).unwrap();
    let problem = what_if.variant("big", &none).unwrap_err().to_string();
    assert_eq!(problem, "the task set has no variants of the processor");
    what_if.variant("big", &set).unwrap();
    let problem = what_if.variant("small", &set).unwrap_err().to_string();
    assert_eq!(problem, "two variants are chosen, and one processor is built");
}
