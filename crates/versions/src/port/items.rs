//! The rung of items: the function, class or the like that an edit is in is found by its name, and
//! the edit is placed within it; new items are put beside those that they stand beside.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use whodunit_files::TreePath;

use super::edit::{LineEdit, Texts};
use super::ladder::{Fate, Rung, climb};
use super::patch::Chosen;
use super::placement::Placement;
use crate::lines::Lines;
use crate::syntax_facts::{Item, Items, items};

/// A text by its items.
pub(super) struct Itemised {
    text: Arc<[u8]>,
    /// Where each line begins; the last is the end of the text.
    starts: Vec<u32>,
    items: Items,
    /// The items of each name, by their numbers.
    named: HashMap<Arc<str>, Vec<usize>>,
}

impl Itemised {
    /// Parses a text, if its language is known.
    pub(super) fn of(path: &TreePath, text: &Arc<[u8]>) -> Option<Itemised> {
        let items = items(path, text)?;
        let lines = Lines::of(text);
        let starts = (0..=lines.len()).map(|line| lines.bytes(&(line..line)).start).collect();
        let mut named: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
        for (at, item) in items.all().iter().enumerate() {
            named.entry(item.name.clone()).or_default().push(at);
        }
        Some(Itemised { text: text.clone(), starts, items, named })
    }

    /// Returns the items that an edit is in, the innermost first.
    pub(super) fn around(&self, edit: &LineEdit) -> impl Iterator<Item = &Item> + use<'_> {
        self.items.around(edit.lines.clone())
    }

    /// Returns all items.
    pub(super) fn all(&self) -> &[Item] {
        self.items.all()
    }

    /// Returns the text of an item, with the rest of its first and last line.
    pub(super) fn text_of(&self, item: &Item) -> &[u8] {
        let start = self.starts[item.lines.start as usize] as usize;
        &self.text[start..self.starts[item.lines.end as usize] as usize]
    }

    fn named(&self, name: &str) -> Option<&Item> {
        self.named.get(name).map(|items| &self.items.all()[items[0]])
    }

    /// Returns the item of another text that has the same name. Of several of one name, as
    /// functions for different types, the one at the same place among them, if there are as many.
    fn counterpart<'a>(&self, item: &Item, other: &'a Itemised) -> Option<&'a Item> {
        let ours = self.named.get(&item.name)?;
        let theirs = other.named.get(&item.name)?;
        let place = ours.iter().position(|&at| self.items.all()[at].lines == item.lines)?;
        (ours.len() == theirs.len()).then(|| &other.items.all()[theirs[place]])
    }
}

/// Places the open edits in the items of the same names, the innermost that there are.
pub(super) fn place(
    old: &Itemised,
    new: &[u8],
    foreign: &Itemised,
    chosen: &[Chosen],
    steps: &mut [(LineEdit, Fate)],
) {
    // For each open edit, the items yet to be tried; those of one item are placed together.
    let mut depth = 0;
    loop {
        let mut groups: BTreeMap<(u32, u32), (&Item, Vec<usize>)> = BTreeMap::new();
        let mut goes_on = false;
        for (at, (edit, _)) in steps.iter().enumerate().filter(|(_, step)| step.1.is_open()) {
            if let Some(item) = old.around(edit).nth(depth) {
                goes_on = true;
                let key = (item.lines.start, item.lines.end);
                groups.entry(key).or_insert((item, Vec::new())).1.push(at);
            }
        }
        if !goes_on {
            return;
        }
        for (item, edits) in groups.into_values() {
            if let Some(theirs) = old.counterpart(item, foreign) {
                place_in((old, item), new, (foreign, theirs), chosen, steps, &edits);
            }
        }
        depth += 1;
    }
}

