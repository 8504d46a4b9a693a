//! Certificates as users see them: written during a run, checked later, refused if anything is wrong.

use crate::scene::{Ran, Scene, examples};
use serde_json::Value;

/// A front is proved, and its certificate says what front.json says; returns both documents.
fn proved(scene: &Scene, line: &str, amount: &str) -> [Value; 2] {
    let front = scene.isx(&format!("explore {line} -q --json --certificate set.cert")).code(0).json();
    let proof =
        scene.isx(&format!("verify {line} --json").replacen(".yaml", ".yaml set.cert", 1)).code(0).json();
    assert_eq!((&front["status"], &proof["status"]), (&"proved".into(), &"proved".into()), "{line}");
    assert_eq!(front["complete"], proof["complete"], "{line}");
    let (points, proved) = (front["points"].as_array().unwrap(), proof["points"].as_array().unwrap());
    assert_eq!(points.len(), proved.len(), "{line}");
    for (at, (point, proved)) in points.iter().zip(proved).enumerate() {
        assert_eq!(point[amount], proved[amount], "{line}");
        assert_eq!(point["utilization"], proved["utilization"], "{line}");
        let said = &proof["schedulable"][at];
        assert!(said.is_null() || *said == point["schedulable"], "{line}: {point} {said}");
    }
    [front, proof]
}

#[test]
fn every_example_is_proved_and_verified_and_says_what_front_json_says() {
    let scene = Scene::new();
    for path in examples() {
        let [_, proof] = proved(&scene, &path.display().to_string(), "area");
        assert_eq!(proof["claim"], "front");
    }
}

#[test]
fn a_certificate_of_another_input_or_a_damaged_one_proves_nothing() {
    let scene = Scene::small();
    scene.isx("explore small.yaml -q --json --certificate c").code(0);
    let printed = scene.isx("verify small.yaml c").code(0).stdout;
    assert!(
        printed
            .starts_with("small.yaml: PROVED\nquestion: task set, all areas\nthe front has these 3 points"),
        "{printed}"
    );
    assert_eq!(
        scene.isx("verify small.yaml c -q").code(0).stdout,
        "small.yaml: PROVED: task set, all areas: the front has these 3 points and no other; first: area 0, \
         utilization 6/5; last: area 4.25, utilization 4/5; 2 points are schedulable, 1 are overloaded\n"
    );
    scene.write("other.yaml", scene.read("small.yaml").replace("1.25", "1.5"));
    scene.isx("verify other.yaml c").refused(7, &["not proved", "about another input"]);
    scene.isx("verify small.yaml c --scale-wcet 2").refused(7, &["about another input"]);
    let bytes = std::fs::read(scene.path("c")).unwrap();
    scene.write("short", &bytes[..bytes.len() - 1]);
    scene.isx("verify small.yaml short").refused(7, &["`short`: byte ", "ends in the middle of"]);
    scene.write("long", [&bytes[..], b"\0"].concat());
    scene.isx("verify small.yaml long").refused(7, &["something follows"]);
    scene.isx("verify small.yaml small.yaml").refused(7, &["no certificate of isx"]);
    scene.isx("verify small.yaml nothing").refused(2, &["cannot read `nothing`"]);
    scene.isx("verify small.yaml .").refused(2, &["cannot read `.`"]);
    scene.isx("verify nothing c").refused(2, &["nothing"]);
}

#[test]
fn where_a_certificate_cannot_be_written_nothing_is_computed() {
    let scene = Scene::small();
    std::fs::create_dir(scene.path("folder")).unwrap();
    for line in [
        "explore small.yaml --certificate folder",
        "explore small.yaml --opb small.yaml/f",
        "check small.yaml --area 1 --certificate folder",
        "solve mckp nothing --certificate folder",
        "solve knapsack nothing --certificate small.yaml/f",
    ] {
        scene.isx(line).refused(6, &["cannot write"]);
    }
    assert_eq!(scene.files().len(), 1, "no front either");
}

