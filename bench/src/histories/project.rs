//! A made-up project and its history: the changes of each commit to each file.
//!
//! A shell library with many functions, all of which are loaded. Some commit breaks a sum. After it
//! the function that the test calls is renamed twice, together with its callers and the lines
//! beside the calls, and three times a broken line stays for a while, so that nothing can be run.
//! The test comes with the newest commit. Every commit also makes an unrelated change.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_test_support::Random;

/// The number of modules beside the relevant ones.
const MODULES: u32 = 20;

/// The number of functions in each of them.
const FUNCTIONS: u32 = 12;

/// The names of the function that the test calls, one after the other.
const NAMES: [&str; 3] = ["total", "total_of", "amount_of"];

/// A history.
pub(super) struct History {
    /// The commits, oldest first.
    pub(super) commits: Vec<Commit>,
    /// The place of the commit that breaks the sum.
    pub(super) cause: usize,
    /// The number of commits that cannot be tested.
    pub(super) broken: usize,
}

/// The files that a commit writes.
pub(super) struct Commit {
    pub(super) message: String,
    pub(super) files: BTreeMap<String, String>,
}

/// The state of the project while its history is made.
struct Project {
    random: Random,
    /// The number that each function of each module prints.
    words: Vec<Vec<u32>>,
    name: &'static str,
    /// The edition of the forms, which changes with the name.
    edition: u32,
    is_wrong: bool,
    /// The number of the stretch of broken commits, within one.
    broken: Option<usize>,
    /// The modules that the current commit has touched.
    touched: BTreeSet<String>,
}

impl History {
    /// Makes the history of a seed with `count` commits, a fifth of which cannot be tested.
    pub(super) fn new(seed: u64, count: usize) -> History {
        let mut random = Random::new(seed);
        let mut below = |bound: usize| random.below(u32::try_from(bound).unwrap_or(1)) as usize;
        // Both renamings must fit between the cause and the newest commit.
        let cause = 2 + below(count - 6);
        let mut renamed = BTreeSet::new();
        while renamed.len() < 2 {
            renamed.insert(cause + 1 + below(count - cause - 2));
        }
        let length = count / 15;
        let thirds = (0..3).map(|third| third * (count / 3) + 1 + below(count / 3 - length - 2));
        let broken: Vec<(usize, usize)> = thirds.map(|from| (from, from + length)).collect();
        let mut project = Project::new(random);
        let commits = (0..count).map(|place| {
            let mut subjects = Vec::new();
            if place == 0 {
                project.create();
            }
            if place == cause {
                project.is_wrong = true;
                project.touch("core");
                subjects.push("start sums elsewhere");
            }
            if renamed.contains(&place) {
                project.rename();
                subjects.push("give the sum a better name");
            }
            for (number, &(from, to)) in broken.iter().enumerate() {
                if place == from {
                    project.broken = Some(number);
                    project.touch("setup");
                    subjects.push("take the scale from a tool");
                }
                if place == to {
                    project.broken = None;
                    project.touch("setup");
                    subjects.push("do without the tool");
                }
            }
            for _ in 0..2 + project.random.below(10) {
                project.work();
            }
            let mut files = project.written();
            if place == count - 1 {
                files.extend(test());
                subjects.push("test sums");
            }
            let subject = if subjects.is_empty() { "work".into() } else { subjects.join(", ") };
            Commit { message: format!("{place}: {subject}"), files }
        });
        let untestable = broken.iter().map(|(from, to)| to - from).sum();
        History { commits: commits.collect(), cause, broken: untestable }
    }
}

impl Project {
    fn new(mut random: Random) -> Self {
        let functions = |random: &mut Random| (0..FUNCTIONS).map(|_| random.below(1000)).collect();
        let words = (0..MODULES).map(|_| functions(&mut random)).collect();
        let name = NAMES[0];
        let touched = BTreeSet::new();
        Project { random, words, name, edition: 1, is_wrong: false, broken: None, touched }
    }

    fn touch(&mut self, module: &str) {
        self.touched.insert(module.to_owned());
    }

    fn create(&mut self) {
        for module in ["setup", "core", "sum", "invoice", "report"] {
            self.touch(module);
        }
        for module in 0..MODULES {
            self.touched.insert(format!("module_{module:02}"));
        }
    }

