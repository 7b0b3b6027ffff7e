//! One case: the program is run on it in several ways, and each answer is checked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::case::{Case, Name, Row, Subject};
use crate::claims::{self, Findings, changes, history, reduce, same};
use crate::inputs::FOLDER;
use crate::oracle::{self, ASKED, Convention, LOG};
use crate::repository;
use crate::tree::{self, Tree};
use crate::world::{Home, Ran, World};
use whodunit_test_support::Random;

/// The result of a case.
pub(crate) struct Examined {
    pub(crate) title: String,
    pub(crate) findings: Findings,
    /// The number of runs of the program.
    pub(crate) runs: usize,
    /// The end of the first run.
    pub(crate) ended: String,
    /// Outcomes that a later run reused from an earlier one.
    pub(crate) remembered: u64,
    /// The folder of the case, if it was kept.
    pub(crate) kept: Option<PathBuf>,
}

/// The paths of programs.
pub(crate) struct Programs<'a> {
    pub(crate) whodunit: &'a Path,
    /// Runs as a test on request; see `obey_if_asked`.
    pub(crate) test: &'a Path,
}

/// Runs a case in several ways and checks the answers.
pub(crate) fn examine(programs: &Programs<'_>, name: Name, keeps: bool) -> io::Result<Examined> {
    let case = Case::new(name);
    let world = World::new(programs.whodunit)?;
    let mut stage = Stage::set(&case, &world, programs.test)?;
    let mut examined = stage.play(&mut Random::new(name.seed ^ 0xDEED))?;
    examined.kept = (keeps && !examined.findings.lies.is_empty()).then(|| world.keep());
    Ok(examined)
}

/// A case laid out in a world.
struct Stage<'a> {
    case: &'a Case,
    world: &'a World,
    test: &'a Path,
    /// The name of each version.
    names: Vec<String>,
    /// The files in the folder of the user.
    before: Tree,
    runs: usize,
    findings: Findings,
}

/// An answer with the written result.
struct Told {
    answer: Value,
    result: Tree,
}

impl<'a> Stage<'a> {
    fn set(case: &'a Case, world: &'a World, test: &'a Path) -> io::Result<Self> {
        let work = world.work();
        let mut names = Vec::new();
        match &case.subject {
            Subject::Input(input) => tree::write(&work, &input.files)?,
            Subject::Folders(row) => {
                names = vec!["good".into(), "bad".into()];
                tree::write(&work.join("good"), &row.files(0))?;
                tree::write(&work.join("bad"), &row.files(row.last()))?;
            }
            Subject::Commits(row) | Subject::History(row) => {
                names = repository::create(&work, row, &world.beside("marks"))?;
            }
        }
        fs::write(world.beside("oracle.json"), serde_json::to_vec(&case.oracle)?)?;
        let before = tree::read(&work)?;
        let findings = Findings::default();
        Ok(Stage { case, world, test, names, before, runs: 0, findings })
    }

    fn play(&mut self, random: &mut Random) -> io::Result<Examined> {
        let first = self.run("first", 1)?;
        let mut ended = String::from("error");
        let mut remembered = 0;
        if let Some(told) = self.told(&first, "-j1")? {
            ended = told.answer["ended"].as_str().unwrap_or("nothing").into();
            self.check(&told, true)?;
            self.verify(&told)?;
            let is_limited = self.case.flags.iter().any(|flag| flag == "--max-tests");
            let jobs = *random.pick(&[2, 8]);
            for way in random.some(&[Way::Cold, Way::Warm, Way::Resumed], 2) {
                // Only a cold run reaches a limit at the same test: remembered outcomes do not
                // count for it.
                if is_limited && way != Way::Cold {
                    continue;
                }
                let again = match way {
                    Way::Cold => self.run("second", jobs)?,
                    Way::Warm => self.run("first", jobs)?,
                    Way::Resumed => self.resumed(random, jobs, first.took)?,
                };
                let what = format!("{way:?} -j{jobs}");
                let Some(other) = self.told(&again, &what)? else { continue };
                if way == Way::Warm {
                    remembered = other.answer["tests"]["cached"].as_u64().unwrap_or(0);
                }
                self.check(&other, false)?;
                // A run that gave up continues if it is resumed, so only a finished one is
                // compared.
                if way != Way::Resumed || ended == "done" {
                    self.compare(&told, &other, &what);
                }
            }
        }
        let findings = std::mem::take(&mut self.findings);
        Ok(Examined {
            title: self.case.title(),
            findings,
            runs: self.runs,
            ended,
            remembered,
            kept: None,
        })
    }

