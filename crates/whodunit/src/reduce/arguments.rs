//! Drops arguments of the tested command that do not matter (`--reduce-args`).
//!
//! A search of its own before the main one: a command with fewer flags does less in each of the
//! many tests to come, and what is proved about the result is then proved for the command that is
//! shown with it. The input is whole here, so the questions are few: one or two for each argument.

use std::collections::HashMap;
use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify};
use whodunit_core::{Answer, Delta, DeltaSet, Search, Step, Verdict};
use whodunit_exec::StageLimits;
use whodunit_input::InputCandidate;
use whodunit_run::Word;
use whodunit_run::judge::Rule;

use super::ReduceError;
use super::reduction::InputWorkers;
use super::setup;
use crate::answer::Shortened;
use crate::lab::LabError;
use crate::settings::{ReduceSettings, Surroundings, Test};

/// What the tests of shorter commands need.
pub(super) struct Shortening<'a> {
    pub(super) settings: &'a ReduceSettings,
    pub(super) surroundings: &'a Surroundings,
    pub(super) limits: &'a StageLimits,
    pub(super) rule: &'a Arc<Rule>,
    pub(super) whole: &'a InputCandidate,
    pub(super) max_tests: Option<u64>,
}

impl Shortened {
    /// Returns settings with this command in place of the whole one.
    pub(super) fn settings(&self, settings: &ReduceSettings) -> ReduceSettings {
        ReduceSettings { test: Test::Command(self.words.clone()), ..settings.clone() }
    }
}

impl Shortening<'_> {
    /// Finds out which arguments the failure needs: first flags with what may be their value, then
    /// single words. Ends early when the budget does; then some may be left that do not matter.
    pub(super) fn search(&self, workers: &mut InputWorkers) -> Result<Shortened, ReduceError> {
        let Test::Command(words) = &self.settings.test else {
            return Ok(Shortened { words: vec![], tests: 0, complete: true });
        };
        let mut shortened = Shortened { words: words.clone(), tests: 0, complete: true };
        let program = self.settings.program_words();
        let mut known = HashMap::from([(words.clone(), Verdict::Fail)]);
        for cut in [flags as fn(&[Word], usize) -> Vec<Vec<usize>>, singles] {
            let deltas = cut(&shortened.words, program);
            self.take(&deltas, &mut shortened, &mut known, workers)?;
        }
        Ok(shortened)
    }

    /// Drops every delta that can go; each is some places in the list of words.
    fn take(
        &self,
        deltas: &[Vec<usize>],
        shortened: &mut Shortened,
        known: &mut HashMap<Vec<Word>, Verdict>,
        workers: &mut InputWorkers,
    ) -> Result<(), ReduceError> {
        let mut blocks = Blocks::new(deltas.len()).certify(Certify::Full);
        while let Step::Ask(kept) = blocks.step() {
            let out_of_tests = self.max_tests.is_some_and(|most| shortened.tests >= most);
            if workers.stop.is_stopped() || out_of_tests {
                shortened.complete = false;
                break;
            }
            let words = without(&shortened.words, deltas, &kept);
            let verdict = match known.get(&words) {
                Some(&verdict) => verdict,
                None => {
                    let tried = Shortened { words: words.clone(), ..*shortened };
                    match self.test(&tried, workers) {
                        // The loop ends at once.
                        Err(ReduceError::Lab(LabError::StoppedEarly(_))) => continue,
                        verdict => {
                            shortened.tests += 1;
                            verdict?
                        }
                    }
                }
            };
            known.insert(words, verdict);
            blocks.learn(&Answer::from(verdict));
        }
        shortened.words = without(&shortened.words, deltas, &blocks.best());
        Ok(())
    }

    fn test(&self, tried: &Shortened, workers: &mut InputWorkers) -> Result<Verdict, ReduceError> {
        let mut oracle = setup::oracle(&tried.settings(self.settings), self.surroundings)?;
        oracle.limits = self.limits.clone();
        Ok(self.rule.judge(&workers.observe_with(&Arc::new(oracle), self.rule, self.whole)?))
    }
}

/// Returns the words without the deltas that are not kept.
fn without(words: &[Word], deltas: &[Vec<usize>], kept: &DeltaSet) -> Vec<Word> {
    let is_kept = |place: usize| {
        let delta = deltas.iter().position(|delta| delta.contains(&place));
        delta.is_none_or(|delta| kept.contains(Delta(delta as u32)))
    };
    let places = words.iter().enumerate().filter(|(place, _)| is_kept(*place));
    places.map(|(_, word)| word.clone()).collect()
}

/// Returns whether the candidate has its place in this word; such a word is never dropped.
fn has_place(word: &Word) -> bool {
    word.as_os_str().to_string_lossy().contains("{}")
}

/// Returns the words that may go, a flag together with a value that may be its own.
fn flags(words: &[Word], program: usize) -> Vec<Vec<usize>> {
    let mut deltas: Vec<Vec<usize>> = Vec::new();
    for place in program..words.len() {
        let is_flag = |place: usize| words[place].as_os_str().as_encoded_bytes().starts_with(b"-");
        if has_place(&words[place]) {
            continue;
        }
        match deltas.last_mut() {
            Some(last) if *last == [place - 1] && is_flag(place - 1) && !is_flag(place) => {
                last.push(place);
            }
            _ => deltas.push(vec![place]),
        }
    }
    deltas
}

/// Returns the words that may go, each by itself.
fn singles(words: &[Word], program: usize) -> Vec<Vec<usize>> {
    let free = (program..words.len()).filter(|&place| !has_place(&words[place]));
    free.map(|place| vec![place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Word> {
        line.split(' ').map(Word::from).collect()
    }

    #[test]
    fn a_flag_goes_with_its_value() {
        let words = words("gcc -O2 -o out -I x {} -c {} last");
        assert_eq!(flags(&words, 1), [vec![1], vec![2, 3], vec![4, 5], vec![7], vec![9]]);
        assert_eq!(singles(&words, 2).len(), 6);
    }

    #[test]
    fn what_is_kept_keeps_its_order() {
        let words = words("gcc -O2 -o out {} -g");
        let kept: DeltaSet = [Delta(1)].into_iter().collect();
        let left = without(&words, &flags(&words, 1), &kept);
        assert_eq!(left, ["gcc", "-o", "out", "{}"].map(Word::from));
    }
}
