//! Lines that bring all names of another file, as `#include` does: what uses names that are new in
//! a file needs them, and they go after what used the names.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use whodunit_core::Delta;
use whodunit_syntax::language::Language;
use whodunit_syntax::words::{WordHash, words};

use super::lines::Side;
use super::mentions::{Mentions, Names};
use super::{Edge, Edges, Reason};
use crate::decomposition::Text;

/// A line that is added in more places than this is skipped: its additions and deletions are
/// unrelated. Chosen by hand.
const MAX_PLACES: usize = 2;

pub(super) fn find(edges: &mut Edges<'_>, mentions: &Mentions) {
    let old = Imports::of(edges, Side::Old);
    let new = Imports::of(edges, Side::New);
    within_files(edges, &old, &mentions.old, Side::Old);
    within_files(edges, &new, &mentions.new, Side::New);
    moved(edges, &old, &new);
    passed_on(edges, &new);
}

/// The changed lines at one end that bring names.
struct Imports<'a> {
    /// For each file the grains, each with the text of its line.
    of_file: BTreeMap<u32, Vec<(u32, &'a [u8])>>,
}

impl<'a> Imports<'a> {
    fn of(edges: &Edges<'a>, side: Side) -> Self {
        let decomposition = edges.decomposition;
        let mut of_file: BTreeMap<u32, Vec<(u32, &[u8])>> = BTreeMap::new();
        for (number, file) in (0..).zip(&decomposition.files) {
            let Some(text) = &file.text else { continue };
            for (grain, piece) in decomposition.pieces(text) {
                let line = side.of(text).0[side.bytes(piece)].trim_ascii();
                if is_import(line) {
                    of_file.entry(number).or_default().push((grain, line));
                }
            }
        }
        Imports { of_file }
    }
}

/// Words that lines with imports begin with, in any language, because the language of a file is
/// often not known.
struct ImportWords {
    imports: BTreeSet<&'static [u8]>,
    star_imports: BTreeSet<&'static [u8]>,
}

static IMPORT_WORDS: LazyLock<ImportWords> = LazyLock::new(|| {
    let profiles = || Language::all().iter().map(Language::profile);
    ImportWords {
        imports: profiles().flat_map(|profile| &profile.imports).map(String::as_bytes).collect(),
        star_imports: profiles()
            .flat_map(|profile| &profile.star_imports)
            .map(String::as_bytes)
            .collect(),
    }
});

fn is_import(line: &[u8]) -> bool {
    let begins = |beginnings: &BTreeSet<&[u8]>| {
        let mut rests = beginnings.iter().filter_map(|with| line.strip_prefix(*with));
        rests.any(|rest| rest.trim_ascii_start().first().is_some_and(names_something))
    };
    let takes_all = || line.strip_suffix(b";").unwrap_or(line).ends_with(b"*");
    let words = &*IMPORT_WORDS;
    begins(&words.imports) || begins(&words.star_imports) && takes_all()
}

/// Whether a name or a path may begin so, and not the other part of a sum or an assignment.
fn names_something(sign: &u8) -> bool {
    sign.is_ascii_alphanumeric() || !sign.is_ascii() || b"_$@~./\"'<{*(".contains(sign)
}

/// Pairs lines whose names the other end of the file lacks with the imports that came or went too.
fn within_files(edges: &mut Edges<'_>, imports: &Imports<'_>, names: &Names, side: Side) {
    let decomposition = edges.decomposition;
    for (&number, imports) in &imports.of_file {
        let Some(text) = &decomposition.files[number as usize].text else { continue };
        let (bytes, facts) = side.of(text);
        let other = words_of(text, side.other());
        for (grain, piece) in decomposition.pieces(text) {
            let range = side.bytes(piece);
            let changed = &bytes[range.clone()];
            if is_import(changed.trim_ascii()) {
                continue;
            }
            let mut needed: BTreeSet<u32> = BTreeSet::new();
            for word in words(changed) {
                let is_quiet = facts.is_some_and(|it| it.is_quiet(range.start + word.start));
                let name = WordHash::of(&changed[word]);
                if !is_quiet && !other.contains(&name) {
                    needed.extend(bringing(edges, imports, names, number, name));
                }
            }
            for import in needed {
                let (grain, import) = side.edge(grain, import);
                edges.add(grain, import, Reason::Name);
            }
        }
    }
}

