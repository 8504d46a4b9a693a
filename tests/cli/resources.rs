//! Task sets with several resources: what the commands print, write and refuse.

use super::scene::Scene;
use serde_json::{Value, json};

/// A multiplier in DSP blocks frees LUTs; block RAM comes in halves.
const HUB: &str = "\
name: hub
resources: [LUT, DSP, BRAM]
device: iCE40UP5K
base: {LUT: 1614, BRAM: 4}
blocks:
  - {name: multiplier, cost: {LUT: -30, DSP: 4}}
tasks:
  - name: fir
    wcet: 10
    period: 24
    choices:
      - {name: mac, uses: [multiplier], cost: {LUT: 60}, wcet: 4}
      - {name: table, cost: {LUT: 20, BRAM: 2.5}, wcet: 7}
  - name: aes
    wcet: 15
    period: 24
    choices:
      - {name: sbox, cost: {LUT: 464}, wcet: 6}
      - {name: rom, cost: {LUT: 90, BRAM: 2}, wcet: 7}
";

fn hub() -> Scene {
    let scene = Scene::new();
    scene.write("hub.yaml", HUB);
    scene
}

/// In which fronts are written that are read again.
const FORMATS: &str = if cfg!(feature = "parquet") { "json,parquet" } else { "json" };

#[test]
fn the_table_has_a_column_per_resource_and_lists_the_minimal_costs() {
    let wanted = "\
hub
Exact Pareto front of 9 designs, checked

  LUT  DSP  BRAM  utilization  EDF  choices and blocks
 1614    0     4     1.041667   no  all in software
 1634    0   6.5     0.916667  yes  fir=table
 1644    4     4     0.791667  yes  fir=mac; multiplier
 1704    0     6     0.708333  yes  aes=rom
 1724    0   8.5     0.583333  yes  fir=table, aes=rom
 1734    4     6     0.458333  yes  fir=mac, aes=rom; multiplier
 2078    0     4     0.666667  yes  aes=sbox
 2098    0   6.5     0.541667  yes  fir=table, aes=sbox
 2108    4     4     0.416667  yes  fir=mac, aes=sbox; multiplier

Software only: utilization 1.041667, not schedulable
iCE40UP5K: LUT 5280, DSP 8, BRAM 30
Minimal schedulable costs:
  LUT 1634, DSP 0, BRAM 6.5, utilization 0.916667; left: LUT 3646, DSP 8, BRAM 23.5
  LUT 1644, DSP 4, BRAM 4, utilization 0.791667; left: LUT 3636, DSP 4, BRAM 26
  LUT 1704, DSP 0, BRAM 6, utilization 0.708333; left: LUT 3576, DSP 8, BRAM 24
  LUT 2078, DSP 0, BRAM 4, utilization 0.666667; left: LUT 3202, DSP 8, BRAM 26

Wrote front.csv, front.json and front.svg to output/hub
";
    let scene = hub();
    assert_eq!(scene.isx("explore hub.yaml").code(0).stdout, wanted);
    let csv = scene.read("output/hub/front.csv");
    let head = "LUT,DSP,BRAM,utilization_num,utilization_den,utilization,schedulable,schedulable_within,blocks,fir,aes\n\
                1614,0,4,25,24,1.0416666666666667,false,false,,,\n1634,0,6.5,11,12,0.9166666666666666,true,true,,table,\n";
    assert!(csv.starts_with(head), "{csv}");
    let line = "hub: 9 designs, minimal schedulable costs LUT 1634, DSP 0, BRAM 6.5 or LUT 1644, DSP 4, BRAM 4 or LUT 1704, \
                DSP 0, BRAM 6 or 1 more\n";
    assert_eq!(scene.isx("explore hub.yaml -q").code(0).stdout, line);
}

