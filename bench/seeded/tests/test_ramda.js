const R = require(process.cwd() + '/src/index.js');

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

check(R.map(R.add(1), [1, 2]), [2, 3]);
check(R.map(R.inc, { a: 1 }), { a: 2 });
check(R.compose(R.join('-'), R.map(R.toUpper), R.split(''))('abc'), 'A-B-C');
check(R.pipe(R.filter((n) => n % 2), R.reduce(R.add, 0))([1, 2, 3]), 4);
check(R.groupBy((n) => (n % 2 ? 'odd' : 'even'), [1, 2, 3]), { odd: [1, 3], even: [2] });
check(R.path(['a', 0, 'b'], { a: [{ b: 5 }] }), 5);
check(R.pathOr('x', ['a', 'b'], {}), 'x');
check(R.assocPath(['a', 'b', 0], 1, {}), { a: { b: [1] } });
check(R.dissocPath(['a', 'b'], { a: { b: 1, c: 2 } }), { a: { c: 2 } });
check(R.over(R.lensProp('a'), R.negate, { a: 1 }), { a: -1 });
check(R.set(R.lensPath(['a', 0]), 9, { a: [1] }), { a: [9] });
check(R.view(R.lensIndex(1), [1, 2]), 2);
check(R.mergeDeepRight({ a: { b: 1, c: 2 } }, { a: { c: 3 } }), { a: { b: 1, c: 3 } });
check(R.mergeWith(R.concat, { a: [1] }, { a: [2], b: [3] }), { a: [1, 2], b: [3] });
check(R.equals({ a: [1, new Date(0), /x/] }, { a: [1, new Date(0), /x/] }), true);
check([R.equals(0, -0), R.equals(NaN, NaN), R.equals([1], ['1'])], [false, true, false]);
check(R.uniq([1, '1', [1], [1]]), [1, '1', [1]]);
check(R.sortWith([R.descend(R.prop('a')), R.ascend(R.prop('b'))], [{ a: 1, b: 2 }, { a: 2, b: 1 }, { a: 1, b: 1 }]), [{ a: 2, b: 1 }, { a: 1, b: 1 }, { a: 1, b: 2 }]);
check(R.zipObj(['a', 'b'], [1, 2]), { a: 1, b: 2 });
check(R.transpose([[1, 2], [3, 4], [5]]), [[1, 3, 5], [2, 4]]);
check(R.aperture(2, [1, 2, 3]), [[1, 2], [2, 3]]);
check(R.splitEvery(2, [1, 2, 3]), [[1, 2], [3]]);
check(R.splitWhen(R.equals(2), [1, 2, 3]), [[1], [2, 3]]);
check(R.takeWhile((n) => n < 3, [1, 2, 3, 1]), [1, 2]);
check(R.dropLastWhile((n) => n > 2, [1, 3, 2, 4]), [1, 3, 2]);
check(R.cond([[R.equals(0), R.always('none')], [R.T, String]])(5), '5');
check(R.evolve({ a: R.inc, b: { c: R.dec } }, { a: 1, b: { c: 1 }, d: 1 }), { a: 2, b: { c: 0 }, d: 1 });
check(R.where({ a: R.is(Number), b: R.startsWith('x') }, { a: 1, b: 'xy' }), true);
check(R.curryN(2, (a, b) => a - b)(R.__, 1)(5), 4);
check(R.converge(R.divide, [R.sum, R.length])([1, 2, 3]), 2);
check(R.memoizeWith(String, R.identity)(7), 7);
check(R.invertObj({ a: 'x', b: 'y' }), { x: 'a', y: 'b' });
check(R.countBy(R.toLower, ['a', 'A', 'b']), { a: 2, b: 1 });
check(R.toString({ b: [1, 'x', null], a: new Date(0) }), '{"a": new Date("1970-01-01T00:00:00.000Z"), "b": [1, "x", null]}');
check(R.into([], R.compose(R.map(R.inc), R.take(2)), [1, 2, 3]), [2, 3]);
check(R.traverse(R.of, (x) => [x], [1, 2]) !== undefined, true);
check(R.unnest([[1], [2, [3]]]), [1, 2, [3]]);
check(R.xprod([1, 2], ['a']), [[1, 'a'], [2, 'a']]);
check(R.clone({ a: [1, { b: 2 }] }), { a: [1, { b: 2 }] });
check(R.tryCatch(() => { throw new Error('x'); }, R.always('caught'))(), 'caught');
check(R.median([3, 1, 2, 10]), 2.5);
check([R.without([1], [1, 2]), R.symmetricDifference([1, 2], [2, 3]), R.union([1], [1, 2])], [[2], [1, 3], [1, 2]]);
check(R.reduceBy((sum, it) => sum + it.n, 0, R.prop('k'), [{ k: 'a', n: 1 }, { k: 'a', n: 2 }]), { a: 3 });
check(R.propEq('a', 1, { a: 1 }) || R.propEq(1, 'a', { a: 1 }), true);
check(R.pick(['a', 'c'], { a: 1, b: 2 }), { a: 1 });
check(R.omit(['a'], { a: 1, b: 2 }), { b: 2 });
check([R.isEmpty({}), R.isEmpty('a'), R.isNil(null), R.type(/x/)], [true, false, true, 'RegExp']);
check(R.move(0, 2, ['a', 'b', 'c']), ['b', 'c', 'a']);
check(R.innerJoin((a, b) => a.id === b, [{ id: 1 }, { id: 2 }], [2]), [{ id: 2 }]);
check(R.flip(R.subtract)(1, 5), 4);
check(R.lift((a, b) => a + b)([1, 2], [10]), [11, 12]);
check(R.trim('  x ') + R.replace(/a/g, 'b', 'aa') + R.match(/(b)/, 'abc')[1], 'xbbb');
check(R.insertAll(1, ['x', 'y'], [1, 2]), [1, 'x', 'y', 2]);
check(R.hasPath(['a', 'b'], { a: { b: undefined } }), true);
check(R.differenceWith((a, b) => a === b, [1, 2, 2], [1]), [2]);
