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

/// An error in a certificate. Lists are counted from 1, classes and points from 0; option 0 means none.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum Wrong {
    #[error("{0}")]
    Read(#[from] std::io::Error),
    #[error("the file ends in the middle of {0}")]
    Ends(&'static str),
    #[error(
        "this is no certificate of isx, or one of another version: it does not begin with `isx certificate 2`"
    )]
    Magic,
    #[error("{what} is {problem}")]
    Number { what: &'static str, problem: &'static str },
    #[error("{what} is {found}, at most {most} is possible")]
    TooLarge { what: &'static str, found: String, most: String },
    #[error("something follows after the end of the proof")]
    Trailing,
    #[error(
        "the certificate is about another input: the SHA-256 of its problem is {found}, of the input's {expected}"
    )]
    OtherInput { found: String, expected: String },
    #[error("the problem is invalid: {0}")]
    Problem(String),
    #[error("point {point}: {problem}")]
    Point { point: usize, problem: String },
    #[error("list {list}: {problem}")]
    List { list: usize, problem: String },
    #[error(
        "list {list} does not cover what option {option} of class {class} makes of amounts {amounts} and cost {cost}"
    )]
    NotCovered { list: usize, class: usize, option: u32, amounts: String, cost: String },
    #[error("amounts {amounts} may allow cost {cost}, and no point of the claim covers that")]
    NotClaimed { amounts: String, cost: String },
    #[error("class {class}: option {option} does not lose enough to be left out")]
    NotBounded { class: usize, option: u32 },
    #[error("{0}")]
    Verdict(String),
    #[error("to go on, the check needs {needed} bytes of memory, more than the {allowed} that are allowed")]
    Memory { needed: u64, allowed: u64 },
    #[error("the check takes more than the {allowed} steps that are allowed")]
    Steps { allowed: u64 },
}
