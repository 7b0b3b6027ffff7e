//! Containers of named chunks: PNG, RIFF (WAV, AVI, WebP), IFF (AIFF), MP4 and its relatives.

use std::ops::Range;

use super::super::number::NumberFormat;
use super::super::repairs::{FieldMeaning, SizeField};
use super::{Below, Block, BlockLayout, bytes_from, length, number_at};

/// How files begin, at which place that stands, how to read them, and where the blocks begin.
const KNOWN: [(&[u8], usize, BlockLayout, usize); 8] = [
    (b"\x89PNG\r\n\x1a\n", 0, BlockLayout::Png, 8),
    (b"RIFF", 0, BlockLayout::Riff(NumberFormat::Little32), 0),
    (b"RIFX", 0, BlockLayout::Riff(NumberFormat::Big32), 0),
    (b"FORM", 0, BlockLayout::Riff(NumberFormat::Big32), 0),
    (b"ftyp", 4, BlockLayout::Boxes, 0),
    (b"styp", 4, BlockLayout::Boxes, 0),
    (b"moov", 4, BlockLayout::Boxes, 0),
    (b"\0asm\x01\0\0\0", 0, BlockLayout::WasmSections, 8),
];

/// Returns how to read a file of a known kind, and from where on.
pub(super) fn known(bytes: &[u8]) -> Option<(BlockLayout, usize)> {
    let is =
        |magic: &[u8], place: usize| bytes.get(place..).is_some_and(|it| it.starts_with(magic));
    let found = KNOWN.iter().find(|(magic, place, ..)| is(magic, *place))?;
    Some((found.2, found.3))
}

/// Length of the data, name, data, checksum of name and data.
pub(super) fn png(bytes: &[u8], region: Range<usize>) -> Option<Block> {
    let start = region.start;
    let (size, name) = number_at(bytes, &region, start, NumberFormat::Big32)?;
    let data = bytes_from(&region, name + 4, size)?;
    let sum = bytes_from(&region, data.end, 4)?;
    let mut fields = vec![length(start..name, NumberFormat::Big32, data.clone())];
    let covers = name..data.end;
    let right = crc32fast::hash(&bytes[covers.clone()]).to_be_bytes();
    // A wrong checksum may be needed for the failure, and is left as it is.
    if bytes[sum.clone()] == right {
        let meaning = FieldMeaning::Checksum { number: NumberFormat::Big32, covers };
        fields.push(SizeField { range: sum.clone(), meaning });
    }
    Some(Block { range: start..sum.end, inside: data, fields, below: Below::Nothing })
}

/// Name, length of the data, data, a zero if that is odd. Lists have a name of their own before
/// the chunks in them.
pub(super) fn riff(bytes: &[u8], region: Range<usize>, number: NumberFormat) -> Option<Block> {
    let start = region.start;
    let name = bytes.get(bytes_from(&region, start, 4)?)?;
    let (size, data) = number_at(bytes, &region, start + 4, number)?;
    let data = bytes_from(&region, data, size)?;
    let size = start + 4..data.start;
    let pad = bytes_from(&region, data.end, size_of_pad(&data)).unwrap_or(data.end..data.end);
    let mut fields = vec![length(size.clone(), number, data.clone())];
    if pad.len() == size_of_pad(&data) {
        let meaning = FieldMeaning::Padding { data: data.clone(), length: size };
        fields.push(SizeField { range: pad.clone(), meaning });
    }
    let is_list = matches!(name, b"RIFF" | b"RIFX" | b"LIST" | b"FORM" | b"CAT ");
    let below = match is_list && data.len() >= 4 {
        true => Below::Region(data.start + 4..data.end, BlockLayout::Riff(number)),
        false => Below::Nothing,
    };
    let inside = match below {
        Below::Region(ref chunks, _) => chunks.clone(),
        _ => data,
    };
    Some(Block { range: start..pad.end, inside, fields, below })
}

fn size_of_pad(data: &Range<usize>) -> usize {
    data.len() % 2
}

/// Boxes with inner boxes, and the number of bytes before these.
const BOXES: [(&[u8; 4], usize); 17] = [
    (b"moov", 0),
    (b"trak", 0),
    (b"mdia", 0),
    (b"minf", 0),
    (b"stbl", 0),
    (b"dinf", 0),
    (b"edts", 0),
    (b"udta", 0),
    (b"mvex", 0),
    (b"moof", 0),
    (b"traf", 0),
    (b"mfra", 0),
    (b"iprp", 0),
    (b"ipco", 0),
    (b"meta", 4),
    (b"dref", 8),
    (b"stsd", 8),
];

/// Length of the whole box, name, the length again in eight bytes if it was 1, data. With a length
/// of 0 a box reaches to the end.
pub(super) fn iso_box(bytes: &[u8], region: Range<usize>) -> Option<Block> {
    let start = region.start;
    let (size, name) = number_at(bytes, &region, start, NumberFormat::Big32)?;
    let header = bytes_from(&region, name, 4)?;
    let mut inside = header.end;
    let mut fields = Vec::new();
    let range = match size {
        0 => start..region.end,
        1 => {
            let (size, data) = number_at(bytes, &region, inside, NumberFormat::Big64)?;
            let range = bytes_from(&region, start, size)?;
            fields.push(length(inside..data, NumberFormat::Big64, range.clone()));
            inside = data;
            range
        }
        _ => {
            let range = bytes_from(&region, start, size)?;
            fields.push(length(start..name, NumberFormat::Big32, range.clone()));
            range
        }
    };
    if inside > range.end {
        return None;
    }
    let nested = BOXES.iter().find(|(nested, _)| bytes[header.clone()] == nested[..]);
    let below = match nested {
        Some((_, skipped)) if inside + skipped <= range.end => {
            Below::Region(inside + skipped..range.end, BlockLayout::Boxes)
        }
        _ => Below::Nothing,
    };
    let inside = inside..range.end;
    Some(Block { range, inside, fields, below })
}
