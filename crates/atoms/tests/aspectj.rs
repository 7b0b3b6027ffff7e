//! Atomic changes of AspectJ: all kinds of the paper's Table 2, in both styles.

#![allow(clippy::unwrap_used)]

mod support;

use support::{between, check, drawing, responsible, sound};
use whodunit_atoms::{AtomKind, CallGraph};

const CLASS: (&str, &str) = (
    "C.java",
    "class C {\n    int x;\n\n    int f(int a) {\n        return a;\n    }\n\n    void g() {\n    }\n}\n",
);

const EMPTY: &str = "aspect A {\n}\n";

const FULL: &str = "\
aspect A {
    private int C.count = 1;

    public int C.twice(int a) {
        return a * 2;
    }

    C.new(int a, int b) {
        this.x = a + b;
    }

    pointcut calls(int a) :
        execution(int C.f(int)) && args(a);

    before(int a) : calls(a) {
        System.out.println(a);
    }

    int around(int a) : calls(a) {
        return proceed(a) + 1;
    }

    after() returning(int r) : calls(*) {
        helper();
    }

    declare parents : C implements java.io.Serializable;
    declare precedence : A, B;
    declare soft : Exception : execution(* C.*(..));
    declare warning : call(* C.g()) : \"no\";

    int own;

    void helper() {
    }
}
";

#[test]
fn all_that_an_aspect_may_have_comes() {
    let (parts, atoms) = between(&[CLASS, ("A.aj", EMPTY)], &[CLASS, ("A.aj", FULL)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 AIC C.f(int) <- 12",
            "2 AIC C.f(int) <- 13",
            "3 AIC C.f(int) <- 14",
            "4 AF A.own",
            "5 AM A.helper()",
            "6 INF A.C.count",
            "7 CIFI A.C.count <- 6",
            "8 INM A.C.twice(int a)",
            "9 INM A.C.new(int a, int b)",
            "10 CIMB A.C.twice(int a) <- 8",
            "11 CIMB A.C.new(int a, int b) <- 9",
            "12 AEA A.before(int a):calls(a) <- 18",
            "13 AEA A.around(int a):calls(a) <- 18",
            "14 AEA A.after() returning(int r):calls(*) <- 18",
            "15 CAB A.before(int a):calls(a) <- 12",
            "16 CAB A.around(int a):calls(a) <- 13",
            "17 CAB A.after() returning(int r):calls(*) <- 5 14",
            "18 ANP A.calls",
            "19 CPB A.calls <- 18",
            "20 AHD A.declare parents : C implements java.io.Serializable",
            "21 AAP A.declare precedence : A, B",
            "22 ASED A.declare soft : Exception : execution(* C.*(..))",
            "23 ADD A.declare warning : call(* C.g()) : \"no\""
        ]
    );
}

#[test]
fn all_that_an_aspect_may_have_goes() {
    let (parts, atoms) = between(&[CLASS, ("A.aj", FULL)], &[CLASS, ("A.aj", EMPTY)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 AIC C.f(int) <- 12",
            "2 AIC C.f(int) <- 13",
            "3 AIC C.f(int) <- 14",
            "4 DF A.own",
            "5 DM A.helper() <- 17",
            "6 DIF A.C.count <- 7",
            "7 CIFI A.C.count",
            "8 DIM A.C.twice(int a) <- 10",
            "9 DIM A.C.new(int a, int b) <- 11",
            "10 CIMB A.C.twice(int a)",
            "11 CIMB A.C.new(int a, int b)",
            "12 DEA A.before(int a):calls(a) <- 15",
            "13 DEA A.around(int a):calls(a) <- 16",
            "14 DEA A.after() returning(int r):calls(*) <- 17",
            "15 CAB A.before(int a):calls(a)",
            "16 CAB A.around(int a):calls(a)",
            "17 CAB A.after() returning(int r):calls(*)",
            "18 DPC A.calls <- 12 13 14 19",
            "19 CPB A.calls",
            "20 DHD A.declare parents : C implements java.io.Serializable",
            "21 DAP A.declare precedence : A, B",
            "22 DSED A.declare soft : Exception : execution(* C.*(..))",
            "23 DDD A.declare warning : call(* C.g()) : \"no\""
        ]
    );
}

