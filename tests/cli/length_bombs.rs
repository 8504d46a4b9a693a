//! Inputs and certificates of a few megabytes that are designed to take minutes or gigabytes: `verify` refuses each
//! of them within 200 MB of memory, and in optimized builds within 4 seconds of processor time.

use crate::scene::Scene;
use isx::certificate::problem::{of_knapsack, of_mckp, of_task_set};
use isx::problem::mckp::Choice;
use isx::problem::{knapsack, mckp};
use std::process::Stdio;
use std::time::Duration;

/// The most resident memory and the most address space, in units of 1024 bytes: a command maps more than it uses.
const MEMORY: (u64, u64) = (195_312, 524_288);
/// The most processor seconds, and the step limit, which takes 1 to 2.6 seconds, as fast as the processor is: builds without
/// optimization take far longer.
const LIMITS: (u32, u64) = if cfg!(debug_assertions) { (120, 50_000_000) } else { (4, 1_000_000_000) };

/// Writes numbers in the certificate format.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    /// A certificate about the problem in these bytes.
    fn about(problem: &[u8]) -> Self {
        let mut bytes = Self(b"isx certificate 2\n".to_vec());
        bytes.add(&[problem.len() as u64]);
        bytes.0.extend(problem);
        bytes
    }

    fn add(&mut self, numbers: &[u64]) {
        for &number in numbers {
            let mut left = number;
            while left > 127 {
                self.0.push(left as u8 | 128);
                left >>= 7;
            }
            self.0.push(left as u8);
        }
    }

    fn and(mut self, numbers: &[u64]) -> Self {
        self.add(numbers);
        self
    }

    fn times(mut self, count: usize, numbers: &[u64]) -> Self {
        (0..count).for_each(|_| self.add(numbers));
        self
    }

    /// A number with the most digits that are accepted.
    fn long(mut self) -> Self {
        self.0.extend([255].repeat(9398));
        self.0.push(127);
        self
    }
}

fn about_task_set(text: &str) -> Bytes {
    let set = isx::taskset::read_str("set", text).unwrap().task_set;
    Bytes::about(&of_task_set(&isx::formulate::formulate(&set, None).unwrap()))
}

fn about_mckp(text: &str, choice: Choice) -> Bytes {
    Bytes::about(&of_mckp(&mckp::text::parse(text, choice).unwrap().problem))
}

fn about_knapsack(text: &str) -> Bytes {
    Bytes::about(&of_knapsack(&knapsack::text::parse(text).unwrap().problem))
}

/// A task set of several lines, one for each number.
fn lines(head: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(head.to_owned(), |text, at| text + &line(at) + "\n")
}

/// Runs `verify` on an input and a certificate under system limits; it must end by itself, with an exit code and a
/// message.
#[track_caller]
fn bomb(name: &str, input: impl AsRef<[u8]>, certificate: &[u8], flags: &str, code: i32, words: &str) {
    let scene = Scene::with("input", input);
    scene.write("c", certificate);
    ended(&scene, name, &format!("input c {flags}"), code, words);
}

#[track_caller]
fn ended(scene: &Scene, name: &str, arguments: &str, code: i32, words: &str) {
    let (seconds, steps) = LIMITS;
    let isx = env!("CARGO_BIN_EXE_isx");
    let (memory, space) = MEMORY;
    let line =
        format!("ulimit -v {space}; ulimit -t {seconds}; exec {isx} verify --max-steps {steps} {arguments}");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &line]).current_dir(scene.path(""));
    let began = std::time::Instant::now();
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        if let Some(line) = now.lines().find(|line| line.starts_with("VmHWM")) {
            most = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(most);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let took = began.elapsed();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    println!("{name}: exit code {:?}, {took:.2?}, {} MB", output.status.code(), most * 1024 / 1_000_000);
    assert!(most < memory, "{name}: {most} kB");
    assert_eq!(output.status.code(), Some(code), "{name}: {:?} {stderr}", output.status);
    assert!(stderr.contains(words), "{name}: `{words}` is missing: {stderr}");
    assert!(output.stdout.is_empty(), "{name}");
}

