//! Candidates as files.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use whodunit_run::LayOut;

use super::candidate::{Input, InputCandidate};

/// Up to this many pieces of a file are written one by one; more are first copied into a buffer.
/// Chosen by hand.
const MAX_SINGLE_WRITES: usize = 4;

impl LayOut for Input {
    fn lay_out(&self, candidate: &InputCandidate, folder: &Path) -> io::Result<()> {
        candidate.visit(|file, pieces| {
            let path = folder.join(&file.name);
            if file.name.parent().is_some_and(|parent| !parent.as_os_str().is_empty()) {
                fs::create_dir_all(path.parent().expect("a joined path has a parent"))?;
            }
            let (opened, before) = open(&path, file.mode | 0o600)?;
            write_pieces(&opened, pieces)?;
            let length: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
            if length < before { opened.set_len(length) } else { Ok(()) }
        })
    }
}

/// Opens a file to be written from its beginning, and returns its length. An existing file is only
/// used if it is a regular one: a test may have put a link in its place.
fn open(path: &Path, mode: u32) -> io::Result<(fs::File, u64)> {
    let mut options = fs::OpenOptions::new();
    options.write(true).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    if let Ok(file) = options.open(path) {
        let found = file.metadata()?;
        if found.is_file() && found.nlink() == 1 && found.mode() & 0o7777 == mode {
            return Ok((file, found.len()));
        }
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    Ok((options.create_new(true).mode(mode).open(path)?, 0))
}

fn write_pieces(mut file: &fs::File, pieces: &[&[u8]]) -> io::Result<()> {
    if pieces.len() <= MAX_SINGLE_WRITES {
        return pieces.iter().try_for_each(|piece| file.write_all(piece));
    }
    // Many small pieces make few large writes.
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    pieces.iter().try_for_each(|piece| writer.write_all(piece))?;
    writer.flush()
}

/// Takes `.` and `..` out of a path, by name alone.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}
