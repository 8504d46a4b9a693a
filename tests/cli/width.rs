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
fn modes_whose_demands_are_too_wide_to_be_amounts_are_refused_by_their_name() {
    let scene =
        Scene::with("wide.yaml", in_modes(&[[0, 1], [2, 3], [4, 5]].map(|pair| pair.map(|at| PRIMES[at]))));
    let words = [
        "error: the periods of `wide`",
        "the demands of mode `cruise`",
        "up to 62 are computed",
        "round the periods",
    ];
    for line in
        ["explore wide.yaml", "explore wide.yaml --json", "check wide.yaml", "show wide.yaml --smallest"]
    {
        refused(&scene, line, &words);
    }
    // Demands of 59 bits fit, and so do those of a mode whose periods have common factors beside one of wide ones.
    let narrow = vec![[1_000_000_007, 2_000_000_011], [998_244_353, 1_999_999_973]];
    let factors = vec![[40, PRIMES[0]], [60, PRIMES[1]], [24, PRIMES[2]]];
    for (periods, points) in [(narrow, 4), (factors, 5)] {
        scene.write("fits.yaml", in_modes(&periods));
        let front = scene.isx("explore fits.yaml --json").code(0).json();
        assert_eq!(front["points"].as_array().unwrap().len(), points, "{periods:?}");
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
fn savings_beyond_128_bits_in_several_resources_are_refused_for_their_width_not_for_memory() {
    let scene = Scene::with("big.yaml", several(30));
    let words = ["error: the periods of `big`", "the times that choices save", "up to 126 are computed"];
    for line in ["explore big.yaml", "check big.yaml"] {
        refused(&scene, line, &words);
        let told = scene.isx(line).code(4).stderr;
        assert!(!told.contains("memory") && !told.contains("reference"), "{told}");
    }
    // Of few tasks every sum is made, however wide.
    scene.write(
        "few.yaml",
        several(30).split_inclusive("  - name").take(13).collect::<String>().trim_end_matches("  - name"),
    );
    let few = scene.isx("explore few.yaml --json --within LUT=300,DSP=2,BRAM=9").code(0).json();
    assert_eq!(few["schema"], "isx.front/3");
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
