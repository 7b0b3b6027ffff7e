//! Cases, each in a folder.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Returns the cases in `folder` by name; all cases if no name is given. A case is a folder with
/// the file `mark`; `read` gets its name and the folder.
pub(crate) fn chosen_with<C>(
    folder: &Path,
    mark: &str,
    names: &[String],
    read: impl Fn(String, &Path) -> Result<C, Box<dyn Error>>,
) -> Result<Vec<C>, Box<dyn Error>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<String> = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_wanted = names.is_empty() || names.contains(&name);
        found.extend(Some(name).filter(|_| is_wanted && entry.path().join(mark).exists()));
    }
    if let Some(name) = names.iter().find(|name| !found.contains(name)) {
        return Err(format!("there is no case `{name}` in {}", folder.display()).into());
    }
    found.sort();
    found.into_iter().map(|name| read(name.clone(), &folder.join(name))).collect()
}
