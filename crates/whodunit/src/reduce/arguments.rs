//! Drops arguments of the tested command that do not matter (`--reduce-args`).
//!
//! This search comes before the main one, because a command with fewer flags does less in each of
//! the many later tests, and the proof of the result then holds for the shortened command that is
//! shown with it. It tests the whole input, and asks few questions: one or two for each argument.

use std::sync::Arc;

use whodunit_core::searches::{Blocks, Certify};
use whodunit_core::{Answer, Delta, DeltaSet, Search, Step};
use whodunit_exec::local::Local;
use whodunit_exec::{Oracle, WorkerError};
use whodunit_input::{Input, InputCandidate};
use whodunit_run::judge::Rule;
use whodunit_run::{Ended, Key, KeyHasher, Size, Subject, Tested, Ticket, Word, Worker};

use super::ReduceError;
use super::reduction::InputLab;
use crate::answer::Shortened;
use crate::settings::{ReduceSettings, Surroundings, Test};

impl Shortened {
    /// Returns settings with this command in place of the whole one.
    pub(super) fn settings(&self, settings: &ReduceSettings) -> ReduceSettings {
        ReduceSettings { test: Test::Command(self.words.clone()), ..settings.clone() }
    }
}

/// Finds the arguments that the failure needs: first removes flags together with their possible
/// value, then single words. If the budget ends the search early, unneeded words may remain.
pub(super) fn shorten(
    lab: &mut InputLab<'_>,
    whole: &InputCandidate,
    settings: &ReduceSettings,
    surroundings: &Surroundings,
) -> Result<Shortened, ReduceError> {
    let Test::Command(words) = &settings.test else {
        return Ok(Shortened { words: vec![], tests: 0, complete: true });
    };
    let mut words = words.clone();
    let program = settings.program_words();
    let (oracle, rule) = (lab.workers.oracle().clone(), lab.rule.clone());
    let subject = CommandLine { input: Input.key(whole), bytes: Input.size(whole).bytes };
    for cut in [flags as fn(&[Word], usize) -> Vec<Vec<usize>>, singles] {
        let deltas = Arc::new(cut(&words, program));
        let blocks = Blocks::new(deltas.len()).certify(Certify::Full);
        let search = Dropping { blocks, words: words.into(), deltas };
        let lend = |hand| CommandWorker {
            hand,
            oracle: &oracle,
            rule: &rule,
            whole,
            settings,
            surroundings,
        };
        let give_back = |worker: CommandWorker<'_>| worker.hand;
        words = lab.search_before(&subject, (lend, give_back), search)?.best();
        if lab.ended != Ended::Done {
            break;
        }
    }
    let complete = lab.ended == Ended::Done;
    Ok(Shortened { words, tests: lab.tally.committed, complete })
}

/// The command that runs on the whole input; a candidate is the list of its remaining words.
struct CommandLine {
    input: Key,
    bytes: u64,
}

impl Subject for CommandLine {
    type Candidate = Vec<Word>;

    fn key(&self, words: &Vec<Word>) -> Key {
        let mut hasher = KeyHasher::new();
        hasher.update(&u128::from(self.input).to_le_bytes());
        words.iter().for_each(|word| hasher.update_delimited(word.as_os_str().as_encoded_bytes()));
        hasher.finish()
    }

    fn size(&self, words: &Vec<Word>) -> Size {
        Size { deltas: words.len(), bytes: self.bytes }
    }
}

/// Runs shorter commands on the whole input.
struct CommandWorker<'a> {
    hand: Local<Input>,
    /// The oracle of the run, whose command is replaced.
    oracle: &'a Oracle,
    rule: &'a Arc<Rule>,
    whole: &'a InputCandidate,
    settings: &'a ReduceSettings,
    surroundings: &'a Surroundings,
}

impl Worker<Vec<Word>> for CommandWorker<'_> {
    type Error = WorkerError;

    fn test(&mut self, ticket: Ticket, words: &Vec<Word>) -> Result<Option<Tested>, WorkerError> {
        let command = self.settings.typed(words, self.surroundings)?;
        let oracle = Oracle { command, ..self.oracle.clone() };
        self.hand.instruct(&Arc::new(oracle), self.rule);
        self.hand.test(ticket, self.whole)
    }

    fn canceller(&self) -> Box<dyn Fn(Ticket) + Send> {
        self.hand.canceller()
    }
}

/// Drops every delta that the failure does not need; each delta is a set of places in the list of
/// words.
#[derive(Clone)]
struct Dropping {
    blocks: Blocks,
    words: Arc<[Word]>,
    deltas: Arc<Vec<Vec<usize>>>,
}

impl Search for Dropping {
    type Candidate = Vec<Word>;

    fn step(&self) -> Step<Vec<Word>> {
        self.blocks.step().map(|kept| without(&self.words, &self.deltas, &kept))
    }

    fn learn(&mut self, answer: &Answer) {
        self.blocks.learn(answer);
    }

    fn best(&self) -> Vec<Word> {
        without(&self.words, &self.deltas, &self.blocks.best())
    }

    fn likely(&self) -> f64 {
        self.blocks.likely()
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

/// Returns whether the word contains the place of the candidate; such a word is never dropped.
fn has_place(word: &Word) -> bool {
    word.as_os_str().to_string_lossy().contains("{}")
}

/// Returns the places of the words that may be dropped, a flag together with its possible value.
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

/// Returns the places of the words that may be dropped, each on its own.
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
