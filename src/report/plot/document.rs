//! The reader of front JSON: keeps what is drawn, skips the rest.

use super::super::json::SCHEMA;
use super::{
    BlockNames, MAX_POINTS, PlotData, PlotError, PlotPoint, PlotSmallest, PointDetail, TOLD_POINTS,
    TaskChoices, parse_area,
};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;
use std::io::{BufReader, Read};

/// How the arithmetic of a front that is not exact ends.
const INEXACT: &str = "(inexact)";

/// A point of the document: what is kept of its area, choices and blocks depends on how many points there are.
#[derive(Deserialize)]
struct Point<Area, Choices, Blocks> {
    area: Area,
    utilization: Utilization,
    // Present even where it is null: a plain Option would take a missing field for null.
    #[serde(deserialize_with = "Option::deserialize")]
    schedulable: Option<bool>,
    #[serde(default)]
    choices: Choices,
    // Not there where the task set has none.
    #[serde(default)]
    blocks: Blocks,
}

/// A point whose choices are told.
type Told = Point<AreaText, Choices, Vec<String>>;

/// A point of many.
type Plain = Point<Area, IgnoredAny, IgnoredAny>;

/// Every task with its choice, in the order of the document.
#[derive(Default)]
struct Choices(TaskChoices);

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tasks;
        impl<'de> Visitor<'de> for Tasks {
            type Value = Choices;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("the choice of every task, a name or null")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut tasks: A) -> Result<Choices, A::Error> {
                let mut choices = Vec::new();
                while let Some((task, choice)) = tasks.next_entry::<String, Option<String>>()? {
                    choices.push((task.into(), choice.map(Into::into)));
                }
                Ok(Choices(choices))
            }
        }
        deserializer.deserialize_map(Tasks)
    }
}

/// An area with its text.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct AreaText(String, f64);

impl TryFrom<String> for AreaText {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let area = parse_area(&text).ok_or_else(|| format!("`{text}` is no area, a decimal in a string"))?;
        Ok(Self(text, area))
    }
}

#[derive(Clone, Copy, Deserialize)]
struct Utilization {
    approx: f64,
}

/// An exact decimal string, read as the nearest double without keeping the text.
#[derive(Clone, Copy)]
struct Area(f64);

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Area;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an area, as a decimal in a string")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Area, E> {
                parse_area(text).map(Area).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl From<Plain> for PlotPoint {
    fn from(point: Plain) -> Self {
        Self { area: point.area.0, utilization: point.utilization.approx, schedulable: point.schedulable }
    }
}

impl Told {
    fn split(self) -> (PlotPoint, PointDetail) {
        let Self { area: AreaText(text, area), utilization, schedulable, choices, blocks } = self;
        let point = PlotPoint { area, utilization: utilization.approx, schedulable };
        let blocks = blocks.into_iter().map(Into::into).collect();
        (point, PointDetail { area: text, choices: choices.0, blocks })
    }
}

/// The points, as they are drawn, and what they say where they are few.
struct Points(Vec<PlotPoint>, Vec<PointDetail>);

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Points;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a list of points")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Points, A::Error> {
                let (mut points, mut details) = (Vec::new(), Vec::new());
                while points.len() < TOLD_POINTS {
                    let Some(told) = list.next_element::<Told>()? else { return Ok(Points(points, details)) };
                    let (point, detail) = told.split();
                    points.push(point);
                    details.push(detail);
                }
                while let Some(point) = list.next_element::<Plain>()? {
                    if points.len() == MAX_POINTS {
                        return Err(A::Error::custom(format!("more than {MAX_POINTS} points")));
                    }
                    details = Vec::new();
                    points.push(point.into());
                }
                Ok(Points(points, details))
            }
        }
        deserializer.deserialize_seq(List)
    }
}

/// What has been read so far: kept outside the parser, so that an error can be told from another schema.
#[derive(Default)]
struct Document {
    schema: Option<String>,
    taskset: Option<String>,
    area_unit: Option<String>,
    base: Option<Plain>,
    points: Option<Points>,
    /// The outer option: whether the field is there.
    smallest_area: Option<Option<String>>,
    smallest: Option<Option<Told>>,
    smallest_unknown: Option<Option<String>>,
    complete: Option<bool>,
    engine: Option<Engine>,
}

/// How the front was computed; only the arithmetic is looked at.
#[derive(Deserialize)]
struct Engine {
    #[serde(default)]
    arithmetic: String,
}

impl<'de> DeserializeSeed<'de> for &mut Document {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Document {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => {
                    self.schema = Some(map.next_value()?);
                    if self.schema.as_deref() != Some(SCHEMA) {
                        // The rest would only fail for reasons that mislead.
                        return Err(A::Error::custom("another schema"));
                    }
                }
                "taskset" => self.taskset = Some(map.next_value()?),
                "area_unit" => self.area_unit = Some(map.next_value()?),
                "base" => self.base = Some(map.next_value()?),
                "points" => self.points = Some(map.next_value()?),
                "min_schedulable_area" => self.smallest_area = Some(map.next_value()?),
                "min_schedulable" => self.smallest = Some(map.next_value()?),
                "min_schedulable_unknown" => self.smallest_unknown = Some(map.next_value()?),
                "engine" => self.engine = Some(map.next_value()?),
                "complete" => self.complete = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Reads the whole document.
pub(super) fn read(reader: impl Read) -> Result<PlotData, PlotError> {
    let mut document = Document::default();
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 18, reader));
    let parsed = document.deserialize_from(&mut json);
    if let Some(found) = document.schema.take_if(|schema| schema != SCHEMA) {
        return Err(PlotError::Schema { found: super::super::text::cut(&found, 60) });
    }
    parsed?;
    document.finish()
}

