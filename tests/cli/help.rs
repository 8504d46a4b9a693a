//! The help texts and the completions.

use super::scene::Scene;
use unicode_width::UnicodeWidthStr;

const COMMANDS: [&str; 26] = [
    "init",
    "engines",
    "devices",
    "explore",
    "check",
    "show",
    "fit",
    "partition",
    "compare",
    "plot",
    "report",
    "solve",
    "solve mckp",
    "solve knapsack",
    "generate",
    "generate taskset",
    "generate mckp",
    "generate knapsack",
    "sweep",
    "sweep run",
    "sweep show",
    "import",
    "confirm",
    "schema",
    "completions",
    "man",
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
                // The text follows the flag on its line (after two spaces), or is on the next line.
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
fn short_help_has_the_flags_of_a_week_and_long_help_all() {
    let scene = Scene::new();
    let flags = |text: &str| {
        text.lines().filter(|line| line.trim_start().starts_with('-')).map(str::to_owned).collect::<Vec<_>>()
    };
    for command in COMMANDS {
        let [short, long] =
            ["-h", "--help"].map(|form| flags(&scene.isx(&format!("{command} {form}")).stdout));
        assert!(short.len() <= 15 && short.len() <= long.len(), "{command}: {short:#?}");
    }
    let [short, long] = ["-h", "--help"].map(|form| scene.isx(&format!("explore {form}")).stdout);
    for flag in ["--engine", "--arithmetic", "--threads", "--max-memory", "--gpu", "--veripb", "--price"] {
        assert!(!short.contains(flag) && long.contains(flag), "{flag}");
    }
}

#[test]
fn the_first_words_help() {
    let scene = Scene::new();
    let bare = scene.isx("").refused(2, &["Usage: isx [OPTIONS] <COMMAND>", "First steps:", "Exit codes:"]);
    assert_eq!(bare.stderr, scene.isx("-h").code(0).stdout);
    for command in ["explore", "check", "plot", "report", "solve mckp", "completions", "solve", "generate"] {
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
    assert_eq!(steps.len(), 4, "{help}");
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
        for word in ["explore", "check", "max-area", "mckp", "max-memory", "quiet", "overwrite"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let scene = Scene::new();
    for command in COMMANDS.into_iter().chain([""]) {
        let page = scene.isx(&format!("man {command}")).code(0).stdout;
        let name = format!("isx {command}").trim_end().replace(' ', "\\-");
        assert!(page.contains(".TH ") && page.contains(".SH SYNOPSIS"), "{page}");
        assert!(page.contains(&name), "{name}: {page}");
        assert!(page.contains("\\-\\-quiet"), "{command} has the options that all have: {page}");
    }
    assert!(scene.isx("man").stdout.contains("First steps:"));
    assert!(scene.isx("man explore").stdout.contains("\\-\\-max\\-area"));
    scene.isx("man explor").refused(2, &["error: `isx` has no subcommand `explor`"]);
    scene.isx("man solve chess").refused(2, &["error: `isx solve` has no subcommand `chess`"]);
}
