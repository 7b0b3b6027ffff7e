//! A candidate of an input: which pieces of a snapshot are kept.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use whodunit_core::{Delta, DeltaSet};

use super::protect::Protection;
use super::snapshot::{InputFile, Snapshot};
use super::{LayOut, Size, Subject, tokens};
use crate::key::{Key, KeyHasher};

/// Up to this many pieces of a file, writing each is cheaper than copying them together.
const FEW: usize = 4;

/// What one delta of an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Granularity {
    /// A whole file.
    Files,
    /// A line with its line feed.
    Lines,
    /// A word, a run of white space, or one other character.
    Tokens,
    /// A character of UTF-8 text, a byte of anything else.
    Bytes,
}

/// A snapshot cut into deltas.
#[derive(Debug)]
pub struct Rung {
    base: Arc<Snapshot>,
    granularity: Granularity,
    /// The addresses of each delta, ascending. What lies between them is always kept.
    deltas: Vec<Range<u64>>,
    /// The deltas that do not begin where the one before ends.
    breaks: Vec<u32>,
    /// Which delta is which file, at the granularity of files.
    files: Vec<Option<Delta>>,
}

impl Rung {
    /// Cuts `base` into deltas; what `protection` covers belongs to none.
    pub fn cut(base: Arc<Snapshot>, granularity: Granularity, protection: &Protection) -> Self {
        let mut deltas = Vec::new();
        let mut files = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            let start = base.addresses(index).start;
            let shields = protection.shields(&file.bytes);
            let mut found = |range: Range<usize>| {
                shields.outside(range, |free| {
                    deltas.push(start + free.start as u64..start + free.end as u64);
                });
            };
            match granularity {
                Granularity::Files if shields.is_empty() => {
                    files.push(Some(Delta(deltas.len() as u32)));
                    deltas.push(base.addresses(index));
                }
                Granularity::Files => files.push(None),
                Granularity::Lines if tokens::is_binary(&file.bytes) => {}
                Granularity::Tokens if tokens::is_binary(&file.bytes) => {}
                Granularity::Lines => tokens::lines(&file.bytes, found),
                Granularity::Tokens => tokens::tokens(&file.bytes, found),
                Granularity::Bytes => tokens::characters(&file.bytes, &mut found),
            }
        }
        let breaks = (1..deltas.len())
            .filter(|&index| deltas[index - 1].end != deltas[index].start)
            .map(|index| index as u32)
            .collect();
        Rung { base, granularity, deltas, breaks, files }
    }

    /// Returns what is cut.
    pub fn base(&self) -> &Arc<Snapshot> {
        &self.base
    }

    /// Returns what one delta is.
    pub fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Returns the addresses of the deltas.
    pub fn deltas(&self) -> &[Range<u64>] {
        &self.deltas
    }

    /// Returns the address ranges that are gone when only `kept` is kept.
    fn gaps(&self, kept: &DeltaSet) -> Vec<Range<u64>> {
        let mut gaps: Vec<Range<u64>> = Vec::new();
        for run in DeltaSet::full(self.deltas.len()).minus(kept).runs() {
            let first = self.breaks.partition_point(|&at| at <= run.start);
            let last = self.breaks.partition_point(|&at| at < run.end);
            let inner = &self.breaks[first..last.max(first)];
            let starts = std::iter::once(run.start).chain(inner.iter().copied());
            let ends = inner.iter().copied().chain(std::iter::once(run.end));
            for (start, end) in starts.zip(ends) {
                let gap = self.deltas[start as usize].start..self.deltas[end as usize - 1].end;
                gaps.push(gap);
            }
        }
        gaps
    }
}

/// Some deltas of a rung: a state of the input.
#[derive(Clone, Debug)]
pub struct InputCandidate {
    rung: Arc<Rung>,
    kept: DeltaSet,
}

impl InputCandidate {
    /// Keeps `kept` of `rung`.
    pub fn new(rung: Arc<Rung>, kept: DeltaSet) -> Self {
        InputCandidate { rung, kept }
    }

    /// Keeps everything of `base`.
    pub fn whole(base: Arc<Snapshot>) -> Self {
        let rung = Rung {
            base,
            granularity: Granularity::Files,
            deltas: vec![],
            breaks: vec![],
            files: vec![],
        };
        InputCandidate { rung: Arc::new(rung), kept: DeltaSet::empty() }
    }

