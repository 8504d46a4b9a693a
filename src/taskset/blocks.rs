//! Reads the blocks of a task set, and which of them its choices use.
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

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use num_traits::Zero;

use super::Block;
use super::diagnostic::{Diagnostic, Severity, shortened};
use super::fields::{BLOCK_KEYS, Fields, describe, name_bytes, name_of, nearest};
use super::reader::{Found, Reader};
use super::tree::{Node, Value};
use isx_exact::quantity::Rational;

/// The most blocks that an unknown name is compared with: a file may have 200,000 of them, and as many such names.
const MAX_COMPARED: usize = 1_000;

/// The most blocks that a message lists.
const MAX_LISTED: usize = 10;

/// The blocks read so far, by name.
#[derive(Default)]
pub(super) struct Blocks {
    all: Vec<Declared>,
    by_name: HashMap<String, u32>,
    /// Names of blocks that were refused: who uses one of them makes no further error.
    refused: HashSet<String>,
}

/// A block with its place.
struct Declared {
    block: Block,
    /// Where its name stands.
    place: Range<usize>,
    is_used: bool,
}

impl Blocks {
    pub fn into_blocks(self) -> Vec<Block> {
        self.all.into_iter().map(|declared| declared.block).collect()
    }

    fn get(&self, index: u32) -> Option<&Declared> {
        self.all.get(index as usize)
    }

    /// The names, for the help of a message.
    fn listed(&self) -> String {
        let quoted = |declared: &Declared| format!("`{}`", shortened(&declared.block.name));
        let names: Vec<String> = self.all.iter().take(MAX_LISTED).map(quoted).collect();
        match (&self.all[..], self.all.len().saturating_sub(MAX_LISTED)) {
            ([], _) => "the task set has no `blocks`: add that list, each block with its `name` and `area`"
                .to_owned(),
            ([_], _) => format!("the only block is {}", names.join(", ")),
            (_, 0) => format!("the blocks are {}", names.join(", ")),
            (_, more) => format!("the blocks are {} and {more} more", names.join(", ")),
        }
    }
}

/// A block that a choice names, and where.
struct Use {
    block: u32,
    place: Range<usize>,
}

