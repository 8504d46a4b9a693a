//! Task sets under fixed priorities on the command line.

use crate::scene::Scene;
use serde_json::json;

/// Utilization 1 in software: EDF meets all deadlines, rate-monotonic priorities do not.
const RATES: &str = "\
name: rates
area_unit: LUT
clock: 1 kHz
scheduler: rm
tasks:
  - name: fir
    wcet: 2
    period: 4 ms
    choices: [{name: mac, area: 12, wcet: 1}]
  - name: iir
    wcet: 3
    period: 6 ms
    choices: [{name: shift, area: 9, wcet: 2}]
";

#[test]
fn the_table_and_the_notes_name_the_scheduler() {
    let ran = Scene::with("rates.yaml", RATES).isx("explore rates.yaml --threads 1").code(0);
    let (_, rest) = ran.stdout.split_once("\n\n").unwrap();
    let wanted = "\
\x20area/LUT  utilization   RM  choices (changes from the row above)
        0     1.000000   no  all in software
        9     0.833333  yes  iir=shift
       12     0.750000  yes  fir=mac, iir=software
       21     0.583333  yes  iir=shift

Software only: utilization 1.000000, not schedulable
Smallest schedulable area: 9 LUT, utilization 0.833333
  with iir=shift
Smallest area with 10, 20, 30 % margin: 12, 12, 21 LUT
note: under fixed priorities U <= 1 is not enough: exact response times decide, and the design of
      least utilization in an area need not be the schedulable one

Wrote front.csv, front.json and front.svg to output/rates
";
    assert_eq!(rest, wanted);
}

#[test]
fn front_json_and_pictures_name_the_scheduler() {
    let scene = Scene::with("rates.yaml", RATES);
    scene.isx("explore rates.yaml --out o").code(0);
    assert_eq!(scene.json("o/front.json")["scheduler"], "rm");
    let picture = scene.read("o/front.svg");
    assert!(picture.contains("area enough for a schedulable design (RM)") && !picture.contains("EDF"));
    scene.isx("plot o/front.json -o again.svg").code(0);
    assert_eq!(scene.read("again.svg"), picture);
    scene.write("edf.yaml", RATES.replace("scheduler: rm", "scheduler: edf"));
    scene.write("none.yaml", RATES.replace("scheduler: rm\n", ""));
    let front = |file: &str| scene.isx(&format!("explore {file} --json")).code(0).stdout;
    assert_eq!(front("edf.yaml"), front("none.yaml"));
    assert!(front("edf.yaml").contains("\n  \"scheduler\": \"edf\",\n"));
}

#[test]
fn check_prints_the_response_times_of_the_design_shown() {
    let scene = Scene::with("rates.yaml", RATES);
    let ran = scene.isx("check rates.yaml --area 8").code(1);
    let wanted = "\
rates: NOT SCHEDULABLE under RM with area 8 LUT
Every design within the budget fails; in the one of least utilization task `iir` responds later than
its deadline of 6 ms

least utilization  1
slack              0
area used          0 LUT
smallest area      9 LUT
choices            all in software
lowest clock       1.167 kHz

response times in ms:
  response  deadline      %  task
         2         4   50.0  fir
         7         6  116.7  iir (late)
";
    assert_eq!(ran.stdout, wanted);
    let ran = scene.isx("check rates.yaml --area 9").code(0);
    assert!(ran.stdout.contains("\nEvery task responds within its deadline\n"), "{}", ran.stdout);
    let times = "\
response times in ms:
  response  deadline     %  task
         2         4  50.0  fir
         4         6  66.7  iir
";
    assert!(ran.stdout.ends_with(times), "{}", ran.stdout);
}

#[test]
fn times_are_shown_in_the_unit_of_the_file_though_a_block_lowers_the_clock() {
    let text = "\
name: slow
clock: 100 MHz
scheduler: rm
blocks: [{name: mac, area: 5, fmax: 37 MHz}]
tasks:
  - {name: fir, wcet: 900, period: 40 us, choices: [{name: fast, uses: [mac], wcet: 100}]}
  - {name: iir, wcet: 372, period: 0.08 ms, deadline: 60 us}
";
    let scene = Scene::with("slow.yaml", text);
    let table = "
response times in us:
    response  deadline     %  task
   ≈2.702703        40   6.8  fir
  ≈12.756757        60  21.3  iir
";
    for line in ["check slow.yaml --area 5", "show slow.yaml --area 5"] {
        let printed = scene.isx(line).code(0).stdout;
        assert!(printed.ends_with(table), "{printed}");
    }
    let exact = scene.isx("show slow.yaml --area 5 --json").code(0).json();
    assert_eq!(exact["response_times"][1]["response_time"], "47200/37");
    let seconds =
        text.replace("clock: 100 MHz\n", "").replace("blocks", "# blocks").replace("uses: [mac]", "area: 5");
    scene.write(
        "times.yaml",
        seconds.replace("wcet: 900", "wcet: 9 us").replace("100}", "1 us}").replace("372", "3.72 us"),
    );
    let printed = scene.isx("show times.yaml --area 5").code(0).stdout;
    assert!(printed.contains("  WCET/us  ") && printed.contains(" 9 -> 1  "), "{printed}");
}

