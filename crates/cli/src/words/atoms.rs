//! Words for atomic changes that could not be listed, and for tests whose files cannot be used.

use whodunit_exec::quote;
use whodunit_jobs::atomic::AtomicError;
use whodunit_jobs::changes::ChangesError;
use whodunit_jobs::coverage::SuiteError;
use whodunit_jobs::listing::AtomsSettings;

use super::storage_hint;

/// Returns what to do about atomic changes that could not be listed.
pub(super) fn hint(error: &ChangesError, settings: &AtomsSettings) -> Option<String> {
    match error {
        ChangesError::NoSuchVersion { .. } => {
            let origin = quote(settings.origin.as_os_str());
            Some(format!(
                "a version is a folder, an archive, or a revision of the repository that {origin} \
                 is in"
            ))
        }
        ChangesError::Version(error) => error.hint().or_else(|| {
            Some("`git log --oneline` and `git tag` list revisions of a repository".into())
        }),
        ChangesError::Atomic(error) => of_tests(error),
        _ => None,
    }
}

/// Returns what to do about an error in the data about tests.
pub(super) fn of_tests(error: &AtomicError) -> Option<String> {
    match error {
        AtomicError::Read { source, .. } => storage_hint(source.kind()),
        AtomicError::Coverage(_) => Some(
            "--coverage and --test-coverage take JaCoCo's XML, LCOV, the JSON of gcov, llvm-cov or \
             coverage.py, or a profile of Go"
                .into(),
        ),
        AtomicError::OtherBuild { .. } | AtomicError::NothingRan => Some(
            "measure the failing test in the bad version; paths need only agree at their ends"
                .into(),
        ),
        AtomicError::Suite(SuiteError::NothingFails { .. }) => Some(
            "--junit takes the reports of the bad version, in which at least one test fails".into(),
        ),
        AtomicError::Suite(SuiteError::NothingCovered { .. } | SuiteError::NoCoverage { .. }) => Some(
            "name coverage files after their tests, as in AccountTest.testTransfer.xml".into(),
        ),
        AtomicError::Suite(SuiteError::Read(_)) | AtomicError::File(_) => None,
        AtomicError::UnknownTests { .. } => {
            Some("--junit takes reports of tests whose sources are in the bad version".into())
        }
        AtomicError::NoEntry { .. } => Some(
            "name a method as Class.method, a function or a class of the bad version, as `whodunit \
             atoms` writes them; without --entry the name is looked for in the command"
                .into(),
        ),
    }
}
