//! The revisions of a folder as a row.

use std::sync::Arc;

use super::Folder;
use super::answers::{self, Logged};
use super::checkout::Checkout;
use crate::{Beginning, Error, Lineage, Listing, Revision, Span, date};

/// A row of revisions; see [`Repository::lineage`](super::Repository::lineage).
#[derive(Debug)]
pub struct Revisions {
    checkout: Checkout,
    logged: Vec<Logged>,
    beginning: Beginning,
}

impl Revisions {
    /// Returns the number of a revision.
    pub fn number(&self, place: usize) -> u64 {
        self.logged[place].number
    }
}

impl Lineage for Revisions {
    fn len(&self) -> usize {
        self.logged.len()
    }

    fn revision(&self, place: usize) -> Result<Revision, Error> {
        let logged = &self.logged[place];
        let id = format!("r{}", logged.number);
        Ok(Revision {
            short_id: id.clone(),
            id,
            author: logged.author.clone(),
            time: logged.time,
            message: logged.message.clone(),
        })
    }

    fn list(&self, place: usize) -> Result<Listing, Error> {
        self.checkout.list(self.logged[place].number)
    }

    fn beginning(&self) -> Beginning {
        self.beginning
    }
}

/// Reads the log.
pub(super) fn read(folder: &Arc<Folder>, span: &Span) -> Result<Revisions, Error> {
    let newest = match &span.until {
        Some(spec) => Bound::of(folder, spec)?.last(),
        None => folder.place.revision.to_string(),
    };
    let mut logged = log(folder, &newest, &[])?;
    let since = span.since.as_deref().map(|spec| Bound::of(folder, spec)).transpose()?;
    let paths = span.plain_paths();
    if !paths.is_empty() {
        let tip = logged.first().cloned();
        let oldest = match &since {
            Some(Bound::Number(number)) => logged.iter().find(|it| it.number <= *number).cloned(),
            _ => None,
        };
        logged = log(folder, &newest, &paths)?;
        for end in [tip, oldest].into_iter().flatten() {
            let place = logged.partition_point(|it| it.number > end.number);
            if logged.get(place).is_none_or(|it| it.number != end.number) {
                logged.insert(place, end);
            }
        }
    }
    let count = logged.len();
    match since {
        Some(Bound::Number(number)) => {
            // The state at that revision is the result of the last change before it.
            let newer = logged.iter().take_while(|logged| logged.number > number).count();
            logged.truncate(newer + 1);
        }
        Some(Bound::Day { first, .. }) => {
            let is_younger = |logged: &&Logged| logged.time.is_none_or(|it| it.seconds >= first);
            let younger = logged.iter().take_while(is_younger).count();
            logged.truncate(younger);
        }
        None => {}
    }
    if logged.is_empty() {
        return Err(Error::NoVersions);
    }
    // With paths only the revisions that touch these are listed, so there may be older
    // ones.
    let is_whole = logged.len() == count && span.paths.is_empty();
    let beginning = if is_whole { Beginning::Root } else { Beginning::Bound };
    Ok(Revisions { checkout: Checkout::new(folder)?, logged, beginning })
}

fn log(folder: &Folder, newest: &str, paths: &[Vec<u8>]) -> Result<Vec<Logged>, Error> {
    let target = folder.target();
    let range = format!("{newest}:1");
    let paths: Vec<String> =
        paths.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    let mut arguments = vec!["log", "--xml", "-r", &range, &target];
    arguments.extend(paths.iter().map(String::as_str));
    folder.ask(None, &arguments, answers::log)
}

/// A bound of the requested part.
enum Bound {
    Number(u64),
    /// A date: its first and its last second.
    Day {
        first: i64,
        last: i64,
    },
}

impl Bound {
    fn of(folder: &Folder, spec: &str) -> Result<Self, Error> {
        let head = folder.place.revision;
        let number = spec.strip_prefix(['r', 'R']).unwrap_or(spec);
        if spec == "HEAD" {
            return Ok(Self::Number(head));
        }
        if let Some(number) = number.parse().ok().filter(|number| *number <= head) {
            return Ok(Self::Number(number));
        }
        match (date::parse_first(spec), date::parse(spec)) {
            (Some(first), Some(last)) => Ok(Self::Day { first, last }),
            _ => Err(Error::UnknownRevision { spec: spec.to_owned(), near: Vec::new() }),
        }
    }

    /// Returns the last revision within the bound, as the client writes it.
    fn last(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            // Times of revisions have fractions of seconds.
            Self::Day { last, .. } => {
                format!("{{{}.999999Z}}", date::format(*last).replace(' ', "T"))
            }
        }
    }
}
