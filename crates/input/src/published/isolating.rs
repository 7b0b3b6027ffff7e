//! `isolate` on the text of an input: the smallest difference between an input that passes and one
//! that fails.
//!
//! The search needs a candidate that passes, and the first one is the empty input. It is asked
//! about first: if it fails nothing is needed at all, and if it is unresolved there is no passing
//! end.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::searches::Isolate;
use whodunit_core::{Answer, DeltaSet, Search, Step, Verdict};

use crate::candidate::InputCandidate;
use crate::text_cut::TextCut;

/// The search; see the module's text.
#[derive(Clone, Debug)]
pub(super) struct Isolating {
    cut: Arc<TextCut>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Nothing is known to pass yet; the empty input is asked about.
    First,
    Between(Isolate),
    /// The empty input fails.
    NothingNeeded,
    /// The empty input neither passes nor fails.
    NoPassing,
}

/// A passing and a failing candidate that are as close together as they get.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The candidate that passes.
    pub passing: InputCandidate,
    /// The candidate that fails: the passing one and the difference.
    pub failing: InputCandidate,
    /// The deltas in which they differ, in the order of the text.
    pub difference: Vec<IsolatedDelta>,
}

/// A delta that the failing candidate has and the passing one has not.
#[derive(Clone, Debug)]
pub struct IsolatedDelta {
    /// Its addresses in the failing candidate.
    pub addresses: Range<u64>,
    /// The passing candidate with it.
    pub added: InputCandidate,
    /// The failing candidate without it.
    pub taken: InputCandidate,
}

impl Isolating {
    pub(super) fn new(cut: Arc<TextCut>) -> Self {
        Isolating { cut, state: State::First }
    }

    pub(super) fn isolated(&self) -> Option<Isolated> {
        let State::Between(isolate) = &self.state else { return None };
        let (passing, failing) = (isolate.passing(), isolate.best());
        let kept = |kept: DeltaSet| InputCandidate::new(self.cut.clone(), kept);
        // The kept deltas before a delta form the text before it in the failing candidate.
        let deltas = self.cut.deltas();
        let dropped = DeltaSet::full(deltas.len()).minus(&failing);
        let mut gone = dropped.iter().peekable();
        let mut missing = 0;
        let mut difference = Vec::new();
        for delta in isolate.difference().iter() {
            while let Some(before) = gone.next_if(|before| before < &delta) {
                let Range { start, end } = deltas[before.0 as usize].clone();
                missing += end - start;
            }
            let one: DeltaSet = [delta].into_iter().collect();
            let Range { start, end } = deltas[delta.0 as usize].clone();
            difference.push(IsolatedDelta {
                addresses: start - missing..end - missing,
                added: kept(passing.union(&one)),
                taken: kept(failing.minus(&one)),
            });
        }
        Some(Isolated { passing: kept(passing), failing: kept(failing), difference })
    }

    fn all(&self) -> DeltaSet {
        DeltaSet::full(self.cut.deltas().len())
    }

    fn candidate(&self, kept: DeltaSet) -> InputCandidate {
        InputCandidate::new(self.cut.clone(), kept)
    }
}

impl Search for Isolating {
    type Candidate = InputCandidate;

    fn step(&self) -> Step<InputCandidate> {
        match &self.state {
            State::First if self.cut.deltas().is_empty() => Step::Done,
            State::First => Step::Ask(self.candidate(DeltaSet::empty())),
            State::Between(isolate) => isolate.step().map(|kept| self.candidate(kept)),
            State::NothingNeeded | State::NoPassing => Step::Done,
        }
    }

    fn learn(&mut self, answer: &Answer) {
        match &mut self.state {
            State::First => {
                self.state = match answer.verdict {
                    Verdict::Pass => State::Between(Isolate::new(self.cut.deltas().len())),
                    Verdict::Fail => State::NothingNeeded,
                    Verdict::Unresolved => State::NoPassing,
                };
            }
            State::Between(isolate) => isolate.learn(answer),
            State::NothingNeeded | State::NoPassing => {}
        }
    }

    fn best(&self) -> InputCandidate {
        self.candidate(match &self.state {
            State::First | State::NoPassing => self.all(),
            State::Between(isolate) => isolate.best(),
            State::NothingNeeded => DeltaSet::empty(),
        })
    }

    fn likely(&self) -> f64 {
        match &self.state {
            State::Between(isolate) => isolate.likely(),
            // Most tests look at their input.
            State::First => 0.01,
            State::NothingNeeded | State::NoPassing => 0.0,
        }
    }

    fn heeds_unresolved(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::Languages;
    use crate::settings::{Granularity, LadderSettings};
    use crate::snapshot::{InputFile, Snapshot};

    fn isolate(text: &str, judge: impl Fn(&str) -> Verdict) -> Option<(String, Vec<String>)> {
        let file = InputFile { name: "in".into(), bytes: text.as_bytes().into(), mode: 0o644 };
        let settings =
            LadderSettings { finest: Granularity::Lines, ..LadderSettings::new(Languages::None) };
        let base = Arc::new(Snapshot::new(vec![file]));
        let mut search = Isolating::new(Arc::new(TextCut::flat(base, settings.finest, &settings)));
        let text = |candidate: &InputCandidate| {
            String::from_utf8(candidate.snapshot().files()[0].bytes.to_vec()).expect("it is text")
        };
        while let Step::Ask(question) = search.step() {
            search.learn(&judge(&text(&question)).into());
        }
        let isolated = search.isolated()?;
        let failing = text(&isolated.failing);
        let deltas = isolated.difference.iter().map(|delta| {
            let Range { start, end } = delta.addresses.clone();
            failing[start as usize..end as usize].to_owned()
        });
        Some((text(&isolated.passing), deltas.collect()))
    }

    fn needs_both(text: &str) -> Verdict {
        if text.contains("two") && text.contains("five") { Verdict::Fail } else { Verdict::Pass }
    }

    #[test]
    fn the_difference_is_told_where_it_is_in_the_failing_text() {
        let (passing, difference) =
            isolate("one\ntwo\nthree\nfour\nfive\nsix\n", needs_both).expect("nothing passes");
        assert_eq!(difference, ["five\n"]);
        assert!(passing.contains("two") && !passing.contains("five"), "{passing}");
    }

    #[test]
    fn without_anything_that_passes_there_is_no_difference() {
        assert!(
            isolate("one\ntwo\n", |text| {
                if text.is_empty() { Verdict::Unresolved } else { Verdict::Fail }
            })
            .is_none()
        );
    }
}
