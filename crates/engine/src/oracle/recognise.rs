//! Finds the telling line and the stack frames in what a failing program printed.
//!
//! This file is a list: to teach whodunit a new kind of failure, add a pattern.

use std::sync::LazyLock;

use regex::Regex;

/// A kind of telling line.
struct Kind {
    /// Its groups, joined by a space, are what is kept.
    pattern: &'static str,
    /// Which match counts: the first cause, or what a traceback ends with.
    which: Which,
    /// Whether quoted text is part of the failure's identity or of the input's.
    quoted: Quoted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    First,
    Last,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Kept,
    Dropped,
}

use Quoted::{Dropped, Kept};
use Which::{First, Last};

/// The kinds, the most telling first.
const KINDS: &[Kind] = &[
    // Sanitizers.
    kind(r"(?:ERROR|WARNING|SUMMARY): ((?:\w+)Sanitizer: (?:[\w-]+|SEGV))", First, Kept),
    kind(r"(?m)(runtime error: .+)$", First, Dropped),
    kind(
        r"(?m)^==\d+==\s*(Invalid (?:read|write|free)|Conditional jump|Jump to the invalid).*$",
        First,
        Kept,
    ),
    // Compilers' own failures.
    kind(r"(?m)(internal compiler error: .+)$", First, Dropped),
    kind(r"(?m)((?:LLVM ERROR|fatal error: error in backend): .+)$", First, Dropped),
    // Assertions.
    kind(r"(?m)(Assertion [`'].+' failed)", First, Kept),
    kind(r"(?m)([Aa]ssertion .*failed.*)$", First, Kept),
    // Panics; Rust puts the message on the next line.
    kind(r"(panicked at .+?:\d+:\d+):\n(.+)", First, Dropped),
    kind(r"(?m)(panicked at .+)$", First, Dropped),
    kind(r"(?m)^(panic: .+)$", First, Dropped),
    kind(
        r"(?m)^(fatal error: (?:all goroutines|concurrent map|stack overflow|unexpected signal).*)$",
        First,
        Dropped,
    ),
    // Exceptions.
    kind(r"(terminate called after throwing an instance of '.+')", First, Kept),
    kind(r#"(?m)^(?:Exception in thread "[^"]*" |Caused by: )((?:[\w$]+\.)+[\w$]+)"#, Last, Kept),
    kind(
        r"(?m)^((?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|Warning)(?:: .*)?)$",
        Last,
        Dropped,
    ),
    kind(r"(?m)^Uncaught (\w+(?:: .*)?)$", First, Dropped),
    kind(r"(?m)^\S+:\d+:in .+: (.+ \(\w+\))$", First, Dropped),
    kind(r"(?m)^(?:PHP )?(Fatal error: .+)$", First, Dropped),
    // Test frameworks.
    kind(r"(?m)^E\s+(\w+(?:Error|Exception).*)$", First, Dropped),
    kind(r"(?m)^(not ok .+)$", First, Kept),
    kind(r"(?m)^(?:---\s*)?(FAIL(?:ED)?:? .+)$", First, Kept),
    // What shells say when a program died.
    kind(
        r"(Segmentation fault|Aborted|Floating point exception|Illegal instruction|Bus error|stack overflow)",
        First,
        Kept,
    ),
    // Diagnostics of compilers, linkers and everything else.
    kind(r"(?m)((?:fatal )?error(?:\[\w+\])?: .+)$", First, Kept),
    kind(r"(?mi)^(.*\berror\b.*)$", First, Kept),
];

/// How a line that names a stack frame looks: group `file` if there is one, group `name`.
const FRAMES: &[(&str, Which)] = &[
    (r#"(?m)^\s+File "(?P<file>[^"]+)", line \d+, in (?P<name>\S+)$"#, Last),
    (r"(?m)^\s+at (?P<name>[\w.$/]+\.[\w$<>]+)\((?P<file>[\w.$]+\.java)?[^)]*\)$", First),
    (r"(?m)^\s+at (?:async )?(?P<name>[\w.$<>]+) \((?P<file>[^)]*?):\d+:\d+\)$", First),
    (r"(?m)^\s+#\d+ 0x[0-9a-f]+ in (?P<name>[^\s(]+)(?:\([^)]*\))?(?: (?P<file>[^\s:]+))?", First),
];

/// How many frames tell one failure from another without being upset by an extra caller.
const FRAME_COUNT: usize = 2;

/// What differs from run to run, and what stands for it.
const NOISE: &[(&str, &str)] = &[
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?", "TIME"),
    (r"0x[0-9a-fA-F]+", "0xN"),
    (r"(?:\.{0,2}/)[\w.+@-]*(?:/[\w.+@-]+)*/", ""),
    (r"\b\d+\b", "N"),
    (r"\s+", " "),
];

const QUOTED: &str = r#"'[^']*'|"[^"]*"|`[^`']*[`']|‘[^’]*’|“[^”]*”"#;

const fn kind(pattern: &'static str, which: Which, quoted: Quoted) -> Kind {
    Kind { pattern, which, quoted }
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of ours is valid")
}

/// Returns the telling line of `text`, normalised. `own` are the names of the candidate's files.
pub(super) fn telling_line(text: &str, own: &[String]) -> Option<String> {
    static PATTERNS: LazyLock<Vec<Regex>> =
        LazyLock::new(|| KINDS.iter().map(|kind| compile(kind.pattern)).collect());
    KINDS.iter().zip(PATTERNS.iter()).find_map(|(kind, pattern)| {
        let found = match kind.which {
            First => pattern.captures(text),
            Last => pattern.captures_iter(text).last(),
        }?;
        let groups: Vec<&str> =
            found.iter().skip(1).flatten().map(|group| group.as_str().trim()).collect();
        Some(normalise(&groups.join(" "), kind.quoted, own))
    })
}

/// Returns the innermost frames named in `text` that do not lie in the candidate's own files.
pub(super) fn frames(text: &str, own: &[String]) -> Vec<String> {
    static PATTERNS: LazyLock<Vec<Regex>> =
        LazyLock::new(|| FRAMES.iter().map(|(pattern, _)| compile(pattern)).collect());
    for ((_, innermost), pattern) in FRAMES.iter().zip(PATTERNS.iter()) {
        let mut names: Vec<String> = pattern
            .captures_iter(text)
            .filter(|found| {
                let file = found.name("file").map_or("", |file| file.as_str());
                !own.iter().any(|own| file.ends_with(own.as_str()))
            })
            .map(|found| normalise(&found["name"], Kept, own))
            .collect();
        if *innermost == Last {
            names.reverse();
        }
        names.truncate(FRAME_COUNT);
        if !names.is_empty() {
            return names;
        }
    }
    Vec::new()
}

/// Takes quoted text, which is mostly the input's, out of a message.
pub(super) fn without_quoted(text: &str) -> String {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| compile(QUOTED));
    PATTERN.replace_all(text, "'…'").into_owned()
}

fn normalise(text: &str, quoted: Quoted, own: &[String]) -> String {
    static NOISE_PATTERNS: LazyLock<Vec<(Regex, &str)>> =
        LazyLock::new(|| NOISE.iter().map(|(noise, with)| (compile(noise), *with)).collect());
    let mut text = text.to_owned();
    for name in own {
        text = text.replace(name.as_str(), "INPUT");
    }
    if quoted == Dropped {
        text = without_quoted(&text);
    }
    for (noise, with) in NOISE_PATTERNS.iter() {
        text = noise.replace_all(&text, *with).into_owned();
    }
    // A line that goes on for pages says no more than its beginning.
    text.trim().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let own = ["crash.c".to_owned()];
        assert_eq!(telling_line(text, &own).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn the_telling_line_is_found() {
        check(
            "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200\n",
            "AddressSanitizer: heap-use-after-free",
        );
        check(
            "crash.c:3:5: internal compiler error: in build_int, at tree.cc:123\n",
            "internal compiler error: in build_int, at tree.cc:N",
        );
        check(
            "prog: src/a.c:12: f: Assertion `x > 0' failed.\nAborted\n",
            "Assertion `x > N' failed",
        );
        check(
            "thread 'main' (12) panicked at src/main.rs:3:5:\nindex out of bounds: the len is 3\n",
            "panicked at src/main.rs:N:N index out of bounds: the len is N",
        );
        check(
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nKeyError: 'abc'\n",
            "KeyError: '…'",
        );
        check(
            "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat A.f(A.java:3)\n",
            "java.lang.ArithmeticException",
        );
        check(
            "panic: runtime error: index out of range [5] with length 3\n",
            "runtime error: index out of range [N] with length N",
        );
        check("crash.c:9:3: error: 'x' undeclared\n", "error: 'x' undeclared");
        check("ld: error in /usr/lib/x.o\n", "ld: error in x.o");
    }

    #[test]
    fn quiet_failures_have_no_telling_line() {
        assert_eq!(telling_line("all is well\n", &[]), None);
    }

    #[test]
    fn frames_of_the_candidate_do_not_count() {
        let python = "Traceback:\n  File \"/lib/json/a.py\", line 3, in outer\n    x\n  \
                      File \"/lib/json/b.py\", line 9, in inner\n    y\n  \
                      File \"/tmp/crash.c\", line 9, in own\n    y\nE\n";
        assert_eq!(frames(python, &["crash.c".into()]), ["inner", "outer"]);
        let asan = "    #0 0x55 in walk tree.c:3\n    #1 0x56 in main crash.c:9\n";
        assert_eq!(frames(asan, &["crash.c".into()]), ["walk"]);
    }
}
