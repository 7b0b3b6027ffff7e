//! Sets of symbols as rows of bits.

/// Rows of bits, all equally long.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    words: Vec<u64>,
    /// How many words a row has.
    width: usize,
}

impl Rows {
    pub(super) fn new(rows: usize, bits: usize) -> Self {
        let width = bits.div_ceil(64);
        Rows { words: vec![0; rows * width], width }
    }

    pub(super) fn contains(&self, row: usize, bit: usize) -> bool {
        self.words[row * self.width + bit / 64] >> (bit % 64) & 1 != 0
    }

    pub(super) fn insert(&mut self, row: usize, bit: usize) {
        self.words[row * self.width + bit / 64] |= 1 << (bit % 64);
    }

    /// Adds a row of another table; returns whether anything is new.
    pub(super) fn add_row(&mut self, row: usize, other: &Rows, other_row: usize) -> bool {
        let mut changed = false;
        for word in 0..self.width {
            changed |= self.add_word(row, word, other.words[other_row * self.width + word]);
        }
        changed
    }

    /// Adds a row of the same table; returns whether anything is new.
    pub(super) fn add_own_row(&mut self, row: usize, other_row: usize) -> bool {
        let mut changed = false;
        for word in 0..self.width {
            changed |= self.add_word(row, word, self.words[other_row * self.width + word]);
        }
        changed
    }

    fn add_word(&mut self, row: usize, word: usize, bits: u64) -> bool {
        let old = &mut self.words[row * self.width + word];
        let changed = bits & !*old != 0;
        *old |= bits;
        changed
    }
}
