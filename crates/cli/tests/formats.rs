//! `whodunit reduce` on formats: containers with lengths and checksums, texts inside texts, tables,
//! and texts of which nothing is known but their looks.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use std::process::Command;

use support::{World, needs};

/// Reduces `bytes` with a script that exits with 0 for what is wanted, and returns what is left.
fn check_left(name: &str, bytes: impl AsRef<[u8]>, script: &str) -> Vec<u8> {
    let world = World::new();
    world.write(name, bytes);
    world.script("test.sh", script);
    let ran = world.line(&format!("reduce {name} --test ./test.sh -o left"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world.read("left")
}

fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").output();
    needs("python3", version.is_ok_and(|output| output.status.success()))
}

/// Returns a script in Python whose `check` gets the content as `data`.
fn python(name: &str, check: &str) -> String {
    format!(
        "exec python3 -IS - <<'END'\nimport sys\ndata = open('{name}', 'rb').read()\n{check}\nEND"
    )
}

/// Returns a chunk as PNG has them.
fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
    let named = [name.as_bytes(), data].concat();
    let mut sum = u32::MAX;
    for &byte in &named {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    let length = u32::try_from(data.len()).unwrap();
    [&length.to_be_bytes()[..], &named, &(!sum).to_be_bytes()].concat()
}

#[test]
fn chunks_go_and_lengths_and_checksums_stay_right() {
    if !has_python() {
        return;
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.extend(chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
    for text in 0..6 {
        png.extend(chunk("tEXt", format!("Comment\0number {text} of many").as_bytes()));
    }
    png.extend(chunk("zTXt", b"dull, then the needle, more"));
    png.extend(chunk("IEND", b""));
    let script = python(
        "in.png",
        "
import struct, zlib
at, names, needle = 8, [], False
while at < len(data):
    length, name = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if data[at + 8 + length:at + 12 + length] != struct.pack('>I', zlib.crc32(name + body)):
        sys.exit(1)
    needle |= name == b'zTXt' and b'needle' in body
    names.append(name)
    at += 12 + length
sys.exit(not (data[:4] == b'\\x89PNG' and needle and names[-1] == b'IEND'))",
    );
    let left = check_left("in.png", &png, &script);
    let expected =
        [b"\x89PNG\0\0\0\0", &chunk("zTXt", b"needle")[..], &chunk("IEND", b"")].concat();
    assert_eq!(left, expected, "{}", left.escape_ascii());
}

#[test]
fn a_list_of_chunks_keeps_the_length_of_the_whole() {
    if !has_python() {
        return;
    }
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
    let script = python(
        "in.wav",
        "
import struct
if data[:4] != b'RIFF' or struct.unpack('<I', data[4:8])[0] != len(data) - 8:
    sys.exit(1)
at, needle = 12, False
while at < len(data):
    length = struct.unpack('<I', data[at + 4:at + 8])[0]
    needle |= b'needle' in data[at + 8:at + 8 + length]
    at += 8 + length + length % 2
sys.exit(not (needle and at == len(data)))",
    );
    let left = check_left("in.wav", riff, &script);
    let shortest = b"RIFF\x12\0\0\0\0\0\0\0\0\0\0\0\x06\0\0\0needle";
    assert_eq!(left.escape_ascii().to_string(), shortest.escape_ascii().to_string());
}

#[test]
fn bytes_that_need_not_say_anything_become_zeros() {
    // Sixteen bytes are needed, of which the third says something.
    let script = "[ $(wc -c < in.bin) -ge 16 ] && LC_ALL=C grep -qaP '^..K' in.bin";
    let left = check_left("in.bin", b"abKdefgh\0\x01\x02\x03\x04klmnopqrs", script);
    assert_eq!(
        left.escape_ascii().to_string(),
        b"\0\0K\0\0\0\0\0\0\0\0\0\0\0\0\0".escape_ascii().to_string()
    );
}

#[test]
fn json_in_a_string_of_json_is_reduced_as_json() {
    if !has_python() {
        return;
    }
    let items: Vec<String> =
        (0..4).map(|number| format!(r#"{{\"id\": {number}, \"tags\": [\"a\", \"b\"]}}"#)).collect();
    let inner = format!(r#"{{\"items\": [{}], \"state\": \"broken\"}}"#, items.join(", "));
    let text = format!(r#"{{"version": 3, "payload": "{inner}", "rest": [1, 2, 3]}}"#);
    let script = python(
        "in.json",
        "
import json
try:
    payload = json.loads(json.loads(data)['payload'])
    sys.exit(not (any('tags' in item for item in list(payload['items']) if isinstance(item, dict))))
except (ValueError, KeyError, TypeError):
    sys.exit(1)",
    );
    let left = String::from_utf8(check_left("in.json", text, &script)).unwrap();
    assert_eq!(left, r#"{"payload":"{\"items\":[{\"tags\":0}]}"}"#);
}

#[test]
fn base64_is_opened() {
    if !has_python() {
        return;
    }
    // "one two three four five needle six seven eight nine ten", in base64.
    let disguised = "b25lIHR3byB0aHJlZSBmb3VyIGZpdmUgbmVlZGxlIHNpeCBzZXZlbiBlaWdodCBuaW5lIHRlbg==";
    let text = format!("Subject: hello\nContent: {disguised}\nEnd: yes\n");
    let script = python(
        "in.txt",
        "
from binascii import a2b_base64
def opened(word):
    try:
        return a2b_base64(word, strict_mode=True)
    except ValueError:
        return b''
sys.exit(not any(b'needle' in opened(word) for word in data.split()))",
    );
    let left = String::from_utf8(check_left("in.txt", text, &script)).unwrap();
    assert_eq!(left, "bmVlZGxl");
}

#[test]
fn a_script_in_a_page_is_reduced_as_what_it_is() {
    let lines: String = (0..40)
        .map(|number| format!("  function f{number}(a) {{ return a + {number}; }}\n"))
        .collect();
    let text = format!(
        "<html><head><title>x</title><script>\n{lines}  start();\n  crash(1, 2);\n</script></head>\
         <body><p>text</p></body></html>\n"
    );
    let script = "grep -q '<script>' in.html && grep -q '</script>' in.html && \
                  [ $(tr -cd '{' < in.html | wc -c) = $(tr -cd '}' < in.html | wc -c) ] && \
                  grep -q 'crash(.*)' in.html";
    let left = String::from_utf8(check_left("in.html", text, script)).unwrap();
    assert_eq!(left, "<script>crash()</script>");
}

#[test]
fn columns_that_nobody_needs_go_from_all_rows() {
    let mut text = String::from("id,name,price,stock,note\n");
    for row in 0..30 {
        text += &format!("{row},item {row},{}.5,{},none\n", row * 3, row % 5);
    }
    // All rows must have the same number of cells, and there must be ten of them with prices.
    let script = "awk -F, 'NR==1{n=NF;for(i=1;i<=NF;i++)if($i==\"price\")c=i} NF!=n{exit 1} \
                  NR>1&&c&&$c~/^[0-9]+[.]5$/{m++} END{exit !(c&&m>=10)}' in.csv";
    let left = String::from_utf8(check_left("in.csv", text, script)).unwrap();
    let lines: Vec<&str> = left.lines().collect();
    assert_eq!(lines.len(), 11, "{left}");
    assert_eq!(lines[0], "price");
    assert!(!left.contains(','), "{left}");
}

#[test]
fn nested_blocks_of_an_unknown_format_go_whole() {
    let mut text = String::new();
    for outer in 0..12 {
        text += &format!("section{outer} {{\n");
        for inner in 0..12 {
            let value = if (outer, inner) == (7, 5) { "fatal" } else { "fine" };
            text += &format!("  entry{inner} {{\n    value = {value};\n  }}\n");
        }
        text += "}\n";
    }
    let world = World::new();
    world.write("in.conf", text);
    let balanced = "[ $(tr -cd '{' < in.conf | wc -c) = $(tr -cd '}' < in.conf | wc -c) ]";
    world.script(
        "test.sh",
        &format!("{balanced} && grep -q '^section7 {{$' in.conf && grep -q fatal in.conf"),
    );
    let ran = world.line("reduce in.conf --test ./test.sh -j1 --max-tests 150 -o left");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(world.text("left"), "section7 {\nfatal}");
}
