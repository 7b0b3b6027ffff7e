//! Each format once, by hand.

use whodunit_syntax::outline::{Blocks, What, binary};

use crate::files::{self, Chunk};

/// Draws blocks, one a line.
fn drawing(bytes: &[u8], blocks: &Blocks) -> String {
    let spans = blocks.outline.spans.iter();
    spans
        .map(|span| {
            let text = bytes[span.range.clone()].escape_ascii().to_string();
            format!("{:2$}{:?} {text}\n", "", span.what, span.depth as usize)
        })
        .collect()
}

#[track_caller]
fn check(bytes: &[u8], expected: &str) {
    let drawn = drawing(bytes, &binary(bytes).expect("there are blocks"));
    assert_eq!(drawn, expected, "\n{drawn}");
}

#[test]
fn chunks_of_a_picture_are_found() {
    let file = files::png(&[(b"IHDR", vec![1, 2]), (b"IEND", vec![])]);
    check(
        &file,
        r"Chunk \x00\x00\x00\x02IHDR\x01\x02}M\x8cV
 Inside \x01\x02
Chunk \x00\x00\x00\x00IEND\xaeB`\x82
",
    );
    assert_eq!(binary(&file).unwrap().repairs.fields().len(), 4);
}

#[test]
fn a_wrong_checksum_is_left_alone() {
    let mut file = files::png(&[(b"IHDR", vec![1, 2])]);
    *file.last_mut().unwrap() ^= 1;
    let blocks = binary(&file).unwrap();
    let repaired = blocks.repairs.repaired(&file, &[16..17]);
    assert_eq!(repaired[repaired.len() - 4..], file[file.len() - 4..]);
}

#[test]
fn a_cut_off_file_has_the_blocks_before_the_cut() {
    let file = files::png(&[(b"IHDR", vec![1, 2]), (b"IDAT", vec![0; 40])]);
    let spans = binary(&file[..file.len() - 10]).unwrap().outline.spans;
    assert_eq!(spans.len(), 2);
}

#[test]
fn lists_of_chunks_are_nested() {
    let list = Chunk::List(vec![Chunk::Data(b"INAM", b"abc".to_vec())]);
    check(
        &files::riff(&[Chunk::Data(b"fmt ", vec![1, 2]), list]),
        r"Chunk RIFF&\x00\x00\x00WAVEfmt \x02\x00\x00\x00\x01\x02LIST\x10\x00\x00\x00WAVEINAM\x03\x00\x00\x00abc\x00
 Inside fmt \x02\x00\x00\x00\x01\x02LIST\x10\x00\x00\x00WAVEINAM\x03\x00\x00\x00abc\x00
  Chunk fmt \x02\x00\x00\x00\x01\x02
   Inside \x01\x02
  Chunk LIST\x10\x00\x00\x00WAVEINAM\x03\x00\x00\x00abc\x00
   Chunk INAM\x03\x00\x00\x00abc\x00
    Inside abc
",
    );
}

#[test]
fn boxes_are_nested() {
    let inner = Chunk::Data(b"free", vec![7]);
    check(
        &files::mp4(&[Chunk::Data(b"mdat", vec![9]), Chunk::List(vec![inner])]),
        r"Chunk \x00\x00\x00\x0cftypisom
 Inside isom
Chunk \x00\x00\x00\tmdat\t
 Inside \t
Chunk \x00\x00\x00\x01moov\x00\x00\x00\x00\x00\x00\x00%\x00\x00\x00\x0cftypisom\x00\x00\x00\tfree\x07
 Inside \x00\x00\x00\x0cftypisom\x00\x00\x00\tfree\x07
  Chunk \x00\x00\x00\x0cftypisom
   Inside isom
  Chunk \x00\x00\x00\tfree\x07
   Inside \x07
",
    );
}

#[test]
fn modules_have_sections_and_items() {
    let file = files::wasm(&[vec![0, 0x0b], vec![0, 1, 0x0b]], &[b"\x01nx".to_vec()]);
    check(
        &file,
        r"Chunk \x01\x07\x01`\x02\x7f\x7f\x01\x7f
 Inside \x01`\x02\x7f\x7f\x01\x7f
  Item `\x02\x7f\x7f\x01\x7f
Chunk \x03\x03\x02\x00\x00
 Inside \x02\x00\x00
  Item \x00
  Item \x00
Chunk \x07\x05\x01\x01f\x00\x00
 Inside \x01\x01f\x00\x00
  Item \x01f\x00\x00
Chunk \n\x08\x02\x02\x00\x0b\x03\x00\x01\x0b
 Inside \x02\x02\x00\x0b\x03\x00\x01\x0b
  Item \x02\x00\x0b
   Inside \x00\x0b
  Item \x03\x00\x01\x0b
   Inside \x00\x01\x0b
Chunk \x00\x03\x01nx
 Inside \x01nx
",
    );
    let blocks = binary(&file).unwrap();
    let repaired = blocks.repairs.repaired(&file, &blocks.together[0]);
    assert_eq!(repaired, files::wasm(&[vec![0, 1, 0x0b]], &[b"\x01nx".to_vec()]));
}

