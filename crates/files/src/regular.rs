//! Opens files that others may have put there: regular files only.
//!
//! Opening a pipe waits for a writer, a device may never end, and opening some devices has an
//! effect. So this module looks before it opens, opens without waiting, and looks again at the
//! opened file, which can no longer be exchanged. The tidy test ensures that no other module of
//! the crates below `crates/` opens a file for reading, except where the file is our own.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Bytes of a file that is read whole; a larger one is an error before anything is read of it.
/// Addresses in an input have 32 bits where its structure is known, and a file of this size takes
/// several times as much memory to work with.
pub const MAX_BYTES: u64 = 4 << 30;

/// Opens a regular file for reading, also through symbolic links. Never waits: a pipe, a socket, a
/// device or a folder is an error of the kind [`InvalidInput`](io::ErrorKind::InvalidInput).
pub fn open(path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?)?;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most [`MAX_BYTES`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, MAX_BYTES)
}

/// Reads a regular file of at most [`MAX_BYTES`] that holds UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let bytes = read(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads a regular file of at most `most` bytes; if it grows meanwhile, the rest is not read.
fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let too_large = || {
        let said = format!("it has more than {most} bytes, which are too many to be read");
        io::Error::new(io::ErrorKind::FileTooLarge, said)
    };
    if length > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).map_err(|_| too_large())?)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

fn check(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_pipe_a_socket_a_device_and_a_folder_are_errors_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, socket, link] = ["pipe", "socket", "link"].map(|name| folder.path().join(name));
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let _listener = UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink("pipe", &link).unwrap();
        let device = Path::new("/dev/zero");
        for path in [&pipe, &socket, &link, device, folder.path()] {
            let error = read(path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{}", path.display());
            assert_eq!(error.to_string(), "it is not a regular file");
        }
        assert_eq!(read(&folder.path().join("no")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_beyond_the_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_up_to(&path, 5).unwrap(), b"12345");
        let error = read_up_to(&path, 4).unwrap_err();
        assert!(error.to_string().contains("more than 4 bytes"), "{error}");
        // A file full of holes takes no place on the disk.
        File::options().write(true).open(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn text_is_utf_8() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "é").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "é");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_to_string(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
