import pyparsing as pp


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


word, number = pp.Word(pp.alphas), pp.Word(pp.nums).set_parse_action(lambda found: int(found[0]))


def error(parser, text):
    try:
        parser.parse_string(text, parse_all=True)
    except pp.ParseBaseException as error:
        return str(error)
    return None


check((word + number).parse_string("ab 12").as_list(), ["ab", 12])
check(pp.OneOrMore(word | number).parse_string("a 1 b").as_list(), ["a", 1, "b"])
check(pp.delimited_list(number).parse_string("1, 2,3").as_list(), [1, 2, 3])
check(pp.Group(word("name") + pp.Optional(number)("count"))("item").parse_string("a 3").as_dict(), {"item": {"name": "a", "count": 3}})
check(pp.nested_expr().parse_string("(a (b c) d)").as_list(), [["a", ["b", "c"], "d"]])
check(pp.QuotedString("'", esc_char="\\").parse_string("'it\\'s'").as_list(), ["it's"])
check(pp.quoted_string.copy().add_parse_action(pp.remove_quotes).parse_string('"x y"')[0], "x y")
check(pp.Combine(word + "." + word).parse_string("a.b").as_list(), ["a.b"])
check(pp.SkipTo(";").parse_string("a b; c").as_list(), ["a b"])
check(pp.Regex(r"(?P<a>\d+)-(?P<b>\d+)").parse_string("1-22")["b"], "22")
check([found.as_list() for found in number.search_string("a 1 b 22")], [[1], [22]])
check(number.copy().set_parse_action(lambda found: "#").transform_string("a 1 b 22"), "a # b #")
check([(start, end) for _, start, end in word.scan_string("ab 1 c")], [(0, 2), (5, 6)])
check(pp.one_of("<= < >= >").parse_string("<=")[0], "<=")
check((pp.CaselessKeyword("select") + word).parse_string("SELECT x").as_list(), ["select", "x"])
check((~pp.Keyword("end") + word).matches("end"), False)
check((word & number).parse_string("1 a").as_list(), [1, "a"])
check((word ^ pp.Word(pp.alphanums)).parse_string("a1")[0], "a1")
check((pp.LineStart() + word + pp.LineEnd()).parse_string("ab\n").as_list(), ["ab", "\n"])
arith = pp.infix_notation(number, [("*", 2, pp.OpAssoc.LEFT), (pp.one_of("+ -"), 2, pp.OpAssoc.LEFT), ("not", 1, pp.OpAssoc.RIGHT)])
check(arith.parse_string("1 + 2 * (3 - 4)").as_list(), [[1, "+", [2, "*", [3, "-", 4]]]])
inner = pp.Forward()
inner <<= pp.Group("[" + pp.ZeroOrMore(inner) + "]")
check(inner.parse_string("[[][]]").as_list(), [["[", ["[", "]"], ["[", "]"], "]"]])
check(pp.counted_array(word).parse_string("2 a b").as_list()[-2:], ["a", "b"])
check(pp.dict_of(word, number).parse_string("a 1 b 2").as_dict(), {"a": 1, "b": 2})
check((word + pp.match_previous_literal(word)).matches("a a"), True)
check(pp.common.identifier.parse_string("_a1")[0], "_a1")
check(pp.common.comma_separated_list.parse_string("a,b c,,d").as_list(), ["a", "b c", "", "d"])
check(pp.common.ipv4_address.matches("1.2.3.4"), True)
check(pp.python_style_comment.suppress().parse_string("# a").as_list(), [])
check((word + pp.Suppress(",") + word).ignore(pp.c_style_comment).parse_string("a /* x */, b").as_list(), ["a", "b"])
check(error(word + number, "ab cd"), "Expected W:(0-9), found 'cd'  (at char 3), (line:1, col:4)")
check(error(word("name") - number, "ab cd") is not None, True)
check(error(number, "1 x"), "Expected end of text, found 'x'  (at char 2), (line:1, col:3)")
check(str(word + number), "{W:(A-Za-z) W:(0-9)}")
check((number * 2).parse_string("1 2").as_list(), [1, 2])
check((word[1, 2] + number).parse_string("a b 1").as_list(), ["a", "b", 1])
check((pp.White(" ") + word).leave_whitespace().parse_string(" a").as_list(), [" ", "a"])
check(pp.Char("ab").parse_string("b")[0], "b")
check(number.add_condition(lambda found: found[0] < 5, message="too big").matches("9"), False)
check(pp.Located(word).parse_string("ab").as_list(), [0, ["ab"], 2])
check((pp.Word(pp.nums, exact=2) + pp.Word(pp.nums, max=3)).matches("12 345"), True)
check(pp.lineno(3, "a\nbc"), 2)
check(pp.make_html_tags("a")[0].parse_string("<a href='x'>")["href"], "x")
result = (word("a") + word("b")).parse_string("x y")
check((result.a, result["b"], result.get("c", 0), result.dump().splitlines()[1]), ("x", "y", 0, "- a: 'x'"))
