//! Random choices from a seed, the same on every machine.

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Starts from a seed; neighbouring seeds have nothing in common.
    pub(crate) fn new(seed: u64) -> Self {
        Random(mix(seed.wrapping_add(STEP)))
    }

    /// Returns a number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(STEP);
        (mix(self.0) % bound.max(1) as u64) as usize
    }

    /// Returns a number from `least` to `most`.
    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// Returns whether something happens that happens in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Returns some different items of a list, in its order.
    pub(crate) fn some<T: Clone>(&mut self, list: &[T], count: usize) -> Vec<T> {
        let mut places: Vec<usize> = (0..list.len()).collect();
        while places.len() > count {
            let gone = self.below(places.len());
            places.remove(gone);
        }
        places.into_iter().map(|place| list[place].clone()).collect()
    }
}

/// Mixes bits, so that similar numbers become different ones.
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}
