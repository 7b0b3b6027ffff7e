//! The entries of a test, found by its name.

use whodunit_syntax::definitions::MemberKind;

use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// A definition that a test starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry(pub(super) Id);

/// Finds the definitions that a name may stand for in the bad version, with the code that
/// is run around them.
pub(super) fn find(universe: &Universe, resolver: &Resolver<'_>, name: &str) -> Vec<Entry> {
    let mut found: Vec<Id> = of_file(universe, name);
    if found.is_empty() {
        found = named(universe, name);
    }
    if found.is_empty() {
        // The name of a case of a test follows that of the test.
        let own = name.split(['[', '/', '(']).next().unwrap_or(name);
        found = named(universe, own);
    }
    with_around(universe, resolver, found)
}

/// Returns some definitions with the code that is run around each of them.
pub(super) fn with_around(
    universe: &Universe,
    resolver: &Resolver<'_>,
    found: Vec<Id>,
) -> Vec<Entry> {
    let mut all = found.clone();
    for id in found {
        all.extend(around(universe, resolver, id));
    }
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(Entry).collect()
}

/// Returns all definitions in a file of this path.
fn of_file(universe: &Universe, name: &str) -> Vec<Id> {
    let is_it = |path: &str| path == name || path.ends_with(&format!("/{name}"));
    let sources = universe.sources.iter().enumerate();
    let sources = sources
        .filter(|(_, source)| source.side != PresentIn::Old && is_it(&source.path.display()));
    sources
        .flat_map(|(at, source)| {
            (0..source.facts.members.len() as u32).map(move |member| universe.id(at, member))
        })
        .collect()
}

/// Returns the functions of a name, and those of a class of that name.
fn named(universe: &Universe, name: &str) -> Vec<Id> {
    let plain = name.replace("::", ".").replace('#', ".");
    let plain = plain.split('(').next().unwrap_or(&plain);
    let parts: Vec<&str> = plain.split(['.', '/', '$']).filter(|part| !part.is_empty()).collect();
    let Some((own, outer)) = parts.split_last() else { return Vec::new() };
    let mut found = Vec::new();
    for id in universe.ids().filter(|&id| universe.side(id) != PresentIn::Old) {
        let member = universe.member(id);
        let is_owned = || outer.last().is_none_or(|outer| is_in(universe, id, outer));
        if bare(&member.key) != *own || !is_owned() {
            continue;
        }
        match member.kind {
            MemberKind::File | MemberKind::Import => {}
            kind if kind.is_type() || kind == MemberKind::Module => {
                let all =
                    universe.ids().filter(|&other| universe.owner(other) == id && other != id);
                found.extend(all);
            }
            _ => found.push(id),
        }
    }
    found
}

fn bare(key: &str) -> &str {
    let key = key.split(['(', '#']).next().unwrap_or(key);
    key.rsplit('.').next().unwrap_or(key)
}

/// Whether a definition is in a class, module or file of this name.
fn is_in(universe: &Universe, id: Id, outer: &str) -> bool {
    let mut at = id;
    loop {
        let owner = universe.owner(at);
        if owner == at {
            break;
        }
        if bare(&universe.member(owner).key) == outer {
            return true;
        }
        at = owner;
    }
    let path = &universe.sources[universe.source(id)].path;
    let name = String::from_utf8_lossy(path.name()).into_owned();
    let folder = path.folder();
    name.split('.').next() == Some(outer) || name == outer || folder.name() == outer.as_bytes()
}

/// Returns the code that is run around a test: set-up, tear-down, and the construction of
/// its class.
fn around(universe: &Universe, resolver: &Resolver<'_>, test: Id) -> Vec<Id> {
    let Some(home) = resolver.home(test) else { return Vec::new() };
    let mut homes = resolver.all_above(home);
    homes.insert(home);
    let is_around = |&id: &Id| {
        let member = universe.member(id);
        let is_run = member.marks.is_fixture
            || matches!(member.kind, MemberKind::Constructor | MemberKind::Initializer)
            || (member.kind.is_variable() && !member.marks.is_plain);
        is_run && resolver.home(id).is_some_and(|it| homes.contains(&it))
    };
    let owners: Vec<Id> = homes.iter().flat_map(|&name| resolver.types(name)).copied().collect();
    let all = owners.iter().flat_map(|&owner| {
        let source = universe.source(owner);
        let count = universe.sources[source].facts.members.len() as u32;
        (0..count).map(move |member| universe.id(source, member))
    });
    all.filter(is_around).collect()
}
