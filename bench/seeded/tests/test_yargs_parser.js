const parse = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

check(parse('--a 1 -b --no-c --d=x y z'), { _: ['y', 'z'], a: 1, b: true, c: false, d: 'x' });
check(parse(['-abc', '5', '--', '-d']), { _: ['-d'], a: true, b: true, c: 5 });
check(parse('--foo-bar 1 --x.y.z 2'), { _: [], 'foo-bar': 1, fooBar: 1, x: { y: { z: 2 } } });
check(parse('--a 1 2 3 --b', { array: ['a'], boolean: ['b'] }), { _: [], a: [1, 2, 3], b: true });
check(parse('--a 1 --a 2'), { _: [], a: [1, 2] });
check(parse('--a 007 --b 0x1F --c 1e3', { string: ['a'] }), { _: [], a: '007', b: 31, c: 1000 });
check(parse('--p 1 2 x', { narg: { p: 2 } }), { _: ['x'], p: [1, 2] });
check(parse('', { default: { a: 3 }, alias: { a: ['b'] } }), { _: [], a: 3, b: 3 });
check(parse(['--a', 'x y', "--b='q r'"]), { _: [], a: 'x y', b: 'q r' });
check(parse('--a x -n5', { coerce: { a: (text) => text.toUpperCase() } }), { _: [], a: 'X', n: 5 });
check(parse('--a.b 1 --a.c 2', { configuration: { 'dot-notation': false } }), { _: [], 'a.b': 1, 'a.c': 2 });
check(parse('--a -- b', { configuration: { 'populate--': true } }), { _: [], a: true, '--': ['b'] });
check(parse('--foo-bar', { configuration: { 'camel-case-expansion': false } }), { _: [], 'foo-bar': true });
check(parse('--a 1 --a 2', { configuration: { 'duplicate-arguments-array': false } }), { _: [], a: 2 });
check(parse('--x 1 --zz 2 y', { number: ['x'], configuration: { 'unknown-options-as-args': true } }), { _: ['--zz', 2, 'y'], x: 1 });
check(parse('--no-a', { configuration: { 'boolean-negation': false } }), { _: [], 'no-a': true, noA: true });
check(parse('-a=1 -b2 -c-3'), { _: [], a: 1, b: 2, c: -3 });
process.env.SHOP_SIZE = '3';
check(parse('', { envPrefix: 'SHOP' }), { _: [], size: 3 });
check(parse('--n -5 --m=-1.5'), { _: [], n: -5, m: -1.5 });
check(parse('--a', { configObjects: [{ b: { c: 1 }, a: false }] }), { _: [], a: true, b: { c: 1 } });
check(parse('--big 9007199254740993'), { _: [], big: '9007199254740993' });
const detailed = parse.detailed('--foo-bar 1 --p', { narg: { p: 1 }, key: ['x'], string: ['foo-bar'] });
check([detailed.error && detailed.error.message, detailed.aliases['foo-bar'], detailed.argv.fooBar], ['Not enough arguments following: p', ['fooBar'], '1']);
check([parse.camelCase('foo-bar_baz'), parse.decamelize('fooBar'), parse.looksLikeNumber('0x1')], ['fooBarBaz', 'foo-bar', true]);
check(parse('--a.x 1', { alias: { a: ['b'] } }), { _: [], a: { x: 1 }, b: { x: 1 } });
check(parse('--flag false --other', { boolean: ['flag'] }), { _: [], flag: false, other: true });
check(parse('--arr a,b', { array: ['arr'], coerce: { arr: (list) => list[0].split(',') } }), { _: [], arr: ['a', 'b'] });
