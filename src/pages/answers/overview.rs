//! Many task sets, one row each: on the terminal as they are decided, and as CSV.

use crate::answers::lines::Columns;
use crate::answers::verdict::minimal_costs;
use crate::answers::words::{verdict, verdict_field};
use anstyle::{AnsiColor, Style};
use isx_design::schedulability::{BudgetVerdict, Smallest};
use isx_exact::quantity::{Rational, approx, format_decimal};
use isx_report::front::csv::field;
use isx_report::front::{Front, Number, Point, costs};
use isx_report::text::visible;
use std::fmt::Display;
use std::io::{self, Write};

/// What a row says of a task set.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Whether it is schedulable; `None` if unknown.
    pub schedulable: Option<bool>,
    /// The smallest schedulable area as a decimal; with several resources, the minimal costs in words.
    pub smallest: Smallest<String>,
    /// Whether larger designs were left out.
    pub is_cut: bool,
    /// The unit of areas.
    pub area_unit: String,
    /// Its front, if that was computed.
    pub front: Option<FrontFacts>,
}

/// What a row says of a front.
#[derive(Clone, Debug)]
pub struct FrontFacts {
    /// The number of points.
    pub points: usize,
    /// The utilization of the last point.
    pub least_utilization: Rational,
    /// The areas of the first and the last point; `None` with several resources.
    pub areas: Option<[Rational; 2]>,
}

impl Facts {
    /// The facts of a front.
    pub fn of_front(front: &Front) -> Self {
        let (head, resources) = (&front.head, &front.head.resources);
        let smallest = match (head.minimal.is_empty(), &head.minimal_unknown) {
            (_, Some(reason)) => Smallest::Unknown(reason.clone()),
            (true, None) => Smallest::None,
            (false, None) => {
                Smallest::At(costs::figures(&mut head.minimal.iter().map(Point::exact_cost), resources))
            }
        };
        let passes = |point: &Point| point.schedulable == Some(true);
        // An undecided smallest area may be above that of a design known to be schedulable.
        let schedulable = match smallest {
            Smallest::At(_) => Some(true),
            Smallest::Unknown(_) if passes(&head.base) || front.position(&passes).is_some() => Some(true),
            Smallest::None => Some(false),
            Smallest::Unknown(_) => None,
        };
        let (mut least, mut areas) = (None::<Number>, None::<[Rational; 2]>);
        front.figures(0..front.len(), &mut |_, point| {
            if least.as_ref().is_none_or(|least| point.utilization < *least) {
                least = Some(point.utilization.clone());
            }
        });
        if let (Some(last), true) = (front.len().checked_sub(1), costs::is_area(resources)) {
            areas = Some([0, last].map(|at| front.figures_of(at).cost[0].exact()));
        }
        let points = front.len();
        let front = least.map(|least| FrontFacts { points, least_utilization: least.exact(), areas });
        let area_unit = resources.area_unit.clone().unwrap_or_default();
        Self { schedulable, smallest, is_cut: !head.complete, area_unit, front }
    }

    /// The facts of a verdict.
    pub fn of_verdict(decided: &BudgetVerdict) -> Self {
        let schedulable = decided.verdict.is_schedulable();
        let resources = &decided.task_set.resources;
        let smallest = match &decided.smallest {
            Smallest::At(_) => {
                let minimal = minimal_costs(decided).unwrap_or_else(|| vec![decided.shown().design.cost]);
                Smallest::At(costs::figures(&mut minimal.into_iter(), resources))
            }
            Smallest::None => Smallest::None,
            Smallest::Unknown(reason) => Smallest::Unknown(reason.clone()),
        };
        let area_unit = resources.area_unit.clone().unwrap_or_default();
        Self { schedulable, smallest, is_cut: false, area_unit, front: None }
    }

    /// The verdict as files have it.
    pub fn verdict(&self) -> &'static str {
        verdict_field(self.schedulable)
    }
}

/// The table on the terminal, whose columns are as wide as the longest of all names.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Columns,
    is_colored: bool,
}

const HEADS: [&str; 3] = ["task set", "verdict", "smallest area"];

impl Table {
    /// A table of task sets with these names.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, is_colored: bool) -> Self {
        let longest = |name: &str| [visible(name), verdict(Some(false), false).0.to_owned()];
        let rows = names.chain([HEADS[0]]).map(longest);
        Self { columns: Columns::new(&[0, 1, 2], rows), is_colored }
    }

    /// Writes the line above the rows.
    pub fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.columns.plain(&HEADS.map(str::to_owned)))
    }

    /// Writes a row; without facts, that of an input that has none.
    pub fn write_row(&self, name: &str, facts: Option<&Facts>, out: &mut dyn Write) -> io::Result<()> {
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let (word, style) = match facts {
            Some(facts) => verdict(facts.schedulable, self.is_colored),
            None => ("ERROR", if self.is_colored { red } else { Style::new() }),
        };
        let smallest = match facts.map(|facts| (&facts.smallest, facts)) {
            Some((Smallest::At(area), facts)) => format!("{area} {}", visible(&facts.area_unit)),
            Some((Smallest::None, facts)) if facts.is_cut => "none within the limits".into(),
            Some((Smallest::None, _)) => "none".into(),
            Some((Smallest::Unknown(_), _)) => "unknown".into(),
            None => String::new(),
        };
        writeln!(out, "{}", self.columns.line(&[visible(name), word.to_owned(), smallest], (1, style)))
    }
}

