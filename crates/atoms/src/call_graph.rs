//! The code that a test reaches, by names and types: rather too much than too little.
//!
//! The graph is that of both versions at once, so that deleted code is reached as well. A call
//! leads to every method of its name and number of arguments whose class may be that of the
//! receiver, above or below it; a method that advice is run at leads to the advice. Mentioning a
//! class reaches its initializers; instantiating it also reaches methods that a library may call.
//! In languages with written types only the classes that reached code instantiates have objects,
//! and a call leads to no other class below the receiver's.

use std::collections::{BTreeSet, HashMap, HashSet};

use whodunit_syntax::definitions::{MemberKind, Receiver, UseSort};
use whodunit_syntax::words::WordHash;
use whodunit_versions::TreePath;

use super::Atoms;
use super::entry::Entry;
use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// The call graph of both versions.
pub struct CallGraph<'a> {
    pub(super) atoms: &'a Atoms,
    pub(super) universe: &'a Universe,
    pub(super) resolver: Resolver<'a>,
    /// The changes of each definition.
    pub(super) changes: HashMap<Id, Vec<usize>>,
    /// The members of each type, by its name.
    members: HashMap<WordHash, Vec<Id>>,
    constructors: HashMap<WordHash, Vec<Id>>,
    /// Methods that any library may call.
    common: HashSet<WordHash>,
    /// Types without methods that a class may extend.
    markers: HashSet<WordHash>,
}

/// Methods that every object has, or that languages call by themselves.
const COMMON: &[&str] = &[
    "toString",
    "equals",
    "hashCode",
    "compareTo",
    "compare",
    "close",
    "finalize",
    "clone",
    "iterator",
    "run",
    "call",
    "constructor",
    "drop",
    "fmt",
    "main",
];

const MARKERS: &[&str] = &["Serializable", "Cloneable", "Object", "RandomAccess"];

impl<'a> CallGraph<'a> {
    /// Builds the graph.
    pub fn of(atoms: &'a Atoms) -> CallGraph<'a> {
        let universe = &atoms.universe;
        let resolver = Resolver::of(universe);
        let mut changes: HashMap<Id, Vec<usize>> = HashMap::new();
        for (atom, ids) in atoms.ids.iter().enumerate() {
            ids.iter().for_each(|&id| changes.entry(id).or_default().push(atom));
        }
        let mut members: HashMap<WordHash, Vec<Id>> = HashMap::new();
        let mut constructors: HashMap<WordHash, Vec<Id>> = HashMap::new();
        for id in universe.ids() {
            if let Some(home) = resolver.home(id) {
                members.entry(home).or_default().push(id);
                if universe.member(id).is_constructor() {
                    constructors.entry(home).or_default().push(id);
                }
            }
        }
        let set = |names: &[&str]| names.iter().map(|name| WordHash::of(name.as_bytes())).collect();
        let (common, markers) = (set(COMMON), set(MARKERS));
        CallGraph { atoms, universe, resolver, changes, members, constructors, common, markers }
    }

    /// Finds the entries of a test by its name: `AccountTest.testTransfer`, `testTransfer`, a
    /// class, the path of a file, each also as the tools of its language write it. Set-up and
    /// tear-down belong to a test. Empty if there is no such test.
    pub fn entries(&self, name: &str) -> Vec<Entry> {
        super::entry::find(self.universe, &self.resolver, name)
    }

    /// Returns the changes that are reached from some entries.
    pub fn covered(&self, entries: &[Entry]) -> BTreeSet<usize> {
        let mut walk = CallWalk {
            graph: self,
            reached: vec![false; self.universe.len()],
            mentioned: HashSet::new(),
            made: HashSet::new(),
            waiting: HashMap::new(),
            around: HashSet::new(),
            asked: HashSet::new(),
            left: Vec::new(),
        };
        for entry in entries {
            walk.reach(entry.0);
            // A test runner makes an object of the test's class.
            self.resolver.home(entry.0).into_iter().for_each(|home| walk.make(home));
        }
        for &id in self.atoms.advised.anywhere.iter().filter(|_| !entries.is_empty()) {
            walk.reach(id);
        }
        while let Some(id) = walk.left.pop() {
            walk.expand(id);
        }
        let ids = self.universe.ids().filter(|id| walk.reached[id.0 as usize]);
        let changes = ids.filter_map(|id| self.changes.get(&id)).flatten().copied();
        let mut covered: BTreeSet<usize> = changes.collect();
        covered.extend(&self.atoms.everywhere);
        covered
    }

    /// Returns the functions of the bad version that look like tests, in order of their files: each
    /// with its name, its file, and its entries.
    pub fn tests(&self) -> Vec<(&'a str, &'a TreePath, Vec<Entry>)> {
        let universe = self.universe;
        let is_test = |&id: &Id| {
            let member = universe.member(id);
            let is_there = universe.side(id) != PresentIn::Old;
            is_there && member.marks.is_test && member.kind.is_callable()
        };
        let test = |id: Id| {
            let path = &universe.sources[universe.source(id)].path;
            let entries = super::entry::with_around(universe, &self.resolver, vec![id]);
            (universe.member(id).name.as_str(), path, entries)
        };
        let mut tests: Vec<_> = universe.ids().filter(is_test).map(test).collect();
        tests.sort_by(|one, other| (one.1, one.0).cmp(&(other.1, other.0)));
        tests
    }

    /// Whether an entry looks like a test.
    pub fn is_test(&self, entry: Entry) -> bool {
        self.universe.member(entry.0).marks.is_test
    }

    /// Returns the changes that may matter to a test: those that are reached from its entries, with
    /// all their prerequisites.
    pub fn responsible(&self, entries: &[Entry]) -> BTreeSet<usize> {
        self.atoms.with_prerequisites(&self.covered(entries))
    }

    /// Whether a type extends one that is not in the program, and that may have methods.
    fn is_foreign(&self, name: WordHash) -> bool {
        let own = self.resolver.types(name).iter();
        let direct = own.flat_map(|&id| &self.universe.member(id).supers).copied();
        let mut all: Vec<WordHash> = direct.collect();
        all.extend(self.resolver.all_above(name));
        all.iter().any(|it| self.resolver.types(*it).is_empty() && !self.markers.contains(it))
    }
}

impl std::fmt::Debug for CallGraph<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallGraph").field("definitions", &self.universe.len()).finish()
    }
}

