//! Reads the written file back and compares it with the front.

use super::*;
use crate::front::Told;
use crate::testing::{
    Full, built, correlated, correlated_with_blocks, demo_tasks, front_of, nasty, random, sharing_fronts,
    unlike_fronts,
};
use isx_design::exploration::Exploration;
use isx_exact::quantity::{Rational, format_decimal};
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

#[test]
fn what_is_read_again_is_the_front() {
    let mut fronts = unlike_fronts();
    let mut fine = random(3, 2, 9);
    fine.tasks[0].choices[0].cost[0] = Rational::new(12_345.into(), 1000.into());
    let mut vast = demo_tasks();
    vast.tasks[0].choices[0].cost[0] = Rational::from(num_bigint::BigInt::from(10).pow(18));
    fronts.extend([&fine, &vast, &nasty()].map(front_of));
    fronts.extend(sharing_fronts());
    let mut points = 0;
    for explored in &fronts {
        let rows = rows(explored);
        assert_eq!(rows.len(), explored.front.len());
        for ((point, design), row) in explored.designs().zip(&rows) {
            let area: Rational = isx_exact::quantity::parse_decimal(row[0].as_ref().unwrap()).unwrap();
            assert_eq!(format_decimal(&area), format_decimal(design.area()));
            assert_eq!(row[1], Some(design.utilization.numer().to_string()));
            assert_eq!(row[2], Some(design.utilization.denom().to_string()));
            let approximate: f64 = row[3].as_ref().unwrap().parse().unwrap();
            assert_eq!(approximate, isx_exact::quantity::approx(&design.utilization));
            let verdicts = [design.schedulable, design.schedulable_within];
            assert_eq!(row[4..6], verdicts.map(|verdict| verdict.map(|verdict| verdict.to_string())));
            let chosen = point.chosen().map(|(_, choice)| choice.map(|choice| choice.name.clone()));
            let shares = usize::from(!explored.task_set().blocks.is_empty());
            let limits = usize::from(explored.task_set().limits_clock());
            assert!(chosen.eq(row[6 + shares + limits..].iter().cloned()));
            if limits > 0 {
                let clock = explored.front.formulation().clock_of(&point.choices().unwrap()).unwrap();
                assert_eq!(row[7], Some(format_decimal(clock)));
            }
            if shares > 0 {
                let wanted = built(explored, &point.choices().unwrap());
                assert_eq!(row[6].as_ref().unwrap(), &wanted.join("\n"));
            }
            points += 1;
        }
    }
    assert!(points > 100, "only {points} points were compared");
}

#[test]
fn groups_follow_one_another() {
    let explored = front_of(&correlated(30, 6, 2));
    assert!(explored.front.len() > 1 << 15, "{}", explored.front.len());
    let rows = rows(&explored);
    let areas: Vec<i64> = rows.iter().map(|row| row[0].as_ref().unwrap().parse().unwrap()).collect();
    assert!(areas.is_sorted_by(|a, b| a < b));
    assert_eq!(areas.len(), explored.front.len());
}

#[test]
fn lists_of_blocks_follow_one_another() {
    let explored = front_of(&correlated_with_blocks(12, 3, 2));
    assert!(explored.front.len() > 2048, "{}", explored.front.len());
    let rows = rows(&explored);
    assert_eq!(rows.len(), explored.front.len());
    for (row, point) in rows.iter().zip(&explored.front) {
        assert_eq!(row[6], Some(built(&explored, &point.choices().unwrap()).join("\n")));
    }
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
        for told in [Told::First(1), Told::Of(&|_| 1..2)] {
            let read = Front::read(bytes.as_slice(), &told).unwrap();
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
