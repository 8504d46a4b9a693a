//! Decisions about FPGAs: what one core costs in every command, which devices are tried and what of the figures holds on them,
//! and the clock that a built design must reach.

use super::scene::{Scene, has};
use serde_json::{Value, json};

/// A processor of 1600 LUT; a multiplier in DSP saves most of the work of both tasks.
const NODE: &str = "\
name: node
clock: 50 MHz
resources: [LUT, FF, DSP, BRAM]
base: {LUT: 1600, FF: 1000, BRAM: 2}
device: LFE5U-25F
blocks: [{name: mul, cost: {LUT: 60, DSP: 4}, fmax: 54.77 MHz}]
tasks:
  - {name: control, wcet: 1500, period: 50 us, choices: [{name: fast, uses: [mul], wcet: 1200}]}
  - {name: filter, wcet: 1300, period: 50 us, choices: [{name: fast, uses: [mul], wcet: 1000}, {name: slow, uses: [mul], wcet: 1400}]}
";

fn node() -> Scene {
    Scene::with("node.yaml", NODE)
}

fn rows(document: &Value) -> &Vec<Value> {
    document["rows"].as_array().unwrap()
}

/// The devices of a fit, in order.
fn devices(scene: &Scene, arguments: &str) -> Vec<String> {
    let fit = scene.isx(&format!("fit {arguments} --json")).json();
    rows(&fit).iter().map(|row| row["device"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn one_core_costs_the_same_in_every_command() {
    let scene = node();
    let core = "cores: {count: 1..3, cost: {LUT: 900, BRAM: 2}}\n";
    // The same chip with one core: all of it is the core, or the core is given beside the rest of the chip.
    let with_rest = NODE.replace("base: {LUT: 1600, FF: 1000, BRAM: 2}", "base: {LUT: 700, FF: 1000}");
    scene.write("rest.yaml", format!("{core}{with_rest}"));
    for (file, two_cores) in [("node.yaml", "3200"), ("rest.yaml", "2500")] {
        let front = scene.isx(&format!("explore {file} --json")).json();
        let cost = json!({"LUT": "1660", "FF": "1000", "DSP": "4", "BRAM": "2"});
        assert_eq!(front["min_schedulable"][0], cost, "{file}");
        assert_eq!(rows(&scene.isx(&format!("fit {file} --json")).json())[0]["cost"], cost, "{file}");
        let line = |command: &str| scene.isx(command).code(0).stdout;
        let shown = line(&format!("show {file} --smallest -q"));
        assert!(shown.contains("cost LUT 1660, FF 1000, DSP 4, BRAM 2"), "{file}: {shown}");
        let row = scene.isx(&format!("partition {file} --cores 1 --objectives LUT --json")).json();
        assert_eq!((&row["rows"][0]["cost"], &row["rows"][0]["area"]), (&cost, &json!("1660")), "{file}");
        let priced = line(&format!("explore {file} --price LUT=1,DSP=10 -q --out priced"));
        assert_eq!(
            priced, "node: 2 designs, smallest schedulable area 1700, utilization 0.880000\n",
            "{file}"
        );
        let priced = line(&format!("partition {file} --price LUT=1,DSP=10 --cores 1 -q"));
        assert_eq!(priced, "node: PROVED, least area 1700 on 1 core\n", "{file}");
        // Two cores need no multiplier.
        let row = scene.isx(&format!("partition {file} --cores 2 --objectives LUT --json")).json();
        assert_eq!(row["rows"][0]["area"], json!(two_cores));
        assert_eq!(row["rows"][0]["status"], "proved");
        let unlimited = scene.read(file).replace("device: LFE5U-25F\n", "");
        scene.write("unlimited.yaml", unlimited);
        line("partition unlimited.yaml --cores 2 --price LUT=1 --certificate two -q");
        let proof = scene.isx("verify unlimited.yaml two --price LUT=1 --cores 2 --json").code(0).json();
        assert_eq!(proof["area"], two_cores, "{file}");
        let beyond =
            scene.isx(&format!("partition {file} --cores 2 --objectives LUT --within BRAM=3 --json"));
        let reason = "every design that meets all deadlines takes at least 4 BRAM, and 3 are allowed";
        assert_eq!(beyond.code(1).json()["rows"][0]["reason"], reason, "{file}");
    }
    let area = "name: duo\ncores: {count: 1..2, area: 40}\ntasks: [{name: a, wcet: 1, period: 2}]\n";
    scene.write("area.yaml", area);
    assert_eq!(
        scene.isx("check area.yaml -q").code(0).stdout,
        "duo: SCHEDULABLE under EDF from area 40 on\n"
    );
    assert_eq!(scene.isx("explore area.yaml --json").json()["points"][0]["area"], "40");
    assert_eq!(scene.isx("partition area.yaml -q").code(0).stdout, "duo: PROVED, least area 40 on 1 core\n");
    scene.isx("explore area.yaml --prove -q").code(0);
}

#[test]
fn the_note_on_cores_that_cost_nothing_names_the_key_that_helps() {
    let scene = Scene::new();
    let tasks = "tasks: [{name: a, wcet: 1, period: 2}]\n";
    for (head, key, with) in [
        ("area_unit: LUT\n", "`cores: {area: ..}`", "cores: {area: 7}\narea_unit: LUT\n"),
        ("resources: [LUT, DSP]\n", "`base: {LUT: ..}`", "resources: [LUT, DSP]\nbase: {LUT: 7}\n"),
        (
            "resources: [LUT, DSP]\nbase: {LUT: 2}\ncores: {cost: {DSP: 1}}\n",
            "`cores: {cost: {LUT: ..}}`",
            "resources: [LUT, DSP]\ncores: {cost: {LUT: 7}}\n",
        ),
    ] {
        scene.write("x.yaml", format!("name: x\n{head}{tasks}"));
        let ran = scene.isx("partition x.yaml --objectives LUT --cores 2");
        let wanted = format!("note: a core costs nothing here; {key} in the file says what one takes\n");
        assert!(ran.code(0).stderr.ends_with(&wanted), "{head}");
        scene.write("x.yaml", format!("name: x\n{with}{tasks}"));
        let ran = scene.isx("partition x.yaml --objectives LUT --cores 2 -q").code(0);
        assert_eq!(ran.stdout, "x: PROVED, least area 14 LUT on 2 cores\n", "{with}");
    }
}

#[test]
fn fit_stays_in_the_family_of_the_file_unless_others_are_named() {
    let scene = node();
    assert_eq!(devices(&scene, "node.yaml"), ["LFE5U-25F", "LFE5U-45F", "LFE5U-85F"]);
    let ran = scene.isx("fit node.yaml").code(0);
    assert!(ran.stdout.contains("\nSmallest schedulable device: LFE5U-25F\n"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    let fit = scene.isx("fit node.yaml --json").json();
    assert!(rows(&fit).iter().all(|row| row["family"] == "ECP5" && row["warnings"] == json!([])));
    // Another family needs fewer LUT, and that says little.
    let ran = scene.isx("fit node.yaml --device UP3K --device ecp5-25f --device UP3K --json").code(0);
    let fit = ran.json();
    assert_eq!(rows(&fit).len(), 2, "each device once, that of the file first");
    assert_eq!(fit["smallest_device"], "LFE5U-25F");
    assert_eq!(fit["rows"][1]["device"], "iCE40UP3K");
    let wanted = "figures of ECP5 do not carry over to iCE40 UltraPlus: LUT (4-input LUT with wide multiplexers against \
                  logic cell of a 4-input LUT), DSP (18-bit multiplier against 16-bit multiplier), BRAM (18-kbit RAM against \
                  4-kbit RAM), clocks";
    assert_eq!(fit["rows"][1]["warnings"], json!([wanted]));
    let printed = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.ends_with(&format!("warning: {wanted}")), "{printed}");
    let only = scene.isx("fit node.yaml --device UP3K").code(0);
    assert!(only.stdout.contains("\nSmallest schedulable device: iCE40UP3K (iCE40 UltraPlus)\n"));
    let all = devices(&scene, "node.yaml --all-families");
    assert!(all.len() > 20 && all[0] == "LFE5U-25F");
    let fit = scene.isx("fit node.yaml --all-families").code(0);
    assert!(fit.stdout.contains("\nSmallest schedulable device: LFE5U-25F\n"));
    assert_eq!(fit.stderr.matches("warning").count(), 2, "one, which names `warnings`: {}", fit.stderr);
    scene.isx("fit node.yaml --all-families --device UP3K").refused(2, &["cannot be used with"]);
}

#[test]
fn a_set_without_a_device_is_tried_on_all_with_a_warning() {
    let scene = Scene::with("any.yaml", NODE.replace("device: LFE5U-25F\n", ""));
    let ran = scene.isx("fit any.yaml").code(0);
    let printed = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = "warning: the set names no device, and what counts as LUT, FF, DSP, BRAM and clocks differs between families: \
                  name the device that its figures are of, for example `device: iCE40LP384`";
    assert!(printed.ends_with(wanted), "{printed}");
    has(&ran.stdout, &["\nSmallest schedulable device: iCE40UP3K (iCE40 UltraPlus)\n"]);
    let fit = scene.isx("fit any.yaml --json").json();
    assert!(
        rows(&fit).len() > 20 && rows(&fit).iter().all(|row| row["warnings"].as_array().unwrap().len() == 1)
    );
    // Devices of one family need no warning.
    assert!(!scene.isx("fit any.yaml --device LFE5U-25F --device LFE5U-45F").stderr.contains("warning"));
}

#[test]
fn the_device_that_a_file_defines_is_a_row() {
    let own = "device: {name: MachXO3-4300, LUT: 4320, FF: 4320, DSP: 0, BRAM: 10}";
    let scene = Scene::with("own.yaml", NODE.replace("device: LFE5U-25F", own));
    assert_eq!(devices(&scene, "own.yaml"), ["MachXO3-4300"]);
    assert_eq!(
        devices(&scene, "own.yaml --device UP5K --device machxo3-4300"),
        ["MachXO3-4300", "iCE40UP5K"]
    );
    let fit = scene.isx("fit own.yaml --all-families --json").json();
    assert_eq!(fit["rows"][0]["device"], "MachXO3-4300");
    assert_eq!(fit["rows"][0]["family"], Value::Null);
    assert_eq!(
        fit["rows"][1]["warnings"],
        json!([
            "figures of MachXO3-4300 need not carry over to iCE40LP384: of one of them the family is not known"
        ])
    );
    let limits = json!({"LUT": "4320", "FF": "4320", "DSP": "0", "BRAM": "10"});
    assert_eq!(scene.isx("check own.yaml --device MachXO3-4300 --json").json()["limits"], limits);
    scene.write("unnamed.yaml", NODE.replace("LFE5U-25F", "{LUT: 4320, FF: 4320, DSP: 9, BRAM: 10}"));
    assert_eq!(devices(&scene, "unnamed.yaml"), ["the file's device"]);
}

#[test]
fn fit_answers_in_one_line_and_says_when_the_base_does_not_fit() {
    let scene = node();
    let line = |arguments: &str| scene.isx(&format!("fit node.yaml -q {arguments}")).stdout;
    let cost = "utilization 0.880000, LUT 1660, FF 1000, DSP 4, BRAM 2";
    assert_eq!(line(""), format!("node: SCHEDULABLE on LFE5U-25F, the smallest of 3 devices, {cost}\n"));
    assert_eq!(line("--device LFE5U-45F"), format!("node: SCHEDULABLE on LFE5U-45F, {cost}\n"));
    assert_eq!(
        line("--device iCE40LP384"),
        "node: NOT SCHEDULABLE on iCE40LP384: the base does not fit: LUT, FF, BRAM\n"
    );
    let ran = scene.isx("fit node.yaml --device iCE40LP384").code(1);
    assert!(ran.stdout.contains("  the base does not fit: LUT, FF, BRAM\n"), "{}", ran.stdout);
    let row = &scene.isx("fit node.yaml --device iCE40LP384 --json").code(1).json()["rows"][0];
    assert_eq!(row["binding"], json!(["LUT", "FF", "BRAM"]));
    assert_eq!(row["reason"], "the base does not fit: LUT, FF, BRAM");
}

#[test]
fn a_fill_is_told_with_the_size_of_the_device() {
    let scene = Scene::with("node.yaml", NODE.replacen("device", "fill: {LUT: 80 %}\ndevice", 1));
    let limits = "LFE5U-25F: LUT 19430.4 (80 % of 24288), FF 24288, DSP 28, BRAM 56";
    let explored = scene.isx("explore node.yaml").code(0).stdout;
    assert!(explored.contains(&format!("\n{limits}\n")), "{explored}");
    let checked = scene.isx("check node.yaml --device LFE5U-25F -q").code(0).stdout;
    assert_eq!(checked, format!("node: SCHEDULABLE under EDF on {limits}\n"));
    // A closer limit is no part of the device.
    let within = scene.isx("check node.yaml --within LUT=2000 -q").code(0).stdout;
    assert!(within.contains("LUT 2000, FF 24288"), "{within}");
    let shown = scene.isx("show node.yaml --smallest").code(0).stdout;
    assert!(shown.contains("1660 of 19430.4 (8.5 %; 80 % of 24288)"), "{shown}");
    assert!(scene.isx("fit node.yaml").code(0).stdout.contains("\nOf each device at most: 80 % of LUT\n"));
    let divided = scene.isx("partition node.yaml --objectives LUT --cores 1").code(0).stdout;
    assert!(divided.contains("1660 of 19430.4 LUT (80 % of 24288)"), "{divided}");
}

/// A report of nextpnr for an ECP5 with these amounts and clocks.
fn routed(lut: u32, clocks: &[(&str, f64)]) -> String {
    let clocks: serde_json::Map<String, Value> = clocks
        .iter()
        .map(|(name, mhz)| ((*name).to_owned(), json!({"achieved": mhz, "constraint": 50.0})))
        .collect();
    let used = |used: u32| json!({"available": 24288, "used": used});
    let amounts = json!({"TRELLIS_COMB": used(lut), "TRELLIS_FF": used(1000), "MULT18X18D": used(4), "DP16KD": used(2)});
    json!({"fmax": clocks, "utilization": amounts}).to_string()
}

#[test]
fn a_built_design_must_reach_the_clock_that_its_deadlines_need() {
    let scene = node();
    scene.isx("explore node.yaml -q --format json --out out").code(0);
    // The design with the multiplier has a utilization of 0.88 at 50 MHz, and so needs 44 MHz.
    let confirm =
        |arguments: &str| scene.isx(&format!("confirm node.yaml out/front.json --report 1={arguments}"));
    scene.write("fast.json", routed(1670, &[("clk", 44.1), ("pll", 90.0)]));
    scene.write("slow.json", routed(1670, &[("clk", 43.9), ("pll", 90.0)]));
    let found = confirm("fast.json --json").code(0).json();
    assert_eq!(found["rows"][0]["clock_hz"], json!({"needed": "44000000", "built": "44100000"}));
    let ran = confirm("slow.json").code(1);
    assert!(ran.stdout.contains("clock needed     built  blocks\n"), "{}", ran.stdout);
    has(
        &ran.stdout,
        &["\n1 of 1 are too slow to meet their deadlines:\n- point 1: built 43.9 MHz, needed 44 MHz\n"],
    );
    let found = confirm("slow.json --json").code(1).json();
    assert_eq!(found["within_tolerance"], true);
    assert_eq!(found["rows"][0]["within_tolerance"], true);
    let line = "node: 0 of 1 designs built are off by more than 5 %, 1 too slow (point 1: built 43.9 MHz, needed 44 MHz); \
                largest: point 1, predicted 1660 LUT, built 1670 (0.6 %)\n";
    assert_eq!(confirm("slow.json -q").code(1).stdout, line);
    // Of several reports the slowest clock counts; one clock may be named.
    confirm("fast.json,slow.json").code(1);
    confirm("slow.json --clock-name pll").code(0);
    confirm("slow.json --clock-name clock")
        .refused(2, &["report `slow.json` has no clock `clock`", "`clk`, `pll`"]);
    // Amounts and clocks may stand in two reports.
    let timing = json!({"fmax": {"clk": {"achieved": 43.9, "constraint": 50.0}}, "utilization": {}});
    scene.write("timing.json", timing.to_string());
    scene.write("area.json", routed(1660, &[]));
    confirm("area.json").code(0);
    confirm("area.json,timing.json").code(1);
    let alone = confirm("timing.json --json").code(1).json();
    assert_eq!(alone["rows"][0]["within_tolerance"], Value::Null, "its amounts are not known");
    // A front of a slower set is not that of this one.
    scene.isx("explore node.yaml -q --format json --out out --overwrite --scale-wcet 0.9").code(0);
    confirm("fast.json").refused(2, &["has another utilization in node.yaml"]);
    // Times without a clock say nothing of one.
    let timed = NODE.replace("clock: 50 MHz\n", "").replace(", fmax: 54.77 MHz", "");
    let timed = with_times(&timed);
    scene.write("node.yaml", timed);
    scene.isx("explore node.yaml -q --format json --out out --overwrite").code(0);
    assert_eq!(confirm("slow.json --json").code(0).json()["rows"][0].get("clock_hz"), None);
}

/// The set with WCETs as times.
fn with_times(text: &str) -> String {
    ["1500", "1200", "1300", "1000}", "1400"].iter().fold(text.to_owned(), |text, wcet| {
        let digits = wcet.trim_end_matches('}');
        let micros = digits.parse::<u32>().unwrap() / 50;
        text.replace(&format!("wcet: {wcet}"), &format!("wcet: {micros} us{}", &wcet[digits.len()..]))
    })
}

/// Two variants of the processor.
const TWO: &str = "\
name: two
clock: 50 MHz
resources: [LUT, DSP]
device: LFE5U-25F
variants: [{name: small, cost: {LUT: 1000}}, {name: cached, cost: {LUT: 1800}}]
tasks: [{name: a, wcet: {small: 3000, cached: 2000}, period: 50 us}]
";

#[test]
fn scripts_read_the_variant_of_every_design() {
    let scene = Scene::with("two.yaml", TWO);
    let line = |arguments: &str| scene.isx(arguments).code(0).stdout;
    line("explore two.yaml -q --format json,csv --out out");
    assert_eq!(line("confirm two.yaml out/front.json --list"), "0\t\tsmall\n1\t\tcached\n");
    assert!(scene.read("out/front.csv").lines().next().unwrap().contains(",variant,"));
    let shown = "two: design 1 (numbered 0 to 1), SCHEDULABLE, cost LUT 1800, DSP 0, utilization 0.800000, variant cached, \
                 all in software\n";
    assert_eq!(line("show two.yaml --smallest -q"), shown);
    assert_eq!(line("show out/front.json --point 1 -q"), shown);
    let checked = "two: SCHEDULABLE under EDF on LFE5U-25F: LUT 24288, DSP 28, variant cached\n";
    assert_eq!(line("check two.yaml -q"), checked);
    let fit = "two: SCHEDULABLE on LFE5U-25F, the smallest of 3 devices, utilization 0.800000, LUT 1800, DSP 0, variant cached\n";
    assert_eq!(line("fit two.yaml -q"), fit);
    let compared = scene.isx("compare out/front.json out/front.json --json").code(0).json();
    assert_eq!(compared["fronts"][0]["min_schedulable_variants"], json!(["cached"]));
    scene.write(
        "1.json",
        r#"{"creator": "Yosys", "modules": {}, "design": {"num_cells_by_type": {"LUT4": 1800}}}"#,
    );
    let row =
        &scene.isx("confirm two.yaml out/front.json --report 1=1.json --json").code(0).json()["rows"][0];
    assert_eq!(row["variant"], "cached");
    let area = TWO.replace("resources: [LUT, DSP]\ndevice: LFE5U-25F", "area_unit: LUT");
    scene.write(
        "area.yaml",
        area.replace("cost: {LUT: 1000}", "area: 1000").replace("cost: {LUT: 1800}", "area: 1800"),
    );
    line("explore area.yaml -q --format json --out area");
    let compared = scene.isx("compare area/front.json area/front.json --json").code(0).json();
    assert_eq!(compared["fronts"][0]["min_schedulable_variant"], "cached");
    assert_eq!(
        line("check area.yaml -q"),
        "two: SCHEDULABLE under EDF from area 1800 LUT on, variant cached\n"
    );
}

#[test]
fn choices_without_use_are_noted_beside_resources_and_blocks() {
    let scene = node();
    let ran = scene.isx("explore node.yaml").code(0);
    assert!(ran.stdout.contains("note: not used by filter: slow (slower than software)\n"), "{}", ran.stdout);
    assert_eq!(
        scene.isx("check node.yaml").code(0).stderr,
        "note: not used by filter: slow (slower than software)\n"
    );
    // A block that frees some of a resource may be worth its time.
    let frees = NODE.replace("{LUT: 60, DSP: 4}", "{LUT: -60, DSP: 4}");
    scene.write("frees.yaml", frees.replace("{name: fast, uses: [mul], wcet: 1000}, ", ""));
    assert_eq!(scene.isx("check frees.yaml").code(0).stderr, "");
}

#[test]
fn check_names_the_scheduler() {
    let scene = node();
    assert_eq!(scene.isx("check node.yaml --json").json()["scheduler"], "edf");
    scene.write("rm.yaml", format!("scheduler: rm\n{NODE}"));
    let ran = scene.isx("check rm.yaml").code(0);
    assert!(ran.stdout.starts_with("node: SCHEDULABLE under RM on LFE5U-25F: "), "{}", ran.stdout);
    assert_eq!(scene.isx("check rm.yaml --json").json()["scheduler"], "rm");
}
