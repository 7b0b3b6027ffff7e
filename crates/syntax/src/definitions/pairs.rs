//! Pairs the definitions of both versions: by the name among those around them, and renamed classes
//! by their content.

use std::collections::{HashMap, HashSet};

use super::member::{FileFacts, MemberKind};

/// The definitions of a file in both versions.
#[derive(Debug, Default)]
pub struct Pairs {
    /// All of them; that of the files themselves is the first.
    pub pairs: Vec<Pair>,
    /// The pair of each definition of the good version.
    pub of_old: Vec<u32>,
    /// The pair of each definition of the bad version.
    pub of_new: Vec<u32>,
}

/// A definition in both versions, or in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the good version.
    pub old: Option<u32>,
    /// Its number in the bad version.
    pub new: Option<u32>,
}

impl Pairs {
    /// Pairs the definitions of a file.
    pub fn of(old: Option<&FileFacts>, new: Option<&FileFacts>) -> Pairs {
        let count = |facts: Option<&FileFacts>| facts.map_or(0, |facts| facts.members.len());
        let mut pairs = Pairs {
            pairs: Vec::new(),
            of_old: vec![u32::MAX; count(old)],
            of_new: vec![u32::MAX; count(new)],
        };
        if let (Some(old), Some(new)) = (old, new) {
            let (before, after) = (children(old), children(new));
            let mut left = vec![(0, 0)];
            while let Some((one, other)) = left.pop() {
                pairs.add(Some(one), Some(other));
                let (one, other) = (&before[one as usize], &after[other as usize]);
                let same = by_key(old, one, new, other);
                let (known_old, known_new): (HashSet<u32>, HashSet<u32>) =
                    same.iter().copied().unzip();
                left.extend(same);
                let without = |all: &[u32], known: &HashSet<u32>| -> Vec<u32> {
                    all.iter().copied().filter(|id| !known.contains(id)).collect()
                };
                let (one, other) = (without(one, &known_old), without(other, &known_new));
                left.extend(by_content(old, &before, &one, new, &after, &other));
            }
        }
        for number in 0..pairs.of_old.len() as u32 {
            if pairs.of_old[number as usize] == u32::MAX {
                pairs.add(Some(number), None);
            }
        }
        for number in 0..pairs.of_new.len() as u32 {
            if pairs.of_new[number as usize] == u32::MAX {
                pairs.add(None, Some(number));
            }
        }
        pairs
    }

    fn add(&mut self, old: Option<u32>, new: Option<u32>) {
        let number = self.pairs.len() as u32;
        if let Some(old) = old {
            self.of_old[old as usize] = number;
        }
        if let Some(new) = new {
            self.of_new[new as usize] = number;
        }
        self.pairs.push(Pair { old, new });
    }
}

/// Returns the members inside each definition.
fn children(facts: &FileFacts) -> Vec<Vec<u32>> {
    let mut children = vec![Vec::new(); facts.members.len()];
    for (number, member) in (0..).zip(&facts.members).skip(1) {
        children[member.owner as usize].push(number);
    }
    children
}

fn by_key(old: &FileFacts, one: &[u32], new: &FileFacts, other: &[u32]) -> Vec<(u32, u32)> {
    let key = |facts: &FileFacts, id: u32| {
        let member = &facts.members[id as usize];
        (member.kind, member.key.clone())
    };
    let known: HashMap<(MemberKind, String), u32> =
        one.iter().map(|&id| (key(old, id), id)).collect();
    other.iter().filter_map(|&id| Some((*known.get(&key(new, id))?, id))).collect()
}

/// Pairs classes of different names whose members are mostly the same.
fn by_content(
    old: &FileFacts,
    before: &[Vec<u32>],
    one: &[u32],
    new: &FileFacts,
    after: &[Vec<u32>],
    other: &[u32],
) -> Vec<(u32, u32)> {
    let is_type = |facts: &FileFacts, id: u32| facts.members[id as usize].kind.is_type();
    let mut gone: Vec<u32> = one.iter().copied().filter(|&id| is_type(old, id)).collect();
    let mut found = Vec::new();
    for &id in other.iter().filter(|&&id| is_type(new, id)) {
        let members = &after[id as usize];
        let share = |candidate: u32| {
            let theirs = &before[candidate as usize];
            let same = by_key(old, theirs, new, members).len();
            (same, theirs.len().max(members.len()))
        };
        let best = (0..gone.len()).max_by_key(|&at| (share(gone[at]).0, usize::MAX - at));
        let is_alike = |&at: &usize| {
            let (same, all) = share(gone[at]);
            same > 0 && same * 2 >= all
        };
        if let Some(at) = best.filter(is_alike) {
            found.push((gone.remove(at), id));
        }
    }
    found
}
