//! Clauses about what a pattern may exclude: FR-LSI-CAND-*, FR-LSI-BLOOM-Q-*, T-LSI-BLOOM-02,
//! T-LSI-DET-03 and 04.
//!
//! Here soundness is decided by the tool's own matcher, on texts chosen by hand and on drawn ones;
//! `index_backends` decides it by the real programs. Exclusion by a literal is production's and the
//! model's, which have to agree; of expressions the model knows nothing.

use crate::clauses_index::text::{
    Asked, PAGE, Setting, asked, gram, known, refusable, shown, spelt,
};
use forge_search_core::index::filter::Filter;
use forge_search_core::index::fold::Fold;
use forge_search_core::index::need::{Need, Variant};
use forge_search_core::index::plan;
use forge_search_core::order;
use serde_json::{Value, json};
use touchstone::case::Case;
use touchstone::generate::Generator;
use touchstone_model::Node;

const PAIRS: Setting = Setting { ngram: 2, ..PAGE };
const UNICODE: Setting = Setting { fold: Fold::UnicodeSimple, ..PAGE };
const SETTINGS: [Setting; 3] = [PAGE, PAIRS, UNICODE];

fn literal(pattern: &str, case: &str) -> Asked {
    asked(&json!({"pattern": pattern, "fixed_strings": true, "case": case}))
}

fn regex(pattern: &str) -> Asked {
    asked(&json!({"pattern": pattern, "case": "sensitive"}))
}

/// The need of a request over the usual setting.
fn need(request: &Value) -> String {
    shown(&asked(request).need(PAGE))
}

#[test]
fn a_literal_is_folded_for_an_insensitive_search_and_split_into_grams() {
    // D1: a pattern that NFC would change, folded or not, excludes nothing; grams with CR, LF or
    // U+FFFD are not asked for (E-A02, E-A08).
    touchstone::verifies!("FR-LSI-BLOOM-Q-01", "E-A01", "E-A02", "E-A08");
    for (pattern, sensitive, insensitive) in [
        ("Needle", "(Nee & dle & edl & eed)", "(~dle & ~edl & ~eed & ~nee)"),
        ("\u{c9}tat", "(tat & \u{c9}ta)", "(~tat & ~\u{c9}ta)"),
        ("foo\r", "foo", "~foo"),
        ("a\rbcd\u{fffd}efg", "(bcd & efg)", "(~bcd & ~efg)"),
        ("x\r\u{fffd}y", "-", "-"),
        ("cafe\u{301}", "-", "-"),
        ("\u{301}bcd", "(bcd & \\u{301}bc)", "(~bcd & ~\\u{301}bc)"),
        // Stable as it is, and not when it is folded.
        ("J\u{30c}xy", "(J\u{30c}x & \\u{30c}xy)", "-"),
    ] {
        assert_eq!(shown(&literal(pattern, "sensitive").need(PAGE)), sensitive, "{pattern:?}");
        assert_eq!(shown(&literal(pattern, "insensitive").need(PAGE)), insensitive, "{pattern:?}");
        let capital = pattern.bytes().any(|byte| byte.is_ascii_uppercase());
        let smart = if capital { sensitive } else { insensitive };
        assert_eq!(shown(&literal(pattern, "smart").need(PAGE)), smart, "{pattern:?}");
    }
}

#[test]
fn one_unset_bit_of_a_gram_lets_a_file_be_excluded() {
    touchstone::verifies!("FR-LSI-BLOOM-Q-02");
    let parameters = PAGE.filter();
    let asked = literal("needle", "sensitive");
    let need = asked.need(PAGE);
    let grams = ["nee", "eed", "edl", "dle"].map(gram);
    let whole = Filter::build(&parameters, &grams);
    assert!(need.met(&mut |_, gram| whole.passes(&parameters, gram)));
    // Taking away any one probe is enough.
    for bit in grams.into_iter().flat_map(|gram| parameters.probes(gram)) {
        assert!(
            !need.met(&mut |_, gram| parameters.probes(gram).all(|probe| probe != bit)),
            "{bit}"
        );
    }
    // A false positive: a filter in which all bits are set.
    assert!(need.met(&mut |_, _| true));
    assert!(asked.excludes(b"no such thing", PAGE) && !asked.excludes(b"needles", PAGE));
    // All grams without the word: it stays a candidate, for grams say nothing about their places.
    assert!(!asked.excludes(b"nee eed edl dle", PAGE));
}

