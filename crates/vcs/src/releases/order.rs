//! The order of releases by their names.

use std::cmp::Ordering;

/// Endings of archives, longest first.
const ARCHIVES: [&str; 16] = [
    ".tar.bz2",
    ".tar.zst",
    ".tar.lzma",
    ".tar.gz",
    ".tar.xz",
    ".tar.lz",
    ".tar.Z",
    ".tar",
    ".tgz",
    ".txz",
    ".tbz2",
    ".tbz",
    ".zip",
    ".jar",
    ".crate",
    ".7z",
];

/// Words for preliminary versions, the earliest first. Those in one line mean the same.
const BEFORE: [&[&str]; 5] = [
    &["dev", "snapshot", "nightly", "canary"],
    &["alpha", "a"],
    &["beta", "b"],
    &["milestone", "m", "preview", "pre", "ea"],
    &["rc", "c", "cr", "candidate"],
];

/// The length of a letter that is such a word only with a number after it: `1.0b2` comes before
/// `1.0`, but `1.0b` after it.
const LONGEST_LETTER: usize = 1;

/// The name of a release in comparable form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(Vec<NamePart>);

/// A part of a name. The order of the variants is that of names: preliminary versions, the
/// release, its later forms by words, and those by further numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NamePart {
    Before(usize),
    End,
    Word(String),
    Number(Digits),
}

/// A number of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digits(String);

impl Ord for Digits {
    fn cmp(&self, other: &Self) -> Ordering {
        let [one, other] = [self, other].map(|digits| digits.0.trim_start_matches('0'));
        one.len().cmp(&other.len()).then_with(|| one.cmp(other))
    }
}

impl PartialOrd for Digits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Name {
    pub(super) fn of(name: &str) -> Self {
        let texts = split(stem(name));
        let parts = texts.iter().enumerate().filter_map(|(place, text)| {
            let next_is_number = texts.get(place + 1).is_some_and(|next| is_number(next));
            part(text, next_is_number, place == 0)
        });
        let mut parts: Vec<NamePart> = parts.collect();
        parts.push(NamePart::End);
        Self(parts)
    }
}

/// Returns a name without the ending of an archive.
pub(super) fn stem(name: &str) -> &str {
    ARCHIVES.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn part(text: &str, next_is_number: bool, is_first: bool) -> Option<NamePart> {
    if is_number(text) {
        return Some(NamePart::Number(Digits(text.to_owned())));
    }
    let word = text.to_lowercase();
    if word == "v" && next_is_number {
        return None;
    }
    let may_be = !is_first && (word.len() > LONGEST_LETTER || next_is_number);
    let before = BEFORE.iter().position(|words| words.contains(&word.as_str()));
    Some(before.filter(|_| may_be).map_or(NamePart::Word(word), NamePart::Before))
}

fn is_number(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Splits a name into numbers and words; other characters are ignored.
fn split(name: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        letter if letter.is_ascii_digit() => 1,
        letter if letter.is_alphabetic() => 2,
        _ => 0,
    };
    let mut parts = Vec::new();
    let mut begins = 0;
    let mut last = 0;
    for (place, letter) in name.char_indices() {
        if kind(letter) != last {
            parts.push((last, &name[begins..place]));
            (begins, last) = (place, kind(letter));
        }
    }
    parts.push((last, &name[begins..]));
    parts.into_iter().filter(|(kind, _)| *kind != 0).map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that names are in order, the oldest first.
    fn check(names: &[&str]) {
        for pair in names.windows(2) {
            assert!(Name::of(pair[0]) < Name::of(pair[1]), "{} < {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn numbers_count_as_numbers() {
        check(&["p-1.2", "p-1.9", "p-1.10", "p-1.10.1", "p-2.0", "p-10.0"]);
        check(&["lib2-1.9.tar.gz", "lib2-1.10", "lib2-1.11.zip"]);
        check(&["1.99999999999999999999998", "1.99999999999999999999999"]);
        check(&["2026-01-31", "2026-02-01", "20260202"]);
    }

    #[test]
    fn what_comes_before_a_release_is_older() {
        check(&["p-0.9", "p-1.0-alpha1", "p-1.0-beta", "p-1.0-beta.2", "p-1.0-rc1", "p-1.0"]);
        check(&[
            "1.0.dev3",
            "1.0a1",
            "1.0b2",
            "1.0rc1",
            "1.0RC2",
            "1.0",
            "1.0.1-SNAPSHOT",
            "1.0.1",
        ]);
        check(&["1.0-rc9", "1.0-rc10", "1.0"]);
    }

    #[test]
    fn what_comes_after_a_release_is_newer() {
        check(&[
            "openssl-1.0.2",
            "openssl-1.0.2a",
            "openssl-1.0.2b",
            "openssl-1.0.2zh",
            "openssl-1.0.3",
        ]);
        check(&["1.0", "1.0-p1", "1.0-p2", "1.0.1"]);
        check(&["1.0", "1.0.post1", "1.1"]);
    }

    #[test]
    fn a_v_and_the_kind_of_archive_say_nothing() {
        for name in ["p-v1.4", "p_1.4", "p-1.4.tar.xz", "p-V1.4.tgz"] {
            assert_eq!(Name::of(name), Name::of("p-1.4"), "{name}");
        }
        check(&["v1.9", "1.10", "v1.11"]);
    }
}
