const diff = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const drawn = (parts) => parts.map((it) => `${it.added ? '+' : it.removed ? '-' : ''}${it.value}`);
check(drawn(diff.diffChars('beep boop', 'beep boob blah')), ['beep boo', '-p', '+b blah']);
check(drawn(diff.diffWords('a b c', 'a x c')), ['a ', '-b', '+x', ' c']);
check(drawn(diff.diffWordsWithSpace('a  b', 'a b')), ['a', '-  ', '+ ', 'b']);
check(drawn(diff.diffLines('a\nb\nc\n', 'a\nc\nd\n')), ['a\n', '-b\n', 'c\n', '+d\n']);
check(drawn(diff.diffTrimmedLines(' a\nb', 'a\nb')).length, 1);
check(drawn(diff.diffSentences('A b. C d.', 'A b. C e.')), ['A b. ', '-C d.', '+C e.']);
check(drawn(diff.diffCss('a { b: c }', 'a { b: d }')), ['a { b: ', '-c', '+d', ' }']);
check(drawn(diff.diffJson({ a: 1, b: 2 }, { b: 2, a: 3 })), ['{\n', '-  "a": 1,\n', '+  "a": 3,\n', '  "b": 2\n}']);
check(diff.diffArrays([1, 2, 3], [1, 3, 4]).map((it) => it.value), [[1], [2], [3], [4]]);
const patch = diff.createTwoFilesPatch('old', 'new', 'a\nb\nc\nd\ne\nf\ng\n', 'a\nb\nX\nd\ne\nf\nG', 'h1', 'h2', { context: 1 });
check(patch.split('\n').slice(1), ['--- old\th1', '+++ new\th2', '@@ -2,3 +2,3 @@', ' b', '-c', '+X', ' d', '@@ -6,2 +6,2 @@', ' f', '-g', '+G', '\\ No newline at end of file', '']);
check(diff.applyPatch('a\nb\nc\nd\ne\nf\ng\n', patch), 'a\nb\nX\nd\ne\nf\nG');
check(diff.applyPatch('x\ny\n', patch), false);
check(diff.applyPatch('1\n2\na\nb\nc\nd\ne\nf\ng\n', patch), '1\n2\na\nb\nX\nd\ne\nf\nG');
const parsed = diff.parsePatch(patch);
check([parsed.length, parsed[0].oldFileName, parsed[0].hunks.length, parsed[0].hunks[1].oldStart], [1, 'old', 2, 6]);
check(diff.structuredPatch('o', 'n', 'a\n', 'a\nb\n').hunks[0].lines, [' a', '+b']);
const merged = diff.merge(diff.createPatch('f', 'a\nb\nc\n', 'A\nb\nc\n'), diff.createPatch('f', 'a\nb\nc\n', 'a\nb\nC\n'));
check(merged.hunks[0].lines, ['-a', '+A', ' b', '-c', '+C']);
check(diff.convertChangesToXML(diff.diffChars('ab', 'ac')), 'a<del>b</del><ins>c</ins>');
check(diff.convertChangesToDMP(diff.diffChars('ab', 'ac')), [[0, 'a'], [-1, 'b'], [1, 'c']]);
check(diff.canonicalize({ b: 1, a: [2] }), { a: [2], b: 1 });
check(drawn(diff.diffChars('ABC', 'abc', { ignoreCase: true })), ['abc']);
diff.applyPatches(patch, { loadFile: (_, done) => done(null, 'a\nb\nc\nd\ne\nf\ng\n'), patched: (_, text, done) => (check(text, 'a\nb\nX\nd\ne\nf\nG'), done()), complete: (error) => check(error, undefined) });
