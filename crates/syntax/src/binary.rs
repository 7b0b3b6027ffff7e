//! Text and other data, told apart.

/// Bytes at the beginning of a file that decide whether it is binary. As many as git looks at.
const LOOKED_AT_BYTES: usize = 8000;

/// Whether this is better taken as bytes than as lines of text: there is a zero byte near its beginning,
/// the same sign that git and grep go by.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(LOOKED_AT_BYTES)].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_near_the_beginning_tells() {
        assert!(is_binary(b"PNG\0"));
        assert!(!is_binary(b"text\n"));
        assert!(!is_binary(&[vec![b'a'; LOOKED_AT_BYTES], vec![0]].concat()));
    }
}
