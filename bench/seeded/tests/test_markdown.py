import markdown


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


def html(text, *extensions, **options):
    return markdown.markdown(text, extensions=[f"markdown.extensions.{name}" for name in extensions], **options)


check(html("# Title\n\nText *a* **b** `c`"), "<h1>Title</h1>\n<p>Text <em>a</em> <strong>b</strong> <code>c</code></p>")
check(html("* a\n* b\n    1. c\n"), "<ul>\n<li>a</li>\n<li>b<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>")
check(html("[x](http://a.b 'T') ![i](p.png)"), '<p><a href="http://a.b" title="T">x</a> <img alt="i" src="p.png" /></p>')
check(html("[x][1]\n\n[1]: http://a.b"), '<p><a href="http://a.b">x</a></p>')
check(html("> q\n\n---\n\n    code"), "<blockquote>\n<p>q</p>\n</blockquote>\n<hr />\n<pre><code>code\n</code></pre>")
check(html("<div>\n*a*\n</div>\n\n<b>x</b>"), "<div>\n*a*\n</div>\n\n<p><b>x</b></p>")
check(html("<http://a.b> &amp; &copy; a\\*b"), '<p><a href="http://a.b">http://a.b</a> &amp; &copy; a*b</p>')
table = html("| a | b |\n|---|:-:|\n| 1 | `2|3` |", "tables")
check((table.count("<th"), table.count("<td"), "<code>2|3</code>" in table), (3, 2, True))
check(html("```python\nx = 1\n```", "fenced_code"), '<pre><code class="language-python">x = 1\n</code></pre>')
check("footnote-ref" in html("a[^1]\n\n[^1]: Note", "footnotes"), True)
check(html("a\n:   b", "def_list"), "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>")
check(html("The HTML\n\n*[HTML]: Hyper", "abbr"), '<p>The <abbr title="Hyper">HTML</abbr></p>')
check(html("# A {#b .c}", "attr_list"), '<h1 class="c" id="b">A</h1>')
toc = markdown.Markdown(extensions=["markdown.extensions.toc"])
check(toc.convert("# A b\n\n## C"), '<h1 id="a-b">A b</h1>\n<h2 id="c">C</h2>')
check((toc.toc.count("<li>"), toc.toc_tokens[0]["children"][0]["name"]), (2, "C"))
meta = markdown.Markdown(extensions=["markdown.extensions.meta"])
check((meta.convert("Key: value\n\ntext"), meta.Meta), ("<p>text</p>", {"key": ["value"]}))
check(html("!!! note \"T\"\n    text", "admonition"), '<div class="admonition note">\n<p class="admonition-title">T</p>\n<p>text</p>\n</div>')
check(html('"a" -- b...', "smarty"), "<p>&ldquo;a&rdquo; &ndash; b&hellip;</p>")
check(html("a\nb", "nl2br"), "<p>a<br />\nb</p>")
check(html("1. a\n\n2. b", "sane_lists"), "<ol>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>")
check(html("a_b_c __d__", output_format="html"), "<p>a_b_c <strong>d</strong></p>")
check(html('<div markdown="1">\n*a*\n</div>', "md_in_html"), "<div>\n<p><em>a</em></p>\n</div>")