#[test]
fn what_is_changed_to_see_what_would_happen_is_proved_with_the_same_changes() {
    let scene = Scene::small();
    scene.isx("explore small.yaml -q --json --force control=mac --max-area 4 --certificate c").code(0);
    let same = "verify small.yaml c --force control=mac --max-area 4";
    assert_eq!(
        scene.isx(same).code(0).stdout.lines().nth(1),
        Some("question: task set, areas up to 4, --force control=mac")
    );
    let question = scene.isx(&format!("{same} --json")).code(0).json()["question"].clone();
    let nothing: [&str; 0] = [];
    assert_eq!(
        question,
        serde_json::json!({"problem": "taskset", "max_area": "4", "force": ["control=mac"], "forbid": nothing, "scale_wcet": null, "margin": null})
    );
    scene.isx("explore small.yaml -q --margin 20% --certificate m").code(0);
    let json = scene.isx("verify small.yaml m --margin 0.2 --json").code(0).json();
    assert_eq!(json["question"]["margin"], "1/5");
    let printed = scene.isx("verify small.yaml m --margin 20%").code(0).stdout;
    assert_eq!(printed.lines().nth(1), Some("question: task set, all areas, --margin 1/5"));
    scene.isx("verify small.yaml m").refused(7, &["or about this one with other flags"]);
    scene
        .isx("verify small.yaml c --max-area 4")
        .refused(7, &["about another input, or about this one with other flags"]);
    scene.isx("verify small.yaml c --force control=mac").refused(
        7,
        &["error: not proved: `c`: the certificate answers another question about this input: it is about areas up to \
           4, not about all areas; --max-area 4 asks the certificate's question\n"],
    );
}

#[test]
fn an_input_of_another_kind_than_the_certificate_is_refused_with_the_kind() {
    let scene = Scene::small();
    scene.write("k", "3 10\n60 5\n50 4\n70 6\n");
    scene.isx("explore small.yaml -q --certificate c").code(0);
    scene.isx("verify k c").refused(2, &["note: the certificate is about a task set\n", "is not a mapping"]);
    scene.isx("solve knapsack k -q --certificate d").code(0);
    scene.isx("verify small.yaml d").refused(2, &["note: the certificate is about a knapsack problem\n"]);
}

#[test]
fn a_certificate_about_less_area_than_the_processor_takes_is_about_another_input() {
    let set = |area: u32| {
        format!("name: x\nvariants: [{{name: v, area: {area}}}]\ntasks: [{{name: a, wcet: 1, period: 2}}]\n")
    };
    let scene = Scene::with("small.yaml", set(2));
    scene.write("large.yaml", set(6));
    scene.isx("check small.yaml --area 5 -q --certificate c").code(0);
    scene.isx("verify large.yaml c").refused(7, &["not proved: `c`: the certificate is about another input"]);
}

#[test]
fn a_certificate_answers_the_question_that_is_asked_and_no_other() {
    let scene = Scene::with("k", "3 10\n60 5\n50 4\n70 6\n");
    scene.write("m", "2 9\n2\n5 3\n9 8\n2\n1 1\n7 6\n");
    let other =
        "error: not proved: `c`: the certificate answers another question about this input: it is about ";
    scene.isx("solve knapsack k --capacity 4 --certificate c").code(0);
    let ran = scene.isx("verify k c").refused(7, &[]);
    let printed = "capacity 4, not about capacity 10; --capacity 4 asks the certificate's question\n";
    assert_eq!(ran.stderr, format!("{other}{printed}"));
    assert_eq!(
        scene.isx("verify k c --capacity 4 -q").code(0).stdout,
        "k: PROVED: knapsack, capacity 4: weight 4, profit 50; nothing within weight 4 has a better profit\n"
    );
    let proved = scene.isx("verify k c --capacity 4 --json").code(0).json();
    assert_eq!(proved["question"], serde_json::json!({"problem": "knapsack", "capacity": "4"}));
    scene.isx("verify k c --capacity 10").refused(7, &[other]);
    scene.isx("verify k c --capacity x").refused(2, &["--capacity: `x` is not a capacity"]);
    scene
        .isx("verify k c --capacity 4 --optional")
        .refused(7, &["the certificate is about a knapsack problem; leave out --optional"]);
    scene.isx("verify k c --max-area 4").refused(7, &["leave out --max-area and the what-if flags"]);

    scene.isx("solve mckp m --optional --certificate c").code(0);
    let ran = scene.isx("verify m c").refused(7, &[]);
    let printed = "capacity 9 with optional choice, not about capacity 9 with exactly one item per class; \
                --capacity 9 --optional asks the certificate's question\n";
    assert_eq!(ran.stderr, format!("{other}{printed}"));
    let printed = scene.isx("verify m c --optional").code(0).stdout;
    assert_eq!(printed.lines().nth(1), Some("question: mckp, capacity 9, at most one item per class"));
    scene
        .isx("verify m c --optional --scale-wcet 2")
        .refused(7, &["leave out --max-area and the what-if flags"]);

    let scene = Scene::small();
    scene.isx("check small.yaml --area 0.5 -q --certificate c").code(1);
    scene.isx("verify small.yaml c").refused(7, &[other, "areas up to 0, not about all areas"]);
    assert_eq!(
        scene.isx("verify small.yaml c --area 0.5 -q").code(0).stdout,
        "small.yaml: PROVED: task set, areas up to 0.5: no design within area 0.5 is schedulable\n"
    );
    scene.isx("verify small.yaml c --area 1.25").refused(7, &[other]);
    scene
        .isx("verify small.yaml c --capacity 1")
        .refused(7, &["the certificate is about a task set; leave out --capacity"]);
}

