const { marked } = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const options = { headerIds: false, mangle: false };
const html = (text, more) => marked.parse(text, { ...options, ...more });
check(html('# A\n\nb *c* **d** `e`'), '<h1>A</h1>\n<p>b <em>c</em> <strong>d</strong> <code>e</code></p>\n');
check(html('- a\n- b\n  - c\n'), '<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n');
check(html('3. a\n4. b'), '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n');
check(html('- [x] a\n- [ ] b').match(/<input /g).length, 2);
check(html('> a\n> b'), '<blockquote>\n<p>a\nb</p>\n</blockquote>\n');
check(html('```js\nx < 1\n```'), '<pre><code class="language-js">x &lt; 1\n</code></pre>\n');
check(html('[a](b "c") ![d](e.png)'), '<p><a href="b" title="c">a</a> <img src="e.png" alt="d"></p>\n');
check(html('[a][r]\n\n[r]: http://x "T"'), '<p><a href="http://x" title="T">a</a></p>\n');
check(html('a  \nb\n\n***\n\n    code'), '<p>a<br>b</p>\n<hr>\n<pre><code>code\n</code></pre>\n');
check(html('a\nb', { breaks: true }), '<p>a<br>b</p>\n');
check(html('~~a~~ https://b.c x@y.z'), '<p><del>a</del> <a href="https://b.c">https://b.c</a> <a href="mailto:x@y.z">x@y.z</a></p>\n');
check(html('| a | b |\n|:--|--:|\n| 1 | 2 |\n').match(/align="(\w+)"/g), ['align="left"', 'align="right"', 'align="left"', 'align="right"']);
check(html('<div>\n*x*\n</div>\n\na <i>b</i>'), '<div>\n*x*\n</div>\n\n<p>a <i>b</i></p>\n');
check(html('Title\n=====\n\nSub\n---'), '<h1>Title</h1>\n<h2>Sub</h2>\n');
check(marked.parse('# A b\n# A b', { mangle: false }), '<h1 id="a-b">A b</h1>\n<h1 id="a-b-1">A b</h1>\n');
check(marked.parseInline('*a* `b`'), '<em>a</em> <code>b</code>');
check(html('"a" -- b...', { smartypants: true }), '<p>“a” – b…</p>\n');
check(html('***a** b*'), '<p><em><strong>a</strong> b</em></p>\n');
check(html('\\*a\\* &amp; <b>'), '<p>*a* &amp; <b></p>\n');
check(marked.lexer('# a\n\n- b\n\nc').map((token) => token.type).filter((type) => type !== 'space'), ['heading', 'list', 'paragraph']);
check(html('1. a\n\n   b\n2. c'), '<ol>\n<li><p>a</p>\n<p>b</p>\n</li>\n<li><p>c</p>\n</li>\n</ol>\n');
const seen = [];
marked.use({ renderer: { heading: (text, level) => `<${level}:${text}>` }, walkTokens: (token) => seen.push(token.type) });
check(html('## a'), '<2:a>');
check(seen, ['heading', 'text']);
marked.use({ extensions: [{ name: 'under', level: 'inline', start: (text) => text.indexOf(':'), tokenizer(text) { const m = /^:(\w+):/.exec(text); return m ? { type: 'under', raw: m[0], text: m[1] } : undefined; }, renderer: (token) => `<u>${token.text}</u>` }] });
check(html('a :b: c'), '<p>a <u>b</u> c</p>\n');
check(html('[a](<b c>)', { baseUrl: 'http://x/' }), '<p><a href="http://x/b%20c">a</a></p>\n');
