//! Writes the result: each file by one rename, a folder by one rename of the whole.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use whodunit_files::regular;
use whodunit_input::{InputFile, ReduceSearch, Snapshot, tidy};
use whodunit_run::{Key, Word};

use super::ReduceError;
use super::folder;
use super::input::{self, Found};
use crate::answer::{Answer, FileAnswer, FolderAnswer};
use crate::files::write_whole;
use crate::settings::{Destination, ReduceSettings};

/// The places where the result is written.
pub(super) struct Targets<'a> {
    settings: &'a ReduceSettings,
    found: &'a Found,
    /// The place for the result of each input.
    paths: Vec<PathBuf>,
    /// The answer of an earlier, interrupted part of this run.
    earlier: Option<Answer>,
    in_place: bool,
}

impl<'a> Targets<'a> {
    /// Chooses the places of the result and makes sure that it can be written there, before any
    /// work is done.
    pub(super) fn choose(
        settings: &'a ReduceSettings,
        found: &'a Found,
        earlier: Option<Answer>,
    ) -> Result<Self, ReduceError> {
        if let Destination::At(place) = &settings.destination {
            let place = at(settings, place);
            // A missing folder is more often a misspelled name than one to create.
            if place.parent().is_some_and(|folder| !folder.exists()) {
                let source = io::ErrorKind::NotFound.into();
                return Err(ReduceError::Write { path: place, source });
            }
        }
        let paths = places(settings, &found.is_folder);
        let in_place = settings.destination == Destination::InPlace;
        let targets = Targets { settings, found, paths, earlier, in_place };
        targets.check()?;
        if settings.search == ReduceSearch::Isolate {
            targets.passing().check()?;
        }
        Ok(targets)
    }

    /// Returns the same targets; or, if an input that would be replaced has changed since it was
    /// read, targets beside the inputs, and that input. The changed file stays as it is.
    pub(super) fn unless_changed(&self) -> Result<(Self, Option<Word>), ReduceError> {
        let (settings, found, earlier) = (self.settings, self.found, self.earlier.clone());
        let changed = self.changed().filter(|_| self.in_place);
        let paths = match changed {
            Some(_) => beside_inputs(settings, &found.is_folder),
            None => self.paths.clone(),
        };
        let in_place = self.in_place && changed.is_none();
        let targets = Targets { settings, found, paths, earlier, in_place };
        if changed.is_some() {
            targets.check()?;
        }
        Ok((targets, changed))
    }

    /// Returns an input file that has changed since it was read.
    fn changed(&self) -> Option<Word> {
        let mut files = self.found.sources.iter().zip(self.found.snapshot.files());
        let is_changed =
            |path: &Path, bytes: &[u8]| regular::read(path).map_or(true, |now| now[..] != *bytes);
        let changed = files.find(|(source, original)| is_changed(&source.path, &original.bytes));
        changed.map(|(source, _)| Word::from(source.path.as_path()))
    }

    /// Returns the targets for an input that passes: beside the result, with `.passing` in its
    /// name.
    pub(super) fn passing(&self) -> Self {
        let inputs = input::paths(self.settings);
        let is_beside = self.settings.destination == Destination::Beside;
        let name = |(place, path): (usize, &PathBuf)| match is_beside {
            true => input::result_name(self.settings, inputs[place].clone()),
            false => path.clone(),
        };
        let is_folder = &self.found.is_folder;
        let paths = self.paths.iter().enumerate();
        let paths = paths.map(|it| beside(&name(it), is_folder[it.0], ".passing")).collect();
        let (settings, found, earlier) = (self.settings, self.found, self.earlier.clone());
        Targets { settings, found, paths, earlier, in_place: false }
    }

    fn check(&self) -> Result<(), ReduceError> {
        let in_place = self.in_place();
        let kept = self.settings.keep_tests.as_ref();
        let kept = kept.map(|folder| tidy(&self.settings.origin.as_path().join(folder.as_path())));
        for path in self.paths.iter().filter(|_| !in_place).chain(&kept) {
            self.check_outside(path)?;
        }
        for (path, is_folder) in self.paths.iter().zip(&self.found.is_folder) {
            match is_folder {
                false if path.is_dir() => {
                    let source = io::ErrorKind::IsADirectory.into();
                    return Err(ReduceError::Write { path: path.clone(), source });
                }
                true if !in_place && !is_free(path) && !self.is_ours(path) => {
                    return Err(ReduceError::Occupied(path.clone()));
                }
                _ => {}
            }
        }
        let mut written: Vec<&Path> = if in_place {
            self.found.sources.iter().map(|source| source.path.as_path()).collect()
        } else {
            self.paths.iter().map(PathBuf::as_path).collect()
        };
        written.dedup_by_key(|path| path.parent());
        written.into_iter().try_for_each(check_writable)
    }

