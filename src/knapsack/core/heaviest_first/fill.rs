//! The linear relaxation of the remaining items: an upper bound on the profit that undecided items add to a state.

use crate::core::items::number::Number;
use crate::core::items::{Measure, Piece, sort};
use crate::core::states::goal::Goal;

/// Items by falling efficiency, with their prefix sums.
#[derive(Clone, Debug)]
pub struct Fill<N> {
    pub items: Vec<Piece<N>>,
    /// Total weight of the first items, for 0 to all items.
    weights: Vec<N>,
    /// Total profit of the first items, for 0 to all items.
    profits: Vec<N>,
}

impl<N: Number> Fill<N> {
    /// From items already in the order of [`Measure::order`] for weights alone.
    pub fn new(items: Vec<Piece<N>>) -> Self {
        let mut fill = Self { items, weights: Vec::new(), profits: Vec::new() };
        fill.sum();
        fill
    }

    /// From items in any order.
    pub fn sorted(mut items: Vec<Piece<N>>) -> Self {
        let weights = Measure::weights(N::ZERO);
        sort(&mut items, &|a, b| weights.order(a, b));
        Self::new(items)
    }

    /// Keeps the items that satisfy `holds`.
    pub fn retain(&mut self, holds: impl Fn(&Piece<N>) -> bool) {
        self.items.retain(holds);
        self.sum();
    }

    fn sum(&mut self) {
        self.weights.clear();
        self.profits.clear();
        let (mut weight, mut profit) = (N::ZERO, N::ZERO);
        self.weights.push(weight);
        self.profits.push(profit);
        for item in &self.items {
            weight += item.weight;
            profit += item.profit;
            self.weights.push(weight);
            self.profits.push(profit);
        }
    }

    /// The number of items, from the first on, that fit into `room` together.
    pub fn place(&self, room: N) -> usize {
        self.weights.partition_point(|&weight| weight <= room).saturating_sub(1)
    }

    /// Moves `place` down to that of a `room` which is smaller or equal, and not negative.
    #[inline(always)]
    pub fn sink(&self, place: &mut usize, room: N) {
        while self.weights[*place] > room {
            *place -= 1;
        }
    }

    /// Profit and weight of the items before `place`.
    #[inline(always)]
    pub fn taken(&self, place: usize) -> (N, N) {
        (self.profits[place], self.weights[place])
    }

    /// The lines that the relaxation has to reach.
    pub fn aims(&self, goal: Goal<N>) -> Aims<N> {
        // The efficiency decreases with the place.
        let is_steep = |item: &Piece<N>| goal.is_more_profit_first((item.profit, item.weight));
        Aims { goal, steep: self.items.partition_point(is_steep) }
    }

    /// Whether `profit` plus the relaxation for `room`, whose place is given, may be better than the best known
    /// selection.
    #[inline(always)]
    pub fn reaches(&self, aims: &Aims<N>, place: usize, room: N, profit: N) -> bool {
        let Aims { goal, steep } = *aims;
        let (target, spare) = if place < steep {
            (goal.target, N::ZERO)
        } else {
            (goal.target - N::ONE, goal.capacity - goal.lighter)
        };
        let missing = target - profit - self.profits[place];
        match self.items.get(place) {
            Some(item) => {
                N::product_reaches(room - spare - self.weights[place], item.profit, missing, item.weight)
            }
            None => missing <= N::ZERO,
        }
    }

    /// The integer part of the relaxation for `room`.
    pub fn bound(&self, room: N) -> N {
        let place = self.place(room);
        let whole = self.profits[place];
        match self.items.get(place) {
            Some(item) => whole + N::scaled(room - self.weights[place], item.profit, item.weight),
            None => whole,
        }
    }
}

/// The lines that a relaxation has to reach, for the slope of any place.
#[derive(Clone, Copy, Debug)]
pub struct Aims<N> {
    goal: Goal<N>,
    /// At places below this the goal's target has to be reached; see [`Goal::aim`]. The lattice is not used.
    steep: usize,
}
