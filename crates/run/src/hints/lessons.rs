//! Turns mentions of an output into lessons about deltas (WYNOT, section 6: the failure resolution
//! loop).
//!
//! The paper adds all changes that reference an identifier of the message. Here a change outside
//! the candidate is tied to the change inside it that the message is about, so that the lesson
//! holds for every later candidate too.

use std::collections::BTreeMap;

use whodunit_core::{Delta, DeltaSet, Lesson};

use super::{Mention, MentionKind};

/// A word that this many deltas or more define identifies none of them, and is ignored. Chosen by
/// hand.
const MAX_DEFINING_DELTAS: usize = 8;

/// A name that this many deltas or more use identifies none of them, and is ignored even where a
/// tool complains about it. Chosen by hand.
const MAX_USING_DELTAS: usize = 40;

/// Knows which deltas have to do with a place or a name, whether they are in a candidate or not.
pub trait Locate {
    /// Returns the deltas at this line of the file as the candidate has it: the delta that made the
    /// line, and those that would change it. Without such deltas the nearest ones may be returned.
    fn touching(&self, file: &[u8], line: u32) -> DeltaSet;

    /// Returns the deltas that add, change or delete the definition of a name.
    fn defining(&self, name: &str) -> DeltaSet;

    /// Returns the deltas whose text has the name in it, old or new.
    fn using(&self, _name: &str) -> DeltaSet {
        DeltaSet::empty()
    }

    /// Returns the deltas that add or delete a file, which is given by its path or the end of it,
    /// perhaps without the extension (`gone.h`, `./gone`, `pkg.gone`).
    fn making(&self, file: &str) -> DeltaSet;
}

/// Returns the lessons of the mentions: the needs of deltas of the candidate.
///
/// `blamed` are the deltas of the candidate that get the need if the output does not tell which of
/// them has it: those that were not in any testable candidate before.
pub fn lessons(
    mentions: &[Mention],
    candidate: &DeltaSet,
    blamed: &DeltaSet,
    locate: &impl Locate,
) -> Vec<Lesson> {
    let mut needs: BTreeMap<Delta, DeltaSet> = BTreeMap::new();
    for mention in mentions {
        let here = here(mention, locate);
        let named = named(mention, locate);
        let using = using(mention, locate);
        // A delta that lacks a name needs its definition. If the definition is removed, the other
        // uses must be removed too. Any other error may need a change of the place itself.
        let missing =
            first_of([&named.minus(candidate), &using.minus(candidate), &here.minus(candidate)]);
        let inside = [
            &here.intersection(candidate),
            &named.intersection(candidate),
            &using.intersection(candidate),
            blamed,
        ];
        if missing.is_empty() {
            continue;
        }
        for delta in first_of(inside).iter() {
            let known = needs.entry(delta).or_insert_with(DeltaSet::empty);
            *known = known.union(&missing);
        }
    }
    needs.into_iter().map(|(delta, needs)| Lesson::Implies { delta, needs }).collect()
}

fn here(mention: &Mention, locate: &impl Locate) -> DeltaSet {
    match (&mention.file, mention.line) {
        (Some(file), Some(line)) => locate.touching(file.as_os_str().as_encoded_bytes(), line),
        _ => DeltaSet::empty(),
    }
}

fn named(mention: &Mention, locate: &impl Locate) -> DeltaSet {
    let mut all = DeltaSet::empty();
    for name in &mention.names {
        let deltas = match mention.kind {
            MentionKind::File => locate.making(name),
            MentionKind::Name | MentionKind::Position => locate.defining(name),
            MentionKind::Word => {
                let deltas = locate.defining(name);
                if deltas.len() < MAX_DEFINING_DELTAS { deltas } else { DeltaSet::empty() }
            }
        };
        all = all.union(&deltas);
    }
    all
}

/// Returns the deltas that use the names of a mention, unless the names are too common.
fn using(mention: &Mention, locate: &impl Locate) -> DeltaSet {
    if mention.kind != MentionKind::Name {
        return DeltaSet::empty();
    }
    let few = |deltas: &DeltaSet| deltas.len() < MAX_USING_DELTAS;
    let using = mention.names.iter().map(|name| locate.using(name)).filter(few);
    using.fold(DeltaSet::empty(), |all, deltas| all.union(&deltas))
}

fn first_of<const N: usize>(sets: [&DeltaSet; N]) -> DeltaSet {
    sets.into_iter().find(|set| !set.is_empty()).cloned().unwrap_or_else(DeltaSet::empty)
}
