//! The definitions that a pointcut matches, by their names.

use std::collections::{HashMap, HashSet};

use whodunit_syntax::definitions::MemberKind;
use whodunit_syntax::words::WordHash;

use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// Named pointcuts followed into one another; a deeper one matches nothing. Chosen by hand.
const MAX_DEPTH: usize = 16;

/// A parsed pointcut.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expression {
    And(Vec<Expression>),
    Or(Vec<Expression>),
    /// An exclusion is ignored: it may depend on anything.
    Not,
    /// A method, a constructor or a field.
    Signature(MethodPattern),
    /// Members of types whose names match this.
    Within(String),
    Named(String),
    /// A condition that is only known at run time: it may match anything.
    Other,
}

/// The pattern of a method, a constructor or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MethodPattern {
    /// The type, empty if it is not given.
    of: String,
    name: String,
    /// The types of the parameters, if it is a method.
    parameters: Option<Vec<String>>,
}

/// Matches pointcuts with the places where their advice is run.
pub(super) struct Matcher<'a> {
    universe: &'a Universe,
    resolver: &'a Resolver<'a>,
    named: HashMap<String, Vec<Id>>,
}

/// The matches of a pointcut.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Matched {
    pub(super) members: HashSet<Id>,
    /// Whether it may be run anywhere.
    pub(super) is_anywhere: bool,
}

impl<'a> Matcher<'a> {
    /// Collects the named pointcuts.
    pub(super) fn of(universe: &'a Universe, resolver: &'a Resolver<'a>) -> Self {
        let mut named: HashMap<String, Vec<Id>> = HashMap::new();
        for id in universe.ids() {
            let member = universe.member(id);
            if member.kind == MemberKind::Pointcut {
                let name = member.key.split(['(', '#']).next().unwrap_or_default();
                named.entry(last(name).to_owned()).or_default().push(id);
            }
        }
        Matcher { universe, resolver, named }
    }

    /// Returns the matches of the pointcut of an advice in a version.
    pub(super) fn matched(&self, advice: Id, version: PresentIn) -> Matched {
        self.matched_by(
            self.universe.member(advice).pointcut.as_deref().unwrap_or_default(),
            version,
        )
    }

    /// Returns the matches of a pointcut in a version.
    pub(super) fn matched_by(&self, text: &str, version: PresentIn) -> Matched {
        let expression = self.expanded(&parse(text), version, 0);
        if !is_bounded(&expression) {
            return Matched { members: HashSet::new(), is_anywhere: true };
        }
        let is_place = |&id: &Id| {
            let kind = self.universe.member(id).kind;
            self.universe.side(id).is_in(version) && (kind.is_callable() || kind.is_variable())
        };
        let members = self.universe.ids().filter(is_place);
        let members = members.filter(|&id| self.matches(&expression, id)).collect();
        Matched { members, is_anywhere: false }
    }

    /// Returns the pointcuts that an advice or pointcut names, in a version.
    pub(super) fn names(&self, id: Id, version: PresentIn) -> Vec<Id> {
        let text = self.universe.member(id).pointcut.as_deref().unwrap_or_default();
        let mut names = Vec::new();
        collect_names(&parse(text), &mut names);
        let known = names.iter().filter_map(|name| self.named.get(last(name))).flatten();
        known.copied().filter(|&id| self.universe.side(id).is_in(version)).collect()
    }

    fn expanded(&self, expression: &Expression, version: PresentIn, depth: usize) -> Expression {
        let all = |parts: &[Expression]| -> Vec<Expression> {
            parts.iter().map(|part| self.expanded(part, version, depth)).collect()
        };
        match expression {
            Expression::And(parts) => Expression::And(all(parts)),
            Expression::Or(parts) => Expression::Or(all(parts)),
            Expression::Named(name) if depth < MAX_DEPTH => {
                let known = self.named.get(last(name)).map_or(&[][..], Vec::as_slice);
                let known = known.iter().filter(|&&id| self.universe.side(id).is_in(version));
                let bodies = known.map(|&id| {
                    let text = self.universe.member(id).pointcut.as_deref().unwrap_or_default();
                    self.expanded(&parse(text), version, depth + 1)
                });
                let bodies: Vec<Expression> = bodies.collect();
                if bodies.is_empty() { Expression::Other } else { Expression::Or(bodies) }
            }
            other => other.clone(),
        }
    }

    fn matches(&self, expression: &Expression, id: Id) -> bool {
        match expression {
            Expression::And(parts) => parts.iter().all(|part| self.matches(part, id)),
            Expression::Or(parts) => parts.iter().any(|part| self.matches(part, id)),
            Expression::Not | Expression::Named(_) | Expression::Other => true,
            Expression::Within(of) => self.is_of(of, id),
            Expression::Signature(signature) => self.has(signature, id),
        }
    }

    fn has(&self, pattern: &MethodPattern, id: Id) -> bool {
        let member = self.universe.member(id);
        let own = member.name.split('(').next().unwrap_or_default();
        let own = last(own);
        let is_method = pattern.parameters.is_some();
        if is_method != member.kind.is_callable() {
            return false;
        }
        let is_named = match member.kind {
            MemberKind::Constructor => pattern.name == "new",
            _ => is_like(&pattern.name, own),
        };
        is_named
            && (pattern.of.is_empty() || self.is_of(&pattern.of, id))
            && pattern.parameters.as_ref().is_none_or(|it| takes(it, &member.name))
    }

