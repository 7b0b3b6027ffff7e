//! Archives as versions.

#![allow(clippy::unwrap_used)] // a test that cannot be set up fails either way

mod support;

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use support::{Made, chain, check, has_git};
use tar::{EntryType, Header};
use tempfile::TempDir;
use whodunit_vcs::{Error, Listing, list};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Builds a tar archive of given entries, however wrong.
#[derive(Default)]
struct Tape {
    bytes: Vec<u8>,
}

impl Tape {
    fn entry(mut self, kind: EntryType, name: &str, mode: u32, target: &str, data: &str) -> Self {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.as_mut_bytes()[157..157 + target.len()].copy_from_slice(target.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(data.len() as u64);
        header.set_cksum();
        self.bytes.extend(header.as_bytes());
        self.bytes.extend(data.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(512), 0);
        self
    }

    fn file(self, name: &str, data: &str) -> Self {
        self.entry(EntryType::Regular, name, 0o644, "", data)
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 1024, 0);
        self.bytes
    }
}

fn listed(bytes: &[u8]) -> Result<Listing, Error> {
    let folder = tempfile::tempdir().unwrap();
    list(&write(&folder, bytes))
}

fn write(folder: &TempDir, bytes: &[u8]) -> PathBuf {
    // The name tells nothing: the format is recognised by the bytes.
    let path = folder.path().join("archive");
    fs::write(&path, bytes).unwrap();
    path
}

fn release() -> Vec<u8> {
    Tape::default()
        .entry(EntryType::Directory, "tool-1.4/", 0o755, "", "")
        .file("tool-1.4/b.c", "int b;\r\n")
        .entry(EntryType::Regular, "tool-1.4/run", 0o755, "", "#!/bin/sh\n")
        .entry(EntryType::Symlink, "tool-1.4/a/link", 0o777, "../b.c", "")
        .entry(EntryType::Link, "tool-1.4/copy", 0o644, "tool-1.4/run", "")
        .entry(EntryType::Directory, "tool-1.4/empty/", 0o755, "", "")
        .end()
}

const RELEASE: [&str; 4] =
    ["l a/link: ../b.c", "- b.c: int b;\\r\\n", "x copy: #!/bin/sh\\n", "x run: #!/bin/sh\\n"];

#[test]
fn a_release_is_listed_without_the_folder_it_is_packed_in() {
    let listing = listed(&release()).unwrap();
    check(&listing, &RELEASE);
    assert_eq!(listing.top_folder.as_deref(), Some(b"tool-1.4".as_slice()));
}

#[test]
fn compressed_archives_are_read() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&release()).unwrap();
    check(&listed(&gzip.finish().unwrap()).unwrap(), &RELEASE);

    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    xz.write_all(&release()).unwrap();
    check(&listed(&xz.finish().unwrap()).unwrap(), &RELEASE);
}

#[test]
fn zip_archives_are_read() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().unix_permissions(0o644);
    zip.add_directory("tool/empty", plain).unwrap();
    zip.start_file("tool/b.c", plain).unwrap();
    zip.write_all("int b;\r\n".repeat(2).as_bytes()).unwrap();
    zip.start_file("tool/run", plain.unix_permissions(0o755)).unwrap();
    zip.write_all(b"#!/bin/sh\n").unwrap();
    zip.add_symlink("tool/a/link", "../b.c", plain).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let expected = ["l a/link: ../b.c", "- b.c: int b;\\r\\nint b;\\r\\n", "x run: #!/bin/sh\\n"];
    let listing = listed(&bytes).unwrap();
    check(&listing, &expected);
    assert_eq!(listing.top_folder.as_deref(), Some(b"tool".as_slice()));
}

#[test]
fn archives_that_git_makes_are_read() {
    if !has_git() {
        return;
    }
    let made = Made::new();
    let long = "a-long-name/".repeat(12) + "file";
    made.write("a.c", "int a;\n").write(&long, "deep").write("run", "").make_executable("run");
    made.commit("first");
    for format in ["tar", "tar.gz", "zip"] {
        let path = made.beside(&format!("release.{format}"));
        let output = format!("--output={}", path.display());
        made.git(["archive", &output, "--prefix=tool/", "HEAD"]);
        check(&list(&path).unwrap(), &[&format!("- {long}: deep"), "- a.c: int a;\\n", "x run: "]);
    }
}

