//! Large files that parse.

use std::fmt::Write;

use whodunit_test_support::Random;

/// The text in each needed line, and in no other.
pub(super) const NEEDED: &str = "needed";

/// One in this many functions or records has a needed line, if many are needed.
const APART: usize = 20;

/// The language of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    C,
    Json,
}

/// The number of needed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    One,
    Many,
}

impl Kind {
    /// Returns the ending of its file names.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Kind::C => "c",
            Kind::Json => "json",
        }
    }

    /// Returns a text of about `bytes` bytes.
    pub(super) fn text(self, bytes: usize, needed: Needed) -> String {
        let mut random = Random::new(bytes as u64);
        let mut text = String::with_capacity(bytes + 1000);
        let mut one_is_there = false;
        text.push_str(self.opening());
        for place in 0.. {
            let is_needed = match needed {
                Needed::One => !one_is_there && text.len() > bytes * 2 / 3,
                Needed::Many => place % APART == APART / 2,
            };
            one_is_there |= is_needed;
            match self {
                Kind::C => function(&mut text, place, is_needed, &mut random),
                Kind::Json => record(&mut text, place, is_needed, &mut random),
            }
            if text.len() > bytes {
                break;
            }
        }
        text.push_str(self.closing());
        text
    }

    fn opening(self) -> &'static str {
        match self {
            Kind::C => "#include <stdio.h>\n\nstatic int log_of(int, const char *);\n\n",
            Kind::Json => "{\n  \"version\": 3,\n  \"records\": [\n",
        }
    }

    fn closing(self) -> &'static str {
        match self {
            Kind::C => "int main(void) {\n    return 0;\n}\n",
            Kind::Json => "    {}\n  ]\n}\n",
        }
    }
}

fn function(text: &mut String, place: usize, is_needed: bool, random: &mut Random) {
    let _ = writeln!(text, "/* Computes the value of case {place}. */");
    let _ = writeln!(text, "static int compute_{place}(int first, int second) {{");
    let _ = writeln!(text, "    int values[{}], total = {};", 2 + place % 9, random.below(1000));
    for line in 0..4 + random.below(12) {
        let number = random.below(97);
        let _ = match random.below(6) {
            0 => writeln!(
                text,
                "    if (first > {number} && second != {line}) {{\n        total += values[{line}] \
                 * (first - {number});\n    }} else {{\n        total--;\n    }}"
            ),
            1 => writeln!(
                text,
                "    for (int i = 0; i < {number}; i++) {{\n        values[i % 2] = i * second + \
                 total;\n    }}"
            ),
            2 => writeln!(text, "    total += log_of(first + {number}, \"step {line}\\n\");"),
            3 => writeln!(text, "    values[{line}] = (second << 2) ^ {number}; // mixed"),
            4 => writeln!(text, "    while (total > {number} * second) total -= first;"),
            _ => writeln!(text, "    first = second ? {number} : total / (first + 1);"),
        };
    }
    if is_needed {
        let _ = writeln!(text, "    total = {NEEDED}(total);");
    }
    text.push_str("    return total;\n}\n\n");
}

fn record(text: &mut String, place: usize, is_needed: bool, random: &mut Random) {
    let (size, price, owner) = (random.below(5000), random.below(100), random.below(40));
    let flag = if is_needed { NEEDED } else { "usual" };
    let _ = writeln!(
        text,
        "    {{\"id\": {place}, \"name\": \"record {place}\", \"size\": {size}, \"price\": \
         {price}.50, \"tags\": [\"a{owner}\", \"b\", null], \"owner\": {{\"id\": {owner}, \
         \"active\": true}}, \"kind\": \"{flag}\"}},"
    );
}
