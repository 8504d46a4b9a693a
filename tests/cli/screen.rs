//! Terminal output: color only if wanted, lines that fit, and escaped names.

use super::scene::{Ran, Scene};
use unicode_width::UnicodeWidthStr;

/// Invisible, and allowed in a name.
const HIDDEN: &str = "a\u{200b}b";
/// Reverses the direction of the rest of its line.
const REVERSING: &str = "a\u{202e}b";
/// Sets the window's title, and reverses the line: a file name may contain this.
const HOSTILE_FILE: &str = "set\u{1b}]0;owned\u{7}\u{202e}.yaml";

/// A set that causes warnings and notes with names in them.
fn set_named(name: &str) -> String {
    format!(
        "name: \"{name}\"\narea_unit: \"{name}\"\ntasks:\n  - name: \"t{name}\"\n    wcet: 5\n    period: 4\n    \
         deadline: 3\n    choices: [{{name: \"m{name}\", area: 1, wcet: 2}}, {{name: \"n{name}\", area: 2, wcet: 6}}]\n"
    )
}

/// Asserts that the text contains only letters, line ends and the program's own colors.
#[track_caller]
fn harmless(text: &str) {
    let plain = anstream::adapter::strip_str(text).to_string();
    assert!(!text.contains("\u{1b}]"), "an escape sequence of the user's: {text:?}");
    for c in plain.chars() {
        let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(c == '\n' || !(c.is_control() || reorders), "{c:?} in {text:?}");
    }
}

/// Runs with color forced, since without it escape sequences are removed from the output.
fn colored(scene: &Scene, arguments: &[&str]) -> Ran {
    Ran::of(scene.command(arguments).env("CLICOLOR_FORCE", "1"))
}

#[test]
fn no_name_reaches_the_terminal_raw() {
    let scene = Scene::with("set.yaml", set_named(HIDDEN));
    let mut shown = 0;
    for arguments in [
        &["explore", "set.yaml"] as &[&str],
        &["explore", "set.yaml", "--json", "--out", "o"],
        &["check", "set.yaml", "--area", "0"],
        &["check", "set.yaml", "--area", "1"],
    ] {
        let ran = colored(&scene, arguments);
        assert!([0, 1].contains(&ran.code), "{ran:#?}");
        harmless(&ran.stderr);
        if !arguments.contains(&"--json") {
            harmless(&ran.stdout);
        }
        shown += (ran.stdout + &ran.stderr).matches("\\u{200b}").count();
    }
    assert!(shown >= 8, "{shown}");
    scene.write("set.yaml", set_named(REVERSING));
    let ran = colored(&scene, &["explore", "set.yaml"]).refused(2, &["the bidirectional mark U+202E"]);
    harmless(&ran.stderr);
}

#[test]
fn no_file_name_or_argument_reaches_the_terminal_raw() {
    let scene = Scene::with(HOSTILE_FILE, set_named(HIDDEN));
    let front = format!("output/{}", HOSTILE_FILE.replace(".yaml", "/front.json"));
    scene.write("problem.txt", "1 1\n1\n1 1\n");
    let cases: [(&[&str], i32); 13] = [
        (&["explore", HOSTILE_FILE], 0),
        (&["plot", &front], 0),
        (&["report", &front], 0),
        (&["report", HOSTILE_FILE], 2),
        (&["plot", HOSTILE_FILE], 2),
        (&["explore", HOSTILE_FILE, "--out", HOSTILE_FILE], 6),
        (&["explore", "none\u{1b}]0;owned\u{7}"], 2),
        (&["solve", "mckp", HOSTILE_FILE], 2),
        (&["solve", "mckp", "problem.txt", "--capacity", REVERSING], 2),
        (&["generate", "mckp", "-o", "new\u{1b}]0;owned\u{7}"], 0),
        (&["explore", "set.yaml", HOSTILE_FILE], 2),
        (&[HOSTILE_FILE], 2),
        (&["check", "set.yaml", "--area", HOSTILE_FILE], 2),
    ];
    for (arguments, code) in cases {
        let ran = colored(&scene, arguments).code(code);
        harmless(&ran.stderr);
        harmless(&ran.stdout);
        assert!((ran.stdout + &ran.stderr).contains("\\u{"), "{arguments:?}");
    }
}

#[test]
fn files_may_have_any_name() {
    let scene = Scene::new();
    for name in [
        "with space.yaml",
        "-dash.yaml",
        "日本語.yaml",
        ".hidden",
        "no-ending",
        "two.dots.yaml",
        "line\nfeed.yaml",
    ] {
        scene.write(name, super::scene::SMALL);
        Ran::of(&mut scene.command(&["explore", "--", name])).code(0);
        let stem = std::path::Path::new(name).file_stem().unwrap().to_str().unwrap();
        assert!(scene.path(format!("output/{stem}/front.json")).exists(), "{name}");
    }
    assert!(!scene.path("front.json").exists());
}

