//! Errors in words: what went wrong, its cause, and what to do. The only place for that.

mod atoms;
mod changes;
mod grammar;
mod history;
mod hunt;

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use whodunit_exec::process::ProcessError;
use whodunit_exec::scratch::ScratchError;
use whodunit_exec::{BadCommand, WorkerError, quote};
use whodunit_jobs::LabError;
use whodunit_jobs::RecordsError;
use whodunit_jobs::journal::RunsError;
use whodunit_jobs::reduce::{ReduceError, ReduceSettings, Test};
use whodunit_jobs::regular;
use whodunit_run::judge::{Observation, Stage, signal_name};
use whodunit_run::{Ending, Limit};

use crate::exit::Exit;
use crate::inert;
use crate::output::{self, ERROR, HINT};
use crate::trouble::{Trouble, Usage};

/// The words for an error.
#[derive(Debug, Serialize)]
struct Words {
    message: String,
    causes: Vec<String>,
    hint: Option<String>,
    /// The exit code, only in JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<u8>,
}

/// An error as JSON.
#[derive(Debug, Serialize)]
struct ErrorForPrograms {
    error: Words,
}

/// Prints what went wrong as JSON on standard output, and for people on standard error.
pub(crate) fn say_as_json(trouble: &Trouble) {
    let mut words = explain(trouble);
    words.exit = Some(Exit::from(trouble) as u8);
    words.hint = words.hint.map(|hint| output::plain(&hint));
    // If even this cannot be printed, the words for people remain.
    let _ = output::json(&ErrorForPrograms { error: words });
    say(trouble);
}

/// Prints an error in the arguments, as JSON.
pub(crate) fn say_usage_as_json(text: &str, exit: Exit) {
    let mut lines = text.trim_end().lines();
    let message = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let rest: Vec<&str> = lines.collect();
    let hint = Some(rest.join("\n").trim().to_owned()).filter(|hint| !hint.is_empty());
    let error = Words { message, causes: Vec::new(), hint, exit: Some(exit as u8) };
    let _ = output::json(&ErrorForPrograms { error });
}

/// Prints what went wrong, for people.
pub(crate) fn say(trouble: &Trouble) {
    let Words { message, causes, hint, exit: _ } = explain(trouble);
    let mut text = format!("{ERROR}error:{ERROR:#} {message}");
    for cause in causes {
        text.push_str(&format!("\n  caused by: {}", cause.trim_end().replace('\n', "\n    ")));
    }
    if let Some(hint) = hint {
        text.push_str(&format!(
            "\n{HINT}hint:{HINT:#} {}",
            output::plain(&hint).replace('\n', "\n      ")
        ));
    }
    output::note(&text);
}

fn explain(trouble: &Trouble) -> Words {
    let mut words = Words {
        message: inert::continued(&output::plain(&trouble.to_string())),
        causes: causes(trouble),
        hint: None,
        exit: None,
    };
    match trouble {
        Trouble::Usage(usage) => words.hint = Some(usage_hint(usage)),
        Trouble::Reduce { error, settings, run } => {
            words.about_run(error, settings);
            if let (Some(run), true) = (run, can_go_on(error)) {
                words.add_hint(&format!("to continue: whodunit resume {}", quote(run.as_ref())));
            }
        }
        Trouble::Changes { error, settings, run } => {
            changes::about(&mut words, error, settings, run.as_deref());
        }
        Trouble::History { error, settings, run } => {
            history::about(&mut words, error, settings, run.as_deref());
        }
        Trouble::Atoms { error, settings } => words.hint = atoms::hint(error, settings),
        Trouble::Verify { error, settings } => {
            words.about_run(error, settings);
            if let ReduceError::ResultChanged(_) = error {
                words.hint = Some("the proof is about the bytes that were written then".into());
            }
        }
        Trouble::Runs(error) => words.hint = runs_hint(error),
        Trouble::Answer { path, source } if source.kind() == io::ErrorKind::NotFound => {
            words.message =
                format!("there is no file `{}`", output::inert(&path.display().to_string()));
            words.causes.clear();
            words.hint = Some(
                "`whodunit show RUN --json > ANSWER.json` writes the answer of a run; `whodunit show \
                 --list` lists the runs"
                    .into(),
            );
        }
        Trouble::Answer { .. } => {
            words.hint = Some(
                "`whodunit reduce … --json > ANSWER.json` makes one, or `whodunit changes …`"
                    .into(),
            );
        }
        Trouble::BadAnswer { .. } => {
            words.hint =
                Some("nothing of it was run; ask for an answer that was not edited".into());
        }
        Trouble::Untrusted(_) => {
            words.hint = Some(
                "read what would be run; --trust runs it, in the sandbox; for `verify`,\n\
                 --commands 'CMD' runs a command of yours instead"
                    .into(),
            );
        }
        Trouble::NoAnswer(run) => {
            let run = quote(run.as_ref());
            words.hint = Some(format!(
                "to continue: whodunit resume {run}\nto see what happened: whodunit show {run} --events"
            ));
        }
        Trouble::Grammar(trouble) => words.hint = grammar::hint(trouble),
        Trouble::NoHome => {
            words.hint = Some("set HOME, or XDG_STATE_HOME and XDG_CACHE_HOME".into());
        }
        Trouble::NoFolder(_) => words.hint = Some("was it deleted? cd to one that is there".into()),
        Trouble::NoScratch(error) => words.hint = Some(scratch_hint(error)),
        Trouble::Signals(_) | Trouble::Output(_) => {}
        Trouble::Report { source, .. } => {
            words.hint = storage_hint(source.kind())
                .or_else(|| Some("choose another place with --out".into()));
        }
        Trouble::Write { source, .. } => words.hint = storage_hint(source.kind()),
    }
    words
}

