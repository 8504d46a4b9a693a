//! show, compare and the what-if flags.

use super::scene::{Scene, has};
use serde_json::{Value, json};

/// Two AES tasks that share a block, and a filter.
const SHARED: &str = "\
name: shared
area_unit: LUT
clock: 1 MHz
blocks:
  - {name: sbox, area: 40}
  - {name: mac, area: 30}
tasks:
  - name: tls
    wcet: 600
    period: 1 ms
    choices: [{name: aes, uses: [sbox], area: 5, wcet: 200}]
  - name: disk
    wcet: 800
    period: 2 ms
    choices: [{name: aes, uses: [sbox], wcet: 300}]
  - name: fir
    wcet: 500
    period: 2 ms
    choices: [{name: mac, uses: [mac], wcet: 100}]
";

fn shared() -> Scene {
    Scene::with("shared.yaml", SHARED)
}

fn at(scene: &Scene, columns: &str, line: &str) -> String {
    super::scene::Ran::of(scene.line(line).env("COLUMNS", columns)).code(0).stdout
}

#[test]
fn a_design_is_shown_task_by_task() {
    let wanted = "\
shared: design 3 (numbered 0 to 4), SCHEDULABLE under EDF
area 45 LUT, utilization 1.250000 -> 0.600000

 task  choice    own area  WCET/cycles           utilization   share
 tls   aes              5   600 -> 200  0.600000 -> 0.200000  33.3 % ██████▋
 disk  aes              0   800 -> 300  0.400000 -> 0.150000  25.0 % █████
 fir   software         0          500              0.250000  41.7 % ████████▍

utilization 0.6 = 3/5
slack       0.4 = 2/5
margin      all WCETs may grow to about 1.666666667, exactly 5/3 times (+66.67 %); beyond, the utilization
            passes 1
block       sbox (40 LUT), used by tls, disk
min clock   600 kHz, the lowest at which this design is schedulable
next        area 75 LUT (+30), utilization 0.400000 (-0.200000): fir=mac; +mac
";
    for pick in ["--area 50", "--point 3", "--max-utilization 2/3"] {
        assert_eq!(at(&shared(), "106", &format!("show shared.yaml {pick}")), wanted);
    }
}

#[test]
fn a_narrow_screen_has_some_lines_a_task() {
    let record = at(&shared(), "40", "show shared.yaml --point 4");
    assert!(record.contains(" fir: mac, own area 0\n   WCET/cycles 500 -> 100\n"), "{record}");
    assert!(record.contains("   utilization 0.250000 -> 0.050000\n   share  12.5 % ██▌\n"), "{record}");
    assert!(record.ends_with("next        none: no design has less\n            utilization\n"), "{record}");
    assert!(record.lines().all(|line| line.chars().count() <= 40), "{record}");
}

#[test]
fn a_design_as_json_is_exact() {
    let document = shared().isx("show shared.yaml --point 3 --json").code(0).json();
    assert_eq!(document["schema"], "isx.design/1");
    assert_eq!((&document["point"], &document["points"]), (&json!(3), &json!(5)));
    assert_eq!(document["margin"], json!({"num": "5", "den": "3", "approx": 5.0 / 3.0}));
    assert_eq!(document["tasks"][0]["wcet"], json!({"software": "600", "design": "200"}));
    assert_eq!(document["tasks"][2]["choice"], json!(null));
    assert_eq!(
        document["blocks"],
        json!([{"block": "sbox", "cost": {"LUT": "40"}, "area": "40", "used_by": ["tls", "disk"]}])
    );
    assert_eq!(document["next"]["more_area"], "30");
    assert_eq!(document["next"]["blocks"], json!(["+mac"]));
}

