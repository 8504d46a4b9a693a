//! Reads the blocks of a task set, and the hardware of its choices: their own area and the blocks they use.
//!
//! ```yaml
//! blocks:
//!   - name: sbox        # built once, whoever uses it
//!     area: 464
//!     slot: crypto      # at most one block of a slot is built
//!     fmax: 90 MHz      # no design that builds it runs faster
//! tasks:
//!   - name: aes
//!     choices:
//!       - {name: saes32, uses: [sbox], area: 12, wcet: 321}
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use isx_exact::quantity::Rational;

use super::cores::Placement;
use super::fields::{Field, Fields, clock_rate};
use super::resources::{self, cost_key, each_once};
use super::tree::{Node, Value};
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::{Block, Resources};

/// The maximum number of blocks compared with an unknown name: a file may have 200,000 blocks and as many unknown
/// names.
const MAX_COMPARED: usize = 1_000;

/// The maximum number of blocks listed in a message.
const MAX_LISTED: usize = 10;

/// The most ways to run one choice.
const MOST_WAYS: usize = 256;

/// The keys under which a block names others.
pub const RELATIONS: [&str; 3] = ["needs", "excludes", "provides"];

/// The blocks read so far, by name.
#[derive(Default)]
pub struct Blocks {
    pub all: Vec<Declared>,
    /// For each all that is built with it, without itself, in file order.
    pub needs: Vec<Vec<u32>>,
    /// For each the blocks that can do its work.
    pub providers: Vec<Vec<u32>>,
    by_name: HashMap<String, usize>,
    /// Names of rejected blocks, and unknown ones that were reported: using one of them causes no further error.
    refused: RefCell<HashSet<String>>,
    /// Whether two blocks have one name, which was reported: an unknown name may be meant for the second.
    has_double: bool,
}

/// A block with the location of its name.
pub struct Declared {
    pub block: Block,
    /// The blocks that it names under each of [`RELATIONS`], with their places.
    pub relations: [Vec<(String, Range<usize>)>; 3],
    is_on_chip: bool,
    place: Range<usize>,
    is_used: bool,
}

impl Declared {
    /// Reads a block with this cost of a switch, named at `place`.
    pub fn read(
        resources: &Resources,
        placement: &Placement,
        fields: &Fields<'_>,
        switch: Rational,
        place: Range<usize>,
    ) -> Found<Self> {
        let name = fields.required("name")?.label()?;
        let origin = fields.free_text("source")?;
        let cost = resources::cost(resources, fields)?;
        let cost = cost.ok_or_else(|| resources::without_cost(resources, fields))?;
        // An empty slot is not treated as absent: the block would be built in addition to the others.
        let slot = fields.get("slot").map(Field::label).transpose()?;
        let fmax = fields.get("fmax").map(clock_rate).transpose()?;
        let is_on_chip = placement.is_on_chip(fields)?;
        let block = Block { name, cost, slot, excludes: Vec::new(), fmax, switch, source: origin };
        let mut relations = [const { Vec::new() }; 3];
        for (key, names) in RELATIONS.iter().zip(&mut relations) {
            let Some(field) = fields.get_filled(key) else { continue };
            let items = each_once(field, "the name of a block", (usize::MAX, ""))?;
            names.extend(items.into_iter().map(|(name, item)| (name.to_owned(), item.bytes.clone())));
        }
        Ok(Self { block, relations, is_on_chip, place, is_used: false })
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        shortened(&self.block.name)
    }
}

