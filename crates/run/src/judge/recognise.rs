//! Finds the telling line, the stack frames and other complaints in the output of a failing
//! program.
//!
//! This file is a list: to teach whodunit a new kind of failure, add a pattern.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::key::{Key, KeyHasher};

/// A kind of telling line.
struct FailureLine {
    /// Its groups, joined by a space, are the signature.
    pattern: &'static str,
    /// The match that counts: the first cause, or the end of a traceback.
    which: Which,
    /// The complaint of such lines.
    complaint: Complaint,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    First,
    Last,
}

/// The complaint of a line. Warnings come and go, so they are no complaint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Complaint {
    /// The same for all lines of this kind.
    Of(&'static str),
    /// The exception that the first group begins with.
    Exception,
    /// A fault in compiled or linked code, see [`DIAGNOSTICS`].
    Diagnostic,
}

use Complaint::{Diagnostic, Exception, Of};
use Which::{First, Last};

const SANITIZER_REPORT: &str = "sanitizer report";
const FAILED_ASSERTION: &str = "failed assertion";
const SANITIZER: Complaint = Of(SANITIZER_REPORT);
const ICE: Complaint = Of("internal compiler error");
const ASSERTION: Complaint = Of(FAILED_ASSERTION);
const PANIC: Complaint = Of("panic");
const FAILED_TEST: Complaint = Of("failed test");
const CRASH: Complaint = Of("crash");

/// The kinds, the most telling first.
const KINDS: &[FailureLine] = &[
    // Sanitizers.
    kind(r"(?:ERROR|WARNING|SUMMARY): ((?:\w+)Sanitizer: (?:data race|[\w-]+))", First, SANITIZER),
    kind(r"(?m)(runtime error: .+)$", First, SANITIZER),
    kind(
        r"(?m)^==\d+==\s*(Invalid (?:read|write|free)|Conditional jump|Jump to the invalid|Use of uninitialised).*$",
        First,
        SANITIZER,
    ),
    // Compilers' own failures.
    kind(r"(?m)(internal compiler error: .+)$", First, ICE),
    kind(r"(?m)((?:LLVM ERROR|fatal error: error in backend): .+)$", First, ICE),
    // Assertions; Rust puts the two values on lines of their own.
    kind(r"(?m)(Assertion [`'].+' failed)", First, ASSERTION),
    kind(r"(?m)([Aa]ssertion .*failed.*)$(?:\n\s*(left: .*)\n\s*(right: .*)$)?", First, ASSERTION),
    // Panics; Rust puts the message on the next line.
    kind(r"(panicked at .+?:\d+:\d+):\n(.+)", First, PANIC),
    kind(r"(?m)(panicked at .+)$", First, PANIC),
    kind(r"(?m)^(panic: .+)$", First, PANIC),
    kind(
        r"(?m)^(fatal error: (?:all goroutines|concurrent map|stack overflow|unexpected signal).*)$",
        First,
        PANIC,
    ),
    // Exceptions; node's assertions put the two values on a line of their own.
    // C++ says on the next line what the exception holds.
    kind(
        r"(terminate called after throwing an instance of '.+')(?:\n\s*(what\(\): .+))?",
        First,
        Of("uncaught exception"),
    ),
    kind(r"(?m)^libc\+\+abi: (terminating .+)$", First, Of("uncaught exception")),
    kind(
        r#"(?m)^(?:Exception in thread "[^"]*" |Caused by: )((?:[\w$]+\.)+[\w$]+(?:: .*)?)$"#,
        Last,
        Exception,
    ),
    kind(
        r"(?m)^((?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|Warning)(?: \[\w+\])?(?:: .*)?)$(?:\n\n(.* !==? .*)$)?",
        Last,
        Exception,
    ),
    kind(r"(?m)^Unhandled [Ee]xception[.:] ((?:[\w$]+\.)+[\w$]+(?:: .*)?)$", First, Exception),
    kind(r"(?m)^Uncaught (\w+(?:: .*)?)$", First, Exception),
    kind(r"(?m)^\S+:\d+:in .+: (.+ \(\w+\))$", First, Of("uncaught exception")),
    kind(r"(?m)^(?:PHP )?(Fatal error: .+)$", First, Of("fatal error")),
    // Test frameworks; Go says on the next line why.
    kind(r"(?m)^E\s+(\w+(?:Error|Exception).*)$", First, Exception),
    kind(r"(?m)^(not ok .+)$", First, FAILED_TEST),
    kind(r"(?m)^\s*--- (FAIL: .+)$(?:\n\s+(.+)$)?", First, FAILED_TEST),
    kind(r"(?m)^(FAIL(?:ED)?:? .+)$", First, FAILED_TEST),
    // Messages of the C library before it aborts.
    kind(
        r"(?m)^((?:free|malloc|calloc|realloc|munmap_chunk|malloc_consolidate)\(\): .+|double free or corruption.*|corrupted (?:size|double-linked).*|\*\*\* .+ \*\*\*: terminated)$",
        First,
        Of("memory corruption"),
    ),
    // Messages of shells about a program that died.
    kind(
        r"(Segmentation fault|Aborted|Floating point exception|Illegal instruction|Bus error|stack overflow)",
        First,
        CRASH,
    ),
    // Diagnostics of compilers and linkers. The missing symbol tells more than the failure of the
    // linker.
    kind(
        r"(?m)\b((?:undefined reference to|undefined symbol:|multiple definition of|cannot find -l) ?\S+)",
        First,
        Diagnostic,
    ),
    kind(r"(?m)((?:fatal )?error(?:\[\w+\]| [A-Z]+\d+)?: .+)$", First, Diagnostic),
];

