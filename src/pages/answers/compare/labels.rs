//! Short names of fronts: what distinguishes their files, or what was changed for a what-if question.

use super::side::Side;
use isx_report::text::{self, cut, visible};

/// Columns of a name from a file.
const MOST_COLUMNS: usize = 28;
/// Columns of a name from a what-if question.
const MOST_WHAT_IF_COLUMNS: usize = 48;

/// The parts of the paths that differ: `output/gateway/front.json` and `output/gateway-what-if/front.json` are called
/// `gateway` and `gateway-what-if`. Equal names are numbered.
pub fn by_file(sides: &[Side]) -> Vec<String> {
    let paths: Vec<Vec<&str>> = sides.iter().map(|side| side.name.split(['/', '\\']).collect()).collect();
    let shortest = paths.iter().map(Vec::len).min().unwrap_or(0);
    let are_equal =
        |part: &dyn Fn(&Vec<&str>) -> String| paths.windows(2).all(|pair| part(&pair[0]) == part(&pair[1]));
    let mut first = 0;
    while first + 1 < shortest && are_equal(&|path| path[first].to_owned()) {
        first += 1;
    }
    let mut last = 0;
    while first + last + 1 < shortest && are_equal(&|path| path[path.len() - 1 - last].to_owned()) {
        last += 1;
    }
    let kept = paths.iter().map(|path| path[first..path.len() - last].join("/"));
    numbered(kept.map(|name| cut_in_front(&visible(&name))).collect())
}

/// The changes of each front, if all are of one task set and no two are changed alike.
pub fn by_what_if(sides: &[Side]) -> Option<Vec<String>> {
    let differ = |(at, side): (usize, &Side)| {
        sides[..at]
            .iter()
            .all(|other| other.head.taskset == side.head.taskset && other.head.what_if != side.head.what_if)
    };
    if !sides.iter().enumerate().all(differ) {
        return None;
    }
    let words = |side: &Side| match side.head.what_if.as_slice() {
        [] => "unchanged".to_owned(),
        changes => cut(&visible(&changes.join(", ")), MOST_WHAT_IF_COLUMNS),
    };
    Some(numbered(sides.iter().map(words).collect()))
}

/// The names of these fronts: `a`, `a and b`, `a, b and c`.
pub fn listed(fronts: &[usize], labels: &[String]) -> String {
    let names = fronts.iter().filter_map(|&front| labels.get(front));
    text::listed(&names.map(String::as_str).collect::<Vec<_>>())
}

/// Which fronts are the best, or what is said if none is.
pub fn best_of(best: &[usize], labels: &[String], none: &str) -> String {
    let names = listed(best, labels);
    match (best, labels.len()) {
        (best, count) if best.len() == count => "The fronts are equal.".to_owned(),
        ([], _) => none.to_owned(),
        ([only], 2) => format!("{names} is nowhere worse than {}.", listed(&[1 - only], labels)),
        ([_], _) => format!("{names} is nowhere worse than another."),
        (_, _) => format!("{names} are equal and nowhere worse than another."),
    }
}

/// The end of a long name: paths differ there rather than at their beginning.
fn cut_in_front(name: &str) -> String {
    let length = name.chars().count();
    if length <= MOST_COLUMNS {
        return cut(name, MOST_COLUMNS);
    }
    let end: String = name.chars().skip(length - MOST_COLUMNS + 1).collect();
    cut(&format!("…{end}"), MOST_COLUMNS)
}

fn numbered(names: Vec<String>) -> Vec<String> {
    let is_used = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let number = |(at, name): (usize, &String)| {
        if is_used(name) { format!("{name} ({})", at + 1) } else { name.clone() }
    };
    names.iter().enumerate().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_report::front::Head;

    fn sides(names: &[&str], changes: &[&[&str]]) -> Vec<Side> {
        let change = |at: usize| changes.get(at).copied().unwrap_or_default();
        let head = |at| Head {
            taskset: "set".into(),
            what_if: change(at).iter().map(|&change| change.to_owned()).collect(),
            ..Head::default()
        };
        let side = |(at, name): (usize, &&str)| Side::new((*name).into(), head(at), Vec::new());
        names.iter().enumerate().map(side).collect()
    }

    #[test]
    fn files_are_called_by_what_tells_them_apart() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["output/a/front.json", "output/a-what-if/front.json"], &["a", "a-what-if"]),
            (&["a.json", "b.json"], &["a.json", "b.json"]),
            (&["x/a.json", "y/z/a.json"], &["x", "y/z"]),
            (&["a.json", "a.json"], &["a.json (1)", "a.json (2)"]),
            (&["front.json", "old/front.json"], &["front.json", "old/front.json"]),
            (&["standard input", "output/a/front.json"], &["standard input", "output/a/front.json"]),
        ];
        for (names, wanted) in cases {
            assert_eq!(by_file(&sides(names, &[])), wanted, "{names:?}");
        }
        let long = format!("{}/end.json", "folder".repeat(9));
        let short = by_file(&sides(&[&long, "b"], &[]));
        assert!(short[0].starts_with('…') && short[0].ends_with("/end.json"), "{short:?}");
    }

    #[test]
    fn fronts_of_one_set_are_called_by_their_changes() {
        let two = sides(&["a", "b"], &[&[], &["mac is forbidden", "x"]]);
        assert_eq!(by_what_if(&two).unwrap(), ["unchanged", "mac is forbidden, x"]);
        assert_eq!(by_what_if(&sides(&["a", "b"], &[])), None);
        let mut two = two;
        two[1].head.taskset = "another".into();
        assert_eq!(by_what_if(&two), None);
    }
}
