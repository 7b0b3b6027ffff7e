//! Needs of imports: a use needs the import of its name, an import needs the imported
//! definition, and the deletion of an import needs that its uses are deleted.

use std::collections::{HashMap, HashSet};

use whodunit_syntax::definitions::{Member, MemberKind};
use whodunit_syntax::words::{WordHash, words};

use super::Finder;
use crate::draft::Slot;
use crate::universe::{Id, PresentIn};

/// Finds the needs of imports and of their users.
pub(super) fn find(finder: &mut Finder<'_>) {
    let homes = stems(finder);
    let mut imports: HashMap<u32, Vec<(usize, Import)>> = HashMap::new();
    for (number, draft) in finder.drafts.drafts.iter().enumerate() {
        let Some(id) = draft.new.or(draft.old) else { continue };
        let member = finder.universe.member(id);
        if draft.slot == Slot::Define && member.kind == MemberKind::Import {
            imports.entry(draft.file).or_default().push((number, Import::of(member)));
        }
    }
    for (number, import) in imports.values().flatten() {
        leads_to(finder, *number, import, &homes);
    }
    new_files(finder, &homes);
    for number in 0..finder.drafts.drafts.len() {
        let file = finder.drafts.drafts[number].file;
        let Some(imports) = imports.get(&file) else { continue };
        users(finder, number, imports);
    }
}

/// An import.
struct Import {
    names: HashSet<WordHash>,
    /// Whether it also imports names that it does not list.
    is_open: bool,
}

impl Import {
    fn of(member: &Member) -> Import {
        let text = member.key.strip_prefix("import ").unwrap_or(&member.key);
        let text = text.split('#').next().filter(|it| !it.is_empty()).unwrap_or(text);
        let all: Vec<WordHash> =
            words(text.as_bytes()).map(|range| WordHash::of(&text.as_bytes()[range])).collect();
        let is_open = text.contains('*') || member.key.starts_with("import #");
        let is_path = text.contains('.') && !text.contains([' ', '{', '"']);
        // A path imports its last name only; any other import may mean each of its words.
        let names = if is_path {
            all.last().copied().into_iter().collect()
        } else {
            all.into_iter().collect()
        };
        Import { names, is_open }
    }
}

/// Returns the changes that add files, by the names of these files.
fn stems(finder: &Finder<'_>) -> HashMap<WordHash, usize> {
    let homes = finder.homes();
    let mut stems = HashMap::new();
    for (file, number) in homes {
        let Some(file) = finder.parts.changed_file(file as usize) else { continue };
        let Some((path, _)) = file.bad() else { continue };
        let name = path.name();
        let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name);
        stems.insert(WordHash::of(stem), number);
        if matches!(stem, b"mod" | b"index" | b"__init__") {
            stems.insert(WordHash::of(path.folder().name()), number);
        }
    }
    stems
}

/// An added import needs the new definitions that it imports; a deleted definition needs that
/// its imports are deleted.
fn leads_to(
    finder: &mut Finder<'_>,
    number: usize,
    import: &Import,
    homes: &HashMap<WordHash, usize>,
) {
    let draft = &finder.drafts.drafts[number];
    let is_new = draft.new.is_some();
    let version = if is_new { PresentIn::New } else { PresentIn::Old };
    for &name in &import.names {
        if let Some(&home) = homes.get(&name).filter(|_| is_new) {
            finder.need(number, home);
        }
        for target in exported(finder, name, version) {
            let Some(define) = finder.slot(target, Slot::Define) else { continue };
            if is_new {
                finder.need(number, define);
            } else {
                finder.need(define, number);
            }
        }
    }
}

/// Returns the definitions that other files may import under a name.
fn exported(finder: &Finder<'_>, name: WordHash, version: PresentIn) -> Vec<Id> {
    let is_exported = |&id: &Id| {
        let kind = finder.universe.member(id).kind;
        let owner = finder.universe.member(finder.universe.owner(id)).kind;
        kind != MemberKind::Import && kind != MemberKind::File && owner == MemberKind::File
    };
    finder.universe.named(name, version).filter(is_exported).collect()
}

/// Adds the needs of a new file's imports to the change that adds the file.
fn new_files(finder: &mut Finder<'_>, stems: &HashMap<WordHash, usize>) {
    for (file, home) in finder.homes() {
        let Some(source) = finder.universe.touched[file as usize].1 else { continue };
        let members = &finder.universe.sources[source].facts.members;
        let is_import = |member: &&Member| member.kind == MemberKind::Import;
        for import in members.iter().filter(is_import).map(Import::of) {
            let names: Vec<WordHash> = import.names.iter().copied().collect();
            for name in names {
                if let Some(&other) = stems.get(&name) {
                    finder.need(home, other);
                }
                for target in exported(finder, name, PresentIn::New) {
                    if let Some(define) = finder.slot(target, Slot::Define) {
                        finder.need(home, define);
                    }
                }
            }
        }
    }
}

/// Users of a name need its added import; a deleted import needs that its users are changed.
fn users(finder: &mut Finder<'_>, number: usize, imports: &[(usize, Import)]) {
    let draft = &finder.drafts.drafts[number];
    let is_import = imports.iter().any(|(import, _)| *import == number);
    if is_import || draft.slot == Slot::Text {
        return;
    }
    let used = |version| -> HashSet<WordHash> {
        finder.uses_in(number, version).iter().map(|(_, used)| used.name).collect()
    };
    let (new, old) = (used(PresentIn::New), used(PresentIn::Old));
    let matters = |import: &Import, used: &HashSet<WordHash>| {
        !used.is_empty() && (import.is_open || import.names.iter().any(|name| used.contains(name)))
    };
    for (other, import) in imports {
        let is_added = finder.drafts.drafts[*other].new.is_some();
        if is_added && matters(import, &new) {
            finder.need(number, *other);
        } else if !is_added && matters(import, &old) {
            finder.need(*other, number);
        }
    }
}
