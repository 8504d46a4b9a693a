//! isx solve knapsack, isx generate knapsack.

use super::scene::{Scene, has};
use super::solve::{are_refused, is_whole};
use serde_json::{Value, json};

/// Items 0, 1 and 3 are best for 12: profit 19, weight 12.
const PROBLEM: &str = "5 12\n3 2\n9 6\n2 9\n7 4\n-1 0\n";
const WITH_IDS: &str = "5\n1 3 2\n2 9 6\n3 2 9\n4 7 4\n5 -1 0\n12\n";

fn solved(text: &str, flags: &str) -> Value {
    Scene::with("p.txt", text).isx(&format!("solve knapsack p.txt --json {flags}")).code(0).json()
}

#[test]
fn the_best_selection_is_given_for_both_text_forms() {
    for text in [PROBLEM, WITH_IDS] {
        is_whole(&solved(text, ""), "knapsack", "19", 12, &json!([0, 1, 3]));
    }
}

#[test]
fn all_lines_tell_the_layout_and_a_selection_states_the_optimum() {
    let items = "4 8\n10 7\n1 1\n";
    let with_ids = "1 4 8\n2 10 7\n3 1 1\n";
    for (text, states) in [
        (format!("3\n9\n{items}0 1 1\n"), true),
        (format!("3\n9\n{items}"), false),
        (format!("3 9\r\n{items}0\n1\n1\n"), true),
        (format!("3\n{items}9\n"), false),
        (format!("# three\n3\t9 # n C\n\n{with_ids}"), false),
        (format!("3\n9\n{with_ids}0 1 1\n"), true),
        (format!("3\n{with_ids}9\n"), false),
    ] {
        let solution = solved(&text, "");
        let found = ["value", "weight", "picks"].map(|field| solution[field].to_string());
        assert_eq!(found, ["\"11\"", "8", "[1,2]"].map(str::to_owned), "{text}");
        let stated = if states { json!("11") } else { Value::Null };
        assert_eq!(solution["stated_optimum"], stated, "{text}");
    }
    let solution = solved("3\n9.5\n6.25 4.5\n8 5\n5 3\n", "");
    assert_eq!([&solution["value"], &solution["weight"]], [&json!("14.25"), &json!(9.5)]);
    for (text, message) in [
        (format!("9\n{items}"), "line 1: the number of items is missing: line 1 should be `3 9`"),
        (
            format!("3\n{items}"),
            "line 1: the capacity is missing: line 1 should be `3 C`, with the capacity for C",
        ),
        (
            format!("4 9\n{items}"),
            "line 1: the number of items is given as 4, but 3 lines follow, each with 2 numbers",
        ),
        (
            "3 9\n6 4\n8 5 1\n5 3\n".into(),
            "line 3: 3 numbers where an item has two, its profit and its weight",
        ),
        ("3 9\n6 4\n8\n5 3\n".into(), "line 3: 1 number where an item has two, its profit and its weight"),
        (
            "4 9\n6 8 5 2\n4 5 3 1\n".into(),
            "line 1: profits and weights stand in rows: write an item per line",
        ),
        ("2 9\n6 4 1\n8 5 1\n".into(), "line 2: items have three numbers instead of two, profit and weight"),
        (format!("9 3\n{items}"), "line 1: the number of items comes first: line 1 should be `3 9`"),
        (
            format!("3 9\n{items}1 1 0\n"),
            "line 5: the selection after the items weighs more than the capacity",
        ),
        ("23\n31\n29\n".to_owned(), "line 1: every line has one number"),
        ("2\n5\n3\n2\n4\n1\n".to_owned(), "line 1: the numbers fit two layouts, n, C, then"),
    ] {
        let scene = Scene::with("p.txt", &text);
        scene.isx("solve knapsack p.txt").refused(2, &[&format!("error: p.txt: {message}")]);
    }
}

#[test]
fn every_capacity_may_be_asked_for() {
    let front = json!([[0, "0"], [2, "3"], [4, "7"], [6, "10"], [8, "12"], [10, "16"], [12, "19"]]);
    let solution = solved(PROBLEM, "--all-capacities --picks");
    assert_eq!(solution["front"], front);
    assert_eq!(solution["front_picks"], json!([[], [0], [3], [0, 3], [0, 1], [1, 3], [0, 1, 3]]));
    let values = solved(PROBLEM, "--all-capacities");
    assert_eq!([&values["front"], &values["front_picks"]], [&front, &Value::Null]);
    assert_eq!(values["picks"], json!([0, 1, 3]), "the best point has its items always");
    assert_eq!(solved(PROBLEM, "--capacity 11")["value"], "16");
    assert_eq!(solved(PROBLEM, "--capacity 0 --all-capacities")["front"], json!([[0, "0"]]));
    assert_eq!(solved(PROBLEM, "--capacity 1000")["picks"], json!([0, 1, 2, 3]));
}

