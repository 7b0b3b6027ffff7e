//! Finds the changes that did it, and those that have to go.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_changes::{
    ChangeKind, Decomposition, Dependencies, Edge, Grouping, Order, Part, Reason, TreePath,
};
use whodunit_core::searches::{ChangeSet, Closure, Dd, DdPlus, Ddmin, Fix, Isolate};
use whodunit_core::{Delta, DeltaSet, Implications, Search, Verdict};

use super::answer::{Cause, ChangeAnswer, ChangeCounts, ChangeWord, ChangesProof};
use super::commits::Narrowed;
use super::grouped::{Coarseness, Grouped, Groups};
use super::patient::Patient;
use super::settings::{ChangeGroup, ChangeLevel, ChangeSearch};
use super::trees::{Deltas, Space, TreeState};
use super::{ChangesError, Hunt};
use crate::engine::Ended;
use crate::event::Stage;
use crate::key::Key;
use crate::word::Word;

/// Of more changes than this not all files are parsed to find out what needs what.
const MANY: usize = 50_000;

/// So many changes that cannot be told apart as functions are not looked at line by line.
const HOPELESS: usize = 500;

/// How much of a text an answer quotes.
const QUOTED: usize = 400;

/// Counts what there is to suspect.
pub(super) fn counts(parts: &Decomposition) -> ChangeCounts {
    let hunks: BTreeSet<u32> =
        parts.all().iter().filter_map(|delta| parts.part(delta).hunk).collect();
    ChangeCounts {
        files: parts.file_count() as u64,
        hunks: hunks.len() as u64,
        changes: parts.len() as u64,
    }
}

/// Finds the cause, or all of them if that was asked for.
pub(super) fn find(
    hunt: &mut Hunt<'_>,
    parts: &Arc<Decomposition>,
    key: Key,
    narrowed: &Narrowed,
) -> Result<Vec<Cause>, ChangesError> {
    let is_closure = hunt.settings.search == ChangeSearch::Closure;
    let space = Arc::new(Space::Deltas(Deltas::new(parts.clone(), key, is_closure)));
    let needs = Needs::of(parts);
    let order = Order::of(parts, grouping(hunt.settings.group));
    let mut failing = parts.all();
    let mut causes = Vec::new();
    loop {
        let failing_now = failing.clone();
        let site =
            Site { parts, space: &space, needs: &needs, order: &order, failing: failing_now };
        let Culprit { changes: culprit, with } = site.culprit(hunt)?;
        let fix = site.fix(hunt, &culprit)?;
        causes.push(site.prove(hunt, &culprit, &with, fix.as_ref(), narrowed)?);
        if !hunt.settings.all || hunt.ended != Ended::Done {
            return Ok(causes);
        }
        let needing = needs.all.dependents_within(&culprit, &failing);
        failing = failing.minus(&culprit.union(&needing));
        let rest = TreeState { space: space.clone(), set: failing.clone() };
        if failing.is_empty() || hunt.ask(&rest)? != Verdict::Fail {
            return Ok(causes);
        }
    }
}

/// Where a cause is looked for.
struct Site<'a> {
    parts: &'a Arc<Decomposition>,
    space: &'a Arc<Space>,
    needs: &'a Needs,
    order: &'a Order,
    /// Changes that are known to fail together.
    failing: DeltaSet,
}

