//! Folders as versions.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs::{self, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;

use support::{Made, check, os};
use whodunit_vcs::{Error, folder, list};

#[test]
fn a_folder_is_listed_as_it_is() {
    let made = Made::without_repository();
    made.write("b.c", "int b;\r\n").write("a/x", "").write("a.c", [0, 255]);
    made.write("run", "#!/bin/sh\n").make_executable("run");
    made.write(os(b"caf\xe9"), "latin");
    fs::create_dir(made.path().join("empty")).unwrap();
    symlink("a", made.path().join("link")).unwrap();
    symlink("../../nowhere", made.path().join("dangling")).unwrap();
    let listing = list(made.path()).unwrap();
    let expected = [
        "- a.c: \\x00\\xff",
        "- a/x: ",
        "- b.c: int b;\\r\\n",
        "- caf\\xe9: latin",
        "l dangling: ../../nowhere",
        "l link: a",
        "x run: #!/bin/sh\\n",
    ];
    check(&listing, &expected);
    assert_eq!(listing.skipped, []);
}

#[test]
fn repositories_are_no_part_of_a_folder() {
    let made = Made::without_repository();
    made.write(".git/config", "").write("sub/.git", "gitdir: x").write("sub/.gitignore", "");
    check(&folder::list(made.path()).unwrap(), &["- sub/.gitignore: "]);
}

#[test]
fn a_folder_may_be_given_through_a_link() {
    let made = Made::without_repository();
    made.write("file", "1");
    symlink(made.path(), made.beside("link")).unwrap();
    check(&list(&made.beside("link")).unwrap(), &["- file: 1"]);
}

#[test]
fn special_files_are_skipped_and_reported() {
    let made = Made::without_repository();
    made.write("file", "1").write("run/file", "2");
    let _listener = UnixListener::bind(made.path().join("run/socket")).unwrap();
    let listing = list(made.path()).unwrap();
    check(&listing, &["- file: 1", "- run/file: 2"]);
    let skipped: Vec<_> =
        listing.skipped.iter().map(|skipped| (skipped.path.as_slice(), skipped.what)).collect();
    assert_eq!(skipped, [(b"run/socket".as_slice(), "a socket")]);
}

#[test]
fn a_folder_of_great_depth_is_listed() {
    let made = Made::without_repository();
    let depth = 200;
    let path = "d/".repeat(depth) + "file";
    made.write(&path, "deep");
    check(&list(made.path()).unwrap(), &[&format!("- {path}: deep")]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let made = Made::without_repository();
    let error = list(&made.beside("nothing")).unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if *path == made.beside("nothing")));
    assert!(error.to_string().ends_with("nothing` cannot be read"));

    made.write("file", "1");
    let listing = list(made.path()).unwrap();
    let content = &listing.files[0].content;
    made.write("file", "longer");
    let error = content.read().unwrap_err();
    assert!(error.to_string().ends_with("file` changed while the search ran"), "{error}");
    fs::remove_file(made.path().join("file")).unwrap();
    assert_eq!(content.read().unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_file_that_must_not_be_read_is_an_error_from_the_start() {
    let made = Made::without_repository();
    made.write("secret", "1");
    let path = made.path().join("secret");
    fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    let may_be_read = File::open(&path).is_ok();
    match list(made.path()) {
        Ok(_) => assert!(may_be_read),
        Err(error) => {
            assert!(!may_be_read);
            assert!(error.to_string().ends_with("secret` cannot be read"), "{error}");
        }
    }
}
