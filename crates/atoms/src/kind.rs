//! The kinds of atomic changes: the two tables of the paper, and further ones for other
//! languages and files.

/// Declares all kinds in the order in which those of one file are listed.
macro_rules! kinds {
    ($($kind:ident $abbreviation:literal $sort:ident $description:literal;)*) => {
        /// The kind of an atomic change.
        ///
        /// In the order in which the changes of one file are listed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AtomKind {
            $(#[doc = concat!($description, " (", $abbreviation, ").")] $kind,)*
        }

        const ALL: &[AtomKind] = &[$(AtomKind::$kind),*];

        impl AtomKind {
            /// Returns its abbreviation, as the paper has it: `CM`.
            pub fn abbreviation(self) -> &'static str {
                match self { $(AtomKind::$kind => $abbreviation,)* }
            }

            /// Returns its description in words.
            pub fn description(self) -> &'static str {
                match self { $(AtomKind::$kind => $description,)* }
            }

            fn sort(self) -> KindSort {
                match self { $(AtomKind::$kind => KindSort::$sort,)* }
            }
        }
    };
}

/// The sort of a kind, for searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KindSort {
    /// An empty definition is added or deleted.
    Definition,
    /// Its body changes.
    Body,
    /// Calls lead to another definition; no text of its own.
    Dispatch,
    Other,
}

kinds! {
    RenameDirectory "RND" Other "rename a folder";
    AddFile "AFL" Definition "add a file";
    DeleteFile "DFL" Definition "delete a file";
    RenameFile "RNF" Other "rename a file";
    ChangeFileMode "CFM" Other "change who may run a file";
    ReplaceFile "RPF" Other "replace the whole content of a file";
    ReorderMembers "ORD" Other "put the members of classes into another order";
    AddImport "AI" Definition "add an import";
    DeleteImport "DI" Definition "delete an import";
    ChangeLookup "LC" Dispatch "change virtual method lookup";
    ChangeAdviceInvocation "AIC" Dispatch "change an advice invocation";
    AddModule "AMD" Definition "add an empty module";
    DeleteModule "DMD" Definition "delete an empty module";
    AddClass "AC" Definition "add an empty class";
    DeleteClass "DC" Definition "delete an empty class";
    AddType "AT" Definition "add an empty type";
    DeleteType "DT" Definition "delete an empty type";
    AddAspect "AA" Definition "add an empty aspect";
    DeleteAspect "DA" Definition "delete an empty aspect";
    ChangeHead "CH" Other "change the head of a definition: its modifiers, types or annotations";
    AddMacro "AMA" Definition "add an empty macro";
    DeleteMacro "DMA" Definition "delete an empty macro";
    ChangeMacro "CMA" Body "change the body of a macro";
    AddField "AF" Definition "add a field";
    DeleteField "DF" Definition "delete a field";
    AddGlobal "AG" Definition "add a global variable or constant";
    DeleteGlobal "DG" Definition "delete a global variable or constant";
    AddMethod "AM" Definition "add an empty method";
    DeleteMethod "DM" Definition "delete an empty method";
    ChangeMethod "CM" Body "change the body of a method";
    AddFunction "AFN" Definition "add an empty function";
    DeleteFunction "DFN" Definition "delete an empty function";
    ChangeFunction "CFN" Body "change the body of a function";
    ChangeInitializer "FI" Body "change a field initialization";
    ChangeGlobal "GI" Body "change the initialization of a global variable or constant";
    ChangeTopLevel "CTL" Body "change code that is in no function";
    IntroduceField "INF" Definition "introduce a new field";
    DeleteIntroducedField "DIF" Definition "delete an introduced field";
    ChangeIntroducedInitializer "CIFI" Body "change an introduced field initializer";
    IntroduceMethod "INM" Definition "introduce a new method";
    DeleteIntroducedMethod "DIM" Definition "delete an introduced method";
    ChangeIntroducedBody "CIMB" Body "change an introduced method body";
    AddAdvice "AEA" Definition "add an empty advice";
    DeleteAdvice "DEA" Definition "delete an empty advice";
    ChangeAdvice "CAB" Body "change an advice body";
    AddPointcut "ANP" Definition "add a new pointcut";
    DeletePointcut "DPC" Definition "delete a pointcut";
    ChangePointcut "CPB" Body "change a pointcut body";
    AddHierarchyDeclaration "AHD" Other "add a hierarchy declaration";
    DeleteHierarchyDeclaration "DHD" Other "delete a hierarchy declaration";
    AddPrecedence "AAP" Other "add an aspect precedence";
    DeletePrecedence "DAP" Other "delete an aspect precedence";
    AddSoften "ASED" Other "add a soften exception declaration";
    DeleteSoften "DSED" Other "delete a soften exception declaration";
    AddDiagnostic "ADD" Other "add a declared warning, error or annotation";
    DeleteDiagnostic "DDD" Other "delete a declared warning, error or annotation";
    ChangeText "TXT" Other "change text that is in no definition: comments, layout, other files";
}

impl AtomKind {
    /// Returns all kinds, in their order.
    pub fn all() -> &'static [AtomKind] {
        ALL
    }

    /// Returns the kind of an abbreviation.
    pub fn parse(abbreviation: &str) -> Option<AtomKind> {
        ALL.iter().copied().find(|kind| kind.abbreviation() == abbreviation)
    }

    /// Whether something empty is added or deleted: the Def-Changes of the paper's footnote 3,
    /// which leaves out `AM`, by mistake as it seems, and their like in other languages.
    pub fn is_definition(self) -> bool {
        self.sort() == KindSort::Definition
    }

    /// Whether it has no text of its own, but follows from others: `LC` and `AIC`.
    pub fn is_dispatch(self) -> bool {
        self.sort() == KindSort::Dispatch
    }
}