#[test]
fn bodies_of_aspects_change() {
    let new = FULL
        .replace("count = 1", "count = 2")
        .replace("a * 2", "a * 3")
        .replace("execution(int C.f(int)) && args(a)", "execution(* C.g())")
        .replace("System.out.println(a)", "System.err.println(a)");
    let (parts, atoms) = between(&[CLASS, ("A.aj", FULL)], &[CLASS, ("A.aj", &new)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 AIC C.f(int) <- 10",
            "2 AIC C.f(int) <- 10",
            "3 AIC C.f(int) <- 10",
            "4 AIC C.g() <- 10",
            "5 AIC C.g() <- 10",
            "6 AIC C.g() <- 10",
            "7 CIFI A.C.count",
            "8 CIMB A.C.twice(int a)",
            "9 CAB A.before(int a):calls(a)",
            "10 CPB A.calls"
        ]
    );
}

#[test]
fn aspects_come_and_go_with_their_files() {
    let (parts, atoms) = between(&[CLASS, ("A.aj", FULL)], &[CLASS]);
    sound(&parts, &atoms);
    let kinds: Vec<AtomKind> = atoms.iter().map(|atom| atom.kind).collect();
    for kind in ["DA", "DIF", "DIM", "DEA", "DPC", "DHD", "DAP", "DSED", "DDD", "AIC"] {
        assert!(kinds.contains(&AtomKind::parse(kind).unwrap()), "{kind} is not among {kinds:?}");
    }
}

#[test]
fn annotations_make_aspects_as_well() {
    let old = "import org.aspectj.lang.annotation.*;\n\n@Aspect\nclass A {\n    @Pointcut(\"execution(* C.g())\")\n    void calls() {\n    }\n\n    @Before(\"calls()\")\n    public void log() {\n        int x = 1;\n    }\n}\n";
    let new = old.replace("C.g()", "C.f(int)").replace("int x = 1", "int x = 2").replace(
        "    @Before",
        "    @DeclareParents(\"C\")\n    java.io.Serializable s;\n\n    @AfterReturning(\"execution(* C.g())\")\n    public void end() {\n    }\n\n    @Before",
    );
    let (parts, atoms) = between(&[CLASS, ("A.java", old)], &[CLASS, ("A.java", &new)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 AIC C.f(int) <- 6",
            "2 AIC C.g() <- 4",
            "3 AIC C.g() <- 6",
            "4 AEA A.end()",
            "5 CAB A.log()",
            "6 CPB A.calls()",
            "7 AHD A.s"
        ]
    );
}

#[test]
fn a_test_reaches_the_advice_of_what_it_calls() {
    let test = "class T {\n    void testF() {\n        new C().f(1);\n    }\n\n    void testG() {\n        C c = new C();\n        c.g();\n    }\n\n    void testTwice() {\n        C c = new C();\n        c.twice(2);\n    }\n}\n";
    let new =
        FULL.replace("System.out.println(a)", "System.err.println(a)").replace("a * 2", "a * 3");
    let (_, atoms) = between(
        &[CLASS, ("A.aj", FULL), ("T.java", test)],
        &[CLASS, ("A.aj", &new), ("T.java", test)],
    );
    assert_eq!(drawing(&atoms).len(), 2);
    assert_eq!(responsible(&atoms, "testF"), ["2 CAB A.before(int a):calls(a)"]);
    assert!(responsible(&atoms, "testG").is_empty());
    assert_eq!(responsible(&atoms, "testTwice"), ["1 CIMB A.C.twice(int a)"]);
}

#[test]
fn advice_without_a_method_in_its_pointcut_may_be_run_anywhere() {
    let new =
        "aspect A {\n    before() : cflow(handler(Exception)) {\n        int x = 1;\n    }\n}\n";
    let (parts, atoms) = between(&[CLASS, ("A.aj", EMPTY)], &[CLASS, ("A.aj", new)]);
    sound(&parts, &atoms);
    let graph = CallGraph::of(&atoms);
    assert_eq!(graph.responsible(&graph.entries("C.g")).len(), atoms.len());
    check(
        "A.aj",
        EMPTY,
        new,
        &[
            "1 AIC A.before():cflow(handler(Exception)) <- 2",
            "2 AEA A.before():cflow(handler(Exception))",
            "3 CAB A.before():cflow(handler(Exception)) <- 2",
        ],
    );
}

#[test]
fn an_aspect_of_another_name_goes_and_comes() {
    let old = "aspect A {\n    before() : execution(* C.g()) {\n        int x = 1;\n    }\n\n    void own() {\n        int y = 2;\n    }\n}\n";
    let new = old.replace("aspect A", "aspect B");
    let (parts, atoms) = between(&[CLASS, ("A.aj", old)], &[CLASS, ("A.aj", &new)]);
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 AA B was A", "2 DA A"]);
}

