//! A document is read back as the same front, and invalid fronts are refused.

use super::*;
use crate::svg;
use crate::testing::{
    correlated, correlated_with_blocks, demo, front_of, front_within, random, shared, sharing_fronts,
    slowed_tasks, unlike_fronts,
};
use isx_design::schedulability::SmallestSchedulable;
use isx_report::json;
use serde_json::{Value, json};

fn written(front: &isx_design::exploration::Exploration) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::write(front, &isx_machine::cpu::Workers::new(1), &mut bytes).unwrap();
    bytes
}

fn demo_json() -> Value {
    serde_json::from_slice(&written(&demo())).unwrap()
}

fn read_value(value: &Value) -> Result<PlotData, PlotError> {
    PlotData::from_written(value.to_string().as_bytes())
}

#[test]
fn json_read_again_is_the_front_to_the_last_bit() {
    let mut fronts = unlike_fronts();
    fronts.extend(sharing_fronts());
    fronts.push(front_of(&random(14, 6, 3)));
    let mut undecided = demo();
    undecided.verdicts.smallest = SmallestSchedulable::Unknown("a long search".into());
    fronts.push(undecided);
    let cut_short = front_within(&random(5, 3, 7), 300);
    assert!(!cut_short.front.is_complete());
    fronts.push(cut_short);
    let mut points = 0;
    for front in fronts {
        let direct = PlotData::from_front(&front).unwrap();
        let again = PlotData::from_written(written(&front).as_slice()).unwrap();
        assert_eq!(direct, again);
        let options = svg::Options::default();
        assert_eq!(svg::draw(&direct, &options).unwrap(), svg::draw(&again, &options).unwrap());
        points += direct.points.len();
    }
    assert!(points > 300, "only {points} points were compared");
}

#[test]
fn choices_are_kept_of_few_points_only() {
    let few = PlotData::from_front(&demo()).unwrap();
    assert_eq!(few.details.len(), few.points.len());
    assert_eq!(few.detail(0).unwrap().choices[1], ("aes".into(), None));
    let last = few.details.last().unwrap();
    assert_eq!(last.choices[1], ("aes".into(), Some("v3".into())));

    let front = front_of(&correlated(8, 3, 1));
    assert!(front.front.len() > TOLD_POINTS, "{}", front.front.len());
    let many = PlotData::from_front(&front).unwrap();
    assert_eq!((many.details.len(), many.points.len()), (0, front.front.len()));
}

#[test]
fn blocks_are_kept_with_the_choices() {
    let data = PlotData::from_front(&shared()).unwrap();
    assert_eq!(data.details.last().unwrap().blocks, ["sbox".into(), "mul32".into()]);
    let PlotSmallest::At { design: PointDetail { blocks, .. }, .. } = &data.min_schedulable else {
        panic!("{data:?}")
    };
    assert_eq!(*blocks, ["sbox".into()]);
    let mut value: Value = serde_json::from_slice(&written(&shared())).unwrap();
    // Without the design itself, that of the point with its area is used.
    value.as_object_mut().unwrap().remove("min_schedulable");
    assert_eq!(read_value(&value).unwrap(), data);
    value["points"][3]["blocks"] = json!([3]);
    assert!(matches!(read_value(&value), Err(PlotError::Field(_))));
    // In points beyond the limit for details, the field's content is skipped.
    let many = front_of(&correlated_with_blocks(12, 3, 2));
    assert!(many.front.len() > TOLD_POINTS);
    let read = PlotData::from_written(written(&many).as_slice()).unwrap();
    assert_eq!(read, PlotData::from_front(&many).unwrap());
}

#[test]
fn clocks_are_kept_with_the_blocks() {
    let slowed = front_of(&slowed_tasks());
    let data = PlotData::from_front(&slowed).unwrap();
    assert_eq!(data.details[3].clock_hz, Some("123000000".into()));
    let mut value: Value = serde_json::from_slice(&written(&slowed)).unwrap();
    assert_eq!(read_value(&value).unwrap(), data);
    value.as_object_mut().unwrap().remove("min_schedulable");
    assert_eq!(read_value(&value).unwrap(), data);
    for point in value["points"].as_array_mut().unwrap() {
        point.as_object_mut().unwrap().remove("clock_hz");
    }
    assert!(read_value(&value).unwrap().details.iter().all(|detail| detail.clock_hz.is_none()));
    value["points"][3]["clock_hz"] = json!(123);
    assert!(matches!(read_value(&value), Err(PlotError::Field(_))));
}

