//! Task sets on several cores: what `isx partition` prints, writes and refuses. The book has its tables.

use super::report::data;
use super::scene::{Scene, has};
use serde_json::json;

const PAIR: &str = "\
name: pair
area_unit: LUT
cores: {count: 1..2, area: 400}
blocks: [{name: mul, area: 300}, {name: aes, area: 250, scope: chip}]
tasks:
  - name: control
    wcet: 5
    period: 10
    core: 0
    apart: [radio]
    choices: [{name: mac, uses: [mul], wcet: 3}]
  - name: radio
    wcet: 9
    period: 10
    choices: [{name: crypt, uses: [aes], wcet: 6}]
  - {name: disk, wcet: 7, period: 10, choices: [{name: crypt, uses: [aes], wcet: 4}]}
";

#[test]
fn the_rows_are_documents_with_every_key() {
    let scene = Scene::with("pair.yaml", PAIR);
    let wanted = json!({
        "schema": "isx.partition/1",
        "taskset": "pair",
        "area_unit": "LUT",
        "core_cost": {"LUT": "400"},
        "core_area": "400",
        "rows": [
            {
                "cores": 1,
                "status": "infeasible",
                "reason": "with their fastest choices the tasks need as much time as 1.3 cores have: 0.3 of a core would have \
                           to be saved",
                "cost": null,
                "area": null,
                "bound": null,
                "cores_used": null,
                "assignment": null,
                "choices": null,
                "blocks": null,
                "chip_blocks": null,
                "utilizations": null,
                "margin": null
            },
            {
                "cores": 2,
                "status": "proved",
                "reason": null,
                "cost": {"LUT": "1050"},
                "area": "1050",
                "bound": "1050",
                "cores_used": 2,
                "assignment": {"control": 0, "radio": 1, "disk": 0},
                "choices": {"control": null, "radio": "crypt", "disk": "crypt"},
                "blocks": [[], []],
                "chip_blocks": ["aes"],
                "utilizations": [
                    {"num": "9", "den": "10", "approx": 0.9},
                    {"num": "3", "den": "5", "approx": 0.6}
                ],
                "margin": {"num": "1", "den": "9", "approx": 0.1111111111111111}
            }
        ]
    });
    assert_eq!(scene.isx("partition pair.yaml --json").code(0).json(), wanted);
    let scaled = scene.isx("partition pair.yaml --json --scale-wcet 1.2 --cores 2").code(0).json();
    assert_eq!(scaled["what_if"], json!(["every WCET is 1.2 times as long"]));
}

#[test]
fn exit_codes_say_whether_there_is_a_design() {
    let scene = Scene::with("pair.yaml", PAIR);
    let line = |arguments: &str, code: i32| {
        scene.isx(&format!("partition pair.yaml -q {arguments}")).code(code).stdout
    };
    assert_eq!(line("", 0), "pair: PROVED, least area 1050 LUT on 2 cores\n");
    assert_eq!(line("--cores 1", 1), "pair: INFEASIBLE\n");
    assert_eq!(line("--max-time 0 --cores 2", 3), "pair: UNKNOWN\n");
    let unknown = "\
pair

cores  result   area  used  largest U  margin
    2  UNKNOWN  -        -          -       -

2 cores: the time given was over, and every design needs at least 800 LUT
";
    assert_eq!(scene.isx("partition pair.yaml --max-time 0 --cores 2").code(3).stdout, unknown);
}

#[test]
fn the_picture_has_a_column_per_core() {
    let scene = Scene::with("pair.yaml", PAIR);
    let svg = scene.isx("partition pair.yaml -o -").code(0).stdout;
    roxmltree::Document::parse(&svg).unwrap();
    for text in ["core 0", "core 1", "U 0.600000", "disk: crypt, U 0.4000", "control: software, U 0.5000"] {
        assert!(svg.contains(text), "{text}\n{svg}");
    }
    let nothing = scene.isx("partition pair.yaml --cores 1 -o none.svg").code(1);
    assert_eq!(nothing.stderr, "note: nothing is drawn: no number of cores has a design\n");
    assert!(!scene.path("none.svg").exists());
}

