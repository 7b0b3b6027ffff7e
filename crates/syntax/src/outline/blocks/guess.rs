//! Blocks of no known format: a length, perhaps after a tag, then as many bytes, again and again
//! up to the very end.

use std::ops::Range;

use super::super::number::NumberFormat;
use super::super::repairs::{FieldMeaning, SizeField};
use super::{Below, Block, BlockLayout, Blocks, MAX_BLOCKS, bytes_from, length, number_at, walk};

/// Blocks with content that data must have for a guessed layout; fewer are found by chance. Chosen
/// by hand.
const MIN_BLOCKS: usize = 3;

/// Bytes of data in which fewer blocks are believed in, if a number before them counts them: there is
/// little left to be mistaken about. Chosen by hand.
const SMALL_BYTES: usize = 64;

/// Bytes that may be before the first of blocks that are counted. Chosen by hand.
const MAX_COUNTED_HEADER: usize = 16;

/// How many bytes may be before the first block.
const HEADERS: [usize; 7] = [0, 1, 2, 4, 8, 12, 16];

/// The beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    /// How many bytes are before the length.
    tag: usize,
    number: NumberFormat,
}

/// Guesses with a number of blocks before the first of them, for example `03` and three blocks: that
/// all of it fits by chance is unlikely, however the lengths are written.
pub(super) fn counted(bytes: &[u8]) -> Option<Blocks> {
    counted_from(bytes, MIN_BLOCKS)
}

/// The same in data that is so small that fewer blocks are believed in, if nothing else fits.
pub(super) fn counted_few(bytes: &[u8]) -> Option<Blocks> {
    if bytes.len() <= SMALL_BYTES { counted_from(bytes, 1) } else { None }
}

/// Guesses at blocks that are counted, `least` of them or more.
fn counted_from(bytes: &[u8], least: usize) -> Option<Blocks> {
    let numbers = [
        NumberFormat::Big32,
        NumberFormat::Little32,
        NumberFormat::Big16,
        NumberFormat::Little16,
        NumberFormat::Leb128,
        NumberFormat::Byte,
    ];
    let mut steps = most_steps(bytes).saturating_mul(numbers.len());
    for number in numbers {
        for tag in [0, 1, 2, 4] {
            let prefix = Prefix { tag, number };
            for header in 1..=MAX_COUNTED_HEADER.min(bytes.len().saturating_sub(1)) {
                let region = header..bytes.len();
                let Some(items) = prefix.blocks(bytes, region.clone(), &mut steps) else {
                    continue;
                };
                if items.len() < least {
                    continue;
                }
                let count = numbers.iter().find_map(|&count| {
                    let places = (0..header).rev().take(4);
                    let mut read = places
                        .filter_map(|at| Some((at, number_at(bytes, &(0..header), at, count)?)));
                    let (at, _) =
                        read.find(|&(_, (value, end))| value == items.len() && end == header)?;
                    Some((at..header, count))
                });
                if let Some((range, number)) = count {
                    let meaning = FieldMeaning::Count { number, items };
                    let field = SizeField { range, meaning };
                    return Some(walk(bytes, region, BlockLayout::Prefixed(prefix), vec![field]));
                }
            }
        }
    }
    None
}

/// Guesses with lengths of two and four bytes: that these fit by chance is unlikely.
pub(super) fn wide(bytes: &[u8]) -> Option<Blocks> {
    let mut steps = most_steps(bytes);
    for number in
        [NumberFormat::Big32, NumberFormat::Little32, NumberFormat::Big16, NumberFormat::Little16]
    {
        for tag in [0, 1, 2, 4] {
            let prefix = Prefix { tag, number };
            for header in HEADERS {
                let region = header.min(bytes.len())..bytes.len();
                if prefix.tiles(bytes, region.clone(), &mut steps) {
                    return Some(walk(bytes, region, BlockLayout::Prefixed(prefix), vec![]));
                }
            }
        }
    }
    None
}

/// Guesses with short lengths. One in a hundred of these fits by chance, so only a few are tried.
pub(super) fn narrow(bytes: &[u8]) -> Option<Blocks> {
    let mut steps = most_steps(bytes);
    for number in [NumberFormat::Leb128, NumberFormat::Byte] {
        for tag in [0, 1] {
            let prefix = Prefix { tag, number };
            if prefix.tiles(bytes, 0..bytes.len(), &mut steps) {
                return Some(walk(bytes, 0..bytes.len(), BlockLayout::Prefixed(prefix), vec![]));
            }
        }
    }
    None
}

/// Returns the number of blocks that all guesses together may visit.
fn most_steps(bytes: &[u8]) -> usize {
    bytes.len().saturating_add(1_000)
}

impl Prefix {
    /// Reads one block.
    pub(super) fn read(self, bytes: &[u8], region: Range<usize>) -> Option<Block> {
        let (size_at, inside) = self.frame(bytes, &region)?;
        let mut steps = inside.len();
        let below = match self.tiles(bytes, inside.clone(), &mut steps) {
            true => Below::Region(inside.clone(), BlockLayout::Prefixed(self)),
            false => Below::Nothing,
        };
        let fields = vec![length(size_at, self.number, inside.clone())];
        Some(Block { range: region.start..inside.end, inside, fields, below })
    }

    /// Returns where the length and the data of the first block are.
    fn frame(self, bytes: &[u8], region: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
        let at = bytes_from(region, region.start, self.tag)?.end;
        let (size, data) = number_at(bytes, region, at, self.number)?;
        Some((at..data, bytes_from(region, data, size)?))
    }

    /// Whether a region is nothing but blocks, and enough of them.
    fn tiles(self, bytes: &[u8], region: Range<usize>, steps: &mut usize) -> bool {
        let is_full = |block: &&Range<usize>| {
            self.frame(bytes, block).is_some_and(|(_, data)| !data.is_empty())
        };
        let blocks = self.blocks(bytes, region, steps);
        blocks.is_some_and(|blocks| blocks.iter().filter(is_full).count() >= MIN_BLOCKS)
    }

    /// Returns the blocks of a region that is nothing but blocks.
    fn blocks(
        self,
        bytes: &[u8],
        mut region: Range<usize>,
        steps: &mut usize,
    ) -> Option<Vec<Range<usize>>> {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut empty = 0usize;
        while !region.is_empty() {
            let (_, data) = self.frame(bytes, &region)?;
            *steps = steps.checked_sub(1)?;
            empty += usize::from(data.is_empty());
            // Zeros are empty blocks in every way of reading them.
            if empty > blocks.len() + 1 - empty + MIN_BLOCKS || blocks.len() > MAX_BLOCKS {
                return None;
            }
            blocks.push(region.start..data.end);
            region.start = data.end;
        }
        Some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_counted_lose_their_count() {
        // A header, the count, then a tag, a length and as many bytes, three times.
        let bytes = b"RCRD\x03\x07\x02ab\x01\x01c\x02\x83\x00def";
        let blocks = counted(bytes).unwrap();
        let ranges = vec![5..9, 9..12, 12..18];
        let meaning = FieldMeaning::Count { number: NumberFormat::Leb128, items: ranges };
        let count = SizeField { range: 4..5, meaning };
        assert!(blocks.repairs.fields().contains(&count), "{:?}", blocks.repairs);
    }

    #[test]
    fn what_is_not_counted_is_no_list() {
        let blocks = |count: u8| [&b"RCRD"[..], &[count], &b"\x07\x03abc".repeat(20)].concat();
        assert!(counted(&blocks(20)).is_some());
        assert!(counted(&blocks(21)).is_none());
        assert!(counted(b"").is_none());
    }
}
