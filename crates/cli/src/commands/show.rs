//! `whodunit show`: tells what happened in a run, from its journal.

mod hunt;
mod regions;
mod searches;

use std::fmt::Write;
use std::time::SystemTime;

use serde::Serialize;
use whodunit_exec::quote;
use whodunit_jobs::event::Event;
use whodunit_jobs::journal::{RunInfo, RunsError};
use whodunit_jobs::reduce::{Answer, Learned, ReduceSettings, Shortened};
use whodunit_run::{Ended, Source, TestEvent};

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::inert;
use crate::output;
use crate::pages;
use crate::plan::{self, Environment};
use crate::report;
use crate::trouble::{Trouble, Usage};

/// The most sizes that are shown of a long run.
const SIZES: usize = 20;
/// Characters of the bar for the largest size.
const BAR: u64 = 40;

pub(super) fn run(args: &ShowArgs) -> Result<Exit, Trouble> {
    let environment = Environment::read()?;
    let runs = environment.runs();
    if args.list {
        output::data(&list(&runs.list()))?;
        return Ok(Exit::Finished);
    }
    let name = match &args.run {
        Some(name) => name.clone(),
        None => runs.latest(&environment.folder, false)?.name,
    };
    let events = runs.read(&name)?;
    let of_versions = hunt::Story::of(&events);
    if args.pages.are_wanted() {
        let story = of_versions.as_ref().ok_or_else(|| Usage::NoPages(name.clone()))?;
        let view = story.view().ok_or_else(|| Trouble::NoAnswer(name.clone()))?;
        pages::write(view, &args.pages)?;
    }
    let text = if args.events {
        lines(&events)?
    } else if let Some(story) = of_versions {
        match args.json {
            false => story.tell(&name),
            true => story.json().ok_or(Trouble::NoAnswer(name))??,
        }
    } else {
        let story = Story::from(events.as_slice());
        match (args.json, story.answer) {
            (false, _) => story.tell(&name)?,
            (true, Some(answer)) => pretty(answer)?,
            (true, None) => return Err(Trouble::NoAnswer(name)),
        }
    };
    output::data(&text)?;
    Ok(Exit::Finished)
}

fn pretty<A: Serialize>(answer: &A) -> Result<String, Trouble> {
    Ok(inert::json(answer).map_err(|error| Trouble::Output(error.into()))? + "\n")
}

fn list(runs: &[RunInfo]) -> String {
    let width = runs.iter().map(|run| run.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for run in runs {
        let state = if run.finished { "finished" } else { "unfinished" };
        let ago = SystemTime::now().duration_since(run.modified).unwrap_or_default();
        let folder = output::inert(&run.origin.as_path().display().to_string());
        let (name, folder) = (&run.name, output::plain(&folder));
        let _ = writeln!(text, "{name:width$}  {state:10}  {} ago in {folder}", report::time(ago));
    }
    text
}

fn lines(events: &[Event]) -> Result<String, Trouble> {
    let mut text = String::new();
    for event in events {
        let json = inert::json_line(event);
        text.push_str(&json.map_err(|error| Trouble::Output(error.into()))?);
        text.push('\n');
    }
    Ok(text)
}

/// The content of a journal, sorted for telling.
#[derive(Default)]
struct Story<'a> {
    settings: Option<&'a ReduceSettings>,
    learned: Option<&'a Learned>,
    shortened: Option<&'a Shortened>,
    /// Questions, tests, and the bytes of the best candidate after them.
    sizes: Vec<(u64, u64, u64)>,
    count: Count,
    answer: Option<&'a Answer>,
}