#[test]
fn advice_has_no_name_that_others_could_use() {
    let class = ("C.java", "class C {\n    int a;\n    int b;\n    int d;\n    int n;\n}\n");
    let new = "aspect A {\n    before() : get(int C.a) {\n        int x = 1;\n    }\n\n    after() : set(int C.a) {\n        int x = 2;\n    }\n\n    before() : set(int C.b) && get(int C.d) && get(int C.n) {\n    }\n\n    C.new(int y) {\n    }\n\n    declare soft : Exception : execution(* C.*(..));\n}\n";
    let (parts, atoms) = between(&[class, ("A.aj", EMPTY)], &[class, ("A.aj", new)]);
    sound(&parts, &atoms);
    for (number, atom) in atoms.iter().enumerate() {
        let needs = atoms.prerequisites(number).iter().map(|&it| atoms.get(it));
        let advice = AtomKind::parse("AEA");
        let other =
            needs.clone().find(|it| it.name != atom.name && atom.kind.abbreviation() != "AIC");
        assert!(other.is_none(), "{} needs {other:?}", atom.name);
        assert!(
            atom.kind.abbreviation() != "AIC" || needs.clone().all(|it| Some(it.kind) == advice)
        );
    }
}

#[test]
fn a_test_that_makes_an_object_reaches_a_constructor_that_is_introduced() {
    let test = "class T {\n    void testMake() {\n        new C(1, 2);\n    }\n\n    void testOther() {\n        new C();\n    }\n}\n";
    let new = FULL.replace("a + b", "a - b");
    let (_, atoms) = between(
        &[CLASS, ("A.aj", FULL), ("T.java", test)],
        &[CLASS, ("A.aj", &new), ("T.java", test)],
    );
    assert_eq!(responsible(&atoms, "testMake"), ["1 CIMB A.C.new(int a, int b)"]);
    assert!(responsible(&atoms, "testOther").is_empty());
}

#[test]
fn advice_is_run_at_a_constructor_that_nobody_wrote() {
    let classes = ("C.java", "class C {\n    int x;\n}\n\nclass D {\n    D(int x) {\n    }\n}\n");
    let test = "class T {\n    void testMake() {\n        new C();\n    }\n\n    void testOther() {\n        new D(1);\n    }\n\n    void testNothing(C c) {\n        c.x = 1;\n    }\n}\n";
    for pointcut in ["initialization(C.new(..))", "execution(C.new())", "call(C.new(..))"] {
        let new =
            format!("aspect A {{\n    before() : {pointcut} {{\n        int x = 1;\n    }}\n}}\n");
        let (parts, atoms) = between(
            &[classes, ("A.aj", EMPTY), ("T.java", test)],
            &[classes, ("A.aj", &new), ("T.java", test)],
        );
        sound(&parts, &atoms);
        let all = [
            "1 AIC C.C() <- 2".to_owned(),
            format!("2 AEA A.before():{pointcut}"),
            format!("3 CAB A.before():{pointcut} <- 2"),
        ];
        assert_eq!(drawing(&atoms), all);
        assert_eq!(responsible(&atoms, "testMake"), all);
        assert!(responsible(&atoms, "testOther").is_empty(), "{pointcut}");
        assert!(responsible(&atoms, "testNothing").is_empty(), "{pointcut}");
    }
    // A constructor with parameters is not the implicit one.
    let new = "aspect A {\n    before() : call(C.new(int)) {\n    }\n}\n";
    let (_, atoms) = between(&[classes, ("A.aj", EMPTY)], &[classes, ("A.aj", new)]);
    assert_eq!(drawing(&atoms), ["1 AEA A.before():call(C.new(int))"]);
}

#[test]
fn old_advice_meets_a_new_method() {
    let aspect =
        "aspect A {\n    before() : execution(* C.*(..)) {\n        int x = 1;\n    }\n}\n";
    let old = CLASS.1;
    let new = old
        .replace("    void g() {\n", "    void h() {\n        x = 2;\n    }\n\n    void g() {\n");
    let test = "class T {\n    void testH(C c) {\n        c.h();\n    }\n\n    void testG(C c) {\n        c.g();\n    }\n}\n";
    let files = |class: &'static str| [("C.java", class), ("A.aj", aspect), ("T.java", test)];
    let new: &'static str = new.leak();
    let (parts, atoms) = between(&files(old), &files(new));
    sound(&parts, &atoms);
    let all = ["1 AIC C.h() <- 2", "2 AM C.h()", "3 CM C.h() <- 2"];
    assert_eq!(drawing(&atoms), all);
    assert_eq!(responsible(&atoms, "testH"), all);
    assert!(responsible(&atoms, "testG").is_empty());
    // And in reverse, where the method is deleted.
    let (parts, atoms) = between(&files(new), &files(old));
    sound(&parts, &atoms);
    assert_eq!(drawing(&atoms), ["1 AIC C.h() <- 2", "2 DM C.h() <- 3", "3 CM C.h()"]);
}