impl Site<'_> {
    /// Finds the changes that did it.
    fn culprit(&self, hunt: &mut Hunt<'_>) -> Result<Culprit, ChangesError> {
        let (count, with) = (self.parts.len(), DeltaSet::empty());
        Ok(match hunt.settings.search {
            ChangeSearch::Closure => Culprit { changes: self.closure(hunt)?, with },
            ChangeSearch::Dd => Culprit { changes: self.run(hunt, Dd::new(count))?.found(), with },
            ChangeSearch::DdPlus => {
                Culprit { changes: self.run(hunt, DdPlus::new(count))?.found(), with }
            }
            ChangeSearch::Ddmin => {
                Culprit { changes: self.run(hunt, Ddmin::new(count))?.best(), with }
            }
            ChangeSearch::Isolate => {
                let search = self.run(hunt, Isolate::new(count))?;
                Culprit { changes: search.difference(), with: search.passing() }
            }
        })
    }

    fn run<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        search: S,
    ) -> Result<S, ChangesError> {
        self.ask(hunt, Stage::Culprit, search, self.parts.len())
    }

    /// Looks for files, then for functions in them, then for what is as fine as was asked for.
    fn closure(&self, hunt: &mut Hunt<'_>) -> Result<DeltaSet, ChangesError> {
        if hunt.settings.ordered {
            let count = self.parts.len();
            let implications = Implications::chain(count);
            let changes = ChangeSet { implications, ..ChangeSet::new(count) };
            return Ok(self.run(hunt, Closure::over(changes))?.best());
        }
        let mut suspects = self.failing.clone();
        let levels = levels(hunt.settings.level);
        for (place, &coarseness) in levels.iter().enumerate() {
            let is_last = place + 1 == levels.len();
            let narrowed = self.narrow(hunt, &suspects, coarseness, is_last)?;
            suspects = narrowed.suspects;
            hunt.gave_up = !narrowed.is_smallest;
            // What hangs together in large parts hangs together in small ones.
            if !narrowed.is_smallest && coarseness == Coarseness::Items && suspects.len() > HOPELESS
            {
                break;
            }
        }
        Ok(suspects)
    }

    /// Finds the groups among the suspects that are needed.
    fn narrow(
        &self,
        hunt: &mut Hunt<'_>,
        suspects: &DeltaSet,
        coarseness: Coarseness,
        is_last: bool,
    ) -> Result<Narrow, ChangesError> {
        let groups = Arc::new(Groups::new(self.parts, self.order, suspects, |_| coarseness));
        if groups.len() < 2 {
            return Ok(Narrow { suspects: suspects.clone(), is_smallest: true });
        }
        let changes = groups.change_set(self.needs.believed());
        let search = Grouped::new(Closure::over(changes), &groups);
        let search = Patient::new(search, groups.len());
        let search = self.ask(hunt, Stage::Culprit, search, suspects.len())?;
        let (found, gave_up) = (search.best(), search.gave_up());
        // What was taken along because it might be needed is now asked about by itself.
        let groups = Arc::new(Groups::new(self.parts, self.order, &found, |_| coarseness));
        if gave_up || groups.len() < 2 {
            return Ok(Narrow { suspects: found, is_smallest: !gave_up });
        }
        let changes = groups.change_set(self.needs.certain());
        let search = Grouped::new(Closure::over(changes), &groups);
        let search = match is_last {
            true => Patient::new(search, groups.len()),
            // The next level goes on from whatever is left.
            false => Patient::hasty(search, groups.len()),
        };
        let search = self.ask(hunt, Stage::Smallest, search, found.len())?;
        Ok(Narrow { suspects: search.best(), is_smallest: !search.gave_up() })
    }

    fn ask<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        stage: Stage,
        search: S,
        count: usize,
    ) -> Result<S, ChangesError> {
        hunt.search(stage, search, self.space, count, &mut |_, _| ())
    }

    /// Returns what has to go for the failure to be gone, if that can be found.
    fn fix(
        &self,
        hunt: &mut Hunt<'_>,
        culprit: &DeltaSet,
    ) -> Result<Option<DeltaSet>, ChangesError> {
        let all = self.parts.all();
        let files: BTreeSet<Option<usize>> =
            culprit.iter().map(|delta| self.parts.part(delta).file).collect();
        // Near the culprit hunk by hunk; of other files all or nothing.
        let coarseness = |delta: Delta| {
            if culprit.contains(delta) {
                Coarseness::Single
            } else if files.contains(&self.parts.part(delta).file) {
                Coarseness::Hunks
            } else {
                Coarseness::Files
            }
        };
        let groups = Arc::new(Groups::new(self.parts, self.order, &all, coarseness));
        let changes = groups.change_set(self.needs.believed());
        let fix = Grouped::new(Fix::new(changes, groups.of(culprit)), &groups);
        let fix = self.ask(hunt, Stage::Fix, Patient::new(fix, groups.len()), all.len())?;
        let left_out = groups.changes(&fix.search.search.left_out());
        // Everything left out is the good version, which is no answer unless all of it did it.
        Ok((left_out != all || *culprit == all).then_some(left_out))
    }

    fn prove(
        &self,
        hunt: &mut Hunt<'_>,
        culprit: &DeltaSet,
        with: &DeltaSet,
        fix: Option<&DeltaSet>,
        narrowed: &Narrowed,
    ) -> Result<Cause, ChangesError> {
        let state = |set: DeltaSet| TreeState { space: self.space.clone(), set };
        let all = self.parts.all();
        let failing = culprit.union(with);
        let is_done = hunt.ended == Ended::Done;
        let fails = hunt.prove(&state(failing.clone()))?;
        let passes = fix.map(|fix| hunt.prove(&state(all.minus(fix)))).transpose()?;
        if is_done && (fails != Verdict::Fail || passes.is_some_and(|it| it != Verdict::Pass)) {
            return Err(ChangesError::WarmDisagrees);
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let described = |set: &DeltaSet| self.describe(set, narrowed);
        Ok(Cause {
            culprit: described(culprit),
            fix: fix.map_or_else(Vec::new, described),
            culprit_patch: text(self.parts.patch(with, &failing)?),
            fix_patch: match fix {
                Some(fix) => text(self.parts.patch(&all, &all.minus(fix))?),
                None => String::new(),
            },
            files: None,
            with: with.len() as u64,
            proof: ChangesProof {
                good_with_culprit: Some(fails),
                bad_without_fix: passes,
                each_needed: is_done && !hunt.gave_up && is_minimal(hunt.settings.search),
            },
        })
    }

    fn describe(&self, set: &DeltaSet, narrowed: &Narrowed) -> Vec<ChangeAnswer> {
        let commit = match &narrowed.commits[..] {
            [only] => Some(only.short_id.clone()),
            _ => None,
        };
        let describe = |delta| self.described(delta, commit.clone());
        set.iter().map(describe).collect()
    }

    fn described(&self, delta: Delta, commit: Option<String>) -> ChangeAnswer {
        let part = self.parts.part(delta);
        let word = |path: &TreePath| word(path);
        let lines = |range: &std::ops::Range<u32>| {
            (!range.is_empty()).then(|| [range.start, range.end - 1])
        };
        let (mut old_text, mut new_text) = (Vec::new(), Vec::new());
        for (old, new) in self.parts.texts(delta) {
            old_text.extend_from_slice(old);
            new_text.extend_from_slice(new);
        }
        let Part { old_path, new_path, .. } = part;
        ChangeAnswer {
            change: change_word(part.change),
            file: new_path.or(old_path).map_or_else(|| Word::from(".".to_owned()), word),
            old_file: old_path.filter(|old| new_path.is_some_and(|new| new != *old)).map(word),
            item: part.item.map(str::to_owned),
            old_lines: lines(&part.old_lines),
            new_lines: lines(&part.new_lines),
            commit,
            old_text: quoted(&old_text),
            new_text: quoted(&new_text),
        }
    }
}

