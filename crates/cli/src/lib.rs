//! Finds the cause of a failure by running tests: the library of the program `whodunit`.
//!
//! [`Minimize`] takes any list and a function as oracle, [`ReduceText`] a text or bytes and a function:
//!
//! ```
//! use whodunit::{Minimize, ReduceText};
//!
//! let moves = ["open", "zoom", "draw", "undo", "save", "close"];
//! let crashes = |kept: &[&str]| kept.contains(&"undo") && kept.contains(&"save");
//! let minimal = Minimize::new(&moves).jobs(4).run(crashes)?;
//! assert_eq!(minimal.kept, ["undo", "save"]);
//!
//! let program = "int a = 1;\nint f(int x) { return x / 0; }\nint b = 2;\n";
//! let reduced = ReduceText::syntax("c", program)?.run(|text: &[u8]| text.contains(&b'/'))?;
//! assert!(reduced.bytes.len() < 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`reduce`], [`changes`] and [`history`] take files, versions and a command, as the program does. A
//! program that runs commands through them begins its `main` with [`run_if_asked`](run::run_if_asked),
//! because each command is launched by a process of its own:
//!
//! ```
//! use whodunit::reduce::{Reduce, ReduceSettings, Test};
//! use whodunit::run::{Nobody, Runs, Surroundings, run_if_asked};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! run_if_asked();
//! let folder = std::env::temp_dir().join(format!("whodunit-example-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! std::fs::write(folder.join("list.txt"), "one\ntwo\nthree BUG three\nfour\n")?;
//!
//! let finds_bug = Test::command(["sh", "-c", "if grep BUG $0; then exit 1; fi", "{}"]);
//! let mut settings = ReduceSettings::new(&folder, ["list.txt"], finds_bug);
//! settings.jobs = 2;
//! let surroundings = Surroundings::new(&folder, "/usr/bin:/bin");
//! let journal = Runs::new(folder.join("runs")).create("example")?;
//! let answer = Reduce::new(settings, &surroundings, journal, &mut Nobody).run()?;
//!
//! assert_eq!(std::fs::read_to_string(folder.join("list.reduced.txt"))?, "BUG");
//! assert_eq!(answer.size.bytes, 3);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! The library never prints, exits or reads environment variables.
//!
//! Without the feature `program`, which is on by default, only the library is built. All other crates
//! called `whodunit-…` are parts of this one and change with every release.

#[doc(inline)]
pub use whodunit_jobs::{
    Minimal, Minimize, MinimizeError, ReduceText, ReduceTextError, ReducedText, Verdict,
};

/// The smallest input that still fails the same way.
pub mod reduce {
    #[doc(inline)]
    pub use whodunit_jobs::reduce::{
        Answer, Certification, Destination, LanguageSettings, Reduce, ReduceError, ReducePast,
        ReduceSettings, RuleSettings, Test, WatchReduce, verify,
    };
}

/// The smallest set of changes between two versions that makes the failure.
pub mod changes {
    #[doc(inline)]
    pub use whodunit_jobs::changes::{
        Cause, ChangeAnswer, ChangeGroup, ChangeGroups, ChangeLevel, ChangeSearch, Changes,
        ChangesAnswer, ChangesError, ChangesPast, ChangesSettings, VersionSettings, VersionsRun,
        WatchChanges, verify,
    };
}

/// The version of a history that brought the failure, and the changes in it.
pub mod history {
    #[doc(inline)]
    pub use whodunit_jobs::history::{
        History, HistoryAnswer, HistoryError, HistoryOutcome, HistoryPast, HistorySettings, verify,
    };
}

/// The outcome of testing the claims of an answer again.
pub mod verify {
    #[doc(inline)]
    pub use whodunit_jobs::verify::{Check, Claim, Said, Seen, Verified};
}

/// A run of any job: its journal, its events, its limits, and a way to stop it.
pub mod run {
    #[doc(inline)]
    pub use whodunit_exec::process::launcher::run_if_asked;
    #[doc(inline)]
    pub use whodunit_jobs::LabError;
    #[doc(inline)]
    pub use whodunit_jobs::event::{Event, Nobody, Watch};
    #[doc(inline)]
    pub use whodunit_jobs::journal::{Journal, Runs, RunsError};
    #[doc(inline)]
    pub use whodunit_jobs::settings::{
        FlakySettings, LimitSettings, SandboxMode, Surroundings, WhenFlaky,
    };
    #[doc(inline)]
    pub use whodunit_run::{Ended, Key, Stop, Word};
}
