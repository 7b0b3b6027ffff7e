//! Two versions of a made-up program in Java, the same on every machine.

use std::fmt::{self, Write};

use whodunit_jobs::versions::{Content, Entry, EntryKind, TreePath, Version};

use whodunit_test_support::Random;

const CLASSES: u32 = 500;
const METHODS: u32 = 22;
/// The percentage of the methods of a class that are changed.
const CHANGED: u32 = 10;
/// Classes of one family extend the first of them.
const FAMILY: u32 = 10;
const TESTS: u32 = 50;

/// The test whose changes are searched.
pub(super) const TEST: &str = "Test7.testIt";

/// A program in two versions.
pub(super) struct Program {
    pub(super) good: Version,
    pub(super) bad: Version,
    pub(super) tests: u32,
    lines: usize,
    changed: u32,
}

impl Program {
    pub(super) fn generate() -> Self {
        let mut random = Random::new(6);
        let (mut good, mut bad) = (Version::new(), Version::new());
        let (mut lines, mut changed) = (0, 0);
        for class in 0..CLASSES {
            let path = TreePath::from(format!("src/C{class}.java").as_str());
            let (old, new) = texts(class, &mut random);
            lines += new.lines().count();
            changed += CHANGED;
            good.insert(path.clone(), entry(&old));
            bad.insert(path, entry(&new));
        }
        for test in 0..TESTS {
            let path = TreePath::from(format!("test/Test{test}.java").as_str());
            let class = random.below(CLASSES);
            let text = format!(
                "public class Test{test} {{\n    public void testIt() {{\n        \
                 C{class} it = new C{class}();\n        it.m{class}x1(2);\n    }}\n}}\n"
            );
            lines += text.lines().count();
            good.insert(path.clone(), entry(&text));
            bad.insert(path, entry(&text));
        }
        Program { good, bad, tests: TESTS, lines, changed }
    }
}

fn entry(text: &str) -> Entry {
    Entry { kind: EntryKind::Regular, content: Content::bytes(text.as_bytes()) }
}

/// Writes a class in both versions: some methods get another body, some are new, a field is new.
fn texts(class: u32, random: &mut Random) -> (String, String) {
    let extends = match class % FAMILY {
        0 => String::new(),
        _ => format!(" extends C{}", class - class % FAMILY),
    };
    let head =
        format!("package p;\n\nimport java.util.List;\n\npublic class C{class}{extends} {{\n");
    let (mut old, mut new) = (head.clone(), head);
    for text in [&mut old, &mut new] {
        text.push_str("    private int size = 1;\n    private List<String> names;\n");
    }
    _ = writeln!(new, "    private int extra{class} = 2;");
    for method in 0..METHODS {
        let other = random.below(CLASSES);
        let called = random.below(METHODS - 1);
        let text = |change: &str| {
            // Few calls lead to other packages than that of the class, as in real programs.
            let to = if method % 7 == 0 { other } else { class };
            format!(
                "\n    public int m{class}x{method}(int a) {{\n        int b = a + size;\n        \
                 C{to} other = new C{to}();\n        if (b > {method}) {{\n            \
                 b = b * 2;{change}\n        }}\n        return b + other.m{to}x{called}(a);\n    }}\n"
            )
        };
        let is_new = method == METHODS - 1;
        if !is_new {
            old.push_str(&text(""));
        }
        if method < CHANGED - 1 || is_new {
            let next = METHODS - 1;
            new.push_str(&text(&format!(
                "\n            b = b + extra{class} + m{class}x{next}(b);"
            )));
        } else {
            new.push_str(&text(""));
        }
    }
    old.push_str("}\n");
    new.push_str("}\n");
    (old, new)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} changed methods over {} lines of Java:", self.changed, self.lines)
    }
}
