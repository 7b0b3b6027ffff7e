from packaging import markers, requirements, specifiers, tags, utils, version


def check(got, expected):
    assert got == expected, f"expected {expected!r}, got {got!r}"


Version = version.Version
check(str(Version("1.0.RC1.post2.dev3+Ab_1")), "1.0rc1.post2.dev3+ab.1")
check(Version("1.0a1") < Version("1.0b1") < Version("1.0") < Version("1.0.post1"), True)
check(Version("1!2.0") > Version("3.0"), True)
check((Version("1.2.3").major, Version("1.2.3").micro, Version("1.2.dev1").is_prerelease), (1, 3, True))
check(version.parse("v2.0").release, (2, 0))
spec = specifiers.SpecifierSet(">=1.0,!=1.3.*,<2")
check([v for v in ["0.9", "1.0", "1.3.1", "1.4", "2.0"] if v in spec], ["1.0", "1.4"])
check("1.5.dev1" in spec, False)
check(spec.contains("1.5.dev1", prereleases=True), True)
check(list(specifiers.SpecifierSet("~=1.4.2").filter(["1.4.1", "1.4.9", "1.5"])), ["1.4.9"])
check("1.0+local" in specifiers.SpecifierSet("==1.0"), True)
check("1.0.0" in specifiers.Specifier("===1.0"), False)
check(str(specifiers.SpecifierSet(">1") & specifiers.SpecifierSet("<3")), "<3,>1")
need = requirements.Requirement('name[b,a]>=1.0,<2; python_version < "3.8" and extra == "x"')
check((need.name, sorted(need.extras), str(need.specifier)), ("name", ["a", "b"], "<2,>=1.0"))
check(str(need.marker), 'python_version < "3.8" and extra == "x"')
check(str(need), 'name[a,b]<2,>=1.0; python_version < "3.8" and extra == "x"')
link = requirements.Requirement("name @ https://a.b/c.zip ; os_name == 'posix'")
check(link.url, "https://a.b/c.zip")
marker = markers.Marker('(python_version >= "3.6" or os_name == "nt") and sys_platform != "win32"')
check(marker.evaluate({"python_version": "3.5", "os_name": "nt", "sys_platform": "linux"}), True)
check(marker.evaluate({"python_version": "3.5", "os_name": "posix", "sys_platform": "linux"}), False)
check(markers.Marker("'x' in extra").evaluate({"extra": "xy"}), True)
check(utils.canonicalize_name("A_b--C.d"), "a-b-c-d")
check(utils.canonicalize_version("1.4.0.0"), "1.4")
name, number, build, found = utils.parse_wheel_filename("foo_bar-1.0-1abc-py2.py3-none-any.whl")
check((name, str(number), build, sorted(map(str, found))), ("foo-bar", "1.0", (1, "abc"), ["py2-none-any", "py3-none-any"]))
check(utils.parse_sdist_filename("foo-1.0.tar.gz")[0], "foo")
check(sorted(map(str, tags.parse_tag("py3-none-any"))), ["py3-none-any"])
check([str(tag) for tag in tags.compatible_tags((3, 2), "cp32", ["any_1"])][:2], ["py32-none-any_1", "py3-none-any_1"])
check([str(tag) for tag in tags.cpython_tags((3, 2), ["cp32m"], ["x"])][:2], ["cp32-cp32m-x", "cp32-abi3-x"])


def error(make, text):
    try:
        make(text)
    except ValueError as error:
        return type(error).__name__
    return None


check(error(Version, "1.x"), "InvalidVersion")
check(error(specifiers.Specifier, "=>1"), "InvalidSpecifier")
check(error(requirements.Requirement, "name[a"), "InvalidRequirement")
check(error(markers.Marker, "python_version >"), "InvalidMarker")
check(error(utils.parse_wheel_filename, "a.whl"), "InvalidWheelFilename")
