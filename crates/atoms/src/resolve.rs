//! The definitions that a name may mean: by the name, and by the type of the receiver if that is
//! known. In doubt a definition counts.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use whodunit_syntax::definitions::{Member, MemberKind, Part, Receiver, Use, UseSort};
use whodunit_syntax::words::WordHash;

use super::universe::{Id, PresentIn, Universe};

/// Receivers followed into one another, as in `a.b().c()`; a deeper one is unknown. Chosen by hand.
const MAX_DEPTH: usize = 12;

/// Finds the definitions that names stand for.
pub(super) struct Resolver<'a> {
    universe: &'a Universe,
    /// The types of each name.
    types: HashMap<WordHash, Vec<Id>>,
    above: HashMap<WordHash, BTreeSet<WordHash>>,
    below: HashMap<WordHash, BTreeSet<WordHash>>,
    families: RefCell<HashMap<WordHash, Rc<HashSet<WordHash>>>>,
    object: WordHash,
}

impl<'a> Resolver<'a> {
    /// Collects which types extend which.
    pub(super) fn of(universe: &'a Universe) -> Self {
        let mut types: HashMap<WordHash, Vec<Id>> = HashMap::new();
        let mut above: HashMap<WordHash, BTreeSet<WordHash>> = HashMap::new();
        let mut below: HashMap<WordHash, BTreeSet<WordHash>> = HashMap::new();
        for id in universe.ids() {
            let member = universe.member(id);
            if !member.kind.is_type() {
                continue;
            }
            types.entry(member.simple).or_default().push(id);
            for &one in &member.supers {
                above.entry(member.simple).or_default().insert(one);
                below.entry(one).or_default().insert(member.simple);
            }
        }
        let families = RefCell::default();
        Resolver { universe, types, above, below, families, object: WordHash::of(b"Object") }
    }

