//! Finds the changes that did it, and those that have to go.

use std::collections::BTreeSet;
use std::sync::Arc;

use whodunit_changes::{
    ChangeKind, Decomposition, Dependencies, Grouping, Order, Part, Reason, TreePath,
};
use whodunit_core::searches::{
    Boundaries, ChangeSet, Closure, Dd, DdPlus, Ddmin, Fix, Isolate, Weights,
};
use whodunit_core::{Delta, DeltaSet, Implications, Search, Verdict};

use super::answer::{Cause, ChangeAnswer, ChangeCounts, ChangeWord, ChangesProof};
use super::commits::Narrowed;
use super::settings::{ChangeGroup, ChangeSearch};
use super::trees::{Deltas, Space, TreeState};
use super::{ChangesError, Hunt};
use crate::engine::Ended;
use crate::event::Stage;
use crate::key::Key;
use crate::word::Word;

/// Of more changes than this not all files are parsed to find out what needs what.
const MANY: usize = 50_000;

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
    let mut failing = parts.all();
    let mut causes = Vec::new();
    loop {
        let site = Site { parts, space: &space, failing: failing.clone() };
        let (culprit, implications) = site.culprit(hunt)?;
        let fix = site.fix(hunt, &culprit, &implications)?;
        causes.push(site.prove(hunt, &culprit, fix.as_ref(), narrowed)?);
        if !hunt.settings.all || hunt.ended != Ended::Done {
            return Ok(causes);
        }
        failing = failing.minus(&implications.dependents_within(&culprit, &failing));
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
    /// Changes that are known to fail together.
    failing: DeltaSet,
}

impl Site<'_> {
    /// Returns the changes that did it, and what was learned about what needs what.
    fn culprit(&self, hunt: &mut Hunt<'_>) -> Result<(DeltaSet, Implications), ChangesError> {
        let count = self.parts.len();
        let none = Implications::none();
        Ok(match hunt.settings.search {
            ChangeSearch::Closure => return self.closure(hunt),
            ChangeSearch::Dd => (self.run(hunt, Dd::new(count))?.best(), none),
            ChangeSearch::DdPlus => (self.run(hunt, DdPlus::new(count))?.best(), none),
            ChangeSearch::Ddmin => (self.run(hunt, Ddmin::new(count))?.best(), none),
            ChangeSearch::Isolate => (self.run(hunt, Isolate::new(count))?.difference(), none),
        })
    }

    fn run<S: Search<Candidate = DeltaSet>>(
        &self,
        hunt: &mut Hunt<'_>,
        search: S,
    ) -> Result<S, ChangesError> {
        let count = self.parts.len();
        hunt.search(Stage::Culprit, search, self.space, count, &mut |_, _| ())
    }

    fn closure(&self, hunt: &mut Hunt<'_>) -> Result<(DeltaSet, Implications), ChangesError> {
        let needed = if hunt.settings.ordered {
            Needed { all: Implications::chain(self.parts.len()), certain: Implications::none() }
        } else {
            Needed::of(self.parts)
        };
        let changes = ChangeSet {
            failing: self.failing.clone(),
            implications: needed.all,
            boundaries: self.boundaries(hunt.settings.group),
            weights: Weights::equal(),
        };
        let search = self.run(hunt, Closure::over(changes.clone()))?;
        let (found, implications) = (search.best(), search.changes().implications.clone());
        // What was taken along because it might be needed is now asked about by itself.
        let single = ChangeSet { failing: found.clone(), implications: needed.certain, ..changes };
        let smaller = Closure::over(single);
        let count = found.len();
        let search = hunt.search(Stage::Smallest, smaller, self.space, count, &mut |_, _| ())?;
        Ok((search.best(), implications))
    }

    /// Returns the level of the gap before each delta.
    fn boundaries(&self, group: ChangeGroup) -> Boundaries {
        let levels = match group {
            ChangeGroup::Location | ChangeGroup::Process => {
                self.parts.boundaries().iter().map(|&boundary| boundary as u8).collect()
            }
            ChangeGroup::Syntactic => levels_of(self.parts, Grouping::Syntactic),
            ChangeGroup::Lexical => levels_of(self.parts, Grouping::Lexical),
        };
        Boundaries::from_levels(std::iter::once(u8::MAX).chain(levels))
    }

    /// Returns what has to go for the failure to be gone, if that can be found.
    fn fix(
        &self,
        hunt: &mut Hunt<'_>,
        culprit: &DeltaSet,
        implications: &Implications,
    ) -> Result<Option<DeltaSet>, ChangesError> {
        let all = self.parts.all();
        let changes = ChangeSet {
            failing: all.clone(),
            implications: implications.clone(),
            boundaries: self.boundaries(ChangeGroup::Location),
            weights: Weights::equal(),
        };
        let fix = Fix::new(changes, culprit.clone());
        let fix = hunt.search(Stage::Fix, fix, self.space, all.len(), &mut |_, _| ())?;
        let left_out = fix.left_out();
        // Everything left out is the good version, which is no answer.
        Ok((left_out != all).then_some(left_out))
    }

    fn prove(
        &self,
        hunt: &mut Hunt<'_>,
        culprit: &DeltaSet,
        fix: Option<&DeltaSet>,
        narrowed: &Narrowed,
    ) -> Result<Cause, ChangesError> {
        let state = |set: DeltaSet| TreeState { space: self.space.clone(), set };
        let (all, empty) = (self.parts.all(), DeltaSet::empty());
        let is_done = hunt.ended == Ended::Done;
        let fails = hunt.prove(&state(culprit.clone()))?;
        let passes = fix.map(|fix| hunt.prove(&state(all.minus(fix)))).transpose()?;
        if is_done && (fails != Verdict::Fail || passes.is_some_and(|it| it != Verdict::Pass)) {
            return Err(ChangesError::WarmDisagrees);
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let described = |set: &DeltaSet| self.describe(set, narrowed);
        Ok(Cause {
            culprit: described(culprit),
            fix: fix.map_or_else(Vec::new, described),
            culprit_patch: text(self.parts.patch(&empty, culprit)?),
            fix_patch: match fix {
                Some(fix) => text(self.parts.patch(&all, &all.minus(fix))?),
                None => String::new(),
            },
            files: None,
            proof: ChangesProof {
                good_with_culprit: Some(fails),
                bad_without_fix: passes,
                each_needed: is_done,
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

/// What needs what.
struct Needed {
    /// All that is believed.
    all: Implications,
    /// What is certain.
    certain: Implications,
}

impl Needed {
    fn of(parts: &Decomposition) -> Self {
        let dependencies = if parts.len() > MANY {
            Dependencies::of(parts)
        } else {
            Dependencies::within(parts, &parts.all())
        };
        let (mut all, mut certain) = (Implications::builder(), Implications::builder());
        for edge in dependencies.edges() {
            all.add(edge.delta, edge.needs);
            if edge.reason == Reason::Existence {
                certain.add(edge.delta, edge.needs);
            }
        }
        for (first, rest) in dependencies.new_items() {
            rest.iter().for_each(|delta| all.add(*first, delta));
        }
        Needed { all: all.build(), certain: certain.build() }
    }
}

fn levels_of(parts: &Decomposition, grouping: Grouping<'_>) -> Vec<u8> {
    Order::of(parts, grouping).boundaries().to_vec()
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
