//! Item indices, as narrow as their class allows.

/// Item indices of one class, as narrow as the class allows.
#[derive(Clone, Debug)]
pub enum ItemIndices {
    /// Classes of up to 256 items.
    U8(Vec<u8>),
    /// Classes of up to 65,536 items.
    U16(Vec<u16>),
    /// Larger classes.
    U32(Vec<u32>),
}

impl ItemIndices {
    /// Bytes of an index into `items` items: 1, 2 or 4.
    pub fn width(items: usize) -> usize {
        match items {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        }
    }

    /// `len` zeros, wide enough for the indices of a class of `items` items.
    pub fn zeros(len: usize, items: usize) -> Self {
        match Self::width(items) {
            1 => Self::U8(vec![0; len]),
            2 => Self::U16(vec![0; len]),
            _ => Self::U32(vec![0; len]),
        }
    }

    /// These indices of a class of `items` items.
    pub fn of(indices: impl ExactSizeIterator<Item = usize>, items: usize) -> Self {
        let mut all = Self::zeros(indices.len(), items);
        indices.enumerate().for_each(|(at, index)| all.set(at, index));
        all
    }

    /// Their bytes in memory.
    pub fn bytes(&self) -> u64 {
        let bytes = match self {
            Self::U8(indices) => indices.capacity(),
            Self::U16(indices) => 2 * indices.capacity(),
            Self::U32(indices) => 4 * indices.capacity(),
        };
        bytes as u64
    }

    /// The index at `at`. Panics if `at` is out of range.
    pub fn get(&self, at: usize) -> usize {
        match self {
            Self::U8(indices) => indices[at].into(),
            Self::U16(indices) => indices[at].into(),
            Self::U32(indices) => indices[at] as usize,
        }
    }

    /// Sets the index at `at`. Panics if `at` is out of range or `item` is wider than [`ItemIndices::zeros`] allowed
    /// for.
    pub fn set(&mut self, at: usize, item: usize) {
        // The width was chosen from the class size, so no index is truncated.
        #[allow(clippy::cast_possible_truncation)]
        match self {
            Self::U8(indices) => indices[at] = item as u8,
            Self::U16(indices) => indices[at] = item as u16,
            Self::U32(indices) => indices[at] = item as u32,
        }
    }
}
