//! How much two files share, by their lines.

use std::collections::{HashMap, HashSet};

use whodunit_syntax::words::hash;

/// A line that more files have than this does not make them candidates for a rename: it says
/// little, and would compare every pair of them. Chosen by hand.
const MAX_FILES_OF_LINE: usize = 64;

/// A line in fewer files than this is never ignored as common to all of them. Chosen by hand.
const MIN_COMMON_FILES: usize = 4;

/// The lines of a file by their hashes, each with all of its bytes.
pub(crate) struct Fingerprint {
    /// Sorted by hash.
    lines: Vec<(u64, u32)>,
    bytes: u64,
}

impl Fingerprint {
    /// Takes the fingerprint of a content.
    pub(crate) fn of(content: &[u8]) -> Fingerprint {
        let mut all: Vec<(u64, u32)> = content
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| (hash(line.trim_ascii()), u32::try_from(line.len()).unwrap_or(u32::MAX)))
            .collect();
        all.sort_unstable();
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        let bytes = all.iter().map(|line| u64::from(line.1)).sum();
        Fingerprint { lines: all, bytes }
    }

    /// Returns the fingerprint without common lines.
    pub(crate) fn without(mut self, common: &HashSet<u64>) -> Fingerprint {
        self.lines.retain(|line| !common.contains(&line.0));
        self.bytes = self.lines.iter().map(|line| u64::from(line.1)).sum();
        self
    }

    /// Returns the share of the larger one's bytes that are in lines of both.
    pub(crate) fn similarity(&self, other: &Fingerprint) -> f64 {
        let larger = self.bytes.max(other.bytes);
        // Nothing that is much larger than the other can share half of itself with it.
        if larger == 0 || self.bytes.min(other.bytes) * 2 < larger {
            return 0.0;
        }
        let (mut a, mut b) = (0, 0);
        let mut shared = 0;
        while let (Some(mine), Some(theirs)) = (self.lines.get(a), other.lines.get(b)) {
            if mine.0 == theirs.0 {
                shared += u64::from(mine.1.min(theirs.1));
            }
            a += usize::from(mine.0 <= theirs.0);
            b += usize::from(theirs.0 <= mine.0);
        }
        shared as f64 / larger as f64
    }
}

/// Returns the lines that most files have, such as those of a licence. With two or three files no
/// line counts as common.
pub(crate) fn common(prints: &[Fingerprint]) -> HashSet<u64> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for (line, _) in prints.iter().flat_map(|print| &print.lines) {
        *counts.entry(*line).or_default() += 1;
    }
    let is_common = |count: usize| count >= MIN_COMMON_FILES && count * 2 > prints.len();
    counts.into_iter().filter(|&(_, count)| is_common(count)).map(|(line, _)| line).collect()
}

/// Finds files that share lines with another.
pub(crate) struct Index {
    files: HashMap<u64, Vec<u32>>,
    count: usize,
}

impl Index {
    /// Makes the index of these files.
    pub(crate) fn of(prints: &[Fingerprint]) -> Index {
        let mut files: HashMap<u64, Vec<u32>> = HashMap::new();
        for (file, print) in (0..).zip(prints) {
            for (line, _) in &print.lines {
                files.entry(*line).or_default().push(file);
            }
        }
        Index { files, count: prints.len() }
    }

    /// Returns the files that share a line that is not too common, in order.
    pub(crate) fn nearby(&self, print: &Fingerprint) -> Vec<usize> {
        let mut near = vec![false; self.count];
        for (line, _) in &print.lines {
            if let Some(files) =
                self.files.get(line).filter(|files| files.len() <= MAX_FILES_OF_LINE)
            {
                for &file in files {
                    near[file as usize] = true;
                }
            }
        }
        (0..self.count).filter(|&file| near[file]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_lines_count_by_their_bytes() {
        let print = |text: &str| Fingerprint::of(text.as_bytes());
        assert!(print("aaaa\nbbbb\n").similarity(&print("bbbb\naaaa\n")) > 0.99);
        let half = print("aaaa\nbbbb\n").similarity(&print("aaaa\ncccc\n"));
        assert!((half - 0.5).abs() < 0.01);
        assert!(print("a\n").similarity(&print("b\n")) < 0.01);
    }

    #[test]
    fn what_most_files_begin_with_says_nothing() {
        let texts = ["licence\na\n", "licence\nb\n", "licence\nc\n", "licence\nd\n"];
        let prints = |count: usize| -> Vec<Fingerprint> {
            texts[..count].iter().map(|text| Fingerprint::of(text.as_bytes())).collect()
        };
        assert!(common(&prints(3)).is_empty());
        let common = common(&prints(4));
        let print = |text: &str| Fingerprint::of(text.as_bytes()).without(&common);
        assert!(print(texts[0]).similarity(&print("licence\ne\n")) < 0.01);
        assert!(print(texts[0]).similarity(&print("licence\na\n")) > 0.99);
    }
}
