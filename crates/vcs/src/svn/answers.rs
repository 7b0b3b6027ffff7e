//! The client's output, read from its XML: the only file that names the library `roxmltree`.

use roxmltree::{Document, Node};

use crate::{Cause, Time, date};

/// A folder of a repository.
#[derive(Clone, Debug)]
pub(super) struct SvnFolder {
    pub(super) url: String,
    /// The path in the repository, written as in URLs.
    pub(super) path: String,
    /// The repository's UUID.
    pub(super) uuid: String,
    /// The revision that was looked at.
    pub(super) revision: u64,
}

/// A revision in the log.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    pub(super) number: u64,
    pub(super) author: String,
    pub(super) time: Option<Time>,
    pub(super) message: String,
}

/// A file of a checkout.
pub(super) struct Kept {
    pub(super) path: String,
    /// The name of its content: the SHA-1 checksum.
    pub(super) checksum: String,
}

/// Reads the output of `svn info` about one folder.
pub(super) fn place(xml: &[u8]) -> Result<SvnFolder, Cause> {
    with_root(xml, |root| {
        let entry = child(root, "entry")?;
        let repository = child(entry, "repository")?;
        Ok(SvnFolder {
            url: text_of(entry, "url")?,
            path: text_of(entry, "relative-url")?,
            uuid: text_of(repository, "uuid")?,
            revision: attribute(entry, "revision")?.parse()?,
        })
    })
}

/// Reads the files of a checkout from the output of `svn info --recursive`.
pub(super) fn kept(xml: &[u8]) -> Result<Vec<Kept>, Cause> {
    with_root(xml, |root| {
        let entries = root.children().filter(|node| node.has_tag_name("entry"));
        let files = entries.filter(|entry| entry.attribute("kind") == Some("file"));
        let kept = files.map(|entry| {
            let path = attribute(entry, "path")?.to_owned();
            Ok(Kept { path, checksum: text_of(child(entry, "wc-info")?, "checksum")? })
        });
        kept.collect()
    })
}

/// Reads the output of `svn log`, in its order.
pub(super) fn log(xml: &[u8]) -> Result<Vec<Logged>, Cause> {
    with_root(xml, |root| {
        let entries = root.children().filter(|node| node.has_tag_name("logentry"));
        let logged = entries.map(|entry| {
            // Unreadable and missing texts are absent in the output.
            let text = |name| text_of(entry, name).unwrap_or_default();
            Ok(Logged {
                number: attribute(entry, "revision")?.parse()?,
                author: text("author"),
                time: moment(&text("date")),
                message: text("msg"),
            })
        });
        logged.collect()
    })
}

/// Reads a time like `2026-03-01T12:00:00.123456Z`.
fn moment(text: &str) -> Option<Time> {
    let whole = text.split(['.', 'Z']).next()?;
    date::parse(whole).map(|seconds| Time { seconds, offset: 0 })
}

fn with_root<T>(
    xml: &[u8],
    read: impl FnOnce(Node<'_, '_>) -> Result<T, Cause>,
) -> Result<T, Cause> {
    let text = String::from_utf8_lossy(xml);
    let document = Document::parse(&text)?;
    read(document.root_element())
}

fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Result<Node<'a, 'b>, Cause> {
    let found = node.children().find(|child| child.has_tag_name(name));
    found.ok_or_else(|| format!("there is no `{name}`").into())
}

fn text_of(node: Node<'_, '_>, name: &str) -> Result<String, Cause> {
    Ok(child(node, name)?.text().unwrap_or_default().to_owned())
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Cause> {
    node.attribute(name).ok_or_else(|| format!("there is no `{name}`").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_may_have_neither_author_nor_message() {
        let xml = b"<?xml version=\"1.0\"?><log><logentry revision=\"7\"></logentry></log>";
        let [logged] = &log(xml).unwrap()[..] else { panic!("one revision") };
        assert_eq!((logged.number, logged.author.as_str(), logged.time), (7, "", None));
    }

    #[test]
    fn what_is_cut_off_is_not_understood() {
        for xml in ["", "<log>", "<info></info>", "<info><entry revision=\"x\"/></info>"] {
            assert!(place(xml.as_bytes()).is_err(), "{xml}");
        }
    }
}
