//! A repaired file has the blocks that were kept, whatever was deleted.

use std::ops::Range;

use proptest::prelude::*;
use whodunit_syntax::outline::repairs::FieldMeaning;
use whodunit_syntax::outline::{Blocks, Span, What, binary};

use crate::files::{self, Chunk};

/// Returns the blocks that have no blocks in them, each with where its content is.
fn leaves(blocks: &Blocks) -> Vec<(Span, Range<usize>)> {
    let spans = &blocks.outline.spans;
    let is_block = |span: &Span| span.what != What::Inside;
    let has = |span: &Span, is_it: fn(&FieldMeaning) -> bool| {
        let Range { start, end } = span.range;
        let here = |range: &Range<usize>| start <= range.start && range.end <= end;
        let mut fields = blocks.repairs.fields().iter();
        fields.any(|field| is_it(&field.meaning) && here(&field.range))
    };
    let mut leaves = Vec::new();
    for (place, span) in spans.iter().enumerate().filter(|(_, span)| is_block(span)) {
        let below = || spans[place + 1..].iter().take_while(|below| below.depth > span.depth);
        if below().any(is_block)
            || has(span, |meaning| matches!(meaning, FieldMeaning::Count { .. }))
        {
            continue;
        }
        // A span with a length but nothing inside is empty; one without a length is content
        // itself.
        let sized = has(span, |meaning| matches!(meaning, FieldMeaning::Length { .. }));
        let bare = if sized { 0..0 } else { span.range.clone() };
        let content = below().next().map_or(bare, |inside| inside.range.clone());
        leaves.push((span.clone(), content));
    }
    leaves
}

/// Deletes some spans and some parts of contents; the rest must be found again.
///
/// The first box of a file of boxes holds the type of the file, and stays.
fn check(file: &[u8], spans: &[usize], parts: &[(usize, usize, usize)]) {
    let Some(blocks) = binary(file) else { return };
    let leaves_before = leaves(&blocks);
    let mut deleted: Vec<Range<usize>> = Vec::new();
    for &number in spans {
        let first = usize::from(&file[4..8] == b"ftyp") * 2;
        let all = &blocks.outline.spans[first..];
        deleted.push(all[number % all.len()].range.clone());
    }
    for &(leaf, start, length) in parts {
        let Some((span, content)) = leaves_before.get(leaf % leaves_before.len().max(1)) else {
            continue;
        };
        // Half an item is no item.
        if *content != span.range {
            let start = content.start + start % (content.len() + 1);
            deleted.push(start..content.end.min(start + length));
        }
    }
    let gone = |place: &usize| deleted.iter().any(|range| range.contains(place));
    let kept = |range: &Range<usize>| -> Vec<u8> {
        range.clone().filter(|place| !gone(place)).map(|place| file[place]).collect()
    };
    let expected: Vec<Vec<u8>> = leaves_before.iter().map(|(_, content)| kept(content)).collect();
    let repaired = blocks.repairs.repaired(file, &deleted);
    let again = binary(&repaired).unwrap_or_default();
    let found = leaves(&again).into_iter().map(|(_, content)| repaired[content].to_vec());
    let full = |content: &Vec<u8>| !content.is_empty();
    let found: Vec<Vec<u8>> = found.filter(full).collect();
    let expected: Vec<Vec<u8>> = expected.into_iter().filter(full).collect();
    assert_eq!(found, expected, "{} became {}", file.escape_ascii(), repaired.escape_ascii());
    crate::any_bytes::check_shape(&again.outline, repaired.len());
    assert_eq!(sums(&again), sums_left(&blocks, &deleted), "checksums are right again");
}

/// Counts the checksums that are right.
fn sums(blocks: &Blocks) -> usize {
    let is_sum = |meaning: &FieldMeaning| matches!(meaning, FieldMeaning::Checksum { .. });
    blocks.repairs.fields().iter().filter(|field| is_sum(&field.meaning)).count()
}

fn sums_left(blocks: &Blocks, deleted: &[Range<usize>]) -> usize {
    let left = |range: &Range<usize>| !deleted.iter().any(|gone| gone.contains(&range.start));
    let is_left = |meaning: &FieldMeaning, range| {
        matches!(meaning, FieldMeaning::Checksum { .. }) && left(range)
    };
    blocks.repairs.fields().iter().filter(|field| is_left(&field.meaning, &field.range)).count()
}

fn any_content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 1..12),
        1 => prop::collection::vec(any::<u8>(), 120..300),
    ]
}

fn any_chunks() -> impl Strategy<Value = Vec<Chunk>> {
    let leaf = any_content().prop_map(|data| Chunk::Data(b"data", data));
    let chunk = leaf
        .prop_recursive(3, 12, 4, |inner| prop::collection::vec(inner, 1..4).prop_map(Chunk::List));
    prop::collection::vec(chunk, 1..5)
}

fn any_spans() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..4)
}

fn any_parts() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((any::<usize>(), any::<usize>(), 0usize..200), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_picture_has_the_chunks_that_were_kept(
        contents in prop::collection::vec(any_content(), 1..6),
        spans in any_spans(),
        parts in any_parts(),
    ) {
        let chunks: Vec<(&[u8; 4], Vec<u8>)> =
            contents.into_iter().map(|content| (b"IDAT", content)).collect();
        check(&files::png(&chunks), &spans, &parts);
    }

    #[test]
    fn lists_have_the_chunks_that_were_kept(
        chunks in any_chunks(),
        spans in any_spans(),
        parts in any_parts(),
    ) {
        check(&files::riff(&chunks), &spans, &parts);
    }

    #[test]
    fn boxes_have_the_boxes_that_were_kept(
        boxes in any_chunks(),
        spans in any_spans(),
        parts in any_parts(),
    ) {
        check(&files::mp4(&boxes), &spans, &parts);
    }

    #[test]
    fn modules_have_the_items_that_were_kept(
        bodies in prop::collection::vec(any_content(), 1..5),
        custom in prop::collection::vec(any_content(), 0..3),
        spans in any_spans(),
        parts in any_parts(),
    ) {
        check(&files::wasm(&bodies, &custom), &spans, &parts);
    }
}
