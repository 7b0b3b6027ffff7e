const { Command, Option } = require(process.cwd());

function check(got, expected) {
  const [a, b] = [got, expected].map((value) => JSON.stringify(value));
  if (a !== b) {
    console.error(`expected ${b}, got ${a}`);
    process.exit(1);
  }
}

function program() {
  const program = new Command('shop');
  program.exitOverride().configureOutput({ writeOut: (text) => said.push(text), writeErr: (text) => said.push(text) });
  return program;
}
let said = [];
function failure(make) {
  said = [];
  try {
    make();
  } catch (error) {
    return [error.code, said.join('')];
  }
  return null;
}
const parsed = (make, words) => make.parse(words, { from: 'user' });

let it = parsed(program().option('-v, --verbose').option('-n, --count <n>', 'how many', Number, 3).option('--no-color').option('-t, --tag [words...]').argument('[name]'), ['-v', 'tea', '--count=7', '-t', 'a', 'b']);
check([it.opts(), it.args], [{ count: 7, color: true, verbose: true, tag: ['a', 'b'] }, ['tea']]);
it = parsed(program().option('-a').option('-b <x>'), ['-ab', '1', '--', '-c']);
check([it.opts(), it.args], [{ a: true, b: '1' }, ['-c']]);
it = parsed(program().addOption(new Option('-s, --size <size>').choices(['small', 'large']).default('small')), []);
check(it.opts(), { size: 'small' });
process.env.SHOP_PORT = '90';
it = parsed(program().addOption(new Option('-p, --port <n>').env('SHOP_PORT')), []);
check(it.opts(), { port: '90' });
const ran = [];
function nested() {
  const shop = program().option('-d, --debug').hook('preAction', (_, sub) => ran.push(`before ${sub.name()}`));
  shop.command('sell <name> [more...]').alias('s').option('-f, --fast', 'hurry').description('sells').action((name, more, options) => ran.push([name, more, options]));
  shop.command('buy').action(() => ran.push('buy'));
  return shop;
}
parsed(nested(), ['sell', 'tea', 'x', 'y', '-f']);
parsed(nested(), ['-d', 's', 'tea']);
check(ran, ['before sell', ['tea', ['x', 'y'], { fast: true }], 'before sell', ['tea', [], {}]]);
check(failure(() => parsed(nested(), ['sell']))[1], "error: missing required argument 'name'\n");
check(failure(() => parsed(nested(), ['sel', 'x']))[0], 'commander.unknownCommand');
check(failure(() => parsed(program().option('--size'), ['--sise']))[0], 'commander.unknownOption');
check(failure(() => parsed(program().requiredOption('-c, --cheese <type>'), []))[1], "error: required option '-c, --cheese <type>' not specified\n");
check(failure(() => parsed(program().option('-n <x>'), ['-n']))[1], "error: option '-n <x>' argument missing\n");
check(failure(() => parsed(program().addOption(new Option('-s <x>').choices(['a', 'b'])), ['-s', 'c']))[0], 'commander.invalidArgument');
check(failure(() => parsed(program().version('1.2.3'), ['--version'])), ['commander.version', '1.2.3\n']);
const help = nested().helpInformation();
check(help.split('\n').filter(Boolean).map((line) => line.trim().split(/\s{2,}/)[0]), ['Usage: shop [options] [command]', 'Options:', '-d, --debug', '-h, --help', 'Commands:', 'sell|s [options] <name> [more...]', 'buy', 'help [command]']);
check(nested().commands[0].usage(), '[options] <name> [more...]');
it = program().allowUnknownOption().option('-a');
check(it.parseOptions(['-a', '--zz', 'b']), { operands: [], unknown: ['--zz', 'b'] });
check(parsed(program().passThroughOptions().argument('<x>').argument('[y...]'), ['a', '-b']).args, ['a', '-b']);
