//! A name that only leads to other names is removed: `template<class T> class A { T b; }; A<int> c;`
//! becomes `class A { int b; }; A c;`, and `namespace a { int b; } int c = a::b;` becomes
//! `int b; int c = b;`.
//!
//! Lists of type parameters and of arguments for them are recognised by the `<` that they begin
//! with, which holds for C++, C#, Java, Rust and TypeScript. Changes after which the text does not
//! parse are not listed.

use std::ops::Range;

use whodunit_syntax::language::DefinitionKind;
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use super::stand_ins::StandInTexts;
use crate::edits::{Change, Edit};
use crate::structure::Parsed;

/// Tokens of a text in which this is tried; in a larger one the pass has nothing to ask. Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Types tried for one parameter. Chosen by hand.
const MAX_TYPES: usize = 2;

/// Nodes above a name among which its list is searched. Chosen by hand.
const MAX_LEVELS: usize = 4;

/// Lists the removal of each type parameter and of each namespace.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let names = Names::of(&tree);
    let shapes = file.language.shapes();
    let mut changes = Vec::new();
    for definition in names.definitions() {
        let place = Place { file, tree: &tree, names: &names, definition };
        match definition.kind {
            DefinitionKind::Parameter => {
                let types = shapes.as_ref().map(|shapes| {
                    let uses: Vec<NodeId> = names.uses(definition).collect();
                    StandInTexts::new(&tree, shapes).texts_for(&uses)
                });
                changes.extend(place.without_parameter(types.unwrap_or_default()));
            }
            DefinitionKind::Module | DefinitionKind::Type => {
                changes.extend(place.unwrapped());
            }
            _ => {}
        }
    }
    changes
}

/// One definition and the file around it.
struct Place<'a> {
    file: &'a Parsed<'a>,
    tree: &'a SyntaxTree,
    names: &'a Names,
    definition: &'a Definition,
}

