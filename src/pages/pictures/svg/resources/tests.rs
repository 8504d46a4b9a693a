//! Pictures of fronts of several resources.

use super::super::tests::gallery::{assert_described, legible, texts};
use super::*;
use crate::pictures::plot::{CostPoint, PlotPoint};
use crate::testing::{costed, nasty, of_resources, whole};
use isx_exact::quantity::Rational;
use isx_report::front::{Front, Head};
use isx_taskset::{Resources, Scheduler, TaskSet};

fn data(tasks: usize, choices: usize, resources: usize, seed: u64) -> PlotData {
    drawn(&of_resources(tasks, choices, resources, seed))
}

fn drawn(set: &TaskSet) -> PlotData {
    PlotData::new(&Front::of(&costed(set))).unwrap()
}

/// Fronts of one to five resources: few points and many, with limits and none, every verdict.
fn gallery() -> Vec<PlotData> {
    let mut all: Vec<PlotData> = (1..=5).map(|resources| data(4, 3, resources, resources as u64)).collect();
    let mut limited = of_resources(4, 4, 3, 9);
    let resources = &mut limited.resources;
    resources.device = Some("iCE40UP5K with a long name <&>".into());
    resources.limits = vec![Some(whole(1600)), None, Some(whole(4))];
    all.push(drawn(&limited));
    let mut nasty = nasty();
    for choice in nasty.tasks.iter_mut().flat_map(|task| &mut task.choices) {
        choice.cost.push(whole(-3));
    }
    nasty.tasks.truncate(4);
    nasty.name = "<b>nasty</b> & ]]>".into();
    nasty.resources = Resources::new(["</svg>&", "+1"]);
    all.push(drawn(&nasty));
    let undecided = PlotData {
        head: Head {
            scheduler: Scheduler::RateMonotonic,
            minimal_unknown: Some("too many steps".into()),
            complete: false,
            ..all[1].head.clone()
        },
        points: all[1].points.iter().map(|point| PlotPoint { schedulable: None, ..*point }).collect(),
        minimal: Vec::new(),
        ..all[1].clone()
    };
    all.push(undecided);
    all.push(many(4_000));
    all
}

/// A front of this many points in three resources.
fn many(count: usize) -> PlotData {
    let column = |of: &dyn Fn(usize) -> f64| (0..count).map(of).collect::<Vec<f64>>();
    let further = vec![column(&|at| (at * 7 % 60) as f64), column(&|at| (at * 11 % 97) as f64 / 2.0)];
    let point = |at: usize| {
        let utilization = 2.0 - at as f64 / count as f64 - (at * 7 % 60 + at * 11 % 97) as f64 / 300.0;
        PlotPoint { area: at as f64, utilization, schedulable: Some(utilization <= 1.0) }
    };
    let minimal = vec![CostPoint { cost: vec![count as f64 * 0.8, 20.0, 10.0], utilization: Some(1.0) }];
    let mut head = data(2, 2, 3, 1).head;
    head.taskset = "many".into();
    head.resources.limits[0] = Some(Rational::from_integer((count * 11 / 10).into()));
    head.resources.device = Some("big".into());
    PlotData {
        head,
        points: (0..count).map(point).collect(),
        details: Vec::new(),
        further,
        minimal,
        ..data(2, 2, 3, 1)
    }
}

#[test]
fn no_text_touches_another_or_leaves_the_picture_and_all_is_described() {
    for data in gallery() {
        let svg = draw_costs(&data, &Options::default());
        assert!(legible(&svg, &data.head.taskset).len() >= 8, "{}", data.head.taskset);
        assert_described(&svg, &visible(&data.head.taskset), "utilization from ");
    }
}

#[test]
fn every_line_and_panel_is_labeled_and_drawn_to_scale() {
    let data = data(4, 3, 3, 3);
    let picture = Picture::new(&data);
    let svg = draw_costs(&data, &Options::default());
    let words: Vec<String> = texts(&svg).into_iter().map(|text| text.text).collect();
    assert!(picture.panels.len() > 1 && picture.panels[0].lines.len() > 1);
    for label in
        picture.panels.iter().map(|panel| &panel.title).chain(picture.labels.iter().map(|(_, label)| label))
    {
        assert!(label.contains(" ≤ ") && words.contains(label), "{label}: {words:?}");
    }
    // The corners of every line are in the picture, at the place of their figures.
    let chart = picture.chart(&Options::default());
    for (at, panel) in picture.panels.iter().enumerate() {
        let plot = chart.plot(at);
        for line in &panel.lines {
            for &corner in &line.corners {
                let (x, y) = plot.at(picture.at(corner));
                let place = format!("{},{}", (x * 100.0).round() / 100.0, (y * 100.0).round() / 100.0);
                assert!(svg.contains(&place), "{place} of {} in {}", line.label, panel.title);
            }
        }
    }
}

#[test]
fn schedulable_costs_are_marked_on_every_line_that_has_one() {
    let data = data(5, 4, 2, 6);
    assert!(!data.minimal.is_empty());
    let picture = Picture::new(&data);
    for line in &picture.panels[0].lines {
        let schedulable = line.corners.iter().find(|&&corner| data.points[corner].schedulable == Some(true));
        let wanted = schedulable.map(|&corner| data.points[corner].area);
        assert_eq!(picture.smallest(line).map(|(cost, _)| cost), wanted, "{}", line.label);
    }
    let svg = draw_costs(&data, &Options::default());
    assert!(svg.contains("fewest LUT of a schedulable design (EDF) with DSP ≤ "), "{svg}");
}

#[test]
fn a_picture_of_a_long_front_stays_small_and_says_how_many_designs_it_has() {
    let svg = draw_costs(&many(300_000), &Options::default());
    assert!(svg.len() < 500_000, "{}", svg.len());
    assert!(svg.contains(", 300,000 designs"));
    assert!(svg.contains("8 of 60 levels") && svg.contains("6 of 97 levels of BRAM"), "{svg}");
}

#[test]
fn without_a_design_the_picture_says_so() {
    let none = PlotData {
        points: Vec::new(),
        further: vec![Vec::new()],
        details: Vec::new(),
        minimal: Vec::new(),
        ..data(2, 2, 2, 1)
    };
    let svg = draw_costs(&none, &Options::default());
    assert!(svg.contains("No design is within the limits of LUT and DSP"), "{svg}");
    roxmltree::Document::parse(&svg).unwrap();
}
