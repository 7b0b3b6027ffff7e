//! From what a user writes to a commit.

use super::store::{Named, Store};
use super::{CommitInfo, history};
use crate::{Error, ObjectId, date, near};

/// Two ends of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The end without its own commit.
    pub from: CommitInfo,
    /// The end with its own commit.
    pub to: CommitInfo,
}

/// Returns the commit that something names.
pub(super) fn resolve(store: &Store, spec: &str) -> Result<CommitInfo, Error> {
    if split_range(spec).is_some() {
        return Err(Error::Range { spec: spec.to_owned() });
    }
    if let Some((branch, latest)) = as_date(store, spec)? {
        let tip = resolve_name(store, branch)?;
        return store.commit(last_until(store, tip, latest, spec)?);
    }
    store.commit(resolve_name(store, spec)?)
}

/// Returns the ends of a range, if it is one.
pub(super) fn resolve_range(store: &Store, spec: &str) -> Result<Option<Range>, Error> {
    let Some((from, since_parted, to)) = split_range(spec) else {
        return Ok(None);
    };
    let [from, to] = [from, to].map(|end| if end.is_empty() { "HEAD" } else { end });
    let (mut from, to) = (resolve(store, from)?, resolve(store, to)?);
    if since_parted {
        let parted = history::merge_base(store, from.id, to.id)?;
        let unknown = || Error::UnknownRevision { spec: spec.to_owned(), near: Vec::new() };
        from = store.commit(parted.ok_or_else(unknown)?)?;
    }
    Ok(Some(Range { from, to }))
}

/// Splits a range at its dots, which are not those within braces; says whether there are three.
fn split_range(spec: &str) -> Option<(&str, bool, &str)> {
    let mut depth = 0_usize;
    for (place, byte) in spec.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'.' if depth == 0 && spec[place..].starts_with("..") => {
                let (from, rest) = (&spec[..place], &spec[place + 2..]);
                return Some(match rest.strip_prefix('.') {
                    Some(to) => (from, true, to),
                    None => (from, false, rest),
                });
            }
            _ => {}
        }
    }
    None
}

/// Returns the branch and the time, if this is a date.
fn as_date<'a>(store: &Store, spec: &'a str) -> Result<Option<(&'a str, i64)>, Error> {
    let in_braces = spec.strip_suffix('}').and_then(|rest| rest.split_once("@{"));
    let (branch, text) = match in_braces {
        Some((branch, text)) => (if branch.is_empty() { "HEAD" } else { branch }, text),
        None => ("HEAD", spec),
    };
    let Some(latest) = date::parse(text) else {
        return Ok(None);
    };
    let is_name = in_braces.is_none() && store.has_reference(spec)?;
    Ok((!is_name).then_some((branch, latest)))
}

/// Returns the last commit until some time, along first parents.
fn last_until(store: &Store, tip: ObjectId, latest: i64, spec: &str) -> Result<ObjectId, Error> {
    let shallow = store.shallow_commits()?;
    let mut commit = store.links(tip)?;
    while commit.committed.seconds > latest {
        if shallow.contains(&commit.id) {
            return Err(Error::Shallow { what: spec.to_owned() });
        }
        let Some(parent) = commit.parents.first() else {
            let first = commit.committed.to_string();
            return Err(Error::NoCommitAsOld { spec: spec.to_owned(), first });
        };
        commit = store.links(*parent)?;
    }
    Ok(commit.id)
}

/// Returns the commit that a name and steps from there lead to.
fn resolve_name(store: &Store, spec: &str) -> Result<ObjectId, Error> {
    let begins = spec.find(['~', '^']).unwrap_or(spec.len());
    match parse_steps(&spec[begins..]) {
        Some(steps) => walk(store, find(store, &spec[..begins], spec)?, &steps, spec),
        None => find(store, spec, spec),
    }
}

/// From a commit to a parent of it.
struct Step {
    /// How many times.
    generations: usize,
    /// Which of the parents.
    parent: usize,
}

/// Reads steps like `~3^2`; nothing if there is more than steps.
fn parse_steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("^{commit}").or(rest.strip_prefix("^{}")) {
            rest = after;
            continue;
        }
        let is_chain = rest.starts_with('~');
        let after = rest.strip_prefix(['~', '^'])?;
        if after.starts_with(['{', '@', '!', '-']) {
            return None;
        }
        let digits = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
        let count = if digits == 0 { 1 } else { after[..digits].parse::<usize>().ok()? };
        steps.push(match count {
            _ if is_chain => Step { generations: count, parent: 0 },
            0 => Step { generations: 0, parent: 0 },
            _ => Step { generations: 1, parent: count - 1 },
        });
        rest = &after[digits..];
    }
    Some(steps)
}

fn walk(store: &Store, start: ObjectId, steps: &[Step], spec: &str) -> Result<ObjectId, Error> {
    let shallow = store.shallow_commits()?;
    let mut id = start;
    for step in steps {
        for _ in 0..step.generations {
            let commit = store.links(id)?;
            let Some(parent) = commit.parents.get(step.parent) else {
                return Err(Error::UnknownRevision { spec: spec.to_owned(), near: Vec::new() });
            };
            if shallow.contains(&id) {
                return Err(Error::Shallow { what: spec.to_owned() });
            }
            id = *parent;
        }
    }
    Ok(id)
}

/// Returns the commit of a name, which is what was asked for or a part of it.
fn find(store: &Store, name: &str, spec: &str) -> Result<ObjectId, Error> {
    let spec = spec.to_owned();
    match store.find_name(name)? {
        Named::Commit(id) => Ok(id),
        Named::Other(kind) => Err(Error::NotACommit { spec, kind }),
        Named::Several(candidates) => Err(Error::AmbiguousRevision { spec, candidates }),
        Named::Nothing(Some(source)) => {
            Err(Error::Repository { what: format!("the revision `{spec}`"), source })
        }
        Named::Nothing(None) if ObjectId::from_hex(name).is_some() && store.is_shallow()? => {
            Err(Error::Shallow { what: spec })
        }
        Named::Nothing(None) => {
            let near = near::suggest(name, &store.names()?);
            Err(Error::UnknownRevision { spec, near })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split_range;

    #[test]
    fn dots_in_braces_make_no_range() {
        assert_eq!(split_range("a..b"), Some(("a", false, "b")));
        assert_eq!(split_range("v1.4...v1.5"), Some(("v1.4", true, "v1.5")));
        assert_eq!(split_range("..b"), Some(("", false, "b")));
        assert_eq!(split_range("v1.4"), None);
        assert_eq!(split_range("HEAD^{/a..b}"), None);
    }
}
