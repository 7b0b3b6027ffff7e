const validator = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

const is = (name, words, ...more) => words.filter((word) => validator[name](word, ...more));
check(is('isEmail', ['a@b.co', 'a.b+c@d.org', 'a@b', '@b.co', 'a b@c.de', '"x y"@z.com']), ['a@b.co', 'a.b+c@d.org', '"x y"@z.com']);
check(is('isEmail', ['A <a@b.co>', 'a@b.co'], { require_display_name: true }), ['A <a@b.co>']);
check(is('isURL', ['http://a.co', 'a.co/x?y=1#z', 'ftp://a.co:21', 'http://', 'mailto:a@b.co', 'http://1.2.3.4']), ['http://a.co', 'a.co/x?y=1#z', 'ftp://a.co:21', 'http://1.2.3.4']);
check(is('isURL', ['http://localhost', 'https://a.co'], { require_tld: false, protocols: ['http'] }), ['http://localhost']);
check(is('isIP', ['1.2.3.4', '256.1.1.1', '::1', '1:2:3:4:5:6:7:8', 'fe80::1%eth0', 'x']), ['1.2.3.4', '::1', '1:2:3:4:5:6:7:8', 'fe80::1%eth0']);
check(is('isIPRange', ['1.2.3.0/24', '1.2.3.0/33', '1.2.3']), ['1.2.3.0/24']);
check(is('isFQDN', ['a.co', 'a_b.co', '-a.co', 'a.co.', 'a']), ['a.co']);
check(is('isInt', ['1', '-5', '1.5', '01', 'a'], { min: -5, max: 1, allow_leading_zeroes: false }), ['1', '-5']);
check(is('isFloat', ['1.5', '.5', '1e3', 'a', '', '9.9'], { lt: 9 }), ['1.5', '.5']);
check(is('isDecimal', ['1.5', '1', 'x', '1.555'], { decimal_digits: '1,2' }), ['1.5', '1']);
check(is('isAlpha', ['abc', 'äb', 'a1']), ['abc']);
check(is('isAlpha', ['äöü', 'ab'], 'de-DE'), ['äöü', 'ab']);
check(is('isAlphanumeric', ['a1', 'a-1'], 'en-US'), ['a1']);
check(is('isUUID', ['a987fbc9-4bed-3078-cf07-9141ba07c9f3', 'a987fbc9'], 3), ['a987fbc9-4bed-3078-cf07-9141ba07c9f3']);
check(is('isDate', ['2020-02-29', '2021-02-29', '2020/1/1'], { format: 'YYYY-MM-DD' }), ['2020-02-29']);
check(is('isISO8601', ['2020-01-01T10:00:00Z', '2020-W05', '2020-13-01']), ['2020-01-01T10:00:00Z', '2020-W05']);
check(is('isCreditCard', ['375556917985515', '4716461583322103', '123']), ['375556917985515', '4716461583322103']);
check(is('isISBN', ['3-8362-2119-5', '978-3-8362-2119-1', '3836221195x']), ['3-8362-2119-5', '978-3-8362-2119-1']);
check(is('isIBAN', ['DE89370400440532013000', 'DE89370400440532013001']), ['DE89370400440532013000']);
check(is('isJSON', ['{"a":1}', 'a', '"a"']), ['{"a":1}']);
check(is('isBase64', ['Zm9v', 'Zg==', 'Zg=']), ['Zm9v', 'Zg==']);
check(is('isHexColor', ['#fff', '#ff0000', '#ggg', 'fff']), ['#fff', '#ff0000', 'fff']);
check(is('isMACAddress', ['01:02:03:04:05:ab', '01-02-03-04-05-ab', '01:02']), ['01:02:03:04:05:ab', '01-02-03-04-05-ab']);
check(is('isMobilePhone', ['+4915112345678', '12'], 'de-DE'), ['+4915112345678']);
check(is('isPostalCode', ['12345', '1234'], 'DE'), ['12345']);
check(is('isCurrency', ['$10,123.45', '-$1', '1.2.3']), ['$10,123.45', '-$1']);
check(is('isLength', ['a', 'abc', 'abcdef'], { min: 2, max: 4 }), ['abc']);
check(is('isByteLength', ['ä', 'aaa'], { min: 2, max: 2 }), ['ä']);
check(is('isLatLong', ['10.5, 20.5', '(-90, 180)', '91, 0']), ['10.5, 20.5', '(-90, 180)']);
check(is('isStrongPassword', ['abcdefgh', 'aB3$efgh']), ['aB3$efgh']);
check(is('isSlug', ['a-b', 'a--', '-a']).slice(0, 1), ['a-b']);
check(is('isMD5', ['d41d8cd98f00b204e9800998ecf8427e', 'x']), ['d41d8cd98f00b204e9800998ecf8427e']);
check(is('isJWT', ['a.b.c', 'ab']), ['a.b.c']);
check(is('isEAN', ['9421023610112', '9421023610113']), ['9421023610112']);
check(is('isBIC', ['DEUTDEFF500', 'X']), ['DEUTDEFF500']);
check(is('isVAT', ['GB123456789', 'x'], 'GB').length < 2, true);
check(is('isPassportNumber', ['C01X00T47', '1'], 'DE'), ['C01X00T47']);
check(is('isIdentityCard', ['99999999R', '1'], 'ES'), ['99999999R']);
check(is('isTaxID', ['26954371827', '1'], 'de-DE'), ['26954371827']);
check(is('isMimeType', ['text/html', 'x']), ['text/html']);
check(is('isPort', ['80', '70000']), ['80']);
check(is('isDataURI', ['data:text/plain;base64,Zm9v', 'x']), ['data:text/plain;base64,Zm9v']);
check(is('isRgbColor', ['rgb(1,2,3)', 'rgb(256,0,0)']), ['rgb(1,2,3)']);
check(is('isHSL', ['hsl(360,100%,50%)', 'x']), ['hsl(360,100%,50%)']);
check([validator.normalizeEmail('Some.Name+x@GMAIL.com'), validator.normalizeEmail('A@Outlook.com')], ['somename@gmail.com', 'a@outlook.com']);
check([validator.escape('<a>'), validator.unescape('&lt;a&gt;'), validator.trim('  a '), validator.stripLow('a\x00b'), validator.whitelist('abc', 'ac'), validator.blacklist('abc', 'b')], ['&lt;a&gt;', '<a>', 'a', 'ab', 'ac', 'ac']);
check([validator.toInt('12px'), validator.toFloat('1.5'), validator.toBoolean('false'), validator.equals('a', 'a'), validator.contains('abc', 'b'), validator.matches('a', /a/)], [12, 1.5, false, true, true, true]);
check([validator.isIn('a', ['a', 'b']), validator.isEmpty(' ', { ignore_whitespace: true }), validator.isAfter('2020-01-02', '2020-01-01'), validator.isBefore('2020-01-02', '2020-01-01')], [true, true, true, false]);
