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

/// The message of a text that must be refused for one error, at this place.
#[track_caller]
fn refused_at(text: &str, line: usize, column: usize) -> String {
    let (places, shown) = errors(text);
    assert_eq!(places, [(line, column)], "{shown}");
    assert!(shown.contains(&format!("--> bad.yaml:{line}:{column}")), "{shown}");
    shown
}

#[track_caller]
fn has(shown: &str, parts: &[&str]) {
    for part in parts {
        assert!(shown.contains(part), "no {part:?} in\n{shown}");
    }
}

#[test]
fn an_unknown_block_names_the_nearest_one() {
    let shown = refused_at(&two_blocks("uses: [sbox, aes_mix]"), 10, 44);
    has(
        &shown,
        &[
            "choice `mac` of task `fir` uses an unknown block `aes_mix`",
            "^^^^^^^ did you mean `aes-mix`?",
            "the blocks are `sbox`, `aes-mix`",
        ],
    );
    has(&refused_at(&two_blocks("uses: [SBOX]"), 10, 38), &["did you mean `sbox`?"]);
    let far = refused_at(&two_blocks("area: 1, uses: [multiplier]"), 10, 47);
    has(&far, &["no block has this name", "the blocks are `sbox`, `aes-mix`"]);
    assert!(!far.contains("did you mean"), "{far}");
    let one = with_blocks(&["name: sbox, area: 464"], "uses: [multiplier]");
    has(&refused_at(&one, 9, 38), &["the only block is `sbox`"]);
}

