//! Places in the file system: inside the sandbox root or outside, and paths split into names.
//!
//! The names of a place are never `.`, `..` or empty, and have no slash.

/// One component of a path: raw bytes (E-B22).
pub(crate) type Name = Vec<u8>;

/// Levels above the sandbox root of places without entries in a world: absolute paths that do not
/// start with `{root}`.
const NOWHERE: usize = usize::MAX;

/// The name of the sandbox root in its parent directory, unless a world says otherwise.
pub(crate) const ROOT_NAME: &[u8] = b"root";

/// Stands for the absolute path of the sandbox root.
const ROOT: &[u8] = b"{root}";

/// A place: this many levels above the sandbox root, then down through these names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    levels_up: usize,
    names: Vec<Name>,
}

impl Place {
    pub(crate) fn root() -> Place {
        Place { levels_up: 0, names: Vec::new() }
    }

    /// The top of the file system, outside the sandbox.
    fn nowhere() -> Place {
        Place { levels_up: NOWHERE, names: Vec::new() }
    }

    /// The place below the sandbox root with these names.
    pub(crate) fn inside(names: Vec<Name>) -> Place {
        Place { levels_up: 0, names }
    }

    /// The names from the sandbox root to this place, if it is inside.
    pub(crate) fn names_inside(&self) -> Option<&[Name]> {
        (self.levels_up == 0).then_some(self.names.as_slice())
    }

    /// The place called `name` in this one.
    pub(crate) fn child(&self, name: &[u8]) -> Place {
        // The sandbox root has a name among its siblings, so a path may leave it and come back.
        if self.levels_up == 1 && self.names.is_empty() && name == ROOT_NAME {
            return Place::root();
        }
        let mut names = self.names.clone();
        names.push(name.to_vec());
        Place { levels_up: self.levels_up, names }
    }

    pub(crate) fn parent(&self) -> Place {
        let mut parent = self.clone();
        if parent.names.pop().is_none() {
            parent.levels_up = parent.levels_up.saturating_add(1);
        }
        parent
    }

    /// The names of this place from the top of a world whose sandbox root has the names `root`; none
    /// if it lies higher.
    pub(crate) fn names_at_top(&self, root: &[Name]) -> Option<Vec<Name>> {
        let above = root.get(..root.len().checked_sub(self.levels_up)?)?;
        Some([above, &self.names].concat())
    }

    /// The place with these names from the top of such a world.
    pub(crate) fn below_top(names: &[Name], root: &[Name]) -> Place {
        match names.strip_prefix(root) {
            Some(inside) => Place::inside(inside.to_vec()),
            None => Place { levels_up: root.len(), names: names.to_vec() },
        }
    }

    /// The place after `names`, lexically; `..` goes up one level.
    pub(crate) fn walk_blindly(mut self, names: &[Name]) -> Place {
        for name in names {
            self = if name.as_slice() == b".." { self.parent() } else { self.child(name) };
        }
        self
    }
}

/// The start of a path written in the directory `here`, and its names.
pub(crate) fn start(path: &[u8], here: &Place) -> (Place, Vec<Name>) {
    match path.strip_prefix(ROOT) {
        Some(rest) if rest.is_empty() || rest.starts_with(b"/") => (Place::root(), names(rest)),
        Some(_) => (Place::nowhere(), names(path)),
        None if path.starts_with(b"/") => (Place::nowhere(), names(path)),
        None => (here.clone(), names(path)),
    }
}

/// The names in a path, without empty ones and `.`; `..` stays (ALG-LS-A1.7).
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

/// Bytes as text, with one U+FFFD per maximal subpart of invalid UTF-8 (FR-LS-ENC-01, E-A08).
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The shown path of a place below the sandbox root: relative to the working directory, or absolute
/// outside it (FR-LS-05b, FR-LS-ERR-06, E-B26).
pub(crate) fn shown(inside: &[Name], working_dir: &str) -> String {
    let working_dir = names(working_dir.as_bytes());
    match inside.strip_prefix(working_dir.as_slice()) {
        Some([]) => ".".to_owned(),
        Some(below) => lossy(&join(below)),
        None if inside.is_empty() => lossy(ROOT),
        None => lossy(&[ROOT, b"/", &join(inside)].concat()),
    }
}

/// The path from the directory `from` to `to`, both below the sandbox root (MATF-SF-path,
/// ERRF-SF-path).
pub(crate) fn relative(to: &[Name], from: &[Name]) -> String {
    let shared = to.iter().zip(from).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(shared).map(|_| b"..".to_vec());
    let path: Vec<Name> = up.chain(to.iter().skip(shared).cloned()).collect();
    if path.is_empty() { ".".to_owned() } else { lossy(&join(&path)) }
}
