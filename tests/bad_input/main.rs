//! Every kind of bad task-set file is refused with the error and its place.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helper of the tests below fails by panicking")]

mod blocks;
#[path = "../fuzz/checks/mod.rs"]
mod checks;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod devices;
mod import_mutations;
mod imports;
mod measured;
mod priorities;
mod reports;
mod syntax;
mod units;

use std::io::{self, Read};
use std::path::Path;

use isx::taskset::{
    FileProblem, MAX_BYTES, MAX_DEPTH, MAX_ERRORS, ReadError, read_bytes, read_file, read_from, read_str,
};

/// Reads a text that must be refused and checks the place of its first error; returns the whole message.
#[track_caller]
fn refused_at(text: &str, line: usize, column: usize) -> String {
    let error = read_str("bad.yaml", text).unwrap_err();
    let shown = error.to_string();
    let place = error.diagnostics().first().map(isx::taskset::Diagnostic::position);
    assert_eq!(place, Some((line, column)), "{shown}");
    assert!(shown.contains(&format!("--> bad.yaml:{line}:{column}")), "{shown}");
    assert!(shown.contains('^'), "no caret:\n{shown}");
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "raw control character: {shown:?}");
    shown
}

#[track_caller]
fn has(shown: &str, parts: &[&str]) {
    for part in parts {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
}

/// The sets of a file of `messages/` are refused with the message below each, which is all of it. A file begins with what
/// its sets have in common, in which HEAD stands for the lines of a set above `>`, and LAST for what follows `>`.
#[track_caller]
fn refused_each(file: &str) {
    let mut parts = file.trim_end().split("\n\n");
    let common = parts.next().unwrap();
    for case in parts.filter(|part| !part.starts_with("# ")) {
        let case = format!("\n{case}");
        let (head, rest) = case.split_once("\n>").unwrap();
        let (last, message) = rest.split_once('\n').unwrap();
        let text = common.replace("HEAD", head.trim_start()).replace("LAST", last.trim_start());
        match read_str("bad.yaml", &format!("{text}\n")) {
            Ok(reading) => panic!("accepted: {reading:?}\n{text}"),
            Err(error) => assert_eq!(error.to_string(), message, "{text}"),
        }
    }
}

/// The sets of a file of `messages/`, between lines `==`, are refused with the message below a line `--`, which is all of it.
#[track_caller]
fn refused_whole(file: &str) {
    for (text, message) in file.trim_end().split("\n==\n").filter_map(|case| case.split_once("\n--\n")) {
        match read_str("bad.yaml", &format!("{text}\n")) {
            Ok(reading) => panic!("accepted: {reading:?}\n{text}"),
            Err(error) => assert_eq!(error.to_string().trim_end(), message, "{text}"),
        }
    }
}

#[test]
fn whole_sets_are_refused_with_the_messages_beside_them() {
    refused_whole(include_str!("messages/sets.txt"));
    refused_whole(include_str!("messages/blocks.txt"));
    refused_whole(include_str!("messages/units.txt"));
    refused_whole(include_str!("messages/priorities.txt"));
    refused_whole(include_str!("messages/kernel.txt"));
}

#[test]
fn what_is_odd_but_has_a_meaning_is_read() {
    // An area or a saving of zero, most of the WCET saved, and a slower choice.
    for entries in ["area: 0, saves: 0", "area: 1, saves: 9.999999", "area: 1, wcet: 11"] {
        assert!(read_str("good.yaml", &one_choice(entries)).is_ok(), "{entries}");
    }
}

#[test]
fn errors_are_reported_with_their_place_and_a_remedy() {
    refused_each(include_str!("messages/cores.txt"));
    refused_each(include_str!("messages/devices.txt"));
    refused_each(include_str!("messages/modes.txt"));
    refused_each(include_str!("messages/resources.txt"));
    refused_each(include_str!("messages/variants.txt"));
}

/// A task set whose only task has these lines after its name.
fn one_task(lines: &str) -> String {
    format!("name: bad\ntasks:\n  - name: fir\n    {lines}\n")
}

/// A task set whose only task has the WCET 10, the period 100 and a choice with these entries after its name.
fn one_choice(entries: &str) -> String {
    format!(
        "name: bad\ntasks:\n  - name: fir\n    wcet: 10\n    period: 100\n    choices:\n      - {{name: mac, {entries}}}\n"
    )
}

#[test]
fn every_error_of_a_file_is_shown() {
    let text = "name: x\ntasks:\n  - {name: a, wcet: 0, period: 1}\n  - {name: b, wcet: 1}\n  - {name: c, wcet: 1, period: 0}\n";
    let Err(ReadError::Invalid { diagnostics, omitted }) = read_str("bad.yaml", text) else {
        panic!("accepted")
    };
    let places: Vec<_> = diagnostics.iter().map(isx::taskset::Diagnostic::position).collect();
    assert_eq!((places, omitted), (vec![(3, 21), (4, 6), (5, 32)], 0));

    let many = format!("name: x\ntasks:\n{}", "  - {name: a, wcet: 0, period: 1}\n".repeat(MAX_ERRORS + 7));
    let error = read_str("bad.yaml", &many).unwrap_err();
    assert_eq!(error.diagnostics().len(), MAX_ERRORS);
    has(&error.to_string(), &["and 7 more"]);
}

#[test]
fn the_nesting_limit_is_named_at_the_level_that_passes_it() {
    // The root mapping counts as a level.
    let nested = |levels: usize| format!("name: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    has(&refused_at(&nested(MAX_DEPTH), 1, 22), &["nested deeper than 16 levels"]);
    has(&refused_at(&nested(MAX_DEPTH - 1), 1, 7), &["`name` of the task set is a list"]);
    for levels in [200, 300, 1_000, 100_000] {
        has(&read_str("bad.yaml", &nested(levels)).unwrap_err().to_string(), &["deeper than 16 levels"]);
    }
    let block: String = (0..300).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    has(&refused_at(&block, 17, 17), &["nested deeper than 16 levels"]);
    let dashes = "- ".repeat(50_000) + "x\n";
    has(&read_str("bad.yaml", &dashes).unwrap_err().to_string(), &["deeper than 16 levels"]);
}

#[test]
fn the_node_limit_is_named() {
    // Root, two keys and values and a list of scalars: the last one is node 1,000,001.
    let text = |scalars: usize| format!("name: x\ntasks:\n{}", "- a\n".repeat(scalars));
    has(&refused_at(&text(999_996), 999_998, 3), &["more than 1000000 YAML nodes"]);
    has(&refused_at(&text(999_995), 3, 3), &["task 1 is not a mapping", "more"]);
}

#[test]
fn the_size_limit_is_checked_before_the_file_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large.yaml");
    // A sparse file of 1 TiB: reading it would take minutes.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let error = read_file(&path).unwrap_err();
    assert!(matches!(error, ReadError::File { problem: FileProblem::TooLarge, .. }));
    has(&error.to_string(), &["large.yaml: the file is larger than 64 MiB"]);

    let large = vec![b' '; (64 << 20) + 1];
    assert!(matches!(read_bytes("x", &large), Err(ReadError::File { problem: FileProblem::TooLarge, .. })));
    assert!(matches!(read_bytes("x", &large[1..]), Err(ReadError::File { problem: FileProblem::Empty, .. })));
}

#[cfg(unix)]
#[test]
fn an_endless_device_is_refused() {
    let error = read_file(Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error, ReadError::File { problem: FileProblem::TooLarge, .. }), "{error}");
}