#[test]
fn a_long_list_of_blocks_is_cut_in_the_help() {
    let names: Vec<String> = (0..13).map(|at| format!("name: block-{at}, area: 1")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (_, shown) = errors(&with_blocks(&names, "uses: [multiplier]"));
    has(&shown, &["`block-0`, `block-1`", "`block-9` and 3 more"]);
    assert!(!shown.contains("`block-10`"), "{shown}");
}

#[test]
fn an_unknown_block_of_a_set_without_blocks_says_so() {
    let choices = "choices: [{name: mac, saves: 1, uses: [sbox]}]";
    for blocks in ["", "blocks:\n", "blocks: []\n"] {
        let text = format!("name: bad\n{blocks}tasks: [{{name: fir, wcet: 10, period: 100, {choices}}}]\n");
        let shown = refused_at(&text, 2 + blocks.lines().count(), 83);
        has(&shown, &["unknown block `sbox`", "the task set has no `blocks`", "`name` and `area`"]);
    }
}

#[test]
fn a_second_block_of_a_name_names_both_places() {
    let text = with_blocks(&["name: sbox, area: 464", "name: sbox, area: 1"], "uses: [sbox]");
    let shown = refused_at(&text, 4, 12);
    has(
        &shown,
        &["a second block is named `sbox`, the first is in line 3", "first named here", "named again here"],
    );
}

#[test]
fn a_block_named_twice_in_one_list_names_both_places() {
    let shown = refused_at(&two_blocks("uses: [sbox, aes-mix, sbox]"), 10, 53);
    has(
        &shown,
        &[
            "choice `mac` of task `fir` uses block `sbox` twice",
            "first named here",
            "named again here",
            "built once",
        ],
    );
}

#[test]
fn two_blocks_of_one_slot_name_both_places_and_where_the_slot_is_given() {
    let blocks =
        ["name: slow, area: 1, slot: mul", "name: fast, area: 2, slot: mul", "name: mix, area: 3, slot: x"];
    let shown = refused_at(&with_blocks(&blocks, "uses: [fast, mix, slow]"), 11, 49);
    has(
        &shown,
        &[
            "choice `mac` of task `fir` needs blocks `fast` and `slow` of slot `mul`, which holds one",
            "in slot `mul`",
            "the slot is taken",
            "`fast` in line 4 and `slow` in line 3 are both in slot `mul`",
        ],
    );
    // One of each slot, and a slot of one block.
    assert!(read_str("good.yaml", &with_blocks(&blocks, "uses: [fast, mix]")).is_ok());
}

#[test]
fn a_choice_has_its_own_area_or_uses_blocks() {
    for uses in ["", "uses: []", "uses: ~", "uses:"] {
        let shown = refused_at(&two_blocks(uses), 10, 10);
        has(&shown, &["choice `mac` of task `fir` has no `area`", "as `area`", "as `uses`", "or both"]);
    }
    for hardware in
        ["area: 1", "area: 0, uses: []", "area: 1, uses:", "uses: [sbox]", "area: 1, uses: [sbox]"]
    {
        assert!(read_str("good.yaml", &two_blocks(hardware)).is_ok(), "{hardware}");
    }
    let empty = refused_at(&two_blocks("uses: [sbox], area:"), 10, 45);
    has(&empty, &["`area` of choice `mac` of task `fir`", "a number is missing"]);
}

#[test]
fn a_word_in_place_of_the_list_of_blocks_says_what_to_write() {
    let shown = refused_at(&two_blocks("uses: sbox"), 10, 37);
    has(&shown, &["`uses` of choice `mac` of task `fir` is not a list", "write `uses: [sbox]`"]);
    has(&refused_at(&two_blocks("uses: 'sbox, aes-mix'"), 10, 37), &["write `uses: [sbox, aes-mix]`"]);
    let marked = refused_at(&two_blocks("uses: \"\\e[31m\""), 10, 37);
    assert!(!marked.contains("write `uses"), "{marked}");
    has(&refused_at(&two_blocks("uses: {sbox: 1}"), 10, 37), &["is not a list", "a list is due here"]);
    has(&refused_at(&two_blocks("use: [sbox]"), 10, 31), &["unknown key `use`", "did you mean `uses`?"]);
}

#[test]
fn an_item_that_is_no_name_is_refused_at_its_place() {
    let item = "of `uses` of choice `mac` of task `fir` is";
    has(
        &refused_at(&two_blocks("uses: [sbox, [aes-mix]]"), 10, 44),
        &["item 2", item, "a list, not a name", "the name of a block is due here"],
    );
    has(&refused_at(&two_blocks("uses: [{name: sbox}]"), 10, 38), &["item 1", item, "a mapping, not a name"]);
    has(&refused_at(&two_blocks("uses: [~]"), 10, 38), &["item 1", item, "empty"]);
}

#[test]
fn the_entries_of_a_block_are_checked_like_those_of_a_choice() {
    let at = |entries: &str, column: usize| refused_at(&with_blocks(&[entries], "area: 1"), 3, column);
    has(&at("name: sbox", 6), &["block `sbox` has no `area`"]);
    has(&at("area: 1", 6), &["block 1 has no `name`"]);
    has(&at("name: sbox, area: -1", 24), &["`area` of block `sbox`", "must be 0 or greater"]);
    has(&at("name: sbox, area: 1 LUT", 24), &["areas are plain numbers", "`area_unit`"]);
    has(&at("name: sbox, area: 010", 24), &["is ambiguous"]);
    has(&at("name: \"\", area: 1", 12), &["`name` of block 1 is empty"]);
    has(&at("name: sbox, area: 1, slot:", 27), &["`slot` of block `sbox` is empty"]);
    has(&at("name: sbox, area: 1, slot: [a]", 33), &["`slot` of block `sbox` is a list, not a text"]);
    has(&at("name: sbox, area: 1, slot: \"a\\nb\"", 33), &["`slot` of block `sbox`", "U+000A"]);
    has(&at("name: sbox, area: 1, area: 2", 27), &["`area` is given twice in block `sbox`"]);
    has(&at("name: sbox, area: 1, solt: a", 27), &["unknown key `solt`", "did you mean `slot`?"]);
    let clock = at("name: sbox, area: 1, clock: 90 MHz", 27);
    has(
        &clock,
        &[
            "unknown key `clock` in block `sbox`",
            "the keys of a block are `name`, `area`, `cost`, `slot`, `scope`, `fmax`, `switch`, `source`",
        ],
    );
}

#[test]
fn blocks_that_are_no_list_are_refused() {
    let text =
        |blocks: &str| format!("name: bad\nblocks: {blocks}\ntasks: [{{name: a, wcet: 1, period: 2}}]\n");
    has(&refused_at(&text("sbox"), 2, 9), &["`blocks` of the task set is not a list"]);
    has(&refused_at(&text("{name: sbox, area: 1}"), 2, 9), &["`blocks` of the task set is not a list"]);
    has(
        &refused_at(&text("[sbox]"), 2, 10),
        &["block 1 is not a mapping", "`name`, `area`, `cost`, `slot`, `scope`, `fmax`, `switch`, `source`"],
    );
    has(&refused_at("name: x\nblock: []\n", 2, 1), &["unknown key `block`", "did you mean `blocks`?"]);
}

#[test]
fn a_refused_block_makes_no_error_of_the_choices_that_use_it() {
    let blocks = ["name: sbox, area: -1", "name: mix, area: 1", "name: sbox, area: x"];
    let (places, shown) = errors(&with_blocks(&blocks, "uses: [sbox, mix]"));
    assert_eq!(places, [(3, 24), (5, 24)], "{shown}");
    let (places, shown) = errors(&with_blocks(&blocks[..1], "uses: [sbox]"));
    assert_eq!(places, [(3, 24)], "the choice has hardware: {shown}");
    let (places, shown) = errors(&with_blocks(&blocks[..1], "uses: [sbx]"));
    assert_eq!(places, [(3, 24), (9, 38)], "{shown}");
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

/// The message of a block with this `fmax`, in line 4 and column 32, of a set with this second line.
#[track_caller]
fn bad_fmax(head: &str, fmax: &str) -> String {
    let text = with_blocks(&[&format!("name: fpu, area: 9, fmax: {fmax}")], "uses: [fpu]");
    refused_at(&text.replacen('\n', &format!("\n{head}\n"), 1), 4, 32)
}

#[test]
fn a_limited_clock_needs_the_clock_of_the_set() {
    let shown = bad_fmax("# no clock", "90 MHz");
    let wanted = "\
error: `fmax` of block `fpu` needs the `clock` of the task set
 --> bad.yaml:4:32
  |
4 |   - {name: fpu, area: 9, fmax: 90 MHz}
  |                                ^^^^^^ no clock is given that this would lower
  |
  = help: give the processor's clock without this limit, for example `clock: 100 MHz`: WCETs without a unit are then cycles of it";
    assert_eq!(shown.trim_end(), wanted);
}

#[test]
fn a_limited_clock_is_a_rate_above_0() {
    let with_clock = |fmax: &str| bad_fmax("clock: 100 MHz", fmax);
    has(&with_clock("0 MHz"), &["`fmax` of block `fpu` must be greater than 0", "this is 0"]);
    has(&with_clock("-5 MHz"), &["`fmax` of block `fpu`: ", "negative", "must be greater than 0"]);
    has(&with_clock("90"), &["`fmax` of block `fpu`: ", "90 MHz", "a number with its unit is due here"]);
    has(&with_clock("90 mhz"), &["write `MHz`", "another unit is due here"]);
    has(&with_clock("[90 MHz]"), &["`fmax` of block `fpu` is a list, not a clock rate"]);
    has(&with_clock("~"), &["`fmax` of block `fpu`: `~` is not a decimal number"]);
    // An `fmax` at or above the set's clock has no effect, and is no error.
    for fmax in ["100 MHz", "1 GHz", "1/3 Hz"] {
        let text = with_blocks(&[&format!("name: fpu, area: 9, fmax: {fmax}")], "uses: [fpu]");
        let reading = read_str("good.yaml", &text.replacen('\n', "\nclock: 100 MHz\n", 1)).unwrap();
        assert!(reading.warnings.is_empty() && reading.task_set.limits_clock());
    }
}
