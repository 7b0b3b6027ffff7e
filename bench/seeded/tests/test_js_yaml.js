const yaml = require(process.cwd() + '/lib/js-yaml.js');

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const load = (text, options) => yaml.safeLoad(text, options);
function error(text) {
  try {
    load(text);
  } catch (error) {
    return error.message.split('\n')[0];
  }
  return null;
}
check(load('a: 1\nb: [x, "y", 3.5, true, null, ~]\nc: {d: e}\n'), { a: 1, b: ['x', 'y', 3.5, true, null, null], c: { d: 'e' } });
check(load('- a\n-\n  - b\n- c: 1\n  d: 2\n'), ['a', ['b'], { c: 1, d: 2 }]);
check(load('a: |\n  x\n   y\nb: >-\n  p\n  q\n\n  r\n'), { a: 'x\n y\n', b: 'p q\nr' });
check(load('a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n'), { a: { k: 1 }, b: { k: 1 }, c: { k: 1, l: 2 } });
check(load('0x1F: 0b11\no: 017\nf: 1e3\ns: 1_000\nn: -.inf'), { 31: 3, o: 15, f: 1000, s: 1000, n: null });
check(load('d: 2001-12-14t21:59:43.10-05:00').d.toISOString(), '2001-12-15T02:59:43.100Z');
check(load("'it''s': \"a\\tb\\u0041\\x42\\\n  c\""), { "it's": 'a\tbABc' });
check(load('!!set {a, b}\n') !== undefined, true);
check(load('--- a\n...\n'), 'a');
check(load('? a\n: b\n# note\n'), { a: 'b' });
const documents = [];
yaml.safeLoadAll('---\na\n---\nb\n', (it) => documents.push(it));
check(documents, ['a', 'b']);
check(load('{"a": 1, "b": [1, 2,]}'), { a: 1, b: [1, 2] });
check(load('!!binary aGk=').toString(), 'hi');
check(load('!!omap [a: 1, b: 2]'), [{ a: 1 }, { b: 2 }]);
check(error('[a'), 'unexpected end of the stream within a flow collection at line 2, column 1:');
check(error('a: 1\na: 2'), 'duplicated mapping key at line 2, column 1:');
check(error('*x'), 'unidentified alias "x" at line 1, column 3:');
check(error('"a'), 'unexpected end of the stream within a double quoted scalar at line 2, column 1:');
check(error('a\n b: 1\n\tc') !== null, true);
check(yaml.safeDump({ a: 1, b: ['x', null, true], c: { d: 'e f', g: '' } }), "a: 1\nb:\n  - x\n  - null\n  - true\nc:\n  d: e f\n  g: ''\n");
check(yaml.safeDump('a\nb\n'), '|\n  a\n  b\n');
check(yaml.safeDump({ b: 1, a: 2 }, { sortKeys: true }), 'a: 2\nb: 1\n');
check(yaml.safeDump({ a: [1, { b: 2 }] }, { flowLevel: 1 }), 'a: [1, {b: 2}]\n');
check(yaml.safeDump(['true', '1', ' x', '#', 'a: b', "it's"]), "- 'true'\n- '1'\n- ' x'\n- '#'\n- 'a: b'\n- it's\n");
check(yaml.safeDump(new Date(0)), '1970-01-01T00:00:00.000Z\n');
const shared = { x: 1 };
check(yaml.safeDump([shared, shared]), '- &ref_0\n  x: 1\n- *ref_0\n');
check(yaml.safeDump('long '.repeat(30).trim()).split('\n').length > 2, true);
check(yaml.safeDump([1.5, 1e21, -0, NaN, Infinity]), '- 1.5\n- 1e+21\n- -0.0\n- .nan\n- .inf\n');
const type = new yaml.Type('!point', { kind: 'sequence', construct: ([x, y]) => ({ x, y }) });
check(yaml.load('!point [1, 2]', { schema: yaml.Schema.create([type]) }), { x: 1, y: 2 });
