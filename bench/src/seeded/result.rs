//! Compares the changes that whodunit blames with the inserted fault.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use super::mutate::Mutation;
use super::packages::Package;
use super::seed::{Hunk, Seeded};
use super::totals::Sum;
use crate::changes::judge::Blamed;
use crate::changes::run::{Answer, Outcome};
use crate::page;

/// With more lines than these beside it, a fault does not count as found: the reader of the answer
/// would have to search it again.
const MOST_BESIDE: u64 = 10;

/// The result of a case.
pub(super) struct Found {
    mutation: Mutation,
    pub(super) hunk: Hunk,
    pub(super) outcome: Outcome,
    /// The nearness of the culprit, the fix and the spot to the fault.
    blamed: [Hit; 3],
}

/// The nearness of some changes to a fault, with the number of lines beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hit {
    /// The line with the fault is one of the changes.
    Line(u64),
    /// Only other lines of the fault's hunk are among the changes: those that it replaced or that
    /// came with it. If the fault drops a new statement, taking out the old one alone can show
    /// the same failure.
    Hunk(u64),
    Nothing,
}

impl Found {
    pub(super) fn of(seeded: &Seeded, outcome: Outcome) -> Self {
        let hit = |changes: fn(&Answer) -> &[Blamed]| match &outcome.answer {
            Some(answer) => hit(changes(answer), &seeded.file, seeded.fault.line, &seeded.hunk),
            None => Hit::Nothing,
        };
        let blamed =
            [hit(|answer| &answer.culprit), hit(|answer| &answer.fix), hit(|answer| &answer.spot)];
        let (mutation, hunk) = (seeded.fault.mutation, seeded.hunk.clone());
        Found { mutation, hunk, outcome, blamed }
    }

    /// Whether the fault is among the blamed lines, with few others.
    pub(super) fn is_found(&self) -> bool {
        self.blamed.iter().any(|hit| matches!(hit, Hit::Line(beside) if *beside <= MOST_BESIDE))
    }

    /// Whether the fault, or another line of its run of changed lines, is blamed, with few others.
    pub(super) fn is_near(&self) -> bool {
        self.blamed.iter().any(|hit| hit.beside().is_some_and(|beside| beside <= MOST_BESIDE))
    }

    fn fewest_beside(&self) -> Option<u64> {
        self.blamed.iter().min().and_then(|hit| hit.beside())
    }

    fn blamed_by(&self) -> &'static str {
        match self.blamed {
            [_, _, Hit::Line(_)] => "spot",
            [Hit::Line(_), Hit::Line(_), _] => "both",
            [Hit::Line(_), ..] => "culprit",
            [_, Hit::Line(_), _] => "fix",
            [Hit::Nothing, Hit::Nothing, Hit::Nothing] => "neither",
            _ => "hunk only",
        }
    }

    pub(super) fn row(&self, package: &Package, seed: u64) -> [String; COLUMNS.len()] {
        let mut row = [const { String::new() }; COLUMNS.len()];
        row[0] = format!("{package}, {seed}");
        row[1] = self.mutation.to_string();
        let yes = |is_so| if is_so { "yes" } else { "no" };
        row[2] = format!("{} / {}", yes(self.hunk.fails), yes(self.hunk.mends));
        if let Some(answer) = &self.outcome.answer {
            let Answer { files, changes, hunks, committed, .. } = answer;
            row[3] = format!("{files} / {changes} / {hunks}");
            row[4] = format!("{} ({committed} committed)", answer.tests_run());
            let Answer { unresolved, asked, .. } = answer;
            row[5] = format!("{unresolved} of {asked} ({} %)", answer.unresolved_percent());
            row[6] = answer.culprit_lines().to_string();
        }
        row[7] = self.blamed_by().to_owned();
        row[8] = self.fewest_beside().map_or("–".to_owned(), |beside| beside.to_string());
        row[9] = match (self.is_found(), self.is_near()) {
            (true, _) => "yes",
            (false, true) => "hunk",
            (false, false) => "no",
        }
        .to_owned();
        row[10] = format!("{:.1}", self.outcome.wall.as_secs_f64());
        row[11].clone_from(&self.outcome.ended);
        row[12] = page::today();
        row
    }
}

/// Returns the row of a case that could not be made.
pub(super) fn lacking_row(package: &Package, seed: u64) -> [String; COLUMNS.len()] {
    let mut row = [const { String::new() }; COLUMNS.len()];
    row[0] = format!("{package}, {seed}");
    NO_CASE.clone_into(&mut row[11]);
    row[12] = page::today();
    row
}

