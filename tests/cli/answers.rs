//! Answers of explore, check, plot and generate.

use super::scene::{Ran, Scene, examples, has};
use std::ffi::OsStr;
use std::time::{Duration, Instant};

#[test]
fn every_example_is_explored_into_three_files() {
    for file in examples() {
        let scene = Scene::new();
        let explore = [OsStr::new("explore"), file.as_os_str()];
        let json = Ran::of(scene.command(&explore).arg("--json")).code(0);
        assert!(scene.files().is_empty(), "no file was asked for");
        let ran = Ran::of(&mut scene.command(&explore)).code(0);
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let written: Vec<String> =
            scene.files().keys().map(|path| path.to_str().unwrap().to_owned()).collect();
        let wanted = ["csv", "json", "svg"].map(|ending| format!("output/{stem}/front.{ending}"));
        let (record, written) = written.split_first().unwrap();
        assert_eq!((record, written), (&format!("output/{stem}/.isx-input.json"), &wanted[..]));
        assert!(ran.stdout.starts_with(&format!("{stem}\nExact Pareto front of ")), "{}", ran.stdout);
        assert_eq!(scene.read(&wanted[1]), json.stdout);
        let both = Ran::of(scene.command(&explore).args(["--json", "--out", "o"])).code(0);
        assert_eq!((both.stdout, scene.read("o/front.json")), (json.stdout.clone(), json.stdout));
        assert!(scene.path("o/front.csv").exists() && scene.path("o/front.svg").exists());
        let points = scene.json(&wanted[1])["points"].as_array().unwrap().len();
        assert_eq!(scene.read(&wanted[0]).lines().count(), points + 1, "a header and a row a point");
        roxmltree::Document::parse(&scene.read(&wanted[2])).unwrap();
    }
}

#[test]
fn formats_are_those_asked_for() {
    let scene = Scene::small();
    let ran = scene.isx("explore small.yaml --out o --format html,csv").code(0);
    assert!(ran.stdout.ends_with("Wrote front.csv and front.html to o\n"), "{}", ran.stdout);
    let written: Vec<_> = scene.files().into_iter().filter(|(path, _)| path.starts_with("o")).collect();
    let names: Vec<&str> = written.iter().map(|(path, _)| path.to_str().unwrap()).collect();
    assert_eq!(names, ["o/.isx-input.json", "o/front.csv", "o/front.html"]);
    scene.isx("explore small.yaml --out p").code(0);
    assert_eq!(scene.read("p/front.csv"), scene.read("o/front.csv"));
    scene.isx("explore small.yaml --format xlsx").refused(2, &["xlsx", "csv, json, svg, html, parquet"]);
    scene.isx("explore small.yaml --format").refused(2, &["--format <FORM,..>"]);
}

