//! A candidate of an input: a snapshot and the edits of it.

use std::cmp::Ordering;
use std::io;
use std::sync::{Arc, OnceLock};

use whodunit_core::{DeltaSet, TreeCandidate, Verdict};
use whodunit_run::{Key, KeyHasher};
use whodunit_run::{Size, Subject};

use super::changes::Changes;
use super::edits::Edit;
use super::regions::Host;
use super::simplicity::Amount;
use super::snapshot::{InputFile, Snapshot};
use super::structure::Structure;
use super::text_cut::TextCut;
use super::validity::Validity;

/// A state of the input.
#[derive(Clone, Debug)]
pub struct InputCandidate {
    form: Form,
    /// The edits of the base; computed once, because they are needed several times.
    edits: Arc<OnceLock<Vec<Edit>>>,
    /// The size by which candidates are compared; counted when first needed.
    amount: Arc<OnceLock<Amount>>,
    /// The demands on it, if there are any, and whether it meets them; found out when first needed.
    validity: Option<(Arc<Validity>, Arc<OnceLock<bool>>)>,
}

/// How a search describes a state.
#[derive(Clone, Debug)]
enum Form {
    /// Some deltas of a snapshot that was cut.
    Kept { cut: Arc<TextCut>, kept: DeltaSet },
    /// The shown nodes of a snapshot that was parsed.
    Shown { structure: Arc<Structure>, shown: TreeCandidate },
    /// A list of changes, all made but `not_made`.
    Changed { changes: Arc<Changes>, not_made: DeltaSet },
    /// Another text inside a region.
    Nested { host: Arc<Host>, inner: Box<InputCandidate> },
}

impl InputCandidate {
    /// Keeps `kept` of a cut snapshot.
    pub fn new(cut: Arc<TextCut>, kept: DeltaSet) -> Self {
        InputCandidate::from(Form::Kept { cut, kept })
    }

    /// Shows `shown` of `structure`.
    pub fn shown(structure: Arc<Structure>, shown: TreeCandidate) -> Self {
        InputCandidate::from(Form::Shown { structure, shown })
    }

    /// Makes all changes but these.
    pub(super) fn changed(changes: Arc<Changes>, not_made: DeltaSet) -> Self {
        InputCandidate::from(Form::Changed { changes, not_made })
    }

    /// Puts a candidate of the text of a region into the region.
    pub(super) fn nested(host: Arc<Host>, inner: InputCandidate) -> Self {
        InputCandidate::from(Form::Nested { host, inner: Box::new(inner) })
    }

    /// Keeps everything of `base`.
    pub fn whole(base: Arc<Snapshot>) -> Self {
        Self::new(Arc::new(TextCut::uncut(base)), DeltaSet::empty())
    }

