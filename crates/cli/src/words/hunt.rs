//! Words for versions and tests that cannot be used, in `changes` and in `history`.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use whodunit_exec::quote;
use whodunit_jobs::LabError;
use whodunit_jobs::changes::{ChangesError, VersionSettings};
use whodunit_jobs::vcs::Error;
use whodunit_jobs::versions::ReadError;
use whodunit_run::Ending;
use whodunit_run::Word;
use whodunit_run::judge::Observation;

use super::{Words, command_hint, described, lab_can_go_on, lab_hint, scratch_hint, storage_hint};
use crate::output;

/// A run that could not be carried out.
pub(super) struct Run<'a> {
    pub(super) how: &'a VersionSettings,
    /// The typed command line.
    pub(super) command_line: String,
    /// The command with which a user can see what a test of the failing version sees, if there is
    /// one.
    pub(super) see: Option<String>,
}

/// Adds useful facts about an error of any such run.
pub(super) fn about(words: &mut Words, error: &ChangesError, run: &Run<'_>) {
    let seen = |seen: &Observation| described(seen, &test(run.how));
    match error {
        ChangesError::Flaky { first, second } => {
            words.message = "two tests of the same version differ".into();
            words.causes = vec![
                format!("the first time {}", seen(first)),
                format!("the second time {}", seen(second)),
            ];
            words.hint = Some(
                "make the test repeatable; if only the words differ, let any failure count with \
                 --any-failure;"
                    .into(),
            );
            run.see.iter().for_each(|see| words.add_hint(see));
        }
        ChangesError::Unsteady { version, first, second } => {
            words.message = format!(
                "the test is not steady: of {} it says one thing now and another then, each time in \
                 a clean folder",
                output::plain(version)
            );
            words.causes = vec![
                format!("the first time {}", output::plain(first)),
                format!("the second time {}", seen(second)),
            ];
            words.hint = Some(
                "make the test repeatable: fix its seeds, times and order, and let it share nothing \
                 with other tests; -j1 shows whether it is the load;"
                    .into(),
            );
            run.see.iter().for_each(|see| words.add_hint(see));
        }
        ChangesError::Lab(LabError::NotRunnable { seen: it }) => {
            words.message = format!("the test could not do its work: {}", seen(it));
            let why = match it.ending() {
                Ending::Exited(127) => "127 says that a program is missing in that version;",
                _ => {
                    "127, 128 and up, or a signal from outside, end the run as they end `git \
                     bisect run`; if that is what you are after: -- sh -c 'COMMAND || exit 1';"
                }
            };
            words.hint = Some(why.into());
            run.see.iter().for_each(|see| words.add_hint(see));
        }
        ChangesError::Version(Error::UnknownRevision { spec, .. }) if is_path(spec) => {
            words.message = format!("there is no folder or archive `{}`", output::plain(spec));
            words.hint = Some("is it spelled right?".into());
        }
        other => words.hint = hint(other, run),
    }
}

/// Returns whether a text names a file rather than a revision.
fn is_path(text: &str) -> bool {
    ["/", "./", "../", "~/"].iter().any(|start| text.starts_with(start)) || text.ends_with('/')
}

/// Adds how to continue, if the run can continue where it stopped once the trouble is over.
pub(super) fn add_resume(words: &mut Words, error: &ChangesError, run: Option<&str>) {
    use ChangesError::{Io, Lab, Scratch, Write};
    let can_go_on = match error {
        Lab(error) => lab_can_go_on(error),
        other => matches!(other, Scratch(_) | Io(_) | Write { .. }),
    };
    if let (Some(run), true) = (run, can_go_on) {
        words.add_hint(&format!("to continue: whodunit resume {}", quote(run.as_ref())));
    }
}

