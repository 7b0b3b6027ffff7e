//! The graph of atomic changes, as in Figure 3 of the paper of 2008: a box for each change, and an
//! arrow to each one that it needs.

use std::collections::BTreeMap;

use whodunit_jobs::atomic::AtomAnswer;
use whodunit_jobs::listing::AtomsAnswer;

use super::text::{escaped, shortened};
use crate::report::atoms::{KindCounts, kinds_in};

/// The size of a box, and the distance between boxes, in pixels.
const BOX: (usize, usize) = (230, 40);
const GAP: (usize, usize) = (50, 14);

/// The number of characters of a name that fit into a box.
const NAME: usize = 34;

/// The width of the column of a pair of versions, and the largest height of a column, in pixels.
const COLUMN: (usize, usize) = (120, 320);

/// The colours of kinds; with more kinds they repeat.
const COLOURS: [&str; 10] = [
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#76b7b2", "#edc948", "#9c755f",
    "#ff9da7", "#bab0ac",
];

/// Draws how many changes of each kind there are between successive versions, as in Figure 5 of the
/// paper of 2008: a column for each pair, with a part for each kind.
pub(crate) fn kinds_svg(pairs: &[KindCounts]) -> String {
    let kinds: Vec<&str> = kinds_in(pairs).into_iter().collect();
    let most = pairs.iter().map(|pair| pair.changes).max().unwrap_or(0).max(1);
    let (left, top) = (20, 30);
    let width = left + pairs.len() * COLUMN.0 + 120;
    let height = (top + COLUMN.1 + 40).max(top + kinds.len() * 18 + 20);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let colour = |kind: usize| COLOURS[kind % COLOURS.len()];
    for (column, pair) in pairs.iter().enumerate() {
        let x = left + column * COLUMN.0;
        let mut bottom = (top + COLUMN.1) as f64;
        for (at, kind) in kinds.iter().enumerate() {
            let count = pair.kinds.get(*kind).copied().unwrap_or(0);
            let high = COLUMN.1 as f64 * count as f64 / most as f64;
            bottom -= high;
            if count > 0 {
                text.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{bottom:.1}\" width=\"80\" height=\"{high:.1}\" \
                     fill=\"{}\"><title>{}: {count}</title></rect>\n",
                    colour(at),
                    escaped(kind)
                ));
            }
        }
        text.push_str(&format!(
            "<text x=\"{x}\" y=\"{:.1}\">{}</text><text x=\"{x}\" y=\"{}\">{}</text>\n",
            bottom - 6.0,
            pair.changes,
            top + COLUMN.1 + 18,
            escaped(&shortened(&pair.range(), 18))
        ));
    }
    let x = left + pairs.len() * COLUMN.0;
    for (at, kind) in kinds.iter().enumerate() {
        let y = top + at * 18;
        text.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>\n",
            colour(at),
            x + 18,
            y + 11,
            escaped(kind)
        ));
    }
    text + "</svg>\n"
}

/// Returns the graph in the language of Graphviz.
pub(crate) fn dot(answer: &AtomsAnswer) -> String {
    let mut text = String::from("digraph atoms {\n  rankdir = RL;\n  node [shape = record];\n");
    for atom in &answer.atoms {
        let fill = match is_responsible(atom) {
            true => ", style = filled, fillcolor = \"#f3e3bf\"",
            false => "",
        };
        let label = format!("{} {}|{}", atom.number, atom.kind, record(&atom.name));
        text.push_str(&format!("  a{} [label = \"{{{label}}}\"{fill}];\n", atom.number));
    }
    for atom in &answer.atoms {
        for need in &atom.needs {
            text.push_str(&format!("  a{} -> a{need};\n", atom.number));
        }
    }
    text + "}\n"
}

/// Returns a name for a label, with the characters escaped that have a meaning there.
fn record(name: &str) -> String {
    let mut text = String::new();
    for sign in name.chars() {
        if "{}|<>\"\\ ".contains(sign) {
            text.push('\\');
        }
        text.push(if sign.is_control() { ' ' } else { sign });
    }
    text
}