impl Sum {
    /// Adds a case from its row.
    pub(super) fn add_row(&mut self, row: &[String; COLUMNS.len()]) {
        if row[11] == NO_CASE {
            self.lacking += 1;
            return;
        }
        let number = |cell: &str| cell.split_whitespace().next()?.parse().ok();
        let committed = row[4].split_once('(').and_then(|(_, committed)| number(committed));
        self.cases += 1;
        self.small += usize::from(row[2].contains("yes"));
        self.found += usize::from(row[9] == "yes");
        self.near += usize::from(row[9] == "yes" || row[9] == "hunk");
        self.tests.extend(committed);
        if let Some((unresolved, asked)) = row[5].split_once(" of ") {
            self.unresolved += number(unresolved).unwrap_or(0);
            self.asked += number(asked).unwrap_or(0);
        }
    }

    pub(super) fn add(&mut self, found: &Found) {
        self.cases += 1;
        self.small += usize::from(found.hunk.fails || found.hunk.mends);
        self.found += usize::from(found.is_found());
        self.near += usize::from(found.is_near());
        if let Some(answer) = &found.outcome.answer {
            self.tests.push(answer.committed);
            self.asked += answer.asked;
            self.unresolved += answer.unresolved;
        }
    }
}

const NO_CASE: &str = "no case";

pub(super) const COLUMNS: [&str; 13] = [
    "case, seed",
    "fault",
    "hunk fails / mends",
    "files / lines / hunks",
    "tests",
    "unresolved",
    "culprit lines",
    "blamed by",
    "lines beside",
    "found",
    "seconds",
    "ended",
    "date",
];

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(answer) = &self.outcome.answer else {
            return write!(formatter, "no answer ({})\n{}", self.outcome.ended, self.outcome.said);
        };
        let word = match (self.is_found(), self.is_near()) {
            (true, _) => "found",
            (false, true) => "its hunk found",
            (false, false) => "NOT FOUND",
        };
        let beside = self.fewest_beside().map(|beside| format!(", {beside} lines beside it"));
        let (committed, seconds) = (answer.committed, self.outcome.wall.as_secs_f64());
        write!(formatter, "{word} by {}{}", self.blamed_by(), beside.unwrap_or_default())?;
        write!(formatter, ", {committed} tests, {seconds:.1} s ({})", self.outcome.ended)
    }
}

impl Hit {
    fn beside(self) -> Option<u64> {
        match self {
            Hit::Line(beside) | Hit::Hunk(beside) => Some(beside),
            Hit::Nothing => None,
        }
    }
}

/// Compares the blamed changes with a fault and the run of changed lines around it.
fn hit(blamed: &[Blamed], file: &str, line: u32, hunk: &Hunk) -> Hit {
    let meets = |lines: &Option<RangeInclusive<u64>>, other: &Range<u32>| {
        let is_in = |lines: &RangeInclusive<u64>| {
            *lines.start() < u64::from(other.end) && u64::from(other.start) <= *lines.end()
        };
        lines.as_ref().is_some_and(is_in)
    };
    let here = || blamed.iter().filter(|it| it.file == file);
    let beside = blamed.iter().map(Blamed::lines).sum::<u64>().saturating_sub(1);
    if here().any(|it| meets(&it.new_lines, &(line..line + 1))) {
        Hit::Line(beside)
    } else if here()
        .any(|it| meets(&it.new_lines, &hunk.new_lines) || meets(&it.old_lines, &hunk.old_lines))
    {
        Hit::Hunk(beside)
    } else {
        Hit::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_taken_out_and_put_in_are_counted_beside_the_fault() {
        let at = |file: &str, old_lines, new_lines| Blamed {
            file: file.into(),
            old_lines,
            new_lines,
            ..Blamed::default()
        };
        let hunk = Hunk { old_lines: 17..19, new_lines: 20..30, ..Hunk::default() };
        let line = [at("a.py", Some(7..=7), Some(8..=9)), at("b.py", None, Some(1..=3))];
        assert_eq!(hit(&line, "a.py", 9, &hunk), Hit::Line(5));
        assert_eq!(hit(&line, "a.py", 7, &hunk), Hit::Nothing);
        assert_eq!(hit(&line, "c.py", 1, &hunk), Hit::Nothing);
        assert_eq!(hit(&[at("a.py", Some(18..=18), None)], "a.py", 22, &hunk), Hit::Hunk(0));
        assert_eq!(hit(&[at("a.py", Some(19..=19), None)], "a.py", 22, &hunk), Hit::Nothing);
        assert_eq!(hit(&[at("a.py", None, Some(29..=35))], "a.py", 22, &hunk), Hit::Hunk(6));
    }
}
