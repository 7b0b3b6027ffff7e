import natsort
from natsort import ns


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


check(natsort.natsorted(["a10", "a2", "a1"]), ["a1", "a2", "a10"])
check(natsort.natsorted(["v1.10", "v1.9", "v1.0.1"]), ["v1.0.1", "v1.9", "v1.10"])
check(natsort.natsorted(["b", "A", "a", "B"], alg=ns.IGNORECASE), ["A", "a", "b", "B"])
check(natsort.natsorted(["a-5", "a5", "a-10.5"], alg=ns.REAL), ["a-10.5", "a-5", "a5"])
check(natsort.natsorted(["1.5", "1.25", "1e1"], alg=ns.FLOAT), ["1.25", "1.5", "1e1"])
check(natsort.natsorted(["/p/f (2)/a", "/p/f/b", "/p/f (10)/a"], alg=ns.PATH), ["/p/f/b", "/p/f (2)/a", "/p/f (10)/a"])
check(natsort.natsorted([5, "4", None, 3.5, "a"]), [None, 3.5, "4", 5, "a"])
check(natsort.natsorted([b"a10", b"a9"], key=natsort.as_utf8), [b"a9", b"a10"])
check(natsort.natsorted(["a", "b10", "b9"], reverse=True), ["b10", "b9", "a"])
check(natsort.natsorted([["b", 2], ["b", 1], ["a", 7]]), [["a", 7], ["b", 1], ["b", 2]])
check(natsort.index_natsorted(["num3", "num5", "num2"]), [2, 0, 1])
check(natsort.order_by_index(["x", "y", "z"], [2, 0, 1]), ["z", "x", "y"])
check(natsort.realsorted(["num5.10", "num-3", "num5.3"]), ["num-3", "num5.10", "num5.3"])
check(natsort.humansorted(["b", "a", "C"])[0] in ("a", "C"), True)
key = natsort.natsort_keygen(key=lambda word: word[1:])
check(sorted(["x10", "y9"], key=key), ["y9", "x10"])
check(natsort.natsort_key("a12b") == natsort.natsort_key("a12b"), True)
check(natsort.natsorted(["a٣", "a2", "a10"]), ["a2", "a٣", "a10"])
check(natsort.natsorted(["Ⅷ", "7", "9"], alg=ns.INT), ["7", "9", "Ⅷ"])
check(natsort.natsorted(["½", "0", "1"], alg=ns.FLOAT), ["0", "½", "1"])
check(natsort.natsorted(["a1", "A2", "b1"], alg=ns.GROUPLETTERS), ["A2", "a1", "b1"])
check(natsort.decoder("latin1")(b"\xe4"), "ä")
check(natsort.natsorted(["c", "a", "10"], alg=ns.NUMAFTER), ["a", "c", "10"])
check(natsort.natsorted(["n1,5", "n1.4"], alg=ns.FLOAT | ns.UNSIGNED), ["n1,5", "n1.4"])
check(natsort.os_sorted(["f10.txt", "f2.txt"]), ["f2.txt", "f10.txt"])
