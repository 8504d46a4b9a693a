//! Tasks with parts, and relations of blocks: what the commands print, write and read back.

use super::scene::{Scene, has};
use serde_json::{Value, json};

const DECODER: &str = "\
name: decoder
area_unit: LUT
clock: 100 MHz
cores: {count: 1..2, area: 100}
blocks:
  - {name: port, area: 40}
  - {name: mul, area: 260, needs: [port]}
  - {name: simd, area: 900, provides: [mul]}
tasks:
  - name: decode
    wcet: 900000
    period: 20 ms
    parts:
      - {name: idct, choices: [{name: mac, uses: [mul], saves: 210000}, {name: simd, uses: [simd], saves: 260000}]}
      - {name: bits, choices: [{name: clz, area: 35, saves: 42000}]}
  - name: audio
    wcet: 500000
    period: 10 ms
    instructions:
      - {name: mac, uses: [mul], saves: 100000}
      - {name: sat, area: 20, saves: 30000}
  - {name: other, wcet: 100000, period: 5 ms, choices: [{name: c1, uses: [mul], wcet: 60000}]}
";

fn decoder() -> Scene {
    let scene = Scene::new();
    scene.write("decoder.yaml", DECODER);
    scene
}

#[test]
fn the_front_takes_one_choice_of_each_part() {
    let scene = decoder();
    let wanted = "\
decoder
Exact Pareto front of 8 designs, checked

 area/LUT  utilization  EDF  choices and blocks (changes from the row above)
      100     1.150000   no  all in software
      120     1.120000   no  audio/sat
      155     1.099000   no  decode/bits=clz
      400     0.865000  yes  decode/idct=mac, decode/bits=software, audio/mac … 4 more
      420     0.835000  yes  audio/sat
      455     0.814000  yes  decode/bits=clz
     1020     0.810000  yes  decode/idct=simd, decode/bits=software; +simd -port -mul
     1055     0.789000  yes  decode/bits=clz

";
    let printed = scene.isx("explore decoder.yaml").code(0).stdout;
    assert!(printed.starts_with(wanted), "{printed}");
    let csv = scene.read("output/decoder/front.csv");
    has(&csv, &["schedulable_within,blocks,decode/idct,decode/bits,audio/mac,audio/sat,other\n"]);
    let json: Value = serde_json::from_str(&scene.read("output/decoder/front.json")).unwrap();
    let last = &json["points"][7];
    let choices = json!({"decode": {"idct": "simd", "bits": "clz"}, "audio": {"mac": "mac", "sat": "sat"}, "other": "c1"});
    // The unit that does the work of `mul` serves all that use it.
    assert_eq!((&last["choices"], &last["blocks"]), (&choices, &json!(["simd"])));
    // Read back, the front is the same, with the set and without.
    let shown = scene.isx("show output/decoder/front.json --point 7 --json").code(0).json();
    assert_eq!(shown["tasks"][1], json!({"task": "decode/idct", "choice": "simd"}));
    scene.isx("report output/decoder/front.json --taskset decoder.yaml -o page.html").code(0);
}

#[test]
fn every_question_takes_parts() {
    let scene = decoder();
    let check = scene.isx("check decoder.yaml --area 1000 --json").code(0).json();
    assert_eq!(check["choices"]["decode"], json!({"idct": "mac", "bits": "clz"}));
    // A part by its choice, an instruction by its name.
    let forced =
        scene.isx("check decoder.yaml --force decode/idct=simd --forbid audio/sat --json").code(0).json();
    assert_eq!(forced["choices"]["decode"]["idct"], "simd");
    assert_eq!(forced["choices"]["audio"]["sat"], Value::Null);
    let forced =
        scene.isx("check decoder.yaml --force decode/bits=clz --force audio/sat --json").code(0).json();
    assert_eq!(forced["choices"]["audio"]["sat"], "sat");
    let show = scene.isx("show decoder.yaml --area 2000").code(0).stdout;
    has(
        &show,
        &["decode                    ", "900000 -> 598000", "decode/idct  simd", "-260000", "audio/mac"],
    );
    let cores = scene.isx("partition decoder.yaml --json").code(0).json();
    let best = &cores["rows"][1];
    assert_eq!(best["area"], "200");
    assert_eq!(best["choices"]["decode"], json!({"idct": null, "bits": null}));
    assert_eq!(best["assignment"].as_object().unwrap().len(), 3, "a task is on one core");
    for scheduler in ["rm", "dm", "fixed"] {
        let text = DECODER.replace("area_unit", &format!("scheduler: {scheduler}\narea_unit"));
        let text = match scheduler {
            "fixed" => text
                .replace("period: 20 ms", "period: 20 ms\n    priority: 1")
                .replace("period: 10 ms", "period: 10 ms\n    priority: 2")
                .replace("period: 5 ms", "period: 5 ms, priority: 3"),
            _ => text,
        };
        scene.write("set.yaml", &text);
        let parts = scene.isx("check set.yaml --json").json();
        assert_eq!(parts["response_times"].as_array().map(Vec::len), Some(3), "{parts}");
    }
}

#[test]
fn certificates_prove_what_is_said_of_parts() {
    let scene = decoder();
    for ask in [
        "explore decoder.yaml --certificate c.isxc",
        "check decoder.yaml --area 390 --certificate c.isxc",
        "partition decoder.yaml --cores 1 --certificate c.isxc",
        "partition decoder.yaml --cores 2 --certificate c.isxc",
    ] {
        let code = if ask.contains("390") { 1 } else { 0 };
        scene.isx(ask).code(code);
        let asked = if code == 1 { " --max-area 390" } else { "" };
        scene.isx(&format!("verify decoder.yaml c.isxc{asked}")).code(0);
    }
    scene.write("decoder.yaml", DECODER.replace("saves: 42000", "saves: 42001"));
    scene.isx("verify decoder.yaml c.isxc").code(7);
}

#[test]
fn what_cannot_be_is_said_at_its_place() {
    let scene = Scene::new();
    for (from, to, words) in [
        ("    parts:\n", "    choices: []\n    parts:\n", "cannot be combined with `choices`"),
        ("saves: 260000", "saves: 1000000", "more than the WCET"),
        ("saves: 260000", "saves: 900000", "all of the WCET"),
        ("saves: 260000", "saves: 858000", "save all of the WCET: something of it must be left"),
        ("{name: bits, ", "{name: bits, wcet: 700000, ", "have more time than the task"),
        ("area: 35, saves", "area: 35, wcet", "needs the `wcet` of its part"),
        ("area: 35, saves", "area: 35, locks: {}, saves", "belongs to the task, not to a part"),
        ("needs: [port]", "needs: [prt]", "names an unknown block `prt`"),
        ("area: 40}", "area: 40, needs: [mul]}", "in a circle"),
        ("area: 40}", "area: 40, excludes: [mul]}", "exclude"),
        ("needs: [port]", "needs: [port], excludes: [port]", "block `mul` needs `port`, which it excludes"),
        ("{name: bits, choices", "{name: idct, choices", "a second"),
    ] {
        scene.write("set.yaml", DECODER.replace(from, to));
        has(&scene.isx("explore set.yaml").code(2).stderr, &["set.yaml:", words]);
    }
}
