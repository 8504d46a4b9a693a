//! The sources of inputs, and the input recorded in a folder.

use super::scene::{Ran, SMALL, Scene};
use std::fs::File;

/// Runs a line with a file as its standard input.
fn piped(scene: &Scene, line: &str, file: &str) -> Ran {
    Ran::of(scene.line(line).stdin(File::open(scene.path(file)).unwrap()))
}

/// Another user's version of the small set.
fn other() -> String {
    SMALL.replace("9 ms", "8 ms")
}

#[test]
fn a_dash_is_standard_input() {
    let scene = Scene::small();
    scene.write("p.txt", "1 9\n1\n5 9\n");
    let wanted = scene.isx("explore small.yaml --json").code(0).stdout;
    assert_eq!(piped(&scene, "explore - --json", "small.yaml").code(0).stdout, wanted);
    assert_eq!(piped(&scene, "explore /dev/stdin --json", "small.yaml").code(0).stdout, wanted);
    let ran = piped(&scene, "explore -", "small.yaml").code(0);
    assert!(ran.stdout.ends_with("to output/stdin\n"), "{}", ran.stdout);
    assert_eq!(scene.read("output/stdin/front.json"), wanted);
    piped(&scene, "check - --area 1.25", "small.yaml").code(0);
    piped(&scene, "check - --area 1.24", "small.yaml").code(1);
    assert_eq!(piped(&scene, "solve mckp - --json", "p.txt").code(0).json()["value"], "5");
}

#[test]
fn what_is_wrong_with_standard_input_is_said_of_it() {
    let scene = Scene::with("bad.yaml", "name: a\ntasks: []\n");
    scene.write("bad.txt", "1 x\n");
    scene.write("latin", b"\xff");
    for (line, file, words) in [
        ("explore -", "bad.yaml", "standard input:2:8"),
        ("check - --area 1", "bad.yaml", "standard input:2:8"),
        ("explore -", "latin", "standard input:1:1: the bytes are not UTF-8"),
        ("solve mckp -", "bad.txt", "error: standard input: line 1, column 3: "),
        ("solve mckp -", "latin", "error: standard input: this is no text"),
    ] {
        piped(&scene, line, file).refused(2, &[words]);
    }
    scene.isx("explore -").refused(2, &["error: standard input: the file is empty"]);
}

#[test]
fn another_inputs_front_is_not_overwritten_silently() {
    let scene = Scene::small();
    std::fs::create_dir(scene.path("b")).unwrap();
    scene.write("b/small.yaml", other());
    scene.isx("explore small.yaml").code(0);
    let first = scene.files();
    let words =
        ["error: `output/small` holds the front of `", "small.yaml`", "help: ", "--out", "--overwrite"];
    scene.isx("explore b/small.yaml").refused(6, &words);
    assert_eq!(scene.files(), first);

    scene.isx("explore b/small.yaml --out elsewhere").code(0);
    scene.isx("explore b/small.yaml --json").code(0);
    scene.isx("explore b/small.yaml --overwrite").code(0);
    assert_ne!(scene.read("output/small/front.csv"), scene.read("b/small.yaml"));
    assert_eq!(scene.read("output/small/front.csv"), scene.read("elsewhere/front.csv"));
    // Now the folder belongs to the other file, and the first is another input.
    scene.isx("explore b/small.yaml").code(0);
    scene.isx("explore small.yaml").refused(6, &words);
}

#[test]
fn the_same_input_may_be_explored_again() {
    let scene = Scene::small();
    scene.isx("explore small.yaml").code(0);
    scene.isx("explore ./small.yaml").code(0);
    scene.write("small.yaml", other());
    scene.isx("explore small.yaml").code(0);
    // Equal bytes have the same front, at any path.
    std::fs::create_dir(scene.path("b")).unwrap();
    scene.write("b/small.yaml", other());
    scene.isx("explore b/small.yaml").code(0);
    // A folder that was named records its input too.
    scene.isx("explore small.yaml --out output/small").code(0);
    scene.isx("explore small.yaml").code(0);
}

#[test]
fn standard_input_is_known_by_its_bytes_alone() {
    let scene = Scene::small();
    scene.write("other.yaml", other());
    piped(&scene, "explore -", "small.yaml").code(0);
    piped(&scene, "explore -", "small.yaml").code(0);
    let words = ["error: `output/stdin` holds the front of another standard input"];
    piped(&scene, "explore -", "other.yaml").refused(6, &words);
    piped(&scene, "explore - --overwrite", "other.yaml").code(0);
}

#[test]
fn a_front_of_unknown_origin_is_left_alone() {
    for record in
        [None, Some("{"), Some("{}"), Some("[1]"), Some(r#"{"schema": "isx.input/1", "sha256": 7}"#)]
    {
        let scene = Scene::small();
        std::fs::create_dir_all(scene.path("output/small")).unwrap();
        scene.write("output/small/front.svg", "mine");
        if let Some(record) = record {
            scene.write("output/small/.isx-input.json", record);
        }
        let words = ["error: `output/small` holds a front of unknown origin"];
        scene.isx("explore small.yaml").refused(6, &words);
        assert_eq!(scene.read("output/small/front.svg"), "mine");
        scene.isx("explore small.yaml --overwrite").code(0);
        scene.isx("explore small.yaml").code(0);
    }
    // Documents that isx does not write are not fronts.
    let scene = Scene::small();
    std::fs::create_dir_all(scene.path("output/small")).unwrap();
    scene.write("output/small/notes.txt", "mine");
    scene.isx("explore small.yaml").code(0);
}
