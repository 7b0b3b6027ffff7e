//! The failures of the problems, as functions of a text.
//!
//! Each stands for a program that reads the text in its language, and fails at one construct: the
//! text must parse, and names must be declared before their use.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use whodunit_jobs::syntax::language::Language;
use whodunit_jobs::syntax::parse::parses;

/// Fails iff a function shifts an unsigned value in both directions and combines the results.
pub(super) fn rotates(text: &[u8]) -> bool {
    let Some(words) = words_of("c", text) else { return false };
    let mut is_function = false;
    declares_before_use(&words)
        && statements(&words).any(|(statement, depth)| {
            if depth == 0 {
                let head = statement.split(|&word| word == "(").next().unwrap_or_default();
                let kinds = head.iter().rev().skip(1).take(1);
                let is_type = |kind: &str| WORDS_OF_C.contains(&kind) || is_alias(&words, kind);
                is_function =
                    statement.ends_with(&[")", "{"]) && kinds.clone().any(|it| is_type(it));
            }
            depth > 0
                && is_function
                && statement.iter().enumerate().any(|(place, &name)| {
                    let after = &statement[place + 1..];
                    let rest =
                        after.iter().position(|&word| word == "|").map(|or| &after[or + 1..]);
                    after.starts_with(&["<", "<"])
                        && rest.is_some_and(|rest| rest.starts_with(&[name, ">", ">"]))
                        && is_unsigned(&words, name)
                        && !is_alias(&words, name)
                })
        })
}

/// Fails iff a function template has a parameter that is the expansion of a pack.
pub(super) fn takes_a_pack(text: &[u8]) -> bool {
    let Some(words) = words_of("cpp", text) else { return false };
    let start = words.windows(2).enumerate().filter(|(_, pair)| *pair == ["template", "<"]);
    start.into_iter().any(|(place, _)| {
        let list = &words[place + 2..];
        let Some(end) = list.iter().position(|&word| word == ">") else { return false };
        let Some(call) = list[end..].iter().position(|&word| word == "(") else { return false };
        let parameters = &list[end + call + 1..];
        let parameters = &parameters[..parameters.iter().position(|&it| it == ")").unwrap_or(0)];
        list[end + 1..end + call].iter().filter(|word| is_name(word) && **word != "inline").count()
            > 1
            && list[..end].windows(5).any(|pack| {
                matches!(pack, ["class" | "typename", ".", ".", ".", name]
                if parameters.iter().skip_while(|it| *it != name).skip(1).any(|&it| it == "."))
            })
    }) && parameters_are_known(&words)
}

/// Fails iff a class overrides a virtual function of a class that it is derived from.
pub(super) fn overrides(text: &[u8]) -> bool {
    let Some(words) = words_of("cpp", text) else { return false };
    let mut bases: BTreeMap<&str, &str> = BTreeMap::new();
    let mut virtuals: BTreeSet<(&str, &str, &str)> = BTreeSet::new();
    let mut found = false;
    for (place, _) in
        words.iter().enumerate().filter(|(_, word)| matches!(**word, "class" | "struct"))
    {
        let Some(open) = words[place..].iter().position(|&word| word == "{" || word == ";") else {
            continue;
        };
        let (head, body) = words[place + 1..].split_at(open - 1);
        let [name, ..] = head else { continue };
        let base =
            head.get(2..).and_then(|names| names.last()).filter(|base| bases.contains_key(*base));
        if head.len() > 1 && base.is_none() {
            return false;
        }
        let methods = methods(body);
        let mut above = base;
        while let Some(class) = above {
            found |= methods
                .iter()
                .any(|(kind, method, _)| virtuals.contains(&(*class, *kind, *method)));
            above = bases.get(class).filter(|base| !base.is_empty());
        }
        let own = methods.iter().filter(|(_, _, is_virtual)| *is_virtual);
        virtuals.extend(own.map(|(kind, method, _)| (*name, *kind, *method)));
        if bases.insert(name, base.copied().unwrap_or_default()).is_some() {
            return false;
        }
    }
    found
}

/// Fails iff an array holds twelve records with a number.
pub(super) fn has_twelve_records(text: &[u8]) -> bool {
    fn has(value: &Value) -> bool {
        match value {
            Value::Array(items) => {
                items.iter().filter(|item| item["id"].is_number()).count() >= 12
                    || items.iter().any(has)
            }
            Value::Object(members) => members.values().any(has),
            _ => false,
        }
    }
    serde_json::from_slice(text).is_ok_and(|value| has(&value))
}

