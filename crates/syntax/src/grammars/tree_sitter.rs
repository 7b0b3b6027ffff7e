//! Reads tree-sitter's description of a grammar, `grammar.json`.
//!
//! Rules that only decide between readings or name places (precedence, conflicts, fields, reserved
//! words) are dropped. The others are turned into the nodes that show in a tree, by the generator's
//! own laws: an alias reaches the symbols inside it, supertypes and inlined rules are hidden, a
//! pattern without a name is hidden, and a rule that is nothing but a text which occurs nowhere
//! else is a leaf, while one whose text occurs elsewhere too has that text as a child.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use whodunit_grammar::{Expr, Grammar, Rule, RuleId};

/// Why a description is not a grammar.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not a description of a grammar at all; the cause says where.
    #[error("not a description of a tree-sitter grammar")]
    Json(#[from] serde_json::Error),
    /// There is nothing to begin with.
    #[error("the grammar `{name}` has no rules")]
    NoRules {
        /// The name of the grammar.
        name: String,
    },
    /// A rule names something that is not there.
    #[error("the rule `{rule}` names `{symbol}`, which is neither a rule nor an external token")]
    UnknownSymbol {
        /// The rule.
        rule: String,
        /// The symbol that it names.
        symbol: String,
    },
    /// A token names a rule; a token is made of texts and patterns only.
    #[error("a token of the rule `{rule}` names `{symbol}`, but tokens cannot hold rules")]
    SymbolInToken {
        /// The rule.
        rule: String,
        /// The symbol of its token.
        symbol: String,
    },
}

/// Reads a description.
pub fn read(json: &str) -> Result<Grammar, ReadError> {
    let description: Description = serde_json::from_str(json)?;
    if description.rules.is_empty() {
        return Err(ReadError::NoRules { name: description.name });
    }
    Reader::new(&description).grammar()
}

#[derive(Deserialize)]
struct Description {
    name: String,
    #[serde(deserialize_with = "in_order")]
    rules: Vec<(String, Json)>,
    /// White space, if absent.
    extras: Option<Vec<Json>>,
    #[serde(default)]
    externals: Vec<Json>,
    #[serde(default)]
    inline: Vec<String>,
    #[serde(default)]
    supertypes: Vec<String>,
}

/// An expression as tree-sitter writes it; the values of precedences are not read.
#[derive(Deserialize, PartialEq, Eq, Hash)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Json {
    Blank,
    Symbol { name: String },
    String { value: String },
    Pattern { value: String, flags: Option<String> },
    Seq { members: Vec<Json> },
    Choice { members: Vec<Json> },
    Repeat { content: Box<Json> },
    Repeat1 { content: Box<Json> },
    Token { content: Box<Json> },
    ImmediateToken { content: Box<Json> },
    Alias { content: Box<Json>, value: String, named: bool },
    Field { content: Box<Json> },
    Prec { content: Box<Json> },
    PrecLeft { content: Box<Json> },
    PrecRight { content: Box<Json> },
    PrecDynamic { content: Box<Json> },
    Reserved { content: Box<Json> },
}

/// Reads the members of an object in the order in which they stand: the first rule is the start.
fn in_order<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Json)>, D::Error> {
    struct InOrder;
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, Json)>;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("an object with the rules")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut rules = Vec::new();
            while let Some(rule) = map.next_entry()? {
                rules.push(rule);
            }
            Ok(rules)
        }
    }
    from.deserialize_map(InOrder)
}

impl Json {
    /// Returns what is inside of wrappers that leave no trace in a tree.
    fn unwrapped(&self) -> &Json {
        match self {
            Json::Prec { content }
            | Json::PrecLeft { content }
            | Json::PrecRight { content }
            | Json::PrecDynamic { content }
            | Json::Field { content }
            | Json::Reserved { content } => content.unwrapped(),
            json => json,
        }
    }

    /// Returns the token as which this is counted, if it is one.
    fn token(&self) -> Option<&Json> {
        match self {
            Json::Token { content } if !matches!(**content, Json::Prec { .. }) => Some(content),
            Json::String { .. }
            | Json::Pattern { .. }
            | Json::Token { .. }
            | Json::ImmediateToken { .. } => Some(self),
            _ => None,
        }
    }

