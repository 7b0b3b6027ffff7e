from boltons import cacheutils, dictutils, funcutils, iterutils, listutils, mathutils
from boltons import queueutils, setutils, statsutils, strutils, tableutils, timeutils, urlutils


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


check(iterutils.chunked(range(7), 3), [[0, 1, 2], [3, 4, 5], [6]])
check(iterutils.windowed([1, 2, 3], 2), [(1, 2), (2, 3)])
check(iterutils.remap({"a": [1, None]}, lambda p, k, v: v is not None), {"a": [1]})
check(iterutils.get_path({"a": [5, {"b": 6}]}, ("a", 1, "b")), 6)
check(iterutils.bucketize([1, 2, 3, 4], lambda n: n % 2), {1: [1, 3], 0: [2, 4]})
check(iterutils.backoff(1, 8), [1.0, 2.0, 4.0, 8.0])
check(strutils.slugify("First post! Hi!!!!~1    "), "first_post_hi_1")
check(strutils.camel2under("BasicParseTest"), "basic_parse_test")
check(strutils.cardinalize("python", 3), "pythons")
check(strutils.parse_int_list("1,3,5-8,10-11,15"), [1, 3, 5, 6, 7, 8, 10, 11, 15])
check(strutils.format_int_list([1, 3, 5, 6, 7, 8, 10]), "1,3,5-8,10")
check(strutils.bytes2human(10240, ndigits=1), "10.0K")
check(strutils.multi_replace("The quick fox", {"quick": "slow", "fox": "dog"}), "The slow dog")
url = urlutils.URL("http://host:8080/a/b?x=1&y=2#end")
check((url.host, url.port, url.path, url.qp["y"], url.fragment), ("host", 8080, "/a/b", "2", "end"))
check(url.navigate("../c").to_text(), "http://host:8080/c")
cache = cacheutils.LRU(max_size=2)
cache["a"], cache["b"], cache["c"] = 1, 2, 3
check(sorted(cache), ["b", "c"])
many = dictutils.OMD([("a", 1), ("a", 2), ("b", 3)])
check(many.getlist("a"), [1, 2])
check(many.todict(), {"a": 2, "b": 3})
check(dictutils.subdict({"a": 1, "b": 2}, drop=["a"]), {"b": 2})
queue = queueutils.PriorityQueue()
queue.add("low", 1), queue.add("high", 9)
check(queue.pop(), "high")
check(list(setutils.IndexedSet([3, 1, 3, 2])), [3, 1, 2])
check(statsutils.Stats([1, 2, 3, 4]).median, 2.5)
check(mathutils.clamp(12, 0, 10), 10)
check(mathutils.Bits("0101") | mathutils.Bits("1000"), mathutils.Bits("1101"))
check(listutils.BarrelList([3, 1, 2])[1], 1)
check(timeutils.parse_timedelta("1h 30m").total_seconds(), 5400.0)
table = tableutils.Table([[1, 2]], headers=["a", "b"])
check(table.to_text().splitlines()[0].split(), ["a", "|", "b"])


@funcutils.wraps(check, injected="got")
def twice(*args, **kwargs):
    return args, kwargs


check(funcutils.FunctionBuilder.from_func(check).get_sig_str(), "(got, expected)")
