//! "Did you mean": the known name closest to a misspelt one.

use isx_exact::quantity::shortened;

/// A suggestion for a misspelt word, as the label of a caret.
pub fn meant<'n>(text: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(text, known).map(|word| format!("did you mean `{}`?", shortened(word)))
}

/// The known name with the smallest edit distance, if that is at most a third of the letters.
pub fn nearest<'n>(text: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_of(text, &mut known.into_iter())
}

fn nearest_of<'n>(text: &str, known: &mut dyn Iterator<Item = &'n str>) -> Option<&'n str> {
    // The distance takes quadratic time: a name of megabytes resembles no known name, so it is cut.
    let folded = |text: &str| text.chars().take(40).flat_map(char::to_lowercase).collect::<String>();
    let text = folded(text);
    let (slips, _, letters, best) = known
        .map(|name| {
            let folded = folded(name);
            // Among equally close names, prefer the one with the same beginning: `block` means `blocks` rather than
            // `clock`.
            let begins_otherwise = folded.chars().next() != text.chars().next();
            (strsim::osa_distance(&text, &folded), begins_otherwise, folded.chars().count(), name)
        })
        .min_by_key(|&(slips, begins_otherwise, ..)| (slips, begins_otherwise))?;
    (3 * slips <= text.chars().count().max(letters)).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_that_differ_in_case_alone_are_nearest() {
        assert_eq!(nearest("sbox", ["xbox", "SBox", "box"]), Some("SBox"));
        assert_eq!(nearest("SBOX", ["mix"]), None);
        assert_eq!(nearest("sbox", []), None);
        let key = |text: &str| nearest(text, ["clock", "area_unit", "deadline", "blocks", "name"]);
        assert_eq!(
            ["block", "areaunits", "dedlin", "anme"].map(key),
            ["blocks", "area_unit", "deadline", "name"].map(Some)
        );
        assert_eq!(["dedln", "unit", "na", "<<", ""].map(key), [None; 5]);
        let long = "a".repeat(10_000_000);
        assert_eq!(nearest(&long, ["sbox", long.as_str()]), Some(long.as_str()));
    }
}
