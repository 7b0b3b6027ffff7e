//! Turns typed arguments into settings of a run, and the environment into its surroundings.

pub(crate) mod atomic;
pub(crate) mod changes;
pub(crate) mod dates;
pub(crate) mod history;
mod hunt;
pub(crate) mod outputs;
mod runner;

use std::env;
use std::ffi::OsString;
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use whodunit_exec::quote;
use whodunit_input::{Granularity, ReduceSearch};
use whodunit_jobs::changes::TRACE_VARIABLES;
use whodunit_jobs::journal::Runs;
use whodunit_jobs::reduce::{
    Certification, Destination, LanguageSettings, LimitSettings, ReduceSettings, Surroundings, Test,
};
use whodunit_jobs::settings::{FlakySettings, SandboxMode, WhenFlaky};
use whodunit_run::Word;

use crate::args::{
    Certify, Flakiness, FlakyArgs, InputSearchName, LanguageArgs, Level, LimitArgs, OutputArgs,
    ReduceArgs, Sandbox,
};
use crate::trouble::{Trouble, Usage};

/// Places that depend on this machine and user.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// The current folder.
    pub(crate) folder: PathBuf,
    path: OsString,
    state: PathBuf,
    cache: PathBuf,
    scratch: Vec<PathBuf>,
    compiler: String,
}

impl Environment {
    /// Reads the environment; no other code does.
    pub(crate) fn read() -> Result<Self, Trouble> {
        let temporary = env::var_os("TMPDIR").filter(|folder| !folder.is_empty());
        let temporary = temporary.map_or_else(|| "/tmp".into(), PathBuf::from);
        Ok(Environment {
            folder: env::current_dir().map_err(Trouble::NoFolder)?,
            path: env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()),
            state: user_folder("XDG_STATE_HOME", ".local/state")?,
            cache: user_folder("XDG_CACHE_HOME", ".cache")?,
            scratch: vec!["/dev/shm".into(), temporary],
            compiler: env::var("CC")
                .ok()
                .filter(|cc| !cc.is_empty())
                .unwrap_or_else(|| "cc".into()),
        })
    }

    /// Returns a copy that keeps everything on disk below `folder`, which is also its current
    /// folder.
    pub(crate) fn confined_to(&self, folder: &Path) -> Self {
        Environment {
            folder: folder.into(),
            state: folder.join("state"),
            cache: folder.join("cache"),
            ..self.clone()
        }
    }

    /// Returns a copy with another current folder.
    pub(crate) fn in_folder(&self, folder: &Path) -> Self {
        Environment { folder: folder.into(), ..self.clone() }
    }

    /// Returns the folder of the journals.
    pub(crate) fn runs(&self) -> Runs {
        Runs::new(self.state.join("runs"))
    }

    /// Returns the default folder for the patches of a run of `changes`.
    pub(crate) fn patches(&self, run: &str) -> PathBuf {
        self.state.join("runs").join(format!("{run}.patches"))
    }

    /// Returns whether this user asks this for the first time on this machine, and records it.
    /// Where that cannot be recorded, it is always the first time.
    pub(crate) fn is_first_time(&self, what: &str) -> bool {
        let mark = self.state.join(what);
        let _ = fs::create_dir_all(&self.state);
        match OpenOptions::new().write(true).create_new(true).open(mark) {
            Err(error) => error.kind() != io::ErrorKind::AlreadyExists,
            Ok(_) => true,
        }
    }

    /// Returns the folder for copies of histories, which can be fetched again.
    pub(crate) fn caches(&self) -> PathBuf {
        self.cache.join("histories")
    }

    /// Returns the places where candidates may be laid out.
    pub(crate) fn scratch(&self) -> &[PathBuf] {
        &self.scratch
    }

    /// Returns whether there is a program of this name.
    pub(crate) fn has_program(&self, name: &str) -> bool {
        env::split_paths(&self.path).any(|folder| folder.join(name).is_file())
    }

    /// Returns the surroundings of a run whose tests depend on these variables.
    pub(crate) fn surroundings(&self, variables: &[String]) -> Surroundings {
        let traced = TRACE_VARIABLES.map(str::to_owned);
        let values = variables.iter().chain(&traced);
        let value = |name: &String| Some((name.clone(), env::var_os(name)?));
        let mut surroundings = Surroundings::new(&self.cache, &self.path);
        surroundings.scratch.clone_from(&self.scratch);
        surroundings.cache.clone_from(&self.cache);
        surroundings.compiler.clone_from(&self.compiler);
        surroundings.variables = values.filter_map(value).collect();
        surroundings
    }
}

