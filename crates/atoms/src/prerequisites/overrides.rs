//! Members that a class needs because of another: methods that implement and override, overloads
//! that replace each other, classes that moved.

use std::collections::HashMap;

use whodunit_syntax::definitions::{Member, MemberKind};
use whodunit_syntax::words::WordHash;

use super::Finder;
use crate::draft::Slot;
use crate::kind::AtomKind;
use crate::universe::{Id, PresentIn};

/// Finds the needs by inheritance and by name.
pub(super) fn find(finder: &mut Finder<'_>) {
    overriding(finder);
    heads(finder);
    replaced(finder);
    moved(finder);
    extended(finder);
    renamed_files(finder);
    renamed_constructors(finder);
    declared(finder);
}

/// Returns the changes that add or delete methods, with the methods.
fn methods(finder: &Finder<'_>) -> Vec<(usize, Id, PresentIn)> {
    let drafts = finder.drafts.drafts.iter().enumerate();
    let methods =
        drafts.filter(|(_, draft)| draft.slot == Slot::Define).filter_map(|(at, draft)| {
            let side = if draft.new.is_some() { PresentIn::New } else { PresentIn::Old };
            let id = draft.new.or(draft.old)?;
            let kind = finder.universe.member(id).kind;
            (kind == MemberKind::Method).then_some((at, id, side))
        });
    methods.collect()
}

/// An overriding method needs the method that it overrides; an abstract one needs the methods that
/// override it.
fn overriding(finder: &mut Finder<'_>) {
    for (number, id, side) in methods(finder) {
        let member = finder.universe.member(id);
        for other in overridden(finder, id, side) {
            let Some(define) = finder.slot(other, Slot::Define) else { continue };
            let is_abstract = finder.universe.member(other).marks.is_abstract;
            let (user, used) =
                if side == PresentIn::New { (number, define) } else { (define, number) };
            if member.marks.is_override {
                finder.need(user, used);
            }
            if is_abstract {
                finder.need_besides(used, user);
            }
        }
    }
}

/// The head of a method and that of the method it overrides must fit: exceptions, visibility.
fn heads(finder: &mut Finder<'_>) {
    for number in 0..finder.drafts.drafts.len() {
        let draft = &finder.drafts.drafts[number];
        let Some(new) = draft.new.filter(|_| matches!(draft.slot, Slot::Define | Slot::Head))
        else {
            continue;
        };
        let is_both = draft.slot == Slot::Head;
        if finder.universe.member(new).kind != MemberKind::Method {
            continue;
        }
        for other in overridden(finder, new, PresentIn::New) {
            let Some(head) = finder.slot(other, Slot::Head) else { continue };
            finder.need_besides(number, head);
            if is_both {
                finder.need_besides(head, number);
            }
        }
    }
}

/// Returns the methods of the classes above that a method overrides.
fn overridden(finder: &Finder<'_>, id: Id, side: PresentIn) -> Vec<Id> {
    let member = finder.universe.member(id);
    let Some(home) = finder.resolver.home(id) else { return Vec::new() };
    let above = finder.resolver.all_above(home);
    if above.is_empty() {
        return Vec::new();
    }
    let is_above = |&other: &Id| {
        is_alike(member, finder.universe.member(other))
            && finder.resolver.home(other).is_some_and(|it| above.contains(&it))
    };
    finder.universe.named(member.simple, side).filter(is_above).collect()
}

fn is_alike(one: &Member, other: &Member) -> bool {
    one.kind == other.kind && one.arity == other.arity && !other.marks.is_static
}

/// The deletion of a method needs the addition of those of the same name in its class: the
/// unchanged calls then mean these.
fn replaced(finder: &mut Finder<'_>) {
    let mut added: HashMap<(WordHash, Option<WordHash>), Vec<usize>> = HashMap::new();
    let all = methods(finder);
    for &(number, id, side) in &all {
        if side == PresentIn::New {
            let key = (finder.universe.member(id).simple, finder.resolver.home(id));
            added.entry(key).or_default().push(number);
        }
    }
    for (number, id, side) in all {
        let key = (finder.universe.member(id).simple, finder.resolver.home(id));
        if side == PresentIn::Old {
            for &other in added.get(&key).into_iter().flatten() {
                finder.need_besides(number, other);
            }
        }
    }
}

/// Ties the ends of a definition that moved under the same name: it cannot be at both places.
fn moved(finder: &mut Finder<'_>) {
    let mut gone: HashMap<&str, Vec<usize>> = HashMap::new();
    let named = |id: Id| {
        let member = finder.universe.member(id);
        let is_told_apart = !matches!(member.kind, MemberKind::Import | MemberKind::File)
            && finder.universe.owner(id) != id;
        is_told_apart.then_some(member.name.as_str())
    };
    let is_definition = |at: &usize| finder.drafts.drafts[*at].slot == Slot::Define;
    let all: Vec<usize> = (0..finder.drafts.drafts.len()).filter(is_definition).collect();
    for &number in &all {
        let draft = &finder.drafts.drafts[number];
        if let Some(name) = draft.old.filter(|_| draft.new.is_none()).and_then(named) {
            gone.entry(name).or_default().push(number);
        }
    }
    let mut pairs = Vec::new();
    for &number in &all {
        let draft = &finder.drafts.drafts[number];
        if let Some(name) = draft.new.filter(|_| draft.old.is_none()).and_then(named) {
            pairs.extend(gone.get(name).into_iter().flatten().map(|&other| (number, other)));
        }
    }
    for (one, other) in pairs {
        finder.need_besides(one, other);
        finder.need_besides(other, one);
    }
}

