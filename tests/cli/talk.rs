//! -q, -v and --color: verbosity and color.

use super::scene::{Ran, SMALL, Scene};

/// A set with 18 warnings, and 12 unused choices in 6 tasks.
fn talkative() -> Scene {
    let choices = "{name: c, area: 1, wcet: 10}, {name: d, area: 2, wcet: 9}, \
                   {name: e, area: 3, wcet: 15}, {name: f, area: 4, wcet: 16}";
    let task = |at: usize| format!("  - {{name: t{at}, wcet: 20, period: 8, choices: [{choices}]}}\n");
    let tasks: String = (0..6).map(task).collect();
    Scene::with("set.yaml", format!("name: set\ntasks:\n{tasks}"))
}

#[test]
fn quiet_says_the_answer_alone() {
    let scene = talkative();
    let line = "set: 13 designs, smallest schedulable area none, no design is schedulable\n";
    scene.quiet("explore set.yaml -q", 0, line);
    scene.quiet("--quiet explore set.yaml", 0, line);
    scene.quiet("check set.yaml --area 0 -q", 1, "set: NOT SCHEDULABLE under EDF with area 0\n");
    scene.quiet("plot output/set/front.json -q", 0, "");
    scene.quiet("generate mckp -q -o problem.txt", 0, "");
    assert_eq!(scene.isx("explore set.yaml --json -q").code(0).stderr, "");
    // Errors are printed even with -q.
    scene.isx("explore none.yaml -q").refused(2, &["error: none.yaml: no such file"]);
}

#[test]
fn quiet_prints_a_design_and_a_comparison_in_one_line() {
    let scene = Scene::small();
    let quiet = |line: &str, stdout: &str| scene.quiet(line, 0, stdout);
    quiet(
        "show small.yaml --area 3 -q",
        "small: design 1 (numbered 0 to 2), SCHEDULABLE, area 1.25 kGE, utilization 1.000000, control=mac\n",
    );
    quiet(
        "show small.yaml --point 0 -q",
        "small: design 0 (numbered 0 to 2), NOT SCHEDULABLE, area 0 kGE, utilization 1.200000, all in software\n",
    );
    // JSON is the same document with -q and without.
    let document = scene.isx("show small.yaml --point 0 --json").code(0).stdout;
    quiet("show small.yaml --point 0 --json -q", &document);

    scene.isx("explore small.yaml --format json --out a -q").code(0);
    scene.isx("explore small.yaml --format json --out b -q --forbid control=mac").code(0);
    quiet(
        "show a/front.json --point 2 -q",
        "small: design 2 (numbered 0 to 2), SCHEDULABLE, area 4.25 kGE, utilization 0.800000, control=mac, video=sad\n",
    );
    quiet(
        "compare a/front.json b/front.json -q",
        "a is nowhere worse than b. a is schedulable with 1.75 kGE less area. Least utilization: a 0.800000, b 1.000000.\n",
    );
}

#[test]
fn quiet_prints_every_solution_in_one_line() {
    let scene = Scene::new();
    scene.write("k", "3 10\n3 2\n9 6\n5 5\n");
    scene.quiet("solve knapsack k -q", 0, "value 12, weight 8\n");
    scene.quiet("solve knapsack k -q --picks", 0, "value 12, weight 8, picks [0,1]\n");
    scene.quiet("solve knapsack k -q --all-capacities", 0, "value 12, weight 8, 5 points\n");
    scene.write("ids", "2\n7 3 2\n8 9 6\n6\n");
    scene.quiet("solve knapsack ids -q --ids", 0, "value 9, weight 6, ids [8]\n");
    let two = "knapPI_1_2_10_1\nn 2\nc 5\nz 9\ntime 0.00\n1,9,5,1\n2,1,5,0\n-----\n\n\
               knapPI_1_2_10_2\nn 2\nc 5\nz 8\ntime 0.00\n1,9,5,1\n2,1,5,0\n-----\n";
    scene.write("several.csv", two);
    let answers =
        "knapPI_1_2_10_1: value 9, weight 5\nknapPI_1_2_10_2: value 9, weight 5, the file states 8\n";
    scene.quiet("solve knapsack several.csv -q", 0, answers);
    scene.write("m", "2 13\n2 3 2 9 6\n2 1 4 5 8\n");
    scene.quiet("solve mckp m -q", 0, "value 10, weight 10\n");
    scene.quiet("solve mckp m -q --capacity 5", 1, "infeasible: no selection fits the capacity\n");
}

