//! Binary data in a patch, as `git diff --binary` writes it: compressed, in letters, whole.
//!
//! Git applies it only if the names of both objects are given, and the old one is that of the
//! present content.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::MalformedPatch;

/// The digits of git's base 85.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Bytes in one line, as git has it; the first letter of a line is their number.
const BYTES_IN_LINE: usize = 52;

/// The name of no object.
pub(super) const NOTHING: &str = "0000000000000000000000000000000000000000";

/// Returns the name that git gives to a content; none if it would refuse to.
pub(super) fn object_name(content: &[u8]) -> Option<String> {
    let object = [format!("blob {}\0", content.len()).as_bytes(), content].concat();
    sha1dc::digest(&object).ok().map(|digest| format!("{digest:x}"))
}

/// Writes what there is after and, for the way back, what there was before.
pub(super) fn write(out: &mut Vec<u8>, before: &[u8], after: &[u8]) {
    out.extend_from_slice(b"GIT binary patch\n");
    for content in [after, before] {
        out.extend_from_slice(format!("literal {}\n", content.len()).as_bytes());
        for bytes in deflated(content).chunks(BYTES_IN_LINE) {
            let length = bytes.len() as u8;
            out.push(if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 });
            bytes.chunks(4).for_each(|group| encode(out, group));
            out.push(b'\n');
        }
        out.push(b'\n');
    }
}

/// Reads the first content from the lines after the heading.
pub(super) fn read<'a>(
    lines: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<u8>, MalformedPatch> {
    let head = lines.next().and_then(|line| line.strip_prefix(b"literal "));
    let length = head.and_then(|head| std::str::from_utf8(head).ok()?.trim().parse().ok());
    let length: usize = length.ok_or(MalformedPatch)?;
    let mut packed = Vec::new();
    for line in lines.map(<[u8]>::trim_ascii_end).take_while(|line| !line.is_empty()) {
        let (first, letters) = line.split_first().ok_or(MalformedPatch)?;
        let count = match first {
            b'A'..=b'Z' => first - b'A' + 1,
            b'a'..=b'z' => first - b'a' + 27,
            _ => return Err(MalformedPatch),
        };
        let mut bytes = Vec::new();
        for group in letters.chunks(5) {
            bytes.extend(decode(group).ok_or(MalformedPatch)?);
        }
        packed.extend_from_slice(bytes.get(..count.into()).ok_or(MalformedPatch)?);
    }
    let mut content = Vec::new();
    // One more byte is read to recognise a content that is too long.
    let most = (length as u64).saturating_add(1);
    ZlibDecoder::new(&packed[..])
        .take(most)
        .read_to_end(&mut content)
        .map_err(|_| MalformedPatch)?;
    if content.len() == length { Ok(content) } else { Err(MalformedPatch) }
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

/// Writes up to four bytes as five letters.
fn encode(out: &mut Vec<u8>, group: &[u8]) {
    let mut bytes = [0; 4];
    bytes[..group.len()].copy_from_slice(group);
    let mut number = u32::from_be_bytes(bytes);
    let mut letters = [0; 5];
    for letter in letters.iter_mut().rev() {
        *letter = DIGITS[(number % 85) as usize];
        number /= 85;
    }
    out.extend_from_slice(&letters);
}

fn decode(letters: &[u8]) -> Option<[u8; 4]> {
    let mut number: u32 = 0;
    for letter in letters {
        let digit = DIGITS.iter().position(|it| it == letter)?;
        number = number.checked_mul(85)?.checked_add(digit as u32)?;
    }
    (letters.len() == 5).then(|| number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_the_names_that_git_gives_them() {
        assert_eq!(object_name(b"").unwrap(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    }

    #[test]
    fn what_is_written_is_read_back() {
        for length in [0, 1, 3, 4, 5, 52, 53, 1000] {
            let content: Vec<u8> = (0..length).map(|it: u32| ((it * 7919) >> 3) as u8).collect();
            let mut text = Vec::new();
            write(&mut text, b"before", &content);
            let mut lines = text.split_inclusive(|&byte| byte == b'\n').skip(1);
            assert_eq!(read(&mut lines).ok(), Some(content), "{length}");
        }
    }
}
