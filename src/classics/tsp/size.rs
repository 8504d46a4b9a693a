//! The sizes of the tables, checked before anything is allocated.

use super::choose::Choose;
use isx_engine::EngineError;
use isx_problems::tsp::Tsp;
use isx_problems::value::Tier;
use num_bigint::BigInt;

/// With more cities the tables fit into no machine, and masks and set numbers do not support them.
pub const MOST_CITIES: usize = 48;

/// How the m cities other than the first are divided between the two halves of a tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// m, at least 2.
    pub others: usize,
    /// The cities of a tour before the turning city, without the first one.
    pub before: usize,
    /// The cities after it.
    pub after: usize,
    /// Whether both halves read the same layers.
    pub symmetric: bool,
}

impl Split {
    /// The two halves of a tour through `cities` cities, at least 3.
    pub fn of(cities: usize, symmetric: bool) -> Self {
        let others = cities - 1;
        let after = others / 2;
        Self { others, before: others - after - 1, after, symmetric }
    }

    /// Values in each of the tables that are in memory at the same time: the last layer of the half before the
    /// turning city, the next-to-last of the half after it, and a third one if the halves read different layers.
    pub fn tables(&self, cells: impl Fn(usize) -> u64) -> [u64; 3] {
        let below = |layer: usize| layer.checked_sub(1).map_or(0, &cells);
        match self.symmetric {
            true => [cells(self.before), below(self.before), 0],
            false => [cells(self.before), cells(self.after - 1), below(self.after - 1)],
        }
    }
}

/// The layers of a problem and the number of sets of each.
pub(super) struct Sweep {
    pub split: Split,
    pub choose: Choose,
    /// Sets that the join processes: with symmetric distances those without the last city, since of a tour and its
    /// reverse one ends with such a set.
    pub joined: u64,
}

impl Sweep {
    /// For a problem with at least 3 cities.
    pub fn new(problem: &Tsp, symmetric: bool) -> Self {
        let split = Split::of(problem.cities(), symmetric);
        let choose = Choose::new(split.others);
        let joined = choose.of(split.others - usize::from(symmetric), split.after);
        Self { split, choose, joined }
    }

    /// Sets of k cities.
    pub fn sets(&self, k: usize) -> u64 {
        self.choose.of(self.split.others, k)
    }

    /// Values of a layer.
    pub fn cells(&self, k: usize) -> u64 {
        self.sets(k) * (self.split.others - k) as u64
    }

    /// Values in each of the tables that are in memory at the same time.
    pub fn tables(&self) -> [u64; 3] {
        self.split.tables(|k| self.cells(k))
    }

    /// The sizes of the sets whose rows are computed and stored, those of both halves.
    pub fn stored(&self) -> impl Iterator<Item = usize> {
        let after = if self.split.symmetric { 0 } else { self.split.after };
        (1..=self.split.before).chain(1..after)
    }

    /// Sets whose rows are computed.
    pub fn total_sets(&self) -> u64 {
        self.stored().map(|k| self.sets(k)).sum::<u64>() + self.joined
    }

    /// Candidates computed: for rows and for joins.
    pub fn updates(&self) -> u64 {
        let Split { others, after, .. } = self.split;
        let stored = self.stored().map(|k| self.cells(k).saturating_mul(k as u64));
        let joined = self.joined.saturating_mul(((after + 1) * (others - after)) as u64);
        stored.fold(joined, u64::saturating_add)
    }
}

/// Bytes of tables that a number of cities needs at least, with values of `value` bytes; exact for any number of
/// cities.
///
/// ```
/// use isx_classics::tsp::table_bytes;
/// assert_eq!(table_bytes(30, true, 4).to_string(), "8996816160");
/// assert_eq!(table_bytes(280, true, 4).to_string().len(), 86);
/// ```
pub fn table_bytes(cities: usize, symmetric: bool, value: usize) -> BigInt {
    if cities < 3 {
        return BigInt::ZERO;
    }
    let split = Split::of(cities, symmetric);
    let below = |layer: usize| layer.checked_sub(1).map_or(BigInt::ZERO, |layer| cells(split.others, layer));
    let second = if symmetric { below(split.before) } else { cells(split.others, split.after - 1) };
    let third = if symmetric { BigInt::ZERO } else { below(split.after - 1) };
    (cells(split.others, split.before) + second + third) * value
}

/// Values of a layer: m - k for each set of k of m cities, m C(m - 1, k) in all.
fn cells(others: usize, k: usize) -> BigInt {
    let choose = (0..k).fold(BigInt::from(1), |product, at| product * (others - 1 - at) / (at + 1));
    choose * others
}

/// The integer width of a problem's sums.
pub(super) fn tier(problem: &Tsp) -> Tier {
    Tier::narrowest(&problem.bound().into())
}

/// Refuses a number of cities that is too large for any table, with the memory it would take.
pub(super) fn check(cities: usize, symmetric: bool, value: usize) -> Result<(), EngineError> {
    if cities <= MOST_CITIES {
        return Ok(());
    }
    Err(EngineError::TooLarge(format!(
        "cannot hold {} states of {} bytes, which {cities} cities have even where the two halves of a tour meet in the middle",
        in_powers(&table_bytes(cities, symmetric, 1)),
        in_powers(&table_bytes(cities, symmetric, value)),
    )))
}

/// `5.1 * 10^85`, rounded down.
fn in_powers(number: &BigInt) -> String {
    let digits = number.to_string();
    match (digits.get(..1), digits.get(1..2)) {
        (Some(first), Some(second)) => format!("{first}.{second} * 10^{}", digits.len() - 1),
        _ => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_tables() {
        for cities in 3..=MOST_CITIES {
            for symmetric in [false, true] {
                let split = Split::of(cities, symmetric);
                assert_eq!(split.before + split.after + 2, cities);
                assert!(split.after - split.before < 2 && split.after > 0);
                let choose = Choose::new(split.others);
                let tables = split.tables(|k| choose.of(split.others, k) * (split.others - k) as u64);
                let bytes = tables.iter().map(|&cells| BigInt::from(cells)).sum::<BigInt>() * 8;
                assert_eq!(table_bytes(cities, symmetric, 8), bytes, "{cities}");
                assert!(check(cities, symmetric, 8).is_ok());
            }
        }
        let refused = check(280, true, 4).unwrap_err().to_string();
        assert!(refused.contains("1.2 * 10^85 states of 5.1 * 10^85 bytes"), "{refused}");
    }
}
