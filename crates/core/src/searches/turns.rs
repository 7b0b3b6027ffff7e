//! `turns`: several searches for the same thing take turns; the more of the questions of a search can be
//! tested, the more often it asks.
//!
//! Near a version that fails there are several ways to search for a small difference that makes it pass,
//! and which of them works depends on the program. If the searches ran one after the other, the last one
//! would wait for all questions of the others. Here the next question comes from the search with the highest
//!
//! ```text
//! (tested + 1) / (asked + 2) / (asked + 1)
//! ```
//!
//! so that in the long run each search asks in proportion to the share of its questions that could be
//! tested. The first search has a head start, because its findings are worth most. A search that has found
//! enough continues alone, and `turns` ends when that search is done.

use crate::{Answer, Search, Step, Verdict};

/// Questions that the first search asks before the others begin, unless it ends earlier. Chosen by hand.
const HEAD_START: u32 = 12;

/// A search that looks for a candidate that passes.
pub trait Seek: Search {
    /// Returns whether the search has found something so small that the other searches can end. It may
    /// still look for something smaller.
    fn has_enough(&self) -> bool;
}

/// The searches, and how many questions are left for all of them; see the module's text.
#[derive(Clone, Debug)]
pub struct Turns<S> {
    turns: Vec<Turn<S>>,
    left: usize,
}

#[derive(Clone, Debug)]
struct Turn<S> {
    search: S,
    asked: u32,
    /// How many of its questions had a verdict.
    tested: u32,
}

impl<S: Seek> Turn<S> {
    fn is_done(&self) -> bool {
        matches!(self.search.step(), Step::Done)
    }

    fn promise(&self) -> f64 {
        let (asked, tested) = (f64::from(self.asked), f64::from(self.tested));
        (tested + 1.0) / (asked + 2.0) / (asked + 1.0)
    }
}

impl<S: Seek> Turns<S> {
    /// Lets at least one search take turns with others until one has found enough or `most` questions were
    /// asked. If several are equally promising, the first one asks.
    pub fn new(searches: impl IntoIterator<Item = S>, most: usize) -> Self {
        let turn = |search| Turn { search, asked: 0, tested: 0 };
        Turns { turns: searches.into_iter().map(turn).collect(), left: most }
    }

    /// Returns the searches in their original order.
    pub fn into_searches(self) -> impl Iterator<Item = S> {
        self.turns.into_iter().map(|turn| turn.search)
    }

    /// Returns the index of the search that asks next.
    fn next(&self) -> Option<usize> {
        let turns = || self.turns.iter().enumerate();
        // A search that has found enough makes it smaller, even if no questions are left for the others.
        if let Some((place, turn)) = turns().find(|(_, turn)| turn.search.has_enough()) {
            return (!turn.is_done()).then_some(place);
        }
        if self.left == 0 {
            return None;
        }
        if self.turns.first().is_some_and(|turn| turn.asked < HEAD_START && !turn.is_done()) {
            return Some(0);
        }
        let open = turns().filter(|(_, turn)| !turn.is_done()).rev();
        let best = open.max_by(|(_, this), (_, that)| this.promise().total_cmp(&that.promise()));
        best.map(|(place, _)| place)
    }
}

impl<S: Seek> Search for Turns<S> {
    type Candidate = S::Candidate;

    fn step(&self) -> Step<S::Candidate> {
        self.next().map_or(Step::Done, |place| self.turns[place].search.step())
    }

    fn learn(&mut self, answer: &Answer) {
        let Some(place) = self.next() else { return };
        let turn = &mut self.turns[place];
        turn.asked += 1;
        turn.tested += u32::from(answer.verdict != Verdict::Unresolved);
        turn.search.learn(answer);
        self.left = self.left.saturating_sub(1);
    }

    fn best(&self) -> S::Candidate {
        self.turns[self.next().unwrap_or(0)].search.best()
    }

    fn likely(&self) -> f64 {
        self.next().map_or(0.0, |place| self.turns[place].search.likely())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks about 100, 101 and so on, or 200, 201. A question that passes is found, and is enough if it is
    /// even; then one more question is asked.
    #[derive(Clone, Debug)]
    struct Counting {
        next: u32,
        end: u32,
        found: Option<u32>,
    }

    impl Counting {
        fn from(first: u32, count: u32) -> Self {
            Counting { next: first, end: first + count, found: None }
        }
    }

    impl Search for Counting {
        type Candidate = u32;

        fn step(&self) -> Step<u32> {
            let is_done = self.next == self.end || self.found.is_some_and(|it| self.next > it + 1);
            if is_done { Step::Done } else { Step::Ask(self.next) }
        }

        fn learn(&mut self, answer: &Answer) {
            if answer.verdict == Verdict::Pass {
                self.found = Some(self.next);
            }
            self.next += 1;
        }

        fn best(&self) -> u32 {
            self.next
        }
    }

    impl Seek for Counting {
        fn has_enough(&self) -> bool {
            self.found.is_some_and(|it| it % 2 == 0)
        }
    }

    /// Returns the questions in order.
    fn asked(searches: [Counting; 2], most: usize, oracle: impl Fn(u32) -> Verdict) -> Vec<u32> {
        let mut turns = Turns::new(searches, most);
        let mut asked = Vec::new();
        while let Step::Ask(question) = turns.step() {
            turns.learn(&oracle(question).into());
            asked.push(question);
        }
        asked
    }

    fn both() -> [Counting; 2] {
        [Counting::from(100, 50), Counting::from(200, 50)]
    }

    #[test]
    fn equal_searches_take_turns_after_a_head_start() {
        let asked = asked(both(), 29, |_| Verdict::Fail);
        assert!(asked[..12].iter().eq(&(100..112).collect::<Vec<_>>()));
        assert!(asked[12..24].iter().eq(&(200..212).collect::<Vec<_>>()));
        assert_eq!(asked[24..], [112, 212, 113, 213, 114]);
    }

    #[test]
    fn a_search_that_can_be_tested_asks_more() {
        let is_testable = |question: u32| question < 200 || question.is_multiple_of(5);
        let verdict = |question| match is_testable(question) {
            true => Verdict::Fail,
            false => Verdict::Unresolved,
        };
        let of_first = asked(both(), 40, verdict).into_iter().filter(|it| *it < 200).count();
        assert!((27..=34).contains(&of_first), "{of_first}");
    }

    #[test]
    fn what_was_found_is_made_smaller_and_ends_all() {
        let passes = |question| if question == 202 { Verdict::Pass } else { Verdict::Fail };
        let asked = asked(both(), 15, passes);
        assert_eq!(asked[12..], [200, 201, 202, 203]);
    }

    #[test]
    fn what_is_not_enough_leaves_the_rest_to_the_others() {
        let passes = |question| if question == 201 { Verdict::Pass } else { Verdict::Fail };
        let asked = asked(both(), 20, passes);
        assert_eq!(asked[12..], [200, 201, 202, 112, 113, 114, 115, 116]);
    }

    #[test]
    fn it_ends_when_nothing_is_left_to_ask() {
        let few = [Counting::from(100, 1), Counting::from(200, 2)];
        assert_eq!(asked(few, 9, |_| Verdict::Fail), [100, 200, 201]);
    }
}
