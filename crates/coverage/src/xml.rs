//! XML as a tree: the only file here that names the library `roxmltree`.

use std::str::FromStr;

pub(crate) use roxmltree::Node;
use roxmltree::{Document, ParsingOptions};

use crate::Format;
use crate::error::{Problem, Trouble};

/// Parses XML and reads it from its outermost element.
///
/// Invalid UTF-8 is replaced: reports include outputs of tests, which may hold any bytes.
pub(crate) fn with_root<T>(
    bytes: &[u8],
    read: impl FnOnce(Node<'_, '_>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let text = String::from_utf8_lossy(bytes);
    // Reports of JaCoCo name a document type, which is not fetched.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options)
        .map_err(|error| Trouble::broken(Format::Xml, error.pos().row.into(), error.to_string()))?;
    read(document.root_element())
}

/// Returns a required attribute.
pub(crate) fn attribute<'a>(
    node: Node<'a, '_>,
    name: &str,
    format: Format,
) -> Result<&'a str, Trouble> {
    node.attribute(name).ok_or_else(|| {
        let tag = node.tag_name().name();
        broken(node, format, format!("`{tag}` has no `{name}`"))
    })
}

/// Returns a required attribute that is a number.
pub(crate) fn number<T: FromStr>(
    node: Node<'_, '_>,
    name: &str,
    format: Format,
) -> Result<T, Trouble> {
    let value = attribute(node, name, format)?;
    value.parse().map_err(|_| broken(node, format, format!("`{value}` is no number for `{name}`")))
}

fn broken(node: Node<'_, '_>, format: Format, problem: String) -> Trouble {
    let place = node.document().text_pos_at(node.range().start);
    Trouble { line: Some(place.row.into()), problem: Problem::Broken { format, problem } }
}