#[test]
fn patterns_shorter_than_a_gram_exclude_nothing_and_one_of_its_length_is_one_gram() {
    touchstone::verifies!("FR-LSI-CAND-LIT-03", "ALG-LSI-E1", "ALG-LSI-E8");
    for pattern in ["a", "ab", "\u{65e5}\u{672c}", "\u{1f600}\u{1f600}", "a\r"] {
        for case in ["sensitive", "insensitive"] {
            assert_eq!(literal(pattern, case).need(PAGE), Need::Nothing, "{pattern}");
            assert!(!literal(pattern, case).excludes(b"something else", PAGE), "{pattern}");
        }
    }
    assert_eq!(shown(&literal("abc", "sensitive").need(PAGE)), "abc");
    assert_eq!(shown(&literal("ab", "sensitive").need(PAIRS)), "ab");
    assert_eq!(literal("a", "sensitive").need(PAIRS), Need::Nothing);
    assert!(literal("abc", "sensitive").excludes(b"ab bc", PAGE));
    assert!(!literal("abc", "sensitive").excludes(b"xabcx", PAGE));
}

#[test]
fn a_file_is_excluded_only_if_it_is_fully_tokenized_and_complete() {
    // The reference design of appendix E, with E-A09's flag and E-A10's reading of it.
    touchstone::verifies!("ALG-LSI-E1", "ALG-LSI-E8", "FR-LSI-CAND-LIT-01", "FR-LSI-CAND-LIT-02");
    let asked = literal("needle", "sensitive");
    let large = b"x".repeat(4_097);
    for (file, excluded) in [
        (&b"nothing of the kind\n"[..], true),
        (b"a needle\n", false),
        (b"ab", false),
        (b"", false),
        (&large, false),
        (b"\xFF\xFEx\0y\0", false),
        (b"\xFF\xFF\xFFab", false),
        ("re\u{301}sume\u{301}".as_bytes(), false),
        ("r\u{e9}sum\u{e9}".as_bytes(), true),
    ] {
        let known = known(file, PAGE);
        assert_eq!(asked.excludes(file, PAGE), excluded, "{file:?}");
        assert_eq!(
            known.status == "FULL" && known.complete,
            excluded || file == b"a needle\n",
            "{file:?}"
        );
    }
}

#[test]
fn the_variant_follows_the_effective_case() {
    // E-A05: smart looks for capitals of ASCII, as the matcher does, and not for capitals of any
    // script.
    touchstone::verifies!("FR-LSI-CAND-LIT-05", "T-LSI-DET-04", "E-A05", "E-A25");
    for (pattern, case, expected) in [
        ("needle", "sensitive", Variant::Sensitive),
        ("NEEDLE", "insensitive", Variant::Insensitive),
        ("needle", "smart", Variant::Insensitive),
        ("Needle", "smart", Variant::Sensitive),
        ("\u{d1}abc", "smart", Variant::Insensitive),
        ("\u{3a9}mega", "smart", Variant::Insensitive),
        ("\u{f1}aBc", "smart", Variant::Sensitive),
    ] {
        let need = literal(pattern, case).need(PAGE);
        let Need::All(parts) = &need else { panic!("{need:?}") };
        let variants = |part: &Need| matches!(part, Need::Gram(variant, _) if *variant == expected);
        assert!(parts.iter().all(variants), "{pattern}, {case}: {}", shown(&need));
    }
    // What the erratum lost.
    let asked = literal("\u{d1}abc", "smart");
    assert!(
        asked.matches("\u{d1}ABC\n".as_bytes()) && !asked.excludes("\u{d1}ABC\n".as_bytes(), PAGE)
    );
}

#[test]
fn both_normal_forms_of_a_pattern_or_name_find_what_the_matcher_finds() {
    touchstone::verifies!("T-LSI-DET-03", "E-A01");
    let (composed, decomposed) = ("caf\u{e9} noir\n", "cafe\u{301} noir\n");
    for pattern in ["caf\u{e9} noir", "cafe\u{301} noir", "cafe", "noir", "\u{301} no"] {
        for file in [composed, decomposed] {
            for case in ["sensitive", "insensitive", "smart"] {
                let asked = literal(pattern, case);
                let lost = asked.matches(file.as_bytes()) && asked.excludes(file.as_bytes(), PAGE);
                assert!(!lost, "{pattern:?} in {file:?}");
            }
        }
    }
    assert!(literal("caf\u{e9} noir", "sensitive").excludes(b"cafe noir de noir\n", PAGE));
    assert!(
        !literal("caf\u{e9} noir", "sensitive").excludes(decomposed.as_bytes(), PAGE),
        "it is not complete"
    );
    // Names in either form have one place among others.
    for other in ["caf", "cafd", "caff", "caf\u{e9}s", "cafz", "caf\u{ea}"] {
        let places = ["caf\u{e9}", "cafe\u{301}"]
            .map(|name| order::compare(name.as_bytes(), other.as_bytes()));
        assert_eq!(places[0], places[1], "{other}");
    }
}

