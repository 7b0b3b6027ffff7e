//! Compiles what is written in C here: the parser of SMT-LIB, and a guard for three scanners.
//! The other parsers come with their crates.

fn main() {
    println!("cargo:rerun-if-changed=languages/smtlib");
    println!("cargo:rerun-if-changed=languages/guard");
    let mut parsers = cc::Build::new();
    parsers.include("languages/smtlib").warnings(false); // the generator's files are not ours to tidy
    if cfg!(feature = "lang-smtlib") {
        parsers.file("languages/smtlib/parser.c");
    }
    let guarded = [
        (cfg!(feature = "lang-python"), "GUARD_PYTHON"),
        (cfg!(feature = "lang-ruby"), "GUARD_RUBY"),
        (cfg!(feature = "lang-yaml"), "GUARD_YAML"),
    ];
    for (_, guard) in guarded.iter().filter(|(wanted, _)| *wanted) {
        parsers.define(guard, None);
    }
    parsers.file("languages/guard/guard.c");
    parsers.compile("whodunit-parsers");
}
