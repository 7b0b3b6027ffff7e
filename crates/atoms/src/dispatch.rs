//! Changes without text of their own: the method that a call leads to (LC), and the advice that is
//! run at a place (AIC).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whodunit_syntax::definitions::MemberKind;

use super::draft::{Draft, Drafts, Slot};
use super::kind::AtomKind;
use super::pointcut::{Matched, Matcher};
use super::prerequisites::Needs;
use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// The places where advice is run, over both versions.
#[derive(Debug, Default)]
pub(super) struct Advised {
    /// The advice of each method or field, and the declarations that affect it or a type.
    pub(super) at: BTreeMap<Id, Vec<Id>>,
    /// Advice that may be run anywhere, and declarations that may affect anything.
    pub(super) anywhere: Vec<Id>,
    /// Changes of advice that may be run anywhere.
    pub(super) everywhere: Vec<usize>,
}

/// Adds the changes of lookups and of advice.
pub(super) fn add(
    universe: &Universe,
    resolver: &Resolver<'_>,
    partners: &HashMap<Id, Id>,
    drafts: &mut Drafts,
    needs: &mut Needs,
) -> Advised {
    lookups(universe, resolver, drafts, needs);
    advice(universe, resolver, partners, drafts, needs)
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

/// Adds an `LC` where a method that overrides another is added or deleted, or a class extends
/// another type.
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
        && universe.named(member.simple, PresentIn::Both).any(|other| {
            let it = universe.member(other);
            other != id
                && it.kind == MemberKind::Method
                && it.arity == member.arity
                && resolver.home(other).is_some_and(|it| it != home && family.contains(&it))
        })
}

/// Adds an `AIC` where advice is run in only one of the versions: because it is added or deleted,
/// has another pointcut, or the method or field that it is run at is added or deleted.
fn advice(
    universe: &Universe,
    resolver: &Resolver<'_>,
    partners: &HashMap<Id, Id>,
    drafts: &mut Drafts,
    needs: &mut Needs,
) -> Advised {
    let is_advice = |&id: &Id| universe.member(id).kind == MemberKind::Advice;
    let all: Vec<Id> = universe.ids().filter(is_advice).collect();
    if all.is_empty() {
        return Advised::default();
    }
    let matcher = Matcher::of(universe, resolver);
    let places = AdviceMatches::of(universe, &matcher, &all);
    let mut advised = places.advised();
    let whole = Wholes::of(universe, resolver, drafts);
    for &id in &all {
        let side = universe.side(id);
        let partner = partners.get(&id).copied();
        // An advice that is in both versions is handled once, by its new end.
        if side == PresentIn::Old && partner.is_some() {
            continue;
        }
        let causes = causes(&matcher, drafts, id, side);
        let before = if side == PresentIn::New { partner } else { Some(id) };
        let then = before.and_then(|id| places.known.get(&(id, PresentIn::Old)));
        let now = places.known.get(&(id, PresentIn::New));
        let mut added: Vec<(Draft, BTreeSet<usize>)> = Vec::new();
        for (name, [old, new]) in differing(universe, now, then) {
            let mut causes: BTreeSet<usize> = causes.iter().copied().collect();
            causes.extend(whole.changes(old, new));
            let Some(&first) = causes.first() else { continue };
            let kind = AtomKind::ChangeAdviceInvocation;
            let draft = dispatch(kind, &drafts.drafts[first], old, new);
            added.push((Draft { name: Some(name), ..draft }, causes));
        }
        let is_anywhere = [now, then].into_iter().flatten().any(|it| it.is_anywhere);
        if let Some(&first) = causes.first().filter(|_| is_anywhere) {
            let kind = AtomKind::ChangeAdviceInvocation;
            let draft = dispatch(kind, &drafts.drafts[first], None, None);
            let name = Some(universe.member(id).name.clone());
            advised.everywhere.push(drafts.drafts.len() + added.len());
            added.push((Draft { name, ..draft }, causes.into_iter().collect()));
        }
        for (draft, causes) in added {
            let invocation = drafts.add(draft);
            needs.graph.extend(causes.into_iter().map(|cause| (invocation, cause)));
        }
    }
    advised
}

