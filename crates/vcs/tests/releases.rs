//! Folders of releases as histories.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::path::Path;

use support::{chain, check};
use tempfile::TempDir;
use whodunit_vcs::{Beginning, Error, Lineage, Releases, Span};

fn pack(folder: &Path, name: &str, files: &[(&str, &str)]) {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content.as_bytes()).unwrap();
    }
    fs::write(folder.join(name), archive.into_inner().unwrap()).unwrap();
}

fn unpacked(folder: &Path, name: &str, files: &[(&str, &str)]) {
    for (path, content) in files {
        let place = folder.join(name).join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
    }
}

/// Releases of a project, some of them packed, and entries that are no releases.
fn project() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    unpacked(folder, "p-1.9", &[("a", "1"), ("in/b", "1")]);
    pack(folder, "p-1.10.tar", &[("p-1.10/a", "2"), ("p-1.10/in/b", "1")]);
    pack(folder, "p-1.10rc1.tar", &[("p-1.10rc1/a", "rc"), ("p-1.10rc1/in/b", "1")]);
    unpacked(folder, "p-2.0", &[("a", "3"), ("in/b", "2")]);
    pack(folder, "p-2.0.tar", &[("p-2.0/a", "not this one")]);
    unpacked(folder, "documents", &[("a", "")]);
    fs::write(folder.join("p-1.10.tar.sha256"), "0123").unwrap();
    home
}

fn names(span: &Span) -> Vec<String> {
    let home = project();
    let row = Releases::open(home.path(), span).unwrap();
    (0..row.len()).map(|place| row.revision(place).unwrap().id).collect()
}

#[test]
fn releases_are_in_the_order_of_their_versions() {
    assert_eq!(names(&Span::default()), ["p-2.0", "p-1.10.tar", "p-1.10rc1.tar", "p-1.9"]);
    let home = project();
    let row = Releases::open(home.path(), &Span::default()).unwrap();
    check(&row.list(0).unwrap(), &["- a: 3", "- in/b: 2"]);
    check(&row.list(1).unwrap(), &["- a: 2", "- in/b: 1"]);
    assert_eq!(row.revision(2).unwrap().short_id, "p-1.10rc1");
    assert_eq!(row.beginning(), Beginning::Root);
    let skipped: Vec<String> =
        row.skipped().iter().map(|it| format!("{}: {}", it.path.escape_ascii(), it.what)).collect();
    let expected = [
        "documents: without a version in its name",
        "p-1.10.tar.sha256: neither a folder nor an archive",
        "p-2.0.tar: the same release once more",
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn bounds_are_names_or_versions() {
    let bounded = |since: Option<&str>, until: Option<&str>| {
        let [since, until] = [since, until].map(|spec| spec.map(String::from));
        Span { since, until, paths: Vec::new() }
    };
    assert_eq!(names(&bounded(Some("1.10"), None)), ["p-2.0", "p-1.10.tar"]);
    assert_eq!(names(&bounded(None, Some("p-1.10rc1"))), ["p-1.10rc1.tar", "p-1.9"]);
    assert_eq!(
        names(&bounded(Some("p-1.10rc1.tar"), Some("1.10"))),
        ["p-1.10.tar", "p-1.10rc1.tar"]
    );
    let home = project();
    let row = Releases::open(home.path(), &bounded(Some("1.10"), None)).unwrap();
    assert_eq!(row.beginning(), Beginning::Bound);
    let error = Releases::open(home.path(), &bounded(Some("1.8"), None)).unwrap_err();
    assert!(matches!(&error, Error::UnknownRevision { .. }), "{}", chain(&error));
    let backwards = Releases::open(home.path(), &bounded(Some("2.0"), Some("1.9"))).unwrap_err();
    assert!(matches!(backwards, Error::NoVersions), "{}", chain(&backwards));
}

#[test]
fn paths_leave_what_changes_them_and_the_newest() {
    let of = |path: &str| Span { paths: vec![path.as_bytes().to_vec()], ..Span::default() };
    assert_eq!(names(&of("in")), ["p-2.0", "p-1.9"]);
    assert_eq!(names(&of("a")).len(), 4);
    assert_eq!(names(&of("nowhere")), ["p-2.0"]);
    let asked_for = |path: &str| Span { since: Some("1.10rc1".into()), ..of(path) };
    assert_eq!(names(&asked_for("nowhere")), ["p-2.0", "p-1.10rc1.tar"]);
}

#[test]
fn a_folder_without_releases_is_no_history() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("README"), "").unwrap();
    let error = Releases::open(home.path(), &Span::default()).unwrap_err();
    assert!(matches!(error, Error::NoVersions), "{}", chain(&error));
    let error = Releases::open(&home.path().join("missing"), &Span::default()).unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{}", chain(&error));
}