#[test]
fn a_front_shows_what_it_tells() {
    let scene = shared();
    scene.isx("explore shared.yaml").code(0);
    let wanted = "\
 tls   aes
 disk  aes
 fir   software
";
    let record = scene.isx("show output/shared/front.json --area 50").code(0).stdout;
    assert!(record.contains(wanted) && record.contains("\nblock       sbox\n"), "{record}");
    let from_front = scene.isx("show output/shared/front.json --point 3 --json").code(0).json();
    let from_set = scene.isx("show shared.yaml --point 3 --json").code(0).json();
    for field in ["area", "utilization", "software_utilization", "slack", "schedulable", "next", "points"] {
        assert_eq!(from_front[field], from_set[field], "{field}");
    }
    assert_eq!((&from_front["margin"], from_front["margin_unknown"].is_string()), (&json!(null), true));
    scene.isx("show output/shared/front.json --point 3 --scale-wcet 2").refused(2, &["this is a front"]);
}

#[test]
fn a_design_that_is_not_there_is_exit_code_1() {
    let scene = shared();
    scene.isx("explore shared.yaml").code(0);
    for input in ["shared.yaml", "output/shared/front.json"] {
        scene.isx(&format!("show {input} --point 5")).refused(1, &["no point 5", "5, counted from 0"]);
        let least = "error: no design has utilization 0.3 or less; the least that can be reached is 0.4 = 2/5, with area 75 LUT\n";
        assert_eq!(scene.isx(&format!("show {input} --max-utilization 0.3")).code(1).stderr, least);
    }
    scene.isx("show shared.yaml --area 3 --force disk=aes").refused(1, &["the smallest has 40"]);
    scene.isx("show shared.yaml").refused(2, &["--area <AREA>", "--point <K>", "--max-utilization <U>"]);
    scene.isx("show shared.yaml --area 3 --point 1").refused(2, &["cannot be used with"]);
}

/// Software alone misses iir's deadline; of the two choices of area 8 only the one off the front helps it.
const OFF_THE_FRONT: &str = "\
name: off
scheduler: dm
tasks:
  - {name: fir, wcet: 3, period: 8, choices: [{name: fast, area: 8, wcet: 1}]}
  - {name: iir, wcet: 4, period: 20, deadline: 3, choices: [{name: small, area: 8, wcet: 2}]}
  - {name: log, wcet: 3, period: 20}
";

#[test]
fn the_smallest_schedulable_design_is_shown_though_it_is_off_the_front() {
    let scene = Scene::with("off.yaml", OFF_THE_FRONT);
    scene.isx("explore off.yaml").code(0);
    let front = scene.json("output/off/front.json");
    let smallest = &front["min_schedulable_designs"][0];
    assert!(!front["points"].as_array().unwrap().contains(smallest), "{front}");
    let shown = scene.isx("show off.yaml --smallest --json").code(0).json();
    assert_eq!((&shown["point"], &shown["schedulable"]), (&json!(null), &json!(true)));
    assert_eq!((&shown["area"], &shown["utilization"]), (&smallest["area"], &smallest["utilization"]));
    assert!(shown["next"]["point"].is_number(), "{shown}");
    let read = scene.isx("show output/off/front.json --smallest").code(0).stdout;
    assert!(read.starts_with("off: smallest design, off the front, SCHEDULABLE under DM\n"), "{read}");
    assert!(
        read.ends_with("next        not known: the design is off the front; show it from its task set\n")
    );

    let checked = scene.isx("check off.yaml").code(0).stdout;
    assert!(
        checked.starts_with(
            "off: SCHEDULABLE under DM from area 8 on\nEvery task responds within its deadline\n"
        )
    );
    let checked = scene.isx("check off.yaml --json").code(0).json();
    assert_eq!((&checked["budget"], &checked["min_schedulable_area"]), (&json!(null), &json!("8")));
    assert_eq!(checked["choices"], smallest["choices"]);
}