impl From<serde_json::Error> for PlotError {
    fn from(error: serde_json::Error) -> Self {
        match error.classify() {
            serde_json::error::Category::Io => Self::Read(error.into()),
            serde_json::error::Category::Syntax | serde_json::error::Category::Eof => {
                Self::NotJson(error.to_string())
            }
            serde_json::error::Category::Data => Self::Field(error.to_string()),
        }
    }
}

impl Document {
    fn deserialize_from<R: Read>(
        &mut self,
        json: &mut serde_json::Deserializer<serde_json::de::IoRead<R>>,
    ) -> serde_json::Result<()> {
        DeserializeSeed::deserialize(self, &mut *json)?;
        json.end()
    }

    fn finish(self) -> Result<PlotData, PlotError> {
        let missing = PlotError::Missing;
        self.schema.ok_or(missing("schema"))?;
        let Points(points, details) = self.points.ok_or(missing("points"))?;
        let area_text = self.smallest_area.ok_or(missing("min_schedulable_area"))?;
        let min_schedulable = match area_text {
            Some(area_text) => {
                let area = parse_area(&area_text)
                    .ok_or_else(|| PlotError::Field("`min_schedulable_area` is no area".into()))?;
                let given = self.smallest.flatten().map(|point| {
                    let (point, detail) = point.split();
                    (point.utilization, (detail.choices, detail.blocks))
                });
                let (utilization, built) = given.or_else(|| schedulable_at(&points, &details, area)).unzip();
                let (choices, blocks) = built.unwrap_or_default();
                PlotSmallest::At { area_text, area, utilization, choices, blocks }
            }
            // The schema's least says only that there is no such area; the last verdict then tells why.
            None => match self.smallest_unknown {
                Some(None) => PlotSmallest::Nowhere,
                Some(Some(_)) => PlotSmallest::Unknown,
                None if points.last().is_some_and(|last| last.schedulable == Some(false)) => {
                    PlotSmallest::Nowhere
                }
                None => PlotSmallest::Unknown,
            },
        };
        Ok(PlotData {
            title: self.taskset.ok_or(missing("taskset"))?,
            area_unit: self.area_unit.ok_or(missing("area_unit"))?,
            base: self.base.ok_or(missing("base"))?.into(),
            points,
            details,
            min_schedulable,
            complete: self.complete.ok_or(missing("complete"))?,
            exact: !self.engine.is_some_and(|engine| engine.arithmetic.ends_with(INEXACT)),
        })
    }
}

/// Utilization, choices and blocks of the schedulable point of that area, if the front has one.
fn schedulable_at(
    points: &[PlotPoint],
    details: &[PointDetail],
    area: f64,
) -> Option<(f64, (TaskChoices, BlockNames))> {
    let at = points.iter().position(|point| point.area == area && point.schedulable == Some(true))?;
    let built = details.get(at).map(|detail| (detail.choices.clone(), detail.blocks.clone()));
    Some((points[at].utilization, built.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{
        correlated, correlated_with_blocks, demo, front_of, front_within, random, shared, sharing_fronts,
        unlike_fronts,
    };
    use super::super::super::{json, svg};
    use super::*;
    use crate::schedulability::SmallestSchedulable;
    use serde_json::{Value, json};

    fn written(front: &crate::exploration::Exploration) -> Vec<u8> {
        let mut bytes = Vec::new();
        json::write(front, &crate::machine::cpu::Workers::new(1), &mut bytes).unwrap();
        bytes
    }

    fn demo_json() -> Value {
        serde_json::from_slice(&written(&demo())).unwrap()
    }

    fn read_value(value: &Value) -> Result<PlotData, PlotError> {
        PlotData::from_json(value.to_string().as_bytes())
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
            let again = PlotData::from_json(written(&front).as_slice()).unwrap();
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
        let PlotSmallest::At { blocks, .. } = &data.min_schedulable else { panic!("{data:?}") };
        assert_eq!(*blocks, ["sbox".into()]);
        let mut value: Value = serde_json::from_slice(&written(&shared())).unwrap();
        // Without the design itself, that of the point of its area is told.
        value.as_object_mut().unwrap().remove("min_schedulable");
        assert_eq!(read_value(&value).unwrap(), data);
        value["points"][3]["blocks"] = json!([3]);
        assert!(matches!(read_value(&value), Err(PlotError::Field(_))));
        // Beyond the points that are told, what is in the field is skipped as it passes.
        let many = front_of(&correlated_with_blocks(12, 3, 2));
        assert!(many.front.len() > TOLD_POINTS);
        let read = PlotData::from_json(written(&many).as_slice()).unwrap();
        assert_eq!(read, PlotData::from_front(&many).unwrap());
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
        }
        assert_eq!(read_value(&value).unwrap().min_schedulable, PlotSmallest::Nowhere);
    }

    #[test]
    fn what_is_not_json_says_so() {
        for text in ["", "hello", "{\"schema\":", "{} {}", "\u{0}"] {
            let error = PlotData::from_json(text.as_bytes()).unwrap_err();
            assert!(matches!(error, PlotError::NotJson(_)), "{text:?}: {error}");
        }
        let truncated = written(&demo());
        let error = PlotData::from_json(&truncated[..truncated.len() / 2]).unwrap_err();
        assert!(matches!(error, PlotError::NotJson(_)), "{error}");
    }

    #[test]
    fn another_schema_is_named() {
        let mut value = demo_json();
        value["schema"] = "isx.solution/1".into();
        assert!(matches!(read_value(&value), Err(PlotError::Schema { found }) if found == "isx.solution/1"));
        // Named even where the rest is something else altogether.
        let error = PlotData::from_json(r#"{"schema": "isx.front/2", "points": 3}"#.as_bytes()).unwrap_err();
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
}
