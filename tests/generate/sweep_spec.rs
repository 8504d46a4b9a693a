//! Specifications of sweeps, good and bad.

use isx::sweep::spec::{Axis, Numbers};
use isx::sweep::{Spec, SweepError};
use std::path::Path;

const GOOD: &str = "\
schema: isx.sweep/1
seed: 2026
sets_per_point: 1200
grid: {utilization: 0.8..2.4/0.1, tasks: [8, 16]}
paired: {scheduler: [edf, rm]}
recipe: {savings: \"correlated:0.05..0.60\", choices: 4..8}
measure: [points, min_area]
budgets: [0, 500.0, 1000]
";

fn read(text: &str) -> Result<Spec, SweepError> {
    Spec::read("sweep.yaml", text.as_bytes(), Path::new("/nowhere"))
}

fn problem(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn the_canonical_text_is_a_specification_of_the_same_records() {
    let spec = read(GOOD).unwrap();
    let text = spec.canonical();
    assert!(
        text.starts_with(
            "schema: isx.sweep/1\nseed: 2026\nsets_per_point: 1200\ngrid:\n  utilization: [0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, \
             1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 2.3, 2.4]\n  tasks: [8, 16]\nrecipe:\n  choices: 4..8\n  savings: \
             \"correlated:0.05..0.60\"\npaired:\n  scheduler: [edf, rm]\nmeasure: [min_area, points]\nbudgets: [0, 500, \
             1000]\nsteps: 50000000\n# SHA-256 of the recipes of all points: "
        ),
        "{text}"
    );
    let again = read(text).unwrap();
    assert_eq!((again.canonical(), again.sha256()), (text, spec.sha256()));
    assert_eq!((spec.points(), spec.pairs(), spec.chunks()), (34, 2, 102));
    assert_eq!((spec.values_at(3), spec.values_of_pair(1)), (vec!["0.9", "16"], vec!["rm"]));
    assert_eq!((spec.sets_of(5), spec.sets_of(6)), ((1, 1000..1200), (2, 0..500)));
}

#[test]
fn a_set_depends_on_its_point_and_index_and_not_on_what_is_asked() {
    let spec = read(GOOD).unwrap();
    let set = |spec: &Spec, point, index, pair| spec.task_set(point, index, pair).unwrap();
    assert_eq!(set(&spec, 3, 7, 0).tasks, set(&spec, 3, 7, 1).tasks, "the same set under each scheduler");
    assert_ne!(set(&spec, 3, 7, 0).tasks, set(&spec, 3, 8, 0).tasks);
    let asked = read(
        &GOOD.replace("[points, min_area]", "[breakdown]").replace("1200", "90").replace("edf, rm", "dm"),
    )
    .unwrap();
    assert_eq!(set(&spec, 3, 7, 0).tasks, set(&asked, 3, 7, 0).tasks);
    let other = read(&GOOD.replace("seed: 2026", "seed: 2027")).unwrap();
    assert_ne!(set(&spec, 3, 7, 0).tasks, set(&other, 3, 7, 0).tasks);
    // The sets of a seed are what they are for good: papers name them.
    assert_eq!(spec.seed_of(3, 7), 14_281_865_622_410_314_428);
}

#[test]
fn mistakes_are_shown_at_their_place_with_what_to_write() {
    let wrong = |from: &str, to: &str| problem(&GOOD.replace(from, to));
    assert_eq!(
        wrong("seed: 2026\n", ""),
        "\
error: the sweep has no `seed`
 --> sweep.yaml:1:1
  |
1 | schema: isx.sweep/1
  | ^^^^^^^^^^^^^^^^^^^
  |
  = help: add `seed: ..` to it"
    );
    assert_eq!(
        wrong("0.8..2.4/0.1", "0.8..2.45/0.1"),
        "\
error: `utilization` of `grid` ends between two steps of 0.1
 --> sweep.yaml:4:21
  |
4 | grid: {utilization: 0.8..2.45/0.1, tasks: [8, 16]}
  |                     ^^^^^^^^^^^^^ the last step below is 2.4"
    );
    assert_eq!(
        wrong("0.8..2.4/0.1", "0.8..2.4"),
        "\
error: `utilization` of `grid` is not a range of numbers
 --> sweep.yaml:4:21
  |
4 | grid: {utilization: 0.8..2.4, tasks: [8, 16]}
  |                     ^^^^^^^^ write LOW..HIGH/STEP, such as 0.8..2.4/0.1"
    );
    assert_eq!(
        wrong("choices: 4..8", "choice: 4..8"),
        "\
error: unknown key `choice` in the recipe
 --> sweep.yaml:6:44
  |
6 | recipe: {savings: \"correlated:0.05..0.60\", choice: 4..8}
  |                                            ^^^^^^ did you mean `choices`?
  |
  = help: the keys of a recipe are `name`, `recipe`, `tasks`, `utilization`, `max_task_utilization`, `utilizations`, `clock_mhz`, `periods`, `choices`, `area`, `area_unit`, `resources`, `savings`, `catalog`, `deadlines`, `scheduler`, `blocks`, `uses`, `block_area`, `fmax`, `cores`, `core_area`, `modes`, `switch`, `jitter`, `blocking`, `nonpreemptive`"
    );
    assert_eq!(
        wrong("4..8", "8..4"),
        "\
error: `choices` at point 0: the range `8..4` is empty: its low end is above its high end
 --> sweep.yaml:6:53
  |
6 | recipe: {savings: \"correlated:0.05..0.60\", choices: 8..4}
  |                                                     ^^^^"
    );
    assert_eq!(
        wrong("[8, 16]", "[8, 1]"),
        "\
error: `utilization` at point 7: 1.1: the utilization must not pass the largest utilization of one task times the number of tasks
 --> sweep.yaml:4:21
  |
4 | grid: {utilization: 0.8..2.4/0.1, tasks: [8, 1]}
  |                     ^^^^^^^^^^^^"
    );
    assert_eq!(
        wrong("choices: 4..8", "tasks: 9"),
        "\
error: `tasks` is given twice
 --> sweep.yaml:6:51
  |
4 | grid: {utilization: 0.8..2.4/0.1, tasks: [8, 16]}
  |                                           - first given here
5 | paired: {scheduler: [edf, rm]}
6 | recipe: {savings: \"correlated:0.05..0.60\", tasks: 9}
  |                                                   ^ given again here
  |
  = help: a key stands in one of `grid`, `paired` and `recipe`"
    );
    assert_eq!(
        wrong("[edf, rm]", "[edf, rn]"),
        "\
error: `scheduler` at point 0: rn: write edf, rm, dm or fixed
 --> sweep.yaml:5:27
  |
5 | paired: {scheduler: [edf, rn]}
  |                           ^^"
    );
    assert_eq!(
        wrong("points, min_area", "area"),
        "\
error: `area` is not a measure
 --> sweep.yaml:7:11
  |
7 | measure: [area]
  |           ^^^^
  |
  = help: the measures are `min_area`, `least_utilization`, `breakdown`, `points`"
    );
    assert_eq!(
        wrong("500.0", "much"),
        "\
error: `budgets` of the sweep: `much` is not a decimal number
 --> sweep.yaml:8:14
  |
8 | budgets: [0, much, 1000]
  |              ^^^^ expected an area"
    );
    assert_eq!(
        wrong("isx.sweep/1", "isx.sweep/2"),
        "\
error: the schema is `isx.sweep/2`
 --> sweep.yaml:1:9
  |
1 | schema: isx.sweep/2
  |         ^^^^^^^^^^^ expected `isx.sweep/1`"
    );
    assert_eq!(
        wrong("[8, 16]", "8"),
        "\
error: `tasks` of `grid` is not a list
 --> sweep.yaml:4:42
  |
4 | grid: {utilization: 0.8..2.4/0.1, tasks: 8}
  |                                          ^ expected a list of values, such as `[1, 2, 4]` or `0.8..2.4/0.1`
  |
  = help: a key with one value stands in `recipe`"
    );
    assert_eq!(
        wrong("savings: \"correlated:0.05..0.60\"", "resources: \"LUT:1..9\""),
        "\
error: a sweep asks about one area and one mode: its sets cannot cost several resources
 --> sweep.yaml:6:21
  |
6 | recipe: {resources: \"LUT:1..9\", choices: 4..8}
  |                     ^^^^^^^^^^
  |
  = help: give `area` and `area_unit` instead"
    );
    assert_eq!(
        wrong("choices: 4..8", "modes: 2"),
        "\
error: a sweep asks about one area and one mode: its sets cannot have several modes
 --> sweep.yaml:6:51
  |
6 | recipe: {savings: \"correlated:0.05..0.60\", modes: 2}
  |                                                   ^"
    );
    let fixed = GOOD.replace("[edf, rm]", "[edf, fixed]").replace("choices: 4..8", "jitter: 0..0.1");
    assert_eq!(
        problem(&fixed),
        "\
error: with `fixed` the sets would differ in `jitter`, which is drawn after priorities
 --> sweep.yaml:5:27
  |
5 | paired: {scheduler: [edf, fixed]}
  |                           ^^^^^
  |
  = help: pair the other schedulers, and make a sweep of its own for this one"
    );
    assert_eq!(
        problem("schema: isx.sweep/1\nfiles: [none.yaml]\nmeasure: [points]\n"),
        "\
error: no file is named `none.yaml`
 --> sweep.yaml:2:9
  |
2 | files: [none.yaml]
  |         ^^^^^^^^^
  |
  = help: files are named from the folder of the specification; `*` stands for any characters"
    );
    assert_eq!(
        problem("schema: isx.sweep/1\nseed: 1\nsets_per_point: 5\n"),
        "\
error: the sweep has no `measure`
 --> sweep.yaml:1:1
  |
1 | schema: isx.sweep/1
  | ^^^^^^^^^^^^^^^^^^^
  |
  = help: add `measure: [min_area, least_utilization, breakdown, points]`, or some of these"
    );
    assert_eq!(
        wrong("1200", "1000000000"),
        "\
error: `sets_per_point` of the sweep makes 68000000 chunks of 500 sets
 --> sweep.yaml:3:17
  |
3 | sets_per_point: 1000000000
  |                 ^^^^^^^^^^ up to 10000000 are computed"
    );
    assert_eq!(problem(" \n"), "sweep.yaml: the file is empty: it holds no sweep");
    assert_eq!(
        problem("schema: isx.sweep/1\nseed: -1\nsets_per_point: 5\nmeasure: [points]\n"),
        "\
error: `seed` of the sweep is not such a number
 --> sweep.yaml:2:7
  |
2 | seed: -1
  |       ^^ expected a whole number from 0 to 18446744073709551615"
    );
}

#[test]
fn the_schema_has_every_key() {
    let schema: serde_json::Value = serde_json::from_str(isx::sweep::SCHEMA).unwrap();
    let names = |value: &serde_json::Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let mut keys: Vec<&str> = isx::taskset::generate::KEYS.to_vec();
    // A sweep asks about one area and one mode.
    keys.retain(|key| !matches!(*key, "resources" | "modes"));
    assert_eq!(names(&schema["$defs"]["key"]["enum"]), keys);
    assert_eq!(names(&schema["properties"]["measure"]["items"]["enum"]), isx::sweep::spec::MEASURES);
    let properties = schema["properties"].as_object().unwrap();
    let listed = problem("schema: isx.sweep/1\nnone: 1\n");
    assert!(properties.keys().all(|key| listed.contains(&format!("`{key}`"))), "{listed}");
    assert_eq!(listed.matches('`').count(), 2 * properties.len() + 2, "{listed}");
}

#[test]
fn the_last_key_varies_fastest_and_combinations_are_named_back() {
    let two = GOOD.replace("[edf, rm]", "[edf, rm, dm], switch: [0, 5]");
    let spec = read(&two).unwrap();
    assert_eq!(spec.pairs(), 6);
    for pair in 0..6 {
        let named = ["scheduler", "switch"].iter().zip(spec.values_of_pair(pair));
        let named: Vec<String> = named.map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(spec.pair_of(&named).unwrap(), pair);
    }
    let pair = |text: &str| spec.pair_of(&[text.to_owned()]).map_err(|error| error.to_string());
    assert_eq!(pair("switch=5"), Ok(1));
    assert_eq!(pair("switch"), Err("`switch` is not KEY=VALUE".to_owned()));
    assert_eq!(pair("tasks=8"), Err("`tasks` is not paired: `scheduler`, `switch` is".to_owned()));
    assert_eq!(pair("switch=4"), Err("`switch` has no value `4`: `0`, `5`".to_owned()));
}

#[test]
fn numbers_have_the_places_of_the_longest_and_names_are_none() {
    let axis = |values: &[&str]| {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Axis { key: "u".to_owned(), values, places: Vec::new() }.numbers()
    };
    let numbers = axis(&["0.8", "1", "1.25"]).unwrap();
    assert_eq!((numbers.places, numbers.digits("0.8"), numbers.digits("1")), (2, Some(80), Some(100)));
    assert_eq!(axis(&["8", "16"]), Some(Numbers::WHOLE));
    assert_eq!(axis(&["edf", "8"]), None);
    assert_eq!(axis(&["1000000000000000000"]), None);
}

#[test]
fn stars_stand_for_any_characters_of_a_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sets")).unwrap();
    for name in
        ["a.yaml", "sets/b1.yaml", "sets/b2.yml", "sets/b3.json", "sets/.b4.yaml", "sets/abb", "sets/ab"]
    {
        std::fs::write(folder.path().join(name), "x").unwrap();
    }
    let found = |name: &str| {
        let text = format!("{{schema: isx.sweep/1, files: ['{name}'], measure: [points]}}");
        match Spec::read("sweep.yaml", text.as_bytes(), folder.path()) {
            Ok(spec) => spec.files.iter().map(|file| file.path.clone()).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string().lines().next().unwrap_or_default().to_owned(),
        }
    };
    assert_eq!((found("a.yaml"), found("*.yaml")), ("a.yaml".to_owned(), "a.yaml".to_owned()));
    assert_eq!(found("sets/b*"), "sets/b1.yaml sets/b2.yml sets/b3.json");
    assert_eq!(found("sets/b*.y*ml"), "sets/b1.yaml sets/b2.yml");
    assert_eq!(found("sets/a*b*b"), "sets/abb");
    assert_eq!(found("sets"), "sets/.b4.yaml sets/b1.yaml sets/b2.yml");
    for none in ["b.yaml", "sets/*.csv", "other/*"] {
        assert_eq!(found(none), format!("error: no file is named `{none}`"));
    }
}
