//! The solution of a plain problem, as text and as JSON (schema `isx.solution/1`).

use isx_exact::quantity::{Rational, format_decimal};
use isx_problems::account::Account;
use isx_problems::{knapsack, mckp};
use num_bigint::BigInt;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

/// The schema's name.
pub const SCHEMA: &str = "isx.solution/1";

/// The points of an answer, of whichever family of problems. Points are numbered from 0, the last is the best.
pub trait Points {
    /// How many there are, at least 1.
    fn points(&self) -> usize;
    /// Weight of a point.
    fn weight(&self, point: usize) -> u64;
    /// Value of a point.
    fn value(&self, point: usize) -> BigInt;
    /// Somebody who reads the items behind points, one point at a time.
    fn picks(&self) -> Box<dyn Picks + '_>;
}

/// Reads the items behind points.
pub trait Picks {
    /// Appends those of a point, as an array of JSON.
    fn append(&mut self, point: usize, line: &mut String);
}

impl Points for mckp::Claim {
    fn points(&self) -> usize {
        self.len()
    }

    fn weight(&self, point: usize) -> u64 {
        self.weights[point]
    }

    fn value(&self, point: usize) -> BigInt {
        self.values.get(point)
    }

    fn picks(&self) -> Box<dyn Picks + '_> {
        Box::new(ItemOfEveryClass(self))
    }
}

/// The item that every class gives, `null` for none.
struct ItemOfEveryClass<'a>(&'a mckp::Claim);

impl Picks for ItemOfEveryClass<'_> {
    fn append(&mut self, point: usize, line: &mut String) {
        let Some(items) = self.0.items(point) else { return line.push_str("null") };
        append_array(&items, line, |item, line| match item {
            Some(item) => write!(line, "{item}"),
            None => write!(line, "null"),
        });
    }
}

impl Points for knapsack::Claim {
    fn points(&self) -> usize {
        self.len()
    }

    fn weight(&self, point: usize) -> u64 {
        self.weights[point]
    }

    fn value(&self, point: usize) -> BigInt {
        self.profits.get(point)
    }

    fn picks(&self) -> Box<dyn Picks + '_> {
        Box::new(ChosenItems { claim: self, items: Vec::new() })
    }
}

/// The items that are taken.
struct ChosenItems<'a> {
    claim: &'a knapsack::Claim,
    items: Vec<u32>,
}

impl Picks for ChosenItems<'_> {
    fn append(&mut self, point: usize, line: &mut String) {
        if self.claim.write_items(point, &mut self.items) {
            append_array(&self.items, line, |item, line| write!(line, "{item}"));
        } else {
            line.push_str("null");
        }
    }
}

fn append_array<T>(items: &[T], line: &mut String, append: impl Fn(&T, &mut String) -> std::fmt::Result) {
    line.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        // Writing to a string cannot fail.
        let _ = append(item, line);
    }
    line.push(']');
}

/// What there is to report: the points, and how they were found.
#[derive(Clone, Copy)]
pub struct Solved<'a> {
    /// The points.
    pub claim: &'a dyn Points,
    /// How they were found.
    pub account: &'a Account,
}

impl Solved<'_> {
    fn points(&self) -> usize {
        self.claim.points()
    }

    fn weight(&self, point: usize) -> u64 {
        self.claim.weight(point)
    }

    fn value(&self, point: usize) -> BigInt {
        self.claim.value(point)
    }
}

/// What to report, and how the file's numbers were scaled.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The kind of problem, `mckp` for example.
    pub problem: &'static str,
    /// Values were multiplied by this power of ten.
    pub value_places: u32,
    /// Weights were multiplied by this power of ten.
    pub weight_places: u32,
    /// Report every point of the front, not only the best.
    pub front: bool,
    /// Report the items.
    pub picks: bool,
    /// Report in text how it was solved: engine, times, updates. JSON has them always.
    pub account: bool,
    /// Time of reading the file.
    pub read: Duration,
}

impl Options {
    pub(super) fn value(&self, value: &BigInt) -> String {
        unscaled(value, self.value_places)
    }

    pub(super) fn weight(&self, weight: u64) -> String {
        unscaled(&weight.into(), self.weight_places)
    }

    /// A number that JavaScript and jq read rightly, else a string.
    ///
    /// They hold numbers as doubles, which have every integer up to 2^53 and give back every decimal of up to 15
    /// digits.
    pub(super) fn weight_json(&self, weight: u64) -> String {
        let text = self.weight(weight);
        let most = if text.contains('.') { 10_u64.pow(15) - 1 } else { 1 << 53 };
        let digits = text.replace('.', "").parse::<u64>();
        if digits.is_ok_and(|digits| digits <= most) { text } else { format!("\"{text}\"") }
    }
}

fn unscaled(number: &BigInt, places: u32) -> String {
    if places == 0 {
        return number.to_string();
    }
    format_decimal(&Rational::new(number.clone(), BigInt::from(10).pow(places)))
}

