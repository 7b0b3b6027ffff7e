//! Patterns for rustc and cargo. The place follows the complaint.

use super::pattern::{Pattern, file, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r"(?m)^error(?:\[\w+\])?: file not found for module `(?P<path>\w+)`\n\s*--> (?P<file>[^:\n]+):(?P<line>\d+)",
    ),
    file(r"(?m)^error(?:\[\w+\])?: couldn't read `(?P<path>[^`\n]+)`"),
    name(
        r"(?m)^error(?:\[\w+\])?: unresolved import `(?:\w+::)*(?P<name>\w+)`\n\s*--> (?P<file>[^:\n]+):(?P<line>\d+)",
    ),
    name(
        r"(?m)^error(?:\[\w+\])?: (?P<message>(?:cannot find|no |unresolved|failed to resolve|use of undeclared|struct .* has no field|.*not a member of trait|not all trait items|.*defined multiple times|.*is private|.*takes \d+ ).*)\n\s*--> (?P<file>[^:\n]+):(?P<line>\d+)",
    ),
    position(r"(?m)^error(?:\[\w+\])?: (?P<message>.+)\n\s*--> (?P<file>[^:\n]+):(?P<line>\d+)"),
    // Errors of cargo about a manifest.
    file(r"(?m)^\s*can't find `?(?P<path>[\w-]+)`? (?:bin|lib|example|test|bench)"),
    name(r"(?m)no matching package named `(?P<name>[\w-]+)` found"),
];
