//! The graph of atomic changes, for Graphviz.

use std::fmt::Write;

use super::Atoms;

/// Returns the changes and what depends on what in the language of Graphviz, as the paper's Figure 3
/// draws it: a box for each change with its kind and its name, an arrow to what depends on it.
pub fn dot(atoms: &Atoms) -> String {
    let mut text = String::from("digraph atoms {\n  node [shape=record];\n");
    for (number, atom) in atoms.iter().enumerate() {
        let kind = atom.kind.abbreviation();
        let name = escape(&atom.name);
        _ = writeln!(text, "  a{0} [label=\"{{{0}: {kind}|{name}}}\"];", number + 1);
    }
    for atom in 0..atoms.len() {
        for needed in atoms.prerequisites(atom) {
            _ = writeln!(text, "  a{} -> a{};", needed + 1, atom + 1);
        }
    }
    text.push_str("}\n");
    text
}

/// Takes the meaning from what has one in the label of a record.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for sign in name.chars() {
        if matches!(sign, '{' | '}' | '|' | '<' | '>' | '"' | '\\' | ' ') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}
