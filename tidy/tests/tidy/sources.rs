//! The files of the project, and the paths that sources use.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// Returns the folder of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Returns the files of the project, without build results and git's own files.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let skipped = ["target", ".git", "proptest-regressions"];
            if skipped.iter().any(|skipped| name == *skipped) {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Returns the sources below a folder, with their texts.
pub(crate) fn sources_below(folder: &str) -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|path| path.starts_with(root().join(folder)))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Returns all paths that a source uses outside of its tests, such as `std::fs::read`; macros end
/// with `!`. Imported names are expanded to whole paths.
pub(crate) fn used(text: &str) -> BTreeSet<String> {
    let mut uses = Uses::default();
    uses.visit_file(&syn::parse_file(text).unwrap());
    uses.paths
}

/// Returns the names of all functions of a source, those in tests and in macros included.
pub(crate) fn functions(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> =
        text.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
    let after_fn = words.windows(2).filter(|pair| pair[0] == "fn").map(|pair| pair[1]);
    // Macros that make tests name each test before a colon.
    let before_colon = text.lines().filter_map(|line| line.trim_start().split_once(": "));
    after_fn.chain(before_colon.map(|(name, _)| name)).map(str::to_owned).collect()
}

#[derive(Default)]
struct Uses {
    paths: BTreeSet<String>,
}

impl Uses {
    fn import(&mut self, before: &str, tree: &UseTree) {
        let join = |name: &dyn ToString| match before {
            "" => name.to_string(),
            _ => format!("{before}::{}", name.to_string()),
        };
        match tree {
            UseTree::Path(path) => self.import(&join(&path.ident), &path.tree),
            UseTree::Name(name) => drop(self.paths.insert(join(&name.ident))),
            UseTree::Rename(name) => drop(self.paths.insert(join(&name.ident))),
            UseTree::Glob(_) => drop(self.paths.insert(join(&"*"))),
            UseTree::Group(group) => group.items.iter().for_each(|it| self.import(before, it)),
        }
    }
}

/// Returns whether an item is only compiled for tests.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| {
        let is_cfg = it.path().is_ident("cfg");
        is_cfg && it.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Use(import) if is_test(&import.attrs) => {}
            Item::Use(import) => self.import("", &import.tree),
            item => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.paths.insert(names.join("::"));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let names: Vec<String> = call.path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.paths.insert(format!("{}!", names.join("::")));
    }
}
