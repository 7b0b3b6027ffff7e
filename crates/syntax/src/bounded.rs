//! The parser with a limit of work. Work is counted and not timed, so that every machine counts the
//! same.
//!
//! Unsafe because it calls functions written in C, and is called by them.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};
use std::sync::Once;

use tree_sitter::ffi::{
    TSInput, TSInputEncodingUTF8, TSLanguage, TSParseOptions, TSParseState, TSPoint, TSTree,
};
use tree_sitter::{Language, Tree};

/// Bytes of text that are handed to the parser at once. Reading them takes about as long as this
/// many allocations; so do the hundred steps after which the parser reports progress, at least.
const PIECE: usize = 1 << 10;
const WORK: u64 = 20;

unsafe extern "C" {
    fn whodunit_bound();
    fn whodunit_spend(work: u64) -> bool;
    fn whodunit_parse(
        language: *const TSLanguage,
        former: *const TSTree,
        input: TSInput,
        options: TSParseOptions,
        most: u64,
    ) -> *mut TSTree;
}

/// How to treat a syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// Continue: the tree has errors.
    Tolerated,
    /// Give up: there is no tree.
    Fatal,
}

/// A text that need not lie in one piece.
pub(crate) trait Text {
    /// Returns how many bytes it has.
    fn len(&self) -> usize;
    /// Returns some of the text from this byte on; nothing only at its end.
    fn from(&self, byte: usize) -> &[u8];
}

pub(crate) struct Whole<'a>(pub(crate) &'a [u8]);

impl Text for Whole<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn from(&self, byte: usize) -> &[u8] {
        self.0.get(byte..).unwrap_or_default()
    }
}

/// Prepares the parser. Has to be called before it is used for the first time.
pub(crate) fn prepare() {
    static PREPARED: Once = Once::new();
    // SAFETY: every use of the parser needs a language, and all are made after this.
    PREPARED.call_once(|| unsafe { whodunit_bound() });
}

/// The data of the callbacks.
struct Reading<'a> {
    text: &'a dyn Text,
    errors: Errors,
}

/// Parses a text, with the edited tree of a former one if there is one. Returns `None` if that
/// takes more than `most` allocations, or at a fatal error.
pub(crate) fn parse(
    language: &Language,
    text: &dyn Text,
    former: Option<&Tree>,
    errors: Errors,
    most: u64,
) -> Option<Tree> {
    let reading = Reading { text, errors };
    let payload = (&raw const reading).cast_mut().cast::<c_void>();
    let input = TSInput { payload, read: Some(read), encoding: TSInputEncodingUTF8, decode: None };
    let options = TSParseOptions { payload, progress_callback: Some(is_hopeless) };
    let language = language.clone().into_raw();
    let former = former.cloned().map(Tree::into_raw);
    let former_or_null = former.map_or(std::ptr::null(), <*mut TSTree>::cast_const);
    // SAFETY: the pointers are valid until it returns, the payload is what the callbacks expect, and
    // each pointer that was taken out of its owner is given back to one exactly once.
    unsafe {
        let tree = whodunit_parse(language, former_or_null, input, options, most);
        drop(Language::from_raw(language));
        drop(former.map(|former| Tree::from_raw(former)));
        (!tree.is_null()).then(|| Tree::from_raw(tree))
    }
}

/// Hands out the next piece of the text; nothing once the limit is reached, so that the parser
/// ends.
unsafe extern "C" fn read(
    payload: *mut c_void,
    byte: u32,
    _: TSPoint,
    length: *mut u32,
) -> *const c_char {
    // SAFETY: the payload is that of `parse`, which is still there, and the length is the parser's.
    unsafe {
        let reading = &*payload.cast_const().cast::<Reading<'_>>();
        let rest = if whodunit_spend(WORK) { &[] } else { reading.text.from(byte as usize) };
        *length = rest.len().min(PIECE) as u32;
        rest.as_ptr().cast()
    }
}

/// Whether to give up; the parser asks now and then.
unsafe extern "C" fn is_hopeless(state: *mut TSParseState) -> bool {
    // SAFETY: the state is the parser's, and its payload is that of `parse`, which is still there.
    unsafe {
        let state = &*state;
        let reading = &*state.payload.cast_const().cast::<Reading<'_>>();
        whodunit_spend(WORK) || (reading.errors == Errors::Fatal && state.has_error)
    }
}
