//! The promises of the strategy for changes, for random changes, knowledge and oracles, without a
//! process.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use whodunit_core::strategy::{
    Culprit, Finest, Goal, Knowledge, Layout, Need, Needs, Persistence, Place, Repair, Strategy,
    Sureness,
};
use whodunit_core::{Aim, Answer, Delta, DeltaSet, Run, Scripted, Search, Step, Verdict};
use whodunit_test_support::Random;

/// How many worlds are generated.
const WORLDS: u64 = 600;

/// Changes, claims about them, and when they fail.
struct World {
    layout: Arc<Layout>,
    needs: Needs,
    knowledge: Arc<dyn Knowledge>,
    /// A candidate with all of these fails.
    culprit: DeltaSet,
    /// Changes that cannot be tested apart.
    tied: Vec<DeltaSet>,
    /// Pairs of changes: without the second, a file with the first does not parse.
    nested: Vec<(Delta, Delta)>,
    finest: Finest,
    persistence: Persistence,
}

/// Makes some true and some false claims.
struct Rumours {
    read: Vec<DeltaSet>,
    spoken_of: DeltaSet,
    tested: Vec<DeltaSet>,
    quiet: DeltaSet,
    weights: BTreeMap<Delta, f64>,
    nested: Vec<(Delta, Delta)>,
    file_of: Vec<usize>,
}

impl Knowledge for Rumours {
    fn read(&self, _: &DeltaSet) -> Vec<DeltaSet> {
        self.read.clone()
    }

    fn spoken_of(&self, suspects: &DeltaSet) -> DeltaSet {
        self.spoken_of.intersection(suspects)
    }

    fn tested(&self, suspects: &DeltaSet) -> Vec<DeltaSet> {
        self.tested.iter().map(|set| set.intersection(suspects)).collect()
    }

    fn quiet(&self, suspects: &DeltaSet) -> DeltaSet {
        self.quiet.intersection(suspects)
    }

    fn weights(&self, _: &DeltaSet) -> BTreeMap<Delta, f64> {
        self.weights.clone()
    }

    fn broken(&self, changes: &DeltaSet) -> Vec<usize> {
        let broken = self
            .nested
            .iter()
            .filter(|(inner, outer)| changes.contains(*inner) && !changes.contains(*outer));
        broken.map(|(inner, _)| self.file_of[inner.0 as usize]).collect()
    }

    fn mended(&self, changes: &DeltaSet) -> Option<DeltaSet> {
        let mut mended = changes.clone();
        for (inner, outer) in self.nested.iter().rev() {
            if mended.contains(*inner) {
                mended = mended.union(&only(*outer));
            }
        }
        Some(mended)
    }
}

fn only(delta: Delta) -> DeltaSet {
    DeltaSet::run(delta.0..delta.0 + 1)
}

