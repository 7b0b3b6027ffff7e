//! The plans for all files, carried out: who has which place, and the version that comes out.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_files::{Content, Entry, ReadError, TreePath, Version};

use super::ladder::Fate;
use super::placement::Placements;
use super::plan::Plan;
use super::ported::{Conflict, Outcome, Ported, PortedPart};

/// Carries the plans out.
pub(super) fn assemble(mut plans: Vec<Plan<'_>>, foreign: &Version) -> Result<Ported, ReadError> {
    give_paths(&mut plans, foreign);
    let mut written: BTreeMap<TreePath, Placements> = BTreeMap::new();
    for plan in &mut plans {
        place_edits(plan, &mut written);
    }
    let mut version = foreign.clone();
    for (path, placements) in written.iter().filter(|(_, placements)| !placements.is_empty()) {
        let Some(entry) = version.get(path).cloned() else { continue };
        let text = entry.content.read_at(path)?;
        let content = Content::bytes(placements.write(&text));
        version.insert(path.clone(), Entry { kind: entry.kind, content });
    }
    let contents: Vec<Option<Content>> = plans
        .iter()
        .map(|plan| {
            let path = plan.from.as_ref()?;
            written.contains_key(path).then(|| version.get(path).map(|it| it.content.clone()))?
        })
        .collect();
    for path in plans.iter().filter_map(|plan| plan.from.as_ref()) {
        version.remove(path);
    }
    let mut parts = Vec::new();
    for (plan, content) in plans.into_iter().zip(contents) {
        if let Some(path) = plan.to {
            let content = content.unwrap_or(plan.content);
            version.insert(path, Entry { kind: plan.kind, content });
        }
        parts.extend(plan.parts);
    }
    Ok(Ported { version, parts })
}

/// Gives every file a place; one whose place is taken stays where it is, or does not come.
fn give_paths(plans: &mut [Plan<'_>], foreign: &Version) {
    // A file that stays after all may stand in the way of another, so until nothing changes.
    loop {
        let leaves = |plan: &&Plan<'_>| plan.from.is_some() && plan.to != plan.from;
        let left: BTreeSet<TreePath> =
            plans.iter().filter(leaves).filter_map(|plan| plan.from.clone()).collect();
        let mut taken = Version::new();
        let mut refused = Vec::new();
        for (at, plan) in plans.iter().enumerate() {
            let Some(to) = plan.to.as_ref().filter(|_| plan.to != plan.from) else { continue };
            if is_taken(to, foreign, &left) || is_taken(to, &taken, &BTreeSet::new()) {
                refused.push(at);
            } else {
                let entry = Entry { kind: plan.kind, content: plan.content.clone() };
                taken.insert(to.clone(), entry);
            }
        }
        if refused.is_empty() {
            return;
        }
        for at in refused {
            let plan = &mut plans[at];
            plan.to = plan.from.clone();
            if let Some(part) = plan.about_path.and_then(|part| plan.parts.get_mut(part)) {
                part.outcome = Outcome::Conflict(Conflict::Path);
            }
        }
    }
}

/// Whether a file is at a path, in its way, or below it; those that leave do not count.
fn is_taken(path: &TreePath, version: &Version, left: &BTreeSet<TreePath>) -> bool {
    let stays = |other: &TreePath| version.get(other).is_some() && !left.contains(other);
    stays(path)
        || path.folders().any(|folder| stays(&folder))
        || version.below(path).any(|(other, _)| !left.contains(other))
}

/// Records the place of each edit, unless another one has it.
fn place_edits(plan: &mut Plan<'_>, written: &mut BTreeMap<TreePath, Placements>) {
    let name = plan.name();
    for step in std::mem::take(&mut plan.steps) {
        let outcome = match (step.fate, step.path) {
            (Fate::AlreadyThere, _) => Outcome::AlreadyThere,
            (Fate::Placed(rung, placements), Some(path)) => {
                match written.entry(path.clone()).or_default().add(placements) {
                    true => Outcome::Applied { rung, path },
                    false => Outcome::Conflict(Conflict::Text),
                }
            }
            (Fate::Placed(..), None) => Outcome::Conflict(Conflict::NoFile),
            (Fate::Open, Some(_)) => Outcome::Conflict(Conflict::Text),
            (Fate::Open, None) => Outcome::Conflict(Conflict::NoFile),
        };
        let lines = match step.edit.lines {
            lines if lines.is_empty() => 0..0,
            lines => lines.start + 1..lines.end + 1,
        };
        let deltas = step.edit.deltas;
        plan.parts.push(PortedPart { deltas, path: name.clone(), lines, outcome });
    }
}