#[test]
fn profits_below_zero_are_not_taken_for_those_above() {
    let scene = Scene::with("gain", "1 3\n5 3\n");
    scene.write("loss", "1 3\n-5 3\n");
    scene.isx("solve knapsack gain --certificate c").code(0);
    scene.isx("verify loss c").refused(7, &["about another input"]);
    scene.isx("solve knapsack loss --certificate c").code(0);
    assert!(scene.isx("verify loss c").code(0).stdout.contains("\nweight 0, profit 0\n"));
    scene.isx("verify gain c").refused(7, &["about another input"]);
}

#[test]
fn decimals_are_shown_as_in_the_file() {
    let scene = Scene::with("k", "2 2.5\n-1.25 0.5\n3 2.500\n");
    scene.isx("solve knapsack k --certificate c").code(0);
    assert_eq!(
        scene.isx("verify k c -q").code(0).stdout,
        "k: PROVED: knapsack, capacity 2.5: weight 2.5, profit 3; nothing within weight 2.5 has a better profit\n"
    );
}

#[test]
fn a_front_without_one_of_its_points_is_told_apart_by_its_proof_alone() {
    let scene = Scene::small();
    scene.write("camera.yaml", CAMERA);
    let spoilt = |line: &str| Ran::of(scene.line(line).env("ISX_FAULTS", "point:2"));
    for (set, why) in [
        ("small.yaml", "no point of the claim covers that"),
        ("camera.yaml", "and no point of the claim covers that"),
    ] {
        let missing = spoilt(&format!("explore {set} -q --json")).code(0).json();
        assert!(missing["status"] == "checked" || set == "camera.yaml", "its points add up");
        let whole = scene.isx(&format!("explore {set} -q --json")).json();
        let [fewer, all] = [missing, whole].map(|front| front["points"].as_array().unwrap().len());
        assert_eq!(fewer + 1, all, "{set}");
        let before = scene.files();
        spoilt(&format!("explore {set} --prove --out o")).refused(7, &["not proved", why]);
        spoilt(&format!("explore {set} --json --certificate c")).refused(7, &["not proved"]);
        assert_eq!(scene.files(), before);
    }
}

/// A check that counted all options of the set at every moment of every case needed 2 * 10^9 steps.
#[test]
fn a_proof_by_cases_of_forty_tasks_with_blocks_is_checked_within_the_default_steps() {
    let scene = Scene::new();
    let recipe = "--tasks 40 --scheduler dm --deadlines constrained:0.6..1 --blocks 4 --seed 70";
    scene.isx(&format!("generate taskset {recipe} -o set.yaml")).code(0);
    scene.isx("check set.yaml --certificate proof").code(0);
    scene.isx("verify set.yaml proof").code(0);
}

#[test]
fn verdicts_and_best_selections_are_proved() {
    let scene = Scene::small();
    for (area, code, words) in [("0.5", 1, "no design within area"), ("1.25", 0, "a design of area 1.25")] {
        scene.isx(&format!("check small.yaml --area {area} -q --certificate c")).code(code);
        let proved = scene.isx(&format!("verify small.yaml c --area {area}")).code(0).stdout;
        assert!(proved.contains(words), "{proved}");
    }
    scene.write("m", "2 9\n2\n5 3\n9 8\n2\n1 1\n7 6\n");
    scene.isx("solve mckp m --certificate c").code(0);
    assert!(scene.isx("verify m c").code(0).stdout.contains("weight 9, value 12"));
    scene.isx("solve mckp m --all-capacities --json --certificate c").code(0);
    assert!(scene.isx("verify m c").code(0).stdout.contains("the front up to weight 9 has these"));
    scene.isx("solve mckp m --capacity 3 --certificate c").code(1);
    assert!(scene.isx("verify m c --capacity 3").code(0).stdout.contains("no selection fits weight 3"));
    scene.write("k", "3 10\n60 5\n50 4\n70 6\n");
    scene.isx("solve knapsack k --certificate c").code(0);
    assert!(scene.isx("verify k c").code(0).stdout.contains("weight 10, profit 120"));
    scene.isx("solve knapsack k k --certificate c").refused(2, &["--certificate is for one input"]);
    scene.isx("check small.yaml small.yaml --area 1 --certificate c").refused(2, &["for one input"]);
}

