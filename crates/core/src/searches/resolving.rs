//! `resolving`: any search with the failure resolution loop (Zeller, "Yesterday, my program worked.
//! Today, it does not. Why?", 1999, section 8).
//!
//! Where a test is unresolved and its output names deltas that the candidate lacks, these are added
//! and the same question is asked again, until it is resolved or nothing is left to add.
//! Departures: a need learned once is added to every later question as well; and if a candidate
//! with additions fails, the search starts again on that candidate, because the culprit may be
//! among the additions.

use crate::{Answer, DeltaSet, Implications, Search, Step, Verdict};

/// A search whose questions are completed by known needs; see the module's text.
///
/// While no need is known it asks the questions of the search within. It ends because the search
/// within does, and each new start has fewer deltas.
#[derive(Clone, Debug)]
pub struct Resolving<S> {
    /// Asks about ranks within `whole`, not about deltas.
    search: S,
    start: fn(usize) -> S,
    /// A failing candidate, in which the search within looks for the culprit.
    whole: DeltaSet,
    /// The smallest candidate that was seen to fail.
    best: DeltaSet,
    known: Implications,
    has_added: bool,
}

impl<S: Search<Candidate = DeltaSet>> Resolving<S> {
    /// Starts a search over `count` deltas, all of which together are known to fail.
    pub fn new(count: usize, start: fn(usize) -> S, known: Implications) -> Self {
        let whole = DeltaSet::full(count);
        let (search, best) = (start(count), whole.clone());
        let mut search = Resolving { search, start, whole, best, known, has_added: false };
        search.settle();
        search
    }

    /// Returns the search within.
    pub fn search(&self) -> &S {
        &self.search
    }

    /// Returns whether any question had more deltas than the search within asked for.
    pub fn has_added(&self) -> bool {
        self.has_added
    }

    /// Returns the deltas that some ranks of the search within stand for, with all their known
    /// needs.
    pub fn completed(&self, ranks: &DeltaSet) -> DeltaSet {
        self.known.closure_up_within(&self.named(ranks), &self.whole)
    }

    fn named(&self, ranks: &DeltaSet) -> DeltaSet {
        let slice =
            |run: std::ops::Range<u32>| self.whole.slice(run.start as usize..run.end as usize);
        ranks.runs().map(slice).fold(DeltaSet::empty(), |all, some| all.union(&some))
    }

    /// Answers questions that need everything as unresolved: that everything fails tells nothing
    /// about a part.
    fn settle(&mut self) {
        while let Step::Ask(ranks) = self.search.step()
            && ranks.len() < self.whole.len()
            && self.completed(&ranks) == self.whole
        {
            self.search.learn(&Verdict::Unresolved.into());
        }
    }
}

impl<S: Search<Candidate = DeltaSet>> Search for Resolving<S> {
    type Candidate = DeltaSet;

    fn step(&self) -> Step<DeltaSet> {
        self.search.step().map(|ranks| self.completed(&ranks))
    }

    fn learn(&mut self, answer: &Answer) {
        let Step::Ask(ranks) = self.search.step() else { return };
        let asked = self.completed(&ranks);
        let is_larger = asked.len() > ranks.len();
        self.has_added |= is_larger;
        if answer.verdict.is_fail() && asked.len() < self.best.len() {
            self.best = asked.clone();
        }
        match answer.verdict {
            Verdict::Fail if is_larger => {
                self.search = (self.start)(asked.len());
                self.whole = asked;
            }
            Verdict::Unresolved => {
                for lesson in &answer.lessons {
                    self.known.learn(lesson);
                }
                if self.completed(&ranks) == asked {
                    self.search.learn(answer);
                }
            }
            Verdict::Fail | Verdict::Pass => self.search.learn(answer),
        }
        self.settle();
    }

    fn best(&self) -> DeltaSet {
        self.best.clone()
    }

    fn likely(&self) -> f64 {
        self.search.likely()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{check, needs, numbered, together};
    use crate::searches::{Dd, DdPlus, Ddmin, Isolate};
    use crate::{Delta, Lesson};

    /// Returns the questions of a search whose unresolved tests name what is missing of a group.
    fn asked<S>(
        mut search: Resolving<S>,
        group: &[u32],
        culprits: &[u32],
    ) -> (Vec<DeltaSet>, DeltaSet)
    where
        S: Search<Candidate = DeltaSet>,
    {
        let (oracle, group) = (together(group, needs(culprits)), numbered(group));
        let mut asked = Vec::new();
        while let Step::Ask(question) = search.step() {
            let lessons = match group.intersection(&question).first() {
                Some(delta) => vec![Lesson::Implies { delta, needs: group.minus(&question) }],
                None => Vec::new(),
            };
            search.learn(&Answer { verdict: oracle(&question), lessons });
            asked.push(question);
        }
        (asked, search.best())
    }

    #[test]
    fn a_question_is_completed_and_asked_again() {
        let search = Resolving::new(8, DdPlus::new, Implications::none());
        let (asked, best) = asked(search, &[4, 6], &[3]);
        let expected: [&[u32]; 5] = [&[1, 2, 3, 4], &[1, 2, 3, 4, 6], &[1, 2], &[3, 4, 6], &[3]];
        assert_eq!(asked, expected.map(numbered));
        assert_eq!(best, numbered(&[3]));
    }

    #[test]
    fn a_culprit_among_what_was_added_is_found_by_every_search() {
        fn found<S: Search<Candidate = DeltaSet>>(start: fn(usize) -> S) -> DeltaSet {
            asked(Resolving::new(16, start, Implications::none()), &[2, 15], &[15]).1
        }
        let expected = numbered(&[2, 15]);
        assert_eq!(found(Dd::new), expected);
        assert_eq!(found(DdPlus::new), expected);
        assert_eq!(found(Ddmin::new), expected);
        assert!(expected.is_subset(&found(Isolate::new)));
    }

    #[test]
    fn without_lessons_the_search_asks_what_it_asks_alone() {
        let oracle = together(&[2, 3], needs(&[1]));
        check(
            Resolving::new(4, DdPlus::new, Implications::none()),
            oracle,
            "
            ##.. ?
            ..## ?
            #... ✗
            #... =
            ",
        );
    }

    #[test]
    fn what_needs_everything_is_not_asked_about() {
        let mut known = Implications::builder();
        (0..3).for_each(|delta| known.add(Delta(3), Delta(delta)));
        check(
            Resolving::new(4, Dd::new, known.build()),
            needs(&[2]),
            "
            ##.. ✗
            #... ✓
            .#.. ✗
            .#.. =
            ",
        );
    }
}
