//! Writing results.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The mode of files that are no copy of something.
pub(crate) const PLAIN: u32 = 0o644;

/// Writes a file so that it appears whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = folder.join(name);
    let written = fs::File::create(&part).and_then(|mut opened| {
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
