//! The experiments of the thesis on hierarchical delta debugging (Misherghi, 2007), rebuilt: the
//! tests that the searches need on programs, and how many of them have syntax errors.
//!
//! The programs are in `bench/thesis`. The oracles are simulated with the grammars: a candidate
//! that does not parse is unresolved, as is a C program that uses an undeclared name. So the tables
//! are the same on every machine.

pub(crate) mod coupled;
mod nesting;
mod programs;

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use whodunit_jobs::core::searches::{Certify, Ddmin, Hdd, HddPlus, HddRecursive, HddStar, Sweep};
use whodunit_jobs::core::{Search, Step, Verdict};
use whodunit_jobs::reduce::TextSize;
use whodunit_jobs::syntax::parse::parses;

use crate::input::{content, settings, snapshot};
use programs::{PROGRAMS, Program};
use whodunit_input::{Granularity, Input, InputCandidate, Languages, Snapshot, Structure, TextCut};
use whodunit_run::Subject;

/// The costs and the result of a search.
#[derive(Clone, Copy, Debug)]
struct Count {
    /// Different contents that the oracle judged.
    tests: usize,
    /// The number of tests that do not parse.
    syntax_errors: usize,
    /// The remaining tokens.
    tokens: u64,
}

const HEAD: &str = "\
# The experiments of the thesis, rebuilt

Programs in the spirit of Tables 4.1, 4.2 and 5.1 of *Hierarchical Delta Debugging* (Misherghi, 2007),
in `bench/thesis`, with simulated oracles: a candidate fails iff it parses, has some nodes inside
each other and, in C, uses nothing that it does not declare. Tests (those among them with syntax errors)
→ tokens left; questions about the same content are counted once, and what the grammar foretells is
not asked. Regenerate with `cargo run --release -p whodunit-bench -- thesis`.

`hdd` and `hdd_recursive` go through the tree once and prove nothing about what they leave. Beside
them is `sweep` with `Certify::None`: one walk, which is what `reduce` takes first. `hdd_plus`,
`hdd_star` and the full `sweep` include the proof that no node left can go by itself; that of
`sweep` is also about minimal strings and descendants in a node's place, of which the others know
nothing.

| program | tokens | ddmin, characters | hdd | hdd_recursive | sweep, one walk | hdd_plus | hdd_star | sweep |
|---|---|---|---|---|---|---|---|---|
";

/// Returns the tables in Markdown.
pub(crate) fn table() -> String {
    let rows = thread::scope(|scope| {
        let rows = PROGRAMS
            .each_ref()
            .map(|program| scope.spawn(|| row(program, &program.ddmin(), &program.trees())));
        rows.map(|row| row.join().expect("a row is computed or the table is not"))
    });
    format!("{HEAD}{}{}", rows.concat(), coupled::table())
}

fn row(program: &Program, ddmin: &Count, trees: &[Count]) -> String {
    let tokens = TextSize::of(&program.snapshot()).tokens;
    let cells: Vec<String> = std::iter::once(ddmin).chain(trees).map(Count::cell).collect();
    format!("| {} | {tokens} | {} |\n", program.name, cells.join(" | "))
}

impl Count {
    fn cell(&self) -> String {
        let Count { tests, syntax_errors, tokens } = self;
        format!("{tests} ({syntax_errors}) → {tokens}")
    }
}

impl Program {
    /// Runs the searches over trees, in the order of the table.
    fn trees(&self) -> [Count; 6] {
        let structure = self.structure();
        let tree = structure.tree();
        [
            self.reduce_tree(&structure, Hdd::new(tree)),
            self.reduce_tree(&structure, HddRecursive::new(tree)),
            self.reduce_tree(&structure, Sweep::new(tree).certify(Certify::None)),
            self.reduce_tree(&structure, HddPlus::new(tree)),
            self.reduce_tree(&structure, HddStar::new(tree)),
            self.reduce_tree(&structure, Sweep::new(tree)),
        ]
    }