/// A line in which a program labels its own error, such as `FATAL: no block 7`.
const LABELLED: &str = r"(?m)^(?:[\w./-]+: )?((?:FATAL|ERROR|CRITICAL|BUG|PANIC|Fatal|Critical|fatal|critical|panic)(?: [Ee]rror| ERROR)?: .+)$";

/// Words of error messages of all kinds of programs. Too common to tell one failure from another, but a
/// program that fails without a word does not print them.
const ERROR_WORDS: &str = r"(?i)\b(?:error|fatal|panic|exception|abort(?:ed|ing)?|killed|cannot|can't|could not|couldn't|unable to|failed|no such file|not found|denied|invalid|unexpected|unknown|usage:)";

/// Complaints of diagnostics; the first pattern that matches a line counts.
const DIAGNOSTICS: &[(&str, &str)] = &[
    (
        r"(?mi)\b(?:syntax|parse|parsing) error\b|\berror(?:\[\w+\]| \w+)?: (?:expected|unexpected|unterminated|unclosed|stray|missing terminating|illegal (?:start|character)|reached end of file|.*(?:' expected$|unclosed delimiter|closing delimiter))",
        "syntax error",
    ),
    (
        r"(?i)undefined reference to|undefined symbol|multiple definition of|\bld returned \d|\bld: cannot find",
        "linker error",
    ),
    // A shell, or make in its place, cannot run the given command.
    (
        r"(?m)^(?:make(?:\[\d+\])?|(?:/\w+)*/?(?:ba|da|z|k)?sh|env)(?:: line \d+|: \d+)?: .*: (?:not found|command not found|No such file or directory|Permission denied)$",
        "nothing to run",
    ),
    // Not a line of source text that is shown below a warning, or a text in quotes.
    (
        r#"(?m)^[^\s|"'`][^|"'`\n]*?\berror(?:\[\w+\]| [A-Z]+\d+)?: .*$|^error(?:\[\w+\])?: .*$"#,
        "compiler error",
    ),
];

