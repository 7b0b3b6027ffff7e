//! Walks over drawn-up histories.

use super::*;

/// Walks with an oracle; mends each border that it halts at.
fn walk(count: usize, pace: Pace, oracle: impl Fn(usize, usize) -> Verdict) -> (Halt, usize) {
    let mut walk = WalkBack::new(count, pace);
    let (mut asked, mut mended) = (0, 0);
    loop {
        match walk.step() {
            Step::Ask(version) => {
                asked += 1;
                walk.learn(&oracle(version, mended).into());
            }
            Step::Done => match walk.halt().unwrap() {
                Halt::Border { .. } => {
                    mended += 1;
                    walk.mended();
                }
                halt => return (halt, asked),
            },
        }
    }
}

fn fails_before(cause: usize) -> impl Fn(usize, usize) -> Verdict {
    move |version, _| if version < cause { Verdict::Fail } else { Verdict::Pass }
}

#[test]
fn the_first_pass_is_found_in_twice_the_logarithm() {
    for cause in 1..1000 {
        let (halt, asked) = walk(1000, Pace::Doubling(1), fails_before(cause));
        assert_eq!(halt, Halt::Turn { bad: cause - 1, good: cause });
        assert!(asked <= 2 * cause.ilog2() as usize + 2, "{cause}: {asked}");
    }
}

#[test]
fn a_linear_walk_tests_each_version() {
    let (halt, asked) = walk(100, Pace::Single, fails_before(40));
    assert_eq!((halt, asked), (Halt::Turn { bad: 39, good: 40 }, 40));
}

#[test]
fn a_history_without_a_pass_is_walked_to_its_root() {
    let (halt, asked) = walk(1000, Pace::Doubling(1), |_, _| Verdict::Fail);
    assert_eq!(halt, Halt::NoPass);
    assert!(asked <= 11);
}

#[test]
fn a_stretch_with_the_failure_behind_it_is_leapt_over() {
    let oracle = |version, mended| {
        assert_eq!(mended, 0);
        let is_broken = (100..130).contains(&version);
        if is_broken { Verdict::Unresolved } else { fails_before(700)(version, mended) }
    };
    assert_eq!(walk(1000, Pace::Doubling(1), oracle).0, Halt::Turn { bad: 699, good: 700 });
}

#[test]
fn what_the_test_needs_is_asked_for_at_the_border() {
    // The test came with the newest version; a function it calls with version 90.
    let oracle = |version, mended| match (version, mended) {
        (1.., 0) | (91.., 1) => Verdict::Unresolved,
        _ => fails_before(300)(version, mended),
    };
    let (halt, asked) = walk(1000, Pace::Doubling(1), oracle);
    assert_eq!(halt, Halt::Turn { bad: 299, good: 300 });
    assert!(asked < 40, "{asked}");
}

#[test]
fn a_cause_in_an_untestable_stretch_is_found_once_that_is_mended() {
    let oracle = |version, mended| match version {
        50..60 if mended == 0 => Verdict::Unresolved,
        _ => fails_before(55)(version, mended),
    };
    let (halt, _) = walk(100, Pace::Doubling(1), oracle);
    assert_eq!(halt, Halt::Turn { bad: 54, good: 55 });
}

#[test]
fn what_cannot_be_mended_stays_between_the_ends() {
    let mut walk = WalkBack::new(100, Pace::Doubling(1));
    let halt = loop {
        match walk.step() {
            Step::Ask(50..60) => walk.learn(&Verdict::Unresolved.into()),
            Step::Ask(version) => walk.learn(&fails_before(55)(version, 0).into()),
            Step::Done => match walk.halt().unwrap() {
                Halt::Border { .. } => walk.give_up(),
                halt => break halt,
            },
        }
    };
    assert_eq!(halt, Halt::Turn { bad: 49, good: 60 });
    assert!(walk.unresolved().all(|it| (50..60).contains(&it)));
}

#[test]
fn a_pass_that_is_not_believed_is_walked_over() {
    let mut walk = WalkBack::new(100, Pace::Doubling(1));
    let mut disbelieved = false;
    let halt = loop {
        match walk.step() {
            Step::Ask(version) => {
                let cause = if disbelieved { 60 } else { 20 };
                walk.learn(&fails_before(cause)(version, 0).into());
            }
            Step::Done if !disbelieved => {
                disbelieved = true;
                walk.fails_after_all();
            }
            Step::Done => break walk.halt(),
        }
    };
    assert_eq!(halt, Some(Halt::Turn { bad: 59, good: 60 }));
}

