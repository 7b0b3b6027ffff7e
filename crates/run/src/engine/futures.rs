//! Look-ahead: the questions that a search will probably ask, found by answering copies of it.
//!
//! A tree of imagined answers grows from the search that decides, the likeliest branch first. When
//! the real answer is known its branch becomes the new root, so nothing is imagined twice. For
//! example, while a worker tests the question at hand and the search holds a failure for unlikely
//! (`likely` is 0.1), the next worker tests the question after "passes", and a third one the
//! question after "passes, passes" before the one after "fails".

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use whodunit_core::{Answer, Search, Step, Verdict};

use crate::key::Key;
use crate::memory::Memory;
use crate::subject::Subject;

use super::{Stop, answer};

/// Imagined states examined to pick one test ahead of its question. Without a pick after this many,
/// the worker waits for an answer. Chosen by hand.
const MAX_GUESSES: usize = 512;

/// The least probability that a question is asked for its test to run ahead. A less likely test
/// takes time and memory from those that count. Chosen by hand; of 400 lines two of which matter,
/// with 1,000 workers, 22 tests had 347 others ahead in 4 s with it, and 1,639 in 11 s without.
/// Eight workers are as fast with it.
const MIN_CHANCE: f64 = 1.0 / 32.0;

/// Whether to look beyond the question at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ahead {
    Yes,
    No,
}

/// A question with the name of its content.
pub(super) struct Question<C> {
    pub(super) candidate: Arc<C>,
    pub(super) key: Key,
    /// The verdict, if it is certain without a test.
    pub(super) foretold: Option<Verdict>,
}

impl<C> Clone for Question<C> {
    fn clone(&self) -> Self {
        Question { candidate: self.candidate.clone(), ..*self }
    }
}

/// The search that decides, and the futures imagined for it.
pub(super) struct Futures<'a, B, S: Search> {
    subject: &'a B,
    nodes: Vec<Option<Node<S>>>,
    free: Vec<usize>,
    root: usize,
}

struct Node<S: Search> {
    search: S,
    question: Option<Question<S::Candidate>>,
    /// The states after each verdict, as far as they were imagined. The last one is the state after
    /// a verdict with lessons; there is at most one.
    after: [Option<usize>; 4],
}

/// The index of the state after a verdict with lessons.
const TAUGHT: usize = 3;

impl<'a, B: Subject, S: Search<Candidate = B::Candidate>> Futures<'a, B, S> {
    pub(super) fn new(subject: &'a B, search: S) -> Self {
        let mut futures = Futures { subject, nodes: Vec::new(), free: Vec::new(), root: 0 };
        futures.root = futures.insert(search);
        futures
    }

    pub(super) fn into_search(mut self) -> S {
        self.nodes[self.root].take().expect("the root is there").search
    }

    /// Returns the search that decides.
    pub(super) fn search(&self) -> &S {
        &self.node(self.root).search
    }

    /// Returns the question at hand, or `None` when the search is done.
    pub(super) fn question(&self) -> Option<&Question<S::Candidate>> {
        self.node(self.root).question.as_ref()
    }

    /// Moves on to the state after a real answer and forgets the others.
    pub(super) fn advance(&mut self, answer: &Answer) {
        let next = self.after(self.root, answer);
        for slot in 0..self.node(self.root).after.len() {
            match self.node(self.root).after[slot] {
                Some(other) if other != next => self.forget(other),
                _ => {}
            }
        }
        self.nodes[self.root] = None;
        self.free.push(self.root);
        self.root = next;
    }

