//! One run in front of the user: watched, interruptible, and reported.

mod changes;
mod history;
mod hunt;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use whodunit_exec::process::{Enforced, Missing};
use whodunit_jobs::event::{Event, Watch};
use whodunit_jobs::grammar::cfg::ParseError;
use whodunit_jobs::journal::Journal;
use whodunit_jobs::reduce::{
    Answer, LeftOut, Reduce, ReduceError, ReducePast, ReduceSettings, WatchReduce,
};
use whodunit_run::{Flakiness, Source, Status, Stop, TestEvent, Word};

use crate::args::PagesArgs;
use crate::defect;
use crate::exit::Exit;
use crate::inert;
use crate::output::{self, WARNING};
use crate::plan::{Environment, EventsTo, OutputPlan};
use crate::progress::{Left, Progress};
use crate::report;
use crate::trouble::Trouble;

/// Bytes of a test's output in an event, as in the journal.
const OUTPUT: usize = 1024;

/// Everything that a run needs besides its settings.
pub(crate) struct Session<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) output: &'a OutputPlan,
    pub(crate) stop: Stop,
}

/// The hint for a failure of an input that only its exit status tells from others.
const UNCLEAR_INPUT: &str = "to insist on a text of it, add --fail-match TEXT";

/// The same hint for a failure of versions.
const UNCLEAR_TREE: &str = "let the test exit with 125 where it fails in another way";

/// Warns that tests could harm the whole machine. The warning is given once, as long as the folder
/// for journals is kept.
pub(crate) fn warn_about_root(environment: &Environment, output: &OutputPlan, sandbox: bool) {
    let is_due = !output.quiet && !sandbox && rustix::process::geteuid().is_root();
    if is_due && environment.is_first_time("warned-about-root") {
        output::note(&format!(
            "{WARNING}warning:{WARNING:#} tests run as root: mutated programs and failing \
             compilers can delete what they are pointed at, devices included (--sandbox protects; \
             this is said once)"
        ));
    }
}

/// Words with a meaning to a shell and none to other programs.
const SHELL: [&str; 10] = ["|", "||", "&&", ";", "&", "<", ">", ">>", "2>", "2>&1"];

/// Warns if a word of the command has a meaning only to a shell: as an argument it makes programs
/// fail in another way than the user meant.
pub(crate) fn warn_about_shell_words(output: &OutputPlan, command: &[Word]) {
    let is_shell = |word: &&Word| SHELL.iter().any(|it| word.as_bytes() == it.as_bytes());
    if let Some(word) = command.iter().skip(1).find(is_shell).filter(|_| !output.quiet) {
        let word = output::inert(&word.as_os_str().to_string_lossy());
        output::note(&format!(
            "{WARNING}warning:{WARNING:#} `{word}` is an argument of the command, because no shell runs \
             it; if a shell is to heed it: -- sh -c '...'"
        ));
    }
}

/// Where the answer for people is printed, unless there is data for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerTo {
    StandardOutput,
    /// A page was printed on standard output.
    StandardError,
}

impl AnswerTo {
    fn beside(pages: &PagesArgs) -> Self {
        if pages.are_printed() { AnswerTo::StandardError } else { AnswerTo::StandardOutput }
    }
}

/// The state before a run: empty, or as its journal tells.
#[derive(Default)]
pub(crate) struct Before {
    pub(crate) past: ReducePast,
    /// The size of the input in bytes, if it is known.
    pub(crate) start: Option<u64>,
}