#[test]
fn the_summary_reads_as_it_should() {
    let ran = Scene::small().isx("explore small.yaml --threads 1").code(0);
    // The report may also name how the front was verified.
    let (head, rest) = ran.stdout.split_once("\n\n").unwrap();
    assert!(head.starts_with("small\nExact Pareto front of 3 designs"), "{head}");
    let wanted = "\
\x20area/kGE  utilization  EDF  choices (changes from the row above)
        0     1.200000   no  all in software
     1.25     1.000000  yes  control=mac
     4.25     0.800000  yes  video=sad

Software only: utilization 1.200000, not schedulable
Smallest schedulable area: 1.25 kGE, utilization 1.000000
  with control=mac
Smallest area with 10, 20, 30 % margin: 4.25, 4.25 kGE, none
note: not used by control: slow (slower than software)

Wrote front.csv, front.json and front.svg to output/small
";
    assert_eq!(rest, wanted);
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_budget_is_compared_exactly() {
    let scene = Scene::small();
    for (area, code) in [
        ("0", 1),
        ("1.249999999999999999", 1),
        ("1.24", 1),
        ("1.25", 0),
        ("1.250", 0),
        ("125e-2", 0),
        ("1.250000000000000001", 0),
        ("1e18", 0),
    ] {
        let ran = scene.isx(&format!("check small.yaml --area {area}")).code(code);
        let word = if code == 0 { "small: SCHEDULABLE" } else { "small: NOT SCHEDULABLE" };
        assert!(ran.stdout.starts_with(word), "{area}: {}", ran.stdout);
        let json = scene.isx(&format!("check small.yaml --json --area {area}")).code(code).json();
        assert_eq!(json["verdict"], if code == 0 { "schedulable" } else { "not_schedulable" });
        assert_eq!(json["min_schedulable_area"], "1.25");
    }
    assert_eq!(scene.files().len(), 1, "check writes no files");
}

#[test]
fn a_verdict_that_cannot_be_reached_is_unknown() {
    let scene = Scene::with("hard.yaml", HARD);
    let ran = scene.isx("check hard.yaml --area 0").code(3);
    assert!(ran.stdout.starts_with("hard: UNKNOWN under EDF with area 0\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("round the periods to a common grid"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nslack              about 0.000000000, exactly 1/1000000016000000063\n"));
    assert!(ran.stdout.contains("\nsmallest area      unknown\n"), "{}", ran.stdout);
    let json = scene.isx("check hard.yaml --area 0 --json").code(3).json();
    assert_eq!(json["verdict"], "unknown");
    assert_eq!(json["min_schedulable_area"], serde_json::Value::Null);
}

/// The utilization is 1 - 1/(P Q), the periods P and Q are coprime, and one deadline is short by 1: the demand test
/// would need about 10^9 deadlines.
const HARD: &str = "\
name: hard
tasks:
  - {name: a, wcet: 500000003, period: 1000000007, deadline: 1000000006}
  - {name: b, wcet: 500000005, period: 1000000009}
";

#[test]
fn a_front_that_no_larger_design_would_extend_is_complete_though_a_slow_block_is_beyond_the_budget() {
    let text = "name: pair
clock: 100 Hz
blocks: [{name: slow, area: 50, fmax: 50 Hz}]
tasks:
  - {name: a, wcet: 30, period: 1 s, choices: [{name: mac, area: 5, wcet: 10}, {name: big, uses: [slow], wcet: 8}]}
  - {name: b, wcet: 30, period: 1 s}
";
    let scene = Scene::with("pair.yaml", text);
    let ran = scene.isx("explore pair.yaml --max-area 20").code(0);
    assert!(ran.stdout.contains("Exact Pareto front of 2 designs, checked\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("--max-area"), "{}", ran.stdout);
    assert_eq!(scene.json("output/pair/front.json")["complete"], true);
    let ran = scene.isx("explore pair.yaml --max-area 4").code(0);
    has(&ran.stdout, &["note: the front stops at --max-area; larger designs save more\n"]);
    assert_eq!(scene.json("output/pair/front.json")["complete"], false);
}

#[test]
fn constrained_deadlines_are_decided_and_explained() {
    let file = examples().into_iter().find(|path| path.ends_with("constrained-deadlines.yaml")).unwrap();
    let scene = Scene::with("set.yaml", std::fs::read(file).unwrap());
    let ran = scene.isx("explore set.yaml").code(0);
    has(&ran.stdout, &["Smallest schedulable area: 1.4 kGE, utilization 0.740000"]);
    assert!(ran.stdout.contains("note: some deadlines are shorter than their periods"), "{}", ran.stdout);
    let note = "note: no*: the design shown misses a deadline, another of no more area is schedulable;";
    assert!(ran.stdout.contains(note) && !ran.stdout.contains("  ?  "), "{}", ran.stdout);
    for row in ["0.7     0.745000   no  ", "1.4     0.720000  no*  ", "2.1     0.665000  yes  "] {
        assert!(ran.stdout.contains(row), "{row}: {}", ran.stdout);
    }
    let front = scene.json("output/set/front.json");
    let points = front["points"].as_array().unwrap();
    let verdicts = |at: usize| (points[at]["schedulable"].clone(), points[at]["schedulable_within"].clone());
    assert_eq!(verdicts(2), (false.into(), false.into()));
    assert_eq!(verdicts(3), (false.into(), true.into()));
    assert_eq!(verdicts(5), (true.into(), true.into()));
    let shown = scene.isx("show set.yaml --area 1.4 --json").code(0).json();
    assert_eq!((shown["schedulable"].clone(), shown["schedulable_within"].clone()), verdicts(3));
    let printed = scene.isx("show set.yaml --area 1.4").code(0).stdout;
    assert!(
        printed
            .starts_with("constrained-deadlines: design 3 (numbered 0 to 24), NOT SCHEDULABLE under EDF\n"),
        "{printed}"
    );
    let why = "\nverdict     this design misses a deadline, another of no more area is schedulable\n";
    has(&printed, &[why, "  WCET/ms  ", "by time 6 ms need"]);
    scene.isx("check set.yaml --area 1.4").code(0);
    scene.isx("check set.yaml --area 1.3").code(1);
}

#[test]
fn a_largest_area_cuts_the_front_and_says_so() {
    let scene = Scene::small();
    for (area, points) in [("0", 1), ("1.249", 1), ("1.25", 2), ("4.2499999", 2), ("4.25", 3), ("1e9", 3)] {
        let front = scene.isx(&format!("explore small.yaml --json --max-area {area}")).code(0).json();
        assert_eq!(front["points"].as_array().unwrap().len(), points, "{area}");
        assert_eq!(front["complete"], points == 3, "{area}");
    }
    let ran = scene.isx("explore small.yaml --max-area 1").code(0);
    assert!(ran.stdout.contains("Exact Pareto front of 1 design, up to the area budget"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Smallest schedulable area: none within the area budget"), "{}", ran.stdout);
    assert!(ran.stdout.contains("note: the front stops at --max-area"), "{}", ran.stdout);
}

#[test]
fn the_same_question_gets_the_same_bytes() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 20 --choices 12 --seed 3 -o set.yaml").code(0);
    let run = |out: &str, how: &str| {
        scene.isx(&format!("explore set.yaml --out {out} {how}")).code(0);
        ["front.csv", "front.json", "front.svg"].map(|file| scene.read(format!("{out}/{file}")))
    };
    let first = run("a", "--threads 1");
    assert_eq!(first, run("b", "--threads 1"));
    let [csv, json, svg] = run("c", "--threads 2");
    assert_eq!([&first[0], &first[2]], [&csv, &svg]);
    // The JSON describes the run.
    let points = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["points"].clone();
    assert_eq!(points(&first[1]), points(&json));
}

#[test]
fn every_engine_and_arithmetic_gives_the_same_front() {
    let scene = Scene::small();
    let points = |how: &str| {
        let json = scene.isx(&format!("explore small.yaml --json {how}")).code(0).json();
        (json["points"].clone(), json["engine"]["arithmetic"].clone())
    };
    let (wanted, narrowest) = points("");
    assert_eq!(narrowest, "i32");
    for engine in ["reference", "list", "dense"] {
        assert_eq!(points(&format!("--engine {engine}")).0, wanted, "{engine}");
    }
    for tier in ["i32", "i64", "i128", "big"] {
        assert_eq!(points(&format!("--engine list --arithmetic {tier}")), (wanted.clone(), tier.into()));
    }
}

#[test]
fn plot_draws_the_same_picture_again() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out o").code(0);
    let picture = scene.read("o/front.svg");
    scene.isx("plot o/front.json -o again.svg").code(0);
    assert_eq!(scene.read("again.svg"), picture);
    scene.write("o/front.svg", "old");
    let ran = scene.isx("plot o/front.json").code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", "note: wrote o/front.svg\n"));
    assert_eq!(scene.read("o/front.svg"), picture);

    let mut piped = scene.command(&["plot", "-"]);
    piped.stdin(std::fs::File::open(scene.path("o/front.json")).unwrap());
    assert_eq!(Ran::of(&mut piped).code(0).stdout, picture);
    let to_stdout = scene.isx("plot o/front.json -o -").code(0);
    assert_eq!((to_stdout.stdout.as_str(), to_stdout.stderr.as_str()), (picture.as_str(), ""));
    for options in ["--max-area 1.25 --title zoom", "--log-area", "--from-zero"] {
        scene.isx(&format!("plot o/front.json -o zoom.svg {options}")).code(0);
        assert_ne!(scene.read("zoom.svg"), picture, "{options}");
    }
}

#[test]
fn plot_draws_named_lines() {
    let line = r#"{"name": "list", "note": "slope 2", "points": [[1, 0.5], [10, 50]]}"#;
    let chart = format!(
        r#"{{"schema": "isx.chart/1", "title": "t", "y": "s", "panels": [{{"x": "m", "lines": [{line}]}}]}}"#
    );
    let scene = Scene::with("chart.json", chart);
    scene.isx("plot chart.json").code(0);
    let picture = scene.read("chart.svg");
    assert!(picture.starts_with("<svg ") && picture.contains(">slope 2<"), "{picture}");
    assert_eq!(scene.isx("plot chart.json -o -").code(0).stdout, picture);
}

#[test]
fn generated_inputs_depend_on_the_seed_alone_and_can_be_used() {
    let scene = Scene::new();
    let taskset = scene.isx("generate taskset --seed 7").code(0).stdout;
    assert_eq!(scene.isx("generate taskset --seed 7").code(0).stdout, taskset);
    assert_ne!(scene.isx("generate taskset --seed 8").code(0).stdout, taskset);
    scene.isx("generate taskset --seed 7 -o new/set.yaml").code(0);
    assert_eq!(scene.read("new/set.yaml"), taskset);
    scene.isx("explore new/set.yaml").code(0);

    let mckp = scene.isx("generate mckp --seed 7").code(0).stdout;
    assert_eq!(scene.isx("generate mckp --seed 7").code(0).stdout, mckp);
    scene.isx("generate mckp --seed 7 -o problem.txt").code(0);
    assert_eq!(scene.read("problem.txt"), mckp);
    scene.isx("solve mckp problem.txt").code(0);
}

/// Bounds ten times above the times of a slow machine, to detect a second of start-up or a quadratic step. The test
/// program may be built without optimization.
#[test]
fn small_sets_are_explored_at_once() {
    let scene = Scene::new();
    let timed = |file: &str| {
        let start = Instant::now();
        scene.isx(&format!("explore {file} --threads 1")).code(0);
        start.elapsed()
    };
    scene.isx("generate taskset --tasks 12 --choices 16 --seed 1 -o twelve.yaml").code(0);
    let best = (0..3).map(|_| timed("twelve.yaml")).min().unwrap();
    assert!(best < Duration::from_secs(2), "{best:?}");
    let thirty = "generate taskset --tasks 30 --choices 30 --area 1..1000000 --utilization 2";
    for savings in ["uncorrelated:0.05..0.6", "correlated:0.05..0.6"] {
        scene.isx(&format!("{thirty} --savings {savings} -o thirty.yaml")).code(0);
        let took = timed("thirty.yaml");
        assert!(took < Duration::from_secs(60), "{savings}: {took:?}");
    }
}

#[test]
fn check_notes_what_explore_notes_of_the_task_set() {
    let scene = Scene::small();
    let ran = scene.isx("check small.yaml --area 2").code(0);
    assert_eq!(ran.stderr, "note: not used by control: slow (slower than software)\n");
    assert_eq!(scene.isx("check small.yaml --area 2 -q").code(0).stderr, "");
    let fast = "name: fast\nclock: 80 MHz\nblocks:\n  - {name: mul, area: 3, fmax: 120 MHz}\n  - {name: div, area: 3, fmax: 80 MHz}\n\
                tasks: [{name: a, wcet: 90, period: 1 ms, choices: [{name: m, uses: [mul, div], wcet: 50}]}]\n";
    scene.write("fast.yaml", fast);
    // That a block could be faster is usual.
    assert_eq!(scene.isx("check fast.yaml --area 2").code(0).stderr, "");
    let wanted = "note: mul has an fmax above the clock, and slows no design\n";
    assert!(scene.isx("check fast.yaml --area 2 -v").code(0).stderr.ends_with(wanted));
    assert!(scene.isx("explore fast.yaml --out out -v").code(0).stdout.contains(wanted));
}