    fn ddmin(&self) -> Count {
        let settings = settings(Languages::None);
        let rung = TextCut::cut(self.snapshot(), Granularity::Bytes, &settings);
        let search = Ddmin::new(rung.deltas().len());
        let rung = Arc::new(rung);
        self.reduce(search, |kept| InputCandidate::new(rung.clone(), kept))
    }

    fn reduce_tree<S>(&self, structure: &Arc<Structure>, search: S) -> Count
    where
        S: Search<Candidate = whodunit_jobs::core::TreeCandidate>,
    {
        self.reduce(search, |shown| InputCandidate::shown(structure.clone(), shown))
    }

    /// Counts the different contents that a search asks the oracle about.
    fn reduce<S: Search>(
        &self,
        mut search: S,
        input: impl Fn(S::Candidate) -> InputCandidate,
    ) -> Count {
        let language = self.language();
        let mut asked = HashMap::new();
        let mut syntax_errors = 0;
        while let Step::Ask(candidate) = search.step() {
            let candidate = input(candidate);
            let verdict = Input.foretell(&candidate).unwrap_or_else(|| {
                *asked.entry(Input.key(&candidate)).or_insert_with(|| {
                    let bytes = content(&candidate);
                    let is_whole = parses(&language, &bytes);
                    syntax_errors += usize::from(!is_whole);
                    if is_whole { self.judge(&bytes) } else { Verdict::Unresolved }
                })
            });
            search.learn(&verdict.into());
        }
        let best = input(search.best());
        assert_eq!(self.judge(&content(&best)), Verdict::Fail);
        Count { tests: asked.len(), syntax_errors, tokens: TextSize::of(&best.snapshot()).tokens }
    }

    fn structure(&self) -> Arc<Structure> {
        let structure = settings(Languages::ByFile).structure(&self.snapshot());
        Arc::new(structure.expect("each program has a language"))
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        snapshot(self.name, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMITTED: &str = include_str!("../tables/thesis.md");

    impl Count {
        /// Reads the committed count of `ddmin`.
        fn committed(program: &Program) -> Count {
            let row = format!("| {} | ", program.name);
            let row = COMMITTED.lines().find(|line| line.starts_with(&row)).unwrap();
            let cell = row.split(" | ").nth(2).unwrap();
            let numbers = cell.split(|sign: char| !sign.is_ascii_digit());
            let numbers = numbers.filter_map(|number| number.parse::<usize>().ok());
            let [tests, syntax_errors, tokens] = numbers.collect::<Vec<_>>()[..] else {
                panic!("no count: {cell}")
            };
            Count { tests, syntax_errors, tokens: tokens as u64 }
        }
    }

    #[test]
    fn trees_take_a_fraction_of_the_tests_and_make_no_syntax_errors() {
        let mut rows = String::new();
        for program in &PROGRAMS {
            assert!(parses(&program.language(), program.text.as_bytes()), "{}", program.name);
            // In a debug build the search for characters takes minutes; there the committed count
            // is used.
            let ddmin = match cfg!(debug_assertions) {
                true => Count::committed(program),
                false => program.ddmin(),
            };
            let trees = program.trees();
            rows.push_str(&row(program, &ddmin, &trees));
            let [hdd, _, walk, _, _, sweep] = trees;
            assert!(ddmin.tests >= 7 * hdd.tests, "{}: {ddmin:?} {hdd:?}", program.name);
            assert!(walk.tests < hdd.tests, "{}: {walk:?} {hdd:?}", program.name);
            assert!(walk.tokens <= hdd.tokens, "{}: {walk:?} {hdd:?}", program.name);
            assert!(sweep.tokens <= walk.tokens, "{}: {sweep:?} {walk:?}", program.name);
            assert!(trees.iter().all(|count| count.syntax_errors == 0), "{}", program.name);
        }
        assert_eq!(format!("{HEAD}{rows}{}", coupled::table()), COMMITTED);
    }
}