impl<'a> From<&'a [Event]> for Story<'a> {
    fn from(events: &'a [Event]) -> Self {
        let mut story = Story::default();
        for event in events {
            match event {
                Event::Started { settings, size, .. } => {
                    story.settings = Some(&**settings);
                    story.sizes.push((0, 0, size.bytes));
                }
                Event::Learned(learned) => story.learned = Some(&**learned),
                Event::Shortened(shortened) => story.shortened = Some(shortened),
                Event::Test(TestEvent::Tested { .. })
                | Event::Test(TestEvent::Committed { .. }) => story.count.take(event),
                Event::Test(TestEvent::Improved { question, size }) => {
                    story.sizes.push((*question, story.count.committed, size.bytes));
                }
                Event::Finished { answer } => story.answer = Some(&**answer),
                Event::StartedOver { .. } => {
                    story.sizes.truncate(1);
                    story.count = Count::default();
                }
                Event::Test(TestEvent::Known { .. })
                | Event::ChangesStarted { .. }
                | Event::EndsLearned(_)
                | Event::Search { .. }
                | Event::ChangesFinished { .. }
                | Event::HistoryStarted { .. }
                | Event::HistoryFinished { .. } => {}
            }
        }
        story
    }
}

impl Story<'_> {
    fn tell(&self, name: &str) -> Result<String, Trouble> {
        let settings = self.settings.ok_or_else(|| RunsError::Headless(name.into()))?;
        let mut rows = vec![
            ("run", name.to_owned()),
            ("in", output::inert(&quote(settings.origin.as_os_str()))),
            ("asked", output::inert(&plan::command_line(settings))),
        ];
        if let Some(learned) = self.learned {
            rows.push(("failure", output::plain(&learned.failure)));
            rows.push(("limits", report::limits(&learned.limits).replace("limits: ", "")));
        }
        if let Some(shortened) = self.shortened {
            rows.push(("command", report::command(shortened)));
        }
        let mut text = report::table(&rows);
        text.push_str(&self.draw_sizes());
        match self.answer {
            Some(answer) => {
                text.push_str(&report::answer(answer));
                text.push_str(&regions::tell(answer));
                if answer.ended != Ended::Done {
                    text.push_str(&report::run(answer));
                }
            }
            None => text.push_str(&self.count.unfinished(name)),
        }
        Ok(text)
    }

    /// Draws how the best candidate got smaller.
    fn draw_sizes(&self) -> String {
        draw(&self.sizes, "bytes") + "\n"
    }
}

/// Draws how a quantity got smaller: each entry has questions, tests, and the quantity after
/// them.
fn draw(sizes: &[(u64, u64, u64)], unit: &str) -> String {
    let Some(&(_, _, start)) = sizes.first() else { return String::new() };
    let last = sizes.len() - 1;
    let mut text = format!("\n{:>9} {:>8} {:>12}\n", "question", "tests", unit);
    let rows = last.min(SIZES);
    for row in 0..=rows {
        let (question, tests, size) = sizes[(row * last).checked_div(rows).unwrap_or(0)];
        let length = (size * BAR).div_ceil(start.max(1)) as usize;
        let _ = writeln!(text, "{question:>9} {tests:>8} {size:>12}  {}", "#".repeat(length));
    }
    text
}

/// The number of questions and tests.
#[derive(Default)]
struct Count {
    questions: u64,
    committed: u64,
    cached: u64,
    tested: u64,
}

impl Count {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Test(TestEvent::Tested { .. }) => self.tested += 1,
            Event::Test(TestEvent::Committed { question, source, .. }) => {
                self.questions = *question;
                self.committed += u64::from(*source == Source::Committed);
                self.cached += u64::from(*source == Source::Cached);
            }
            _ => {}
        }
    }

    fn unfinished(&self, name: &str) -> String {
        let Count { questions, committed, cached, tested } = self;
        let tests = report::counted(*tested, "test", "tests");
        let tests = format!(
            "{tests} ran, {committed} of them decided; {cached} outcomes were remembered, for {}",
            report::counted(*questions, "question", "questions")
        );
        let go_on = format!("to continue: whodunit resume {}", quote(name.as_ref()));
        report::table(&[("tests", tests), ("unfinished", go_on)])
    }
}
