//! `isx import`: files of other tools become task sets that can be explored at once, and omissions are reported.

use super::scene::{Ran, Scene, has};
use isx::quantity::Rational;
use isx::taskset::{KernelCosts, Nonpreemptive, SCHEMA_LINES, Scheduler, TaskSet, TimeBase, read_str};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(file)
}

/// A scene with a file of `tests/data/import` in it.
fn scene(files: &[&str]) -> Scene {
    let scene = Scene::new();
    for file in files {
        scene.write(file, std::fs::read(data(file)).unwrap());
    }
    scene
}

/// The task set on standard output.
fn set(ran: &Ran) -> TaskSet {
    read_str("imported.yaml", &ran.stdout).unwrap().task_set
}

fn ratio(above: i64, below: i64) -> Rational {
    Rational::new(above.into(), below.into())
}

/// Name, WCET, period and deadline of every task, in thousandths of the set's unit.
fn figures(set: &TaskSet) -> Vec<(&str, [Rational; 3])> {
    let scaled = |time: &Rational| time * ratio(1000, 1);
    let figures = |task: &'_ isx::taskset::Task| {
        [scaled(&task.wcets[0]), scaled(task.period()), scaled(task.deadline())]
    };
    set.tasks.iter().map(|task| (task.name.as_str(), figures(task))).collect()
}

fn whole(numbers: [i64; 3]) -> [Rational; 3] {
    numbers.map(|number| ratio(number, 1))
}

