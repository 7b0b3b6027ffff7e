//! Finds the paths of a version for the names of files in coverage.
//!
//! Tools name files relative to the place where they ran: by whole paths of another machine, paths
//! from the root of a module, packages. So a name stands for the path with which it has the longest
//! common end.

use std::collections::BTreeMap;

use crate::{Coverage, Lines};

/// The paths of a version that the names of files in coverage stand for.
#[derive(Clone, Debug, Default)]
pub struct PathMap {
    paths: BTreeMap<String, Vec<u8>>,
    /// Names without a path in the version: of another build or project, of libraries.
    pub unmatched: Vec<String>,
    /// Names that several paths end with, so that none was taken.
    pub ambiguous: Vec<Ambiguous>,
    /// Paths for which several names stand equally well, so that all were taken.
    pub shared: Vec<Shared>,
}

/// A name that could stand for several paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguous {
    /// The name in the coverage.
    pub name: String,
    /// The paths.
    pub paths: Vec<Vec<u8>>,
}

/// Several names that stand for one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The path.
    pub path: Vec<u8>,
    /// The names in the coverage.
    pub names: Vec<String>,
}

impl PathMap {
    /// Finds the names in the paths of a version.
    ///
    /// The last parts of name and path must be the same: all parts of one of them, or at least two.
    /// More common parts are better, and best is all of both. If several names fit one path, as
    /// those of a library's and of the project's `src/lib.rs` do, the name is taken whose folders
    /// before the common end most names share.
    pub fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        tree: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> Self {
        let tree = PathTree::new(tree);
        let mut map = PathMap::default();
        let mut claims: BTreeMap<usize, Vec<PathClaim<'a>>> = BTreeMap::new();
        let mut votes: BTreeMap<Root, usize> = BTreeMap::new();
        for name in names {
            let parts = parts_of(name);
            let found = tree.best(&parts);
            match found[..] {
                [] => map.unmatched.push(name.to_owned()),
                [PathFit { file, common, .. }] => {
                    let root = Root {
                        name: parts[..parts.len() - common].to_vec(),
                        path: tree.parts(file)[..tree.parts(file).len() - common].to_vec(),
                    };
                    *votes.entry(root.clone()).or_default() += 1;
                    claims.entry(file).or_default().push(PathClaim { name, root });
                }
                _ => map.ambiguous.push(Ambiguous {
                    name: name.to_owned(),
                    paths: found.iter().map(|fit| tree.path(fit.file)).collect(),
                }),
            }
        }
        for (file, claims) in claims {
            map.take_best_names(tree.path(file), &claims, |root| votes[root]);
        }
        map.unmatched.sort();
        map
    }

    /// Takes the names that fit a path best.
    fn take_best_names(
        &mut self,
        path: Vec<u8>,
        claims: &[PathClaim<'_>],
        votes: impl Fn(&Root) -> usize,
    ) {
        // A name that is the path itself wins, whatever the votes.
        let rank = |claim: &PathClaim<'_>| (claim.root == Root::default(), votes(&claim.root));
        let best = claims.iter().map(rank).max();
        let (taken, left): (Vec<_>, Vec<_>) =
            claims.iter().partition(|claim| Some(rank(claim)) == best);
        self.unmatched.extend(left.iter().map(|claim| claim.name.to_owned()));
        let names: Vec<String> = taken.iter().map(|claim| claim.name.to_owned()).collect();
        for name in &names {
            self.paths.insert(name.clone(), path.clone());
        }
        if names.len() > 1 {
            self.shared.push(Shared { path, names });
        }
    }

    /// Returns the path that a name stands for.
    pub fn path(&self, name: &str) -> Option<&[u8]> {
        self.paths.get(name).map(Vec::as_slice)
    }

    /// Whether no name stands for anything in the version.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the executed lines by the paths of the version, without those of names that have no
    /// path.
    pub fn apply(&self, coverage: &Coverage) -> BTreeMap<Vec<u8>, Lines> {
        self.by_path(&coverage.files)
    }

    /// Returns the counted lines by the paths of the version.
    pub fn apply_measured(&self, coverage: &Coverage) -> BTreeMap<Vec<u8>, Lines> {
        self.by_path(&coverage.measured)
    }

    fn by_path(&self, files: &BTreeMap<String, Lines>) -> BTreeMap<Vec<u8>, Lines> {
        let mut found: BTreeMap<Vec<u8>, Lines> = BTreeMap::new();
        for (name, lines) in files {
            if let Some(path) = self.paths.get(name) {
                found.entry(path.clone()).or_default().add(lines);
            }
        }
        found
    }
}

/// A name that may stand for a path.
struct PathClaim<'a> {
    name: &'a str,
    root: Root,
}

/// The parts before the common end of a name and its path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Root {
    name: Vec<Vec<u8>>,
    path: Vec<Vec<u8>>,
}

/// A path that ends as a name does.
#[derive(Clone, Copy)]
struct PathFit {
    file: usize,
    /// The number of common parts, from the end.
    common: usize,
    /// The number of the two that are common as a whole: none, one, both.
    whole: u8,
}

/// The paths of a version, found by their last part.
struct PathTree {
    files: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    by_name: BTreeMap<Vec<u8>, Vec<usize>>,
}