#[test]
fn check_json_has_the_response_times() {
    let scene = Scene::with("rates.yaml", RATES);
    let document = scene.isx("check rates.yaml --area 8 --json").code(1).json();
    assert_eq!(document["scheduler"], "rm");
    assert_eq!(document["min_schedulable_area"], "9");
    let wanted = json!([
        {"task": "fir", "response_time": "2", "deadline": "4"},
        {"task": "iir", "response_time": "7", "deadline": "6"},
    ]);
    assert_eq!(document["response_times"], wanted);
    scene.write("over.yaml", RATES.replace("wcet: 3", "wcet: 4"));
    let document = scene.isx("check over.yaml --area 0 --json").code(1).json();
    let wanted = json!({
        "task": "iir", "response_time": null, "deadline": "6",
        "why": "without a bound: the utilization down to this priority is above 1",
    });
    assert_eq!(document["response_times"][1], wanted);
    scene.write("edf.yaml", RATES.replace("scheduler: rm\n", ""));
    let document = scene.isx("check edf.yaml --area 0 --json").code(0).json();
    assert!(document.get("response_times").is_none() && document["scheduler"] == "edf");
}

#[test]
fn generated_sets_have_the_scheduler_that_was_asked_for() {
    let scene = Scene::new();
    let generate = |flags: &str| scene.isx(&format!("generate taskset --seed 3 {flags}")).code(0).stdout;
    let plain = generate("");
    assert_eq!(generate("--scheduler edf"), plain);
    let rm = generate("--scheduler rm");
    assert!(rm.contains(" --scheduler rm --seed 3\n") && rm.contains("\nscheduler: rm\ntasks:"), "{rm}");
    let without = |text: &str| -> Vec<String> {
        let kept = |line: &&str| !line.starts_with("#   isx") && !line.contains("scheduler: ");
        text.lines().filter(kept).filter(|line| !line.contains("priority: ")).map(str::to_owned).collect()
    };
    assert_eq!(without(&rm), without(&plain));
    let fixed = generate("--scheduler fixed");
    assert_eq!(without(&fixed), without(&plain));
    let priorities = fixed.lines().filter_map(|line| line.trim().strip_prefix("priority: "));
    let mut priorities: Vec<u32> = priorities.map(|number| number.parse().unwrap()).collect();
    assert_ne!(priorities, (1..=10).collect::<Vec<u32>>(), "drawn");
    priorities.sort_unstable();
    assert_eq!(priorities, (1..=10).collect::<Vec<u32>>());
    assert_ne!(generate("--scheduler fixed --tasks 11"), fixed);
    scene.write("fixed.yaml", fixed);
    let checked = scene.isx("check fixed.yaml --area 100000 --json").code(1).json();
    assert_eq!(checked["response_times"].as_array().unwrap().len(), 10);
    let refused = scene.isx("generate taskset --scheduler lru").code(2);
    assert!(refused.stderr.contains("write edf, rm, dm or fixed"), "{}", refused.stderr);
}

/// Tasks of equal priority may each have to wait for the others, in whatever order the file has them.
#[test]
fn no_verdict_turns_with_the_order_of_equal_priorities() {
    let check = |scheduler: &str, tasks: [&str; 2]| {
        let [one, other] = tasks;
        let text = format!("name: x\nscheduler: {scheduler}\ntasks:\n- {{{one}}}\n- {{{other}}}\n");
        let scene = Scene::with("x.yaml", text);
        let ran = scene.isx("check x.yaml --area 0 --json");
        let found = ran.json();
        scene.isx("show x.yaml --area 0 --gantt x.svg").code(0);
        let of_button = usize::from(found["response_times"][1]["task"] == "button");
        let response = found["response_times"][of_button]["response_time"].clone();
        (
            found["verdict"].clone(),
            found["ties"].clone(),
            response,
            found["reason"].as_str().unwrap().to_owned(),
        )
    };
    let button = "name: button, wcet: 1, period: 10, deadline: 3";
    for (scheduler, one, other) in [
        (
            "fixed",
            format!("{button}, priority: 1"),
            "name: filter, wcet: 4, period: 20, priority: 1".to_owned(),
        ),
        ("rm", button.to_owned(), "name: filter, wcet: 4, period: 10".to_owned()),
        ("rm", format!("{button}, priority: 1"), "name: filter, wcet: 4, period: 10".to_owned()),
        ("dm", button.to_owned(), "name: filter, wcet: 4, period: 20, deadline: 3".to_owned()),
    ] {
        let found = check(scheduler, [&one, &other]);
        assert_eq!((&found.0, &found.1, &found.2), (&json!("not_schedulable"), &json!(true), &json!("5")));
        assert!(found.3.ends_with("counting `filter` of equal priority") || scheduler == "dm", "{}", found.3);
        assert_eq!(check(scheduler, [&other, &one]).0, found.0);
    }
    // A priority orders equal periods.
    let filter = "name: filter, wcet: 4, period: 10, priority: 2";
    for tasks in [[&format!("{button}, priority: 1"), filter], [filter, &format!("{button}, priority: 1")]] {
        let found = check("rm", tasks);
        assert_eq!((found.0, found.1, found.2), (json!("schedulable"), json!(false), json!("1")));
    }
}
