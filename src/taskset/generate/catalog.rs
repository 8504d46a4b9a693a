//! A catalog of measured hardware, from which a generated task set draws its choices: areas and speed-ups that go
//! together, in place of ranges of areas and savings.

use super::drawn::scale;
use super::error::RecipeError;
use isx_exact::sampling::{DecimalRange, Sampler};

/// Hardware with its area and its speed-up.
///
/// ```
/// use isx_taskset::recipe::Catalog;
/// let catalog = Catalog::read("measured.csv", "area,speedup,source\n239,2.5,SHA unit\n174.5,1.25,shifter\n").unwrap();
/// assert_eq!(catalog.areas().to_string(), "174.5..239.0");
/// let problem = Catalog::read("measured.csv", "area,speedup\n239,0.5\n").unwrap_err();
/// assert_eq!(problem.to_string(), "measured.csv:2:5: speed-up 0.5: hardware must be faster than software: write more than 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// The file's name.
    pub name: String,
    areas: DecimalRange,
    /// Areas in units of the last decimal of `areas`, and the speed-ups.
    entries: Vec<(u64, DecimalRange)>,
}

impl Catalog {
    /// Reads a CSV file: columns `area` and `speedup` in any order, separated by commas and without quotes; other
    /// columns, empty lines and lines that begin with `#` are skipped. A speed-up of 2.5 means that hardware takes one
    /// cycle where software takes 2.5.
    /// Fails with [`RecipeError::Catalog`] with the place of what is wrong.
    pub fn read(name: &str, text: &str) -> Result<Self, RecipeError> {
        let wrong = |line: usize, column: usize, problem: String| RecipeError::Catalog {
            file: name.to_owned(),
            line: line + 1,
            column: column + 1,
            problem,
        };
        let filled = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
        let mut lines = text.lines().enumerate().filter(filled);
        let (number, head) = lines.next().unwrap_or((0, ""));
        let column = |wanted: &str| {
            let found = head.split(',').position(|cell| cell.trim().eq_ignore_ascii_case(wanted));
            found
                .ok_or_else(|| wrong(number, 0, format!("there is no column `{wanted}`: write area,speedup")))
        };
        let columns = [column("area")?, column("speedup")?];
        let mut rows = Vec::new();
        for (number, line) in lines {
            let cell = |which: usize, what: &str| {
                let mut cells = line.split(',').scan(0, |start, cell| {
                    let at = *start;
                    *start += cell.len() + 1;
                    Some((at, cell.trim()))
                });
                let (at, cell) = cells.nth(columns[which]).unwrap_or((line.len(), ""));
                let read = cell.parse::<DecimalRange>().ok().filter(|range| range.low == range.high);
                let must = format!("{what} `{cell}`: write a number with at most nine decimals");
                read.map(|number| (at, number)).ok_or_else(|| wrong(number, at, must))
            };
            let ((_, area), (at, speedup)) = (cell(0, "area")?, cell(1, "speed-up")?);
            if speedup.low <= speedup.unit() {
                let speedup = speedup.text(speedup.low);
                let must = "hardware must be faster than software: write more than 1";
                return Err(wrong(number, at, format!("speed-up {speedup}: {must}")));
            }
            rows.push((area, speedup));
        }
        let places = rows.iter().map(|(area, _)| area.places).max();
        let places = places.ok_or_else(|| wrong(number, 0, "there is no row below the head".to_owned()))?;
        let entries: Vec<(u64, DecimalRange)> = rows
            .into_iter()
            .map(|(area, speedup)| (area.low.saturating_mul(10_u64.pow(places - area.places)), speedup))
            .collect();
        let areas = || entries.iter().map(|(area, _)| *area);
        let (low, high) = (areas().min().unwrap_or(0), areas().max().unwrap_or(0));
        Ok(Self { name: name.to_owned(), areas: DecimalRange { low, high, places }, entries })
    }

    /// The range of the areas, which is that of a recipe with this catalog.
    pub fn areas(&self) -> DecimalRange {
        self.areas
    }

    /// Draws `count` different rows, all sets of them alike; all rows if there are fewer: (area, cycles saved) to the end of
    /// `choices`.
    pub(super) fn draw(&self, count: u64, wcet: u64, sampler: &mut Sampler, choices: &mut Vec<(u64, u64)>) {
        let rows = sampler.subset(count, self.entries.len() as u64);
        let choice = |row: u64| {
            let (area, speedup) = self.entries[row as usize];
            let faster = scale(wcet, speedup.unit(), speedup.low);
            (area, (wcet - faster).clamp(1, wcet - 1))
        };
        choices.extend(rows.into_iter().map(choice));
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::super::recipe::{GeneratedResources, TaskSetRecipe};
    use super::*;
    use crate::read_str;

    const MEASURED: &str =
        "# iCE40\nname, speedup ,area\nCRC unit,8,421\n\nSHA unit,2.5,239.5\nMUL,1.001,359\n";

    #[test]
    fn choices_are_different_rows_of_the_catalog() {
        let catalog = Catalog::read("cells.csv", MEASURED).unwrap();
        let usual = TaskSetRecipe { choices: "1..5".parse().unwrap(), ..TaskSetRecipe::default() };
        let recipe = usual.with_catalog(catalog);
        let text = generate(&recipe).unwrap();
        assert!(
            text.contains(" --choices 1..5 --catalog cells.csv --area-unit NAND2 --deadlines "),
            "{text}"
        );
        let set = read_str("x", &text).unwrap().task_set;
        let mut seen = [0; 4];
        for task in &set.tasks {
            seen[task.choices.len()] += 1;
            let mut areas: Vec<String> = Vec::new();
            for choice in &task.choices {
                let speedup = &task.wcets[0] / &choice.wcets[0];
                let area = isx_exact::quantity::format_decimal(&choice.cost[0]);
                let measured = match area.as_str() {
                    "421" => 8.0,
                    "239.5" => 2.5,
                    "359" => 1.001,
                    other => panic!("{other}"),
                };
                let speedup = isx_exact::quantity::format_rounded(&speedup, 6).parse::<f64>().unwrap();
                assert!((speedup / measured - 1.0).abs() < 0.001, "{area} {speedup}");
                assert!(!areas.contains(&area));
                areas.push(area);
            }
        }
        assert!(seen[0] == 0 && seen[3] > 3, "{seen:?}: five of three rows are three");
        let resources: GeneratedResources = "LUT:1..9".parse().unwrap();
        let priced = TaskSetRecipe { resources, ..recipe };
        let message = "catalog cells.csv: a catalog has areas: leave the resources out";
        assert_eq!(generate(&priced).unwrap_err().to_string(), message);
    }

    #[test]
    fn mistakes_name_their_place() {
        for (text, problem) in [
            ("", "1:1: there is no column `area`: write area,speedup"),
            ("\narea,speed\n", "2:1: there is no column `speedup`: write area,speedup"),
            ("area,speedup\n", "1:1: there is no row below the head"),
            (
                "area,speedup\n12,2\n12,fast\n",
                "3:4: speed-up `fast`: write a number with at most nine decimals",
            ),
            ("speedup,area\n2,1..4\n", "2:3: area `1..4`: write a number with at most nine decimals"),
            ("area,speedup\n12\n", "2:3: speed-up ``: write a number with at most nine decimals"),
        ] {
            assert_eq!(Catalog::read("c.csv", text).unwrap_err().to_string(), format!("c.csv:{problem}"));
        }
    }
}
