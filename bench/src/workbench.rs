//! Runs `reduce` through the library, with everything in a folder of its own.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use whodunit_input::{Granularity, ReduceSearch};
use whodunit_jobs::event::{Event, Watch};
use whodunit_jobs::journal::Runs;
use whodunit_jobs::reduce::{
    Answer, Certification, Destination, LanguageSettings, LimitSettings, Reduce, ReducePast,
    ReduceSettings, RuleSettings, Surroundings, Test, WatchReduce,
};
use whodunit_run::{Stop, TestEvent, Word};

/// Writes down the committed questions.
#[derive(Default)]
pub(crate) struct Committed(pub(crate) Vec<String>);

impl Watch for Committed {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        if let Event::Test(TestEvent::Committed { key, .. }) = event {
            self.0.push(key.to_string());
        }
        Ok(())
    }
}

impl WatchReduce for Committed {}

/// Returns settings for a file in `folder` and a line for the shell as the test.
pub(crate) fn settings(folder: &Path, file: &str, test: &str) -> ReduceSettings {
    ReduceSettings {
        origin: folder.into(),
        inputs: vec![file.into()],
        test: Test::Command(["sh", "-c", test, "sh", "{}"].map(Word::from).into()),
        reduce_args: false,
        gates: vec![],
        rule: RuleSettings::default(),
        limits: LimitSettings::default(),
        search: ReduceSearch::default(),
        valid: false,
        finest: Granularity::Lines,
        language: LanguageSettings::default(),
        protect: vec![],
        certify: Certification::Full,
        destination: Destination::Beside,
        jobs: 1,
        budget: None,
        max_tests: None,
        sandbox: whodunit_jobs::settings::SandboxMode::Off,
        variables: vec![],
        flaky: Default::default(),
        keep_tests: None,
    }
}

/// Runs and returns the answer with the committed questions.
pub(crate) fn run(
    folder: &Path,
    settings: ReduceSettings,
) -> Result<(Answer, Vec<String>), Box<dyn Error>> {
    let surroundings = Surroundings {
        launcher: "/proc/self/exe".into(),
        scratch: vec!["/dev/shm".into(), std::env::temp_dir()],
        path: std::env::var_os("PATH").unwrap_or_default(),
        cache: folder.join("cache"),
        compiler: "cc".into(),
        variables: HashMap::new(),
    };
    let mut committed = Committed::default();
    let reduce = Reduce {
        settings,
        surroundings: &surroundings,
        journal: Runs::new(folder.join("runs")).create("bench")?,
        past: ReducePast::default(),
        stop: Stop::default(),
        watch: &mut committed,
    };
    let answer = reduce.run()?;
    Ok((answer, committed.0))
}
