//! Two versions of a made-up program, the same on every machine.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use whodunit_test_support::Random;

const FILES: u32 = 10_000;
const CHANGED_FILES: u32 = 2_000;
const HUNKS: u32 = 8_721;
const CHANGED_LINES: u32 = 178_000;

const FOLDERS: u32 = 100;
const FUNCTIONS: u32 = 12;
/// Statements of a function; a hunk has fewer.
const STATEMENTS: u32 = 24;

/// Two versions, as texts by path.
pub(super) struct Versions {
    pub(super) files: Vec<File>,
}

/// A file in both versions.
pub(super) struct File {
    pub(super) path: String,
    pub(super) good: String,
    pub(super) bad: String,
}

impl Versions {
    pub(super) fn generate() -> Self {
        let mut random = Random::new(178);
        let (mut hunks, mut lines) = (HUNKS, CHANGED_LINES);
        let mut files = Vec::new();
        for number in 0..FILES {
            // One in five files is changed; the remaining hunks and lines are distributed
            // evenly.
            let changed = number % (FILES / CHANGED_FILES) == 0;
            let left = CHANGED_FILES - number.div_ceil(FILES / CHANGED_FILES);
            let own = if changed { hunks.div_ceil(left) } else { 0 };
            let sizes: Vec<u32> = (0..own)
                .map(|_| {
                    let size = lines.div_ceil(hunks);
                    (hunks, lines) = (hunks - 1, lines - size);
                    size
                })
                .collect();
            files.push(file(number, &sizes, &mut random));
        }
        Versions { files }
    }

    /// Returns a line for the shell that passes in the good version and fails in the bad one.
    pub(super) fn test(&self) -> String {
        format!("! grep -q next_ '{}'", self.files[0].path)
    }

    /// Writes both versions to folders.
    pub(super) fn write(&self, good: &Path, bad: &Path) -> io::Result<()> {
        for File { path, good: old, bad: new } in &self.files {
            for (root, text) in [(good, old), (bad, new)] {
                let path = root.join(path);
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(path, text)?;
            }
        }
        Ok(())
    }
}

/// Makes a file whose first functions have a hunk each, of these sizes.
fn file(number: u32, hunks: &[u32], random: &mut Random) -> File {
    let path = format!("part{:02}/unit{number}.c", number % FOLDERS);
    let (mut good, mut bad) = (String::new(), String::new());
    for function in 0..FUNCTIONS {
        let changed = hunks.get(function as usize).copied().unwrap_or(0);
        let head = format!("int work_{number}_{function}(int a, int b)\n{{\n");
        good.push_str(&head);
        bad.push_str(&head);
        for statement in 0..STATEMENTS {
            let (left, right) = (random.below(1_000_000), random.below(1_000_000));
            let old = format!("    a += {left} * b - {right};\n");
            good.push_str(&old);
            if statement < changed {
                bad.push_str(&format!("    int next_{statement} = a * {right} + {left};\n"));
            } else {
                bad.push_str(&old);
            }
        }
        good.push_str("    return a;\n}\n\n");
        bad.push_str("    return a;\n}\n\n");
    }
    File { path, good, bad }
}

impl fmt::Display for Versions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = self.files.iter().filter(|file| file.good != file.bad).count();
        write!(formatter, "{CHANGED_LINES} changed lines in {HUNKS} hunks over {changed} ")?;
        write!(formatter, "of {} files", self.files.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_differs_as_is_said() {
        let versions = Versions::generate();
        assert_eq!(versions.files.len(), FILES as usize);
        let (mut files, mut hunks, mut lines) = (0, 0, 0);
        for File { good, bad, .. } in &versions.files {
            let pairs = good.lines().zip(bad.lines());
            let differs: Vec<bool> = pairs.map(|(old, new)| old != new).collect();
            files += u32::from(differs.contains(&true));
            lines += differs.iter().filter(|it| **it).count();
            hunks += differs.windows(2).filter(|pair| !pair[0] && pair[1]).count();
        }
        assert_eq!((files, hunks, lines), (2_000, 8_721, 178_000));
    }
}
