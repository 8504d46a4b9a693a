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

use super::csv::column_names;
use super::{Front, Number, Point};
use isx_machine::cpu::Workers;
use isx_problems::mckp::NO_ITEM;
use std::ops::Range;

/// Points that a thread reads at a time.
const CHUNK: usize = 1 << 13;
/// Stands for software among choices.
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

/// What a column says of a point.
#[derive(Clone, Copy, Debug)]
enum Figure {
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
        let contents = contents(front);
        let columns = column_names(&front.head).into_iter().zip(contents);
        let column = |(name, (figure, content))| Column { name, content, figure };
        Self { front, columns: columns.map(column).collect() }
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

    /// The number that it says of a point; for numerator and denominator the fraction.
    fn number<'p>(&self, point: &'p Point) -> Option<&'p Number> {
        match self.figure {
            Figure::Cost(at) => point.cost.get(at),
            Figure::InMode(at) => point.modes.get(at),
            Figure::Margin | Figure::MarginNumerator | Figure::MarginDenominator => point.margin.as_ref(),
            _ => Some(&point.utilization),
        }
    }

    fn add(&self, point: &Point, to: &mut Values) {
        match to {
            // Widths are chosen so that every number fits.
            Values::Integers(to) => to.push(self.integer(point).unwrap_or(i64::MIN)),
            Values::Texts(to) => {
                let mut text = Vec::new();
                let written = self.number(point).map(|number| match self.figure {
                    Figure::Numerator | Figure::MarginNumerator => number.write_numerator(&mut text),
                    Figure::Denominator | Figure::MarginDenominator => number.write_denominator(&mut text),
                    _ => number.write_decimal(&mut text),
                });
                // Memory takes every byte, and digits are text.
                let _ = written;
                to.push(String::from_utf8(text).unwrap_or_default());
            }
            Values::Doubles(to) => to.push(self.number(point).map_or(f64::NAN, Number::approx)),
            Values::Verdicts(to) => to.push(match self.figure {
                Figure::Schedulable => point.schedulable,
                _ => point.schedulable_within,
            }),
            Values::Names(to) => to.push(self.named(point).unwrap_or(SOFTWARE)),
            Values::Lists(counts, to) => {
                counts.push(point.blocks.len() as u32);
                to.extend(&point.blocks);
            }
        }
    }

    fn integer(&self, point: &Point) -> Option<i64> {
        let number = self.number(point)?;
        match (self.figure, &self.content) {
            (Figure::Numerator, _) => Some(number.small()?.0),
            (Figure::Denominator, _) => i64::try_from(number.small()?.1).ok(),
            (_, Content::Decimal(places)) => i64::try_from(number.digits(*places)?).ok(),
            _ => Some(number.small()?.0),
        }
    }

    fn named(&self, point: &Point) -> Option<u32> {
        match self.figure {
            Figure::Variant => point.variant,
            Figure::Clock => point.clock,
            Figure::Choice(task) => point.choices.get(task).copied().flatten(),
            _ => None,
        }
    }
}

/// The columns in order, each as wide as the front needs it.
fn contents(front: &Front) -> Vec<(Figure, Content)> {
    let head = &front.head;
    let (costs, fraction) = widths(front);
    let mut columns: Vec<(Figure, Content)> =
        costs.into_iter().enumerate().map(|(at, width)| (Figure::Cost(at), width)).collect();
    columns.extend([
        (Figure::Numerator, fraction.clone()),
        (Figure::Denominator, fraction),
        (Figure::Utilization, Content::Double),
        (Figure::Schedulable, Content::Verdict),
        (Figure::Within, Content::Verdict),
    ]);
    columns.extend(head.has_blocks.then(|| (Figure::Blocks, Content::Names(head.blocks.clone()))));
    let some = |names: &[String], figure| {
        (!names.is_empty()).then(|| (figure, Content::Name(names.to_vec(), false)))
    };
    columns.extend(some(&head.variants, Figure::Variant));
    columns.extend((0..head.modes.len()).map(|mode| (Figure::InMode(mode), Content::Double)));
    columns.extend(some(&head.clocks, Figure::Clock));
    if head.by_margin {
        columns.push((Figure::MarginNumerator, Content::Text));
        columns.push((Figure::MarginDenominator, Content::Text));
        columns.push((Figure::Margin, Content::Double));
    }
    let choices = |(task, named): (usize, &super::NamedTask)| {
        (Figure::Choice(task), Content::Name(named.choices.clone(), true))
    };
    columns.extend(head.tasks.iter().enumerate().map(choices));
    columns
}

/// What holds the costs, and numerators and denominators of utilizations, of all points.
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