    /// Makes a snapshot of the candidate. Files that are not touched are shared.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        let edits = self.edits();
        if edits.is_empty() && !self.drops_some_file() {
            return self.base().clone();
        }
        let mut files = Vec::new();
        self.visit_edited(edits, |file, pieces| {
            let bytes: Arc<[u8]> = match pieces {
                // The very bytes: all of a file may have been replaced by as many others.
                [whole] if std::ptr::eq(*whole, &*file.bytes) => file.bytes.clone(),
                pieces => pieces.concat().into(),
            };
            files.push(InputFile { bytes, ..file.clone() });
            Ok(())
        })
        .expect("building a snapshot does no I/O");
        Arc::new(Snapshot::new(files))
    }

    /// Calls `visit` with each file that is left and the pieces left of it.
    pub(super) fn visit(
        &self,
        visit: impl FnMut(&InputFile, &[&[u8]]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.visit_edited(self.edits(), visit)
    }

    fn base(&self) -> &Arc<Snapshot> {
        match &self.form {
            Form::Kept { cut, .. } => cut.base(),
            Form::Shown { structure, .. } => structure.base(),
            Form::Changed { changes, .. } => changes.base(),
            Form::Nested { host, .. } => host.base(),
        }
    }

    fn from(form: Form) -> Self {
        InputCandidate { form, edits: Arc::default(), amount: Arc::default(), validity: None }
    }

    /// Lets it be asked about only if it meets these demands.
    #[must_use]
    pub fn demanding(self, validity: &Arc<Validity>) -> Self {
        InputCandidate { validity: Some((validity.clone(), Arc::default())), ..self }
    }

    /// Returns whether it does not meet its demands.
    pub fn is_refused(&self) -> bool {
        let Some((validity, holds)) = &self.validity else { return false };
        !*holds.get_or_init(|| validity.holds(&self.snapshot()))
    }

    /// Returns the edits of the base, ascending and without overlaps.
    pub(super) fn edits(&self) -> &[Edit] {
        self.edits.get_or_init(|| match &self.form {
            Form::Kept { cut, kept } => cut.edits(kept),
            Form::Shown { structure, shown } => structure.edits(shown),
            Form::Changed { changes, not_made } => changes.edits(not_made),
            Form::Nested { host, inner } => host.edits(&inner.snapshot().text()),
        })
    }

    fn amount(&self) -> Amount {
        *self.amount.get_or_init(|| {
            let mut amount = Amount::default();
            self.visit(|_, pieces| {
                amount.add_file(pieces);
                Ok(())
            })
            .expect("counting does no I/O");
            amount
        })
    }

    /// Returns whether this content is simpler than another one.
    pub fn is_simpler_than(&self, other: &InputCandidate) -> bool {
        let texts = |candidate: &InputCandidate| -> Vec<Arc<[u8]>> {
            candidate.snapshot().files().iter().map(|file| file.bytes.clone()).collect()
        };
        match self.amount().cmp(&other.amount()) {
            Ordering::Equal => texts(self) < texts(other),
            order => order.is_lt(),
        }
    }

    fn visit_edited(
        &self,
        edits: &[Edit],
        mut visit: impl FnMut(&InputFile, &[&[u8]]) -> io::Result<()>,
    ) -> io::Result<()> {
        let base = self.base();
        let mut edits = edits.iter().peekable();
        let mut pieces = Vec::new();
        for (index, file) in base.files().iter().enumerate() {
            let addresses = base.addresses(index);
            // An edit may cover several files if all of them are dropped.
            while edits
                .next_if(|edit| {
                    edit.range.end <= addresses.start && edit.range.start < addresses.start
                })
                .is_some()
            {}
            if self.drops_file(index) {
                continue;
            }
            let mut at = addresses.start;
            pieces.clear();
            while let Some(edit) = edits.peek().filter(|edit| edit.range.start < addresses.end) {
                if edit.range.start > at {
                    pieces.push(base.slice(index, at..edit.range.start));
                }
                if !edit.text.is_empty() {
                    pieces.push(&edit.text);
                }
                at = at.max(edit.range.end.min(addresses.end));
                if edit.range.end > addresses.end {
                    break;
                }
                edits.next();
            }
            if at < addresses.end {
                pieces.push(base.slice(index, at..addresses.end));
            }
            visit(file, &pieces)?;
        }
        Ok(())
    }

    fn drops_file(&self, file: usize) -> bool {
        match &self.form {
            Form::Kept { cut, kept } => cut.drops_file(file, kept),
            Form::Shown { structure, shown } => structure.drops_file(file, shown),
            Form::Changed { changes, not_made } => changes.drops_file(file, not_made),
            Form::Nested { .. } => false,
        }
    }

    fn drops_some_file(&self) -> bool {
        (0..self.base().files().len()).any(|file| self.drops_file(file))
    }
}

/// The subject of `reduce`: its candidates carry everything.
#[derive(Clone, Copy, Debug)]
pub struct Input;

impl Subject for Input {
    type Candidate = InputCandidate;

    fn key(&self, candidate: &InputCandidate) -> Key {
        let mut hasher = KeyHasher::new();
        candidate
            .visit(|file, pieces| {
                use std::os::unix::ffi::OsStrExt;
                let name = file.name.as_os_str().as_bytes();
                let length: usize = pieces.iter().map(|piece| piece.len()).sum();
                hasher.update_delimited(name);
                hasher.update(&(length as u64).to_le_bytes());
                for piece in pieces {
                    hasher.update(piece);
                }
                Ok(())
            })
            .expect("hashing does no I/O");
        hasher.finish()
    }

    fn size(&self, candidate: &InputCandidate) -> Size {
        let edits = candidate.edits();
        let gone: u64 = edits.iter().map(|edit| edit.range.end - edit.range.start).sum();
        let come: u64 = edits.iter().map(|edit| edit.text.len() as u64).sum();
        let deltas = match &candidate.form {
            Form::Kept { kept, .. } => kept.len(),
            Form::Shown { shown, .. } => shown.kept().len(),
            Form::Changed { not_made, .. } => not_made.len(),
            Form::Nested { inner, .. } => self.size(inner).deltas,
        };
        Size { deltas, bytes: candidate.base().len() + come - gone }
    }

    fn foretell(&self, candidate: &InputCandidate) -> Option<Verdict> {
        if candidate.is_refused() {
            return Some(Verdict::Unresolved);
        }
        match &candidate.form {
            Form::Kept { .. } => None,
            Form::Shown { structure, shown } => structure.foretell(shown, candidate.edits()),
            Form::Changed { changes, not_made } => changes.foretell(not_made),
            // Plain text that cannot be written in the region's format cannot be tested.
            Form::Nested { host, inner } => match host.encode(&inner.snapshot().text()) {
                Some(_) => self.foretell(inner),
                None => Some(Verdict::Unresolved),
            },
        }
    }
}
