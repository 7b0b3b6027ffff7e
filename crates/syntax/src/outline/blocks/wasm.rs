//! WebAssembly: sections, and the items of those where an item's end is easy to find.

use std::ops::Range;

use super::super::number::NumberFormat;
use super::super::repairs::{FieldMeaning, SizeField};
use super::{Below, Block, bytes_from, length, number_at};

/// Numbers may be filled up to any width that their type can have.
const NUMBER: NumberFormat = NumberFormat::PaddedLeb128;

const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;

/// The number of a section, the length of its content, its content.
pub(super) fn section(bytes: &[u8], region: Range<usize>) -> Option<Block> {
    let start = region.start;
    let kind = *bytes[region.clone()].first()?;
    let (size, content) = number_at(bytes, &region, start + 1, NUMBER)?;
    let size_at = start + 1..content;
    let content = bytes_from(&region, content, size)?;
    let mut fields = vec![length(size_at, NUMBER, content.clone())];
    let mut below = Below::Nothing;
    if let Some((count, items)) = items(bytes, content.clone(), kind) {
        let ranges = items.iter().map(|item| item.range.clone()).collect();
        let meaning = FieldMeaning::Count { number: NUMBER, items: ranges };
        fields.push(SizeField { range: count, meaning });
        below = Below::Items(items);
    }
    Some(Block { range: start..content.end, inside: content, fields, below })
}

/// Returns the place of the number of items, and the items, if they are all that there is.
fn items(bytes: &[u8], content: Range<usize>, kind: u8) -> Option<(Range<usize>, Vec<Block>)> {
    // Other sections may begin with something else than the number of items, such as the length
    // of a name.
    if !matches!(kind, TYPES | FUNCTIONS | EXPORTS | CODE) {
        return None;
    }
    let (count, mut place) = number_at(bytes, &content, content.start, NUMBER)?;
    let count_at = content.start..place;
    let mut items = Vec::new();
    for _ in 0..count {
        let item = item(bytes, place..content.end, kind)?;
        place = item.range.end;
        items.push(item);
    }
    (place == content.end).then_some((count_at, items))
}

/// Reads one item of a section; it is never empty.
fn item(bytes: &[u8], region: Range<usize>, kind: u8) -> Option<Block> {
    let start = region.start;
    let plain = |end: usize| Block { range: start..end, ..Block::default() };
    match kind {
        TYPES => {
            let parameters = (bytes[region.clone()].first() == Some(&0x60)).then_some(start + 1)?;
            let results = value_types(bytes, &region, parameters)?;
            value_types(bytes, &region, results).map(plain)
        }
        FUNCTIONS => number_at(bytes, &region, start, NUMBER).map(|(_, end)| plain(end)),
        EXPORTS => {
            let (size, name) = number_at(bytes, &region, start, NUMBER)?;
            let name = bytes_from(&region, name, size)?;
            let kind = bytes_from(&region, name.end, 1)?;
            number_at(bytes, &region, kind.end, NUMBER).map(|(_, end)| plain(end))
        }
        CODE => {
            let (size, body) = number_at(bytes, &region, start, NUMBER)?;
            let size_at = start..body;
            let body = bytes_from(&region, body, size)?;
            let fields = vec![length(size_at, NUMBER, body.clone())];
            Some(Block { range: start..body.end, inside: body, fields, below: Below::Nothing })
        }
        _ => None,
    }
}

/// Returns where a list of types of values ends; those that take more than a byte are not known.
fn value_types(bytes: &[u8], region: &Range<usize>, place: usize) -> Option<usize> {
    let (count, types) = number_at(bytes, region, place, NUMBER)?;
    let types = bytes_from(region, types, count)?;
    bytes[types.clone()].iter().all(|kind| (0x65..=0x7f).contains(kind)).then_some(types.end)
}

/// Returns the entry of each function with its body; empty unless each entry has a body.
pub(super) fn together(bytes: &[u8], mut region: Range<usize>) -> Vec<Vec<Range<usize>>> {
    let (mut entries, mut bodies) = (Vec::new(), Vec::new());
    while let Some(found) = section(bytes, region.clone()) {
        let kind = bytes[region.start];
        region.start = found.range.end;
        match (kind, found.below) {
            (FUNCTIONS, Below::Items(items)) => entries = items,
            (CODE, Below::Items(items)) => bodies = items,
            _ => {}
        }
    }
    if entries.len() != bodies.len() {
        return Vec::new();
    }
    entries.into_iter().zip(bodies).map(|(entry, body)| vec![entry.range, body.range]).collect()
}