/// Places open edits within an item; each as a whole or not at all.
pub(super) fn place_in(
    (old, item): (&Itemised, &Item),
    new: &[u8],
    (foreign, theirs): (&Itemised, &Item),
    chosen: &[Chosen],
    steps: &mut [(LineEdit, Fate)],
    edits: &[usize],
) {
    let texts = Texts { old: old.text_of(item), new, foreign: foreign.text_of(theirs) };
    let first_byte = old.starts[item.lines.start as usize];
    let start = foreign.starts[theirs.lines.start as usize] as usize;
    let mut inside: Vec<Chosen> = Vec::new();
    let mut owners: Vec<usize> = Vec::new();
    for &at in edits {
        for chosen in &chosen[steps[at].0.pieces.clone()] {
            inside.push(chosen.within(first_byte, item.lines.start));
            owners.push(at);
        }
    }
    let mut fates: BTreeMap<usize, Fate> = BTreeMap::new();
    for (part, fate) in climb(&texts, &inside) {
        let so_far = fates.entry(owners[part.pieces.start]).or_insert(Fate::AlreadyThere);
        match (so_far, fate) {
            (Fate::Open, _) | (_, Fate::AlreadyThere) => {}
            (so_far, Fate::Open) => *so_far = Fate::Open,
            (so_far, Fate::Placed(_, placements)) => {
                let moved = placements.into_iter().map(|placement| placement.moved_by(start));
                match so_far {
                    Fate::Placed(_, all) => all.extend(moved),
                    _ => *so_far = Fate::Placed(Rung::Item, moved.collect()),
                }
            }
        }
    }
    for (at, fate) in fates {
        steps[at].1 = fate;
    }
}

/// Places an edit that only brings whole items: after the nearest item before them that is there,
/// or before the nearest one after them, or else at the end of the text.
pub(super) fn place_new(
    old: &Itemised,
    patched: &Itemised,
    foreign: &Itemised,
    edit: &LineEdit,
) -> Fate {
    let Some(new) = new_items(&patched.items, edit) else { return Fate::Open };
    let there = |item: &Item| foreign.named(&item.name);
    if new.iter().any(|item| there(item).is_some()) {
        let same = |item: &&Item| {
            there(item).is_some_and(|other| foreign.text_of(other) == patched.text_of(item))
        };
        return if new.iter().all(same) { Fate::AlreadyThere } else { Fate::Open };
    }
    let parent = &new[0].parent;
    if parent.as_ref().is_some_and(|parent| !foreign.items.has(parent)) {
        return Fate::Open;
    }
    let siblings = || old.items.all().iter().filter(|item| item.parent == *parent);
    let before = siblings().filter(|item| item.lines.end <= edit.lines.start).rev();
    let after = siblings().filter(|item| item.lines.start >= edit.lines.start);
    let known = |item: &Item| old.counterpart(item, foreign);
    let lines = Lines::of(&foreign.text);
    let at = before
        .filter_map(known)
        .map(|item| item.lines.end)
        .next()
        .or_else(|| after.filter_map(known).map(|item| above(&lines, &foreign.items, item)).next())
        .or_else(|| parent.is_none().then(|| lines.len()));
    let Some(at) = at else { return Fate::Open };
    let placement = Placement::lines(lines.bytes(&(at..at)), edit.text.clone());
    Fate::Placed(Rung::Item, vec![placement])
}

/// Returns the outermost items that an edit brings, if it brings nothing that is not a whole item
/// or stands between items.
fn new_items<'a>(patched: &'a Items, edit: &LineEdit) -> Option<Vec<&'a Item>> {
    if !edit.lines.is_empty() {
        return None;
    }
    let range = &edit.patched;
    let mut new: Vec<&Item> = Vec::new();
    for item in patched.all() {
        let lines = &item.lines;
        let is_inside = range.start <= lines.start && lines.end <= range.end;
        let is_around = lines.start <= range.start && range.end <= lines.end;
        let is_apart = lines.end <= range.start || range.end <= lines.start;
        if !(is_inside || is_around || is_apart) {
            return None;
        }
        if is_inside && new.last().is_none_or(|last| last.lines.end <= lines.start) {
            new.push(item);
        }
    }
    let parent = &new.first()?.parent;
    new.iter().all(|item| item.parent == *parent).then_some(new)
}

/// Returns the line before an item and what belongs to it: comments, attributes and the like.
fn above(lines: &Lines<'_>, items: &Items, item: &Item) -> u32 {
    let mut at = item.lines.start;
    let is_own = |line: u32| {
        let inner = items.at(line).map(|other| &other.name);
        !lines.line(line).trim_ascii().is_empty() && inner == item.parent.as_ref()
    };
    // An item does not own the first line of the item around it.
    let parent =
        items.around(item.lines.clone()).find(|other| Some(&other.name) == item.parent.as_ref());
    let top = parent.map_or(0, |parent| parent.lines.start + 1);
    while at > top && is_own(at - 1) {
        at -= 1;
    }
    at
}
