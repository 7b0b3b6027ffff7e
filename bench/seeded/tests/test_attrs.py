import attr
import attrs


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


@attr.s
class Point:
    x = attr.ib(validator=attr.validators.instance_of(int))
    y = attr.ib(default=0, converter=int)


@attr.s(auto_attribs=True, frozen=True, slots=True, order=True)
class Size:
    width: int
    height: int = 3
    names: list = attr.Factory(list)


@attrs.define
class Limits:
    low: int = attrs.field(validator=attrs.validators.ge(0))
    high: int = attrs.field(default=10, validator=attrs.validators.lt(100))
    words: dict = attrs.field(factory=dict, repr=False, kw_only=True)

    @high.validator
    def above(self, attribute, value):
        if value < self.low:
            raise ValueError(f"{attribute.name} is too low")


def error(make):
    try:
        make()
    except Exception as error:
        return type(error).__name__
    return None


check(repr(Point(1, "2")), "Point(x=1, y=2)")
check(Point(1) == Point(1), True)
check(Point(1) == Point(2), False)
check(error(lambda: Point("a")), "TypeError")
check(attr.asdict(Point(1, 2)), {"x": 1, "y": 2})
check(attr.astuple(Size(1, 2, [Point(3)])), (1, 2, [(3, 0)]))
check(Size(1) < Size(2), True)
check(hash(Size(1, 2, ())) == hash(Size(1, 2, ())), True)
check(error(lambda: setattr(Size(1), "width", 2)), "FrozenInstanceError")
check(attr.evolve(Size(1), height=9).height, 9)
check([a.name for a in attr.fields(Limits)], ["low", "high", "words"])
check(repr(Limits(1, words={1: 2})), "Limits(low=1, high=10)")
check(error(lambda: Limits(-1)), "ValueError")
check(error(lambda: Limits(5, 4)), "ValueError")
check(error(lambda: setattr(Limits(1), "high", 100)), "ValueError")
check(attr.asdict(Limits(1), filter=attr.filters.exclude(dict)), {"low": 1, "high": 10})
made = attr.make_class("Made", {"a": attr.ib(default=4), "b": attr.ib(default=None)})
check(repr(made(b=2)), "Made(a=4, b=2)")
check(attr.has(Size), True)
check(attr.converters.optional(int)(None), None)
check(attr.converters.to_bool("yes"), True)
check(attr.converters.default_if_none(7)(None), 7)
deep = attrs.validators.deep_iterable(attrs.validators.instance_of(int))
check(error(lambda: deep(None, attr.fields(Limits).low, [1, "a"])), "TypeError")
either = attrs.validators.in_([1, 2])
check(error(lambda: either(None, attr.fields(Limits).low, 3)), "ValueError")
check(attr.cmp_using(eq=lambda a, b: a == b).__name__, "Comparable")
