//! `whodunit reduce` on formats: data, scripts in pages, tables, and texts that are recognised only
//! by their looks. Cases with a more complex oracle are in `crates/whodunit/tests/formats.rs`.

#![allow(clippy::unwrap_used)] // helpers of tests

mod support;

use support::World;

/// Reduces `bytes` with a script that exits with 0 for the wanted candidates, and returns the
/// result.
fn check_left(name: &str, bytes: impl AsRef<[u8]>, script: &str) -> Vec<u8> {
    let world = World::new();
    world.write(name, bytes);
    world.script("test.sh", script);
    let ran = world.line(&format!("reduce {name} --test ./test.sh -o left"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    world.read("left")
}

#[test]
fn bytes_that_need_not_say_anything_become_zeros() {
    // Sixteen bytes are needed, and the third has to be a `K`.
    let script = "[ $(wc -c < in.bin) -ge 16 ] && LC_ALL=C grep -qaP '^..K' in.bin";
    let left = check_left("in.bin", b"abKdefgh\0\x01\x02\x03\x04klmnopqrs", script);
    assert_eq!(
        left.escape_ascii().to_string(),
        b"\0\0K\0\0\0\0\0\0\0\0\0\0\0\0\0".escape_ascii().to_string()
    );
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