#[test]
fn new_advice_at_a_new_method_needs_both() {
    let class = |body: &str| format!("class C {{\n    int x;\n{body}}}\n");
    let (old, new) = (class(""), class("\n    void h() {\n        x = 2;\n    }\n"));
    let aspect = "aspect A {\n    before() : execution(* C.h()) {\n        int x = 1;\n    }\n}\n";
    let (parts, atoms) =
        between(&[("C.java", &old), ("A.aj", EMPTY)], &[("C.java", &new), ("A.aj", aspect)]);
    sound(&parts, &atoms);
    let drawn = drawing(&atoms);
    assert_eq!(drawn[0], "1 AIC C.h() <- 2 4", "{drawn:?}");
}

#[test]
fn advice_at_a_method_is_not_run_by_making_an_object() {
    let classes = (
        "C.java",
        "class Base {\n    int look() {\n        return 1;\n    }\n}\n\nclass Sub extends Base {\n    int look() {\n        return 2;\n    }\n}\n",
    );
    let test = "class T {\n    void testMake() {\n        new Base();\n    }\n\n    void testLook() {\n        new Sub().look();\n    }\n}\n";
    for kind in ["execution", "call"] {
        let new = format!(
            "aspect A {{\n    after() : {kind}(int Base.look()) {{\n        int x = 1;\n    }}\n}}\n"
        );
        let (parts, atoms) = between(
            &[classes, ("A.aj", EMPTY), ("T.java", test)],
            &[classes, ("A.aj", &new), ("T.java", test)],
        );
        sound(&parts, &atoms);
        assert!(responsible(&atoms, "testMake").is_empty(), "{kind}");
        let seen = responsible(&atoms, "testLook");
        assert!(seen.iter().any(|it| it.contains("AIC Sub.look()")), "{seen:?}");
    }
}

#[test]
fn declarations_are_reached_where_they_affect_something() {
    let classes = (
        "C.java",
        "class C {\n    void f() {\n    }\n\n    void g() {\n    }\n}\n\nclass D {\n    void h() {\n    }\n}\n",
    );
    let test = "class T {\n    void testF(C c) {\n        c.f();\n    }\n\n    void testG(C c) {\n        c.g();\n    }\n\n    void testH() {\n        new D().h();\n    }\n}\n";
    let advice = |aspect: &str, pointcut: &str| {
        format!(
            "aspect {aspect} {{\n    before() : {pointcut} {{\n        int x = 1;\n    }}\n}}\n"
        )
    };
    let (one, other) = (advice("B", "execution(* C.*())"), advice("E", "execution(* C.f())"));
    let reached = |declaration: &str| {
        let new = format!("aspect A {{\n    {declaration};\n}}\n");
        let files = |aspect| {
            [classes, ("T.java", test), ("A.aj", aspect), ("B.aj", &one), ("E.aj", &other)]
        };
        let (parts, atoms) = between(&files(EMPTY), &files(&new));
        sound(&parts, &atoms);
        assert_eq!(atoms.len(), 1, "{:?}", drawing(&atoms));
        ["testF", "testG", "testH"].map(|test| !responsible(&atoms, test).is_empty())
    };
    assert_eq!(reached("declare soft : Exception : execution(* C.f())"), [true, false, false]);
    assert_eq!(reached("declare soft : Exception : within(C)"), [true, true, false]);
    assert_eq!(reached("declare soft : Exception : handler(Exception)"), [true, true, true]);
    assert_eq!(reached("declare parents : D implements Runnable"), [false, false, true]);
    assert_eq!(reached("declare parents : (C || D) extends Object"), [true, true, true]);
    // Advice of both meets at one method only.
    assert_eq!(reached("declare precedence : B, E"), [true, false, false]);
    assert_eq!(reached("declare precedence : B, *"), [true, false, false]);
    assert_eq!(reached("declare precedence : B, A"), [false, false, false]);
}
