//! The front as columns, for column-oriented file formats and for tables in memory.
//!
//! Columns are named as in [`crate::front::csv`]. A front is read in groups of points, so memory is needed for one group only,
//! however long the front is.
//!
//! ```
//! use isx_report::columns::{Columns, Content, Values};
//! let text = "
//! name: two tasks
//! tasks:
//!   - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
//!   - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
//! ";
//! let task_set = isx_taskset::read_str("two-tasks.yaml", text).unwrap().task_set;
//! let explored = isx_explore::explore(&task_set, &isx_explore::Options::default()).unwrap();
//! let front = isx_report::front::Front::of(&explored);
//! let columns = Columns::new(&front);
//! assert_eq!((columns.list()[0].name.as_str(), &columns.list()[0].content), ("area", &Content::Integer));
//! let values = columns.read(0..front.len(), &isx_machine::cpu::Workers::new(1));
//! assert_eq!(values[0], Values::Integers(vec![0, 120, 420]));
//! assert_eq!(values[3], Values::Doubles(vec![1.1, 0.9, 0.7]));
//! assert_eq!(values[6], Values::Names(vec![isx_report::columns::SOFTWARE, 0, 0]));
//! ```

use super::{Front, Head, Number, Point, costs};
use isx_machine::cpu::Workers;
use isx_problems::mckp::NO_ITEM;
use std::io::{self, Write};
use std::ops::Range;

/// Points that a thread reads at a time.
const CHUNK: usize = 1 << 13;
/// The index that stands for software among the choices of a task.
pub const SOFTWARE: u32 = NO_ITEM;
/// Most digits of a number in a decimal column.
pub const DECIMAL_DIGITS: u32 = 18;

/// What a column holds: numbers as narrow as the whole front allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// 64-bit integers.
    Integer,
    /// 64-bit integers of at most [`DECIMAL_DIGITS`] digits, with this many digits after the decimal point.
    Decimal(u32),
    /// Numbers as text: decimals, or fractions where no decimal is exact.
    Text,
    /// The nearest doubles.
    Double,
    /// Verdicts, unknown ones among them.
    Verdict,
    /// One of these names; [`SOFTWARE`] only if the flag is set.
    Name(Vec<String>, bool),
    /// Some of these names.
    Names(Vec<String>),
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name, different from those of the others.
    pub name: String,
    /// What it holds.
    pub content: Content,
    figure: Figure,
}

/// Which figure of a point a column holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    Cost(usize),
    Numerator,
    Denominator,
    Utilization,
    Schedulable,
    Within,
    Blocks,
    Variant,
    InMode(usize),
    Clock,
    MarginNumerator,
    MarginDenominator,
    Margin,
    Choice(usize),
}

impl Figure {
    /// The names to which its values refer.
    pub fn names(self, head: &Head) -> &[String] {
        match self {
            Self::Blocks => &head.blocks,
            Self::Variant => &head.variants,
            Self::Clock => &head.clocks,
            Self::Choice(task) => &head.tasks[task].choices,
            _ => &[],
        }
    }

    /// The index of the name that a point has in this column.
    pub fn name(self, point: &Point) -> Option<u32> {
        match self {
            Self::Variant => point.variant,
            Self::Clock => point.clock,
            Self::Choice(task) => point.choices.get(task).copied().flatten(),
            _ => None,
        }
    }

    /// Whether it holds names, which are read for some of the points alone.
    #[cfg(feature = "parquet")]
    pub fn is_of_names(self) -> bool {
        matches!(self, Self::Blocks | Self::Variant | Self::Clock | Self::Choice(_))
    }

    /// Whether it holds nearest doubles, beside which there are exact numbers.
    #[cfg(feature = "parquet")]
    pub fn is_double(self) -> bool {
        matches!(self, Self::Utilization | Self::InMode(_) | Self::Margin)
    }

    /// The verdict that a point has in this column.
    pub fn verdict(self, point: &Point) -> Option<bool> {
        if matches!(self, Self::Schedulable) { point.schedulable } else { point.schedulable_within }
    }

    /// The number that a point has in this column; for a numerator or denominator the whole fraction.
    fn number(self, point: &Point) -> Option<&Number> {
        match self {
            Self::Cost(at) => point.cost.get(at),
            Self::InMode(at) => point.modes.get(at),
            Self::Margin | Self::MarginNumerator | Self::MarginDenominator => point.margin.as_ref(),
            Self::Numerator | Self::Denominator | Self::Utilization => Some(&point.utilization),
            _ => None,
        }
    }

    /// Writes that number: exactly, or the nearest double.
    pub fn write(self, point: &Point, out: &mut Vec<u8>) -> io::Result<()> {
        match (self, self.number(point)) {
            (_, None) => Ok(()),
            (Self::Cost(_), Some(number)) => number.write_decimal(out),
            (Self::Numerator | Self::MarginNumerator, Some(number)) => number.write_numerator(out),
            (Self::Denominator | Self::MarginDenominator, Some(number)) => number.write_denominator(out),
            (_, Some(number)) => write!(out, "{}", number.approx()),
        }
    }
}

