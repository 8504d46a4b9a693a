//! Task sets that name reports, `isx import` of them, and `isx confirm`: what is predicted against what was built.

use super::scene::{Ran, Scene, has};
use serde_json::json;
use std::path::Path;

/// A scene with the files of `tests/data/import/measured` in its folder `m`, their set with numbers, and its front.
fn scene() -> Scene {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("m")).unwrap();
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import/measured")).unwrap()
    {
        let path = entry.unwrap().path();
        std::fs::copy(&path, scene.path("m").join(path.file_name().unwrap())).unwrap();
    }
    scene.isx("-q import m/set.yaml -o set.yaml").code(0);
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
fn a_set_reads_the_reports_beside_it_whatever_the_command() {
    let scene = scene();
    let ran = scene.isx("import m/set.yaml").code(0);
    assert_eq!(ran.stdout, scene.read("set.yaml"));
    let warnings =
        ["warning: block `mul` takes -299 LUT", "m/set.yaml:15:12", "warning: the base reaches 41.5 MHz"];
    has(&ran.stderr, &warnings);
    // The set with reports is the set with numbers: fronts, folders and hashes are of the numbers.
    let explored = scene.isx("explore m/set.yaml --format json,csv --out measured").code(0);
    has(&explored.stderr, &warnings);
    assert_eq!(scene.read("measured/front.json"), scene.read("front/front.json"));
    assert_eq!(
        scene.isx("explore m/set.yaml -q --out measured --format csv").code(0).stdout,
        scene.isx("explore set.yaml -q").code(0).stdout
    );
    let hash = |scene: &Scene| scene.read("measured/.isx-input.json");
    let before = hash(&scene);
    scene.write("m/port.json", scene.read("m/port.json").replace("1650", "1655"));
    scene.isx("explore m/set.yaml -q --out measured --format json,csv").code(0);
    assert_ne!(hash(&scene), before, "another report, another input");
    scene.isx("check m/set.yaml --json").code(0);
    scene.isx("show m/set.yaml --smallest -q").code(0);
    scene.isx("fit m/set.yaml -q").code(0);
    // What the set names is not beside standard input, nor beside a copy elsewhere.
    let text = scene.read("m/set.yaml");
    let mut piped = scene.line("explore -");
    piped.stdin(std::fs::File::open(scene.path("m/set.yaml")).unwrap());
    Ran::of(&mut piped).refused(
        2,
        &[
            "reports are read relative to a file, and this text comes from no file",
            "standard input:7:7",
            "isx import SET.yaml",
        ],
    );
    scene.write("copy.yaml", &text);
    scene
        .isx("check copy.yaml")
        .refused(2, &["copy.yaml:7:18", "report `base-s1.json`: ", "begin at the folder of the task set"]);
    for (flags, words) in [
        ("--clock 1MHz", "a clock was given"),
        ("--name other", "a name was given"),
        ("--choices m/set.yaml", "a table was given"),
    ] {
        scene.isx(&format!("import m/set.yaml {flags}")).refused(2, &[words, "files of format task set"]);
    }
    scene.isx("import set.yaml").refused(2, &["the file is a task set already, and names no reports"]);
    scene.write("m/old.yaml", "schema: isx.measure/1\nname: old\ntasks: {}\n");
    for command in ["import", "explore"] {
        scene.isx(&format!("{command} m/old.yaml")).refused(
            2,
            &[
                "this is a manifest of measurements (schema isx.measure/1)",
                "\"Manifests of before\" in `docs/measuring.md`",
            ],
        );
    }
}

