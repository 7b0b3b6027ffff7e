//! Pages drawn from handmade journals.

use std::time::Duration;

use serde_json::{Value, json};
use whodunit_jobs::core::Verdict;
use whodunit_jobs::event::Event;
use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse;
use whodunit_run::Key;
use whodunit_run::{Size, Source, TestEvent};

use super::course::{Course, Phase};
use super::{chart, page};

fn event(json: Value) -> Event {
    serde_json::from_value(json).expect("an event")
}

fn settings(input: &str) -> Value {
    json!({
        "origin": "/home/me", "inputs": [input], "test": {"command": ["./t", "-a", "{}"]},
        "reduce_args": false, "gates": [],
        "rule": {"exit": [], "matching": null, "signal": [], "timeout": false, "any": false},
        "limits": {"time": null, "memory": null, "output": null, "processes": null},
        "finest": "lines", "protect": [], "certify": "full", "destination": "beside", "jobs": 2,
        "budget": null, "max_tests": null, "sandbox": false, "variables": [],
        "keep_tests": null
    })
}

fn started(input: &str, size: Size) -> Event {
    let key = key(0);
    let settings = settings(input);
    event(json!({
        "event": "started", "version": "0", "settings": settings, "key": key, "oracle": key,
        "size": size
    }))
}

fn learned(failure: &str) -> Event {
    let limits = json!({"time": seconds(2), "memory": null, "output": 9, "processes": 9});
    event(json!({
        "event": "learned", "signature": null, "failure": failure, "command": "./t -a {}",
        "limits": {"test": limits}, "durations": [seconds(1), seconds(2)]
    }))
}

fn seconds(seconds: u64) -> Value {
    json!({"secs": seconds, "nanos": 0})
}

fn key(content: u64) -> Key {
    Key::of_bytes(&content.to_le_bytes())
}

/// A test that ran; `content` is also how many milliseconds it took.
fn tested(content: u64, verdict: Verdict, stage: &str, telling: &str) -> Event {
    let observation = json!({
        "stage": stage, "signature": {"ending": {"Exited": 1}, "telling": telling},
        "output": {"length": 0}, "duration": Duration::from_millis(content), "peak_memory": 0
    });
    let observation = Some(serde_json::from_value(observation).expect("an observation"));
    Event::Test(TestEvent::Tested { key: key(content), verdict, observation })
}

fn committed(question: u64, verdict: Verdict, source: Source, deltas: usize) -> Event {
    let size = Size { deltas, bytes: 0 };
    Event::Test(TestEvent::Committed { question, key: key(question), verdict, source, size })
}

fn improved(question: u64, deltas: usize) -> Event {
    Event::Test(TestEvent::Improved { question, size: Size { deltas, bytes: 0 } })
}

fn finished(ended: &str) -> Event {
    let tests = json!({
        "committed": 7, "cached": 1, "foretold": 1, "wasted": 3, "unresolved": 3,
        "after_last_success": 2
    });
    let learned = json!({
        "signature": null, "failure": "", "command": "",
        "limits": {"test": {"time": seconds(2), "memory": null, "output": 9, "processes": 9}},
        "durations": []
    });
    let proof = json!({
        "level": null, "levels": [], "certify": "full", "rerun": null, "needed": []
    });
    let size = json!({"bytes": 0, "tokens": 0});
    event(json!({"event": "finished", "answer": {
        "job": "reduce", "schema": 3, "version": "0", "run": "a", "ended": ended, "failure": "", "command": "",
        "files": [], "start": size, "size": size, "tests": tests, "seconds": 75.0,
        "proof": proof, "others": [], "learned": learned, "settings": settings("x")
    }}))
}

/// A search among 344 deltas that ends with one, as in the paper's first case study.
fn journal() -> Vec<Event> {
    use Source::{Cached, Committed, Foretold};
    use Verdict::{Fail, Pass, Unresolved};
    vec![
        started("in.txt", Size { deltas: 344, bytes: 9000 }),
        learned("exits with 1 & says \"<b>\""),
        tested(1, Pass, "test", ""),
        committed(1, Pass, Committed, 344),
        tested(2, Fail, "test", "ours"),
        committed(2, Fail, Committed, 344),
        event(json!({"event": "shortened", "words": ["./t", "{}"], "tests": 2, "complete": true})),
        tested(3, Fail, "test", "ours"),
        committed(3, Fail, Committed, 172),
        improved(3, 172),
        tested(4, Unresolved, "build", "error: no `x`"),
        committed(4, Unresolved, Committed, 86),
        committed(5, Unresolved, Foretold, 86),
        tested(40, Pass, "test", "nobody asks about this"),
        tested(6, Unresolved, "test", "error: <other> & \"more\""),
        committed(6, Unresolved, Committed, 129),
        committed(7, Fail, Cached, 16),
        improved(7, 16),
        tested(8, Fail, "test", "ours"),
        committed(8, Fail, Committed, 1),
        improved(8, 1),
        tested(9, Pass, "test", ""),
        committed(9, Pass, Committed, 0),
        finished("done"),
    ]
}

fn is_well_formed(page: &str) -> bool {
    let xml = Language::by_name("xml").expect("a language that is shipped");
    parse::parses(&xml, page.as_bytes())
}

#[test]
fn every_test_has_its_mark() {
    let events = journal();
    let course = Course::of(&events).expect("a course");
    let drawn = chart::chart(&course);
    assert_eq!(drawn, include_str!("tests/chart.svg"), "\n{drawn}");
}

