//! The linear program over known plans: every task is covered, at most m plans are used. It yields prices of the tasks,
//! in floats; whoever uses them rounds them to integers first, for which the bound of the module `profit` holds exactly.
//!
//! A revised simplex method with the inverse of the basis.

use crate::pricing::Plan;

/// The linear program. Its rows: every task is covered, at most m plans are used, then limits of amounts of
/// which all plans together have at most 0. Its variables: for each row what is missing or not used, for each row what is
/// too much, then the plans.
pub(crate) struct Master {
    tasks: usize,
    right: Vec<f64>,
    plans: Vec<Plan>,
    /// For each plan its amounts, if any are limited.
    amounts: Vec<Vec<f64>>,
    /// The cost of leaving a task uncovered.
    missing: f64,
    /// The variable of each row.
    basis: Vec<usize>,
    /// Row by row.
    inverse: Vec<f64>,
    values: Vec<f64>,
    pivots: usize,
}

/// Smaller numbers count as 0.
const EPSILON: f64 = 1e-9;
/// What is added to right sides.
const SHAKE: f64 = 1e-7;
/// Pivots after which the inverse is computed anew.
const REFRESH: usize = 60;
/// Pivots at most per solve.
const MOST_PIVOTS: usize = 4_000;

impl Master {
    /// A program without plans, in which this many tasks are covered and amounts limited.
    pub fn new(tasks: usize, cores: usize, limits: usize, missing: f64) -> Self {
        let mut right = vec![1.0; tasks];
        right.push(cores as f64);
        right.resize(right.len() + limits, 0.0);
        // A little more, and different in every row: the simplex method might go in circles otherwise.
        for (row, right) in right.iter_mut().enumerate() {
            *right += SHAKE * (1.0 + (row as f64 * 0.618).fract());
        }
        let rows = right.len();
        let mut inverse = vec![0.0; rows * rows];
        (0..rows).for_each(|row| inverse[row * rows + row] = 1.0);
        let values = right.clone();
        let basis = (0..rows).collect();
        let (plans, amounts) = (Vec::new(), Vec::new());
        Self { tasks, right, plans, amounts, missing, basis, inverse, values, pivots: 0 }
    }

    pub fn add(&mut self, plan: Plan, amounts: Vec<f64>) {
        if !self.plans.contains(&plan) {
            self.plans.push(plan);
            self.amounts.push(amounts);
        }
    }

    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The plans in use, and how much of each.
    pub fn used(&self) -> impl Iterator<Item = (&Plan, f64)> {
        let plan = |(variable, value): (&usize, &f64)| {
            Some((self.plans.get(variable.checked_sub(2 * self.right.len())?)?, *value))
        };
        self.basis.iter().zip(&self.values).filter_map(plan)
    }

    /// Whether a row asks for at least its right side.
    fn is_least(&self, row: usize) -> bool {
        row < self.tasks
    }

    fn cost(&self, variable: usize) -> f64 {
        match variable.checked_sub(2 * self.right.len()) {
            Some(plan) => self.plans[plan].area as f64,
            None if variable < self.right.len() && self.is_least(variable) => self.missing,
            None => 0.0,
        }
    }

    /// Calls with the rows of a variable and its coefficients.
    fn column(&self, variable: usize, mut each: impl FnMut(usize, f64)) {
        let rows = self.right.len();
        match variable.checked_sub(2 * rows) {
            Some(plan) => {
                self.column_of(&self.plans[plan], &mut each);
                let amounts = self.amounts[plan].iter().enumerate();
                amounts.for_each(|(at, amount)| each(self.tasks + 1 + at, *amount));
            }
            None if variable < rows => each(variable, 1.0),
            None => each(variable - rows, -1.0),
        }
    }

    fn column_of(&self, plan: &Plan, each: &mut dyn FnMut(usize, f64)) {
        let mut left = plan.tasks;
        while left != 0 {
            each(left.trailing_zeros() as usize, 1.0);
            left &= left - 1;
        }
        each(self.tasks, 1.0);
    }

    fn duals(&self) -> Vec<f64> {
        let rows = self.right.len();
        let mut duals = vec![0.0; rows];
        for (row, &variable) in self.basis.iter().enumerate() {
            let cost = self.cost(variable);
            if cost != 0.0 {
                for (dual, entry) in duals.iter_mut().zip(&self.inverse[row * rows..]) {
                    *dual += cost * entry;
                }
            }
        }
        duals
    }

    /// What a variable would lower the objective by, per unit.
    fn gain(&self, variable: usize, duals: &[f64]) -> f64 {
        let mut gain = -self.cost(variable);
        self.column(variable, |row, entry| gain += duals[row] * entry);
        gain
    }

