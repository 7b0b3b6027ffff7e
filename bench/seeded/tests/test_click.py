import click
from click.testing import CliRunner


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


@click.group()
@click.option("--verbose/--quiet", default=False, help="Say more.")
@click.version_option("1.2", prog_name="shop")
@click.pass_context
def shop(context, verbose):
    """Sells things."""
    context.obj = verbose


@shop.command()
@click.argument("name")
@click.option("-n", "--count", type=click.IntRange(1, 9), default=2, show_default=True)
@click.option("--size", type=click.Choice(["small", "large"]), required=True)
@click.option("--tag", multiple=True)
@click.pass_obj
def sell(verbose, name, count, size, tag):
    """Sells one thing."""
    click.echo(f"{name} {count} {size} {','.join(tag)} {verbose}")


@shop.command("ask")
@click.option("--word", prompt="Word", default="tea")
def ask(word):
    click.confirm("Sure?", abort=True)
    click.echo(click.style(word, fg="red", bold=True))


@shop.command()
@click.argument("pairs", nargs=-1)
@click.option("--when", type=click.DateTime())
@click.option("-f", "--file", type=click.File("r"), default="-")
def count(pairs, when, file):
    click.echo(f"{pairs} {when} {file.read()}")


def run(*words, text=None):
    result = CliRunner().invoke(shop, words, input=text)
    return result.exit_code, result.output


check(run("sell", "tea", "--size", "small"), (0, "tea 2 small  False\n"))
check(run("--verbose", "sell", "a", "-n3", "--size=large", "--tag", "x", "--tag", "y"), (0, "a 3 large x,y True\n"))
check(run("--version"), (0, "shop, version 1.2\n"))
code, said = run("sell", "tea", "--size", "huge")
check((code, "'huge' is not one of 'small', 'large'" in said), (2, True))
code, said = run("sell", "tea", "--size", "small", "-n", "12")
check((code, "12 is not in the range 1<=x<=9" in said), (2, True))
code, said = run("sell", "--help")
check((code, "[default: 2;" in said, "Sells one thing." in said), (0, True, True))
code, said = run("sell")
check((code, "Missing argument 'NAME'" in said), (2, True))
code, said = run("nothing")
check((code, "No such command 'nothing'" in said), (2, True))
code, said = run("sell", "--sise", "small", "tea")
check((code, "No such option: --sise" in said), (2, True))
code, said = run("ask", text="ab\ny\n")
check((code, said.splitlines()[-1]), (0, "ab"))
check(run("ask", text="\nn\n"), (1, "Word [tea]: \nSure? [y/N]: n\nAborted!\n"))
check(run("count", "a", "1", "b", "2", "--when", "2020-01-02", text="in")[1], "('a', '1', 'b', '2') 2020-01-02 00:00:00 in\n")
code, said = run("--help")
check([line.split()[0] for line in said.splitlines()[-3:]], ["ask", "count", "sell"])
check(click.unstyle(click.style("a", fg="green", underline=True)), "a")
check(click.format_filename(b"a/b.txt", shorten=True), "b.txt")
with CliRunner().isolation():
    with click.progressbar([1, 2, 3]) as bar:
        check(sum(bar), 6)
