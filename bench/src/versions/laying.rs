//! The time to lay out a candidate over another one.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whodunit_exec::process::{Launcher, Settings};
use whodunit_exec::scratch::Scratch;
use whodunit_exec::warm::{Between, Warm, WarmSettings};
use whodunit_exec::{Command, Oracle};
use whodunit_jobs::core::DeltaSet;
use whodunit_jobs::versions;
use whodunit_jobs::versions::{
    Content, Decomposition, Entry, EntryKind, Level, TreePath, Version, decompose,
};
use whodunit_run::Key;
use whodunit_run::{FileChange, LayOutOver, Limits, Observe as _, Size, Subject, Ticket, TreeFile};

use super::generate::{File, Versions};
use crate::cpu;

/// The number of files in which two candidates differ.
const OTHER_FILES: usize = 20;
const ROUNDS: usize = 40;

/// Milliseconds for one candidate.
pub(super) struct LaidOut {
    pub(super) wall: f64,
    pub(super) processor: f64,
}

/// Lays out one candidate after the other, each with an empty test. The median counts, so that
/// other load on the machine matters little.
pub(super) fn measure(versions: &Versions) -> Result<LaidOut, Box<dyn Error>> {
    let parts = decompose(
        &version(versions, |it| &it.good),
        &version(versions, |it| &it.bad),
        Level::Line,
    )?;
    let scratch = Scratch::create(&["/dev/shm".into(), std::env::temp_dir()], 0)?;
    let slot = scratch.slot(0)?;
    let launcher = Launcher::start(&Settings {
        program: "/proc/self/exe".into(),
        scratch: slot.folder().into(),
        sandbox: None,
        file_size: None,
    })?;
    let limits =
        Limits { time: Duration::from_secs(60), memory: None, output: 1 << 20, processes: 100 };
    let oracle = Oracle {
        gates: vec![],
        configure: None,
        build: None,
        command: Command::shell_in_tree("true", &std::env::var_os("PATH").unwrap_or_default())?,
        limits: limits.into(),
        derived_time: false,
        variables: vec![],
        confined: false,
    };
    let settings = WarmSettings { between: Between::Keep, hint: None, build_cache: None };
    let mut worker = Warm::new(Trees { parts: &parts }, launcher, slot, settings, oracle);
    worker.observe(Ticket::next(), &DeltaSet::empty())?;
    let (mut walls, mut processors) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let files = round * OTHER_FILES..(round + 1) * OTHER_FILES;
        // The files of the last round are restored, those of this one are changed: half of each.
        let half = files.start.saturating_sub(OTHER_FILES / 2)..files.end - OTHER_FILES / 2;
        let candidate = half
            .map(|file| parts.deltas_of_file(file).clone())
            .fold(DeltaSet::empty(), |all, deltas| all.union(&deltas));
        let (start, processor) = (Instant::now(), cpu::of_thread());
        worker.observe(Ticket::next(), &candidate)?;
        walls.push(start.elapsed());
        processors.push(cpu::of_thread() - processor);
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1000.0
    };
    Ok(LaidOut { wall: median(walls), processor: median(processors) })
}

fn version(versions: &Versions, text: fn(&File) -> &String) -> Version {
    let mut version = Version::new();
    for file in &versions.files {
        let content = Content::bytes(text(file).as_bytes());
        version.insert(TreePath::new(&file.path), Entry { kind: EntryKind::Regular, content });
    }
    version
}

/// The candidates between two versions, all of them of plain files.
struct Trees<'a> {
    parts: &'a Decomposition,
}

impl Subject for Trees<'_> {
    type Candidate = DeltaSet;

    fn key(&self, _candidate: &DeltaSet) -> Key {
        Key::of_bytes(b"not asked for")
    }

    fn size(&self, candidate: &DeltaSet) -> Size {
        Size { deltas: candidate.len(), bytes: 0 }
    }
}

impl LayOutOver for Trees<'_> {
    fn each_file(
        &self,
        candidate: &DeltaSet,
        found: &mut dyn FnMut(TreeFile) -> io::Result<()>,
    ) -> io::Result<()> {
        let version = self.parts.version(candidate);
        version.entries().try_for_each(|(path, entry)| found(plain(path, &entry.content)?))
    }

    fn file(&self, candidate: &DeltaSet, path: &[u8]) -> io::Result<Option<TreeFile>> {
        let (version, path) = (self.parts.version(candidate), TreePath::new(path));
        version.get(&path).map(|entry| plain(&path, &entry.content)).transpose()
    }

    fn differences(&self, from: &DeltaSet, to: &DeltaSet) -> io::Result<Vec<FileChange>> {
        let versions::Differences { write, .. } = self.parts.differences(from, to);
        let written = write.into_iter();
        written.map(|it| Ok(FileChange::Write(plain(&it.path, &it.content)?))).collect()
    }
}

fn plain(path: &TreePath, content: &Content) -> io::Result<TreeFile> {
    let bytes: Arc<[u8]> = content.read()?;
    Ok(TreeFile { path: path.as_bytes().into(), kind: EntryKind::Regular, bytes })
}
