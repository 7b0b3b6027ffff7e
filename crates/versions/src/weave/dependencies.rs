//! Which commit needs which other because of the texts themselves: who deletes a line needs who
//! inserted it, who changes a file needs who created it, who takes a place needs who left it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whodunit_core::{Delta, DeltaSet};
use whodunit_files::TreePath;

use super::Weave;
use super::thread::{Epoch, Thread};

impl Weave {
    /// Returns each commit that needs others, with all that it needs at once, in order.
    pub fn implications(&self) -> Vec<(Delta, DeltaSet)> {
        let mut needs: BTreeSet<(u32, u32)> = BTreeSet::new();
        for thread in &self.threads {
            let created = thread.created();
            needs.extend(thread.commits().zip(std::iter::repeat(created)).filter_map(with_needed));
            for (since, epoch) in &thread.epochs {
                let Epoch::Text(lines) = epoch else { continue };
                for line in lines.lines() {
                    // What changes a text needs it to be one.
                    needs.extend(line.inserted.zip(*since));
                    needs.extend(line.deleted.zip(line.inserted));
                }
            }
        }
        self.add_places(&mut needs);
        let mut grouped: BTreeMap<u32, Vec<Delta>> = BTreeMap::new();
        for (commit, needed) in needs.into_iter().filter(|(commit, needed)| commit != needed) {
            grouped.entry(commit).or_default().push(Delta(needed));
        }
        let implication = |(commit, needed): (u32, Vec<Delta>)| {
            (Delta(commit), needed.into_iter().collect::<DeltaSet>())
        };
        grouped.into_iter().map(implication).collect()
    }

    /// Lets who takes a place need who left it.
    fn add_places(&self, needs: &mut BTreeSet<(u32, u32)>) {
        // The places that were left, with all folders that they made, and when.
        let mut left: HashMap<TreePath, Vec<(usize, u32)>> = HashMap::new();
        let mut left_below: HashMap<TreePath, Vec<(usize, u32)>> = HashMap::new();
        for (number, thread) in self.threads.iter().enumerate() {
            for (path, commit) in departures(thread) {
                left.entry(path.clone()).or_default().push((number, commit));
                for folder in path.folders() {
                    left_below.entry(folder).or_default().push((number, commit));
                }
            }
        }
        for (number, thread) in self.threads.iter().enumerate() {
            for (since, path) in &thread.paths {
                let Some(arrival) = *since else { continue };
                let same = left.get(path).into_iter().flatten();
                let below = left_below.get(path).into_iter().flatten();
                let folders: Vec<TreePath> = path.folders().collect();
                let above = folders.iter().filter_map(|folder| left.get(folder)).flatten();
                for &(other, departure) in same.chain(below).chain(above) {
                    if other != number && departure <= arrival {
                        needs.insert((arrival, departure));
                    }
                }
            }
        }
    }
}

fn with_needed((commit, needed): (u32, Option<u32>)) -> Option<(u32, u32)> {
    needed.map(|needed| (commit, needed))
}

/// Returns the places that a file leaves, and with which commit.
fn departures(thread: &Thread) -> impl Iterator<Item = (&TreePath, u32)> {
    let next = thread.paths.iter().skip(1).map(|(since, _)| *since).chain([thread.deleted]);
    thread.paths.iter().zip(next).filter_map(|((_, path), next)| Some((path, next?)))
}