#[test]
fn color_comes_only_where_it_is_wanted() {
    let scene = Scene::small();
    scene.write("bad.yaml", "name: a\ntasks: []\n");
    for arguments in [
        &["explore", "small.yaml"] as &[&str],
        &["check", "small.yaml", "--area", "1"],
        &["explore", "bad.yaml"],
    ] {
        let plain = Ran::of(&mut scene.command(arguments));
        assert!(!(plain.stdout.clone() + &plain.stderr).contains('\u{1b}'), "{plain:#?}");
        let forced = colored(&scene, arguments);
        assert!((forced.stdout.clone() + &forced.stderr).contains('\u{1b}'), "{forced:#?}");
        let strip = |text: &str| anstream::adapter::strip_str(text).to_string();
        assert_eq!(
            [strip(&forced.stdout), strip(&forced.stderr)],
            [plain.stdout.clone(), plain.stderr.clone()]
        );
        let refused = Ran::of(scene.command(arguments).env("NO_COLOR", "1"));
        assert_eq!([refused.stdout, refused.stderr], [plain.stdout, plain.stderr]);
    }
}

#[test]
fn tables_fit_the_terminal() {
    for file in super::scene::examples() {
        let scene = Scene::with("set.yaml", std::fs::read(file).unwrap());
        for width in [40, 60, 80, 120] {
            let ran =
                Ran::of(scene.command(&["explore", "set.yaml"]).env("COLUMNS", width.to_string())).code(0);
            for line in ran.stdout.lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }
    let scene = Scene::small();
    for width in ["0", "1", "18446744073709551615", "-5", "wide", ""] {
        Ran::of(scene.command(&["explore", "small.yaml"]).env("COLUMNS", width)).code(0);
    }
}

#[test]
fn many_warnings_are_counted_not_shown() {
    let blocks: Vec<String> = (0..100).map(|at| format!("{{name: b{at}, area: 1}}")).collect();
    let set =
        format!("name: w\nblocks: [{}]\ntasks:\n  - {{name: t, wcet: 2, period: 8}}\n", blocks.join(", "));
    let ran = Scene::with("set.yaml", set).isx("explore set.yaml").code(0);
    assert_eq!(ran.stderr.matches("warning: ").count(), 8);
    assert!(ran.stderr.ends_with("more warnings; -v shows all\n"), "{}", ran.stderr);
}

/// Runs the command on a terminal of this size.
#[cfg(target_os = "linux")]
fn on_a_terminal(scene: &Scene, lines: usize, command: &str) -> String {
    let script = format!("stty rows {lines} cols 100; {} {command}", env!("CARGO_BIN_EXE_isx"));
    let mut terminal = std::process::Command::new("script");
    terminal.args(["-qec", &script, "/dev/null"]).current_dir(scene.path(""));
    for variable in ["COLUMNS", "LINES"] {
        terminal.env_remove(variable);
    }
    let ran = Ran::of(terminal.env("NO_COLOR", "1").stdin(std::process::Stdio::null()));
    assert_eq!(ran.code, 0, "{ran:#?}");
    ran.stdout.replace("\r\n", "\n")
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_what_its_height_holds_and_a_pipe_gets_everything() {
    let scene = Scene::new();
    scene.isx("generate taskset --seed 3 --tasks 20 --utilization 1.3 -o set.yaml").code(0);
    let points = scene.isx("explore set.yaml --json").code(0).json()["points"].as_array().unwrap().len();
    assert!(points > 100, "{points}");
    let rows =
        |text: &str| text.lines().filter(|line| line.contains("  yes  ") || line.contains("   no  ")).count();
    let piped = scene.isx("explore set.yaml").code(0).stdout;
    assert_eq!((rows(&piped), piped.contains("not shown")), (points, false), "{piped}");
    let [low, high] = [60, 90].map(|lines| on_a_terminal(&scene, lines, "explore set.yaml 2>/dev/null"));
    for (text, lines) in [(&low, 60), (&high, 90)] {
        assert!(text.contains("points not shown; see --all"), "{text}");
        assert!(
            (lines - 10..lines).contains(&text.lines().count()),
            "{} lines of {lines}: {text}",
            text.lines().count()
        );
    }
    assert!(rows(&high) >= rows(&low) + 22, "{} {}", rows(&low), rows(&high));
    assert_eq!(rows(&on_a_terminal(&scene, 60, "explore set.yaml --all 2>/dev/null")), points);
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_sees_that_a_long_front_is_read() {
    let scene = Scene::small();
    scene.isx("explore small.yaml --out small").code(0);
    std::fs::write(scene.path("spaces"), " ".repeat(300_000)).unwrap();
    std::fs::rename(scene.path("small/front.json"), scene.path("front.json")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(scene.path("pipe")).status().unwrap().success());
    let plot = |flags: &str| {
        let written = "(cat front.json; sleep 0.8; cat spaces) > pipe; wait";
        let said = on_a_terminal(&scene, 40, &format!("plot - -o picture.svg {flags} < pipe & {written}"));
        assert!(scene.path("picture.svg").is_file());
        said.contains("reading, ")
    };
    assert_eq!([plot(""), plot("--quiet")], [true, false]);
}
