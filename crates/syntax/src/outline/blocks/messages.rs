//! Protocol buffers, or what looks like them: fields of a tag and a value, one after the other.
//!
//! Believed only if all of the input can be read so. A field with a length is taken for a message
//! in its turn if all of it can be read so and it is not text.

use std::ops::Range;

use super::super::is_texty;
use super::super::number::NumberFormat;
use super::{Below, Block, BlockLayout, Blocks, MAX_BLOCKS, bytes_from, length, number_at, walk};

/// Number of a field beyond which data is not taken for a message: real ones number their fields
/// from one, with few gaps. Chosen by hand.
const MAX_FIELD: usize = 4096;

/// Fields that data must have to be taken for a message; fewer are found by chance. Chosen by hand.
const MIN_FIELDS: usize = 3;

/// Reads the input as a message.
pub(super) fn blocks(bytes: &[u8]) -> Option<Blocks> {
    let seen = survey(bytes, 0..bytes.len())?;
    let believed = (MIN_FIELDS..=MAX_BLOCKS).contains(&seen.fields) && seen.longest >= 2;
    believed.then(|| walk(bytes, 0..bytes.len(), BlockLayout::Message, vec![]))
}

/// Reads one field.
pub(super) fn field(bytes: &[u8], region: Range<usize>) -> Option<Block> {
    let (mut found, data) = frame(bytes, region)?;
    let Some(size_at) = data else { return Some(found) };
    found.fields.push(length(size_at, NumberFormat::Leb128, found.inside.clone()));
    let is_message = found.inside.len() >= 2
        && !is_texty(&bytes[found.inside.clone()])
        && survey(bytes, found.inside.clone()).is_some();
    if is_message {
        found.below = Below::Region(found.inside.clone(), BlockLayout::Message);
    }
    Some(found)
}

/// Finds where a field ends, and where its length stands if it has one.
fn frame(bytes: &[u8], region: Range<usize>) -> Option<(Block, Option<Range<usize>>)> {
    let start = region.start;
    let (tag, value) = number_at(bytes, &region, start, NumberFormat::Leb128)?;
    if !(1..=MAX_FIELD).contains(&(tag >> 3)) {
        return None;
    }
    let plain = |end: usize| (Block { range: start..end, ..Block::default() }, None);
    match tag & 7 {
        0 => number_at_most_64_bits(bytes, &region, value).map(plain),
        1 => bytes_from(&region, value, 8).map(|value| plain(value.end)),
        5 => bytes_from(&region, value, 4).map(|value| plain(value.end)),
        2 => {
            let (size, data) = number_at(bytes, &region, value, NumberFormat::Leb128)?;
            let inside = bytes_from(&region, data, size)?;
            let range = start..inside.end;
            Some((Block { range, inside, ..Block::default() }, Some(value..data)))
        }
        _ => None,
    }
}

fn number_at_most_64_bits(bytes: &[u8], region: &Range<usize>, place: usize) -> Option<usize> {
    let (_, width) = NumberFormat::Leb128.read(bytes.get(place..region.end)?)?;
    Some(place + width)
}

/// The parts of a message.
#[derive(Default)]
struct Survey {
    fields: usize,
    /// The length of the longest field with a stated length.
    longest: usize,
}

/// Reads a whole region as a message, or nothing.
fn survey(bytes: &[u8], mut region: Range<usize>) -> Option<Survey> {
    let mut seen = Survey::default();
    while !region.is_empty() {
        let (found, _) = frame(bytes, region.clone())?;
        seen.fields += 1;
        seen.longest = seen.longest.max(found.inside.len());
        region.start = found.range.end;
    }
    Some(seen)
}
