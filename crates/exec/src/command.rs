//! A command with a place for the candidate.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whodunit_run::KeyHasher;

/// Bytes: files up to this size are identified by their content, larger ones by size and time.
const SCRIPT: u64 = 1 << 20;

/// The place of the candidate in a command.
const PLACE: &[u8] = b"{}";

/// A program with arguments in which `{}` stands for the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: OsString,
    args: Vec<OsString>,
    /// The program's file, if it could be found.
    found: Option<PathBuf>,
    /// The user's script that is part of the command, as it was at the start.
    script: Option<Script>,
}

/// A script as it was when the run began. The file may change or vanish later, and the tested
/// versions may not have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of its file, without the folders.
    pub name: OsString,
    /// Its content.
    pub bytes: Arc<[u8]>,
    /// Its path in the tree that the command was typed in, if it lies in that tree.
    pub inside: Option<PathBuf>,
    /// The number of the argument that it is; `None` for the program itself.
    argument: Option<usize>,
    /// Whether the versions have it at its place, so that it finds the files beside it.
    is_in_place: bool,
}

/// Why a command cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadCommand {
    /// There is no such program.
    #[error("there is no program `{}`", .0.display())]
    NotFound(OsString),
    /// The file is there, but may not be executed.
    #[error("`{}` is not executable", .0.display())]
    NotExecutable(PathBuf),
    /// `{}` is part of an argument, but there are several files.
    #[error("`{}` holds {{}} among other text, but there are several input files", .0.display())]
    Ambiguous(OsString),
}

impl Command {
    /// Takes a command as the user typed it in the folder `origin`.
    ///
    /// Tests run elsewhere, so names of existing files relative to `origin` are made absolute.
    /// `path` holds the folders in which programs without a slash are searched.
    pub fn typed(words: &[OsString], origin: &Path, path: &OsStr) -> Result<Self, BadCommand> {
        let (program, args) = words.split_first().expect("a command has at least one word");
        let found = find(program, origin, path)?;
        let absolute = |arg: &OsString| {
            let file = origin.join(arg);
            let names_file = !arg.is_empty() && !arg.as_bytes().starts_with(b"-");
            if names_file && file.exists() { file.into_os_string() } else { arg.clone() }
        };
        let mut args: Vec<OsString> = args.iter().map(absolute).collect();
        let mut program = program.clone();
        if program.as_bytes().contains(&b'/') {
            program = found.clone().into_os_string();
        }
        if is_bare_script(&found) {
            // The kernel refuses a script without `#!`, which a shell would run itself.
            args.insert(0, std::mem::replace(&mut program, "sh".into()));
        }
        Ok(Command { program, args, found: Some(found), script: None })
    }

