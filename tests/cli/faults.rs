//! Interrupts, closed pipes, and unexpected ends of the process.
#![cfg(unix)]

use super::scene::{Ran, Scene};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A problem that the textbook engine does not solve within the test: 60 classes of 1,000 items, 10^6 cells per row.
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
    scene.line(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until `o` contains a temporary file that is not empty.
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
        // One file may just have been finished; no file is incomplete, and there is no other except the record of the
        // input.
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
    let names = || -> Vec<PathBuf> { scene.files().into_keys().collect() };
    let left = names().iter().filter(|path| path.to_string_lossy().ends_with(".tmp")).count();
    assert!(left > 0, "the kill left nothing: {:?}", names());
    // Files left by the kill do not hinder the next run, which removes them; other files stay.
    let others = ["o/.isx-living.tmp", "o/.isx-notes-of-mine.tmp", "o/notes.tmp"];
    others.iter().for_each(|other| scene.write(other, "mine"));
    let living = std::fs::File::open(scene.path(others[0])).unwrap();
    living.lock().unwrap();
    scene.isx("explore set.yaml --out o").code(0);
    let mut wanted = ["o/.isx-input.json", "o/front.csv", "o/front.json", "o/front.svg", "set.yaml"].to_vec();
    wanted.extend(others);
    wanted.sort_unstable();
    assert_eq!(names(), wanted.iter().map(PathBuf::from).collect::<Vec<_>>());
    drop(living);
    assert!(scene.read("o/front.csv").starts_with("area,"));
    assert_eq!(scene.json("o/front.json")["schema"], "isx.front/3");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 12 --choices 10 --savings correlated:0.1..0.6 -o set.yaml").code(0);
    std::fs::copy(scene.path("set.yaml"), scene.path("again.yaml")).unwrap();
    scene.isx("generate mckp --classes 12 --items 50 --capacity 30000 --kind strong -o problem.txt").code(0);
    let many = format!("solve mckp {}", "problem.txt ".repeat(40));
    for line in [
        many.as_str(),
        "explore set.yaml --json",
        "explore set.yaml",
        "explore set.yaml again.yaml --out both",
        "solve mckp problem.txt --all-capacities",
        "completions bash",
        "generate taskset --tasks 500",
        "explore --help",
    ] {
        let mut child = start(&scene, line);
        let mut first = String::new();
        // Reads one line, then closes the pipe.
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty(), "{line}");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{line}: {stderr}");
    }
}

#[test]
fn many_sets_are_explored_to_their_files_though_the_reader_leaves() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 4 --choices 2 --count 60 -o sets").code(0);
    scene.write("sets/z-bad.yaml", "tasks: []\n");
    let mut child = start(&scene, "explore sets --out o --format csv");
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    // The exit code is that of the bad set.
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert_eq!(scene.read("o/fronts.csv").lines().count(), 62);
    assert!(scene.path("o/generated-60/front.csv").exists());
}

#[test]
fn a_full_disk_under_standard_output_is_told() {
    let scene = Scene::small();
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let lines =
        ["check small.yaml --area 1.25 --json", "generate taskset", "completions bash", "help", "--version"];
    for line in lines {
        let child = scene.line(line).stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).spawn();
        let ran = Ran::from(child.unwrap().wait_with_output().unwrap()).code(6);
        assert!(ran.stderr.starts_with("error: cannot write to standard output: "), "{line}: {}", ran.stderr);
    }
}

/// Runs a shell line that does something first, or redirects.
#[cfg(target_os = "linux")]
fn shell(scene: &Scene, script: &str) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("ISX", env!("CARGO_BIN_EXE_isx"));
    command.current_dir(scene.path(""));
    Ran::of(command.stdin(Stdio::null()))
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_is_told_by_whoever_writes_there() {
    let scene = Scene::small();
    for line in ["check small.yaml --area 1.25", "generate taskset", "help", "show --help"] {
        for closed in [">&-", "<&- >&-"] {
            let ran = shell(&scene, &format!("exec $ISX {line} {closed}")).code(6);
            assert_eq!(ran.stderr, "error: cannot write to standard output: it is closed\n", "{line}");
        }
    }
    let ran = shell(&scene, "exec $ISX generate taskset -o new.yaml >&-").code(0);
    assert_eq!(ran.stderr, "note: wrote new.yaml\n");
    assert!(scene.read("new.yaml").starts_with('#'));
}