#[test]
fn all_that_a_set_says_besides_stays_as_it_is() {
    let scene = scene();
    let text = "# ours\nname: all\nclock: 48 MHz\nresources: {LUT: SB_LUT4}\nbase: {reports: [base-s1.json]}\nscheduler: fixed\n\
                switch: 96\nfill: {LUT: 80 %}\ndevice: {name: mine, LUT: 4000}\nvariants:\n  - {name: small, fmax: 60 MHz}\n  \
                - name: \"no 1\"\n    cost: {reports: [port.json], less: base} # with a port\nblocks:\n  \
                - {name: port, cost: {reports: [port.json], less: base}, switch: 8}\ntasks:\n  - name: t\n    period: 1 ms\n    \
                priority: 2\n    jitter: 3 us\n    nonpreemptive: 40\n    wcet: {small: 1500, \"no 1\": {reports: [run.json], name: cycles}}\n    \
                choices:\n      - {name: p, uses: [port], wcet: 900, wcet_high: 950, source: \"by hand\"}\n";
    scene.write("m/all.yaml", text);
    scene.isx("import m/all.yaml -o all.yaml").code(0);
    let yaml = scene.read("all.yaml");
    let (_, body) = yaml.split_once("# ours\n").unwrap();
    let wanted = text
        .replace("# ours\n", "")
        .replace("{LUT: SB_LUT4}", "[LUT]")
        .replace("base: {reports: [base-s1.json]}", "base: {LUT: 1610}")
        .replace(
            "cost: {reports: [port.json], less: base} # with a port",
            "cost: {LUT: 40}\n    source: \"port.json less base-s1.json\" # with a port",
        )
        .replace(
            "cost: {reports: [port.json], less: base}, switch",
            "cost: {LUT: 40}, source: \"port.json less base-s1.json\", switch",
        )
        .replace("{reports: [run.json], name: cycles}}", "5897}\n    source: \"run.json cycles\"");
    assert_eq!(body, wanted);
    has(
        &yaml,
        &[
            "# Imported by isx ",
            " from all.yaml, a task set that names reports.\n# The base takes 1610 LUT: base-s1.json.\n",
        ],
    );
    // Importing again replaces numbers, and keeps what the new file has too.
    assert!(scene.isx("import m/all.yaml -o all.yaml --overwrite").code(0).stderr.contains("wrote all.yaml"));
    scene.write(
        "all.yaml",
        yaml.replace("switch: 96", "switch: 96\n# by hand").replace("LUT: 1610", "LUT: 1600"),
    );
    scene.isx("import m/all.yaml -o all.yaml --overwrite").refused(2, &["a comment (line "]);
    scene.write("all.yaml", yaml.replace("LUT: 1610", "LUT: 1600"));
    let said = scene.isx("import m/all.yaml -o all.yaml --overwrite").code(0).stderr;
    has(&said, &["`LUT` of `base` was 1600 (line 10) and is 1610"]);
    // Mistakes beside reports are shown where they are.
    for (from, to, words) in [
        ("scheduler: fixed", "scheduler: fixd", &["unknown scheduler `fixd`", "m/all.yaml:6:12"][..]),
        ("jitter: 3 us", "jitter: 3 ms", &["`jitter` of task `t` is above the deadline", "m/all.yaml:20:13"]),
        ("jitter: 3 us", "jiter: 3 us", &["unknown key `jiter` in task `t`", "m/all.yaml:20:5"]),
        (
            "{reports: [run.json], name: cycles}}",
            "{reports: [run.json], name: cycles}, big: 4}",
            &["unknown variant `big`", "m/all.yaml:22:70"],
        ),
    ] {
        scene.write("m/all.yaml", text.replacen(from, to, 1));
        scene.isx("explore m/all.yaml").refused(2, words);
    }
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
    let text = "name: sum\nclock: 48 MHz\nresources: {LUT: SB_LUT4}\nbase: {reports: [s-b.json]}\nblocks:\n  \
                - {name: x, cost: {reports: [s-x.json], less: base}}\n  - {name: y, cost: {LUT: 300}}\ncheck:\n  \
                - {blocks: [x, y], reports: [s-xy.json]}\n\
                tasks: [{name: t, period: 1 ms, wcet: 9, choices: [{name: c, uses: [x, y], wcet: 5}]}]\n";
    scene.write("m/sum.yaml", text);
    for command in ["import", "explore", "check"] {
        let said = scene.isx(&format!("{command} m/sum.yaml")).code(0).stderr;
        let message = "warning: blocks x + y together: 320 LUT built, 400 LUT by their sum (-20 %)\n";
        assert!(said.contains(message) && said.contains("m/sum.yaml:9:5"), "{said}");
    }
    scene.write("m/s-xy.json", report(1390));
    assert!(!scene.isx("check m/sum.yaml").code(0).stderr.contains("together"));
    // The combination is a design of the front: it is confirmed without being named.
    scene.isx("-q explore m/sum.yaml --format json --out sum").code(0);
    let confirmed = scene.isx("confirm m/sum.yaml sum/front.json").code(0).stdout;
    has(
        &confirmed,
        &[
            "    1           1400   1390  -10 (-0.7 %)  x, y\n",
            "All 1 are within 5 % of their predictions.\n",
        ],
    );
    scene.isx("confirm m/sum.yaml sum/front.json --tolerance 0.5%").code(1);
    scene.write("m/sum.yaml", text.replace("check:\n  - {blocks: [x, y], reports: [s-xy.json]}\n", ""));
    scene.isx("confirm m/sum.yaml sum/front.json").refused(2, &["give --report <POINT=FILE[,FILE]>"]);
}

