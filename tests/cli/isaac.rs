//! `isx import` of ISAAC's candidates, and `isx show --write-selection`: what no command of the book shows.

use super::scene::{Scene, has};

/// An index of candidates: name, instructions that it replaces, benefit, area, encoding weight, covered instructions.
fn index(candidates: &[(&str, u32, &str, &str, &str, &str)]) -> String {
    let candidate = |(name, replaces, benefit, area, weight, covers): &(
        &str,
        u32,
        &str,
        &str,
        &str,
        &str,
    )| {
        format!(
            "- artifacts: {{io_sub: run/f_bb.1_0/x.pkl}}\n  metrics: {{runtime_reduction_rel: {benefit}, hls_area: {area}, enc_weight: {weight}}}\n  \
             properties: {{InstrName: {name}, '#Instrs': {replaces}.0, IsoNodes: [{covers}]}}\n"
        )
    };
    format!("candidates:\n{}", candidates.iter().map(candidate).collect::<String>())
}

const SCHEDULES: &str = "\
,config,II,Fallback,Instruction latencies,Area estimate w/o lifetimes
0,SG_1_SOL_IDX_0,1,True,{},
1,SG_1_SOL_IDX_1,1,False,\"{'A': 3, 'B': 4}\",900
2,SG_1_SOL_IDX_2,2,False,\"{'A': 3, 'B': 4}\",500
3,SG_2_SOL_IDX_1,4,False,{'C': 6},70.5
4,SG_9_SOL_IDX_1,1,False,{'Z': 6},1
";

fn three() -> String {
    index(&[
        ("A", 3, "0.2", "900", "0.1", "1, 2, 3"),
        ("B", 2, "1.0e-01", "900", "0.1", "7, 8"),
        ("C", 3, "0.3", ".nan", "0.1", "3, 4, 5"),
    ])
}

#[test]
fn shared_hardware_is_a_block_of_its_group_and_slow_solutions_save_less() {
    let scene = Scene::with("loop.yml", three());
    scene.write("s.csv", SCHEDULES);
    let ran = scene.isx("import loop.yml --schedules s.csv").code(0);
    // A replaces three instructions: with one every two cycles, half of the benefit is left; B and C have none.
    let wanted = "\
blocks:
  - name: SG_1_SOL_IDX_1
    area: 900
    slot: SG_1
  - name: SG_1_SOL_IDX_2
    area: 500
    slot: SG_1
tasks:
  - name: loop
    wcet: 1
    period: 1
    source: loop.yml
    parts:
      - name: A
        choices:
          - name: SG_1_SOL_IDX_1
            uses: [SG_1_SOL_IDX_1]
            saves: 0.2
          - name: SG_1_SOL_IDX_2
            uses: [SG_1_SOL_IDX_2]
            saves: 0.1
      - name: B
        choices:
          - name: SG_1_SOL_IDX_1
            uses: [SG_1_SOL_IDX_1]
            saves: 0.1
";
    assert!(ran.stdout.ends_with(wanted), "{}", ran.stdout);
    for words in [
        "fallbacks (SG_1_SOL_IDX_0 in line 2)",
        "choices that save nothing (2 times, SG_1_SOL_IDX_2 in line ",
        "solutions of no candidate of the index (SG_9_SOL_IDX_1 in line 6)",
    ] {
        has(&ran.stderr, &[words]);
    }
}

#[test]
fn candidates_that_exclude_each_other_are_one_part() {
    let scene = Scene::with("loop.yml", three().replace(".nan", "70"));
    let ran = scene.isx("import loop.yml -o set.yaml").code(0);
    has(&ran.stderr, &["wrote set.yaml: 1 task, read as isaac"]);
    let text = std::fs::read_to_string(scene.path("set.yaml")).unwrap();
    has(&text, &["- name: A-or-C\n", "    instructions:\n      - name: B\n", "a program has one: 1."]);
    // B is a specialisation of C as well, and not of A.
    scene.write(
        "spec.dot",
        "strict digraph \"\" {\n\t0 [label=c0];\n\t2 -> 1\t[key=0,\n\t\tlabel=\"ADD [5] inp1 -> 0\"];\n\t0 -> 1;\n}\n",
    );
    let ran = scene.isx("import loop.yml --specializations spec.dot").code(0);
    has(&ran.stdout, &["- name: A-or-2-more\n"]);
    scene.write("spec.dot", "0 -> 3;\n");
    scene
        .isx("import loop.yml --specializations spec.dot")
        .refused(2, &["spec.dot:1:1", "an edge is between no two candidates", "below 3"]);
}

