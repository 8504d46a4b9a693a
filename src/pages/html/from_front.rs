//! The report of an exploration.

use super::details::details;
use super::error::ReportError;
use super::packed::Row;
use super::sheet::{DesignSheet, OriginSheet, ResourceSheet, SCHEMA, SCHEMA_OF_RESOURCES, Sheet, measure};
use super::thinned::{Thinned, most_designs};
use isx_design::exploration::Exploration;
use isx_design::front::{ChosenDesign, Design, Point};
use isx_design::schedulability::SmallestSchedulable;
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::EngineWords;
use isx_report::front::blocks::Blocks;
use isx_report::front::margins::MarginWords;

/// The content of the page, and its designs.
pub fn sheet_and_designs(explored: &Exploration) -> Result<(Sheet, Thinned<Row>), ReportError> {
    let set = explored.task_set();
    let mut chosen = Thinned::new(most_designs(set.tasks.len(), set.blocks.len()));
    for (index, is_limit) in limits(explored).into_iter().enumerate() {
        chosen.offer(index, is_limit);
    }
    let mut rows = Rows { explored, blocks: Blocks::new(set) };
    let focus = chosen.first_limit();
    let designs = chosen.map(|&index| rows.of_point(index));
    let mut sheet = sheet(explored, &mut rows);
    let formulation = explored.front.formulation();
    sheet.details = details(set, formulation, &designs, sheet.smallest.as_ref(), focus)?;
    Ok((sheet, designs))
}

/// Whether each point is a limit whose neighbors are kept: the first without overload, and the first that is
/// schedulable. There is none with several resources, whose points are not in order of utilization, and by margin only
/// the second, for the same reason.
fn limits(explored: &Exploration) -> Vec<bool> {
    let points = &explored.verdicts.points;
    let mut limits = vec![false; explored.front.len()];
    if !explored.task_set().is_one_area() {
        return limits;
    }
    let schedulable = points.iter().position(|verdict| *verdict == Some(true));
    // Utilizations fall, so the designs without overload are the last ones.
    let (mut low, mut high) = (0, limits.len());
    while low < high {
        let middle = low.midpoint(high);
        let fits = explored.front.get(middle).is_some_and(|point| point.fits());
        if fits { high = middle } else { low = middle + 1 }
    }
    let fits = explored.point_margins.is_empty().then_some(low);
    for limit in [fits, schedulable].into_iter().flatten() {
        if let Some(limit) = limits.get_mut(limit) {
            *limit = true;
        }
    }
    limits
}

/// Converts designs to rows.
struct Rows<'a> {
    explored: &'a Exploration,
    blocks: Blocks<'a>,
}

impl Rows<'_> {
    fn of_point(&mut self, index: usize) -> Row {
        let choices = self.explored.front.get(index).and_then(|point: Point| point.choices());
        let design = self.explored.design(index).unwrap_or_else(|| self.explored.base());
        let margin = self.explored.point_margins.get(index).cloned();
        Row { margin, ..self.of(design, choices.unwrap_or_default()) }
    }

    fn of(&mut self, design: Design, choices: Vec<Option<u32>>) -> Row {
        let formulation = self.explored.front.formulation();
        let has_resources = !self.explored.task_set().is_one_area();
        Row {
            area: if has_resources { Rational::default() } else { design.area().clone() },
            cost: if has_resources { design.cost } else { Vec::new() },
            utilization: design.utilization,
            margin: None,
            schedulable: design.schedulable,
            schedulable_within: design.schedulable_within,
            modes: Vec::new(),
            clock: formulation.clock_number(&choices),
            blocks: self.blocks.of(&choices).to_vec(),
            choices,
        }
    }
}

fn sheet(explored: &Exploration, rows: &mut Rows) -> Sheet {
    let set = explored.task_set();
    let account = explored.front.account();
    let base = rows.of(explored.base(), vec![None; set.tasks.len()]);
    let mut sheet = Sheet {
        schema: SCHEMA,
        title: set.name.clone(),
        taskset: set.name.clone(),
        area_unit: if !set.is_one_area() { String::new() } else { set.area_unit().to_owned() },
        scheduler: Some(set.scheduler.name().to_owned()),
        measure: measure(!explored.point_margins.is_empty()),
        larger_margins_unknown: explored.larger_margins_unknown.clone(),
        what_if: set.what_if.clone(),
        status: Some(explored.status.name().to_owned()),
        complete: explored.front.is_complete(),
        engine: Some(EngineWords {
            ran_on: account.ran_on(),
            arithmetic: account.arithmetic.to_string(),
            why: account.why.clone(),
        }),
        base: DesignSheet::from(&base),
        margins: explored.margins.iter().map(MarginWords::from).collect(),
        origin: OriginSheet { of: "task set", ..OriginSheet::default() },
        ..Sheet::default()
    };
    match &explored.verdicts.smallest {
        SmallestSchedulable::At(ChosenDesign { design, choices }) if set.is_one_area() => {
            sheet.smallest_area = Some(format_decimal(design.area()));
            sheet.smallest = Some(DesignSheet::from(&rows.of(design.clone(), choices.clone())));
        }
        SmallestSchedulable::At(_) | SmallestSchedulable::None => {}
        SmallestSchedulable::Unknown(why) => sheet.smallest_unknown = Some(why.clone()),
    }
    if let Some(resources) = set.named_resources() {
        let minimal = explored.verdicts.minimal.iter();
        let minimal = minimal.map(|chosen| rows.of(chosen.design.clone(), chosen.choices.clone()));
        let minimal = minimal.map(|row| DesignSheet::from(&row)).collect();
        sheet.resources = Some(ResourceSheet::of(resources, minimal));
        sheet.schema = SCHEMA_OF_RESOURCES;
    }
    sheet.fill(set, explored.front.formulation());
    sheet
}
