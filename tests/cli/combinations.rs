//! Every feature of a task set with every question about it: what is refused stands in one table of the book, with what to
//! do instead, and nothing else is refused.

use super::scene::Scene;
use std::collections::BTreeSet;

/// Two tasks; `$1` to `$3` stand for what the choices cost, `$p` and `$q` for their periods and what else they have.
const TASKS: &str = "\
tasks:
- {name: a, wcet: 6, $p, choices: [{name: m, $1, wcet: 3}, {name: n, $2, wcet: 2}]}
- {name: b, wcet: 9, $q, choices: [{name: f, $3, wcet: 4}]}
";
const AREAS: [&str; 3] = ["area: 10", "area: 25", "area: 30"];
const COSTS: [&str; 3] = ["cost: {LUT: 10, DSP: 1}", "cost: {LUT: 25}", "cost: {LUT: 30, DSP: 2}"];
const MODES: [&str; 2] = ["period: {fast: 20, slow: 40}", "period: {fast: 30}"];
const VARIANTS: &str = "variants: [{name: small, area: 100}, {name: big, area: 200}]\n";

/// `more` are keys of the two tasks beside their periods, or other periods.
fn set(head: &str, costs: [&str; 3], more: [&str; 2]) -> String {
    let tasks = ["period: 20", "period: 30"].iter().zip(more).zip(["$p", "$q"]);
    let text =
        tasks.fold(TASKS.to_owned(), |text, ((period, more), place)| match more.strip_prefix("period") {
            Some(_) => text.replace(place, more),
            None => text.replace(place, &format!("{period}{more}")),
        });
    let text = (1..).zip(costs).fold(text, |text, (at, cost)| text.replace(&format!("${at}"), cost));
    format!("name: s\n{head}{text}")
}

/// Task sets with one feature each, by its name in the table.
fn features() -> Vec<(&'static str, String)> {
    let none = ["", ""];
    let shared = ["uses: [k], area: 3", "area: 25", "uses: [k]"];
    let slots = ["uses: [k]", "uses: [l]", "uses: [k]"];
    vec![
        ("one area", set("", AREAS, none)),
        ("several resources", set("resources: [LUT, DSP]\n", COSTS, none)),
        ("a device", set("resources: [LUT, DSP]\ndevice: LFE5U-25F\n", COSTS, none)),
        ("blocks", set("blocks: [{name: k, area: 7}]\n", shared, none)),
        ("slots", set("blocks: [{name: k, area: 7, slot: x}, {name: l, area: 5, slot: x}]\n", slots, none)),
        (
            "related blocks",
            set("blocks: [{name: k, area: 7, excludes: [l]}, {name: l, area: 5, provides: [k]}]\n", shared, none),
        ),
        (
            "tasks with parts",
            set("", AREAS, none).replace(
                "choices: [{name: m, area: 10, wcet: 3}, {name: n, area: 25, wcet: 2}]",
                "parts: [{name: p, choices: [{name: m, area: 10, saves: 3}]}, {name: q, choices: [{name: n, area: 25, saves: 2}]}]",
            ),
        ),
        (
            "clocks",
            set("clock: 100 MHz\nblocks: [{name: k, area: 7, fmax: 90 MHz}]\n", shared, none)
                .replace("period: 20", "period: 200 ns")
                .replace("period: 30", "period: 300 ns"),
        ),
        ("variants", set(VARIANTS, AREAS, none).replace("wcet: 6", "wcet: {small: 6, big: 4}")),
        (
            "variants and several resources",
            set(
                "resources: [LUT, DSP]\nvariants: [{name: small, cost: {LUT: 9}}, {name: big, cost: {LUT: 20}}]\n",
                COSTS,
                none,
            ),
        ),
        ("modes", set("modes: [fast, slow]\n", AREAS, MODES)),
        ("modes and several resources", set("modes: [fast, slow]\nresources: [LUT, DSP]\n", COSTS, MODES)),
        ("modes and variants", set(&format!("modes: [fast, slow]\n{VARIANTS}"), AREAS, MODES)),
        ("jitter", set("", AREAS, [", jitter: 2", ""])),
        ("context switches", set("switch: 1\n", AREAS, none)),
        ("blocking", set("", AREAS, [", blocking: 2", ""])),
        ("parts that cannot be interrupted", set("", AREAS, [", nonpreemptive: 1", ""])),
        ("locks", set("", AREAS, [", locks: {bus: 1}", ", locks: {bus: 2}"])),
        ("fixed priorities", set("scheduler: rm\n", AREAS, none)),
        ("short deadlines", set("", AREAS, [", deadline: 15", ""])),
        ("cores", set("cores: {count: 2, area: 50}\n", AREAS, none)),
        ("overruns", set("", AREAS, [", wcet_high: 7", ""])),
    ]
}

