//! Patches on disk.

use std::fs;
use std::path::Path;

use super::ChangesError;
use super::answer::{Cause, PatchFiles};
use crate::subject::{InputFile, write_whole};
use crate::word::Word;

/// Writes the patches of each cause into a folder; those of the first have no number.
pub(super) fn write(causes: &mut [Cause], folder: &Path) -> Result<(), ChangesError> {
    if causes.is_empty() {
        return Ok(());
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ChangesError::Write { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    for (number, cause) in (1..).zip(causes) {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let put = |name: &str, text: &str| -> Result<Word, ChangesError> {
            let path = folder.join(format!("{name}{suffix}.patch"));
            let file = InputFile { name: path.clone(), bytes: text.as_bytes().into(), mode: 0o644 };
            write_whole(&path, &file).map_err(failed(&path))?;
            Ok(Word::from(path.into_os_string()))
        };
        let culprit = put("culprit", &cause.culprit_patch)?;
        let has_fix = !cause.fix_patch.is_empty();
        let fix = has_fix.then(|| put("fix", &cause.fix_patch)).transpose()?;
        cause.files = Some(PatchFiles { culprit, fix });
    }
    Ok(())
}
