import cachetools
import cachetools.keys
from cachetools import func


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


now = 0


def timer():
    return now


lru = cachetools.LRUCache(maxsize=2)
lru[1], lru[2] = "a", "b"
lru[1]
lru[3] = "c"
check(sorted(lru), [1, 3])
check(lru.popitem(), (1, "a"))
lfu = cachetools.LFUCache(maxsize=2)
lfu[1], lfu[2] = "a", "b"
lfu[1]
lfu[3] = "c"
check(sorted(lfu), [1, 3])
fifo = cachetools.FIFOCache(maxsize=2)
fifo[1], fifo[2], fifo[3] = "a", "b", "c"
check(sorted(fifo), [2, 3])
sized = cachetools.LRUCache(maxsize=5, getsizeof=len)
sized["x"], sized["y"] = "abc", "de"
sized["z"] = "f"
check((sorted(sized), sized.currsize), (["y", "z"], 3))
ttl = cachetools.TTLCache(maxsize=3, ttl=5, timer=timer)
ttl["a"] = 1
now = 4
ttl["b"] = 2
check(("a" in ttl, len(ttl)), (True, 2))
now = 6
check(("a" in ttl, len(ttl), list(ttl)), (False, 1, ["b"]))
ttl["b"] = 3
now = 10
check(ttl.get("b"), 3)
check(ttl.pop("b"), 3)
tlru = cachetools.TLRUCache(maxsize=2, ttu=lambda key, value, at: at + value, timer=timer)
tlru["short"], tlru["long"] = 1, 9
now = 12
check((list(tlru), tlru.get("short"), tlru["long"]), (["long"], None, 9))
tlru.expire(now + 30)
check(len(tlru), 0)
calls = []


@cachetools.cached(cachetools.LRUCache(maxsize=8))
def square(n):
    calls.append(n)
    return n * n


check((square(3), square(3), calls), (9, 9, [3]))


class Shop:
    def __init__(self):
        self.cache, self.calls = {}, 0

    @cachetools.cachedmethod(lambda self: self.cache)
    def price(self, name):
        self.calls += 1
        return len(name)


shop = Shop()
check((shop.price("tea"), shop.price("tea"), shop.calls), (3, 3, 1))


@func.lru_cache(maxsize=2)
def half(n):
    return n / 2


check((half(4), half(4), half.cache_info().hits, half.cache_info().misses), (2.0, 2.0, 1, 1))
half.cache_clear()
check(half.cache_info().currsize, 0)
check(cachetools.keys.hashkey(1, a=2) == cachetools.keys.hashkey(1, a=2), True)
check(cachetools.keys.typedkey(1) == cachetools.keys.typedkey(1.0), False)
