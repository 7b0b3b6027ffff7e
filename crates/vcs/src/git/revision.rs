//! Resolves a text of a user to a commit.

use super::CommitInfo;
use super::store::{Named, Store};
use crate::{Error, ObjectId, date, near};

/// Returns the commit that a text names.
pub(super) fn resolve(store: &Store, spec: &str) -> Result<CommitInfo, Error> {
    if is_range(spec) {
        return Err(Error::Range { spec: spec.to_owned() });
    }
    if let Some((branch, latest)) = as_date(store, spec)? {
        let tip = resolve_name(store, branch)?;
        return store.commit(last_until(store, tip, latest, spec)?);
    }
    store.commit(resolve_name(store, spec)?)
}

/// Whether a text is a range: it has two dots outside of braces.
fn is_range(spec: &str) -> bool {
    let mut depth = 0_usize;
    for (place, byte) in spec.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'.' if depth == 0 && spec[place..].starts_with("..") => return true,
            _ => {}
        }
    }
    false
}

/// Returns the branch and the time, if the text is a date.
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

/// Returns the commit that a name, with the steps after it, leads to.
fn resolve_name(store: &Store, spec: &str) -> Result<ObjectId, Error> {
    let begins = spec.find(['~', '^']).unwrap_or(spec.len());
    match parse_steps(&spec[begins..]) {
        Some(steps) => walk(store, find(store, &spec[..begins], spec)?, &steps, spec),
        None => find(store, spec, spec),
    }
}

/// Steps from a commit to one of its ancestors.
struct ParentStep {
    /// The number of steps.
    generations: usize,
    /// The number of the parent in each.
    parent: usize,
}

/// Reads steps like `~3^2`; `None` if the text is anything else.
fn parse_steps(text: &str) -> Option<Vec<ParentStep>> {
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
            _ if is_chain => ParentStep { generations: count, parent: 0 },
            0 => ParentStep { generations: 0, parent: 0 },
            _ => ParentStep { generations: 1, parent: count - 1 },
        });
        rest = &after[digits..];
    }
    Some(steps)
}

fn walk(
    store: &Store,
    start: ObjectId,
    steps: &[ParentStep],
    spec: &str,
) -> Result<ObjectId, Error> {
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

/// Returns the commit of a name, which is the requested text or a part of it.
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
        Named::Nothing(None) if name == "HEAD" => Err(Error::NoCommits),
        Named::Nothing(None) => {
            let near = near::suggest(name, &store.names()?);
            Err(Error::UnknownRevision { spec, near })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_range;

    #[test]
    fn dots_in_braces_make_no_range() {
        assert!(is_range("a..b") && is_range("v1.4...v1.5") && is_range("..b"));
        assert!(!is_range("v1.4") && !is_range("HEAD^{/a..b}"));
    }
}
