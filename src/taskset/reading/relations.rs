//! Reads which other blocks a block needs, excludes and provides.
//!
//! ```yaml
//! blocks:
//!   - {name: port, area: 40}
//!   - {name: mul, area: 300, needs: [port]}        # built with it
//!   - {name: mac, area: 420, provides: [mul]}      # a choice that uses `mul` may run on it
//!   - {name: fpu, area: 900, excludes: [mac]}      # never built beside it
//! ```

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::fields::Fields;
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::Block;

/// The most ways to run one choice.
pub const MOST_WAYS: usize = 256;

/// Names of other blocks, each with its place.
type Names = Vec<(String, Range<usize>)>;

/// The relations of a block as the file names them.
#[derive(Default)]
pub struct Relations {
    needs: Names,
    excludes: Names,
    provides: Names,
}

impl Relations {
    /// Reads the `needs`, `excludes` and `provides` of a block.
    pub fn read(block: &Fields<'_>) -> Found<Self> {
        let list = |key| -> Found<Names> {
            let Some(field) = block.get_filled(key) else { return Ok(Vec::new()) };
            let mut names: Names = Vec::new();
            for (at, item) in field.names()?.iter().enumerate() {
                let Some(name) = item.text().filter(|_| !item.is_null()) else {
                    let message = format!("item {} of {field} is not a name", at + 1);
                    return Err(block.error_at(item, message).label("the name of a block is due here"));
                };
                if let Some((_, first)) = names.iter().find(|(other, _)| other == name) {
                    let error = block.error_at(item, format!("{field} names `{}` twice", shortened(name)));
                    return Err(error.label("named again here").also(first.clone(), "first named here"));
                }
                names.push((name.to_owned(), item.bytes.clone()));
            }
            Ok(names)
        };
        Ok(Self { needs: list("needs")?, excludes: list("excludes")?, provides: list("provides")? })
    }
}

/// The relations of all blocks, by number.
#[derive(Default)]
pub struct Related {
    /// All that is built with each block, without itself, in file order.
    needs: Vec<Vec<u32>>,
    /// The blocks that can do the work of each.
    providers: Vec<Vec<u32>>,
}

impl Related {
    /// The ways to use these blocks: each as it is or by one that provides it, with all that they need.
    pub fn ways(&self, uses: &[u32]) -> Option<Vec<Vec<u32>>> {
        let mut ways: Vec<Vec<u32>> = vec![Vec::new()];
        for &block in uses {
            let others = self.providers.get(block as usize).map_or(&[][..], Vec::as_slice);
            if others.is_empty() {
                ways.iter_mut().for_each(|way| way.push(block));
                continue;
            }
            let on = || std::iter::once(block).chain(others.iter().copied());
            let more = ways.iter().flat_map(|way| on().map(|block| [way.as_slice(), &[block]].concat()));
            ways = more.collect();
            if ways.len() > MOST_WAYS {
                return None;
            }
        }
        for (number, way) in ways.iter_mut().enumerate() {
            let mut seen: HashSet<u32> = HashSet::new();
            // What is given twice is an error of its own, and what one block does for two is used once.
            way.retain(|block| seen.insert(*block) || number == 0);
            for at in 0..way.len() {
                let needs = self.needs.get(way[at] as usize).into_iter().flatten();
                way.extend(needs.copied().filter(|block| seen.insert(*block)).collect::<Vec<u32>>());
            }
        }
        Some(ways)
    }
}

/// Blocks whose relations name each other.
pub struct Relating<'a> {
    pub source: &'a Arc<Source>,
    pub blocks: Vec<&'a Block>,
    /// The number of the block of a name.
    pub number_of: &'a dyn Fn(&str) -> Option<usize>,
    /// Whether a block of this name was rejected, which was reported.
    pub is_refused: &'a dyn Fn(&str) -> bool,
}

