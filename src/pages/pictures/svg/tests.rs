//! Pictures of different fronts: well-formed, small, and without overlapping labels.

pub(super) mod gallery;

use super::measure::figure;
use super::words::short_area;
use super::*;
use crate::pictures::plot::{MARKED_POINTS, PlotPoint};
use crate::testing::{front_of, nasty, random, shared, slowed_tasks};
use gallery::{assert_described, falling, gallery, in_modes, legible, number, texts};
use isx_design::exploration::Exploration;
use isx_report::front::{Front, NamedTask};
use isx_report::text::visible;

#[test]
fn every_picture_is_legible_small_and_says_what_matters() {
    let (mut placed, mut count) = (0, 0);
    for (name, data, options) in gallery() {
        let svg = draw(&data, &options).unwrap();
        let limit = if data.details.is_empty() { 100_000 } else { 150_000 };
        assert!(svg.len() < limit, "{name}: {} bytes", svg.len());
        let words: Vec<String> = legible(&svg, &name).into_iter().map(|text| text.text).collect();
        assert!(words.len() >= 8, "{name}");
        assert_described(&svg, &visible(&data.head.taskset), "Software only: utilization ");
        let is_shown = |point: &&PlotPoint| options.max_area.is_none_or(|most| point.area <= most);
        let shown = data.points.iter().filter(is_shown).count();
        let marked = if shown <= MARKED_POINTS { shown } else { 0 };
        let of_points = printed(&svg).iter().filter(|words| words.starts_with("area ")).count();
        assert_eq!(of_points, marked, "{name}");
        let has = |part: &str| words.iter().any(|text| text.contains(part));
        assert!(has("U = 1"), "{name}");
        assert!(has("software only"), "{name}: {words:?}");
        assert!(has("Utilization") && has("Area"), "{name}");
        match data.smallest() {
            Some(_) => {
                assert!(has("smallest schedulable area") || has("schedulable, U = "), "{name}: {words:?}");
            }
            None if !data.is_minimal_open() => assert!(has("no design is schedulable"), "{name}: {words:?}"),
            None => assert!(has("not decided"), "{name}: {words:?}"),
        }
        placed += usize::from(words.iter().any(|text| text == "software only"));
        count += 1;
        assert!(!options.log_area || data.points.len() == 1 || has("logarithmic"), "{name}");
    }
    // Labels in the subtitle must be exceptions.
    assert!(placed * 10 > count * 9, "{placed} of {count}");
    let size = draw(&falling(100_000, (1.4, 0.4), 4e5, 3), &Options::default()).unwrap().len();
    assert!(size < 100_000, "{size} bytes");
}

#[test]
fn no_text_of_a_chart_touches_another_or_leaves_it() {
    let line = serde_json::json!({"name": "n".repeat(200), "note": "long ".repeat(50), "points": [[3, 5], [900, 1e-4]]});
    let panel = serde_json::json!({"x": "size ".repeat(50), "lines": [line]});
    let lines = serde_json::json!({
        "schema": "isx.chart/1", "title": "Growth ".repeat(50), "subtitle": "x ".repeat(200), "y": "seconds",
        "panels": [panel, panel, panel],
    });
    let lines = crate::pictures::plot::chart::LineChart::from_json(lines.to_string().as_bytes()).unwrap();
    assert!(legible(&lines::draw_lines(&lines), "lines").len() > 20);
}

#[test]
fn a_strip_shows_in_which_mode_the_utilization_is_largest() {
    let data = in_modes(9, &["serving", "up & down"]);
    let svg = draw(&data, &Options::default()).unwrap();
    let strip: Vec<String> =
        printed(&svg).into_iter().filter(|words| words.contains("has the largest utilization")).collect();
    let from = |at: usize| figure(data.points[at].area);
    let wanted = [(0, "serving"), (3, "up & down"), (6, "serving")];
    let wanted = wanted
        .map(|(at, mode)| format!("{mode} has the largest utilization from area {} NAND2 on", from(at)));
    assert_eq!(strip, wanted);
    let words: Vec<String> = texts(&svg).into_iter().map(|text| text.text).collect();
    for text in ["up & down", "Smallest schedulable area of one mode alone: serving 787 NAND2"] {
        assert!(words.iter().any(|word| word == text), "{words:?}");
    }
    let described = format!(
        "Mode of the largest utilization: serving from area 0, up &amp; down from area {}, serving from area {}.",
        from(3),
        from(6)
    );
    assert!(svg.contains(&described), "{svg}");
}

