//! isx solve mckp.

use super::scene::{Scene, has};
use serde_json::{Value, json};

/// Exactly one item per class: weight 6 gives 4, weight 10 gives 10.
const PROBLEM: &str = "2 12\n3\n3 2\n2 2\n9 6\n2\n1 4\n5 8\n";

fn solved(text: &str, flags: &str) -> Value {
    Scene::with("p.txt", text).isx(&format!("solve mckp p.txt --json {flags}")).code(0).json()
}

/// A solution has all its fields, and this value, weight and picks.
#[track_caller]
pub fn is_whole(solution: &Value, problem: &str, value: &str, weight: u64, picks: &Value) {
    assert_eq!(solution["schema"], "isx.solution/1");
    assert_eq!(solution["problem"], problem);
    assert_eq!(solution["feasible"], true);
    assert_eq!(solution["value"], value);
    assert_eq!(solution["weight"], weight);
    assert_eq!(solution["picks"], *picks);
    for time in ["read", "reduce", "solve", "traceback"] {
        assert!(solution["timings"][time].as_f64().is_some_and(|time| time >= 0.0), "{time}");
    }
    for word in ["ran_on", "arithmetic", "why"] {
        assert!(solution["engine"][word].as_str().is_some_and(|text| !text.is_empty()), "{word}");
    }
    assert!(solution["updates"].is_u64());
    assert_eq!([&solution["front"], &solution["front_picks"]], [&Value::Null, &Value::Null]);
}

/// Texts of a family that are refused with the words behind them, and capacities that are none.
#[track_caller]
pub fn are_refused(family: &str, bad: &[(&str, &str)]) {
    for (text, words) in bad {
        let scene = Scene::with("p.txt", text);
        scene.isx(&format!("solve {family} p.txt --json")).refused(2, &["error: p.txt: ", words]);
    }
    let scene = Scene::with("p.txt", if family == "mckp" { PROBLEM } else { "1 3\n5 3\n" });
    for capacity in ["-1", "x", "1e3", "nan", "99999999999999999999"] {
        let line = format!("solve {family} p.txt --capacity {capacity}");
        scene.isx(&line).refused(2, &["error: --capacity", capacity]);
    }
}

/// Asserts that nothing fits: a valid answer, with an exit code of its own.
fn infeasible(text: &str, flags: &str) -> Value {
    let solution = Scene::with("p.txt", text).isx(&format!("solve mckp p.txt --json {flags}")).code(1).json();
    assert_eq!(solution["feasible"], false);
    solution
}

#[test]
fn the_best_selection_is_given() {
    is_whole(&solved(PROBLEM, ""), "mckp", "10", 10, &json!([2, 0]));
}

#[test]
fn every_capacity_may_be_asked_for() {
    let solution = solved(PROBLEM, "--all-capacities --picks");
    assert_eq!(solution["front"], json!([[6, "4"], [10, "10"]]));
    assert_eq!(solution["front_picks"], json!([[0, 0], [2, 0]]));
    assert_eq!(solved(PROBLEM, "--all-capacities")["front_picks"], Value::Null);
    let optional = solved(PROBLEM, "--all-capacities --picks --optional");
    assert_eq!(optional["front"], json!([[0, "0"], [2, "3"], [6, "9"], [10, "10"]]));
    assert_eq!(optional["front_picks"], json!([[null, null], [0, null], [2, null], [2, 0]]));
}

#[test]
fn the_text_says_the_same() {
    let scene = Scene::with("p.txt", PROBLEM);
    let text = scene.isx("solve mckp p.txt --all-capacities --picks").code(0).stdout;
    assert!(text.starts_with("value      10\nweight     10\npoints     2\n\nweight value"), "{text}");
    assert!(text.ends_with("\n\nweight value picks\n6 4 [0,0]\n10 10 [2,0]\n"), "{text}");
    let picked = scene.isx("solve mckp p.txt --picks").code(0).stdout;
    assert_eq!(picked, "value      10\nweight     10\npicks      [2,0]\npoints     2\n");
    let printed = scene.isx("solve mckp p.txt -v").code(0).stdout;
    has(&printed, &["\nengine     ", "\ntime       read ", "\nupdates    "]);
}

#[test]
fn that_nothing_fits_is_an_answer() {
    let heavy = "1 1\n1\n5 9\n";
    let solution = infeasible(heavy, "");
    for field in ["value", "weight", "picks"] {
        assert_eq!(solution[field], Value::Null, "{field}");
    }
    let front = infeasible(heavy, "--all-capacities --picks");
    assert_eq!([&front["front"], &front["front_picks"]], [&json!([]), &json!([])]);
    let scene = Scene::with("p.txt", heavy);
    let text = scene.isx("solve mckp p.txt").code(1).stdout;
    assert_eq!(text, "infeasible: no selection fits the capacity\n");

    let optional = solved(heavy, "--optional");
    assert_eq!(
        [&optional["value"], &optional["weight"], &optional["picks"]],
        [&json!("0"), &json!(0), &json!([null])]
    );
    assert_eq!(solved(heavy, "--capacity 9")["value"], "5");
    // A class without items has none to select.
    infeasible("1 1\n0\n", "");
    assert_eq!(solved("0 1\n", "")["value"], "0");
}

