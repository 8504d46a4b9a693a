//! `isx init`, and the schema by which editors check task sets.

use super::scene::{Ran, Scene};
use isx::taskset::{SCHEMA, SCHEMA_FILE, SCHEMA_LINES, read_str};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn the_template_is_explored_at_once() {
    let scene = Scene::new();
    let ran = scene.isx("init").code(0);
    let notes =
        "note: wrote taskset.yaml\nnote: wrote taskset.schema.json\nnote: next: isx explore taskset.yaml\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", notes));
    let front = scene.isx("explore taskset.yaml --json").code(0);
    assert_eq!(front.stderr, "");
    let front = front.json();
    assert_eq!(front["taskset"], "taskset");
    assert_eq!(front["base"]["schedulable"], false);
    assert!(front["min_schedulable_area"].is_string());
    assert!(front["points"].as_array().unwrap().len() >= 5);
}

/// A new user finds every key in it, in use or in a comment.
#[test]
fn the_template_names_every_key_of_the_schema() {
    let text = Scene::new().isx("init -").code(0).stdout;
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let defined = schema["$defs"].as_object().unwrap().values();
    let keys: BTreeSet<&String> = defined
        .chain([&schema])
        .filter_map(|object| object["properties"].as_object())
        .flat_map(|properties| properties.keys())
        .collect();
    assert!(keys.len() >= 15, "{keys:?}");
    let is_named = |key: &str| text.contains(&format!("{key}:")) || text.contains(&format!("`{key}`"));
    let missing: Vec<_> = keys.into_iter().filter(|key| !is_named(key)).collect();
    assert_eq!(missing, ["description"]);
    // What is in comments can be put to use.
    let mut whole = text.replace("\n    # ", "\n    ");
    assert_ne!(whole, text);
    whole = whole.replace("scheduler: edf", "scheduler: dm");
    let set = read_str("whole.yaml", &whole).unwrap().task_set;
    assert!(set.blocks[0].fmax.is_some() && set.blocks[0].slot.is_some());
    assert!(set.tasks[0].deadline() < set.tasks[0].period());
}

#[test]
fn the_set_is_named_after_the_file_where_yaml_takes_that_as_text() {
    let scene = Scene::new();
    for (file, name) in
        [("gateway.yaml", "gateway"), ("sub/x-1.yaml", "x-1"), ("7.yaml", "taskset"), ("no.yaml", "taskset")]
    {
        scene.isx(&format!("init {file}")).code(0);
        let text = scene.read(file);
        assert_eq!(read_str(file, &text).unwrap().task_set.name, name);
        assert!(text.starts_with(SCHEMA_LINES));
    }
    assert_eq!(scene.read("sub/taskset.schema.json"), SCHEMA);
    assert_eq!(scene.isx("init -").code(0).stdout, scene.read("7.yaml"));
    let ran = Ran::of(&mut scene.command(&["init", "my set.yaml"])).code(0);
    assert!(ran.stderr.ends_with("note: next: isx explore 'my set.yaml'\n"), "{}", ran.stderr);
}

#[test]
fn files_that_are_there_are_replaced_only_when_that_is_asked_for() {
    let scene = Scene::with("taskset.yaml", "by hand");
    let refused = scene.isx("init").code(6);
    assert_eq!(
        refused.stderr,
        "error: `taskset.yaml` is there already\nhelp: name another file, or replace this one with --overwrite\n"
    );
    assert_eq!(scene.files().len(), 1);
    // Someone's own schema stays.
    scene.write(SCHEMA_FILE, "{}");
    let ran = scene.isx("init mine.yaml").code(0);
    assert_eq!(
        ran.stderr,
        "note: wrote mine.yaml\n\
         note: taskset.schema.json is there already and is not the schema of this isx; --overwrite replaces it\n\
         note: next: isx explore mine.yaml\n"
    );
    assert_eq!(scene.read(SCHEMA_FILE), "{}");
    scene.isx("init --overwrite").code(0);
    assert_eq!(scene.read(SCHEMA_FILE), SCHEMA);
    assert!(scene.read("taskset.yaml").contains("\nname: taskset\n"));
    // The same schema again is not worth a word.
    assert!(!scene.isx("init other.yaml").code(0).stderr.contains(SCHEMA_FILE));
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_is_gone_has_a_name_in_the_message() {
    let script = format!("mkdir gone && cd gone && rmdir ../gone && exec {} init", env!("CARGO_BIN_EXE_isx"));
    let scene = Scene::new();
    let mut shell = std::process::Command::new("sh");
    let ran = Ran::of(shell.args(["-c", &script]).current_dir(scene.path(""))).code(6);
    assert!(ran.stderr.starts_with("error: cannot write in `.`: "), "{}", ran.stderr);
}

#[test]
fn the_schema_has_a_name_and_is_written_to_a_file() {
    let scene = Scene::new();
    let ran = scene.isx("schema -o taskset.schema.json").code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", "note: wrote taskset.schema.json\n"));
    assert_eq!(scene.read(SCHEMA_FILE), scene.isx("schema").code(0).stdout);
    assert_eq!(scene.isx("schema -o -").code(0).stdout, SCHEMA);
    assert_eq!(scene.json(SCHEMA_FILE)["$id"], "urn:isx:taskset:1");
}

#[test]
fn generated_and_imported_sets_name_the_schema_too() {
    let scene = Scene::with("x.csv", "name,period_ms,wcet_us\nfir,10,2500\n");
    for line in ["generate taskset", "import x.csv", "init -"] {
        assert!(scene.isx(line).code(0).stdout.starts_with(SCHEMA_LINES), "{line}");
    }
}
