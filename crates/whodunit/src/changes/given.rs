//! Reads the user's statements about which changes need which (section 10 of "Yesterday, my program
//! worked. Today, it does not. Why?", Zeller 1999: constraints beyond an order).
//!
//! A change is named by its place: `FILE` for all changes of a file, or `FILE:LINE`. The line is
//! one of the bad version or, if the bad version has no change there, one of the good version.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_core::{Delta, DeltaSet};
use whodunit_files::regular;
use whodunit_versions::Decomposition;

use super::ChangesError;
use crate::settings::VersionSettings;

/// One statement: the changes at one place need those at another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need {
    place: String,
    needs: String,
    /// The option or line of a file that contains the statement.
    said: String,
}

/// Checks the user's statements against all changes between the versions. A place without a change
/// is an error, and so is a circle.
pub(super) fn check(settings: &VersionSettings, parts: &Decomposition) -> Result<(), ChangesError> {
    for Need { place, needs, said } in read(settings)? {
        if let Some(place) = [place, needs].iter().find(|place| at(parts, place).is_empty()) {
            let problem = format!("nothing changed at `{place}`");
            return Err(ChangesError::Needs { said, problem });
        }
    }
    Ok(())
}

/// Returns pairs of a change and one that it needs, from the user's statements. `parts` may be the
/// changes of one commit only; statements about other changes are ignored.
pub(super) fn needs(
    settings: &VersionSettings,
    parts: &Decomposition,
) -> Result<Vec<(Delta, Delta)>, ChangesError> {
    let mut edges = Vec::new();
    for need in read(settings)? {
        let [these, those] = [&need.place, &need.needs].map(|place| at(parts, place));
        let pairs = these.iter().flat_map(|delta| those.iter().map(move |it| (delta, it)));
        edges.extend(pairs.filter(|(delta, it)| delta != it));
    }
    Ok(edges)
}

/// Reads the statements on the command line and in the file.
fn read(settings: &VersionSettings) -> Result<Vec<Need>, ChangesError> {
    let error = |said: String, problem: &str| {
        let problem = problem.to_owned();
        ChangesError::Needs { said, problem }
    };
    let mut all = Vec::new();
    for text in &settings.needs {
        let said = format!("--needs {text}");
        let Some((place, needs)) = pair(text) else {
            return Err(error(said, "it is not A:B, where A and B are FILE or FILE:LINE"));
        };
        all.push(Need { place, needs, said });
    }
    if let Some(file) = &settings.needs_file {
        let path = settings.origin.as_path().join(file.as_path());
        let text = regular::read_to_string(&path)
            .map_err(|trouble| error(path.display().to_string(), &trouble.to_string()))?;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let said = format!("{}:{number}: {line}", path.display());
            let Some((place, needs)) = line.split_once(" needs ") else {
                return Err(error(said, "it is not `A needs B`"));
            };
            let (place, needs) = (place.trim().to_owned(), needs.trim().to_owned());
            all.push(Need { place, needs, said });
        }
    }
    if let Some(closing) = closes_circle(&all) {
        return Err(error(closing.said.clone(), "it closes a circle with those before it"));
    }
    Ok(all)
}

/// Splits `A:B`; a part that is a number belongs to the name before it.
fn pair(text: &str) -> Option<(String, String)> {
    let mut places: Vec<String> = Vec::new();
    for part in text.split(':') {
        let is_line = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match places.last_mut() {
            Some(place) if is_line && !place.contains(':') => *place += &format!(":{part}"),
            _ => places.push(part.to_owned()),
        }
    }
    let [place, needs] = &places[..] else { return None };
    (!place.is_empty() && !needs.is_empty()).then(|| (place.clone(), needs.clone()))
}

/// Returns the first statement that closes a circle.
fn closes_circle(all: &[Need]) -> Option<&Need> {
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    all.iter().find(|need| {
        let (mut seen, mut ahead) = (BTreeSet::new(), vec![&*need.needs]);
        while let Some(place) = ahead.pop() {
            if seen.insert(place) {
                ahead.extend(needs.get(place).into_iter().flatten());
            }
        }
        needs.entry(&need.place).or_default().insert(&need.needs);
        seen.contains(&*need.place)
    })
}

/// Returns the changes at a place.
fn at(parts: &Decomposition, place: &str) -> DeltaSet {
    let whole = (place, None);
    let (file, line) = match place.rsplit_once(':') {
        Some((file, line)) => line.parse::<u32>().map_or(whole, |line| (file, Some(line))),
        None => whole,
    };
    let is_there = |delta: &Delta, is_new: bool| {
        let part = parts.part(*delta);
        let (path, lines) = match is_new {
            true => (part.new_path, &part.new_lines),
            false => (part.old_path, &part.old_lines),
        };
        path.is_some_and(|path| path.as_bytes() == file.as_bytes())
            && line.is_none_or(|line| lines.contains(&line))
    };
    let found = |is_new| parts.all().iter().filter(|it| is_there(it, is_new)).collect::<DeltaSet>();
    let new = found(true);
    if new.is_empty() { found(false) } else { new }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(place: &str, needs: &str) -> Need {
        Need { place: place.into(), needs: needs.into(), said: format!("{place} {needs}") }
    }

    #[test]
    fn a_pair_has_two_places_with_or_without_lines() {
        let both = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(pair("a.c:b.c"), both("a.c", "b.c"));
        assert_eq!(pair("a.c:3:b.c"), both("a.c:3", "b.c"));
        assert_eq!(pair("a.c:b.c:14"), both("a.c", "b.c:14"));
        for text in ["a.c", "a.c:3", "a.c:", "a:b:c", ""] {
            assert_eq!(pair(text), None, "{text}");
        }
    }

    #[test]
    fn the_statement_that_closes_a_circle_is_named() {
        let mut all = vec![need("a", "b"), need("b", "c"), need("a", "c")];
        assert_eq!(closes_circle(&all), None);
        all.push(need("c", "a"));
        assert_eq!(closes_circle(&all), Some(&need("c", "a")));
        let itself = [need("a", "a")];
        assert_eq!(closes_circle(&itself), Some(&itself[0]));
    }
}
