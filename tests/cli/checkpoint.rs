//! Long runs that are killed, interrupted and resumed.
#![cfg(unix)]

use super::scene::{Ran, Scene};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const OUT: &str = "explore set.yaml --format csv,json,svg --threads 1 --out o --certificate o/proof";
/// The formats, the certificate, and the record of the input.
const FILES: usize = 5;
const KEEP: &str = "--checkpoint kept --checkpoint-every 0";

/// A set without shared blocks, and two whose choices share them: the rows of the second are short.
const PLAIN: &str = "--tasks 24 --choices 5 --area 1..2000 --utilization 3 --savings correlated:0.1..0.6";
const BLOCKS: &str = "--tasks 16 --choices 5 --blocks 8";
const FEW_BLOCKS: &str = "--tasks 16 --choices 5 --blocks 5 --area 1..200";

fn scene_of(recipe: &str) -> Scene {
    let scene = Scene::new();
    scene.isx(&format!("generate taskset {recipe} -o set.yaml")).code(0);
    scene
}

fn scene() -> Scene {
    scene_of(PLAIN)
}

/// The files of an undisturbed run, and its duration.
fn undisturbed(scene: &Scene, line: &str) -> (BTreeMap<PathBuf, Vec<u8>>, Duration) {
    let began = Instant::now();
    scene.isx(line).code(0);
    let took = began.elapsed();
    let mut files = scene.files();
    files.retain(|path, _| path.starts_with("o"));
    assert_eq!(files.len(), FILES, "{:?}", files.keys());
    std::fs::remove_dir_all(scene.path("o")).unwrap();
    (files, took)
}

