//! Patterns for missing files of make, cmake and ninja.

use super::pattern::{Pattern, file, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r"(?m)^(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+): )?g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'](?P<path>[^'\n]+)'",
    ),
    file(
        r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+): (?P<path>[^:\n]+): No such file or directory$",
    ),
    position(r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+): \*\*\* (?P<message>.*)  Stop\.$"),
    file(r"(?m)^ninja: error: '(?P<path>[^'\n]+)'.* missing and no known rule to make it"),
    file(
        r"(?m)^CMake Error at (?P<file>[^:\n]+):(?P<line>\d+) [^\n]*\n(?:\n|  .*\n)*?  Cannot find source file:\n\n +(?P<path>\S+)$",
    ),
    position(r"(?m)^CMake Error at (?P<file>[^:\n]+):(?P<line>\d+)"),
];
