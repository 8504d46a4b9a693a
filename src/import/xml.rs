//! XML with locations: the parts of roxmltree that the formats need, with its errors as diagnostics.

use std::ops::Range;
use std::sync::Arc;

use roxmltree::{Document, Node, ParsingOptions};

use crate::draft::LeftOut;
use crate::xml_limits::{self, MAX_NODES};
use isx_taskset::{Diagnostic, Source, shortened};
use isx_text::Found;
use isx_text::figures::{Figure, error};

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

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub source: &'a Arc<Source>,
    node: Node<'a, 'a>,
}

impl<'a> Element<'a> {
    pub fn root(source: &'a Arc<Source>, document: &'a Document<'a>) -> Self {
        Self { source, node: document.root_element() }
    }

    /// Its name without a prefix.
    pub fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub fn namespace(self) -> &'a str {
        self.node.tag_name().namespace().unwrap_or("")
    }

    /// The value of an attribute without a namespace.
    pub fn get(self, attribute: &str) -> Option<&'a str> {
        self.node.attribute(attribute)
    }

    /// The attribute `name`; empty if absent.
    pub fn name(self) -> &'a str {
        self.get("name").unwrap_or("")
    }

    /// Its `xsi:type` without a prefix; empty if absent.
    pub fn kind(self) -> &'a str {
        let kind = self.node.attribute(("http://www.w3.org/2001/XMLSchema-instance", "type")).unwrap_or("");
        kind.rsplit(':').next().unwrap_or(kind)
    }

    /// The elements in it.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        self.node.children().filter(Node::is_element).map(move |node| Self { node, ..self })
    }

    /// The elements in it with this name.
    pub fn children(self, tag: &'a str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |child| child.tag() == tag)
    }

    /// The first element in it with this name.
    pub fn child(self, tag: &'a str) -> Option<Self> {
        self.children(tag).next()
    }

    /// The elements with this name at any depth.
    pub fn descendants(self, tag: &'a str) -> impl Iterator<Item = Self> {
        let all = self.node.descendants().map(move |node| Self { node, ..self });
        all.filter(move |element| element.tag() == tag)
    }

    /// Where it begins.
    pub fn start(self) -> usize {
        self.node.range().start
    }

    /// The byte range of its opening tag, up to its name.
    pub fn place(self) -> Range<usize> {
        self.start()..(self.start() + 1 + self.tag().len()).min(self.node.range().end)
    }

    /// The byte range of an attribute's value, or of the element if absent.
    pub fn place_of(self, attribute: &str) -> Range<usize> {
        let found = self.node.attributes().find(|other| other.name() == attribute);
        found.map_or_else(|| self.place(), |found| found.range_value())
    }

    /// The source of its figures: its line in the file.
    pub fn origin(self) -> String {
        format!("{} line {}", self.source.file_name(), self.source.line(self.start()))
    }

    /// An error at its opening tag.
    pub fn error(self, message: impl Into<String>) -> Box<Diagnostic> {
        error(self.source, self.place(), message)
    }

    /// An error at an attribute.
    pub fn error_of(self, attribute: &str, message: impl Into<String>) -> Box<Diagnostic> {
        error(self.source, self.place_of(attribute), message)
    }

    /// The figure of an attribute.
    pub fn figure(self, attribute: &str, owner: &str) -> Option<Figure<'a>> {
        let (text, place) = (self.get(attribute)?, self.place_of(attribute));
        Some(Figure { source: self.source, text, place, what: format!("`{attribute}` of {owner}") })
    }

    /// As [`Element::figure`], for a required attribute.
    pub fn required(self, attribute: &str, owner: &str) -> Found<Figure<'a>> {
        self.figure(attribute, owner).ok_or_else(|| {
            self.error(format!("{owner} has no `{attribute}`"))
                .label(format!("expected an attribute `{attribute}=\"...\"`"))
        })
    }

    /// Records which of these attributes and elements it has, each with its own description.
    pub fn note_present(
        self,
        left_out: &mut LeftOut,
        owner: &str,
        attributes: &[(&str, &str)],
        elements: &[(&'a str, &str)],
    ) {
        for &(attribute, kind) in attributes.iter().filter(|(attribute, _)| self.get(attribute).is_some()) {
            left_out.note(kind, owner, self.place_of(attribute).start);
        }
        for &(tag, kind) in elements {
            if let Some(found) = self.child(tag) {
                left_out.note(kind, owner, found.start());
            }
        }
    }

    /// Records the attributes and elements that are not among these.
    pub fn note_others(self, left_out: &mut LeftOut, owner: &str, attributes: &[&str], elements: &[&str]) {
        for attribute in self.node.attributes().filter(|attribute| !attributes.contains(&attribute.name())) {
            let kind = format!("attributes `{}`", shortened(attribute.name()));
            left_out.note(kind, owner, attribute.range().start);
        }
        for element in self.elements().filter(|element| !elements.contains(&element.tag())) {
            left_out.note(format!("elements `{}`", shortened(element.tag())), owner, element.start());
        }
    }
}
