//! Reads the definitions of a text: each node of the syntax tree belongs to the head or to the body
//! of one definition.
//!
//! Everything inside of a method or function belongs to its body: local and anonymous classes,
//! lambdas, inner functions. They are added and deleted with it, and only run because of it.

use std::collections::HashMap;
use std::ops::Range;

use crate::language::NodeRole;
use crate::tree::{NodeId, SyntaxTree};

use super::aspects::Masked;
use super::meaning::Meanings;
use super::member::{
    FileFacts, Marks, Member, MemberKind, Part, Receiver, Region, Stretch, Use, UseSort, read_on,
};
use super::signature::{self, DefinitionSignature};
use super::tables::{Each, Inside, Row};
use super::uses::{MemberUses, Users, type_name};
use crate::lines::LineStarts;
use crate::words::{WordHash, tokens};

/// Reads the definitions of a text. The tree is that of the masked text, the text is the real one.
pub(super) fn read(
    meanings: &Meanings,
    tree: &SyntaxTree,
    text: &[u8],
    masked: &Masked,
    name: &str,
) -> FileFacts {
    let lines = LineStarts::of(text);
    let mut reader = Reader {
        meanings,
        tree,
        lines: &lines,
        masked,
        members: vec![empty(MemberKind::File, name.to_owned(), 0)],
        regions: vec![Region::new(0, Part::Head); tree.len()],
        names: Vec::new(),
        raw: Vec::new(),
        made: Vec::new(),
        occurrences: HashMap::new(),
        package: String::new(),
    };
    reader.members[0].lines = 0..lines.count();
    reader.children(tree.root(), 0);
    reader.unwritten_constructors();
    let Reader { mut members, regions, names, raw, .. } = reader;
    let count = members.len();
    let mut seen = vec![false; tree.len()];
    names.iter().for_each(|name| seen[name.0 as usize] = true);
    let users = Users { meanings, tree, lines: &lines, regions: &regions, seen };
    let classes: Vec<(WordHash, Option<WordHash>)> =
        members.iter().map(|member| (member.simple, member.supers.first().copied())).collect();
    for (member, MemberUses { mut uses, locals }) in members.iter_mut().zip(users.find(count)) {
        // `this(…)` and `super(…)` are constructors that have another name elsewhere.
        let (own, above) = classes[member.owner as usize];
        for used in uses.iter_mut().filter(|used| used.sort == UseSort::Creation) {
            if used.name == WordHash::of(b"this") || used.name == WordHash::of(b"super") {
                let is_own = used.name == WordHash::of(b"this");
                used.name = if is_own { own } else { above.unwrap_or(used.name) };
                member.marks.calls_constructor = true;
                member.needs_body |= used.arity != Some(0);
            }
        }
        let runs = |sort: UseSort| matches!(sort, UseSort::Call | UseSort::Creation);
        member.marks.is_plain = !uses.iter().any(|used| used.part == Part::Body && runs(used.sort));
        member.uses = uses;
        member.locals = locals;
    }
    let mut stretches = Vec::new();
    for leaf in tree.leaves().filter(|&leaf| !tree.node(leaf).range().is_empty()) {
        let range = tree.node(leaf).range();
        let region = regions[leaf.0 as usize];
        let is_comment = tree.role(leaf) == Some(NodeRole::Comment) || in_comment(tree, leaf);
        take(&mut members, &mut stretches, &lines, text, range, region, is_comment);
    }
    for (number, range, part) in raw {
        let region = Region::new(number, part);
        for token in tokens(&text[range.clone()]) {
            let token = range.start + token.start..range.start + token.end;
            if text[token.start].is_ascii_whitespace() {
                continue;
            }
            let reads = &text[token.clone()];
            if reads[0].is_ascii_alphabetic() {
                let line = lines.line_at(token.start);
                members[number as usize].uses.push(mention(reads, line, part));
            }
            take(&mut members, &mut stretches, &lines, text, token, region, false);
        }
    }
    FileFacts {
        members,
        stretches: one_for_each_line(stretches, lines.count()),
        begun: begun(tree, &lines),
        type_parameters: type_parameters(meanings, tree),
        has_errors: tree.has_errors(),
        is_typed: meanings.table.counts_arguments,
    }
}

