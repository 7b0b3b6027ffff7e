//! Blocks of no known format: a length, perhaps after a tag, then as many bytes, again and again
//! up to the very end.

use std::ops::Range;

use super::super::number::NumberFormat;
use super::{Below, Block, BlockLayout, Blocks, MAX_BLOCKS, bytes_from, length, number_at, walk};

/// Blocks with content that data must have for a guessed layout; fewer are found by chance. Chosen
/// by hand.
const MIN_BLOCKS: usize = 3;

/// How many bytes may be before the first block.
const HEADERS: [usize; 7] = [0, 1, 2, 4, 8, 12, 16];

/// The beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    /// How many bytes are before the length.
    tag: usize,
    number: NumberFormat,
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
                    return Some(walk(bytes, region, BlockLayout::Prefixed(prefix)));
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
                return Some(walk(bytes, 0..bytes.len(), BlockLayout::Prefixed(prefix)));
            }
        }
    }
    None
}

/// Returns how many blocks all guesses together may look at.
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
    fn tiles(self, bytes: &[u8], mut region: Range<usize>, steps: &mut usize) -> bool {
        let (mut full, mut empty) = (0usize, 0usize);
        while !region.is_empty() {
            let Some((_, data)) = self.frame(bytes, &region) else { return false };
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            *if data.is_empty() { &mut empty } else { &mut full } += 1;
            // Zeros are empty blocks in every way of reading them.
            if empty > full + MIN_BLOCKS || full > MAX_BLOCKS {
                return false;
            }
            region.start = data.end;
        }
        full >= MIN_BLOCKS
    }
}
