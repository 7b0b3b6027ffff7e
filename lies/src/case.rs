//! Makes a case of a seed: the debugged subject, the test, and the command line.

use std::collections::BTreeSet;

use crate::inputs::{self, Input};
use crate::oracle::{Condition, Convention, Fact, Oracle, QUIET, Rule, Shows, Verdict, Voice};
use crate::tree::Tree;
use crate::versions::{self, Program, Version};
use whodunit_test_support::Random;

/// A case: the same seed and size give the same one.
pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) oracle: Oracle,
    pub(crate) convention: Convention,
    /// The flags of the job.
    pub(crate) flags: Vec<String>,
    /// Whether a build stage comes before the test.
    pub(crate) has_build: bool,
}

/// The seed and size that make a case again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) seed: u64,
    pub(crate) size: usize,
}

/// The debugged subject.
pub(crate) enum Subject {
    /// `reduce`.
    Input(Input),
    /// `changes` of two folders.
    Folders(Row),
    /// `changes` of two commits.
    Commits(Row),
    /// `history`.
    History(Row),
}

/// Versions of a program, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) versions: Vec<Version>,
    /// The places of the parents of each version, of which the first is what it was made from.
    pub(crate) parents: Vec<Vec<usize>>,
}

impl Row {
    /// Each version is made from the one before it.
    pub(crate) fn straight(versions: Vec<Version>) -> Self {
        let parents = (0..versions.len()).map(|place| place.checked_sub(1).into_iter().collect());
        let parents = parents.collect();
        Row { versions, parents }
    }

    /// Returns the first and the last version.
    pub(crate) fn ends(&self) -> Self {
        Row::straight([0, self.last()].map(|place| self.versions[place].clone()).into())
    }

    /// Returns the places of the versions on the way to the last one along first parents.
    pub(crate) fn main_line(&self) -> Vec<usize> {
        let before = |place: &usize| self.parents[*place].first().copied();
        let mut line: Vec<usize> = std::iter::successors(Some(self.last()), before).collect();
        line.reverse();
        line
    }

    /// Moves one commit of the row to a branch of its own, which is merged later.
    fn branched(
        mut self,
        random: &mut Random,
        program: &Program,
        sets: &[BTreeSet<usize>],
    ) -> Self {
        if sets.len() < 3 {
            return self;
        }
        let from = random.below(sets.len() - 2);
        let merge = random.between(from + 2, sets.len() - 1);
        let new: Vec<usize> = sets[merge].difference(&sets[from]).copied().collect();
        let moved: BTreeSet<usize> = random.some(&new, 2).into_iter().collect();
        let between = self.versions.iter_mut().zip(sets).take(merge).skip(from + 1);
        between.for_each(|(version, set)| *version = program.version(&(set - &moved)));
        let side = program.version(&(&sets[from] | &moved));
        self.versions.insert(merge, side);
        self.parents.insert(merge, vec![from]);
        self.parents[merge + 1] = vec![merge - 1, merge];
        for place in merge + 2..self.parents.len() {
            self.parents[place] = vec![place - 1];
        }
        self
    }

    pub(crate) fn files(&self, place: usize) -> Tree {
        versions::files(&self.versions[place])
    }

    pub(crate) fn last(&self) -> usize {
        self.versions.len() - 1
    }
}

/// The default size of cases.
pub(crate) const SIZE: usize = 12;

impl Case {
    pub(crate) fn new(name: Name) -> Self {
        let mut random = Random::new(name.seed);
        // A case of another size has little in common; but mostly it lies for the same reason.
        match random.below(10) {
            0..=4 => reduce(name, &mut random),
            5..=7 => changes(name, &mut random),
            _ => history(name, &mut random),
        }
    }

    /// Returns the verdict on files, as far as the test shows it.
    pub(crate) fn verdict(&self, files: &Tree) -> Verdict {
        match (self.oracle.verdict(files), self.convention) {
            (Verdict::Unresolved, Convention::Script) => Verdict::Pass,
            (verdict, _) => verdict,
        }
    }

    /// Returns a short description.
    pub(crate) fn title(&self) -> String {
        let subject = match &self.subject {
            Subject::Input(input) => {
                let names: Vec<&str> = input.files.keys().map(String::as_str).collect();
                format!("reduce {}", names.join(" "))
            }
            Subject::Folders(_) => "changes of folders".into(),
            Subject::Commits(row) => format!("changes of {} commits", row.last()),
            Subject::History(row) => format!("history of {} versions", row.versions.len()),
        };
        let build = if self.has_build { " with a build" } else { "" };
        format!(
            "{subject}{build}, {:?}, {:?}, {:?}",
            self.oracle.voice, self.convention, self.flags
        )
    }
}