#[test]
fn many_tasks_with_long_names_stay_a_small_picture() {
    let mut data = falling(MARKED_POINTS, (1.4, 0.4), 1e15, 3);
    let task =
        |at: usize| NamedTask { name: format!("<task> & {at}"), choices: vec!["<".repeat(20)], part: None };
    data.head.tasks = (0..500).map(task).collect();
    data.details.iter_mut().for_each(|detail| detail.choices = vec![Some(0); 500]);
    let svg = draw(&data, &Options::default()).unwrap();
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    assert!(svg.contains("more tasks with a choice"));
    data.head.blocks = (0..500).map(|at| format!("<block> & {at}")).collect();
    data.details.iter_mut().for_each(|detail| detail.blocks = (0..500).collect());
    let svg = draw(&data, &Options::default()).unwrap();
    assert!(svg.len() < 170_000, "{} bytes", svg.len());
    assert!(
        printed(&svg)[0]
            .contains("\nblocks: <block> & 0, <block> & 1, <block> & 2, <block> & 3 and 496 more"),
        "{}",
        printed(&svg)[0]
    );
    data.head.blocks = vec!["<".repeat(80), "b".into()];
    data.details.iter_mut().for_each(|detail| detail.blocks = vec![0, 1]);
    data.details[0].blocks = vec![0];
    let printed = printed(&draw(&data, &Options::default()).unwrap());
    assert!(printed[0].ends_with("\n1 block") && printed[1].ends_with("\n2 blocks"), "{printed:?}");
}

#[test]
fn every_mark_says_which_blocks_are_built_and_at_which_clock_it_runs() {
    let ends = |explored: &Exploration| -> Vec<String> {
        let printed =
            printed(&draw(&PlotData::new(&Front::of(explored)).unwrap(), &Options::default()).unwrap());
        printed.iter().map(|words| words.lines().last().unwrap().to_owned()).collect()
    };
    let (fast, slow) = ("clock 128 MHz", "clock 123 MHz");
    assert_eq!(
        ends(&front_of(&slowed_tasks())),
        [fast, fast, fast, slow, slow, slow, "utilization 1.22", fast]
    );
    let wanted = [
        "4 tasks in software",
        "blocks: mul16",
        "blocks: mul32",
        "blocks: sbox",
        "blocks: sbox, mul16",
        "blocks: sbox, mul32",
        "utilization 1.51",
        "blocks: sbox",
    ];
    assert_eq!(ends(&shared()), wanted);
}

/// What marks say, in the order in which they are drawn.
fn printed(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let groups = document.descendants().filter(|node| node.has_tag_name("g"));
    let titles = groups.filter_map(|group| group.children().find(|child| child.has_tag_name("title")));
    titles.map(|title| title.text().unwrap().to_owned()).collect()
}

#[test]
fn every_mark_says_area_utilization_and_choices() {
    let front = front_of(&random(5, 3, 7));
    let data = PlotData::new(&Front::of(&front)).unwrap();
    let printed = printed(&draw(&data, &Options::default()).unwrap());
    assert_eq!(printed.len(), front.front.len() + 2);
    for (index, printed) in printed.iter().enumerate().take(front.front.len()) {
        let design = front.design(index).unwrap();
        let area = isx_exact::quantity::format_decimal(design.area());
        let mut wanted = format!("area {} NAND2", short_area(&area));
        wanted += &format!("\nutilization {}", figure(isx_exact::quantity::approx(&design.utilization)));
        wanted +=
            if design.schedulable == Some(true) { "\nschedulable (EDF)" } else { "\nnot schedulable (EDF)" };
        let choices = front.front.get(index).unwrap().choices().unwrap();
        for (task, choice) in front.task_set().tasks.iter().zip(&choices) {
            if let Some(choice) = choice {
                wanted += &format!("\n{}: {}", task.name, task.choices[*choice as usize].name);
            }
        }
        match choices.iter().filter(|choice| choice.is_none()).count() {
            0 => {}
            1 => wanted += "\n1 task in software",
            some => wanted += &format!("\n{some} tasks in software"),
        }
        assert_eq!(*printed, wanted);
    }
    assert!(printed[front.front.len()].starts_with("software only\narea 0 NAND2"), "{printed:?}");
    let smallest = &printed[front.front.len() + 1];
    assert!(smallest.starts_with(&format!(
        "smallest schedulable area (EDF)\narea {}",
        short_area(&data.cost_in_words(&data.head.minimal[0]))
    )));
    assert!(smallest.contains("\ntask"), "{smallest}");
}

