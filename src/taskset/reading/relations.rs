//! Resolves which other blocks a block needs, excludes and provides.
//!
//! ```yaml
//! blocks:
//!   - {name: port, area: 40}
//!   - {name: mul, area: 300, needs: [port]}        # built with it
//!   - {name: mac, area: 420, provides: [mul]}      # a choice that uses `mul` may run on it
//!   - {name: fpu, area: 900, excludes: [mac]}      # never built beside it
//! ```

use std::ops::Range;
use std::sync::Arc;

use super::hardware::{Blocks, RELATIONS};
use crate::diagnostics::{Diagnostic, Source, meant, shortened};

/// Blocks by number, each with the place where it is named.
type Numbers = Vec<(u32, Range<usize>)>;

/// Resolves the names in the relations of all blocks; what is wrong is left out and returned.
pub fn relate(blocks: &mut Blocks, source: &Arc<Source>) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut needs: Vec<Numbers> = Vec::new();
    blocks.providers = vec![Vec::new(); blocks.all.len()];
    for own in 0..blocks.all.len() {
        let mut resolved = |relation: usize| resolved(blocks, own, relation, source, &mut errors);
        needs.push(resolved(0));
        let excludes = resolved(1).into_iter().map(|(block, _)| block).collect();
        for (block, _) in resolved(2) {
            blocks.providers[block as usize].push(own as u32);
        }
        blocks.all[own].block.excludes = excludes;
    }
    for own in 0..needs.len() {
        blocks.needs.push(closure(blocks, own, &needs).unwrap_or_else(|(place, message, label)| {
            errors.push(*Diagnostic::error(source, place, message).label(label));
            Vec::new()
        }));
    }
    errors
}

fn resolved(
    blocks: &Blocks,
    own: usize,
    relation: usize,
    source: &Arc<Source>,
    errors: &mut Vec<Diagnostic>,
) -> Numbers {
    let declared = &blocks.all[own];
    let of = || format!("`{}` of block `{}`", RELATIONS[relation], declared.name());
    let mut refuse = |place: &Range<usize>, what: String, label: String| {
        let message = format!("{} {what}", of());
        errors.push(*Diagnostic::error(source, place.clone(), message).label(label));
        None
    };
    let number = |(name, place): &(String, Range<usize>)| match blocks.number_of(name) {
        Some(other) if other == own => {
            refuse(place, "names the block itself".to_owned(), "name another block".to_owned())
        }
        Some(other) => Some((other as u32, place.clone())),
        None if blocks.is_refused(name) => None,
        None => {
            let known = blocks.all.iter().map(|declared| declared.block.name.as_str());
            let label = meant(name, known).unwrap_or_else(|| "no block has this name".to_owned());
            refuse(place, format!("names an unknown block `{}`", shortened(name)), label)
        }
    };
    declared.relations[relation].iter().filter_map(number).collect()
}

/// All that is built with a block; or a circle, or two that exclude each other, and where that stands.
fn closure(
    blocks: &Blocks,
    own: usize,
    needs: &[Numbers],
) -> Result<Vec<u32>, (Range<usize>, String, &'static str)> {
    let name = |block: u32| blocks.all[block as usize].name();
    let place = || needs[own].first().map_or(0..0, |(_, place)| place.clone());
    let mut all: Vec<u32> = Vec::new();
    // Each with what leads to it.
    let own = own as u32;
    let mut open: Vec<(u32, Vec<u32>)> = vec![(own, vec![own])];
    while let Some((block, way)) = open.pop() {
        for &(next, _) in &needs[block as usize] {
            if next == own {
                let circle: Vec<String> =
                    way.iter().chain([&own]).map(|&at| format!("`{}`", name(at))).collect();
                let message = format!("blocks need each other in a circle: {}", circle.join(" needs "));
                return Err((place(), message, "one block would do"));
            }
            if !all.contains(&next) {
                all.push(next);
                open.push((next, [way.as_slice(), &[next]].concat()));
            }
        }
    }
    all.sort_unstable();
    let together: Vec<u32> = std::iter::once(own).chain(all.iter().copied()).collect();
    match blocks.excluding_pair(&together) {
        None => Ok(all),
        Some((one, other)) => {
            let message = if one == own {
                format!("block `{}` needs `{}`, which it excludes", name(own), name(other))
            } else {
                let [own, one, other] = [own, one, other].map(name);
                format!("block `{own}` needs `{one}` and `{other}`, which exclude each other")
            };
            Err((place(), message, "no design could build it"))
        }
    }
}
