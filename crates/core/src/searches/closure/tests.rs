//! Drawings of what `closure` asks.

use super::*;
use crate::drawing::{check, needs, numbered, together};
use crate::{Delta, Implications, Lesson};

#[test]
fn one_culprit_is_found_by_halving() {
    check(
        Closure::new(8),
        needs(&[7]),
        "
        ####.... ✓
        ######.. ✓
        #######. ✗
        ......#. ✗
        ......#. =
        ",
    );
}

#[test]
fn interfering_changes_are_found_one_after_the_other() {
    check(
        Closure::new(8),
        needs(&[3, 6]),
        "
        ####.... ✓
        ######.. ✗
        #####... ✓
        .....#.. ✓
        ####.#.. ✗
        ##...#.. ✓
        ###..#.. ✗
        ..#..#.. ✗
        ..#..... ✓
        ..#..#.. =
        ",
    );
}

#[test]
fn cuts_are_made_where_boundaries_are_coarse() {
    let boundaries = Boundaries::from_levels([2, 0, 0, 2, 0, 0, 1, 0]);
    check(
        Closure::over(ChangeSet { boundaries, ..ChangeSet::new(8) }),
        needs(&[7]),
        "
        ###..... ✓
        ######.. ✓
        #######. ✗
        ......#. ✗
        ......#. =
        ",
    );
}

#[test]
fn heavy_deltas_are_suspected_first() {
    let weights = Weights::from_weights([1, 1, 1, 1, 1, 1, 50, 1]);
    check(
        Closure::over(ChangeSet { weights, ..ChangeSet::new(8) }),
        needs(&[7]),
        "
        ######.. ✓
        #######. ✗
        ......#. ✗
        ......#. =
        ",
    );
}

#[test]
fn what_is_known_to_be_needed_comes_along() {
    let mut implications = Implications::builder();
    implications.add(Delta(1), Delta(6));
    implications.add(Delta(6), Delta(1));
    let implications = implications.build();
    let oracle = together(&[2, 7], needs(&[7]));
    check(
        Closure::over(ChangeSet { implications, ..ChangeSet::new(8) }),
        oracle,
        "
        ###...#. ✗
        #.#..... ✓
        .#....#. ✗
        .#....#. =
        ",
    );
}

#[test]
fn a_chain_makes_it_a_binary_search() {
    let changes = ChangeSet { implications: Implications::chain(8), ..ChangeSet::new(8) };
    check(
        Closure::over(changes),
        needs(&[7]),
        "
        ####.... ✓
        ######.. ✓
        #######. ✗
        #######. =
        ",
    );
}

#[test]
fn without_lessons_small_blocks_are_tried() {
    check(
        Closure::new(8),
        together(&[2, 7], needs(&[5])),
        "
        ####.... ?
        #....... ✓
        ##...... ?
        #.###### ?
        #.#..... ✓
        #.##.... ✓
        #.###... ✗
        ....#... ✗
        ....#... =
        ",
    );
}

#[test]
fn an_unresolved_cut_is_asked_again_with_what_was_missing() {
    let mut search = Closure::new(8);
    assert_eq!(search.step(), Step::Ask(numbered(&[1, 2, 3, 4])));
    let lesson = Lesson::Implies { delta: Delta(1), needs: numbered(&[7]) };
    search.learn(&Answer { verdict: Verdict::Unresolved, lessons: vec![lesson] });
    assert_eq!(search.step(), Step::Ask(numbered(&[1, 2, 3, 4, 7])));
    let lesson = Lesson::Implies { delta: Delta(6), needs: numbered(&[6]) };
    search.learn(&Answer { verdict: Verdict::Unresolved, lessons: vec![lesson] });
    assert_eq!(search.step(), Step::Ask(numbered(&[1, 2, 3, 4, 6, 7])));
}

#[test]
fn a_cut_that_is_unresolved_without_a_lesson_is_not_asked_again() {
    let mut search = Closure::new(100);
    let first = search.step();
    search.learn(&Verdict::Unresolved.into());
    assert_ne!(search.step(), first);
}

#[test]
fn another_cause_is_found_when_the_first_is_left_out() {
    let either = |candidate: &DeltaSet| match needs(&[3])(candidate) {
        Verdict::Fail => Verdict::Fail,
        _ => needs(&[6])(candidate),
    };
    let failing = DeltaSet::full(8).minus(&numbered(&[3]));
    let mut search = Closure::over(ChangeSet { failing, ..ChangeSet::new(8) });
    while let Step::Ask(question) = search.step() {
        search.learn(&either(&question).into());
    }
    assert_eq!(search.best(), numbered(&[6]));
}

#[test]
fn nothing_is_asked_about_one_delta() {
    check(Closure::new(1), needs(&[1]), "# =");
    check(Closure::new(0), needs(&[]), "=");
}

#[test]
fn neighbours_are_found_together() {
    let boundaries = Boundaries::from_levels((0..24).map(|delta| u8::from(delta % 6 == 0)));
    check(
        Closure::over(ChangeSet { boundaries, ..ChangeSet::new(24) }),
        needs(&[8, 9, 11]),
        "
        ############............ ✗
        ######.................. ✓
        #########............... ✓
        ###########............. ✗
        ##########.............. ✓
        ..........#............. ✓
        ......#####............. ✗
        ......####.............. ✓
        ......###.#............. ✗
        ......#...#............. ✓
        ......##..#............. ✓
        ......#.#.#............. ✓
        .......##.#............. ✗
        .......##............... ✓
        .......#..#............. ✓
        ........#.#............. ✓
        .......##.#............. =
        ",
    );
}

/// Random answers and lessons, so that nothing holds that a search could rely on.
#[test]
fn it_ends_whatever_it_is_told() {
    for seed in 1..=400u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % below
        };
        let count = 70 + random(150) as usize;
        let boundaries = Boundaries::from_levels((0..count).map(|_| random(8).min(4) as u8 / 2));
        let mut search = Closure::over(ChangeSet { boundaries, ..ChangeSet::new(count) });
        let share = 1 + random(4);
        let mut asked = 0;
        while let Step::Ask(question) = search.step() {
            asked += 1;
            assert!(asked < 20 * count, "seed {seed} goes on and on");
            let verdict = match random(5) {
                0 => Verdict::Pass,
                it if it <= share => Verdict::Unresolved,
                _ => Verdict::Fail,
            };
            let delta = Delta(random(count as u64) as u32);
            let first = random(count as u64) as u32;
            let needs =
                DeltaSet::run(first..first + random(count as u64 - u64::from(first)) as u32);
            let lessons = match random(3) {
                0 if question.contains(delta) => vec![Lesson::Implies { delta, needs }],
                _ => Vec::new(),
            };
            search.learn(&Answer { verdict, lessons });
        }
    }
}