/// Returns whether the terminal cannot move its cursor, so that lines are printed instead of a
/// display.
pub(crate) fn is_dumb_terminal() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Returns our folder below the one that the variable names, or below the default one.
fn user_folder(variable: &str, usual: &str) -> Result<PathBuf, Trouble> {
    // The XDG base directory specification says to ignore relative paths.
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(usual)));
    folder.map(|folder| folder.join("whodunit")).ok_or(Trouble::NoHome)
}

/// Where the answer and the events are printed.
#[derive(Clone, Debug)]
pub(crate) struct OutputPlan {
    pub(crate) json: bool,
    pub(crate) events: Option<EventsTo>,
    pub(crate) quiet: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum EventsTo {
    Stdout,
    File(PathBuf),
}

impl OutputPlan {
    pub(crate) fn new(typed: &OutputArgs) -> Result<Self, Usage> {
        let &OutputArgs { json, ref events, quiet } = typed;
        let events = events.clone().map(|file| file.map_or(EventsTo::Stdout, EventsTo::File));
        if json && matches!(events, Some(EventsTo::Stdout)) {
            return Err(Usage::JsonAndEvents);
        }
        Ok(OutputPlan { json, events, quiet })
    }

    /// Returns whether data for programs goes to standard output.
    pub(crate) fn is_for_programs(&self) -> bool {
        self.json || matches!(self.events, Some(EventsTo::Stdout))
    }
}

/// Returns the settings for arguments that were typed in `folder`.
pub(crate) fn reduce(typed: ReduceArgs, folder: &Path) -> Result<ReduceSettings, Usage> {
    let ReduceArgs {
        mut files,
        command,
        test,
        reduce_args,
        failure,
        limits,
        flaky,
        keep_rate,
        raise,
        language,
        search,
        result,
        output: _,
    } = typed;
    if let (Some(hierarchy), true) = (&language.hierarchy, files.is_empty()) {
        files.push(hierarchy.clone());
    }
    if files.iter().any(|file| file.as_os_str() == "-") {
        return Err(Usage::StandardInput);
    }
    check_one_word(&command, folder, OneWordOf::Candidate)?;
    let test = match (test, command.is_empty()) {
        (Some(script), true) => Test::Script(script.into()),
        (None, false) => Test::Command(command.into_iter().map(Word::from).collect()),
        (Some(_), false) => return Err(Usage::TwoTests),
        (None, true) => return Err(no_test(&files, folder)),
    };
    if reduce_args && matches!(test, Test::Script(_)) {
        return Err(Usage::NoArgs);
    }
    check_command(&test, &files, folder)?;
    let mut settings = ReduceSettings::new(folder, files, test);
    settings.reduce_args = reduce_args;
    settings.gates = failure.gate;
    settings.rule.exit = failure.fail_exit;
    settings.rule.matching = failure.fail_match;
    settings.rule.signal = failure.fail_signal;
    settings.rule.timeout = failure.fail_timeout;
    settings.rule.any = failure.any_failure;
    settings.limits = limit_settings(&limits);
    settings.search = input_search(search.search);
    settings.valid = search.valid;
    settings.finest = match search.level {
        Level::Line => Granularity::Lines,
        Level::Token => Granularity::Tokens,
        Level::Byte => Granularity::Bytes,
    };
    settings.language = language_settings(language);
    settings.protect = search.protect;
    settings.certify = match search.certify {
        Certify::Full => Certification::Full,
        Certify::Dirty => Certification::Dirty,
        Certify::None => Certification::None,
    };
    settings.destination = match result.out {
        Some(out) => Destination::At(out.into()),
        None if result.in_place => Destination::InPlace,
        None => Destination::Beside,
    };
    settings.jobs = search.jobs.count();
    settings.budget = search.budget.budget;
    settings.max_tests = search.budget.max_tests;
    settings.sandbox = sandbox_mode(limits.sandbox);
    settings.variables = failure.env;
    settings.flaky = flaky_settings(&flaky);
    (settings.flaky.keep_rate, settings.flaky.raise) = (keep_rate, raise);
    let flag = if raise { "--raise" } else { "--keep-rate" };
    if (raise || keep_rate.is_some()) && settings.flaky.when == WhenFlaky::Refuse {
        let why = "only a test that is repeated has a rate";
        return Err(Usage::Clash { flag, with: "--flaky refuse", why });
    }
    settings.keep_tests = result.keep_tests.map(Word::from);
    if settings.reads_description() && settings.destination == Destination::InPlace {
        return Err(Usage::DescriptionInPlace);
    }
    let is_flat = matches!(settings.search, ReduceSearch::Ddmin | ReduceSearch::Isolate);
    if is_flat && settings.valid {
        let why = "hardly any part of a list is a sentence";
        return Err(Usage::Clash { flag: "this --search", with: "--valid", why });
    }
    if is_flat && matches!(settings.language, LanguageSettings::Hierarchy(_)) {
        let why = "events are a tree, and this search takes a list";
        return Err(Usage::Clash { flag: "this --search", with: "--hierarchy", why });
    }
    Ok(settings)
}

fn input_search(typed: InputSearchName) -> ReduceSearch {
    match typed {
        InputSearchName::Passes => ReduceSearch::Passes,
        InputSearchName::Ddmin => ReduceSearch::Ddmin,
        InputSearchName::Isolate => ReduceSearch::Isolate,
        InputSearchName::Hdd => ReduceSearch::Hdd,
        InputSearchName::HddPlus => ReduceSearch::HddPlus,
        InputSearchName::HddStar => ReduceSearch::HddStar,
        InputSearchName::HddRecursive => ReduceSearch::HddRecursive,
    }
}

/// Returns the name of a search as it is typed.
pub(crate) fn input_search_word(search: ReduceSearch) -> &'static str {
    match search {
        ReduceSearch::Passes => "passes",
        ReduceSearch::Ddmin => "ddmin",
        ReduceSearch::Isolate => "isolate",
        ReduceSearch::Hdd => "hdd",
        ReduceSearch::HddPlus => "hdd_plus",
        ReduceSearch::HddStar => "hdd_star",
        ReduceSearch::HddRecursive => "hdd_recursive",
    }
}

