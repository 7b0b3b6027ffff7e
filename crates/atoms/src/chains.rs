//! Chains: a change that no other depends on, with all that it depends on.

use std::collections::BTreeSet;

/// Returns the chains among some changes, each in order, by the last change of each.
///
/// Changes that need each other count as one: a chain may begin with several.
pub(super) fn chains(
    among: &BTreeSet<usize>,
    needs: impl Fn(usize) -> Vec<usize>,
) -> Vec<Vec<usize>> {
    let groups = groups(among, &needs);
    let mut is_needed = vec![false; groups.members.len()];
    for &atom in among {
        for needed in needs(atom).into_iter().filter(|needed| among.contains(needed)) {
            let group = groups.of(needed);
            is_needed[group] |= group != groups.of(atom);
        }
    }
    let mut chains = Vec::new();
    for (group, members) in groups.members.iter().enumerate() {
        if is_needed[group] {
            continue;
        }
        let mut chain: BTreeSet<usize> = members.iter().copied().collect();
        let mut left: Vec<usize> = members.clone();
        while let Some(atom) = left.pop() {
            for needed in needs(atom) {
                if among.contains(&needed) && chain.insert(needed) {
                    left.push(needed);
                }
            }
        }
        chains.push(chain.into_iter().collect::<Vec<usize>>());
    }
    chains.sort();
    chains
}

/// Changes that need each other, together.
struct Groups {
    members: Vec<Vec<usize>>,
    numbers: std::collections::HashMap<usize, usize>,
}

impl Groups {
    fn of(&self, atom: usize) -> usize {
        self.numbers[&atom]
    }
}

/// Finds changes that need each other, in Tarjan's way, without recursion.
fn groups(among: &BTreeSet<usize>, needs: &impl Fn(usize) -> Vec<usize>) -> Groups {
    #[derive(Default, Clone, Copy)]
    struct Mark {
        number: Option<usize>,
        low: usize,
        is_open: bool,
    }
    let size = among.last().map_or(0, |last| last + 1);
    let mut marks = vec![Mark::default(); size];
    let mut groups = Groups { members: Vec::new(), numbers: std::collections::HashMap::new() };
    let (mut next, mut open) = (0, Vec::new());
    for &root in among {
        if marks[root].number.is_some() {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(atom) = enter.take() {
                marks[atom] = Mark { number: Some(next), low: next, is_open: true };
                next += 1;
                open.push(atom);
                let needed = needs(atom).into_iter().filter(|it| among.contains(it));
                path.push((atom, needed.collect()));
            }
            let Some((atom, left)) = path.last_mut() else { break };
            let atom = *atom;
            if let Some(needed) = left.pop() {
                match marks[needed].number {
                    None => enter = Some(needed),
                    Some(number) if marks[needed].is_open => {
                        marks[atom].low = marks[atom].low.min(number);
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                marks[*parent].low = marks[*parent].low.min(marks[atom].low);
            }
            if Some(marks[atom].low) == marks[atom].number {
                let mut members = Vec::new();
                while let Some(member) = open.pop() {
                    marks[member].is_open = false;
                    groups.numbers.insert(member, groups.members.len());
                    members.push(member);
                    if member == atom {
                        break;
                    }
                }
                groups.members.push(members);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, needs: &[(usize, usize)], expected: &[&[usize]]) {
        let of = |atom: usize| needs.iter().filter(|it| it.0 == atom).map(|it| it.1).collect();
        assert_eq!(chains(&(0..count).collect(), of), expected);
    }

    #[test]
    fn a_chain_begins_where_nobody_depends_on() {
        check(5, &[(1, 0), (2, 1), (3, 0)], &[&[0, 1, 2], &[0, 3], &[4]]);
    }

    #[test]
    fn changes_that_need_each_other_are_one() {
        check(4, &[(0, 1), (1, 0), (2, 3), (3, 2), (2, 0)], &[&[0, 1, 2, 3]]);
    }
}