/// Endless spaces, and the number of those read.
struct Endless(u64);

impl Read for &mut Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b' ');
        self.0 += buffer.len() as u64;
        Ok(buffer.len())
    }
}

#[test]
fn a_stream_is_read_as_far_as_the_limit_and_no_further() {
    let mut endless = Endless(0);
    let error = read_from("standard input", &mut endless).unwrap_err();
    assert_eq!(error.to_string(), "standard input: the file is larger than 64 MiB, the limit for a task set");
    assert_eq!(endless.0, MAX_BYTES + 1);
    let spaces = |count| read_from("x", io::repeat(b' ').take(count)).unwrap_err();
    assert!(matches!(spaces(MAX_BYTES), ReadError::File { problem: FileProblem::Empty, .. }));
    assert!(matches!(spaces(MAX_BYTES + 1), ReadError::File { problem: FileProblem::TooLarge, .. }));
}

#[test]
fn a_stream_reads_like_a_file() {
    let good = "name: x\ntasks:\n  - {name: a, wcet: 1, period: 2}\n";
    assert_eq!(read_from("standard input", good.as_bytes()), read_str("standard input", good));
    let error = read_from("standard input", &b"nam: x\n"[..]).unwrap_err().to_string();
    has(&error, &["--> standard input:1:1", "unknown key `nam`"]);
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the line was cut"))
        }
    }
    let error = read_from("standard input", Broken).unwrap_err().to_string();
    assert_eq!(error, "standard input: cannot be read: the line was cut");
}

