//! Checks that the points of a written front agree with each other and with the other fields of its document.

use super::unreadable::PlotError;
use super::{Number, Point};
use isx_exact::quantity::Rational;
use num_traits::One;

/// Conclusions from the points read so far.
#[derive(Default)]
pub struct Seen {
    pub count: usize,
    /// Whether the front is of cost against margin.
    pub by_margin: bool,
    /// Whether hardware is counted as one area, which is not negative.
    is_area: bool,
    /// The resources that are objectives.
    pub objectives: Vec<usize>,
    /// The costs of the last point in the objectives, and what falls along one objective.
    last: Option<(Vec<Number>, Rational)>,
    /// The first point within whose cost some design is schedulable, and that cost, if there is one objective.
    enough: Option<(usize, Number)>,
    /// The cost of the last point within whose cost no design is schedulable.
    short: Option<Number>,
}

impl Seen {
    pub fn new(by_margin: bool, is_area: bool, objectives: Vec<usize>) -> Self {
        Self { by_margin, is_area, objectives, ..Self::default() }
    }

    /// Adds a point; a contradiction is an error.
    pub fn add(&mut self, point: &Point) -> Result<(), &'static str> {
        if self.by_margin {
            match &point.margin {
                None => return Err("there is no `margin`, and the front is of area against margin,"),
                Some(margin) if *margin <= Number::default() => return Err("`margin` is 0"),
                Some(margin)
                    if point.schedulable.is_some_and(|met| met != (margin.exact() >= Rational::one())) =>
                {
                    return Err("`margin` contradicts `schedulable`");
                }
                Some(_) => {}
            }
        }
        let cost: Vec<Number> = self.objectives.iter().map(|&at| point.cost[at].clone()).collect();
        if self.is_area && cost[0] < Number::default() {
            return Err("the area is negative");
        }
        let measure = point.measure();
        let is_one = cost.len() == 1;
        if let Some((last, least)) = &self.last
            && (*last >= cost || (is_one && *least <= measure))
        {
            return Err(match (is_one, self.by_margin) {
                (false, _) => "the costs in the objectives do not rise (first objective first)",
                (true, true) => "area or margin does not rise",
                (true, false) => "area does not rise, or utilization does not fall,",
            });
        }
        if point.is_impossible() {
            return Err("a design of utilization above 1 is marked schedulable");
        }
        if point.schedulable_within == Some(false) && point.schedulable == Some(true) {
            return Err(match is_one {
                true => "a schedulable design is marked as having none within its area",
                false => "a schedulable design is marked as having none within its cost",
            });
        }
        if is_one && point.schedulable_within == Some(false) {
            if self.enough.is_some() {
                return Err("no design is marked schedulable within an area in which one was before,");
            }
            self.short = cost.first().cloned();
        }
        let is_enough = point.schedulable == Some(true) || point.schedulable_within == Some(true);
        if is_one && is_enough && self.enough.is_none() {
            self.enough = cost.first().cloned().map(|cost| (self.count, cost));
        }
        self.last = Some((cost, measure));
        self.count += 1;
        Ok(())
    }

    /// Whether the smallest schedulable design, and whether it is known, are consistent with the verdicts.
    pub fn agree_with(&self, smallest: Option<&Point>, is_unknown: bool) -> Result<(), PlotError> {
        let wrong = |why: String| Err(PlotError::Field(why));
        let enough = self.enough.as_ref();
        let Some(smallest) = smallest else {
            return match enough.filter(|_| !is_unknown) {
                Some((index, _)) => {
                    wrong(format!("`min_schedulable` is empty, and point {index} is schedulable"))
                }
                None => Ok(()),
            };
        };
        let cost = &smallest.cost[self.objectives[0]];
        let stated = format!("`min_schedulable` is {}", cost.decimal());
        if let Some((index, least)) = enough.filter(|(_, least)| least < cost) {
            let least = least.decimal();
            return wrong(format!(
                "{stated}, and point {index} has a schedulable design within area {least}"
            ));
        }
        match self.short.as_ref().filter(|most| *most >= cost) {
            Some(most) => {
                wrong(format!("{stated}, and no design is marked schedulable within area {}", most.decimal()))
            }
            None => Ok(()),
        }
    }
}
