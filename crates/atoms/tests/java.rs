//! Atomic changes of Java, one sort of edit for each test.

#![allow(clippy::unwrap_used)]

mod support;

use support::{between, check, drawing, responsible, sound};

fn java(old: &str, new: &str, expected: &[&str]) {
    check("A.java", old, new, expected);
}

#[test]
fn fields_come_go_and_get_other_values() {
    java(
        "class A {\n    int gone;\n    int kept = 1;\n}\n",
        "class A {\n    int kept = 2;\n    String come = \"x\";\n}\n",
        &["1 AF A.come", "2 DF A.gone", "3 FI A.kept", "4 FI A.come <- 1"],
    );
}

#[test]
fn methods_come_and_go_with_their_bodies() {
    java(
        "class A {\n    void gone() {\n        int x = 1;\n    }\n\n    void kept() {\n        gone();\n    }\n}\n",
        "class A {\n    void kept() {\n        come(1);\n    }\n\n    int come(int y) {\n        return y;\n    }\n}\n",
        &[
            "1 AM A.come(int)",
            "2 DM A.gone() <- 3 4",
            "3 CM A.gone()",
            "4 CM A.kept() <- 1",
            "5 CM A.come(int) <- 1",
        ],
    );
}

#[test]
fn overloads_are_told_apart_by_their_parameters() {
    java(
        "class A {\n    void f(int x) {\n        g();\n    }\n\n    void f(String x) {\n        g();\n    }\n\n    void g() {\n    }\n}\n",
        "class A {\n    void f(int x) {\n        g();\n        g();\n    }\n\n    void f(java.util.List<String> x, int... y) {\n        g();\n    }\n\n    void g() {\n    }\n}\n",
        &["1 AM A.f(java.util.List<String>,int...)", "2 DM A.f(String)", "3 CM A.f(int)"],
    );
}

#[test]
fn a_head_that_changes_is_one_change() {
    java(
        "class A {\n    void f() {\n        int x = 1;\n    }\n\n    int y;\n}\n",
        "class A {\n    @Deprecated\n    public void f() {\n        int x = 1;\n    }\n\n    long y;\n}\n",
        &["1 CH A.f()", "2 CH A.y"],
    );
}

#[test]
fn a_method_on_one_line_goes_together() {
    java(
        "class A {\n}\n",
        "class A {\n    int f() { return 1; }\n}\n",
        &["1 AM A.f()", "2 CM A.f() <- 1"],
    );
}

#[test]
fn a_renamed_method_is_recognised() {
    java(
        "class A {\n    int f(int a, int b) {\n        int c = a + b;\n        return c * 2;\n    }\n\n    int h() {\n        return f(1, 2);\n    }\n}\n",
        "class A {\n    int g(int a, int b) {\n        int c = a + b;\n        return c * 2;\n    }\n\n    int h() {\n        return g(1, 2);\n    }\n}\n",
        &["1 AM A.g(int,int) was A.f(int,int)", "2 DM A.f(int,int) <- 3", "3 CM A.h() <- 1"],
    );
}

#[test]
fn constructors_and_initializers_are_like_methods() {
    java(
        "class A {\n    A() {\n        x = 1;\n    }\n\n    static {\n        y = 1;\n    }\n\n    int x;\n    static int y;\n}\n",
        "class A {\n    A() {\n        x = 2;\n    }\n\n    A(int z) {\n        x = z;\n    }\n\n    static {\n        y = 2;\n    }\n\n    {\n        x = 3;\n    }\n\n    int x;\n    static int y;\n}\n",
        &[
            "1 AM A.A(int)",
            "2 AM A.<initializer>",
            "3 CM A.A()",
            "4 CM A.A(int) <- 1",
            "5 CM A.<initializer>",
            "6 CM A.<initializer> <- 2",
        ],
    );
}

#[test]
fn nested_types_enums_records_and_annotations_are_types() {
    java(
        "class A {\n    enum E {\n        ONE,\n        TWO\n    }\n\n    static class N {\n        int x() {\n            return 1;\n        }\n    }\n}\n",
        "class A {\n    enum E {\n        ONE,\n        TWO,\n        THREE\n    }\n\n    static class N {\n        int x() {\n            return 2;\n        }\n    }\n\n    record R(int a) {\n    }\n\n    interface I {\n        void m();\n    }\n\n    @interface T {\n        int value() default 1;\n    }\n}\n",
        &[
            "1 AC A.R",
            "2 AC A.I",
            "3 AC A.T",
            "4 AF A.E.THREE",
            "5 AM A.I.m() <- 2",
            "6 AM A.T.value() <- 3",
            "7 CM A.N.x()",
            "8 CM A.T.value() <- 6",
        ],
    );
}

#[test]
fn local_and_anonymous_classes_are_part_of_the_method() {
    java(
        "class A {\n    void f() {\n        Runnable r = new Runnable() {\n            public void run() {\n                int x = 1;\n            }\n        };\n    }\n}\n",
        "class A {\n    void f() {\n        Runnable r = new Runnable() {\n            public void run() {\n                int x = 2;\n            }\n        };\n        class L {\n        }\n    }\n}\n",
        &["1 CM A.f()"],
    );
}

