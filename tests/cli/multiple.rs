//! isx solve multiple, isx generate multiple.

use super::scene::Scene;

const SMALL: &str = "4 2\n4 6\n10 4\n7 3\n6 3\n4 2\n";

#[test]
fn a_solution_is_text_and_json() {
    let scene = Scene::with("small.txt", SMALL);
    let text = scene.isx("solve multiple small.txt").code(0).stdout;
    assert!(text.starts_with("value      23\nweight     "), "{text}");
    let solution = scene.isx("solve multiple small.txt --json").code(0).json();
    assert_eq!(solution["schema"], "isx.solution/1");
    assert_eq!(solution["problem"], "multiple");
    assert_eq!([&solution["value"], &solution["status"], &solution["bound"]], ["23", "proved", "23"]);
    let picks: Vec<Vec<usize>> = serde_json::from_value(solution["picks"].clone()).unwrap();
    assert_eq!((picks.len(), solution["weight"].as_array().unwrap().len()), (2, 2));
    let table = scene.isx("solve multiple small.txt --json --engine reference").code(0).json();
    assert_eq!(table["value"], "23");
    assert!(table["engine"]["ran_on"].as_str().unwrap().starts_with("reference"));
}

#[test]
fn public_files_with_the_weight_first_are_read() {
    let scene = Scene::with("small.txt", SMALL);
    scene.write("public.txt", "2\n4\n4\n6\n4\t10\n3\t7\n3\t6\n2\t4\n");
    let value =
        |file: &str| scene.isx(&format!("solve multiple {file} --json")).code(0).json()["value"].clone();
    assert_eq!(value("public.txt"), value("small.txt"));
    let both = scene.isx("solve multiple public.txt missing.txt small.txt").code(2);
    assert_eq!(both.stdout.lines().count(), 3);
}

#[test]
fn an_answer_without_a_proof_says_so_and_has_code_3() {
    let scene = Scene::new();
    scene.isx("generate multiple --items 80 --knapsacks 30 --seed 4 -o hard.txt").code(0);
    let ran = scene.isx("solve multiple hard.txt --max-time 0").code(3);
    assert!(ran.stdout.contains("\nat most    "), "{}", ran.stdout);
    let json = scene.isx("solve multiple hard.txt --max-time 0 --json").code(3).json();
    assert_eq!(json["status"], "unknown");
    assert_ne!(json["value"], json["bound"]);
    let line = scene.isx("solve multiple hard.txt --max-time 0 -q").code(3).stdout;
    assert!(line.contains(" (unproved, at most "), "{line}");
    scene.isx("solve multiple hard.txt --max-time -1").code(2);
    scene.isx("solve multiple hard.txt --engine reference").refused(4, &["--max-memory", "branch"]);
}

#[test]
fn generated_problems_are_the_seeds() {
    let scene = Scene::new();
    let made = |flags: &str| scene.isx(&format!("generate multiple {flags}")).code(0);
    let first = made("--items 20 --knapsacks 3 --kind strong --capacities equal --seed 9");
    assert!(first.stderr.contains("isx generate multiple --knapsacks 3 --capacities equal --kind strong"));
    assert!(first.stdout.starts_with("20 3\n"));
    scene.write("p.txt", &first.stdout);
    let by = |engine: &str| {
        scene.isx(&format!("solve multiple p.txt --json --engine {engine}")).code(0).json()["value"].clone()
    };
    assert_eq!(by("auto"), by("branch"));
    scene.isx("generate multiple --kind jooken").refused(2, &["--kind jooken: "]);
    scene.isx("generate multiple --capacities alike").code(2);
}

#[test]
fn a_file_of_another_kind_is_named() {
    let scene = Scene::with("mckp.txt", "2 9\n2\n3 2\n6 5\n2\n1 1\n2 4\n");
    let ran = scene.isx("solve multiple mckp.txt").code(2);
    assert!(
        ran.stderr.contains("a multiple-choice knapsack problem; `isx solve mckp` reads it"),
        "{}",
        ran.stderr
    );
    scene.write("multiple.txt", SMALL);
    let ran = scene.isx("solve knapsack multiple.txt").code(2);
    assert!(
        ran.stderr.contains("`isx solve multidim` reads it") || ran.stderr.contains("`isx solve multiple`")
    );
}
