//! Where a call searches: one place, or all of several roots as if they were one (D26).
//!
//! Responsible for: which places a request means, opening them, and the names of their files. Not
//! here: names and resolution of paths ([`crate::sandbox`]), which files there are
//! ([`crate::eligible`]). Invariants: files of all roots come root after root, each under a path that
//! begins with its root's name; what is proved, counted and limited is the call's.

use std::{borrow::Cow, sync::Arc};

use forge_search_core::{
    ToolError,
    cancellation::Cancellation,
    glob::{Dialect, Glob, any_matches},
    index::words::Found,
    scope::Scope,
};

use crate::{
    index::KnownFiles,
    job::Naming,
    pipeline::Items,
    read::reason,
    root::Root,
    sandbox::{NamedRoot, Resolution, ResolvedPath},
    service::{Service, open},
    walk::{FoundFile, Unread, WalkError, WalkItem},
};

/// The places of a call, at least one.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) first: Place,
    /// The other roots, if all are searched.
    pub(crate) others: Vec<Place>,
    /// Roots that cannot be opened any more.
    pub(crate) unreadable: Vec<WalkError>,
    /// As answers show it.
    pub(crate) shown: String,
}

/// A directory or file that is searched.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) resolved: ResolvedPath,
    /// The directory, or the one that holds the file.
    pub(crate) base: Arc<Root>,
    /// The file in `base`.
    pub(crate) file: Option<Vec<u8>>,
    /// Which files below it are eligible.
    pub(crate) scope: Scope,
    /// What precedes paths: the root's name and a slash, if all roots are searched.
    pub(crate) prefix: Vec<u8>,
}

impl Service {
    /// The place that `given` names; all roots if nothing is given and there are several. `scope`
    /// is the request's. `no_file` refuses a file, in words of the tool.
    pub(crate) fn places(
        &self,
        given: Option<&str>,
        scope: &Scope,
        no_file: Option<&dyn Fn(&str) -> String>,
    ) -> Result<Places, ToolError> {
        if given.is_none() && !self.sandbox().named().is_empty() {
            return self.all_roots(scope);
        }
        let given = given.unwrap_or(".");
        let resolved = self.sandbox().resolve(given)?;
        let is_directory = resolved.path.symlink_metadata().map(|metadata| metadata.is_dir());
        if let (Some(no_file), Resolution::Exists, Ok(false)) =
            (no_file, resolved.found, is_directory)
        {
            return Err(ToolError::failed("path", no_file(given)));
        }
        self.place_at(resolved, given, scope)
    }

    /// A resolved place.
    pub(crate) fn place_at(
        &self,
        resolved: ResolvedPath,
        given: &str,
        scope: &Scope,
    ) -> Result<Places, ToolError> {
        let (base, file) = open(&resolved, given).map_err(|mut error| {
            if resolved.found == Resolution::Missing {
                error.message += &self.sandbox().named_in_error();
            }
            error
        })?;
        let shown = self.sandbox().shown(&resolved.path);
        let first = Place { resolved, base, file, scope: scope.clone(), prefix: Vec::new() };
        Ok(Places { first, others: Vec::new(), unreadable: Vec::new(), shown })
    }

    fn all_roots(&self, scope: &Scope) -> Result<Places, ToolError> {
        let (mut places, mut unreadable) = (Vec::new(), Vec::new());
        for NamedRoot { name, path } in self.sandbox().named() {
            match Root::open(path) {
                Ok(base) => {
                    let (root, found) = (path.clone(), Resolution::Exists);
                    places.push(Place {
                        resolved: ResolvedPath { path: path.clone(), root, found },
                        base: Arc::new(base),
                        file: None,
                        scope: in_root(scope, name),
                        prefix: format!("{name}/").into_bytes(),
                    });
                }
                Err(err) => {
                    let (path, why) = (path.clone(), reason(&err));
                    unreadable.push(WalkError { path, why, at: Vec::new() });
                }
            }
        }
        if places.is_empty() {
            return Err(ToolError::failed("root", "none of the roots can be opened any more"));
        }
        let first = places.remove(0);
        Ok(Places { first, others: places, unreadable, shown: ".".to_owned() })
    }
}

