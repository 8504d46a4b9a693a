//! Reads a front in JSON.
//!
//! It may have been edited by hand. A document that contradicts itself is refused, with the point or field: points out of order, a
//! design of utilization above 1 that is marked schedulable, a smallest schedulable area that differs from its design or from
//! the verdicts. Errors that a document alone cannot show (a missing point, a wrong `status`) are not detected here.

use super::agree::Seen;
use super::document::{Fields, Naming, PointText, WholePoint, twice};
use super::unreadable::PlotError;
use super::{Front, Point};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::io::{BufReader, Read};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// Reads a document, with the choices of the first `whole` points.
/// Fails with [`PlotError`]: the input cannot be read, is not JSON or not a front, or contradicts itself.
pub fn read<'f>(reader: &mut dyn Read, whole: usize) -> Result<Front<'f>, PlotError> {
    let Document { fields, points, .. } = read_fields(reader, whole)?;
    let List { mut naming, seen, points } = points.ok_or(PlotError::Missing("points"))?;
    Ok(Front::read_as(fields.finish(&mut naming, &seen)?.named(naming), points))
}

/// Reads a document, which may lack fields.
pub fn read_fields(reader: &mut dyn Read, whole: usize) -> Result<Document, PlotError> {
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(BUFFER, reader));
    let mut document = Document { whole, fields: Fields::default(), points: None, wrong: None };
    let parsed = (&mut document).deserialize(&mut json).and_then(|()| json.end());
    document.fields.check_schema()?;
    if let Some(wrong) = document.wrong.take() {
        return Err(wrong);
    }
    parsed?;
    Ok(document)
}

/// What has been read so far: kept outside the parser, so that its errors can be distinguished from our own.
pub struct Document {
    whole: usize,
    pub fields: Fields,
    points: Option<List>,
    wrong: Option<PlotError>,
}

/// The points that were read.
struct List {
    naming: Naming,
    seen: Seen,
    points: Vec<Point>,
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
                "points" if self.points.is_some() => return Err(twice("points")),
                "points" => {
                    let (naming, seen) = self.fields.expect_points().map_err(A::Error::custom)?;
                    let mut list = List { naming, seen, points: Vec::new() };
                    map.next_value_seed(Points {
                        list: &mut list,
                        whole: self.whole,
                        wrong: &mut self.wrong,
                    })?;
                    self.points = Some(list);
                }
                name => self.fields.take(name, &mut map)?,
            }
            if self.fields.check_schema().is_err() {
                // Other errors in the document would only mislead.
                return Err(A::Error::custom("another schema"));
            }
        }
        Ok(())
    }
}

/// The list of points.
struct Points<'a> {
    list: &'a mut List,
    whole: usize,
    wrong: &'a mut Option<PlotError>,
}

impl<'de> DeserializeSeed<'de> for Points<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Points<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let List { naming, seen, points } = self.list;
        loop {
            let index = points.len();
            let next = if index < self.whole {
                list.next_element::<WholePoint>()?.map(|text| naming.point(text))
            } else {
                list.next_element::<PointText<IgnoredAny>>()?.map(|text| naming.point(text))
            };
            let Some(point) = next else { return Ok(()) };
            let point = point.map_err(|why| A::Error::custom(format!("point {index}: {why}")))?;
            if let Err(why) = seen.add(&point) {
                *self.wrong = Some(PlotError::NotAFront { index, why });
                return Err(A::Error::custom(why));
            }
            points.push(point);
        }
    }
}
