//! The effects of the declarations of aspects: softened exceptions (`declare soft`), parents
//! (`declare parents`), and the order of aspects (`declare precedence`).
//!
//! The paper counts these changes and calls none of them responsible by itself. Here a declaration
//! is reached like advice: a test that reaches something that the declaration affects can depend
//! on it.

use std::collections::{BTreeMap, BTreeSet};

use whodunit_syntax::definitions::MemberKind;
use whodunit_syntax::words::WordHash;

use super::dispatch::Advised;
use super::pointcut::{Matcher, is_like, last};
use super::resolve::Resolver;
use super::universe::{Id, PresentIn, Universe};

/// Adds declarations to the definitions that they affect.
pub(super) fn add(universe: &Universe, resolver: &Resolver<'_>, advised: &mut Advised) {
    let of = |kind| universe.ids().filter(move |&id| universe.member(id).kind == kind);
    let softened: Vec<Id> = of(MemberKind::Soften).collect();
    let matcher = (!softened.is_empty()).then(|| Matcher::of(universe, resolver));
    let mut found: Vec<(Id, Id)> = Vec::new();
    for (id, matcher) in softened.into_iter().filter_map(|id| Some((id, matcher.as_ref()?))) {
        let pointcut = text(universe, id).split_once(':').map_or("", |(_, pointcut)| pointcut);
        for version in [PresentIn::Old, PresentIn::New] {
            if !universe.side(id).is_in(version) {
                continue;
            }
            let matched = matcher.matched_by(pointcut, version);
            advised.anywhere.extend(matched.is_anywhere.then_some(id));
            found.extend(matched.members.into_iter().map(|member| (member, id)));
        }
    }
    for id in of(MemberKind::HierarchyDeclaration) {
        let types = universe.ids().filter(|&other| universe.member(other).kind.is_type());
        let patterns = Patterns::of(types_of(text(universe, id)));
        let affected = types.filter(|&other| patterns.match_type(universe, resolver, other));
        found.extend(affected.map(|other| (other, id)));
    }
    let ordered: Vec<Id> = of(MemberKind::Precedence).collect();
    let advice: BTreeMap<Id, Vec<Id>> =
        if ordered.is_empty() { BTreeMap::new() } else { advised.at.clone() };
    for id in ordered {
        let patterns = Patterns::of(text(universe, id));
        let aspect = |&advice: &Id| {
            let aspect = universe.owner(advice);
            patterns.match_type(universe, resolver, aspect).then(|| universe.member(aspect).simple)
        };
        let anywhere: BTreeSet<WordHash> = advised.anywhere.iter().filter_map(aspect).collect();
        advised.anywhere.extend((anywhere.len() > 1).then_some(id));
        for (&place, advice) in &advice {
            // An order matters where advice of two aspects meets.
            let mut aspects: BTreeSet<WordHash> = advice.iter().filter_map(aspect).collect();
            let own = aspects.len();
            aspects.extend(&anywhere);
            found.extend((own > 0 && aspects.len() > 1).then_some((place, id)));
        }
    }
    for (place, id) in found {
        let all = advised.at.entry(place).or_default();
        if !all.contains(&id) {
            all.push(id);
        }
    }
}

/// Whether a definition is a declaration, which affects others and is not run itself.
pub(super) fn is_declaration(universe: &Universe, id: Id) -> bool {
    matches!(
        universe.member(id).kind,
        MemberKind::Soften | MemberKind::HierarchyDeclaration | MemberKind::Precedence
    )
}

/// Returns the text of a declaration after its keywords.
fn text(universe: &Universe, id: Id) -> &str {
    let text = universe.member(id).pointcut.as_deref().unwrap_or_default();
    match text.strip_prefix("declare ") {
        Some(rest) => rest.split_once(':').map_or("", |(_, rest)| rest),
        None => text,
    }
}

/// Returns the types that are given parents.
fn types_of(text: &str) -> &str {
    let ends = [" implements ", " extends "].iter().filter_map(|word| text.find(word));
    &text[..ends.min().unwrap_or(text.len())]
}

/// Patterns of types. The operators between them are ignored, so that rather too many types match.
struct Patterns<'a>(Vec<&'a str>);

impl<'a> Patterns<'a> {
    fn of(text: &'a str) -> Self {
        let is_sign = |sign: char| !(sign.is_alphanumeric() || "_$.*+".contains(sign));
        Patterns(text.split(is_sign).filter(|word| !word.is_empty()).collect())
    }

    fn match_type(&self, universe: &Universe, resolver: &Resolver<'_>, id: Id) -> bool {
        let member = universe.member(id);
        let own = last(&member.name);
        self.0.iter().any(|pattern| {
            let bare = last(pattern.trim_end_matches('+'));
            let is_below = || {
                let wanted = WordHash::of(bare.as_bytes());
                resolver.all_above(member.simple).contains(&wanted)
            };
            is_like(bare, own) || (pattern.ends_with('+') && is_below())
        })
    }
}
