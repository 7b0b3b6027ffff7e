const BigNumber = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const n = (value, base) => new BigNumber(value, base);
check(n('0.1').plus('0.2').toString(), '0.3');
check(n('123456789.123').times('-9.87').toFixed(2), '-1218518508.64');
check(n(1).div(3).toString(), '0.33333333333333333333');
check(n(17).mod(-5).toString(), '2');
check(n(2).pow(100).toFixed(), '1267650600228229401496703205376');
check(n(3).pow(200, 7).toString(), '2');
check(n(2).sqrt().toString(), '1.4142135623730950488');
check(n('ff.8', 16).toString(), '255.5');
check(n(255.5).toString(2), '11111111.1');
check(n('zz', 36).toNumber(), 1295);
check(n('1e+30').toString(), '1e+30');
check(n('1234567.891').toFormat(2), '1,234,567.89');
check(n('1234567.891').toFormat(1, BigNumber.ROUND_UP, { decimalSeparator: ',', groupSeparator: '.', groupSize: 3 }), '1.234.567,9');
check(n('0.000001234').toExponential(2), '1.23e-6');
check(n('45.6789').toPrecision(3), '45.7');
check(n('45.5').integerValue(BigNumber.ROUND_HALF_EVEN).toString(), '46');
check(n('-1.5').abs().negated().toString(), '-1.5');
check([n('5.5').comparedTo('5.6'), n(5).eq('5.0'), n(3).gt(2), n(2).lte(1)], [-1, true, true, false]);
check([n(NaN).isNaN(), n(Infinity).isFinite(), n(5).isInteger(), n('-0').isNegative()], [true, false, true, true]);
check(n('0.75').toFraction().map(String), ['3', '4']);
check(n('3.14159').toFraction(100).map(String), ['311', '99']);
check(n('123.4567').dp(2).toString(), '123.46');
check(n('123.4567').dp(), 4);
check(n('12345').sd(2).toString(), '12000');
check(n('12300').sd(true), 5);
check(n('1.5').shiftedBy(3).toString(), '1500');
check(BigNumber.max('4', 7, n(5)).toString(), '7');
check(BigNumber.min(4, '-7').toString(), '-7');
check(BigNumber.sum(1, '2.5', n(3)).toString(), '6.5');
check(n(7).idiv(2).toString(), '3');
check(BigNumber.isBigNumber(n(1)), true);
const Other = BigNumber.clone({ DECIMAL_PLACES: 4, ROUNDING_MODE: BigNumber.ROUND_DOWN });
check(new Other(2).div(3).toString(), '0.6666');
check(Other.config().DECIMAL_PLACES, 4);
check(n('-5').mod(3).toString(), '-2');
check(n('1e-7').valueOf(), '1e-7');
check(n('9'.repeat(25)).plus(1).toFixed(), '1' + '0'.repeat(25));
check(n('100000000000000000000').minus('0.1').toFixed(), '99999999999999999999.9');