/// Fails iff the URL of a table has a negative timeout.
pub(super) fn has_negative_timeout(text: &[u8]) -> bool {
    fn has(value: &toml::Value) -> bool {
        match value {
            toml::Value::Table(table) => {
                let url = table.get("url").and_then(toml::Value::as_str).unwrap_or_default();
                let query = url.split('#').next().and_then(|url| url.split_once('?'));
                let timeout = query.and_then(|(_, query)| {
                    query.split('&').find_map(|pair| pair.strip_prefix("timeout="))
                });
                timeout.and_then(|timeout| timeout.parse::<i32>().ok()).is_some_and(|it| it < 0)
                    || table.values().any(has)
            }
            toml::Value::Array(items) => items.iter().any(has),
            _ => false,
        }
    }
    let table = std::str::from_utf8(text).ok().and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| has(&toml::Value::Table(table)))
}

/// Fails iff a step of the payload has `%n` in its format.
pub(super) fn prints_its_count(text: &[u8]) -> bool {
    let Ok(job) = serde_json::from_slice::<Value>(text) else { return false };
    let payload = job["payload"].as_str().unwrap_or_default();
    let Ok(payload) = serde_json::from_str::<Value>(payload) else { return false };
    let steps = payload["steps"].as_array();
    steps.is_some_and(|steps| {
        steps.iter().any(|step| step["fmt"].as_str().is_some_and(|fmt| fmt.contains("%n")))
    })
}

/// Fails iff an error names a session that was opened before, and three frames follow.
pub(super) fn breaks_a_session(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| words(line)).collect();
    let mut open = BTreeSet::new();
    lines.iter().enumerate().any(|(place, line)| {
        let frames = lines[place + 1..].iter().take_while(|line| line.first() == Some(&"at"));
        let breaks = line.contains(&"ERROR") && line.iter().any(|word| open.contains(word));
        let opened = line.windows(3).filter(|it| matches!(it, ["session", _, "open"]));
        open.extend(opened.map(|words| words[1]));
        breaks && frames.count() >= 3
    })
}

/// Fails iff all records are whole and one with tag 7 has a byte 255.
pub(super) fn has_a_bad_record(bytes: &[u8]) -> bool {
    fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
        let (mut value, mut shift) = (0, 0);
        for (place, byte) in bytes.iter().enumerate().take(4) {
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some((value, &bytes[place + 1..]));
            }
        }
        None
    }
    let read = || {
        let (count, mut rest) = number(bytes.strip_prefix(b"RCRD")?)?;
        let mut is_bad = false;
        for _ in 0..count {
            let (tag, after) = rest.split_first()?;
            let (length, after) = number(after)?;
            let (payload, after) = after.split_at_checked(length)?;
            is_bad |= *tag == 7 && payload.contains(&0xff);
            rest = after;
        }
        (rest.is_empty() && is_bad).then_some(())
    };
    read().is_some()
}

/// Fails iff all brackets are closed and a loop is inside six of them.
pub(super) fn loops_deep(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let (mut depth, mut is_deep) = (0, false);
    for line in text.lines() {
        for word in words(line.split(';').next().unwrap_or_default()) {
            match word {
                "(" => depth += 1,
                ")" if depth == 0 => return false,
                ")" => depth -= 1,
                "loop" => is_deep |= depth >= 6,
                _ => {}
            }
        }
    }
    depth == 0 && is_deep
}

/// Fails iff an assertion that is checked compares a selection from a store of an array.
pub(super) fn selects_from_a_store(text: &[u8]) -> bool {
    let Some(_) = words_of("smtlib", text) else { return false };
    let text = String::from_utf8_lossy(text);
    let Some(commands) = terms(&text) else { return false };
    let mut script = Script::default();
    let mut is_asserted = false;
    for command in &commands {
        let Term::List(parts) = command else { return false };
        let [Term::Word(head), parts @ ..] = &parts[..] else { return false };
        match (head.as_str(), parts) {
            ("declare-sort", [Term::Word(name), ..]) => {
                script.sorts.insert(name.clone(), false);
            }
            ("define-sort", [Term::Word(name), Term::List(_), sort]) => {
                let Some(is_array) = script.is_array(sort) else { return false };
                script.sorts.insert(name.clone(), is_array);
            }
            ("declare-const", [Term::Word(name), sort])
            | ("declare-fun", [Term::Word(name), Term::List(_), sort]) => {
                let Some(is_array) = script.is_array(sort) else { return false };
                script.names.insert(name.clone(), is_array);
            }
            ("define-fun", [Term::Word(name), Term::List(parameters), sort, body]) => {
                let Some(inner) = script.with(parameters, true) else { return false };
                if inner.sort(body).is_none() {
                    return false;
                }
                let Some(is_array) = script.is_array(sort) else { return false };
                script.names.insert(name.clone(), is_array);
            }
            ("assert", [term]) => {
                if script.sort(term).is_none() {
                    return false;
                }
                is_asserted |= script.compares(term);
            }
            ("check-sat", []) if is_asserted => return true,
            ("check-sat", []) => {}
            ("set-info" | "set-option" | "set-logic", _) => {}
            _ => return false,
        }
    }
    false
}

