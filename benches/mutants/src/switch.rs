//! Many mutants in one text, each behind a condition that a process decides once.
//!
//! Responsible for: the insertions that put a mutant beside the original, and which mutant a
//! compiler's error is about. Not here: which mutants, and what becomes of them. Invariants: a text
//! is only added to; with no mutant chosen it does what it did. A mutant that is chosen runs beside
//! the original text of all others.

use std::ops::Range;

use proc_macro2::Span;
use serde::{Deserialize, Serialize};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// The condition, as it stands in a crate's root. Reached mutants are written down, for a test that
/// does not reach one cannot notice it.
pub const CONDITION: &str = r#"
/// Whether this mutant is the one that `TOUCHSTONE_MUTANT` names.
#[doc(hidden)]
#[allow(clippy::all, clippy::pedantic, clippy::indexing_slicing)]
pub fn touchstone_mutant(which: usize) -> bool {
    use std::io::Write as _;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: OnceLock<(usize, Option<std::ffi::OsString>)> = OnceLock::new();
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    let (chosen, log) = CHOSEN.get_or_init(|| {
        let chosen = std::env::var("TOUCHSTONE_MUTANT").ok().and_then(|text| text.parse().ok());
        (chosen.unwrap_or(usize::MAX), std::env::var_os("TOUCHSTONE_MUTANT_LOG"))
    });
    if let Some(log) = log {
        if !REACHED[which].swap(true, Ordering::Relaxed) {
            if let Ok(mut file) = std::fs::File::options().append(true).open(log) {
                let _ = file.write_all(format!("{which}\n").as_bytes());
            }
        }
    }
    *chosen == which
}
"#;

