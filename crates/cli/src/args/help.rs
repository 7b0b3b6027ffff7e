//! The texts below the flags: examples, and explanations of more than one line.

/// Used in several helps; a macro, because `concat!` takes no constants.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0    found: the result is written; verify: the proof holds
  1    the run could not be carried out: trouble with the machine
  2    bad usage or input, also: the input does not fail, or not always
  3    not done: the budget is used up, or the search gave up; the best so far was written
  4    the result did not fail when tested once more (it is written);
       verify: the proof does not hold
  5    history: done, and no version is named: it is not a regression within the versions, or
       nothing older can be tested
  70   a defect of whodunit itself; the best so far was written if there was any
  130  interrupted; the best so far was written if there was any"
    };
}

pub(super) const EXIT_CODES: &str = exit_codes!();

pub(super) const REDUCE_HELP: &str = concat!(
    "\
Examples:
  The compiler crashes on crash.c; the failure is learned from the first run:
    whodunit reduce crash.c -- gcc -O2 -c {}

  A script decides; exit 0 means that the failure is there:
    whodunit reduce crash.c --test ./still-crashes.sh

  A folder; {} is its name, and a script finds it under that name:
    whodunit reduce project -- make -C {}
    whodunit reduce project --test ./still-crashes.sh

  The same, and which of the flags matter:
    whodunit reduce crash.c --reduce-args -- gcc -O2 -Wall -g -c {}

  Only this message counts, and only files that pass a cheap check are tried:
    whodunit reduce app.json --gate 'jq . {}' --fail-match 'KeyError: .name' -- ./import.py {}

  The name does not show the language; or it does, but only lines and words are to be removed:
    whodunit reduce query.txt --language sql -- ./run-query {}
    whodunit reduce page.html --language text -- ./render {}

  A language of your own, by its grammar; a session, by a description of its events:
    whodunit reduce crash.calc --grammar calc.y -- ./calc {}
    whodunit reduce --hierarchy session.json -- ./replay {}

  Stop after ten minutes, continue later, see what happened:
    whodunit reduce big.log --budget 10m -- ./parse {}
    whodunit resume
    whodunit show

What a test sees:
  Each test runs in a fresh folder that holds the candidate and nothing else. {} is the name of
  the candidate there; without {} it is the standard input. Relative names of files that exist
  here go on meaning these files. Your own files are not touched until the result is written.

What its outcome means:
  -- CMD          The first run shows the failure: how the command ends, and the line that tells
                  why, without the numbers, paths and times in it. Only the same failure counts.
                  Others are unresolved; they are reported, but never followed.
  --test SCRIPT   Exit 0 means that the failure is there, anything else that it is not.
  --fail-...      These replace what would be learned, and what exit 0 of a script means.

DURATION is a number with a unit (90s, 10m, 1h 30m) or a number of seconds. SIZE is a number of
bytes, or one with K, M, G or T.

",
    exit_codes!()
);

pub(super) const STEADY_HELP: &str = "\
Examples:
  This folder as it is, 20 runs in each way:
    whodunit steady -- ./test.sh

  A rare failure of the last commit, which has to be built first:
    whodunit steady -n 200 --build 'make -s' HEAD -- ./test.sh

How it is run:
  Each run has a fresh folder that holds the version and nothing else. The usual way is one run at a
  time. Each other way changes one thing, and if the test then fails clearly more often or less often,
  it depends on that:
    reused      in the folder where a run has just been: it depends on files that a run leaves
    addresses   `setarch -R`, the same addresses of memory each time: it depends on these
    hashes      PYTHONHASHSEED=0: it depends on the order of sets in Python
    locale      LC_ALL=C: it depends on the language or the order of letters
    time zone   TZ=XXX-14: it depends on the date or the time of day
    at once     several side by side: it depends on load, ports, or files that all runs share
  A difference that comes by chance once in a hundred answers or less counts as clear.

What is printed:
  How often it failed in the usual way, and between which rates the true one is in 95 of 100 cases. How
  often in each other way. How it failed. How long runs took, and whether a time limit is so near that a
  busy machine decides. The program exits with 0 when all runs were made, whatever they said.

Not tried: another clock. What depends on the second of a minute or on the year needs a tool such as
faketime in front of the command.
";

