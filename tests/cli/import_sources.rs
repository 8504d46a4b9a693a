//! `isx import` compared with the sources and the documentation of the tools that write its files.

use super::scene::{Scene, has};
use isx::quantity::Rational;
use isx::taskset::{Scheduler, TaskSet, read_str};
use std::path::Path;

fn set(yaml: &str) -> TaskSet {
    read_str("imported.yaml", yaml).unwrap().task_set
}

/// Name, WCET, period and deadline of every task, in microseconds.
fn micros(set: &TaskSet) -> Vec<(String, [i64; 3])> {
    let whole = |time: &Rational| {
        let time = time * Rational::from_integer(1_000_000.into());
        i64::try_from(time.to_integer()).unwrap()
    };
    let figures = |task: &isx::taskset::Task| [&task.wcets[0], task.period(), task.deadline()].map(whole);
    set.tasks.iter().map(|task| (task.name.clone(), figures(task))).collect()
}

/// The task set imported from an rt-app document, and the notes about it.
fn rt_app(threads: &str) -> (Vec<(String, [i64; 3])>, String) {
    let scene = Scene::new();
    scene.write("threads.json", format!("{{\"tasks\": {{{threads}, \"k\": {PLAIN}}}}}"));
    let ran = scene.isx("import threads.json").code(0);
    let mut found = micros(&set(&ran.stdout));
    assert_eq!(found.pop(), Some(("k".to_owned(), [5, 100, 100])));
    (found, ran.stderr)
}

const PLAIN: &str = r#"{"run": 5, "timer": {"ref": "unique", "period": 100}}"#;

#[test]
fn a_thread_that_waits_for_several_timers_is_left_out() {
    // Timers with different names run concurrently: both runs happen within 10 ms here.
    let two = r#""two": {"run0": 1000, "timer0": {"ref": "uniqueA", "period": 10000},
                         "run1": 2000, "timer1": {"ref": "uniqueB", "period": 10000}}"#;
    let (found, said) = rt_app(two);
    assert_eq!(found, []);
    has(&said, &["threads that wait for several timers (`ref`): they wake at no one period (two in line 1)"]);
    // Equal names mean one timer, and so do missing names.
    for name in [r#""ref": "unique", "#, ""] {
        let one = format!(
            r#""one": {{"run0": 1000, "timer0": {{{name}"period": 10000}}, "run1": 2000, "timer1": {{{name}"period": 10000}}}}"#
        );
        assert_eq!(rt_app(&one).0, [("one".to_owned(), [2000, 10_000, 10_000])]);
    }
}