    /// Returns the likeliest question that is neither answered nor being tested. Returns `None`
    /// once the run should stop, because imagining hundreds of states may take long.
    pub(super) fn pick(
        &mut self,
        ahead: Ahead,
        unresolved: f64,
        memory: &Memory,
        running: impl Fn(Key) -> bool,
        stop: &Stop,
    ) -> Option<Question<S::Candidate>> {
        let mut heap = BinaryHeap::from([Guess { chance: 1.0, age: 0, node: self.root }]);
        for age in 0..MAX_GUESSES {
            if stop.is_stopped() {
                return None;
            }
            let Guess { chance, node, .. } = heap.pop()?;
            if chance < MIN_CHANCE {
                return None;
            }
            let Some(question) = self.node(node).question.clone() else { continue };
            let branches = match self.known(&question, memory) {
                Some(answer) => vec![(answer, 1.0)],
                None if !running(question.key) => return Some(question),
                None if ahead == Ahead::No => return None,
                None => self.guesses(node, unresolved),
            };
            for (answer, likely) in branches {
                let node = self.after(node, &answer);
                heap.push(Guess { chance: chance * likely, age: 3 * age, node });
            }
        }
        None
    }

    /// Returns the names of all contents that some imagined future asks about.
    pub(super) fn foreseen(&self) -> HashSet<Key> {
        let nodes = self.nodes.iter().flatten();
        nodes.filter_map(|node| node.question.as_ref().map(|question| question.key)).collect()
    }

    /// Returns the answer to a question if it is known.
    fn known(&self, question: &Question<S::Candidate>, memory: &Memory) -> Option<Answer> {
        let Question { candidate, key, foretold } = question;
        match foretold {
            Some(verdict) => Some(self.subject.certain(*verdict)),
            None => Some(answer(self.subject, candidate, (*key, memory.get(*key)?), memory)),
        }
    }

    fn guesses(&self, node: usize, unresolved: f64) -> Vec<(Answer, f64)> {
        let search = &self.node(node).search;
        let fail = search.likely().clamp(0.01, 0.99);
        let unresolved = if search.heeds_unresolved() { unresolved.clamp(0.0, 1.0) } else { 0.0 };
        let other = 1.0 - fail;
        let mut guesses = vec![(Verdict::Fail, fail), (Verdict::Pass, other * (1.0 - unresolved))];
        if unresolved > 0.0 {
            guesses.push((Verdict::Unresolved, other * unresolved));
        }
        guesses.into_iter().map(|(verdict, chance)| (verdict.into(), chance)).collect()
    }

    /// Returns the state after an answer, imagining it if need be.
    fn after(&mut self, node: usize, answer: &Answer) -> usize {
        let heeds = self.node(node).search.heeds_unresolved();
        let slot = match answer.verdict {
            _ if !answer.lessons.is_empty() => TAUGHT,
            Verdict::Fail => 0,
            Verdict::Unresolved if heeds => 2,
            Verdict::Pass | Verdict::Unresolved => 1,
        };
        if let Some(after) = self.node(node).after[slot] {
            return after;
        }
        let mut search = self.node(node).search.clone();
        search.learn(answer);
        let after = self.insert(search);
        self.nodes[node].as_mut().expect("a node in use is there").after[slot] = Some(after);
        after
    }

    fn insert(&mut self, search: S) -> usize {
        let question = match search.step() {
            Step::Ask(candidate) => Some(Question {
                key: self.subject.key(&candidate),
                foretold: self.subject.foretell(&candidate),
                candidate: Arc::new(candidate),
            }),
            Step::Done => None,
        };
        let node = Node { search, question, after: [None; 4] };
        let place = self.free.pop().unwrap_or(self.nodes.len());
        if place == self.nodes.len() {
            self.nodes.push(Some(node));
        } else {
            self.nodes[place] = Some(node);
        }
        place
    }

    fn forget(&mut self, node: usize) {
        let mut doomed = vec![node];
        while let Some(node) = doomed.pop() {
            let gone = self.nodes[node].take().expect("a node is forgotten once");
            doomed.extend(gone.after.into_iter().flatten());
            self.free.push(node);
        }
    }

    fn node(&self, node: usize) -> &Node<S> {
        self.nodes[node].as_ref().expect("a node in use is there")
    }
}

/// A state with the chance that it becomes real; the older of equals first.
struct Guess {
    chance: f64,
    age: usize,
    node: usize,
}

impl Ord for Guess {
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then(other.age.cmp(&self.age))
    }
}

impl PartialOrd for Guess {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Guess {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Guess {}
