//! Runs a test so that the interpreter notes which lines it executes.
//!
//! Nothing is put into the candidate's folder, and no argument of the command changes: variables
//! make Python load our modules and Node write its own coverage. Other programs ignore the
//! variables. The notes lie beside the folder of the candidate.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a slot that traces are written to.
const TRACE: &str = "trace";

/// The minor versions of Python 3 for which the user's modules are laid out.
const PYTHONS: std::ops::RangeInclusive<u32> = 6..=20;

/// Bytes of one file of notes; a larger one is not read. Chosen by hand: coverage of a program with a
/// million functions is smaller.
const MAX_NOTE_BYTES: u64 = 256 << 20;

const TRACER: &str = include_str!("trace/tracer.py");
const CUSTOMIZE: &str = include_str!("trace/customize.py");

/// The variables that a trace adds to the environment of a test, and where its notes are written.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    folder: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

impl Trace {
    /// Prepares to trace tests of a candidate that is laid out in `candidate`. `usual` returns the
    /// value of a variable without the trace.
    pub(crate) fn new(
        slot: &Path,
        candidate: &Path,
        usual: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        let folder = slot.join(TRACE);
        let (modules, user, notes) =
            (folder.join("modules"), folder.join("user"), folder.join("notes"));
        let mut path = OsString::from(&modules);
        if let Some(more) = usual("PYTHONPATH").filter(|it| !it.is_empty()) {
            path.push(":");
            path.push(more);
        }
        let variable = |name: &str, value: &OsStr| (OsString::from(name), value.to_owned());
        let mut variables = vec![
            variable("PYTHONPATH", &path),
            variable("PYTHONUSERBASE", user.as_os_str()),
            variable("NODE_V8_COVERAGE", notes.as_os_str()),
            variable("WHODUNIT_TRACE_TOOLS", folder.join("tools").as_os_str()),
            variable("WHODUNIT_TRACE_ROOT", candidate.as_os_str()),
            variable("WHODUNIT_TRACE_OUT", notes.as_os_str()),
        ];
        if let Some(base) = usual("PYTHONUSERBASE") {
            variables.push(variable("WHODUNIT_TRACE_USERBASE", &base));
        }
        Trace { folder, variables }
    }

    pub(crate) fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// Writes the modules that the interpreters load.
    pub(crate) fn lay_out(&self) -> io::Result<()> {
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            fs::write(path, text)
        };
        fs::create_dir_all(self.notes())?;
        write(self.folder.join("tools/whodunit_tracer.py"), TRACER)?;
        write(self.folder.join("modules/sitecustomize.py"), CUSTOMIZE)?;
        for minor in PYTHONS {
            let place = format!("user/lib/python3.{minor}/site-packages/usercustomize.py");
            write(self.folder.join(place), CUSTOMIZE)?;
        }
        Ok(())
    }

    /// Returns the contents of all notes.
    pub(crate) fn read(&self) -> Vec<Vec<u8>> {
        let Ok(entries) = fs::read_dir(self.notes()) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
        paths.sort();
        // A test may have put anything there; only files like those of a tracer are read.
        let is_note = |path: &&PathBuf| {
            fs::symlink_metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MAX_NOTE_BYTES)
        };
        paths.iter().filter(is_note).filter_map(|path| fs::read(path).ok()).collect()
    }

    /// Removes all its files.
    pub(crate) fn remove(&self) -> io::Result<()> {
        crate::scratch::remove(&self.folder)
    }

    fn notes(&self) -> PathBuf {
        self.folder.join("notes")
    }
}
