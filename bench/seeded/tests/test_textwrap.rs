use textwrap::core::{Fragment, Word, break_words, display_width};
use textwrap::{Options, WordSeparator, WordSplitter, dedent, fill, indent, refill, unfill, wrap};

fn main() {
    let text = "The quick brown fox jumps over the lazy dog.";
    assert_eq!(wrap(text, 16), ["The quick brown", "fox jumps over", "the lazy dog."]);
    assert_eq!(fill(text, 10), "The quick\nbrown fox\njumps over\nthe lazy\ndog.");
    let options = Options::new(20).initial_indent("- ").subsequent_indent("  ");
    assert_eq!(fill(text, options), "- The quick brown\n  fox jumps over the\n  lazy dog.");
    assert_eq!(wrap("foo-bar baz", 5), ["foo-", "bar", "baz"]);
    let whole = Options::new(5).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    assert_eq!(wrap("foo-bar baz", whole), ["foo-bar", "baz"]);
    assert_eq!(wrap("Supercalifragilistic", 8), ["Supercal", "ifragili", "stic"]);
    assert_eq!(wrap("  a b", 10), ["  a b"]);
    assert_eq!(wrap("a\n\nb", 10), ["a", "", "b"]);
    assert_eq!(wrap("", 10), [""]);
    assert_eq!(fill("a  b\nc ", 80), "a  b\nc");
    assert_eq!(dedent("  a\n    b\n\n  c\n"), "a\n  b\n\nc\n");
    assert_eq!(dedent("\ta\n\t\tb\n"), "a\n\tb\n");
    assert_eq!(indent("a\n\n b\n", "> "), "> a\n>\n>  b\n");
    let (unfilled, found) = unfill("* one two\n  three\n");
    assert_eq!((unfilled.trim_end(), found.initial_indent), ("one two three", "* "));
    assert_eq!(refill("* one two\n  three four\n", 12), "* one two\n  three four\n");
    assert_eq!(display_width("Café"), 4);
    assert_eq!(display_width("\u{1b}[31mred\u{1b}[0m"), 3);
    let words: Vec<Word> = WordSeparator::AsciiSpace.find_words("foo   bar ").collect();
    assert_eq!((words.len(), words[0].word, words[0].whitespace), (2, "foo", "   "));
    assert_eq!(words[1].width() as usize, 3);
    let broken = break_words(words, 2);
    assert_eq!(broken.iter().map(|word| word.word).collect::<Vec<_>>(), ["fo", "o", "ba", "r"]);
    assert_eq!(WordSplitter::HyphenSplitter.split_points("can-be-split"), [4, 7]);
}