/// An empty certificate of each kind.
const NO_TASKS: [u64; 19] = [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0];
const NO_CLASSES: [u64; 4] = [1, 0, 0, 0];
const NO_ITEMS: [u64; 3] = [2, 0, 0];

fn nothing(problem: &[u64]) -> Vec<u8> {
    Bytes::about(&Bytes::default().and(problem).0).0
}

#[test]
fn task_sets_that_are_long_are_refused() {
    let c = nothing(&NO_TASKS);
    let tasks = "name: x\ntasks:\n";
    let many =
        lines(tasks, 85_000, |at| format!("- {{name: t{at}, wcet: 1, period: {}}}", 1_000_001 + 2 * at));
    bomb("many periods", many, &c, "", 2, "periods and fractions without a common measure");
    let long = lines(tasks, 40_000, |at| {
        format!("- {{name: t{at}, wcet: 1, period: {}}}", 10u128.pow(38) + 2 * at as u128 + 1)
    });
    bomb("long periods", long, &c, "", 2, "periods and fractions without a common measure");
    let fractions = lines(tasks, 30_000, |at| {
        format!("- {{name: t{at}, wcet: 1/{} ms, period: 9 s}}", 10u128.pow(33) + 2 * at as u128 + 1)
    });
    bomb("fractions", fractions, &c, "", 2, "periods and fractions without a common measure");
    let choices = lines("name: x\ntasks:\n- {name: t, wcet: 9, period: 10, choices: [\n", 90_000, |at| {
        format!("  {{name: c{at}, area: {at}, wcet: 1}},")
    }) + "]}\n";
    bomb("choices", choices, &c, "", 7, "another input");
    let slots = lines("name: x\nblocks:\n", 60_000, |at| format!("- {{name: b{at}, area: 1, slot: s{at}}}"))
        + "tasks:\n- {name: t, wcet: 9, period: 10, choices: [{name: c, uses: [b7], wcet: 1}]}\n";
    bomb("slots", slots, &c, "", 7, "another input");
    let clocks = lines("name: x\nclock: 1 GHz\nblocks:\n", 99, |at| {
        format!("- {{name: b{at}, area: 1, fmax: {} Hz}}", 10u64.pow(8) + 2 * at as u64 + 1)
    }) + &lines("tasks:\n- {name: t, wcet: 999, period: 1 s, choices: [\n", 30_000, |at| {
        format!("  {{name: c{at}, uses: [b{}], wcet: {}}},", at % 99, at % 900 + 1)
    }) + "]}\n";
    bomb("clocks", clocks, &c, "", 2, "allow more with --max-memory");
    let used: Vec<String> = (0..60_000).map(|at| format!("b{at}")).collect();
    let uses = lines("name: x\nblocks:\n", 60_000, |at| format!("- {{name: b{at}, area: 1}}"))
        + &format!(
            "tasks:\n- {{name: t, wcet: 9, period: 10, choices: [{{name: c, uses: [{}], wcet: 1}}]}}\n",
            used.join(", ")
        );
    bomb("blocks", &uses, &c, "", 7, "another input");
    let front = about_task_set(&uses).and(&[0, 2, 0, 1, 0, 1, 0, 0, 1, 0, 2, 0, 8, 60_000, 8]);
    bomb("blocks of a front", &uses, &front.0, "", 7, "");
    bomb("empty lists", format!("name: x\ntasks: [{}]\n", "[],".repeat(990_000)), &c, "", 2, "not a mapping");
    bomb("a comment", vec![b'#'; 60 << 20], &c, "", 2, "allow more with --max-memory");
    let scene = Scene::with("c", &c);
    ended(&scene, "zeros without end", "/dev/zero c", 2, "allow more with --max-memory");
    scene.write("input", "name: x\ntasks: [{name: t, wcet: 1, period: 9}]\n");
    ended(&scene, "a certificate without end", "input /dev/zero", 7, "no certificate of isx");
}

