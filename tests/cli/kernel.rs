//! Jitter, blocking, parts that cannot be interrupted and context switches: what the commands print, and what they refuse.

use super::scene::{Scene, has};
use serde_json::json;

const SET: &str = "\
name: pump
clock: 1 kHz
switch: 1
blocks: [{name: fpu, area: 9, switch: 2}]
tasks:
- {name: valve, wcet: 20, period: 100 ms, deadline: 50 ms, jitter: 10 ms, blocking: 4 ms, choices: [{name: float, uses: [fpu], wcet: 9}]}
- {name: log, wcet: 40, period: 200 ms, nonpreemptive: 25 ms}
";

fn scene(scheduler: &str) -> Scene {
    let scene = Scene::new();
    scene.write("pump.yaml", format!("scheduler: {scheduler}\n{SET}"));
    scene
}

#[test]
fn a_verdict_names_the_terms_that_a_failure_owes() {
    let edf = scene("edf").isx("check pump.yaml --area 0 --json").code(1).json();
    assert_eq!(
        edf["reason"],
        "every design within the budget fails; the one of least utilization demands 47 ms by time 40 ms, counting 25 ms of \
         waiting for a part of task `log` that cannot be interrupted, 2 ms of context switches and the jitter of `valve`"
    );
    assert_eq!((&edf["min_schedulable_area"], &edf["lowest_clock_hz"]), (&json!("9"), &json!("1175")));
    let rm = scene("rm").isx("check pump.yaml --area 0 --json").code(1).json();
    assert_eq!(
        rm["reason"],
        "every design within the budget fails; in the one of least utilization task `valve` responds later than its deadline \
         of 50 ms, counting 25 ms of waiting for a part of task `log` that cannot be interrupted, 2 ms of context switches \
         and the jitter of `valve`"
    );
    let valve =
        json!({"task": "valve", "response_time": "57", "deadline": "50", "jitter": "10", "wait": "25"});
    assert_eq!(rm["response_times"][0], valve);
}

#[test]
fn a_design_shows_what_each_term_takes() {
    let scene = scene("rm");
    let shown = scene.isx("show pump.yaml --smallest --json").code(0).json();
    assert_eq!(shown["tasks"][0]["switches"], json!({"software": "2", "design": "6"}));
    assert_eq!(shown["tasks"][0]["utilization"]["design"]["approx"], 0.15);
    // 15 of 40 after 25 of waiting: no WCET may grow.
    assert_eq!(shown["margin"], json!({"num": "1", "den": "1", "approx": 1.0}));
    assert_eq!(shown["lowest_clock_hz"], "1000");
    let text = scene.isx("show pump.yaml --smallest").code(0).stdout;
    assert!(
        text.contains(
            "\\nswitches    0.07 = 7/100, 19.4 % of the utilization\\n".replace("\\n", "\n").as_str()
        ),
        "{text}"
    );
    assert!(text.contains("\nmin clock   1 kHz, the lowest at which this design is schedulable\n"), "{text}");
    assert!(text.contains("  response  jitter  wait  deadline      %  task\n        50      10    25        50  100.0  valve\n"), "{text}");
}

