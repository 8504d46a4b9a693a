use super::packed::Layout;
use super::packed::unpacked::{self, Numbers};
use super::thinned::most_designs;
use super::*;
use crate::testing::{
    correlated_with_blocks, costed, demo, demo_tasks, front_of, front_within, nasty, nasty_blocks,
    of_resources, random, shared, shared_tasks, sharing_fronts, slowed_tasks, unlike_fronts, whole,
};
use isx_design::front::Design;
use isx_exact::quantity::{Rational, format_decimal};
use isx_exact::sampling::Sampler;
use isx_machine::cpu::Workers;
use isx_report::front::Front;
use isx_report::front::json;
use isx_taskset::Scheduler;
use serde_json::Value;

fn document(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(&Front::of(explored), &Workers::new(1), &mut bytes).unwrap();
    bytes
}

fn page(report: &Report) -> String {
    let mut bytes = Vec::new();
    report.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The JSON in the page.
fn data(report: &Report) -> Value {
    let page = page(report);
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

fn rows(sheet: &Sheet) -> Vec<(usize, Row)> {
    let front = sheet.front.as_ref().unwrap();
    let columns = Columns {
        area_den: front.area_den.parse().unwrap(),
        utilization_den: front.utilization_den.parse().unwrap(),
        costs: Vec::new(),
        modes: Vec::new(),
        packed: front.packed.clone(),
    };
    unpacked::rows(&columns, front.kept, sheet.layout(), sheet.measure.is_some())
}

/// Fronts of area against margin: where utilization decides, under fixed priorities, and with a short deadline.
fn fronts_by_margin() -> Vec<Exploration> {
    let fixed = shared_tasks().with_scheduler(Scheduler::RateMonotonic).unwrap();
    let mut early = demo_tasks();
    early.tasks[1] = early.tasks[1].clone().with_deadline(600);
    let margins = |set: &TaskSet| isx_explore::explore_margins(set, &Default::default()).unwrap();
    [shared_tasks(), fixed, early].iter().map(margins).collect()
}

fn fronts() -> Vec<Exploration> {
    let mut fixed = shared_tasks();
    fixed = fixed.with_scheduler(Scheduler::RateMonotonic).unwrap();
    let mut early = demo_tasks();
    early.tasks[1] = early.tasks[1].clone().with_deadline(600);
    let mut fronts = unlike_fronts();
    fronts.extend(sharing_fronts());
    fronts.extend([front_of(&fixed), front_of(&early), front_within(&demo_tasks(), 500)]);
    fronts.extend(fronts_by_margin());
    fronts
}

#[test]
fn every_design_in_a_page_is_that_of_the_front_exactly() {
    let mut designs = 0;
    for explored in fronts() {
        let report = Report::of_front(&explored).unwrap();
        let found = rows(&report.sheet);
        assert_eq!(found.len(), explored.front.len());
        for ((index, row), (point, design)) in found.into_iter().zip(explored.designs()) {
            assert_eq!(index, point.index());
            let Row {
                area,
                utilization,
                margin,
                schedulable,
                schedulable_within,
                choices,
                blocks,
                clock,
                ..
            } = row;
            assert_eq!(margin.as_ref(), explored.point_margins.get(index));
            assert_eq!(
                Design { cost: vec![area], variant: 0, utilization, schedulable, schedulable_within },
                design
            );
            assert_eq!(Some(&choices), point.choices().as_ref());
            let built = explored.front.formulation().blocks(&choices).unwrap();
            assert_eq!(blocks, built.iter().map(|&block| block as usize).collect::<Vec<_>>());
            assert_eq!(clock, explored.front.formulation().clock_number(&choices));
            designs += 1;
        }
    }
    assert!(designs > 200, "{designs}");
}

#[test]
fn a_document_with_its_task_set_makes_the_page_that_the_front_makes() {
    for explored in fronts() {
        let mut own = data(&Report::of_front(&explored).unwrap());
        let read = Report::of_document(
            document(&explored).as_slice(),
            Some(explored.task_set()),
            Some(&mut |_| Some(explored.clone())),
        )
        .unwrap();
        let mut read = data(&read);
        for told in [&mut own, &mut read] {
            told["origin"]["of"] = Value::Null;
        }
        assert_eq!(own, read);
    }
}

#[test]
fn a_document_alone_tells_what_it_has_and_no_more() {
    for explored in fronts() {
        let read = Report::of_document(document(&explored).as_slice(), None, None).unwrap();
        let (told, own) = (data(&read), data(&Report::of_front(&explored).unwrap()));
        for same in
            ["taskset", "area_unit", "status", "complete", "what_if", "smallest_area", "smallest_unknown"]
        {
            assert_eq!(told[same], own[same], "{same}");
        }
        assert!(told["tasks"].as_array().unwrap().iter().all(|task| task["wcet"].is_null()));
        assert_eq!((&told["details"], &told["description"]), (&Value::Null, &Value::Null));
        let rows = rows(&read.sheet);
        for ((_, row), (point, design)) in rows.iter().zip(explored.designs()) {
            assert_eq!((&row.area, &row.utilization), (design.area(), &design.utilization));
            for (task, (known, taken)) in point.chosen().enumerate() {
                let name = |choice: u32| &read.sheet.tasks[task].choices[choice as usize].name;
                assert_eq!(read.sheet.tasks[task].name, known.name);
                assert_eq!(row.choices[task].map(name), taken.map(|choice| &choice.name));
            }
        }
    }
}

#[test]
fn a_document_is_held_against_the_task_set() {
    let refused = |set: &TaskSet, words: &str| {
        let told =
            Report::of_document(document(&shared()).as_slice(), Some(set), None).unwrap_err().to_string();
        assert!(told.starts_with("this is not the front of `") && told.contains(words), "{told}");
    };
    let changed = |change: fn(&mut TaskSet)| {
        let mut set = shared_tasks();
        change(&mut set);
        set
    };
    let one = Rational::from(num_bigint::BigInt::from(1));
    refused(&changed(|set| set.name = "other".into()), "the name is `shared` in the front and `other`");
    refused(&changed(|set| set.resources.area_unit = Some("LUT".into())), "the area unit");
    refused(&changed(|set| set.tasks[0].name = "x".into()), "has a task `aes` in the place of `x`");
    refused(&changed(|set| drop(set.tasks.pop())), "4 tasks, not 3");
    refused(
        &changed(|set| set.tasks[1].choices[0].name = "x".into()),
        "take `ssm4`, which is no choice of it",
    );
    refused(&changed(|set| set.blocks[0].name = "x".into()), "builds `sbox`, which is no block of it");
    refused(&changed(|set| set.scheduler = Scheduler::DeadlineMonotonic), "the scheduler is `edf`");
    refused(&changed(|set| set.what_if = vec!["less".into()]), "what was changed is `nothing`");
    refused(
        &changed(|set| set.blocks[0].cost[0] += Rational::from(num_bigint::BigInt::from(1))),
        "the area of point",
    );
    refused(
        &changed(|set| set.tasks[3].wcets[0] += Rational::from(num_bigint::BigInt::from(1))),
        "in software",
    );
    let mut set = shared_tasks();
    set.tasks[0].choices[0].wcets[0] += one;
    refused(&set, "the utilization of point");
    assert!(Report::of_document(document(&shared()).as_slice(), Some(&shared_tasks()), None).is_ok());
}

#[test]
fn a_front_by_margin_is_held_against_the_task_set() {
    for explored in fronts_by_margin() {
        let text = String::from_utf8(document(&explored)).unwrap();
        let mut halved: Value = serde_json::from_str(&text).unwrap();
        let (own, told) = (&explored.point_margins[0] / whole(2), &mut halved["points"][0]["margin"]);
        let approx = told["approx"].as_f64().unwrap() / 2.0;
        *told = serde_json::json!({"num": own.numer().to_string(), "den": own.denom().to_string(), "approx": approx});
        let halved = halved.to_string();
        let read = |text: &str, again: Option<Again>| {
            Report::of_document(text.as_bytes(), Some(explored.task_set()), again).map(|report| data(&report))
        };
        let page = read(&text, None).unwrap();
        assert_eq!((&page["measure"], &page["origin"]["of"]), (&"margin".into(), &"front and sums".into()));
        for is_again in [false, true] {
            let mut again = |_: bool| Some(explored.clone());
            let refused = read(&halved, is_again.then_some(&mut again as Again)).unwrap_err().to_string();
            assert!(refused.contains("margin"), "{refused}");
        }
        // By what it is explored again is what its points are measured by.
        let mut asked = Vec::new();
        let mut again = |by_margin: bool| {
            asked.push(by_margin);
            Some(explored.clone())
        };
        read(&text, Some(&mut again)).unwrap();
        assert_eq!(asked, [true]);
    }
}

#[test]
fn documents_that_are_no_fronts_are_refused() {
    let text = String::from_utf8(document(&shared())).unwrap();
    let refused = |text: &str| Report::of_document(text.as_bytes(), None, None).unwrap_err().to_string();
    assert!(refused("name: a").contains("not a JSON document"));
    assert!(refused("{}").contains("the field `schema` is missing"));
    assert!(refused(&text.replace("isx.front/1", "isx.verdict/1")).contains("`isx.verdict/1`"));
    assert!(
        refused(&text.replace("\"sm4\":null", "\"sm4\":7"))
            .contains("the choice of `sm4` is neither a name nor null")
    );
    // The choices of the software design are not checked, and the first point defines the tasks.
    let uneven = text.replacen("\"sm4\":null,", "", 2);
    assert!(refused(&uneven).contains("point 1 has 4 tasks, not 3"), "{}", refused(&uneven));
    assert!(refused(&text.replace("\"edf\"", "\"lottery\"")).contains("none of edf, rm, dm and fixed"));
    assert!(
        refused(&text.replace("\"points\": [", "\"points\": [], \"x\": [")).contains("there is no point")
    );
    assert!(refused(&text[..text.len() / 2]).contains("not a JSON document"));
    // Fields that older documents lack are optional.
    for field in ["status", "engine", "min_schedulable", "min_schedulable_unknown", "scheduler"] {
        let without = text.replace(&format!("\"{field}\":"), &format!("\"no {field}\":"));
        assert!(Report::of_document(without.as_bytes(), None, None).is_ok(), "{field}");
    }
}

#[test]
fn names_that_attack_stay_in_strings() {
    for set in [nasty(), nasty_blocks()] {
        let explored = front_of(&set);
        let evil = "</script><script>alert(1)</script><!--\u{2028}";
        let origin = Origin { command: Some(evil.into()), notes: vec![evil.into()], ..Origin::default() };
        let report = Report::of_front(&explored).unwrap().with_origin(&origin).titled(evil);
        let (page, told) = (page(&report), data(&report));
        // The data and the script, and no third element; the title is escaped, the data has no `<`.
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        assert!(!page.contains("<!--") && !page.contains('\u{2028}') && !page.contains('\u{202e}'));
        let names: Vec<&str> =
            told["tasks"].as_array().unwrap().iter().map(|task| task["name"].as_str().unwrap()).collect();
        assert_eq!(names, set.tasks.iter().map(|task| task.name.as_str()).collect::<Vec<_>>());
        assert_eq!((&told["title"], &told["origin"]["notes"][0]), (&evil.into(), &evil.into()));
    }
}

#[test]
fn what_a_page_says_of_its_origin_is_what_it_was_told() {
    let file = |name: &str| isx_report::origin::OriginFile { name: name.into(), sha256: "ab".repeat(32) };
    let origin = Origin {
        command: Some("isx explore x".into()),
        inputs: vec![file("x.yaml")],
        certificate: Some(file("x.cert")),
        ..Origin::default()
    };
    let report = Report::of_front(&demo()).unwrap().with_origin(&origin);
    let told = &data(&report)["origin"];
    assert_eq!(told["program"], format!("isx {}", env!("CARGO_PKG_VERSION")));
    assert_eq!((&told["of"], &told["command"]), (&"task set".into(), &"isx explore x".into()));
    assert_eq!(told["inputs"][0]["name"], "x.yaml");
    assert_eq!(told["certificate"]["sha256"], "ab".repeat(32));
    // The same input gives the same bytes.
    let again = Report::of_front(&demo()).unwrap().with_origin(&origin);
    assert_eq!(page(&report), page(&again));
}

#[test]
fn response_times_and_margins_are_those_of_the_designs() {
    let mut set = shared_tasks().with_scheduler(Scheduler::RateMonotonic).unwrap();
    set.time_base = isx_taskset::TimeBase::Cycles { hertz: num_bigint::BigInt::from(1).into() };
    let explored = front_of(&set);
    let told = data(&Report::of_front(&explored).unwrap());
    assert_eq!(told["limit"], "necessary");
    let table = unpacked::bytes(told["details"]["packed"].as_str().unwrap());
    let table: Value = serde_json::from_slice(&table).unwrap();
    assert_eq!(table["designs"].as_array().unwrap().len(), explored.front.len());
    let mut effort = isx_design::schedulability::Effort::new(Default::default());
    let mut clocks = 0;
    for (at, point) in explored.front.iter().enumerate() {
        let (formulation, choices) = (point.formulation(), point.choices().unwrap());
        let shown =
            crate::answers::show::Schedulability::of_choices(&set, formulation, &choices, None, &mut effort);
        for (task, response) in shown.responses.iter().enumerate() {
            let found = &table["responses"][task][at];
            match &response.time {
                Some(time) => assert_eq!(*found, Value::from(format_decimal(time))),
                None => assert_eq!(found["why"], Value::from(response.why.clone())),
            }
        }
        assert_eq!(table["clocks"][at], Value::from(shown.lowest_clock.as_ref().map(format_decimal)));
        clocks += usize::from(shown.lowest_clock.is_some());
        let crate::answers::show::Margin::Exactly { factor, .. } = shown.margin else { panic!("decided") };
        assert_eq!(table["margins"][at][0], factor.numer().to_string());
    }
    assert_eq!(clocks, explored.front.len());
    // If the utilization decides, there are no details.
    let told = data(&Report::of_front(&shared()).unwrap());
    assert_eq!((&told["limit"], &told["details"]), (&"decides".into(), &Value::Null));
    assert_eq!(
        data(&Report::of_front(&front_of(&slowed_tasks())).unwrap())["clocks"].as_array().unwrap().len(),
        2
    );
}

/// Designs as different from each other as possible: incompressible.
fn noise(count: usize, tasks: usize) -> Thinned<Row> {
    let mut sampler = Sampler::new(9);
    let mut designs = Thinned::new(most_designs(tasks, 0));
    for at in 0..count as u64 {
        let number = |n: u64, d: u64| Rational::new(n.into(), d.into());
        let row = Row {
            cost: Vec::new(),
            modes: Vec::new(),
            area: number(at * 1000 + sampler.uniform(0, 999), 1),
            margin: None,
            utilization: number((count as u64 - at) * 1_000_000 + sampler.uniform(0, 999_999), 1 << 40),
            schedulable: Some(at > 500),
            schedulable_within: Some(at > 500),
            clock: 0,
            blocks: Vec::new(),
            choices: (0..tasks).map(|_| Some(sampler.uniform(0, 9) as u32)).collect(),
        };
        designs.offer(row, at == 501);
    }
    designs
}

#[test]
fn a_page_of_ten_thousand_designs_of_thirty_tasks_is_at_most_300_kilobytes() {
    let mut set = random(30, 10, 3);
    let half = set.tasks[0].deadline() / num_bigint::BigInt::from(2);
    set.tasks[0] = set.tasks[0].clone().with_deadline(half);
    let explored = front_of(&set);
    assert!(explored.front.len() > 300, "{}", explored.front.len());
    let (mut sheet, _) = from_front::sheet_and_designs(&explored).unwrap();
    // For any designs, and with the most details.
    sheet.details.as_mut().unwrap().packed = "A".repeat(details::MOST_PACKED);
    let report = Report::new(sheet, noise(10_000, 30)).unwrap();
    let kept = report.sheet.front.as_ref().unwrap();
    assert!(kept.count == 10_000 && kept.kept > 1_000 && kept.stride > 1, "{} of {}", kept.kept, kept.stride);
    assert!(page(&report).len() <= 300_000, "{}", page(&report).len());
    // The designs around the limit, and both ends, are kept nevertheless.
    let layout = Layout { clocks: 0, ..report.sheet.layout() };
    assert_eq!(layout.tasks, 30);
    let found: Vec<usize> = rows(&report.sheet).into_iter().map(|(index, _)| index).collect();
    assert!(found.contains(&0) && found.contains(&9_999));
    assert!((501 - thinned::AROUND..=501 + thinned::AROUND).all(|index| found.contains(&index)));
}

#[test]
fn real_fronts_are_much_smaller_and_whole() {
    let explored = front_of(&correlated_with_blocks(14, 3, 4));
    let report = Report::of_front(&explored).unwrap();
    let front = report.sheet.front.as_ref().unwrap();
    assert!(front.count > 3_000 && front.kept == front.count, "{} of {}", front.kept, front.count);
    let bytes_a_design = front.packed.len() / front.count;
    assert!(bytes_a_design < 12, "{bytes_a_design}");
}

/// Fronts of several resources: with costs below zero, halves, and a limited resource that is no objective.
fn fronts_of_resources() -> Vec<Exploration> {
    let mut limited = of_resources(4, 3, 3, 5);
    for choice in limited.tasks.iter_mut().flat_map(|task| &mut task.choices) {
        choice.cost[1] -= whole(2);
        choice.cost[2] /= whole(2);
    }
    let resources = &mut limited.resources;
    resources.objectives = vec![1, 0];
    resources.limits[2] = Some(whole(5));
    resources.device = Some("</script><b>".into());
    [of_resources(4, 3, 1, 2), of_resources(5, 3, 2, 3), limited].iter().map(costed).collect()
}

#[test]
fn costs_and_utilizations_of_several_resources_are_packed_exactly() {
    for explored in fronts_of_resources() {
        let report = Report::of_front(&explored).unwrap();
        let designs = report.sheet.front.as_ref().unwrap();
        let mut numbers = Numbers(unpacked::bytes(&designs.packed), 0);
        let count = explored.front.len();
        assert_eq!((designs.kept, designs.count), (count, count));
        assert!((0..count).all(|at| numbers.small() == usize::from(at > 0)));
        let number = |text: &str| text.parse::<num_bigint::BigInt>().unwrap();
        let costs: Vec<Vec<Rational>> = designs
            .costs
            .iter()
            .map(|[least, den]| {
                (0..count).map(|_| Rational::new(numbers.next() + number(least), number(den))).collect()
            })
            .collect();
        for (point, design) in explored.designs() {
            let found: Vec<&Rational> = costs.iter().map(|column| &column[point.index()]).collect();
            assert_eq!(found, design.cost.iter().collect::<Vec<_>>());
            assert_eq!(Rational::new(numbers.next(), number(&designs.utilization_den)), design.utilization);
        }
        for (_, design) in explored.designs() {
            assert_eq!([Some(false), Some(true), None][numbers.small()], design.schedulable);
        }
    }
}

#[test]
fn a_document_of_several_resources_with_its_task_set_makes_the_page_that_the_front_makes() {
    for explored in fronts_of_resources() {
        let own = Report::of_front(&explored).unwrap();
        let text = document(&explored);
        let read = Report::of_document(
            text.as_slice(),
            Some(explored.task_set()),
            Some(&mut |_| Some(explored.clone())),
        )
        .unwrap();
        let (mut own, mut read) = (data(&own), data(&read));
        for told in [&mut own, &mut read] {
            told["origin"]["of"] = Value::Null;
        }
        assert_eq!(own, read);
        assert_eq!(own["schema"], "isx.report/2");
        let mut bytes = Vec::new();
        Report::of_front(&explored).unwrap().write(&mut bytes).unwrap();
        let page = String::from_utf8(bytes).unwrap();
        assert!(page.contains("id=\"budgets\"") && !page.contains("{{") && !page.contains("</script><b>"));
        assert!(page.len() as u64 <= super::bytes(&explored));
    }
}

#[test]
fn a_front_of_several_resources_is_held_against_its_set() {
    let explored = &fronts_of_resources()[1];
    let refused = |set: &TaskSet, words: &str| {
        let told =
            Report::of_document(document(explored).as_slice(), Some(set), None).unwrap_err().to_string();
        assert!(told.contains(words), "{told}");
    };
    let mut set = explored.task_set().clone();
    set.tasks[0].choices.iter_mut().for_each(|choice| choice.cost[0] += whole(1));
    refused(&set, "the cost of point");
    let mut set = explored.task_set().clone();
    set.resources.names[0] = "LC".into();
    refused(&set, "what is counted is `LUT, DSP` in the front and `LC, DSP` in the task set");
}