    /// Gives the function that the test calls its next name, as part of a larger change: the lines
    /// beside its calls change, and functions are added, in the same files and elsewhere.
    fn rename(&mut self) {
        let place = NAMES.iter().position(|name| *name == self.name).unwrap_or(0);
        self.name = NAMES[(place + 1) % NAMES.len()];
        self.edition += 1;
        for module in ["sum", "invoice", "report"] {
            self.touch(module);
        }
        for module in 0..MODULES / 2 {
            let word = self.random.below(1000);
            self.words[module as usize].push(word);
            self.touched.insert(format!("module_{module:02}"));
        }
    }

    /// Returns the functions that the editions added to a module.
    fn explained(&self, module: &str) -> String {
        let explained = (2..=self.edition).map(|edition| {
            format!(
                "\nexplain_{module}_{edition}() {{\n    case \"$1\" in\n    {edition})\n        \
                 echo \"this edition\"\n        ;;\n    *)\n        \
                 echo \"another edition\"\n        ;;\n    esac\n}}\n"
            )
        });
        explained.collect()
    }

    /// Makes a change that is unrelated to the test.
    fn work(&mut self) {
        let module = self.random.below(MODULES) as usize;
        let words = &mut self.words[module];
        let function = self.random.below(words.len() as u32) as usize;
        match self.random.below(8) {
            0 => words.push(self.random.below(1000)),
            1 if words.len() > 4 => {
                words.remove(function);
            }
            _ => words[function] = self.random.below(1000),
        }
        self.touched.insert(format!("module_{module:02}"));
    }

    /// Returns the files that the current commit writes.
    fn written(&mut self) -> BTreeMap<String, String> {
        let touched = std::mem::take(&mut self.touched);
        touched.into_iter().map(|module| (format!("lib/{module}.sh"), self.text(&module))).collect()
    }

    fn text(&self, module: &str) -> String {
        let (name, edition) = (self.name, self.edition);
        match module {
            "setup" => match self.broken {
                None => "# Settings that everything uses.\nscale=1\n".into(),
                Some(number) => format!(
                    "# Settings that everything uses.\nscale=$(find_scale_{number}) || exit 9\n"
                ),
            },
            "core" => format!(
                "# Adds up all that is given.\nadd_up() {{\n    sum={}\n    for number in \"$@\"; do\n        \
                 sum=$((sum + number))\n    done\n    echo \"$sum\"\n}}\n",
                u8::from(self.is_wrong)
            ),
            "sum" => format!(
                "# The sum that others ask for.\n{name}() {{\n    add_up \"$@\"\n}}\n{}",
                self.explained(module)
            ),
            "invoice" => format!(
                "invoice() {{\n    form=\"invoice {edition}\"\n    echo \"$form: $({name} \"$@\")\"\n    \
                 echo \"to be paid within {edition} weeks\"\n}}\n{}",
                self.explained(module)
            ),
            "report" => format!(
                "report() {{\n    echo \"in all, edition {edition}\"\n    {name} \"$@\"\n}}\n\n\
                 short_report() {{\n    {name} \"$1\" \"$2\"\n    echo \"edition {edition}\"\n}}\n{}",
                self.explained(module)
            ),
            other => {
                let number = other.trim_start_matches("module_").parse().unwrap_or(0usize);
                let words = self.words[number].iter().enumerate();
                let function = |(place, word): (usize, &u32)| {
                    format!(
                        "{other}_{place}() {{\n    if [ \"$1\" -gt {word} ]; then\n        \
                         echo \"more than {word}\"\n    else\n        echo \"$1\"\n    fi\n}}\n"
                    )
                };
                words.map(function).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// Returns the test that the newest commit adds.
fn test() -> [(String, String); 2] {
    let script = "set -e\nfor part in lib/*.sh; do\n    . \"./$part\"\n\
                  done\nread -r numbers < tests/numbers.txt\ngot=$(amount_of $numbers)\nif [ \"$got\" != 6 ]; then\n    \
                  echo \"the sum is wrong\"\n    exit 1\nfi\n";
    [("tests/check.sh".into(), script.into()), ("tests/numbers.txt".into(), "1 2 3\n".into())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_commits_cannot_be_tested() {
        for seed in 0..20 {
            let history = History::new(seed, 2000);
            assert_eq!(history.commits.len(), 2000);
            assert!((380..=400).contains(&history.broken), "{}", history.broken);
            assert!(history.commits.iter().all(|commit| !commit.files.is_empty()));
        }
    }
}