    /// Returns the texts of the command: its arguments, and the name and content of its script.
    /// They do not depend on how the script was typed: `./test.sh` and `sh ../tests/test.sh` have
    /// the same.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let place = self.script.as_ref().and_then(|script| script.argument);
        let args = self.args.iter().enumerate().filter(move |(at, _)| Some(*at) != place);
        let script = self.script.iter();
        let script = script.flat_map(|script| [script.name.as_bytes(), &*script.bytes]);
        args.map(|(_, arg)| arg.as_bytes()).chain(script)
    }

    /// Takes a command as the user typed it in the folder `origin`, to be run in a version of the
    /// tree that this folder belongs to.
    ///
    /// Arguments that may name files of that version stay as they are; those that lead out of the
    /// tree are made absolute. The test itself, a script named with a slash or one that follows a
    /// program, is read now. A program named with a slash is one of that version, to be built
    /// first, unless it lies outside of the tree or is a link to a file outside.
    pub fn in_tree(words: &[OsString], origin: &Path, path: &OsStr) -> Result<Self, BadCommand> {
        let (program, given) = words.split_first().expect("a command has at least one word");
        let root = root_of(origin);
        let outside = |arg: &OsString| outside(origin, arg, &root).unwrap_or_else(|| arg.clone());
        let mut args: Vec<OsString> = given.iter().map(outside).collect();
        let mut program = program.clone();
        let has_slash = program.as_bytes().contains(&b'/');
        let mut found = match find(&program, origin, path) {
            Err(BadCommand::NotFound(_)) if has_slash => None,
            found => Some(found?),
        };
        if let Some(file) = found.clone().filter(|_| has_slash) {
            if let Some(script) = Script::read(&file, None, &root) {
                let (mut script, mut program) = (script, program);
                if is_bare_script(&file) {
                    args.insert(0, std::mem::replace(&mut program, "sh".into()));
                    script.argument = Some(0);
                }
                return Ok(Command { program, args, found: None, script: Some(script) });
            }
            let is_elsewhere = |file: PathBuf| !file.starts_with(&root);
            match fs::canonicalize(&file).is_ok_and(is_elsewhere) {
                true => program = file.into_os_string(),
                false => found = None,
            }
        }
        let first = given.first().map(|arg| origin.join(arg));
        let script = first.and_then(|file| Script::read(&file, Some(0), &root));
        Ok(Command { program, args, found, script })
    }

    /// Returns the same command for versions that have its script at its place in the tree.
    #[must_use]
    pub fn in_place(mut self) -> Self {
        if let Some(script) = &mut self.script {
            script.is_in_place = script.inside.is_some();
        }
        self
    }

    /// Takes a line for the shell, to be run in a version of a tree. `{}` stands for the candidate
    /// as one quoted word.
    pub fn shell_in_tree(line: &str, path: &OsStr) -> Result<Self, BadCommand> {
        let program = OsString::from("sh");
        let found = Some(find(&program, Path::new("/"), path)?);
        let args = ["-c", &line.replace("{}", "\"$@\""), "sh", "{}"].map(OsString::from);
        Ok(Command { program, args: args.into(), found, script: None })
    }

    /// Returns the user's script that is part of the command, if it was read at the start.
    pub fn script(&self) -> Option<&Script> {
        self.script.as_ref()
    }

    /// Returns the command with a copy of its script in place of the script; the path may be
    /// relative to the folder of the test, with a slash in it.
    #[must_use]
    pub fn with_script_at(&self, copy: &Path) -> Self {
        let mut command = Command { script: None, ..self.clone() };
        match self.script.as_ref().map(|script| script.argument) {
            Some(Some(place)) => command.args[place] = copy.into(),
            Some(None) => command.program = copy.into(),
            None => {}
        }
        command
    }

    /// Takes a line for the shell, in which `{}` stands for the candidate as one quoted word.
    pub fn shell(line: &str, origin: &Path, path: &OsStr) -> Result<Self, BadCommand> {
        let script = line.replace("{}", "\"$@\"");
        let words = ["sh", "-c", &script, "sh", "{}"].map(OsString::from);
        Command::typed(&words, origin, path)
    }

    /// Returns the command as the arguments of another one, such as `valgrind`, which is searched
    /// in `path`.
    pub fn under(&self, words: &[&str], path: &OsStr) -> Result<Self, BadCommand> {
        let (program, before) = words.split_first().expect("a command has at least one word");
        let found = Some(find(OsStr::new(program), Path::new("/"), path)?);
        let before = before.iter().map(OsString::from).chain([self.program.clone()]);
        let args: Vec<OsString> = before.chain(self.args.iter().cloned()).collect();
        let mut script = self.script.clone();
        if let Some(script) = &mut script {
            // The program itself comes after all words but the first.
            script.argument = Some(script.argument.map_or(0, |at| at + 1) + words.len() - 1);
        }
        Ok(Command { program: program.into(), args, found, script })
    }

    /// Returns whether the candidate has a place in the command.
    pub fn has_place(&self) -> bool {
        self.args.iter().any(|arg| find_place(arg.as_bytes()).is_some())
    }

    /// Adds a place for the candidate as the last argument.
    #[must_use]
    pub fn with_place(mut self) -> Self {
        self.args.push(OsString::from("{}"));
        self
    }

    /// Returns the program.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Returns the arguments with the names of the candidate's files filled in.
    pub fn args(&self, names: &[PathBuf]) -> Result<Vec<OsString>, BadCommand> {
        let mut filled = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            match names {
                _ if find_place(arg.as_bytes()).is_none() => filled.push(arg.clone()),
                _ if arg.as_bytes() == PLACE => filled.extend(names.iter().map(|name| safe(name))),
                [name] => filled.push(replace(arg.as_bytes(), safe(name).as_bytes())),
                _ => return Err(BadCommand::Ambiguous(arg.clone())),
            }
        }
        Ok(filled)
    }

    /// Returns the command as a user would type it.
    pub fn display(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.args);
        words.map(|word| quote(word)).collect::<Vec<_>>().join(" ")
    }

    /// Hashes everything that distinguishes this command from others.
    pub(crate) fn identify(&self, hasher: &mut KeyHasher) {
        for word in std::iter::once(&self.program).chain(&self.args) {
            hasher.update_delimited(word.as_bytes());
        }
        if let Some(script) = &self.script {
            hasher.update_delimited(&script.bytes);
        }
        // Other files that are named are left out: a test may write to them.
        for file in self.found.iter().filter(|file| file.is_absolute()) {
            identify_file(file, hasher);
        }
    }
}

