import mistune


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


plain = mistune.create_markdown()
rich = mistune.create_markdown(plugins=["strikethrough", "table", "footnotes", "task_lists", "def_list", "abbr", "url", "math", "mark", "superscript"])
check(plain("# A\n\nb *c* **d** `e`"), "<h1>A</h1>\n<p>b <em>c</em> <strong>d</strong> <code>e</code></p>\n")
check(plain("- a\n- b\n  - c\n"), "<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n")
check(plain("3. a\n4. b"), '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n')
check(plain("> a\n> b"), "<blockquote>\n<p>a\nb</p>\n</blockquote>\n")
check(plain("```py\nx < 1\n```"), '<pre><code class="language-py">x &lt; 1\n</code></pre>\n')
check(plain("[a](b \"c\") ![d](e.png)"), '<p><a href="b" title="c">a</a> <img src="e.png" alt="d" /></p>\n')
check(plain("[a][r]\n\n[r]: http://x 'T'"), '<p><a href="http://x" title="T">a</a></p>\n')
check(plain("a  \nb\n\n***\n\n    code"), "<p>a<br />\nb</p>\n<hr />\n<pre><code>code</code></pre>\n")
check(rich("~~a~~ ==b== ^c^"), "<p><del>a</del> <mark>b</mark> <sup>c</sup></p>\n")
table = rich("| a | b |\n|:--|--:|\n| 1 | 2 |\n")
check((table.count("<th"), table.count("<td"), "text-align:right" in table), (3, 2, True))
check("checkbox" in rich("- [x] a\n- [ ] b"), True)
check(rich("a\n: b\n"), "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n")
check("<sup" in rich("a[^1]\n\n[^1]: n"), True)
check('<a href="https://a.b">' in rich("see https://a.b now"), True)
check(rich("$a$"), '<p><span class="math">\\(a\\)</span></p>\n')
check("<abbr" in rich("HTML\n\n*[HTML]: H\n"), True)
tree = mistune.create_markdown(renderer="ast")("# A\n\n- b")
check([node["type"] for node in tree if node["type"] != "blank_line"], ["heading", "list"])
from mistune.renderers.markdown import MarkdownRenderer
from mistune.renderers.rst import RSTRenderer
again = mistune.create_markdown(renderer=MarkdownRenderer())
check(again("# A\n\n- b\n- c\n\n> d"), "# A\n\n- b\n- c\n\n> d\n")
check("**b**" in mistune.create_markdown(renderer=RSTRenderer())("# A\n\n**b**"), True)
from mistune.toc import add_toc_hook
toc = mistune.create_markdown()
add_toc_hook(toc)
text, state = toc.parse("# A\n\n## B\n")
check(len(state.env["toc_items"]), 2)
