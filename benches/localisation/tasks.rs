//! Tasks: what is looked for, in which tree, which of its files are right, and which are asked.

use crate::{mirrors::Mirrors, options::Options, semble, sources, swe};

/// Longest `query` that `keyword_search` takes, in bytes.
const MOST_BYTES: usize = 16_384;

/// A published data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Set {
    Lite,
    Verified,
    Multi,
    Semble,
}

impl Set {
    pub(crate) const ALL: [Self; 4] = [Self::Lite, Self::Verified, Self::Multi, Self::Semble];

    /// What it is called on the command line and in `sources.tsv`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lite => "swe-bench-lite",
            Self::Verified => "swe-bench-verified",
            Self::Multi => "multi-swe-bench",
            Self::Semble => "semble",
        }
    }

    /// What it is called in tables.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Lite => "SWE-bench Lite",
            Self::Verified => "SWE-bench Verified",
            Self::Multi => "Multi-SWE-bench",
            Self::Semble => "semble",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }
}

/// One task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) set: Set,
    pub(crate) id: String,
    /// `owner/name`.
    pub(crate) repository: String,
    pub(crate) commit: String,
    /// The directory that is searched, if it is not the whole tree.
    pub(crate) below: Option<String>,
    /// The query.
    pub(crate) text: String,
    /// Paths that have to be found.
    pub(crate) truth: Vec<String>,
    /// A group of its set: a language, or a kind of question.
    pub(crate) category: Option<String>,
}

impl Task {
    /// Whether a path that was found is this one of the truth.
    pub(crate) fn is(&self, found: &str, right: &str) -> bool {
        match self.set {
            Set::Semble => semble::path_matches(found, right),
            _ => found == right,
        }
    }
}

/// The tasks that are asked for, those of a repository side by side.
pub(crate) fn load(options: &Options, mirrors: &Mirrors) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for set in Set::ALL.into_iter().filter(|set| options.only.is_none_or(|only| only == *set)) {
        let mut loaded = match set {
            Set::Lite | Set::Verified => swe::python(&sources::of(set)?, mirrors, options.parts)?,
            Set::Multi => swe::multi(&sources::of(set)?, mirrors, options.parts)?,
            Set::Semble => semble::tasks(&sources::of(set)?, mirrors, options.parts)?,
        };
        loaded.retain(|task| !task.text.trim().is_empty() && !task.truth.is_empty());
        if let Some(most) = options.sample {
            loaded.sort_by_cached_key(|task| sources::digest(task.id.as_bytes()));
            loaded.truncate(most);
        }
        tasks.append(&mut loaded);
    }
    for task in &mut tasks {
        task.text = query(&task.text);
    }
    // Numbers grow with time: neighbours differ least, and the same task of two sets meets.
    tasks.sort_by_cached_key(|task| {
        (task.repository.to_lowercase(), number(&task.id), task.id.clone())
    });
    Ok(tasks)
}

/// A text as `query` takes it.
fn query(text: &str) -> String {
    let text = text.replace('\0', " ");
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

/// The number that an id ends in.
fn number(id: &str) -> u64 {
    id.rsplit(['-', '#']).next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, number, query};

    #[test]
    fn a_query_is_cut_at_a_character() {
        let cut = query(&"xü".repeat(MOST_BYTES));
        assert!(cut.len() <= MOST_BYTES && cut.len() > MOST_BYTES - 2);
        assert_eq!(query("a\0b"), "a b");
    }

    #[test]
    fn an_id_ends_in_a_number() {
        assert_eq!(number("django__django-11099"), 11_099);
    }
}