#[test]
fn a_design_that_fails_or_is_undecided_is_not_drawn_as_schedulable() {
    let mut data = PlotData::new(&Front::of(&front_of(&random(5, 3, 7)))).unwrap();
    let (area, _) = data.smallest().unwrap();
    let first = data.points.iter().position(|point| point.area >= area).unwrap();
    data.points[first].schedulable = Some(false);
    data.points[first + 1].schedulable = None;
    let svg = draw(&data, &Options::default()).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let circles = document.descendants().filter(|node| node.has_tag_name("circle"));
    // A sample of each stands in the legend, and the smallest schedulable design has a disc of its own.
    let paints: Vec<_> =
        circles.map(|node| (node.attribute("fill").unwrap(), node.attribute("stroke"))).collect();
    let [schedulable, fails, open] = [("#1b5ea8", None), ("#ffffff", Some("#969ea9")), ("#7a5c9e", None)];
    let discs = &paints[..data.points.len()];
    assert!(discs[..=first].iter().all(|paint| *paint == fails), "{discs:?}");
    assert_eq!(discs[first + 1], open);
    assert!(discs[first + 2..].iter().all(|paint| *paint == schedulable), "{discs:?}");
    assert_eq!(paints[data.points.len() + 1..], [fails, open], "{paints:?}");
    let printed = printed(&svg);
    assert!(
        printed[first].contains("\nnot schedulable (EDF), another of no more area is\n"),
        "{}",
        printed[first]
    );
    assert!(printed[first + 1].contains("\nundecided (EDF)\n"), "{}", printed[first + 1]);
    let legend: Vec<String> = texts(&svg).into_iter().map(|text| text.text).collect();
    for entry in ["design fails", "undecided"] {
        assert!(legend.iter().any(|text| text == entry), "{legend:?}");
    }
}

#[test]
fn no_line_to_a_label_runs_over_a_mark() {
    let mut leaders = 0;
    for (name, data, options) in gallery() {
        let svg = draw(&data, &options).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        let discs = of("circle").map(|node| (number(&node, "cx"), number(&node, "cy"), number(&node, "r")));
        let squares = of("rect").filter(|node| node.attribute("stroke").is_some());
        let squares = squares.map(|node| {
            let half = number(&node, "width") / 2.0;
            (number(&node, "x") + half, number(&node, "y") + half, half)
        });
        let marks: Vec<(f64, f64, f64)> = discs.chain(squares).collect();
        for line in of("line").filter(|node| node.attribute("stroke-width") == Some("0.8")) {
            leaders += 1;
            let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| number(&line, name));
            for step in 0..=1000 {
                let part = f64::from(step) / 1000.0;
                let (x, y) = (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
                let over =
                    marks.iter().find(|mark| (mark.0 - x).abs() <= mark.2 && (mark.1 - y).abs() <= mark.2);
                assert!(over.is_none(), "{name}: ({x}, {y}) is on {over:?}");
            }
        }
    }
    assert!(leaders >= 10, "only {leaders} lines to labels were looked at");
}

#[test]
fn utilizations_start_at_zero_on_request() {
    for from_zero in [false, true] {
        let options = Options { from_zero, ..Options::default() };
        let svg = draw(&falling(40, (1.3, 0.9), 4000.0, 9), &options).unwrap();
        assert_eq!(texts(&svg).iter().any(|text| text.text == "0.0"), from_zero, "{svg}");
    }
}

#[test]
fn nasty_names_are_text() {
    let mut data = PlotData::new(&Front::of(&front_of(&nasty()))).unwrap();
    data.head.resources.area_unit = Some("</desc><script>&]]>\u{202e}".into());
    for title in [None, Some("<script>alert(1)</script> ]]> & \u{0}\u{1b}\u{202e}\u{ffff}".to_owned())] {
        let svg = draw(&data, &Options { title: title.clone(), ..Options::default() }).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(!document.descendants().any(|node| node.has_tag_name("script")));
        assert!(!svg.contains('\u{202e}') && !svg.contains('\u{1b}'));
        let titles = document.descendants().filter(|node| node.has_tag_name("title"));
        assert!(titles.clone().count() > 5);
        let shown = titles.clone().next().unwrap();
        assert_eq!(shown.text().unwrap(), visible(title.as_ref().unwrap_or(&data.head.taskset)));
    }
}

#[test]
fn a_largest_area_cuts_the_front() {
    let data = falling(300, (1.4, 0.6), 1000.0, 2);
    let options = |max_area| Options { max_area: Some(max_area), ..Options::default() };
    let svg = draw(&data, &options(200.0)).unwrap();
    assert!(svg.contains("of them shown"), "{svg}");
    assert!(svg.contains("schedulable only at areas beyond"));
    let refused = |data: &PlotData, most: f64| draw(data, &options(most)).unwrap_err().to_string();
    for most in [0.0, f64::NAN] {
        assert!(refused(&data, most).starts_with("the largest area to draw must be above 0 and finite"));
    }
    let mut late = data.clone();
    late.points.remove(0);
    let first = late.points[0].area;
    assert!(refused(&late, first / 2.0).ends_with(&format!("the first has area {first}")));
}

#[test]
fn figures_just_off_one_do_not_read_one() {
    assert_eq!(figure(1.0), "1");
    assert_eq!(figure(0.999_999_95), "0.9999999");
    assert_eq!(figure(1.000_000_2), "1.0000002");
    assert_eq!(figure(1.25), "1.25");
    assert_eq!(figure(0.0), "0");
    assert_eq!(figure(1e15), "1.0000e15");
    assert_eq!(short_area("1234567"), "1,234,567");
    assert_eq!(short_area("1234.5"), "1234.5");
    assert_eq!(short_area("1234567890123456789012"), "≈ 1.234568e21");
}
