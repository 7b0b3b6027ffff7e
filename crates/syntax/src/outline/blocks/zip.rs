//! Archives in the ZIP format: files, a directory of them, and a record of where that is.

use std::ops::Range;

use super::super::number::NumberFormat;
use super::super::repairs::{FieldMeaning, Repairs, SizeField};
use super::{Blocks, Forest, What, bytes_from, length, number_at};

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// How long each of them is without what follows it.
const LOCAL_SIZE: usize = 30;
const CENTRAL_SIZE: usize = 46;
const END_SIZE: usize = 22;

/// The end record is followed by a comment of at most this length.
const LONGEST_COMMENT: usize = 0xffff;

/// The lengths are not in the header of the file, but after it.
const LENGTHS_FOLLOW: usize = 8;

/// A file, and its record in the directory.
struct ZipEntry {
    local: Range<usize>,
    data: Range<usize>,
    central: Range<usize>,
}

/// Reads an archive; `None` if the data is no archive, or one in parts, or too long for this
/// format.
pub(super) fn blocks(bytes: &[u8]) -> Option<Blocks> {
    if !bytes.starts_with(LOCAL) {
        return None;
    }
    let end = end_record(bytes)?;
    let all = 0..bytes.len();
    let read = |place: usize, number| number_at(bytes, &all, place, number).map(|(value, _)| value);
    let count = read(end + 10, NumberFormat::Little16)?;
    let size = read(end + 12, NumberFormat::Little32)?;
    let offset = read(end + 16, NumberFormat::Little32)?;
    let directory = bytes_from(&(0..end), offset, size)?;
    let mut entries = entries(bytes, &directory, count)?;
    let centrals: Vec<Range<usize>> = entries.iter().map(|entry| entry.central.clone()).collect();
    entries.sort_by_key(|entry| entry.local.start);
    let starts: Vec<usize> = entries.iter().map(|entry| entry.local.start).collect();
    for (number, entry) in entries.iter_mut().enumerate() {
        entry.local.end = starts.get(number + 1).copied().unwrap_or(directory.start);
        if entry.data.end > entry.local.end {
            return None;
        }
    }

    let mut fields: Vec<SizeField> =
        entries.iter().flat_map(|entry| fields_of(bytes, entry)).collect();
    let count = |at: usize| SizeField {
        range: at..at + 2,
        meaning: FieldMeaning::Count { number: NumberFormat::Little16, items: centrals.clone() },
    };
    fields.extend([count(end + 8), count(end + 10)]);
    fields.push(length(end + 12..end + 16, NumberFormat::Little32, directory.clone()));
    fields.push(length(end + 16..end + 20, NumberFormat::Little32, 0..directory.start));

    let mut forest = Forest::default();
    for entry in &entries {
        forest.add(entry.local.clone(), What::Chunk);
        forest.add(entry.data.clone(), What::Inside);
    }
    centrals.iter().for_each(|central| forest.add(central.clone(), What::Item));
    let together = entries.into_iter().map(|entry| vec![entry.local, entry.central]).collect();
    Some(Blocks { outline: forest.finish(), repairs: Repairs::new(fields), together })
}

/// Finds the record at the end: the last one with a comment of the right length.
fn end_record(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(LONGEST_COMMENT);
    (first..=last).rev().find(|&place| {
        let comment = || NumberFormat::Little16.read(&bytes[place + 20..]);
        bytes[place..].starts_with(END)
            && comment().is_some_and(|(size, _)| place + END_SIZE + size as usize == bytes.len())
    })
}

/// Reads the directory. Where the files end is not known yet.
fn entries(bytes: &[u8], directory: &Range<usize>, count: usize) -> Option<Vec<ZipEntry>> {
    let mut entries = Vec::new();
    let mut place = directory.start;
    for _ in 0..count {
        let header = bytes_from(directory, place, CENTRAL_SIZE)?;
        let read = |at: usize, number| {
            number_at(bytes, &header, place + at, number).map(|(value, _)| value)
        };
        let local = read(42, NumberFormat::Little32)?;
        let size = read(20, NumberFormat::Little32)?;
        let tails = [28, 30, 32].map(|at| read(at, NumberFormat::Little16).unwrap_or(0));
        let end = bytes_from(directory, header.end, tails.iter().sum())?.end;
        let files = 0..directory.start;
        let head = bytes_from(&files, local, LOCAL_SIZE)?;
        let tail = |at: usize| number_at(bytes, &files, local + at, NumberFormat::Little16);
        let data = head.end + tail(26)?.0 + tail(28)?.0;
        let data = bytes_from(&files, data, size)?;
        let marked = bytes[header].starts_with(CENTRAL) && bytes[head].starts_with(LOCAL);
        if !marked {
            return None;
        }
        entries.push(ZipEntry { local: local..data.end, data, central: place..end });
        place = end;
    }
    (place == directory.end && !entries.is_empty()).then_some(entries)
}

/// Returns the fields that speak of one file.
fn fields_of(bytes: &[u8], entry: &ZipEntry) -> Vec<SizeField> {
    let four = |at: usize| at..at + 4;
    let read = |at: usize| NumberFormat::Little16.read(&bytes[at..]).map_or(0, |(value, _)| value);
    let (local, central, data) = (entry.local.start, entry.central.start, &entry.data);
    let size = |at: usize| length(four(at), NumberFormat::Little32, data.clone());
    let lengths_follow = read(local + 6) as usize & LENGTHS_FOLLOW != 0;
    let stored = read(central + 10) == 0;
    let mut fields = vec![size(central + 20)];
    fields.push(length(four(central + 42), NumberFormat::Little32, 0..local));
    if !lengths_follow {
        fields.push(size(local + 18));
    }
    if stored {
        let sum = crc32fast::hash(&bytes[data.clone()]).to_le_bytes();
        let covers = data.clone();
        let meaning = FieldMeaning::Checksum { number: NumberFormat::Little32, covers };
        let sums = [local + 14, central + 16].into_iter().filter(|&at| bytes[four(at)] == sum);
        fields.extend(sums.map(|at| SizeField { range: four(at), meaning: meaning.clone() }));
        fields.push(size(central + 24));
        if !lengths_follow {
            fields.push(size(local + 22));
        }
    }
    fields
}