#[test]
fn the_page_has_the_rows_of_the_command() {
    let scene = Scene::with("pair.yaml", PAIR);
    let ran = scene.isx("partition pair.yaml -o pair.html -q").code(0);
    assert_eq!(ran.stdout, "pair: PROVED, least area 1050 LUT on 2 cores\n");
    let page = data(&scene.read("pair.html"));
    assert_eq!(page["document"], scene.isx("partition pair.yaml --json").code(0).json());
    let ratio = |num: &str, den: &str, approx: f64| json!({"num": num, "den": den, "approx": approx});
    // Tasks in the order of the file: control in software, the others with their unit.
    assert_eq!(page["shares"][0], json!(null));
    assert_eq!(page["shares"][1], json!([ratio("1", "2", 0.5), ratio("3", "5", 0.6), ratio("2", "5", 0.4)]));
    assert_eq!(page["software"], ratio("21", "10", 2.1));
    assert_eq!(page["origin"]["inputs"][0]["name"], "pair.yaml");
    assert_eq!(page["origin"]["certificate"], json!(null));
    scene.isx("partition pair.yaml --cores 2 --certificate proof -o proved.html").code(0);
    assert_eq!(data(&scene.read("proved.html"))["origin"]["certificate"]["name"], "proof");
    scene.isx("partition pair.yaml --cores 1 -o none.html").code(1);
    assert_eq!(data(&scene.read("none.html"))["shares"], json!([null]));
    assert_eq!(
        scene.isx("partition pair.yaml -o pair.png").code(2).stderr,
        "error: isx writes a page or draws SVG here, so `pair.png` must end in .html or .svg\n"
    );
}

