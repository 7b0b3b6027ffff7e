//! `whodunit man`: prints a manual page, or writes all of them.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{ManArgs, Typed};
use crate::exit::Exit;
use crate::output;
use crate::trouble::{Trouble, Usage};

/// The end of every page.
const ENDING: &str = r".SH FILES
.TP
\fI$XDG_STATE_HOME/whodunit/runs\fR
Journals and patches of all runs, by default below \fI~/.local/state\fR. \fBwhodunit clean\fR lists and deletes them.
.TP
\fI$XDG_CACHE_HOME/whodunit/histories\fR
Copies of histories of Subversion and CVS, by default below \fI~/.cache\fR.
.TP
\fI/dev/shm\fR
Where tests run; in \fI$TMPDIR\fR if there is no room. Nothing is left there.
.SH ENVIRONMENT
.TP
\fBXDG_STATE_HOME\fR, \fBXDG_CACHE_HOME\fR, \fBHOME\fR
Where journals and caches are.
.TP
\fBTMPDIR\fR
Where tests run if \fI/dev/shm\fR has no room.
.TP
\fBCC\fR
The compiler for grammars of your own.
.TP
\fBNO_COLOR\fR, \fBCLICOLOR_FORCE\fR
No colours, or colours always.
.SH SEE ALSO
\fBwhodunit\fR(1), \fBwhodunit\-reduce\fR(1), \fBwhodunit\-changes\fR(1), \fBwhodunit\-history\fR(1), \fBgit\-whodunit\fR(1), \fBgit\-bisect\fR(1)
";

/// The page of the program under its name as a command of git.
const GIT_PAGE: &str = r#".TH git-whodunit 1
.SH NAME
git\-whodunit \- find the commit and the lines that made a test fail
.SH SYNOPSIS
\fBgit whodunit changes\fR [\fIOPTIONS\fR] \fIGOOD\fR [\fIBAD\fR] \fB\-\-\fR \fICMD\fR
.br
\fBgit whodunit history\fR [\fIOPTIONS\fR] \fB\-\-\fR \fICMD\fR
.SH DESCRIPTION
The program \fBwhodunit\fR(1) under another name: \fBgit whodunit\fR \fIARGS\fR is \fBwhodunit\fR \fIARGS\fR.
.SH EXAMPLES
.nf
git whodunit changes v1.4 \-\- ./test.sh
git whodunit history \-\- ./test.sh
.fi
"#;

pub(super) fn run(args: &ManArgs) -> Result<Exit, Trouble> {
    let mut command = Typed::command();
    // Now each command knows its full name.
    command.build();
    if let Some(folder) = &args.dir {
        write_all(&command, folder)
            .map_err(|source| Trouble::Write { path: folder.clone(), source })?;
        return Ok(Exit::Finished);
    }
    let command = match &args.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Usage::NoPage(output::plain(name)))?,
    };
    output::data(&page(command).map_err(Trouble::Output)?)?;
    Ok(Exit::Finished)
}

/// Writes the pages of all commands that are shown in the help, and that of the command of git.
fn write_all(command: &clap::Command, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("whodunit.1"), page(command.clone())?)?;
    fs::write(folder.join("git-whodunit.1"), format!("{GIT_PAGE}{ENDING}"))?;
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help");
    for command in shown {
        let name = format!("whodunit-{}.1", command.get_name());
        fs::write(folder.join(name), page(command.clone())?)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> std::io::Result<String> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    let page =
        String::from_utf8_lossy(&page).replace(".SH EXTRA\n", ".SH EXAMPLES AND EXIT STATUS\n");
    Ok(format!("{}\n{ENDING}", page.trim_end()))
}
