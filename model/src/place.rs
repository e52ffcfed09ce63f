//! Places in the file system, as far as the model sees it.
//!
//! Responsible for: naming a place inside the sandbox root or outside it, and splitting paths into
//! names.
//! Left to neighbours: what stands at a place (`world`), whether it may be entered (`sandbox`).
//! Invariants: the names of a place hold neither `.`, `..`, the empty name nor a slash.

/// One component of a path: raw bytes (E-B22).
pub(crate) type Name = Vec<u8>;

/// How far up the places lie that a world says nothing about: absolute paths that do not start with
/// `{root}`.
const NOWHERE: usize = usize::MAX;

/// What the sandbox root is called in the directory that holds it.
const ROOT_NAME: &[u8] = b"root";

/// What stands for the absolute path of the sandbox root.
const ROOT: &[u8] = b"{root}";

/// A place: so many levels above the sandbox root, then down through these names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    levels_up: usize,
    names: Vec<Name>,
}

impl Place {
    /// The sandbox root.
    pub(crate) fn root() -> Place {
        Place { levels_up: 0, names: Vec::new() }
    }

    /// The top of the file system, outside the sandbox.
    fn nowhere() -> Place {
        Place { levels_up: NOWHERE, names: Vec::new() }
    }

    /// The place below the sandbox root that these names lead to.
    pub(crate) fn inside(names: Vec<Name>) -> Place {
        Place { levels_up: 0, names }
    }

    /// The names that lead here from the sandbox root, if this lies inside it.
    pub(crate) fn names_inside(&self) -> Option<&[Name]> {
        (self.levels_up == 0).then_some(self.names.as_slice())
    }

    /// The place called `name` in this one.
    pub(crate) fn child(&self, name: &[u8]) -> Place {
        // The sandbox root has a name of its own among its siblings, so a path may leave it and
        // come back.
        if self.levels_up == 1 && self.names.is_empty() && name == ROOT_NAME {
            return Place::root();
        }
        let mut names = self.names.clone();
        names.push(name.to_vec());
        Place { levels_up: self.levels_up, names }
    }

    /// The directory this place is in.
    pub(crate) fn parent(&self) -> Place {
        let mut parent = self.clone();
        if parent.names.pop().is_none() {
            parent.levels_up = parent.levels_up.saturating_add(1);
        }
        parent
    }

    /// The key under which a world lists this place, if it can list it.
    pub(crate) fn key(&self) -> Option<Vec<u8>> {
        match self.levels_up {
            0 => Some(join(&self.names)),
            1 => Some([b"../".as_slice(), &join(&self.names)].concat()),
            _ => None,
        }
    }

    /// The place reached by walking `names` without looking at anything; `..` goes up one level.
    pub(crate) fn walk_blindly(mut self, names: &[Name]) -> Place {
        for name in names {
            self = if name.as_slice() == b".." { self.parent() } else { self.child(name) };
        }
        self
    }
}

/// Where a path starts that is written in the directory `here`, and the names it then goes through.
pub(crate) fn start(path: &[u8], here: &Place) -> (Place, Vec<Name>) {
    match path.strip_prefix(ROOT) {
        Some(rest) if rest.is_empty() || rest.starts_with(b"/") => (Place::root(), names(rest)),
        Some(_) => (Place::nowhere(), names(path)),
        None if path.starts_with(b"/") => (Place::nowhere(), names(path)),
        None => (here.clone(), names(path)),
    }
}

/// The names in a path; empty ones and `.` vanish, `..` stays (ALG-LS-A1.7).
pub(crate) fn names(path: &[u8]) -> Vec<Name> {
    path.split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty() && *name != b".")
        .map(<[u8]>::to_vec)
        .collect()
}

/// Names with slashes between them.
pub(crate) fn join(names: &[Name]) -> Vec<u8> {
    names.join(&b'/')
}

/// Bytes as text, one U+FFFD per maximal subpart of what is not UTF-8 (FR-LS-ENC-01, E-A08).
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The path of `inside`, a place below the sandbox root, as answers show it: relative to the
/// working directory, or
/// absolute outside it (FR-LS-05b, FR-LS-ERR-06, E-B26).
pub(crate) fn shown(inside: &[Name], working_dir: &str) -> String {
    let working_dir = names(working_dir.as_bytes());
    match inside.strip_prefix(working_dir.as_slice()) {
        Some([]) => ".".to_owned(),
        Some(below) => lossy(&join(below)),
        None if inside.is_empty() => lossy(ROOT),
        None => lossy(&[ROOT, b"/", &join(inside)].concat()),
    }
}

/// The path that leads from the directory `from` to `to`, both below the sandbox root
/// (MATF-SF-path, ERRF-SF-path).
pub(crate) fn relative(to: &[Name], from: &[Name]) -> String {
    let shared = to.iter().zip(from).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(shared).map(|_| b"..".to_vec());
    let path: Vec<Name> = up.chain(to.iter().skip(shared).cloned()).collect();
    if path.is_empty() { ".".to_owned() } else { lossy(&join(&path)) }
}
