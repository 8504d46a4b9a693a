//! Public instances as they are: Pisinger's CSV files, and what a file looks like that is not one.

use super::scene::{Ran, Scene};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Two problems; the file states 12 and 2, and the best of the second is 1.
const PISINGER: &str = "knapPI_1_3_10_1\nn 3\nc 10\nz 12\ntime 0.00\n1,3,2,1\n2,9,6,1\n3,5,5,0\n-----\n\n\
                        knapPI_1_2_10_2\nn 2\nc 1\nz 2\ntime 0.10\n7,1,1,1\n9,0,1,0\n-----\n\n";

#[test]
fn every_problem_of_a_file_of_pisinger_has_its_answer_with_its_name() {
    let scene = Scene::with("p.csv", PISINGER);
    let ran = scene.isx("solve knapsack p.csv").code(0);
    let wanted = "problem    knapPI_1_3_10_1\nvalue      12\nweight     8\npoints     1\nstated     12, the same\n\n\
                  problem    knapPI_1_2_10_2\nvalue      1\nweight     1\npoints     1\nstated     2, which differs\n";
    let warning = "warning: p.csv: knapPI_1_2_10_2: the file states the optimum 2, but 1 was found\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (wanted, warning));
    // A byte-order mark, CR LF and comments change nothing.
    let text = format!("\u{feff}# from a mirror\n{}", PISINGER.replace("z 12", "z 12 # proved"));
    scene.write("p.csv", text.replace('\n', "\r\n"));
    assert_eq!(scene.isx("solve knapsack p.csv").code(0).stdout, wanted);
}

#[test]
fn with_json_every_problem_of_a_file_is_a_line() {
    let scene = Scene::with("p.csv", PISINGER);
    scene.write("plain.txt", "3 10\n3 2\n9 6\n5 5\n1 1 0\n");
    for line in ["solve knapsack p.csv --json", "solve knapsack p.csv plain.txt"] {
        let ran = scene.isx(line).code(0);
        let mut lines = ran.lines();
        for line in &mut lines {
            let line = line.as_object_mut().unwrap();
            assert_eq!(line.remove("schema").unwrap(), "isx.solution/1");
            ["engine", "timings", "updates"]
                .iter()
                .for_each(|key| assert!(line.remove(*key).is_some(), "{key}"));
        }
        let [first, second, rest @ ..] = &lines[..] else { panic!("{lines:?}") };
        let wanted = json!({
            "file": "p.csv", "instance": "knapPI_1_3_10_1", "problem": "knapsack", "feasible": true, "value": "12",
            "weight": 8, "picks": [0, 1], "ids": [1, 2], "stated_optimum": "12", "agrees": true,
        });
        assert_eq!(*first, wanted);
        let wanted = json!({
            "file": "p.csv", "instance": "knapPI_1_2_10_2", "problem": "knapsack", "feasible": true, "value": "1",
            "weight": 1, "picks": [0], "ids": [7], "stated_optimum": "2", "agrees": false,
        });
        assert_eq!(*second, wanted);
        // The zeros and ones after the items are a selection that the file states.
        let wanted = json!({
            "file": "plain.txt", "problem": "knapsack", "feasible": true, "value": "12", "weight": 8,
            "picks": [0, 1], "stated_optimum": "12", "agrees": true,
        });
        assert!(rest.iter().all(|line| *line == wanted), "{rest:?}");
        assert_eq!(rest.len(), usize::from(line.ends_with("plain.txt")));
    }
    let ran = scene.isx("solve knapsack p.csv --json --capacity 1").code(0);
    assert!(ran.lines().iter().all(|line| line.get("agrees").is_none()), "the optimum is another's");
    assert_eq!(ran.stderr, "");
}

#[test]
fn picks_are_reported_by_the_ids_of_the_file() {
    let scene = Scene::with("p.txt", "3\n10 3 2\n20 9 6\n30 5 5\n10\n");
    let text = |flags: &str| {
        let ran = scene.isx(&format!("solve knapsack p.txt {flags}")).code(0);
        (ran.stdout, ran.stderr)
    };
    let note = "note: picks number the items from 0 in file order; the file's own ids are others, which --ids reports\n";
    let picks = "value      12\nweight     8\npicks      [0,1]\npoints     1\n";
    assert_eq!(text("--picks"), (picks.into(), note.into()));
    let ids = "value      12\nweight     8\nids        [10,20]\npoints     1\n";
    assert_eq!(text("--ids"), (ids.into(), String::new()));
    let front =
        "value      3\nweight     2\npoints     2\n\nweight value picks ids\n0 0 [] []\n2 3 [0] [10]\n";
    assert_eq!(text("--ids --picks --all-capacities --capacity 4").0, front);
    let answer = scene.isx("solve knapsack p.txt --ids --all-capacities --capacity 4 --json").code(0).json();
    assert_eq!([&answer["picks"], &answer["ids"]], [&json!([0]), &json!([10])]);
    assert_eq!([&answer["front_ids"], &answer["front_picks"]], [&json!([[], [10]]), &Value::Null]);
    // Ids that count from 0 are no others.
    scene.write("zero.txt", "2\n0 3 2\n1 9 6\n10\n");
    assert_eq!(scene.isx("solve knapsack zero.txt --picks").code(0).stderr, "");
    scene.write("none.txt", "1 5\n3 2\n");
    let error = "error: none.txt: this format has no ids; --picks numbers the items from 0 in file order\n";
    assert_eq!(scene.isx("solve knapsack none.txt --ids").code(2).stderr, error);
}

