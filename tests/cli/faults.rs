//! Interrupts, closed pipes, and ends without warning.
#![cfg(unix)]

use super::scene::{Ran, Scene};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A problem that the textbook engine does not solve within the test: 60 classes of 1,000 items, 10^6 cells a row.
fn long_problem() -> Scene {
    let scene = Scene::new();
    scene.isx("generate mckp --classes 60 --items 1000 --capacity 1000000 --kind strong -o long.txt").code(0);
    scene
}

const LONG_SOLVE: &str = "solve mckp long.txt --engine reference --no-reduce --json";

/// A set whose front has so many points that writing it takes a while, with old results in `o`.
fn long_writing() -> Scene {
    let scene = Scene::new();
    let recipe = "generate taskset --tasks 60 --choices 6 --area 1..4000 --utilization 3 \
                  --savings correlated:0.1..0.6 -o set.yaml";
    scene.isx(recipe).code(0);
    std::fs::create_dir(scene.path("o")).unwrap();
    for file in ["front.csv", "front.json", "front.svg"] {
        scene.write(&format!("o/{file}"), "old");
    }
    scene
}

fn start(scene: &Scene, line: &str) -> Child {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let mut command = scene.command(&arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until a temporary file with something in it stands in `o`.
fn wait_for_writing(scene: &Scene, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while Instant::now() < deadline {
        let unfinished = scene
            .path("o")
            .read_dir()
            .unwrap()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp"))
            .any(|entry| entry.metadata().is_ok_and(|about| about.len() > 0));
        if unfinished {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be caught writing");
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("it never wrote");
}

#[test]
fn an_interrupt_ends_a_long_solve_within_a_second() {
    let scene = long_problem();
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let before = scene.files();
        let mut child = start(&scene, LONG_SOLVE);
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "the solve was meant to last");
        let sent = Instant::now();
        signal(&child, name);
        let ran = Ran::from(child.wait_with_output().unwrap()).code(code);
        assert!(sent.elapsed() < Duration::from_secs(1), "{name}: {:?}", sent.elapsed());
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""), "{name}");
        assert_eq!(scene.files(), before);
    }
}

#[test]
fn an_interrupt_while_writing_leaves_the_old_files_and_no_other() {
    let scene = long_writing();
    let before = scene.files();
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let mut child = start(&scene, "explore set.yaml --out o");
        wait_for_writing(&scene, &mut child);
        signal(&child, name);
        Ran::from(child.wait_with_output().unwrap()).code(code);
        let after = scene.files();
        // One file may just have been finished; none is there in part, and none besides but the note of the input.
        let mut names: Vec<_> = after.keys().collect();
        names.retain(|path| !path.ends_with(".isx-input.json"));
        assert_eq!(names, before.keys().collect::<Vec<_>>(), "{name}");
        assert_eq!(scene.read("o/front.json"), "old", "{name}");
        assert_eq!(scene.read("o/front.svg"), "old", "{name}");
    }
}

#[test]
fn a_kill_while_writing_leaves_the_old_files_whole() {
    let scene = long_writing();
    let mut child = start(&scene, "explore set.yaml --out o");
    wait_for_writing(&scene, &mut child);
    signal(&child, "KILL");
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    for file in ["front.csv", "front.json", "front.svg"] {
        assert_eq!(scene.read(format!("o/{file}")), "old");
    }
    // What the kill left does not hinder the next run.
    scene.isx("explore set.yaml --out o").code(0);
    assert!(scene.read("o/front.csv").starts_with("area,"));
    assert_eq!(scene.json("o/front.json")["schema"], "isx.front/1");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 12 --choices 10 --savings correlated:0.1..0.6 -o set.yaml").code(0);
    scene.isx("generate mckp --classes 12 --items 50 --capacity 30000 --kind strong -o problem.txt").code(0);
    for line in [
        "explore set.yaml --json",
        "explore set.yaml",
        "solve mckp problem.txt --all-capacities",
        "completions bash",
        "generate taskset --tasks 500",
        "explore --help",
    ] {
        let mut child = start(&scene, line);
        let mut first = String::new();
        // One line, and then the pipe is closed.
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty(), "{line}");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{line}: {stderr}");
    }
}

#[test]
fn a_full_disk_under_standard_output_is_told() {
    let scene = Scene::small();
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    for line in ["check small.yaml --area 1.25 --json", "generate taskset", "completions bash"] {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let child =
            scene.command(&arguments).stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).spawn();
        let ran = Ran::from(child.unwrap().wait_with_output().unwrap()).code(6);
        assert!(ran.stderr.starts_with("error: cannot write to standard output: "), "{line}: {}", ran.stderr);
    }
}
