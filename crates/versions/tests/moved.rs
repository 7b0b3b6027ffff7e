//! Functions that moved to a new file come as they were.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use support::{Plain, chosen, is_consistent, plain, texts, version};
use whodunit_core::DeltaSet;
use whodunit_versions::{
    ChangeKind, Decomposition, EntryKind, Level, TreePath, Version, decompose,
};

/// Returns a new file without any of the changes that are in it.
fn as_it_came(parts: &Decomposition, path: &str) -> String {
    let is_it = |delta: &whodunit_core::Delta| {
        let part = parts.part(*delta);
        let here = part.new_path == Some(&TreePath::from(path));
        !here || part.change == ChangeKind::Added
    };
    let tree = plain(&parts.version(&parts.all().iter().filter(is_it).collect()));
    String::from_utf8(tree[path.as_bytes()].1.clone()).unwrap()
}

/// Returns the lines of a file that are changes, counted from 1, with the items they are in.
fn changed_lines(parts: &Decomposition, path: &str) -> Vec<(u32, String)> {
    let all = parts.all();
    let parts = all.iter().map(|delta| parts.part(delta));
    parts
        .filter(|part| part.new_path == Some(&TreePath::from(path)))
        .filter(|part| part.change == ChangeKind::Text && !part.new_lines.is_empty())
        .map(|part| (part.new_lines.start, part.item.unwrap_or("").to_owned()))
        .collect()
}

fn lines_between(good: &Version, bad: &Version) -> Decomposition {
    decompose(good, bad, Level::Line).unwrap()
}

#[test]
fn a_python_function_in_a_new_module_is_the_old_one_with_changes() {
    let rest = "def other(a):\n    a = a.strip().lower().replace(' ', '_')\n    a = a.split('_')\n    return '-'.join(sorted(a))\n\n\ndef last(a):\n    return a[len(a) - 1]\n";
    let moved = "def total(rows):\n    result = 0\n    for row in rows:\n        result += row.price\n    return result\n";
    let good = texts(&[("shop.py", &format!("{moved}\n\n{rest}"))]);
    let changed = moved.replace("row.price", "row.cost");
    let new = format!("\"\"\"Sums.\"\"\"\n\nimport math\n\n\n{changed}");
    let bad =
        texts(&[("shop.py", &format!("from sums import total\n\n\n{rest}")), ("sums.py", &new)]);
    let parts = lines_between(&good, &bad);
    assert_eq!(as_it_came(&parts, "sums.py"), new.replace("row.cost", "row.price"));
    assert_eq!(changed_lines(&parts, "sums.py"), [(9, "total".to_owned())]);
}

#[test]
fn a_method_that_became_a_function_is_indented_anew() {
    let good = texts(&[(
        "a.py",
        "class A:\n    def size(self, x):\n        if x:\n            return 1\n\n        return len(x)\n\n    def b(self):\n        pass\n",
    )]);
    let bad = texts(&[
        ("a.py", "class A:\n    def b(self):\n        pass\n"),
        ("b.py", "def size(self, x):\n    if x:\n        return 2\n\n    return len(x)\n"),
    ]);
    let parts = lines_between(&good, &bad);
    let old = "def size(self, x):\n    if x:\n        return 1\n\n    return len(x)\n";
    assert_eq!(as_it_came(&parts, "b.py"), old);
}

#[test]
fn a_c_function_keeps_its_new_linkage_and_the_new_includes() {
    let body =
        |sign: &str| format!("int add(int a, int b)\n{{\n\tint c = a {sign} b;\n\treturn c;\n}}\n");
    let rest = "int main(void)\n{\n\treturn add(1, 2);\n}\n";
    let good = texts(&[("main.c", &format!("static {}\n{rest}", body("+")))]);
    let new = format!("#include \"add.h\"\n\n{}", body("-"));
    let bad = texts(&[
        ("add.c", &new),
        ("add.h", "int add(int a, int b);\n"),
        ("main.c", &format!("#include \"add.h\"\n\n{rest}")),
    ]);
    let parts = lines_between(&good, &bad);
    assert_eq!(as_it_came(&parts, "add.c"), new.replace("a - b", "a + b"));
}