/// Fails iff an outer join of existing tables selects a column that the second table lacks.
pub(super) fn joins_what_is_missing(text: &[u8]) -> bool {
    let Some(words) = words_of("sql", text) else { return false };
    let words: Vec<String> = words.iter().map(|word| word.to_uppercase()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut tables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    words.split(|&word| word == ";").any(|statement| match statement {
        ["CREATE", "TABLE", name, "(", columns @ .., ")"] => {
            let columns = columns.split(|&word| word == ",").filter(|column| column.len() > 1);
            tables.insert(name, columns.map(|column| column[0]).collect());
            false
        }
        ["SELECT", rest @ ..] => joins(&tables, rest).is_some(),
        _ => false,
    })
}

/// Fails iff a template loops over a key that the stylesheet defines.
pub(super) fn loops_over_a_key(text: &[u8]) -> bool {
    let Some(_) = words_of("xml", text) else { return false };
    let text = String::from_utf8_lossy(text);
    let Some(elements) = elements(&text) else { return false };
    let is_sheet = |element: &Element<'_>| {
        element.name == "xsl:stylesheet"
            && element.path.is_empty()
            && element.attribute("xmlns:xsl") == Some("http://www.w3.org/1999/XSL/Transform")
    };
    let key = |name: &str| {
        let is_key = |element: &&Element<'_>| {
            element.name == "xsl:key" && element.path == ["xsl:stylesheet"]
        };
        elements.iter().filter(is_key).any(|key| key.attribute("name") == Some(name))
    };
    elements.iter().filter(|element| element.path.is_empty()).all(is_sheet)
        && elements.iter().any(|element| {
            let select = element.attribute("select").unwrap_or_default();
            let name = select.strip_prefix("key('").and_then(|rest| rest.split_once('\''));
            element.name == "xsl:for-each"
                && element.path.contains(&"xsl:template")
                && select.ends_with(')')
                && name.is_some_and(|(name, _)| !name.is_empty() && key(name))
        })
}

/// Returns words and signs of a text that parses; comments and directives are no part of it.
fn words_of<'a>(language: &str, text: &'a [u8]) -> Option<Vec<&'a str>> {
    let language = Language::by_name(language).ok()?;
    let text = std::str::from_utf8(text).ok().filter(|text| parses(&language, text.as_bytes()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| match language.name() {
        "sql" => line.split("--").next().unwrap_or_default(),
        _ => line,
    });
    Some(without_comments(&lines.flat_map(words).collect::<Vec<_>>()))
}

/// Splits a line into words and single signs.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let end = rest.find(|char| !is_word(char)).unwrap_or(rest.len()).max(first.len_utf8());
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

fn without_comments<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let (mut left, mut inside) = (Vec::new(), false);
    for (place, &word) in words.iter().enumerate() {
        inside |= words[place..].starts_with(&["/", "*"]);
        if !inside {
            left.push(word);
        }
        inside &= !(word == "/" && place > 0 && words[place - 1] == "*");
    }
    left
}

const WORDS_OF_C: [&str; 26] = [
    "typedef", "unsigned", "char", "long", "short", "int", "signed", "void", "struct", "union",
    "enum", "const", "static", "return", "if", "else", "for", "while", "do", "sizeof", "float",
    "double", "inline", "extern", "volatile", "goto",
];

fn is_name(word: &str) -> bool {
    word.starts_with(|char: char| char.is_alphabetic() || char == '_')
}

/// Returns whether every name is first used where it can be declared: behind a type.
fn declares_before_use(words: &[&str]) -> bool {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let is_no_type = |word: &str| matches!(word, "return" | "else" | "sizeof" | "do" | "goto");
    words.iter().enumerate().all(|(place, &word)| {
        let is_new = is_name(word) && !WORDS_OF_C.contains(&word) && !known.contains(word);
        let before = place.checked_sub(1).map_or("", |before| words[before]);
        let is_declared = matches!(before, "*" | "}") || is_name(before) && !is_no_type(before);
        !is_new || is_declared && known.insert(word)
    })
}

