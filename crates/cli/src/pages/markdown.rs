//! Markdown, for pasting into a bug report.

use std::fmt::Write;

use whodunit_jobs::changes::{Cause, ChangeAnswer};

use super::view::{Block, Does, PatchView, Section, View};
use crate::inert::{markdown as text, plain};
use crate::report::changes::{commit, joined, kind, place};

/// Returns the page.
pub(super) fn page(view: &View<'_>) -> String {
    let mut page = format!("## {}\n\n", view.title);
    if let Some(why) = &view.not_done {
        let _ = writeln!(page, "**Not done:** {}.\n", text(why));
    }
    summary(&mut page, view);
    for (place, it) in view.causes.iter().enumerate() {
        if view.causes.len() > 1 {
            let _ = writeln!(page, "### Cause {}\n", place + 1);
        }
        for atom in it.cause.atomic.iter().flat_map(|atomic| &atomic.culprit) {
            let _ = writeln!(page, "- {} {}: {}", atom.kind, code(&atom.name), atom.description);
        }
        page.push_str(if it.cause.atomic.is_some() { "\n" } else { "" });
        table(&mut page, &it.cause.culprit);
        partners(&mut page, it.cause);
        let (first, rest) = it.certainty.split_at(1);
        let _ = writeln!(page, "{}{rest}: {}.\n", first.to_uppercase(), text(&it.proof));
        for said in &it.beware {
            let _ = writeln!(page, "Beware: {}.\n", text(said));
        }
        it.patches.iter().for_each(|it| patch(&mut page, it));
    }
    view.sections.iter().for_each(|it| section(&mut page, it));
    page.push_str("### How to reproduce\n\n");
    fenced(&mut page, "sh", &format!("{}\n", view.command_line));
    page
}

fn summary(page: &mut String, view: &View<'_>) {
    let ends: Vec<String> =
        view.ends.iter().map(|(does, name)| format!("{does} {}", code(name))).collect();
    let (command, ends, failure) = (code(view.command), ends.join(" and "), text(view.failure));
    let _ = writeln!(page, "{command} {ends}: {failure}.\n");
    for fact in &view.facts {
        let _ = writeln!(page, "{}- {}", "  ".repeat(fact.depth), text(&fact.text));
    }
    page.push('\n');
}

fn section(page: &mut String, section: &Section<'_>) {
    let _ = writeln!(page, "### {}\n", section.heading);
    for block in &section.blocks {
        match block {
            Block::Text(said) => {
                let _ = writeln!(page, "{}\n", text(said));
            }
            Block::List(lines) => {
                for line in lines {
                    let _ = writeln!(page, "- {}", text(line));
                }
                page.push('\n');
            }
            Block::Table { head, rows } => {
                let _ = writeln!(page, "| {} |\n|---|---|---|", head.join(" | "));
                for [version, number, said] in rows {
                    let _ =
                        writeln!(page, "| {} | {} | {} |", cell(version), text(number), text(said));
                }
                page.push('\n');
            }
            Block::Patch(it) => patch(page, it),
        }
    }
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

fn patch(page: &mut String, it: &PatchView<'_>) {
    let on = code(&it.on);
    let title = match it.does {
        Does::MakeItFail => format!("This patch makes {on} fail:"),
        Does::MakeItPass => format!("This patch makes {on} pass:"),
        Does::ShowAPlace => {
            format!("With this change {on} passes. It is a place to look at, and no repair:")
        }
        Does::LetTheTestRun => format!("This patch lets the test run in {on}:"),
    };
    let patch = it.patch.as_os_str().to_string_lossy();
    if !patch.is_empty() {
        let _ = writeln!(page, "{title}\n");
        fenced(page, "diff", &patch);
    }
}

/// Adds a block of code, in a fence longer than any run of backticks in the code.
fn fenced(page: &mut String, language: &str, code: &str) {
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    let code = &plain(code);
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
    let code = plain(code).replace(['\n', '\t'], " ");
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{quotes}{pad}{code}{pad}{quotes}")
}

fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or(0)
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
