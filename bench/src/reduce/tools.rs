//! The reducers, and their command lines.
//!
//! In words: `{program}` the tool, `{test}` the counting test, `{input}` the name of the input in
//! the current folder, `{out}` where a result goes, `{jobs}`, `{extension}`, and `{folder}`, where
//! the tool's own files are.

use std::error::Error;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// One reducer.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Searched in `PATH`.
    pub(super) program: &'static str,
    /// A line for the shell that prints the version; `$0` is the program.
    version: &'static str,
    /// The extensions of inputs that it supports; empty means all.
    languages: &'static [&'static str],
    /// Whether it can run tests in parallel.
    pub(super) parallel: bool,
    pub(super) command: &'static [&'static str],
    /// Added for inputs that are neither C nor C++.
    not_c: &'static [&'static str],
    /// A file that it needs, with name and content.
    pub(super) file: Option<(&'static str, &'static str)>,
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) result: Place,
}

/// The place of a tool's result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Input,
    Out,
}

const ASKED: &str = r#""$0" --version"#;
const C: [&str; 6] = ["c", "h", "cc", "cpp", "cxx", "hpp"];
/// The extensions of languages that `topformflat` can read: C and its like. In Rust it joins code
/// to the comment before it.
const BRACES: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hpp", "java", "js"];

const PLAIN: Tool = Tool {
    name: "",
    program: "",
    version: ASKED,
    languages: &[],
    parallel: true,
    command: &[],
    not_c: &[],
    file: None,
    variables: &[],
    result: Place::Input,
};

const TREEREDUCE: Tool = Tool {
    command: &[
        "{program}",
        "-j",
        "{jobs}",
        "--stable",
        "-q",
        "--source",
        "{input}",
        "-o",
        "{out}",
        "--",
        "{test}",
        "@@.{extension}",
    ],
    result: Place::Out,
    ..PLAIN
};

/// whodunit, which is not searched in `PATH`.
pub(super) const WHODUNIT: Tool = Tool {
    name: "whodunit",
    program: "whodunit",
    // No options but the jobs; the others only name the files of the result and the answer.
    command: &[
        "{program}",
        "reduce",
        "{input}",
        "--test",
        "{test}",
        "-j{jobs}",
        "--out",
        "{out}",
        "--json",
    ],
    result: Place::Out,
    ..PLAIN
};

const TOOLS: &[Tool] = &[
    WHODUNIT,
    Tool {
        name: "shrinkray",
        program: "shrinkray",
        command: &[
            "{program}",
            "--parallelism",
            "{jobs}",
            "--ui",
            "basic",
            "--volume",
            "quiet",
            "--input-type",
            "basename",
            // A formatter would enlarge the result again.
            "--formatter",
            "none",
            "--timeout",
            "30",
            "{test}",
            "{input}",
        ],
        // Newer versions download a language model of some gigabytes and ask it. A variable,
        // because older versions do not know the option for it.
        variables: &[("SHRINKRAY_LLM", "0")],
        ..PLAIN
    },
    Tool {
        name: "cvise",
        program: "cvise",
        not_c: &["--not-c"],
        command: &["{program}", "--n", "{jobs}", "--timeout", "30", "--tidy", "{test}", "{input}"],
        ..PLAIN
    },
    Tool {
        name: "delta",
        program: "singledelta",
        version: r#""$0" -help"#,
        parallel: false,
        command: &["{program}", "-test={test}", "-in_place", "{input}"],
        ..PLAIN
    },
    Tool {
        name: "multidelta",
        program: "multidelta",
        version: r#""$0""#,
        languages: BRACES,
        parallel: false,
        command: &[
            "sh",
            "-c",
            r#"for level in 0 0 1 1 2 2 10 10; do "$0" -level=$level "$1" "$2" || exit; done"#,
            "{program}",
            "{test}",
            "{input}",
        ],
        ..PLAIN
    },
    Tool {
        name: "lithium",
        program: "lithium",
        // It has no option for this, so the Python that runs it is asked. -I keeps it from taking
        // modules from the current folder.
        version: r#""$(sed -n '1s/^#!//p' "$0")" -I -c \
            'import importlib.metadata as m; print(m.version("lithium-reducer"))'"#,
        parallel: false,
        command: &["{program}", "{folder}/condition.py", "{input}"],
        file: Some((
            "condition.py",
            "import subprocess\n\n\ndef interesting(args, prefix):\n    \
             return subprocess.run([\"{test}\", args[-1]]).returncode == 0\n",
        )),
        ..PLAIN
    },
    Tool {
        name: "ddsmt",
        program: "ddsmt",
        languages: &["smt2"],
        command: &["{program}", "-j", "{jobs}", "--timeout", "30", "{input}", "{out}", "{test}"],
        result: Place::Out,
        ..PLAIN
    },
    Tool { name: "treereduce-c", program: "treereduce-c", languages: &["c", "h"], ..TREEREDUCE },
    Tool {
        name: "treereduce-java",
        program: "treereduce-java",
        languages: &["java"],
        ..TREEREDUCE
    },
    Tool {
        name: "treereduce-javascript",
        program: "treereduce-javascript",
        languages: &["js"],
        ..TREEREDUCE
    },
    Tool { name: "treereduce-rust", program: "treereduce-rust", languages: &["rs"], ..TREEREDUCE },
];

