//! Patterns for javac. The name that it cannot find follows two lines of source.

use super::pattern::{Pattern, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.java):(?P<line>\d+): error: cannot find symbol\n(?:.*\n){2}  symbol: +(?:class|interface|enum|record|variable|method|static) (?P<name>[\w$]+)",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.java):(?P<line>\d+): error: package (?:[\w$]+\.)*(?P<name>[\w$]+) does not exist$",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.java):(?P<line>\d+): error: (?:method|constructor|class|variable|.* does not override abstract method) (?P<name>[\w$]+).*$",
    ),
    position(r"(?m)^(?P<file>[^\s:][^:\n]*\.java):(?P<line>\d+): error: (?P<message>.*)$"),
];
