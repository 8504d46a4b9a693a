//! What is refused: the exit code, one message that says what to do, and nothing written anywhere.

use super::scene::{Ran, SMALL, Scene};

/// Runs a line that must be refused and leave the scene as it was.
#[track_caller]
fn refused(scene: &Scene, line: &str, code: i32, words: &[&str]) {
    let before = scene.files();
    scene.isx(line).refused(code, words);
    assert_eq!(scene.files(), before, "`{line}` wrote something");
}

#[test]
fn task_sets_that_are_none_are_refused_at_their_place() {
    let bad: [(&str, &[&str]); 8] = [
        ("", &["error: bad.yaml: the file is empty"]),
        ("\0", &["error: bad.yaml:1:1: there is a NUL byte"]),
        ("name: a\ntasks: []\n", &["error: ", "bad.yaml:2:8"]),
        ("name: a\ntasks:\n  - {name: t, wcet: 0, period: 1}\n", &["error: ", "bad.yaml:3:21"]),
        ("name: a\ntasks:\n  - {name: t, wcet: 1, period: .nan}\n", &["error: ", "bad.yaml:3:32"]),
        ("name: a\ntasks:\n  - {name: t, wcet: 1, perod: 1}\n", &["error: ", "perod", "period"]),
        ("name: &a x\ntasks: *a\n", &["error: ", "bad.yaml:1:7"]),
        ("name: [\n", &["error: ", "bad.yaml:"]),
    ];
    for (text, words) in bad {
        let scene = Scene::with("bad.yaml", text);
        for command in ["explore bad.yaml", "explore bad.yaml --json --out o", "check bad.yaml --area 1"] {
            refused(&scene, command, 2, words);
        }
    }
    let latin = Scene::with("bad.yaml", b"name: \xff\n");
    refused(&latin, "explore bad.yaml", 2, &["error: bad.yaml:1:7: the bytes are not UTF-8"]);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let scene = Scene::small();
    std::fs::create_dir(scene.path("folder")).unwrap();
    refused(&scene, "explore none.yaml", 2, &["error: none.yaml: no such file\n"]);
    refused(&scene, "explore folder", 2, &["error: folder: this is a directory"]);
    refused(&scene, "plot none.json", 2, &["error: none.json: No such file"]);
    refused(&scene, "plot folder", 2, &["error: folder: ", "directory"]);
    let words = ["error: small.yaml: this is a task set", "`isx explore small.yaml`"];
    refused(&scene, "plot small.yaml", 2, &words);
    refused(&scene, "plot -", 2, &["error: standard input: "]);
    refused(&scene, "solve mckp none.txt", 2, &["error: none.txt: No such file"]);
    refused(&scene, "solve mckp folder", 2, &["error: folder: ", "directory"]);
    refused(&scene, "solve mckp small.yaml", 2, &["error: small.yaml: line 1: `name:` is not"]);
}

#[test]
fn json_that_is_no_front_is_refused() {
    let bad: [&[u8]; 7] = [
        b"",
        b"{}",
        b"[]",
        br#"{"schema": "isx.front/2"}"#,
        br#"{"schema": "isx.front/1", "points": []}"#,
        b"\xff\xfe",
        br#"{"schema": "isx.front/1", "points": [{"area": "-1"}]}"#,
    ];
    for text in bad {
        let scene = Scene::with("front.json", text);
        refused(&scene, "plot front.json", 2, &["error: front.json: "]);
    }
}

#[test]
fn pictures_of_another_kind_are_refused_before_anything_is_read() {
    let scene = Scene::new();
    for file in ["x.png", "x.PDF", "folder/x.svg.gz"] {
        let words = [format!("`{file}` must end in .svg")];
        refused(&scene, &format!("plot none.json -o {file}"), 2, &[words[0].as_str()]);
    }
    let chart = r#"{"schema": "isx.chart/1", "title": "t", "y": "s", "panels": []}"#;
    let scene = Scene::with("chart.json", chart);
    refused(&scene, "plot chart.json --from-zero", 2, &["error: chart.json: ", "are for fronts"]);
    refused(&scene, "plot chart.json", 2, &["error: chart.json: not a chart", "`panels` must be 1 to 4"]);
    let results = r#"{"schema": "isx.bench.mckp/1", "command": "isx"}"#;
    let scene = Scene::with("results.json", results);
    refused(
        &scene,
        "plot results.json",
        2,
        &["error: results.json: not the results of a benchmark: missing"],
    );
}