pub(super) const REPORT_HELP: &str = "\
Examples:
  The last run of this folder, finished or not:
    whodunit report

  A certain run (`whodunit show --list` lists them), to a place of your own:
    whodunit report reduce-crash.c-1 --out crash.html

  Several runs beside each other:
    whodunit report history-app-1 history-app-2 --out both.html

What the page shows:
  The x axis has the tests in order, the y axis the size of the candidate; by its logarithm if
  less than a hundredth remains. A disc is a test that fails, a
  square one that passes, a triangle one that is unresolved; pale ones were known before. The
  line is the best candidate so far: it falls where the search got ahead. Point at a mark to read
  what the test showed. What was foretold cost no test and has no mark.
  A run of `changes` or `history` has several searches, each with a band of its own; what goes up
  is the number of versions or changes that are left to suspect. Of a run of `history` there also
  is what it did in which version, with the sizes of the patches that it carried.
  Below are what the tests of each search said, the other failures that were met, and where the
  time went.

The page is one file that loads nothing and runs no scripts, so it can be attached to a bug
report. It names the command, the folder and what the tests printed last.";

pub(super) const GRAMMAR_HELP: &str = "\
Examples:
  What languages are there, and which files are theirs?
    whodunit grammar

  What may a loop in C be reduced to?
    whodunit grammar c --rule while_statement

  Is this grammar of my own understood?
    whodunit grammar ./tree-sitter-mine
    whodunit grammar mine.y --lexical tokens.lex

How rules are written:
  name = ...          shows as a node of the tree; of `name ~ ...` only the content does
  \"text\", /regex/     tokens; $name is one of a scanner that is written by hand
  a b, a | b, (a b)   one after the other, one of them, grouped
  a*, a+, a?          any number of times, at least once, perhaps
  {a b}, !a           one token made of parts, nothing in front of it
  a:name              under another name in the tree

Nothing is compiled or run for this: a grammar's folder is only read.";

pub(super) const CHANGES_HELP: &str = concat!(
    "\
Examples:
  It worked in v1.4 and fails now; the script is one for `git bisect run`:
    whodunit changes v1.4 -- ./test.sh

  Between two revisions, with a build that is done again for each version:
    whodunit changes v1.4 v1.5 --build 'make -j2' -- ./app --selftest
    whodunit changes v1.4..v1.5 --build 'make -j2' -- ./app --selftest

  One test of pytest, cargo, go or node, as it is now in both versions:
    whodunit changes v1.4 --pytest tests/test_x.py::test_new

  Two folders or archives, without any repository:
    whodunit changes app-1.4 app-1.5 -- ./run-tests.sh
    whodunit changes app-1.4.tar.gz app-1.5.tar.gz -- ./run-tests.sh

  Only the commit, as `git bisect run` does; or down to words:
    whodunit changes v1.4 v1.5 --level commit -- ./test.sh
    whodunit changes v1.4 v1.5 --level token -- ./test.sh

  Method by method, what the failing test cannot depend on set aside (`whodunit atoms` lists it):
    whodunit changes v1.4 v1.5 --atomic --phases --build 'ant compile' -- ./junit AccountTest
    whodunit changes v1.4 v1.5 --coverage jacoco.xml --build 'ant compile' -- ./junit AccountTest

  For a bug report, and for the marks of an editor:
    whodunit changes v1.4 v1.5 --markdown bug.md --sarif bug.sarif -- ./test.sh

  Stop after ten minutes, continue later, see what happened:
    whodunit changes v1.4 v1.5 --budget 10m -- ./test.sh
    whodunit resume
    whodunit show

What the exit code of the test means, as for `git bisect run`:
  0              good: the failure is not there
  1 to 124, 126  bad: the failure is there, if it is the same one that the bad version shows; one
                 that looks different says nothing. With --any-failure all of them count
  125            this version cannot be tested
  a signal       bad, if the bad version dies of the same one
  127 and up     ends the run, as it ends a bisection: the test itself cannot do its work

What a test sees:
  It runs in a folder that holds the version: the good one with some of the changes. Your
  checkout, index and branches are not touched. A test script is taken as it is now, also where
  versions have it in another form or not at all; all other names mean files of the version.
  The folder is used again for the next test and only files that differ are written, so builds
  are incremental; --clean and --fresh change that. The answer is proved in clean folders.

What comes out:
  The commit, if there is a history; the changed lines that make the good version fail
  (culprit.patch); those that have to be undone for the bad version to pass (fix.patch).

DURATION is a number with a unit (90s, 10m, 1h 30m) or a number of seconds. SIZE is a number of
bytes, or one with K, M, G or T.

",
    exit_codes!()
);

