const ejs = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const fs = require('fs');
const os = require('os');
const path = require('path');

check(ejs.render('<%= a %> <%- b %>', { a: '<x>', b: '<y>' }), '&lt;x&gt; <y>');
check(ejs.render('<% for (const n of ns) { %>[<%= n %>]<% } %>', { ns: [1, 2] }), '[1][2]');
check(ejs.render('a\n<%# note %>\n<%% b %>'), 'a\n\n<% b %>');
check(ejs.render('<% if (a) { -%>\nyes\n<% } -%>\nend', { a: true }), 'yes\nend');
check(ejs.render('  <%_ if (a) { _%>\n  yes\n  <%_ } _%>\n', { a: true }), '  yes\n');
check(ejs.render('<?= a ?>', { a: 1 }, { delimiter: '?' }), '1');
check(ejs.render('<p>\n<%= it.a %>\n</p>', { a: 1 }, { _with: false, localsName: 'it' }), '<p>\n1\n</p>');
check(ejs.render('  a\n   b', {}, { rmWhitespace: true }), 'a\nb');
check(ejs.render('<%= a %>', { a: 'x' }, { escape: (text) => `(${text})` }), '(x)');
check(ejs.compile('<%= a %>!', { strict: false })({ a: 'hi' }), 'hi!');
check(typeof ejs.compile('<%= a %>', { client: true })({ a: 1 }), 'string');
check(ejs.escapeXML('&<>"\''), '&amp;&lt;&gt;&#34;&#39;');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ejs-'));
fs.writeFileSync(path.join(folder, 'part.ejs'), '(<%= name %>)');
fs.writeFileSync(path.join(folder, 'page.ejs'), "<%- include('part', {name: a}) %> <%- include('/part', {name: 2}) %>");
const page = path.join(folder, 'page.ejs');
ejs.renderFile(page, { a: 1 }, { root: folder }, (error, text) => check([error, text], [null, '(1) (2)']));
ejs.renderFile(path.join(folder, 'none.ejs'), {}, (error) => check(error.code, 'ENOENT'));
check(ejs.resolveInclude('part', page), path.join(folder, 'part.ejs'));
check(ejs.render("<%- include('part', {name: 3}) %>", {}, { filename: page, cache: true }), '(3)');
ejs.clearCache();
function error(text, data, options) {
  try {
    ejs.render(text, data, options);
  } catch (error) {
    return [error.name, error.message.split('\n')[0]];
  }
  return null;
}
check(error('a\n<%= b.c %>', { b: null }), ['TypeError', 'ejs:2']);
check(error('a\n<%= b.c %>', { b: null }, { compileDebug: false })[0], 'TypeError');
check(error('<% if (1) { %>', {})[0], 'SyntaxError');
check(error('<%= a ', {}), ['Error', 'Could not find matching close tag for "<%=".']);
fs.rmSync(folder, { recursive: true });
