//! Scripts and styles inside HTML, with the languages they are in.

use std::ops::Range;

use crate::language::Language;
use crate::tree::{NodeId, SyntaxTree};

/// A piece of a file in another language than the rest.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// Where it is.
    pub range: Range<usize>,
    /// The language that it is in.
    pub language: Language,
}

/// Finds the scripts and styles in a tree of HTML, in order.
///
/// Scripts and styles of an unknown type, and empty ones, are left out.
pub fn embedded(tree: &SyntaxTree) -> Vec<Embedded> {
    let kind = |id: NodeId| tree.language().kind_name(tree.node(id).kind());
    if tree.language().name() != "html" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for id in tree.ids().filter(|&id| kind(id) == "raw_text") {
        let Some(element) = tree.parent(id) else { continue };
        let tag = tree.children(element).find(|&child| kind(child) == "start_tag");
        let declared = tag.map(|tag| attributes(tree, tag)).unwrap_or_default();
        let name = match kind(element) {
            "script_element" => script(&declared),
            "style_element" => style(&declared),
            _ => None,
        };
        let range = tree.node(id).range();
        if let Some(Ok(language)) = name.map(Language::by_name)
            && !range.is_empty()
        {
            found.push(Embedded { range, language });
        }
    }
    found
}

/// Returns the values of `type` and `lang` in a tag, in small letters.
fn attributes(tree: &SyntaxTree, tag: NodeId) -> Vec<String> {
    let kind = |id: NodeId| tree.language().kind_name(tree.node(id).kind());
    let text = |id: NodeId| String::from_utf8_lossy(tree.text(id)).to_ascii_lowercase();
    let attributes = tree.children(tag).filter(|&child| kind(child) == "attribute");
    let value = |attribute: NodeId| {
        let below = || tree.subtree(attribute);
        let name = below().find(|&id| kind(id) == "attribute_name").map(text)?;
        let value = below().find(|&id| kind(id) == "attribute_value").map(text)?;
        matches!(name.as_str(), "type" | "lang").then_some(value)
    };
    attributes.filter_map(value).collect()
}

/// Returns the language of a script, by its type and by further attributes that some tools
/// write.
fn script(declared: &[String]) -> Option<&'static str> {
    let languages: Option<Vec<&str>> = declared.iter().map(|name| script_language(name)).collect();
    let languages = languages?;
    let is_typescript = languages.contains(&"typescript");
    if is_typescript {
        Some("typescript")
    } else {
        languages.first().copied().or(Some("javascript"))
    }
}

fn script_language(declared: &str) -> Option<&'static str> {
    let essence = declared.split(';').next().unwrap_or_default().trim();
    match essence {
        "" | "module" | "js" | "jsx" | "text/babel" => Some("javascript"),
        "ts" | "typescript" | "text/typescript" | "application/typescript" => Some("typescript"),
        "importmap" | "speculationrules" => Some("json"),
        _ if essence.ends_with("javascript") || essence.ends_with("ecmascript") => {
            Some("javascript")
        }
        _ if essence.ends_with("/json") || essence.ends_with("+json") => Some("json"),
        _ if essence.ends_with("/xml") || essence.ends_with("+xml") => Some("xml"),
        _ => None,
    }
}

fn style(declared: &[String]) -> Option<&'static str> {
    declared.iter().all(|declared| matches!(declared.as_str(), "text/css" | "css")).then_some("css")
}

#[cfg(feature = "default")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let tree = parse(&Language::by_name("html").unwrap(), text.as_bytes());
        let found = embedded(&tree);
        let shown: Vec<(&str, &str)> =
            found.iter().map(|it| (it.language.name(), &text[it.range.clone()])).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn scripts_and_styles_are_found() {
        check(
            "<html><head><style>a { b: c }</style></head><body><script>f(1)</script></body></html>",
            &[("css", "a { b: c }"), ("javascript", "f(1)")],
        );
    }

    #[test]
    fn the_type_says_the_language() {
        check("<script type=\"application/ld+json\">{}</script>", &[("json", "{}")]);
        check("<script type=module async>x</script>", &[("javascript", "x")]);
        check("<script lang='ts'>let x: A</script>", &[("typescript", "let x: A")]);
        check("<script type=module lang=ts>x</script>", &[("typescript", "x")]);
        check("<script type=\"x-shader/x-vertex\">x</script><script></script>", &[]);
        check("<style type=\"text/less\">x</style><p>text</p>", &[]);
    }
}
