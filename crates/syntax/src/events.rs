//! A user's own hierarchy: any tree of events, described in JSON.
//!
//! Sessions, traces and recordings have a structure that no grammar knows (HDD, section 1.2). Its
//! owner can write it down, and it is reduced level by level like a syntax tree.
//!
//! A description is one node; every node is an object with these members, all optional:
//!
//! | member | means |
//! |---|---|
//! | `name` | its name in reports |
//! | `text` | the text that it prints, before its children |
//! | `range` | `[start, end]`: the bytes of the data file that it covers, the end not included |
//! | `children` | the nodes inside of it, in the order in which they are printed |
//! | `minimal` | the text left in its place when it is dropped; empty if not given |
//! | `fixed` | `true` if it is never dropped by itself, only with the node it is in |
//!
//! ```json
//! { "name": "session", "children": [
//!     { "text": "open report.txt\n", "fixed": true },
//!     { "name": "edit", "children": [ { "text": "type 'a'\n" }, { "text": "undo\n" } ] },
//!     { "text": "zoom 150\n", "minimal": "zoom 100\n" } ] }
//! ```
//!
//! Without a data file nodes have `text`, with one they have a `range`; never both. A range lies
//! inside that of the node around it and after that of the node before it. Bytes that no child
//! covers belong to the parent. A node with neither covers its children, and the outermost one the
//! whole file. Nodes may be nested as deep as one likes.

mod reader;

use std::ops::Range;

use whodunit_grammar::arena::{Arena, ArenaBuilder};

use self::reader::{Described, Path, read_nodes};

/// The members of a node besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Its name in reports.
    pub name: Option<String>,
    /// The text in its place when it is dropped.
    pub minimal: Option<String>,
    /// Whether it is never dropped by itself.
    pub is_fixed: bool,
}

/// A fault of a description and the path of the node that has it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct EventsError {
    /// The way from the outermost node, such as `$.children[2]`.
    pub path: String,
    /// The problem.
    pub problem: EventsProblem,
}

/// A problem of a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventsProblem {
    /// It is not JSON, or a member has a value of another type.
    #[error("line {line}, column {column}: {reason}")]
    Json {
        /// The line, from one.
        line: usize,
        /// The character in the line, from one.
        column: usize,
        /// The reason.
        reason: String,
    },
    /// A member that no node has.
    #[error(
        "unknown member `{name}`: \
         expected `name`, `text`, `range`, `children`, `minimal` or `fixed`"
    )]
    UnknownMember {
        /// Its name.
        name: String,
    },
    /// A member that is there already.
    #[error("`{name}` is given twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A node that prints nothing.
    #[error("expected `text`, `range` or `children`")]
    Nothing,
    /// Text where a data file is cut into ranges.
    #[error("`text` does not go with a data file: expected `range`")]
    TextWithData,
    /// A range of no file.
    #[error("`range` needs a data file")]
    RangeWithoutData,
    /// A range that ends before it starts.
    #[error("the range {start}..{end} ends before it starts")]
    Backwards {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// A range that goes beyond the file.
    #[error("the range {start}..{end} does not fit into {size} bytes of data")]
    BeyondData {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
        /// The size of the data file.
        size: usize,
    },
    /// A range that is not inside that of the parent.
    #[error("the range {start}..{end} is not inside of the parent's, {parent_start}..{parent_end}")]
    OutsideParent {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
        /// The parent's start.
        parent_start: usize,
        /// The parent's end.
        parent_end: usize,
    },
    /// A range that begins inside that of the node before, or before it.
    #[error("the range {start}..{end} begins before the last one's end, {last_end}")]
    Overlap {
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
        /// The end of the node before.
        last_end: usize,
    },
}

/// Reads a description of text.
pub fn read_text(description: &[u8]) -> Result<Arena<Event>, EventsError> {
    let nodes = read_nodes(description)?;
    let mut text = Vec::new();
    let mut tree = ArenaBuilder::default();
    let mut open: Vec<usize> = Vec::new();
    for (place, node) in nodes.iter().enumerate() {
        let error = |problem| Err(EventsError { path: Path(&nodes, place).to_string(), problem });
        if node.range.is_some() {
            return error(EventsProblem::RangeWithoutData);
        }
        if node.text.is_none() && !has_children(&nodes, place) {
            return error(EventsProblem::Nothing);
        }
        close_to(node.parent, &mut open, &mut tree, text.len());
        tree.open(event(node), text.len()..text.len());
        open.push(place);
        text.extend_from_slice(node.text.as_deref().unwrap_or_default().as_bytes());
    }
    close_to(None, &mut open, &mut tree, text.len());
    Ok(tree.build(text))
}