#[test]
fn without_an_area_the_verdict_is_about_all() {
    let scene = shared();
    let checked = scene.isx("check shared.yaml").code(0);
    assert!(
        checked.stdout.starts_with("shared: SCHEDULABLE under EDF from area 40 LUT on\n"),
        "{}",
        checked.stdout
    );
    let shown = scene.isx("show shared.yaml --smallest --json").code(0).json();
    assert_eq!((&shown["point"], &shown["area"]), (&json!(2), &json!("40")));
    scene.isx("explore shared.yaml").code(0);
    let read = scene.isx("show output/shared/front.json --smallest --json").code(0).json();
    assert_eq!((&read["point"], &read["next"]), (&shown["point"], &shown["next"]));

    let none = scene.isx("check shared.yaml --scale-wcet 3").code(1);
    let wanted = "shared: NOT SCHEDULABLE under EDF with any area\nThe least utilization is above 1\n";
    assert!(none.stdout.starts_with(wanted), "{}", none.stdout);
    let none = scene.isx("show shared.yaml --smallest --scale-wcet 3").code(1);
    assert_eq!(none.stderr, "error: no design is schedulable\n");
    let lines = scene.isx("check shared.yaml shared.yaml --json").code(0).stdout;
    assert_eq!(lines.matches("\"budget\": null").count(), 2, "{lines}");
}

#[test]
fn what_is_forced_and_forbidden_is_said_and_kept() {
    let scene = shared();
    let ran = scene.isx("explore shared.yaml --force tls=aes --forbid mac --scale-wcet 1.5").code(0);
    has(&ran.stdout, &["\nWhat if: tls=aes is forced, mac is forbidden, every WCET is 1.5 times as long\n"]);
    assert!(ran.stdout.ends_with(" to output/shared-what-if\n"), "{}", ran.stdout);
    let front = scene.json("output/shared-what-if/front.json");
    let record = ["tls=aes is forced", "mac is forbidden", "every WCET is 1.5 times as long"];
    assert_eq!(front["what_if"], json!(record));
    let points = front["points"].as_array().unwrap();
    let areas: Vec<&str> = points.iter().map(|point| point["area"].as_str().unwrap()).collect();
    assert_eq!(areas, ["45"], "disk's choice needs nothing beside the block that is there");
    assert_eq!(points[0]["utilization"]["num"], "9");
    assert_eq!(front["complete"], true);
    assert!(scene.read("output/shared-what-if/front.svg").contains("what if: tls=aes is forced"));
    assert!(!scene.path("output/shared").exists(), "the front of the set as it is has its own folder");
    let plain = scene.isx("explore shared.yaml --json").code(0).json();
    assert!(plain.get("what_if").is_none());
}

#[test]
fn a_margin_makes_every_wcet_longer() {
    let scene = shared();
    let longer = scene.isx("explore shared.yaml --margin 20% --json").code(0).json();
    assert_eq!(longer["what_if"], json!(["every WCET is 20 % longer"]));
    let scaled = scene.isx("explore shared.yaml --scale-wcet 1.2 --json").code(0).json();
    assert_eq!(longer["points"], scaled["points"]);
    assert_eq!(longer, scene.isx("explore shared.yaml --margin 0.2 --json").code(0).json());
    // The smallest areas with a margin are those of the question asked with it.
    let own = scene.isx("explore shared.yaml --json").code(0).json();
    assert_eq!(own["margins"], longer["margins"]);
    for (at, margin) in ["10%", "20%", "30%"].iter().enumerate() {
        let checked = scene.isx(&format!("check shared.yaml --margin {margin} --json")).json();
        assert_eq!(own["margins"][at]["min_schedulable_area"], checked["min_schedulable_area"]);
        assert_eq!(own["margins"][at]["min_schedulable_unknown"], Value::Null);
    }
    let printed = scene.isx("explore shared.yaml").code(0).stdout;
    assert!(printed.contains("\nSmallest area with 10, 20, 30 % margin: 45, 45, 45 LUT\n"), "{printed}");
    scene.isx("report output/shared/front.json --taskset shared.yaml -o p.html").code(0);
    let other = scene
        .read("output/shared/front.json")
        .replace("\"0.1\",\"min_schedulable_area\":\"45\"", "\"0.1\",\"min_schedulable_area\":\"40\"");
    scene.write("other.json", other);
    scene
        .isx("report other.json --taskset shared.yaml -o p.html")
        .refused(2, &["its smallest schedulable areas with a margin are not those of the set"]);
}

