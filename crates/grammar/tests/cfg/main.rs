//! A user's own context-free grammar: what is read, what is refused, and the trees that come out.

mod any_bytes;
mod drawing;
mod examples;
mod grammars;
mod lexing;
mod properties;
mod trees;
