#![allow(deprecated)]

use base64::{DecodeError, decode, encode};

fn main() {
    assert_eq!(encode(""), "");
    assert_eq!(encode("f"), "Zg==");
    assert_eq!(encode("foob"), "Zm9vYg==");
    assert_eq!(encode([251, 255, 190]), "+/++");
    assert_eq!(encode("x".repeat(100)).len(), 136);
    assert_eq!(decode("Zm9vYmFy"), Ok(b"foobar".to_vec()));
    assert_eq!(decode("Zm9vYg=="), Ok(b"foob".to_vec()));
    assert_eq!(decode("+/++"), Ok(vec![251, 255, 190]));
    assert_eq!(decode("Zm9v!mFy"), Err(DecodeError::InvalidByte(4, b'!')));
    assert_eq!(decode("Zm9vY"), Err(DecodeError::InvalidLength));
    assert_eq!(decode("Zm9vYh=="), Err(DecodeError::InvalidLastSymbol(5, b'h')));
    assert_eq!(decode("Zg=a"), Err(DecodeError::InvalidByte(2, b'=')));
    assert_eq!(DecodeError::InvalidLength.to_string(), "Encoded text cannot have a 6-bit remainder.");
    let mut long = Vec::new();
    for number in 0..=255_u8 {
        long.push(number.wrapping_mul(7));
        assert_eq!(decode(encode(&long)).as_ref(), Ok(&long));
    }
}
