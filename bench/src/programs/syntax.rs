//! The syntax of each language: one table per language, and no code.
//!
//! In the templates `{name}` and the like are filled in. A block is closed by `end`; lines inside
//! are indented.

/// A language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their names are enough
pub enum Language {
    C,
    Cpp,
    Python,
    JavaScript,
    TypeScript,
    Rust,
    Go,
    Java,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 8] = [
        Language::C,
        Language::Cpp,
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Rust,
        Language::Go,
        Language::Java,
    ];

    pub(super) fn syntax(self) -> &'static Syntax {
        match self {
            Language::C => &C,
            Language::Cpp => &CPP,
            Language::Python => &PYTHON,
            Language::JavaScript => &JAVASCRIPT,
            Language::TypeScript => &TYPESCRIPT,
            Language::Rust => &RUST,
            Language::Go => &GO,
            Language::Java => &JAVA,
        }
    }
}

/// The form of functions and variables of several words.
#[derive(Clone, Copy)]
pub(super) enum Words {
    Snake,
    Camel,
}

/// The syntax of a language.
pub(super) struct Syntax {
    /// Its usual name.
    pub(super) title: &'static str,
    /// The required programs.
    pub(super) tools: &'static [&'static str],
    pub(super) build: Option<&'static str>,
    pub(super) test: &'static str,
    /// A file for the build, by name and text.
    pub(super) build_file: Option<(&'static str, &'static str)>,
    pub(super) extension: &'static str,
    pub(super) words: Words,
    /// The beginning and the end of each file, and the line that imports another one.
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) import: &'static str,
    /// The text between the beginning and the rest.
    pub(super) inside: &'static str,
    /// The same for the file with the test.
    pub(super) main_open: &'static str,
    pub(super) main_close: &'static str,
    pub(super) main_import: &'static str,
    pub(super) main_function: &'static str,
    /// A function or a constant of another module.
    pub(super) other: &'static str,
    pub(super) header: Option<Header>,
    pub(super) constant: &'static str,
    pub(super) function: &'static str,
    pub(super) parameter: &'static str,
    pub(super) end: &'static str,
    pub(super) new_variable: &'static str,
    pub(super) set: &'static str,
    pub(super) condition: &'static str,
    pub(super) repeat: &'static str,
    pub(super) give_back: &'static str,
    /// The test fails with a message; its exit code differs from those of errors of the language.
    pub(super) refuse: &'static [&'static str],
    pub(super) record: &'static str,
    pub(super) record_end: &'static str,
    pub(super) field: &'static str,
    /// A variable that holds a record.
    pub(super) make: &'static str,
    pub(super) make_field: &'static str,
}

/// The declarations of C and C++ for users of a module.
pub(super) struct Header {
    pub(super) extension: &'static str,
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) constant: &'static str,
    pub(super) function: &'static str,
}

const C: Syntax = Syntax {
    title: "C",
    tools: &["cc", "make"],
    build: Some("make -s"),
    test: "./app",
    build_file: Some((
        "Makefile",
        "CFLAGS = -w -O0 -MMD\n\napp: $(patsubst %.c,%.o,$(wildcard *.c))\n\t$(CC) -o $@ $^\n\n\
         -include *.d\n",
    )),
    extension: "c",
    words: Words::Snake,
    open: "#include \"{module}.h\"\n",
    close: "",
    import: "#include \"{module}.h\"\n",
    inside: "",
    main_open: "#include <stdio.h>\n",
    main_close: "",
    main_import: "#include \"{module}.h\"\n",
    main_function: "int main(void) {",
    other: "{name}",
    header: Some(Header {
        extension: "h",
        open: "#ifndef {MODULE}_H\n#define {MODULE}_H\n",
        close: "\n#endif\n",
        constant: "extern const long {name};",
        function: "long {name}({parameters});",
    }),
    constant: "const long {name} = {value};",
    function: "long {name}({parameters}) {",
    parameter: "long {name}",
    end: "}",
    new_variable: "long {name} = {value};",
    set: "{name} = {value};",
    condition: "if ({condition}) {",
    repeat: "for (long {name} = 0; {name} < {bound}; {name}++) {",
    give_back: "return {value};",
    refuse: &["printf(\"{name} %ld\\n\", {name});", "return 3;"],
    record: "typedef struct {",
    record_end: "} {name};",
    field: "long {name};",
    make: "{record} {name} = {{fields}};",
    make_field: ".{name} = {value}",
};

