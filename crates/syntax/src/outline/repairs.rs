//! Lengths, counts and checksums that follow when something they speak of is deleted.
//!
//! A field is never computed from scratch: it decreases by as much as the part that it measures.
//! So the exact unit of a format does not matter. A field that is itself deleted, even in part, is
//! left alone.

use std::ops::Range;

use super::number::NumberFormat;

/// A place in binary data that speaks of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeField {
    /// Where it stands.
    pub range: Range<usize>,
    /// Its meaning.
    pub meaning: FieldMeaning,
}

/// The meaning of a [`SizeField`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldMeaning {
    /// How many bytes there are, give or take a constant. An offset is the length of what is
    /// before.
    Length {
        /// How it is written.
        number: NumberFormat,
        /// The measured range.
        measures: Range<usize>,
    },
    /// How many items there are. One that is partly deleted still counts.
    Count {
        /// How it is written.
        number: NumberFormat,
        /// The items, in order.
        items: Vec<Range<usize>>,
    },
    /// The CRC-32 of some bytes.
    Checksum {
        /// How it is written.
        number: NumberFormat,
        /// The range that it is computed of.
        covers: Range<usize>,
    },
    /// Zeros after data, up to the next even place.
    Padding {
        /// The data.
        data: Range<usize>,
        /// The field with the length of the data, without which there is nothing to fill up.
        length: Range<usize>,
    },
}

/// The fields of some binary data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// In the order in which they can be computed: inner fields before outer ones.
    fields: Vec<SizeField>,
    /// Where the width of something may change, in order.
    sites: Vec<usize>,
}

/// Bytes to be put in the place of others.
pub type Replacement = (Range<usize>, Vec<u8>);

impl Repairs {
    /// Takes fields that do not overlap, in any order.
    pub fn new(mut fields: Vec<SizeField>) -> Self {
        fields.sort_by_key(|field| match &field.meaning {
            FieldMeaning::Count { .. } => (0, 0, 0),
            // An inner range is shorter; padding follows from its own length.
            FieldMeaning::Length { measures, .. } => (1, measures.len(), 0),
            FieldMeaning::Padding { data, .. } => (1, data.len(), 1),
            FieldMeaning::Checksum { .. } => (2, 0, 0),
        });
        let mut sites: Vec<usize> = fields
            .iter()
            .filter(|field| field.meaning.is_variable())
            .map(SizeField::site)
            .collect();
        sites.sort_unstable();
        sites.dedup();
        Repairs { fields, sites }
    }

    /// Returns the fields.
    pub fn fields(&self) -> &[SizeField] {
        &self.fields
    }

    /// Returns the new values of the fields when some ranges are deleted.
    ///
    /// The ranges may overlap and come in any order. The replacements are in order and do not
    /// overlap; they are at places of the original bytes, which must be those that the fields
    /// were found in. An empty place means that something is inserted there.
    pub fn after(&self, bytes: &[u8], deleted: &[Range<usize>]) -> Vec<Replacement> {
        let deleted = Deleted::new(deleted, bytes.len());
        self.replacements(bytes, &deleted)
    }

    /// Returns the new values of the checksums that cover any of some changed ranges, for the new
    /// bytes, of which none is deleted.
    pub fn checksums(&self, bytes: &[u8], changed: &[Range<usize>]) -> Vec<Replacement> {
        let sum = |field: &SizeField| {
            let FieldMeaning::Checksum { number, covers } = &field.meaning else { return None };
            let overlaps =
                |range: &Range<usize>| range.start < covers.end && covers.start < range.end;
            let sum =
                changed.iter().any(overlaps).then(|| crc32fast::hash(&bytes[covers.clone()]))?;
            Some((field.range.clone(), number.write(u64::from(sum), field.range.len())))
        };
        let mut sums: Vec<Replacement> = self.fields.iter().filter_map(sum).collect();
        sums.sort_by_key(|(place, _)| place.start);
        sums
    }

    /// Returns the bytes without some ranges, repaired.
    pub fn repaired(&self, bytes: &[u8], deleted: &[Range<usize>]) -> Vec<u8> {
        let deleted = Deleted::new(deleted, bytes.len());
        let replacements = self.replacements(bytes, &deleted);
        assemble(bytes, 0..bytes.len(), &deleted, &replacements)
    }

