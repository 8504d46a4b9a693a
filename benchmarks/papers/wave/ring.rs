//! The waves that are still needed.

/// The last few waves before the one that is being filled.
pub struct Before<'a, C> {
    /// The latest first; waves before the table begins are empty.
    waves: Vec<&'a [C]>,
}

impl<'a, C> Before<'a, C> {
    /// The wave at this distance before the one being filled, 1 for the previous one; empty before the table begins.
    /// Panics if the distance exceeds the recurrence's reach.
    #[inline]
    pub fn wave(&self, back: usize) -> &'a [C] {
        self.waves[back - 1]
    }
}

/// As many waves as a recurrence reaches back, plus the one being filled.
pub(super) struct Ring<C> {
    /// Wave w is in buffer w % (reach + 1); waves before the table begins are empty.
    buffers: Vec<Vec<C>>,
    /// The wave to be filled next.
    next: u64,
}

impl<C: Copy + Default> Ring<C> {
    /// Before the first wave.
    pub fn new(reach: usize) -> Self {
        Self { buffers: vec![Vec::new(); reach + 1], next: 0 }
    }

    /// Bytes of a ring of waves of this many cells.
    pub fn bytes(reach: usize, widest: usize) -> u64 {
        (reach as u64 + 1).saturating_mul(widest as u64).saturating_mul(size_of::<C>() as u64)
    }

    /// The next wave, with this many cells to be written, and the previous ones.
    pub fn fill(&mut self, cells: usize) -> (&mut [C], Before<'_, C>) {
        let length = self.buffers.len();
        let at = (self.next % length as u64) as usize;
        self.next += 1;
        let (left, right) = self.buffers.split_at_mut(at);
        let (fill, right) = right.split_first_mut().unwrap_or_else(|| unreachable!("a ring has that buffer"));
        fill.resize(cells, C::default());
        // In order of age: from the left neighbor of `at` leftwards, then from the right end.
        let waves = left.iter().rev().chain(right.iter().rev()).map(|wave| &wave[..]).collect();
        (fill, Before { waves })
    }

    /// The wave filled last.
    pub fn last(&self) -> &[C] {
        let length = self.buffers.len() as u64;
        &self.buffers[((self.next + length - 1) % length) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_holds_the_waves_before_latest_first() {
        let mut ring = Ring::new(3);
        for wave in 0..20u64 {
            let (fill, before) = ring.fill(wave as usize + 1);
            for back in 1..=3 {
                let expected: Vec<u64> = match wave.checked_sub(back) {
                    Some(wave) => vec![wave; wave as usize + 1],
                    None => Vec::new(),
                };
                assert_eq!(before.wave(back as usize), expected);
            }
            fill.fill(wave);
            assert_eq!(ring.last(), vec![wave; wave as usize + 1]);
        }
    }
}
