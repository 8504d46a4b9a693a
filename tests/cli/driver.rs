//! Every fault of a GPU's driver, simulated by a driver without a GPU (`fake_cuda.c`): its kernels do nothing, so
//! none of its answers may be accepted.
#![cfg(target_os = "linux")]

use super::scene::{Ran, Scene};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The folder with the driver, compiled by the C compiler that links Rust programs; `None` if there is none.
static DRIVER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/fake_cuda.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let library = folder.join("libcuda.so");
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).status();
    match compiled {
        Ok(status) => {
            assert!(status.success(), "the driver is not compiled");
            Some(folder)
        }
        Err(missing) => {
            println!("skipped for want of a C compiler: {missing}");
            None
        }
    }
});

/// The problems, each with the command that solves it and the GPU engines that can.
const WALKS: &[(&str, &[&str])] = &[
    ("explore set.yaml --json", &["cuda"]),
    ("check set.yaml --area 300 --json", &["cuda"]),
    ("solve mckp mckp.txt --json --all-capacities --picks", &["cuda"]),
    ("solve knapsack knapsack.txt --json --picks", &["cuda"]),
    ("solve knapsack knapsack.txt --json --all-capacities --picks", &["cuda"]),
    // Two GPUs, with too little memory for the decisions of all items.
    ("solve knapsack long.txt --json --picks --gpu 0,1 --gpu-memory 900kB", &["cuda"]),
];

fn scene() -> Scene {
    let scene = Scene::new();
    scene.isx("generate taskset --tasks 6 --choices 4 --area 1..400 -o set.yaml").code(0);
    scene.isx("generate mckp --classes 6 --items 6 --capacity 20000 --kind strong -o mckp.txt").code(0);
    scene.isx("generate knapsack --items 40 --capacity 3000 --kind strong -o knapsack.txt").code(0);
    // Profits follow weights so closely that many items may be taken or left.
    let item = |at: u64| (3000 + at * 7919 % 17_000, at % 4);
    let items: String =
        (0..150).map(item).map(|(weight, more)| format!("{} {weight}\n", weight + more)).collect();
    scene.write("long.txt", format!("150 70000\n{items}"));
    scene
}

/// The faults that the driver simulates.
#[derive(Clone, Copy, Default)]
struct Driver<'a> {
    fails: Option<&'a str>,
    version: Option<&'a str>,
    devices: Option<&'a str>,
    fill: Option<&'a str>,
}

impl Driver<'_> {
    /// Runs the program with this driver, and with a planner that assumes no cost for starting the GPU. Also returns
    /// whether a call failed.
    fn run(self, scene: &Scene, line: &str) -> Option<(Ran, bool)> {
        let folder = DRIVER.as_ref()?;
        let printed = scene.path("printed");
        let mut command = scene.line(line);
        command
            .env("LD_LIBRARY_PATH", folder)
            .env("ISX_FAULTS_FREE_GPU", "1")
            .env("FAKE_CUDA_TOLD", &printed);
        command.env("FAKE_CUDA_DEVICES", "2");
        let wishes = [
            ("FAKE_CUDA_FAIL", self.fails),
            ("FAKE_CUDA_VERSION", self.version),
            ("FAKE_CUDA_DEVICES", self.devices),
            ("FAKE_CUDA_FILL", self.fill),
        ];
        for (name, wish) in wishes {
            if let Some(wish) = wish {
                command.env(name, wish);
            }
        }
        let ran = Ran::of(&mut command);
        Some((ran, std::fs::remove_file(printed).is_ok()))
    }
}

/// The answer without the description of the run.
fn answer(ran: &Ran) -> Value {
    let mut json = ran.json();
    let object = json.as_object_mut().unwrap();
    for how in ["engine", "timings", "updates"] {
        object.remove(how);
    }
    // Of several best selections each engine has its own, whose sums the command has checked.
    if object.get("problem").is_some_and(|problem| problem == "knapsack") {
        object.remove("picks");
    }
    json
}

/// Error codes that driver calls may return: out of memory, invalid PTX, an illegal address, a kernel that takes too
/// long.
const CODES: [&str; 4] = ["2", "222", "700", "702"];

#[test]
fn a_driver_that_is_missing_too_old_or_without_a_gpu_leaves_the_work_to_the_cpu() {
    let scene = scene();
    let line = "solve mckp mckp.txt --json --all-capacities --picks --engine";
    let cpu = answer(&scene.isx(&format!("{line} dense")).code(0));
    let old = Driver { version: Some("12030"), ..Driver::default() };
    let none = Driver { devices: Some("0"), ..Driver::default() };
    let refuses = Driver { fails: Some("1+:999"), ..Driver::default() };
    for (driver, why) in
        [(old, "CUDA 12.3"), (none, "finds no GPU"), (refuses, "asking the driver's version")]
    {
        let Some((ran, _)) = driver.run(&scene, &format!("{line} cuda")) else { return };
        ran.refused(5, &[why]);
        // The lists are tried first, and are short here; the dense engine is the reference for GPUs.
        let (ran, _) = driver.run(&scene, &format!("{line} auto")).unwrap();
        assert_eq!(answer(&ran.code(0)), cpu);
    }
}