    fn words(&self, jobs: usize) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut say = |list: &[&str]| words.extend(list.iter().map(|word| (*word).to_owned()));
        let oracle = self.world.beside("oracle.json");
        let test = |stage: &str| {
            let convention = format!("{:?}", self.case.convention);
            [
                &self.test.display().to_string(),
                ASKED,
                stage,
                &oracle.display().to_string(),
                &convention,
            ]
            .map(str::to_owned)
        };
        match &self.case.subject {
            Subject::Input(input) if input.is_folder => say(&["reduce", FOLDER]),
            Subject::Input(input) => {
                say(&["reduce"]);
                input.files.keys().for_each(|name| say(&[name]));
            }
            Subject::Folders(_) | Subject::Commits(_) => {
                say(&["changes", &self.names[0], &self.names[self.names.len() - 1]]);
            }
            Subject::History(_) => say(&["history"]),
        }
        words.extend(self.case.flags.iter().cloned());
        words.extend([format!("-j{jobs}"), "--json".into(), "-q".into()]);
        // A limit derived from the first runs would be shorter, and would depend on the load of
        // the machine.
        words.extend(["--timeout".into(), "60s".into()]);
        if matches!(&self.case.subject, Subject::Input(input) if input.files.len() > 1 && !input.is_folder)
        {
            words.extend(["--out".into(), "out".into()]);
        }
        if self.case.has_build {
            words.extend(["--build".into(), test("build").join(" ")]);
        }
        if self.case.convention == Convention::Script {
            words.extend(["--test".into(), self.script(&test("test"))]);
            return words;
        }
        words.push("--".into());
        words.extend(test("test"));
        if matches!(self.case.subject, Subject::Input(_)) {
            words.push("{}".into());
        }
        words
    }

    /// Writes a script for `--test`, which gets the name of the candidate.
    fn script(&self, test: &[String]) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.world.beside("script.sh");
        if !path.exists() {
            let text = format!("#!/bin/sh\nexec {} \"$@\"\n", test.join(" "));
            let _ = fs::write(&path, text);
            let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o755));
        }
        path.display().to_string()
    }

    fn run(&mut self, home: Home, jobs: usize) -> io::Result<Ran> {
        self.clear();
        self.runs += 1;
        self.world.run(home, &self.words(jobs))
    }

    /// Removes the files that earlier runs wrote.
    fn clear(&self) {
        let _ = fs::remove_file(self.world.beside(LOG));
        let work = self.world.work();
        for folder in ["out".to_owned(), format!("{FOLDER}.reduced")] {
            let _ = fs::remove_dir_all(work.join(folder));
        }
    }

    /// Ends a run early, and resumes it.
    fn resumed(&mut self, random: &mut Random, jobs: usize, took: Duration) -> io::Result<Ran> {
        let at = took.mul_f64(random.below(1000) as f64 / 1000.0);
        let mut words = self.words(jobs);
        self.clear();
        self.runs += 1;
        let (ran, what) = match random.below(4) {
            0 | 1 => (self.world.run_and_signal("resumed", &words, (Signal::KILL, at))?, "kill -9"),
            2 => (self.world.run_and_signal("resumed", &words, (Signal::INT, at))?, "Ctrl-C"),
            _ => {
                let limit = ["--max-tests".to_owned(), random.between(1, 20).to_string()];
                words.splice(1..1, limit);
                (self.world.run("resumed", &words)?, "--max-tests")
            }
        };
        let is_killed = ran.code.is_none();
        // It was stopped before it had an answer.
        let says_nothing = is_killed || (ran.code == Some(130) && ran.answer().is_none());
        self.nothing_left(&ran, what);
        if !says_nothing {
            let Some(told) = self.told(&ran, what)? else { return Ok(ran) };
            self.check(&told, false)?;
            if claims::is_done(&told.answer) {
                return Ok(ran);
            }
        }
        self.runs += 1;
        // Without a new limit it would stop after as many tests again.
        let words = ["resume", "--json", "-q", "--max-tests", "1000000"].map(str::to_owned);
        let resumed = self.world.run("resumed", &words)?;
        // It was ended before there was anything to resume.
        if says_nothing && resumed.code == Some(2) && resumed.stderr.contains("no unfinished run") {
            return self.run("resumed", jobs);
        }
        Ok(resumed)
    }

    fn nothing_left(&mut self, ran: &Ran, what: &str) {
        self.findings.claim(ran.left.is_empty(), || format!("{what}: left behind: {:?}", ran.left));
    }

    /// Returns the answer of a run with its result; a missing answer is a finding.
    fn told(&mut self, ran: &Ran, what: &str) -> io::Result<Option<Told>> {
        self.nothing_left(ran, what);
        self.check_untouched(what)?;
        let Some(answer) = ran.answer() else {
            let text: String = ran.stderr.chars().take(600).collect();
            self.findings
                .claim(false, || format!("{what}: no answer, exit {:?}:\n{text}", ran.code));
            return Ok(None);
        };
        claims::check_code(&answer, ran.code, &mut self.findings);
        let result = reduce::result(&self.world.work(), &answer);
        Ok(Some(Told { answer, result }))
    }

    /// Checks that the folder of the user is unchanged.
    fn check_untouched(&mut self, what: &str) -> io::Result<()> {
        let now = tree::read(&self.world.work())?;
        let is_result = |name: &str| name.contains(".reduced") || name.starts_with("out/");
        let now: Tree = now.into_iter().filter(|(name, _)| !is_result(name)).collect();
        self.findings.claim(now == self.before, || {
            let names: Vec<&String> = now.keys().collect();
            format!("{what}: the folder of the user has changed: {names:?}")
        });
        Ok(())
    }

    fn check(&mut self, told: &Told, all_seen: bool) -> io::Result<()> {
        let mut findings = Findings::default();
        let case = self.case;
        let bench = self.world.beside("bench");
        match &case.subject {
            Subject::Input(input) => {
                let log = oracle::read_log(&self.world.beside(LOG));
                let seen = all_seen.then_some(&log[..]);
                let (answer, result) = (&told.answer, &told.result);
                reduce::Answered { case, input, answer, result, seen }.check(&mut findings);
            }
            Subject::Folders(row) | Subject::Commits(row) | Subject::History(row) => {
                let answer = &told.answer;
                let (row, names) = self.named(row);
                let (row, names, bench) = (&row, &names[..], &bench);
                let answered = changes::Answered { case, row, names, answer, bench };
                match &case.subject {
                    Subject::History(_) => history::check(&answered, &mut findings)?,
                    _ => answered.check(&mut findings)?,
                }
            }
        }
        self.findings.take(findings);
        Ok(())
    }

    /// Returns the versions that an answer can be about, with their names: of folders the first
    /// and the last one, of a history those of the main line.
    fn named(&self, row: &Row) -> (Row, Vec<String>) {
        let places = match &self.case.subject {
            Subject::Folders(_) => return (row.ends(), self.names.clone()),
            Subject::History(_) => row.main_line(),
            _ => return (row.clone(), self.names.clone()),
        };
        let versions = places.iter().map(|place| row.versions[*place].clone()).collect();
        let names = places.iter().map(|place| self.names[*place].clone()).collect();
        (Row::straight(versions), names)
    }

    fn verify(&mut self, told: &Told) -> io::Result<()> {
        let path = self.world.beside("answer.json");
        fs::write(&path, serde_json::to_vec_pretty(&told.answer)?)?;
        self.runs += 1;
        // Each run has a state of its own, so no journal confirms the answer.
        let words = ["verify", "--trust", "--sandbox=off"].map(str::to_owned);
        let words: Vec<String> = words.into_iter().chain([path.display().to_string()]).collect();
        let ran = self.world.run("verify", &words)?;
        self.nothing_left(&ran, "verify");
        let holds = self.findings.lies.is_empty();
        // At the level of commits an answer has nothing to replay.
        let is_commit_enough = self.case.flags.iter().any(|flag| flag == "commit");
        if holds && !is_commit_enough && claims::is_done(&told.answer) {
            let text: String = ran.stderr.chars().chain(ran.stdout.chars()).take(600).collect();
            self.findings.claim(ran.code == Some(0), || {
                format!("every claim holds, but `verify` exits with {:?}:\n{text}", ran.code)
            });
        }
        Ok(())
    }

    fn compare(&mut self, one: &Told, other: &Told, what: &str) {
        let difference = same::difference(&same::plain(&one.answer), &same::plain(&other.answer));
        self.findings.claim(difference.is_none(), || {
            format!("-j1 and {what} differ: {}", difference.unwrap_or_default())
        });
        self.findings.claim(one.result == other.result, || {
            format!("-j1 and {what} write different results")
        });
    }
}

/// The way to run a case again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Cold,
    Warm,
    Resumed,
}