#[test]
fn the_document_names_its_resources_and_has_a_cost_per_design() {
    let front = hub().isx("explore hub.yaml --json --objectives DSP,LUT").code(0).json();
    assert_eq!(front["schema"], "isx.front/3");
    assert_eq!(front["resources"], json!(["LUT", "DSP", "BRAM"]));
    assert_eq!(front["objectives"], json!(["DSP", "LUT"]));
    assert_eq!(front["device"], "iCE40UP5K");
    assert_eq!(front["limits"], json!({"LUT": "5280", "DSP": "8", "BRAM": "30"}));
    assert_eq!(front["base"]["cost"], json!({"LUT": "1614", "DSP": "0", "BRAM": "4"}));
    let costs: Vec<&Value> = front["points"].as_array().unwrap().iter().map(|point| &point["cost"]).collect();
    let key = |cost: &&Value| ["DSP", "LUT"].map(|name| cost[name].as_str().unwrap().parse::<u32>().unwrap());
    assert!(costs.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])), "{costs:?}");
    assert_eq!(front["min_schedulable"], json!([{"LUT": "1634", "DSP": "0", "BRAM": "6.5"}]));
    assert_eq!(front["min_schedulable_designs"][0]["choices"], json!({"fir": "table", "aes": null}));
    assert_eq!(front["min_schedulable_unknown"], Value::Null);
    for field in ["area_unit", "min_schedulable_area", "margins"] {
        assert!(front.get(field).is_none(), "{field}");
    }
    assert_eq!(front["points"][0].as_object().unwrap().keys().next().unwrap(), "cost");
}

#[test]
fn check_decides_within_limits_or_finds_all_minimal_costs() {
    let scene = hub();
    let verdict = scene.isx("check hub.yaml --within LUT=1640,BRAM=6 --json").code(1).json();
    assert_eq!(verdict["schema"], "isx.verdict/2");
    assert_eq!(verdict["verdict"], "not_schedulable");
    assert_eq!(verdict["reason"], "the least utilization within the limits is above 1");
    assert_eq!(verdict["limits"], json!({"LUT": "1640", "DSP": "8", "BRAM": "6"}));
    assert_eq!((&verdict["min_schedulable"], &verdict["cost"]["LUT"]), (&Value::Null, &json!("1614")));
    let line = "hub: SCHEDULABLE under EDF on iCE40HX4K: LUT 3520, DSP 0, BRAM 20\n";
    assert_eq!(scene.isx("check hub.yaml --device hx4k -q").code(0).stdout, line);
    let all = scene.isx("check hub.yaml --json").code(0).json();
    let lut: Vec<&Value> =
        all["min_schedulable"].as_array().unwrap().iter().map(|cost| &cost["LUT"]).collect();
    assert_eq!(lut, ["1634", "1644", "1704", "2078"]);
    assert_eq!(all["cost"], all["min_schedulable"][0]);
    scene
        .isx("check hub.yaml --within LUT=100")
        .refused(1, &["no design is within the limits of LUT 100, DSP 8, BRAM 30"]);
}

#[test]
fn show_has_a_bar_per_resource_from_a_set_and_from_its_front() {
    let scene = hub();
    let within = scene.isx("show hub.yaml --within LUT=1720").code(0).stdout;
    assert!(
        within.starts_with("hub: design of least utilization within the limits, SCHEDULABLE under EDF\n")
    );
    assert!(within.contains("\nLUT         1704 of 1720 (99.1 %) "), "{within}");
    assert!(within.contains("\nDSP         0 of 8 (0.0 %)\n"), "{within}");
    scene.isx("explore hub.yaml -q").code(0);
    for input in ["hub.yaml", "output/hub/front.json"] {
        let design = scene.isx(&format!("show {input} --point 2 --json")).code(0).json();
        assert_eq!(design["schema"], "isx.design/2");
        assert_eq!(design["cost"], json!({"LUT": "1644", "DSP": "4", "BRAM": "4"}));
        assert_eq!(design["point"], 2);
        assert_eq!(design["points"], 9);
        assert_eq!(design["next"], Value::Null);
        let smallest = scene.isx(&format!("show {input} --smallest --json")).code(0).json();
        assert_eq!(smallest["cost"]["LUT"], "1634");
        let fast = scene.isx(&format!("show {input} --max-utilization 1/2 --json")).code(0).json();
        assert_eq!(fast["cost"]["LUT"], "1734");
        let none = scene.isx(&format!("show {input} --max-utilization 0.1"));
        none.refused(
            1,
            &["no design has utilization 0.1 or less; the least that can be reached is about 0.416666667"],
        );
    }
    scene
        .isx("show hub.yaml --area 3")
        .refused(2, &["`hub` counts LUT, DSP, BRAM, not one area", "--within"]);
    scene.isx("show output/hub/front.json --area 3").refused(
        1,
        &["the front counts LUT, DSP, BRAM, not one area; choose a design by limits with --within, by its number or by its \
           utilization"],
    );
}