    /// As [`Master::gain`], for a plan that need not be in the program.
    pub fn gain_of(&self, plan: &Plan, duals: &[f64]) -> f64 {
        let mut gain = -(plan.area as f64);
        self.column_of(plan, &mut |row, entry| gain += duals[row] * entry);
        gain
    }

    /// Solves the program: the prices of its rows, and the value.
    pub fn solve(&mut self) -> (Vec<f64>, f64) {
        let rows = self.right.len();
        for _ in 0..MOST_PIVOTS {
            let duals = self.duals();
            // What is missing does not come back; too much is only of rows that ask for at least something.
            let unused = (0..rows).filter(|&row| !self.is_least(row));
            let excess = (0..rows).filter(|&row| self.is_least(row)).map(|row| rows + row);
            let variables = unused.chain(excess).chain(2 * rows..2 * rows + self.plans.len());
            let gains = variables.map(|variable| (self.gain(variable, &duals), variable));
            let best = gains.max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, entering)) = best.filter(|best| best.0 > EPSILON * (1.0 + self.missing)) else {
                break;
            };
            if !self.pivot(entering) {
                break;
            }
        }
        let value = self.basis.iter().zip(&self.values).map(|(&variable, value)| self.cost(variable) * value);
        (self.duals(), value.sum())
    }

    fn direction(&self, variable: usize) -> Vec<f64> {
        let rows = self.right.len();
        let mut direction = vec![0.0; rows];
        self.column(variable, |at, entry| {
            for (row, along) in direction.iter_mut().enumerate() {
                *along += self.inverse[row * rows + at] * entry;
            }
        });
        direction
    }

    /// Brings a variable into the basis.
    fn pivot(&mut self, entering: usize) -> bool {
        let direction = self.direction(entering);
        let candidates = (0..self.right.len()).filter(|&row| direction[row] > EPSILON);
        let ratio = |row: usize| self.values[row].max(0.0) / direction[row];
        let leaving = candidates.min_by(|&a, &b| {
            ratio(a).total_cmp(&ratio(b)).then(direction[b].total_cmp(&direction[a])).then(a.cmp(&b))
        });
        let Some(leaving) = leaving else { return false };
        self.exchange(leaving, entering, &direction);
        self.pivots += 1;
        if self.pivots.is_multiple_of(REFRESH) {
            self.refresh();
        }
        true
    }

    fn exchange(&mut self, leaving: usize, entering: usize, direction: &[f64]) {
        let rows = self.right.len();
        self.basis[leaving] = entering;
        let factor = 1.0 / direction[leaving];
        let pivot: Vec<f64> =
            self.inverse[leaving * rows..][..rows].iter().map(|entry| entry * factor).collect();
        let value = self.values[leaving] * factor;
        for (row, &along) in direction.iter().enumerate() {
            if row == leaving || along == 0.0 {
                continue;
            }
            for (entry, pivot) in self.inverse[row * rows..][..rows].iter_mut().zip(&pivot) {
                *entry -= along * pivot;
            }
            self.values[row] -= along * value;
        }
        self.inverse[leaving * rows..][..rows].copy_from_slice(&pivot);
        self.values[leaving] = value;
    }

    /// Computes the inverse anew from the basis, against the errors of many pivots.
    fn refresh(&mut self) {
        let rows = self.right.len();
        let mut left: Vec<Vec<f64>> = vec![vec![0.0; 2 * rows]; rows];
        for (place, &variable) in self.basis.iter().enumerate() {
            self.column(variable, |row, entry| left[row][place] = entry);
        }
        (0..rows).for_each(|row| left[row][rows + row] = 1.0);
        for at in 0..rows {
            let Some(pivot) = (at..rows).max_by(|&a, &b| left[a][at].abs().total_cmp(&left[b][at].abs()))
            else {
                return;
            };
            if left[pivot][at].abs() < EPSILON {
                return;
            }
            left.swap(at, pivot);
            let factor = 1.0 / left[at][at];
            left[at].iter_mut().for_each(|entry| *entry *= factor);
            let own = left[at].clone();
            for (row, entries) in left.iter_mut().enumerate() {
                let along = entries[at];
                if row != at && along != 0.0 {
                    entries.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= along * own);
                }
            }
        }
        for (row, entries) in left.iter().enumerate() {
            self.inverse[row * rows..][..rows].copy_from_slice(&entries[rows..]);
            self.values[row] =
                entries[rows..].iter().zip(&self.right).map(|(entry, right)| entry * right).sum();
        }
    }
}