#[test]
fn designs_of_the_front_are_compared_with_what_was_built() {
    let scene = scene();
    let none = point(&scene, "");
    let both = point(&scene, "port,sha");
    let line = |report: &str| format!("confirm m/set.yaml front/front.json {report}");
    let good = scene
        .isx(&line(&format!("--report {none}=m/base-s1.json,m/base-s2.json --report {both}=m/port+sha.json")))
        .code(0);
    assert!(good.stdout.ends_with("All 2 are within 5 % of their predictions.\n"), "{}", good.stdout);
    assert!(good.stdout.contains("1599   1599"), "{}", good.stdout);

    // The design with `port` alone is off by more than a tenth; where numbers are read, Yosys's usual words count.
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
fn an_area_needs_the_base() {
    let scene = scene();
    scene.write(
        "area.yaml",
        "name: a\ntasks: [{name: t, wcet: 9, period: 9, choices: [{name: c, area: 3, wcet: 2}]}]\n",
    );
    scene.isx("-q explore area.yaml --format json --out area").code(0);
    let refused = scene.isx("confirm area.yaml area/front.json --report 1=m/port+sha.json");
    refused.refused(2, &["the task set has areas", "`resources: [LUT]` with a `base`"]);
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

/// Every design of the committed front was built: what `make -C benchmarks/measured confirm` writes comes out again.
#[test]
fn the_designs_of_the_measured_front_are_as_predicted() {
    let measured = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/measured");
    let read = |file: &str| std::fs::read_to_string(measured.join("reports/front").join(file)).unwrap();
    let run = |more: &[String]| {
        let mut arguments: Vec<String> =
            ["confirm", "measured.yaml", "reports/front/front.json"].map(str::to_owned).to_vec();
        arguments.extend_from_slice(more);
        Ran::of(Scene::new().command(&arguments).current_dir(&measured)).code(0).stdout
    };
    let designs = read("designs.txt");
    assert_eq!(run(&["--list".to_owned()]), designs);
    let mut reports = Vec::new();
    for (point, blocks) in designs.lines().filter_map(|line| line.split_once('\t')) {
        let system = if blocks.is_empty() { "base" } else { blocks };
        let system = system.replace(',', "+").replace("-on-port", "");
        reports.extend(["--report".to_owned(), format!("{point}=reports/designs/{system}.flow2.json")]);
    }
    assert_eq!(reports.len(), 2 * 72);
    assert_eq!(run(&reports), read("confirm.txt"));
}