fn reduce(name: Name, random: &mut Random) -> Case {
    // One input in a hundred is so large that passes with little gain are postponed.
    let is_large = name.size >= SIZE && random.chance(1);
    let size = if is_large { random.between(200, 400) } else { random.between(2, name.size * 2) };
    let input = loop {
        let input = inputs::input(random, size);
        // In an input of numbers alone a test has no word to require.
        if !input.words.is_empty() {
            break input;
        }
    };
    let convention = if random.chance(30) { Convention::Script } else { Convention::Command };
    let oracle = loop {
        let oracle = oracle_of_words(random, &input, is_large);
        if oracle.verdict(&input.files) == Verdict::Fail {
            break oracle;
        }
    };
    let mut flags = Vec::new();
    let mut flag = |random: &mut Random, percent, words: &[&str]| {
        if random.chance(percent) {
            flags.extend(words.iter().map(|word| (*word).to_owned()));
        }
    };
    // Binary data has no lines.
    let has_lines = input.files.keys().any(|name| !name.ends_with(".dat"));
    let lines = if has_lines { 8 } else { 0 };
    flag(random, lines, &["--level", "lines"]);
    flag(random, 8, &["--certify", "none"]);
    flag(random, 10, &["--language", "text"]);
    if !flags.iter().any(|flag| flag == "--level") && random.chance(lines) {
        flags.extend(["--level".to_owned(), "tokens".to_owned()]);
    }
    limit(random, &mut flags);
    Case { subject: Subject::Input(input), oracle, convention, flags, has_build: false }
}

/// Sometimes ends a run early.
fn limit(random: &mut Random, flags: &mut Vec<String>) {
    if random.chance(8) {
        flags.extend(["--max-tests".to_owned(), random.between(1, 30).to_string()]);
    }
}

fn voice(random: &mut Random) -> Voice {
    use Voice::{Error, Exception, Plain, Signal, Status};
    *random.pick(&[Error, Error, Error, Exception, Plain, Status, Signal])
}

/// Chooses what the test shows for contents that neither pass nor fail.
fn beside(random: &mut Random) -> Shows {
    *random.pick(&[Shows::Skip, Shows::Other(1), Shows::Other(2), Shows::Other(QUIET)])
}

/// Makes a test that fails if all words of a set are there, of one or several sets.
fn oracle_of_words(random: &mut Random, input: &Input, is_large: bool) -> Oracle {
    let mut rules = Vec::new();
    for _ in 0..random.below(4) {
        let words = random.some(&input.words, 2);
        let when = match random.below(5) {
            0 => vec![Condition::lacks(&words[0])],
            1 => vec![Condition { fact: Fact::Balanced, holds: false }],
            2 => vec![chance(random)],
            _ if words.len() == 2 => vec![Condition::has(&words[0]), Condition::lacks(&words[1])],
            _ => continue,
        };
        let shows = if random.chance(20) { Shows::Pass } else { beside(random) };
        rules.push(Rule { when, shows });
    }
    for _ in 0..*random.pick(&[1, 1, 1, 2, 3]) {
        let count = *random.pick(&[1, 1, 2, 3, 5]);
        let count = if is_large { count * 15 } else { count };
        let words = random.some(&input.words, count);
        let mut when: Vec<Condition> = words.iter().map(|word| Condition::has(word)).collect();
        if let [first, .., last] = &words[..] {
            let fact = Fact::Before(first.clone(), last.clone());
            let before = Condition { fact, holds: true };
            if random.chance(30) && before.is_met(&input.files) {
                when.push(before);
            }
        }
        if random.chance(10) {
            when.push(Condition { fact: Fact::AtLeast("z".into(), words.len() + 1), holds: true });
        }
        rules.push(Rule { when, shows: Shows::Fail });
    }
    if random.chance(15) {
        rules.push(Rule { when: vec![], shows: beside(random) });
    }
    Oracle { rules, voice: voice(random), heading: None }
}

fn chance(random: &mut Random) -> Condition {
    let fact =
        Fact::Chance { seed: random.below(1 << 30) as u64, of: random.between(2, 12) as u64 };
    Condition { fact, holds: true }
}

fn changes(name: Name, random: &mut Random) -> Case {
    let count = random.between(1, name.size);
    let is_repository = random.chance(50);
    let (row, oracle) = loop {
        let (program, sets) = sets(random, count, if is_repository { 8 } else { 1 });
        let mut row = Row::straight(sets.iter().map(|set| program.version(set)).collect());
        if is_repository && random.chance(30) {
            row = row.branched(random, &program, &sets);
        }
        let oracle =
            oracle_of_edits(random, &program, sets.last().cloned().unwrap_or_default(), false);
        let ends = [oracle.verdict(&row.files(0)), oracle.verdict(&row.files(row.last()))];
        if ends == [Verdict::Pass, Verdict::Fail] {
            break (row, oracle);
        }
    };
    let mut flags = flags_of_changes(random, false);
    limit(random, &mut flags);
    let has_build = has_build(&oracle);
    let subject = if is_repository { Subject::Commits(row) } else { Subject::Folders(row) };
    Case { subject, oracle, convention: Convention::Bisect, flags, has_build }
}