#[test]
fn the_page_says_what_was_asked_and_what_came_of_it() {
    let text = page("run-1", &journal()).expect("a page");
    assert!(is_well_formed(&text), "{text}");
    let said = [
        "<title>whodunit reduce: in.txt</title>",
        "<p class=\"state\">The run is finished.</p>",
        "<code>whodunit reduce --level line in.txt -- ./t -a {}</code>",
        "<tr><th>command</th><td><code>./t {}</code></td></tr>",
        "<code>exits with 1 &amp; says &quot;&lt;b&gt;&quot;</code>",
        "<strong>344 → 1</strong><span>deltas (0.29 %)</span>",
        "<strong>7</strong><span>tests decided</span>",
        "<strong>3</strong><span>more ran ahead</span>",
        "<strong>1 min 15 s</strong><span>time</span>",
        "<td class=\"number\">1</td><td><code>exits with 1 and says &quot;error: &lt;other&gt;",
        "<tr><td>first runs</td><td class=\"number\">2</td><td class=\"number\">3.0 s</td>",
        "<tr><td>builds that went wrong</td><td class=\"number\">1</td><td class=\"number\">4 ms<",
        "<tr><td>ran ahead for nothing</td><td class=\"number\">1</td><td class=\"number\">40 ms<",
    ];
    for words in said {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
}

#[test]
fn the_stretches_of_a_search_have_no_gaps() {
    let phases = |events: &[Event]| Course::of(events).expect("a course").phases;
    let phase = |name, from, to| Phase { name, from, to };
    let mut events = journal();
    let search =
        [phase("arguments", 0, 2), phase("search", 2, 7), phase("after the last success", 7, 8)];
    assert_eq!(phases(&events), search);
    // Without its end, a run may still have had anything before it.
    events.pop();
    assert_eq!(phases(&events), [phase("arguments", 0, 2), phase("search", 2, 8)]);
    // Without the event about the remaining arguments.
    events.remove(6);
    assert_eq!(phases(&events), []);
}

#[test]
fn a_journal_that_ends_anywhere_gives_a_page_that_says_so() {
    let events = journal();
    for end in 1..events.len() {
        let text = page("run-1", &events[..end]).expect("a page");
        assert!(is_well_formed(&text), "{text}");
        let said = "unfinished: its journal ends before the search does. To continue: \
                    <code>whodunit resume run-1</code>";
        assert!(text.contains(said), "{text}");
        assert_eq!(text.contains("<svg"), end > 3, "{end}");
    }
    assert!(page("run-1", &[]).is_none());
    assert!(page("run-1", &events[1..]).is_none());
}

#[test]
fn a_run_that_went_on_has_not_ended_where_it_had() {
    let mut events = journal();
    *events.last_mut().expect("events") = finished("out_of_tests");
    let early = "The run stopped early, because the number of tests is used up.";
    assert!(page("run-1", &events).expect("a page").contains(early));
    events.push(committed(10, Verdict::Pass, Source::Committed, 0));
    let course = Course::of(&events).expect("a course");
    assert_eq!((course.ended, course.tests.len(), course.tally.committed), (None, 9, 8));
    // A question of before has the same answer.
    events.push(committed(10, Verdict::Pass, Source::Cached, 0));
    assert_eq!(Course::of(&events).expect("a course").tests.len(), 9);
}

#[test]
fn what_comes_from_outside_is_never_markup() {
    let evil = "</title><script>alert(1)</script>\u{1b}]0;\u{7}\0";
    let events = vec![
        started(evil, Size { deltas: 0, bytes: 10 }),
        learned(evil),
        tested(1, Verdict::Unresolved, "test", evil),
        committed(1, Verdict::Unresolved, Source::Committed, 0),
    ];
    let text = page(evil, &events).expect("a page");
    assert!(!text.contains("<script") && !text.contains(['\u{1b}', '\u{7}', '\0']), "{text}");
    assert!(is_well_formed(&text), "{text}");
}

#[test]
fn a_hundred_thousand_tests_are_a_page_that_can_be_opened() {
    let verdicts = [Verdict::Fail, Verdict::Pass, Verdict::Unresolved];
    let mut events = vec![started("in.txt", Size { deltas: 200_000, bytes: 1 })];
    let long = "error: something that is rather long to read";
    let Event::Test(TestEvent::Tested { observation, .. }) = tested(1, Verdict::Fail, "test", long)
    else {
        unreachable!("a test that ran")
    };
    let mut fails = 0;
    for question in 1..=100_000 {
        // A shuffle of all sizes, so that as few marks as possible are at the same place.
        let size = (question * 73_939 % 200_000) as usize;
        let verdict = verdicts[(question * 31 % 97 % 3) as usize];
        let observation = observation.clone();
        events.push(Event::Test(TestEvent::Tested { key: key(question), verdict, observation }));
        events.push(committed(question, verdict, Source::Committed, size));
        if verdict.is_fail() {
            fails += 1;
            events.push(improved(question, 200_000 - fails));
        }
    }
    let text = page("run-1", &events).expect("a page");
    assert!(text.len() < 3_000_000, "{} bytes", text.len());
    assert!(text.matches("h0").count() + 5000 > fails * 9 / 10);
    assert!(is_well_formed(&text));
    assert!(page("run-1", &events) == Some(text), "the same journal gives the same bytes");
}
