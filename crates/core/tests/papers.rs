//! Replays the tables of the papers, question by question.
//!
//! `tables/` holds them as printed, one file each. A line is a step: its number, the candidate, the
//! verdict, and perhaps a note: `ours` for a question that the paper does not print, `foretold` for
//! one that it does not test. `…` stands where an excerpt breaks off. A line `word = mark`
//! translates a paper's word for a verdict.

use std::collections::HashMap;

use whodunit_core::searches::{Dd, DdPlus, Foretold, Halving, Ordered, Prefixes};
use whodunit_core::{Answer, Delta, DeltaSet, Foretell, Search, Step, Verdict};

const WYNOT_1: &str = include_str!("tables/wynot-1.txt");
const WYNOT_2: &str = include_str!("tables/wynot-2.txt");
const WYNOT_3: &str = include_str!("tables/wynot-3.txt");
const WYNOT_4: &str = include_str!("tables/wynot-4.txt");
const WYNOT_5: &str = include_str!("tables/wynot-5.txt");
const WYNOT_6: &str = include_str!("tables/wynot-6.txt");
const WYNOT_7: &str = include_str!("tables/wynot-7.txt");
const IDD_FIGURE_3: &str = include_str!("tables/idd-figure-3.txt");

#[test]
fn dd_asks_the_questions_of_table_1() {
    Run::of(&[WYNOT_1]).replay(Dd::new(8), Dd::found);
}

#[test]
fn dd_asks_the_questions_of_table_2_and_one_more() {
    let run = Run::of(&[WYNOT_2]);
    run.replay(Dd::new(8), Dd::found);
    let ours: Vec<usize> = run.noted(Some(Note::Ours)).map(|line| line.number).collect();
    assert_eq!(ours, [8]);
}

#[test]
fn dd_asks_the_questions_of_table_3() {
    Run::of(&[WYNOT_3]).replay(Dd::new(8), Dd::found);
}

#[test]
fn dd_plus_asks_the_questions_of_table_4() {
    Run::of(&[WYNOT_4]).replay(DdPlus::new(8), DdPlus::found);
}

#[test]
fn dd_plus_asks_the_questions_of_tables_5_and_6() {
    Run::of(&[WYNOT_5, WYNOT_6]).replay(DdPlus::new(8), DdPlus::found);
}

#[test]
fn knowing_the_implications_of_table_5_leaves_5_of_16_tests() {
    let run = Run::of(&[WYNOT_5, WYNOT_6]);
    let resolved = run.lines.iter().filter(|line| line.verdict != Some(Verdict::Unresolved));
    let run = Run { lines: resolved.cloned().collect(), result: run.result };
    assert_eq!(run.lines.len(), 5);
    let implications = Together([1, 2, 6].into_iter().map(Delta).collect());
    let search = Foretold::new(DdPlus::new(8), implications);
    let search = run.replay(search, |search| search.search().found());
    assert_eq!(search.foretold(), 11);
}

#[test]
fn dd_plus_asks_the_questions_of_table_7() {
    let run = Run::of(&[WYNOT_7]);
    run.replay(DdPlus::new(8), DdPlus::found);
    for line in &run.lines {
        let foretold = (line.note == Some(Note::Foretold)).then_some(Verdict::Unresolved);
        assert_eq!(Prefixes.foretell(&line.question), foretold, "step {}", line.number);
    }
}

#[test]
fn an_order_leaves_3_of_the_5_tests_of_table_7() {
    let run = Run::of(&[WYNOT_7]);
    let tested = run.noted(None).cloned().collect();
    let run = Run { lines: tested, result: run.result };
    assert_eq!(run.lines.len(), 3);
    let search = run.replay(Ordered::new(8), Ordered::found);
    assert_eq!(search.foretold(), 2);
}

#[test]
fn halving_asks_the_questions_of_figure_3() {
    Run::of(&[IDD_FIGURE_3]).replay(Halving::new(8), Halving::best);
}

/// Knows that some deltas can be applied only as a whole.
#[derive(Clone)]
struct Together(DeltaSet);

impl Foretell<DeltaSet> for Together {
    fn foretell(&self, candidate: &DeltaSet) -> Option<Verdict> {
        let there = self.0.intersection(candidate).len();
        (there > 0 && there < self.0.len()).then_some(Verdict::Unresolved)
    }
}

/// The printed steps of one table, or of several in a row.
#[derive(Default)]
struct Run {
    lines: Vec<Line>,
    /// The result of the search, unless the table is an excerpt.
    result: Option<DeltaSet>,
}

#[derive(Clone)]
struct Line {
    number: usize,
    question: DeltaSet,
    /// `None` where an excerpt breaks off.
    verdict: Option<Verdict>,
    note: Option<Note>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Note {
    Ours,
    Foretold,
}

impl Run {
    fn of(tables: &[&str]) -> Run {
        let mut run = Run::default();
        for table in tables {
            run.read(table);
        }
        let numbers = run.lines.iter().map(|line| line.number);
        assert!(numbers.eq(1..=run.lines.len()), "the steps are numbered");
        run
    }

    fn read(&mut self, table: &str) {
        let mut marks = HashMap::from([
            ("✗", Some(Verdict::Fail)),
            ("✓", Some(Verdict::Pass)),
            ("?", Some(Verdict::Unresolved)),
            ("…", None),
        ]);
        let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [word, "=", mark] => _ = marks.insert(word, marks[mark]),
                ["result", ref question @ ..] => self.result = Some(candidate(question)),
                [number, ref rest @ ..] => {
                    let place = rest.iter().position(|word| marks.contains_key(word));
                    let place = place.unwrap_or_else(|| panic!("no verdict in `{line}`"));
                    self.lines.push(Line {
                        number: number.parse().expect("a line starts with its number"),
                        question: candidate(&rest[..place]),
                        verdict: marks[rest[place]],
                        note: rest.get(place + 1).map(|note| Note::read(note)),
                    });
                }
                [] => {}
            }
        }
    }

    fn noted(&self, note: Option<Note>) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.note == note)
    }

    /// Drives a search with the printed verdicts and returns it as it is at the end.
    fn replay<S>(&self, mut search: S, found: impl Fn(&S) -> DeltaSet) -> S
    where
        S: Search<Candidate = DeltaSet>,
    {
        for line in &self.lines {
            assert_eq!(search.step(), Step::Ask(line.question.clone()), "step {}", line.number);
            if let Some(verdict) = line.verdict {
                search.learn(&Answer::from(verdict));
            }
        }
        if let Some(result) = &self.result {
            assert_eq!(search.step(), Step::Done);
            assert_eq!(found(&search), *result);
        }
        search
    }
}

impl Note {
    fn read(word: &str) -> Note {
        match word {
            "ours" => Note::Ours,
            "foretold" => Note::Foretold,
            _ => panic!("no such note: {word}"),
        }
    }
}

/// Reads `. 2 3 .` as well as `0110`.
fn candidate(words: &[&str]) -> DeltaSet {
    let places: Vec<&str> = match words {
        [bits] => bits.split("").filter(|bit| !bit.is_empty()).collect(),
        _ => words.to_vec(),
    };
    assert_eq!(places.len(), 8, "all tables are about eight changes");
    let there = (0..).zip(places).filter(|(_, place)| !matches!(*place, "." | "0"));
    there.map(|(place, _)| Delta(place)).collect()
}
