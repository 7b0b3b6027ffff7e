//! One tree from the outlines of files: structure for files without a grammar, or with one that
//! does not fit.
//!
//! Every span may be removed. The text between brackets may also replace the brackets, or the block
//! that they belong to.

use std::ops::Range;
use std::sync::Arc;

use whodunit_core::{Facts, Kind, Tree, TreeBuilder};
use whodunit_syntax::couplings::{Plain, plain};
use whodunit_syntax::outline::{self, Outline, Span, What};

use super::follow::Followers;
use super::grow::fragments;
use super::{NodePlace, ParsedFile, Purpose, Structure};
use crate::languages::Languages;
use crate::protect::Protection;
use crate::snapshot::Snapshot;
use crate::tokens;

/// Average bytes of a line beyond which a text counts as structured inside its lines. Chosen by
/// hand.
const LONG_LINE_BYTES: usize = 200;

/// Outlines each file of a snapshot that does not parse, or only its measured parts.
pub(super) fn outlined(
    base: &Arc<Snapshot>,
    languages: &Languages,
    protection: &Protection,
    purpose: Purpose,
) -> Option<Structure> {
    // Addresses are kept in 32 bits.
    let end = u32::try_from(base.len()).ok()?;
    let mut builder = Tree::builder();
    let mut places = vec![NodePlace { end, ..NodePlace::empty(0) }];
    let mut files = Vec::new();
    let several = base.files().len() > 1;
    for (index, file) in base.files().iter().enumerate() {
        let (bytes, start) = (&file.bytes, base.addresses(index).start as u32);
        let known = languages.of(file);
        let fits = known.is_some() && !languages.reads_with_errors(file);
        let own_grammar = known.is_none() && languages.syntax_of(file).is_some();
        let shields = protection.shields(bytes);
        let node = builder.next();
        let is_free = several && shields.is_empty() && purpose == Purpose::All;
        let mut file = ParsedFile::unparsed(node, shields);
        file.language = known.filter(|_| fits);
        let outline = if file.language.is_some() || own_grammar {
            Outline::default()
        } else if purpose == Purpose::Coupled {
            let (followers, pieces) = coupled(bytes, u64::from(start)).unzip();
            file.followers = followers;
            pieces.unwrap_or_default()
        } else if tokens::is_binary(bytes) {
            let blocks = outline::binary(bytes).unwrap_or_default();
            (file.repairs, file.together) = (blocks.repairs, blocks.together);
            blocks.outline
        } else {
            Some(outline::text(bytes)).filter(|it| has_depth(it, bytes)).unwrap_or_default()
        };
        let weights = Weights::of(bytes);
        let own = weights.own(&outline, bytes.len());
        let facts = if is_free { Facts::free(own[0]) } else { Facts::fixed(own[0]) };
        builder.open(facts.list(list(0)));
        places.push(NodePlace { end: start + bytes.len() as u32, ..NodePlace::empty(start) });
        grow(&mut builder, &outline, &own[1..]);
        builder.close();
        let place = |range: &Range<usize>| {
            let (from, to) = (start + range.start as u32, start + range.end as u32);
            NodePlace { end: to, ..NodePlace::empty(from) }
        };
        if file.followers.is_some() {
            places.extend(separated(&outline, bytes).map(|(span, before)| NodePlace {
                start: start + before as u32,
                in_row: span.what == What::Item,
                ..place(&span.range)
            }));
        } else {
            places.extend(outline.spans.iter().map(|span| place(&span.range)));
        }
        files.push(file);
    }
    let tree = builder.build();
    let (fragments, families) = fragments(&tree, &places);
    let (base, minimals, is_abridged) = (base.clone(), Vec::new(), false);
    Some(Structure { base, tree, places, fragments, families, minimals, files, is_abridged })
}

