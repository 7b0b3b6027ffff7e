//! The minimal-length string of every rule (HDD thesis, 5.1).
//!
//! The thesis's fixpoint: a round looks at derivations one level higher than the round before, so
//! after as many rounds as there are rules nothing can change any more, and a rule without a string
//! by then has none. Each round builds on the strings of the one before alone.
//!
//! Length is counted in tokens, then in characters; between equals the plainer text wins (numbers
//! before words before signs), which the thesis leaves open. A token of a scanner written by hand
//! has no text in the grammar: it takes a given one, or the one that it shows as in the tree, or
//! else is guessed to be empty, and a string without guesses beats any string with one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::joint::Joints;
use super::pattern::{self, PatternError};
use super::{Expr, Grammar, RuleId};

/// The minimal strings of a grammar.
#[derive(Clone, Debug)]
pub struct Minimal {
    known: DerivedStrings,
    phrases: Vec<Option<Phrase>>,
    rounds: usize,
    joints: Joints,
}

/// A minimal string; the lesser, the shorter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Phrase {
    cost: Cost,
    text: String,
}

impl Phrase {
    /// Returns what is written, with white space where tokens would run together.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how many tokens it has.
    pub fn tokens(&self) -> usize {
        self.cost.tokens as usize
    }

    /// Returns how many tokens were guessed to be empty; if any, the text may not be legal.
    pub fn guesses(&self) -> usize {
        self.cost.guesses as usize
    }
}

/// Characters of a minimal string; a rule whose string is longer has none, because the string would
/// be of no use and could be astronomically long. Chosen by hand.
const MAX_CHARACTERS: u32 = 10_000;

impl Minimal {
    /// Computes the strings.
    ///
    /// `given` has texts for tokens of external scanners, and for rules where another string than
    /// the shortest is wanted, by name.
    pub fn new(
        grammar: &Grammar,
        given: BTreeMap<String, String>,
    ) -> Result<Minimal, PatternError> {
        let mut patterns = HashMap::new();
        for rule in grammar.rules.iter().filter(|rule| !given.contains_key(&rule.name)) {
            collect_patterns(&rule.body, &mut patterns)?;
        }
        let at_first = |name| given.get(name).map(|text| Derived::from_text(text));
        let derived = grammar.rules.iter().map(|rule| at_first(&rule.name)).collect();
        let mut known = DerivedStrings { patterns, given, derived };
        let mut rounds = 0;
        while let Some(derived) = known.next_round(grammar) {
            known.derived = derived;
            rounds += 1;
        }
        let joints = Joints::new(grammar);
        let phrases =
            known.derived.iter().map(|derived| derived.as_ref()?.phrase(&joints)).collect();
        Ok(Minimal { known, phrases, rounds, joints })
    }

    /// Returns the minimal string of a rule, if it has one of any use.
    pub fn of(&self, rule: RuleId) -> Option<&Phrase> {
        self.phrases[rule.0 as usize].as_ref()
    }

    /// Returns the minimal string of an expression of the grammar.
    pub fn of_expr(&self, expr: &Expr) -> Option<Phrase> {
        let (cost, rope) = (self.known.cost(expr)?, self.known.rope(expr)?);
        Derived { cost, rope }.phrase(&self.joints)
    }

    /// Returns the rules without a finite string (or with one too long to be of use).
    pub fn endless(&self) -> impl Iterator<Item = RuleId> {
        let places = (0..).map(RuleId);
        places.zip(&self.phrases).filter(|(_, phrase)| phrase.is_none()).map(|(rule, _)| rule)
    }

    /// Returns after how many rounds nothing changed any more; at most the number of rules.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Says whether the text of a rule or token was given, by its name.
    pub fn is_given(&self, name: &str) -> bool {
        self.known.given.contains_key(name)
    }

    /// Returns where white space has to keep tokens apart.
    pub fn joints(&self) -> &Joints {
        &self.joints
    }
}

