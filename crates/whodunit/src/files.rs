//! Writing the files of results.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Mode of files in the program's own folders: only this user may read them, because the debugged
/// files may be confidential.
pub(crate) const PRIVATE: u32 = 0o600;

/// Creates a folder and its missing parents, with access for this user alone.
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
    // The unfinished file is never more open than the finished one.
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(mode & 0o600);
    let written = options.open(&part).and_then(|mut opened| {
        opened.write_all(bytes)?;
        opened.set_permissions(fs::Permissions::from_mode(mode))?;
        opened.sync_all()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        // A file that could not be written whole is removed.
        let _ = fs::remove_file(&part);
    }
    written
}
