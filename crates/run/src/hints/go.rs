//! Patterns for the go command and its compiler.

use super::pattern::{Pattern, file, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+)(?::\d+)?: (?:no required module provides package|cannot find package|package) [\x22]?(?P<path>[\w./-]+)[\x22]?.*$",
    ),
    name(
        r"(?m)^(?:vet: )?(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+):\d+: undefined: (?:\w+\.)?(?P<name>\w+)",
    ),
    name(
        r"(?m)^(?:vet: )?(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+):\d+: [^\n]*(?:has no field or method|missing method|unknown field) (?P<name>\w+)",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+):\d+: (?P<name>\w+) redeclared in this block",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+):\d+: (?:not enough|too many) arguments in call to (?P<name>[\w.]+)",
    ),
    position(r"(?m)^(?:vet: )?(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d+):\d+: (?P<message>.*)$"),
];
