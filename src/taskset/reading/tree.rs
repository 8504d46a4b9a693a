//! YAML text as a small tree whose nodes know their byte ranges in the file.
//!
//! The tree is built from the parser's events rather than through serde: so scalars stay the text that was written
//! (`1e3` is never converted to a float), both locations of a duplicate key are known, and a limit is enforced at the
//! very event that exceeds it, before anything is expanded or stored.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde_yaml::granit_parser::{
    ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle,
};

use super::syntax::syntax_error;
use crate::diagnostics::{Diagnostic, Found, Source, shortened};
use isx_exact::quantity::is_control;

/// The maximum nesting depth of a node.
pub const MAX_DEPTH: usize = 16;

/// The maximum number of nodes (scalars, lists and mappings) of a file.
pub const MAX_NODES: usize = 1_000_000;

/// A YAML node with its byte range in the file.
#[derive(Debug)]
pub struct Node<'s> {
    /// Where it stands; brackets that end it are left out.
    pub bytes: Range<usize>,
    /// Where it ends, with its bracket.
    pub end: usize,
    /// What it is.
    pub value: Value<'s>,
}

/// The kind of a [`Node`].
#[derive(Debug)]
pub enum Value<'s> {
    /// A scalar; `plain` if written without quotes, so that `~` or an empty text means no value.
    #[allow(missing_docs, reason = "the sentence above says what they are")]
    Scalar { text: Cow<'s, str>, plain: bool },
    /// A sequence.
    List(Vec<Node<'s>>),
    /// A mapping, with its entries in file order, duplicate keys included.
    Map(Vec<(Node<'s>, Node<'s>)>),
}

impl Node<'_> {
    /// Whether the node is an empty value.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true } if matches!(&**text, "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The value of a mapping's entry.
    pub fn entry(&self, key: &str) -> Option<&Self> {
        self.pair(key).map(|(_, value)| value)
    }

    /// A mapping's entry, with its key.
    pub fn pair(&self, key: &str) -> Option<(&Self, &Self)> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|(name, _)| name.text() == Some(key)).map(|(name, value)| (name, value))
    }

    /// The location of its name, or of the node if it has no name.
    pub fn name_bytes(&self) -> Range<usize> {
        self.entry("name").unwrap_or(self).bytes.clone()
    }

    /// "task `radio`", or "task 3" if it has no name.
    pub fn described(&self, kind: &str, index: usize) -> String {
        match self.entry("name").and_then(Node::text) {
            Some(text) if !text.trim().is_empty() => format!("{kind} `{}`", shortened(text)),
            _ => format!("{kind} {}", index + 1),
        }
    }
}

/// Reads the only document of a file; `None` if the file holds only comments.
pub fn parse(source: &Arc<Source>) -> Found<Option<Node<'_>>> {
    refuse_controls(source)?;
    let mut options = Options::default();
    options.emit_anchor_events = true;
    options.emit_unresolved_aliases = true;
    options.set_emit_comments(false);
    let parser = Parser::new_from_str_with_options(&source.text, options);
    TreeBuilder { parser, source, nodes: 0, open: Vec::new(), reached: 0 }.document()
}

/// YAML forbids raw control characters except tab and line ends; the parser accepts some of them.
fn refuse_controls(source: &Arc<Source>) -> Found<()> {
    let found = source
        .text
        .char_indices()
        .find(|&(_, c)| is_control(c) && !matches!(c, '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}'));
    match found {
        None => Ok(()),
        Some((at, c)) => {
            let message = format!("control character U+{:04X} in the file", u32::from(c));
            let refused = Diagnostic::error(source, at..at + c.len_utf8(), message);
            Err(refused.label("YAML text holds no control characters"))
        }
    }
}

struct TreeBuilder<'s> {
    parser: Parser<'s, StrInput<'s>>,
    source: &'s Arc<Source>,
    nodes: usize,
    /// The starts of the bracketed collections being read.
    open: Vec<usize>,
    /// The end of the last event.
    reached: usize,
}

