//! The claims of an answer of `history`.

use std::io;

use serde_json::Value;

use super::changes::{Answered, Between, Side};
use super::{Findings, bytes, is_done, list, text};
use crate::oracle::Verdict;
use crate::repository;
use crate::tree::Tree;

/// Checks an answer of `history`.
pub(crate) fn check(all: &Answered<'_>, findings: &mut Findings) -> io::Result<()> {
    let journey = Journey { all, words: words(all) };
    let outcome = &all.answer["outcome"];
    match text(outcome, "outcome") {
        Some("found") => journey.check_found(outcome, findings)?,
        Some("not_a_regression") => journey.check_oldest(outcome, 0, findings)?,
        Some("untestable") => journey.check_untestable(outcome, findings)?,
        Some("unfinished") => {
            findings.claim(!is_done(all.answer), || "done, but unfinished".into());
        }
        _ => findings.claim(false, || format!("no outcome: {outcome}")),
    }
    journey.check_forward(findings)
}

/// Returns the verdict on each version without carried changes, the oldest first.
fn words(all: &Answered<'_>) -> Vec<Verdict> {
    (0..=all.row.last()).map(|place| all.case.verdict(&all.row.files(place))).collect()
}

struct Journey<'a> {
    all: &'a Answered<'a>,
    words: Vec<Verdict>,
}

impl Journey<'_> {
    fn place(&self, version: &Value) -> Option<usize> {
        self.all.place(text(version, "id")?)
    }

    fn row(&self) -> Vec<&'static str> {
        self.words.iter().map(|verdict| verdict.word()).collect()
    }

    /// Returns a version with the changes that the answer claims to have carried to it.
    fn given(&self, place: usize) -> io::Result<Option<Tree>> {
        let files = self.all.row.files(place);
        let back_port = &self.all.answer["back_port"];
        let on = text(back_port, "on").and_then(|name| self.all.place(name));
        let patch = if on == Some(place) { &back_port["patch"] } else { &back_port["beside"] };
        match bytes(patch).filter(|patch| !patch.is_empty()) {
            Some(patch) => repository::apply(self.all.bench, &files, &patch),
            None => Ok(Some(files)),
        }
    }

    fn verdict(&self, place: usize) -> io::Result<Option<Verdict>> {
        Ok(self.given(place)?.map(|files| self.all.case.verdict(&files)))
    }

    fn check_found(&self, outcome: &Value, findings: &mut Findings) -> io::Result<()> {
        let suspects: Option<Vec<usize>> =
            list(outcome, "suspects").iter().map(|version| self.place(version)).collect();
        let good = self.place(&outcome["good"]);
        let (Some(suspects), Some(good)) = (suspects.filter(|all| !all.is_empty()), good) else {
            findings.claim(false, || format!("no such versions: {outcome}"));
            return Ok(());
        };
        // The newest suspect is listed first.
        let (newest, oldest) = (suspects[0], suspects[suspects.len() - 1]);
        let is_row = good + 1 == oldest && suspects.windows(2).all(|pair| pair[0] == pair[1] + 1);
        findings.claim(is_row, || format!("{suspects:?} after {good} are not in a row"));
        let (passes, fails) = (self.verdict(good)?, self.verdict(newest)?);
        findings.claim(passes == Some(Verdict::Pass), || {
            format!("version {good} is said to pass, but {passes:?} in {:?}", self.row())
        });
        findings.claim(fails == Some(Verdict::Fail), || {
            format!("version {newest} is said to fail, but {fails:?} in {:?}", self.row())
        });
        findings.claim(self.words[good] != Verdict::Fail, || {
            format!(
                "version {good} is said to be the newest that passes, but fails as it is in {:?}",
                self.row()
            )
        });
        findings.claim(
            suspects[1..].iter().all(|place| self.words[*place] == Verdict::Unresolved),
            || format!("{suspects:?} are said to be untestable in {:?}", self.row()),
        );
        for cause in list(outcome, "causes") {
            let (Some(before), Some(after)) = (self.given(good)?, self.given(newest)?) else {
                continue;
            };
            let (good, bad) =
                (Side { place: good, files: before }, Side { place: newest, files: after });
            Between { cause, good, bad }.check(self.all, findings)?;
        }
        Ok(())
    }

    fn check_oldest(
        &self,
        outcome: &Value,
        wanted: usize,
        findings: &mut Findings,
    ) -> io::Result<()> {
        let oldest = self.place(&outcome["oldest"]);
        findings.claim(oldest == Some(wanted), || {
            format!("the oldest version is said to be {oldest:?}")
        });
        let verdict = self.verdict(wanted)?;
        findings.claim(verdict == Some(Verdict::Fail), || {
            format!("the oldest version is said to fail, but {verdict:?} in {:?}", self.row())
        });
        Ok(())
    }

    fn check_untestable(&self, outcome: &Value, findings: &mut Findings) -> io::Result<()> {
        let Some(oldest) = self.place(&outcome["oldest"]) else {
            findings.claim(false, || format!("no such version: {outcome}"));
            return Ok(());
        };
        let verdict = self.verdict(oldest)?;
        findings.claim(verdict == Some(Verdict::Fail), || {
            format!("version {oldest} is said to fail, but {verdict:?} in {:?}", self.row())
        });
        let older = &self.words[..oldest];
        findings.claim(older.iter().all(|verdict| *verdict == Verdict::Unresolved), || {
            format!("nothing older than {oldest} is said to be testable in {:?}", self.row())
        });
        Ok(())
    }

    /// Checks that the fix gives the claimed verdict on the newest version.
    fn check_forward(&self, findings: &mut Findings) -> io::Result<()> {
        let forward = &self.all.answer["forward"];
        let Some(patch) = bytes(&forward["patch"]) else { return Ok(()) };
        let newest = self.all.row.files(self.all.row.last());
        let files = repository::apply(self.all.bench, &newest, &patch)?;
        let truth = files.map(|files| self.all.case.verdict(&files).word());
        let said = text(forward, "proof");
        findings.claim(said == truth, || {
            format!("the newest version with the fix is said to {said:?}, but {truth:?}")
        });
        Ok(())
    }
}
