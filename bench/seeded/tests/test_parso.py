import parso


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


grammar = parso.load_grammar(version="3.8")
TEXT = "def f(a, *, b=1):\n    return a + b\n\nclass C(object):\n    x: int = 3\n"
module = grammar.parse(TEXT)
check([node.type for node in module.children], ["funcdef", "classdef", "endmarker"])
f = next(module.iter_funcdefs())
check((f.name.value, [p.name.value for p in f.get_params()]), ("f", ["a", "b"]))
check(f.get_params()[1].default.value, "1")
check((f.start_pos, f.end_pos), ((1, 0), (3, 0)))
check([r.get_code().strip() for r in f.iter_return_stmts()], ["return a + b"])
check(next(module.iter_classdefs()).get_super_arglist().value, "object")
check(module.get_code(), TEXT)
check(module.get_leaf_for_position((2, 11)).value, "a")
check(sorted(module.get_used_names()), ["C", "a", "b", "f", "int", "object", "x"])
check(module.get_first_leaf().value, "def")
check(f.name.get_next_leaf().value, "(")
check(grammar.refactor(module, {f.name: "g"}).startswith("def"), True)
check(grammar.parse("if 1:\n  a\nelse:\n  b\n").children[0].type, "if_stmt")
check(grammar.parse("x = f'a{b!r:>{c}}'\n").get_code(), "x = f'a{b!r:>{c}}'\n")


def errors(text):
    return [issue.message for issue in grammar.iter_errors(grammar.parse(text))]


check(errors("a = 1\n"), [])
check(errors("a +\n"), ["SyntaxError: invalid syntax"])
check(errors("return 1\n"), ["SyntaxError: 'return' outside function"])
check(errors("continue\n"), ["SyntaxError: 'continue' not properly in loop"])
check(errors("def f(a, a): pass\n"), ["SyntaxError: duplicate argument 'a' in function definition"])
check(errors("def f():\n  x = 1\n   y = 2\n"), ["IndentationError: unexpected indent"])
check(errors("f() = 1\n")[0].startswith("SyntaxError: can"), True)
check(errors("(a := 1)\n"), [])
check(errors("from a import *\nx = 'é'\n"), [])
check(errors("nonlocal x\n"), ["SyntaxError: nonlocal declaration not allowed at module level"])
check(errors("async def f():\n    await g()\n    async with a as b: pass\n"), [])
check(errors("def f():\n    global x\n    x = 1\n"), [])
check(errors("del f()\n") != [], True)
check(errors("f(a=1, 2)\n"), ["SyntaxError: positional argument follows keyword argument"])
check(errors("f'{a!x}'\n") != [], True)
check(errors("x: int = 3\nwith a, b as c: pass\n"), [])
check(errors("try:\n    pass\nexcept:\n    pass\nexcept A:\n    pass\n"), ["SyntaxError: default 'except:' must be last"])
check(errors("*a = b\n"), ["SyntaxError: starred assignment target must be in a list or tuple"])
check(parso.split_lines("a\nb\r\nc", keepends=True), ["a\n", "b\r\n", "c"])
check(parso.python_bytes_to_unicode(b"# coding: latin-1\n\xe4"), "# coding: latin-1\nä")
normal = grammar._get_normalizer_issues(grammar.parse("x=1\n"))
check(sorted(issue.code for issue in normal), [225, 225])
first = grammar.parse("a = 1\nb = 2\n", cache=False, diff_cache=False)
check(first.children[1].get_start_pos_of_prefix(), (2, 0))