/// Returns the tools of these names; all tools if no name is given.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Tool>, Box<dyn Error>> {
    if names.is_empty() {
        return Ok(TOOLS.iter().collect());
    }
    let find = |name: &String| {
        let known = || TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
        let tool = TOOLS.iter().find(|tool| tool.name == name);
        tool.ok_or_else(|| format!("`{name}` is none of {}", known()).into())
    };
    names.iter().map(find).collect()
}

impl Tool {
    /// Returns whether it supports inputs with this extension.
    pub(super) fn takes(&self, extension: &str) -> bool {
        self.languages.is_empty() || self.languages.contains(&extension)
    }

    /// Returns the words of its command with their placeholders, for inputs with this extension.
    pub(super) fn words(&self, extension: &str) -> Vec<&'static str> {
        let (program, others) = self.command.split_at(1);
        let not_c = if C.contains(&extension) { &[] } else { self.not_c };
        [program, not_c, others].concat()
    }

    /// Asks `program` for its version; `?` if it prints none.
    pub(super) fn version(&self, program: &Path) -> io::Result<String> {
        let said = Command::new("sh")
            .args(["-c", self.version])
            .arg(program)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| io::Error::new(error.kind(), format!("sh: {error}")))?;
        let said = [said.stdout, said.stderr].concat();
        Ok(version_in(&String::from_utf8_lossy(&said)).unwrap_or("?").to_owned())
    }
}

/// Returns the first word that looks like a version.
fn version_in(text: &str) -> Option<&str> {
    text.split_whitespace()
        .map(|word| word.trim_start_matches('v').trim_end_matches([',', ';', ':']))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_say() {
        assert_eq!(version_in("cvise 2.7.0 (d9e4a505)"), Some("2.7.0"));
        assert_eq!(version_in("shrinkray, version 26.9.13.0"), Some("26.9.13.0"));
        assert_eq!(version_in("\n    Delta version 2003.7.14\n  delta"), Some("2003.7.14"));
        assert_eq!(version_in("treereduce-c v0.4.1"), Some("0.4.1"));
        assert_eq!(version_in("usage: 3 words"), None);
    }

    #[test]
    fn c_vise_is_told_what_is_not_c() {
        let cvise = chosen(&["cvise".to_owned()]).unwrap()[0];
        assert!(cvise.words("xsl").contains(&"--not-c"));
        assert!(!cvise.words("cpp").contains(&"--not-c"));
        assert_eq!(cvise.words("xsl")[0], "{program}");
    }

    #[test]
    fn a_tool_takes_its_languages() {
        let ddsmt = chosen(&["ddsmt".to_owned()]).unwrap()[0];
        assert!(ddsmt.takes("smt2") && !ddsmt.takes("c"));
        assert!(WHODUNIT.takes("anything"));
    }

    #[test]
    fn unknown_tools_are_refused_and_known_ones_told_apart() {
        let refused = chosen(&["perses".to_owned()]).err().unwrap().to_string();
        assert!(refused.contains("perses") && refused.contains("lithium"), "{refused}");
        let mut names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TOOLS.len());
    }
}
