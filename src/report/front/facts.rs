//! The facts of a point that every format writes: its figures, its verdicts, its choices, the blocks it builds and
//! its clock.

use super::blocks::Blocks;
use super::clock::FrontClocks;
use super::figures::{Figures, Fraction};
use isx_design::exploration::Exploration;
use isx_design::front::Design;
use isx_exact::quantity::{Rational, format_decimal};
use std::io;
use std::ops::Range;

/// The facts of a design.
pub struct Facts<'a> {
    /// The exact cost in each column of cost as text: the area, or one per resource.
    pub costs: &'a [Vec<u8>],
    pub utilization: Fraction,
    /// Its margin, on a front of area against margin.
    pub margin: Option<Fraction>,
    /// The utilization in each mode; empty if the set has no modes.
    pub modes: &'a [Rational],
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
pub struct Finder<'a> {
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
        take: &mut dyn FnMut(usize, &Facts) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut costs = vec![Vec::new(); self.figures.costs()];
        let mut finder = Blocks::new(self.explored.task_set());
        self.explored.front.each_chosen(points, |point, choices| {
            for (column, cost) in costs.iter_mut().enumerate() {
                cost.clear();
                self.figures.write_cost(column, &point, cost)?;
            }
            let (index, verdicts) = (point.index(), &self.explored.verdicts);
            let verdicts = [verdicts.points[index], verdicts.within(index)];
            let utilization = self.figures.utilization(&point);
            let blocks = self.blocks(choices, &mut finder);
            let number = point.formulation().variant;
            let (variant, clock) = (self.variant(number), self.clocks.of(number, choices));
            let modes = &self.modes(number, choices);
            let margin = self.explored.point_margins.get(index).cloned().map(Fraction::Big);
            let costs = &costs;
            take(
                index,
                &Facts { costs, utilization, margin, modes, variant, verdicts, choices, blocks, clock },
            )
        })
    }

    /// Passes on the facts of a design that need not be on the front.
    pub fn of_design(
        &self,
        design: &Design,
        choices: &[Option<u32>],
        take: &mut dyn FnMut(&Facts) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut finder = Blocks::new(self.explored.task_set());
        let costs: Vec<Vec<u8>> = design.cost.iter().map(|cost| format_decimal(cost).into_bytes()).collect();
        take(&Facts {
            costs: &costs,
            utilization: Fraction::Big(design.utilization.clone()),
            margin: None,
            modes: &self.modes(design.variant, choices),
            variant: self.variant(design.variant),
            verdicts: [design.schedulable, design.schedulable_within],
            choices,
            blocks: self.blocks(choices, &mut finder),
            clock: self.clocks.of(design.variant, choices),
        })
    }

    fn blocks<'b>(&self, choices: &[Option<u32>], finder: &'b mut Blocks) -> Option<&'b [usize]> {
        (!self.explored.task_set().blocks.is_empty()).then(|| finder.of(choices))
    }

    fn modes(&self, variant: usize, choices: &[Option<u32>]) -> Vec<Rational> {
        match self.explored.task_set().modes.is_empty() {
            true => Vec::new(),
            false => self.explored.front.formulation_in(variant).mode_utilizations(choices),
        }
    }

    fn variant(&self, number: usize) -> Option<usize> {
        (!self.explored.task_set().variants.is_empty()).then_some(number)
    }
}
