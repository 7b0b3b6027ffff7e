//! Holds the `tidy` test; there is nothing to use here.
