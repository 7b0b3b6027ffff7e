//! Properties that hold for any bytes.

use std::ops::Range;

use proptest::prelude::*;
use whodunit_syntax::outline::{Outline, binary, nested, table, text};

use crate::files;

/// Checks that spans are nested, in bounds and in order.
#[track_caller]
pub(crate) fn check_shape(outline: &Outline, length: usize) {
    let mut open: Vec<Range<usize>> = Vec::new();
    for span in &outline.spans {
        let range = span.range.clone();
        assert!(!range.is_empty() && range.end <= length, "{range:?} of {length}");
        // Spans deeper than this one are over; the remaining ones are around it.
        let closed = open.split_off(span.depth as usize);
        assert_eq!(open.len(), span.depth as usize, "{range:?} has no parent");
        assert!(closed.iter().all(|closed| closed.end <= range.start), "{range:?} {closed:?}");
        if let Some(parent) = open.last() {
            assert!(parent.start <= range.start && range.end <= parent.end, "{range:?}");
            assert_ne!(*parent, range);
        }
        open.push(range);
    }
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let marks = prop::sample::select(&b"(){}[]<>\"'`\\\n\n\n  \t,;|=%2FaA+/"[..]);
    prop::collection::vec(prop_oneof![9 => marks, 1 => any::<u8>()], 0..200)
}

/// Bytes with many small numbers, so that some are lengths.
fn any_data() -> impl Strategy<Value = Vec<u8>> {
    let byte = || prop_oneof![3 => 0u8..6, 1 => any::<u8>()];
    let magic = prop::sample::select(files::magics());
    let bytes = prop::collection::vec(byte(), 0..120);
    (magic, bytes).prop_map(|(magic, bytes)| [magic, bytes].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn text_has_a_sound_outline(bytes in any_text()) {
        check_shape(&text(&bytes), bytes.len());
        if let Some(table) = table(&bytes) {
            for column in (0..table.width).map(|column| table.without(&[column])) {
                prop_assert!(column.windows(2).all(|pair| pair[0].end <= pair[1].start));
                prop_assert!(column.iter().all(|cell| cell.end <= bytes.len()));
            }
        }
    }

    #[test]
    fn what_is_nested_can_be_put_back(bytes in any_text()) {
        let mut end = 0;
        for found in nested(&bytes) {
            prop_assert!(end <= found.range.start);
            end = found.range.end;
            let piece = &bytes[found.range];
            let data = found.format.decode(piece).unwrap();
            prop_assert_eq!(found.format.encode(&data).unwrap(), piece);
        }
    }

    #[test]
    fn data_has_a_sound_outline(bytes in any_data()) {
        if let Some(blocks) = binary(&bytes) {
            check_shape(&blocks.outline, bytes.len());
            for field in blocks.repairs.fields() {
                prop_assert!(field.range.start <= field.range.end);
                prop_assert!(field.range.end <= bytes.len());
            }
            prop_assert_eq!(blocks.repairs.repaired(&bytes, &[]), bytes);
        }
    }

    #[test]
    fn any_deletion_can_be_repaired_somehow(
        bytes in any_data(),
        places in prop::collection::vec((0usize..130, 0usize..20), 0..4),
    ) {
        let deleted: Vec<Range<usize>> =
            places.into_iter().map(|(start, length)| start..start + length).collect();
        if let Some(blocks) = binary(&bytes) {
            let after = blocks.repairs.after(&bytes, &deleted);
            prop_assert!(after.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
            prop_assert!(blocks.repairs.repaired(&bytes, &deleted).len() <= bytes.len());
        }
    }
}

/// Lines with no end, brackets without partner, nesting without bottom: all at once and much of it.
#[test]
fn long_lines_take_no_long_time() {
    let long = 1 << 17;
    let texts: [Vec<u8>; 9] = [
        [b"\"".to_vec(), b"\\\"".repeat(long / 2), b"\"".to_vec()].concat(),
        b"(".repeat(long),
        [b"(".repeat(long / 2), b")".repeat(long / 2)].concat(),
        b"([".repeat(long / 2),
        b"(]".repeat(long / 2),
        b"'\"`\\".repeat(long / 4),
        b"\n".repeat(long),
        b"a\n".repeat(long / 2),
        b"a,".repeat(long / 2),
    ];
    for bytes in texts {
        check_shape(&text(&bytes), bytes.len());
        assert!(nested(&bytes).is_empty());
        assert_eq!(table(&bytes), None);
    }
    for byte in [0, 1, 2, 10, 0x80, 0xff] {
        let bytes = vec![byte; long];
        if let Some(blocks) = binary(&bytes) {
            check_shape(&blocks.outline, bytes.len());
        }
    }
}
