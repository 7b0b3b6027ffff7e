//! Runs `reduce` through the library, with all files in a folder of its own.

use std::error::Error;
use std::path::Path;

use whodunit_input::Granularity;
use whodunit_jobs::event::{Event, Watch};
use whodunit_jobs::journal::Runs;
use whodunit_jobs::reduce::{Answer, Reduce, ReduceSettings, Surroundings, Test, WatchReduce};
use whodunit_run::TestEvent;

/// Records the committed questions.
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
    let test = Test::command(["sh", "-c", test, "sh", "{}"]);
    let mut settings = ReduceSettings::new(folder, [file], test);
    settings.finest = Granularity::Lines;
    settings
}

/// Runs and returns the answer with the committed questions.
pub(crate) fn run(
    folder: &Path,
    settings: ReduceSettings,
) -> Result<(Answer, Vec<String>), Box<dyn Error>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let surroundings = Surroundings::new(folder, path);
    let mut committed = Committed::default();
    let journal = Runs::new(folder.join("runs")).create("bench")?;
    let reduce = Reduce::new(settings, &surroundings, journal, &mut committed);
    let answer = reduce.run()?;
    Ok((answer, committed.0))
}
