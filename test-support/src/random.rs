//! Random numbers for simulations and generated cases, the same on every machine.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The advance of the state for each number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Starts from a seed; the sequences of neighbouring seeds are unrelated.
    pub fn new(seed: u64) -> Self {
        // Mixed, because states that are a few steps apart give the same numbers, only shifted.
        Random(mix(seed.wrapping_add(STEP)))
    }

    /// Returns a random number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub fn below<N: Bound>(&mut self, bound: N) -> N {
        N::from_below(self.number() % bound.as_u64().max(1))
    }

    /// Returns a number from `least` to `most`.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// Returns true with a probability of `percent` %.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one item of a list, which must not be empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Returns `count` different items of a list, in the order of the list.
    pub fn some<T: Clone>(&mut self, list: &[T], count: usize) -> Vec<T> {
        let mut places: Vec<usize> = (0..list.len()).collect();
        while places.len() > count {
            let gone = self.below(places.len());
            places.remove(gone);
        }
        places.into_iter().map(|place| list[place].clone()).collect()
    }
}

/// Mixes bits, so that similar numbers become very different ones.
pub fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Types of bounds for [`Random::below`].
pub trait Bound: Copy {
    /// Returns the number itself.
    fn as_u64(self) -> u64;
    /// Converts a number below a bound of this type.
    fn from_below(number: u64) -> Self;
}

macro_rules! bounds {
    ($($number:ty)*) => {$(
        impl Bound for $number {
            fn as_u64(self) -> u64 {
                self as u64
            }
            fn from_below(number: u64) -> Self {
                number as Self
            }
        }
    )*};
}

// A literal without a known type is an `i32`.
bounds!(i32 u32 u64 usize);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn neighbouring_seeds_have_no_numbers_in_common() {
        let mut seen = BTreeSet::new();
        for seed in 0..20 {
            let mut random = Random::new(seed);
            assert!((0..100).map(|_| random.below(u32::MAX)).all(|number| seen.insert(number)));
        }
    }
}