/// A line that names a stack frame: optional group `file`, group `name`.
const FRAMES: &[(&str, Which)] = &[
    (r#"(?m)^\s+File "(?P<file>[^"]+)", line \d+, in (?P<name>\S+)$"#, Last),
    // Java, .NET, JavaScript.
    (r"(?m)^\s+at (?P<name>[\w.$/]+\.[\w$<>]+)\((?P<file>[\w.$]+\.java)?[^)]*\)$", First),
    (r"(?m)^\s+at (?P<name>[\w.$<>`]+)\([^)]*\) in (?P<file>.+):line \d+$", First),
    (r"(?m)^\s+at (?:async )?(?P<name>[\w.$<>]+) \((?P<file>[^)]*?):\d+:\d+\)$", First),
    // Go names the function on one line and its place on the next, and so does gcc.
    (r"(?m)^(?P<name>[\w./*()-]+?)\([^()\n]*\)\n\t(?P<file>\S+):\d+", First),
    (r"(?m)^0x[0-9a-f]+ (?P<name>[A-Za-z_~][^\s(]*)\(.*\)\n\t(?P<file>\S+):\d+", First),
    // Ruby.
    (r"(?m)^(?P<file>[^\s:]+):\d+:in [`'](?P<name>[^'\n]+)'", First),
    // The C library names the function that an assertion is in.
    (r"(?m)(?:^|[\s/])(?P<file>[^\s:/]+):\d+: (?P<name>[^\n]+?): Assertion [`']", First),
    // Sanitizers; that of undefined behaviour names a place only.
    (r"(?m)^\s+#\d+ 0x[0-9a-f]+ in (?P<name>[^\s(]+)(?:\([^)]*\))?(?: (?P<file>[^\s:]+))?", First),
    (r"(?m)^\s+#\d+ (?P<name>[A-Za-z_~][^\s(]*)(?:\([^)]*\))? (?P<file>[^\s:]+):\d+", First),
    (r"(?m)(?P<file>(?P<name>[^\s:/]+)):\d+:\d+: runtime error: ", First),
    // LLVM.
    (r"(?m)^\s*#\d+ 0x[0-9a-f]+ (?P<name>[A-Za-z_~][^\s(]*)\(", First),
    // Valgrind.
    (
        r"(?m)^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (?P<name>[^\s(]+)(?:\([^)]*\))? \((?:in )?(?P<file>[^():]+)",
        First,
    ),
];

/// How functions begin that are on the stack because of the report itself.
const REPORTING: &[&str] = &[
    "llvm::sys::",
    "SignalHandler",
    "__restore_rt",
    "gsignal",
    "raise",
    "abort",
    "runtime.",
    "testing.",
];

/// How a place in a file looks: `a.rs:3`, `"a.py", line 3`, `a.pl line 3`, `a.cs:line 3`, `a.ts(3`.
const PLACE: &str =
    r#"(?P<file>[\w.+-]*\w\.[A-Za-z]\w{0,5})(?:"?, line |:line | line |:|\()(?P<line>\d+)"#;

/// Innermost frames of a stack that identify a failure. Further frames are ignored, so that one
/// more caller makes no other failure. Chosen by hand.
const MAX_FRAMES: usize = 2;

/// Text that differs from run to run, and its replacement.
const NOISE: &[(&str, &str)] = &[
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?", "TIME"),
    (r"0x[0-9a-fA-F]{6,}", "0xN"),
    (r"(?:\.{0,2}/)[\w.+@-]*(?:/[\w.+@-]+)*/", ""),
    (r"\s+", " "),
];

/// A text in quotes of any kind.
pub(super) const QUOTED: &str = r#"'[^']*'|"[^"]*"|`[^`']*[`']|‘[^’]*’|“[^”]*”"#;

/// Characters of a line that are compared and shown. The rest of a longer line is ignored. Chosen
/// by hand.
pub(super) const LINE_CHARACTERS: usize = 200;

/// Lines kept of an output without a telling line: the last ones, because a complaint comes
/// after the work before it. Chosen by hand.
const MAX_KEPT_LINES: usize = 32;

/// Lines from the end in which the kept lines are searched; earlier lines are ignored. More than
/// [`MAX_KEPT_LINES`], because programs can print one line a thousand times. Chosen by hand.
const SCANNED_LINES: usize = 256;

const fn kind(pattern: &'static str, which: Which, complaint: Complaint) -> FailureLine {
    FailureLine { pattern, which, complaint }
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of ours is valid")
}

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| KINDS.iter().map(|kind| compile(kind.pattern)).collect());

