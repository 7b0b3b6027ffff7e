//! The claims of an answer of `changes`, and of the causes in one of `history`.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::{Findings, bytes, is_done, list, number, text};
use crate::case::{Case, Row};
use crate::oracle::Verdict;
use crate::repository;
use crate::tree::Tree;
use crate::versions::{self, Rank, Version};

/// An answer with the case that it is about.
pub(crate) struct Answered<'a> {
    pub(crate) case: &'a Case,
    pub(crate) row: &'a Row,
    /// The name of each version.
    pub(crate) names: &'a [String],
    pub(crate) answer: &'a Value,
    /// A folder to apply patches in.
    pub(crate) bench: &'a Path,
}

/// A cause with the two versions that its changes are between, each with the changes carried to
/// it.
pub(crate) struct Between<'a> {
    pub(crate) cause: &'a Value,
    pub(crate) good: Side,
    pub(crate) bad: Side,
}

/// A version by its place, and its files as they were tested.
pub(crate) struct Side {
    pub(crate) place: usize,
    pub(crate) files: Tree,
}

impl Answered<'_> {
    pub(crate) fn check(&self, findings: &mut Findings) -> io::Result<()> {
        let is_done = is_done(self.answer);
        self.check_commits(findings);
        let compared = &self.answer["compared"];
        let side = |field: &str| {
            let name = text(&compared["commits"], field).or(text(compared, field));
            let place = name.and_then(|name| self.place(name));
            place.map(|place| Side { place, files: self.row.files(place) })
        };
        let causes = list(self.answer, "causes");
        let is_commit_enough = self.case.flags.iter().any(|flag| flag == "commit");
        findings.claim(!is_done || is_commit_enough || !causes.is_empty(), || {
            "done, but no cause is named".into()
        });
        for cause in causes {
            let (Some(good), Some(bad)) = (side("good"), side("bad")) else {
                findings.claim(false, || format!("{compared} names no two versions"));
                continue;
            };
            Between { cause, good, bad }.check(self, findings)?;
        }
        let wants_all = self.case.flags.iter().any(|flag| flag == "--all");
        if let (true, Some(good), Some(bad)) = (is_done && wants_all, side("good"), side("bad")) {
            self.check_all(causes, [good.place, bad.place], findings);
        }
        Ok(())
    }

    /// Checks that the bad version does not fail without all causes.
    fn check_all(&self, causes: &[Value], places: [usize; 2], findings: &mut Findings) {
        let [good, bad] = places.map(|place| &self.row.versions[place]);
        let changes = causes.iter().flat_map(|cause| list(cause, "culprit"));
        // The pieces are turned, because they are undone in the bad version.
        let pieces = changes.map(|change| Piece::of(change, good, bad).map(Piece::turned));
        let Some(pieces) = pieces.collect::<Option<Vec<Piece>>>() else {
            findings.unchecked += 1;
            return;
        };
        let verdict = self.case.verdict(&put(bad, pieces.iter()));
        findings.claim(verdict != Verdict::Fail, || {
            format!(
                "all {} causes are said to be found, but the rest fails without them",
                causes.len()
            )
        });
    }

    /// Returns the place of a version by its name, which may be abbreviated.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names
            .iter()
            .position(|whole| whole == name || (name.len() > 5 && whole.starts_with(name)))
    }

    fn verdict(&self, place: usize) -> Verdict {
        self.case.verdict(&self.row.files(place))
    }

    /// Checks that the commits are the first bad ones: the last one fails, a parent of them
    /// passes, and those between are unresolved.
    fn check_commits(&self, findings: &mut Findings) {
        let commits = list(self.answer, "commits");
        let places: Vec<Option<usize>> = commits
            .iter()
            .map(|commit| self.place(text(commit, "id").unwrap_or_default()))
            .collect();
        let Some(places) = places.into_iter().collect::<Option<BTreeSet<usize>>>() else {
            return findings.claim(false, || format!("no such commits: {commits:?}"));
        };
        let Some(last) = places.last() else { return };
        let mut parents = places.iter().flat_map(|place| &self.row.parents[*place]);
        let has_good =
            parents.any(|place| !places.contains(place) && self.verdict(*place) == Verdict::Pass);
        let mut earlier = places.iter().filter(|place| *place != last);
        let is_so = has_good
            && self.verdict(*last) == Verdict::Fail
            && earlier.all(|place| self.verdict(*place) == Verdict::Unresolved);
        // In an unfinished answer they are only the remaining ones.
        findings.claim(is_so || !is_done(self.answer), || {
            let words: Vec<String> = (0..=self.row.last())
                .map(|place| {
                    format!("{:?} {}", self.row.parents[place], self.verdict(place).word())
                })
                .collect();
            format!("the commits at {places:?} are said to be the first bad ones of {words:?}")
        });
    }

    /// Returns the verdict on a version with a patch, applied by git itself.
    fn patched(&self, files: &Tree, patch: &[u8]) -> io::Result<Option<(Verdict, Tree)>> {
        let files = repository::apply(self.bench, files, patch)?;
        Ok(files.map(|files| (self.case.verdict(&files), files)))
    }
}

