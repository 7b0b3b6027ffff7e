//! A grammar as data. Tree-sitter's rule descriptions and a user's own grammar are both turned into
//! it.
//!
//! Everything the tool knows about a language is computed from this: the minimal strings
//! ([`minimal`]) and which children a node may lose or exchange ([`shape`]). Rules that decide
//! between readings (precedence, conflicts, field names) are absent on purpose.
//!
//! Nodes of a tree: a visible rule is a named node, an [`Expr::Text`] an unnamed one, an
//! [`Expr::External`] a named one unless its name begins with an underscore, an [`Expr::Alias`] a
//! node of its name. Of a hidden rule only the content shows; a bare [`Expr::Pattern`] or
//! [`Expr::Token`] does not show, so a visible rule with such a body is a leaf.

pub mod arena;
mod automaton;
pub mod cfg;
mod child;
mod gaps;
pub mod joint;
mod kinds;
pub mod minimal;
pub mod notation;
pub mod pattern;
pub mod place;
#[cfg(test)]
mod random;
pub mod shape;

/// A context-free grammar with repetition and options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// Its name.
    pub name: String,
    /// The rules; the first is where a text begins.
    pub rules: Vec<Rule>,
    /// Texts that may stand between any two tokens: white space, comments.
    pub extras: Vec<Expr>,
}

/// A rule of a [`Grammar`], by its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u32);

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Whether it shows as a node of the tree, or only its content does.
    pub visible: bool,
    /// Its definition.
    pub body: Expr,
}

/// The definition of a rule, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Nothing.
    Empty,
    /// Another rule.
    Rule(RuleId),
    /// A token with exactly this text.
    Text(String),
    /// A token that matches this regular expression.
    Pattern(String),
    /// A token that only a scanner written by hand recognises.
    External(String),
    /// A token made of parts, with nothing in between; no rule is named inside.
    Token(Box<Expr>),
    /// A token with nothing between it and the one before.
    Immediate(Box<Expr>),
    /// One after the other.
    Seq(Vec<Expr>),
    /// One of these; of none, no text at all fits.
    Choice(Vec<Expr>),
    /// Any number of times, also none.
    Repeat(Box<Expr>),
    /// Once or more.
    Repeat1(Box<Expr>),
    /// The same under another name in the tree.
    Alias {
        /// Its definition.
        body: Box<Expr>,
        /// Its name.
        name: String,
        /// Whether it shows as a named node.
        named: bool,
    },
}

impl Grammar {
    /// Returns a rule.
    ///
    /// # Panics
    ///
    /// If the rule is of another grammar.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }

    /// Returns the rule of that name; looks at every rule.
    pub fn find(&self, name: &str) -> Option<RuleId> {
        self.ids().find(|id| self.rule(*id).name == name)
    }

    /// Returns the rules by their places, the one where a text begins first.
    pub fn ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len() as u32).map(RuleId)
    }
}

impl Expr {
    /// Returns the parts one after the other, without needless nesting.
    pub fn seq(parts: Vec<Expr>) -> Expr {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Expr::Empty => {}
                Expr::Seq(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            0 => Expr::Empty,
            1 => flat.remove(0),
            _ => Expr::Seq(flat),
        }
    }

    /// Returns a choice between the parts, without needless nesting or repetition.
    pub fn choice(parts: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::with_capacity(parts.len());
        for part in parts {
            let inner = if let Expr::Choice(inner) = part { inner } else { vec![part] };
            for part in inner {
                if !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Expr::Choice(flat) }
    }

    /// Returns the parts directly inside.
    pub fn parts(&self) -> &[Expr] {
        match self {
            Expr::Seq(parts) | Expr::Choice(parts) => parts,
            Expr::Token(body)
            | Expr::Immediate(body)
            | Expr::Repeat(body)
            | Expr::Repeat1(body)
            | Expr::Alias { body, .. } => std::slice::from_ref(body),
            Expr::Empty | Expr::Rule(_) | Expr::Text(_) | Expr::Pattern(_) | Expr::External(_) => {
                &[]
            }
        }
    }
}