impl Session<'_> {
    /// Carries out a run and returns its answer.
    pub(crate) fn carry_out(
        &self,
        settings: ReduceSettings,
        journal: Journal,
        before: Before,
    ) -> Result<Answer, Trouble> {
        let run = journal.name();
        let goes_on = before.past.key.is_some();
        defect::is_about(&run, self.environment.runs(), goes_on);
        let mut watcher = Watcher::new(self.output, settings.jobs, "testing the input as it is")
            .inspect_err(|_| self.forget(&run, goes_on))?;
        watcher.recall(&before);
        let surroundings = self.environment.surroundings(&settings.variables);
        let result = Reduce {
            settings: settings.clone(),
            surroundings: &surroundings,
            journal,
            past: before.past,
            stop: self.stop.clone(),
            watch: &mut watcher,
        }
        .run();
        watcher.progress.end();
        let result = match result {
            Ok(answer) => watcher.close_events().map(|()| answer).map_err(ReduceError::from),
            failed => failed,
        };
        result.map_err(|error| {
            let worthwhile = goes_on || watcher.learned;
            self.forget(&run, worthwhile);
            let run = worthwhile.then_some(run);
            Trouble::Reduce { error, settings: Box::new(settings), run }
        })
    }

    /// Deletes the journal of a run that is not worth continuing, such as one that has not even
    /// begun.
    fn forget(&self, run: &str, worthwhile: bool) {
        if !worthwhile {
            let _ = self.environment.runs().discard(run);
        }
    }

    /// Prints the answer and returns its exit code.
    pub(crate) fn report(&self, answer: &Answer) -> Result<Exit, Trouble> {
        defect::reports();
        let text = report::answer(answer) + &report::run(answer);
        self.print(answer, &text, AnswerTo::StandardOutput)?;
        Ok(answer.into())
    }

    /// Prints an answer in the requested form.
    fn print<A: Serialize>(&self, answer: &A, text: &str, to: AnswerTo) -> Result<(), Trouble> {
        if self.output.json {
            output::json(answer)?;
        }
        let is_taken = self.output.is_for_programs() || to == AnswerTo::StandardError;
        match (self.output.quiet, is_taken) {
            (true, _) => {}
            (false, true) => output::note(text.trim_end()),
            (false, false) => output::data(text)?,
        }
        Ok(())
    }
}

/// Shows events to the user and writes them where the user asked for.
struct Watcher {
    progress: Progress,
    events: Option<Events>,
    jobs: usize,
    /// Tests that decided so far.
    committed: u64,
    /// The journal already had the questions up to this one when the run was continued.
    told: u64,
    learned: bool,
}

impl Watcher {
    fn new(plan: &OutputPlan, jobs: usize, first: &str) -> Result<Self, Trouble> {
        let events = plan.events.as_ref().map(Events::open).transpose()?;
        let mut progress = Progress::new(plan.quiet);
        progress.begin(first);
        Ok(Watcher { progress, events, jobs, committed: 0, told: 0, learned: false })
    }

    /// Shows what the journal tells about the beginning.
    fn recall(&mut self, before: &Before) {
        if let Some(bytes) = before.start {
            self.progress.start(Left::Bytes { of: bytes });
        }
        self.told = before.past.questions;
        if let Some(learned) = &before.past.learned {
            self.progress.note(&report::failure(learned));
            if let Some(shortened) = &before.past.shortened {
                self.progress.note(&report::shortened(shortened));
            }
            self.progress.note(&format!("continuing after {} questions", before.past.questions));
        }
    }

    fn note_flaky(&self, flaky: Option<&Flakiness>) {
        flaky.iter().for_each(|flaky| self.progress.note(&report::sure::learned(flaky)));
    }

    fn note_sandbox(&self, enforced: &Enforced) {
        if enforced.missing.is_empty() {
            return;
        }
        let mut text = format!(
            "{WARNING}warning:{WARNING:#} this machine cannot enforce the whole sandbox; tests can"
        );
        for Missing { protection, why } in &enforced.missing {
            text.push_str(&format!("\n  {}: {}", protection.without(), output::inert(why)));
        }
        // Also where nothing else is printed: a user who asked for a sandbox has to know about its
        // holes.
        self.progress.insist(&text);
    }

    fn close_events(&mut self) -> io::Result<()> {
        self.events.as_mut().map_or(Ok(()), Events::flush)
    }
}