/// Returns the typed kind of confinement of tests.
pub(crate) fn sandbox_mode(typed: Sandbox) -> SandboxMode {
    match typed {
        Sandbox::Enforce => SandboxMode::Enforce,
        Sandbox::BestEffort => SandboxMode::BestEffort,
        Sandbox::Off => SandboxMode::Off,
    }
}

/// Returns the typed settings for a test that is not steady.
fn flaky_settings(typed: &FlakyArgs) -> FlakySettings {
    let mut settings = FlakySettings::default();
    settings.when = match typed.flaky {
        Flakiness::Auto => WhenFlaky::Auto,
        Flakiness::Refuse => WhenFlaky::Refuse,
    };
    settings.repeat = typed.repeat;
    settings.confidence = typed.confidence;
    settings
}

/// Writes the flags for a test that is not steady.
fn flaky_flags(settings: &FlakySettings, mut flag: impl FnMut(&str, String)) {
    let usual = FlakySettings::default();
    if settings.when == WhenFlaky::Refuse {
        flag("--flaky", "refuse".into());
    }
    settings.repeat.iter().for_each(|runs| flag("--repeat", runs.to_string()));
    settings.keep_rate.iter().for_each(|rate| flag("--keep-rate", rate.to_string()));
    if settings.confidence != usual.confidence {
        flag("--confidence", settings.confidence.to_string());
    }
}

