//! How both sides tokenize a file's text, and plan a request's pattern.
//!
//! Responsible for: tokens, filters and exclusion as production has them, with the model held to
//! them wherever it has an opinion; it has none about regular expressions. Not here: what
//! a clause says. Invariants: a file's filter is asked in all three forms, packed, factored and
//! (for literals) by the model, and all three answer alike.

use forge_search_core::index::filter::{DEFAULT_SEED, Filter, FilterParameters};
use forge_search_core::index::fold::Fold;
use forge_search_core::index::gram::Gram;
use forge_search_core::index::need::{Need, Variant};
use forge_search_core::index::postings::Postings;
use forge_search_core::index::tokens::{Parameters, TokenStatus, Tokenizer, Tokens, folded};
use forge_search_core::request::{CaseMode, Limits, Request};
use forge_search_core::text;
use forge_search_engine::Arguments as _;
use forge_search_engine::json::Json;
use serde_json::Value;
use touchstone_model::index::{exclusion, filter, tables, tokens};

use super::TABLES;

/// Parameters of the tests' index: files of up to a page, so that filters are small.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) max_bytes: u64,
    pub(crate) ngram: usize,
    pub(crate) fold: Fold,
}

pub(crate) const PAGE: Setting = Setting { max_bytes: 4_096, ngram: 3, fold: Fold::Ascii };

impl Setting {
    pub(crate) fn filter(self) -> FilterParameters {
        FilterParameters::sized(self.max_bytes, 0.01, DEFAULT_SEED)
    }

    fn scheme(self) -> filter::Scheme<'static> {
        filter::Scheme::new(&TABLES.filter, self.max_bytes, 0.01, DEFAULT_SEED)
    }
}

pub(crate) fn modelled(fold: Fold) -> tables::Fold {
    match fold {
        Fold::Ascii => tables::Fold::Ascii,
        Fold::UnicodeSimple => tables::Fold::UnicodeSimple,
    }
}

/// What is known of a text, the same by both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) status: &'static str,
    pub(crate) complete: bool,
    pub(crate) tokenized_bytes: u64,
    pub(crate) sensitive: Vec<String>,
    pub(crate) insensitive: Vec<String>,
}

pub(crate) fn spelt(gram: Gram) -> String {
    gram.scalars().collect()
}

pub(crate) fn gram(text: &str) -> Gram {
    Gram::new(&text.chars().collect::<Vec<_>>()).unwrap_or_else(|| panic!("{text:?} is no gram"))
}

fn production(bytes: &[u8], setting: Setting) -> Tokens {
    Tokenizer::new(Parameters { max_bytes: setting.max_bytes, ngram: setting.ngram })
        .tokenize(bytes)
}

fn model(bytes: &[u8], setting: Setting) -> tokens::Tokens {
    let parameters =
        tokens::Parameters { max_tokenized_bytes: setting.max_bytes, ngram: setting.ngram as u64 };
    tokens::tokenize(&TABLES.text, &parameters, bytes)
}

/// What is known of a file.
pub(crate) fn known(bytes: &[u8], setting: Setting) -> Known {
    let (theirs, ours) = (production(bytes, setting), model(bytes, setting));
    let listed = |grams: &[Gram]| grams.iter().map(|gram| spelt(*gram)).collect();
    let by_production = Known {
        status: theirs.status.name(),
        complete: theirs.complete,
        tokenized_bytes: theirs.tokenized_bytes,
        sensitive: listed(&theirs.grams),
        insensitive: listed(&folded(&theirs.grams, setting.fold)),
    };
    let status = match ours.status {
        tokens::TokenStatus::Full => TokenStatus::Full,
        tokens::TokenStatus::SkippedTooLarge => TokenStatus::SkippedTooLarge,
        tokens::TokenStatus::SkippedEncoding => TokenStatus::SkippedEncoding,
        tokens::TokenStatus::SkippedBinary => TokenStatus::SkippedBinary,
    };
    let listed = |grams: &tokens::Grams| grams.iter().map(|gram| gram.iter().collect()).collect();
    let by_model = Known {
        status: status.name(),
        complete: ours.complete,
        tokenized_bytes: ours.tokenized_bytes,
        sensitive: listed(&ours.sensitive),
        insensitive: listed(&tokens::fold(&TABLES.text, modelled(setting.fold), &ours.sensitive)),
    };
    assert!(
        by_production == by_model,
        "{bytes:?}:\nproduction {by_production:?}\nthe model  {by_model:?}"
    );
    by_production
}

