//! Mutates bytes a little, in the same way in every run.

/// A source of random numbers that depends on nothing but its seed (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % (end.max(1) as u64)) as usize
    }
}

/// Bytes with a meaning in many formats.
const SIGNS: &[u8] = b"\0\n\r\t \"'\\/.:;,-+%{}[]()<>|=019aA\x1b\x7f\x80\xff";

/// Numbers at the limits of many formats.
const NUMBERS: [&[u8]; 7] =
    [b"0", b"-1", b"4294967296", b"18446744073709551616", b"1e999", b"\xff\xff\xff\xff", b"..//"];

/// Returns the bytes with one to four changes, with pieces of `other` among them.
pub fn mutated(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..=random.below(4) {
        change(&mut mutated, other, random);
    }
    mutated
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (at, length) = (random.below(bytes.len() + 1), random.below(16));
    let end = (at + length).min(bytes.len());
    match random.below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = SIGNS[random.below(SIGNS.len())],
        2 => drop(bytes.drain(at..end)),
        3 => bytes.truncate(at),
        4 => {
            let again = bytes[at..end].repeat(1 + random.below(8));
            bytes.splice(at..at, again);
        }
        5 => {
            let number = NUMBERS[random.below(NUMBERS.len())];
            bytes.splice(at..end, number.iter().copied());
        }
        _ => {
            let from = random.below(other.len() + 1);
            let piece = &other[from..(from + 4 * length).min(other.len())];
            bytes.splice(at..end, piece.iter().copied());
        }
    }
}
