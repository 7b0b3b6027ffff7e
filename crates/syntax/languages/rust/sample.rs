//! Counts things.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// A count of one thing.
#[derive(Clone, Debug, Default)]
pub struct Count<'a, T: 'a> {
    name: &'a str,
    seen: Option<T>,
}

impl<'a, T> Display for Count<'a, T>
where
    T: Display + Copy,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seen {
            Some(seen) if !self.name.is_empty() => write!(f, "{}: {seen}", self.name),
            _ => f.write_str(r#"none "at all""#),
        }
    }
}

const LIMIT: usize = 0x_ff;

async fn count(words: &[&str]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    'words: for (i, word) in words.iter().enumerate().take(LIMIT) {
        if word.starts_with('#') { break 'words }
        /* a block /* in a block */ */
        *counts.entry(word.to_string()).or_insert(0) += (i as u32).min(1);
    }
    counts
}
