const acorn = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

function parse(text, ecmaVersion = 2020, more = {}) {
  return acorn.parse(text, { ecmaVersion, ...more }).body;
}
function error(text, ecmaVersion, more) {
  try {
    parse(text, ecmaVersion, more);
  } catch (error) {
    return error.message;
  }
  return null;
}
const types = (text, more) => parse(text, 2020, more).map((node) => node.type);

check(types('var a = 1; function f() {} class C extends D { m() { super.m(); } }'), ['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);
check(types('if (a) b; else c; for (const x of y) z(x); while (0) {} do {} while (1)'), ['IfStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
check(types("import a, {b as c} from 'm'; export default a; export * as n from 'm';", { sourceType: 'module' }), ['ImportDeclaration', 'ExportDefaultDeclaration', 'ExportAllDeclaration']);
check(parse('a?.b ?? c')[0].expression.operator, '??');
check(parse('x = async ({a, ...b}) => await a')[0].expression.right.async, true);
check(parse('`a${b}c`')[0].expression.quasis.map((part) => part.value.cooked), ['a', 'c']);
check(parse('/a(?<n>b)\\k<n>/u')[0].expression.regex, { pattern: 'a(?<n>b)\\k<n>', flags: 'u' });
check(parse('0x1F + 0b11 + 1e3 + .5')[0].expression.right.value, 0.5);
check(parse('10n')[0].expression.bigint, '10');
check(parse('({a, b: 1, [c]: 2, get d() { return 1 }, e() {}})')[0].expression.properties.map((it) => it.kind), ['init', 'init', 'init', 'get', 'init']);
check(parse('function* g() { yield* h() }')[0].generator, true);
check(parse('switch (a) { case 1: break; default: c }')[0].cases.length, 2);
check(parse('try { a } catch { b } finally { c }')[0].handler.param, null);
check(parse('a: for (;;) { continue a }')[0].label.name, 'a');
check(parse('"use strict"; x')[0].directive, 'use strict');
check(parse('[a, , ...b] = c')[0].expression.left.elements.length, 3);
check(parse('a\n++b').length, 2);
check(parse("x = 'a\\u{62}\\x63\\n'")[0].expression.right.value, 'abc\n');
check(parse('let [a, b] = c, {d = 1} = e')[0].declarations.length, 2);
check(error('let a; let a;'), "Identifier 'a' has already been declared (1:11)");
check(error('a ='), 'Unexpected token (1:3)');
check(error('return 1'), "'return' outside of function (1:0)");
check(error("'use strict'; with (a) b"), "'with' in strict mode (1:14)");
check(error('/(/'), 'Invalid regular expression: /(/: Unterminated group (1:1)');
check(error('await x', 2020), 'Unexpected token (1:6)');
check(error('break'), 'Unsyntactic break (1:0)');
check(error("'abc"), 'Unterminated string constant (1:0)');
check(error('class A { constructor() {} constructor() {} }'), 'Duplicate constructor in the same class (1:27)');
check(error('export {a}', 2020, { sourceType: 'module' }), "Export 'a' is not defined (1:8)");
check([...acorn.tokenizer('a + 1', { ecmaVersion: 2020 })].map((token) => token.type.label), ['name', '+/-', 'num']);
const comments = [];
parse('// a\n/* b */ c', 2020, { onComment: comments, locations: true });
check(comments.map((it) => [it.type, it.value, it.loc.start.line]), [['Line', ' a', 1], ['Block', ' b ', 2]]);
check(acorn.parseExpressionAt('x + (1 + 2)', 4, { ecmaVersion: 2020 }).type, 'BinaryExpression');
check(acorn.isIdentifierStart('a'.charCodeAt(0)), true);
check(acorn.getLineInfo('a\nbc', 3), { line: 2, column: 1 });
