//! How sure an answer is whose test is not steady, in words. An answer that is only likely is not
//! called proved.

use whodunit_jobs::changes::LikelyCommit;
use whodunit_jobs::core::Verdict;
use whodunit_run::{Claim, Flakiness};

use super::changes::word;

/// Returns what the first runs taught about a test that is not steady.
pub(crate) fn learned(flaky: &Flakiness) -> String {
    let Flakiness { there, elsewhere, least, .. } = flaky;
    let without = match elsewhere.runs {
        0 => String::new(),
        _ => format!(", in {elsewhere} without it"),
    };
    let how = match least {
        Some(least) => format!("keeping a rate of {} or more", percent(*least)),
        None => format!("repeating until {} sure", percent(flaky.confidence)),
    };
    format!("flaky: the failure shows in {there} runs where it is{without}; {how}")
}

/// Returns the name of the row that says how certain an answer is.
pub(crate) fn label(is_proved: bool, flaky: Option<&Flakiness>) -> &'static str {
    match (is_proved, flaky) {
        (true, None) => "proved",
        (true, Some(_)) => "likely",
        (false, _) => "not proved",
    }
}

/// Returns a claim in words: the verdict of a test, or how many of several runs failed.
pub(crate) fn claim(claim: Claim) -> String {
    match (claim.counts(), claim.verdict()) {
        (Some(counts), Verdict::Fail | Verdict::Pass) => format!("fails {counts}"),
        (_, verdict) => word(verdict).into(),
    }
}

/// Returns how sure each part of an answer is.
pub(crate) fn confidence(flaky: &Flakiness) -> String {
    format!("{} sure", percent(flaky.confidence))
}

/// Returns how a test that is not steady behaves without a part that it needs to fail. `passing` are the claims
/// that say so; without their counts the failure may only be rarer.
pub(crate) fn without(
    flaky: &Flakiness,
    passing: Option<impl IntoIterator<Item = Claim>>,
) -> &'static str {
    if flaky.least.is_some() {
        // A candidate that is still undecided after many runs is refused as well.
        return "the failure does not clearly show often enough";
    }
    let Some(passing) = passing else { return "the failure shows less often, if at all" };
    let mut counts = passing.into_iter().filter_map(Claim::counts);
    match flaky.elsewhere.seen == 0 && counts.all(|it| it.seen == 0) {
        true => "the failure does not show",
        false => "the failure shows less often",
    }
}

/// Returns the probability of the commit, and the other possible commits, in brackets.
pub(crate) fn probabilities(likely: &[LikelyCommit]) -> Option<String> {
    let (first, others) = likely.split_first()?;
    let mut words = percent(first.probability);
    for LikelyCommit { commit, probability, .. } in others {
        words.push_str(&format!("; {} {}", percent(*probability), commit.short_id));
    }
    Some(format!("({words})"))
}

/// Returns how sure an answer is in per cent: the lower value for its commit, if there is one, and
/// its changes.
pub(crate) fn rank(flaky: &Flakiness, likely: &[LikelyCommit]) -> f64 {
    100.0 * likely.first().map_or(1.0, |it| it.probability).min(flaky.confidence)
}

/// Returns a probability in per cent, never rounded up to certainty.
pub(crate) fn percent(probability: f64) -> String {
    let tenths = (probability * 1000.0).floor().min(999.0);
    let text = format!("{:.1}", tenths / 10.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_likely_is_never_certain() {
        assert_eq!(percent(0.99), "99 %");
        assert_eq!(percent(0.9949), "99.4 %");
        assert_eq!(percent(0.9999), "99.9 %");
        assert_eq!(percent(1.0), "99.9 %");
        assert_eq!(percent(0.004), "0.4 %");
    }
}
