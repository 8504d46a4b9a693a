//! Text that is not YAML is refused in the terms of task sets, with the caret at the error.

use isx::taskset::read_str;

const GOOD: &str = "\
name: demo
clock: 80 MHz
tasks:
  - name: fir
    wcet: 30000
    period: 1 ms
    choices:
      - {name: mac, area: 41, wcet: 12000}
  - name: iir
    wcet: 20000
    period: 2 ms
";

/// The message of the good text with one part replaced.
#[track_caller]
fn message(part: &str, by: &str) -> String {
    assert_eq!(GOOD.matches(part).count(), 1, "{part}");
    read_str("bad.yaml", &GOOD.replace(part, by)).unwrap_err().to_string()
}

/// A part of the good text, its replacement, and the message: error, line, column, label and help, "" for none.
type Case<'c> = (&'c str, &'c str, &'c str, usize, usize, &'c str, &'c str);

#[track_caller]
fn each(cases: &[Case]) {
    for &(part, by, what, line, column, label, help) in cases {
        let shown = message(part, by);
        assert!(shown.starts_with(&format!("error: this is not YAML: {what}\n")), "{by}: {shown}");
        assert!(shown.contains(&format!("--> bad.yaml:{line}:{column}\n")), "{by}: {shown}");
        assert!(shown.lines().any(|shown| shown.contains('^') && shown.ends_with(label)), "{by}: {shown}");
        let printed = shown.split_once("= help: ").map_or("", |(_, help)| help);
        assert_eq!(printed, help, "{by}: {shown}");
    }
}

#[test]
fn the_text_that_is_changed_below_is_good() {
    assert_eq!(read_str("good.yaml", GOOD).unwrap().task_set.tasks.len(), 2);
}

#[test]
fn a_whole_message_shows_the_line() {
    let wanted = "\
error: this is not YAML: no space behind the colon
 --> bad.yaml:6:11
  |
6 |     period:1 ms
  |           ^ a space is missing after this
  |
  = help: write `period: 1 ms`";
    assert_eq!(message("period: 1 ms", "period:1 ms"), wanted);
}

#[test]
fn a_slip_at_a_key_is_shown_there() {
    let colon = "no space behind the colon";
    let space = "a space is missing after this";
    let dash = "no space behind the dash";
    let missing = "a colon is missing after this";
    each(&[
        ("name: demo", "name:demo", colon, 1, 5, space, "write `name: demo`"),
        ("clock: 80", "clock:80", colon, 2, 6, space, "write `clock: 80 MHz`"),
        ("- name: fir", "-name: fir", dash, 4, 3, space, "write `- name: fir`"),
        ("- name: iir", "-name: iir", dash, 9, 3, space, "write `- name: iir`"),
        ("- {name: mac", "-{name: mac", dash, 8, 7, space, "write `- {name: mac, area: 41, wcet: 12000}`"),
        ("wcet: 30000", "wcet 30000", "no colon behind `wcet`", 5, 5, missing, "write `wcet: 30000`"),
        ("wcet: 30000", "wcet = 30000", "no colon behind `wcet`", 5, 5, missing, "write `wcet: 30000`"),
        ("tasks:", "tasks", "no colon behind `tasks`", 3, 1, missing, "write `tasks:`"),
        ("period: 2 ms", "period", "no colon behind `period`", 11, 5, missing, "write `period:`"),
        (
            "wcet: 30000",
            "wcet：30000",
            "this colon is a full-width character",
            5,
            9,
            "^^",
            "write `wcet: 30000`",
        ),
    ]);
    let wanted = "\
error: unknown key `area:41` in choice `mac` of task `fir`
 --> bad.yaml:8:21
  |
8 |       - {name: mac, area:41, wcet: 12000}
  |                     ^^^^^^^ a space is missing behind the colon
  |
  = help: write `area: 41`";
    assert_eq!(message("area: 41", "area:41"), wanted, "between braces it is YAML");
}

#[test]
fn tabs_that_indent_are_shown_where_they_are() {
    let what = "a tab in the indentation";
    each(&[
        ("    wcet: 30000", "\twcet: 30000", what, 5, 1, "^^^^ a tab", "indent with spaces"),
        ("    wcet: 30000", "  \twcet: 30000", what, 5, 3, " a tab", "indent with spaces"),
        ("      - {name", "\t\t- {name", what, 8, 1, "^^^^ a tab", "indent with spaces"),
        ("  - name: iir", "\t- name: iir", what, 9, 1, "^^^^ a tab", "indent with spaces"),
        // The tab in the text is valid, the one that indents is the error.
        ("name: fir\n    w", "name: a\tb\n\tw", what, 5, 1, "^^^^ a tab", "indent with spaces"),
    ]);
}