/// Returns the causes of an error, the nearest first, each once.
fn causes(trouble: &Trouble) -> Vec<String> {
    let top: &dyn Error = match trouble {
        Trouble::Reduce { error, .. } | Trouble::Verify { error, .. } => error,
        Trouble::Changes { error, .. } | Trouble::Atoms { error, .. } => error,
        Trouble::History { error, .. } => error,
        other => other,
    };
    let mut causes: Vec<String> = Vec::new();
    let mut next = top.source();
    while let Some(cause) = next {
        let text = output::plain(&cause.to_string());
        if causes.last() != Some(&text) && text != top.to_string() {
            causes.push(text);
        }
        next = cause.source();
    }
    causes
}

impl Words {
    fn add_hint(&mut self, line: &str) {
        let hint = self.hint.get_or_insert_default();
        if !hint.is_empty() {
            hint.push('\n');
        }
        hint.push_str(line);
    }

    fn about_run(&mut self, error: &ReduceError, settings: &ReduceSettings) {
        let input = inputs(settings);
        let test = test(settings);
        match error {
            ReduceError::DoesNotFail { seen } => {
                self.message =
                    format!("{input} as it is does not fail: {}", described(seen, &test));
                wanted(settings, seen).iter().for_each(|line| self.add_hint(line));
                self.add_hint(&see(settings, seen.stage));
            }
            ReduceError::Flaky { first, second } => {
                self.message = format!("two tests of the same bytes of {input} differ");
                self.causes = vec![
                    format!("the first time {}", described(first, &test)),
                    format!("the second time {}", described(second, &test)),
                ];
                self.hint = Some(format!(
                    "make the test repeatable, or say with --fail-match or --fail-exit what \
                     matters;\n{}",
                    see(settings, Stage::Test)
                ));
            }
            ReduceError::Lab(LabError::NotRunnable { seen }) => {
                self.message = format!(
                    "{}: a program that the test needs is missing or not executable",
                    described(seen, &test)
                );
                self.add_hint(&format!("each test runs in a new folder that holds only {input}"));
                self.add_hint(&see(settings, Stage::Test));
            }
            ReduceError::CutShort { limit } => {
                self.message = format!(
                    "the test of {input} as it is was cut short: {test} {}",
                    limited(*limit)
                );
                self.hint = Some(limit_hint(*limit).into());
            }
            other => {
                if let (ReduceError::Command(BadCommand::NotFound(_)), Test::Script(_)) =
                    (other, &settings.test)
                {
                    self.message = format!("there is no script {test}");
                }
                self.hint = reduce_hint(other, settings);
            }
        }
    }
}