#[test]
fn what_is_not_one_area_of_one_processor_is_refused() {
    let scene = Scene::with("pair.yaml", PAIR);
    let head = "tasks: [{name: a, wcet: 1, period: 2}]\n";
    scene.write(
        "resources.yaml",
        format!("name: r\nresources: [LUT, DSP]\ncores: {{cost: {{LUT: 9}}}}\n{head}"),
    );
    scene.write(
        "variants.yaml",
        format!("name: v\nvariants: [{{name: small, area: 4}}, {{name: big}}]\n{head}"),
    );
    let refused = |arguments: &str| scene.isx(&format!("partition {arguments}")).code(2).stderr;
    assert_eq!(
        refused("resources.yaml"),
        "error: `r` counts LUT, DSP: cores are compared by one area, so give each resource a price with --price \
         LUT=..,DSP=.., or name the one to be least with --objectives LUT; --within and --device limit all of them\n"
    );
    assert_eq!(
        refused("variants.yaml"),
        "error: the processor of `v` has variants, and all cores are of one: choose it with --variant small\n"
    );
    assert_eq!(
        refused(concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/gateway-modes.yaml")),
        "error: `gateway-modes` has several modes, and tasks are divided among cores for one: write a set of the tasks of a \
         mode\n"
    );
    let line = |arguments: &str| scene.isx(&format!("partition {arguments} -q --cores 2")).code(0).stdout;
    assert_eq!(line("resources.yaml --price LUT=2,DSP=80"), "r: PROVED, least area 36 on 2 cores\n");
    assert_eq!(line("variants.yaml --variant small"), "v: PROVED, least area 8 on 2 cores\n");
    assert!(
        refused("pair.yaml --cores 3..2").contains("'--cores <N|N..N>': begins with 3, which is above 2")
    );
}

/// Hardware in LUT or in DSP; a core costs 10 LUT, and the rest of the chip 5 LUT and 1 DSP.
const SOC: &str = "\
name: soc
resources: [LUT, DSP]
base: {LUT: 5, DSP: 1}
cores: {count: 2, cost: {LUT: 10}}
blocks: [{name: mul, cost: {LUT: 6, DSP: 4}}, {name: soft, cost: {LUT: 42}}]
tasks:
  - {name: a, wcet: 8, period: 10, choices: [{name: m, uses: [mul], wcet: 4}, {name: s, uses: [soft], wcet: 5}]}
  - {name: b, wcet: 9, period: 10, choices: [{name: m, uses: [mul], wcet: 5}, {name: s, uses: [soft], wcet: 5}]}
  - {name: c, wcet: 4, period: 10}
";

#[test]
fn limits_of_resources_hold_beside_a_price_or_an_objective() {
    let scene = Scene::with("soc.yaml", SOC);
    let line =
        |flags: &str, code: i32| scene.isx(&format!("partition soc.yaml -q {flags}")).code(code).stdout;
    assert_eq!(line("--price LUT=1,DSP=8", 0), "soc: PROVED, least area 71 on 2 cores\n");
    assert_eq!(line("--price LUT=1", 0), "soc: PROVED, least area 31 LUT on 2 cores\n");
    assert_eq!(line("--objectives LUT", 0), "soc: PROVED, least area 31 LUT on 2 cores\n");
    assert_eq!(line("--objectives LUT --within DSP=4", 0), "soc: PROVED, least area 67 LUT on 2 cores\n");
    assert_eq!(line("--objectives LUT --within DSP=4,LUT=66", 1), "soc: INFEASIBLE\n");
    let row = |flags: &str| scene.isx(&format!("partition soc.yaml {flags} --json")).json();
    let found = row("--price LUT=1,DSP=8 --within DSP=3");
    assert_eq!(found["rows"][0]["area"], "75");
    assert_eq!(found["rows"][0]["cost"], json!({"LUT": "67", "DSP": "1"}));
    assert_eq!(found["limits"], json!({"DSP": "3"}));
    assert_eq!(found["core_cost"], json!({"LUT": "10", "DSP": "0"}));
    assert_eq!(found["what_if"], json!(["the area is 1 LUT + 8 DSP", "at most 3 DSP"]));
    let reason = |flags: &str| row(flags)["rows"][0]["reason"].as_str().unwrap().to_owned();
    assert_eq!(
        reason("--objectives LUT --within LUT=30"),
        "every design that meets all deadlines takes at least 31 LUT, and 30 are allowed"
    );
    assert_eq!(
        reason("--objectives LUT --within LUT=66,DSP=4"),
        "no design that meets all deadlines is within all limits at once"
    );
    let text = scene.isx("partition soc.yaml --objectives LUT --device UP5K").code(0).stdout;
    assert!(text.ends_with("\n  takes   31 of 5280 LUT, 5 of 8 DSP\n"), "{text}");
    assert_eq!(
        scene.isx("partition soc.yaml --price LUT=1 --within DSP=4 --certificate c").refused(2, &[]).stderr,
        "error: --certificate proves a least area without limits of resources, and here they are DSP 4: such an answer rests \
         on the search\n"
    );
    assert_eq!(
        scene.isx("partition soc.yaml --objectives LUT --certificate c").refused(2, &[]).stderr,
        "error: --certificate needs the price too, for `isx verify`: give --price LUT=1\n"
    );
    assert_eq!(
        scene.isx("explore soc.yaml --price LUT=1 --within DSP=4").refused(2, &[]).stderr,
        "error: a price makes one area of all resources, which then have neither objectives nor limits\n"
    );
    // An area in a unit that names a resource is limited too, and a chosen variant is part of every core.
    let head = "name: v\narea_unit: LUT\nvariants: [{name: small, area: 4}, {name: big}]\ncores: {count: 2, area: 10}\n";
    scene.write("v.yaml", format!("{head}tasks: [{{name: a, wcet: 1, period: 2}}]\n"));
    let line = |flags: &str, code: i32| scene.isx(&format!("partition v.yaml -q {flags}")).code(code).stdout;
    assert_eq!(line("--variant small", 0), "v: PROVED, least area 28 LUT on 2 cores\n");
    assert_eq!(line("--variant small --within LUT=28", 0), "v: PROVED, least area 28 LUT on 2 cores\n");
    assert_eq!(line("--variant small --within LUT=27", 1), "v: INFEASIBLE\n");
}

#[test]
fn the_front_of_two_cores_as_text_json_and_picture() {
    let scene = Scene::with("pair.yaml", PAIR);
    let text = scene.isx("partition pair.yaml --cores 2 --front").code(0).stdout;
    assert_eq!(
        text,
        "pair on 2 cores: area against the largest utilization

    area  largest U   margin  used
1050 LUT   0.900000  11.11 %     2
1350 LUT   0.700000  42.86 %     2
"
    );
    let written = scene.isx("partition pair.yaml --cores 2 --front --json").code(0).json();
    assert_eq!(written["schema"], "isx.partition/1");
    let areas: Vec<_> = written["front"].as_array().unwrap().iter().map(|point| &point["area"]).collect();
    assert_eq!(areas, ["1050", "1350"]);
    assert_eq!(written["front"][1]["utilization"], json!({"num": "7", "den": "10", "approx": 0.7}));
    assert_eq!((&written["unknown"], &written["reason"]), (&json!(null), &json!(null)));
    let none = scene.isx("partition pair.yaml --cores 1 --front").code(1).stdout;
    has(&none, &["no design: with their fastest choices the tasks need as much time as 1.3 cores"]);
    let stopped = scene.isx("partition pair.yaml --cores 2 --front --max-time 0").code(3).stdout;
    has(
        &stopped,
        &["the time given was over: designs up to a largest utilization of 1.000000 are not known"],
    );
    let svg = scene.isx("partition pair.yaml --cores 2 --front -o -").code(0).stdout;
    roxmltree::Document::parse(&svg).unwrap();
    assert!(svg.contains("1350 LUT, utilization 0.700000"), "{svg}");
    scene.write("rm.yaml", PAIR.replacen("name: pair", "name: pair\nscheduler: rm", 1));
    let refused = scene.isx("partition rm.yaml --cores 2 --front").code(2).stderr;
    assert!(refused.contains("utilization alone does not decide its deadlines"), "{refused}");
    let range = scene.isx("partition pair.yaml --front").code(2).stderr;
    assert_eq!(
        range,
        "error: --front is about one number of cores, and these are 1 to 2: name one with --cores 2\n"
    );
}

const NOTE: &str = "note: this is about one core with all tasks; `isx partition` distributes them among the `cores` of the file";

#[test]
fn other_commands_say_that_they_are_about_one_core() {
    let scene = Scene::with("pair.yaml", PAIR);
    for arguments in ["explore pair.yaml", "check pair.yaml", "show pair.yaml --area 550"] {
        let ran = scene.isx(arguments);
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.contains(NOTE), "{arguments}: {printed}");
    }
}