    fn replacements(&self, bytes: &[u8], deleted: &Deleted) -> Vec<Replacement> {
        let mut changes = Changes { deleted, sites: &self.sites, widths: Widths::new(&self.sites) };
        let mut replacements: Vec<Replacement> = Vec::new();
        let is_checksum =
            |field: &SizeField| matches!(field.meaning, FieldMeaning::Checksum { .. });
        let sums = self.fields.partition_point(|field| !is_checksum(field));
        for field in &self.fields[..sums] {
            let replacement = changes.of(field, bytes);
            if let Some((place, bytes)) = &replacement {
                changes.note(field, bytes.len() as i64 - place.len() as i64);
            }
            replacements.extend(replacement);
        }
        replacements.sort_by_key(|(place, _)| (place.start, place.end));
        let sum = |field: &SizeField| checksum(field, bytes, deleted, &replacements);
        let checksums: Vec<Replacement> = self.fields[sums..].iter().filter_map(sum).collect();
        replacements.extend(checksums);
        replacements.sort_by_key(|(place, _)| (place.start, place.end));
        replacements
    }
}

impl FieldMeaning {
    fn is_variable(&self) -> bool {
        match self {
            FieldMeaning::Length { number, .. } | FieldMeaning::Count { number, .. } => {
                number.is_variable()
            }
            FieldMeaning::Padding { .. } => true,
            FieldMeaning::Checksum { .. } => false,
        }
    }
}

impl SizeField {
    /// Returns a byte that is in every range around the field. An insertion belongs to the ranges
    /// that end there, not to those that begin there.
    fn site(&self) -> usize {
        if self.range.is_empty() { self.range.start.saturating_sub(1) } else { self.range.start }
    }
}

/// The changes of sizes up to here.
struct Changes<'a> {
    deleted: &'a Deleted,
    sites: &'a [usize],
    widths: Widths,
}

impl Changes<'_> {
    /// Returns the new value of a field, if it changes; checksums are handled elsewhere.
    fn of(&self, field: &SizeField, bytes: &[u8]) -> Option<Replacement> {
        let less = |number: NumberFormat, by: u64| {
            let touched = self.deleted.within(&field.range) > 0;
            let (value, width) = number.read(&bytes[field.range.clone()])?;
            (by > 0 && !touched)
                .then(|| (field.range.clone(), number.write(value.saturating_sub(by), width)))
        };
        match &field.meaning {
            FieldMeaning::Length { number, measures } => {
                less(*number, self.shrunk(measures) as u64)
            }
            FieldMeaning::Count { number, items } => {
                let gone = items.iter().filter(|item| self.deleted.has_all(item)).count();
                less(*number, gone as u64)
            }
            FieldMeaning::Padding { data, length } => {
                if self.deleted.within(length) > 0 {
                    return None;
                }
                let needed = (data.len() - self.shrunk(data)) % 2;
                let gone = self.deleted.within(&field.range) > 0;
                let start = field.range.start;
                let place = if gone { start..start } else { field.range.clone() };
                (needed != place.len()).then(|| (place, vec![0; needed]))
            }
            FieldMeaning::Checksum { .. } => None,
        }
    }

    /// Returns the number of bytes by which a range shrinks.
    fn shrunk(&self, range: &Range<usize>) -> usize {
        let site = |place: usize| self.sites.partition_point(|&site| site < place);
        let wider = self.widths.before(site(range.end)) - self.widths.before(site(range.start));
        let shrunk = self.deleted.within(range) as i64 - wider;
        usize::try_from(shrunk).unwrap_or(0).min(range.len())
    }

    /// Records that a field has become wider by `wider` bytes.
    fn note(&mut self, field: &SizeField, wider: i64) {
        if wider != 0
            && let Ok(site) = self.sites.binary_search(&field.site())
        {
            self.widths.add(site, wider);
        }
    }
}

/// Sums over the beginnings of a list of numbers that change (a Fenwick tree).
struct Widths(Vec<i64>);

impl Widths {
    fn new(sites: &[usize]) -> Self {
        Widths(vec![0; sites.len() + 1])
    }

