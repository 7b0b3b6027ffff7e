import pathspec
from pathspec.patterns import GitWildMatchPattern


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


NAMES = ["a.py", "b/a.py", "b/c/a.pyc", "doc/x.md", "doc/y/z.md", "build/o", "x/build/o", "t e.txt", "!odd", "#odd"]


def matched(*lines):
    return sorted(pathspec.PathSpec.from_lines("gitwildmatch", lines).match_files(NAMES))


check(matched("*.py"), ["a.py", "b/a.py"])
check(matched("/*.py"), ["a.py"])
check(matched("*.py[co]"), ["b/c/a.pyc"])
check(matched("build/"), ["build/o", "x/build/o"])
check(matched("/build"), ["build/o"])
check(matched("doc/**/z.md"), ["doc/y/z.md"])
check(matched("doc/**"), ["doc/x.md", "doc/y/z.md"])
check(matched("**/c/*"), ["b/c/a.pyc"])
check(matched("doc/*.md", "!doc/x.md"), [])
check(matched("doc", "!doc/x.md"), ["doc/y/z.md"])
check(matched("\\!odd", "\\#odd"), ["!odd", "#odd"])
check(matched("# note", "", "t?e.txt"), ["t e.txt"])
check(matched("t e.txt  "), ["t e.txt"])
check(matched("[ab].py"), ["a.py", "b/a.py"])
check(matched("[!a].py"), [])
check(matched("**"), sorted(NAMES))
check(matched("doc/**/**/x.md"), ["doc/x.md"])
spec = pathspec.PathSpec.from_lines("gitwildmatch", ["*.md"])
check((spec.match_file("a/b.md"), spec.match_file("b.txt"), len(spec)), (True, False, 1))
check(spec == pathspec.PathSpec.from_lines("gitwildmatch", ["*.md"]), True)
both = spec + pathspec.PathSpec.from_lines("gitwildmatch", ["*.txt"])
check(both.match_file("a.txt"), True)
check(GitWildMatchPattern("!a").include, False)
check(GitWildMatchPattern("").include, None)
check(GitWildMatchPattern.escape("a*[b]?"), "a\\*\\[b\\]\\?")
check(GitWildMatchPattern("a/b") == GitWildMatchPattern("a/b"), True)
check(pathspec.util.normalize_file("./a\\b", separators=["\\"]), "a/b")
check(pathspec.lookup_pattern("gitwildmatch") is GitWildMatchPattern, True)
import os
import tempfile
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(folder + "/p/q")
    for name in ["p/a.md", "p/q/b.md", "p/c.txt"]:
        open(os.path.join(folder, name), "w").close()
    check(sorted(spec.match_tree(folder)), ["p/a.md", "p/q/b.md"])
    check(sorted(entry.path for entry in pathspec.util.iter_tree_entries(folder)), ["p", "p/a.md", "p/c.txt", "p/q", "p/q/b.md"])
    check(sorted(pathspec.util.iter_tree_files(folder)), ["p/a.md", "p/c.txt", "p/q/b.md"])
