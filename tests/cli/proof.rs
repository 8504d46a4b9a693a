//! Certificates as a user has them: written on the way, checked again, refused where anything is wrong.

use crate::scene::{Ran, Scene, examples};

#[test]
fn every_example_is_proved_and_verified_and_says_what_front_json_says() {
    let scene = Scene::new();
    for path in examples() {
        let path = path.display().to_string();
        let front = scene.isx(&format!("explore {path} -q --json --certificate set.cert")).code(0).json();
        assert_eq!(front["status"], "proved", "{path}");
        let proof = scene.isx(&format!("verify {path} set.cert --json")).code(0).json();
        assert_eq!(
            (&proof["status"], &proof["claim"], &proof["complete"]),
            (&"proved".into(), &"front".into(), &front["complete"])
        );
        let (points, proved) = (front["points"].as_array().unwrap(), proof["points"].as_array().unwrap());
        assert_eq!(points.len(), proved.len(), "{path}");
        for (point, proved) in points.iter().zip(proved) {
            assert_eq!(
                (&point["area"], &point["utilization"]),
                (&proved["area"], &proved["utilization"]),
                "{path}"
            );
        }
        for (point, proved) in points.iter().zip(proof["schedulable"].as_array().unwrap()) {
            assert!(proved.is_null() || *proved == point["schedulable"], "{path}: {point} {proved}");
        }
    }
}

#[test]
fn a_certificate_of_another_input_or_a_damaged_one_proves_nothing() {
    let scene = Scene::small();
    scene.isx("explore small.yaml -q --json --certificate c").code(0);
    assert_eq!(scene.isx("verify small.yaml c -q").code(0).stdout, "small.yaml: PROVED\n");
    assert!(scene.isx("verify small.yaml c").stdout.starts_with("small.yaml: PROVED\nthe front has these "));
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
    scene.isx("verify small.yaml c --force control=mac").code(0);
    scene.isx("verify small.yaml c").refused(7, &["about another input"]);
}

#[test]
fn a_front_without_one_of_its_points_is_told_apart_by_its_proof_alone() {
    let scene = Scene::small();
    let spoilt = |line: &str| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        Ran::of(scene.command(&arguments).env("ISX_FAULTS", "point:2"))
    };
    let missing = spoilt("explore small.yaml -q --json").code(0).json();
    assert_eq!(missing["status"], "checked", "its points add up");
    let whole = scene.isx("explore small.yaml -q --json").json();
    assert_eq!(missing["points"].as_array().unwrap().len() + 1, whole["points"].as_array().unwrap().len());
    let before = scene.files();
    spoilt("explore small.yaml --prove --out o")
        .refused(7, &["not proved", "no point of the claim has so little"]);
    spoilt("explore small.yaml --json --certificate c").refused(7, &["not proved"]);
    assert_eq!(scene.files(), before);
}

#[test]
fn verdicts_and_best_selections_are_proved() {
    let scene = Scene::small();
    for (area, code, words) in [("0.5", 1, "no design within area"), ("1.25", 0, "a design of area 1.25")] {
        scene.isx(&format!("check small.yaml --area {area} -q --certificate c")).code(code);
        let proved = scene.isx("verify small.yaml c").code(0).stdout;
        assert!(proved.contains(words), "{proved}");
    }
    scene.write("m", "2 9\n2\n5 3\n9 8\n2\n1 1\n7 6\n");
    scene.isx("solve mckp m --certificate c").code(0);
    assert!(scene.isx("verify m c").code(0).stdout.contains("weight 9, value 12"));
    scene.isx("solve mckp m --all-capacities --json --certificate c").code(0);
    assert!(scene.isx("verify m c").code(0).stdout.contains("the front up to weight 9 has these"));
    scene.isx("solve mckp m --capacity 3 --certificate c").code(1);
    assert!(scene.isx("verify m c").code(0).stdout.contains("no selection fits weight 3"));
    scene.write("k", "3 10\n60 5\n50 4\n70 6\n");
    scene.isx("solve knapsack k --certificate c").code(0);
    assert!(scene.isx("verify k c").code(0).stdout.contains("weight 10, profit 120"));
    scene.isx("solve knapsack k k --certificate c").refused(2, &["--certificate is for one input"]);
    scene.isx("check small.yaml small.yaml --area 1 --certificate c").refused(2, &["for one input"]);
}

#[test]
fn formulas_and_refutations_are_written_and_floats_prove_nothing() {
    let scene = Scene::small();
    scene.isx("explore small.yaml -q --json --opb f.opb --veripb f.pbp").code(0);
    assert!(scene.read("f.opb").starts_with("* #variable= "));
    assert!(scene.read("f.pbp").ends_with("end pseudo-Boolean proof;\n"));
    scene.isx("explore small.yaml --json --veripb f.pbp").refused(2, &["--opb"]);
    let before = scene.files();
    scene.isx("explore small.yaml --arithmetic recip-f32 --prove").refused(2, &["not exact"]);
    scene.isx("generate taskset --tasks 12 --choices 2 --blocks 12 --uses 1..2 -o many.yaml").code(0);
    scene.isx("explore many.yaml --json --opb n.opb --veripb n.pbp").refused(4, &["blocks are in use"]);
    assert!(!scene.path("n.pbp").exists() && before.contains_key(std::path::Path::new("f.pbp")));
}
