//! Writing results.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The mode of files in our own folders: what is debugged may be nobody else's business.
pub(crate) const PRIVATE: u32 = 0o600;

/// Makes a folder of ours, and those above it that are missing, for this user alone.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Writes a file so that it appears whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = folder.join(name);
    // Never more open than it is going to be.
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(mode & 0o600);
    let written = options.open(&part).and_then(|mut opened| {
        opened.write_all(bytes)?;
        opened.set_permissions(fs::Permissions::from_mode(mode))?;
        opened.sync_all()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        // What cannot be written must not be left behind either.
        let _ = fs::remove_file(&part);
    }
    written
}
