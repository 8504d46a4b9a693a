//! The benchmarks end to end on tiny instances: what they print and write, and their exit codes.

use isx_pages::plot::chart::LineChart;
use isx_pages::svg::lines::draw_lines;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn bench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_isx-bench"))
}

fn isx_bench(arguments: &[&str], out: &Path) -> Output {
    let mut command = bench();
    command.args(arguments).args(["--repeat", "2", "--out"]).arg(out);
    // The waves benchmark has its own size flags.
    if !arguments.contains(&"--instances") && !arguments.contains(&"waves") {
        command.args(["--instances", "tiny"]);
    }
    command.output().unwrap()
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

/// Every measurement in the document: its timed part, or the reason why there is none.
fn outcomes<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) if fields.contains_key("timed") || fields.contains_key("not_measured") => {
            found.push(value);
        }
        Value::Object(fields) => fields.values().for_each(|value| outcomes(value, found)),
        Value::Array(values) => values.iter().for_each(|value| outcomes(value, found)),
        _ => {}
    }
}

#[test]
fn batches_of_multidimensional_problems_are_measured_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let flags = ["lemos", "--json", "--instances", "5", "--items", "15", "--capacities", "90,80"];
    let printed = document(&isx_bench(&flags, &out));
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-bench lemos --instances 5 --items 15 --capacities 90,80"), "{command}");
    let [(batch, timed)] = timed(&printed)[..] else { panic!("{printed}") };
    assert!(timed >= 3 && batch["entries"][0]["series"] == "baseline", "{batch}");
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(table.contains("textbook loop, all the work") && table.contains("| dense "), "{table}");
    let svg = std::fs::read_to_string(out.join("chart.svg")).unwrap();
    assert!(roxmltree::Document::parse(&svg).unwrap().descendants().any(|node| node.has_tag_name("circle")));
    drawn_again(&out.join("results.json"), 1);
}

#[test]
fn tables_in_waves_are_measured_beside_the_other_engines() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let flags = "waves --json --lengths 80,120 --capacities 900 --cities 8";
    let printed = document(&isx_bench(&flags.split(' ').collect::<Vec<_>>(), &out));
    let problems = timed(&printed);
    assert_eq!(problems.len(), 2 * 2 + 1 + 1);
    for (problem, timed) in problems {
        assert!(timed >= 2 && problem["answer"].as_str().unwrap().starts_with("value "), "{problem}");
    }
    assert_eq!(printed["tables"][0]["about"], "Not measured: it was not asked for.");
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(
        table.contains("## knapsack, capacity 900") && table.contains("textbook cells a second"),
        "{table}"
    );
    drawn_again(&out.join("results.json"), 1);
}

fn floats(set: &Path, flags: &[&str]) -> Output {
    bench().arg("floats").arg(set).args(flags).output().unwrap()
}

#[test]
fn fronts_in_floats_are_held_against_the_exact_one_of_any_task_set_without_shared_blocks() {
    let tasksets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasksets");
    let tutorial = tasksets.join("tutorial.yaml");
    let printed = document(&floats(&tutorial, &["--json"]));
    assert_eq!(printed["schema"], "isx.bench.floats/1");
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
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(why), "{told}");
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

/// A small set like the public one, with a known optimum, an unknown one, and an unfinished run of combo.
fn small_set(folder: &Path) {
    let problems = [
        ("n_3_c_12_g_2_f_0.1_eps_0_s_100", "3\n1 3 2\n2 9 6\n3 5 5\n12\n", "0.25"),
        ("n_4_c_70_g_2_f_0.1_eps_0_s_100", "4\n1 30 20\n2 90 60\n3 55 50\n4 8 9\n70\n", "-1"),
        ("n_2_c_900_g_2_f_0.1_eps_0_s_100", "2\n1 3 500\n2 9 600\n900\n", "1.5"),
    ];
    for (name, problem, time) in problems {
        let instance = folder.join("problemInstances").join(name);
        std::fs::create_dir_all(&instance).unwrap();
        std::fs::write(instance.join("test.in"), problem).unwrap();
        std::fs::write(instance.join("time.out"), time).unwrap();
    }
    let optima = "name,optimum\nn_3_c_12_g_2_f_0.1_eps_0_s_100,14\nn_4_c_70_g_2_f_0.1_eps_0_s_100,-1\n";
    std::fs::write(folder.join("optima.csv"), optima).unwrap();
}