#[test]
fn an_indentation_that_does_not_fit_names_the_line_that_it_should_be_like() {
    let wanted = "\
error: this is not YAML: the indentation of this line fits no line above
 --> bad.yaml:6:1
  |
5 |     wcet: 30000
  |     - indented by 4 spaces
6 |    period: 1 ms
  | ^^^ indented by 3 spaces
  |
  = help: indent it by 4 spaces, as line 5";
    assert_eq!(message("    period: 1 ms", "   period: 1 ms"), wanted);
    let wanted = "\
error: this is not YAML: this line is indented deeper than `wcet` above, which has its value already
 --> bad.yaml:6:1
  |
5 |     wcet: 30000
  |     - this has a value
6 |       period: 1 ms
  | ^^^^^^ indented by 6 spaces
  |
  = help: indent it by 4 spaces, as `wcet`";
    assert_eq!(message("    period: 1 ms", "      period: 1 ms"), wanted);
    let none = "the indentation of this line fits no line above";
    each(&[
        ("  - name: iir", " - name: iir", none, 9, 1, "1 space", "indent it by 2 spaces, as line 4"),
        ("  - name: iir", "   - name: iir", none, 9, 1, "3 spaces", "indent it by 2 spaces, as line 4"),
        ("name: demo", "  name: demo", none, 2, 1, "0 spaces", "indent it by 2 spaces, as line 1"),
        (
            "clock: 80",
            " clock: 80",
            "this line is indented deeper than `name` above, which has its value already",
            2,
            1,
            "1 space",
            "indent it by 0 spaces, as `name`",
        ),
        (
            "  - name: fir",
            "  name: fir",
            "this line is indented deeper than `name` above, which has its value already",
            5,
            1,
            "4 spaces",
            "begin the item above with a dash: `- name: fir`",
        ),
        (
            "choices:",
            "choices: mac",
            "this line is indented deeper than `choices` above, which has its value already",
            8,
            1,
            "6 spaces",
            "take away the value of `choices`, or this line",
        ),
        (
            "    wcet: 30000",
            "    - wcet: 30000",
            "this item of a list stands among keys",
            5,
            1,
            "4 spaces",
            "leave the dash out, or indent it by 2 spaces, as line 4",
        ),
        (
            "period: 2 ms",
            "period: 2 ms\n  area_unit: LUT",
            "this line stands among the items of a list and is none",
            12,
            1,
            "2 spaces",
            "indent it by 4 spaces, as line 11 or by 0 spaces, as line 3",
        ),
    ]);
}

#[test]
fn an_item_without_a_key_is_shown_where_the_key_is_missing() {
    let wanted = "\
error: this is not YAML: an item without a key
  --> bad.yaml:9:5
   |
 9 |   - iir
   |     ^^^ a key is missing before this
10 |     wcet: 20000
   |         - its keys go on here
   |
   = help: write for example `- name: iir`";
    assert_eq!(message("name: iir", "iir"), wanted);
}

#[test]
fn a_text_that_needs_quotes_is_shown_with_them() {
    let begins = |sign| format!("a text that begins with {sign} must be in quotes");
    let colon = "a second colon in one entry";
    let lines = "`>` and `|` begin a text on the lines below";
    each(&[
        ("demo", "@demo # mine", &begins("@"), 1, 7, "^", "put the text in quotes: `\"@demo\"`"),
        ("demo", "%demo", &begins("%"), 1, 7, "^", "put the text in quotes: `\"%demo\"`"),
        (
            "demo",
            "my: demo",
            colon,
            1,
            9,
            "a text with a colon needs quotes",
            "put the text in quotes: `\"my: demo\"`",
        ),
        (
            "1 ms",
            "1 ms wcet: 5",
            colon,
            6,
            22,
            "`wcet` is an entry of its own",
            "begin `wcet: ..` on a line of its own, or between braces behind a comma",
        ),
        (
            "1 ms",
            ">1 ms",
            lines,
            6,
            13,
            "nothing may follow it in its line",
            "put the text in quotes: `\">1 ms\"`",
        ),
        (
            "demo",
            "\"my\" demo",
            "something follows the closing quote",
            1,
            12,
            "the text has ended before this",
            "put the whole text in quotes; in single quotes, `''` stands for one",
        ),
        (
            "demo",
            "\"a\\\\b\\qc\"",
            "`\\q` is no escape of YAML",
            1,
            12,
            "^^",
            "write `\\\\` for a backslash, or single quotes: between those it is an ordinary character",
        ),
    ]);
}

#[test]
fn brackets_and_commas_between_them_are_shown_where_they_are_missing() {
    each(&[
        (
            "41, wcet",
            "41 wcet",
            "no comma before the next entry",
            8,
            30,
            "a comma is missing before this",
            "",
        ),
        ("12000}", "12000]", "the `{` is closed by a `]`", 8, 9, "a `}` must close it", ""),
        ("12000}", "12000}}", "this `}` closes nothing", 8, 43, "no bracket is open here", ""),
        ("period: 2 ms", "period: [2 ms", "the `[` is not closed", 11, 13, "no `]` closes it", ""),
    ]);
}

#[test]
fn a_line_of_a_text_may_begin_with_a_key() {
    let text = "name: x\ndescription: of a\n  period of time\n  and wcet: 3\ntasks: []\n";
    let wanted = "\
error: this is not YAML: a colon in the middle of a text
 --> bad.yaml:4:11
  |
4 |   and wcet: 3
  |           ^ a text with a colon needs quotes";
    assert_eq!(read_str("bad.yaml", text).unwrap_err().to_string(), wanted);
}

#[test]
fn what_is_no_slip_that_is_known_keeps_the_words_of_the_parser() {
    let wanted = "\
error: this is not YAML: the handle wasn't declared
 --> bad.yaml:1:7
  |
1 | name: !x!y demo
  |       ^";
    assert_eq!(message("demo", "!x!y demo"), wanted);
}
