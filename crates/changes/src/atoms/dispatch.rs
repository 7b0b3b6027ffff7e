//! Changes without text of their own: which method a call leads to (LC), and which advice is run
//! where (AIC).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::draft::{Draft, Drafts, Slot};
use super::kind::AtomKind;
use super::member::MemberKind;
use super::pointcut::Matcher;
use super::prerequisites::Needs;
use super::resolve::Resolver;
use super::universe::{Id, Side, Universe};

/// Where advice is run, over both versions.
#[derive(Debug, Default)]
pub(super) struct Advised {
    /// The advice of each method or field.
    pub(super) at: BTreeMap<Id, Vec<Id>>,
    /// Advice that may be run anywhere.
    pub(super) anywhere: Vec<Id>,
    /// Changes of advice that may be run anywhere.
    pub(super) everywhere: Vec<usize>,
}

/// Adds the changes of what calls lead to.
pub(super) fn add(
    universe: &Universe,
    resolver: &Resolver<'_>,
    drafts: &mut Drafts,
    needs: &mut Needs,
) -> Advised {
    lookups(universe, resolver, drafts, needs);
    advice(universe, resolver, drafts, needs)
}

fn dispatch(kind: AtomKind, of: &Draft, old: Option<Id>, new: Option<Id>) -> Draft {
    Draft {
        kind,
        slot: Slot::Dispatch,
        file: of.file,
        old,
        new,
        name: None,
        former_name: None,
        deltas: Vec::new(),
    }
}

/// A method that overrides another comes or goes, or a class extends something else.
fn lookups(universe: &Universe, resolver: &Resolver<'_>, drafts: &mut Drafts, needs: &mut Needs) {
    let mut found = Vec::new();
    for (number, draft) in drafts.drafts.iter().enumerate() {
        let Some(id) = draft.new.or(draft.old) else { continue };
        let is_lookup = match draft.slot {
            Slot::Define => overrides(universe, resolver, id),
            Slot::Head => draft.old.zip(draft.new).is_some_and(|(old, new)| {
                universe.member(new).kind.is_type()
                    && universe.member(old).supers != universe.member(new).supers
            }),
            _ => false,
        };
        if is_lookup {
            found.push((number, dispatch(AtomKind::ChangeLookup, draft, draft.old, draft.new)));
        }
    }
    for (number, lookup) in found {
        let lookup = drafts.add(lookup);
        needs.graph.insert((lookup, number));
    }
}

/// Whether a method overrides one of a class above, or is overridden by one of a class below.
fn overrides(universe: &Universe, resolver: &Resolver<'_>, id: Id) -> bool {
    let member = universe.member(id);
    let is_virtual =
        member.kind == MemberKind::Method && !member.marks.is_static && !member.marks.is_private;
    let Some(home) = resolver.home(id).filter(|_| is_virtual) else { return false };
    let family = resolver.family(home);
    family.len() > 1
        && universe.named(member.simple, Side::Both).any(|other| {
            let it = universe.member(other);
            other != id
                && it.kind == MemberKind::Method
                && it.arity == member.arity
                && resolver.home(other).is_some_and(|it| it != home && family.contains(&it))
        })
}