#[test]
fn a_file_that_is_not_understood_is_named_after_what_it_looks_like() {
    let scene = Scene::new();
    let mckp = "2 9\n2\n3 2\n6 5\n2\n1 1\n2 4\n";
    for (family, text, message) in [
        (
            "mckp",
            PISINGER,
            "line 1, column 1: `knapPI_1_3_10_1` is not the number of classes; this looks like a CSV file of Pisinger's knapsack instances; `isx solve knapsack` reads it",
        ),
        (
            "knapsack",
            " 2\n 3 2 17\n 10 7 6\n 4 3 3\n 2 3\n 2\n 7 5\n 2 1 0\n 1 2\n 3 4\n 5\n",
            "line 4, column 4: `3` stands after the capacity; this looks like a file of multi-dimensional knapsack problems from the OR-Library, which isx does not solve",
        ),
        (
            "knapsack",
            mckp,
            "line 2: 1 number where an item has two, its profit and its weight; this looks like a multiple-choice knapsack problem; `isx solve mckp` reads it",
        ),
        (
            "mckp",
            " 2  2  4\n 9 9 9 9\n 1\n 7.00 1 2 3 1\n 8.00 2 2 3 4\n 2\n 5.00 1 1 1 1\n 6.00 4 3 2 1\n",
            "line 3: the value of an item ends this line, and its weight is on another; this looks like a multiple-choice knapsack problem with several resources (MMKP), which isx does not solve",
        ),
        (
            "mckp",
            "1\t2\t2\t2\t\n\t9\t9\t\n1\t\t\t\n7\t1\t2\t\n8\t2\t2\t\n2\t\t\t\n5\t1\t1\t\n6\t4\t3\t\n",
            "line 1: the value of an item ends this line, and its weight is on another; this looks like a multiple-choice knapsack problem with several resources (MMKP), which isx does not solve",
        ),
        (
            "mckp",
            "1\n3 5 0\n7 8 9\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n1 2 3\n4 4 4 4 4\n",
            "line 2: the value of an item ends this line, and its weight is on another; this looks like a file of multi-dimensional knapsack problems from the OR-Library, which isx does not solve",
        ),
        (
            "mckp",
            "x\nn 2\nc 10\n1,3\n",
            "line 1, column 1: `x` is not the number of classes; this looks like a CSV file of Pisinger's knapsack instances; `isx solve knapsack` says what is wrong with it",
        ),
        (
            "mckp",
            "3 10\n3 2\n9 6\n5 5\n",
            "line 2: the value of an item ends this line, and its weight is on another; this looks like a 0-1 knapsack problem; `isx solve knapsack` reads it",
        ),
        (
            "knapsack",
            "name: a\ntasks:\n  - name: b\n",
            "line 1, column 1: `name:` is not the number of items; this looks like a task set in YAML; `isx explore` reads it",
        ),
        (
            "knapsack",
            "profit,weight\n3,2\n",
            "line 1, column 1: `profit,weight` is not the number of items; this looks like a table with a header line; leave the header out, and write the numbers with spaces between them",
        ),
        (
            "knapsack",
            "2;10\n3;2\n9;6\n",
            "line 1, column 1: `2;10` is not the number of items; this looks like numbers with commas or semicolons between them; write the numbers with spaces between them",
        ),
        (
            "mckp",
            "{\"schema\": \"x\"}",
            "line 1, column 1: `{\"schema\":` is not the number of classes; this looks like JSON; `isx solve mckp --help` says what is read",
        ),
        (
            "knapsack",
            "Maximize\n obj: 3 x\n",
            "line 1, column 1: `Maximize` is not the number of items; this looks like a linear program in the LP format; `isx solve knapsack --help` says what is read",
        ),
        (
            "mckp",
            "NAME x\nROWS\n N cost\n",
            "line 1, column 1: `NAME` is not the number of classes; this looks like a linear program in the MPS format; `isx solve mckp --help` says what is read",
        ),
        (
            "mckp",
            "\"profit\"\t\"weight\"\n1\t2\n",
            "line 1, column 1: `\"profit\"` is not the number of classes; this looks like a table with a header line; leave the header out, and write the numbers with spaces between them",
        ),
        ("knapsack", "hello\n", "line 1, column 1: `hello` is not the number of items"),
        (
            "knapsack",
            "3 10\n3 2\n",
            "line 1: the number of items is given as 3, but 1 line follows, each with 2 numbers",
        ),
    ] {
        scene.write("p.txt", text);
        let ran = scene.isx(&format!("solve {family} p.txt")).code(2);
        assert_eq!((ran.stdout.as_str(), ran.stderr), ("", format!("error: p.txt: {message}\n")));
    }
}