/// Finds the numbers of a text that follow something, and the parts that may be removed if they do.
fn coupled(bytes: &Arc<[u8]>, start: u64) -> Option<(Followers, Outline)> {
    if tokens::is_binary(bytes) {
        return None;
    }
    let Plain { couplings, pieces } = plain(bytes);
    Some((Followers::of(bytes, couplings, start)?, pieces))
}

/// Returns each span, and where the separator from the item before it begins.
fn separated<'a>(outline: &'a Outline, bytes: &'a [u8]) -> impl Iterator<Item = (&'a Span, usize)> {
    // Where the last item of each depth ends, if nothing but an item was last.
    let mut ends: Vec<Option<usize>> = Vec::new();
    outline.spans.iter().map(move |span| {
        let (depth, start) = (span.depth as usize, span.range.start);
        ends.resize(depth + 1, None);
        let end = (span.what == What::Item).then_some(span.range.end);
        let before = std::mem::replace(&mut ends[depth], end).filter(|_| end.is_some());
        let is_between = |&from: &usize| !bytes[from..start].iter().any(u8::is_ascii_alphanumeric);
        (span, before.filter(is_between).unwrap_or(start))
    })
}

/// Whether a text has more structure than its lines have, which a list of lines is better for.
fn has_depth(outline: &Outline, bytes: &[u8]) -> bool {
    let mut ends = Vec::new();
    tokens::lines(bytes, |line| ends.push(line.end));
    let is_deep = |span: &Span| match span.what {
        What::Block => true,
        What::Brackets => {
            let end = ends[ends.partition_point(|&end| end <= span.range.start)];
            end < span.range.end
        }
        _ => false,
    };
    bytes.len() / ends.len().max(1) > LONG_LINE_BYTES || outline.spans.iter().any(is_deep)
}

/// Adds the spans of one file, each with the weight of its own.
fn grow(builder: &mut TreeBuilder, outline: &Outline, own: &[u32]) {
    let mut open = 0;
    for (span, &weight) in outline.spans.iter().zip(own) {
        let depth = span.depth;
        while open > depth {
            builder.close();
            open -= 1;
        }
        open += 1;
        let facts = Facts::free(weight).list(list(depth + 1));
        let facts = match span.what {
            What::Inside => facts.kind(inside(depth)).place(Kind(0)),
            What::Brackets => {
                builder.stands_for(brackets(depth), inside(depth + 1));
                facts.place(brackets(depth))
            }
            What::Block => {
                // The brackets of a block are below it, and the inside of these below them.
                builder.stands_for(block(depth), inside(depth + 2));
                facts.place(block(depth))
            }
            _ => facts,
        };
        builder.open(facts);
    }
    for _ in 0..open {
        builder.close();
    }
}

/// The kinds of one depth; 0 is that of no special node. Kinds differ from depth to depth, so only
/// the text directly inside a span is offered for its place, and no list is dissolved: the text
/// around its items can be removed by itself.
fn inside(depth: u32) -> Kind {
    Kind(depth * 4 + 1)
}

fn brackets(depth: u32) -> Kind {
    Kind(depth * 4 + 2)
}

fn block(depth: u32) -> Kind {
    Kind(depth * 4 + 3)
}

fn list(depth: u32) -> Kind {
    Kind(depth * 4 + 4)
}

/// The weight of each part of a file.
struct Weights {
    /// The weight of everything before each place.
    before: Vec<u32>,
}

impl Weights {
    /// Text is weighed by its tokens, other data by its bytes.
    fn of(bytes: &[u8]) -> Self {
        if tokens::is_binary(bytes) {
            return Weights { before: (0..=bytes.len() as u32).collect() };
        }
        let mut before = vec![0];
        let mut counted = 0;
        tokens::tokens(bytes, |range| {
            counted += u32::from(!bytes[range.start].is_ascii_whitespace());
            before.resize(range.end + 1, counted);
        });
        Weights { before }
    }

    fn within(&self, range: &Range<usize>) -> u32 {
        self.before[range.end] - self.before[range.start]
    }