#[test]
fn a_history_without_a_pass_can_turn_out_to_have_one() {
    let mut walk = WalkBack::new(100, Pace::Doubling(1));
    while let Step::Ask(_) = walk.step() {
        walk.learn(&Verdict::Fail.into());
    }
    assert_eq!(walk.halt(), Some(Halt::NoPass));
    walk.passes_after_all(10, 99);
    while let Step::Ask(version) = walk.step() {
        walk.learn(&fails_before(44)(version, 0).into());
    }
    assert_eq!(walk.halt(), Some(Halt::Turn { bad: 43, good: 44 }));
}

#[test]
fn a_test_that_nothing_old_can_run_ends_with_the_last_version_that_could() {
    let mut walk = WalkBack::new(100, Pace::Doubling(1));
    let halt = loop {
        match walk.step() {
            Step::Ask(version) => {
                let verdict = if version < 7 { Verdict::Fail } else { Verdict::Unresolved };
                walk.learn(&verdict.into());
            }
            Step::Done => match walk.halt().unwrap() {
                Halt::Border { newer, older } => {
                    assert_eq!((newer, older), (6, 7));
                    walk.give_up();
                }
                halt => break halt,
            },
        }
    };
    assert_eq!(halt, Halt::NothingBefore(6));
}

/// Walks with an oracle that names the reasons of unresolved versions; mends no border.
fn walk_with_reasons(
    count: usize,
    oracle: impl Fn(usize) -> Result<Verdict, u64>,
) -> (Halt, WalkBack, usize) {
    let mut walk = WalkBack::new(count, Pace::Doubling(1));
    let mut asked = 0;
    loop {
        match walk.step() {
            Step::Ask(version) => {
                asked += 1;
                walk.learn(&match oracle(version) {
                    Ok(verdict) => verdict.into(),
                    Err(reason) => Answer {
                        verdict: Verdict::Unresolved,
                        lessons: vec![Lesson::Because(Reason(reason))],
                    },
                });
            }
            Step::Done => match walk.halt().unwrap() {
                Halt::Border { .. } => walk.give_up(),
                halt => return (halt, walk, asked),
            },
        }
    }
}

#[test]
fn between_stretches_of_different_reasons_something_testable_is_found() {
    // The cause is on an island between two stretches.
    for cause in [501, 505, 509] {
        let (halt, ..) = walk_with_reasons(1000, |version| match version {
            400..500 => Err(1),
            510..600 => Err(2),
            _ => Ok(fails_before(cause)(version, 0)),
        });
        assert_eq!(halt, Halt::Turn { bad: cause - 1, good: cause });
    }
}

#[test]
fn an_island_is_found_before_a_pass_is_known_and_spares_the_border() {
    // Nothing behind the second stretch can be tested.
    let (halt, walk, _) = walk_with_reasons(1000, |version| match version {
        10..50 => Err(1),
        50..80 => Ok(Verdict::Fail),
        80.. => Err(2),
        _ => Ok(Verdict::Fail),
    });
    assert_eq!(halt, Halt::NothingBefore(79));
    assert!(walk.leapt().all(|it| (10..50).contains(&it)));
}

#[test]
fn stretches_that_lie_beside_each_other_cost_a_logarithm_more() {
    let (halt, walk, asked) = walk_with_reasons(1000, |version| match version {
        400..500 => Err(1),
        500..600 => Err(2),
        _ => Ok(fails_before(450)(version, 0)),
    });
    assert_eq!(halt, Halt::Turn { bad: 399, good: 600 });
    let unresolved: Vec<usize> = walk.unresolved().collect();
    assert!(unresolved.contains(&499) && unresolved.contains(&500), "{unresolved:?}");
    assert!(asked <= 40, "{asked}");
}

#[test]
fn reasons_that_all_differ_do_not_cost_a_test_each() {
    let (halt, _, asked) = walk_with_reasons(1000, |version| match version {
        400..600 => Err(version as u64),
        _ => Ok(fails_before(450)(version, 0)),
    });
    assert_eq!(halt, Halt::Turn { bad: 399, good: 600 });
    assert!(asked <= 40, "{asked}");
}

#[test]
fn a_version_that_shows_something_else_in_its_place_does_not_have_the_failure() {
    let mut walk = WalkBack::new(1000, Pace::Doubling(1));
    let halt = loop {
        match walk.step() {
            Step::Ask(version) => walk.learn(&match version {
                ..300 => Verdict::Fail.into(),
                300..600 => Answer {
                    verdict: Verdict::Unresolved,
                    lessons: vec![Lesson::Because(Reason(1)), Lesson::Absent],
                },
                600.. => Verdict::Pass.into(),
            }),
            Step::Done => break walk.halt().unwrap(),
        }
    };
    assert_eq!(halt, Halt::Turn { bad: 299, good: 300 });
}
