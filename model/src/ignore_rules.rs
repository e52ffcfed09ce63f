//! Ignore files, read as git reads them.
//!
//! Responsible for: the lines of one ignore file and which paths each matches, and which of several
//! files decides
//! (section 3.2; FR-LS-SRC-06, E-B04).
//! Left to neighbours: where ignore files are found and in which directories they hold (`walk`).
//! Invariants: everything is bytes; letters are compared exactly. Only the path itself is tested,
//! never a directory
//! above it: the walk does not enter what is excluded.

use crate::place::Name;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a rule says about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// It is left out.
    Ignored,
    /// It is not left out, whatever weaker rules say (`!`).
    Included,
}

/// One ignore file in force.
#[derive(Debug, Clone)]
pub(crate) struct IgnoreFile {
    /// The strength of its kind; 0 is the strongest.
    pub(crate) rank: usize,
    /// The directory its patterns are relative to, as names below the sandbox root.
    pub(crate) base: Vec<Name>,
    rules: Vec<Rule>,
}

/// One line that says something.
#[derive(Debug, Clone)]
struct Rule {
    ruling: Ruling,
    directories_only: bool,
    /// Whether it is tested against the path from the file's directory, not against base names.
    anchored: bool,
    components: Vec<Component>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Component {
    /// `**` alone: any number of directories; at the end everything below.
    AnyNumber,
    /// One name.
    Name(Vec<Token>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Literal(u8),
    /// `?`: one byte.
    AnyOne,
    /// So many `*` in a row.
    Stars(usize),
    /// `[...]`: one byte.
    Class {
        negated: bool,
        members: Vec<Member>,
    },
    Slash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Byte(u8),
    Range(u8, u8),
}

/// What the files in force say about the path with these names below the sandbox root. They are
/// listed from the top
/// down; the first kind that says anything decides, in it the nearest directory, in a file the last
/// line.
pub(crate) fn decide(files: &[IgnoreFile], path: &[Name], is_dir: bool) -> Option<Ruling> {
    let mut ranks: Vec<usize> = files.iter().map(|file| file.rank).collect();
    ranks.sort_unstable();
    ranks.into_iter().find_map(|rank| {
        let of_kind = files.iter().filter(|file| file.rank == rank);
        of_kind.rev().find_map(|file| file.decide(path, is_dir))
    })
}

impl IgnoreFile {
    /// Reads an ignore file of the kind with this rank, whose patterns are relative to `base`.
    pub(crate) fn read(rank: usize, base: &[Name], bytes: &[u8]) -> IgnoreFile {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let rules = text.split(|byte| *byte == b'\n').filter_map(Rule::read).collect();
        IgnoreFile { rank, base: base.to_vec(), rules }
    }

    fn decide(&self, path: &[Name], is_dir: bool) -> Option<Ruling> {
        let below = path.strip_prefix(self.base.as_slice())?;
        self.rules.iter().rev().find(|rule| rule.matches(below, is_dir)).map(|rule| rule.ruling)
    }
}

impl Rule {
    /// Reads a line without its LF; nothing if it says nothing or can match nothing.
    fn read(line: &[u8]) -> Option<Rule> {
        if line.starts_with(b"#") {
            return None;
        }
        // git puts an LF behind the last line, so that a CR at the end of the file goes as well.
        let line = without_trailing_spaces(line.strip_suffix(b"\r").unwrap_or(line));
        let (ruling, pattern) = match line.strip_prefix(b"!") {
            Some(pattern) => (Ruling::Included, pattern),
            None => (Ruling::Ignored, line),
        };
        let (directories_only, pattern) = match pattern.strip_suffix(b"/") {
            Some(pattern) => (true, pattern),
            None => (false, pattern),
        };
        if pattern.is_empty() {
            return None;
        }
        let anchored = pattern.contains(&b'/');
        let tokens = tokens(pattern.strip_prefix(b"/").unwrap_or(pattern))?;
        let components = tokens.split(|token| *token == Token::Slash).map(component).collect();
        Some(Rule { ruling, directories_only, anchored, components })
    }

    fn matches(&self, below: &[Name], is_dir: bool) -> bool {
        let tested =
            if self.anchored { below } else { below.last().map_or(below, std::slice::from_ref) };
        (is_dir || !self.directories_only) && components_match(&self.components, tested)
    }
}

/// A line without the spaces at its end; one that a backslash escapes stays.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut length = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            length = at;
        }
    }
    line.get(..length).unwrap_or(line)
}

fn component(tokens: &[Token]) -> Component {
    if matches!(tokens, [Token::Stars(2..)]) {
        Component::AnyNumber
    } else {
        Component::Name(tokens.to_vec())
    }
}

