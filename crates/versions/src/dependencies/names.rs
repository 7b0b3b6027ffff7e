//! The use of a new name needs its definition, and a definition is removed after its last use.

use std::collections::HashSet;

use whodunit_syntax::words::{WordHash, words};

use super::lines::{ChangedLines, Side};
use super::mentions::{Mentions, Names};
use super::{Edges, Reason};
use crate::decomposition::Change;
use crate::syntax_facts::SyntaxFacts;

/// A name defined in more files than this identifies none of them, and is skipped. Two, for a
/// declaration and a definition.
pub(super) const MAX_DEFINING_FILES: usize = 2;

pub(super) fn find(edges: &mut Edges<'_>, mentions: &Mentions) {
    within_files(edges);
    between_files(edges, &mentions.new, &mentions.old, Side::New);
    between_files(edges, &mentions.old, &mentions.new, Side::Old);
}

/// Uses the scopes of the language for names within one file.
fn within_files(edges: &mut Edges<'_>) {
    let decomposition = edges.decomposition;
    for text in decomposition.files.iter().filter_map(|file| file.text.as_ref()) {
        let (old, new) = (text.old_facts(), text.new_facts());
        for (facts, other, side) in [(old, new, Side::Old), (new, old, Side::New)] {
            let Some(facts) = facts else { continue };
            let defines = |facts: &SyntaxFacts, name| facts.defines.contains(name);
            let lines = ChangedLines::of(decomposition, text, side);
            for used in &facts.uses {
                if other.is_some_and(|other| defines(other, &used.name)) {
                    continue;
                }
                let grains = (lines.grain(used.line), lines.grain(used.definition));
                if let (Some(grain), Some(needed)) = grains {
                    let (grain, needed) = lines.edge(grain, needed);
                    edges.add(grain, needed, Reason::Name);
                }
            }
        }
    }
}

/// Pairs what mentions a name with what defines it elsewhere, if the other end lacks the name.
fn between_files(edges: &mut Edges<'_>, here: &Names, other: &Names, side: Side) {
    for (word, definitions) in &here.defined {
        if other.all.contains(word) {
            continue;
        }
        let files: HashSet<u32> = definitions.iter().map(|(file, _)| *file).collect();
        if files.len() > MAX_DEFINING_FILES {
            continue;
        }
        for &(file, mention) in here.mentioned.get(word).into_iter().flatten() {
            // Where there is a grammar, names within a file were resolved already.
            let text = edges.decomposition.files[file as usize].text.as_ref();
            let facts = text.and_then(|text| side.of(text).1);
            if files.contains(&file) && (facts.is_some() || definitions.len() > 1) {
                continue;
            }
            let mut seen = None;
            for &(defining, definition) in definitions {
                // The first of each file: what follows redefines.
                if seen != Some(defining) {
                    let (grain, needed) = side.edge(mention, definition);
                    edges.add(grain, needed, Reason::Name);
                    // Compilers want a choice between cases to be complete.
                    if is_case(edges, file, mention, *word, side) {
                        edges.add(needed, grain, Reason::Name);
                    }
                }
                seen = Some(defining);
            }
        }
    }
}

/// Whether a change has a name as one of several cases: `case NAME` or `NAME =>`.
fn is_case(edges: &Edges<'_>, file: u32, grain: u32, name: WordHash, side: Side) -> bool {
    let decomposition = edges.decomposition;
    let text = decomposition.files[file as usize].text.as_ref();
    let (Some(text), Change::Text(piece)) = (text, &decomposition.grain(grain).change) else {
        return false;
    };
    let line = &side.of(text).0[side.bytes(piece)];
    let place = words(line).find(|word| WordHash::of(&line[word.clone()]) == name);
    place.is_some_and(|place| {
        let begins_a_case = words(line).next().is_some_and(|first| &line[first] == b"case");
        begins_a_case || line[place.end..].windows(2).any(|signs| signs == b"=>")
    })
}