pub(super) const ATOMS_HELP: &str = "\
Examples:
  What was added, deleted and changed since v1.4, method by method?
    whodunit atoms v1.4

  Which of it can this test depend on? By the calls that are written, or as measured:
    whodunit atoms v1.4 v1.5 --entry AccountTest.testTransfer
    whodunit atoms v1.4 v1.5 --coverage jacoco.xml

  How suspect does the whole suite make each change?
    whodunit atoms v1.4 v1.5 --junit TEST-AccountTest.xml

  The graph of what needs what:
    whodunit atoms old new --dot | dot -Tpdf > atoms.pdf
    whodunit atoms old new --svg > atoms.svg

Kinds of Java and AspectJ:
  AC DC   a class is added, deleted           AA DA      an aspect
  AF DF   a field                             INF DIF    a field that an aspect introduces
  FI      the initial value of a field        CIFI       of an introduced field
  AM DM   a method, without its body          INM DIM    a method that an aspect introduces
  CM      the body of a method                CIMB       of an introduced method
  LC      which method a call finds           AEA DEA    an advice; CAB its body
  ANP DPC a pointcut; CPB its definition      AHD DHD    a declaration of parents
  AAP DAP an order of aspects                 ASED DSED  a softened exception
  AIC     which advice runs at a method
Other languages have functions, methods, globals, types, modules, imports and macros; what is in no
such thing is text. A number in `needs` is that of a change without which this one would not be
valid. Nothing is run for this.";

pub(super) const HISTORY_HELP: &str = concat!(
    "\
Examples:
  It fails now, and nobody knows when it last worked:
    whodunit history -- ./test.sh

  With a test that is new, committed or not: older versions are tested with it
    whodunit history --pytest tests/test_x.py::test_new
    whodunit history -- ./new-test.sh

  With a build, data that every version gets, and what is installed in the checkout only:
    whodunit history --build 'make -j2' --overlay data/new -- ./app --check data/new
    whodunit history --with node_modules -- npm test

  A version that passes is known; or nothing before a date is of interest:
    whodunit history --good v1.4 -- ./test.sh
    whodunit history --since 2026-01-01 -- ./test.sh
    whodunit history --since '2 weeks ago' -- ./test.sh

  For a bug report, and for the marks of an editor:
    whodunit history --markdown bug.md --sarif bug.sarif -- ./test.sh

  What else does the fix change?
    whodunit history --also 'make check' -- ./test.sh

  A folder of releases (app-1.0, app-1.1.tar.gz, ...), Subversion, CVS:
    whodunit history releases -- ./test.sh
    whodunit history svn://server/project/trunk -- ./test.sh
    whodunit history :local:/cvs#project -- ./test.sh

  Stop after ten minutes, continue later, see which versions were tested:
    whodunit history --budget 10m -- ./test.sh
    whodunit resume
    whodunit show

What happens:
  The newest version is tested first; it must fail, and from then on only this failure counts.
  Then versions 1, 3, 7, 15 ... back are tested until one passes; the gap before it is halved until
  two neighbours differ. A pass counts only with the test as it is in the newest version. Where
  older versions cannot be tested (they do not build), whodunit finds the first of them and the
  smallest part of the newer version with which they can be, and carries it back from then on.
  In the end the changes that cause the failure are found as `whodunit changes` does, and what
  undoes them is carried forward to the newest version: it explains the failure, and is no repair.

What the exit code of the test means:
  0              good: the failure is not there
  125            this version cannot be tested
  127 and up     the same: old versions may lack what the test needs
  1 to 124, 126, a crash
                 bad, if it is the same failure that the newest version shows; one that looks
                 different says nothing about the version. With --any-failure all of them count

What a test sees:
  It runs in a folder that holds the version with what is carried to it. Your checkout, index and
  branches are not touched. A test script is taken as it is now, and so are tests that are not
  committed; all other names mean files of the version. The answer is proved in clean folders.

What comes out:
  The version, its changed lines (culprit.patch), what had to be carried back to see it
  (back-port.patch), and what makes the newest version pass (fix.patch).

DURATION is a number with a unit (90s, 10m, 1h 30m) or a number of seconds. SIZE is a number of
bytes, or one with K, M, G or T.

",
    exit_codes!()
);
