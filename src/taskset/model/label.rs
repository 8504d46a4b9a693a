//! Valid names and texts, for task sets read from files as well as those built in code.

use isx_exact::quantity::{is_control, reorders_text};

/// What is wrong with a name or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum LabelProblem {
    #[error("is empty")]
    Empty,
    #[error("contains the control character U+{:04X}", u32::from(*.0))]
    Control(char),
    #[error("contains the bidirectional mark U+{:04X}", u32::from(*.0))]
    Bidirectional(char),
}

impl LabelProblem {
    fn of(c: char) -> Self {
        if reorders_text(c) { LabelProblem::Bidirectional(c) } else { LabelProblem::Control(c) }
    }
}

/// Why a text is not a valid name: a name is one line with visible characters and no reordering marks.
pub fn name_problem(text: &str) -> Option<LabelProblem> {
    if text.trim().is_empty() {
        return Some(LabelProblem::Empty);
    }
    text.chars().find(|&c| is_control(c) || reorders_text(c)).map(LabelProblem::of)
}

/// Why a text is not a valid description; it may have several lines.
///
/// Left-to-right and right-to-left marks are allowed, since ordinary Hebrew and Arabic text uses them; embeddings and
/// overrides, which can make a line look like another, are not.
pub fn text_problem(text: &str) -> Option<LabelProblem> {
    let refused = |c: char| {
        (is_control(c) && !matches!(c, '\n' | '\t'))
            || (reorders_text(c) && !matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}'))
    };
    text.chars().find(|&c| refused(c)).map(LabelProblem::of)
}
