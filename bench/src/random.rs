//! Enough randomness for simulations, the same on every machine.

/// SplitMix64.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    ///
    /// The next seed gives the same numbers without the first one. Whoever averages over seeds in a
    /// row has fewer independent samples than seeds, and should put the seeds far apart.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1))
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % u64::from(bound)) as u32
    }
}
