const qs = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const { parse, stringify } = qs;
check(parse('a=1&b[c]=2&b[d][e]=3'), { a: '1', b: { c: '2', d: { e: '3' } } });
check(parse('a[]=1&a[]=2&b[1]=y&b[0]=x'), { a: ['1', '2'], b: ['x', 'y'] });
check(parse('a=1&a=2'), { a: ['1', '2'] });
check(parse('a[100]=x'), { a: { 100: 'x' } });
check(parse('a[b][c][d][e][f][g]=1', { depth: 2 }), { a: { b: { c: { '[d][e][f][g]': '1' } } } });
check(parse('?a=1;b=2', { ignoreQueryPrefix: true, delimiter: ';' }), { a: '1', b: '2' });
check(parse('a.b=1', { allowDots: true }), { a: { b: '1' } });
check(parse('a&b=', { strictNullHandling: true }), { a: null, b: '' });
check(parse('a=b%20c+d%26'), { a: 'b c d&' });
check(parse('a=1&b=2&c=3', { parameterLimit: 2 }), { a: '1', b: '2' });
check(parse('a=x', { decoder: (text) => text.toUpperCase() }), { A: 'X' });
check(parse('a[]=b&a=c'), { a: ['b', 'c'] });
check(parse('a=b&a[0]=c'), { a: ['b', 'c'] });
check(parse('a[0]=b&a[c]=d'), { a: { 0: 'b', c: 'd' } });
check(parse('toString=x&a=1'), { a: '1' });
check(parse({ 'a[b]': 'c' }), { a: { b: 'c' } });
check(parse('a[2]=x&a[5]=y', { parseArrays: true }), { a: ['x', 'y'] });
check(parse('a[0]=x', { parseArrays: false }), { a: { 0: 'x' } });
check(parse('a%5Bb%5D=c'), { a: { b: 'c' } });
check(parse(''), {});
check(stringify({ a: 1, b: { c: [2, 3] } }), 'a=1&b%5Bc%5D%5B0%5D=2&b%5Bc%5D%5B1%5D=3');
check(stringify({ a: ['x', 'y'] }, { encode: false, arrayFormat: 'brackets' }), 'a[]=x&a[]=y');
check(stringify({ a: ['x', 'y'] }, { indices: false }), 'a=x&a=y');
check(stringify({ a: { b: 1 } }, { allowDots: true }), 'a.b=1');
check(stringify({ a: null, b: '', c: undefined }), 'a=&b=');
check(stringify({ a: null }, { strictNullHandling: true }), 'a');
check(stringify({ a: null, b: 1 }, { skipNulls: true }), 'b=1');
check(stringify({ b: 1, a: 2 }, { sort: (x, y) => x.localeCompare(y), addQueryPrefix: true }), '?a=2&b=1');
check(stringify({ a: 'b c ä' }), 'a=b%20c%20%C3%A4');
check(stringify({ a: 'b c' }, { format: 'RFC1738' }), 'a=b+c');
check(stringify({ a: 1, b: 2 }, { filter: ['b'] }), 'b=2');
check(stringify({ a: new Date(0) }), 'a=1970-01-01T00%3A00%3A00.000Z');
check(stringify({ a: 'ä b' }, { encodeValuesOnly: true }), 'a=%C3%A4%20b');
check(stringify({ a: true }, { delimiter: ';', encoder: (text) => `<${text}>` }), '<a>=<true>');
check(qs.formats.default, 'RFC3986');