/// The matches of each advice in each version that it is in.
struct AdviceMatches {
    known: BTreeMap<(Id, PresentIn), Matched>,
}

impl AdviceMatches {
    fn of(universe: &Universe, matcher: &Matcher<'_>, advice: &[Id]) -> AdviceMatches {
        let versions = |&id: &Id| {
            let versions = [PresentIn::Old, PresentIn::New].into_iter();
            versions.filter(move |&it| universe.side(id).is_in(it)).map(move |it| (id, it))
        };
        let all = advice.iter().flat_map(versions);
        AdviceMatches { known: all.map(|(id, it)| ((id, it), matcher.matched(id, it))).collect() }
    }

    fn advised(&self) -> Advised {
        let mut advised = Advised::default();
        for (&(id, _), matched) in &self.known {
            for &member in &matched.members {
                advised.at.entry(member).or_default().push(id);
            }
            advised.anywhere.extend(matched.is_anywhere.then_some(id));
        }
        for list in advised.at.values_mut().chain([&mut advised.anywhere]) {
            list.sort_unstable();
            list.dedup();
        }
        advised
    }
}

/// The changes that add, delete or redeclare methods, fields and classes.
struct Wholes<'a> {
    universe: &'a Universe,
    resolver: &'a Resolver<'a>,
    changes: HashMap<Id, usize>,
}

impl<'a> Wholes<'a> {
    fn of(universe: &'a Universe, resolver: &'a Resolver<'a>, drafts: &Drafts) -> Self {
        let mut changes = HashMap::new();
        for (number, draft) in drafts.drafts.iter().enumerate() {
            let is_whole = matches!(draft.slot, Slot::Define | Slot::Head | Slot::Former);
            let ends = [draft.old, draft.new].into_iter().flatten().filter(|_| is_whole);
            changes.extend(ends.map(|id| (id, number)));
        }
        Wholes { universe, resolver, changes }
    }

    /// Returns the changes because of which a place is only in one version: its own, or if it has
    /// none those of its class and of the classes above.
    fn changes(&self, old: Option<Id>, new: Option<Id>) -> BTreeSet<usize> {
        let ends = || [old, new].into_iter().flatten();
        let of = |id: Id| self.changes.get(&id).copied();
        let own: BTreeSet<usize> = ends().filter_map(of).collect();
        if !own.is_empty() || (old.is_some() && new.is_some()) {
            return own;
        }
        let above = ends().filter_map(|id| self.resolver.home(id)).flat_map(|home| {
            let names = self.resolver.all_above(home).into_iter().chain([home]);
            names.flat_map(|name| self.resolver.types(name)).copied()
        });
        let owners = ends().map(|id| self.universe.owner(id));
        above.chain(owners).filter_map(of).collect()
    }
}

/// Returns the places that only one of the versions has, by name, each at the good or the bad end.
fn differing(
    universe: &Universe,
    now: Option<&Matched>,
    then: Option<&Matched>,
) -> BTreeMap<String, [Option<Id>; 2]> {
    let mut places: BTreeMap<String, [Option<Id>; 2]> = BTreeMap::new();
    let ends = [then, now].into_iter().enumerate();
    for (at, &id) in ends
        .flat_map(|(at, it)| it.into_iter().map(move |it| (at, it)))
        .flat_map(|(at, it)| it.members.iter().map(move |id| (at, id)))
    {
        places.entry(universe.member(id).name.clone()).or_default()[at] = Some(id);
    }
    places.retain(|_, ends| ends.iter().flatten().count() == 1);
    places
}

/// Returns the changes because of which an advice is run elsewhere: its own, or those of its
/// pointcuts.
fn causes(matcher: &Matcher<'_>, drafts: &Drafts, id: Id, side: PresentIn) -> Vec<usize> {
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
        for version in [PresentIn::Old, PresentIn::New].into_iter().filter(|&it| side.is_in(it)) {
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
