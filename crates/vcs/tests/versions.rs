//! The files of commits.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::thread;

use support::{Made, check, draw, has_git, os};
use whodunit_files::EntryKind;
use whodunit_test_support::needs_that;
use whodunit_vcs::Listing;
use whodunit_vcs::git::Repository;

fn listing(made: &Made, spec: &str) -> Listing {
    let repository = made.open();
    let commit = repository.resolve(spec).unwrap();
    repository.list(commit.id).unwrap()
}

#[test]
fn files_links_and_modes_are_listed_in_order() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("b.c", "int b;\n").write("a/deep/er", "").write("a.c", "int a;\n");
    made.write("run", "#!/bin/sh\n").make_executable("run");
    symlink("a/deep", made.path().join("link")).unwrap();
    made.commit("all");
    let expected = [
        "- a.c: int a;\\n",
        "- a/deep/er: ",
        "- b.c: int b;\\n",
        "l link: a/deep",
        "x run: #!/bin/sh\\n",
    ];
    check(&listing(&made, "HEAD"), &expected);
    made.git(["gc", "--quiet", "--aggressive"]);
    check(&listing(&made, "HEAD"), &expected);
}

#[test]
fn contents_are_the_bytes_that_are_stored() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write(".gitattributes", "*.txt text eol=crlf\n*.bin binary\n*.key ident\n");
    made.write("unix.txt", "one\ntwo\n").write("dos.raw", "one\r\ntwo\r\n");
    made.write("all.bin", [0, 255, 10, 13]).write("id.key", "$Id$\n");
    made.commit("line ends");
    let expected = [
        "- .gitattributes: *.txt text eol=crlf\\n*.bin binary\\n*.key ident\\n",
        "- all.bin: \\x00\\xff\\n\\r",
        "- dos.raw: one\\r\\ntwo\\r\\n",
        "- id.key: $Id$\\n",
        "- unix.txt: one\\ntwo\\n",
    ];
    check(&listing(&made, "HEAD"), &expected);
}

#[test]
fn names_are_bytes() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write(os(b"caf\xe9/\xff\xfe"), "latin").write("a\nb", "").write(" ", "blank");
    made.commit("names");
    check(&listing(&made, "HEAD"), &["-  : blank", "- a\\nb: ", "- caf\\xe9/\\xff\\xfe: latin"]);
}

#[test]
fn a_file_may_become_a_folder() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("thing", "file").commit("file");
    fs::remove_file(made.path().join("thing")).unwrap();
    made.write("thing/part", "folder").commit("folder");
    check(&listing(&made, "HEAD~1"), &["- thing: file"]);
    check(&listing(&made, "HEAD"), &["- thing/part: folder"]);
}

#[test]
fn equal_contents_have_equal_ids() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("one", "same").write("two", "same").commit("twins");
    let ids: Vec<_> = listing(&made, "HEAD")
        .files
        .into_iter()
        .map(|file| file.content.stored_as().expect("a repository has it").clone())
        .collect();
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn bare_repositories_and_linked_work_trees_will_do() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1").commit("first");
    made.write("file", "2").commit("second");
    let (bare, linked) = (made.beside("bare.git"), made.beside("linked"));
    made.git(["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    made.git(["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap(), "HEAD~1"]);

    let repository = Repository::discover(&bare).unwrap();
    assert_eq!(repository.work_folder(), None);
    let head = repository.resolve("HEAD").unwrap();
    check(&repository.list(head.id).unwrap(), &["- file: 2"]);

    let repository = Repository::discover(&linked).unwrap();
    let head = repository.resolve("HEAD").unwrap();
    assert_eq!(head.title, "first", "each work tree has its own HEAD");
    assert_eq!(repository.resolve("main").unwrap().title, "second");
    check(&repository.list(head.id).unwrap(), &["- file: 1"]);
}

#[test]
fn objects_of_another_repository_are_borrowed() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1").commit("first");
    let borrower = made.beside("borrower");
    made.git(["clone", "--quiet", "--shared", "--no-checkout", ".", borrower.to_str().unwrap()]);
    let repository = Repository::discover(&borrower).unwrap();
    let head = repository.resolve("origin/main").unwrap();
    check(&repository.list(head.id).unwrap(), &["- file: 1"]);
}

