//! What names and texts may consist of, for task sets that are read and those that are built in code.

use isx_exact::quantity::{is_control, reorders_text};

/// What is wrong with a name or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelProblem {
    /// There is nothing in it to see.
    #[error("is empty")]
    Empty,
    /// A control character, or a line break where one line is due.
    #[error("contains the control character U+{:04X}", u32::from(*.0))]
    Control(char),
    /// A mark that makes text read in another order than it is written.
    #[error("contains the bidirectional mark U+{:04X}", u32::from(*.0))]
    Bidirectional(char),
}

impl LabelProblem {
    fn of(c: char) -> Self {
        if reorders_text(c) { LabelProblem::Bidirectional(c) } else { LabelProblem::Control(c) }
    }
}

/// What keeps a text from being a name: it is one line with something to see, and nothing reorders it.
pub fn name_problem(text: &str) -> Option<LabelProblem> {
    if text.trim().is_empty() {
        return Some(LabelProblem::Empty);
    }
    text.chars().find(|&c| is_control(c) || reorders_text(c)).map(LabelProblem::of)
}

/// What keeps a text from being a description, of any number of lines.
///
/// Left-to-right and right-to-left marks are part of ordinary Hebrew and Arabic text; embeddings and overrides, which
/// can make a line read as another, are not.
pub fn text_problem(text: &str) -> Option<LabelProblem> {
    let refused = |c: char| {
        (is_control(c) && !matches!(c, '\n' | '\t'))
            || (reorders_text(c) && !matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}'))
    };
    text.chars().find(|&c| refused(c)).map(LabelProblem::of)
}