/// Advice comes or goes, or its pointcut is another.
fn advice(
    universe: &Universe,
    resolver: &Resolver<'_>,
    drafts: &mut Drafts,
    needs: &mut Needs,
) -> Advised {
    let mut advised = Advised::default();
    let is_advice = |&id: &Id| universe.member(id).kind == MemberKind::Advice;
    let all: Vec<Id> = universe.ids().filter(is_advice).collect();
    if all.is_empty() {
        return advised;
    }
    let matcher = Matcher::of(universe, resolver);
    let partners = partners(drafts);
    for &id in &all {
        for version in [Side::Old, Side::New] {
            if !universe.side(id).is_in(version) {
                continue;
            }
            let matched = matcher.matched(id, version);
            for member in matched.members {
                advised.at.entry(member).or_default().push(id);
            }
            if matched.is_anywhere {
                advised.anywhere.push(id);
            }
        }
    }
    for list in advised.at.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    advised.anywhere.sort_unstable();
    advised.anywhere.dedup();
    for &id in &all {
        let causes = causes(&matcher, drafts, id, universe.side(id));
        let Some(&first) = causes.first() else { continue };
        let side = universe.side(id);
        // An advice that is in both versions is looked at once.
        if side == Side::Old && partners.contains(&id) {
            continue;
        }
        let file = &drafts.drafts[first];
        let mut places: BTreeSet<Id> = BTreeSet::new();
        let mut is_anywhere = false;
        let old = partner(drafts, id);
        let now = matcher.matched(id, side);
        let then = old.map(|old| matcher.matched(old, Side::Old));
        let then = then.or_else(|| (side == Side::Both).then(|| matcher.matched(id, Side::Old)));
        is_anywhere |= now.is_anywhere | then.as_ref().is_some_and(|then| then.is_anywhere);
        match then {
            Some(then) => places.extend(differing(universe, &now.members, &then.members)),
            None => places.extend(now.members),
        }
        let file_of = dispatch(AtomKind::ChangeAdviceInvocation, file, None, None);
        let mut named: BTreeMap<&str, Draft> = BTreeMap::new();
        for &place in &places {
            let name = universe.member(place).name.as_str();
            let draft = named.entry(name).or_insert_with(|| Draft { ..copy(&file_of) });
            let end =
                if universe.side(place) == Side::Old { &mut draft.old } else { &mut draft.new };
            *end = Some(place);
        }
        let mut added: Vec<usize> = named.into_values().map(|draft| drafts.add(draft)).collect();
        if is_anywhere {
            let name = Some(universe.member(id).name.clone());
            let draft = drafts.add(Draft { name, ..copy(&file_of) });
            advised.everywhere.push(draft);
            added.push(draft);
        }
        for invocation in added {
            needs.graph.extend(causes.iter().map(|&cause| (invocation, cause)));
        }
    }
    advised
}

fn copy(draft: &Draft) -> Draft {
    Draft {
        kind: draft.kind,
        slot: draft.slot,
        file: draft.file,
        old: draft.old,
        new: draft.new,
        name: None,
        former_name: None,
        deltas: Vec::new(),
    }
}

/// Returns the places that only one of the versions has.
fn differing(universe: &Universe, now: &HashSet<Id>, then: &HashSet<Id>) -> Vec<Id> {
    let names = |ids: &HashSet<Id>| -> HashSet<String> {
        ids.iter().map(|&id| universe.member(id).name.clone()).collect()
    };
    let (before, after) = (names(then), names(now));
    let is_in = |id: &Id, other: &HashSet<String>| other.contains(&universe.member(*id).name);
    let come = now.iter().filter(|id| !is_in(id, &before));
    come.chain(then.iter().filter(|id| !is_in(id, &after))).copied().collect()
}

/// Returns the changes because of which an advice is run elsewhere: its own, or of its pointcuts.
fn causes(matcher: &Matcher<'_>, drafts: &Drafts, id: Id, side: Side) -> Vec<usize> {
    let of = |id: Id, slots: &[Slot]| -> Vec<usize> {
        let is_of = |draft: &Draft| {
            (draft.old == Some(id) || draft.new == Some(id)) && slots.contains(&draft.slot)
        };
        let drafts = drafts.drafts.iter().enumerate();
        drafts.filter(|(_, draft)| is_of(draft)).map(|(at, _)| at).collect()
    };
    let own = of(id, &[Slot::Define, Slot::Head]);
    if !own.is_empty() {
        return own;
    }
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    let mut left = vec![id];
    let mut found = Vec::new();
    while let Some(at) = left.pop() {
        for version in [Side::Old, Side::New].into_iter().filter(|&it| side.is_in(it)) {
            for named in matcher.names(at, version) {
                if seen.insert(named) {
                    found.extend(of(named, &[Slot::Define, Slot::Head, Slot::Body]));
                    left.push(named);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the old definitions that have a new one.
fn partners(drafts: &Drafts) -> HashSet<Id> {
    let both = drafts.drafts.iter().filter(|draft| draft.new.is_some());
    both.filter_map(|draft| draft.old).collect()
}

fn partner(drafts: &Drafts, new: Id) -> Option<Id> {
    drafts.drafts.iter().find(|draft| draft.new == Some(new) && draft.old.is_some())?.old
}
