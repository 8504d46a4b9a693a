//! The candidates of an index, and which of them exclude each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use num_traits::One;

use crate::draft::{Draft, named_again};
use crate::figures::{Figure, Found, error};
use isx_exact::quantity::Rational;
use isx_taskset::document::{Node, Value};
use isx_taskset::{Source, name_problem, shortened};

/// The most candidates: every pair of them is compared.
const MAX_CANDIDATES: usize = 4_000;

/// A candidate instruction.
pub(super) struct Candidate {
    pub name: String,
    pub place: Range<usize>,
    /// The share of the instructions that a program takes less with it.
    pub reduction: Option<Rational>,
    pub area: Option<Rational>,
    pub encoding: Rational,
    /// How many instructions it replaces.
    pub replaces: Rational,
    pub interval: Rational,
    /// How many instructions its area is for.
    pub sharers: Rational,
    /// The basic block that it was found in, and its instructions there.
    pub covers: (String, BTreeSet<String>),
}

/// The candidates of an index.
pub(super) fn candidates(source: &Arc<Source>, root: &Node<'_>) -> Found<Vec<Candidate>> {
    let Some(Value::List(nodes)) = root.entry("candidates").map(|list| &list.value) else {
        return Err(error(source, root.bytes.clone(), "the index has no list of candidates"));
    };
    let mut seen: BTreeMap<String, Range<usize>> = BTreeMap::new();
    let mut candidates = Vec::with_capacity(nodes.len());
    for node in nodes {
        let candidate = candidate(source, node)?;
        if let Some(first) = seen.insert(candidate.name.clone(), candidate.place.clone()) {
            return Err(named_again(source, "candidate", &candidate.name, candidate.place, &first));
        }
        if seen.len() > MAX_CANDIDATES {
            let message = format!("the index has more than {MAX_CANDIDATES} candidates");
            return Err(error(source, candidate.place, message).label("one too many"));
        }
        candidates.push(candidate);
    }
    Ok(candidates)
}

pub(super) fn candidate(source: &Arc<Source>, node: &Node<'_>) -> Found<Candidate> {
    let under = |group: &str, key: &str| node.entry(group).and_then(|group| group.entry(key));
    let Some(name) = under("properties", "InstrName") else {
        let head = node.bytes.start..node.bytes.start + 1;
        return Err(error(source, head, "a candidate has no `InstrName` in its properties")
            .label("which instruction is it?")
            .help("give the candidates their names first, with assign_names"));
    };
    let place = name.bytes.clone();
    let name = name.text().unwrap_or_default().to_owned();
    if let Some(problem) = name_problem(&name) {
        return Err(error(source, place, format!("the name of candidate `{}` {problem}", shortened(&name))));
    }
    let figure = |group: &str, key: &str| -> Found<Option<Rational>> {
        let Some(node) = under(group, key).filter(|node| !node.is_null()) else { return Ok(None) };
        let text = node.text().unwrap_or_default();
        let what = format!("`{key}` of candidate `{}`", shortened(&name));
        match text {
            ".nan" => Ok(None),
            text => Figure { source, text, place: node.bytes.clone(), what }.decimal().map(Some),
        }
    };
    let texts = |key: &str| match under("properties", key).map(|list| &list.value) {
        Some(Value::List(nodes)) => nodes.iter().filter_map(|node| node.text().map(str::to_owned)).collect(),
        _ => BTreeSet::new(),
    };
    // The folder of its graph is named after the function and the basic block.
    let file = under("artifacts", "sub").or_else(|| under("artifacts", "io_sub")).and_then(Node::text);
    let block = file.and_then(|file| file.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let nodes = Some(texts("IsoNodes")).filter(|nodes| !nodes.is_empty()).unwrap_or_else(|| texts("Nodes"));
    Ok(Candidate {
        reduction: figure("metrics", "runtime_reduction_rel")?,
        area: figure("metrics", "hls_area")?,
        encoding: figure("metrics", "enc_weight")?.unwrap_or_default(),
        replaces: figure("properties", "#Instrs")?.unwrap_or_default(),
        interval: figure("metrics", "hls_ii")?.unwrap_or_else(Rational::one),
        sharers: figure("metrics", "hls_num_shared")?.unwrap_or_else(Rational::one),
        covers: (block.to_owned(), nodes),
        place,
        name,
    })
}

/// Pairs of candidates that both cover an instruction, so that a program can use only one of them.
pub(super) fn overlaps(candidates: &[Candidate], draft: &mut Draft) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut unknown = 0;
    for (at, Candidate { covers: (block, nodes), .. }) in candidates.iter().enumerate() {
        unknown += usize::from(block.is_empty() || nodes.is_empty());
        let overlaps = |other: &Candidate| {
            !block.is_empty() && other.covers.0 == *block && !other.covers.1.is_disjoint(nodes)
        };
        pairs.extend((0..at).filter(|before| overlaps(&candidates[*before])).map(|before| (before, at)));
    }
    if !pairs.is_empty() {
        draft.taken.push(format!(
            "Pairs of candidates that cover the same instruction of a basic block, of which a program has one: {}.",
            pairs.len()
        ));
    }
    if unknown > 0 {
        draft.taken.push(format!(
            "Candidates of which it is not known what they cover of the program: {unknown}. If they overlap, they save less than their sum."
        ));
    }
    pairs
}

/// Pairs of an instruction and a specialisation of it, of which a program needs one, from a graph in DOT.
pub(super) fn specialisations(source: &Arc<Source>, candidates: usize) -> Found<BTreeSet<(usize, usize)>> {
    let mut pairs = BTreeSet::new();
    for (start, line) in isx_text::cells::lines(&source.text, 0) {
        // The label of an edge has arrows too: `0 -> 3 [label="ADD [12] inp1 -> 0"]`, perhaps on a line of its own.
        let Some((from, to)) = line.split_once("->").filter(|(from, _)| !from.contains('=')) else {
            continue;
        };
        let to = to.split(['[', ';']).next().unwrap_or_default();
        let number = |text: &str| text.trim().trim_matches('"').parse::<usize>().ok();
        match number(from).zip(number(to)).filter(|(from, to)| *from.max(to) < candidates && from != to) {
            Some((from, to)) => pairs.insert((from.min(to), from.max(to))),
            None => {
                return Err(error(source, start..start + line.len(), "an edge is between no two candidates")
                    .label(format!("expected their numbers in the index, below {candidates}")));
            }
        };
    }
    Ok(pairs)
}