#[test]
fn formulas_and_refutations_are_written() {
    let scene = Scene::small();
    scene.isx("explore small.yaml -q --json --opb f.opb --veripb f.pbp").code(0);
    assert!(scene.read("f.opb").starts_with("* #variable= "));
    assert!(scene.read("f.pbp").ends_with("end pseudo-Boolean proof;\n"));
    scene.isx("explore small.yaml --json --veripb f.pbp").refused(2, &["--opb"]);
    let before = scene.files();
    scene.isx("generate taskset --tasks 12 --choices 2 --blocks 12 --uses 1..2 -o many.yaml").code(0);
    scene.isx("explore many.yaml --json --opb n.opb --veripb n.pbp").refused(4, &["blocks are in use"]);
    assert!(!scene.path("n.pbp").exists() && before.contains_key(std::path::Path::new("f.pbp")));
}

/// Two resources to compare and one that is limited; a block that frees one of them.
const CAMERA: &str = "\
name: camera
resources: [LUT, DSP, BRAM]
objectives: [LUT, DSP]
device: {name: small, LUT: 4800, DSP: 8, BRAM: 30}
base: {LUT: 4635, BRAM: 14}
blocks:
  - {name: mul, cost: {LUT: -30, DSP: 4}}
  - {name: rom, cost: {BRAM: 2.5}}
tasks:
  - {name: fir, wcet: 8, period: 10, choices: [{name: mac, cost: {LUT: 41}, uses: [mul], wcet: 3}, {name: wide, cost: {LUT: 200}, wcet: 5}]}
  - {name: crc, wcet: 9, period: 20, choices: [{name: table, uses: [rom], wcet: 4}, {name: unit, cost: {LUT: 120}, wcet: 2}]}
  - {name: fft, wcet: 11, period: 40, choices: [{name: mac, cost: {LUT: 90, DSP: 2}, uses: [mul], wcet: 6}]}
";

#[test]
fn a_front_of_several_resources_is_proved_and_verified_and_says_what_front_json_says() {
    let scene = Scene::with("camera.yaml", CAMERA);
    for flags in
        ["", "--within LUT=4760", "--objectives DSP", "--objectives BRAM,LUT --within DSP=4,LUT=4760"]
    {
        let [front, proof] = proved(&scene, &format!("camera.yaml {flags}"), "cost");
        assert_eq!(front["min_schedulable"], proof["min_schedulable"], "{flags}");
        assert_eq!(front["objectives"], proof["question"]["objectives"], "{flags}");
        assert_eq!(front["resources"], proof["question"]["resources"], "{flags}");
        let all = proof["schedulable"].as_array().unwrap();
        assert!(all.iter().all(|said| !said.is_null()), "{flags}");
    }
    scene.isx("explore camera.yaml -q --certificate c").code(0);
    assert_eq!(
        scene.isx("verify camera.yaml c -q").code(0).stdout,
        "camera.yaml: PROVED: task set, front of LUT and DSP within LUT 4800, DSP 8, BRAM 30 (device small): the front \
         within LUT 4800, DSP 8, BRAM 30 has these 5 points and no other; first: LUT 4635, DSP 0, BRAM 16.5, utilization \
         51/40; last: LUT 4766, DSP 4, BRAM 14, utilization 27/40; 3 points are schedulable, 2 are overloaded; minimal \
         schedulable costs: LUT 4646, DSP 4, BRAM 16.5\n"
    );
}

