//! Which changes need which: what is believed, and what is certain.

use crate::{Delta, DeltaSet, Implications};

/// A change that needs another one.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// The change.
    pub delta: Delta,
    /// The change that it needs.
    pub needs: Delta,
    /// How sure the need is.
    pub sureness: Sureness,
}

/// How sure it is that a change needs another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// The change is of no use without the one it needs.
    Certain,
    /// One opens a block that the other closes.
    Brackets,
    /// Something in the texts suggests it.
    Believed,
}

/// The needs between changes.
#[derive(Clone, Debug)]
pub struct Needs {
    needs: Vec<Need>,
    /// New functions and the like: the first change of each, with the others.
    items: Vec<(Delta, DeltaSet)>,
    /// All known needs of single changes.
    pub all: Implications,
    /// The same, and that a new function is of use only as a whole.
    pub believed: Implications,
    /// The certain needs.
    pub certain: Implications,
}

impl Needs {
    /// Takes the needs, and new functions and the like: the first change of each, with the others.
    pub fn new(needs: Vec<Need>, items: Vec<(Delta, DeltaSet)>) -> Self {
        let (mut all, mut certain) = (Implications::builder(), Implications::builder());
        for need in &needs {
            all.add(need.delta, need.needs);
            if need.sureness == Sureness::Certain {
                certain.add(need.delta, need.needs);
            }
        }
        let none = Implications::builder().build();
        let mut known =
            Needs { needs, items, all: all.build(), believed: none, certain: certain.build() };
        let mut believed = Implications::builder();
        known.believed().for_each(|(delta, needs)| believed.add(delta, needs));
        known.believed = believed.build();
        known
    }

    /// Makes sure that each of some sets is taken as a whole or not at all.
    pub fn keeping(mut self, wholes: &[DeltaSet]) -> Self {
        for whole in wholes {
            let Some(first) = whole.first() else { continue };
            for other in whole.iter().skip(1) {
                let tie = |delta, needs| Need { delta, needs, sureness: Sureness::Certain };
                self.needs.extend([tie(first, other), tie(other, first)]);
            }
        }
        Needs::new(self.needs, self.items)
    }

    /// Returns some changes with all of the new functions that they belong to, the changes that use
    /// those, and all their believed needs.
    pub(super) fn with_partners(&self, changes: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        let mut whole = changes.clone();
        for (first, rest) in &self.items {
            if changes.contains(*first) || !rest.intersection(changes).is_empty() {
                whole = whole.union(rest).union(&DeltaSet::run(first.0..first.0 + 1));
            }
        }
        let whole = whole.intersection(within);
        let used = self.all.dependents_within(&whole, within).union(&whole);
        self.believed.closure_up_within(&used, within)
    }

    /// Returns some changes with what they are believed to need.
    pub(super) fn believed_within(&self, changes: &DeltaSet, within: &DeltaSet) -> DeltaSet {
        self.believed.closure_up_within(changes, within)
    }

    /// Returns all needs, the wholes of new functions included.
    pub fn believed(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let items = self.items.iter();
        let items = items.flat_map(|(first, rest)| rest.iter().map(move |delta| (*first, delta)));
        self.needs.iter().map(|need| (need.delta, need.needs)).chain(items)
    }

    /// Returns the certain needs, and pairs of changes that open and close a block: neither is left
    /// out alone, but both may be without the contents of the block.
    pub(super) fn in_pairs(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        self.certain().chain(self.that_are(Sureness::Brackets))
    }

    /// Returns the certain needs.
    pub(super) fn certain(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        self.that_are(Sureness::Certain)
    }

    fn that_are(&self, sureness: Sureness) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let needs = self.needs.iter().filter(move |need| need.sureness == sureness);
        needs.map(|need| (need.delta, need.needs))
    }
}
