//! Which files are tests, by their paths.

use whodunit_versions::TreePath;

/// Folders that hold tests and the files that tests need.
const FOLDERS: &[&str] =
    &["test", "tests", "spec", "specs", "__tests__", "t", "testsuite", "testdata", "unittests"];

/// Words at the start or the end of a file name that mark a test.
const WORDS: &[&str] = &["test", "tests", "spec", "specs", "conftest"];

/// The same words in names such as `ParserTest`.
const CAPITALISED: &[&str] = &["Test", "Tests", "Spec", "TestCase"];

/// Returns whether a file is a test, or a file that tests need.
pub(crate) fn is_test(path: &TreePath) -> bool {
    let path = path.display();
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let is_folder = |part: &str| FOLDERS.contains(&&*part.to_ascii_lowercase());
    parts.iter().any(|part| is_folder(part)) || is_test_name(name)
}

/// Returns whether a file name is that of a test: `test_a.py`, `a_test.go`, `a.test.js`,
/// `ATest.java`.
pub(crate) fn is_test_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let words: Vec<String> =
        stem.split(['_', '-']).map(str::to_ascii_lowercase).filter(|it| !it.is_empty()).collect();
    let is_word = |word: Option<&String>| word.is_some_and(|word| WORDS.contains(&word.as_str()));
    let is_marked = name.split('.').skip(1).any(|part| matches!(part, "test" | "spec"));
    let is_capitalised = CAPITALISED.iter().any(|word| {
        let next = stem.strip_prefix(word).map(|rest| rest.chars().next());
        stem.ends_with(word) || next.flatten().is_some_and(char::is_uppercase)
    });
    is_word(words.first()) || is_word(words.last()) || is_marked || is_capitalised
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_by_their_names_and_folders() {
        let tests = "tests/data.json test_a.py pkg/a_test.go a.test.js x.spec.ts ATest.java t/b.sh \
                     src/test/java/B.java TestC.java conftest.py test.sh";
        for path in tests.split_whitespace() {
            assert!(is_test(&TreePath::from(path)), "{path}");
        }
        let others = "src/main.c contest.py latest.rs attestation/a.go Testify.kt src/testing/a.py \
                      greatest.js protest_a.txt Latest.java";
        for path in others.split_whitespace() {
            assert!(!is_test(&TreePath::from(path)), "{path}");
        }
    }
}
