//! Which function of an added file was which one of the old files.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::super::pieces::similarity;
use super::Origin;
use super::definitions::Defined;

/// Share that two functions of one name must have in common to be the same function. A half, as for
/// files.
const MIN_SIMILARITY: f32 = 0.5;

/// Share of the bytes of an added file's definitions that must have been in an old file for the
/// file to count as moved; below it the file is new. A half, as for files.
const MIN_MOVED_SHARE: f64 = 0.5;

/// A function of an added file, and its original.
pub(super) struct Partner<'a> {
    pub(super) new: &'a Defined,
    pub(super) old: &'a Defined,
    pub(super) new_text: &'a [u8],
    pub(super) old_text: &'a [u8],
    /// Whether the one is like the other, beside its name.
    pub(super) is_similar: bool,
}

impl Partner<'_> {
    /// Whether what stands before the name is the same, and what stands before the parameters.
    pub(super) fn is_written_alike(&self) -> bool {
        head(self.new, self.new_text) == head(self.old, self.old_text)
    }
}

/// Returns the words of a head, whatever is between them.
fn head<'a>(defined: &Defined, text: &'a [u8]) -> Vec<&'a [u8]> {
    let head: &[u8] = &text[defined.whole.start..defined.tail.start];
    head.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The definitions of the old files, by name.
pub(crate) struct OldDefinitions<'a> {
    named: HashMap<&'a [u8], Vec<(usize, &'a Defined)>>,
    origins: &'a [Origin],
}

impl<'a> OldDefinitions<'a> {
    pub(crate) fn of(origins: &'a [Origin]) -> OldDefinitions<'a> {
        let mut named: HashMap<&[u8], Vec<(usize, &Defined)>> = HashMap::new();
        for (file, origin) in origins.iter().enumerate() {
            for defined in &origin.defined {
                named.entry(&defined.name).or_default().push((file, defined));
            }
        }
        OldDefinitions { named, origins }
    }

    /// Returns an old file by its number.
    pub(crate) fn origin(&self, file: usize) -> &'a Origin {
        &self.origins[file]
    }

    /// Returns the most similar one of a function's name, how similar it is first, then its file.
    pub(crate) fn nearest(&self, new: &Defined, own: &Origin) -> Option<(f32, usize, &'a Defined)> {
        let is_like = |&&(file, old): &&(usize, &Defined)| {
            old.is_type == new.is_type && self.origins[file].language == own.language
        };
        let named = self.named.get(&*new.name)?.iter().filter(is_like);
        let scores = named.map(|&(file, old)| (similarity(&old.signs, &new.signs), file, old));
        // Of those that are equally like it, the first.
        scores.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }
}

/// Finds partners for what an added file defines, in order; none if most of it is new.
pub(super) fn find<'a>(own: &'a Origin, known: &OldDefinitions<'a>) -> Vec<Partner<'a>> {
    let nearest: Vec<Option<(f32, usize, &Defined)>> =
        own.defined.iter().map(|new| known.nearest(new, own)).collect();
    let is_similar = |score: f32| score >= MIN_SIMILARITY;
    // Where some functions came from, others came from that are no longer like they were.
    let sources: BTreeSet<usize> =
        nearest.iter().flatten().filter(|near| is_similar(near.0)).map(|near| near.1).collect();
    let mut found: Vec<Partner<'a>> = Vec::new();
    let mut end = 0;
    for (new, near) in own.defined.iter().zip(&nearest) {
        let Some((score, file, old)) = near.filter(|near| sources.contains(&near.1)) else {
            continue;
        };
        // An inner function is moved with the outer one.
        if new.whole.start < end {
            continue;
        }
        end = new.whole.end;
        let old_text = &*known.origins[file].bytes;
        let is_similar = is_similar(score);
        found.push(Partner { new, old, new_text: &own.bytes, old_text, is_similar });
    }
    let paired = found.iter().map(|pair| pair.new.whole.clone());
    let all = outermost(&own.defined).map(|defined| defined.whole.clone());
    if (length(paired) as f64) < MIN_MOVED_SHARE * length(all) as f64 { Vec::new() } else { found }
}

/// Returns the definitions that are in no other one.
pub(super) fn outermost(defined: &[Defined]) -> impl Iterator<Item = &Defined> {
    let mut end = 0;
    defined.iter().filter(move |defined| {
        let is_outside = defined.whole.start >= end;
        end = end.max(defined.whole.end);
        is_outside
    })
}

fn length(ranges: impl Iterator<Item = Range<usize>>) -> usize {
    ranges.map(|range| range.len()).sum()
}