/// A mutant as `cargo mutants --list --json` names it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mutant {
    pub name: String,
    pub package: String,
    pub file: String,
    genre: String,
    replacement: String,
    span: Lines,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Lines {
    start: Place,
    end: Place,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

/// What a mutant adds to a text: something before a range, and something behind it.
struct Insertion {
    which: usize,
    range: Range<usize>,
    /// Where the compiler may complain of it; more than the range for an arm, which leaves a match
    /// incomplete.
    about: Range<usize>,
    before: String,
    behind: &'static str,
    is_body: bool,
}

/// A text with mutants in it.
pub struct Switched {
    pub text: String,
    /// Why a mutant is not among them.
    pub left_out: Vec<(usize, &'static str)>,
    /// What was added for which, and all of the range that it is about; both in the new text.
    added: Vec<(usize, Range<usize>)>,
    around: Vec<(usize, Range<usize>)>,
}

impl Switched {
    /// Puts mutants into a text.
    pub fn new(text: &str, mutants: &[(usize, &Mutant)]) -> syn::Result<Self> {
        let mut sites = Sites { text, ..Sites::default() };
        sites.visit_file(&syn::parse_file(text)?);
        let (mut insertions, mut left_out) = (Vec::new(), Vec::new());
        for (which, mutant) in mutants {
            match sites.insertion(*which, mutant) {
                Ok(insertion) => insertions.push(insertion),
                Err(reason) => left_out.push((*which, reason)),
            }
        }
        // Outer before inner; of equal ranges a function's body is outermost.
        insertions.sort_by_key(|one| (one.range.start, usize::MAX - one.range.end, !one.is_body, one.which));
        let mut pieces: Vec<(usize, bool, usize, usize)> = Vec::new();
        for (depth, one) in insertions.iter().enumerate() {
            // At one place what ends comes before what begins, and inner ends before outer; an
            // empty range has no end.
            let ends = usize::MAX - depth;
            pieces.push((one.range.start, true, depth, depth));
            pieces.push((
                one.range.end,
                one.range.is_empty(),
                if one.range.is_empty() { depth } else { ends },
                depth,
            ));
        }
        pieces.sort_by_key(|(at, begins, order, _)| (*at, *begins, *order));
        let mut made = Self { text: String::new(), left_out, added: Vec::new(), around: Vec::new() };
        let mut moved = vec![(0, 0)];
        let mut is_open = vec![false; insertions.len()];
        let mut done = 0;
        for (at, _, _, index) in pieces {
            made.text.push_str(&text[done..at]);
            done = at;
            let (one, from) = (&insertions[index], made.text.len());
            made.text.push_str(if is_open[index] { one.behind } else { &one.before });
            is_open[index] = true;
            made.added.push((one.which, from..made.text.len()));
            moved.push((at, made.text.len()));
        }
        made.text.push_str(&text[done..]);
        let new = |old: usize| {
            let (at, to) = moved[moved.partition_point(|(at, _)| *at <= old) - 1];
            to + old - at
        };
        made.around =
            insertions.iter().map(|one| (one.which, new(one.about.start)..new(one.about.end))).collect();
        Ok(made)
    }

    /// The mutants that an error at this place is about: those that added the text there, else the
    /// innermost around.
    pub fn blamed(&self, at: &Range<usize>) -> Vec<usize> {
        let touches = |range: &Range<usize>| range.start < at.end && at.start < range.end;
        let mut found: Vec<usize> =
            self.added.iter().filter(|(_, range)| touches(range)).map(|(which, _)| *which).collect();
        if found.is_empty() {
            let around = self.around.iter().filter(|(_, range)| touches(range));
            found.extend(around.min_by_key(|(_, range)| range.len()).map(|(which, _)| *which));
        }
        found
    }
}

/// The places of a text that mutants are about.
#[derive(Default)]
struct Sites<'t> {
    text: &'t str,
    /// Where nothing can be decided at run time.
    constant: Vec<Range<usize>>,
    /// Operator, whole, left, right; none where an operand is a `let`.
    binary: Vec<(usize, Option<[Range<usize>; 3]>)>,
    /// Operator, whole, operand.
    unary: Vec<(usize, Range<usize>, Range<usize>)>,
    /// Match, arm, end of its pattern, guard.
    arms: Vec<(usize, usize, usize, Option<Range<usize>>)>,
    /// Field, its value, what the other fields come from.
    fields: Vec<(usize, Range<usize>, String)>,
}

impl Sites<'_> {
    fn offset(&self, place: &Place) -> usize {
        let before: usize = self.text.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
        let line = &self.text[before..];
        before + line.char_indices().nth(place.column - 1).map_or(line.len(), |(at, _)| at)
    }

    fn insertion(&self, which: usize, mutant: &Mutant) -> Result<Insertion, &'static str> {
        let (start, end) = (self.offset(&mutant.span.start), self.offset(&mutant.span.end));
        if self.constant.iter().any(|range| range.contains(&start)) {
            return Err("constant context");
        }
        let chosen = format!("crate::touchstone_mutant({which})");
        let new = &mutant.replacement;
        let mut about = start..end;
        let (range, before, behind) = match mutant.genre.as_str() {
            "FnValue" => (start..end, format!("if {chosen} {{ return {new}; }} "), ""),
            "BinaryOperator" => {
                let found = self.binary.iter().find(|(at, _)| *at == start).ok_or("not found")?;
                let [whole, left, right] = found.1.clone().ok_or("let chain")?;
                let (left, right) = (&self.text[left], &self.text[right]);
                (whole, format!("(if {chosen} {{ ({left}) {new} ({right}) }} else {{ "), " })")
            }
            "UnaryOperator" => {
                let (_, whole, operand) =
                    self.unary.iter().find(|(at, ..)| *at == start).ok_or("not found")?.clone();
                (whole, format!("(if {chosen} {{ {} }} else {{ ", &self.text[operand]), " })")
            }
            "MatchArmGuard" => {
                let open = if new == "true" { format!("({chosen} || (") } else { format!("(!{chosen} && (") };
                (start..end, open, "))")
            }
            "MatchArm" => {
                let found = self.arms.iter().find(|(_, at, ..)| *at == start).ok_or("not found")?;
                about = found.0..end;
                match found {
                    (_, _, _, Some(guard)) => (guard.clone(), format!("!{chosen} && ("), ")"),
                    (_, _, end, None) => (*end..*end, format!(" if !{chosen} "), ""),
                }
            }
            "StructField" => {
                let (_, value, rest) =
                    self.fields.iter().find(|(at, ..)| *at == start).ok_or("not found")?.clone();
                (value, format!("(if {chosen} {{ {rest} }} else {{ "), " })")
            }
            _ => return Err("unknown kind"),
        };
        Ok(Insertion { which, range, about, before, behind, is_body: mutant.genre == "FnValue" })
    }
}