/// Returns the telling line of `text`, cleaned. `own` are the names of the candidate's files.
///
/// A crash alone does not tell its cause: if no other line does, the first line that the program
/// labels as an error tells it. Programs that end otherwise also label lines that are not the
/// cause.
pub(super) fn telling_line(text: &str, own: &[String], is_crash: bool) -> Option<String> {
    let found = KINDS.iter().zip(PATTERNS.iter()).find_map(|(kind, pattern)| {
        let found = match kind.which {
            First => pattern.captures(text),
            Last => pattern.captures_iter(text).last(),
        }?;
        let groups: Vec<&str> =
            found.iter().skip(1).flatten().map(|group| group.as_str().trim()).collect();
        Some((kind, groups.join(" ")))
    });
    let says_crash = found.as_ref().map_or(is_crash, |(kind, _)| kind.complaint == CRASH);
    let labelled = if says_crash { labelled_line(text) } else { None };
    labelled.or(found.map(|(_, line)| line)).map(|line| clean(&line, own))
}

fn labelled_line(text: &str) -> Option<String> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| compile(LABELLED));
    PATTERN.captures(text).map(|found| found[1].trim().to_owned())
}

/// Returns the first line that reads like an error message, cleaned. Warnings are none.
pub(super) fn error_line(text: &str, own: &[String]) -> Option<String> {
    static PATTERNS: LazyLock<[Regex; 2]> =
        LazyLock::new(|| [ERROR_WORDS, r"(?i)\bwarning\b"].map(compile));
    let [error, warning] = &*PATTERNS;
    let line = text.lines().find(|line| error.is_match(line) && !warning.is_match(line))?;
    Some(clean(line, own))
}

/// Returns whether a telling line is that of an assertion, which shows the condition that did not
/// hold.
pub(super) fn is_assertion(line: &str) -> bool {
    let kinds = KINDS.iter().zip(PATTERNS.iter());
    kinds.filter(|(kind, _)| kind.complaint == ASSERTION).any(|(_, pattern)| pattern.is_match(line))
}

/// Returns whether a complaint is about memory: a sanitizer's, or an index out of bounds.
pub(super) fn is_memory(complaint: &str) -> bool {
    complaint == SANITIZER_REPORT || complaint.ends_with("IndexOutOfBoundsException")
}

/// Returns whether a complaint is about an assertion.
pub(super) fn is_failed_assertion(complaint: &str) -> bool {
    complaint == FAILED_ASSERTION
        || ["AssertionError", "AssertionFailedError"].iter().any(|name| complaint.ends_with(name))
}

/// Returns what `text` complains of, each kind of complaint once.
pub(super) fn complaints(text: &str) -> BTreeSet<String> {
    static FAULTS: LazyLock<Vec<Regex>> =
        LazyLock::new(|| DIAGNOSTICS.iter().map(|(pattern, _)| compile(pattern)).collect());
    let mut complaints = BTreeSet::new();
    for (kind, pattern) in KINDS.iter().zip(PATTERNS.iter()) {
        match kind.complaint {
            Of(what) if pattern.is_match(text) => _ = complaints.insert(what.to_owned()),
            Exception => {
                let names =
                    pattern.captures_iter(text).map(|found| exception(&found[1]).to_owned());
                complaints.extend(names.filter(|name| !name.ends_with("Warning")));
            }
            Of(_) | Diagnostic => {}
        }
    }
    if !FAULTS.iter().any(|fault| fault.is_match(text)) {
        return complaints;
    }
    for line in text.lines().filter(|line| !line.contains("internal compiler error")) {
        let fault = FAULTS.iter().position(|fault| fault.is_match(line));
        complaints.extend(fault.map(|fault| DIAGNOSTICS[fault].1.to_owned()));
    }
    complaints
}

/// Returns the name of the exception that a line begins with.
fn exception(line: &str) -> &str {
    line.split([':', ' ']).next().unwrap_or(line)
}

