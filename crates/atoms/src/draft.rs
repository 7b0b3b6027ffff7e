//! Atomic changes that are being made: each is a slot of a definition, and gets its deltas.

use std::collections::HashMap;

use whodunit_core::Delta;
use whodunit_syntax::definitions::{MemberKind, Part};

use super::kind::AtomKind;
use super::universe::Id;

/// The aspect of a definition that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    /// It is added or deleted.
    Define,
    /// Its signature changed.
    Head,
    /// Its former name is gone, so that its users need the new one.
    Former,
    /// Its body changed.
    Body,
    /// Only comments and layout differ.
    Text,
    /// Calls of it lead to another definition.
    Dispatch,
}

/// An atomic change that is being made.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) kind: AtomKind,
    pub(super) slot: Slot,
    /// The number of its file among those that differ.
    pub(super) file: u32,
    /// The definition in the good version.
    pub(super) old: Option<Id>,
    /// The definition in the bad version.
    pub(super) new: Option<Id>,
    /// Its name, if not that of the definition.
    pub(super) name: Option<String>,
    pub(super) former_name: Option<String>,
    pub(super) deltas: Vec<Delta>,
}

/// All changes that are being made.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) drafts: Vec<Draft>,
    /// By file, pair and slot.
    known: HashMap<(u32, u32, Slot), usize>,
    /// Pairs of drafts that are tied: made only together.
    pub(super) ties: Vec<(usize, usize)>,
    /// The draft of each delta.
    pub(super) of_delta: HashMap<Delta, usize>,
}

impl Drafts {
    /// Returns the change of a slot; adds it if missing.
    pub(super) fn slot(
        &mut self,
        file: u32,
        pair: u32,
        slot: Slot,
        make: impl FnOnce() -> Draft,
    ) -> usize {
        *self.known.entry((file, pair, slot)).or_insert_with(|| {
            self.drafts.push(make());
            self.drafts.len() - 1
        })
    }

    /// Returns the change of a slot, if there is one.
    pub(super) fn find(&self, file: u32, pair: u32, slot: Slot) -> Option<usize> {
        self.known.get(&(file, pair, slot)).copied()
    }

    /// Adds a change that does not belong to a definition.
    pub(super) fn add(&mut self, draft: Draft) -> usize {
        self.drafts.push(draft);
        self.drafts.len() - 1
    }

    /// Assigns a delta to a change.
    pub(super) fn give(&mut self, delta: Delta, draft: usize) {
        match self.of_delta.get(&delta) {
            Some(&other) if other == draft => {}
            // A delta of several parts, which belong to several changes.
            Some(&other) => self.tie(other, draft),
            None => {
                self.of_delta.insert(delta, draft);
                self.drafts[draft].deltas.push(delta);
            }
        }
    }

    /// Ties two changes, so that one is only made with the other.
    pub(super) fn tie(&mut self, one: usize, other: usize) {
        if one != other {
            self.ties.push((one, other));
        }
    }
}

/// Returns the kinds of changes that add and delete a definition.
pub(super) fn definition_kinds(kind: MemberKind) -> (AtomKind, AtomKind) {
    use AtomKind as Atom;
    use MemberKind as Kind;
    match kind {
        Kind::File => (Atom::AddFile, Atom::DeleteFile),
        Kind::Import => (Atom::AddImport, Atom::DeleteImport),
        Kind::Module => (Atom::AddModule, Atom::DeleteModule),
        Kind::Class => (Atom::AddClass, Atom::DeleteClass),
        Kind::Type | Kind::Implementation => (Atom::AddType, Atom::DeleteType),
        Kind::Function => (Atom::AddFunction, Atom::DeleteFunction),
        Kind::Method | Kind::Constructor | Kind::Initializer => {
            (Atom::AddMethod, Atom::DeleteMethod)
        }
        Kind::Field | Kind::EnumConstant => (Atom::AddField, Atom::DeleteField),
        Kind::Variable | Kind::Global => (Atom::AddGlobal, Atom::DeleteGlobal),
        Kind::Macro => (Atom::AddMacro, Atom::DeleteMacro),
        Kind::Aspect => (Atom::AddAspect, Atom::DeleteAspect),
        Kind::Advice => (Atom::AddAdvice, Atom::DeleteAdvice),
        Kind::Pointcut => (Atom::AddPointcut, Atom::DeletePointcut),
        Kind::IntroducedField => (Atom::IntroduceField, Atom::DeleteIntroducedField),
        Kind::IntroducedMethod => (Atom::IntroduceMethod, Atom::DeleteIntroducedMethod),
        Kind::HierarchyDeclaration => {
            (Atom::AddHierarchyDeclaration, Atom::DeleteHierarchyDeclaration)
        }
        Kind::Precedence => (Atom::AddPrecedence, Atom::DeletePrecedence),
        Kind::Soften => (Atom::AddSoften, Atom::DeleteSoften),
        Kind::Diagnostic => (Atom::AddDiagnostic, Atom::DeleteDiagnostic),
    }
}

/// Returns the kind of a changed body, if bodies of this kind are changes of their own.
pub(super) fn body_kind(kind: MemberKind) -> Option<AtomKind> {
    use AtomKind as Atom;
    use MemberKind as Kind;
    Some(match kind {
        Kind::File | Kind::Module | Kind::Class | Kind::Type | Kind::Implementation => {
            Atom::ChangeTopLevel
        }
        Kind::Function => Atom::ChangeFunction,
        Kind::Method | Kind::Constructor | Kind::Initializer => Atom::ChangeMethod,
        Kind::Field | Kind::EnumConstant => Atom::ChangeInitializer,
        Kind::Variable | Kind::Global => Atom::ChangeGlobal,
        Kind::Macro => Atom::ChangeMacro,
        Kind::Aspect => Atom::ChangeTopLevel,
        Kind::Advice => Atom::ChangeAdvice,
        Kind::Pointcut => Atom::ChangePointcut,
        Kind::IntroducedField => Atom::ChangeIntroducedInitializer,
        Kind::IntroducedMethod => Atom::ChangeIntroducedBody,
        Kind::Import
        | Kind::HierarchyDeclaration
        | Kind::Precedence
        | Kind::Soften
        | Kind::Diagnostic => return None,
    })
}

impl Slot {
    /// Whether a part of a definition belongs to the slot.
    pub(super) fn is_of(self, part: Part) -> bool {
        match self {
            Slot::Body => part == Part::Body,
            Slot::Head => part == Part::Head,
            Slot::Define | Slot::Text => true,
            Slot::Former | Slot::Dispatch => false,
        }
    }
}
