import tomlkit


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


TEXT = """# top
title = "A \\u00e4"   # name
n = 1_000
f = -1.5e3
on = true
when = 1979-05-27T07:32:00Z
list = [ 1, 2,  # two
  3 ]

[owner]
name = 'x'
"quoted key" = \"\"\"a
b\"\"\"

[owner.deep]
inline = {a = 1, b = [true]}

[[items]]
id = 1
[[items]]
id = 2
  [items.sub]
  k = "v"
"""
document = tomlkit.parse(TEXT)
check(tomlkit.dumps(document), TEXT)
check((document["title"], document["n"], document["f"], document["on"]), ("A ä", 1000, -1500.0, True))
check((document["list"], document["owner"]["quoted key"], document["items"][1]["sub"]["k"]), ([1, 2, 3], "a\nb", "v"))
check((document["when"].year, document["owner"]["deep"]["inline"]["b"]), (1979, [True]))
document["n"] = 7
document["owner"]["new"] = "y"
document["list"].append(4)
del document["on"]
document["items"].append({"id": 3})
document["owner"]["deep"]["inline"]["c"] = 5
text = document.as_string()
check(("n = 7" in text, 'new = "y"' in text, "on = true" in text, "# top" in text), (True, True, False, True))
again = tomlkit.parse(text)
check((again["list"], len(again["items"]), again["owner"]["deep"]["inline"]["c"]), ([1, 2, 3, 4], 3, 5))
made = tomlkit.document()
made.add(tomlkit.comment("made"))
made.add(tomlkit.nl())
table = tomlkit.table()
table.add("b", 1)
table["a"] = [1, "x"]
made["t"] = table
array = tomlkit.array()
array.extend([1, 2])
array.multiline(True)
made["t"]["m"] = array
check(made.as_string(), '# made\n\n[t]\nb = 1\na = [1, "x"]\nm = [\n    1,\n    2,\n]\n')
check(tomlkit.dumps({"a": 1, "b": {"c": [1.5, True]}}), 'a = 1\n\n[b]\nc = [1.5, true]\n')
check(tomlkit.dumps({"z": 1, "a": 2}, sort_keys=True), "a = 2\nz = 1\n")
tables = tomlkit.aot()
tables.append(tomlkit.item({"k": 1}))
check(tomlkit.dumps({"l": tables}), "[[l]]\nk = 1\n")
check(tomlkit.inline_table().as_string(), "{}")
check(tomlkit.parse("a.b.c = 1\na.d = 2").unwrap(), {"a": {"b": {"c": 1}, "d": 2}})
check(tomlkit.parse("a = 0x1F\nb = 0o17\nc = inf\nd = 07:32:00\ne = 1979-05-27").unwrap()["a"], 31)
check(tomlkit.string("a\"b").as_string(), '"a\\"b"')
check(tomlkit.string("a", literal=True).as_string(), "'a'")
check(tomlkit.key_value("a = 1")[0].key, "a")
check(tomlkit.value("[1, 2]"), [1, 2])
check(document.get("none", 5), 5)
document.setdefault("extra", {"p": 1})
document.update({"title": "B"})
check((document.pop("title"), "title" in document, document["extra"]["p"]), ("B", False, 1))
check(list(tomlkit.parse("b = 1\na = 2\n").keys()), ["b", "a"])
check(tomlkit.parse("[a]\nx = 1\n[b]\n[a.c]\ny = 2\n")["a"]["c"]["y"], 2)


def error(text):
    try:
        tomlkit.parse(text)
    except tomlkit.exceptions.ParseError as error:
        return f"{type(error).__name__} {error.line}:{error.col}"
    except Exception as error:
        return type(error).__name__
    return None


check(error("a = 'x"), "UnexpectedEofError 1:6")
check(error("[a\n") is not None, True)
check(error("a = [1 2]"), "UnexpectedCharError 1:7")
check(error("a b = 1") is not None, True)
check(error("a = 1 b = 2") is not None, True)
check(error("a = 2020-13-01") is not None, True)
