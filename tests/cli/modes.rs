//! Task sets with several modes, and tasks that exceed their WCETs: what the commands print, and what they refuse.

use super::report::data;
use super::scene::{Scene, has};
use serde_json::{Value, json};

const SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/gateway-modes.yaml");

#[test]
fn every_design_has_its_utilization_in_each_mode_and_the_front_what_modes_cost_alone() {
    let scene = Scene::new();
    let front = scene.isx(&format!("explore {SET} --json")).code(0).json();
    assert_eq!(front["schema"], "isx.front/3");
    assert_eq!(front["modes"], json!(["serving", "updating"]));
    for design in front["points"]
        .as_array()
        .unwrap()
        .iter()
        .chain([&front["base"], &front["min_schedulable_designs"][0]])
    {
        let critical = design["critical_mode"].as_str().unwrap();
        assert_eq!(design["mode_utilization"][critical], design["utilization"]);
        let in_mode = |mode: &str| design["mode_utilization"][mode]["approx"].as_f64().unwrap();
        let largest = in_mode("serving").max(in_mode("updating"));
        assert_eq!(design["utilization"]["approx"].as_f64(), Some(largest));
    }
    let area = |modes: &[&str], area: &str| json!({"modes": modes, "min_schedulable_area": area, "min_schedulable_unknown": null});
    let both = area(&["serving", "updating"], "1117");
    assert_eq!(front["mode_areas"], json!([area(&["serving"], "1117"), area(&["updating"], "787"), both]));
}