/// Runs a command on the GPU again and again; in run n the n-th driver call fails, either only that call or all calls
/// from it on. Ends with the first run that has fewer calls; returns the number of runs, and of those in which the
/// CPU took over after a lasting fault and reported it.
fn walk(scene: &Scene, line: &str, engine: &str, lasting: bool, stride: usize) -> Option<(usize, usize)> {
    let cpu = scene.isx(line);
    assert!(cpu.code <= 1, "{line}: {cpu:#?}");
    let mut printed = 0;
    for nth in (1..).step_by(stride) {
        let code = CODES[nth / stride % CODES.len()];
        let plan = format!("{nth}{}:{code}", if lasting { "+" } else { "" });
        let driver = Driver { fails: Some(&plan), ..Driver::default() };
        let (ran, hit) = driver.run(scene, &format!("{line} --engine {engine}"))?;
        if !hit {
            return Some((nth, printed));
        }
        // A call that only frees memory may fail unnoticed; then the wrong answer of kernels that do nothing is
        // refused by the final sums, or is correct by chance.
        let failed = matches!(ran.code, 4 | 5);
        assert!(failed || ran.code == 7 || ran.code == cpu.code, "{line} {engine} {plan}: {ran:#?}");
        assert_eq!(failed || ran.code == 7, ran.stdout.is_empty(), "{line} {engine} {plan}: {ran:#?}");
        assert!(!failed || ran.stderr.starts_with("error: the cuda"), "{line} {engine} {plan}: {ran:#?}");
        if !failed || !lasting {
            continue;
        }
        let (auto, _) = driver.run(scene, &format!("{line} --engine auto"))?;
        let context = format!("{line} auto {plan}: {auto:#?}");
        assert_eq!(auto.code, cpu.code, "{context}");
        assert_eq!(answer(&auto), answer(&cpu), "{context}");
        printed += usize::from(auto.stderr.contains("note: "));
    }
    None
}

#[test]
fn every_call_of_the_driver_may_fail_once_or_for_good() {
    let scene = scene();
    let walks = WALKS.iter().flat_map(|(line, engines)| engines.iter().map(move |engine| (line, engine)));
    // Every call if many cases are requested, else one in several.
    let stride = if std::env::var_os("ISX_CASES").is_some() { 1 } else { 29 };
    let mut all_told = 0;
    for (line, engine) in walks {
        for lasting in [false, true] {
            let Some((calls, printed)) = walk(&scene, line, engine, lasting, stride) else { return };
            println!("{line} {engine}: {calls} calls, {printed} times the CPU went on and said so");
            assert!(calls > 10, "{line} {engine}: only {calls} calls");
            all_told += printed;
        }
    }
    assert!(all_told > 5, "the CPU went on only {all_told} times");
}

#[test]
fn many_files_have_their_lines_whatever_the_driver_does() {
    let scene = Scene::new();
    let names: Vec<String> = (0..12).map(|at| format!("k{at}.txt")).collect();
    for (seed, name) in names.iter().enumerate() {
        let recipe = "generate knapsack --items 40 --capacity 3000 --kind strong";
        scene.isx(&format!("{recipe} --seed {seed} -o {name}")).code(0);
    }
    let files = names.join(" ");
    let [on_three, on_four] = [3, 4].map(|threads| format!("solve knapsack {files} --threads {threads}"));
    let cpu = scene.isx(&on_three).code(0).lines();
    let mut asked = 0;
    let faults = [None, Some("1+:999"), Some("5:700"), Some("30:702"), Some("40+:2"), Some("90+:700")];
    let each = || [&on_three, &on_four].into_iter().flat_map(|line| faults.map(|fails| (line, fails)));
    // Where other programs take the processors, the CPU may be done with all before a GPU is asked.
    for (round, (line, fails)) in (0..10).flat_map(|round| each().map(move |one| (round, one))) {
        if round > 0 && asked > 0 {
            break;
        }
        let Some((ran, failed)) = (Driver { fails, ..Driver::default() }).run(&scene, line) else { return };
        asked += usize::from(failed);
        let lines = ran.lines();
        assert_eq!(lines.len(), names.len(), "{fails:?}: {ran:#?}");
        for ((line, cpu), name) in lines.iter().zip(&cpu).zip(&names) {
            assert_eq!(line["file"], **name, "{fails:?}");
            match line.get("exit_code") {
                // The kernels do nothing, and what they leave is not believed.
                Some(code) => assert_eq!(*code, 7, "{fails:?}: {line}"),
                None => assert_eq!(line["value"], cpu["value"], "{fails:?}"),
            }
        }
    }
    assert!(asked > 0, "the driver was not asked");
}
