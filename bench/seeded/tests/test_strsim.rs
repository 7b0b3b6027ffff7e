use strsim::{
    damerau_levenshtein, generic_hamming, generic_levenshtein, hamming, jaro, jaro_winkler, levenshtein,
    normalized_damerau_levenshtein, normalized_levenshtein, osa_distance,
};

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn main() {
    assert_eq!(hamming("hamming", "hammers"), Ok(3));
    assert!(hamming("ham", "hamming").is_err());
    assert_eq!(generic_hamming(&[1, 2, 4], &[1, 2, 3]), Ok(1));
    assert_eq!(levenshtein("kitten", "sitting"), 3);
    assert_eq!(levenshtein("", "abc"), 3);
    assert_eq!(levenshtein("öঙ香", "abc"), 3);
    assert_eq!(generic_levenshtein(&[1, 2, 3], &[0, 1, 2, 3, 4]), 2);
    assert_eq!(rounded(normalized_levenshtein("kitten", "sitting")), 0.571);
    assert_eq!(rounded(normalized_levenshtein("", "")), 1.0);
    assert_eq!(osa_distance("ab", "bca"), 3);
    assert_eq!(osa_distance("abcdef", "badcfe"), 3);
    assert_eq!(osa_distance("damerau", "aderua"), 3);
    assert_eq!(damerau_levenshtein("ab", "bca"), 2);
    assert_eq!(damerau_levenshtein("ca", "abc"), 2);
    assert_eq!(damerau_levenshtein("jellyfish", "smellyfihs") , 3);
    assert_eq!(damerau_levenshtein("", "flower"), 6);
    assert_eq!(damerau_levenshtein("öঙ香", "öঙ"), 1);
    assert_eq!(rounded(normalized_damerau_levenshtein("levenshtein", "löwenbräu")), 0.273);
    assert_eq!(rounded(jaro("martha", "marhta")), 0.944);
    assert_eq!(rounded(jaro("dixon", "dicksonx")), 0.767);
    assert_eq!(jaro("a", "b"), 0.0);
    assert_eq!(jaro("same", "same"), 1.0);
    assert_eq!(rounded(jaro("Friedrich Nietzsche", "Jean-Paul Sartre")), 0.392);
    assert_eq!(rounded(jaro_winkler("dwayne", "duane")), 0.84);
    assert_eq!(rounded(jaro_winkler("martha", "marhta")), 0.961);
    assert_eq!(rounded(jaro_winkler("Thorkel", "Thorgier")), 0.868);
    assert_eq!(rounded(jaro_winkler("", "")), 1.0);
}