/// Returns the statements of functions and the text outside of functions, each with its depth in
/// braces.
fn statements<'a>(words: &'a [&'a str]) -> impl Iterator<Item = (&'a [&'a str], i32)> {
    let mut depth = 0;
    let is_end = |word: &&str| matches!(*word, ";" | "{" | "}");
    words.split_inclusive(is_end).map(move |statement| {
        let here = depth;
        depth += match statement.last() {
            Some(&"{") => 1,
            Some(&"}") => -1,
            _ => 0,
        };
        (statement, here)
    })
}

/// Returns whether a name was declared with an unsigned type, possibly through an alias.
fn is_unsigned(words: &[&str], name: &str) -> bool {
    let Some(place) = words.iter().position(|&word| word == name).filter(|_| is_name(name)) else {
        return false;
    };
    if !matches!(words.get(place + 1), Some(&(";" | "," | "=" | ")" | "["))) {
        return false;
    }
    let kind: Vec<&str> =
        words[..place].iter().rev().copied().take_while(|it| is_name(it)).collect();
    kind.contains(&"unsigned")
        || kind
            .first()
            .is_some_and(|kind| is_alias(words, kind) && is_unsigned(&words[..place], kind))
}

/// Returns whether a name first occurs in a definition of types.
fn is_alias(words: &[&str], name: &str) -> bool {
    let declared = words.iter().position(|&word| word == name);
    let before = declared.map(|declared| words[..declared].iter().rev());
    before.into_iter().flatten().take_while(|it| is_name(it)).any(|&word| word == "typedef")
}

/// Returns whether the types of parameters are types of C++ or names that were defined before.
fn parameters_are_known(words: &[&str]) -> bool {
    words.iter().enumerate().all(|(place, &word)| {
        let is_type = is_name(word)
            && words.get(place + 1..place + 4) == Some(&[".", ".", "."])
            && !matches!(word, "class" | "typename" | "sizeof");
        !is_type || words[..place].contains(&word)
    })
}

/// Returns type, name and whether it is virtual of each function of a class.
fn methods<'a>(body: &[&'a str]) -> Vec<(&'a str, &'a str, bool)> {
    let (mut depth, mut methods) = (0, Vec::new());
    for (place, &word) in body.iter().enumerate() {
        match word {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && place > 0 {
            break;
        }
        let Some([kind, name, "("]) = body.get(place..place + 3).filter(|_| depth == 1) else {
            continue;
        };
        if matches!(*kind, "int" | "double" | "void" | "bool") && is_name(name) {
            methods.push((*kind, *name, place > 0 && body[place - 1] == "virtual"));
        }
    }
    methods
}

/// Reads the text after `SELECT`; `None` if it does not fail.
fn joins(tables: &BTreeMap<&str, BTreeSet<&str>>, rest: &[&str]) -> Option<()> {
    let from = rest.iter().position(|&word| word == "FROM").filter(|&from| from > 0)?;
    let (_, rest) = table(tables, &rest[from + 1..])?;
    let rest = rest.strip_prefix(&["LEFT"])?;
    let rest = rest.strip_prefix(&["OUTER"]).unwrap_or(rest).strip_prefix(&["JOIN"])?;
    let (joined, rest) = table(tables, rest)?;
    let rest = rest.strip_prefix(&["ON"])?;
    let place = rest.iter().position(|&word| word == "WHERE").filter(|&place| place > 0)?;
    let mut conditions = rest[place..].windows(3);
    let found =
        conditions.any(|it| matches!(it, [column, "IS", "NULL"] if joined.contains(column)));
    found.then_some(())
}

/// Reads a table with its alias; returns its columns and the rest.
fn table<'a, 'w>(
    tables: &'a BTreeMap<&str, BTreeSet<&'w str>>,
    rest: &'w [&'w str],
) -> Option<(&'a BTreeSet<&'w str>, &'w [&'w str])> {
    let (name, rest) = rest.split_first()?;
    let columns = tables.get(name)?;
    match rest {
        ["AS", _, rest @ ..] => Some((columns, rest)),
        _ => Some((columns, rest)),
    }
}

/// A term of SMT-LIB.
enum Term {
    Word(String),
    List(Vec<Term>),
}

/// Reads terms; `None` if a bracket is not closed.
fn terms(text: &str) -> Option<Vec<Term>> {
    let mut open: Vec<Vec<Term>> = vec![Vec::new()];
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Term::List(list));
            }
            _ => open.last_mut()?.push(Term::Word(word.to_owned())),
        }
    }
    open.pop().filter(|_| open.is_empty())
}