impl PathTree {
    fn new(tree: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let (mut files, mut by_name) = (Vec::new(), BTreeMap::<Vec<u8>, Vec<usize>>::new());
        for path in tree {
            let path = path.as_ref();
            let parts: Vec<Vec<u8>> = path.split(|&it| it == b'/').map(<[u8]>::to_vec).collect();
            let name = parts.last().cloned().unwrap_or_default();
            by_name.entry(name).or_default().push(files.len());
            files.push((path.to_vec(), parts));
        }
        PathTree { files, by_name }
    }

    fn path(&self, file: usize) -> Vec<u8> {
        self.files[file].0.clone()
    }

    fn parts(&self, file: usize) -> &[Vec<u8>] {
        &self.files[file].1
    }

    /// Returns the paths that fit a name best.
    fn best(&self, name: &[Vec<u8>]) -> Vec<PathFit> {
        let Some(files) = name.last().and_then(|last| self.by_name.get(last)) else {
            return Vec::new();
        };
        let fits = files.iter().map(|&file| {
            let parts = self.parts(file);
            let pairs = name.iter().rev().zip(parts.iter().rev());
            let common = pairs.take_while(|(one, other)| one == other).count();
            let whole = u8::from(common == name.len()) + u8::from(common == parts.len());
            PathFit { file, common, whole }
        });
        let fits: Vec<PathFit> = fits.filter(|fit| fit.whole > 0 || fit.common > 1).collect();
        let best = fits.iter().map(|fit| (fit.common, fit.whole)).max();
        fits.into_iter().filter(|fit| Some((fit.common, fit.whole)) == best).collect()
    }
}

/// Returns the parts of a name without empty ones and `.`, and with `..` resolved. Tools on Windows
/// write `\`.
fn parts_of(name: &str) -> Vec<Vec<u8>> {
    let is_windows = name.contains('\\') && (!name.contains('/') || name.contains(":\\"));
    let separators: &[char] = if is_windows { &['/', '\\'] } else { &['/'] };
    let mut parts = Vec::new();
    for part in name.split(separators) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.as_bytes().to_vec()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares `name -> path` lines with what is found among the paths.
    fn check(tree: &[&str], names: &[&str], wanted: &[&str]) -> PathMap {
        let map = PathMap::new(names.iter().copied(), tree);
        let found = names.iter().filter_map(|name| {
            Some(format!("{name} -> {}", String::from_utf8_lossy(map.path(name)?)))
        });
        assert_eq!(found.collect::<Vec<_>>(), wanted);
        map
    }

    #[test]
    fn names_from_anywhere_are_found_by_their_ends() {
        let tree = ["src/main/java/bank/Account.java", "go/bank/a.go", "src/a.c", "top.py"];
        let names = [
            "bank/Account.java",
            "example.org/m/bank/a.go",
            "/build/x/src/../src/./a.c",
            "C:\\work\\top.py",
        ];
        let wanted = [
            "bank/Account.java -> src/main/java/bank/Account.java",
            "example.org/m/bank/a.go -> go/bank/a.go",
            "/build/x/src/../src/./a.c -> src/a.c",
            "C:\\work\\top.py -> top.py",
        ];
        let map = check(&tree, &names, &wanted);
        assert!(map.unmatched.is_empty() && map.ambiguous.is_empty());
    }

    #[test]
    fn what_only_has_the_same_name_is_something_else() {
        let map = check(&["lib/string.h", "src/a.c"], &["/usr/include/string.h", "b.c"], &[]);
        assert_eq!(map.unmatched, ["/usr/include/string.h", "b.c"]);
        assert!(map.is_empty());
    }

    #[test]
    fn a_name_that_fits_several_paths_fits_none() {
        let tree = ["one/src/bank/A.java", "two/src/bank/A.java"];
        let map = check(&tree, &["bank/A.java"], &[]);
        assert_eq!(map.ambiguous[0].name, "bank/A.java");
        assert_eq!(map.ambiguous[0].paths.len(), 2);
        // A longer name distinguishes them, and so does a name that is the whole path.
        check(&tree, &["x/two/src/bank/A.java"], &["x/two/src/bank/A.java -> two/src/bank/A.java"]);
        check(&["a/f.c", "v/a/f.c"], &["a/f.c"], &["a/f.c -> a/f.c"]);
        check(&["a/f.c", "v/a/f.c"], &["/b/a/f.c"], &["/b/a/f.c -> a/f.c"]);
    }

    #[test]
    fn of_several_names_the_one_beside_most_others_counts() {
        let tree = ["src/lib.rs", "src/a.rs"];
        let names = ["/p/src/a.rs", "/p/src/lib.rs", "/registry/other/src/lib.rs"];
        let wanted = ["/p/src/a.rs -> src/a.rs", "/p/src/lib.rs -> src/lib.rs"];
        let map = check(&tree, &names, &wanted);
        assert_eq!(map.unmatched, ["/registry/other/src/lib.rs"]);
    }

    #[test]
    fn names_that_fit_equally_well_are_taken_together_and_said() {
        let wanted = ["/1/src/a.c -> src/a.c", "/2/src/a.c -> src/a.c"];
        let map = check(&["src/a.c"], &["/1/src/a.c", "/2/src/a.c"], &wanted);
        assert_eq!(map.shared[0].names, ["/1/src/a.c", "/2/src/a.c"]);
    }
}
