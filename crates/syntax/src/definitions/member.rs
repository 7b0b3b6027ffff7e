//! The members of a text: classes, methods, fields and the like, as plain values that outlive the
//! syntax tree.

use std::ops::Range;

use serde::Deserialize;
use twox_hash::XxHash3_64;

use super::aspects::is_introduced_constructor;
use crate::words::WordHash;

/// The kind of member.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum MemberKind {
    /// The file itself, with all text that is in no definition.
    File,
    /// An import, a use, an include.
    Import,
    /// A module or a namespace.
    Module,
    /// A class, an interface, a trait.
    Class,
    /// A type that is no class: a structure, an enumeration, an alias.
    Type,
    /// Functions for a type that is defined elsewhere, as Rust's `impl`.
    Implementation,
    /// A function that is in no type.
    Function,
    /// A function of a type.
    Method,
    /// A constructor of its class.
    Constructor,
    /// A block that is run when its class is loaded or made.
    Initializer,
    /// A field or a global variable, depending on its owner.
    Variable,
    /// A variable of a type.
    Field,
    /// A variable that is in no type.
    Global,
    /// A value of an enumeration.
    EnumConstant,
    /// A macro.
    Macro,
    /// An aspect, as a class of AspectJ.
    Aspect,
    /// An advice of an aspect.
    Advice,
    /// A pointcut of an aspect.
    Pointcut,
    /// A field that an aspect gives to a class.
    IntroducedField,
    /// A method or constructor that an aspect gives to a class.
    IntroducedMethod,
    /// `declare parents`.
    HierarchyDeclaration,
    /// `declare precedence`.
    Precedence,
    /// `declare soft`.
    Soften,
    /// A declared warning or error, or a declared annotation.
    Diagnostic,
}

impl MemberKind {
    /// Whether it is a class or the like, that others may extend.
    pub fn is_type(self) -> bool {
        use MemberKind as Kind;
        matches!(self, Kind::Class | Kind::Type | Kind::Implementation | Kind::Aspect)
    }

    /// Whether it is code that is run when it is called.
    pub fn is_callable(self) -> bool {
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
    pub fn is_variable(self) -> bool {
        use MemberKind as Kind;
        matches!(self, Kind::Field | Kind::Global | Kind::EnumConstant | Kind::IntroducedField)
    }
}

/// Something that is defined.
#[derive(Clone, Debug)]
pub struct Member {
    /// The kind of member.
    pub kind: MemberKind,
    /// Its qualified name, with the types of its parameters in languages with overloading.
    pub name: String,
    /// A key that no other member of its owner has.
    pub key: String,
    /// Its name alone.
    pub simple: WordHash,
    /// Its owner; the file is its own owner.
    pub owner: u32,
    /// The lines that it is on, without comments before it.
    pub lines: Range<u32>,
    /// The lines of its body, which is run when it is called. Empty without a body.
    pub body_lines: Range<u32>,
    /// A hash of its head, without space and comments.
    pub head: u64,
    /// A hash of its body.
    pub body: u64,
    /// How many words and signs its body has.
    pub body_size: u32,
    /// How many parameters it has, if calls have to have as many arguments.
    pub arity: Option<u8>,
    /// The type of its value or result, by its name alone.
    pub of_type: Option<WordHash>,
    /// Whether its head makes no sense without its body.
    pub needs_body: bool,
    /// Its modifiers.
    pub marks: Marks,
    /// The types that it extends, by their names alone.
    pub supers: Vec<WordHash>,
    /// The names that are local to it with their types, as far as these are known; in order.
    pub locals: Vec<(WordHash, Option<WordHash>)>,
    /// The names that it uses, without those of its members.
    pub uses: Vec<Use>,
    /// The pointcut of an advice, the definition of a named pointcut, and the like.
    pub pointcut: Option<String>,
}

impl Member {
    /// Whether it makes objects of a class: of its own, or of the one it is introduced to.
    pub fn is_constructor(&self) -> bool {
        self.kind == MemberKind::Constructor || is_introduced_constructor(self.kind, &self.key)
    }
}

/// The modifiers of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Only its own class sees it.
    pub is_private: bool,
    /// It belongs to its class and not to objects.
    pub is_static: bool,
    /// Nothing replaces it.
    pub is_final: bool,
    /// It is marked as replacing a member of a supertype.
    pub is_override: bool,
    /// Run around each test, such as `setUp` or a method with `@Before`.
    pub is_fixture: bool,
    /// A test, which a test runner calls.
    pub is_test: bool,
    /// A function without a body, though it stands where one may be expected.
    pub is_abstract: bool,
    /// Its value does not depend on running anything.
    pub is_plain: bool,
    /// A constructor that its class has because none is written.
    pub is_unwritten: bool,
    /// A constructor that calls another one at its beginning.
    pub calls_constructor: bool,
    /// Takes any number of arguments, at least one less than it has parameters.
    pub is_variadic: bool,
}