/// Returns the use of a name in masked text.
fn mention(name: &[u8], line: u32, part: Part) -> Use {
    Use {
        name: WordHash::of(name),
        sort: UseSort::Name,
        arity: None,
        receiver: Receiver::Implicit,
        line,
        part,
    }
}

fn in_comment(tree: &SyntaxTree, leaf: NodeId) -> bool {
    tree.parent(leaf).is_some_and(|parent| tree.role(parent) == Some(NodeRole::Comment))
}

/// Takes a leaf to what its region reads, and notes down its lines.
fn take(
    members: &mut [Member],
    stretches: &mut Vec<Stretch>,
    lines: &LineStarts,
    text: &[u8],
    range: Range<usize>,
    region: Region,
    is_comment: bool,
) {
    let reads = &text[range.clone()];
    let member = &mut members[region.member() as usize];
    // A separator between members is no part of a head.
    let separates = matches!(reads, b"," | b";")
        && (member.kind.is_type() || matches!(member.kind, MemberKind::File | MemberKind::Module));
    let is_code = !is_comment && !separates;
    if is_code {
        match region.part() {
            Part::Lead => {}
            Part::Head => member.head = read_on(member.head, reads),
            Part::Body => {
                member.body = read_on(member.body, reads);
                member.body_size += 1;
            }
        }
    }
    let code = if is_comment { 0 } else { read_on(0, reads) };
    let last = lines.line_at(range.end.max(range.start + 1) - 1);
    for line in lines.line_at(range.start)..=last {
        match stretches.last_mut() {
            Some(last) if last.line == line && last.region == region => {
                if !is_comment {
                    last.code = read_on(last.code, reads);
                }
            }
            _ => stretches.push(Stretch { line, region, code }),
        }
    }
}

/// Puts stretches in order, one for each line and region; a line without any has what follows it.
fn one_for_each_line(mut stretches: Vec<Stretch>, lines: u32) -> Vec<Stretch> {
    stretches.sort_by_key(|stretch| (stretch.line, stretch.region));
    let mut settled: Vec<Stretch> = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        match settled.last_mut() {
            Some(last) if (last.line, last.region) == (stretch.line, stretch.region) => {
                if stretch.code != 0 {
                    last.code = read_on(last.code, &stretch.code.to_le_bytes());
                }
            }
            _ => settled.push(stretch),
        }
    }
    let mut all = Vec::with_capacity(settled.len());
    let mut known = settled.into_iter().peekable();
    for line in 0..lines {
        if known.peek().is_some_and(|next| next.line == line) {
            while let Some(stretch) = known.next_if(|next| next.line == line) {
                all.push(stretch);
            }
        } else {
            let region = known.peek().map_or(Region::new(0, Part::Lead), |next| next.region);
            all.push(Stretch { line, region, code: 0 });
        }
    }
    all
}

/// Returns for each line where the innermost thing began that its first word or sign is part of, and
/// that began before it.
fn begun(tree: &SyntaxTree, lines: &LineStarts) -> Vec<u32> {
    let mut begun: Vec<u32> = (0..lines.count()).collect();
    let mut known = None;
    for leaf in tree.leaves().filter(|&leaf| !tree.node(leaf).range().is_empty()) {
        let start = |id: NodeId| lines.line_at(tree.node(id).range().start);
        let line = start(leaf);
        if known.is_some_and(|known| known >= line) {
            continue;
        }
        known = Some(line);
        let around = std::iter::successors(tree.parent(leaf), |&id| tree.parent(id));
        let first = around.map(start).find(|&it| it < line);
        begun[line as usize] = first.unwrap_or(line);
    }
    begun
}

