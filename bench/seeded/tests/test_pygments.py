import pygments
from pygments import formatters, lexers, styles, token


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


def kinds(name, text):
    tokens = lexers.get_lexer_by_name(name).get_tokens(text)
    return [f"{str(kind)[6:]}={word}" for kind, word in tokens if word.strip()]


check(kinds("python", "def f(a): return 'x' + 1  # n")[:2], ["Keyword=def", "Name.Function=f"])
check(kinds("python", "x = f'{a!r:>4}' or 0x1F")[-1], "Literal.Number.Hex=0x1F")
check(kinds("python", "@a\nasync def f(): await g()")[:2], ["Name.Decorator=@a", "Keyword=async"])
check(kinds("c", "int main(void) { return 0; } // x")[:2], ["Keyword.Type=int", "Name.Function=main"])
check(kinds("js", "const a = /x/g; `b${c}`")[:2], ["Keyword.Declaration=const", "Name.Other=a"])
check(kinds("json", '{"a": [1, true, null]}')[1], 'Name.Tag="a"')
check(kinds("html", "<p class='x'>y</p><!-- z -->")[1], "Name.Tag=p")
check(kinds("bash", "if [ $a ]; then echo \"$b\"; fi")[0], "Keyword=if")
check(kinds("rust", "fn main() { let x: u8 = 1; }")[:2], ["Keyword=fn", "Name.Function=main"])
check(kinds("sql", "SELECT a FROM b WHERE c = 'd'")[0], "Keyword=SELECT")
check(kinds("yaml", "a: 1\nb:\n  - c\n")[0], "Name.Tag=a")
check(kinds("css", "a { color: #fff }")[0], "Name.Tag=a")
check(kinds("java", "class A { int b = 1; }")[:2], ["Keyword.Declaration=class", "Name.Class=A"])
check(kinds("go", "func f() int { return 1 }")[0], "Keyword.Declaration=func")
check(kinds("ini", "[a]\nb = c\n")[0], "Keyword=[a]")
check(kinds("toml", "a = 1\n[b]\nc = \"d\"\n")[0].split("=")[1].strip(), "a")
check(kinds("make", "all: a\n\techo $(b)\n")[0], "Name.Function=all")
check(kinds("pycon", ">>> 1\n1\n")[0], "Generic.Prompt=>>> ")
check(kinds("swift", "let a = 1")[0], "Keyword.Declaration=let")
check(kinds("lua", "local a = 1 -- b")[0].split("=")[1], "local")
check(kinds("php", "<?php echo $a; ?>")[1], "Keyword=echo")
check(kinds("markdown", "# a\n\n*b*\n")[0], "Generic.Heading=# a")
check(kinds("console", "$ ls\na\n")[0], "Generic.Prompt=$ ")
html = pygments.highlight("x = 1", lexers.PythonLexer(), formatters.HtmlFormatter(linenos="table", hl_lines=[1]))
check(('class="linenos"' in html, 'class="hll"' in html, '<span class="mi">1</span>' in html), (True, True, True))
check(pygments.highlight("x = 1", lexers.PythonLexer(), formatters.NullFormatter()), "x = 1\n")
check("\x1b[" in pygments.highlight("def f(): pass", lexers.PythonLexer(), formatters.TerminalFormatter()), True)
check("38;5;" in pygments.highlight("def f(): pass", lexers.PythonLexer(), formatters.Terminal256Formatter()), True)
check("\\PY{k}{def}" in pygments.highlight("def f(): pass", lexers.PythonLexer(), formatters.LatexFormatter()), True)
check("<svg" in pygments.highlight("a", lexers.PythonLexer(), formatters.SvgFormatter()), True)
check("\\rtf" in pygments.highlight("a", lexers.PythonLexer(), formatters.RtfFormatter()), True)
check("[code]" in pygments.highlight("a", lexers.PythonLexer(), formatters.BBCodeFormatter(codetag=True)), True)
check(".k { " in formatters.HtmlFormatter().get_style_defs(), True)
check(lexers.get_lexer_for_filename("a.py").name, "Python")
check(lexers.guess_lexer("#!/usr/bin/python\nprint(1)").name, "Python")
check(lexers.guess_lexer_for_filename("a.html", "<html>").name, "HTML")
check(styles.get_style_by_name("default").style_for_token(token.Keyword)["bold"], True)
check(token.Name.Function in token.Name, True)
check(len(list(lexers.get_all_lexers())) > 400, True)