/// A request as production reads it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    request: Request,
}

/// Reads a request that has to be a good one.
pub(crate) fn asked(request: &Value) -> Asked {
    refusable(request).unwrap_or_else(|| panic!("{request} is refused"))
}

/// Reads a request; `None` if it is refused.
pub(crate) fn refusable(request: &Value) -> Option<Asked> {
    let limits = Limits {
        default_timeout_ms: 20_000,
        default_max_results: 1_000,
        max_matches_per_file: None,
        max_files: 1_000_000,
        max_file_size_bytes: 32 << 20,
        max_output_bytes: 1 << 20,
        reading: forge_search_core::request::Reading::Documents,
    };
    let request = Json(request).search(&limits).ok()?;
    Some(Asked { request })
}

impl Asked {
    pub(crate) fn need(&self, setting: Setting) -> Need {
        self.request.matcher.need(setting.fold, setting.ngram)
    }

    /// Whether some line of a file matches. What Forge does not search as UTF-8 text is said to
    /// match, so that it may not be excluded.
    pub(crate) fn matches(&self, bytes: &[u8]) -> bool {
        let text::Encoding::Utf8 { skip } = text::encoding(bytes) else { return true };
        let searched = &bytes[skip..];
        let mut line = text::line_at(searched, 0);
        while let Some(span) = line {
            if self.request.matcher.find(span.visible(searched)).is_some() {
                return true;
            }
            line = text::line_after(searched, span);
        }
        false
    }

    /// Whether a file may be excluded, as far as file and pattern are concerned.
    pub(crate) fn excludes(&self, bytes: &[u8], setting: Setting) -> bool {
        let (tokens, parameters, need) =
            (production(bytes, setting), setting.filter(), self.need(setting));
        let sensitive = Filter::build(&parameters, &tokens.grams);
        let insensitive = Filter::build(&parameters, &folded(&tokens.grams, setting.fold));
        let mut passes = |variant, gram| match variant {
            Variant::Sensitive => sensitive.passes(&parameters, gram),
            Variant::Insensitive => insensitive.passes(&parameters, gram),
        };
        let excluded = tokens.complete && !need.met(&mut passes);
        let postings = Postings::build(parameters, setting.fold, [(7, &tokens.grams[..])]);
        let factored = tokens.complete && postings.meeting(&need).is_empty();
        assert_eq!(excluded, factored, "packed and factored filters differ on {need:?}");
        if self.request.fixed_strings {
            let by_model = self.excluded_by_model(bytes, setting);
            assert_eq!(excluded, by_model, "the model differs on `{}`", self.request.pattern);
        }
        excluded
    }

    fn excluded_by_model(&self, bytes: &[u8], setting: Setting) -> bool {
        let insensitive = match self.request.case {
            CaseMode::Sensitive => false,
            CaseMode::Insensitive => true,
            CaseMode::Smart => !self.request.pattern.bytes().any(|byte| byte.is_ascii_uppercase()),
        };
        let fold = modelled(setting.fold);
        let fuzzy = self.request.fuzzy.is_some();
        let literal =
            exclusion::Literal { pattern: &self.request.pattern, insensitive, fold, fuzzy };
        let need =
            exclusion::needed(&TABLES.exclusion, &TABLES.text, &literal, setting.ngram as u64);
        let (tokens, scheme) = (model(bytes, setting), setting.scheme());
        let filters = exclusion::Filters::of(&TABLES.text, &scheme, &tokens, fold);
        exclusion::excluded(&TABLES.exclusion, &scheme, need.as_ref(), &tokens, &filters)
    }
}

/// A gram as it is written in needs: what cannot be seen is escaped, and a blank is `␣`.
fn written(gram: Gram) -> String {
    spelt(gram).escape_debug().to_string().replace(' ', "␣")
}

/// A need in few characters: `~` before a gram of the folded text, `&` and `|` between, `-` for
/// none.
pub(crate) fn shown(need: &Need) -> String {
    let joined = |parts: &[Need], with: &str| {
        format!("({})", parts.iter().map(shown).collect::<Vec<_>>().join(with))
    };
    match need {
        Need::Nothing => "-".to_owned(),
        Need::Gram(Variant::Sensitive, gram) => written(*gram),
        Need::Gram(Variant::Insensitive, gram) => format!("~{}", written(*gram)),
        Need::All(parts) => joined(parts, " & "),
        Need::OneOf(parts) => joined(parts, " | "),
    }
}
