const match = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const matches = (pattern, names, options) => names.filter((name) => match.isMatch(name, pattern, options));
check(matches('*.js', ['a.js', 'b/a.js', '.a.js', 'a.md']), ['a.js']);
check(matches('**/*.js', ['a.js', 'b/a.js', 'b/c/a.js', '.b/a.js']), ['a.js', 'b/a.js', 'b/c/a.js']);
check(matches('a/**', ['a', 'a/', 'a/b', 'a/b/c', 'b']), ['a', 'a/', 'a/b', 'a/b/c']);
check(matches('*.{js,md}', ['a.js', 'a.md', 'a.txt']), ['a.js', 'a.md']);
check(matches('a?c', ['abc', 'ac', 'a/c']), ['abc']);
check(matches('[a-c]x', ['ax', 'dx', 'cx']), ['ax', 'cx']);
check(matches('[[:digit:]]*', ['1', 'a1', '9z'], { posix: true }), ['1', '9z']);
check(matches('!(*.js)', ['a.js', 'a.md']), ['a.md']);
check(matches('@(a|b).js', ['a.js', 'b.js', 'ab.js']), ['a.js', 'b.js']);
check(matches('+(ab)', ['ab', 'abab', 'aab']), ['ab', 'abab']);
check(matches('*(a|b)c', ['c', 'abc', 'dc']), ['c', 'abc']);
check(matches('?(a)b', ['b', 'ab', 'aab']), ['b', 'ab']);
check(matches('!*.js', ['a.js', 'a.md']), ['a.md']);
check(matches('*', ['.a', 'a'], { dot: true }), ['.a', 'a']);
check(matches('A*', ['ab', 'Ab'], { nocase: true }), ['ab', 'Ab']);
check(matches('*.js', ['a/b.js'], { basename: true }), ['a/b.js']);
check(matches('a\\*', ['a*', 'ab']), ['a*']);
check(matches('{1..3}', ['2', '4']), ['2']);
check(matches('{a,b}/{c,d}', ['a/c', 'b/d', 'a/e']), ['a/c', 'b/d']);
check(matches(['*.js', '*.md'], ['a.js', 'a.md', 'a.c']), ['a.js', 'a.md']);
check(matches('**', ['a/b', '.a'], { ignore: 'a/**' }), []);
check(matches('a/{b,c}/**/*.js', ['a/b/x.js', 'a/c/d/x.js', 'a/d/x.js']), ['a/b/x.js', 'a/c/d/x.js']);
check(matches('a.(b|c)', ['a.b', 'a.d']), ['a.b']);
check(matches('*/b', ['a/b', 'b', 'a/c/b'], { noglobstar: true }), ['a/b']);
check(matches('a/*', ['a\\b'], { windows: true, posixSlashes: true }) !== null, true);
const scanned = match.scan('!./foo/*.js');
check([scanned.base, scanned.glob, scanned.negated, scanned.isGlob], ['foo', '*.js', true, true]);
check(match.scan('a/b/c').isGlob, false);
check(match.parse('a/*.js').tokens.map((token) => token.type).slice(0, 4), ['bos', 'text', 'slash', 'star']);
check(match.matchBase('a/b.js', '*.js'), true);
const seen = [];
match('*.js', { onMatch: (it) => seen.push(it.input), onIgnore: (it) => seen.push(`-${it.input}`), ignore: 'b*' })('a.js');
check(seen, ['a.js']);
check(matches('[a', ['[a'], {}), ['[a']);
check(matches('"*".js', ['*.js', 'a.js']), ['*.js']);
check(matches('(a|b)*.js', ['ax.js', 'cx.js']), ['ax.js']);
