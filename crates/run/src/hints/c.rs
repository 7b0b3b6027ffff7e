//! Patterns for gcc and clang. Warnings are ignored, even about names that will be missing later:
//! whether a warning is printed depends on which files happened to be built again.

use super::pattern::{Pattern, file, name, position};

pub(super) const PATTERNS: &[Pattern] = &[
    file(
        r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: fatal error: '?(?P<path>[^:'\n]+)'?(?:: No such file or directory| file not found)$",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<message>.*(?:undeclared|not been declared|was not declared|unknown type|no member|not a member|does not name a type|redefinition|incomplete type|use of undeclared|no matching|no type named|conflicting types|too (?:few|many) arguments).*)$",
    ),
    name(
        r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::\d+)?: error: (?P<message>(?:implicit declaration of|call to undeclared)[^\n;]*)",
    ),
    position(
        r"(?m)^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<message>.*)$",
    ),
];
