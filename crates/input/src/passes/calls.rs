//! A function is removed, and its returned value takes the place of each call, with the arguments
//! in the places of the parameters: `int f(int a) { return a + 1; } int b = f(2);` becomes `int b =
//! 2 + 1;`.
//!
//! Where a call is a list that begins with the name, as in Lisp, a function can also become a constant:
//! `(declare-fun f (Int) Int)` with `(f 0)` becomes `(declare-fun f () Int)` with `f`.

use std::ops::Range;

use whodunit_syntax::names::{Call, Definition, Names};
use whodunit_syntax::tree::{NodeId, SyntaxTree};

use crate::edits::{Change, Edit};
use crate::structure::Parsed;
use crate::tokens;

/// Tokens of a text in which this is tried; in a larger one the pass has nothing to ask. Chosen by hand.
const MAX_TEXT_TOKENS: u64 = 1000;

/// Tokens of a body that takes the place of a call, the same as for the value of a variable: a larger
/// one would only make the text longer.
const MAX_BODY_TOKENS: usize = 16;

/// Lists the possible replacements of each function that is called.
pub(super) fn find(file: &Parsed<'_>) -> Vec<Change> {
    if file.weight(file.node()) > MAX_TEXT_TOKENS {
        return Vec::new();
    }
    let tree = file.tree();
    let names = Names::of(&tree);
    let mut changes = Vec::new();
    for definition in names.definitions() {
        let calls = names.calls(definition);
        let (Some(parameters), false) = (&definition.parameters, calls.is_empty()) else {
            continue;
        };
        let function = Function { file, tree: &tree, names: &names, definition, parameters, calls };
        changes.extend(function.inlined());
        changes.extend(function.without_parameters());
    }
    changes.retain(|change| file.parses_after(change));
    changes
}

/// A function that is called.
struct Function<'a> {
    file: &'a Parsed<'a>,
    tree: &'a SyntaxTree,
    names: &'a Names,
    definition: &'a Definition,
    parameters: &'a [NodeId],
    calls: &'a [Call],
}

impl Function<'_> {
    fn range(&self, id: NodeId) -> Range<usize> {
        self.tree.node(id).range()
    }

    /// Removes the function and puts its returned expression in the place of each call.
    fn inlined(&self) -> Option<Change> {
        let goes = self.file.removable_around(&self.range(self.definition.item))?;
        let body = self.body()?;
        let mut change = self.file.leave_out(vec![goes]);
        for call in self.calls {
            let range = self.file.addresses(self.place(call)?);
            change.edits.push(Edit { range, text: self.filled(body, call)? });
        }
        sorted(change)
    }

    /// Removes all parameters, and of each call all but the name.
    fn without_parameters(&self) -> Option<Change> {
        let (first, last) = (self.parameters.first()?, self.parameters.last()?);
        let gone = self.range(*first).start..self.range(*last).end;
        let mut change =
            Change { edits: vec![Edit::delete(self.file.addresses(gone))], drops: vec![] };
        for call in self.calls {
            let argument = call.arguments.first()?;
            // Elsewhere a list of arguments can be empty.
            if self.tree.parent(*argument) != self.tree.parent(call.name) {
                return None;
            }
            let range = self.file.addresses(self.place(call)?);
            change.edits.push(Edit { range, text: self.tree.text(call.name).to_vec() });
        }
        sorted(change)
    }

    /// Returns the expression that a function consists of, or returns.
    fn body(&self) -> Option<NodeId> {
        let named =
            |id: NodeId| self.tree.children(id).filter(|&child| self.tree.node(child).is_named());
        let mut body = named(self.definition.item).last()?;
        loop {
            let text = self.tree.text(body);
            if !text.starts_with(b"{") && !text.starts_with(b"return") {
                break;
            }
            let mut parts = named(body);
            let (part, None) = (parts.next()?, parts.next()) else { return None };
            body = part;
        }
        let is_small = tokens::count(self.tree.text(body)) <= MAX_BODY_TOKENS;
        (is_small && body > self.definition.name).then_some(body)
    }

    /// Returns the text of a body with the arguments of a call in the places of the parameters.
    fn filled(&self, body: NodeId, call: &Call) -> Option<Vec<u8>> {
        let within = self.range(body);
        let mut filled: Vec<(Range<usize>, &[u8])> = Vec::new();
        for (position, &parameter) in self.parameters.iter().enumerate() {
            let around = self.range(parameter);
            let is_own = |own: &&Definition| {
                around.start <= self.range(own.name).start && self.range(own.name).end <= around.end
            };
            let Some(own) = self.names.definitions().iter().find(is_own) else { continue };
            let uses = self.names.uses(own).map(|id| self.range(id));
            let inside: Vec<Range<usize>> = uses
                .filter(|place| within.start <= place.start && place.end <= within.end)
                .collect();
            if inside.is_empty() {
                continue;
            }
            let argument = self.names.argument(self.tree, self.definition, position, call)?;
            filled.extend(inside.into_iter().map(|place| (place, self.tree.text(argument))));
        }
        filled.sort_by_key(|(place, _)| place.start);
        let (mut text, mut at) = (Vec::new(), within.start);
        for (place, argument) in filled {
            text.extend_from_slice(self.file.bytes.get(at..place.start)?);
            text.extend_from_slice(argument);
            at = place.end;
        }
        text.extend_from_slice(self.file.bytes.get(at..within.end)?);
        Some(text)
    }

    /// Returns the range of a call: the smallest node that holds the name and the arguments, and more.
    fn place(&self, call: &Call) -> Option<Range<usize>> {
        let name = self.range(call.name);
        let end = call.arguments.iter().map(|&id| self.range(id).end).max().unwrap_or(name.end);
        let above = std::iter::successors(self.tree.parent(call.name), |&id| self.tree.parent(id));
        let mut ranges = above.map(|id| self.range(id));
        ranges.find(|range| range.start <= name.start && range.end >= end && *range != name)
    }
}

/// Puts the edits of a change in order; `None` if some contradict each other, as those of a call in an
/// argument of another.
fn sorted(mut change: Change) -> Option<Change> {
    change.edits.sort_by_key(|edit| edit.range.start);
    let apart = change.edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
    apart.then_some(change)
}

#[cfg(test)]
mod tests {
    use crate::passes::listing::listed;

    use super::find;

    #[test]
    fn the_body_of_a_function_takes_the_place_of_a_call() {
        let changed = listed("c", "int f(int a) { return a + 1; } int b = f(2);", find);
        assert_eq!(changed, [" int b = 2 + 1;"]);
        let text = "(define-fun f ((a Int)) Bool (> a 0))(assert (f 2))";
        let changed = listed("smtlib", text, find);
        assert!(changed.contains(&"(assert (> 2 0))".to_owned()), "{changed:?}");
    }

    #[test]
    fn a_function_becomes_a_constant() {
        let text = "(declare-fun f (Int) Int)(assert (= (f 2) (f 3)))";
        let changed = listed("smtlib", text, find);
        assert!(
            changed.contains(&"(declare-fun f () Int)(assert (= f f))".to_owned()),
            "{changed:?}"
        );
    }

    #[test]
    fn a_function_that_calls_itself_stays() {
        assert_eq!(listed("c", "int f(int a) { return f(a); } int b = f(f(2));", find), [""; 0]);
    }
}