/// The columns that every front has after those of its costs.
const FIGURES: [(&str, Figure); 5] = [
    ("utilization_num", Figure::Numerator),
    ("utilization_den", Figure::Denominator),
    ("utilization", Figure::Utilization),
    ("schedulable", Figure::Schedulable),
    ("schedulable_within", Figure::Within),
];
/// Names that other columns may have.
const OTHERS: [&str; 3] = ["blocks", "variant", "clock_hz"];
/// The columns of a front of area against margin.
const MARGIN: [(&str, Figure); 3] = [
    ("margin_num", Figure::MarginNumerator),
    ("margin_den", Figure::MarginDenominator),
    ("margin", Figure::Margin),
];

/// The columns of a front, all of different names: costs, figures, verdicts, what some fronts have, choices.
pub(super) fn named(head: &Head) -> Vec<(String, Figure)> {
    let is_other = |name: &str| OTHERS.contains(&name) || FIGURES.iter().any(|(other, _)| *other == name);
    let of_resource = |(at, name): (usize, &str)| {
        (if is_other(name) { format!("resource {name}") } else { name.to_owned() }, Figure::Cost(at))
    };
    let owned = |(name, figure): (&str, Figure)| (name.to_owned(), figure);
    let mut columns: Vec<(String, Figure)> =
        costs::names(&head.resources).into_iter().enumerate().map(of_resource).collect();
    columns.extend(FIGURES.map(owned));
    columns.extend(head.has_blocks.then(|| owned((OTHERS[0], Figure::Blocks))));
    columns.extend((!head.variants.is_empty()).then(|| owned((OTHERS[1], Figure::Variant))));
    let modes = head.modes.iter().enumerate();
    columns.extend(modes.map(|(at, mode)| (format!("utilization {mode}"), Figure::InMode(at))));
    columns.extend((!head.clocks.is_empty()).then(|| owned((OTHERS[2], Figure::Clock))));
    columns.extend(head.by_margin.then(|| MARGIN.map(owned)).into_iter().flatten());
    let before = columns.len();
    for at in head.choosing() {
        let task = &head.tasks[at];
        let plain = task.name.trim_start_matches("task ");
        let is_taken = columns[..before].iter().any(|(name, _)| name == plain);
        let name = if is_taken { format!("task {}", task.name) } else { task.name.clone() };
        columns.push((name, Figure::Choice(at)));
    }
    columns
}

/// The values of a column at some points.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers, or the digits of decimals.
    Integers(Vec<i64>),
    /// Numbers as text.
    Texts(Vec<String>),
    /// Doubles.
    Doubles(Vec<f64>),
    /// Verdicts; `None` is unknown.
    Verdicts(Vec<Option<bool>>),
    /// Indices of names; [`SOFTWARE`] for none.
    Names(Vec<u32>),
    /// How many names each point has, and their indices one after the other.
    Lists(Vec<u32>, Vec<u32>),
}

/// The columns of a front.
pub struct Columns<'f, 'a> {
    front: &'f Front<'a>,
    columns: Vec<Column>,
}

impl<'f, 'a> Columns<'f, 'a> {
    /// The columns, each as narrow as the front allows.
    pub fn new(front: &'f Front<'a>) -> Self {
        let (costs, fraction) = widths(front);
        let column = |(name, figure): (String, Figure)| {
            let names = || figure.names(&front.head).to_vec();
            let content = match figure {
                Figure::Cost(at) => costs[at].clone(),
                Figure::Numerator | Figure::Denominator => fraction.clone(),
                Figure::Utilization | Figure::InMode(_) | Figure::Margin => Content::Double,
                Figure::Schedulable | Figure::Within => Content::Verdict,
                Figure::Blocks => Content::Names(names()),
                Figure::Variant | Figure::Clock => Content::Name(names(), false),
                Figure::MarginNumerator | Figure::MarginDenominator => Content::Text,
                Figure::Choice(_) => Content::Name(names(), true),
            };
            Column { name, content, figure }
        };
        Self { front, columns: named(&front.head).into_iter().map(column).collect() }
    }

    /// The columns in order.
    pub fn list(&self) -> &[Column] {
        &self.columns
    }

    /// Some of the columns.
    #[must_use]
    pub fn only(mut self, columns: Range<usize>) -> Self {
        self.columns = self.columns.drain(columns).collect();
        self
    }