    fn add(&mut self, place: usize, wider: i64) {
        let mut place = place + 1;
        while let Some(sum) = self.0.get_mut(place) {
            *sum += wider;
            place += place & place.wrapping_neg();
        }
    }

    fn before(&self, mut place: usize) -> i64 {
        let mut sum = 0;
        while place > 0 {
            sum += self.0[place];
            place &= place - 1;
        }
        sum
    }
}

/// Deleted ranges in order and apart, each with the number of bytes deleted before it.
struct Deleted(Vec<(Range<usize>, usize)>);

impl Deleted {
    fn new(ranges: &[Range<usize>], length: usize) -> Self {
        let mut ranges: Vec<Range<usize>> =
            ranges.iter().map(|range| range.start..range.end.min(length)).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let mut joined: Vec<(Range<usize>, usize)> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some((last, _)) if range.start <= last.end => last.end = last.end.max(range.end),
                Some((last, before)) => {
                    let before = *before + last.len();
                    joined.push((range, before));
                }
                None => joined.push((range, 0)),
            }
        }
        Deleted(joined)
    }

    /// Returns the number of deleted bytes in a range.
    fn within(&self, range: &Range<usize>) -> usize {
        let before = |place: usize| {
            let next = self.0.partition_point(|(deleted, _)| deleted.start < place);
            let Some((deleted, before)) = next.checked_sub(1).map(|last| &self.0[last]) else {
                return 0;
            };
            before + deleted.end.min(place) - deleted.start
        };
        before(range.end) - before(range.start)
    }

    fn has_all(&self, range: &Range<usize>) -> bool {
        self.within(range) == range.len()
    }
}

/// Returns the new checksum if the covered bytes have changed.
fn checksum(
    field: &SizeField,
    bytes: &[u8],
    deleted: &Deleted,
    replacements: &[Replacement],
) -> Option<Replacement> {
    let FieldMeaning::Checksum { number, covers } = &field.meaning else { return None };
    let first = replacements.partition_point(|(place, _)| place.start < covers.start);
    let replaced = replacements.get(first).is_some_and(|(place, _)| place.end <= covers.end);
    let changed = deleted.within(covers) > 0 || replaced;
    if !changed || deleted.within(&field.range) > 0 {
        return None;
    }
    let sum = crc32fast::hash(&assemble(bytes, covers.clone(), deleted, replacements));
    Some((field.range.clone(), number.write(u64::from(sum), field.range.len())))
}