fn some(random: &mut Random, count: usize, percent: usize) -> DeltaSet {
    (0..count as u32).map(Delta).filter(|_| random.chance(percent)).collect()
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let count = random.between(1, 90);
        let (mut file, mut item, mut hunk) = (0, 0, 0);
        let mut boundaries = Vec::new();
        let places: Vec<Place> = (0..count as u32)
            .map(|line| {
                let boundary = if line == 0 { 0 } else { random.below(10usize) };
                let level = match boundary {
                    0 => 3,
                    1 | 2 => 2,
                    3..=5 => 1,
                    _ => 0,
                };
                file += usize::from(level == 3);
                item += u32::from(level >= 2);
                hunk += u32::from(level >= 1);
                if line > 0 {
                    boundaries.push(level);
                }
                let lines = line..line + 1;
                Place {
                    file: Some(file),
                    item: Some(item).filter(|_| random.chance(80)),
                    hunk: Some(hunk),
                    old_lines: lines.clone(),
                    new_lines: lines,
                }
            })
            .collect();
        let file_of = places.iter().map(|place| place.file.unwrap_or(0)).collect();
        let order = (0..count as u32).map(Delta).collect();
        let size = random.between(1, 3.min(count));
        let all: Vec<Delta> = (0..count as u32).map(Delta).collect();
        let culprit: DeltaSet = random.some(&all, size).into_iter().collect();
        let is_tangled = random.chance(50);
        let tied: Vec<DeltaSet> = (0..random.below(4usize))
            .filter(|_| is_tangled)
            .map(|_| {
                let size = random.between(1, 5.min(count));
                random.some(&all, size).into_iter().collect()
            })
            .collect();
        // An inner change always stands after the outer one, so there are no circles.
        let nested: Vec<(Delta, Delta)> = (0..random.below(4u32))
            .filter(|_| count > 1)
            .map(|_| {
                let inner = random.between(1, count - 1);
                (Delta(inner as u32), Delta(random.below(inner) as u32))
            })
            .collect();
        let need = |random: &mut Random, sureness| Need {
            delta: Delta(random.below(count) as u32),
            needs: Delta(random.below(count) as u32),
            sureness,
        };
        let mut needs: Vec<Need> =
            (0..random.below(6usize)).map(|_| need(&mut random, Sureness::Believed)).collect();
        // Certain needs are true.
        needs.extend(tied.iter().filter_map(|tied| {
            let (first, last) = (tied.first()?, tied.iter().last()?);
            Some(Need { delta: first, needs: last, sureness: Sureness::Certain })
        }));
        let rumours = Rumours {
            read: (0..random.below(3usize)).map(|_| some(&mut random, count, 40)).collect(),
            spoken_of: some(&mut random, count, 10),
            tested: (0..random.below(3usize)).map(|_| some(&mut random, count, 30)).collect(),
            quiet: some(&mut random, count, 20),
            weights: all.iter().map(|&delta| (delta, 1.0 + random.below(9u32) as f64)).collect(),
            nested: nested.clone(),
            file_of,
        };
        let finest = [Finest::Single, Finest::Hunk, Finest::Item, Finest::File, Finest::Whole];
        World {
            layout: Arc::new(Layout::new(places, order, boundaries)),
            needs: Needs::new(needs, Vec::new()),
            knowledge: Arc::new(rumours),
            culprit,
            tied,
            nested,
            finest: *random.pick(&finest),
            persistence: *random.pick(&[Persistence::default(), Persistence::ENDLESS]),
        }
    }

    fn judge(&self, changes: &DeltaSet) -> Verdict {
        let is_whole = changes.is_empty() || changes.len() == self.layout.count();
        let is_apart = |tied: &DeltaSet| {
            let there = tied.intersection(changes).len();
            there > 0 && there < tied.len()
        };
        let is_open =
            |(inner, outer): &(Delta, Delta)| changes.contains(*inner) && !changes.contains(*outer);
        if !is_whole && (self.tied.iter().any(is_apart) || self.nested.iter().any(is_open)) {
            Verdict::Unresolved
        } else if self.culprit.is_subset(changes) {
            Verdict::Fail
        } else {
            Verdict::Pass
        }
    }

    fn strategy(&self) -> Strategy<'_> {
        Strategy {
            layout: &self.layout,
            needs: &self.needs,
            knowledge: self.knowledge.clone(),
            labels: None,
            finest: self.finest,
            goal: Goal::Fail,
            failing: self.layout.all(),
            persistence: self.persistence,
            yields: true,
            good_passes: true,
        }
    }
}

type Found = (Culprit, Repair);

fn script<'s>(
    strategy: &'s Strategy<'s>,
) -> impl Fn(&mut Run<DeltaSet>) -> Result<Found, whodunit_core::Waits> + 's {
    |run| {
        let mut left = strategy.closure(run)?;
        if left.yielded.is_some() {
            left = strategy.go_on(run, &left)?;
        }
        let culprit = Culprit::alone(left);
        strategy.with_fix(run, culprit, true)
    }
}

