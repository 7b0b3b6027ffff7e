//! Paths, arguments and output in JSON without losing a byte.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An argument or a path: a string in JSON, also where it is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(OsString);

impl Word {
    /// Returns it as the system takes it.
    pub fn as_os_str(&self) -> &OsStr {
        &self.0
    }

    /// Returns its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns it as a path.
    pub fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl<T: Into<OsString>> From<T> for Word {
    fn from(word: T) -> Self {
        Word(word.into())
    }
}

impl From<Word> for PathBuf {
    fn from(word: Word) -> Self {
        word.0.into()
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        bytes::serialize(self.0.as_bytes(), to)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        bytes::deserialize(from).map(|bytes| Word(OsString::from_vec(bytes)))
    }
}

/// For `#[serde(with)]` on bytes that are mostly text: a string, or `{"latin1": …}` with a
/// character for each byte where they are not UTF-8.
pub(crate) mod bytes {
    use super::{Cow, Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Form<'a> {
        Text(Cow<'a, str>),
        Bytes { latin1: String },
    }

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Form::Text(text.into()),
            Err(_) => Form::Bytes { latin1: bytes.iter().map(|&byte| char::from(byte)).collect() },
        }
        .serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        match Form::deserialize(from)? {
            Form::Text(text) => Ok(text.into_owned().into_bytes()),
            Form::Bytes { latin1 } => latin1
                .chars()
                .map(|char| u8::try_from(char).map_err(serde::de::Error::custom))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_is_lost() {
        for bytes in [&b"a b\n"[..], "ü".as_bytes(), b"\xff\x00x", b""] {
            let word = Word(OsString::from_vec(bytes.to_vec()));
            let json = serde_json::to_string(&word).unwrap();
            assert_eq!(serde_json::from_str::<Word>(&json).unwrap(), word, "{json}");
        }
    }
}

/// Verdicts as lower-case words; the core knows nothing of serialisation.
pub mod verdict {
    use serde::{Deserialize, Deserializer, Serializer};
    use whodunit_core::Verdict;

    const WORDS: [(Verdict, &str); 3] =
        [(Verdict::Fail, "fail"), (Verdict::Pass, "pass"), (Verdict::Unresolved, "unresolved")];

    /// Returns the word for a verdict.
    pub fn word(verdict: Verdict) -> &'static str {
        WORDS.iter().find(|(known, _)| *known == verdict).expect("all verdicts are listed").1
    }

    /// Writes the word.
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
    pub fn serialize<S: Serializer>(verdict: &Verdict, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(word(*verdict))
    }

    /// Reads the word.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Verdict, D::Error> {
        let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
        let known = WORDS.iter().find(|(_, word)| *word == text);
        known.map(|(verdict, _)| *verdict).ok_or_else(|| serde::de::Error::custom("no verdict"))
    }
}
