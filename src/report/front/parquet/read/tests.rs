//! The reader of fronts gives the same for both formats, and no damage to a file makes it fail in another way than by
//! an error.

use super::super::*;

use crate::front::json;
use crate::front::read_json::{Choices, ExactPoint, Head};
use crate::front::unreadable::PlotError;
use crate::origin::OriginFile;
use crate::testing::{all_fronts, demo, sharing_fronts};
use crate::written::{Pick, Points, Written};
use isx_exact::quantity::Rational;
use isx_exact::sampling::Sampler;
use parquet::file::reader::{FileReader, SerializedFileReader};

fn in_parquet(explored: &Exploration, group: usize) -> Vec<u8> {
    let input = OriginFile { name: "set.yaml".into(), sha256: "ab".repeat(32) };
    let origin = Origin { inputs: vec![input], ..Origin::default() };
    let mut bytes = Vec::new();
    write_in_groups(explored, &origin, &Workers::new(2), group, &mut bytes).unwrap();
    bytes
}

fn in_json(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(explored, &Workers::new(2), &mut bytes).unwrap();
    bytes
}

type Read = (Head, Vec<(usize, ExactPoint)>);

fn read(bytes: &[u8], wanted: &Points) -> Result<Read, PlotError> {
    let mut points = Vec::new();
    let head = Written::from(bytes).read(wanted, &mut |index, point| points.push((index, point)))?;
    Ok((head, points))
}

#[test]
fn both_formats_are_read_as_the_same_front() {
    let everything = Points::All { told: usize::MAX };
    for explored in all_fronts() {
        let (mut head, points) = read(&in_json(&explored), &everything).unwrap();
        // Parquet is the same on every machine, so it does not name the engine.
        head.engine = None;
        for group in [1, 7, GROUP] {
            let (told, found) = read(&in_parquet(&explored, group), &everything).unwrap();
            assert_eq!(told, head);
            assert!(found == points, "{}: groups of {group}", head.taskset);
        }
        let without = |(index, point): &(usize, ExactPoint)| {
            let choices = if *index < 2 { point.choices.clone() } else { Choices::default() };
            let blocks = point.blocks.clone().filter(|_| *index < 2);
            let clock_hz = point.clock_hz.clone().filter(|_| *index < 2);
            (*index, ExactPoint { choices, blocks, clock_hz, ..point.clone() })
        };
        let (_, found) = read(&in_parquet(&explored, 3), &Points::All { told: 2 }).unwrap();
        assert!(found == points.iter().map(without).collect::<Vec<_>>());
    }
}

#[test]
fn only_points_around_the_wanted_one_are_read() {
    let explored = all_fronts().into_iter().max_by_key(|explored| explored.front.len()).unwrap();
    let (count, bytes) = (explored.front.len(), in_parquet(&explored, 4));
    assert!(count > 10);
    let indices = |pick: &Pick| -> Vec<usize> {
        let (_, points) = read(&bytes, &Points::Near(pick)).unwrap();
        points.into_iter().map(|(index, _)| index).collect()
    };
    assert_eq!(indices(&Pick::Point(5)), [0, 4, 5, 6, count - 1]);
    assert_eq!(indices(&Pick::Point(0)), [0, 1, count - 1]);
    assert_eq!(indices(&Pick::Point(count - 1)), [0, count - 2, count - 1]);
    assert_eq!(indices(&Pick::Point(count)), [0, count - 1]);
}

#[test]
fn the_metadata_name_what_the_front_is() {
    let reader = SerializedFileReader::new(Bytes::from(in_parquet(&demo(), 10))).unwrap();
    let keys = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |name: &str| keys.iter().find(|key| key.key == name).and_then(|key| key.value.clone());
    let explored = demo();
    assert_eq!(value("isx.schema").as_deref(), Some("isx.front/1"));
    assert_eq!(value("isx.taskset").as_ref(), Some(&explored.task_set().name));
    assert_eq!(value("isx.area_unit").as_deref(), Some(explored.task_set().area_unit()));
    assert_eq!(value("isx.scheduler").as_deref(), Some("edf"));
    assert_eq!(value("isx.status").as_deref(), Some(explored.status.name()));
    assert_eq!(value("isx.complete").as_deref(), Some("true"));
    assert_eq!(
        (value("isx.input").as_deref(), value("isx.input_sha256")),
        (Some("set.yaml"), Some("ab".repeat(32)))
    );
    assert_eq!(value("isx.engine"), None);
    assert!(value("isx.base").unwrap().starts_with("{\"area\":\"0\""));
}

#[test]
fn what_is_no_front_in_parquet_is_refused() {
    let explored = demo();
    let words = |bytes: &[u8]| read(bytes, &Points::All { told: 0 }).unwrap_err().to_string();
    let whole = in_parquet(&explored, GROUP);
    let prefix = "not a front in Parquet that can be read: ";
    assert!(words(&whole[..whole.len() - 9]).starts_with(prefix));
    assert!(words(b"PAR1").starts_with(prefix));
    let writing = Writing::new(&explored, Vec::new()).unwrap();
    let mut bytes = Vec::new();
    SerializedFileWriter::new(&mut bytes, writing.schema.clone(), writing.properties.clone())
        .unwrap()
        .close()
        .unwrap();
    assert_eq!(
        words(&bytes),
        "not a front in Parquet that can be read: its metadata have no `isx.tasks`: isx did not write it, or a version \
         before this one; give the front.parquet that `isx explore --format parquet` wrote"
    );
    let metadata = metadata::written(&explored, &Origin::default()).unwrap();
    let with = |name: &str, value: &str| {
        let mut keys = metadata.clone();
        keys.iter_mut().filter(|key| key.key == name).for_each(|key| key.value = Some(value.into()));
        let writing = Writing::new(&explored, keys).unwrap();
        let mut bytes = Vec::new();
        SerializedFileWriter::new(&mut bytes, writing.schema.clone(), writing.properties.clone())
            .unwrap()
            .close()
            .unwrap();
        words(&bytes)
    };
    assert!(with("isx.schema", "isx.front/9").contains("the document's schema is `isx.front/9`"));
    assert!(with("isx.base", "{").contains("its metadata `isx.base` are no JSON"));
    assert!(with("isx.tasks", "[]").contains("columns of tasks, not 0"));
    assert!(with("isx.scheduler", "edf").contains("there is no point"));
}

#[test]
fn a_damaged_file_is_read_or_refused() {
    let mut sampler = Sampler::new(3);
    let mut refused = 0;
    for explored in sharing_fronts().iter().take(2) {
        let whole = in_parquet(explored, 5);
        for _ in 0..1500 {
            let mut bytes = whole.clone();
            for _ in 0..sampler.uniform(1, 3) {
                let at = sampler.uniform(4, bytes.len() as u64 - 9) as usize;
                bytes[at] = sampler.uniform(0, 255) as u8;
            }
            refused += usize::from(read(&bytes, &Points::All { told: usize::MAX }).is_err());
            let _ = read(&bytes, &Points::Near(&Pick::Area(Rational::from(num_bigint::BigInt::from(300)))));
        }
    }
    assert!(refused > 300, "{refused}");
}
