//! `isx import` of a manifest of measured hardware, and `isx confirm`: what is predicted against what was built.

use super::scene::{Ran, Scene, has};
use serde_json::{Value, json};
use std::path::Path;

/// A scene with the files of `tests/data/import/measured` in its folder `m`, and the set and front of the manifest.
fn scene() -> Scene {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("m")).unwrap();
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import/measured")).unwrap()
    {
        let path = entry.unwrap().path();
        std::fs::copy(&path, scene.path("m").join(path.file_name().unwrap())).unwrap();
    }
    scene.isx("-q import m/measure.yaml -o set.yaml").code(0);
    scene.isx("-q explore set.yaml --format json --out front").code(0);
    scene
}

/// The design of the front with these blocks.
fn point(scene: &Scene, blocks: &str) -> String {
    let listed = scene.isx("confirm set.yaml front/front.json --list").code(0).stdout;
    let mut lines = listed.lines().filter_map(|line| line.split_once('\t'));
    lines.find(|(_, own)| *own == blocks).unwrap_or_else(|| panic!("{blocks}: {listed}")).0.to_owned()
}

#[test]
fn a_manifest_is_found_by_its_content_and_its_reports_beside_it() {
    let scene = scene();
    let ran = scene.isx("import m/measure.yaml").code(0);
    assert_eq!(ran.stdout, scene.read("set.yaml"));
    for words in
        ["warning: block `mul` takes -299 LUT", "m/measure.yaml:13:3", "warning: the base reaches 41.5 MHz"]
    {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    scene.write("by-flag", scene.read("m/measure.yaml"));
    scene
        .isx("import by-flag --from measure")
        .refused(2, &["by-flag:8:18", "report `base-s1.json`: ", "begin at the folder of the manifest"]);
    scene
        .isx("import m/measure.yaml --clock 1MHz")
        .refused(2, &["files of format measure have no use for it"]);
    scene.isx("explore m/measure.yaml").refused(
        2,
        &["this is a manifest of measurements (schema isx.measure/1)", "`isx import` reads its reports"],
    );
}

#[test]
fn a_manifest_takes_every_key_of_a_task_set() {
    let scene = scene();
    let manifest = |head: &str, task: &str, software: &str| {
        format!(
            "schema: isx.measure/1\nclock: 48 MHz\nresources: {{LUT: SB_LUT4}}\nbase: {{reports: [base-s1.json]}}\n{head}\
             blocks:\n  port: {{reports: [port.json], switch: 8}}\ntasks:\n  t:\n    period: 1 ms\n{task}    software: {software}\n    \
             choices:\n      p: {{uses: [port], cycles: 900, wcet_high: 950}}\n"
        )
    };
    let head = "scheduler: fixed\nswitch: 96\nfill: {LUT: 80 %}\ndevice: {name: mine, LUT: 4000}\n\
                variants:\n  - {name: small, fmax: 60 MHz}\n  - name: \"no 1\"\n    cost: {LUT: 90}\n";
    let task = "    priority: 2\n    jitter: 3 us\n    nonpreemptive: 40\n";
    let software = "{small: 1500, \"no 1\": {reports: [run.json], name: cycles}}";
    scene.write("m/all.yaml", manifest(head, task, software));
    scene.isx("import m/all.yaml -o all.yaml").code(0);
    let yaml = scene.read("all.yaml");
    for line in [
        "scheduler: fixed",
        "switch: 96",
        "fill: {LUT: 80 %}",
        "device: {name: mine, LUT: 4000}",
        "variants: [{name: small, fmax: 60 MHz}, {name: \"no 1\", cost: {LUT: 90}}]",
        "    priority: 2",
        "    nonpreemptive: 40",
        "        wcet_high: 950",
    ] {
        assert!(yaml.lines().any(|other| other.replace('"', "") == line.replace('"', "")), "{line}: {yaml}");
    }
    let set = isx::taskset::read_str("all.yaml", &yaml).unwrap().task_set;
    assert_eq!(set.tasks[0].wcets.len(), 2);
    assert!(scene.isx("import m/all.yaml -o all.yaml --overwrite").code(0).stderr.contains("wrote all.yaml"));
    // Mistakes in them are shown in the manifest.
    for (from, to, words) in [
        ("scheduler: fixed", "scheduler: fixd", &["unknown scheduler `fixd`", "m/all.yaml:5:12"][..]),
        ("jitter: 3 us", "jitter: 3 ms", &["`jitter` of task `t` is above the deadline", "m/all.yaml:19:13"]),
        (
            "jitter: 3 us",
            "jiter: 3 us",
            &["unknown key `jiter` in task `t`", "did you mean `jitter`?", "m/all.yaml:19:5"],
        ),
        ("nonpreemptive: 40", "wcet: 40", &["unknown key `wcet` in task `t`"]),
    ] {
        scene.write("m/all.yaml", manifest(head, task, software).replacen(from, to, 1));
        scene.isx("import m/all.yaml").refused(2, words);
    }
    // By mode, and an area without them.
    scene.write(
        "m/all.yaml",
        manifest("modes: [a, b]\n", "", "1500").replace("period: 1 ms", "period: {a: 1 ms, b: 4 ms}"),
    );
    let yaml = scene.isx("import m/all.yaml").code(0).stdout;
    has(&yaml, &["\nmodes: [a, b]\n", "\n    period: {a: 1 ms, b: 4 ms}\n"]);
}

#[test]
fn a_combination_far_from_the_sum_of_its_blocks_is_a_warning() {
    let scene = scene();
    let report = |luts: u32| {
        format!(
            "{{\"creator\": \"Yosys 0.70\", \"modules\": {{}}, \"design\": {{\"num_cells_by_type\": {{\"SB_LUT4\": {luts}}}}}}}"
        )
    };
    for (name, luts) in [("b", 1000), ("x", 1100), ("y", 1300), ("xy", 1320)] {
        scene.write(&format!("m/s-{name}.json"), report(luts));
    }
    let text = "schema: isx.measure/1\nclock: 48 MHz\nresources: {LUT: SB_LUT4}\nbase: {reports: [s-b.json]}\nblocks:\n  \
                x: {reports: [s-x.json]}\n  y: {reports: [s-y.json]}\ncheck:\n  - {blocks: [x, y], reports: [s-xy.json]}\n\
                tasks: {t: {period: 1 ms, software: 9, choices: {c: {uses: [x, y], cycles: 5}}}}\n";
    scene.write("m/sum.yaml", text);
    let said = scene.isx("import m/sum.yaml").code(0).stderr;
    let message = "warning: blocks x + y together: 320 LUT built, 400 LUT by their sum (-20 %)\n";
    assert!(said.contains(message) && said.contains("m/sum.yaml:9:14"), "{said}");
    scene.write("m/s-xy.json", report(1390));
    assert!(!scene.isx("import m/sum.yaml").code(0).stderr.contains("together"));
}

#[test]
fn designs_of_the_front_are_compared_with_what_was_built() {
    let scene = scene();
    let none = point(&scene, "");
    let both = point(&scene, "port,sha");
    let line = |report: &str| format!("confirm set.yaml front/front.json --manifest m/measure.yaml {report}");
    let good = scene
        .isx(&line(&format!("--report {none}=m/base-s1.json,m/base-s2.json --report {both}=m/port+sha.json")))
        .code(0);
    assert!(good.stdout.ends_with("All 2 are within 5 % of their predictions.\n"), "{}", good.stdout);
    assert!(good.stdout.contains("1599   1599"), "{}", good.stdout);

    // The design with `port` alone is off by more than a tenth; without a manifest Yosys's usual words count.
    let line = format!("confirm set.yaml front/front.json --report {both}=m/port.json");
    let off = scene.isx(&line).code(1).stdout;
    assert!(off.contains("1 of 1 are off by more than 5 %. These blocks do not add up:\n- port + sha: predicted 1838 LUT, built 1650 (-10.2 %)"), "{off}");
    scene.isx(&format!("{line} --tolerance 11%")).code(0);
    let document = scene.isx(&format!("{line} --json")).code(1).json();
    let number: u64 = both.parse().unwrap();
    assert_eq!(
        document["rows"],
        json!([{
            "point": number, "blocks": ["port", "sha"], "predicted": {"LUT": "1838", "DSP": "0"},
            "built": {"LUT": "1650", "DSP": "0"}, "difference": {"LUT": "-188", "DSP": "0"}, "within_tolerance": false
        }])
    );
    assert_eq!(document["schema"], "isx.confirm/1");
    assert_eq!(document["largest"], json!(number));
    assert_eq!(document["within_tolerance"], false);
    assert_eq!(document["tolerance"], "5 %");
    assert_eq!(document["not_additive"], json!([["port", "sha"]]));
}

#[test]
fn an_area_needs_the_base_of_the_manifest() {
    let scene = scene();
    let text = scene
        .read("m/measure.yaml")
        .replace("resources: {LUT: SB_LUT4, DSP: SB_MAC16}\n", "resources: [LUT]\n")
        .replace("device: iCE40UP5K\n", "")
        .replace("  mul: {reports: [mul.json], slot: unit}\n", "");
    scene.write("m/area.yaml", text);
    scene
        .isx("-q import m/area.yaml -o set.yaml --overwrite")
        .refused(2, &["`device` (line ", "block `mul` (line "]);
    std::fs::remove_file(scene.path("set.yaml")).unwrap();
    scene.isx("-q import m/area.yaml -o set.yaml --overwrite").code(0);
    scene.isx("-q explore set.yaml --format json --out front").code(0);
    let both = point(&scene, "port,sha");
    let line = format!("confirm set.yaml front/front.json --report {both}=m/port+sha.json");
    scene.isx(&line).refused(2, &["the task set has areas", "give the manifest with --manifest"]);
    let document = scene.isx(&format!("{line} --manifest m/area.yaml --json")).code(0).json();
    assert_eq!(document["rows"][0]["predicted"], "239");
    assert_eq!(document["rows"][0]["built"], "239");
    scene
        .isx(&format!("{line} --manifest m/measure.yaml"))
        .refused(2, &["it counts LUT, DSP, and the task set LUT"]);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let scene = scene();
    let confirm = "confirm set.yaml front/front.json";
    for (more, words) in [
        ("", &["--report <POINT=FILE[,FILE]>"][..]),
        ("--report 0", &["write POINT=FILE, for example 3=build/3.json"]),
        ("--report one=m/port.json", &["`one` is not the number of a design"]),
        ("--report 0=", &["write POINT=FILE"]),
        ("--report 99=m/port.json", &["the front has no design 99, its designs are 0 to "]),
        (
            "--report 0=m/port.json --report 0=m/mul.json",
            &["names design 0 twice: put commas between its files"],
        ),
        ("--report 0=m/none.json", &["m/none.json: "]),
        ("--report 0=m/broken.json", &["m/broken.json:1:"]),
        ("--report 0=m/run.json", &["counts no hardware", "m/run.json:1:1"]),
        ("--report 0=m/port.json --tolerance 5", &["`5` is not a share below 1: write `5 %`"]),
        ("--list --report 0=m/port.json", &["cannot be used with"]),
    ] {
        scene.isx(&format!("{confirm} {more}")).refused(2, words);
    }
    let other = scene.read("set.yaml").replace("LUT: 188", "LUT: 189");
    scene.write("other.yaml", other);
    scene
        .isx("confirm other.yaml front/front.json --list")
        .refused(2, &["costs something else in other.yaml", "`isx explore other.yaml`"]);
    scene.write("named.yaml", scene.read("set.yaml").replace("name: measured", "name: another"));
    scene
        .isx("confirm named.yaml front/front.json --list")
        .refused(2, &["it is the front of `measured`, and this is `another`"]);
}

/// The keys that a message lists behind `the keys of .. are`.
fn keys(message: &str) -> Vec<&str> {
    let listed = message.rsplit_once(" are `").unwrap().1.trim_end().trim_end_matches('`');
    let mut keys: Vec<&str> = listed.split("`, `").collect();
    keys.sort_unstable();
    keys
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let scene = scene();
    let schema: Value = scene.isx("schema measure").code(0).json();
    let good = scene.read("m/measure.yaml");
    let cases: [(&str, &str, &[&str]); 7] = [
        ("name: measured", "unknown: 1\nname: measured", &["properties"]),
        ("base: {", "base: {unknown: 1, ", &["properties", "base", "properties"]),
        ("  mul: {", "  mul: {unknown: 1, ", &["properties", "blocks", "additionalProperties", "properties"]),
        (
            "  - {blocks: [port, sha]",
            "  - {unknown: 1, blocks: [port, sha]",
            &["properties", "check", "items", "properties"],
        ),
        (
            "  plain: {",
            "  plain: {unknown: 1, ",
            &["properties", "tasks", "additionalProperties", "properties"],
        ),
        (
            "hash: {",
            "hash: {unknown: 1, ",
            &[
                "properties",
                "tasks",
                "additionalProperties",
                "properties",
                "choices",
                "additionalProperties",
                "properties",
            ],
        ),
        ("software: {", "software: {unknown: 1, ", &["$defs", "figure", "oneOf", "1", "properties"]),
    ];
    for (from, to, path) in cases {
        assert_eq!(good.matches(from).count(), 1, "{from}");
        scene.write("m/bad.yaml", good.replace(from, to));
        let refused = scene.isx("import m/bad.yaml").code(2).stderr;
        let found = path
            .iter()
            .fold(&schema, |value, key| key.parse::<usize>().map_or_else(|_| &value[*key], |at| &value[at]));
        let mut named: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
        named.sort_unstable();
        assert_eq!(keys(&refused), named, "{from}: {refused}");
    }
}

/// Every design of the committed front was built: what `make -C benchmarks/measured confirm` writes comes out again.
#[test]
fn the_designs_of_the_measured_front_are_as_predicted() {
    let measured = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/measured");
    let read = |file: &str| std::fs::read_to_string(measured.join("reports/front").join(file)).unwrap();
    let run = |more: &[String]| {
        let mut arguments: Vec<String> =
            ["confirm", "../../tasksets/picorv32-measured.yaml", "reports/front/front.json"]
                .map(str::to_owned)
                .to_vec();
        arguments.extend_from_slice(more);
        Ran::of(Scene::new().command(&arguments).current_dir(&measured)).code(0).stdout
    };
    let designs = read("designs.txt");
    assert_eq!(run(&["--list".to_owned()]), designs);
    let mut reports = vec!["--manifest".to_owned(), "measure.yaml".to_owned()];
    for (point, blocks) in designs.lines().filter_map(|line| line.split_once('\t')) {
        let system = if blocks.is_empty() { "base" } else { blocks };
        let system = system.replace(',', "+").replace("-on-port", "");
        reports.extend(["--report".to_owned(), format!("{point}=reports/designs/{system}.flow2.json")]);
    }
    assert_eq!(reports.len(), 2 + 2 * 72);
    assert_eq!(run(&reports), read("confirm.txt"));
}
