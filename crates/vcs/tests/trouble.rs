//! Repositories with missing or damaged parts.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;

use support::{Made, chain, check, has_git, titles};
use whodunit_vcs::git::Repository;
use whodunit_vcs::{Error, Listing};

/// Clones a repository with an argument. Returns the clone.
fn clone(made: &Made, argument: &str) -> Repository {
    let place = made.beside("clone");
    let url = format!("file://{}", made.path().display());
    made.git(["config", "uploadpack.allowFilter", "true"]);
    made.git(["clone", "--quiet", "--no-checkout", argument, &url, place.to_str().unwrap()]);
    Repository::discover(&place).unwrap()
}

/// Returns why the first file of a listing cannot be read.
fn unreadable(listing: &Listing) -> Error {
    listing.files[0].content.read().unwrap_err().downcast().unwrap()
}

#[test]
fn a_shallow_repository_is_read_as_far_as_it_goes() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    let ids = made.commit_numbers(6);
    assert!(!made.open().is_shallow().unwrap());
    let repository = clone(&made, "--depth=3");
    assert!(repository.is_shallow().unwrap());
    assert_eq!(repository.resolve("HEAD~2").unwrap().title, "number 3");
    check(&repository.list(ids[3]).unwrap(), &["- number: 3\\n"]);

    let (good, bad) = (ids[3], ids[5]);
    let history = repository.history(good, bad).unwrap();
    assert_eq!(titles(&history.commits), ["number 4", "number 5"]);
    assert!(!history.is_cut_off);
    assert!(repository.is_ancestor(good, bad).unwrap());
    assert_eq!(repository.merge_base(good, bad).unwrap(), Some(good));
}

#[test]
fn what_lies_deeper_in_a_shallow_repository_is_said_to() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    let ids = made.commit_numbers(6);
    let repository = clone(&made, "--depth=3");
    let id = ids[1].to_string();
    for spec in ["HEAD~3", "main~5", "HEAD^^^^", "2026-01-03", &id] {
        let error = repository.resolve(spec).unwrap_err();
        assert!(matches!(error, Error::Shallow { .. }), "{spec}: {}", chain(&error));
        assert_eq!(error.to_string(), format!("`{spec}` is not here: the repository is shallow"));
        assert_eq!(error.hint().unwrap(), "run git fetch --unshallow");
    }
    assert!(matches!(repository.commit(ids[1]), Err(Error::Shallow { .. })));
    assert!(matches!(repository.resolve("mian"), Err(Error::UnknownRevision { .. })));
}

#[test]
fn a_history_that_is_cut_off_says_so() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit_numbers(4);
    made.git(["checkout", "--quiet", "-b", "side", "HEAD~2"]);
    made.write("side", "").commit("on the side");
    made.git(["checkout", "--quiet", "main"]);
    let place = made.beside("clone");
    let url = format!("file://{}", made.path().display());
    let place = place.to_str().unwrap();
    made.git(["clone", "--quiet", "--depth=1", "--no-single-branch", &url, place]);
    let repository = Repository::discover(&made.beside("clone")).unwrap();
    let [good, bad] = ["origin/side", "main"].map(|spec| repository.resolve(spec).unwrap().id);
    let history = repository.history(good, bad).unwrap();
    assert_eq!(titles(&history.commits), ["number 3"]);
    assert!(history.is_cut_off);
}

#[test]
fn what_a_partial_clone_lacks_is_said_to_be_left_out() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1").commit("first");
    let repository = clone(&made, "--filter=blob:none");
    let commit = repository.resolve("HEAD").unwrap();
    let listing = repository.list(commit.id).unwrap();
    let error = unreadable(&listing);
    assert!(matches!(error, Error::NotFetched { .. }), "{}", chain(&error));
}

#[test]
fn a_corrupt_object_is_named() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    let ids = made.commit_numbers(4);
    let (blob, tree) = (made.id("HEAD:number"), made.id("HEAD~1^{tree}"));
    let check = |error: Error, id| match &error {
        Error::CorruptObject { id: named, .. } => {
            assert_eq!(*named, id);
            assert_eq!(error.to_string(), format!("the object {id} is corrupt"));
            assert!(error.hint().unwrap().contains("git fsck"));
        }
        _ => panic!("{}", chain(&error)),
    };
    made.damage(blob);
    let listing = made.open().list(ids[3]).unwrap();
    check(unreadable(&listing), blob);
    made.damage(tree);
    check(made.open().list(ids[2]).unwrap_err(), tree);
    made.damage(ids[1]);
    check(made.open().commit(ids[1]).unwrap_err(), ids[1]);
    check(made.open().resolve("HEAD~2").unwrap_err(), ids[1]);
    check(made.open().resolve("HEAD~3").unwrap_err(), ids[1]);
    check(made.open().resolve("2026-01-02").unwrap_err(), ids[1]);
    check(made.open().history(ids[0], ids[3]).unwrap_err(), ids[1]);
    check(made.open().is_ancestor(ids[0], ids[3]).unwrap_err(), ids[1]);
}

