//! Entries of tar archives.

use std::borrow::Cow;
use std::io::Read;

use tar::{Archive, Entry, EntryType};
use whodunit_files::{Content, EntryKind};

use super::Unpacking;
use crate::Error;

/// Unpacks a tar archive.
pub(super) fn unpack(source: impl Read, unpacking: &mut Unpacking<'_>) -> Result<(), Error> {
    let mut archive = Archive::new(source);
    for entry in archive.entries().map_err(|error| unpacking.broken(error))? {
        let mut entry = entry.map_err(|error| unpacking.broken(error))?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let Some(path) = unpacking.path(&entry.path_bytes())? else {
            continue;
        };
        match kind {
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                let mode = entry.header().mode().map_err(|error| unpacking.broken(error))?;
                let may_run = mode & 0o100 != 0;
                let kind = if may_run { EntryKind::Executable } else { EntryKind::Regular };
                let content = unpacking.read(&mut entry)?;
                unpacking.gathered.add(path, kind, content);
            }
            EntryType::Symlink => {
                let content = Content::bytes(link_target(&entry, unpacking)?);
                unpacking.gathered.add(path, EntryKind::Link, content);
            }
            EntryType::Link => {
                let (kind, content) = linked_file(&entry, unpacking)?;
                unpacking.gathered.add(path, kind, content);
            }
            EntryType::Char | EntryType::Block => unpacking.gathered.skip(path, "a device"),
            EntryType::Fifo => unpacking.gathered.skip(path, "a pipe"),
            _ => unpacking.gathered.skip(path, "an entry of unknown kind"),
        }
    }
    Ok(())
}

/// Returns the file that a hard link stands for: one earlier in the archive.
fn linked_file(
    entry: &Entry<'_, impl Read>,
    unpacking: &Unpacking<'_>,
) -> Result<(EntryKind, Content), Error> {
    let target = link_target(entry, unpacking)?;
    let path = unpacking.path(&target)?;
    let file = path.and_then(|path| unpacking.gathered.get(&path).cloned());
    file.ok_or_else(|| {
        let target = String::from_utf8_lossy(&target);
        unpacking.broken(format!("a hard link to `{target}` leads nowhere"))
    })
}

fn link_target(entry: &Entry<'_, impl Read>, unpacking: &Unpacking<'_>) -> Result<Vec<u8>, Error> {
    let target = entry.link_name_bytes().map(Cow::into_owned);
    target.ok_or_else(|| unpacking.broken("a link has no target"))
}