#[test]
fn mistakes_in_a_file_of_pisinger_are_shown_with_their_place() {
    let scene = Scene::new();
    for (from, to, message) in [
        ("2,9,6,1", "2,9,6.x,1", "line 7, column 5: `6.x` is not the weight of an item"),
        ("3,5,5,0\n", "", "line 8, column 1: `-----` is not the id of an item"),
        ("3,5,5,0\n", "3,5,5,0\n4,5,5,0\n", "line 9, column 1: `4` stands after the last item of a problem"),
        ("c 10\n", "", "line 5, column 1: `1` is not `c` and the capacity"),
        ("n 3\n", "n 3 4\n", "line 2, column 5: `4` stands after the number of this line"),
        ("2,9,6,1", "2,9,-6,1", "line 7, column 5: `-6` is not a weight (it may not be negative)"),
        ("2,9,6,1", "2,9,6,2", "line 7, column 7: `2` is not 0 or 1 (whether the item is chosen)"),
        ("2,9,6,1", "2,9,6,1,4", "line 7, column 9: `4` stands after the item on its line"),
    ] {
        scene.write("p.csv", PISINGER.replacen(from, to, 1));
        let error = format!("error: p.csv: {message}\n");
        assert_eq!(scene.isx("solve knapsack p.csv").code(2).stderr, error);
    }
    scene.write("p.csv", PISINGER);
    let error = "error: p.csv: a certificate is about one problem, and this file has 2\n";
    assert_eq!(scene.isx("solve knapsack p.csv --certificate c").code(2).stderr, error);
}

#[test]
fn a_problem_that_is_refused_stops_no_other_of_its_file() {
    let heavy = "heavy\nn 3\nc 999999\nz 0\n1,5,500001\n2,7,499999\n3,11,333333\n-----\n";
    let scene = Scene::with("p.csv", format!("{heavy}{PISINGER}"));
    let flags = "--engine dense --no-reduce --max-memory 1MB";
    let ran = scene.isx(&format!("solve knapsack p.csv --json {flags}")).code(4);
    let lines = ran.lines();
    assert_eq!((&lines[0]["instance"], &lines[0]["exit_code"]), (&json!("heavy"), &json!(4)));
    assert_eq!([&lines[1]["value"], &lines[2]["value"]], ["12", "1"]);
    let text = scene.isx(&format!("solve knapsack p.csv {flags}")).code(4).stdout;
    let (error, rest) = text.split_once("\n\n").unwrap();
    assert!(error.starts_with("problem    heavy\nerror      the dense engine needs "), "{text}");
    assert!(rest.starts_with("problem    knapPI_1_3_10_1\nvalue      12\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn answers_appear_while_later_files_are_not_even_readable() {
    let scene = Scene::with("a.txt", "1 5\n3 2\n");
    scene.write("b.txt", "1 5\n4 2\n");
    assert!(Command::new("mkfifo").arg(scene.path("late.txt")).status().unwrap().success());
    let arguments = ["solve", "knapsack", "a.txt", "b.txt", "late.txt", "b.txt", "--threads", "2"];
    let mut child = scene.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut value =
        || serde_json::from_str::<Value>(&answers.next().unwrap().unwrap()).unwrap()["value"].clone();
    assert_eq!([value(), value()], ["3", "4"]);
    std::fs::write(scene.path("late.txt"), "1 5\n5 2\n").unwrap();
    assert_eq!([value(), value()], ["5", "4"]);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_file_of_many_problems_is_the_same_on_any_number_of_threads() {
    let problem = |at: usize| {
        let items: String = (1..=30)
            .map(|id| format!("{id},{},{}\n", (id * 7919 + at * 31) % 97 + 1, (id * 104_729 + at) % 89 + 1))
            .collect();
        format!("p{at}\nn 30\nc {}\n{items}-----\n\n", 200 + at)
    };
    let scene = Scene::with("p.csv", (0..300).map(problem).collect::<String>());
    let values = |flags: &str| -> Vec<(String, String)> {
        let ran: Ran = scene.isx(&format!("solve knapsack p.csv --json {flags}")).code(0);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        ran.lines().iter().map(|line| (text(&line["instance"]), text(&line["value"]))).collect()
    };
    let one = values("--threads 1");
    assert_eq!(one.len(), 300);
    assert!(one.iter().enumerate().all(|(at, (name, _))| *name == format!("p{at}")));
    assert_eq!(one, values("--threads 4"));
    assert_eq!(one, values("--engine reference --threads 3"));
}