#[test]
fn a_file_leaves_an_archive_with_its_entry() {
    let all = [("a", &b"first"[..]), ("bb", b"\0second"), ("c", b"")];
    let file = files::zip(&all);
    let blocks = binary(&file).unwrap();
    assert_eq!(blocks.together.len(), 3);
    for number in 0..3 {
        let mut left = all.to_vec();
        left.remove(number);
        let repaired = blocks.repairs.repaired(&file, &blocks.together[number]);
        assert_eq!(repaired, files::zip(&left));
    }
    let two = [blocks.together[0].clone(), blocks.together[1].clone()].concat();
    assert_eq!(blocks.repairs.repaired(&file, &two), files::zip(&all[2..]));
    let first = blocks.outline.spans.iter().find(|span| span.what == What::Inside).unwrap();
    let start = first.range.start;
    let shorter = files::zip(&[("a", b"fit"), ("bb", b"\0second"), ("c", b"")]);
    assert_eq!(blocks.repairs.repaired(&file, &[start + 2..start + 4]), shorter);
}

#[test]
fn messages_are_found_in_messages() {
    let file = b"\x08\x01\x12\x07\x0a\x05hello\x1d\0\0\0\0\x12\x02ab";
    check(
        file,
        r"Chunk \x08\x01
Chunk \x12\x07\n\x05hello
 Chunk \n\x05hello
  Inside hello
Chunk \x1d\x00\x00\x00\x00
Chunk \x12\x02ab
 Inside ab
",
    );
}

#[test]
fn a_length_of_two_bytes_shrinks_to_one_and_the_outer_follows() {
    let inner = [&b"\x0a"[..], &files::leb128(200), &[3; 200]].concat();
    let file = [&b"\x08\x01\x10\x02\x1a"[..], &files::leb128(inner.len()), &inner].concat();
    let blocks = binary(&file).unwrap();
    let repaired = blocks.repairs.repaired(&file, &[20..file.len()]);
    let kept = 20 - (file.len() - 200);
    let inner = [&[b'\n', kept as u8], &vec![3; kept][..]].concat();
    assert_eq!(repaired, [&b"\x08\x01\x10\x02\x1a"[..], &[inner.len() as u8], &inner].concat());
}

#[test]
fn lengths_are_guessed() {
    check(
        b"\0\x03abc\0\x01d\0\x02ef",
        r"Chunk \x00\x03abc
 Inside abc
Chunk \x00\x01d
 Inside d
Chunk \x00\x02ef
 Inside ef
",
    );
    for bytes in [
        &b"\x03abc\x01d\x02ef"[..],
        b"\x03\0abc\x01\0d\x02\0ef",
        b"\0\0\0\x03abc\0\0\0\x01d\0\0\0\x02ef",
        b"\x03\0\0\0abc\x01\0\0\0d\x02\0\0\0ef",
        b"MAGI\0\x03abc\0\x01d\0\x02ef",
        b"A\x03\0\0\0abcB\x01\0\0\0dA\x02\0\0\0ef",
    ] {
        let blocks = binary(bytes).expect("there are blocks");
        let chunks: Vec<_> =
            blocks.outline.spans.iter().filter(|span| span.what == What::Chunk).collect();
        assert_eq!(chunks.len(), 3, "{}", drawing(bytes, &blocks));
        let repaired =
            blocks.repairs.repaired(bytes, &[chunks[0].range.end - 1..chunks[0].range.end]);
        assert_eq!(binary(&repaired).expect("there still are").outline.spans.len(), 6);
    }
}

#[test]
fn text_and_noise_have_no_blocks() {
    assert_eq!(binary(b""), None);
    assert_eq!(binary(b"a text like any other\n"), None);
    assert_eq!(binary(&[0; 100]), None);
    assert_eq!(binary(b"\xff\xfe\xfd\xfc\x00\xfb\xfa\xf9\xf8\xf7"), None);
}