impl Blocks {
    /// These blocks, of the ones that a file lists.
    pub fn new(all: Vec<Declared>, listed: &[Node<'_>]) -> Self {
        let mut by_name = HashMap::with_capacity(all.len());
        for (index, declared) in all.iter().enumerate() {
            by_name.entry(declared.block.name.clone()).or_insert(index);
        }
        let names = listed.iter().filter_map(|node| node.entry("name")?.text());
        let refused = names.filter(|&name| !by_name.contains_key(name)).map(str::to_owned).collect();
        let has_double = by_name.len() < all.len();
        Self { all, by_name, refused: RefCell::new(refused), has_double, ..Self::default() }
    }

    /// The blocks built once for the chip, as indices.
    pub fn on_chip(&self) -> Vec<u32> {
        let all = (0u32..).zip(&self.all);
        all.filter(|(_, declared)| declared.is_on_chip).map(|(number, _)| number).collect()
    }

    pub fn into_blocks(self) -> Vec<Block> {
        self.all.into_iter().map(|declared| declared.block).collect()
    }

    /// The number of the block of this name.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The first two of these that no design builds together.
    pub fn excluding_pair(&self, blocks: &[u32]) -> Option<(u32, u32)> {
        let block = |number: u32| &self.all[number as usize].block;
        let exclude = |one: u32, other: u32| {
            let slot = block(one).slot.as_ref();
            slot.is_some() && slot == block(other).slot.as_ref()
                || block(one).excludes.contains(&other)
                || block(other).excludes.contains(&one)
        };
        let pairs = (0..blocks.len()).flat_map(|at| blocks[..at].iter().map(move |&one| (one, blocks[at])));
        pairs.into_iter().find(|&(one, other)| exclude(one, other))
    }

    /// The ways to use these blocks: each as it is or by one that provides it, with all that they need; `None` if there are
    /// more than [`MOST_WAYS`].
    fn ways(&self, uses: &[u32]) -> Option<Vec<Vec<u32>>> {
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

    /// Whether a block of this name was rejected, which was reported.
    pub fn is_refused(&self, name: &str) -> bool {
        self.refused.borrow().contains(name)
    }

    /// A warning for each block that no choice uses.
    pub fn unused(&self, source: &Arc<Source>) -> Vec<Diagnostic> {
        let unused = self.all.iter().filter(|declared| !declared.is_used);
        let warning = |declared: &Declared| {
            let message = format!("no choice uses block `{}`", declared.name());
            *Diagnostic::warning(source, declared.place.clone(), message).label("no design builds it")
        };
        unused.map(warning).collect()
    }

    /// The names, for the hint of a message.
    fn listed(&self, price: &str) -> String {
        let names: Vec<String> =
            self.all.iter().take(MAX_LISTED).map(|declared| format!("`{}`", declared.name())).collect();
        let names = names.join(", ");
        match (self.all.len(), self.all.len().saturating_sub(MAX_LISTED)) {
            (0, _) => {
                format!(
                    "the task set has no `blocks`: add that list, each block with its `name` and `{price}`"
                )
            }
            (1, _) => format!("the only block is {names}"),
            (_, 0) => format!("the blocks are {names}"),
            (_, more) => format!("the blocks are {names} and {more} more"),
        }
    }

    /// The hardware of a choice: its own price, nothing if only blocks are given, and the blocks in the given order, with
    /// what they need; several if other blocks do the work of these.
    pub fn of_choice(
        &mut self,
        resources: &Resources,
        choice: &Fields<'_>,
        suggest: bool,
    ) -> Found<(Vec<Rational>, Vec<Vec<u32>>)> {
        let given = self.uses(choice, suggest.then(|| cost_key(resources)))?;
        let uses = self.ways(&given).ok_or_else(|| {
            let message = format!(
                "{} can be run in more than {MOST_WAYS} ways by blocks that provide others",
                choice.owner
            );
            let place = choice.get("uses").map_or(choice.anchor.clone(), Field::place);
            Diagnostic::error(choice.source, place, message).label("all combinations of these are tried")
        })?;
        // What is given is kept even if no design builds it: that is an error of its own.
        let is_possible = |way: &[u32]| self.excluding_pair(way).is_none();
        let some = uses.into_iter().enumerate().filter(|(at, way)| *at == 0 || is_possible(way));
        let uses: Vec<Vec<u32>> = some.map(|(_, way)| way).collect();
        for number in uses.iter().flatten() {
            self.all[*number as usize].is_used = true;
        }
        // Test the list as written, since a rejected block is not among those found.
        let lists_a_block = choice
            .get("uses")
            .is_some_and(|field| matches!(&field.node.value, Value::List(items) if !items.is_empty()));
        match resources::cost(resources, choice)? {
            Some(cost) => Ok((cost, uses)),
            None if lists_a_block => Ok((resources.nothing(), uses)),
            None => {
                let what = cost_key(resources);
                Err(choice.missing(what).help(format!(
                    "give the {what} of its own hardware as `{what}`, the blocks that it shares as `uses`, or both"
                )))
            }
        }
    }

    fn uses(&self, choice: &Fields<'_>, suggest: Option<&str>) -> Found<Vec<u32>> {
        let Some(field) = choice.get_filled("uses") else { return Ok(Vec::new()) };
        let items = field.names()?.iter().enumerate();
        items.filter_map(|(at, item)| self.used_block(choice, at, item, suggest).transpose()).collect()
    }

    /// The index of the block that an item of `uses` names; `None` if that block was rejected.
    fn used_block(
        &self,
        choice: &Fields<'_>,
        at: usize,
        item: &Node<'_>,
        suggest: Option<&str>,
    ) -> Found<Option<u32>> {
        let problem = match &item.value {
            _ if item.is_null() => "empty",
            Value::Scalar { text, .. } => {
                return match self.by_name.get(&**text) {
                    Some(&number) => Ok(Some(number as u32)),
                    None if self.has_double || !self.refused.borrow_mut().insert(text.to_string()) => {
                        Ok(None)
                    }
                    None => Err(self.unknown_block(choice, text, item, suggest)),
                };
            }
            Value::List(_) => "a list, not a name",
            Value::Map(_) => "a mapping, not a name",
        };
        let message = format!("item {} of `uses` of {} is {problem}", at + 1, choice.owner);
        Err(choice.error_at(item, message).label("expected the name of a block"))
    }

    fn unknown_block(
        &self,
        choice: &Fields<'_>,
        name: &str,
        item: &Node<'_>,
        suggest: Option<&str>,
    ) -> Box<Diagnostic> {
        let message = format!("{} uses an unknown block `{}`", choice.owner, shortened(name));
        let error = choice.error_at(item, message);
        let Some(cost_key) = suggest else { return error };
        let known = self.all.iter().take(MAX_COMPARED).map(|declared| declared.block.name.as_str());
        let label = meant(name, known).unwrap_or_else(|| "no block has this name".to_owned());
        error.label(label).help(self.listed(cost_key))
    }
}
