//! Reads the written file back and compares it with the front.

use super::*;
use crate::front::WithChoices;
use crate::front::csv;
use crate::testing::{Full, all_fronts, correlated, correlated_with_blocks, demo_tasks, front_of};
use isx_design::exploration::Exploration;
use isx_exact::quantity::{format_decimal, parse_signed_decimal};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// The rows of the file, every field as text, null as `None`.
fn rows(explored: &Exploration) -> Vec<Vec<Option<String>>> {
    let mut bytes = Vec::new();
    write(&Front::of(explored), &Origin::default(), &Workers::new(2), &mut bytes).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let text = |field: &Field| match field {
        Field::Null => None,
        Field::Str(text) => Some(text.clone()),
        Field::ListInternal(list) => {
            let names = list.elements().iter().map(|name| match name {
                Field::Str(name) => name.clone(),
                other => panic!("{other:?} in a list of names"),
            });
            Some(names.collect::<Vec<_>>().join("\n"))
        }
        field => Some(field.to_string()),
    };
    let row = |row: parquet::record::Row| row.get_column_iter().map(|(_, field)| text(field)).collect();
    reader.get_row_iter(None).unwrap().map(|read| row(read.unwrap())).collect()
}

/// Whether a cell says the same as that of a CSV file.
fn is_same(head: &str, cell: &str, in_csv: &str) -> bool {
    match head {
        "blocks" => csv::tests::names(in_csv).join("\n") == cell,
        "utilization" => cell.parse::<f64>() == in_csv.parse(),
        _ if in_csv.strip_prefix('\'').unwrap_or(in_csv) == cell => true,
        _ => parse_signed_decimal(cell).is_ok_and(|number| format_decimal(&number) == in_csv),
    }
}

#[test]
fn rows_are_those_of_the_csv_file() {
    let mut fronts = all_fronts();
    fronts.extend([front_of(&correlated(30, 6, 2)), front_of(&correlated_with_blocks(12, 3, 2))]);
    let mut points = 0;
    for explored in &fronts {
        let (found, wanted) = (rows(explored), csv::tests::rows(explored));
        assert_eq!(found.len() + 1, wanted.len());
        for (row, wanted_row) in found.iter().zip(&wanted[1..]) {
            assert_eq!(row.len(), wanted_row.len());
            for ((head, cell), in_csv) in wanted[0].iter().zip(row).zip(wanted_row) {
                let cell = cell.as_deref().unwrap_or_default();
                assert!(is_same(head, cell, in_csv), "{head}: {cell:?} is not {in_csv:?}");
            }
            points += 1;
        }
    }
    assert!(points > 1 << 15, "only {points} points were compared");
}

#[test]
fn levels_tell_lists_apart() {
    assert_eq!(list_levels(&[0, 1, 3, 0]), (vec![0, 1, 1, 1, 1, 0], vec![0, 0, 0, 1, 1, 0]));
    assert_eq!(list_levels(&[]), (vec![], vec![]));
}

#[test]
fn a_failing_writer_is_reported() {
    let error = write(&Front::of(&front_of(&demo_tasks())), &Origin::default(), &Workers::new(1), &mut Full)
        .unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
}

#[test]
fn margins_are_read_again_at_every_point() {
    for tasks in [demo_tasks(), crate::testing::slowed_tasks()] {
        let mut explored = front_of(&tasks);
        explored.point_margins = explored.front.iter().map(|point| point.utilization().recip()).collect();
        let mut bytes = Vec::new();
        write(&Front::of(&explored), &Origin::default(), &Workers::new(1), &mut bytes).unwrap();
        for which in [WithChoices::First(1), WithChoices::Of(&|_| 1..2)] {
            let read = Front::read(bytes.as_slice(), &which).unwrap();
            assert!(read.head.by_margin);
            for (index, margin) in explored.point_margins.iter().enumerate() {
                let point = read.point(index);
                assert_eq!(point.margin.map(|margin| margin.exact()).as_ref(), Some(margin));
                let has_clock = explored.task_set().limits_clock() && !point.choices.is_empty();
                assert_eq!(point.clock.is_some(), has_clock);
            }
        }
    }
}