impl Place<'_> {
    fn range(&self, id: NodeId) -> Range<usize> {
        self.tree.node(id).range()
    }

    /// Returns the children of a node that are named.
    fn named(&self, id: NodeId) -> Vec<NodeId> {
        self.tree.children(id).filter(|&child| self.tree.node(child).is_named()).collect()
    }

    /// Puts the content of a definition's braces in its place, and removes its name before the
    /// names of that content.
    fn unwrapped(&self) -> Option<Change> {
        let item = self.range(self.definition.item);
        let body = self.range(*self.named(self.definition.item).last()?);
        let bytes = &self.file.bytes[body.clone()];
        if bytes.first() != Some(&b'{') || bytes.last() != Some(&b'}') || bytes.len() < 2 {
            return None;
        }
        let mut gone = vec![item.start..body.start + 1, body.end - 1..item.end];
        for place in self.names.uses(self.definition) {
            let siblings = self.named(self.tree.parent(place)?);
            let next = siblings.into_iter().find(|&next| next > place)?;
            gone.push(self.range(place).start..self.range(next).start);
        }
        (gone.len() > 2).then(|| self.change(&gone, &[]))?
    }

    /// Removes a type parameter and the arguments for it, with a type in its place.
    fn without_parameter(&self, shortest: Vec<String>) -> Vec<Change> {
        let Some(list) = self.list_around(self.definition.name) else { return Vec::new() };
        let Some(owner) = self.tree.parent(list) else { return Vec::new() };
        let items = self.named(list);
        let name = self.range(self.definition.name);
        let is_around = |&item: &NodeId| {
            self.range(item).start <= name.start && name.end <= self.range(item).end
        };
        let Some(position) = items.iter().position(is_around) else { return Vec::new() };
        let (mut given_types, mut arguments) = (Vec::new(), Vec::new());
        if let Some(general) = self.general(list, owner) {
            for place in self.names.uses(general) {
                if let Some(given) = self.list_after(place) {
                    let given_items = self.named(given);
                    let given_text = given_items.get(position).map(|&item| self.tree.text(item));
                    given_types
                        .extend(given_text.map(|text| String::from_utf8_lossy(text).into_owned()));
                    arguments.extend(self.without_item(given, &given_items, position, place));
                }
            }
        }
        let (mut seen, mut changes) = (Vec::new(), Vec::new());
        // A type that was given is likelier to fit than the shortest one.
        let mut types = given_types;
        types.truncate(1);
        types.extend(shortest);
        let is_sign = |id: NodeId| self.tree.text(id).first() == Some(&b'\'');
        let sign = self.tree.parent(self.definition.name).filter(|&above| is_sign(above));
        if sign.is_some() {
            // A lifetime can mostly be left out.
            types = vec![String::new()];
        }
        for text in types {
            if seen.contains(&text) || changes.len() == MAX_TYPES {
                continue;
            }
            let replaced: Vec<(Range<usize>, &str)> = self
                .names
                .uses(self.definition)
                .map(|id| match self.tree.parent(id).filter(|_| sign.is_some()) {
                    Some(above) => self.range(above),
                    None => self.range(id),
                })
                .map(|range| (range, text.as_str()))
                .collect();
            let mut ways: Vec<Range<usize>> = Vec::new();
            if items.len() == 1 {
                // With the word before it, as in `template<class T>`, or without, as in `f<T>`.
                let first =
                    self.tree.children(owner).find(|&child| self.tree.node(child).is_named());
                if first == Some(list) {
                    ways.push(self.range(owner).start..self.range(list).end);
                }
                ways.push(self.range(list));
            } else {
                ways.extend(self.without_item(list, &items, position, list));
            }
            changes.extend(ways.into_iter().find_map(|way| {
                let gone: Vec<_> = std::iter::once(way).chain(arguments.iter().cloned()).collect();
                self.change(&gone, &replaced)
            }));
            seen.push(text);
        }
        changes
    }

    /// Returns the list of type parameters that a name is in.
    fn list_around(&self, name: NodeId) -> Option<NodeId> {
        let above = std::iter::successors(self.tree.parent(name), |&id| self.tree.parent(id));
        above.take(MAX_LEVELS).find(|&id| self.tree.text(id).first() == Some(&b'<'))
    }

    /// Returns the definition that has these type parameters: the first name in the node of the
    /// list.
    fn general(&self, list: NodeId, owner: NodeId) -> Option<&Definition> {
        let (list, owner) = (self.range(list), self.range(owner));
        let is_general = |other: &&Definition| {
            let name = self.range(other.name);
            let is_inside = owner.start <= name.start && name.end <= owner.end;
            is_inside && (name.end <= list.start || list.end <= name.start)
        };
        self.names.definitions().iter().find(is_general)
    }

    /// Returns the list of arguments that follows a name.
    fn list_after(&self, place: NodeId) -> Option<NodeId> {
        let end = self.range(place).end;
        let above = std::iter::successors(self.tree.parent(place), |&id| self.tree.parent(id));
        let mut siblings = above.take(2).flat_map(|id| self.tree.children(id));
        siblings.find(|&id| {
            let range = self.range(id);
            let between = self.file.bytes.get(end..range.start);
            let is_near = between.is_some_and(|text| text.trim_ascii().iter().all(|&c| c == b':'));
            is_near && self.file.bytes[range].first() == Some(&b'<')
        })
    }

    /// Returns the ranges to delete of a list without one item; with the last item that is the
    /// whole list, and whatever separates it from the name before it.
    fn without_item(
        &self,
        list: NodeId,
        items: &[NodeId],
        position: usize,
        name: NodeId,
    ) -> Option<Range<usize>> {
        let item = self.range(*items.get(position)?);
        if items.len() == 1 {
            return Some(self.range(name).end.min(self.range(list).start)..self.range(list).end);
        }
        Some(match items.get(position + 1) {
            Some(&next) => item.start..self.range(next).start,
            None => self.range(items[position - 1]).end..item.end,
        })
    }

    /// Returns the change that deletes some ranges and replaces others; `None` if they contradict
    /// each other or the result does not parse.
    fn change(&self, gone: &[Range<usize>], replaced: &[(Range<usize>, &str)]) -> Option<Change> {
        let holds = |outer: &Range<usize>, inner: &Range<usize>| {
            outer.start <= inner.start && inner.end <= outer.end
        };
        let mut edits: Vec<Edit> = self.file.delete(gone).edits;
        let left = replaced.iter().filter(|(range, _)| !gone.iter().any(|gone| holds(gone, range)));
        edits.extend(left.map(|(range, text)| Edit {
            range: self.file.addresses(range.clone()),
            text: text.as_bytes().to_vec(),
        }));
        edits.retain(|edit| !edit.range.is_empty());
        edits.sort_by_key(|edit| edit.range.start);
        let apart = edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
        let change = Change { edits, drops: Vec::new() };
        (apart && self.file.parses_after(&change)).then_some(change)
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    /// Returns the listed texts, without white space.
    fn packed(language: &str, text: &str) -> Vec<String> {
        let texts = listed(language, text, find);
        texts.iter().map(|text| text.split_whitespace().collect()).collect()
    }

    #[test]
    fn a_type_takes_the_place_of_a_type_parameter() {
        let changed = packed("cpp", "template<class T> class A { T b; }; A<char> c;");
        assert!(changed.contains(&"classA{charb;};Ac;".to_owned()), "{changed:?}");
    }

    #[test]
    fn one_of_several_type_parameters_goes_with_its_arguments() {
        let changed =
            packed("typescript", "function f<T, U>(a: T, b: U) {} f<string, Date>(c, d);");
        assert!(
            changed.contains(&"functionf<T>(a:T,b:Date){}f<string>(c,d);".to_owned()),
            "{changed:?}"
        );
    }

    #[test]
    fn a_lifetime_is_left_out() {
        let changed = packed("rust", "struct A<'a> { b: &'a u8 } fn f(c: A<'static>) {}");
        assert!(changed.contains(&"structA{b:&u8}fnf(c:A){}".to_owned()), "{changed:?}");
    }

    #[test]
    fn the_content_of_a_namespace_takes_its_place() {
        let changed = packed("cpp", "namespace a { int b; } int c = a::b;");
        assert!(changed.contains(&"intb;intc=b;".to_owned()), "{changed:?}");
        let changed = packed("rust", "mod a { pub fn b() {} } fn c() { a::b() }");
        assert!(changed.contains(&"pubfnb(){}fnc(){b()}".to_owned()), "{changed:?}");
    }
}