/// The benchmark of a folder's set, whose flags differ from those for tiny instances.
fn jooken(set: &Path, out: &Path, flags: &[&str]) -> Output {
    let mut command = bench();
    command.args(["jooken"]).arg(set).args(["--repeat", "2", "--json", "--out"]).arg(out).args(flags);
    command.output().unwrap()
}

#[test]
fn pisingers_classes_are_solved_and_compared_with_another_engine() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["pisinger", "--items", "60", "--range", "40,1000", "--series", "2", "--repeat", "1"];
    let engine = ["--engine", "core", "--threads", "1", "--json", "--out"];
    let output = bench().args(flags).args(engine).arg(folder.path()).output().unwrap();
    let printed = document(&output);
    let rows = printed["tables"][0]["rows"].as_array().unwrap();
    // A class whose weights do not depend on the range has one row.
    assert_eq!(rows.len(), 2 * 13 - 1);
    for row in rows {
        let cells: Vec<&str> = row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
        assert_eq!((cells[1], cells[3], cells[4], cells[5]), ("60", "core", "2 of 2", "2"), "{row}");
    }
    assert_eq!(printed["problems"].as_array().unwrap().len(), 2 * (2 * 13 - 1));
}

#[test]
fn public_instances_are_drawn_and_held_against_the_sets_optima_or_another_engine() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    let out = folder.path().join("results");
    let printed = document(&jooken(folder.path(), &out, &["--max-capacity", "100", "--engine", "core"]));
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-bench jooken DIR --instances 20 --seed 1"), "{command}");
    let problems = timed(&printed);
    let told = |at: usize| problems[at].0["answer"].as_str().unwrap();
    assert_eq!((problems.len(), told(0)), (2, "profit 14, checked by the set's optimum"));
    assert!(told(1).starts_with("profit 98, ") && told(1).ends_with("engine, which agrees"), "{}", told(1));
    let outcome = |at: usize, entry: usize| &problems[at].0["entries"][entry]["outcome"];
    assert_eq!(outcome(0, 1)["timed"]["samples"][0]["solve"], 0.25);
    assert_eq!(outcome(1, 1)["not_measured"], "not finished");
    assert_eq!(outcome(0, 0)["timed"]["samples"].as_array().unwrap().len(), 2);
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(
        table.contains("combo, recorded on another machine") && table.contains("not finished"),
        "{table}"
    );
    drawn_again(&out.join("results.json"), 1);

    let unfinished = document(&jooken(folder.path(), &out, &["--unfinished"]));
    assert_eq!(timed(&unfinished).len(), 1);
    let drawn = document(&jooken(folder.path(), &out, &["--instances", "1", "--seed", "5"]));
    let again = document(&jooken(folder.path(), &out, &["--instances", "1", "--seed", "5"]));
    assert_eq!(drawn["problems"][0]["name"], again["problems"][0]["name"]);
    assert_eq!(timed(&drawn).len(), 1);
}

#[test]
fn a_run_over_all_instances_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    let out = folder.path().join("results");
    let both = ["--all", "--engine", "core", "--engine", "reference:raw"];
    let first = document(&jooken(folder.path(), &out, &both));
    assert_eq!(first["command"], "isx-bench jooken DIR --all --threads 2 --repeat 2 --patience 60 --max-memory 4294967296 --engine core --engine reference:raw".replace("--threads 2", &format!("--threads {}", std::thread::available_parallelism().unwrap())));
    let optima = "name,optimum\nn_4_c_70_g_2_f_0.1_eps_0_s_100,98\nn_2_c_900_g_2_f_0.1_eps_0_s_100,9\n";
    assert_eq!(std::fs::read_to_string(out.join("optima.csv")).unwrap(), optima);
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(table.contains("| 70       |            reference, all the work | 1 of 1 |"), "{table}");

    // The last answer was cut off in the middle; the others are not computed again.
    let kept = out.join("answers.jsonl");
    let lines = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(lines.lines().count(), 3);
    std::fs::write(&kept, &lines[..lines.len() - 9]).unwrap();
    let again = document(&jooken(folder.path(), &out, &both));
    assert_eq!(again["problems"].as_array().unwrap()[..2], first["problems"].as_array().unwrap()[..2]);
    assert_eq!(std::fs::read_to_string(&kept).unwrap().lines().count(), 3);
    assert_eq!(std::fs::read_to_string(out.join("optima.csv")).unwrap(), optima);

    let other = jooken(folder.path(), &out, &["--all", "--engine", "core", "--engine", "dense"]);
    let told = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{told}");
    assert!(
        told.contains("answers.jsonl:1: an answer without all these engines; give another --out"),
        "{told}"
    );
}

