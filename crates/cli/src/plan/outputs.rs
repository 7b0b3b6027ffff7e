//! Makes sure that a run overwrites nothing that it reads, except with `--in-place`, and does not write
//! twice to one place.
//!
//! Files are compared by identity and not by path: a link to a file is that file.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use whodunit_input::tidy;
use whodunit_jobs::changes::{ChangesSettings, VersionSettings};
use whodunit_jobs::history::HistorySettings;
use whodunit_jobs::reduce::{Destination, LanguageSettings, ReduceSettings, Test};
use whodunit_run::Word;

use super::{EventsTo, OutputPlan};
use crate::args::PagesArgs;
use crate::trouble::Usage;

/// The patches that a run writes into the folder of `--out`, without those of further causes.
const PATCHES: [&str; 7] = [
    "culprit.patch",
    "fix.patch",
    "commit-culprit.patch",
    "commit-fix.patch",
    "without-spot.patch",
    "back-port.patch",
    "culprit-fix.patch",
];

/// A file or folder that the run writes.
struct Written {
    /// The flag that asks for it, or the words that name it.
    flag: &'static str,
    path: PathBuf,
}

/// A file that the run reads or executes.
struct Used {
    what: &'static str,
    path: PathBuf,
}

/// The identity of a file or folder.
#[derive(PartialEq, Eq)]
enum Identity {
    /// The device and inode numbers of a file or folder that exists.
    There(u64, u64),
    /// The path of a file that does not exist yet.
    Missing(PathBuf),
}

/// The files that a run writes and uses, with the folder in which its command was typed.
struct Outputs<'a> {
    origin: &'a Path,
    written: Vec<Written>,
    used: Vec<Used>,
}

/// Checks the places that a run of `reduce` writes to.
pub(crate) fn check_reduce(settings: &ReduceSettings, output: &OutputPlan) -> Result<(), Usage> {
    let mut outputs = Outputs::new(settings.origin.as_path(), output);
    let inputs = settings.paths();
    outputs.check_inputs(&inputs)?;
    let flag = match settings.destination {
        Destination::At(_) => "--out",
        Destination::Beside => "the result",
        // The run writes over the inputs themselves.
        Destination::InPlace => "--in-place",
    };
    if settings.destination != Destination::InPlace {
        let mut results = settings.results();
        // A file that is given twice is reported elsewhere.
        results.dedup();
        outputs.written.extend(results.into_iter().map(|path| Written { flag, path }));
    }
    let kept = settings.keep_tests.as_ref().map(|folder| outputs.origin.join(folder.as_path()));
    outputs.written.extend(kept.map(|path| Written { flag: "--keep-tests", path }));
    match &settings.test {
        Test::Script(script) => outputs.uses("the test", script),
        Test::Command(words) => outputs.runs("part of the test", words),
    }
    outputs.lines("part of a gate", &settings.gates);
    match &settings.language {
        LanguageSettings::Grammar { path, lexical } => {
            outputs.uses("the grammar", path);
            lexical.iter().for_each(|lexical| outputs.uses("the grammar", lexical));
        }
        LanguageSettings::Hierarchy(file) => outputs.uses("the description of the input", file),
        _ => {}
    }
    outputs.check()
}

/// Checks the places that a run of `changes` writes to.
pub(crate) fn check_changes(
    settings: &ChangesSettings,
    output: &OutputPlan,
    pages: &PagesArgs,
) -> Result<(), Usage> {
    let ChangesSettings { good, bad, how, .. } = settings;
    let outputs = Outputs::of_versions(how, output, pages);
    let versions = [good, bad].map(|version| outputs.origin.join(version.as_path()));
    outputs.check_inputs(&versions)?;
    outputs.check()
}

/// Checks the places that a run of `history` writes to.
pub(crate) fn check_history(
    settings: &HistorySettings,
    output: &OutputPlan,
    pages: &PagesArgs,
) -> Result<(), Usage> {
    let mut outputs = Outputs::of_versions(&settings.how, output, pages);
    settings.protect.iter().for_each(|file| outputs.uses("the file of --protect", file));
    outputs.lines("part of a command", &settings.also);
    outputs.lines("part of a command", &settings.memcheck);
    outputs.check()
}

impl<'a> Outputs<'a> {
    fn new(origin: &'a Path, output: &OutputPlan) -> Self {
        let mut outputs = Outputs { origin, written: Vec::new(), used: Vec::new() };
        if let Some(EventsTo::File(path)) = &output.events {
            outputs.written.push(Written { flag: "--events", path: path.clone() });
        }
        outputs
    }