#[test]
fn plain_problems_that_are_long_are_refused() {
    let (k, m) = (nothing(&NO_ITEMS), nothing(&NO_CLASSES));
    bomb("items", format!("5000000 0\n{}", "0 0\n".repeat(5_000_000)), &k, "", 2, "--max-memory");
    bomb("classes", format!("5000000 0\n{}", "0\n".repeat(5_000_000)), &m, "", 2, "--max-memory");
    let digits = format!("1 1\n{} 1\n", "9".repeat(4_000_000));
    bomb("digits", digits, &k, "", 2, "the profits are too large, or have too many digits");
    // Inputs that are valid, with a certificate about them.
    let items = format!("1000000 0\n{}", "0 0\n".repeat(1_000_000));
    bomb("few items", &items, &about_knapsack(&items).0, "", 7, "allow more with --max-memory");
    let classes = format!("2000000 0\n{}", "0\n".repeat(2_000_000));
    let about = about_mckp(&classes, Choice::Optional).0;
    bomb("few classes", &classes, &about, "--optional", 7, "allow more with --max-memory");
    let class = format!("1 0\n1000000\n{}", "0 0\n".repeat(1_000_000));
    bomb("one class", &class, &about_mckp(&class, Choice::ExactlyOne).0, "", 7, "allow more with --max-");
}

/// Two classes: the first gives nothing, or value 5,999,999 for as much weight, so that a list may have as many
/// pairs; the second has `options` that all matter.
fn two_classes(options: usize) -> String {
    let top = 5_999_999;
    lines(&format!("2 99999999\n1\n{top} {top}\n{options}\n"), options, |at| format!("{} {}", at + 1, at + 1))
}

/// The claim that the front is empty, and two lists, the first of `pairs`.
fn long_list(about: Bytes, pairs: usize) -> Bytes {
    about.and(&[0, 1, 0, 0, 1, pairs as u64, 0, 2 * pairs as u64 - 2]).times(pairs - 1, &[2, 3])
}

#[test]
fn certificates_that_are_long_are_refused() {
    let two = two_classes(3);
    let about = || about_mckp(&two, Choice::Optional);
    let optional = "--optional";
    let magic = Bytes(b"isx certificate 2\n".to_vec());
    bomb("length alone", &two, &magic.clone().and(&[u32::MAX.into()]).0, "", 7, "--max-memory");
    let scene = Scene::with("input", &two);
    scene.write("c", magic.and(&[100 << 20]).0);
    std::fs::File::options().write(true).open(scene.path("c")).unwrap().set_len(4 << 30).unwrap();
    ended(&scene, "a long problem", "input c", 7, "it has no objective");
    bomb("points alone", &two, &about().and(&[0, u32::MAX.into()]).0, optional, 7, "ends in the middle");
    let few = long_list(about(), 2_000_000);
    bomb("a long list", &two, &few.0, optional, 7, "the file ends in the middle of the number of entries");
    let wide = two_classes(100_000);
    let pairs = long_list(about_mckp(&wide, Choice::Optional), 2_000_000);
    let pairs = pairs.and(&[1, 0, 0]);
    bomb("pairs and options", &wide, &pairs.0, optional, 7, "allow more with --max-");
    let listed = long_list(about(), 6_000_000);
    bomb("a longer list", &two, &listed.0, optional, 7, "--max-memory");
    let equal = about().and(&[0, 1, 0, 0, 1, u32::MAX.into()]).times(3_000_000, &[0, 0]);
    bomb("equal entries", &two, &equal.0, optional, 7, "do not rise in area");
    let priced = about().and(&[1, 0, 0]).long().long().and(&[0, 1, 1, 4_000_000, 0, 7_999_998]);
    bomb("a long price", &two, &priced.times(3_999_999, &[2, 3]).0, optional, 7, "allow more with --max-");
    let last = about().and(&[0, 1, 0]);
    std::fs::write(scene.path("c"), &last.0).unwrap();
    std::fs::File::options().write(true).open(scene.path("c")).unwrap().set_len(4 << 30).unwrap();
    ended(&scene, "zeros to the end", "input c --optional", 7, "class 0 comes twice");
}

