//! Published data, read from git objects: what `sources.tsv` lists, or an error.

use sha2::{Digest as _, Sha256};

use crate::{
    mirrors::{self, Mirrors},
    tasks::Set,
};

const LISTED: &str = include_str!("sources.tsv");

/// A file of a data set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) set: Set,
    repository: &'static str,
    commit: &'static str,
    pub(crate) path: &'static str,
    sha256: &'static str,
}

/// The files of a data set.
pub(crate) fn of(set: Set) -> Result<Vec<Source>, String> {
    let sources = LISTED
        .lines()
        .skip(1)
        .map(|line| listed(line).ok_or_else(|| format!("sources.tsv: {line}")));
    let of_set =
        |source: &Result<Source, String>| source.as_ref().map_or(true, |source| source.set == set);
    sources.filter(of_set).collect()
}

fn listed(line: &'static str) -> Option<Source> {
    let mut fields = line.split('\t').filter(|field| !field.is_empty());
    let set = Set::named(fields.next()?)?;
    let (repository, commit, path) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Source { set, repository, commit, path, sha256: fields.next()? })
}

impl Source {
    /// What the file holds.
    pub(crate) fn read(&self, mirrors: &Mirrors) -> Result<String, String> {
        let Self { repository, commit, path, .. } = self;
        let mirror = mirrors.holding(repository, &[commit])?;
        let mirror =
            mirror.ok_or_else(|| format!("no mirror of {repository}; --fetch fetches it"))?;
        let bytes = mirrors::file(&mirror, commit, path)?;
        if digest(&bytes) != self.sha256 {
            return Err(format!("{path} of {repository} is not what sources.tsv lists"));
        }
        String::from_utf8(bytes).map_err(|error| format!("{path}: {error}"))
    }
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::{digest, of};
    use crate::tasks::Set;

    #[test]
    fn every_set_has_sources() {
        for set in Set::ALL {
            assert!(
                of(set)
                    .unwrap()
                    .iter()
                    .all(|source| source.set == set && source.sha256.len() == 64)
            );
            assert!(!of(set).unwrap().is_empty());
        }
    }

    #[test]
    fn a_digest_equals_the_published_one() {
        assert!(digest(b"abc").starts_with("ba7816bf8f01cfea"));
    }
}
