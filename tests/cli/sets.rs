//! Many task sets from the shell: made, explored and checked by one command each.

use super::scene::{SMALL, Scene, has};
use serde_json::Value;

/// `sets` with the small set, one that no hardware makes schedulable, and one with a mistake.
fn scene() -> Scene {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("sets")).unwrap();
    scene.write("sets/b-small.yaml", SMALL);
    scene.write(
        "sets/a-heavy.yml",
        "name: heavy\ntasks:\n  - name: a\n    wcet: 9\n    period: 6\n    choices: [{name: c, area: 2, wcet: 7}]\n",
    );
    scene.write("sets/c-bad.yaml", "name: bad\ntasks:\n  - {name: a, wcet: 5}\n");
    scene.write("sets/notes.txt", "not a task set");
    scene
}

const BAD: &str = "\
error: task `a` has no `period`
 --> sets/c-bad.yaml:3:6
  |
3 |   - {name: a, wcet: 5}
  |      ^^^^^^^
  |
  = help: add `period: ..` to it
";

#[test]
fn a_folder_is_explored_into_a_folder_each_and_a_table() {
    let scene = scene();
    let ran = scene.isx("explore sets --out fronts").code(2);
    let table = "\
task set  verdict          smallest area
a-heavy   NOT SCHEDULABLE  none
b-small   SCHEDULABLE      1.25 kGE
c-bad     ERROR

3 task sets: 1 schedulable, 1 not schedulable, 1 with an error
Wrote fronts.csv and 2 folders of results to fronts
";
    let warned = "note: `sets/a-heavy.yml` was read with warnings; `isx check sets/a-heavy.yml` shows them\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr), (table, format!("{BAD}{warned}")));
    let rows = "\
name,file,points,verdict,min_schedulable_area,least_utilization_num,least_utilization_den,least_utilization,min_area,max_area,area_unit,error
a-heavy,sets/a-heavy.yml,2,not_schedulable,,7,6,1.1666666666666667,0,2,,
b-small,sets/b-small.yaml,3,schedulable,1.25,4,5,0.8,0,4.25,kGE,
c-bad,sets/c-bad.yaml,,,,,,,,,,sets/c-bad.yaml:3:6: task `a` has no `period`
";
    assert_eq!(scene.read("fronts/fronts.csv"), rows);
    assert!(!scene.path("fronts/c-bad").exists());
    scene.isx("explore sets/b-small.yaml --out alone --threads 1 --quiet").code(0);
    for file in ["front.csv", "front.json", "front.svg"] {
        assert_eq!(
            scene.read(format!("fronts/b-small/{file}")),
            scene.read(format!("alone/{file}")),
            "{file}"
        );
    }
    let quiet = scene.isx("explore sets/a-heavy.yml sets/b-small.yaml -q --threads 1").code(0);
    let rows = "a-heavy   NOT SCHEDULABLE  none\nb-small   SCHEDULABLE      1.25 kGE\n";
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), (rows, ""));
    assert!(scene.path("output/fronts.csv").exists() && scene.path("output/b-small/front.json").exists());
}

#[test]
fn fronts_as_json_are_those_of_single_runs_and_nothing_is_written() {
    let scene = scene();
    let before = scene.files();
    let ran = scene.isx("explore sets --json --threads 2").code(2);
    let found = ran.lines();
    assert_eq!(found.len(), 3);
    for (line, (file, verdict)) in
        found.iter().zip([("sets/a-heavy.yml", "not_schedulable"), ("sets/b-small.yaml", "schedulable")])
    {
        let mut alone = scene.isx(&format!("explore {file} --json --threads 1")).code(0).json();
        alone["file"] = file.into();
        alone["verdict"] = verdict.into();
        assert_eq!(*line, alone);
    }
    assert_eq!((&found[2]["file"], &found[2]["exit_code"]), (&"sets/c-bad.yaml".into(), &2.into()));
    assert_eq!(found[2]["error"].as_str().unwrap(), BAD.trim_end());
    assert_eq!(scene.files(), before);
}

