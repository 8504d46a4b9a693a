//! Errors in blocks, slots and the choices that use them are reported with their place.

#![allow(clippy::panic, reason = "the helper of the tests below fails by panicking")]

use isx::taskset::{Diagnostic, MAX_ERRORS, ReadError, read_str};

/// A task set with these blocks, whose only task has a choice with these entries after its name; the choice is on the
/// last line.
fn with_blocks(blocks: &[&str], choice: &str) -> String {
    let blocks: String = blocks.iter().map(|block| format!("  - {{{block}}}\n")).collect();
    format!(
        "name: bad\nblocks:\n{blocks}tasks:\n  - name: fir\n    wcet: 10\n    period: 100\n    choices:\n      - {{name: mac, saves: 1, {choice}}}\n"
    )
}

/// Two blocks without a slot, then a choice in line 10, whose entries begin in column 31.
fn two_blocks(choice: &str) -> String {
    with_blocks(&["name: sbox, area: 464", "name: aes-mix, area: 90"], choice)
}

/// The errors of a text that must be refused: their places, and the whole message.
#[track_caller]
fn errors(text: &str) -> (Vec<(usize, usize)>, String) {
    let error = match read_str("bad.yaml", text) {
        Ok(reading) => panic!("accepted: {reading:?}"),
        Err(error) => error,
    };
    (error.diagnostics().iter().map(Diagnostic::position).collect(), error.to_string())
}

#[track_caller]
fn has(shown: &str, parts: &[&str]) {
    for part in parts {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
}

#[test]
fn a_choice_has_its_own_area_or_uses_blocks_one_of_each_slot() {
    for hardware in
        ["area: 1", "area: 0, uses: []", "area: 1, uses:", "uses: [sbox]", "area: 1, uses: [sbox]"]
    {
        assert!(read_str("good.yaml", &two_blocks(hardware)).is_ok(), "{hardware}");
    }
    let blocks =
        ["name: slow, area: 1, slot: mul", "name: fast, area: 2, slot: mul", "name: mix, area: 3, slot: x"];
    assert!(read_str("good.yaml", &with_blocks(&blocks, "uses: [fast, mix]")).is_ok());
}

#[test]
fn a_limit_at_or_above_the_clock_has_no_effect() {
    for fmax in ["100 MHz", "1 GHz", "1/3 Hz"] {
        let text = with_blocks(&[&format!("name: fpu, area: 9, fmax: {fmax}")], "uses: [fpu]");
        let reading = read_str("good.yaml", &text.replacen('\n', "\nclock: 100 MHz\n", 1)).unwrap();
        assert!(reading.warnings.is_empty() && reading.task_set.limits_clock());
    }
}

#[test]
fn blocks_may_stand_after_the_tasks() {
    let tasks = "tasks: [{name: a, wcet: 5, period: 9, choices: [{name: c, uses: [b], saves: 1}]}]\n";
    let blocks = "blocks: [{name: b, area: 7}]\n";
    let read = |text: String| read_str("good.yaml", &text).unwrap().task_set;
    assert_eq!(read(format!("name: x\n{tasks}{blocks}")), read(format!("name: x\n{blocks}{tasks}")));
}

#[test]
fn one_wrong_block_is_one_error() {
    let blocks = ["name: mul, area: 1", "name: mul, area: 2"];
    let shown = read_str("bad.yaml", &with_blocks(&blocks, "uses: [mul, mac], area: 3")).unwrap_err();
    assert_eq!(shown.diagnostics().len(), 1, "{shown}");
    has(&shown.to_string(), &["a second block is named `mul`, the first is in line "]);
    let choices = "uses: [mac], area: 3}\n      - {name: other, saves: 2, uses: [mac], area: 5";
    let shown = read_str("bad.yaml", &with_blocks(&blocks[..1], choices)).unwrap_err();
    assert_eq!(shown.diagnostics().len(), 1, "{shown}");
    has(&shown.to_string(), &["uses an unknown block `mac`"]);
}

#[test]
fn a_block_that_no_choice_uses_is_a_warning() {
    let blocks = ["name: used, area: 1, slot: a", "name: idle, area: 2", "name: spare, area: 0, slot: a"];
    let text = with_blocks(&blocks, "uses: [used], area: 3").replace("wcet: 10", "wcet: 110");
    let warnings = read_str("warn.yaml", &text).unwrap().warnings;
    let messages: Vec<_> = warnings.iter().map(|warning| (warning.position(), warning.message())).collect();
    assert_eq!(
        messages[..3],
        [
            ((4, 12), "no choice uses block `idle`"),
            ((5, 12), "no choice uses block `spare`"),
            ((8, 11), "the WCET of task `fir` is greater than the period, whatever choice it takes"),
        ],
        "in file order"
    );
    has(&warnings[0].to_string(), &["warning: no choice uses", "--> warn.yaml:4:12", "no design builds it"]);
    // A slot with only one block causes no warning.
    let fine = with_blocks(&["name: used, area: 1, slot: a"], "uses: [used]");
    assert!(read_str("good.yaml", &fine).unwrap().warnings.is_empty());
}

#[test]
fn names_of_blocks_never_reach_the_terminal_raw() {
    for name in ["\"\\e[31m\"", "\"a\\u202Eb\""] {
        let (_, shown) = errors(&two_blocks(&format!("uses: [{name}]")));
        assert!(!shown.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202E}'), "{shown:?}");
        has(&shown, &["uses an unknown block `"]);
    }
}

/// Comparing every unknown name with every block would take minutes.
#[test]
fn very_many_blocks_and_unknown_names_are_told_quickly() {
    let blocks: String =
        (0..20_000).map(|at| format!("- {{name: a-block-of-some-length-{at}, area: 1}}\n")).collect();
    let choices: String = (0..20_000)
        .map(|at| format!("  - {{name: c{at}, uses: [a-block-of-some-lenght-{at}], saves: 1}}\n"))
        .collect();
    let text =
        format!("name: x\nblocks:\n{blocks}tasks:\n- name: a\n  wcet: 5\n  period: 9\n  choices:\n{choices}");
    let error = read_str("bad.yaml", &text).unwrap_err();
    let ReadError::Invalid { diagnostics, omitted } = &error else { panic!("{error}") };
    assert_eq!((diagnostics.len(), *omitted), (MAX_ERRORS, 20_000 - MAX_ERRORS));
    has(&error.to_string(), &["did you mean `a-block-of-some-length-0`?", "and 19990 more"]);
}
