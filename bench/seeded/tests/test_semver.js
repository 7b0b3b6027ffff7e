const semver = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

check([semver.valid('1.2'), semver.valid(null), semver.clean('  =v1.2.3 ')], [null, null, '1.2.3']);
check([semver.major('3.2.1'), semver.minor('3.2.1'), semver.patch('3.2.1'), semver.prerelease('1.2.3-a.1')], [3, 2, 1, ['a', 1]]);
check(['major', 'minor', 'patch', 'premajor', 'preminor', 'prepatch', 'prerelease'].map((kind) => semver.inc('1.2.3', kind)), ['2.0.0', '1.3.0', '1.2.4', '2.0.0-0', '1.3.0-0', '1.2.4-0', '1.2.4-0']);
check([semver.inc('1.2.3-beta.1', 'prerelease', 'beta'), semver.inc('1.2.3-beta.1', 'patch'), semver.inc('1.2.0-1', 'minor')], ['1.2.3-beta.2', '1.2.3', '1.2.0']);
check([semver.gt('1.2.3', '1.2.3-a'), semver.lt('1.10.0', '1.9.0'), semver.eq('v1.0.0', '1.0.0'), semver.cmp('1.0.0', '>=', '0.9.0')], [true, false, true, true]);
check(['1.2.3', '1.2.3-alpha', '1.2.3-alpha.2', '1.2.3-1', '0.9.9'].sort(semver.compare), ['0.9.9', '1.2.3-1', '1.2.3-alpha', '1.2.3-alpha.2', '1.2.3']);
check(semver.sort(['2.0.0', '1.0.0']).concat(semver.rsort(['1.0.0', '2.0.0'])), ['1.0.0', '2.0.0', '2.0.0', '1.0.0']);
check(['1.0.0', '1.0.1-a', '1.1.0', '2.0.0'].map((other) => semver.diff('1.0.0', other)), [null, 'prepatch', 'minor', 'major']);
const all = ['0.1.0', '0.2.3', '0.2.9', '1.2.3', '1.2.9', '1.3.0', '2.0.0-rc.1', '2.0.0'];
const within = (range, options) => all.filter((version) => semver.satisfies(version, range, options));
check(within('^1.2.3'), ['1.2.3', '1.2.9', '1.3.0']);
check(within('^0.2.3'), ['0.2.3', '0.2.9']);
check(within('~1.2'), ['1.2.3', '1.2.9']);
check(within('1.2 - 1.3.0'), ['1.2.3', '1.2.9', '1.3.0']);
check(within('1.x || >=2.0.0-rc.0'), ['1.2.3', '1.2.9', '1.3.0', '2.0.0-rc.1', '2.0.0']);
check(within('>0.2.3 <=1.2.3'), ['0.2.9', '1.2.3']);
check(within('*'), ['0.1.0', '0.2.3', '0.2.9', '1.2.3', '1.2.9', '1.3.0', '2.0.0']);
check(within('not a range'), []);
check(semver.validRange('^1.2.3 || ~2.x'), '>=1.2.3 <2.0.0||>=2.0.0 <3.0.0');
check([semver.validRange('1 - 2'), semver.validRange('~1.2.3-beta'), semver.validRange('blerg')], ['>=1.0.0 <3.0.0', '>=1.2.3-beta <1.3.0', null]);
check([semver.maxSatisfying(all, '1.x'), semver.minSatisfying(all, '1.x'), semver.maxSatisfying(all, '9')], ['1.3.0', '1.2.3', null]);
check([semver.gtr('2.0.0', '1.x'), semver.ltr('0.5.0', '^1.2'), semver.outside('1.5.0', '1.x', '>')], [true, true, false]);
check([semver.intersects('^1.2.0', '1.5.x'), semver.intersects('<1', '>2')], [true, false]);
check([String(semver.coerce('v3.4 replaces v3.3.1')), semver.coerce('none')], ['3.4.0', null]);
check(new semver.Comparator('>=1.2.3').test('1.2.4'), true);
check(new semver.Range('1.2.3 - 2').test('2.9.9'), true);
check(new semver.SemVer('1.2.3+b.7').build, ['b', '7']);
check(new semver.SemVer('1.0.0').comparePre(new semver.SemVer('1.0.0-a')), 1);
check([semver.rcompare('1.0.0', '2.0.0'), semver.compareLoose('1.2.3beta', '1.2.3'), semver.neq('1.0.0', '1.0.1')], [1, -1, true]);
check(semver.compareIdentifiers('1', 'a'), -1);
check(semver.toComparators('~1.2.3'), [['>=1.2.3', '<1.3.0']]);
