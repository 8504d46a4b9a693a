//! An output format, in one file: the front as a table in Markdown.

use isx::exploration::Exploration;
use isx::explore::Options;
use isx::machine::Machine;
use isx::machine::cpu::Workers;
use isx::quantity::format_decimal;
use isx::report::csv;
use isx::report::front::Front;
use std::io::{self, Write};
use std::path::Path;

/// Writes a heading and one row per point: area, utilization as a fraction, schedulable, the choice of every task.
fn write(explored: &Exploration, _: &Workers, mut out: impl Write) -> io::Result<()> {
    let tasks = &explored.task_set().tasks;
    write!(out, "| area | utilization | schedulable |")?;
    tasks.iter().try_for_each(|task| write!(out, " {} |", task.name))?;
    writeln!(out, "\n|{}", " --- |".repeat(3 + tasks.len()))?;
    for (point, design) in explored.designs() {
        let (above, below) = (design.utilization.numer(), design.utilization.denom());
        let schedulable = design.schedulable.map_or("?", |yes| if yes { "yes" } else { "no" });
        write!(out, "| {} | {above}/{below} | {schedulable} |", format_decimal(design.area()))?;
        let chosen = point.chosen().map(|(_, choice)| choice.map_or("", |choice| &choice.name));
        chosen.into_iter().try_for_each(|choice| write!(out, " {choice} |"))?;
        writeln!(out)?;
    }
    Ok(())
}

/// The cells of a Markdown row.
fn cells(row: &str) -> Vec<&str> {
    let inside = row.strip_prefix('|').and_then(|row| row.strip_suffix('|')).unwrap();
    inside.split('|').map(str::trim).collect()
}

#[test]
fn a_format_of_one_file_says_what_the_csv_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tasksets");
    let machine = Machine::default();
    for name in ["crypto-gateway", "papabench-autopilot", "tutorial"] {
        let task_set = isx::taskset::read_file(&folder.join(name).with_extension("yaml")).unwrap().task_set;
        let options = Options { machine: machine.clone(), ..Options::default() };
        let explored = isx::explore(&task_set, &options).unwrap();
        let (mut markdown, mut csv) = (Vec::new(), Vec::new());
        write(&explored, machine.workers(), &mut markdown).unwrap();
        csv::write(&Front::of(&explored), machine.workers(), &mut csv).unwrap();
        let (markdown, csv) = (String::from_utf8(markdown).unwrap(), String::from_utf8(csv).unwrap());
        // None of these sets has a name that CSV would quote.
        let wanted: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        let rows: Vec<Vec<&str>> = markdown.lines().map(cells).collect();
        assert_eq!(rows.len(), wanted.len() + 1, "{name}");
        assert_eq!(rows[0][3..], wanted[0][6..], "{name}");
        for (row, wanted) in rows[2..].iter().zip(&wanted[1..]) {
            let schedulable = match wanted[4] {
                "true" => "yes",
                "false" => "no",
                _ => "?",
            };
            let utilization = format!("{}/{}", wanted[1], wanted[2]);
            assert_eq!(row[..3], [wanted[0], &utilization, schedulable], "{name}");
            assert_eq!(row[3..], wanted[6..], "{name}");
        }
        assert!(rows.len() > 3, "{name} has a front of {} points", rows.len() - 2);
    }
}