#[test]
fn programs_use_one_of_two_candidates_that_overlap_and_other_programs_the_other() {
    // B overlaps C, which overlaps A.
    let scene = Scene::with("loop.yml", three().replace(".nan", "70").replace("7, 8", "5, 7"));
    scene.isx("import loop.yml -o set.yaml").code(0);
    let ran = scene.isx("explore set.yaml --json").code(0);
    has(&ran.stdout, &[r#"{"loop":{"A-or-C":"C","B":null}}"#]);
    assert!(!ran.stdout.contains(r#""B":"B""#), "{}", ran.stdout);
    let rows = |program: &str, counts: [u32; 4]| {
        let archs = ["rv32", "rv32_xisaacasingle", "rv32_xisaacbsingle", "rv32_xisaaccsingle"];
        archs
            .iter()
            .zip(counts)
            .map(|(arch, count)| format!("{program},{arch},{count}\n"))
            .collect::<String>()
    };
    let report = [rows("p", [100, 99, 99, 60]), rows("q", [100, 99, 50, 99])].concat();
    scene.write("b.csv", format!("Model,Arch,Run Instructions\n{report}"));
    scene.isx("import loop.yml --benefits b.csv --clock 1MHz --period q=1ms -o both.yaml").code(0);
    let ran = scene.isx("show both.yaml --area 970 -q").code(0);
    has(&ran.stdout, &["p/A-or-C=C", "q/B", "area 970, utilization 0.350000"]);
}

#[test]
fn encodings_are_a_resource_where_they_may_run_out() {
    let scene = Scene::with(
        "loop.yml",
        three().replace(".nan", "70").replace("enc_weight: 0.1", "enc_weight: 0.625"),
    );
    scene.isx("import loop.yml -o set.yaml").code(0);
    let ran = scene.isx("show set.yaml --within area=2000 --json").code(0);
    // A and B, or C and B, need 1.25 of the encodings.
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["cost"]["encoding"], "0.625", "{}", ran.stdout);
    assert_eq!(json["utilization"]["num"], "7");
}

#[test]
fn what_is_missing_is_refused_where_it_is_missing() {
    let scene = Scene::with("loop.yml", three());
    scene.write("s.csv", SCHEDULES);
    scene.write(
        "b.csv",
        "Model,Arch,Run Instructions,Run Instructions (rel.)\ncrc,rv32im_xisaacasingle,9,0.9\n",
    );
    scene.write("none.yml", three().replace("InstrName", "Name"));
    scene.write("many.yml", three().replace("runtime_", "multi_runtime_"));
    scene.write("again.yml", three().replace("InstrName: B", "InstrName: A"));
    scene.write("plant.csv", "name,period_ms,wcet_us\nvalve,5,800\n");
    scene.write("much.yml", three().replace("0.2,", "0.9,").replace("run/f", "f"));
    scene.write("odd.csv", SCHEDULES.replace("SG_9_SOL_IDX_1", "SG_9"));
    for (command, words) in [
        ("none.yml", "a candidate has no `InstrName`"),
        ("many.yml", "no candidate has a `runtime_reduction_rel`"),
        ("much.yml", "the candidates of program `much` save all that it takes"),
        ("again.yml", "a second candidate is named `A`"),
        ("loop.yml --clock 50MHz", "the benefits of an index are shares, not cycles"),
        ("loop.yml --period sha=3", "a period is given for program `sha`, which is unknown"),
        ("loop.yml --benefits b.csv", "program `crc` has no count in software before"),
        ("loop.yml --schedules odd.csv", "`SG_9` is no solution of a sharing group"),
        ("plant.csv --schedules s.csv", "schedules, benefits, specialisations or a period were given"),
    ] {
        scene.isx(&format!("import {command}")).refused(2, &[words]);
    }
}

#[test]
fn a_selection_names_the_solutions_of_the_design_alone() {
    let scene = Scene::with("loop.yml", three());
    scene.write("s.csv", SCHEDULES);
    scene.isx("import loop.yml --schedules s.csv -o set.yaml").code(0);
    let read = || std::fs::read_to_string(scene.path("chosen.yaml")).unwrap();
    scene.isx("show set.yaml --area 600 --write-selection chosen.yaml").code(0);
    assert_eq!(read(), "- sharing_group: 1\n  solution_idx: 2\n");
    let ran = scene.isx("show set.yaml --area 10 --write-selection chosen.yaml").code(0);
    assert_eq!(read(), "[]\n");
    has(&ran.stderr, &["no instruction of these sharing groups is built: 1"]);
    scene.isx("explore set.yaml -q").code(0);
    scene
        .isx("show output/set/front.json --area 600 --write-selection chosen.yaml")
        .refused(2, &["needs the task set that was imported"]);
    scene.write("other.yaml", super::scene::SMALL);
    scene
        .isx("show other.yaml --smallest --write-selection chosen.yaml")
        .refused(2, &["`small` names no solutions of sharing groups"]);
}
