//! Trees as one line of text.

use whodunit_grammar::arena::{Arena, NodeId};
use whodunit_grammar::cfg::{Cfg, CfgKind, KindOf, Part, Source};

/// Reads a grammar that is known to be good.
pub(crate) fn cfg(grammar: &str, lexical: &str) -> Cfg {
    read(grammar, lexical).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a grammar; an error becomes its text.
pub(crate) fn read(grammar: &str, lexical: &str) -> Result<Cfg, String> {
    let grammar = Source { name: "my.y", bytes: grammar.as_bytes() };
    let lexical = Source { name: "my.lex", bytes: lexical.as_bytes() };
    Cfg::read(grammar, lexical).map_err(|error| error.to_string())
}

/// Draws a tree: `rule(…)`, `list[…]`, an item of several symbols `{…}`, a base `^…`, a separator
/// `,…`, tokens as they are.
pub(crate) fn drawing(cfg: &Cfg, tree: &Arena<CfgKind>) -> String {
    draw(cfg, tree, tree.root())
}

fn draw(cfg: &Cfg, tree: &Arena<CfgKind>, id: NodeId) -> String {
    let kind = tree.node(id).kind;
    let children: Vec<String> = tree.children(id).map(|child| draw(cfg, tree, child)).collect();
    let children = children.join(" ");
    let name = |rule| &cfg.grammar().rule(rule).name;
    let drawn = match kind.of {
        KindOf::Rule(rule) => format!("{}({children})", name(rule)),
        KindOf::List { rule, .. } => format!("{}[{children}]", name(rule)),
        KindOf::Item(_) => format!("{{{children}}}"),
        KindOf::Token(_) => String::from_utf8_lossy(tree.bytes(id)).into_owned(),
    };
    match kind.part {
        Part::Only | Part::Item => drawn,
        Part::Separator => format!(",{drawn}"),
        Part::Base => format!("^{drawn}"),
    }
}

/// Parses a text and compares the tree; the text has to come back as well.
#[track_caller]
pub(crate) fn check(cfg: &Cfg, text: &str, expected: &str) {
    let tree = cfg.parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(drawing(cfg, &tree), expected);
    check_tree(&tree, text.as_bytes());
}

/// Checks that a tree prints its text and that its ranges are nested and apart.
#[track_caller]
pub(crate) fn check_tree<K>(tree: &Arena<K>, text: &[u8]) {
    assert!(tree.print() == text, "the tree prints something else");
    for id in tree.ids() {
        let around = tree.node(id).range.clone();
        let mut last = around.start;
        for child in tree.children(id) {
            let range = tree.node(child).range.clone();
            assert_eq!(tree.node(child).parent, Some(id));
            assert!(last <= range.start && range.start <= range.end && range.end <= around.end);
            last = range.end;
        }
    }
}