#[test]
fn other_encodings_are_refused_in_one_line() {
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain("name: x".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let one_line = |bytes: &[u8]| {
        let shown = read_bytes("bad.yaml", bytes).unwrap_err().to_string();
        assert!(!shown.contains('\n') && !shown.chars().any(char::is_control), "{shown:?}");
        shown
    };
    assert_eq!(one_line(&utf16), "bad.yaml: the file is UTF-16 text, save it as UTF-8");
    assert_eq!(one_line(b"\xFE\xFF\0n"), "bad.yaml: the file is UTF-16 text, save it as UTF-8");
    assert_eq!(one_line(b"\xFF\xFE\0\0n\0\0\0"), "bad.yaml: the file is UTF-32 text, save it as UTF-8");
    has(&one_line(&utf16[2..]), &["bad.yaml:1:2: there is a NUL byte"]);
    has(&one_line(b"name: x\nt\0sks: []\n"), &["bad.yaml:2:2: there is a NUL byte"]);
    has(&one_line(b"name: x\nok: \xE9t\xE9\n"), &["bad.yaml:2:5: the bytes are not UTF-8"]);
    has(&one_line(b"\x7FELF\x02\x01\x01\0\0\0"), &["NUL byte"]);
    has(&one_line(b"\x89PNG\r\n\x1a\n"), &["bad.yaml:1:1: the bytes are not UTF-8"]);
}

#[test]
fn a_utf8_byte_order_mark_is_accepted_and_does_not_count_as_a_column() {
    let good = "\u{FEFF}name: x\ntasks:\n  - {name: a, wcet: 1, period: 2}\n";
    assert_eq!(read_str("good.yaml", good).unwrap().task_set.name, "x");
    has(&refused_at("\u{FEFF}nam: x\n", 1, 1), &["unknown key `nam`"]);
    has(&refused_at("name: x\n\u{FEFF}tasks: []\n", 2, 1), &["control character U+FEFF"]);
}

#[test]
fn an_empty_file_says_so() {
    for text in ["", " \n\n\t\n", "\u{FEFF}", "# a comment\n# another\n"] {
        let shown = read_str("bad.yaml", text).unwrap_err().to_string();
        assert_eq!(shown, "bad.yaml: the file is empty: it holds no task set", "{text:?}");
    }
    has(&refused_at("---\n", 1, 4), &["the task set is not a mapping"]);
    has(&refused_at("~\n", 1, 1), &["the task set is not a mapping"]);
}

#[test]
fn missing_files_and_directories_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let shown = |path: &Path| read_file(path).unwrap_err().to_string();
    has(&shown(&dir.path().join("none.yaml")), &["none.yaml: no such file"]);
    has(&shown(dir.path()), &["this is a directory"]);
    has(&shown(&dir.path().join("a\x1b[31m.yaml")), &["a\\u{1b}[31m.yaml: no such file"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("secret.yaml");
    std::fs::write(&path, "name: x\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        eprintln!("not tested: this user may read every file");
        return;
    }
    has(&read_file(&path).unwrap_err().to_string(), &["secret.yaml: permission denied"]);
}

#[test]
fn documents_of_isx_itself_are_told_apart_from_task_sets() {
    let task_set = read_str("good.yaml", &one_choice("area: 1, saves: 1")).unwrap().task_set;
    let front = isx::explore(&task_set, &isx::explore::Options::default()).unwrap();
    let mut json = Vec::new();
    isx::report::json::write(
        &isx::report::front::Front::of(&front),
        &isx::machine::cpu::Workers::new(1),
        &mut json,
    )
    .unwrap();
    let message = "this is a front (schema isx.front/3), not a task set";
    has(&refused_at(std::str::from_utf8(&json).unwrap(), 2, 13), &[message, "`isx plot` draws a front"]);
    // The fields in another order, and a front with more nodes than a task set may have.
    has(&refused_at("{\"area_unit\": \"\", \"schema\": \"isx.front/3\"}", 1, 29), &[message]);
    has(&refused_at("area_unit: x\nschema: isx.front/3\n", 2, 9), &[message]);
    let large = format!("{{\"schema\": \"isx.front/3\", \"points\": [{}0]}}", "0, ".repeat(1_100_000));
    has(&refused_at(&large, 1, 12), &[message]);
    let verdict = refused_at("{\"schema\": \"isx.verdict/1\"}", 1, 12);
    has(&verdict, &["this is an answer of isx (schema isx.verdict/1), not a task set"]);
    let sweep = refused_at("schema: isx.sweep/1\nseed: 1\n", 1, 9);
    has(
        &sweep,
        &["this is a sweep (schema isx.sweep/1), not a task set", "`isx sweep run` measures its sets"],
    );
    has(&refused_at("schema: x\n", 1, 1), &["unknown key `schema` in the task set"]);
    has(&refused_at("{\"schema\": \"isx.", 1, 12), &["not closed"]);
}

#[test]
fn a_file_full_of_errors_is_counted_to_its_end() {
    let twice = "  - {name: a, name: b}\n";
    let count = 190_000;
    let error = read_str("bad.yaml", &format!("name: x\ntasks:\n{}", twice.repeat(count))).unwrap_err();
    let ReadError::Invalid { diagnostics, omitted } = &error else { panic!("{error}") };
    assert_eq!((diagnostics.len(), *omitted), (MAX_ERRORS, count - MAX_ERRORS));
    assert!(error.to_string().len() < 10_000);
}

#[test]
fn no_tasks_are_refused_and_no_choices_allowed() {
    has(&refused_at("name: x\ntasks: []\n", 2, 8), &["the task set has no tasks"]);
    has(&refused_at("name: x\ntasks:\n", 2, 1), &["the task set has no tasks"]);
    for choices in ["", "choices:", "choices: []", "choices: ~"] {
        let text = one_task(&format!("wcet: 1\n    period: 2\n    {choices}"));
        let reading = read_str("good.yaml", &text).unwrap();
        assert!(reading.task_set.tasks[0].choices.is_empty(), "{choices}");
    }
}

#[test]
fn numbers_that_yaml_readers_disagree_about_are_refused() {
    for text in ["010", "0x10", "0o17", "0b1", "1_000", "1:30", "yes", "No", "on", "true", "\"010\""] {
        for key in ["wcet", "period", "deadline"] {
            let other = if key == "wcet" { "period: 9" } else { "wcet: 1\n    period: 9" };
            let lines = if key == "period" {
                format!("wcet: 1\n    {key}: {text}")
            } else {
                format!("{other}\n    {key}: {text}")
            };
            let line = 3 + lines.lines().count();
            let shown = refused_at(&one_task(&lines), line, 5 + key.len() + 2);
            has(&shown, &[&format!("`{key}` of task `fir`"), "is ambiguous"]);
        }
        has(
            &refused_at(&one_choice(&format!("area: {text}, saves: 1")), 7, 27),
            &["`area` of choice `mac` of task `fir`", "is ambiguous"],
        );
    }
}

#[test]
fn names_must_be_printable_and_not_empty() {
    for (name, problem) in [
        ("\"\"", "is empty"),
        ("\"  \"", "is empty"),
        ("~", "is empty"),
        ("null", "is empty"),
        ("\"a\\x1b[31m\"", "control character U+001B"),
        ("\"a\\nb\"", "control character U+000A"),
        ("\"a\\tb\"", "control character U+0009"),
        ("\"a\\0b\"", "control character U+0000"),
        ("\"a\\u0085b\"", "control character U+0085"),
        ("\"a\\u009b31m\"", "control character U+009B"),
        ("\"a\\u202Eb\"", "bidirectional mark U+202E"),
        ("\"a\u{202E}b\"", "bidirectional mark U+202E"),
        ("a\u{2066}b", "bidirectional mark U+2066"),
        ("\"a\\u200Fb\"", "bidirectional mark U+200F"),
        ("\"a\\u2028b\"", "control character U+2028"),
    ] {
        let shown = refused_at(&format!("name: {name}\ntasks: []\n"), 1, 7);
        has(&shown, &["`name` of the task set", problem]);
        assert!(!shown.contains('\u{202E}') && !shown.contains('\u{2066}'), "raw mark: {shown:?}");
        refused_at(&format!("name: x\ntasks:\n  - name: {name}\n    wcet: 1\n    period: 2\n"), 3, 11);
        let choice = one_choice("area: 1, saves: 1").replace("name: mac", &format!("name: {name}"));
        has(&refused_at(&choice, 7, 16), &["of task `fir`", problem]);
    }
    has(&refused_at("name:\ntasks: []\n", 1, 1), &["`name` of the task set is empty"]);
    has(&refused_at("name: x\narea_unit: \"\\x07\"\n", 2, 12), &["`area_unit`", "U+0007"]);
    has(&refused_at("name: x\ndescription: \"\\x1b]0;title\\x07\"\n", 2, 14), &["`description`", "U+001B"]);
    has(&refused_at("name: x\ndescription: \"\\u202E\"\n", 2, 14), &["bidirectional mark U+202E"]);
}

#[test]
fn raw_control_characters_never_reach_the_terminal() {
    has(&refused_at("name: x\x1b[31m\n", 1, 8), &["control character U+001B"]);
    has(&refused_at("# c \u{9b}31m\nname: x\n", 1, 5), &["control character U+009B"]);
    has(&refused_at("name: x\n\"\\x1b[2J\": y\n", 2, 1), &["unknown key `\\u{1b}[2J`"]);
    has(&refused_at(&one_task("wcet: \"\\x1b[2J\"\n    period: 1"), 4, 11), &["`wcet` of task `fir`"]);
    has(
        &refused_at(&one_task("wcet: \"\\x1b[2\"\n    period: 1"), 4, 11),
        &["`\\u{1b}[2` is not a decimal number"],
    );
    has(&refused_at(&one_task("wcet: 1\n    period: \"5 \\x1bs\""), 5, 13), &["`period` of task `fir`"]);
    let marked = "name: \u{202E}x # \u{2066}\ntasks: []\nfoo: 1\n";
    assert!(!refused_at(marked, 3, 1).contains('\u{202E}'));
    let error = read_str("evil\x1b[31m.yaml", "nam: x\n").unwrap_err().to_string();
    assert!(!error.contains('\x1b'), "{error:?}");
}

#[test]
fn names_that_are_markup_or_paths_are_just_names() {
    for name in ["<script>&]]>", "../../etc/passwd", "CON", "=1+1", "@x-y", "名前", "שלום"] {
        let text = format!("name: '{name}'\ntasks:\n  - {{name: '{name}', wcet: 1, period: 2}}\n");
        let task_set = read_str("good.yaml", &text).unwrap().task_set;
        assert_eq!((task_set.name.as_str(), task_set.tasks[0].name.as_str()), (name, name));
    }
}

#[test]
fn a_wcet_greater_than_the_period_is_a_warning_only() {
    let text = "name: x\ntasks:\n  - name: fir\n    wcet: 12 ms\n    period: 10 ms\n    choices:\n      - {name: mac, area: 1, saves: 1 ms}\n      - {name: fma, area: 2, wcet: 10 ms}\n";
    let warnings = read_str("warn.yaml", text).unwrap().warnings;
    let messages: Vec<_> = warnings.iter().map(|w| (w.position(), w.message())).collect();
    assert_eq!(messages, [], "a choice brings it down to the period");
    let late = text.replace("wcet: 10 ms", "wcet: 10.5 ms");
    let warnings = read_str("warn.yaml", &late).unwrap().warnings;
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    has(
        &warning.to_string(),
        &[
            "warning: the WCET of task `fir` is greater than the period, whatever choice it takes\n",
            "--> warn.yaml:4:11",
            "at least 0.0105 s against 0.01 s",
        ],
    );
}

#[test]
fn many_tasks_that_take_too_long_are_one_warning() {
    let task = |name: &str| format!("  - {{name: {name}, wcet: 980, period: 1 ms, deadline: 0.5 ms}}\n");
    let text =
        |clock: &str| format!("name: x\nclock: {clock}\ntasks:\n{}{}{}", task("a"), task("b"), task("c"));
    assert!(read_str("warn.yaml", &text("50 MHz")).unwrap().warnings.is_empty());
    let warnings = read_str("warn.yaml", &text("50 kHz")).unwrap().warnings;
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    has(
        &warning.to_string(),
        &[
            "warning: 3 tasks take longer than their periods or deadlines; the first: the WCET of task `a` is greater than the deadline\n",
            "--> warn.yaml:4:21",
            "980 cycles against 25 cycles",
            "help: if they should not, look at the `clock`, or the units of WCETs and periods",
        ],
    );
}

#[test]
fn a_choice_that_is_not_used_anyway_is_not_warned_of() {
    let warnings = |choices: &str| {
        let text = one_task(&format!("wcet: 12\n    period: 10\n    choices: [{choices}]"));
        let warnings = read_str("warn.yaml", &text).unwrap().warnings;
        warnings.iter().map(|warning| warning.message().to_owned()).collect::<Vec<_>>()
    };
    let software = "the WCET of task `fir` is greater than the period, whatever choice it takes";
    assert_eq!(warnings("{name: slower, area: 1, wcet: 13}"), [software]);
    assert_eq!(warnings("{name: same, area: 0, saves: 0}"), [software]);
    assert_eq!(warnings("{name: mac, area: 2, wcet: 11}, {name: dominated, area: 2, wcet: 12}"), [software]);
    assert!(warnings("{name: mac, area: 2, wcet: 9}, {name: small, area: 1, wcet: 11}").is_empty());
}

#[test]
fn color_is_added_only_on_demand() {
    let error = read_str("bad.yaml", "nam: x\n").unwrap_err();
    assert!(!error.to_string().contains('\x1b'));
    assert_eq!(error.render(false), error.to_string());
    assert!(error.render(true).contains("\x1b["));
}

#[test]
fn places_are_right_in_files_with_other_line_ends_and_wide_characters() {
    has(&refused_at("name: x\r\ntasks:\r\n  - name: é\r\n    wcet: -1\r\n", 4, 11), &["`-1` is negative"]);
    has(
        &refused_at("name: x\rtasks:\r  - name: é\r    wcet: -1\r    period: 1\r", 4, 11),
        &["`-1` is negative"],
    );
    has(&refused_at("name: x\ntasks: [{name: 日本é, wcet: -1, period: 1}]\n", 2, 27), &["task `日本é`"]);
    // The caret of an empty range stands below a character of several bytes.
    has(
        &refused_at("name: \"x\" é\n", 1, 11),
        &["this is not YAML: something follows the closing quote", "^ the text has ended before this"],
    );
    let wide = format!("name: x\ntasks: [{{name: {}, wcet: -1, period: 1}}]\n", "a".repeat(100_000));
    let shown = refused_at(&wide, 2, 100_000 + 24);
    assert!(shown.len() < 2_000, "a long line is cut, this has {} bytes", shown.len());
}