#[test]
fn wrong_arguments_are_refused_with_what_would_be_right() {
    let scene = Scene::small();
    let cases: [(&str, &[&str]); 23] = [
        ("explor small.yaml", &["unrecognized subcommand 'explor'", "'explore'"]),
        ("explore small.yaml --jsn", &["--jsn", "--json"]),
        ("explore small.yaml more.yaml", &["more.yaml"]),
        ("explore small.yaml --engine gpu", &["'gpu'", "possible values: auto, "]),
        ("explore small.yaml --arithmetic i8", &["'i8'", "i32, i64, i128, big"]),
        ("explore small.yaml --threads 0", &["1..=1024"]),
        ("explore small.yaml --threads many", &["'many'"]),
        ("explore small.yaml --max-memory 5x", &["`x` is not a unit of memory", "MiB"]),
        ("explore small.yaml --max-memory -1", &["`-1` is not a whole number of bytes"]),
        ("explore small.yaml --max-memory 99999999999999GiB", &["more than this machine can count"]),
        ("explore small.yaml --max-memory 1.5", &["`1.5` is not a whole number of bytes"]),
        ("explore small.yaml -q -v", &["'--quiet' cannot be used with '--verbose'"]),
        ("explore small.yaml --color blue", &["'blue'", "auto, always, never"]),
        ("explore small.yaml --max-area -1", &["`-1` is negative"]),
        ("explore small.yaml --max-area nan", &["`nan` is not finite"]),
        ("check small.yaml --area -0.5", &["`-0.5` is negative"]),
        ("check small.yaml --area 1e400", &["the exponent of `1e400` is outside -18..+18"]),
        ("check small.yaml --area 0x10", &["`0x10` is ambiguous"]),
        ("check small.yaml --area 1_000", &["`1_000`"]),
        ("check small.yaml --area 12kGE", &["`12kGE`"]),
        ("plot x.json --max-area 0", &["must be above zero"]),
        ("generate taskset --seed -1", &["-1"]),
        ("completions tcsh", &["'tcsh'", "possible values: bash, "]),
    ];
    for (line, words) in cases {
        refused(&scene, line, 2, words);
    }
}

#[test]
fn arithmetic_that_would_overflow_is_refused() {
    let text = SMALL.replace("4 ms", "4.000000001 ms").replace("15 ms", "15.000000007 ms");
    let scene = Scene::with("fine.yaml", text);
    refused(
        &scene,
        "explore fine.yaml --arithmetic i32",
        2,
        &[
            "i32 arithmetic is too narrow for this problem; it needs i",
            "help: leave --arithmetic out, or ask for i",
        ],
    );
    scene.isx("explore fine.yaml").code(0);
}

#[test]
fn too_little_memory_is_refused_before_it_is_taken() {
    let scene = Scene::small();
    for engine in ["auto", "reference", "list", "dense"] {
        let line = format!("explore small.yaml --max-memory 1B --engine {engine}");
        let help = "help: raise --max-memory, consider less with --max-area or choose another --engine\n";
        refused(&scene, &line, 4, &["bytes of tables", help]);
    }
    refused(
        &scene,
        "check small.yaml --area 1 --max-memory 1B",
        4,
        &["help: raise --max-memory or choose another --engine\n"],
    );
    refused(
        &scene,
        "explore small.yaml --max-memory 1B --arithmetic recip-f32",
        4,
        &["help: raise --max-memory or consider less with --max-area\n"],
    );
    let wide = "2 4000000000000000000\n2\n1 0\n2 1999999999999999999\n2\n1 0\n3 1000000000000000003\n";
    scene.write("wide.txt", wide);
    refused(
        &scene,
        "solve mckp wide.txt --engine reference",
        4,
        &["bytes of tables", "help: raise --max-memory, lower --capacity or choose another --engine\n"],
    );
    scene.isx("solve mckp wide.txt --engine list").code(0);
}

#[test]
fn where_nothing_can_be_written_nothing_is_computed() {
    let scene = Scene::small();
    scene.write("file", "mine");
    // So large a problem that a solve would not end within the test.
    let huge =
        "generate taskset --tasks 100 --choices 100 --area 1..1000000000 --savings correlated:0.1..0.6";
    scene.isx(&format!("{huge} -o huge.yaml")).code(0);
    let cases = [
        ("explore huge.yaml --out file", "cannot write in `file`: "),
        ("explore huge.yaml --out file/deeper", "cannot write in `file/deeper`: "),
        ("explore huge.yaml --out /proc/none", "cannot write in `/proc/none`: "),
    ];
    for (line, words) in cases {
        refused(&scene, line, 6, &["error: ", words, "name a writable directory with --out"]);
    }
    for file in ["front.csv", "front.json", "front.svg"] {
        let scene = Scene::with("set.yaml", scene.read("huge.yaml"));
        std::fs::create_dir_all(scene.path("o").join(file)).unwrap();
        refused(&scene, "explore set.yaml --out o", 6, &[&format!("cannot write `o/{file}`: ")]);
    }
    refused(&scene, "generate mckp -o /proc/none.txt", 6, &["cannot write `/proc/none.txt`: "]);
    let ran = scene.isx("explore small.yaml --out /proc/none").code(6);
    assert!(!ran.stderr.contains(".tmp"), "{}", ran.stderr);
}

/// `/proc` takes no files, not even the superuser's.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_working_directory_matters_only_to_what_is_written_there() {
    let scene = Scene::small();
    let set = scene.path("small.yaml");
    let set = set.to_str().unwrap();
    let run = |arguments: &[&str]| Ran::of(scene.command(arguments).current_dir("/proc"));
    run(&["explore", set]).refused(6, &["cannot write in `output/small`: "]);
    run(&["explore", set, "--out", scene.path("o").to_str().unwrap()]).code(0);
    run(&["check", set, "--area", "1.25"]).code(0);
    run(&["explore", set, "--json"]).code(0);
    // The task set, three files of results, and which input they are of.
    assert_eq!(scene.files().len(), 5);
}