/// Whether the components match all names of a path: after each component, which numbers of names
/// may be used up?
fn components_match(components: &[Component], path: &[Name]) -> bool {
    let mut used = vec![0];
    for (index, component) in components.iter().enumerate() {
        let at_end = index + 1 == components.len();
        used = match component {
            Component::AnyNumber => {
                let least =
                    used.iter().min().map_or(path.len() + 1, |least| least + usize::from(at_end));
                (least..=path.len()).collect()
            }
            Component::Name(tokens) => used
                .into_iter()
                .filter(|used| path.get(*used).is_some_and(|name| name_matches(tokens, name)))
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&path.len())
}

/// Whether the tokens match all bytes of a name: after each token, which numbers of bytes may be
/// used up?
fn name_matches(tokens: &[Token], name: &[u8]) -> bool {
    let mut used = vec![0];
    for token in tokens {
        used = match token {
            Token::Stars(_) => {
                used.iter().min().map_or(Vec::new(), |least| (*least..=name.len()).collect())
            }
            one => used
                .into_iter()
                .filter(|used| name.get(*used).is_some_and(|byte| byte_matches(one, *byte)))
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&name.len())
}

fn byte_matches(token: &Token, byte: u8) -> bool {
    match token {
        Token::AnyOne => true,
        Token::Literal(literal) => *literal == byte,
        Token::Class { negated, members } => {
            let inside = members.iter().any(|member| match member {
                Member::Byte(one) => *one == byte,
                Member::Range(from, to) => (*from..=*to).contains(&byte),
            });
            inside != *negated
        }
        Token::Stars(_) | Token::Slash => false,
    }
}

/// The tokens of a pattern; nothing if a class is not closed or a backslash stands alone at the
/// end.
fn tokens(pattern: &[u8]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                tokens.push(if *escaped == b'/' { Token::Slash } else { Token::Literal(*escaped) });
            }
            b'/' => tokens.push(Token::Slash),
            b'?' => tokens.push(Token::AnyOne),
            b'*' => match tokens.last_mut() {
                Some(Token::Stars(run)) => *run += 1,
                _ => tokens.push(Token::Stars(1)),
            },
            b'[' => {
                let (class, after) = class(rest)?;
                rest = after;
                tokens.push(class);
            }
            literal => tokens.push(Token::Literal(*literal)),
        }
    }
    Some(tokens)
}

/// The class after a `[`, and what follows it. A `]` that comes first is a member; so is a `-` that
/// comes first, last
/// or after a range. The start of a range is a member by itself, even if the range is reversed.
fn class(text: &[u8]) -> Option<(Token, &[u8])> {
    let negated = matches!(text.first(), Some(b'!' | b'^'));
    let mut rest = text.get(usize::from(negated)..)?;
    let mut members = Vec::new();
    let mut range_start = None;
    let mut first = true;
    loop {
        let (byte, after) = rest.split_first()?;
        if *byte == b']' && !first {
            return Some((Token::Class { negated, members }, after));
        }
        first = false;
        let range_end = if *byte == b'-' && !matches!(after.first(), None | Some(b']')) {
            range_start.and_then(|from: u8| Some((from, one_member(after)?)))
        } else {
            None
        };
        if let Some((from, (to, after))) = range_end {
            members.push(Member::Range(from, to));
            range_start = None;
            rest = after;
        } else if let Some((kind, after)) = kind(rest) {
            members.extend(kind?.into_iter().map(Member::Byte));
            range_start = None;
            rest = after;
        } else {
            let (member, after) = one_member(rest)?;
            members.push(Member::Byte(member));
            range_start = Some(member);
            rest = after;
        }
    }
}

/// A member of a class, escaped or not, and what follows it.
fn one_member(text: &[u8]) -> Option<(u8, &[u8])> {
    match text.split_first()? {
        (b'\\', after) => after.split_first().map(|(escaped, after)| (*escaped, after)),
        (plain, after) => Some((*plain, after)),
    }
}

/// The bytes of the kind named between `[:` and `:]` where the text starts so, and what follows it;
/// nothing inside if
/// no kind is called so. The first `]` must be that of the `:]`.
fn kind(text: &[u8]) -> Option<(Option<Vec<u8>>, &[u8])> {
    let text = text.strip_prefix(b"[:")?;
    let end = text.iter().position(|byte| *byte == b']')?;
    let name = text.get(..end)?.strip_suffix(b":")?;
    Some((bytes_of_kind(name), text.get(end + 1..)?))
}

fn bytes_of_kind(name: &[u8]) -> Option<Vec<u8>> {
    let is: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        b"punct" => u8::is_ascii_punctuation,
        // git's own idea of white space: without vertical tab and form feed.
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some((0..=u8::MAX).filter(is).collect())
}

#[cfg(test)]
mod tests;
