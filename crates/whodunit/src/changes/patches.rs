//! Writes patches to files.

use std::path::Path;

use whodunit_run::Word;

use super::ChangesError;
use crate::answer::{Cause, PatchFiles};
use crate::files::{PRIVATE, create_private_folder, write_whole};

/// Writes the patches of each cause into a folder; the names for the first cause have no number.
pub(super) fn write(causes: &mut [Cause], folder: &Path) -> Result<(), ChangesError> {
    if causes.is_empty() {
        return Ok(());
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ChangesError::Write { path, source }
    };
    create_private_folder(folder).map_err(failed(folder))?;
    for (number, cause) in (1..).zip(causes) {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let put = |name: &str, patch: &Word| -> Result<Word, ChangesError> {
            let path = folder.join(format!("{name}{suffix}.patch"));
            write_whole(&path, patch.as_bytes(), PRIVATE).map_err(failed(&path))?;
            Ok(Word::from(path.into_os_string()))
        };
        let put_if =
            |name: &str, patch: Option<&Word>| patch.map(|patch| put(name, patch)).transpose();
        let has_fix = !cause.fix_patch.as_os_str().is_empty();
        cause.files = Some(PatchFiles {
            culprit: put("culprit", &cause.culprit_patch)?,
            fix: put_if("fix", Some(&cause.fix_patch).filter(|_| has_fix))?,
            beside_culprit: put_if("commit-culprit", cause.beside.culprit_patch.as_ref())?,
            beside_fix: put_if("commit-fix", cause.beside.fix_patch.as_ref())?,
            without_spot: put_if("without-spot", cause.spot.as_ref().map(|it| &it.patch))?,
        });
    }
    Ok(())
}
