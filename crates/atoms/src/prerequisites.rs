//! The prerequisites of a change: a use needs its definition, a deletion the removal of all uses, a
//! body its method, a member its class, an advice its pointcut.

mod constants;
mod imports;
mod overrides;

use std::collections::{BTreeSet, HashMap, HashSet};

use whodunit_syntax::definitions::{MemberKind, Part, Use};
use whodunit_syntax::words::WordHash;
use whodunit_versions::{ChangedFile, ChangedText, Decomposition};

use super::draft::{Draft, Drafts, Slot};
use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// Prerequisites between drafts.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The paper's graph: a change, and one that it depends on.
    pub(super) graph: BTreeSet<(usize, usize)>,
    /// Further changes that it needs to compile.
    pub(super) besides: BTreeSet<(usize, usize)>,
}

/// Finds the needs between changes.
pub(super) fn find(
    parts: &Decomposition,
    universe: &Universe,
    resolver: &Resolver<'_>,
    drafts: &Drafts,
) -> Needs {
    let mut finder = Finder {
        parts,
        universe,
        resolver,
        drafts,
        slots: HashMap::new(),
        names: HashSet::new(),
        changed: parts.changed_files().map(Changed::of).collect(),
        needs: Needs::default(),
    };
    finder.index();
    finder.structure();
    finder.uses();
    imports::find(&mut finder);
    overrides::find(&mut finder);
    constants::find(&mut finder);
    finder.needs
}

struct Finder<'a> {
    parts: &'a Decomposition,
    universe: &'a Universe,
    resolver: &'a Resolver<'a>,
    drafts: &'a Drafts,
    /// The changes of each definition.
    slots: HashMap<(Id, Slot), usize>,
    /// The names of definitions that are added or deleted, or have another head.
    names: HashSet<WordHash>,
    /// The lines that differ in each file.
    changed: Vec<Changed>,
    needs: Needs,
}

/// The lines of a file that differ, unless the whole file is added or deleted.
struct Changed {
    old: Option<HashSet<u32>>,
    new: Option<HashSet<u32>>,
}

impl Changed {
    fn of(file: ChangedFile<'_>) -> Changed {
        let mut changed = Changed { old: Some(HashSet::new()), new: Some(HashSet::new()) };
        if file.good().is_none() || file.bad().is_none() {
            return Changed { old: None, new: None };
        }
        for (_, piece) in file.text().into_iter().flat_map(ChangedText::pieces) {
            changed.old.get_or_insert_default().extend(piece.old_lines.clone());
            changed.new.get_or_insert_default().extend(piece.new_lines.clone());
        }
        changed
    }
}

impl<'a> Finder<'a> {
    fn index(&mut self) {
        for (number, draft) in self.drafts.drafts.iter().enumerate() {
            for id in [draft.old, draft.new].into_iter().flatten() {
                self.slots.insert((id, draft.slot), number);
                if matches!(draft.slot, Slot::Define | Slot::Head) {
                    self.names.insert(self.universe.member(id).simple);
                }
            }
        }
    }

    fn slot(&self, id: Id, slot: Slot) -> Option<usize> {
        self.slots.get(&(id, slot)).copied()
    }

    fn need(&mut self, one: usize, other: usize) {
        if one != other {
            self.needs.graph.insert((one, other));
        }
    }

    fn need_besides(&mut self, one: usize, other: usize) {
        if one != other {
            self.needs.besides.insert((one, other));
        }
    }

    /// Adds needs between parts: a member needs its class, a body its method, a new file's members
    /// the file.
    fn structure(&mut self) {
        let homes = self.homes();
        for (number, draft) in self.drafts.drafts.iter().enumerate() {
            if let Some(new) = draft.new.filter(|_| draft.old.is_none()) {
                self.added(number, draft, new);
            } else if let Some(old) = draft.old.filter(|_| draft.new.is_none()) {
                self.deleted(number, draft, old);
            }
            if let Some(new) = draft.new.filter(|_| draft.slot == Slot::Body) {
                // Parameters and results concern head and body, so these need each other.
                if let Some(head) = self.slot(new, Slot::Head)
                    && self.universe.member(new).kind.is_callable()
                {
                    self.need_besides(number, head);
                    self.need_besides(head, number);
                }
            }
            let is_new = draft.old.is_none();
            if let Some(&home) = homes.get(&draft.file).filter(|_| is_new) {
                let is_inside = draft.slot == Slot::Body
                    || draft.new.is_some_and(|new| self.universe.owner(new) != self.top(new));
                if !is_inside {
                    self.need(number, home);
                }
            }
        }
    }

    /// Returns for each new file the change that adds it.
    fn homes(&self) -> HashMap<u32, usize> {
        let drafts = self.drafts.drafts.iter().enumerate();
        let homes = drafts.filter(|(_, draft)| self.is_home(draft));
        homes.map(|(number, draft)| (draft.file, number)).collect()
    }

    /// Whether a change adds its file.
    fn is_home(&self, draft: &Draft) -> bool {
        let file = self.parts.changed_file(draft.file as usize);
        let added = file.and_then(ChangedFile::added);
        added.is_some_and(|delta| draft.deltas.contains(&delta))
    }