    /// Refuses a result inside the input, because a continued run would read it as input.
    fn check_outside(&self, path: &Path) -> Result<(), ReduceError> {
        let inputs = input::paths(self.settings);
        if inputs.iter().any(|input| is_same(input, path)) {
            return Err(ReduceError::OverInput(path.into()));
        }
        let folders = inputs.iter().zip(&self.found.is_folder).filter(|(_, is_folder)| **is_folder);
        match folders.map(|(input, _)| input).find(|input| path.starts_with(input)) {
            Some(folder) => Err(ReduceError::Inside { path: path.into(), folder: folder.clone() }),
            None => Ok(()),
        }
    }

    /// Returns whether a folder contains only files that this run wrote earlier.
    fn is_ours(&self, folder: &Path) -> bool {
        let Some(earlier) = &self.earlier else { return false };
        let Ok(listing) = folder::list(folder, &[]) else { return false };
        let passing = earlier.isolated.iter().flat_map(|isolated| &isolated.files);
        let written: HashMap<&Path, Key> = earlier
            .files
            .iter()
            .chain(passing)
            .filter_map(|file| Some((file.path.as_ref()?.as_path(), file.key?)))
            .collect();
        let is_known = |name: &PathBuf| {
            let path = folder.join(name);
            let key = regular::read(&path).map(|bytes| Key::of_bytes(&bytes)).ok();
            key.is_some() && key == written.get(path.as_path()).copied()
        };
        listing.left_out.is_empty() && listing.files.iter().all(is_known)
    }

    fn in_place(&self) -> bool {
        self.in_place
    }

    /// Writes the result and returns the place of each file and folder.
    pub(super) fn write(
        &self,
        result: &Snapshot,
    ) -> Result<(Vec<FileAnswer>, Vec<FolderAnswer>), ReduceError> {
        let left: HashMap<&Path, &InputFile> =
            result.files().iter().map(|file| (file.name.as_path(), file)).collect();
        let originals = self.found.snapshot.files();
        let mut answers = Vec::new();
        let mut wanted: Vec<Vec<(&Path, &InputFile)>> = vec![Vec::new(); self.paths.len()];
        for (source, original) in self.found.sources.iter().zip(originals) {
            let target = input::joined(&self.paths[source.input], &source.below);
            let input = self.settings.inputs[source.input].as_path();
            let file = left.get(original.name.as_path()).copied();
            match file {
                Some(file) if !self.found.is_folder[source.input] => write_file(&target, file)?,
                // An unchanged file is not written again.
                Some(file) if self.in_place() && file.bytes == original.bytes => {}
                Some(file) if self.in_place() => write_file(&target, file)?,
                Some(file) => wanted[source.input].push((&source.below, file)),
                None => {}
            }
            answers.push(FileAnswer {
                input: input::joined(input, &source.below).as_path().into(),
                name: original.name.as_path().into(),
                path: file.map(|_| Word::from(target.as_path())),
                key: file.map(|file| Key::of_bytes(&file.bytes)),
                bytes_before: original.bytes.len() as u64,
                bytes: file.map_or(0, |file| file.bytes.len() as u64),
            });
        }
        let mut folders = Vec::new();
        for (place, path) in self.paths.iter().enumerate() {
            if !self.found.is_folder[place] {
                continue;
            }
            if self.in_place() {
                self.delete_dropped(place, &answers)?;
            } else {
                write_folder(path, &wanted[place])?;
            }
            let input = self.settings.inputs[place].clone();
            let of_folder = || {
                let files = self.found.sources.iter().zip(&answers);
                files.filter(|(source, _)| source.input == place)
            };
            folders.push(FolderAnswer {
                input,
                path: path.as_path().into(),
                files_before: of_folder().count() as u64,
                files: of_folder().filter(|(_, file)| file.path.is_some()).count() as u64,
            });
        }
        Ok((answers, folders))
    }

