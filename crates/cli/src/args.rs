//! The one definition of all flags: the parser, the help, the man pages and the completions come
//! from it. The meaning of the flags is decided in [`plan`](crate::plan).

mod atomic;
mod changes;
mod flaky;
mod help;
mod history;
mod hunt;
mod pages;
mod parse;
mod steady;

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub(crate) use atomic::{AtomicArgs, AtomsArgs, AtomsOutput, Rank, SuspectArgs};
pub(crate) use changes::ChangesArgs;
pub(crate) use flaky::{Flakiness, FlakyArgs};
use help::{
    ATOMS_HELP, CHANGES_HELP, EXIT_CODES, GRAMMAR_HELP, HISTORY_HELP, REDUCE_HELP, REPORT_HELP,
    STEADY_HELP,
};
pub(crate) use history::{HistoryArgs, VersionsArgs};
pub(crate) use hunt::{HuntArgs, HuntGroup, HuntLevel, HuntSearch, RunnerArgs};
pub(crate) use pages::PagesArgs;
pub(crate) use steady::SteadyArgs;

/// Finds the cause of a failure by running tests.
#[derive(Debug, Parser)]
#[command(name = "whodunit", version, after_help = EXIT_CODES)]
pub(crate) struct Typed {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Returns whether `--json` is among the words before those of the command to run. This is asked
/// before the words are parsed, so that errors in them are JSON as well.
pub(crate) fn wants_json(words: impl Iterator<Item = OsString>) -> bool {
    words.take_while(|word| word != "--").any(|word| word == "--json")
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the smallest input that still fails the same way
    #[command(
        override_usage = "whodunit reduce [OPTIONS] FILE... -- CMD [ARG]...\n       \
                          whodunit reduce [OPTIONS] FILE... --test SCRIPT",
        after_help = EXIT_CODES,
        after_long_help = REDUCE_HELP,
    )]
    Reduce(Box<ReduceArgs>),
    /// Find the changes between two versions that made it fail
    #[command(
        override_usage = "whodunit changes [OPTIONS] GOOD [BAD] -- CMD [ARG]...\n       \
                          whodunit changes [OPTIONS] GOOD..BAD -- CMD [ARG]...",
        after_help = EXIT_CODES,
        after_long_help = CHANGES_HELP,
    )]
    Changes(Box<ChangesArgs>),
    /// Find the version that made it fail, and its changes, without knowing one that passes
    #[command(
        override_usage = "whodunit history [OPTIONS] [PLACE] -- CMD [ARG]...",
        after_help = EXIT_CODES,
        after_long_help = HISTORY_HELP,
    )]
    History(Box<HistoryArgs>),
    /// List the atomic changes between two versions, and which of them need which
    #[command(
        override_usage = "whodunit atoms [OPTIONS] OLD [NEW]\n       \
                          whodunit atoms [OPTIONS] OLD..NEW",
        after_long_help = ATOMS_HELP,
    )]
    Atoms(AtomsArgs),
    /// Run a test many times, and say how steady it is and on what that depends
    #[command(
        override_usage = "whodunit steady [OPTIONS] [VERSION] -- CMD [ARG]...",
        after_long_help = STEADY_HELP,
    )]
    Steady(SteadyArgs),
    /// Continue an interrupted run
    #[command(after_help = EXIT_CODES)]
    Resume(ResumeArgs),
    /// Show what happened in a run
    Show(ShowArgs),
    /// Write an HTML report of a run
    #[command(after_help = REPORT_HELP)]
    Report(ReportArgs),
    /// Replay the proof of an answer that `--json` printed
    #[command(after_help = EXIT_CODES)]
    Verify(VerifyArgs),
    /// Show the rules of a language, and the minimal string of each
    #[command(after_long_help = GRAMMAR_HELP)]
    Grammar(GrammarArgs),
    /// List what earlier runs left on disk, or delete it
    Clean(CleanArgs),
    /// Watch each job at work on a small example
    Demo,
    /// Print the completions for a shell
    Completions {
        /// The shell to complete in
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder
    Man(ManArgs),
    /// Print the version of whodunit
    #[command(hide = true)]
    Version,
}