#[test]
fn the_least_area_on_a_number_of_cores_is_proved_and_verified() {
    let scene = Scene::with("pair.yaml", PAIR);
    assert_eq!(
        scene.isx("partition pair.yaml --certificate c").refused(2, &[]).stderr,
        "error: --certificate proves the answer for one number of cores, not for 1..2: choose one with --cores N\n"
    );
    scene.isx("partition pair.yaml --cores 2 --certificate c").code(0);
    assert_eq!(
        scene.isx("verify pair.yaml c -q").code(0).stdout,
        "pair.yaml: PROVED: task set, 2 cores: the least area on 2 cores is 1050: a design of that area meets all deadlines, \
         and none of less area does; utilization per core: 9/10, 3/5\n"
    );
    let proof = scene.isx("verify pair.yaml c --cores 2 --json").code(0).json();
    let ratio = |num: &str, den: &str, approx: f64| json!({"num": num, "den": den, "approx": approx});
    assert_eq!(proof["question"]["cores"], 2);
    assert_eq!(proof["claim"], "least division");
    assert_eq!(proof["area"], "1050");
    assert_eq!(proof["utilizations"], json!([ratio("9", "10", 0.9), ratio("3", "5", 0.6)]));
    let refused = |line: &str, printed: &str| {
        assert_eq!(scene.isx(line).refused(7, &[]).stderr, format!("error: not proved: {printed}\n"));
    };
    refused(
        "verify pair.yaml c --cores 3",
        "`c`: the certificate answers another question about this input: it is about 2 cores, not about 3 cores; \
         --cores 2 asks the certificate's question",
    );
    refused(
        "verify pair.yaml c --max-area 3",
        "`c`: the certificate is about a task set divided among cores; leave out --max-area",
    );
    scene.isx("explore pair.yaml -q --json --certificate f").code(0);
    refused("verify pair.yaml f --cores 2", "`f`: the certificate is about a task set; leave out --cores");
    scene.isx("partition pair.yaml --cores 1 --certificate c").code(1);
    assert_eq!(
        scene.isx("verify pair.yaml c -q").code(0).stdout,
        "pair.yaml: PROVED: task set, 1 core: on 1 core no design meets all deadlines\n"
    );
    scene.isx("verify pair.yaml c --cores 0").refused(2, &["0 is not in 1..=64"]);
    scene.write("other.yaml", PAIR.replace("area: 400", "area: 401"));
    scene.isx("verify other.yaml c").refused(7, &["about another input"]);
}