#[test]
fn verbose_says_everything_and_the_usual_what_a_person_reads() {
    let scene = talkative();
    let usual = scene.isx("explore set.yaml").code(0);
    assert_eq!(usual.stdout.matches("note: not used by").count(), 4, "{}", usual.stdout);
    assert!(usual.stdout.contains("note: 4 choices of 2 more tasks are not used either; -v names them\n"));
    assert!(usual.stderr.starts_with("warning: 6 tasks take longer than their periods"), "{}", usual.stderr);
    assert!(!usual.stdout.contains("Engine: "), "{}", usual.stdout);

    let verbose = scene.isx("explore set.yaml -v").code(0);
    assert_eq!(verbose.stdout.matches("note: not used by").count(), 6, "{}", verbose.stdout);
    assert_eq!(verbose.stderr.matches("warning: ").count(), 1);
    assert!(verbose.stdout.contains("\nEngine: ") && verbose.stdout.contains(" arithmetic; "));
    let check = |flag: &str| scene.isx(&format!("check set.yaml --area 0 {flag}")).code(1).stdout;
    assert!(check("-v").contains("\nEngine: ") && !check("").contains("Engine: "));
}

#[test]
fn a_task_with_very_many_choices_has_a_short_note() {
    let choices: Vec<String> = (0..100)
        .map(|at| format!("{{name: choice-{at}, area: {}, wcet: {}}}", at + 1, 5 + at / 99))
        .collect();
    let text = format!(
        "name: set\ntasks:\n  - {{name: t, wcet: 6, period: 8, choices: [{}]}}\n",
        choices.join(", ")
    );
    let scene = Scene::with("set.yaml", text);
    let usual = scene.isx("explore set.yaml").code(0).stdout.replace("\n      ", " ");
    assert!(
        usual.contains(
            "note: not used by t: 99 choices, 1 without a saving, 98 dominated by others; -v names them\n"
        ),
        "{usual}"
    );
    let verbose = scene.isx("explore set.yaml -v").code(0).stdout;
    assert!(verbose.contains("choice-98 (dominated") || verbose.contains("choice-98\n"), "{verbose}");
}

#[test]
fn color_is_as_asked_for() {
    let scene = Scene::with("small.yaml", SMALL);
    let colored = |line: &str| {
        let ran = scene.isx(line);
        (ran.stdout + &ran.stderr).contains('\u{1b}')
    };
    for line in [
        "explore small.yaml",
        "check small.yaml --area 1",
        "explore none.yaml",
        "plot small.yaml",
        "explore --help",
        "explore --none",
    ] {
        assert!(colored(&format!("{line} --color always")), "{line}");
        assert!(colored(&format!("--color=always {line}")), "{line}");
        assert!(!colored(&format!("{line} --color never")), "{line}");
        assert!(!colored(&format!("{line} --color auto")), "{line}");
        assert!(!colored(line), "{line}");
    }
    let forced = ["explore", "small.yaml", "--color", "never"];
    let ran = Ran::of(scene.command(&forced).env("CLICOLOR_FORCE", "1"));
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn a_choice_charged_in_several_tasks_is_noted_by_explore_and_check() {
    let task = |name: &str| {
        format!("  - {{name: {name}, wcet: 20, period: 50, choices: [{{name: aes, area: 464, wcet: 4}}]}}\n")
    };
    let text = format!("name: set\narea_unit: LUT\ntasks:\n{}{}", task("tls"), task("disk"));
    let scene = Scene::with("set.yaml", text);
    let note = "note: aes (464 LUT) in tls, disk: same name and area, charged in each task;";
    assert!(scene.isx("explore set.yaml").code(0).stdout.contains(note));
    let record = |line: &str| scene.isx(line).code(0).stderr;
    for line in ["explore set.yaml --json", "check set.yaml --area 464", "check set.yaml --area 464 --json"] {
        assert!(record(line).starts_with(note), "{line}: {}", record(line));
        assert_eq!(record(&format!("{line} -q")), "", "{line}");
    }
    assert!(!scene.isx("explore set.yaml -q").code(0).stdout.contains("note"));
}
