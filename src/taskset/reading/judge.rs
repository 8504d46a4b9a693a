//! What is wrong with a set that was read, shown at the places of its file.

use std::ops::Range;

use super::task_set::Reader;
use super::tree::Node;
use crate::diagnostics::Diagnostic;
use crate::model::{Part, Path, TaskSet};
use isx_exact::order;

impl Reader<'_> {
    /// Refuses what is wrong with a set, in the order of the file.
    pub fn judge(&mut self, root: &Node<'_>, set: &TaskSet) {
        let has_errors = self.problems.are_any();
        let is_mixed = self.mixed_units().is_some();
        let mut found: Vec<(Range<usize>, Path, _)> = Vec::new();
        for (path, wrong) in set.wrongs() {
            // A part that was refused may be what the set lacks, and times of mixed units do not compare.
            let is_unsure = has_errors && path.of == Part::Set;
            let is_of_mixed = is_mixed && ["wcet", "wcet_high", "jitter"].contains(&path.field);
            if !is_unsure && !is_of_mixed {
                found.push((self.places.of(root, &path), path, wrong));
            }
        }
        order::sort_by(&mut found, |a, b| a.0.start.cmp(&b.0.start));
        for (place, path, wrong) in found {
            let mut message = wrong.message;
            let also = wrong.also.iter().map(|(path, label)| (self.places.of(root, path), label.clone()));
            let also: Vec<(Range<usize>, String)> = also.collect();
            if let ("name", [(first, _)]) = (path.field, also.as_slice()) {
                message += &format!(", the first is in line {}", self.source.line(first.start));
            }
            let mut error = Diagnostic::error(self.source, place, message);
            if !wrong.label.is_empty() {
                error = error.label(wrong.label);
            }
            let mut help = wrong.help;
            // One other place is drawn, and lines lead to the further ones.
            let mut also = also.into_iter();
            if let Some((place, label)) = also.next() {
                error = error.also(place, label);
            }
            let further =
                also.map(|(place, label)| format!("{label} in line {}", self.source.line(place.start)));
            let further: Vec<String> = further.collect();
            if !further.is_empty() {
                help += &format!(": {}", further.join(" and "));
            }
            self.problems.refuse(*if help.is_empty() { error } else { error.help(help) });
        }
    }
}