#[test]
fn the_text_says_the_same() {
    let scene = Scene::with("p.txt", PROBLEM);
    let text = scene.isx("solve knapsack p.txt --all-capacities --picks --capacity 5").code(0).stdout;
    let wanted = "value      7\nweight     4\npoints     3\n\nweight value picks\n0 0 []\n2 3 [0]\n4 7 [3]\n";
    assert_eq!(text, wanted);
    let picked = scene.isx("solve knapsack p.txt --picks").code(0).stdout;
    assert_eq!(picked, "value      19\nweight     12\npicks      [0,1,3]\npoints     1\n");
    let printed = scene.isx("solve knapsack p.txt -v").code(0).stdout;
    has(&printed, &["\nengine     ", "\ntime       read ", "\nupdates    "]);
}

#[test]
fn that_no_item_fits_is_a_selection_of_none() {
    for text in ["1 1\n5 9\n", "0 3\n", "2 0\n-1 0\n4 1\n"] {
        let solution = solved(text, "");
        let printed = [&solution["value"], &solution["weight"], &solution["picks"], &solution["feasible"]];
        assert_eq!(printed, [&json!("0"), &json!(0), &json!([]), &json!(true)], "{text}");
    }
}

#[test]
fn decimals_and_wide_numbers_are_exact() {
    let text = "3 1.5\n1.25 0.5\n-0.1 1\n0.3 1.0\n";
    assert_eq!(solved(text, "")["value"], "1.55");
    assert_eq!(solved(text, "")["weight"], json!(1.5));
    assert_eq!(solved(text, "--capacity 1.4999")["value"], "1.25");
    let profit = (1i128 << 119) + 1;
    let large = format!(
        "3 4611686018427387903\n{profit} 2305843009213693952\n{profit} 2305843009213693951\n{profit} 0\n"
    );
    let solution = solved(&large, "");
    let value: num_bigint::BigInt = profit.into();
    assert_eq!(solution["value"], (value * 3_i32).to_string());
    assert_eq!([&solution["weight"], &solution["picks"]], [&json!("4611686018427387903"), &json!([0, 1, 2])]);
}

#[test]
fn texts_that_are_no_problems_are_refused_with_the_line() {
    let bad = [
        ("", "line 1: the file ends where the number of items is expected"),
        ("x 2\n", "line 1, column 1: `x` is not the number of items"),
        ("2 x\n", "line 1, column 3: `x` is not the capacity"),
        ("1 5\n1e3 2\n", "line 2, column 1: `1e3` is not the profit of an item"),
        ("1\n0.5 3 2\n7\n", "line 2, column 1: `0.5` is not the id of an item"),
        ("1\n0 3 2\n", "line 2: the file ends where the capacity is expected"),
        ("1\n0 3 2\n5\n6\n", "line 4, column 1: `6` stands after the capacity"),
        ("4294967295 5\n", "ends where the profit of an item is expected"),
        ("4294967296 5\n", "there are more than 4294967295 items, which is the maximum"),
        ("99999999999999999999 5\n", "there are more than 4294967295 items, which is the maximum"),
        ("2 5\n1 1\n", "line 1: the number of items is given as 2, but 1 line follows, each with 2 numbers"),
        ("1 -5\n1 1\n", "line 1, column 3: `-5` is not a capacity"),
        ("1\n0 1 -1\n5\n", "line 2, column 5: `-1` is not a weight (it may not be negative)"),
        ("1 5\n1 1\n7\n", "line 3, column 1: `7` stands after the last item"),
        ("1 9999999999999999999\n1 1\n", "reach 2^62"),
    ];
    are_refused("knapsack", &bad);
}

#[test]
fn tables_beyond_the_memory_allowed_are_refused() {
    // No reduction narrows a front of half a million heavy cells.
    let text = "3 999999\n5 500001\n7 499999\n11 333333\n";
    let scene = Scene::with("p.txt", text);
    scene
        .isx("solve knapsack p.txt --all-capacities --engine reference --max-memory 1MB")
        .refused(4, &["error: the reference engine needs ", "--max-memory"]);
}

#[test]
fn generated_problems_are_solved_alike_reduced_or_not() {
    let scene = Scene::new();
    for kind in ["boyer", "weak", "subset-sum", "circle", "spanner-strong", "jooken"] {
        let size = if kind == "jooken" { "--capacity 2000 --small 9" } else { "--range 60 --load 0.4" };
        let recipe = format!("generate knapsack --kind {kind} --items 30 {size} --seed 3");
        let text = scene.isx(&recipe).code(0).stdout;
        assert!(text.starts_with("30 "), "{text}");
        assert_eq!(scene.isx(&format!("{recipe} -o p.txt")).code(0).stdout, "");
        assert_eq!(scene.read("p.txt"), text);
        let solve = |how: &str| {
            let line = format!("solve knapsack p.txt --json --all-capacities --picks {how}");
            let solution = scene.isx(&line).code(0).json();
            ["feasible", "value", "weight", "front"].map(|field| solution[field].clone())
        };
        let wanted = solve("");
        assert!(wanted[3].as_array().unwrap().len() > 10, "{kind}");
        assert_eq!(solve("--engine reference"), wanted, "{kind}");
        assert_eq!(solve("--no-reduce --threads 2"), wanted, "{kind}");
    }
    scene.isx("generate knapsack --kind none").refused(2, &["--kind"]);
    scene.isx("generate knapsack --kind jooken --groups 1").refused(2, &["--groups 1: there must be"]);
}
