//! Errors in reading a version, one variant for each thing a user can do something about.

use std::io;
use std::path::PathBuf;

use crate::ObjectId;

/// The error of a library.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a version or a history cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Neither the folder nor one above it belongs to a repository.
    #[error("not a git repository: {}", path.components().collect::<PathBuf>().display())]
    NoRepository {
        /// Where the search began.
        path: PathBuf,
    },
    /// There is a repository, but it cannot be opened.
    #[error("the git repository of `{}` cannot be opened", path.display())]
    Unopenable {
        /// Where the search began.
        path: PathBuf,
        /// Why not.
        source: Cause,
    },
    /// There is a repository whose branches and tags are not kept in files.
    #[error(
        "the git repository of `{}` keeps its branches as `{format}`, which cannot be read",
        path.display()
    )]
    ForeignNames {
        /// Where the search began.
        path: PathBuf,
        /// How git calls the format.
        format: String,
    },
    /// No commit goes by this name.
    #[error("there is no revision `{spec}`")]
    UnknownRevision {
        /// The requested name.
        spec: String,
        /// Names of tags and branches that look alike, best first.
        near: Vec<String>,
    },
    /// The repository has no commit at all.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// Several commits go by this name.
    #[error("`{spec}` is short for several objects: {}", candidates.join(", "))]
    AmbiguousRevision {
        /// The requested name.
        spec: String,
        /// The ids it may stand for.
        candidates: Vec<String>,
    },
    /// The name belongs to a file or folder instead of a commit.
    #[error("`{spec}` is a {kind}, not a commit")]
    NotACommit {
        /// The requested name.
        spec: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A range was given where one revision is meant.
    #[error("`{spec}` is a range, not one revision")]
    Range {
        /// The given text.
        spec: String,
    },
    /// The branch begins later than the date.
    #[error("no commit is as old as `{spec}`: the first one is of {first}")]
    NoCommitAsOld {
        /// The requested name.
        spec: String,
        /// The date of the oldest commit.
        first: String,
    },
    /// The requested part of a history is empty.
    #[error("no version lies within the bounds that were given")]
    NoVersions,
    /// Something lies beyond the depth to which the repository was fetched.
    #[error("`{what}` is not here: the repository is shallow")]
    Shallow {
        /// The requested name.
        what: String,
    },
    /// An object is not in the repository.
    #[error("the object {id} is missing in the repository")]
    MissingObject {
        /// Which one.
        id: ObjectId,
    },
    /// An object was left on the server.
    #[error("the object {id} is not here: the repository is a partial clone")]
    NotFetched {
        /// Which one.
        id: ObjectId,
    },
    /// An object is there but its content is damaged.
    #[error("the object {id} is corrupt")]
    CorruptObject {
        /// Which one.
        id: ObjectId,
        /// The problem.
        source: Cause,
    },
    /// The repository did not answer, for a reason outside its contents.
    #[error("reading {what} from the repository failed")]
    Repository {
        /// The thing that was read.
        what: String,
        /// Why it failed.
        source: Cause,
    },
    /// The client program of a version control system is not there.
    #[error("there is no program `{}`", program.display())]
    NoClient {
        /// Which one.
        program: PathBuf,
    },
    /// The client program failed, and will do so again.
    #[error("`{command}` failed: {said}")]
    Client {
        /// The program and its command.
        command: String,
        /// Its message.
        said: String,
    },
    /// The client program waited for a server or a lock, again and again.
    #[error("`{command}` failed {attempts} times: {said}")]
    Unreachable {
        /// The program and its command.
        command: String,
        /// How often it was tried.
        attempts: u32,
        /// Its last message.
        said: String,
    },
    /// The client program was ended because the caller no longer wanted what it fetched.
    #[error("`{command}` was interrupted")]
    Interrupted {
        /// The program and its command.
        command: String,
    },
    /// The client program printed something that is not understood.
    #[error("what `{command}` printed is not understood")]
    Garbled {
        /// The program and its command.
        command: String,
        /// The problem.
        source: Cause,
    },
    /// A folder is neither a checkout nor a repository of the system.
    #[error("`{}` is no checkout of {system}", path.display())]
    NoCheckout {
        /// Which folder.
        path: PathBuf,
        /// The version control system.
        system: &'static str,
    },
    /// A checkout names a repository in a way that makes its client run a program.
    #[error("the repository of the checkout `{}` is not asked: `{named}` can run a program", path.display())]
    RunsProgram {
        /// Which folder.
        path: PathBuf,
        /// The repository or module, as the checkout names it.
        named: String,
    },
    /// A file or folder cannot be read.
    #[error("`{}` cannot be read", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is no longer what it was when it was listed.
    #[error("`{}` has changed since the run began", path.display())]
    Changed {
        /// Which one.
        path: PathBuf,
    },
    /// A file is neither a folder nor a kind of archive that we know.
    #[error("`{}` is neither a folder nor a known kind of archive", path.display())]
    UnknownFormat {
        /// Which one.
        path: PathBuf,
    },
    /// A kind of archive that we know of but cannot read.
    #[error("`{}` is a {format} archive, which cannot be read", path.display())]
    UnreadableFormat {
        /// Which one.
        path: PathBuf,
        /// The name of the format.
        format: &'static str,
    },
    /// An archive is damaged, or uses something that is not understood.
    #[error("the archive `{}` cannot be read", path.display())]
    Archive {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: Cause,
    },
    /// An archive unpacks to more than is believed of one of its size.
    #[error(
        "the archive `{}` unpacks to more than {limit} bytes, which is the limit for its \
         {packed} bytes", path.display()
    )]
    TooLarge {
        /// Which one.
        path: PathBuf,
        /// How many bytes it may unpack to.
        limit: u64,
        /// How many bytes it has itself.
        packed: u64,
    },
    /// A file of a version would lie outside the version, or in a repository's own folder.
    #[error("{version} has a file that must not be written: `{path}`")]
    UnsafePath {
        /// The archive or the object it was found in.
        version: String,
        /// The path as it stands there.
        path: String,
    },
}

