//! Released versions, and which one precedes another.

use std::fmt;

/// A version without anything behind its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u64, u64, u64);

impl Version {
    /// Reads one, with or without a `v` ahead; none for what is announced before its time.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches(['v', 'V']).trim_end_matches('.');
        // Some changelogs name the crate, too.
        let text = text.rsplit_once('-').map_or(text, |(_, version)| version);
        let mut numbers = text.split('.');
        let mut number = || numbers.next().and_then(|number| number.parse().ok());
        let version = Self(number()?, number()?, number()?);
        numbers.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_ordered_by_number_and_announcements_are_no_versions() {
        assert!(Version::parse("v1.10.0") > Version::parse("1.9.9"));
        assert_eq!(Version::parse("tokio-1.2.3"), Version::parse("1.2.3"));
        assert_eq!(Version::parse("1.2.3.4"), None);
        assert_eq!(
            Version::parse("1.2.3-beta.1")
                .or(Version::parse("2024-01-01"))
                .or(Version::parse("1.2")),
            None
        );
    }
}