/// Returns the imports that may bring a name: those of a file that defines it, and all of them if
/// no changed file does.
fn bringing<'a>(
    edges: &Edges<'_>,
    imports: &'a [(u32, &'a [u8])],
    names: &'a Names,
    file: u32,
    name: WordHash,
) -> Vec<u32> {
    let definitions = names.defined.get(&name);
    if definitions.is_some_and(|places| places.iter().any(|place| place.0 == file)) {
        return Vec::new();
    }
    let stems: Vec<Vec<u8>> =
        definitions.into_iter().flatten().filter_map(|place| stem(edges, place.0)).collect();
    let brings = |line: &[u8]| {
        stems.is_empty()
            || words(line).any(|word| stems.iter().any(|stem| *stem == line[word.clone()]))
    };
    imports.iter().filter(|(_, line)| brings(line)).map(|(grain, _)| *grain).collect()
}

/// Returns the name of a file without folders and endings.
fn stem(edges: &Edges<'_>, file: u32) -> Option<Vec<u8>> {
    let file = &edges.decomposition.files[file as usize];
    let name = file.new.as_ref().or(file.old.as_ref())?.path.name();
    name.split(|&byte| byte == b'.').next().map(<[u8]>::to_vec)
}

/// Lets the deletion of an import need its addition in another file.
fn moved(edges: &mut Edges<'_>, old: &Imports<'_>, new: &Imports<'_>) {
    let mut coming: BTreeMap<&[u8], Vec<(u32, u32)>> = BTreeMap::new();
    for (&file, lines) in &new.of_file {
        for &(grain, line) in lines {
            coming.entry(line).or_default().push((file, grain));
        }
    }
    for (&file, lines) in &old.of_file {
        for (goes, line) in lines {
            let Some(places) = coming.get(line).filter(|it| it.len() <= MAX_PLACES) else {
                continue;
            };
            for &(_, comes) in places.iter().filter(|(other, _)| *other != file) {
                edges.add(*goes, comes, Reason::Name);
            }
        }
    }
}

/// Lets what brings a new file need what that one brings, since it passes the names on.
fn passed_on(edges: &mut Edges<'_>, new: &Imports<'_>) {
    let decomposition = edges.decomposition;
    let mut brought_by: BTreeMap<Delta, &Vec<(u32, &[u8])>> = BTreeMap::new();
    for (&file, imports) in &new.of_file {
        if let Some(added) = decomposition.files[file as usize].added {
            brought_by.insert(decomposition.delta_of(added), imports);
        }
    }
    let importing: BTreeSet<Delta> =
        new.of_file.values().flatten().map(|(grain, _)| decomposition.delta_of(*grain)).collect();
    let bringing: Vec<Edge> = edges
        .found
        .iter()
        .filter(|edge| edge.reason == Reason::File && importing.contains(&edge.delta))
        .copied()
        .collect();
    for Edge { delta, needs, .. } in bringing {
        for (grain, _) in brought_by.get(&needs).into_iter().copied().flatten() {
            let needs = decomposition.delta_of(*grain);
            if delta != needs {
                edges.found.push(Edge { delta, needs, reason: Reason::Name });
            }
        }
    }
}

fn words_of(text: &Text, side: Side) -> HashSet<WordHash> {
    let bytes = side.of(text).0;
    words(bytes).map(|word| WordHash::of(&bytes[word])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_name_something() {
        for line in ["#include <a.h>", "#include \"a.h\"", "using std::swap;", "source ./a.sh"] {
            assert!(is_import(line.as_bytes()), "{line}");
        }
        for line in ["import java.util.*;", "use super::*;", "from a import *", "export * "] {
            assert!(is_import(line.trim_end().as_bytes()), "{line}");
        }
        for line in ["source = text;", "source += text * 2 *", "using = 1", "import a", "use a"] {
            assert!(!is_import(line.as_bytes()), "{line}");
        }
    }
}
