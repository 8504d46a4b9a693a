//! XML with locations: the parts of roxmltree that the formats need, with its errors as diagnostics.

use std::ops::Range;
use std::sync::Arc;

use roxmltree::{Document, Node, ParsingOptions};

use crate::draft::LeftOut;
use crate::figures::{Figure, Found, error};
use crate::xml_limits::{self, MAX_NODES};
use isx_taskset::{Source, shortened};

/// Parses a text within the limits.
pub(super) fn parse(source: &Arc<Source>) -> Found<Document<'_>> {
    xml_limits::check(source)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(&source.text, options).map_err(|problem| {
        let place = problem.pos();
        let at = offset(&source.text, place.row, place.col);
        // The diagnostic has its own location, so the one at the end of the parser's message is removed.
        let message = problem.to_string();
        let words = message.rsplit_once(" at ").map_or(message.as_str(), |(words, _)| words);
        let refused = error(source, at..at, format!("this is not XML: {words}"));
        if matches!(problem, roxmltree::Error::UnclosedRootNode) {
            refused.label("opened here")
        } else {
            refused
        }
    })
}

/// The byte offset of a 1-based line and column; the column counts characters.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let (row, column) = (row.saturating_sub(1) as usize, column.saturating_sub(1) as usize);
    let start =
        if row == 0 { 0 } else { text.match_indices('\n').nth(row - 1).map_or(text.len(), |(at, _)| at + 1) };
    text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at)
}

/// The byte range of an element's opening tag, up to its name.
pub(super) fn place(node: Node<'_, '_>) -> Range<usize> {
    let range = node.range();
    let name = node.tag_name().name().len();
    range.start..(range.start + 1 + name).min(range.end)
}

/// The byte range of an attribute's value, or of the element if absent.
pub(super) fn place_of(node: Node<'_, '_>, name: &str) -> Range<usize> {
    node.attributes()
        .find(|attribute| attribute.name() == name)
        .map_or_else(|| place(node), |attribute| attribute.range_value())
}

/// The child elements with this name.
pub(super) fn children<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first child element with this name.
pub(super) fn child<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'a str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The attribute with this name and no namespace.
pub(super) fn figure<'a>(
    source: &'a Arc<Source>,
    node: Node<'a, '_>,
    name: &str,
    owner: &str,
) -> Option<Figure<'a>> {
    let text = node.attribute(name)?;
    Some(Figure { source, text, place: place_of(node, name), what: format!("`{name}` of {owner}") })
}

/// As [`figure`], for a required attribute.
pub(super) fn required<'a>(
    source: &'a Arc<Source>,
    node: Node<'a, '_>,
    name: &str,
    owner: &str,
) -> Found<Figure<'a>> {
    figure(source, node, name, owner).ok_or_else(|| {
        error(source, place(node), format!("{owner} has no `{name}`"))
            .label(format!("an attribute `{name}=\"...\"` is due here"))
    })
}

/// Records which of these attributes and elements a node has, each with its own description.
pub(super) fn note_present(
    left_out: &mut LeftOut,
    node: Node<'_, '_>,
    owner: &str,
    attributes: &[(&str, &str)],
    elements: &[(&str, &str)],
) {
    for &(name, kind) in attributes {
        if node.has_attribute(name) {
            left_out.note(kind, owner, place_of(node, name).start);
        }
    }
    for &(name, kind) in elements {
        if let Some(found) = child(node, name) {
            left_out.note(kind, owner, found.range().start);
        }
    }
}

/// Records the unused attributes and elements of a node.
pub(super) fn note_others(
    left_out: &mut LeftOut,
    node: Node<'_, '_>,
    owner: &str,
    attributes: &[&str],
    elements: &[&str],
) {
    for attribute in node.attributes().filter(|attribute| !attributes.contains(&attribute.name())) {
        let kind = format!("attributes `{}`", shortened(attribute.name()));
        left_out.note(kind, owner, attribute.range().start);
    }
    for element in node.children().filter(Node::is_element) {
        if !elements.contains(&element.tag_name().name()) {
            let kind = format!("elements `{}`", shortened(element.tag_name().name()));
            left_out.note(kind, owner, element.range().start);
        }
    }
}