/// Changes that did it.
struct Culprit {
    changes: DeltaSet,
    /// What else of the bad version has to be there.
    with: DeltaSet,
}

/// Returns whether a search leaves nothing that is not needed, whatever the changes.
fn is_minimal(search: ChangeSearch) -> bool {
    match search {
        ChangeSearch::Closure | ChangeSearch::Ddmin => true,
        ChangeSearch::Dd | ChangeSearch::DdPlus | ChangeSearch::Isolate => false,
    }
}

/// What is left of the suspects.
struct Narrow {
    suspects: DeltaSet,
    /// Whether each group of them is needed.
    is_smallest: bool,
}

/// Returns by what changes are put together. Those of other commits are out of the question by
/// now, so there is nothing to do for the process.
fn grouping(group: ChangeGroup) -> Grouping<'static> {
    match group {
        ChangeGroup::Location | ChangeGroup::Process => Grouping::Location,
        ChangeGroup::Syntactic => Grouping::Syntactic,
        ChangeGroup::Lexical => Grouping::Lexical,
    }
}

/// Returns the levels that are gone through one after the other.
fn levels(finest: ChangeLevel) -> &'static [Coarseness] {
    use Coarseness::{Files, Hunks, Items, Single};
    match finest {
        ChangeLevel::Commit | ChangeLevel::Directory => &[Single],
        ChangeLevel::File => &[Files],
        ChangeLevel::Item => &[Files, Items],
        ChangeLevel::Hunk => &[Files, Items, Hunks],
        ChangeLevel::Line | ChangeLevel::Token => &[Files, Items, Single],
    }
}

/// What needs what.
struct Needs {
    edges: Vec<Edge>,
    /// New functions and the like, each with the rest of it.
    items: Vec<(Delta, DeltaSet)>,
    all: Implications,
}

impl Needs {
    fn of(parts: &Decomposition) -> Self {
        let dependencies = if parts.len() > MANY {
            Dependencies::of(parts)
        } else {
            Dependencies::within(parts, &parts.all())
        };
        let mut all = Implications::builder();
        dependencies.edges().iter().for_each(|edge| all.add(edge.delta, edge.needs));
        Needs {
            edges: dependencies.edges().to_vec(),
            items: dependencies.new_items().to_vec(),
            all: all.build(),
        }
    }

    /// Returns all that is believed.
    fn believed(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let items = self.items.iter();
        let items = items.flat_map(|(first, rest)| rest.iter().map(move |delta| (*first, delta)));
        self.edges.iter().map(|edge| (edge.delta, edge.needs)).chain(items)
    }

    /// Returns what is certain.
    fn certain(&self) -> impl Iterator<Item = (Delta, Delta)> + '_ {
        let certain = self.edges.iter().filter(|edge| edge.reason == Reason::Existence);
        certain.map(|edge| (edge.delta, edge.needs))
    }
}

fn change_word(kind: ChangeKind) -> ChangeWord {
    match kind {
        ChangeKind::DirectoryRenamed => ChangeWord::DirectoryRenamed,
        ChangeKind::Added => ChangeWord::Added,
        ChangeKind::Deleted => ChangeWord::Deleted,
        ChangeKind::Renamed => ChangeWord::Renamed,
        ChangeKind::Mode => ChangeWord::Mode,
        ChangeKind::Replaced => ChangeWord::Replaced,
        ChangeKind::Text => ChangeWord::Text,
        ChangeKind::Several => ChangeWord::Several,
    }
}

fn word(path: &TreePath) -> Word {
    use std::os::unix::ffi::OsStrExt;
    Word::from(std::ffi::OsStr::from_bytes(path.as_bytes()).to_owned())
}

fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches(['\r', '\n']);
    match text.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
