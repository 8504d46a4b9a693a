//! The points that a goal asks for, in the last table.

use super::moves::{Chain, MOST_AXES};
use super::table::Table;
use isx_machine::cpu::lanes::Lane;
use isx_problems::resources::{Goal, Problem};
use num_traits::ToPrimitive;

/// A point: its place along the axes, its costs and its value in the table.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: [u32; MOST_AXES],
    pub costs: Vec<u64>,
    pub value: i64,
}

/// The points, in order.
pub(super) fn of<N: Lane>(problem: &Problem, chain: &Chain, table: &Table<N>) -> Vec<Point> {
    let cells = &table.cells[..];
    if cells.is_empty() {
        return Vec::new();
    }
    let axis_of = |resource: usize| chain.axes.iter().position(|&axis| axis == resource).unwrap_or(0);
    let least = match &problem.goal {
        Goal::AtLeast(least) => {
            let least = least - &chain.value;
            Some(least.to_i64().unwrap_or(if least > 0.into() { i64::MAX } else { 0 }).max(0))
        }
        Goal::Front | Goal::Greatest => None,
    };
    // The axes of objectives are searched cell by cell, the others from their limits down.
    let objectives = if problem.goal == Goal::Greatest { 0 } else { problem.objectives };
    let searched: Vec<usize> = (0..objectives).map(axis_of).collect();
    let lowered: Vec<usize> = (objectives..problem.limits.len()).map(axis_of).collect();
    let mut at = [0u32; MOST_AXES];
    lowered.iter().for_each(|&axis| at[axis] = table.spans[axis] as u32 - 1);
    let strides: Vec<usize> =
        (0..table.spans.len()).map(|axis| table.spans[axis + 1..].iter().product()).collect();
    let mut points = Vec::new();
    loop {
        let place = table.place(&at);
        let value = cells[place].wide();
        let enough = least.map_or(value >= 0, |least| value >= least);
        let lower = |&axis: &usize| {
            at[axis] > 0 && {
                let lower = cells[place - strides[axis]].wide();
                least.map_or(lower >= value, |least| lower >= least)
            }
        };
        if enough && !searched.iter().any(lower) {
            let at = lowest(cells, at, place, &lowered, &strides);
            let costs = (0..problem.limits.len()).map(|resource| u64::from(at[axis_of(resource)]));
            points.push(Point { at, costs: costs.collect(), value });
        }
        // The last objective changes fastest, so the order is that of the costs.
        let Some(&axis) = searched.iter().rev().find(|&&axis| (at[axis] as usize) < table.spans[axis] - 1)
        else {
            return points;
        };
        let later = searched.iter().rev().take_while(|&&other| other != axis);
        later.for_each(|&axis| at[axis] = 0);
        at[axis] += 1;
    }
}

/// The least place along some axes, one after the other, at which the value stays.
fn lowest<N: Lane>(
    cells: &[N],
    mut at: [u32; MOST_AXES],
    mut place: usize,
    axes: &[usize],
    strides: &[usize],
) -> [u32; MOST_AXES] {
    for &axis in axes {
        let first = place - at[axis] as usize * strides[axis];
        let (mut low, mut high) = (0, at[axis] as usize);
        // Values never fall along an axis.
        while low < high {
            let middle = (low + high) / 2;
            if cells[first + middle * strides[axis]] < cells[place] {
                low = middle + 1
            } else {
                high = middle
            }
        }
        place = first + low * strides[axis];
        at[axis] = low as u32;
    }
    at
}