impl Watch for Watcher {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        defect::note(event);
        match event {
            Event::Started { size, .. } => self.progress.start(Left::Bytes { of: size.bytes }),
            Event::Learned(learned) => {
                self.learned = true;
                self.progress.note(&report::failure(learned));
                self.note_flaky(learned.flaky.as_ref());
                let unclear = report::unclear(learned.signature.as_ref(), UNCLEAR_INPUT);
                unclear.iter().for_each(|warning| self.progress.note(warning));
                self.progress.note(&report::limits(&learned.limits));
            }
            Event::Shortened(shortened) => {
                self.progress.note(&report::shortened(shortened));
            }
            Event::Test(TestEvent::Committed { question, source, verdict, size, .. }) => {
                self.committed += u64::from(*source == Source::Committed);
                if *question <= self.told {
                    return Ok(());
                }
                self.progress.answered(*size, *verdict, self.committed);
            }
            Event::Test(TestEvent::Improved { question, .. }) if *question < self.told => {
                return Ok(());
            }
            Event::Test(TestEvent::Improved { size, .. }) => {
                self.progress.improved(*size, self.committed);
            }
            Event::EndsLearned(learned) => {
                self.learned = true;
                self.progress.note(&report::changes::failure(learned));
                self.note_flaky(learned.flaky.as_ref());
                let failure = learned.signature.as_ref();
                // A test for `git bisect run` that prints nothing tells everything by its exit
                // status.
                let failure = failure.filter(|failure| !failure.last_lines.is_empty());
                let unclear = report::unclear(failure, UNCLEAR_TREE);
                unclear.iter().for_each(|warning| self.progress.note(warning));
                self.progress.note(&report::limits(&learned.limits));
            }
            Event::Search { stage, changes } => {
                self.progress.note(&report::changes::stage(*stage, *changes));
                let (of, stage, tests) = (*changes, *stage, self.committed);
                self.progress.start(Left::Changes { of, stage, tests, passing: 0 });
            }
            Event::StartedOver { why, .. } => {
                (self.committed, self.told) = (0, 0);
                self.progress.note(&format!("starting again: {}", report::why_again(*why)));
            }
            Event::Test(TestEvent::Tested { .. })
            | Event::Test(TestEvent::Known { .. })
            | Event::Finished { .. }
            | Event::ChangesStarted { .. }
            | Event::ChangesFinished { .. }
            | Event::HistoryStarted { .. }
            | Event::HistoryFinished { .. } => {}
        }
        self.events.as_mut().map_or(Ok(()), |events| events.write(event))
    }

    fn status(&mut self, status: &Status) {
        self.progress.status(status, self.jobs);
    }
}

impl WatchReduce for Watcher {
    fn left_out(&mut self, left_out: &[LeftOut]) {
        report::left_out(left_out).iter().for_each(|line| self.progress.note(line));
    }

    fn rescued(&mut self, answer: &Answer) {
        self.progress.note(&report::rescued(answer));
    }

    fn not_parsed(&mut self, file: &Path, why: &ParseError) {
        let (file, why) = (file.to_string_lossy(), output::plain(&why.to_string()));
        self.progress.note(&format!(
            "{WARNING}warning:{WARNING:#} `{}` is reduced as text, because it is not as the \
             grammar has it:\n  {why}",
            output::inert(&file)
        ));
    }

    fn sandbox(&mut self, enforced: &Enforced) {
        self.note_sandbox(enforced);
    }
}

/// The requested stream of events.
struct Events {
    to: Box<dyn Write>,
    name: String,
}

impl Events {
    fn open(to: &EventsTo) -> Result<Self, Trouble> {
        match to {
            EventsTo::Stdout => Ok(Events { to: Box::new(io::stdout()), name: "them".into() }),
            EventsTo::File(path) => {
                let file = File::create(path)
                    .map_err(|source| Trouble::Write { path: path.clone(), source })?;
                let name = format!("`{}`", path.display());
                Ok(Events { to: Box::new(BufWriter::new(file)), name })
            }
        }
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        let mut line = match event {
            Event::Test(TestEvent::Tested { key, verdict, observation: Some(seen) }) => {
                let observation = Some(Box::new(seen.shortened(OUTPUT)));
                inert::json_line(&Event::Test(TestEvent::Tested {
                    key: *key,
                    verdict: *verdict,
                    observation,
                }))
            }
            event => inert::json_line(event),
        }?;
        line.push('\n');
        self.to.write_all(line.as_bytes()).map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(|error| self.named(&error))
    }

    /// Returns an error that names the events, so that it is not taken for one about the journal.
    fn named(&self, error: &io::Error) -> io::Error {
        let Events { name, .. } = self;
        io::Error::new(error.kind(), format!("cannot write the events to {name}: {error}"))
    }
}
