//! Fields that must get a value exactly once: in their own definition, in a constructor or in an
//! initializer.

use std::collections::HashMap;

use whodunit_syntax::definitions::{Member, MemberKind};
use whodunit_syntax::words::WordHash;

use super::Finder;
use crate::draft::Slot;
use crate::universe::{Id, PresentIn};

/// A field that gets its value outside of its definition in one of the versions.
#[derive(Clone, Copy)]
struct Constant {
    /// The change of the field: it is added or deleted, or has a value of its own in one version
    /// only.
    change: usize,
    name: WordHash,
    /// The version in which it gets its value elsewhere.
    side: PresentIn,
    /// Whether it is there in both versions.
    stays: bool,
}

/// Finds the needs of such fields: the change of a constructor that starts or stops giving them a
/// value.
pub(super) fn find(finder: &mut Finder<'_>) {
    let mut constants: HashMap<Id, Vec<Constant>> = HashMap::new();
    for (number, draft) in finder.drafts.drafts.iter().enumerate() {
        for (id, side) in [(draft.old, PresentIn::Old), (draft.new, PresentIn::New)] {
            let Some(id) = id else { continue };
            let member = finder.universe.member(id);
            let is_open =
                member.marks.is_final && member.kind == MemberKind::Field && member.body_size == 0;
            if is_open && matches!(draft.slot, Slot::Define | Slot::Body) {
                let stays = draft.slot == Slot::Body;
                let constant = Constant { change: number, name: member.simple, side, stays };
                constants.entry(finder.universe.owner(id)).or_default().push(constant);
            }
        }
    }
    for number in 0..finder.drafts.drafts.len() {
        let draft = &finder.drafts.drafts[number];
        if !matches!(draft.slot, Slot::Body | Slot::Define) {
            continue;
        }
        for (id, version) in [(draft.old, PresentIn::Old), (draft.new, PresentIn::New)] {
            let Some(id) = id.filter(|&id| gives_values(finder.universe.member(id))) else {
                continue;
            };
            let own = constants.get(&finder.universe.owner(id)).cloned().unwrap_or_default();
            for constant in own.into_iter().filter(|constant| constant.side == version) {
                let uses = finder.uses_in(number, version);
                if uses.iter().any(|(_, used)| used.name == constant.name) {
                    needs(finder, number, constant);
                }
            }
        }
    }
}

fn needs(finder: &mut Finder<'_>, number: usize, constant: Constant) {
    let Constant { change, side, stays, .. } = constant;
    if side == PresentIn::New || stays {
        finder.need_besides(change, number);
    }
    if side == PresentIn::Old || stays {
        finder.need_besides(number, change);
    }
}

fn gives_values(member: &Member) -> bool {
    matches!(member.kind, MemberKind::Constructor | MemberKind::Initializer)
}