    fn members(&self) -> &[Json] {
        match self {
            Json::Seq { members } | Json::Choice { members } => members,
            Json::Repeat { content } | Json::Repeat1 { content } | Json::Alias { content, .. } => {
                std::slice::from_ref(content)
            }
            _ => &[],
        }
    }
}

/// The name that symbols are given by an alias around them.
#[derive(Clone, Copy)]
struct Alias<'a> {
    name: &'a str,
    named: bool,
}

impl Alias<'_> {
    fn around(alias: Option<Self>, body: Expr) -> Expr {
        match alias {
            None => body,
            Some(Alias { name, named }) => {
                Expr::Alias { body: Box::new(body), name: name.to_owned(), named }
            }
        }
    }
}

struct Reader<'a> {
    description: &'a Description,
    ids: HashMap<&'a str, RuleId>,
    externals: HashSet<&'a str>,
    inlined: HashSet<&'a str>,
    supertypes: HashSet<&'a str>,
    /// How often each token occurs.
    uses: HashMap<&'a Json, usize>,
    /// The inlined rules whose bodies are being read under an alias.
    open: Vec<&'a str>,
    /// The rule being read, for messages.
    rule: &'a str,
}

impl<'a> Reader<'a> {
    fn new(description: &'a Description) -> Self {
        let ids = description.rules.iter().enumerate();
        let ids = ids.map(|(place, (name, _))| (name.as_str(), RuleId(place as u32))).collect();
        let externals = description.externals.iter().filter_map(|external| match external {
            Json::Symbol { name } => Some(name.as_str()),
            _ => None,
        });
        let mut reader = Reader {
            description,
            ids,
            externals: externals.collect(),
            inlined: description.inline.iter().map(String::as_str).collect(),
            supertypes: description.supertypes.iter().map(String::as_str).collect(),
            uses: HashMap::new(),
            open: Vec::new(),
            rule: "extras",
        };
        let bodies = description.rules.iter().map(|(_, body)| body);
        for body in bodies.chain(&description.externals) {
            reader.count(body);
        }
        reader
    }

    fn count(&mut self, json: &'a Json) {
        let json = json.unwrapped();
        if let Some(token) = json.token() {
            *self.uses.entry(token).or_default() += 1;
        }
        for member in json.members() {
            self.count(member);
        }
    }

    fn grammar(mut self) -> Result<Grammar, ReadError> {
        let mut rules = Vec::with_capacity(self.description.rules.len());
        for (place, (name, body)) in self.description.rules.iter().enumerate() {
            self.rule = name;
            let visible = !name.starts_with('_')
                && !self.supertypes.contains(name.as_str())
                && !self.inlined.contains(name.as_str());
            let once = body.token().is_some_and(|token| self.uses[token] == 1);
            let read = self.read(body, None)?;
            let body = if visible && once && place > 0 { leaf(read) } else { read };
            rules.push(Rule { name: name.clone(), visible, body });
        }
        self.rule = "extras";
        let extras = match &self.description.extras {
            Some(extras) => {
                extras.iter().map(|extra| self.read(extra, None)).collect::<Result<_, _>>()?
            }
            None => vec![Expr::Pattern(r"\s".to_owned())],
        };
        Ok(Grammar { name: self.description.name.clone(), rules, extras })
    }

    fn read(&mut self, json: &'a Json, alias: Option<Alias<'a>>) -> Result<Expr, ReadError> {
        Ok(match json.unwrapped() {
            Json::Blank => Expr::Empty,
            Json::Seq { members } => Expr::seq(self.read_all(members, alias)?),
            Json::Choice { members } => Expr::choice(self.read_all(members, alias)?),
            Json::Repeat { content } => {
                Alias::around(alias, Expr::Repeat(Box::new(self.read(content, None)?)))
            }
            Json::Repeat1 { content } => {
                Alias::around(alias, Expr::Repeat1(Box::new(self.read(content, None)?)))
            }
            Json::Alias { content, value, named } => {
                self.read(content, Some(Alias { name: value, named: *named }))?
            }
            Json::Symbol { name } => self.read_symbol(name, alias)?,
            token => Alias::around(alias, self.read_token(token)?),
        })
    }

    fn read_all(
        &mut self,
        members: &'a [Json],
        alias: Option<Alias<'a>>,
    ) -> Result<Vec<Expr>, ReadError> {
        members.iter().map(|member| self.read(member, alias)).collect()
    }