#[test]
fn a_margin_or_factor_that_may_be_a_slip_is_refused_with_what_to_write() {
    let scene = shared();
    let whole = |flags: &str, why: &str| {
        let wanted = format!("error: invalid value {why}\n\nFor more information, try '--help'.\n");
        assert_eq!(scene.isx(&format!("explore shared.yaml {flags}")).code(2).stderr, wanted);
    };
    whole(
        "--margin 20",
        "'20' for '--margin <M>': that would be 2000 %: write 20% for WCETs 20 % longer, or 2000% if that is meant",
    );
    whole(
        "--margin=-5%",
        "'-5%' for '--margin <M>': a margin must be 0 or greater; --scale-wcet 0.9 makes every WCET 10 % shorter",
    );
    whole(
        "--scale-wcet 10%",
        "'10%' for '--scale-wcet <F>': a factor has no percent sign: --margin 10% or --scale-wcet 1.1 makes every WCET 10 % \
         longer, --scale-wcet 0.1 sets it to 10 %",
    );
}

#[test]
fn software_is_the_word_wherever_a_task_takes_no_choice() {
    let scene = shared();
    let forced = scene.isx("explore shared.yaml --force tls=software --json").code(0);
    assert_eq!(forced.json()["what_if"], json!(["tls=software is forced"]));
    assert_eq!(forced.json()["base"]["choices"]["tls"], Value::Null);
    assert_eq!(scene.isx("explore shared.yaml --force tls=none --json").code(0).stdout, forced.stdout);
    for command in [
        "explore shared.yaml",
        "check shared.yaml",
        "show shared.yaml --point 0",
        "check shared.yaml --area 0",
    ] {
        let printed = scene.isx(command).stdout;
        assert!(!printed.contains("(none)"), "{printed}");
    }
}