#[test]
fn imports_go_before_their_uses() {
    java(
        "import java.util.List;\n\nclass A {\n    List f() {\n        return null;\n    }\n}\n",
        "import java.util.Map;\n\nclass A {\n    Map f() {\n        return null;\n    }\n\n    int g() {\n        return 1;\n    }\n}\n",
        &[
            "1 AI java.util.Map",
            "2 DI java.util.List <- 3",
            "3 CH A.f() <- 1",
            "4 AM A.g()",
            "5 CM A.g() <- 4",
        ],
    );
}

#[test]
fn comments_and_layout_are_text() {
    java(
        "class A {\n    // one\n    void f() {\n        g();\n    }\n\n    void g() {\n    }\n}\n",
        "class A {\n    // two\n    void f() {\n            g();\n    }\n\n\n    void g() {\n    }\n}\n",
        &["1 TXT A.f()", "2 TXT A.g()"],
    );
}

#[test]
fn an_override_comes_with_its_lookup_change() {
    let old = &[
        ("B.java", "class B {\n    int f() {\n        return 1;\n    }\n}\n"),
        ("A.java", "class A extends B {\n}\n"),
        (
            "T.java",
            "class T {\n    void testIt() {\n        B b = new A();\n        b.f();\n    }\n    void testOther() {\n        new B().toString();\n    }\n}\n",
        ),
    ];
    let mut new = old.to_vec();
    new[1].1 = "class A extends B {\n    int f() {\n        return 2;\n    }\n}\n";
    let (parts, atoms) = between(old, &new);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 LC A.f() <- 2", "2 AM A.f()", "3 CM A.f() <- 2"]);
    assert_eq!(responsible(&atoms, "testIt"), ["1 LC A.f() <- 2", "2 AM A.f()", "3 CM A.f() <- 2"]);
    assert!(responsible(&atoms, "testOther").is_empty());
}

#[test]
fn a_class_that_moves_cannot_be_in_both_files() {
    let class = "class C {\n    int f() {\n        int a = 1;\n        int b = 2;\n        return a + b;\n    }\n}\n";
    let a = "class A {\n    int x;\n}\n";
    let b = "class B {\n    int y;\n}\n";
    let (parts, atoms) = between(
        &[("A.java", &format!("{a}\n{class}")), ("B.java", b)],
        &[("A.java", a), ("B.java", &format!("{b}\n{class}"))],
    );
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 DC C <- 2",
            "2 DM C.f() <- 3",
            "3 CM C.f()",
            "4 AC C",
            "5 AM C.f() was C.f() <- 4",
            "6 CM C.f() <- 5"
        ]
    );
}

#[test]
fn a_renamed_class_keeps_its_methods() {
    let text = "class NAME {\n    NAME() {\n    }\n\n    int f() {\n        return VALUE;\n    }\n\n    int g() {\n        return 2;\n    }\n}\n";
    let old = text.replace("NAME", "Old").replace("VALUE", "1");
    let new = text.replace("NAME", "New").replace("VALUE", "3");
    let (parts, atoms) = between(&[("Old.java", &old)], &[("New.java", &new)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 RNF New.java was Old.java",
            "2 AC New was Old",
            "3 DC Old",
            "4 AM New.New() was Old.Old()",
            "5 DM Old.Old()",
            "6 CM New.f()"
        ]
    );
}

#[test]
fn a_file_comes_with_its_class_and_a_deleted_one_goes_as_a_whole() {
    let (parts, atoms) = between(
        &[
            ("A.java", "class A {\n    Gone g = null;\n}\n"),
            ("Gone.java", "class Gone {\n    int x;\n    void f() {\n    }\n}\n"),
        ],
        &[
            ("A.java", "class A {\n    Come c = null;\n}\n"),
            (
                "Come.java",
                "// A licence.\npackage p;\n\nimport java.util.List;\n\npublic class Come {\n    void f() {\n        List l = null;\n    }\n}\n",
            ),
        ],
    );
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 AF A.c <- 5",
            "2 DF A.g <- 4",
            "3 FI A.c <- 1",
            "4 FI A.g",
            "5 AC p.Come",
            "6 AM p.Come.f() <- 5",
            "7 CM p.Come.f() <- 6",
            "8 DC Gone <- 2 9 10",
            "9 DF Gone.x",
            "10 DM Gone.f()"
        ]
    );
}

