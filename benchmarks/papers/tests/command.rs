//! The program end to end on tiny instances: what it prints and writes, and its exit codes.

use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn papers() -> Command {
    Command::new(env!("CARGO_BIN_EXE_isx-papers"))
}

fn measured(line: &str, out: &Path) -> Output {
    papers().args(line.split(' ')).arg("--out").arg(out).output().unwrap()
}

fn document(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const SCHEMA: &str = "isx.bench.comparison/1";

/// The problems of a comparison, each with the number of its contestants that have times.
fn timed(document: &Value) -> Vec<(&Value, usize)> {
    assert_eq!(document["schema"], SCHEMA);
    let problems = document["problems"].as_array().unwrap().iter();
    let counted = problems.map(|problem| {
        let entries = problem["entries"].as_array().unwrap();
        (problem, entries.iter().filter(|entry| entry["outcome"]["timed"].is_object()).count())
    });
    counted.collect()
}

/// That there is a GPU; without one `--gpu` is refused, and the reason given.
fn has_gpu(line: &str, out: &Path) -> bool {
    let output = measured(&format!("{line} --gpu"), out);
    let record = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        Some(5) => {
            assert!(record.contains("the GPU engine is not available: "), "{record}");
            assert!(!out.exists(), "nothing is written where there is no GPU");
            false
        }
        code => panic!("{code:?}: {record}"),
    }
}

#[test]
fn batches_are_measured_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let line = "lemos --instances 5 --items 15 --capacities 90,80 --repeat 2";
    let printed = document(&measured(&format!("{line} --json"), &out));
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-papers lemos --instances 5 --items 15 --capacities 90,80"), "{command}");
    let [(batch, timed)] = timed(&printed)[..] else { panic!("{printed}") };
    assert!(timed == 1 && batch["entries"][0]["series"] == "baseline", "{batch}");
    assert!(std::fs::read_to_string(out.join("table.md")).unwrap().contains("| textbook loop"));
    let svg = std::fs::read_to_string(out.join("chart.svg")).unwrap();
    assert!(roxmltree::Document::parse(&svg).unwrap().descendants().any(|node| node.has_tag_name("circle")));
    has_gpu(line, &folder.path().join("gpu"));
}

#[test]
fn tables_in_waves_are_measured_beside_the_textbooks_loops() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let line = "waves --lengths 80,120 --capacities 900 --cities 8 --repeat 2";
    let printed = document(&measured(&format!("{line} --json"), &out));
    let problems = timed(&printed);
    assert_eq!(problems.len(), 2 * 2 + 1 + 1);
    for (problem, timed) in problems {
        assert!(timed == 2 && problem["answer"].as_str().unwrap().starts_with("value "), "{problem}");
    }
    assert_eq!(printed["tables"][0]["about"], "Not measured: it was not asked for.");
    has_gpu(line, &folder.path().join("gpu"));
}

#[test]
fn many_items_of_few_weights_are_measured_for_one_capacity_and_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let printed = document(&measured("boyer --items 300,400 --repeat 2 --json", &out));
    let problems = timed(&printed);
    assert_eq!(problems.len(), 4);
    for pair in problems.chunks(2) {
        let name = |at: usize| pair[at].0["name"].as_str().unwrap();
        assert!(name(0).ends_with("one capacity") && name(1).ends_with("all capacities"), "{pair:?}");
        let profit = |at: usize| pair[at].0["answer"].as_str().unwrap().split(',').next().unwrap();
        assert_eq!((profit(0), pair[0].1), (profit(1), 2));
    }
    let unknown = measured("boyer --engine abacus", &out);
    assert_eq!(unknown.status.code(), Some(5));
    has_gpu("boyer --items 300 --repeat 1", &folder.path().join("gpu"));
}

fn floats(set: &Path, flags: &[&str]) -> Output {
    papers().arg("floats").arg(set).args(flags).output().unwrap()
}

#[test]
fn fronts_in_floats_are_held_against_the_exact_one_of_any_task_set_without_shared_blocks() {
    let tasksets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasksets");
    let tutorial = tasksets.join("tutorial.yaml");
    let printed = document(&floats(&tutorial, &["--json"]));
    assert_eq!(printed["schema"], "isx.papers.floats/1");
    let variants = printed["variants"].as_array().unwrap();
    let names: Vec<&str> = variants.iter().map(|one| one["arithmetic"].as_str().unwrap()).collect();
    assert_eq!(names, ["div-f64", "div-f32", "recip-f64", "recip-f32"]);
    for one in variants {
        let count = |field: &str| one[field].as_u64().unwrap();
        assert_eq!(count("points") - count("spurious"), count("exact_points") - count("missing"), "{one}");
    }
    let less = document(&floats(&tutorial, &["--json", "--max-area", "1"]));
    assert!(less["variants"][0]["points"].as_u64() < variants[0]["points"].as_u64());
    let table = String::from_utf8(floats(&tutorial, &[]).stdout).unwrap();
    assert!(table.contains(": exact front of ") && table.contains("\n| recip-f32 | "), "{table}");

    let refused = |set: &Path, flags: &[&str], code: i32, why: &str| {
        let output = floats(set, flags);
        let record = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{record}");
        assert!(record.contains(why), "{record}");
    };
    refused(&tutorial, &["--max-memory", "1B"], 4, "a table of floats needs");
    refused(&tasksets.join("shared-sbox.yaml"), &[], 2, "know no shared blocks");

    // A block that no choice uses does not count.
    let folder = tempfile::tempdir().unwrap();
    let unused = folder.path().join("unused.yaml");
    let set = "name: alone\nblocks: [{name: mul, area: 4}]\ntasks:\n  - {name: a, wcet: 6, period: 10, \
               choices: [{name: x, area: 1, wcet: 4}]}\n";
    std::fs::write(&unused, set).unwrap();
    assert_eq!(document(&floats(&unused, &["--json"]))["variants"][0]["points"], 2);
}

