//! Ignore files, read line by line as git reads them (docs/search.md section 3.2, E-B04).
//!
//! A [`RuleFile`] is one parsed file; which files apply to a path, and in which order, is the walker's business.

use std::collections::HashMap;

use crate::glob::{Dialect, Glob, Plain, base_name};

/// What a rule file says about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Leave it out.
    Ignore,
    /// A `!` rule brings it back.
    Include,
}

/// A line of an ignore file that means something.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it says about a path that it matches.
    pub verdict: Verdict,
    /// Its number in the file, from 1.
    pub line: usize,
    /// The line, without its end.
    pub text: Vec<u8>,
    /// It applies to directories only.
    dir_only: bool,
}

/// One ignore file. Its last matching line decides.
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// Lines that are one plain base name, by name: ignore files are mostly these and suffixes, and every
    /// entry of a tree is tested against every rule above it.
    names: HashMap<Vec<u8>, Vec<usize>>,
    /// The same for whole paths.
    paths: HashMap<Vec<u8>, Vec<usize>>,
    suffixes: Vec<(Vec<u8>, usize)>,
    others: Vec<(Glob, usize)>,
    rules: Vec<Rule>,
}

impl RuleFile {
    /// Parses a file's content. Lines that mean nothing are skipped, as git skips them.
    pub fn parse(content: &[u8]) -> Self {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let mut file = Self::default();
        // git reads the last line as if an LF followed it, so a CR at the end of the file goes as well.
        for (number, line) in (1..).zip(content.split(|&byte| byte == b'\n')) {
            file.add(number, line.strip_suffix(b"\r").unwrap_or(line));
        }
        file
    }

    fn add(&mut self, number: usize, text: &[u8]) {
        if text.starts_with(b"#") {
            return;
        }
        let line = trim_blanks(text);
        let (verdict, line) = match line.strip_prefix(b"!") {
            Some(rest) => (Verdict::Include, rest),
            None => (Verdict::Ignore, line),
        };
        let Ok(glob) = Glob::parse(line, Dialect::Ignore) else { return };
        let index = self.rules.len();
        let (dir_only, text) = (glob.dir_only(), text.to_owned());
        self.rules.push(Rule { verdict, line: number, text, dir_only });
        match glob.plain() {
            Some(Plain::Name(name)) => self.names.entry(name).or_default().push(index),
            Some(Plain::Path(path)) => self.paths.entry(path).or_default().push(index),
            Some(Plain::Suffix(suffix)) => self.suffixes.push((suffix, index)),
            None => self.others.push((glob, index)),
        }
    }

    /// The lines that mean something, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether no line means anything.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What the file says about `path`, relative to the directory the file's rules are relative to.
    pub fn verdict(&self, path: &[u8], is_dir: bool) -> Option<Verdict> {
        self.deciding(path, is_dir).map(|rule| rule.verdict)
    }

    /// The rule that decides about `path`: the last one that matches it.
    pub fn deciding(&self, path: &[u8], is_dir: bool) -> Option<&Rule> {
        let name = base_name(path);
        let applies = |index: usize| self.rules.get(index).is_some_and(|rule| is_dir || !rule.dir_only);
        let named = self.names.get(name).into_iter().chain(self.paths.get(path)).flatten().copied();
        let suffixed =
            self.suffixes.iter().filter(|(suffix, _)| name.ends_with(suffix)).map(|&(_, index)| index);
        let decided = named.chain(suffixed).filter(|&index| applies(index)).max();
        // Only a later line can still change the verdict.
        let other = self
            .others
            .iter()
            .rev()
            .take_while(|&&(_, index)| decided.is_none_or(|least| index > least))
            .find(|(glob, _)| glob.matches(path, is_dir, Dialect::Ignore));
        let index = other.map(|&(_, index)| index).or(decided)?;
        self.rules.get(index)
    }
}