#[test]
fn files_beside_each_other_keep_their_paths() {
    let tape = Tape::default().file("./a/x", "1").file("b", "2").end();
    let listing = listed(&tape).unwrap();
    check(&listing, &["- a/x: 1", "- b: 2"]);
    assert_eq!(listing.top_folder, None);
    check(&listed(&Tape::default().file("alone", "1").end()).unwrap(), &["- alone: 1"]);
}

#[test]
fn of_entries_with_one_name_the_last_counts() {
    let tape = Tape::default()
        .file("t/a", "1")
        .file("t/a", "2")
        .file("t/f", "file")
        .file("t/f/x", "now a folder")
        .file("t/.git/config", "no part of it")
        .end();
    check(&listed(&tape).unwrap(), &["- a: 2", "- f/x: now a folder"]);
}

#[test]
fn nothing_is_written_through_a_link_of_the_archive() {
    let tape = Tape::default()
        .entry(EntryType::Symlink, "t/dir", 0o777, "/tmp", "")
        .file("t/dir/evil", "1")
        .end();
    check(&listed(&tape).unwrap(), &["- dir/evil: 1"]);
}

#[test]
fn entries_that_lead_out_are_refused() {
    for name in ["../evil", "/evil", "a/../../evil", "a//b"] {
        let error = listed(&Tape::default().file("ok", "").file(name, "1").end()).unwrap_err();
        assert!(matches!(error, Error::UnsafePath { .. }), "{name}: {}", chain(&error));
        assert!(error.to_string().ends_with(&format!("must not be written: `{name}`")));
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("../evil", SimpleFileOptions::default()).unwrap();
    let error = listed(&zip.finish().unwrap().into_inner()).unwrap_err();
    assert!(matches!(error, Error::UnsafePath { .. }), "{}", chain(&error));
}

#[test]
fn devices_in_an_archive_are_skipped_and_reported() {
    let tape = Tape::default()
        .file("t/a", "1")
        .entry(EntryType::Fifo, "t/pipe", 0o644, "", "")
        .entry(EntryType::Block, "t/disk", 0o644, "", "")
        .end();
    let listing = listed(&tape).unwrap();
    check(&listing, &["- a: 1"]);
    let skipped: Vec<_> =
        listing.skipped.iter().map(|skipped| (skipped.path.as_slice(), skipped.what)).collect();
    assert_eq!(skipped, [(b"disk".as_slice(), "a device"), (b"pipe".as_slice(), "a pipe")]);
}

#[test]
fn formats_that_cannot_be_read_are_named() {
    let formats: [(&[u8], &str); 3] =
        [(b"BZh91AY", "bzip2"), (b"\x28\xb5\x2f\xfd..", "zstd"), (b"Rar!\x1a\x07", "rar")];
    for (beginning, format) in formats {
        let error = listed(beginning).unwrap_err();
        let expected = format!("is a {format} archive, which cannot be read");
        assert!(error.to_string().ends_with(&expected), "{}", chain(&error));
    }
    let error = listed(b"just a text\n").unwrap_err();
    assert!(error.to_string().ends_with("is neither a folder nor a known kind of archive"));
    assert_eq!(error.hint().unwrap(), "unpack it and give the folder");
}

#[test]
fn a_damaged_archive_is_an_error() {
    let tar = release();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&tar).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a", SimpleFileOptions::default()).unwrap();
    zip.write_all(&[7; 100]).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    let dangling = Tape::default().entry(EntryType::Link, "a", 0o644, "nothing", "").end();
    for bytes in [&tar[..1300], &gzip[..gzip.len() / 2], &zip[..zip.len() / 2], &dangling] {
        let error = listed(bytes).unwrap_err();
        assert!(matches!(error, Error::Archive { .. }), "{}", chain(&error));
    }
}
