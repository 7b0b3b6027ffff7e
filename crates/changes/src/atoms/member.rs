//! What a text defines: classes, methods, fields and the like, as plain values that outlive the
//! syntax tree.

use std::ops::Range;

use twox_hash::XxHash3_64;

use super::aspects::is_introduced_constructor;
use crate::words::Word;

/// What is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum MemberKind {
    /// The file itself, with what is in no definition.
    File,
    Import,
    Module,
    Class,
    Type,
    /// Functions for a type that is defined elsewhere, as Rust's `impl`.
    Implementation,
    Function,
    Method,
    Constructor,
    /// A block that is run when its class is loaded or made.
    Initializer,
    /// A field or a global variable; which one tells where it is.
    Variable,
    Field,
    Global,
    EnumConstant,
    Macro,
    Aspect,
    Advice,
    Pointcut,
    IntroducedField,
    IntroducedMethod,
    HierarchyDeclaration,
    Precedence,
    Soften,
    /// A declared warning or error, or a declared annotation.
    Diagnostic,
}

impl MemberKind {
    /// Whether it is a class or the like, that others may extend.
    pub(super) fn is_type(self) -> bool {
        use MemberKind as Kind;
        matches!(self, Kind::Class | Kind::Type | Kind::Implementation | Kind::Aspect)
    }

    /// Whether it is code that is run when it is called.
    pub(super) fn is_callable(self) -> bool {
        use MemberKind as Kind;
        matches!(
            self,
            Kind::Function
                | Kind::Method
                | Kind::Constructor
                | Kind::IntroducedMethod
                | Kind::Macro
        )
    }

    /// Whether it has a value.
    pub(super) fn is_variable(self) -> bool {
        use MemberKind as Kind;
        matches!(self, Kind::Field | Kind::Global | Kind::EnumConstant | Kind::IntroducedField)
    }
}

/// Something that is defined.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) kind: MemberKind,
    /// Its qualified name, with the types of its parameters where these tell functions apart.
    pub(super) name: String,
    /// What tells it apart from the others around it.
    pub(super) key: String,
    /// Its name alone.
    pub(super) simple: Word,
    /// What it is in; of the file itself that is the file.
    pub(super) owner: u32,
    /// The lines that it is on, without comments before it.
    pub(super) lines: Range<u32>,
    /// The lines of its body: of what is run when it is called. Empty if there is none.
    pub(super) body_lines: Range<u32>,
    /// What its head reads, without space and comments.
    pub(super) head: u64,
    /// What its body reads.
    pub(super) body: u64,
    /// How many words and signs its body has.
    pub(super) body_size: u32,
    /// How many parameters it has, if calls have to have as many arguments.
    pub(super) arity: Option<u8>,
    /// The type of its value or result, by its name alone.
    pub(super) of_type: Option<Word>,
    /// Whether its head makes no sense without its body.
    pub(super) needs_body: bool,
    pub(super) marks: Marks,
    /// The types that it extends, by their names alone.
    pub(super) supers: Vec<Word>,
    /// The names that are local to it with their types, as far as these are known; in order.
    pub(super) locals: Vec<(Word, Option<Word>)>,
    pub(super) uses: Vec<Use>,
    /// Where an advice is run or what a pointcut stands for, and the like.
    pub(super) pointcut: Option<String>,
}

impl Member {
    /// Whether it makes objects of a class: of its own, or of the one it is introduced to.
    pub(super) fn is_constructor(&self) -> bool {
        self.kind == MemberKind::Constructor || is_introduced_constructor(self.kind, &self.key)
    }
}

/// What stands before a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) is_private: bool,
    pub(super) is_static: bool,
    pub(super) is_final: bool,
    pub(super) is_override: bool,
    /// Run around each test, as what is called `setUp` or has `@Before`.
    pub(super) is_fixture: bool,
    /// A test, which whoever runs tests calls.
    pub(super) is_test: bool,
    /// A function without a body, though it stands where one may be expected.
    pub(super) is_abstract: bool,
    /// Its value does not depend on running anything.
    pub(super) is_plain: bool,
    /// A constructor that its class has because none is written.
    pub(super) is_unwritten: bool,
    /// A constructor that says which other one it begins with.
    pub(super) calls_constructor: bool,
    /// Takes any number of arguments, at least one less than it has parameters.
    pub(super) is_variadic: bool,
}

/// A name that is used.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) name: Word,
    pub(super) sort: UseSort,
    /// How many arguments a call has, where that matters.
    pub(super) arity: Option<u8>,
    pub(super) receiver: Receiver,
    pub(super) line: u32,
    pub(super) part: Part,
}

/// What a name is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseSort {
    Call,
    Creation,
    /// Something is taken out of something else.
    Access,
    /// A variable, a type, a function that is not called: whatever it is.
    Name,
}

/// What something is called on or taken out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// It is not written.
    Implicit,
    /// The object itself, or its class as it extends another.
    Own,
    /// A variable, or a type.
    Name(Word),
    /// A value of this type.
    Type(Word),
    Field(Box<Receiver>, Word),
    Result(Box<Receiver>, Word, Option<u8>),
    Unknown,
}

/// A part of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    /// Comments and blank lines before it.
    Lead,
    Head,
    Body,
}

/// A part of a definition by the number of the definition in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Region(u32);

impl Region {
    pub(super) fn new(member: u32, part: Part) -> Region {
        Region(member * 3 + part as u32)
    }

    pub(super) fn member(self) -> u32 {
        self.0 / 3
    }

    pub(super) fn part(self) -> Part {
        match self.0 % 3 {
            0 => Part::Lead,
            1 => Part::Head,
            _ => Part::Body,
        }
    }
}

/// What a line has of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) line: u32,
    pub(super) region: Region,
    /// What the words and signs on this line read; 0 if there are only comments.
    pub(super) code: u64,
}

/// All that is known of one text.
#[derive(Debug, Default)]
pub(super) struct FileFacts {
    /// The first is the file itself.
    pub(super) members: Vec<Member>,
    /// What each line has, in order of the lines.
    pub(super) stretches: Vec<Stretch>,
    /// For each line the one that what it goes on with began on: of a closing bracket that of the
    /// opening one, of the further lines of a statement its first. The line itself if it begins
    /// something.
    pub(super) begun: Vec<u32>,
    /// The names of parameters that stand for types, in order.
    pub(super) type_parameters: Vec<Word>,
    /// Whether the grammar did not expect something in it.
    pub(super) has_errors: bool,
    /// Whether types of variables are written down, and calls have as many arguments as functions
    /// parameters.
    pub(super) is_typed: bool,
}

impl FileFacts {
    /// Returns what some lines have.
    pub(super) fn on(&self, lines: Range<u32>) -> &[Stretch] {
        let start = self.stretches.partition_point(|stretch| stretch.line < lines.start);
        let end = self.stretches.partition_point(|stretch| stretch.line < lines.end);
        &self.stretches[start..end.max(start)]
    }
}

/// Adds a word or sign to what was read before.
pub(super) fn read_on(before: u64, text: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(before, text) | 1
}