/// A class that extends another type needs the methods that this type demands, and the deletion of
/// those that clash with it; overrides and constructors need the change of the extended type.
fn extended(finder: &mut Finder<'_>) {
    for number in 0..finder.drafts.drafts.len() {
        let draft = &finder.drafts.drafts[number];
        let (slot, ends) = (draft.slot, [(draft.old, PresentIn::Old), (draft.new, PresentIn::New)]);
        for (id, side) in ends {
            let Some(id) = id else { continue };
            let Some(head) = extends_other(finder, finder.universe.owner(id)) else { continue };
            let member = finder.universe.member(id);
            match (member.kind, slot) {
                (MemberKind::Method, Slot::Define) if !member.marks.is_static => {
                    extended_method(finder, number, (id, side), head);
                }
                (MemberKind::Constructor, Slot::Define | Slot::Body)
                    if member.marks.calls_constructor =>
                {
                    finder.need_besides(number, head);
                    finder.need_besides(head, number);
                }
                _ => {}
            }
        }
    }
}

fn extended_method(
    finder: &mut Finder<'_>,
    number: usize,
    (id, side): (Id, PresentIn),
    head: usize,
) {
    let marks = finder.universe.member(id).marks;
    if side == PresentIn::Old {
        if !overridden(finder, id, PresentIn::New).is_empty() {
            finder.need_besides(head, number);
        }
        if !marks.is_private {
            finder.need_besides(number, head);
        }
    } else if !marks.is_private {
        finder.need_besides(head, number);
        if marks.is_override {
            finder.need(number, head);
        }
    }
}

/// Returns the change that lets a class extend another type.
fn extends_other(finder: &Finder<'_>, class: Id) -> Option<usize> {
    let head = finder.slot(class, Slot::Head)?;
    let draft = &finder.drafts.drafts[head];
    let supers = |id: Id| &finder.universe.member(id).supers;
    (supers(draft.old?) != supers(draft.new?)).then_some(head)
}

/// Ties the renaming of a file and that of the class in it.
fn renamed_files(finder: &mut Finder<'_>) {
    let drafts = &finder.drafts.drafts;
    let renamed: HashMap<u32, usize> = (0..drafts.len())
        .filter(|&at| drafts[at].kind == AtomKind::RenameFile)
        .map(|at| (drafts[at].file, at))
        .collect();
    let is_renamed =
        |at: &usize| drafts[*at].slot == Slot::Head && drafts[*at].former_name.is_some();
    let heads: Vec<usize> = (0..drafts.len()).filter(is_renamed).collect();
    for head in heads {
        let draft = &finder.drafts.drafts[head];
        let is_top = draft.new.is_some_and(|new| {
            finder.universe.member(finder.universe.owner(new)).kind == MemberKind::File
        });
        if let Some(&file) = renamed.get(&draft.file).filter(|_| is_top) {
            finder.need_besides(head, file);
            finder.need_besides(file, head);
        }
    }
}

/// A constructor needs the renaming of its class, because it has the same name.
fn renamed_constructors(finder: &mut Finder<'_>) {
    for number in 0..finder.drafts.drafts.len() {
        let draft = &finder.drafts.drafts[number];
        let Some(new) = draft.new.filter(|_| matches!(draft.slot, Slot::Define | Slot::Head))
        else {
            continue;
        };
        let head = finder.slot(finder.universe.owner(new), Slot::Head);
        let is_renamed = |head: &usize| finder.drafts.drafts[*head].former_name.is_some();
        let Some(head) = head.filter(is_renamed) else { continue };
        if finder.universe.member(new).kind == MemberKind::Constructor {
            let is_same = draft.slot == Slot::Head;
            finder.need_besides(number, head);
            if is_same {
                finder.need_besides(head, number);
            }
        }
    }
}

/// A function and its declaration need each other, where these are two things.
fn declared(finder: &mut Finder<'_>) {
    let mut declarations: HashMap<WordHash, Vec<usize>> = HashMap::new();
    let mut definitions: Vec<(usize, WordHash)> = Vec::new();
    for (number, draft) in finder.drafts.drafts.iter().enumerate() {
        let Some(new) = draft.new.filter(|_| draft.slot == Slot::Define) else { continue };
        let member = finder.universe.member(new);
        let is_function = matches!(member.kind, MemberKind::Function | MemberKind::Method);
        if is_function && member.marks.is_abstract {
            declarations.entry(member.simple).or_default().push(number);
        } else if member.kind == MemberKind::Function {
            definitions.push((number, member.simple));
        }
    }
    for (definition, name) in definitions {
        for &declaration in declarations.get(&name).into_iter().flatten() {
            finder.need(definition, declaration);
            finder.need_besides(declaration, definition);
        }
    }
}