/// Returns the typed limits of a test.
pub(crate) fn limit_settings(typed: &LimitArgs) -> LimitSettings {
    let mut settings = LimitSettings::default();
    settings.time = typed.timeout;
    settings.memory = typed.memory;
    settings.output = typed.max_output;
    settings.processes = typed.max_processes;
    settings
}

fn language_settings(typed: LanguageArgs) -> LanguageSettings {
    let LanguageArgs { language, grammar, lexical, hierarchy } = typed;
    match (language, grammar, hierarchy) {
        (Some(name), ..) if matches!(name.to_lowercase().as_str(), "text" | "none") => {
            LanguageSettings::Text
        }
        (Some(name), ..) => LanguageSettings::Named(name),
        (None, Some(path), _) => {
            LanguageSettings::Grammar { path: path.into(), lexical: lexical.map(Word::from) }
        }
        (None, None, Some(file)) => LanguageSettings::Hierarchy(file.into()),
        (None, None, None) => LanguageSettings::ByFile,
    }
}

/// Returns the error for a missing test; perhaps it was given as a file to reduce.
fn no_test(files: &[PathBuf], folder: &Path) -> Usage {
    match files {
        [input, .., last] if is_executable(&folder.join(last)) => Usage::TestAmongFiles {
            inputs: quote(input.as_os_str()),
            script: quote(last.as_os_str()),
        },
        _ => Usage::NoTest(names(files)),
    }
}

fn is_executable(path: &Path) -> bool {
    let is_file = |metadata: &Metadata| metadata.is_file();
    path.metadata().is_ok_and(|it| is_file(&it) && it.permissions().mode() & 0o111 != 0)
}

/// The meaning of `{}` in the words of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OneWordOf {
    /// A file that takes the place of `{}`.
    Candidate,
    /// A folder in which it runs.
    Version,
}

/// Refuses a whole command line in one word, because no program has such a name.
pub(crate) fn check_one_word(
    command: &[OsString],
    folder: &Path,
    of: OneWordOf,
) -> Result<(), Usage> {
    let [word] = command else { return Ok(()) };
    let text = word.to_string_lossy();
    if !text.contains(char::is_whitespace) || folder.join(word).exists() {
        return Ok(());
    }
    let needs_shell = text.contains(['|', '&', ';', '<', '>', '$', '`', '(', '*', '"', '\'', '\\']);
    let instead = match (needs_shell, of) {
        (false, _) => text.clone().into_owned(),
        (true, OneWordOf::Version) => format!("sh -c {}", quote(word)),
        (true, OneWordOf::Candidate) => {
            let line: OsString = text.replace("{}", "\"$1\"").into();
            format!("sh -c {} sh {{}}", quote(&line))
        }
    };
    Err(Usage::OneWord { word: text.into_owned(), instead })
}

/// Checks that a command uses the candidate, not the input.
fn check_command(test: &Test, files: &[PathBuf], folder: &Path) -> Result<(), Usage> {
    let Test::Command(words) = test else { return Ok(()) };
    let place = |word: &Word| word.as_os_str().to_string_lossy().contains("{}");
    if words.iter().any(place) {
        return Ok(());
    }
    let clean = |path: &Path| folder.join(path).components().collect::<PathBuf>();
    let inputs: Vec<PathBuf> = files.iter().map(|file| clean(file)).collect();
    for (place, word) in words.iter().enumerate() {
        let path = clean(word.as_path());
        let Some(below) = inputs.iter().find_map(|input| path.strip_prefix(input).ok()) else {
            continue;
        };
        let is_input = below.as_os_str().is_empty();
        let is_named = match place {
            // A program without a slash in its name is not the file of that name here.
            0 => word.as_path().components().count() > 1 && path.is_file(),
            1 => path.is_file(),
            _ => path.exists(),
        };
        if is_input || is_named {
            let instead = if is_input { "{}".into() } else { Path::new("{}").join(below) };
            let test = (place < 2 && !is_input).then(|| command_of(words));
            let (name, instead) = (quote(word.as_os_str()), quote(instead.as_os_str()));
            return Err(Usage::NamesInput { name, instead, test });
        }
    }
    Ok(())
}