/// Removes trailing blanks that no backslash protects.
fn trim_blanks(line: &[u8]) -> &[u8] {
    let mut keep = 0;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += if byte == b'\\' && at + 1 < line.len() { 2 } else { 1 };
        if byte != b' ' {
            keep = at;
        }
    }
    line.get(..keep).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(rules: &str, path: &str, is_dir: bool) -> Option<Verdict> {
        RuleFile::parse(rules.as_bytes()).verdict(path.as_bytes(), is_dir)
    }

    const IGNORE: Option<Verdict> = Some(Verdict::Ignore);
    const INCLUDE: Option<Verdict> = Some(Verdict::Include);

    #[test]
    fn the_last_matching_line_decides_whatever_its_form() {
        assert_eq!(verdict("*.log\n!keep.log\n", "a/keep.log", false), INCLUDE);
        assert_eq!(verdict("!keep.log\n*.log\n", "a/keep.log", false), IGNORE);
        assert_eq!(verdict("*.log\n!k*.log\n", "keep.log", false), INCLUDE);
        assert_eq!(verdict("!k*.log\nkeep.log\n", "keep.log", false), IGNORE);
    }

    #[test]
    fn the_deciding_rule_has_its_line() {
        let rules = RuleFile::parse(b"# all\r\n\n/*\r\n!/a \n");
        let said = |path: &str| {
            let rule = rules.deciding(path.as_bytes(), false)?;
            Some((rule.line, String::from_utf8(rule.text.clone()).unwrap(), rule.verdict))
        };
        assert_eq!(said("b"), Some((3, "/*".to_owned(), Verdict::Ignore)));
        assert_eq!(said("a"), Some((4, "!/a ".to_owned(), Verdict::Include)));
        assert_eq!(said("b/c"), None);
    }

    #[test]
    fn anchored_rules_test_the_whole_path_others_the_base_name() {
        assert_eq!(verdict("/build\n", "build", true), IGNORE);
        assert_eq!(verdict("/build\n", "a/build", true), None);
        assert_eq!(verdict("a/b\n", "a/b", false), IGNORE);
        assert_eq!(verdict("a/b\n", "x/a/b", false), None);
        assert_eq!(verdict("b\n", "x/a/b", false), IGNORE);
    }

    #[test]
    fn a_trailing_slash_means_directories_only() {
        assert_eq!(verdict("build/\n", "a/build", true), IGNORE);
        assert_eq!(verdict("build/\n", "a/build", false), None);
    }

    #[test]
    fn blanks_comments_and_escapes_are_gits() {
        assert_eq!(verdict("# a\n\n\\#a\n", "#a", false), IGNORE);
        assert_eq!(verdict("a  \n", "a", false), IGNORE);
        assert_eq!(verdict("a\\ \n", "a ", false), IGNORE);
        assert_eq!(verdict("\\!a\n", "!a", false), IGNORE);
        assert_eq!(verdict("a\r\nb\r", "a", false), IGNORE);
        assert_eq!(verdict("a\r\nb\r", "b", false), IGNORE);
        assert_eq!(verdict("\u{feff}a\n", "a", false), IGNORE);
    }

    #[test]
    fn braces_are_literal_and_malformed_classes_match_nothing() {
        assert_eq!(verdict("*.{a,b}\n", "x.a", false), None);
        assert_eq!(verdict("*.{a,b}\n", "x.{a,b}", false), IGNORE);
        assert_eq!(verdict("[a\n", "[a", false), None);
        assert_eq!(verdict("a\\\n", "a\\", false), None);
        assert_eq!(verdict("[[:alpha:]]x\n", "ax", false), IGNORE);
        assert_eq!(verdict("[[:nope:]]x\n", "ax", false), None);
    }

    #[test]
    fn double_stars_have_gits_meaning() {
        assert_eq!(verdict("**/a\n", "x/y/a", false), IGNORE);
        assert_eq!(verdict("**/a\n", "a", false), IGNORE);
        assert_eq!(verdict("a/**/b\n", "a/b", false), IGNORE);
        assert_eq!(verdict("a/**/b\n", "a/x/y/b", false), IGNORE);
        assert_eq!(verdict("a/**\n", "a", true), None);
        assert_eq!(verdict("a/**\n", "a/b", false), IGNORE);
        assert_eq!(verdict("a/x**y\n", "a/xzzy", false), IGNORE);
        assert_eq!(verdict("a/x**y\n", "a/xz/zy", false), None);
    }
}