#[test]
fn a_call_leads_below_a_type_only_to_classes_of_which_there_are_objects() {
    let shapes = |area: &str| {
        format!(
            "interface Shape {{\n    int area();\n}}\n\nclass Square implements Shape {{\n    public int area() {{\n        return {area};\n    }}\n}}\n\nclass Circle implements Shape {{\n    public int area() {{\n        return {area} + 1;\n    }}\n}}\n"
        )
    };
    let test = "class ShapeTest {\n    void testArea() {\n        Shape shape = new Square();\n        shape.area();\n    }\n\n    void testOther() {\n        make(Circle::new);\n        Shape shape = null;\n        shape.area();\n    }\n}\n";
    let (_, atoms) = between(
        &[("Shapes.java", &shapes("1")), ("ShapeTest.java", test)],
        &[("Shapes.java", &shapes("2")), ("ShapeTest.java", test)],
    );
    assert_eq!(responsible(&atoms, "testArea"), ["1 CM Square.area()"]);
    assert_eq!(responsible(&atoms, "testOther"), ["2 CM Circle.area()"]);
}

#[test]
fn a_call_needs_what_its_type_has_and_not_what_may_be_run_instead() {
    let (_, atoms) = between(
        &[(
            "A.java",
            "class A {\n    int f() {\n        return 1;\n    }\n}\n\nclass B extends A {\n}\n\nclass C {\n    int g(A a) {\n        return 0;\n    }\n}\n",
        )],
        &[(
            "A.java",
            "class A {\n    int f() {\n        return 1;\n    }\n}\n\nclass B extends A {\n    int f() {\n        return 2;\n    }\n}\n\nclass C {\n    int g(A a) {\n        return a.f();\n    }\n}\n",
        )],
    );
    let body = drawing(&atoms).into_iter().find(|line| line.contains("CM C.g(A)")).unwrap();
    assert!(!body.contains("<-"), "{body}");
}

#[test]
fn a_constructor_that_begins_with_another_needs_it_and_its_own_body() {
    let (_, atoms) = between(
        &[("A.java", "class A {\n    A(int x, int y) {\n    }\n}\n")],
        &[(
            "A.java",
            "class A {\n    A(int x, int y) {\n    }\n\n    A(int x, int y, int z) {\n    }\n\n    A(int x) {\n        this(x, 1, 2);\n    }\n}\n",
        )],
    );
    let drawn = drawing(&atoms);
    let number = |text: &str| drawn.iter().position(|line| line.contains(text)).unwrap();
    let (own, body) = (number("AM A.A(int)"), number("CM A.A(int)"));
    assert!(atoms.needs(own).contains(&body), "{drawn:?}");
    assert!(atoms.prerequisites(body).contains(&number("AM A.A(int,int,int)")), "{drawn:?}");
}

#[test]
fn a_constant_has_its_value_from_one_place() {
    let (_, atoms) = between(
        &[(
            "A.java",
            "class A {\n    static final int X;\n\n    static {\n        X = 1;\n    }\n}\n",
        )],
        &[("A.java", "class A {\n    static final int X = 1;\n}\n")],
    );
    let all: std::collections::BTreeSet<usize> = (0..atoms.len()).collect();
    for atom in 0..atoms.len() {
        assert_eq!(atoms.closure(&[atom].into()), all, "{:?}", drawing(&atoms));
    }
}

#[test]
fn what_a_class_no_longer_has_goes_with_what_it_extends() {
    let (_, atoms) = between(
        &[(
            "A.java",
            "class Base {\n    int f() {\n        return 1;\n    }\n}\n\nclass A implements Runnable {\n    private int f() {\n        return 2;\n    }\n\n    public void run() {\n    }\n}\n",
        )],
        &[(
            "A.java",
            "class Base {\n    int f() {\n        return 1;\n    }\n}\n\nclass A extends Base {\n}\n",
        )],
    );
    let drawn = drawing(&atoms);
    let number = |text: &str| drawn.iter().position(|line| line.contains(text)).unwrap();
    let head = number("CH A");
    assert!(atoms.needs(head).contains(&number("DM A.f()")), "{drawn:?}");
    assert!(atoms.needs(number("DM A.run()")).contains(&head), "{drawn:?}");
}

#[test]
fn a_class_of_another_name_needs_its_uses_changed() {
    let class = "class Old {\n    int f() {\n        return 1;\n    }\n}\n";
    let user = "class U {\n    int f() {\n        return new Old().f();\n    }\n}\n";
    let (old, new) = (class.to_owned(), class.replace("Old", "New"));
    let (parts, atoms) = between(
        &[("C.java", &old), ("U.java", user)],
        &[("C.java", &new), ("U.java", &user.replace("Old", "New"))],
    );
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 AC New was Old", "2 DC Old <- 3", "3 CM U.f() <- 1"]);
}

#[test]
fn making_an_object_reaches_the_constructor_of_the_class_above() {
    let text = "class Base {\n    int x;\n\n    Base() {\n        x = 1;\n    }\n}\n\nclass Sub extends Base {\n}\n\nclass T {\n    void testMake() {\n        new Sub();\n    }\n\n    void testOther() {\n        new T();\n    }\n}\n";
    let (_, atoms) = between(&[("B.java", text)], &[("B.java", &text.replace("x = 1", "x = 2"))]);
    assert_eq!(responsible(&atoms, "testMake"), ["1 CM Base.Base()"]);
    assert!(responsible(&atoms, "testOther").is_empty());
}