/// Puts some bytes together, without the deleted and with the replaced ranges.
fn assemble(
    bytes: &[u8],
    range: Range<usize>,
    deleted: &Deleted,
    replacements: &[Replacement],
) -> Vec<u8> {
    let mut assembled = Vec::with_capacity(range.len());
    let mut done = range.start;
    let first = replacements.partition_point(|(place, _)| place.start < range.start);
    let replacements = replacements[first..].iter().filter(|(place, _)| place.end <= range.end);
    let mut replacements = replacements.peekable();
    let gone = deleted.0.partition_point(|(gone, _)| gone.end <= range.start);
    let mut gone = deleted.0[gone..].iter().map(|(gone, _)| gone).peekable();
    loop {
        let next_gone = gone.peek().map_or(range.end, |gone| gone.start.min(range.end));
        let event = match replacements.peek() {
            Some((place, _)) if place.start <= next_gone => place.clone(),
            _ if next_gone < range.end => gone.peek().map_or(0..0, |&gone| gone.clone()),
            _ => break,
        };
        if event.start > done {
            assembled.extend_from_slice(&bytes[done..event.start]);
        }
        done = done.max(event.end.min(range.end));
        match replacements.next_if(|(place, _)| *place == event) {
            Some((_, with)) => assembled.extend_from_slice(with),
            None => drop(gone.next()),
        }
    }
    assembled.extend_from_slice(&bytes[done..range.end]);
    assembled
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init)] // one range is deleted, and it is one

    use super::*;

    fn length(range: Range<usize>, number: NumberFormat, measures: Range<usize>) -> SizeField {
        SizeField { range, meaning: FieldMeaning::Length { number, measures } }
    }

    #[test]
    fn lengths_follow_inside_and_outside() {
        let bytes = [6, 2, b'a', b'b', 2, b'c', b'd'];
        let repairs = Repairs::new(vec![
            length(0..1, NumberFormat::Byte, 1..7),
            length(1..2, NumberFormat::Byte, 2..4),
            length(4..5, NumberFormat::Byte, 5..7),
        ]);
        assert_eq!(repairs.repaired(&bytes, &[]), bytes);
        assert_eq!(repairs.repaired(&bytes, &[5..6]), [5, 2, b'a', b'b', 1, b'd']);
        assert_eq!(repairs.repaired(&bytes, &[1..4]), [3, 2, b'c', b'd']);
        assert_eq!(repairs.after(&bytes, &[2..3]), [(0..1, vec![5]), (1..2, vec![1])]);
        assert_eq!(repairs.repaired(&bytes, &[3..4, 2..4, 6..99]), [3, 0, 1, b'c']);
        assert!(repairs.repaired(&bytes, &[0..4, 4..9]).is_empty());
    }

    #[test]
    fn a_length_that_becomes_narrower_changes_those_around_it() {
        let mut bytes = vec![0x84, 1, 0x82, 1];
        bytes.extend([7; 130]);
        let repairs =
            |number| Repairs::new(vec![length(0..2, number, 2..134), length(2..4, number, 4..134)]);
        let gone = 10..134;
        let narrow = repairs(NumberFormat::Leb128).repaired(&bytes, std::slice::from_ref(&gone));
        assert_eq!(narrow, [7, 6, 7, 7, 7, 7, 7, 7]);
        let padded = repairs(NumberFormat::PaddedLeb128).repaired(&bytes, &[gone]);
        assert_eq!(padded, [0x88, 0, 0x86, 0, 7, 7, 7, 7, 7, 7]);
    }

    #[test]
    fn padding_comes_and_goes() {
        let pad = |range, data, length| SizeField {
            range,
            meaning: FieldMeaning::Padding { data, length },
        };
        let bytes = [6, 3, 1, 2, 3, 0, 0];
        let repairs = Repairs::new(vec![
            length(0..1, NumberFormat::Byte, 1..6),
            length(1..2, NumberFormat::Byte, 2..5),
            pad(5..6, 2..5, 1..2),
        ]);
        assert_eq!(repairs.repaired(&bytes, &[2..3]), [4, 2, 2, 3, 0]);
        let bytes = [5, 4, 1, 2, 3, 4, 9];
        let repairs = Repairs::new(vec![
            length(0..1, NumberFormat::Byte, 1..6),
            length(1..2, NumberFormat::Byte, 2..6),
            pad(6..6, 2..6, 1..2),
        ]);
        assert_eq!(repairs.repaired(&bytes, &[2..3]), [5, 3, 2, 3, 4, 0, 9]);
        assert_eq!(repairs.repaired(&bytes, &[1..6]), [0, 9]);
    }

    #[test]
    fn counts_count_what_is_left() {
        let bytes = [3, b'a', b'b', b'b', b'c'];
        let items = vec![1..2, 2..4, 4..5];
        let meaning = FieldMeaning::Count { number: NumberFormat::Byte, items };
        let repairs = Repairs::new(vec![SizeField { range: 0..1, meaning }]);
        assert_eq!(repairs.repaired(&bytes, &[1..3]), [2, b'b', b'c']);
        assert_eq!(repairs.repaired(&bytes, &[1..4]), [1, b'c']);
    }

    #[test]
    fn a_checksum_is_of_the_repaired_bytes() {
        let mut bytes = vec![2, 5, 6];
        bytes.extend(crc32fast::hash(&bytes).to_be_bytes());
        let meaning = FieldMeaning::Checksum { number: NumberFormat::Big32, covers: 0..3 };
        let sum = SizeField { range: 3..7, meaning };
        let repairs = Repairs::new(vec![sum, length(0..1, NumberFormat::Byte, 1..3)]);
        let repaired = repairs.repaired(&bytes, &[1..2]);
        assert_eq!(repaired[..2], [1, 6]);
        assert_eq!(repaired[2..], crc32fast::hash(&[1, 6]).to_be_bytes());
    }
}
