//! Atomic changes of AspectJ: all kinds of the paper's Table 2, in both styles.

#![allow(clippy::unwrap_used)]

mod support;

use support::atoms::{between, check, drawing, responsible, sound};
use whodunit_changes::atoms::{AtomKind, CallGraph};

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
