//! `isx devices --calibrate`: the file, and that no answer depends on it.

use super::scene::{Ran, Scene};

fn with(scene: &Scene, place: &str, line: &str) -> Ran {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    Ran::of(scene.command(&arguments).env("ISX_CALIBRATION", place))
}

#[test]
fn a_calibration_is_kept_where_the_variable_says_and_changes_no_answer() {
    let scene = Scene::small();
    let said = with(&scene, "new/rates", "devices --calibrate").code(0);
    assert_eq!(said.stdout, "wrote new/rates\n");
    let text = scene.read("new/rates");
    assert!(text.starts_with("isx calibration 1\ncpu "), "{text}");
    assert_eq!(scene.files().len(), 2, "no temporary file stays");

    let plain = scene.isx("explore small.yaml --json").code(0).json();
    let slow: String = text
        .lines()
        .map(|line| match line.starts_with("rate mckp.") {
            // As if every engine of the family were a thousand times as slow.
            true => {
                let [rate, name, figure, unit] = line.split(' ').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                format!("{rate} {name} {:e} {unit}\n", 1000.0 * figure.parse::<f64>().unwrap())
            }
            false => format!("{line}\n"),
        })
        .collect();
    scene.write("slow", slow);
    for place in ["new/rates", "slow"] {
        let ran = with(&scene, place, "explore small.yaml --json -v").code(0);
        assert!(!ran.stderr.contains("calibration"), "{}", ran.stderr);
        assert_eq!(ran.json()["points"], plain["points"], "{place}");
    }
    let seconds = |place| {
        let plan = with(&scene, place, "explore small.yaml --dry-run --json --threads 1").code(0).json();
        plan["engines"][0]["seconds"].as_f64().unwrap()
    };
    let ratio = seconds("slow") / seconds("new/rates");
    assert!((900.0..1100.0).contains(&ratio), "plans follow the rates: {ratio}");
}

#[test]
fn a_calibration_that_is_damaged_or_of_another_machine_is_ignored_and_noted() {
    let scene = Scene::small();
    with(&scene, "rates", "devices --calibrate").code(0);
    let text = scene.read("rates");
    scene.write("cut", &text[..text.len() / 2]);
    scene.write("other", text.replacen("\ncpu ", "\ncpu another ", 1));
    scene.write("bytes", [0xff, 0xfe, 0]);
    std::fs::create_dir(scene.path("folder")).unwrap();
    let plain = scene.isx("explore small.yaml --json").code(0);
    for (place, words) in [
        ("cut", "is damaged"),
        ("other", "is of another machine"),
        ("bytes", "cannot be read"),
        ("folder", "cannot be read"),
        #[cfg(target_os = "linux")]
        ("/dev/zero", "is damaged"),
    ] {
        let noted = with(&scene, place, "explore small.yaml --json -v").code(0);
        assert!(noted.stderr.contains(&format!("note: the calibration {place} {words}")), "{}", noted.stderr);
        assert!(noted.stderr.contains("it is ignored"), "{}", noted.stderr);
        let silent = with(&scene, place, "explore small.yaml --json").code(0);
        assert_eq!((silent.stdout, silent.stderr.contains("calibration")), (plain.stdout.clone(), false));
    }
    // No file at all is no reason for a note.
    assert!(!with(&scene, "none", "explore small.yaml -v").code(0).stderr.contains("calibration"));
}

#[test]
fn a_calibration_without_a_place_or_where_none_can_be_written_is_refused() {
    let scene = Scene::new();
    with(&scene, "", "devices --calibrate").refused(2, &["no place for the calibration", "ISX_CALIBRATION"]);
    scene.write("file", "");
    with(&scene, "file/rates", "devices --calibrate").refused(6, &["cannot write in `file`"]);
    with(&scene, "rates", "devices --calibrate --json").refused(2, &["--calibrate"]);
}