#[test]
fn a_front_without_the_field_has_no_blocks() {
    let mut value: Value = serde_json::from_slice(&written(&shared())).unwrap();
    for point in value["points"].as_array_mut().unwrap() {
        point.as_object_mut().unwrap().remove("blocks");
    }
    let read = read_value(&value).unwrap();
    assert!(read.details.iter().all(|detail| detail.blocks.is_empty()));
    assert!(PlotData::from_front(&demo()).unwrap().details.iter().all(|detail| detail.blocks.is_empty()));
}

#[test]
fn the_fields_of_the_contract_are_enough() {
    let mut value = demo_json();
    let with = read_value(&value).unwrap();
    value.as_object_mut().unwrap().remove("min_schedulable");
    value.as_object_mut().unwrap().remove("min_schedulable_unknown");
    assert_eq!(read_value(&value).unwrap(), with);
    value["min_schedulable_area"] = Value::Null;
    assert_eq!(read_value(&value).unwrap().min_schedulable, PlotSmallest::Unknown);
    for point in value["points"].as_array_mut().unwrap() {
        point["schedulable"] = false.into();
        point["schedulable_within"] = false.into();
    }
    assert_eq!(read_value(&value).unwrap().min_schedulable, PlotSmallest::Nowhere);
}

#[test]
fn what_is_not_json_says_so() {
    for text in ["", "hello", "{\"schema\":", "{} {}", "\u{0}"] {
        let error = PlotData::from_written(text.as_bytes()).unwrap_err();
        assert!(matches!(error, PlotError::NotJson(_)), "{text:?}: {error}");
    }
    let truncated = written(&demo());
    let error = PlotData::from_written(&truncated[..truncated.len() / 2]).unwrap_err();
    assert!(matches!(error, PlotError::NotJson(_)), "{error}");
}

#[test]
fn another_schema_is_named() {
    let mut value = demo_json();
    value["schema"] = "isx.solution/1".into();
    assert!(matches!(read_value(&value), Err(PlotError::Schema { found }) if found == "isx.solution/1"));
    // The schema is named even if the rest is something else altogether.
    let error = PlotData::from_written(r#"{"schema": "isx.front/9", "points": 3}"#.as_bytes()).unwrap_err();
    assert!(matches!(error, PlotError::Schema { .. }), "{error}");
}

#[test]
fn missing_fields_are_named() {
    let fields = ["schema", "taskset", "area_unit", "base", "points", "min_schedulable_area", "complete"];
    for field in fields {
        let mut value = demo_json();
        value.as_object_mut().unwrap().remove(field);
        assert!(matches!(read_value(&value), Err(PlotError::Missing(name)) if name == field), "{field}");
    }
    for field in ["area", "utilization", "schedulable"] {
        let mut value = demo_json();
        value["points"][1].as_object_mut().unwrap().remove(field);
        let error = read_value(&value).unwrap_err().to_string();
        assert!(error.contains(field), "{error}");
    }
}

#[test]
fn wrong_types_and_orders_are_refused() {
    let edits: [(&str, Value); 5] = [
        ("area", json!(3)),
        ("area", json!("1e999")),
        ("area", json!("-1")),
        ("schedulable", json!("yes")),
        ("utilization", json!({"num": "1", "den": "2", "approx": "0.5"})),
    ];
    for (field, wrong) in edits {
        let mut value = demo_json();
        value["points"][1][field] = wrong.clone();
        assert!(read_value(&value).is_err(), "{field} {wrong}");
    }
    let mut value = demo_json();
    value["points"].as_array_mut().unwrap().reverse();
    assert!(matches!(read_value(&value), Err(PlotError::NotAFront { index: 1, .. })));
    value["points"] = json!([]);
    assert!(matches!(read_value(&value), Err(PlotError::NotAFront { index: 0, .. })));
    assert!(matches!(read_value(&json!([1])), Err(PlotError::Field(_))));
}
