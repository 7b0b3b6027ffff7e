//! Interprets the settings of `reduce`: paths, commands, rules.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use regex::bytes::RegexBuilder;
use whodunit_core::searches::Certify;
use whodunit_exec::{BadCommand, Command};
use whodunit_input::{Granularity, LadderSettings, Languages, Protection};
use whodunit_run::Word;
use whodunit_run::judge::Explicit;

use super::{ReduceError, input};
use crate::settings::{
    Certification, LanguageSettings, ReduceSettings, RuleSettings, Surroundings, Test,
};

impl ReduceSettings {
    /// Returns the paths of the inputs.
    pub fn paths(&self) -> Vec<PathBuf> {
        input::paths(self)
    }

    /// Returns the names that the inputs have in the folder of a test, files and folders alike.
    pub fn names(&self) -> Vec<PathBuf> {
        input::names(self)
    }

    /// Returns whether the only input is a description of events. If so, the texts in it are
    /// reduced.
    pub fn reads_description(&self) -> bool {
        let same = |file: &Word, input: &Word| {
            let origin = self.origin.as_path();
            origin.join(file.as_path()) == origin.join(input.as_path())
        };
        match (&self.language, self.inputs.as_slice()) {
            (LanguageSettings::Hierarchy(file), [input]) => same(file, input),
            _ => false,
        }
    }

    pub(super) fn ladder(&self, languages: Languages) -> Result<LadderSettings, ReduceError> {
        let protection = Protection::new(&self.protect)
            .map_err(|source| ReduceError::Pattern { flag: "--protect", source })?;
        // The texts of events are not cut into pieces.
        let is_described = matches!(self.language, LanguageSettings::Hierarchy(_));
        let finest = if is_described { Granularity::Files } else { self.finest };
        let (certify, search) = (self.certify.into(), self.search);
        let settings = LadderSettings::new(languages);
        Ok(LadderSettings { finest, protection, certify, search, ..settings })
    }

    pub(super) fn command(&self, surroundings: &Surroundings) -> Result<Command, ReduceError> {
        let origin = self.origin.as_path();
        let command = match &self.test {
            Test::Command(words) => self.typed(words, surroundings)?,
            Test::Script(script) => {
                // A bare name means the file in this folder, not a program of the same name on the
                // path.
                let script = origin.join(script.as_path()).into_os_string();
                Command::typed(&[script], origin, &surroundings.path)?.with_place()
            }
        };
        Ok(command)
    }

    /// Returns the command with these words.
    pub(super) fn typed(
        &self,
        words: &[Word],
        surroundings: &Surroundings,
    ) -> Result<Command, BadCommand> {
        let words: Vec<OsString> = words.iter().map(|word| word.as_os_str().to_owned()).collect();
        Command::typed(&words, self.origin.as_path(), &surroundings.path)
    }

    /// Returns how many words of the command are the program itself, which includes a script after
    /// an interpreter.
    pub(super) fn program_words(&self) -> usize {
        match &self.test {
            Test::Command(words) => {
                let script = words.get(1).map(|word| self.origin.as_path().join(word.as_path()));
                1 + usize::from(script.is_some_and(|script| script.is_file()))
            }
            Test::Script(_) => 1,
        }
    }

    /// Returns the files of the test itself, by their real paths.
    pub(super) fn test_files(&self) -> Vec<PathBuf> {
        let words = match &self.test {
            Test::Command(words) => &words[..self.program_words()],
            Test::Script(script) => std::slice::from_ref(script),
        };
        let is_script = matches!(self.test, Test::Script(_));
        // A first word without a slash is a program on the path, not the file of that name in this
        // folder.
        let is_here = |place: usize, word: &Word| {
            place > 0 || is_script || word.as_path().components().count() > 1
        };
        let here = words.iter().enumerate().filter(|(place, word)| is_here(*place, word));
        let real = |word: &Word| fs::canonicalize(self.origin.as_path().join(word.as_path())).ok();
        here.filter_map(|(_, word)| real(word)).collect()
    }

    pub(super) fn gates(&self, surroundings: &Surroundings) -> Result<Vec<Command>, ReduceError> {
        let shell = |line: &String| Command::shell(line, self.origin.as_path(), &surroundings.path);
        self.gates.iter().map(|line| Ok(shell(line)?)).collect()
    }

    /// Returns whether the test gets the candidate as its standard input.
    pub(super) fn feeds_stdin(&self, command: &Command) -> bool {
        self.inputs.len() == 1 && (matches!(self.test, Test::Script(_)) || !command.has_place())
    }
}

impl RuleSettings {
    pub(super) fn explicit(&self) -> Result<Explicit, ReduceError> {
        let matching = self
            .matching
            .as_ref()
            .map(|pattern| RegexBuilder::new(pattern).multi_line(true).build())
            .transpose()
            .map_err(|source| ReduceError::Pattern { flag: "--fail-match", source })?;
        let RuleSettings { exit, signal, timeout, any, .. } = self.clone();
        Ok(Explicit { exit, matching, signal, timeout, any })
    }
}

impl From<Certification> for Certify {
    fn from(certification: Certification) -> Self {
        match certification {
            Certification::Full => Certify::Full,
            Certification::Dirty => Certify::Dirty,
            Certification::None => Certify::None,
        }
    }
}
