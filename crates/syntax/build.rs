//! Compiles what is written in C here: the parser of SMT-LIB, a guard for some scanners, and the
//! bounds of parsing.
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
        (cfg!(feature = "lang-html"), "GUARD_HTML"),
        (cfg!(feature = "lang-python"), "GUARD_PYTHON"),
        (cfg!(feature = "lang-ruby"), "GUARD_RUBY"),
        (cfg!(feature = "lang-xml"), "GUARD_XML"),
        (cfg!(feature = "lang-yaml"), "GUARD_YAML"),
    ];
    for (_, guard) in guarded.iter().filter(|(wanted, _)| *wanted) {
        parsers.define(guard, None);
    }
    parsers.file("languages/guard/guard.c");
    parsers.file("languages/guard/bounded.c");
    // Set by the crate of the parser.
    parsers.include(std::env::var("DEP_TREE_SITTER_INCLUDE").expect("the parser says where it is"));
    parsers.compile("whodunit-parsers");
}
