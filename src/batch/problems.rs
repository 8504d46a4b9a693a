//! Many problems in flat arrays, with one capacity each, so that a batch needs no `Vec` per class.
//!
//! Worked instance: two problems, {(3,2), (9,6)} and {(1,4)} with capacity 13, {(5,8)} with capacity 7, as (value,
//! weight). Problems begin at class 0 and 2 (and end at 3), classes at item 0, 2, 3 (and end at 4).

use isx_problems::mckp::{Choice, Item, Mckp};

/// Problems in sequence, like their classes and items; values have 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    choice: Choice,
    capacities: Vec<u64>,
    /// The first class of every problem, and the end of the last one's classes.
    problems: Vec<usize>,
    /// The first item of every class, and the end of the last one's items.
    classes: Vec<usize>,
    values: Vec<i64>,
    weights: Vec<u64>,
}

impl Batch {
    /// An empty batch; `choice` applies to all problems.
    ///
    /// ```
    /// use isx_batch::Batch;
    /// use isx_problems::mckp::Choice;
    /// let mut batch = Batch::new(Choice::ExactlyOne);
    /// batch.class([(3, 2), (9, 6)]);
    /// batch.class([(1, 4)]);
    /// batch.problem(13);
    /// assert_eq!((batch.len(), batch.get(0).classes(), batch.get(0).class(1)), (1, 2, (&[1][..], &[4][..])));
    /// ```
    #[must_use]
    pub fn new(choice: Choice) -> Self {
        Self {
            choice,
            capacities: Vec::new(),
            problems: vec![0],
            classes: vec![0],
            values: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds a class of (value, weight) to the problem that [`Batch::problem`] will end.
    pub fn class(&mut self, items: impl IntoIterator<Item = (i64, u64)>) {
        for (value, weight) in items {
            self.values.push(value);
            self.weights.push(weight);
        }
        self.classes.push(self.values.len());
    }

    /// Makes a problem of the classes added since the last one.
    pub fn problem(&mut self, capacity: u64) {
        self.capacities.push(capacity);
        self.problems.push(self.classes.len() - 1);
    }

    /// Number of problems.
    #[must_use]
    pub fn len(&self) -> usize {
        self.capacities.len()
    }

    /// Whether the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.capacities.is_empty()
    }

    /// Number of items of all problems.
    #[must_use]
    pub fn items(&self) -> usize {
        self.values.len()
    }

    /// Number of classes of all problems.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.problems[self.len()]
    }

    /// Number of classes in the problems before `at`, to slice arrays with one entry per class.
    ///
    /// # Panics
    ///
    /// If there are fewer problems.
    #[must_use]
    pub fn classes_before(&self, at: usize) -> usize {
        self.problems[at]
    }

    /// Number of items in the problems before `at`.
    ///
    /// # Panics
    ///
    /// If there are fewer problems.
    #[must_use]
    pub fn items_before(&self, at: usize) -> usize {
        self.classes[self.problems[at]]
    }

    /// A problem.
    ///
    /// # Panics
    ///
    /// If there is no such problem.
    #[must_use]
    pub fn get(&self, at: usize) -> One<'_> {
        let classes = &self.classes[self.problems[at]..=self.problems[at + 1]];
        One {
            choice: self.choice,
            capacity: self.capacities[at],
            classes,
            values: &self.values,
            weights: &self.weights,
        }
    }

    /// The problems in order.
    pub fn iter(&self) -> impl Iterator<Item = One<'_>> {
        (0..self.len()).map(|at| self.get(at))
    }
}

/// One problem of a batch.
#[derive(Clone, Copy, Debug)]
pub struct One<'a> {
    /// Whether a class may give no item.
    pub choice: Choice,
    /// The capacity: the largest weight of an answer.
    pub capacity: u64,
    /// The first item of every class, and the end of the last one's items.
    classes: &'a [usize],
    values: &'a [i64],
    weights: &'a [u64],
}

impl<'a> One<'a> {
    /// Its classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes.len() - 1
    }

    /// Values and weights of a class's items.
    ///
    /// # Panics
    ///
    /// If there is no such class.
    #[must_use]
    pub fn class(&self, class: usize) -> (&'a [i64], &'a [u64]) {
        let items = self.classes[class]..self.classes[class + 1];
        (&self.values[items.clone()], &self.weights[items])
    }

    /// Values and weights of all its items, class after class.
    #[must_use]
    pub fn items(&self) -> (&'a [i64], &'a [u64]) {
        let items = self.classes[0]..self.classes[self.classes()];
        (&self.values[items.clone()], &self.weights[items])
    }

    /// The same problem as a single one.
    #[must_use]
    pub fn to_problem(&self) -> Mckp<i64> {
        let class = |at: usize| {
            let (values, weights) = self.class(at);
            values.iter().zip(weights).map(|(&value, &weight)| Item { value, weight }).collect()
        };
        Mckp {
            classes: (0..self.classes()).map(class).collect(),
            capacity: self.capacity,
            choice: self.choice,
        }
    }

    /// Value and weight of a selection with one item per class; `None` if an item does not exist or is missing, or
    /// the weights sum to more than 2^64.
    #[must_use]
    pub fn sum(&self, items: impl ExactSizeIterator<Item = Option<u32>>) -> Option<(i128, u64)> {
        if items.len() != self.classes() {
            return None;
        }
        let (mut value, mut weight) = (0i128, 0u64);
        for (class, item) in items.enumerate() {
            let (values, weights) = self.class(class);
            match item {
                None if self.choice == Choice::Optional => {}
                None => return None,
                Some(item) => {
                    let item = item as usize;
                    value += i128::from(*values.get(item)?);
                    weight = weight.checked_add(weights[item])?;
                }
            }
        }
        Some((value, weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_instance_is_laid_out_as_told() {
        let mut batch = Batch::new(Choice::ExactlyOne);
        batch.class([(3, 2), (9, 6)]);
        batch.class([(1, 4)]);
        batch.problem(13);
        batch.class([(5, 8)]);
        batch.problem(7);
        assert_eq!((&batch.problems[..], &batch.classes[..]), (&[0, 2, 3][..], &[0, 2, 3, 4][..]));
        assert_eq!((batch.len(), batch.items(), batch.classes()), (2, 4, 3));
        let problem = batch.get(1).to_problem();
        assert_eq!((problem.capacity, problem.classes), (7, vec![vec![Item { value: 5, weight: 8 }]]));
        assert_eq!(batch.get(0).sum([Some(1), Some(0)].into_iter()), Some((10, 10)));
        for wrong in [&[Some(2), Some(0)][..], &[Some(1), None], &[Some(1)]] {
            assert_eq!(batch.get(0).sum(wrong.iter().copied()), None);
        }
        assert_eq!(batch.get(0).items(), (&[3, 9, 1][..], &[2, 6, 4][..]));
    }

    #[test]
    fn problems_without_classes_and_sums_beyond_64_bits_are_taken() {
        let mut batch = Batch::new(Choice::Optional);
        batch.problem(0);
        batch.class([]);
        batch.class([(i64::MAX, u64::MAX)]);
        batch.class([(i64::MAX, 1)]);
        batch.problem(u64::MAX);
        assert_eq!((batch.get(0).classes(), batch.get(0).sum([].into_iter())), (0, Some((0, 0))));
        let far = batch.get(1);
        assert_eq!(far.sum([None, Some(0), None].into_iter()), Some((i64::MAX.into(), u64::MAX)));
        assert_eq!(far.sum([None, Some(0), Some(0)].into_iter()), None);
        assert_eq!(far.class(0), (&[][..], &[][..]));
    }
}
