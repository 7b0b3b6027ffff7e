//! Enough randomness for simulations, the same on every machine.

/// SplitMix64.
#[derive(Debug)]
pub struct Random(u64);

/// How far the state goes on for each number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Starts from a seed; neighbouring seeds have nothing in common.
    pub fn new(seed: u64) -> Self {
        // Mixed, because states that are a few steps apart give the same numbers, only shifted.
        Random(mix(seed.wrapping_add(STEP)))
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(STEP);
        (mix(self.0) % u64::from(bound)) as u32
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

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
