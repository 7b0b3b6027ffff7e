//! Patterns for Python. The innermost frame stands right before the exception.

use super::pattern::{Pattern, file, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*(?:E +)?(?:\w+\.)*ModuleNotFoundError: No module named '(?P<path>[^'\n]+)'"#,
    ),
    name(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*ImportError: cannot import name '(?P<name>\w+)'"#,
    ),
    name(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*(?:NameError|UnboundLocalError): (?:name|cannot access local variable|local variable) '(?P<name>\w+)'"#,
    ),
    name(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*AttributeError: .*has no attribute '(?P<name>\w+)'"#,
    ),
    name(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*TypeError: (?P<name>[\w.]+)\(\) (?:got|takes|missing)"#,
    ),
    position(
        r#"(?m)^  File "(?P<file>[^"\n]+)", line (?P<line>\d+).*\n(?:    .*\n)*(?:\w+\.)*\w+(?:Error|Exception)(?:: (?P<message>.*))?$"#,
    ),
    // The exception alone, as programs print it that caught it.
    name(r"(?m)\b(?:Import|Name|Attribute)Error:? (?P<message>.*)$"),
    position(
        r"(?m)\b(?:Syntax|Indentation|Tab)Error:? (?P<message>.*)\((?P<file>[^(),\n]+), line (?P<line>\d+)\)",
    ),
    // How pytest shows the same.
    file(r"(?m)^E   +ModuleNotFoundError: No module named '(?P<path>[^'\n]+)'"),
    name(r"(?m)^E   +(?:Import|Name|Attribute)Error: (?P<message>.*)$"),
];