    /// Returns the own weight of the file, and of each span.
    fn own(&self, outline: &Outline, length: usize) -> Vec<u32> {
        let mut own = vec![self.within(&(0..length))];
        // The file, and the spans that are open.
        let mut open = vec![0];
        for span in &outline.spans {
            open.truncate(span.depth as usize + 1);
            let weight = self.within(&span.range);
            if let Some(&above) = open.last() {
                own[above] = own[above].saturating_sub(weight);
            }
            open.push(own.len());
            own.push(weight);
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use whodunit_core::{Edit, TreeCandidate};

    use super::*;
    use crate::candidate::InputCandidate;
    use crate::snapshot::InputFile;

    fn read(bytes: &[u8]) -> Arc<Structure> {
        let file = InputFile { name: PathBuf::from("x"), bytes: bytes.into(), mode: 0o644 };
        let base = Arc::new(Snapshot::new(vec![file]));
        let protection = Protection::new(&[]).unwrap();
        Arc::new(outlined(&base, &Languages::None, &protection, Purpose::All).unwrap())
    }

    /// Returns the content after one edit that `choose` finds for some node.
    fn edited(
        structure: &Arc<Structure>,
        choose: impl Fn(&TreeCandidate, whodunit_core::Delta) -> Option<Edit>,
    ) -> Vec<u8> {
        let (tree, whole) = (structure.tree(), TreeCandidate::whole(structure.tree()));
        let edit =
            (1..tree.len() as u32).find_map(|node| choose(&whole, whodunit_core::Delta(node)));
        let shown = whole.with(tree, [&edit.unwrap()]);
        let candidate = InputCandidate::shown(structure.clone(), shown);
        candidate.snapshot().files()[0].bytes.to_vec()
    }

    #[test]
    fn a_whole_block_can_go() {
        let structure = read(b"a {\n  b\n}\nc {\n  d\n}\n");
        let tree = structure.tree();
        assert!(structure.has_depth());
        let left = edited(&structure, |whole, node| {
            let is_block = tree.facts(node).place == block(1);
            whole.leave_out(tree, node).filter(|_| is_block)
        });
        assert_eq!(left, b"c {\n  d\n}\n");
    }

    #[test]
    fn the_inside_of_brackets_takes_their_place() {
        let structure = read(b"a {\n  b\n}\n");
        let tree = structure.tree();
        let left = edited(&structure, |whole, node| whole.hoists(tree, node).first().copied());
        assert_eq!(String::from_utf8_lossy(&left), "a \n  b\n\n");
    }

    #[test]
    fn a_list_of_lines_has_no_depth() {
        assert!(!read(b"a (x)\nb (y)\nc\n").has_depth());
        assert!(!read(b"").has_depth());
        assert!(read(["(", &"x ".repeat(300), ")"].concat().as_bytes()).has_depth());
    }

    #[test]
    fn lengths_follow_what_is_deleted() {
        // RIFF: the length of everything, and two chunks; the first one is removed.
        let riff = b"RIFF\x18\0\0\0WAVEaaaa\x02\0\0\0xxbbbb\x02\0\0\0yy";
        let structure = read(riff);
        let tree = structure.tree();
        let left = edited(&structure, |whole, node| {
            let is_first = structure.places[node.0 as usize].end == 22;
            whole.leave_out(tree, node).filter(|_| is_first)
        });
        assert_eq!(left, b"RIFF\x0e\0\0\0WAVEbbbb\x02\0\0\0yy");
    }

    #[test]
    fn weights_are_of_what_is_own() {
        let outline = outline::text(b"f(a b)\ng\n");
        let own = Weights::of(b"f(a b)\ng\n").own(&outline, 9);
        assert_eq!(own.iter().sum::<u32>(), 6);
        assert_eq!(own[0], 0);
    }

    #[test]
    fn depth_is_no_danger() {
        let text = ["(".repeat(20_000), ")".repeat(20_000)].concat();
        assert_eq!(read(text.as_bytes()).tree().len(), 20_002);
    }
}