fn start(scene: &Scene, line: &str) -> Child {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    scene.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A number below `below` that differs from call to call, but is the same in every run of the test.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

fn cases(usual: u64) -> u64 {
    std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// Checks that every file in `o` except temporary ones is complete; returns their number.
fn complete(scene: &Scene, wanted: &BTreeMap<PathBuf, Vec<u8>>, context: &str) -> usize {
    let mut files = scene.files();
    files.retain(|path, _| path.starts_with("o") && path.extension().is_none_or(|ending| ending != "tmp"));
    for (path, content) in &files {
        assert_eq!(wanted.get(path), Some(content), "{context}: {} is in part", path.display());
    }
    files.len()
}

#[test]
fn whenever_a_run_is_killed_its_files_are_absent_or_complete() {
    let scene = scene();
    let (wanted, took) = undisturbed(&scene, OUT);
    let (mut seed, mut seen, mut killed) = (1, [0; FILES + 1], 0);
    // Half of the kills are in the last part of the run, where files are written.
    for case in 0..cases(20) {
        let span = took.as_micros() as u64;
        let after = if case % 2 == 0 { draw(&mut seed, span) } else { span / 2 + draw(&mut seed, span) };
        let mut child = start(&scene, OUT);
        std::thread::sleep(Duration::from_micros(after));
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().signal() == Some(9));
        seen[complete(&scene, &wanted, &format!("killed after {after} us"))] += 1;
        let _ = std::fs::remove_dir_all(scene.path("o"));
    }
    println!("{killed} runs were killed; of how many files there were: {seen:?}");
    assert!(killed > 0, "no run lasted until it was killed");
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_files() {
    for (engine, recipe) in [("auto", PLAIN), ("dense", PLAIN), ("list", BLOCKS), ("dense", FEW_BLOCKS)] {
        let scene = scene_of(recipe);
        let line = format!("{OUT} --engine {engine} {KEEP}");
        let (wanted, took) = undisturbed(&scene, &line);
        // The last checkpoint is from just before the end.
        scene.isx(&format!("{OUT} --engine {engine} --resume kept")).code(0);
        assert_eq!(complete(&scene, &wanted, engine), FILES);
        let (mut seed, mut resumed) = (7, 0);
        for case in 0..cases(2) {
            let _ = std::fs::remove_dir_all(scene.path("o"));
            let _ = std::fs::remove_file(scene.path("kept"));
            for kill in 0.. {
                let goes_on = scene.path("kept").exists();
                let resume = if goes_on { "--resume kept" } else { "" };
                let mut child = start(&scene, &format!("{line} {resume}"));
                if kill < 6 {
                    std::thread::sleep(took.mul_f64(draw(&mut seed, 1000) as f64 / 2000.0));
                    child.kill().unwrap();
                }
                let ended = Ran::from(child.wait_with_output().unwrap());
                assert!(matches!(ended.code, -1 | 0), "{engine}, case {case}: {ended:#?}");
                resumed += u32::from(goes_on);
                complete(&scene, &wanted, engine);
                if ended.code == 0 {
                    break;
                }
            }
            assert_eq!(complete(&scene, &wanted, engine), FILES, "{engine}, case {case}");
        }
        assert!(resumed > 0, "no run of {engine} was killed after it had kept a state");
    }
}

#[test]
fn a_set_at_several_clocks_goes_on_at_the_one_it_was_at() {
    let scene = Scene::new();
    let mut several = 0;
    for seed in 1..=cases(4) {
        let recipe =
            "generate taskset --tasks 8 --choices 4 --blocks 5 --uses 1..2 --fmax 60..140 --clock-mhz 100";
        scene.isx(&format!("{recipe} --seed {seed} -o set.yaml")).code(0);
        let (wanted, _) = undisturbed(&scene, &format!("{OUT} {KEEP}"));
        let kept = std::fs::read(scene.path("kept")).unwrap();
        let header = String::from_utf8_lossy(&kept).lines().nth(1).unwrap().to_owned();
        several += u32::from(header.matches("\",\"").count() > 2);
        scene.isx(&format!("{OUT} --resume kept")).code(0);
        assert_eq!(complete(&scene, &wanted, "several clocks"), FILES);
        std::fs::remove_dir_all(scene.path("o")).unwrap();
    }
    assert!(several > 0, "every set had one clock");
}

#[test]
fn a_termination_keeps_a_last_state() {
    let scene = scene();
    let (wanted, first) = undisturbed(&scene, OUT);
    // On a busy machine one run may take long, and all of these moments would come after the others' computation.
    let whole = (0..3).map(|_| undisturbed(&scene, OUT).1).fold(first, Duration::min);
    // Hourly checkpoints have not been written when the run is terminated.
    let line = format!("{OUT} --checkpoint kept --checkpoint-every 3600");
    let mut stopped = 0;
    // At times all through a run and beyond, since durations vary.
    for part in (1..120).chain(1..120).chain(1..120) {
        let child = start(&scene, &line);
        std::thread::sleep(whole * part / 100);
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let sent = Instant::now();
        let ran = Ran::from(child.wait_with_output().unwrap());
        if ran.code == 0 {
            let _ = std::fs::remove_dir_all(scene.path("o"));
            let _ = std::fs::remove_file(scene.path("kept"));
            continue;
        }
        // A signal may arrive before the program handles it.
        assert!(matches!(ran.code, 143 | -1), "{ran:#?}");
        assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
        complete(&scene, &wanted, "terminated");
        let _ = std::fs::remove_dir_all(scene.path("o"));
        if scene.path("kept").exists() {
            assert!(ran.stderr.contains("note: --resume kept goes on from here"), "{ran:#?}");
            scene.isx(&format!("{OUT} --resume kept")).code(0);
            assert_eq!(complete(&scene, &wanted, "gone on"), FILES);
            std::fs::remove_dir_all(scene.path("o")).unwrap();
            std::fs::remove_file(scene.path("kept")).unwrap();
            stopped += 1;
            if stopped == 3 {
                break;
            }
        }
    }
    assert!(stopped > 0, "no run was stopped while it computed");
}

#[test]
fn what_is_damaged_cut_short_or_foreign_is_refused() {
    damaged_cut_short_or_foreign("auto", PLAIN);
}

#[test]
fn what_is_damaged_cut_short_or_foreign_is_refused_with_shared_blocks() {
    damaged_cut_short_or_foreign("dense", FEW_BLOCKS);
}

fn damaged_cut_short_or_foreign(engine: &str, recipe: &str) {
    let scene = scene_of(recipe);
    scene.isx(&format!("{OUT} {KEEP} --engine {engine}")).code(0);
    std::fs::remove_dir_all(scene.path("o")).unwrap();
    let kept = std::fs::read(scene.path("kept")).unwrap();
    let resume = format!("{OUT} --resume bad");
    let mut seed = 3;
    for _ in 0..cases(20) {
        let mut bad = kept.clone();
        if draw(&mut seed, 3) == 0 {
            bad.truncate(draw(&mut seed, kept.len() as u64) as usize);
        } else {
            let at = draw(&mut seed, kept.len() as u64) as usize;
            bad[at] ^= 1 << draw(&mut seed, 8);
        }
        scene.write("bad", bad);
        scene.isx(&resume).refused(2, &["--resume bad: "]);
        assert!(!scene.path("o").exists());
    }
    scene.write("bad", [&kept[..], b"\n"].concat());
    scene.isx(&resume).refused(2, &["damaged or cut short"]);
    for (content, why) in [("", "no checkpoint of isx"), ("isx.checkpoint/1\n", "damaged or cut short")] {
        scene.write("bad", content);
        scene.isx(&resume).refused(2, &[why]);
    }
    scene.isx(&format!("{OUT} --resume none")).refused(2, &["--resume none: "]);
    scene.isx(&format!("{OUT} --resume .")).refused(2, &["this is a directory"]);
    // With another set, other options, another engine.
    scene.isx(&format!("generate taskset {recipe} --seed 9 -o other.yaml")).code(0);
    let foreign = "another task set, or other options";
    scene.isx("explore other.yaml --out o --resume kept").refused(2, &[foreign]);
    scene.isx(&format!("{OUT} --resume kept --max-area 500")).refused(2, &[foreign]);
    scene.isx(&format!("{OUT} --resume kept --arithmetic i128 --engine list")).refused(2, &[]);
    let engines =
        ["list", "dense"].map(|engine| scene.isx(&format!("{OUT} --resume kept --engine {engine}")).code);
    assert!(engines == [0, 2] || engines == [2, 0], "{engines:?}");
}

#[test]
fn engines_that_keep_no_states_are_refused_by_name() {
    let scene = scene();
    scene
        .isx(&format!("{OUT} {KEEP} --engine reference"))
        .refused(5, &["keeps no checkpoints; list and dense can"]);
    scene.isx("explore set.yaml --checkpoint-every 5").refused(2, &["--checkpoint <FILE>"]);
    scene.isx("explore set.yaml --checkpoint /proc/none/kept").refused(6, &["cannot write"]);
    scene.isx("explore set.yaml --checkpoint .").refused(6, &["cannot write"]);
    assert!(!scene.path("kept").exists() && !scene.path("output").exists());
}

#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_run() {
    let scene = scene();
    let (wanted, _) = undisturbed(&scene, OUT);
    // The disk is full once the run has begun: the checks of folder, certificate and checkpoint pass before.
    let arguments: Vec<String> = format!("{OUT} {KEEP}").split_whitespace().map(str::to_owned).collect();
    let ran = Ran::of(scene.command(&arguments).env("ISX_FAULTS", "write:4")).code(0);
    assert!(ran.stderr.contains("note: the work goes on without a new checkpoint: cannot write"), "{ran:#?}");
    assert_eq!(complete(&scene, &wanted, "without a checkpoint"), FILES);
}
