//! Problems whose smallest text is known, compared with the results of `reduce`.
//!
//! The inputs are in `bench/minimum` or made here; the oracles are functions, so the table is the
//! same on every machine. A person found the smallest texts, and each fails by its oracle.

mod oracles;

use std::fmt::Write;

use whodunit_input::LadderSettings;

use crate::input::{Reduced, reduce};

const HEAD: &str = "\
# Problems whose smallest text is known

Through the whole of `reduce`, with the oracle in the same process. After: tests after the last one that
made the result simpler, the proof included. Regenerate with
`cargo run --release -p whodunit-bench -- minimum`.

| problem | file | bytes | smallest | left | tests | after |
|---|---|---|---|---|---|---|
";

/// A problem, and the smallest text that shows it.
pub(crate) struct Problem {
    name: &'static str,
    pub(crate) file: &'static str,
    pub(crate) text: fn() -> Vec<u8>,
    smallest: fn() -> Vec<u8>,
    pub(crate) fails: fn(&[u8]) -> bool,
}

macro_rules! file {
    ($name:literal) => {
        || include_bytes!(concat!("../minimum/", $name)).to_vec()
    };
}

pub(crate) const PROBLEMS: [Problem; 12] = [
    Problem {
        name: "a rotation of something unsigned",
        file: "rotate.c",
        text: file!("rotate.c"),
        smallest: || b"int f(unsigned a){a<<0|a>>0;}".to_vec(),
        fails: oracles::rotates,
    },
    Problem {
        name: "a function of a parameter pack",
        file: "pack.cpp",
        text: file!("pack.cpp"),
        smallest: || b"template<class...T>int f(T...);".to_vec(),
        fails: oracles::takes_a_pack,
    },
    Problem {
        name: "a virtual function overridden further down",
        file: "shapes.cpp",
        text: file!("shapes.cpp"),
        smallest: || b"class A{virtual int f();};class B:A{int f();};".to_vec(),
        fails: oracles::overrides,
    },
    Problem {
        name: "at least twelve records",
        file: "records.json",
        text: records,
        smallest: || format!("[{}]", [r#"{"id":0}"#; 12].join(",")).into_bytes(),
        fails: oracles::has_twelve_records,
    },
    Problem {
        name: "a parameter in the URL of a setting",
        file: "service.toml",
        text: file!("service.toml"),
        smallest: || br#"url="?timeout=-1""#.to_vec(),
        fails: oracles::has_negative_timeout,
    },
    Problem {
        name: "a format in JSON in a string of JSON",
        file: "job.json",
        text: job,
        smallest: || br#"{"payload":"{\"steps\":[{\"fmt\":\"%n\"}]}"}"#.to_vec(),
        fails: oracles::prints_its_count,
    },
    Problem {
        name: "a session and its traceback in a log",
        file: "app.log",
        text: log,
        smallest: || b"session 0 open\nERROR 0\nat\nat\nat".to_vec(),
        fails: oracles::breaks_a_session,
    },
    Problem {
        name: "a record of counted binary records",
        file: "records.bin",
        text: binary_records,
        smallest: || b"RCRD\x01\x07\x01\xff".to_vec(),
        fails: oracles::has_a_bad_record,
    },
    Problem {
        name: "a loop six brackets deep",
        file: "loop.lisp",
        text: file!("loop.lisp"),
        smallest: || b"((((((loop))))))".to_vec(),
        fails: oracles::loops_deep,
    },
    Problem {
        name: "a selection from a store",
        file: "arrays.smt2",
        text: file!("arrays.smt2"),
        smallest: || {
            b"(declare-const a(Array Int Int))(assert(=(select(store a 0 0)0)0))(check-sat)"
                .to_vec()
        },
        fails: oracles::selects_from_a_store,
    },
    Problem {
        name: "an outer join that finds nothing",
        file: "orders.sql",
        text: file!("orders.sql"),
        smallest: || b"CREATE TABLE a(a a);SELECT*FROM a LEFT JOIN a ON 0 WHERE a IS NULL".to_vec(),
        fails: oracles::joins_what_is_missing,
    },
    Problem {
        name: "a loop over a key",
        file: "keys.xsl",
        text: file!("keys.xsl"),
        smallest: || {
            b"<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">\
<xsl:key name=\"a\"/><xsl:template><xsl:for-each select=\"key('a')\"/></xsl:template></xsl:stylesheet>"
                .to_vec()
        },
        fails: oracles::loops_over_a_key,
    },
];

/// Returns the table in Markdown.
pub(crate) fn table() -> String {
    let mut text = String::from(HEAD);
    let (mut reached, mut tests, mut after) = (0, 0, 0);
    for problem in &PROBLEMS {
        let reduced = problem.reduce(|_| {});
        let (before, smallest) = ((problem.text)().len(), (problem.smallest)().len());
        let (name, file, left) = (problem.name, problem.file, reduced.bytes.len());
        reached += usize::from(left <= smallest);
        tests += reduced.tests;
        after += reduced.after_last_success;
        let _ = writeln!(
            text,
            "| {name} | `{file}` | {before} | {smallest} | {left} | {} | {} |",
            reduced.tests, reduced.after_last_success
        );
    }
    let _ =
        writeln!(text, "| {reached} of {} reached | | | | | {tests} | {after} |", PROBLEMS.len());
    text
}

/// Returns the result of each problem whose file name contains `only`, as text.
pub(crate) fn results(only: &str) -> String {
    let mut text = String::new();
    for problem in PROBLEMS.iter().filter(|problem| problem.file.contains(only)) {
        let reduced = problem.reduce(|_| {});
        let smallest = (problem.smallest)();
        let _ = writeln!(
            text,
            "== {}: {reduced}-- {}\n{}",
            problem.file,
            smallest.len(),
            String::from_utf8_lossy(&smallest).escape_debug(),
        );
    }
    text
}

impl Problem {
    /// Reduces it; a callback may change the settings before.
    pub(crate) fn reduce(&self, change: impl Fn(&mut LadderSettings)) -> Reduced {
        reduce(self.file, &(self.text)(), self.fails, change)
    }
}

fn records() -> Vec<u8> {
    let record = |id: usize| {
        let tags: Vec<String> = (0..id % 4).map(|tag| format!("\"tag {tag}\"")).collect();
        format!(
            "    {{\"id\": {}, \"name\": \"record {id}\", \"tags\": [{}], \"size\": {}}}",
            id * 7919 % 1000,
            tags.join(", "),
            id * id
        )
    };
    let records: Vec<String> = (0..120).map(record).collect();
    format!(
        "{{\n  \"version\": 3,\n  \"source\": {{\"host\": \"a\", \"port\": 80}},\n  \"records\": [\n{}\n  ]\n}}\n",
        records.join(",\n")
    )
    .into_bytes()
}

fn job() -> Vec<u8> {
    let steps: Vec<serde_json::Value> = (0..6)
        .map(|step| {
            let fmt = if step == 3 { "done %s of %d: %5.2f%% %n left" } else { "step %d\n" };
            serde_json::json!({"name": format!("step {step}"), "fmt": fmt, "retry": step, "env": {"A": "1"}})
        })
        .collect();
    let payload = serde_json::json!({"version": 2, "steps": steps, "on_error": "stop"}).to_string();
    let job = serde_json::json!({"id": "7f3a", "queue": "default", "tries": 3, "payload": payload,
        "tags": ["nightly", "linux"]});
    serde_json::to_vec_pretty(&job).expect("what is made here can be written")
}

fn log() -> Vec<u8> {
    let mut text = String::new();
    for minute in 0..40 {
        let session = 48213 + minute * 17;
        let _ = writeln!(
            text,
            "2026-03-01T10:{minute:02}:00Z INFO gate session {session} open from 10.0.0.{minute}"
        );
        let _ = writeln!(
            text,
            "2026-03-01T10:{minute:02}:07Z DEBUG cache hits={} misses={}",
            minute * 3,
            minute % 5
        );
        if minute == 23 {
            let session = 48213 + 11 * 17;
            let _ = writeln!(
                text,
                "2026-03-01T10:23:09Z ERROR worker-3 session {session} lost: broken pipe"
            );
            for frame in [
                "Pipe.write(Pipe.java:88)",
                "Gate.send(Gate.java:211)",
                "Gate.run(Gate.java:40)",
                "Pool.work(Pool.java:12)",
            ] {
                let _ = writeln!(text, "    at org.example.{frame}");
            }
        }
        let _ = writeln!(text, "2026-03-01T10:{minute:02}:30Z INFO gate session {session} closed");
    }
    text.into_bytes()
}

fn binary_records() -> Vec<u8> {
    let mut bytes = b"RCRD".to_vec();
    bytes.push(40);
    for record in 0..40u8 {
        let length = 3 + record % 9;
        // The length of every second record is written in two bytes where one is enough.
        bytes.push(if record == 26 { 7 } else { record % 5 });
        if record % 2 == 0 {
            bytes.extend([length | 0x80, 0]);
        } else {
            bytes.push(length);
        }
        bytes.extend((0..length).map(|place| match (record, place) {
            (26, 4) => 0xff,
            _ => record.wrapping_mul(31).wrapping_add(place * 7) & 0x7f,
        }));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_texts_of_each_problem_fail() {
        for problem in &PROBLEMS {
            assert!((problem.fails)(&(problem.text)()), "{}", problem.file);
            assert!((problem.fails)(&(problem.smallest)()), "{}, the smallest", problem.file);
            assert!(!(problem.fails)(b""), "{}, nothing", problem.file);
        }
    }

    #[test]
    fn the_committed_table_is_up_to_date() {
        assert_eq!(table(), include_str!("../tables/minimum.md"));
    }
}
