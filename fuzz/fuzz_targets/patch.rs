//! A patch as git writes them, and the lines of a block of binary data in one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whodunit_versions::{Content, Entry, EntryKind, TreePath, Version, apply};

const BINARY: &[u8] = b"diff --git a/x b/x\nnew file mode 100644\n\
    index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n\
    GIT binary patch\n";

fuzz_target!(|bytes: &[u8]| {
    let content = Content::bytes(b"1\n2\n3\n".to_vec());
    let entry = Entry { kind: EntryKind::Regular, content };
    let version: Version = [(TreePath::from("a"), entry)].into_iter().collect();
    let _ = apply(&version, bytes);
    let _ = apply(&version, &[BINARY, bytes].concat());
});