    fn read_symbol(&mut self, name: &'a str, alias: Option<Alias<'a>>) -> Result<Expr, ReadError> {
        let symbol = match self.ids.get(name) {
            Some(id) => {
                let inlined = alias.is_some() && self.inlined.contains(name);
                if inlined && !self.open.contains(&name) {
                    self.open.push(name);
                    let body = &self.description.rules[id.0 as usize].1;
                    let read = self.read(body, alias);
                    self.open.pop();
                    return read;
                }
                Expr::Rule(*id)
            }
            None if self.externals.contains(name) => Expr::External(name.to_owned()),
            None => {
                let (rule, symbol) = (self.rule.to_owned(), name.to_owned());
                return Err(ReadError::UnknownSymbol { rule, symbol });
            }
        };
        Ok(Alias::around(alias, symbol))
    }

    /// Reads a token where one stands in a rule.
    fn read_token(&self, json: &Json) -> Result<Expr, ReadError> {
        let content = match json {
            Json::Token { content } | Json::ImmediateToken { content } => content.unwrapped(),
            json => json,
        };
        let body = self.read_inside_token(content)?;
        let body = match content {
            Json::String { .. } | Json::Pattern { .. } => body,
            _ => Expr::Token(Box::new(body)),
        };
        Ok(match json {
            Json::ImmediateToken { .. } => Expr::Immediate(Box::new(body)),
            _ => body,
        })
    }

    fn read_inside_token(&self, json: &Json) -> Result<Expr, ReadError> {
        let all = |members: &[Json]| -> Result<Vec<Expr>, ReadError> {
            members.iter().map(|member| self.read_inside_token(member)).collect()
        };
        Ok(match json.unwrapped() {
            Json::Blank => Expr::Empty,
            Json::String { value } => Expr::Text(value.clone()),
            Json::Pattern { value, flags } => Expr::Pattern(pattern(value, flags.as_deref())),
            Json::Seq { members } => Expr::seq(all(members)?),
            Json::Choice { members } => Expr::choice(all(members)?),
            Json::Repeat { content } => Expr::Repeat(Box::new(self.read_inside_token(content)?)),
            Json::Repeat1 { content } => Expr::Repeat1(Box::new(self.read_inside_token(content)?)),
            Json::Symbol { name } => {
                let (rule, symbol) = (self.rule.to_owned(), name.clone());
                return Err(ReadError::SymbolInToken { rule, symbol });
            }
            Json::Token { content } | Json::ImmediateToken { content } => {
                self.read_inside_token(content)?
            }
            Json::Alias { content, .. } => self.read_inside_token(content)?,
            Json::Field { content }
            | Json::Prec { content }
            | Json::PrecLeft { content }
            | Json::PrecRight { content }
            | Json::PrecDynamic { content }
            | Json::Reserved { content } => self.read_inside_token(content)?,
        })
    }
}

/// Returns a token of which no part shows as a child.
fn leaf(token: Expr) -> Expr {
    match token {
        Expr::Text(_) => Expr::Token(Box::new(token)),
        Expr::Immediate(body) => Expr::Immediate(Box::new(leaf(*body))),
        token => token,
    }
}

