//! The formats of coverage files, recognised by the content; each file has one format.
//!
//! LCOV is parsed by hand: four of its records matter here, and each release of the tool adds new
//! ones, which a strict parser refuses.

mod coverage_py;
mod gcov;
mod go;
mod jacoco;
mod lcov;
mod llvm;
mod v8;

use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use v8::{CALLED, read_v8};

use crate::error::{FoundText, Problem, ReadError, Trouble};
use crate::{CoverageFile, Source, xml};

/// Bytes of an unpacked file; a larger one is refused, because it does not list lines. Chosen by
/// hand.
const MAX_UNPACKED_BYTES: u64 = 1 << 31;

/// A format of coverage files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// XML of JaCoCo. Names of files begin at their package.
    JaCoCo,
    /// Trace files of LCOV, which many tools write; sections may belong to tests.
    Lcov,
    /// JSON of `llvm-cov export`.
    LlvmCov,
    /// JSON of `gcov --json-format`, one document or several.
    Gcov,
    /// JSON of coverage.py; with contexts it distinguishes tests.
    CoveragePy,
    /// The output of `go test -coverprofile`.
    Go,
    /// Reports of tests in the XML of JUnit: no coverage, but read here too.
    JUnit,
    /// XML of an unknown format, because it is broken.
    Xml,
    /// JSON of an unknown format, because it is broken.
    Json,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::JaCoCo => "JaCoCo XML",
            Format::Lcov => "LCOV file",
            Format::LlvmCov => "llvm-cov JSON",
            Format::Gcov => "gcov JSON",
            Format::CoveragePy => "coverage.py JSON",
            Format::Go => "cover profile of Go",
            Format::JUnit => "JUnit report",
            Format::Xml => "XML",
            Format::Json => "JSON",
        })
    }
}

/// Reads a coverage file of any format, packed with gzip or not.
pub fn read(source: Source<'_>) -> Result<CoverageFile, ReadError> {
    read_bytes(source.bytes).map_err(|trouble| trouble.named(source.name))
}

/// Whether a file begins like one of the formats, so that [`read`] can tell what is wrong with it.
pub fn looks_like_coverage(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || family(without_mark(bytes)).is_some()
}

const GZIP: &[u8] = &[0x1f, 0x8b];

/// The family of formats that the beginning of a file shows.
enum Family {
    Xml,
    Json,
    Lcov,
    Go,
}

fn family(text: &[u8]) -> Option<Family> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    // LCOV has comments.
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
    match first {
        [b'<', ..] => Some(Family::Xml),
        [b'{', ..] => Some(Family::Json),
        [b'T', b'N', b':', ..] | [b'S', b'F', b':', ..] => Some(Family::Lcov),
        _ if first.starts_with(b"mode:") => Some(Family::Go),
        _ => None,
    }
}

fn read_bytes(bytes: &[u8]) -> Result<CoverageFile, Trouble> {
    if bytes.starts_with(GZIP) {
        return read_bytes(&unpacked(bytes)?);
    }
    let text = without_mark(bytes);
    if text.trim_ascii().is_empty() {
        return Err(Problem::Empty.into());
    }
    let format = match family(text).ok_or(Problem::Unknown(FoundText::default()))? {
        Family::Xml => Format::JaCoCo,
        Family::Json => json_format(text)?,
        Family::Lcov => Format::Lcov,
        Family::Go => Format::Go,
    };
    let file = match format {
        Format::LlvmCov => llvm::read(text),
        Format::Gcov => gcov::read(text),
        Format::CoveragePy => coverage_py::read(text),
        Format::Lcov => lcov::read(text),
        Format::Go => go::read(text),
        Format::JaCoCo | Format::JUnit | Format::Xml | Format::Json => {
            xml::with_root(text, jacoco::read)
        }
    }?;
    if file.outside.files.is_empty() && file.tests.values().all(|test| test.files.is_empty()) {
        return Err(Problem::NoFiles(format).into());
    }
    Ok(file)
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes).take(MAX_UNPACKED_BYTES);
    let problem = |problem: String| Trouble::from(Problem::Packed(problem));
    reader.read_to_end(&mut unpacked).map_err(|error| problem(error.to_string()))?;
    if unpacked.len() as u64 == MAX_UNPACKED_BYTES {
        return Err(problem(format!("it has more than {MAX_UNPACKED_BYTES} bytes")));
    }
    if unpacked.starts_with(GZIP) {
        return Err(problem("it is packed twice".into()));
    }
    Ok(unpacked)
}

/// Returns the text without the mark of its encoding that some tools put before it.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Keys that distinguish the JSON formats.
#[derive(Deserialize)]
struct Probe {
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
    data: Option<IgnoredAny>,
    meta: Option<IgnoredAny>,
    gcc_version: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
}

fn json_format(text: &[u8]) -> Result<Format, Trouble> {
    // gcov writes several documents, and the first is like the others.
    let mut documents = serde_json::Deserializer::from_slice(text).into_iter();
    let probe = match documents.next() {
        Some(probe) => probe.map_err(|error| Trouble::json(Format::Json, &error))?,
        None => return Err(Problem::Empty.into()),
    };
    match probe {
        Probe { kind: Some(_), data: Some(_), .. } => Ok(Format::LlvmCov),
        Probe { gcc_version: Some(_), files: Some(_), .. } => Ok(Format::Gcov),
        Probe { meta: Some(_), files: Some(_), .. } => Ok(Format::CoveragePy),
        _ => Err(Problem::Unknown(FoundText(Some("some other JSON".into()))).into()),
    }
}

/// Whether a count means that a line was executed. Tools write numbers of any size here, and
/// negative ones when a counter overflowed.
fn is_executed(count: f64) -> bool {
    count > 0.0
}
