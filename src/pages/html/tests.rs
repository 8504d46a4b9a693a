use super::kept::{AROUND, Kept};
use super::sheet::packed_points;
use super::*;
use crate::testing::{
    correlated_with_blocks, costed, demo_tasks, front_of, front_within, nasty, nasty_blocks, of_resources,
    random, shared, shared_tasks, sharing_fronts, unlike_fronts, whole,
};
use isx_design::exploration::Exploration;
use isx_exact::sampling::Sampler;
use isx_machine::cpu::Workers;
use isx_report::front::unreadable::PlotError;
use isx_report::front::{WithChoices, json};
use isx_taskset::Scheduler;
use serde_json::Value;
use std::io::Read;

fn document(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(&Front::of(explored), &Workers::new(1), &mut bytes).unwrap();
    bytes
}

fn of_front(explored: &Exploration) -> Report {
    Report::new(&Front::of(explored), Some(explored.task_set())).unwrap()
}

fn read(document: &[u8]) -> Result<Front<'static>, PlotError> {
    Front::read(document, &WithChoices::First(usize::MAX))
}

/// The page of a document, with the task set and that explored again if there are any.
fn of_document(
    document: &[u8],
    set: Option<&TaskSet>,
    own: Option<&Exploration>,
) -> Result<Report, ReportError> {
    let front = read(document).unwrap();
    match set {
        None => Report::new(&front, None),
        Some(set) => Report::checked(&front, set, own.map(Front::of).as_ref()),
    }
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

/// What was packed.
fn unpacked(packed: &str) -> Value {
    use base64::Engine;
    let deflated = base64::engine::general_purpose::STANDARD.decode(packed).unwrap();
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(deflated.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The designs of a page, each with its index.
fn points(front: &Value) -> Vec<(usize, Value)> {
    let Value::Array(points) = unpacked(front["points"].as_str().unwrap()) else { panic!("a list") };
    let runs: Vec<[usize; 2]> = serde_json::from_value(front["runs"].clone()).unwrap();
    let indices: Vec<usize> = runs.iter().flat_map(|&[first, last]| first..=last).collect();
    assert_eq!((&front["kept"], points.len()), (&indices.len().into(), indices.len()));
    indices.into_iter().zip(points).collect()
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
fn the_designs_and_the_head_in_a_page_are_those_of_the_document() {
    let mut designs = 0;
    for explored in fronts().into_iter().chain(fronts_of_resources()).chain(fronts_of_places()) {
        let mut front: Value = serde_json::from_slice(&document(&explored)).unwrap();
        let Value::Array(wanted) = front.as_object_mut().unwrap().remove("points").unwrap() else { panic!() };
        let printed = data(&of_front(&explored));
        designs += wanted.len();
        assert_eq!(points(&printed["front"]), wanted.into_iter().enumerate().collect::<Vec<_>>());
        assert_eq!(printed["document"], front);
    }
    assert!(designs > 200, "{designs}");
}

/// Fronts of sets with modes, with variants of the processor, with both, and of tasks that overrun.
fn fronts_of_places() -> Vec<Exploration> {
    let modes = "modes: [a, b]\n";
    let variants = "variants: [{name: small, area: 1}, {name: big, area: 5, fmax: 80 kHz}]\nclock: 100 kHz\n";
    let task = |wcet: &str, choice: &str, more: &str| {
        format!(
            "tasks:\n- {{name: t, wcet: {wcet}, period: 10 ms{more}, choices: [{{name: c, area: 3, wcet: {choice}}}]}}\n- {{name: u, wcet: 200, period: 20 ms}}\n"
        )
    };
    let both = format!(
        "{modes}{variants}{}",
        task("{small: {a: 900, b: 500}, big: 400}", "{small: 300, big: {a: 90, b: 80}}", "")
    );
    let sets = [
        format!("{modes}clock: 100 kHz\n{}", task("{a: 900, b: 500}", "300", "")),
        format!("{variants}{}", task("{small: 1900, big: 400}", "{small: 300, big: 90}", "")),
        both,
    ];
    let set =
        |text: &String| isx_taskset::read_str("set.yaml", &format!("name: set\n{text}")).unwrap().task_set;
    let mut sets: Vec<TaskSet> = sets.iter().map(set).collect();
    let mut overruns = set(&format!("clock: 100 kHz\n{}", task("500", "300", ", wcet_high: 900")));
    overruns.overruns = Some(1);
    sets.push(overruns);
    sets.iter().map(costed).collect()
}

#[test]
fn a_document_alone_tells_what_it_has_and_no_more() {
    for explored in fronts() {
        let read = of_document(&document(&explored), None, None).unwrap();
        let (printed, own) = (data(&read), data(&of_front(&explored)));
        assert_eq!((&printed["document"], &printed["front"]), (&own["document"], &own["front"]));
        assert!(
            printed["tasks"].as_array().unwrap().iter().all(|task| task["places"] == serde_json::json!([]))
        );
        assert_eq!((&printed["details"], &printed["description"]), (&Value::Null, &Value::Null));
        for (task, own) in printed["tasks"].as_array().unwrap().iter().zip(&explored.task_set().tasks) {
            assert_eq!(task["name"], own.name.as_str());
        }
    }
}

#[test]
fn a_document_is_held_against_the_task_set() {
    let refused = |set: &TaskSet, words: &str| {
        let printed = of_document(&document(&shared()), Some(set), None).unwrap_err().to_string();
        assert!(printed.starts_with("this is not the front of `") && printed.contains(words), "{printed}");
    };
    let changed = |change: fn(&mut TaskSet)| {
        let mut set = shared_tasks();
        change(&mut set);
        set
    };
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
        &changed(|set| set.blocks[0].cost[0] += whole(1)),
        "the area of the smallest schedulable design is `486` in the front and `487` in the task set",
    );
    refused(&changed(|set| set.tasks[3].wcets[0] += whole(1)), "in software");
    refused(
        &changed(|set| set.tasks[0].choices[0].wcets[0] += whole(1)),
        "the utilization of the smallest schedulable design is `3/4` in the front and `19/25` in the task set",
    );
    assert!(of_document(&document(&shared()), Some(&shared_tasks()), None).is_ok());
}

#[test]
fn a_front_by_margin_is_held_against_the_task_set() {
    for explored in fronts_by_margin() {
        let text = String::from_utf8(document(&explored)).unwrap();
        let mut halved: Value = serde_json::from_str(&text).unwrap();
        let (own, printed) = (&explored.point_margins[0] / whole(2), &mut halved["points"][0]["margin"]);
        let approx = printed["approx"].as_f64().unwrap() / 2.0;
        *printed = serde_json::json!({"num": own.numer().to_string(), "den": own.denom().to_string(), "approx": approx});
        let halved = halved.to_string();
        let read = |text: &str, own: Option<&Exploration>| {
            of_document(text.as_bytes(), Some(explored.task_set()), own).map(|report| data(&report))
        };
        let page = read(&text, None).unwrap();
        assert_eq!(
            (&page["document"]["front"], &page["origin"]["of"]),
            (&"margin".into(), &"front and sums".into())
        );
        for own in [None, Some(&explored)] {
            let refused = read(&halved, own).unwrap_err().to_string();
            assert!(refused.contains("margin"), "{refused}");
        }
        assert_eq!(read(&text, Some(&explored)).unwrap()["origin"]["of"], "front and task set");
    }
}

#[test]
fn documents_that_are_no_fronts_are_refused() {
    let text = String::from_utf8(document(&shared())).unwrap();
    let refused = |text: &str| match read(text.as_bytes()) {
        Err(problem) => problem.to_string(),
        Ok(front) => Report::new(&front, None).unwrap_err().to_string(),
    };
    // The choices of the software design are not checked, and the first point defines the tasks.
    let uneven = text.replacen("\"sm4\":null,", "", 2);
    assert!(refused(&uneven).contains("has 4 tasks, not 3"), "{}", refused(&uneven));
    let mut empty: Value = serde_json::from_str(&text).unwrap();
    empty["points"][1]["choices"] = serde_json::json!({});
    assert_eq!(refused(&empty.to_string()), "not an isx front: a design has 0 tasks, not 4");
    // Fields that older documents lack are optional.
    for field in ["status", "engine", "min_schedulable_unknown", "scheduler"] {
        let without = text.replace(&format!("\"{field}\":"), &format!("\"no {field}\":"));
        assert!(of_document(without.as_bytes(), None, None).is_ok(), "{field}");
    }
}

#[test]
fn names_that_attack_stay_in_strings() {
    let resources = fronts_of_resources().pop().unwrap();
    for explored in [front_of(&nasty()), front_of(&nasty_blocks()), resources] {
        let set = explored.task_set();
        let evil = "</script><script>alert(1)</script><!--\u{2028}";
        let origin = Origin { command: Some(evil.into()), notes: vec![evil.into()], ..Origin::default() };
        let report = of_front(&explored).with_origin(&origin).titled(evil);
        let (page, printed) = (page(&report), data(&report));
        // The data and the script, and no third element; the title is escaped, the data has no `<`.
        assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
        assert!(!page.contains("<!--") && !page.contains('\u{2028}') && !page.contains('\u{202e}'));
        let names: Vec<&str> =
            printed["tasks"].as_array().unwrap().iter().map(|task| task["name"].as_str().unwrap()).collect();
        assert_eq!(names, set.tasks.iter().map(|task| task.name.as_str()).collect::<Vec<_>>());
        assert_eq!((&printed["title"], &printed["origin"]["notes"][0]), (&evil.into(), &evil.into()));
    }
}

#[test]
fn response_times_and_margins_are_those_of_the_designs() {
    let mut set = shared_tasks().with_scheduler(Scheduler::RateMonotonic).unwrap();
    set.time_base = isx_taskset::TimeBase::Cycles { hertz: num_bigint::BigInt::from(1).into() };
    let explored = front_of(&set);
    let printed = data(&of_front(&explored));
    assert_eq!(printed["limit"], "necessary");
    let Value::Array(mut table) = unpacked(printed["details"]["packed"].as_str().unwrap()) else { panic!() };
    table.sort_by_key(|printed| printed[0].as_u64());
    let mut effort = isx_design::schedulability::Effort::new(Default::default());
    let mut wanted = Vec::new();
    for (at, point) in explored.front.iter().enumerate() {
        let (formulation, choices) = (point.formulation(), point.choices().unwrap());
        let shown =
            crate::answers::show::Schedulability::of_choices(&set, formulation, &choices, None, &mut effort);
        assert!(shown.lowest_clock.is_some() && !shown.responses.is_empty());
        wanted.push((at, shown.document()));
    }
    assert_eq!(Value::Array(table), serde_json::to_value(wanted).unwrap());
    // If the utilization decides, there are no details.
    let printed = data(&of_front(&shared()));
    assert_eq!((&printed["limit"], &printed["details"]), (&"decides".into(), &Value::Null));
}

#[test]
fn a_page_of_ten_thousand_designs_of_thirty_tasks_is_at_most_800_kilobytes() {
    let mut set = random(30, 10, 3);
    let half = set.tasks[0].deadline() / num_bigint::BigInt::from(2);
    set.tasks[0] = set.tasks[0].clone().with_deadline(half);
    let explored = front_of(&set);
    assert!(explored.front.len() > 300, "{}", explored.front.len());
    let mut report = of_front(&explored);
    // For designs as different as possible, and with the most details.
    let mut details = data(&report)["details"].clone();
    details["packed"] = "A".repeat(details::MOST_PACKED).into();
    let mut sampler = Sampler::new(9);
    let designs = (0..10_000u64).map(|at| {
        let cost = (at * 1000 + sampler.uniform(0, 999)).to_string();
        let numerator = (10_000 - at) * 1_000_000 + sampler.uniform(0, 999_999);
        let choice =
            |task: &isx_taskset::Task| (task.name.clone(), format!("c{}", sampler.uniform(0, 9)).into());
        let choices: serde_json::Map<String, Value> = set.tasks.iter().map(choice).collect();
        serde_json::json!({
            "cost": {set.resources.names[0].as_str(): cost},
            "utilization": {"num": numerator.to_string(), "den": (1u64 << 40).to_string()},
            "schedulable": at > 500, "schedulable_within": at > 500, "choices": choices,
        })
    });
    let mut long: Value = serde_json::from_slice(&document(&explored)).unwrap();
    long["points"] = designs.collect();
    let nothing =
        [("min_schedulable", serde_json::json!([])), ("min_schedulable_designs", serde_json::json!([]))];
    for (name, value) in nothing
        .into_iter()
        .chain([("min_schedulable_area", Value::Null), ("min_schedulable_unknown", "not decided".into())])
    {
        long[name] = value;
    }
    let long = long.to_string();
    let front = read(long.as_bytes()).unwrap();
    let kept = packed_points(&front, Kept::at_most(10_000, vec![501], 20_000)).unwrap();
    report.sheet = report.sheet.add("details", details).add("front", &kept);
    let number = |name: &str| kept[name].as_u64().unwrap();
    assert!(number("count") == 10_000 && number("kept") > 1_000 && number("stride") > 1, "{}", kept["kept"]);
    assert!(page(&report).len() <= 800_000, "{}", page(&report).len());
    // The designs around the limit, and both ends, are kept nevertheless.
    let found: Vec<usize> = points(&kept).into_iter().map(|(index, _)| index).collect();
    assert!(found.contains(&0) && found.contains(&9_999));
    assert!((501 - AROUND..=501 + AROUND).all(|index| found.contains(&index)));
}

#[test]
fn real_fronts_are_much_smaller_and_whole() {
    let front = &data(&of_front(&front_of(&correlated_with_blocks(14, 3, 4))))["front"];
    let (count, bytes) = (front["count"].as_u64().unwrap() as usize, front["points"].as_str().unwrap().len());
    assert!(count > 3_000 && front["kept"] == count, "{} of {count}", front["kept"]);
    assert!(bytes / count < 40, "{bytes}");
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
