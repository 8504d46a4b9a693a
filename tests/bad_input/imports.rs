//! Damaged files of other tools: for each, `NAME.message` contains the whole error message, with the place of the
//! error.
//!
//! `ISX_WRITE_MESSAGES=1` rewrites the messages; review the difference before you commit it.

use isx::import::{Imported, Need, Options, Refusal, Tables, import};
use isx::quantity::Rational;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/import").join(name)
}

/// The files of a folder of the data, without the messages.
pub fn files(name: &str) -> Vec<PathBuf> {
    files_of(&folder(name))
}

/// The files of a folder, without the texts beside them that say what is wanted.
pub fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending != "message" && ending != "figures"));
    files.sort();
    files
}

/// The options for a processor of 80 MHz.
fn clocked() -> Options {
    Options { clock: Some(Rational::from_integer(80_000_000.into())), ..Options::default() }
}

/// A text of another tool, imported without choices and blocks.
fn read(name: &str, text: &str, options: &Options) -> Result<Imported, Refusal> {
    import(name, text.as_bytes(), None, Tables::default(), options)
}

/// Compares a message with the one in its file, and checks that it names a place and contains no control characters.
#[track_caller]
pub fn compare(file: &Path, refusal: &Refusal) {
    let mut shown = refusal.to_string();
    shown.extend(refusal.need.map(|need| format!("\nneeds {need:?}")));
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "raw control character: {shown:?}");
    compare_beside(file, "message", &shown);
}

/// Compares a text with the one in the file with a further ending.
#[track_caller]
pub fn compare_beside(file: &Path, ending: &str, shown: &str) {
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{ending}"));
    if std::env::var_os("ISX_WRITE_MESSAGES").is_some() {
        std::fs::write(&beside, format!("{}\n", shown.trim_end())).unwrap();
    }
    let wanted = std::fs::read_to_string(&beside).unwrap_or_else(|_| panic!("{}: {shown}", file.display()));
    assert_eq!(shown.trim_end(), wanted.trim_end(), "{}", file.display());
}

#[test]
fn every_damaged_file_is_refused_where_it_is_damaged() {
    let mut placed: BTreeMap<String, usize> = BTreeMap::new();
    for file in files("damaged") {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&file).unwrap();
        let refusal = import(&name, &bytes, None, Tables::default(), &Options::default()).unwrap_err();
        compare(&file, &refusal);
        let kind = match name.split(['-', '.']).next().unwrap() {
            "schedcat" => "schedcat",
            "rt" => "rt-app",
            "simso" => "simso",
            "amalthea" => "amalthea",
            _ if name.ends_with(".csv") => "csv",
            _ => "other",
        };
        if let Some(first) = refusal.error.diagnostics().first() {
            let (line, column) = first.position();
            assert!(refusal.to_string().contains(&format!("--> {name}:{line}:{column}")), "{refusal}");
            *placed.entry(kind.to_owned()).or_default() += 1;
        }
    }
    for kind in ["csv", "schedcat", "rt-app", "simso", "amalthea"] {
        assert!(placed.get(kind).is_some_and(|count| *count >= 4), "{kind}: {placed:?}");
    }
}

#[test]
fn every_damaged_file_of_choices_is_refused_where_it_is_damaged() {
    let plant = std::fs::read(folder("plant.csv")).unwrap();
    let files = files("damaged-choices");
    assert!(files.len() >= 5);
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&file).unwrap();
        let tables = Tables { choices: Some((&name, &bytes)), blocks: None };
        let refusal = import("plant.csv", &plant, None, tables, &Options::default()).unwrap_err();
        compare(&file, &refusal);
        let (line, column) = refusal.error.diagnostics()[0].position();
        assert!(refusal.to_string().contains(&format!("--> {name}:{line}:{column}")), "{refusal}");
    }
}

#[test]
fn every_damaged_file_of_blocks_is_refused_where_it_or_its_use_is_damaged() {
    let plant = std::fs::read(folder("plant.csv")).unwrap();
    let choices =
        ("choices.csv", &b"task,choice,area [NAND2],wcet_us,uses\ncontrol,mac,12,1250,mul box\n"[..]);
    let files = files("damaged-blocks");
    assert!(files.len() >= 8);
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&file).unwrap();
        let tables = Tables { choices: Some(choices), blocks: Some((&name, &bytes)) };
        let refusal = import("plant.csv", &plant, None, tables, &clocked()).unwrap_err();
        compare(&file, &refusal);
        let first = &refusal.error.diagnostics()[0];
        let (line, column) = first.position();
        assert!([&name, "choices.csv"].contains(&first.file()));
        assert!(refusal.to_string().contains(&format!("--> {}:{line}:{column}", first.file())), "{refusal}");
    }
}