#[derive(Debug, Args)]
pub(crate) struct ReduceArgs {
    /// The file or folder to reduce; several are reduced together
    ///
    /// It can be left out with --hierarchy FILE if the description has the texts.
    #[arg(
        value_name = "FILE",
        required_unless_present = "hierarchy",
        value_hint = ValueHint::AnyPath
    )]
    pub(crate) files: Vec<PathBuf>,

    /// The command to run on each candidate, with {} for the file
    ///
    /// It must fail on the input as it is; from then on only the same failure counts. Without {}
    /// the candidate is its standard input.
    #[arg(last = true, value_name = "CMD", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<OsString>,

    /// Run this script on each candidate; exit 0 means that the failure is there
    ///
    /// It runs in a fresh folder that holds the candidate under its own name, so scripts for
    /// creduce, cvise, shrinkray and picire work unchanged. The name is also its first argument.
    #[arg(long, value_name = "SCRIPT", value_hint = ValueHint::FilePath)]
    pub(crate) test: Option<PathBuf>,

    /// Drop arguments of the command that do not matter, before the input is reduced
    ///
    /// The program, a script right after it, and words with {} stay.
    #[arg(long)]
    pub(crate) reduce_args: bool,

    #[command(flatten)]
    pub(crate) failure: FailureArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) flaky: FlakyArgs,

    /// Take only candidates that fail in at least this part of their runs, such as 0.5
    ///
    /// For a failure that comes now and then: without it, a result may be smaller and fail less often. Each
    /// candidate is run until it is clear that its rate is higher, so it takes many tests.
    #[arg(long, value_name = "RATE", value_parser = parse::rate)]
    #[arg(help_heading = "Tests that fail only sometimes")]
    pub(crate) keep_rate: Option<f64>,

    /// Look first for candidates that fail clearly more often, and keep three quarters of their rate
    ///
    /// For a race that is to be made reliable. It takes many tests.
    #[arg(long, help_heading = "Tests that fail only sometimes")]
    pub(crate) raise: bool,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) result: ResultArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What counts as the failure. Everything that is given must hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "What counts as the failure")]
pub(crate) struct FailureArgs {
    /// Run this shell line first, with {} for the file, and the test only if it exits with 0
    ///
    /// For cheap checks (syntax, types) that spare the real test. Can be repeated.
    #[arg(long, value_name = "CMD")]
    pub(crate) gate: Vec<String>,

    /// The command exits with this status. Can be repeated
    #[arg(long, value_name = "N")]
    pub(crate) fail_exit: Vec<u8>,

    /// The output of the command has a match of this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) fail_match: Option<String>,

    /// The command dies of this signal, by name or number. Can be repeated
    #[arg(long, value_name = "SIGNAL", value_parser = parse::signal)]
    pub(crate) fail_signal: Vec<i32>,

    /// The command does not end within --timeout
    #[arg(long, requires = "timeout")]
    pub(crate) fail_timeout: bool,

    /// The command exits with anything but 0, or dies of a signal
    #[arg(long)]
    pub(crate) any_failure: bool,

    /// The outcome depends on this environment variable. Can be repeated
    ///
    /// If its value is another when the run is resumed, the run starts again.
    #[arg(long, value_name = "NAME")]
    pub(crate) env: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of one test")]
pub(crate) struct LimitArgs {
    /// End a test after this time (default: from the first runs)
    ///
    /// Gates and builds have time limits of their own, always from the first runs.
    #[arg(long, value_name = "DURATION", value_parser = parse::duration)]
    pub(crate) timeout: Option<Duration>,

    /// End a test that uses more memory than this (default: from the first runs)
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub(crate) memory: Option<u64>,

    /// End a test that prints more than this (default: from the first runs)
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub(crate) max_output: Option<u64>,

    /// End a test that has more processes and threads than this at once (default: 4096)
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_processes: Option<u32>,

    /// Confine tests: no network, writes only in the test folder
    ///
    /// For programs that may do harm. If this machine cannot enforce all of it, the run ends before
    /// the first test; with --sandbox=best-effort it starts all the same, and the answer names what
    /// is missing.
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "enforce", default_value_t = Sandbox::Off)]
    #[arg(hide_default_value = true)]
    pub(crate) sandbox: Sandbox,
}

/// How tests are confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    /// All of the sandbox, or no run
    Enforce,
    /// As much of it as this machine has
    BestEffort,
    /// None of it
    Off,
}

