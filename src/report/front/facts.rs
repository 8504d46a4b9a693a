//! The facts of a point that every format writes: its figures, its verdicts, its choices, the blocks it builds and
//! its clock.

use super::blocks::Blocks;
use super::clock::FrontClocks;
use super::figures::{Figures, Fraction};
use isx_design::exploration::Exploration;
use isx_design::front::Design;
use isx_exact::quantity::format_decimal;
use std::io;
use std::ops::Range;

/// The facts of a design.
pub(crate) struct Facts<'a> {
    /// The exact cost in each column of cost as text: the area, or one per resource.
    pub costs: &'a [Vec<u8>],
    pub utilization: Fraction,
    /// The number of its variant of the processor; `None` if the set has none.
    pub variant: Option<usize>,
    /// Of the design, and of all designs of no more area.
    pub verdicts: [Option<bool>; 2],
    /// At most one choice per task.
    pub choices: &'a [Option<u32>],
    /// The blocks that it builds, in file order; `None` if the set has none.
    pub blocks: Option<&'a [usize]>,
    /// The clock in hertz, exactly, if a block of the set limits it.
    pub clock: Option<&'a str>,
}

/// Computes the facts of the designs of a front.
pub(crate) struct Finder<'a> {
    explored: &'a Exploration,
    figures: Figures<'a>,
    clocks: FrontClocks<'a>,
}

impl<'a> Finder<'a> {
    pub fn new(explored: &'a Exploration) -> Self {
        let formulation = explored.front.formulation();
        let clocks = FrontClocks::new(&explored.front);
        Self { explored, figures: Figures::new(formulation), clocks }
    }

    /// Passes on the facts of these points, each with its index.
    pub fn of_points(
        &self,
        points: Range<usize>,
        mut take: impl FnMut(usize, &Facts) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut costs, mut built) = (vec![Vec::new(); self.figures.costs()], Vec::new());
        let mut finder = Blocks::new(self.explored.task_set());
        self.explored.front.each_chosen(points, |point, choices| {
            for (column, cost) in costs.iter_mut().enumerate() {
                cost.clear();
                self.figures.write_cost(column, &point, cost)?;
            }
            let (index, verdicts) = (point.index(), &self.explored.verdicts);
            let verdicts = [verdicts.points[index], verdicts.within(index)];
            let utilization = self.figures.utilization(&point);
            let blocks = self.blocks(choices, &mut finder, &mut built);
            let number = point.formulation().variant;
            let (variant, clock) = (self.variant(number), self.clocks.of(number, choices));
            take(index, &Facts { costs: &costs, utilization, variant, verdicts, choices, blocks, clock })
        })
    }

    /// Passes on the facts of a design that need not be on the front.
    pub fn of_design(
        &self,
        design: &Design,
        choices: &[Option<u32>],
        take: impl FnOnce(&Facts) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut finder = Blocks::new(self.explored.task_set());
        let costs: Vec<Vec<u8>> = design.cost.iter().map(|cost| format_decimal(cost).into_bytes()).collect();
        take(&Facts {
            costs: &costs,
            utilization: Fraction::Big(design.utilization.clone()),
            variant: self.variant(design.variant),
            verdicts: [design.schedulable, design.schedulable_within],
            choices,
            blocks: self.blocks(choices, &mut finder, &mut Vec::new()),
            clock: self.clocks.of(design.variant, choices),
        })
    }

    fn blocks<'b>(
        &self,
        choices: &[Option<u32>],
        finder: &mut Blocks,
        built: &'b mut Vec<usize>,
    ) -> Option<&'b [usize]> {
        if self.explored.task_set().blocks.is_empty() {
            return None;
        }
        built.clear();
        built.extend(finder.of(choices));
        Some(built)
    }

    fn variant(&self, number: usize) -> Option<usize> {
        (!self.explored.task_set().variants.is_empty()).then_some(number)
    }
}
