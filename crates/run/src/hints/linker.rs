//! What linkers say. The place is often that of an object; only sources are taken.

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
    // What the linker of macOS says.
    name(r#"(?m)^  "_?(?P<name>[^"\n]+)", referenced from:"#),
];