#[test]
fn a_folder_is_checked_as_a_table_and_as_json() {
    let scene = scene();
    let ran = scene.isx("check sets").code(2);
    let table = "\
task set  verdict          smallest area
a-heavy   NOT SCHEDULABLE  none
b-small   SCHEDULABLE      1.25 kGE
c-bad     ERROR

3 task sets: 1 schedulable, 1 not schedulable, 1 with an error
";
    assert_eq!(ran.stdout, table);
    assert!(ran.stderr.starts_with(BAD), "{}", ran.stderr);
    // Within an area the verdict is about that area.
    let ran = scene.isx("check sets/a-heavy.yml sets/b-small.yaml --area 1").code(1);
    let table = "\
task set  verdict          smallest area
a-heavy   NOT SCHEDULABLE  none
b-small   NOT SCHEDULABLE  1.25 kGE

2 task sets: 0 schedulable, 2 not schedulable
";
    assert_eq!(ran.stdout, table);
    let found = scene.isx("check sets --json --area 1").code(2).lines();
    let words: Vec<&Value> = found.iter().map(|line| &line["verdict"]).collect();
    assert_eq!(words, [&"not_schedulable".into(), &"not_schedulable".into(), &Value::Null]);
    assert_eq!(found[1]["min_schedulable_area"], "1.25");
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    let scene = Scene::new();
    scene.isx("generate taskset --count 300 --tasks 5 --choices 3 -o sets").code(0);
    let check = |flags: &str| scene.isx(&format!("check sets {flags}")).stdout;
    let one = check("--threads 1");
    assert_eq!(one.lines().count(), 303);
    assert_eq!(one, check("--threads 4"));
    let refused = scene.isx("check sets --max-memory 10 --threads 4 --json").code(4);
    assert!(refused.lines().iter().all(|line| line["exit_code"] == 4), "{refused:?}");
}

#[test]
fn sets_with_equal_names_are_refused_before_one_replaces_the_front_of_another() {
    let scene = scene();
    std::fs::create_dir(scene.path("more")).unwrap();
    scene.write("more/b-small.yaml", SMALL);
    scene.isx("explore sets more").refused(
        2,
        &["error: `sets/b-small.yaml` and `more/b-small.yaml` would both write to the folder `b-small`; rename one of \
           them, or explore them one after the other with --out\n"],
    );
    scene
        .isx("explore more/b-small.yaml more/b-small.yaml")
        .refused(2, &["`more/b-small.yaml` is given twice\n"]);
    assert!(!scene.path("output").exists());
    // Where nothing is written, nothing is replaced; the table then has the paths.
    assert_eq!(scene.isx("explore more sets/b-small.yaml --json").code(0).lines().len(), 2);
    let table = scene.isx("check more sets/b-small.yaml").code(0).stdout;
    assert!(table.contains("\nmore/b-small.yaml  SCHEDULABLE      1.25 kGE\n"), "{table}");
}

#[test]
fn the_table_of_other_sets_is_left_alone_unless_it_may_be_replaced() {
    let scene = scene();
    scene.isx("explore sets").code(2);
    let table = scene.read("output/fronts.csv");
    // The same folder again, with one file fewer.
    std::fs::remove_file(scene.path("sets/c-bad.yaml")).unwrap();
    scene.isx("explore sets").code(0);
    assert!(scene.read("output/fronts.csv").len() < table.len());
    let printed = "error: `output/fronts.csv` holds the table of other task sets\n\
                help: name another folder with --out, or replace it with --overwrite\n";
    let one = "explore sets/b-small.yaml missing.yaml";
    assert_eq!(scene.isx(one).refused(6, &[]).stderr, printed);
    // A list of the files that the folder has is the same input.
    scene.isx("explore sets/a-heavy.yml sets/b-small.yaml").code(0);
    scene.isx(&format!("{one} --overwrite")).code(2);
    let cut = scene.isx("explore sets/b-small.yaml sets/a-heavy.yml --max-area 1 --out cut").code(0).stdout;
    assert!(cut.contains("\nb-small   NOT SCHEDULABLE  none within the limits\n"), "{cut}");
    // What-if fronts have a table of their own.
    scene.isx("explore sets --margin 10%").code(0);
    assert!(scene.read("output/fronts-what-if.csv").contains("\nb-small,"));
    assert!(scene.path("output/b-small-what-if/front.csv").exists());
}

#[test]
fn flags_for_one_set_are_refused_with_several() {
    let scene = scene();
    for flag in ["--certificate x", "--opb x", "--all"] {
        let printed = format!(
            "error: {} is for one task set: name its file alone, not several files or a folder\n",
            flag.split(' ').next().unwrap()
        );
        assert_eq!(scene.isx(&format!("explore sets {flag}")).refused(2, &[]).stderr, printed);
    }
    scene.isx("explore sets/b-small.yaml -").refused(2, &["standard input", "by itself"]);
    let proved = scene.isx("explore sets/b-small.yaml sets/a-heavy.yml --prove --json").code(0);
    assert!(proved.lines().iter().all(|line| line["status"] == "proved"), "{proved:?}");
}