#[test]
fn a_front_shows_its_least_utilization_within_limits_as_its_set_does() {
    let scene = hub();
    scene.isx(&format!("explore hub.yaml -q --format {FORMATS}")).code(0);
    let wanted = "\
hub: design 3 (numbered 0 to 8), SCHEDULABLE under EDF
cost LUT 1704, DSP 0, BRAM 6, utilization 1.041667 -> 0.708333
What if: at most 1720 LUT

 fir  software
 aes  rom

LUT         1704 of 1720 (99.1 %) ███████████████████▉
DSP         0 of 8 (0.0 %)
BRAM        6 of 30 (20.0 %) ████
utilization about 0.708333333, exactly 17/24
slack       about 0.291666667, exactly 7/24
margin      not known: a front does not contain deadlines; show the design from its task set
blocks      none
";
    let keys = ["cost", "utilization", "limits", "device", "schedulable", "schedulable_within", "what_if"];
    for format in FORMATS.split(',') {
        let front = &format!("output/hub/front.{format}");
        assert_eq!(scene.isx(&format!("show {front} --within LUT=1720")).code(0).stdout, wanted);
        for limits in [
            "--within LUT=1720",
            "--device hx4k",
            "--within LUT=2000,BRAM=6 --device hx4k",
            "--within LUT=1620",
        ] {
            let [from_front, from_set] = [front, "hub.yaml"]
                .map(|input| scene.isx(&format!("show {input} {limits} --json")).code(0).json());
            for key in keys.iter().filter(|key| limits != "--within LUT=1620" || **key != "cost") {
                assert_eq!(from_front[key], from_set[key], "{front} {limits} {key}");
            }
        }
        let none = scene.isx(&format!("show {front} --within LUT=100"));
        none.refused(1, &["no design is within the limits of LUT 100, DSP 8, BRAM 30"]);
    }
    let refused = |command: &str, words: &str| drop(scene.isx(command).refused(2, &[words]));
    refused(
        "show output/hub/front.json --within LUTS=3",
        "--within: there is no resource `LUTS`; did you mean `LUT`?",
    );
    refused(
        "show output/hub/front.json --within LUT=1720 --point 3",
        "--within and --device choose a design of a front by themselves; leave out the other flag that chooses one",
    );
    refused(
        "show output/hub/front.json --within LUT=1720 --objectives LUT",
        "--force, --forbid, --variant, --scale-wcet, --margin, --objectives and --price change a task set, and this is a front",
    );
    scene.isx("explore hub.yaml -q --objectives LUT,DSP --format json --out two").code(0);
    refused(
        "show two/front.json --within BRAM=5",
        "BRAM is no objective of this front, so a design within the limit may be missing; show it from the task set",
    );
    scene.write("area.yaml", "name: area\ntasks: [{name: a, wcet: 1, period: 2}]\n");
    scene.isx("explore area.yaml -q --format json").code(0);
    refused(
        "show output/area/front.json --within LUT=5",
        "this front has one area and no resources by name; choose a design with --area",
    );
}

