//! What can be wrong with a certificate.

/// An error in a certificate, with its location.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {wrong}")]
pub struct Failure {
    /// The byte position in the certificate.
    pub offset: u64,
    /// The error.
    pub wrong: Wrong,
}

/// An error in a certificate.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// It ends prematurely.
    #[error("the file ends in the middle of {0}")]
    Ends(&'static str),
    /// It is not a certificate, or has another version.
    #[error(
        "this is no certificate of isx, or one of another version: it does not begin with `isx certificate 1`"
    )]
    Magic,
    /// A number is malformed.
    #[error("{what} is {problem}")]
    Number {
        /// Its name.
        what: &'static str,
        /// The reason.
        problem: &'static str,
    },
    /// A number is out of its range.
    #[error("{what} is {found}, at most {most} is possible")]
    TooLarge {
        /// Its name.
        what: &'static str,
        /// The number.
        found: String,
        /// The largest allowed value.
        most: String,
    },
    /// Data follows the end.
    #[error("something follows after the end of the proof")]
    Trailing,
    /// The certificate is about another problem.
    #[error(
        "the certificate is about another input: the SHA-256 of its problem is {found}, of the input's {expected}"
    )]
    OtherInput {
        /// The hash in the certificate.
        found: String,
        /// The hash of the input.
        expected: String,
    },
    /// The problem is inconsistent.
    #[error("the problem is none: {0}")]
    Problem(String),
    /// A point or a selection is invalid.
    #[error("point {point}: {problem}")]
    Point {
        /// Its 0-based index.
        point: usize,
        /// The reason.
        problem: String,
    },
    /// A list is malformed.
    #[error("list {list}: {problem}")]
    List {
        /// Its number, counted from 1.
        list: usize,
        /// The reason.
        problem: String,
    },
    /// A step of the proof does not hold.
    #[error("list {list} lacks what option {option} of class {class} makes of area {area} and cost {cost}")]
    NotCovered {
        /// Its number, counted from 1.
        list: usize,
        /// The class, 0-based, in the order of the problem.
        class: usize,
        /// The option; 0 means none.
        option: u32,
        /// The area of the pair in the previous list.
        area: u64,
        /// The cost of the pair in the previous list.
        cost: String,
    },
    /// With several resources, a step of the proof does not hold.
    #[error(
        "list {list} does not cover what option {option} of class {class} makes of amounts {amounts} and cost {cost}"
    )]
    SumNotCovered {
        /// Its number, counted from 1.
        list: usize,
        /// The class, 0-based, in the order of the problem.
        class: usize,
        /// The option; 0 means none.
        option: u32,
        /// The amounts of the entry in the previous list.
        amounts: String,
        /// The cost of the entry in the previous list.
        cost: String,
    },
    /// With several resources, the last list has an entry that no point covers.
    #[error(
        "amounts {amounts} of the objectives may allow cost {cost}, and no point of the claim covers that"
    )]
    NotClaimed {
        /// The amounts of the objectives.
        amounts: String,
        /// The cost of the entry.
        cost: String,
    },
    /// The last list has a pair that no point covers.
    #[error("area {area} may allow cost {cost}, and no point of the claim has so little")]
    BeyondClaim {
        /// The area of the pair.
        area: u64,
        /// The cost of the pair.
        cost: String,
    },
    /// An option claimed to exceed the room does not.
    #[error("class {class}: option {option} does not lose enough to be left out")]
    NotBounded {
        /// The class.
        class: usize,
        /// The option.
        option: u32,
    },
    /// A verdict does not hold.
    #[error("{0}")]
    Verdict(String),
    /// The memory limit is exceeded.
    #[error("to go on, the check needs {needed} bytes of memory, more than the {allowed} that are allowed")]
    Memory {
        /// The required bytes.
        needed: u64,
        /// The allowed bytes.
        allowed: u64,
    },
    /// The step limit is exceeded.
    #[error("the check takes more than the {allowed} steps that are allowed")]
    Steps {
        /// The allowed steps.
        allowed: u64,
    },
}
