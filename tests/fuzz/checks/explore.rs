//! A task set drawn from the bytes with all that a file may say: the tester of random sets asks everything about it and compares
//! with brute force.

#[path = "../../random/ask.rs"]
#[allow(dead_code, reason = "used by the tester alone")]
mod ask;
#[path = "../../random/cores.rs"]
mod cores;
#[path = "../../random/deadlines.rs"]
mod deadlines;
#[path = "../../random/judge.rs"]
#[allow(dead_code, reason = "used by the tester alone")]
mod judge;
#[path = "../../random/proofs.rs"]
mod proofs;
#[path = "../../random/set.rs"]
#[allow(dead_code, reason = "used by the tester alone")]
mod set;
#[path = "../../random/shrink.rs"]
#[allow(dead_code, reason = "used by the tester alone")]
mod shrink;

/// The numbers of the tester, from the bytes of an input, so that a fuzzer that changes a byte changes a number; or from a seed.
struct Random {
    bytes: Vec<u8>,
    seeded: crate::common::Random,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { bytes: Vec::new(), seeded: crate::common::Random(seed) }
    }

    fn within<T: TryInto<i128> + TryFrom<i128>>(&mut self, low: T, high: T) -> T {
        let Some(byte) = self.bytes.pop() else { return self.seeded.within(low, high) };
        let [low, high] = [low, high].map(|end| end.try_into().ok().unwrap());
        // Of a longer range, numbers everywhere in it.
        let step = ((high - low) / 256).max(1);
        T::try_from(low + i128::from(byte) * step % (high - low + 1)).ok().unwrap()
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.within(1, n) == n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.within(0, from.len() - 1)]
    }
}

pub fn check(data: &[u8]) {
    let mixed = |seed: u64, byte: &u8| seed.wrapping_mul(257).wrapping_add((*byte).into());
    let seed = data.iter().fold(data.len() as u64, mixed);
    let mut random = Random { bytes: data.iter().rev().copied().collect(), ..Random::new(seed) };
    let set = set::draw(&mut random, false);
    if let Err(fault) = ask::ask(&set, seed, &mut ask::Tally::default())
        && !ask::KNOWN.iter().any(|(what, _)| fault.what.contains(what))
    {
        panic!("{}: {}\n{}", fault.what, fault.details, set.yaml());
    }
}