fn collect_patterns(
    expr: &Expr,
    patterns: &mut HashMap<String, String>,
) -> Result<(), PatternError> {
    if let Expr::Pattern(pattern) = expr
        && !patterns.contains_key(pattern)
    {
        patterns.insert(pattern.clone(), pattern::shortest(pattern)?);
    }
    expr.parts().iter().try_for_each(|part| collect_patterns(part, patterns))
}

/// How long a string is; compared part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    guesses: u32,
    tokens: u32,
    characters: u32,
    plainness: u32,
}

impl Cost {
    const GUESS: Cost = Cost { guesses: 1, tokens: 0, characters: 0, plainness: 0 };

    fn of(text: &str) -> Cost {
        Cost {
            guesses: 0,
            tokens: u32::from(!text.is_empty()),
            characters: text.chars().count() as u32,
            plainness: text.chars().map(pattern::plainness).sum(),
        }
    }

    fn plus(self, other: Cost) -> Cost {
        Cost {
            guesses: self.guesses.saturating_add(other.guesses),
            tokens: self.tokens.saturating_add(other.tokens),
            characters: self.characters.saturating_add(other.characters),
            plainness: self.plainness.saturating_add(other.plainness),
        }
    }
}

/// A string as it was put together; parts are shared, since strings contain each other's.
#[derive(Debug)]
enum Rope {
    Word { text: String, immediate: bool },
    Join(Vec<Arc<Rope>>),
}

#[derive(Clone, Debug)]
struct Derived {
    cost: Cost,
    rope: Arc<Rope>,
}

impl Derived {
    fn from_text(text: &str) -> Derived {
        Derived { cost: Cost::of(text), rope: word(text, false) }
    }

    fn phrase(&self, joints: &Joints) -> Option<Phrase> {
        if self.cost.characters > MAX_CHARACTERS {
            return None;
        }
        let mut text = String::new();
        let mut last = "";
        let mut waiting = vec![&*self.rope];
        while let Some(rope) = waiting.pop() {
            match rope {
                Rope::Join(parts) => waiting.extend(parts.iter().rev().map(|part| &**part)),
                Rope::Word { text: word, .. } if word.is_empty() => {}
                Rope::Word { text: word, immediate } => {
                    if !immediate {
                        text.push_str(joints.between(last, word));
                    }
                    text.push_str(word);
                    last = word;
                }
            }
        }
        Some(Phrase { cost: self.cost, text })
    }
}

fn word(text: &str, immediate: bool) -> Arc<Rope> {
    Arc::new(Rope::Word { text: text.to_owned(), immediate })
}

/// The strings known after a round.
#[derive(Clone, Debug)]
struct DerivedStrings {
    /// The shortest texts of the patterns.
    patterns: HashMap<String, String>,
    given: BTreeMap<String, String>,
    /// The strings of the rules: Φ of the thesis.
    derived: Vec<Option<Derived>>,
}

impl DerivedStrings {
    /// Returns the strings of derivations a level higher, or `None` if none is shorter.
    fn next_round(&self, grammar: &Grammar) -> Option<Vec<Option<Derived>>> {
        let mut better = None;
        for (place, rule) in grammar.rules.iter().enumerate() {
            let Some(cost) = self.cost(&rule.body) else { continue };
            let known = self.derived[place].as_ref();
            let worse = known.is_some_and(|known| known.cost <= cost);
            if worse || self.given.contains_key(&rule.name) {
                continue;
            }
            let rope = self.rope(&rule.body)?;
            better.get_or_insert_with(|| self.derived.clone())[place] =
                Some(Derived { cost, rope });
        }
        better
    }