/// A name that is used.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name.
    pub name: WordHash,
    /// The sort of use.
    pub sort: UseSort,
    /// How many arguments a call has, where that matters.
    pub arity: Option<u8>,
    /// The receiver.
    pub receiver: Receiver,
    /// The line, counted from 0.
    pub line: u32,
    /// The part of the definition that it is in.
    pub part: Part,
}

/// The sort of use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseSort {
    /// A function is called.
    Call,
    /// An object is made.
    Creation,
    /// Something is taken out of something else.
    Access,
    /// A variable, a type, a function that is not called: whatever it is.
    Name,
}

/// The receiver of a call or an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// It is not written.
    Implicit,
    /// The object itself, or its class as it extends another.
    Own,
    /// A variable, or a type.
    Name(WordHash),
    /// A value of this type.
    Type(WordHash),
    /// A field of this name of something.
    Field(Box<Receiver>, WordHash),
    /// The result of a function of this name, called on a receiver with a number of arguments.
    Result(Box<Receiver>, WordHash, Option<u8>),
    /// Something else.
    Unknown,
}

/// A part of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Comments and blank lines before it.
    Lead,
    /// All before the body: its name, its parameters, its type.
    Head,
    /// The body, or the value.
    Body,
}

/// A part of a definition by the number of the definition in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(u32);

impl Region {
    /// Returns the region of a part of a definition.
    pub fn new(member: u32, part: Part) -> Region {
        Region(member * 3 + part as u32)
    }

    /// Returns the definition by its number.
    pub fn member(self) -> u32 {
        self.0 / 3
    }

    /// Returns the part of the definition.
    pub fn part(self) -> Part {
        match self.0 % 3 {
            0 => Part::Lead,
            1 => Part::Head,
            _ => Part::Body,
        }
    }
}

/// The part of a region on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The line, counted from 0.
    pub line: u32,
    /// The region.
    pub region: Region,
    /// A hash of the words and signs on this line; 0 if there are only comments.
    pub code: u64,
}

/// All that is known of one text.
#[derive(Debug, Default)]
pub struct FileFacts {
    /// The first is the file itself.
    pub members: Vec<Member>,
    /// The regions of each line, in order of the lines.
    pub stretches: Vec<Stretch>,
    /// For each line the first line of the construct that it continues: for a closing bracket the
    /// line of the opening one, for the further lines of a statement its first line. The line
    /// itself if it begins a construct.
    pub begun: Vec<u32>,
    /// The names of parameters that stand for types, in order.
    pub type_parameters: Vec<WordHash>,
    /// Whether the grammar did not expect something in it.
    pub has_errors: bool,
    /// Whether types of variables are written down, and calls have as many arguments as functions
    /// parameters.
    pub is_typed: bool,
}

impl FileFacts {
    /// Returns the stretches of some lines.
    pub fn on(&self, lines: Range<u32>) -> &[Stretch] {
        let start = self.stretches.partition_point(|stretch| stretch.line < lines.start);
        let end = self.stretches.partition_point(|stretch| stretch.line < lines.end);
        &self.stretches[start..end.max(start)]
    }
}

/// Adds a word or sign to a running hash.
pub(super) fn read_on(before: u64, text: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(before, text) | 1
}
