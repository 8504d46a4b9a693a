//! What new users type first and what isx answers: each message whole, and exit code 2.

use super::scene::Scene;

/// The message for a line that is refused, without its last line, which names --help.
#[track_caller]
fn message(scene: &Scene, line: &str) -> String {
    let stderr = scene.isx(line).refused(2, &[]).stderr;
    stderr.strip_suffix("\n\nFor more information, try '--help'.\n").unwrap_or(&stderr).to_owned()
}

#[test]
fn a_file_without_a_subcommand_is_answered_with_its_command() {
    let scene = Scene::small();
    for (word, tip) in [
        ("small.yaml", "did you mean `isx explore small.yaml`?"),
        ("sets/large.YML", "did you mean `isx explore sets/large.YML`?"),
        ("profile.csv", "did you mean `isx import profile.csv -o profile.yaml`?"),
        ("model.amxmi", "did you mean `isx import model.amxmi -o model.yaml`?"),
        ("profile.xlsx", "save the table as CSV, then `isx import profile.csv -o profile.yaml`"),
    ] {
        let wanted = format!(
            "error: unrecognized subcommand '{word}'\n\n  tip: {tip}\n\nUsage: isx [OPTIONS] <COMMAND>"
        );
        assert_eq!(message(&scene, word), wanted);
        assert_eq!(message(&scene, &format!("{word} --area 5")), wanted);
    }
    // A name is written as a shell takes it.
    for (name, quoted) in [("my set.yaml", "'my set.yaml'"), ("it's.yaml", r"'it'\''s.yaml'")] {
        let ran = super::scene::Ran::of(&mut scene.command(&[name])).code(2);
        assert!(ran.stderr.contains(&format!("did you mean `isx explore {quoted}`?")), "{}", ran.stderr);
    }
    // A file that says nothing by its name, and a mistyped subcommand, are answered as before.
    assert_eq!(
        message(&scene, "front.json"),
        "error: unrecognized subcommand 'front.json'\n\nUsage: isx [OPTIONS] <COMMAND>"
    );
    assert!(message(&scene, "explor").contains("'explore'"));
}

#[test]
fn a_problem_that_isx_no_longer_has_is_answered_with_who_has_it() {
    let scene = Scene::small();
    for (command, word) in [("solve", "lcs"), ("solve", "tsp"), ("generate", "multidim")] {
        let tip =
            format!("`isx-papers solve {word}` solves these, a program of its own in benchmarks/papers");
        assert!(message(&scene, &format!("{command} {word} a.txt")).contains(&tip), "{command} {word}");
    }
    let tip = "isx-bench measures engines: a program of its own, benchmarks/bench";
    assert!(message(&scene, "bench mckp").contains(tip));
    let tip = "isx no longer has several knapsacks; OR-Tools (CP-SAT) and HiGHS solve them";
    for command in ["solve", "generate"] {
        let wanted = format!(
            "error: unrecognized subcommand 'multiple'\n\n  tip: {tip}\n\nUsage: isx {command} [OPTIONS] <COMMAND>"
        );
        assert_eq!(message(&scene, &format!("{command} multiple a.txt --json")), wanted);
    }
}

#[test]
fn a_table_is_no_task_set_and_the_command_that_imports_it_is_named() {
    let scene = Scene::with("x.csv", "name,period_ms,wcet_us\nfir,10,2500\n");
    scene.write("x.xlsx", b"PK\x03\x04\x14\0\x06\0");
    let csv = "error: x.csv: this is not a task set; `isx import x.csv -o x.yaml` makes one from it\n";
    let sheet = "error: x.xlsx: this is a spreadsheet, not a task set; save the table as CSV, then \
                 `isx import x.csv -o x.yaml`\n";
    for command in ["explore", "check", "show --smallest"] {
        assert_eq!(message(&scene, &format!("{command} x.csv")), csv);
        assert_eq!(message(&scene, &format!("{command} x.xlsx")), sheet);
    }
    let imported =
        "error: x.xlsx: cannot be read: it is a spreadsheet or an archive, not text: save the table as CSV\n";
    assert_eq!(message(&scene, "import x.xlsx"), imported);
    assert_eq!(message(&scene, "import x.csv --choices x.xlsx"), imported);
    assert_eq!(message(&scene, "explore none.csv"), "error: none.csv: no such file\n");
    // What is named is what helps.
    scene.isx("import x.csv -o x.yaml").code(0);
    scene.isx("explore x.yaml").code(0);
}

#[test]
fn a_flag_of_another_name_is_answered_with_the_one_that_is_meant() {
    let scene = Scene::small();
    let folder = "`isx explore` writes several files: name their folder with `--out <DIR>`";
    for (line, flag, tip, usage) in [
        ("explore small.yaml -o there", "-o", folder, "explore [OPTIONS] <TASKSET>..."),
        ("explore small.yaml --output there", "--output", folder, "explore [OPTIONS] <TASKSET>..."),
        (
            "explore small.yaml --budget 3",
            "--budget",
            "the budget is given with `--max-area <AREA>`",
            "explore [OPTIONS] <TASKSET>...",
        ),
        (
            "explore small.yaml --area=3",
            "--area",
            "the budget is given with `--max-area <AREA>`",
            "explore [OPTIONS] <TASKSET>...",
        ),
        (
            "-q check --budget 3 small.yaml",
            "--budget",
            "the budget is given with `--area <AREA>`",
            "check [OPTIONS] <TASKSET>...",
        ),
        (
            "show small.yaml --max-area 3",
            "--max-area",
            "the budget is given with `--area <AREA>`",
            "show [OPTIONS] <--area A|--within R|--point K|--max-utilization U|--smallest> <INPUT>",
        ),
        (
            "solve knapsack items.txt --budget 3",
            "--budget",
            "the budget is given with `--capacity <C>`",
            "solve knapsack [OPTIONS] <FILE>...",
        ),
        (
            "check small.yaml --period fir=3ms",
            "--period",
            "to change one figure, change it in a copy of the task set",
            "check [OPTIONS] <TASKSET>...",
        ),
    ] {
        let wanted =
            format!("error: unexpected argument '{flag}' found\n\n  tip: {tip}\n\nUsage: isx {usage}");
        assert_eq!(message(&scene, line), wanted, "{line}");
    }
    // Where no flag does it, none is made up.
    assert!(!message(&scene, "devices --budget 3").contains("budget is given"));
}

#[test]
fn a_front_that_is_not_there_is_answered_with_where_one_is() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out there --format html").code(0);
    let absent = "error: there/front.json: no such file; `isx explore TASKSET` writes front.json, with --format \
                  only where json is listed\n";
    for command in ["report", "plot", "compare there/front.json"] {
        assert_eq!(message(&scene, &format!("{command} there/front.json")), absent, "{command}");
    }
    scene.isx("explore small.yaml --out there").code(0);
    let folder = "error: there: this is a directory; its front is there/front.json\n";
    assert_eq!(message(&scene, "compare there there"), folder);
    assert_eq!(message(&scene, "plot there"), folder);
}