#[test]
fn fronts_of_several_resources_are_compared_design_by_design() {
    let scene = hub();
    scene.write(
        "fast.yaml",
        HUB.replace("LUT: 60}, wcet: 4", "LUT: 60}, wcet: 3")
            .replace("rom, cost: {LUT: 90", "rom, cost: {LUT: 92"),
    );
    scene.isx(&format!("explore hub.yaml -q --format {FORMATS} --out a")).code(0);
    scene.isx("explore fast.yaml -q --format json --out b").code(0);
    let wanted = "\
a: a/front.json (hub), 9 designs, minimal schedulable costs LUT 1634, DSP 0, BRAM 6.5 or LUT 1644,
   DSP 4, BRAM 4 or LUT 1704, DSP 0, BRAM 6 or 1 more
b: b/front.json (hub), 9 designs, minimal schedulable costs LUT 1634, DSP 0, BRAM 6.5 or LUT 1644,
   DSP 4, BRAM 4 or LUT 1706, DSP 0, BRAM 6 or 1 more

Within the same LUT, whatever the DSP and BRAM:
LUT 1614 to 1644   equal
LUT 1644 to 1704   b has less utilization, by up to 0.041667 (from LUT 1644 on)
LUT 1704 to 1706   a has less utilization, by up to 0.041667 (from LUT 1704 on)
LUT 1706 to 1724   equal
LUT 1724 to 1726   a has less utilization, by up to 0.125000 (from LUT 1724 on)
LUT 1726 to 1734   equal
LUT 1734 to 1736   a has less utilization, by up to 0.125000 (from LUT 1734 on)
LUT 1736 and more  b has less utilization, by up to 0.041667 (from LUT 1736 on)

Of a: 4 equal, 2 dominated by b, 3 that b has no match for; most at LUT 1704, DSP 0, BRAM 6,
      utilization 0.708333, where b has 1.041667
Of b: 4 equal, 2 dominated by a, 3 that a has no match for; most at LUT 1644, DSP 4, BRAM 4,
      utilization 0.750000, where a has 0.791667

Each has designs that the other has no match for. Least utilization: a 0.416667, b 0.375000.
";
    assert_eq!(scene.isx("compare a/front.json b/front.json").code(0).stdout, wanted);
    let own = FORMATS.split(',').next_back().map(|format| format!("a/front.{format}")).unwrap();
    let compared = scene.isx(&format!("compare {own} b/front.json a/front.json --json")).code(0).json();
    assert_eq!(compared["schema"], "isx.comparison/2");
    assert_eq!(compared["objectives"], json!(["LUT", "DSP", "BRAM"]));
    let pairs = compared["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 6);
    let wanted = json!({
        "of": 1, "by": 0, "equal": 4, "dominated": 2, "unmatched": 3,
        "equal_points": [0, 1, 6, 7], "dominated_points": [3, 4], "unmatched_points": [2, 5, 8],
        "most": {"point": 2, "least": {"num": "19", "den": "24", "approx": 19.0 / 24.0}},
    });
    assert_eq!(pairs[2], wanted);
    assert_eq!((&pairs[1]["by"], &pairs[1]["equal"]), (&json!(2), &json!(9)));
    assert_eq!(
        compared["fronts"][1]["min_schedulable"][0],
        json!({"LUT": "1634", "DSP": "0", "BRAM": "6.5"})
    );
    if cfg!(feature = "parquet") {
        let line = "The fronts are equal. Least utilization: front.parquet 0.416667, front.json 0.416667.\n";
        assert_eq!(scene.isx("compare a/front.parquet a/front.json -q").code(0).stdout, line);
    }
    scene.isx("explore hub.yaml -q --objectives LUT,DSP --format json --out c").code(0);
    scene.isx("compare a/front.json c/front.json").refused(
        2,
        &["the designs of `a/front.json` are compared by LUT, DSP, BRAM, those of `c/front.json` by LUT, DSP: explore both \
           with the same --objectives"],
    );
    let picture = scene.isx("compare a/front.json b/front.json -o -").code(0).stdout;
    assert!(picture.contains("a has less utilization here") && picture.contains(">LUT<"), "{picture}");
}

#[test]
fn fit_has_a_row_per_device_and_names_what_binds() {
    let scene = hub();
    let three = "--device iCE40UP5K --device hx4k --device LP1K";
    let wanted = "\
hub

device     verdict          utilization  LUT        DSP  BRAM    binds
iCE40UP5K  SCHEDULABLE         0.416667  2108/5280  4/8  4/30
iCE40HX4K  SCHEDULABLE         0.541667  2098/3520  0/0  6.5/20  DSP
iCE40LP1K  NOT SCHEDULABLE            -  -/1280     -/0  -/16    the base does not fit: LUT

Smallest schedulable device: iCE40HX4K
Minimal schedulable costs: LUT 1634, DSP 0, BRAM 6.5 or LUT 1644, DSP 4, BRAM 4 or LUT 1704, DSP 0,
                           BRAM 6 or 1 more
";
    assert_eq!(scene.isx(&format!("fit hub.yaml {three}")).code(0).stdout, wanted);
    let fit = scene.isx(&format!("fit hub.yaml {three} --json")).code(0).json();
    assert_eq!((&fit["schema"], &fit["smallest_device"]), (&json!("isx.fit/1"), &json!("iCE40HX4K")));
    let [up, hx, lp] = [0, 1, 2].map(|at| &fit["rows"][at]);
    assert_eq!(up["utilization"], json!({"num": "5", "den": "12", "approx": 0.4166666666666667}));
    assert_eq!((&up["binding"], &up["blocks"]), (&json!([]), &json!(["multiplier"])));
    assert_eq!((&hx["binding"], &hx["cost"]["BRAM"]), (&json!(["DSP"]), &json!("6.5")));
    assert_eq!(hx["choices"], json!({"fir": "table", "aes": "sbox"}));
    assert_eq!(lp["schedulable"], false);
    assert_eq!(lp["utilization"], Value::Null);
    assert_eq!(lp["cost"], Value::Null);
    assert_eq!(lp["binding"], json!(["LUT"]));
    scene.isx("fit hub.yaml --device LP1K").code(1);
    scene.isx("fit hub.yaml --device LP1").refused(2, &["--device: there is no known device `LP1`"]);
    let all = scene.isx("fit hub.yaml --all-families --json").code(0).json();
    assert!(all["rows"].as_array().unwrap().len() > 20);
}

#[test]
fn what_is_made_for_one_area_is_refused_with_the_flag_that_helps() {
    let scene = hub();
    let refused = |command: &str, words: &str| drop(scene.isx(command).refused(2, &[words]));
    refused(
        "explore hub.yaml --max-area 5",
        "help: limit its resources with --within, as in --within LUT=5000,DSP=8",
    );
    refused(
        "check hub.yaml --area 5",
        "help: limit its resources with --within, as in --within LUT=5000,DSP=8",
    );
    scene.isx("explore hub.yaml --format json -q").code(0);
    refused(
        "plot output/hub/front.json --max-area 5",
        "--max-area, --log-area and --axis are for fronts of one area, and this one counts several resources: leave them out, or \
         limit the front with `isx explore --within`",
    );
    refused(
        "check hub.yaml --arithmetic i64",
        "the arithmetic cannot be chosen\nhelp: leave --arithmetic out",
    );
    refused(
        "check hub.yaml --device 0",
        "--device (a GPU is chosen with --gpu): there is no known device `0`",
    );
    let priced = scene.isx("explore hub.yaml --price LUT=1,DSP=80 -q").code(0).stdout;
    assert_eq!(priced, "hub: 6 designs, smallest schedulable area 1634, utilization 0.916667\n");
}

#[test]
fn a_task_named_like_a_resource_keeps_a_column_of_its_own() {
    let scene = Scene::new();
    scene.write(
        "like.yaml",
        "name: like\nresources: [LUT, blocks]\ntasks: [{name: LUT, wcet: 1, period: 2}]\n",
    );
    scene.isx("explore like.yaml -q").code(0);
    let head = scene.read("output/like/front.csv");
    assert!(head.starts_with("LUT,resource blocks,utilization_num,"), "{head}");
    assert!(head.lines().next().unwrap().ends_with(",task LUT"), "{head}");
}

#[test]
fn what_is_not_within_the_limits_is_told_in_these_words() {
    let scene = hub();
    let limits = "--within LUT=1620";
    scene
        .isx(&format!("show hub.yaml --smallest {limits}"))
        .refused(1, &["no design within the limits is schedulable"]);
    scene
        .isx(&format!("show hub.yaml --max-utilization 1 {limits}"))
        .refused(1, &["the least that can be reached within the limits is"]);
}

#[test]
fn several_sets_have_their_costs_in_the_table() {
    let scene = hub();
    scene.write("small.yaml", "name: small\ntasks: [{name: a, wcet: 1, period: 2}]\n");
    let wanted = "\
task set  verdict          smallest area
hub       SCHEDULABLE      LUT 1634, DSP 0, BRAM 6.5 or LUT 1644, DSP 4, BRAM 4 or LUT 1704, DSP 0, BRAM 6 or 1 more
small     SCHEDULABLE      0

2 task sets: 2 schedulable, 0 not schedulable
";
    assert_eq!(scene.isx("check hub.yaml small.yaml").code(0).stdout, wanted);
}

#[test]
fn pictures_and_pages_are_the_same_from_the_set_and_from_its_front() {
    let scene = hub();
    scene.isx("explore hub.yaml --format json,svg,html -q").code(0);
    let svg = scene.read("output/hub/front.svg");
    for words in [
        "Exact Pareto front of utilization and LUT, DSP and BRAM, 9 designs",
        ">DSP ≤ 4<",
        ">BRAM ≤ 8.5<",
        "iCE40UP5K: 5280 LUT, farther right than this picture",
    ] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    assert_eq!(scene.isx("plot output/hub/front.json -o -").code(0).stdout, svg);
    let titled = scene.isx("plot output/hub/front.json -o - --title Choices --from-zero").code(0).stdout;
    assert!(titled.contains("<title>Choices</title>") && titled != svg);
    let page = scene.read("output/hub/front.html");
    let alone = scene.isx("report output/hub/front.json -o -").code(0).stdout;
    let checked = scene.isx("report output/hub/front.json --taskset hub.yaml -o -").code(0).stdout;
    for page in [&page, &alone, &checked] {
        assert!(page.contains("\"schema\":\"isx.report/4\"") && page.ends_with("</html>\n"));
    }
    assert!(checked.contains("\"wcet\":\"10\"") && !alone.contains("\"wcet\":\"10\""));
}

#[test]
fn a_front_that_contradicts_itself_or_its_set_is_refused() {
    let scene = hub();
    scene.isx("explore hub.yaml --format json -q").code(0);
    let front = scene.read("output/hub/front.json");
    let refused = |from: &str, to: &str, words: &str| {
        assert!(front.contains(from), "{from}");
        scene.write("changed.json", front.replacen(from, to, 1));
        scene.isx("plot changed.json -o -").refused(2, &[words]);
        scene.isx("report changed.json -o -").refused(2, &[words]);
    };
    refused("\"BRAM\":\"6.5\"", "\"BRAM\":\"6.x\"", "`6.x` is no exact number");
    refused("\"BRAM\":\"6.5\"", "\"RAM\":\"6.5\"", "`cost` must name each of LUT, DSP, BRAM once");
    refused(
        "\"LUT\":\"1634\"",
        "\"LUT\":\"1\"",
        "the costs in the objectives do not rise (first objective first)",
    );
    refused(
        "\"objectives\": [\"LUT\"",
        "\"objectives\": [\"FF\"",
        "`objectives` must be some of `resources`, each once",
    );
    refused("\"resources\"", "\"counts\"", "the field `resources` must stand before the points");
    // The page is checked against the set: with another cost of a point it is refused.
    scene.write("changed.json", front.replacen("\"LUT\":\"1724\"", "\"LUT\":\"1725\"", 1));
    scene.isx("report changed.json -o -").code(0);
    scene
        .isx("report changed.json --taskset hub.yaml -o -")
        .refused(2, &["this is not the front of `hub`", "point 4"]);
}