/// Limits of address space, in kB, from the smallest at which the program starts but can do nothing else. Each
/// thread's allocator reserves 64 MB, so different allocations fail.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_the_system_does_not_give_ends_in_one_line_and_whole_files() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 30 --choices 6 --area 1..4000 --savings correlated:0.1..0.6 -o set.yaml").code(0);
    let explore = "explore set.yaml -q --format csv,json,html --out o --certificate proof";
    scene.isx(explore).code(0);
    let complete = scene.files();
    let limited =
        |kilobytes: u64, line: &str| shell(&scene, &format!("ulimit -v {kilobytes} && exec $ISX {line}"));
    // With too little for a thread's stack, the standard library panics.
    let starts = |kilobytes: &u64| limited(*kilobytes, "--version 2> /dev/null").code == 0;
    let least = (20_000..).step_by(4000).find(starts).unwrap();
    let lines = [explore, "verify set.yaml proof -q", "compare o/front.json o/front.json"];
    for line in lines {
        let mut refused = 0;
        for step in 0..(if line == explore { 12 } else { 4 }) {
            let limit = least + 3000 * step;
            let ran = limited(limit, line);
            if ran.code != 0 {
                refused += 1;
                let errors: Vec<&str> =
                    ran.stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
                assert!(ran.code == 4 && errors.len() == 1, "{limit} kB: {line}: {ran:#?}");
                assert!(errors[0].starts_with("error: ") && errors[0].contains("the system "), "{ran:#?}");
            }
            let files = scene.files();
            assert!(files.keys().eq(complete.keys()), "{limit} kB: {:?}", files.keys());
            for (path, content) in &files {
                // The report may name a proof, which changes its origin.
                assert_eq!(content.len(), complete[path].len(), "{limit} kB: {}", path.display());
            }
        }
        assert!(refused > 0 || line != explore);
    }
}

/// `failing.c`, compiled by the C compiler that links Rust programs.
#[cfg(target_os = "linux")]
static FAILING: LazyLock<PathBuf> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/failing.c");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failing-{}.so", std::process::id()));
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
    assert!(compile.status().unwrap().success(), "the library is not compiled");
    library
});

