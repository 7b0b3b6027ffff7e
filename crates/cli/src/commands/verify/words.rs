//! The outcome of a verification in words.

use whodunit_jobs::answer::Answer;
use whodunit_jobs::core::Verdict;
use whodunit_jobs::verify::{Claim, Difference, Said, Seen, Verified};

use crate::output::{inert, plain};
use crate::report::changes::word;

/// The most pieces that are listed, one line each; more would scroll the verdict off the
/// screen.
const LISTED: usize = 10;

/// Said below each outcome.
const UNCHECKED: &str = "not checked: times, numbers of tests, the steps of the search, and what the answer says of other \
     failures";

/// For a claim whose tests are not enough for a verdict.
const UNDECIDED: &str = "not decided, because its tests do not agree or were killed";

/// Returns the outcome for an answer of `changes` or `history`, one line for each claim.
pub(super) fn of_versions(verified: &Verified) -> String {
    let holds = if verified.holds() { "the proof holds" } else { "the proof does not hold" };
    let mut text = format!("{holds}:\n");
    for claim in &verified.claims {
        let seen = match claim.seen {
            Seen::Verdict(verdict) => word(verdict),
            Seen::Undecided => UNDECIDED,
        };
        text.push_str(&format!("  {}: {seen}", plain(&claim.what)));
        if !claim.holds() {
            let said = match claim.claimed {
                Said::Is(verdict) => word(verdict),
                Said::NotFail => "does not fail",
            };
            text.push_str(&format!(" (the answer says that it {said})"));
        }
        text.push('\n');
    }
    text + &differing(verified) + UNCHECKED + "\n"
}

/// Returns a line for each field that is not so.
fn differing(verified: &Verified) -> String {
    let mut text = String::new();
    for Difference { field, stated, found } in verified.differences.iter().take(LISTED) {
        let (field, stated, found) = (plain(field), plain(stated), plain(found));
        text.push_str(&format!("  `{field}` is {stated} in the answer, and {found} was found\n"));
    }
    if verified.differences.len() > LISTED {
        text.push_str("  …\n");
    }
    text
}

/// Returns the outcome for an answer of `reduce`.
pub(super) fn of_result(answer: &Answer, verified: &Verified) -> String {
    claims_of_result(answer, verified) + &differing(verified) + UNCHECKED + "\n"
}

fn claims_of_result(answer: &Answer, verified: &Verified) -> String {
    let [result, pieces @ ..] = &verified.claims[..] else { return String::new() };
    if !result.holds() {
        return "the proof does not hold: the result does not fail\n".into();
    }
    let checked = pieces.len();
    let with = |seen: Seen| -> Vec<&Claim> { pieces.iter().filter(|it| it.seen == seen).collect() };
    let unneeded = with(Seen::Verdict(Verdict::Fail));
    let undecided = with(Seen::Undecided);
    if !unneeded.is_empty() {
        let count = unneeded.len();
        let begin =
            format!("the proof does not hold: {count} of {checked} pieces can be left out\n");
        return listed(begin, &unneeded);
    }
    if !undecided.is_empty() {
        let count = undecided.len();
        let begin = format!(
            "the proof does not hold: it is open whether {count} of {checked} pieces can be left out\n"
        );
        return listed(begin, &undecided);
    }
    let others: Vec<&Claim> = pieces.iter().filter(|it| !it.holds()).collect();
    if !others.is_empty() {
        let count = others.len();
        let begin = format!(
            "the proof does not hold: {count} of {checked} pieces show something else than the answer says\n"
        );
        return listed(begin, &others);
    }
    if !verified.differences.is_empty() {
        return "the proof does not hold: the answer says what is not so\n".into();
    }
    match (answer.proof.levels.is_empty(), answer.learned.flaky.is_some()) {
        (true, _) => {
            "the result fails; the answer does not claim that all of it is needed\n".into()
        }
        (false, true) => format!(
            "agrees: the result fails, and without any of its {checked} pieces the failure shows less \
             often, if at all\n"
        ),
        (false, false) => format!(
            "the proof holds: the result fails, and none of its {checked} pieces can be left out\n"
        ),
    }
}

/// Adds a line for each of the first pieces.
fn listed(mut text: String, pieces: &[&Claim]) -> String {
    for piece in pieces.iter().take(LISTED) {
        text.push_str(&format!("  {}\n", inert(&piece.what)));
    }
    if pieces.len() > LISTED {
        text.push_str("  …\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undecided_claim_is_not_said_to_be_about_other_changes() {
        let claimed = Said::Is(Verdict::Pass);
        let claim =
            Claim { what: "v1 with fix.patch".into(), claimed, seen: Seen::Undecided, shown: None };
        let text = of_versions(&Verified { claims: vec![claim], differences: vec![] });
        assert_eq!(
            text,
            format!(
                "the proof does not hold:\n  v1 with fix.patch: not decided, because its tests do not \
                 agree or were killed (the answer says that it passes)\n{UNCHECKED}\n"
            )
        );
    }
}
