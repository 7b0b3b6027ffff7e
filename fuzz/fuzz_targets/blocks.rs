//! Binary data whose blocks, lengths and checksums are guessed: PNG, ZIP, protocol buffers and others.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = whodunit_syntax::outline::binary(bytes);
});
