const mustache = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const { render } = mustache;
check(render('{{a}} {{{b}}} {{&b}} {{c.d}}', { a: '<', b: '>', c: { d: 1 } }), '&lt; > > 1');
check(render('{{#list}}[{{.}}]{{/list}}{{^none}}-{{/none}}', { list: [1, 2] }), '[1][2]-');
check(render('{{#people}}\n{{name}}{{#last}}!{{/last}}\n{{/people}}', { people: [{ name: 'a' }, { name: 'b', last: true }] }), 'a\nb!\n');
check(render('{{! note }}{{=<% %>=}}<% a %>', { a: 1 }), '1');
check(render('{{> p}}', { a: 2 }, { p: '({{a}})' }), '(2)');
check(render('{{#f}}x{{/f}}', { f: () => (text, draw) => `<${draw(text)}>` }), '<x>');
check(render('{{f}}{{o.g}}', { f: () => 'a', o: { g() { return 'b'; } } }), 'ab');
check(render('{{#a}}{{b}}{{/a}}', { a: {}, b: 3 }), '3');
check(render('{{a}}', { a: 0 }) + render('{{a}}', { a: null }), '0');
check(render('{{"x"}}{{length}}', { '"x"': 1, length: 2 }), '12');
check(render('a\n  {{#b}}\n  c\n  {{/b}}\nd', { b: true }), 'a\n  c\nd');
check(render('[[a]]', { a: 1 }, {}, ['[[', ']]']), '1');
check(mustache.parse('a{{b}}{{#c}}d{{/c}}').map((token) => token[0]), ['text', 'name', '#']);
check(mustache.escape('<a href="x">&\'/`=</a>'), '&lt;a href&#x3D;&quot;x&quot;&gt;&amp;&#39;&#x2F;&#x60;&#x3D;&lt;&#x2F;a&gt;');
check(new mustache.Context({ a: { b: 1 } }).push({ c: 2 }).lookup('a.b'), 1);
const scanner = new mustache.Scanner('ab cd');
check([scanner.scan(/a/), scanner.scanUntil(/c/), scanner.eos(), scanner.tail], ['a', 'b ', false, 'cd']);
const writer = new mustache.Writer();
check(writer.render('{{a}}', { a: 'x' }) + writer.render('{{a}}', { a: 'y' }), 'xy');
writer.clearCache();
function error(text, ...more) {
  try {
    render(text, {}, ...more);
  } catch (error) {
    return error.message;
  }
  return null;
}
check(error('a {{#b}}'), 'Unclosed section "b" at 8');
check(error('{{/b}}'), 'Unopened section "b" at 0');
check(error('{{#a}}{{/b}}'), 'Unclosed section "a" at 6');
check(error('{{a'), 'Unclosed tag at 3');
check(error('x', {}, ['<']), 'Invalid tags: <');
check(error(1), 'Invalid template! Template should be a "string" but "number" was given as the first argument for mustache#render(template, view, partials)');
