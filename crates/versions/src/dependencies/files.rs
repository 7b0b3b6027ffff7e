//! A delta that mentions an added file needs it, and a file is deleted after the deltas that remove
//! its mentions. Where a build file lists it, the file needs that line as well: without the line it is
//! there and is not built, and without the file the line names nothing.

use std::collections::HashMap;

use whodunit_files::TreePath;

use super::lines::Side;
use super::{Edges, Reason};
use crate::decomposition::{Change, Touched};

/// Names and endings of names of files that list the parts of a build. A missing name costs tests
/// and nothing else.
const BUILD_FILES: [&str; 11] = [
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Makefile.am",
    "Makefile.in",
    "Kbuild",
    "CMakeLists.txt",
    "meson.build",
    "BUILD",
    "BUILD.bazel",
    "SConscript",
];
const BUILD_ENDINGS: [&str; 9] =
    [".mk", ".mak", ".cmake", ".pro", ".pri", ".cabal", ".gn", ".gyp", ".vcxproj"];

/// Endings of what compilers make of a source: `fresh.o` in a build file means `fresh.c`.
const OBJECT_ENDINGS: [&[u8]; 3] = [b".o", b".lo", b".obj"];

pub(super) fn find(edges: &mut Edges<'_>) {
    for side in [Side::Old, Side::New] {
        let known = OneSidedPaths::of(edges, side);
        if known.paths.is_empty() && known.names.is_empty() {
            continue;
        }
        let decomposition = edges.decomposition;
        for file in &decomposition.files {
            let Some(text) = &file.text else { continue };
            let Some(path) = end_path(file, side) else { continue };
            let (folder, is_build_file) = (path.folder(), is_build_file(path));
            for (grain, piece) in decomposition.pieces(text) {
                let part = |bytes: &'_ [u8], range: &std::ops::Range<u32>| {
                    bytes[range.start as usize..range.end as usize].to_vec()
                };
                let (old, new) = (part(&text.old, &piece.old), part(&text.new, &piece.new));
                let (here, other) = if side == Side::Old { (old, new) } else { (new, old) };
                for token in path_tokens(&here) {
                    let source = is_build_file.then(|| source_of(token)).flatten();
                    let needed = known.find(&folder, token);
                    let needed = needed.or_else(|| known.find_stem(&folder, source?));
                    let Some(needed) = needed else { continue };
                    if path_tokens(&other).any(|mentioned| mentioned == token) {
                        continue;
                    }
                    if side == Side::New || is_build_file {
                        edges.add(grain, needed, Reason::File);
                    }
                    if side == Side::Old || is_build_file {
                        edges.add(needed, grain, Reason::File);
                    }
                }
            }
        }
    }
}

fn is_build_file(path: &TreePath) -> bool {
    let name = path.name();
    BUILD_FILES.iter().any(|it| it.as_bytes() == name)
        || BUILD_ENDINGS.iter().any(|it| name.ends_with(it.as_bytes()))
}

/// Returns the path of the source, without its ending, if a token names the object file of it.
fn source_of(token: &[u8]) -> Option<&[u8]> {
    OBJECT_ENDINGS.iter().find_map(|ending| token.strip_suffix(*ending))
}

/// The files and folders that are only at one end, with the grains that bring or take them.
struct OneSidedPaths {
    /// By the whole path, also without the extension.
    paths: HashMap<Vec<u8>, u32>,
    /// The file of each last name; `None` if several files have it.
    names: HashMap<Vec<u8>, Option<u32>>,
}

impl OneSidedPaths {
    fn of(edges: &Edges<'_>, side: Side) -> OneSidedPaths {
        let decomposition = edges.decomposition;
        let mut known = OneSidedPaths { paths: HashMap::new(), names: HashMap::new() };
        for file in &decomposition.files {
            let own = match side {
                Side::Old => file.deleted.or(file.renamed),
                Side::New => file.added.or(file.renamed),
            };
            if let (Some(path), Some(grain)) = (end_path(file, side), own) {
                known.add(path, grain);
            }
        }
        for &grain in &decomposition.directory_grains {
            let Change::DirectoryRenamed(directory) = decomposition.grain(grain).change else {
                continue;
            };
            let rename = &decomposition.directories[directory as usize];
            known.add(if side == Side::Old { &rename.from } else { &rename.to }, grain);
        }
        // A name that some other file has as well may mean that one.
        for (path, _) in decomposition.good.entries() {
            let is_other = side == Side::New || !known.paths.contains_key(path.as_bytes());
            if is_other {
                known.names.remove(path.name());
            }
        }
        known
    }

    fn add(&mut self, path: &TreePath, grain: u32) {
        self.paths.insert(path.as_bytes().to_vec(), grain);
        let name = path.name();
        let stem = name.iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0);
        if let Some(dot) = stem {
            let end = path.as_bytes().len() - (name.len() - dot);
            self.paths.entry(path.as_bytes()[..end].to_vec()).or_insert(grain);
        }
        let unique = self.names.entry(name.to_vec()).or_insert(Some(grain));
        if *unique != Some(grain) {
            *unique = None;
        }
    }

    /// Finds the file that a token in a file of this folder means.
    fn find(&self, folder: &TreePath, token: &[u8]) -> Option<u32> {
        let speaks = token.contains(&b'/') || token.contains(&b'.');
        if !speaks {
            return None;
        }
        if let Some(&grain) = resolve(folder, token).and_then(|path| self.paths.get(&path)) {
            return Some(grain);
        }
        let names = token.split(|&byte| byte == b'/');
        names.filter(|name| name.len() > 2).find_map(|name| *self.names.get(name)?)
    }

    /// The same for the path of a file without its ending.
    fn find_stem(&self, folder: &TreePath, stem: &[u8]) -> Option<u32> {
        resolve(folder, stem).and_then(|path| self.paths.get(&path)).copied()
    }
}

fn end_path(file: &Touched, side: Side) -> Option<&TreePath> {
    let end = if side == Side::Old { file.old.as_ref() } else { file.new.as_ref() };
    end.map(|end| &end.path)
}

/// Returns what in a text may be a path.
fn path_tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./+".contains(byte);
    text.split(move |byte| !is_path(byte)).filter(|token| token.len() > 2)
}

/// Returns the path that a token means in a folder, from the root.
fn resolve(folder: &TreePath, token: &[u8]) -> Option<Vec<u8>> {
    let mut names: Vec<&[u8]> =
        folder.as_bytes().split(|&byte| byte == b'/').filter(|name| !name.is_empty()).collect();
    for name in token.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join(&b'/'))
}