#[test]
fn functions_are_known_however_they_are_defined_and_called() {
    let good = texts(&[(
        "lib.js",
        "(function() {\n  var _ = {};\n  _.keys = function(o) {\n    return Object.keys(o);\n  };\n  _.values = function(o) {\n    return _.keys(o).map(function(k) { return o[k]; });\n  };\n  _.size = function(o) {\n    var list = _.values(o);\n    return list.length;\n  };\n  _.last = function(o) {\n    return _.values(o)[_.size(o) - 1];\n  };\n  module.exports = _;\n}());\n",
    )]);
    let new = "'use strict';\nfunction keys(o) {\n  return Object.keys(o);\n}\nconst values = function(o) {\n  return keys(o).map(function(k) { return o[k]; });\n};\nfunction size(o) {\n  var list = keys(o);\n  return list.length;\n}\nfunction last(o) {\n  return values(o)[size(o)];\n}\nmodule.exports = { keys, values, size, last };\n";
    let bad = texts(&[("index.js", new), ("lib.js", "module.exports = require('./index');\n")]);
    let parts = lines_between(&good, &bad);
    let old = new.replace("list = keys(o)", "list = values(o)");
    assert_eq!(as_it_came(&parts, "index.js"), old.replace("[size(o)]", "[size(o) - 1]"));
}

#[test]
fn what_does_not_go_with_the_new_head_is_left_as_it_is() {
    let good =
        texts(&[("a.js", "exports.twice = x => {\n  return x + x;\n};\nexports.old = 1;\n")]);
    let new = "export function twice(x) {\n  return x * 2;\n}\n";
    let bad = texts(&[("a.js", "exports.old = 2;\n"), ("b.js", new)]);
    let parts = lines_between(&good, &bad);
    assert_eq!(plain(&parts.version(&parts.all())), plain(&bad));
}

#[test]
fn a_new_function_that_only_new_lines_need_is_a_change() {
    let moved = |scale: &str| {
        format!(
            "def area(shape):\n    width = shape.right - shape.left\n    return width * shape.height{scale}\n"
        )
    };
    let good = texts(&[("draw.py", &format!("{}\n\ndef rest():\n    pass\n", moved("")))]);
    let new = format!("{}\n\ndef zoom(shape):\n    return 2\n", moved(" * zoom(shape)"));
    let bad = texts(&[("draw.py", "def rest():\n    pass\n"), ("geometry.py", &new)]);
    let parts = lines_between(&good, &bad);
    assert!(!as_it_came(&parts, "geometry.py").contains("zoom"));
    let items = changed_lines(&parts, "geometry.py");
    assert!(items.contains(&(7, "zoom".to_owned())), "{items:?}");
}

#[test]
fn a_file_that_is_mostly_new_is_new() {
    let good = texts(&[("a.py", "def f(x):\n    return x\n\n\ndef g():\n    pass\n")]);
    let new = "def f(x):\n    return x\n\n\ndef long(a, b):\n    a = b\n    b = a\n    return a + b\n\n\ndef longer(a, b):\n    return a * b\n";
    let bad = texts(&[("a.py", "def g():\n    pass\n"), ("b.py", new)]);
    assert_eq!(as_it_came(&lines_between(&good, &bad), "b.py"), "");
}

/// A function in one of three languages, and which of its bodies it has.
fn function(language: usize, name: usize, body: usize, style: usize) -> String {
    let sign = ["+", "-", "*"][body];
    match (language, style) {
        (0, 0) => format!("def f{name}(a):\n    b = a {sign} 1\n    return b\n\n\n"),
        (0, _) => {
            format!("class C{name}:\n    def f{name}(self, a):\n        return a {sign} 1\n\n\n")
        }
        (1, 0) => format!("static int f{name}(int a)\n{{\n\treturn a {sign} f0(1);\n}}\n"),
        (1, _) => format!("int f{name}(int a) {{ return a {sign} 1; }}\n"),
        (_, 0) => format!("_.f{name} = function(a) {{\n  return _.f0(a) {sign} 1;\n}};\n"),
        (_, _) => format!("const f{name} = a => f0(a) {sign} 1;\n"),
    }
}

/// Returns a version made of functions, each in some file.
fn functions() -> impl Strategy<Value = Plain> {
    let one = (0usize..3, 0usize..4, 0usize..3, 0usize..2, 0usize..3);
    prop::collection::vec(one, 0..10).prop_map(|functions| {
        let mut files = Plain::new();
        for (language, name, body, style, place) in functions {
            let path = format!("{}.{}", ["a", "b", "c"][place], ["py", "c", "js"][language]);
            let file = files.entry(path.into_bytes()).or_insert((EntryKind::Regular, Vec::new()));
            file.1.extend_from_slice(function(language, name, body, style).as_bytes());
        }
        files
    })
}

proptest! {
    #[test]
    fn every_subset_is_laid_out_wherever_functions_went(
        good in functions(),
        bad in functions(),
        bits in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        for level in [Level::File, Level::Item, Level::Hunk, Level::Line, Level::Token] {
            let parts = decompose(&version(&good), &version(&bad), level).unwrap();
            prop_assert_eq!(&plain(&parts.version(&DeltaSet::empty())), &good);
            prop_assert_eq!(&plain(&parts.version(&parts.all())), &bad);
            let some = plain(&parts.version(&chosen(parts.len(), &bits)));
            prop_assert!(is_consistent(&some));
        }
    }
}
