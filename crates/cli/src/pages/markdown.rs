//! Markdown, for pasting into a bug report.

use std::fmt::Write;

use whodunit::Word;
use whodunit::changes::{Cause, ChangeAnswer, ChangesAnswer};

use crate::plan;
use crate::report::changes::{commit, joined, kind, not_carried, place, proof, size};
use crate::report::number;

/// Returns the page.
pub(super) fn page(answer: &ChangesAnswer) -> String {
    let mut page = String::from("## Which change made it fail\n\n");
    summary(&mut page, answer);
    for (place, cause) in answer.causes.iter().enumerate() {
        if answer.causes.len() > 1 {
            let _ = writeln!(page, "### Cause {}\n", place + 1);
        }
        for atom in cause.atomic.iter().flat_map(|atomic| &atomic.culprit) {
            let _ = writeln!(page, "- {} {}: {}", atom.kind, code(&atom.name), atom.description);
        }
        page.push_str(if cause.atomic.is_some() { "\n" } else { "" });
        table(&mut page, &cause.culprit);
        partners(&mut page, cause);
        let _ = writeln!(page, "Proved: {}.\n", text(&proof(answer, cause)));
        for said in not_carried(answer, cause) {
            let _ = writeln!(page, "Beware: {}.\n", text(&said));
        }
        let title = format!("This patch makes {} fail:", code(&cause.culprit_on));
        patch(&mut page, &title, &cause.culprit_patch);
        let title = format!("This patch makes {} pass:", code(&cause.fix_on));
        patch(&mut page, &title, &cause.fix_patch);
    }
    page.push_str("### How to reproduce\n\n");
    fenced(&mut page, "sh", &format!("{}\n", plan::changes::command_line(&answer.settings)));
    page
}

fn summary(page: &mut String, answer: &ChangesAnswer) {
    let settings = &answer.settings;
    let name = |word: &whodunit::Word| code(&word.as_os_str().to_string_lossy());
    let (good, bad) = (name(&settings.good), name(&settings.bad));
    let _ = writeln!(
        page,
        "{} passes in {good} and fails in {bad}: {}.\n",
        code(&answer.command),
        text(&answer.failure)
    );
    for it in &answer.commits {
        let _ = writeln!(page, "- Commit {}", text(&commit(it)));
    }
    for cause in &answer.causes {
        let _ = writeln!(page, "- {}", text(&size(answer, cause)));
    }
    let _ = writeln!(page, "- {} tests\n", number(answer.tests.committed));
}

fn partners(page: &mut String, cause: &Cause) {
    if cause.partners.is_empty() {
        return;
    }
    page.push_str("Each side of the merge passes; it fails together with the other side:\n\n");
    for partner in &cause.partners {
        let _ = writeln!(page, "- Commit {}", text(&commit(&partner.commit)));
    }
    page.push('\n');
    let changes: Vec<ChangeAnswer> =
        cause.partners.iter().flat_map(|partner| partner.changes.clone()).collect();
    if !changes.is_empty() {
        table(page, &changes);
    }
}

fn table(page: &mut String, changes: &[ChangeAnswer]) {
    page.push_str("| where | in | what |\n|---|---|---|\n");
    for change in joined(changes) {
        let ChangeAnswer { item, .. } = &change;
        let item = item.as_deref().map_or_else(String::new, cell);
        let kind = kind(&change).unwrap_or_else(|| "changed".into());
        let _ = writeln!(page, "| {} | {item} | {} |", cell(&place(&change)), text(&kind));
    }
    page.push('\n');
}

fn patch(page: &mut String, title: &str, patch: &Word) {
    let patch = patch.as_os_str().to_string_lossy();
    if !patch.is_empty() {
        let _ = writeln!(page, "{title}\n");
        fenced(page, "diff", &patch);
    }
}

/// Adds a block of code, in a fence that is longer than any in it.
fn fenced(page: &mut String, language: &str, code: &str) {
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    let end = if code.ends_with('\n') { "" } else { "\n" };
    let _ = writeln!(page, "{fence}{language}\n{code}{end}{fence}\n");
}

/// Returns text as code in a cell of a table, where a bar ends the cell even in code.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Returns text as code in a line.
fn code(code: &str) -> String {
    let quotes = "`".repeat(longest_run(code) + 1);
    let code = code.replace(['\n', '\r'], " ");
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{quotes}{pad}{code}{pad}{quotes}")
}

fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
}

/// Returns text in which nothing is markup.
fn text(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        if "\\`*_[]<>|#".contains(char) {
            escaped.push('\\');
        }
        escaped.push(if char == '\n' { ' ' } else { char });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_those_in_the_code() {
        let mut page = String::new();
        fenced(&mut page, "diff", "+```\n");
        assert_eq!(page, "````diff\n+```\n````\n\n");
    }

    #[test]
    fn titles_of_commits_are_no_markup() {
        assert_eq!(text("a_b | <c>"), "a\\_b \\| \\<c\\>");
        assert_eq!(code("a`b|c"), "``a`b|c``");
        assert_eq!(cell("a|b"), "`a\\|b`");
    }
}