fn type_parameters(meanings: &Meanings, tree: &SyntaxTree) -> Vec<WordHash> {
    let is_parameter = |&id: &NodeId| meanings.kind_name(tree, id) == "type_parameter";
    let found = tree.ids().filter(|&id| tree.node(id).is_named()).filter(is_parameter);
    let mut found: Vec<WordHash> = found.filter_map(|id| type_name(meanings, tree, id)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The key of a constructor that is not written: none that is has it.
const UNWRITTEN: &str = "new";

struct Reader<'a> {
    meanings: &'a Meanings,
    tree: &'a SyntaxTree,
    lines: &'a LineStarts,
    masked: &'a Masked,
    members: Vec<Member>,
    /// The region of each node.
    regions: Vec<Region>,
    /// Where names are that are defined.
    names: Vec<NodeId>,
    /// The masked ranges, and the member and part that each belongs to.
    raw: Vec<(u32, Range<usize>, Part)>,
    /// Classes that have a constructor even if none is written.
    made: Vec<u32>,
    /// How often each key occurred up to here, for each owner.
    occurrences: HashMap<(u32, String), u32>,
    package: String,
}

impl Reader<'_> {
    /// Reads the members among the children of a node.
    fn children(&mut self, of: NodeId, owner: u32) {
        // Comments and the like that belong to what follows.
        let mut before: Vec<NodeId> = Vec::new();
        let mut last_line = None;
        let mut former = owner;
        let tree = self.tree;
        for child in tree.children(of) {
            let range = tree.node(child).range();
            let meaning = self.meanings.of(tree, child);
            if tree.role(child) == Some(NodeRole::Comment) {
                let line = self.lines.line_at(range.start);
                if last_line == Some(line) && before.is_empty() {
                    self.fill(child, Region::new(former, Part::Lead));
                } else {
                    before.push(child);
                }
                continue;
            }
            if meaning.is_leading {
                before.push(child);
                continue;
            }
            let first = self.members.len() as u32;
            if meaning.is_transparent {
                self.children(child, owner);
            } else if tree.node(child).is_named() {
                self.child(child, owner);
            }
            let found = self.members.len() as u32 > first;
            for lead in before.drain(..) {
                let part = if tree.role(lead) == Some(NodeRole::Comment) {
                    Part::Lead
                } else {
                    Part::Head
                };
                self.fill(lead, Region::new(if found { first } else { owner }, part));
            }
            if found {
                former = self.members.len() as u32 - 1;
            }
            if !range.is_empty() {
                last_line = Some(self.lines.line_at(range.end - 1));
            }
        }
        for lead in before {
            self.fill(lead, Region::new(owner, Part::Lead));
        }
    }

    /// Reads a node that is a member, or code that is in none.
    fn child(&mut self, child: NodeId, owner: u32) {
        let (meanings, tree) = (self.meanings, self.tree);
        if meanings.kind_name(tree, child) == "package_declaration" {
            self.package = signature::squeezed(tree, child)
                .trim_start_matches("package")
                .trim_end_matches(';')
                .trim()
                .to_owned();
            return;
        }
        if self.members(child, child, owner) {
            return;
        }
        if !tree.is_leaf(child) || !matches!(tree.text(child), b";" | b",") {
            self.fill(child, Region::new(owner, Part::Body));
            if let Some(member) = self.members.get_mut(owner as usize) {
                let lines = self.lines;
                let range = tree.node(child).range();
                if owner != 0 && !range.is_empty() {
                    member.lines.end = member.lines.end.max(lines.line_at(range.end - 1) + 1);
                }
            }
        }
    }

    /// Reads the members of a node, if it is one or several; `whole` is all their text.
    fn members(&mut self, node: NodeId, whole: NodeId, owner: u32) -> bool {
        let (meanings, tree) = (self.meanings, self.tree);
        let meaning = meanings.of(tree, node);
        if meaning.is_wrapper {
            let inner = tree.children(node).filter(|&child| tree.node(child).is_named());
            let is_member = |&child: &NodeId| {
                let inner = meanings.of(tree, child);
                inner.row.is_some() || inner.is_wrapper
            };
            return match inner.filter(is_member).last() {
                Some(inner) => self.members(inner, whole, owner),
                None => false,
            };
        }
        let Some(row) = meaning.row else { return false };
        match &row.each {
            Each::Whole => self.member(node, node, whole, row, owner),
            Each::Field(field) => {
                let all: Vec<NodeId> = meanings.children(tree, node, field).collect();
                self.several(node, &all, whole, row, owner)
            }
            Each::Kind(kinds) => {
                let is_one = |&id: &NodeId| kinds.contains(&meanings.kind_name(tree, id));
                let children = tree.children(node).flat_map(|child| {
                    let inner = if is_one(&child) { None } else { Some(tree.children(child)) };
                    std::iter::once(child).chain(inner.into_iter().flatten())
                });
                let all: Vec<NodeId> = children.filter(is_one).collect();
                self.several(node, &all, whole, row, owner)
            }
        }
    }

    fn several(
        &mut self,
        node: NodeId,
        all: &[NodeId],
        whole: NodeId,
        row: &'static Row,
        owner: u32,
    ) -> bool {
        let mut any = false;
        for &one in all {
            let whole = if any { one } else { whole };
            any |= self.member(node, one, whole, row, owner);
        }
        any
    }

    /// Reads one member: `one` is its own node, `node` the one that it shares with others.
    fn member(
        &mut self,
        node: NodeId,
        one: NodeId,
        whole: NodeId,
        row: &'static Row,
        owner: u32,
    ) -> bool {
        let (meanings, tree) = (self.meanings, self.tree);
        let owner_kind = self.members[owner as usize].kind;
        let Some(signature) = DefinitionSignature::of(meanings, tree, node, one, row, owner_kind)
        else {
            return false;
        };
        let number = self.members.len() as u32;
        let mut member = empty(signature.kind, String::new(), owner);
        let last = signature.name.rsplit("::").next().unwrap_or_default();
        member.simple = WordHash::of(last.as_bytes());
        if signature.kind == MemberKind::Implementation {
            let of = meanings.child(tree, one, "type").and_then(|of| type_name(meanings, tree, of));
            member.simple = of.unwrap_or(member.simple);
        }
        member.arity = signature.arity;
        member.of_type = signature.of_type;
        member.supers = signature.supers;
        member.marks = signature.marks;
        let range = tree.node(whole).range();
        member.lines =
            self.lines.line_at(range.start)..self.lines.line_at(range.end.max(1) - 1) + 1;
        let start = tree.node(node).range().start;
        let mark = self.masked.mark(start);
        if let Some(mark) = mark {
            mark.apply(&mut member);
            let raw = mark.raw.iter().map(|(range, part)| (number, range.clone(), *part));
            self.raw.extend(raw);
        }
        let own = mark.and_then(|mark| mark.name.clone()).unwrap_or(signature.shown);
        member.key = self.key(owner, member.kind, own.clone());
        member.name = self.qualified(owner, &own);
        if meanings.table.made.contains(&row.node) && member.kind == MemberKind::Class {
            self.made.push(number);
        }
        self.members.push(member);
        self.fill(whole, Region::new(number, Part::Head));
        self.names.extend(signature.place);
        let body = signature.body;
        if let Some(body) = body {
            match row.inside {
                Inside::Members(_) if !signature.is_function => {
                    self.children(body, number);
                }
                _ => self.body(body, number, signature.is_value),
            }
        }
        let found = &mut self.members[number as usize];
        let unbracketed = body.is_some_and(|body| !is_bracketed(tree, body));
        found.needs_body |= body.is_some()
            && found.kind.is_callable()
            && (signature.has_result || unbracketed)
            && !signature.is_value;
        if found.marks.is_abstract && body.is_some() {
            found.marks.is_abstract = false;
        }
        true
    }

    /// Marks a body: the text between its brackets, or a value with the sign before it.
    fn body(&mut self, body: NodeId, number: u32, is_value: bool) {
        let tree = self.tree;
        let line = |at: usize| self.lines.line_at(at);
        let lines = |first: NodeId, last: NodeId| {
            let (start, end) = (tree.node(first).range().start, tree.node(last).range().end);
            line(start)..line(end.max(start + 1) - 1) + 1
        };
        let region = Region::new(number, Part::Body);
        if is_value || !is_bracketed(tree, body) {
            let parent = tree.parent(body);
            let siblings = parent.into_iter().flat_map(|parent| tree.children(parent));
            let sign = siblings.take_while(|&child| child != body).last();
            let is_sign = |&id: &NodeId| matches!(tree.text(id), b"=" | b"default" | b":=");
            if let Some(sign) = sign.filter(is_sign) {
                self.fill(sign, region);
            }
            self.members[number as usize].body_lines = lines(body, body);
            self.fill(body, region);
            return;
        }
        let inner: Vec<NodeId> = tree.children(body).collect();
        let inner = &inner[1..inner.len() - 1];
        let is_code = |id: &&NodeId| tree.role(**id) != Some(NodeRole::Comment);
        let code = || inner.iter().filter(is_code);
        if let (Some(&first), Some(&last)) = (code().next(), code().next_back()) {
            self.members[number as usize].body_lines = lines(first, last);
        }
        for &child in inner {
            self.fill(child, region);
        }
    }

    /// Adds the constructors that classes have because none is written. They have no text, so
    /// nothing of them changes, but they are called, and advice is run at them.
    fn unwritten_constructors(&mut self) {
        for class in std::mem::take(&mut self.made) {
            let is_own = |it: &Member| it.owner == class && it.kind == MemberKind::Constructor;
            if self.members.iter().any(is_own) {
                continue;
            }
            let around = &self.members[class as usize];
            let simple = around.name.rsplit('.').next().unwrap_or_default();
            let name = format!("{}.{simple}()", around.name);
            let mut member = empty(MemberKind::Constructor, name, class);
            member.key = UNWRITTEN.to_owned();
            member.simple = around.simple;
            member.lines = around.lines.start..around.lines.start + 1;
            member.arity = Some(0);
            member.marks.is_unwritten = true;
            self.members.push(member);
        }
    }

    fn fill(&mut self, id: NodeId, region: Region) {
        let end = self.tree.subtree(id).next_back().map_or(id.0, |last| last.0);
        self.regions[id.0 as usize..=end as usize].fill(region);
    }

    fn key(&mut self, owner: u32, kind: MemberKind, name: String) -> String {
        let key = match kind {
            MemberKind::Import => format!("import {name}"),
            MemberKind::Constructor => {
                format!("new{}", name.find('(').map_or("", |at| &name[at..]))
            }
            _ => name,
        };
        let count = self.occurrences.entry((owner, key.clone())).or_insert(0);
        *count += 1;
        if *count == 1 { key } else { format!("{key}#{count}") }
    }

    fn qualified(&self, owner: u32, name: &str) -> String {
        let package = &self.package;
        match (&self.members[owner as usize], package.is_empty()) {
            (file, true) if file.kind == MemberKind::File => name.to_owned(),
            (file, false) if file.kind == MemberKind::File => format!("{package}.{name}"),
            (around, _) => format!("{}.{name}", around.name),
        }
    }
}

/// Whether a body is in brackets of its own.
fn is_bracketed(tree: &SyntaxTree, body: NodeId) -> bool {
    let mut children = tree.children(body);
    let first = children.next().is_some_and(|id| tree.text(id) == b"{");
    first && children.last().is_some_and(|id| tree.text(id) == b"}")
}

fn empty(kind: MemberKind, name: String, owner: u32) -> Member {
    Member {
        kind,
        key: name.clone(),
        name,
        simple: WordHash(0),
        owner,
        lines: 0..0,
        body_lines: 0..0,
        head: 0,
        body: 0,
        body_size: 0,
        arity: None,
        of_type: None,
        needs_body: false,
        marks: Marks::default(),
        supers: Vec::new(),
        locals: Vec::new(),
        uses: Vec::new(),
        pointcut: None,
    }
}
