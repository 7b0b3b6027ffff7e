//! Words for a run of `history` that could not be carried out.

use std::ffi::OsStr;

use whodunit_exec::quote;
use whodunit_jobs::history::{HistoryError, HistorySettings};
use whodunit_run::Ending;
use whodunit_run::judge::{Observation, Stage};

use super::hunt::{self, Run};
use super::{Words, described, limit_hint};
use crate::output::plain;
use crate::plan;
use crate::report::history::version;

/// Adds useful facts about an error.
pub(super) fn about(
    words: &mut Words,
    error: &HistoryError,
    settings: &HistorySettings,
    run: Option<&str>,
) {
    let seen = |seen: &Observation| described(seen, &hunt::test(&settings.how));
    let see = see(settings);
    let add_see = |words: &mut Words| see.iter().for_each(|see| words.add_hint(see));
    match error {
        HistoryError::TipPasses { seen: it } => {
            words.message = format!("{} does not fail: {}", newest(settings), seen(it));
            words.hint = Some(
                "the test must exit with 1 (up to 124) there; of what is not committed only tests \
                 are in it, and --until names another one to begin with;"
                    .into(),
            );
            add_see(words);
        }
        HistoryError::TipUntestable { seen: it, lacking } => {
            words.message = format!("{} cannot be tested: {}", newest(settings), seen(it));
            words.hint = Some(match (it.stage, it.ending()) {
                (Stage::Gate, _) => "the gate must exit with 0 there;".into(),
                (Stage::Configure, _) => "the line of --configure must exit with 0 there;".into(),
                (Stage::Build, _) => "the newest version must build;".into(),
                (Stage::Test, Ending::Exited(127)) => {
                    "127 says that a program is missing there;".into()
                }
                (Stage::Test, Ending::Exited(125)) => {
                    "exit 125 says that a version cannot be tested;".into()
                }
                (Stage::Test, Ending::Limited(limit)) => format!("{};", limit_hint(limit)),
                (Stage::Test, _) => "the test must exit with 1 (up to 124) there;".into(),
            });
            if let [first, ..] = &lacking[..] {
                let first = plain(&quote(first.as_os_str()));
                words.add_hint(&format!(
                    "`{first}` of your checkout is in no version; to have it in each: --with {first}"
                ));
            }
            add_see(words);
        }
        HistoryError::NoOverlay { .. } => {
            words.hint = Some(
                "paths of --overlay begin at the top of the version, and must be committed".into(),
            );
        }
        HistoryError::OneVersion if settings.good.is_some() && settings.paths.is_empty() => {
            let good = settings.good.as_deref().unwrap_or_default();
            words.message = format!("`{}` is not older than {}", plain(good), newest(settings));
            words.hint = Some(
                "--good takes an older version that passes; without it whodunit looks for one"
                    .into(),
            );
        }
        HistoryError::OneVersion => {
            words.hint = Some(
                "there is nothing to go back to; are --since, --until and --path as they should \
                 be? a shallow clone gets its past with `git fetch --unshallow`"
                    .into(),
            );
        }
        HistoryError::GoodFails { name, base: None } => {
            words.message = format!("`{}` fails too, in the same way", plain(name));
            words.hint = Some("leave out --good to look for a version that passes".into());
        }
        HistoryError::GoodFails { name, base: Some(base) } => {
            let (name, base) = (plain(name), version(base));
            words.message = format!(
                "the newest version does not come from `{name}`, so {base} was tested instead: it \
                 fails too, in the same way"
            );
            words.hint = Some(format!(
                "`whodunit changes {}` compares the two as they are; leave out --good to look for a \
                 version that passes",
                quote(OsStr::new(&name))
            ));
        }
        HistoryError::Protect { .. } => {
            words.hint = Some(
                "each line of it is FILE, FILE:LINE or FILE:FIRST-LAST, as in src/a.c:10-20; or it is \
                 what a coverage tool wrote about a test of the newest version"
                    .into(),
            );
        }
        HistoryError::Changes(error) => {
            let command_line = plan::history::command_line(settings);
            hunt::about(words, error, &Run { how: &settings.how, command_line, see });
            hunt::add_resume(words, error, run);
        }
    }
}

fn newest(settings: &HistorySettings) -> String {
    match &settings.until {
        Some(until) => format!("the newest version (`{}`)", plain(until)),
        None => "the newest version".into(),
    }
}

/// Returns the command with which a user can see what the test saw in the newest version,
/// if it is simple.
fn see(settings: &HistorySettings) -> Option<String> {
    let place = settings.how.origin.as_path().join(settings.place.as_path());
    let top = hunt::top(&place)?;
    let until = settings.until.as_deref().unwrap_or("HEAD");
    Some(hunt::see(&settings.how, &hunt::archive(top, until.as_ref())))
}
