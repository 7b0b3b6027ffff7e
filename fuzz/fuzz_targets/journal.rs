//! See `whodunit_hostile::targets::journal`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| whodunit_hostile::targets::journal(bytes));