#[test]
fn a_certificate_about_several_resources_answers_its_own_question_only() {
    let scene = Scene::with("camera.yaml", CAMERA);
    scene.isx("explore camera.yaml -q --objectives DSP,LUT --within LUT=4700 --certificate c").code(0);
    let same = "verify camera.yaml c --objectives DSP,LUT --within LUT=4700";
    assert_eq!(
        scene.isx(same).code(0).stdout.lines().nth(1),
        Some("question: task set, front of DSP and LUT within LUT 4700, DSP 8, BRAM 30 (device small)")
    );
    let question = scene.isx(&format!("{same} --json")).code(0).json()["question"].clone();
    let nothing: [&str; 0] = [];
    assert_eq!(
        question,
        serde_json::json!({
            "problem": "taskset", "resources": ["LUT", "DSP", "BRAM"], "objectives": ["DSP", "LUT"],
            "limits": {"LUT": "4700", "DSP": "8", "BRAM": "30"}, "device": "small",
            "force": nothing, "forbid": nothing, "scale_wcet": null, "margin": null
        })
    );
    let other = "error: not proved: `c`: the certificate answers another question about this input: it is about the \
                 front of DSP, LUT within LUT 4700, DSP 6, BRAM 16.5, not about the front of ";
    let flags = "; --objectives DSP,LUT --within LUT=4700,DSP=6,BRAM=16.5 asks the certificate's question\n";
    let ran = scene.isx("verify camera.yaml c").refused(7, &[]);
    assert_eq!(ran.stderr, format!("{other}LUT, DSP within LUT 4800, DSP 8, BRAM 30{flags}"));
    let ran = scene.isx("verify camera.yaml c --objectives DSP,LUT").refused(7, &[]);
    assert_eq!(ran.stderr, format!("{other}DSP, LUT within LUT 4800, DSP 8, BRAM 30{flags}"));
    let ran = scene.isx("verify camera.yaml c --within LUT=4600 --objectives DSP,LUT").refused(7, &[other]);
    assert!(ran.stderr.ends_with("BRAM 30; give the limits with which it was written\n"), "{}", ran.stderr);
    scene.isx("verify camera.yaml c --objectives DSP,LUT --within LUT=4700,DSP=6,BRAM=16.5").code(0);
    for (from, to) in
        [("LUT: -30", "LUT: -31"), ("uses: [rom], ", "cost: {LUT: 1}, "), ("BRAM: 14", "BRAM: 15")]
    {
        assert!(CAMERA.contains(from));
        scene.write("other.yaml", CAMERA.replace(from, to));
        scene
            .isx("verify other.yaml c --objectives DSP,LUT --within LUT=4700")
            .refused(7, &["the certificate is about another input"]);
    }
    scene
        .isx("verify camera.yaml c --max-area 5")
        .refused(2, &["`camera` counts LUT, DSP, BRAM, not one area"]);
    scene.isx("verify camera.yaml c --capacity 5").refused(7, &["leave out --capacity"]);
    // A price makes one area.
    scene.isx("explore camera.yaml -q --price LUT=1,DSP=80 --certificate c").code(0);
    scene
        .isx("verify camera.yaml c")
        .refused(7, &["about another input, or about this one with other flags"]);
    let printed = scene.isx("verify camera.yaml c --price LUT=1,DSP=80").code(0).stdout;
    assert_eq!(printed.lines().nth(1), Some("question: task set, all areas, --price LUT=1,DSP=80"));
    let json = scene.isx("verify camera.yaml c --price LUT=1,DSP=80 --json").code(0).json();
    assert_eq!(json["question"]["price"], "LUT=1,DSP=80");
    scene
        .isx("explore camera.yaml --json --opb f")
        .refused(2, &["--certificate writes a proof for `isx verify`"]);
}

#[test]
fn verdicts_about_several_resources_are_proved() {
    let scene = Scene::with("camera.yaml", CAMERA);
    for (flags, code, claim) in [
        ("", 0, "a design of LUT 4646, DSP 4, BRAM 16.5, utilization 31/40 is schedulable"),
        ("--within LUT=4640", 1, "no design within LUT 4640, DSP 8, BRAM 30 is schedulable"),
        ("--within DSP=1 --scale-wcet 1.1", 1, "no design within LUT 4800, DSP 1, BRAM 30 is schedulable"),
        ("--within LUT=4600", 1, "no design is within LUT 4600, DSP 8, BRAM 30"),
    ] {
        scene.isx(&format!("check camera.yaml -q --certificate c {flags}")).code(code);
        let printed = scene.isx(&format!("verify camera.yaml c {flags}")).code(0).stdout;
        assert_eq!(printed.lines().nth(2), Some(claim));
        let json = scene.isx(&format!("verify camera.yaml c {flags} --json")).code(0).json();
        assert_eq!(json["status"], "proved");
    }
    let json = scene.isx("verify camera.yaml c --within LUT=4600 --json").json();
    assert_eq!(json["claim"], "nothing fits");
    // The same is proved where a front has no point.
    scene.isx("explore camera.yaml -q --within BRAM=13 --certificate n").code(1);
    scene.isx("verify camera.yaml n --within BRAM=13").code(0);
    scene.isx("verify camera.yaml n").refused(7, &["another input"]);
}
