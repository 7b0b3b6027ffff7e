//! Drawings of what `sweep` asks about some trees.

use super::*;
use crate::drawing::trees::{check, needs};

#[test]
fn the_last_goes_first_and_what_refuses_is_looked_into() {
    check(
        "f(int_x int_y if(ne! then= else) while(not_zero! y--) return)",
        Sweep::new,
        needs(&["int_y", "y--"]),
        "
            - ✓
            f(int_x int_y if(ne then else)) ✓
            f(int_x int_y if(ne then else) while(not_zero y--)) ✗
            f(int_x int_y if(ne then else) while(not_zero)) ✓
            f(int_x int_y if(ne then else) while(0 y--)) ✗
            f(int_x int_y while(0 y--)) ✗
            f(while(0 y--)) ✓
            f(int_x while(0 y--)) ✓
            f(int_y while(0 y--)) ✗
            - ✓
            f(int_y) ✓
            f(int_y while(0)) ✓
            f(while(0 y--)) ✓
            f(int_y while(0 y--)) =
            ",
    );
}

#[test]
fn a_single_walk_asks_nothing_twice() {
    check(
        "f(int_x int_y if(ne! then= else) while(not_zero! y--) return)",
        |tree| Sweep::new(tree).certify(Certify::None),
        needs(&["int_y", "y--"]),
        "
            - ✓
            f(int_x int_y if(ne then else)) ✓
            f(int_x int_y if(ne then else) while(not_zero y--)) ✗
            f(int_x int_y if(ne then else) while(not_zero)) ✓
            f(int_x int_y if(ne then else) while(0 y--)) ✗
            f(int_x int_y while(0 y--)) ✗
            f(while(0 y--)) ✓
            f(int_x while(0 y--)) ✓
            f(int_y while(0 y--)) ✗
            f(int_y while(0 y--)) =
            ",
    );
}

#[test]
fn a_descendant_takes_the_place_of_what_is_around_it() {
    // The thesis's arithmetic example, (1 + 2 * 3) / (2 - 2) + 3 * 5: the division is needed.
    check(
        "plus:e!(div:e!(sum:e!(one:e! two:e!) zero:e!) five:e!)",
        Sweep::new,
        needs(&["div", "zero"]),
        "
            0 ✓
            sum(one two) ✓
            div(sum(one two) zero) ✗
            sum(one two) ✓
            div(sum(one two) 0) ✓
            div(0 zero) ✗
            0 ✓
            zero ✓
            div(0 0) ✓
            div(0 zero) =
            ",
    );
}

#[test]
fn the_statements_of_a_block_take_its_place() {
    check(
        "block[a if(test! body=[b c]) d]",
        Sweep::new,
        needs(&["c", "a"]),
        "
            - ✓
            a if(test body(b c)) d ✗
            a if(test body(b c)) ✗
            a ✓
            a b c ✗
            a b ✓
            c ✓
            a c ✗
            a ✓
            a c =
            ",
    );
}

#[test]
fn an_argument_that_must_be_there_is_shrunk() {
    check(
        "call(a~(x y) b~)",
        Sweep::new,
        |shown| shown.contains(&"b") && (shown.contains(&"a") || shown.contains(&"0")),
        "
            - ✓
            call(a(x y)) ✓
            call(a(x y) 0) ✓
            call(b) ✓
            call(0 b) ✗
            - ✓
            call(0) ✓
            call(0 0) ✓
            call(b) ✓
            call(0 b) =
            ",
    );
}

#[test]
fn heavy_lists_come_first_if_asked_for() {
    check(
        "head(a b) list[c d e(x y) f] tail(g)",
        |tree| Sweep::new(tree).heaviest_lists_first(),
        needs(&["e"]),
        "
            - ✓
            head(a b) ✓
            head(a b) list(c d e(x y) f) ✗
            list(c d e(x y) f) ✗
            list(c) ✓
            list(c d e(x y)) ✗
            list(c d) ✓
            list(e(x y)) ✗
            e(x y) ✗
            e(x) ✗
            e ✗
            - ✓
            e =
            ",
    );
}

#[test]
fn a_tree_in_which_nothing_can_go_is_not_asked_about() {
    check(
        "a=(b= c=)",
        Sweep::new,
        needs(&[]),
        "
            a(b c) =
            ",
    );
}