    /// Returns what one delta is.
    pub fn granularity(&self) -> Granularity {
        self.rung.granularity
    }

    /// Returns what it is a part of.
    pub fn rung(&self) -> &Arc<Rung> {
        &self.rung
    }

    /// Makes a snapshot of the candidate. Files that are not touched are shared.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        if self.kept.len() == self.rung.deltas.len() {
            return self.rung.base.clone();
        }
        let mut files = Vec::new();
        self.visit(|file, pieces| {
            let bytes: Arc<[u8]> = match pieces {
                [whole] if whole.len() == file.bytes.len() => file.bytes.clone(),
                pieces => pieces.concat().into(),
            };
            files.push(InputFile { bytes, ..file.clone() });
            Ok(())
        })
        .expect("building a snapshot does no I/O");
        Arc::new(Snapshot::new(files))
    }

    /// Calls `visit` with each file that is left and the pieces left of it.
    fn visit(
        &self,
        mut visit: impl FnMut(&InputFile, &[&[u8]]) -> io::Result<()>,
    ) -> io::Result<()> {
        let base = &self.rung.base;
        let gaps = self.rung.gaps(&self.kept);
        let mut gaps = gaps.iter().peekable();
        let mut pieces = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            if self.drops_file(index) {
                continue;
            }
            let addresses = base.addresses(index);
            let mut at = addresses.start;
            pieces.clear();
            while let Some(gap) = gaps.next_if(|gap| gap.end <= addresses.start) {
                debug_assert!(gap.end <= at);
            }
            while let Some(gap) = gaps.peek() {
                if gap.start >= addresses.end {
                    break;
                }
                if gap.start > at {
                    pieces.push(base.slice(index, at..gap.start));
                }
                at = at.max(gap.end.min(addresses.end));
                if gap.end > addresses.end {
                    break;
                }
                gaps.next();
            }
            if at < addresses.end {
                pieces.push(base.slice(index, at..addresses.end));
            }
            visit(file, &pieces)?;
        }
        Ok(())
    }

    fn drops_file(&self, index: usize) -> bool {
        let delta = self.rung.files.get(index).copied().flatten();
        delta.is_some_and(|delta| !self.kept.contains(delta))
    }
}

/// The subject of `reduce`: its candidates carry everything.
#[derive(Clone, Copy, Debug)]
pub struct Input;

impl Subject for Input {
    type Candidate = InputCandidate;

    fn key(&self, candidate: &InputCandidate) -> Key {
        let mut hasher = KeyHasher::new();
        candidate
            .visit(|file, pieces| {
                use std::os::unix::ffi::OsStrExt;
                let name = file.name.as_os_str().as_bytes();
                let length: usize = pieces.iter().map(|piece| piece.len()).sum();
                hasher.update_delimited(name);
                hasher.update(&(length as u64).to_le_bytes());
                for piece in pieces {
                    hasher.update(piece);
                }
                Ok(())
            })
            .expect("hashing does no I/O");
        hasher.finish()
    }

    fn size(&self, candidate: &InputCandidate) -> Size {
        let gone: u64 =
            candidate.rung.gaps(&candidate.kept).iter().map(|gap| gap.end - gap.start).sum();
        Size { deltas: candidate.kept.len(), bytes: candidate.rung.base.len() - gone }
    }
}

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

/// Opens a file to be written from its beginning, and says how long it is. The one that is there is
/// only taken if it is in order: a test may have put a link in its place.
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
    if pieces.len() <= FEW {
        return pieces.iter().try_for_each(|piece| file.write_all(piece));
    }
    // Many small pieces make few large writes.
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    pieces.iter().try_for_each(|piece| writer.write_all(piece))?;
    writer.flush()
}

/// Writes a snapshot's file so that it appears whole or not at all.
pub(crate) fn write_whole(path: &Path, file: &InputFile) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = folder.join(name);
    let written = fs::File::create(&part).and_then(|mut opened| {
        opened.write_all(&file.bytes)?;
        opened.set_permissions(fs::Permissions::from_mode(file.mode))?;
        opened.sync_all()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        // What cannot be written must not be left behind either.
        let _ = fs::remove_file(&part);
    }
    written
}