fn usage_hint(usage: &Usage) -> String {
    match usage {
        Usage::FewerTests { run, had, .. } => {
            format!("`whodunit resume {run} --max-tests {}` goes on", had * 2)
        }
        Usage::NoTest(_) => "give a command after --, with {} for the file, or a script with \
                             --test:\n  whodunit reduce crash.c -- gcc -O2 -c {}\n  \
                             whodunit reduce crash.c --test ./still-crashes.sh"
            .into(),
        Usage::TestAmongFiles { inputs, script } => format!(
            "if it decides and exit 0 means that the failure is there:\n  \
             whodunit reduce {inputs} --test {script}\n\
             if it fails where the failure is:\n  \
             whodunit reduce {inputs} -- {script} {{}}"
        ),
        Usage::OneWord { instead, .. } => {
            format!("leave out the quotes around it:\n  -- {instead}")
        }
        Usage::NoTestFile { .. } => {
            "the name is relative to the current folder; is it spelled right?".into()
        }
        Usage::NoTestName { id } => {
            format!("--node-test {id}::NAME, with the name as `node --test` prints it")
        }
        Usage::StandardInput => "save it to a file first: cat > input.txt".into(),
        Usage::ScriptOfReduce { job, script } => format!(
            "whodunit {job} … -- {script}, as for `git bisect run`: it exits with 0 where the failure is \
             not there, and with 1 where it is. If its exit 0 means that the failure is there:\n  \
             -- sh -c '! {script}'"
        ),
        Usage::NoPlace(place) => format!(
            "PLACE is where the history is, and that of this folder is the default. If {place} is a \
             version that passes: --good {place}; if it is the one that fails: --until {place}"
        ),
        Usage::TwoTests => "leave out one of the two".into(),
        Usage::NamesInput { name, instead, test: None } => {
            format!("write {instead} instead of {name}: {{}} stands for the candidate")
        }
        Usage::NamesInput { name, instead, test: Some(test) } => format!(
            "write {instead} instead of {name}: {{}} stands for the candidate. If the file is the test, \
             and no part of what is reduced:\n  -- {test} {{}}"
        ),
        Usage::WritesOver { .. } | Usage::WritesInto { .. } | Usage::WritesTwice { .. } => {
            "nothing was run or written; choose another place".into()
        }
        Usage::NoArgs => "call the script as a command, with {} for the file:\n  \
                          whodunit reduce crash.c --reduce-args -- ./crashes.sh -O2 {}"
            .into(),
        Usage::ManyVersions => {
            "with --kinds the changes of each kind are counted for each pair of \
                                versions that follow each other"
                .into()
        }
        Usage::NoReports => {
            "give the reports of the suite in the bad version with --junit; `whodunit \
                             atoms --tests` takes coverage without them"
                .into()
        }
        Usage::NoChangesTest => "give a command after --, which exits with 0 in the good version \
                                 and with 1 in the bad one:\n  \
                                 whodunit changes v1.4 v1.5 -- ./test.sh"
            .into(),
        Usage::NoHistoryTest => {
            "give a command after --, which exits with 1 in the newest version \
                                 and with 0 where the failure is not there:\n  \
                                 whodunit history -- ./test.sh"
                .into()
        }
        Usage::RangeAndVersion { .. } | Usage::Clash { .. } => "leave out one of the two".into(),
        Usage::NotHistory { .. } => "leave it out; --level commit only names the version".into(),
        Usage::NoPages(_) => "`whodunit report` makes a page of any run".into(),
        Usage::DescriptionInPlace => "choose another place with --out".into(),
        Usage::JsonAndEvents => {
            "the last event holds the answer; or write the events to a file: --events=FILE".into()
        }
        Usage::NoPage(_) => "`whodunit --help` lists the commands".into(),
    }
}