fn hint(error: &ChangesError, run: &Run<'_>) -> Option<String> {
    match error {
        ChangesError::Version(error) => error.hint().or_else(|| {
            Some(
                "`git log --oneline` and `git tag` list revisions; folders and archives are \
                 relative to the current folder"
                    .into(),
            )
        }),
        ChangesError::File(error) => of_repository(&error.source),
        ChangesError::NoLink { .. } => {
            Some("--with takes what is there now: a path from here".into())
        }
        ChangesError::Changed => {
            let origin = quote(run.how.origin.as_os_str());
            Some(format!("start afresh:\n  cd {origin} && {}", run.command_line))
        }
        ChangesError::FileChanged { .. } => Some(
            "tests must not write to the versions themselves, and nobody else while they run; \
             compare copies, then start afresh"
                .into(),
        ),
        ChangesError::Write { source, .. } => {
            storage_hint(source.kind()).or_else(|| Some("choose another place with --out".into()))
        }
        ChangesError::NothingToVerify => {
            Some("the run was ended before it had anything to show".into())
        }
        ChangesError::DoesNotApply { .. } => {
            Some("the proof is about the patch and the version as they were then".into())
        }
        ChangesError::Atomic(error) => super::atoms::of_tests(error),
        ChangesError::Command(error) => Some(command_hint(error)),
        ChangesError::Scratch(error) => Some(scratch_hint(error)),
        ChangesError::Lab(error) => lab_hint(error),
        ChangesError::Io(source) => of_repository(source).or_else(|| storage_hint(source.kind())),
        _ => None,
    }
}

/// Returns what to do about a file that cannot be read, if it is in a repository.
pub(super) fn of_repository(error: &io::Error) -> Option<String> {
    let inner = error.get_ref()?;
    if let Some(error) = inner.downcast_ref::<whodunit_jobs::vcs::Error>() {
        return error.hint();
    }
    if let Some(error) = inner.downcast_ref::<ReadError>() {
        return of_repository(&error.source);
    }
    of_repository(inner.downcast_ref::<io::Error>()?)
}

/// Returns the test of the versions, as it was typed, between backticks.
pub(super) fn test(how: &VersionSettings) -> String {
    format!("`{}`", typed_test(how))
}

/// Returns the test of the versions, as it was typed.
pub(super) fn typed_test(how: &VersionSettings) -> String {
    let words = how.test.iter().map(|word| quote(word.as_os_str()));
    output::plain(&words.collect::<Vec<_>>().join(" "))
}

/// Returns the files of the checkout that the test names, also in a line for a shell. Files that
/// are the test itself are left out, because their current text is used anyway.
pub(super) fn files_of_test(how: &VersionSettings) -> Vec<String> {
    let words = how.test.iter().skip(1).map(|word| word.as_os_str().to_string_lossy());
    let parts = words.flat_map(|word| {
        let in_line = word.contains(char::is_whitespace);
        let parts = word.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        parts.into_iter().filter(move |_| in_line)
    });
    let is_file = |part: &String| how.origin.as_path().join(part).is_file();
    let mut files: Vec<String> = parts.filter(is_file).map(|part| quote(part.as_ref())).collect();
    files.dedup();
    files.truncate(1);
    files
}

/// Returns the top of the repository that a folder is in.
pub(super) fn top(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}

/// Returns the command that lays out a revision. Run below the top, git would pack only that
/// folder.
pub(super) fn archive(top: &Path, revision: &OsStr) -> String {
    format!("git -C {} archive {} | tar -x", quote(top.as_os_str()), quote(revision))
}

/// Returns the command with which a user can see what a test saw in a version.
pub(super) fn see(how: &VersionSettings, lay_out: &str) -> String {
    let mut steps = vec![r#"cd "$(mktemp -d)""#.to_owned(), lay_out.to_owned()];
    steps.extend(how.configure.clone());
    steps.extend(how.build.clone());
    let typed = |(place, word): (usize, &Word)| typed(how.origin.as_path(), place, word);
    steps.push(how.test.iter().enumerate().map(typed).collect::<Vec<_>>().join(" "));
    format!("to see what the test saw:\n  {}; echo $?", steps.join(" && "))
}

/// Returns a word of the command for use in another folder: a script is named by its full path.
fn typed(origin: &Path, place: usize, word: &Word) -> String {
    let path = origin.join(word.as_path());
    let has_slash = word.as_os_str().to_string_lossy().contains('/');
    let is_script = path.is_file() && ((place == 0 && has_slash) || place == 1);
    if is_script {
        quote(path.components().collect::<PathBuf>().as_os_str())
    } else {
        quote(word.as_os_str())
    }
}