    fn cost(&self, expr: &Expr) -> Option<Cost> {
        match expr {
            Expr::Empty | Expr::Repeat(_) => Some(Cost::default()),
            Expr::Rule(id) => self.derived[id.0 as usize].as_ref().map(|known| known.cost),
            Expr::Text(text) => Some(Cost::of(text)),
            Expr::Pattern(pattern) => self.patterns.get(pattern).map(|text| Cost::of(text)),
            Expr::External(name) => {
                Some(self.given.get(name).map_or(Cost::GUESS, |text| Cost::of(text)))
            }
            Expr::Token(body) => self.text(body).map(|text| Cost::of(&text)),
            Expr::Alias { body, name, named: false } if self.is_unknown(body) => {
                Some(Cost::of(name))
            }
            Expr::Immediate(body) | Expr::Repeat1(body) | Expr::Alias { body, .. } => {
                self.cost(body)
            }
            Expr::Seq(parts) => {
                parts.iter().try_fold(Cost::default(), |sum, part| Some(sum.plus(self.cost(part)?)))
            }
            Expr::Choice(parts) => parts.iter().filter_map(|part| self.cost(part)).min(),
        }
    }

    /// Says whether this is a token whose text is neither in the grammar nor given.
    fn is_unknown(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::External(name) if !self.given.contains_key(name))
    }

    /// Returns the string whose cost [`DerivedStrings::cost`] gives.
    fn rope(&self, expr: &Expr) -> Option<Arc<Rope>> {
        Some(match expr {
            Expr::Empty | Expr::Repeat(_) => Arc::new(Rope::Join(Vec::new())),
            Expr::Rule(id) => self.derived[id.0 as usize].as_ref()?.rope.clone(),
            Expr::Text(text) => word(text, false),
            Expr::Pattern(pattern) => word(self.patterns.get(pattern)?, false),
            Expr::External(name) => word(self.given.get(name).map_or("", |text| text), false),
            Expr::Token(body) => word(&self.text(body)?, false),
            Expr::Immediate(body) => word(&self.text(body)?, true),
            Expr::Alias { body, name, named: false } if self.is_unknown(body) => word(name, false),
            Expr::Repeat1(body) | Expr::Alias { body, .. } => self.rope(body)?,
            Expr::Seq(parts) => {
                let parts: Option<_> = parts.iter().map(|part| self.rope(part)).collect();
                Arc::new(Rope::Join(parts?))
            }
            Expr::Choice(parts) => {
                let possible = parts.iter().filter_map(|part| Some((self.cost(part)?, part)));
                self.rope(possible.min_by_key(|(cost, _)| *cost)?.1)?
            }
        })
    }

    /// Returns the shortest text of what stands inside a token, where only characters count.
    fn text(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Rule(_) => None,
            Expr::Empty | Expr::Repeat(_) => Some(String::new()),
            Expr::Text(text) => Some(text.clone()),
            Expr::Pattern(pattern) => self.patterns.get(pattern).cloned(),
            Expr::External(name) => self.given.get(name).cloned(),
            Expr::Token(body)
            | Expr::Immediate(body)
            | Expr::Repeat1(body)
            | Expr::Alias { body, .. } => self.text(body),
            Expr::Seq(parts) => parts.iter().map(|part| self.text(part)).collect(),
            Expr::Choice(parts) => {
                let texts = parts.iter().filter_map(|part| self.text(part));
                texts.min_by_key(|text| Cost::of(text))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random::{self, View};
    use super::*;

    fn minimal(text: &str) -> (Grammar, Minimal) {
        minimal_with(text, &[])
    }

    fn minimal_with(text: &str, given: &[(&str, &str)]) -> (Grammar, Minimal) {
        let grammar: Grammar = text.parse().unwrap();
        let given = given.iter().map(|(name, text)| (name.to_string(), text.to_string()));
        let minimal = Minimal::new(&grammar, given.collect()).unwrap();
        (grammar, minimal)
    }

    fn check((grammar, minimal): &(Grammar, Minimal), rule: &str, expected: &str) {
        let phrase = minimal.of(grammar.find(rule).unwrap());
        assert_eq!(phrase.map(Phrase::text), Some(expected), "{rule}");
    }

    #[test]
    fn the_arithmetic_language_of_figure_5_2_has_one_number_as_its_minimal_string() {
        let arithmetic = minimal(
            "grammar arithmetic\n\
             extras /\\s/\n\
             E = E \"*\" E | E \"/\" E | E \"+\" E | E \"-\" E | \"(\" E \")\" | N\n\
             N = /[0-9]+/\n",
        );
        check(&arithmetic, "E", "0");
        assert_eq!(arithmetic.1.rounds(), 2, "N, then E");
    }

    #[test]
    fn tokens_count_before_characters_and_numbers_come_before_words() {
        let grammar = minimal(
            "grammar g\nextras /\\s/\n\
             few = \"a\" \"b\" | \"word\"\n\
             short = \"word\" | \"wo\"\n\
             plain = \";\" | \"x\" | \"7\"\n\
             token = {\"a\" \"b\" | \"word\"}\n",
        );
        check(&grammar, "few", "word");
        check(&grammar, "short", "wo");
        check(&grammar, "plain", "7");
        check(&grammar, "token", "ab");
    }

    #[test]
    fn a_space_keeps_words_apart_but_never_stands_before_an_immediate_token() {
        let grammar = minimal(
            "grammar g\nextras /\\s/\n\
             words = \"if\" name \"(\" name \")\" name\n\
             string = \"b\" !/[a-z]/ name\n\
             name = /[a-z]+/\n",
        );
        check(&grammar, "words", "if a(a)a");
        check(&grammar, "string", "ba a");
    }

    #[test]
    fn an_external_token_is_given_or_guessed_and_guesses_are_avoided() {
        let text = "grammar g\nextras /\\s/\n\
             end = \"x\" ($_line_end | \";\" \";\" \";\")\n\
             only = $_line_end name\n\
             sign = $_minus:\"-\" name\n\
             name = /[a-z]+/\n";
        let guessed = minimal(text);
        check(&guessed, "end", "x;;;");
        check(&guessed, "only", "a");
        check(&guessed, "sign", "-a");
        assert_eq!(guessed.1.of(RuleId(1)).unwrap().guesses(), 1);
        assert_eq!(guessed.1.of(RuleId(2)).unwrap().guesses(), 0);
        let given = minimal_with(text, &[("_line_end", "\n"), ("name", "zero")]);
        check(&given, "end", "x\n");
        check(&given, "only", "\nzero");
    }

    #[test]
    fn a_rule_without_a_finite_string_is_named() {
        let (grammar, minimal) = minimal(
            "grammar g\nextras\n\
             fine = \"a\" | round\n\
             round = \"(\" round \")\" | other\n\
             other = round\n\
             never = (|)\n",
        );
        let endless: Vec<&str> = minimal.endless().map(|id| &*grammar.rule(id).name).collect();
        assert_eq!(endless, ["round", "other", "never"]);
    }

    #[test]
    fn a_string_that_doubles_with_every_rule_is_not_written_out() {
        let mut text = "grammar g\nextras\n".to_owned();
        for rule in 0..60 {
            text += &format!("r{rule} = r{next} r{next}\n", next = rule + 1);
        }
        text += "r60 = \"a\"\n";
        let (_, minimal) = minimal(&text);
        assert!(minimal.of(RuleId(0)).is_none());
        assert_eq!(minimal.of(RuleId(58)).unwrap().text(), "aaaa");
        assert_eq!(minimal.rounds(), 61, "as many as there are rules");
    }

    proptest! {
        #[test]
        fn every_minimal_string_is_derivable_and_none_is_shorter(grammar in random::grammars()) {
            const LONGEST: usize = 5;
            let minimal = Minimal::new(&grammar, BTreeMap::new()).unwrap();
            prop_assert!(minimal.rounds() <= grammar.rules.len());
            let derived = random::derived(&grammar, View::Tokens, LONGEST);
            for (id, words) in grammar.ids().zip(derived) {
                let shortest = words.iter().map(Vec::len).min();
                match minimal.of(id) {
                    None => prop_assert_eq!(shortest, None),
                    Some(phrase) if phrase.tokens() > LONGEST => prop_assert_eq!(shortest, None),
                    Some(phrase) => {
                        prop_assert_eq!(shortest, Some(phrase.tokens()));
                        let word: Vec<String> =
                            phrase.text().split_whitespace().map(str::to_owned).collect();
                        prop_assert!(words.contains(&word), "{:?}", phrase);
                    }
                }
            }
        }
    }
}
