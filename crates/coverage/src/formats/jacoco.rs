//! XML of JaCoCo: packages, in them source files, in them lines with instructions.

use super::Format;
use crate::error::{FoundText, Problem, Trouble};
use crate::xml::{Node, attribute, number};
use crate::{CoverageFile, Lines};

/// Reads a report, whose packages may be in groups of any depth.
pub(super) fn read(root: Node<'_, '_>) -> Result<CoverageFile, Trouble> {
    let name = root.tag_name().name();
    if name != "report" {
        let seen = format!("XML of `{name}`");
        return Err(Problem::Unknown(FoundText(Some(seen))).into());
    }
    let mut file = CoverageFile::default();
    let sources = root.descendants().filter(|node| node.has_tag_name("sourcefile"));
    for source in sources {
        let package = source.parent_element().and_then(|package| package.attribute("name"));
        let name = attribute(source, "name", Format::JaCoCo)?;
        let path = match package {
            Some(package) if !package.is_empty() => format!("{package}/{name}"),
            _ => name.to_owned(),
        };
        let (mut lines, mut measured) = (Vec::new(), Vec::new());
        for line in source.children().filter(|node| node.has_tag_name("line")) {
            let executed: u64 = number(line, "ci", Format::JaCoCo)?;
            let line: u32 = number(line, "nr", Format::JaCoCo)?;
            measured.push(line);
            if executed > 0 {
                lines.push(line);
            }
        }
        file.outside.add_lines(&path, &lines.into_iter().collect::<Lines>());
        file.outside.add_measured(&path, &measured.into_iter().collect::<Lines>());
    }
    Ok(file)
}