#[test]
fn word_mode_needs_the_same_grams_as_the_pattern() {
    touchstone::verifies!("FR-LSI-CAND-01");
    let word = json!({"pattern": "needle", "fixed_strings": true, "word_regexp": true, "case": "sensitive"});
    assert_eq!(need(&word), shown(&literal("needle", "sensitive").need(PAGE)));
    let word = json!({"pattern": "need(le|y)", "word_regexp": true, "case": "sensitive"});
    assert_eq!(need(&word), shown(&regex("need(le|y)").need(PAGE)));
}

#[test]
fn an_expression_needs_only_what_every_match_contains() {
    // E-A06, and the deviation recorded there: what an alternation needs is one of what its
    // branches need, worked out on the parsed expression, so that nothing about it is doubtful.
    touchstone::verifies!("FR-LSI-CAND-RE-01", "FR-LSI-CAND-RE-02", "E-A06");
    for (pattern, expected) in [
        ("needle", "(dle & edl & eed & nee)"),
        ("foo.*bar", "(bar & foo)"),
        ("(needle|thread)", "((dle & edl & eed & nee) | (ead & hre & rea & thr))"),
        // Optional, and so not needed.
        ("(needle)?", "-"),
        ("(needle)*", "-"),
        ("foo(needle)?", "foo"),
        ("x|needle", "-"),
        // Assertions are no text.
        (r"\bneedle\b", "(dle & edl & eed & nee)"),
        ("^needle$", "(dle & edl & eed & nee)"),
        // Nothing that has to be there is three long.
        ("a.b.c", "-"),
        (r"\w+", "-"),
        ("[a-z]{5}", "-"),
    ] {
        assert_eq!(shown(&regex(pattern).need(PAGE)), expected, "{pattern}");
    }
    // Lookaround and back references are no part of the language, so there is nothing to be careful
    // about.
    for pattern in ["need(?=le)", r"(a)\1"] {
        assert!(refusable(&json!({"pattern": pattern})).is_none(), "{pattern}");
    }
}

#[test]
fn inline_flags_are_applied_before_the_need_is_derived() {
    touchstone::verifies!("E-A06", "FR-LSI-CAND-RE-01", "FR-LSI-CAND-01");
    for (pattern, file) in [
        ("(?i)needle", "NEEDLE\n"),
        ("(?x)nee dle", "needle\n"),
        ("(?x) needle # a comment", "needle\n"),
        ("n(?i:EED)le", "neeDle\n"),
        ("(?i)a(?-i)BCd", "ABCd\n"),
        (r"\x6eeedle", "needle\n"),
        (r"(?s)need.le", "need\u{e9}le\n"),
        ("(?U)ne+dle", "neeeedle\n"),
        (r"needle\r?$", "needle\r\n"),
        (r"needle\r", "needle\r\r\n"),
        ("nee[d\u{fffd}]le", "needle\n"),
        (r"need(?:le\b|le\B)", "needles\n"),
    ] {
        for case in ["sensitive", "insensitive", "smart"] {
            let asked = asked(&json!({"pattern": pattern, "case": case}));
            assert!(asked.matches(file.as_bytes()), "{pattern} in {file:?}");
            for setting in SETTINGS {
                assert!(
                    !asked.excludes(file.as_bytes(), setting),
                    "{pattern}: {}",
                    shown(&asked.need(setting))
                );
            }
        }
    }
    // And they do not keep everything: what cannot match is excluded.
    for pattern in ["(?i)needle", "(?x)nee dle", "n(?i:EED)le", r"needle\r?$"] {
        assert!(regex(pattern).excludes(b"haystack\n", PAGE), "{pattern}");
    }
}

#[test]
fn fuzzy_searches_scan_every_file() {
    touchstone::verifies!("FR-LSI-CAND-FZ-01");
    for level in 1..=4 {
        for case in ["sensitive", "insensitive", "smart"] {
            let request =
                json!({"pattern": "needles", "fixed_strings": true, "fuzzy": level, "case": case});
            let asked = asked(&request);
            for setting in SETTINGS {
                assert_eq!(asked.need(setting), Need::Nothing);
                assert!(!asked.excludes(b"nothing alike, by far", setting));
            }
        }
    }
}

#[test]
fn an_unanalysable_pattern_excludes_nothing() {
    touchstone::verifies!("FR-LSI-CAND-02");
    // Alternatives beyond counting, large classes, an empty class, an empty text.
    let many =
        regex(&(0..2_300).map(|number| format!("w{number:05}")).collect::<Vec<_>>().join("|"));
    for asked in
        [many, regex(r"\p{L}{9}"), regex(r"[^\n]+"), regex("[a&&b]|x"), regex("^$"), regex("()")]
    {
        assert_eq!(asked.need(PAGE), Need::Nothing, "{}", shown(&asked.need(PAGE)));
        assert!(!asked.excludes(b"anything at all 12345", PAGE));
    }
    // Grams that normalisation would break are not used, whichever side planned them.
    let need = plan::literal("xy\u{1112}\u{1161}", false, Fold::Ascii, 3);
    assert_eq!(need, Need::Nothing, "{}", shown(&need));
}

