//! Case folding scalar by scalar: the image of a scalar under each fold (section 1). Expressions
//! are folded by closing classes instead (`crate::fold`).
//!
//! An image is its own image, as long as all rows are enabled.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::index::tables::{Fold, FoldTables};

/// The image of a scalar under a fold.
pub fn fold_scalar(tables: &FoldTables, fold: Fold, scalar: char) -> char {
    match fold {
        Fold::Ascii => ascii(tables, scalar),
        Fold::UnicodeSimple => unicode_simple(tables, scalar),
    }
}

fn ascii(tables: &FoldTables, scalar: char) -> char {
    if (tables.ascii_first..=tables.ascii_last).contains(&scalar) {
        u32::from(scalar)
            .checked_add(tables.ascii_offset)
            .and_then(char::from_u32)
            .unwrap_or(scalar)
    } else {
        scalar
    }
}

/// Rows of status S with equal scalars that have no other case, since their expansions are equal
/// (Unicode 15.1).
const EQUAL_WITHOUT_CASE: [(char, char); 3] =
    [('\u{1fd3}', '\u{390}'), ('\u{1fe3}', '\u{3b0}'), ('\u{fb05}', '\u{fb06}')];

/// The rows of status C and S of CaseFolding, as far as the tables use them.
fn unicode_simple(tables: &FoldTables, scalar: char) -> char {
    let equal = EQUAL_WITHOUT_CASE.iter().find(|(from, _)| *from == scalar);
    let image = equal.map_or_else(|| by_case(scalar), |(_, to)| *to);
    // A row has status S where full folding differs from simple: the image has an upper case of
    // several scalars only.
    let used =
        if image.to_uppercase().count() > 1 { tables.simple_simple } else { tables.simple_common };
    if used { image } else { scalar }
}

/// The lower case of the upper case (for Cherokee the upper case), if that equals the scalar
/// without regard to case. This excludes the dotless i, whose upper case is another letter's.
fn by_case(scalar: char) -> char {
    let upper = only(scalar.to_uppercase()).unwrap_or(scalar);
    let image =
        if is_cherokee(scalar) { upper } else { only(upper.to_lowercase()).unwrap_or(upper) };
    if equal_without_case(scalar, image) { image } else { scalar }
}

/// The scalar of a mapping to a single one.
fn only(mut mapping: impl Iterator<Item = char>) -> Option<char> {
    mapping.next().filter(|_| mapping.next().is_none())
}

fn is_cherokee(scalar: char) -> bool {
    matches!(scalar, '\u{13a0}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}')
}

/// Whether simple case folding makes two scalars equal.
fn equal_without_case(one: char, other: char) -> bool {
    let mut equal = ClassUnicode::new([ClassUnicodeRange::new(one, one)]);
    equal.case_fold_simple();
    equal.ranges().iter().any(|range| (range.start()..=range.end()).contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::index::INDEX;

    const TABLES: FoldTables = INDEX.text.folds;

    /// A scalar, its image, and whether a row of status S maps it.
    const TRAPS: &[(char, char, bool)] = &[
        ('A', 'a', false),
        ('Z', 'z', false),
        ('a', 'a', false),
        ('@', '@', false),
        ('[', '[', false),
        ('É', 'é', false),
        // The Kelvin, Ångström and Ohm signs.
        ('\u{212a}', 'k', false),
        ('\u{212b}', 'å', false),
        ('\u{2126}', 'ω', false),
        // The long s, also with a dot; the sharp s.
        ('ſ', 's', false),
        ('\u{1e9b}', '\u{1e61}', false),
        ('ẞ', 'ß', true),
        ('ß', 'ß', false),
        // Sigmas, thetas, the micro sign.
        ('Σ', 'σ', false),
        ('ς', 'σ', false),
        ('ϑ', 'θ', false),
        ('ϴ', 'θ', false),
        ('µ', 'μ', false),
        // The dotted capital and the dotless small i.
        ('İ', 'İ', false),
        ('ı', 'ı', false),
        // The iota below, alone, spacing, and with a letter.
        ('\u{345}', 'ι', false),
        ('\u{1fbe}', 'ι', false),
        ('\u{1f88}', '\u{1f80}', true),
        ('\u{1f80}', '\u{1f80}', false),
        ('\u{1ffc}', '\u{1ff3}', true),
        // Title case.
        ('\u{1c5}', '\u{1c6}', false),
        // Equal without another case.
        ('\u{1fd3}', '\u{390}', true),
        ('\u{1fe3}', '\u{3b0}', true),
        ('\u{fb05}', '\u{fb06}', true),
        ('\u{fb06}', '\u{fb06}', false),
        // Cherokee folds to upper case.
        ('\u{13a0}', '\u{13a0}', false),
        ('\u{ab70}', '\u{13a0}', false),
        ('\u{abbf}', '\u{13ef}', false),
        ('\u{13f8}', '\u{13f0}', false),
        ('\u{13fd}', '\u{13f5}', false),
        // Georgian: capitals of two kinds.
        ('\u{1c90}', '\u{10d0}', false),
        ('\u{10d0}', '\u{10d0}', false),
        ('\u{10a0}', '\u{2d00}', false),
        // Deseret.
        ('\u{10400}', '\u{10428}', false),
        ('日', '日', false),
    ];

    #[test]
    fn special_cases_of_simple_folding_have_their_images() {
        for (scalar, image, _) in TRAPS {
            assert_eq!(
                fold_scalar(&TABLES, Fold::UnicodeSimple, *scalar),
                *image,
                "U+{:04X}",
                *scalar as u32
            );
        }
    }

    #[test]
    fn rows_of_each_status_can_be_switched_off() {
        let common = FoldTables { simple_simple: false, ..TABLES };
        let simple = FoldTables { simple_common: false, ..TABLES };
        for (scalar, image, is_simple) in TRAPS {
            let of_simple = if *is_simple { *image } else { *scalar };
            let of_common = if *is_simple { *scalar } else { *image };
            assert_eq!(fold_scalar(&simple, Fold::UnicodeSimple, *scalar), of_simple, "{scalar}");
            assert_eq!(fold_scalar(&common, Fold::UnicodeSimple, *scalar), of_common, "{scalar}");
        }
    }

    #[test]
    fn two_scalars_have_one_image_exactly_if_expressions_equate_them() {
        for scalar in '\0'..=char::MAX {
            let mut orbit = ClassUnicode::new([ClassUnicodeRange::new(scalar, scalar)]);
            orbit.case_fold_simple();
            let image = fold_scalar(&TABLES, Fold::UnicodeSimple, scalar);
            for range in orbit.ranges() {
                for other in range.start()..=range.end() {
                    let others = fold_scalar(&TABLES, Fold::UnicodeSimple, other);
                    assert_eq!(others, image, "{scalar:?} {other:?}");
                }
            }
            assert!(equal_without_case(scalar, image), "{scalar:?} {image:?}");
        }
    }

    #[test]
    fn ascii_folding_changes_only_the_letters_of_the_table() {
        for (scalar, image) in
            [('A', 'a'), ('Z', 'z'), ('@', '@'), ('[', '['), ('É', 'É'), ('\u{212a}', '\u{212a}')]
        {
            assert_eq!(fold_scalar(&TABLES, Fold::Ascii, scalar), image);
        }
        let other = FoldTables { ascii_last: 'Y', ascii_offset: 1, ..TABLES };
        assert_eq!(fold_scalar(&other, Fold::Ascii, 'Z'), 'Z');
        assert_eq!(fold_scalar(&other, Fold::Ascii, 'A'), 'B');
    }
}
