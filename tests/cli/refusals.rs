//! Refusals: the exit code, one message with advice, and no files written.

use super::scene::{Ran, SMALL, Scene};

/// Runs a line that must be refused and must not change the scene's files.
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
    for command in ["explore", "check"] {
        let printed =
            "error: folder: this is a directory without task sets, that is files ending in .yaml or .yml\n";
        refused(&scene, &format!("{command} folder"), 2, &[printed]);
    }
    refused(
        &scene,
        "plot none.json",
        2,
        &["error: none.json: no such file; `isx explore TASKSET` writes front.json"],
    );
    refused(&scene, "plot folder", 2, &["error: folder: this is a directory\n"]);
    let words = ["error: small.yaml: this is a task set", "`isx explore small.yaml`"];
    refused(&scene, "plot small.yaml", 2, &words);
    refused(&scene, "plot -", 2, &["error: standard input: "]);
    refused(&scene, "solve mckp none.txt", 2, &["error: none.txt: No such file"]);
    refused(&scene, "solve mckp folder", 2, &["error: folder: ", "directory"]);
    refused(&scene, "solve mckp small.yaml", 2, &["error: small.yaml: line 1, column 1: `name:` is not"]);
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
}

#[test]
fn wrong_arguments_are_refused_with_what_would_be_right() {
    let scene = Scene::small();
    let cases: [(&str, &[&str]); 25] = [
        ("explor small.yaml", &["unrecognized subcommand 'explor'", "'explore'"]),
        ("explore small.yaml --jsn", &["--jsn", "--json"]),
        ("show small.yaml more.yaml", &["more.yaml"]),
        ("explore small.yaml --engine gpu", &["'gpu'", "possible values: auto, "]),
        ("explore small.yaml --arithmetic i8", &["'i8'", "i32, i64, i128, big"]),
        ("explore small.yaml --threads 0", &["1..=1024"]),
        ("explore small.yaml --threads many", &["'many'"]),
        ("explore small.yaml --max-memory 5x", &["`x` is not a unit of memory", "MiB"]),
        ("explore small.yaml --max-memory -1", &["`-1` is not a whole number of bytes"]),
        ("explore small.yaml --max-memory 99999999999999GiB", &["more than this machine can count"]),
        ("explore small.yaml --max-memory 1.5", &["`1.5` is not a whole number of bytes"]),
        ("explore small.yaml --gpu cuda", &["write all, or GPUs as `isx engines` numbers them"]),
        ("explore small.yaml --gpu 0,", &["write all, or GPUs as `isx engines` numbers them"]),
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
    let engines = [
        ("auto", "another --engine"),
        ("list", "another --engine"),
        ("reference", "--engine list"),
        ("dense", "--engine list"),
    ];
    for (engine, other) in engines {
        let line = format!("explore small.yaml --max-memory 1B --engine {engine}");
        let help = format!("help: raise --max-memory, consider less with --max-area or choose {other}\n");
        refused(&scene, &line, 4, &[" bytes of tables and 1 are allowed\n", &help]);
    }
    refused(
        &scene,
        "check small.yaml --area 1 --max-memory 1B",
        4,
        &["help: raise --max-memory or choose another --engine\n"],
    );
    let wide = "2 4000000000000000000\n2\n1 0\n2 1999999999999999999\n2\n1 0\n3 1000000000000000003\n";
    scene.write("wide.txt", wide);
    refused(
        &scene,
        "solve mckp wide.txt --engine reference",
        4,
        &[
            "error: the reference engine needs more than the 4294967296 bytes of tables that are allowed; no amount is known to be enough\n",
            "help: raise --max-memory, lower --capacity or choose --engine list\n",
        ],
    );
    scene.isx("solve mckp wide.txt --engine list").code(0);
    scene.isx("generate knapsack --items 200 --capacity 30000 --kind weak --seed 1 -o many.txt").code(0);
    refused(
        &scene,
        "solve knapsack many.txt --engine reference --max-memory 0",
        4,
        &[
            " are allowed\n",
            "help: raise --max-memory, lower --capacity or choose --engine core, which needs at least ",
        ],
    );
}

/// The amount named in a refusal, if any.
fn enough(ran: &Ran) -> Option<u64> {
    let error = ran.stderr.lines().find(|line| line.starts_with("error: "))?;
    let unknown = error.contains("no amount is known to be enough");
    let before = |words: &str| error.split(words).next()?.rsplit(' ').next()?.parse().ok();
    let named =
        if error.contains(" are enough") { before(" are enough") } else { before(" bytes of tables and ") };
    assert_eq!(named.is_none(), unknown, "{error}");
    named
}

/// Peak memory of a run in bytes, by GNU time, if installed.
#[cfg(target_os = "linux")]
fn peak(scene: &Scene, line: &str) -> Option<u64> {
    let mut command = std::process::Command::new("/usr/bin/time");
    command.args(["-f", "%M", "-o", "peak", env!("CARGO_BIN_EXE_isx")]).args(line.split_whitespace());
    let ran = command.current_dir(scene.path("")).output().ok()?;
    assert!(ran.status.code().is_some_and(|code| code <= 1), "{line}: {ran:?}");
    Some(scene.read("peak").lines().last()?.parse::<u64>().ok()? * 1024)
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_that_a_refusal_names_is_enough_and_not_passed() {
    let scene = Scene::small();
    scene.isx("generate taskset --tasks 14 --choices 5 --area 1..9000 --savings correlated:0.1..0.6 -o set.yaml").code(0);
    scene.isx("generate taskset --tasks 8 --choices 4 --blocks 3 -o shared.yaml").code(0);
    scene
        .isx("generate taskset --tasks 7 --choices 4 --deadlines constrained:0.5..0.9 -o short.yaml")
        .code(0);
    scene.isx("generate knapsack --items 90 --capacity 30000 --kind strong -o knapsack.txt").code(0);
    scene.isx("generate mckp --classes 12 --items 20 --capacity 90000 --kind strong -o mckp.txt").code(0);
    let mut lines = Vec::new();
    for set in ["small", "set", "shared", "short"] {
        // Tables take no shared blocks.
        let engines = if set == "shared" { ["auto", "list", "reference"] } else { ["auto", "list", "dense"] };
        for engine in engines {
            for proof in ["", "--prove", "--certificate proof"] {
                lines.push(format!("explore {set}.yaml -q --out o --engine {engine} {proof}"));
            }
            lines.push(format!("check {set}.yaml -q --area 900 --engine {engine}"));
        }
    }
    for engine in ["auto", "list", "dense", "reference"] {
        for what in ["", "--all-capacities", "--certificate proof", "--all-capacities --certificate proof"] {
            lines.push(format!("solve mckp mckp.txt --engine {engine} {what}"));
        }
    }
    for engine in ["auto", "reference", "dense", "core"] {
        for what in ["", "--certificate proof", "--all-capacities"] {
            lines.push(format!("solve knapsack knapsack.txt --engine {engine} {what}"));
        }
    }
    let program = peak(&scene, "check small.yaml -q --area 1.25");
    let (mut named, mut measured) = (0, 0);
    for line in lines {
        for given in ["0", "1MB"] {
            let refused = scene.isx(&format!("{line} --max-memory {given}"));
            if refused.code != 4 {
                continue;
            }
            let Some(enough) = enough(&refused) else { continue };
            named += 1;
            let line = format!("{line} --max-memory {enough}");
            let ran = scene.isx(&line);
            assert!(ran.code <= 1, "{line}: {ran:#?}");
            if given == "0"
                && let (Some(program), Some(peak)) = (program, peak(&scene, &line))
            {
                measured += 1;
                // Additional memory: small problems, and the first pages of each thread.
                assert!(
                    peak <= program + (8 << 20) + enough,
                    "{line}: {peak} bytes, {program} of the program"
                );
            }
        }
    }
    assert!(named > 50, "only {named} refusals named what is enough");
    assert!(program.is_none() || measured > 40, "only {measured} runs were measured");
}

#[test]
fn where_nothing_can_be_written_nothing_is_computed() {
    let scene = Scene::small();
    scene.write("file", "mine");
    // A problem so large that a solve would not end within the test.
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

/// Nobody can create files in `/proc`, not even root.
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
    // The task set, three files of results, and the record of the input.
    assert_eq!(scene.files().len(), 5);
}

#[test]
fn words_of_problem_files_are_shown_as_they_stand() {
    let scene = Scene::with("p.txt", "2 10\n3 \"4\"\n5 6\n");
    let message = |scene: &Scene, line: &str| scene.isx(line).code(2).stderr;
    let wanted = "error: p.txt: line 2, column 3: `\"4\"` is not the weight of an item\n";
    assert_eq!(message(&scene, "solve knapsack p.txt"), wanted);
    scene.write("p.txt", "é 10\n\u{1b}[2J 4\n");
    assert_eq!(
        message(&scene, "solve mckp p.txt"),
        "error: p.txt: line 1, column 1: `é` is not the number of classes\n"
    );
    scene.write("p.txt", "1 10\n\u{1b}[2J 4\n");
    let wanted = "error: p.txt: line 2, column 1: `\\u{1b}[2J` is not the profit of an item\n";
    assert_eq!(message(&scene, "solve knapsack p.txt"), wanted);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_problem() {
    let marked = |file: &str, text: &str| Scene::with(file, format!("\u{feff}{text}"));
    let knapsack = marked("p.txt", "2 10\n3 4\n5 6\n").isx("solve knapsack p.txt --json").code(0).json();
    assert_eq!(knapsack["value"], "8");
    let mckp = marked("p.txt", "1 10\n2\n3 4\n5 6\n").isx("solve mckp p.txt --json").code(0).json();
    assert_eq!(mckp["value"], "5");
}

#[test]
fn unknown_kinds_are_answered_with_those_there_are() {
    let ran = Scene::new().isx("generate knapsack --kind subset").code(2);
    let wanted = "kind subset: the kinds are boyer, uncorrelated, weak, strong, inverse-strong, almost-strong, \
                  subset-sum, similar-weights, spanner-uncorrelated, spanner-weak, spanner-strong, multiple-strong, \
                  profit-ceiling, circle, jooken\n";
    assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
}

#[test]
fn fronts_of_which_one_has_no_unit_are_not_compared() {
    let scene = Scene::small();
    scene.write("plain.yaml", super::scene::SMALL.replace("area_unit: kGE\n", ""));
    for set in ["small", "plain"] {
        let json = scene.isx(&format!("explore {set}.yaml --json")).code(0).stdout;
        scene.write(&format!("{set}.json"), json);
    }
    let wanted = "error: the areas of `small.json` are in `kGE`, those of `plain.json` have no unit: they cannot be \
                  compared; give both task sets the same `area_unit`\n";
    assert_eq!(scene.isx("compare small.json plain.json").code(2).stderr, wanted);
    scene.isx("compare plain.json plain.json").code(0);
}
