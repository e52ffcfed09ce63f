//! Patterns that may be meant by one that matches no file (D24). Each is tried on the tree before
//! it is proposed.

use super::WILDCARDS;
use crate::{
    agent::cut::{Anchor, cut},
    cancellation::Cancellation,
    glob::Glob,
};

/// Most proposals in one answer.
const MOST: usize = 2;

/// A pattern that may be meant.
#[derive(Clone, Debug)]
struct Alternative {
    glob: Glob,
    kind: Kind,
    text: String,
    /// The first path that it matches.
    first: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Below,
    Literal,
    Directory,
    Separator,
    Line,
    Case,
}

/// The patterns that may be meant by another, and which of them match a file.
#[derive(Clone, Debug, Default)]
pub struct Alternatives(Vec<Alternative>);

impl Alternatives {
    /// What `pattern` may mean.
    pub fn of_pattern(pattern: &str) -> Self {
        let bare = pattern.strip_prefix("./").unwrap_or(pattern).trim_start_matches('/');
        let mut all = Vec::new();
        let mut add = |kind, text: String| {
            let glob = if kind == Kind::Case { text.to_ascii_lowercase() } else { text.clone() };
            if let Ok(glob) = Glob::of_caller(glob.as_bytes()) {
                all.push(Alternative { glob, kind, text, first: None });
            }
        };
        if bare.contains('/') && !bare.starts_with("**/") {
            add(Kind::Below, format!("**/{bare}"));
        }
        if bare.contains(['[', '{']) {
            add(Kind::Literal, format!("**/{}", literal(bare)));
        }
        let directory = bare.strip_suffix("/*").unwrap_or(bare).trim_end_matches('/');
        if !directory.is_empty() && !directory.contains(WILDCARDS) {
            let above = if directory.contains('/') { "" } else { "**/" };
            add(Kind::Directory, format!("{above}{directory}/**"));
        }
        if bare.contains('\\') {
            add(Kind::Separator, bare.replace('\\', "/"));
        }
        let path = bare.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
        if bare.get(path.len()..).is_some_and(|rest| rest.starts_with(':') && rest.len() > 1) {
            add(Kind::Line, path.to_owned());
        }
        if bare.contains(WILDCARDS) && bare.contains(char::is_alphabetic) {
            add(Kind::Case, bare.to_owned());
        }
        Self(all)
    }

    /// Tries them on an eligible file. Void if `cancellation` was triggered.
    pub fn try_on(&mut self, path: &[u8], cancellation: &Cancellation<'_>) {
        for one in self.0.iter_mut().filter(|one| one.first.is_none()) {
            let folded = path.to_ascii_lowercase();
            let tried = if one.kind == Kind::Case { folded.as_slice() } else { path };
            if one.glob.matches(tried, false, cancellation) {
                one.first = Some(path.to_vec());
            }
        }
    }

    /// Those that match a file, as advice.
    pub fn advice(&self) -> String {
        let hint = |one: &Alternative| {
            let first = String::from_utf8_lossy(one.first.as_ref()?);
            let first = cut(&first, Anchor::Start).text;
            let text = cut(&one.text, Anchor::Start).text;
            Some(match one.kind {
                Kind::Below => format!("with a `/` the whole path counts: try `{text}`"),
                Kind::Literal => format!("brackets and braces are wildcards: try `{text}`"),
                Kind::Directory => format!("a directory has that name: try `{text}`"),
                Kind::Separator => format!("`/` separates names: try `{text}`"),
                Kind::Line => format!("a line number is no part of a path: try `{text}`"),
                Kind::Case => format!("upper and lower case differ: there is `{first}`"),
            })
        };
        self.0.iter().filter_map(hint).take(MOST).collect::<Vec<_>>().join("; ")
    }
}

/// A glob that matches this text alone.
fn literal(text: &str) -> String {
    let escape = |c: char| ['\\'].into_iter().filter(move |_| WILDCARDS.contains(&c)).chain([c]);
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(pattern: &str, paths: &[&str]) -> String {
        let mut all = Alternatives::of_pattern(pattern);
        for path in paths {
            all.try_on(path.as_bytes(), &Cancellation::never());
        }
        all.advice()
    }

    #[test]
    fn only_what_matches_a_file_is_proposed() {
        let tree = ["app/[id]/page.tsx", "lib/ui/Button/a.ts", "src/a.rs", "x/src/b.rs"];
        for (pattern, told) in [
            ("[id]/page.tsx", r"brackets and braces are wildcards: try `**/\[id\]/page.tsx`"),
            ("ui/*/a.ts", "with a `/` the whole path counts: try `**/ui/*/a.ts`"),
            ("ui", "a directory has that name: try `**/ui/**`"),
            ("ui/", "a directory has that name: try `**/ui/**`"),
            ("lib/ui/*", "a directory has that name: try `lib/ui/**`"),
            ("src\\**\\*.rs", "`/` separates names: try `src/**/*.rs`"),
            ("src/a.rs:12", "a line number is no part of a path: try `src/a.rs`"),
            ("src/a.rs:12:5", "a line number is no part of a path: try `src/a.rs`"),
            ("SRC/*.rs", "upper and lower case differ: there is `src/a.rs`"),
            ("~/x", ""),
            ("nowhere/*.rs", ""),
            ("nowhere", ""),
            ("*.py", ""),
            ("**", ""),
        ] {
            assert_eq!(advice(pattern, &tree), told, "{pattern}");
        }
    }
}
