//! By whose conventions requests are read (D25).

/// By whose conventions a request is read (decision D25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// As the documents write it.
    #[default]
    Documents,
    /// As clients write it too: other shapes and names of arguments, globs that are paths,
    /// Unicode's simple folding of case.
    Callers,
}