#[test]
fn limits_are_named() {
    let message = |text: &str| read("big.csv", text, &Options::default()).unwrap_err().to_string();
    let tasks = |count: usize| {
        let rows: String = (0..count).map(|at| format!("t{at},10,1\n")).collect();
        format!("name,period,wcet\n{rows}")
    };
    assert!(read("big.csv", &tasks(40_000), &Options::default()).is_ok());
    assert!(message(&tasks(40_001)).contains("the file has more than 40000 tasks"));
    assert!(message(&format!("name,period,wcet{}\n", ",x".repeat(200))).contains("more than 200 columns"));
    let long = "x".repeat((32 << 20) + 1);
    assert_eq!(message(&long), "big.csv: cannot be read: it is larger than 32 MiB, the limit for an import");
    let digits = "9".repeat(40);
    let text = format!("name,period,wcet\na,{digits},{digits}\n");
    assert!(read("a.csv", &text, &Options::default()).is_ok());
    assert!(message(&format!("name,period,wcet\na,10,9{digits}\n")).contains("more than 40 digits"));
}

#[test]
fn a_clock_does_not_excuse_mixed_units() {
    let message = |text: &str| {
        let refusal = read("mixed.csv", text, &clocked()).unwrap_err();
        assert_eq!(refusal.need, text.starts_with("name,period,").then_some(Need::Unit));
        refusal.to_string()
    };
    let wanted = "\
error: `period` of task `b` has no unit, but `period` of task `a` has one
 --> mixed.csv:1:6
  |
1 | name,period,wcet
  |      ^^^^^^ the column without a unit
  |
  = help: name the units in the head, such as `period_ms`; beside a clock WCETs may be cycles, if all of them are";
    assert_eq!(message("name,period,wcet\na,1 ms,300\nb,10000,20\n").trim_end(), wanted);
    let begins = |text: &str, words: &str| assert!(message(text).starts_with(words), "{}", message(text));
    begins(
        "name,period,wcet,deadline_ms\na,1000,300,1\n",
        "error: `period` of task `a` has no unit, but `deadline` of task `a` has one\n",
    );
    begins(
        "name,period,wcet_us\na,1000,300\n",
        "error: `period` of task `a` has no unit, but `wcet` of task `a` has one\n",
    );
    begins(
        "name,period_cycles,wcet,deadline_ms\na,1000,300,1\n",
        "error: `period` of task `a` has no unit, but `deadline` of task `a` has one\n",
    );
    let text = "name,period_ms,wcet\na,1,300\nb,1,3 us\n";
    let refusal = read("mixed.csv", text, &clocked()).unwrap_err().to_string();
    let wanted = "error: `wcet` of task `a` has no unit, but `wcet` of task `b` has one\n";
    assert!(refusal.starts_with(wanted), "{refusal}");
    for good in ["name,period_ms,wcet\na,1,300\nb,2,20\n", "name,period_cycles,wcet_cycles\na,1000,300\n"] {
        assert!(read("good.csv", good, &clocked()).is_ok(), "{good}");
    }
}

#[test]
fn a_clock_converts_the_times_of_choices_to_the_unit_of_their_task() {
    let with = |tasks: &str, choices: &str| {
        let tables = Tables { choices: Some(("choices.csv", choices.as_bytes())), blocks: None };
        import("a.csv", tasks.as_bytes(), None, tables, &clocked())
    };
    let wcet = |tasks: &str, choices: &str| {
        let imported = with(tasks, choices).unwrap();
        imported.reading.task_set.tasks[0].choices[0].wcets[0].to_string()
    };
    let (cycles, times) = ("name,period_ms,wcet\na,1,300\n", "name,period_ms,wcet_us\na,1,3\n");
    assert_eq!(wcet(cycles, "task,choice,area,wcet\na,mac,1,160\n"), "160");
    assert_eq!(wcet(cycles, "task,choice,area,wcet_us\na,mac,1,2\n"), "160");
    assert_eq!(wcet(cycles, "task,choice,area,saves_us\na,mac,1,2\n"), "140");
    assert_eq!(wcet(times, "task,choice,area,wcet_us\na,mac,1,2\n"), "160");
    assert_eq!(wcet(times, "task,choice,area,wcet_cycles\na,mac,1,160\n"), "160");
    assert_eq!(wcet(times, "task,choice,area,saves_cycles\na,mac,1,7\n"), "233");
    let refused = with(times, "task,choice,area,wcet\na,mac,1,160\n").unwrap_err().to_string();
    let wanted = "error: `wcet` of choice `mac` of task `a` has no unit, but the task's WCET has one: write for example \
                  `wcet_us`, or `wcet_cycles`\n --> choices.csv:2:9\n";
    assert!(refused.starts_with(wanted), "{refused}");
    let refused = with(cycles, "task,choice,area,saves_us\na,mac,1,3.75\n").unwrap_err().to_string();
    assert!(refused.contains("leaves no WCET: it must be smaller than the task's"), "{refused}");
}