#[test]
fn the_front_is_proved_beside_delays_and_deadlines_are_not() {
    let scene = scene("edf");
    scene.write("late.yaml", "name: pump\ntasks: [{name: valve, wcet: 2, period: 9, jitter: 8, choices: [{name: fast, area: 3, wcet: 1}]}]\n");
    scene.isx("explore late.yaml --certificate x.cert").code(0);
    let record = scene.isx("verify late.yaml x.cert").code(0).stdout;
    has(
        &record,
        &["2 points", "0 points are schedulable, 0 are overloaded; of 2 nothing is proved about deadlines\n"],
    );
    // Without the jitter it is another problem.
    scene.write(
        "prompt.yaml",
        "name: pump\ntasks: [{name: valve, wcet: 2, period: 9, choices: [{name: fast, area: 3, wcet: 1}]}]\n",
    );
    scene.isx("verify prompt.yaml x.cert").code(7);
    // The verdict is printed all the same, as without the flag.
    let refused = scene.isx("check late.yaml --area 0 --certificate y.cert").code(7);
    assert_eq!(refused.stdout, scene.isx("check late.yaml --area 0").code(1).stdout);
    assert!(refused.stdout.contains("NOT SCHEDULABLE") && !scene.path("y.cert").exists());
    has(
        &refused.stderr,
        &[
            "not proved: certificates do not contain jitter, blocking, locks",
            "`isx explore --prove` proves the front",
        ],
    );
    // Overload needs nothing of a scheduler.
    scene.write("over.yaml", "name: pump\ntasks: [{name: valve, wcet: 2, period: 1, jitter: 1}]\n");
    scene.isx("check over.yaml --certificate y.cert").code(1);
    has(&scene.isx("verify over.yaml y.cert").code(0).stdout, &["no design of any area is schedulable"]);
}

#[test]
fn cores_share_tasks_with_what_a_kernel_costs() {
    let scene = scene("rm");
    let record = scene.isx("partition pump.yaml --cores 1..2 -v").code(0).stdout;
    // On one core it is the smallest area of `check`; apart, no task waits for the other's part.
    has(
        &record,
        &[
            "    1  PROVED  9        1   0.360000   0.00 %\n",
            "    2  PROVED  0        2   0.220000  70.00 %\n",
        ],
    );
    let locks = "name: pump\ntasks: [{name: a, wcet: 2, period: 9, locks: {bus: 1}}, {name: b, wcet: 2, period: 9, locks: {bus: 1}}]\n";
    scene.write("locks.yaml", locks);
    has(
        &scene.isx("partition locks.yaml --cores 2").code(2).stderr,
        &["tasks `a` and `b` of `pump` share the lock `bus`"],
    );
}

#[test]
fn context_switches_are_parts_of_the_wcets_of_a_certificate() {
    let scene = scene("edf");
    scene.write("plain.yaml", "name: pump\ntasks: [{name: valve, wcet: 2, period: 9}]\n");
    scene.isx("explore plain.yaml --certificate x.cert").code(0);
    let record = scene.isx("verify plain.yaml x.cert").code(0).stdout;
    has(&record, &["1 points are schedulable, 0 are overloaded\n"]);
    scene.write("switching.yaml", "name: pump\nswitch: 1\ntasks: [{name: valve, wcet: 2, period: 9}]\n");
    scene.isx("explore switching.yaml --certificate y.cert").code(0);
    scene.isx("verify switching.yaml y.cert").code(0);
    scene.isx("verify plain.yaml y.cert").code(7);
}

#[test]
fn the_front_by_margin_is_written_with_every_point_s_margin() {
    let scene = scene("rm");
    let front = scene.isx("explore pump.yaml --front margin --json").code(0).json();
    assert_eq!(front["schema"], "isx.front/3");
    assert_eq!(front["front"], "margin");
    assert_eq!(front["complete"], true);
    let points = front["points"].as_array().unwrap();
    let of =
        |at: usize| (points[at]["area"].as_str().unwrap(), points[at]["margin"]["num"].as_str().unwrap());
    // 40 of the 50 ms are left by the jitter and 38 by the switches: the WCET of 20 and the part of 25 of `log` grow alike.
    assert_eq!((points.len(), of(0), of(1)), (2, ("0", "38"), ("9", "1")));
    assert_eq!(points[0]["margin"], json!({"num": "38", "den": "45", "approx": 0.844_444_444_444_444_4}));
    assert_eq!((&points[0]["schedulable"], &points[1]["schedulable"]), (&json!(false), &json!(true)));
    assert_eq!(front["min_schedulable_area"], "9");
    scene.isx("explore pump.yaml --front margin --out o").code(0);
    let csv = scene.read("o/front.csv");
    assert!(csv.starts_with(
        "area,utilization_num,utilization_den,utilization,schedulable,schedulable_within,blocks,margin_num,margin_den,margin,"
    ));
    assert!(csv.contains("\n0,43,100,0.43,false,false,,38,45,0.8444444444444444,,\n"), "{csv}");
    let picture = scene.read("o/front.svg");
    assert!(
        picture.contains(">1/margin<") && picture.contains(">limit") && !picture.contains("U = 1"),
        "{picture}"
    );
    scene.isx("plot o/front.json -o again.svg").code(0);
    assert_eq!(scene.read("again.svg"), picture, "a front read again gives the same picture");
    scene.isx("explore pump.yaml --front margin --format html --out o").code(0);
    assert!(scene.read("o/front.html").contains("\"front\":\"margin\""));
    scene.isx("report o/front.json --taskset pump.yaml -o x.html").code(0);
    assert!(scene.read("x.html").contains("\"of\":\"front and task set\""));
    // The set is explored again by margin too.
    let mut fewer = front.clone();
    fewer["points"].as_array_mut().unwrap().remove(0);
    scene.write("fewer.json", fewer.to_string());
    let missing = scene.isx("report fewer.json --taskset pump.yaml -o x.html").code(2).stderr;
    assert!(missing.contains("a point is missing or was changed"), "{missing}");
    let text = scene.isx("explore pump.yaml --front margin --out o").code(0).stdout;
    assert!(text.contains("\nExact Pareto front of 2 designs by area and margin, checked\n"), "{text}");
    assert!(text.contains("\n area    margin  utilization"), "{text}");
}

