//! Functions, classes and the like that are in another file of the foreign version.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whodunit_files::{ReadError, TreePath, Version};
use whodunit_syntax::is_binary;
use whodunit_syntax::words::{WordHash, words};

use super::items::{Itemised, place_in};
use super::ladder::Fate;
use super::plan::{Plan, Step};
use crate::decompose::similarity::Fingerprint;
use crate::parallel;
use crate::syntax_facts::Item;

/// Share that two functions of one name must have in common to be the same function. A half, as for
/// files.
const MIN_SIMILARITY: f64 = 0.5;

/// Bytes parsed at most in search of moved functions; files beyond that are not searched. Chosen
/// for about a second.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Searches other changed files for edits that have no place yet.
pub(super) fn place(
    plans: &mut [Plan<'_>],
    base: &Version,
    foreign: &Version,
) -> Result<(), ReadError> {
    if !plans.iter().any(|plan| plan.is_open() && plan.may_parse) {
        return Ok(());
    }
    // Files that go, or get another content as a whole, are no place for anything.
    let is_place = |plan: &&Plan<'_>| plan.to.is_some() && plan.patch.text.is_some();
    let gone = plans.iter().filter(|plan| !is_place(plan));
    let gone: HashSet<TreePath> = gone.filter_map(|plan| plan.from.clone()).collect();
    let mut others = Others::of(base, foreign, &gone)?;
    for plan in plans.iter_mut().filter(|plan| plan.is_open()) {
        let mut steps = std::mem::take(&mut plan.steps);
        for step in steps.iter_mut().filter(|step| step.fate.is_open()) {
            place_step(plan, step, &mut others);
        }
        plan.steps = steps;
    }
    Ok(())
}

fn place_step(plan: &Plan<'_>, step: &mut Step, others: &mut Others) {
    let Some(text) = &plan.patch.text else { return };
    let Some(old) = plan.old_items(text) else { return };
    for item in old.around(&step.edit) {
        let Some((file, theirs)) = others.find(old, item) else { continue };
        let Some((path, foreign)) = others.parsed(file) else { continue };
        let mut one = [(step.edit.clone(), Fate::Open)];
        let theirs = (foreign, &foreign.all()[theirs]);
        place_in((old, item), &text.new, theirs, &text.chosen, &mut one, &[0]);
        let [(_, fate)] = one;
        if !fate.is_open() {
            step.fate = fate;
            step.path = Some(path.clone());
            return;
        }
    }
}

/// The files of the foreign version that are not as they were.
struct Others {
    files: Vec<Other>,
    /// How many bytes may be parsed yet.
    left: usize,
    /// Results of earlier searches.
    known: HashMap<(Arc<str>, u64), Option<ItemPlace>>,
}

/// A file by its number, and an item in it.
type ItemPlace = (usize, usize);

struct Other {
    path: TreePath,
    text: Arc<[u8]>,
    words: HashSet<WordHash>,
    /// Nothing before it is parsed, and nothing inside if that is not possible.
    items: Option<Option<Itemised>>,
}

impl Others {
    fn of(
        base: &Version,
        foreign: &Version,
        gone: &HashSet<TreePath>,
    ) -> Result<Others, ReadError> {
        let is_other = |path: &TreePath, content: &whodunit_files::Content| {
            let before = base.get(path).map(|entry| &entry.content);
            before.is_none_or(|before| before.same_as(content) != Some(true))
        };
        let mut texts: Vec<(TreePath, Arc<[u8]>)> = Vec::new();
        for (path, entry) in foreign.entries() {
            let is_read = entry.kind.is_file() && !gone.contains(path);
            if is_read && is_other(path, &entry.content) {
                texts.push((path.clone(), entry.content.read_at(path)?));
            }
        }
        texts.retain(|(_, text)| !is_binary(text));
        let words = parallel::map(&texts, |(_, text)| {
            words(text).map(|word| WordHash::of(&text[word])).collect::<HashSet<WordHash>>()
        });
        let files = texts.into_iter().zip(words);
        let files = files.map(|((path, text), words)| Other { path, text, words, items: None });
        Ok(Others { files: files.collect(), left: MAX_PARSED_BYTES, known: HashMap::new() })
    }

    /// Returns the file and the number of the only item that has the same last name and is alike.
    fn find(&mut self, old: &Itemised, item: &Item) -> Option<ItemPlace> {
        let text = old.text_of(item);
        let key = (item.name.clone(), whodunit_syntax::words::hash(text));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let print = Fingerprint::of(text);
        let name = last_name(item);
        let mut found = Vec::new();
        for file in 0..self.files.len() {
            if !self.files[file].words.contains(&WordHash::of(name.as_bytes())) {
                continue;
            }
            let Some(foreign) = self.parse(file) else { continue };
            for (at, other) in foreign.all().iter().enumerate() {
                let is_alike =
                    || print.similarity(&Fingerprint::of(foreign.text_of(other))) >= MIN_SIMILARITY;
                if last_name(other) == name && is_alike() {
                    found.push((file, at));
                }
            }
        }
        let only = found.first().copied().filter(|_| found.len() == 1);
        self.known.insert(key, only);
        only
    }

    fn parse(&mut self, file: usize) -> Option<&Itemised> {
        let other = &mut self.files[file];
        if other.items.is_none() {
            let may = other.text.len() <= self.left;
            self.left -= if may { other.text.len() } else { 0 };
            other.items = Some(may.then(|| Itemised::of(&other.path, &other.text)).flatten());
        }
        other.items.as_ref()?.as_ref()
    }

    fn parsed(&self, file: usize) -> Option<(&TreePath, &Itemised)> {
        let other = &self.files[file];
        Some((&other.path, other.items.as_ref()?.as_ref()?))
    }
}

/// Returns the name of an item without those around it.
fn last_name(item: &Item) -> &str {
    item.name.rsplit('.').next().unwrap_or(&item.name)
}
