//! `--dry-run`: what every engine is expected to need, without an answer.

use super::scene::{SMALL, Scene};
use serde_json::Value;

const MCKP: &str = "3 40\n3\n5 4\n9 11\n14 20\n2\n3 2\n8 9\n3\n1 1\n6 7\n7 13\n";
const KNAPSACK: &str = "4 20\n9 7\n12 9\n5 6\n11 12\n";

/// A scene with a problem of every family, and the arguments that plan each on one thread.
fn scene() -> (Scene, [(&'static str, &'static str); 3]) {
    let scene = Scene::new();
    scene.write("small.yaml", SMALL);
    for (file, text) in [("m", MCKP), ("k", KNAPSACK)] {
        scene.write(file, text);
    }
    let families = [
        ("mckp", "solve mckp m --all-capacities --picks"),
        ("knapsack", "solve knapsack k"),
        ("mckp", "explore small.yaml"),
    ];
    (scene, families)
}

#[test]
fn every_family_is_planned_and_the_work_explains_the_time() {
    let (scene, families) = scene();
    let before = scene.files();
    let (mut planned, mut summed) = (0, 0);
    for (family, line) in families {
        let plan = scene.isx(&format!("{line} --dry-run --json --threads 1")).code(0).json();
        assert_eq!((&plan["schema"], &plan["problem"]), (&"isx.plan/1".into(), &family.into()), "{line}");
        let engines = plan["engines"].as_array().unwrap();
        let runs = engines.iter().filter(|engine| engine["role"] == "runs").count();
        assert_eq!(runs, 1, "{line}: {plan:#}");
        for engine in engines.iter().filter(|engine| engine.get("refused").is_none()) {
            let work = engine["work"].as_array().unwrap();
            let of = |figure: &Value| figure["seconds"].as_f64().unwrap();
            let (whole, sum) = (of(engine), work.iter().map(of).sum::<f64>());
            // The family's short problems have a fixed time.
            if !work.is_empty() {
                assert!((sum / whole - 1.0).abs() < 0.01, "{line}: {engine:#}");
                summed += 1;
            }
            assert!(work.iter().all(|work| work["amount"].as_u64().is_some()), "{engine:#}");
            planned += 1;
        }
    }
    assert!(planned >= 8 && summed >= 6, "{planned} engines were planned, the work of {summed} was summed");
    assert_eq!(scene.files(), before, "a plan writes no files");
}

#[test]
fn a_plan_says_in_words_who_runs_and_who_cannot() {
    let (scene, _) = scene();
    let plan = scene.isx("solve mckp m --dry-run").code(0).stdout;
    for words in ["problem    mckp; nothing is solved", "runs       list; ", "reference", "takes most"] {
        assert!(plan.contains(words), "{words} is missing:\n{plan}");
    }
    let all = scene.isx("solve mckp m --dry-run -v").code(0).stdout;
    assert!(all.len() > plan.len() && all.contains("mckp.reference.candidate: "), "{all}");
    assert_eq!(scene.isx("solve mckp m --dry-run -q --engine dense").code(0).stdout, "dense\n");
    let little = scene.isx("solve mckp m --dry-run --max-memory 100 --engine dense").code(0).stdout;
    assert!(little.contains("bytes of tables and 100 are allowed"), "{little}");
    // A wide table refuses what it cannot hold.
    scene.write("wide", "1 10\n2\n1 1\n99999999999999999999999999 2\n");
    let wide = scene.isx("solve mckp wide --dry-run --no-reduce --optional").code(0).stdout;
    assert!(wide.contains("has no "), "{wide}");
}

#[test]
fn a_plan_is_of_one_problem_and_proves_nothing() {
    let (scene, _) = scene();
    scene.isx("solve mckp m m --dry-run").refused(2, &["--dry-run is for one problem, and there are 2"]);
    scene.isx("solve mckp m --dry-run --certificate c").refused(2, &["--certificate", "--dry-run"]);
    scene.isx("explore small.yaml --dry-run --prove").refused(2, &["--prove", "--dry-run"]);
    scene.isx("explore small.yaml --dry-run --front margin").refused(2, &["--dry-run"]);
    scene.write("other.yaml", SMALL);
    scene.isx("explore small.yaml other.yaml --dry-run").refused(2, &["--dry-run is for one task set"]);
}
