//! The reader of fronts gives the same for both formats, and no damage to a file makes it fail in another way than by
//! an error.

use super::*;

use crate::front::json;
use crate::front::unreadable::PlotError;
use crate::front::{Point, WithChoices};
use crate::origin::OriginFile;
use crate::testing::{all_fronts, demo, sharing_fronts};
use isx_design::exploration::Exploration;
use isx_exact::sampling::Sampler;
use parquet::file::reader::{FileReader, SerializedFileReader};

fn in_parquet(explored: &Exploration, group: usize) -> Vec<u8> {
    let input = OriginFile { name: "set.yaml".into(), sha256: "ab".repeat(32) };
    let origin = Origin { inputs: vec![input], ..Origin::default() };
    let mut bytes = Vec::new();
    write_in_groups(&Front::of(explored), &origin, &Workers::new(2), group, &mut bytes).unwrap();
    bytes
}

fn in_json(explored: &Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(&Front::of(explored), &Workers::new(2), &mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8], which: &WithChoices) -> Result<Front<'static>, PlotError> {
    Front::read(bytes.to_vec().as_slice(), which)
}

#[test]
fn both_formats_are_read_as_the_same_front() {
    let everything = WithChoices::First(usize::MAX);
    for explored in all_fronts() {
        let mut wanted = read(&in_json(&explored), &everything).unwrap();
        // Parquet is the same on every machine, so it does not name the engine.
        wanted.head.engine = None;
        // Of its utilizations in modes Parquet has the nearest doubles only.
        let named =
            |front: &Front, at| json::tests::named(front, &Point { modes: Vec::new(), ..front.point(at) });
        let points = |front: &Front| (0..front.len()).map(|at| named(front, at)).collect::<Vec<_>>();
        for group in [1, 7, GROUP] {
            let found = read(&in_parquet(&explored, group), &everything).unwrap();
            assert!(points(&found) == points(&wanted), "{}: groups of {group}", wanted.head.taskset);
            assert_eq!(found.head.margins, wanted.head.margins);
            assert_eq!(
                (&found.head.resources, found.head.minimal.len()),
                (&wanted.head.resources, wanted.head.minimal.len())
            );
        }
        let some: &dyn Fn(&Front) -> Range<usize> = &|front| 1.min(front.len())..front.len().min(3);
        for (which, range) in [(WithChoices::First(2), 0..2), (WithChoices::Of(some), 1..3)] {
            let found = read(&in_parquet(&explored, 3), &which).unwrap();
            for at in 0..found.len() {
                let point = found.point(at);
                assert_eq!(point.choices.is_empty(), !range.contains(&at));
                assert_eq!(
                    (&point.cost, &point.utilization),
                    (&wanted.point(at).cost, &wanted.point(at).utilization)
                );
            }
        }
    }
}

#[test]
fn the_metadata_name_what_the_front_is() {
    let reader = SerializedFileReader::new(Bytes::from(in_parquet(&demo(), 10))).unwrap();
    let keys = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |name: &str| keys.iter().find(|key| key.key == name).and_then(|key| key.value.clone());
    let explored = demo();
    assert_eq!(value("isx.schema").as_deref(), Some("isx.front/3"));
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
    assert!(value("isx.base").unwrap().starts_with("{\"cost\":{\"NAND2\":\"0\"}"));
}

#[test]
fn what_is_no_front_in_parquet_is_refused() {
    let explored = demo();
    let words = |bytes: &[u8]| read(bytes, &WithChoices::First(0)).err().unwrap().to_string();
    let whole = in_parquet(&explored, GROUP);
    let prefix = "not a front in Parquet that can be read: ";
    assert!(words(&whole[..whole.len() - 9]).starts_with(prefix));
    assert!(words(b"PAR1").starts_with(prefix));
    let front = Front::of(&explored);
    let without_rows = |keys: Vec<KeyValue>| {
        let Writing { schema, properties, .. } = Writing::new(&front, keys).unwrap();
        let mut bytes = Vec::new();
        SerializedFileWriter::new(&mut bytes, schema, properties).unwrap().close().unwrap();
        words(&bytes)
    };
    assert_eq!(
        without_rows(Vec::new()),
        "not a front in Parquet that can be read: its metadata have no `isx.tasks`: isx did not write it, or a version \
         before this one; give the front.parquet that `isx explore --format parquet` wrote"
    );
    let with = |name: &str, value: &str| {
        let mut keys = keys(&front.head, &Origin::default()).unwrap();
        keys.iter_mut().filter(|key| key.key == name).for_each(|key| key.value = Some(value.into()));
        without_rows(keys)
    };
    assert!(with("isx.schema", "isx.front/9").contains("the document's schema is `isx.front/9`"));
    assert!(with("isx.base", "{").contains("its metadata `isx.base` are no JSON"));
    assert!(with("isx.tasks", "[]").contains("it has 9 columns, not 6"));
    assert!(with("isx.scheduler", "edf").contains("no point"));
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
            refused += usize::from(read(&bytes, &WithChoices::First(usize::MAX)).is_err());
            let _ = read(&bytes, &WithChoices::Of(&|front| 0..front.len().min(2)));
        }
    }
    assert!(refused > 300, "{refused}");
}
