//! The versions of a module as a row.

use std::sync::Arc;

use super::fetch::{Fetcher, Near, Wanted};
use super::versions::{self, Row, Together, Version};
use crate::lineage::is_within;
use crate::{Beginning, Error, Lineage, Listing, Revision, Span, Time, date};

/// A row of versions; see [`Repository::lineage`](super::Repository::lineage).
#[derive(Clone, Debug)]
pub struct Versions {
    fetcher: Arc<Fetcher>,
    row: Arc<Row>,
    branch: Option<String>,
    /// The bytes of the paths that are the module.
    prefix: usize,
    /// The places of the versions in `row`, newest first.
    places: Vec<usize>,
    beginning: Beginning,
}

impl Lineage for Versions {
    fn len(&self) -> usize {
        self.places.len()
    }

    fn revision(&self, place: usize) -> Result<Revision, Error> {
        let version = &self.row.versions[self.places[place]];
        let id = (self.places[place] + 1).to_string();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Revision {
            short_id: id.clone(),
            id,
            author: text(&version.author),
            time: Some(Time { seconds: version.seconds, offset: 0 }),
            message: text(&version.message),
        })
    }

    fn list(&self, place: usize) -> Result<Listing, Error> {
        let version = self.places[place];
        let wanted = self.row.files.iter().filter_map(|file| {
            let revision = file.revision(version)?;
            Some(Wanted { place: &file.path, path: &file.path[self.prefix..], revision })
        });
        let seconds = self.row.versions[version].seconds;
        let near = Near { seconds, branch: self.branch.as_deref() };
        self.fetcher.list(&wanted.collect::<Vec<_>>(), &near)
    }

    fn beginning(&self) -> Beginning {
        self.beginning
    }
}

/// Reads the log, and puts it together.
pub(super) fn read(
    fetcher: &Arc<Fetcher>,
    module: &str,
    branch: Option<&str>,
    span: &Span,
    together: Together,
) -> Result<Versions, Error> {
    let logged = fetcher.log(branch.is_some())?;
    if let Some(name) = branch
        && !logged.iter().any(|file| file.branches.iter().any(|(it, _)| it == name.as_bytes()))
    {
        return Err(Error::UnknownRevision { spec: name.to_owned(), near: Vec::new() });
    }
    let row = versions::gather(&logged, branch, together);
    let prefix = prefix(&row, module);

    let until = span.until.as_deref().map(|spec| bound(&row, spec, date::parse)).transpose()?;
    let since =
        span.since.as_deref().map(|spec| bound(&row, spec, date::parse_first)).transpose()?;
    let is_new = |bound: &Bound, place: usize, version: &Version| match bound {
        Bound::Place(oldest) => place < *oldest,
        Bound::Seconds(oldest) => version.seconds < *oldest,
    };
    let is_late = |bound: &Bound, place: usize, version: &Version| match bound {
        Bound::Place(newest) => place > *newest,
        Bound::Seconds(newest) => version.seconds > *newest,
    };
    let paths = span.plain_paths();
    let touches = |version: &Version| {
        let mut files = version.files.iter();
        files.any(|file| is_within(&row.files[*file].path[prefix..], &paths))
    };
    let mut places = Vec::new();
    let mut beginning = Beginning::Root;
    for (place, version) in row.versions.iter().enumerate().rev() {
        if until.as_ref().is_some_and(|until| is_late(until, place, version)) {
            continue;
        }
        if since.as_ref().is_some_and(|since| is_new(since, place, version)) {
            beginning = Beginning::Bound;
            break;
        }
        let is_requested = matches!(since, Some(Bound::Place(oldest)) if oldest == place);
        if places.is_empty() || is_requested || touches(version) {
            places.push(place);
        }
    }
    if places.is_empty() {
        return Err(Error::NoVersions);
    }
    // The requested paths excluded older versions.
    if places.last() != Some(&0) {
        beginning = Beginning::Bound;
    }
    let (fetcher, row) = (fetcher.clone(), Arc::new(row));
    let branch = branch.map(String::from);
    Ok(Versions { fetcher, row, branch, prefix, places, beginning })
}

/// Returns the length of the common folder of all paths. That is the module, unless its name
/// stands for a folder elsewhere.
fn prefix(row: &Row, module: &str) -> usize {
    let within = format!("{module}/");
    if row.files.iter().all(|file| file.path.starts_with(within.as_bytes())) {
        return within.len();
    }
    let folder = |path: &[u8]| path.iter().rposition(|byte| *byte == b'/').map_or(0, |end| end + 1);
    let Some(first) = row.files.first() else { return 0 };
    let mut common = folder(&first.path);
    for file in &row.files {
        let alike = first.path.iter().zip(&file.path).take_while(|(one, other)| one == other);
        common = common.min(alike.count());
    }
    folder(&first.path[..common])
}

/// A bound of the requested part.
enum Bound {
    Place(usize),
    Seconds(i64),
}

fn bound(row: &Row, spec: &str, moment: fn(&str) -> Option<i64>) -> Result<Bound, Error> {
    let number = spec.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(place) = number.filter(|place| *place < row.versions.len()) {
        return Ok(Bound::Place(place));
    }
    let unknown = || Error::UnknownRevision { spec: spec.to_owned(), near: Vec::new() };
    moment(spec).map(Bound::Seconds).ok_or_else(unknown)
}