#[test]
fn certificates_about_task_sets_that_are_long_are_refused() {
    let tasks = "name: x\ntasks:\n";
    // Under fixed priorities, a job that ends after many releases of all the others.
    let fixed = lines("name: x\nscheduler: rm\ntasks:\n", 150, |at| {
        format!(
            "- {{name: t{at}, wcet: 1, period: {}, choices: [{{name: c, area: 1, saves: 0.5}}]}}",
            1000 + at
        )
    }) + "- {name: last, wcet: 900, period: 600000}\n";
    for (what, task, job) in [("moments", 150, 1), ("more moments", 150, 2), ("a late job", 150, u64::MAX)] {
        let late = about_task_set(&fixed).and(&[4, 2, task, job]).and(&[0]);
        assert!(late.0.len() < 7000, "{}", late.0.len());
        bomb(what, &fixed, &late.0, "", 7, "");
    }
    let short = about_task_set(&fixed).and(&[4, 2, 150]).long();
    bomb("a job of many digits", &fixed, &short.0, "", 7, "");
    // A time of many digits for many choices.
    let choices =
        lines("name: x\ntasks:\n- {name: t, wcet: 9, period: 10, deadline: 9, choices: [\n", 60_000, |at| {
            format!("  {{name: c{at}, area: {at}, wcet: 1}},")
        }) + "]}\n";
    let demand = about_task_set(&choices).and(&[4, 1]).long();
    bomb("a time of many digits", &choices, &demand.0, "", 7, "allow more with --max-");
    // Cases within cases, one for each choice.
    let slow = lines("name: x\ntasks:\n- {name: t, wcet: 20, period: 10, choices: [\n", 60_000, |at| {
        format!("  {{name: c{at}, area: 0, wcet: 15}},")
    }) + "]}\n";
    let deep = (0..60_000).fold(about_task_set(&slow).and(&[4]), |deep, at| deep.and(&[3, 0, 1, at, 0]));
    bomb("deep cases", &slow, &deep.0, "", 7, "allow more with --max-");
    let all: Vec<u64> = [3, 0, 60_000].into_iter().chain(1..=60_000).collect();
    let wide = about_task_set(&slow).and(&[4]).times(8, &all);
    bomb("wide cases", &slow, &wide.0, "", 7, "");
    // Verdicts that use all steps of a schedulability test, once for each point.
    let close = lines(tasks, 30, |at| {
        let period = 1_000_000_007 + 2 * at;
        format!(
            "- {{name: t{at}, wcet: {}, period: {period}, deadline: {}, choices: [{{name: c, area: {}, saves: {}}}]}}",
            period / 30,
            period - 3,
            1u64 << at,
            at + 1
        )
    });
    let steps = about_task_set(&close).and(&[0, 30, 0]);
    let steps = (0..29).fold(steps, |steps, class| steps.and(&[1, class, 1])).and(&[2, 0, 30]);
    bomb("tests", &close, &steps.0, "", 7, "");
    // Groups for every set of blocks.
    let blocks = lines("name: x\nblocks:\n", 20, |at| format!("- {{name: b{at}, area: 1}}"))
        + &lines(tasks.split_once('\n').unwrap().1, 21, |at| {
            let uses = (0..20).map(|block| format!("{{name: c{block}, uses: [b{block}], saves: 1}}"));
            let uses: Vec<String> = uses.collect();
            format!("- {{name: t{at}, wcet: 9, period: 1000, choices: [{}]}}", uses.join(", "))
        });
    let claim = about_task_set(&blocks).and(&[0, 1, 0, 0]);
    let claim = (0..21).fold(claim, |claim, class| claim.and(&[class]));
    let mut sets: Vec<u64> = (0..1 << 18).collect();
    sets.sort_unstable();
    for lists in 0..2 {
        let mut many = claim.clone();
        for _ in 0..=lists {
            many.add(&[sets.len() as u64]);
            for set in &sets {
                many.add(&[u64::from(set.count_ones())]);
                (0..20).filter(|block| set >> block & 1 == 1).for_each(|block| many.add(&[block]));
                many.add(&[1, 0, 0]);
            }
        }
        bomb("sets of blocks", &blocks, &many.0, "", 7, "");
    }
}

