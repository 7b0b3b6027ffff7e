//! The view of an answer of `history` for pages.

use whodunit_jobs::changes::Cause;
use whodunit_jobs::history::{HistoryAnswer, HistoryOutcome, HistoryStep};

use super::view::{Block, CauseView, Does, Fact, PatchView, Section, View};
use crate::plan;
use crate::report::changes::{is_proved, not_done};
use crate::report::history::{
    ELSEWHERE, Ends, NO_REPAIR, also, causes, fate, fixed, good_verdict, lines, outcome, proof,
    result, size, stretch, unreduced, version, watched, with_back_port,
};
use crate::report::{number, sure};

impl<'a> From<&'a HistoryAnswer> for View<'a> {
    fn from(answer: &'a HistoryAnswer) -> Self {
        View {
            title: "Which version made it fail",
            version: &answer.version,
            not_done: not_done(answer.ended, causes(answer), &answer.run),
            command: &answer.command,
            failure: &answer.failure,
            ends: vec![("fails in", answer.newest.short_id.clone())],
            facts: facts(answer),
            causes: causes(answer).iter().filter_map(|cause| cause_view(answer, cause)).collect(),
            sections: [fix(answer), back_port(answer), steps(answer), untestable(answer)]
                .into_iter()
                .flatten()
                .collect(),
            command_line: plan::history::command_line(&answer.settings),
        }
    }
}

fn facts(answer: &HistoryAnswer) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for (label, text) in outcome(answer) {
        let mut letters = label.chars();
        facts.push(match letters.next() {
            Some(first) => {
                let label: String = first.to_uppercase().chain(letters).collect();
                Fact::new(format!("{label}: {text}"))
            }
            // A row without a label belongs to the row above.
            None => Fact { depth: 1, text },
        });
    }
    let sizes = causes(answer).iter().map(size);
    let stands_out = answer.watched.iter().map(watched);
    let tests = format!("{} tests", number(answer.tests.committed));
    facts.extend(sizes.chain(stands_out).chain([tests]).map(Fact::new));
    facts
}

fn cause_view<'a>(answer: &HistoryAnswer, cause: &'a Cause) -> Option<CauseView<'a>> {
    let HistoryOutcome::Found { suspects, .. } = &answer.outcome else { return None };
    let ends = Ends::of(&answer.outcome)?;
    let patch = |does, end, patch| PatchView { does, on: with_back_port(answer, end), patch };
    let flaky = answer.learned.flaky.as_ref();
    let is_proved = is_proved(answer.ended, good_verdict(&answer.outcome), cause);
    Some(CauseView {
        cause,
        came_with: match &suspects[..] {
            [only] => Some(version(only)),
            _ => None,
        },
        certainty: sure::label(is_proved, flaky),
        rank: flaky.map(|flaky| sure::rank(flaky, &[])),
        proof: proof(answer, cause, ends),
        beware: unreduced(answer).map(Into::into).into_iter().collect(),
        patches: [
            patch(Does::MakeItFail, ends.good, &cause.culprit_patch),
            patch(Does::MakeItPass, ends.bad, &cause.fix_patch),
        ]
        .into_iter()
        .chain(cause.spot.iter().map(|spot| patch(Does::ShowAPlace, ends.bad, &spot.patch)))
        .collect(),
    })
}

/// Returns the changes that make the newest version pass.
fn fix(answer: &HistoryAnswer) -> Option<Section<'_>> {
    let forward = answer.forward.as_ref()?;
    let mut blocks = vec![Block::Text(format!("Note that {NO_REPAIR}; {}.", fixed(forward)))];
    if forward.is_elsewhere {
        blocks.push(Block::Text(format!("Beware: {ELSEWHERE}.")));
    }
    blocks
        .extend(forward.also.iter().map(|it| Block::Text(format!("A wider suite: {}.", also(it)))));
    let (does, on) = (Does::MakeItPass, answer.newest.short_id.clone());
    blocks.push(Block::Patch(PatchView { does, on, patch: &forward.patch }));
    Some(Section { heading: "The fix on the newest version", blocks })
}

/// Returns the changes that had to be carried back.
fn back_port(answer: &HistoryAnswer) -> Option<Section<'_>> {
    let port = &answer.back_port;
    if port.patch.as_bytes().is_empty() {
        return None;
    }
    let text =
        format!("Older versions need {} of newer ones for the test to run.", lines(&port.size));
    let (does, on) = (Does::LetTheTestRun, port.on.clone());
    let patch = PatchView { does, on, patch: &port.patch };
    let blocks = vec![Block::Text(text), Block::Patch(patch)];
    Some(Section { heading: "The back-port", blocks })
}

/// Returns the versions that the walk tested.
fn steps(answer: &HistoryAnswer) -> Option<Section<'_>> {
    let row = |step: &HistoryStep| [step.version.clone(), number(step.place), result(step)];
    let rows: Vec<[String; 3]> = answer.steps.iter().map(row).collect();
    let head = ["version", "back", "result"];
    let blocks = vec![Block::Table { head, rows }];
    (!answer.steps.is_empty())
        .then_some(Section { heading: "The way through the versions", blocks })
}

/// Returns the versions that could not be tested.
fn untestable(answer: &HistoryAnswer) -> Option<Section<'_>> {
    let stretches = answer.stretches.iter().map(|it| stretch(it) + fate(it.fate));
    let blocks = vec![Block::List(stretches.collect())];
    let is_there = !answer.stretches.is_empty();
    is_there.then_some(Section { heading: "Versions that cannot be tested", blocks })
}
