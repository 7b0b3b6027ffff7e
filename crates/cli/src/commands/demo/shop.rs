//! The made history of the demo: a shop in sixty commits, with a stretch in which nothing starts.

use std::fmt::Write;
use std::ops::RangeInclusive;

/// How many commits there are. The first one is tagged `v1.0`.
pub(super) const COMMITS: u32 = 60;

/// The commits with a syntax error in a file that the others read. The middle commit is among them,
/// so that a bisection meets them first.
pub(super) const BROKEN: RangeInclusive<u32> = 26..=33;

/// The first commit without a discount for ten pieces.
const GUILTY: u32 = 41;

/// The newest test.
const TEST: &str = "\
. ./shop.sh
cost=$(total 100 10)
if [ \"$cost\" != 900 ]; then
    echo \"error: ten pieces cost $cost instead of 900\"
    exit 1
fi
";

/// Returns all commits in the form that `git fast-import` reads.
pub(super) fn commits() -> String {
    let mut text = String::new();
    for number in 1..=COMMITS {
        let author = ["Ada", "Bo", "Cy"][number as usize % 3];
        let time = 1_767_225_600 + u64::from(number) * 86_400;
        let _ = writeln!(text, "commit refs/heads/main\nmark :{number}");
        for role in ["author", "committer"] {
            let _ = writeln!(
                text,
                "{role} {author} <{}@shop.example> {time} +0000",
                author.to_lowercase()
            );
        }
        data(&mut text, &title(number));
        file(&mut text, "shop.sh", &shop(number));
        file(&mut text, "rates.sh", &rates(number));
        file(&mut text, "items.txt", &items(number));
        if number == COMMITS {
            file(&mut text, "tests/discount.sh", TEST);
        }
        if number == 1 {
            text.push_str("reset refs/tags/v1.0\nfrom :1\n\n");
        }
    }
    text
}

fn data(text: &mut String, content: &str) {
    let _ = writeln!(text, "data {}\n{content}", content.len());
}

fn file(text: &mut String, path: &str, content: &str) {
    let _ = writeln!(text, "M 644 inline {path}");
    data(text, content);
}

fn title(number: u32) -> String {
    match number {
        1 => "Open the shop".into(),
        GUILTY => "Say what the functions do".into(),
        COMMITS => "Test the discount".into(),
        _ if number == *BROKEN.start() => "Add postage".into(),
        _ if number == *BROKEN.end() + 1 => "Correct the postage".into(),
        _ => format!("Sell item {number}"),
    }
}

fn shop(number: u32) -> String {
    let is_after = number >= GUILTY;
    let about =
        if is_after { "# Prints the price of several pieces: total PRICE COUNT.\n" } else { "" };
    let compare = if is_after { "-gt" } else { "-ge" };
    let tidy = if is_after { "# Reads the list of items." } else { "# Items." };
    format!(
        "# A small shop; all prices are in cents.\n. ./rates.sh\n\n{about}total() {{\n    \
         sum=$(($1 * $2))\n    if [ \"$2\" {compare} \"$many\" ]; then\n        \
         sum=$((sum - sum * discount / 100))\n    fi\n    echo \"$sum\"\n}}\n\n{tidy}\nitems() {{\n    \
         cat items.txt\n}}\n"
    )
}

fn rates(number: u32) -> String {
    let postage = match number {
        number if BROKEN.contains(&number) => "postage=$((2 * 145\n",
        number if number > *BROKEN.end() => "postage=$((2 * 145))\n",
        _ => "",
    };
    format!(
        "# How many pieces are many, and what is taken off for them in percent.\nmany=10\ndiscount=10\n{postage}"
    )
}

fn items(number: u32) -> String {
    let line = |number| format!("item {number}: {} cents\n", 100 + number * 37 % 900);
    (1..=number).map(line).collect()
}
