import datetime as dt
import importlib.metadata

# What only describes the archive is not there.
importlib.metadata.version = lambda name: "0"

import humanize


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


check(humanize.intcomma(1234567), "1,234,567")
check(humanize.intcomma(-12345.6), "-12,345.6")
check(humanize.intword(1_200_000), "1.2 million")
check(humanize.intword(999_999_999, "%.0f"), "1 billion")
check(humanize.ordinal(1), "1st")
check(humanize.ordinal(112), "112th")
check(humanize.apnumber(5), "five")
check(humanize.apnumber(10), "10")
check(humanize.fractional(1.3), "1 3/10")
check(humanize.fractional(0.25), "1/4")
check(humanize.scientific(1000), "1.00 x 10³")
check(humanize.scientific(0.0052, 1), "5.2 x 10⁻³")
check(humanize.naturalsize(3000000), "3.0 MB")
check(humanize.naturalsize(3000, binary=True), "2.9 KiB")
check(humanize.naturalsize(300, gnu=True), "300B")
check(humanize.naturalsize(1), "1 Byte")
check(humanize.naturalsize(10**28, format="%.2f"), "10000.00 YB" if humanize.naturalsize(10**28).endswith("YB") else "10.00 RB")
delta = dt.timedelta
check(humanize.naturaldelta(delta(days=1)), "a day")
check(humanize.naturaldelta(delta(days=40)), "a month")
check(humanize.naturaldelta(delta(seconds=45)), "45 seconds")
check(humanize.naturaldelta(delta(hours=5, minutes=40)), "5 hours")
check(humanize.naturaldelta(delta(days=4000)), "10 years")
check(humanize.naturaldelta(delta(milliseconds=4), minimum_unit="milliseconds"), "4 milliseconds")
now = dt.datetime(2020, 5, 17, 12, 0)
check(humanize.naturaltime(now - delta(minutes=3), when=now), "3 minutes ago")
check(humanize.naturaltime(now + delta(hours=2), when=now), "2 hours from now")
check(humanize.naturaltime(now, when=now), "now")
check(humanize.precisedelta(delta(seconds=3633, days=2)), "2 days, 1 hour and 33 seconds")
check(humanize.precisedelta(delta(days=400, hours=3), minimum_unit="days", format="%0.2f"), "1 year, 1 month and 4.62 days")
check(humanize.precisedelta(delta(minutes=90), suppress=["hours"]), "90 minutes")
check(humanize.naturalday(dt.date.today()), "today")
check(humanize.naturalday(dt.date.today() - delta(days=1)), "yesterday")
check(humanize.naturaldate(dt.date(2007, 6, 5)), "Jun 05 2007")
check(humanize.clamp(0.1234, format="{:.1%}", floor=0.2, floor_token="under "), "under 20.0%")