/// Returns the last lines of `text`, cleaned, each once, without empty ones.
pub(super) fn last_lines(text: &str, own: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().rev().take(SCANNED_LINES) {
        let line = clean(line, own);
        if line.contains(char::is_alphabetic) && !lines.contains(&line) {
            lines.push(line);
        }
        if lines.len() == MAX_KEPT_LINES {
            break;
        }
    }
    lines.reverse();
    lines
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
                let is_report = REPORTING.iter().any(|begin| found["name"].starts_with(begin));
                !is_report && !own.iter().any(|own| file.ends_with(own.as_str()))
            })
            .map(|found| clean(&found["name"], own))
            .collect();
        if *innermost == Last {
            names.reverse();
        }
        names.truncate(MAX_FRAMES);
        if !names.is_empty() {
            return names;
        }
    }
    Vec::new()
}

/// Returns a hash of all places in files that `text` names, in their order and without folders;
/// `None` if it names none.
pub(super) fn places(text: &str) -> Option<Key> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| compile(PLACE));
    let mut places = PATTERN.captures_iter(text).peekable();
    places.peek()?;
    let mut hasher = KeyHasher::new();
    for place in places {
        hasher.update_delimited(place["file"].as_bytes());
        hasher.update_delimited(place["line"].as_bytes());
    }
    Some(hasher.finish())
}

/// Removes numbers and quoted text from a message: the rest is the same for all messages of a kind.
pub(super) fn generalised(text: &str) -> String {
    static QUOTES: LazyLock<Regex> = LazyLock::new(|| compile(QUOTED));
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| compile(r"\b\d+\b"));
    NUMBER.replace_all(&QUOTES.replace_all(text, "'…'"), "N").into_owned()
}

/// Removes the parts of a line that differ from run to run by their nature.
fn clean(text: &str, own: &[String]) -> String {
    static NOISE_PATTERNS: LazyLock<Vec<(Regex, &str)>> =
        LazyLock::new(|| NOISE.iter().map(|(noise, with)| (compile(noise), *with)).collect());
    let mut text: String = text.chars().take(4 * LINE_CHARACTERS).collect();
    for name in own {
        text = without_name(&text, name);
    }
    for (noise, with) in NOISE_PATTERNS.iter() {
        text = noise.replace_all(&text, *with).into_owned();
    }
    text.trim().chars().take(LINE_CHARACTERS).collect()
}

