//! Task sets whose processor has variants: what the commands print, write and refuse.

use super::report::data;
use super::scene::{Scene, has};
use serde_json::{Value, json};

const CORES: &str = "\
name: cores
area_unit: LUT
clock: 100 MHz
variants:
  - {name: small, area: 500, fmax: 90 MHz}
  - {name: cached, area: 900.5}
blocks: [{name: mul, area: 120, fmax: 80 MHz}]
tasks:
  - name: filter
    wcet: {small: 60000, cached: 30000}
    period: 1 ms
    choices:
      - {name: mac, uses: [mul], wcet: {small: 30000, cached: 14000}}
      - {name: fir, area: 60, saves: 5000}
  - {name: log, wcet: {small: 50000, cached: 40000}, period: 1 ms, choices: [{name: zip, uses: [mul], wcet: 20000}]}
";

fn cores() -> Scene {
    let scene = Scene::new();
    scene.write("cores.yaml", CORES);
    scene
}

#[test]
fn the_front_of_one_area_names_the_variant_of_every_design() {
    let scene = cores();
    let wanted = "\
cores
Exact Pareto front of 4 designs, checked

 area/LUT  utilization  EDF  choices and blocks (changes from the row above)
      500     1.222222   no  on small
      560     1.166667   no  filter=fir
      620     0.625000  yes  filter=mac, log=zip; +mul; 80 MHz
   1020.5     0.425000  yes  on cached

Software only on small: utilization 1.222222, not schedulable
Smallest schedulable area: 620 LUT, utilization 0.625000
  variant small
  with filter=mac, log=zip
  blocks mul
  clock 80 MHz
Smallest area with 10, 20, 30 % margin: 620, 620, 620 LUT

Wrote front.csv, front.json and front.svg to output/cores
";
    assert_eq!(scene.isx("explore cores.yaml").code(0).stdout, wanted);
    let csv = "\
area,utilization_num,utilization_den,utilization,schedulable,schedulable_within,blocks,variant,clock_hz,filter,log
500,11,9,1.2222222222222223,false,false,,small,90000000,,
560,7,6,1.1666666666666667,false,false,,small,90000000,fir,
620,5,8,0.625,true,true,mul,small,80000000,mac,zip
1020.5,17,40,0.425,true,true,mul,cached,80000000,mac,zip
";
    assert_eq!(scene.read("output/cores/front.csv"), csv);
    let front = scene.json("output/cores/front.json");
    assert_eq!(front["schema"], "isx.front/3");
    assert_eq!((&front["base"]["area"], &front["base"]["variant"]), (&json!("500"), &json!("small")));
    assert_eq!(front["points"][3]["area"], "1020.5");
    assert_eq!(front["points"][3]["variant"], "cached");
    assert_eq!(front["min_schedulable_designs"][0]["variant"], "small");
    let shown = scene.isx("show output/cores/front.json --point 2").code(0).stdout;
    has(&shown, &["variant     small\n", "next        area 1020.5 LUT (+400.5)"]);
    assert!(shown.contains("utilization 0.425000 (-0.200000): on cached"), "{shown}");
    scene.isx("plot output/cores/front.json -o front.svg").code(0);
    scene.isx("compare output/cores/front.json output/cores/front.json").code(0);
}

#[test]
fn check_show_and_fit_take_the_best_variant() {
    let scene = cores();
    let wanted = "\
cores: SCHEDULABLE under EDF with area 1100 LUT
The utilization is at most 1 and no deadline is shorter than its period

least utilization  0.425 = 17/40
slack              0.575 = 23/40
area used          1020.5 LUT
smallest area      620 LUT
variant            cached
choices            filter=mac, log=zip
blocks             mul
clock              80 MHz
lowest clock       34 MHz
";
    assert_eq!(scene.isx("check cores.yaml --area 1100").code(0).stdout, wanted);
    let verdict = scene.isx("check cores.yaml --area 600 --json").code(1).json();
    let said = ["area", "min_schedulable_area", "variant", "clock_hz"].map(|key| &verdict[key]);
    assert_eq!(said, [&json!("560"), &json!("620"), &json!("small"), &json!("90000000")]);
    let none = scene.isx("check cores.yaml --area 499").code(1);
    has(&none.stderr, &["no design has area 499 or less: the processor alone takes 500"]);
    let design = scene.isx("show cores.yaml --max-utilization 1/2 --json").code(0).json();
    assert_eq!((&design["variant"], &design["clock_hz"]), (&json!("cached"), &json!("80000000")));
    assert_eq!(design["tasks"][0]["wcet"], json!({"software": "60000", "design": "14000"}));
    // 14000 cycles of 80 MHz in 1 ms; software has 60000 of the first variant's 90 MHz.
    let loads = &design["tasks"][0]["utilization"];
    assert_eq!((&loads["design"]["num"], &loads["design"]["den"]), (&json!("7"), &json!("40")));
    assert_eq!((&loads["software"]["num"], &loads["software"]["den"]), (&json!("2"), &json!("3")));
    let fit = scene.isx("fit cores.yaml --device iCE40UP5K --device LP1K --json").code(0).json();
    assert_eq!(fit["rows"][0]["variant"], "cached");
    assert_eq!(fit["rows"][0]["cost"], json!({"LUT": "1020.5"}));
}

