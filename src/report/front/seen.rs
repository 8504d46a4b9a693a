//! Whether the points of a written front agree with one another and with the fields beside them.

use super::read_point::ExactPoint;
use crate::front::unreadable::PlotError;
use isx_exact::quantity::{Rational, format_decimal};
use num_traits::{One, Signed};

/// Conclusions from the points read so far.
#[derive(Default)]
pub struct Seen {
    pub count: usize,
    /// The modes that the document names.
    pub modes: Option<Vec<String>>,
    /// Whether the points say their utilization in each.
    pub are_in_modes: bool,
    /// Whether the front is of area against margin.
    pub by_margin: bool,
    last: Option<(Rational, Rational)>,
    /// With several resources, which of them are the objectives.
    pub objectives: Vec<usize>,
    /// The costs of the last point in the objectives, if there are several resources.
    last_cost: Vec<Rational>,
    /// The first point within whose area some design is schedulable, and that area.
    pub enough: Option<(usize, Rational)>,
    /// The area of the last point within whose area no design is schedulable.
    short: Option<Rational>,
    /// Whether no design is schedulable within the last point's area, or, in documents of earlier versions, that
    /// design is not.
    pub ends_short: bool,
    /// The first contradictory point, and why.
    pub wrong: Option<(usize, &'static str)>,
}

const IMPOSSIBLE: &str = "a design of utilization above 1 is marked schedulable";

impl Seen {
    /// Adds a point; a contradiction is an error.
    pub fn add(&mut self, point: &ExactPoint) -> Result<(), &'static str> {
        point.agrees_with(self.modes.as_deref().unwrap_or_default())?;
        self.are_in_modes = !point.modes.is_empty();
        if !point.cost.is_empty() {
            return self.add_costed(point);
        }
        let measure = self.measure(point)?;
        let is_in_order = |(area, last): &(Rational, Rational)| point.area >= *area && measure <= *last;
        if !self.last.as_ref().is_none_or(is_in_order) {
            return Err(match self.by_margin {
                true => "area or margin does not rise",
                false => "area does not rise, or utilization does not fall,",
            });
        }
        if point.is_impossible() {
            return Err(IMPOSSIBLE);
        }
        if point.schedulable_within == Some(false) {
            if point.schedulable == Some(true) {
                return Err("a schedulable design is marked as having none within its area");
            }
            if self.enough.is_some() {
                return Err("no design is marked schedulable within an area in which one was before,");
            }
            self.short = Some(point.area.clone());
        }
        let is_enough = point.schedulable == Some(true) || point.schedulable_within == Some(true);
        if is_enough && self.enough.is_none() {
            self.enough = Some((self.count, point.area.clone()));
        }
        self.ends_short = point.schedulable_within.or(point.schedulable) == Some(false);
        self.last = Some((point.area.clone(), measure));
        self.count += 1;
        Ok(())
    }

    /// What falls from point to point: the utilization, or 1/margin.
    fn measure(&self, point: &ExactPoint) -> Result<Rational, &'static str> {
        if !self.by_margin {
            return Ok(point.utilization.clone());
        }
        match &point.margin {
            None => Err("there is no `margin`, and the front is of area against margin,"),
            Some(margin) if !margin.is_positive() => Err("`margin` is 0"),
            Some(margin) if point.schedulable.is_some_and(|met| met != (*margin >= Rational::one())) => {
                Err("`margin` contradicts `schedulable`")
            }
            Some(margin) => Ok(margin.recip()),
        }
    }

    /// Adds a point of a front of several resources; a contradiction is an error.
    fn add_costed(&mut self, point: &ExactPoint) -> Result<(), &'static str> {
        let cost: Vec<Rational> = self.objectives.iter().map(|&at| point.cost[at].clone()).collect();
        if self.count > 0 && self.last_cost >= cost {
            return Err("the costs in the objectives do not rise (first objective first)");
        }
        if point.is_impossible() {
            return Err(IMPOSSIBLE);
        }
        if point.schedulable_within == Some(false) && point.schedulable == Some(true) {
            return Err("a schedulable design is marked as having none within its cost");
        }
        self.last_cost = cost;
        self.count += 1;
        Ok(())
    }

    /// Whether the smallest schedulable area is that of its design and is consistent with the verdicts.
    pub fn agree_with(&self, area: &Rational, design: Option<&ExactPoint>) -> Result<(), PlotError> {
        let smallest = format!("`min_schedulable_area` is {}", format_decimal(area));
        let wrong = |why: String| Err(PlotError::Field(format!("{smallest}, and {why}")));
        match design {
            Some(design) if design.area != *area => {
                return wrong(format!("the area of `min_schedulable` {}", format_decimal(&design.area)));
            }
            Some(design) if design.schedulable != Some(true) || design.is_impossible() => {
                return wrong("`min_schedulable` is no schedulable design".into());
            }
            _ => {}
        }
        if let Some((index, least)) = self.enough.as_ref().filter(|(_, least)| least < area) {
            let least = format_decimal(least);
            return wrong(format!("point {index} has a schedulable design within area {least}"));
        }
        if let Some(most) = self.short.as_ref().filter(|most| *most >= area) {
            return wrong(format!("no design is marked schedulable within area {}", format_decimal(most)));
        }
        Ok(())
    }
}
