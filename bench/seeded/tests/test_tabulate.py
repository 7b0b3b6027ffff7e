from tabulate import simple_separated_format, tabulate, tabulate_formats


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


ROWS = [["spam", 41.9999, 1], ["eggs", "451.0", None], ["ä b", -3, 12345678]]
check(tabulate([[1, 2], [3, 4]]), "-  -\n1  2\n3  4\n-  -")
check(tabulate(ROWS, headers=["name", "n", "id"], tablefmt="plain"), "name           n        id\nspam     41.9999         1\neggs    451\nä b      -3       12345678")
check(tabulate(ROWS, tablefmt="github", headers=["a", "b", "c"]).splitlines()[1].count("|"), 4)
for name in ["grid", "fancy_grid", "pipe", "orgtbl", "jira", "presto", "pretty", "psql", "rst", "mediawiki", "html", "latex", "latex_booktabs", "textile", "tsv", "simple", "moinmoin", "youtrack", "unsafehtml", "latex_raw"]:
    text = tabulate([["a<b", 1.5], ["c", 22]], headers=["h1", "h2"], tablefmt=name)
    check((name, "h1" in text and "22" in text, text.count("\n") > 1), (name, True, True))
check(tabulate([["a", 1]], headers=["x", "y"], tablefmt="grid"), "+-----+-----+\n| x   |   y |\n+=====+=====+\n| a   |   1 |\n+-----+-----+")
check(tabulate([["a", 1]], tablefmt="html"), "<table>\n<tbody>\n<tr><td>a</td><td style=\"text-align: right;\">1</td></tr>\n</tbody>\n</table>")
check(tabulate([[1.123456, 2]], floatfmt=".2f", tablefmt="plain"), "1.12  2")
check(tabulate([[1.5, 2.25]], floatfmt=("", ".1f"), tablefmt="plain"), "1.5  2.2")
check(tabulate([{"a": 1, "b": 2}, {"a": 3, "c": 4}], headers="keys", tablefmt="plain"), "  a    b    c\n  1    2\n  3         4")
check(tabulate({"x": [1, 2], "y": [3]}, headers="keys", tablefmt="plain"), "  x    y\n  1    3\n  2")
check(tabulate([["h", "i"], [1, 2]], headers="firstrow", tablefmt="plain"), "  h    i\n  1    2")
check(tabulate([["a", "b"]], showindex=True, tablefmt="plain"), "0  a  b")
check(tabulate([["a"], ["b"]], showindex=["r", "s"], tablefmt="plain"), "r  a\ns  b")
check(tabulate([["1", "0x1"]], disable_numparse=True, tablefmt="plain"), "1  0x1")
check(tabulate([["a", "b"]], colalign=("right", "center"), headers=["long", "other"], tablefmt="plain"), "  long   other\n     a     b")
check(tabulate([[1, "a"]], stralign="right", numalign="left", headers=["num", "str"], tablefmt="plain"), "num      str\n1          a")
check(tabulate([["a\nb", 1]], tablefmt="grid").count("\n"), 3)
check(tabulate([["a", None]], missingval="?", tablefmt="plain"), "a  ?")
check(tabulate([["\x1b[31mred\x1b[0m", 1], ["x", 2]], tablefmt="plain"), "\x1b[31mred\x1b[0m  1\nx    2")
check(tabulate([], headers=["a", "b"], tablefmt="plain"), "a    b")
check(tabulate([["a", 1]], tablefmt=simple_separated_format(";")), "a;1")
check(tabulate([[True, False]], tablefmt="plain"), "True  False")
check(tabulate([["1,000", 2]], tablefmt="plain"), "1,000  2")
check(tabulate(iter([(1, 2)]), tablefmt="plain"), "1  2")
check("grid" in tabulate_formats, True)
check(tabulate([["a" * 5, "b"]], headers=["x", "y"], tablefmt="rst"), "=====  ===\nx      y\n=====  ===\naaaaa  b\n=====  ===")
from collections import namedtuple
Point = namedtuple("Point", "x y")
check(tabulate([Point(1, 2)], headers="keys", tablefmt="plain"), "  x    y\n  1    2")