fn history(name: Name, random: &mut Random) -> Case {
    let count = random.between(2, name.size);
    let (row, oracle) = loop {
        let (program, sets) = sets(random, count, count);
        let mut row = Row::straight(sets.iter().map(|set| program.version(set)).collect());
        if random.chance(20) {
            row = row.branched(random, &program, &sets);
        }
        let oracle =
            oracle_of_edits(random, &program, sets.last().cloned().unwrap_or_default(), true);
        if row.last() > 0 && oracle.verdict(&row.files(row.last())) == Verdict::Fail {
            break (row, oracle);
        }
    };
    let mut flags = flags_of_changes(random, true);
    if random.chance(20) {
        flags.push("--linear".into());
    }
    limit(random, &mut flags);
    let has_build = has_build(&oracle);
    let subject = Subject::History(row);
    Case { subject, oracle, convention: Convention::Bisect, flags, has_build }
}

fn has_build(oracle: &Oracle) -> bool {
    oracle.rules.iter().any(|rule| rule.shows == Shows::Unbuilt)
}

fn flags_of_changes(random: &mut Random, is_history: bool) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match random.below(20) {
        // These flags allow few others.
        0 => return words(&["--level", "commit"]),
        1 if !is_history => return words(&["--ordered"]),
        2 if !is_history => return words(&["--atomic"]),
        _ => {}
    }
    let mut flags: Vec<String> = Vec::new();
    let mut one_of = |random: &mut Random, percent, flag: &str, values: &[&str]| {
        if random.chance(percent) {
            flags.push(flag.to_owned());
            if !values.is_empty() {
                flags.push((*random.pick(values)).to_owned());
            }
        }
    };
    one_of(random, 30, "--level", &["file", "item", "hunk", "token", "directory"]);
    // The search for carried changes takes only `closure` or `ddmin`.
    let searches = ["ddmin", "dd", "dd_plus", "isolate"];
    one_of(random, 25, "--search", if is_history { &searches[..1] } else { &searches });
    // One version alone has no commits to group by.
    let groups = ["location", "syntactic", "lexical", "process"];
    one_of(random, 8, "--group", if is_history { &groups[..3] } else { &groups });
    one_of(random, 12, "--all", &[]);
    one_of(random, 10, "--fresh", &[]);
    flags
}

/// Makes a program and versions of it, each with more edits than the one before; sometimes an
/// edit is taken back.
fn sets(random: &mut Random, count: usize, most: usize) -> (Program, Vec<BTreeSet<usize>>) {
    let program = Program::new(random, count);
    let mut set = BTreeSet::new();
    for number in 0..count {
        if random.chance(10) {
            set.insert(number);
        }
    }
    let mut sets = vec![set.clone()];
    let mut left: Vec<usize> = (0..count).filter(|number| !set.contains(number)).collect();
    while !left.is_empty() {
        let now = if sets.len() >= most { left.len() } else { random.between(1, left.len()) };
        // Most commits are small.
        let now = if sets.len() < most { now.min(random.between(1, 4)) } else { now };
        for _ in 0..now {
            set.insert(left.remove(random.below(left.len())));
        }
        if random.chance(10) && set.len() > 1 && most > 1 {
            let numbers: Vec<usize> = set.iter().copied().collect();
            set.remove(random.pick(&numbers));
        }
        sets.push(set.clone());
    }
    (program, sets)
}

/// Makes a test that fails if all edits of a set are made, of one or several sets.
fn oracle_of_edits(
    random: &mut Random,
    program: &Program,
    last: BTreeSet<usize>,
    is_history: bool,
) -> Oracle {
    let edits: Vec<usize> = last.into_iter().collect();
    let made = |number: usize, is_made: bool| {
        let edit = &program.edits[number];
        if edit.comes == is_made {
            Condition::has(&edit.word)
        } else {
            Condition::lacks(&edit.word)
        }
    };
    let mut rules = Vec::new();
    for _ in 0..random.below(4) {
        let two = random.some(&edits, 2);
        let is_turned = random.chance(50);
        let when = match two[..] {
            _ if random.chance(20) => vec![chance(random)],
            // Older versions lack an edit, so it must be carried to them.
            [one, ..] if is_history && random.chance(30) => vec![made(one, false)],
            [one, other] if is_turned => vec![made(other, true), made(one, false)],
            [one, other] => vec![made(one, true), made(other, false)],
            _ => continue,
        };
        let shows = if random.chance(35) { Shows::Unbuilt } else { beside(random) };
        rules.push(Rule { when, shows });
    }
    for _ in 0..*random.pick(&[1, 1, 1, 2]) {
        let count = *random.pick(&[1, 1, 2, 3]);
        let wanted = random.some(&edits, count);
        let when = wanted.iter().map(|number| made(*number, true)).collect();
        rules.push(Rule { when, shows: Shows::Fail });
    }
    // In a history no passing run prints the other wording, so it counts as another failure
    // there.
    let heading = match edits[..] {
        [first, ..] if !is_history && random.chance(40) => Some(made(first, true)),
        _ => None,
    };
    Oracle { rules, voice: voice(random), heading }
}