    /// The values of these points, one entry per column, read by all threads.
    pub fn read(&self, points: Range<usize>, workers: &Workers) -> Vec<Values> {
        let end = points.end.min(self.front.len());
        let chunks = end.saturating_sub(points.start).div_ceil(CHUNK) as u64;
        let chunk = |at: u64| {
            let from = points.start + at as usize * CHUNK;
            let mut values: Vec<Values> = self.columns.iter().map(Column::none).collect();
            self.front.visit(from..end.min(from + CHUNK), &mut |_, point| {
                self.columns.iter().zip(&mut values).for_each(|(column, values)| column.add(point, values));
            });
            values
        };
        let mut read: Vec<Values> = self.columns.iter().map(Column::none).collect();
        for values in workers.map(chunks, true, chunk) {
            read.iter_mut().zip(values).for_each(|(read, values)| read.append(values));
        }
        read
    }
}

impl Values {
    fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::Integers(all), Self::Integers(more)) => all.extend(more),
            (Self::Texts(all), Self::Texts(more)) => all.extend(more),
            (Self::Doubles(all), Self::Doubles(more)) => all.extend(more),
            (Self::Verdicts(all), Self::Verdicts(more)) => all.extend(more),
            (Self::Names(all), Self::Names(more)) => all.extend(more),
            (Self::Lists(counts, all), Self::Lists(more_counts, more)) => {
                counts.extend(more_counts);
                all.extend(more);
            }
            // Both are of one column.
            _ => {}
        }
    }
}

impl Column {
    /// No values of this column.
    fn none(&self) -> Values {
        match self.content {
            Content::Integer | Content::Decimal(_) => Values::Integers(Vec::new()),
            Content::Text => Values::Texts(Vec::new()),
            Content::Double => Values::Doubles(Vec::new()),
            Content::Verdict => Values::Verdicts(Vec::new()),
            Content::Name(..) => Values::Names(Vec::new()),
            Content::Names(_) => Values::Lists(Vec::new(), Vec::new()),
        }
    }

    fn add(&self, point: &Point, to: &mut Values) {
        let number = || self.figure.number(point);
        match to {
            // Widths are chosen so that every number fits.
            Values::Integers(to) => {
                to.push(number().and_then(|number| self.integer(number)).unwrap_or(i64::MIN))
            }
            Values::Texts(to) => {
                let mut text = Vec::new();
                // Memory takes every byte, and digits are text.
                let _ = self.figure.write(point, &mut text);
                to.push(String::from_utf8(text).unwrap_or_default());
            }
            Values::Doubles(to) => to.push(number().map_or(f64::NAN, Number::approx)),
            Values::Verdicts(to) => to.push(self.figure.verdict(point)),
            Values::Names(to) => to.push(self.figure.name(point).unwrap_or(SOFTWARE)),
            Values::Lists(counts, to) => {
                counts.push(point.blocks.len() as u32);
                to.extend(&point.blocks);
            }
        }
    }

    fn integer(&self, number: &Number) -> Option<i64> {
        match (self.figure, &self.content) {
            (Figure::Denominator, _) => i64::try_from(number.small()?.1).ok(),
            (_, Content::Decimal(places)) => i64::try_from(number.digits(*places)?).ok(),
            _ => Some(number.small()?.0),
        }
    }
}

/// The types of the columns of costs, and that of numerators and denominators of utilizations, wide enough for all points.
fn widths(front: &Front) -> (Vec<Content>, Content) {
    /// The digits after the decimal point in a resource, and its least and greatest cost.
    type Range = (Option<u32>, Number, Number);
    let mut ranges: Vec<Option<Range>> = vec![None; front.head.resources.names.len()];
    let mut is_narrow = true;
    front.figures(0..front.len(), &mut |_, point| {
        let fits =
            |(numerator, denominator): (i64, u64)| numerator >= 0 && i64::try_from(denominator).is_ok();
        is_narrow = is_narrow && point.utilization.small().is_some_and(fits);
        for (range, cost) in ranges.iter_mut().zip(&point.cost) {
            let (places, least, most) = range.get_or_insert_with(|| (Some(0), cost.clone(), cost.clone()));
            *places = places.zip(cost.places()).map(|(one, other)| one.max(other));
            if cost < least {
                least.clone_from(cost);
            } else if cost > most {
                most.clone_from(cost);
            }
        }
    });
    let bound = 10u128.pow(DECIMAL_DIGITS);
    let width = |range: Option<Range>| {
        let Some((places, least, most)) = range else { return Content::Integer };
        let fits = |number: &Number, places| {
            number.digits(places).is_some_and(|digits| digits.unsigned_abs() < bound)
        };
        match places.filter(|&places| fits(&least, places) && fits(&most, places)) {
            Some(0) => Content::Integer,
            Some(places) if places <= DECIMAL_DIGITS => Content::Decimal(places),
            _ => Content::Text,
        }
    };
    let fraction = if is_narrow { Content::Integer } else { Content::Text };
    (ranges.into_iter().map(width).collect(), fraction)
}