/// A walk through the graph.
struct CallWalk<'a> {
    graph: &'a CallGraph<'a>,
    reached: Vec<bool>,
    mentioned: HashSet<WordHash>,
    /// Classes of which there are objects, with those above them.
    made: HashSet<WordHash>,
    /// Methods that are called if there is an object of their class.
    waiting: HashMap<WordHash, Vec<Id>>,
    /// Classes and files around reached definitions.
    around: HashSet<Id>,
    /// Calls on receivers of unknown type that were followed; equal ones lead to the same
    /// definitions.
    asked: HashSet<(WordHash, Option<u8>)>,
    left: Vec<Id>,
}

impl CallWalk<'_> {
    fn reach(&mut self, id: Id) {
        if !std::mem::replace(&mut self.reached[id.0 as usize], true) {
            self.left.push(id);
        }
    }

    fn expand(&mut self, id: Id) {
        let graph = self.graph;
        let universe = graph.universe;
        let member = universe.member(id);
        if let Some(partner) = graph.atoms.partners.get(&id) {
            self.reach(*partner);
        }
        for &advice in graph.atoms.advised.at.get(&id).into_iter().flatten() {
            self.reach(advice);
        }
        if member.is_constructor() {
            self.construct(id);
        }
        let mut at = id;
        while universe.owner(at) != at {
            at = universe.owner(at);
            self.reach_around(at);
        }
        let around = graph.resolver.around(id);
        for used in &member.uses {
            let is_unknown = used.receiver == Receiver::Unknown && used.sort == UseSort::Call;
            if is_unknown && !self.asked.insert((used.name, used.arity)) {
                continue;
            }
            let declared: HashSet<Id> = match is_unknown {
                true => HashSet::new(),
                false => graph.resolver.declared(used, id, PresentIn::Both).into_iter().collect(),
            };
            for target in graph.resolver.resolve(used, id, PresentIn::Both) {
                let it = universe.member(target);
                if !it.kind.is_type() {
                    self.call(target, declared.contains(&target));
                } else if !around.contains(&it.simple) || used.sort == UseSort::Creation {
                    self.reached[target.0 as usize] = true;
                    self.mention(it.simple);
                    if used.sort == UseSort::Creation {
                        self.make(it.simple);
                    }
                }
            }
        }
    }

    /// Reaches a called method, if the declared type of the receiver has it, or if there may be an
    /// object that has it.
    fn call(&mut self, target: Id, is_declared: bool) {
        let member = self.graph.universe.member(target);
        let is_virtual = member.kind == MemberKind::Method
            && !member.marks.is_static
            && self.graph.resolver.is_typed(target);
        match self.graph.resolver.home(target).filter(|_| is_virtual && !is_declared) {
            Some(home) if !self.made.contains(&home) => {
                self.waiting.entry(home).or_default().push(target);
            }
            _ => self.reach(target),
        }
    }

    /// Reaches the code that a constructor runs first: another constructor of its class, or of the
    /// class above.
    fn construct(&mut self, id: Id) {
        let graph = self.graph;
        let Some(home) = graph.resolver.home(id) else { return };
        self.make(home);
        let is_typed = graph.resolver.is_typed(id);
        if is_typed && graph.universe.member(id).marks.calls_constructor {
            // The call of that constructor is among the uses.
            return;
        }
        let mut names = graph.resolver.all_above(home);
        names.insert(home);
        for other in names.iter().filter_map(|name| graph.constructors.get(name)).flatten() {
            let member = graph.universe.member(*other);
            let takes_none =
                member.arity.is_none_or(|arity| arity == 0) || member.marks.is_variadic;
            let is_own = graph.resolver.home(*other) == Some(home);
            if !is_typed || (takes_none && !is_own) {
                self.reach(*other);
            }
        }
    }

    /// Reaches the definition around another one, with its own code, but without its other members.
    fn reach_around(&mut self, id: Id) {
        self.reached[id.0 as usize] = true;
        if self.around.insert(id) {
            self.left.push(id);
        }
    }

    /// Reaches the code that is run when a class is loaded.
    fn mention(&mut self, name: WordHash) {
        if !self.mentioned.insert(name) {
            return;
        }
        let graph = self.graph;
        let mut has_objects = false;
        for &id in graph.members.get(&name).into_iter().flatten() {
            let member = graph.universe.member(id);
            has_objects |= member.kind == MemberKind::EnumConstant || !graph.resolver.is_typed(id);
            let is_run = match member.kind {
                MemberKind::Initializer => true,
                kind => kind.is_variable() && !member.marks.is_plain,
            };
            if is_run {
                self.reach(id);
            }
        }
        for &id in graph.resolver.types(name) {
            self.reached[id.0 as usize] = true;
            for &declaration in graph.atoms.advised.at.get(&id).into_iter().flatten() {
                self.reach(declaration);
            }
            has_objects |= graph.universe.member(id).kind == MemberKind::Aspect;
            for &above in &graph.universe.member(id).supers {
                self.mention(above);
            }
        }
        if has_objects {
            self.make(name);
        }
    }

    /// Reaches the code that may be called once there is an object of a class.
    fn make(&mut self, name: WordHash) {
        if !self.made.insert(name) {
            return;
        }
        self.mention(name);
        let graph = self.graph;
        let is_foreign = graph.is_foreign(name);
        for &id in graph.members.get(&name).into_iter().flatten() {
            let member = graph.universe.member(id);
            let is_method =
                matches!(member.kind, MemberKind::Method | MemberKind::IntroducedMethod);
            let may_be_called = !member.marks.is_test
                && !member.marks.is_fixture
                && !member.marks.is_static
                && !member.marks.is_private;
            let is_run = (is_foreign && may_be_called)
                || graph.common.contains(&member.simple)
                || member.key.starts_with("__");
            if is_method && is_run {
                self.reach(id);
            }
        }
        for id in self.waiting.remove(&name).into_iter().flatten() {
            self.reach(id);
        }
        for &id in graph.resolver.types(name) {
            for &above in &graph.universe.member(id).supers {
                self.make(above);
            }
        }
    }
}
