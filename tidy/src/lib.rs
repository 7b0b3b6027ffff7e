//! Holds the `tidy` test; the library is empty.