impl Script {
    /// Returns the script of a command typed in a folder, found as by [`Command::in_tree`].
    pub fn of(words: &[OsString], origin: &Path) -> Option<Self> {
        let root = root_of(origin);
        let (program, args) = words.split_first()?;
        let has_slash = program.as_bytes().contains(&b'/');
        let program = has_slash.then(|| Script::read(&origin.join(program), None, &root)).flatten();
        program.or_else(|| Script::read(&origin.join(args.first()?), Some(0), &root))
    }

    /// Returns its path for a test that runs at the top of a version, if the versions have it.
    pub(crate) fn place(&self) -> Option<PathBuf> {
        self.inside.as_ref().filter(|_| self.is_in_place).map(|path| Path::new(".").join(path))
    }

    /// Reads the file if it is small enough and text, so that it could be a script.
    fn read(file: &Path, argument: Option<usize>, root: &Path) -> Option<Self> {
        let is_small = fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() <= SCRIPT);
        let bytes = is_small.then(|| fs::read(file).ok()).flatten()?;
        let name = file.file_name()?.to_owned();
        let folder = fs::canonicalize(file.parent()?).ok()?;
        let inside = folder.join(&name).strip_prefix(root).ok().map(Path::to_path_buf);
        let is_text = !bytes.contains(&0);
        let bytes = bytes.into();
        is_text.then_some(Script { name, bytes, inside, argument, is_in_place: false })
    }
}

/// Names that version-control systems keep at the top of a checkout.
const AT_THE_TOP: [&str; 3] = [".git", ".svn", ".hg"];

/// Returns the top of the tree that a folder belongs to, with links resolved: the top of its
/// checkout, or the folder itself.
pub fn root_of(origin: &Path) -> PathBuf {
    let origin = fs::canonicalize(origin).unwrap_or_else(|_| origin.to_path_buf());
    let has = |folder: &&Path| AT_THE_TOP.iter().any(|name| folder.join(name).exists());
    // CVS keeps a `CVS` folder in every folder.
    let in_cvs = origin.ancestors().take_while(|folder| folder.join("CVS").is_dir()).last();
    let top = origin.ancestors().find(has).or(in_cvs).unwrap_or(&origin);
    top.to_path_buf()
}

/// Returns whether a folder is the top of a checkout.
pub fn is_checkout(root: &Path) -> bool {
    AT_THE_TOP.iter().chain([&"CVS"]).any(|name| root.join(name).exists())
}

/// Returns the file that an argument names if it lies outside of the tree, where no version has it.
fn outside(origin: &Path, arg: &OsStr, root: &Path) -> Option<OsString> {
    let may_name_one = arg.as_bytes().contains(&b'/') && !arg.as_bytes().starts_with(b"-");
    let path = origin.join(arg);
    let (folder, name) = (path.parent()?, path.file_name()?);
    let file = fs::canonicalize(folder).ok().filter(|_| may_name_one)?.join(name);
    (!file.starts_with(root) && file.exists()).then(|| file.into_os_string())
}