#[test]
fn certificates_about_several_resources_that_are_long_are_refused() {
    // Amounts count in binary, so that there may be as many points and entries as designs; the second resource falls as
    // the first rises, and all designs have the same utilization but one.
    let binary = lines("name: x\nresources: [A, B, C, D]\ntasks:\n", 20, |at| {
        let (more, less) = (1u64 << (19 - at), 1u64 << (19 - at));
        format!(
            "- {{name: t{at}, wcet: 1, period: 100, choices: [{{name: c, cost: {{A: {more}, B: -{less}, C: 1, D: {at}}}, wcet: 1}}]}}"
        )
    });
    let about = || about_task_set(&binary);
    let order = |bytes: Bytes| (0..20).fold(bytes, |bytes, class| bytes.and(&[class]));
    // The points in order: a number in binary, its last digits changed.
    let mut points = about().and(&[0, 1_000_000, 0]);
    for number in 1..1_000_000u64 {
        let changed = number.trailing_zeros() as u64 + 1;
        points.add(&[changed, 20 - changed, 1]);
        (1..changed).for_each(|_| points.add(&[0, 0]));
    }
    bomb("points of several resources", &binary, &points.0, "", 7, "allow more with --max-");
    bomb("many points alone", &binary, &about().and(&[0, u32::MAX.into()]).0, "", 7, "ends in the middle");
    let claim = || order(about().and(&[0, 1, 0, 0]));
    let entries = claim().and(&[1, 0, 3_000_000]).times(3_000_000, &[0, 0, 0, 0, 0]);
    bomb("entries", &binary, &entries.0, "", 7, "allow more with --max-");
    let groups = claim().and(&[u32::MAX.into()]).times(3_000_000, &[0, 0]);
    bomb("groups without entries", &binary, &groups.0, "", 7, "allow more with --max-");
    let far = claim().and(&[1, 0, 1, 0, 0, 0, 0, 0, u64::MAX - 1]);
    bomb("a position far away", &binary, &far.0, "", 7, "out of range");
    // One long list, and a class of many options.
    let wide = lines(
        "name: x\nresources: [A, B]\ntasks:\n- {name: s, wcet: 9, period: 10, choices: [{name: c, cost: {A: 1}, wcet: 8}]}\n- {name: t, wcet: 9, period: 10, choices: [\n",
        20_000,
        |at| format!("  {{name: c{at}, cost: {{A: {at}, B: {}}}, wcet: 8}},", 30_000 - at),
    ) + "]}\n";
    let long = about_task_set(&wide).and(&[0, 1, 0, 0, 0, 1, 1, 0, 300_000]).times(300_000, &[0, 0, 0]);
    let sums = long.and(&[0, 0, 1, 0, 1, 0, 0, 0]).times(6_000_000, &[1]);
    bomb("sums", &wide, &sums.0, "", 7, "");
    // Blocks in slots, which each sum of a group and an option looks at.
    let used: Vec<String> = (0..2000).map(|at| format!("b{at}")).collect();
    let slots = lines("name: x\nresources: [A, B]\nblocks:\n", 2000, |at| {
        format!("- {{name: b{at}, cost: {{A: 1, B: -1}}, slot: s{at}}}")
    }) + &lines("tasks:\n", 20, |at| {
        let used = used.join(", ");
        format!("- {{name: t{at}, wcet: 9, period: 10, choices: [{{name: c, uses: [{used}], wcet: 1}}]}}")
    });
    let groups = order(about_task_set(&slots).and(&[0, 1, 0, 0])).and(&[200_000]).times(200_000, &[0, 0]);
    bomb("slots and groups", &slots, &groups.and(&[1, 0, 0]).0, "", 7, "");
}