/// Three tasks, of which two must share a core: all cores together would be fast enough in software, and prices show that
/// two choices are needed. With a block that slows the clock there are two clocks to prove it at. Then a deadline that leaves
/// a task no option of less area than the least, so that all cores together have no design below.
#[test]
fn least_areas_that_all_cores_together_do_not_show_are_proved() {
    let slower = |fmax: u32| {
        let task = |name| {
            format!(
                "- {{name: {name}, wcet: 6 s, period: 10 s, choices: [{{name: c, area: 4, wcet: 5 s}}, {{name: d, uses: [b], wcet: 4 s}}]}}\n"
            )
        };
        format!(
            "name: x\nclock: 100 Hz\nblocks: [{{name: b, area: 4, fmax: {fmax} Hz}}]\ncores: {{area: 3}}\ntasks:\n{}{}{}",
            task("a"),
            task("b"),
            task("c")
        )
    };
    let due = "name: x\ncores: {area: 1}\ntasks:
- {name: a, wcet: 6, period: 10, deadline: 2, choices: [{name: c, area: 4, wcet: 1}]}
- {name: b, wcet: 2, period: 5, deadline: 7, choices: [{name: c, area: 7, wcet: 2}, {name: d, area: 9, wcet: 1}]}
- {name: c, wcet: 3, period: 8}
- {name: d, wcet: 10, period: 12, choices: [{name: c, area: 4, wcet: 3}, {name: d, area: 2, wcet: 8}]}
";
    for (set, least) in [(slower(70), "14"), (slower(40), "14"), (slower(80), "10"), (due.to_owned(), "6")] {
        let scene = Scene::with("x.yaml", set);
        scene.isx("partition x.yaml --cores 2 --certificate c").code(0);
        assert_eq!(scene.isx("verify x.yaml c --json").code(0).json()["area"], least);
    }
}

#[test]
fn where_only_the_search_shows_an_answer_no_certificate_is_written() {
    let task = |name| format!("- {{name: {name}, wcet: 3, period: 10, deadline: 5}}\n");
    let text = format!("name: x\nscheduler: rm\ntasks:\n{}{}{}", task("a"), task("b"), task("c"));
    let scene = Scene::with("x.yaml", text);
    let ran = scene.isx("partition x.yaml --cores 2 --certificate c").refused(7, &[]);
    assert_eq!(
        ran.stderr,
        "error: not proved: neither all cores together nor prices of the tasks show that there is no better design; such an \
         answer rests on the search alone\n"
    );
    assert!(!scene.path("c").exists());
}