impl Between<'_> {
    pub(crate) fn check(&self, all: &Answered<'_>, findings: &mut Findings) -> io::Result<()> {
        self.check_patches(all, findings)?;
        self.check_proof(all, findings)?;
        self.check_each_needed(all, findings)
    }

    /// Checks that each patch gives the claimed verdict on the version that it is claimed to be
    /// for.
    fn check_patches(&self, all: &Answered<'_>, findings: &mut Findings) -> io::Result<()> {
        let beside = &self.cause["beside"];
        let on = |field: &str, near: &Side| {
            let name = text(self.cause, field).unwrap_or_default();
            let place = all.place(name.split(' ').next().unwrap_or_default());
            match place {
                Some(place) if place != near.place => Some(all.row.files(place)),
                Some(_) => Some(near.files.clone()),
                None => None,
            }
        };
        let patches = [
            (
                "culprit_patch",
                &self.cause["culprit_patch"],
                on("culprit_on", &self.good),
                Verdict::Fail,
            ),
            ("fix_patch", &self.cause["fix_patch"], on("fix_on", &self.bad), Verdict::Pass),
            (
                "beside.culprit_patch",
                &beside["culprit_patch"],
                Some(self.good.files.clone()),
                Verdict::Fail,
            ),
            ("beside.fix_patch", &beside["fix_patch"], Some(self.bad.files.clone()), Verdict::Pass),
            (
                "spot.patch",
                &self.cause["spot"]["patch"],
                Some(self.bad.files.clone()),
                Verdict::Pass,
            ),
        ];
        for (name, patch, files, wanted) in patches {
            let Some(patch) = bytes(patch).filter(|patch| !patch.is_empty()) else { continue };
            let Some(files) = files else {
                let on = [&self.cause["culprit_on"], &self.cause["fix_on"]];
                findings
                    .claim(false, || format!("{name} is for a version that is not known: {on:?}"));
                continue;
            };
            let patched = all.patched(&files, &patch)?;
            findings.claim(patched.as_ref().is_some_and(|(verdict, _)| *verdict == wanted), || {
                let verdict = patched.map_or("refused by git", |(verdict, _)| verdict.word());
                format!(
                    "{name} should {}, but is {verdict}:\n{}",
                    wanted.word(),
                    String::from_utf8_lossy(&patch)
                )
            });
        }
        Ok(())
    }

    /// Checks that the verdicts of the proof are those of the test.
    fn check_proof(&self, all: &Answered<'_>, findings: &mut Findings) -> io::Result<()> {
        let proof = &self.cause["proof"];
        let patch = |field: &str| {
            let near = bytes(&self.cause["beside"][field]);
            near.or(bytes(&self.cause[field])).unwrap_or_default()
        };
        let ends = [
            ("good_with_culprit", "culprit_patch", &self.good.files),
            ("bad_without_fix", "fix_patch", &self.bad.files),
        ];
        for (field, name, files) in ends {
            let Some(said) = text(proof, field) else { continue };
            let patch = patch(name);
            if patch.is_empty() {
                continue;
            }
            let truth = all.patched(files, &patch)?.map(|(verdict, _)| verdict.word());
            findings
                .claim(truth == Some(said), || format!("{field} is said to {said}, but {truth:?}"));
        }
        let fails = text(proof, "good_with_culprit") == Some("fail");
        let needed = proof["each_needed"] == Value::Bool(true);
        findings.claim(!is_done(all.answer) || (fails && needed), || {
            format!("done, but the proof is {proof}")
        });
        Ok(())
    }

    /// Checks that the good version with the culprit but one change does not fail, for each
    /// change.
    fn check_each_needed(&self, all: &Answered<'_>, findings: &mut Findings) -> io::Result<()> {
        if self.cause["proof"]["each_needed"] != Value::Bool(true) {
            return Ok(());
        }
        let culprit = list(self.cause, "culprit");
        let (good, bad) = (&all.row.versions[self.good.place], &all.row.versions[self.bad.place]);
        // Carried changes are in no version, and further required changes are not listed.
        let is_plain =
            self.good.files == versions::files(good) && number(self.cause, "with") == Some(0);
        let pieces: Option<Vec<Piece>> =
            culprit.iter().map(|change| Piece::of(change, good, bad)).collect();
        // Changes are identified by the lines that they span, which may include lines of other
        // changes.
        let is_apart = |pieces: &Vec<Piece>| {
            let mut lines = BTreeSet::new();
            let own = |it: &Piece| [&it.gone, &it.come].map(Clone::clone).concat();
            let all = pieces.iter().flat_map(|it| own(it).into_iter().map(|line| (&it.file, line)));
            all.into_iter().all(|line| lines.insert(line))
        };
        let Some(pieces) = pieces.filter(|it| is_plain && is_apart(it)) else {
            findings.unchecked += culprit.len();
            return Ok(());
        };
        let with = |left_out: Option<usize>| {
            let kept = pieces.iter().enumerate().filter(|(place, _)| Some(*place) != left_out);
            put(good, kept.map(|(_, piece)| piece))
        };
        let patch = bytes(&self.cause["beside"]["culprit_patch"]);
        let patch = patch.or(bytes(&self.cause["culprit_patch"])).unwrap_or_default();
        let patched = all.patched(&self.good.files, &patch)?;
        if patched.is_none_or(|(_, files)| files != with(None)) {
            findings.unchecked += culprit.len();
            return Ok(());
        }
        // With an order no change can be removed without the later ones, so only the last one
        // is left out.
        let is_ordered = all.case.flags.iter().any(|flag| flag == "--ordered");
        let first = if is_ordered { culprit.len().saturating_sub(1) } else { 0 };
        for (place, change) in culprit.iter().enumerate().skip(first) {
            if is_ambiguous(good, &pieces, place) {
                findings.unchecked += 1;
                continue;
            }
            let verdict = all.case.verdict(&with(Some(place)));
            findings.claim(verdict != Verdict::Fail, || {
                format!("each change is said to be needed, but it fails without {change}")
            });
        }
        Ok(())
    }
}

