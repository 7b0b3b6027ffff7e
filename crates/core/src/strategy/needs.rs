//! Which changes need which: what is believed, and what is certain.

use crate::{Delta, DeltaSet, Implications};

/// A change that needs another one.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// The change.
    pub delta: Delta,
    /// What it needs.
    pub needs: Delta,
    /// How sure that is.
    pub sureness: Sureness,
}

/// How sure it is that a change needs another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// Nothing can come of the one without the other.
    Certain,
    /// One opens a block that the other closes.
    Brackets,
    /// Something in the texts says so.
    Believed,
}

/// What needs what.
#[derive(Clone, Debug)]
pub struct Needs {
    needs: Vec<Need>,
    /// New functions and the like, each with the rest of it.
    items: Vec<(Delta, DeltaSet)>,
    /// All that is known of single changes.
    pub all: Implications,
    /// The same, and that a new function is of use only as a whole.
    pub believed: Implications,
    /// What is certain.
    pub certain: Implications,
}

impl Needs {
    /// Takes what needs what, and new functions and the like, each with the rest of it.
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

    /// Takes of each of some sets all or nothing.
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

    /// Returns some changes with all of the new functions that they are in, with what uses those,
    /// and with what all of that needs.
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

    /// Returns all that is believed.
    pub fn believed(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let items = self.items.iter();
        let items = items.flat_map(|(first, rest)| rest.iter().map(move |delta| (*first, delta)));
        self.needs.iter().map(|need| (need.delta, need.needs)).chain(items)
    }

    /// Returns what is certain, and what opens a block with what closes it: neither goes alone, but
    /// both may without what is in it.
    pub(super) fn in_pairs(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        self.certain().chain(self.that_are(Sureness::Brackets))
    }

    /// Returns what is certain.
    pub(super) fn certain(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        self.that_are(Sureness::Certain)
    }

    fn that_are(&self, sureness: Sureness) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let needs = self.needs.iter().filter(move |need| need.sureness == sureness);
        needs.map(|need| (need.delta, need.needs))
    }
}