    /// Returns the types of this name.
    pub(super) fn types(&self, name: WordHash) -> &[Id] {
        self.types.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Returns all types that a type extends, by name, without itself.
    pub(super) fn all_above(&self, name: WordHash) -> HashSet<WordHash> {
        closure(name, &self.above)
    }

    /// Returns all types that extend a type, by name, without itself.
    pub(super) fn all_below(&self, name: WordHash) -> HashSet<WordHash> {
        closure(name, &self.below)
    }

    /// Returns the types around a definition, innermost first, by name; an introduced member is also
    /// in the class that it is introduced to.
    pub(super) fn around(&self, id: Id) -> Vec<WordHash> {
        let mut found = Vec::new();
        let mut at = id;
        loop {
            let member = self.universe.member(at);
            if member.kind.is_type() {
                found.push(member.simple);
            }
            if is_introduced(member) {
                found.extend(&member.supers);
            }
            let owner = self.universe.owner(at);
            if owner == at {
                return found;
            }
            at = owner;
        }
    }

    /// Returns the type that a member is in: of an introduced one the class it is introduced to.
    pub(super) fn home(&self, id: Id) -> Option<WordHash> {
        let member = self.universe.member(id);
        if is_introduced(member) {
            return member.supers.first().copied();
        }
        let owner = self.universe.member(self.universe.owner(id));
        owner.kind.is_type().then_some(owner.simple)
    }

    /// Returns the meaning of a use for a compiler: for a call the method of the receiver's
    /// declared type, or of a type above it, but not the overriding methods that may run instead.
    pub(super) fn declared(&self, used: &Use, user: Id, version: PresentIn) -> Vec<Id> {
        let mut found = self.resolve(used, user, version);
        if !self.is_typed(user) || found.is_empty() {
            return found;
        }
        let types = match &used.receiver {
            Receiver::Implicit if used.sort == UseSort::Creation => return found,
            Receiver::Implicit | Receiver::Own => Some(self.around(user)),
            receiver => self.types_of(receiver, user, version, 0),
        };
        let Some(types) = types else { return found };
        let above: HashSet<WordHash> =
            types.iter().flat_map(|&of| self.all_above(of).into_iter().chain([of])).collect();
        let family = self.families_of(&types);
        let is_below = |home: WordHash| {
            !above.contains(&home) && family.iter().any(|family| family.contains(&home))
        };
        found.retain(|&id| {
            let is_member = self.universe.member(id).kind != MemberKind::Constructor
                && !self.universe.member(id).kind.is_type();
            !is_member || !self.home(id).is_some_and(is_below)
        });
        found
    }

    /// Returns the definitions that a use may stand for in a version.
    pub(super) fn resolve(&self, used: &Use, user: Id, version: PresentIn) -> Vec<Id> {
        self.resolve_deep(used, user, version, 0)
    }

    fn resolve_deep(&self, used: &Use, user: Id, version: PresentIn, depth: usize) -> Vec<Id> {
        let named = self.universe.named(used.name, version);
        let known: Vec<Id> = named.filter(|&id| self.fits(used, id)).collect();
        if known.is_empty() {
            return known;
        }
        let is_typed = self.is_typed(user);
        let of_home = |allowed: &dyn Fn(WordHash) -> bool| -> Vec<Id> {
            let is_allowed = |&id: &Id| match self.home(id) {
                Some(home) if !self.universe.member(id).kind.is_type() => {
                    self.universe.member(id).kind == MemberKind::Constructor || allowed(home)
                }
                _ => true,
            };
            known.iter().copied().filter(is_allowed).collect()
        };
        match &used.receiver {
            Receiver::Implicit => {
                let is_local = used.sort == UseSort::Name && self.is_local(user, used.name);
                if is_local {
                    return Vec::new();
                }
                if used.sort == UseSort::Creation {
                    return known;
                }
                let families = self.families_of(&self.around(user));
                let near = of_home(&|home| families.iter().any(|it| it.contains(&home)));
                // Otherwise it may be from anywhere, as by a static import.
                if near.is_empty() { known } else { near }
            }
            Receiver::Own => {
                let families = self.families_of(&self.around(user));
                let near = of_home(&|home| families.iter().any(|it| it.contains(&home)));
                if near.is_empty() && !is_typed { known } else { near }
            }
            receiver if is_typed => match self.types_of(receiver, user, version, depth) {
                Some(types) => {
                    let families = self.families_of(&types);
                    of_home(&|home| families.iter().any(|it| it.contains(&home)))
                }
                None => known,
            },
            _ => known,
        }
    }

    /// Whether a use may mean a definition, by its kind and its parameters.
    fn fits(&self, used: &Use, id: Id) -> bool {
        let member = self.universe.member(id);
        let takes = || match (used.arity, member.arity) {
            (Some(arguments), Some(parameters)) if member.marks.is_variadic => {
                arguments + 1 >= parameters
            }
            (Some(arguments), Some(parameters)) => arguments == parameters,
            _ => true,
        };
        match used.sort {
            UseSort::Call if member.is_constructor() => false,
            UseSort::Call if member.kind.is_callable() => takes(),
            UseSort::Call => {
                !self.is_typed(id) && (member.kind.is_type() || member.kind.is_variable())
            }
            UseSort::Creation => member.kind.is_type() || (member.is_constructor() && takes()),
            UseSort::Access | UseSort::Name => {
                // A function may be named without being called, a method only with a receiver.
                let is_method = member.kind == MemberKind::Method;
                let is_code = member.kind.is_callable() && (self.is_typed(id) || is_method);
                member.kind != MemberKind::Import
                    && (!is_code || used.sort == UseSort::Access)
                    && member.kind != MemberKind::Constructor
            }
        }
    }

    /// Returns the types that an expression may have; `None` if they are unknown.
    fn types_of(
        &self,
        receiver: &Receiver,
        user: Id,
        version: PresentIn,
        depth: usize,
    ) -> Option<Vec<WordHash>> {
        if depth > MAX_DEPTH {
            return None;
        }
        match receiver {
            Receiver::Implicit | Receiver::Unknown => None,
            Receiver::Own => Some(self.around(user)),
            Receiver::Type(name) => self.settled(*name, user).map(|name| vec![name]),
            Receiver::Name(name) => self.types_of_name(*name, user, version),
            Receiver::Field(object, name) => {
                if !self.types(*name).is_empty() {
                    return Some(vec![*name]);
                }
                let objects = self.types_of(object, user, version, depth + 1)?;
                let is_foreign = objects
                    .iter()
                    .all(|&it| self.types(it).is_empty() && !self.below.contains_key(&it));
                if is_foreign {
                    // A class of a library by its whole name, or a member of one.
                    let is_known = self.universe.by_name.contains_key(name);
                    return (!is_known).then(|| vec![*name]);
                }
                let families = self.families_of(&objects);
                let fields = self.universe.named(*name, version).filter(|&id| {
                    self.universe.member(id).kind.is_variable()
                        && self.home(id).is_some_and(|it| families.iter().any(|f| f.contains(&it)))
                });
                self.values(fields, user)
            }
            Receiver::Result(object, name, arity) => {
                let used = Use {
                    name: *name,
                    sort: UseSort::Call,
                    arity: *arity,
                    receiver: (**object).clone(),
                    line: 0,
                    part: Part::Body,
                };
                let called = self.resolve_deep(&used, user, version, depth + 1);
                self.values(called.into_iter(), user)
            }
        }
    }

    fn types_of_name(&self, name: WordHash, user: Id, version: PresentIn) -> Option<Vec<WordHash>> {
        let locals = &self.universe.member(user).locals;
        if let Ok(at) = locals.binary_search_by_key(&name, |local| local.0) {
            return locals[at].1.and_then(|of| self.settled(of, user)).map(|of| vec![of]);
        }
        let families = self.families_of(&self.around(user));
        let is_near = |&id: &Id| {
            self.universe.member(id).kind.is_variable()
                && self.home(id).is_some_and(|home| families.iter().any(|it| it.contains(&home)))
        };
        let near: Vec<Id> = self.universe.named(name, version).filter(is_near).collect();
        if !near.is_empty() {
            return self.values(near.into_iter(), user);
        }
        let mut all = self.universe.named(name, version);
        let is_variable = all.any(|id| self.universe.member(id).kind.is_variable());
        if is_variable && self.types(name).is_empty() {
            return None;
        }
        // A type, be it of a library.
        self.settled(name, user).map(|name| vec![name])
    }

    /// Returns the types of variables and results; `None` if there is none or one is unknown.
    fn values(&self, of: impl Iterator<Item = Id>, user: Id) -> Option<Vec<WordHash>> {
        let types: Option<BTreeSet<WordHash>> =
            of.map(|id| self.settled(self.universe.member(id).of_type?, id)).collect();
        let types = types.filter(|types| !types.is_empty())?;
        types.into_iter().map(|name| self.settled(name, user)).collect()
    }

    /// Returns a type, unless its name may stand for any type.
    fn settled(&self, name: WordHash, user: Id) -> Option<WordHash> {
        let parameters = &self.universe.sources[self.universe.source(user)].facts.type_parameters;
        let is_open = name == self.object || parameters.binary_search(&name).is_ok();
        (!is_open).then_some(name)
    }

    fn is_local(&self, user: Id, name: WordHash) -> bool {
        let locals = &self.universe.member(user).locals;
        locals.binary_search_by_key(&name, |local| local.0).is_ok()
    }

    /// Whether the language of a definition has written types.
    pub(super) fn is_typed(&self, id: Id) -> bool {
        self.universe.sources[self.universe.source(id)].facts.is_typed
    }

    /// Returns for each type its name, and those of all that it extends and that extend it.
    fn families_of(&self, types: &[WordHash]) -> Vec<Rc<HashSet<WordHash>>> {
        types.iter().map(|&name| self.family(name)).collect()
    }

    /// Returns a type's name, and those of all that it extends and that extend it.
    pub(super) fn family(&self, name: WordHash) -> Rc<HashSet<WordHash>> {
        if let Some(known) = self.families.borrow().get(&name) {
            return known.clone();
        }
        let mut family = self.all_above(name);
        family.extend(self.all_below(name));
        family.insert(name);
        let family = Rc::new(family);
        self.families.borrow_mut().insert(name, family.clone());
        family
    }
}

fn is_introduced(member: &Member) -> bool {
    matches!(member.kind, MemberKind::IntroducedField | MemberKind::IntroducedMethod)
}

fn closure(from: WordHash, next: &HashMap<WordHash, BTreeSet<WordHash>>) -> HashSet<WordHash> {
    let mut found = HashSet::new();
    let mut left = vec![from];
    while let Some(name) = left.pop() {
        for &one in next.get(&name).into_iter().flatten() {
            if one != from && found.insert(one) {
                left.push(one);
            }
        }
    }
    found
}
