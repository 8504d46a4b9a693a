//! explore --format html and report: the interactive page of a front.

use super::scene::{Ran, SMALL, Scene, examples};
use serde_json::{Value, json};
use std::ffi::OsStr;

/// The JSON in a page.
pub(super) fn data(page: &str) -> Value {
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn every_example_has_a_page_of_its_own_and_of_its_front() {
    for file in examples() {
        let scene = Scene::new();
        let path = file.to_str().unwrap();
        let explore = ["explore", path, "--out", "o", "--format", "html,json"].map(OsStr::new);
        let ran = Ran::of(&mut scene.command(&explore)).code(0);
        assert!(ran.stdout.ends_with("Wrote front.json and front.html to o\n"), "{}", ran.stdout);
        let mut own = data(&scene.read("o/front.html"));
        let report = ["report", "o/front.json", "--taskset", path].map(OsStr::new);
        Ran::of(&mut scene.command(&report)).code(0);
        let mut read = data(&scene.read("o/front.html"));
        assert_eq!(read["origin"]["inputs"].as_array().unwrap().len(), 2);
        let name = file.file_name().unwrap().to_str().unwrap();
        assert_eq!((&own["origin"]["inputs"][0], name), (&read["origin"]["inputs"][1], name));
        for printed in [&mut own, &mut read] {
            printed["origin"] = Value::Null;
        }
        assert_eq!(own, read, "{name}");
    }
}

#[test]
fn a_page_goes_where_it_is_asked_to() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o").code(0);
    let ran = scene.isx("report o/front.json").code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", "note: wrote o/front.html\n"));
    scene.isx("report o/front.json -o new/page.html -q").code(0);
    let to_stdout = scene.isx("report o/front.json -o -").code(0);
    assert!(to_stdout.stdout.starts_with("<!DOCTYPE html>") && to_stdout.stdout.ends_with("</html>\n"));
    assert_eq!(to_stdout.stderr, "");
    // For standard input, there is no folder to write to.
    let mut piped = scene.command(&["report", "-"]);
    piped.stdin(std::fs::File::open(scene.path("o/front.json")).unwrap());
    let mut printed = data(&Ran::of(&mut piped).code(0).stdout);
    assert_eq!(printed["origin"]["inputs"][0]["name"], "standard input");
    assert_eq!(printed["origin"]["command"], "isx report -");
    let mut read = data(&scene.read("new/page.html"));
    printed["origin"] = Value::Null;
    read["origin"] = Value::Null;
    assert_eq!(printed, read);
    // A second run gives the same bytes.
    let first = scene.read("o/front.html");
    scene.isx("report o/front.json").code(0);
    assert_eq!(scene.read("o/front.html"), first);
}

