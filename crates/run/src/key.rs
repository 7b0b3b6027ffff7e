//! The name of a candidate's content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twox_hash::XxHash3_128;

/// 128 bits of a hash of the laid out files: names and bytes, nothing else.
///
/// XXH3, because there is no attacker and a candidate of 100 KB is hashed for every question: XXH3
/// takes 3 µs, a cryptographic hash 22 µs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    /// Returns the key of some bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut hasher = KeyHasher::new();
        hasher.update(bytes);
        hasher.finish()
    }
}

impl Key {
    /// Returns the name of the `nth` run of this content, counted from 0.
    pub fn repeat(self, nth: u32) -> Self {
        let mut hasher = KeyHasher::new();
        hasher.update_delimited(b"repeat");
        hasher.update(&self.0.to_le_bytes());
        hasher.update(&nth.to_le_bytes());
        hasher.finish()
    }
}

impl From<Key> for u128 {
    fn from(key: Key) -> u128 {
        key.0
    }
}

/// Makes a key out of pieces.
pub struct KeyHasher(XxHash3_128);

impl KeyHasher {
    /// Starts with nothing.
    pub fn new() -> Self {
        KeyHasher(XxHash3_128::new())
    }

    /// Adds a piece; where one ends and the next begins makes no difference.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.write(piece);
    }

    /// Adds a piece with its length, so that it cannot merge with the next one.
    pub fn update_delimited(&mut self, piece: &[u8]) {
        self.update(&(piece.len() as u64).to_le_bytes());
        self.update(piece);
    }

    /// Returns the key.
    pub fn finish(&self) -> Key {
        Key(self.0.finish_128())
    }
}

impl Default for KeyHasher {
    fn default() -> Self {
        KeyHasher::new()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Key {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Key)
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
