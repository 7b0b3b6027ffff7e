//! Reads the nodes of a description without recursion, so that any depth is fine.
//!
//! Only the marks that nest (`{`, `[`) are read by hand; every value is left to serde.

use std::fmt;

use serde::de::DeserializeOwned;
use whodunit_grammar::place::TextPosition;

use super::{EventsError, EventsProblem};

/// A node as it is described.
#[derive(Clone, Debug, Default)]
pub(super) struct Described {
    pub(super) name: Option<String>,
    pub(super) text: Option<String>,
    pub(super) range: Option<(usize, usize)>,
    pub(super) minimal: Option<String>,
    pub(super) fixed: Option<bool>,
    /// The place of the node that it is in.
    pub(super) parent: Option<usize>,
    /// How many siblings are before it.
    index: usize,
    /// The number of children read up to here; `None` without the member.
    children: Option<usize>,
}

/// The way from the outermost node to one of a list.
pub(super) struct Path<'n>(pub(super) &'n [Described], pub(super) usize);

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut indices = Vec::new();
        let mut place = self.1;
        while let Some(node) = self.0.get(place)
            && let Some(parent) = node.parent
        {
            indices.push(node.index);
            place = parent;
        }
        formatter.write_str("$")?;
        indices.iter().rev().try_for_each(|index| write!(formatter, ".children[{index}]"))
    }
}

/// Reads all nodes, each before its children.
pub(super) fn read_nodes(text: &[u8]) -> Result<Vec<Described>, EventsError> {
    let mut reader = Reader { text, at: 0, nodes: Vec::new(), open: Vec::new() };
    reader.open_node()?;
    while let Some(&node) = reader.open.last() {
        if reader.eat(b'}') {
            reader.close_node()?;
        } else {
            reader.member(node)?;
        }
    }
    match reader.peek() {
        None => Ok(reader.nodes),
        Some(_) => Err(reader.expected("the end of the description")),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    nodes: Vec<Described>,
    /// The nodes whose object is not closed yet.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn open_node(&mut self) -> Result<(), EventsError> {
        self.expect(b'{', "`{`, a node")?;
        let parent = self.open.last().copied();
        let children = parent.and_then(|parent| self.nodes[parent].children.as_mut());
        let index = children.map_or(0, |children| std::mem::replace(children, *children + 1));
        self.open.push(self.nodes.len());
        self.nodes.push(Described { parent, index, ..Described::default() });
        Ok(())
    }

    /// Goes on behind a node: with the next one of the list, or with its parent.
    fn close_node(&mut self) -> Result<(), EventsError> {
        self.open.pop();
        if self.open.is_empty() {
            return Ok(());
        }
        if self.eat(b',') {
            return self.open_node();
        }
        self.expect(b']', "`,` or `]`")?;
        self.end_member()
    }

    fn member(&mut self, node: usize) -> Result<(), EventsError> {
        let name: String = self.value()?;
        self.expect(b':', "`:`")?;
        let is_new = match name.as_str() {
            "children" => return self.children(node),
            "name" => {
                let value = self.value()?;
                self.nodes[node].name.replace(value).is_none()
            }
            "text" => {
                let value = self.value()?;
                self.nodes[node].text.replace(value).is_none()
            }
            "range" => {
                let value = self.value()?;
                self.nodes[node].range.replace(value).is_none()
            }
            "minimal" => {
                let value = self.value()?;
                self.nodes[node].minimal.replace(value).is_none()
            }
            "fixed" => {
                let value = self.value()?;
                self.nodes[node].fixed.replace(value).is_none()
            }
            _ => return Err(self.error(EventsProblem::UnknownMember { name })),
        };
        if !is_new {
            return Err(self.error(EventsProblem::Twice { name }));
        }
        self.end_member()
    }

    fn children(&mut self, node: usize) -> Result<(), EventsError> {
        if self.nodes[node].children.replace(0).is_some() {
            return Err(self.error(EventsProblem::Twice { name: "children".to_owned() }));
        }
        self.expect(b'[', "`[`, a list of nodes")?;
        if self.eat(b']') { self.end_member() } else { self.open_node() }
    }

    /// Goes on behind a member: there is another one, or the node ends.
    fn end_member(&mut self) -> Result<(), EventsError> {
        let is_last = !self.eat(b',');
        match self.peek() {
            Some(b'}') if is_last => Ok(()),
            Some(b'"') if !is_last => Ok(()),
            _ => Err(self.expected(if is_last { "`,` or `}`" } else { "a member" })),
        }
    }

    /// Reads a value that does not nest.
    fn value<T: DeserializeOwned>(&mut self) -> Result<T, EventsError> {
        self.peek();
        let mut values =
            serde_json::Deserializer::from_slice(&self.text[self.at..]).into_iter::<T>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            Some(Err(error)) => {
                // The place in serde's message counts from here.
                let reason = error.to_string();
                let reason = reason.rsplit_once(" at line ").map_or(&reason[..], |(what, _)| what);
                Err(self.json(reason.to_owned()))
            }
            None => Err(self.expected("a value")),
        }
    }

    /// Skips white space; returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += blanks;
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, mark: u8) -> bool {
        let is_there = self.peek() == Some(mark);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, mark: u8, expected: &str) -> Result<(), EventsError> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn expected(&self, expected: &str) -> EventsError {
        let found = match self.text.get(self.at) {
            Some(byte) => format!("`{}`", byte.escape_ascii()),
            None => "the end".to_owned(),
        };
        self.json(format!("expected {expected}, found {found}"))
    }

    fn json(&self, reason: String) -> EventsError {
        let TextPosition { line, column, .. } = TextPosition::of(self.at, self.text);
        self.error(EventsProblem::Json { line, column, reason })
    }

    /// Blames the node that is open.
    fn error(&self, problem: EventsProblem) -> EventsError {
        let place = self.open.last().copied().unwrap_or(self.nodes.len());
        EventsError { path: Path(&self.nodes, place).to_string(), problem }
    }
}
