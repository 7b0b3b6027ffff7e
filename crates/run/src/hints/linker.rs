//! Patterns for linkers. The place is often in an object file; only sources count.

use super::pattern::{Pattern, name};

pub(super) const PATTERNS: &[Pattern] = &[
    // With debugging information the line is known.
    name(
        r"(?m)(?:^|[\s:])(?P<file>[^\s:]+\.\w+):(?P<line>\d+): (?:undefined reference to|multiple definition of) [`'‘](?P<name>[^'’\n]+)['’]",
    ),
    name(
        r"(?m)(?:^|[\s:])(?P<file>[^\s:()]+\.(?:c|cc|cpp|cxx|C|m|mm|rs|go|f90|f|d|swift)):(?:\([^)\n]*\)|function [^:\n]+): (?:error: )?(?:undefined reference to|multiple definition of) [`'‘](?P<name>[^'’\n]+)['’]",
    ),
    name(r"(?m)(?:undefined reference to|multiple definition of) [`'‘](?P<name>[^'’\n]+)['’]"),
    name(r"(?m)(?:undefined symbol|duplicate symbol):? [`'‘]?(?P<name>[\w$.@~:]+)"),
    // The linker of macOS.
    name(r#"(?m)^  "_?(?P<name>[^"\n]+)", referenced from:"#),
];
