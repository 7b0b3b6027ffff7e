use hex::{FromHex, FromHexError, decode, encode, encode_upper};

fn main() {
    assert_eq!(encode("kiwi"), "6b697769");
    assert_eq!(encode_upper(vec![1, 15, 171]), "010FAB");
    assert_eq!(decode("6b697769"), Ok(b"kiwi".to_vec()));
    assert_eq!(decode("6B69"), Ok(b"ki".to_vec()));
    assert_eq!(decode("123"), Err(FromHexError::OddLength));
    assert_eq!(decode("foo!"), Err(FromHexError::InvalidHexCharacter { c: 'o', index: 1 }));
    assert_eq!(<[u8; 2]>::from_hex("0aff"), Ok([10, 255]));
    assert_eq!(<[u8; 2]>::from_hex("0a"), Err(FromHexError::InvalidStringLength));
    assert_eq!(Vec::from_hex("00"), Ok(vec![0]));
    assert_eq!(FromHexError::OddLength.to_string(), "Odd number of digits");
    let error = FromHexError::InvalidHexCharacter { c: 'x', index: 3 };
    assert_eq!(error.to_string(), "Invalid character 'x' at position 3");
    assert_eq!(<[u8; 16]>::from_hex("000102030405060708090a0b0c0d0e0f").unwrap()[15], 15);
}