#[test]
fn the_origin_names_command_input_notes_and_certificate() {
    let scene = Scene::small();
    scene.isx("explore ./small.yaml --out o --format html --certificate small.cert").code(0);
    let page = data(&scene.read("o/front.html"));
    assert_eq!(page["document"]["status"], "proved");
    let origin = &page["origin"];
    assert_eq!(origin["command"], "isx explore ./small.yaml --out o --format html --certificate small.cert");
    assert_eq!(origin["inputs"][0]["name"], "small.yaml");
    assert_eq!(origin["certificate"]["name"], "small.cert");
    assert_eq!(origin["inputs"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(origin["notes"][0], "not used by control: slow (slower than software)");
    let page = scene.isx("report o/front.json --title x -o -").refused(2, &["o/front.json"]);
    assert_eq!(page.stdout, "");
}

#[test]
fn a_changed_set_is_reported_with_the_same_changes() {
    let scene = Scene::small();
    let changes = "--forbid control=mac --scale-wcet 4/5";
    scene.isx(&format!("explore small.yaml --out o {changes}")).code(0);
    scene
        .isx("report o/front.json --taskset small.yaml -o p.html")
        .refused(2, &["this is not the front of `small`", "what was changed is `"]);
    scene.isx(&format!("report o/front.json --taskset small.yaml -o p.html {changes}")).code(0);
    assert_eq!(data(&scene.read("p.html"))["document"]["what_if"].as_array().unwrap().len(), 2);
    scene.isx(&format!("report o/front.json {changes}")).refused(2, &["--taskset"]);
}

#[test]
fn what_makes_no_page_is_refused_and_nothing_is_written() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o").code(0);
    scene.write("other.yaml", SMALL.replace("wcet: 4 ms", "wcet: 4.5 ms"));
    scene.write("verdict.json", scene.isx("check small.yaml --area 2 --json").code(0).stdout);
    let front = scene.read("o/front.json");
    scene.write("cut.json", &front[..front.len() / 2]);
    scene.write("odd.json", front.replace("\"log\":null", "\"log\":{}"));
    let before = scene.files();
    let cases: [(&str, &[&str]); 8] = [
        ("report none.json", &["error: none.json: no such file; `isx explore TASKSET` writes"]),
        (
            "report small.yaml",
            &["error: small.yaml: this is a task set; its front is computed by `isx explore"],
        ),
        ("report verdict.json", &["error: verdict.json: the document's schema is `isx.verdict/1`"]),
        ("report cut.json", &["error: cut.json: not a JSON document"]),
        (
            "report odd.json",
            &["error: odd.json: not an isx front: the choice of `log` is neither a name nor null at"],
        ),
        (
            "report o/front.json --taskset other.yaml",
            &["this is not the front of `small`: the utilization in software is"],
        ),
        ("report o/front.json --taskset none.yaml", &["error: none.yaml: no such file"]),
        ("report - --taskset -", &["cannot both be standard input"]),
    ];
    for (line, words) in cases {
        scene.isx(line).refused(2, words);
    }
    scene.isx("report o/front.json -o o").refused(6, &["error: cannot write"]);
    scene.isx("report o/front.json -o small.yaml/page.html").refused(6, &["error: cannot"]);
    assert_eq!(scene.files(), before);
}

/// The front of `small.yaml` with some of its fields changed, as `edited.json`.
fn edited(scene: &Scene, edits: &[(&str, Value)]) {
    let mut front = scene.json("o/front.json");
    for (place, value) in edits {
        *front.pointer_mut(place).unwrap() = value.clone();
    }
    scene.write("edited.json", front.to_string());
}

#[test]
fn a_front_that_contradicts_itself_is_refused_by_all_that_read_one() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o").code(0);
    let (null, none) = (|| Value::Null, || Value::Array(Vec::new()));
    let cases: [(&[(&str, Value)], &str); 9] = [
        (
            &[("/points/0/schedulable", true.into())],
            "not a front: a design of utilization above 1 is marked schedulable at point 0 (counted from 0)",
        ),
        (
            &[("/points/2/schedulable_within", false.into())],
            "not a front: a schedulable design is marked as having none within its area at point 2 (counted from 0)",
        ),
        (
            &[("/points/2/schedulable", null()), ("/points/2/schedulable_within", false.into())],
            "not a front: no design is marked schedulable within an area in which one was before, at point 2 (counted from 0)",
        ),
        (
            &[("/base/schedulable", true.into())],
            "not an isx front: `base` is marked schedulable, and its utilization is above 1",
        ),
        (
            &[("/min_schedulable_area", "1.3".into())],
            "not an isx front: `min_schedulable_area` is 1.3, and the area of `min_schedulable_designs` 1.25",
        ),
        (
            &[("/min_schedulable_area", null())],
            "not an isx front: `min_schedulable_area` is null, and the area of `min_schedulable_designs` 1.25",
        ),
        (
            &[("/min_schedulable", none())],
            "not an isx front: `min_schedulable` has other costs than `min_schedulable_designs`",
        ),
        (
            &[
                ("/min_schedulable_area", null()),
                ("/min_schedulable", none()),
                ("/min_schedulable_designs", none()),
            ],
            "not an isx front: `min_schedulable` is empty, and point 1 is schedulable",
        ),
        (&[("/points/1/area", "3".into())], "not an isx front: point 1: `area` is not the `cost` at line 1"),
    ];
    let commands = [
        "plot edited.json -o -",
        "show edited.json --point 0",
        "report edited.json -o -",
        "compare edited.json o/front.json",
    ];
    for (edits, words) in cases {
        edited(&scene, edits);
        for command in commands {
            let ran = scene.isx(command).refused(2, &[]);
            assert!(
                ran.stderr.starts_with(&format!("error: edited.json: {words}")),
                "{command}: {}",
                ran.stderr
            );
        }
    }
    edited(&scene, &[("/points/1/utilization/approx", 0.5.into())]);
    for command in commands {
        let words =
            ["error: edited.json: not an isx front: `approx` is not 1, as `num` and `den` are at line 1"];
        scene.isx(command).refused(2, &words);
    }
}

#[test]
fn a_front_with_its_task_set_has_all_points_and_their_verdicts() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o").code(0);
    let mut front = scene.json("o/front.json");
    let whole = front["points"].as_array().unwrap().clone();
    let report = "report edited.json --taskset small.yaml -o -";
    let refused = |words: &str| {
        let ran = scene.isx(report).refused(2, &[]);
        assert_eq!(ran.stderr, format!("error: edited.json: this is not the front of `small`: {words}\n"));
        // The document alone does not reveal it.
        scene.isx("report edited.json -o -").code(0);
    };
    front["points"].as_array_mut().unwrap().remove(1);
    scene.write("edited.json", front.to_string());
    refused(
        "point 1 has area 4.25 and utilization 4/5, in the set's own front area 1.25 and utilization 1: a point is missing or was changed",
    );
    front["points"] = whole[..2].into();
    scene.write("edited.json", front.to_string());
    refused("it ends with point 1, and the set's own front has 3 points");
    // A front that was cut at an area is reported as incomplete.
    front["complete"] = false.into();
    scene.write("edited.json", front.to_string());
    assert_eq!(data(&scene.isx(report).code(0).stdout)["origin"]["of"], "front and task set");
    edited(&scene, &[("/points/2/schedulable", false.into())]);
    refused("the verdicts on point 2 are not those of the set");
    let design = whole[2].clone();
    edited(
        &scene,
        &[
            ("/points/1/schedulable", Value::Null),
            ("/points/1/schedulable_within", Value::Null),
            ("/min_schedulable_area", "4.25".into()),
            ("/min_schedulable", json!([design["cost"]])),
            ("/min_schedulable_designs", json!([design])),
        ],
    );
    refused("the smallest schedulable area is `4.25`, that of the set `1.25`");
}