/// Reads a description of ranges of a data file.
pub fn read_ranges(description: &[u8], data: Vec<u8>) -> Result<Arena<Event>, EventsError> {
    let nodes = read_nodes(description)?;
    let ranges = ranges(&nodes, data.len())?;
    let mut tree = ArenaBuilder::default();
    let mut open: Vec<usize> = Vec::new();
    for (place, (node, range)) in nodes.iter().zip(ranges).enumerate() {
        close_to(node.parent, &mut open, &mut tree, 0);
        tree.open(event(node), range);
        open.push(place);
    }
    close_to(None, &mut open, &mut tree, 0);
    Ok(tree.build(data))
}

/// Closes nodes until `parent` is the last open one; they end at `end` or where they do already.
fn close_to(
    parent: Option<usize>,
    open: &mut Vec<usize>,
    tree: &mut ArenaBuilder<Event>,
    end: usize,
) {
    while !open.is_empty() && open.last().copied() != parent {
        open.pop();
        if let Some(node) = tree.last() {
            node.range.end = node.range.end.max(end);
        }
        tree.close();
    }
}

fn event(node: &Described) -> Event {
    let (name, minimal) = (node.name.clone(), node.minimal.clone());
    Event { name, minimal, is_fixed: node.fixed.unwrap_or(false) }
}

fn has_children(nodes: &[Described], place: usize) -> bool {
    nodes.get(place + 1).is_some_and(|next| next.parent == Some(place))
}

/// Finds the range of every node, and checks that they are nested and apart.
fn ranges(nodes: &[Described], size: usize) -> Result<Vec<Range<usize>>, EventsError> {
    let mut ranges: Vec<Option<Range<usize>>> = Vec::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        let error = |problem| Err(EventsError { path: Path(nodes, place).to_string(), problem });
        if node.text.is_some() {
            return error(EventsProblem::TextWithData);
        }
        if let Some((start, end)) = node.range {
            if start > end {
                return error(EventsProblem::Backwards { start, end });
            }
            if end > size {
                return error(EventsProblem::BeyondData { start, end, size });
            }
        }
        let whole = (place == 0).then_some((0, size));
        let range = node.range.or(whole).map(|(start, end)| start..end);
        if range.is_none() && !has_children(nodes, place) {
            return error(EventsProblem::Nothing);
        }
        ranges.push(range);
    }
    cover_children(nodes, &mut ranges);
    let ranges: Vec<Range<usize>> = ranges.into_iter().map(Option::unwrap_or_default).collect();
    check_nesting(nodes, &ranges)?;
    Ok(ranges)
}

/// Gives nodes without a range that of their children; these come later in the list.
fn cover_children(nodes: &[Described], ranges: &mut [Option<Range<usize>>]) {
    let mut covered: Vec<Option<Range<usize>>> = vec![None; nodes.len()];
    for place in (0..nodes.len()).rev() {
        let range = ranges[place].get_or_insert_with(|| covered[place].clone().unwrap_or_default());
        if let Some(parent) = nodes[place].parent {
            let start = covered[parent].take().map_or(range.clone(), |later| {
                range.start.min(later.start)..range.end.max(later.end)
            });
            covered[parent] = Some(start);
        }
    }
}

fn check_nesting(nodes: &[Described], ranges: &[Range<usize>]) -> Result<(), EventsError> {
    // The end of the last child of each node up to here.
    let mut last_ends: Vec<Option<usize>> = vec![None; nodes.len()];
    for (place, Range { start, end }) in ranges.iter().cloned().enumerate() {
        let error = |problem| Err(EventsError { path: Path(nodes, place).to_string(), problem });
        let Some(parent) = nodes[place].parent else { continue };
        let Range { start: parent_start, end: parent_end } = ranges[parent];
        if start < parent_start || parent_end < end {
            let problem = EventsProblem::OutsideParent { start, end, parent_start, parent_end };
            return error(problem);
        }
        if let Some(last_end) = last_ends[parent].replace(end)
            && start < last_end
        {
            return error(EventsProblem::Overlap { start, end, last_end });
        }
    }
    Ok(())
}