/// Returns the graph as a picture: changes without needs on the left, those that need them to the
/// right.
pub(crate) fn svg(answer: &AtomsAnswer) -> String {
    let places = places(&answer.atoms);
    let columns = places.values().map(|place| place.0 + 1).max().unwrap_or(0);
    let rows = places.values().map(|place| place.1 + 1).max().unwrap_or(0);
    let (width, height) = (columns * (BOX.0 + GAP.0) + GAP.0, rows * (BOX.1 + GAP.1) + GAP.1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let corner = |(column, row): (usize, usize)| {
        (GAP.0 + column * (BOX.0 + GAP.0), GAP.1 + row * (BOX.1 + GAP.1))
    };
    for atom in &answer.atoms {
        let (x, y) = corner(places[&atom.number]);
        for need in atom.needs.iter().filter(|need| **need != atom.number) {
            let (to_x, to_y) = corner(places[need]);
            let (from, to) = ((x, y + BOX.1 / 2), (to_x + BOX.0, to_y + BOX.1 / 2));
            text.push_str(&format!(
                "<path d=\"M {} {} C {} {} {} {} {} {}\" fill=\"none\" stroke=\"#888\"/>\n\
                 <circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"#555\"/>\n",
                from.0,
                from.1,
                from.0.saturating_sub(GAP.0 / 2),
                from.1,
                to.0 + GAP.0 / 2,
                to.1,
                to.0,
                to.1,
                to.0,
                to.1
            ));
        }
    }
    for atom in &answer.atoms {
        text.push_str(&drawn(atom, corner(places[&atom.number])));
    }
    text + "</svg>\n"
}

fn drawn(atom: &AtomAnswer, (x, y): (usize, usize)) -> String {
    let fill = if is_responsible(atom) { "#f3e3bf" } else { "#f4f4f4" };
    let (width, height) = BOX;
    format!(
        "<g><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
         fill=\"{fill}\" stroke=\"#555\"/><text x=\"{left}\" y=\"{first}\" \
         font-weight=\"bold\">{} {}</text><text x=\"{left}\" y=\"{second}\">{}</text></g>\n",
        escaped(&format!("{}: {}", atom.description, atom.name)),
        atom.number,
        escaped(&atom.kind),
        escaped(&shortened(&atom.name, NAME)),
        left = x + 6,
        first = y + 16,
        second = y + 33,
    )
}

fn is_responsible(atom: &AtomAnswer) -> bool {
    atom.responsible == Some(true)
}

/// Returns the column and the row of each change by its number. A change is right of the ones it
/// needs, except in a cycle, where changes have no order.
fn places(atoms: &[AtomAnswer]) -> BTreeMap<u64, (usize, usize)> {
    let by_number: BTreeMap<u64, &AtomAnswer> =
        atoms.iter().map(|atom| (atom.number, atom)).collect();
    let mut depths: BTreeMap<u64, usize> = BTreeMap::new();
    for atom in atoms {
        // Without recursion: graphs can be deep. `true` marks a change whose needs are placed.
        let mut ahead = vec![(atom.number, false)];
        let mut open = std::collections::BTreeSet::new();
        while let Some((number, are_needs_placed)) = ahead.pop() {
            if depths.contains_key(&number) {
                continue;
            }
            let needs = by_number.get(&number).map_or(&[][..], |atom| &atom.needs);
            if are_needs_placed {
                let depth = needs.iter().filter_map(|need| depths.get(need)).max();
                depths.insert(number, depth.map_or(0, |depth| depth + 1));
            } else if open.insert(number) {
                ahead.push((number, true));
                ahead.extend(needs.iter().map(|need| (*need, false)));
            }
        }
    }
    let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
    let mut place = |depth: usize| {
        let row = rows.entry(depth).or_default();
        *row += 1;
        (depth, *row - 1)
    };
    atoms.iter().map(|atom| (atom.number, place(depths[&atom.number]))).collect()
}