#[test]
fn the_thesis_is_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let line = "thesis --instances tiny --each 2 --threads 3 --repeat 1";
    let printed = document(&measured(&format!("{line} --json"), &out));
    assert_eq!(timed(&printed).len(), 2 * 3 + 5);
    for (problem, timed) in timed(&printed) {
        assert!(timed >= 3 && problem["entries"][0]["series"] == "baseline", "{problem}");
    }
    let titles: Vec<&str> =
        printed["tables"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    for title in
        ["Figure 5.1: ", "Figure 5.4: ", "Figure 6.4: ", "Suri, Bordoloi and Eles", "What floats get wrong"]
    {
        assert!(titles.iter().any(|record| record.starts_with(title)), "{title}: {titles:?}");
    }
    has_gpu(line, &folder.path().join("gpu"));
}

/// What `isx-papers solve` says of a text.
fn solve(family: &str, text: &str, flags: &[&str]) -> Output {
    let mut command = papers();
    command.args(["solve", family, "-"]).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // One that refuses its flags does not read.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

const MULTIDIM: &str = "# three items\n3 2\n2 2\n3.5 1 2\n2.5 2 1\n2 1 0\n";
/// The two directions differ.
const TSP: &str = "4\n0 1 9 9\n9 0 1 9\n9 9 0 1\n1 9 9 0\n";

#[test]
fn files_are_solved_by_every_engine_of_the_cpu_on_one_line_of_json() {
    let cases = [
        ("lcs", "nematode knowledge\nempty bottle\n", "7", Value::Null),
        ("tsp", TSP, "4", json!([0, 1, 2, 3])),
        ("multidim", MULTIDIM, "5.5", json!([0, 2])),
    ];
    for (family, text, value, picks) in cases {
        for engine in ["auto", "reference", "wave"] {
            if (family, engine) == ("multidim", "wave") {
                continue;
            }
            let output = solve(family, text, &["--json", "--engine", engine]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let record = String::from_utf8(output.stdout).unwrap();
            assert_eq!(record.lines().count(), 1, "{record}");
            let record: Value = serde_json::from_str(&record).unwrap();
            assert_eq!((&record["problem"], &record["value"]), (&family.into(), &value.into()), "{record}");
            if family == "lcs" {
                assert_eq!(record["picks"].as_array().unwrap().len(), 7, "{record}");
            } else {
                assert_eq!(record["picks"], picks, "{record}");
            }
        }
    }
    let text = String::from_utf8(solve("tsp", TSP, &[]).stdout).unwrap();
    assert_eq!(text, "value      4\npicks      [0,1,2,3]\n");
    let text = String::from_utf8(solve("lcs", "abcb\nbdcb\n", &[]).stdout).unwrap();
    assert!(text.starts_with("value      3\n") && text.ends_with("letters    bcb\n"), "{text}");
}

#[test]
fn bad_files_are_refused_with_their_place() {
    for (family, text, flags, code, why) in [
        ("lcs", "abc\n", &[][..], 2, "-: line 2: the second sequence is missing"),
        ("tsp", "2\n0 x\n", &[], 2, "-: line 2, column 3: `x` is not a distance"),
        ("multidim", "1 4\n", &[], 2, "-: line 1, column 3: `4` is not a number of dimensions from 1 to 3"),
        ("multidim", MULTIDIM, &["--max-memory", "10"], 4, "bytes"),
        (
            "tsp",
            TSP,
            &["--engine", "layers"],
            2,
            "--engine layers: it is auto, or one of reference, wave, cuda-wave",
        ),
    ] {
        let output = solve(family, text, flags);
        let record = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{record}");
        assert!(record.contains(why), "{record}");
    }
    // 280 cities have more states than there are atoms.
    let row = "1 ".repeat(280);
    let output = solve("tsp", &format!("280\n{}", format!("{row}\n").repeat(280)), &[]);
    let record = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{record}");
    assert!(record.contains("1.3 * 10^86 states"), "{record}");
    assert_eq!(papers().args(["solve", "lcs", "none.txt"]).output().unwrap().status.code(), Some(2));
}