/// The declarations of a script: whether each sort, and the sort of each name, is an array.
#[derive(Clone, Default)]
struct Script {
    sorts: BTreeMap<String, bool>,
    names: BTreeMap<String, bool>,
}

impl Script {
    fn is_array(&self, sort: &Term) -> Option<bool> {
        match sort {
            Term::Word(word) if matches!(word.as_str(), "Int" | "Bool" | "Real") => Some(false),
            Term::Word(word) => self.sorts.get(word).copied(),
            Term::List(parts) => match &parts[..] {
                [Term::Word(array), key, value] if array == "Array" => {
                    self.is_array(key)?;
                    self.is_array(value)?;
                    Some(true)
                }
                _ => None,
            },
        }
    }

    /// Returns the script with parameters, or with names for values.
    fn with(&self, names: &[Term], are_sorts: bool) -> Option<Script> {
        let mut inner = self.clone();
        for name in names {
            let Term::List(pair) = name else { return None };
            let [Term::Word(name), what] = &pair[..] else { return None };
            let is_array = if are_sorts { self.is_array(what)? } else { self.sort(what)? };
            inner.names.insert(name.clone(), is_array);
        }
        (!names.is_empty() || are_sorts).then_some(inner)
    }

    /// Returns whether a term is an array; `None` if a part of it is not declared.
    fn sort(&self, term: &Term) -> Option<bool> {
        let parts = match term {
            Term::Word(word) if word.starts_with(|char: char| char.is_ascii_digit()) => {
                return Some(false);
            }
            Term::Word(word) if word == "true" || word == "false" => return Some(false),
            Term::Word(word) => return self.names.get(word).copied(),
            Term::List(parts) => parts,
        };
        let [Term::Word(head), arguments @ ..] = &parts[..] else { return None };
        match (head.as_str(), arguments) {
            ("let", [Term::List(names), body]) => self.with(names, false)?.sort(body),
            ("!", [body, ..]) => self.sort(body),
            (head, arguments) => {
                let sorts: Option<Vec<bool>> = arguments.iter().map(|it| self.sort(it)).collect();
                match (head, &sorts?[..]) {
                    ("store", [true, _, _]) => Some(true),
                    ("select", [true, _]) => Some(false),
                    (
                        "=" | "distinct" | "<" | "<=" | ">" | ">=" | "+" | "and" | "or" | "=>",
                        [_, _, ..],
                    )
                    | ("not", [_]) => Some(false),
                    (head, [_, ..]) => self.names.get(head).copied().filter(|_| !is_sign(head)),
                    _ => None,
                }
            }
        }
    }

    /// Returns whether an equality in a term has a selection from a store on one side.
    fn compares(&self, term: &Term) -> bool {
        let Term::List(parts) = term else { return false };
        let is_head = |term: &Term, wanted: &str| match term {
            Term::List(parts) => matches!(parts.first(), Some(Term::Word(head)) if head == wanted),
            Term::Word(_) => false,
        };
        let selects = |term: &Term| match term {
            Term::List(parts) => is_head(term, "select") && is_head(&parts[1], "store"),
            Term::Word(_) => false,
        };
        is_head(term, "=") && parts[1..].iter().any(selects)
            || parts.iter().any(|part| self.compares(part))
    }
}

fn is_sign(word: &str) -> bool {
    matches!(word, "store" | "select" | "not" | "=" | "and" | "or")
}

/// An element of XML.
struct Element<'a> {
    name: &'a str,
    /// The names of the elements around it.
    path: Vec<&'a str>,
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}

/// Reads the elements of a text; `None` if an element is closed that is not open.
fn elements(text: &str) -> Option<Vec<Element<'_>>> {
    let (mut elements, mut path) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once('<') {
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
            continue;
        }
        let (tag, after) = tag.split_once('>')?;
        rest = after;
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            (path.pop() == Some(name.trim_end())).then_some(())?;
            continue;
        }
        let inner = tag.strip_suffix('/').unwrap_or(tag);
        let (name, mut rest_of_tag) = match inner.find(char::is_whitespace) {
            Some(end) => inner.split_at(end),
            None => (inner, ""),
        };
        let mut attributes = Vec::new();
        while let Some((name, value)) = rest_of_tag.trim_start().split_once('=') {
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, after) = value[1..].split_once(quote)?;
            attributes.push((name, value));
            rest_of_tag = after;
        }
        elements.push(Element { name, path: path.clone(), attributes });
        if inner.len() == tag.len() {
            path.push(name);
        }
    }
    path.is_empty().then_some(elements)
}