impl Reader<'_> {
    /// Reads the task set's `blocks`, which its choices then find by name.
    pub(super) fn read_blocks(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(node) = set.get_filled("blocks") else { return Ok(()) };
        let nodes = self.list(set, node, "blocks")?;
        let read = |reader: &mut Self, index, node: &Node<'_>| reader.block(index, node);
        let all = self.unique(nodes, read, |declared: &Declared| &declared.block.name, "block")?;
        let mut by_name = HashMap::with_capacity(all.len());
        for (index, declared) in (0..).zip(&all) {
            by_name.entry(declared.block.name.clone()).or_insert(index);
        }
        let refused = nodes.iter().filter_map(word_of_name).filter(|&name| !by_name.contains_key(name));
        let refused = refused.map(str::to_owned).collect();
        self.blocks = Blocks { all, by_name, refused };
        Ok(())
    }

    fn block(&self, index: usize, node: &Node<'_>) -> Found<Declared> {
        let fields = Fields::new(self.source, node, describe("block", index, node), BLOCK_KEYS)?;
        let name = self.name(&fields)?;
        let source = self.free_text(&fields, "source")?;
        let area = self.area(&fields)?;
        // A slot that someone forgot to fill in is no slot by default: the block would be built beside the others.
        let slot = match fields.get("slot") {
            Some(node) if node.is_null() => return Err(self.blank(&fields, node, "slot")),
            Some(node) => Some(self.label_text(&fields, node, "slot")?),
            None => None,
        };
        let fmax = fields.get("fmax").map(|node| self.fmax(&fields, node)).transpose()?;
        let block = Block { name, area, slot, fmax, source };
        Ok(Declared { block, place: name_bytes(node), is_used: false })
    }

    /// The fastest clock of a block, which means something only beside the clock that WCETs are counted in.
    fn fmax(&self, block: &Fields<'_>, node: &Node<'_>) -> Found<Rational> {
        let hertz = self.clock_rate(block, node, "fmax")?;
        if self.clock.is_some() {
            return Ok(hertz);
        }
        let message = format!("`fmax` of {} needs the `clock` of the task set", block.owner());
        Err(Diagnostic::error(self.source, block.place(node), message)
            .label("no clock is given that this would lower")
            .help(
                "give the processor's clock without this block, for example `clock: 100 MHz`: WCETs without a unit are \
                 then cycles of it",
            ))
    }

    /// What a choice needs: its own area, 0 if only its blocks are given, and the blocks in the order given.
    pub(super) fn hardware(&mut self, choice: &Fields<'_>) -> Found<(Rational, Vec<u32>)> {
        let uses = self.uses(choice)?;
        if choice.get("area").is_some() {
            return Ok((self.area(choice)?, uses));
        }
        // The list tells it, not what was found: a block that was refused is not among those found.
        let lists_a_block = choice
            .get("uses")
            .is_some_and(|node| matches!(&node.value, Value::List(items) if !items.is_empty()));
        if lists_a_block {
            return Ok((Rational::zero(), uses));
        }
        let help =
            "give the area of its own hardware as `area`, the blocks that it shares as `uses`, or both";
        Err(choice.missing(self.source, "area").help(help))
    }

    fn uses(&mut self, choice: &Fields<'_>) -> Found<Vec<u32>> {
        let Some(node) = choice.get_filled("uses") else { return Ok(Vec::new()) };
        let items = self.list(choice, node, "uses").map_err(|error| match &node.value {
            Value::Scalar { text, .. } if shortened(text) == **text => {
                error.help(format!("write `uses: [{text}]`"))
            }
            _ => error,
        })?;
        let mut uses = Vec::with_capacity(items.len());
        let mut seen: HashMap<u32, Range<usize>> = HashMap::with_capacity(items.len());
        let mut slots: HashMap<&str, Use> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            let Some(found) = self.used_block(choice, at, item)? else { continue };
            if let Some(first) = seen.insert(found.block, item.bytes.clone()) {
                return Err(self.used_twice(choice, &found, &first));
            }
            if let Some(slot) = self.blocks.get(found.block).and_then(|used| used.block.slot.as_deref()) {
                if let Some(first) = slots.get(slot) {
                    return Err(self.slot_taken(choice, slot, first, &found));
                }
                slots.insert(slot, Use { block: found.block, place: item.bytes.clone() });
            }
            uses.push(found.block);
        }
        for &block in &uses {
            if let Some(declared) = self.blocks.all.get_mut(block as usize) {
                declared.is_used = true;
            }
        }
        Ok(uses)
    }

    /// The block that an item of `uses` names; none where that block was refused.
    fn used_block(&self, choice: &Fields<'_>, at: usize, item: &Node<'_>) -> Found<Option<Use>> {
        let wrong = |problem: &str| {
            let message = format!("item {} of `uses` of {} is {problem}", at + 1, choice.owner());
            Diagnostic::error(self.source, item.bytes.clone(), message)
                .label("the name of a block is due here")
        };
        let text = match &item.value {
            _ if item.is_null() => return Err(wrong("empty")),
            Value::Scalar { text, .. } => text.as_ref(),
            Value::List(_) => return Err(wrong("a list, not a name")),
            Value::Map(_) => return Err(wrong("a mapping, not a name")),
        };
        match self.blocks.by_name.get(text) {
            Some(&block) => Ok(Some(Use { block, place: item.bytes.clone() })),
            None if self.blocks.refused.contains(text) => Ok(None),
            None => Err(self.unknown_block(choice, text, item)),
        }
    }

    fn unknown_block(&self, choice: &Fields<'_>, name: &str, item: &Node<'_>) -> Box<Diagnostic> {
        let message = format!("{} uses an unknown block `{}`", choice.owner(), shortened(name));
        let error = Diagnostic::error(self.source, item.bytes.clone(), message);
        // An error that is only counted needs no suggestion.
        if self.has_all_errors() {
            return error;
        }
        let known = self.blocks.all.iter().take(MAX_COMPARED).map(|declared| declared.block.name.as_str());
        let label = nearest(name, known).map_or_else(
            || "no block has this name".to_owned(),
            |nearest| format!("did you mean `{}`?", shortened(nearest)),
        );
        error.label(label).help(self.blocks.listed())
    }

    fn used_twice(&self, choice: &Fields<'_>, again: &Use, first: &Range<usize>) -> Box<Diagnostic> {
        let name = self.block_name(again.block);
        let message = format!("{} uses block `{name}` twice", choice.owner());
        Diagnostic::error(self.source, again.place.clone(), message)
            .label("named again here")
            .also(first.clone(), "first named here")
            .help("a block is built once, whoever uses it: name it once")
    }

    fn slot_taken(&self, choice: &Fields<'_>, slot: &str, first: &Use, second: &Use) -> Box<Diagnostic> {
        let slot = shortened(slot);
        let [one, other] = [first, second].map(|used| self.block_name(used.block));
        let [line, other_line] = [first, second]
            .map(|used| self.blocks.get(used.block).map_or(0, |used| self.source.line(used.place.start)));
        let message = format!(
            "{} needs blocks `{one}` and `{other}` of slot `{slot}`, which holds one",
            choice.owner()
        );
        let help = format!(
            "at most one block of a slot is built; `{one}` in line {line} and `{other}` in line {other_line} are both \
             in slot `{slot}`"
        );
        Diagnostic::error(self.source, second.place.clone(), message)
            .label("the slot is taken")
            .also(first.place.clone(), format!("in slot `{slot}`"))
            .help(help)
    }

    fn block_name(&self, block: u32) -> String {
        self.blocks.get(block).map_or_else(String::new, |used| shortened(&used.block.name))
    }

    /// A warning for each block that no choice uses.
    pub(super) fn unused_blocks(&self) -> Vec<Diagnostic> {
        let unused = self.blocks.all.iter().filter(|declared| !declared.is_used);
        let warning = |declared: &Declared| {
            let message = format!("no choice uses block `{}`", shortened(&declared.block.name));
            let warning = Diagnostic::new(Severity::Warning, self.source, declared.place.clone(), message);
            *Box::new(warning).label("no design builds it")
        };
        unused.map(warning).collect()
    }
}

/// The name that a block's node gives, if it is a word.
fn word_of_name<'t>(node: &'t Node<'_>) -> Option<&'t str> {
    match &name_of(node)?.value {
        Value::Scalar { text, .. } => Some(text),
        Value::List(_) | Value::Map(_) => None,
    }
}