    /// Whether the type of a member, or one above it, matches a pattern.
    fn is_of(&self, pattern: &str, id: Id) -> bool {
        let Some(home) = self.resolver.home(id) else { return false };
        let pattern = last(pattern.trim_end_matches('+'));
        if pattern.contains('*') {
            let owner = &self.universe.member(self.universe.owner(id)).name;
            return is_like(pattern, last(owner)) || !self.resolver.all_above(home).is_empty();
        }
        let wanted = WordHash::of(pattern.as_bytes());
        wanted == home || self.resolver.all_above(home).contains(&wanted)
    }
}

/// Whether it restricts the matches to methods, fields or types.
fn is_bounded(expression: &Expression) -> bool {
    match expression {
        Expression::And(parts) => parts.iter().any(is_bounded),
        Expression::Or(parts) => parts.iter().all(is_bounded),
        Expression::Signature(_) | Expression::Within(_) => true,
        Expression::Not | Expression::Named(_) | Expression::Other => false,
    }
}

fn collect_names(expression: &Expression, names: &mut Vec<String>) {
    match expression {
        Expression::And(parts) | Expression::Or(parts) => {
            parts.iter().for_each(|part| collect_names(part, names));
        }
        Expression::Named(name) => names.push(name.clone()),
        _ => {}
    }
}

/// Whether a method of this name takes the parameters of a pattern.
fn takes(pattern: &[String], name: &str) -> bool {
    if pattern.iter().any(|it| it == "..") {
        return true;
    }
    let Some((_, rest)) = name.split_once('(') else { return true };
    let own: Vec<String> = split(rest.trim_end_matches(')'), ",");
    own.len() == pattern.len()
        && own.iter().zip(pattern).all(|(own, pattern)| {
            let bare = |text: &str| {
                let text = text.split('<').next().unwrap_or_default();
                last(text.split_whitespace().last().unwrap_or_default()).to_owned()
            };
            pattern.contains(['*', '+', '@']) || bare(own) == bare(pattern)
                // The name of an introduced method holds the names of its parameters too.
                || own.contains(' ')
        })
}

/// Reads a pointcut.
fn parse(text: &str) -> Expression {
    let text = text.trim().trim_start_matches(':').trim();
    let any = split(text, "||");
    if any.len() > 1 {
        return Expression::Or(any.iter().map(|part| parse(part)).collect());
    }
    let all = split(text, "&&");
    if all.len() > 1 {
        return Expression::And(all.iter().map(|part| parse(part)).collect());
    }
    if text.starts_with('!') {
        return Expression::Not;
    }
    let Some((head, rest)) = text.split_once('(') else { return Expression::Other };
    let inner = rest.trim_end().trim_end_matches(')');
    match head.trim() {
        "" => parse(text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or("")),
        "execution" | "call" | "initialization" | "preinitialization" | "withincode" => {
            signature(rest.trim_end().strip_suffix(')').unwrap_or(rest))
        }
        "get" | "set" => signature(inner),
        "within" => Expression::Within(inner.trim().to_owned()),
        "this"
        | "target"
        | "args"
        | "cflow"
        | "cflowbelow"
        | "if"
        | "handler"
        | "adviceexecution"
        | "staticinitialization" => Expression::Other,
        head if head.starts_with('@') || head.contains(' ') => Expression::Other,
        head => Expression::Named(head.to_owned()),
    }
}

fn signature(text: &str) -> Expression {
    let (head, parameters) = match text.split_once('(') {
        Some((head, rest)) => {
            let inner = rest.split(')').next().unwrap_or_default();
            let all = split(inner, ",").into_iter().filter(|it| !it.is_empty()).collect();
            (head, Some(all))
        }
        None => (text, None),
    };
    let Some(path) = head.split_whitespace().last() else { return Expression::Other };
    let (of, name) = path.rsplit_once('.').unwrap_or(("", path));
    let of = of.trim_end_matches('.');
    Expression::Signature(MethodPattern { of: of.to_owned(), name: name.to_owned(), parameters })
}

/// Splits a text where a sign is outside of brackets.
fn split(text: &str, sign: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0i32;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if depth == 0 && rest.starts_with(sign) {
            parts.push(String::new());
            rest = &rest[sign.len()..];
            continue;
        }
        match first {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(first);
        }
        rest = &rest[first.len_utf8()..];
    }
    if parts.len() == 1 && parts[0].trim().is_empty() {
        return Vec::new();
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

pub(super) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a name matches a pattern with `*`.
pub(super) fn is_like(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&at| rest.is_char_boundary(at))
                .any(|at| is_like(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointcut_is_read_into_its_parts() {
        let of = |of: &str, name: &str, parameters: &[&str]| {
            let parameters = Some(parameters.iter().map(|&it| it.to_owned()).collect());
            Expression::Signature(MethodPattern { of: of.into(), name: name.into(), parameters })
        };
        assert_eq!(
            parse(": execution(public void Account+.debit(double)) && target(a) && args(m)"),
            Expression::And(vec![
                of("Account+", "debit", &["double"]),
                Expression::Other,
                Expression::Other
            ])
        );
        assert_eq!(
            parse("p(x) || !within(A) || (call(* *.set*(..)))"),
            Expression::Or(vec![
                Expression::Named("p".into()),
                Expression::Not,
                of("*", "set*", &[".."])
            ])
        );
    }

    #[test]
    fn stars_stand_for_anything() {
        assert!(is_like("set*", "setX") && is_like("*", "a") && is_like("a*b*", "axxb"));
        assert!(!is_like("set*", "get") && !is_like("a", "ab"));
    }
}