fn has_let(one: &syn::Expr) -> bool {
    match one {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn at(span: Span) -> Range<usize> {
    span.byte_range()
}

impl<'a> Visit<'a> for Sites<'_> {
    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.constant.push(at(item.span()));
    }
    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.constant.push(at(item.span()));
    }
    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.constant.push(at(item.span()));
    }
    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.constant.push(at(item.span()));
    }
    fn visit_expr_const(&mut self, block: &'a syn::ExprConst) {
        self.constant.push(at(block.span()));
    }
    fn visit_type_array(&mut self, array: &'a syn::TypeArray) {
        self.constant.push(at(array.span()));
    }
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if item.sig.constness.is_some() {
            self.constant.push(at(item.span()));
        }
        visit::visit_item_fn(self, item);
    }
    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if item.sig.constness.is_some() {
            self.constant.push(at(item.span()));
        }
        visit::visit_impl_item_fn(self, item);
    }
    fn visit_expr_binary(&mut self, one: &'a syn::ExprBinary) {
        let ranges = [at(one.span()), at(one.left.span()), at(one.right.span())];
        let chained = has_let(&one.left) || has_let(&one.right);
        self.binary.push((at(one.op.span()).start, (!chained).then_some(ranges)));
        visit::visit_expr_binary(self, one);
    }
    fn visit_expr_unary(&mut self, one: &'a syn::ExprUnary) {
        self.unary.push((at(one.op.span()).start, at(one.span()), at(one.expr.span())));
        visit::visit_expr_unary(self, one);
    }
    fn visit_expr_match(&mut self, one: &'a syn::ExprMatch) {
        for arm in &one.arms {
            let guard = arm.guard.as_ref().map(|(_, guard)| at(guard.span()));
            self.arms.push((at(one.span()).start, at(arm.span()).start, at(arm.pat.span()).end, guard));
        }
        visit::visit_expr_match(self, one);
    }
    fn visit_expr_struct(&mut self, one: &'a syn::ExprStruct) {
        if let Some(rest) = &one.rest {
            let (rest, path) = (&self.text[at(rest.span())], &self.text[at(one.path.span())]);
            for field in one.fields.iter().filter(|field| field.colon_token.is_some()) {
                let name = &self.text[at(field.member.span())];
                let made = match rest {
                    "Default::default()" => format!("<{path} as Default>::default().{name}"),
                    _ => format!("({rest}).{name}"),
                };
                self.fields.push((at(field.span()).start, at(field.expr.span()), made));
            }
        }
        visit::visit_expr_struct(self, one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(genre: &str, replacement: &str, [line, from, to]: [usize; 3]) -> Mutant {
        let span = Lines { start: Place { line, column: from }, end: Place { line, column: to } };
        let [name, package, file] = [String::new(), String::new(), String::new()];
        Mutant { name, package, file, genre: genre.into(), replacement: replacement.into(), span }
    }

    #[test]
    fn what_is_added_lies_around_and_within_each_other_and_takes_nothing_away() {
        let text = "fn f(a: u8) -> bool {\n    !(a < 3)\n}\nconst C: u8 = 1 + 2;\n";
        let body = mutant("FnValue", "true", [2, 5, 13]);
        let (not, less) =
            (mutant("UnaryOperator", "", [2, 5, 6]), mutant("BinaryOperator", "==", [2, 9, 10]));
        let constant = mutant("BinaryOperator", "-", [4, 17, 18]);
        let made = Switched::new(text, &[(0, &body), (1, &not), (2, &less), (3, &constant)]).unwrap();
        let line = "    if crate::touchstone_mutant(0) { return true; } (if crate::touchstone_mutant(1) { (a < 3) } \
                    else { !((if crate::touchstone_mutant(2) { (a) == (3) } else { a < 3 })) })";
        assert_eq!(made.text, text.replace("    !(a < 3)", line));
        assert_eq!(made.left_out, [(3, "constant context")]);
        let place = made.text.find("return true").unwrap();
        assert_eq!(made.blamed(&(place..place + 6)), [0]);
        let place = made.text.find("(a) == (3)").unwrap();
        assert_eq!(made.blamed(&(place..place + 1)), [2]);
    }

    #[test]
    fn an_arm_that_is_deleted_has_a_guard_and_is_blamed_for_its_match() {
        let text = "fn f(a: u8) -> u8 {\n    match a {\n        1 => 2,\n        _ => 3,\n    }\n}\n";
        let made = Switched::new(text, &[(7, &mutant("MatchArm", "", [3, 9, 16]))]).unwrap();
        assert_eq!(made.text, text.replace("1 =>", "1 if !crate::touchstone_mutant(7)  =>"));
        let place = made.text.find("match a").unwrap() + 6;
        assert_eq!(made.blamed(&(place..place + 1)), [7]);
    }
}
