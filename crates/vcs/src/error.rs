//! Errors in reading a version, one variant for each problem that a user can solve.

use std::io;
use std::path::PathBuf;

use crate::ObjectId;

/// The error of a library.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An error in reading a version or a history.
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
        /// The cause.
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
    /// Several commits have this name.
    #[error("`{spec}` is short for several objects: {}", candidates.join(", "))]
    AmbiguousRevision {
        /// The requested name.
        spec: String,
        /// Their ids.
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
        /// Its id.
        id: ObjectId,
    },
    /// An object was left on the server.
    #[error("the object {id} is not here: the repository is a partial clone")]
    NotFetched {
        /// Its id.
        id: ObjectId,
    },
    /// An object is there but its content is damaged.
    #[error("the object {id} is corrupt")]
    CorruptObject {
        /// Its id.
        id: ObjectId,
        /// The problem.
        source: Cause,
    },
    /// The repository did not answer, for a reason outside its contents.
    #[error("reading {what} from the repository failed")]
    Repository {
        /// The thing that was read.
        what: String,
        /// The cause.
        source: Cause,
    },
    /// The client program of a version control system is not there.
    #[error("there is no program `{}`", program.display())]
    NoClient {
        /// Its name or path.
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
        /// The number of attempts.
        attempts: u32,
        /// Its last message.
        said: String,
    },
    /// The client program was ended because the caller no longer wanted its output.
    #[error("`{command}` was interrupted")]
    Interrupted {
        /// The program and its command.
        command: String,
    },
    /// The client program printed an output that is not understood.
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
        /// The folder.
        path: PathBuf,
        /// The version control system.
        system: &'static str,
    },
    /// A checkout names a repository in a way that makes its client run a program.
    #[error("the repository of the checkout `{}` is not asked: `{named}` can run a program", path.display())]
    RunsProgram {
        /// The folder.
        path: PathBuf,
        /// The repository or module, as the checkout names it.
        named: String,
    },
    /// A file or folder cannot be read.
    #[error("`{}` cannot be read", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file has changed since it was listed.
    #[error("`{}` has changed since the run began", path.display())]
    Changed {
        /// Its path.
        path: PathBuf,
    },
    /// A file is neither a folder nor a known kind of archive.
    #[error("`{}` is neither a folder nor a known kind of archive", path.display())]
    UnknownFormat {
        /// Its path.
        path: PathBuf,
    },
    /// A known kind of archive that cannot be read.
    #[error("`{}` is a {format} archive, which cannot be read", path.display())]
    UnreadableFormat {
        /// Its path.
        path: PathBuf,
        /// The name of the format.
        format: &'static str,
    },
    /// An archive is damaged, or uses something that is not understood.
    #[error("the archive `{}` cannot be read", path.display())]
    Archive {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: Cause,
    },
    /// An archive unpacks to more than is plausible for its size.
    #[error(
        "the archive `{}` unpacks to more than {limit} bytes, which is the limit for its \
         {packed} bytes", path.display()
    )]
    TooLarge {
        /// Its path.
        path: PathBuf,
        /// The bytes that it may unpack to.
        limit: u64,
        /// The bytes of the archive itself.
        packed: u64,
    },
    /// A file of a version would lie outside the version, or in a repository's own folder.
    #[error("{version} has a file that must not be written: `{path}`")]
    UnsafePath {
        /// The archive or object with the file.
        version: String,
        /// The path as it is written there.
        path: String,
    },
}

impl Error {
    /// Returns advice for the user.
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