impl Relating<'_> {
    /// Resolves the names in relations: what follows for choices, the blocks that each excludes, and what is wrong, which is
    /// left out.
    pub fn resolved(&self, relations: &[Relations]) -> (Related, Vec<Vec<u32>>, Vec<Diagnostic>) {
        let source = self.source;
        let mut errors = Vec::new();
        let mut resolved = |key: &str, own: usize, names: &Names| -> Vec<(u32, Range<usize>)> {
            let found = names.iter().filter_map(|(name, place)| {
                let of = || format!("`{key}` of block `{}`", shortened(&self.blocks[own].name));
                let error = match (self.number_of)(name) {
                    Some(other) if other == own => {
                        let error = Diagnostic::error(
                            source,
                            place.clone(),
                            format!("{} names the block itself", of()),
                        );
                        error.label("name another block")
                    }
                    Some(other) => return Some((other as u32, place.clone())),
                    None if (self.is_refused)(name) => return None,
                    None => {
                        let message = format!("{} names an unknown block `{}`", of(), shortened(name));
                        let known = self.blocks.iter().map(|block| block.name.as_str());
                        let label = meant(name, known).unwrap_or_else(|| "no block has this name".to_owned());
                        Diagnostic::error(source, place.clone(), message).label(label)
                    }
                };
                errors.push(*error);
                None
            });
            found.collect()
        };
        let (mut needs, mut excludes, mut providers) =
            (Vec::new(), Vec::new(), vec![Vec::new(); relations.len()]);
        for (own, Relations { needs: names, excludes: others, provides }) in relations.iter().enumerate() {
            needs.push(resolved("needs", own, names));
            excludes.push(resolved("excludes", own, others));
            for (block, _) in resolved("provides", own, provides) {
                providers[block as usize].push(own as u32);
            }
        }
        let excludes: Vec<Vec<u32>> =
            excludes.iter().map(|own| own.iter().map(|(block, _)| *block).collect()).collect();
        let mut closed = Vec::with_capacity(needs.len());
        for own in 0..needs.len() {
            match self.closure(own, &needs, &excludes) {
                Ok(all) => closed.push(all),
                Err((place, message, label)) => {
                    closed.push(Vec::new());
                    errors.push(*Diagnostic::error(source, place, message).label(label));
                }
            }
        }
        (Related { needs: closed, providers }, excludes, errors)
    }

    /// All that is built with a block; or a circle, or two that exclude each other, and where that stands.
    fn closure(
        &self,
        own: usize,
        needs: &[Vec<(u32, Range<usize>)>],
        excludes: &[Vec<u32>],
    ) -> Result<Vec<u32>, (Range<usize>, String, String)> {
        let name = |block: usize| shortened(&self.blocks[block].name);
        let mut all: Vec<u32> = Vec::new();
        // Each with what leads to it.
        let mut open: Vec<(usize, Vec<usize>)> = vec![(own, vec![own])];
        while let Some((block, way)) = open.pop() {
            for (next, place) in &needs[block] {
                let next = *next as usize;
                if next == own {
                    let circle: Vec<String> =
                        way.iter().chain([&own]).map(|&at| format!("`{}`", name(at))).collect();
                    let place = needs[own].first().map_or_else(|| place.clone(), |(_, place)| place.clone());
                    let message = format!("blocks need each other in a circle: {}", circle.join(" needs "));
                    return Err((place, message, "one block would do".to_owned()));
                }
                if !all.contains(&(next as u32)) {
                    all.push(next as u32);
                    open.push((next, [way.as_slice(), &[next]].concat()));
                }
            }
        }
        all.sort_unstable();
        let together: Vec<usize> =
            std::iter::once(own).chain(all.iter().map(|&block| block as usize)).collect();
        for (at, &one) in together.iter().enumerate() {
            for &other in &together[..at] {
                let [first, second] = [other, one].map(|at| &self.blocks[at].slot);
                let is_slot = first.is_some() && first == second;
                let is_excluded =
                    excludes[other].contains(&(one as u32)) || excludes[one].contains(&(other as u32));
                if is_slot || is_excluded {
                    let place = needs[own].first().map_or(0..0, |(_, place)| place.clone());
                    let message = format!(
                        "block `{}` needs `{}` and `{}`, which exclude each other",
                        name(own),
                        name(other),
                        name(one)
                    );
                    let message = if other == own || one == own {
                        let excluded = if other == own { one } else { other };
                        format!("block `{}` needs `{}`, which it excludes", name(own), name(excluded))
                    } else {
                        message
                    };
                    return Err((place, message, "no design could build it".to_owned()));
                }
            }
        }
        Ok(all)
    }
}