fn reduce_hint(error: &ReduceError, settings: &ReduceSettings) -> Option<String> {
    match error {
        ReduceError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Some("the name is relative to the current folder; is it spelled right?".into())
        }
        ReduceError::TooRare { .. } => Some("give a lower --keep-rate".into()),
        ReduceError::Read { .. } => Some("check who may read it".into()),
        ReduceError::Nameless(_) => Some("name a folder in it".into()),
        ReduceError::OverInput(_) => {
            Some("--in-place says that the result may take the place of the input".into())
        }
        ReduceError::Occupied(_) => Some("move it away, or choose another place with --out".into()),
        ReduceError::Inside { .. } => Some("choose a place outside of it".into()),
        ReduceError::Empty(path) if path.is_dir() => Some("is it the right folder?".into()),
        ReduceError::Empty(_) => Some("is it the right file?".into()),
        ReduceError::NothingToAsk { .. } => Some(
            "binary files have neither lines nor tokens: --level bytes; what --protect names stays"
                .into(),
        ),
        ReduceError::NoTree => Some(
            "`--search ddmin` takes a list of lines, tokens or characters; --grammar, --language and \
             --hierarchy describe a tree"
                .into(),
        ),
        ReduceError::NoPassing => {
            Some("make the test exit as it does without the failure, or choose another --search".into())
        }
        ReduceError::NoSentence(_) => {
            Some("without --valid the input is reduced whether it parses or not".into())
        }
        ReduceError::NoGrammar => Some("give one with --grammar or --language".into()),
        ReduceError::Twice(_) => Some("leave out one of the two".into()),
        ReduceError::Changed => Some(format!(
            "start afresh:\n  cd {} && {}",
            quote(settings.origin.as_os_str()),
            crate::plan::command_line(settings)
        )),
        ReduceError::Language(error) => grammar::language_hint(error),
        ReduceError::Pattern { .. } => Some(
            "special characters that stand for themselves need a backslash: \\( \\[ \\+".into(),
        ),
        ReduceError::Write { path, source } if source.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().map(|folder| quote(folder.as_os_str())).unwrap_or_default();
            Some(format!("there is no such folder: mkdir -p {folder}"))
        }
        ReduceError::Write { source, .. } => {
            storage_hint(source.kind()).or_else(|| Some("choose another place with --out".into()))
        }
        ReduceError::Command(error) => Some(command_hint(error)),
        ReduceError::Scratch(error) => Some(scratch_hint(error)),
        ReduceError::Lab(error) => lab_hint(error),
        _ => None,
    }
}

fn lab_hint(error: &LabError) -> Option<String> {
    match error {
        LabError::Worker(error) => worker_hint(error),
        LabError::Journal(source) => storage_hint(source.kind()),
        LabError::WarmDisagrees => {
            Some("the test is not repeatable, not even in clean folders; make it so".into())
        }
        LabError::Flaky => Some(
            "the test says too little each time to go by; run each end more often first with \
             --repeat 50, or make the test steadier"
                .into(),
        ),
        LabError::StoppedEarly(_) | LabError::NotRunnable { .. } | LabError::OutcomeChanged => None,
    }
}

/// Returns whether a run that ended with this error can continue where it stopped.
fn lab_can_go_on(error: &LabError) -> bool {
    matches!(error, LabError::Worker(_) | LabError::Journal(_) | LabError::StoppedEarly(_))
}

fn worker_hint(error: &WorkerError) -> Option<String> {
    match error {
        WorkerError::LayOut { source, .. } => {
            hunt::of_repository(source).or_else(|| storage_hint(source.kind()))
        }
        WorkerError::Clear(error) => Some(scratch_hint(error)),
        WorkerError::Command(error) => Some(command_hint(error)),
        WorkerError::Process(error) => process_hint(error),
        WorkerError::Stopped { .. } => None,
    }
}

fn command_hint(error: &BadCommand) -> String {
    match error {
        BadCommand::NotFound(program) if program.to_string_lossy().contains('/') => {
            "the name is relative to the current folder; is it spelled right?".into()
        }
        BadCommand::NotFound(program) => {
            let program = program.to_string_lossy();
            format!("install it, or write ./{program} if it is a file in the current folder")
        }
        BadCommand::NotExecutable(path) => format!("chmod +x {}", quote(path.as_os_str())),
        BadCommand::Ambiguous(_) => "let {} stand alone: it becomes all the names".into(),
    }
}

fn process_hint(error: &ProcessError) -> Option<String> {
    match error {
        ProcessError::CannotStart { program, source } => {
            let path = Path::new(program);
            Some(match source.kind() {
                // The file exists, so the program that its first line names is missing.
                io::ErrorKind::NotFound if path.exists() => {
                    let line = first_line(path);
                    format!("its interpreter is missing: the first line is {line}")
                }
                io::ErrorKind::PermissionDenied => format!("chmod +x {}", quote(program)),
                io::ErrorKind::NotFound => {
                    "neither the version nor this folder has it; one that is built first needs --build"
                        .into()
                }
                _ => "does it start by itself? a script begins with a line like #!/bin/sh".into(),
            })
        }
        ProcessError::LauncherDied { .. } => Some(
            "somebody killed it, or the memory ran out: fewer --jobs, or a lower --memory".into(),
        ),
        ProcessError::SandboxIncomplete { .. } => Some(
            "nothing was run; --sandbox=best-effort goes on with the rest of the sandbox".into(),
        ),
        ProcessError::Stuck { .. } => Some(
            "it waits for a device or a dead network folder; only the system can end it".into(),
        ),
        _ => None,
    }
}

