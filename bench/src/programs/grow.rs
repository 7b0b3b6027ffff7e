//! The old version of a program, made from a seed.

use super::model::{Constant, Function, Module, Record, Step};
use super::words::{FIELDS, MODULES, NOUNS, PARAMETERS, RECORDS, VERBS};
use whodunit_test_support::Random;

/// The default number of functions in a module.
pub(super) const FUNCTIONS: usize = 10;
/// The number of constants in a module.
const CONSTANTS: usize = 3;

/// Makes functions, each with a name of its own.
pub(super) struct Grower {
    pub(super) random: Random,
    names: usize,
}

impl Grower {
    pub(super) fn new(seed: u64) -> Self {
        Grower { random: Random::new(seed), names: 0 }
    }

    /// Makes all modules; later ones call earlier ones.
    pub(super) fn modules(&mut self, functions: usize) -> Vec<Module> {
        let mut modules: Vec<Module> = Vec::new();
        for (place, name) in MODULES.into_iter().enumerate() {
            let mut module = Module { name, records: vec![], constants: vec![], functions: vec![] };
            for _ in 0..CONSTANTS {
                module.constants.push(self.constant());
            }
            if place % 2 == 0 {
                let (name, fields) = (RECORDS[place / 2].to_owned(), FIELDS[..3].to_vec());
                module.records.push(Record { name, fields });
            }
            for _ in 0..functions {
                let function = self.function(&modules, &module);
                module.functions.push(function);
            }
            modules.push(module);
        }
        modules
    }

    /// Returns a number from `least`, below `bound`.
    pub(super) fn number(&mut self, least: u32, bound: u32) -> u32 {
        least + self.random.below(bound - least)
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let length = u32::try_from(from.len()).expect("lists are short");
        &from[self.random.below(length) as usize]
    }

    /// Returns an unused name.
    pub(super) fn name(&mut self) -> String {
        let (verb, noun) = (self.names % VERBS.len(), self.names / VERBS.len());
        let round = noun / NOUNS.len();
        self.names += 1;
        let name = format!("{}_{}", VERBS[verb], NOUNS[(noun + verb) % NOUNS.len()]);
        if round == 0 { name } else { format!("{name}_{}", round + 1) }
    }

    pub(super) fn constant(&mut self) -> Constant {
        let name = self.name().to_uppercase();
        Constant { name, value: self.number(3, 60) }
    }

    /// Makes a function that may call functions of `earlier` modules and use those of its own.
    pub(super) fn function(&mut self, earlier: &[Module], own: &Module) -> Function {
        let parameters = *self.pick(&PARAMETERS);
        let name = self.name();
        let body = match self.random.below(6) {
            0 => self.sum(parameters),
            1 => self.steps_of_a_scale(parameters),
            2 => self.best(parameters),
            3 => self.constant_share(parameters, own),
            4 if !own.records.is_empty() => self.through_a_record(parameters, own),
            _ if !earlier.is_empty() => self.call(parameters, earlier),
            _ => self.mixture(parameters),
        };
        Function { name, parameters, body }
    }

    fn sum(&mut self, [a, b]: [&str; 2]) -> Vec<Step> {
        let (first, times, factor) = (self.number(1, 20), self.number(3, 9), self.number(2, 30));
        let inside = format!("total + step * {factor} + {a} % {}", self.number(3, 40));
        vec![
            Step::Let("total", format!("{b} + {first}")),
            Step::Loop {
                variable: "step",
                bound: times.to_string(),
                body: vec![Step::Set("total", inside)],
            },
            Step::Return(format!("total % {}", self.number(50, 900))),
        ]
    }

    fn steps_of_a_scale(&mut self, [a, b]: [&str; 2]) -> Vec<Step> {
        let (high, low) = (self.number(200, 400), self.number(20, 100));
        vec![
            Step::If(format!("{a} > {high}"), vec![self.back(b)]),
            Step::If(format!("{a} > {low}"), vec![self.back(a)]),
            self.back(b),
        ]
    }

    fn back(&mut self, of: &str) -> Step {
        let (modulus, plus) = (self.number(7, 90), self.number(1, 50));
        Step::Return(format!("{of} % {modulus} + {plus}"))
    }

    fn best(&mut self, [a, b]: [&str; 2]) -> Vec<Step> {
        let score = format!("({a} * place + {}) % {}", self.number(3, 30), self.number(31, 97));
        let better = vec![Step::Set("best", "score".to_owned())];
        vec![
            Step::Let("best", format!("{b} % {}", self.number(5, 30))),
            Step::Loop {
                variable: "place",
                bound: self.number(3, 8).to_string(),
                body: vec![Step::Let("score", score), Step::If("score > best".to_owned(), better)],
            },
            Step::Return("best".to_owned()),
        ]
    }

    fn constant_share(&mut self, [a, b]: [&str; 2], own: &Module) -> Vec<Step> {
        let constant = self.pick(&own.constants).name.clone();
        let share = format!("{a} * @{}.{constant} % {}", own.name, self.number(100, 700));
        vec![
            Step::Let("share", share),
            Step::Return(format!("share + {b} % {}", self.number(5, 50))),
        ]
    }

    fn through_a_record(&mut self, [a, b]: [&str; 2], own: &Module) -> Vec<Step> {
        let record = &own.records[0];
        let mut fields = Vec::new();
        for (place, field) in record.fields.iter().enumerate() {
            let from = if place % 2 == 0 { a } else { b };
            fields.push((*field, format!("{from} % {}", self.number(11, 80))));
        }
        let sum: Vec<String> = record.fields.iter().map(|field| format!("made.{field}")).collect();
        vec![
            Step::Make { variable: "made", record: record.name.clone(), fields },
            Step::Return(format!("{} + {}", sum.join(" + "), self.number(1, 9))),
        ]
    }

    fn call(&mut self, [a, b]: [&str; 2], earlier: &[Module]) -> Vec<Step> {
        let module = self.pick(earlier);
        let called = self.pick(&module.functions).name.clone();
        let given = format!("{b} + {}", self.number(1, 9));
        vec![
            Step::Let("known", format!("@{}.{called}({a}, {given})", module.name)),
            Step::Return(format!(
                "known % {} + {b} % {}",
                self.number(60, 300),
                self.number(3, 30)
            )),
        ]
    }

    fn mixture(&mut self, [a, b]: [&str; 2]) -> Vec<Step> {
        let most = self.number(40, 80);
        let mixed = format!("({a} * {} + {b}) % {}", self.number(2, 9), self.number(100, 300));
        let lowered = vec![Step::Set("mixed", format!("mixed - {}", self.number(1, 40)))];
        vec![
            Step::Let("mixed", mixed),
            Step::If(format!("mixed > {most}"), lowered),
            Step::Return(format!("mixed + {}", self.number(1, 20))),
        ]
    }
}
