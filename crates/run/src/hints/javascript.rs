//! Patterns for node and tsc.

use super::pattern::{Pattern, file, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r"(?m)^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+),\d+\): error TS(?:2307|6053|7016): [^'\n]*'(?P<path>[^'\n]+)'",
    ),
    name(
        r"(?m)^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+),\d+\): error TS(?:2304|2305|2339|2503|2551|2552|2554|2614|2724|2741): (?P<message>.*)$",
    ),
    position(r"(?m)^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+),\d+\): error TS\d+: (?P<message>.*)$"),
    // The same with colours and a frame around the source.
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*\.[cm]?[jt]sx?):(?P<line>\d+):\d+ - error TS\d+: (?P<message>.*)$",
    ),
    // Modules that lack something are refused before they run: the place stands on top.
    name(
        r"(?m)^file://(?P<file>/[^:\n]+):(?P<line>\d+)\n(?:.*\n){1,3}SyntaxError: The requested module '[^'\n]*' does not provide an export named '(?P<name>[\w$]+)'",
    ),
    position(
        r"(?m)^(?:file://)?(?P<file>/[^:\n]+):(?P<line>\d+)\n(?:.*\n){1,4}SyntaxError: (?P<message>.*)$",
    ),
    // Frames of node itself come first where a module is missing.
    file(
        r"(?m)^(?:Error: |Error \[ERR_MODULE_NOT_FOUND\]: )Cannot find (?:module|package) '(?P<path>[^'\n]+)'(?:.*\n){1,20}?    at .*\((?P<file>/[^():\n]+):(?P<line>\d+):\d+\)$",
    ),
    file(
        r"(?m)^(?:Error: |Error \[ERR_MODULE_NOT_FOUND\]: )Cannot find (?:module|package) '(?P<path>[^'\n]+)'",
    ),
    name(
        r"(?m)^(?:Uncaught )?ReferenceError: (?P<name>[\w$]+) is not defined(?:\n    at (?:.*\()?(?P<file>/[^():\n]+):(?P<line>\d+):\d+\)?)?",
    ),
    name(
        r"(?m)^(?:Uncaught )?TypeError: (?:[\w$()]+\.)*(?P<name>[\w$]+) is not a (?:function|constructor)(?:\n    at (?:.*\()?(?P<file>/[^():\n]+):(?P<line>\d+):\d+\)?)?",
    ),
    name(
        r"(?m)^(?:Uncaught )?TypeError: Cannot read properties of (?:undefined|null) \(reading '(?P<name>[\w$]+)'\)(?:\n    at (?:.*\()?(?P<file>/[^():\n]+):(?P<line>\d+):\d+\)?)?",
    ),
];