#[test]
fn an_optimum_that_is_not_the_sets_is_no_result_and_a_folder_without_instances_no_set() {
    let folder = tempfile::tempdir().unwrap();
    small_set(folder.path());
    std::fs::write(folder.path().join("optima.csv"), "n_3_c_12_g_2_f_0.1_eps_0_s_100,15\n").unwrap();
    let out = folder.path().join("results");
    let wrong = jooken(folder.path(), &out, &[]);
    assert_eq!(wrong.status.code(), Some(7), "{}", String::from_utf8_lossy(&wrong.stderr));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("14 instead of 15"));
    assert!(!out.exists(), "nothing is written where an answer is wrong");
    let empty = jooken(&folder.path().join("nothing"), &out, &[]);
    assert_eq!(empty.status.code(), Some(2), "{}", String::from_utf8_lossy(&empty.stderr));
}

#[test]
fn many_items_of_few_weights_are_measured_for_one_capacity_and_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let mut command = bench();
    command.args(["boyer", "--items", "300", "--kind", "boyer,circle", "--repeat", "2", "--json", "--out"]);
    let printed = document(&command.arg(&out).output().unwrap());
    let problems = timed(&printed);
    assert_eq!(problems.len(), 4);
    for pair in problems.chunks(2) {
        let name = |at: usize| pair[at].0["name"].as_str().unwrap();
        assert!(name(0).ends_with("one capacity") && name(1).ends_with("all capacities"), "{pair:?}");
        let profit = |at: usize| pair[at].0["answer"].as_str().unwrap().split(',').next().unwrap();
        assert_eq!(profit(0), profit(1));
        assert!(pair[0].1 > pair[1].1 && pair[1].1 >= 2, "{pair:?}");
    }
    drawn_again(&out.join("results.json"), 1);
}

#[test]
fn engines_are_measured_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let printed = document(&isx_bench(&["mckp", "--json"], &out));
    assert_eq!(printed["schema"], "isx.bench.mckp/1");
    let written: Value = serde_json::from_slice(&std::fs::read(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(printed, written);
    assert_eq!(printed["instances"].as_array().unwrap().len(), 3);
    let command = printed["command"].as_str().unwrap();
    assert!(command.starts_with("isx-bench mckp ") && !command.contains("results"), "{command}");

    let mut found = Vec::new();
    outcomes(&printed, &mut found);
    let timed = found.iter().filter(|outcome| outcome["timed"]["samples"].is_array()).count();
    assert!(timed >= 3 * 8, "{timed}");
    for outcome in &found {
        let reason = outcome["not_measured"].as_str();
        assert!(outcome["timed"]["samples"].is_array() || reason.is_some_and(|why| !why.is_empty()));
    }
    let table = std::fs::read_to_string(out.join("table.md")).unwrap();
    assert!(table.contains("All the work: no reduction") && table.contains("textbook loop"), "{table}");
    for chart in ["chart.svg", "chart-raw.svg"] {
        let svg = std::fs::read_to_string(out.join(chart)).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let dots = document.descendants().filter(|node| node.has_tag_name("circle")).count();
        assert!(dots >= 3 * 8, "{chart}: {dots}");
    }
    drawn_again(&out.join("results.json"), 2);
}

/// Compares the charts next to the results with those that `isx-bench plot` draws from them.
fn drawn_again(results: &Path, charts: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = bench();
    let output = command.arg("plot").arg(results).arg("-o").arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let again = entry.unwrap().path();
        let beside = results.with_file_name(again.file_name().unwrap());
        let [again, first] = [&again, &beside].map(|file| std::fs::read_to_string(file).unwrap());
        assert!(again == first, "draw it again: isx-bench plot {}", results.display());
        seen += 1;
    }
    assert_eq!(seen, charts);
}