/// What is said about a file that somebody else may have written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Answers and journals of others")]
pub(crate) struct TrustArgs {
    /// Run the commands of a file that does not come from a run of yours on this machine
    ///
    /// They are shown first. Without this they are only run if you agree on the terminal.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Confine the tests in this way (default: enforce for files of others)
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "enforce")]
    pub(crate) sandbox: Option<Sandbox>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "The language of the input")]
pub(crate) struct LanguageArgs {
    /// The language of the files (default: by name and first lines); `text` for none
    ///
    /// What is parsed is taken apart by its grammar: statements, arguments, items of lists.
    /// `whodunit grammar` lists the languages. With `text` nothing is parsed; only lines, words and
    /// characters are removed.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["grammar", "hierarchy"])]
    pub(crate) language: Option<String>,

    /// A grammar of your own: a tree-sitter folder or library, or a .y file
    ///
    /// A folder has grammar.json or parser.c in it, or in its src, and is compiled with cc or what
    /// CC says: load only what you trust. A .y file may be any grammar for YACC or Bison, ambiguous
    /// or not. `whodunit grammar PATH` shows what is understood of it.
    #[arg(long, value_name = "PATH", conflicts_with = "hierarchy", value_hint = ValueHint::AnyPath)]
    pub(crate) grammar: Option<PathBuf>,

    /// The tokens of a .y grammar (default: NAME.lex beside it)
    ///
    /// One token per line: name, regular expression, optional shortest form. SKIP is the name of
    /// what may stand between tokens.
    #[arg(long, value_name = "FILE", requires = "grammar", value_hint = ValueHint::FilePath)]
    pub(crate) lexical: Option<PathBuf>,

    /// A description of the input as a tree of events, in JSON; only whole events go
    ///
    /// Its nodes have ranges of bytes of the one input file, or the texts themselves; then no input
    /// file is needed. For sessions, traces and recordings that no grammar describes.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) hierarchy: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "The search")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,

    /// Prove this much about the result
    #[arg(long, hide_short_help = true, value_name = "HOW", value_enum, default_value_t = Certify::Full)]
    pub(crate) certify: Certify,

    /// The search that decides
    #[arg(long, hide_short_help = true, value_name = "NAME", value_enum, default_value_t = InputSearchName::Passes)]
    pub(crate) search: InputSearchName,

    /// Test only candidates that are sentences of the input's grammar
    ///
    /// If the parser marks errors in the input itself, a candidate may have these and no others.
    ///
    /// By default what does not parse is tried last, because a program may be more lenient than the
    /// grammar.
    #[arg(long, hide_short_help = true)]
    pub(crate) valid: bool,

    /// The finest pieces to take out
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Level::Byte)]
    pub(crate) level: Level,

    /// Keep what matches this regular expression. Can be repeated
    ///
    /// Also kept is everything from a line with `whodunit:protect` to one with `whodunit:end`.
    #[arg(long, value_name = "RE")]
    pub(crate) protect: Vec<String>,
}

/// The searches of `reduce`.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum InputSearchName {
    /// All passes over trees and text, one after the other until nothing more goes
    Passes,
    /// The smallest list of --level pieces (2002): no single one can be left out
    Ddmin,
    /// The smallest difference between an input that passes and one that fails (2002)
    Isolate,
    /// ddmin on one level of the tree after the other (2007); proves nothing about what is left
    Hdd,
    /// hdd, then one node at a time: no single node can be left out
    HddPlus,
    /// hdd until it removes nothing: no single node can be left out
    HddStar,
    /// ddmin on the children of one node after the other; proves nothing about what is left
    HddRecursive,
}

#[derive(Debug, Args)]
pub(crate) struct JobsArgs {
    /// Run this many tests at once, 1000 at the most (default: one for each processor)
    ///
    /// The result does not depend on it.
    #[arg(short, long, value_name = "N", value_parser = parse::jobs)]
    jobs: Option<u16>,
}

impl JobsArgs {
    pub(crate) fn count(&self) -> usize {
        self.jobs.map_or_else(processors, usize::from)
    }
}

/// Returns the number of processors to run tests on.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[derive(Debug, Args)]
pub(crate) struct BudgetArgs {
    /// Stop after this time with the best so far (10m, 90s, 2h)
    ///
    /// The first runs and the proof are part of it.
    ///
    /// With this or --max-tests a search that brings nothing for long goes on until then.
    #[arg(long, value_name = "DURATION", value_parser = parse::duration)]
    pub(crate) budget: Option<Duration>,