    fn of_versions(how: &'a VersionSettings, output: &OutputPlan, pages: &PagesArgs) -> Self {
        let mut outputs = Outputs::new(how.origin.as_path(), output);
        for (flag, file) in [("--sarif", &pages.sarif), ("--markdown", &pages.markdown)] {
            let file = file.clone().filter(|file| file.as_os_str() != "-");
            outputs.written.extend(file.map(|path| Written { flag, path }));
        }
        if let Some(folder) = &how.out {
            let folder = outputs.origin.join(folder.as_path());
            let patches = PATCHES.map(|name| Written { flag: "--out", path: folder.join(name) });
            outputs.written.extend(patches);
        }
        outputs.runs("part of the test", &how.test);
        how.with.iter().for_each(|with| outputs.uses("given to every version", with));
        how.needs_file.iter().for_each(|file| outputs.uses("the file of --needs-file", file));
        outputs.lines("part of a gate", &how.gates);
        let lines = [&how.configure, &how.build, &how.clean, &how.hint];
        lines.into_iter().for_each(|line| outputs.lines("part of a command", line));
        let atomic = how.atomic.iter();
        let reports =
            atomic.flat_map(|it| it.coverage.iter().chain(&it.reports).chain(&it.test_coverage));
        reports.for_each(|file| outputs.uses("a report that is read", file));
        outputs
    }

    fn uses(&mut self, what: &'static str, path: &Word) {
        self.used.push(Used { what, path: self.origin.join(path.as_path()) });
    }

    /// Adds the files that are named by words, or inside of words that are lines for a shell.
    fn runs(&mut self, what: &'static str, words: &[Word]) {
        for word in words {
            self.uses(what, word);
            self.lines(what, &[word.as_os_str().to_string_lossy()]);
        }
    }

    /// Adds the files that are named in lines for a shell.
    fn lines(&mut self, what: &'static str, lines: impl IntoIterator<Item: AsRef<str>>) {
        let ends = |letter: char| letter.is_whitespace() || "'\"`;|&<>()=".contains(letter);
        for line in lines {
            let words = line.as_ref().split(ends).filter(|word| !word.is_empty());
            words.for_each(|word| self.uses(what, &Word::from(word)));
        }
    }

    /// Refuses a file that would be written over an input or into it.
    fn check_inputs(&self, inputs: &[PathBuf]) -> Result<(), Usage> {
        for Written { flag, path } in &self.written {
            for input in inputs {
                if is_same(path, input) {
                    let path = path.display().to_string();
                    return Err(Usage::WritesOver { flag, path, what: "the input" });
                }
                if input.is_dir() && real(path).starts_with(real(input)) {
                    let (path, folder) = (path.display().to_string(), input.display().to_string());
                    return Err(Usage::WritesInto { flag, path, folder, what: "the input" });
                }
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Usage> {
        for (place, Written { flag, path }) in self.written.iter().enumerate() {
            // A word that names no file here may name one in the folder of a test, so it is no conflict.
            let is_used = |it: &&Used| it.path.is_file() && is_same(&it.path, path);
            if let Some(Used { what, .. }) = self.used.iter().find(is_used) {
                return Err(Usage::WritesOver { flag, path: path.display().to_string(), what });
            }
            let other = self.written[..place].iter().find(|it| is_same(&it.path, path));
            if let Some(Written { flag: other, .. }) = other {
                return Err(Usage::WritesTwice { flag, other, path: path.display().to_string() });
            }
        }
        Ok(())
    }
}

/// Returns whether two paths lead to the same file or folder. Devices and pipes are never the same, because
/// writing to them destroys nothing.
fn is_same(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|one| identity(other) == Some(one))
}

fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => {
            Some(Identity::There(found.dev(), found.ino()))
        }
        Ok(_) => None,
        Err(_) => Some(Identity::Missing(real(path))),
    }
}

/// Returns the path with its links resolved, as far as the path exists.
fn real(path: &Path) -> PathBuf {
    let path = tidy(&std::path::absolute(path).unwrap_or_else(|_| path.into()));
    let there = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    match there {
        Some((above, real)) => match path.strip_prefix(above) {
            Ok(below) if !below.as_os_str().is_empty() => real.join(below),
            _ => real,
        },
        None => path,
    }
}