#[test]
fn a_csv_with_choices_is_explored_at_once() {
    let scene = scene(&["plant.csv", "plant-choices.csv"]);
    let ran = scene.isx("import plant.csv --choices plant-choices.csv -o plant.yaml").code(0);
    assert_eq!(ran.stdout, "");
    assert!(
        !ran.stderr.contains("left out") && scene.read("plant.yaml").contains("\ncores: {count: 2}\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("wrote plant.yaml: 3 tasks, read as csv"), "{}", ran.stderr);
    let set = read_str("plant.yaml", &scene.read("plant.yaml")).unwrap().task_set;
    assert_eq!((set.name.as_str(), set.area_unit()), ("plant", "NAND2"));
    assert_eq!((set.scheduler, &set.time_base), (Scheduler::FixedPriority, &TimeBase::Seconds));
    assert_eq!(set.tasks.iter().map(|task| task.priority).collect::<Vec<_>>(), [Some(1), Some(3), Some(2)]);
    let [control, logger, telemetry] = figures(&set).try_into().unwrap();
    assert_eq!(control, ("control", [ratio(5, 2), ratio(10, 1), ratio(8, 1)]));
    assert_eq!(logger, ("logger, slow", whole([4, 100, 100])));
    assert_eq!(telemetry, ("telemetry", [ratio(333, 10_000), ratio(10, 1), ratio(10, 1)]));
    assert_eq!(set.tasks[0].choices[0].source.as_deref(), Some("measured"));
    assert_eq!(set.tasks[0].choices[1].source.as_deref(), Some("plant-choices.csv line 3"));
    let front = scene.isx("explore plant.yaml --json").code(0).json();
    let areas: Vec<_> = front["points"].as_array().unwrap().iter().map(|point| &point["area"]).collect();
    assert_eq!(areas, ["0", "64", "120", "184", "300.5", "364.5"]);
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_that_is_asked_for() {
    let scene = scene(&["plant.csv"]);
    scene.write("plant.yaml", "by hand");
    let refused = scene.isx("import plant.csv -o plant.yaml").code(6);
    assert!(refused.stderr.contains("error: `plant.yaml` is there already"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--overwrite"), "{}", refused.stderr);
    assert_eq!(scene.read("plant.yaml"), "by hand");
    scene.isx("import plant.csv -o plant.yaml --overwrite").code(0);
    let imported = scene.read("plant.yaml");
    assert!(imported.strip_prefix(SCHEMA_LINES).unwrap().starts_with("# Imported by isx "));
}

#[test]
fn what_was_added_to_an_import_is_not_lost_without_a_word() {
    let scene = scene(&["plant.csv"]);
    let again = "import plant.csv -o plant.yaml --overwrite";
    scene.isx(again).code(0);
    let imported = scene.read("plant.yaml");
    assert!(!scene.isx(again).code(0).stderr.contains("replaced in"));
    for (from, to, words) in [
        ("scheduler: fixed\n", "scheduler: fixed\nswitch: 2 us\n", "`switch` (line 9)"),
        ("    priority: 1\n", "    priority: 1\n    jitter: 1 ms\n", "`jitter` of task `control` (line 16)"),
        ("tasks:\n", "blocks: [{name: mul, area: 3}]\ntasks:\n", "`blocks` (line 10)"),
        (
            "    priority: 1\n",
            "    priority: 1\n    choices: [{name: mac, area: 3, saves: 1 us}]\n",
            "`choices` of task `control` (line 16)",
        ),
        ("tasks:\n", "tasks:\n  # measured in May\n", "a comment (line 11)"),
        (
            "tasks:\n",
            "tasks:\n  - {name: mine, wcet: 1 us, period: 1 ms, priority: 9}\n",
            "task `mine` (line 11)",
        ),
    ] {
        let edited = imported.replacen(from, to, 1);
        assert_ne!(edited, imported);
        scene.write("plant.yaml", &edited);
        let message = format!("error: plant.yaml has what the new import does not give: {words}\n");
        scene.isx(again).refused(2, &[&message, "this would be lost", "as a column of a CSV"]);
        assert_eq!(scene.read("plant.yaml"), edited);
    }
    scene.write("plant.yaml", imported.replacen("wcet: 2500 us", "wcet: 2600 us", 1));
    let said = scene.isx(again).code(0).stderr;
    has(
        &said,
        &["note: replaced in plant.yaml: `wcet` of task `control` was 2600 us (line 12) and is 2500 us\n"],
    );
    assert_eq!(scene.read("plant.yaml"), imported);
    scene.write("plant.yaml", imported.replacen("period: ", "period ", 1));
    scene.isx(again).refused(
        2,
        &["plant.yaml:", "help: mend it, so that isx can compare it with the new file, or remove it"],
    );
}

#[test]
fn a_csv_has_columns_for_every_key_of_a_task() {
    let scene = Scene::new();
    let head =
        "name;period_us;wcet_cycles;deadline_us;jitter_us;blocking [us];nonpreemptive_cycles;core;priority";
    scene.write("j.csv", format!("{head}\ncurrent;50;980;40;2,5;1;30;1;1\npll;100;1450;;;;;0;2\n"));
    let yaml = scene.isx("import j.csv --clock 50MHz").code(0).stdout;
    let read = read_str("j.yaml", &yaml).unwrap().task_set;
    let KernelCosts { jitter, blocking, nonpreemptive, .. } = &read.tasks[0].kernel;
    assert_eq!(
        (jitter, blocking, nonpreemptive),
        (&ratio(125, 1), &ratio(50, 1), &Nonpreemptive::Part(ratio(30, 1)))
    );
    assert_eq!(read.tasks[1].kernel, KernelCosts::default());
    let cores = read.cores.unwrap();
    assert_eq!((cores.count, cores.pins), (Some((2, 2)), vec![(0, 1), (1, 0)]));
    for (from, to, words) in [
        (";2,5;", ";-2,5;", &["`jitter` of task `current`", "j.csv:2:19"][..]),
        (";1;30;", ";1;-30;", &["`nonpreemptive` of task `current`", "j.csv:2:25"]),
        (";30;1;", ";30;one;", &["`core` of task `current`", "j.csv:2:28"]),
    ] {
        let text = format!("{head}\ncurrent;50;980;40;2,5;1;30;1;1\n");
        scene.write("j.csv", text.replacen(from, to, 1));
        scene.isx("import j.csv --clock 50MHz").refused(2, words);
    }
    scene.write(
        "l.csv",
        "name;period_us;wcet_us;locks;nonpreemptive_us\na;50;9;{bus: 2 us};\nb;90;8;{bus: 1 us};all\n",
    );
    let read = set(&scene.isx("import l.csv").code(0));
    let locks: Vec<_> = read.tasks.iter().map(|task| task.kernel.locks.len()).collect();
    assert_eq!((locks, &read.tasks[1].kernel.nonpreemptive), (vec![1, 1], &Nonpreemptive::All));
    // What the reader of task sets refuses is shown where it was written.
    scene.write("j.csv", "name,period_us,wcet_us,jitter_us\nfir,50,9,60\n");
    scene.isx("import j.csv").refused(2, &["`jitter` of task `fir` is above the deadline", "j.csv:2:10"]);
    scene.write("j.csv", "name,period_us,wcet_us,jitter\nfir,50,9,6\n");
    scene.isx("import j.csv").refused(2, &["`jitter` of task `fir` has no unit"]);
}

#[test]
fn standard_input_is_recognised_by_its_content() {
    let scene = Scene::new();
    for (file, format) in [
        ("plant.csv", "CSV"),
        ("locks.xml", "SchedCAT XML"),
        ("rover.json", "rt-app JSON"),
        ("lab.xml", "SimSo XML"),
    ] {
        let core = if file == "lab.xml" { &["--core", "CPU 2"][..] } else { &[] };
        let mut command = scene.command(&[&["import", "-"], core].concat());
        let ran = Ran::of(command.stdin(Stdio::from(std::fs::File::open(data(file)).unwrap()))).code(0);
        assert!(ran.stdout.contains(&format!(" from standard input, {format}.")), "{}", ran.stdout);
        assert_eq!(set(&ran).name, "standard input");
    }
    scene.write("odd.txt", "Lorem ipsum");
    let refused = scene.isx("import odd.txt").code(2);
    assert!(refused.stderr.contains("help: name its format with --from"), "{}", refused.stderr);
}

#[test]
fn schedcat_keeps_its_figures_and_names_its_locks() {
    let ran = scene(&["locks.xml"]).isx("import locks.xml --unit us").code(0);
    let figures_in_ms = [("task-1", [20, 100, 80]), ("task-2", [20, 200, 200]), ("task-3", [6, 40, 40])];
    let wanted = figures_in_ms.map(|(name, numbers)| (name, numbers.map(|number| ratio(number, 1000))));
    assert_eq!(figures(&set(&ran)), wanted);
    for words in ["shared resources: blocking", "partitions", "affinities", "working-set sizes"] {
        assert!(ran.stderr.contains(words) && ran.stdout.contains(words), "{words}: {}", ran.stderr);
    }
    scene(&["locks.xml"])
        .isx("import locks.xml --core A57")
        .refused(2, &["a core was named, and files of format schedcat have no use for it"]);
    let plain = set(&scene(&["locks.xml"]).isx("import locks.xml").code(0));
    assert_eq!((plain.time_base, plain.tasks[0].wcets[0].clone()), (TimeBase::Unnamed, ratio(20, 1)));
}

#[test]
fn rt_app_threads_become_tasks_where_a_timer_or_a_reservation_gives_them_a_period() {
    let ran = scene(&["rover.json"]).isx("import rover.json").code(0);
    let wanted = [
        ("control", whole([2, 10, 10])),
        ("worker-1", whole([4, 30, 30])),
        ("worker-2", whole([4, 30, 30])),
        ("video", whole([4, 33, 20])),
    ];
    assert_eq!(figures(&set(&ran)), wanted);
    for words in [
        "affinities (`cpus`)",
        "shared resources (`lock`, `unlock`)",
        "keys that appear twice",
        "delays of the first activation",
        "phases of different load or period",
        "threads that sleep for a while and have no timer: they have no period (idler in line 20)",
        "the policies SCHED_DEADLINE, SCHED_FIFO",
    ] {
        assert!(ran.stderr.contains(words) && ran.stdout.contains(words), "{words}: {}", ran.stderr);
    }
}

/// What makes others wait, and waiting of one's own, is never dropped in silence.
#[test]
fn critical_sections_and_self_suspensions_are_listed_as_left_out() {
    let scene = Scene::new();
    let section = "<critical_sections><critical_section res_id=\"1\" length=\"3\"/></critical_sections>";
    scene.write(
        "cs.xml",
        format!("<taskset><task id=\"1\" period=\"9\" wcet=\"4\">{section}</task></taskset>\n"),
    );
    let timer = "\"timer\": {\"ref\": \"t\", \"period\": 100000}";
    scene.write(
        "rest.json",
        format!("{{\"tasks\": {{\"a\": {{\"run\": 20000, \"sleep\": 500, {timer}}}}}}}\n"),
    );
    for (file, kind) in [
        (
            "cs.xml",
            "critical sections: blocking depends on a protocol that the file does not name; give it as `blocking` of a task \
             (task-1 in line 1)",
        ),
        ("rest.json", "sleep between two wake-ups (self-suspension) (a in line 1)"),
    ] {
        let ran = scene.isx(&format!("import {file}")).code(0);
        assert!(ran.stderr.starts_with(&format!("warning: left out: {kind}\n")), "{}", ran.stderr);
        assert!(ran.stdout.contains(&kind[..30]), "{}", ran.stdout);
    }
}

#[test]
fn simso_s_processor_gives_the_speed() {
    let scene = scene(&["lab.xml"]);
    let refused = scene.isx("import lab.xml").code(2);
    has(&refused.stderr, &["help: name a core or a kind of cores with --core"]);
    let arguments = ["import", "lab.xml", "--core", "CPU 2"];
    let ran = Ran::of(&mut scene.command(&arguments)).code(0);
    let read = set(&ran);
    assert_eq!(read.time_base, TimeBase::Cycles { hertz: ratio(1_000_000_000, 1) });
    assert_eq!(read.scheduler, Scheduler::RateMonotonic);
    assert_eq!(read.tasks[0].wcets[0], ratio(1_250_000, 1), "2.5 ms at twice the speed");
    assert_eq!(
        (read.tasks[1].period(), read.tasks[1].deadline()),
        (&ratio(33_300_000, 1), &ratio(33_300_000, 1))
    );
    assert_eq!(read.tasks.len(), 2);
    for words in [
        "2 processors: all tasks stand on one of them",
        "the model of execution times `acet`",
        "`overhead_activate` of the scheduler",
        "precedence: tasks that start another at their end (`followed_by`) (control in line 10)",
        "offsets",
        "costs of preemption",
        "tasks without a period (log in line 12)",
    ] {
        assert!(ran.stderr.contains(words) && ran.stdout.contains(words), "{words}: {}", ran.stderr);
    }
}

#[test]
fn an_amalthea_model_gives_the_bounds_of_the_core_that_is_asked_for() {
    let scene = scene(&["rover.amxmi"]);
    let refused = scene.isx("import rover.amxmi").code(2);
    assert!(refused.stderr.contains("kinds of cores: `Big`, `Little`"), "{}", refused.stderr);
    for (core, hertz, brake) in [
        ("Big", 1_500_000_000, 1_200_000 + 300_000),
        ("Core0", 1_500_000_000, 1_200_000 + 300_000),
        ("Little", 800_000_000, 1_500_000 + 300_000),
    ] {
        let ran = scene.isx(&format!("import rover.amxmi --core {core}")).code(0);
        let read = set(&ran);
        assert_eq!(read.time_base, TimeBase::Cycles { hertz: ratio(hertz, 1) });
        let [one, other] = read.tasks.as_slice() else { panic!("{read:?}") };
        assert_eq!((one.name.as_str(), other.name.as_str()), ("Brake", "Camera"));
        assert_eq!(
            (&one.wcets[0], &other.wcets[0]),
            (&ratio(brake, 1), &ratio(4_000_000 + 500_000 + 300_000, 1))
        );
        assert_eq!((one.period(), one.deadline()), (&ratio(hertz / 200, 1), &ratio(hertz / 200, 1)));
        assert_eq!((other.period(), other.deadline()), (&ratio(hertz / 25, 1), &ratio(hertz * 3 / 100, 1)));
        // A jitter of 2 ms, and it runs through once it has begun.
        let jitter = ratio(hertz / 500, 1);
        let kernel = KernelCosts { jitter, nonpreemptive: Nonpreemptive::All, ..KernelCosts::default() };
        assert_eq!(other.kernel, kernel);
        assert_eq!(one.kernel, KernelCosts::default());
        for words in [
            "3 processing units and the mapping of tasks to them",
            "stimuli of kind InterProcessStimulus (Kernel",
            "tasks that no periodic stimulus activates (Kernel in line 27)",
            "memory accesses (labels)",
            "switches: the longest way counts",
            "precedence: tasks that start another (`InterProcessTrigger`) (Camera",
            "waiting for events, such as that a GPU is done (Camera",
            "offsets of stimuli",
            "schedulers of kind FixedPriorityPreemptive, and priorities",
            "event chains (camera_to_brake",
            "other clocks of a frequency domain: its default is taken (Fast",
            "the mapping of data to memories",
            "the mapping to cores of kind ",
        ] {
            assert!(ran.stderr.contains(words) && ran.stdout.contains(words), "{words}: {}", ran.stderr);
        }
    }
    scene
        .isx("import rover.amxmi --core Tiny")
        .refused(2, &["no core, and no kind of cores, is named `Tiny`"]);
}

/// WATERS 2019: millions of ticks on the Denver core and on the A57, period in milliseconds.
const WATERS: [(&str, [&str; 2], i64); 10] = [
    ("OS_Overhead", ["100.000", "100.000"], 100),
    ("Lidar_Grabber", ["21.736", "27.320"], 33),
    ("DASM", ["2.600", "3.720"], 5),
    ("CANbus_polling", ["1.200", "1.199"], 10),
    ("EKF", ["8.859", "9.519"], 15),
    ("Planner", ["24.874", "26.484"], 15),
    ("PRE_SFM_gpu_POST", ["13.420", "15.807"], 33),
    ("PRE_Localization_gpu_POST", ["29.031", "35.279"], 400),
    ("PRE_Lane_detection_gpu_POST", ["15.251", "16.466"], 66),
    ("PRE_Detection_gpu_POST", ["8.176", "9.424"], 200),
];

#[test]
fn the_model_of_waters_2019_gives_its_ten_tasks() {
    let Some(file) = std::env::var_os("ISX_WATERS_FILE") else {
        println!(
            "IGNORED: set ISX_WATERS_FILE to the model, `mobstr.amxmi` of panorama-research/mobstr-dataset"
        );
        return;
    };
    let scene = Scene::new();
    for (column, core) in ["Denver", "A57"].into_iter().enumerate() {
        let arguments = ["import".as_ref(), file.as_os_str(), "--core".as_ref(), core.as_ref()];
        let ran = Ran::of(&mut scene.command(&arguments)).code(0);
        let read = set(&ran);
        assert_eq!(read.time_base, TimeBase::Cycles { hertz: ratio(2_000_000_000, 1) });
        let mega = |ticks: &Rational| isx::quantity::format_rounded(&(ticks / ratio(1_000_000, 1)), 3);
        let found: Vec<_> = read
            .tasks
            .iter()
            .map(|task| (task.name.clone(), mega(&task.wcets[0]), task.period() / ratio(2_000_000, 1)))
            .collect();
        let wanted: Vec<_> = WATERS
            .iter()
            .map(|(name, wcets, period)| ((*name).to_owned(), wcets[column].to_owned(), ratio(*period, 1)))
            .collect();
        assert_eq!(found, wanted, "{core}");
        for words in [
            "waiting for events, such as that a GPU is done",
            "memory accesses",
            "InterProcessTrigger",
            "processing units",
        ] {
            assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        }
    }
}
