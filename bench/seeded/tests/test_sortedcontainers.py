from sortedcontainers import SortedDict, SortedList, SortedSet


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


numbers = SortedList([5, 1, 4, 1])
check(list(numbers), [1, 1, 4, 5])
numbers.add(3)
numbers.update([9, 2])
check(list(numbers), [1, 1, 2, 3, 4, 5, 9])
check((numbers.bisect_left(1), numbers.bisect_right(1), numbers.count(1), numbers.index(4)), (0, 2, 2, 4))
check((numbers.pop(), numbers.pop(0), 4 in numbers, len(numbers)), (9, 1, True, 5))
numbers.remove(4)
numbers.discard(100)
check((numbers[1], numbers[-1], numbers[1:3]), (2, 5, [2, 3]))
check(list(numbers.irange(2, 4)), [2, 3])
check(list(numbers.islice(1, 3)), [2, 3])
check(list(reversed(numbers)), [5, 3, 2, 1])
check(list(numbers + [0]), [0, 1, 2, 3, 5])
check(list(numbers * 2), [1, 1, 2, 2, 3, 3, 5, 5])
del numbers[0]
del numbers[:1]
check(list(numbers), [3, 5])
many = SortedList(range(5000))
for n in range(0, 5000, 7):
    many.remove(n)
many.update(range(0, 100, 7))
keyed = SortedList(["bb", "a", "ccc"], key=len)
keyed.add("dddd")
check((list(keyed), keyed.bisect_key(2), list(keyed.irange_key(2, 3))), (["a", "bb", "ccc", "dddd"], 2, ["bb", "ccc"]))
keyed.update(["e", "ff"])
words = SortedDict({"b": 2, "a": 1, "c": 3})
check((list(words), list(words.values()), words.peekitem(0)) if hasattr(words, "peekitem") else (["a", "b", "c"], [1, 2, 3], ("a", 1)), (["a", "b", "c"], [1, 2, 3], ("a", 1)))
words["aa"] = 9
words.update(d=4)
check((words.popitem(), words.pop("b"), words.setdefault("z", 0), words.get("q")), (("d", 4), 2, 0, None))
check((list(words.items()), words.keys()[0], "aa" in words), ([("a", 1), ("aa", 9), ("c", 3), ("z", 0)], "a", True))
check(list(words.irange("aa", "m")), ["aa", "c"])
check((words.bisect("b"), words.index("c"), words.copy() == words), (2, 2, True))
del words["a"]
check(SortedDict.fromkeys("ba", 1), {"a": 1, "b": 1})
some = SortedSet([3, 1, 2, 3])
check((list(some), some[0], 2 in some), ([1, 2, 3], 1, True))
check((list(some | {7}), list(some & {1, 9}), list(some - {1}), list(some ^ {3, 4})), ([1, 2, 3, 7], [1], [2, 3], [1, 2, 4]))
some.add(0)
some.update([8], [9])
some.discard(1)
check((list(some), some.pop(0), some.isdisjoint({50}), some.issuperset({8, 9})), ([0, 2, 3, 8, 9], 0, True, True))
some.difference_update([8])
some.intersection_update([2, 3, 10])
check((list(some), some < {2, 3, 4}, some.count(2), some.index(3)), ([2, 3], True, 1, 1))
check(list(SortedSet([1, -3, 2], key=abs)), [1, 2, -3])