impl<'s> TreeBuilder<'s> {
    fn document(mut self) -> Found<Option<Node<'s>>> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(..) if root.is_some() => {
                    let refused = self.refused(&span, "a second YAML document: a file holds exactly one");
                    return Err(refused.label("the second document begins here"));
                }
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                other => root = Some(self.node(other, span, 0)?),
            }
        }
    }

    /// The next event of the tree; unsupported YAML features are rejected here.
    fn next(&mut self) -> Found<(Event<'s>, Span)> {
        // The stream ends with its own event; if the parser stops without one, no more events follow.
        let Some(next) = self.parser.next() else { return Ok((Event::StreamEnd, Span::default())) };
        let (event, span) = next.map_err(|error| self.syntax_error(&error))?;
        self.reached = self.reached.max(self.bytes(&span).end);
        match &event {
            Event::Anchor(..) | Event::Alias(_) | Event::UnresolvedAlias(_) => Err(self
                .refused(&span, "YAML anchors and aliases are not supported (limit: 0)")
                .help("write the value out where it is used; quote a text that begins with `&` or `*`")),
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => Err(self
                .refused(&span.tag_span().unwrap_or(span), "YAML tags are not supported")
                .help("leave the tag out; quote a text that begins with `!`")),
            _ => Ok((event, span)),
        }
    }

    fn node(&mut self, event: Event<'s>, span: Span, depth: usize) -> Found<Node<'s>> {
        let mut bytes = self.bytes(&span);
        let mut end = bytes.end;
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the file has more than {MAX_NODES} YAML nodes, the limit");
            return Err(self.refused(&span, message));
        }
        let value = match event {
            // The parser reports a missing value as `~`.
            Event::Scalar(_, ScalarStyle::Plain, ..) if bytes.is_empty() => {
                Value::Scalar { text: Cow::Borrowed(""), plain: true }
            }
            Event::Scalar(text, style, ..) => Value::Scalar { text, plain: style == ScalarStyle::Plain },
            Event::SequenceStart(style, ..) => {
                Value::List(self.children(style, &mut bytes, &mut end, depth)?)
            }
            Event::MappingStart(style, ..) => {
                let mut children = self.children(style, &mut bytes, &mut end, depth)?.into_iter();
                let pairs = std::iter::from_fn(|| Some((children.next()?, children.next()?)));
                Value::Map(pairs.collect())
            }
            _ => return Err(self.refused(&span, "the YAML ends in the middle of a value")),
        };
        Ok(Node { bytes, end, value })
    }

    /// The nodes of a collection up to its end; for a mapping, keys and values alternate.
    fn children(
        &mut self,
        style: StructureStyle,
        bytes: &mut Range<usize>,
        end: &mut usize,
        depth: usize,
    ) -> Found<Vec<Node<'s>>> {
        if depth >= MAX_DEPTH {
            return Err(too_deep(self.source, bytes.clone()));
        }
        let outside = self.open.len();
        if style == StructureStyle::Flow {
            self.open.push(bytes.start);
        }
        let mut children = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
                self.open.truncate(outside);
                if style == StructureStyle::Flow {
                    *end = self.bytes(&span).end;
                }
                return Ok(children);
            }
            let child = self.node(event, span, depth + 1)?;
            bytes.end = bytes.end.max(child.bytes.end);
            *end = (*end).max(child.end);
            children.push(child);
        }
    }

    fn syntax_error(&self, error: &ScanError) -> Box<Diagnostic> {
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
            let at = error.marker().byte_offset().unwrap_or(0).min(self.source.text.len());
            return too_deep(self.source, at..at);
        }
        syntax_error(self.source, error, self.open.first().copied(), self.reached)
    }

    fn refused(&self, span: &Span, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(self.source, self.bytes(span), message)
    }

    fn bytes(&self, span: &Span) -> Range<usize> {
        let length = self.source.text.len();
        let bytes = span.byte_range().unwrap_or(length..length);
        let start = bytes.start.min(length);
        start..bytes.end.clamp(start, length)
    }
}

fn too_deep(source: &Arc<Source>, bytes: Range<usize>) -> Box<Diagnostic> {
    Diagnostic::error(source, bytes, format!("nested deeper than {MAX_DEPTH} levels, the limit"))
}