/// Questions, by their name in the table. A file that one writes is there for the next.
const QUESTIONS: [(&str, &str); 30] = [
    ("explore", "explore s.yaml --out o --overwrite --format csv,json,svg,html"),
    ("--front margin", "explore s.yaml --out m --overwrite --front margin"),
    ("--prove", "explore s.yaml --out p --overwrite --prove"),
    ("--certificate", "explore s.yaml --out p --overwrite --certificate x.cert"),
    ("verify", "verify s.yaml x.cert"),
    ("--opb", "explore s.yaml --out p --overwrite --opb x.opb"),
    ("--margin", "explore s.yaml --out p --overwrite --margin 0.1"),
    ("--scale-wcet", "explore s.yaml --out p --overwrite --scale-wcet 1.1"),
    ("--overruns", "explore s.yaml --out p --overwrite --overruns 1"),
    ("--max-area", "explore s.yaml --out p --overwrite --max-area 1000"),
    ("--within", "explore s.yaml --out p --overwrite --within LUT=1000"),
    ("--price", "explore s.yaml --out p --overwrite --price LUT=1,DSP=50"),
    ("check", "check s.yaml"),
    ("check --area", "check s.yaml --area 1000"),
    ("check --certificate", "check s.yaml --certificate y.cert"),
    ("fit", "fit s.yaml"),
    ("partition", "partition s.yaml --cores 2"),
    ("partition --front", "partition s.yaml --cores 2 --front"),
    ("partition --certificate", "partition s.yaml --cores 2 --certificate z.cert"),
    ("show", "show s.yaml --smallest"),
    ("show --area", "show s.yaml --area 1000"),
    ("show --gantt", "show s.yaml --point 0 --gantt g.svg"),
    ("show FRONT", "show o/front.json --point 0"),
    ("plot", "plot o/front.json -o plot.svg"),
    ("plot --log-area", "plot o/front.json --log-area -o plot.svg"),
    ("compare", "compare o/front.json o/front.json"),
    ("compare -o", "compare o/front.json o/front.json -o compare.svg"),
    ("report", "report o/front.json -o r.html"),
    ("report --taskset", "report o/front.json --taskset s.yaml -o t.html"),
    ("confirm", "confirm s.yaml o/front.json --list"),
];

/// The pairs that the table of the book refuses.
fn table(features: &[(&str, String)]) -> BTreeSet<(String, String)> {
    let book = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/questions.md")).unwrap();
    let (_, table) =
        book.split_once("| in the file | asked | instead |\n").expect("the table of what is refused");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let names =
        |cell: &str| -> Vec<String> { cell.split(';').map(|name| name.trim().replace('`', "")).collect() };
    let mut pairs = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert!(cells.len() == 3 && !cells[2].trim().is_empty(), "`{row}` says nothing to do");
        let features: Vec<&str> = features.iter().map(|(name, _)| *name).collect();
        let listed = match cells[0].trim().strip_prefix("everything but ") {
            Some(other) => features.iter().filter(|name| **name != other).map(ToString::to_string).collect(),
            None => names(cells[0]),
        };
        for feature in listed {
            for question in names(cells[1]) {
                assert!(pairs.insert((feature.clone(), question)), "`{feature}` twice in `{row}`");
            }
        }
    }
    pairs
}

#[test]
fn what_is_refused_is_what_the_table_of_the_book_says() {
    let mut refused = BTreeSet::new();
    for (feature, text) in features() {
        let scene = Scene::with("s.yaml", text);
        for (question, line) in QUESTIONS {
            let ran = scene.isx(&format!("{line} -q"));
            let is_about_files = question == "verify" && !scene.path("x.cert").exists();
            match ran.code {
                0 | 1 => {}
                _ if is_about_files => {}
                2 | 7 => {
                    assert!(ran.stderr.starts_with("error: "), "{feature}, {question}: {}", ran.stderr);
                    refused.insert((feature.to_owned(), question.to_owned()));
                }
                code => panic!("{feature}, {question}: exit code {code}: {}", ran.stderr),
            }
        }
    }
    let printed = table(&features());
    let more: Vec<_> = refused.difference(&printed).collect();
    let less: Vec<_> = printed.difference(&refused).collect();
    assert!(
        more.is_empty() && less.is_empty(),
        "refused and not in the table: {more:#?}\nin the table and answered: {less:#?}"
    );
}