    fn top(&self, id: Id) -> Id {
        let mut at = id;
        while self.universe.owner(at) != at {
            at = self.universe.owner(at);
        }
        at
    }

    fn added(&mut self, number: usize, draft: &Draft, new: Id) {
        let member = self.universe.member(new);
        match draft.slot {
            Slot::Body => {
                if let Some(define) = self.slot(new, Slot::Define) {
                    self.need(number, define);
                    if member.needs_body {
                        self.need_besides(define, number);
                    }
                }
            }
            Slot::Define => {
                if let Some(owner) = self.slot(self.universe.owner(new), Slot::Define) {
                    self.need(number, owner);
                    // A class that extends something may have to have this method.
                    let around = self.universe.member(self.universe.owner(new));
                    let may_be_abstract = member.kind == MemberKind::Constructor
                        || (member.kind == MemberKind::Method && !member.marks.is_static);
                    let may_be_missed =
                        !around.supers.is_empty() && !member.marks.is_private && may_be_abstract;
                    // An interface without its methods would be another one.
                    if may_be_missed || member.marks.is_abstract {
                        self.need_besides(owner, number);
                    }
                }
            }
            Slot::Head | Slot::Former | Slot::Text | Slot::Dispatch => {}
        }
    }

    fn deleted(&mut self, number: usize, draft: &Draft, old: Id) {
        let member = self.universe.member(old);
        match draft.slot {
            Slot::Body => {
                if let Some(define) = self.slot(old, Slot::Define) {
                    self.need(define, number);
                    if member.needs_body {
                        self.need_besides(number, define);
                    }
                }
            }
            Slot::Define => {
                if let Some(owner) = self.slot(self.universe.owner(old), Slot::Define) {
                    self.need(owner, number);
                }
            }
            Slot::Head | Slot::Former | Slot::Text | Slot::Dispatch => {}
        }
    }

    /// Adds the needs of uses: a use needs its definition, a deletion that all uses are deleted.
    fn uses(&mut self) {
        for number in 0..self.drafts.drafts.len() {
            let draft = &self.drafts.drafts[number];
            let id = draft.new.or(draft.old);
            if id.is_some_and(|id| self.universe.member(id).kind == MemberKind::Import) {
                continue;
            }
            for (id, used) in self.uses_in(number, PresentIn::New) {
                if self.names.contains(&used.name) {
                    self.use_of_new(number, used, id);
                }
            }
            for (id, used) in self.uses_in(number, PresentIn::Old) {
                if self.names.contains(&used.name) {
                    self.use_of_old(number, used, id);
                }
            }
        }
    }

    /// Returns the uses in the changed lines of a change, in one version, with the definitions
    /// around them.
    fn uses_in(&self, number: usize, version: PresentIn) -> Vec<(Id, &'a Use)> {
        let draft = &self.drafts.drafts[number];
        let Some(changed) = self.changed.get(draft.file as usize) else { return Vec::new() };
        let (id, lines) = match version {
            PresentIn::Old => (draft.old, &changed.old),
            _ => (draft.new, &changed.new),
        };
        let Some(id) = id.filter(|_| draft.slot != Slot::Text && !draft.kind.is_dispatch()) else {
            return Vec::new();
        };
        let has_body = draft.slot == Slot::Define && self.slot(id, Slot::Body).is_some();
        let is_of = |used: &&Use| {
            draft.slot.is_of(used.part)
                && !(has_body && used.part == Part::Body)
                && lines.as_ref().is_none_or(|lines| lines.contains(&used.line))
        };
        self.universe.member(id).uses.iter().filter(is_of).map(|used| (id, used)).collect()
    }

    fn use_of_new(&mut self, number: usize, used: &Use, user: Id) {
        for target in self.resolver.declared(used, user, PresentIn::New) {
            if let Some(define) = self.slot(target, Slot::Define) {
                self.need(number, define);
            } else if let Some(head) = self.slot(target, Slot::Head) {
                self.need(number, head);
            }
        }
    }

    fn use_of_old(&mut self, number: usize, used: &Use, user: Id) {
        for target in self.resolver.declared(used, user, PresentIn::Old) {
            let gone = self.slot(target, Slot::Define).or(self.slot(target, Slot::Former));
            if let Some(gone) = gone {
                self.need(gone, number);
            } else if let Some(head) = self.slot(target, Slot::Head)
                && self.is_breaking(head)
            {
                self.need(head, number);
            }
        }
    }

    /// Whether the former uses of a definition may not fit its changed head.
    fn is_breaking(&self, head: usize) -> bool {
        let draft = &self.drafts.drafts[head];
        let (Some(old), Some(new)) = (draft.old, draft.new) else { return true };
        let (old, new) = (self.universe.member(old), self.universe.member(new));
        old.simple != new.simple
            || old.kind.is_callable() != new.kind.is_callable()
            || old.marks != new.marks
            || old.kind.is_callable()
            || old.of_type != new.of_type
    }
}