fn first_line(path: &Path) -> String {
    let bytes = regular::read(path).unwrap_or_default();
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(80)]);
    format!("`{}`", line.escape_debug())
}

fn scratch_hint(error: &ScratchError) -> String {
    match error {
        ScratchError::NoPlace { .. } => {
            "make room, or set TMPDIR to a folder that has some and lets programs run".into()
        }
        ScratchError::Unusable { source, .. } => storage_hint(source.kind())
            .unwrap_or_else(|| "does something else work in that folder?".into()),
    }
}

fn runs_hint(error: &RunsError) -> Option<String> {
    match error {
        RunsError::NoSuchRun(_) | RunsError::Headless(_) => {
            Some("`whodunit show --list` lists the runs".into())
        }
        RunsError::NoneHere { .. } => {
            Some("name the run; `whodunit show --list` lists them all".into())
        }
        RunsError::Records(error) => records_hint(error),
    }
}

fn records_hint(error: &RecordsError) -> Option<String> {
    match error {
        RecordsError::Io { source, .. } => storage_hint(source.kind())
            .or_else(|| Some("XDG_STATE_HOME says where journals go".into())),
        RecordsError::Foreign { .. } => Some("`whodunit show --list` lists the runs".into()),
        RecordsError::Version { .. } => {
            Some("use the version of whodunit that wrote it, or start afresh".into())
        }
        RecordsError::InUse { .. } => {
            Some("wait for the other run to end, or interrupt it (Ctrl-C)".into())
        }
    }
}

/// Returns what to do about a full or closed disk.
fn storage_hint(kind: io::ErrorKind) -> Option<String> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("make room there; nothing of the input was touched".into())
        }
        _ => None,
    }
}

/// Returns whether the run can continue where it stopped once the trouble is over.
fn can_go_on(error: &ReduceError) -> bool {
    match error {
        ReduceError::Lab(error) => lab_can_go_on(error),
        other => matches!(
            other,
            ReduceError::Scratch(_) | ReduceError::Write { .. } | ReduceError::Language(_)
        ),
    }
}

fn inputs(settings: &ReduceSettings) -> String {
    let names: Vec<String> =
        settings.inputs.iter().map(|input| format!("`{}`", input.as_path().display())).collect();
    output::inert(&names.join(" and "))
}

/// Returns the test, as it was typed.
fn test(settings: &ReduceSettings) -> String {
    let typed = match &settings.test {
        Test::Command(words) => {
            words.iter().map(|word| quote(word.as_os_str())).collect::<Vec<_>>().join(" ")
        }
        Test::Script(script) => quote(script.as_os_str()),
    };
    format!("`{}`", output::plain(&typed))
}

/// Returns how a run ended and the last line of its output.
fn described(seen: &Observation, test: &str) -> String {
    let what = match seen.stage {
        Stage::Test => test.to_owned(),
        Stage::Gate => "the gate".to_owned(),
        Stage::Configure => "the configuration".to_owned(),
        Stage::Build => "the build".to_owned(),
    };
    let ended = match seen.ending() {
        Ending::Exited(code) => format!("exited with {code}"),
        Ending::Signaled(signal) => format!("died of {}", signal_name(signal)),
        Ending::Limited(limit) => limited(limit).to_owned(),
    };
    match last_line(seen) {
        Some(line) => format!("{what} {ended} and printed \"{line}\""),
        None => format!("{what} {ended}"),
    }
}

fn last_line(seen: &Observation) -> Option<String> {
    let bytes = if seen.output.tail.is_empty() { &seen.output.head } else { &seen.output.tail };
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    let telling = seen.signature.telling.as_deref().unwrap_or(line);
    let short: String = telling.chars().take(200).collect();
    Some(output::plain(&short))
}

fn limited(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "did not end in time",
        Limit::Memory => "used too much memory",
        Limit::Output => "printed too much",
        Limit::Processes => "started too many processes",
    }
}

fn limit_hint(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => {
            "give it more time with --timeout; if not ending is the failure, add --fail-timeout"
        }
        Limit::Memory => "let it use more with --memory",
        Limit::Output => "let it print more with --max-output, or let it print less",
        Limit::Processes => "let it start more with --max-processes",
    }
}

