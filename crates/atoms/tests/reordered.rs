//! Members of classes that stand in another order in the bad version.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use support::{between, drawing, sound};

const OLD: &str = "\
class A {
    int first() {
        int a = 1;
        return a;
    }

    /** Says so. */
    int second() {
        int b = 2;
        return b;
    }

    int third() {
        return 3;
    }
}
";

/// `third` stands before `first`, `second` in between has another body, and `fourth` is new.
const NEW: &str = "\
class A {
    int third() {
        return 33;
    }

    /** Says so. */
    int second() {
        int b = 22;
        return b;
    }

    int fourth() {
        return 4;
    }

    int first() {
        int a = 1;
        return a;
    }
}
";

#[test]
fn what_is_moved_and_changed_is_a_change_of_its_body_alone() {
    let (parts, atoms) = between(&[("A.java", OLD)], &[("A.java", NEW)]);
    sound(&parts, &atoms);
    assert_eq!(
        drawing(&atoms),
        [
            "1 ORD A.java",
            "2 AM A.fourth()",
            "3 CM A.third()",
            "4 CM A.second()",
            "5 CM A.fourth() <- 2",
            "6 TXT A.third()"
        ]
    );
    assert_eq!(atoms.closure(&BTreeSet::from([2])), BTreeSet::from([2]));
    assert_eq!((atoms.get(2).old_lines.clone(), atoms.get(2).new_lines.clone()), (14..15, 3..4));
}