/// All that runs between two wake-ups is one job, in whatever phases it stands.
#[test]
fn loads_and_timers_of_a_round_may_stand_in_different_phases() {
    let timer = |period: u32| format!(r#""timer": {{"ref": "tick", "period": {period}}}"#);
    let wait = timer(30_000);
    for (phases, figures) in [
        (format!(r#""wait": {{{wait}}}, "work": {{"run": 7000}}"#), [7000, 30_000]),
        (format!(r#""work": {{"run": 7000}}, "wait": {{{wait}}}"#), [7000, 30_000]),
        (
            format!(
                r#""a": {{"run": 1000}}, "wait": {{"run": 10, {wait}, "run2": 200}}, "b": {{"run": 4000}}"#
            ),
            [5210, 30_000],
        ),
        // A phase that is run several times before the thread waits.
        (format!(r#""wait": {{{wait}}}, "work": {{"loop": 3, "run": 7}}"#), [21, 30_000]),
        // The rest of a phase runs before its own next timer too.
        (
            format!(r#""p": {{"loop": 4, "run": 5, {wait}, "run2": 90}}, "q": {{"run": 1, {wait}}}"#),
            [95, 30_000],
        ),
        (
            format!(
                r#""once": {{"run": 50}}, "p": {{"loop": -1, "run": 5, {wait}}}, "never": {{"run": 9000}}"#
            ),
            [55, 30_000],
        ),
        (format!(r#""p": {{"run": 5, {wait}}}, "q": {{"run": 4, {}}}"#, timer(20_000)), [5, 20_000]),
        (format!(r#""off": {{"loop": 0, "run": 5, {wait}}}, "q": {{"run": 4, {wait}}}"#), [4, 30_000]),
    ] {
        let (found, said) = rt_app(&format!(r#""fan": {{"loop": -1, "phases": {{{phases}}}}}"#));
        assert_eq!(found, [("fan".to_owned(), [figures[0], figures[1], figures[1]])], "{phases}: {said}");
    }
    let (found, said) =
        rt_app(&format!(r#""fan": {{"phases": {{"w": {{{wait}}}, "p": {{"loop": -1, "run": 5}}}}}}"#));
    assert!(found.is_empty(), "{found:?}");
    has(&said, &["threads that end in a phase without end (`loop` -1) and without a timer (fan in line 1)"]);
    let (_, said) =
        rt_app(&format!(r#""fan": {{"phases": {{"w": {{{wait}}}, "p": {{"run": 5, "sleep": 9}}}}}}"#));
    assert!(said.contains("sleep between two wake-ups (self-suspension) (fan in line 1)"), "{said}");
}

#[test]
fn the_grammar_before_2014_is_named_with_what_to_write() {
    let scene = Scene::new();
    for (thread, written) in [
        (
            r#"{"exec": 4000, "period": 20000, "deadline": 15000, "priority": -5}"#,
            r#"`"run": 4000, "timer": {"ref": "unique", "period": 20000}`"#,
        ),
        (
            r#"{"phases": {"p1": {"exec": 300, "period": 20000, "sleep": false, "loop": 1}}}"#,
            r#"`"run": 300, "timer": {"ref": "unique", "period": 20000}`"#,
        ),
    ] {
        scene.write("old.json", format!("{{\"tasks\": {{\n\"k\": {PLAIN},\n\"valve\": {thread}}}}}\n"));
        let message = "error: this is the grammar of rt-app before 2014 (`exec`, `period`): convert it to `run` and `timer`";
        scene.isx("import old.json").refused(2, &[message, "old.json:3:", written]);
    }
}

#[test]
fn schedulers_of_simso_that_isx_does_not_have_are_refused_by_name() {
    let scene = Scene::new();
    let import = |class: &str, processors: usize| {
        let one = |at: usize| format!(r#"<processor name="CPU {at}" id="{at}" speed="1.0"/>"#);
        let processors: String = (1..=processors).map(one).collect();
        let text = format!(
            "<simulation>\n<sched {class}/><processors>{processors}</processors><tasks>\
             <task name=\"T1\" id=\"1\" task_type=\"Periodic\" period=\"10\" deadline=\"10\" WCET=\"2\" priority=\"1\"/>\
             </tasks></simulation>\n"
        );
        scene.write("lab.xml", text);
        scene.isx("import lab.xml")
    };
    for name in ["LLF", "EDF_US", "PD2", "G_FL", "Static_EDF"] {
        let message = format!("error: isx does not have the scheduler `{name}`\n");
        import(&format!("class=\"simso.schedulers.{name}\""), 1).refused(2, &[&message, "lab.xml:2:15"]);
    }
    let message = "isx does not have the scheduler `P_RM` on 2 processors";
    import("class=\"simso.schedulers.P_RM\"", 2).refused(2, &[message]);
    let message = "the scheduler `mine.py` has a file of its own, which isx does not read";
    import("className=\"mine.py\"", 1).refused(2, &[message]);
    for (name, written) in [("EDF", ""), ("P_EDF", ""), ("P_RM", "scheduler: rm"), ("FP", "scheduler: fixed")]
    {
        let yaml = import(&format!("class=\"simso.schedulers.{name}\""), 1).code(0).stdout;
        assert_eq!(yaml.lines().find(|line| line.starts_with("scheduler")).unwrap_or(""), written, "{name}");
    }
}

/// Equal priorities stay equal, whatever the order of the file.
#[test]
fn priorities_that_are_equal_stay_equal() {
    let fifo = |run: u32, period: u32| {
        format!(
            r#"{{"run": {run}, "policy": "SCHED_FIFO", "timer": {{"ref": "unique", "period": {period}}}}}"#
        )
    };
    let (button, filter) = (fifo(1000, 10_000), fifo(9000, 20_000));
    let scene = Scene::new();
    for order in [[&button, &filter], [&filter, &button]] {
        let [one, other] = order;
        scene.write("fifo.json", format!(r#"{{"tasks": {{"a": {one}, "b": {other}}}}}"#));
        let read = set(&scene.isx("import fifo.json").code(0).stdout);
        let priorities: Vec<_> = read.tasks.iter().map(|task| task.priority).collect();
        assert_eq!((read.scheduler, priorities), (Scheduler::FixedPriority, vec![Some(1), Some(1)]));
    }
}

#[test]
fn timers_that_threads_share_are_told() {
    let timer = r#"{"run": 7, "timer": {"ref": "tick", "period": 1000}}"#;
    let (found, said) = rt_app(&format!(r#""a": {timer}, "b": {timer}"#));
    assert_eq!(found.iter().map(|(_, figures)| figures[1]).collect::<Vec<_>>(), [1000, 1000]);
    has(&said, &["timers that several threads share, which delay each other", "(tick in line 1)"]);
    let (_, said) = rt_app(&format!(r#""a": {timer}, "b": {PLAIN}"#));
    assert!(!said.contains("share"), "{said}");
    let instances = timer.replacen('{', r#"{"instance": 2, "#, 1);
    let (found, said) = rt_app(&format!(r#""a": {instances}"#));
    assert!(found.len() == 2 && said.contains("share"), "{said}");
}

#[test]
fn reservations_are_read_as_rt_app_reads_them() {
    let deadline = |keys: &str| rt_app(&format!(r#""d": {{"policy": "SCHED_DEADLINE", {keys}}}"#)).0[0].1;
    assert_eq!(deadline(r#""dl-runtime": 4, "dl-period": 33, "dl-deadline": 20"#), [4, 33, 20]);
    assert_eq!(deadline(r#""dl-runtime": 4"#), [4, 4, 4]);
    assert_eq!(deadline(r#""dl-runtime": 4, "dl-deadline": 3, "dl-period": 9"#), [4, 9, 3]);
    assert_eq!(deadline(r#""runtime": 4, "period": 33, "deadline": 20"#), [4, 33, 20]);
    // If the new name has set a runtime, period and deadline have their defaults already.
    assert_eq!(deadline(r#""dl-runtime": 4, "period": 33, "deadline": 20"#), [4, 4, 4]);
    assert_eq!(deadline(r#""runtime": 4, "dl-period": 33, "deadline": 20"#), [4, 33, 33]);
}

#[test]
fn what_rt_app_schedules_otherwise_is_told() {
    let (found, said) = rt_app(
        r#""p": {"run9": 1, "phases": {"a": {"policy": "SCHED_FIFO", "run": 3, "timer": {"ref": "unique", "period": 50}}}},
           "slice": {"dl-runtime": 8, "run": 2, "timer": {"ref": "unique", "period": 60}}"#,
    );
    assert_eq!(found, [("p".to_owned(), [3, 50, 50]), ("slice".to_owned(), [2, 60, 60])]);
    for words in [
        "scheduling that a phase sets: that of the thread is taken (p in line 1)",
        "keys beside the `phases` of a thread, which rt-app does not run (p in line 1)",
        "`dl-` settings of threads that are not SCHED_DEADLINE (slice in line 2)",
        "the policy SCHED_OTHER and its priorities, which isx does not have: under EDF, which is taken, verdicts are not those of that kernel (line 1)",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// The rest after the limit is not read: a small file can name tasks that take gigabytes.
#[test]
fn a_file_of_too_many_tasks_is_read_no_further() {
    let scene = Scene::new();
    let thread = r#"{"instance":1000,"run":1,"timer":{"ref":"unique","period":9}}"#;
    let threads: Vec<String> = (0..41).map(|at| format!("\"t{at}\":{thread}")).collect();
    scene.write("threads.json", format!("{{\"tasks\":{{{},\"bad\":5}}}}", threads.join(",")));
    scene.isx("import threads.json").refused(2, &["the file has more than 40000 tasks"]);
    let model = format!(
        "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
         <stimuliModel><stimuli xsi:type=\"am:PeriodicStimulus\" name=\"s\"><recurrence value=\"1\" unit=\"ms\"/></stimuli></stimuliModel>\
         <swModel><tasks name=\"T\" stimuli=\"{}unknown\"><activityGraph><items xsi:type=\"am:Ticks\">\
         <default xsi:type=\"am:DiscreteValueConstant\" value=\"5\"/></items></activityGraph></tasks></swModel></am:Amalthea>",
        "s ".repeat(40_001)
    );
    scene.write("model.amxmi", model);
    scene.isx("import model.amxmi --clock 1MHz").refused(2, &["the file has more than 40000 tasks"]);
    scene.write("plant.csv", "name,period_ms,wcet_us\n".to_owned() + &"a,0,1\n".repeat(40_100));
    scene.isx("import plant.csv").refused(2, &["must be greater than 0", "and 39981 more"]);
    let tasks: Vec<String> = (0..1_000).map(|at| format!("task-{at},10,1\n")).collect();
    scene.write("plant.csv", "name,period_ms,wcet_us\n".to_owned() + &tasks.concat());
    scene.write("choices.csv", "task,choice,area,wcet_us\n".to_owned() + &"tesk,x,1,1\n".repeat(40_100));
    let refused = scene.isx("import plant.csv --choices choices.csv");
    refused.refused(2, &["no task is named `tesk`", "and 39981 more"]);
}

#[test]
fn every_version_of_amalthea_from_the_first_on_gives_the_same_figures() {
    let scene = Scene::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import/rover.amxmi");
    let model = std::fs::read_to_string(file).unwrap();
    let imported = |version: &str, graph: &str| {
        let printed =
            model.replace("amalthea/1.0.0", &format!("amalthea/{version}")).replace("activityGraph", graph);
        scene.write("rover.amxmi", printed);
        let ran = scene.isx("import rover.amxmi --core Big").code(0);
        ran.stdout.replace(version, "1.0.0")
    };
    let wanted = imported("1.0.0", "activityGraph");
    for version in ["0.9.5", "0.9.6", "0.9.9"] {
        assert_eq!(imported(version, "callGraph"), wanted, "{version}");
    }
    for version in ["1.1.0", "2.2.0", "3.3.0"] {
        assert_eq!(imported(version, "activityGraph"), wanted, "{version}");
    }
    scene.write("rover.amxmi", model.replace("amalthea/1.0.0", "amalthea/0.9.4"));
    scene.isx("import rover.amxmi").refused(2, &["version 0.9.4", "0.9.5 is the first that isx reads"]);
    let first = model.replace(
        "http://app4mc.eclipse.org/amalthea/1.0.0",
        "http://www.amalthea.itea2.org/model/1.3.0/central",
    );
    scene.write("rover.amxmi", first);
    scene.isx("import rover.amxmi").refused(2, &["this is an AMALTHEA model from before APP4MC"]);
}

#[test]
fn what_a_shared_runnable_lacks_is_told_of_every_task_that_calls_it() {
    let scene = Scene::new();
    let call =
        |name: &str| format!("<items xsi:type=\"am:RunnableCall\" runnable=\"{name}?type=Runnable\"/>");
    let graph = |items: &str| format!("<activityGraph>{items}</activityGraph>");
    let task = |name: &str, inside: &str| {
        format!(
            "<tasks name=\"{name}\" stimuli=\"s?type=PeriodicStimulus\">{inside}{}</tasks>\n",
            graph(&call("Outer"))
        )
    };
    let ticks =
        "<items xsi:type=\"am:Ticks\"><default xsi:type=\"am:DiscreteValueConstant\" value=\"5\"/></items>";
    scene.write(
        "model.amxmi",
        format!(
            "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/2.0.0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
             <stimuliModel><stimuli xsi:type=\"am:PeriodicStimulus\" name=\"s\"><recurrence value=\"1\" unit=\"ms\"/></stimuli></stimuliModel>\n\
             <swModel>{}{}<runnables name=\"Outer\">{}</runnables>\n<runnables name=\"Loop\">{}</runnables><processChains name=\"c\"/>\
             </swModel></am:Amalthea>",
            task("A", "<customProperties key=\"priority\"/>"),
            task("B", ""),
            graph(&call("Loop")),
            graph(&format!("{ticks}<items xsi:type=\"am:WhileLoop\">{ticks}</items>")),
        ),
    );
    let ran = scene.isx("import model.amxmi --clock 1MHz").code(0);
    for words in [
        "loops without a bound (`WhileLoop`), whose time is not in the WCET (2 times, A in line 5, B in line 5)",
        "custom properties of tasks, whatever they mean to a tool (A in line 2)",
        "chains of processes (c in line 5)",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

#[test]
fn simso_s_scheduler_is_the_one_that_is_named() {
    let scene = Scene::new();
    let imported = |simulation: &str, sched: &str| {
        let task = |name: &str, priority: u32| {
            format!(
                "<task name=\"{name}\" id=\"{priority}\" period=\"9\" deadline=\"9\" WCET=\"1\" priority=\"{priority}\"/>"
            )
        };
        let tasks = task("a", 7) + &task("b", 8);
        scene.write(
            "lab.xml",
            format!("<simulation {simulation}><sched {sched}/><tasks>{tasks}</tasks></simulation>"),
        );
        let ran = scene.isx("import lab.xml").code(0);
        let read = set(&ran.stdout);
        (read.scheduler, read.tasks.iter().map(|task| task.priority).collect::<Vec<_>>(), ran.stderr)
    };
    for class in ["FP", "simso.schedulers.FP"] {
        let (scheduler, priorities, _) = imported("", &format!("class=\"{class}\""));
        assert_eq!((scheduler, priorities), (Scheduler::FixedPriority, vec![Some(2), Some(1)]), "{class}");
    }
    let (scheduler, _, said) = imported("use_wcet=\"no\"", "class=\"EDF\"");
    assert_eq!(scheduler, Scheduler::Edf);
    assert!(said.contains("the model of execution times by caches (`use_wcet`): WCETs are taken"), "{said}");
    assert!(!imported("use_wcet=\"yes\"", "class=\"EDF\"").2.contains("use_wcet"));
}

#[test]
fn a_dash_is_standard_output_and_a_task_set_is_told_from_the_files_of_others() {
    let scene = Scene::new();
    scene.write("plant.csv", "name,period_ms,wcet_us\nfir,10,2500\n");
    let ran = scene.isx("import plant.csv -o -").code(0);
    assert_eq!(ran.stdout, scene.isx("import plant.csv").code(0).stdout);
    assert!(!scene.path("-").exists());
    assert!(scene.isx("generate taskset --seed 1 -o -").code(0).stdout.contains("tasks:"));
    assert!(!scene.path("-").exists());
    scene.isx("import - --choices -").refused(2, &["only one of the files can be standard input"]);
    scene.write("own.yaml", ran.stdout);
    scene.isx("import own.yaml").refused(2, &["a task set already, and names no reports"]);
    scene
        .isx("report own.yaml")
        .refused(2, &["this is a task set; its front is computed by `isx explore own.yaml --format html`"]);
    scene
        .isx("compare own.yaml own.yaml")
        .refused(2, &["this is a task set; its front is computed by `isx explore own.yaml --format json`"]);
}

#[test]
fn columns_that_nothing_is_made_of_are_told_of_both_files() {
    let scene = Scene::new();
    scene.write("plant.csv", "name,period_ms,wcet_us,offset\nfir,10,2500,0\n");
    scene.write("choices.csv", "# made by hand\ntask,choice,area,wcet_us,uses,note\nfir,mac,5,1250,,fast\n");
    let ran = scene.isx("import plant.csv --choices choices.csv").code(0);
    for words in [
        "columns that no task set has (offset in line 1)",
        "columns that no choice has (note of choices.csv in line 2)",
    ] {
        assert!(ran.stderr.contains(words) && ran.stdout.contains(words), "{words}: {}", ran.stderr);
    }
    for head in ["name,period_min,wcet_us", "name,Period_MS,wcet_us"] {
        scene.write("plant.csv", format!("{head}\nfir,10,2500\n"));
        let refused = scene.isx("import plant.csv --from csv");
        refused.refused(
            2,
            &[
                "no column is named `period`",
                "plant.csv:1:6",
                "what stands behind the `_` is no unit that is known",
            ],
        );
    }
}

#[test]
fn simso_s_overheads_of_a_switch_are_taken_together() {
    let scene = Scene::new();
    let processors = r#"<processor name="CPU 1" id="1" cs_overhead="30" cl_overhead="50"/>"#;
    let task = r#"<task name="T1" id="1" task_type="Periodic" period="10.0" deadline="10.0" WCET="2.5"/>"#;
    let text = format!(
        r#"<simulation cycles_per_ms="1000"><sched class="simso.schedulers.RM"/><processors>{processors}</processors><tasks>{task}</tasks></simulation>"#
    );
    scene.write("lab.xml", text);
    let ran = scene.isx("import lab.xml").code(0);
    assert!(ran.stdout.contains("\nscheduler: rm\nswitch: 80 us\ntasks:\n"), "{}", ran.stdout);
    let taken = "# A context switch is `cs_overhead` and `cl_overhead` together; every job has two.\n";
    assert!(ran.stdout.contains(taken) && !ran.stderr.contains("overhead"), "{ran:?}");
}
