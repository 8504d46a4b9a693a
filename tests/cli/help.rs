//! The help texts and the completions.

use super::scene::Scene;
use unicode_width::UnicodeWidthStr;

const COMMANDS: [&str; 10] = [
    "devices",
    "explore",
    "check",
    "plot",
    "solve",
    "solve mckp",
    "generate",
    "generate taskset",
    "generate mckp",
    "completions",
];

#[test]
fn every_flag_is_explained_within_100_columns() {
    let scene = Scene::new();
    let mut flags = 0;
    for command in COMMANDS {
        for form in ["--help", "-h"] {
            let text = scene.isx(&format!("{command} {form}")).code(0).stdout;
            assert!(text.contains(&format!("Usage: isx {command}")), "{text}");
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                assert!(line.width() <= 100, "{command} {form}: {line}");
                let words = line.trim_start();
                if !words.starts_with('-') {
                    continue;
                }
                flags += 1;
                // Words follow the flag on its line (after two spaces), or stand on the next.
                let beside = words.split_once("  ").is_some_and(|(_, words)| !words.trim().is_empty());
                let below = lines
                    .get(at + 1)
                    .is_some_and(|next| next.starts_with("          ") && !next.trim().is_empty());
                assert!(beside || below, "{command} {form}: {line} is not explained");
            }
        }
    }
    assert!(flags > 80, "{flags}");
}

#[test]
fn the_first_words_help() {
    let scene = Scene::new();
    let bare = scene.isx("").refused(2, &["Usage: isx <COMMAND>", "First steps:", "Exit codes:"]);
    assert_eq!(bare.stderr, scene.isx("-h").code(0).stdout);
    for command in ["explore", "check", "plot", "solve mckp", "completions", "solve", "generate"] {
        scene.isx(command).refused(2, &["Usage: isx ", "-h, --help"]);
    }
    let version = scene.isx("--version").code(0).stdout;
    assert_eq!(version, format!("isx {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_first_steps_work_as_printed() {
    let scene = Scene::new();
    let help = scene.isx("--help").code(0).stdout;
    let steps: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  isx ")).collect();
    assert_eq!(steps.len(), 3, "{help}");
    for step in steps {
        let line = step.split("  ").next().unwrap();
        assert!([0, 1].contains(&scene.isx(line).code), "{line}");
    }
    assert!(scene.path("output/mine/front.svg").exists());
}

#[test]
fn every_shell_has_completions() {
    let scene = Scene::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = scene.isx(&format!("completions {shell}")).code(0).stdout;
        for word in ["explore", "check", "max-area", "mckp", "max-memory"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
}