#[test]
fn one_variant_may_be_chosen() {
    let scene = cores();
    let big = scene.isx("explore cores.yaml --variant cached --json").code(0).json();
    assert_eq!(big["what_if"], json!(["the processor is cached"]));
    let areas: Vec<&Value> = big["points"].as_array().unwrap().iter().map(|point| &point["area"]).collect();
    assert_eq!(areas, [&json!("900.5"), &json!("960.5"), &json!("1020.5")]);
    assert!(big["points"][0].get("variant").is_none());
    scene.isx("check cores.yaml --variant cached --area 900").code(1);
    scene.isx("check cores.yaml --variant cached --area 900.5").code(0);
    // The cycles of the answer are those of the variant's clock, which is lower than that of the file.
    let rated = CORES.replacen("area_unit: LUT", "scheduler: rm", 1);
    scene.write("rated.yaml", rated);
    let small = scene.isx("check rated.yaml --variant small --json").code(0).json();
    assert_eq!(small["what_if"], json!(["the processor is small, with cycles of its clock of 90 MHz"]));
    assert_eq!(small["response_times"][0]["deadline"], "90000");
    scene
        .isx("explore cores.yaml --variant cahced")
        .refused(2, &["--variant: there is no variant `cahced` of the processor; did you mean `cached`?"]);
}

#[test]
fn what_is_made_for_one_processor_is_refused() {
    let scene = cores();
    scene.isx("explore cores.yaml --opb o").refused(
        2,
        &["--opb is for a task set with one processor, and that of `cores` has variants: choose one with --variant NAME"],
    );
    scene.isx("explore cores.yaml --variant small --opb front.opb").code(0);
}

#[test]
fn a_page_names_the_variant_of_every_design() {
    let scene = cores();
    scene.isx("explore cores.yaml --format json,html --out o -q").code(0);
    scene.isx("report o/front.json -o alone.html").code(0);
    scene.isx("report o/front.json --taskset cores.yaml -o whole.html").code(0);
    let [own, alone, whole] =
        ["o/front.html", "alone.html", "whole.html"].map(|page| data(&scene.read(page)));
    for page in [&own, &alone, &whole] {
        assert!(page["tasks"].as_array().unwrap().iter().all(|task| task["name"] != "processor"));
        assert_eq!(page["variants"], json!(["small", "cached"]));
        let base = &page["document"]["base"];
        assert_eq!((&base["area"], &base["variant"]), (&json!("500"), &json!("small")));
        assert_eq!(page["document"]["min_schedulable_designs"][0]["variant"], "small");
    }
    // Of every task the times in each variant; which is a fact of the design.
    assert_eq!(alone["tasks"][0]["places"], json!([]));
    assert_eq!((&own["tasks"], &own["front"]), (&whole["tasks"], &whole["front"]));
    let places = own["tasks"][0]["places"].as_array().unwrap();
    assert_eq!((&places[0]["wcet"], &places[1]["choices"][0]), (&json!("60000"), &json!("14000")));
    assert_eq!((&whole["origin"]["of"], &whole["limit"]), (&json!("front and task set"), &json!("decides")));
    scene.write("other.yaml", CORES.replacen("60000", "60001", 1));
    scene
        .isx("report o/front.json --taskset other.yaml -o no.html")
        .refused(2, &["this is not the front of `cores`: the utilization in software is"]);
}

#[test]
fn fronts_and_verdicts_of_variants_are_proved() {
    let scene = cores();
    scene.isx("explore cores.yaml --certificate front.cert -q --out o").code(0);
    let wanted = "\
cores.yaml: PROVED
question: task set, all areas
the front has these 4 points and no other
first: area 500, utilization 11/9, variant small; last: area 1020.5, utilization 17/40, variant cached
2 points are schedulable, 2 are overloaded
certificate: 288 bytes, 24 pairs; SHA-256 of the input's numbers 3be9534906d9d6abeca235c364d0251f9649fc4e7ed5f9c2c716bf7b9479372d
";
    assert_eq!(scene.isx("verify cores.yaml front.cert").code(0).stdout, wanted);
    let proof = scene.isx("verify cores.yaml front.cert --json").code(0).json();
    let front = scene.isx("explore cores.yaml --json").code(0).json();
    let points = proof["points"].as_array().unwrap();
    for (proved, point) in points.iter().zip(front["points"].as_array().unwrap()) {
        for key in ["area", "utilization", "variant"] {
            assert_eq!(proved[key], point[key], "{key}");
        }
    }
    assert_eq!((points.len(), &proof["complete"]), (front["points"].as_array().unwrap().len(), &json!(true)));
    scene
        .isx("verify cores.yaml front.cert --variant small")
        .refused(7, &["the certificate is about another input"]);
    scene
        .isx("verify cores.yaml front.cert --max-area 900")
        .refused(7, &["it is about all areas, not about areas up to 900; leaving out --max-area asks the certificate's question"]);
    scene.isx("check cores.yaml --area 620 --certificate area.cert -q").code(0);
    let proved = scene.isx("verify cores.yaml area.cert --area 620 -q").code(0).stdout;
    assert_eq!(
        proved,
        "cores.yaml: PROVED: task set, areas up to 620: a design of area 620, utilization 5/8, variant small is schedulable\n"
    );
    scene.isx("check cores.yaml --area 510 --certificate no.cert -q").code(1);
    let proved = scene.isx("verify cores.yaml no.cert --area 510 -q").code(0).stdout;
    assert_eq!(
        proved,
        "cores.yaml: PROVED: task set, areas up to 510: no design within area 510 is schedulable\n"
    );
    scene.isx("explore cores.yaml --variant cached --certificate cached.cert -q --out c").code(0);
    let proved = scene.isx("verify cores.yaml cached.cert --variant cached -q").code(0).stdout;
    assert_eq!(
        proved,
        "cores.yaml: PROVED: task set, all areas, --variant cached: the front has these 3 points and no other; first: area \
         900.5, utilization 7/10; last: area 1020.5, utilization 17/40; 3 points are schedulable, 0 are overloaded\n"
    );
}