#[test]
fn a_verdict_is_given_for_each_mode_and_the_tasks_of_one_are_shown() {
    let scene = Scene::new();
    let verdict = scene.isx(&format!("check {SET} --area 800 --json")).code(1).json();
    assert_eq!(verdict["mode_schedulable"], json!({"serving": false, "updating": true}));
    assert_eq!(verdict["critical_mode"], "serving");
    let shown = |flags: &str| scene.isx(&format!("show {SET} --smallest --json {flags}")).code(0).json();
    let names = |shown: &serde_json::Value| -> Vec<String> {
        shown["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|task| task["task"].as_str().unwrap().to_owned())
            .collect()
    };
    let (critical, serving) = (shown(""), shown("--mode serving"));
    assert_eq!((&critical["mode"], &serving["mode"]), (&json!("updating"), &json!("serving")));
    assert_eq!(names(&critical), ["esp-encrypt", "esp-decrypt", "image-sha256"]);
    assert_eq!(names(&serving), ["esp-encrypt", "esp-decrypt", "session-rekey", "packet-sha256"]);
    let schedule = scene.isx(&format!("show {SET} --smallest --mode serving --gantt -")).code(0).stdout;
    assert!(schedule.contains("\n<title>gateway-modes, mode serving</title>\n"), "{schedule}");
    let unknown = scene.isx(&format!("show {SET} --smallest --mode serve")).code(2);
    assert_eq!(
        unknown.stderr,
        "error: --mode: there is no mode `serve`; the modes are `serving`, `updating`\n"
    );
}

const DRONE: &str = "\
name: drone
resources: [LUT, DSP]
modes: [cruise, landing]
blocks: [{name: mul, cost: {LUT: 30, DSP: 4}}]
tasks:
  - {name: cipher, wcet: 60, period: {cruise: 100, landing: 400}, choices: [{name: sbox, cost: {LUT: 480}, wcet: 9}]}
  - {name: radar, wcet: 70, period: {landing: 100}, choices: [{name: mac, cost: {LUT: 40}, uses: [mul], wcet: 20}]}
  - {name: attitude, wcet: 50, period: 100, choices: [{name: mulacc, uses: [mul], wcet: 28}]}
";

#[test]
fn several_resources_are_counted_in_several_modes() {
    let scene = Scene::with("drone.yaml", DRONE);
    let front = scene.isx("explore drone.yaml --json").code(0).json();
    assert_eq!((&front["schema"], &front["modes"]), (&json!("isx.front/3"), &json!(["cruise", "landing"])));
    let points: Vec<(&Value, &Value, &Value)> = front["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| (&point["cost"], &point["utilization"]["approx"], &point["critical_mode"]))
        .collect();
    let cost = |lut: &str, dsp: &str| json!({"LUT": lut, "DSP": dsp});
    let (none, mul, mac, both) = (cost("0", "0"), cost("30", "4"), cost("70", "4"), cost("550", "4"));
    let sbox = cost("480", "0");
    let (cruise, landing) = (json!("cruise"), json!("landing"));
    let numbers = [1.35, 1.13, 0.88, 1.2225, 0.5025].map(|number| json!(number));
    assert_eq!(
        points,
        [
            (&none, &numbers[0], &landing),
            (&mul, &numbers[1], &landing),
            (&mac, &numbers[2], &cruise),
            (&sbox, &numbers[3], &landing),
            (&both, &numbers[4], &landing),
        ]
    );
    assert_eq!(front["min_schedulable"], json!([cost("70", "4")]));
    assert_eq!(front.get("mode_areas"), None);
    let verdict = scene.isx("check drone.yaml --within DSP=3 --json").code(1).json();
    assert_eq!(verdict["mode_schedulable"], json!({"cruise": true, "landing": false}));
    let shown = scene.isx("show drone.yaml --within LUT=400 --mode landing --json").code(0).json();
    assert_eq!((&shown["cost"], &shown["mode"]), (&cost("70", "4"), &json!("landing")));
    let fits = scene.isx("fit drone.yaml --device UP5K --device LP1K --json").code(0).json();
    let verdicts: Vec<&Value> =
        fits["rows"].as_array().unwrap().iter().map(|row| &row["schedulable"]).collect();
    assert_eq!(verdicts, [&json!(true), &json!(false)]);
    scene.isx("explore drone.yaml --out o --format csv,svg,html -q").code(0);
    assert!(scene.read("o/front.csv").starts_with("LUT,DSP,utilization_num,"));
    scene.isx("explore drone.yaml --certificate c -q").code(0);
    let proof = scene.isx("verify drone.yaml c --json").code(0).json();
    assert_eq!(
        (&proof["points"][2]["cost"], &proof["min_schedulable"]),
        (&cost("70", "4"), &json!([cost("70", "4")]))
    );
    scene.isx("check drone.yaml --within DSP=3 --certificate c -q").code(1);
    let proof = scene.isx("verify drone.yaml c --within DSP=3 -q").code(0).stdout;
    has(&proof, &["no design within DSP 3 is schedulable"]);
    // The base counts at a price too, and is proved.
    for (base, area) in [("", "106"), ("base: {LUT: 100, DSP: 1}\n", "215")] {
        scene.write("drone.yaml", format!("{base}{DRONE}"));
        let price = scene.isx("explore drone.yaml --price LUT=1,DSP=9 --certificate c -q").code(0).stdout;
        let wanted = format!("drone: 4 designs, smallest schedulable area {area}, utilization 0.880000\n");
        assert_eq!(price, wanted);
        scene.isx("verify drone.yaml c --price LUT=1,DSP=9").code(0);
        scene.isx("verify drone.yaml c --price LUT=2,DSP=9").code(7);
    }
}

#[test]
fn a_processor_with_variants_runs_in_several_modes() {
    let scene = Scene::new();
    scene.write(
        "drone.yaml",
        "name: drone\nvariants: [{name: small}, {name: cached, area: 4}]\nmodes: [cruise, landing]\ntasks:\n\
         - {name: t, wcet: {small: {cruise: 5, landing: 6}, cached: 3}, period: {cruise: 8, landing: 10}, choices: [{name: c, area: 1, saves: 1}]}\n\
         - {name: u, wcet: 4, period: {landing: 8}, choices: [{name: m, area: 2, wcet: {cached: 1, small: 2}}]}\n",
    );
    let text = scene.isx("explore drone.yaml --out o --format json,csv,svg,html").code(0).stdout;
    assert!(text.contains(" on small in landing\n") && text.contains("  landing alone: 1\n"), "{text}");
    let table = scene.read("o/front.csv");
    assert!(table.contains("\n5,7,10,0.7,true,true,cached,0.25,0.7,c,\n"), "{table}");
    let page = data(&scene.read("o/front.html"));
    assert_eq!((&page["tasks"][0]["name"], page["variants"].as_array().unwrap().len()), (&json!("t"), 2));
    assert_eq!(page["document"]["modes"], json!(["cruise", "landing"]));
    let shown = scene.isx("show drone.yaml --point 4 --mode landing --json").code(0).json();
    assert_eq!(shown["variant"], "cached");
    assert_eq!(shown["tasks"][0]["wcet"], json!({"software": "6", "design": "2"}));
    let verdict = scene.isx("check drone.yaml --area 0 --json").code(1).json();
    assert_eq!(verdict["mode_schedulable"], json!({"cruise": true, "landing": false}));
    scene.isx("explore drone.yaml --certificate c -q").code(0);
    let proof = scene.isx("verify drone.yaml c --json").code(0).json();
    assert_eq!(proof["points"].as_array().unwrap().len(), table.lines().count() - 1);
    scene.isx("check drone.yaml --area 0 --certificate c -q").code(1);
    has(
        &scene.isx("verify drone.yaml c --max-area 0 -q").code(0).stdout,
        &["no design within area 0 is schedulable"],
    );
    scene.isx("explore drone.yaml --variant cached --certificate c -q").code(0);
    let proof = scene.isx("verify drone.yaml c --variant cached --json").code(0).json();
    assert_eq!((&proof["claim"], &proof["points"][0]["area"]), (&json!("front"), &json!("4")));
    scene.isx("check drone.yaml --variant cached --area 5 --certificate c -q").code(0);
    scene.isx("verify drone.yaml c --variant cached --max-area 5").code(0);
}

#[test]
fn the_page_and_the_picture_show_the_modes_of_the_front() {
    let scene = Scene::new();
    scene.isx(&format!("explore {SET} --out o --format json,svg,html")).code(0);
    let front = scene.json("o/front.json");
    let page = data(&scene.read("o/front.html"));
    for same in ["modes", "mode_areas", "base", "min_schedulable_designs"] {
        assert_eq!(page["document"][same], front[same], "{same}");
    }
    assert_eq!((&page["origin"]["of"], &page["limit"]), (&json!("task set"), &json!("decides")));
    let picture = scene.read("o/front.svg");
    assert!(picture.contains("updating has the largest utilization from area 1117 NAND2 on"), "{picture}");
    scene.isx("plot o/front.json -o again.svg").code(0);
    assert_eq!(scene.read("again.svg"), picture);
    scene.isx("report o/front.json -o again.html").code(0);
    let again = data(&scene.read("again.html"));
    assert_eq!(again["document"], page["document"]);
    // With the task set the page has the figures of every task in every mode, and the front is compared with the set's own.
    scene.isx(&format!("report o/front.json --taskset {SET} -o whole.html")).code(0);
    let whole = data(&scene.read("whole.html"));
    assert_eq!((&whole["tasks"], &whole["front"]), (&page["tasks"], &page["front"]));
    assert_eq!(whole["origin"]["of"], "front and task set");
    let rekey = &page["tasks"][2];
    assert_eq!((&rekey["name"], &rekey["places"][1]), (&json!("session-rekey"), &json!(null)));
    assert_eq!(
        rekey["places"][0]["choices"].as_array().unwrap().len(),
        rekey["choices"].as_array().unwrap().len()
    );
    let other = scene.read("o/front.json").replacen("\"num\":\"83749\"", "\"num\":\"83748\"", 2);
    let other = other.replacen("\"approx\":0.9571314285714285", "\"approx\":0.95712", 2);
    scene.write("other.json", other);
    let refused = scene.isx(&format!("report other.json --taskset {SET} -o other.html")).code(2).stderr;
    assert!(refused.contains("not the front of"), "{refused}");
    let wrong = |from: &str, to: &str| {
        let changed = scene.read("o/front.json").replacen(from, to, 1);
        std::fs::write(scene.path("wrong.json"), changed).unwrap();
        scene.isx("plot wrong.json -o wrong.svg").code(2).stderr
    };
    assert_eq!(
        wrong("\"mode_utilization\":{\"serving\"", "\"mode_utilization\":{\"severing\""),
        "error: wrong.json: not an isx front: `base`: `mode_utilization` does not name each of `modes` once, in their order\n"
    );
    assert_eq!(
        wrong(
            "\"num\":\"83749\",\"den\":\"87500\",\"approx\":0.9571314285714285}}",
            "\"num\":\"1\",\"den\":\"8\"}}"
        ),
        "error: wrong.json: not an isx front: point 2: `utilization` is not the largest of `mode_utilization` at line 17 column 5\n"
    );
}

#[test]
fn what_is_made_for_one_mode_refuses_several_and_overruns() {
    let scene = Scene::new();
    let refused = |arguments: &str| scene.isx(arguments).code(2).stderr;
    assert_eq!(
        refused(&format!("explore {SET} --opb x.opb")),
        "error: --opb is for a task set with one mode, and `gateway-modes` has modes\n"
    );
    assert_eq!(
        refused(&format!("explore {SET} --overruns 1")),
        "error: overruns need a `wcet_high` of some task or choice\n"
    );
    let high = "name: x\ntasks: [{name: a, wcet: 1, wcet_high: 2, period: 4}]\n";
    std::fs::write(scene.path("high.yaml"), high).unwrap();
    let front = scene.isx("explore high.yaml --overruns 1 --json").code(0).json();
    assert_eq!((&front["overruns"], &front["base"]["utilization"]["approx"]), (&json!(1), &json!(0.5)));
    assert_eq!(
        refused("explore high.yaml --overruns 1 --opb x.opb"),
        "error: --opb is for WCETs that no task exceeds: leave --overruns out\n"
    );
}

#[test]
fn fronts_and_verdicts_of_modes_are_proved_and_verified() {
    let scene = Scene::new();
    let front = scene.isx(&format!("explore {SET} --json --certificate c")).code(0).json();
    assert_eq!(front["status"], "proved");
    let proof = scene.isx(&format!("verify {SET} c --json")).code(0).json();
    let (points, proved) = (front["points"].as_array().unwrap(), proof["points"].as_array().unwrap());
    let shown = |point: &serde_json::Value| (point["area"].clone(), point["utilization"].clone());
    assert!(points.iter().map(shown).eq(proved.iter().map(shown)) && points.len() == 7);
    assert_eq!(proof["schedulable"].as_array().unwrap().len(), points.len());
    scene.isx(&format!("check {SET} --area 800 --certificate c")).code(1);
    assert!(
        scene
            .isx(&format!("verify {SET} c --area 800 -q"))
            .code(0)
            .stdout
            .ends_with(": PROVED: task set, areas up to 800: no design within area 800 is schedulable\n")
    );
    scene.isx(&format!("check {SET} --area 1200 --certificate c")).code(0);
    let printed = scene.isx(&format!("verify {SET} c --area 1200 -q")).code(0).stdout;
    assert!(printed.contains("is schedulable") && printed.contains("a design of area "), "{printed}");
    let long = "name: x\nmodes: [a, b]\ntasks:\n- {name: t, wcet: 1, period: {a: 999999999989, b: 999999999961}}\n\
                - {name: u, wcet: 1, period: {a: 999999999959, b: 999999999937}}\n";
    scene.write("long.yaml", long);
    assert_eq!(
        scene.isx("explore long.yaml --json --certificate c").code(7).stderr,
        "error: not proved: the demand of a mode over the hyperperiod of all modes has more than 62 bits: certificates of \
         modes are for fewer\n"
    );
}

#[test]
fn a_certificate_of_overruns_is_for_as_many_as_were_asked_about() {
    let high = "name: x\ntasks: [{name: a, wcet: 3, wcet_high: 5, period: 4, choices: [{name: c, area: 2, wcet: 1}]}]\n";
    let scene = Scene::with("high.yaml", high);
    let front = scene.isx("explore high.yaml --overruns 1 --json --certificate c").code(0).json();
    assert_eq!(front["status"], "proved");
    let proof = scene.isx("verify high.yaml c --overruns 1 --json").code(0).json();
    assert_eq!((&proof["question"]["overruns"], &proof["schedulable"]), (&json!("1"), &json!([false, true])));
    assert_eq!(
        scene.isx("verify high.yaml c --overruns 1 -q").code(0).stdout,
        "high.yaml: PROVED: task set, all areas, --overruns 1: the front has these 2 points and no other; first: area 0, \
         utilization 5/4; last: area 2, utilization 1/4; 1 points are schedulable, 1 are overloaded\n"
    );
    scene.isx("verify high.yaml c").refused(7, &["or about this one with other flags"]);
    scene.isx("check high.yaml --overruns 1 --area 1 --certificate c").code(1);
    assert_eq!(
        scene.isx("verify high.yaml c --overruns 1 --area 1 -q").code(0).stdout,
        "high.yaml: PROVED: task set, areas up to 1, --overruns 1: no design within area 1 is schedulable\n"
    );
}
