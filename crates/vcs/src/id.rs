//! The id of an object in a repository, as plain data.

use std::fmt;

/// Bytes of the longest id there is (SHA-256).
const MAX_ID_BYTES: usize = 32;

/// The id of an object: 20 bytes (SHA-1) or 32 bytes (SHA-256). Displayed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; MAX_ID_BYTES],
    length: u8,
}

impl ObjectId {
    /// Returns the id of these bytes, if they have the length of one.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let length = match bytes.len() {
            20 => 20,
            MAX_ID_BYTES => 32,
            _ => return None,
        };
        let mut padded = [0; MAX_ID_BYTES];
        padded[..bytes.len()].copy_from_slice(bytes);
        Some(Self { bytes: padded, length })
    }

    /// Returns the id written in hexadecimal, if it is a whole one.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        let pairs = digits?;
        let (pairs, rest) = pairs.as_chunks::<2>();
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| (high * 16 + low) as u8).collect();
        if rest.is_empty() { Self::new(&bytes) } else { None }
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back_as_it_was_written() {
        for text in ["0123456789abcdef0123456789abcdef01234567", &"5f".repeat(32)] {
            assert_eq!(ObjectId::from_hex(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_whole_id_is_none() {
        for text in ["", "abc", "xy".repeat(20).as_str(), "ab".repeat(21).as_str()] {
            assert_eq!(ObjectId::from_hex(text), None, "{text}");
        }
    }
}