    /// Deletes the files of an input folder that are not needed, and the folders that become empty.
    fn delete_dropped(&self, input: usize, answers: &[FileAnswer]) -> Result<(), ReduceError> {
        let root = &self.paths[input];
        for (source, _) in self
            .found
            .sources
            .iter()
            .zip(answers)
            .filter(|(source, answer)| source.input == input && answer.path.is_none())
        {
            let path = &source.path;
            fs::remove_file(path)
                .map_err(|source| ReduceError::Write { path: path.clone(), source })?;
            let above = path.ancestors().skip(1).take_while(|folder| *folder != root.as_path());
            for folder in above {
                // A folder that is not empty stays.
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Returns the place for the result of each input; `is_folder` says which inputs are folders.
fn places(settings: &ReduceSettings, is_folder: &[bool]) -> Vec<PathBuf> {
    let inputs = input::paths(settings);
    match &settings.destination {
        Destination::InPlace => {
            let inputs = inputs.into_iter().zip(is_folder);
            inputs.map(|(path, folder)| if *folder { path } else { behind_link(path) }).collect()
        }
        Destination::Beside => beside_inputs(settings, is_folder),
        Destination::At(place) => {
            let place = at(settings, place);
            let into_folder = inputs.len() > 1 || !is_folder[0] && place.is_dir();
            match into_folder {
                true => input::names(settings).into_iter().map(|name| place.join(name)).collect(),
                false => vec![place],
            }
        }
    }
}

/// Returns the place that the user asked for, as a path without `.` and `..`.
fn at(settings: &ReduceSettings, place: &Word) -> PathBuf {
    tidy(&settings.origin.as_path().join(place.as_path()))
}

impl ReduceSettings {
    /// Returns the places of the results. An input that does not exist counts as a file.
    pub fn results(&self) -> Vec<PathBuf> {
        let is_folder: Vec<bool> = self.paths().iter().map(|path| path.is_dir()).collect();
        places(self, &is_folder)
    }
}

/// Returns a place beside each input, with `.reduced` in its name.
fn beside_inputs(settings: &ReduceSettings, is_folder: &[bool]) -> Vec<PathBuf> {
    let inputs = input::paths(settings).into_iter().zip(is_folder);
    let place = |(path, is_folder): (PathBuf, &bool)| {
        beside(&input::result_name(settings, path), *is_folder, ".reduced")
    };
    inputs.map(place).collect()
}

/// Returns the target of a link, and any other path unchanged. A rename to the path of a link would
/// replace the link by a file.
fn behind_link(path: PathBuf) -> PathBuf {
    match fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
        true => fs::canonicalize(&path).unwrap_or(path),
        false => path,
    }
}

/// Checks that a file can be written. Missing folders are created later; the nearest existing one
/// is checked.
fn check_writable(path: &Path) -> Result<(), ReduceError> {
    let folder = path.parent().expect("a destination has a folder");
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let probe = there.join(format!(".whodunit-{}.part", std::process::id()));
    fs::File::create(&probe)
        .and_then(|_| fs::remove_file(&probe))
        .map_err(|source| ReduceError::Write { path: path.into(), source })
}

/// Returns whether a folder can be put at a path without replacing anything.
fn is_free(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) => {
            there.is_dir() && fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none())
        }
        Err(_) => true,
    }
}

/// Writes one file of the result by one rename.
fn write_file(path: &Path, file: &InputFile) -> Result<(), ReduceError> {
    let folder = path.parent().expect("a destination has a folder");
    fs::create_dir_all(folder)
        .and_then(|()| write_whole(path, &file.bytes, file.mode))
        .map_err(|source| ReduceError::Write { path: path.into(), source })
}

/// Writes a folder under a temporary name beside its place, and moves it there by one rename.
fn write_folder(path: &Path, files: &[(&Path, &InputFile)]) -> Result<(), ReduceError> {
    let sibling = |ending: &str| {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.{ending}", std::process::id()));
        path.with_file_name(name)
    };
    let (part, old) = (sibling("part"), sibling("old"));
    let put = || {
        fs::create_dir_all(&part)?;
        for (name, file) in files {
            let path = part.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&part))?;
            write_whole(&path, &file.bytes, file.mode)?;
        }
        // The existing folder is empty, or an earlier result of the same run.
        let replaces = !is_free(path);
        if replaces {
            fs::rename(path, &old)?;
        }
        fs::rename(&part, path)?;
        if replaces { fs::remove_dir_all(&old) } else { Ok(()) }
    };
    put().map_err(|source| {
        // A folder that could not be written whole is removed.
        let _ = fs::remove_dir_all(&part);
        ReduceError::Write { path: path.into(), source }
    })
}

/// Inserts a word before the extension of a file, or after the name of a folder.
fn beside(path: &Path, is_folder: bool, word: &str) -> PathBuf {
    let (stem, extension) =
        if is_folder { (path.file_name(), None) } else { (path.file_stem(), path.extension()) };
    let mut name = stem.unwrap_or_default().to_owned();
    name.push(word);
    if let Some(extension) = extension {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Returns whether two paths lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || fs::canonicalize(one)
            .ok()
            .is_some_and(|one| fs::canonicalize(other).is_ok_and(|it| it == one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_beside_their_inputs() {
        let reduced = |path: &str, is_folder| beside(Path::new(path), is_folder, ".reduced");
        assert_eq!(reduced("/a/crash.c", false), Path::new("/a/crash.reduced.c"));
        assert_eq!(reduced("/a/core", false), Path::new("/a/core.reduced"));
        assert_eq!(reduced("/a/.rc", false), Path::new("/a/.rc.reduced"));
        assert_eq!(reduced("/a/v1.2", true), Path::new("/a/v1.2.reduced"));
    }
}