/// Hashes a program file: an upgraded program or an edited script makes another oracle.
fn identify_file(file: &Path, hasher: &mut KeyHasher) {
    let Ok(metadata) = fs::metadata(file) else { return };
    if !metadata.is_file() {
        return;
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(file).and_then(|opened| opened.take(SCRIPT).read_to_end(&mut bytes));
    if metadata.len() <= SCRIPT && read.is_ok() {
        hasher.update_delimited(&bytes);
    } else {
        let stamp = (metadata.len(), metadata.mtime(), metadata.mtime_nsec());
        hasher.update(format!("{stamp:?}").as_bytes());
    }
}

/// Returns whether a file is text without a `#!` line.
fn is_bare_script(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(file).and_then(|opened| opened.take(256).read_to_end(&mut start));
    read.is_ok() && !start.starts_with(b"#!") && std::str::from_utf8(&start).is_ok_and(is_text)
}

fn is_text(start: &str) -> bool {
    !start.contains(|char: char| char.is_control() && !char.is_whitespace())
}

fn find(program: &OsStr, origin: &Path, path: &OsStr) -> Result<PathBuf, BadCommand> {
    let executable = |file: &Path| {
        fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.mode() & 0o111 != 0)
    };
    if program.as_bytes().contains(&b'/') {
        let file: PathBuf = origin.join(program).components().collect();
        return match file {
            file if executable(&file) => Ok(file),
            file if file.exists() => Err(BadCommand::NotExecutable(file)),
            _ => Err(BadCommand::NotFound(program.to_owned())),
        };
    }
    std::env::split_paths(path)
        .map(|folder| origin.join(folder).join(program))
        .find(|file| executable(file))
        .ok_or_else(|| BadCommand::NotFound(program.to_owned()))
}

fn find_place(bytes: &[u8]) -> Option<usize> {
    bytes.windows(PLACE.len()).position(|window| window == PLACE)
}

fn replace(arg: &[u8], name: &[u8]) -> OsString {
    let mut filled = Vec::new();
    let mut rest = arg;
    while let Some(at) = find_place(rest) {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(name);
        rest = &rest[at + PLACE.len()..];
    }
    filled.extend_from_slice(rest);
    OsString::from_vec(filled)
}

/// Returns a name that cannot be taken for an option although it begins with a dash.
fn safe(name: &Path) -> OsString {
    if name.as_os_str().as_bytes().starts_with(b"-") {
        Path::new(".").join(name).into_os_string()
    } else {
        name.as_os_str().to_owned()
    }
}

