//! A program as the files of a language.

use std::collections::BTreeSet;

use super::model::{Function, Module, Record, Step};
use super::syntax::{Syntax, Words};

/// One file: its name and its text.
pub type File = (String, String);

/// Writes all modules and the test.
pub(super) fn files(modules: &[Module], main: &[Step], syntax: &Syntax) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for module in modules {
        let writer = Writer { syntax, module: module.name };
        files.push((format!("{}.{}", module.name, syntax.extension), writer.module(module)));
        if let Some(header) = writer.header(module) {
            files.push(header);
        }
    }
    let writer = Writer { syntax, module: "main" };
    files.push((format!("main.{}", syntax.extension), writer.main(modules, main)));
    files.extend(syntax.build_file.map(|(name, text)| (name.to_owned(), text.to_owned())));
    files
}

/// Writes one file.
struct Writer<'a> {
    syntax: &'a Syntax,
    module: &'a str,
}

impl Writer<'_> {
    fn module(&self, module: &Module) -> String {
        let syntax = self.syntax;
        let mut text = fill(syntax.open, &[("module", self.module)]);
        for used in used(module).into_iter().filter(|used| *used != self.module) {
            text += &fill(syntax.import, &[("module", &used)]);
        }
        text += &fill(syntax.inside, &[("module", self.module)]);
        if syntax.header.is_none() {
            module.records.iter().for_each(|record| text += &self.record(record));
        }
        for constant in &module.constants {
            let value = constant.value.to_string();
            let filled = [("name", constant.name.as_str()), ("value", &value)];
            text += &format!("\n{}\n", fill(syntax.constant, &filled));
        }
        for function in &module.functions {
            text += &format!("\n{}\n", self.signature(syntax.function, function));
            self.steps(&mut text, &function.body, 1);
            text += &self.end(0);
        }
        text + syntax.close
    }

    fn header(&self, module: &Module) -> Option<File> {
        let header = self.syntax.header.as_ref()?;
        let upper = self.module.to_uppercase();
        let mut text = fill(header.open, &[("module", self.module), ("MODULE", &upper)]);
        module.records.iter().for_each(|record| text += &self.record(record));
        for constant in &module.constants {
            text += &format!("\n{}\n", fill(header.constant, &[("name", &constant.name)]));
        }
        for function in &module.functions {
            text += &format!("\n{}\n", self.signature(header.function, function));
        }
        Some((format!("{}.{}", self.module, header.extension), text + header.close))
    }

    fn main(&self, modules: &[Module], steps: &[Step]) -> String {
        let syntax = self.syntax;
        let mut text = syntax.main_open.to_owned();
        for module in modules {
            text += &fill(syntax.main_import, &[("module", module.name)]);
        }
        text += &format!("\n{}\n", syntax.main_function);
        self.steps(&mut text, steps, 1);
        text += &self.end(0);
        text + syntax.main_close
    }

    fn record(&self, record: &Record) -> String {
        let syntax = self.syntax;
        let mut text = format!("\n{}\n", fill(syntax.record, &[("name", &record.name)]));
        for field in &record.fields {
            text += &format!("{}{}\n", indent(1), fill(syntax.field, &[("name", field)]));
        }
        match fill(syntax.record_end, &[("name", &record.name)]) {
            end if end.is_empty() => text,
            end => text + &end + "\n",
        }
    }

    fn signature(&self, template: &str, function: &Function) -> String {
        let parameter = |name: &&str| fill(self.syntax.parameter, &[("name", name)]);
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        let name = worded(&function.name, self.syntax.words);
        fill(template, &[("name", name.as_str()), ("parameters", &parameters.join(", "))])
    }

    fn steps(&self, text: &mut String, steps: &[Step], depth: usize) {
        let syntax = self.syntax;
        for step in steps {
            let mut line = |template: &str, filled: &[(&str, &str)]| {
                *text += &format!("{}{}\n", indent(depth), fill(template, filled));
            };
            match step {
                Step::Let(name, value) => {
                    line(
                        syntax.new_variable,
                        &[("name", name), ("value", &self.expression(value))],
                    );
                }
                Step::Set(name, value) => {
                    line(syntax.set, &[("name", name), ("value", &self.expression(value))]);
                }
                Step::Return(value) => {
                    line(syntax.give_back, &[("value", &self.expression(value))]);
                }
                Step::Make { variable, record, fields } => {
                    let field = |(name, value): &(&str, String)| {
                        let value = self.expression(value);
                        let filled = [("variable", *variable), ("name", name), ("value", &value)];
                        fill(syntax.make_field, &filled)
                    };
                    let fields: Vec<String> = fields.iter().map(field).collect();
                    let inside = fields.join(", ");
                    let filled = [("name", *variable), ("record", record), ("fields", &inside)];
                    line(syntax.make, &filled);
                    // If fields cannot be set in the constructor, each gets a line.
                    if !syntax.make.contains("{fields}") {
                        fields.iter().for_each(|field| line(field, &[]));
                    }
                }
                Step::If(condition, body) => {
                    line(syntax.condition, &[("condition", &self.expression(condition))]);
                    self.steps(text, body, depth + 1);
                    *text += &self.end(depth);
                }
                Step::Loop { variable, bound, body } => {
                    let bound = self.expression(bound);
                    line(syntax.repeat, &[("name", variable), ("bound", &bound)]);
                    self.steps(text, body, depth + 1);
                    *text += &self.end(depth);
                }
                Step::Refuse { condition, variable } => {
                    line(syntax.condition, &[("condition", &self.expression(condition))]);
                    for refuse in syntax.refuse {
                        let filled = fill(refuse, &[("name", variable)]);
                        *text += &format!("{}{filled}\n", indent(depth + 1));
                    }
                    *text += &self.end(depth);
                }
            }
        }
    }

    fn end(&self, depth: usize) -> String {
        match self.syntax.end {
            "" => String::new(),
            end => format!("{}{end}\n", indent(depth)),
        }
    }

    /// Writes the names of other modules in the form of the language.
    fn expression(&self, expression: &str) -> String {
        let mut parts = expression.split('@');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (module, name, rest) = reference(part);
            let name = worded(name, self.syntax.words);
            let template = if module == self.module { "{name}" } else { self.syntax.other };
            text += &fill(template, &[("module", module), ("name", &name)]);
            text += rest;
        }
        text
    }
}

/// Writes a name of several words in the form of a language; constants have one form in
/// all.
pub(super) fn worded(name: &str, words: Words) -> String {
    match words {
        Words::Camel if name.contains(char::is_lowercase) => {
            let mut words = name.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |text, word| text + &word[..1].to_uppercase() + &word[1..])
        }
        _ => name.to_owned(),
    }
}

/// Splits `module.name` off the front of a text.
fn reference(text: &str) -> (&str, &str, &str) {
    let (module, rest) = text.split_once('.').unwrap_or(("", text));
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    (module, name, rest)
}

/// Returns the modules whose names a module uses.
fn used(module: &Module) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    module.clone().each_expression(&mut |expression| {
        used.extend(expression.split('@').skip(1).map(|part| reference(part).0.to_owned()));
    });
    used
}

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}