#[test]
fn the_files_of_a_submodule_are_listed_where_its_commit_is_at_hand() {
    if !has_git() {
        return;
    }
    let library = Made::new();
    library.write("lib.c", "1").commit("library 1");
    let inner = Made::new();
    inner.write("inner.c", "i").commit("inner");
    library.git(["submodule", "--quiet", "add", inner.path().to_str().unwrap(), "in"]);
    library.write("lib.c", "2").commit("library 2");

    let made = Made::new();
    let url = library.path().to_str().unwrap();
    made.git(["submodule", "--quiet", "add", "--name", "the library", url, "ext/lib"]);
    made.git(["submodule", "--quiet", "update", "--init", "--recursive"]);
    made.write("main.c", "m").commit("with a library");

    let commit = library.id("HEAD").to_string();
    let inner_commit = inner.id("HEAD").to_string();
    let modules = |path: &str| format!("- {path}.gitmodules: ");
    let whole = [
        modules(""),
        format!("s ext/lib: {commit}"),
        modules("ext/lib/"),
        format!("s ext/lib/in: {inner_commit}"),
        "- ext/lib/in/inner.c: i".to_owned(),
        "- ext/lib/lib.c: 2".to_owned(),
        "- main.c: m".to_owned(),
    ];
    let lines = |listing: &Listing| -> Vec<String> {
        let short = |line: &str| match line.split_once(".gitmodules: ") {
            Some((before, _)) => format!("{before}.gitmodules: "),
            None => line.to_owned(),
        };
        draw(listing).lines().map(short).collect()
    };
    assert_eq!(lines(&listing(&made, "HEAD")), whole);
    // The repository's own folder has all files of the submodule.
    fs::remove_dir_all(made.path().join("ext")).unwrap();
    assert_eq!(lines(&listing(&made, "HEAD")), whole);
    // Without that folder the submodule is only an entry.
    fs::remove_dir_all(made.path().join(".git/modules")).unwrap();
    let rest = listing(&made, "HEAD");
    assert_eq!(lines(&rest), [0, 1, 6].map(|line| whole[line].clone()));
    let submodule = &rest.files[1];
    assert_eq!(submodule.kind, EntryKind::Submodule);
    assert!(!submodule.is_expanded);
}

#[test]
fn many_threads_read_one_version() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    for number in 0..200 {
        made.write(format!("{number:03}"), format!("content {number}\n").repeat(50));
    }
    made.commit("many");
    made.git(["gc", "--quiet"]);
    let files = listing(&made, "HEAD").files;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (number, file) in files.iter().enumerate() {
                    let expected = format!("content {number}\n").repeat(50);
                    assert_eq!(&*file.content.read().unwrap(), expected.as_bytes());
                }
            });
        }
    });
}

#[test]
fn repositories_with_long_ids_are_read() {
    if !has_git() {
        return;
    }
    let made = Made::without_repository();
    let can = made.try_git(&["init", "--quiet", "--object-format=sha256"]).status.success();
    if !needs_that("a git that knows SHA-256", "install git 2.29 or later", can) {
        return;
    }
    made.write("file", "1").commit("first");
    assert_eq!(made.id("HEAD").as_bytes().len(), 32);
    check(&listing(&made, "HEAD"), &["- file: 1"]);
}

#[test]
fn a_tree_that_leads_out_of_the_version_is_refused() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    made.write("file", "1").commit("first");
    let blob = made.id("HEAD:file");
    for name in ["..", ".git", ".GIT", "."] {
        let tree = [format!("100644 {name}\0").as_bytes(), blob.as_bytes()].concat();
        fs::write(made.beside("tree"), tree).unwrap();
        let path = made.beside("tree");
        let path = path.to_str().unwrap();
        let tree = made.git(["hash-object", "-t", "tree", "--literally", "-w", path]);
        let commit = made.git(["commit-tree", tree.trim(), "-m", "evil"]);
        let repository = made.open();
        let commit = repository.resolve(commit.trim()).unwrap();
        let error = repository.list(commit.id).unwrap_err();
        assert!(error.to_string().contains("has a file that must not be written"), "{error}");
    }
}