#[test]
fn a_front_by_margin_is_shown_and_compared_from_its_file() {
    let scene = scene("rm");
    scene.isx("explore pump.yaml --front margin --out o").code(0);
    scene.isx("explore pump.yaml --front margin --scale-wcet 0.5 --out half").code(0);
    scene.isx("explore pump.yaml --out u").code(0);
    let shown = scene.isx("show o/front.json --point 0 --json").code(0).json();
    assert_eq!(shown["margin"], json!({"num": "38", "den": "45", "approx": 0.844_444_444_444_444_4}));
    let text = scene.isx("show o/front.json --point 0").code(0).stdout;
    let record = "\nmargin      all WCETs must shrink to about 0.844444444, exactly 38/45 times (-15.56 %); else some\n            deadline is missed\n";
    assert!(text.contains(record), "{text}");
    let none = scene.isx("show o/front.json --max-utilization 0.1").code(1).stderr;
    let record = "error: no design has utilization 0.1 or less; the least that can be reached is 0.36 = 9/25, with area 9\n";
    assert_eq!(none, record);
    let text = scene.isx("compare o/front.json half/front.json").code(0).stdout;
    assert!(text.contains(" has less 1/margin, by up to 0."), "{text}");
    has(&text, &["\nhalf is nowhere worse than o. ", " Least 1/margin: o 1.000000,"]);
    let compared = scene.isx("compare o/front.json half/front.json --json -o two.svg").code(0).json();
    assert_eq!(compared["front"], "margin");
    assert_eq!(compared["first"]["largest_margin"]["num"], "1");
    assert_eq!(compared["first"].get("least_utilization"), None);
    assert!(scene.read("two.svg").contains("1/margin within each area; "));
    assert_eq!(
        scene.isx("compare u/front.json o/front.json").code(2).stderr,
        "error: `o/front.json` is a front of area against margin, `u/front.json` one of area against utilization: they \
         cannot be compared; explore both with the same --front\n"
    );
    // A file that was changed by hand.
    let text = scene.read("o/front.json");
    let own = "\"margin\":{\"num\":\"38\",\"den\":\"45\",\"approx\":0.8444444444444444}";
    for (old, new, why) in [
        ("\"front\": \"margin\"", "\"front\": \"clock\"", "`front` is not margin"),
        (
            own,
            "\"margin\":{\"num\":\"33\",\"den\":\"20\",\"approx\":1.65}",
            "`margin` contradicts `schedulable`",
        ),
        (own, "\"m\":1", "there is no `margin`"),
        (own, "\"margin\":{\"num\":\"0\",\"den\":\"1\",\"approx\":0.0}", "`margin` is 0"),
    ] {
        assert!(text.contains(old), "{text}");
        scene.write("wrong.json", text.replacen(old, new, 1));
        let error = scene.isx("plot wrong.json -o x.svg").code(2).stderr;
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_picture_shows_lowest_clocks_where_the_front_tells_them() {
    let scene = Scene::new();
    let set = |more: &str| {
        format!(
            "name: pump\nclock: 100 MHz\n{more}tasks:\n- {{name: a, wcet: 500000, period: 10 ms, choices: [{{name: c, area: 7, wcet: 250000}}]}}\n"
        )
    };
    scene.write("edf.yaml", set(""));
    scene.write("rm.yaml", set("scheduler: rm\n"));
    scene.write("waits.yaml", set("scheduler: rm\nswitch: 9\n"));
    scene.write("slow.yaml", set("blocks: [{name: b, area: 1, fmax: 50 MHz}]\n"));
    scene.isx("explore edf.yaml --out edf").code(0);
    assert_eq!(scene.isx("explore edf.yaml --json").code(0).json()["clock_hz"], "100000000");
    let picture = scene.isx("plot edf/front.json --axis clock -o -").code(0).stdout;
    for record in [
        ">Lowest clock in MHz<",
        ">clock<",
        "area 7\nlowest clock in MHz 25\n",
        "software only\narea 0\nlowest clock in MHz 50",
    ] {
        assert!(picture.contains(record), "{record}: {picture}");
    }
    let checked = scene.isx("check edf.yaml --area 7 --json").code(0).json();
    assert_eq!(checked["lowest_clock_hz"], "25000000", "as the picture says");
    scene.isx("explore rm.yaml --front margin --out rm").code(0);
    let by_margin = scene.isx("plot rm/front.json --axis clock -o -").code(0).stdout;
    assert!(by_margin.contains("area 7\nlowest clock in MHz 25\n"), "{by_margin}");
    scene.isx("explore rm.yaml --out u").code(0);
    scene.isx("explore waits.yaml --front margin --out waits").code(0);
    scene.isx("explore slow.yaml --out slow").code(0);
    for unknown in ["u", "waits", "slow"] {
        assert_eq!(
            scene.isx(&format!("plot {unknown}/front.json --axis clock -o -")).code(2).stderr,
            format!(
                "error: {unknown}/front.json: --axis clock needs the lowest clock of every design, which this front does not have: \
                 that takes a task set with `clock` that no block or variant lowers; explore it with --front margin if utilization \
                 does not decide, and leave `switch`, `blocking` and `nonpreemptive` out then\n"
            )
        );
    }
}

/// Under EDF with implicit deadlines and no other costs, the margin is 1/U.
#[test]
fn where_utilization_decides_the_front_by_margin_is_that_by_utilization() {
    let scene = Scene::new();
    let set = concat!(env!("CARGO_MANIFEST_DIR"), "/tasksets/crypto-gateway-shared.yaml");
    let [one, other] = ["utilization", "margin"].map(|what| {
        scene.isx(&format!("explore {set} --json --front {what}")).code(0).json()["points"].clone()
    });
    let (one, other) = (one.as_array().unwrap(), other.as_array().unwrap());
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!((&one["area"], &one["choices"]), (&other["area"], &other["choices"]));
        assert_eq!(one["utilization"]["num"], other["margin"]["den"]);
        assert_eq!(one["utilization"]["den"], other["margin"]["num"]);
    }
}

#[test]
fn a_front_by_margin_refuses_what_is_for_utilization() {
    let scene = scene("edf");
    let refused = |more: &str| scene.isx(&format!("explore pump.yaml --front margin {more}")).code(2).stderr;
    for (more, flag) in [("--prove", "--prove"), ("--opb x.opb", "--opb"), ("pump.yaml", "several task sets")]
    {
        assert_eq!(
            refused(more),
            format!(
                "error: --front margin is not for {flag}: {}\n",
                if flag.starts_with('-') {
                    "a front by margin has no proof; `isx check --margin 20% --certificate` proves the least area at one margin"
                } else {
                    "it is computed for one task set"
                }
            )
        );
    }
    scene.write("late.yaml", "name: late\ntasks: [{name: a, wcet: 1, period: 9, jitter: 9}]\n");
    let none = scene.isx("explore late.yaml --front margin").code(1).stderr;
    assert_eq!(
        none,
        "error: `late` has no front of area against margin: no design meets its deadlines, however short its WCETs are\n"
    );
}

#[test]
fn the_schedule_that_decides_is_drawn() {
    let scene = scene("rm");
    let ran = scene.isx("show pump.yaml --smallest --gantt met.svg").code(0);
    assert!(ran.stdout.starts_with("pump: design "), "{}", ran.stdout);
    assert_eq!(ran.stderr, "note: wrote met.svg\n");
    let met = scene.read("met.svg");
    let record = "<desc>RM: every deadline is met; valve comes nearest: response 50 ms of 50 ms. Critical instant \
                0: valve and all tasks of higher priority are released, after their full jitter. ";
    assert!(met.contains(record), "{met}");
    let missed = scene.isx("show pump.yaml --area 0 --gantt -").code(0).stdout;
    let record = "<desc>RM: valve misses its deadline at 40 ms, when 7 ms of its work are left. ";
    assert!(missed.starts_with("<svg ") && missed.contains(record), "{missed}");
    let json = scene.isx("show pump.yaml --area 0 --json --gantt missed.svg").code(0).json();
    assert_eq!((&json["schedulable"], scene.read("missed.svg")), (&json!(false), missed));
}

#[test]
fn what_has_no_schedule_to_draw_is_refused() {
    let scene = scene("edf");
    scene.isx("explore pump.yaml --out o").code(0);
    let refused = |arguments: &str, words: &str| {
        assert_eq!(scene.isx(arguments).code(2).stderr, format!("error: {words}\n"), "{arguments}");
    };
    refused(
        "show o/front.json --smallest --gantt x.svg",
        "o/front.json: --gantt needs WCETs and deadlines, and this is a front, which has none; give the task set",
    );
    refused(
        "show pump.yaml --smallest --json --gantt -",
        "--gantt - and --json both write to standard output; give --gantt a file",
    );
    refused(
        "show pump.yaml --smallest --gantt x.png",
        "isx draws SVG, so `x.png` must end in .svg; a browser, Inkscape or rsvg-convert turns it into png",
    );
    scene.write(
        "cores.yaml",
        "name: pump\ncores: {count: 1..2}\ntasks: [{name: valve, wcet: 2, period: 9}]\n",
    );
    refused(
        "show cores.yaml --smallest --gantt x.svg",
        "`pump` has `cores`, and --gantt draws the schedule of one processor: write a set of the tasks of one core",
    );
    scene.write("over.yaml", "name: pump\ntasks: [{name: valve, wcet: 2, wcet_high: 3, period: 9}]\n");
    refused(
        "show over.yaml --smallest --overruns 1 --gantt x.svg",
        "`pump` is asked about with --overruns, and --gantt draws a schedule without: leave one of them out",
    );
    // A deadline that is missed, but only after more jobs than a picture can show.
    scene.write(
        "far.yaml",
        "name: far\ntasks:\n- {name: a, wcet: 500000, period: 1000000}\n- {name: b, wcet: 500001, period: 1000001}\n\
         - {name: c, wcet: 1, period: 100000000000}\n",
    );
    let ran = scene.isx("show far.yaml --point 0 --gantt x.svg").code(4);
    assert!(ran.stderr.ends_with(
        "error: --gantt: the schedule up to the deadline that decides has more than 20000 jobs; round the periods to a \
         common grid\n"
    ), "{}", ran.stderr);
    assert!(!scene.path("x.svg").exists());
}

fn set(name: &str, tasks: &str) -> Scene {
    Scene::with("x.yaml", format!("name: {name}\ntasks:\n{tasks}"))
}

/// A task whose part grows with its WCET: 3 times both are the deadline.
#[test]
fn margins_scale_parts_that_cannot_be_interrupted_and_critical_sections() {
    for section in ["nonpreemptive: 4", "nonpreemptive: all", "locks: {bus: 4}"] {
        let scene = Scene::with(
            "x.yaml",
            format!(
                "name: x\nscheduler: fixed\ntasks:\n- {{name: a, wcet: 2, period: 30, deadline: 9, priority: 1, locks: {{bus: 1}}}}\n\
                 - {{name: b, wcet: 4, period: 90, priority: 2, {section}}}\n"
            ),
        );
        let shown = scene.isx("show x.yaml --area 0 --json").code(0).json();
        assert_eq!(shown["margin"], json!({"num": "3", "den": "2", "approx": 1.5}), "{section}");
        scene.isx("check x.yaml --area 0 --margin 50%").code(0);
        scene.isx("check x.yaml --area 0 --margin 50.1%").code(1);
        scene.isx("check x.yaml --area 0 --scale-wcet 1.501").code(1);
        let front = scene.isx("explore x.yaml --front margin --json").code(0).json();
        assert_eq!(front["points"][0]["margin"]["num"], "3", "{section}");
    }
}

#[test]
fn a_task_that_nothing_interrupts_is_decided_by_every_job_of_its_busy_period() {
    let bus = |part: &str| {
        let task = |name: &str, wcet: u32, period: u32| {
            format!("- {{name: {name}, wcet: {wcet}, period: {period}, nonpreemptive: {part}}}\n")
        };
        let tasks = [task("brake", 2, 9), task("speed", 3, 11), task("radio", 5, 20)].concat();
        Scene::with("x.yaml", format!("name: bus\nscheduler: rm\ntasks:\n{tasks}"))
    };
    let found = bus("all").isx("check x.yaml --area 0 --json").code(0).json();
    let times: Vec<&str> =
        (0..3).map(|at| found["response_times"][at]["response_time"].as_str().unwrap()).collect();
    assert_eq!(times, ["7", "10", "10"]);
    // A part as long as the WCET may lie elsewhere, and does not help its own task.
    let late = bus("5").isx("check x.yaml --area 0 --json").code(1).json();
    assert_eq!(late["response_times"][1]["response_time"], "12");
    bus("all").isx("show x.yaml --area 0 --gantt x.svg").code(0);
    // The second job is late though the first is not, and the deadline is the period: 3.5 of 7, then 4 + 4.5 of 14.
    let second = Scene::with(
        "x.yaml",
        "name: x\nscheduler: fixed\ntasks:\n- {name: a, wcet: 1, period: 2.5, priority: 1, nonpreemptive: all}\n\
         - {name: b, wcet: 1, period: 3.5, priority: 2, nonpreemptive: all}\n\
         - {name: c, wcet: 1, period: 3.5, deadline: 3.4, priority: 3, nonpreemptive: all}\n",
    );
    let late = second.isx("check x.yaml --area 0 --json").code(1).json();
    assert_eq!(late["response_times"][2]["response_time"], "3.5");
}

/// Under EDF a critical section of a job that is due by then is part of the demand already.
#[test]
fn locks_block_as_the_stack_resource_policy_says() {
    let tasks = |a: &str, b: &str| {
        format!("- {{name: a, wcet: 1.5, period: 6, {a}}}\n- {{name: b, wcet: 4, period: 7, {b}}}\n")
    };
    let locked = set("x", &tasks("locks: {bus: 0.5}", "locks: {bus: 3}"));
    let found = locked.isx("check x.yaml --area 0 --json").code(0).json();
    assert_eq!(found["reason"], "the processor demand, waits included, never exceeds the time at hand");
    assert_eq!(found["ties"], json!(false));
    locked.isx("show x.yaml --area 0 --gantt x.svg").code(0);
    set("x", &tasks("blocking: 3", "jitter: 0")).isx("check x.yaml --area 0").code(1);
    let late = set("x", &tasks("deadline: 4, locks: {bus: 0.5}", "locks: {bus: 3}"));
    let found = late.isx("check x.yaml --area 0 --json").code(1).json();
    assert_eq!(
        found["reason"],
        "every design within the budget fails; the one of least utilization demands 4.5 by time 4, counting 3 of waiting \
         for task `b`, which locks `bus`"
    );
    late.isx("show x.yaml --area 0 --gantt x.svg").code(0);
    // A section is at most the WCET taken, and a choice has its own.
    let choice = |locks: &str| {
        let choices = format!("locks: {{bus: 3}}, choices: [{{name: c, area: 5, wcet: 2{locks}}}]");
        let ran = set("x", &tasks("deadline: 4, locks: {bus: 0.5}", &choices)).isx("check x.yaml --json");
        ran.code(0).json()["min_schedulable_area"].clone()
    };
    assert_eq!(choice(""), json!("5"));
    let slower = "locks: {bus: 3}, choices: [{name: c, area: 5, wcet: 4.5, locks: {}}]";
    let slower = set("x", &tasks("deadline: 4, locks: {bus: 0.5}", slower));
    let ran = slower.isx("check x.yaml --json").code(0);
    assert_eq!(ran.json()["min_schedulable_area"], "5", "a slower choice that locks nothing");
    assert!(!ran.stderr.contains("slower than software"), "{}", ran.stderr);
}

#[test]
fn locks_block_lower_priorities_up_to_their_ceiling() {
    let scene = Scene::with(
        "x.yaml",
        "name: x\nscheduler: fixed\ntasks:\n- {name: high, wcet: 1, period: 10, deadline: 1, priority: 1}\n\
         - {name: user, wcet: 1, period: 10, deadline: 5, priority: 2, locks: {bus: 0.1}}\n\
         - {name: between, wcet: 1, period: 20, priority: 3, nonpreemptive: 0}\n\
         - {name: low, wcet: 4, period: 40, priority: 4, locks: {bus: 3}}\n",
    );
    let found = scene.isx("check x.yaml --area 0 --json").code(0).json();
    let of = |key: &str| -> Vec<String> {
        (0..4).map(|at| found["response_times"][at][key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("wait"), ["0", "3", "3", "0"]);
    assert_eq!(of("response_time"), ["1", "5", "6", "7"]);
    scene.isx("show x.yaml --area 0 --gantt x.svg").code(0);
}

#[test]
fn locks_that_are_not_decided_are_refused_with_what_to_do() {
    let jitter = set(
        "x",
        "- {name: a, wcet: 1, period: 6, locks: {bus: 0.5}}\n- {name: b, wcet: 1, period: 7, jitter: 1}\n",
    );
    assert_eq!(
        jitter.isx("check x.yaml").code(2).stderr,
        "\
error: `locks` of task `a` beside `jitter` of task `b` under EDF
 --> x.yaml:3:40
  |
3 | - {name: a, wcet: 1, period: 6, locks: {bus: 0.5}}
  |                                        ^^^^^^^^^ the first critical sections
4 | - {name: b, wcet: 1, period: 7, jitter: 1}
  |                                         - the first jitter
  |
  = help: the stack resource policy assumes that jobs are released when they arrive: give the sections as `nonpreemptive`
"
    );
    let shared = "- {name: a, wcet: 1, period: 6, locks: {bus: 0.5}}\n- {name: b, wcet: 1, period: 7, locks: {bus: 1}}\n";
    let refused = set("x", shared).isx("partition x.yaml --cores 2").code(2).stderr;
    assert!(refused.contains("tasks `a` and `b` of `x` share the lock `bus`"), "{refused}");
    let alone = set("x", &shared.replace("{bus: 1}", "{can: 1}"));
    alone.isx("partition x.yaml --cores 2").code(0);
    let noted = alone.isx("explore x.yaml").code(0);
    has(&noted.stdout, &["note: locks `bus`, `can` are each named by one task alone"]);
    // What is proved is the front, which is about utilization.
    has(
        &set("x", shared).isx("explore x.yaml --prove").code(0).stdout,
        &["Exact Pareto front of 1 design, proved"],
    );
}