/// Whether a line that stays, because its change is left out, is adjacent to a line that
/// another change adds: then either may be the first, and only one order was tested.
fn is_ambiguous(good: &Version, pieces: &[Piece], left_out: usize) -> bool {
    let stays = &pieces[left_out];
    let Some(lines) = good.get(&stays.file) else { return false };
    let others =
        pieces.iter().enumerate().filter(|(at, it)| *at != left_out && it.file == stays.file);
    let others: Vec<&Piece> = others.map(|(_, piece)| piece).collect();
    let is_there = |rank: &Rank| {
        lines.contains_key(rank)
            && pieces.iter().all(|it| it.gone.iter().all(|(gone, _)| gone != rank))
    };
    let is_beside = |one: Rank, other: Rank| {
        let (first, second) = (one.min(other), one.max(other));
        !lines.range(first..=second).any(|(rank, _)| is_there(rank))
    };
    let come = others.iter().flat_map(|it| &it.come);
    come.into_iter().any(|(come, _)| stays.gone.iter().any(|(gone, _)| is_beside(*gone, *come)))
}

/// Returns the files of a version with some changes applied.
fn put<'a>(good: &Version, pieces: impl Iterator<Item = &'a Piece>) -> Tree {
    let mut version = good.clone();
    let (mut added, mut dropped) = (BTreeSet::new(), BTreeSet::new());
    for piece in pieces {
        let lines = version.entry(piece.file.clone()).or_default();
        piece.gone.iter().for_each(|(rank, _)| drop(lines.remove(rank)));
        lines.extend(piece.come.iter().cloned());
        match piece.kind {
            Kind::Text => {}
            Kind::Added => drop(added.insert(&piece.file)),
            Kind::Deleted => drop(dropped.insert(&piece.file)),
        }
    }
    version.retain(|file, _| {
        !dropped.contains(file) && (good.contains_key(file) || added.contains(file))
    });
    versions::files(&version)
}

/// One change, by its lines.
struct Piece {
    file: String,
    kind: Kind,
    gone: Vec<(Rank, String)>,
    come: Vec<(Rank, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// The file is added, with these lines.
    Added,
    Deleted,
}

impl Piece {
    /// Returns the reverse of the change.
    fn turned(self) -> Self {
        let kind = match self.kind {
            Kind::Text => Kind::Text,
            Kind::Added => Kind::Deleted,
            Kind::Deleted => Kind::Added,
        };
        Piece { kind, gone: self.come, come: self.gone, ..self }
    }

    /// Finds the lines of a change; `None` if the change is of another kind.
    fn of(change: &Value, good: &Version, bad: &Version) -> Option<Piece> {
        let file = text(change, "file")?.to_owned();
        if !change["old_file"].is_null() {
            return None;
        }
        let kind = match text(change, "change")? {
            "text" => Kind::Text,
            "added" => Kind::Added,
            "deleted" => Kind::Deleted,
            _ => return None,
        };
        let lines = |field: &str, version: &Version| -> Option<Vec<(Rank, String)>> {
            let Value::Array(ends) = &change[field] else { return Some(vec![]) };
            let [first, last] = [ends.first()?.as_u64()? as usize, ends.last()?.as_u64()? as usize];
            let lines = version.get(&file)?.iter().map(|(rank, text)| (*rank, text.clone()));
            Some(lines.skip(first - 1).take(last + 1 - first).collect())
        };
        let (mut old, new) = (lines("old_lines", good)?, lines("new_lines", bad)?);
        // A change of a folder has no lines.
        if kind == Kind::Text && old.is_empty() && new.is_empty() {
            return None;
        }
        if kind == Kind::Deleted && old.is_empty() {
            let all = good.get(&file)?;
            old = all.iter().map(|(rank, text)| (*rank, text.clone())).collect();
        }
        let gone = old.iter().filter(|line| !new.contains(line)).cloned().collect();
        let come = new.iter().filter(|line| !old.contains(line)).cloned().collect();
        Some(Piece { file, kind, gone, come })
    }
}
