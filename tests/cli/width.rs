//! Numbers too wide for the engines: what is accepted is computed exactly, the rest is refused with the reason and exit code 4.

use super::scene::Scene;
use serde_json::json;
use std::fmt::Write;

/// Primes near 4,000,000,000: a common multiple of three has 96 bits.
const PRIMES: [u64; 6] =
    [4_000_000_007, 3_999_999_979, 3_999_999_959, 3_999_999_949, 3_999_999_937, 3_999_999_919];

/// Tasks of two modes that cost several resources, with these periods, task by task.
fn in_modes(periods: &[[u64; 2]]) -> String {
    let mut text = "name: wide\nresources: [LUT, DSP]\nmodes: [cruise, landing]\ntasks:\n".to_owned();
    for (at, [cruise, landing]) in periods.iter().enumerate() {
        let wcet = cruise / 5 + 1;
        let _ = writeln!(
            text,
            "  - {{name: t{at}, wcet: {wcet}, period: {{cruise: {cruise}, landing: {landing}}}, choices: \
             [{{name: c, cost: {{LUT: {}, DSP: {}}}, wcet: {}}}]}}",
            at + 1,
            at % 2,
            wcet / 2
        );
    }
    text
}

#[track_caller]
fn refused(scene: &Scene, line: &str, words: &[&str]) {
    let before = scene.files();
    scene.isx(line).refused(4, words);
    assert_eq!(scene.files(), before, "`{line}` wrote something");
}

#[test]
fn modes_of_any_width_are_solved_with_several_resources() {
    let scene = Scene::new();
    let wide = [[0, 1], [2, 3], [4, 5]].map(|pair| pair.map(|at| PRIMES[at])).to_vec();
    let narrow = vec![[1_000_000_007, 2_000_000_011], [998_244_353, 1_999_999_973]];
    let factors = vec![[40, PRIMES[0]], [60, PRIMES[1]], [24, PRIMES[2]]];
    for (periods, points) in [(wide, 5), (narrow, 4), (factors, 5)] {
        scene.write("modes.yaml", in_modes(&periods));
        let front = scene.isx("explore modes.yaml --json").code(0).json();
        assert_eq!(front["points"].as_array().unwrap().len(), points, "{periods:?}");
        scene.isx("check modes.yaml").code(0);
    }
}

/// Tasks with several resources whose periods have no common factors.
fn several(tasks: usize) -> String {
    let mut text = "name: big\nresources: [LUT, DSP, BRAM]\ntasks:\n".to_owned();
    let mut period = 549_108u64;
    for at in 0..tasks {
        period = period * 7_919 % 900_001 + 100_003;
        let _ =
            writeln!(text, "  - name: t{at}\n    wcet: {}\n    period: {period}\n    choices:", period / 40);
        for choice in 0..8u64 {
            let (lut, dsp) = (100 + (at as u64 * 131 + choice * 77) % 900, (at as u64 + choice) % 4);
            let wcet = period / 40 - (lut + 90 * dsp) * (period / 80_000);
            let _ =
                writeln!(text, "      - {{name: c{choice}, cost: {{LUT: {lut}, DSP: {dsp}}}, wcet: {wcet}}}");
        }
    }
    text
}

#[test]
fn savings_of_many_bits_in_several_resources_are_added_and_those_of_more_refused_for_their_width() {
    let scene = Scene::with("big.yaml", several(30));
    let front = scene.isx("explore big.yaml --json --within LUT=900,DSP=9,BRAM=9").code(0).json();
    assert_eq!(front["engine"]["arithmetic"], "big");
    assert!(front["points"].as_array().unwrap().len() > 100);
    scene.isx("check big.yaml").code(0);
    let mut text = "name: vast\nresources: [LUT, DSP]\ntasks:\n".to_owned();
    for at in 0..26u64 {
        let period = 10u64.pow(18) + 2 * at + 1;
        let _ = writeln!(
            text,
            "  - {{name: t{at}, wcet: 9, period: {period}, choices: [{{name: c, cost: {{LUT: {}, DSP: {}}}, wcet: {}}}]}}",
            1 << at,
            at % 3,
            at % 7 + 1
        );
    }
    scene.write("vast.yaml", text);
    let words = ["error: the periods of `vast`", "the times that choices save", "up to 1279 are computed"];
    for line in ["explore vast.yaml", "check vast.yaml"] {
        refused(&scene, line, &words);
        let printed = scene.isx(line).code(4).stderr;
        assert!(!printed.contains("memory") && !printed.contains("reference"), "{printed}");
    }
}

#[test]
fn a_block_beyond_a_budget_of_any_width_is_in_no_design() {
    let text = "name: dear\nblocks: [{name: huge, area: 1e18}]\ntasks:\n  - {name: t, wcet: 6, period: 10, choices: \
                [{name: fast, uses: [huge], wcet: 2}, {name: own, area: 0.001, wcet: 5}]}\n  - {name: u, wcet: 1, period: 10, \
                choices: [{name: same, uses: [huge], wcet: 1}]}\n";
    let scene = Scene::with("dear.yaml", text);
    let points = |flags: &str| {
        let front = scene.isx(&format!("explore dear.yaml --json {flags}")).code(0).json();
        front["points"].as_array().unwrap().iter().map(|point| point["area"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(points("--max-area 5"), [json!("0"), json!("0.001")]);
    // In thousandths this budget passes 64 bits.
    refused(
        &scene,
        "explore dear.yaml --max-area 9e17",
        &["error: the areas of `dear`", "add up to more than 2^62"],
    );
}

#[test]
fn variants_whose_areas_are_too_far_apart_are_refused() {
    let text = |apart: &str| {
        format!(
            "name: apart\nvariants: [{{name: a, area: 1}}, {{name: b, area: {apart}}}]\ntasks:\n  - {{name: t, wcet: {{a: 6, b: 4}}, \
             period: 10, choices: [{{name: c, area: 3, wcet: {{a: 3, b: 2}}}}]}}\n"
        )
    };
    let scene = Scene::with("apart.yaml", text("1000001"));
    let front = scene.isx("explore apart.yaml --json").code(0).json();
    let areas: Vec<_> = front["points"].as_array().unwrap().iter().map(|point| &point["area"]).collect();
    assert_eq!(areas, ["1", "4", "1000004"]);
    scene.write("apart.yaml", text("90000000000000000001"));
    refused(&scene, "explore apart.yaml", &["error: the areas of `apart`", "2^62"]);
}

/// Beyond the digits of lists another engine takes a set with one area whose tasks all run in both modes.
#[test]
fn one_area_and_modes_have_any_number_of_digits() {
    let scene = Scene::new();
    let mut text = "name: wide\narea_unit: LUT\nmodes: [a, b]\ntasks:\n".to_owned();
    for at in 0..9u128 {
        let [a, b] = [10u128.pow(37) + 2 * at + 1, 10u128.pow(37) + 1_000 * at + 7];
        let _ = writeln!(
            text,
            "  - {{name: t{at}, wcet: {}, period: {{a: {a}, b: {b}}}, choices: [{{name: c, area: {}, wcet: {}}}]}}",
            a / 8,
            at + 1,
            a / 16
        );
    }
    scene.write("wide.yaml", &text);
    let front = scene.isx("explore wide.yaml --json").code(0).json();
    assert!(front["engine"]["ran_on"].as_str().unwrap().starts_with("minmax"), "{}", front["engine"]);
    assert_eq!(front["points"].as_array().unwrap()[0]["area"], "0");
}
