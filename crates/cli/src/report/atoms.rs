//! The atomic changes between two versions as text.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_jobs::atomic::{AffectedTest, AtomAnswer, ResponsibleBy};
use whodunit_jobs::listing::AtomsAnswer;

use super::atomic::known;
use super::{counted, number, percent, table};
use crate::output::{inert, plain};

/// Characters: a column is as wide as its longest text up to this length; longer texts stick out.
const WIDEST: usize = 60;

/// The number of changes of each kind between two versions.
#[derive(Debug, serde::Serialize)]
pub(crate) struct KindCounts {
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) changes: u64,
    pub(crate) kinds: BTreeMap<String, u64>,
}

impl KindCounts {
    /// Returns both versions as a range.
    pub(crate) fn range(&self) -> String {
        plain(&format!("{}..{}", self.old, self.new))
    }
}

/// Returns the kinds that occur in any of some pairs, in order.
pub(crate) fn kinds_in(pairs: &[KindCounts]) -> BTreeSet<&str> {
    pairs.iter().flat_map(|pair| pair.kinds.keys()).map(String::as_str).collect()
}

/// Returns a row for each kind and a column for each pair of versions: Figure 5 of the paper of 2008.
pub(crate) fn kinds(pairs: &[KindCounts]) -> String {
    let ranges: Vec<String> = pairs.iter().map(KindCounts::range).collect();
    let mut text = String::from("kind");
    ranges.iter().for_each(|range| text.push_str(&format!("  {range:>6}")));
    let mut row = |name: &str, count: &dyn Fn(&KindCounts) -> u64| {
        text.push_str(&format!("\n{name:<4}"));
        for (pair, range) in pairs.iter().zip(&ranges) {
            let width = range.chars().count().max(6);
            text.push_str(&format!("  {:>width$}", number(count(pair))));
        }
    };
    for kind in kinds_in(pairs) {
        row(kind, &|pair| pair.kinds.get(kind).copied().unwrap_or(0));
    }
    row("all", &|pair| pair.changes);
    text + "\n"
}

/// Returns a line for each change, and their number.
pub(crate) fn listing(answer: &AtomsAnswer) -> String {
    let rows: Vec<[String; 6]> = answer.atoms.iter().map(columns).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.filter(|&width| width <= WIDEST).max().unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let [mark, number, kind, name, place, rest] = row;
        let [_, numbers, kinds, names, places, _] = widths;
        let line = format!(
            "{mark} {number:>numbers$}  {kind:<kinds$}  {name:<names$}  {place:<places$}  {rest}"
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &table(&facts(answer)) + &tests(answer)
}

/// Returns a line for each test that changes can affect, and their number.
fn tests(answer: &AtomsAnswer) -> String {
    let Some(tests) = &answer.tests else { return String::new() };
    let affected: Vec<_> = tests.iter().filter(|test| !test.changes.is_empty()).collect();
    let (part, all) = (affected.len() as u64, tests.len() as u64);
    let count = counted(all, "test", "tests");
    let share = percent(part, all);
    let mut text =
        table(&[("tests", format!("{} of {count} can be affected ({share})", number(part)))]);
    let names: Vec<String> = affected.iter().map(|test| test_name(test)).collect();
    let widths = names.iter().map(|name| name.chars().count()).filter(|&width| width <= WIDEST);
    let width = widths.max().unwrap_or(0);
    for (name, test) in names.iter().zip(&affected) {
        let numbers: Vec<String> = test.changes.iter().map(u64::to_string).collect();
        text.push_str(&format!("  {name:<width$}  {}\n", numbers.join(", ")));
    }
    text
}

fn test_name(test: &AffectedTest) -> String {
    match &test.file {
        Some(file) if file.as_bytes() != test.name.as_bytes() => {
            format!("{} ({})", plain(&test.name), inert(&file.as_path().display().to_string()))
        }
        _ => plain(&test.name),
    }
}

/// Returns a change as the columns of its line.
fn columns(atom: &AtomAnswer) -> [String; 6] {
    let mark = if atom.responsible == Some(true) { "*" } else { " " };
    let mut rest = Vec::new();
    rest.extend(atom.score.map(|score| format!("{score:.2}")));
    if !atom.needs.is_empty() {
        let needs: Vec<String> = atom.needs.iter().map(u64::to_string).collect();
        rest.push(format!("needs {}", needs.join(", ")));
    }
    rest.extend(atom.old_name.as_ref().map(|old| format!("before {}", plain(old))));
    [
        mark.into(),
        atom.number.to_string(),
        atom.kind.clone(),
        plain(&atom.name),
        place(atom),
        rest.join("  "),
    ]
}

fn place(atom: &AtomAnswer) -> String {
    let file = inert(&atom.file.as_path().display().to_string());
    match atom.new_lines.or(atom.old_lines) {
        Some([first, last]) if first == last => format!("{file}:{first}"),
        Some([first, last]) => format!("{file}:{first}-{last}"),
        None => file,
    }
}

fn facts(answer: &AtomsAnswer) -> Vec<(&'static str, String)> {
    let count = answer.atoms.len() as u64;
    let kinds = answer.kinds.iter().map(|(kind, count)| format!("{} {kind}", number(*count)));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() { kinds } else { format!(": {kinds}") };
    let mut rows = vec![("changes", counted(count, "atomic change", "atomic changes") + &kinds)];
    if answer.responsible_by != ResponsibleBy::Nothing {
        let part = answer.atoms.iter().filter(|atom| atom.responsible == Some(true)).count() as u64;
        let known = known(answer.responsible_by, &answer.entries);
        let share = percent(part, count);
        rows.push(("", format!("{} responsible, marked * ({share}, {known})", number(part))));
        for (at, chain) in answer.chains.iter().enumerate() {
            let numbers: Vec<String> = chain.iter().map(u64::to_string).collect();
            rows.push((if at == 0 { "chains" } else { "" }, numbers.join(", ")));
        }
    }
    rows.extend(answer.notes.iter().map(|note| ("beware", plain(note))));
    rows
}
