//! Finds possible names of the failing test in the command and in the script that it runs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use whodunit_files::regular;
use whodunit_run::Word;

/// Bytes of a script that is searched for names. A longer file is no script that somebody wrote for
/// a test.
const LONGEST: u64 = 64 * 1024;

/// Returns possible names of a test in the words of a command and in the scripts they name.
pub(crate) fn names_of_test(command: &[Word], origin: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for word in command {
        names.extend(names_in(&word.as_os_str().to_string_lossy()));
        let path = origin.join(word.as_path());
        let is_script = fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() <= LONGEST);
        if is_script && let Ok(text) = regular::read_to_string(&path) {
            names.extend(names_in(&text));
        }
    }
    names
}

/// Returns the names in a text: whole words, which may be paths, and their parts.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|sign: char| sign.is_whitespace() || "'\"`()=,;".contains(sign));
    words.filter(|word| !word.is_empty()).flat_map(|word| {
        let parts = word.split(|sign: char| !(sign.is_alphanumeric() || "_$".contains(sign)));
        let parts = parts.filter(|part| !part.is_empty() && *part != word);
        std::iter::once(word).chain(parts).map(str::to_owned).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_commands_alone_and_joined() {
        let text = "java -cp . Runner 'a.BTest#run' x::y test/it.py";
        let found: BTreeSet<String> = names_in(text).collect();
        for name in ["java", "Runner", "BTest", "run", "a.BTest#run", "x::y", "y", "test/it.py"] {
            assert!(found.contains(name), "{name}");
        }
    }
}
