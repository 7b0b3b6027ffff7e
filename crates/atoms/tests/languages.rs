//! Atomic changes of the other languages: the same edits, the kinds that fit.

#![allow(clippy::unwrap_used)]

mod support;

use support::{between, check, drawing, responsible, sound};

#[test]
fn c_has_functions_globals_types_macros_and_includes() {
    check(
        "a.c",
        "#include <stdio.h>\n#define LIMIT 10\n\nstruct point {\n    int x;\n};\n\nstatic int count = 1;\n\nint f(int a)\n{\n    return a + count;\n}\n\nint main(void)\n{\n    return f(1);\n}\n",
        "#include <stdio.h>\n#include \"b.h\"\n#define LIMIT 20\n#define TWICE(x) \\\n    ((x) * 2)\n\nstruct point {\n    int x;\n    int y;\n};\n\nstatic int count = 2;\nstatic int total;\n\nstatic int g(int a)\n{\n    return TWICE(a);\n}\n\nint f(int a, int b)\n{\n    return a + count + b;\n}\n\nint main(void)\n{\n    return f(1, g(2)) + total;\n}\n",
        &[
            "1 AI #include\"b.h\"",
            "2 CH f <- 1 11",
            "3 AMA TWICE <- 1",
            "4 CMA LIMIT",
            "5 CMA TWICE <- 3",
            "6 AF point.y",
            "7 AG total",
            "8 AFN g <- 1",
            "9 CFN g <- 1 3 8",
            "10 CFN f <- 1",
            "11 CFN main <- 1 2 7 8",
            "12 GI count",
        ],
    );
}

#[test]
fn cpp_has_classes_namespaces_and_templates() {
    check(
        "a.cpp",
        "namespace n {\nclass A {\npublic:\n    int f();\n};\n\nint A::f() {\n    return 1;\n}\n}\n",
        "namespace n {\nclass A {\npublic:\n    int f();\n    virtual int g(int x);\n    int y = 1;\n};\n\nint A::f() {\n    return g(2);\n}\n\nint A::g(int x) {\n    return x + y;\n}\n\ntemplate <typename T>\nT twice(T x) {\n    return x + x;\n}\n}\n",
        &[
            "1 AF n.A.y",
            "2 AM n.A.g",
            "3 AFN n.A::g <- 2",
            "4 AFN n.twice",
            "5 CFN n.A::f <- 3",
            "6 CFN n.A::g <- 1 3",
            "7 CFN n.twice <- 4",
            "8 FI n.A.y <- 1",
        ],
    );
}

#[test]
fn python_has_functions_classes_globals_and_top_level_code() {
    check(
        "a.py",
        "import os\n\nLIMIT = 1\n\n\nclass A:\n    size = 1\n\n    def f(self):\n        return LIMIT\n\n\nprint(A().f())\n",
        "import os\nimport sys\n\nLIMIT = 2\nOTHER = sys.argv\n\n\nclass A:\n    size = 2\n\n    def f(self):\n        return LIMIT + helper(1)\n\n    @property\n    def g(self):\n        return OTHER\n\n\ndef helper(x):\n    y = x\n    return y\n\n\nprint(A().f(), A().g)\n",
        &[
            "1 AI sys",
            "2 AG OTHER",
            "3 AM A.g",
            "4 CM A.f <- 6",
            "5 CM A.g <- 2 3",
            "6 AFN helper",
            "7 CFN helper <- 6",
            "8 FI A.size",
            "9 GI LIMIT",
            "10 GI OTHER <- 1 2",
            "11 CTL a.py <- 3",
        ],
    );
}

#[test]
fn javascript_has_functions_classes_and_arrows() {
    check(
        "a.js",
        "const limit = 1;\n\nclass A {\n  f() {\n    return limit;\n  }\n}\n\nmodule.exports = { A };\n",
        "import { b } from './b.js';\nconst limit = 2;\nconst add = (x, y) => {\n  return x + y;\n};\n\nclass A {\n  size = 1;\n\n  f() {\n    return add(limit, b);\n  }\n}\n\nexport function g() {\n  return new A().f();\n}\n\nmodule.exports = { A, g };\n",
        &[
            "1 AI import{b}from'./b.js'",
            "2 AF A.size",
            "3 CM A.f <- 1 4",
            "4 AFN add",
            "5 AFN g",
            "6 CFN add <- 4",
            "7 CFN g <- 5",
            "8 FI A.size <- 2",
            "9 GI limit",
            "10 CTL a.js <- 5",
        ],
    );
}

