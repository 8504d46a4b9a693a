//! isx solve multidim, isx generate multidim.

use super::scene::Scene;
use serde_json::{Value, json};

/// Items 0 and 2 are best: profit 5, weights 2 and 2.
const PROBLEM: &str = "3 2\n2 2\n3 1 2\n2 2 1\n2 1 0\n";
/// The same problem twice, with a three-dimensional problem in between, in which nothing fits.
const THREE: &str =
    "3\n3 2\n2 2\n3 1 2\n2 2 1\n2 1 0\n1 3\n1 1 0.5\n7 0 0 0.75\n3 2 2 2\n3 1 2 2 2 1 2 1 0\n";

fn lines(text: &str, flags: &str) -> Vec<Value> {
    let ran = Scene::with("p.txt", text).isx(&format!("solve multidim p.txt --json {flags}")).code(0);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_best_choice_is_given_by_every_engine_of_the_cpu() {
    for flags in ["", "--engine reference", "--engine dense", "--engine dense --no-reduce --threads 2"] {
        let solved = lines(PROBLEM, flags);
        let [solution] = &solved[..] else { panic!("{solved:?}") };
        assert_eq!(solution["schema"], "isx.solution/1");
        assert_eq!(solution["problem"], "multidim");
        assert_eq!(solution["feasible"], true);
        assert_eq!(solution["value"], "5");
        assert_eq!(solution["weight"], json!([2, 2]));
        assert_eq!(solution["picks"], json!([0, 2]));
        for time in ["read", "reduce", "solve", "traceback"] {
            assert!(solution["timings"][time].as_f64().is_some_and(|time| time >= 0.0), "{time}");
        }
        for word in ["ran_on", "arithmetic", "why"] {
            assert!(solution["engine"][word].as_str().is_some_and(|text| !text.is_empty()), "{word}");
        }
        assert!(solution["updates"].is_u64());
    }
}

#[test]
fn problems_of_all_files_are_reported_in_order() {
    let solved = lines(THREE, "");
    let told: Vec<_> = solved.iter().map(|solution| (&solution["value"], &solution["weight"])).collect();
    let (best, weights) = (json!("5"), json!([2, 2]));
    assert_eq!(told, [(&best, &weights), (&json!("0"), &json!([0, 0, 0])), (&best, &weights)]);
    let scene = Scene::with("three.txt", THREE);
    scene.write("one.txt", "1 1\n9\n-0.25 3\n");
    let ran = scene.isx("solve multidim three.txt one.txt three.txt --json").code(0);
    assert_eq!(ran.stdout.lines().count(), 7);
    let nothing: Value = serde_json::from_str(ran.stdout.lines().nth(3).unwrap()).unwrap();
    assert_eq!((&nothing["value"], &nothing["picks"]), (&json!("0"), &json!([])));
    assert_eq!(Scene::with("none.txt", "0\n").isx("solve multidim none.txt --json").code(0).stdout, "");
}

#[test]
fn the_text_says_the_same() {
    let scene = Scene::with("p.txt", "2 3\n1.5 2 0.30\n2.5 1 2 0.1\n0.25 0.5 0 .2\n");
    let text = scene.isx("solve multidim p.txt").code(0).stdout;
    assert_eq!(text, "value      2.75\nweight     1.5 2 0.3\npicks      [0,1]\n");
    let scene = Scene::with("p.txt", THREE);
    let text = scene.isx("solve multidim p.txt").code(0).stdout;
    assert!(text.starts_with(
        "problem    0\nvalue      5\nweight     2 2\npicks      [0,2]\n\nproblem    1\nvalue      0\n"
    ));
    let told = scene.isx("solve multidim p.txt -v").code(0).stdout;
    for word in ["\nengine     ", "\ntime       read ", "\nupdates    "] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn files_that_are_no_problems_are_refused_with_their_line() {
    for (text, wanted) in [
        ("1 4\n1 1 1 1\n", "bad.txt: line 1, column 3: `4` is not a number of dimensions from 1 to 3"),
        ("1 2\n5 5\n3 2\n", "bad.txt: line 3: the file ends where the weight of an item should stand"),
        ("1 2\n5 5\n3 2 -1\n", "bad.txt: line 3, column 5: `-1` is not a weight (it may not be negative)"),
        ("1 2\n5 5\n3 2 1\n\n8\n", "bad.txt: line 5, column 1: `8` stands after the last item"),
        ("1 1\n4611686018427387904\n1 1\n", "2^62"),
        ("", "bad.txt: line 1: the file ends"),
    ] {
        let scene = Scene::with("bad.txt", text);
        let ran = scene.isx("solve multidim bad.txt --json").code(2);
        assert!(ran.stderr.contains(wanted) && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    let scene = Scene::with("p.txt", PROBLEM);
    let missing = scene.isx("solve multidim missing.txt --json").code(2);
    assert!(missing.stderr.contains("missing.txt") && missing.stdout.is_empty());
    scene.isx("solve multidim p.txt --engine abacus").code(2);
}

#[test]
fn tables_beyond_the_memory_allowed_are_exit_code_4() {
    let scene = Scene::new();
    scene.isx("generate multidim --items 60 --capacities 5000,5000 -o p.txt").code(0);
    let ran = scene.isx("solve multidim p.txt --engine dense --max-memory 1MB").code(4);
    assert!(ran.stderr.contains("bytes of tables") && ran.stderr.contains("--max-memory"), "{}", ran.stderr);
}

#[test]
fn generated_problems_solve_and_their_note_makes_them_again() {
    let scene = Scene::new();
    let made = scene.isx("generate multidim --instances 2 --items 6 --capacities 40,30 --seed 9").code(0);
    assert!(
        made.stderr.contains("isx generate multidim --instances 2 --items 6 --capacities 40,30 --seed 9")
    );
    scene.write("p.txt", &made.stdout);
    assert_eq!(made.stdout.lines().take(3).collect::<Vec<_>>(), ["2", "6 2", "40 30"]);
    let solved = scene.isx("solve multidim p.txt --json").code(0);
    assert_eq!(solved.stdout.lines().count(), 2);
    let one = scene.isx("generate multidim").code(0).stdout;
    assert!(one.starts_with("20 2\n1000 1000\n"));
    let refused = scene.isx("generate multidim --items 9 --capacities 2,2").code(2);
    assert!(refused.stderr.contains("--items 9: "), "{}", refused.stderr);
}
