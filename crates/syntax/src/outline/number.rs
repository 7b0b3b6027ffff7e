//! How whole numbers are written in binary data.

/// A way to write a number that is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NumberFormat {
    /// One byte.
    Byte,
    /// Two bytes, the larger one first.
    Big16,
    /// Two bytes, the smaller one first.
    Little16,
    /// Four bytes, the larger ones first.
    Big32,
    /// Four bytes, the smaller ones first.
    Little32,
    /// Eight bytes, the larger ones first.
    Big64,
    /// Seven bits in each byte, the smallest first, in as few bytes as can be.
    Leb128,
    /// The same, but a smaller number may be filled up to keep its width.
    PaddedLeb128,
}

/// No reader takes more: 64 bits are ten times seven and a rest.
const LONGEST_LEB128: usize = 10;

impl NumberFormat {
    /// Reads the number at the beginning of some bytes; returns it with its length.
    pub fn read(self, bytes: &[u8]) -> Option<(u64, usize)> {
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let Some(width) = self.width() else { return read_leb128(bytes) };
        let digits = bytes.get(..width)?;
        let value = match self {
            NumberFormat::Little16 | NumberFormat::Little32 => digits.iter().rev().fold(0, fold),
            _ => digits.iter().fold(0, fold),
        };
        Some((value, width))
    }

    /// Writes a number in place of one that took `width` bytes and was not smaller.
    pub fn write(self, value: u64, width: usize) -> Vec<u8> {
        match self {
            NumberFormat::Little16 | NumberFormat::Little32 => {
                value.to_le_bytes()[..width].to_vec()
            }
            NumberFormat::Leb128 => write_leb128(value, 1),
            NumberFormat::PaddedLeb128 => write_leb128(value, width),
            _ => value.to_be_bytes()[8 - width..].to_vec(),
        }
    }

    /// Whether a smaller number may take fewer bytes.
    pub fn is_variable(self) -> bool {
        self == NumberFormat::Leb128
    }

    /// Returns the length of every number; `None` if it varies.
    fn width(self) -> Option<usize> {
        match self {
            NumberFormat::Byte => Some(1),
            NumberFormat::Big16 | NumberFormat::Little16 => Some(2),
            NumberFormat::Big32 | NumberFormat::Little32 => Some(4),
            NumberFormat::Big64 => Some(8),
            NumberFormat::Leb128 | NumberFormat::PaddedLeb128 => None,
        }
    }
}

fn read_leb128(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (place, &byte) in bytes.iter().take(LONGEST_LEB128).enumerate() {
        let digit = u64::from(byte & 0x7f);
        let shifted = digit << (7 * place);
        if shifted >> (7 * place) != digit {
            return None;
        }
        value |= shifted;
        if byte < 0x80 {
            return Some((value, place + 1));
        }
    }
    None
}

fn write_leb128(mut value: u64, width: usize) -> Vec<u8> {
    let mut written = Vec::new();
    loop {
        let digit = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 && written.len() + 1 >= width {
            written.push(digit);
            return written;
        }
        written.push(digit | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        use NumberFormat::*;
        for number in [Big32, Little32, Big64, Leb128, PaddedLeb128] {
            for value in [0, 1, 127, 128, 300, 70_000, u64::from(u32::MAX)] {
                let width = number.width().unwrap_or(5);
                let written = number.write(value, width);
                assert_eq!(number.read(&written), Some((value, written.len())), "{number:?}");
            }
        }
        assert_eq!(Big16.read(&[1, 2, 3]), Some((0x0102, 2)));
        assert_eq!(Little16.read(&[1, 2, 3]), Some((0x0201, 2)));
        assert_eq!(Little16.write(0x0201, 2), [1, 2]);
        assert_eq!(Byte.read(&[]), None);
    }

    #[test]
    fn a_padded_number_keeps_its_width() {
        assert_eq!(NumberFormat::PaddedLeb128.write(3, 3), [0x83, 0x80, 0]);
        assert_eq!(NumberFormat::PaddedLeb128.read(&[0x83, 0x80, 0]), Some((3, 3)));
        assert_eq!(NumberFormat::Leb128.write(3, 3), [3]);
        assert_eq!(NumberFormat::Leb128.read(&[0x80; 20]), None);
        assert_eq!(NumberFormat::Leb128.read(&[0xff; 20]), None);
        let most = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
        assert_eq!(NumberFormat::Leb128.read(&most), Some((u64::MAX, 10)));
        let more = [255, 255, 255, 255, 255, 255, 255, 255, 255, 2];
        assert_eq!(NumberFormat::Leb128.read(&more), None);
    }
}