    /// Stop after this many tests with the best so far
    ///
    /// The first runs, and testing what was found once more, are not counted.
    #[arg(long, value_name = "N", value_parser = parse::tests)]
    pub(crate) max_tests: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "The result")]
pub(crate) struct ResultArgs {
    /// Write the result here; a folder if there are several files
    ///
    /// Without this it goes beside the input: NAME.reduced.EXT, or FOLDER.reduced.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) out: Option<PathBuf>,

    /// Replace the input by the result, at the end and by one rename
    ///
    /// In a folder each file that changed is replaced, and those that are not needed are deleted.
    #[arg(long, conflicts_with = "out")]
    pub(crate) in_place: bool,

    /// Keep every candidate that was asked about in this folder, for inspection
    #[arg(long, hide_short_help = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) keep_tests: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct OutputArgs {
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print everything that happens as lines of JSON, or write it to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) events: Option<Option<PathBuf>>,

    /// Print nothing but errors and what --json or --events ask for
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run (default: the last unfinished one that was started from this folder)
    pub(crate) run: Option<String>,

    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The run (default: the last one that was started from this folder)
    pub(crate) run: Option<String>,

    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the journal as lines of JSON
    #[arg(long, conflicts_with = "json")]
    pub(crate) events: bool,

    /// List all runs
    #[arg(long, conflicts_with_all = ["run", "json", "events"])]
    pub(crate) list: bool,

    #[command(flatten)]
    pub(crate) pages: PagesArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run (default: the last one that was started from this folder); several are compared
    ///
    /// The page about several runs shows for each what the tests of its searches said, how many
    /// tests a version took, and how large patches were before and after their search.
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,

    /// Write the page here (default: RUN.html in this folder, runs.html for several); - prints it
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The answer as `whodunit reduce`, `changes` or `history` printed it with --json; - reads it from
    /// standard input
    #[arg(value_name = "ANSWER.json", value_hint = ValueHint::FilePath)]
    pub(crate) answer: PathBuf,

    /// Run this shell line instead of the commands of the answer, with {} for the file
    ///
    /// Nothing that the answer names is run then, so it needs no --trust. Can be repeated: all but
    /// the last one are run first and have to exit with 0.
    #[arg(long, value_name = "CMD", conflicts_with = "trust")]
    pub(crate) commands: Vec<String>,

    #[command(flatten)]
    pub(crate) trust: TrustArgs,

    /// Print nothing but errors
    #[arg(short, long, help_heading = "Options")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GrammarArgs {
    /// A language by name, or the path of a grammar (default: list the languages)
    ///
    /// A path leads to the folder of a tree-sitter grammar, to a library that was compiled from one
    /// and has its grammar.json beside it, or to a grammar for YACC (.y).
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) language: Option<PathBuf>,

    /// Show only this rule
    #[arg(long, value_name = "NAME", requires = "language")]
    pub(crate) rule: Option<String>,

    /// The tokens of a .y grammar (default: NAME.lex beside it)
    #[arg(long, value_name = "FILE", requires = "language", value_hint = ValueHint::FilePath)]
    pub(crate) lexical: Option<PathBuf>,

    /// Print it as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// Delete these runs: their journals and patches (default: list all runs and delete nothing)
    #[arg(value_name = "RUN")]
    pub(crate) runs: Vec<String>,

    /// Delete finished runs that are at least this old (30d, 12h)
    #[arg(long, value_name = "DURATION", value_parser = parse::duration)]
    pub(crate) older_than: Option<Duration>,

    /// With --older-than: unfinished runs as well, which then cannot be resumed
    #[arg(long, requires = "older_than")]
    pub(crate) unfinished: bool,

    /// Delete copies of histories of Subversion and CVS, which are fetched again when they are needed
    #[arg(long)]
    pub(crate) caches: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command that the page is about (default: whodunit itself)
    pub(crate) command: Option<String>,

    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Certify {
    /// That nothing more can be left out, every single piece
    Full,
    /// Only the neighbours of what went are asked about again
    Dirty,
    /// Nothing: no test is run for the proof alone
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// Whole lines
    #[value(alias = "lines")]
    Line,
    /// Words and marks, the parts that a grammar tells, and spaces of what is not parsed
    #[value(alias = "tokens")]
    Token,
    /// Single characters of what is not parsed, bytes of what is not text
    #[value(alias = "bytes")]
    Byte,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Typed::command().debug_assert();
    }
}