/// Runs the program with the n-th fault of a kind for n = 1, 2, .. until a run has none, which must succeed; `judge`
/// gets every run that had a fault. Returns their number. Unless many cases are requested, later faults are tested at
/// growing intervals. Writes and memory of the system fail in a library that is loaded before the C library.
#[cfg(target_os = "linux")]
fn walk(
    scene: &Scene,
    (door, lasting): (&str, bool),
    line: &str,
    prepare: impl Fn(),
    mut judge: impl FnMut(&str, Ran),
) -> usize {
    let printed = tempfile::tempdir().unwrap();
    let printed = printed.path().join("printed");
    let all = std::env::var_os("ISX_CASES").is_some();
    let (mut nth, mut faults) = (1, 0);
    loop {
        prepare();
        let fault = format!("{door}:{nth}{}", if lasting { "+" } else { "" });
        let mut command = scene.line(line);
        let ran = match door {
            "write" | "memory" => {
                command.env("LD_PRELOAD", &*FAILING).env("FAIL", &fault).env("FAIL_TOLD", &printed)
            }
            _ => command.env("ISX_FAULTS", &fault).env("ISX_FAULTS_TOLD", &printed),
        };
        let ran = Ran::of(ran);
        if std::fs::remove_file(&printed).is_err() {
            ran.code(0);
            return faults;
        }
        judge(&fault, ran);
        faults += 1;
        nth += if all { 1 } else { 1 + nth / 4 };
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_fills_up_at_any_write_leaves_every_file_old_or_complete() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 12 --choices 6 --savings correlated:0.1..0.6 -o set.yaml").code(0);
    let line = "explore set.yaml --format csv,json,svg,html --out o";
    scene.isx(line).code(0);
    let complete = scene.files();
    for (old, lasting) in [(false, false), (false, true), (true, false), (true, true)] {
        let prepare = || {
            // Without a folder, or with old files in it.
            let _ = std::fs::remove_dir_all(scene.path("o"));
            if old {
                std::fs::create_dir(scene.path("o")).unwrap();
                complete.keys().filter(|path| path.starts_with("o")).for_each(|path| {
                    std::fs::write(scene.path(path), "old").unwrap();
                });
            }
        };
        let faults = walk(&scene, ("write", lasting), line, prepare, |fault, ran| {
            ran.refused(6, &["error: cannot write", "No space left on device"]);
            let files = scene.files();
            for (path, content) in &files {
                let stays = old && path.starts_with("o") && content == b"old";
                assert!(stays || complete.get(path) == Some(content), "{fault}: {}", path.display());
            }
            assert!(!old || files.len() == complete.len(), "{fault}: an old file is gone");
        });
        assert_eq!(scene.files(), complete);
        assert!(faults > 8, "only {faults} writes");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_names_the_input_of_its_files_after_a_failed_write_too() {
    let scene = Scene::new();
    for (file, seed) in [("old.yaml", 1), ("new.yaml", 2)] {
        scene.isx(&format!("generate taskset --tasks 8 --choices 4 --seed {seed} -o {file}")).code(0);
    }
    let of = |input: &str| {
        let _ = std::fs::remove_dir_all(scene.path("o"));
        scene.isx(&format!("explore {input} --out o")).code(0);
        scene.files()
    };
    let (new, old) = (of("new.yaml"), of("old.yaml"));
    let prepare = || drop(of("old.yaml"));
    let mut untouched = 0;
    let faults = walk(&scene, ("write", false), "explore new.yaml --out o", prepare, |fault, ran| {
        ran.refused(6, &["error: cannot write", "No space left on device"]);
        let files = scene.files();
        let record = Path::new("o/.isx-input.json");
        assert_eq!(files[record], old[record], "{fault}");
        untouched += usize::from(files == old);
    });
    assert_eq!(scene.files(), new);
    // Only a failed rename can happen after other files were renamed.
    assert!(
        faults >= 8 && untouched > 0 && faults - untouched <= 3,
        "{untouched} of {faults} left all as it was"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_written_to_one_file_is_old_or_complete_too() {
    let scene = Scene::small();
    scene.write("plant.csv", "name,period,wcet\nfir,10,1\n");
    scene.isx("explore small.yaml --out o").code(0);
    let lines = [
        "plot o/front.json -o new",
        "report o/front.json -o new",
        "generate mckp -o new",
        "generate taskset -o new",
        "import plant.csv -o new --overwrite",
        "explore small.yaml --json --certificate new",
        "explore small.yaml --json --opb new",
    ];
    for line in lines {
        scene.write("new", "old");
        let faults = walk(
            &scene,
            ("write", false),
            line,
            || scene.write("new", "old"),
            |fault, ran| {
                ran.refused(6, &["error: cannot write", "No space left on device"]);
                assert_eq!(scene.read("new"), "old", "{line} {fault}");
                assert!(scene.files().keys().all(|path| !path.ends_with(".tmp")), "{line} {fault}");
            },
        );
        assert!(faults >= 4, "{line}: only {faults} writes");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_write_among_many_sets_costs_one_of_them_or_the_table() {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 4 --choices 2 --count 2 -o sets").code(0);
    let line = "explore sets --out o --format csv,json --threads 1";
    let wanted = scene.isx(line).code(0).stdout;
    let complete = scene.files();
    let table = Path::new("o/fronts.csv");
    let prepare = || std::fs::remove_dir_all(scene.path("o")).unwrap_or_default();
    let mut lost_sets = 0;
    let faults = walk(&scene, ("write", false), line, prepare, |fault, ran| {
        assert!(ran.code == 6 && ran.stderr.contains("No space left on device"), "{fault}: {ran:?}");
        let files = scene.files();
        let has_lost_a_set = ran.stdout.contains("  ERROR\n");
        lost_sets += usize::from(has_lost_a_set);
        for (path, content) in &files {
            let printed = path == table
                && has_lost_a_set
                && String::from_utf8_lossy(content).contains("No space left on device");
            assert!(printed || complete.get(path) == Some(content), "{fault}: {}", path.display());
        }
        // The other set is there.
        let is_front = |path: &&std::path::PathBuf| path.ends_with("front.json");
        assert!(!has_lost_a_set || files.keys().filter(is_front).count() >= 1, "{fault}: {files:?}");
    });
    assert_eq!((scene.files(), scene.isx(line).code(0).stdout), (complete, wanted));
    assert!(faults >= 12 && lost_sets >= 8, "{lost_sets} of {faults}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_write_leaves_whole_generated_sets() {
    let scene = Scene::new();
    let line = "generate taskset --tasks 4 --count 3 -o sets";
    scene.isx(line).code(0);
    let complete = scene.files();
    let prepare = || std::fs::remove_dir_all(scene.path("sets")).unwrap_or_default();
    let faults = walk(&scene, ("write", false), line, prepare, |fault, ran| {
        ran.refused(6, &["error: cannot write", "No space left on device"]);
        for (path, content) in scene.files() {
            assert_eq!(complete.get(&path), Some(&content), "{fault}");
        }
    });
    assert_eq!(scene.files(), complete);
    assert!(faults >= 6, "{faults}");
}

/// Commands that need tables, with the CPU engines that build them.
const TABLES: &[(&str, &[&str])] = &[
    ("explore set.yaml --json", &["auto", "list", "dense", "reference"]),
    ("explore shared.yaml --json", &["auto", "list", "reference"]),
    ("check set.yaml --area 90000 --json", &["auto", "dense"]),
    ("solve mckp mckp.txt --json --all-capacities --picks", &["auto", "list", "dense", "reference"]),
    ("solve knapsack knapsack.txt --json", &["auto", "dense", "core", "reference"]),
];

fn tables() -> Scene {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 8 --choices 5 -o set.yaml").code(0);
    scene.isx("generate taskset --tasks 6 --choices 4 --blocks 3 -o shared.yaml").code(0);
    scene.isx("generate mckp --classes 6 --items 6 --capacity 20000 --kind strong -o mckp.txt").code(0);
    scene.isx("generate knapsack --items 60 --capacity 3000 --kind strong -o knapsack.txt").code(0);
    scene
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_runs_out_at_any_table_is_told_or_done_without() {
    let scene = tables();
    let (mut limits, mut faults) = (0, 0);
    for (line, engines) in TABLES {
        let wanted = scene.isx(line).code(0);
        let judge = |what: &str, ran: Ran| {
            if ran.code == 0 {
                // Another engine had enough memory, or this one needed less.
                assert_eq!(without_account(&ran), without_account(&wanted), "{line} {what}");
                return;
            }
            ran.refused(4, &["error: "]);
        };
        for engine in *engines {
            let line = format!("{line} --engine {engine}");
            // Each limit is reached by other tables.
            for limit in (8..23).map(|bits| (3u64 << bits) / 2) {
                let ran = scene.isx(&format!("{line} --max-memory {limit}"));
                limits += usize::from(ran.code != 0);
                judge(&format!("within {limit} bytes"), ran);
            }
            for lasting in [false, true] {
                faults += walk(&scene, ("memory", lasting), &line, || {}, judge);
            }
        }
    }
    assert!(limits > 60 && faults > 6, "only {limits} limits and {faults} faults");
}

/// The answer without the description of the run.
fn without_account(ran: &Ran) -> serde_json::Value {
    let mut json = ran.json();
    // An engine may return any of several best selections.
    let any = json["problem"] == "knapsack";
    for how in ["engine", "timings", "updates"].iter().chain(any.then_some(&"picks")) {
        json.as_object_mut().unwrap().remove(*how);
    }
    json
}

#[test]
#[cfg(target_os = "linux")]
fn a_wrong_figure_in_an_engines_answer_is_never_delivered() {
    let scene = tables();
    let mut faults = 0;
    // A check sums only the design that it reports.
    for (line, engines) in TABLES.iter().filter(|(line, _)| !line.starts_with("check")) {
        for engine in *engines {
            let line = format!("{line} --engine {engine}");
            faults += walk(
                &scene,
                ("answer", false),
                &line,
                || {},
                |_, ran| {
                    ran.refused(7, &["error: self-check failed: "]);
                },
            );
        }
    }
    // Nothing is written.
    let before = scene.files();
    walk(
        &scene,
        ("answer", false),
        "explore set.yaml --out o",
        || {},
        |_, ran| {
            ran.refused(7, &["self-check failed"]);
            assert_eq!(scene.files(), before);
        },
    );
    assert!(faults > 60, "only {faults} wrong figures");
}

/// A wrong cell of a kernel that the sums cannot detect: the sums of all points are right, but the proof fails.
#[test]
#[cfg(target_os = "linux")]
fn a_point_that_an_engine_leaves_out_has_no_proof() {
    let scene = tables();
    let before = scene.files();
    let mut faults = 0;
    for how in ["--prove", "--certificate proof"] {
        let line = format!("explore set.yaml --out o {how}");
        let prepare = || {
            let _ = std::fs::remove_dir_all(scene.path("o"));
            let _ = std::fs::remove_file(scene.path("proof"));
        };
        faults += walk(&scene, ("point", false), &line, prepare, |fault, ran| {
            assert_eq!(ran.code, 7, "{line} {fault}: {ran:#?}");
            assert_eq!(scene.files(), before, "{line} {fault}");
        });
    }
    assert!(faults > 10, "only {faults} points were left out");
}
