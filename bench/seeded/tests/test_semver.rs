use semver::{BuildMetadata, Comparator, Op, Prerelease, Version, VersionReq};

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn matching(range: &str, versions: &[&str]) -> Vec<String> {
    let range = VersionReq::parse(range).unwrap();
    let all = versions.iter().map(|text| version(text));
    all.filter(|it| range.matches(it)).map(|it| it.to_string()).collect()
}

fn wrong(text: &str) -> String {
    Version::parse(text).unwrap_err().to_string()
}

fn wrong_range(text: &str) -> String {
    VersionReq::parse(text).unwrap_err().to_string()
}

fn main() {
    let one = version("1.2.3-rc.1+build.5");
    assert_eq!((one.major, one.minor, one.patch), (1, 2, 3));
    assert_eq!((one.pre.as_str(), one.build.as_str()), ("rc.1", "build.5"));
    assert_eq!(one.to_string(), "1.2.3-rc.1+build.5");
    assert_eq!(format!("{:>8}", version("1.2.3")), "   1.2.3");
    let order = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-2", "1.0.0", "1.0.1"];
    let mut sorted: Vec<_> = order.iter().map(|text| version(text)).collect();
    sorted.sort();
    let sorted: Vec<_> = sorted.iter().map(Version::to_string).collect();
    assert_eq!(sorted, ["1.0.0-2", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0", "1.0.1"]);
    assert!(version("1.0.0-rc.10") > version("1.0.0-rc.9"));
    assert!(BuildMetadata::new("007").unwrap() > BuildMetadata::new("7").unwrap());
    let all = ["0.2.3", "0.2.9", "0.3.0", "1.2.3", "1.2.4", "1.9.0", "2.0.0", "2.0.0-rc.1"];
    assert_eq!(matching("1.2.3", &all), ["1.2.3", "1.2.4", "1.9.0"]);
    assert_eq!(matching("^0.2.4", &all), ["0.2.9"]);
    assert_eq!(matching("~1.2.3", &all), ["1.2.3", "1.2.4"]);
    assert_eq!(matching("~1", &all), ["1.2.3", "1.2.4", "1.9.0"]);
    assert_eq!(matching("=1.2", &all), ["1.2.3", "1.2.4"]);
    assert_eq!(matching(">1.2.3, <=2", &all), ["1.2.4", "1.9.0", "2.0.0"]);
    assert_eq!(matching(">=1.9, <2.0.0", &all), ["1.9.0"]);
    assert_eq!(matching("1.*", &all), ["1.2.3", "1.2.4", "1.9.0"]);
    assert_eq!(matching(">=2.0.0-rc.0", &all), ["2.0.0", "2.0.0-rc.1"]);
    assert_eq!(matching("*", &all).len(), 7);
    assert_eq!(matching("<0.3", &all), ["0.2.3", "0.2.9"]);
    assert_eq!(VersionReq::parse(" >= 1.2 , <2.x ").unwrap().to_string(), ">=1.2, <2");
    assert_eq!(VersionReq::STAR.to_string(), "*");
    let comparator = Comparator::parse("~1.2.0-a").unwrap();
    assert_eq!((comparator.op, comparator.patch, comparator.pre.as_str()), (Op::Tilde, Some(0), "a"));
    assert_eq!(wrong("1.2"), "unexpected end of input while parsing minor version number");
    assert_eq!(wrong("1.02.3"), "invalid leading zero in minor version number");
    assert_eq!(wrong("1.2.3-01"), "invalid leading zero in pre-release identifier");
    assert_eq!(wrong("1.2.3-"), "empty identifier segment in pre-release identifier");
    assert_eq!(wrong("1.2.3 x"), "unexpected character ' ' after patch version number");
    assert_eq!(wrong("a.b.c"), "unexpected character 'a' while parsing major version number");
    assert_eq!(wrong("99999999999999999999.0.0"), "value of major version number exceeds u64::MAX");
    assert_eq!(wrong_range("1.2.3,"), "unexpected end of input while parsing major version number");
    assert_eq!(wrong_range(">1 <2"), "expected comma after major version number, found '<'");
    let long = Prerelease::new("abcdefghijklmnop.1234567890").unwrap();
    assert_eq!(long.clone(), long);
    assert!(Prerelease::EMPTY.is_empty() && Prerelease::new("a").unwrap() > Prerelease::new("9").unwrap());
}