const CPP: Syntax = Syntax {
    title: "C++",
    tools: &["c++", "make"],
    build_file: Some((
        "Makefile",
        "CXXFLAGS = -std=c++20 -w -O0 -MMD\n\napp: $(patsubst %.cpp,%.o,$(wildcard *.cpp))\n\
         \t$(CXX) -o $@ $^\n\n-include *.d\n",
    )),
    extension: "cpp",
    open: "#include \"{module}.hpp\"\n",
    close: "\n}\n",
    import: "#include \"{module}.hpp\"\n",
    inside: "\nnamespace {module} {\n",
    main_open: "#include <cstdio>\n",
    main_import: "#include \"{module}.hpp\"\n",
    main_function: "int main() {",
    other: "{module}::{name}",
    header: Some(Header {
        extension: "hpp",
        open: "#pragma once\n\nnamespace {module} {\n",
        close: "\n}\n",
        constant: "extern const long {name};",
        function: "long {name}({parameters});",
    }),
    constant: "extern const long {name} = {value};",
    refuse: &["std::printf(\"{name} %ld\\n\", {name});", "return 3;"],
    record: "struct {name} {",
    record_end: "};",
    ..C
};

const PYTHON: Syntax = Syntax {
    title: "Python",
    tools: &["python3"],
    build: None,
    test: "python3 -B main.py",
    build_file: None,
    extension: "py",
    words: Words::Snake,
    open: "",
    close: "",
    import: "import {module}\n",
    inside: "",
    main_open: "import sys\n",
    main_close: "\n\nmain()\n",
    main_import: "import {module}\n",
    main_function: "def main():",
    other: "{module}.{name}",
    header: None,
    constant: "{name} = {value}",
    function: "def {name}({parameters}):",
    parameter: "{name}",
    end: "",
    new_variable: "{name} = {value}",
    set: "{name} = {value}",
    condition: "if {condition}:",
    repeat: "for {name} in range({bound}):",
    give_back: "return {value}",
    refuse: &["print(\"{name}\", {name})", "sys.exit(3)"],
    record: "class {name}:",
    record_end: "",
    field: "{name} = 0",
    make: "{name} = {record}()",
    make_field: "{variable}.{name} = {value}",
};

const JAVASCRIPT: Syntax = Syntax {
    title: "JavaScript",
    tools: &["node"],
    build: None,
    test: "node main.mjs",
    build_file: None,
    extension: "mjs",
    words: Words::Camel,
    open: "",
    close: "",
    import: "import * as {module} from './{module}.mjs';\n",
    inside: "",
    main_open: "",
    main_close: "\nmain();\n",
    main_import: "import * as {module} from './{module}.mjs';\n",
    main_function: "function main() {",
    other: "{module}.{name}",
    header: None,
    constant: "export const {name} = {value};",
    function: "export function {name}({parameters}) {",
    parameter: "{name}",
    end: "}",
    new_variable: "let {name} = {value};",
    set: "{name} = {value};",
    condition: "if ({condition}) {",
    repeat: "for (let {name} = 0; {name} < {bound}; {name}++) {",
    give_back: "return {value};",
    refuse: &["console.log('{name}', {name});", "process.exit(3);"],
    record: "class {name} {",
    record_end: "}",
    field: "{name} = 0;",
    make: "const {name} = new {record}();",
    make_field: "{variable}.{name} = {value};",
};