/// Puts a word that stands for the input in place of the name of one of its files.
fn without_name(text: &str, name: &str) -> String {
    let mut cleaned = String::new();
    let mut rest = text;
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    while let Some(at) = rest.find(name).filter(|_| !name.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        cleaned.push_str(before);
        cleaned.push_str(if is_whole { "INPUT" } else { name });
        rest = after;
    }
    cleaned + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let own = ["crash.c".to_owned()];
        assert_eq!(telling_line(text, &own, false).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn a_crash_is_told_by_what_the_program_says_of_it() {
        let line = |text: &str, is_crash| telling_line(text, &[], is_crash);
        let check = |text: &str, is_crash, expected: &str| {
            assert_eq!(line(text, is_crash).as_deref(), Some(expected), "{text}");
        };
        check("reading\nERROR: block 7 freed twice\n", true, "ERROR: block 7 freed twice");
        check("tool: fatal: cannot parse it\n", true, "fatal: cannot parse it");
        check("FATAL ERROR: no room\nAborted (core dumped)\n", false, "FATAL ERROR: no room");
        check("Segmentation fault\n", true, "Segmentation fault");
        check("free(): invalid pointer\n", true, "free(): invalid pointer");
        check(
            "*** stack smashing detected ***: terminated\nAborted\n",
            true,
            "*** stack smashing detected ***: terminated",
        );
        check("ERROR: first\nKeyError: 'x'\n", true, "KeyError: 'x'");
        assert_eq!(line("reading\n", true), None);
        // The last lines are more specific than the first label, and are compared with those of
        // passing runs.
        assert_eq!(line("ERROR: retrying\n3 tests wrong\n", false), None);
    }

    #[test]
    fn the_telling_line_is_found() {
        check(
            "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200\n",
            "AddressSanitizer: heap-use-after-free",
        );
        check(
            "crash.c:3:5: internal compiler error: in build_int, at tree.cc:123\n",
            "internal compiler error: in build_int, at tree.cc:123",
        );
        check(
            "prog: src/a.c:12: f: Assertion `x > 0' failed.\nAborted\n",
            "Assertion `x > 0' failed",
        );
        check(
            "thread 'main' (12) panicked at src/main.rs:3:5:\nindex out of bounds: the len is 3\n",
            "panicked at src/main.rs:3:5 index out of bounds: the len is 3",
        );
        check(
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nKeyError: 'abc'\n",
            "KeyError: 'abc'",
        );
        check(
            "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat A.f(A.java:3)\n",
            "java.lang.ArithmeticException: / by zero",
        );
        check(
            "panic: runtime error: index out of range [5] with length 3\n",
            "runtime error: index out of range [5] with length 3",
        );
        check("crash.c:9:3: error: 'x' undeclared\n", "error: 'x' undeclared");
        check("a.ts(3,5): error TS1005: ';' expected.\n", "error TS1005: ';' expected.");
    }

    #[test]
    fn the_values_of_an_assertion_are_part_of_it() {
        check(
            "thread 'm' panicked at a.rs:3:5:\nassertion `left == right` failed\n  left: 41\n right: 42\n",
            "assertion `left == right` failed left: 41 right: 42",
        );
        check(
            "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n41 !== 42\n",
            "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 41 !== 42",
        );
        check(
            "--- FAIL: TestX (0.00s)\n    x_test.go:5: got 41, want 42\nFAIL\n",
            "FAIL: TestX (0.00s) x_test.go:5: got 41, want 42",
        );
    }

    #[test]
    fn the_name_of_the_input_is_a_whole_word() {
        let line = |text: &str| last_lines(text, &["a".to_owned()]).concat();
        assert_eq!(line("a: a bad day, ./x/a:3"), "INPUT: INPUT bad day, INPUT:3");
    }

    #[test]
    fn complaints_are_told_apart_by_kind() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(complaints(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        let ice = "a.cc:3:1: internal compiler error: Segmentation fault\n";
        check(ice, &["crash", "internal compiler error"]);
        let broken = format!("a.cc:1:9: error: expected ';' before '}}' token\n{ice}");
        check(&broken, &["crash", "internal compiler error", "syntax error"]);
        check("a.c:3:1: error: 'x' undeclared\n", &["compiler error"]);
        check("a.c:3:1: warning: unused\n  3 | f(\"error: x\");\n", &[]);
        check(
            "/bin/ld: a.o: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n",
            &["linker error"],
        );
        check(
            "ValueError: x\n\nDuring it:\n\nKeyError: 'x'\nUserWarning: x\n",
            &["KeyError", "ValueError"],
        );
        check("error[E0425]: cannot find value `x`\n", &["compiler error"]);
        check("A.java:3: error: ';' expected\n", &["syntax error"]);
        check("./a.go:3:5: syntax error: unexpected }\n", &["syntax error"]);
        check("0 errors, all is well\n", &[]);
    }

    #[test]
    fn places_are_the_same_whatever_folder_they_are_in() {
        let same = |one: &str, other: &str| {
            assert_eq!(places(one), places(other), "{one}, {other}");
            assert!(places(one).is_some(), "{one}");
        };
        same("File \"/a/t.py\", line 3, in f", "File \"/b/c/t.py\", line 3, in f");
        same("at f (/a/t.js:3:8)", "at f (t.js:3:9)");
        same("died at t.pl line 3.", "x t.pl line 3: no");
        same("at A.f(A.java:3)", "A.java:3");
        assert_ne!(places("t.py:3: in f"), places("t.py:4: in f"));
        assert_ne!(places("t.py:3: in f"), places("t.py:3: in f\nu.py:9: in g"));
        assert_eq!(places("took 0.12s, 3 of 4 at 12:30:15"), None);
    }

    #[test]
    fn quiet_failures_have_no_telling_line() {
        assert_eq!(telling_line("all is well\n", &[], false), None);
    }

    #[test]
    fn frames_of_the_candidate_do_not_count() {
        let python = "Traceback:\n  File \"/lib/json/a.py\", line 3, in outer\n    x\n  \
                      File \"/lib/json/b.py\", line 9, in inner\n    y\n  \
                      File \"/tmp/crash.c\", line 9, in own\n    y\nE\n";
        assert_eq!(frames(python, &["crash.c".into()]), ["inner", "outer"]);
        let asan = "    #0 0x55 in walk tree.c:3\n    #1 0x56 in main crash.c:9\n";
        assert_eq!(frames(asan, &["crash.c".into()]), ["walk"]);
        let assert = "prog: src/b.c:7: read_entry: Assertion `p != NULL' failed.\n";
        assert_eq!(frames(assert, &[]), ["read_entry"]);
        assert_eq!(frames(assert, &["b.c".into()]), [""; 0]);
    }

    #[test]
    fn functions_are_named_in_the_ways_of_each_language() {
        let go = "panic: no\n\ngoroutine 1 [running]:\nmain.(*Tree).walk(0xc0, 0x1)\n\t/a/tree.go:12 \
                  +0x1b\nmain.main()\n\t/a/main.go:9 +0x1d\nexit status 2\n";
        assert_eq!(frames(go, &[]), ["main.(*Tree).walk", "main.main"]);
        assert_eq!(frames(go, &["tree.go".into()]), ["main.main"]);
        let ruby = "lib/a.rb:3:in `parse': no (RuntimeError)\n\tfrom b.rb:1:in `<main>'\n";
        assert_eq!(frames(ruby, &[]), ["parse"]);
        let method = "x: a.cc:5: void Tree::walk(int): Assertion `n' failed.\n";
        assert_eq!(frames(method, &[]), ["void Tree::walk(int)"]);
    }

    #[test]
    fn reports_of_sanitizers_and_valgrind_are_told_by_their_frames() {
        let valgrind = "==2== Invalid read of size 4\n==2==    at 0x4005AB: entry (prog.c:77)\n\
                        ==2==    by 0x4005CD: main (prog.c:90)\n";
        assert_eq!(frames(valgrind, &[]), ["entry", "main"]);
        let race = "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 by thread T1:\n    \
                    #0 inc_a /tmp/r.c:5 (r+0x1218)\n";
        assert_eq!(frames(race, &[]), ["inc_a"]);
        assert_eq!(telling_line(race, &[], false).unwrap(), "ThreadSanitizer: data race");
        assert_eq!(
            frames("/a/tree.c:3:9: runtime error: signed integer overflow\n", &[]),
            ["tree.c"]
        );
        let llvm =
            " #0 0x0055 llvm::sys::PrintStackTrace(int) (/l+1)\n #1 0x0056 fold(Node*) (/l+2)\n";
        assert_eq!(frames(llvm, &[]), ["fold"]);
    }

    #[test]
    fn what_the_linker_lacks_is_what_it_says() {
        let text = "/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x1f): undefined reference to `helper'\n\
                    collect2: error: ld returned 1 exit status\n";
        assert_eq!(telling_line(text, &[], false).unwrap(), "undefined reference to `helper'");
    }

    #[test]
    fn an_exception_of_cpp_is_told_by_what_it_holds() {
        let thrown = |what: &str| {
            let head = "terminate called after throwing an instance of 'std::runtime_error'\n";
            telling_line(&format!("{head}{what}"), &[], true).unwrap()
        };
        assert!(thrown("  what():  use of freed entry\n").ends_with("what(): use of freed entry"));
        assert_ne!(thrown("  what():  a\n"), thrown("  what():  b\n"));
        assert!(thrown("").ends_with("'std::runtime_error'"));
    }
}