#[test]
fn a_missing_object_is_named() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1");
    let commit = made.commit("first");
    let blob = made.id("HEAD:file");
    fs::remove_file(made.loose_object(blob)).unwrap();
    let error = made.open().list(commit).unwrap().files[0].content.read().unwrap_err();
    assert_eq!(error.to_string(), format!("the object {blob} is missing in the repository"));
}

#[test]
fn objects_that_are_not_what_they_should_be_are_errors() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1").commit("first");
    let (blob, tree) = (made.id("HEAD:file"), made.id("HEAD^{tree}"));
    let repository = made.open();
    assert!(matches!(repository.commit(blob), Err(Error::NotACommit { .. })));
    assert!(matches!(repository.list(tree), Err(Error::NotACommit { .. })));
    for (kind, text) in [("commit", "nonsense"), ("tag", "nonsense"), ("tree", "nonsense")] {
        let path = made.beside("object");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let id = made.git(["hash-object", "-t", kind, "--literally", "-w", path]);
        assert!(repository.resolve(id.trim()).is_err(), "{kind}");
    }
}

#[test]
fn a_repository_without_its_head_cannot_be_opened() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit("first");
    fs::write(made.path().join(".git/HEAD"), "nonsense").unwrap();
    let opened = Repository::discover(made.path());
    let error = opened.and_then(|repository| repository.resolve("HEAD")).unwrap_err();
    assert!(chain(&error).contains("nonsense"), "{}", chain(&error));
    fs::remove_file(made.path().join(".git/HEAD")).unwrap();
    let error = Repository::discover(made.path()).unwrap_err();
    assert!(matches!(error, Error::Unopenable { .. }), "{}", chain(&error));
    assert!(error.hint().unwrap().contains("git fsck"));
    let elsewhere = tempfile::tempdir().unwrap();
    let error = Repository::discover(elsewhere.path()).unwrap_err();
    assert!(matches!(error, Error::NoRepository { .. }), "{}", chain(&error));
}

#[test]
fn a_repository_of_a_later_format_cannot_be_opened() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.commit("first");
    for (setting, value) in [("objectFormat", "sha512"), ("refStorage", "reftable")] {
        let config =
            format!("[core]\nrepositoryFormatVersion = 1\n[extensions]\n{setting} = {value}\n");
        fs::write(made.path().join(".git/config"), config).unwrap();
        let error = Repository::discover(made.path()).unwrap_err();
        let is_told = match setting {
            "refStorage" => matches!(error, Error::ForeignNames { .. }),
            _ => matches!(error, Error::Unopenable { .. }),
        };
        assert!(is_told, "{}", chain(&error));
    }
}

#[test]
fn a_pipe_in_a_repository_is_not_waited_for() {
    if !has_git() {
        return;
    }
    for name in ["config", "HEAD", "info/grafts", "refs/heads/other", "objects/pack/pack-1.idx"] {
        let made = Made::new();
        made.commit_numbers(1);
        let pipe = made.path().join(".git").join(name);
        let _ = fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = Repository::discover(made.path()).unwrap_err();
        assert!(matches!(error, Error::Unopenable { .. }), "{name}: {}", chain(&error));
        let said = chain(&error);
        assert!(said.contains(name) && said.contains("is a pipe or a device"), "{said}");
    }
}

#[test]
fn a_pipe_behind_a_link_or_in_a_lender_is_not_waited_for() {
    if !has_git() {
        return;
    }
    let mkfifo = |pipe: &std::path::Path| {
        fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    };
    let waits = |made: &Made, name: &str| {
        let said = chain(&Repository::discover(made.path()).unwrap_err());
        assert!(said.contains(name) && said.contains("is a pipe or a device"), "{said}");
    };
    let made = Made::new();
    made.commit_numbers(1);
    mkfifo(&made.beside("tags/v1"));
    let tags = made.path().join(".git/refs/tags");
    fs::remove_dir_all(&tags).unwrap();
    std::os::unix::fs::symlink(made.beside("tags"), &tags).unwrap();
    waits(&made, "tags/v1");

    let made = Made::new();
    made.commit_numbers(1);
    let [lender, further] = ["lender", "further"].map(|name| made.beside(name));
    mkfifo(&further.join("pack/pack-1.idx"));
    // The names can be quoted, and lead back to their beginning.
    let own = made.path().join(".git/objects");
    for (folder, names) in [(&own, &lender), (&lender, &further), (&further, &own)] {
        fs::create_dir_all(folder.join("info")).unwrap();
        let quoted = format!("\"{}\"\n", names.display());
        fs::write(folder.join("info/alternates"), quoted).unwrap();
    }
    waits(&made, "pack/pack-1.idx");
}

#[test]
fn a_pipe_is_neither_a_version_nor_a_release() {
    let made = Made::new();
    let pipe = made.path().join("release-1.tar");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(whodunit_vcs::list(&pipe), Err(Error::UnknownFormat { .. })));
    let releases = whodunit_vcs::Releases::open(made.path(), &whodunit_vcs::Span::default());
    assert!(matches!(releases, Err(Error::NoVersions)), "{releases:?}");
}
