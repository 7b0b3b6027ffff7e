//! Words for a run of `changes` that could not be carried out.

use whodunit_exec::quote;
use whodunit_jobs::changes::{ChangesError, ChangesSettings};
use whodunit_run::Ending;
use whodunit_run::Word;
use whodunit_run::judge::{Observation, Stage};

use super::hunt::{self, Run};
use super::{Words, described};
use crate::output;
use crate::plan;

/// Adds useful facts about an error.
pub(super) fn about(
    words: &mut Words,
    error: &ChangesError,
    settings: &ChangesSettings,
    run: Option<&str>,
) {
    let (good, bad) = (name(&settings.good), name(&settings.bad));
    let seen = |seen: &Observation| described(seen, &hunt::test(&settings.how));
    match error {
        ChangesError::Swapped => {
            words.message = format!("the versions are swapped: {good} fails and {bad} passes");
            words.hint = Some(format!(
                "the good version comes first:\n  {}",
                plan::changes::command_line(&ChangesSettings::new(
                    settings.bad.clone(),
                    settings.good.clone(),
                    settings.how.clone(),
                ))
            ));
        }
        ChangesError::BothPass { seen: bad_one } => {
            words.message = format!("{bad} does not fail: {}", seen(bad_one));
            words.hint = Some(format!(
                "the test must exit with 1 (up to 124) in the bad version;\n{}",
                see(settings, &settings.bad)
            ));
        }
        ChangesError::BothFail { seen: good_one } => {
            words.message = format!("{good} fails too: {}", seen(good_one));
            words.hint = Some(
                "the test must exit with 0 in the good version; perhaps only an older one is good"
                    .into(),
            );
            for file in hunt::files_of_test(&settings.how) {
                words.add_hint(&format!(
                    "if {file} is newer than {good}: --with {file} gives it to both versions, or\n  \
                     whodunit history --overlay {file} -- {}",
                    hunt::typed_test(&settings.how)
                ));
            }
            words.add_hint(&see(settings, &settings.good));
        }
        ChangesError::Untestable { is_good, seen: it } => {
            let (name, version) =
                if *is_good { (good, &settings.good) } else { (bad, &settings.bad) };
            words.message = format!("{name} cannot be tested: {}", seen(it));
            let why = match (it.stage, it.ending()) {
                (Stage::Gate, _) => "the gate must exit with 0 in both versions",
                (Stage::Configure, _) => {
                    "the line of --configure must exit with 0 in both versions"
                }
                (Stage::Build, _) => "both versions must build",
                (Stage::Test, Ending::Limited(limit)) => super::limit_hint(limit),
                (Stage::Test, _) => "exit 125 says that a version cannot be tested",
            };
            words.hint = Some(format!("{why};\n{}", see(settings, version)));
        }
        ChangesError::NoSuchVersion { .. } => {
            words.hint = Some(
                "a version is a folder, an archive, or a revision of the repository that the \
                 current folder is in"
                    .into(),
            );
        }
        ChangesError::NoDifference => {
            words.hint =
                Some("are they the right ones? what is not committed is in no revision".into());
        }
        other => {
            let run = Run {
                how: &settings.how,
                command_line: plan::changes::command_line(settings),
                see: Some(see(settings, &settings.bad)),
            };
            hunt::about(words, other, &run);
        }
    }
    hunt::add_resume(words, error, run);
}

fn name(version: &Word) -> String {
    format!("`{}`", output::inert(&version.as_os_str().to_string_lossy()))
}

/// Returns the command with which a user can see what a test saw in a version.
fn see(settings: &ChangesSettings, version: &Word) -> String {
    let origin = settings.how.origin.as_path();
    let path = origin.join(version.as_path());
    let place = quote(path.as_os_str());
    let lay_out = if path.is_dir() {
        format!("cp -a {place}/. .")
    } else if path.is_file() {
        let is_zip = path.extension().is_some_and(|extension| extension == "zip");
        let unpack = if is_zip { "unzip -q" } else { "tar -xf" };
        format!("{unpack} {place}")
    } else {
        hunt::archive(hunt::top(origin).unwrap_or(origin), version.as_os_str())
    };
    hunt::see(&settings.how, &lay_out)
}