#[test]
fn seeds_that_follow_one_another_make_files_that_say_which() {
    let scene = Scene::new();
    let ran = scene.isx("generate taskset --tasks 4 --seed 9 --count 3 -o new/sets").code(0);
    let printed = "note: wrote 3 task sets to new/sets: generated-09.yaml to generated-11.yaml\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", printed));
    let names = scene.files().into_keys().map(|path| path.display().to_string());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["new/sets/generated-09.yaml", "new/sets/generated-10.yaml", "new/sets/generated-11.yaml"]
    );
    let alone = scene.isx("generate taskset --tasks 4 --seed 10 --name generated-10").code(0).stdout;
    assert_eq!(scene.read("new/sets/generated-10.yaml"), alone);
    has(&alone, &["\n#   isx generate taskset --name generated-10 --tasks 4 ", " --seed 10\n"]);
    // One set is one file, as ever.
    let one = scene.isx("generate taskset --tasks 4 --seed 9").code(0).stdout;
    scene.isx("generate taskset --tasks 4 --seed 9 --count 1 -o one.yaml").code(0);
    assert_eq!(scene.read("one.yaml"), one);
}

#[test]
fn generated_files_replace_others_only_if_they_may() {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("sets")).unwrap();
    scene.write("sets/x-2.yaml", "mine");
    let line = "generate taskset --tasks 3 --name x --count 3 -o sets";
    let refused = "error: `sets/x-2.yaml` is there already\n\
                   help: name another file, or replace this one with --overwrite\n";
    assert_eq!(scene.isx(line).refused(6, &[]).stderr, refused);
    assert_eq!((scene.files().len(), scene.read("sets/x-2.yaml")), (1, "mine".into()));
    scene.isx(&format!("{line} --overwrite")).code(0);
    assert!(scene.read("sets/x-2.yaml").contains("\nname: x-2\n"));
    let refused = "error: `sets/x-1.yaml` is there already, and so are 2 more of the files to write\n\
                   help: name another file, or replace this one with --overwrite\n";
    assert_eq!(scene.isx(line).refused(6, &[]).stderr, refused);
    for (line, printed) in [
        ("generate taskset --count 3", "--count 3 writes a file per task set: name a folder with -o\n"),
        ("generate taskset --count 3 -o -", "--count 3 writes a file per task set: name a folder with -o\n"),
        (
            "generate taskset --count 3 --seed 18446744073709551614 -o s",
            "--seed 18446744073709551614: the seeds of 3 sets go beyond 18446744073709551615\n",
        ),
    ] {
        assert_eq!(scene.isx(line).refused(2, &[]).stderr, format!("error: {printed}"));
    }
    scene.isx("generate taskset --count 3 --utilization 0 -o s").refused(2, &["--utilization 0"]);
    scene.isx("generate taskset --count 3 -o sets/x-1.yaml").refused(6, &["not a directory"]);
    assert!(!scene.path("s").exists());
}

#[test]
fn generated_sets_cause_no_warning_and_no_note_of_equal_names() {
    let scene = Scene::new();
    // Equal areas are frequent, and WCETs beyond the deadline.
    let recipe = "generate taskset --tasks 12 --choices 4 --area 1..5 --deadlines constrained:0.01..0.05";
    scene.isx(&format!("{recipe} --count 4 -o sets")).code(0);
    assert_eq!(scene.isx("explore sets").code(0).stderr, "");
    assert_eq!(scene.isx("check sets").stderr, "");
    let alone = scene.isx("check sets/generated-1.yaml");
    assert!(!alone.stderr.contains("same name") && !alone.stderr.contains("warning"), "{}", alone.stderr);
    // They are there if everything is to be said, and in sets that are somebody's own.
    assert!(scene.isx("check sets/generated-1.yaml -v").stderr.contains("is greater than the deadline"));
    let own = scene.read("sets/generated-1.yaml").replace("source: generated by isx, seed 1\n", "");
    scene.write("own.yaml", own);
    let own = scene.isx("check own.yaml").stderr;
    assert!(own.contains("same name and area") && own.contains("is greater than the deadline"), "{own}");
}
