//! The claims of `isolate`: one input passes, the result fails, and nothing lies between the two.

use whodunit_core::Verdict;
use whodunit_exec::local::Local;
use whodunit_input::{Granularity, Input, InputCandidate, Snapshot};
use whodunit_run::evidence::Claim;

use super::ReduceError;
use super::regions::shorten;
use super::result::Targets;
use crate::answer::{Differing, Isolation};
use crate::lab::Lab;

/// An input that passes, with its claims and the difference to the result.
pub(super) struct Isolated {
    passing: InputCandidate,
    verdict: Claim,
    difference: Vec<Differing>,
    minimal: bool,
}

/// Makes the claims, with tests of the contents that have no test in a clean folder of this run.
/// `None` if the tests or the time do not suffice, or if the passing input no longer passes.
pub(super) fn prove(
    lab: &mut Lab<'_, Input, Local<Input>>,
    found: &whodunit_input::Isolated,
    finest: Granularity,
) -> Result<Option<Isolated>, ReduceError> {
    let verdict = lab.claim_all(std::slice::from_ref(&found.passing))?.pop().flatten();
    let Some(verdict) = verdict.filter(|claim| claim.verdict() == Verdict::Pass) else {
        return Ok(None);
    };
    let minimal = match found.difference.as_slice() {
        [_] => true,
        deltas => {
            let between = deltas.iter().flat_map(|it| [it.added.clone(), it.taken.clone()]);
            let claims = lab.claim_all(&between.collect::<Vec<_>>())?;
            let is_unresolved = |claim: &Option<Claim>| {
                claim.as_ref().is_some_and(|claim| claim.verdict() == Verdict::Unresolved)
            };
            claims.iter().all(is_unresolved)
        }
    };
    let failing = found.failing.snapshot();
    let difference = found.difference.iter().map(|it| {
        let file = failing.file_at(it.addresses.start);
        let first = failing.addresses(file).start;
        let (start, end) = (it.addresses.start - first, it.addresses.end - first);
        let bytes = &failing.files()[file].bytes;
        let before = &bytes[..start as usize];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let text = shorten(&bytes[start as usize..end as usize]);
        Differing { level: finest.into(), file, start, end, line, text }
    });
    let difference = difference.collect();
    Ok(Some(Isolated { passing: found.passing.clone(), verdict, difference, minimal }))
}

impl Isolated {
    /// Writes the input that passes.
    pub(super) fn write(self, targets: &Targets<'_>) -> Result<Isolation, ReduceError> {
        let Isolated { passing, verdict, difference, minimal } = self;
        let passing: std::sync::Arc<Snapshot> = passing.snapshot();
        let (files, folders) = targets.passing().write(&passing)?;
        Ok(Isolation { files, folders, verdict, difference, minimal })
    }
}