/// The files of a drawn case.
fn files(case: &Case) -> Vec<Vec<u8>> {
    let world = case.world();
    let bytes = |node: &Node| match node {
        Node::File { bytes, .. } => Some(bytes.clone()),
        _ => None,
    };
    world.entries.values().filter_map(bytes).filter(|bytes| bytes.len() < 20_000).collect()
}

#[test]
fn no_generated_file_with_a_match_is_excluded() {
    touchstone::verifies!(
        "FR-LSI-CAND-01",
        "FR-LSI-CAND-02",
        "FR-LSI-CAND-RE-01",
        "FR-LSI-CAND-RE-02"
    );
    let generator = Generator::new(0x1d8);
    let (mut pairs, mut left_out, mut found) = (0_u32, 0_u32, 0_u32);
    for number in 0..1_500 {
        let case = generator.case(number);
        let Some(asked) = refusable(&case.request) else { continue };
        for file in files(&case) {
            let matches = asked.matches(&file);
            found += u32::from(matches);
            for setting in SETTINGS {
                let excludes = asked.excludes(&file, setting);
                let lost = matches && excludes;
                assert!(
                    !lost,
                    "{}: {} in {:?}",
                    case.request,
                    shown(&asked.need(setting)),
                    String::from_utf8_lossy(&file)
                );
                left_out += u32::from(excludes);
                pairs += 1;
            }
        }
    }
    assert!(
        pairs > 5_000 && left_out > 500 && found > 500,
        "{pairs} pairs, {left_out} excluded, {found} matched"
    );
}

#[test]
fn no_matching_file_of_any_combination_of_pieces_is_excluded() {
    touchstone::verifies!("FR-LSI-CAND-01", "FR-LSI-BLOOM-Q-01");
    // Every pattern of up to four of these pieces over every file of up to four of them.
    let pieces = ["a", "E", "e", "\u{301}", "\r", "k", "\u{212a}", "\u{fffd}", "\u{e9}"];
    let texts = |most: usize| -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..most {
            last = last
                .iter()
                .flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}")))
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    };
    let (patterns, bodies) = (texts(3), texts(2));
    let mut files: Vec<Vec<u8>> = Vec::new();
    for pattern in patterns.iter().step_by(7) {
        for body in bodies.iter().step_by(5) {
            files.push(format!("{body}{pattern}\n").into_bytes());
            files.push(format!("{pattern}{body}\r\nx\r\n").into_bytes());
            files.push([pattern.as_bytes(), b"\xC3", body.as_bytes()].concat());
        }
    }
    let mut matched = 0;
    for pattern in patterns.iter().filter(|pattern| pattern.chars().count() >= 2) {
        for case in ["sensitive", "insensitive"] {
            let request = json!({"pattern": pattern, "fixed_strings": true, "case": case});
            // Nothing but carriage returns is no pattern.
            let Some(asked) = refusable(&request) else { continue };
            // A gram is two scalars here, so that a pattern of three is enough for several.
            let need = asked.need(PAIRS);
            if need == Need::Nothing {
                continue;
            }
            for file in files.iter().filter(|file| asked.matches(file)) {
                matched += 1;
                let tokens = known_grams(file);
                let met = need.met(&mut |variant, gram| tokens.has(variant, &spelt(gram)));
                assert!(
                    met || !tokens.complete,
                    "{pattern:?} in {:?}",
                    String::from_utf8_lossy(file)
                );
            }
        }
    }
    assert!(matched > 2_000, "only {matched} matches");
}

/// A file's grams as sets, which answer like a filter without false positives: nothing is kept by
/// chance.
struct Grams {
    complete: bool,
    sensitive: std::collections::BTreeSet<String>,
    insensitive: std::collections::BTreeSet<String>,
}

impl Grams {
    fn has(&self, variant: Variant, gram: &str) -> bool {
        match variant {
            Variant::Sensitive => self.sensitive.contains(gram),
            Variant::Insensitive => self.insensitive.contains(gram),
        }
    }
}

fn known_grams(file: &[u8]) -> Grams {
    let known = known(file, PAIRS);
    Grams {
        complete: known.complete,
        sensitive: known.sensitive.into_iter().collect(),
        insensitive: known.insensitive.into_iter().collect(),
    }
}
