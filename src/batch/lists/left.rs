//! What is left of a problem when it is made smaller.

/// A remaining item of a class, relative to the class's lightest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    pub weight: u64,
    pub gain: i64,
    /// 0 for no item, else one more than the item's index in its class.
    pub number: u32,
}

/// A class and its remaining items: `start..end`, lightest first.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    pub start: usize,
    pub end: usize,
}

/// The items that every selection takes, and the remaining capacity.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub value: i128,
    pub weight: u64,
    pub capacity: u64,
}
