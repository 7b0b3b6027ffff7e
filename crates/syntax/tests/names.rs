//! Definitions, uses and calls in many languages, drawn one definition a line.

#![allow(clippy::unwrap_used)] // a wrong drawing fails the test either way

mod samples;

use whodunit_syntax::language::{Holds, Language};
use whodunit_syntax::names::{Definition, Names};
use whodunit_syntax::parse::parse;
use whodunit_syntax::tree::{NodeId, SyntaxTree};

/// Draws a definition: kind, name, the parts that are removed with it, the lines it is used in,
/// its parameters and the arguments of its calls.
fn drawing(tree: &SyntaxTree, names: &Names, definition: &Definition) -> String {
    let text = |id: NodeId| {
        let text = String::from_utf8_lossy(tree.text(id)).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let line = |id: NodeId| {
        let before = &tree.source()[..tree.node(id).range().start];
        (1 + before.iter().filter(|&&byte| byte == b'\n').count()).to_string()
    };
    let list = |ids: &[NodeId]| {
        format!("({})", ids.iter().map(|&id| text(id)).collect::<Vec<_>>().join(", "))
    };
    let kind = format!("{:?}", definition.kind).to_lowercase();
    let mut drawing = format!("{kind} {} `{}`", text(definition.name), text(definition.item));
    let lines: Vec<String> = names.uses(definition).map(line).collect();
    if !lines.is_empty() {
        drawing += &format!(" used {}", lines.join(" "));
    }
    if let Some(parameters) = &definition.parameters {
        drawing += &format!(" {}", list(parameters));
    }
    for call in names.calls(definition) {
        drawing += &format!(" called {}", list(&call.arguments));
    }
    drawing
}

fn check(language: &str, text: &str, expected: &str) {
    let Ok(language) = Language::by_name(language) else { return }; // its feature is off
    let tree = parse(&language, text.as_bytes());
    assert!(!tree.has_errors(), "{text}");
    let names = Names::of(&tree);
    let drawn: Vec<String> =
        names.definitions().iter().map(|of| drawing(&tree, &names, of)).collect();
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(drawn, expected, "{}", drawn.join("\n"));
}

#[test]
fn c_has_prototypes_pointers_and_several_declarators() {
    check(
        "c",
        "int add(int a, int b);\n\
         int *x, y = 2;\n\
         int add(int a, int b) { return a + b; }\n\
         int main(void) { int x = 1; return add(x, y); }\n",
        "
             function add `int add(int a, int b);` used 3 4 (int a, int b) called (x, y)
             parameter a `int a`
             parameter b `int b`
             variable x `*x`
             variable y `y = 2` used 4
             function add `int add(int a, int b) { return a + b; }` used 1 4 (int a, int b) called (x, y)
             parameter a `int a` used 3
             parameter b `int b` used 3
             function main `int main(void) { int x = 1; return add(x, y); }` (void)
             variable x `int x = 1;` used 4
        ",
    );
}

#[test]
fn c_types_fields_and_labels() {
    check(
        "c",
        "struct S { int x; int *p; };\n\
         typedef struct S T;\n\
         enum { RED, BLUE };\n\
         #define N 3\n\
         int f(T *t) { int x = N; if (x) goto out; t->x = RED; out: return x; }\n\
         int g(void) { out: return 0; }\n",
        "
             type S `struct S { int x; int *p; }` used 2
             field x `int x;` used 5
             field p `int *p;`
             type T `typedef struct S T;` used 5
             constant RED `RED` used 5
             constant BLUE `BLUE`
             constant N `#define N 3` used 5
             function f `int f(T *t) { int x = N; if (x) goto out; t->x = RED; out: return x; }` (T *t)
             parameter t `T *t` used 5
             variable x `int x = N;` used 5 5
             label out `out: return x;` used 5
             function g `int g(void) { out: return 0; }` (void)
             label out `out: return 0;`
        ",
    );
}

#[test]
fn cpp_has_methods_templates_and_namespaces() {
    check(
        "cpp",
        "namespace n { template<class T> T id(T t) { return t; } }\n\
         class A { int v; public: A(int a); int get(int k) const; };\n\
         A::A(int a) : v(a) {}\n\
         int A::get(int k) const { return v + k; }\n\
         int main() { A *o = new A(1); for (auto &e : list) e(); return n::id<int>(o->get(2)); }\n",
        "
             module n `namespace n { template<class T> T id(T t) { return t; } }` used 5
             parameter T `class T` used 1 1
             function id `template<class T> T id(T t) { return t; }` used 5 (T t) called (o->get(2))
             parameter t `T t` used 1
             type A `class A { int v; public: A(int a); int get(int k) const; }` used 2 3 3 4 5 5 called (1)
             field v `int v;` used 3 4
             function A `A(int a);` used 2 3 3 4 5 5 (int a) called (1)
             parameter a `int a`
             method get `int get(int k) const;` used 4 5 (int k) called (2)
             parameter k `int k`
             function A `A::A(int a) : v(a) {}` used 2 2 3 4 5 5 (int a) called (1)
             parameter a `int a` used 3
             function get `int A::get(int k) const { return v + k; }` used 2 5 (int k) called (2)
             parameter k `int k` used 4
             function main `int main() { A *o = new A(1); for (auto &e : list) e(); return n::id<int>(o->get(2)); }` ()
             variable o `A *o = new A(1);` used 5
             parameter e `for (auto &e : list) e();` used 5 called ()
        ",
    );
}

#[test]
fn java_has_overloads_fields_and_imports() {
    check(
        "java",
        "import java.util.List;\n\
         class A<T> {\n\
         int f = 1, g;\n\
         A(int a) { f = a; }\n\
         static int twice(int f) { return f + f; }\n\
         List<T> all() { for (int i = 0; i < g; i++) this.f = twice(i); new A(3); return null; }\n\
         }\n",
        "
             import List `import java.util.List;` used 6
             type A `class A<T> { int f = 1, g; A(int a) { f = a; } static int twice(int f) { return f + f; } List<T> all() { for (int i = 0; i < g; i++) this.f = twice(i); new A(3); return null; } }` used 4 6 called (3)
             parameter T `T` used 6
             field f `f = 1` used 4 6
             field g `g` used 6
             method A `A(int a) { f = a; }` used 2 6 (int a) called (3)
             parameter a `int a` used 4
             method twice `static int twice(int f) { return f + f; }` used 6 (int f) called (i)
             parameter f `int f` used 5 5
             method all `List<T> all() { for (int i = 0; i < g; i++) this.f = twice(i); new A(3); return null; }` ()
             variable i `int i = 0;` used 6 6 6
        ",
    );
}

#[test]
fn javascript_has_patterns_closures_and_modules() {
    check(
        "javascript",
        "import def, { one as uno, two } from 'm';\n\
         export function f(a, { b, c: d }, ...rest) { if (a) { var v = b; let w = d; } return v; }\n\
         const g = (x) => x + uno, h = 1;\n\
         class K { #p = 1; m(q) { return this.#p + q; } }\n\
         f(1, two); g(2); new K().m(3);\n",
        "
             import def `def`
             import uno `one as uno` used 3
             import two `two` used 5
             function f `export function f(a, { b, c: d }, ...rest) { if (a) { var v = b; let w = d; } return v; }` used 5 (a, { b, c: d }, ...rest) called (1, two)
             parameter a `a` used 2
             parameter b `b` used 2
             parameter d `c: d` used 2
             parameter rest `...rest`
             variable v `var v = b;` used 2
             variable w `let w = d;`
             function g `g = (x) => x + uno` used 5 (x) called (2)
             parameter x `x` used 3
             variable h `h = 1`
             type K `class K { #p = 1; m(q) { return this.#p + q; } }` used 5 called ()
             field #p `#p = 1` used 4
             method m `m(q) { return this.#p + q; }` used 5 (q) called (3)
             parameter q `q` used 4
        ",
    );
}

#[test]
fn typescript_has_types() {
    check(
        "typescript",
        "interface P { x: number; move(by: number): P }\n\
         type Id<T> = T;\n\
         enum E { A, B = 2 }\n\
         function f(p: P, n?: Id<number>): void { p.move(n); f(p, E.B); }\n",
        "
             type P `interface P { x: number; move(by: number): P }` used 1 4
             field x `x: number`
             method move `move(by: number): P` used 4 (by: number) called (n)
             parameter by `by: number`
             type Id `type Id<T> = T;` used 4
             parameter T `T` used 2
             type E `enum E { A, B = 2 }` used 4
             constant A `A`
             constant B `B = 2` used 4
             function f `function f(p: P, n?: Id<number>): void { p.move(n); f(p, E.B); }` used 4 (p: P, n?: Id<number>) called (p, E.B)
             parameter p `p: P` used 4 4
             parameter n `n?: Id<number>` used 4
        ",
    );
}

#[test]
fn python_leaves_self_out_and_knows_keywords() {
    check(
        "python",
        "import os.path, sys as system\n\
         from a import b, c\n\
         class K:\n\
         \x20   size = 1\n\
         \x20   def m(self, x, y=2):\n\
         \x20       self.z = x\n\
         \x20       return [y for y in b] + self.z\n\
         @dec\n\
         def f(a, *rest):\n\
         \x20   t = a\n\
         \x20   return t\n\
         f(1, system); K().m(3, y=4)\n",
        "
             import os `os.path`
             import system `sys as system` used 12
             import b `b` used 7
             import c `c`
             type K `class K: size = 1 def m(self, x, y=2): self.z = x return [y for y in b] + self.z` used 12 called ()
             field size `size = 1`
             method m `def m(self, x, y=2): self.z = x return [y for y in b] + self.z` used 12 (x, y=2) called (3, y=4)
             parameter self `self` used 6 7
             parameter x `x` used 6
             parameter y `y=2`
             field z `self.z = x` used 7
             variable y `y` used 7
             function f `@dec def f(a, *rest): t = a return t` used 12 (a, *rest) called (1, system)
             parameter a `a` used 10
             parameter rest `*rest`
             variable t `t = a` used 11
        ",
    );
}

#[test]
fn rust_has_use_lists_and_shadowing() {
    check(
        "rust",
        "use a::{b, c::D as E};\n\
         struct S<T> { f: T }\n\
         impl<T> S<T> { fn new(f: T) -> Self { S { f } } fn get(&self, k: u8) -> &T { b(k); &self.f } }\n\
         fn main() { let (x, y) = (1, E); let x = S::new(x); if let Some(z) = y { x.get(z); } }\n",
        "
             import b `b` used 3 called (k)
             import E `c::D as E` used 4
             type S `struct S<T> { f: T }` used 3 3 4
             parameter T `T` used 2
             field f `f: T` used 3
             parameter T `T` used 3 3 3
             method new `fn new(f: T) -> Self { S { f } }` used 4 (f: T) called (x)
             parameter f `f: T` used 3
             method get `fn get(&self, k: u8) -> &T { b(k); &self.f }` used 4 (k: u8) called (z)
             parameter k `k: u8` used 3
             function main `fn main() { let (x, y) = (1, E); let x = S::new(x); if let Some(z) = y { x.get(z); } }` ()
             variable x `x` used 4 4 4
             variable y `y` used 4
             variable x `let x = S::new(x);` used 4 4 4
             variable z `z` used 4
        ",
    );
}

#[test]
fn go_imports_are_known_by_their_last_part() {
    check(
        "go",
        "package p\n\
         import (\n\"fmt\"\nh \"net/http\"\n\"a/b\"\n)\n\
         type T struct { x, y int }\n\
         var u, v = 1, 2\n\
         func (t *T) m(k int) int { n, err := k, v; fmt.Print(err); return t.x + n + b.C }\n\
         func f(a, b int) { h.Get(T{x: a}.m(b)) }\n",
        "
             import fmt `\"fmt\"` used 9
             import h `h \"net/http\"` used 10
             import a/b `\"a/b\"` used 9
             type T `type T struct { x, y int }` used 9 10
             field x `x` used 9 10
             field y `y`
             variable u `u`
             variable v `v` used 9
             parameter t `t *T` used 9
             method m `func (t *T) m(k int) int { n, err := k, v; fmt.Print(err); return t.x + n + b.C }` used 10 (k int) called (b)
             parameter k `k int` used 9
             variable n `n` used 9
             variable err `err` used 9
             function f `func f(a, b int) { h.Get(T{x: a}.m(b)) }` (a, b)
             parameter a `a` used 10
             parameter b `b` used 10
        ",
    );
}

#[test]
fn c_sharp_ruby_php_and_lua() {
    check(
        "c-sharp",
        "using System.Text;\nclass A { int f = 1; int M(int x, int y) { var z = x; return z + f + M(1, y: 2); } }\n",
        "
             import Text `using System.Text;`
             type A `class A { int f = 1; int M(int x, int y) { var z = x; return z + f + M(1, y: 2); } }`
             field f `int f = 1;` used 2
             method M `int M(int x, int y) { var z = x; return z + f + M(1, y: 2); }` used 2 (int x, int y) called (1, y: 2)
             parameter x `int x` used 2
             parameter y `int y`
             variable z `var z = x;` used 2
        ",
    );
    check(
        "ruby",
        "class A\n  LIMIT = 3\n  def m(x, y = 2)\n    @v = x\n    z = y\n    [1].each { |x| z + x }\n  end\nend\nA.new.m(1, LIMIT)\n",
        "
             type A `class A LIMIT = 3 def m(x, y = 2) @v = x z = y [1].each { |x| z + x } end end` used 9
             constant LIMIT `LIMIT = 3` used 9
             method m `def m(x, y = 2) @v = x z = y [1].each { |x| z + x } end` used 9 (x, y = 2) called (1, LIMIT)
             parameter x `x` used 4
             parameter y `y = 2` used 5
             field @v `@v = x`
             variable z `z = y` used 6
             parameter x `x` used 6
        ",
    );
    check(
        "php",
        "<?php\nuse N\\K;\nfunction f($a, $b = 1) { $c = $a; return $c . $b; }\nclass A { public $p; function m($x) { return $this->p . $x; } }\nf(1, 2); $o = new A(); $o->m(K::z);\n",
        "
             import K `use N\\K;` used 5
             function f `function f($a, $b = 1) { $c = $a; return $c . $b; }` used 5 ($a, $b = 1) called (1, 2)
             parameter $a `$a` used 3
             parameter $b `$b = 1` used 3
             variable $c `$c = $a;` used 3
             type A `class A { public $p; function m($x) { return $this->p . $x; } }` used 5 called ()
             field p `public $p;` used 4
             method m `function m($x) { return $this->p . $x; }` used 5 ($x) called (K::z)
             parameter $x `$x` used 4
             variable $o `$o = new A();` used 5
        ",
    );
    check(
        "lua",
        "local function f(a, b) return a end\nlocal x, y = 1, 2\nfor i = 1, 3 do f(i, x) end\n",
        "
             function f `local function f(a, b) return a end` used 3 (a, b) called (i, x)
             parameter a `a` used 1
             parameter b `b`
             variable x `x` used 3
             variable y `y`
             parameter i `i` used 3
        ",
    );
}

#[test]
fn shells_solvers_and_tables() {
    check(
        "bash",
        "greet() { echo $1 $who; }\nwho=me\ngreet a \"b c\"\n",
        "
             function greet `greet() { echo $1 $who; }` used 3 called (a, \"b c\")
             variable who `who=me` used 1
        ",
    );
    check(
        "smtlib",
        "(declare-fun f (Int Bool) Int)\n(define-fun g ((n Int)) Int (* 2 n))\n(declare-const x Int)\n(assert (let ((n (f x true))) (= n (g 3))))\n",
        "
             function f `(declare-fun f (Int Bool) Int)` used 4 (Int, Bool) called (x, true)
             function g `(define-fun g ((n Int)) Int (* 2 n))` used 4 ((n Int)) called (3)
             parameter n `(n Int)` used 2
             constant x `(declare-const x Int)` used 4
             variable n `(n (f x true))` used 4
        ",
    );
    check(
        "sql",
        "CREATE TABLE t (a INT, b TEXT);\nINSERT INTO t (a) VALUES (1);\nSELECT s.a FROM t AS s WHERE s.b = 'x';\n",
        "
             type t `CREATE TABLE t (a INT, b TEXT)` used 2 3
             field a `a INT` used 2 3
             field b `b TEXT` used 3
             variable s `t AS s` used 3 3
        ",
    );
}

#[test]
fn an_argument_is_found_by_position_or_by_name() {
    let Ok(python) = Language::by_name("python") else { return };
    let tree = parse(&python, b"def f(a, b=1, *, c=2): pass\nf(7, c=9)\nf(b=5)\n".as_slice());
    let names = Names::of(&tree);
    let f = &names.definitions()[0];
    let argument = |position: usize, call: usize| {
        let call = &names.calls(f)[call];
        let found = names.argument(&tree, f, position, call)?;
        Some(String::from_utf8_lossy(tree.text(found)).into_owned())
    };
    let last = f.parameters.as_ref().unwrap().len() - 1;
    assert_eq!(argument(0, 0).as_deref(), Some("7"));
    assert_eq!(argument(1, 0), None, "what stands there is for another");
    assert_eq!(argument(last, 0).as_deref(), Some("c=9"));
    assert_eq!(argument(0, 1), None);
    assert_eq!(argument(1, 1).as_deref(), Some("b=5"));
}

#[test]
fn identifiers_are_grouped_by_text_in_every_language() {
    let groups = |language: &str, text: &str| -> Vec<(String, usize)> {
        let Ok(language) = Language::by_name(language) else { return Vec::new() };
        let tree = parse(&language, text.as_bytes());
        let text = |id: NodeId| String::from_utf8_lossy(tree.text(id)).into_owned();
        let names = Names::of(&tree);
        names.identifiers().iter().map(|group| (text(group[0]), group.len())).collect()
    };
    let found = |name: &str, times| (name.to_owned(), times);
    assert_eq!(
        groups("c", "int a, b; int *c = &a;"),
        [found("a", 2), found("b", 1), found("c", 1)]
    );
    assert_eq!(
        groups("xml", "<a b='1'><c b='2'/></a>"),
        [found("a", 2), found("b", 2), found("c", 1)]
    );
    assert_eq!(groups("bash", "f() { :; }; f"), [found("f", 2)]);
    assert_eq!(groups("php", "<?php $a = a($a);"), [found("$a", 2), found("a", 1)]);
    assert_eq!(groups("json", "{\"a\": 1}"), []);
}

#[test]
fn any_text_has_names() {
    for language in Language::all() {
        let (name, text) = (language.name(), samples::text(language));
        for part in [&text[..], &text[..text.len() / 2], &text[text.len() / 3..], b"", b"\xff\0"] {
            let tree = parse(language, part);
            let names = Names::of(&tree);
            for definition in names.definitions() {
                assert!(tree.subtree(definition.item).any(|id| id == definition.name), "{name}");
                assert!(names.uses(definition).all(|id| id != definition.name), "{name}");
            }
            let again = Names::of(&tree);
            assert_eq!(names.definitions(), again.definitions(), "{name}");
        }
    }
}

#[test]
fn every_programming_language_has_definitions_in_its_sample() {
    for language in Language::all() {
        let name = language.name();
        if language.profile().holds == Holds::Program {
            let names = Names::of(&parse(language, samples::text(language)));
            let functions = names.definitions().iter().filter(|of| of.parameters.is_some());
            let has_lists = !matches!(name, "bash" | "sql");
            assert!(names.definitions().len() > 1, "{name}");
            assert!(functions.count() > 0 || !has_lists, "{name}");
        }
    }
}

#[test]
fn depth_and_length_are_no_danger() {
    let Ok(c) = Language::by_name("c") else { return };
    let deep = format!("int x = {}x{};", "(".repeat(10_000), ")".repeat(10_000));
    let nested = format!("int f() {}{}", "{ int x; x = 1;".repeat(3_000), "}".repeat(3_000));
    let long = format!("int x = x{};", " + x".repeat(10_000));
    let many = format!("int {}z;", "a, ".repeat(10_000));
    for (text, definitions) in [(deep, 1), (nested, 3_001), (long, 1), (many, 10_001)] {
        let names = Names::of(&parse(&c, text.into_bytes()));
        assert_eq!(names.definitions().len(), definitions);
    }
}