#[test]
fn committed_charts_are_those_that_their_results_give() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/results");
    drawn_again(&results.join("2026-11-21-h200/thesis/results.json"), 9);
    drawn_again(&results.join("2026-11-21-cpu-speed/bench-mckp/results.json"), 2);
    let growth = std::fs::File::open(results.join("2026-11-21-cpu-speed/compare_growth_chart.json")).unwrap();
    let drawn = draw_lines(&LineChart::from_json(growth).unwrap());
    let shown = std::fs::read_to_string(results.join("2026-11-21-cpu-speed/compare_growth.svg")).unwrap();
    assert!(drawn == shown, "draw it again: isx plot compare_growth_chart.json");
}

#[test]
fn one_engine_can_be_named_and_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let printed =
        document(&isx_bench(&["mckp", "--engine", "list", "--threads", "1", "--json"], folder.path()));
    for instance in printed["instances"].as_array().unwrap() {
        let contestants = instance["contestants"].as_array().unwrap();
        assert_eq!(contestants.len(), 2);
        assert!(contestants.iter().all(|contestant| contestant["engine"] == "list"));
    }
    let refused = isx_bench(&["mckp", "--engine", "abacus"], folder.path());
    assert_eq!(refused.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("abacus"));
}

#[test]
fn a_refusal_for_memory_is_listed_and_a_judge_without_memory_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let refused = isx_bench(&["mckp", "--max-memory", "100"], &out);
    assert_eq!(refused.status.code(), Some(4));
    assert!(!out.exists(), "nothing is written for a run that ended early");
}

#[test]
fn the_thesis_is_reproduced_with_or_without_a_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("results");
    let printed = document(&isx_bench(&["thesis", "--json"], &out));
    assert_eq!(printed["schema"], "isx.bench.thesis/1");
    assert_eq!(printed["task_sets"].as_array().unwrap().len(), 5);
    assert_eq!(printed["deviations"].as_array().unwrap().len(), 4);
    for stem in ["figure-5-1", "figure-5-4", "figure-6-1", "figure-6-4"] {
        let svg = std::fs::read_to_string(out.join(stem).with_extension("svg")).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
    }
    let charts = std::fs::read_dir(&out).unwrap().count() - ["results.json", "table.md"].len();
    drawn_again(&out.join("results.json"), charts);
    let insisting = isx_bench(&["thesis", "--engine", "cuda"], &folder.path().join("gpu"));
    match printed["no_gpu"].as_str() {
        Some(why) => {
            assert_eq!(insisting.status.code(), Some(5));
            assert!(String::from_utf8_lossy(&insisting.stderr).contains(why));
        }
        None => assert!(insisting.status.success()),
    }
}

#[test]
fn the_planner_is_held_against_every_engine_of_every_family() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = bench();
    command.args([
        "planner",
        "--problems",
        "14",
        "--threads",
        "1",
        "--patience",
        "1",
        "--repeat",
        "0",
        "--json",
    ]);
    let found = document(&command.arg("--out").arg(folder.path()).output().unwrap());
    let problems = found["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 14);
    for problem in problems {
        let engines = problem["engines"].as_array().unwrap();
        assert!(engines.iter().any(|engine| engine["name"] == problem["chosen"]), "{problem:#}");
        assert!(engines.iter().all(|engine| engine["measured"].as_f64() > Some(0.0)), "{problem:#}");
    }
    let table = std::fs::read_to_string(folder.path().join("table.md")).unwrap();
    for family in ["mckp", "knapsack", "multidim", "lcs", "tsp", "set-union", "resources"] {
        assert!(problems.iter().any(|problem| problem["family"] == family), "{family}");
        assert!(table.contains(&format!("| {family} | ")), "{table}");
    }
}
