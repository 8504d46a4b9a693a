//! What hardware costs, in the tables of blocks and choices: an area, or an amount of each of several resources.
//!
//! ```text
//! block,  cost.LUT, cost.DSP          block,  cost [LUT], cost [DSP]
//! mul,    -30,      4                 mul,    -30,        4
//! ```
//!
//! A column `cost.NAME`, or `cost` with the name in brackets, gives the amounts of one resource; an empty cell is 0.

use super::draft::Draft;
use super::figures::{Found, error};
use super::printed::{Cost, of_area};
use super::table::{Column, Row, Table};
use isx_exact::quantity::{parse_decimal, parse_signed_decimal};
use isx_taskset::{name_problem, resource_name_problem, shortened};
use num_traits::Zero;

/// The columns of prices.
pub(super) enum PriceColumns {
    Area(usize),
    Costs(Vec<(String, usize)>),
}

impl PriceColumns {
    /// The columns of the table, if there are any; their unit or resources become those of the draft.
    pub fn of(table: &Table<'_>, draft: &mut Draft) -> Found<Option<Self>> {
        let area = table.find(&["area"])?;
        let mut costs: Vec<(String, usize)> = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let Some(name) = resource(column) else { continue };
            let refuse = |message: String| error(table.source, column.head.place.clone(), message);
            let name = name.trim();
            if name_problem(name).is_some() || resource_name_problem(name).is_some() {
                let message = format!("`{}` cannot name a resource", shortened(&column.head.text));
                return Err(refuse(message).label("write for example `cost.LUT`"));
            }
            if let Some((_, first)) = costs.iter().find(|(other, _)| other == name) {
                let message = format!("two columns give the cost in {}", shortened(name));
                return Err(refuse(message)
                    .label("given again here")
                    .also(table.columns[*first].head.place.clone(), "first given here"));
            }
            costs.push((name.to_owned(), at));
        }
        let place = |at: usize| table.columns[at].head.place.clone();
        match (area, costs.first()) {
            (Some(area), Some((_, cost))) => {
                let message = "the file has both areas and costs in resources";
                Err(error(table.source, place(*cost), message)
                    .label("a cost")
                    .also(place(area), "the areas")
                    .help("call the area a resource too, for example `cost.LUT`"))
            }
            (Some(area), None) if !draft.resources.is_empty() => {
                let message = "areas here, and the blocks have costs in resources";
                Err(error(table.source, place(area), message)
                    .label("expected costs")
                    .help(format!("the resources of the blocks are {}", draft.resources.join(", "))))
            }
            (None, Some((_, cost))) if draft.has_areas => {
                let message = "costs in resources here, and the blocks have areas";
                Err(error(table.source, place(*cost), message)
                    .label("expected `area`")
                    .help("give the blocks costs too, for example in a column `cost.LUT`"))
            }
            (Some(area), None) => {
                draft.has_areas = true;
                table.give_area_unit(area, draft)?;
                Ok(Some(Self::Area(area)))
            }
            (None, Some(_)) => {
                for (name, _) in &costs {
                    if !draft.resources.contains(name) {
                        draft.resources.push(name.clone());
                    }
                }
                Ok(Some(Self::Costs(costs)))
            }
            (None, None) => Ok(None),
        }
    }

    /// The columns.
    pub fn indices(&self) -> Vec<Option<usize>> {
        match self {
            Self::Area(area) => vec![Some(*area)],
            Self::Costs(costs) => costs.iter().map(|(_, at)| Some(*at)).collect(),
        }
    }

    /// Whether a row has a price.
    pub fn is_filled(&self, row: &Row<'_>) -> bool {
        self.indices().into_iter().any(|at| row.filled(at).is_some())
    }

    /// The price of a row.
    pub fn read(&self, row: &Row<'_>, owner: &str) -> Found<Cost> {
        match self {
            Self::Area(area) => {
                let area = row.figure(*area, owner);
                let read = parse_decimal(area.text).map_err(|problem| {
                    let due = "expected a number that is not negative, without a unit";
                    error(area.source, area.place.clone(), format!("{}: {problem}", area.what)).label(due)
                });
                Ok(of_area(read?))
            }
            Self::Costs(costs) if !self.is_filled(row) => {
                let first = costs.first().map_or(0, |(_, at)| *at);
                let refused = row.error(first, format!("{owner} has no cost"));
                Err(refused.label("write 0 if it needs none of any resource"))
            }
            Self::Costs(costs) => {
                let mut cost = Vec::with_capacity(costs.len());
                for (name, at) in costs.iter().filter(|(_, at)| row.filled(Some(*at)).is_some()) {
                    let amount = row.figure(*at, owner);
                    let amount = parse_signed_decimal(amount.text).map_err(|problem| {
                        error(amount.source, amount.place.clone(), format!("{}: {problem}", amount.what))
                            .label("expected a number, without a unit")
                    })?;
                    if !amount.is_zero() {
                        cost.push((name.clone(), amount));
                    }
                }
                Ok(cost)
            }
        }
    }
}

/// The resource whose amounts a column has.
fn resource<'c>(column: &'c Column<'_>) -> Option<&'c str> {
    if column.name == "cost" {
        return Some(&column.unit);
    }
    let text = column.head.text.trim();
    text.get(..5).filter(|start| start.eq_ignore_ascii_case("cost.")).map(|_| &text[5..])
}