impl Error {
    /// Returns what the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownRevision { near, .. } if !near.is_empty() => {
                let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
                Some(format!("there is {}", names.join(", ")))
            }
            Self::NoRepository { .. } => Some(
                "go to the folder of the checkout, or name it; a folder of releases will do as well"
                    .to_owned(),
            ),
            Self::NoCommits => Some("commit the versions to compare; `git log` lists them".to_owned()),
            Self::AmbiguousRevision { .. } => Some("give more of the id".to_owned()),
            Self::Range { .. } => Some("give its two ends".to_owned()),
            Self::Shallow { .. } => Some("run git fetch --unshallow".to_owned()),
            Self::NotFetched { .. } => Some("run git fetch --refetch --no-filter".to_owned()),
            Self::NoClient { .. } => Some("install it, or put it on the search path".to_owned()),
            Self::NoCheckout { .. } => {
                Some("give a folder that was checked out, or where the repository is".to_owned())
            }
            Self::RunsProgram { .. } => Some(
                "check it out anew; CVS_RSH and CVS_SERVER can be set as variables instead"
                    .to_owned(),
            ),
            Self::Unreachable { .. } => {
                Some("see that the server answers and nobody holds a lock; then resume".to_owned())
            }
            Self::MissingObject { .. } | Self::CorruptObject { .. } => {
                Some("git fsck says what else is wrong; git fetch may bring it back".to_owned())
            }
            Self::ForeignNames { .. } => Some(
                "use a clone that keeps them in files: git clone --ref-format=files . ../CLONE"
                    .to_owned(),
            ),
            Self::Unopenable { .. } | Self::Repository { .. } => {
                Some("git status and git fsck say what is wrong with the repository".to_owned())
            }
            Self::UnreadableFormat { .. } | Self::UnknownFormat { .. } | Self::TooLarge { .. } => {
                Some("unpack it and give the folder".to_owned())
            }
            _ => None,
        }
    }
}
