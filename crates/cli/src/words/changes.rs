//! What is said about a run of `changes` that could not be carried out.

use std::path::Path;

use whodunit::Word;
use whodunit::changes::{ChangesError, ChangesSettings};
use whodunit::engine::EngineError;
use whodunit::oracle::{Observation, Stage, quote};
use whodunit::process::Ending;
use whodunit::versions::ReadError;

use super::{Words, command_hint, described, scratch_hint, storage_hint, worker_hint};
use crate::output;
use crate::plan;

/// Adds what is worth knowing about an error.
pub(super) fn about(
    words: &mut Words,
    error: &ChangesError,
    settings: &ChangesSettings,
    run: Option<&str>,
) {
    let (good, bad) = (name(&settings.good), name(&settings.bad));
    let seen = |seen: &Observation| described(seen, &test(settings));
    match error {
        ChangesError::Swapped => {
            words.message = format!("the versions are swapped: {good} fails and {bad} passes");
            words.hint = Some(format!(
                "the good version comes first:\n  {}",
                plan::changes::command_line(&ChangesSettings {
                    good: settings.bad.clone(),
                    bad: settings.good.clone(),
                    ..settings.clone()
                })
            ));
        }
        ChangesError::BothPass { seen: bad_one } => {
            words.message = format!("{bad} does not fail to begin with: {}", seen(bad_one));
            words.hint = Some(format!(
                "the test must exit with 1 (up to 124) in the bad version;\n{}",
                see(settings, &settings.bad)
            ));
        }
        ChangesError::BothFail { seen: good_one } => {
            words.message = format!("{good} fails too: {}", seen(good_one));
            words.hint = Some(format!(
                "the test must exit with 0 in the good version; perhaps an older one is good, or \
                 the test needs something that only the bad version has;\n{}",
                see(settings, &settings.good)
            ));
        }
        ChangesError::Untestable { is_good, seen: it } => {
            let (name, version) =
                if *is_good { (good, &settings.good) } else { (bad, &settings.bad) };
            words.message = format!("{name} cannot be tested: {}", seen(it));
            let why = match (it.stage, it.ending()) {
                (Stage::Gate, _) => "the gate must exit with 0 in both versions",
                (Stage::Build, _) => "both versions must build",
                (Stage::Test, Ending::Limited(limit)) => super::limit_hint(limit),
                (Stage::Test, _) => "exit 125 says that a version cannot be tested",
            };
            words.hint = Some(format!("{why};\n{}", see(settings, version)));
        }
        ChangesError::Flaky { first, second } => {
            words.message = "two tests of the same version differ".into();
            words.causes = vec![
                format!("the first time {}", seen(first)),
                format!("the second time {}", seen(second)),
            ];
            words.hint = Some(format!(
                "make the test repeatable; if only the words differ, let any failure count with \
                 --any-failure;\n{}",
                see(settings, &settings.bad)
            ));
        }
        ChangesError::NotRunnable { seen: it } => {
            words.message = format!("the test could not do its work: {}", seen(it));
            let why = match it.ending() {
                Ending::Exited(127) => "127 says that a program is missing in that version",
                _ => {
                    "127, 128 and up, or a signal from outside, end the run as they end `git \
                     bisect run`; if that is what you are after: -- sh -c 'COMMAND || exit 1'"
                }
            };
            words.hint = Some(format!("{why};\n{}", see(settings, &settings.bad)));
        }
        other => words.hint = hint(other, settings),
    }
    if let (Some(run), true) = (run, can_go_on(error)) {
        words.add_hint(&format!("to go on: whodunit resume {}", quote(run.as_ref())));
    }
}

fn hint(error: &ChangesError, settings: &ChangesSettings) -> Option<String> {
    match error {
        ChangesError::NoSuchVersion { .. } => Some(
            "a version is a folder, an archive, or a revision of the repository that the current \
             folder is in"
                .into(),
        ),
        ChangesError::Version(error) => error.hint().or_else(|| {
            Some(
                "`git log --oneline` and `git tag` list revisions; folders and archives are \
                 relative to the current folder"
                    .into(),
            )
        }),
        ChangesError::File(error) => of_repository(error),
        ChangesError::NoDifference => {
            Some("are they the right ones? what is not committed is in no revision".into())
        }
        ChangesError::Changed => Some(format!(
            "start afresh:\n  cd {} && {}",
            quote(settings.how.origin.as_os_str()),
            plan::changes::command_line(settings)
        )),
        ChangesError::WarmDisagrees => {
            Some("the test is not repeatable, not even in clean folders; make it so".into())
        }
        ChangesError::Write { source, .. } => {
            storage_hint(source.kind()).or_else(|| Some("choose another place with --out".into()))
        }
        ChangesError::NothingToVerify => {
            Some("answers of `--level commit` hold nothing that could be replayed".into())
        }
        ChangesError::DoesNotApply { .. } => {
            Some("the proof is about the patch and the version as they were then".into())
        }
        ChangesError::Command(error) => Some(command_hint(error)),
        ChangesError::Scratch(error) => Some(scratch_hint(error)),
        ChangesError::Worker(error) | ChangesError::Engine(EngineError::Worker(error)) => {
            worker_hint(error)
        }
        ChangesError::Engine(EngineError::Observer(source)) | ChangesError::Io(source) => {
            storage_hint(source.kind())
        }
        _ => None,
    }
}

/// Returns what to do about a file that cannot be read, if it is in a repository.
fn of_repository(error: &ReadError) -> Option<String> {
    let inner = error.source.get_ref()?;
    inner.downcast_ref::<whodunit::vcs::Error>()?.hint()
}

/// Returns whether the run can go on where it stopped once the trouble is over.
fn can_go_on(error: &ChangesError) -> bool {
    use ChangesError::{Engine, Io, Scratch, StoppedEarly, Worker, Write};
    matches!(error, Scratch(_) | Worker(_) | Engine(_) | Io(_) | StoppedEarly | Write { .. })
}

fn name(version: &Word) -> String {
    format!("`{}`", output::plain(&version.as_os_str().to_string_lossy()))
}

fn test(settings: &ChangesSettings) -> String {
    let words = settings.how.test.iter().map(|word| quote(word.as_os_str()));
    format!("`{}`", output::plain(&words.collect::<Vec<_>>().join(" ")))
}

/// Returns the command with which to see for oneself what a test saw in a version.
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
        // From below the top, git would pack what is below only.
        let top = origin.ancestors().find(|folder| folder.join(".git").exists());
        let top = quote(top.unwrap_or(origin).as_os_str());
        format!("git -C {top} archive {} | tar -x", quote(version.as_os_str()))
    };
    let mut steps = vec![r#"cd "$(mktemp -d)""#.to_owned(), lay_out];
    steps.extend(settings.how.build.clone());
    let typed = |(place, word): (usize, &Word)| typed(origin, place, word);
    steps.push(settings.how.test.iter().enumerate().map(typed).collect::<Vec<_>>().join(" "));
    format!("to see what the test saw:\n  {}; echo $?", steps.join(" && "))
}

/// Returns a word of the command as it is typed elsewhere: the script is the one that is here.
fn typed(origin: &Path, place: usize, word: &Word) -> String {
    let path = origin.join(word.as_path());
    let has_slash = word.as_os_str().to_string_lossy().contains('/');
    let is_script = path.is_file() && ((place == 0 && has_slash) || place == 1);
    if is_script {
        quote(path.components().collect::<std::path::PathBuf>().as_os_str())
    } else {
        quote(word.as_os_str())
    }
}
