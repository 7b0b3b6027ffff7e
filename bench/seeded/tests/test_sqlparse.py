import sqlparse
from sqlparse import tokens


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


def formatted(text, **options):
    return sqlparse.format(text, **options)


check(formatted("Select A From B", identifier_case="lower", keyword_case="lower"), "select a from b")
check(formatted("select 1 -- x\n/* y */ from t", strip_comments=True).split(), ["select", "1", "from", "t"])
check(formatted("a=1+2", use_space_around_operators=True), "a = 1 + 2")
check(formatted("select a, b from t", reindent=True, comma_first=True), "select a\n     , b\nfrom t")
check(formatted("select a from t join u on t.x = u.x left join v using (y)", reindent=True).splitlines(), ["select a", "from t", "join u on t.x = u.x", "left join v using (y)"])
check(formatted("select case when a then 1 else 2 end from t", reindent=True).splitlines()[1].strip().split()[0] in ("when", "else"), True)
check(formatted("select a, b from t", reindent_aligned=True).splitlines()[1].strip(), "b")
check(formatted("select 'aaaaaaaaaa'", truncate_strings=3), "select 'aaa[...]'")
check(formatted("select a", output_format="python"), "sql = 'select a'")
check(formatted("with x as (select 1) select * from x", reindent=True).splitlines()[0], "with x as")
check(sqlparse.split("select 1; select ';'; create function f() begin a; b; end; x"), ["select 1;", "select ';';", "create function f() begin a; b; end;", "x"])
check(len(sqlparse.split("begin; update a set b=1; commit;")), 3)
statement = sqlparse.parse("select a as x, count(*) cnt, s.t.u from s.t v where a > 5 order by x desc")[0]
check(statement.get_type(), "SELECT")
lists = [token for token in statement.tokens if isinstance(token, sqlparse.sql.IdentifierList)]
check([token.get_alias() for token in lists[0].get_identifiers()], ["x", "cnt", None])
check(isinstance([token for token in statement.tokens if token.is_group][-1], sqlparse.sql.Identifier), True)
where = [token for token in statement.tokens if isinstance(token, sqlparse.sql.Where)][0]
check([type(token).__name__ for token in where.tokens if token.is_group], ["Comparison"])
check([sqlparse.parse(text)[0].get_type() for text in ["insert into a values (1)", "create or replace table x", "with a as (select 1) delete from b", "-- x\nupdate a set b = 1", "foo"]], ["INSERT", "CREATE OR REPLACE", "DELETE", "UPDATE", "UNKNOWN"])
check([token.value for token in sqlparse.parse("a.b::int")[0].tokens], ["a.b::int"])
check(sqlparse.parse("a[1:2]")[0].tokens[0].get_name(), "a")
check([token.ttype is tokens.Keyword for token in sqlparse.parse("union all")[0].flatten()][0], True)
check(str(sqlparse.parse("select * from (select 1) x")[0]), "select * from (select 1) x")
check(sqlparse.parse("a between 1 and 2 or not b is null")[0].token_first().value.split()[0], "a")
check(sqlparse.parse("x := 1")[0].tokens[0].value, "x := 1")
check(formatted("create table t (a int primary key, b varchar(10))", reindent=True).split()[:3], ["create", "table", "t"])
check(formatted("select a over (partition by b order by c)", reindent=True).count("\n") >= 0, True)
check(formatted("select 1 union select 2", reindent=True).splitlines(), ["select 1", "union", "select 2"])