/// Writes the solution (`None`: nothing fits the capacity) as one JSON object, the front as a stream.
///
/// Keys come in one order, whatever the answer. A weight is a number where every reader gets it right (an integer up
/// to 2^53, or a decimal of at most 15 digits), else a string.
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(solution: Option<Solved<'_>>, options: &Options, out: &mut impl Write) -> io::Result<()> {
    let Some(solution) = solution else {
        let mut document = json!({
            "schema": SCHEMA, "problem": options.problem, "feasible": false,
            "value": null, "weight": null, "picks": null, "engine": null, "updates": 0,
            "timings": { "read": options.read.as_secs_f64(), "reduce": 0.0, "solve": 0.0, "traceback": 0.0 },
        });
        if options.front {
            document["front"] = json!([]);
        }
        if options.front && options.picks {
            document["front_picks"] = json!([]);
        }
        return writeln!(out, "{document:#}");
    };
    let account = solution.account;
    let best = solution.points() - 1;
    let text = |text: &str| serde_json::Value::from(text).to_string();
    writeln!(out, "{{\n  \"schema\": \"{SCHEMA}\",\n  \"problem\": {},", text(options.problem))?;
    writeln!(out, "  \"feasible\": true,")?;
    writeln!(out, "  \"value\": \"{}\",", options.value(&solution.value(best)))?;
    writeln!(out, "  \"weight\": {},", options.weight_json(solution.weight(best)))?;
    write!(out, "  \"picks\": ")?;
    let mut writer = PicksWriter::new(solution);
    writer.write(best, out)?;
    let engine = json!({
        "ran_on": account.ran_on(), "arithmetic": account.arithmetic.to_string(), "why": account.why,
    });
    write!(out, ",\n  \"engine\": {engine},\n  \"updates\": {},\n", account.updates)?;
    let timings = json!({
        "read": options.read.as_secs_f64(),
        "reduce": account.timings.reduce.as_secs_f64(),
        "solve": account.timings.solve.as_secs_f64(),
        "traceback": account.timings.traceback.as_secs_f64(),
    });
    write!(out, "  \"timings\": {timings}")?;
    if options.front {
        write!(out, ",\n  \"front\": [")?;
        for point in 0..solution.points() {
            let (weight, value) = (solution.weight(point), solution.value(point));
            write!(out, "{}[{}, \"{}\"]", comma(point), options.weight_json(weight), options.value(&value))?;
        }
        write!(out, "\n  ]")?;
    }
    if options.front && options.picks {
        write!(out, ",\n  \"front_picks\": [")?;
        for point in 0..solution.points() {
            write!(out, "{}", comma(point))?;
            writer.write(point, out)?;
        }
        write!(out, "\n  ]")?;
    }
    writeln!(out, "\n}}")
}

fn comma(index: usize) -> &'static str {
    if index == 0 { "\n    " } else { ",\n    " }
}

/// Writes the picks of points as JSON arrays.
struct PicksWriter<'a> {
    picks: Box<dyn Picks + 'a>,
    line: String,
}

impl<'a> PicksWriter<'a> {
    fn new(solution: Solved<'a>) -> Self {
        Self { picks: solution.claim.picks(), line: String::new() }
    }

    fn write(&mut self, point: usize, out: &mut impl Write) -> io::Result<()> {
        self.line.clear();
        self.picks.append(point, &mut self.line);
        out.write_all(self.line.as_bytes())
    }
}

/// Prints the best value, its weight and items, and what it took; every point of the front where that is wanted.
///
/// # Errors
///
/// When `out` fails.
pub fn write_text(solution: Option<Solved<'_>>, options: &Options, out: &mut impl Write) -> io::Result<()> {
    let Some(solution) = solution else {
        return writeln!(out, "infeasible: no selection fits the capacity");
    };
    let best = solution.points() - 1;
    let mut writer = PicksWriter::new(solution);
    writeln!(out, "value      {}", options.value(&solution.value(best)))?;
    writeln!(out, "weight     {}", options.weight(solution.weight(best)))?;
    if options.picks && !options.front {
        write!(out, "picks      ")?;
        writer.write(best, out)?;
        writeln!(out)?;
    }
    writeln!(out, "points     {}", solution.points())?;
    if options.account {
        write_account(solution.account, options.read, out)?;
    }
    if !options.front {
        return Ok(());
    }
    writeln!(out, "\nweight value{}", if options.picks { " picks" } else { "" })?;
    for point in 0..solution.points() {
        write!(out, "{} {}", options.weight(solution.weight(point)), options.value(&solution.value(point)))?;
        if options.picks {
            write!(out, " ")?;
            writer.write(point, out)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// How an answer was found, and the time that it took; `read` is that of reading the problem.
pub(super) fn write_account(account: &Account, read: Duration, out: &mut impl Write) -> io::Result<()> {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    writeln!(out, "engine     {}, {} arithmetic; {}", account.ran_on(), account.arithmetic, account.why)?;
    writeln!(
        out,
        "time       read {:.3} ms, reduce {:.3} ms, solve {:.3} ms, traceback {:.3} ms",
        milliseconds(read),
        milliseconds(account.timings.reduce),
        milliseconds(account.timings.solve),
        milliseconds(account.timings.traceback)
    )?;
    writeln!(out, "updates    {}", account.updates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_numbers_only_where_every_reader_gets_them_right() {
        let told = |weight: u64, weight_places| {
            let options = Options {
                problem: "mckp",
                value_places: 0,
                weight_places,
                front: false,
                picks: false,
                account: false,
                read: Duration::ZERO,
            };
            options.weight_json(weight)
        };
        assert_eq!(told(0, 0), "0");
        assert_eq!(told(1 << 53, 0), "9007199254740992");
        assert_eq!(told((1 << 53) + 1, 0), "\"9007199254740993\"");
        assert_eq!(told(u64::MAX, 0), "\"18446744073709551615\"");
        assert_eq!(told(125, 2), "1.25");
        assert_eq!(told(999_999_999_999_999, 3), "999999999999.999");
        assert_eq!(told(1_000_000_000_000_001, 3), "\"1000000000000.001\"");
        assert_eq!(told(1_000_000_000_000_000, 3), "1000000000000");
        assert_eq!(told(5, 18), "0.000000000000000005");
    }
}