/// Returns what would count as a failure, and the mistakes that lead to this error, one line
/// each.
fn wanted(settings: &ReduceSettings, seen: &Observation) -> Vec<String> {
    let rule = &settings.rule;
    let explicit = !rule.exit.is_empty()
        || rule.matching.is_some()
        || !rule.signal.is_empty()
        || rule.timeout
        || rule.any;
    let mut lines: Vec<String> = Vec::new();
    match &settings.test {
        _ if seen.stage == Stage::Gate => {
            return vec!["the gate must exit with 0 on the input as it is".into()];
        }
        _ if explicit => lines.push("everything that the --fail flags say must hold".into()),
        Test::Script(script) => {
            lines.push("exit 0 must mean that the failure is there".into());
            let script = quote(script.as_os_str());
            lines.push(format!("if it fails where the failure is: -- {script} {{}}"));
        }
        Test::Command(_) => {
            lines.push("the command must exit with anything but 0, or die of a signal".into());
            lines.push("if its exit 0 means that the failure is there: --fail-exit 0".into());
        }
    }
    if let Test::Command(words) = &settings.test {
        let has_place = words.iter().any(|word| word.as_os_str().to_string_lossy().contains("{}"));
        match has_place {
            true => {
                lines.push(
                    "its standard input is empty; without {} that would be the candidate".into(),
                );
            }
            false => lines.insert(
                0,
                "the command has no {}, so it gets the candidate as its standard input".into(),
            ),
        }
    }
    if misses_a_file(seen) {
        lines.push(format!("each test runs in a new folder that holds only {}", inputs(settings)));
    }
    lines.push("if it fails only sometimes: --repeat 20 runs it more often first".into());
    lines
}

/// How programs complain about a file that is not there.
const MISSING: [&str; 6] =
    ["No such file", "not found", "cannot open", "can't open", "FileNotFound", "ENOENT"];

/// Returns whether the output complains about a file that is not there.
fn misses_a_file(seen: &Observation) -> bool {
    let output = [&seen.output.head, &seen.output.tail];
    let texts = output.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    MISSING.iter().any(|words| texts.iter().any(|text| text.contains(words)))
}

/// Returns the command with which a user can see what a stage saw.
fn see(settings: &ReduceSettings, stage: Stage) -> String {
    if settings.reads_description() {
        return "the test sees the texts of the description, one after the other".into();
    }
    let (paths, names) = (settings.paths(), settings.names());
    let mut steps = vec![r#"cd "$(mktemp -d)""#.to_owned()];
    for (path, name) in paths.iter().zip(&names) {
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            steps.push(format!("mkdir -p {}", quote(folder.as_os_str())));
        }
        let to = folder.map_or_else(|| ".".into(), |folder| quote(folder.as_os_str()));
        let copy = if path.is_dir() { "cp -r" } else { "cp" };
        steps.push(format!("{copy} {} {to}", quote(path.as_os_str())));
    }
    let filled: Vec<String> = names.iter().map(|name| quote(name.as_os_str())).collect();
    let filled = filled.join(" ");
    let absolute = |word: &whodunit_run::Word| {
        let path = settings.origin.as_path().join(word.as_path());
        quote(path.components().collect::<PathBuf>().as_os_str())
    };
    let gates = || settings.gates.iter().map(|gate| gate.replace("{}", &filled));
    let run = match &settings.test {
        _ if stage == Stage::Gate => gates().collect::<Vec<_>>().join(" && "),
        Test::Script(script) => format!("{} {filled}", absolute(script)),
        Test::Command(words) => {
            let in_folder = |word: &whodunit_run::Word| {
                let text = word.as_os_str().to_string_lossy();
                !text.starts_with('-') && settings.origin.as_path().join(word.as_path()).exists()
            };
            let typed = |(place, word): (usize, &whodunit_run::Word)| {
                let bare = place == 0 && !word.as_os_str().to_string_lossy().contains('/');
                if in_folder(word) && !bare { absolute(word) } else { quote(word.as_os_str()) }
            };
            let line = words.iter().enumerate().map(typed).collect::<Vec<_>>().join(" ");
            let feed = if line.contains("{}") { String::new() } else { format!(" < {filled}") };
            format!("{}{feed}", line.replace("{}", &filled))
        }
    };
    steps.push(run);
    let what = if stage == Stage::Gate { "gate" } else { "test" };
    format!("to see what the {what} saw:\n  {}; echo $?", steps.join(" && "))
}