/// Returns the expression with its flags inside; `\/` is how JavaScript writes a slash.
fn pattern(value: &str, flags: Option<&str>) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match (character, characters.clone().next()) {
            ('\\', Some('/')) => {}
            ('\\', Some(escaped)) => {
                characters.next();
                plain.extend(['\\', escaped]);
            }
            _ => plain.push(character),
        }
    }
    match flags {
        Some(flags) if flags.contains('i') => format!("(?i){plain}"),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the grammar that is made of rules, and of the members around them if given.
    fn check(rules: &str, around: &str, expected: &str) {
        let json = format!(r#"{{"name": "g", "rules": {{{rules}}} {around}}}"#);
        let expected: Vec<&str> = expected.lines().map(str::trim).collect();
        assert_eq!(read(&json).unwrap().to_string().trim(), expected.join("\n").trim());
    }

    #[test]
    fn every_kind_of_expression_is_read() {
        check(
            r#""file": {"type": "REPEAT", "content": {"type": "CHOICE", "members": [
                {"type": "FIELD", "name": "f", "content": {"type": "SYMBOL", "name": "_pair"}},
                {"type": "RESERVED", "context_name": "c", "content":
                    {"type": "REPEAT1", "content": {"type": "STRING", "value": ";"}}}]}},
               "_pair": {"type": "PREC_LEFT", "value": 1, "content": {"type": "SEQ", "members": [
                {"type": "SYMBOL", "name": "word"},
                {"type": "IMMEDIATE_TOKEN", "content": {"type": "STRING", "value": "="}},
                {"type": "SYMBOL", "name": "_value"},
                {"type": "CHOICE", "members": [
                    {"type": "SYMBOL", "name": "text"}, {"type": "BLANK"}]}]}},
               "word": {"type": "PATTERN", "value": "[a-z\\/]+", "flags": "i"},
               "text": {"type": "TOKEN", "content": {"type": "PREC", "value": "p", "content":
                {"type": "SEQ", "members": [
                    {"type": "STRING", "value": "'"}, {"type": "PATTERN", "value": "[^']*"}]}}}"#,
            r#", "externals": [{"type": "SYMBOL", "name": "_value"}],
               "extras": [{"type": "PATTERN", "value": "\\s"}]"#,
            r#"grammar g
               extras /\s/
               file = (_pair | ";"+)*
               _pair ~ word !"=" $_value text?
               word = /(?i)[a-z\/]+/
               text = {"'" /[^']*/}"#,
        );
    }

    #[test]
    fn a_choice_of_nothing_is_read_as_such() {
        check(
            r#""file": {"type": "CHOICE", "members": []}"#,
            "",
            "grammar g\nextras /\\s/\nfile = (|)",
        );
    }

    #[test]
    fn supertypes_and_inlined_rules_are_hidden() {
        let symbol = |name: &str| format!(r#"{{"type": "SYMBOL", "name": "{name}"}}"#);
        let rules = format!(
            r#""file": {}, "expression": {}, "part": {}, "x": {}"#,
            symbol("expression"),
            symbol("part"),
            symbol("x"),
            r#"{"type": "PATTERN", "value": "x"}"#
        );
        check(
            &rules,
            r#", "supertypes": ["expression"], "inline": ["part"]"#,
            "grammar g\nextras /\\s/\nfile = expression\nexpression ~ part\npart ~ x\nx = /x/",
        );
    }

    #[test]
    fn an_alias_reaches_each_symbol_inside_and_through_inlined_rules() {
        check(
            r#""file": {"type": "ALIAS", "named": true, "value": "y", "content":
                {"type": "SEQ", "members": [
                    {"type": "SYMBOL", "name": "_both"}, {"type": "STRING", "value": "s"},
                    {"type": "REPEAT", "content": {"type": "STRING", "value": "t"}},
                    {"type": "ALIAS", "named": false, "value": "z", "content":
                        {"type": "STRING", "value": "u"}}]}},
               "_both": {"type": "CHOICE", "members": [
                    {"type": "STRING", "value": "a"}, {"type": "STRING", "value": "b"}]}"#,
            r#", "inline": ["_both"]"#,
            r#"grammar g
               extras /\s/
               file = ("a":y | "b":y) "s":y "t"*:y "u":"z"
               _both ~ "a" | "b""#,
        );
    }

    #[test]
    fn a_rule_that_is_a_text_is_a_leaf_only_if_the_text_is_nowhere_else() {
        check(
            r#""file": {"type": "SEQ", "members": [
                    {"type": "SYMBOL", "name": "this"}, {"type": "SYMBOL", "name": "that"},
                    {"type": "STRING", "value": "that"}]},
               "this": {"type": "STRING", "value": "this"},
               "that": {"type": "STRING", "value": "that"}"#,
            "",
            r#"grammar g
               extras /\s/
               file = this that "that"
               this = {"this"}
               that = "that""#,
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |json: &str| read(json).unwrap_err().to_string();
        assert_eq!(
            error(r#"{"name": "g", "rules": {"a": {"type": "SYMBOL", "name": "b"}}}"#),
            "the rule `a` names `b`, which is neither a rule nor an external token"
        );
        assert_eq!(error(r#"{"name": "g", "rules": {}}"#), "the grammar `g` has no rules");
        assert_eq!(
            error(
                r#"{"name": "g", "rules": {"a": {"type": "TOKEN", "content":
                    {"type": "SYMBOL", "name": "a"}}}}"#
            ),
            "a token of the rule `a` names `a`, but tokens cannot hold rules"
        );
        assert_eq!(error("[]"), "not a description of a tree-sitter grammar");
    }
}
