//! Recognises the items of AspectJ, and masks them.

use std::ops::Range;

use super::scan::{Item, Token, TokenSort, item};
use super::{Mark, Masked};
use crate::definitions::member::{MemberKind, Part};

/// Masks everything that is not Java.
pub(super) fn mask(text: &[u8]) -> Masked {
    let mut mask = Mask { text, masked: text.to_vec(), marks: Vec::new() };
    mask.items(0..text.len(), Around::Other);
    let Mask { masked, marks, .. } = mask;
    let text = (masked != text).then_some(masked);
    Masked { text, marks: marks.into_iter().collect() }
}

/// The surroundings of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Aspect,
    Other,
}

struct Mask<'a> {
    text: &'a [u8],
    masked: Vec<u8>,
    marks: Vec<(usize, Mark)>,
}

const ADVICE: &[&[u8]] = &[b"Before", b"After", b"AfterReturning", b"AfterThrowing", b"Around"];

impl Mask<'_> {
    fn items(&mut self, range: Range<usize>, around: Around) {
        let mut at = range.start;
        while let Some(item) = item(self.text, at, range.end) {
            at = item.range.end.max(at + 1);
            self.item(&item, around);
        }
    }

    fn item(&mut self, item: &Item, around: Around) {
        let annotations = self.annotations(&item.head);
        let is_annotated = |at: usize| annotations.iter().any(|(range, ..)| range.contains(&at));
        let head: Vec<Token> =
            item.head.iter().filter(|token| !is_annotated(token.range.start)).cloned().collect();
        let word = |at: usize| head.get(at).map_or(&b""[..], |token| self.word(token));
        let find = |known: &[u8]| head.iter().position(|token| self.word(token) == known);
        let annotated = |names: &[&[u8]]| {
            annotations.iter().find(|(_, name, _)| names.contains(&&**name)).map(|it| it.2.clone())
        };
        let is_type = [&b"class"[..], b"interface", b"enum", b"record"].iter().any(|known| {
            find(known).is_some_and(|at| {
                head[..at].iter().all(|token| {
                    token.sort == TokenSort::Word || token.sort == TokenSort::Sign(b'@')
                }) && head.get(at + 1).is_some_and(|next| next.sort == TokenSort::Word)
            })
        });
        let aspect = find(b"aspect").filter(|&at| {
            let words = head[..=at].iter().all(|token| token.sort == TokenSort::Word);
            words
                && item.body.is_some()
                && head.get(at + 1).is_some_and(|t| t.sort == TokenSort::Word)
        });
        if let (Some(at), Some(body)) = (aspect, &item.body) {
            self.aspect(item, &head, at);
            self.items(body.clone(), Around::Aspect);
            return;
        }
        if is_type {
            let is_aspect = annotated(&[b"Aspect"]).is_some();
            if is_aspect {
                self.mark(item, MemberKind::Aspect, None, None, Vec::new());
            }
            if let Some(body) = &item.body {
                self.items(body.clone(), if is_aspect { Around::Aspect } else { Around::Other });
            }
            return;
        }
        if let Some(at) = find(b"pointcut").filter(|&at| is_group(&head, at + 2)) {
            self.pointcut(item, &head, at);
            return;
        }
        if around == Around::Other {
            return;
        }
        if word(0) == b"declare" {
            self.declaration(item, &head);
        } else if let Some(group) = annotated(ADVICE) {
            self.annotated(item, MemberKind::Advice, group);
        } else if let Some(group) = annotated(&[b"Pointcut"]) {
            self.annotated(item, MemberKind::Pointcut, group);
        } else if let Some(group) = annotated(&[b"DeclareParents", b"DeclareMixin"]) {
            self.annotated(item, MemberKind::HierarchyDeclaration, group);
        } else if let Some(group) = annotated(&[b"DeclarePrecedence"]) {
            self.annotated(item, MemberKind::Precedence, group);
        } else if let Some(group) = annotated(&[b"DeclareWarning", b"DeclareError"]) {
            self.annotated(item, MemberKind::Diagnostic, group);
        } else if let Some(at) = self.advice(&head) {
            self.advice_item(item, &head, at);
        } else {
            self.introduction(item, &head);
        }
    }

    /// Covers up an aspect's head.
    fn aspect(&mut self, item: &Item, head: &[Token], at: usize) {
        self.replace(&head[at].range, b"class");
        for token in &head[..at] {
            if self.word(token) == b"privileged" {
                self.blank(&token.range.clone());
            }
        }
        let per = head.iter().position(|token| {
            let word = self.word(token);
            word.starts_with(b"per") || word == b"issingleton"
        });
        let mut raw = Vec::new();
        if let Some(per) = per.filter(|&per| per > at + 1 && is_group(head, per + 1)) {
            let range = head[per].range.start..head[per + 1].range.end;
            self.blank(&range);
            raw.push((range, Part::Head));
        }
        self.mark(item, MemberKind::Aspect, None, None, raw);
    }

    fn pointcut(&mut self, item: &Item, head: &[Token], at: usize) {
        self.replace(&head[at].range, b"void");
        let after = head[at + 2].range.end;
        let raw = after..item.range.end - 1;
        let text = self.text_of(&raw);
        self.blank(&raw);
        let raw = if text.is_empty() { Vec::new() } else { vec![(raw, Part::Body)] };
        let name = String::from_utf8_lossy(self.word(&head[at + 1])).into_owned();
        self.mark(item, MemberKind::Pointcut, Some(name), Some(text), raw);
    }

    fn declaration(&mut self, item: &Item, head: &[Token]) {
        let kind = match head.get(1).map(|token| self.word(token)) {
            Some(b"parents") => MemberKind::HierarchyDeclaration,
            Some(b"precedence" | b"dominates") => MemberKind::Precedence,
            Some(b"soft") => MemberKind::Soften,
            _ => MemberKind::Diagnostic,
        };
        let raw = item.range.start..item.range.end - 1;
        let text = self.text_of(&raw);
        self.blank(&raw);
        self.replace(&(raw.start..raw.start + 5), b"int d");
        self.mark(item, kind, Some(text.clone()), Some(text), vec![(raw, Part::Head)]);
    }

    /// Finds the word of an advice: one that is followed by parameters and a pointcut.
    fn advice(&self, head: &[Token]) -> Option<usize> {
        let at = head
            .iter()
            .position(|token| matches!(self.word(token), b"before" | b"after" | b"around"))?;
        let is_advice = is_group(head, at + 1)
            && head[at + 1..].iter().any(|token| token.sort == TokenSort::Sign(b':'));
        is_advice.then_some(at)
    }

    fn advice_item(&mut self, item: &Item, head: &[Token], at: usize) {
        let word = self.word(&head[at]).to_vec();
        match word.as_slice() {
            b"before" => self.replace(&head[at].range, b"void b"),
            b"after" => self.replace(&head[at].range, b"int a"),
            _ => {}
        }
        let end = item.body.as_ref().map_or(item.range.end, |body| body.start - 1);
        let raw = head[at + 1].range.end..end;
        let text = self.text_of(&raw);
        // A list of exceptions is plain Java, and can be left out.
        self.blank(&raw);
        let parameters = self.text_of(&head[at + 1].range);
        // Before the colon there may be the returned or thrown value.
        let (when, pointcut) = text.split_once(':').unwrap_or(("", &text));
        let (when, pointcut) = (when.trim(), pointcut.trim().to_owned());
        let space = if when.is_empty() { "" } else { " " };
        let word = String::from_utf8_lossy(&word);
        let name = format!("{word}{parameters}{space}{when}:{pointcut}");
        self.mark(item, MemberKind::Advice, Some(name), Some(pointcut), vec![(raw, Part::Head)]);
    }

    /// Covers up the class that a member is introduced to, if it is.
    fn introduction(&mut self, item: &Item, head: &[Token]) {
        let end = head
            .iter()
            .position(|token| {
                matches!(token.sort, TokenSort::Group | TokenSort::Sign(b'='))
                    && !self.is_array(token)
            })
            .unwrap_or(head.len());
        let is_method = head.get(end).is_some_and(|token| token.sort == TokenSort::Group);
        if end < 3
            || head[end - 1].sort != TokenSort::Word
            || head[end - 2].sort != TokenSort::Sign(b'.')
        {
            return;
        }
        // The words and dots before the name.
        let mut first = end - 2;
        let mut depth = 0;
        while first > 0 {
            let joins = head[first].range.start == head[first - 1].range.end;
            match head[first - 1].sort {
                TokenSort::Sign(b'>') => depth += 1,
                TokenSort::Sign(b'<') if depth > 0 => depth -= 1,
                TokenSort::Word | TokenSort::Sign(b'.') if joins || depth > 0 => {}
                _ if depth > 0 => {}
                _ => break,
            }
            first -= 1;
        }
        let range = head[first].range.start..head[end - 2].range.end;
        let owner = self.text_of(&(range.start..range.end - 1));
        let own = String::from_utf8_lossy(self.word(&head[end - 1])).into_owned();
        if own == "new" {
            let whole = range.start..head[end - 1].range.end;
            self.replace(&whole, b"int n");
        } else {
            self.blank(&range);
        }
        let parameters = if is_method { self.text_of(&head[end].range) } else { String::new() };
        let kind =
            if is_method { MemberKind::IntroducedMethod } else { MemberKind::IntroducedField };
        let name = Some(format!("{owner}.{own}{parameters}"));
        self.mark(item, kind, name, None, vec![(range, Part::Head)]);
        if let Some((_, mark)) = self.marks.last_mut() {
            let owner = owner.split('<').next().unwrap_or_default();
            mark.owner = owner.rsplit('.').next().map(str::to_owned);
        }
    }

    /// Marks a member that an annotation makes something else.
    fn annotated(&mut self, item: &Item, kind: MemberKind, group: Option<Range<usize>>) {
        let part = if kind == MemberKind::Pointcut { Part::Body } else { Part::Head };
        let text = group.as_ref().map_or(String::new(), |group| self.text_of(group));
        let raw = group.map(|group| {
            self.blank(&group);
            (group, part)
        });
        self.mark(item, kind, None, Some(unquoted(&text)), raw.into_iter().collect());
    }

    fn mark(
        &mut self,
        item: &Item,
        kind: MemberKind,
        name: Option<String>,
        pointcut: Option<String>,
        raw: Vec<(Range<usize>, Part)>,
    ) {
        let mark = Mark { kind, name, pointcut, raw, owner: None };
        self.marks.push((item.range.start, mark));
    }

    /// Finds annotations: all of each, its name, and its arguments.
    #[allow(clippy::type_complexity)] // three parts of one thing, used here alone
    fn annotations(&self, head: &[Token]) -> Vec<(Range<usize>, Vec<u8>, Option<Range<usize>>)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < head.len() {
            let is_name = head.get(at + 1).is_some_and(|next| self.word(next) != b"interface");
            if head[at].sort != TokenSort::Sign(b'@') || !is_name {
                at += 1;
                continue;
            }
            let start = head[at].range.start;
            at += 1;
            while head.get(at + 1).is_some_and(|token| token.sort == TokenSort::Sign(b'.')) {
                at += 2;
            }
            let Some(token) = head.get(at) else { break };
            let name = self.word(token).to_vec();
            let group = head.get(at + 1).filter(|next| next.sort == TokenSort::Group);
            let end = group.unwrap_or(token).range.end;
            at += if group.is_some() { 2 } else { 1 };
            found.push((start..end, name, group.map(|group| group.range.clone())));
        }
        found
    }

    fn is_array(&self, token: &Token) -> bool {
        self.text[token.range.start] == b'['
    }

    fn word(&self, token: &Token) -> &[u8] {
        if token.sort == TokenSort::Word { &self.text[token.range.clone()] } else { b"" }
    }

    /// Returns text in one line, without superfluous space.
    fn text_of(&self, range: &Range<usize>) -> String {
        let text = String::from_utf8_lossy(&self.text[range.clone()]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn blank(&mut self, range: &Range<usize>) {
        for byte in &mut self.masked[range.clone()] {
            if !byte.is_ascii_whitespace() {
                *byte = b' ';
            }
        }
    }

    fn replace(&mut self, range: &Range<usize>, by: &[u8]) {
        self.blank(range);
        let by = &by[..by.len().min(range.len())];
        self.masked[range.start..range.start + by.len()].copy_from_slice(by);
    }
}

fn is_group(head: &[Token], at: usize) -> bool {
    head.get(at).is_some_and(|token| token.sort == TokenSort::Group)
}

/// Returns the quoted texts of an annotation, joined.
fn unquoted(text: &str) -> String {
    text.split('"').skip(1).step_by(2).collect()
}
