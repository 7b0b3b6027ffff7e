//! Small programs in two versions, one for each language, made from a seed.
//!
//! Between the versions there are more than eighty changes of functions, constants and types. Two
//! of them, in different files, make the test fail together: a limit is raised, and a check of the
//! result is dropped. Some of the others need each other.

mod evolve;
mod grow;
mod model;
mod render;
mod syntax;
mod words;

pub use render::File;
pub use syntax::Language;

use evolve::evolve;

/// A program in two versions.
#[derive(Debug)]
pub struct Program {
    /// The version that passes.
    pub old: Vec<File>,
    /// The version that fails.
    pub new: Vec<File>,
    /// The number of functions, constants and types that differ between the versions.
    pub changes: usize,
    /// The command to run before the test.
    pub build: Option<&'static str>,
    /// The test: 3 is the failure.
    pub test: &'static str,
    /// The changes that make it fail; both are needed.
    pub culprits: [Culprit; 2],
}

/// A change that causes the failure.
#[derive(Debug)]
pub struct Culprit {
    /// The file with the change.
    pub file: String,
    /// The function or the constant that was changed.
    pub name: String,
}

impl Language {
    /// Returns the usual name of the language.
    pub fn title(self) -> &'static str {
        self.syntax().title
    }

    /// Returns the programs that building and testing need.
    pub fn tools(self) -> &'static [&'static str] {
        self.syntax().tools
    }
}

/// Makes the program of a seed in a language.
pub fn program(language: Language, seed: u64) -> Program {
    program_with(language, seed, grow::FUNCTIONS)
}

/// Makes the program of a seed in a language, with `functions` functions in each module to begin
/// with: at least ten.
pub fn program_with(language: Language, seed: u64, functions: usize) -> Program {
    let syntax = language.syntax();
    let evolution = evolve(seed, functions);
    let culprit = |(module, name): (&str, &str)| Culprit {
        file: format!("{module}.{}", syntax.extension),
        name: render::worded(name, syntax.words),
    };
    Program {
        old: render::files(&evolution.old, &evolution.main, syntax),
        new: render::files(&evolution.new, &evolution.main, syntax),
        changes: evolution.changes(),
        build: syntax.build,
        test: syntax.test,
        culprits: evolution.culprits.map(culprit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_program_each_time_and_another_seed_another_one() {
        let files = |seed| program(Language::Rust, seed).new;
        assert_eq!(files(1), files(1));
        assert_ne!(files(1), files(2));
    }

    #[test]
    fn there_are_more_than_eighty_changes() {
        for seed in 0..20 {
            let changes = program(Language::Go, seed).changes;
            assert!(changes > 80, "seed {seed}: {changes}");
        }
    }

    #[test]
    fn both_culprits_are_in_files_of_their_own_that_differ() {
        for language in Language::ALL {
            let program = program(language, 7);
            let [one, other] = &program.culprits;
            assert_ne!(one.file, other.file);
            for culprit in [one, other] {
                let text = |files: &[File]| {
                    files.iter().find(|(name, _)| *name == culprit.file).unwrap().1.clone()
                };
                let (old, new) = (text(&program.old), text(&program.new));
                assert!(old != new && new.contains(&culprit.name), "{language:?} {culprit:?}");
            }
        }
    }
}
