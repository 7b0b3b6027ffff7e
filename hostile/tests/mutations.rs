//! Every target reads its seeds and mutations of them. `WHODUNIT_FUZZ_ROUNDS=100000` requests more.

#![allow(clippy::unwrap_used)] // a missing file fails the test either way

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use whodunit_hostile::all;
use whodunit_hostile::mutate::{Random, mutated};

/// Mutations of each target; they take at most half a second for each in a debug build.
const ROUNDS: usize = 400;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(corpus().join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn no_mutation_of_a_seed_makes_a_reader_panic() {
    let rounds = std::env::var("WHODUNIT_FUZZ_ROUNDS").ok().map(|it| it.parse().unwrap());
    for target in all() {
        let seeds = seeds(target.name);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        let mut random = Random(1);
        let mut inputs = seeds.clone();
        for round in 0..rounds.unwrap_or(ROUNDS) + inputs.len() {
            let bytes = match inputs.get(round) {
                Some(seed) => seed.clone(),
                None => {
                    let (one, other) = (random.below(inputs.len()), random.below(seeds.len()));
                    mutated(&inputs[one], &seeds[other], &mut random)
                }
            };
            if let Err(panic) = catch_unwind(|| (target.read)(&bytes)) {
                let path = std::env::temp_dir().join(format!("whodunit-{}-panic", target.name));
                fs::write(&path, &bytes).unwrap();
                panic!("{}: {panic:?}; the bytes are in {}", target.name, path.display());
            }
            // Some mutations are kept, because mutations of these differ more from the seeds.
            if round >= seeds.len() && inputs.len() < 4 * seeds.len() && round % 16 == 0 {
                inputs.push(bytes);
            }
        }
    }
}

#[test]
fn every_target_has_a_file_for_the_fuzzer() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in all() {
        let name = target.name;
        assert!(fuzz.join(format!("fuzz_targets/{name}.rs")).exists(), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
