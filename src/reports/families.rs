//! The FPGA families as data: `families.txt`, which says how it is written.

use std::sync::LazyLock;

/// The reports of a tool about a family.
pub struct Family {
    pub tool: &'static str,
    /// The family in words; empty if the names are those of several.
    pub name: &'static str,
    pub resources: Vec<Resource>,
    /// Further names that show the family.
    pub marks: Vec<&'static str>,
    parts: Vec<&'static str>,
}

/// A usual resource, or one way to count it.
pub struct Resource {
    pub names: Vec<&'static str>,
    /// Which names of a report count as how many halves of it.
    pub counted: Vec<(&'static str, u32)>,
}

/// Of several families that fit a report, those that know the most of its names count.
pub static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| read(include_str!("families.txt")));

fn read(text: &'static str) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let head = line.strip_prefix('[').and_then(|head| head.strip_suffix(']'));
        if let Some(head) = head {
            let (tool, name) = head.split_once(": ").unwrap_or((head, ""));
            let (resources, marks, parts) = (Vec::new(), Vec::new(), Vec::new());
            families.push(Family { tool, name, resources, marks, parts });
        } else if let (Some(family), Some((names, terms))) = (families.last_mut(), line.split_once(" = ")) {
            let terms = terms.split(", ");
            match names {
                "shown by" => family.marks.extend(terms),
                "parts" => family.parts.extend(terms),
                _ => {
                    let names = names.split(' ').collect();
                    family.resources.push(Resource { names, counted: terms.map(halves).collect() });
                }
            }
        }
    }
    families
}

/// `CCU2C` and 4 of `2 CCU2C`.
fn halves(term: &str) -> (&str, u32) {
    match term.split_once(' ') {
        Some(("0", name)) => (name, 0),
        Some(("1/2", name)) => (name, 1),
        Some(("2", name)) => (name, 4),
        Some(("4", name)) => (name, 8),
        _ => (term, 2),
    }
}

/// The family of a part, or of the family that Quartus names. Figures of one family are comparable.
pub fn family_of(part: &str) -> Option<&'static str> {
    let part = part.trim().to_lowercase();
    let bare = bare(&part);
    let is_it = |known: &&str| if known.contains(' ') { bare == *known } else { bare.starts_with(known) };
    FAMILIES.iter().find(|family| family.parts.iter().any(is_it)).map(|family| family.name)
}

/// The name of a part in lower case without the `xc`, `xa` or `xq` of Xilinx's.
pub fn bare(part: &str) -> &str {
    ["xc", "xa", "xq"].iter().find_map(|mark| part.strip_prefix(mark)).unwrap_or(part)
}
