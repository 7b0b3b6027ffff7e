//! `repeated`: lets any search decide by several runs of each candidate (Wald's sequential test).
//!
//! A question of the search inside is asked again until it is clear whether the failure is there:
//! the search inside sees one verdict for all runs, with a bounded error. Accepting wrongly loses
//! the failure and rejecting wrongly leaves something that could be removed, so each has its own
//! bound. Decided questions teach the rates: once the failure is known never to show without being
//! there, one sighting decides. A first run that is unresolved ends the question: a build error is
//! not noise.

use std::sync::Arc;

use crate::noise::{LeastRate, Noise, Sightings};
use crate::repeat::{Decided, Repeat};
use crate::{Answer, Lesson, Search, Step, Task, Verdict};

/// When the runs of a candidate are enough.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The largest probability of accepting the failure as there when it is not.
    pub accept: f64,
    /// The largest probability of rejecting it as absent when it is there.
    pub reject: f64,
}

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub struct Repeated<S: Search> {
    /// The search whose questions are repeated.
    pub search: S,
    noise: Noise,
    bounds: Bounds,
    /// The rate below which a candidate does not count as failing, if there is one.
    least: Option<LeastRate>,
    /// The runs of the question at hand.
    counts: Sightings,
    /// The decided questions, the last one first.
    decided: Option<Arc<Link<S::Candidate>>>,
}

/// A list that copies share.
#[derive(Debug)]
struct Link<C> {
    decided: Decided<C>,
    before: Option<Arc<Link<C>>>,
}

/// Limits for the probability that a question fails, before its first run: a search that misjudges
/// its own questions must not decide them.
const LIKELY: (f64, f64) = (0.1, 0.9);

/// A question that is open after this many runs is unresolved.
const MOST: u32 = 1_000;

impl<S: Search> Repeated<S> {
    /// Asks each question of a search until the bounds are met.
    pub fn new(search: S, noise: Noise, bounds: Bounds) -> Self {
        let (counts, least) = (Sightings::default(), None);
        Repeated { search, noise, bounds, least, counts, decided: None }
    }

    /// Accepts only candidates that show the failure at this rate or a higher one; it is then not
    /// enough that the failure is there.
    #[must_use]
    pub fn at_least(mut self, least: Option<LeastRate>) -> Self {
        self.least = least;
        self
    }

    /// Returns the counts from which the rates are estimated.
    pub fn noise(&self) -> Noise {
        self.noise
    }

    /// Returns the decided questions, in order.
    pub fn decided(&self) -> Vec<Decided<S::Candidate>> {
        let mut all = Vec::new();
        let mut link = self.decided.as_ref();
        while let Some(Link { decided, before }) = link.map(|it| &**it) {
            all.push(decided.clone());
            link = before.as_ref();
        }
        all.reverse();
        all
    }

    fn note(&mut self, decided: Decided<S::Candidate>) {
        let before = self.decided.take();
        self.decided = Some(Arc::new(Link { decided, before }));
    }

    fn likely_before(&self) -> f64 {
        self.search.likely().clamp(LIKELY.0, LIKELY.1)
    }

    /// Returns the verdict on the question at hand, if its runs are enough.
    fn verdict(&self, last: Verdict) -> Option<Verdict> {
        let Sightings { seen, runs } = self.counts;
        if seen == 0 && runs == 1 && last == Verdict::Unresolved {
            return Some(Verdict::Unresolved);
        }
        if let Some(least) = self.least {
            return least.verdict(self.counts);
        }
        let there = self.noise.probability(self.likely_before(), self.counts);
        if there >= 1.0 - self.bounds.accept {
            Some(Verdict::Fail)
        } else if there <= self.bounds.reject {
            Some(Verdict::Pass)
        } else {
            (runs >= MOST).then_some(Verdict::Unresolved)
        }
    }
}

impl<S: Search> Search for Repeated<S> {
    type Candidate = Repeat<S::Candidate>;

    fn step(&self) -> Step<Self::Candidate> {
        self.search.step().map(|candidate| Repeat { candidate, nth: self.counts.runs })
    }

    fn learn(&mut self, answer: &Answer) {
        let Step::Ask(Repeat { candidate, nth }) = self.step() else { return };
        if answer.lessons.contains(&Lesson::Certain) {
            self.counts = Sightings::default();
            let lessons = answer.lessons.iter().filter(|it| **it != Lesson::Certain).cloned();
            let answer = Answer { verdict: answer.verdict, lessons: lessons.collect() };
            let (verdict, counts) = (answer.verdict, Sightings::default());
            self.note(Decided { candidate, verdict, counts, last: None });
            return self.search.learn(&answer);
        }
        self.counts.count(answer.verdict.is_fail());
        let Some(verdict) = self.verdict(answer.verdict) else { return };
        let counts = std::mem::take(&mut self.counts);
        match verdict {
            Verdict::Fail => self.noise.there = self.noise.there.plus(counts),
            // Sightings at too low a rate are no noise, so do not count them.
            Verdict::Pass if self.least.is_some() && counts.seen > 0 => {}
            Verdict::Pass => self.noise.elsewhere = self.noise.elsewhere.plus(counts),
            Verdict::Unresolved => {}
        }
        self.note(Decided { candidate, verdict, counts, last: Some(nth) });
        // Lessons belong to the verdict of their run: drop them if the decision differs.
        let lessons = match verdict == answer.verdict {
            true => answer.lessons.clone(),
            false => Vec::new(),
        };
        self.search.learn(&Answer { verdict, lessons });
    }

    fn best(&self) -> Self::Candidate {
        Repeat { candidate: self.search.best(), nth: 0 }
    }

    fn likely(&self) -> f64 {
        if let (Some(_), Sightings { seen, runs: runs @ 1.. }) = (self.least, self.counts) {
            return f64::from(seen + 1) / f64::from(runs + 2);
        }
        let there = self.noise.probability(self.likely_before(), self.counts);
        let rates = [self.noise.rate_there(self.counts), self.noise.rate_elsewhere(self.counts)];
        there * rates[0] + (1.0 - there) * rates[1]
    }

    fn heeds_unresolved(&self) -> bool {
        self.counts.runs == 0
    }

    fn task(&self) -> Option<(usize, Task)> {
        self.search.task()
    }
}
