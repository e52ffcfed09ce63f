//! Fewer entries, shorter names.

use touchstone_cases::case::{Contents, Node};

use crate::question::Question;

use super::{Search, contents_mut, entry};

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Entries left out, and what is odd made ordinary.
    pub(super) fn entries(&mut self) {
        self.thin(
            256,
            |question| question.tree.tree.clone(),
            |question, tree| question.tree.tree = tree,
        );
        for index in 0..self.best.tree.tree.len() {
            self.change(|question| {
                match question.tree.tree.get_mut(index).map(|entry| &mut entry.node) {
                    Some(Node::File { readable, .. } | Node::Dir { readable }) => *readable = true,
                    Some(node @ (Node::Link { .. } | Node::Fifo)) => {
                        *node = Node::File { contents: Contents::default(), readable: true };
                    }
                    None => {}
                }
            });
            self.change(|question| {
                if let Some(Node::Link { target }) =
                    question.tree.tree.get_mut(index).map(|entry| &mut entry.node)
                {
                    target.truncate(1);
                }
            });
        }
    }

    /// Paths: fewer components, for everything below a directory at once, then a shorter name for
    /// each.
    pub(super) fn names(&mut self) {
        for index in 0..self.best.tree.tree.len() {
            for depth in (0..components(&self.best, index).len()).rev() {
                let all = components(&self.best, index);
                let above = all.get(..=depth).unwrap_or_default().join(&b'/');
                let shorter = all.get(..depth).unwrap_or_default().join(&b'/');
                self.change(|question| rename(question, &above, &shorter));
            }
            for depth in 0..components(&self.best, index).len() {
                self.one_name(index, depth);
            }
        }
    }

    /// A shorter or plainer name for one component: alone, and along with globs and ignore files
    /// that may name it.
    fn one_name(&mut self, index: usize, depth: usize) {
        let all = components(&self.best, index);
        let Some(name) = all.get(depth).filter(|name| *name != b"..") else { return };
        let old = all.get(..=depth).unwrap_or_default().join(&b'/');
        let above = all.get(..depth).unwrap_or_default().join(&b'/');
        let whole = |name: &[u8]| {
            if above.is_empty() { name.to_vec() } else { [&above, &b"/"[..], name].concat() }
        };
        let extension = name.iter().rposition(|byte| *byte == b'.').and_then(|dot| name.get(dot..));
        let letters = [b"a", b"b", b"c", b"d"].map(|letter| letter.to_vec());
        let mut shorter: Vec<Vec<u8>> = letters.to_vec();
        shorter.extend(
            letters
                .iter()
                .map(|letter| [letter.as_slice(), extension.unwrap_or_default()].concat()),
        );
        shorter.extend((0..name.len()).map(|at| {
            let kept = name.iter().enumerate().filter(|(index, _)| *index != at);
            kept.map(|(_, byte)| *byte).collect()
        }));
        shorter.extend(letters.iter().map(|letter| [b".".as_slice(), letter].concat()));
        if let Some(extension) = extension.filter(|extension| extension.len() < name.len()) {
            let stem = name.strip_suffix(extension).unwrap_or_default();
            self.change(|question| {
                rename(question, &old, &whole(stem));
                respell(question, extension, b"");
            });
        }
        if components(&self.best, index) != all {
            return self.one_name(index, depth);
        }
        for candidate in shorter {
            if candidate.len() > name.len() || candidate == *name {
                continue;
            }
            if self.change(|question| rename(question, &old, &whole(&candidate)))
                || self.change(|question| {
                    rename(question, &old, &whole(&candidate));
                    respell(question, name, &candidate);
                })
            {
                return;
            }
        }
    }
}

fn components(question: &Question, index: usize) -> Vec<Vec<u8>> {
    let path = entry(question, index).map(|entry| entry.path.clone()).unwrap_or_default();
    path.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect()
}

/// Moves `old` and everything below it to `new`; with an empty `new`, what lies below moves to the
/// root. A walk that begins there begins at its new place.
fn rename(question: &mut Question, old: &[u8], new: &[u8]) {
    let moved = |path: &[u8]| -> Option<Vec<u8>> {
        let rest = path.strip_prefix(old)?;
        match rest.strip_prefix(b"/") {
            Some(below) if new.is_empty() => Some(below.to_vec()),
            Some(below) => Some([new, b"/", below].concat()),
            None => (rest.is_empty() && !new.is_empty()).then(|| new.to_vec()),
        }
    };
    for entry in &mut question.tree.tree {
        if let Some(path) = moved(&entry.path) {
            entry.path = path;
        }
    }
    for root in question.ask.walk.iter_mut().flat_map(|walk| &mut walk.roots) {
        if let Some(Ok(path)) = moved(root.as_bytes()).map(String::from_utf8) {
            *root = path;
        }
    }
}

/// Another spelling of a name in globs, ignore files and targets of links.
fn respell(question: &mut Question, old: &[u8], new: &[u8]) {
    if let (Some(walk), Ok(old), Ok(new)) =
        (&mut question.ask.walk, std::str::from_utf8(old), std::str::from_utf8(new))
    {
        for glob in &mut walk.globs {
            *glob = glob.replace(old, new);
        }
    }
    for index in 0..question.tree.tree.len() {
        let rules = entry(question, index).is_some_and(|entry| entry.path.ends_with(b"ignore"));
        if let Some(contents) = contents_mut(question, index).filter(|_| rules) {
            for part in &mut contents.parts {
                part.bytes.0 = replaced(&part.bytes.0, old, new);
            }
        }
        if let Some(Node::Link { target }) =
            question.tree.tree.get_mut(index).map(|entry| &mut entry.node)
        {
            *target = replaced(target, old, new);
        }
    }
}

/// The bytes with each `old` replaced by `new`.
pub(super) fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut rest = bytes;
    let mut result = Vec::with_capacity(bytes.len());
    while let Some((first, behind)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(old).filter(|_| !old.is_empty()) {
            result.extend_from_slice(new);
            rest = after;
        } else {
            result.push(*first);
            rest = behind;
        }
    }
    result
}
