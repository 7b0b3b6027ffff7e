//! The view of an answer of `changes` for pages.

use whodunit_jobs::changes::{Cause, ChangesAnswer};
use whodunit_jobs::core::Verdict;
use whodunit_run::Word;

use super::view::{CauseView, Does, Fact, PatchView, View};
use crate::plan;
use crate::report::changes::{base, commit, is_proved, not_carried, not_done, proof, size};
use crate::report::{number, sure};

impl<'a> From<&'a ChangesAnswer> for View<'a> {
    fn from(answer: &'a ChangesAnswer) -> Self {
        let name = |word: &Word| word.as_os_str().to_string_lossy().into_owned();
        let (good, bad) = (name(&answer.settings.good), name(&answer.settings.bad));
        let sure = sure::probabilities(&answer.likely).map(|it| format!(" {it}"));
        let sure = sure.filter(|_| answer.commits.len() == 1).unwrap_or_default();
        let commits = answer.commits.iter().map(|it| format!("Commit {}{sure}", commit(it)));
        let sizes = answer.causes.iter().map(|cause| size(answer, cause));
        let tests = format!("{} tests", number(answer.tests.committed));
        View {
            title: "Which change made it fail",
            version: &answer.version,
            not_done: not_done(answer.ended, &answer.causes, &answer.run),
            command: &answer.command,
            failure: &answer.failure,
            ends: vec![("passes in", good), ("fails in", bad)],
            facts: base(answer)
                .into_iter()
                .chain(commits)
                .chain(sizes)
                .chain([tests])
                .map(Fact::new)
                .collect(),
            causes: answer.causes.iter().map(|cause| cause_view(answer, cause)).collect(),
            sections: Vec::new(),
            command_line: plan::changes::command_line(&answer.settings),
        }
    }
}

fn cause_view<'a>(answer: &ChangesAnswer, cause: &'a Cause) -> CauseView<'a> {
    let patch = |does, on: &String, patch| PatchView { does, on: on.clone(), patch };
    let flaky = answer.learned.flaky.as_ref();
    CauseView {
        cause,
        came_with: match &answer.commits[..] {
            [only] => Some(commit(only)),
            _ => None,
        },
        certainty: sure::label(is_proved(answer.ended, Verdict::Pass, cause), flaky),
        rank: flaky.map(|flaky| sure::rank(flaky, &answer.likely)),
        proof: proof(answer, cause),
        beware: not_carried(answer, cause),
        patches: [
            patch(Does::MakeItFail, &cause.culprit_on, &cause.culprit_patch),
            patch(Does::MakeItPass, &cause.fix_on, &cause.fix_patch),
        ]
        .into_iter()
        .chain(
            cause
                .spot
                .iter()
                .map(|spot| patch(Does::ShowAPlace, &answer.compared.bad, &spot.patch)),
        )
        .collect(),
    }
}