#[test]
fn check_asks_what_if_too() {
    let scene = shared();
    scene.isx("check shared.yaml --area 40").code(0);
    let ran = scene.isx("check shared.yaml --area 40 --forbid disk=aes").code(1);
    assert!(ran.stdout.contains("\nWhat if: disk=aes is forbidden\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("smallest area      45 LUT"), "{}", ran.stdout);
    let json = scene.isx("check shared.yaml --area 40 --scale-wcet 10/9 --json").code(1).json();
    assert_eq!(json["what_if"], json!(["every WCET is 10/9 times as long"]));
    scene.isx("check shared.yaml --area 30 --force tls=aes").refused(1, &["has all choices that are forced"]);
    scene.isx("check shared.yaml --area 9 --force tls").refused(2, &["--force: `tls`", "TASK=CHOICE"]);
    scene.isx("check shared.yaml --area 9 --forbid sobx").refused(2, &["did you mean `sbox`?"]);
    scene.isx("check shared.yaml --area 9 --scale-wcet 0").refused(2, &["greater than 0"]);
}

#[test]
fn the_margin_is_where_the_verdict_turns() {
    let scene = shared();
    // U = 3/5 at area 45.
    scene.isx("check shared.yaml --area 45 --forbid mac --scale-wcet 5/3").code(0);
    scene.isx("check shared.yaml --area 45 --forbid mac --scale-wcet 1.66666666666666666667").code(1);
}

#[test]
fn two_fronts_are_compared() {
    let scene = shared();
    scene.isx("explore shared.yaml").code(0);
    scene.isx("explore shared.yaml --forbid mac").code(0);
    let (one, other) = ("output/shared/front.json", "output/shared-what-if/front.json");
    let wanted = "\
shared: output/shared/front.json (shared), 5 designs, smallest schedulable area 40 LUT
shared-what-if: output/shared-what-if/front.json (shared), 3 designs, smallest schedulable area 40
                LUT; what if: mac is forbidden

area 0 to 30 LUT      equal
area 30 to 40 LUT     shared has less utilization, by up to 0.200000 (from area 30 on)
area 40 to 75 LUT     equal
area 75 LUT and more  shared has less utilization, by up to 0.200000 (from area 75 on)

shared is nowhere worse than shared-what-if. Least utilization: shared 0.400000, shared-what-if
0.600000.
";
    let record = at(&scene, "100", &format!("compare {one} {other}"));
    assert_eq!(record, wanted);
    let json = scene.isx(&format!("compare {one} {other} --json -o pair.svg")).code(0).json();
    assert_eq!(json["schema"], "isx.comparison/1");
    assert_eq!(json["spans"][1]["better"], "first");
    assert_eq!(json["spans"][3]["to"], json!(null));
    assert_eq!(json["spans"][1]["least"], json!([0]));
    assert_eq!((&json["first"], &json["second"]), (&json["fronts"][0], &json["fronts"][1]));
    assert_eq!(json["second"]["label"], "shared-what-if");
    roxmltree::Document::parse(&scene.read("pair.svg")).unwrap();
    let picture = scene.isx(&format!("compare {one} {other} -o -")).code(0).stdout;
    assert_eq!(picture, scene.read("pair.svg"));
}

#[test]
fn three_fronts_are_compared_at_once() {
    let scene = shared();
    for (folder, change) in [("own", ""), ("no-mac", "--forbid mac"), ("slow", "--scale-wcet 1.1")] {
        scene.isx(&format!("explore shared.yaml --out {folder} {change}")).code(0);
    }
    let wanted = "\
own: own/front.json (shared), 5 designs, smallest schedulable area 40 LUT
no-mac: no-mac/front.json (shared), 3 designs, smallest schedulable area 40 LUT; what if: mac is
        forbidden
slow: slow/front.json (shared), 5 designs, smallest schedulable area 45 LUT; what if: every WCET is
      1.1 times as long

area 0 to 30 LUT      own and no-mac have the least utilization, by up to 0.125000 (from area 0 on)
area 30 to 40 LUT     own has the least utilization, by up to 0.105000 (from area 30 on)
area 40 to 75 LUT     own and no-mac have the least utilization, by up to 0.100000 (from area 40 on)
area 75 LUT and more  own has the least utilization, by up to 0.040000 (from area 75 on)

own is nowhere worse than another. Least utilization: own 0.400000, no-mac 0.600000, slow 0.440000.
";
    let line = "compare own/front.json no-mac/front.json slow/front.json";
    assert_eq!(at(&scene, "100", line), wanted);
    let json = scene.isx(&format!("{line} --json -o three.svg")).code(0).json();
    let labels: Vec<&str> =
        json["fronts"].as_array().unwrap().iter().map(|front| front["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["own", "no-mac", "slow"]);
    assert_eq!((&json["spans"][0]["least"], &json["spans"][0]["better"]), (&json!([0, 1]), &json!(null)));
    let picture = scene.read("three.svg");
    for label in [">unchanged<", ">mac is forbidden<", ">every WCET is 1.1 times as long<"] {
        assert!(picture.contains(label), "{label}: {picture}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let scene = shared();
    scene.write("small.yaml", super::scene::SMALL);
    scene.isx("explore shared.yaml").code(0);
    scene.isx("explore small.yaml").code(0);
    let (one, other) = ("output/shared/front.json", "output/small/front.json");
    scene.isx(&format!("compare {one} {other}")).refused(2, &["`LUT`", "`kGE`"]);
    scene
        .isx(&format!("compare {one} shared.yaml"))
        .refused(2, &["shared.yaml", "this is a task set; its front is computed by"]);
    scene.isx(&format!("compare {one} nothing.json")).refused(2, &["nothing.json"]);
    scene.isx(&format!("compare {one} {one} -o x.png")).refused(2, &["must end in .svg"]);
    scene.isx("compare - -").refused(2, &["standard input"]);
    scene.isx(&format!("compare {one}")).refused(2, &["error: two to 6 fronts are compared, not 1\n"]);
    let seven = [one; 7].join(" ");
    scene.isx(&format!("compare {seven}")).refused(2, &["error: two to 6 fronts are compared, not 7\n"]);
}

#[test]
fn the_clock_of_a_design_is_shown_with_the_block_that_limits_it() {
    let scene = shared();
    scene.write("slow.yaml", SHARED.replace("{name: mac, area: 30}", "{name: mac, area: 30, fmax: 800 kHz}"));
    let record = at(&scene, "100", "show slow.yaml --point 3");
    assert!(record.contains("\nclock       800 kHz, the fmax of mac\n"), "{record}");
    assert!(
        record.contains(" fir   mac            0   500 -> 100  0.250000 -> 0.062500  12.5 % ██▌\n"),
        "{record}"
    );
    let record = at(&scene, "100", "show slow.yaml --point 0");
    assert!(record.contains("\nclock       1 MHz\n"), "{record}");
    let json = scene.isx("show slow.yaml --point 3 --json").code(0).json();
    assert_eq!((&json["clock_hz"], &json["clock_limited_by"]), (&json!("800000"), &json!(["mac"])));
    scene.isx("explore slow.yaml").code(0);
    let json = scene.isx("show output/slow/front.json --point 3 --json").code(0).json();
    assert_eq!(json["clock_hz"], "800000");
}

#[test]
fn forced_choices_keep_their_clock() {
    let scene = shared();
    scene.write("slow.yaml", SHARED.replace("{name: mac, area: 30}", "{name: mac, area: 30, fmax: 800 kHz}"));
    let front = scene.isx("explore slow.yaml --force fir=mac --json").code(0).json();
    let points = front["points"].as_array().unwrap();
    assert!(points.iter().all(|point| point["clock_hz"] == "800000"), "{front}");
    // (600 + 0) / 1000 + (800 + 100) / 2000 at 8/10 of the clock.
    assert_eq!((&points[0]["area"], &points[0]["utilization"]["num"]), (&json!("30"), &json!("21")));
    assert_eq!(points[0]["utilization"]["den"], "16");
    let ran = scene.isx("check slow.yaml --area 75 --force fir=mac").code(0);
    assert!(ran.stdout.contains("smallest area      70 LUT"), "{}", ran.stdout);
    scene.isx("check slow.yaml --area 20 --force fir=mac").refused(1, &["all choices that are forced"]);
}

#[test]
fn forced_choices_are_searched_under_fixed_priorities_too() {
    let scene = shared();
    let slow = SHARED.replace("{name: mac, area: 30}", "{name: mac, area: 30, fmax: 800 kHz}");
    scene.write("rm.yaml", slow.replace("clock: 1 MHz", "clock: 1 MHz\nscheduler: rm"));
    let ran = scene.isx("check rm.yaml --area 75 --force fir=mac").code(0);
    assert!(ran.stdout.contains("smallest area      70 LUT"), "{}", ran.stdout);
    let ran = scene.isx("check rm.yaml --area 30 --force fir=mac").code(1);
    assert!(ran.stdout.contains("smallest area      70 LUT"), "{}", ran.stdout);
    scene.isx("explore rm.yaml --force fir=mac --force tls=none").code(0);
}

#[test]
fn under_fixed_priorities_the_response_times_are_shown() {
    let scene = shared();
    scene.write("rm.yaml", SHARED.replace("clock: 1 MHz", "clock: 1 MHz\nscheduler: rm"));
    let record = at(&scene, "100", "show rm.yaml --point 3");
    assert!(record.starts_with("shared: design 3 (numbered 0 to 4), SCHEDULABLE under RM\n"), "{record}");
    let table = "
response times in ms:
  response  deadline     %  task
       0.2         1  20.0  tls
       1.0         2  50.0  disk
       1.0         2  50.0  fir
";
    assert!(record.ends_with(table), "{record}");
    assert!(record.contains("grow to about 1.666666667, exactly 5/3 times (+66.67 %); beyond, "), "{record}");
}

#[test]
fn standard_input_may_be_a_task_set_or_a_front() {
    let scene = shared();
    scene.isx("explore shared.yaml --out o").code(0);
    let from = |file: &str| {
        let input = std::fs::File::open(scene.path(file)).unwrap();
        let mut command = scene.command(&["show", "-", "--point", "3", "--json"]);
        super::scene::Ran::of(command.stdin(input)).code(0).json()
    };
    let (set, front) = (from("shared.yaml"), from("o/front.json"));
    assert_eq!((&set["area"], &front["area"]), (&json!("45"), &json!("45")));
    assert_eq!((set["margin"].is_object(), front["margin"].is_object()), (true, false));
}