const TYPESCRIPT: Syntax = Syntax {
    title: "TypeScript",
    tools: &["node", "sed"],
    // The types are removed as far as these programs have some: not every node can do it, and
    // checking them is not tested.
    build: Some(
        "rm -rf built; mkdir built; for file in *.ts; do \
         sed -E -e '/^interface /,/^}/d' -e 's/: (number|[A-Z][a-z]+)\\b//g' -e 's/\\.ts/.mjs/' \
         \"$file\" > \"built/${file%.ts}.mjs\" || exit 1; done",
    ),
    test: "node built/main.mjs",
    extension: "ts",
    import: "import * as {module} from './{module}.ts';\n",
    main_import: "import * as {module} from './{module}.ts';\n",
    constant: "export const {name}: number = {value};",
    function: "export function {name}({parameters}): number {",
    parameter: "{name}: number",
    new_variable: "let {name}: number = {value};",
    record: "interface {name} {",
    field: "{name}: number;",
    make: "const {name}: {record} = { {fields} };",
    make_field: "{name}: {value}",
    ..JAVASCRIPT
};

const RUST: Syntax = Syntax {
    title: "Rust",
    tools: &["rustc"],
    build: Some("rustc --edition 2021 -A warnings -C debuginfo=0 -o app main.rs"),
    test: "./app",
    build_file: None,
    extension: "rs",
    words: Words::Snake,
    open: "",
    close: "",
    import: "use crate::{module};\n",
    inside: "",
    main_open: "",
    main_close: "",
    main_import: "mod {module};\n",
    main_function: "fn main() {",
    other: "{module}::{name}",
    header: None,
    constant: "pub const {name}: i64 = {value};",
    function: "pub fn {name}({parameters}) -> i64 {",
    parameter: "{name}: i64",
    end: "}",
    new_variable: "let mut {name}: i64 = {value};",
    set: "{name} = {value};",
    condition: "if {condition} {",
    repeat: "for {name} in 0..{bound} {",
    give_back: "return {value};",
    refuse: &["println!(\"{name} {{name}}\");", "std::process::exit(3);"],
    record: "struct {name} {",
    record_end: "}",
    field: "{name}: i64,",
    make: "let {name} = {record} { {fields} };",
    make_field: "{name}: {value}",
};

const GO: Syntax = Syntax {
    title: "Go",
    tools: &["go"],
    build: Some("go build -o app *.go"),
    test: "./app",
    build_file: None,
    extension: "go",
    words: Words::Camel,
    open: "package main\n",
    close: "",
    import: "",
    inside: "",
    main_open: "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n",
    main_close: "",
    main_import: "",
    main_function: "func main() {",
    other: "{name}",
    header: None,
    constant: "const {name} = {value}",
    function: "func {name}({parameters}) int {",
    parameter: "{name} int",
    end: "}",
    new_variable: "{name} := {value}",
    set: "{name} = {value}",
    condition: "if {condition} {",
    repeat: "for {name} := 0; {name} < {bound}; {name}++ {",
    give_back: "return {value}",
    refuse: &["fmt.Println(\"{name}\", {name})", "os.Exit(3)"],
    record: "type {name} struct {",
    record_end: "}",
    field: "{name} int",
    make: "{name} := {record}{{fields}}",
    make_field: "{name}: {value}",
};

const JAVA: Syntax = Syntax {
    title: "Java",
    tools: &["javac", "java"],
    build: Some("rm -rf built && javac -nowarn -d built *.java"),
    test: "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp built main",
    build_file: None,
    extension: "java",
    words: Words::Camel,
    open: "",
    close: "}\n",
    import: "",
    inside: "class {module} {\n",
    main_open: "class main {\n",
    main_close: "}\n",
    main_import: "",
    main_function: "public static void main(String[] args) {",
    other: "{module}.{name}",
    header: None,
    constant: "static final long {name} = {value};",
    function: "static long {name}({parameters}) {",
    parameter: "long {name}",
    end: "}",
    new_variable: "long {name} = {value};",
    set: "{name} = {value};",
    condition: "if ({condition}) {",
    repeat: "for (long {name} = 0; {name} < {bound}; {name}++) {",
    give_back: "return {value};",
    refuse: &["System.out.println(\"{name} \" + {name});", "System.exit(3);"],
    record: "static class {name} {",
    record_end: "}",
    field: "long {name};",
    make: "{record} {name} = new {record}();",
    make_field: "{variable}.{name} = {value};",
};
