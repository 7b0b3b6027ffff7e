//! Formats with functions as oracles: containers with lengths and checksums, texts inside texts.

#![allow(clippy::unwrap_used)] // a failure of the machinery fails the test

mod support;

use serde_json::Value;
use support::reduce;

/// Reduces `bytes` while they `fail`, and checks the result.
fn check(name: &str, bytes: &[u8], fails: impl Fn(&[u8]) -> bool + Sync, left: &[u8]) {
    let (found, _) = reduce(name, bytes, fails);
    assert_eq!(found.escape_ascii().to_string(), left.escape_ascii().to_string());
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Removes a number of four bytes from the front.
fn number(bytes: &mut &[u8], from: fn([u8; 4]) -> u32) -> Option<u32> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(from(*first))
}

/// Removes `count` bytes from the front.
fn take<'a>(bytes: &mut &'a [u8], count: u32) -> Option<&'a [u8]> {
    let (first, rest) = bytes.split_at_checked(count as usize)?;
    *bytes = rest;
    Some(first)
}

/// Returns a chunk as PNG has them.
fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    let named = [name.as_bytes(), data].concat();
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &named, &checksum(&named).to_be_bytes()].concat()
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// Returns the names and contents of the chunks of a PNG, if all checksums are right.
fn chunks(png: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut rest = png.strip_prefix(b"\x89PNG")?.get(4..)?;
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let length = number(&mut rest, u32::from_be_bytes)?;
        let mut named = take(&mut rest, length.checked_add(4)?)?;
        if number(&mut rest, u32::from_be_bytes)? != checksum(named) {
            return None;
        }
        chunks.push((take(&mut named, 4)?, named));
    }
    Some(chunks)
}

#[test]
fn chunks_go_and_lengths_and_checksums_stay_right() {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.extend(chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
    for text in 0..6 {
        png.extend(chunk("tEXt", format!("Comment\0number {text} of many").as_bytes()));
    }
    png.extend(chunk("zTXt", b"dull, then the needle, more"));
    png.extend(chunk("IEND", b""));
    let fails = |png: &[u8]| {
        let chunks = chunks(png).unwrap_or_default();
        let ends = chunks.last().is_some_and(|(name, _)| *name == b"IEND");
        ends && chunks.iter().any(|(name, data)| *name == b"zTXt" && contains(data, b"needle"))
    };
    let left = [b"\x89PNG\0\0\0\0", &chunk("zTXt", b"needle")[..], &chunk("IEND", b"")].concat();
    check("in.png", &png, fails, &left);
}

/// Returns the contents of the chunks of a RIFF file, if all lengths are right.
fn riff_chunks(riff: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = riff.strip_prefix(b"RIFF")?;
    if number(&mut rest, u32::from_le_bytes)? as usize != rest.len() {
        return None;
    }
    let mut chunks = Vec::new();
    take(&mut rest, 4)?;
    while !rest.is_empty() {
        take(&mut rest, 4)?;
        let length = number(&mut rest, u32::from_le_bytes)?;
        chunks.push(take(&mut rest, length)?);
        take(&mut rest, length % 2)?;
    }
    Some(chunks)
}

#[test]
fn a_list_of_chunks_keeps_the_length_of_the_whole() {
    let mut body = b"WAVE".to_vec();
    for number in 0..6_u32 {
        let data =
            if number == 3 { "our needle!".into() } else { format!("number {number}, dull") };
        body.extend(b"note");
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data.as_bytes());
        body.resize(body.len().next_multiple_of(2), 0);
    }
    let riff = [b"RIFF", &u32::try_from(body.len()).unwrap().to_le_bytes()[..], &body].concat();
    let fails = |riff: &[u8]| {
        riff_chunks(riff).unwrap_or_default().iter().any(|data| contains(data, b"needle"))
    };
    check("in.wav", &riff, fails, b"RIFF\x12\0\0\0\0\0\0\0\0\0\0\0\x06\0\0\0needle");
}

#[test]
fn json_in_a_string_of_json_is_reduced_as_json() {
    let items: Vec<String> =
        (0..4).map(|number| format!(r#"{{\"id\": {number}, \"tags\": [\"a\", \"b\"]}}"#)).collect();
    let inner = format!(r#"{{\"items\": [{}], \"state\": \"broken\"}}"#, items.join(", "));
    let text = format!(r#"{{"version": 3, "payload": "{inner}", "rest": [1, 2, 3]}}"#);
    let fails = |text: &[u8]| {
        let outer: Value = serde_json::from_slice(text).unwrap_or_default();
        let inner = outer["payload"].as_str().unwrap_or_default();
        let inner: Value = serde_json::from_str(inner).unwrap_or_default();
        let items = inner["items"].as_array();
        items.is_some_and(|items| items.iter().any(|item| item.get("tags").is_some()))
    };
    let left = br#"{"payload":"{\"items\":[{\"tags\":0}]}"}"#;
    check("in.json", text.as_bytes(), fails, left);
}

/// Returns the text of a word in base64, if it is well formed.
fn opened(word: &[u8]) -> Option<Vec<u8>> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let padding = word.iter().rev().take_while(|sign| **sign == b'=').count();
    if !word.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let (mut said, mut bits) = (Vec::new(), 0_u32);
    for (place, sign) in word[..word.len() - padding].iter().enumerate() {
        let value = SIGNS.iter().position(|known| known == sign)?;
        bits = bits << 6 | u32::try_from(value).ok()?;
        // The first of four signs completes no byte.
        if place % 4 != 0 {
            said.push((bits >> (6 - 2 * (place % 4))) as u8);
        }
    }
    Some(said)
}

#[test]
fn base64_is_opened() {
    // "one two three four five needle six seven eight nine ten", in base64.
    let disguised = "b25lIHR3byB0aHJlZSBmb3VyIGZpdmUgbmVlZGxlIHNpeCBzZXZlbiBlaWdodCBuaW5lIHRlbg==";
    let text = format!("Subject: hello\nContent: {disguised}\nEnd: yes\n");
    let fails = |text: &[u8]| {
        text.split(u8::is_ascii_whitespace)
            .any(|word| opened(word).is_some_and(|said| contains(&said, b"needle")))
    };
    check("in.txt", text.as_bytes(), fails, b"bmVlZGxl");
}