/// Asks at most `most` different questions, and returns all of them; answers are remembered, as in
/// a run.
fn drive(
    world: &World,
    search: &mut Scripted<'_, DeltaSet, Found>,
    most: usize,
) -> Vec<(DeltaSet, Option<Aim>)> {
    let mut asked = Vec::new();
    let mut known: HashMap<DeltaSet, Verdict> = HashMap::new();
    while let (Step::Ask(question), true) = (search.step(), known.len() < most) {
        let verdict = *known.entry(question.clone()).or_insert_with(|| world.judge(&question));
        asked.push((question, search.task().map(|(_, task)| task.aim)));
        search.learn(&Answer::from(verdict));
        assert!(asked.len() < 20_000, "does not end");
    }
    asked
}

#[test]
fn the_culprit_fails_and_the_version_without_the_fix_passes() {
    let mut fixed = 0;
    for seed in 0..WORLDS {
        let world = World::new(seed);
        let strategy = world.strategy();
        let script = script(&strategy);
        let mut search = Scripted::new(&script, world.layout.all());
        drive(&world, &mut search, usize::MAX);
        let (culprit, fix) = search.conclude();
        assert_eq!(world.judge(&culprit.changes), Verdict::Fail, "{seed}");
        if let Some(fix) = &fix.changes {
            let without = world.layout.all().minus(fix);
            assert_eq!(world.judge(&without), Verdict::Pass, "{seed}");
            fixed += 1;
        }
    }
    assert!(fixed > WORLDS / 2, "a fix was found in {fixed} worlds only");
}

#[test]
fn where_everything_can_be_tested_the_culprit_is_found_exactly() {
    let mut exact = 0;
    for seed in 0..WORLDS {
        let mut world = World::new(seed);
        (world.tied, world.nested) = (Vec::new(), Vec::new());
        world.knowledge = Arc::new(Nothing);
        (world.needs, world.finest) = (Needs::new(Vec::new(), Vec::new()), Finest::Single);
        let strategy = world.strategy();
        let script = script(&strategy);
        let mut search = Scripted::new(&script, world.layout.all());
        drive(&world, &mut search, usize::MAX);
        let (culprit, _) = search.conclude();
        if culprit.is_smallest {
            assert_eq!(culprit.changes, world.culprit, "{seed}");
            exact += 1;
        }
    }
    assert!(exact > WORLDS * 9 / 10, "{exact}");
}

/// Knows nothing.
struct Nothing;

impl Knowledge for Nothing {}

#[test]
fn a_copy_asks_the_same_from_any_point_on() {
    for seed in 0..WORLDS / 4 {
        let world = World::new(seed);
        let strategy = world.strategy();
        let script = script(&strategy);
        let at = Random::new(!seed).below(30usize);
        let mut search = Scripted::new(&script, world.layout.all());
        drive(&world, &mut search, at);
        let mut copy = search.clone();
        let asked = drive(&world, &mut copy, usize::MAX);
        assert_eq!(asked, drive(&world, &mut search, usize::MAX), "{seed}");
        assert_eq!(copy.conclude().0.changes, search.conclude().0.changes, "{seed}");
    }
}

#[test]
fn wherever_it_is_cut_off_what_is_left_was_seen_to_fail() {
    for seed in 0..WORLDS / 4 {
        let world = World::new(seed);
        let strategy = world.strategy();
        let script = script(&strategy);
        let most = Random::new(!seed).below(40usize);
        let mut search = Scripted::new(&script, world.layout.all());
        drive(&world, &mut search, most);
        let (culprit, fix) = search.conclude();
        assert_eq!(world.judge(&culprit.changes), Verdict::Fail, "{seed}");
        if let Some(fix) = fix.changes {
            assert_eq!(world.judge(&world.layout.all().minus(&fix)), Verdict::Pass, "{seed}");
        }
    }
}