/// Quotes a word for the shell if it needs it.
pub fn quote(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |char: char| char.is_alphanumeric() || "_-./=:,+@%{}".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&str]) -> Command {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Command::typed(&words, Path::new("/"), OsStr::new("/usr/bin:/bin")).unwrap()
    }

    #[test]
    fn the_place_is_filled_wherever_it_stands() {
        let args = command(&["sh", "{}", "--in={}", "x"]).args(&["a b.c".into()]).unwrap();
        assert_eq!(args, ["a b.c", "--in=a b.c", "x"]);
    }

    #[test]
    fn a_name_that_looks_like_an_option_is_not_one() {
        assert_eq!(command(&["sh", "{}"]).args(&["-x".into()]).unwrap(), ["./-x"]);
    }

    #[test]
    fn several_files_need_a_place_of_their_own() {
        let names = ["a".into(), "b".into()];
        assert_eq!(command(&["sh", "{}"]).args(&names).unwrap(), ["a", "b"]);
        assert!(matches!(command(&["sh", "-{}"]).args(&names), Err(BadCommand::Ambiguous(_))));
    }

    #[test]
    fn a_script_without_an_interpreter_is_for_the_shell() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("check");
        fs::write(&script, "exit 0\n").unwrap();
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let words = [OsString::from("./check"), "{}".into()];
        let command = Command::typed(&words, folder.path(), OsStr::new("")).unwrap();
        assert_eq!(command.program(), "sh");
        assert_eq!(command.args(&["x".into()]).unwrap(), [script.into_os_string(), "x".into()]);
    }

    fn in_tree(words: &[&str], origin: &Path) -> Command {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Command::in_tree(&words, origin, OsStr::new("/usr/bin:/bin")).unwrap()
    }

    #[test]
    fn a_script_says_the_same_however_it_is_typed() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("deep/check.sh");
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(&script, "#!/bin/sh\nexit 0\n").unwrap();
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let whole = script.to_str().unwrap();
        for words in [&["deep/check.sh"][..], &["sh", "deep/check.sh"], &[whole], &["sh", whole]] {
            let command = in_tree(&[words, &["fast"]].concat(), folder.path());
            let texts: Vec<&[u8]> = command.texts().collect();
            assert_eq!(texts, [&b"fast"[..], b"check.sh", b"#!/bin/sh\nexit 0\n"], "{words:?}");
        }
    }

    fn tree_with_script(text: &str) -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        fs::create_dir(tree.path().join("test")).unwrap();
        let script = tree.path().join("test/check.sh");
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        tree
    }

    #[test]
    fn arguments_name_files_of_the_version() {
        let tree = tree_with_script("");
        let command = in_tree(&["make", "test", "{}"], tree.path());
        assert_eq!(command.args(&[".".into()]).unwrap(), ["test", "."]);
        assert_eq!(command.script(), None);
    }

    #[test]
    fn a_script_of_the_tree_is_taken_as_it_is_now() {
        let tree = tree_with_script("#!/bin/sh\nexit 1\n");
        let copy = Path::new("/copy/check.sh");
        let command = in_tree(&["test/check.sh", "x"], tree.path());
        let follows = in_tree(&["sh", "test/check.sh", "x"], tree.path());
        fs::remove_dir_all(tree.path().join("test")).unwrap();
        for command in [&command, &follows] {
            assert_eq!(&*command.script().unwrap().bytes, b"#!/bin/sh\nexit 1\n");
            assert_eq!(command.script().unwrap().name, "check.sh");
        }
        assert_eq!(command.with_script_at(copy).program(), copy);
        assert_eq!(follows.with_script_at(copy).args(&[]).unwrap(), ["/copy/check.sh", "x"]);
    }

    #[test]
    fn a_script_of_the_tree_without_an_interpreter_is_for_the_shell() {
        let tree = tree_with_script("exit 1\n");
        let command = in_tree(&["./test/check.sh", "x"], tree.path());
        let command = command.with_script_at(Path::new("/copy"));
        assert_eq!(command.program(), "sh");
        assert_eq!(command.args(&[]).unwrap(), ["/copy", "x"]);
    }

    #[test]
    fn a_program_that_is_yet_to_be_built_belongs_to_the_version() {
        let tree = tree_with_script("\x7fELF\0");
        for program in ["./prog", "test/check.sh"] {
            let command = in_tree(&[program], tree.path());
            assert_eq!(command.program(), program);
            assert_eq!(command.script(), None);
        }
    }

    #[test]
    fn what_lies_outside_of_the_tree_is_named_from_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let (beside, tree) = (folder.path().join("beside"), folder.path().join("tree"));
        fs::create_dir_all(tree.join(".git")).unwrap();
        fs::create_dir_all(tree.join("venv/bin")).unwrap();
        fs::create_dir(&beside).unwrap();
        let executable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        for (name, text) in [("prog", "\x7fELF\0"), ("t.sh", "exit 1\n"), ("data", "1\n")] {
            fs::write(beside.join(name), text).unwrap();
            fs::set_permissions(beside.join(name), fs::Permissions::clone(&executable)).unwrap();
        }
        std::os::unix::fs::symlink(beside.join("prog"), tree.join("venv/bin/run")).unwrap();
        let beside = fs::canonicalize(&beside).unwrap();
        let file = |name: &str| beside.join(name).into_os_string();
        let command = in_tree(&["../beside/prog", "../beside/data", "-x", "a/b"], &tree);
        assert_eq!(fs::canonicalize(command.program()).unwrap(), file("prog"));
        assert_eq!(command.args(&[]).unwrap(), [file("data"), "-x".into(), "a/b".into()]);
        // The script after the program is read, whatever the program is called.
        for program in ["/bin/sh", "sh", "./venv/bin/run"] {
            let command = in_tree(&[program, "../beside/t.sh"], &tree);
            assert_eq!(&*command.script().unwrap().bytes, b"exit 1\n", "{program}");
            let copied = command.with_script_at(Path::new("/copy"));
            assert_eq!(copied.args(&[]).unwrap(), ["/copy"]);
        }
        let command = in_tree(&["./venv/bin/run", "../beside/t.sh"], &tree);
        assert!(Path::new(command.program()).is_absolute());
    }

    #[test]
    fn another_script_of_the_same_name_is_another_command() {
        let identity = |text: &str| {
            let mut hasher = KeyHasher::new();
            in_tree(&["test/check.sh"], tree_with_script(text).path()).identify(&mut hasher);
            hasher.finish()
        };
        assert_eq!(identity("exit 1"), identity("exit 1"));
        assert_ne!(identity("exit 1"), identity("exit 2"));
    }

    #[test]
    fn a_command_can_be_typed_again() {
        assert_eq!(command(&["sh", "it's", "{}"]).display(), r"sh 'it'\''s' {}");
    }
}
