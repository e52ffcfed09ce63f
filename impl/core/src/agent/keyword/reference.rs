//! Files that a query names by path, file name or module name (docs/keyword-search.md, section 4).

use std::collections::HashMap;

use crate::identifier::word_character;

/// Base names that stand for their directory.
const INDEXES: [&str; 3] = ["__init__", "mod", "index"];

/// The references of a query.
pub(super) struct References {
    /// Path segments, by the last one.
    paths: HashMap<String, Vec<Vec<String>>>,
    /// Dotted names, by the first one.
    names: HashMap<String, Vec<Vec<String>>>,
}

impl References {
    pub(super) fn of(query: &str) -> Self {
        let mut references = Self { paths: HashMap::new(), names: HashMap::new() };
        let text = query.replace("::", ".").to_ascii_lowercase().replace('\\', "/");
        let is_part = |c: char| word_character(c) || matches!(c, '.' | '/' | '-');
        for run in text.split(|c| !is_part(c)) {
            let run = run.trim_end_matches(['.', '-']);
            let segments = run.split('/').filter(|segment| !matches!(*segment, "" | "." | ".."));
            let segments: Vec<String> = segments.map(str::to_owned).collect();
            let Some(last) = segments.last() else { continue };
            if last.trim_start_matches('.').contains('.') {
                references.paths.entry(last.clone()).or_default().push(segments);
            }
            let names: Vec<String> =
                run.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            if let [first, _, ..] = names.as_slice()
                && !run.contains('/')
            {
                references.names.entry(first.clone()).or_default().push(names);
            }
        }
        references
    }

    /// Whether a reference names the file at this path below the search root.
    pub(super) fn name(&self, walked: &[u8]) -> bool {
        if self.paths.is_empty() && self.names.is_empty() {
            return false;
        }
        let path = String::from_utf8_lossy(walked).to_ascii_lowercase();
        let mut segments: Vec<&str> = path.split('/').collect();
        let Some(base) = segments.last().copied() else { return false };
        let paths = self.paths.get(base).map(Vec::as_slice).unwrap_or_default();
        if paths.iter().any(|path| agree(path.iter().rev(), segments.iter().rev())) {
            return true;
        }
        segments.pop();
        let stem =
            base.rfind('.').filter(|dot| *dot > 0).and_then(|dot| base.get(..dot)).unwrap_or(base);
        if !INDEXES.contains(&stem) {
            segments.push(stem);
        }
        (0..segments.len().saturating_sub(1)).any(|start| {
            let ends = segments.get(start..).unwrap_or_default();
            let names = ends.first().and_then(|first| self.names.get(*first));
            let begins =
                |names: &Vec<String>| names.len() >= ends.len() && agree(names.iter(), ends.iter());
            names.is_some_and(|names| names.iter().any(begins))
        })
    }
}

/// Whether one list is a prefix of the other.
fn agree<'t>(
    one: impl Iterator<Item = &'t String>,
    other: impl Iterator<Item = &'t &'t str>,
) -> bool {
    one.zip(other).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_query_names_files_that_share_its_end() {
        let references =
            References::of("File \"/usr/lib/site/flask/App.py\", see C:\\x\\ctx.py. and .rs");
        for named in ["flask/app.py", "app.py", "site/flask/app.py", "deep/x/ctx.py"] {
            assert!(references.name(named.as_bytes()), "{named}");
        }
        assert!(!references.name(b"other/app.py"));
        assert!(References::of("in App.py").name(b"src/flask/app.py"));
        assert!(!References::of("in app").name(b"app"));
        assert!(!References::of("all .rs files").name(b"a.rs"));
    }

    #[test]
    fn dotted_names_in_a_query_name_modules() {
        let references = References::of("`flask.ctx.AppContext` and crate::extract::State");
        assert!(references.name(b"src/flask/ctx.py"));
        assert!(references.name(b"src/crate/extract/mod.rs"));
        assert!(!references.name(b"extract/mod.rs"), "one name is too few");
        assert!(!references.name(b"flask.py"));
        assert!(!References::of("a.b").name(b"x/a/b.c.rs"));
    }
}