impl Places {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// For messages: the place as answers show it, or the names of the roots.
    pub(crate) fn told(&self) -> String {
        if !self.are_roots() {
            return self.shown.clone();
        }
        let names = self.iter().map(|place| String::from_utf8_lossy(&place.prefix).into_owned());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The only place, or the first root.
    pub(crate) fn first(&self) -> &Place {
        &self.first
    }

    /// Whether a single file is searched.
    pub(crate) fn is_file(&self) -> bool {
        self.first.file.is_some()
    }

    /// Whether all of several roots are searched.
    pub(crate) fn are_roots(&self) -> bool {
        !self.first.prefix.is_empty()
    }

    /// How files are named in an answer that names those of one place so.
    pub(crate) fn naming(&self, of_one: Naming) -> Naming {
        if self.are_roots() { Naming::AsWalked } else { of_one }
    }

    /// A file of which only the path is known, as walked.
    pub(crate) fn file_item(&self, walked: &[u8]) -> WalkItem {
        let place = self.iter().find(|place| walked.starts_with(&place.prefix));
        let file = FoundFile::new(walked.to_owned());
        WalkItem::File(match place {
            Some(Place { base, prefix, .. }) if !prefix.is_empty() => {
                let below = walked.get(prefix.len()..).unwrap_or_default().to_owned();
                let opened_at = Some((Arc::clone(base), below));
                FoundFile { name: prefix.len(), opened_at, ..file }
            }
            _ => file,
        })
    }
}

impl Place {
    /// Its items under paths that begin with the root's name. `known` is the number of files that
    /// indexes know in the roots before it.
    pub(crate) fn named<'s>(&'s self, items: Items<'s>, known: usize) -> Items<'s> {
        if self.prefix.is_empty() {
            return items;
        }
        Box::new(items.map(move |item| match item {
            WalkItem::File(FoundFile { walked, opened_at, fingerprint, binary, .. }) => {
                let named = [self.prefix.as_slice(), &walked].concat();
                let opened_at = opened_at.or_else(|| Some((Arc::clone(&self.base), walked)));
                let name = self.prefix.len();
                WalkItem::File(FoundFile { walked: named, name, opened_at, fingerprint, binary })
            }
            WalkItem::Unread(Unread { files, known: of_root }) => {
                let moved = of_root.into_iter().map(|(before, place)| (before, place + known));
                WalkItem::Unread(Unread { files, known: moved.collect() })
            }
            item => item,
        }))
    }
}

/// A scope in one of several roots: globs may begin with its name.
fn in_root(scope: &Scope, name: &str) -> Scope {
    let covers = |globs: &[Glob]| any_matches(globs, name.as_bytes(), true, &Cancellation::never());
    let mut own = Scope { root_name: Some(name.as_bytes().to_owned()), ..scope.clone() };
    if covers(&scope.include) {
        own.include.clear();
    }
    if covers(&scope.exclude) {
        own.exclude.extend(Glob::parse(b"**", Dialect::Request));
    }
    own
}

/// What indexes know of files that need not be read, root after root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(Vec<KnownPart>);

/// A file's path as walked, the bytes of its text, and what each word has there.
type KnownFile<'k> = (Cow<'k, [u8]>, u64, &'k [Found]);

#[derive(Clone, Debug)]
struct KnownPart {
    /// Files of the parts before it.
    before: usize,
    prefix: Vec<u8>,
    files: Arc<KnownFiles>,
}

impl Known {
    /// What the index of one place knows.
    pub(crate) fn of(files: Option<Arc<KnownFiles>>) -> Self {
        let mut known = Self::default();
        known.0.extend(files.map(|files| KnownPart { before: 0, prefix: Vec::new(), files }));
        known
    }

    pub(crate) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| last.before + last.files.len())
    }

    /// With what the index of the next root knows.
    pub(crate) fn and(mut self, prefix: &[u8], next: Self) -> Self {
        let before = self.len();
        self.0.extend(next.0.into_iter().map(|part| KnownPart {
            before: before + part.before,
            prefix: prefix.to_owned(),
            ..part
        }));
        self
    }

    /// A file.
    pub(crate) fn get(&self, place: usize) -> Option<KnownFile<'_>> {
        let next = self.0.partition_point(|part| part.before <= place);
        let part = self.0.get(next.checked_sub(1)?)?;
        let (walked, bytes, found) = part.files.get(place - part.before)?;
        let walked = match part.prefix.as_slice() {
            b"" => Cow::Borrowed(walked),
            prefix => Cow::Owned([prefix, walked].concat()),
        };
        Some((walked, bytes, found))
    }
}