#[test]
fn typescript_has_interfaces_and_aliases() {
    check(
        "a.ts",
        "interface I {\n  f(): number;\n}\n\nexport class A implements I {\n  f(): number {\n    return 1;\n  }\n}\n",
        "type N = number;\n\ninterface I {\n  f(): number;\n  g(): N;\n}\n\nexport class A implements I {\n  private x: N = 1;\n\n  f(): number {\n    return this.g();\n  }\n\n  g(): N {\n    return this.x;\n  }\n}\n",
        &[
            "1 LC I.g <- 5",
            "2 LC A.g <- 6",
            "3 AT N",
            "4 AF A.x <- 3",
            "5 AM I.g <- 3",
            "6 AM A.g <- 3",
            "7 CM A.f <- 5 6",
            "8 CM A.g <- 4 6",
            "9 FI A.x <- 4",
        ],
    );
}

#[test]
fn rust_has_items_implementations_and_modules() {
    check(
        "a.rs",
        "struct A {\n    x: u32,\n}\n\nimpl A {\n    fn f(&self) -> u32 {\n        self.x\n    }\n}\n\nconst LIMIT: u32 = 1;\n",
        "use std::fmt;\n\nstruct A {\n    x: u32,\n    y: u32,\n}\n\nimpl A {\n    fn f(&self) -> u32 {\n        helper(self.x) + self.y\n    }\n}\n\nimpl fmt::Display for A {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        Ok(())\n    }\n}\n\n/// Helps.\n#[inline]\nfn helper(x: u32) -> u32 {\n    x + LIMIT\n}\n\nconst LIMIT: u32 = 2;\n",
        &[
            "1 AI use std::fmt",
            "2 AT <A as fmt::Display> <- 1",
            "3 AF A.y",
            "4 AM <A as fmt::Display>.fmt <- 1 2",
            "5 CM A.f <- 3 7",
            "6 CM <A as fmt::Display>.fmt <- 4",
            "7 AFN helper",
            "8 CFN helper <- 7",
            "9 GI LIMIT",
        ],
    );
}

#[test]
fn go_has_functions_methods_and_types() {
    check(
        "a.go",
        "package a\n\nimport \"fmt\"\n\ntype A struct {\n\tx int\n}\n\nfunc (a *A) F() int {\n\treturn a.x\n}\n\nvar limit = 1\n",
        "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\ntype A struct {\n\tx int\n\ty int\n}\n\nfunc (a *A) F() int {\n\treturn helper(a.x) + a.y\n}\n\nfunc helper(x int) int {\n\tfmt.Println(os.Args)\n\treturn x\n}\n\nvar limit = 2\n",
        &[
            "1 AI \"os\"",
            "2 CH \"fmt\"",
            "3 AF A.y",
            "4 CM A.F <- 3 5",
            "5 AFN helper",
            "6 CFN helper <- 1 5",
            "7 GI limit",
        ],
    );
}

#[test]
fn python_tests_reach_what_they_call() {
    let old = &[
        (
            "lib.py",
            "def f():\n    return g()\n\n\ndef g():\n    return 1\n\n\ndef h():\n    return 1\n",
        ),
        (
            "test_lib.py",
            "from lib import f, h\n\n\ndef test_f():\n    assert f() == 1\n\n\ndef test_h():\n    assert h() == 1\n",
        ),
    ];
    let mut new = old.to_vec();
    new[0].1 = "def f():\n    return g()\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return 2\n";
    let (parts, atoms) = between(old, &new);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 CFN g", "2 CFN h"]);
    assert_eq!(responsible(&atoms, "test_lib.py::test_f"), ["1 CFN g"]);
    assert_eq!(responsible(&atoms, "test_h"), ["2 CFN h"]);
}