fn command_of(words: &[Word]) -> String {
    words.iter().map(|word| quote(word.as_os_str())).collect::<Vec<_>>().join(" ")
}

fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| format!("`{}`", file.display())).collect::<Vec<_>>().join(" and ")
}

/// Returns the command line that has the same meaning as some settings.
pub(crate) fn command_line(settings: &ReduceSettings) -> String {
    let word = |word: &Word| quote(word.as_os_str());
    let text = |text: &String| quote(text.as_ref());
    let time = |time: std::time::Duration| quote(time.as_secs_f64().to_string().as_ref());
    let mut line = vec!["whodunit reduce".to_owned()];
    let mut flag = |name: &str, value: String| line.push(format!("{name} {value}"));
    settings.gates.iter().for_each(|gate| flag("--gate", text(gate)));
    let rule = &settings.rule;
    rule.exit.iter().for_each(|exit| flag("--fail-exit", exit.to_string()));
    rule.matching.iter().for_each(|pattern| flag("--fail-match", text(pattern)));
    let signal = whodunit_run::judge::signal_name;
    rule.signal.iter().for_each(|&number| flag("--fail-signal", quote(signal(number).as_ref())));
    let limits = &settings.limits;
    limits.time.iter().for_each(|&limit| flag("--timeout", time(limit)));
    limits.memory.iter().for_each(|limit| flag("--memory", limit.to_string()));
    limits.output.iter().for_each(|limit| flag("--max-output", limit.to_string()));
    limits.processes.iter().for_each(|limit| flag("--max-processes", limit.to_string()));
    settings.budget.iter().for_each(|&budget| flag("--budget", time(budget)));
    settings.max_tests.iter().for_each(|tests| flag("--max-tests", tests.to_string()));
    match settings.certify {
        Certification::Full => {}
        Certification::Dirty => flag("--certify", "dirty".into()),
        Certification::None => flag("--certify", "none".into()),
    }
    match settings.finest {
        Granularity::Files | Granularity::Lines => flag("--level", "line".into()),
        Granularity::Tokens => flag("--level", "token".into()),
        Granularity::Bytes => {}
    }
    if settings.search != ReduceSearch::Passes {
        flag("--search", input_search_word(settings.search).into());
    }
    match &settings.language {
        LanguageSettings::ByFile => {}
        LanguageSettings::Text => flag("--language", "text".into()),
        LanguageSettings::Named(name) => flag("--language", text(name)),
        LanguageSettings::Grammar { path, lexical } => {
            flag("--grammar", word(path));
            lexical.iter().for_each(|file| flag("--lexical", word(file)));
        }
        LanguageSettings::Hierarchy(file) => flag("--hierarchy", word(file)),
    }
    settings.protect.iter().for_each(|pattern| flag("--protect", text(pattern)));
    settings.variables.iter().for_each(|name| flag("--env", text(name)));
    flaky_flags(&settings.flaky, &mut flag);
    settings.keep_tests.iter().for_each(|folder| flag("--keep-tests", word(folder)));
    if let Destination::At(out) = &settings.destination {
        flag("--out", word(out));
    }
    if let Test::Script(script) = &settings.test {
        flag("--test", word(script));
    }
    let in_place = settings.destination == Destination::InPlace;
    let switches = [
        (rule.timeout, "--fail-timeout"),
        (rule.any, "--any-failure"),
        (in_place, "--in-place"),
        (settings.reduce_args, "--reduce-args"),
        (settings.valid, "--valid"),
        (settings.flaky.raise, "--raise"),
    ];
    line.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
    line.extend(settings.sandbox.flag().map(str::to_owned));
    line.extend(settings.inputs.iter().map(word));
    if let Test::Command(words) = &settings.test {
        line.push("--".into());
        line.extend(words.iter().map(word));
    }
    line.join(" ")
}
