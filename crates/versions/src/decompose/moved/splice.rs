//! An added file as it would be, had its functions only moved.

use std::collections::HashSet;
use std::ops::Range;

use whodunit_syntax::words::words;

use super::Origin;
use super::calls::Calls;
use super::partners::{Partner, outermost};

/// Puts the old functions in the place of the new ones, and leaves out functions that are new and
/// that nothing needs which stays.
pub(super) fn assemble(own: &Origin, pairs: &[Partner<'_>]) -> Vec<u8> {
    let defined = own.defined.iter().map(|defined| &*defined.name).collect();
    let calls = Calls::learn(pairs, defined);
    let text = &*own.bytes;
    let mut edits: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    for pair in pairs {
        let old = calls.rewrite(pair);
        let from = indentation(pair.old_text, pair.old.whole.start);
        let to = indentation(text, pair.new.whole.start);
        edits.push((pair.new.tail.clone(), indented(&old, from, to)));
    }
    edits.extend(left_out(own, &edits).into_iter().map(|lines| (lines, Vec::new())));
    edits.sort_by_key(|(range, _)| range.start);
    let mut assembled = Vec::with_capacity(text.len());
    let mut at = 0;
    for (range, old) in edits {
        assembled.extend_from_slice(&text[at..range.start]);
        assembled.extend_from_slice(&old);
        at = range.end;
    }
    assembled.extend_from_slice(&text[at..]);
    assembled
}

/// Returns the lines of new functions that are named nowhere in what stays.
fn left_out(own: &Origin, edits: &[(Range<usize>, Vec<u8>)]) -> Vec<Range<usize>> {
    let text = &*own.bytes;
    let is_paired = |whole: &Range<usize>| {
        edits.iter().any(|(tail, _)| whole.start <= tail.start && tail.end <= whole.end)
    };
    let new = outermost(&own.defined).filter(|defined| !is_paired(&defined.whole));
    let mut new: Vec<(&[u8], Range<usize>)> = new
        .filter_map(|defined| Some((&*defined.name, whole_lines(text, &defined.whole)?)))
        .collect();
    let mut named: HashSet<&[u8]> = edits.iter().flat_map(|(_, old)| named_in(old)).collect();
    let mut at = 0;
    let mut gaps: Vec<Range<usize>> = edits.iter().map(|(tail, _)| tail.clone()).collect();
    gaps.extend(new.iter().map(|(_, lines)| lines.clone()));
    gaps.sort_by_key(|gap| gap.start);
    for gap in gaps {
        named.extend(named_in(&text[at..gap.start.max(at)]));
        at = gap.end;
    }
    named.extend(named_in(&text[at..]));
    // A function that stays may name others.
    while let Some(place) = new.iter().position(|(name, _)| named.contains(name)) {
        let (_, lines) = new.swap_remove(place);
        named.extend(named_in(&text[lines]));
    }
    new.into_iter().map(|(_, lines)| lines).collect()
}

fn named_in(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    words(text).map(|word| &text[word])
}

/// Returns the lines that something is on, if nothing else is on them.
fn whole_lines(text: &[u8], whole: &Range<usize>) -> Option<Range<usize>> {
    let start = text[..whole.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let rest = text[whole.end..].iter().position(|&byte| byte == b'\n');
    let end = rest.map_or(text.len(), |at| whole.end + at + 1);
    let is_alone = text[start..whole.start].trim_ascii().is_empty()
        && text[whole.end..end].iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';');
    is_alone.then_some(start..end)
}

/// Returns what stands before the first word of the line of a byte.
fn indentation(text: &[u8], at: usize) -> &[u8] {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let length = text[start..].iter().take_while(|byte| b" \t".contains(byte)).count();
    &text[start..start + length]
}

/// Indents all lines but the first, which follows a head, as they are in the new place.
fn indented(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    let mut indented = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        match line.strip_prefix(from) {
            Some(rest) if !line.trim_ascii().is_empty() => {
                indented.extend_from_slice(to);
                indented.extend_from_slice(rest);
            }
            _ => indented.extend_from_slice(line),
        }
    }
    indented
}