/// The columns of the CSV.
const COLUMNS: &str = "name,file,points,verdict,min_schedulable_area,least_utilization_num,least_utilization_den,\
                       least_utilization,min_area,max_area,area_unit,error";

/// A row of the CSV.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the input, which is that of the folder with its front.
    pub name: String,
    /// The input's file.
    pub file: String,
    /// The facts, or why there are none.
    pub facts: Result<Facts, String>,
}

/// Writes a header and one row per task set:
/// `name,file,points,verdict,min_schedulable_area,least_utilization_num,least_utilization_den,least_utilization,min_area,max_area,area_unit,error`.
///
/// `verdict` is `schedulable`, `not_schedulable` or `unknown`. `min_schedulable_area` is empty if there is none or it is
/// unknown; `min_area` and `max_area` are those of the front's first and last point. An input without a front has only
/// `name`, `file` and `error`. Fields are quoted as in [`isx_report::csv`].
pub fn write_csv<'a>(rows: impl Iterator<Item = &'a Row>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    for Row { name, file, facts } in rows {
        write!(out, "{},{},", field(name), field(file))?;
        let facts = match facts {
            Ok(facts) => facts,
            Err(error) => {
                writeln!(out, ",,,,,,,,,{}", field(error))?;
                continue;
            }
        };
        let smallest = match &facts.smallest {
            Smallest::At(area) => field(area).into_owned(),
            Smallest::None | Smallest::Unknown(_) => String::new(),
        };
        let front = facts.front.as_ref();
        let utilization = front.map(|front| &front.least_utilization);
        let areas = front.and_then(|front| front.areas.as_ref());
        let fields = [
            or_empty(front.map(|front| front.points)),
            verdict_field(facts.schedulable).to_owned(),
            smallest,
            or_empty(utilization.map(Rational::numer)),
            or_empty(utilization.map(Rational::denom)),
            or_empty(utilization.map(approx)),
            or_empty(areas.map(|areas| format_decimal(&areas[0]))),
            or_empty(areas.map(|areas| format_decimal(&areas[1]))),
            field(&facts.area_unit).into_owned(),
        ];
        writeln!(out, "{},", fields.join(","))?;
    }
    Ok(())
}

fn or_empty(figure: Option<impl Display>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{front_of, task, taskset, whole};

    fn unknown() -> Facts {
        let smallest = Smallest::Unknown("too many steps".into());
        Facts { schedulable: None, smallest, is_cut: false, area_unit: "k,GE".into(), front: None }
    }

    fn fronts() -> Facts {
        let set = taskset(
            "set",
            vec![task("a", 12, 10, &[("c", whole(3), 5), ("d", whole(8), 2)]), task("b", 1, 4, &[])],
        );
        Facts::of_front(&Front::of(&front_of(&set)))
    }

    #[test]
    fn rows_stand_below_one_another_whatever_the_names() {
        let names = ["a", "日本語の名前", "x\u{1b}[2J"];
        let table = Table::new(names.into_iter(), false);
        let mut out = Vec::new();
        table.write_head(&mut out).unwrap();
        table.write_row(names[0], Some(&fronts()), &mut out).unwrap();
        table.write_row(names[1], Some(&unknown()), &mut out).unwrap();
        table.write_row(names[2], None, &mut out).unwrap();
        let wanted = "\
task set      verdict          smallest area
a             SCHEDULABLE      3 NAND2
日本語の名前  UNKNOWN          unknown
x\\u{1b}[2J    ERROR
";
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }

    #[test]
    fn the_csv_has_every_figure_exactly_and_quotes_what_must_be() {
        let row = |name: &str, facts| Row { name: name.into(), file: format!("sets/{name}.yaml"), facts };
        let mut cut = fronts();
        cut.smallest = Smallest::At("1.25".into());
        let rows =
            [row("a", Ok(cut)), row("b", Ok(unknown())), row("=c", Err("line 1, column 2: \"x\"".into()))];
        let mut out = Vec::new();
        write_csv(rows.iter(), &mut out).unwrap();
        let wanted = format!(
            "{COLUMNS}\na,sets/a.yaml,3,schedulable,1.25,9,20,0.45,0,8,NAND2,\n\
             b,sets/b.yaml,,unknown,,,,,,,\"k,GE\",\n\
             '=c,sets/=c.yaml,,,,,,,,,,\"line 1, column 2: \"\"x\"\"\"\n"
        );
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
