//! Binary data as a tree of blocks with stated lengths.
//!
//! Well-known containers are recognised by their first bytes; the layout of other data is guessed.
//! Unexpected data ends a region early; blocks found before it stay.

mod chunks;
mod guess;
mod messages;
mod wasm;
mod zip;

use std::ops::Range;

use super::number::NumberFormat;
use super::repairs::{FieldMeaning, Repairs, SizeField};
use super::{Forest, Outline, What, is_texty};

/// Levels of blocks inside blocks; deeper ones are not looked for, because each level is read once
/// more than the one above. Chosen by hand.
const MAX_DEPTH: usize = 32;

/// Blocks found at most; the rest of the data is left as it is. Chosen by hand.
const MAX_BLOCKS: usize = 1 << 20;

/// Bytes at the beginning of an input that decide whether it is text. Chosen by hand.
const LOOKED_AT_BYTES: usize = 8192;

/// The blocks of binary data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The blocks, and their contents.
    pub outline: Outline,
    /// How to mend lengths, counts and checksums when something is deleted.
    pub repairs: Repairs,
    /// Pieces that make sense only together, as a file in an archive and its entry in the
    /// directory.
    pub together: Vec<Vec<Range<usize>>>,
}

/// Finds blocks in binary data; `None` if there seem to be none, or if it is text.
pub fn binary(bytes: &[u8]) -> Option<Blocks> {
    if is_texty(&bytes[..bytes.len().min(LOOKED_AT_BYTES)]) {
        return None;
    }
    if let Some((layout, start)) = chunks::known(bytes) {
        let region = start..bytes.len();
        let mut blocks = walk(bytes, region.clone(), layout, vec![]);
        if layout == BlockLayout::WasmSections {
            blocks.together = wasm::together(bytes, region);
        }
        return Some(blocks).filter(|blocks| !blocks.outline.spans.is_empty());
    }
    zip::blocks(bytes)
        .or_else(|| guess::counted(bytes))
        .or_else(|| guess::wide(bytes))
        .or_else(|| messages::blocks(bytes))
        .or_else(|| guess::narrow(bytes))
        .or_else(|| guess::counted_few(bytes))
}

/// How the blocks of a region are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockLayout {
    Png,
    /// Chunks with a name, a length, data, and a zero to make them even.
    Riff(NumberFormat),
    /// Boxes of MP4 and its relatives.
    Boxes,
    WasmSections,
    /// Fields of a protocol buffer.
    Message,
    /// A tag of some bytes, a length, data.
    Prefixed(guess::Prefix),
}

impl BlockLayout {
    /// Reads the block that a region begins with.
    fn read(self, bytes: &[u8], region: Range<usize>) -> Option<Block> {
        match self {
            BlockLayout::Png => chunks::png(bytes, region),
            BlockLayout::Riff(number) => chunks::riff(bytes, region, number),
            BlockLayout::Boxes => chunks::iso_box(bytes, region),
            BlockLayout::WasmSections => wasm::section(bytes, region),
            BlockLayout::Message => messages::field(bytes, region),
            BlockLayout::Prefixed(prefix) => prefix.read(bytes, region),
        }
    }
}

/// A block.
#[derive(Debug, Default)]
struct Block {
    range: Range<usize>,
    inside: Range<usize>,
    fields: Vec<SizeField>,
    below: Below,
}

/// The layout inside of a block.
#[derive(Debug, Default)]
enum Below {
    #[default]
    Nothing,
    /// Further blocks.
    Region(Range<usize>, BlockLayout),
    /// Items, each with its content.
    Items(Vec<Block>),
}

/// The unread rest of one level.
enum Level {
    Region(Range<usize>, BlockLayout),
    Items(std::vec::IntoIter<Block>),
}

impl Level {
    fn next(&mut self, bytes: &[u8]) -> Option<(Block, What)> {
        match self {
            Level::Region(region, layout) => {
                let found = layout.read(bytes, region.clone())?;
                let sound = found.range.start >= region.start
                    && found.range.end <= region.end
                    && !found.range.is_empty();
                region.start = found.range.end;
                sound.then_some((found, What::Chunk))
            }
            Level::Items(items) => items.next().map(|item| (item, What::Item)),
        }
    }
}

/// Reads a region block by block, with their contents; `fields` are those before it.
fn walk(
    bytes: &[u8],
    region: Range<usize>,
    layout: BlockLayout,
    mut fields: Vec<SizeField>,
) -> Blocks {
    let mut forest = Forest::default();
    let mut levels = vec![Level::Region(region, layout)];
    let mut left = MAX_BLOCKS;
    while let Some(level) = levels.last_mut().filter(|_| left > 0) {
        let Some((found, what)) = level.next(bytes) else {
            levels.pop();
            continue;
        };
        left -= 1;
        forest.add(found.range, what);
        forest.add(found.inside, What::Inside);
        fields.extend(found.fields);
        if levels.len() < MAX_DEPTH {
            match found.below {
                Below::Nothing => {}
                Below::Region(region, layout) => levels.push(Level::Region(region, layout)),
                Below::Items(items) => levels.push(Level::Items(items.into_iter())),
            }
        }
    }
    Blocks { outline: forest.finish(), repairs: Repairs::new(fields), together: Vec::new() }
}

/// Returns the field with the length of something.
fn length(range: Range<usize>, number: NumberFormat, measures: Range<usize>) -> SizeField {
    SizeField { range, meaning: FieldMeaning::Length { number, measures } }
}

/// Reads a number at a place before the end of a region, and returns the place after it.
fn number_at(
    bytes: &[u8],
    region: &Range<usize>,
    place: usize,
    number: NumberFormat,
) -> Option<(usize, usize)> {
    let (value, width) = number.read(bytes.get(place..region.end)?)?;
    Some((usize::try_from(value).ok()?, place + width))
}

/// Returns `length` bytes from a place on, if they are in the region.
fn bytes_from(region: &Range<usize>, place: usize, length: usize) -> Option<Range<usize>> {
    let end = place.checked_add(length)?;
    (end <= region.end).then_some(place..end)
}