#[test]
fn decimals_and_negative_values_are_exact() {
    let text = "2 1.5\n2\n-1.25 0.5\n0.1 1\n1\n-2 0.25\n";
    let solution = solved(text, "--all-capacities --picks");
    assert_eq!(solution["value"], "-1.9");
    assert_eq!(solution["weight"], json!(1.25));
    assert_eq!(solution["front"], json!([[0.75, "-3.25"], [1.25, "-1.9"]]));
    for (capacity, value) in [("1.25", "-1.9"), ("1.2499999", "-3.25"), ("0.75", "-3.25"), ("1000", "-1.9")] {
        assert_eq!(solved(text, &format!("--capacity {capacity}"))["value"], value, "{capacity}");
    }
    infeasible(text, "--capacity 0.74");
    assert_eq!(solved(text, "--optional")["value"], "0.1");
    let large = "1 1\n2\n123456789012345678901234567890 1\n-0.000001 0\n";
    assert_eq!(solved(large, "")["value"], "123456789012345678901234567890");
}

#[test]
fn weights_that_doubles_do_not_hold_are_strings() {
    let text = "2 4611686018427387903\n1\n1 9007199254740992\n2\n1 0\n2 1\n";
    let solution = solved(text, "--all-capacities");
    assert_eq!(solution["weight"], "9007199254740993");
    assert_eq!(solution["front"], json!([[9_007_199_254_740_992_u64, "2"], ["9007199254740993", "3"]]));
}

#[test]
fn texts_that_are_no_problems_are_refused_with_the_line() {
    let bad = [
        ("", "line 1: the file ends where the number of classes is expected"),
        ("1 1\n1000000000000000\n1 1\n", "line 3: the file ends where the value of an item is expected"),
        ("1 -1\n", "line 1, column 3: `-1` is not"),
        ("2 x\n", "line 1, column 3: `x` is not the capacity"),
        ("1 5\n1\n1e3 2\n", "line 3, column 1: `1e3` is not the value of an item"),
        ("99999999999999 5\n", "ends where the number of items of a class is expected"),
        ("1 0.000000000000000001\n1\n1 9000000000\n", "reach 2^62"),
        ("1 5\n2\n9 5 1\n20\n", "line 3: the value of an item ends this line, and its weight is on another"),
        (
            "1 5\n2\n9\n5 3\n1 1\n",
            "line 3: the value of an item ends this line, and its weight is on another",
        ),
        ("1 1\n1\n5 -9\n", "line 3, column 3: `-9` is not"),
        ("1 1\n1\n5 9\n7\n", "line 4, column 1: `7` stands after the last item"),
        ("1 1\n1\n5 0.0000000000000000001\n", "line 3, column 3: "),
        ("1 1\n1\n\u{1b}[31m 9\n", "line 3, column 1: `\\u{1b}[31m` is not"),
        ("1 9999999999999999999\n0\n", "reach 2^62"),
    ];
    are_refused("mckp", &bad);
    // One number per line, or all on one, are layouts too.
    for text in ["1 5\n2\n9\n5\n1\n1\n", "1 5 2 9 5 1 1"] {
        assert_eq!(solved(text, "")["value"], "9", "{text}");
    }
    let binary = Scene::with("p.txt", b"1 1\n1\n\xff 9\n");
    binary.isx("solve mckp p.txt").refused(2, &["error: p.txt: this is no text"]);
}

#[test]
fn every_engine_reduced_or_not_gives_the_same_answer() {
    let scene = Scene::new();
    for (kind, seed) in [("uncorrelated", 1), ("weak", 2), ("strong", 3)] {
        let recipe =
            format!("generate mckp --classes 6 --items 3..12 --capacity 900 --weights 1..200 --kind {kind}");
        scene.isx(&format!("{recipe} --seed {seed} -o p.txt")).code(0);
        for optional in ["", "--optional"] {
            let solve = |how: &str| {
                let line = format!("solve mckp p.txt --json --all-capacities --picks {optional} {how}");
                let solution = scene.isx(&line).code(0).json();
                ["feasible", "value", "weight", "picks", "front", "front_picks"]
                    .map(|field| solution[field].clone())
            };
            let wanted = solve("");
            assert!(wanted[4].as_array().unwrap().len() > 10, "{kind}");
            for engine in ["auto", "reference", "list", "dense"] {
                assert_eq!(solve(&format!("--engine {engine}")), wanted, "{kind} {engine}");
                assert_eq!(
                    solve(&format!("--engine {engine} --no-reduce")),
                    wanted,
                    "{kind} {engine} unreduced"
                );
            }
            assert_eq!(solve("--threads 2"), wanted, "{kind}");
        }
    }
}
