use super::*;

fn find(count: usize, verdict: impl Fn(usize, u32) -> Verdict) -> (Noisy, u32) {
    let mut search = Noisy::new(count, 0.99, Noise::default());
    let mut answers = 0;
    while let Step::Ask(Repeat { candidate, nth }) = search.step() {
        assert_eq!(search.step(), Step::Ask(Repeat { candidate, nth }));
        search.learn(&verdict(candidate, nth).into());
        answers += 1;
    }
    (search, answers)
}

#[test]
fn a_steady_test_finds_each_delta() {
    for count in 1..20 {
        for culprit in 0..count {
            let (search, _) = find(count, |beginning, _| Verdict::from(beginning > culprit));
            assert_eq!(search.suspects(), (culprit, culprit));
            assert!(search.is_sure());
        }
    }
}

#[test]
fn what_cannot_be_tested_stays_together() {
    let verdict = |beginning, _| match beginning {
        4..=6 => Verdict::Unresolved,
        it => Verdict::from(it > 4),
    };
    let (search, _) = find(12, verdict);
    assert_eq!(search.suspects(), (3, 6));
    assert!(search.is_sure());
    assert_eq!(search.credible().len(), 4);
}

#[test]
fn a_beginning_that_cannot_be_tested_is_asked_about_once() {
    let asked = std::cell::RefCell::new(Vec::new());
    find(16, |beginning, nth| {
        asked.borrow_mut().push((beginning, nth));
        match beginning {
            2..12 => Verdict::Unresolved,
            it => Verdict::from(it > 13),
        }
    });
    let untestable: Vec<_> = asked.into_inner().into_iter().filter(|it| it.0 < 12).collect();
    assert!(untestable.iter().any(|it| it.0 >= 2));
    assert!(untestable.iter().all(|it| it.0 < 2 || it.1 == 0));
}

#[test]
fn the_nth_run_of_a_beginning_is_asked_for_once() {
    let asked = std::cell::RefCell::new(std::collections::HashSet::new());
    find(30, |beginning, nth| {
        assert!(asked.borrow_mut().insert((beginning, nth)));
        Verdict::from(beginning > 17 && !nth.is_multiple_of(3))
    });
}

#[test]
fn answers_without_sense_end_it_too() {
    let (search, answers) =
        find(4, |beginning, nth| Verdict::from((beginning as u32 + nth).is_multiple_of(2)));
    assert!(answers <= MOST);
    assert!(search.is_sure() || search.credible().len() > 1);
}

#[test]
fn runs_made_before_are_not_made_again() {
    let verdict = |beginning: usize| Verdict::from(beginning > 5);
    let (_, all) = find(16, |beginning, _| verdict(beginning));
    let mut search = Noisy::new(16, 0.99, Noise::default());
    search.know(5, Sightings { seen: 0, runs: 12 });
    search.know(6, Sightings { seen: 12, runs: 12 });
    let mut answers = 0;
    while let Step::Ask(question) = search.step() {
        search.learn(&verdict(question.candidate).into());
        answers += 1;
    }
    assert!(answers < all);
    assert_eq!(search.suspects(), (5, 5));
}
